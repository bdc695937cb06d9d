#include "base/maths_golden.h"

#include <filo/vector.h>

static bool near(float a, float b) { return filo_abs(a - b) <= 1e-5f; }
static bool near2(FiloVec2 a, FiloVec2 b) { return near(a.x, b.x) && near(a.y, b.y); }
static bool near3(FiloVec3 a, FiloVec3 b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z); }

static FiloVec2 any2(Golden *g, float size) {
    float x = golden_unit(g) * size, y = golden_unit(g) * size;
    return filo_vec2(x, y);
}

static FiloVec3 any3(Golden *g, float size) {
    FiloVec2 v = any2(g, size);
    return filo_vec3_from_vec2(v, golden_unit(g) * size);
}

static FiloVec4 any4(Golden *g, float size) {
    FiloVec3 v = any3(g, size);
    return filo_vec4_from_vec3(v, golden_unit(g) * size);
}

// ---- Vectors ----------------------------------------------------------------------------------------

FILO_TEST(arithmetic_goes_component_by_component) {
    FiloVec2 a = filo_vec2(1, 2), b = filo_vec2(3, -5);
    assert_true(filo_vec2_equal(filo_vec2_add(a, b), filo_vec2(4, -3)));
    assert_true(filo_vec2_equal(filo_vec2_sub(a, b), filo_vec2(-2, 7)));
    assert_true(filo_vec2_equal(filo_vec2_mul(a, b), filo_vec2(3, -10)));
    assert_true(filo_vec2_equal(filo_vec2_scale(a, 3), filo_vec2(3, 6)));
    assert_true(filo_vec2_equal(filo_vec2_negate(a), filo_vec2(-1, -2)));
    assert_true(filo_vec2_equal(filo_vec2_add_scaled(a, b, 2), filo_vec2(7, -8)));
    assert_true(filo_vec2_equal(filo_vec2_min(a, b), filo_vec2(1, -5)));
    assert_true(filo_vec2_equal(filo_vec2_max(a, b), filo_vec2(3, 2)));
    assert_true(filo_vec2_equal(filo_vec2_floor(filo_vec2(1.5f, -1.5f)), filo_vec2(1, -2)));
    FiloVec3 c = filo_vec3(1, 2, 3), d = filo_vec3(4, -5, 6);
    assert_true(filo_vec3_equal(filo_vec3_add(c, d), filo_vec3(5, -3, 9)));
    assert_true(filo_vec3_equal(filo_vec3_sub(c, d), filo_vec3(-3, 7, -3)));
    assert_true(filo_vec3_equal(filo_vec3_mul(c, d), filo_vec3(4, -10, 18)));
    assert_true(filo_vec3_equal(filo_vec3_scale(c, 2), filo_vec3(2, 4, 6)));
    assert_true(filo_vec3_equal(filo_vec3_negate(c), filo_vec3(-1, -2, -3)));
    assert_true(filo_vec3_equal(filo_vec3_add_scaled(c, d, 2), filo_vec3(9, -8, 15)));
    assert_true(filo_vec3_equal(filo_vec3_min(c, d), filo_vec3(1, -5, 3)));
    assert_true(filo_vec3_equal(filo_vec3_max(c, d), filo_vec3(4, 2, 6)));
    FiloVec4 e = filo_vec4(1, 2, 3, 4), f = filo_vec4(5, -6, 7, 8);
    assert_true(filo_vec4_equal(filo_vec4_add(e, f), filo_vec4(6, -4, 10, 12)));
    assert_true(filo_vec4_equal(filo_vec4_sub(e, f), filo_vec4(-4, 8, -4, -4)));
    assert_true(filo_vec4_equal(filo_vec4_mul(e, f), filo_vec4(5, -12, 21, 32)));
    assert_true(filo_vec4_equal(filo_vec4_scale(e, 2), filo_vec4(2, 4, 6, 8)));
    assert_true(filo_vec4_equal(filo_vec4_negate(e), filo_vec4(-1, -2, -3, -4)));
    assert_true(filo_vec4_equal(filo_vec4_add_scaled(e, f, 2), filo_vec4(11, -10, 17, 20)));
    assert_true(filo_vec4_equal(filo_vec4_min(e, f), filo_vec4(1, -6, 3, 4)));
    assert_true(filo_vec4_equal(filo_vec4_max(e, f), filo_vec4(5, 2, 7, 8)));
    assert_false(filo_vec2_equal(a, b) || filo_vec3_equal(c, d) || filo_vec4_equal(e, f));
}

