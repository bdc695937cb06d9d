// Texts of the world: the components FiloText become batches of quads among the sprites.
//
// As with sprites, everything is kept for each chunk of the world (a part), and done again only for what has changed:
//
//   painted     quads of the texts in their own coordinates: again if a text was written (only the rows that differ), a glyph
//               has become ready, a font or a table of translations has changed
//   in place    the same quads at the transforms of their entities: again if something was painted or has moved
//
// A part at rest costs the comparison of a few numbers, and copying its quads to the packet. Glyphs that its quads show
// are pinned.

#include <filo/check.h>
#include <filo/hash.h>
#include <filo/transform.h>

#include "text/draw/drawing.h"
#include "text/typesetter.h"

#include <stdlib.h>

typedef struct Row {
    uint64_t hash;         // of its components
    uint32_t first, count; // painted quads
    uint32_t first_used, used_count;
    uint8_t layer;
    int16_t order;
} Row;

typedef FiloArray(Row) RowArray;

typedef struct Painted {
    RowArray rows;
    TextQuadArray quads;
    TextIndexArray used; // glyphs, pinned
} Painted;

typedef struct Part {
    FiloChunkId chunk;
    uint32_t extraction; // the last one that found the chunk
    bool is_new;         // nothing is painted
    Painted painted;
    // What it was painted with:
    uint32_t glyphs, fonts, images, tables; // generations
    float scale_above, scale_up_to;         // of the camera: as in TextPaint
    bool missing, shows_images, shows_keys;
    // In place:
    TextIndexArray by_key; // rows, ordered by layer and order
    TextQuadArray quads;
    FiloArray(float) heights;
    FiloArray(FiloQuadBatch) batches;
    uint32_t version;
    bool moving, concealed;
} Part;

struct TextWorld {
    TextDrawing *drawing;
    FiloWorld *world;
    const FiloAllocator *allocator;
    FiloQuery *texts;
    FiloQuery *unresolved_texts; // in a family, but without a world transform
    FiloConcealed *concealed;
    FiloSeen seen;
    FiloArray(Part *) parts; // by FiloChunkId.index; NULL: none
    size_t part_count;
    uint32_t extraction;
    TextPaint paint; // with memory that is exchanged with that of a part which was painted
    RowArray rows;   // the same
    size_t rebuilt;
    bool has_unresolved; // transforms of such texts are computed from their parents
    bool concealed_changed;
    const FiloBits *concealed_bits;
    float blend;
};

// The columns of a part.
typedef struct Columns {
    const FiloText *texts;
    const FiloTextEffects *effects; // NULL: none
    const FiloTransform2 *transforms;
    const FiloPreviousTransform2 *previous;      // NULL: none
    const FiloWorldTransform2 *world_transforms; // NULL: none
    const uint32_t *entity_indices;
    size_t count;
    bool texts_changed, moved;
} Columns;

// ---- Lifetime ---------------------------------------------------------------------------------------------

static void init_painted(Painted *painted, const FiloAllocator *allocator) {
    filo_array_init(&painted->rows, allocator);
    filo_array_init(&painted->quads, allocator);
    filo_array_init(&painted->used, allocator);
}

static void deinit_painted(Painted *painted) {
    filo_array_deinit(&painted->rows);
    filo_array_deinit(&painted->quads);
    filo_array_deinit(&painted->used);
}

TextWorld *text_world_create(TextDrawing *drawing, FiloWorld *world) {
    if (drawing->glyphs == NULL) return NULL;
    const FiloAllocator *allocator = drawing->setter->allocator;
    TextWorld *w = filo_alloc_zero(allocator, sizeof *w, 0);
    if (w == NULL) return NULL;
    w->drawing = drawing;
    w->world = world;
    w->allocator = allocator;
    filo_array_init(&w->parts, allocator);
    filo_array_init(&w->rows, allocator);
    text_paint_init(&w->paint, drawing->setter, drawing->glyphs, allocator);
    w->paint.keep_used = true;
    w->texts =
        filo_query(world, FILO_READ(FiloText), FILO_READ(FiloTransform2), FILO_OPTIONAL_READ(FiloTextEffects),
                   FILO_OPTIONAL_READ(FiloPreviousTransform2), FILO_OPTIONAL_READ(FiloWorldTransform2));
    w->unresolved_texts = filo_query(world, FILO_WITH(FiloText), FILO_WITH(FiloTransform2),
                                     FILO_WITH(FiloFamily), FILO_WITHOUT(FiloWorldTransform2));
    w->concealed = filo_concealed_create(world, allocator);
    if (w->texts != NULL && w->unresolved_texts != NULL && w->concealed != NULL) return w;
    text_world_destroy(w);
    return NULL;
}

