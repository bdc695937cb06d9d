// Pieces of the GPU buffers. See meshes.h.

#include "gfx3d/meshes/meshes.h"

#define FIRST_VERTICES (1u << 14)
#define FIRST_INDICES  (1u << 16)
#define MAX_ITEMS      (1u << 30)

static FiloResult grow_buffer(FiloGfx3d *gfx, Gfx3dMeshBuffer *b, uint32_t old_items, uint32_t items) {
    FiloBuffer larger;
    FiloResult r = filo_gpu_buffer_create(
        &larger, gfx->gpu,
        &(FiloBufferDesc){ .label = b->label, .use = b->use, .size = (size_t)items * b->item });
    if (r.code != FILO_OK) return r;
    if (old_items > 0) filo_gpu_buffer_copy(gfx->gpu, larger, 0, b->buffer, 0, (size_t)old_items * b->item);
    filo_gpu_buffer_destroy(gfx->gpu, b->buffer);
    b->buffer = larger;
    return r;
}

// Takes a range, after growing the buffers that have it. `second` may be NULL.
static FiloResult take(FiloGfx3d *gfx, Gfx3dRanges *ranges, Gfx3dMeshBuffer *b, Gfx3dMeshBuffer *second,
                       uint32_t count, uint32_t first_size, uint32_t *first) {
    *first = 0;
    if (count == 0) return filo_ok();
    *first = gfx3d_ranges_take(ranges, count);
    if (*first != UINT32_MAX) return filo_ok();
    uint64_t end = ranges->end > 0 ? (uint64_t)ranges->end * 2 : first_size;
    while (end < (uint64_t)ranges->end + count) end *= 2;
    if (end > MAX_ITEMS) return filo_error(FILO_ERROR_LIMIT, "all meshes together are too large");
    FiloResult r = grow_buffer(gfx, b, ranges->end, (uint32_t)end);
    if (r.code == FILO_OK && second != NULL) r = grow_buffer(gfx, second, ranges->end, (uint32_t)end);
    if (r.code != FILO_OK) return r;
    if (!gfx3d_ranges_grow(ranges, (uint32_t)end))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a mesh");
    *first = gfx3d_ranges_take(ranges, count);
    return filo_ok();
}

FiloResult gfx3d_mesh_buffers_take(FiloGfx3d *gfx, Gfx3dMesh *mesh, uint32_t vertices, uint32_t indices,
                                   bool skinned) {
    Gfx3dMeshes *m = gfx->meshes;
    FiloResult r = skinned ? take(gfx, &m->skinned_ranges, &m->skinned_vertices, &m->skins, vertices,
                                  FIRST_VERTICES, &mesh->first_vertex)
                           : take(gfx, &m->vertex_ranges, &m->vertices, NULL, vertices, FIRST_VERTICES,
                                  &mesh->first_vertex);
    if (r.code != FILO_OK) return r;
    mesh->vertex_count = vertices;
    mesh->index_count = 0;
    mesh->skinned = skinned;
    r = take(gfx, &m->index_ranges, &m->indices, NULL, indices, FIRST_INDICES, &mesh->first_index);
    if (r.code == FILO_OK)
        mesh->index_count = indices;
    else
        gfx3d_mesh_buffers_give(gfx, mesh);
    return r;
}

void gfx3d_mesh_buffers_give(FiloGfx3d *gfx, const Gfx3dMesh *mesh) {
    Gfx3dMeshes *m = gfx->meshes;
    gfx3d_ranges_give(mesh->skinned ? &m->skinned_ranges : &m->vertex_ranges, mesh->first_vertex,
                      mesh->vertex_count);
    gfx3d_ranges_give(&m->index_ranges, mesh->first_index, mesh->index_count);
}

