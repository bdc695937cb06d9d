// The private parts of streamed placement.
//
//   components.c   the components of the public header
//   create.c       settings, creating and destroying, what happens after ticks
//   viewers.c      where viewers are, and the grids of tiles and squares
//   edits.c        the edits of the world as a list and as an index, and what of them changed
//   paint.c        windows of maps with strokes painted into them
//   work.c         computing one tile or square, on a worker
//   tiles.c        tiles for drawing: which are needed, cached, computed, evicted
//   squares.c      squares whose objects are entities: decisions and delivery, at the end of ticks
//   entities.c     making, destroying, keeping and waking the entities of squares
//   edit_list.c    edits as JSON
//   module.c       the module of a program
//
// What is state and what is derived: viewers, edits, squares (FiloPlacedTile) and promoted entities are components, and
// everything that a tick decides follows from these. All other data here can be thrown away at any time: lists of edits and
// of squares are built again when the world was restored, and computations that were under way then are begun again.
//
// The key is the signature of a square or tile: a hash of the edits that can influence it. What is computed is a function
// of the maps, the area and these edits. So a result is right exactly if the signature that it was computed with is the
// present one, whatever happened in between: new edits, edits that were undone, another snapshot.
//
// Threads: after a tick, the thread that ticks decides about squares; between ticks, the main thread updates tiles. Both
// begin works. A work has copies of all edits that it needs, and its job touches nothing but the work and what does not
// change. Reading tiles for drawing touches nothing that the end of a tick changes.

#ifndef FILO_PLACEMENT_WORLD_PLACEMENT_WORLD_H
#define FILO_PLACEMENT_WORLD_PLACEMENT_WORLD_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/observer.h>
#include <filo/placement_world.h>
#include <filo/query.h>

#include "base/atomic.h"

#define PLACEMENT_WORLD_SIDE   (1 << 28) // indices of tiles and squares are smaller than this
#define PLACEMENT_WORLD_AROUND 128       // tiles or squares from a viewer to the end of its distance, at most
#define PLACEMENT_WORLD_BUCKET 64.0      // metres a side of the buckets of edits
#define PLACEMENT_WORLD_LAYERS (FILO_PLACEMENT_FOOTPRINTS * FILO_PLACEMENT_LAYERS)

// ---- Viewers and grids --------------------------------------------------------------------------------------------

typedef struct PlacementWorldView {
    double x, y, factor;
    bool tiles, entities;
} PlacementWorldView;

typedef FiloArray(PlacementWorldView) PlacementWorldViews;

// Squares of one size over the plane. The bounds of neighbours are the same numbers, so that no object is in both or none.
typedef struct PlacementWorldGrid {
    int cells;             // of the footprint, a side; a power of two
    double side;           // metres
    double distance, away; // metres: from where on a square is wanted, and from where on no longer
} PlacementWorldGrid;

// Names a square or tile of a footprint.
static inline uint64_t placement_world_key(uint32_t footprint, int32_t x, int32_t y) {
    const uint64_t mask = 0x3FFFFFFF;
    return (uint64_t)footprint << 60 | ((uint64_t)(uint32_t)x & mask) << 30 | ((uint64_t)(uint32_t)y & mask);
}

FiloPlacementArea placement_world_area(const PlacementWorldGrid *grid, int32_t x, int32_t y);
// The distance from a viewer to an area, divided by its factor.
double placement_world_distance(const PlacementWorldView *view, const FiloPlacementArea *area);
// Calls `function` for all squares of a grid within `grid->distance` of a viewer, row by row.
void placement_world_around(const PlacementWorldGrid *grid, const PlacementWorldView *view,
                            void (*function)(int32_t x, int32_t y, double distance, void *user), void *user);
// Fills the list, and warns of viewers that have no effect. False without memory.
bool placement_world_find_viewers(FiloPlacementWorld *pw, PlacementWorldViews *views);
bool placement_world_same_viewers(const PlacementWorldViews *a, const PlacementWorldViews *b);

// ---- Edits ----------------------------------------------------------------------------------------------------

