// Outlines that are divided into convex pieces.

#include "physics2d/scene.h"

#include <math.h>

enum { MOST = 300 };

static double area_of(const FiloVec2 *points, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count];
        sum += (double)a.x * (double)b.y - (double)a.y * (double)b.x;
    }
    return 0.5 * sum;
}

static double side(FiloVec2 a, FiloVec2 b, FiloVec2 p) {
    return ((double)b.x - (double)a.x) * ((double)p.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)p.x - (double)a.x);
}

// The distance of a point to the outline, and whether it is inside.
static bool is_inside(const FiloVec2 *points, size_t count, FiloVec2 p, float *distance) {
    bool inside = false;
    *distance = FLT_MAX;
    for (size_t i = 0; i < count; i++) {
        FiloVec2 a = points[i], b = points[(i + 1) % count], edge = filo_vec2_sub(b, a);
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
        float t =
            filo_clamp(filo_vec2_dot(filo_vec2_sub(p, a), edge) / filo_vec2_dot(edge, edge), 0.0f, 1.0f);
        *distance = filo_min(*distance, filo_vec2_distance(filo_vec2_add_scaled(a, edge, t), p));
    }
    return inside;
}

static bool is_point_of(const FiloVec2 *points, size_t count, FiloVec2 p) {
    for (size_t i = 0; i < count; i++)
        if (points[i].x == p.x && points[i].y == p.y) return true;
    return false;
}

static void check_piece(const FiloPiece2 *piece) {
    assert_true(piece->point_count >= 3 && piece->point_count <= FILO_SHAPE_POINTS);
    for (uint32_t i = 0; i < piece->point_count; i++)
        for (uint32_t k = 0; k < piece->point_count; k++) {
            uint32_t next = (i + 1) % piece->point_count;
            if (k != i && k != next)
                assert_true(side(piece->points[i], piece->points[next], piece->points[k]) > 0);
        }
}

// Areas add up, all are convex, points inside are in one piece and others in none.
static size_t check_outline(const FiloVec2 *points, size_t count, uint64_t seed) {
    static FiloPiece2 pieces[MOST];
    size_t piece_count;
    assert_ok(filo_physics2_decompose(points, count, pieces, MOST, &piece_count));
    assert_true(piece_count >= 1 && piece_count <= count - 2);
    double sum = 0, whole = fabs(area_of(points, count));
    for (size_t i = 0; i < piece_count; i++) {
        check_piece(&pieces[i]);
        sum += area_of(pieces[i].points, pieces[i].point_count);
        for (uint32_t k = 0; k < pieces[i].point_count; k++)
            assert_true(is_point_of(points, count, pieces[i].points[k]));
    }
    assert_true(fabs(sum - whole) < 1e-6 * (1 + whole));
    FiloRandom random = filo_random_keyed(seed, 1, 2, 3);
    for (int n = 0; n < 200; n++) {
        FiloVec2 p = { .x = filo_random_float(&random) * 24 - 12 };
        p.y = filo_random_float(&random) * 24 - 12;
        float distance, inner = FLT_MAX;
        bool inside = is_inside(points, count, p, &distance);
        int found = 0;
        for (size_t i = 0; i < piece_count; i++) {
            float edge;
            found += is_inside(pieces[i].points, pieces[i].point_count, p, &edge);
            inner = filo_min(inner, edge);
        }
        if (distance > 1e-3f && inner > 1e-3f) assert_int_equal(found, inside);
    }
    return piece_count;
}

// ---- Random outlines --------------------------------------------------------------------------------------

static size_t star(FiloRandom *random, FiloVec2 *points) {
    size_t count = 3 + (size_t)(filo_random_float(random) * 60);
    for (size_t i = 0; i < count; i++) {
        FiloSinCos turn =
            filo_sincos(FILO_TAU * ((float)i + 0.8f * filo_random_float(random)) / (float)count);
        float radius = 1 + 9 * filo_random_float(random);
        points[i] = filo_vec2(turn.cos * radius, turn.sin * radius);
    }
    return count;
}

