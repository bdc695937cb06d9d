// Writes the visible quads of a view to the packet, in the order of drawing.
//
// Counting sort: there are few different keys (layer, order, state), mostly one. Each part counts its visible quads by
// key. The keys of all parts are sorted. A prefix sum over keys and parts gives the index of the first quad of each key
// of each part, and all parts write in parallel. Quads with equal keys stay in the order of the world.
//
// With very many keys (layers sorted by y), the quads are sorted by a radix sort instead.

#include "gfx2d/extract/box4.h"
#include "gfx2d/renderer.h"

#define BUCKETS 1024u // different keys that are counted
#define SLOTS   4096u // a power of two, and 2^12: see bucket_of

struct Gfx2dBuckets {
    Gfx2dSortKey keys[BUCKETS];
    uint32_t sizes[BUCKETS];
    uint8_t features[BUCKETS];
    uint32_t next[BUCKETS]; // index in the packet where the next part writes
    uint32_t count;
    uint16_t slots[SLOTS]; // hash table of keys: index + 1
    Gfx2dSortEntry order[2 * BUCKETS];
};

typedef struct Order {
    FiloGfx2d *gfx;
    Gfx2dView *view;
} Order;

// ---- Culling ----------------------------------------------------------------------------------------------

static inline bool is_visible(Gfx2dFloat4 limits, const FiloQuad *quad) {
    return gfx2d_box4_overlaps(gfx2d_box4_edges(gfx2d_box4_bounds(quad)), limits);
}

static inline unsigned layer_of(Gfx2dSortKey key) { return (unsigned)(key >> 48) & 0xFF; }

static void count_unsorted(Gfx2dPart *part, const Gfx2dView *view) {
    const Gfx2dFloat4 limits = gfx2d_box4_limits(view->visible);
    part->visible_count = 0;
    for (uint32_t i = 0; i < part->count; i++)
        part->visible_count += !gfx2d_view_hides(view, layer_of(part->sort_keys[i])) &&
                               (part->inside || is_visible(limits, &part->quads[i]));
}

static void count_part(Gfx2dPart *part, const Gfx2dView *view) {
    const FiloRect *visible = &view->visible, *bounds = &part->bounds;
    const Gfx2dFloat4 limits = gfx2d_box4_limits(*visible);
    const uint32_t *sizes = part->mode == GFX2D_PART_DIRECT ? part->key_rows : part->key_sizes;
    part->visible_count = 0;
    part->inside = part->mode == GFX2D_PART_DIRECT; // the packet has memory for all its rows
    if (!part->inside) {
        if (part->count == 0 || !filo_rect_overlaps(*bounds, *visible)) return;
        part->inside = bounds->min.x >= visible->min.x && bounds->min.y >= visible->min.y &&
                       bounds->max.x <= visible->max.x && bounds->max.y <= visible->max.y;
    }
    if (part->unsorted) {
        count_unsorted(part, view);
        return;
    }
    if (part->inside) {
        memcpy(part->visible_sizes, sizes, part->key_count * sizeof part->visible_sizes[0]);
    } else if (part->key_count == 1) {
        uint32_t visible_quads = 0;
        for (uint32_t i = 0; i < part->count; i++) visible_quads += is_visible(limits, &part->quads[i]);
        part->visible_sizes[0] = visible_quads;
    } else {
        memset(part->visible_sizes, 0, part->key_count * sizeof part->visible_sizes[0]);
        for (uint32_t i = 0; i < part->count; i++)
            part->visible_sizes[part->key_indices[i]] += is_visible(limits, &part->quads[i]);
    }
    for (uint32_t i = 0; i < part->key_count; i++) {
        if (gfx2d_view_hides(view, layer_of(part->keys[i]))) part->visible_sizes[i] = 0;
        part->visible_count += part->visible_sizes[i];
    }
}

static void count_parts(size_t begin, size_t end, void *user) {
    const Order *order = user;
    for (size_t i = begin; i < end; i++) count_part(order->gfx->parts.items[i], order->view);
}

// ---- Few keys: counting sort ------------------------------------------------------------------------------

