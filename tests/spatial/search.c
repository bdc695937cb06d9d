// Searches of the spatial index, each compared with a test of every entity.

#include "spatial/scene.h"

#define POINTS 1500

static const float radii[] = { 0, 1e-30f, 0.3f, 1, 2.5f, 17, 4e3f, 1e9f, INFINITY };

// ---- Helpers ----------------------------------------------------------------------------------------------

// A centre near some point, at some point, or far outside.
static FiloVec2 some_centre(const Points *points, uint64_t *random, size_t n) {
    FiloVec2 at = points->items[test_random(random) % POINTS].at;
    if (!is_somewhere(at)) at = filo_vec2(1, 1);
    if (n % 3 == 0) {
        at.x += unit(random) - 0.5f;
        at.y += unit(random) - 0.5f;
    }
    if (n % 7 == 6) at = filo_vec2_add(at, filo_vec2(unit(random) * 2e4f, -1e4f));
    return at;
}

static bool in_circle(const Point *point, FiloVec2 centre, float radius, bool sizes) {
    if (!is_somewhere(point->at)) return false;
    float both = sizes ? radius + point->radius : radius;
    return filo_vec2_distance_squared(point->at, centre) <= both * both;
}

static bool in_rect(const Point *point, FiloRect rect, bool sizes) {
    if (!is_somewhere(point->at)) return false;
    if (filo_rect_contains(rect, point->at)) return true;
    return sizes && point->radius > 0 &&
           filo_vec2_distance_squared(point->at, filo_rect_clamp(rect, point->at)) <=
               point->radius * point->radius;
}

// Marks the results of a search. Each must be found once, with the right values.
static size_t mark_found(FiloSpatialSearch search, const Points *points, uint8_t *found, FiloVec2 centre,
                         bool circle) {
    memset(found, 0, points->count);
    size_t count = 0;
    while (filo_spatial_next(&search)) {
        const FiloSpatialHit *hit = &search.hit;
        assert_true(hit->row < points->count);
        const Point *point = &points->items[hit->row];
        assert_int_equal(point->entity.id, hit->entity.id);
        assert_memory_equal(&point->at, &hit->position, sizeof hit->position);
        if (circle) {
            float squared = filo_vec2_distance_squared(point->at, centre);
            assert_memory_equal(&squared, &hit->distance_squared, sizeof squared);
        }
        assert_int_equal(search.items->rows[hit->item], hit->row);
        assert_int_equal(found[hit->row]++, 0);
        count++;
    }
    return count;
}

static void check_circles(Scene *scene, const Points *points, bool sizes, uint64_t seed) {
    uint8_t *found = malloc(points->count + 1);
    for (size_t n = 0; n < 90; n++) {
        FiloVec2 centre = some_centre(points, &seed, n);
        float radius = radii[n % FILO_COUNT_OF(radii)];
        FiloEntity except =
            n % 2 == 0 ? points->items[test_random(&seed) % POINTS].entity : (FiloEntity){ 0 };
        FiloSpatialSearch search = filo_spatial_circle(scene->spatial, centre, radius, except);
        size_t count = mark_found(search, points, found, centre, true), expected = 0;
        for (size_t i = 0; i < points->count; i++) {
            bool wanted = in_circle(&points->items[i], centre, radius, sizes) &&
                          points->items[i].entity.id != except.id;
            assert_int_equal(found[i], wanted);
            expected += wanted;
        }
        assert_int_equal(count, expected);
        assert_int_equal(filo_spatial_count(filo_spatial_circle(scene->spatial, centre, radius, except)),
                         count);
    }
    free(found);
}

static void check_rects(Scene *scene, const Points *points, bool sizes, uint64_t seed) {
    uint8_t *found = malloc(points->count + 1);
    for (size_t n = 0; n < 90; n++) {
        FiloVec2 corner = some_centre(points, &seed, n);
        float width = radii[1 + n % 7], height = radii[1 + n / 7 % 7];
        FiloRect rect = filo_rect_from_size(corner, filo_vec2(width, height));
        FiloEntity except = points->items[test_random(&seed) % POINTS].entity;
        FiloSpatialSearch search = filo_spatial_rect(scene->spatial, rect, except);
        mark_found(search, points, found, corner, false);
        for (size_t i = 0; i < points->count; i++)
            assert_int_equal(found[i], !filo_rect_is_empty(rect) && in_rect(&points->items[i], rect, sizes) &&
                                           points->items[i].entity.id != except.id);
    }
    free(found);
}

static FiloVec2 near_centre;
static int by_distance(const void *a, const void *b) {
    const Point *p = a, *q = b;
    float d = filo_vec2_distance_squared(p->at, near_centre),
          e = filo_vec2_distance_squared(q->at, near_centre);
    return d != e ? (d > e) - (d < e) : (p->row > q->row) - (p->row < q->row);
}

