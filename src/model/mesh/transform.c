// Transforming and merging meshes.

#include "model/mesh/mesh.h"

#include "model/model.h"

#include <filo/check.h>

#include <string.h>

// ---- Transforming ---------------------------------------------------------------------------------------

static FiloVec3 column(const FiloMat4 *matrix, size_t i) {
    const float *m = matrix->m + 4 * i;
    return filo_vec3(m[0], m[1], m[2]);
}

// The matrix that normals are multiplied by: the transposed inverse, except for its length. Columns of it.
typedef struct NormalMatrix {
    FiloVec3 x, y, z;
    bool mirrors;
} NormalMatrix;

static NormalMatrix normal_matrix(const FiloMat4 *matrix) {
    FiloVec3 x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
    NormalMatrix n = { filo_vec3_cross(y, z), filo_vec3_cross(z, x), filo_vec3_cross(x, y), false };
    // The products of columns are the transposed inverse times the determinant, whose sign is removed.
    if (filo_vec3_dot(x, n.x) < 0.0f) {
        n.x = filo_vec3_negate(n.x);
        n.y = filo_vec3_negate(n.y);
        n.z = filo_vec3_negate(n.z);
        n.mirrors = true;
    }
    return n;
}

static FiloVec3 transform_normal(const NormalMatrix *n, FiloVec3 v) {
    FiloVec3 sum = filo_vec3_scale(n->x, v.x);
    sum = filo_vec3_add_scaled(sum, n->y, v.y);
    FiloVec3 normal = filo_vec3_normalise(filo_vec3_add_scaled(sum, n->z, v.z));
    return filo_vec3_dot(normal, normal) > 0.0f ? normal : v; // a flat matrix
}

#define SWAP(Type, array, a, b)                                                                              \
    do {                                                                                                     \
        if ((array) != NULL) {                                                                               \
            Type swapped = (array)[a];                                                                       \
            (array)[a] = (array)[b];                                                                         \
            (array)[b] = swapped;                                                                            \
        }                                                                                                    \
    } while (0)

static void reverse_triangles(FiloMeshData *mesh) {
    uint32_t corners = model_mesh_corner_count(mesh);
    for (uint32_t i = 0; i < corners; i += 3) {
        if (mesh->indices != NULL) {
            SWAP(uint32_t, mesh->indices, i + 1, i + 2);
            continue;
        }
        SWAP(FiloVec3, mesh->positions, i + 1, i + 2);
        SWAP(FiloVec3, mesh->normals, i + 1, i + 2);
        SWAP(FiloVec4, mesh->tangents, i + 1, i + 2);
        SWAP(FiloVec2, mesh->uvs, i + 1, i + 2);
        SWAP(FiloColor, mesh->colors, i + 1, i + 2);
        SWAP(FiloVertexJoints, mesh->joints, i + 1, i + 2);
        SWAP(FiloVec4, mesh->weights, i + 1, i + 2);
    }
}

// The factor by which distances grow at most: the norm of the matrix, or a little more if it shears. The square root of
// the largest row sum of M-transposed × M.
static float largest_scale(const FiloMat4 *matrix) {
    FiloVec3 c[3] = { column(matrix, 0), column(matrix, 1), column(matrix, 2) };
    float largest = 0.0f;
    for (int i = 0; i < 3; i++) {
        float sum = 0.0f;
        for (int k = 0; k < 3; k++) sum += filo_abs(filo_vec3_dot(c[i], c[k]));
        largest = filo_max(sum, largest);
    }
    return filo_sqrt(largest);
}

// Without bounds.
static void transform(FiloMeshData *mesh, const FiloMat4 *matrix) {
    NormalMatrix n = normal_matrix(matrix);
    uint32_t count = mesh->positions != NULL ? mesh->vertex_count : 0;
    for (uint32_t i = 0; i < count; i++) mesh->positions[i] = filo_mat4_point(*matrix, mesh->positions[i]);
    if (mesh->normals != NULL)
        for (uint32_t i = 0; i < count; i++) mesh->normals[i] = transform_normal(&n, mesh->normals[i]);
    if (mesh->tangents != NULL)
        for (uint32_t i = 0; i < count; i++) {
            FiloVec3 old = filo_vec4_xyz(mesh->tangents[i]);
            FiloVec3 tangent = filo_vec3_normalise(filo_mat4_direction(*matrix, old));
            if (filo_vec3_dot(tangent, tangent) == 0.0f) tangent = old;
            float w = mesh->tangents[i].w;
            mesh->tangents[i] = filo_vec4_from_vec3(tangent, n.mirrors ? -w : w);
        }
    if (n.mirrors) reverse_triangles(mesh);
    float scale = largest_scale(matrix);
    for (int i = 0; i < FILO_MESH_LEVELS; i++) mesh->level_error[i] *= scale;
}

void filo_mesh_transform(FiloMeshData *mesh, const FiloMat4 *matrix) {
    if (!FILO_CHECK(mesh != NULL && matrix != NULL, "pass a mesh, and the matrix to transform it by")) return;
    transform(mesh, matrix);
    filo_mesh_update_bounds(mesh);
}

// ---- Merging --------------------------------------------------------------------------------------------

