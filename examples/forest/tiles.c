// Objects around the camera. Three grids of squares: large ones with trees and rocks, 3 × 3 of which are about 1 km²; small
// ones with grass; and around the large ones more of the same size, with fewer trees, which are only pictures. When the camera enters another square, the three, five or eight that are new are computed in the
// background; the others stay. A square is divided into tiles, so that a frame takes over a little at a time.
//
// A tile is placed (by futures of the placement, or of the GPU), then read: a job turns what was placed into instances. Then
// the main thread gives them to the renderer. Until then the tile shows what it had before.

#include "forest.h"

#include <stdlib.h>
#include <string.h>

#define PER_FRAME 2 // tiles that a frame takes over
#define UNDER_WAY 6 // tiles that are computed at once

typedef struct Grid {
    KindSet set;
    float square;     // metres of a side
    int around, hole; // squares around the one with the camera: so many, but not those nearer than `hole`
    int parts;        // tiles along a side of a square
    uint32_t footprints;
    float range, fade; // of drawing
} Grid;

static const Grid grids[SET_COUNT] = {
    { SET_OBJECTS, 336, 1, 0, 4, 1u << FOOTPRINT_ROCKS | 1u << FOOTPRINT_TREES, 620, 0.12f },
    { SET_GRASS, 36, 1, 0, 1, 1u << FOOTPRINT_GRASS, 54, 0.45f },
    { SET_FAR, 336, 4, 2, 1, 1u << FOOTPRINT_TREES, 1500, 0.1f },
};
#define FAR_FOOTPRINTS 11 // tenths by which those of far trees are larger

typedef enum TileState { TILE_DONE, TILE_NEEDED, TILE_PLACING, TILE_READING, TILE_READ } TileState;

// What a tile has, or should have.
typedef struct TileKey {
    int32_t x, y; // in tiles
    const FiloPlacement *placement;
    uint64_t stumps; // hash of those that matter
    bool on_gpu;     // placed by the GPU: the same objects, placed again after a switch
} TileKey;

typedef struct Tile {
    Tiles *tiles;
    const Grid *grid;
    TileKey key;
    TileState state;
    float distance; // to the camera; far trees come last
    bool hidden;
    FiloPlacementFuture future;
    FiloPlacementGpuFuture gpu_future;
    FiloPlacementResult result;
    FiloArray(FiloClearing) clearings;
    FiloArray(FiloInstance) list;
    FiloJob job;
    FiloInstances instances;
    size_t trees, rocks, grass;
    int64_t began, read_began, read_ended;
} Tile;

struct Tiles {
    TilesDesc desc;
    const Land *land;
    FiloArray(Tile *) tiles; // pointers: they do not move
    FiloArray(Stump) stumps;
    uint64_t stump_hash;
    FiloInstances stump_set;
    FiloPlacementGpu *gpu;
    const FiloPlacement *gpu_placement; // that it was made for
    bool no_gpu;                        // reported
    int32_t square_x, square_y;
    TilesStats stats;
};

// ---- Reading ------------------------------------------------------------------------------------------------------

// From z up to y up.
static FiloQuat to_space(FiloQuat q) { return filo_quat(q.x, q.z, -q.y, q.w); }

static void add_object(Tile *tile, const Kind *kind, const FiloPlaced *object) {
    const Land *land = tile->tiles->land;
    FiloPlacementPosition at = filo_placement_position(&tile->result, object);
    FiloVariant variant = filo_placement_variant(&tile->result, object);
    FiloInstance instance = { .position = land_to_space(land, at.x, at.y, at.z),
                              .scale = variant.scale,
                              .rotation = filo_instance_rotation(to_space(variant.rotation)),
                              .color = variant.color,
                              .mesh = (uint16_t)(kind->first + variant.variant % KIND_VARIANTS),
                              .flags = tile->grid->set == SET_FAR || kind->small ? FILO_MESH_NO_SHADOW : 0,
                              .values = { (uint16_t)variant.hash, (uint16_t)(variant.hash >> 16) } };
    instance.position.y -= kind->sink * variant.scale;
    (void)filo_array_push(&tile->list, instance); // it was reserved
}

