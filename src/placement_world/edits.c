// The edits of the world: a list in their order, an index of it by buckets, and what of it has changed.
//
// Most changes are new edits: a tree was felled. They are appended. After any other change (an edit was set, destroyed or
// made inactive, the world was restored) the whole list is read again, which costs some hundred nanoseconds an edit, and
// compared with the list before. The areas of edits that differ go to both readers, tiles and squares, which then compare
// the signatures of what is there.

#include <filo/hash.h>
#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>
#include <stdlib.h>

#define FARTHEST 9e7 // metres from the origin: what placement computes
#define MARGIN   0.5 // metres: more than rounding can move an object

// ---- One edit -----------------------------------------------------------------------------------------------------

static bool is_paint(const FiloPlacementEdit *edit) {
    return edit->kind == FILO_PLACEMENT_ADD || edit->kind == FILO_PLACEMENT_SUBTRACT ||
           edit->kind == FILO_PLACEMENT_SET;
}
static bool has_id(const FiloPlacementEdit *edit) {
    return edit->kind == FILO_PLACEMENT_REMOVE || edit->kind == FILO_PLACEMENT_PIN;
}

static FiloResult check_circle(const FiloPlacementEdit *edit) {
    if (!isfinite(edit->x) || !isfinite(edit->y))
        return filo_error(FILO_ERROR_DATA, "the centre of an edit is not a number: x %g, y %g", edit->x,
                          edit->y);
    if (fabs(edit->x) > FARTHEST || fabs(edit->y) > FARTHEST)
        return filo_error(FILO_ERROR_DATA, "an edit at %g, %g is too far from the origin", edit->x, edit->y);
    if (!(edit->radius > 0 && edit->radius <= FILO_PLACEMENT_EDIT_RADIUS))
        return filo_error(FILO_ERROR_DATA,
                          "the radius of an edit is %g; it must be more than 0, and at most %g",
                          (double)edit->radius, (double)FILO_PLACEMENT_EDIT_RADIUS);
    return filo_ok();
}

static FiloResult check_clearing(const FiloPlacementWorld *pw, const FiloPlacementEdit *edit) {
    FiloResult r = check_circle(edit);
    if (r.code == FILO_OK && (uint64_t)edit->footprints >> pw->footprints != 0)
        r = filo_error(FILO_ERROR_DATA,
                       "the footprints of a clearing are the bits %#x, and the placement has %zu footprints",
                       edit->footprints, pw->footprints);
    return r;
}

static int find_map(const FiloPlacementWorld *pw, FiloName name) {
    for (size_t i = 0; i < pw->map_count; i++)
        if (pw->maps[i].name.id == name.id) return (int)i;
    return -1;
}

static FiloResult check_paint(const FiloPlacementWorld *pw, const FiloPlacementEdit *edit) {
    FiloResult r = check_circle(edit);
    if (r.code != FILO_OK) return r;
    if (!(edit->strength >= 0 && edit->strength <= 1))
        return filo_error(FILO_ERROR_DATA, "the strength of a stroke is %g; it goes from 0 to 1",
                          (double)edit->strength);
    if (!(edit->softness >= 0 && edit->softness <= 1))
        return filo_error(FILO_ERROR_DATA, "the softness of a stroke is %g; it goes from 0 to 1",
                          (double)edit->softness);
    if (find_map(pw, edit->map) < 0)
        return filo_error(FILO_ERROR_NOT_FOUND,
                          "no map \"%s\" can be painted: list it in FiloPlacementWorldDesc.maps",
                          filo_name_text(edit->map));
    return filo_ok();
}

