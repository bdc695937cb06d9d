// Curves. All functions work on cubic Bézier curves in space; a plane curve has z = 0, which adds only exact zeroes.
//
// Lengths have no closed form. A curve is divided into PIECES equal parts of t, and the speed is integrated over each
// by Gauss's rule with five points, which is exact for polynomials up to degree nine. The speed is smooth except at a
// cusp, so only the piece with the cusp is less exact.

#include <filo/check.h>
#include <filo/curves.h>

#define PIECES 8

// ---- Making -----------------------------------------------------------------------------------------

FiloBezier3 filo_bezier3_quadratic(FiloVec3 a, FiloVec3 b, FiloVec3 c) {
    return filo_bezier3(a, filo_vec3_lerp(a, b, 2.0f / 3.0f), filo_vec3_lerp(c, b, 2.0f / 3.0f), c);
}

// The knot distance of a spline between two points.
static float knot(FiloVec3 a, FiloVec3 b, FiloSpline kind) {
    if (kind == FILO_SPLINE_UNIFORM) return 1.0f;
    float distance = filo_vec3_distance(a, b);
    return kind == FILO_SPLINE_CHORDAL ? distance : filo_sqrt(distance);
}

// The inner control point next to `near`, whose neighbour outside the piece is `outside`, at knot distance d,
// and whose other neighbour is `far`, at knot distance e. It follows from the tangent of Barry and Goldman's
// construction.
static FiloVec3 inner_control(FiloVec3 outside, float d, FiloVec3 near, float e, FiloVec3 far) {
    float divisor = 3.0f * d * (d + e);
    if (!(divisor > 0.0f)) return near; // two equal points have no direction
    float dd = d * d, ee = e * e;
    FiloVec3 sum = filo_vec3_sub(filo_vec3_scale(far, dd), filo_vec3_scale(outside, ee));
    sum = filo_vec3_add_scaled(sum, near, (2.0f * dd + 3.0f * d * e) + ee);
    return filo_vec3_scale(sum, 1.0f / divisor);
}

FiloBezier3 filo_bezier3_catmull_rom(FiloVec3 before, FiloVec3 from, FiloVec3 to, FiloVec3 after,
                                     FiloSpline kind) {
    float d = knot(before, from, kind), e = knot(from, to, kind), f = knot(to, after, kind);
    return filo_bezier3(from, inner_control(before, d, from, e, to), inner_control(after, f, to, e, from),
                        to);
}

// ---- Points -----------------------------------------------------------------------------------------

FiloVec3 filo_bezier3_point(const FiloBezier3 *curve, float t) {
    float u = 1.0f - t, a = u * u * u, b = 3.0f * u * u * t, c = 3.0f * u * t * t, d = t * t * t;
    FiloVec3 first = filo_vec3_add_scaled(filo_vec3_scale(curve->p[0], a), curve->p[1], b);
    FiloVec3 second = filo_vec3_add_scaled(filo_vec3_scale(curve->p[3], d), curve->p[2], c);
    return filo_vec3_add(first, second);
}

FiloVec3 filo_bezier3_tangent(const FiloBezier3 *curve, float t) {
    float u = 1.0f - t, a = 3.0f * u * u, b = 6.0f * u * t, c = 3.0f * t * t;
    FiloVec3 sum = filo_vec3_scale(filo_vec3_sub(curve->p[1], curve->p[0]), a);
    sum = filo_vec3_add_scaled(sum, filo_vec3_sub(curve->p[2], curve->p[1]), b);
    return filo_vec3_add_scaled(sum, filo_vec3_sub(curve->p[3], curve->p[2]), c);
}

