// Shared by the tests of the spatial index: a world of points, distributions of points, and a search without an index.

#ifndef FILO_TEST_SPATIAL_SCENE_H
#define FILO_TEST_SPATIAL_SCENE_H

#include <filo/hash.h>
#include <filo/spatial.h>

#include "support/failing_allocator.h"

#include <math.h>

typedef struct Position {
    float x, y;
} Position;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Size {
    float radius, weight;
} Size;
FILO_REFLECT(Size, FILO_FIELD(float, radius), FILO_FIELD(float, weight))

typedef struct Scene {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloQuery *query; // all positions
    FiloSpatial *spatial;
} Scene;

// A world with an index over Position (and Size, if `sizes`). `threads` 0: without a scheduler.
static inline Scene scene_begin(int threads, float cell_size, bool sizes) {
    Scene scene = { 0 };
    if (threads > 0) assert_ok(filo_jobs_create(&scene.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&scene.world, &(FiloWorldDesc){ .jobs = scene.jobs }));
    filo_component(scene.world, Position);
    filo_component(scene.world, Size);
    scene.query = filo_query(scene.world, FILO_READ(Position));
    FiloSpatialDesc desc = { .name = "scene", .position = FILO_SPATIAL(Position), .cell_size = cell_size };
    if (sizes) {
        desc.radius = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "radius");
        desc.values[1] = (FiloSpatialField)FILO_SPATIAL_FIELD(Size, "weight");
    }
    assert_ok(filo_spatial_create(&scene.spatial, scene.world, &desc));
    return scene;
}

static inline void scene_end(Scene *scene) {
    filo_spatial_destroy(scene->spatial);
    filo_query_release(scene->query);
    filo_world_destroy(scene->world);
    if (scene->jobs != NULL) filo_jobs_destroy(scene->jobs, FILO_JOBS_FINISH);
}

static inline FiloEntity scene_add(Scene *scene, float x, float y) {
    return filo_create(scene->world, FILO_SET(Position, x, y));
}

// ---- Distributions of points ------------------------------------------------------------------------------

typedef FiloVec2 (*Spread)(uint64_t *random, size_t i);

static inline float unit(uint64_t *random) { return (float)(test_random(random) % 1000000) / 1000000.0f; }
static inline FiloVec2 everywhere(uint64_t *random, size_t i) {
    FILO_UNUSED(i);
    float x = unit(random) * 40 - 20;
    return filo_vec2(x, unit(random) * 40 - 20);
}
static inline FiloVec2 one_cell(uint64_t *random, size_t i) {
    FILO_UNUSED(i);
    float x = unit(random) * 0.9f;
    return filo_vec2(x, unit(random) * 0.9f);
}
static inline FiloVec2 one_point(uint64_t *random, size_t i) {
    FILO_UNUSED(random), FILO_UNUSED(i);
    return filo_vec2(-3.5f, 7.25f);
}
static inline FiloVec2 on_borders(uint64_t *random, size_t i) {
    FILO_UNUSED(random);
    return filo_vec2((float)(i % 31) - 15, (float)(i / 31 % 31) - 15);
}
static inline FiloVec2 with_outliers(uint64_t *random, size_t i) {
    static const FiloVec2 far[] = { { 1e30f, 0 }, { -5, -3e38f }, { 123456, -99999 }, { 3.4e38f, 3.4e38f } };
    return i % 100 == 7 ? far[i / 100 % 4] : everywhere(random, i);
}
static inline FiloVec2 two_towns(uint64_t *random, size_t i) {
    return filo_vec2_add(everywhere(random, i), i % 2 == 0 ? filo_vec2(0, 0) : filo_vec2(10000, -7000));
}
static inline FiloVec2 diagonal(uint64_t *random, size_t i) {
    return filo_vec2_add(one_cell(random, i), filo_vec2((float)i * 3, (float)i * 3));
}
static inline FiloVec2 thin_line(uint64_t *random, size_t i) {
    FILO_UNUSED(i);
    return filo_vec2(unit(random) * 5000 - 2500, 0.5f);
}
static inline FiloVec2 far_from_zero(uint64_t *random, size_t i) {
    return filo_vec2_add(everywhere(random, i), filo_vec2(-1e6f, 3e6f));
}
static inline FiloVec2 vast(uint64_t *random, size_t i) {
    return filo_vec2_scale(everywhere(random, i), 1e7f);
}
static inline FiloVec2 tiny(uint64_t *random, size_t i) {
    return filo_vec2_scale(everywhere(random, i), 1e-25f);
}
static inline FiloVec2 with_nowhere(uint64_t *random, size_t i) {
    static const FiloVec2 bad[] = { { NAN, 0 }, { 0, NAN }, { INFINITY, 1 }, { 1, -INFINITY }, { NAN, NAN } };
    return i % 10 == 3 ? bad[i / 10 % 5] : everywhere(random, i);
}

