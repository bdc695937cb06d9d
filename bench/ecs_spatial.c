// Benchmarks of the spatial index, compared with hand-written code for the same points: a grid of fixed size over plain
// arrays.
//
// The points are distributed evenly in a square, in space in a cube, about one per cell, in random order: the worst case
// for the cache.

#include "ecs_worlds.h"

#include <filo/spatial.h>

#include <stdlib.h>
#include <string.h>

typedef struct BenchPoint {
    float x, y;
} BenchPoint;
FILO_REFLECT(BenchPoint, FILO_FIELD(float, x), FILO_FIELD(float, y))
typedef struct BenchSpeed {
    float x, y;
} BenchSpeed;
FILO_REFLECT(BenchSpeed, FILO_FIELD(float, x), FILO_FIELD(float, y))

static FiloJobs *jobs;
static FiloWorld *world;
static FiloSpatial *spatial;
static size_t count;
static uint32_t side; // of the square, in cells of size 1

// ---- By hand ------------------------------------------------------------------------------------------

static BenchPoint *points;     // in the order of the query
static float *hand_x, *hand_y; // in the order of cells
static uint32_t *hand_row, *hand_cell,
    *hand_begin; // items of a cell: hand_begin[cell] to hand_begin[cell + 1]
static FiloEntity *hand_entity, *entities;

static void hand_sort(void) {
    size_t cells = (size_t)side * side;
    memset(hand_begin, 0, (cells + 2) * sizeof *hand_begin);
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = (uint32_t)points[i].y * side + (uint32_t)points[i].x;
        hand_cell[i] = cell;
        hand_begin[cell + 2]++;
    }
    for (size_t cell = 0; cell < cells; cell++) hand_begin[cell + 2] += hand_begin[cell + 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t item = hand_begin[hand_cell[i] + 1]++;
        hand_x[item] = points[i].x;
        hand_y[item] = points[i].y;
        hand_row[item] = (uint32_t)i;
        hand_entity[item] = entities[i];
    }
}

// Counts the points within 1 of a point, in the nine cells around it.
static size_t hand_circle(float x, float y, float *sum) {
    uint32_t column = (uint32_t)x, row = (uint32_t)y;
    uint32_t left = column > 0 ? column - 1 : 0, right = column + 1 < side ? column + 1 : column;
    uint32_t bottom = row > 0 ? row - 1 : 0, top = row + 1 < side ? row + 1 : row;
    size_t found = 0;
    for (row = bottom; row <= top; row++)
        for (uint32_t i = hand_begin[row * side + left], end = hand_begin[row * side + right + 1]; i < end;
             i++) {
            float dx = hand_x[i] - x, dy = hand_y[i] - y, squared = dx * dx + dy * dy;
            if (squared > 1.0f) continue;
            *sum += squared;
            found++;
        }
    return found;
}

// ---- Scene --------------------------------------------------------------------------------------------

static void scene_begin(size_t wanted, int threads) {
    count = wanted;
    side = (uint32_t)filo_sqrt((float)wanted);
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }).code != FILO_OK ||
        filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }).code != FILO_OK)
        filo_panic("no world for the benchmark");
    filo_component(world, BenchPoint);
    filo_component(world, BenchSpeed);
    FiloSpatialDesc desc = { .position = FILO_SPATIAL(BenchPoint), .cell_size = 1 };
    desc.values[0] = (FiloSpatialField)FILO_SPATIAL_FIELD(BenchSpeed, "x");
    desc.values[1] = (FiloSpatialField)FILO_SPATIAL_FIELD(BenchSpeed, "y");
    if (threads < 2) memset(desc.values, 0, sizeof desc.values); // as in the hand-written code
    if (filo_spatial_create(&spatial, world, &desc).code != FILO_OK) filo_panic("no index for the benchmark");
    size_t cells = (size_t)side * side;
    points = malloc(count * sizeof *points);
    entities = malloc(count * sizeof *entities);
    hand_entity = malloc(count * sizeof *hand_entity);
    hand_x = malloc(count * sizeof *hand_x);
    hand_y = malloc(count * sizeof *hand_y);
    hand_row = malloc(count * sizeof *hand_row);
    hand_cell = malloc(count * sizeof *hand_cell);
    hand_begin = malloc((cells + 2) * sizeof *hand_begin);
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (size_t i = 0; i < count; i++) {
        points[i].x = filo_random_float(&random) * (float)side;
        points[i].y = filo_random_float(&random) * (float)side;
        entities[i] = filo_create(world, FILO_SET(BenchPoint, points[i].x, points[i].y),
                                  FILO_SET(BenchSpeed, points[i].x - points[i].y, 1));
    }
    if (!filo_spatial_rebuild(spatial)) filo_panic("no memory for the benchmark");
    hand_sort();
}