// De Casteljau: the intermediate points of the construction at t are the new control points.
void filo_bezier3_split(const FiloBezier3 *curve, float t, FiloBezier3 *before, FiloBezier3 *after) {
    const FiloVec3 *p = curve->p;
    FiloVec3 a = filo_vec3_lerp(p[0], p[1], t), b = filo_vec3_lerp(p[1], p[2], t),
             c = filo_vec3_lerp(p[2], p[3], t);
    FiloVec3 d = filo_vec3_lerp(a, b, t), e = filo_vec3_lerp(b, c, t), middle = filo_vec3_lerp(d, e, t);
    FiloVec3 start = p[0], end = p[3];
    if (before != NULL) *before = filo_bezier3(start, a, d, middle);
    if (after != NULL) *after = filo_bezier3(middle, e, c, end);
}

// ---- Distances --------------------------------------------------------------------------------------

static float speed(const FiloBezier3 *curve, float t) {
    return filo_vec3_length(filo_bezier3_tangent(curve, t));
}

// The length between two parameters that are near each other.
static float piece_length(const FiloBezier3 *curve, float from, float to) {
    static const float nodes[2] = { 0.538469310105683f, 0.906179845938664f };
    static const float weight[3] = { 0.568888888888889f, 0.478628670499366f, 0.236926885056189f };
    float middle = 0.5f * (from + to), half = 0.5f * (to - from);
    float sum = weight[0] * speed(curve, middle);
    for (int i = 0; i < 2; i++) {
        float offset = half * nodes[i];
        sum += weight[i + 1] * (speed(curve, middle - offset) + speed(curve, middle + offset));
    }
    return half * sum;
}

float filo_bezier3_length_to(const FiloBezier3 *curve, float t) {
    float end = filo_clamp01(t), sum = 0.0f;
    for (int i = 0; i < PIECES; i++) {
        float from = (float)i / PIECES, to = filo_min((float)(i + 1) / PIECES, end);
        if (from >= to) break;
        sum += piece_length(curve, from, to);
    }
    return sum;
}

float filo_bezier3_length(const FiloBezier3 *curve) { return filo_bezier3_length_to(curve, 1.0f); }

// The parameter in a piece, `distance` after its start: Newton's method, clamped to bounds that narrow.
static float solve_piece(const FiloBezier3 *curve, float start, float end, float length, float distance) {
    float low = start, high = end, t = filo_lerp(start, end, distance / length);
    for (int i = 0; i < 8; i++) {
        float error = piece_length(curve, start, t) - distance;
        if (error > 0.0f)
            high = t;
        else
            low = t;
        float v = speed(curve, t), next = t - error / v;
        t = v > 0.0f && next >= low && next <= high ? next : 0.5f * (low + high);
    }
    return t;
}

float filo_bezier3_parameter_at(const FiloBezier3 *curve, float distance) {
    if (!(distance > 0.0f)) return 0.0f;
    float rest = distance;
    for (int i = 0; i < PIECES; i++) {
        float from = (float)i / PIECES, to = (float)(i + 1) / PIECES;
        float length = piece_length(curve, from, to);
        if (rest < length) return solve_piece(curve, from, to, length, rest);
        rest -= length;
    }
    return 1.0f;
}

FiloVec3 filo_bezier3_at_distance(const FiloBezier3 *curve, float distance) {
    return filo_bezier3_point(curve, filo_bezier3_parameter_at(curve, distance));
}

// ---- Paths ------------------------------------------------------------------------------------------

// The first curve that ends beyond `distance`, or the last. `distance` becomes the distance on that curve.
static size_t find_curve(size_t count, const float *ends, float *distance) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends[middle] > *distance)
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 0) *distance -= ends[low - 1];
    return low;
}

static bool check_path(const void *curves, size_t count, const float *ends) {
    return FILO_CHECK(curves != NULL && ends != NULL && count > 0,
                      "pass a path of at least one curve, and the ends that measuring it wrote");
}

float filo_bezier3_path_measure(const FiloBezier3 *curves, size_t count, float *ends) {
    float sum = 0.0f;
    if (count > 0 && !check_path(curves, count, ends)) return sum;
    for (size_t i = 0; i < count; i++) ends[i] = sum += filo_bezier3_length(&curves[i]);
    return sum;
}

