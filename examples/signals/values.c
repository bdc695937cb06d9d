// Panels: functions of values, composition, and time.

#include "gallery.h"

typedef struct Body {
    float height, speed;
} Body;
FILO_REFLECT(Body, FILO_FIELD(float, height), FILO_FIELD(float, speed))

FILO_SF_FUNCTION(squared, float, float, x) { return x * x; }
FILO_SF_FUNCTION(half, float, float, x) { return x / 2; }
FILO_SF_FUNCTION2(mean, float, float, x, float, y) { return (x + y) / 2; }
FILO_SF_FUNCTION3(clamped, float, float, x, float, low, float, high) { return filo_clamp(x, low, high); }
FILO_SF_FUNCTION4(between, float, float, x, float, y, bool, c, bool, p) {
    return c == p ? (x + y) / 2 : filo_max(x, y);
}
FILO_SF_FUNCTION2(vector, FiloVec2, float, x, float, y) { return filo_vec2(x, y); }
FILO_SF_FUNCTION2(body, Body, float, x, float, y) { return (Body){ x, y }; }
FILO_SF_FUNCTION2(largest, float, float, before, float, x) { return filo_max(before, x); }
FILO_SF_FUNCTION4(smoothed, float, float, before, float, x, float, delta, float, result) {
    return filo_lerp(result, (before + x) / 2, filo_min(3 * delta, 1));
}

void gallery_add_values(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2), p = filo_sf_in(b, 3);
    FiloSf time = filo_sf_time(b);
    FiloSf half_of_one = filo_sf_constant(b, FILO_SF(float, 0.5f));
    FiloSf at = filo_sf_arr2(x, y, &vector), other = filo_sf_arr2(y, x, &vector);
    PLOT("input", "identity", "", filo_sf_input(b));
    PLOT("in", "", "", filo_sf_in(b, 1));
    PLOT("in_named", "", "", filo_sf_in_named(b, "x"));
    PLOT("constant", "constant", "", filo_sf_constant(b, FILO_SF(float, 0.5f)));
    PLOT("float", "constant", "", filo_sf_float(b, -0.5f));
    PLOT("time", "time, localTime", "", filo_sf_time(b));
    PLOT("arr", "arr", "x", filo_sf_arr(x, &squared));
    PLOT("arr2", "arr2", "xy", filo_sf_arr2(x, y, &mean));
    PLOT("arr3", "", "xy", filo_sf_arr3(x, filo_sf_negate(half_of_one), y, &clamped));
    PLOT("arr4", "", "xycp", filo_sf_arr4(x, y, c, p, &between));
    PLOT("add", "+", "xy", filo_sf_add(x, y));
    PLOT("sub", "-", "xy", filo_sf_sub(x, y));
    PLOT("mul", "*", "xy", filo_sf_mul(x, y));
    PLOT("div", "/", "x", filo_sf_div(x, filo_sf_add(time, half_of_one)));
    PLOT("min", "min", "xy", filo_sf_min(x, y));
    PLOT("max", "max", "xy", filo_sf_max(x, y));
    PLOT("negate", "negate", "x", filo_sf_negate(x));
    PLOT("abs", "abs", "x", filo_sf_abs(x));
    PLOT("scale", "", "x", filo_sf_scale(x, 0.5f));
    PLOT("sin", "sin", "", filo_sf_sin(filo_sf_scale(time, 3)));
    PLOT("cos", "cos", "", filo_sf_cos(filo_sf_scale(time, 3)));
    PLOT("sqrt", "sqrt", "", filo_sf_sqrt(time));
    PLOT("length", "norm", "xy", filo_sf_length(at));
    PLOT("dot", "dot", "xy", filo_sf_dot(at, other));
    PLOT("less", "<", "xy", filo_sf_less(x, y));
    PLOT("greater", ">", "xy", filo_sf_greater(x, y));
    PLOT("equal", "==", "cp", filo_sf_equal(c, p));
    PLOT("and", "&&", "cp", filo_sf_and(c, p));
    PLOT("or", "||", "cp", filo_sf_or(c, p));
    PLOT("not", "not", "c", filo_sf_not(c));
    PLOT("select", "if", "xyc", filo_sf_select(c, x, y));
    PLOT("field", "", "xy", filo_sf_field(filo_sf_arr2(x, y, &body), "speed"));
}

// ---- Composition ------------------------------------------------------------------------------------------

