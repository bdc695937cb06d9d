// The scalar functions: their error against the C library in double, their special cases, and golden hashes.

#include "base/maths_golden.h"

#include <math.h>

#define INF      ((float)INFINITY)
#define SAMPLES  200000
#define ANY_NAN  ((float)NAN)
#define FLOAT(b) filo_float_from_bits(b)

#define assert_same_bits(a, b) assert_int_equal(filo_float_to_bits(a), filo_float_to_bits(b))
#define assert_nan(x)          assert_true(filo_is_nan(x))

typedef float Function(float);
typedef float Function2(float, float);
typedef double Reference(double);

// ---- Error bounds -----------------------------------------------------------------------------------

static double ulp_of(double x) {
    double size = fabs(x);
    if (size < 0x1p-126) return 0x1p-149;
    int exponent;
    frexp(size, &exponent);
    return ldexp(1.0, exponent - 24);
}

static double error_in_ulp(float answer, double truth) {
    float rounded = (float)truth;
    if (isnan(truth)) return filo_is_nan(answer) ? 0.0 : INFINITY;
    if (isinf(rounded)) return answer == rounded ? 0.0 : INFINITY;
    return fabs((double)answer - truth) / ulp_of(truth);
}

// Samples both signs of all sizes of floats whose bits lie from `low` up to `high`.
static void expect_error_below(const char *name, Function *function, Reference *reference, uint32_t low,
                               uint32_t high, double bound) {
    uint32_t step = (high - low) / SAMPLES | 1;
    for (uint64_t bits = low; bits <= high; bits += step) {
        for (uint32_t sign = 0; sign < 2; sign++) {
            float x = FLOAT((uint32_t)bits | sign << 31);
            double error = error_in_ulp(function(x), reference((double)x));
            if (!(error <= bound)) fail_msg("%s(%a): error of %g ulp", name, (double)x, error);
        }
    }
}

static uint32_t bits_of(float x) { return filo_float_to_bits(x); }

FILO_TEST(sine_and_cosine_keep_their_bound_up_to_the_limit) {
    uint32_t last = bits_of(FILO_ANGLE_LIMIT) - 1;
    expect_error_below("sin", filo_sin, sin, 0, last, 2.1);
    expect_error_below("cos", filo_cos, cos, 0, last, 2.1);
    expect_error_below("sin", filo_sin, sin, bits_of(0.01f), bits_of(100.0f), 2.1);
    expect_error_below("cos", filo_cos, cos, bits_of(0.01f), bits_of(100.0f), 2.1);
    expect_error_below("tan", filo_tan, tan, 0, last, 4.0);
    expect_error_below("tan", filo_tan, tan, bits_of(0.1f), bits_of(10.0f), 4.0);
}

FILO_TEST(sine_and_cosine_have_a_small_absolute_error_and_never_leave_the_unit_range) {
    for (int i = 0; i < 4 * SAMPLES; i++) {
        float x = (float)i * 1.37f;
        assert_true(fabs((double)filo_sin(x) - sin((double)x)) < 1.3e-7);
        assert_true(fabs((double)filo_cos(x) - cos((double)x)) < 1.3e-7);
        assert_true(filo_abs(filo_sin(x)) <= 1.0f && filo_abs(filo_cos(x)) <= 1.0f);
    }
    // Next to the peaks, where an error would give more than 1.
    for (int i = -2000; i <= 2000; i++) {
        float x = FLOAT((uint32_t)((int32_t)bits_of(FILO_HALF_PI) + i));
        assert_true(filo_sin(x) <= 1.0f && filo_cos((float)i * 1e-6f) <= 1.0f);
    }
}

FILO_TEST(sine_and_cosine_are_exact_at_multiples_of_a_right_angle) {
    assert_same_bits(filo_sin(0.0f), 0.0f);
    assert_same_bits(filo_sin(-0.0f), -0.0f);
    assert_same_bits(filo_cos(0.0f), 1.0f);
    assert_same_bits(filo_cos(-0.0f), 1.0f);
    assert_same_bits(filo_sin(FILO_HALF_PI), 1.0f);
    assert_same_bits(filo_sin(-FILO_HALF_PI), -1.0f);
    assert_same_bits(filo_cos(FILO_PI), -1.0f);
    assert_same_bits(filo_sin(0x1p-140f), 0x1p-140f);
}