static void check_nearest(Scene *scene, const Points *points, uint64_t seed) {
    Point *sorted = malloc((points->count + 1) * sizeof *sorted);
    FiloSpatialHit *hits = malloc((points->count + 1) * sizeof *hits);
    for (size_t n = 0; n < 40; n++) {
        near_centre = some_centre(points, &seed, n);
        FiloEntity except = points->items[test_random(&seed) % POINTS].entity;
        float radius = n % 4 == 0 ? INFINITY : radii[n % FILO_COUNT_OF(radii)];
        size_t capacity = n % 5 == 4 ? points->count + 1 : 1 + n % 9, count = 0;
        for (size_t i = 0; i < points->count; i++)
            if (in_circle(&points->items[i], near_centre, radius, false) &&
                points->items[i].entity.id != except.id)
                sorted[count++] = points->items[i];
        qsort(sorted, count, sizeof *sorted, by_distance);
        size_t got = filo_spatial_nearest(scene->spatial, near_centre, radius, except, hits, capacity);
        assert_int_equal(got, FILO_MIN(count, capacity));
        for (size_t i = 0; i < got; i++) assert_int_equal(hits[i].entity.id, sorted[i].entity.id);
    }
    free(sorted);
    free(hits);
}

static void check_everything(size_t spread, float cell_size, bool sizes) {
    Scene scene = scene_begin(0, cell_size, sizes);
    scene_fill(&scene, spreads[spread].spread, POINTS, spread + 1);
    Points points = scene_points(&scene);
    assert_int_equal(points.count, POINTS);
    check_circles(&scene, &points, sizes, spread);
    check_rects(&scene, &points, sizes, spread);
    check_nearest(&scene, &points, spread);
    free(points.items);
    scene_end(&scene);
}

// ---- Compared with a test of every entity -----------------------------------------------------------------

FILO_TEST(searches_find_what_a_test_of_every_entity_finds) {
    for (size_t i = 0; i < FILO_COUNT_OF(spreads); i++) check_everything(i, 1, false);
}

FILO_TEST(searches_find_the_same_with_cells_of_any_size) {
    static const float sizes[] = { 1e-30f, 1e-3f, 0.37f, 50, 1e30f };
    for (size_t k = 0; k < FILO_COUNT_OF(sizes); k++)
        for (size_t i = 0; i < FILO_COUNT_OF(spreads); i += 2) check_everything(i, sizes[k], false);
}

FILO_TEST(with_radii_in_the_index_searches_find_intersecting_circles) {
    for (size_t i = 0; i < FILO_COUNT_OF(spreads); i++) check_everything(i, 1, true);
}

FILO_TEST(points_exactly_on_the_edge_of_a_circle_are_in_it) {
    Scene scene = scene_begin(0, 1, false);
    for (int i = -5; i <= 5; i++) scene_add(&scene, (float)i, 0);
    assert_true(filo_spatial_rebuild(scene.spatial));
    assert_int_equal(
        filo_spatial_count(filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 3, FILO_ENTITY_NONE)), 7);
    assert_int_equal(
        filo_spatial_count(filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 0, FILO_ENTITY_NONE)), 1);
    scene_end(&scene);
}

FILO_TEST(rectangles_exclude_their_upper_edges) {
    Scene scene = scene_begin(0, 1, false);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) scene_add(&scene, (float)x, (float)y);
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloRect rect = filo_rect(filo_vec2(1, 1), filo_vec2(3, 4));
    assert_int_equal(filo_spatial_count(filo_spatial_rect(scene.spatial, rect, FILO_ENTITY_NONE)), 2 * 3);
    scene_end(&scene);
}

// ---- Order ------------------------------------------------------------------------------------------------

// Checks the order that the header promises, with cells of size 1.
static void check_order(FiloSpatialSearch search) {
    int64_t last_row = INT64_MIN, last_column = INT64_MIN, last = -1;
    while (filo_spatial_next(&search)) {
        int64_t row = (int64_t)floor((double)search.hit.position.y),
                column = (int64_t)floor((double)search.hit.position.x);
        if (row != last_row) {
            assert_true(row > last_row);
        } else if (column != last_column) {
            assert_true(column > last_column);
        } else {
            assert_true((int64_t)search.hit.row > last);
        }
        last_row = row, last_column = column, last = search.hit.row;
    }
}

