// Shared by the tests of the spatial index in space: a world of points, distributions of points, and a search without an
// index.

#ifndef FILO_TEST_SPATIAL_SPACE_H
#define FILO_TEST_SPATIAL_SPACE_H

#include "spatial/scene.h"

typedef struct Place {
    float x, y, z;
} Place;
FILO_REFLECT(Place, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z))

// A world with an index over Place (and Size, if `sizes`). `threads` 0: without a scheduler. Ended by scene_end.
static inline Scene space_begin(int threads, float cell_size, bool sizes) {
    Scene scene = { 0 };
    if (threads > 0) assert_ok(filo_jobs_create(&scene.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&scene.world, &(FiloWorldDesc){ .jobs = scene.jobs }));
    filo_component(scene.world, Place);
    filo_component(scene.world, Size);
    scene.query = filo_query(scene.world, FILO_READ(Place));
    FiloSpatialDesc desc = {
        .name = "space", .dimensions = 3, .position = FILO_SPATIAL(Place), .cell_size = cell_size
    };
    if (sizes) {
        desc.radius = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "radius");
        desc.values[1] = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "weight");
    }
    assert_ok(filo_spatial_create(&scene.spatial, scene.world, &desc));
    return scene;
}

static inline FiloEntity space_add(Scene *scene, float x, float y, float z) {
    return filo_create(scene->world, FILO_SET(Place, x, y, z));
}

// ---- Distributions of points ------------------------------------------------------------------------------

// Those of the plane, with a third coordinate of the same kind; then a tower along z, a slab and a small cube.
#define SPACE_SPREADS (FILO_COUNT_OF(spreads) + 3)

static inline FiloVec3 space_spread(size_t spread, uint64_t *random, size_t i) {
    if (spread < FILO_COUNT_OF(spreads)) {
        FiloVec2 first = spreads[spread].spread(random, i),
                 second = spreads[spread].spread(random, i * 13 + 5);
        return filo_vec3(first.x, first.y, i % 2 == 0 ? second.x : second.y);
    }
    FiloVec2 first = everywhere(random, i), second = one_cell(random, i);
    if (spread == FILO_COUNT_OF(spreads)) return filo_vec3(second.x, second.y, first.x * 100);
    if (spread == FILO_COUNT_OF(spreads) + 1) return filo_vec3(first.x, first.y, second.x);
    return filo_vec3(second.x * 12 - 7, second.y * 12 - 2, first.x * 0.3f);
}

static inline const char *space_spread_name(size_t spread) {
    static const char *const more[] = { "tower", "slab", "small cube" };
    return spread < FILO_COUNT_OF(spreads) ? spreads[spread].name : more[spread - FILO_COUNT_OF(spreads)];
}

// Creates points, every third with a size, and rebuilds the index.
static inline void space_fill(Scene *scene, size_t spread, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        FiloVec3 at = space_spread(spread, &seed, i);
        FiloEntity entity = space_add(scene, at.x, at.y, at.z);
        if (i % 3 == 0) filo_set(scene->world, entity, Size, unit(&seed) * 2, (float)i);
    }
    assert_true(filo_spatial_rebuild(scene->spatial));
}

// ---- Searching without an index ---------------------------------------------------------------------------

typedef struct SpacePoint {
    FiloEntity entity;
    FiloVec3 at;
    float radius, weight;
    uint32_t row;
} SpacePoint;

typedef struct SpacePoints {
    SpacePoint *items;
    size_t count;
} SpacePoints;

// All points in the order of the query. Free it with free(points.items).
static inline SpacePoints space_points(Scene *scene) {
    SpacePoints points = { malloc((filo_query_count(scene->query) + 1) * sizeof(SpacePoint)), 0 };
    assert_non_null(points.items);
    FiloIter it = filo_query_iter(scene->query);
    while (filo_iter_next(&it)) {
        const Place *place = filo_read(&it, Place);
        for (size_t i = 0; i < it.count; i++, points.count++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            const Size *size = filo_get(scene->world, entity, Size);
            points.items[points.count] = (SpacePoint){ entity,
                                                       { place[i].x, place[i].y, place[i].z },
                                                       size != NULL ? size->radius : 0,
                                                       size != NULL ? size->weight : 0,
                                                       (uint32_t)points.count };
        }
    }
    return points;
}

static inline bool is_in_space(FiloVec3 at) { return isfinite(at.x) && isfinite(at.y) && isfinite(at.z); }

// Hash of all items of an index, in order.
static inline uint64_t space_hash(const FiloSpatial *spatial) {
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    return filo_hash_combine(items_hash(spatial), filo_hash(items->z, items->count * sizeof *items->z));
}

#endif
