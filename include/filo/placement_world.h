// filo/placement_world.h: procedural placement in a world of entities: tiles around viewers, entities for what is near,
// and edits.
//
//     FiloPlacementWorld *forest;
//     FiloResult r = filo_placement_world_create(&forest, world, &(FiloPlacementWorldDesc){
//         .placement = placement,                                              // filo/placement.h
//         .footprints = { { .distance = 400, .promote = 30 } },                // metres around each viewer
//         .entities = (FiloPlacementEntities[]){ { .layer = "pine", .prefab = "pine" } }, .entities_count = 1 });
//
//     filo_add(world, hero, FiloPlacementViewer);                              // has a FiloTransform2 or 3
//     …
//     filo_destroy(it->changes, tree);                                         // in a system: felled for ever
//     filo_create(it->changes, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = 80, .y = 20, .radius = 6));
//     …
//     filo_placement_world_update(forest);                                     // once a frame, between ticks
//     FiloPlacementTile tile;                                                  // and to draw:
//     for (size_t i = 0; filo_placement_world_tile(forest, i, &tile); i++) draw(&tile);
//
// Objects have two tiers.
//
// Far objects are in tiles: buffers of positions, without entities. Tiles around viewers are computed in the background,
// the nearest first, and cached within a budget of bytes. They are only drawn. When a tile is ready depends on the
// machine, so nothing in the simulation may depend on it: it is in no hash, snapshot or file. The game calls
// filo_placement_world_update once a frame; it never waits.
//
// Near objects are entities. This is a part of the simulation. At the end of each tick, squares of ground that have come
// near a viewer are computed in the background, and their objects become entities exactly `delay` ticks later, which
// waits for the computation if it is late. When all viewers have left a square, its entities are destroyed again. So the
// world is the same on any number of threads, in a replay, and after a snapshot was restored in between. (A square that
// cannot be computed, for lack of memory or because `windows` fails, is tried again in each tick. That is logged; such a
// world may differ from others.)
//
// What happened to an object:
//
//   the game destroys its entity, or removes FiloPlacedObject from it: the object is removed for ever, in both tiers. An
//   entity with an edit is created that says so;
//   the game adds FiloPlacedKeep to it, deactivates it, or changes one of the components that FiloPlacementEntities.compare
//   lists: when all viewers have left, it becomes inactive instead of being destroyed, and is as it was when one returns;
//   anything else is forgotten when all viewers have left.
//
// Edits are entities with a FiloPlacementEdit: create one to clear a circle, to remove or pin an object, or to paint a map;
// destroy it to undo that. So edits are hashed, rewound and saved like everything else. Only tiles that an edit can change
// are computed again, and entities follow `delay` ticks later. To change an edit, set it.
//
// Coordinates: x and y are on the ground and z is the height, in metres of the placement, as in filo/placement.h: those of
// edits, objects, tiles and areas. Transforms of the world are relative to FiloPlacementWorldDesc.origin_x and origin_y. A
// FiloTransform2 has x and y; for a FiloTransform3, y is up, and the ground is (x, −z). filo_placement_world_position2 and 3
// convert the position of a transform, and filo_placement_transform2 and 3 an object.
//
// Unless a function says otherwise, it is called between ticks, by the thread that changes the world. Calls that overlap are
// reported.

#ifndef FILO_PLACEMENT_WORLD_H
#define FILO_PLACEMENT_WORLD_H

#include <filo/changes.h>
#include <filo/json.h>
#include <filo/modules.h>
#include <filo/placement.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/transform.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

typedef struct FiloPlacementWorld FiloPlacementWorld;

// ---- Components -------------------------------------------------------------------------------------------------