static void unpin_all(TextWorld *w, const TextIndexArray *used) {
    filo_array_each (used, index) text_glyphs_unpin(w->drawing->glyphs, *index);
}

static void free_part(TextWorld *w, Part *part) {
    if (part == NULL) return;
    unpin_all(w, &part->painted.used);
    deinit_painted(&part->painted);
    filo_array_deinit(&part->by_key);
    filo_array_deinit(&part->quads);
    filo_array_deinit(&part->heights);
    filo_array_deinit(&part->batches);
    filo_free(w->allocator, part, sizeof *part, 0);
}

void text_world_destroy(TextWorld *w) {
    if (w == NULL) return;
    filo_array_each (&w->parts, part) free_part(w, *part);
    filo_array_deinit(&w->parts);
    filo_array_deinit(&w->rows);
    text_paint_deinit(&w->paint);
    filo_query_release(w->texts);
    filo_query_release(w->unresolved_texts);
    filo_concealed_destroy(w->concealed);
    filo_free(w->allocator, w, sizeof *w, 0);
}

static Part *new_part(TextWorld *w, FiloChunkId chunk) {
    Part *part = filo_alloc_zero(w->allocator, sizeof *part, 0);
    if (part == NULL) return NULL;
    part->chunk = chunk;
    part->is_new = true;
    init_painted(&part->painted, w->allocator);
    filo_array_init(&part->by_key, w->allocator);
    filo_array_init(&part->quads, w->allocator);
    filo_array_init(&part->heights, w->allocator);
    filo_array_init(&part->batches, w->allocator);
    return part;
}

// The part of a chunk, added if there is none; NULL without memory.
static Part *part_of(TextWorld *w, FiloChunkId chunk) {
    if (chunk.index >= w->parts.count && !filo_array_resize(&w->parts, filo_world_chunk_end(w->world)))
        return NULL;
    Part **slot = &w->parts.items[chunk.index];
    if (*slot != NULL && !filo_chunk_equal((*slot)->chunk, chunk)) {
        (*slot)->chunk = chunk; // another chunk has this index now
        (*slot)->is_new = true;
    }
    if (*slot == NULL && (*slot = new_part(w, chunk)) != NULL) w->part_count++;
    return *slot;
}

// ---- Painting ---------------------------------------------------------------------------------------------

static FiloTextStyle style_of(const FiloText *t, const FiloTextEffects *e) {
    FiloTextStyle style = {
        .font = t->font,
        .size = t->size > 0 ? t->size : 1,
        .color = t->color,
        .bold = t->bold,
        .italic = t->italic,
        .markup = t->markup,
        .align = t->align < FILO_TEXT_ALIGN_COUNT ? (FiloTextAlign)t->align : FILO_TEXT_LEFT,
        .vertical = t->vertical < FILO_TEXT_VERTICAL_COUNT ? (FiloTextVertical)t->vertical : FILO_TEXT_TOP,
        .width = t->width,
        .hidden = t->hidden,
        .pixelated = t->pixelated
    };
    if (e == NULL) return style;
    style.outline = e->outline, style.outline_color = e->outline_color;
    style.shadow = e->shadow, style.shadow_blur = e->shadow_blur, style.shadow_color = e->shadow_color;
    style.glow = e->glow, style.glow_color = e->glow_color;
    return style;
}

static FiloString string_of(TextWorld *w, const FiloText *t) {
    if (t->key.id != 0) return filo_string(filo_text_translate(w->drawing->setter, filo_name_text(t->key)));
    return filo_string_from(t->text, strnlen(t->text, sizeof t->text));
}

static void paint_row(TextWorld *w, const FiloText *text, const FiloTextEffects *effects) {
    FiloTextStyle style = style_of(text, effects);
    const FiloTextLayout *layout = filo_text_layout(w->drawing->setter, &style, string_of(w, text));
    TextPlace place = { .up = 1, .scale = w->drawing->view_scale };
    if (layout != NULL) text_paint_layout(&w->paint, layout, &style, &place);
    w->rebuilt++;
}