// An edit of the world.
typedef struct PlacementWorldEdit {
    FiloPlacementEdit edit; // of kind FILO_PLACEMENT_NO_EDIT: it means nothing, and has no effect
    FiloEntity entity;
    uint64_t hash;            // of everything but its order
    int target;               // PIN: the layer; paint: the map in FiloPlacementWorld.maps
    FiloPlacementArea bounds; // that it influences, without filo_placement_reach
} PlacementWorldEdit;

// What has changed since a reader of the edits looked last.
#define PLACEMENT_WORLD_CHANGES 64
typedef struct PlacementWorldChanges {
    FiloPlacementArea areas[PLACEMENT_WORLD_CHANGES];
    size_t count;
    bool all; // too many, or the world was restored
} PlacementWorldChanges;

typedef struct PlacementWorldNode {
    uint32_t edit, next; // `next` is one more than the index of the next node; 0: none
} PlacementWorldNode;

typedef struct PlacementWorldEdits {
    FiloArray(PlacementWorldEdit) list;   // in their order
    FiloArray(PlacementWorldEdit) before; // the last change
    FiloArray(PlacementWorldEdit) fresh;  // that are appended
    FiloMap known;                        // index in the list by entity
    FiloMap buckets;                      // of small edits by the bucket of their centre: first node + 1
    FiloArray(PlacementWorldNode) nodes;
    FiloArray(uint32_t) large;
    FiloArray(uint32_t) found; // by placement_world_edits_find
    FiloSeen seen;
    bool unordered; // some have no order yet
    bool stale;     // there was no memory for the last change
} PlacementWorldEdits;

// Brings the list up to date. False without memory: it is older then.
bool placement_world_edits_sync(FiloPlacementWorld *pw);
// Gives new edits their order. After a tick.
void placement_world_edits_order(FiloPlacementWorld *pw, FiloPlacementState *state);
// Fills `found` with the edits that can influence an area, in their order. False without memory.
bool placement_world_edits_find(FiloPlacementWorld *pw, const FiloPlacementArea *area);
// The signature of an area. `fallback` without memory.
uint64_t placement_world_signature(FiloPlacementWorld *pw, const FiloPlacementArea *area, uint64_t fallback);
// Whether a change may concern an area.
bool placement_world_concerns(const FiloPlacementWorld *pw, const PlacementWorldChanges *changes,
                              const FiloPlacementArea *area);
void placement_world_edits_deinit(PlacementWorldEdits *edits);

// ---- Computing --------------------------------------------------------------------------------------------------

// Texels of the whole map that a map in memory is of.
static inline int placement_world_map_width(const FiloTerrainMap *map) {
    return map->full_width > 0 ? map->full_width : map->width;
}
static inline int placement_world_map_height(const FiloTerrainMap *map) {
    return map->full_height > 0 ? map->full_height : map->height;
}
static inline bool placement_world_map_whole(const FiloTerrainMap *map) {
    return map->width == placement_world_map_width(map) && map->height == placement_world_map_height(map);
}

// A map that can be painted.
typedef struct PlacementWorldMap {
    FiloName name;
    int map; // of the placement
    FiloTerrainMap base;
} PlacementWorldMap;

// The objects of a tile, in one block of memory.
typedef struct PlacementWorldBlock {
    FiloPlacementResult result; // its objects follow this struct
    size_t size;                // bytes of the block
    // Objects that rounding has moved here from another block of the placement, as they were computed. Almost always none.
    size_t moved_count;
    struct PlacementWorldMoved *moved;
} PlacementWorldBlock;
typedef struct PlacementWorldMoved {
    size_t index;
    FiloPlaced object;
} PlacementWorldMoved;

typedef struct PlacementWorldPainted {
    FiloArray(uint16_t) texels;
} PlacementWorldPainted;

