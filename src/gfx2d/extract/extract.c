// Parts: the chunks of the world that have sprites, and which of them must be built anew.
//
// A part is found again by the id of its chunk. It rests when nothing in the chunk was written since the last
// extraction (filo_changed) and nothing in it was moving. Then its quads are built once more, all of them, not only
// what is seen, and stay: until something is written, or an image changes.
//
// Of those that do not rest, parts of which nearly everything is seen are built straight into the packet; the
// others, with only what is seen, into memory of their own, and copied from there.

#include "gfx2d/renderer.h"

#include <filo/log.h>
#include <filo/time.h>

FiloResult gfx2d_extract_init(FiloGfx2d *gfx) {
    gfx->parts.allocator = gfx->part_by_chunk.allocator = gfx->spare_parts.allocator = gfx->allocator;
    gfx->views.allocator = gfx->memories.allocator = gfx->allocator;
    gfx->segments.allocator = gfx->to_sort.allocator = gfx->allocator;
    gfx->sprites =
        filo_query(gfx->world, FILO_READ(FiloTransform2), FILO_READ(FiloSprite),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2));
    gfx->cameras =
        filo_query(gfx->world, FILO_READ(FiloCamera), FILO_READ(FiloTransform2),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2));
    gfx->stray_sprites = filo_query(gfx->world, FILO_WITH(FiloTransform2), FILO_WITH(FiloSprite),
                                    FILO_WITH(FiloFamily), FILO_WITHOUT(FiloWorldTransform2));
    gfx->inactive_members = filo_query_create(
        gfx->world, &(FiloQueryDesc){ .terms = { FILO_WITH(FiloFamily) }, .activity = FILO_INACTIVE });
    gfx->concealed_list.allocator = gfx->concealed_before.allocator = gfx->allocator;
    filo_bits_init(&gfx->concealed, gfx->allocator);
    if (gfx->sprites == NULL || gfx->cameras == NULL || gfx->stray_sprites == NULL ||
        gfx->inactive_members == NULL)
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
    filo_array_each (&gfx->memories, memory) filo_array_deinit(memory);
    filo_array_deinit(&gfx->parts);
    filo_array_deinit(&gfx->part_by_chunk);
    filo_array_deinit(&gfx->spare_parts);
    filo_array_deinit(&gfx->memories);
    filo_array_deinit(&gfx->views);
    filo_array_deinit(&gfx->segments);
    filo_array_deinit(&gfx->to_sort);
    gfx2d_extract_order_deinit(gfx);
    filo_query_release(gfx->sprites);
    filo_query_release(gfx->cameras);
    filo_query_release(gfx->stray_sprites);
    filo_query_release(gfx->inactive_members);
    filo_bits_deinit(&gfx->concealed);
    filo_array_deinit(&gfx->concealed_list);
    filo_array_deinit(&gfx->concealed_before);
}

void gfx2d_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (gfx->jobs != NULL && count > 1)
        filo_jobs_for(gfx->jobs, count, function, user);
    else
        function(0, count, user);
}

// ---- Finding parts ------------------------------------------------------------------------------------------

// Nothing is known of its chunk yet.
static void begin_part(Gfx2dPart *part, FiloChunkId chunk) {
    part->chunk = chunk;
    part->known = part->scanned = part->full = part->concealed = false;
}

static Gfx2dPart *new_part(FiloGfx2d *gfx) {
    Gfx2dPart *part;
    if (filo_array_pop(&gfx->spare_parts, &part)) return part;
    // Room to put it aside when its chunk goes.
    size_t all = gfx->part_count + 1;
    if (gfx->spare_parts.capacity < all && !filo_array_reserve(&gfx->spare_parts, all * 2)) return NULL;
    return filo_alloc_zero(gfx->allocator, sizeof *part, 0);
}

static void put_aside(FiloGfx2d *gfx, Gfx2dPart **slot) {
    if (!filo_array_push(&gfx->spare_parts, *slot)) free_part(gfx, *slot);
    *slot = NULL;
    gfx->part_count--;
}