// Index of the bucket of a key, added if there is none; BUCKETS if there are too many.
static uint32_t bucket_of(Gfx2dBuckets *buckets, Gfx2dSortKey key) {
    size_t slot = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 52) % SLOTS;
    while (buckets->slots[slot] != 0 && buckets->keys[buckets->slots[slot] - 1] != key)
        slot = (slot + 1) % SLOTS;
    if (buckets->slots[slot] == 0) {
        if (buckets->count == BUCKETS) return BUCKETS;
        buckets->keys[buckets->count] = key;
        buckets->sizes[buckets->count] = 0;
        buckets->features[buckets->count] = 0;
        buckets->slots[slot] = (uint16_t)++buckets->count;
    }
    return (uint32_t)buckets->slots[slot] - 1;
}

// Adds up the keys of all parts. Until order_by_buckets has run, part->starts has the indices of buckets. False if
// there are too many keys.
static bool fill_buckets(FiloGfx2d *gfx, Gfx2dBuckets *buckets) {
    buckets->count = 0;
    memset(buckets->slots, 0, sizeof buckets->slots);
    for (size_t p = 0; p < gfx->parts.count; p++) {
        Gfx2dPart *part = gfx->parts.items[p];
        if (part->visible_count == 0) continue;
        if (part->unsorted) return false;
        for (uint32_t i = 0; i < part->key_count; i++) {
            if (part->visible_sizes[i] == 0) continue;
            uint32_t bucket = bucket_of(buckets, part->keys[i]);
            if (bucket == BUCKETS) return false;
            buckets->sizes[bucket] += part->visible_sizes[i];
            buckets->features[bucket] |= part->features;
            part->starts[i] = bucket;
        }
    }
    return true;
}

