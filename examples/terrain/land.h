// The maps of a terrain, and what the parts of this example do with them.

#ifndef EXAMPLE_TERRAIN_LAND_H
#define EXAMPLE_TERRAIN_LAND_H

#include <filo/filo.h>

// Maps of 16 bits.
typedef enum MapKind {
    MAP_HEIGHT,
    MAP_SLOPE,
    MAP_ASPECT,
    MAP_CURVATURE,
    MAP_FLOW,
    MAP_WETNESS,
    MAP_WATER_DISTANCE,
    MAP_WATER_DIRECTION,
    MAP_ROAD_DISTANCE,
    MAP_ROAD_DIRECTION,
    MAP_WATER, // masks, 0 or 65535
    MAP_ROADS,
    MAP_COUNT
} MapKind;

typedef struct Options {
    int size; // texels of a side
    float metres, high;
    float erosion, roughness, mountains;
    const char *from; // a heightmap; NULL: generate one
    bool big_endian;
    const char *roads; // a mask; "auto", "none"
    int towns;
    float sea, river, farthest;
    const char *out, *preview;
} Options;

typedef struct Land {
    Options options;
    int width, height;
    float *heights;       // 0 to 1
    FiloTerrainDesc desc; // of the rounded heights
    uint16_t *maps[MAP_COUNT];
    uint8_t *water, *roads; // the masks as bytes
    void *memory;
    size_t memory_size;
    uint64_t seed;
    FiloJobs *jobs;
    // Progress, on standard error:
    const char *step;
    int64_t step_started_ns, shown_ns;
    bool interactive; // standard error is a terminal
} Land;

// The name of a map's file, without extension.
extern const char *const map_names[MAP_COUNT];

static inline size_t texel_count(const Land *land) { return (size_t)land->width * (size_t)land->height; }

// ---- steps.c: from heights to maps ----

// Reads or generates the heights, and erodes them.
FiloResult make_heights(Land *land);
// All other maps.
FiloResult bake_maps(Land *land);
void free_land(Land *land);

// ---- roads.c ----

FiloResult make_roads(Land *land);

// ---- files.c: what is written ----

// `folder` exists.
FiloResult save_maps(const Land *land);
FiloResult save_preview(const Land *land, const char *path);

// ---- main.c: progress ----

void begin_step(Land *land, const char *name);
void end_step(Land *land);

#endif
