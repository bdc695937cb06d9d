// Tiles for drawing: which are needed, computed, cached and evicted.
//
// The budget is a promise. A tile that was never computed is assumed to have an object for each candidate until its work
// has ended, so what is cached and what is under way never add up to more than the budget. If there is no room, tiles that
// are not needed go first, the one that was needed longest ago before others; then tiles that are farther away than the
// one that needs room. A tile that has to go although it is needed stays in the map with its size, so that it is not
// computed again in vain.

#include <filo/hash.h>
#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>

// ---- Memory -------------------------------------------------------------------------------------------------------

// What a block counts for, with the memory of PlacementWorldTile.promoted.
static size_t block_bytes(const PlacementWorldBlock *block) { return block->size + block->result.count; }

static void free_promoted(const FiloPlacementWorld *pw, PlacementWorldTile *tile) {
    if (tile->promoted == NULL) return;
    filo_free(pw->allocator, tile->promoted, tile->block->result.count, 1);
    tile->promoted = NULL;
}

static void free_block(FiloPlacementWorld *pw, PlacementWorldTile *tile) {
    if (tile->block == NULL) return;
    free_promoted(pw, tile);
    pw->tiles.bytes -= block_bytes(tile->block);
    pw->tiles.dirty = true;
    placement_world_block_free(pw, tile->block);
    tile->block = NULL;
    tile->squares = 0;
}

static void end_work(FiloPlacementWorld *pw, PlacementWorldTile *tile) {
    placement_world_work_drop(tile->work);
    pw->tiles.reserved -= tile->reserved;
    pw->tiles.under_way--;
    tile->work = NULL;
    tile->reserved = 0;
}

static void cancel(FiloPlacementWorld *pw, PlacementWorldTile *tile) {
    if (tile->work == NULL) return;
    pw->tiles.cancelled++;
    end_work(pw, tile);
}

static PlacementWorldTile *tile_at(const FiloPlacementWorld *pw, size_t index) {
    return filo_map_value_at(&pw->tiles.map, index);
}

static void remove_tile(FiloPlacementWorld *pw, size_t index) {
    PlacementWorldTile *tile = tile_at(pw, index);
    cancel(pw, tile);
    free_block(pw, tile);
    pw->tiles.dirty = true;
    (void)filo_map_remove(&pw->tiles.map, filo_map_key_at(&pw->tiles.map, index));
}

void placement_world_tiles_init(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    filo_map_init(&tiles->map, sizeof(PlacementWorldTile), pw->allocator);
    filo_map_init(&tiles->live, 0, pw->allocator);
    filo_map_init(&tiles->live_tiles, sizeof(uint64_t), pw->allocator);
    filo_array_init(&tiles->shown, pw->allocator);
    filo_array_init(&tiles->views, pw->allocator);
    filo_array_init(&tiles->seen, pw->allocator);
}

void placement_world_tiles_deinit(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    while (tiles->map.count > 0) remove_tile(pw, tiles->map.count - 1);
    filo_map_deinit(&tiles->map);
    filo_map_deinit(&tiles->live);
    filo_map_deinit(&tiles->live_tiles);
    filo_array_deinit(&tiles->shown);
    filo_array_deinit(&tiles->views);
    filo_array_deinit(&tiles->seen);
}

// ---- What is needed -----------------------------------------------------------------------------------------------

typedef struct Need {
    FiloPlacementWorld *pw;
    uint32_t footprint;
} Need;

static void need(int32_t x, int32_t y, double distance, void *user) {
    const Need *n = user;
    PlacementWorldTiles *tiles = &n->pw->tiles;
    const PlacementWorldGrid *grid = &n->pw->tile_grids[n->footprint];
    size_t count = tiles->map.count;
    PlacementWorldTile *tile = filo_map_put(&tiles->map, placement_world_key(n->footprint, x, y));
    if (tile == NULL) {
        tiles->incomplete = true; // no memory, which was reported
        return;
    }
    if (tiles->map.count > count) {
        FiloPlacementArea area = placement_world_area(grid, x, y);
        tile->footprint = n->footprint;
        tile->x = x;
        tile->y = y;
        tile->signature = placement_world_signature(n->pw, &area, 0);
    }
    if (tile->needed != tiles->needed || distance < tile->distance) {
        tile->distance = distance;
        tile->priority = distance / grid->side;
    }
    tile->needed = tiles->needed;
    tile->failed = false;
}

