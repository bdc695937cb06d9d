// Meshes: each is one FiloMeshData, and its primitives are the parts of it.
//
// First all primitives of a mesh are measured, then the arrays are allocated, then they are filled. An array that one
// primitive has and another lacks is filled with defaults there. Primitives that use the same accessors as the one before
// share its vertices. A primitive without normals gets flat ones, as glTF demands: its triangles then share no vertices.

#include "model/gltf/primitive.h"

#include <stdio.h>

// ---- Measuring ------------------------------------------------------------------------------------------

// Indices of the triangles of a list, strip or fan of `corners`.
static bool triangle_corners(ModelGltf *g, ModelGltfPrimitive *p) {
    if (p->mode == MODEL_GLTF_TRIANGLES) {
        if (p->corner_count % 3 != 0)
            return model_gltf_fail(g, "%u corners do not make triangles", (unsigned)p->corner_count);
        p->index_count = p->corner_count;
    } else {
        p->index_count = p->corner_count < 3 ? 0 : (uint64_t)(p->corner_count - 2) * 3;
    }
    return true;
}

// An attribute by its name, with as many elements as there are positions.
static bool read_attribute(ModelGltf *g, const ModelJson *attributes, const char *name, ModelGltfPrimitive *p,
                           uint32_t *accessor) {
    *accessor = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, attributes, name, "accessor", g->accessor_count, accessor)) return false;
    if (*accessor == MODEL_GLTF_NONE) return true;
    uint32_t count = g->accessors[*accessor].count;
    if (count == p->source_count) return true;
    return model_gltf_fail(g, "%s has %u elements, but POSITION has %u", name, (unsigned)count,
                           (unsigned)p->source_count);
}

static bool read_attributes(ModelGltf *g, const ModelJson *attributes, ModelGltfPrimitive *p) {
    char uv[32] = "TEXCOORD_0";
    if (p->material != FILO_MODEL_NONE && g->materials[p->material].uv_set < 1000)
        snprintf(uv, sizeof uv, "TEXCOORD_%u", (unsigned)g->materials[p->material].uv_set);
    p->position = MODEL_GLTF_NONE;
    if (!model_gltf_index(g, attributes, "POSITION", "accessor", g->accessor_count, &p->position))
        return false;
    if (p->position == MODEL_GLTF_NONE) return true;
    p->source_count = g->accessors[p->position].count;
    if (!read_attribute(g, attributes, "NORMAL", p, &p->normal) ||
        !read_attribute(g, attributes, "TANGENT", p, &p->tangent) ||
        !read_attribute(g, attributes, uv, p, &p->uv) ||
        !read_attribute(g, attributes, "COLOR_0", p, &p->color) ||
        !read_attribute(g, attributes, "JOINTS_0", p, &p->joints) ||
        !read_attribute(g, attributes, "WEIGHTS_0", p, &p->weights))
        return false;
    if (p->uv == MODEL_GLTF_NONE && !read_attribute(g, attributes, "TEXCOORD_0", p, &p->uv)) return false;
    if ((p->joints == MODEL_GLTF_NONE) != (p->weights == MODEL_GLTF_NONE))
        return model_gltf_fail(g, "JOINTS_0 and WEIGHTS_0 must both be there, or none of them");
    if (model_json_member(attributes, "JOINTS_1") != NULL)
        model_gltf_leave_out(g, "joints of a vertex beyond four");
    return true;
}

static bool same_vertices(const ModelGltfPrimitive *a, const ModelGltfPrimitive *b) {
    return a->position == b->position && a->normal == b->normal && a->tangent == b->tangent &&
           a->uv == b->uv && a->color == b->color && a->joints == b->joints && a->weights == b->weights &&
           a->normal != MODEL_GLTF_NONE;
}

// A primitive that is skipped has no indices.
static bool measure(ModelGltf *g, const ModelJson *json, ModelGltfPrimitive *p) {
    const ModelJson *attributes = NULL;
    uint64_t mode = MODEL_GLTF_TRIANGLES;
    *p = (ModelGltfPrimitive){ .indices = MODEL_GLTF_NONE, .material = FILO_MODEL_NONE };
    if (!model_gltf_uint(g, json, "mode", &mode) || !model_gltf_object(g, json, "attributes", &attributes) ||
        !model_gltf_index(g, json, "indices", "accessor", g->accessor_count, &p->indices) ||
        !model_gltf_index(g, json, "material", "material", g->model->material_count, &p->material) ||
        !read_attributes(g, attributes, p))
        return false;
    if (model_json_member(json, "targets") != NULL) model_gltf_leave_out(g, "morph targets");
    if (mode > MODEL_GLTF_FAN) return model_gltf_fail(g, "there is no mode %llu", (unsigned long long)mode);
    p->mode = (ModelGltfMode)mode;
    if (p->position == MODEL_GLTF_NONE) return true;
    if (mode < MODEL_GLTF_TRIANGLES) {
        model_gltf_leave_out(g, "points and lines");
        return true;
    }
    if (p->indices != MODEL_GLTF_NONE && !model_gltf_check_components(g, p->indices, 1, "its indices"))
        return false;
    p->corner_count = p->indices != MODEL_GLTF_NONE ? g->accessors[p->indices].count : p->source_count;
    return triangle_corners(g, p);
}

