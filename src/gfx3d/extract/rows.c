// The chunks of the world that have meshes. See extract.h.
//
// Rows rest if nothing in their chunk was written since the last extraction and nothing in it moves. Their instances are
// computed once, visible or not, and copied from then on.

#include "gfx3d/extract/extract.h"

void gfx3d_rows_free(FiloGfx3d *gfx, Gfx3dRows *rows) {
    size_t n = rows->capacity;
    filo_free(gfx->allocator, rows->batches, n * sizeof *rows->batches, 0);
    filo_free(gfx->allocator, rows->x, 4 * n * sizeof(float), FILO_CACHE_LINE);
    filo_free(gfx->allocator, rows->cache, rows->cache_capacity * sizeof *rows->cache, FILO_CACHE_LINE);
    rows->batches = NULL;
    rows->x = NULL;
    rows->cache = NULL;
    rows->capacity = rows->cache_capacity = 0;
}

bool gfx3d_rows_reserve(FiloGfx3d *gfx, Gfx3dRows *rows) {
    if (rows->count <= rows->capacity) return true;
    size_t n = (FILO_MAX(rows->count, rows->capacity + rows->capacity / 2) + 15) & ~(size_t)15;
    gfx3d_rows_free(gfx, rows);
    rows->cached = false;
    rows->generation = 0;
    rows->batches = filo_alloc(gfx->allocator, n * sizeof *rows->batches, 0);
    rows->x = filo_alloc(gfx->allocator, 4 * n * sizeof(float), FILO_CACHE_LINE);
    rows->capacity = (uint32_t)n;
    if (rows->batches == NULL || rows->x == NULL) {
        if (rows->batches == NULL && rows->x == NULL) rows->capacity = 0;
        if (rows->batches != NULL) filo_free(gfx->allocator, rows->batches, n * sizeof *rows->batches, 0);
        if (rows->x != NULL) filo_free(gfx->allocator, rows->x, 4 * n * sizeof(float), FILO_CACHE_LINE);
        rows->batches = NULL;
        rows->x = NULL;
        rows->capacity = 0;
        return false;
    }
    rows->y = rows->x + n;
    rows->z = rows->y + n;
    rows->radius = rows->z + n;
    return true;
}

// The rows of a chunk, added if they are new; NULL without memory.
static Gfx3dRows *rows_of(FiloGfx3d *gfx, FiloChunkId chunk) {
    Gfx3dExtraction *e = gfx->extraction;
    if (chunk.index >= e->rows_by_chunk.count &&
        !filo_array_resize(&e->rows_by_chunk, filo_world_chunk_end(gfx->world)))
        return NULL;
    Gfx3dRows **slot = &e->rows_by_chunk.items[chunk.index];
    if (*slot == NULL) {
        *slot = filo_alloc_zero(gfx->allocator, sizeof **slot, 0);
        if (*slot == NULL) return NULL;
        e->row_sets++;
    }
    if (!filo_chunk_equal((*slot)->chunk, chunk)) {
        (*slot)->chunk = chunk; // another chunk has this index now
        (*slot)->cached = false;
        (*slot)->generation = 0;
    }
    return *slot;
}

// Whether some row is at another position than a tick ago.
static bool is_moving(const Gfx3dRows *rows) {
    if (rows->worlds != NULL)
        for (uint32_t i = 0; i < rows->count; i++)
            if (rows->worlds[i].valid &&
                memcmp(&rows->worlds[i].now, &rows->worlds[i].previous, sizeof rows->worlds[i].now) != 0)
                return true;
    if (rows->previous == NULL) return false;
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->previous[i].valid &&
            memcmp(&rows->previous[i], &rows->transforms[i], sizeof *rows->transforms) != 0)
            return true;
    return false;
}

static void set_columns(Gfx3dRows *rows, const FiloIter *it) {
    rows->meshes_changed = filo_changed(it, FiloMesh);
    rows->changed = rows->meshes_changed || filo_changed(it, FiloTransform3) ||
                    filo_changed(it, FiloPreviousTransform3) || filo_changed(it, FiloWorldTransform3);
    rows->transforms = filo_read(it, FiloTransform3);
    rows->meshes = filo_read(it, FiloMesh);
    rows->previous = filo_read(it, FiloPreviousTransform3);
    rows->worlds = filo_read(it, FiloWorldTransform3);
    rows->skinned = filo_read(it, FiloSkinned) != NULL;
    rows->entity_indices = filo_iter_indices(it);
    rows->count = (uint32_t)it->count;
}

static void drop_unused(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    filo_array_each (&e->rows_by_chunk, slot) {
        if (*slot == NULL || (*slot)->extraction == e->number) continue;
        gfx3d_rows_free(gfx, *slot);
        filo_free(gfx->allocator, *slot, sizeof **slot, 0);
        *slot = NULL;
        e->row_sets--;
    }
}

// Whether some row has a parent, but no world transform yet.
static bool is_unresolved(const FiloGfx3d *gfx, const Gfx3dRows *rows) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (filo_entity_parent(gfx->world, filo_entity_at(gfx->world, rows->entity_indices[i])).id != 0)
            return true;
    return false;
}

void gfx3d_rows_find(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    filo_array_clear(&e->rows);
    e->number++;
    size_t found = 0;
    // World transforms are added by the next tick. Until then they are computed here.
    bool unsettled = !filo_transform_settled(gfx->world) && filo_query_first(e->unresolved).id != 0;
    FiloIter it = filo_query_iter_since(e->meshes, &e->seen);
    while (filo_iter_next(&it)) {
        Gfx3dRows *rows = rows_of(gfx, filo_iter_chunk(&it));
        if (rows == NULL) continue;
        gfx->stats.meshes += it.count;
        bool was_moving = rows->moving;
        set_columns(rows, &it);
#ifndef NDEBUG
        if (rows->changed) gfx3d_check_transforms(gfx, rows);
#endif
        rows->unresolved = unsettled && rows->worlds == NULL && is_unresolved(gfx, rows);
        // A chunk that was written counts as moving, until an extraction finds it unchanged and at rest.
        rows->moving = rows->changed || rows->unresolved || (was_moving && is_moving(rows));
        if (rows->changed || rows->moving || was_moving) rows->cached = false;
        if (!gfx3d_rows_reserve(gfx, rows) || !filo_array_push(&e->rows, rows)) continue;
        rows->extraction = e->number;
        found++;
    }
    if (found != e->row_sets) drop_unused(gfx);
#ifndef NDEBUG
    gfx3d_check_flat(gfx);
#endif
}