// Least significant byte first; bytes that are equal in all keys are skipped. The result is in `items`.
static void radix_sort(Gfx2dSortEntry *items, Gfx2dSortEntry *spare, size_t count) {
    Gfx2dSortKey all_and = UINT64_MAX, all_or = 0;
    for (size_t i = 0; i < count; i++) all_and &= items[i].key, all_or |= items[i].key;
    Gfx2dSortEntry *from = items, *to = spare;
    for (unsigned shift = 0; shift < 56; shift += 8) {
        if (((all_and ^ all_or) >> shift & 0xFF) == 0) continue;
        size_t starts[257] = { 0 };
        for (size_t i = 0; i < count; i++) starts[(from[i].key >> shift & 0xFF) + 1]++;
        for (size_t i = 0; i < 256; i++) starts[i + 1] += starts[i];
        for (size_t i = 0; i < count; i++) to[starts[from[i].key >> shift & 0xFF]++] = from[i];
        Gfx2dSortEntry *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

// ---- Segments ---------------------------------------------------------------------------------------------

// Appends quads with a key to the segments of a view. False without memory.
static bool add_to_segment(FiloGfx2d *gfx, Gfx2dView *view, Gfx2dSortKey key, uint8_t features, size_t first,
                           size_t count) {
    uint8_t layer = (uint8_t)layer_of(key);
    bool by_y = (gfx->sorted_layers[layer / 64] >> layer % 64 & 1) != 0;
    bool upper = !by_y && (key >> 32 & 0xFFFF) > 32768;
    uint16_t state = (uint16_t)key;
    if (view->segment_count > 0) {
        Gfx2dSegment *last = &gfx->segments.items[gfx->segments.count - 1];
        if (last->layer == layer && last->upper == upper && last->state == state) {
            last->count += count;
            last->features |= features;
            return true;
        }
    }
    Gfx2dSegment segment = { layer, upper, features, state, first, count };
    if (!filo_array_push(&gfx->segments, segment)) return false;
    view->segment_count++;
    return true;
}

// ---- Writing ------------------------------------------------------------------------------------------------

// Moves a quad so that its upper left corner is on a whole pixel.
static void snap(FiloQuad *quad, const Gfx2dView *view) {
    FiloVec2 corner = filo_vec2(quad->x - filo_abs(quad->ax) - filo_abs(quad->bx),
                                quad->y + filo_abs(quad->ay) + filo_abs(quad->by));
    FiloVec2 pixel = filo_affine2_point(view->to_pixels, corner);
    FiloVec2 off = filo_vec2(filo_floor(pixel.x + 0.5f) - pixel.x, filo_floor(pixel.y + 0.5f) - pixel.y);
    float scale = filo_vec2_length(view->to_pixels.x);
    FiloVec2 right = filo_vec2_scale(view->to_pixels.x, 1.0f / (scale * scale));
    FiloVec2 up = filo_vec2_scale(view->to_pixels.y, 1.0f / (scale * scale));
    quad->x += filo_vec2_dot(filo_vec2(right.x, right.y), off);
    quad->y += filo_vec2_dot(filo_vec2(up.x, up.y), off);
}

// The packet may be in memory of the GPU: each quad is written once, and never read.
static inline void write_quad(const Gfx2dView *view, size_t at, const Gfx2dPart *part, uint32_t index) {
    FiloQuad copy = part->quads[index];
    if (FILO_UNLIKELY(view->snap) && !part->borrowed) snap(&copy, view);
    view->quads[at] = copy;
}

static void write_part(FiloGfx2d *gfx, Gfx2dPart *part, const Gfx2dView *view) {
    if (part->visible_count == 0) return;
    if (part->mode == GFX2D_PART_DIRECT) {
        gfx2d_extract_build_direct(gfx, part, view->quads);
        return;
    }
    bool one = part->key_count == 1, snaps = view->snap && !part->borrowed;
    if (part->inside && one && !snaps) {
        memcpy(view->quads + part->starts[0], part->quads, part->count * sizeof(FiloQuad));
        return;
    }
    const Gfx2dFloat4 limits = gfx2d_box4_limits(view->visible);
    if (one && !snaps) {
        // Each quad is written, and overwritten by the next one if it is not visible. The loop ends after the last
        // visible one, so nothing is written beyond `end`.
        FiloQuad *to = view->quads + part->starts[0], *end = to + part->visible_count;
        for (const FiloQuad *quad = part->quads; to != end; quad++) {
            *to = *quad;
            to += is_visible(limits, quad);
        }
        return;
    }
    uint32_t next[GFX2D_PART_KEYS];
    memcpy(next, part->starts, sizeof next);
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t key = one ? 0 : part->key_indices[i];
        if (part->visible_sizes[key] == 0) continue;
        if (part->inside || is_visible(limits, &part->quads[i])) write_quad(view, next[key]++, part, i);
    }
}

static void write_parts(size_t begin, size_t end, void *user) {
    const Order *order = user;
    for (size_t i = begin; i < end; i++) write_part(order->gfx, order->gfx->parts.items[i], order->view);
}

// False without memory.
static bool order_by_buckets(FiloGfx2d *gfx, Gfx2dView *view, Gfx2dBuckets *buckets) {
    for (uint32_t i = 0; i < buckets->count; i++)
        buckets->order[i] = (Gfx2dSortEntry){ buckets->keys[i], i, 0 };
    radix_sort(buckets->order, buckets->order + BUCKETS, buckets->count);
    size_t total = 0;
    for (uint32_t i = 0; i < buckets->count; i++) {
        uint32_t bucket = buckets->order[i].part;
        buckets->next[bucket] = (uint32_t)total;
        total += buckets->sizes[bucket];
    }
    if (!gfx2d_extract_alloc_quads(gfx, view, total)) return false;
    for (uint32_t i = 0; i < buckets->count; i++) {
        uint32_t bucket = buckets->order[i].part;
        if (!add_to_segment(gfx, view, buckets->keys[bucket], buckets->features[bucket],
                            buckets->next[bucket], buckets->sizes[bucket]))
            return false;
    }
    for (size_t p = 0; p < gfx->parts.count; p++) {
        Gfx2dPart *part = gfx->parts.items[p];
        if (part->visible_count == 0) continue;
        for (uint32_t i = 0; i < part->key_count; i++) {
            if (part->visible_sizes[i] == 0) continue;
            uint32_t bucket = part->starts[i];
            part->starts[i] = buckets->next[bucket];
            buckets->next[bucket] += part->visible_sizes[i];
        }
    }
    gfx2d_extract_for(gfx, gfx->parts.count, write_parts, &(Order){ gfx, view });
    return true;
}

// ---- Many keys: radix sort --------------------------------------------------------------------------------

static void list_entries(size_t begin, size_t end, void *user) {
    const Order *order = user;
    const Gfx2dView *view = order->view;
    const Gfx2dFloat4 limits = gfx2d_box4_limits(view->visible);
    for (size_t p = begin; p < end; p++) {
        const Gfx2dPart *part = order->gfx->parts.items[p];
        if (part->visible_count == 0) continue;
        Gfx2dSortEntry *entry = order->gfx->to_sort.items + part->sort_start;
        for (uint32_t i = 0; i < part->count; i++) {
            Gfx2dSortKey key = part->unsorted         ? part->sort_keys[i]
                               : part->key_count == 1 ? part->keys[0]
                                                      : part->keys[part->key_indices[i]];
            if (!gfx2d_view_hides(view, layer_of(key)) &&
                (part->inside || is_visible(limits, &part->quads[i])))
                *entry++ = (Gfx2dSortEntry){ key, (uint32_t)p, i };
        }
    }
}

static void write_entries(size_t begin, size_t end, void *user) {
    const Order *order = user;
    for (size_t i = begin; i < end; i++) {
        Gfx2dSortEntry entry = order->gfx->to_sort.items[i];
        write_quad(order->view, i, order->gfx->parts.items[entry.part], entry.index);
    }
}

static bool order_by_sorting(FiloGfx2d *gfx, Gfx2dView *view) {
    size_t total = 0;
    for (size_t p = 0; p < gfx->parts.count; p++) {
        gfx->parts.items[p]->sort_start = (uint32_t)total;
        total += gfx->parts.items[p]->visible_count;
    }
    if (gfx->to_sort.capacity < 2 * total && !filo_array_reserve(&gfx->to_sort, 2 * total + total / 2))
        return false;
    if (!gfx2d_extract_alloc_quads(gfx, view, total)) return false;
    Order order = { gfx, view };
    gfx2d_extract_for(gfx, gfx->parts.count, list_entries, &order);
    Gfx2dSortEntry *entries = gfx->to_sort.items;
    radix_sort(entries, entries + total, total);
    for (size_t i = 0; i < total;) {
        size_t begin = i;
        uint8_t features = 0;
        for (; i < total && entries[i].key == entries[begin].key; i++)
            features |= gfx->parts.items[entries[i].part]->features;
        if (!add_to_segment(gfx, view, entries[begin].key, features, begin, i - begin)) return false;
    }
    gfx2d_extract_for(gfx, total, write_entries, &order);
    return true;
}

// ---- A view -------------------------------------------------------------------------------------------------

// A direct part has its number of visible rows only after it was built.
static size_t count_visible(const FiloGfx2d *gfx) {
    size_t count = 0;
    filo_array_each (&gfx->parts, item) {
        const Gfx2dPart *part = *item;
        if (part->visible_count > 0)
            count += part->mode == GFX2D_PART_DIRECT ? part->visible_rows : part->visible_count;
    }
    return count;
}

void gfx2d_extract_order(FiloGfx2d *gfx, Gfx2dView *view) {
    view->first_segment = gfx->segments.count;
    view->segment_count = 0;
    Order order = { gfx, view };
    if (gfx->buckets == NULL) gfx->buckets = filo_alloc(gfx->allocator, sizeof *gfx->buckets, 0);
    if (gfx->buckets == NULL) return;
    gfx2d_extract_for(gfx, gfx->parts.count, count_parts, &order);
    bool ok = fill_buckets(gfx, gfx->buckets) ? order_by_buckets(gfx, view, gfx->buckets)
                                              : order_by_sorting(gfx, view);
    if (ok) {
        gfx->stats.visible += count_visible(gfx);
    } else {
        // No memory, which the allocator has reported: the view shows no sprites.
        gfx->segments.count = view->first_segment;
        view->segment_count = 0;
        view->quad_count = 0;
    }
}

void gfx2d_extract_order_deinit(FiloGfx2d *gfx) {
    filo_free(gfx->allocator, gfx->buckets, sizeof *gfx->buckets, 0);
}
