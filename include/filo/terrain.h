// filo/terrain.h: makes heightmaps, erodes them, and bakes what placement needs to know about a terrain: slope, aspect,
// curvature, flow of water, wetness, distance to roads and water.
//
//     enum { SIDE = 1024 };
//     float *heights = filo_alloc(NULL, SIDE * SIDE * sizeof(float), 0);
//     uint16_t *slope = filo_alloc(NULL, SIDE * SIDE * sizeof(uint16_t), 0);
//     FiloTerrainDesc terrain = {
//         .heights = { .data = heights, .format = FILO_MAP_FLOAT, .width = SIDE, .height = SIDE },
//         .size = { 2048, 2048 }, .high = 600, .jobs = jobs,                      // metres
//     };
//     FiloResult r = filo_terrain_generate(heights, &terrain, &(FiloTerrainGenerate){ .seed = 7 });
//     if (r.code == FILO_OK) r = filo_terrain_erode(heights, &terrain, NULL);
//     if (r.code == FILO_OK) r = filo_terrain_bake_slope(slope, &terrain);
//
// Every function writes into memory of the caller, one value for each texel of the heights that are in memory, row by
// row without gaps, row 0 at the smallest y. Texel (i, j) has its centre at ((i + ½) / width, (j + ½) / height) of the
// world. The example examples/terrain writes all maps as PNG; docs/terrain.md explains them.
//
// The results have the same bits on any number of threads, with every compiler, at every level of optimisation and on
// every processor. All functions may be called on any thread; several calls at once need memory of their own each.
//
// Failure: FILO_ERROR_MEMORY, FILO_ERROR_CANCELLED if the progress function said so, FILO_ERROR_DATA if a height is not
// finite. What is written then has no meaning. A description that makes no sense (NULL, a map without texels, a size
// that is NaN or not positive) is a caller's mistake; it is found before anything is allocated or written.

#ifndef FILO_TERRAIN_H
#define FILO_TERRAIN_H

#include <filo/jobs.h>
#include <filo/memory.h>
#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

// ---- Maps -----------------------------------------------------------------------------------------------

typedef enum FiloMapFormat { FILO_MAP_U8, FILO_MAP_U16, FILO_MAP_FLOAT } FiloMapFormat;

// Values on a grid over the world: heights, densities, slopes. The memory is the caller's, and is not copied.
// Row 0 is at the smallest y. A byte counts as 0 to 1 (v / 255), 16 bits likewise (v / 65535); floats are 0 to 1.
typedef struct FiloTerrainMap {
    const void *data;
    FiloMapFormat format;
    int width, height;   // values that are in memory
    size_t stride, step; // bytes from a row to the next, from a value to the next; 0: tightly packed
    // The map may be a window of a larger one (tiles of a world that is streamed): where it begins in it, in texels,
    // and the size of the whole. 0: it is the whole.
    int x, y, full_width, full_height;
} FiloTerrainMap;

// A whole map, tightly packed.
static inline FiloTerrainMap filo_terrain_map(const void *data, FiloMapFormat type, int width, int height) {
    FiloTerrainMap map = { data, type, width, height, 0, 0, 0, 0, 0, 0 };
    return map;
}

// A map of the functions below has at most this many texels in memory (16384 × 16384), and at most 65536 on a side.
#define FILO_TERRAIN_TEXELS_MAX (1 << 28)

// What all functions need to know. All zero is a mistake: there is no map without heights and size.
typedef struct FiloTerrainDesc {
    FiloTerrainMap heights;
    FiloVec2 size;   // of the whole map, in metres
    float low, high; // metres of a height of 0 and of a height of 1; low < high
    FiloJobs *jobs;  // NULL: all work is done on the calling thread
    const FiloAllocator
        *allocator; // of temporary memory, freed before the function returns; NULL: filo_heap()
    // Called on the calling thread now and then, with 0 to 1; false cancels. NULL: none.
    bool (*progress)(float done, void *user);
    void *user;
} FiloTerrainDesc;

// ---- Making ---------------------------------------------------------------------------------------------

// All zero: hills and mountains of a size that suits the map.
typedef struct FiloTerrainGenerate {
    uint64_t seed;
    float feature;   // metres from one massif to the next; 0: half of the longer side, at most 6000
    float roughness; // 0 to 1, of small features against large ones; 0: 0.5
    float mountains; // 0 to 1, how much of the land is mountains rather than hills; 0: 0.5
} FiloTerrainGenerate;

// Fills `heights` with noise: warped, ridged, with plains between massifs. The smallest is 0, the largest 1. Of
// `terrain`, `heights.data` and the format are ignored; width and height are those of `heights`. A window of a larger
// map is not supported. `generate` NULL is all zero.
FiloResult filo_terrain_generate(float *heights, const FiloTerrainDesc *terrain,
                                 const FiloTerrainGenerate *generate);

// All zero: as in nature, as far as this goes.
typedef struct FiloTerrainErode {
    uint64_t seed;  // of small irregularities
    float strength; // 0 to 1: how far rivers have come; 0: 0.7. Negative: no rivers
    float talus;    // the steepest slope of loose ground, rise by run; 0: 0.9. Rocks are steeper in places
    float deposit;  // 0 to 1: how much of the valleys is filled with sediment; 0: 0.5. Negative: nothing
    float detail;   // 0 to 1: gullies and ledges of a few texels; 0: 0.5. Negative: none
} FiloTerrainErode;