FILO_TEST(products_lengths_and_distances_are_right) {
    assert_true(filo_vec2_dot(filo_vec2(1, 2), filo_vec2(3, 4)) == 11);
    assert_true(filo_vec2_cross(filo_vec2(1, 0), filo_vec2(0, 1)) == 1);
    assert_true(filo_vec2_length(filo_vec2(3, -4)) == 5 && filo_vec2_length_squared(filo_vec2(3, -4)) == 25);
    assert_true(filo_vec2_distance(filo_vec2(1, 1), filo_vec2(4, 5)) == 5);
    assert_true(filo_vec2_distance_squared(filo_vec2(1, 1), filo_vec2(4, 5)) == 25);
    assert_true(filo_vec3_dot(filo_vec3(1, 2, 3), filo_vec3(4, 5, 6)) == 32);
    FiloVec3 x = filo_vec3(1, 0, 0), y = filo_vec3(0, 1, 0), z = filo_vec3(0, 0, 1);
    assert_true(filo_vec3_equal(filo_vec3_cross(x, y), z));
    assert_true(filo_vec3_equal(filo_vec3_cross(y, z), x));
    assert_true(filo_vec3_equal(filo_vec3_cross(z, x), y));
    assert_true(filo_vec3_length(filo_vec3(2, 3, 6)) == 7 && filo_vec3_distance(x, filo_vec3(3, 3, 6)) == 7);
    assert_true(filo_vec3_length_squared(filo_vec3(2, 3, 6)) == 49);
    assert_true(filo_vec3_distance_squared(x, filo_vec3(3, 3, 6)) == 49);
    assert_true(filo_vec4_dot(filo_vec4(1, 2, 3, 4), filo_vec4(5, 6, 7, 8)) == 70);
    assert_true(filo_vec4_length(filo_vec4(1, 1, 1, 1)) == 2 &&
                filo_vec4_length_squared(filo_vec4(1, 1, 1, 1)) == 4);
    assert_true(filo_vec4_distance(filo_vec4(2, 2, 2, 2), filo_vec4(1, 1, 1, 1)) == 2);
}

FILO_TEST(normalising_gives_length_one_or_zero) {
    Golden g = golden_begin();
    for (int i = 0; i < 20000; i++) {
        float size = filo_exp2(golden_unit(&g) * 58.0f);
        FiloVec2 a = any2(&g, size);
        FiloVec3 b = any3(&g, size);
        FiloVec4 c = any4(&g, size);
        assert_true(filo_abs(filo_vec2_length(filo_vec2_normalise(a)) - 1.0f) < 2.5e-7f);
        assert_true(filo_abs(filo_vec3_length(filo_vec3_normalise(b)) - 1.0f) < 2.5e-7f);
        assert_true(filo_abs(filo_vec4_length(filo_vec4_normalise(c)) - 1.0f) < 2.5e-7f);
    }
    float outside[] = { 0.0f, 1e-20f, 0x1p-149f, 1e20f, FLT_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(outside); i++) {
        float s = outside[i];
        assert_true(filo_vec2_equal(filo_vec2_normalise(filo_vec2(s, 0)), filo_vec2(0, 0)));
        assert_true(filo_vec3_equal(filo_vec3_normalise(filo_vec3(0, s, 0)), filo_vec3(0, 0, 0)));
        assert_true(filo_vec4_equal(filo_vec4_normalise(filo_vec4(0, 0, 0, s)), filo_vec4(0, 0, 0, 0)));
    }
}

FILO_TEST(clamping_a_length_leaves_short_vectors_alone) {
    assert_true(filo_vec2_equal(filo_vec2_clamp_length(filo_vec2(3, 4), 5), filo_vec2(3, 4)));
    assert_true(near2(filo_vec2_clamp_length(filo_vec2(30, 40), 5), filo_vec2(3, 4)));
    assert_true(filo_vec2_equal(filo_vec2_clamp_length(filo_vec2(0, 0), 5), filo_vec2(0, 0)));
    assert_true(filo_vec2_equal(filo_vec2_clamp_length(filo_vec2(3, 4), 0), filo_vec2(0, 0)));
    assert_true(near3(filo_vec3_clamp_length(filo_vec3(20, 30, 60), 7), filo_vec3(2, 3, 6)));
    assert_true(filo_vec3_equal(filo_vec3_clamp_length(filo_vec3(2, 3, 6), 8), filo_vec3(2, 3, 6)));
    assert_true(near(filo_vec4_length(filo_vec4_clamp_length(filo_vec4(9, 9, 9, 9), 2)), 2));
}

