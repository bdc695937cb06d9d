// Batches: meshes with materials, as they are drawn. See extract.h.

#include "gfx3d/extract/extract.h"

#include <filo/log.h>

#include <stdlib.h>

#define MAX_LISTS UINT16_MAX // of all batches: Gfx3dVisible.list has 16 bits
#define MIRRORED  16u        // a flag of batches: the scales of rows turn triangles over
#define KEY_FLAGS (FILO_MESH_NO_SHADOW | FILO_MESH_FULL_DETAIL | FILO_MESH_WIREFRAME | MIRRORED)

static uint64_t key_of(FiloName mesh, FiloName material, uint32_t flags) {
    return (uint64_t)mesh.id << 32 | (uint64_t)(material.id & 0xFFFFFFFu) << 4 | (flags & KEY_FLAGS) >> 1;
}

uint16_t gfx3d_batch_look_up(const Gfx3dExtraction *e, FiloName mesh, FiloName material, uint32_t flags) {
    const uint16_t *found = filo_map_get(&e->batch_by_key, key_of(mesh, material, flags));
    return found != NULL ? *found : GFX3D_NO_BATCH;
}

static bool part_is_blended(const FiloGfx3d *gfx, uint32_t material) {
    FiloMaterialMode mode = gfx3d_material_info(gfx, material).mode;
    return mode == FILO_MATERIAL_BLEND || mode == FILO_MATERIAL_ADD;
}

// Whether there can be that many lists more. Otherwise what needs them is not drawn, which is logged once.
static bool has_room(Gfx3dExtraction *e, uint32_t levels) {
    if (e->list_count + levels <= MAX_LISTS) return true;
    if (!e->too_many)
        filo_log_warn(
            "gfx3d",
            "too many different meshes and materials are drawn: with their levels of detail, more than "
            "%d. The others are not drawn",
            MAX_LISTS);
    e->too_many = true;
    return false;
}

uint16_t gfx3d_batch_add(FiloGfx3d *gfx, FiloName mesh_name, FiloName material_name, uint32_t flags) {
    Gfx3dExtraction *e = gfx->extraction;
    uint16_t known = gfx3d_batch_look_up(e, mesh_name, material_name, flags);
    if (known != GFX3D_NO_BATCH) return known;
    uint32_t index = gfx3d_mesh_find(gfx, mesh_name);
    if (mesh_name.id != 0 && gfx3d_mesh_at(gfx, index)->name.id != mesh_name.id)
        return GFX3D_NO_BATCH; // no memory for the mesh: tried again in the next frame
    Gfx3dBatch batch = { .key = key_of(mesh_name, material_name, flags),
                         .mesh = index,
                         .flags = flags & KEY_FLAGS };
    batch.material = material_name.id != 0 ? gfx3d_material_find(gfx, material_name) : GFX3D_NONE;
    const Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, index);
    if (mesh->missing) batch.material = GFX3D_MATERIAL_ERROR;
    if (!mesh->loaded) mesh = gfx3d_mesh_at(gfx, batch.mesh = 0); // the placeholder, until it is
    batch.reach = mesh->reach;
    batch.first_list = e->list_count;
    batch.level_count = (flags & FILO_MESH_FULL_DETAIL) != 0 ? 1 : FILO_MAX(mesh->level_count, 1u);
    if (!has_room(e, batch.level_count)) return GFX3D_NO_BATCH;
    for (uint32_t level = 0; level < batch.level_count; level++) {
        batch.level_error[level] = mesh->levels[level].error;
        batch.level_distance[level] = mesh->levels[level].distance;
        for (uint32_t i = 0; i < mesh->levels[level].part_count; i++) {
            uint32_t own = mesh->parts[mesh->levels[level].first_part + i].material;
            uint32_t material = batch.material != GFX3D_NONE ? batch.material : own;
            if (material == GFX3D_NONE) material = gfx3d_material_find(gfx, (FiloName){ 0 });
            batch.blended = batch.blended || part_is_blended(gfx, material);
            batch.casts_shadow = batch.casts_shadow || gfx3d_material_info(gfx, material).casts_shadow;
        }
    }
    batch.casts_shadow = batch.casts_shadow && (flags & FILO_MESH_NO_SHADOW) == 0;
    uint16_t *slot = filo_map_put(&e->batch_by_key, batch.key);
    if (slot == NULL) return GFX3D_NO_BATCH;
    if (!filo_array_push(&e->first_lists, batch.first_list) || !filo_array_push(&e->batches, batch)) {
        e->first_lists.count = e->batches.count;
        filo_map_remove(&e->batch_by_key, batch.key);
        return GFX3D_NO_BATCH;
    }
    e->list_count += batch.level_count;
    e->items_valid = false;
    return *slot = (uint16_t)(e->batches.count - 1);
}

