// Searches of the spatial index in space, each compared with a test of every entity.

#include "spatial/space.h"

#define POINTS 1500

static const float radii[] = { 0, 1e-30f, 0.3f, 1, 2.5f, 17, 4e3f, 1e9f, INFINITY };

// ---- Helpers ----------------------------------------------------------------------------------------------

// A centre near some point, at some point, or far outside.
static FiloVec3 some_centre(const SpacePoints *points, uint64_t *random, size_t n) {
    FiloVec3 at = points->items[test_random(random) % POINTS].at;
    if (!is_in_space(at)) at = filo_vec3(1, 1, 1);
    if (n % 3 == 0) {
        at.x += unit(random) - 0.5f;
        at.y += unit(random) - 0.5f;
        at.z += unit(random) - 0.5f;
    }
    if (n % 7 == 6) {
        at.x += unit(random) * 2e4f;
        at.y -= 1e4f;
        at.z += unit(random) * 3e4f;
    }
    return at;
}

static bool in_sphere(const SpacePoint *point, FiloVec3 centre, float radius, bool sizes) {
    if (!is_in_space(point->at)) return false;
    float both = sizes ? radius + point->radius : radius;
    return filo_vec3_distance_squared(point->at, centre) <= both * both;
}

static bool in_box(const SpacePoint *point, FiloAabb3 box, bool sizes) {
    if (!is_in_space(point->at)) return false;
    if (filo_aabb3_contains(box, point->at)) return true;
    return sizes && point->radius > 0 &&
           filo_vec3_distance_squared(point->at, filo_aabb3_clamp(box, point->at)) <=
               point->radius * point->radius;
}

// Marks the results of a search. Each must be found once, with the right values.
static size_t mark_found(FiloSpatialSearch search, const SpacePoints *points, uint8_t *found, FiloAabb3 box) {
    memset(found, 0, points->count);
    size_t count = 0;
    while (filo_spatial_next(&search)) {
        const FiloSpatialHit *hit = &search.hit;
        assert_true(hit->row < points->count);
        const SpacePoint *point = &points->items[hit->row];
        assert_int_equal(point->entity.id, hit->entity.id);
        assert_memory_equal(&point->at, &hit->position3, sizeof hit->position3);
        assert_true(hit->position.x == point->at.x && hit->position.y == point->at.y);
        float squared = filo_vec3_distance_squared(point->at, filo_aabb3_clamp(box, point->at));
        assert_memory_equal(&squared, &hit->distance_squared, sizeof squared);
        assert_int_equal(search.items->rows[hit->item], hit->row);
        assert_int_equal(found[hit->row]++, 0);
        count++;
    }
    return count;
}

static void check_spheres(Scene *scene, const SpacePoints *points, bool sizes, uint64_t seed) {
    uint8_t *found = malloc(points->count + 1);
    for (size_t n = 0; n < 90; n++) {
        FiloVec3 centre = some_centre(points, &seed, n);
        float radius = radii[n % FILO_COUNT_OF(radii)];
        FiloEntity except =
            n % 2 == 0 ? points->items[test_random(&seed) % POINTS].entity : (FiloEntity){ 0 };
        FiloSpatialSearch search = filo_spatial_sphere(scene->spatial, centre, radius, except);
        size_t count = mark_found(search, points, found, filo_aabb3(centre, centre)), expected = 0;
        for (size_t i = 0; i < points->count; i++) {
            bool wanted = in_sphere(&points->items[i], centre, radius, sizes) &&
                          points->items[i].entity.id != except.id;
            assert_int_equal(found[i], wanted);
            expected += wanted;
        }
        assert_int_equal(count, expected);
        assert_int_equal(filo_spatial_count(search), count);
    }
    free(found);
}

static void check_boxes(Scene *scene, const SpacePoints *points, bool sizes, uint64_t seed) {
    uint8_t *found = malloc(points->count + 1);
    for (size_t n = 0; n < 90; n++) {
        FiloVec3 size = filo_vec3(radii[1 + n % 7], radii[1 + n / 7 % 7], radii[1 + n / 3 % 7]);
        FiloAabb3 box = filo_aabb3_from_size(some_centre(points, &seed, n), size);
        FiloEntity except = points->items[test_random(&seed) % POINTS].entity;
        FiloSpatialSearch search = filo_spatial_box(scene->spatial, box, except);
        mark_found(search, points, found, box);
        for (size_t i = 0; i < points->count; i++)
            assert_int_equal(found[i], !filo_aabb3_is_empty(box) && in_box(&points->items[i], box, sizes) &&
                                           points->items[i].entity.id != except.id);
    }
    free(found);
}

