// filo/spatial.h: which entities are near: an index over the positions of entities, in the plane or in space, for searches
// by circle or sphere, rectangle or box, and distance.
//
//     FiloSpatial *flock;
//     FiloResult r = filo_spatial_create(&flock, world, &(FiloSpatialDesc){
//         .name = "flock", .position = FILO_SPATIAL(Position), .cell_size = 2 });
//     filo_spatial_system_add(flock, NULL);                 // rebuilds it in every tick
//
//     static void steer(FiloIter *it) {                     // added later, with FILO_SPATIAL_READ(flock)
//         FiloSpatial *flock = it->user;
//         for (size_t i = 0; i < it->count; i++) {
//             FiloVec2 here = …;
//             FiloSpatialSearch near = filo_spatial_circle(flock, here, 2, filo_iter_entity(it, i));
//             while (filo_spatial_next(&near)) … near.hit.entity, near.hit.position …
//         }
//     }
//
// In space (.dimensions = 3) the position has three coordinates, and the searches are filo_spatial_sphere,
// filo_spatial_box and filo_spatial_nearest3:
//
//     FiloResult r = filo_spatial_create(&swarm, world, &(FiloSpatialDesc){
//         .name = "swarm", .dimensions = 3, .position = FILO_SPATIAL(Place), .cell_size = 2 });
//     FiloSpatialSearch near = filo_spatial_sphere(swarm, here, 2, self);
//     while (filo_spatial_next(&near)) … near.hit.entity, near.hit.position3 …
//
// The index is a grid of square cells, in space of cubes, over the entities of a query. It does not follow them:
// filo_spatial_rebuild reads all positions anew, on all workers, and copies them in the order of the
// cells, so that a search is a walk along arrays. That is fast enough for every tick (about 1 ms for 100,000
// on one core), and the index need not be notified when an entity moves, is created or destroyed. A search finds
// the entities of the last rebuild, at the positions that they had then; an entity that was destroyed since is found with
// its old id, which filo_entity_exists recognises.
//
// The cell size is a matter of speed alone: about the radius that is searched most is a good one. The grid
// fits itself to where the entities are. The world may be of any size and begin anywhere, and a few entities
// far away from all others cost nothing: where the grid would have many more cells than entities, far cells
// share slots.
//
// An entity whose position is NaN or infinite is never found; FiloSpatialStats.nowhere counts these.
//
// What is found, and in which order, depends on the positions and the order of iteration of the query, never
// on threads. The order is that of cells, row by row from low y to high y, in a row from low x to high x, and
// within a cell that of the query. In space, the cells are ordered by layers from low z to high z, and in a layer by rows as
// in the plane. (A search over more cells than the grid has slots for, as it happens when few entities are spread over a
// vast world, has another order, which is always the same too.)
//
// An index is a cache: it is neither saved nor hashed. For the same results after loading or rewinding,
// rebuild it in each tick before it is searched, as the example does.

#ifndef FILO_SPATIAL_H
#define FILO_SPATIAL_H

#include <filo/query.h>
#include <filo/system.h>
#include <filo/vector.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

typedef struct FiloSpatial FiloSpatial;

// ---- The index ----------------------------------------------------------------------------------------

// A field of a component.
typedef struct FiloSpatialField {
    FiloTypeFunction type;   // of the component; or
    FiloComponent component; // if `type` is NULL
    const char *field;       // a path as in filo_reflect_find, "body.position"; NULL: the component itself
} FiloSpatialField;