static FiloResult check_id(const FiloPlacementWorld *pw, const FiloPlacementEdit *edit) {
    if (edit->id.footprint >= pw->footprints ||
        edit->id.point >= filo_placement_point_count(pw->placement, edit->id.footprint))
        return filo_error(FILO_ERROR_DATA, "the placement has no candidate %u of footprint %u",
                          edit->id.point, edit->id.footprint);
    if (edit->kind == FILO_PLACEMENT_REMOVE) return filo_ok();
    int layer = filo_placement_layer_find(pw->placement, filo_name_text(edit->layer));
    if (layer < 0)
        return filo_error(FILO_ERROR_NOT_FOUND, "the placement has no layer \"%s\"",
                          filo_name_text(edit->layer));
    if (filo_placement_layer_footprint(pw->placement, (size_t)layer) != edit->id.footprint)
        return filo_error(FILO_ERROR_DATA, "layer \"%s\" is not one of footprint %u",
                          filo_name_text(edit->layer), edit->id.footprint);
    return filo_ok();
}

FiloResult filo_placement_edit_check(const FiloPlacementWorld *pw, const FiloPlacementEdit *edit) {
    if (pw == NULL || edit == NULL) return FILO_MISTAKE("pass a FiloPlacementWorld and an edit");
    if (edit->kind == FILO_PLACEMENT_CLEAR) return check_clearing(pw, edit);
    if (is_paint(edit)) return check_paint(pw, edit);
    if (has_id(edit)) return check_id(pw, edit);
    return filo_error(FILO_ERROR_DATA, "an edit has no kind %d", (int)edit->kind);
}

static FiloPlacementArea around(double x, double y, double radius) {
    return (FiloPlacementArea){ x - radius, y - radius, x + radius, y + radius };
}

// Metres around a circle whose objects may see its texels: a texel reaches into its neighbours.
static double texel_margin(const FiloPlacementWorld *pw, int map) {
    const FiloTerrainMap *base = &pw->maps[map].base;
    int width = placement_world_map_width(base), height = placement_world_map_height(base);
    return 2 * fmax(pw->size_x / width, pw->size_y / height);
}

static PlacementWorldEdit resolve(const FiloPlacementWorld *pw, const FiloPlacementEdit *edit,
                                  FiloEntity entity) {
    FiloPlacementEdit hashed = *edit;
    hashed.order = 0;
    PlacementWorldEdit e = { .edit = *edit,
                             .entity = entity,
                             .hash = filo_reflect_hash(FILO_TYPE(FiloPlacementEdit), &hashed, 0),
                             .target = -1 };
    if (filo_placement_edit_check(pw, edit).code != FILO_OK) {
        e.edit.kind = FILO_PLACEMENT_NO_EDIT;
        return e;
    }
    if (has_id(edit)) {
        FiloPlacementPosition at = filo_placement_id_position(pw->placement, edit->id);
        e.edit.x = at.x;
        e.edit.y = at.y;
        e.bounds = around(at.x, at.y, MARGIN);
        if (edit->kind == FILO_PLACEMENT_PIN)
            e.target = filo_placement_layer_find(pw->placement, filo_name_text(edit->layer));
    } else {
        double margin = MARGIN;
        if (is_paint(edit)) e.target = find_map(pw, edit->map), margin += texel_margin(pw, e.target);
        e.bounds = around(edit->x, edit->y, (double)edit->radius + margin);
    }
    return e;
}

// ---- The list -----------------------------------------------------------------------------------------------------

static uint64_t order_of(const PlacementWorldEdit *e) {
    return e->edit.order != 0 ? e->edit.order : UINT64_MAX;
}

static int compare(const void *left, const void *right) {
    const PlacementWorldEdit *a = left, *b = right;
    if (order_of(a) != order_of(b)) return order_of(a) < order_of(b) ? -1 : 1;
    uint32_t i = filo_entity_index(a->entity), j = filo_entity_index(b->entity);
    return i < j ? -1 : i > j;
}

static void sort(PlacementWorldEdit *items, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (compare(&items[i - 1], &items[i]) > 0) {
            qsort(items, count, sizeof *items, compare);
            return;
        }
}

static void note(PlacementWorldChanges *changes, const FiloPlacementArea *area) {
    if (changes->count == PLACEMENT_WORLD_CHANGES) changes->all = true;
    if (!changes->all) changes->areas[changes->count++] = *area;
}

