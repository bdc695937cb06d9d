#include "base/maths_golden.h"

#include <filo/curves.h>

static bool near(float a, float b, float by) { return filo_abs(a - b) <= by; }
static bool near2(FiloVec2 a, FiloVec2 b) { return near(a.x, b.x, 1e-5f) && near(a.y, b.y, 1e-5f); }
static bool near3(FiloVec3 a, FiloVec3 b) {
    return near2(filo_vec3_xy(a), filo_vec3_xy(b)) && near(a.z, b.z, 1e-5f);
}

static FiloVec2 v(float x, float y) { return filo_vec2(x, y); }

// ---- Easing -----------------------------------------------------------------------------------------

FILO_TEST(every_easing_starts_at_exactly_zero_and_ends_at_exactly_one) {
    for (int k = 0; k < FILO_EASE_COUNT; k++) {
        FiloEase kind = (FiloEase)k;
        assert_true(filo_ease(kind, 0.0f) == 0.0f && filo_ease(kind, -3.0f) == 0.0f);
        assert_true(filo_ease(kind, 1.0f) == 1.0f && filo_ease(kind, 3.0f) == 1.0f);
        assert_true(filo_ease(kind, __builtin_nanf("")) == 0.0f);
        // And it is continuous, also in the middle.
        float times[] = { 1e-7f, 0.49999997f, 0.5f, 0.50000006f, 0.9999999f };
        for (size_t i = 0; i < FILO_COUNT_OF(times); i++) {
            float before = filo_ease(kind, times[i] - 1e-7f), after = filo_ease(kind, times[i] + 1e-7f);
            if (!near(before, after, 8e-4f)) fail_msg("easing %d jumps at %g", k, (double)times[i]);
        }
    }
    assert_int_equal(FILO_EASE_COUNT, 31);
}

FILO_TEST(out_mirrors_in_and_in_out_joins_them) {
    for (int k = FILO_EASE_QUAD_IN; k < FILO_EASE_COUNT; k += 3) {
        for (int i = 1; i < 64; i++) {
            float t = (float)i / 64.0f;
            float in = filo_ease((FiloEase)k, t), out = filo_ease((FiloEase)(k + 1), 1.0f - t);
            float first = filo_ease((FiloEase)(k + 2), 0.5f * t),
                  second = filo_ease((FiloEase)(k + 2), 1.0f - 0.5f * t);
            assert_true(near(out, 1.0f - in, 1e-6f));
            assert_true(near(first, 0.5f * in, 1e-6f) && near(second, 1.0f - 0.5f * in, 1e-6f));
        }
    }
}

FILO_TEST(easings_have_their_shape) {
    assert_true(filo_ease(FILO_EASE_LINEAR, 0.3f) == 0.3f);
    assert_true(filo_ease(FILO_EASE_QUAD_IN, 0.5f) == 0.25f && filo_ease(FILO_EASE_CUBIC_IN, 0.5f) == 0.125f);
    assert_true(filo_ease(FILO_EASE_QUART_IN, 0.5f) == 0.0625f &&
                filo_ease(FILO_EASE_QUINT_IN, 0.5f) == 0.03125f);
    assert_true(near(filo_ease(FILO_EASE_SINE_IN, 0.5f), 1.0f - filo_sqrt(0.5f), 1e-6f));
    assert_true(near(filo_ease(FILO_EASE_EXPO_IN, 0.5f), 31.0f / 1023.0f, 1e-6f));
    assert_true(near(filo_ease(FILO_EASE_CIRC_IN, 0.6f), 0.2f, 1e-6f));
    float lowest = 0.0f;
    for (int i = 0; i <= 1000; i++)
        lowest = filo_min(lowest, filo_ease(FILO_EASE_BACK_IN, (float)i / 1000.0f));
    assert_true(near(lowest, -0.1f, 1e-4f));
    assert_true(filo_ease(FILO_EASE_ELASTIC_OUT, 0.15f) > 1.1f);
    // The ball touches the ground at 1, and never goes below.
    assert_true(near(filo_ease(FILO_EASE_BOUNCE_OUT, 1.0f / 2.75f), 1.0f, 1e-5f));
    assert_true(near(filo_ease(FILO_EASE_BOUNCE_OUT, 1.5f / 2.75f), 0.75f, 1e-5f));
    for (int i = 0; i <= 1000; i++) assert_true(filo_ease(FILO_EASE_BOUNCE_OUT, (float)i / 1000.0f) <= 1.0f);
}