// Up to the zero that ends the text, all bytes count.
static uint64_t hash_row(const FiloText *text, const FiloTextEffects *effects) {
    uint64_t hash = filo_hash(text->text, strnlen(text->text, sizeof text->text));
    hash = filo_hash_u64(hash) ^ filo_hash(&text->key, sizeof *text - offsetof(FiloText, key));
    return effects != NULL ? filo_hash_u64(hash) ^ filo_hash(effects, sizeof *effects) : hash;
}

// Copies the quads of a row that is the same as before. False without memory.
static bool copy_row(TextWorld *w, const Part *part, const Row *row) {
    return filo_array_push_many(&w->paint.quads, part->painted.quads.items + row->first, row->count) &&
           filo_array_push_many(&w->paint.used, part->painted.used.items + row->first_used, row->used_count);
}

static void reset_paint(TextWorld *w) {
    filo_array_clear(&w->rows);
    filo_array_clear(&w->paint.quads);
    filo_array_clear(&w->paint.used);
    w->paint.missing = w->paint.shows_images = false;
    w->paint.scale_above = 0;
    w->paint.scale_up_to = 3.0e38f;
}

// Gives a part what was painted, and takes its memory for the next one.
static void exchange(TextWorld *w, Part *part) {
    filo_array_each (&w->paint.used, index) text_glyphs_pin(w->drawing->glyphs, *index);
    unpin_all(w, &part->painted.used);
    Painted old = part->painted;
    part->painted = (Painted){ w->rows, w->paint.quads, w->paint.used };
    w->rows = old.rows;
    w->paint.quads = old.quads;
    w->paint.used = old.used;
}

// Paints the texts of a part. `all`: also those that are the same as before.
static void paint_part(TextWorld *w, Part *part, const Columns *c, bool all) {
    reset_paint(w);
    bool was_missing = part->missing, showed_images = part->shows_images;
    bool keys = false, copied = false;
    for (size_t i = 0; i < c->count; i++) {
        const FiloTextEffects *effects = c->effects != NULL ? &c->effects[i] : NULL;
        Row row = { .hash = hash_row(&c->texts[i], effects),
                    .first = (uint32_t)w->paint.quads.count,
                    .first_used = (uint32_t)w->paint.used.count,
                    .layer = c->texts[i].layer,
                    .order = c->texts[i].order };
        const Row *old = !all && i < part->painted.rows.count ? &part->painted.rows.items[i] : NULL;
        bool same = old != NULL && old->hash == row.hash && copy_row(w, part, old);
        if (!same) paint_row(w, &c->texts[i], effects);
        copied = copied || same;
        keys = keys || c->texts[i].key.id != 0;
        row.count = (uint32_t)w->paint.quads.count - row.first;
        row.used_count = (uint32_t)w->paint.used.count - row.first_used;
        if (!filo_array_push(&w->rows, row)) break; // the rest is missing, and reported
    }
    exchange(w, part);
    part->is_new = false;
    part->missing = w->paint.missing || (copied && was_missing);
    part->shows_images = w->paint.shows_images || (copied && showed_images);
    part->scale_above = copied ? filo_max(part->scale_above, w->paint.scale_above) : w->paint.scale_above;
    part->scale_up_to = copied ? filo_min(part->scale_up_to, w->paint.scale_up_to) : w->paint.scale_up_to;
    part->shows_keys = keys;
}

// Whether anything that quads are painted with has changed, besides the texts. Notes what is there now.
static bool sources_changed(TextWorld *w, Part *part) {
    const TextDrawing *d = w->drawing;
    uint32_t fonts = d->setter->fonts.generation, images = filo_gfx2d_generation(d->gfx),
             tables = filo_text_translations_version(d->setter);
    bool changed = part->fonts != fonts || (part->missing && part->glyphs != d->glyphs->generation) ||
                   (part->shows_images && part->images != images) ||
                   (part->shows_keys && part->tables != tables) ||
                   !(d->view_scale > part->scale_above && d->view_scale <= part->scale_up_to);
    part->fonts = fonts, part->images = images, part->tables = tables;
    part->glyphs = d->glyphs->generation;
    return changed;
}

// ---- In place -----------------------------------------------------------------------------------------------

static FiloAffine2 affine_of(FiloVec2 position, float rotation, FiloVec2 scale) {
    if (scale.x == 0 && scale.y == 0) scale = filo_vec2(1, 1);
    float c = filo_cos(rotation), s = filo_sin(rotation);
    return filo_affine2(filo_vec2(c * scale.x, s * scale.x), filo_vec2(-s * scale.y, c * scale.y), position);
}

