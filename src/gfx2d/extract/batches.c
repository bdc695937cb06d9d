// Batches: quads of other modules, such as the letters of texts in the world, which are ordered with the sprites.
//
// A batch becomes a part with one key that is never built: its quads are those of the module. In a layer that is sorted by
// y, every quad has a key of its own; these are kept as long as the version of the batch stays the same.

#include "gfx2d/renderer.h"

FiloResult filo_gfx2d_add_source(FiloGfx2d *gfx, const FiloQuadSource *source) {
    if (gfx == NULL || source == NULL || source->extract == NULL)
        return FILO_MISTAKE("pass a renderer, and a source with a function");
    if (!filo_array_push(&gfx->sources, *source))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a source of quads");
    return filo_ok();
}

void filo_gfx2d_remove_source(FiloGfx2d *gfx, void *user) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return;
    for (size_t i = gfx->sources.count; i-- > 0;)
        if (gfx->sources.items[i].user == user) filo_array_remove(&gfx->sources, i);
}

// Sets the keys of quads in a layer that is sorted by y. False without memory.
static bool set_sort_keys(FiloGfx2d *gfx, Gfx2dPart *part, const FiloQuadBatch *batch, bool same) {
    uint32_t count = (uint32_t)batch->count;
    if (same && part->unsorted && part->sort_capacity >= count) return true;
    if (part->sort_capacity < count) {
        uint32_t capacity = count + count / 2;
        Gfx2dSortKey *keys = filo_resize(gfx->allocator, part->sort_keys, part->sort_capacity * sizeof *keys,
                                         capacity * sizeof *keys, 0);
        if (keys == NULL) return false;
        part->sort_keys = keys;
        part->sort_capacity = capacity;
    }
    // State 0: sprites and letters that alternate share a draw call.
    Gfx2dSortKey key = gfx2d_extract_plain_key(batch->layer, batch->order, 0);
    for (uint32_t i = 0; i < count; i++)
        part->sort_keys[i] =
            gfx2d_extract_key_at(key, batch->heights != NULL ? batch->heights[i] : batch->quads[i].y);
    return true;
}

static Gfx2dPart *next_part(FiloGfx2d *gfx) {
    if (gfx->batch_count < gfx->batches.count) return gfx->batches.items[gfx->batch_count];
    Gfx2dPart *part = filo_alloc_zero(gfx->allocator, sizeof *part, 0);
    if (part == NULL) return NULL;
    if (filo_array_push(&gfx->batches, part)) return part;
    filo_free(gfx->allocator, part, sizeof *part, 0);
    return NULL;
}

void filo_gfx2d_add_batch(FiloGfx2d *gfx, const FiloQuadBatch *batch) {
    if (!FILO_CHECK(gfx != NULL && batch != NULL, "pass a renderer and a batch") ||
        !FILO_CHECK(gfx->in_sources,
                    "add batches inside of the function of a source: filo_gfx2d_add_source") ||
        !FILO_CHECK(batch->quads != NULL || batch->count == 0, "pass %zu quads", batch->count))
        return;
    if (batch->count == 0 || batch->count > INT32_MAX) return;
    Gfx2dPart *part = next_part(gfx);
    if (part == NULL || !filo_array_reserve(&gfx->parts, gfx->parts.count + 1)) return; // it was reported
    bool same = part->quads == batch->quads && part->count == batch->count && part->version == batch->version;
    bool by_y = gfx2d_extract_sorted_by_y(gfx, batch->layer);
    if (by_y && !set_sort_keys(gfx, part, batch, same)) return;
    part->mode = GFX2D_PART_CACHED;
    part->borrowed = true;
    part->quads = (FiloQuad *)batch->quads; // never written to: the part is not built
    part->count = (uint32_t)batch->count;
    part->version = batch->version;
    part->unsorted = by_y;
    part->features = GFX2D_FEATURE_LINEAR | GFX2D_FEATURE_SHAPES | GFX2D_FEATURE_DISTANCE;
    part->bounds = batch->bounds;
    part->key_count = 1;
    part->keys[0] = gfx2d_extract_plain_key(batch->layer, batch->order, GFX2D_STATE_GLYPHS);
    part->key_sizes[0] = part->count;
    (void)filo_array_push(&gfx->parts, part); // it was reserved
    gfx->batch_count++;
}

void gfx2d_extract_batches(FiloGfx2d *gfx, const FiloExtract *extract) {
    gfx->batch_count = 0;
    gfx->in_sources = true;
    for (size_t i = 0; i < gfx->sources.count; i++)
        gfx->sources.items[i].extract(gfx, extract, gfx->sources.items[i].user);
    gfx->in_sources = false;
}

void gfx2d_extract_batches_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->batches, part) {
        filo_free(gfx->allocator, (*part)->sort_keys, (*part)->sort_capacity * sizeof(Gfx2dSortKey), 0);
        filo_free(gfx->allocator, *part, sizeof **part, 0);
    }
    filo_array_deinit(&gfx->batches);
    filo_array_deinit(&gfx->sources);
}