FILO_TEST(sine_is_odd_and_cosine_is_even_to_the_bit) {
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) {
        float x = golden_unit(&g) * 1e6f;
        assert_same_bits(filo_sin(-x), -filo_sin(x));
        assert_same_bits(filo_tan(-x), -filo_tan(x));
        assert_same_bits(filo_cos(-x), filo_cos(x));
        assert_same_bits(filo_sincos(x).sin, filo_sin(x));
        assert_same_bits(filo_sincos(x).cos, filo_cos(x));
    }
}

FILO_TEST(an_angle_beyond_the_limit_counts_as_zero_and_an_infinite_one_is_nan) {
    float beyond[] = { FILO_ANGLE_LIMIT, -FILO_ANGLE_LIMIT, 1e9f, FLT_MAX };
    for (size_t i = 0; i < FILO_COUNT_OF(beyond); i++) {
        assert_true(filo_sin(beyond[i]) == 0.0f);
        assert_true(filo_cos(beyond[i]) == 1.0f);
        assert_true(filo_tan(beyond[i]) == 0.0f);
        assert_true(filo_angle_wrap(beyond[i]) == 0.0f);
    }
    float bad[] = { INF, -INF, ANY_NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        assert_nan(filo_sin(bad[i]));
        assert_nan(filo_cos(bad[i]));
        assert_nan(filo_tan(bad[i]));
        assert_nan(filo_angle_wrap(bad[i]));
        assert_nan(filo_angle_difference(0.0f, bad[i]));
    }
}

FILO_TEST(inverse_sine_and_cosine_keep_their_bound) {
    expect_error_below("asin", filo_asin, asin, 0, bits_of(1.0f), 2.5);
    expect_error_below("acos", filo_acos, acos, 0, bits_of(1.0f), 2.5);
    expect_error_below("asin", filo_asin, asin, bits_of(0.4f), bits_of(1.0f), 2.5);
    expect_error_below("acos", filo_acos, acos, bits_of(0.4f), bits_of(1.0f), 2.5);
}

FILO_TEST(inverse_sine_and_cosine_clamp_what_is_slightly_outside) {
    assert_same_bits(filo_asin(1.0000001f), FILO_HALF_PI);
    assert_same_bits(filo_asin(-7.0f), -FILO_HALF_PI);
    assert_same_bits(filo_asin(-0.0f), -0.0f);
    assert_same_bits(filo_acos(1.0000001f), 0.0f);
    assert_same_bits(filo_acos(-INF), FILO_PI);
    assert_same_bits(filo_acos(0.0f), FILO_HALF_PI);
    assert_nan(filo_asin(ANY_NAN));
    assert_nan(filo_acos(ANY_NAN));
}

FILO_TEST(atan2_keeps_its_bound_for_all_arguments) {
    expect_error_below("atan", filo_atan, atan, 0, bits_of(INF), 0.501);
    Golden g = golden_begin();
    for (int i = 0; i < 2 * SAMPLES; i++) {
        float x = golden_any(&g), y = (i & 1) != 0 ? golden_any(&g) : x * golden_unit(&g) * 4.0f;
        double error = error_in_ulp(filo_atan2(y, x), atan2((double)y, (double)x));
        if (!(error <= 0.501)) fail_msg("atan2(%a, %a): error of %g ulp", (double)y, (double)x, error);
    }
}

FILO_TEST(atan2_has_the_special_cases_of_c) {
    float values[] = { 0.0f, -0.0f, 1.0f, -1.0f, INF, -INF, FLT_MAX, -FLT_MAX, 0x1p-149f, -0x1p-149f };
    for (size_t i = 0; i < FILO_COUNT_OF(values); i++)
        for (size_t j = 0; j < FILO_COUNT_OF(values); j++)
            assert_same_bits(filo_atan2(values[i], values[j]),
                             (float)atan2((double)values[i], (double)values[j]));
    assert_nan(filo_atan2(ANY_NAN, 1.0f));
    assert_nan(filo_atan2(1.0f, ANY_NAN));
    assert_nan(filo_atan2(INF, -ANY_NAN));
}

