// Optimising meshes by meshoptimizer: equal vertices are welded, triangles and vertices reordered, levels of detail added.
//
// Levels are simplified from the full mesh, all parts together, so that the borders between parts can be simplified too.
// A vertex that several parts use is divided into one for each of them first. meshoptimizer sees a seam there, of which it
// moves both sides together, as it does at seams of normals and texture coordinates: no crack opens. Every vertex then
// belongs to one part, which tells the part of each triangle that is left.

#include "model/mesh/mesh.h"
#include "model/mesh/meshopt.h"
#include "model/model.h"

#include <filo/check.h>

#include <meshoptimizer.h>
#include <string.h>

#define OVERDRAW_THRESHOLD 1.05f // the vertex cache may get this much worse
#define LEAST_GAIN         0.9f  // a level with more triangles than this part of the level before is left out

typedef struct Work {
    const FiloMeshData *mesh;
    const FiloMeshOptimise *options;
    const FiloAllocator *allocator;
    ModelPool pool;
    uint32_t vertex_count; // after welding
    uint32_t part_count;   // at least 1
    uint32_t corner_count; // of the full mesh
    uint32_t *remap;       // vertex of the mesh → vertex; UINT32_MAX: not used
    FiloVec3 *positions;   // of the vertices after welding
    FiloMeshPart *parts;   // FILO_MESH_LEVELS × part_count
    uint32_t level_count;
    float level_error[FILO_MESH_LEVELS];
    // Indices of all levels, one after the other.
    uint32_t *indices;
    size_t index_count, index_capacity;
    // For simplifying: vertices divided by parts.
    uint32_t split_count;
    uint32_t *split;          // of each corner of the full mesh
    uint32_t *split_vertex;   // the vertex of each
    uint32_t *split_part;     // and its part
    uint32_t *split_of;       // of each vertex, in the part that is divided
    uint32_t *split_of_part;  // that part
    FiloVec3 *split_position; // of each
} Work;

static void *array(Work *work, size_t count, size_t size) {
    return filo_alloc(work->allocator, FILO_MAX(count, (size_t)1) * size, 0);
}

static void free_array(Work *work, void *memory, size_t count, size_t size) {
    filo_free(work->allocator, memory, FILO_MAX(count, (size_t)1) * size, 0);
}

static bool open_work(Work *work) {
    const FiloMeshData *mesh = work->mesh;
    work->part_count = model_mesh_range_count(mesh);
    for (uint32_t p = 0; p < work->part_count; p++) work->corner_count += model_mesh_range(mesh, p).count;
    size_t corners = work->corner_count;
    work->index_capacity = corners;
    work->remap = array(work, mesh->vertex_count, sizeof(uint32_t));
    work->positions = array(work, mesh->vertex_count, sizeof(FiloVec3));
    work->parts = array(work, (size_t)work->part_count * FILO_MESH_LEVELS, sizeof(FiloMeshPart));
    work->indices = array(work, work->index_capacity, sizeof(uint32_t));
    if (work->remap == NULL || work->positions == NULL || work->parts == NULL || work->indices == NULL)
        return false;
    if (work->options->levels > 1) {
        work->split = array(work, corners, sizeof(uint32_t));
        work->split_vertex = array(work, corners, sizeof(uint32_t));
        work->split_part = array(work, corners, sizeof(uint32_t));
        work->split_of = array(work, mesh->vertex_count, sizeof(uint32_t));
        work->split_of_part = array(work, mesh->vertex_count, sizeof(uint32_t));
        work->split_position = array(work, corners, sizeof(FiloVec3));
        if (work->split == NULL || work->split_vertex == NULL || work->split_part == NULL ||
            work->split_of == NULL || work->split_of_part == NULL || work->split_position == NULL)
            return false;
    }
    return model_pool_open(&work->pool, FILO_MAX((size_t)mesh->vertex_count, corners), corners,
                           work->allocator);
}

static void close_work(Work *work) {
    size_t vertices = work->mesh->vertex_count, corners = work->corner_count;
    model_pool_close(&work->pool);
    free_array(work, work->remap, vertices, sizeof(uint32_t));
    free_array(work, work->positions, vertices, sizeof(FiloVec3));
    free_array(work, work->parts, (size_t)work->part_count * FILO_MESH_LEVELS, sizeof(FiloMeshPart));
    free_array(work, work->indices, work->index_capacity, sizeof(uint32_t));
    free_array(work, work->split, corners, sizeof(uint32_t));
    free_array(work, work->split_vertex, corners, sizeof(uint32_t));
    free_array(work, work->split_part, corners, sizeof(uint32_t));
    free_array(work, work->split_of, vertices, sizeof(uint32_t));
    free_array(work, work->split_of_part, vertices, sizeof(uint32_t));
    free_array(work, work->split_position, corners, sizeof(FiloVec3));
}