FILO_TEST(an_unknown_easing_is_linear_and_reported) {
    float answer = 0.0f;
    expect_fault("pass a FiloEase, not 31", answer = filo_ease(FILO_EASE_COUNT, 0.25f));
    assert_true(answer == 0.25f);
}

// ---- Bézier curves ----------------------------------------------------------------------------------

static const FiloBezier2 s_curve = { { { 0, 0 }, { 0, 3 }, { 4, -2 }, { 5, 1 } } };

FILO_TEST(a_curve_starts_and_ends_at_its_ends) {
    assert_true(filo_vec2_equal(filo_bezier2_point(&s_curve, 0), s_curve.p[0]));
    assert_true(filo_vec2_equal(filo_bezier2_point(&s_curve, 1), s_curve.p[3]));
    assert_true(near2(filo_bezier2_tangent(&s_curve, 0), v(0, 9)) &&
                near2(filo_bezier2_tangent(&s_curve, 1), v(3, 9)));
    assert_true(near2(filo_bezier2_point(&s_curve, 0.5f), v(2.125f, 0.5f)));
    FiloBezier3 c =
        filo_bezier3(filo_vec3(0, 0, 1), filo_vec3(0, 3, 2), filo_vec3(4, -2, 3), filo_vec3(5, 1, 4));
    assert_true(near3(filo_bezier3_point(&c, 0.5f), filo_vec3(2.125f, 0.5f, 2.5f)));
    assert_true(near3(filo_bezier3_tangent(&c, 0), filo_vec3(0, 9, 3)));
}

FILO_TEST(the_tangent_is_the_derivative) {
    for (int i = 1; i < 20; i++) {
        float t = (float)i / 20.0f, h = 1e-3f;
        FiloVec2 a = filo_bezier2_point(&s_curve, t - h), b = filo_bezier2_point(&s_curve, t + h);
        FiloVec2 slope = filo_vec2_scale(filo_vec2_sub(b, a), 0.5f / h);
        assert_true(filo_vec2_distance(slope, filo_bezier2_tangent(&s_curve, t)) < 2e-3f);
    }
}

FILO_TEST(a_quadratic_curve_is_the_same_as_a_cubic_one) {
    FiloVec2 a = v(1, 2), b = v(5, 9), c = v(7, -3);
    FiloBezier2 curve = filo_bezier2_quadratic(a, b, c);
    for (int i = 0; i <= 16; i++) {
        float t = (float)i / 16.0f;
        FiloVec2 p = filo_vec2_lerp(filo_vec2_lerp(a, b, t), filo_vec2_lerp(b, c, t), t);
        assert_true(near2(filo_bezier2_point(&curve, t), p));
    }
    assert_true(near2(filo_bezier2_tangent(&curve, 0), v(8, 14)));
}

FILO_TEST(both_parts_of_a_split_lie_on_the_curve) {
    FiloBezier2 before, after;
    filo_bezier2_split(&s_curve, 0.3f, &before, &after);
    for (int i = 0; i <= 10; i++) {
        float t = (float)i / 10.0f;
        assert_true(near2(filo_bezier2_point(&before, t), filo_bezier2_point(&s_curve, 0.3f * t)));
        assert_true(near2(filo_bezier2_point(&after, t), filo_bezier2_point(&s_curve, 0.3f + 0.7f * t)));
    }
    assert_true(filo_vec2_equal(before.p[3], after.p[0]));
    FiloBezier2 itself = s_curve;
    filo_bezier2_split(&itself, 0.3f, NULL, &itself);
    assert_memory_equal(&itself, &after, sizeof after);
    itself = s_curve;
    filo_bezier2_split(&itself, 0.3f, &itself, NULL);
    assert_memory_equal(&itself, &before, sizeof before);
    FiloBezier3 c = { { { 0, 0, 0 }, { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 10 } } }, first = c, second;
    filo_bezier3_split(&first, 0.5f, &first, &second);
    assert_true(near3(filo_bezier3_point(&first, 0.5f), filo_bezier3_point(&c, 0.25f)));
    assert_true(near3(filo_bezier3_point(&second, 0.5f), filo_bezier3_point(&c, 0.75f)));
}

// ---- Catmull-Rom ------------------------------------------------------------------------------------