// Points that are connected at random, with crossings removed one after the other.
static size_t tangle(FiloRandom *random, FiloVec2 *points) {
    size_t count = 4 + (size_t)(filo_random_float(random) * 40);
    for (size_t i = 0; i < count; i++) {
        points[i].x = filo_random_float(random) * 20 - 10;
        points[i].y = filo_random_float(random) * 20 - 10;
    }
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 2; k < count; k++) {
                FiloVec2 a = points[i], b = points[i + 1], c = points[k], d = points[(k + 1) % count];
                if ((i == 0 && k == count - 1) || side(a, b, c) * side(a, b, d) > 0 ||
                    side(c, d, a) * side(c, d, b) > 0)
                    continue;
                for (size_t low = i + 1, high = k; low < high; low++, high--) {
                    FiloVec2 swap = points[low];
                    points[low] = points[high];
                    points[high] = swap;
                }
                again = true;
            }
    }
    return count;
}

// On a grid: many right angles, points in a line and equal x or y.
static size_t comb(FiloRandom *random, FiloVec2 *points) {
    size_t teeth = 1 + (size_t)(filo_random_float(random) * 10), count = 0;
    points[count++] = filo_vec2((float)teeth - 5, -1);
    points[count++] = filo_vec2((float)teeth - 5, 0);
    for (size_t i = teeth; i-- > 0;) {
        float x = (float)i - 5, top = (float)(1 + (int)(filo_random_float(random) * 4));
        points[count++] = filo_vec2(x + 0.75f, 0);
        points[count++] = filo_vec2(x + 0.75f, top);
        points[count++] = filo_vec2(x + 0.25f, top);
        points[count++] = filo_vec2(x + 0.25f, 0);
    }
    points[count++] = filo_vec2(-5, 0);
    points[count++] = filo_vec2(-5, -1);
    return count;
}

FILO_TEST(random_outlines_are_divided_into_convex_pieces) {
    static FiloVec2 points[MOST], other[MOST];
    size_t all = 0, pieces = 0;
    for (uint64_t n = 0; n < 1500; n++) {
        FiloRandom random = filo_random_keyed(n, 5, 6, 7);
        size_t count = n % 3 == 0   ? star(&random, points)
                       : n % 3 == 1 ? tangle(&random, points)
                                    : comb(&random, points);
        size_t found = check_outline(points, count, n);
        all += count;
        pieces += found;
        // The other way round, with points that are equal and in a line.
        size_t more = 0;
        for (size_t i = count; i-- > 0;) {
            other[more++] = points[i];
            if (i % 3 == 0) other[more++] = points[i];
            if (i % 4 == 0 && n % 3 == 2) // exact on a grid
                other[more++] =
                    filo_vec2_scale(filo_vec2_add(points[i], points[(i + count - 1) % count]), 0.5f);
        }
        (void)check_outline(other, more, n);
    }
    assert_true(pieces * 2 < all); // far fewer than triangles
}