// ---- One mesh -------------------------------------------------------------------------------------------

// What all primitives of a mesh need together.
typedef struct Sum {
    uint64_t vertices, indices;
    uint32_t parts, arrays;
    bool all_tangents;
} Sum;

static void add(Sum *sum, ModelGltfPrimitive *p, const ModelGltfPrimitive *before) {
    p->shared = before != NULL && same_vertices(p, before);
    p->flat = p->normal == MODEL_GLTF_NONE;
    p->expanded = p->flat && (p->indices != MODEL_GLTF_NONE || p->mode != MODEL_GLTF_TRIANGLES);
    uint64_t vertices = p->expanded ? p->index_count : p->source_count;
    p->first_vertex = p->shared ? before->first_vertex : sum->vertices;
    p->first_index = sum->indices;
    if (!p->shared) sum->vertices += vertices;
    sum->indices += p->index_count;
    sum->parts++;
    sum->arrays |= FILO_MESH_NORMALS;
    if (p->uv != MODEL_GLTF_NONE) sum->arrays |= FILO_MESH_UVS;
    if (p->color != MODEL_GLTF_NONE) sum->arrays |= FILO_MESH_COLORS;
    if (p->joints != MODEL_GLTF_NONE) sum->arrays |= FILO_MESH_SKIN;
    if (p->tangent == MODEL_GLTF_NONE || p->flat) sum->all_tangents = false;
}

static bool measure_all(ModelGltf *g, const ModelJson *primitives, ModelGltfPrimitive *list, Sum *sum) {
    const ModelGltfPrimitive *before = NULL;
    uint32_t index = 0;
    *sum = (Sum){ .all_tangents = true };
    MODEL_JSON_EACH(primitives, json) {
        model_gltf_place_in(g, "primitive", index);
        ModelGltfPrimitive *p = &list[index++];
        if (json->kind != FILO_JSON_OBJECT_BEGIN) return model_gltf_fail_at(g, json, "must be an object");
        if (!measure(g, json, p)) return false;
        if (p->index_count == 0) continue;
        add(sum, p, before);
        before = p;
    }
    if (sum->parts > 0 && sum->all_tangents) sum->arrays |= FILO_MESH_TANGENTS;
    g->place.detail = NULL;
    if (sum->vertices >= UINT32_MAX || sum->indices >= UINT32_MAX)
        return model_gltf_failed(g,
                                 filo_error(FILO_ERROR_LIMIT, "%s: mesh %u has too many vertices or indices",
                                            g->reader->name, (unsigned)g->place.part_index));
    return true;
}

static bool create(ModelGltf *g, FiloMeshData *mesh, const Sum *sum) {
    FiloResult r = model_mesh_create_unset(g->reader, mesh,
                                           &(FiloMeshDesc){ .vertices = (uint32_t)sum->vertices,
                                                            .indices = (uint32_t)sum->indices,
                                                            .parts = sum->parts,
                                                            .arrays = sum->arrays });
    return r.code == FILO_OK || model_gltf_failed(g, r);
}

static bool read_mesh(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    const ModelJson *primitives = NULL;
    if (!model_gltf_name(g, json, names, "mesh", &g->model->meshes[index].name) ||
        !model_gltf_array(g, json, "primitives", &primitives))
        return false;
    uint32_t count = model_json_count(primitives), part = 0;
    ModelGltfPrimitive *list = model_gltf_temporary(g, count, sizeof *list);
    if (list == NULL) return false;
    FiloMeshData *mesh = &g->model->meshes[index].data;
    Sum sum;
    bool ok = measure_all(g, primitives, list, &sum) && create(g, mesh, &sum);
    for (uint32_t i = 0; ok && i < count; i++) {
        if (list[i].index_count == 0) continue;
        model_gltf_place_in(g, "primitive", i);
        ok = model_gltf_fill_primitive(g, mesh, &list[i], &g->mesh_joints[index]);
        mesh->parts[part++] = (FiloMeshPart){ .first = (uint32_t)list[i].first_index,
                                              .count = (uint32_t)list[i].index_count,
                                              .material = list[i].material };
    }
    model_gltf_release(g, list);
    return ok;
}

bool model_gltf_read_meshes(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "meshes", &list, &count)) return false;
    if (count == 0) return true;
    if (!model_gltf_check_parts(g, "meshes", count)) return false;
    g->mesh_joints = model_gltf_temporary(g, count, sizeof *g->mesh_joints);
    if (g->mesh_joints == NULL) return false;
    g->model->meshes = MODEL_NEW(g->reader, FiloModelMesh, count);
    if (g->model->meshes == NULL) return model_gltf_failed(g, g->reader->result);
    g->model->mesh_count = count; // from here on they are freed with the model
    return model_gltf_each(g, list, "mesh", read_mesh);
}
