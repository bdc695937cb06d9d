#include "base/maths_golden.h"

#include <filo/matrix.h>

static bool near(float a, float b) { return filo_abs(a - b) <= 1e-5f; }
static bool near2(FiloVec2 a, FiloVec2 b) { return near(a.x, b.x) && near(a.y, b.y); }
static bool near3(FiloVec3 a, FiloVec3 b) { return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z); }

static bool near_matrix(FiloMat4 a, FiloMat4 b) {
    for (int i = 0; i < 16; i++)
        if (!near(a.m[i], b.m[i])) return false;
    return true;
}

// q and -q turn alike.
static bool near_rotation(FiloQuat a, FiloQuat b) { return filo_abs(filo_quat_dot(a, b)) > 1.0f - 1e-6f; }

static FiloVec3 any3(Golden *g) {
    float x = golden_unit(g), y = golden_unit(g), z = golden_unit(g);
    return filo_vec3(x, y, z);
}

static FiloQuat any_rotation(Golden *g) {
    FiloVec3 axis = any3(g);
    return filo_quat_from_axis_angle(axis, golden_unit(g) * 7.0f);
}

// With all sixteen entries, and no particular form.
static FiloMat4 any_matrix(Golden *g) {
    FiloMat4 m;
    for (int i = 0; i < 16; i++) m.m[i] = golden_unit(g) + (i % 5 == 0 ? 2.0f : 0.0f);
    return m;
}

static const FiloVec3 x_axis = { 1, 0, 0 }, y_axis = { 0, 1, 0 }, z_axis = { 0, 0, 1 }, one = { 1, 1, 1 };

// ---- 2D affine --------------------------------------------------------------------------------------

FILO_TEST(affine_transforms_scale_then_rotate_then_move) {
    FiloAffine2 t = filo_affine2_from_parts(filo_vec2(10, 20), FILO_HALF_PI, filo_vec2(2, 3));
    assert_true(near2(filo_affine2_point(t, filo_vec2(1, 0)), filo_vec2(10, 22)));
    assert_true(near2(filo_affine2_point(t, filo_vec2(0, 1)), filo_vec2(7, 20)));
    assert_true(near2(filo_affine2_direction(t, filo_vec2(1, 0)), filo_vec2(0, 2)));
    FiloAffine2 chain = filo_affine2_mul(
        filo_affine2_translate(filo_vec2(10, 20)),
        filo_affine2_mul(filo_affine2_rotate(FILO_HALF_PI), filo_affine2_scale(filo_vec2(2, 3))));
    assert_true(near2(chain.x, t.x) && near2(chain.y, t.y) && near2(chain.origin, t.origin));
    assert_true(near(filo_affine2_determinant(t), 6));
    FiloAffine2 same = filo_affine2_mul(filo_affine2_identity(), t);
    assert_memory_equal(&same, &t, sizeof t);
}

FILO_TEST(affine_inverse_leads_back) {
    Golden g = golden_begin();
    for (int i = 0; i < 1000; i++) {
        FiloVec2 position = filo_vec2_scale(filo_vec3_xy(any3(&g)), 5);
        FiloAffine2 t = filo_affine2_from_parts(position, golden_unit(&g) * 9, filo_vec2(2, -0.5f));
        FiloVec2 p = filo_vec3_xy(any3(&g));
        assert_true(near2(filo_affine2_point(filo_affine2_inverse(t), filo_affine2_point(t, p)), p));
    }
    FiloAffine2 zero = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
    FiloAffine2 flat = filo_affine2_inverse(filo_affine2_scale(filo_vec2(1, 0)));
    assert_memory_equal(&flat, &zero, sizeof zero);
}

FILO_TEST(an_affine_rectangle_encloses_the_corners) {
    FiloRect r = filo_rect(filo_vec2(-1, -1), filo_vec2(1, 1));
    FiloRect turned = filo_affine2_rect(filo_affine2_rotate(FILO_PI * 0.25f), r);
    float root = filo_sqrt(2.0f);
    assert_true(near2(turned.min, filo_vec2(-root, -root)) && near2(turned.max, filo_vec2(root, root)));
    FiloRect empty = { { 1, 1 }, { 1, 5 } };
    assert_true(filo_rect_is_empty(filo_affine2_rect(filo_affine2_rotate(1.0f), empty)));
}