FiloVec3 filo_bezier3_path_point(const FiloBezier3 *curves, size_t count, const float *ends, float distance) {
    if (!check_path(curves, count, ends)) return filo_vec3(0.0f, 0.0f, 0.0f);
    size_t i = find_curve(count, ends, &distance);
    return filo_bezier3_at_distance(&curves[i], distance);
}

// ---- In the plane -----------------------------------------------------------------------------------

static FiloVec3 lift(FiloVec2 v) { return filo_vec3_from_vec2(v, 0.0f); }

static FiloBezier3 lift_curve(const FiloBezier2 *c) {
    return filo_bezier3(lift(c->p[0]), lift(c->p[1]), lift(c->p[2]), lift(c->p[3]));
}

static FiloBezier2 flatten(const FiloBezier3 *c) {
    return filo_bezier2(filo_vec3_xy(c->p[0]), filo_vec3_xy(c->p[1]), filo_vec3_xy(c->p[2]),
                        filo_vec3_xy(c->p[3]));
}

FiloBezier2 filo_bezier2_quadratic(FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    FiloBezier3 curve = filo_bezier3_quadratic(lift(a), lift(b), lift(c));
    return flatten(&curve);
}

FiloBezier2 filo_bezier2_catmull_rom(FiloVec2 before, FiloVec2 from, FiloVec2 to, FiloVec2 after,
                                     FiloSpline kind) {
    FiloBezier3 curve = filo_bezier3_catmull_rom(lift(before), lift(from), lift(to), lift(after), kind);
    return flatten(&curve);
}

FiloVec2 filo_bezier2_point(const FiloBezier2 *curve, float t) {
    FiloBezier3 c = lift_curve(curve);
    return filo_vec3_xy(filo_bezier3_point(&c, t));
}

FiloVec2 filo_bezier2_tangent(const FiloBezier2 *curve, float t) {
    FiloBezier3 c = lift_curve(curve);
    return filo_vec3_xy(filo_bezier3_tangent(&c, t));
}

void filo_bezier2_split(const FiloBezier2 *curve, float t, FiloBezier2 *before, FiloBezier2 *after) {
    FiloBezier3 c = lift_curve(curve), first, second;
    filo_bezier3_split(&c, t, &first, &second);
    if (before != NULL) *before = flatten(&first);
    if (after != NULL) *after = flatten(&second);
}

float filo_bezier2_length(const FiloBezier2 *curve) { return filo_bezier2_length_to(curve, 1.0f); }

float filo_bezier2_length_to(const FiloBezier2 *curve, float t) {
    FiloBezier3 c = lift_curve(curve);
    return filo_bezier3_length_to(&c, t);
}

float filo_bezier2_parameter_at(const FiloBezier2 *curve, float distance) {
    FiloBezier3 c = lift_curve(curve);
    return filo_bezier3_parameter_at(&c, distance);
}

FiloVec2 filo_bezier2_at_distance(const FiloBezier2 *curve, float distance) {
    return filo_bezier2_point(curve, filo_bezier2_parameter_at(curve, distance));
}

float filo_bezier2_path_measure(const FiloBezier2 *curves, size_t count, float *ends) {
    float sum = 0.0f;
    if (count > 0 && !check_path(curves, count, ends)) return sum;
    for (size_t i = 0; i < count; i++) ends[i] = sum += filo_bezier2_length(&curves[i]);
    return sum;
}

FiloVec2 filo_bezier2_path_point(const FiloBezier2 *curves, size_t count, const float *ends, float distance) {
    if (!check_path(curves, count, ends)) return filo_vec2(0.0f, 0.0f);
    size_t i = find_curve(count, ends, &distance);
    return filo_bezier2_at_distance(&curves[i], distance);
}