static FiloVec3 near_centre;
static int by_distance(const void *a, const void *b) {
    const SpacePoint *p = a, *q = b;
    float d = filo_vec3_distance_squared(p->at, near_centre),
          e = filo_vec3_distance_squared(q->at, near_centre);
    return d != e ? (d > e) - (d < e) : (p->row > q->row) - (p->row < q->row);
}

static void check_nearest(Scene *scene, const SpacePoints *points, uint64_t seed) {
    SpacePoint *sorted = malloc((points->count + 1) * sizeof *sorted);
    FiloSpatialHit *hits = malloc((points->count + 1) * sizeof *hits);
    for (size_t n = 0; n < 40; n++) {
        near_centre = some_centre(points, &seed, n);
        FiloEntity except = points->items[test_random(&seed) % POINTS].entity;
        float radius = n % 4 == 0 ? INFINITY : radii[n % FILO_COUNT_OF(radii)];
        size_t capacity = n % 5 == 4 ? points->count + 1 : 1 + n % 9, count = 0;
        for (size_t i = 0; i < points->count; i++)
            if (in_sphere(&points->items[i], near_centre, radius, false) &&
                points->items[i].entity.id != except.id)
                sorted[count++] = points->items[i];
        qsort(sorted, count, sizeof *sorted, by_distance);
        size_t got = filo_spatial_nearest3(scene->spatial, near_centre, radius, except, hits, capacity);
        assert_int_equal(got, FILO_MIN(count, capacity));
        for (size_t i = 0; i < got; i++) {
            assert_int_equal(hits[i].entity.id, sorted[i].entity.id);
            assert_memory_equal(&hits[i].position3, &sorted[i].at, sizeof sorted[i].at);
        }
    }
    free(sorted);
    free(hits);
}

static void check_everything(size_t spread, float cell_size, bool sizes) {
    Scene scene = space_begin(0, cell_size, sizes);
    space_fill(&scene, spread, POINTS, spread + 1);
    SpacePoints points = space_points(&scene);
    assert_int_equal(points.count, POINTS);
    check_spheres(&scene, &points, sizes, spread);
    check_boxes(&scene, &points, sizes, spread);
    check_nearest(&scene, &points, spread);
    free(points.items);
    scene_end(&scene);
}

// ---- Compared with a test of every entity -----------------------------------------------------------------

FILO_TEST(searches_in_space_find_what_a_test_of_every_entity_finds) {
    for (size_t i = 0; i < SPACE_SPREADS; i++) check_everything(i, 1, false);
}

FILO_TEST(searches_in_space_find_the_same_with_cells_of_any_size) {
    static const float sizes[] = { 1e-30f, 1e-3f, 0.37f, 5, 50, 1e30f };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++)
        for (size_t i = 0; i < SPACE_SPREADS; i += 2) check_everything(i, sizes[k], false);
}

FILO_TEST(with_radii_in_the_index_searches_find_intersecting_spheres) {
    for (size_t i = 0; i < SPACE_SPREADS; i++) check_everything(i, i % 2 == 0 ? 1.0f : 5.0f, true);
}

FILO_TEST(points_exactly_on_the_surface_of_a_sphere_are_in_it) {
    Scene scene = space_begin(0, 1, false);
    for (int i = -5; i <= 5; i++) {
        space_add(&scene, 0, 0, (float)i);
        if (i != 0) space_add(&scene, 0, (float)i, 0);
    }
    assert_true(filo_spatial_rebuild(scene.spatial));
    const FiloVec3 zero = { 0, 0, 0 };
    assert_int_equal(filo_spatial_count(filo_spatial_sphere(scene.spatial, zero, 3, FILO_ENTITY_NONE)), 13);
    assert_int_equal(filo_spatial_count(filo_spatial_sphere(scene.spatial, zero, 0, FILO_ENTITY_NONE)), 1);
    scene_end(&scene);
}