// A job.
static void read_tile(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    Tile *tile = *(Tile **)data;
    tile->read_began = filo_time_ns();
    const FiloPlacementResult *result = &tile->result;
    filo_array_clear(&tile->list);
    tile->trees = tile->rocks = tile->grass = 0;
    bool ok = filo_array_reserve(&tile->list, result->count);
    size_t layers = ok ? filo_placement_layer_count(tile->key.placement) : 0;
    for (size_t layer = 0; layer < layers; layer++) {
        const Kind *kind = kind_of(filo_placement_layer_name(tile->key.placement, layer));
        if (tile->grid->set == SET_FAR && kind->sink > 0.06f) continue; // no bushes
        for (size_t i = result->first[layer]; i < result->first[layer + 1]; i++)
            add_object(tile, kind, &result->objects[i]);
        size_t count = result->first[layer + 1] - result->first[layer];
        size_t footprint = filo_placement_layer_footprint(tile->key.placement, layer);
        size_t *sums[] = { &tile->rocks, &tile->trees, &tile->grass };
        if (tile->grid->set != SET_FAR) *sums[footprint] += count;
    }
    tile->read_ended = filo_time_ns();
}

static void begin_reading(Tile *tile) {
    tile->state = TILE_READING;
    filo_job_init(&tile->job, read_tile, &tile, sizeof tile);
    filo_job_set_name(&tile->job, "read a tile");
    filo_job_set_priority(&tile->job, FILO_PRIORITY_LOW);
    filo_jobs_run(placements_jobs(tile->tiles->desc.placements), &tile->job);
}

// ---- Placing ------------------------------------------------------------------------------------------------------

static float tile_side(const Grid *grid) { return grid->square / (float)grid->parts; }

static FiloPlacementRequest request_for(Tile *tile) {
    double side = (double)tile_side(tile->grid);
    FiloPlacementArea area = { tile->key.x * side, tile->key.y * side, (tile->key.x + 1) * side,
                               (tile->key.y + 1) * side };
    double reach = filo_placement_reach(tile->key.placement) + (double)STUMP_CLEARING;
    filo_array_clear(&tile->clearings);
    filo_array_each (&tile->tiles->stumps, stump)
        if (stump->x > area.x0 - reach && stump->x < area.x1 + reach && stump->y > area.y0 - reach &&
            stump->y < area.y1 + reach)
            (void)filo_array_push(&tile->clearings, (FiloClearing){ stump->x, stump->y, STUMP_CLEARING,
                                                                    1u << FOOTPRINT_TREES });
    return (FiloPlacementRequest){ .area = area,
                                   .jobs = placements_jobs(tile->tiles->desc.placements),
                                   .footprints = tile->grid->footprints,
                                   .edits = { .clearings = tile->clearings.items,
                                              .clearing_count = tile->clearings.count } };
}

static bool is_outside(const Tile *tile) {
    float side = tile_side(tile->grid), last = tile->tiles->land->metres;
    float x = (float)tile->key.x * side, y = (float)tile->key.y * side;
    return x >= last || y >= last || x + side <= 0 || y + side <= 0;
}

static void fail(Tile *tile, const FiloResult *result) {
    filo_log_error("forest", "%s", result->message);
    tile->state = TILE_DONE;
}

// Shows nothing.
static void empty(Tile *tile) {
    tile->trees = tile->rocks = tile->grass = 0;
    FiloResult r = filo_gfx3d_instances_set(tile->tiles->desc.gfx, tile->instances, NULL, 0);
    if (r.code != FILO_OK) filo_log_error("forest", "%s", r.message);
    tile->state = TILE_DONE;
}

static void begin_placing(Tile *tile) {
    FiloPlacementRequest request = request_for(tile);
    tile->state = TILE_PLACING;
    tile->began = filo_time_ns();
    FiloResult r = tile->key.on_gpu ? filo_placement_gpu_start(&tile->gpu_future, tile->tiles->gpu, &request)
                                    : filo_placement_start(&tile->future, tile->key.placement, &request);
    if (r.code != FILO_OK) fail(tile, &r);
}

static bool is_placed(const Tile *tile) {
    return tile->key.on_gpu ? filo_placement_gpu_ready(tile->tiles->gpu, tile->gpu_future)
                            : filo_placement_ready(tile->key.placement, tile->future);
}

static FiloResult take_from_gpu(Tile *tile) {
    FiloPlacementGpu *gpu = tile->tiles->gpu;
    FiloPlacementGpuResult result = { 0 };
    FiloResult r = filo_placement_gpu_take(gpu, tile->gpu_future, &result);
    if (r.code == FILO_OK) r = filo_placement_gpu_convert(gpu, &result, &tile->result);
    filo_placement_gpu_release(gpu, &result);
    return r;
}