void gfx3d_batches_update(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->generation != 0 && e->seen_meshes == gfx->mesh_generation &&
        e->seen_materials == gfx->material_generation)
        return;
    e->seen_meshes = gfx->mesh_generation;
    e->seen_materials = gfx->material_generation;
    e->generation++;
    filo_array_clear(&e->batches);
    filo_array_clear(&e->first_lists);
    filo_map_clear(&e->batch_by_key);
    e->list_count = 0;
    e->items_valid = false;
}

// ---- Batches of rows --------------------------------------------------------------------------------------------

static bool is_mirrored(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t i) {
    if (rows->worlds != NULL && rows->worlds[i].valid) return filo_mat4_determinant(rows->worlds[i].now) < 0;
    if (!gfx3d_rows_are_plain(rows)) {
        FiloMat34 m = gfx3d_row_matrix(gfx, rows, i);
        FiloVec3 x = { m.m[0], m.m[1], m.m[2] }, y = { m.m[4], m.m[5], m.m[6] },
                 z = { m.m[8], m.m[9], m.m[10] };
        return filo_vec3_dot(filo_vec3_cross(x, y), z) < 0;
    }
    FiloVec3 scale = rows->transforms[i].scale;
    return scale.x * scale.y * scale.z < 0;
}

static bool some_are_mirrored(const FiloGfx3d *gfx, const Gfx3dRows *rows) {
    bool some = false;
    if (rows->instances != NULL) return false;
    for (uint32_t i = 0; i < rows->count; i++) some |= is_mirrored(gfx, rows, i);
    return some;
}

static uint32_t flags_of(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t i) {
    return (rows->meshes[i].flags & ~MIRRORED) |
           (rows->mirrored && is_mirrored(gfx, rows, i) ? MIRRORED : 0u);
}

static void resolve_rows(const FiloGfx3d *gfx, Gfx3dRows *rows) {
    const Gfx3dExtraction *e = gfx->extraction;
    uint64_t last_key = UINT64_MAX;
    uint16_t last = GFX3D_NO_BATCH;
    rows->mirrored = some_are_mirrored(gfx, rows);
    rows->turned = false;
    rows->unknown = rows->blended = false;
    rows->simple = rows->white = true;
    rows->drawn_rows = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        const FiloMesh *mesh = &rows->meshes[i];
        rows->batches[i] = GFX3D_NO_BATCH;
        if ((mesh->flags & FILO_MESH_HIDDEN) != 0) continue;
        uint32_t flags = flags_of(gfx, rows, i);
        uint64_t key = key_of(mesh->mesh, mesh->material, flags);
        if (key != last_key) {
            last_key = key;
            last = gfx3d_batch_look_up(e, mesh->mesh, mesh->material, flags);
        }
        rows->batches[i] = last;
        rows->unknown = rows->unknown || last == GFX3D_NO_BATCH;
        if (last == GFX3D_NO_BATCH) continue;
        const Gfx3dBatch *batch = &e->batches.items[last];
        rows->drawn_rows++;
        rows->blended = rows->blended || batch->blended;
        rows->simple = rows->simple && batch->level_count == 1 && !(mesh->range > 0);
        rows->white = rows->white && filo_color_equal(mesh->color, (FiloColor){ 0 }) && mesh->values.x == 0 &&
                      mesh->values.y == 0;
    }
    rows->visible_rows = rows->drawn_rows;
    rows->generation = e->generation;
}

// Whether rows may have another batch than before, because a scale has changed its sign. Among rows that are not mirrored, the
// kernels notice the first one that is, so it is drawn right from the next frame on: to look at all scales here would
// take a fifth of the time of an extraction.
static bool must_resolve(const FiloGfx3d *gfx, const Gfx3dRows *rows) {
    if (rows->generation != gfx->extraction->generation || rows->meshes_changed) return true;
    if (gfx3d_rows_are_plain(rows) && !rows->mirrored) return rows->turned;
    return rows->changed && (rows->mirrored || some_are_mirrored(gfx, rows));
}

static void resolve_range(size_t begin, size_t end, void *user) {
    const FiloGfx3d *gfx = user;
    for (size_t i = begin; i < end; i++) {
        Gfx3dRows *rows = gfx->extraction->rows.items[i];
        if (rows->instances != NULL || !must_resolve(gfx, rows)) continue;
        rows->cached = false;
        resolve_rows(gfx, rows);
    }
}

