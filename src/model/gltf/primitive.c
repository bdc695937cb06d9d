// Fills the arrays of a mesh from the accessors of a primitive.

#include "model/gltf/primitive.h"

#include "model/pose/float4.h"

#include <string.h>

// ---- Indices --------------------------------------------------------------------------------------------

// The triangles of `corners` (NULL: 0, 1, 2, …), as a list.
static void write_triangles(uint32_t *out, ModelGltfMode mode, const uint32_t *corners,
                            uint32_t corner_count) {
#define CORNER(i) (corners != NULL ? corners[i] : (i))
    if (mode == MODEL_GLTF_TRIANGLES) {
        for (uint32_t i = 0; i < corner_count; i++) out[i] = CORNER(i);
        return;
    }
    for (uint32_t i = 0; i + 2 < corner_count; i++, out += 3) {
        bool fan = mode == MODEL_GLTF_FAN;
        // Every second triangle of a strip is turned over, so that all have the same side in front.
        uint32_t a = fan ? i + 1 : i, b = fan ? i + 2 : i + 1 + i % 2, c = fan ? 0 : i + 2 - i % 2;
        out[0] = CORNER(a), out[1] = CORNER(b), out[2] = CORNER(c);
    }
#undef CORNER
}

static bool wrong_index(ModelGltf *g, const uint32_t *indices, uint32_t vertices) {
    uint32_t i = 0;
    while (indices[i] < vertices) i++;
    return model_gltf_fail(g, "index %u is %u, but there are %u vertices", (unsigned)i, (unsigned)indices[i],
                           (unsigned)vertices);
}

// The triangles as indices of the vertices in the file.
static bool read_triangles(ModelGltf *g, const ModelGltfPrimitive *p, uint32_t *out) {
    if (p->indices == MODEL_GLTF_NONE) {
        write_triangles(out, p->mode, NULL, p->corner_count);
        return true;
    }
    uint32_t largest = 0, *corners = out;
    if (p->mode != MODEL_GLTF_TRIANGLES) {
        corners = model_gltf_temporary(g, p->corner_count, sizeof *corners);
        if (corners == NULL) return false;
    }
    bool ok = model_gltf_read_uints(g, p->indices, corners, &largest);
    if (ok && largest >= p->source_count) ok = wrong_index(g, corners, p->source_count);
    if (corners == out) return ok;
    if (ok) write_triangles(out, p->mode, corners, p->corner_count);
    model_gltf_release(g, corners);
    return ok;
}

// ---- Directions -----------------------------------------------------------------------------------------

// Makes a direction one of length 1. A zero one is `other`.
static FiloVec3 unit(FiloVec3 v, FiloVec3 other) {
    float square = filo_vec3_dot(v, v);
    if (square > 0.999f && square < 1.001f) return v;
    FiloVec3 n = filo_vec3_normalise(v);
    return filo_vec3_dot(n, n) > 0.5f ? n : other;
}

// Nearly all files have directions of length 1. Four at a time are tested, and only what is not is changed.
static bool all_are_units(ModelFloat4 x, ModelFloat4 y, ModelFloat4 z) {
    ModelFloat4 square = (x * x + y * y) + z * z;
    return model_all_set4((ModelBits4)(square > model_all4(0.999f)) &
                          (ModelBits4)(square < model_all4(1.001f)));
}

static void normalise_normals(float *values, size_t count) {
    FiloVec3 *normals = (FiloVec3 *)(void *)values;
    size_t i = 0;
    while (i < count) {
        ModelFloat4 v[3];
        if (count - i >= 4) {
            model_load_vec3x4(&normals[i], v);
            if (all_are_units(v[0], v[1], v[2])) {
                i += 4;
                continue;
            }
        }
        normals[i] = unit(normals[i], filo_vec3(0.0f, 1.0f, 0.0f));
        i++;
    }
}

static void normalise_tangents(float *values, size_t count) {
    FiloVec4 *tangents = (FiloVec4 *)(void *)values;
    size_t i = 0;
    while (i < count) {
        if (count - i >= 4) {
            ModelFloat4 v[4], one = model_all4(1.0f);
            for (size_t k = 0; k < 4; k++) v[k] = model_load4(&tangents[i + k]);
            model_transpose4(v);
            ModelBits4 signs = (ModelBits4)(v[3] == one) | (ModelBits4)(v[3] == -one);
            if (all_are_units(v[0], v[1], v[2]) && model_all_set4(signs)) {
                i += 4;
                continue;
            }
        }
        FiloVec3 direction = unit(filo_vec4_xyz(tangents[i]), filo_vec3(1.0f, 0.0f, 0.0f));
        tangents[i] = filo_vec4_from_vec3(direction, tangents[i].w < 0.0f ? -1.0f : 1.0f);
        i++;
    }
}

static void flat_normals(FiloVec3 *normals, const FiloVec3 *positions, size_t count) {
    for (size_t i = 0; i + 2 < count; i += 3) {
        FiloVec3 a = filo_vec3_sub(positions[i + 1], positions[i]);
        FiloVec3 b = filo_vec3_sub(positions[i + 2], positions[i]);
        FiloVec3 normal = unit(filo_vec3_cross(a, b), filo_vec3(0.0f, 1.0f, 0.0f));
        normals[i] = normals[i + 1] = normals[i + 2] = normal;
    }
}

// ---- Arrays ---------------------------------------------------------------------------------------------