// One tile or square that is being computed. Its memory is used again.
typedef struct PlacementWorldWork {
    FiloJob job;
    FiloPlacementWorld *owner;
    uint64_t key, signature;
    uint32_t footprint;
    FiloPlacementArea area;
    bool square; // otherwise a tile
    bool begun;  // as a job
    bool done;   // computed on the calling thread
    BASE_ATOMIC(bool) cancelled;
    FiloResult outcome;
    FiloArray(FiloClearing) clearings;
    FiloArray(FiloPin) pins;
    FiloArray(PlacementWorldEdit) strokes;
    FiloMapWindow windows[FILO_PLACEMENT_MAPS + 1];
    size_t window_count;
    PlacementWorldPainted *painted; // by map of FiloPlacementWorld.maps
    FiloPlacementResult result;
    FiloArray(FiloPlacementObject) objects; // of a square
    PlacementWorldBlock *block;             // of a tile
} PlacementWorldWork;

typedef FiloArray(PlacementWorldWork *) PlacementWorldWorks;

// Begins to compute an area; with `square`, its objects are listed, otherwise they are a block. NULL without memory.
PlacementWorldWork *placement_world_work_begin(FiloPlacementWorld *pw, uint64_t key, uint32_t footprint,
                                               const FiloPlacementArea *area, bool square,
                                               uint64_t signature);
bool placement_world_work_ended(const PlacementWorldWork *work);
// Computes it on the calling thread, unless it has begun elsewhere; returns when it has ended.
void placement_world_work_finish(PlacementWorldWork *work);
// Logs that it has failed, unless that was logged since a work succeeded.
void placement_world_work_failed(const PlacementWorldWork *work);
// It has ended, or will be recycled when it has.
void placement_world_work_drop(PlacementWorldWork *work);
// Recycles what was dropped and has ended.
void placement_world_works_sweep(FiloPlacementWorld *pw);
void placement_world_works_deinit(FiloPlacementWorld *pw);
void placement_world_block_free(const FiloPlacementWorld *pw, PlacementWorldBlock *block);
// Whether the windows of a work contain all that its area needs of maps that are not in memory as a whole: FILO_ERROR_DATA.
FiloResult placement_world_check_windows(const PlacementWorldWork *work);
// Adds windows with the strokes of a work to its windows. FILO_ERROR_MEMORY.
FiloResult placement_world_paint(PlacementWorldWork *work);

// ---- Tiles for drawing --------------------------------------------------------------------------------------------

typedef struct PlacementWorldTile {
    uint32_t footprint;
    int32_t x, y;
    bool failed;        // for another reason than that it was cancelled: not again until viewers move
    uint64_t signature; // that it should have
    uint64_t computed;  // that `block` was computed with
    PlacementWorldBlock *block;
    PlacementWorldWork *work;
    size_t reserved;   // bytes, while `work` is under way
    size_t known;      // bytes that it took when it was last computed; 0: never
    uint64_t needed;   // PlacementWorldTiles.needed of when it was last needed
    double distance;   // of the nearest viewer, in metres
    double priority;   // distance in sides of a tile: the smallest is computed first
    uint8_t *promoted; // for each object; NULL: none
    uint64_t squares;  // hash of the live squares in it, of which `promoted` was made
    uint64_t version;
} PlacementWorldTile;

typedef struct PlacementWorldTiles {
    FiloMap map; // PlacementWorldTile by key
    FiloArray(uint32_t) shown;
    FiloMap live;       // live squares
    FiloMap live_tiles; // a hash of them for each tile that has some
    FiloSeen live_seen;
    size_t live_count; // squares that were looked at
    PlacementWorldViews views, seen;
    PlacementWorldChanges changes;
    uint64_t needed;  // counts up when viewers have moved
    uint64_t version; // the last one that was given to a tile
    size_t bytes, reserved, under_way;
    uint64_t computed, cancelled, evicted;
    bool incomplete; // there was no memory for all tiles that are needed
    bool started;    // in the last update
    bool dirty;      // `shown` is out of date
    bool warned;     // that the budget is too small
} PlacementWorldTiles;

// Updates, and takes over up to `most` results.
void placement_world_tiles_update(FiloPlacementWorld *pw, size_t most);
void placement_world_tiles_init(FiloPlacementWorld *pw);
void placement_world_tiles_deinit(FiloPlacementWorld *pw);