// ---- Welding --------------------------------------------------------------------------------------------

// The indices of the full mesh, part after part.
static void collect_indices(Work *work) {
    const FiloMeshData *mesh = work->mesh;
    for (uint32_t p = 0; p < work->part_count; p++) {
        FiloMeshPart range = model_mesh_range(mesh, p);
        work->parts[p] = (FiloMeshPart){ (uint32_t)work->index_count, range.count, range.material };
        for (uint32_t i = 0; i < range.count; i++)
            work->indices[work->index_count++] =
                mesh->indices != NULL ? mesh->indices[range.first + i] : range.first + i;
    }
    work->level_count = 1;
}

static size_t streams_of(const FiloMeshData *mesh, struct meshopt_Stream streams[7]) {
    size_t count = 0;
    streams[count++] = (struct meshopt_Stream){ mesh->positions, sizeof(FiloVec3), sizeof(FiloVec3) };
    if (mesh->normals != NULL)
        streams[count++] = (struct meshopt_Stream){ mesh->normals, sizeof(FiloVec3), sizeof(FiloVec3) };
    if (mesh->tangents != NULL)
        streams[count++] = (struct meshopt_Stream){ mesh->tangents, sizeof(FiloVec4), sizeof(FiloVec4) };
    if (mesh->uvs != NULL)
        streams[count++] = (struct meshopt_Stream){ mesh->uvs, sizeof(FiloVec2), sizeof(FiloVec2) };
    if (mesh->colors != NULL)
        streams[count++] = (struct meshopt_Stream){ mesh->colors, sizeof(FiloColor), sizeof(FiloColor) };
    if (mesh->joints != NULL)
        streams[count++] =
            (struct meshopt_Stream){ mesh->joints, sizeof(FiloVertexJoints), sizeof(FiloVertexJoints) };
    if (mesh->weights != NULL)
        streams[count++] = (struct meshopt_Stream){ mesh->weights, sizeof(FiloVec4), sizeof(FiloVec4) };
    return count;
}

// Removes triangles of which two corners are the same vertex.
static void remove_degenerate(Work *work) {
    uint32_t end = 0;
    for (uint32_t p = 0; p < work->part_count; p++) {
        FiloMeshPart part = work->parts[p];
        work->parts[p].first = end;
        for (uint32_t i = part.first; i < part.first + part.count; i += 3) {
            uint32_t a = work->indices[i], b = work->indices[i + 1], c = work->indices[i + 2];
            if (a == b || b == c || c == a) continue;
            work->indices[end] = a;
            work->indices[end + 1] = b;
            work->indices[end + 2] = c;
            end += 3;
        }
        work->parts[p].count = end - work->parts[p].first;
    }
    work->index_count = end;
}

static void weld(Work *work) {
    const FiloMeshData *mesh = work->mesh;
    if (work->options->weld && work->index_count > 0) {
        struct meshopt_Stream streams[7];
        size_t count = streams_of(mesh, streams);
        work->vertex_count = (uint32_t)meshopt_generateVertexRemapMulti(
            work->remap, work->indices, work->index_count, mesh->vertex_count, streams, count);
        meshopt_remapIndexBuffer(work->indices, work->indices, work->index_count, work->remap);
        meshopt_remapVertexBuffer(work->positions, mesh->positions, mesh->vertex_count, sizeof(FiloVec3),
                                  work->remap);
        remove_degenerate(work);
        return;
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) work->remap[i] = i;
    work->vertex_count = mesh->vertex_count;
    if (mesh->vertex_count > 0)
        memcpy(work->positions, mesh->positions, mesh->vertex_count * sizeof(FiloVec3));
}

// ---- Levels of detail -----------------------------------------------------------------------------------

// Divides the vertices of the full mesh by parts.
static void divide_vertices(Work *work) {
    memset(work->split_of_part, 0xFF, work->vertex_count * sizeof(uint32_t));
    for (uint32_t p = 0; p < work->part_count; p++) {
        FiloMeshPart part = work->parts[p];
        for (uint32_t i = part.first; i < part.first + part.count; i++) {
            uint32_t vertex = work->indices[i];
            if (work->split_of_part[vertex] != p) {
                uint32_t split = work->split_count++;
                work->split_of_part[vertex] = p;
                work->split_of[vertex] = split;
                work->split_vertex[split] = vertex;
                work->split_part[split] = p;
                work->split_position[split] = work->positions[vertex];
            }
            work->split[i] = work->split_of[vertex];
        }
    }
}

