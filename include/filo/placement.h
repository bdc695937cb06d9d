// filo/placement.h: places objects on terrain by density maps: a forest is a function of its maps.
//
//     static uint8_t trees[256 * 256];                       // the density of trees: 0 none, 255 as many as fit
//     …
//     FiloPlacement *placement;
//     FiloResult r = filo_placement_create(&placement, &(FiloPlacementDesc){
//         .size = { 1000, 1000, 120 },                       // metres; z is the height of 65535 in the heightmap
//         .height = filo_terrain_map(heights, FILO_MAP_U16, 512, 512),
//         .footprints = { { .footprint = 1.75f, .layers = { { .name = "pine",
//                           .density.map = filo_terrain_map(trees, FILO_MAP_U8, 256, 256) } } } } });
//     FiloPlacementResult forest = { 0 };
//     r = filo_placement_compute(placement, &(FiloPlacementRequest){ .area = { 200, 200, 400, 400 } }, &forest);
//     for (size_t i = 0; i < forest.count; i++) {
//         FiloPlacementPosition at = filo_placement_position(&forest, &forest.objects[i]);
//         plant(at.x, at.y, at.z);
//     }
//     filo_placement_result_free(&forest);
//     filo_placement_destroy(placement);
//
// The plane is an endless grid of cells, and every cell has the same pattern of points, no two of them nearer than a
// footprint (filo/pattern.h). Each point of each cell is a candidate. Its threshold comes from a dither matrix. The maps
// of the layers are sampled there in turn and added up, and the first layer whose sum exceeds the threshold claims the
// candidate. So what is placed at a point depends on that point alone: any area can be computed, in any order, on any
// thread, on the GPU (filo/placement_gpu.h), and thrown away and computed again, always with the same bytes.
//
// The method is that of Muijden, "GPU-based procedural placement in Horizon Zero Dawn" (GDC 2017), and of Morales,
// "Procedural placement on the GPU" (Universidad de Chile, 2023). docs/placement.md explains it with pictures.
//
// x and y are on the ground, in metres; z is the height. Outside of the world, the values at the border of the maps go on. Areas are [lower, upper): two that share a border have no object
// in common, and miss none. All arithmetic is defined to the bit, and does not depend on the processor, the compiler or
// the number of threads.
//
// A FiloPlacement does not change once it is created; any number of threads may compute with it at once. Maps are not
// copied: their memory belongs to the caller, and must stay as it is while a computation runs.

#ifndef FILO_PLACEMENT_H
#define FILO_PLACEMENT_H

#include <filo/color.h>
#include <filo/jobs.h>
#include <filo/matrix.h>
#include <filo/memory.h>
#include <filo/pattern.h>
#include <filo/terrain.h>
#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

#define FILO_PLACEMENT_FOOTPRINTS 8  // in one placement
#define FILO_PLACEMENT_LAYERS     32 // of one footprint
#define FILO_PLACEMENT_MAPS       64 // that a placement may sample, besides the heightmap
// Positions are relative to the origin of a block of this many cells a side, so that they are as exact at 1,000 km as
// at 0. Blocks are where they are, whatever area is asked for.
#define FILO_PLACEMENT_BLOCK 64
// Candidates that one computation may have; a larger area is refused. Divide it.
#define FILO_PLACEMENT_CANDIDATES ((uint64_t)1 << 28)

typedef struct FiloPlacement FiloPlacement;
typedef struct FiloEcotope FiloEcotope; // filo/ecotope.h

// ---- What is placed -----------------------------------------------------------------------------------------

// How a map is read between its values.
typedef enum FiloMapFilter {
    FILO_MAP_BILINEAR, // blends four values, with weights of 1/256
    FILO_MAP_NEAREST,  // takes the value of the texel
} FiloMapFilter;

// The density of a layer at a point is  clamp(value · scale + offset, min, max), with the value between 0 and 1. A
// density of 1 claims every candidate that is left, 0 none. It is exact to 1/n² of an n × n pattern over whole cells.
typedef struct FiloDensityMap {
    FiloTerrainMap map;
    FiloMapFilter filter;
    float scale, offset; // both 0: scale 1
    float min, max;      // both 0: 0 to 1. From −64 to 64
} FiloDensityMap;