static bool read_vectors(ModelGltf *g, uint32_t accessor, uint32_t components, const char *what, float *out,
                         void (*settle)(float *values, size_t count)) {
    return model_gltf_check_components(g, accessor, components, what) &&
           model_gltf_read_floats(g, accessor, out, settle);
}

// What a primitive lacks and another one of the mesh has: colours are white, and vertices without joints follow the first.
static void fill_defaults(FiloMeshData *mesh, const ModelGltfPrimitive *p, size_t first, size_t count) {
    if (mesh->uvs != NULL && p->uv == MODEL_GLTF_NONE)
        memset(&mesh->uvs[first], 0, count * sizeof *mesh->uvs);
    if (mesh->colors != NULL && p->color == MODEL_GLTF_NONE)
        memset(&mesh->colors[first], 0xFF, count * sizeof *mesh->colors);
    if (mesh->joints == NULL || p->joints != MODEL_GLTF_NONE) return;
    memset(&mesh->joints[first], 0, count * sizeof *mesh->joints);
    for (size_t i = first; i < first + count; i++) mesh->weights[i] = filo_vec4(1.0f, 0.0f, 0.0f, 0.0f);
}

// The arrays of the file, from `first` on.
static bool fill_vertices(ModelGltf *g, FiloMeshData *mesh, const ModelGltfPrimitive *p, size_t first,
                          uint32_t *joint_count) {
    if (!read_vectors(g, p->position, 3, "POSITION", &mesh->positions[first].x, NULL)) return false;
    if (p->normal != MODEL_GLTF_NONE &&
        !read_vectors(g, p->normal, 3, "NORMAL", &mesh->normals[first].x, normalise_normals))
        return false;
    if (mesh->tangents != NULL && p->tangent != MODEL_GLTF_NONE &&
        !read_vectors(g, p->tangent, 4, "TANGENT", &mesh->tangents[first].x, normalise_tangents))
        return false;
    if (p->uv != MODEL_GLTF_NONE && !read_vectors(g, p->uv, 2, "TEXCOORD", &mesh->uvs[first].x, NULL))
        return false;
    if (p->color != MODEL_GLTF_NONE && !model_gltf_fill_colors(g, &mesh->colors[first], p->color))
        return false;
    if (p->joints != MODEL_GLTF_NONE &&
        !model_gltf_fill_skin(g, &mesh->joints[first], &mesh->weights[first], p, joint_count))
        return false;
    fill_defaults(mesh, p, first, p->source_count);
    return true;
}

// ---- Expanding ------------------------------------------------------------------------------------------

static void gather(void *to, const void *from, const uint32_t *indices, size_t count, size_t size) {
    if (to == NULL || from == NULL) return;
    for (size_t i = 0; i < count; i++)
        memcpy((uint8_t *)to + i * size, (const uint8_t *)from + indices[i] * size, size);
}

// Each corner of each triangle becomes a vertex. `indices` has the corners, and becomes 0, 1, 2, …
static bool fill_expanded(ModelGltf *g, FiloMeshData *mesh, const ModelGltfPrimitive *p, uint32_t *indices,
                          uint32_t *joint_count) {
    FiloMeshData source;
    size_t first = (size_t)p->first_vertex, count = (size_t)p->index_count;
    uint32_t arrays = (mesh->uvs != NULL ? FILO_MESH_UVS : 0) |
                      (mesh->colors != NULL ? FILO_MESH_COLORS : 0) |
                      (mesh->joints != NULL ? FILO_MESH_SKIN : 0);
    FiloResult r = model_mesh_create(g->reader, &source,
                                     &(FiloMeshDesc){ .vertices = p->source_count, .arrays = arrays });
    if (r.code != FILO_OK) return model_gltf_failed(g, r);
    bool ok = fill_vertices(g, &source, p, 0, joint_count);
    if (ok) {
        gather(&mesh->positions[first], source.positions, indices, count, sizeof *source.positions);
        if (mesh->uvs != NULL) gather(&mesh->uvs[first], source.uvs, indices, count, sizeof *source.uvs);
        if (mesh->colors != NULL)
            gather(&mesh->colors[first], source.colors, indices, count, sizeof *source.colors);
        if (mesh->joints != NULL) {
            gather(&mesh->joints[first], source.joints, indices, count, sizeof *source.joints);
            gather(&mesh->weights[first], source.weights, indices, count, sizeof *source.weights);
        }
        for (size_t i = 0; i < count; i++) indices[i] = (uint32_t)i;
    }
    g->reader->memory -= source.memory_size;
    filo_mesh_free(&source, g->reader->allocator);
    return ok;
}

bool model_gltf_fill_primitive(ModelGltf *g, FiloMeshData *mesh, const ModelGltfPrimitive *p,
                               uint32_t *joint_count) {
    uint32_t *indices = &mesh->indices[p->first_index], first = (uint32_t)p->first_vertex;
    if (!read_triangles(g, p, indices)) return false;
    bool ok = true;
    if (p->expanded)
        ok = fill_expanded(g, mesh, p, indices, joint_count);
    else if (!p->shared)
        ok = fill_vertices(g, mesh, p, first, joint_count);
    if (!ok) return false;
    if (p->flat) flat_normals(&mesh->normals[first], &mesh->positions[first], (size_t)p->index_count);
    if (first > 0)
        for (uint64_t i = 0; i < p->index_count; i++) indices[i] += first;
    return true;
}
