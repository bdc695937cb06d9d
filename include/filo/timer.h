// filo/timer.h: timers and cooldowns: plain values that live in components.
//
//     typedef struct Spawner { FiloTimer timer; } Spawner;
//     FILO_REFLECT(Spawner, FILO_FIELD(FiloTimer, timer))
//     typedef struct Gun { FiloCooldown reload; } Gun;
//     FILO_REFLECT(Gun, FILO_FIELD(FiloCooldown, reload))
//
//     filo_create(world, FILO_SET(Spawner, .timer = { .duration = 2, .repeating = true }));  // every 2 seconds
//     filo_create(world, FILO_SET(Gun, .reload = { .duration = 0.25f }));                    // ready at once
//
//     static void spawn(FiloIter *it) {                                       // in a system, for each row:
//         for (uint32_t n = filo_timer_advance(&spawner->timer, it->delta); n > 0; n--) spawn_one(it);
//     }
//     static void shoot(FiloIter *it) {
//         filo_cooldown_advance(&gun->reload, it->delta);
//         if (trigger && filo_cooldown_use(&gun->reload)) fire(it);
//     }
//
// A timer reads no clock. A system advances it once a tick, and its state depends on nothing else: in a component it is
// saved, hashed, rewound and replayed like any other field. The caller chooses the unit: if the timer is advanced by
// it->delta, durations are in seconds; if it is advanced by 1, they are in ticks.
//
// Time is counted in double, and the remainder when a timer fires counts for the next time: a timer that repeats every
// 0.15 s fires 20 times in 3 s, although no tick ends exactly then. Durations and ticks are floats, which hold most
// fractions of a second with an error of up to 6e-8 of their value. So a timer also fires if a millionth of its
// duration is left: one of 1 s fires at the 50th tick of 0.02 s, not at the 51st.
//
// All zeroes is a timer that never fires, and a cooldown that can be used in each tick. All functions access only their
// arguments.

#ifndef FILO_TIMER_H
#define FILO_TIMER_H

#include <filo/reflect.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// A part of a duration that is small enough to be due to rounding.
#define FILO_TIMER_TOLERANCE 1e-6

// ---- Timers -------------------------------------------------------------------------------------------

typedef struct FiloTimer {
    float duration; // until it fires, in seconds or ticks; 0 or less: it never fires
    bool repeating; // fires repeatedly; otherwise once, and is then finished
    bool paused;    // does not advance while this is set
    bool finished;  // has fired, and does not repeat
    double elapsed; // since it started or last fired
} FiloTimer;
FILO_REFLECT_DECLARE(FiloTimer);

// Private: the timer is due.
uint32_t filo_timer_fire(FiloTimer *timer);

// Advances by `delta`, and returns how often the timer fired: 0 or 1, or more if it repeats and `delta` is longer than
// its duration (at most UINT32_MAX; more are dropped). 0 if it is paused, finished or has no duration, or if `delta` is
// 0, negative or not a number.
static inline uint32_t filo_timer_advance(FiloTimer *timer, double delta) {
    if (timer->paused || timer->finished || !(timer->duration > 0) || !(delta > 0)) return 0;
    timer->elapsed += delta;
    return timer->elapsed < (double)timer->duration * (1 - FILO_TIMER_TOLERANCE) ? 0 : filo_timer_fire(timer);
}

// Starts again: nothing has elapsed, and it is not finished. `paused` is unchanged.
static inline void filo_timer_restart(FiloTimer *timer) {
    timer->elapsed = 0;
    timer->finished = false;
}

// How much of the duration has elapsed, 0 to 1: for bars and for blending. 1 if it is finished, 0 without a duration.
float filo_timer_fraction(const FiloTimer *timer);
// How long until it fires, in its own unit. 0 if it is finished or without a duration.
double filo_timer_left(const FiloTimer *timer);

// ---- Cooldowns ----------------------------------------------------------------------------------------

// Limits how often something may be done: after a use, the next one is possible when the duration is over.
typedef struct FiloCooldown {
    float duration; // between two uses, in seconds or ticks; 0 or less: one use for each time it is advanced
    double left; // until it can be used; 0 or less: it can. Negative: the part of the tick after that moment
} FiloCooldown;
FILO_REFLECT_DECLARE(FiloCooldown);

// Advances by `delta`. Call it once a tick, before the cooldown is read or used. A `delta` that is 0, negative or not a
// number does nothing.
static inline void filo_cooldown_advance(FiloCooldown *cooldown, double delta) {
    if (!(delta > 0)) return;
    // A negative rest counts only for a use in the same tick, not for a later one.
    cooldown->left = cooldown->left > 0 ? cooldown->left - delta : 0;
}

// Whether it can be used.
static inline bool filo_cooldown_ready(const FiloCooldown *cooldown) {
    return cooldown->left <= 0 || cooldown->left <= (double)cooldown->duration * FILO_TIMER_TOLERANCE;
}

// Uses it if it is ready, and returns whether it was. If it is used in every tick in which it is ready, its rate does
// not drift. If the duration is shorter than a tick, it is ready several times in one tick:
//
//     while (filo_cooldown_use(&gun->reload)) fire(it);
bool filo_cooldown_use(FiloCooldown *cooldown);

// How much of the duration has passed since it was used, 0 to 1. 1: it is ready.
float filo_cooldown_fraction(const FiloCooldown *cooldown);

FILO_END_DECLS

#endif