// How objects of one layer differ from each other. What an object gets is computed from a hash of its position: nothing
// is stored. All zero: any direction, size 1, one variant.
typedef struct FiloVariation {
    enum {
        FILO_TURN_ANY,    // any angle
        FILO_TURN_NONE,   // 0
        FILO_TURN_TOWARDS // the angle of the map `towards`: the direction to the nearest road, for instance
    } turn;
    FiloTerrainMap towards;     // angle / 360°, counter-clockwise from +x
    float turn_range;           // radians; added to NONE and TOWARDS: up to this much to either side
    float tilt;                 // 0: upright; 1: perpendicular to the ground
    float scale_min, scale_max; // both 0: 1
    FiloColor color_a, color_b; // a colour between these two; both 0: white
    uint32_t variants;          // assets to choose from; 0: 1
} FiloVariation;

typedef struct FiloPlacementLayer {
    const char *name; // copied, up to 47 bytes; NULL: "layer 3"
    FiloDensityMap density;
    // Metres of ground that an object claims, for footprints placed together: see FiloFootprint. 0: half the footprint.
    // Negative: none. (In an ecotope file, leaving it out is half the footprint, and 0 is none.) Distances are measured in units
    // of 1/u metre, where u is the smallest power of two with u · the smallest footprint ≥ 256. Two radii may add up to 32,760
    // units, which are 64 to 128 of the smallest footprints; more is refused.
    float radius;
    FiloVariation variation;
} FiloPlacementLayer;

// Layers that share one pattern of candidates: no two of their objects are nearer than `footprint`. A candidate is
// claimed by one layer, the first that can.
//
// Footprints of one placement are placed together, in their order: list the largest first. An object is left out if its
// radius and that of an object of an earlier footprint add up to more than their distance. This is solved within a
// bounded neighbourhood, so that areas stay independent of each other.
typedef struct FiloFootprint {
    const char *name;    // copied, up to 47 bytes; NULL: "footprint 1"
    float footprint;     // metres; the footprint that comes next must not be larger
    FiloPattern pattern; // points NULL: one of the built-in patterns of 8 × 8, which the seed picks. Copied
    FiloPlacementLayer layers[FILO_PLACEMENT_LAYERS]; // up to the first without a map
} FiloFootprint;

typedef struct FiloNamedMap {
    const char *name; // copied
    FiloTerrainMap map;
} FiloNamedMap;

typedef struct FiloPlacementDesc {
    FiloVec3 size; // metres: what the maps cover, and the height of the value 1 of the heightmap
    // The corner of the world with the smallest x and y, and the height of the value 0. All zero: the origin
    double corner_x, corner_y;
    float lowest;
    // data NULL: flat, at `lowest`. With a map, size.z must be above 0. A map of floats has height / size.z
    FiloTerrainMap height;
    FiloMapFilter height_filter;                         // bilinear, if it is not set
    uint64_t seed;                                       // picks the patterns, and how objects vary
    FiloFootprint footprints[FILO_PLACEMENT_FOOTPRINTS]; // up to the first without layers
    // Instead of footprints: what an ecotope file describes, and the maps that it names.
    const FiloEcotope *ecotope;
    const FiloNamedMap *maps;
    size_t map_count;
    const FiloAllocator *allocator; // NULL: filo_heap()
} FiloPlacementDesc;

// Checks the description and prepares it. Maps of floats are converted to 16 bits here, and a change of their memory has
// no effect later; maps of bytes and 16 bits are read where they are. FILO_ERROR_DATA or _LIMIT with a message that names
// footprint, layer and cause, for numbers that mean nothing (NaN, a footprint of 0, min above max, an empty map, a float
// that is not between 0 and 1), gaps in the lists, a layer called "height", and what is too large; then nothing was allocated.
FiloResult filo_placement_create(FiloPlacement **placement, const FiloPlacementDesc *desc);
// No computation may be running, all futures must have been taken or cancelled, and what uses the placement must have been
// destroyed: the check says how many are left. A release build then waits for the futures, and frees the placement when its
// last user is gone. Results do not count as users. NULL is allowed.
void filo_placement_destroy(FiloPlacement *placement);
// For objects that keep a pointer to a placement, as FiloPlacementGpu does: it is not freed before each retain has had its
// release. Any thread.
void filo_placement_retain(const FiloPlacement *placement);
void filo_placement_release(const FiloPlacement *placement);

