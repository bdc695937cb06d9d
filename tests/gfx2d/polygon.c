// Triangulated polygons, compared with the even-odd rule, point by point.

#include "gfx2d/draw/draw.h"
#include "support/failing_allocator.h"
#include "support/test.h"

#include <filo/random.h>

#define MOST 64

static double side(FiloVec2 a, FiloVec2 b, double x, double y) {
    return ((double)b.x - (double)a.x) * (y - (double)a.y) - ((double)b.y - (double)a.y) * (x - (double)a.x);
}

// Whether a point is inside, by the even-odd rule.
static bool is_inside(const FiloVec2 *points, size_t count, double x, double y) {
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        if (((double)a.y > y) == ((double)b.y > y)) continue;
        double at =
            (double)a.x + ((double)b.x - (double)a.x) * (y - (double)a.y) / ((double)b.y - (double)a.y);
        inside ^= x < at;
    }
    return inside;
}

// Whether a point is so close to an edge that rounding decides.
static bool is_near_edge(FiloVec2 a, FiloVec2 b, double x, double y) {
    double length = (double)filo_vec2_distance(a, b);
    if (length == 0) return false;
    if (side(a, b, x, y) / length > 0.02 || side(a, b, x, y) / length < -0.02) return false;
    double along =
        ((x - (double)a.x) * ((double)b.x - (double)a.x) + (y - (double)a.y) * ((double)b.y - (double)a.y)) /
        length;
    return along > -0.02 && along < length + 0.02;
}

static bool is_in(const Gfx2dTriangle *t, double x, double y) {
    double p = side(t->a, t->b, x, y), q = side(t->b, t->c, x, y), r = side(t->c, t->a, x, y);
    return (p >= 0 && q >= 0 && r >= 0 && p + q + r > 0) || (p <= 0 && q <= 0 && r <= 0 && p + q + r < 0);
}

static size_t check(const FiloVec2 *points, size_t count, uint64_t seed) {
    Gfx2dPolygon polygon = { 0 };
    gfx2d_polygon_init(&polygon, NULL);
    assert_true(gfx2d_polygon_triangulate(&polygon, points, count));
    FiloRandom random = filo_random_sequence(seed);
    for (int n = 0; n < 300; n++) {
        double x = (double)filo_random_float_range(&random, -55, 55),
               y = (double)filo_random_float_range(&random, -55, 55);
        bool near = false;
        for (size_t i = 0; i < count && !near; i++)
            near = is_near_edge(points[i], points[(i + 1) % count], x, y);
        if (near) continue;
        size_t covered = 0;
        bool on_seam = false;
        filo_array_each (&polygon.triangles, t) {
            covered += is_in(t, x, y);
            on_seam = on_seam || is_near_edge(t->a, t->b, x, y) || is_near_edge(t->b, t->c, x, y) ||
                      is_near_edge(t->c, t->a, x, y);
        }
        bool expected = is_inside(points, count, x, y);
        if (on_seam ? (covered > 0) != expected : covered != expected)
            fail_msg("seed %llu, %zu points: (%g, %g) is covered %zu times, and is %s",
                     (unsigned long long)seed, count, x, y, covered, expected ? "inside" : "outside");
    }
    size_t triangles = polygon.triangles.count;
    gfx2d_polygon_deinit(&polygon);
    return triangles;
}

static void reverse(FiloVec2 *points, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        FiloVec2 swap = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = swap;
    }
}

// Points around a centre at random distances: simple, and very concave.
static size_t make_star(FiloVec2 *points, FiloRandom *random) {
    size_t count = 3 + filo_random_below(random, MOST - 3);
    for (size_t i = 0; i < count; i++) {
        float angle = FILO_TAU * (float)i / (float)count, radius = filo_random_float_range(random, 3, 50);
        points[i] = filo_vec2(filo_cos(angle) * radius, filo_sin(angle) * radius);
    }
    return count;
}

FILO_TEST(simple_polygons_are_covered_once_in_both_orientations) {
    FiloVec2 points[MOST];
    for (uint64_t seed = 0; seed < 300; seed++) {
        FiloRandom random = filo_random_sequence(seed);
        size_t count = make_star(points, &random);
        if (seed % 2 == 1) reverse(points, count);
        size_t triangles = check(points, count, seed);
        assert_true(triangles <= count - 2); // no point was added
    }
}