static void end_placing(Tile *tile) {
    FiloResult r = tile->key.on_gpu ? take_from_gpu(tile)
                                    : filo_placement_take(tile->key.placement, tile->future, &tile->result);
    int64_t now = filo_time_ns();
    timeline_add(tile->tiles->desc.timeline, LANE_PLACE, tile->began, now);
    tile->tiles->stats.place_ms = (double)(now - tile->began) / 1e6;
    if (r.code == FILO_OK)
        begin_reading(tile);
    else
        fail(tile, &r);
}

static void cancel(Tile *tile) {
    if (tile->state == TILE_PLACING && tile->key.on_gpu)
        filo_placement_gpu_cancel(tile->tiles->gpu, tile->gpu_future);
    if (tile->state == TILE_PLACING && !tile->key.on_gpu)
        filo_placement_cancel(tile->key.placement, tile->future);
    if (tile->state == TILE_READING)
        filo_jobs_wait(placements_jobs(tile->tiles->desc.placements), &tile->job);
    tile->state = TILE_DONE;
}

// ---- Showing ------------------------------------------------------------------------------------------------------

static void show(Tile *tile) {
    Tiles *tiles = tile->tiles;
    timeline_add(tiles->desc.timeline, LANE_READ, tile->read_began, tile->read_ended);
    tiles->stats.read_ms = (double)(tile->read_ended - tile->read_began) / 1e6;
    tiles->stats.made++;
    FiloResult r =
        filo_gfx3d_instances_set(tiles->desc.gfx, tile->instances, tile->list.items, tile->list.count);
    if (r.code != FILO_OK) filo_log_error("forest", "%s", r.message);
    tile->state = TILE_DONE;
}

static void show_stumps(Tiles *tiles) {
    FiloArray(FiloInstance) list = { 0 };
    filo_array_each (&tiles->stumps, stump)
        (void)filo_array_push(
            &list,
            (FiloInstance){ .position = land_to_space(tiles->land, stump->x, stump->y, (double)stump->z),
                            .scale = stump->scale,
                            .rotation = filo_instance_rotation(
                                filo_quat_from_axis_angle(filo_vec3(0, 1, 0), stump->angle)),
                            .mesh = kind_of(NULL)->first });
    FiloResult r = filo_gfx3d_instances_set(tiles->desc.gfx, tiles->stump_set, list.items, list.count);
    if (r.code != FILO_OK) filo_log_error("forest", "%s", r.message);
    filo_array_deinit(&list);
}

// ---- What is needed -----------------------------------------------------------------------------------------------

// The hash of the stumps that influence a tile.
static uint64_t stumps_near(const Tiles *tiles, const Grid *grid, int32_t x, int32_t y) {
    double side = (double)tile_side(grid), margin = 40;
    uint64_t sum = 0;
    filo_array_each (&tiles->stumps, stump)
        if (stump->x > x * side - margin && stump->x < (x + 1) * side + margin &&
            stump->y > y * side - margin && stump->y < (y + 1) * side + margin)
            sum += filo_random_mix(filo_double_to_bits(stump->x) ^
                                   filo_random_mix(filo_double_to_bits(stump->y)));
    return sum;
}

static void need(Tile *tile, TileKey key) {
    if (key.x == tile->key.x && key.y == tile->key.y && key.placement == tile->key.placement &&
        key.stumps == tile->key.stumps && key.on_gpu == tile->key.on_gpu)
        return;
    if (tile->state == TILE_READING && !filo_job_finished(&tile->job)) return; // the next frame tries again
    cancel(tile);
    placements_use(tile->tiles->desc.placements, tile->key.placement, -1);
    placements_use(tile->tiles->desc.placements, key.placement, 1);
    tile->key = key;
    tile->state = TILE_NEEDED;
}

static int wrap(int number, int count) { return ((number % count) + count) % count; }

// Which tile is in which slot repeats in space: a tile that stays has the same slot when the camera has moved on.
static void need_around(Tiles *tiles, const Grid *grid, Tile **slots, const FiloPlacement *placement,
                        FiloVec3 camera, bool on_gpu) {
    float x = camera.x + tiles->land->half, y = tiles->land->half - camera.z;
    int square_x = filo_floor_to_int(x / grid->square), square_y = filo_floor_to_int(y / grid->square);
    if (grid->set == SET_OBJECTS && (square_x != tiles->square_x || square_y != tiles->square_y)) {
        tiles->square_x = square_x, tiles->square_y = square_y;
        tiles->stats.squares++;
    }
    int count = (2 * grid->around + 1) * grid->parts, first = -grid->around * grid->parts;
    float side = tile_side(grid);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++) {
            TileKey key = { .x = square_x * grid->parts + first + i,
                            .y = square_y * grid->parts + first + j,
                            .placement = placement,
                            .on_gpu = on_gpu && grid->set != SET_FAR };
            Tile *tile = slots[wrap(key.y, count) * count + wrap(key.x, count)];
            bool hidden = FILO_MAX(abs(first + i), abs(first + j)) < grid->hole;
            if (grid->hole > 0 && hidden != tile->hidden)
                filo_gfx3d_instances_show(tiles->desc.gfx, tile->instances, !hidden);
            tile->hidden = hidden;
            float dx = ((float)key.x + 0.5f) * side - x, dy = ((float)key.y + 0.5f) * side - y;
            tile->distance = filo_sqrt(dx * dx + dy * dy) + (grid->set == SET_FAR ? 2000.0f : 0);
            key.stumps = grid->set == SET_FAR ? 0 : stumps_near(tiles, grid, key.x, key.y);
            need(tile, key);
        }
}

