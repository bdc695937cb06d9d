// From time that passes to ticks.
//
// With a fixed step, time is saved up until it is worth a tick. A machine that needs longer for a tick than
// the tick lasts would owe more and more of them (the spiral of death), so a frame runs a limited number, and
// what is owed beyond is dropped and counted.
//
// Time is kept in double, as a sum of what is left over, never as a total: it does not lose precision in a
// game that runs for days.

#include "app/pacer.h"

#include <filo/check.h>

#include <math.h>

#define DEFAULT_TICK      (1.0 / 60.0)
#define DEFAULT_MAX_TICKS 5

bool app_pacer_allows(double tick_seconds) {
    return tick_seconds >= APP_TICK_SHORTEST && tick_seconds <= APP_TICK_LONGEST;
}

void app_pacer_init(AppPacer *pacer, const FiloAppDesc *desc) {
    *pacer = (AppPacer){ .step = desc->step, .scale = 1, .tick_seconds = DEFAULT_TICK };
    if (desc->tick_seconds != 0 &&
        FILO_CHECK(app_pacer_allows(desc->tick_seconds), "a tick lasts %g to %g seconds, not %g",
                   APP_TICK_SHORTEST, APP_TICK_LONGEST, desc->tick_seconds))
        pacer->tick_seconds = desc->tick_seconds;
    pacer->max_ticks = desc->max_ticks > 0 ? desc->max_ticks : DEFAULT_MAX_TICKS;
}

// A frame of exactly one tick must give one, also when its length is rounded down a little.
#define SLACK 1e-6

static AppPace fixed(AppPacer *pacer, double seconds) {
    pacer->waiting += seconds;
    double due = floor(pacer->waiting / pacer->tick_seconds + SLACK);
    pacer->waiting = fmax(pacer->waiting - due * pacer->tick_seconds, 0);
    if (due > pacer->max_ticks) {
        pacer->dropped += (due - pacer->max_ticks) * pacer->tick_seconds;
        due = pacer->max_ticks;
    }
    return (AppPace){ (int)due, (float)pacer->tick_seconds };
}

// Frames that are longer than a tick are cut into equal parts.
static AppPace semi_fixed(AppPacer *pacer, double seconds) {
    const double longest = pacer->tick_seconds * pacer->max_ticks;
    if (seconds > longest) {
        pacer->dropped += seconds - longest;
        seconds = longest;
    }
    if (seconds <= 0) return (AppPace){ 0, 0 };
    int parts = (int)ceil(seconds / pacer->tick_seconds - 1e-6);
    parts = FILO_CLAMP(parts, 1, pacer->max_ticks);
    return (AppPace){ parts, (float)(seconds / parts) };
}

static AppPace variable(AppPacer *pacer, double seconds) {
    const double longest = pacer->tick_seconds * pacer->max_ticks;
    if (seconds > longest) {
        pacer->dropped += seconds - longest;
        seconds = longest;
    }
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
    return pacer->waiting + seconds * (double)pacer->scale >= pacer->tick_seconds * (1 - SLACK);
}

float app_pacer_blend(const AppPacer *pacer) {
    if (pacer->step != FILO_STEP_FIXED) return 1;
    return (float)fmin(pacer->waiting / pacer->tick_seconds, 1);
}
