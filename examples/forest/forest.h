// The forest: what its files share.
//
//   main.c      flags
//   app.c       what is made at the start, and what happens in a frame
//   forest.c    the rules: what keys change, walking, felling. All of it is in the world
//   land.c      terrain, and the maps that are computed from it
//   placements.c  what grows where, for each choice of keys
//   tiles.c     objects around the camera, computed in the background
//   meshes.c    builders of meshes; trees.c, rocks.c, grass.c use them
//   paint.c     images: bark, leaves, kinds of ground; cards.c takes pictures of far trees
//   scene.c     ground, water, sun and sky
//   panel.c     parameters, numbers and the timeline
//
// Coordinates: the placement has x and y on the ground, from 0 on, and z as the height. Space has y up: it is
// (x − half, z, half − y), so that the middle of the land is the origin, and the lake is at y = 0.

#ifndef FOREST_H
#define FOREST_H

#include <filo/filo.h>

#include "shared/parameters.h"

// ---- Land ---------------------------------------------------------------------------------------------------------

#define LAND_TEXEL 4.0f // metres of the maps; heights have half of it
#define LAND_SIDE  1376 // texels: 5.5 km, 30 km²
#define WOODS_MAPS 3    // maps of where trees grow, to choose from

typedef struct Land {
    int side;           // texels of the maps
    float metres, half; // of a side, and half of it
    float high, water;  // metres of the heightmap's value 1, and of the lake
    float *heights;     // 0 to 1, side × side
    uint16_t *height;   // 2 side × 2 side
    uint16_t *slope, *wetness, *flow, *water_distance;
    uint8_t *mask; // water
    uint8_t *woods[WOODS_MAPS];
    uint8_t *weights; // of kinds of ground: wood, shore, path, and 255
    double make_ms;
} Land;

#define LAND_FAR_WATER 96.0f // metres: the largest distance in the map

// `cache`: reads eroded heights from the user's cache, or writes them there.
FiloResult land_make(Land *land, FiloJobs *jobs, uint64_t seed, int side, bool cache);
void land_free(Land *land);
// The height above the lake, as it is drawn. Outside that at the border.
float land_height(const Land *land, float x, float z);

static inline FiloVec3 land_to_space(const Land *land, double x, double y, double z) {
    return filo_vec3((float)(x - (double)land->half), (float)z, (float)((double)land->half - y));
}

// ---- Rules --------------------------------------------------------------------------------------------------------

#define ECOTOPES 2

// What keys and the panel choose. A global component.
typedef struct View {
    uint32_t seed;      // of the placement, added to that of the land
    int32_t footprints; // tenths by which they are larger
    uint32_t woods;     // which map
    uint32_t ecotope;
    float hour; // of the day
    float fog;  // times that of the hour
    bool walk, gpu, panel;
} View;
FILO_REFLECT_DECLARE(View);

// A tree that was felled: an entity.
typedef struct Stump {
    double x, y; // metres of the placement
    float z, scale, angle;
} Stump;
FILO_REFLECT_DECLARE(Stump);

#define STUMP_CLEARING 0.6f // metres around a stump where no tree is placed

// A placement for each choice of keys, made when it is first needed, by a tick or by the frame.
typedef struct Placements Placements;

bool forest_define(FiloWorld *world, Placements *placements);
// Handles the message FOREST_VIEW, with the View that the panel chooses. For a world with events.
#define FOREST_VIEW "view"
bool forest_handle_messages(FiloWorld *world);
// Creates the camera; false without memory.
bool forest_create(FiloWorld *world, const Land *land, const View *view, FiloVec3 at, float yaw, float pitch);
FiloEntity forest_camera(const FiloWorld *world);

// ---- Placing ------------------------------------------------------------------------------------------------------

enum { FOOTPRINT_ROCKS, FOOTPRINT_TREES, FOOTPRINT_GRASS };

// Reads the ecotopes. `land` must outlive it. Destroy it after a failure, too.
FiloResult placements_create(Placements **placements, const Land *land, FiloJobs *jobs, uint64_t seed);
void placements_destroy(Placements *placements);
const Land *placements_land(const Placements *placements);
FiloJobs *placements_jobs(const Placements *placements);
// The placement that the keys choose. NULL if it cannot be made, which is logged. In a tick, or between ticks.
const FiloPlacement *placements_get(Placements *placements, const View *view);
// Counts the tiles that have a placement: `change` is 1 or −1. Between ticks.
void placements_use(Placements *placements, const FiloPlacement *placement, int change);
// Destroys those that are used by no tile and not chosen. Between ticks.
void placements_trim(Placements *placements, const View *view);

