// Converts the time that has passed into ticks.
//
// With a fixed step, time accumulates until it is as long as a tick. A machine that needs longer for a tick than the
// tick lasts would fall behind more and more (the spiral of death). So a frame runs a limited number of ticks, and the
// time beyond is dropped and counted.
//
// The accumulator holds only the remainder, not the total time, so it does not lose precision in a game that runs for
// days.

#include "app/pacer.h"

#include <filo/check.h>

#include <math.h>

#define DEFAULT_TICK      (1.0 / 60.0)
#define DEFAULT_MAX_TICKS 5

bool app_pacer_tick_valid(double tick_seconds) {
    return tick_seconds >= APP_TICK_SHORTEST && tick_seconds <= APP_TICK_LONGEST;
}

void app_pacer_init(AppPacer *pacer, const FiloAppDesc *desc) {
    *pacer = (AppPacer){ .step = desc->step, .scale = 1, .tick_seconds = DEFAULT_TICK };
    if (desc->tick_seconds != 0 &&
        FILO_CHECK(app_pacer_tick_valid(desc->tick_seconds), "a tick lasts %g to %g seconds, not %g",
                   APP_TICK_SHORTEST, APP_TICK_LONGEST, desc->tick_seconds))
        pacer->tick_seconds = desc->tick_seconds;
    pacer->max_ticks = desc->max_ticks > 0 ? desc->max_ticks : DEFAULT_MAX_TICKS;
}

// Part of a tick. A frame of exactly one tick must run one, even if its length was rounded.
#define TOLERANCE 1e-6

static AppPace fixed(AppPacer *pacer, double seconds) {
    pacer->accumulator += seconds;
    double due = floor(pacer->accumulator / pacer->tick_seconds + TOLERANCE);
    pacer->accumulator = fmax(pacer->accumulator - due * pacer->tick_seconds, 0);
    if (due > pacer->max_ticks) {
        pacer->dropped += (due - pacer->max_ticks) * pacer->tick_seconds;
        due = pacer->max_ticks;
    }
    return (AppPace){ (int)due, (float)pacer->tick_seconds };
}

static double limit_frame(AppPacer *pacer, double seconds) {
    const double longest = pacer->tick_seconds * pacer->max_ticks;
    if (seconds <= longest) return seconds;
    pacer->dropped += seconds - longest;
    return longest;
}

// A frame that is longer than a tick is divided into equal ticks.
static AppPace semi_fixed(AppPacer *pacer, double seconds) {
    seconds = limit_frame(pacer, seconds);
    if (seconds <= 0) return (AppPace){ 0, 0 };
    int parts = (int)ceil(seconds / pacer->tick_seconds - TOLERANCE);
    parts = FILO_CLAMP(parts, 1, pacer->max_ticks);
    return (AppPace){ parts, (float)(seconds / parts) };
}

static AppPace variable(AppPacer *pacer, double seconds) {
    seconds = limit_frame(pacer, seconds);
    return seconds > 0 ? (AppPace){ 1, (float)seconds } : (AppPace){ 0, 0 };
}

AppPace app_pacer_advance(AppPacer *pacer, double seconds) {
    if (!(seconds > 0) || !isfinite(seconds)) seconds = 0;
    seconds *= (double)pacer->scale;
    switch (pacer->step) {
    case FILO_STEP_SEMI_FIXED: return semi_fixed(pacer, seconds);
    case FILO_STEP_VARIABLE: return variable(pacer, seconds);
    case FILO_STEP_FIXED: break;
    }
    return fixed(pacer, seconds);
}

bool app_pacer_ticks_within(const AppPacer *pacer, double seconds) {
    if (pacer->step != FILO_STEP_FIXED) return true;
    if (!(seconds > 0) || !isfinite(seconds)) return false;
    return pacer->accumulator + seconds * (double)pacer->scale >= pacer->tick_seconds * (1 - TOLERANCE);
}

float app_pacer_blend(const AppPacer *pacer) {
    if (pacer->step != FILO_STEP_FIXED) return 1;
    return (float)fmin(pacer->accumulator / pacer->tick_seconds, 1);
}