// Erodes heights in place: rivers cut valleys into the ground, which rises as fast as it is worn down. So mountains stay
// where they were. The mean height stays about the same, unless that needs slopes steeper than those of real mountains;
// then the terrain becomes lower. Slopes steeper than `talus` slide. All water leaves the map at its border: what was a
// pit is filled with sediment, or cut open. Of `terrain`, `heights.data` and the format are ignored; width and height are
// those of `heights`. A window of a larger map is not supported. `erode` NULL is all zero.
//
// It works from coarse to fine: rivers and ridges of kilometres first, on a small grid, then those of a few texels. The
// method is that of the stream-power law, solved implicitly from the river mouth upwards (Braun and Willett 2013), with
// pits routed by a graph of basins (Cordonnier, Bovy and Braun 2019).
FiloResult filo_terrain_erode(float *heights, const FiloTerrainDesc *terrain, const FiloTerrainErode *erode);

// Rounds the values of a map to 16 bits. Floats are clamped to 0 to 1. Uses `heights` and `jobs` of `terrain` alone.
FiloResult filo_terrain_to_u16(uint16_t *values, const FiloTerrainDesc *terrain);

// ---- Slopes -----------------------------------------------------------------------------------------------
//
// These three see the eight texels around each. A window of a larger map gives the values of the whole, except for a
// border of one texel on each side where the window ends and the whole does not.

// The angle of the ground: 0 is level, 65535 is 90°.
FiloResult filo_terrain_bake_slope(uint16_t *slope, const FiloTerrainDesc *terrain);
// The direction downhill: 0 is +x, then counter-clockwise, towards +y; 65535 would be a whole turn and does not occur.
// 0 where the ground is level.
FiloResult filo_terrain_bake_aspect(uint16_t *aspect, const FiloTerrainDesc *terrain);
// Half of the sum of second derivatives along x and y, in 1 / metre. 32768 is flat, 65535 is a hollow of
// FILO_TERRAIN_CURVATURE or more, 1 a ridge of the same.
FiloResult filo_terrain_bake_curvature(uint16_t *curvature, const FiloTerrainDesc *terrain);
#define FILO_TERRAIN_CURVATURE 0.125f

// ---- Water ------------------------------------------------------------------------------------------------

// Flow and wetness, of heights that are rounded to 16 bits. Either may be NULL; both together take less time than one
// after the other. Depressions are filled up to where they overflow, and water leaves the map over its border.
//
// Flow is the area whose water flows through a texel, its own included, if all of it goes to the steepest of eight
// neighbours: 2048 · log2(1 + m²), at most 65535.
//
// Wetness is the topographic wetness index ln(a / tan slope), with the upstream area `a` per metre of contour. Water
// spreads to all lower neighbours here, in proportion to their slopes. 0 is an index of 2 or less, 65535 of 18 or more.
FiloResult filo_terrain_bake_flow(uint16_t *flow, uint16_t *wetness, const FiloTerrainDesc *terrain);
// The area in m² of a value of flow, and the value of an area.
static inline float filo_terrain_area(uint16_t flow) { return filo_exp2((float)flow / 2048.0f) - 1.0f; }
uint16_t filo_terrain_flow_of(float area);

typedef struct FiloTerrainWater {
    float sea_level; // metres: ground below it is water, if `sea` is set
    bool sea;
    const uint16_t *flow; // of filo_terrain_bake_flow: rivers. NULL: none
    float area;           // m² upstream from which a stream is a river; 0: 250000
    float width; // of a river, in metres, at 1 km² upstream; it grows with the root. 0: 4. One texel at least
} FiloTerrainWater;
// A mask: 255 where there is water, otherwise 0.
FiloResult filo_terrain_bake_water(uint8_t *mask, const FiloTerrainDesc *terrain,
                                   const FiloTerrainWater *water);

// ---- Distances ----------------------------------------------------------------------------------------------

// Distance and direction to the nearest texel of `mask` that is at least ½, from centre to centre. The distance is exact
// (before it is rounded to 16 bits): metres / `farthest`, where 65535 is `farthest` or more, or no mask anywhere. The
// direction is 0 for +x, then counter-clockwise, 65535 a whole turn, which does not occur; 0 in the mask. Of equally
// near texels, any, but always the same. Either output may be NULL. The mask has as many texels as the heights, of which
// only the size is used.
FiloResult filo_terrain_bake_distance(uint16_t *distance, uint16_t *direction, const FiloTerrainDesc *terrain,
                                      const FiloTerrainMap *mask, float farthest);

// ---- Roads --------------------------------------------------------------------------------------------------

typedef struct FiloTerrainRoad {
    FiloVec2 from, to; // metres, inside the map
    float width;       // metres; 0: 6. One texel at least
    float grade;       // rise by run that is comfortable; steeper costs much more. 0: 0.08
    const uint8_t
        *avoid; // 255 where building is expensive, such as water; as large as the heights; NULL: none
    const uint8_t *prefer; // 255 where a road exists and costs little, such as `mask` itself; NULL: none
} FiloTerrainRoad;
// Finds the cheapest way and draws it into `mask` as 255; other texels stay as they are. The way is searched on a grid
// of at most 768 × 768 nodes, so bends are not sharper than that. `length` is its length in metres; may be NULL.
FiloResult filo_terrain_draw_road(uint8_t *mask, float *length, const FiloTerrainDesc *terrain,
                                  const FiloTerrainRoad *road);

FILO_END_DECLS

#endif