FILO_TEST(polygons_that_are_hard_to_triangulate) {
    FiloVec2 arrow[] = { { -40, -30 }, { 0, 40 }, { 40, -30 }, { 0, -10 } };
    FiloVec2 comb[] = { { -50, -40 }, { -50, 40 },  { -40, 40 }, { -40, -30 }, { -20, -30 }, { -20, 40 },
                        { -10, 40 },  { -10, -30 }, { 10, -30 }, { 10, 40 },   { 20, 40 },   { 20, -40 } };
    FiloVec2 ell[] = { { -40, -40 }, { 40, -40 }, { 40, -20 }, { 20, -20 },
                       { -20, -20 }, { -20, 20 }, { -20, 40 }, { -40, 40 } };
    // Repeated points, points on an edge, and a spike without area.
    FiloVec2 twice[] = { { -40, -40 }, { -40, -40 }, { 0, -40 }, { 40, -40 },
                         { 40, 40 },   { 0, 0 },     { 0, 0 },   { -40, 40 } };
    FiloVec2 spike[] = { { -40, -40 }, { 40, -40 }, { 50, -40 }, { 40, -40 },
                         { 40, 40 },   { 0, 10 },   { -40, 40 } };
    // A hole, joined to the outline by an edge that is there twice.
    FiloVec2 hole[] = { { -40, -40 }, { 40, -40 }, { 40, 40 }, { -40, 40 }, { -40, -40 },
                        { -20, -20 }, { -20, 20 }, { 20, 20 }, { 20, -20 }, { -20, -20 } };
    FiloVec2 spiral[MOST];
    for (int i = 0; i < MOST / 2; i++) {
        float angle = 0.5f * (float)i, radius = 8 + 1.2f * (float)i;
        spiral[i] = filo_vec2(filo_cos(angle) * radius, filo_sin(angle) * radius);
        spiral[MOST - 1 - i] = filo_vec2(filo_cos(angle) * (radius - 3), filo_sin(angle) * (radius - 3));
    }
    struct {
        FiloVec2 *points;
        size_t count;
    } all[] = { { arrow, 4 }, { comb, 12 }, { ell, 8 },      { twice, 8 },
                { spike, 7 }, { hole, 10 }, { spiral, MOST } };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++)
        for (int backend = 0; backend < 2; backend++) {
            check(all[i].points, all[i].count, i);
            reverse(all[i].points, all[i].count);
        }
}

FILO_TEST(edges_that_cross_are_drawn_by_the_even_odd_rule) {
    FiloVec2 pentagram[5], bow[] = { { -40, -40 }, { 40, 40 }, { 40, -40 }, { -40, 40 } };
    for (int i = 0; i < 5; i++) {
        float angle = FILO_TAU * (float)(i * 2) / 5;
        pentagram[i] = filo_vec2(filo_cos(angle) * 50, filo_sin(angle) * 50);
    }
    check(pentagram, 5, 1);
    assert_false(is_inside(pentagram, 5, 0, 0));
    check(bow, 4, 2);
    FiloVec2 points[MOST];
    for (uint64_t seed = 0; seed < 200; seed++) {
        FiloRandom random = filo_random_sequence(seed);
        size_t count = 4 + filo_random_below(&random, 12);
        for (size_t i = 0; i < count; i++) {
            points[i].x = filo_random_float_range(&random, -50, 50);
            points[i].y = filo_random_float_range(&random, -50, 50);
        }
        check(points, count, seed);
    }
}

FILO_TEST(polygons_without_area_have_no_triangles) {
    FiloVec2 line[] = { { 0, 0 }, { 10, 10 }, { 20, 20 } },
             same[] = { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } };
    FiloVec2 odd[] = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 0, 1.0f / 0.0f } };
    check(line, 3, 1);
    check(same, 4, 1);
    Gfx2dPolygon polygon = { 0 };
    gfx2d_polygon_init(&polygon, NULL);
    assert_true(gfx2d_polygon_triangulate(&polygon, odd, 4));
    assert_int_equal(polygon.triangles.count, 0);
    assert_true(gfx2d_polygon_triangulate(&polygon, line, 2));
    assert_int_equal(polygon.triangles.count, 0);
    gfx2d_polygon_deinit(&polygon);
}

FILO_TEST(without_memory_a_polygon_is_refused_and_nothing_leaks) {
    FiloVec2 arrow[] = { { -40, -30 }, { 0, 40 }, { 40, -30 }, { 0, -10 } };
    FiloVec2 bow[] = { { -40, -40 }, { 40, 40 }, { 40, -40 }, { -40, 40 } };
    for (int which = 0; which < 2; which++) {
        bool ok = false;
        for (size_t fail_at = 0; !ok; fail_at++) {
            FailingAllocator failing = FAILING_AT(failing, fail_at);
            Gfx2dPolygon polygon = { 0 };
            gfx2d_polygon_init(&polygon, &failing.allocator);
            ok = gfx2d_polygon_triangulate(&polygon, which == 0 ? arrow : bow, 4);
            gfx2d_polygon_deinit(&polygon);
            assert_int_equal(failing.blocks, 0);
            assert_true(fail_at < 20);
        }
    }
}