static void find_needed(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    tiles->needed++;
    tiles->dirty = true;
    tiles->incomplete = false;
    for (size_t v = 0; v < tiles->views.count; v++)
        for (uint32_t f = 0; f < pw->footprints && tiles->views.items[v].tiles; f++)
            placement_world_around(&pw->tile_grids[f], &tiles->views.items[v], need, &(Need){ pw, f });
    for (size_t i = tiles->map.count; i-- > 0;) {
        PlacementWorldTile *tile = tile_at(pw, i);
        if (tile->needed == tiles->needed) continue;
        cancel(pw, tile);
        if (tile->block == NULL) remove_tile(pw, i);
    }
    filo_array_clear(&tiles->seen);
    (void)filo_array_push_many(&tiles->seen, tiles->views.items,
                               tiles->views.count); // or again in the next update
}

static void follow_edits(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    for (size_t i = 0; i < tiles->map.count; i++) {
        PlacementWorldTile *tile = tile_at(pw, i);
        FiloPlacementArea area = placement_world_area(&pw->tile_grids[tile->footprint], tile->x, tile->y);
        if (!placement_world_concerns(pw, &tiles->changes, &area)) continue;
        uint64_t signature = placement_world_signature(pw, &area, tile->signature);
        if (signature == tile->signature) continue;
        tile->signature = signature;
        tile->failed = false;
        // What is under way is out of date, but is shown if there is nothing else: while a brush moves, for instance.
        if (tile->block != NULL) cancel(pw, tile);
    }
    tiles->changes.count = 0;
    tiles->changes.all = false;
}

static bool is_needed(const FiloPlacementWorld *pw, const PlacementWorldTile *tile) {
    return tile->needed == pw->tiles.needed;
}

static bool is_missing(const FiloPlacementWorld *pw, const PlacementWorldTile *tile) {
    return is_needed(pw, tile) && (tile->block == NULL || tile->computed != tile->signature);
}

// ---- Room ---------------------------------------------------------------------------------------------------------

// The most that a tile can take.
static size_t most_bytes(const FiloPlacementWorld *pw, uint32_t footprint) {
    size_t cells = (size_t)pw->tile_grids[footprint].cells;
    size_t candidates = cells * cells * filo_placement_point_count(pw->placement, footprint);
    return sizeof(PlacementWorldBlock) + candidates * (sizeof(FiloPlaced) + 1);
}

// The tile that should go first, to make room for one with a priority; −1: none.
static ptrdiff_t worst_tile(const FiloPlacementWorld *pw, double priority) {
    ptrdiff_t worst = -1;
    for (size_t i = 0; i < pw->tiles.map.count; i++) {
        const PlacementWorldTile *tile = tile_at(pw, i);
        if (tile->block == NULL || (is_needed(pw, tile) && tile->priority <= priority)) continue;
        const PlacementWorldTile *other = worst >= 0 ? tile_at(pw, (size_t)worst) : NULL;
        if (other == NULL || tile->needed < other->needed ||
            (tile->needed == other->needed && tile->priority > other->priority))
            worst = (ptrdiff_t)i;
    }
    return worst;
}

static bool fits(const FiloPlacementWorld *pw, size_t bytes) {
    return pw->tiles.bytes + pw->tiles.reserved + bytes <= pw->desc.budget;
}

