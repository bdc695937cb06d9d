// Accessors: where elements of which type are in a buffer view. All sizes are checked here, so that reading elements need
// not.

#include "model/gltf/gltf.h"

#include <stdio.h>

static uint32_t component_size(uint64_t type) {
    switch (type) {
    case MODEL_GLTF_INT8:
    case MODEL_GLTF_UINT8: return 1;
    case MODEL_GLTF_INT16:
    case MODEL_GLTF_UINT16: return 2;
    case MODEL_GLTF_UINT32:
    case MODEL_GLTF_FLOAT: return 4;
    default: return 0;
    }
}

static uint32_t component_count(const ModelJson *type) {
    static const struct {
        const char *name;
        uint32_t count;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 },
                  { "MAT2", 4 },   { "MAT3", 9 }, { "MAT4", 16 } };
    for (size_t i = 0; type != NULL && i < FILO_COUNT_OF(types); i++)
        if (filo_json_equal(model_json_token(type), types[i].name)) return types[i].count;
    return 0;
}

// The view and offset of an accessor, or of a part of a sparse one.
typedef struct Source {
    uint32_t view;
    uint64_t offset;
} Source;

static bool read_source(ModelGltf *g, const ModelJson *json, Source *source) {
    *source = (Source){ .view = MODEL_GLTF_NONE };
    return model_gltf_index(g, json, "bufferView", "buffer view", g->view_count, &source->view) &&
           model_gltf_uint(g, json, "byteOffset", &source->offset);
}

// Whether `count` elements of `size` bytes, `stride` bytes from each other, fit into the view.
static bool fits(ModelGltf *g, Source source, uint64_t count, size_t size, size_t stride) {
    size_t total = g->views[source.view].size;
    if (count == 0) return true;
    // Division, because products of hostile numbers overflow.
    if (source.offset <= total && size <= total - source.offset &&
        count - 1 <= (total - source.offset - size) / stride)
        return true;
    char at[40] = "";
    if (source.offset > 0) snprintf(at, sizeof at, " at offset %llu", (unsigned long long)source.offset);
    return model_gltf_fail(g, "%llu elements of %zu bytes%s do not fit into buffer view %u of %zu bytes",
                           (unsigned long long)count, FILO_MAX(size, stride), at, (unsigned)source.view,
                           total);
}

static bool read_sparse(ModelGltf *g, const ModelJson *json, ModelGltfAccessor *accessor, size_t size) {
    const ModelJson *sparse = NULL, *indices = NULL, *values = NULL;
    uint64_t count = 0, type = 0;
    Source index_source, value_source;
    if (!model_gltf_object(g, json, "sparse", &sparse)) return false;
    if (sparse == NULL) return true;
    if (!model_gltf_uint(g, sparse, "count", &count) || !model_gltf_object(g, sparse, "indices", &indices) ||
        !model_gltf_object(g, sparse, "values", &values) ||
        !model_gltf_uint(g, indices, "componentType", &type) || !read_source(g, indices, &index_source) ||
        !read_source(g, values, &value_source))
        return false;
    if (count > accessor->count)
        return model_gltf_fail(g, "%llu sparse elements are more than its %u", (unsigned long long)count,
                               (unsigned)accessor->count);
    if (count == 0) return true;
    if (index_source.view == MODEL_GLTF_NONE || value_source.view == MODEL_GLTF_NONE)
        return model_gltf_fail(g, "a buffer view of its sparse elements is missing");
    if (type != MODEL_GLTF_UINT8 && type != MODEL_GLTF_UINT16 && type != MODEL_GLTF_UINT32)
        return model_gltf_fail(g, "sparse indices cannot be of the type %llu", (unsigned long long)type);
    size_t index_size = component_size(type);
    if (!fits(g, index_source, count, index_size, index_size) || !fits(g, value_source, count, size, size))
        return false;
    accessor->sparse = (ModelGltfSparse){ .count = (uint32_t)count,
                                          .index_type = (ModelGltfType)type,
                                          .indices = g->views[index_source.view].bytes + index_source.offset,
                                          .values = g->views[value_source.view].bytes + value_source.offset };
    return true;
}

static bool read_accessor(ModelGltf *g, const ModelJson *json, uint32_t index) {
    model_gltf_place(g, "accessor", index);
    ModelGltfAccessor *accessor = &g->accessors[index];
    uint64_t type = 0, count = 0;
    const ModelJson *shape = NULL;
    Source source;
    if (!model_gltf_uint(g, json, "componentType", &type) || !model_gltf_uint(g, json, "count", &count) ||
        !model_gltf_text(g, json, "type", &shape) ||
        !model_gltf_bool(g, json, "normalized", &accessor->normalised) || !read_source(g, json, &source))
        return false;
    uint32_t size = component_size(type), components = component_count(shape);
    if (size == 0) return model_gltf_fail(g, "there is no component type %llu", (unsigned long long)type);
    if (components == 0)
        return model_gltf_fail(g, "there is no type \"%.*s\"",
                               shape != NULL ? (int)FILO_MIN(shape->length, 16u) : 0,
                               shape != NULL ? shape->text : "");
    size_t element = (size_t)size * components;
    if (source.view != MODEL_GLTF_NONE) {
        const ModelGltfView *view = &g->views[source.view];
        accessor->stride = view->stride != 0 ? view->stride : element;
        if (accessor->stride < element)
            return model_gltf_fail(
                g, "elements of %zu bytes are larger than the stride of %zu bytes of buffer view %u", element,
                accessor->stride, (unsigned)source.view);
        if (!fits(g, source, count, element, accessor->stride)) return false;
        accessor->bytes = view->bytes + source.offset;
    } else if (count > g->byte_count) {
        // Elements without bytes are zero. A small file must not ask for gigabytes of them.
        return model_gltf_fail(g, "%llu elements without a buffer view are too many for a file of %zu bytes",
                               (unsigned long long)count, g->byte_count);
    }
    if (count >= UINT32_MAX)
        return model_gltf_fail(g, "%llu elements are too many", (unsigned long long)count);
    accessor->count = (uint32_t)count;
    accessor->components = components;
    accessor->type = (ModelGltfType)type;
    return read_sparse(g, json, accessor, element);
}

bool model_gltf_read_accessors(ModelGltf *g) {
    const ModelJson *list;
    uint32_t index = 0;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "accessors", &list, &g->accessor_count)) return false;
    g->accessors = model_gltf_temporary(g, g->accessor_count, sizeof *g->accessors);
    if (g->accessors == NULL) return false;
    MODEL_JSON_EACH(list, json) {
        if (!read_accessor(g, json, index++)) return false;
    }
    return true;
}