// An entity around which there are objects: a player, a camera, a caravan. It needs a FiloTransform2 or a FiloTransform3,
// and counts only while it is active. All zero is a good viewer. A viewer without a transform, at a place that is not a number
// or more than 90,000 km away, or with a bad factor, has no effect, and a warning says so once.
typedef struct FiloPlacementViewer {
    // Of all distances; 0: 1. More than 0, and small enough that no distance has more than 128 tiles or squares.
    float factor;
    bool no_tiles;    // only for entities: on a server, or for what is not a camera
    bool no_entities; // only for drawing: a camera that must not influence the game
} FiloPlacementViewer;
FILO_REFLECT_DECLARE(FiloPlacementViewer);

FILO_REFLECT_DECLARE(FiloPlacementId);

// What a promoted entity is. The module adds it.
typedef struct FiloPlacedObject {
    FiloPlacementId id; // of its candidate
    uint32_t layer;     // through all footprints
    // Private.
    int32_t tile_x, tile_y; // the square that it was computed with
    uint32_t demoted;       // it is being destroyed by the module
    uint64_t made;          // hash of the components to compare, as they were made
} FiloPlacedObject;
FILO_REFLECT_DECLARE(FiloPlacedObject);

// The game adds it to a promoted entity whose state must not be lost. A tag, stored outside of tables.
FILO_TAG_DECLARE(FiloPlacedKeep);
// The entity, or a descendant of it, was made inactive because all viewers have left. Set and removed by the module.
FILO_TAG_DECLARE(FiloPlacedAsleep);

typedef enum FiloPlacementEditKind {
    FILO_PLACEMENT_NO_EDIT,
    FILO_PLACEMENT_CLEAR,  // nothing is placed inside a circle: x, y, radius, footprints
    FILO_PLACEMENT_REMOVE, // an object does not exist: id
    FILO_PLACEMENT_PIN,    // a candidate has an object of this layer, whatever the maps say: id, layer
    FILO_PLACEMENT_ADD, // paint: adds `strength` to a map inside a circle: map, x, y, radius, strength, softness
    FILO_PLACEMENT_SUBTRACT, // paint: subtracts it
    FILO_PLACEMENT_SET,      // paint: sets the map to `strength`
} FiloPlacementEditKind;

// A change to what the maps say. Which fields count depends on the kind. Painted maps must be listed in
// FiloPlacementWorldDesc.maps. Values that mean nothing (see filo_placement_edit_check) have no effect, and a warning says so.
typedef struct FiloPlacementEdit {
    FiloPlacementEditKind kind;
    uint32_t footprints; // of CLEAR: bit n: footprint n; 0: all of them
    double x, y;         // metres of the placement: filo_placement_world_position2 or 3 of a transform's
    float radius;        // metres; more than 0, at most FILO_PLACEMENT_EDIT_RADIUS
    float strength;      // 0 to 1: part of the whole range of the map
    float softness;      // 0: a hard edge; 1: fades out from the centre on
    FiloPlacementId id;
    FiloName layer, map;
    // Edits apply in this order. 0: it is new, and gets the next number at the end of the tick.
    uint64_t order;
} FiloPlacementEdit;
FILO_REFLECT_DECLARE(FiloPlacementEditKind);
FILO_REFLECT_DECLARE(FiloPlacementEdit);

#define FILO_PLACEMENT_EDIT_RADIUS 1e6f

// A square of ground whose objects are entities, or will be. Entities with it belong to the module: do not change them.
typedef struct FiloPlacedTile {
    uint32_t footprint;
    int32_t x, y;       // in squares
    bool live;          // its objects are entities
    uint64_t due;       // the end of this tick computes them again; 0: they are right
    uint64_t signature; // of the edits that influence it
} FiloPlacedTile;
FILO_REFLECT_DECLARE(FiloPlacedTile);

// A global component of the module: do not change it.
typedef struct FiloPlacementState {
    uint64_t edits;     // orders that were given
    uint64_t processed; // the ticks after which entities were promoted last
    uint64_t settings;  // hash of footprints, layers and squares
} FiloPlacementState;
FILO_REFLECT_DECLARE(FiloPlacementState);