// Makes room for `bytes`. A tile that is removed may move the one that room is made for.
static bool make_room(FiloPlacementWorld *pw, double priority, size_t bytes) {
    while (!fits(pw, bytes)) {
        ptrdiff_t worst = worst_tile(pw, priority);
        if (worst < 0) return false;
        PlacementWorldTile *tile = tile_at(pw, (size_t)worst);
        pw->tiles.evicted++;
        if (is_needed(pw, tile))
            free_block(pw, tile);
        else
            remove_tile(pw, (size_t)worst);
    }
    return true;
}

// ---- Works --------------------------------------------------------------------------------------------------------

// Takes the result of a work that has ended.
static void take(FiloPlacementWorld *pw, PlacementWorldTile *tile) {
    PlacementWorldWork *work = tile->work;
    if (work->outcome.code == FILO_OK) {
        pw->failing = false;
        free_block(pw, tile);
        tile->block = work->block;
        work->block = NULL;
        tile->computed = work->signature;
        tile->known = block_bytes(tile->block);
        pw->tiles.bytes += tile->known;
        pw->tiles.dirty = true;
        tile->version = ++pw->tiles.version;
        pw->tiles.computed++;
    } else if (work->outcome.code != FILO_ERROR_CANCELLED) {
        placement_world_work_failed(work);
        tile->failed = true;
    }
    end_work(pw, tile);
}

static void take_ended(FiloPlacementWorld *pw, size_t most) {
    for (size_t i = 0; i < pw->tiles.map.count && pw->tiles.under_way > 0 && most > 0; i++) {
        PlacementWorldTile *tile = tile_at(pw, i);
        if (tile->work == NULL || !placement_world_work_ended(tile->work)) continue;
        take(pw, tile);
        most--;
    }
}

static PlacementWorldTile *next_tile(const FiloPlacementWorld *pw) {
    PlacementWorldTile *best = NULL;
    for (size_t i = 0; i < pw->tiles.map.count; i++) {
        PlacementWorldTile *tile = tile_at(pw, i);
        if (tile->work != NULL || tile->failed || !is_missing(pw, tile)) continue;
        if (best == NULL || tile->priority < best->priority) best = tile;
    }
    return best;
}

// Begins the next tile. False if there is none, or no room for it.
static bool start_next(FiloPlacementWorld *pw) {
    PlacementWorldTile *tile = next_tile(pw);
    if (tile == NULL) return false;
    uint64_t key = placement_world_key(tile->footprint, tile->x, tile->y);
    size_t bytes = tile->block == NULL && tile->known > 0 && tile->computed == tile->signature
                       ? tile->known
                       : most_bytes(pw, tile->footprint);
    bool room = make_room(pw, tile->priority, bytes);
    tile = filo_map_get(&pw->tiles.map, key);
    if (!room && tile->block != NULL) {
        free_block(pw, tile);
        room = make_room(pw, tile->priority, bytes);
        tile = filo_map_get(&pw->tiles.map, key);
    }
    if (!room) {
        if (!pw->tiles.warned && pw->tiles.bytes == 0 && pw->tiles.reserved == 0) {
            filo_log_warn("placement",
                          "a tile may need %zu bytes, and the budget has %zu: make tiles smaller", bytes,
                          pw->desc.budget);
            pw->tiles.warned = true;
        }
        return false;
    }
    FiloPlacementArea area = placement_world_area(&pw->tile_grids[tile->footprint], tile->x, tile->y);
    PlacementWorldWork *work =
        placement_world_work_begin(pw, key, tile->footprint, &area, false, tile->signature);
    if (work == NULL) {
        tile->failed = true; // no memory
        return false;
    }
    tile->work = work;
    tile->reserved = bytes;
    pw->tiles.reserved += bytes;
    pw->tiles.under_way++;
    return true;
}

// Whether something was begun or computed.
static bool start_works(FiloPlacementWorld *pw) {
    if (pw->jobs == NULL) {
        if (!start_next(pw)) return false;
        for (size_t i = 0; i < pw->tiles.map.count; i++) {
            PlacementWorldTile *tile = tile_at(pw, i);
            if (tile->work == NULL) continue;
            placement_world_work_finish(tile->work);
            take(pw, tile);
            break;
        }
        return true;
    }
    bool any = false;
    while (pw->tiles.under_way < pw->desc.under_way && start_next(pw)) any = true;
    return any;
}

