// The table of meshes by name. See meshes.h.

#include "gfx3d/meshes/meshes.h"

#include <filo/log.h>

// ---- Filling a slot -------------------------------------------------------------------------------------------

typedef struct Totals {
    uint32_t vertices, indices, parts, levels;
    bool skinned;
} Totals;

static uint32_t own_levels(const FiloMeshData *data) { return FILO_MAX(data->level_count, 1u); }
static uint32_t own_parts(const FiloMeshData *data) { return FILO_MAX(data->part_count, 1u); }
static uint32_t own_indices(const FiloMeshData *data) {
    return data->indices != NULL ? data->index_count : data->vertex_count;
}

static FiloResult count_totals(Totals *totals, const char *name, const Gfx3dLevelSource *levels,
                               size_t count) {
    uint64_t vertices = 0, indices = 0, parts = 0, all_levels = 0;
    *totals = (Totals){ .skinned = true };
    for (size_t i = 0; i < count; i++) {
        const FiloMeshData *data = levels[i].data;
        FiloResult r = filo_mesh_check(data, name);
        if (r.code != FILO_OK) return r;
        vertices += data->vertex_count;
        indices += own_indices(data);
        // Only the first source may have levels of its own, unless it is the only one.
        uint32_t own = count == 1 ? own_levels(data) : 1;
        parts += (uint64_t)own * own_parts(data);
        all_levels += own;
        totals->skinned = totals->skinned && data->joints != NULL && data->weights != NULL;
    }
    if (vertices > INT32_MAX || indices > INT32_MAX || parts > INT32_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: the mesh is too large", name);
    totals->vertices = (uint32_t)vertices;
    totals->indices = (uint32_t)indices;
    totals->parts = (uint32_t)parts;
    totals->levels = (uint32_t)all_levels;
    return filo_ok();
}

static uint32_t material_of(const Gfx3dLevelSource *source, uint32_t material) {
    if (source->materials == NULL || material >= source->material_count) return GFX3D_NONE;
    return source->materials[material];
}

// Describes the levels and parts of one source, whose indices begin at `first_index` of the buffer.
static void describe(Gfx3dMesh *mesh, const Gfx3dLevelSource *source, bool alone, uint32_t first_vertex,
                     uint32_t first_index) {
    const FiloMeshData *data = source->data;
    uint32_t parts = own_parts(data);
    for (uint32_t level = 0; level < (alone ? own_levels(data) : 1) && mesh->level_count < FILO_MESH_LEVELS;
         level++) {
        mesh->levels[mesh->level_count++] = (Gfx3dMeshLevel){ .first_part = mesh->part_count,
                                                              .part_count = parts,
                                                              .base_vertex = (int32_t)first_vertex,
                                                              .error = alone ? data->level_error[level] : 0,
                                                              .distance = alone ? 0 : source->distance };
        for (uint32_t i = 0; i < parts; i++) {
            FiloMeshPart whole = { 0, own_indices(data), 0 };
            const FiloMeshPart *part = data->part_count > 0 ? &data->parts[level * parts + i] : &whole;
            mesh->parts[mesh->part_count++] =
                (Gfx3dMeshPart){ .first = first_index + part->first,
                                 .count = part->count,
                                 .material = material_of(source, part->material) };
        }
    }
}

static void upload_indices(FiloGfx3d *gfx, const FiloMeshData *data, uint32_t first) {
    FiloBuffer buffer = gfx->meshes->indices.buffer;
    if (data->indices != NULL) {
        filo_gpu_buffer_write(gfx->gpu, buffer, (size_t)first * 4, data->indices,
                              (size_t)data->index_count * 4);
        return;
    }
    uint32_t piece[1024];
    for (uint32_t at = 0; at < data->vertex_count;) {
        uint32_t n = FILO_MIN(data->vertex_count - at, (uint32_t)FILO_COUNT_OF(piece));
        for (uint32_t i = 0; i < n; i++) piece[i] = at + i;
        filo_gpu_buffer_write(gfx->gpu, buffer, ((size_t)first + at) * 4, piece, (size_t)n * 4);
        at += n;
    }
}

// Packs and writes vertices of `data` to the buffer, from `first` on.
static void upload_vertices(FiloGfx3d *gfx, const FiloMeshData *data, uint32_t first, bool skinned) {
    Gfx3dMeshes *m = gfx->meshes;
    Gfx3dVertex piece[256];
    Gfx3dVertexSkin skins[256];
    for (uint32_t at = 0; at < data->vertex_count;) {
        uint32_t n = FILO_MIN(data->vertex_count - at, (uint32_t)FILO_COUNT_OF(piece));
        gfx3d_pack_vertices(piece, data, at, n);
        filo_gpu_buffer_write(gfx->gpu, skinned ? m->skinned_vertices.buffer : m->vertices.buffer,
                              (size_t)(first + at) * sizeof *piece, piece, n * sizeof *piece);
        if (skinned) {
            gfx3d_pack_skins(skins, data, at, n);
            filo_gpu_buffer_write(gfx->gpu, m->skins.buffer, (size_t)(first + at) * sizeof *skins, skins,
                                  n * sizeof *skins);
        }
        at += n;
    }
}

static void update_bounds(Gfx3dMesh *mesh, const FiloMeshData *data) {
    float reach = 0;
    if (data->vertex_count == 0) return;
    FiloAabb3 box = { data->positions[0], data->positions[0] };
    for (uint32_t i = 0; i < data->vertex_count; i++) {
        reach = filo_max(reach, filo_vec3_length_squared(data->positions[i]));
        box.min = filo_vec3_min(box.min, data->positions[i]);
        box.max = filo_vec3_max(box.max, data->positions[i]);
    }
    mesh->reach = filo_max(mesh->reach, filo_sqrt(reach));
    mesh->bounds = mesh->vertex_count == 0 || mesh->level_count == 0
                       ? box
                       : (FiloAabb3){ filo_vec3_min(mesh->bounds.min, box.min),
                                      filo_vec3_max(mesh->bounds.max, box.max) };
}

// Positions and indices of the full mesh, for picking.
static FiloResult copy_for_picking(FiloGfx3d *gfx, Gfx3dMesh *mesh, const FiloMeshData *data) {
    FiloMeshData full = { .vertex_count = data->vertex_count,
                          .positions = data->positions,
                          .indices = data->indices };
    full.index_count = data->index_count;
    if (data->part_count > 0 && data->level_count > 1) { // the indices of the first level come first
        full.index_count = 0;
        for (uint32_t i = 0; i < data->part_count; i++)
            full.index_count = FILO_MAX(full.index_count, data->parts[i].first + data->parts[i].count);
    }
    return filo_mesh_copy(&mesh->data, &full, gfx->allocator);
}

static void release_slot(FiloGfx3d *gfx, Gfx3dMesh *mesh) {
    gfx3d_mesh_buffers_give(gfx, mesh);
    filo_free(gfx->allocator, mesh->parts, mesh->part_count * sizeof *mesh->parts, 0);
    filo_mesh_free(&mesh->data, gfx->allocator);
    filo_bvh_destroy(mesh->bvh);
}

FiloResult gfx3d_mesh_fill(FiloGfx3d *gfx, uint32_t index, const Gfx3dLevelSource *levels, size_t count) {
    Gfx3dMesh old = gfx->meshes->list.items[index];
    Totals totals;
    FiloResult r = count_totals(&totals, filo_name_text(old.name), levels, count);
    if (r.code != FILO_OK) return r;
    Gfx3dMesh mesh = {
        .name = old.name, .asset = old.asset, .version = old.version, .used = true, .loaded = true
    };
    r = gfx3d_mesh_buffers_take(gfx, &mesh, totals.vertices, totals.indices, totals.skinned);
    if (r.code != FILO_OK) return r;
    mesh.parts = filo_alloc(gfx->allocator, totals.parts * sizeof *mesh.parts, 0);
    r = mesh.parts == NULL ? filo_error(FILO_ERROR_MEMORY, "no memory for a mesh")
                           : copy_for_picking(gfx, &mesh, levels[0].data);
    if (r.code != FILO_OK) {
        mesh.part_count = totals.parts;
        release_slot(gfx, &mesh);
        return r;
    }
    uint32_t vertex = mesh.first_vertex, first_index = mesh.first_index;
    for (size_t i = 0; i < count; i++) {
        const FiloMeshData *data = levels[i].data;
        update_bounds(&mesh, data);
        describe(&mesh, &levels[i], count == 1, vertex, first_index);
        upload_vertices(gfx, data, vertex, totals.skinned);
        upload_indices(gfx, data, first_index);
        vertex += data->vertex_count;
        first_index += own_indices(data);
    }
    release_slot(gfx, &old);
    gfx->meshes->list.items[index] = mesh;
    gfx->mesh_generation++;
    return r;
}

// ---- Names ----------------------------------------------------------------------------------------------------

static uint32_t add_slot(FiloGfx3d *gfx, FiloName name) {
    Gfx3dMeshes *m = gfx->meshes;
    uint32_t *slot = filo_map_put(&m->by_name, name.id);
    if (slot == NULL) return 0;
    *slot = (uint32_t)m->list.count;
    if (!filo_array_push(&m->list, (Gfx3dMesh){ .name = name })) {
        filo_map_remove(&m->by_name, name.id);
        return 0;
    }
    return (uint32_t)m->list.count - 1;
}

uint32_t gfx3d_mesh_find(FiloGfx3d *gfx, FiloName name) {
    const uint32_t *known = filo_map_get(&gfx->meshes->by_name, name.id);
    if (known != NULL) return *known;
    if (name.id == 0) return 0; // the box
    uint32_t index = add_slot(gfx, name);
    if (index != 0) gfx3d_models_request(gfx, &gfx->meshes->list.items[index]);
    return index;
}

Gfx3dMesh *gfx3d_mesh_at(const FiloGfx3d *gfx, uint32_t index) { return &gfx->meshes->list.items[index]; }

const FiloBvh *gfx3d_mesh_bvh(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    if (mesh->bvh == NULL && mesh->data.vertex_count > 0)
        (void)filo_bvh_create(&mesh->bvh, &mesh->data,
                              gfx->allocator); // without memory, which is reported: none
    return mesh->bvh;
}

// ---- Of the program -------------------------------------------------------------------------------------------

static FiloResult add_levels(FiloGfx3d *gfx, FiloName name, const Gfx3dLevelSource *levels, size_t count) {
    const uint32_t *known = filo_map_get(&gfx->meshes->by_name, name.id);
    uint32_t index = known != NULL ? *known : add_slot(gfx, name);
    if (index == 0 && known == NULL && gfx->meshes->list.count != 1)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the mesh \"%s\"", filo_name_text(name));
    return gfx3d_mesh_fill(gfx, index, levels, count);
}