// The part of a chunk, new or known; NULL without memory.
static Gfx2dPart *part_of(FiloGfx2d *gfx, FiloChunkId chunk) {
    if (chunk.index >= gfx->part_by_chunk.count &&
        !filo_array_resize(&gfx->part_by_chunk, filo_world_chunk_end(gfx->world)))
        return NULL;
    Gfx2dPart **slot = &gfx->part_by_chunk.items[chunk.index];
    if (*slot == NULL) {
        Gfx2dPart *part = new_part(gfx);
        if (part == NULL) return NULL;
        begin_part(part, chunk);
        *slot = part;
        gfx->part_count++;
    } else if (!filo_chunk_equal((*slot)->chunk, chunk)) {
        begin_part(*slot, chunk); // the one before has gone
    }
    return *slot;
}

static void set_part(Gfx2dPart *part, const FiloIter *it) {
    part->sprites_changed = filo_changed(it, FiloSprite);
    part->changed = part->sprites_changed || filo_changed(it, FiloTransform2) ||
                    filo_changed(it, FiloPreviousTransform2) || filo_changed(it, FiloWorldTransform2);
    part->transforms = filo_read(it, FiloTransform2);
    part->sprites = filo_read(it, FiloSprite);
    part->before = filo_read(it, FiloPreviousTransform2);
    part->worlds = filo_read(it, FiloWorldTransform2);
    part->indices = filo_iter_indices(it);
    part->rows = (uint32_t)it->count;
}

// The list of parts in the order of the world.
static void find_parts(FiloGfx2d *gfx) {
    filo_array_clear(&gfx->parts);
    uint32_t extraction = ++gfx->extraction;
    size_t found = 0;
    FiloIter it = filo_query_iter_since(gfx->sprites, &gfx->seen);
    while (filo_iter_next(&it)) {
        gfx->stats.sprites += it.count;
        Gfx2dPart *part = part_of(gfx, filo_iter_chunk(&it));
        if (part == NULL) continue;
        set_part(part, &it);
        gfx2d_extract_conceal_part(gfx, part);
        if (!filo_array_push(&gfx->parts, part)) continue; // its chunk is new to the next extraction
        part->extraction = extraction;
        found++;
    }
    if (found == gfx->part_count) return;
    filo_array_each (&gfx->part_by_chunk, slot)
        if (*slot != NULL && (*slot)->extraction != extraction) put_aside(gfx, slot);
}

// ---- Building them ------------------------------------------------------------------------------------------

static void scan_parts(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++) {
        Gfx2dPart *part = gfx->parts.items[i];
        if (part->sprites_changed || !part->scanned || part->scan_generation != gfx->generation)
            gfx2d_extract_scan(gfx, part);
    }
}

// Memory for quads of its own. Nothing in it is needed any more. False without.
static bool make_room(FiloGfx2d *gfx, Gfx2dPart *part) {
    if (part->wild && part->sort_capacity < part->rows) {
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
    part->kinds = (uint8_t *)(part->quads + capacity);
    part->capacity = capacity;
    return true;
}

// Decides what becomes of a part. False if there is no memory for it: it is left out.
static bool choose_mode(FiloGfx2d *gfx, Gfx2dPart *part) {
    bool rests = part->known && !part->changed && !part->moving && !gfx->strays;
    if (rests && part->full && part->generation == gfx->generation) {
        part->mode = GFX2D_PART_KEPT;
        return true;
    }
    gfx->stats.rebuilt += part->rows;
    bool nearly_all = !part->known || part->shown >= part->rows - part->rows / 32;
    part->full = rests;
    if (!rests && nearly_all && gfx->one_view && !part->wild && !part->concealed &&
        !gfx->views.items[0].snap) {
        part->mode = GFX2D_PART_DIRECT;
        return true;
    }
    part->mode = GFX2D_PART_STAGED;
    part->count = 0;
    return make_room(gfx, part);
}

static void build_parts(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++)
        if (gfx->parts.items[i]->mode == GFX2D_PART_STAGED) gfx2d_extract_build(gfx, gfx->parts.items[i]);
}

void gfx2d_extract_parts(FiloGfx2d *gfx) {
    gfx->stats.sprites = gfx->stats.rebuilt = 0;
    gfx->strays = !gfx->settled && filo_query_first(gfx->stray_sprites).id != 0;
    find_parts(gfx);
    gfx2d_extract_for(gfx, gfx->parts.count, scan_parts, gfx);
    // Images that are seen for the first time: what is there already is shown at once.
    if (gfx2d_images_request(gfx)) gfx2d_extract_for(gfx, gfx->parts.count, scan_parts, gfx);
    bool staged = false;
    filo_array_each (&gfx->parts, item) {
        Gfx2dPart *part = *item;
        if (!choose_mode(gfx, part)) {
            // Nothing of it is shown, and next time it is tried again.
            part->mode = GFX2D_PART_KEPT;
            part->count = part->key_count = 0;
            part->full = part->known = part->scanned = false;
        }
        staged = staged || part->mode == GFX2D_PART_STAGED;
    }
    if (staged) gfx2d_extract_for(gfx, gfx->parts.count, build_parts, gfx);
}