// ---- Objects that are entities ------------------------------------------------------------------------------------

static int32_t floor_div(int32_t a, int32_t b) { return a / b - (a % b < 0); }

static bool squares_have_changed(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    bool changed = tiles->live_seen.version == 0;
    size_t count = 0;
    FiloIter it = filo_query_iter_since(pw->square_query, &tiles->live_seen);
    while (filo_iter_next(&it)) {
        count += it.count;
        changed |= filo_iter_rows_changed(&it) || filo_changed(&it, FiloPlacedTile);
    }
    changed |= count != tiles->live_count;
    tiles->live_count = count;
    return changed;
}

static void find_live(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    tiles->dirty = true;
    filo_map_clear(&tiles->live);
    filo_map_clear(&tiles->live_tiles);
    FiloIter it = filo_query_iter(pw->square_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedTile *square = filo_read(&it, FiloPlacedTile);
        for (size_t i = 0; i < it.count; i++) {
            const FiloPlacedTile *s = &square[i];
            if (!s->live || s->footprint >= pw->footprints || pw->tile_grids[s->footprint].distance <= 0)
                continue;
            int32_t ratio = pw->tile_grids[s->footprint].cells / pw->square_grids[s->footprint].cells;
            uint64_t key = placement_world_key(s->footprint, s->x, s->y);
            uint64_t *hash =
                filo_map_put(&tiles->live_tiles, placement_world_key(s->footprint, floor_div(s->x, ratio),
                                                                     floor_div(s->y, ratio)));
            if (hash == NULL || filo_map_put(&tiles->live, key) == NULL)
                continue;                    // drawn twice, without memory
            *hash += filo_hash_u64(key) | 1; // in any order
        }
    }
}

static void mark_promoted(FiloPlacementWorld *pw, PlacementWorldTile *tile, uint64_t squares) {
    const FiloPlacementResult *result = &tile->block->result;
    free_promoted(pw, tile);
    tile->squares = squares;
    tile->version = ++pw->tiles.version;
    if (squares == 0 || result->count == 0) return;
    tile->promoted = filo_alloc_zero(pw->allocator, result->count, 1);
    if (tile->promoted == NULL) return;
    double side = pw->square_grids[tile->footprint].side;
    for (size_t i = 0; i < result->count; i++) {
        if (pw->maker_of[result->objects[i].layer] < 0) continue;
        FiloPlacementPosition at = filo_placement_position(result, &result->objects[i]);
        uint64_t key =
            placement_world_key(tile->footprint, (int32_t)floor(at.x / side), (int32_t)floor(at.y / side));
        tile->promoted[i] = filo_map_has(&pw->tiles.live, key);
    }
}

// Lists the tiles to draw, and marks what is an entity in them.
static void show(FiloPlacementWorld *pw) {
    PlacementWorldTiles *tiles = &pw->tiles;
    filo_array_clear(&tiles->shown);
    for (size_t i = 0; i < tiles->map.count; i++) {
        PlacementWorldTile *tile = tile_at(pw, i);
        if (!is_needed(pw, tile) || tile->block == NULL) continue;
        const uint64_t *hash = filo_map_get(&tiles->live_tiles, filo_map_key_at(&tiles->map, i));
        uint64_t squares = hash != NULL ? *hash : 0;
        if (squares != tile->squares) mark_promoted(pw, tile, squares);
        if (!filo_array_push(&tiles->shown, (uint32_t)i)) return; // the others are shown later
    }
}

// ---- Updating -----------------------------------------------------------------------------------------------------