// Layers are numbered from 0, through all footprints in their order.
size_t filo_placement_layer_count(const FiloPlacement *placement);
const char *filo_placement_layer_name(const FiloPlacement *placement, size_t layer); // "" if there is none
int filo_placement_layer_find(const FiloPlacement *placement, const char *name);     // −1 if there is none
size_t filo_placement_footprint_count(const FiloPlacement *placement);
const char *filo_placement_footprint_name(const FiloPlacement *placement, size_t footprint);
size_t filo_placement_layer_footprint(const FiloPlacement *placement, size_t layer);
// Metres: the footprint, and the width of one of its cells.
float filo_placement_footprint_size(const FiloPlacement *placement, size_t footprint);
double filo_placement_cell_size(const FiloPlacement *placement, size_t footprint);
// Candidates of one cell: FiloPlacementId.point is below this.
size_t filo_placement_point_count(const FiloPlacement *placement, size_t footprint);
// Metres around an area in which a change of a map or an edit may change what is placed in it.
double filo_placement_reach(const FiloPlacement *placement);

// ---- Computing ----------------------------------------------------------------------------------------------

// Metres: lower inclusive, upper exclusive.
typedef struct FiloPlacementArea {
    double x0, y0, x1, y1;
} FiloPlacementArea;

// One object. 16 bytes, in memory and in the buffers of the GPU. In the blocks whose index is 0, where x and y are
// metres in the world, the last four bytes are the layer as one little-endian number.
typedef struct FiloPlaced {
    float x, y, z;            // metres; x and y from the origin of its block
    uint16_t layer;           // through all footprints
    uint8_t block_x, block_y; // the index of the block, modulo 256: filo_placement_position knows the rest
} FiloPlaced;

// Names a candidate for ever: the same in every computation.
typedef struct FiloPlacementId {
    int32_t cell_x, cell_y;
    uint16_t footprint, point; // y · n + x in the pattern
} FiloPlacementId;

// Changes to what the maps say. Each affects what is near: where a tree is removed, undergrowth may come up.
typedef struct FiloClearing { // nothing is placed inside this circle
    double x, y;
    float radius;
    uint32_t footprints; // bit n: footprint n; 0: all of them
} FiloClearing;
typedef struct FiloPin { // this candidate has this object, or none
    FiloPlacementId id;
    int32_t layer; // −1: none
} FiloPin;
typedef struct FiloPlacementEdits {
    const FiloClearing *clearings;
    size_t clearing_count;
    const FiloPin *pins; // of two for one candidate, the last counts. Pins come after clearings
    size_t pin_count;
} FiloPlacementEdits;

// A part of a map, instead of the one that the placement was created with: for worlds that are streamed. It must contain
// every texel that the area needs, including filo_placement_reach and one texel for the filter; otherwise the
// computation is refused, with the texels that are missing. So is one without a window, of a map that was created with a part
// of it. Its full size must be that of the map.
typedef struct FiloMapWindow {
    int map; // filo_placement_map_find
    FiloTerrainMap window;
} FiloMapWindow;
// −1 if there is none. "height" is the heightmap; a density map has the name of its layer, or its name in an ecotope.
int filo_placement_map_find(const FiloPlacement *placement, const char *name);
// With the heightmap, which is map 0 even if there is none.
size_t filo_placement_map_count(const FiloPlacement *placement);

// What the processor runs. All give the same bytes.
typedef enum FiloPlacementPath {
    FILO_PLACEMENT_BEST,
    FILO_PLACEMENT_SCALAR, // plain C, as the method is written down
    FILO_PLACEMENT_SIMD,   // vectors of 16 bytes: SSE2, NEON
    FILO_PLACEMENT_AVX2,   // as SIMD where the processor has none
} FiloPlacementPath;