FiloResult gfx3d_mesh_buffers_init(FiloGfx3d *gfx) {
    Gfx3dMeshes *m = gfx->meshes;
    m->vertices = (Gfx3dMeshBuffer){ .item = sizeof(Gfx3dVertex),
                                     .use = FILO_BUFFER_VERTICES,
                                     .label = "mesh vertices" };
    m->skinned_vertices = (Gfx3dMeshBuffer){ .item = sizeof(Gfx3dVertex),
                                             .use = FILO_BUFFER_VERTICES,
                                             .label = "skinned vertices" };
    m->skins = (Gfx3dMeshBuffer){ .item = sizeof(Gfx3dVertexSkin),
                                  .use = FILO_BUFFER_VERTICES,
                                  .label = "vertex skins" };
    m->indices =
        (Gfx3dMeshBuffer){ .item = sizeof(uint32_t), .use = FILO_BUFFER_INDICES, .label = "mesh indices" };
    m->vertex_ranges.free.allocator = m->index_ranges.free.allocator = m->skinned_ranges.free.allocator =
        gfx->allocator;
    return filo_ok();
}

void gfx3d_mesh_buffers_deinit(FiloGfx3d *gfx) {
    Gfx3dMeshes *m = gfx->meshes;
    filo_gpu_buffer_destroy(gfx->gpu, m->vertices.buffer);
    filo_gpu_buffer_destroy(gfx->gpu, m->skinned_vertices.buffer);
    filo_gpu_buffer_destroy(gfx->gpu, m->skins.buffer);
    filo_gpu_buffer_destroy(gfx->gpu, m->indices.buffer);
    filo_array_deinit(&m->vertex_ranges.free);
    filo_array_deinit(&m->index_ranges.free);
    filo_array_deinit(&m->skinned_ranges.free);
}

void gfx3d_meshes_bind(FiloGfx3d *gfx, bool skinned) {
    const Gfx3dMeshes *m = gfx->meshes;
    filo_gpu_set_vertices(gfx->gpu, 0, skinned ? m->skinned_vertices.buffer : m->vertices.buffer, 0);
    if (skinned) filo_gpu_set_vertices(gfx->gpu, 2, m->skins.buffer, 0);
    filo_gpu_set_indices(gfx->gpu, m->indices.buffer);
}

void gfx3d_vertex_layout(FiloPipelineDesc *desc, bool skinned) {
    const FiloAttribute attributes[] = {
        [0] = { FILO_ATTRIBUTE_FLOAT3, 0, offsetof(Gfx3dVertex, position) },
        [1] = { FILO_ATTRIBUTE_SHORT4_UNIT, 0, offsetof(Gfx3dVertex, normal) },
        [2] = { FILO_ATTRIBUTE_SHORT4_UNIT, 0, offsetof(Gfx3dVertex, tangent) },
        [3] = { FILO_ATTRIBUTE_FLOAT2, 0, offsetof(Gfx3dVertex, uv) },
        [4] = { FILO_ATTRIBUTE_UBYTE4_UNIT, 0, offsetof(Gfx3dVertex, color) },
        [5] = { FILO_ATTRIBUTE_USHORT4, 2, offsetof(Gfx3dVertexSkin, joints) },
        [6] = { FILO_ATTRIBUTE_UBYTE4_UNIT, 2, offsetof(Gfx3dVertexSkin, weights) },
        [8] = { FILO_ATTRIBUTE_FLOAT4, 1, offsetof(Gfx3dInstance, matrix) },
        [9] = { FILO_ATTRIBUTE_FLOAT4, 1, offsetof(Gfx3dInstance, matrix) + 16 },
        [10] = { FILO_ATTRIBUTE_FLOAT4, 1, offsetof(Gfx3dInstance, matrix) + 32 },
        [11] = { FILO_ATTRIBUTE_UBYTE4_UNIT, 1, offsetof(Gfx3dInstance, color) },
        [12] = { FILO_ATTRIBUTE_UINT, 1, offsetof(Gfx3dInstance, joints) },
        [13] = { FILO_ATTRIBUTE_FLOAT2, 1, offsetof(Gfx3dInstance, values) },
    };
    memcpy(desc->attributes, attributes, sizeof attributes);
    if (!skinned) desc->attributes[5] = desc->attributes[6] = (FiloAttribute){ 0 };
    desc->buffers[0] = (FiloVertexBuffer){ .stride = sizeof(Gfx3dVertex) };
    desc->buffers[1] = (FiloVertexBuffer){ .stride = sizeof(Gfx3dInstance), .per_instance = true };
    if (skinned) desc->buffers[2] = (FiloVertexBuffer){ .stride = sizeof(Gfx3dVertexSkin) };
}