FILO_TEST(approaching_a_point_never_passes_it) {
    assert_true(near2(filo_vec2_approach(filo_vec2(0, 0), filo_vec2(30, 40), 5), filo_vec2(3, 4)));
    assert_true(filo_vec2_equal(filo_vec2_approach(filo_vec2(0, 0), filo_vec2(3, 4), 6), filo_vec2(3, 4)));
    assert_true(filo_vec2_equal(filo_vec2_approach(filo_vec2(1, 1), filo_vec2(3, 4), -6), filo_vec2(1, 1)));
    assert_true(near3(filo_vec3_approach(filo_vec3(0, 0, 0), filo_vec3(4, 6, 12), 7), filo_vec3(2, 3, 6)));
    assert_true(
        filo_vec3_equal(filo_vec3_approach(filo_vec3(1, 1, 1), filo_vec3(1, 1, 1), 0), filo_vec3(1, 1, 1)));
}

FILO_TEST(turning_goes_from_x_towards_y) {
    assert_true(near2(filo_vec2_rotate(filo_vec2(2, 0), FILO_HALF_PI), filo_vec2(0, 2)));
    assert_true(filo_vec2_equal(filo_vec2_perpendicular(filo_vec2(1, 0)), filo_vec2(0, 1)));
    assert_true(near2(filo_vec2_from_angle(FILO_PI), filo_vec2(-1, 0)));
    assert_true(near(filo_vec2_angle(filo_vec2(0, 3)), FILO_HALF_PI));
    assert_true(filo_vec2_angle(filo_vec2(0, 0)) == 0);
    Golden g = golden_begin();
    for (int i = 0; i < 2000; i++) {
        FiloVec3 v = any3(&g, 10.0f), p = filo_vec3_perpendicular(v);
        assert_true(filo_abs(filo_vec3_dot(v, p)) < 1e-5f && near(filo_vec3_length(p), 1));
    }
    assert_true(filo_vec3_equal(filo_vec3_perpendicular(filo_vec3(0, 0, 0)), filo_vec3(0, 0, 0)));
}

FILO_TEST(reflection_and_projection_split_a_vector) {
    assert_true(filo_vec2_equal(filo_vec2_reflect(filo_vec2(3, -4), filo_vec2(0, 1)), filo_vec2(3, 4)));
    assert_true(near2(filo_vec2_project(filo_vec2(3, 4), filo_vec2(0, 9)), filo_vec2(0, 4)));
    assert_true(filo_vec2_equal(filo_vec2_project(filo_vec2(3, 4), filo_vec2(0, 0)), filo_vec2(0, 0)));
    assert_true(
        filo_vec3_equal(filo_vec3_reflect(filo_vec3(1, 2, -3), filo_vec3(0, 0, 1)), filo_vec3(1, 2, 3)));
    assert_true(near3(filo_vec3_project(filo_vec3(1, 2, 3), filo_vec3(0, 5, 0)), filo_vec3(0, 2, 0)));
}

FILO_TEST(lerp_of_vectors_is_exact_at_the_ends) {
    FiloVec4 a = filo_vec4(0.1f, 0.2f, 0.3f, 0.4f), b = filo_vec4(7.7f, -8.8f, 9.9f, 1e-3f);
    assert_true(filo_vec4_equal(filo_vec4_lerp(a, b, 0), a) && filo_vec4_equal(filo_vec4_lerp(a, b, 1), b));
    FiloVec3 c = filo_vec4_xyz(a), d = filo_vec4_xyz(b);
    assert_true(filo_vec3_equal(filo_vec3_lerp(c, d, 0), c) && filo_vec3_equal(filo_vec3_lerp(c, d, 1), d));
    assert_true(filo_vec2_equal(filo_vec2_lerp(filo_vec2(0, 2), filo_vec2(4, 4), 0.5f), filo_vec2(2, 3)));
}

