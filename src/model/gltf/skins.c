// Skins: which nodes move vertices, and the inverses of the matrices that these had when they were bound.

#include "model/gltf/gltf.h"

static bool read_inverse_bind(ModelGltf *g, const ModelJson *json, uint32_t joint_count, FiloMat34 *out) {
    uint32_t accessor = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, json, "inverseBindMatrices", "accessor", g->accessor_count, &accessor))
        return false;
    if (accessor == MODEL_GLTF_NONE) {
        for (uint32_t i = 0; i < joint_count; i++) out[i] = filo_mat34_from_mat4(filo_mat4_identity());
        return true;
    }
    const ModelGltfAccessor *a = &g->accessors[accessor];
    if (!model_gltf_check_components(g, accessor, 16, "\"inverseBindMatrices\"")) return false;
    if (a->count < joint_count)
        return model_gltf_fail(g, "there are %u joints, but only %u inverse bind matrices",
                               (unsigned)joint_count, (unsigned)a->count);
    FiloMat4 *matrices = model_gltf_temporary(g, a->count, sizeof *matrices);
    if (matrices == NULL) return false;
    bool ok = model_gltf_read_floats(g, accessor, matrices[0].m, NULL);
    for (uint32_t i = 0; ok && i < joint_count; i++) out[i] = filo_mat34_from_mat4(matrices[i]);
    model_gltf_release(g, matrices);
    return ok;
}

static bool read_skin(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    FiloSkin *skin = &g->model->skins[index];
    const ModelJson *joints = NULL;
    uint32_t i = 0, root = MODEL_GLTF_NONE;
    if (!model_gltf_name(g, json, names, "skin", &skin->name) ||
        !model_gltf_array(g, json, "joints", &joints) ||
        !model_gltf_index(g, json, "skeleton", "node", g->node_count, &root))
        return false;
    uint32_t count = model_json_count(joints);
    if (count == 0) return model_gltf_fail(g, "has no joints");
    if (count > UINT16_MAX)
        return model_gltf_fail(g, "has %u joints: %u are possible", (unsigned)count, (unsigned)UINT16_MAX);
    uint32_t *nodes = MODEL_NEW(g->reader, uint32_t, count);
    FiloMat34 *inverse_bind = nodes != NULL ? MODEL_NEW(g->reader, FiloMat34, count) : NULL;
    if (inverse_bind == NULL) return model_gltf_failed(g, g->reader->result);
    MODEL_JSON_EACH(joints, number) {
        uint32_t node;
        if (!model_gltf_index_of(g, number, "node", g->node_count, &node)) return false;
        nodes[i] = g->nodes[node].index;
        g->model->nodes[nodes[i++]].joint = true;
    }
    skin->joints = nodes;
    skin->joint_count = count;
    skin->inverse_bind = inverse_bind;
    skin->root = root != MODEL_GLTF_NONE ? g->nodes[root].index : UINT32_MAX;
    return read_inverse_bind(g, json, count, inverse_bind);
}

// Whether every mesh with a skin finds its joints there.
static bool check_nodes(ModelGltf *g) {
    for (uint32_t i = 0; i < g->node_count; i++) {
        if (g->nodes[i].index == MODEL_GLTF_NONE) continue;
        const FiloModelNode *node = &g->model->nodes[g->nodes[i].index];
        if (node->mesh == FILO_MODEL_NONE || node->skin == FILO_MODEL_NONE) continue;
        uint32_t needed = g->mesh_joints[node->mesh], count = g->model->skins[node->skin].joint_count;
        model_gltf_place(g, "node", i);
        if (needed > count)
            return model_gltf_fail(g, "mesh %u uses joint %u, but skin %u has %u joints",
                                   (unsigned)node->mesh, (unsigned)needed - 1, (unsigned)node->skin,
                                   (unsigned)count);
    }
    return true;
}

bool model_gltf_read_skins(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "skins", &list, &count)) return false;
    if (count == 0) return true;
    g->model->skins = MODEL_NEW(g->reader, FiloSkin, count);
    if (g->model->skins == NULL) return model_gltf_failed(g, g->reader->result);
    g->model->skin_count = count;
    return model_gltf_each(g, list, "skin", read_skin) && check_nodes(g);
}
