// Parts: the chunks of the world that have sprites, and which of them must be built anew.
//
// A part is found again by the address of its chunk's transforms. It rests when nothing in the chunk was written
// since the last extraction (the world keeps versions of columns) and nothing in it was moving. Then its quads
// are built once more, all of them, not only what is seen, and stay: until something is written, or an image
// changes.
//
// Of those that do not rest, parts of which nearly everything is seen are built straight into the packet; the
// others, with only what is seen, into memory of their own, and copied from there.

#include "gfx2d/renderer.h"

#include <filo/time.h>

FiloResult filo_extract_init(FiloGfx2d *gfx) {
    filo_map_init(&gfx->old_places, sizeof(uint32_t), gfx->allocator);
    gfx->parts.allocator = gfx->old_parts.allocator = gfx->spare_parts.allocator = gfx->allocator;
    gfx->views.allocator = gfx->memories.allocator = gfx->allocator;
    gfx->segments.allocator = gfx->to_sort.allocator = gfx->allocator;
    gfx->sprites = filo_query(gfx->world, FILO_READ(FiloTransform), FILO_READ(FiloSprite),
                              FILO_MAYBE_READ(FiloPreviousTransform), FILO_MAYBE_READ(FiloPlacement));
    // The same with changes asked for, and so in the same order.
    FiloQueryDesc changed = { .terms = { FILO_READ(FiloTransform), FILO_READ(FiloSprite),
                                         FILO_MAYBE_READ(FiloPreviousTransform),
                                         FILO_MAYBE_READ(FiloPlacement) } };
    changed.terms[1].changed = true;
    gfx->sprites_changed = filo_query_create(gfx->world, &changed);
    for (size_t i = 0; i < 4; i++) changed.terms[i].changed = true;
    gfx->changed = filo_query_create(gfx->world, &changed);
    gfx->cameras = filo_query(gfx->world, FILO_READ(FiloCamera), FILO_READ(FiloTransform),
                              FILO_MAYBE_READ(FiloPreviousTransform), FILO_MAYBE_READ(FiloPlacement));
    if (gfx->sprites == NULL || gfx->changed == NULL || gfx->sprites_changed == NULL || gfx->cameras == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the queries of the renderer");
    return filo_ok();
}

static void free_part(FiloGfx2d *gfx, FiloPart *part) {
    if (part == NULL) return;
    filo_free(gfx->allocator, part->quads, part->capacity * (sizeof(FiloQuad) + 1), FILO_CACHE_LINE);
    filo_free(gfx->allocator, part->sort_keys, part->sort_capacity * sizeof(FiloSortKey), 0);
    filo_free(gfx->allocator, part, sizeof *part, 0);
}

void filo_extract_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->parts, part) free_part(gfx, *part);
    filo_array_each (&gfx->spare_parts, part) free_part(gfx, *part);
    filo_array_each (&gfx->memories, memory) filo_array_deinit(memory);
    filo_array_deinit(&gfx->parts);
    filo_array_deinit(&gfx->old_parts);
    filo_array_deinit(&gfx->spare_parts);
    filo_array_deinit(&gfx->memories);
    filo_array_deinit(&gfx->views);
    filo_array_deinit(&gfx->segments);
    filo_array_deinit(&gfx->to_sort);
    filo_map_deinit(&gfx->old_places);
    filo_extract_order_deinit(gfx);
    filo_query_release(gfx->sprites);
    filo_query_release(gfx->changed);
    filo_query_release(gfx->sprites_changed);
    filo_query_release(gfx->cameras);
}

void filo_extract_for(FiloGfx2d *gfx, size_t count, FiloRangeFunction function, void *user) {
    if (count == 0) return;
    if (gfx->jobs != NULL && count > 1)
        filo_jobs_for(gfx->jobs, count, function, user);
    else
        function(0, count, user);
}

// ---- Finding parts ------------------------------------------------------------------------------------------

// Which of the old parts had this chunk, if the order has changed; NULL if none had it.
static FiloPart *find_old(FiloGfx2d *gfx, const void *address, size_t cursor) {
    if (filo_map_count(&gfx->old_places) == 0) {
        for (size_t i = cursor; i < gfx->old_parts.count; i++) {
            uint32_t place = (uint32_t)i;
            if (gfx->old_parts.items[i] != NULL &&
                !filo_map_set(&gfx->old_places, (uint64_t)(uintptr_t)gfx->old_parts.items[i]->transforms,
                              &place))
                break; // without memory, some are built anew
        }
    }
    const uint32_t *place = filo_map_get(&gfx->old_places, (uint64_t)(uintptr_t)address);
    if (place == NULL) return NULL;
    FiloPart *part = gfx->old_parts.items[*place];
    gfx->old_parts.items[*place] = NULL;
    return part;
}