FILO_TEST(integer_vectors_wrap_and_find_their_cell) {
    FiloIVec2 a = filo_ivec2(1, 2), b = filo_ivec2(-3, 5);
    assert_true(filo_ivec2_equal(filo_ivec2_add(a, b), filo_ivec2(-2, 7)));
    assert_true(filo_ivec2_equal(filo_ivec2_sub(a, b), filo_ivec2(4, -3)));
    assert_true(filo_ivec2_equal(filo_ivec2_mul(a, b), filo_ivec2(-3, 10)));
    assert_true(filo_ivec2_equal(filo_ivec2_scale(b, 2), filo_ivec2(-6, 10)));
    assert_true(filo_ivec2_equal(filo_ivec2_min(a, b), filo_ivec2(-3, 2)));
    assert_true(filo_ivec2_equal(filo_ivec2_max(a, b), filo_ivec2(1, 5)));
    assert_true(filo_ivec2_dot(a, b) == 7);
    assert_false(filo_ivec2_equal(a, b));
    FiloIVec2 last = filo_ivec2(INT32_MAX, INT32_MIN);
    assert_true(filo_ivec2_equal(filo_ivec2_add(last, filo_ivec2(1, -1)), filo_ivec2(INT32_MIN, INT32_MAX)));
    assert_true(filo_ivec2_equal(filo_ivec2_scale(last, 2), filo_ivec2(-2, 0)));
    assert_true(filo_ivec2_dot(last, last) > ((int64_t)1 << 62));
    assert_true(filo_ivec2_equal(filo_ivec2_from_vec2(filo_vec2(-0.5f, 1.5f)), filo_ivec2(-1, 1)));
    assert_true(filo_vec2_equal(filo_vec2_from_ivec2(b), filo_vec2(-3, 5)));
}

// ---- Rectangles and boxes ---------------------------------------------------------------------------

static bool same_rect(FiloRect a, FiloRect b) {
    return filo_vec2_equal(a.min, b.min) && filo_vec2_equal(a.max, b.max);
}

FILO_TEST(a_rectangle_contains_its_lower_edges_only) {
    FiloRect r = filo_rect_from_size(filo_vec2(1, 2), filo_vec2(3, 4));
    assert_true(filo_rect_contains(r, filo_vec2(1, 2)) && filo_rect_contains(r, filo_vec2(3.9f, 5.9f)));
    assert_false(filo_rect_contains(r, filo_vec2(4, 3)) || filo_rect_contains(r, filo_vec2(2, 6)));
    assert_false(filo_rect_contains(r, filo_vec2(0.9f, 3)) || filo_rect_contains(r, filo_vec2(2, 1.9f)));
    assert_true(filo_vec2_equal(filo_rect_size(r), filo_vec2(3, 4)));
    assert_true(filo_vec2_equal(filo_rect_centre(r), filo_vec2(2.5f, 4)));
    assert_true(same_rect(filo_rect_from_centre(filo_vec2(2.5f, 4), filo_vec2(3, 4)), r));
    assert_true(same_rect(filo_rect_move(r, filo_vec2(1, -1)), filo_rect(filo_vec2(2, 1), filo_vec2(5, 5))));
    assert_true(filo_vec2_equal(filo_rect_clamp(r, filo_vec2(9, 3)), filo_vec2(4, 3)));
}

FILO_TEST(rectangles_that_touch_do_not_overlap) {
    FiloRect r = filo_rect(filo_vec2(0, 0), filo_vec2(2, 2));
    FiloRect beside = filo_rect_move(r, filo_vec2(2, 0)), across = filo_rect_move(r, filo_vec2(1, 1));
    FiloRect empty = { { 0, 0 }, { 0, 0 } }, line = { { 1, 0 }, { 1, 2 } };
    assert_true(filo_rect_overlaps(r, across) && filo_rect_overlaps(r, r));
    assert_false(filo_rect_overlaps(r, beside) || filo_rect_overlaps(r, line) ||
                 filo_rect_overlaps(empty, r));
    assert_true(same_rect(filo_rect_intersection(r, across), filo_rect(filo_vec2(1, 1), filo_vec2(2, 2))));
    assert_true(same_rect(filo_rect_intersection(r, beside), empty));
    assert_true(same_rect(filo_rect_union(r, across), filo_rect(filo_vec2(0, 0), filo_vec2(3, 3))));
    assert_true(same_rect(filo_rect_union(across, empty), across) &&
                same_rect(filo_rect_union(empty, across), across));
    assert_true(same_rect(filo_rect_expand(r, 1), filo_rect(filo_vec2(-1, -1), filo_vec2(3, 3))));
    assert_true(filo_rect_is_empty(filo_rect_expand(r, -1)) && filo_rect_is_empty(empty) &&
                filo_rect_is_empty(line));
}