static const struct {
    const char *name;
    Spread spread;
} spreads[] = { { "everywhere", everywhere },
                { "one cell", one_cell },
                { "one point", one_point },
                { "on borders", on_borders },
                { "with outliers", with_outliers },
                { "two towns", two_towns },
                { "diagonal", diagonal },
                { "thin line", thin_line },
                { "far from zero", far_from_zero },
                { "vast", vast },
                { "tiny", tiny },
                { "with nowhere", with_nowhere } };

// Creates points, every third with a size, and rebuilds the index.
static inline void scene_fill(Scene *scene, Spread spread, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        FiloVec2 at = spread(&seed, i);
        FiloEntity entity = scene_add(scene, at.x, at.y);
        if (i % 3 == 0) filo_set(scene->world, entity, Size, unit(&seed) * 2, (float)i);
    }
    assert_true(filo_spatial_rebuild(scene->spatial));
}

// ---- Searching without an index ---------------------------------------------------------------------------

typedef struct Point {
    FiloEntity entity;
    FiloVec2 at;
    float radius;
    uint32_t row;
} Point;

typedef struct Points {
    Point *items;
    size_t count;
} Points;

// All points in the order of the query. Free it with free(points.items).
static inline Points scene_points(Scene *scene) {
    Points points = { malloc((filo_query_count(scene->query) + 1) * sizeof(Point)), 0 };
    assert_non_null(points.items);
    FiloQuery *query = filo_query(scene->world, FILO_READ(Position), FILO_OPTIONAL_READ(Size));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        const Position *position = filo_read(&it, Position);
        FiloColumn size = filo_column(&it, Size);
        for (size_t i = 0; i < it.count; i++, points.count++) {
            const Position *p = &position[i];
            const Size *s = FILO_TRY_AT(size, i, const Size);
            points.items[points.count] = (Point){
                filo_iter_entity(&it, i), { p->x, p->y }, s != NULL ? s->radius : 0, (uint32_t)points.count
            };
        }
    }
    filo_query_release(query);
    return points;
}

static inline bool is_somewhere(FiloVec2 at) { return isfinite(at.x) && isfinite(at.y); }

// Hash of all items of an index, in order.
static inline uint64_t items_hash(const FiloSpatial *spatial) {
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    uint64_t hash = filo_hash(items->x, items->count * sizeof *items->x);
    hash = filo_hash_combine(hash, filo_hash(items->y, items->count * sizeof *items->y));
    hash = filo_hash_combine(hash, filo_hash(items->rows, items->count * sizeof *items->rows));
    hash = filo_hash_combine(hash, filo_hash(items->entities, items->count * sizeof *items->entities));
    if (items->radii != NULL)
        hash = filo_hash_combine(hash, filo_hash(items->radii, items->count * sizeof *items->radii));
    if (items->values[1] != NULL)
        hash = filo_hash_combine(hash, filo_hash(items->values[1], items->count * sizeof *items->values[1]));
    return hash;
}

#endif
