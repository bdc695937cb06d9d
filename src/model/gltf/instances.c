// EXT_mesh_gpu_instancing: a node whose mesh is drawn at many places has accessors of positions, rotations and scales. Each
// instance becomes a node below it.

#include "model/gltf/gltf.h"

#include <string.h>

#define INSTANCES_LIMIT (1u << 20)

typedef struct Instances {
    uint32_t position, rotation, scale; // accessors, or NONE
    uint32_t count;
} Instances;

static bool read_attribute(ModelGltf *g, const ModelJson *attributes, const char *name, uint32_t components,
                           uint32_t *accessor, uint32_t *count) {
    *accessor = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, attributes, name, "accessor", g->accessor_count, accessor)) return false;
    if (*accessor == MODEL_GLTF_NONE) return true;
    if (!model_gltf_check_components(g, *accessor, components, name)) return false;
    uint32_t found = g->accessors[*accessor].count;
    if (*count != MODEL_GLTF_NONE && *count != found)
        return model_gltf_fail(g, "%s has %u instances, but another attribute %u", name, (unsigned)found,
                               (unsigned)*count);
    *count = found;
    return true;
}

// A count of NONE: the node has no instances of its own.
static bool read_instances(ModelGltf *g, uint32_t node, Instances *in) {
    const ModelJson *extension, *attributes = NULL, *json = g->nodes[node].json;
    *in = (Instances){ .count = MODEL_GLTF_NONE };
    model_gltf_place(g, "node", node);
    return model_gltf_extension(g, json, "EXT_mesh_gpu_instancing", &extension) &&
           model_gltf_object(g, extension, "attributes", &attributes) &&
           read_attribute(g, attributes, "TRANSLATION", 3, &in->position, &in->count) &&
           read_attribute(g, attributes, "ROTATION", 4, &in->rotation, &in->count) &&
           read_attribute(g, attributes, "SCALE", 3, &in->scale, &in->count);
}

bool model_gltf_count_instances(ModelGltf *g, const uint32_t *order, uint32_t count,
                                uint32_t *instance_count) {
    Instances in;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_instances(g, order[i], &in)) return false;
        if (in.count == MODEL_GLTF_NONE) continue;
        if (in.count > INSTANCES_LIMIT - *instance_count)
            return model_gltf_fail(g, "there are more than %u instances", INSTANCES_LIMIT);
        *instance_count += in.count;
    }
    return true;
}

// The elements of an accessor as temporary memory; NULL for NONE.
static bool read_elements(ModelGltf *g, uint32_t accessor, float **values) {
    *values = NULL;
    if (accessor == MODEL_GLTF_NONE) return true;
    const ModelGltfAccessor *a = &g->accessors[accessor];
    *values = model_gltf_temporary(g, a->count, a->components * sizeof(float));
    return *values != NULL && model_gltf_read_floats(g, accessor, *values, NULL);
}

static bool write_nodes(ModelGltf *g, uint32_t parent, const Instances *in, FiloModelNode *nodes,
                        ModelNames *names) {
    float *p = NULL, *r = NULL, *s = NULL;
    bool ok = read_elements(g, in->position, &p) && read_elements(g, in->rotation, &r) &&
              read_elements(g, in->scale, &s);
    FiloModelNode *of = &g->model->nodes[parent];
    for (uint32_t i = 0; ok && i < in->count; i++) {
        nodes[i] = *of;
        nodes[i].parent = parent;
        nodes[i].camera = nodes[i].light = FILO_MODEL_NONE;
        nodes[i].position = p != NULL ? filo_vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]) : filo_vec3(0, 0, 0);
        nodes[i].rotation =
            r != NULL ? filo_quat_normalise(filo_quat(r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]))
                      : filo_quat_identity();
        nodes[i].scale = s != NULL ? filo_vec3(s[3 * i], s[3 * i + 1], s[3 * i + 2]) : filo_vec3(1, 1, 1);
        nodes[i].name = model_unique_name(g->reader, names, of->name, strlen(of->name), "node");
        ok = nodes[i].name != NULL || model_gltf_failed(g, g->reader->result);
    }
    of->mesh = FILO_MODEL_NONE;
    of->skin = FILO_MODEL_NONE;
    model_gltf_release(g, s);
    model_gltf_release(g, r);
    model_gltf_release(g, p);
    return ok;
}

bool model_gltf_add_instances(ModelGltf *g, const uint32_t *order, uint32_t count, ModelNames *names) {
    uint32_t next = count;
    Instances in;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_instances(g, order[i], &in)) return false;
        if (in.count == MODEL_GLTF_NONE) continue;
        if (!write_nodes(g, i, &in, &g->model->nodes[next], names)) return false;
        next += in.count;
    }
    return true;
}