// ---- Creating ---------------------------------------------------------------------------------------------------

// An object that becomes an entity.
typedef struct FiloPlacementObject {
    FiloPlacementId id;
    uint32_t layer;
    double x, y, z; // metres
    FiloVariant variant;
} FiloPlacementObject;

// How objects of a layer become entities. An entity is an instance of the prefab, if there is one; its FiloTransform2 or
// FiloTransform3, if the prefab has one, gets position, rotation and scale of the object. Then `make` is called, which
// may add anything, and then the entity gets a FiloPlacedObject.
#define FILO_PLACEMENT_COMPARED 8
typedef struct FiloPlacementEntities {
    const char *layer;  // NULL: all layers that no other description names
    const char *prefab; // the name of an entity of the world, looked up each time; NULL: none
    // Records components of `entity` in `changes`. Called at the end of a tick by the thread that ticks. It may depend on
    // the world and on the object, and on nothing else.
    void (*make)(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object, void *user);
    void *user;
    // An entity for which one of these differs from what it was made with is not destroyed, but becomes inactive, when
    // all viewers have left. Up to the first NULL: { filo_type_Health }.
    FiloTypeFunction compare[FILO_PLACEMENT_COMPARED];
} FiloPlacementEntities;

// Of one footprint. All distances are metres from a viewer to the nearest point of a tile or square.
typedef struct FiloPlacementTiers {
    float distance; // tiles exist up to here; 0: never
    // Cells a side: a power of two up to 64, so that a tile is in one block; 0: the least with distance / 8 metres or more.
    int tile;
    float promote; // objects become entities up to here, those of layers in `entities`; 0: never
    float demote;  // and are entities no longer from here on; 0: 1.25 · promote
    // Cells a side of the squares that are promoted: a power of two up to 64; 0: the least with promote / 4 metres or more,
    // though no larger than a tile. A square has square · filo_placement_cell_size metres a side.
    int square;
} FiloPlacementTiers;

// Windows of maps, for worlds that are streamed from disk: see FiloMapWindow.
typedef struct FiloPlacementWindows {
    const FiloMapWindow *windows;
    size_t count;
    void *held; // for `release_windows`
} FiloPlacementWindows;

typedef struct FiloPlacementWorldDesc {
    const FiloPlacement *placement; // must outlive the object
    FiloPlacementTiers footprints[FILO_PLACEMENT_FOOTPRINTS];
    const FiloPlacementEntities *entities; // copied
    size_t entities_count;
    uint32_t delay;     // ticks from when a square comes near until its objects are entities; 0: 8
    bool no_delay;      // 0 ticks: each tick waits for what it needs
    size_t budget;      // bytes of cached tiles; 0: 64 MiB
    uint32_t under_way; // tiles that are computed at once, at most; 0: 2 a thread
    // Tiles that a frame takes over at most, 0: 16. Each costs some microseconds.
    uint32_t per_update;
    // Where the origin of the world's transforms is, in metres of the placement: so that a game may be far from the origin
    // of the map, and its transforms are exact nevertheless.
    double origin_x, origin_y;
    // The maps that can be painted, by their names in the placement, with the sizes that they have there. The list is copied.
    // The values belong to the game, as those of the placement do: they are read, never changed, and must outlive the object.
    const FiloNamedMap *maps;
    size_t map_count;
    // Gives the windows that the computation of an area needs, including filo_placement_reach around it and one texel for the
    // filter: of every map that is not in memory as a whole, and of any others. Too few or too small ones fail as if `windows`
    // had failed. Called on a worker, several at once; it may wait there for filo/async.h. What it gives for an area must
    // always be the same. `release_windows` is called after each call that succeeded. NULL: the maps are in memory.
    FiloResult (*windows)(FiloPlacementWindows *windows, const FiloPlacementArea *area, void *user);
    void (*release_windows)(FiloPlacementWindows *windows, void *user);
    void *windows_user;
    // Must be thread-safe if the world has a scheduler; NULL: filo_heap().
    const FiloAllocator *allocator;
} FiloPlacementWorldDesc;