// ---- The packet -------------------------------------------------------------------------------------------

bool gfx2d_extract_take(FiloGfx2d *gfx, Gfx2dView *view, size_t count) {
    view->quad_count = 0;
    view->quads = NULL;
    if (count == 0) return true;
    if (gfx->gpu != NULL) {
        if (!filo_gpu_ring_take(gfx->gpu, gfx->ring, count * sizeof(FiloQuad), &view->piece)) return false;
        view->quads = view->piece.memory;
    } else {
        size_t number = (size_t)(view - gfx->views.items);
        while (gfx->memories.count <= number)
            if (!filo_array_push(&gfx->memories, (Gfx2dQuadArray){ .allocator = gfx->allocator }))
                return false;
        Gfx2dQuadArray *memory = &gfx->memories.items[number];
        if (memory->capacity < count) {
            // What it holds is of no use any more: freed first, so that both never exist at once.
            filo_array_deinit(memory);
            if (!filo_array_reserve(memory, count + count / 4)) return false;
        }
        view->quads = memory->items;
    }
    view->quad_count = count;
    return true;
}

void gfx2d_extract_done(FiloGfx2d *gfx) {
    if (gfx->gpu == NULL) return;
    filo_array_each (&gfx->views, view)
        if (view->piece.memory != NULL) filo_gpu_ring_done(gfx->gpu, gfx->ring, &view->piece);
}

// Where nobody says how long a tick is.
static float seconds_of_ticks(const FiloGfx2d *gfx) {
    return filo_max((float)filo_world_ticks(gfx->world) - 1 + gfx->blend, 0) * (1.0f / 60.0f);
}

// How large a window is, is up to the player.
static FiloExtract cut_to_limits(FiloGfx2d *gfx, const FiloExtract *extract) {
    int most = FILO_PIXELS_MAX;
    if (gfx->gpu != NULL) most = FILO_MIN(most, filo_gpu_limits(gfx->gpu)->picture_size);
    FiloExtract cut = *extract;
    cut.width = FILO_MIN(cut.width, most);
    cut.height = FILO_MIN(cut.height, most);
    bool is_cut = cut.width < extract->width || cut.height < extract->height;
    if (is_cut && !gfx->was_cut)
        filo_log_warn("gfx2d", "a picture of %d × %d is drawn as one of %d × %d", extract->width,
                      extract->height, cut.width, cut.height);
    gfx->was_cut = gfx->was_cut || is_cut;
    return cut;
}

void filo_gfx2d_extract(FiloGfx2d *gfx, const FiloExtract *extract) {
    if (!FILO_CHECK(gfx != NULL && extract != NULL, "pass a renderer and what to extract") ||
        !FILO_CHECK(extract->width >= 1 && extract->height >= 1, "cannot extract for a picture of %d × %d",
                    extract->width, extract->height))
        return;
    int64_t begin = filo_time_ns();
    FiloExtract cut = cut_to_limits(gfx, extract);
    extract = &cut;
    gfx2d_extract_done(gfx); // of one that was never drawn
    gfx->blend = filo_clamp01(extract->blend);
    gfx->width = extract->width;
    gfx->height = extract->height;
    gfx->time = extract->time > 0.0f ? extract->time : seconds_of_ticks(gfx);
    gfx2d_images_update(gfx);
    gfx2d_frames_cover_names(gfx);
    gfx->settled = filo_transform_settled(gfx->world);
    gfx2d_extract_concealed(gfx);
    gfx2d_extract_views(gfx, extract);
    gfx2d_extract_parts(gfx);
    filo_array_clear(&gfx->segments);
    gfx->stats.visible = 0;
    filo_array_each (&gfx->views, view) gfx2d_extract_order(gfx, view);
    gfx2d_draw_begin(gfx->draw, extract->width, extract->height);
    gfx->extracted = true;
    gfx->rendered = false;
    gfx->due = (Gfx2dRenderPart){ .sprites = true };
    gfx->stats.extract_ms = (double)(filo_time_ns() - begin) * 1e-6;
}