static void scene_end(void) {
    filo_spatial_destroy(spatial);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    void *arrays[] = { points, entities, hand_entity, hand_x, hand_y, hand_row, hand_cell, hand_begin };
    for (size_t i = 0; i < FILO_COUNT_OF(arrays); i++) free(arrays[i]);
}

// ---- Rebuild ------------------------------------------------------------------------------------------

static double rebuild(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 1, filo_spatial_rebuild(spatial));
    return ns / 1e6;
}

static double sort_by_hand(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 1, hand_sort());
    return ns / 1e6;
}

// ---- Searches: around every point, in the order of cells ------------------------------------------------

static double circle(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        FiloSpatialSearch search =
            filo_spatial_circle(spatial, filo_vec2(items->x[i], items->y[i]), 1, items->entities[i]);
        while (filo_spatial_next(&search)) sum += search.hit.distance_squared;
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double circle_spans(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        float x = items->x[i], y = items->y[i];
        FiloSpatialSearch search = filo_spatial_circle(spatial, filo_vec2(x, y), 1, FILO_ENTITY_NONE);
        for (size_t at, end; filo_spatial_next_span(&search, &at, &end);)
            for (; at < end; at++) {
                float dx = items->x[at] - x, dy = items->y[at] - y, squared = dx * dx + dy * dy;
                sum += filo_select(squared <= 1.0f, squared, 0.0f);
            }
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double circle_by_hand(void *state) {
    (void)state;
    float sum = 0;
    size_t found = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++) found += hand_circle(hand_x[i], hand_y[i], &sum);
    bench_use(sum);
    bench_use(found);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double nearest(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        FiloSpatialHit hit;
        if (filo_spatial_nearest(spatial, filo_vec2(items->x[i], items->y[i]), 1000, items->entities[i], &hit,
                                 1) == 1)
            sum += hit.distance_squared;
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

// ---- A tick of boids ------------------------------------------------------------------------------------

// Cohesion, separation and alignment over all points within 1: vectorised loops over the values in the index.
static void steer(FiloIter *it) {
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    const BenchPoint *point = filo_read(it, BenchPoint);
    BenchSpeed *speed = filo_write(it, BenchSpeed);
    for (size_t i = 0; i < it->count; i++) {
        const BenchPoint *p = &point[i];
        BenchSpeed *v = &speed[i];
        FiloSpatialSearch search = filo_spatial_circle(spatial, filo_vec2(p->x, p->y), 1, FILO_ENTITY_NONE);
        float n = 0, to_x = 0, to_y = 0, away_x = 0, away_y = 0, along_x = 0, along_y = 0;
        for (size_t at, end; filo_spatial_next_span(&search, &at, &end);)
            for (; at < end; at++) {
                float dx = items->x[at] - p->x, dy = items->y[at] - p->y, squared = dx * dx + dy * dy;
                float near = filo_one_if(squared <= 1.0f), close = near * (1.0f - squared);
                n += near;
                to_x += dx * near, to_y += dy * near;
                away_x -= dx * close, away_y -= dy * close;
                along_x += items->values[0][at] * near, along_y += items->values[1][at] * near;
            }
        float inverse = 1.0f / filo_max(n, 1.0f);
        v->x += ((to_x + along_x) * inverse - v->x + away_x) * 0.1f;
        v->y += ((to_y + along_y) * inverse - v->y + away_y) * 0.1f;
    }
}

static void move(FiloIter *it) {
    BenchPoint *point = filo_write(it, BenchPoint);
    const BenchSpeed *speed = filo_read(it, BenchSpeed);
    for (size_t i = 0; i < it->count; i++) {
        BenchPoint *p = &point[i];
        const BenchSpeed *v = &speed[i];
        p->x = filo_mod(p->x + v->x * it->delta, (float)side);
        p->y = filo_mod(p->y + v->y * it->delta, (float)side);
    }
}

static double tick(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 1, (void)filo_world_tick(world, 0.01f));
    return ns / 1e6;
}

static double limit(void *state) {
    (void)state;
    return 16;
}

static void add_boids(void) {
    filo_spatial_system_add(spatial, NULL);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "steer",
                                       .run = steer,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(BenchPoint), FILO_WRITE(BenchSpeed) },
                                       .extra_access = { FILO_SPATIAL_READ(spatial) } });
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "move",
                                       .run = move,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(BenchPoint), FILO_READ(BenchSpeed) } });
}