typedef struct FiloPlacementRequest {
    FiloPlacementArea area;
    FiloJobs *jobs; // NULL: all on the calling thread
    // Bit n: footprint n, which must exist, is wanted; 0: all. Those that push them away are computed as well.
    uint32_t footprints;
    FiloPlacementEdits edits;
    const FiloMapWindow *windows;
    size_t window_count;
    FiloPlacementPath path;
    // Counts objects and does not write them: the result has `count` and `first`, and `objects` is NULL. Costs no memory for
    // objects either.
    bool count_only;
} FiloPlacementRequest;

// What was placed: grouped by layer, and inside a layer in the order of cells (row by row, from the smallest y and x on),
// inside a cell in that of the pattern. It must be all zero at first ({ 0 }): a variable that was not initialised cannot be
// told from one with objects, and its pointer would be freed. Reused by the next computation, which then need not allocate.
typedef struct FiloPlacementResult {
    FiloPlaced *objects;
    size_t count;
    // Objects of layer n are objects[first[n]] to objects[first[n + 1] − 1].
    size_t first[FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS + 1];
    const FiloPlacement *placement; // that it was computed with; it must still exist for the functions below
    FiloPlacementArea area;
    uint64_t candidates; // that were evaluated
    // Private.
    size_t capacity;
    const FiloAllocator *allocator;
} FiloPlacementResult;

// Computes an area and returns when it is done. Any thread. On failure the result has no objects: FILO_ERROR_DATA for an
// area that is empty, footprints that do not exist, or texels that are in no window; FILO_ERROR_LIMIT for an area of more
// candidates than FILO_PLACEMENT_CANDIDATES, or wider than 254 blocks; FILO_ERROR_MEMORY.
FiloResult filo_placement_compute(const FiloPlacement *placement, const FiloPlacementRequest *request,
                                  FiloPlacementResult *result);
// Frees the objects; the result is all zero then. All zero and NULL are allowed.
void filo_placement_result_free(FiloPlacementResult *result);

// The objects of a layer; 0 for a layer that does not exist.
size_t filo_placement_result_count(const FiloPlacementResult *result, size_t layer);
// Copies `count` objects of a layer (−1: of all, grouped by layer), from its object `from` on. A range that the layer does not
// have, and a result of .count_only, is a mistake: false, and nothing is copied.
bool filo_placement_result_copy(const FiloPlacementResult *result, int layer, size_t from, size_t count,
                                FiloPlaced *into);

// ---- Computing in the background ----------------------------------------------------------------------------

// A computation that runs on the workers. Any number may be under way. A handle: {0} is none, and one that was taken or
// cancelled is detected. The functions below may be called on any thread.
typedef struct FiloPlacementFuture {
    uint64_t id;
} FiloPlacementFuture;
// `request` is copied; the memory that its pointers lead to must stay until the result is taken. request.jobs must not be
// NULL. Fails as filo_placement_compute does for what is known at once.
FiloResult filo_placement_start(FiloPlacementFuture *future, const FiloPlacement *placement,
                                const FiloPlacementRequest *request);
// Does not wait, unless the scheduler has only the calling thread: then the objects are computed now. A future that is none
// counts as ready, so that a loop ends.
bool filo_placement_ready(const FiloPlacement *placement, FiloPlacementFuture future);
// Returns when the result is there; a worker runs other jobs meanwhile.
void filo_placement_wait(const FiloPlacement *placement, FiloPlacementFuture future);
// Waits, moves the result to `result`, which is all zero or was used before (what it had is freed), and ends the future: it
// can be taken once. Fails as filo_placement_compute does; FILO_ERROR_CANCELLED if the jobs were destroyed before it was
// computed (FILO_JOBS_CANCEL).
FiloResult filo_placement_take(const FiloPlacement *placement, FiloPlacementFuture future,
                               FiloPlacementResult *result);