FILO_TEST(boxes_exclude_their_upper_faces) {
    Scene scene = space_begin(0, 1, false);
    for (int i = 0; i < 125; i++) space_add(&scene, (float)(i % 5), (float)(i / 5 % 5), (float)(i / 25));
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloAabb3 box = filo_aabb3(filo_vec3(1, 1, 0), filo_vec3(3, 4, 4));
    assert_int_equal(filo_spatial_count(filo_spatial_box(scene.spatial, box, FILO_ENTITY_NONE)), 2 * 3 * 4);
    scene_end(&scene);
}

// ---- Order ------------------------------------------------------------------------------------------------

// Checks the order that the header promises, with cells of size 1. Returns how many were found.
static size_t check_order(FiloSpatialSearch search) {
    int64_t last[4] = { INT64_MIN, INT64_MIN, INT64_MIN, -1 };
    size_t count = 0;
    for (; filo_spatial_next(&search); count++) {
        FiloVec3 at = search.hit.position3;
        int64_t now[4] = { (int64_t)floor((double)at.z), (int64_t)floor((double)at.y),
                           (int64_t)floor((double)at.x), (int64_t)search.hit.row };
        size_t first = 0;
        while (first < 3 && now[first] == last[first]) first++;
        assert_true(now[first] > last[first]);
        memcpy(last, now, sizeof last);
    }
    return count;
}

FILO_TEST(results_in_space_are_ordered_by_layers_then_rows_then_columns_then_the_query) {
    bool folded[2] = { false, false };
    for (size_t spread = 0; spread < SPACE_SPREADS; spread++) {
        Scene scene = space_begin(0, 1, false);
        space_fill(&scene, spread, POINTS, 77);
        size_t found = 0;
        for (int n = -3; n <= 3; n++) {
            FiloVec3 at = filo_vec3((float)n * 5, (float)n * 2.5f, (float)n);
            found += check_order(filo_spatial_sphere(scene.spatial, at, 6, FILO_ENTITY_NONE));
            FiloAabb3 box = filo_aabb3_from_size(at, filo_vec3(12, 9, 7));
            found += check_order(filo_spatial_box(scene.spatial, box, FILO_ENTITY_NONE));
        }
        if (found > 100) folded[filo_spatial_stats(scene.spatial).folded] = true;
        scene_end(&scene);
    }
    assert_true(folded[false] && folded[true]);
}

FILO_TEST(cells_of_space_share_slots_only_if_there_are_many_more_than_points) {
    bool seen[2] = { false, false };
    for (size_t spread = 0; spread < SPACE_SPREADS; spread++) {
        Scene scene = space_begin(0, 1, false);
        space_fill(&scene, spread, POINTS, 5);
        const FiloSpatialItems *items = filo_spatial_items(scene.spatial);
        const float *axes[] = { items->x, items->y, items->z };
        double cells = 1;
        for (size_t axis = 0; axis < 3; axis++) {
            double low = INFINITY, high = -INFINITY;
            for (size_t i = 0; i < items->count; i++) {
                // Not by fmin and fmax: gcc 12.2 for aarch64 stops with an internal error at -O3 where these reduce
                // doubles in a loop.
                double cell = floor((double)axes[axis][i]);
                low = FILO_MIN(low, cell);
                high = FILO_MAX(high, cell);
            }
            cells *= high - low + 1;
        }
        FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
        bool expected = cells > 4 * POINTS + 4096;
        if (stats.folded != expected)
            fail_msg("%s: folded is %d with %g cells", space_spread_name(spread), stats.folded, cells);
        assert_true((size_t)stats.width * stats.height * stats.depth <= 4 * POINTS + 4096);
        seen[expected] = true;
        scene_end(&scene);
    }
    assert_true(seen[false] && seen[true]);
}

// 2²⁹ × 2²⁹ × 2⁶ cells are 0 in 64 bits.
FILO_TEST(a_range_of_cells_too_large_for_64_bits_is_folded) {
    Scene scene = space_begin(0, 1, false);
    FiloEntity low = space_add(&scene, -0x1p29f, -0x1p29f, -64),
               high = space_add(&scene, -0.5f, -0.5f, -0.5f);
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
    assert_true(stats.folded);
    assert_in_range((size_t)stats.width * stats.height * stats.depth, 1, 4 * 2 + 4096);
    FiloSpatialHit hits[2];
    const FiloVec3 zero = { 0, 0, 0 };
    assert_int_equal(filo_spatial_nearest3(scene.spatial, zero, INFINITY, FILO_ENTITY_NONE, hits, 2), 2);
    assert_int_equal(hits[0].entity.id, high.id);
    assert_int_equal(hits[1].entity.id, low.id);
    assert_int_equal(filo_spatial_count(filo_spatial_sphere(scene.spatial, zero, 1, FILO_ENTITY_NONE)), 1);
    scene_end(&scene);
}