FiloResult filo_gfx3d_add_mesh(FiloGfx3d *gfx, FiloName name, const FiloMeshData *data) {
    return filo_gfx3d_add_mesh_levels(gfx, name, &(FiloMeshLevel){ .data = data }, 1);
}

FiloResult filo_gfx3d_add_mesh_levels(FiloGfx3d *gfx, FiloName name, const FiloMeshLevel *levels,
                                      size_t count) {
    if (gfx == NULL || name.id == 0 || levels == NULL || count == 0)
        return FILO_MISTAKE("pass a renderer, a name and at least one level");
    if (count > FILO_MESH_LEVELS)
        return FILO_MISTAKE("a mesh has at most %d levels of detail", FILO_MESH_LEVELS);
    Gfx3dLevelSource sources[FILO_MESH_LEVELS];
    FiloArray(uint32_t) materials = { .allocator = gfx->allocator };
    uint32_t first[FILO_MESH_LEVELS] = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (levels[i].data == NULL)
            return FILO_MISTAKE("level %zu of \"%s\" has no data", i, filo_name_text(name));
        first[i] = (uint32_t)materials.count;
        for (uint32_t j = 0; levels[i].materials != NULL && j < levels[i].material_count; j++)
            if (!filo_array_push(&materials, gfx3d_material_find(gfx, levels[i].materials[j]))) {
                filo_array_deinit(&materials);
                return filo_error(FILO_ERROR_MEMORY, "no memory for the mesh \"%s\"", filo_name_text(name));
            }
    }
    for (size_t i = 0; i < count; i++)
        sources[i] =
            (Gfx3dLevelSource){ .data = levels[i].data,
                                .distance = levels[i].distance,
                                .materials = levels[i].materials != NULL ? materials.items + first[i] : NULL,
                                .material_count = levels[i].material_count };
    FiloResult r = add_levels(gfx, name, sources, count);
    filo_array_deinit(&materials);
    return r;
}

