// Parts: the chunks of the world that have sprites, and which of them must be built again.
//
// A part is found by the id of its chunk. It is at rest if nothing in the chunk was written since the last extraction
// (filo_changed) and nothing in it was moving. Then the quads of all its rows are built once, visible or not, and
// cached until a column of the chunk is written or an image changes.
//
// A part that is not at rest is built in every extraction: into the packet (direct), if nearly all of its rows are
// visible; otherwise only the visible rows, into memory of the part, and copied to the packet from there (staged).

#include "gfx2d/renderer.h"

#include "base/suggest.h"

#include <filo/log.h>
#include <filo/time.h>

FiloResult gfx2d_extract_init(FiloGfx2d *gfx) {
    gfx->parts.allocator = gfx->part_by_chunk.allocator = gfx->spare_parts.allocator = gfx->allocator;
    gfx->views.allocator = gfx->view_quads.allocator = gfx->allocator;
    gfx->segments.allocator = gfx->to_sort.allocator = gfx->allocator;
    gfx->sources.allocator = gfx->batches.allocator = gfx->allocator;
    gfx->sprites =
        filo_query(gfx->world, FILO_READ(FiloTransform2), FILO_READ(FiloSprite),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2));
    gfx->cameras =
        filo_query(gfx->world, FILO_READ(FiloCamera), FILO_READ(FiloTransform2),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2));
    gfx->unresolved_sprites = filo_query(gfx->world, FILO_WITH(FiloTransform2), FILO_WITH(FiloSprite),
                                         FILO_WITH(FiloFamily), FILO_WITHOUT(FiloWorldTransform2));
    gfx->lost_animations = filo_query(gfx->world, FILO_WITH(FiloAnimation), FILO_WITHOUT(FiloSprite));
    gfx->concealed = filo_concealed_create(gfx->world, gfx->allocator);
    if (gfx->sprites == NULL || gfx->cameras == NULL || gfx->unresolved_sprites == NULL ||
        gfx->lost_animations == NULL || gfx->concealed == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the queries of the renderer");
    return filo_ok();
}

static void free_part(FiloGfx2d *gfx, Gfx2dPart *part) {
    if (part == NULL) return;
    filo_free(gfx->allocator, part->quads, part->capacity * (sizeof(FiloQuad) + 1), FILO_CACHE_LINE);
    filo_free(gfx->allocator, part->sort_keys, part->sort_capacity * sizeof(Gfx2dSortKey), 0);
    filo_free(gfx->allocator, part, sizeof *part, 0);
}

void gfx2d_extract_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->part_by_chunk, part) free_part(gfx, *part);
    filo_array_each (&gfx->spare_parts, part) free_part(gfx, *part);
    gfx2d_extract_batches_deinit(gfx);
    filo_array_each (&gfx->view_quads, quads) filo_array_deinit(quads);
    filo_array_deinit(&gfx->parts);
    filo_array_deinit(&gfx->part_by_chunk);
    filo_array_deinit(&gfx->spare_parts);
    filo_array_deinit(&gfx->view_quads);
    filo_array_deinit(&gfx->views);
    filo_array_deinit(&gfx->segments);
    filo_array_deinit(&gfx->to_sort);
    gfx2d_extract_order_deinit(gfx);
    filo_query_release(gfx->sprites);
    filo_query_release(gfx->cameras);
    filo_query_release(gfx->unresolved_sprites);
    filo_query_release(gfx->lost_animations);
    filo_concealed_destroy(gfx->concealed);
}

void gfx2d_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (gfx->jobs != NULL && count > 1)
        filo_jobs_for(gfx->jobs, count, function, user);
    else
        function(0, count, user);
}

// ---- Finding parts ------------------------------------------------------------------------------------------

static void reset_part(Gfx2dPart *part, FiloChunkId chunk) {
    part->chunk = chunk;
    part->was_built = part->keys_counted = part->full = part->concealed = false;
}

static Gfx2dPart *new_part(FiloGfx2d *gfx) {
    Gfx2dPart *part;
    if (filo_array_pop(&gfx->spare_parts, &part)) return part;
    // Capacity for all parts, so that recycle_part cannot fail.
    size_t all = gfx->part_count + 1;
    if (gfx->spare_parts.capacity < all && !filo_array_reserve(&gfx->spare_parts, all * 2)) return NULL;
    return filo_alloc_zero(gfx->allocator, sizeof *part, 0);
}

static void recycle_part(FiloGfx2d *gfx, Gfx2dPart **slot) {
    if (!filo_array_push(&gfx->spare_parts, *slot)) free_part(gfx, *slot);
    *slot = NULL;
    gfx->part_count--;
}

// The part of a chunk, added if there is none; NULL without memory.
static Gfx2dPart *part_of(FiloGfx2d *gfx, FiloChunkId chunk) {
    if (chunk.index >= gfx->part_by_chunk.count &&
        !filo_array_resize(&gfx->part_by_chunk, filo_world_chunk_end(gfx->world)))
        return NULL;
    Gfx2dPart **slot = &gfx->part_by_chunk.items[chunk.index];
    if (*slot == NULL) {
        Gfx2dPart *part = new_part(gfx);
        if (part == NULL) return NULL;
        reset_part(part, chunk);
        *slot = part;
        gfx->part_count++;
    } else if (!filo_chunk_equal((*slot)->chunk, chunk)) {
        reset_part(*slot, chunk); // another chunk has this index now
    }
    return *slot;
}