FILO_TEST(exponentials_and_logarithms_keep_their_bound) {
    expect_error_below("exp", filo_exp, exp, 0, bits_of(INF), 0.501);
    expect_error_below("exp2", filo_exp2, exp2, 0, bits_of(INF), 0.501);
    expect_error_below("exp", filo_exp, exp, bits_of(0.01f), bits_of(110.0f), 0.501);
    expect_error_below("exp2", filo_exp2, exp2, bits_of(0.01f), bits_of(160.0f), 0.501);
    expect_error_below("log", filo_log, log, 0, bits_of(INF), 0.501);
    expect_error_below("log2", filo_log2, log2, 0, bits_of(INF), 0.501);
    expect_error_below("log", filo_log, log, bits_of(0.5f), bits_of(2.0f), 0.501);
    expect_error_below("log2", filo_log2, log2, bits_of(0.5f), bits_of(2.0f), 0.501);
}

FILO_TEST(exponentials_and_logarithms_have_their_special_cases) {
    assert_same_bits(filo_exp(0.0f), 1.0f);
    assert_same_bits(filo_exp(INF), INF);
    assert_same_bits(filo_exp(-INF), 0.0f);
    assert_same_bits(filo_exp2(-149.0f), 0x1p-149f);
    assert_same_bits(filo_exp2(128.0f), INF);
    for (int i = -149; i < 128; i++) {
        assert_same_bits(filo_exp2((float)i), (float)ldexp(1.0, i));
        assert_same_bits(filo_log2((float)ldexp(1.0, i)), (float)i);
    }
    assert_same_bits(filo_log(1.0f), 0.0f);
    assert_same_bits(filo_log(0.0f), -INF);
    assert_same_bits(filo_log2(-0.0f), -INF);
    assert_same_bits(filo_log(INF), INF);
    assert_nan(filo_log(-1.0f));
    assert_nan(filo_log2(-INF));
    assert_nan(filo_log(ANY_NAN));
    assert_nan(filo_exp(ANY_NAN));
    assert_nan(filo_exp2(ANY_NAN));
}

FILO_TEST(power_keeps_its_bound) {
    Golden g = golden_begin();
    for (int i = 0; i < 2 * SAMPLES; i++) {
        float x = FLOAT(golden_bits(&g) & 0x7FFFFFFFu), y = golden_any(&g);
        // Half of them so that the result is neither infinite nor 0.
        if ((i & 1) != 0) y = (float)((double)golden_unit(&g) * 150.0 / log2((double)x));
        double error = error_in_ulp(filo_pow(x, y), pow((double)x, (double)y));
        if (!(error <= 0.501)) fail_msg("pow(%a, %a): error of %g ulp", (double)x, (double)y, error);
    }
}

FILO_TEST(power_has_the_special_cases_of_c) {
    float values[] = { 0.0f,      -0.0f,   1.0f,  -1.0f,  2.0f, -2.0f,    0.5f,      -0.5f,  3.0f,
                       -3.0f,     2.5f,    -2.5f, INF,    -INF, FLT_MAX,  -FLT_MAX,  1e-3f,  -1e-3f,
                       0x1p-149f, ANY_NAN, 1e10f, -1e10f, 7.0f, 16777215, -16777215, 0x1p24f };
    for (size_t i = 0; i < FILO_COUNT_OF(values); i++) {
        for (size_t j = 0; j < FILO_COUNT_OF(values); j++) {
            float answer = filo_pow(values[i], values[j]);
            double truth = pow((double)values[i], (double)values[j]);
            bool same_sign = isnan(truth) || (bits_of(answer) >> 31) == (uint32_t)(signbit(truth) != 0);
            if (!(error_in_ulp(answer, truth) <= 0.501 && same_sign))
                fail_msg("pow(%g, %g) is %g, not %g", (double)values[i], (double)values[j], (double)answer,
                         truth);
        }
    }
}