// A view of the vertices from `first_vertex` and of the corners from `first_index` on, as a mesh without parts.
static FiloMeshData view_of(const FiloMeshData *mesh, uint32_t first_vertex, uint32_t vertices,
                            uint32_t first_index, uint32_t indices) {
    FiloMeshData view = { .vertex_count = vertices, .index_count = indices };
    view.positions = mesh->positions + first_vertex;
    if (mesh->normals != NULL) view.normals = mesh->normals + first_vertex;
    if (mesh->tangents != NULL) view.tangents = mesh->tangents + first_vertex;
    if (mesh->uvs != NULL) view.uvs = mesh->uvs + first_vertex;
    if (mesh->colors != NULL) view.colors = mesh->colors + first_vertex;
    if (mesh->joints != NULL) view.joints = mesh->joints + first_vertex;
    if (mesh->weights != NULL) view.weights = mesh->weights + first_vertex;
    if (mesh->indices != NULL) view.indices = mesh->indices + first_index;
    return view;
}

// Fills the arrays that `from` lacks. The view has its positions and indices already.
static void fill_defaults(FiloMeshData *view, const FiloMeshData *from) {
    if (view->normals != NULL && from->normals == NULL) filo_mesh_update_normals(view);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        if (view->colors != NULL && from->colors == NULL) view->colors[i] = FILO_COLOR_WHITE;
        if (view->weights != NULL && from->weights == NULL) view->weights[i] = filo_vec4(1, 0, 0, 0);
        if (view->tangents != NULL && from->tangents == NULL)
            view->tangents[i] = filo_vec4_from_vec3(
                view->normals != NULL ? filo_vec3_perpendicular(view->normals[i]) : filo_vec3(1, 0, 0), 1.0f);
    }
}

// Appends one mesh; the counts of `to` are those that are filled so far.
static void append(FiloMeshData *to, const FiloMeshData *from, const FiloMat4 *matrix) {
    uint32_t corners = 0, ranges = model_mesh_range_count(from), first = to->index_count;
    for (uint32_t r = 0; r < ranges; r++) {
        FiloMeshPart range = model_mesh_range(from, r);
        to->parts[to->part_count++] = (FiloMeshPart){ first + corners, range.count, range.material };
        uint32_t *indices = to->indices + first + corners;
        for (uint32_t i = 0; i < range.count; i++)
            indices[i] = from->indices != NULL ? from->indices[range.first + i] : range.first + i;
        corners += range.count;
    }
    FiloMeshData view = view_of(to, to->vertex_count, from->vertex_count, first, corners);
    FiloMeshData arrays = *from;
    arrays.indices = NULL;
    arrays.parts = NULL;
    model_mesh_copy_arrays(&view, &arrays);
    fill_defaults(&view, from);
    if (matrix != NULL) transform(&view, matrix);
    for (uint32_t i = 0; i < corners; i++) to->indices[first + i] += to->vertex_count;
    to->index_count += corners;
    to->vertex_count += from->vertex_count;
}

// Adds what a mesh contributes to the description of the merged one. False if it has too much.
static bool count_mesh(FiloMeshDesc *desc, const FiloMeshData *from) {
    uint64_t corners = 0;
    for (uint32_t r = 0; r < model_mesh_range_count(from); r++) corners += model_mesh_range(from, r).count;
    if ((uint64_t)desc->vertices + from->vertex_count > MODEL_MESH_LIMIT) return false;
    if (desc->indices + corners > MODEL_MESH_LIMIT) return false;
    desc->vertices += from->vertex_count;
    desc->indices += (uint32_t)corners;
    desc->parts += model_mesh_range_count(from);
    desc->arrays |= model_mesh_arrays(from);
    return true;
}

FiloResult filo_mesh_merge(FiloMeshData *mesh, const FiloMeshData *const *meshes, const FiloMat4 *matrices,
                           size_t count, const FiloAllocator *allocator) {
    if (mesh == NULL) return FILO_MISTAKE("pass a mesh for the result, and the meshes to merge");
    *mesh = (FiloMeshData){ 0 };
    if (meshes == NULL && count > 0)
        return FILO_MISTAKE("pass a mesh for the result, and the meshes to merge");
    FiloMeshDesc desc = { 0 };
    for (size_t i = 0; i < count; i++) {
        const FiloMeshData *from = meshes[i];
        if (from == NULL || (from->vertex_count > 0 && from->positions == NULL))
            return FILO_MISTAKE("mesh %zu of those to merge is NULL or has no positions", i);
        if (!count_mesh(&desc, from))
            return filo_error(FILO_ERROR_LIMIT, "%zu meshes together have more than %u vertices or indices",
                              count, MODEL_MESH_LIMIT);
    }
    if (desc.indices == 0) return filo_ok(); // vertices without indices would be triangles
    FiloResult r = filo_mesh_create(mesh, &desc, allocator);
    if (r.code != FILO_OK) return r;
    mesh->vertex_count = mesh->index_count = mesh->part_count = 0;
    for (size_t i = 0; i < count; i++)
        if (meshes[i]->vertex_count > 0) append(mesh, meshes[i], matrices != NULL ? &matrices[i] : NULL);
    filo_mesh_update_bounds(mesh);
    return filo_ok();
}