static void set_columns(Gfx2dPart *part, const FiloIter *it) {
    part->sprites_changed = filo_changed(it, FiloSprite);
    part->changed = part->sprites_changed || filo_changed(it, FiloTransform2) ||
                    filo_changed(it, FiloPreviousTransform2) || filo_changed(it, FiloWorldTransform2);
    part->transforms = filo_read(it, FiloTransform2);
    part->sprites = filo_read(it, FiloSprite);
    part->previous = filo_read(it, FiloPreviousTransform2);
    part->world_transforms = filo_read(it, FiloWorldTransform2);
    part->entity_indices = filo_iter_indices(it);
    part->rows = (uint32_t)it->count;
}

// Lists the parts in the order of the world.
static void find_parts(FiloGfx2d *gfx) {
    filo_array_clear(&gfx->parts);
    uint32_t extraction = ++gfx->extraction;
    size_t found = 0;
    FiloIter it = filo_query_iter_since(gfx->sprites, &gfx->seen);
    while (filo_iter_next(&it)) {
        gfx->stats.sprites += it.count;
        Gfx2dPart *part = part_of(gfx, filo_iter_chunk(&it));
        if (part == NULL) continue;
        set_columns(part, &it);
        gfx2d_extract_conceal_part(gfx, part);
        if (!filo_array_push(&gfx->parts, part)) continue; // it is recycled, and added by the next extraction
        part->extraction = extraction;
        found++;
    }
    if (found == gfx->part_count) return;
    filo_array_each (&gfx->part_by_chunk, slot)
        if (*slot != NULL && (*slot)->extraction != extraction) recycle_part(gfx, slot);
}

// ---- Building them ------------------------------------------------------------------------------------------

static void count_keys(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++) {
        Gfx2dPart *part = gfx->parts.items[i];
        if (part->sprites_changed || !part->keys_counted || part->key_generation != gfx->generation)
            gfx2d_extract_count_keys(gfx, part);
    }
}

// Memory for the quads of a staged part. What it held is lost. False without.
static bool reserve_quads(FiloGfx2d *gfx, Gfx2dPart *part) {
    if (part->unsorted && part->sort_capacity < part->rows) {
        Gfx2dSortKey *keys =
            filo_resize(gfx->allocator, part->sort_keys, part->sort_capacity * sizeof *part->sort_keys,
                        part->rows * sizeof *part->sort_keys, 0);
        if (keys == NULL) return false;
        part->sort_keys = keys;
        part->sort_capacity = part->rows;
    }
    if (part->rows <= part->capacity) return true;
    uint32_t capacity = (FILO_MAX(part->rows, part->capacity + part->capacity / 2) + 63) & ~63u;
    filo_free(gfx->allocator, part->quads, part->capacity * (sizeof(FiloQuad) + 1), FILO_CACHE_LINE);
    part->capacity = 0;
    part->quads = filo_alloc(gfx->allocator, capacity * (sizeof(FiloQuad) + 1), FILO_CACHE_LINE);
    if (part->quads == NULL) return false;
    part->key_indices = (uint8_t *)(part->quads + capacity);
    part->capacity = capacity;
    return true;
}

// False if there is no memory for the part: it is left out.
static bool choose_mode(FiloGfx2d *gfx, Gfx2dPart *part) {
    bool rests = part->was_built && !part->changed && !part->moving && !gfx->has_unresolved;
    if (rests && part->full && part->generation == gfx->generation) {
        part->mode = GFX2D_PART_CACHED;
        return true;
    }
    gfx->stats.rebuilt += part->rows;
    bool nearly_all = !part->was_built || part->visible_rows >= part->rows - part->rows / 32;
    part->full = rests;
    if (!rests && nearly_all && gfx->single_view && !part->unsorted && !part->concealed &&
        !gfx->views.items[0].snap) {
        part->mode = GFX2D_PART_DIRECT;
        return true;
    }
    part->mode = GFX2D_PART_STAGED;
    part->count = 0;
    return reserve_quads(gfx, part);
}

static void build_parts(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++)
        if (gfx->parts.items[i]->mode == GFX2D_PART_STAGED) gfx2d_extract_build(gfx, gfx->parts.items[i]);
}