FILO_TEST(square_root_is_correctly_rounded) {
    expect_error_below("sqrt", filo_sqrt, sqrt, 0, bits_of(INF), 0.5);
    assert_same_bits(filo_sqrt(-0.0f), -0.0f);
    assert_same_bits(filo_sqrt(2.0f), 0x1.6a09e6p+0f);
    assert_nan(filo_sqrt(-1.0f));
}

// ---- Whole numbers ----------------------------------------------------------------------------------

static void expect_exact(const char *name, Function *function, Reference *reference) {
    Golden g = golden_begin();
    for (int i = 0; i < 2 * SAMPLES; i++) {
        float x = (i & 1) != 0 ? golden_any(&g) : filo_trunc(golden_unit(&g) * 1000.0f) * 0.5f;
        float answer = function(x), truth = (float)reference((double)x);
        bool same = filo_is_nan(x) ? filo_is_nan(answer) : bits_of(answer) == bits_of(truth);
        if (!same) fail_msg("%s(%a) is %a, not %a", name, (double)x, (double)answer, (double)truth);
    }
}

FILO_TEST(rounding_is_exact_and_keeps_the_sign_of_zero) {
    expect_exact("trunc", filo_trunc, trunc);
    expect_exact("floor", filo_floor, floor);
    expect_exact("ceil", filo_ceil, ceil);
    expect_exact("round", filo_round, round);
    assert_same_bits(filo_ceil(-0.5f), -0.0f);
    assert_same_bits(filo_floor(-0.0f), -0.0f);
    assert_same_bits(filo_round(0.49999997f), 0.0f);
    assert_same_bits(filo_round(-2.5f), -3.0f);
    assert_same_bits(filo_floor(-INF), -INF);
}

FILO_TEST(conversion_to_int_saturates) {
    assert_int_equal(filo_to_int(-7.9f), -7);
    assert_int_equal(filo_to_int(3e9f), INT32_MAX);
    assert_int_equal(filo_to_int(-3e9f), INT32_MIN);
    assert_int_equal(filo_to_int(INF), INT32_MAX);
    assert_int_equal(filo_to_int(-0x1p31f), INT32_MIN);
    assert_int_equal(filo_to_int(0x1.fffffep30f), 2147483520);
    assert_int_equal(filo_to_int(ANY_NAN), 0);
    assert_int_equal(filo_floor_to_int(-0.25f), -1);
    assert_int_equal(filo_round_to_int(-0.5f), -1);
}

static double floored(double x, double y) {
    double rest = fmod(x, y);
    return rest != 0.0 && (rest < 0.0) != (y < 0.0) ? rest + y : rest;
}

FILO_TEST(mod_runs_round_in_one_direction) {
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) {
        float x = golden_unit(&g) * 1000.0f, y = golden_unit(&g) * 3.0f;
        float expected = (float)floored((double)x, (double)y), answer = filo_mod(x, y);
        if (expected == y) expected = 0.0f;
        if (answer != expected)
            fail_msg("mod(%a, %a) is %a, not %a", (double)x, (double)y, (double)answer, (double)expected);
        float fraction = filo_fract(x);
        assert_true(fraction >= 0.0f && fraction < 1.0f && fraction == filo_mod(x, 1.0f));
    }
    assert_same_bits(filo_mod(-1.0f, 3.0f), 2.0f);
    assert_same_bits(filo_mod(1.0f, -3.0f), -2.0f);
    assert_same_bits(filo_mod(-6.0f, 3.0f), 0.0f);
    assert_same_bits(filo_mod(-1e-20f, 1.0f), 0.0f);
    assert_same_bits(filo_fract(-1e-20f), 0.0f);
    assert_same_bits(filo_mod(1e30f, 0.3f), 0.0f);
    assert_nan(filo_mod(1.0f, 0.0f));
    assert_nan(filo_mod(0.0f, 0.0f));
    assert_nan(filo_mod(INF, 1.0f));
    assert_nan(filo_mod(1.0f, INF));
    assert_nan(filo_fract(INF));
}