static void note_change(FiloPlacementWorld *pw, const PlacementWorldEdit *e) {
    if (e->edit.kind == FILO_PLACEMENT_NO_EDIT) return;
    note(&pw->tiles.changes, &e->bounds);
    note(&pw->squares.changes, &e->bounds);
}

static void warn_of(const FiloPlacementWorld *pw, const PlacementWorldEdit *e) {
    if (e->edit.kind != FILO_PLACEMENT_NO_EDIT) return;
    const FiloPlacementEdit *edit = filo_get(pw->world, e->entity, FiloPlacementEdit);
    if (edit == NULL) return;
    filo_log_warn("placement", "the edit of entity %u has no effect: %s", filo_entity_index(e->entity),
                  filo_placement_edit_check(pw, edit).message);
}

// Notes what differs between both lists, which have the same order.
static void compare_lists(FiloPlacementWorld *pw) {
    const PlacementWorldEdits *edits = &pw->edits;
    size_t i = 0, j = 0;
    while (i < edits->before.count || j < edits->list.count) {
        const PlacementWorldEdit *a = i < edits->before.count ? &edits->before.items[i] : NULL;
        const PlacementWorldEdit *b = j < edits->list.count ? &edits->list.items[j] : NULL;
        int order = a == NULL ? 1 : b == NULL ? -1 : compare(a, b);
        bool same = order == 0 && a->hash == b->hash && filo_entity_equal(a->entity, b->entity);
        if (a != NULL && order <= 0 && !same) note_change(pw, a);
        if (b != NULL && order >= 0 && !same) note_change(pw, b), warn_of(pw, b);
        i += order <= 0;
        j += order >= 0;
    }
}

// ---- The index ----------------------------------------------------------------------------------------------------

static int32_t bucket_of(double at) {
    double bucket = floor(at / PLACEMENT_WORLD_BUCKET);
    return (int32_t)fmax(-1e9, fmin(1e9, bucket));
}

static uint64_t bucket_key(int32_t x, int32_t y) { return (uint64_t)(uint32_t)x << 32 | (uint32_t)y; }

static bool is_large(const PlacementWorldEdit *e) {
    return e->bounds.x1 - e->bounds.x0 > 2 * PLACEMENT_WORLD_BUCKET;
}

// Adds the edits from `first` on.
static bool add_to_index(PlacementWorldEdits *edits, size_t first) {
    for (size_t i = first; i < edits->list.count; i++) {
        const PlacementWorldEdit *e = &edits->list.items[i];
        uint32_t *known = filo_map_put(&edits->known, e->entity.id);
        if (known == NULL) return false;
        *known = (uint32_t)i;
        if (e->edit.kind == FILO_PLACEMENT_NO_EDIT) continue;
        if (is_large(e)) {
            if (!filo_array_push(&edits->large, (uint32_t)i)) return false;
            continue;
        }
        uint32_t *head =
            filo_map_put(&edits->buckets, bucket_key(bucket_of(e->edit.x), bucket_of(e->edit.y)));
        if (head == NULL || !filo_array_push(&edits->nodes, (PlacementWorldNode){ (uint32_t)i, *head }))
            return false;
        *head = (uint32_t)edits->nodes.count;
    }
    return true;
}

// ---- Reading ------------------------------------------------------------------------------------------------------

// Resolves the rows of a part that the list does not have. False if the list must be read again.
static bool find_new(FiloPlacementWorld *pw, FiloIter *it) {
    PlacementWorldEdits *edits = &pw->edits;
    const FiloPlacementEdit *edit = filo_read(it, FiloPlacementEdit);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        PlacementWorldEdit e = resolve(pw, &edit[i], entity);
        const uint32_t *known = filo_map_get(&edits->known, entity.id);
        if (known == NULL) {
            if (!filo_array_push(&edits->fresh, e)) return false;
        } else if (edits->list.items[*known].hash != e.hash ||
                   edits->list.items[*known].edit.order != e.edit.order) {
            return false;
        }
    }
    return true;
}