// ---- Quaternions ------------------------------------------------------------------------------------

FILO_TEST(quaternions_turn_by_the_right_hand) {
    assert_true(near3(filo_quat_rotate(filo_quat_from_axis_angle(z_axis, FILO_HALF_PI), x_axis), y_axis));
    assert_true(near3(filo_quat_rotate(filo_quat_from_axis_angle(x_axis, FILO_HALF_PI), y_axis), z_axis));
    assert_true(
        near3(filo_quat_rotate(filo_quat_from_axis_angle(filo_vec3(0, 5, 0), FILO_HALF_PI), z_axis), x_axis));
    FiloQuat none = filo_quat_from_axis_angle(filo_vec3(0, 0, 0), 2.0f), identity = filo_quat_identity();
    assert_memory_equal(&none, &identity, sizeof none);
}

FILO_TEST(quaternion_products_turn_by_the_right_one_first) {
    Golden g = golden_begin();
    for (int i = 0; i < 1000; i++) {
        FiloQuat a = any_rotation(&g), b = any_rotation(&g);
        FiloVec3 v = any3(&g);
        assert_true(
            near3(filo_quat_rotate(filo_quat_mul(a, b), v), filo_quat_rotate(a, filo_quat_rotate(b, v))));
        assert_true(near3(filo_quat_rotate(filo_quat_conjugate(a), filo_quat_rotate(a, v)), v));
        assert_true(near3(filo_mat4_direction(filo_quat_to_mat4(a), v), filo_quat_rotate(a, v)));
        assert_true(near_rotation(filo_quat_from_mat4(filo_quat_to_mat4(a)), a));
    }
}

FILO_TEST(every_rotation_survives_conversion_to_a_matrix) {
    // Half turns are the ones where the trace is least.
    FiloVec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 },
                        { 0, 1, 1 }, { 1, 0, -1 }, { 1, 1, 1 } };
    for (size_t i = 0; i < FILO_COUNT_OF(axes); i++) {
        FiloQuat q = filo_quat_from_axis_angle(axes[i], FILO_PI);
        assert_true(near_rotation(filo_quat_from_mat4(filo_quat_to_mat4(q)), q));
    }
    FiloMat4 moved = filo_mat4_from_parts(filo_vec3(5, 6, 7), filo_quat_from_axis_angle(one, 1.0f), one);
    assert_true(near_rotation(filo_quat_from_mat4(moved), filo_quat_from_axis_angle(one, 1.0f)));
}

FILO_TEST(normalising_a_zero_quaternion_gives_the_identity) {
    FiloQuat zero = filo_quat_normalise(filo_quat(0, 0, 0, 0)), identity = filo_quat_identity();
    assert_memory_equal(&zero, &identity, sizeof zero);
    FiloQuat long_one = filo_quat_normalise(filo_quat(0, 3, 0, 4));
    assert_true(near(long_one.y, 0.6f) && near(long_one.w, 0.8f));
}

FILO_TEST(slerp_rotates_at_a_constant_speed_along_the_shorter_arc) {
    FiloQuat a = filo_quat_identity(), b = filo_quat_from_axis_angle(y_axis, 2.0f);
    for (int i = 0; i <= 10; i++) {
        float t = (float)i / 10.0f;
        assert_true(near_rotation(filo_quat_slerp(a, b, t), filo_quat_from_axis_angle(y_axis, 2.0f * t)));
    }
    FiloQuat other_sign = filo_quat(-b.x, -b.y, -b.z, -b.w);
    assert_true(near_rotation(filo_quat_slerp(a, other_sign, 0.5f), filo_quat_from_axis_angle(y_axis, 1.0f)));
    assert_true(near_rotation(filo_quat_nlerp(a, other_sign, 0.5f), filo_quat_from_axis_angle(y_axis, 1.0f)));
    assert_true(near_rotation(filo_quat_slerp(a, a, 0.5f), a));
    FiloQuat close = filo_quat_from_axis_angle(y_axis, 1e-3f);
    assert_true(near(filo_quat_slerp(a, close, 0.5f).y, filo_sin(0.25e-3f)));
    assert_true(near_rotation(filo_quat_nlerp(a, b, 1.0f), b) &&
                near_rotation(filo_quat_nlerp(a, b, 0.0f), a));
}