// ---- Squares and entities -----------------------------------------------------------------------------------------

// A square, beside its entity.
typedef struct PlacementWorldSquare {
    FiloEntity entity;
    PlacementWorldWork *work; // NULL: none
    // In this tick:
    bool found;
    bool demoted;       // its entities go
    uint32_t delivered; // one more than its index in `due`; 0: it is not due
} PlacementWorldSquare;

// An entity of a square that is demoted or delivered in this tick.
typedef struct PlacementWorldPresent {
    FiloEntity entity;
    FiloPlacedObject object;
    bool seen; // the computed objects have it
} PlacementWorldPresent;

typedef struct PlacementWorldSquares {
    FiloMap map; // PlacementWorldSquare by key
    FiloSeen seen;
    PlacementWorldViews views, decided;
    PlacementWorldChanges changes;
    bool stale; // there was no memory for all of it
    uint64_t promoted, late;
    FiloArray(uint64_t) due;  // keys of squares that are delivered in this tick
    FiloArray(uint64_t) keys; // for changes of the world after an iteration
    FiloArray(PlacementWorldPresent) present;
    FiloMap index; // of `present`, by square and candidate
} PlacementWorldSquares;

// After each tick.
void placement_world_squares_process(FiloPlacementWorld *pw);
void placement_world_squares_init(FiloPlacementWorld *pw);
// Drops all works.
void placement_world_squares_forget(FiloPlacementWorld *pw);
void placement_world_squares_deinit(FiloPlacementWorld *pw);
// Makes the entities of squares in `due`, and takes away those of squares that are `demoted`. False without memory.
bool placement_world_entities_follow(FiloPlacementWorld *pw);
// Takes all entities away, those that are kept excepted: they were made with other settings. False without memory.
bool placement_world_entities_reset(FiloPlacementWorld *pw);
// Watches entities that the game destroys. False without memory.
bool placement_world_entities_watch(FiloPlacementWorld *pw);

// ---- Calls that must not overlap ----------------------------------------------------------------------------------

// Begins a call that changes the object. False, and a fault, while another one is running.
bool placement_world_enter(FiloPlacementWorld *pw);
void placement_world_leave(FiloPlacementWorld *pw);

// ---- The object ---------------------------------------------------------------------------------------------------

typedef struct PlacementWorldMaker {
    FiloName prefab;            // {0}: none
    FiloPlacementEntities desc; // without its texts
    bool warned;                // that there is no such prefab
} PlacementWorldMaker;

struct FiloPlacementWorld {
    FiloWorld *world; // NULL once it was destroyed
    FiloJobs *jobs;   // NULL: there is one thread, which computes between other things
    const FiloAllocator *allocator;
    const FiloPlacement *placement;
    FiloPlacementWorldDesc desc; // with defaults; its lists are not used
    double reach;
    double size_x, size_y, corner_x, corner_y; // metres that the maps cover
    size_t footprints, layers;
    PlacementWorldGrid tile_grids[FILO_PLACEMENT_FOOTPRINTS], square_grids[FILO_PLACEMENT_FOOTPRINTS];
    PlacementWorldMaker *makers;
    size_t maker_count;
    int16_t maker_of[PLACEMENT_WORLD_LAYERS]; // −1: objects of the layer are never entities
    PlacementWorldMap *maps;
    size_t map_count;
    uint64_t settings;                             // FiloPlacementState.settings
    uint64_t epoch;                                // counts filo_placement_world_invalidate
    FiloQuery *viewers2, *viewers3, *lost_viewers; // the last without a transform
    FiloMap bad_viewers;                           // by entity: a warning was logged
    FiloQuery *edit_query, *square_query, *object_query;
    FiloObserver observer;
    PlacementWorldEdits edits;
    PlacementWorldTiles tiles;
    PlacementWorldSquares squares;
    PlacementWorldWorks free_works, dropped_works;
    size_t works;
    FiloChanges *changes;
    BASE_ATOMIC(bool) busy; // a call is running that no other may overlap: one on another thread, by mistake
    bool failing;           // computing has failed, and has not succeeded since
};

#endif
