// Squares whose objects are entities: what is decided at the end of a tick.
//
// A square is an entity with a FiloPlacedTile. It is created when it comes near a viewer, with the tick in which its
// objects will be entities, and destroyed when all viewers have left. If edits that influence it change, it gets such a
// tick again. Everything follows from viewers, edits and squares as they are after the tick. The map of squares, and the
// works that compute them, are derived; nothing may depend on their order or on when a work ends.

#include "placement_world/placement_world.h"

void placement_world_squares_init(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_map_init(&squares->map, sizeof(PlacementWorldSquare), pw->allocator);
    filo_map_init(&squares->index, sizeof(uint32_t), pw->allocator);
    filo_array_init(&squares->views, pw->allocator);
    filo_array_init(&squares->decided, pw->allocator);
    filo_array_init(&squares->due, pw->allocator);
    filo_array_init(&squares->keys, pw->allocator);
    filo_array_init(&squares->present, pw->allocator);
    squares->stale = true;
}

static void drop_work(PlacementWorldSquare *square) {
    if (square->work != NULL) placement_world_work_drop(square->work);
    square->work = NULL;
}

void placement_world_squares_forget(FiloPlacementWorld *pw) {
    filo_map_each (&pw->squares.map, i) drop_work(filo_map_value_at(&pw->squares.map, i));
    filo_map_clear(&pw->squares.map);
}

void placement_world_squares_deinit(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    placement_world_squares_forget(pw);
    filo_map_deinit(&squares->map);
    filo_map_deinit(&squares->index);
    filo_array_deinit(&squares->views);
    filo_array_deinit(&squares->decided);
    filo_array_deinit(&squares->due);
    filo_array_deinit(&squares->keys);
    filo_array_deinit(&squares->present);
}

// ---- The map ------------------------------------------------------------------------------------------------------

static uint64_t key_of(const FiloPlacedTile *tile) {
    return placement_world_key(tile->footprint, tile->x, tile->y);
}

static bool rows_have_changed(FiloPlacementWorld *pw) {
    bool changed = pw->squares.stale;
    size_t count = 0;
    FiloIter it = filo_query_iter_since(pw->square_query, &pw->squares.seen);
    while (filo_iter_next(&it)) {
        count += it.count;
        changed |= filo_iter_rows_changed(&it);
    }
    return changed || count != pw->squares.map.count;
}

// Brings the map up to date with the entities: the world may have been restored or cleared. True if it was not.
static bool sync_map(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    if (!rows_have_changed(pw)) return false;
    squares->stale = false;
    filo_map_each (&squares->map, i)
        ((PlacementWorldSquare *)filo_map_value_at(&squares->map, i))->found = false;
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            PlacementWorldSquare *square = filo_map_put(&squares->map, key_of(&tile[i]));
            squares->stale |= square == NULL;
            if (square == NULL || square->found) continue; // of two at one place, the first
            square->entity = filo_iter_entity(&it, i);
            square->found = true;
        }
    }
    for (size_t i = squares->map.count; i-- > 0;) {
        PlacementWorldSquare *square = filo_map_value_at(&squares->map, i);
        if (square->found) continue;
        drop_work(square);
        (void)filo_map_remove(&squares->map, filo_map_key_at(&squares->map, i));
    }
    return true;
}

static FiloPlacedTile *edit_tile(FiloPlacementWorld *pw, uint64_t key) {
    const PlacementWorldSquare *square = filo_map_get(&pw->squares.map, key);
    return square != NULL ? filo_try_edit(pw->world, square->entity, FiloPlacedTile) : NULL;
}

// ---- Deciding -----------------------------------------------------------------------------------------------------

static FiloPlacementArea area_of(const FiloPlacementWorld *pw, const FiloPlacedTile *tile) {
    return placement_world_area(&pw->square_grids[tile->footprint], tile->x, tile->y);
}