FILO_TEST(looking_turns_minus_z_along_the_direction) {
    Golden g = golden_begin();
    for (int i = 0; i < 1000; i++) {
        FiloVec3 direction = filo_vec3_scale(any3(&g), 30.0f);
        FiloQuat q = filo_quat_look(direction, y_axis);
        assert_true(near3(filo_quat_rotate(q, filo_vec3(0, 0, -1)), filo_vec3_normalise(direction)));
        assert_true(filo_quat_rotate(q, y_axis).y > 0.0f);
        assert_true(near(filo_quat_rotate(q, x_axis).y, 0.0f));
    }
    FiloVec3 down = filo_vec3(0, -2, 0), zero = filo_vec3(0, 0, 0);
    assert_true(
        near3(filo_quat_rotate(filo_quat_look(down, y_axis), filo_vec3(0, 0, -1)), filo_vec3(0, -1, 0)));
    assert_true(near3(filo_quat_rotate(filo_quat_look(x_axis, zero), filo_vec3(0, 0, -1)), x_axis));
    assert_true(near_rotation(filo_quat_look(zero, y_axis), filo_quat_identity()));
}

// ---- 4x4 matrices -----------------------------------------------------------------------------------

FILO_TEST(matrices_apply_the_right_one_first) {
    FiloMat4 move = filo_mat4_translate(filo_vec3(1, 2, 3)), grow = filo_mat4_scale(filo_vec3(2, 3, 4));
    assert_true(near3(filo_mat4_point(filo_mat4_mul(move, grow), one), filo_vec3(3, 5, 7)));
    assert_true(near3(filo_mat4_point(filo_mat4_mul(grow, move), one), filo_vec3(4, 9, 16)));
    assert_true(near3(filo_mat4_direction(filo_mat4_mul(move, grow), one), filo_vec3(2, 3, 4)));
    assert_true(near3(filo_mat4_direction(filo_mat4_rotate(z_axis, FILO_HALF_PI), x_axis), y_axis));
    FiloQuat q = filo_quat_from_axis_angle(one, 1.0f);
    FiloMat4 parts = filo_mat4_from_parts(filo_vec3(1, 2, 3), q, filo_vec3(2, 3, 4));
    assert_true(near_matrix(parts, filo_mat4_mul(move, filo_mat4_mul(filo_quat_to_mat4(q), grow))));
    assert_true(near_matrix(filo_mat4_mul(parts, filo_mat4_identity()), parts));
    assert_true(move.m[12] == 1 && move.m[13] == 2 && move.m[14] == 3);
}

FILO_TEST(a_matrix_times_its_inverse_is_the_identity) {
    Golden g = golden_begin();
    for (int i = 0; i < 2000; i++) {
        FiloMat4 m = any_matrix(&g);
        if (filo_abs(filo_mat4_determinant(m)) < 1.0f) continue;
        assert_true(near_matrix(filo_mat4_mul(m, filo_mat4_inverse(m)), filo_mat4_identity()));
        assert_true(near_matrix(filo_mat4_mul(filo_mat4_inverse(m), m), filo_mat4_identity()));
    }
    assert_true(filo_mat4_determinant(filo_mat4_scale(filo_vec3(2, -3, 4))) == -24);
    FiloMat4 zero = { { 0 } }, flat = filo_mat4_inverse(filo_mat4_scale(filo_vec3(1, 0, 1)));
    assert_memory_equal(&flat, &zero, sizeof zero);
}

FILO_TEST(transposing_swaps_rows_and_columns) {
    FiloMat4 t = filo_mat4_transpose(filo_mat4_translate(filo_vec3(1, 2, 3)));
    assert_true(t.m[3] == 1 && t.m[7] == 2 && t.m[11] == 3 && t.m[12] == 0);
}