// FILO_SPATIAL(Position), FILO_SPATIAL_FIELD(Body, "position").
#define FILO_SPATIAL(Type)                                                                                   \
    { filo_type_##Type, { 0 }, NULL }
#define FILO_SPATIAL_FIELD(Type, path)                                                                       \
    { filo_type_##Type, { 0 }, (path) }

#define FILO_SPATIAL_VALUES 4

typedef struct FiloSpatialDesc {
    const char *name; // in messages, and of the system; copied; NULL: "spatial"
    // The entities in the index. Without terms: all that have the position. The components of the fields below need
    // not be among the terms. Terms with `changed` are a mistake: an index contains all entities that match.
    FiloQueryDesc query;
    int dimensions; // 2 or 0: the plane; 3: space
    // A FiloVec2 or another struct that begins with two floats, an array of floats, or the first of two
    // adjacent floats. In space: a FiloVec3 or another struct that begins with three floats, an array of at least three,
    // or the first of three adjacent floats.
    FiloSpatialField position;
    FiloSpatialField radius; // optional: a float; the entity is a circle or a sphere, see filo_spatial_circle
    // Optional: floats that are copied beside the positions, for searches that need them: FiloSpatialItems.
    FiloSpatialField values[FILO_SPATIAL_VALUES];
    float cell_size;                // from 1e-30 to 1e30; about the usual radius of a search
    FiloTypeFunction stamp;         // a component of your own instead of FiloSpatialStamp; see there
    const FiloAllocator *allocator; // NULL: that of the world
} FiloSpatialDesc;

// Makes an index, empty until it is rebuilt. Between ticks. The error says what is wrong with a field.
FiloResult filo_spatial_create(FiloSpatial **spatial, FiloWorld *world, const FiloSpatialDesc *desc);
// Frees it, and removes the system of filo_spatial_system_add. Between ticks, before the world is destroyed.
// NULL is allowed.
void filo_spatial_destroy(FiloSpatial *spatial);

// Rebuilds the index from the positions of all its entities. Between ticks, or in a system that reads the components and writes the stamp;
// no thread may search meanwhile. Allocates only when there are more entities, or more cells, than ever before.
// False without memory: the index is then as it was before.
bool filo_spatial_rebuild(FiloSpatial *spatial);

// ---- In the schedule ----------------------------------------------------------------------------------

// A global component that represents the index in the schedule: a system that rebuilds writes it, one that
// searches reads it. So searching systems run at once, and never while the index is rebuilt. All indices of a world have
// this one unless they are given others by FiloSpatialDesc.stamp (any described struct will do), so that one
// may be rebuilt while another is searched. It is registered by filo_spatial_create.
typedef struct FiloSpatialStamp {
    uint32_t rebuilds; // by systems of filo_spatial_system_add
} FiloSpatialStamp;
FILO_REFLECT_DECLARE(FiloSpatialStamp);

// Adds the system that rebuilds the index once a tick, and returns it. Systems that are added later, in the
// same phase, and search run after it. `desc` may give name, phase, before, after, condition (its user is the
// index), every and offset; NULL: "spatial.<name>", in FILO_PHASE_UPDATE. {0} after a mistake or without
// memory.
FiloSystemId filo_spatial_system_add(FiloSpatial *spatial, const FiloSystemDesc *desc);

// A term for systems that search: .extra_access = { FILO_SPATIAL_READ(flock) }. Debug builds stop at a search by a
// system that has none.
#define FILO_SPATIAL_READ(spatial)                                                                           \
    { .component = filo_spatial_stamp(spatial), .access = FILO_ACCESS_READ }
// The same for a system of your own that calls filo_spatial_rebuild.
#define FILO_SPATIAL_WRITE(spatial)                                                                          \
    { .component = filo_spatial_stamp(spatial), .access = FILO_ACCESS_WRITE }
FiloComponent filo_spatial_stamp(const FiloSpatial *spatial);

// ---- Searching ----------------------------------------------------------------------------------------
//
// filo_spatial_circle and filo_spatial_rect begin a search in the plane, filo_spatial_sphere and filo_spatial_box one in
// space. It is a mistake to pass an index of the other kind, and nothing is found. The results are read one by one, as an
// array, or by a callback. None of these functions allocates. Any number of threads may search at once. Distances are valid up
// to 1.8e19, whose square a float can hold.

// A result of a search.
typedef struct FiloSpatialHit {
    FiloEntity entity;
    union {                 // at the last rebuild
        FiloVec2 position;  // x and y of position3
        FiloVec3 position3; // in the plane, z is 0
    };
    float distance_squared; // from the centre of the circle or sphere; from a rectangle or box, 0 inside
    uint32_t row;           // its number in the order of the query
    uint32_t item;          // its index in FiloSpatialItems
} FiloSpatialHit;

#define FILO_SPATIAL_AHEAD 64 // results that a search finds in advance

typedef struct FiloSpatialSearch {
    FiloSpatialHit hit; // after filo_spatial_next
    // Private:
    const struct FiloSpatialItems *items;
    const uint32_t *ends;         // where each cell's items end
    FiloRect area;                // of a circle or sphere, min is its centre
    float low, high;              // z of the area, in space
    float radius;                 // negative: a rectangle or box
    uint32_t width, row_mask;     // of the grid
    uint32_t column, columns;     // first cell in each row, and how many
    uint32_t row, rows;           // next row, and how many are left
    uint32_t height, layer_mask;  // of the grid, in space
    uint32_t first_row, all_rows; // `row` and `rows` at the beginning of each layer
    uint32_t layer, layers;       // next layer, and how many are left
    uint32_t layer_slot;          // first slot of the current layer
    uint32_t again;               // cells at the beginning of a folded row that are left to visit
    uint32_t begin, end;          // items of the current cells
    uint32_t next, found;         // in `ahead`
    FiloEntity except;
    uint32_t ahead[FILO_SPATIAL_AHEAD]; // items that were found
} FiloSpatialSearch;

// The entities in a circle, its edge included: at a distance of at most `radius`; with radii in the index, those
// whose circle touches this one. A negative or NaN radius, or a centre that is not finite, finds nothing; an
// infinite radius finds all. `except` is left out, usually the entity that searches; {0}: none is.
FiloSpatialSearch filo_spatial_circle(const FiloSpatial *spatial, FiloVec2 centre, float radius,
                                      FiloEntity except);
// The entities in a rectangle, as filo_rect_contains says; with radii in the index, those whose circle touches it.
FiloSpatialSearch filo_spatial_rect(const FiloSpatial *spatial, FiloRect rect, FiloEntity except);

// In space: the entities in a sphere, its surface included; with radii in the index, those whose sphere touches this one.
// A radius or a centre that is not valid, and `except`, are as in filo_spatial_circle.
FiloSpatialSearch filo_spatial_sphere(const FiloSpatial *spatial, FiloVec3 centre, float radius,
                                      FiloEntity except);
// The entities in a box, as filo_aabb3_contains says; with radii in the index, those whose sphere touches it.
FiloSpatialSearch filo_spatial_box(const FiloSpatial *spatial, FiloAabb3 box, FiloEntity except);

// One after the other: search->hit is the next one; false when there are no more. The search may be left at
// any time.
static inline bool filo_spatial_next(FiloSpatialSearch *search);

// These take a search that was just begun.

// Fills `hits` with up to `capacity` of them, and returns how many there are.
size_t filo_spatial_fill(FiloSpatialSearch search, FiloSpatialHit *hits, size_t capacity);
size_t filo_spatial_count(FiloSpatialSearch search);
// Calls `function` for each until it returns false; true if it never did.
typedef bool (*FiloSpatialFunction)(const FiloSpatialHit *hit, void *user);
bool filo_spatial_each(FiloSpatialSearch search, FiloSpatialFunction function, void *user);

// The `capacity` nearest, nearest first; equally near ones in the order of the query. None further than
// `radius` (INFINITY: from anywhere). By positions; radii in the index do not count. Returns how many were
// found. For a few: time grows with their number.
size_t filo_spatial_nearest(const FiloSpatial *spatial, FiloVec2 centre, float radius, FiloEntity except,
                            FiloSpatialHit *hits, size_t capacity);
// The same in an index of space.
size_t filo_spatial_nearest3(const FiloSpatial *spatial, FiloVec3 centre, float radius, FiloEntity except,
                             FiloSpatialHit *hits, size_t capacity);

// ---- For inner loops -----------------------------------------------------------------------------------

// All that the index holds, in the order of cells. Valid until the next rebuild.
typedef struct FiloSpatialItems {
    size_t count;
    const float *x, *y;
    const float *z; // NULL in the plane
    const FiloEntity *entities;
    const uint32_t *rows; // of each: its number in the order of the query
    const float *radii;   // NULL without; never negative or NaN
    // NULL for those that the description does not name; 0 where the entity has no such component.
    const float *values[FILO_SPATIAL_VALUES];
} FiloSpatialItems;

const FiloSpatialItems *filo_spatial_items(const FiloSpatial *spatial);

// The fastest form of a search, instead of filo_spatial_next: items *begin to *end (exclusive) lie
// in cells that the area touches. Not all of them are in the area, and `except` may be among them: the caller
// tests each item, in a loop that the compiler can vectorise.
bool filo_spatial_next_span(FiloSpatialSearch *search, size_t *begin, size_t *end);

// ---- Stats --------------------------------------------------------------------------------------------

typedef struct FiloSpatialStats {
    size_t items;                  // that can be found
    size_t nowhere;                // whose position is not finite
    uint32_t width, height, depth; // of the grid, in cells; in the plane, depth is 1
    bool folded;                   // far cells share slots
    float largest_radius;
    size_t memory;     // bytes
    uint64_t rebuilds; // that succeeded
} FiloSpatialStats;

FiloSpatialStats filo_spatial_stats(const FiloSpatial *spatial);

// ---- Behind the inline functions ----------------------------------------------------------------------

// Finds some more items for `ahead`; false if there are none.
bool filo_spatial_look_ahead(FiloSpatialSearch *search);

static inline bool filo_spatial_next(FiloSpatialSearch *search) {
    for (;;) {
        if (search->next == search->found && !filo_spatial_look_ahead(search)) return false;
        uint32_t item = search->ahead[search->next++];
        const FiloSpatialItems *items = search->items;
        if (items->entities[item].id == search->except.id) continue;
        FiloSpatialHit *hit = &search->hit;
        hit->entity = items->entities[item];
        hit->row = items->rows[item];
        hit->item = item;
        FiloRect area = search->area;
        if (items->z == NULL) {
            hit->position3 = filo_vec3(items->x[item], items->y[item], 0.0f);
            FiloVec2 from = search->radius < 0.0f ? filo_rect_clamp(area, hit->position) : area.min;
            hit->distance_squared = filo_vec2_distance_squared(hit->position, from);
        } else {
            hit->position3 = filo_vec3(items->x[item], items->y[item], items->z[item]);
            FiloVec3 low = filo_vec3(area.min.x, area.min.y, search->low);
            FiloVec3 high = filo_vec3(area.max.x, area.max.y, search->high);
            FiloVec3 from =
                search->radius < 0.0f ? filo_aabb3_clamp(filo_aabb3(low, high), hit->position3) : low;
            hit->distance_squared = filo_vec3_distance_squared(hit->position3, from);
        }
        return true;
    }
}

FILO_END_DECLS

#endif