void gfx3d_batches_resolve(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    filo_jobs_for(gfx->jobs, e->rows.count, resolve_range, gfx);
    for (size_t n = 0; n < e->rows.count; n++) {
        Gfx3dRows *rows = e->rows.items[n];
        if (!rows->unknown || rows->instances != NULL) continue;
        for (uint32_t i = 0; i < rows->count; i++) {
            const FiloMesh *mesh = &rows->meshes[i];
            if (rows->batches[i] == GFX3D_NO_BATCH && (mesh->flags & FILO_MESH_HIDDEN) == 0)
                (void)gfx3d_batch_add(gfx, mesh->mesh, mesh->material, flags_of(gfx, rows, i));
        }
        // A row that is still without a batch has no memory for one. The next frame tries again.
        resolve_rows(gfx, rows);
        rows->cached = false;
    }
}

// ---- What is drawn ----------------------------------------------------------------------------------------------

static Gfx3dPass sorted_pass;
static const FiloGfx3d *sorted_gfx;

static int compare_items(const void *pa, const void *pb) {
    const Gfx3dDrawItem *a = pa, *b = pb;
    uint32_t ka = gfx3d_material_info(sorted_gfx, a->material).keys[sorted_pass];
    uint32_t kb = gfx3d_material_info(sorted_gfx, b->material).keys[sorted_pass];
    if (a->variant != b->variant) return a->variant < b->variant ? -1 : 1;
    if (ka != kb) return ka < kb ? -1 : 1;
    if (a->material != b->material) return a->material < b->material ? -1 : 1;
    if (a->list != b->list) return a->list < b->list ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int compare_lists(const void *pa, const void *pb) {
    const Gfx3dDrawItem *a = pa, *b = pb;
    if (a->list != b->list) return a->list < b->list ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static bool add_items(FiloGfx3d *gfx, const Gfx3dBatch *batch) {
    Gfx3dExtraction *e = gfx->extraction;
    const Gfx3dMesh *mesh = gfx3d_mesh_at(gfx, batch->mesh);
    bool ok = true;
    for (uint32_t level = 0; level < batch->level_count && level < mesh->level_count; level++)
        for (uint32_t i = 0; i < mesh->levels[level].part_count && ok; i++) {
            const Gfx3dMeshPart *part = &mesh->parts[mesh->levels[level].first_part + i];
            Gfx3dDrawItem item = { .list = batch->first_list + level,
                                   .first = part->first,
                                   .count = part->count,
                                   .base_vertex = mesh->levels[level].base_vertex };
            item.material = batch->material != GFX3D_NONE ? batch->material : part->material;
            if (item.material == GFX3D_NONE) item.material = gfx3d_material_find(gfx, (FiloName){ 0 });
            item.variant = (mesh->skinned ? GFX3D_SKINNED : 0u) |
                           ((batch->flags & FILO_MESH_WIREFRAME) != 0 ? GFX3D_WIREFRAME : 0u) |
                           ((batch->flags & MIRRORED) != 0 ? GFX3D_MIRRORED : 0u);
            item.casts_shadow = batch->casts_shadow && gfx3d_material_info(gfx, item.material).casts_shadow;
            if (part_is_blended(gfx, item.material))
                ok = filo_array_push(&e->blended_items, item);
            else
                for (int pass = 0; pass < GFX3D_PASSES && ok; pass++)
                    if (pass != GFX3D_PASS_SHADOW || item.casts_shadow)
                        ok = filo_array_push(&e->items[pass], item);
        }
    return ok;
}

void gfx3d_batches_sort_items(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->items_valid) return;
    for (int pass = 0; pass < GFX3D_PASSES; pass++) filo_array_clear(&e->items[pass]);
    filo_array_clear(&e->blended_items);
    filo_array_clear(&e->first_blended);
    bool ok = true;
    filo_array_each (&e->batches, batch) ok = ok && add_items(gfx, batch);
    ok = ok && filo_array_resize(&e->first_blended, e->list_count + 1);
    if (!ok) return; // reported by the allocator; tried again in the next frame
    sorted_gfx = gfx;
    for (int pass = 0; pass < GFX3D_PASSES; pass++) {
        sorted_pass = (Gfx3dPass)pass;
        if (e->items[pass].count > 1)
            qsort(e->items[pass].items, e->items[pass].count, sizeof(Gfx3dDrawItem), compare_items);
    }
    if (e->blended_items.count > 1)
        qsort(e->blended_items.items, e->blended_items.count, sizeof(Gfx3dDrawItem), compare_lists);
    uint32_t at = 0;
    for (uint32_t list = 0; list <= e->list_count; list++) {
        while (at < e->blended_items.count && e->blended_items.items[at].list < list) at++;
        e->first_blended.items[list] = at;
    }
    e->items_valid = true;
}