static FiloPart *new_part(FiloGfx2d *gfx) {
    FiloPart *part;
    if (filo_array_pop(&gfx->spare_parts, &part)) {
        part->known = part->scanned = part->full = false;
        return part;
    }
    // Room to put it aside when its chunk goes.
    size_t all = gfx->parts.count + gfx->old_parts.count + 1;
    if (gfx->spare_parts.capacity < all && !filo_array_reserve(&gfx->spare_parts, all * 2)) return NULL;
    return filo_alloc_zero(gfx->allocator, sizeof *part, 0);
}

static void put_aside(FiloGfx2d *gfx, FiloPart *part) {
    if (!filo_array_push(&gfx->spare_parts, part)) free_part(gfx, part);
}

// The part of a chunk, new or known.
static FiloPart *part_of(FiloGfx2d *gfx, const void *address, size_t *cursor) {
    while (*cursor < gfx->old_parts.count && gfx->old_parts.items[*cursor] == NULL) (*cursor)++;
    if (*cursor < gfx->old_parts.count && gfx->old_parts.items[*cursor]->transforms == address) {
        FiloPart *part = gfx->old_parts.items[*cursor];
        gfx->old_parts.items[(*cursor)++] = NULL;
        return part;
    }
    FiloPart *part = gfx->old_parts.count > *cursor ? find_old(gfx, address, *cursor) : NULL;
    return part != NULL ? part : new_part(gfx);
}

static void set_part(FiloPart *part, const FiloIter *it, bool changed, bool sprites_changed) {
    const void *address = filo_iter_column(it, 0).data;
    bool other = part->transforms != address || part->rows != it->count;
    part->changed = changed || other;
    part->sprites_changed = sprites_changed || other;
    part->transforms = address;
    part->sprites = filo_iter_column(it, 1).data;
    part->before = filo_iter_column(it, 2).data;
    part->placements = filo_iter_column(it, 3).data;
    part->indices = it->indices;
    part->rows = (uint32_t)it->count;
}

// Whether the next changed part is this one.
static bool take_if_same(FiloIter *changed, bool *more, const void *address) {
    if (!*more || filo_iter_column(changed, 0).data != address) return false;
    *more = filo_iter_next(changed);
    return true;
}

// The list of parts in the order of the world.
static void find_parts(FiloGfx2d *gfx) {
    FiloPartArray swap = gfx->old_parts;
    gfx->old_parts = gfx->parts;
    gfx->parts = swap;
    filo_array_clear(&gfx->parts);
    filo_map_clear(&gfx->old_places);
    size_t cursor = 0;
    FiloIter changed = filo_query_iter_since(gfx->changed, &gfx->seen_changes);
    FiloIter sprites = filo_query_iter_since(gfx->sprites_changed, &gfx->seen_sprites);
    bool more_changed = filo_iter_next(&changed), more_sprites = filo_iter_next(&sprites);
    FiloIter it = filo_query_iter(gfx->sprites);
    while (filo_iter_next(&it)) {
        const void *address = filo_iter_column(&it, 0).data;
        bool is_changed = take_if_same(&changed, &more_changed, address);
        bool sprites_changed = take_if_same(&sprites, &more_sprites, address);
        gfx->stats.sprites += it.count;
        FiloPart *part = part_of(gfx, address, &cursor);
        if (part == NULL) continue;
        set_part(part, &it, is_changed, sprites_changed);
        if (!filo_array_push(&gfx->parts, part)) put_aside(gfx, part);
    }
    filo_iter_end(&changed);
    filo_iter_end(&sprites);
    filo_array_each (&gfx->old_parts, part)
        if (*part != NULL) put_aside(gfx, *part);
    filo_array_clear(&gfx->old_parts);
}

// ---- Building them ------------------------------------------------------------------------------------------

static void scan_parts(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++) {
        FiloPart *part = gfx->parts.items[i];
        if (part->sprites_changed || !part->scanned || part->scan_generation != gfx->generation)
            filo_extract_scan(gfx, part);
    }
}