// ---- In space -------------------------------------------------------------------------------------------

typedef struct BenchPlace {
    float x, y, z;
} BenchPlace;
FILO_REFLECT(BenchPlace, FILO_FIELD(float, x), FILO_FIELD(float, y), FILO_FIELD(float, z))

static BenchPlace *places;
static float *hand_z;

static void hand_sort_in_space(void) {
    size_t cells = (size_t)side * side * side;
    memset(hand_begin, 0, (cells + 2) * sizeof *hand_begin);
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = ((uint32_t)places[i].z * side + (uint32_t)places[i].y) * side + (uint32_t)places[i].x;
        hand_cell[i] = cell;
        hand_begin[cell + 2]++;
    }
    for (size_t cell = 0; cell < cells; cell++) hand_begin[cell + 2] += hand_begin[cell + 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t item = hand_begin[hand_cell[i] + 1]++;
        hand_x[item] = places[i].x;
        hand_y[item] = places[i].y;
        hand_z[item] = places[i].z;
        hand_row[item] = (uint32_t)i;
        hand_entity[item] = entities[i];
    }
}

// Counts the points within 1 of a point, in the 27 cells around it.
static size_t hand_sphere(float x, float y, float z, float *sum) {
    uint32_t column = (uint32_t)x, middle_row = (uint32_t)y, middle_layer = (uint32_t)z;
    uint32_t left = column > 0 ? column - 1 : 0, right = column + 1 < side ? column + 1 : column;
    uint32_t bottom = middle_row > 0 ? middle_row - 1 : 0,
             top = middle_row + 1 < side ? middle_row + 1 : middle_row;
    uint32_t front = middle_layer > 0 ? middle_layer - 1 : 0,
             back = middle_layer + 1 < side ? middle_layer + 1 : middle_layer;
    size_t found = 0;
    for (uint32_t layer = front; layer <= back; layer++)
        for (uint32_t row = bottom; row <= top; row++) {
            uint32_t line = (layer * side + row) * side;
            for (uint32_t i = hand_begin[line + left], end = hand_begin[line + right + 1]; i < end; i++) {
                float dx = hand_x[i] - x, dy = hand_y[i] - y, dz = hand_z[i] - z;
                float squared = dx * dx + dy * dy + dz * dz;
                if (squared > 1.0f) continue;
                *sum += squared;
                found++;
            }
        }
    return found;
}

static void space_begin(size_t wanted, int threads) {
    side = 1;
    while ((size_t)side * side * side < wanted) side++;
    count = wanted;
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }).code != FILO_OK ||
        filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }).code != FILO_OK)
        filo_panic("no world for the benchmark");
    filo_component(world, BenchPlace);
    if (filo_spatial_create(
            &spatial, world,
            &(FiloSpatialDesc){ .dimensions = 3, .position = FILO_SPATIAL(BenchPlace), .cell_size = 1 })
            .code != FILO_OK)
        filo_panic("no index for the benchmark");
    size_t cells = (size_t)side * side * side;
    places = malloc(count * sizeof *places);
    entities = malloc(count * sizeof *entities);
    hand_entity = malloc(count * sizeof *hand_entity);
    hand_x = malloc(count * sizeof *hand_x);
    hand_y = malloc(count * sizeof *hand_y);
    hand_z = malloc(count * sizeof *hand_z);
    hand_row = malloc(count * sizeof *hand_row);
    hand_cell = malloc(count * sizeof *hand_cell);
    hand_begin = malloc((cells + 2) * sizeof *hand_begin);
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (size_t i = 0; i < count; i++) {
        places[i].x = filo_random_float(&random) * (float)side;
        places[i].y = filo_random_float(&random) * (float)side;
        places[i].z = filo_random_float(&random) * (float)side;
        entities[i] = filo_create(world, FILO_SET(BenchPlace, places[i].x, places[i].y, places[i].z));
    }
    if (!filo_spatial_rebuild(spatial)) filo_panic("no memory for the benchmark");
    hand_sort_in_space();
}

static void space_end(void) {
    filo_spatial_destroy(spatial);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    void *arrays[] = {
        places, entities, hand_entity, hand_x, hand_y, hand_z, hand_row, hand_cell, hand_begin
    };
    for (size_t i = 0; i < FILO_COUNT_OF(arrays); i++) free(arrays[i]);
}

static double sort_in_space_by_hand(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 1, hand_sort_in_space());
    return ns / 1e6;
}

