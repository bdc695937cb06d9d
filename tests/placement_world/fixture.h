// Shared by the tests of streamed placement: a small forest in a world, a viewer that walks, and entities for trees.

#ifndef FILO_TEST_PLACEMENT_WORLD_FIXTURE_H
#define FILO_TEST_PLACEMENT_WORLD_FIXTURE_H

#include "support/test.h"

#include <filo/placement_world.h>
#include <filo/snapshot.h>
#include <filo/system.h>

#include <stdlib.h>

#define FIXTURE_SIDE 64     // texels of each map
#define FIXTURE_SIZE 512.0f // metres of the world

typedef struct Health {
    int32_t points;
} Health;
FILO_REFLECT(Health, FILO_FIELD(int32_t, points))

typedef struct Walk {
    FiloVec2 speed; // metres a tick
} Walk;
FILO_REFLECT(Walk, FILO_FIELD(FiloVec2, speed))

typedef struct Fixture {
    uint8_t trees[FIXTURE_SIDE * FIXTURE_SIDE], bushes[FIXTURE_SIDE * FIXTURE_SIDE];
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
    FiloPlacement *placement;
    FiloPlacementWorldDesc desc;
    FiloPlacementEntities entities[2];
    FiloNamedMap maps[2];
    FiloPlacementWorld *forest;
    FiloEntity viewer;
} Fixture;

static inline void fixture_make(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                                void *user) {
    const Fixture *fixture = user;
    FiloTransform2 at = filo_placement_transform2(fixture->forest, object);
    filo_set(changes, entity, FiloTransform2, at.position, at.rotation, at.scale);
    filo_set(changes, entity, Health, 100 + (int32_t)object->variant.variant);
}

static inline void fixture_walk(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const Walk *walk = filo_read(it, Walk);
    for (size_t i = 0; i < it->count; i++)
        transform[i].position = filo_vec2_add(transform[i].position, walk[i].speed);
}

static inline FiloTerrainMap fixture_map(const uint8_t *values) {
    return (FiloTerrainMap){
        .data = values, .format = FILO_MAP_U8, .width = FIXTURE_SIDE, .height = FIXTURE_SIDE
    };
}

// Trees of 3 m and bushes of 1 m, which trees push away. Trees become entities, and bushes do not.
static inline void fixture_describe(Fixture *fixture) {
    *fixture = (Fixture){ 0 };
    for (uint32_t i = 0; i < FIXTURE_SIDE * FIXTURE_SIDE; i++) {
        fixture->trees[i] = (uint8_t)(i * 2654435761u >> 24);
        fixture->bushes[i] = (uint8_t)(100 + (i * 40503u >> 4 & 63));
    }
    fixture->entities[0] =
        (FiloPlacementEntities){ .layer = "tree", .make = fixture_make, .compare = { filo_type_Health } };
    fixture->maps[0] = (FiloNamedMap){ "tree", fixture_map(fixture->trees) };
    fixture->maps[1] = (FiloNamedMap){ "bush", fixture_map(fixture->bushes) };
    fixture->desc =
        (FiloPlacementWorldDesc){ .footprints = { { .distance = 120, .tile = 2, .promote = 30, .square = 1 },
                                                  { .distance = 40 } },
                                  .entities_count = 1,
                                  .delay = 4,
                                  .map_count = 2 };
}

static inline FiloPlacementDesc fixture_placement(const Fixture *fixture) {
    return (FiloPlacementDesc){
        .size = { FIXTURE_SIZE, FIXTURE_SIZE, 50 },
        .seed = 3,
        .footprints = { { .footprint = 3,
                          .layers = { { .name = "tree",
                                        .density.map = fixture_map(fixture->trees),
                                        .radius = 1.2f,
                                        .variation.variants = 3 } } },
                        { .footprint = 1,
                          .layers = { { .name = "bush", .density.map = fixture_map(fixture->bushes) } } } }
    };
}

static inline FiloPlacementWorldDesc fixture_desc(Fixture *fixture) {
    FiloPlacementWorldDesc desc = fixture->desc;
    fixture->entities[0].user = fixture->entities[1].user = fixture;
    desc.placement = fixture->placement;
    desc.entities = fixture->entities;
    desc.maps = fixture->maps;
    return desc;
}

