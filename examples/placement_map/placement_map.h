// The example placement_map: what its sources share.
//
//   placement_map.c   the state of the game, and how keys and mouse change it
//   land.c            the terrain, its maps, and the placement
//   ground.c          the picture of the ground, in tiles
//   art.c             the symbols of trees, bushes and rocks
//   panel.c           parameters and numbers
//   main.c            what is visible: computed, sorted and drawn

#ifndef PLACEMENT_MAP_H
#define PLACEMENT_MAP_H

#include <filo/filo.h>

#include "shared/parameters.h"

#define LAND_METRES 2048.0f // a side of the world
#define LAND_SIDE   512     // texels a side of its maps

// ---- State --------------------------------------------------------------------------------------------------

#define PAINT_SIDE   128 // values a side of the painted map
#define METRES_LEAST 0.05f
#define METRES_MOST  2.5f

typedef enum Path { PATH_SCALAR, PATH_SIMD, PATH_AVX2, PATH_THREADS, PATH_GPU, PATH_COUNT } Path;

typedef struct View {  // one for the world
    FiloVec2 centre;   // metres
    float metres;      // of a pixel
    uint32_t seed;     // added to that of the command line
    int32_t footprint; // steps of 10 % that footprints are larger
    uint32_t hidden;   // bit per layer
    int32_t path;      // Path
    bool panel;        // the numbers are shown
    uint32_t strokes;  // how often the painted map has changed
} View;
FILO_REFLECT_DECLARE(View);

typedef struct Paint {                     // one for the world
    int8_t woods[PAINT_SIDE * PAINT_SIDE]; // −100 to 100: how many more trees than the land has by itself
} Paint;
FILO_REFLECT_DECLARE(Paint);

// Adds components and the system that steers. False without memory.
bool map_define(FiloWorld *world);
bool map_create(FiloWorld *world, FiloVec2 centre, float metres);
// Handles the message MAP_VIEW, with the View that the panel chooses. For a world with events.
#define MAP_VIEW "view"
bool map_handle_messages(FiloWorld *world);
// The position in metres of a pixel of a picture of this size, and back. Pixels have y down, metres y up.
FiloVec2 map_to_metres(const View *view, FiloVec2 size, FiloVec2 pixel);
FiloVec2 map_to_pixel(const View *view, FiloVec2 size, FiloVec2 metres);
FiloRect map_visible(const View *view, FiloVec2 size);
// −1 to 1, blended between the values around a point.
float map_paint_at(const Paint *paint, FiloVec2 metres);
// Where the two differ, with the values around that are blended with it, in metres.
FiloRect map_paint_changes(const Paint *before, const Paint *after);

// ---- Land ---------------------------------------------------------------------------------------------------

// What the ground is made of at a texel.
typedef struct Soil {
    float height;           // metres above the water
    float slope_x, slope_y; // rise by run
    float light;            // 0 in the shadow of a mountain, 1 in the sun
    float hollow;           // −1 on ridges, 1 in hollows
    float woods;            // 0 to 1
    float wet;              // 0 to 1
    float road;             // metres to the nearest road
    float water;            // metres to the nearest water
} Soil;

typedef struct Land {
    FiloJobs *jobs;
    float high;        // metres of the highest point, above the lowest
    float water_level; // metres above the lowest
    float *heights;    // 0 to 1
    Soil *soil;
    uint16_t *height, *water_distance, *road_distance, *flow, *wetness;
    uint8_t *water, *road;
    uint8_t *woods, *woods_before; // with and without what was painted
    FiloPlacement *placement;
    double make_ms; // how long it took
} Land;

// Makes the terrain of a seed. `land` is all zero, or was made before. On failure it has no placement.
FiloResult land_make(Land *land, FiloJobs *jobs, uint64_t seed);
// Applies what was painted inside of a rectangle.
void land_paint(Land *land, const Paint *paint, FiloRect metres);
// Reads the ecotope file, and creates the placement. Footprints are multiplied by `footprints`.
FiloResult land_place(Land *land, const char *ecotope, uint64_t seed, float footprints);
void land_free(Land *land);
Soil land_soil_at(const Land *land, FiloVec2 metres);
// How much sun the ground gets: 1 if it is level, 0 if it faces away, less in the shadow of mountains.
float land_sun(const Soil *soil);

// ---- Ground -------------------------------------------------------------------------------------------------

typedef struct Ground Ground;
Ground *ground_create(void); // NULL without memory
void ground_destroy(Ground *ground);
// Forgets all tiles; or makes those that a rectangle touches again when there is time, and draws them as they are until
// then.
void ground_forget(Ground *ground, const FiloRect *metres);
// Makes the tiles of the visible part, about `limit` of them in this call. Returns how many it made.
int ground_update(Ground *ground, FiloGfx2d *gfx, const Land *land, const View *view, FiloVec2 size,
                  int limit);
void ground_draw(Ground *ground, FiloDraw *draw, const View *view, FiloVec2 size);

// ---- Symbols ------------------------------------------------------------------------------------------------

typedef enum SymbolKind {
    SYMBOL_LEAF,
    SYMBOL_CONIFER,
    SYMBOL_ROCK,
    SYMBOL_BUSH,
    SYMBOL_FERN,
    SYMBOL_REED,
    SYMBOL_FLOWER,
    SYMBOL_GRASS,
    SYMBOL_KINDS,
} SymbolKind;

#define SYMBOL_VARIANTS 4
#define SYMBOL_SIZES    4  // images: the largest, and each half as large as the one before
#define SYMBOL_PIXELS   96 // of the largest

// The symbol of a layer by its name, and how wide it is on the ground.
typedef struct SymbolStyle {
    const char *layer;
    SymbolKind kind;
    float metres;
} SymbolStyle;
const SymbolStyle *symbol_style(const char *layer);

bool symbols_make(FiloAssets *assets, FiloJobs *jobs); // false without memory
// `pixels`: the width of the symbol on the screen.
void symbol_draw(FiloDraw *draw, SymbolKind kind, uint32_t variant, FiloVec2 at, float pixels,
                 FiloColor color);

// ---- Panel --------------------------------------------------------------------------------------------------

typedef struct Panel {
    View view; // as the panel shows it
    Parameters parameters;
    double compute_ms, prepare_ms, ground_ms;
    bool missing_gpu; // GL was chosen, and there is none
} Panel;
void panel_begin(FiloApp *app);
void panel_show(Panel *panel, const Land *land, const FiloPlacementResult *result, FiloApp *app, FiloUi *ui);

#endif