static bool reserve_indices(Work *work, size_t more) {
    size_t needed = work->index_count + more;
    if (needed <= work->index_capacity) return true;
    uint32_t *larger = filo_resize(work->allocator, work->indices,
                                   FILO_MAX(work->index_capacity, (size_t)1) * sizeof(uint32_t),
                                   needed * sizeof(uint32_t), 0);
    if (larger == NULL) return false;
    work->indices = larger;
    work->index_capacity = needed;
    return true;
}

// Sorts the triangles of a new level into its parts: from `simplified` to the end of the indices.
static void distribute(Work *work, const uint32_t *simplified, size_t count) {
    FiloMeshPart *parts = work->parts + (size_t)work->level_count * work->part_count;
    for (uint32_t p = 0; p < work->part_count; p++)
        parts[p] = (FiloMeshPart){ .material = work->parts[p].material };
    for (size_t i = 0; i < count; i += 3) parts[work->split_part[simplified[i]]].count += 3;
    uint32_t end = (uint32_t)work->index_count;
    for (uint32_t p = 0; p < work->part_count; p++) {
        parts[p].first = end;
        end += parts[p].count;
        parts[p].count = 0;
    }
    for (size_t i = 0; i < count; i += 3) {
        FiloMeshPart *part = &parts[work->split_part[simplified[i]]];
        for (size_t k = 0; k < 3; k++)
            work->indices[part->first + part->count++] = work->split_vertex[simplified[i + k]];
    }
    work->index_count = end;
}

// A triangle between two parts cannot be drawn with one material. It does not occur as long as both sides of seams are
// moved together.
static bool parts_are_apart(const Work *work, const uint32_t *simplified, size_t count) {
    const uint32_t *part = work->split_part;
    for (size_t i = 0; i < count; i += 3)
        if (part[simplified[i]] != part[simplified[i + 1]] || part[simplified[i]] != part[simplified[i + 2]])
            return false;
    return true;
}

static size_t simplify(Work *work, uint32_t *out, size_t corners, size_t target, float max_error,
                       float *error) {
    const float *positions = &work->split_position[0].x;
    size_t count = meshopt_simplify(out, work->split, corners, positions, work->split_count, sizeof(FiloVec3),
                                    target, max_error, 0, error);
    if (parts_are_apart(work, out, count)) return count;
    return meshopt_simplify(out, work->split, corners, positions, work->split_count, sizeof(FiloVec3), target,
                            max_error, meshopt_SimplifyLockBorder, error);
}

// False without memory.
static bool add_levels(Work *work) {
    const FiloMeshOptimise *options = work->options;
    uint32_t wanted = FILO_MIN(options->levels, (uint32_t)FILO_MESH_LEVELS);
    if (wanted < 2 || work->index_count == 0) return true;
    float ratio = options->level_ratio > 0.0f ? options->level_ratio : 0.5f;
    float max_error = options->max_error > 0.0f ? options->max_error : 0.05f;
    size_t corners = work->index_count, previous = corners;
    divide_vertices(work);
    float scale = meshopt_simplifyScale(&work->split_position[0].x, work->split_count, sizeof(FiloVec3));
    uint32_t *simplified = array(work, corners, sizeof(uint32_t));
    if (simplified == NULL) return false;
    bool has_memory = true;
    while (work->level_count < wanted) {
        float error = 0.0f;
        size_t triangles = previous / 3, target = (size_t)((float)triangles * ratio) * 3;
        size_t count = simplify(work, simplified, corners, FILO_MAX(target, (size_t)3), max_error, &error);
        if (count == 0 || (float)count > (float)previous * LEAST_GAIN ||
            !parts_are_apart(work, simplified, count))
            break;
        has_memory = reserve_indices(work, count);
        if (!has_memory) break;
        distribute(work, simplified, count);
        // An error below that of the level before would be one of measuring.
        float before = work->level_error[work->level_count - 1];
        work->level_error[work->level_count++] = filo_max(error * scale, before);
        previous = count;
    }
    free_array(work, simplified, corners, sizeof(uint32_t));
    return has_memory;
}

// ---- Order ----------------------------------------------------------------------------------------------

static void reorder_triangles(Work *work) {
    for (size_t p = 0; p < (size_t)work->level_count * work->part_count; p++) {
        uint32_t *indices = work->indices + work->parts[p].first;
        size_t count = work->parts[p].count;
        if (count == 0) continue;
        meshopt_optimizeVertexCache(indices, indices, count, work->vertex_count);
        meshopt_optimizeOverdraw(indices, indices, count, &work->positions[0].x, work->vertex_count,
                                 sizeof(FiloVec3), OVERDRAW_THRESHOLD);
    }
}