// ---- Blending, approaching, angles ------------------------------------------------------------------

FILO_TEST(lerp_is_exact_at_both_ends_and_between_equals) {
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) {
        float a = golden_unit(&g) * 1e3f, b = golden_unit(&g) * 1e-3f, t = filo_abs(golden_unit(&g));
        assert_same_bits(filo_lerp(a, b, 0.0f), a);
        assert_same_bits(filo_lerp(a, b, 1.0f), b);
        assert_same_bits(filo_lerp(a, a, t), a);
        float x = filo_lerp(a, b, t);
        assert_true(x >= filo_min(a, b) && x <= filo_max(a, b));
    }
    assert_true(filo_lerp(2.0f, 4.0f, 2.0f) == 6.0f);
    assert_true(filo_inverse_lerp(2.0f, 4.0f, 3.0f) == 0.5f);
    assert_true(filo_inverse_lerp(2.0f, 2.0f, 3.0f) == 0.0f);
    assert_true(filo_remap(15.0f, 10.0f, 20.0f, 0.0f, -4.0f) == -2.0f);
    assert_true(filo_remap(15.0f, 10.0f, 10.0f, 7.0f, 8.0f) == 7.0f);
}

FILO_TEST(small_helpers_have_the_right_values) {
    assert_true(filo_clamp(5.0f, 0.0f, 1.0f) == 1.0f && filo_clamp(-5.0f, 0.0f, 1.0f) == 0.0f);
    assert_true(filo_clamp01(0.25f) == 0.25f);
    assert_nan(filo_clamp01(ANY_NAN));
    assert_true(filo_sign(-3.0f) == -1.0f && filo_sign(0.0f) == 0.0f && filo_sign(INF) == 1.0f);
    assert_true(filo_sign(ANY_NAN) == 0.0f);
    assert_same_bits(filo_abs(-0.0f), 0.0f);
    assert_same_bits(filo_copy_sign(2.0f, -0.0f), -2.0f);
    assert_true(filo_min(1.0f, 2.0f) == 1.0f && filo_max(1.0f, 2.0f) == 2.0f);
    assert_true(filo_min(ANY_NAN, 2.0f) == 2.0f && filo_max(ANY_NAN, 2.0f) == 2.0f);
    assert_true(filo_smoothstep(2.0f, 4.0f, 1.0f) == 0.0f && filo_smoothstep(2.0f, 4.0f, 9.0f) == 1.0f);
    assert_true(filo_smoothstep(2.0f, 4.0f, 3.0f) == 0.5f && filo_smoothstep(4.0f, 2.0f, 2.0f) == 1.0f);
    assert_true(filo_abs(filo_degrees(filo_radians(30.0f)) - 30.0f) < 1e-5f);
}

FILO_TEST(approach_never_passes_the_target) {
    assert_true(filo_approach(0.0f, 10.0f, 3.0f) == 3.0f);
    assert_true(filo_approach(0.0f, -10.0f, 3.0f) == -3.0f);
    assert_true(filo_approach(9.0f, 10.0f, 3.0f) == 10.0f);
    assert_true(filo_approach(9.0f, 10.0f, -3.0f) == 9.0f);
    assert_true(filo_approach(9.0f, 10.0f, 0.0f) == 9.0f);
}

FILO_TEST(damp_halves_in_a_half_life_whatever_the_frame_rate) {
    assert_true(filo_damp(8.0f, 0.0f, 0.5f, 0.5f) == 4.0f);
    float x = 8.0f;
    for (int i = 0; i < 60; i++) x = filo_damp(x, 0.0f, 0.5f, 1.0f / 60.0f);
    assert_true(filo_abs(x - 2.0f) < 1e-5f);
    assert_true(filo_damp(8.0f, 3.0f, 0.0f, 0.1f) == 3.0f);
    assert_true(filo_damp(8.0f, 3.0f, 0.1f, 0.0f) == 8.0f);
}