// ---- Kinds of objects -----------------------------------------------------------------------------------------------

#define KIND_VARIANTS 3

typedef enum KindSet {
    SET_OBJECTS,
    SET_GRASS,
    SET_FAR,
    SET_COUNT
} KindSet; // sets of meshes that are drawn together

// A layer of the ecotopes, and how it looks.
typedef struct Kind {
    const char *layer;
    KindSet set;
    float sink;     // metres below the ground, times its scale
    uint16_t first; // mesh of the set; the others follow
    bool small;     // it casts no shadow
} Kind;
const Kind *kind_of(const char *layer); // of a stump for NULL and names that are not known

// ---- Objects around the camera --------------------------------------------------------------------------------------

// What happened when, for the timeline.
typedef enum Lane { LANE_PLACE, LANE_READ, LANE_DRAW, LANE_COUNT } Lane;
#define EVENTS 256
typedef struct Event {
    int64_t begin, end; // filo_time_ns
} Event;
typedef struct Timeline {
    Event events[LANE_COUNT][EVENTS]; // rings
    uint32_t counts[LANE_COUNT];
} Timeline;
static inline void timeline_add(Timeline *timeline, Lane lane, int64_t begin, int64_t end) {
    timeline->events[lane][timeline->counts[lane]++ % EVENTS] = (Event){ begin, end };
}

typedef struct Tiles Tiles;

typedef struct TilesStats {
    size_t trees, rocks, grass; // that are there
    size_t under_way;           // tiles
    uint64_t made;              // tiles, so far
    uint64_t squares;           // that the camera has entered
    double place_ms, read_ms;   // of a tile, the last
    double main_ms;             // of the main thread in the last frame
    bool on_gpu;
} TilesStats;

typedef struct TilesDesc {
    Placements *placements;
    FiloGfx3d *gfx;
    FiloGpu *gpu; // NULL: none
    const FiloName *meshes[SET_COUNT];
    uint32_t mesh_counts[SET_COUNT];
    Timeline *timeline;
} TilesDesc;

FiloResult tiles_create(Tiles **tiles, const TilesDesc *desc);
void tiles_destroy(Tiles *tiles);
// Begins, takes over and shows what a camera at this position needs. `wait`: all of it, before it returns. Between ticks.
void tiles_update(Tiles *tiles, FiloVec3 camera, const View *view, const Stump *stumps, size_t stump_count,
                  bool wait);
TilesStats tiles_stats(const Tiles *tiles);

// ---- Ground and water -----------------------------------------------------------------------------------------------

typedef struct Scene {
    FiloGround ground;
    FiloTexture heights; // for the water
    FiloGpu *gpu;
} Scene;
FiloResult forest_scene_make(Scene *scene, FiloGfx3d *gfx, FiloGpu *gpu, FiloWorld *world, const Land *land);
void forest_scene_end(Scene *scene);

// ---- Numbers --------------------------------------------------------------------------------------------------------

typedef struct Panel {
    View view; // as the panel shows it
    Parameters parameters;
    TilesStats tiles;
    FiloGfx3dStats gfx;
    FiloGroundStats ground;
    int64_t now; // filo_time_ns
    double frame_ms;
    uint64_t seed; // of the land
    size_t stumps;
} Panel;
void panel_begin(FiloApp *app);
void panel_show(Panel *panel, const Timeline *timeline, FiloApp *app, FiloUi *ui);

// ---- The whole ------------------------------------------------------------------------------------------------------

#define TREE_KINDS  8
#define ROCK_KINDS  10
#define GRASS_KINDS 6

// Names of meshes, for tiles_create.
typedef struct Plants {
    FiloName objects[(TREE_KINDS + ROCK_KINDS) * KIND_VARIANTS + 1], grass[GRASS_KINDS * KIND_VARIANTS];
    FiloName far[TREE_KINDS * KIND_VARIANTS];
} Plants;

typedef struct Forest {
    // Flags.
    FiloVec3 at; // of the camera; y is above the ground
    float yaw, pitch, hour;
    int side;
    bool stream, numbers, bare, cache;
    // What there is.
    Land land;
    Placements *placements;
    Plants plants;
    Scene scene;
    Tiles *tiles;
    Timeline timeline;
    FiloQuery *stump_query;
    FiloArray(Stump) stumps;
    Panel panel;
    int64_t frame_began, drawing_began;
} Forest;
#define FOREST_DEFAULT                                                                                       \
    { .at = { -160, 2.6f, 688 }, .yaw = 0.75f, .hour = 17.1f, .side = LAND_SIDE }

FiloAppDesc forest_app(Forest *forest);

#endif
