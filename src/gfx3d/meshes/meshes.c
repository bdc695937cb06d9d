// The table of meshes by name. See meshes.h.

#include "gfx3d/meshes/meshes.h"

#include "base/suggest.h"

#include <filo/log.h>

// ---- Levels and parts -----------------------------------------------------------------------------------------

typedef struct Totals {
    uint32_t vertices, indices, parts;
    bool skinned;
} Totals;

static uint32_t own_levels(const FiloMeshData *data) { return FILO_MAX(data->level_count, 1u); }
static uint32_t own_parts(const FiloMeshData *data) { return FILO_MAX(data->part_count, 1u); }
static uint32_t own_indices(const FiloMeshData *data) {
    return data->indices != NULL ? data->index_count : data->vertex_count;
}

// How many of its own levels each source is drawn with. Every source has one. What is left of FILO_MESH_LEVELS goes to the
// first sources, which are the nearest and the finest.
static void share_levels(uint32_t *used, const Gfx3dLevelSource *levels, size_t count) {
    uint32_t left = FILO_MESH_LEVELS - (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        uint32_t more = FILO_MIN(own_levels(levels[i].data) - 1, left);
        used[i] = 1 + more;
        left -= more;
    }
}

static FiloResult count_totals(Totals *totals, const char *name, const Gfx3dLevelSource *levels,
                               const uint32_t *used, size_t count) {
    uint64_t vertices = 0, indices = 0, parts = 0;
    *totals = (Totals){ 0 };
    for (size_t i = 0; i < count; i++) {
        const FiloMeshData *data = levels[i].data;
        vertices += data->vertex_count;
        indices += own_indices(data);
        parts += (uint64_t)used[i] * own_parts(data);
        totals->skinned = totals->skinned || data->joints != NULL;
    }
    if (vertices > INT32_MAX || indices > INT32_MAX || parts > INT32_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%s: the mesh is too large", name);
    totals->vertices = (uint32_t)vertices;
    totals->indices = (uint32_t)indices;
    totals->parts = (uint32_t)parts;
    return filo_ok();
}

static uint32_t material_of(const Gfx3dLevelSource *source, uint32_t material) {
    if (source->materials == NULL || material >= source->material_count) return GFX3D_NONE;
    return source->materials[material];
}

// Describes `used` levels of one source and their parts. Its indices begin at `first_index` of the buffer.
static void describe(Gfx3dMesh *mesh, const Gfx3dLevelSource *source, uint32_t used, uint32_t first_vertex,
                     uint32_t first_index) {
    const FiloMeshData *data = source->data;
    uint32_t parts = own_parts(data);
    for (uint32_t level = 0; level < used; level++) {
        mesh->levels[mesh->level_count++] =
            (Gfx3dMeshLevel){ .first_part = mesh->part_count,
                              .part_count = parts,
                              .base_vertex = (int32_t)first_vertex,
                              .error = level > 0 ? data->level_error[level] : 0,
                              .distance = source->distance };
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

// ---- Uploading ------------------------------------------------------------------------------------------------

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

// Packs and writes vertices of `data` to the buffers of a mesh, from `first` on. Joints are written if `skins`.
static void upload_vertices(FiloGfx3d *gfx, const FiloMeshData *data, uint32_t first, bool skinned,
                            bool skins) {
    Gfx3dMeshes *m = gfx->meshes;
    Gfx3dVertex piece[256];
    Gfx3dVertexSkin skin_piece[256];
    for (uint32_t at = 0; at < data->vertex_count;) {
        uint32_t n = FILO_MIN(data->vertex_count - at, (uint32_t)FILO_COUNT_OF(piece));
        gfx3d_pack_vertices(piece, data, at, n);
        filo_gpu_buffer_write(gfx->gpu, skinned ? m->skinned_vertices.buffer : m->vertices.buffer,
                              ((size_t)first + at) * sizeof *piece, piece, n * sizeof *piece);
        if (skins) {
            gfx3d_pack_skins(skin_piece, data, at, n);
            filo_gpu_buffer_write(gfx->gpu, m->skins.buffer, ((size_t)first + at) * sizeof *skin_piece,
                                  skin_piece, n * sizeof *skin_piece);
        }
        at += n;
    }
}

// ---- Filling a slot -------------------------------------------------------------------------------------------

// Adds the vertices of a source to the bounds; `any`: there are some already.
static bool update_bounds(Gfx3dMesh *mesh, const FiloMeshData *data, bool any) {
    float reach = mesh->reach * mesh->reach;
    for (uint32_t i = 0; i < data->vertex_count; i++) {
        FiloVec3 p = data->positions[i];
        reach = filo_max(reach, filo_vec3_length_squared(p));
        mesh->bounds.min = any ? filo_vec3_min(mesh->bounds.min, p) : p;
        mesh->bounds.max = any ? filo_vec3_max(mesh->bounds.max, p) : p;
        any = true;
    }
    mesh->reach = filo_sqrt(reach);
    return any;
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
    filo_free(gfx->allocator, mesh->parts, mesh->part_capacity * sizeof *mesh->parts, 0);
    filo_mesh_free(&mesh->data, gfx->allocator);
    filo_bvh_destroy(mesh->bvh);
}

// Memory and pieces of the buffers for a mesh. On failure there is nothing to release.
static FiloResult take_memory(FiloGfx3d *gfx, Gfx3dMesh *mesh, const Totals *totals, const char *name,
                              const FiloMeshData *full) {
    FiloResult r = gfx3d_mesh_buffers_take(gfx, mesh, totals->vertices, totals->indices, totals->skinned);
    if (r.code != FILO_OK) return filo_error(r.code, "%s: %s", name, r.message);
    mesh->parts = filo_alloc(gfx->allocator, totals->parts * sizeof *mesh->parts, 0);
    mesh->part_capacity = mesh->parts != NULL ? totals->parts : 0;
    r = mesh->parts == NULL ? filo_error(FILO_ERROR_MEMORY, "no memory for its parts")
                            : copy_for_picking(gfx, mesh, full);
    if (r.code == FILO_OK) return r;
    release_slot(gfx, mesh);
    return filo_error(r.code, "%s: %s", name, r.message);
}

FiloResult gfx3d_mesh_fill(FiloGfx3d *gfx, uint32_t index, const Gfx3dLevelSource *levels, size_t count) {
    Gfx3dMesh old = gfx->meshes->list.items[index];
    const char *name = filo_name_text(old.name);
    uint32_t used[FILO_MESH_LEVELS];
    Totals totals;
    FiloResult r = filo_ok();
    for (size_t i = 0; i < count && r.code == FILO_OK; i++) r = filo_mesh_check(levels[i].data, name);
    if (r.code != FILO_OK) return r;
    share_levels(used, levels, count);
    r = count_totals(&totals, name, levels, used, count);
    if (r.code != FILO_OK) return r;
    Gfx3dMesh mesh = { .name = old.name,
                       .asset = old.asset,
                       .version = old.version,
                       .used = true,
                       .loaded = true,
                       .requested = old.requested };
    r = take_memory(gfx, &mesh, &totals, name, levels[0].data);
    if (r.code != FILO_OK) return r;
    uint32_t vertex = mesh.first_vertex, first_index = mesh.first_index;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const FiloMeshData *data = levels[i].data;
        any = update_bounds(&mesh, data, any);
        describe(&mesh, &levels[i], used[i], vertex, first_index);
        upload_vertices(gfx, data, vertex, totals.skinned, totals.skinned);
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

// GFX3D_NONE without memory.
static uint32_t add_slot(FiloGfx3d *gfx, FiloName name) {
    Gfx3dMeshes *m = gfx->meshes;
    uint32_t *slot = filo_map_put(&m->by_name, name.id);
    if (slot == NULL) return GFX3D_NONE;
    *slot = (uint32_t)m->list.count;
    if (!filo_array_push(&m->list, (Gfx3dMesh){ .name = name })) {
        filo_map_remove(&m->by_name, name.id);
        return GFX3D_NONE;
    }
    return (uint32_t)m->list.count - 1;
}

static uint32_t find_slot(const FiloGfx3d *gfx, FiloName name) {
    const uint32_t *known = filo_map_get(&gfx->meshes->by_name, name.id);
    return known != NULL ? *known : GFX3D_NONE;
}

uint32_t gfx3d_mesh_find(FiloGfx3d *gfx, FiloName name) {
    if (name.id == 0) return 0; // the box
    uint32_t index = find_slot(gfx, name);
    if (index == GFX3D_NONE) index = add_slot(gfx, name);
    if (index == GFX3D_NONE) return 0;
    Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    if (!mesh->loaded && !mesh->requested) {
        gfx3d_models_request(gfx, mesh);
        gfx3d_models_update_mesh(gfx, index); // the file may be loaded already
    }
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
    uint32_t index = find_slot(gfx, name);
    if (index == GFX3D_NONE) index = add_slot(gfx, name);
    if (index == GFX3D_NONE)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the mesh \"%s\"", filo_name_text(name));
    FiloResult r = gfx3d_mesh_fill(gfx, index, levels, count);
    // From now on it is the program's, even if a file of that name is being loaded.
    if (r.code == FILO_OK) gfx3d_models_forget(gfx, gfx3d_mesh_at(gfx, index));
    return r;
}

static FiloResult check_levels(FiloName name, const FiloMeshLevel *levels, size_t count) {
    const char *text = filo_name_text(name);
    for (size_t i = 0; i < count; i++) {
        float before = i > 0 ? levels[i - 1].distance : 0, distance = levels[i].distance;
        if (levels[i].data == NULL) return FILO_MISTAKE("level %zu of \"%s\" has no data", i, text);
        if (i == 0 && distance != 0)
            return FILO_MISTAKE("level 0 of \"%s\" begins at a distance of %g; it must be 0", text,
                                (double)distance);
        if (i > 0 && !(distance > before))
            return FILO_MISTAKE(
                "level %zu of \"%s\" begins at a distance of %g, but level %zu at %g; sort them", i, text,
                (double)distance, i - 1, (double)before);
    }
    for (size_t i = 0; i < count; i++) {
        const char *missing = levels[i].data->vertex_count == 0  ? "vertices"
                              : own_indices(levels[i].data) == 0 ? "triangles"
                                                                 : NULL;
        if (missing != NULL)
            return filo_error(FILO_ERROR_DATA, "%s: level %zu of the mesh has no %s", text, i, missing);
    }
    return filo_ok();
}

// Says once of a mesh that it has no normals.
static void check_normals(FiloName name, const FiloMeshLevel *levels, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++) all = all && levels[i].data->normals != NULL;
    if (!all && base_first_time("normals of a mesh", filo_name_string(name)))
        filo_log_warn("gfx3d",
                      "the mesh \"%s\" has no normals, so it is lit as if all of it looked up: make it with "
                      "FILO_MESH_NORMALS, and call filo_mesh_update_normals",
                      filo_name_text(name));
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
    FiloResult r = check_levels(name, levels, count);
    if (r.code != FILO_OK) return r;
    Gfx3dLevelSource sources[FILO_MESH_LEVELS];
    FiloArray(uint32_t) materials = { .allocator = gfx->allocator };
    uint32_t first[FILO_MESH_LEVELS] = { 0 };
    for (size_t i = 0; i < count; i++) {
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
    r = add_levels(gfx, name, sources, count);
    filo_array_deinit(&materials);
    if (r.code == FILO_OK) check_normals(name, levels, count);
    return r;
}

void filo_gfx3d_remove_mesh(FiloGfx3d *gfx, FiloName name) {
    if (!FILO_CHECK(gfx != NULL && name.id != 0, "pass a renderer, and the name of a mesh") ||
        !FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "call filo_gfx3d_remove_mesh on the main thread"))
        return;
    uint32_t index = find_slot(gfx, name);
    if (!FILO_CHECK(index != 0, "the mesh \"box\" cannot be removed: it is shown for those that are missing"))
        return;
    if (index == GFX3D_NONE) return;
    Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    gfx3d_models_forget(gfx, mesh);
    release_slot(gfx, mesh);
    *mesh = (Gfx3dMesh){ .name = name };
    gfx->mesh_generation++;
}

// Vertices of the full mesh that are written are those that rays hit, too.
static void update_picking(Gfx3dMesh *mesh, uint32_t first, const FiloMeshData *data) {
    if (first >= mesh->data.vertex_count || data->vertex_count == 0) return;
    uint32_t count = FILO_MIN(data->vertex_count, mesh->data.vertex_count - first);
    memcpy(mesh->data.positions + first, data->positions, count * sizeof *data->positions);
    filo_bvh_destroy(mesh->bvh);
    mesh->bvh = NULL;
}

FiloResult filo_gfx3d_update_mesh(FiloGfx3d *gfx, FiloName name, uint32_t first, const FiloMeshData *data) {
    if (gfx == NULL || data == NULL || name.id == 0)
        return FILO_MISTAKE("pass a renderer, the name of a mesh, and vertices");
    uint32_t index = find_slot(gfx, name);
    Gfx3dMesh *mesh = index != GFX3D_NONE ? gfx3d_mesh_at(gfx, index) : NULL;
    const char *text = filo_name_text(name);
    if (mesh == NULL || !mesh->loaded)
        return filo_error(FILO_ERROR_NOT_FOUND, "there is no mesh \"%s\"", text);
    if (first > mesh->vertex_count || data->vertex_count > mesh->vertex_count - first)
        return FILO_MISTAKE("mesh \"%s\" has %u vertices, but %u from %u on are written", text,
                            mesh->vertex_count, data->vertex_count, first);
    FiloMeshData vertices = *data; // without triangles, which stay
    vertices.indices = &(uint32_t){ 0 };
    vertices.index_count = vertices.part_count = vertices.level_count = 0;
    FiloResult r = filo_mesh_check(&vertices, text);
    if (r.code != FILO_OK) return r;
    upload_vertices(gfx, data, mesh->first_vertex + first, mesh->skinned,
                    mesh->skinned && data->joints != NULL);
    update_picking(mesh, first, data);
    return r;
}

bool filo_gfx3d_mesh_bounds(FiloGfx3d *gfx, FiloName name, FiloAabb3 *bounds) {
    if (bounds != NULL) *bounds = (FiloAabb3){ 0 };
    if (!FILO_CHECK(gfx != NULL && bounds != NULL, "pass a renderer, and where the bounds go")) return false;
    uint32_t index = gfx3d_mesh_find(gfx, name);
    const Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    // Without memory for a slot, the box is found instead.
    if (!mesh->loaded || (mesh->name.id != name.id && name.id != 0)) return false;
    *bounds = mesh->bounds;
    return true;
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
    gfx->meshes->list.allocator = gfx->meshes->materials.allocator = gfx->allocator;
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
    filo_array_deinit(&gfx->meshes->materials);
    filo_map_deinit(&gfx->meshes->by_name);
    filo_free(gfx->allocator, gfx->meshes, sizeof *gfx->meshes, 0);
    gfx->meshes = NULL;
}

void gfx3d_meshes_update(FiloGfx3d *gfx) { gfx3d_models_update(gfx); }