void gallery_add_composition(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2);
    // Functions that are applied to another signal: `in` is that signal. In a loop it is a pair, of the input and of
    // what comes back: here the result, which follows the input.
    FiloSf in = filo_sf_input(b), up = filo_sf_abs(in), down = filo_sf_negate(up);
    FiloSf gap = filo_sf_scale(filo_sf_sub(filo_sf_in(b, 0), filo_sf_in(b, 1)), 3);
    FiloSf follow = filo_sf_integral(gap), pair = filo_sf_pair(x, y);
    FiloSf turned = filo_sf_scale(filo_sf_add(filo_sf_in(b, 0), filo_sf_in(b, 1)), 0.8f);
    FiloSf slow = filo_sf_rec(b, FILO_TYPE(float));
    filo_sf_close(slow, filo_sf_integral(filo_sf_scale(filo_sf_sub(x, slow), 3)));
    FiloSf side = filo_sf_either(c, x, y);
    const FiloSf three[] = { x, y, c };
    PLOT("compose", ">>>", "x", filo_sf_compose(x, filo_sf_integral(in)));
    PLOT("pair", "&&&", "", filo_sf_pair(x, y));
    PLOT("tuple", "&&&", "", filo_sf_tuple(b, three, 3));
    PLOT("get", "arr snd", "xy", filo_sf_get(pair, 1));
    PLOT("first", "first", "xy", filo_sf_first(pair, up));
    PLOT("second", "second", "xy", filo_sf_second(pair, down));
    PLOT("parallel", "***", "xy", filo_sf_parallel(pair, up, down));
    PLOT("loop", "loop", "x", filo_sf_loop(x, FILO_TYPE(float), filo_sf_pair(follow, follow)));
    PLOT("loop_integral", "loopIntegral", "x",
         filo_sf_loop_integral(x, FILO_TYPE(float), filo_sf_pair(filo_sf_in(b, 1), gap)));
    gallery_add(g, "rec, close", "rec", "x",
                "slow = filo_sf_rec(b, …); filo_sf_close(slow, filo_sf_integral(… filo_sf_sub(x, slow) …))",
                slow);
    g->delta = GALLERY_COARSE;
    PLOT("loop_pre", "loopPre", "x",
         filo_sf_loop_pre(x, FILO_SF(float, 0), filo_sf_pair(turned, filo_sf_negate(turned))));
    g->delta = GALLERY_FINE;
    PLOT("named", "", "x", filo_sf_named(x, "height")); // the same; listings and pictures show the name
    PLOT("either", "Either", "xyc", filo_sf_either(c, x, y));
    PLOT("is_left", "isLeft", "c", filo_sf_is_left(side));
    PLOT("left_value", "fromLeft", "xc", filo_sf_left_value(side, FILO_SF(float, 0)));
    PLOT("right_value", "fromRight", "yc", filo_sf_right_value(side, FILO_SF(float, 0)));
    PLOT("left", "left", "c", filo_sf_left_value(filo_sf_left(side, filo_sf_time(b)), FILO_SF(float, 0)));
    PLOT("right", "right", "c", filo_sf_right_value(filo_sf_right(side, filo_sf_time(b)), FILO_SF(float, 0)));
}

// ---- Time -------------------------------------------------------------------------------------------------

void gallery_add_time(Gallery *g) {
    FiloSfBuilder *b = g->b;
    FiloSf x = filo_sf_in(b, 0), y = filo_sf_in(b, 1), c = filo_sf_in(b, 2), e = filo_sf_in(b, 4);
    FiloSf in = filo_sf_input(b);
    PLOT("integral", "integral", "x", filo_sf_integral(x));
    PLOT("impulse_integral", "impulseIntegral", "ye", filo_sf_impulse_integral(y, e));
    PLOT("derivative", "derivative", "x", filo_sf_derivative(x));
    PLOT("delay", "delay", "x", filo_sf_delay(x, 0.5f, FILO_SF(float, 0), 16));
    PLOT("pause", "pause", "xc", filo_sf_pause(c, x, FILO_SF(float, 0), filo_sf_integral(in)));
    g->delta = GALLERY_COARSE; // so that the rules differ visibly, and one sample is something
    PLOT("trapezoid_integral", "trapezoidIntegral", "x", filo_sf_trapezoid_integral(x));
    PLOT("im_integral", "imIntegral", "x", filo_sf_im_integral(x, FILO_SF(float, 0.5f)));
    PLOT("i_pre", "iPre", "x", filo_sf_i_pre(x, FILO_SF(float, -0.9f)));
    PLOT("fby", "fby", "x", filo_sf_fby(x, FILO_SF(float, 0.9f)));
    PLOT("pre", "pre", "x", filo_sf_initially(filo_sf_pre(x), FILO_SF(float, 0)));
    PLOT("initially", "-->  >--", "y", filo_sf_initially(y, FILO_SF(float, -0.7f)));
    PLOT("initially_by", "-=>  >=-", "y", filo_sf_initially_by(y, &half));
    PLOT("sscan", "sscan", "x", filo_sf_sscan(x, FILO_SF(float, -0.5f), &largest));
    PLOT("iter_from", "iterFrom", "y", filo_sf_iter_from(y, FILO_SF(float, 0), &smoothed));
}