// Squares that edits may have changed are computed again.
static void follow_edits(FiloPlacementWorld *pw, uint64_t tick) {
    PlacementWorldSquares *squares = &pw->squares;
    if (!squares->changes.all && squares->changes.count == 0) return;
    filo_array_clear(&squares->keys);
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            if (tile[i].footprint >= pw->footprints) continue;
            FiloPlacementArea area = area_of(pw, &tile[i]);
            if (placement_world_concerns(pw, &squares->changes, &area) &&
                placement_world_signature(pw, &area, tile[i].signature) != tile[i].signature)
                (void)filo_array_push(&squares->keys,
                                      key_of(&tile[i])); // without memory, the world is not the same
        }
    }
    filo_array_each (&squares->keys, key) {
        FiloPlacedTile *tile = edit_tile(pw, *key);
        if (tile == NULL) continue;
        FiloPlacementArea area = area_of(pw, tile);
        tile->signature = placement_world_signature(pw, &area, tile->signature);
        tile->due = tick + pw->desc.delay;
    }
    squares->changes.count = 0;
    squares->changes.all = false;
}

static bool is_left(const FiloPlacementWorld *pw, const FiloPlacedTile *tile) {
    if (tile->footprint >= pw->footprints || pw->square_grids[tile->footprint].distance <= 0) return true;
    FiloPlacementArea area = area_of(pw, tile);
    filo_array_each (&pw->squares.views, view)
        if (view->entities && placement_world_distance(view, &area) <= pw->square_grids[tile->footprint].away)
            return false;
    return true;
}

// Marks the squares that all viewers have left. Whether there are any.
static bool find_left(FiloPlacementWorld *pw) {
    bool any = false;
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            PlacementWorldSquare *square = filo_map_get(&pw->squares.map, key_of(&tile[i]));
            if (square == NULL || !is_left(pw, &tile[i])) continue;
            square->demoted = any = true;
        }
    }
    return any;
}

typedef struct Coming {
    FiloPlacementWorld *pw;
    uint32_t footprint;
    uint64_t due;
} Coming;

static void come(int32_t x, int32_t y, double distance, void *user) {
    FILO_UNUSED(distance);
    const Coming *coming = user;
    FiloPlacementWorld *pw = coming->pw;
    uint64_t key = placement_world_key(coming->footprint, x, y);
    if (filo_map_has(&pw->squares.map, key)) return;
    FiloPlacementArea area = placement_world_area(&pw->square_grids[coming->footprint], x, y);
    FiloEntity entity = filo_create(
        pw->world, FILO_SET(FiloPlacedTile, .footprint = coming->footprint, .x = x, .y = y,
                            .due = coming->due, .signature = placement_world_signature(pw, &area, 0)));
    PlacementWorldSquare *square = filo_map_put(&pw->squares.map, key);
    if (square != NULL) *square = (PlacementWorldSquare){ .entity = entity };
    if (square == NULL || entity.id == 0) pw->squares.stale = true;
}

// Decides which squares come and go. Without moving viewers there is nothing to decide.
static bool decide(FiloPlacementWorld *pw, uint64_t tick, bool changed) {
    PlacementWorldSquares *squares = &pw->squares;
    if (!placement_world_find_viewers(pw, &squares->views)) return false;
    if (!changed && placement_world_same_viewers(&squares->views, &squares->decided)) return false;
    bool left = find_left(pw);
    filo_array_each (&squares->views, view)
        for (uint32_t f = 0; f < pw->footprints && view->entities; f++)
            placement_world_around(&pw->square_grids[f], view, come,
                                   &(Coming){ pw, f, tick + pw->desc.delay });
    filo_array_clear(&squares->decided);
    (void)filo_array_push_many(&squares->decided, squares->views.items,
                               squares->views.count); // or again next time
    return left;
}

// ---- Computing ----------------------------------------------------------------------------------------------------

// Begins what is pending. Without workers, computes as much in each tick as will be needed in each.
static void begin_works(FiloPlacementWorld *pw) {
    size_t pending = 0, computed = 0;
    for (int pass = 0; pass < 2; pass++) {
        FiloIter it = filo_query_iter(pw->square_query);
        while (filo_iter_next(&it)) {
            const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
            for (size_t i = 0; i < it.count; i++) {
                PlacementWorldSquare *square =
                    tile[i].due != 0 ? filo_map_get(&pw->squares.map, key_of(&tile[i])) : NULL;
                if (square == NULL || square->demoted) continue;
                if (square->work != NULL && square->work->signature != tile[i].signature) drop_work(square);
                if (pass == 0) {
                    pending++;
                    if (square->work != NULL) continue;
                    FiloPlacementArea area = area_of(pw, &tile[i]);
                    square->work = placement_world_work_begin(pw, key_of(&tile[i]), tile[i].footprint, &area,
                                                              true, tile[i].signature);
                } else if (square->work != NULL && !square->work->done &&
                           computed * FILO_MAX(pw->desc.delay, 1u) < pending) {
                    placement_world_work_finish(square->work);
                    computed++;
                }
            }
        }
        if (pw->jobs != NULL || pending == 0) return;
    }
}