// ---- Search functions -------------------------------------------------------------------------------------

typedef struct Seen {
    FiloEntity entities[200];
    size_t count, stop_at;
} Seen;

static bool note(const FiloSpatialHit *hit, void *user) {
    Seen *seen = user;
    seen->entities[seen->count++] = hit->entity;
    return seen->count != seen->stop_at;
}

FILO_TEST(all_search_functions_agree_in_space) {
    Scene scene = space_begin(0, 1, false);
    space_fill(&scene, SPACE_SPREADS - 1, POINTS, 3);
    FiloSpatialHit hits[200];
    Seen seen = { .stop_at = 0 }, few = { .stop_at = 3 };
    FiloSpatialSearch search =
                          filo_spatial_sphere(scene.spatial, filo_vec3(-2, 3, 0), 2.5f, FILO_ENTITY_NONE),
                      again = search;
    size_t count = filo_spatial_fill(search, hits, 200);
    assert_in_range(count, 65, 200); // more than a search finds in advance
    assert_true(filo_spatial_each(search, note, &seen));
    assert_int_equal(seen.count, count);
    assert_int_equal(filo_spatial_count(search), count);
    assert_int_equal(filo_spatial_fill(search, hits, 7), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(filo_spatial_next(&again));
        assert_int_equal(again.hit.entity.id, hits[i].entity.id);
        assert_int_equal(seen.entities[i].id, hits[i].entity.id);
    }
    assert_false(filo_spatial_next(&again));
    assert_false(filo_spatial_next(&again));
    assert_false(filo_spatial_each(search, note, &few));
    assert_int_equal(few.count, 3);
    scene_end(&scene);
}

FILO_TEST(spans_in_space_hold_each_entity_of_the_area_once) {
    for (size_t k = 0; k < SPACE_SPREADS; k++) {
        Scene scene = space_begin(0, 1, false);
        space_fill(&scene, k, POINTS, 9);
        const FiloSpatialItems *items = filo_spatial_items(scene.spatial);
        uint8_t *seen = calloc(items->count + 1, 1);
        FiloVec3 centre = filo_vec3(items->x[0] + 1, items->y[0] + 1, items->z[0] + 1);
        FiloSpatialSearch search = filo_spatial_sphere(scene.spatial, centre, 4, FILO_ENTITY_NONE);
        size_t begin, end;
        while (filo_spatial_next_span(&search, &begin, &end)) {
            assert_true(begin < end && end <= items->count);
            for (; begin < end; begin++) assert_int_equal(seen[begin]++, 0);
        }
        for (size_t i = 0; i < items->count; i++)
            if (filo_vec3_distance(filo_vec3(items->x[i], items->y[i], items->z[i]), centre) <= 4)
                assert_int_equal(seen[i], 1);
        free(seen);
        scene_end(&scene);
    }
}