static FiloVec2 effective_scale(FiloVec2 scale) {
    return scale.x == 0 && scale.y == 0 ? filo_vec2(1, 1) : scale;
}

static bool same_affine(FiloAffine2 a, FiloAffine2 b) {
    return filo_vec2_equal(a.x, b.x) && filo_vec2_equal(a.y, b.y) && filo_vec2_equal(a.origin, b.origin);
}

// The blended transform of a row that is in no family.
static FiloAffine2 own_transform(const FiloTransform2 *now, const FiloPreviousTransform2 *before, float blend,
                                 bool *moving) {
    if (before == NULL || !before->valid) return affine_of(now->position, now->rotation, now->scale);
    FiloVec2 old_scale = effective_scale(before->scale), scale = effective_scale(now->scale);
    if (filo_vec2_equal(before->position, now->position) && before->rotation == now->rotation &&
        filo_vec2_equal(old_scale, scale))
        return affine_of(now->position, now->rotation, scale);
    *moving = true;
    float rotation = before->rotation == now->rotation
                         ? now->rotation
                         : filo_angle_lerp(before->rotation, now->rotation, blend);
    return affine_of(filo_vec2_lerp(before->position, now->position, blend), rotation,
                     filo_vec2_lerp(old_scale, scale, blend));
}

static FiloAffine2 transform_of(const TextWorld *w, const Columns *c, size_t row, bool *moving) {
    const FiloWorldTransform2 *in_world = c->world_transforms != NULL ? &c->world_transforms[row] : NULL;
    if (in_world != NULL && in_world->valid) {
        *moving = *moving || !same_affine(in_world->previous, in_world->now);
        return filo_world_transform2_blend(in_world, w->blend);
    }
    // No tick has computed its world transform yet: it has just got its parent.
    if (in_world != NULL || w->has_unresolved) {
        FiloEntity entity = filo_entity_at(w->world, c->entity_indices[row]);
        if (filo_entity_parent(w->world, entity).id != 0) {
            *moving = true;
            return filo_transform2_in_world(w->world, entity);
        }
    }
    return own_transform(&c->transforms[row], c->previous != NULL ? &c->previous[row] : NULL, w->blend,
                         moving);
}

static int compare_rows(const void *a, const void *b, void *user) {
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const Row *x = (const Row *)user + i, *y = (const Row *)user + k;
    if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return i < k ? -1 : i > k;
}

// Lists the rows by layer and order. Mostly they are ordered already. False without memory.
static bool order_rows(Part *part) {
    Row *rows = part->painted.rows.items;
    bool ordered = true;
    filo_array_clear(&part->by_key);
    for (uint32_t i = 0; i < part->painted.rows.count; i++) {
        if (!filo_array_push(&part->by_key, i)) return false;
        uint32_t before = i - 1;
        if (i > 0) ordered = ordered && compare_rows(&before, &i, rows) < 0;
    }
    if (!ordered) qsort_r(part->by_key.items, part->by_key.count, sizeof(uint32_t), compare_rows, rows);
    return true;
}

static void move_quads(const FiloQuad *from, size_t count, FiloAffine2 by, FiloQuad *to, FiloRect *bounds) {
    FiloVec2 low = bounds->min, high = bounds->max;
    for (size_t i = 0; i < count; i++) {
        FiloQuad q = from[i];
        FiloVec2 centre = filo_affine2_point(by, filo_vec2(q.x, q.y));
        FiloVec2 a = filo_affine2_direction(by, filo_vec2(q.ax, q.ay)),
                 b = filo_affine2_direction(by, filo_vec2(q.bx, q.by));
        q.x = centre.x, q.y = centre.y, q.ax = a.x, q.ay = a.y, q.bx = b.x, q.by = b.y;
        float w = filo_abs(a.x) + filo_abs(b.x), h = filo_abs(a.y) + filo_abs(b.y);
        low = filo_vec2(filo_min(low.x, q.x - w), filo_min(low.y, q.y - h));
        high = filo_vec2(filo_max(high.x, q.x + w), filo_max(high.y, q.y + h));
        to[i] = q;
    }
    *bounds = (FiloRect){ low, high };
}