// ---- Delivering ---------------------------------------------------------------------------------------------------

// The work of a square that is due has a result. Waits for it.
static bool has_result(FiloPlacementWorld *pw, PlacementWorldSquare *square) {
    if (square->work == NULL) return false; // no memory, which was reported
    if (!placement_world_work_ended(square->work)) pw->squares.late++;
    placement_world_work_finish(square->work);
    if (square->work->outcome.code == FILO_OK) {
        pw->failing = false;
        return true;
    }
    placement_world_work_failed(square->work);
    drop_work(square);
    return false;
}

// Lists the squares that are due, in the order of their entities.
static void find_due(FiloPlacementWorld *pw, uint64_t tick) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_array_clear(&squares->due);
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            PlacementWorldSquare *square = filo_map_get(&squares->map, key_of(&tile[i]));
            if (tile[i].due == 0 || tile[i].due > tick || square == NULL || square->demoted) continue;
            if (!has_result(pw, square) || !filo_array_push(&squares->due, key_of(&tile[i]))) continue;
            square->delivered = (uint32_t)squares->due.count;
        }
    }
}

static void end_delivered(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_array_each (&squares->due, key) {
        FiloPlacedTile *tile = edit_tile(pw, *key);
        if (tile != NULL) tile->live = true, tile->due = 0;
        PlacementWorldSquare *square = filo_map_get(&squares->map, *key);
        if (square == NULL) continue;
        drop_work(square);
        square->delivered = 0;
    }
    squares->promoted += squares->due.count;
}

static void end_demoted(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_array_clear(&squares->keys);
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *tile = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            const PlacementWorldSquare *square = filo_map_get(&squares->map, key_of(&tile[i]));
            if (square != NULL && square->demoted) (void)filo_array_push(&squares->keys, key_of(&tile[i]));
        }
    }
    filo_array_each (&squares->keys, key) {
        PlacementWorldSquare *square = filo_map_get(&squares->map, *key);
        if (square == NULL) continue; // a damaged file may have two at one place
        drop_work(square);
        filo_entity_destroy(pw->world, square->entity);
        (void)filo_map_remove(&squares->map, *key);
    }
}

// ---- The end of a tick --------------------------------------------------------------------------------------------

// Begins again if the world was made with other settings. The state, or NULL without memory.
static FiloPlacementState *check_settings(FiloPlacementWorld *pw) {
    FiloPlacementState *state = filo_edit_global(pw->world, FiloPlacementState);
    if (state == NULL || state->settings == pw->settings) return state;
    if (state->settings != 0) {
        if (!placement_world_entities_reset(pw)) return NULL;
        filo_map_each (&pw->squares.map, i)
            ((PlacementWorldSquare *)filo_map_value_at(&pw->squares.map, i))->demoted = true;
        end_demoted(pw);
        pw->squares.stale = true;
        state = filo_edit_global(pw->world, FiloPlacementState);
    }
    state->settings = pw->settings;
    return state;
}

void placement_world_squares_process(FiloPlacementWorld *pw) {
    uint64_t tick = filo_world_ticks(pw->world);
    const FiloPlacementState *before = filo_get_global(pw->world, FiloPlacementState);
    if (before == NULL || before->processed == tick) return; // a refresh between ticks
    placement_world_works_sweep(pw);
    bool changed = sync_map(pw);
    FiloPlacementState *state = check_settings(pw);
    if (state == NULL) return;
    changed |= pw->squares.stale;
    state->processed = tick;
    (void)placement_world_edits_sync(pw); // or later, with more memory
    placement_world_edits_order(pw, state);
    follow_edits(pw, tick);
    bool left = decide(pw, tick, changed);
    begin_works(pw);
    find_due(pw, tick);
    if (!left && pw->squares.due.count == 0) return;
    if (!placement_world_entities_follow(pw)) pw->squares.stale = true;
    end_delivered(pw);
    if (left) end_demoted(pw);
}
