// From time that passes to ticks.

#ifndef FILO_APP_PACER_H
#define FILO_APP_PACER_H

#include <filo/app.h>

typedef struct AppPacer {
    FiloTimeStep step;
    double tick_seconds;
    int max_ticks; // in a frame
    float scale;
    double waiting; // fixed: time that is not yet a tick
    double dropped; // time that was given up, over all
} AppPacer;

// The ticks of one frame: all of one length.
typedef struct AppPace {
    int ticks;
    float delta;
} AppPace;

// Seconds that a tick may last. Shorter ones would never catch up with the clock, longer ones never come.
#define APP_TICK_SHORTEST 1e-6
#define APP_TICK_LONGEST  3600.0
bool app_pacer_allows(double tick_seconds);

void app_pacer_init(AppPacer *pacer, const FiloAppDesc *desc);
// The ticks that `seconds` of the clock ask for. What is not finite or negative counts as no time.
AppPace app_pacer_advance(AppPacer *pacer, double seconds);
// Whether this much more time of the clock would ask for a tick.
bool app_pacer_ticks_within(const AppPacer *pacer, double seconds);
// How far the clock is between the last tick and the next: 0 to 1. 1 where ticks are as long as frames.
float app_pacer_blend(const AppPacer *pacer);

#endif