FILO_TEST(simple_outlines_have_few_pieces) {
    FiloVec2 square[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    assert_int_equal(check_outline(square, 4, 0), 1);
    FiloVec2 corner[] = { { 0, 0 }, { 3, 0 }, { 3, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } };
    assert_int_equal(check_outline(corner, 6, 0), 2);
    FiloVec2 round[24];
    for (int i = 0; i < 24; i++) {
        FiloSinCos turn = filo_sincos(FILO_TAU * (float)i / 24);
        round[i] = filo_vec2(turn.cos * 5, turn.sin * 5);
    }
    assert_true(check_outline(round, 24, 0) <= 6); // at most eight points each
}

FILO_TEST(the_pieces_of_a_large_outline_add_up) {
    static FiloVec2 points[1000];
    static FiloPiece2 pieces[1000];
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    for (int i = 0; i < 1000; i++) {
        FiloSinCos turn = filo_sincos(FILO_TAU * (float)i / 1000);
        float radius = 50 + 10 * filo_random_float(&random);
        points[i] = filo_vec2(turn.cos * radius, turn.sin * radius);
    }
    size_t count;
    assert_ok(filo_physics2_decompose(points, 1000, pieces, 1000, &count));
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += area_of(pieces[i].points, pieces[i].point_count);
    assert_true(fabs(sum - area_of(points, 1000)) < 0.01);
}

// ---- Mistakes ---------------------------------------------------------------------------------------------

static void expect_error(const FiloVec2 *points, size_t count, const char *message) {
    FiloPiece2 pieces[16];
    size_t piece_count = 77;
    FiloResult result = filo_physics2_decompose(points, count, pieces, 16, &piece_count);
    assert_int_equal(result.code, FILO_ERROR_DATA);
    assert_string_equal(result.message, message);
    assert_int_equal(piece_count, 0);
}

FILO_TEST(bad_outlines_are_refused) {
    FiloVec2 bow[] = { { 0, 0 }, { 2, 2 }, { 2, 0 }, { 0, 3 } };
    expect_error(bow, 4, "outline: the edges from points 0 and 2 cross or touch each other");
    FiloVec2 line[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 } };
    expect_error(line, 4, "outline: it has no area");
    FiloVec2 same[] = { { 1, 1 }, { 1, 1 }, { 1, 1 } };
    expect_error(same, 3, "outline: it has no area");
    FiloVec2 few[] = { { 0, 0 }, { 1, 1 } };
    expect_error(few, 2, "outline: it has 2 points, and needs 3");
    expect_error(NULL, 0, "outline: it has 0 points, and needs 3");
    FiloVec2 bad[] = { { 0, 0 }, { 1, 0 }, { NAN, 1 } };
    expect_error(bad, 3, "outline: point 2 is no number below 1e7");
    bad[2] = filo_vec2(0, INFINITY);
    expect_error(bad, 3, "outline: point 2 is no number below 1e7");
    FiloVec2 spike[] = { { 0, 0 }, { 4, 0 }, { 2, 0 }, { 2, 3 } };
    expect_error(spike, 4, "outline: the edges from points 0 and 1 cross or touch each other");
    FiloVec2 touching[] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 2, 0 }, { 0, 4 } }; // a point on an edge
    expect_error(touching, 5, "outline: the edges from points 0 and 2 cross or touch each other");
    FiloVec2 square[] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    expect_fault("pass an outline, an array for its pieces, and where to put their number",
                 assert_int_not_equal(filo_physics2_decompose(square, 4, NULL, 5, NULL).code, FILO_OK));
    size_t count;
    assert_ok(filo_physics2_decompose(square, 4, NULL, 0, &count)); // only counts
    assert_int_equal(count, 1);
}

// ---- On a body --------------------------------------------------------------------------------------------

FILO_TEST(an_outline_on_a_body_collides_with_its_hollow) {
    Scene scene = scene_open(0);
    add_ground(&scene);
    // A cup, which falls, and a ball that falls into it.
    FiloVec2 cup[] = { { -2, 0 },      { 2, 0 },        { 2, 3 },     { 1.5f, 3 },
                       { 1.5f, 0.5f }, { -1.5f, 0.5f }, { -1.5f, 3 }, { -2, 3 } };
    FiloEntity body = filo_create(scene.world, FILO_SET(FiloTransform2, .position = { 0, 1 }),
                                  FILO_SET(FiloBody2, .kind = FILO_BODY_DYNAMIC));
    FiloShape2 shape = { .density = 2, .friction = 0.9f };
    assert_ok(filo_physics2_add_outline(scene.world, body, cup, FILO_COUNT_OF(cup), &shape));
    assert_int_equal(filo_entity_child_count(scene.world, body), 3);
    FiloEntity ball = add_body(&scene, FILO_BODY_DYNAMIC, 0, 8, BALL(0.5f));
    run(&scene, 240);
    assert_near(filo_physics2_mass(scene.world, body).mass, 2 * fabs(area_of(cup, FILO_COUNT_OF(cup))),
                1e-3f);
    assert_near(at(&scene, ball).y, 1, 0.02f);
    assert_near(at(&scene, body).y, 0, 0.02f);
    FiloVec2 bow[] = { { 0, 0 }, { 2, 2 }, { 2, 0 }, { 0, 3 } };
    assert_int_equal(filo_physics2_add_outline(scene.world, body, bow, 4, NULL).code, FILO_ERROR_DATA);
    assert_int_equal(filo_entity_child_count(scene.world, body), 3); // nothing was added
    expect_fault("cannot add shapes: pass an entity, not {0}",
                 assert_int_not_equal(
                     filo_physics2_add_outline(scene.world, (FiloEntity){ 0 }, bow, 4, NULL).code, FILO_OK));
    scene_close(&scene);
}