FILO_TEST(angles_wrap_and_differ_by_the_shorter_arc) {
    assert_same_bits(filo_angle_wrap(3.0f), 3.0f);
    assert_same_bits(filo_angle_wrap(-3.0f), -3.0f);
    assert_true(filo_abs(filo_angle_wrap(FILO_TAU + 1.0f) - 1.0f) < 1e-6f);
    assert_true(filo_abs(filo_angle_difference(3.0f, -3.0f) - (FILO_TAU - 6.0f)) < 1e-6f);
    assert_true(filo_abs(filo_angle_difference(-3.0f, 3.0f) - (6.0f - FILO_TAU)) < 1e-6f);
    assert_true(filo_abs(filo_angle_lerp(3.0f, -3.0f, 0.5f)) > 3.14f);
    assert_true(filo_angle_approach(3.0f, -3.0f, 0.1f) == 3.1f);
    assert_same_bits(filo_angle_approach(3.0f, -3.0f, 9.0f),
                     filo_angle_wrap(3.0f + filo_angle_difference(3.0f, -3.0f)));
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) {
        float x = golden_unit(&g) * 1e6f, wrapped = filo_angle_wrap(x);
        assert_true(filo_abs(wrapped) <= FILO_PI);
        assert_true(fabs(sin((double)x) - sin((double)wrapped)) < 1.3e-7);
        assert_true(fabs(cos((double)x) - cos((double)wrapped)) < 1.3e-7);
    }
}

// ---- Arrays -----------------------------------------------------------------------------------------

FILO_TEST(arrays_give_the_same_bits_as_single_calls_at_every_length) {
    enum { COUNT = 103 };
    float in[COUNT], sines[COUNT], cosines[COUNT];
    Golden g = golden_begin();
    for (size_t count = 0; count <= COUNT; count++) {
        for (size_t i = 0; i < COUNT; i++) in[i] = (i % 8) == 0 ? golden_any(&g) : golden_unit(&g) * 1e4f;
        for (size_t i = 0; i < COUNT; i++) sines[i] = cosines[i] = 7.0f;
        filo_sincos_array(sines, cosines, in, count);
        for (size_t i = 0; i < count; i++) {
            assert_true(bits_of(sines[i]) == bits_of(filo_sin(in[i])) || filo_is_nan(filo_sin(in[i])));
            assert_true(bits_of(cosines[i]) == bits_of(filo_cos(in[i])) || filo_is_nan(filo_cos(in[i])));
        }
        for (size_t i = count; i < COUNT; i++) assert_true(sines[i] == 7.0f && cosines[i] == 7.0f);
        // With another output, and in place.
        memcpy(cosines, in, sizeof in);
        filo_cos_array(cosines, cosines, count);
        filo_sin_array(in, in, count);
        for (size_t i = 0; i < count; i++)
            assert_true(bits_of(in[i]) == bits_of(sines[i]) || filo_is_nan(in[i]));
        for (size_t i = count; i < COUNT; i++) assert_true(bits_of(cosines[i]) == bits_of(in[i]));
    }
}

FILO_TEST(arrays_must_not_be_null) {
    float x = 1.0f;
    filo_sin_array(NULL, NULL, 0);
    expect_fault("pass an array to read", filo_sin_array(&x, NULL, 1));
    expect_fault("pass an array to read", filo_cos_array(NULL, &x, 1));
    expect_fault("pass an array to read", filo_sincos_array(&x, NULL, &x, 1));
    assert_true(x == 1.0f);
}

// ---- However they are compiled ----------------------------------------------------------------------

static bool same_number(float a, float b) {
    return bits_of(a) == bits_of(b) || (filo_is_nan(a) && filo_is_nan(b));
}

