// From time that passes to ticks.

#ifndef FILO_APP_PACER_H
#define FILO_APP_PACER_H

#include <filo/app.h>

typedef struct FiloPacer {
    FiloTimeStep step;
    double tick_seconds;
    int max_ticks; // in a frame
    float scale;
    double waiting; // fixed: time that is not yet a tick
    double dropped; // time that was given up, over all
} FiloPacer;

// The ticks of one frame: all of one length.
typedef struct FiloPace {
    int ticks;
    float delta;
} FiloPace;

// Seconds that a tick may last. Shorter ones would never catch up with the clock, longer ones never come.
#define FILO_TICK_SHORTEST 1e-6
#define FILO_TICK_LONGEST  3600.0
bool filo_pacer_allows(double tick_seconds);

void filo_pacer_init(FiloPacer *pacer, const FiloAppDesc *desc);
// The ticks that `seconds` of the clock ask for. What is not finite or negative counts as no time.
FiloPace filo_pacer_advance(FiloPacer *pacer, double seconds);
// Whether this much more time of the clock would ask for a tick.
bool filo_pacer_ticks_within(const FiloPacer *pacer, double seconds);
// How far the clock is between the last tick and the next: 0 to 1. 1 where ticks are as long as frames.
float filo_pacer_blend(const FiloPacer *pacer);

#endif