FILO_TEST(a_perspective_maps_its_corners_to_the_cube) {
    FiloMat4 p = filo_mat4_perspective(FILO_HALF_PI, 2.0f, 1.0f, 100.0f);
    assert_true(near3(filo_mat4_project(p, filo_vec3(2, 1, -1)), filo_vec3(1, 1, -1)));
    assert_true(near3(filo_mat4_project(p, filo_vec3(-200, -100, -100)), filo_vec3(-1, -1, 1)));
    assert_true(near3(filo_mat4_project(p, filo_vec3(3, 3, 0)), filo_vec3(0, 0, 0)));
    expect_fault("0 < near < far", p = filo_mat4_perspective(1.0f, 1.0f, 0.0f, 1.0f));
    assert_true(near_matrix(p, filo_mat4_identity()));
    expect_fault("0 < near < far", filo_mat4_perspective(1.0f, 1.0f, 2.0f, 1.0f));
    expect_fault("an angle between 0 and pi", filo_mat4_perspective(4.0f, 1.0f, 1.0f, 2.0f));
    expect_fault("an aspect above 0", filo_mat4_perspective(1.0f, 0.0f, 1.0f, 2.0f));
}

FILO_TEST(an_orthographic_box_maps_its_corners_to_the_cube) {
    FiloMat4 p = filo_mat4_orthographic(-2, 6, 10, 20, 1, 5);
    assert_true(near3(filo_mat4_point(p, filo_vec3(-2, 10, -1)), filo_vec3(-1, -1, -1)));
    assert_true(near3(filo_mat4_point(p, filo_vec3(6, 20, -5)), filo_vec3(1, 1, 1)));
    expect_fault("needs a width", p = filo_mat4_orthographic(1, 1, 0, 1, 0, 1));
    assert_true(near_matrix(p, filo_mat4_identity()));
}

FILO_TEST(looking_at_a_target_puts_it_straight_ahead) {
    FiloMat4 view = filo_mat4_look_at(filo_vec3(5, 5, 5), filo_vec3(5, 5, 9), y_axis);
    assert_true(near3(filo_mat4_point(view, filo_vec3(5, 5, 5)), filo_vec3(0, 0, 0)));
    assert_true(near3(filo_mat4_point(view, filo_vec3(5, 5, 9)), filo_vec3(0, 0, -4)));
    assert_true(near3(filo_mat4_point(view, filo_vec3(5, 6, 5)), filo_vec3(0, 1, 0)));
    FiloQuat q = filo_quat_look(filo_vec3(1, -2, 3), y_axis);
    FiloMat4 camera = filo_mat4_from_parts(filo_vec3(4, 5, 6), q, one);
    view = filo_mat4_look_at(filo_vec3(4, 5, 6), filo_vec3(5, 3, 9), y_axis);
    assert_true(near_matrix(view, filo_mat4_inverse(camera)));
}

// ---- Golden hash ------------------------------------------------------------------------------------

FILO_TEST(transforms_give_the_same_bits_everywhere) {
    Golden g = golden_begin();
    for (int i = 0; i < 5000; i++) {
        FiloQuat a = any_rotation(&g), b = any_rotation(&g);
        FiloMat4 m = any_matrix(&g), n = any_matrix(&g);
        FiloVec3 v = any3(&g), w = any3(&g);
        FiloQuat q[] = { a,
                         filo_quat_mul(a, b),
                         filo_quat_slerp(a, b, 0.3f),
                         filo_quat_nlerp(a, b, 0.6f),
                         filo_quat_look(v, w),
                         filo_quat_from_mat4(filo_quat_to_mat4(a)) };
        FiloMat4 r[] = { filo_mat4_mul(m, n), filo_mat4_inverse(m), filo_mat4_look_at(v, w, y_axis),
                         filo_mat4_from_parts(v, a, w),
                         filo_mat4_perspective(filo_abs(v.x) + 0.1f, 1.5f, 0.1f, 50) };
        FiloAffine2 t = filo_affine2_from_parts(filo_vec3_xy(v), w.x, filo_vec3_xy(w));
        FiloAffine2 s[] = { t, filo_affine2_inverse(t), filo_affine2_mul(t, t) };
        golden_add_all(&g, q, sizeof q);
        golden_add_all(&g, r, sizeof r);
        golden_add_all(&g, s, sizeof s);
        golden_add(&g, filo_mat4_determinant(m));
    }
    golden_expect(g, "transforms", 0xe973d159de409bf7u);
}