// Looks for changes since the last time. False if the list must be read again.
static bool find_changes(FiloPlacementWorld *pw, bool *restored) {
    PlacementWorldEdits *edits = &pw->edits;
    FiloSeen before = edits->seen;
    size_t count = 0;
    bool appended = !edits->stale && before.version != 0;
    filo_array_clear(&edits->fresh);
    FiloIter it = filo_query_iter_since(pw->edit_query, &edits->seen);
    *restored = before.version == 0 || before.restored != edits->seen.restored;
    appended = appended && !*restored;
    while (filo_iter_next(&it)) {
        count += it.count;
        if (appended && (filo_iter_rows_changed(&it) || filo_changed(&it, FiloPlacementEdit)))
            appended = find_new(pw, &it);
    }
    return appended && count == edits->list.count + edits->fresh.count;
}

// Appends new edits. False if they do not belong at the end, or without memory.
static bool append(FiloPlacementWorld *pw) {
    PlacementWorldEdits *edits = &pw->edits;
    size_t first = edits->list.count, count = edits->fresh.count;
    if (count == 0) return true;
    sort(edits->fresh.items, count);
    if (first > 0 && compare(&edits->list.items[first - 1], &edits->fresh.items[0]) > 0) return false;
    if (!filo_array_push_many(&edits->list, edits->fresh.items, count) || !add_to_index(edits, first))
        return false;
    filo_array_each (&edits->fresh, e) {
        note_change(pw, e);
        warn_of(pw, e);
        edits->unordered |= e->edit.order == 0;
    }
    return true;
}

static bool read_list(FiloPlacementWorld *pw) {
    PlacementWorldEdits *edits = &pw->edits;
    edits->unordered = false;
    FiloIter it = filo_query_iter(pw->edit_query);
    while (filo_iter_next(&it)) {
        const FiloPlacementEdit *edit = filo_read(&it, FiloPlacementEdit);
        for (size_t i = 0; i < it.count; i++) {
            if (!filo_array_push(&edits->list, resolve(pw, &edit[i], filo_iter_entity(&it, i)))) {
                filo_iter_end(&it);
                return false;
            }
            edits->unordered |= edit[i].order == 0;
        }
    }
    sort(edits->list.items, edits->list.count);
    filo_map_clear(&edits->known);
    filo_map_clear(&edits->buckets);
    filo_array_clear(&edits->nodes);
    filo_array_clear(&edits->large);
    return add_to_index(edits, 0);
}

bool placement_world_edits_sync(FiloPlacementWorld *pw) {
    PlacementWorldEdits *edits = &pw->edits;
    bool restored;
    if (find_changes(pw, &restored) && append(pw)) return true;
    filo_array_clear(&edits->before);
    if (!edits->stale && !filo_array_push_many(&edits->before, edits->list.items, edits->list.count))
        edits->stale = true;
    filo_array_clear(&edits->list);
    if (restored || edits->stale) pw->tiles.changes.all = pw->squares.changes.all = true;
    edits->stale = !read_list(pw);
    compare_lists(pw);
    return !edits->stale;
}

void placement_world_edits_order(FiloPlacementWorld *pw, FiloPlacementState *state) {
    PlacementWorldEdits *edits = &pw->edits;
    if (!edits->unordered || edits->stale) return;
    size_t first = edits->list.count; // those without an order are at the end
    while (first > 0 && edits->list.items[first - 1].edit.order == 0) first--;
    if (first > 0) state->edits = FILO_MAX(state->edits, edits->list.items[first - 1].edit.order);
    for (size_t i = first; i < edits->list.count; i++) {
        PlacementWorldEdit *e = &edits->list.items[i];
        FiloPlacementEdit *edit = filo_try_edit(pw->world, e->entity, FiloPlacementEdit);
        if (edit != NULL) edit->order = e->edit.order = ++state->edits;
    }
    edits->unordered = false;
    FiloIter it = filo_query_iter_since(pw->edit_query, &edits->seen); // the list has these orders already
    filo_iter_end(&it);
}