void filo_gfx3d_remove_mesh(FiloGfx3d *gfx, FiloName name) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return;
    const uint32_t *known = filo_map_get(&gfx->meshes->by_name, name.id);
    if (known == NULL || *known == 0) return;
    Gfx3dMesh *mesh = &gfx->meshes->list.items[*known];
    release_slot(gfx, mesh);
    *mesh = (Gfx3dMesh){ .name = name };
    gfx->mesh_generation++;
}

FiloResult filo_gfx3d_update_mesh(FiloGfx3d *gfx, FiloName name, uint32_t first, const FiloMeshData *data) {
    if (gfx == NULL || data == NULL || (data->vertex_count > 0 && data->positions == NULL))
        return FILO_MISTAKE("pass a renderer, and vertices with positions");
    const uint32_t *known = filo_map_get(&gfx->meshes->by_name, name.id);
    const Gfx3dMesh *mesh = known != NULL ? &gfx->meshes->list.items[*known] : NULL;
    if (mesh == NULL || !mesh->loaded)
        return filo_error(FILO_ERROR_NOT_FOUND, "there is no mesh \"%s\"", filo_name_text(name));
    if (first > mesh->vertex_count || data->vertex_count > mesh->vertex_count - first)
        return FILO_MISTAKE("mesh \"%s\" has %u vertices, but %u from %u on are written",
                            filo_name_text(name), mesh->vertex_count, data->vertex_count, first);
    upload_vertices(gfx, data, mesh->first_vertex + first, mesh->skinned && data->joints != NULL);
    return filo_ok();
}