FILO_TEST(results_are_ordered_by_cell_rows_and_within_a_cell_by_the_query) {
    static const size_t tried[] = { 0, 1, 3, 4, 5 };
    for (size_t i = 0; i < FILO_COUNT_OF(tried); i++) {
        Scene scene = scene_begin(0, 1, false);
        scene_fill(&scene, spreads[tried[i]].spread, POINTS, 77);
        for (int n = -3; n <= 3; n++) {
            float x = (float)n * 5;
            check_order(filo_spatial_circle(scene.spatial, filo_vec2(x, x / 2), 6, FILO_ENTITY_NONE));
            check_order(filo_spatial_rect(
                scene.spatial, filo_rect_from_size(filo_vec2(x, x), filo_vec2(12, 9)), FILO_ENTITY_NONE));
        }
        scene_end(&scene);
    }
}

FILO_TEST(cells_share_slots_only_if_points_are_far_apart) {
    for (size_t i = 0; i < FILO_COUNT_OF(spreads); i++) {
        Scene scene = scene_begin(0, 1, false);
        scene_fill(&scene, spreads[i].spread, POINTS, 5);
        FiloSpatialStats stats = filo_spatial_stats(scene.spatial);
        bool vast_one = spreads[i].spread == with_outliers || spreads[i].spread == two_towns ||
                        spreads[i].spread == diagonal || spreads[i].spread == vast;
        if (stats.folded != vast_one) fail_msg("%s: folded is %d", spreads[i].name, stats.folded);
        assert_true((size_t)stats.width * stats.height <= 4 * POINTS + 4096);
        scene_end(&scene);
    }
}

// ---- Search functions -------------------------------------------------------------------------------------

typedef struct Seen {
    FiloEntity entities[64];
    size_t count, stop_at;
} Seen;

static bool note(const FiloSpatialHit *hit, void *user) {
    Seen *seen = user;
    seen->entities[seen->count++] = hit->entity;
    return seen->count != seen->stop_at;
}

FILO_TEST(all_search_functions_agree) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, everywhere, POINTS, 3);
    FiloSpatialHit hits[64];
    Seen seen = { .stop_at = 0 };
    FiloSpatialSearch search = filo_spatial_circle(scene.spatial, filo_vec2(1, 2), 3, FILO_ENTITY_NONE),
                      again = search;
    size_t count = filo_spatial_fill(search, hits, 64);
    assert_in_range(count, 5, 64);
    assert_true(filo_spatial_each(search, note, &seen));
    assert_int_equal(seen.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(filo_spatial_next(&again));
        assert_int_equal(again.hit.entity.id, hits[i].entity.id);
        assert_int_equal(seen.entities[i].id, hits[i].entity.id);
    }
    assert_false(filo_spatial_next(&again));
    assert_false(filo_spatial_next(&again));
    scene_end(&scene);
}

FILO_TEST(fill_stops_at_the_capacity_and_returns_the_total) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, one_cell, 300, 3);
    FiloSpatialHit hits[80];
    memset(hits, 0xAB, sizeof hits);
    FiloEntity except = filo_query_at(scene.query, 290);
    FiloSpatialSearch search = filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 10, except);
    assert_int_equal(filo_spatial_fill(search, hits, 70), 299);
    for (uint32_t i = 0; i < 70; i++) assert_int_equal(hits[i].row, i);
    assert_int_equal(hits[70].row, 0xABABABAB);
    assert_int_equal(filo_spatial_fill(search, NULL, 0), 299);
    assert_int_equal(filo_spatial_fill(search, hits, 64), 299);
    scene_end(&scene);
}

FILO_TEST(a_callback_can_stop_the_search) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, one_cell, 300, 3);
    Seen seen = { .stop_at = 7 };
    assert_false(filo_spatial_each(filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 10, FILO_ENTITY_NONE),
                                   note, &seen));
    assert_int_equal(seen.count, 7);
    scene_end(&scene);
}

FILO_TEST(spans_hold_each_entity_of_the_area_once) {
    for (size_t k = 0; k < FILO_COUNT_OF(spreads); k++) {
        Scene scene = scene_begin(0, 1, false);
        scene_fill(&scene, spreads[k].spread, POINTS, 9);
        const FiloSpatialItems *items = filo_spatial_items(scene.spatial);
        uint8_t *seen = calloc(items->count + 1, 1);
        FiloVec2 centre = filo_vec2(items->x[0] + 1, items->y[0] + 1);
        FiloSpatialSearch search = filo_spatial_circle(scene.spatial, centre, 9, FILO_ENTITY_NONE);
        size_t begin, end;
        while (filo_spatial_next_span(&search, &begin, &end)) {
            assert_true(begin < end && end <= items->count);
            for (; begin < end; begin++) assert_int_equal(seen[begin]++, 0);
        }
        for (size_t i = 0; i < items->count; i++)
            if (filo_vec2_distance(filo_vec2(items->x[i], items->y[i]), centre) <= 9)
                assert_int_equal(seen[i], 1);
        free(seen);
        scene_end(&scene);
    }
}

