// filo/scalar.h: functions of one number, the same bits everywhere.
//
//     float height = filo_sin(time * FILO_TAU); // not sinf, which differs from machine to machine
//     angle = filo_angle_approach(angle, wanted, turn_rate * dt);
//     speed = filo_damp(speed, 0.0f, 0.25f, dt); // halves every quarter of a second
//
// The C library may round sinf, expf or powf as it likes, and does so differently per version, processor and
// even optimisation level. A simulation that is to be replayed elsewhere uses these instead. They are made of
// IEEE additions, multiplications, divisions and square roots in a fixed order, so that every compiler, level
// and machine gives the same answer. Each states its error in ulp, the gap between neighbouring floats at the
// answer; a correctly rounded answer has up to 0.5.
//
// The polynomials are minimax fits (by Remez's algorithm) of the relative error over the reduced range. The
// functions contain no branch, no table and no call, so that a plain loop over them becomes SIMD code at -O3.
// For loops with a square root in them (filo_sqrt, filo_asin, filo_acos, lengths of vectors) gcc wants
// -fno-math-errno as well; the flag changes no result.
//
// What the promise needs: compile with -ffp-contract=off (linking with Filo brings the flag along), without
// -ffast-math, and leave the processor in its usual mode, rounding to nearest and with denormals. Which bits
// a NaN has, beside being one, is not part of the promise. A NaN as argument gives a NaN unless stated.
//
// All functions are pure: any thread.

#ifndef FILO_SCALAR_H
#define FILO_SCALAR_H

#include <filo/types.h>

#include <float.h>

#ifdef __FAST_MATH__
#    error "-ffast-math reorders arithmetic, so results would differ between builds: remove it"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#    error "this target computes floats in a wider format, so results would differ: use SSE2"
#endif
#ifdef __SSE2__
#    include <emmintrin.h>
#endif

#define FILO_PI      3.14159265358979f
#define FILO_TAU     6.28318530717959f // one turn
#define FILO_HALF_PI 1.57079632679490f // a right angle

// Angles are accepted below this; from here on neighbouring floats are more than a turn apart. See filo_sin.
#define FILO_ANGLE_LIMIT 67108864.0f // 2^26

FILO_BEGIN_DECLS

// ---- Bits -------------------------------------------------------------------------------------------