// A loop over `call`, which an optimising compiler makes SIMD code of, against calls one by one.
#define expect_loop_same(call, alone)                                                                        \
    do {                                                                                                     \
        Function2 *volatile one = (alone);                                                                   \
        for (size_t i = 0; i < LOOP; i++) {                                                                  \
            float x = loop_x[i], y = loop_y[i];                                                              \
            (void)y;                                                                                         \
            loop_out[i] = (call);                                                                            \
        }                                                                                                    \
        for (size_t i = 0; i < LOOP; i++)                                                                    \
            if (!same_number(loop_out[i], one(loop_x[i], loop_y[i])))                                        \
                fail_msg(#call " differs in a loop, for %a and %a", (double)loop_x[i], (double)loop_y[i]);   \
    } while (0)

#define DEFINE_ALONE(name)                                                                                   \
    static float name##_of_x(float x, float y) {                                                             \
        FILO_UNUSED(y);                                                                                      \
        return filo_##name(x);                                                                               \
    }
#define expect_loop_same_1(name) expect_loop_same(filo_##name(x), name##_of_x)

enum { LOOP = 4099 };
static float loop_x[LOOP], loop_y[LOOP], loop_out[LOOP];

DEFINE_ALONE(sin)
DEFINE_ALONE(cos)
DEFINE_ALONE(tan)
DEFINE_ALONE(asin)
DEFINE_ALONE(acos)
DEFINE_ALONE(atan)
DEFINE_ALONE(exp)
DEFINE_ALONE(exp2)
DEFINE_ALONE(log)
DEFINE_ALONE(log2)
DEFINE_ALONE(sqrt)
DEFINE_ALONE(trunc)
DEFINE_ALONE(floor)
DEFINE_ALONE(ceil)
DEFINE_ALONE(round)
DEFINE_ALONE(fract)
DEFINE_ALONE(angle_wrap)

FILO_TEST(loops_give_the_same_bits_as_single_calls) {
    Golden g = golden_begin();
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < LOOP; i++) {
            loop_x[i] = round == 0 ? golden_any(&g) : golden_unit(&g) * (float)(round * round * round);
            loop_y[i] = round == 0 ? golden_any(&g) : golden_unit(&g) * 7.0f;
        }
        expect_loop_same_1(sin);
        expect_loop_same_1(cos);
        expect_loop_same_1(tan);
        expect_loop_same_1(asin);
        expect_loop_same_1(acos);
        expect_loop_same_1(atan);
        expect_loop_same_1(exp);
        expect_loop_same_1(exp2);
        expect_loop_same_1(log);
        expect_loop_same_1(log2);
        expect_loop_same_1(sqrt);
        expect_loop_same_1(trunc);
        expect_loop_same_1(floor);
        expect_loop_same_1(ceil);
        expect_loop_same_1(round);
        expect_loop_same_1(fract);
        expect_loop_same_1(angle_wrap);
        expect_loop_same(filo_atan2(x, y), filo_atan2);
        expect_loop_same(filo_pow(x, y), filo_pow);
        expect_loop_same(filo_mod(x, y), filo_mod);
        expect_loop_same(filo_angle_difference(x, y), filo_angle_difference);
    }
}