// Memory for quads of its own. Nothing in it is needed any more. False without.
static bool make_room(FiloGfx2d *gfx, FiloPart *part) {
    if (part->wild && part->sort_capacity < part->rows) {
        FiloSortKey *keys =
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
static bool choose_mode(FiloGfx2d *gfx, FiloPart *part) {
    bool rests = part->known && !part->changed && !part->moving;
    if (rests && part->full && part->generation == gfx->generation) {
        part->mode = FILO_PART_KEPT;
        return true;
    }
    gfx->stats.rebuilt += part->rows;
    bool nearly_all = !part->known || part->shown >= part->rows - part->rows / 32;
    part->full = rests;
    if (!rests && nearly_all && gfx->one_view && !part->wild && !gfx->views.items[0].snap) {
        part->mode = FILO_PART_DIRECT;
        return true;
    }
    part->mode = FILO_PART_STAGED;
    part->count = 0;
    return make_room(gfx, part);
}

static void build_parts(size_t begin, size_t end, void *user) {
    FiloGfx2d *gfx = user;
    for (size_t i = begin; i < end; i++)
        if (gfx->parts.items[i]->mode == FILO_PART_STAGED) filo_extract_build(gfx, gfx->parts.items[i]);
}

void filo_extract_parts(FiloGfx2d *gfx) {
    gfx->stats.sprites = gfx->stats.rebuilt = 0;
    find_parts(gfx);
    filo_extract_for(gfx, gfx->parts.count, scan_parts, gfx);
    // Images that are seen for the first time: what is there already is shown at once.
    if (filo_images_request(gfx)) filo_extract_for(gfx, gfx->parts.count, scan_parts, gfx);
    bool staged = false;
    filo_array_each (&gfx->parts, item) {
        FiloPart *part = *item;
        if (!choose_mode(gfx, part)) {
            // Nothing of it is shown, and next time it is tried again.
            part->mode = FILO_PART_KEPT;
            part->count = part->key_count = 0;
            part->full = part->known = part->scanned = false;
        }
        staged = staged || part->mode == FILO_PART_STAGED;
    }
    if (staged) filo_extract_for(gfx, gfx->parts.count, build_parts, gfx);
}

// ---- The packet -------------------------------------------------------------------------------------------

bool filo_extract_take(FiloGfx2d *gfx, FiloView *view, size_t count) {
    view->quad_count = 0;
    view->quads = NULL;
    if (count == 0) return true;
    if (gfx->gpu != NULL) {
        if (!filo_gpu_ring_take(gfx->gpu, gfx->ring, count * sizeof(FiloQuad), &view->piece)) return false;
        view->quads = view->piece.memory;
    } else {
        size_t number = (size_t)(view - gfx->views.items);
        while (gfx->memories.count <= number)
            if (!filo_array_push(&gfx->memories, (FiloQuadArray){ .allocator = gfx->allocator }))
                return false;
        FiloQuadArray *memory = &gfx->memories.items[number];
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

void filo_extract_done(FiloGfx2d *gfx) {
    if (gfx->gpu == NULL) return;
    filo_array_each (&gfx->views, view)
        if (view->piece.memory != NULL) filo_gpu_ring_done(gfx->gpu, gfx->ring, &view->piece);
}

// Where nobody says how long a tick is.
static float seconds_of_ticks(const FiloGfx2d *gfx) {
    return filo_max((float)filo_world_ticks(gfx->world) - 1 + gfx->blend, 0) * (1.0f / 60.0f);
}

void filo_gfx2d_extract(FiloGfx2d *gfx, const FiloExtract *extract) {
    if (!FILO_CHECK(gfx != NULL && extract != NULL, "pass a renderer and what to extract") ||
        !FILO_CHECK(extract->width >= 1 && extract->height >= 1 && extract->width <= FILO_PIXELS_MAX &&
                        extract->height <= FILO_PIXELS_MAX,
                    "cannot extract for a picture of %d × %d", extract->width, extract->height))
        return;
    int64_t begin = filo_time_ns();
    filo_extract_done(gfx); // of one that was never drawn
    gfx->blend = filo_clamp01(extract->blend);
    gfx->width = extract->width;
    gfx->height = extract->height;
    gfx->time = extract->time > 0.0f ? extract->time : seconds_of_ticks(gfx);
    filo_images_update(gfx);
    filo_frames_cover_names(gfx);
    filo_extract_views(gfx, extract);
    filo_extract_parts(gfx);
    filo_array_clear(&gfx->segments);
    gfx->stats.visible = 0;
    filo_array_each (&gfx->views, view) filo_extract_order(gfx, view);
    filo_draw_begin(gfx->draw, extract->width, extract->height);
    gfx->extracted = true;
    gfx->stats.extract_ms = (double)(filo_time_ns() - begin) * 1e-6;
}