static inline uint32_t filo_float_to_bits(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float filo_float_from_bits(uint32_t bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t filo_double_to_bits(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double filo_double_from_bits(uint64_t bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

// `yes` or `no`, without a branch that would keep a loop from becoming SIMD code.
static inline float filo_select(bool condition, float yes, float no) {
    uint32_t mask = 0u - (uint32_t)condition;
    return filo_float_from_bits((filo_float_to_bits(yes) & mask) | (filo_float_to_bits(no) & ~mask));
}

// 1 or 0, likewise.
static inline float filo_one_if(bool condition) {
    return filo_float_from_bits((0u - (uint32_t)condition) & 0x3F800000u);
}

// As filo_select for doubles, by a sign bit (that of -0 counts), because gcc makes no SIMD code of
// comparisons of doubles that choose among doubles. A NaN as sign chooses either.
static inline double filo_select_if_negative(double sign, double yes, double no) {
    uint64_t mask = (uint64_t)0 - (filo_double_to_bits(sign) >> 63);
    return filo_double_from_bits((filo_double_to_bits(yes) & mask) | (filo_double_to_bits(no) & ~mask));
}

// ---- Sign, size, square root ------------------------------------------------------------------------

// Also of -0 and NaN: it clears the sign bit.
static inline float filo_abs(float x) { return filo_float_from_bits(filo_float_to_bits(x) & 0x7FFFFFFFu); }

// Tests the bits, so that no compiler flag can optimise it away.
static inline bool filo_is_nan(float x) { return (filo_float_to_bits(x) & 0x7FFFFFFFu) > 0x7F800000u; }

// |x| with the sign of `sign`, which may be -0.
static inline float filo_copy_sign(float x, float sign) {
    return filo_float_from_bits((filo_float_to_bits(x) & 0x7FFFFFFFu) |
                                (filo_float_to_bits(sign) & 0x80000000u));
}

// -1, 0 or 1; 0 for NaN.
static inline float filo_sign(float x) { return filo_one_if(x > 0.0f) - filo_one_if(x < 0.0f); }

// The smaller and the larger; `b` if either is a NaN.
static inline float filo_min(float a, float b) { return a < b ? a : b; }
static inline float filo_max(float a, float b) { return a > b ? a : b; }

// x, but at least `low` and at most `high`; low <= high. NaN stays.
static inline float filo_clamp(float x, float low, float high) {
    float y = filo_select(x < low, low, x);
    return filo_select(y > high, high, y);
}
static inline float filo_clamp01(float x) { return filo_clamp(x, 0.0f, 1.0f); }

// The square root, correctly rounded as IEEE demands; NaN below zero; -0 for -0.
static inline float filo_sqrt(float x) {
#if defined(__SSE2__) && !defined(__NO_MATH_ERRNO__)
    // The builtin would call the library wherever errno might have to be set.
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#else
    return __builtin_sqrtf(x);
#endif
}

// ---- Whole numbers ----------------------------------------------------------------------------------
//
// All are exact and independent of the rounding mode. ±0, infinities and NaN are returned unchanged, and a zero has the
// sign of x.

// Towards zero.
static inline float filo_trunc(float x) {
    bool is_whole = !(filo_abs(x) < 0x1p23f); // too large for a fraction, or not finite
    float whole = (float)(int32_t)filo_select(is_whole, 0.0f, x);
    return filo_select(is_whole, x, filo_copy_sign(whole, x));
}

// Down, up, and to the nearest with halves away from zero.
static inline float filo_floor(float x) {
    float whole = filo_trunc(x);
    return filo_copy_sign(whole - filo_one_if(whole > x), x);
}

static inline float filo_ceil(float x) {
    float whole = filo_trunc(x);
    return filo_copy_sign(whole + filo_one_if(whole < x), x);
}

static inline float filo_round(float x) {
    float whole = filo_trunc(x), size = filo_abs(whole);
    return filo_copy_sign(size + filo_one_if(filo_abs(x) - size >= 0.5f), x);
}

// The same as integers. Too large or too small gives INT32_MAX or INT32_MIN, NaN gives 0.
static inline int32_t filo_to_int(float x) {
    bool fits = filo_abs(x) < 0x1p31f;
    int32_t whole = (int32_t)filo_select(fits, x, 0.0f);
    return whole | (int32_t)((0u - (uint32_t)(x >= 0x1p31f)) & 0x7FFFFFFFu) |
           (int32_t)((0u - (uint32_t)(x <= -0x1p31f)) & 0x80000000u);
}
static inline int32_t filo_floor_to_int(float x) { return filo_to_int(filo_floor(x)); }
static inline int32_t filo_round_to_int(float x) { return filo_to_int(filo_round(x)); }

// The remainder of floor division of x by y: in [0, y) for y > 0 and in (y, 0] for y < 0, so that the result is
// periodic in x. Correctly rounded; if that would round to y itself, it is 0. Also 0 where |x / y| >= 2^31, when
// neighbouring floats at x are many times y apart. NaN if y is 0 or either is infinite.
static inline float filo_mod(float x, float y) {
    double quotient = (double)x / (double)y;
    // Whole numbers by adding 1.5 * 2^52, whose last bit stands for 1; then down if that went up.
    double nearest = (quotient + 0x1.8p52) - 0x1.8p52;
    double whole = nearest - filo_select_if_negative(quotient - nearest, 1.0, 0.0);
    double rest = (double)x - whole * (double)y;
    double size = filo_double_from_bits(filo_double_to_bits(quotient) & 0x7FFFFFFFFFFFFFFFu);
    rest = rest * filo_select_if_negative(size - 0x1p31, 1.0, 0.0); // not a choice: NaN * 0 stays NaN
    float rounded = (float)rest;
    return filo_select(rounded == y, 0.0f, rounded) + 0.0f; // no -0
}

// The fractional part, x minus its floor: filo_mod(x, 1). In [0, 1).
static inline float filo_fract(float x) {
    float rest = x - filo_floor(x);
    return filo_select(rest == 1.0f, 0.0f, rest);
}

// ---- Trigonometry -----------------------------------------------------------------------------------

// The absolute angle: 0 beyond the limit, but NaN if it is not finite (hence a product, not a selection).
static inline double filo_angle_in_limit(float angle) {
    float size = filo_abs(angle);
    return (double)(size * filo_one_if(size < FILO_ANGLE_LIMIT));
}

// The sine of `angle` - `half_turns` * pi, which must be at most pi / 2 in absolute value; the lowest bit of `flip`
// negates it.
static inline float filo_sin_reduced(double angle, double half_turns, uint32_t flip) {
    // pi in two parts; the first has 27 bits, so that its product with up to 2^25.5 half turns is exact.
    float r = (float)((angle - half_turns * 0x1.921fb54p+1) - half_turns * 0x1.10b4611a62633p-29);
    float s = r * r;
    float p = 0x1.5dbdfp-19f;
    p = p * s - 0x1.9f7p-13f;
    p = p * s + 0x1.110ed4p-7f;
    p = p * s - 0x1.55554cp-3f;
    float sine = r + (r * s) * p;
    return filo_float_from_bits(filo_float_to_bits(sine) ^ (flip << 31));
}

// Sine and cosine. Error at most 2.1 ulp and 1.3e-7 for |angle| < FILO_ANGLE_LIMIT; never beyond -1 or 1. An angle
// beyond the limit counts as 0; an infinite one gives NaN. The sine is exactly odd and the cosine exactly even.
static inline float filo_sin(float angle) {
    double x = filo_angle_in_limit(angle);
    // Adding 1.5 * 2^52, whose last bit stands for 1, rounds to whole half turns; the low bits keep them.
    double shifted = x * 0x1.45f306dc9c883p-2 + 0x1.8p52;
    uint32_t flip = (uint32_t)filo_double_to_bits(shifted) ^ (filo_float_to_bits(angle) >> 31);
    return filo_sin_reduced(x, shifted - 0x1.8p52, flip);
}

static inline float filo_cos(float angle) {
    double x = filo_angle_in_limit(angle);
    double shifted = (x * 0x1.45f306dc9c883p-2 - 0.5) + 0x1.8p52;
    return filo_sin_reduced(x, (shifted - 0x1.8p52) + 0.5, ~(uint32_t)filo_double_to_bits(shifted));
}

typedef struct FiloSinCos {
    float sin, cos;
} FiloSinCos;

// Both; the same bits as filo_sin and filo_cos.
static inline FiloSinCos filo_sincos(float angle) {
    FiloSinCos result = { filo_sin(angle), filo_cos(angle) };
    return result;
}

// The tangent: sine by cosine. Error at most 4 ulp; otherwise as above. No float hits a pole.
static inline float filo_tan(float angle) { return filo_sin(angle) / filo_cos(angle); }

// The angle of the vector (x, y), as atan2 of C: from -pi to pi, with the sign of y also where y is ±0.
// (0, 0) gives 0, or pi where x is -0; infinities the angle of the axis or diagonal that they point along.
// Error at most 0.501 ulp, for all arguments.
static inline float filo_atan2(float y, float x) {
    // Reduces to the first octant; infinities become very large numbers.
    double ax = (double)filo_abs(x), ay = (double)filo_abs(y);
    ax = filo_select_if_negative(0x1p300 - ax, 0x1p300, ax);
    ay = filo_select_if_negative(0x1p300 - ay, 0x1p300, ay);
    double steep = ax - ay;
    double low = filo_select_if_negative(steep, ax, ay), high = filo_select_if_negative(steep, ay, ax);
    // Beyond pi / 8, measured from the diagonal: atan t = pi / 4 + atan((t - 1) / (t + 1)), t = low / high.
    double diagonal = high * 0x1.a827999fcef32p-2 - low;
    double numerator = filo_select_if_negative(diagonal, low - high, low);
    double denominator = filo_select_if_negative(diagonal, low + high, high) + 0x1p-1000; // 0 / 0 is to be 0
    double t = numerator / denominator, s = t * t;
    double p = 0x1.84a1e6e4d2584p-5;
    p = p * s - 0x1.5b301ddeca299p-4;
    p = p * s + 0x1.c463fb9a7ac34p-4;
    p = p * s - 0x1.247eda489f8b2p-3;
    p = p * s + 0x1.999918a029d45p-3;
    p = p * s - 0x1.555554c603c6bp-2;
    double angle = t * (1.0 + s * p) + filo_select_if_negative(diagonal, 0x1.921fb54442d18p-1, 0.0);
    // Maps the result back to the original octant.
    angle = filo_select_if_negative(steep, 0x1.921fb54442d18p+0 - angle, angle);
    angle = filo_select_if_negative((double)x, 0x1.921fb54442d18p+1 - angle, angle);
    float result = filo_copy_sign((float)angle, y);
    result = filo_select(filo_is_nan(x), x, result);
    return filo_select(filo_is_nan(y), y, result);
}
static inline float filo_atan(float x) { return filo_atan2(x, 1.0f); }

// Behind the next two: the asin of `size`, or where it is steep, as asin x = pi / 2 - 2 asin(sqrt((1 - x) /
// 2)), of that root.
static inline float filo_asin_reduced(float size, bool is_steep) {
    float z = filo_select(is_steep, (1.0f - size) * 0.5f, size * size);
    float s = filo_select(is_steep, filo_sqrt(z), size);
    float p = 0x1.598624p-5f;
    p = p * z + 0x1.8c0cbap-6f;
    p = p * z + 0x1.7480dep-5f;
    p = p * z + 0x1.3301ccp-4f;
    p = p * z + 0x1.5555c8p-3f;
    return s + (s * z) * p;
}

// The angle whose sine (from -pi/2 to pi/2) or cosine (from 0 to pi) is x. Error at most 2.5 ulp. Values outside -1 to
// 1, as rounding may give for the dot product of two unit vectors, are clamped.
static inline float filo_asin(float x) {
    float size = filo_abs(filo_clamp(x, -1.0f, 1.0f));
    bool is_steep = size > 0.5f;
    float part = filo_asin_reduced(size, is_steep);
    return filo_copy_sign(filo_select(is_steep, FILO_HALF_PI - 2.0f * part, part), x);
}

static inline float filo_acos(float x) {
    float size = filo_abs(filo_clamp(x, -1.0f, 1.0f));
    bool is_steep = size > 0.5f;
    float part = filo_asin_reduced(size, is_steep);
    float steep = filo_select(x < 0.0f, FILO_PI - 2.0f * part, 2.0f * part);
    return filo_select(is_steep, steep, FILO_HALF_PI - filo_copy_sign(part, x));
}

// ---- Exponentials and logarithms --------------------------------------------------------------------

// 2 to the power of x, for -1000 < x < 1000. Relative error 2^-34.
static inline double filo_exp2_double(double x) {
    double shifted = x + 0x1.8p52, f = x - (shifted - 0x1.8p52);
    double p = 0x1.fe1785261abb2p-17;
    p = p * f + 0x1.446a1fcfbc328p-13;
    p = p * f + 0x1.5d8a7087696ebp-10;
    p = p * f + 0x1.3b29dc40e6eb6p-7;
    p = p * f + 0x1.c6b08aaf2f34fp-5;
    p = p * f + 0x1.ebfbe0a4be646p-3;
    p = p * f + 0x1.62e42ff116296p-1;
    p = p * f + 0x1.ffffffffabbd1p-1;
    // The whole part stands in the low bits of `shifted`; it becomes an exponent.
    return p * filo_double_from_bits((filo_double_to_bits(shifted) + 1023) << 52);
}

// The logarithm to base 2 of a positive normal double. Relative error 2^-44.
static inline double filo_log2_double(double x) {
    // x = m * 2^e with m from sqrt(1/2) to sqrt(2), so that near 1 the exponent is 0 and nothing cancels.
    uint64_t bits = filo_double_to_bits(x);
    uint64_t exponent = (bits + (0x3FF0000000000000u - 0x3FE6A09E667F3BCDu)) >> 52;
    double m = filo_double_from_bits(bits - (exponent << 52) + 0x3FF0000000000000u);
    double e = filo_double_from_bits(exponent | 0x4330000000000000u) - (0x1p52 + 1023.0);
    double t = (m - 1.0) / (m + 1.0), s = t * t;
    double p = 0x1.214f758aaa48ap-2;
    p = p * s + 0x1.479d29c34bf27p-2;
    p = p * s + 0x1.a619f476e5309p-2;
    p = p * s + 0x1.2776c2f1c2a25p-1;
    p = p * s + 0x1.ec709dc4c1045p-1;
    return e + t * (0x1.71547652b82fep+1 + s * p);
}

// 2 to the power of x, and e to the power of x. Error at most 0.501 ulp. Infinite or
// 0 where the answer is too large or too small for a float.
static inline float filo_exp2(float x) {
    return (float)filo_exp2_double((double)filo_clamp(x, -200.0f, 200.0f));
}

static inline float filo_exp(float x) {
    return (float)filo_exp2_double((double)filo_clamp(x, -140.0f, 140.0f) * 0x1.71547652b82fep+0);
}

// Behind the next two: handles the arguments that the polynomial does not cover.
static inline float filo_log_special(float x, float logarithm) {
    float infinity = __builtin_inff();
    logarithm = filo_select(x < infinity, logarithm, x);
    logarithm = filo_select(x == 0.0f, -infinity, logarithm);
    return filo_select(x < 0.0f, __builtin_nanf(""), logarithm);
}

// Logarithms, to base 2 and natural. Error at most 0.501 ulp. -infinity for ±0, NaN below.
static inline float filo_log2(float x) { return filo_log_special(x, (float)filo_log2_double((double)x)); }

static inline float filo_log(float x) {
    return filo_log_special(x, (float)(filo_log2_double((double)x) * 0x1.62e42fefa39efp-1));
}

// x to the power of y. Error at most 0.501 ulp. A negative x needs a whole y:
// otherwise NaN. Special cases as pow of C has them: x^0 and 1^y are 1 even for NaN, 0^y is 0 or infinite, an
// odd y keeps the sign.
static inline float filo_pow(float x, float y) {
    float size = filo_abs(x), infinity = __builtin_inff();
    double exponent = (double)y * filo_log2_double((double)size);
    exponent = filo_select_if_negative(200.0 - exponent, 200.0, exponent);
    exponent = filo_select_if_negative(exponent + 200.0, -200.0, exponent);
    float power = (float)filo_exp2_double(exponent);
    float at_end = filo_select((size == 0.0f) == (y < 0.0f), infinity, 0.0f);
    power = filo_select((size == 0.0f) | (size == infinity), at_end, power);
    // From 2^24 on every float is an even number.
    bool is_huge = !(filo_abs(y) < 0x1p24f);
    int32_t whole = (int32_t)filo_select(is_huge, 0.0f, y);
    bool is_whole = is_huge | ((float)whole == y);
    uint32_t sign = filo_float_to_bits(x) & ((uint32_t)whole << 31) & (0u - (uint32_t)is_whole);
    power = filo_float_from_bits(filo_float_to_bits(power) | sign);
    bool is_undefined = (x < 0.0f) & (size < infinity) & !is_whole;
    power = filo_select(is_undefined, __builtin_nanf(""), power);
    power = filo_select(filo_is_nan(x), x, power);
    power = filo_select(filo_is_nan(y), y, power);
    bool is_one = (x == 1.0f) | (y == 0.0f) | ((x == -1.0f) & (filo_abs(y) == infinity));
    return filo_select(is_one, 1.0f, power);
}

// ---- Between two values -----------------------------------------------------------------------------

// From a (t = 0) to b (t = 1), and on beyond. Exact at both ends, and a throughout where a = b.
static inline float filo_lerp(float a, float b, float t) {
    float difference = b - a;
    return filo_select(t < 0.5f, a + difference * t, b - difference * (1.0f - t));
}

// The t for which filo_lerp(a, b, t) is x. 0 where a = b.
static inline float filo_inverse_lerp(float a, float b, float x) {
    float difference = b - a;
    bool is_point = difference == 0.0f;
    return filo_select(is_point, 0.0f, (x - a) / filo_select(is_point, 1.0f, difference));
}

// Maps x linearly from the range a to b to the range c to d. Not clamped; c where a = b.
static inline float filo_remap(float x, float a, float b, float c, float d) {
    return filo_lerp(c, d, filo_inverse_lerp(a, b, x));
}

// 0 up to `low`, 1 from `high`, a smooth S with zero slope at both ends in between. With low > high it falls from 1 to
// 0 instead; where they are equal it is 0.
static inline float filo_smoothstep(float low, float high, float x) {
    float t = filo_clamp01(filo_inverse_lerp(low, high, x));
    return t * t * (3.0f - 2.0f * t);
}

// ---- Towards a target -------------------------------------------------------------------------------

// x moved towards `target` by at most `step`, and never past it. A step below 0 counts as 0.
static inline float filo_approach(float x, float target, float step) {
    float difference = target - x, length = filo_max(step, 0.0f);
    return filo_select(filo_abs(difference) <= length, target, x + filo_copy_sign(length, difference));
}

// x moved towards `target` so that the distance halves every `half_life` seconds: two steps of dt / 2 give the same
// result, up to rounding, as one of dt. A half-life of 0 or less is immediate.
static inline float filo_damp(float x, float target, float half_life, float dt) {
    bool is_immediate = half_life <= 0.0f;
    float rest = filo_exp2(-dt / filo_select(is_immediate, 1.0f, half_life));
    return filo_select(is_immediate, target, target + (x - target) * rest);
}

// ---- Angles -----------------------------------------------------------------------------------------

static inline float filo_radians(float degrees) { return degrees * (FILO_PI / 180.0f); }
static inline float filo_degrees(float radians) { return radians * (180.0f / FILO_PI); }

// Behind the next two. `angle` is the difference of two floats below FILO_ANGLE_LIMIT.
static inline float filo_angle_wrap_double(double angle) {
    double turns = (angle * 0x1.45f306dc9c883p-3 + 0x1.8p52) - 0x1.8p52;
    return (float)((angle - turns * 0x1.921fb54p+2) - turns * 0x1.10b4611a62633p-28);
}

// The same direction, from -FILO_PI to FILO_PI. Correctly rounded; beyond FILO_ANGLE_LIMIT the angle counts
// as 0, and an infinite one gives NaN.
static inline float filo_angle_wrap(float angle) {
    double x = filo_angle_in_limit(angle);
    return filo_copy_sign(1.0f, angle) * filo_angle_wrap_double(x);
}

// The shortest turn from one direction to another: `from` plus this is the direction `to`. From -FILO_PI to FILO_PI.
// Limits as for filo_angle_wrap.
static inline float filo_angle_difference(float from, float to) {
    double a = filo_angle_in_limit(from) * (double)filo_copy_sign(1.0f, from);
    double b = filo_angle_in_limit(to) * (double)filo_copy_sign(1.0f, to);
    return filo_angle_wrap_double(b - a);
}

// As filo_lerp and filo_approach, along the shorter arc. The result is wrapped.
static inline float filo_angle_lerp(float from, float to, float t) {
    return filo_angle_wrap(from + filo_angle_difference(from, to) * t);
}

static inline float filo_angle_approach(float angle, float target, float step) {
    return filo_angle_wrap(angle + filo_approach(0.0f, filo_angle_difference(angle, target), step));
}

// ---- Many at once -----------------------------------------------------------------------------------

// The same bits as a loop over the functions above, with AVX2 where the processor has it: about twice as fast
// as such a loop in a program built for every x86-64. `out` may be `in`, but may not overlap it otherwise.
void filo_sin_array(float *out, const float *in, size_t count);
void filo_cos_array(float *out, const float *in, size_t count);
void filo_sincos_array(float *sines, float *cosines, const float *in, size_t count);

FILO_END_DECLS

#endif
