// EXT_meshopt_compression: a buffer view whose bytes meshoptimizer has compressed.

#include "model/gltf/gltf.h"

#include <meshoptimizer.h>

// What the extension says; meshoptimizer expects the shapes that check_shape allows, and stops the program at others.
typedef struct Compressed {
    const uint8_t *bytes;
    uint64_t offset, size, stride, count;
    bool triangles, indices; // otherwise attributes
    char filter;             // 'N'one, 'O'ctahedral, 'Q'uaternion, 'E'xponential
} Compressed;

static bool read_kind(ModelGltf *g, const ModelJson *json, Compressed *c) {
    static const char *const modes[] = { "ATTRIBUTES", "TRIANGLES", "INDICES" };
    static const char *const filters[] = { "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL" };
    const ModelJson *mode = NULL, *filter = NULL;
    size_t m = 0, f = 0;
    if (!model_gltf_text(g, json, "mode", &mode) || !model_gltf_text(g, json, "filter", &filter))
        return false;
    while (m < FILO_COUNT_OF(modes) && (mode == NULL || !filo_json_equal(model_json_token(mode), modes[m])))
        m++;
    while (filter != NULL && f < FILO_COUNT_OF(filters) &&
           !filo_json_equal(model_json_token(filter), filters[f]))
        f++;
    if (m == FILO_COUNT_OF(modes) || f == FILO_COUNT_OF(filters))
        return model_gltf_fail(g, "it is compressed in a mode or by a filter that is not known");
    c->triangles = m == 1;
    c->indices = m == 2;
    c->filter = filters[f][0];
    return true;
}

static bool check_shape(ModelGltf *g, const Compressed *c) {
    bool ok;
    if (c->triangles || c->indices)
        ok = (c->stride == 2 || c->stride == 4) && (!c->triangles || c->count % 3 == 0) && c->filter == 'N';
    else
        ok = c->stride > 0 && c->stride % 4 == 0 && c->stride <= 256;
    if (c->filter == 'O') ok = ok && (c->stride == 4 || c->stride == 8);
    if (c->filter == 'Q') ok = ok && c->stride == 8;
    return ok || model_gltf_fail(g, "%llu compressed elements of %llu bytes are not possible",
                                 (unsigned long long)c->count, (unsigned long long)c->stride);
}

static bool find_bytes(ModelGltf *g, const ModelJson *json, Compressed *c) {
    uint32_t index = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, json, "buffer", "buffer", g->buffer_count, &index) ||
        !model_gltf_uint(g, json, "byteOffset", &c->offset) ||
        !model_gltf_uint(g, json, "byteLength", &c->size) ||
        !model_gltf_uint(g, json, "byteStride", &c->stride) || !model_gltf_uint(g, json, "count", &c->count))
        return false;
    if (index == MODEL_GLTF_NONE) return model_gltf_fail(g, "\"buffer\" of its compressed bytes is missing");
    const ModelGltfBuffer *buffer = &g->buffers[index];
    if (c->size > buffer->size || c->offset > buffer->size - c->size)
        return model_gltf_fail(g, "%llu compressed bytes at %llu do not fit into buffer %u of %zu bytes",
                               (unsigned long long)c->size, (unsigned long long)c->offset, (unsigned)index,
                               buffer->size);
    c->bytes = buffer->bytes + c->offset;
    return true;
}

static int decode(const Compressed *c, uint8_t *out) {
    size_t count = (size_t)c->count, stride = (size_t)c->stride, size = (size_t)c->size;
    int failed = c->triangles ? meshopt_decodeIndexBuffer(out, count, stride, c->bytes, size)
                 : c->indices ? meshopt_decodeIndexSequence(out, count, stride, c->bytes, size)
                              : meshopt_decodeVertexBuffer(out, count, stride, c->bytes, size);
    if (failed != 0) return failed;
    if (c->filter == 'O') meshopt_decodeFilterOct(out, count, stride);
    if (c->filter == 'Q') meshopt_decodeFilterQuat(out, count, stride);
    if (c->filter == 'E') meshopt_decodeFilterExp(out, count, stride);
    return 0;
}

bool model_gltf_decompress(ModelGltf *g, const ModelJson *extension, ModelGltfView *view) {
    Compressed c = { 0 };
    if (!find_bytes(g, extension, &c) || !read_kind(g, extension, &c) || !check_shape(g, &c)) return false;
    if (c.count > UINT32_MAX)
        return model_gltf_fail(g, "%llu elements are too many", (unsigned long long)c.count);
    uint8_t *bytes = model_gltf_temporary(g, (size_t)c.count, (size_t)c.stride);
    if (bytes == NULL) return false;
    if (decode(&c, bytes) != 0) return model_gltf_fail(g, "its compressed bytes are damaged");
    bool attributes = !c.triangles && !c.indices;
    *view = (ModelGltfView){ bytes, (size_t)(c.count * c.stride), attributes ? (uint32_t)c.stride : 0 };
    g->byte_count += view->size;
    return true;
}