FILO_TEST(invalid_areas_find_nothing) {
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, everywhere, 100, 3);
    const FiloVec2 zero = { 0, 0 };
    const FiloEntity none = FILO_ENTITY_NONE;
    FiloSpatialHit hit;
    assert_int_equal(filo_spatial_count(filo_spatial_circle(scene.spatial, zero, -1, none)), 0);
    assert_int_equal(filo_spatial_count(filo_spatial_circle(scene.spatial, zero, NAN, none)), 0);
    assert_int_equal(
        filo_spatial_count(filo_spatial_circle(scene.spatial, filo_vec2(NAN, 0), INFINITY, none)), 0);
    assert_int_equal(
        filo_spatial_count(filo_spatial_circle(scene.spatial, filo_vec2(0, INFINITY), INFINITY, none)), 0);
    FiloRect backwards = filo_rect(filo_vec2(5, 5), filo_vec2(-5, -5));
    FiloRect unknown = filo_rect(filo_vec2(NAN, -5), filo_vec2(5, 5));
    assert_int_equal(filo_spatial_count(filo_spatial_rect(scene.spatial, backwards, none)), 0);
    assert_int_equal(filo_spatial_count(filo_spatial_rect(scene.spatial, unknown, none)), 0);
    assert_int_equal(filo_spatial_nearest(scene.spatial, zero, NAN, none, &hit, 1), 0);
    assert_int_equal(filo_spatial_nearest(scene.spatial, zero, -1, none, &hit, 1), 0);
    assert_int_equal(filo_spatial_nearest(scene.spatial, filo_vec2(INFINITY, 0), INFINITY, none, &hit, 1), 0);
    assert_int_equal(filo_spatial_nearest(scene.spatial, zero, INFINITY, none, NULL, 0), 0);
    assert_int_equal(filo_spatial_count(filo_spatial_circle(scene.spatial, zero, INFINITY, none)), 100);
    FiloRect all = filo_rect(filo_vec2(-INFINITY, -INFINITY), filo_vec2(INFINITY, INFINITY));
    assert_int_equal(filo_spatial_count(filo_spatial_rect(scene.spatial, all, none)), 100);
    scene_end(&scene);
}

FILO_TEST(an_index_without_items_finds_nothing) {
    Scene scene = scene_begin(0, 1, false);
    FiloSpatialHit hit;
    assert_true(filo_spatial_rebuild(scene.spatial));
    FiloSpatialSearch search =
        filo_spatial_circle(scene.spatial, filo_vec2(0, 0), INFINITY, FILO_ENTITY_NONE);
    assert_int_equal(filo_spatial_count(search), 0);
    assert_false(filo_spatial_next(&search));
    size_t begin, end;
    assert_false(filo_spatial_next_span(&search, &begin, &end));
    assert_int_equal(
        filo_spatial_nearest(scene.spatial, filo_vec2(0, 0), INFINITY, FILO_ENTITY_NONE, &hit, 1), 0);
    scene_end(&scene);
}

FILO_TEST(misuse_of_searches_is_reported) {
    only_in_debug_builds();
    Scene scene = scene_begin(0, 1, false);
    scene_fill(&scene, everywhere, 10, 3);
    FiloSpatialSearch search = filo_spatial_circle(scene.spatial, filo_vec2(0, 0), 100, FILO_ENTITY_NONE);
    FiloSpatialHit hit;
    expect_fault("pass the index",
                 assert_int_equal(
                     filo_spatial_count(filo_spatial_circle(NULL, filo_vec2(0, 0), 1, FILO_ENTITY_NONE)), 0));
    expect_fault("pass the index",
                 assert_int_equal(filo_spatial_count(filo_spatial_rect(NULL, (FiloRect){ { 0, 0 }, { 1, 1 } },
                                                                       FILO_ENTITY_NONE)),
                                  0));
    expect_fault(
        "pass the index",
        assert_int_equal(filo_spatial_nearest(NULL, filo_vec2(0, 0), 1, FILO_ENTITY_NONE, &hit, 1), 0));
    expect_fault("where to put",
                 assert_int_equal(
                     filo_spatial_nearest(scene.spatial, filo_vec2(0, 0), 1, FILO_ENTITY_NONE, NULL, 1), 0));
    expect_fault("where to put", assert_int_equal(filo_spatial_fill(search, NULL, 3), 0));
    expect_fault("what to do with each", assert_false(filo_spatial_each(search, NULL, NULL)));
    scene_end(&scene);
}
