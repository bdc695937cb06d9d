// Timers and cooldowns: functions that are not inline, and their descriptions.
//
// The time of a timer is a double that is only added, divided and rounded down, so it is the same on every machine.

#include <filo/timer.h>

#include <math.h>

FILO_REFLECT(FiloTimer, FILO_FIELD(float, duration, .min = 0, .max = 3600, .help = "seconds or ticks"),
             FILO_FIELD(bool, repeating), FILO_FIELD(bool, paused), FILO_FIELD(bool, finished),
             FILO_FIELD(double, elapsed))

FILO_REFLECT(FiloCooldown, FILO_FIELD(float, duration, .min = 0, .max = 3600, .help = "seconds or ticks"),
             FILO_FIELD(double, left))

uint32_t filo_timer_fire(FiloTimer *timer) {
    double duration = (double)timer->duration;
    if (!timer->repeating) {
        timer->finished = true;
        timer->elapsed = duration;
        return 1;
    }
    double times = floor(timer->elapsed / duration + FILO_TIMER_TOLERANCE);
    if (!(times < (double)UINT32_MAX)) { // also if it is infinite
        timer->elapsed = 0;
        return UINT32_MAX;
    }
    // May be slightly negative, if the tolerance made it fire: that counts too, or the timer would drift.
    timer->elapsed -= times * duration;
    return (uint32_t)times;
}

static float part(double of, double whole) {
    double fraction = of / whole;
    return fraction < 0 ? 0 : fraction < 1 ? (float)fraction : 1;
}

float filo_timer_fraction(const FiloTimer *timer) {
    if (timer->finished) return 1;
    return timer->duration > 0 ? part(timer->elapsed, (double)timer->duration) : 0;
}

double filo_timer_left(const FiloTimer *timer) {
    if (timer->finished || !(timer->duration > 0)) return 0;
    return FILO_MAX((double)timer->duration - timer->elapsed, 0.0);
}

bool filo_cooldown_use(FiloCooldown *cooldown) {
    if (!filo_cooldown_ready(cooldown)) return false;
    if (cooldown->duration > 0)
        cooldown->left += (double)cooldown->duration;
    else
        cooldown->left = 1e-300; // not ready, but ready after any tick
    return true;
}

float filo_cooldown_fraction(const FiloCooldown *cooldown) {
    if (filo_cooldown_ready(cooldown) || !(cooldown->duration > 0)) return 1;
    return 1 - part(cooldown->left, (double)cooldown->duration);
}