// Adds the quads of a row to the batch of its layer and order.
static void place_row(TextWorld *w, Part *part, const Columns *c, uint32_t index) {
    const Row *row = &part->painted.rows.items[index];
    const float huge = 3.0e38f;
    FiloQuadBatch *batch = part->batches.count > 0 ? &part->batches.items[part->batches.count - 1] : NULL;
    if (batch == NULL || batch->layer != row->layer || batch->order != row->order) {
        FiloQuadBatch next = { .quads = part->quads.items + part->quads.count,
                               .bounds = { { huge, huge }, { -huge, -huge } },
                               .layer = row->layer,
                               .order = row->order,
                               .heights = part->heights.items + part->heights.count,
                               .version = part->version };
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): with a capacity there are items
        if (!filo_array_push(&part->batches, next)) return;
        batch = &part->batches.items[part->batches.count - 1];
    }
    FiloAffine2 transform = transform_of(w, c, index, &part->moving);
    move_quads(part->painted.quads.items + row->first, row->count, transform,
               part->quads.items + part->quads.count, &batch->bounds);
    for (uint32_t i = 0; i < row->count; i++)
        part->heights.items[part->heights.count + i] = transform.origin.y;
    part->quads.count += row->count;
    part->heights.count += row->count;
    batch->count += row->count;
}

static void place_part(TextWorld *w, Part *part, const Columns *c) {
    filo_array_clear(&part->quads);
    filo_array_clear(&part->heights);
    filo_array_clear(&part->batches);
    part->version++;
    part->moving = part->concealed = false;
    size_t count = part->painted.quads.count;
    // Without memory the texts are missing, and tried again in the next extraction.
    part->moving = true;
    if (!filo_array_reserve(&part->quads, count) || !filo_array_reserve(&part->heights, count) ||
        !order_rows(part))
        return;
    part->moving = false;
    filo_array_each (&part->by_key, index) {
        if (*index >= c->count) continue;
        bool hidden =
            w->concealed_bits != NULL && filo_bits_test(w->concealed_bits, c->entity_indices[*index]);
        part->concealed = part->concealed || hidden;
        if (!hidden) place_row(w, part, c, *index);
    }
}

// ---- Extraction ---------------------------------------------------------------------------------------------

static Columns columns_of(const FiloIter *it) {
    return (Columns){ .texts = filo_read(it, FiloText),
                      .effects = filo_read(it, FiloTextEffects),
                      .transforms = filo_read(it, FiloTransform2),
                      .previous = filo_read(it, FiloPreviousTransform2),
                      .world_transforms = filo_read(it, FiloWorldTransform2),
                      .entity_indices = filo_iter_indices(it),
                      .count = it->count,
                      .texts_changed = filo_changed(it, FiloText) || filo_changed(it, FiloTextEffects),
                      .moved = filo_changed(it, FiloTransform2) || filo_changed(it, FiloPreviousTransform2) ||
                               filo_changed(it, FiloWorldTransform2) };
}

static void extract_part(TextWorld *w, Part *part, const Columns *c) {
    bool all = sources_changed(w, part) || part->is_new;
    bool painted = all || c->texts_changed || part->painted.rows.count != c->count;
    if (painted) paint_part(w, part, c, all);
    // Anything may be concealed now, or no longer.
    bool conceals = w->concealed_changed && (part->concealed || w->concealed_bits != NULL);
    if (painted || c->moved || part->moving || conceals || w->has_unresolved) place_part(w, part, c);
    for (size_t i = 0; i < part->batches.count; i++)
        filo_gfx2d_add_batch(w->drawing->gfx, &part->batches.items[i]);
}

static void free_unused(TextWorld *w) {
    filo_array_each (&w->parts, slot) {
        if (*slot == NULL || (*slot)->extraction == w->extraction) continue;
        free_part(w, *slot);
        *slot = NULL;
        w->part_count--;
    }
}

void text_world_extract(TextWorld *w, const FiloExtract *extract) {
    size_t found = 0;
    w->extraction++;
    w->rebuilt = 0;
    w->blend = filo_clamp01(extract->blend);
    w->has_unresolved = !filo_transform_settled(w->world) && filo_query_first(w->unresolved_texts).id != 0;
    w->concealed_changed = filo_concealed_update(w->concealed);
    w->concealed_bits = filo_concealed_bits(w->concealed);
    FiloIter it = filo_query_iter_since(w->texts, &w->seen);
    while (filo_iter_next(&it)) {
        Part *part = part_of(w, filo_iter_chunk(&it));
        if (part == NULL) continue;
        Columns columns = columns_of(&it);
        extract_part(w, part, &columns);
        part->extraction = w->extraction;
        found++;
    }
    if (found != w->part_count) free_unused(w);
}

size_t text_world_rebuilt(const TextWorld *world) { return world->rebuilt; }