void gfx2d_extract_parts(FiloGfx2d *gfx) {
    gfx->stats.sprites = gfx->stats.rebuilt = 0;
    gfx->has_unresolved = !gfx->settled && filo_query_first(gfx->unresolved_sprites).id != 0;
    find_parts(gfx);
    gfx2d_extract_for(gfx, gfx->parts.count, count_keys, gfx);
    // Images that are requested now and are loaded already are shown in this frame.
    if (gfx2d_images_load_requested(gfx)) gfx2d_extract_for(gfx, gfx->parts.count, count_keys, gfx);
    bool staged = false;
    filo_array_each (&gfx->parts, item) {
        Gfx2dPart *part = *item;
        if (!choose_mode(gfx, part)) {
            // It has no quads in this frame. The next extraction tries again.
            part->mode = GFX2D_PART_CACHED;
            part->count = part->key_count = 0;
            part->full = part->was_built = part->keys_counted = false;
        }
        staged = staged || part->mode == GFX2D_PART_STAGED;
    }
    if (staged) gfx2d_extract_for(gfx, gfx->parts.count, build_parts, gfx);
}

// ---- The packet -------------------------------------------------------------------------------------------

bool gfx2d_extract_alloc_quads(FiloGfx2d *gfx, Gfx2dView *view, size_t count) {
    view->quad_count = 0;
    view->quads = NULL;
    if (count == 0) return true;
    if (gfx->gpu != NULL) {
        if (!filo_gpu_ring_take(gfx->gpu, gfx->ring, count * sizeof(FiloQuad), &view->piece)) return false;
        view->quads = view->piece.memory;
    } else {
        size_t number = (size_t)(view - gfx->views.items);
        while (gfx->view_quads.count <= number)
            if (!filo_array_push(&gfx->view_quads, (Gfx2dQuadArray){ .allocator = gfx->allocator }))
                return false;
        Gfx2dQuadArray *quads = &gfx->view_quads.items[number];
        if (quads->capacity < count) {
            // The old quads are not needed: they are freed first, so that the two blocks never exist together.
            filo_array_deinit(quads);
            if (!filo_array_reserve(quads, count + count / 4)) return false;
        }
        view->quads = quads->items;
    }
    view->quad_count = count;
    return true;
}

void gfx2d_extract_end_writes(FiloGfx2d *gfx) {
    if (gfx->gpu == NULL) return;
    filo_array_each (&gfx->views, view)
        if (view->piece.memory != NULL) filo_gpu_ring_done(gfx->gpu, gfx->ring, &view->piece);
}

// A larger picture is no mistake: the player decides how large a window is.
static FiloExtract clamp_size(FiloGfx2d *gfx, const FiloExtract *extract) {
    int max = FILO_PIXELS_MAX;
    if (gfx->gpu != NULL) max = FILO_MIN(max, filo_gpu_limits(gfx->gpu)->picture_size);
    FiloExtract clamped = *extract;
    clamped.width = FILO_MIN(clamped.width, max);
    clamped.height = FILO_MIN(clamped.height, max);
    bool too_large = clamped.width < extract->width || clamped.height < extract->height;
    if (too_large && !gfx->size_warned)
        filo_log_warn("gfx2d", "a picture of %d × %d is drawn as one of %d × %d", extract->width,
                      extract->height, clamped.width, clamped.height);
    gfx->size_warned = gfx->size_warned || too_large;
    return clamped;
}

static void check_animations(const FiloGfx2d *gfx) {
    FiloEntity entity = filo_query_first(gfx->lost_animations);
    if (FILO_UNLIKELY(entity.id != 0) && base_first_time_id("animation without a sprite", entity.id))
        filo_log_warn("gfx2d", "entity %u has FiloAnimation, but no FiloSprite for it to change: add one",
                      filo_entity_index(entity));
}

void filo_gfx2d_extract(FiloGfx2d *gfx, const FiloExtract *extract) {
    if (!FILO_CHECK(gfx != NULL && extract != NULL, "pass a renderer and what to extract") ||
        !FILO_CHECK(extract->width >= 1 && extract->height >= 1, "cannot extract for a picture of %d × %d",
                    extract->width, extract->height))
        return;
    int64_t begin = filo_time_ns();
    FiloExtract clamped = clamp_size(gfx, extract);
    extract = &clamped;
    gfx2d_extract_end_writes(gfx); // of a packet that was never drawn
    gfx->blend = filo_clamp01(extract->blend);
    gfx->width = extract->width;
    gfx->height = extract->height;
    gfx->time = extract->time;
    if (!(gfx->time > 0.0f)) // the caller passes none: ticks of 1/60 s
        gfx->time = filo_max((float)filo_world_ticks(gfx->world) - 1 + gfx->blend, 0) * (1.0f / 60.0f);
    check_animations(gfx);
    gfx2d_images_update(gfx);
    gfx2d_frames_cover_names(gfx);
    gfx->settled = filo_transform_settled(gfx->world);
    gfx2d_extract_concealed(gfx);
    gfx2d_extract_views(gfx, extract);
    gfx2d_extract_parts(gfx);
    gfx2d_extract_batches(gfx, extract);
    filo_array_clear(&gfx->segments);
    gfx->stats.visible = 0;
    filo_array_each (&gfx->views, view) gfx2d_extract_order(gfx, view);
    gfx2d_draw_begin(gfx->draw, extract->width, extract->height);
    gfx->extracted = true;
    gfx->rendered = false;
    gfx->pending = (Gfx2dRenderRange){ .sprites = true };
    gfx->stats.extract_ms = (double)(filo_time_ns() - begin) * 1e-6;
}