// ---- Searching ----------------------------------------------------------------------------------------------------

static bool overlaps(const FiloPlacementArea *a, const FiloPlacementArea *b) {
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

static FiloPlacementArea grown(const FiloPlacementArea *area, double by) {
    return (FiloPlacementArea){ area->x0 - by, area->y0 - by, area->x1 + by, area->y1 + by };
}

static bool add_found(PlacementWorldEdits *edits, uint32_t index, const FiloPlacementArea *area) {
    const PlacementWorldEdit *e = &edits->list.items[index];
    if (e->edit.kind == FILO_PLACEMENT_NO_EDIT || !overlaps(&e->bounds, area)) return true;
    return filo_array_push(&edits->found, index);
}

static bool find_in_buckets(PlacementWorldEdits *edits, const FiloPlacementArea *area) {
    FiloPlacementArea wide = grown(area, PLACEMENT_WORLD_BUCKET);
    int32_t x0 = bucket_of(wide.x0), x1 = bucket_of(wide.x1), y0 = bucket_of(wide.y0),
            y1 = bucket_of(wide.y1);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            const uint32_t *first = filo_map_get(&edits->buckets, bucket_key(x, y));
            for (uint32_t n = first != NULL ? *first : 0; n != 0; n = edits->nodes.items[n - 1].next)
                if (!add_found(edits, edits->nodes.items[n - 1].edit, area)) return false;
        }
    filo_array_each (&edits->large, index)
        if (!add_found(edits, *index, area)) return false;
    return true;
}

// Shell sort: the list is short, and qsort may allocate.
static void sort_found(uint32_t *items, size_t count) {
    for (size_t gap = count / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < count; i++) {
            uint32_t item = items[i];
            size_t at = i;
            for (; at >= gap && items[at - gap] > item; at -= gap) items[at] = items[at - gap];
            items[at] = item;
        }
}

bool placement_world_edits_find(FiloPlacementWorld *pw, const FiloPlacementArea *area) {
    PlacementWorldEdits *edits = &pw->edits;
    filo_array_clear(&edits->found);
    if (edits->list.count == 0) return true;
    FiloPlacementArea wide = grown(area, pw->reach);
    double columns = (wide.x1 - wide.x0) / PLACEMENT_WORLD_BUCKET + 3;
    double rows = (wide.y1 - wide.y0) / PLACEMENT_WORLD_BUCKET + 3;
    if (columns * rows < (double)edits->list.count) {
        if (!find_in_buckets(edits, &wide)) return false;
        sort_found(edits->found.items, edits->found.count);
        return true;
    }
    for (size_t i = 0; i < edits->list.count; i++)
        if (!add_found(edits, (uint32_t)i, &wide)) return false;
    return true;
}

uint64_t placement_world_signature(FiloPlacementWorld *pw, const FiloPlacementArea *area, uint64_t fallback) {
    if (!placement_world_edits_find(pw, area)) return fallback;
    uint64_t signature = pw->epoch;
    filo_array_each (&pw->edits.found, index)
        signature = filo_hash_combine(signature, pw->edits.list.items[*index].hash);
    return signature;
}

bool placement_world_concerns(const FiloPlacementWorld *pw, const PlacementWorldChanges *changes,
                              const FiloPlacementArea *area) {
    if (changes->all) return true;
    FiloPlacementArea wide = grown(area, pw->reach);
    for (size_t i = 0; i < changes->count; i++)
        if (overlaps(&changes->areas[i], &wide)) return true;
    return false;
}

void placement_world_edits_deinit(PlacementWorldEdits *edits) {
    filo_array_deinit(&edits->list);
    filo_array_deinit(&edits->before);
    filo_array_deinit(&edits->fresh);
    filo_map_deinit(&edits->known);
    filo_map_deinit(&edits->buckets);
    filo_array_deinit(&edits->nodes);
    filo_array_deinit(&edits->large);
    filo_array_deinit(&edits->found);
}