static double sphere(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        FiloSpatialSearch search = filo_spatial_sphere(
            spatial, filo_vec3(items->x[i], items->y[i], items->z[i]), 1, items->entities[i]);
        while (filo_spatial_next(&search)) sum += search.hit.distance_squared;
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double sphere_spans(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        float x = items->x[i], y = items->y[i], z = items->z[i];
        FiloSpatialSearch search = filo_spatial_sphere(spatial, filo_vec3(x, y, z), 1, FILO_ENTITY_NONE);
        for (size_t at, end; filo_spatial_next_span(&search, &at, &end);)
            for (; at < end; at++) {
                float dx = items->x[at] - x, dy = items->y[at] - y, dz = items->z[at] - z;
                float squared = dx * dx + dy * dy + dz * dz;
                sum += filo_select(squared <= 1.0f, squared, 0.0f);
            }
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double sphere_by_hand(void *state) {
    (void)state;
    float sum = 0;
    size_t found = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < count; i++) found += hand_sphere(hand_x[i], hand_y[i], hand_z[i], &sum);
    bench_use(sum);
    bench_use(found);
    return (double)(filo_time_ns() - start) / (double)count;
}

static double nearest_in_space(void *state) {
    (void)state;
    const FiloSpatialItems *items = filo_spatial_items(spatial);
    float sum = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < items->count; i++) {
        FiloSpatialHit hit;
        if (filo_spatial_nearest3(spatial, filo_vec3(items->x[i], items->y[i], items->z[i]), 1000,
                                  items->entities[i], &hit, 1) == 1)
            sum += hit.distance_squared;
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / (double)count;
}

static void bench_space(void) {
    static const char *sort_name = "counting sort by hand", *cells_name = "27 cells by hand";
    space_begin(10000, 1);
    bench_compare(&(BenchFigure){ "ecs.spatial.rebuild3.10k", "ms", rebuild, sort_in_space_by_hand, sort_name,
                                  NULL, 0, false });
    space_end();
    space_begin(100000, 1);
    bench_compare(&(BenchFigure){ "ecs.spatial.rebuild3.100k", "ms", rebuild, sort_in_space_by_hand,
                                  sort_name, NULL, 0, false });
    bench_compare(
        &(BenchFigure){ "ecs.spatial.sphere", "ns", sphere, sphere_by_hand, cells_name, NULL, 0, false });
    bench_compare(&(BenchFigure){ "ecs.spatial.sphere_spans", "ns", sphere_spans, sphere_by_hand, cells_name,
                                  NULL, 0, false });
    bench_compare(&(BenchFigure){ "ecs.spatial.nearest3", "ns", nearest_in_space, sphere_by_hand, cells_name,
                                  NULL, 0, false });
    space_end();
    space_begin(100000, 2);
    bench_compare(&(BenchFigure){ "ecs.spatial.rebuild3_2.100k", "ms", rebuild, sort_in_space_by_hand,
                                  sort_name, NULL, 0, false });
    space_end();
}

void bench_ecs_spatial(void) {
    if (!bench_wanted("ecs.spatial")) return;
    static const char *hand_name = "counting sort by hand";
    scene_begin(1000, 1);
    bench_compare(
        &(BenchFigure){ "ecs.spatial.rebuild.1k", "ms", rebuild, sort_by_hand, hand_name, NULL, 0, false });
    scene_end();
    scene_begin(100000, 1);
    bench_compare(
        &(BenchFigure){ "ecs.spatial.rebuild.100k", "ms", rebuild, sort_by_hand, hand_name, NULL, 0, false });
    bench_compare(&(BenchFigure){ "ecs.spatial.circle", "ns", circle, circle_by_hand, "nine cells by hand",
                                  NULL, 0, false });
    bench_compare(&(BenchFigure){ "ecs.spatial.spans", "ns", circle_spans, circle_by_hand,
                                  "nine cells by hand", NULL, 0, false });
    bench_compare(&(BenchFigure){ "ecs.spatial.nearest", "ns", nearest, circle_by_hand, "nine cells by hand",
                                  NULL, 0, false });
    scene_end();
    scene_begin(1000000, 1);
    bench_compare(
        &(BenchFigure){ "ecs.spatial.rebuild.1M", "ms", rebuild, sort_by_hand, hand_name, NULL, 0, false });
    scene_end();
    scene_begin(100000, 2);
    bench_compare(&(BenchFigure){ "ecs.spatial.rebuild_2.100k", "ms", rebuild, sort_by_hand, hand_name, NULL,
                                  0, false });
    scene_end();
    scene_begin(50000, 2);
    add_boids();
    bench_compare(&(BenchFigure){ "ecs.spatial.boids.50k", "ms", tick, limit, "limit", NULL, 0, false });
    scene_end();
    bench_space();
}
