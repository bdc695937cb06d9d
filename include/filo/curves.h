// filo/curves.h: easing functions, Bézier curves and splines.
//
//     float shown = filo_lerp(from, to, filo_ease(FILO_EASE_BACK_OUT, time / duration));
//
//     FiloBezier2 road = filo_bezier2_catmull_rom(p0, p1, p2, p3, FILO_SPLINE_CENTRIPETAL); // from p1 to p2
//     FiloVec2 car = filo_bezier2_at_distance(&road, speed * time);
//
// Every curve here is a cubic Bézier curve: quadratic curves and the segments of Catmull-Rom splines are converted to
// one, without loss. Pure functions with the same bits on every machine; any thread.

#ifndef FILO_CURVES_H
#define FILO_CURVES_H

#include <filo/vector.h>

// ---- Easing -----------------------------------------------------------------------------------------
//
// Functions from 0 to 1: IN starts gently, OUT ends gently, IN_OUT does both. BACK and ELASTIC leave the range from 0
// to 1 in between.

typedef enum FiloEase {
    FILO_EASE_LINEAR = 0,
    FILO_EASE_QUAD_IN,
    FILO_EASE_QUAD_OUT,
    FILO_EASE_QUAD_IN_OUT,
    FILO_EASE_CUBIC_IN,
    FILO_EASE_CUBIC_OUT,
    FILO_EASE_CUBIC_IN_OUT,
    FILO_EASE_QUART_IN,
    FILO_EASE_QUART_OUT,
    FILO_EASE_QUART_IN_OUT,
    FILO_EASE_QUINT_IN,
    FILO_EASE_QUINT_OUT,
    FILO_EASE_QUINT_IN_OUT,
    FILO_EASE_SINE_IN, // a quarter of a cosine
    FILO_EASE_SINE_OUT,
    FILO_EASE_SINE_IN_OUT,
    FILO_EASE_EXPO_IN, // doubles ten times
    FILO_EASE_EXPO_OUT,
    FILO_EASE_EXPO_IN_OUT,
    FILO_EASE_CIRC_IN, // a quarter of a circle
    FILO_EASE_CIRC_OUT,
    FILO_EASE_CIRC_IN_OUT,
    FILO_EASE_BACK_IN, // goes back by a tenth first
    FILO_EASE_BACK_OUT,
    FILO_EASE_BACK_IN_OUT,
    FILO_EASE_ELASTIC_IN, // oscillates like a spring
    FILO_EASE_ELASTIC_OUT,
    FILO_EASE_ELASTIC_IN_OUT,
    FILO_EASE_BOUNCE_IN, // bounces like a ball
    FILO_EASE_BOUNCE_OUT,
    FILO_EASE_BOUNCE_IN_OUT,
    FILO_EASE_COUNT
} FiloEase;

// ---- Types ------------------------------------------------------------------------------------------

// From p[0] to p[3]; it leaves towards p[1] and arrives from p[2].
typedef struct FiloBezier2 {
    FiloVec2 p[4];
} FiloBezier2;

typedef struct FiloBezier3 {
    FiloVec3 p[4];
} FiloBezier3;

// How a Catmull-Rom spline divides its parameter among its points. Centripetal ones never loop or form cusps between
// two points, however uneven the distances are.
typedef enum FiloSpline {
    FILO_SPLINE_CENTRIPETAL = 0, // by the square root of the distance
    FILO_SPLINE_UNIFORM,         // the same for all
    FILO_SPLINE_CHORDAL,         // by the distance
} FiloSpline;

FILO_BEGIN_DECLS

// The eased t. Exactly 0 up to t = 0 (and for NaN) and exactly 1 from t = 1.
float filo_ease(FiloEase kind, float t);

// ---- In the plane -----------------------------------------------------------------------------------

static inline FiloBezier2 filo_bezier2(FiloVec2 a, FiloVec2 b, FiloVec2 c, FiloVec2 d) {
    FiloBezier2 curve = { { a, b, c, d } };
    return curve;
}

// The quadratic curve from a to c with the control point b.
FiloBezier2 filo_bezier2_quadratic(FiloVec2 a, FiloVec2 b, FiloVec2 c);

// The segment from `from` to `to` of the spline through all four points. Points may coincide: at the ends of a path
// pass `from` as `before`, or `to` as `after`.
FiloBezier2 filo_bezier2_catmull_rom(FiloVec2 before, FiloVec2 from, FiloVec2 to, FiloVec2 after,
                                     FiloSpline kind);

// The point at t, and the derivative there (per unit of t, not normalised). Exact at both ends; t outside 0 to 1
// evaluates the same polynomial.
FiloVec2 filo_bezier2_point(const FiloBezier2 *curve, float t);
FiloVec2 filo_bezier2_tangent(const FiloBezier2 *curve, float t);

// The parts before and after t. Either pointer may be NULL or `curve` itself.
void filo_bezier2_split(const FiloBezier2 *curve, float t, FiloBezier2 *before, FiloBezier2 *after);

// The length from t = 0 up to 1, or up to t (clamped). The error is about 1e-5 of the length; 1e-3 with a sharp cusp.
float filo_bezier2_length(const FiloBezier2 *curve);
float filo_bezier2_length_to(const FiloBezier2 *curve, float t);

// The parameter t, and the point, at `distance` along the curve; distances are clamped to the ends.
float filo_bezier2_parameter_at(const FiloBezier2 *curve, float distance);
FiloVec2 filo_bezier2_at_distance(const FiloBezier2 *curve, float distance);

// Prepares filo_bezier2_path_point for a path of several curves: writes the distance at the end of each curve to `ends`
// and returns the whole length.
float filo_bezier2_path_measure(const FiloBezier2 *curves, size_t count, float *ends);

// The point at `distance` on a path, with the `ends` of filo_bezier2_path_measure; distances are clamped to the ends.
// The path needs at least one curve.
FiloVec2 filo_bezier2_path_point(const FiloBezier2 *curves, size_t count, const float *ends, float distance);

// ---- In space ---------------------------------------------------------------------------------------
//
// As in the plane.

static inline FiloBezier3 filo_bezier3(FiloVec3 a, FiloVec3 b, FiloVec3 c, FiloVec3 d) {
    FiloBezier3 curve = { { a, b, c, d } };
    return curve;
}
FiloBezier3 filo_bezier3_quadratic(FiloVec3 a, FiloVec3 b, FiloVec3 c);
FiloBezier3 filo_bezier3_catmull_rom(FiloVec3 before, FiloVec3 from, FiloVec3 to, FiloVec3 after,
                                     FiloSpline kind);
FiloVec3 filo_bezier3_point(const FiloBezier3 *curve, float t);
FiloVec3 filo_bezier3_tangent(const FiloBezier3 *curve, float t);
void filo_bezier3_split(const FiloBezier3 *curve, float t, FiloBezier3 *before, FiloBezier3 *after);
float filo_bezier3_length(const FiloBezier3 *curve);
float filo_bezier3_length_to(const FiloBezier3 *curve, float t);
float filo_bezier3_parameter_at(const FiloBezier3 *curve, float distance);
FiloVec3 filo_bezier3_at_distance(const FiloBezier3 *curve, float distance);
float filo_bezier3_path_measure(const FiloBezier3 *curves, size_t count, float *ends);
FiloVec3 filo_bezier3_path_point(const FiloBezier3 *curves, size_t count, const float *ends, float distance);

FILO_END_DECLS

#endif