static size_t slots_of(const Grid *grid) {
    size_t count = (size_t)((2 * grid->around + 1) * grid->parts);
    return count * count;
}

static void note_stumps(Tiles *tiles, const Stump *stumps, size_t count) {
    uint64_t hash = count + 1;
    for (size_t i = 0; i < count; i++)
        hash = filo_hash_combine(hash, filo_double_to_bits(stumps[i].x) ^
                                           filo_hash_u64(filo_double_to_bits(stumps[i].y)));
    if (hash == tiles->stump_hash) return;
    filo_array_clear(&tiles->stumps);
    if (!filo_array_push_many(&tiles->stumps, stumps, count)) return;
    tiles->stump_hash = hash;
    show_stumps(tiles);
}

// ---- The GPU ------------------------------------------------------------------------------------------------------

// Makes or ends what places on the GPU. True if it can be used.
static bool choose_gpu(Tiles *tiles, const FiloPlacement *placement, bool wanted) {
    if (tiles->gpu != NULL && (!wanted || tiles->gpu_placement != placement)) {
        filo_array_each (&tiles->tiles, tile)
            if ((*tile)->state == TILE_PLACING && (*tile)->key.on_gpu) {
                cancel(*tile);
                (*tile)->state = TILE_NEEDED;
            }
        filo_placement_gpu_destroy(tiles->gpu);
        tiles->gpu = NULL;
    }
    if (!wanted || tiles->desc.gpu == NULL || tiles->no_gpu) return false;
    if (tiles->gpu != NULL) return true;
    FiloResult r = filo_placement_gpu_create(&tiles->gpu, tiles->desc.gpu,
                                             &(FiloPlacementGpuDesc){ .placement = placement });
    tiles->gpu_placement = placement;
    if (r.code == FILO_OK) return true;
    filo_log_warn("forest", "%s: the processor places instead", r.message);
    tiles->no_gpu = true;
    return false;
}

// ---- A frame ------------------------------------------------------------------------------------------------------

static Tile *nearest_needed(const Tiles *tiles) {
    Tile *nearest = NULL;
    filo_array_each (&tiles->tiles, tile)
        if ((*tile)->state == TILE_NEEDED && (nearest == NULL || (*tile)->distance < nearest->distance))
            nearest = *tile;
    return nearest;
}

// One step of all tiles. Returns how many are not done.
static size_t advance(Tiles *tiles, uint32_t per_frame) {
    size_t left = 0, under_way = 0;
    uint32_t shown = 0;
    filo_array_each (&tiles->tiles, item) {
        Tile *tile = *item;
        if (tile->state == TILE_PLACING && is_placed(tile)) end_placing(tile);
        if (tile->state == TILE_READING && filo_job_finished(&tile->job)) tile->state = TILE_READ;
        if (tile->state == TILE_READ && shown < per_frame) {
            show(tile);
            shown++;
        }
        under_way += tile->state == TILE_PLACING || tile->state == TILE_READING;
        left += tile->state != TILE_DONE;
    }
    filo_array_each (&tiles->tiles, tile)
        if ((*tile)->state == TILE_NEEDED && is_outside(*tile)) empty(*tile);
    for (Tile *tile; under_way < UNDER_WAY && (tile = nearest_needed(tiles)) != NULL; under_way++)
        begin_placing(tile);
    return left;
}

static void wait_for_all(Tiles *tiles) {
    while (advance(tiles, UINT32_MAX) > 0)
        filo_array_each (&tiles->tiles, item) {
            Tile *tile = *item;
            if (tile->state == TILE_PLACING && tile->key.on_gpu)
                filo_placement_gpu_wait(tiles->gpu, tile->gpu_future);
            if (tile->state == TILE_PLACING && !tile->key.on_gpu)
                filo_placement_wait(tile->key.placement, tile->future);
            if (tile->state == TILE_READING)
                filo_jobs_wait(placements_jobs(tiles->desc.placements), &tile->job);
        }
}