FILO_TEST(invalid_areas_of_space_find_nothing) {
    Scene scene = space_begin(0, 1, false);
    space_fill(&scene, 0, 100, 3);
    const FiloVec3 zero = { 0, 0, 0 };
    const FiloEntity none = FILO_ENTITY_NONE;
    FiloSpatialHit hit;
    static const struct {
        FiloVec3 centre;
        float radius;
    } spheres[] = { { { 0, 0, 0 }, -1 },         { { 0, 0, 0 }, NAN },
                    { { NAN, 0, 0 }, INFINITY }, { { 0, INFINITY, 0 }, INFINITY },
                    { { 0, 0, NAN }, INFINITY }, { { 0, 0, -INFINITY }, INFINITY } };
    for (size_t i = 0; i < FILO_COUNT_OF(spheres); i++) {
        FiloVec3 centre = spheres[i].centre;
        float radius = spheres[i].radius;
        assert_int_equal(filo_spatial_count(filo_spatial_sphere(scene.spatial, centre, radius, none)), 0);
        assert_int_equal(filo_spatial_nearest3(scene.spatial, centre, radius, none, &hit, 1), 0);
    }
    FiloAabb3 backwards = filo_aabb3(filo_vec3(-5, -5, 5), filo_vec3(5, 5, -5));
    FiloAabb3 unknown = filo_aabb3(filo_vec3(-5, -5, NAN), filo_vec3(5, 5, 5));
    assert_int_equal(filo_spatial_count(filo_spatial_box(scene.spatial, backwards, none)), 0);
    assert_int_equal(filo_spatial_count(filo_spatial_box(scene.spatial, unknown, none)), 0);
    assert_int_equal(filo_spatial_nearest3(scene.spatial, zero, INFINITY, none, NULL, 0), 0);
    assert_int_equal(filo_spatial_count(filo_spatial_sphere(scene.spatial, zero, INFINITY, none)), 100);
    FiloAabb3 all =
        filo_aabb3(filo_vec3(-INFINITY, -INFINITY, -INFINITY), filo_vec3(INFINITY, INFINITY, INFINITY));
    assert_int_equal(filo_spatial_count(filo_spatial_box(scene.spatial, all, none)), 100);
    scene_end(&scene);
}

FILO_TEST(an_index_of_space_without_items_finds_nothing) {
    Scene scene = space_begin(0, 1, false);
    FiloSpatialHit hit;
    const FiloVec3 zero = { 0, 0, 0 };
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloSpatialSearch search = filo_spatial_sphere(scene.spatial, zero, INFINITY, FILO_ENTITY_NONE);
    assert_int_equal(filo_spatial_count(search), 0);
    assert_false(filo_spatial_next(&search));
    size_t begin, end;
    assert_false(filo_spatial_next_span(&search, &begin, &end));
    assert_int_equal(filo_spatial_nearest3(scene.spatial, zero, INFINITY, FILO_ENTITY_NONE, &hit, 1), 0);
    scene_end(&scene);
}

FILO_TEST(a_search_of_the_wrong_dimension_is_reported_and_finds_nothing) {
    only_in_debug_builds();
    Scene plane = scene_begin(0, 1, false), space = space_begin(0, 1, false);
    scene_fill(&plane, everywhere, 10, 3);
    space_fill(&space, 0, 10, 3);
    const FiloEntity none = FILO_ENTITY_NONE;
    const FiloVec3 zero = { 0, 0, 0 };
    FiloAabb3 box = filo_aabb3(filo_vec3(-100, -100, -100), filo_vec3(100, 100, 100));
    FiloRect rect = filo_rect(filo_vec2(-100, -100), filo_vec2(100, 100));
    FiloSpatialHit hit;
    const char *flat = "scene is an index of the plane: search it by filo_spatial_circle, _rect and _nearest",
               *deep = "space is an index of space: search it by filo_spatial_sphere, _box and _nearest3";
    expect_fault(
        flat, assert_int_equal(filo_spatial_count(filo_spatial_sphere(plane.spatial, zero, 100, none)), 0));
    expect_fault(flat, assert_int_equal(filo_spatial_count(filo_spatial_box(plane.spatial, box, none)), 0));
    expect_fault(flat, assert_int_equal(filo_spatial_nearest3(plane.spatial, zero, 100, none, &hit, 1), 0));
    expect_fault(deep,
                 assert_int_equal(
                     filo_spatial_count(filo_spatial_circle(space.spatial, filo_vec2(0, 0), 100, none)), 0));
    expect_fault(deep, assert_int_equal(filo_spatial_count(filo_spatial_rect(space.spatial, rect, none)), 0));
    expect_fault(
        deep, assert_int_equal(filo_spatial_nearest(space.spatial, filo_vec2(0, 0), 100, none, &hit, 1), 0));
    expect_fault("pass the index",
                 assert_int_equal(filo_spatial_count(filo_spatial_sphere(NULL, zero, 1, none)), 0));
    expect_fault("pass the index",
                 assert_int_equal(filo_spatial_count(filo_spatial_box(NULL, box, none)), 0));
    expect_fault("pass the index", assert_int_equal(filo_spatial_nearest3(NULL, zero, 1, none, &hit, 1), 0));
    expect_fault("where to put",
                 assert_int_equal(filo_spatial_nearest3(space.spatial, zero, 1, none, NULL, 1), 0));
    scene_end(&plane);
    scene_end(&space);
}