FILO_TEST(splines_run_through_their_points_without_a_corner) {
    FiloVec2 p[] = { { 0, 0 }, { 1, 3 }, { 5, 2 }, { 6, 6 }, { 20, 5 } };
    for (int kind = 0; kind < 3; kind++) {
        FiloBezier2 a = filo_bezier2_catmull_rom(p[0], p[1], p[2], p[3], (FiloSpline)kind);
        FiloBezier2 b = filo_bezier2_catmull_rom(p[1], p[2], p[3], p[4], (FiloSpline)kind);
        assert_true(filo_vec2_equal(a.p[0], p[1]) && filo_vec2_equal(a.p[3], p[2]) &&
                    filo_vec2_equal(b.p[0], p[2]));
        FiloVec2 arrives = filo_vec2_normalise(filo_bezier2_tangent(&a, 1));
        assert_true(near2(arrives, filo_vec2_normalise(filo_bezier2_tangent(&b, 0))));
    }
    FiloBezier2 uniform = filo_bezier2_catmull_rom(p[0], p[1], p[2], p[3], FILO_SPLINE_UNIFORM);
    assert_true(near2(filo_bezier2_tangent(&uniform, 0), v(2.5f, 1.0f)));
}

// Barry and Goldman's pyramid: the definition of the centripetal spline.
static FiloVec2 pyramid(const FiloVec2 *p, float u) {
    float k[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
    for (int i = 1; i < 4; i++) k[i] = k[i - 1] + filo_sqrt(filo_vec2_distance(p[i - 1], p[i]));
    float t = filo_lerp(k[1], k[2], u);
    FiloVec2 a[3], b[2];
    for (int i = 0; i < 3; i++) a[i] = filo_vec2_lerp(p[i], p[i + 1], filo_inverse_lerp(k[i], k[i + 1], t));
    for (int i = 0; i < 2; i++) b[i] = filo_vec2_lerp(a[i], a[i + 1], filo_inverse_lerp(k[i], k[i + 2], t));
    return filo_vec2_lerp(b[0], b[1], u);
}

FILO_TEST(a_centripetal_spline_follows_its_definition) {
    FiloVec2 p[] = { { 0, 0 }, { 1, 3 }, { 1.5f, 3 }, { 6, -6 } };
    FiloBezier2 curve = filo_bezier2_catmull_rom(p[0], p[1], p[2], p[3], FILO_SPLINE_CENTRIPETAL);
    for (int i = 0; i <= 16; i++) {
        float u = (float)i / 16.0f;
        assert_true(near2(filo_bezier2_point(&curve, u), pyramid(p, u)));
    }
}

FILO_TEST(equal_points_do_not_break_a_spline) {
    FiloVec3 a = filo_vec3(1, 2, 3), b = filo_vec3(4, 5, 6);
    for (int kind = 0; kind < 3; kind++) {
        FiloBezier3 end = filo_bezier3_catmull_rom(a, a, b, b, (FiloSpline)kind);
        FiloBezier3 point = filo_bezier3_catmull_rom(a, a, a, a, (FiloSpline)kind);
        FiloVec3 middle = filo_bezier3_point(&end, 0.5f);
        assert_true(near3(middle, filo_vec3(2.5f, 3.5f, 4.5f)));
        assert_true(near3(filo_bezier3_point(&point, 0.3f), a));
        assert_true(near(filo_bezier3_length(&point), 0.0f, 1e-5f));
        assert_true(near3(filo_bezier3_at_distance(&point, 1.0f), a));
    }
}

// ---- Distances --------------------------------------------------------------------------------------

static float measured_by_steps(const FiloBezier2 *curve, float end) {
    double sum = 0.0;
    FiloVec2 last = curve->p[0];
    for (int i = 1; i <= 2000; i++) {
        FiloVec2 next = filo_bezier2_point(curve, end * (float)i / 2000.0f);
        sum += (double)filo_vec2_distance(last, next);
        last = next;
    }
    return (float)sum;
}

FILO_TEST(lengths_agree_with_many_small_steps) {
    assert_true(near(filo_bezier2_length(&s_curve), measured_by_steps(&s_curve, 1.0f), 1e-4f));
    assert_true(near(filo_bezier2_length_to(&s_curve, 0.37f), measured_by_steps(&s_curve, 0.37f), 1e-4f));
    assert_true(filo_bezier2_length_to(&s_curve, -1) == 0.0f);
    assert_true(filo_bezier2_length_to(&s_curve, 2) == filo_bezier2_length(&s_curve));
    FiloBezier3 line = { { { 0, 0, 0 }, { 2, 3, 6 }, { 4, 6, 12 }, { 6, 9, 18 } } };
    assert_true(near(filo_bezier3_length(&line), 21.0f, 1e-5f));
    FiloBezier2 cusp = { { { 0, 0 }, { 1, 1 }, { 0, 1 }, { 1, 0 } } };
    float length = filo_bezier2_length(&cusp);
    assert_true(near(length, measured_by_steps(&cusp, 1.0f), 1e-3f * length));
}

FILO_TEST(equal_distances_along_a_curve_are_equal_steps) {
    float length = filo_bezier2_length(&s_curve);
    for (int i = 0; i <= 50; i++) {
        float distance = length * (float)i / 50.0f, t = filo_bezier2_parameter_at(&s_curve, distance);
        assert_true(near(filo_bezier2_length_to(&s_curve, t), distance, 1e-5f * length));
        assert_true(
            filo_vec2_equal(filo_bezier2_at_distance(&s_curve, distance), filo_bezier2_point(&s_curve, t)));
    }
    assert_true(filo_bezier2_parameter_at(&s_curve, -1) == 0.0f);
    assert_true(filo_bezier2_parameter_at(&s_curve, length + 1) == 1.0f);
    assert_true(filo_bezier2_parameter_at(&s_curve, __builtin_nanf("")) == 0.0f);
    // Standing still at both ends of the middle does not confuse it.
    FiloBezier3 still = { { { 0, 0, 0 }, { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 0 } } };
    assert_true(near(filo_bezier3_at_distance(&still, 2).x, 2, 1e-4f));
}

FILO_TEST(a_measured_path_is_walked_across_its_curves) {
    FiloBezier2 path[3];
    for (int i = 0; i < 3; i++) {
        float x = (float)(3 * i);
        path[i] = filo_bezier2(v(x, 0), v(x + 1, 0), v(x + 2, 0), v(x + 3, 0));
    }
    float ends[3];
    assert_true(near(filo_bezier2_path_measure(path, 3, ends), 9, 1e-5f));
    for (int i = -2; i <= 40; i++) {
        float distance = (float)i * 0.25f;
        assert_true(
            near2(filo_bezier2_path_point(path, 3, ends, distance), v(filo_clamp(distance, 0, 9), 0)));
    }
    FiloBezier3 one = { { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, { 0, 0, 3 } } };
    assert_true(near(filo_bezier3_path_measure(&one, 1, ends), 3, 1e-5f));
    assert_true(near3(filo_bezier3_path_point(&one, 1, ends, 1), filo_vec3(0, 0, 1)));
    assert_true(filo_bezier3_path_measure(NULL, 0, NULL) == 0.0f);
}

FILO_TEST(a_path_without_curves_is_refused) {
    FiloVec2 p;
    FiloVec3 q;
    float end = 0.0f;
    expect_fault("at least one curve", p = filo_bezier2_path_point(&s_curve, 0, &end, 1));
    expect_fault("at least one curve", q = filo_bezier3_path_point(NULL, 1, &end, 1));
    expect_fault("at least one curve", filo_bezier2_path_measure(&s_curve, 1, NULL));
    assert_true(filo_vec2_equal(p, v(0, 0)) && filo_vec3_equal(q, filo_vec3(0, 0, 0)));
}

// ---- Golden hash ------------------------------------------------------------------------------------

FILO_TEST(curves_give_the_same_bits_everywhere) {
    Golden g = golden_begin();
    for (int i = 0; i < 300; i++) {
        FiloVec3 p[4];
        for (int j = 0; j < 4; j++) {
            float x = golden_unit(&g), y = golden_unit(&g), z = golden_unit(&g);
            p[j] = filo_vec3(x, y, z);
        }
        float t = filo_abs(golden_unit(&g));
        for (int kind = 0; kind < 3; kind++) {
            FiloBezier3 curve = filo_bezier3_catmull_rom(p[0], p[1], p[2], p[3], (FiloSpline)kind);
            FiloVec3 points[] = { filo_bezier3_point(&curve, t), filo_bezier3_tangent(&curve, t),
                                  filo_bezier3_at_distance(&curve, t) };
            golden_add_all(&g, points, sizeof points);
            golden_add(&g, filo_bezier3_length(&curve));
        }
        for (int kind = 0; kind < FILO_EASE_COUNT; kind++) golden_add(&g, filo_ease((FiloEase)kind, t));
    }
    golden_expect(g, "curves", 0xf6ab3549931d21bfu);
}