// The world, its forest, and no viewer. `threads` 0: without a scheduler.
static inline void fixture_start(Fixture *fixture, int threads) {
    if (threads > 0) {
        assert_ok(filo_jobs_create(&fixture->jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&fixture->events, &(FiloEventsDesc){ .jobs = fixture->jobs }));
    }
    assert_ok(filo_world_create(
        &fixture->world, &(FiloWorldDesc){ .jobs = fixture->jobs, .events = fixture->events, .seed = 7 }));
    FiloPlacementDesc placement = fixture_placement(fixture);
    assert_ok(filo_placement_create(&fixture->placement, &placement));
    FiloPlacementWorldDesc desc = fixture_desc(fixture);
    assert_ok(filo_placement_world_create(&fixture->forest, fixture->world, &desc));
    filo_component(fixture->world, Health);
    filo_component(fixture->world, Walk);
    filo_system_add(fixture->world,
                    &(FiloSystemDesc){ .name = "walk",
                                       .run = fixture_walk,
                                       .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Walk) } });
}

static inline FiloEntity fixture_viewer(Fixture *fixture, float x, float y) {
    return filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(Walk, { 0, 0 }), FILO_ADD(FiloPlacementViewer));
}

static inline Fixture *fixture_new(void) {
    Fixture *fixture = malloc(sizeof *fixture);
    assert_non_null(fixture);
    fixture_describe(fixture);
    return fixture;
}

// With one viewer in the middle.
static inline Fixture *fixture_open(int threads) {
    Fixture *fixture = fixture_new();
    fixture_start(fixture, threads);
    fixture->viewer = fixture_viewer(fixture, 256, 256);
    return fixture;
}

static inline void fixture_close(Fixture *fixture) {
    filo_placement_world_destroy(fixture->forest);
    filo_world_destroy(fixture->world);
    filo_placement_destroy(fixture->placement);
    if (fixture->jobs != NULL) {
        filo_events_destroy(fixture->events);
        filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
    }
    free(fixture);
}

static inline void tick(Fixture *fixture) { assert_ok(filo_world_tick(fixture->world, 0.5f)); }
static inline void ticks(Fixture *fixture, int count) {
    for (int i = 0; i < count; i++) tick(fixture);
}
static inline void move(Fixture *fixture, float x, float y) {
    filo_edit(fixture->world, fixture->viewer, FiloTransform2)->position = filo_vec2(x, y);
}
// To a place, until everything around it has been promoted.
static inline void visit(Fixture *fixture, float x, float y) {
    move(fixture, x, y);
    ticks(fixture, 6);
}
static inline FiloPlacementWorldStats stats(const Fixture *fixture) {
    return filo_placement_world_stats(fixture->forest);
}

// ---- Trees -------------------------------------------------------------------------------------------------------

// The active tree that is nearest to a point; {0}: there is none.
static inline FiloEntity tree_at(Fixture *fixture, float x, float y) {
    FiloQuery *query = filo_query(fixture->world, FILO_READ(FiloTransform2), FILO_WITH(FiloPlacedObject));
    FiloEntity nearest = { 0 };
    float least = 1e30f;
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        FiloVec2 at = filo_each_read(&each, FiloTransform2)->position;
        float dx = at.x - x, dy = at.y - y, distance = dx * dx + dy * dy;
        if (distance < least) least = distance, nearest = each.entity;
    }
    filo_query_release(query);
    return nearest;
}

static inline FiloPlacementId id_of(const Fixture *fixture, FiloEntity tree) {
    const FiloPlacedObject *object = filo_get(fixture->world, tree, FiloPlacedObject);
    assert_non_null(object);
    return object->id;
}

static inline bool same_id(FiloPlacementId a, FiloPlacementId b) {
    return a.cell_x == b.cell_x && a.cell_y == b.cell_y && a.footprint == b.footprint && a.point == b.point;
}

// How many objects of the tiles that are shown have this name.
static inline size_t count_in_tiles(const Fixture *fixture, FiloPlacementId id) {
    size_t count = 0;
    FiloPlacementTile tile;
    for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++)
        for (size_t k = 0; k < tile.result->count && tile.footprint == id.footprint; k++)
            count += same_id(filo_placement_world_id(&tile, k), id);
    return count;
}

// The entity of an object, or {0}.
static inline FiloEntity entity_of(const Fixture *fixture, FiloPlacementId id) {
    return filo_placement_world_entity(fixture->forest, id);
}

#endif