void placement_world_tiles_update(FiloPlacementWorld *pw, size_t most) {
    PlacementWorldTiles *tiles = &pw->tiles;
    placement_world_works_sweep(pw);
    (void)placement_world_edits_sync(pw); // or later, with more memory
    if (placement_world_find_viewers(pw, &tiles->views) &&
        (tiles->needed == 0 || tiles->incomplete ||
         !placement_world_same_viewers(&tiles->views, &tiles->seen)))
        find_needed(pw);
    if (tiles->changes.all || tiles->changes.count > 0) follow_edits(pw);
    take_ended(pw, most);
    tiles->started = start_works(pw);
    if (squares_have_changed(pw)) find_live(pw);
    if (!tiles->dirty) return;
    tiles->dirty = false;
    show(pw);
}

// If it is true, placement_world_leave must follow.
static bool can_update(FiloPlacementWorld *pw) {
    if (!FILO_CHECK(pw != NULL, "pass the object that filo_placement_world_create made")) return false;
    return FILO_CHECK(pw->world != NULL, "the world of this FiloPlacementWorld was destroyed") &&
           placement_world_enter(pw);
}

void filo_placement_world_update(FiloPlacementWorld *pw) {
    if (!can_update(pw)) return;
    placement_world_tiles_update(pw, pw->desc.per_update);
    placement_world_leave(pw);
}

bool filo_placement_world_wait(FiloPlacementWorld *pw) {
    if (!can_update(pw)) return false;
    bool waited = false;
    for (;;) {
        placement_world_tiles_update(pw, SIZE_MAX);
        if (pw->tiles.under_way == 0 && !pw->tiles.started) break;
        waited = true;
        for (size_t i = 0; i < pw->tiles.map.count; i++)
            if (tile_at(pw, i)->work != NULL) placement_world_work_finish(tile_at(pw, i)->work);
    }
    placement_world_leave(pw);
    return waited;
}

void filo_placement_world_invalidate(FiloPlacementWorld *pw) {
    if (!can_update(pw)) return;
    pw->epoch = filo_hash_combine(pw->epoch, 1);
    pw->tiles.changes.all = pw->squares.changes.all = true;
    placement_world_leave(pw);
}

// ---- Reading ------------------------------------------------------------------------------------------------------

bool filo_placement_world_tile(const FiloPlacementWorld *pw, size_t n, FiloPlacementTile *to) {
    if (!FILO_CHECK(pw != NULL && to != NULL, "pass a FiloPlacementWorld, and a tile to fill")) return false;
    *to = (FiloPlacementTile){ 0 };
    if (n >= pw->tiles.shown.count) return false;
    const PlacementWorldTile *tile = tile_at(pw, pw->tiles.shown.items[n]);
    const PlacementWorldGrid *grid = &pw->tile_grids[tile->footprint];
    int32_t blocks = FILO_PLACEMENT_BLOCK / grid->cells;
    FiloPlacementPosition origin = filo_placement_origin(
        pw->placement, tile->footprint, floor_div(tile->x, blocks), floor_div(tile->y, blocks));
    *to = (FiloPlacementTile){ .footprint = tile->footprint,
                               .x = tile->x,
                               .y = tile->y,
                               .area = placement_world_area(grid, tile->x, tile->y),
                               .origin_x = origin.x,
                               .origin_y = origin.y,
                               .result = &tile->block->result,
                               .promoted = tile->promoted,
                               .distance = (float)tile->distance,
                               .version = tile->version };
    return true;
}

FiloPlacementId filo_placement_world_id(const FiloPlacementTile *tile, size_t object) {
    if (!FILO_CHECK(tile != NULL && tile->result != NULL && object < tile->result->count,
                    "pass a tile of filo_placement_world_tile, and the number of one of its objects"))
        return (FiloPlacementId){ 0 };
    // The result is the first member of its block.
    const PlacementWorldBlock *block = (const PlacementWorldBlock *)(const void *)tile->result;
    for (size_t i = 0; i < block->moved_count; i++)
        if (block->moved[i].index == object) return filo_placement_id(tile->result, &block->moved[i].object);
    return filo_placement_id(tile->result, &tile->result->objects[object]);
}
