// The elements of accessors, copied in tight loops: a block at a time, which is checked while it is in the cache.

#include "model/gltf/gltf.h"

#include <string.h>

#define BLOCK 1024 // elements

static uint32_t size_of(ModelGltfType type) {
    return type == MODEL_GLTF_FLOAT || type == MODEL_GLTF_UINT32   ? 4
           : type == MODEL_GLTF_INT16 || type == MODEL_GLTF_UINT16 ? 2
                                                                   : 1;
}

// ---- Conversion -----------------------------------------------------------------------------------------

// Integers as floats: × scale, but not below −1 where they are normalised.
#define CONVERT(name, Type)                                                                                  \
    static void name(float *out, const uint8_t *from, size_t stride, size_t count, uint32_t components,      \
                     float divisor, float lowest) {                                                          \
        for (size_t i = 0; i < count; i++, from += stride)                                                   \
            for (uint32_t c = 0; c < components; c++) {                                                      \
                Type value;                                                                                  \
                memcpy(&value, from + c * sizeof value, sizeof value);                                       \
                *out++ = filo_max((float)value / divisor, lowest);                                           \
            }                                                                                                \
    }
CONVERT(convert_int8, int8_t)
CONVERT(convert_uint8, uint8_t)
CONVERT(convert_int16, int16_t)
CONVERT(convert_uint16, uint16_t)
CONVERT(convert_uint32, uint32_t)

static void copy_floats(float *out, const uint8_t *from, size_t stride, size_t count, uint32_t components) {
    size_t size = components * sizeof(float);
    if (stride == size) {
        memcpy(out, from, count * size);
        return;
    }
    // Sizes that the compiler knows.
    switch (components) {
    case 2:
        for (size_t i = 0; i < count; i++) memcpy(out + 2 * i, from + stride * i, 8);
        break;
    case 3:
        for (size_t i = 0; i < count; i++) memcpy(out + 3 * i, from + stride * i, 12);
        break;
    case 4:
        for (size_t i = 0; i < count; i++) memcpy(out + 4 * i, from + stride * i, 16);
        break;
    default:
        for (size_t i = 0; i < count; i++) memcpy(out + components * i, from + stride * i, size);
    }
}

static void convert(float *out, const ModelGltfAccessor *a, const uint8_t *from, size_t stride,
                    size_t count) {
    bool n = a->normalised;
    switch (a->type) {
    case MODEL_GLTF_INT8:
        convert_int8(out, from, stride, count, a->components, n ? 127.0f : 1.0f, n ? -1.0f : -128.0f);
        break;
    case MODEL_GLTF_UINT8:
        convert_uint8(out, from, stride, count, a->components, n ? 255.0f : 1.0f, 0.0f);
        break;
    case MODEL_GLTF_INT16:
        convert_int16(out, from, stride, count, a->components, n ? 32767.0f : 1.0f, n ? -1.0f : -32768.0f);
        break;
    case MODEL_GLTF_UINT16:
        convert_uint16(out, from, stride, count, a->components, n ? 65535.0f : 1.0f, 0.0f);
        break;
    case MODEL_GLTF_UINT32:
        convert_uint32(out, from, stride, count, a->components, n ? 4294967295.0f : 1.0f, 0.0f);
        break;
    default: copy_floats(out, from, stride, count, a->components);
    }
}

static bool all_finite(const float *values, size_t count) {
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) bad |= (filo_float_to_bits(values[i]) & 0x7F800000u) == 0x7F800000u;
    return bad == 0;
}

// ---- Sparse elements ------------------------------------------------------------------------------------

static uint32_t uint_at(const uint8_t *bytes, ModelGltfType type, size_t i) {
    if (type == MODEL_GLTF_UINT8) return bytes[i];
    if (type == MODEL_GLTF_UINT16) {
        uint16_t value;
        memcpy(&value, bytes + 2 * i, sizeof value);
        return value;
    }
    uint32_t value;
    memcpy(&value, bytes + 4 * i, sizeof value);
    return value;
}

static bool sparse_index(ModelGltf *g, uint32_t accessor, size_t i, uint32_t *index) {
    const ModelGltfAccessor *a = &g->accessors[accessor];
    *index = uint_at(a->sparse.indices, a->sparse.index_type, i);
    if (*index < a->count) return true;
    return model_gltf_fail(g, "accessor %u: sparse index %zu is %u, but there are %u elements",
                           (unsigned)accessor, i, (unsigned)*index, (unsigned)a->count);
}

// ---- Floats ---------------------------------------------------------------------------------------------

static bool not_finite(ModelGltf *g, uint32_t accessor, const float *values, size_t first) {
    size_t i = 0;
    while (all_finite(&values[i], 1)) i++;
    return model_gltf_fail(g, "accessor %u: element %zu is not a finite number", (unsigned)accessor,
                           first + i / g->accessors[accessor].components);
}