// Vertices in the order of their first use. Those that no triangle uses are removed.
static bool reorder_vertices(Work *work) {
    uint32_t *fetch = array(work, work->vertex_count, sizeof(uint32_t));
    if (fetch == NULL) return false;
    uint32_t count = work->vertex_count;
    work->vertex_count =
        (uint32_t)meshopt_optimizeVertexFetchRemap(fetch, work->indices, work->index_count, count);
    meshopt_remapIndexBuffer(work->indices, work->indices, work->index_count, fetch);
    for (uint32_t i = 0; i < work->mesh->vertex_count; i++)
        if (work->remap[i] != UINT32_MAX) work->remap[i] = fetch[work->remap[i]];
    free_array(work, fetch, count, sizeof(uint32_t));
    return true;
}

// ---- The result -----------------------------------------------------------------------------------------

#define REMAP(to, from)                                                                                      \
    do {                                                                                                     \
        if ((from) != NULL)                                                                                  \
            for (uint32_t i = 0; i < mesh->vertex_count; i++)                                                \
                if (work->remap[i] != UINT32_MAX) (to)[work->remap[i]] = (from)[i];                          \
    } while (0)

static FiloResult build(Work *work, FiloMeshData *out) {
    const FiloMeshData *mesh = work->mesh;
    bool has_parts = mesh->part_count > 0 || work->level_count > 1;
    // Vertices without indices would be triangles.
    if (work->index_count == 0) {
        work->vertex_count = 0;
        memset(work->remap, 0xFF, mesh->vertex_count * sizeof(uint32_t));
    }
    FiloMeshDesc desc = { .vertices = work->vertex_count,
                          .indices = (uint32_t)work->index_count,
                          .parts = has_parts ? work->part_count : 0,
                          .levels = work->level_count,
                          .arrays = model_mesh_arrays(mesh) };
    FiloResult r = filo_mesh_create(out, &desc, work->allocator);
    if (r.code != FILO_OK) return r;
    REMAP(out->positions, mesh->positions);
    REMAP(out->normals, mesh->normals);
    REMAP(out->tangents, mesh->tangents);
    REMAP(out->uvs, mesh->uvs);
    REMAP(out->colors, mesh->colors);
    REMAP(out->joints, mesh->joints);
    REMAP(out->weights, mesh->weights);
    if (work->index_count > 0) memcpy(out->indices, work->indices, work->index_count * sizeof(uint32_t));
    if (has_parts)
        memcpy(out->parts, work->parts, (size_t)work->part_count * work->level_count * sizeof(FiloMeshPart));
    out->level_count = work->level_count;
    memcpy(out->level_error, work->level_error, sizeof out->level_error);
    filo_mesh_update_bounds(out);
    return filo_ok();
}

static bool run(Work *work) {
    if (!open_work(work)) return false;
    collect_indices(work);
    weld(work);
    if (!add_levels(work)) return false;
    if (!work->options->reorder || work->index_count == 0) return true;
    reorder_triangles(work);
    return reorder_vertices(work);
}

FiloResult filo_mesh_optimise(FiloMeshData *mesh, const FiloMeshOptimise *options,
                              const FiloAllocator *allocator) {
    if (mesh == NULL || options == NULL) return FILO_MISTAKE("pass a mesh, and how to optimise it");
    if (mesh->memory == NULL && mesh->vertex_count > 0)
        return FILO_MISTAKE("the arrays of the mesh belong to the caller: optimise a copy (filo_mesh_copy)");
    if (!(options->level_ratio >= 0.0f && options->level_ratio < 1.0f) || !(options->max_error >= 0.0f))
        return FILO_MISTAKE("level_ratio is between 0 and 1, and max_error is not negative");
    FiloResult r = filo_mesh_check(mesh, "mesh");
    if (r.code != FILO_OK || mesh->vertex_count == 0) return r;
    Work work = { .mesh = mesh, .options = options, .allocator = allocator };
    FiloMeshData optimised = { 0 };
    r = run(&work) ? build(&work, &optimised)
                   : filo_error(FILO_ERROR_MEMORY, "no memory to optimise a mesh of %u vertices",
                                mesh->vertex_count);
    close_work(&work);
    if (r.code != FILO_OK) return r;
    filo_mesh_free(mesh, allocator);
    *mesh = optimised;
    return r;
}