static void count(Tiles *tiles) {
    TilesStats *stats = &tiles->stats;
    stats->trees = stats->rocks = stats->grass = stats->under_way = 0;
    filo_array_each (&tiles->tiles, tile) {
        stats->trees += (*tile)->trees, stats->rocks += (*tile)->rocks, stats->grass += (*tile)->grass;
        stats->under_way += (*tile)->state != TILE_DONE;
    }
}

void tiles_update(Tiles *tiles, FiloVec3 camera, const View *view, const Stump *stumps, size_t stump_count,
                  bool wait) {
    int64_t begin = filo_time_ns();
    const FiloPlacement *placement = placements_get(tiles->desc.placements, view);
    if (placement == NULL) return;
    note_stumps(tiles, stumps, stump_count);
    bool on_gpu = choose_gpu(tiles, placement, view->gpu);
    Tile **slots = tiles->tiles.items;
    View sparse = *view;
    sparse.footprints += FAR_FOOTPRINTS;
    const FiloPlacement *far = placements_get(tiles->desc.placements, &sparse);
    if (far == NULL) return;
    for (int i = 0; i < SET_COUNT; slots += slots_of(&grids[i]), i++)
        need_around(tiles, &grids[i], slots, grids[i].set == SET_FAR ? far : placement, camera, on_gpu);
    if (wait)
        wait_for_all(tiles);
    else
        (void)advance(tiles, PER_FRAME);
    placements_trim(tiles->desc.placements, view);
    tiles->stats.on_gpu = on_gpu;
    count(tiles);
    tiles->stats.main_ms = (double)(filo_time_ns() - begin) / 1e6;
}

TilesStats tiles_stats(const Tiles *tiles) { return tiles->stats; }

// ---- Setup --------------------------------------------------------------------------------------------------------

static FiloResult add_tile(Tiles *tiles, const Grid *grid) {
    Tile *tile = filo_alloc_zero(NULL, sizeof *tile, FILO_CACHE_LINE);
    if (tile == NULL || !filo_array_push(&tiles->tiles, tile)) {
        filo_free(NULL, tile, sizeof *tile, FILO_CACHE_LINE);
        return filo_error(FILO_ERROR_MEMORY, "no memory for tiles");
    }
    tile->tiles = tiles;
    tile->grid = grid;
    return filo_gfx3d_instances_create(&tile->instances, tiles->desc.gfx,
                                       &(FiloInstancesDesc){ .label = "forest",
                                                             .meshes = tiles->desc.meshes[grid->set],
                                                             .mesh_count = tiles->desc.mesh_counts[grid->set],
                                                             .range = grid->range,
                                                             .fade = grid->fade });
}

FiloResult tiles_create(Tiles **out, const TilesDesc *desc) {
    Tiles *tiles = *out = filo_alloc_zero(NULL, sizeof *tiles, 0);
    if (tiles == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for tiles");
    tiles->desc = *desc;
    tiles->land = placements_land(desc->placements);
    FiloResult r =
        filo_gfx3d_instances_create(&tiles->stump_set, desc->gfx,
                                    &(FiloInstancesDesc){ .label = "stumps",
                                                          .meshes = desc->meshes[SET_OBJECTS],
                                                          .mesh_count = desc->mesh_counts[SET_OBJECTS],
                                                          .range = 200 });
    for (int i = 0; i < SET_COUNT; i++)
        for (size_t j = 0; j < slots_of(&grids[i]) && r.code == FILO_OK; j++) r = add_tile(tiles, &grids[i]);
    return r;
}

void tiles_destroy(Tiles *tiles) {
    if (tiles == NULL) return;
    filo_array_each (&tiles->tiles, item) {
        Tile *tile = *item;
        cancel(tile);
        filo_placement_result_free(&tile->result);
        filo_array_deinit(&tile->clearings);
        filo_array_deinit(&tile->list);
        filo_gfx3d_instances_destroy(tiles->desc.gfx, tile->instances);
        filo_free(NULL, tile, sizeof *tile, FILO_CACHE_LINE);
    }
    filo_placement_gpu_destroy(tiles->gpu);
    filo_gfx3d_instances_destroy(tiles->desc.gfx, tiles->stump_set);
    filo_array_deinit(&tiles->tiles);
    filo_array_deinit(&tiles->stumps);
    filo_free(NULL, tiles, sizeof *tiles, 0);
}