bool model_gltf_read_floats(ModelGltf *g, uint32_t accessor, float *out,
                            void (*settle)(float *values, size_t count)) {
    const ModelGltfAccessor *a = &g->accessors[accessor];
    for (size_t first = 0; first < a->count; first += BLOCK) {
        size_t count = FILO_MIN(a->count - first, (size_t)BLOCK);
        float *block = out + first * a->components;
        if (a->bytes == NULL)
            memset(block, 0, count * a->components * sizeof *block);
        else
            convert(block, a, a->bytes + first * a->stride, a->stride, count);
        if (a->type == MODEL_GLTF_FLOAT && !all_finite(block, count * a->components))
            return not_finite(g, accessor, block, first);
        if (settle != NULL) settle(block, count);
    }
    size_t size = (size_t)size_of(a->type) * a->components;
    for (size_t i = 0; i < a->sparse.count; i++) {
        uint32_t index;
        if (!sparse_index(g, accessor, i, &index)) return false;
        float *element = out + (size_t)index * a->components;
        convert(element, a, a->sparse.values + i * size, size, 1);
        if (!all_finite(element, a->components)) return not_finite(g, accessor, element, index);
        if (settle != NULL) settle(element, 1);
    }
    return true;
}

// ---- Integers -------------------------------------------------------------------------------------------

#define WIDEN(name, Type)                                                                                    \
    static uint32_t name(uint32_t *out, const uint8_t *from, size_t stride, size_t count,                    \
                         uint32_t components) {                                                              \
        uint32_t largest = 0;                                                                                \
        if (stride == sizeof(Type) * components) { /* one array */                                           \
            count *= components, stride = sizeof(Type);                                                      \
            for (size_t i = 0; i < count; i++) {                                                             \
                Type value;                                                                                  \
                memcpy(&value, from + i * sizeof value, sizeof value);                                       \
                out[i] = value;                                                                              \
                largest = value > largest ? value : largest;                                                 \
            }                                                                                                \
            return largest;                                                                                  \
        }                                                                                                    \
        for (size_t i = 0; i < count; i++, from += stride)                                                   \
            for (uint32_t c = 0; c < components; c++) {                                                      \
                Type value;                                                                                  \
                memcpy(&value, from + c * sizeof value, sizeof value);                                       \
                *out++ = value;                                                                              \
                largest = value > largest ? value : largest;                                                 \
            }                                                                                                \
        return largest;                                                                                      \
    }
WIDEN(widen_uint8, uint8_t)
WIDEN(widen_uint16, uint16_t)
WIDEN(widen_uint32, uint32_t)

static uint32_t widen(uint32_t *out, const ModelGltfAccessor *a, const uint8_t *from, size_t stride,
                      size_t count) {
    if (a->type == MODEL_GLTF_UINT8) return widen_uint8(out, from, stride, count, a->components);
    if (a->type == MODEL_GLTF_UINT16) return widen_uint16(out, from, stride, count, a->components);
    return widen_uint32(out, from, stride, count, a->components);
}

bool model_gltf_read_uints(ModelGltf *g, uint32_t accessor, uint32_t *out, uint32_t *largest) {
    const ModelGltfAccessor *a = &g->accessors[accessor];
    *largest = 0;
    if (a->type != MODEL_GLTF_UINT8 && a->type != MODEL_GLTF_UINT16 && a->type != MODEL_GLTF_UINT32)
        return model_gltf_fail(g, "accessor %u must have unsigned integers, not the component type %u",
                               (unsigned)accessor, (unsigned)a->type);
    if (a->bytes == NULL) memset(out, 0, (size_t)a->count * a->components * sizeof *out);
    for (size_t first = 0; a->bytes != NULL && first < a->count; first += BLOCK) {
        size_t count = FILO_MIN(a->count - first, (size_t)BLOCK);
        uint32_t most = widen(out + first * a->components, a, a->bytes + first * a->stride, a->stride, count);
        *largest = FILO_MAX(*largest, most);
    }
    size_t size = (size_t)size_of(a->type) * a->components;
    for (size_t i = 0; i < a->sparse.count; i++) {
        uint32_t index;
        if (!sparse_index(g, accessor, i, &index)) return false;
        uint32_t most = widen(out + (size_t)index * a->components, a, a->sparse.values + i * size, size, 1);
        *largest = FILO_MAX(*largest, most);
    }
    return true;
}

bool model_gltf_check_components(ModelGltf *g, uint32_t accessor, uint32_t components, const char *what) {
    uint32_t has = g->accessors[accessor].components;
    if (has == components) return true;
    return model_gltf_fail(g, "%s must have %u components, but accessor %u has %u", what,
                           (unsigned)components, (unsigned)accessor, (unsigned)has);
}
