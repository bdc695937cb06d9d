// Shared by the parts of filo/terrain.h.
//
//   map.c       checks of descriptions, reading of maps, loops over rows
//   noise.h     gradient noise
//   generate.c  heightmaps of noise
//   resample.c  grids of other resolutions
//   drainage.c  where water flows, for erosion: receivers, order, areas; depressions by basins.c
//   erode.c     erosion from coarse to fine; creep.c: slopes that slide
//   slopes.c    slope, aspect, curvature
//   flow.c      flow and wetness, with depressions filled
//   water.c     the mask of water
//   distance.c  distances to a mask
//   road.c      the cheapest way; stamp.c draws it

#ifndef FILO_PLACEMENT_TERRAIN_H
#define FILO_PLACEMENT_TERRAIN_H

#include <filo/check.h>
#include <filo/terrain.h>

#define PLACEMENT_NONE UINT32_MAX

// The eight neighbours of a texel: those that share an edge first.
extern const int8_t placement_terrain_dx[8], placement_terrain_dy[8];

// ---- map.c ----------------------------------------------------------------------------------------------

// A terrain whose description was checked.
typedef struct PlacementTerrain {
    FiloTerrainMap map; // stride and step are set
    int width, height;
    size_t count; // texels
    float dx, dy; // metres of a texel
    float low, range;
    FiloJobs *jobs;
    const FiloAllocator *allocator;
    bool (*progress)(float done, void *user);
    void *user;
} PlacementTerrain;

// Checks the description, and the heights too if `reads`. Nothing is allocated.
FiloResult placement_terrain_open(PlacementTerrain *terrain, const FiloTerrainDesc *desc, bool reads);
// As placement_terrain_open, and refuses windows of larger maps. `done` says what is done with maps, in messages.
FiloResult placement_terrain_open_whole(PlacementTerrain *terrain, const FiloTerrainDesc *desc, bool reads,
                                        const char *done);
// Checks a map, and sets its stride and step. `what` names it in messages.
FiloResult placement_terrain_check_map(FiloTerrainMap *map, const char *what);

// filo_jobs_for, or on the calling thread.
void placement_terrain_for(const PlacementTerrain *terrain, size_t count, FiloRangeFunction function,
                           void *user);
// FILO_ERROR_CANCELLED if the progress function said so.
FiloResult placement_terrain_report(const PlacementTerrain *terrain, float done);
FiloResult placement_terrain_no_memory(void);

// Values of a row, 0 to 1; x and y are clamped to the map. Behind it, one value.
void placement_terrain_row(const FiloTerrainMap *map, int y, float *row);
float placement_terrain_value(const FiloTerrainMap *map, int x, int y);

// All heights in metres above `low`; fails if one is not finite.
FiloResult placement_terrain_heights(const PlacementTerrain *terrain, float *heights);

static inline uint16_t placement_terrain_u16(float unit) {
    return (uint16_t)filo_to_int(filo_clamp01(unit) * 65535.0f + 0.5f);
}
// An angle of filo_atan2 as a share of a turn.
static inline uint16_t placement_terrain_turn(float angle) {
    float turn = angle * (1.0f / FILO_TAU);
    uint16_t value = placement_terrain_u16(turn < 0.0f ? turn + 1.0f : turn);
    return value == 65535 ? 0 : value;
}

// ---- resample.c -----------------------------------------------------------------------------------------

// A grid of floats, and the loops over its rows.
typedef struct PlacementGrid {
    float *data;
    int width, height;
} PlacementGrid;

// Halves a grid: the mean of four texels. `to` has (width + 1) / 2 columns, and rows likewise.
void placement_terrain_halve(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from);
// Samples `from` by cubic B-splines, which are smooth, at the centres of `to`.
void placement_terrain_enlarge(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from);
// The same, at positions that noise moves by up to about `distance` texels of `from`: what was straight gets bends.
void placement_terrain_enlarge_warped(const PlacementTerrain *terrain, PlacementGrid to, PlacementGrid from,
                                      float distance, uint32_t seed);

// ---- drainage.c -----------------------------------------------------------------------------------------

// Where water flows on a grid. Every texel has a receiver, which is one of its neighbours; a texel of the border is its
// own receiver: water leaves the map there. There are no cycles.
typedef struct PlacementDrainage {
    int width, height;
    size_t count;
    uint32_t *receiver;
    uint32_t *order; // every texel after all that flow into it
    uint32_t *area;  // texels whose water flows through, its own included
    uint8_t *donors; // temporary: how many flow into it
    const PlacementTerrain *terrain;
} PlacementDrainage;

bool placement_drainage_init(PlacementDrainage *drainage, const PlacementTerrain *terrain, size_t count);
void placement_drainage_deinit(PlacementDrainage *drainage);
// Computes all of it. The slopes towards neighbours are multiplied by `jitter`, of 128 × 128 values near 1, so that
// water does not prefer eight directions. False without memory.
bool placement_drainage_compute(PlacementDrainage *drainage, PlacementGrid heights, const float *jitter);

// ---- basins.c -------------------------------------------------------------------------------------------

// Leads the water of each depression over its lowest pass, by reversing the path from the pass to the bottom. Uses
// `order` as temporary memory.
bool placement_drainage_connect(PlacementDrainage *drainage, PlacementGrid heights);

// ---- creep.c --------------------------------------------------------------------------------------------

// One step of slopes that slide where they are steeper than `talus` (rise by run), and of soil that creeps.
typedef struct PlacementCreep {
    PlacementGrid from;
    float *to;
    const float *talus; // of each texel
    float dx, creep;    // metres of a texel; share of each difference that is levelled
} PlacementCreep;
void placement_terrain_creep(const PlacementTerrain *terrain, const PlacementCreep *creep);

// ---- stamp.c --------------------------------------------------------------------------------------------

// Sets texels within `radius` of the line from a to b to 255, in metres; one texel wide at least.
void placement_terrain_stamp(uint8_t *mask, const PlacementTerrain *terrain, FiloVec2 a, FiloVec2 b,
                             float radius);

#endif