static bool same_box(FiloAabb3 a, FiloAabb3 b) {
    return filo_vec3_equal(a.min, b.min) && filo_vec3_equal(a.max, b.max);
}

FILO_TEST(boxes_are_rectangles_in_three_dimensions) {
    FiloVec3 one = filo_vec3(1, 1, 1), two = filo_vec3(2, 2, 2), zero = filo_vec3(0, 0, 0);
    FiloAabb3 box = filo_aabb3_from_size(zero, two), empty = { { 0, 0, 0 }, { 0, 0, 0 } };
    assert_true(same_box(filo_aabb3_from_centre(one, two), box));
    assert_true(filo_vec3_equal(filo_aabb3_centre(box), one) && filo_vec3_equal(filo_aabb3_size(box), two));
    assert_true(filo_aabb3_contains(box, zero) && filo_aabb3_contains(box, one));
    assert_false(filo_aabb3_contains(box, filo_vec3(1, 1, 2)) ||
                 filo_aabb3_contains(box, filo_vec3(1, -1, 1)));
    assert_false(filo_aabb3_contains(box, filo_vec3(2, 1, 1)) ||
                 filo_aabb3_contains(box, filo_vec3(1, 2, 1)));
    FiloAabb3 across = filo_aabb3_move(box, one), above = filo_aabb3_move(box, filo_vec3(0, 0, 2));
    assert_true(filo_aabb3_overlaps(box, across));
    assert_false(filo_aabb3_overlaps(box, above) || filo_aabb3_overlaps(box, empty));
    assert_true(same_box(filo_aabb3_intersection(box, across), filo_aabb3(one, two)));
    assert_true(same_box(filo_aabb3_intersection(box, above), empty));
    assert_true(same_box(filo_aabb3_union(box, across), filo_aabb3(zero, filo_vec3(3, 3, 3))));
    assert_true(same_box(filo_aabb3_union(empty, across), across) &&
                same_box(filo_aabb3_union(across, empty), across));
    assert_true(same_box(filo_aabb3_expand(filo_aabb3(one, one), 1), box));
    assert_true(filo_vec3_equal(filo_aabb3_clamp(box, filo_vec3(1, 5, -5)), filo_vec3(1, 2, 0)));
}

// ---- Golden hash ------------------------------------------------------------------------------------

FILO_TEST(vectors_give_the_same_bits_everywhere) {
    Golden g = golden_begin();
    for (int i = 0; i < 20000; i++) {
        FiloVec2 a = any2(&g, 100.0f), b = any2(&g, 100.0f);
        FiloVec3 c = any3(&g, 100.0f), d = any3(&g, 100.0f);
        FiloVec4 e = any4(&g, 100.0f), f = any4(&g, 100.0f);
        FiloVec2 r2[] = { filo_vec2_normalise(a),      filo_vec2_rotate(a, b.x),
                          filo_vec2_project(a, b),     filo_vec2_clamp_length(a, 9),
                          filo_vec2_approach(a, b, 3), filo_vec2_lerp(a, b, 0.3f),
                          filo_vec2_reflect(a, b) };
        FiloVec3 r3[] = { filo_vec3_normalise(c),      filo_vec3_cross(c, d),
                          filo_vec3_project(c, d),     filo_vec3_clamp_length(c, 9),
                          filo_vec3_approach(c, d, 3), filo_vec3_perpendicular(c) };
        FiloVec4 r4[] = { filo_vec4_normalise(e), filo_vec4_lerp(e, f, 0.7f), filo_vec4_clamp_length(f, 9) };
        golden_add_all(&g, r2, sizeof r2);
        golden_add_all(&g, r3, sizeof r3);
        golden_add_all(&g, r4, sizeof r4);
        golden_add(&g, filo_vec4_dot(e, f));
        golden_add(&g, filo_vec2_distance(a, b));
    }
    golden_expect(g, "vectors", 0x88efb3c8aab65a47u);
}