// Ends the future without its result: work that has not begun is left out. Returns at once if the computation has not begun,
// otherwise after the rows of cells that are under way. The memory that the request refers to is not read any more. {0} is
// allowed.
void filo_placement_cancel(const FiloPlacement *placement, FiloPlacementFuture future);

// ---- Objects ------------------------------------------------------------------------------------------------

// Where an object is in the world, in metres.
typedef struct FiloPlacementPosition {
    double x, y, z;
} FiloPlacementPosition;
// The object may be a copy, and of another result with the same placement, if that one's area is within 100 blocks.
FiloPlacementPosition filo_placement_position(const FiloPlacementResult *result, const FiloPlaced *object);
// The origin of a block of a footprint, in metres.
FiloPlacementPosition filo_placement_origin(const FiloPlacement *placement, size_t footprint, int32_t block_x,
                                            int32_t block_y);
// The name of an object's candidate. Costs some hundred comparisons.
FiloPlacementId filo_placement_id(const FiloPlacementResult *result, const FiloPlaced *object);
// Where a candidate is, whether or not it is claimed; z is 0.
FiloPlacementPosition filo_placement_id_position(const FiloPlacement *placement, FiloPlacementId id);

// How an object differs from the others of its layer.
typedef struct FiloVariant {
    float angle;       // radians around the vertical, counter-clockwise seen from above, from +x
    FiloVec3 up;       // of length 1; {0, 0, 1} if it does not tilt
    FiloQuat rotation; // both together, with z up
    float scale;
    FiloColor color;
    uint32_t variant; // below FiloVariation.variants
    uint32_t hash;    // for whatever else differs
} FiloVariant;
// The same for an object whatever area it was computed in. Any thread.
FiloVariant filo_placement_variant(const FiloPlacementResult *result, const FiloPlaced *object);

// Where the maps lie: FiloPlacementDesc.size, and the corner with `lowest` as z.
FiloVec3 filo_placement_size(const FiloPlacement *placement);
FiloPlacementPosition filo_placement_corner(const FiloPlacement *placement);

typedef struct FiloPlacementMapInfo {
    const char *name;  // as long as the placement exists; "" if there is no such map
    int width, height; // texels of the whole map; 0: there is no heightmap
    bool whole;        // all of it is in memory; otherwise every computation needs a FiloMapWindow of it
} FiloPlacementMapInfo;
// Of a map that filo_placement_map_find found. Maps are numbered from 0 on without gaps.
FiloPlacementMapInfo filo_placement_map_info(const FiloPlacement *placement, int map);

// The height of the ground at a point, and its normal. (An object's z may differ by what 1/256 of a texel makes, because its
// position is rounded within its block.) These functions, filo_placement_density and
// filo_placement_variant read the maps that the placement was created with, not the windows of a request.
float filo_placement_height(const FiloPlacement *placement, double x, double y);
FiloVec3 filo_placement_normal(const FiloPlacement *placement, double x, double y);
// The density of a layer at a point, without those of the layers before it: usually 0 to 1. For colouring the ground, or a
// brush that shows what it paints. What an ecotope's "near" adds counts as 0. 0 for a layer that does not exist.
float filo_placement_density(const FiloPlacement *placement, size_t layer, double x, double y);

// ---- Combining maps beforehand ------------------------------------------------------------------------------

// Combines the maps of a footprint's layers into one, of one byte a layer and texel: computing is then about twice as
// fast with four layers, and hardly faster with one. Possible where all its maps are of one size, are sampled with
// FILO_MAP_NEAREST and are not windows, and for patterns of up to 8 × 8 (a byte does not have the 257 levels of 16 × 16):
// otherwise FILO_ERROR_UNSUPPORTED, with the reason; FILO_ERROR_MEMORY. Results are the same bytes. Costs about 1 ns a texel
// and layer. Call it again after the maps have changed. No computation may be running. `jobs` may be NULL.
FiloResult filo_placement_bake(FiloPlacement *placement, size_t footprint, FiloJobs *jobs);
// Back to the maps as they are.
void filo_placement_unbake(FiloPlacement *placement, size_t footprint);

FILO_END_DECLS

#endif
