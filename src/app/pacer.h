// Converts the time that has passed into ticks.

#ifndef FILO_APP_PACER_H
#define FILO_APP_PACER_H

#include <filo/app.h>

typedef struct AppPacer {
    FiloTimeStep step;
    double tick_seconds;
    int max_ticks; // in a frame
    float scale;
    double accumulator; // FILO_STEP_FIXED: time that is shorter than a tick
    double dropped;     // seconds, in total
} AppPacer;

// The ticks of one frame. All have the same length.
typedef struct AppPace {
    int ticks;
    float delta;
} AppPace;

// Limits of a tick, in seconds. Shorter ticks would never catch up with the clock; longer ones would hardly ever run.
#define APP_TICK_SHORTEST 1e-6
#define APP_TICK_LONGEST  3600.0
bool app_pacer_tick_valid(double tick_seconds);

void app_pacer_init(AppPacer *pacer, const FiloAppDesc *desc);
// The ticks that are due after `seconds` of the clock. A number that is negative or not finite counts as 0.
AppPace app_pacer_advance(AppPacer *pacer, double seconds);
// Whether a tick becomes due within this many seconds of the clock.
bool app_pacer_ticks_within(const AppPacer *pacer, double seconds);
// Position of the clock between the last tick and the next, 0 to 1. Always 1 unless the step is fixed.
float app_pacer_blend(const AppPacer *pacer);

#endif