// The compiler may compute constants itself, and must then get the same result as the processor.
#define expect_folded_same(name, constant)                                                                   \
    do {                                                                                                     \
        volatile float hidden = (constant);                                                                  \
        assert_true(same_number(filo_##name(constant), filo_##name(hidden)));                                \
    } while (0)

#define expect_all_folded_same(constant)                                                                     \
    do {                                                                                                     \
        expect_folded_same(sin, constant);                                                                   \
        expect_folded_same(cos, constant);                                                                   \
        expect_folded_same(tan, constant);                                                                   \
        expect_folded_same(asin, constant);                                                                  \
        expect_folded_same(acos, constant);                                                                  \
        expect_folded_same(atan, constant);                                                                  \
        expect_folded_same(exp, constant);                                                                   \
        expect_folded_same(log, constant);                                                                   \
        expect_folded_same(sqrt, constant);                                                                  \
        expect_folded_same(round, constant);                                                                 \
    } while (0)

FILO_TEST(constants_computed_by_the_compiler_have_the_same_bits) {
    expect_all_folded_same(0.0f);
    expect_all_folded_same(-0.0f);
    expect_all_folded_same(0.7f);
    expect_all_folded_same(-123.456f);
    expect_all_folded_same(1e-42f);
    expect_all_folded_same(88.5f);
    expect_all_folded_same(-1e30f);
    expect_all_folded_same(INF);
    expect_all_folded_same(ANY_NAN);
}

// ---- Golden hashes ----------------------------------------------------------------------------------

static void expect_golden(const char *name, Function *function, uint64_t expected) {
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) golden_add(&g, function(golden_any(&g)));
    for (int i = 0; i < SAMPLES; i++) golden_add(&g, function(golden_unit(&g) * 50.0f));
    for (int i = 0; i < SAMPLES; i++) golden_add(&g, function(golden_unit(&g)));
    golden_expect(g, name, expected);
}

FILO_TEST(functions_of_one_number_give_the_same_bits_everywhere) {
    expect_golden("sin", filo_sin, 0x4dbf30e13f5a05d2u);
    expect_golden("cos", filo_cos, 0x364e28db277ee865u);
    expect_golden("tan", filo_tan, 0xd78b0ff45d69eb1du);
    expect_golden("asin", filo_asin, 0x15df85a7e56a189du);
    expect_golden("acos", filo_acos, 0x04392455b7265dd5u);
    expect_golden("atan", filo_atan, 0xd3e3746b760538c4u);
    expect_golden("exp", filo_exp, 0x79126e2ff25d52b6u);
    expect_golden("exp2", filo_exp2, 0x87839873c1cec23du);
    expect_golden("log", filo_log, 0xdfe5134806dbccebu);
    expect_golden("log2", filo_log2, 0xc304a9b85f68d4afu);
    expect_golden("sqrt", filo_sqrt, 0xab5b5bd4c42b3b4fu);
    expect_golden("trunc", filo_trunc, 0xa46902f6c8a0f173u);
    expect_golden("floor", filo_floor, 0xc2859a04eb3bd80eu);
    expect_golden("ceil", filo_ceil, 0xcee96c0375160f06u);
    expect_golden("round", filo_round, 0xecba66b5888c1282u);
    expect_golden("fract", filo_fract, 0xd03d1a4e4b3ddfecu);
    expect_golden("angle_wrap", filo_angle_wrap, 0x9ad4624d2788932eu);
}

static void expect_golden2(const char *name, Function2 *function, uint64_t expected) {
    Golden g = golden_begin();
    for (int i = 0; i < SAMPLES; i++) {
        float x = golden_any(&g), y = golden_any(&g);
        golden_add(&g, function(x, y));
        x = golden_unit(&g) * 20.0f;
        y = golden_unit(&g) * 5.0f;
        golden_add(&g, function(x, y));
        golden_add(&g, function(filo_abs(x), y));
    }
    golden_expect(g, name, expected);
}

static float lerp_between(float a, float b) { return filo_lerp(a, b, filo_fract(a * 7.0f)); }
static float remap_between(float a, float b) { return filo_remap(0.3f, a, b, b, 3.0f); }
static float smooth_between(float a, float b) { return filo_smoothstep(a, b, 0.5f); }
static float approach_by_half(float a, float b) { return filo_approach(a, b, 0.5f); }
static float damp_for_a_frame(float a, float b) { return filo_damp(a, b, 0.2f, 1.0f / 60.0f); }
static float turn_half_way(float a, float b) { return filo_angle_lerp(a, b, 0.5f); }

FILO_TEST(functions_of_several_numbers_give_the_same_bits_everywhere) {
    expect_golden2("atan2", filo_atan2, 0xa6c8bbddff7f9fb0u);
    expect_golden2("pow", filo_pow, 0xaf06bd9feb4fd536u);
    expect_golden2("mod", filo_mod, 0x26590eb733cdd1b7u);
    expect_golden2("lerp", lerp_between, 0x1d92412289857b73u);
    expect_golden2("remap", remap_between, 0xff17272007e787f9u);
    expect_golden2("smoothstep", smooth_between, 0x37e0ff286d3b4847u);
    expect_golden2("approach", approach_by_half, 0x809119ae54ddd227u);
    expect_golden2("damp", damp_for_a_frame, 0xafdff8e35f285682u);
    expect_golden2("angle_lerp", turn_half_way, 0x949029043f74745au);
}