bool filo_gfx3d_mesh_bounds(FiloGfx3d *gfx, FiloName name, FiloAabb3 *bounds) {
    if (!FILO_CHECK(gfx != NULL && bounds != NULL, "pass a renderer, and where the bounds go")) return false;
    const Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, gfx3d_mesh_find(gfx, name));
    *bounds = mesh->bounds;
    return mesh->loaded;
}

// ---- Built-in meshes ------------------------------------------------------------------------------------------

static FiloResult add_primitive(FiloGfx3d *gfx, const char *name, FiloMeshData *data, FiloResult made) {
    if (made.code == FILO_OK) made = filo_gfx3d_add_mesh(gfx, filo_name(name), data);
    filo_mesh_free(data, gfx->allocator);
    return made;
}

static FiloResult add_primitives(FiloGfx3d *gfx) {
    const FiloAllocator *a = gfx->allocator;
    FiloMeshData data = { 0 };
    // The first is index 0, which is shown for meshes without a name, and until a mesh is loaded.
    FiloResult r = add_primitive(gfx, "box", &data, filo_mesh_box(&data, &(FiloBoxDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "sphere", &data, filo_mesh_sphere(&data, &(FiloSphereDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "plane", &data, filo_mesh_plane(&data, &(FiloPlaneDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "capsule", &data, filo_mesh_capsule(&data, &(FiloCapsuleDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "cylinder", &data, filo_mesh_cylinder(&data, &(FiloCylinderDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "cone", &data, filo_mesh_cone(&data, &(FiloCylinderDesc){ 0 }, a));
    if (r.code == FILO_OK)
        r = add_primitive(gfx, "torus", &data, filo_mesh_torus(&data, &(FiloTorusDesc){ 0 }, a));
    return r;
}

FiloResult gfx3d_meshes_init(FiloGfx3d *gfx) {
    gfx->meshes = filo_alloc_zero(gfx->allocator, sizeof *gfx->meshes, 0);
    if (gfx->meshes == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for meshes");
    gfx->meshes->list.allocator = gfx->allocator;
    filo_map_init(&gfx->meshes->by_name, sizeof(uint32_t), gfx->allocator);
    FiloResult r = gfx3d_mesh_buffers_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_models_init(gfx);
    if (r.code == FILO_OK) r = add_primitives(gfx);
    return r;
}

void gfx3d_meshes_deinit(FiloGfx3d *gfx) {
    if (gfx->meshes == NULL) return;
    gfx3d_models_deinit(gfx);
    filo_array_each (&gfx->meshes->list, mesh) release_slot(gfx, mesh);
    gfx3d_mesh_buffers_deinit(gfx);
    filo_array_deinit(&gfx->meshes->list);
    filo_map_deinit(&gfx->meshes->by_name);
    filo_free(gfx->allocator, gfx->meshes, sizeof *gfx->meshes, 0);
    gfx->meshes = NULL;
}

void gfx3d_meshes_update(FiloGfx3d *gfx) { gfx3d_models_update(gfx); }
