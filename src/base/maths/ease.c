// Easing. Ten families, each defined by its IN function f. OUT is 1 - f(1 - t), IN_OUT is both, each scaled to one
// half. BOUNCE is defined by its OUT function.

#include <filo/check.h>
#include <filo/curves.h>

typedef float EaseIn(float t);

static float quad(float t) { return t * t; }
static float cubic(float t) { return t * t * t; }
static float quart(float t) { return (t * t) * (t * t); }
static float quint(float t) { return (t * t) * (t * t) * t; }
static float sine(float t) { return 1.0f - filo_cos(t * FILO_HALF_PI); }

// Shifted and scaled so that it is 0 at 0.
static float expo(float t) { return (filo_exp2(10.0f * t) - 1.0f) / 1023.0f; }

static float circ(float t) { return 1.0f - filo_sqrt(1.0f - t * t); }

// With this constant it goes back by a tenth.
static float back(float t) { return t * t * (2.70158f * t - 1.70158f); }

// About three oscillations whose amplitude grows a thousandfold.
static float elastic(float t) {
    return -filo_exp2(10.0f * t - 10.0f) * filo_sin((10.0f * t - 10.75f) * (FILO_TAU / 3.0f));
}

// A ball that falls (to 1) and bounces three times: four parabolas.
static float bounce_out(float t) {
    const float steepness = 7.5625f, width = 1.0f / 2.75f;
    if (t < width) return steepness * t * t;
    if (t < 2.0f * width) return steepness * (t - 1.5f * width) * (t - 1.5f * width) + 0.75f;
    if (t < 2.5f * width) return steepness * (t - 2.25f * width) * (t - 2.25f * width) + 0.9375f;
    return steepness * (t - 2.625f * width) * (t - 2.625f * width) + 0.984375f;
}

static float bounce(float t) { return 1.0f - bounce_out(1.0f - t); }

float filo_ease(FiloEase kind, float t) {
    static EaseIn *const families[] = { quad, cubic, quart, quint, sine, expo, circ, back, elastic, bounce };
    if (!(t > 0.0f)) return 0.0f;
    if (t >= 1.0f) return 1.0f;
    unsigned index = (unsigned)kind;
    if (!FILO_CHECK(index < FILO_EASE_COUNT, "pass a FiloEase, not %u", index)) return t;
    if (kind == FILO_EASE_LINEAR) return t;
    EaseIn *ease_in = families[(index - 1) / 3];
    switch ((index - 1) % 3) {
    case 0: return ease_in(t);
    case 1: return 1.0f - ease_in(1.0f - t);
    default: return t < 0.5f ? 0.5f * ease_in(2.0f * t) : 1.0f - 0.5f * ease_in(2.0f - 2.0f * t);
    }
}