// Registers the components above (and transforms), and begins to promote objects at the end of each tick. A world has one
// at a time. Create it with the same settings wherever worlds are to behave the same. If a saved world comes from a program
// with other footprints, layers or squares, its promoted entities are made again; those that are kept, and edits, stay.
//
// FILO_ERROR_DATA or _LIMIT for numbers that mean nothing and settings that could have no effect: tiers of a footprint that
// does not exist, `promote` of a footprint of which no layer is in `entities`, a layer or map that is listed twice, entities
// without a prefab and `make`, a list without its count; for a map of another size than that of the placement; and for a
// map that is not in memory as a whole, without `windows`. FILO_ERROR_NOT_FOUND for a layer or map that the placement does
// not have, FILO_ERROR_EXISTS if the world has one, FILO_ERROR_MEMORY.
FiloResult filo_placement_world_create(FiloPlacementWorld **placement_world, FiloWorld *world,
                                       const FiloPlacementWorldDesc *desc);
// Cancels what is under way. Entities stay as they are; an object that is created later with the same settings continues
// with them. Before or after the world is destroyed, and before its scheduler is. NULL is allowed.
void filo_placement_world_destroy(FiloPlacementWorld *placement_world);
// The object of a world; NULL if there is none.
FiloPlacementWorld *filo_placement_world_of(const FiloWorld *world);

// ---- Tiles for drawing ------------------------------------------------------------------------------------------

// Finishes, cancels, begins and evicts tiles, as viewers and edits demand. Call it once a frame. Never waits; allocates
// only when tiles change. With one thread it computes one tile at a time itself.
void filo_placement_world_update(FiloPlacementWorld *placement_world);
// Returns when all tiles that viewers need now are there, as far as the budget allows: for pictures and tests. True if it
// had to wait for one.
bool filo_placement_world_wait(FiloPlacementWorld *placement_world);

typedef struct FiloPlacementTile {
    uint32_t footprint;
    int32_t x, y; // in tiles
    FiloPlacementArea area;
    double origin_x, origin_y; // of the x and y of all its objects, in metres of the placement
    const FiloPlacementResult *result;
    // For each object 1, if it is an entity now or was removed as one, otherwise 0: do not draw it twice. NULL: all 0.
    const uint8_t *promoted;
    float distance;   // metres to the nearest viewer
    uint64_t version; // another number whenever the objects or `promoted` have changed; never used twice
} FiloPlacementTile;

// A tile that is there and that viewers need, n from 0; false past the end. In no particular order. Valid until the next
// update. May be called while a tick is running, by one thread.
bool filo_placement_world_tile(const FiloPlacementWorld *placement_world, size_t n, FiloPlacementTile *tile);
// The name of an object of such a tile, for an edit.
FiloPlacementId filo_placement_world_id(const FiloPlacementTile *tile, size_t object);

// Forgets all tiles, and computes all squares again: the memory of maps has changed. Not a part of the simulation: in a
// game that is recorded, paint instead.
void filo_placement_world_invalidate(FiloPlacementWorld *placement_world);

typedef struct FiloPlacementWorldStats {
    size_t tiles, tiles_needed, tiles_missing; // cached; that viewers need; of these, not there yet
    size_t under_way;                          // tiles and squares that are being computed
    size_t bytes, budget;                      // of cached tiles
    size_t objects;                            // in cached tiles
    size_t squares, entities, asleep;          // near viewers; promoted; kept, but inactive
    size_t edits;
    uint64_t computed, cancelled, evicted; // tiles, so far
    uint64_t promoted, late; // squares, so far: computed; and waited for at the end of their tick
} FiloPlacementWorldStats;
FiloPlacementWorldStats filo_placement_world_stats(
    const FiloPlacementWorld *placement_world); // all zero for NULL

// ---- Entities ---------------------------------------------------------------------------------------------------

// The entity of an object; {0} if it is none now. Looks at all promoted entities.
FiloEntity filo_placement_world_entity(const FiloPlacementWorld *placement_world, FiloPlacementId id);
// The transform of an object, relative to the origin of the world's transforms. Any thread.
FiloTransform2 filo_placement_transform2(const FiloPlacementWorld *placement_world,
                                         const FiloPlacementObject *object);
FiloTransform3 filo_placement_transform3(const FiloPlacementWorld *placement_world,
                                         const FiloPlacementObject *object);

// The other way round: where a position of the world's transforms (filo_transform2_position, filo_transform3_position) is in
// the placement, for an edit. z of position2 is 0. Any thread.
//
//     FiloPlacementPosition at = filo_placement_world_position2(forest, filo_transform2_position(world, hero));
//     filo_create(world, FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = at.x, .y = at.y, .radius = 6));
FiloPlacementPosition filo_placement_world_position2(const FiloPlacementWorld *placement_world, FiloVec2 at);
FiloPlacementPosition filo_placement_world_position3(const FiloPlacementWorld *placement_world, FiloVec3 at);

// ---- Edits ------------------------------------------------------------------------------------------------------

// FILO_OK, or what is wrong with an edit: FILO_ERROR_DATA or _NOT_FOUND with a message that names it. Any thread.
FiloResult filo_placement_edit_check(const FiloPlacementWorld *placement_world,
                                     const FiloPlacementEdit *edit);

// Edits as a small list of JSON, to be shared between worlds:
//
//     { "edits": [ { "kind": "clear", "x": 80.5, "y": 20, "radius": 6 },
//                  { "kind": "remove", "id": { "cell_x": -3, "cell_y": 12, "footprint": 0, "point": 41 } } ] }
//
// The members of an edit are those that FiloPlacementEditKind lists for its kind, and all of these but "footprints" and
// "softness" are needed; an id needs all four of its own. Any other member is an error. Edits apply in the order of the list.
// (A saved world has its edits already.) Writes one object with all edits of the world, in their order.
void filo_placement_edits_write(FiloPlacementWorld *placement_world, FiloJsonWriter *writer);
// Adds the edits of such a text to the world, after those that it has. All or none: FILO_ERROR_DATA, _NOT_FOUND or _LIMIT
// with line, column and cause. `source` is named in messages.
FiloResult filo_placement_edits_read(FiloPlacementWorld *placement_world, const char *text, size_t length,
                                     const char *source);
#define FILO_PLACEMENT_EDITS 1000000 // of one list, at most

// ---- As a module ------------------------------------------------------------------------------------------------

// Provides a FiloPlacementWorld for the FiloWorld of the program. Updates in each frame, and waits for all tiles before a
// picture is taken (--shot). Numbers for --stats and lines of the debug view are those of FiloPlacementWorldStats.
//
//     static FiloPlacementWorldModule forest = { .desc = { .placement = …, .footprints = … } };
//     const FiloModuleDesc modules[] = { filo_placement_world_module(&forest) };
typedef struct FiloPlacementWorldModule {
    FiloPlacementWorldDesc desc;
    // Called before the object is created, to fill in `desc`: for a placement that needs the modules. May be NULL.
    FiloResult (*prepare)(FiloPlacementWorldDesc *desc, FiloModules *modules, void *user);
    // Called after the object was destroyed, and while the scheduler still exists: to close a terrain file and to destroy the
    // placement. Also called if the object could not be created, but not if `prepare` failed. May be NULL.
    void (*finish)(FiloModules *modules, void *user);
    void *user;
    FiloPlacementWorld *placement_world; // private
} FiloPlacementWorldModule;
// For filo_modules_register. `module` must not move while it is registered.
FiloModuleDesc filo_placement_world_module(FiloPlacementWorldModule *module);

FILO_END_DECLS

#endif
