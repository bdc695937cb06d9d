// The processor's time-stamp counter, the cheapest clock, and its conversion to nanoseconds.
//
// The counter runs at a constant but unknown rate, the same on all processors (on x86-64 since about 2008). Two
// readings of both clocks, one before and one after the measured interval, determine the rate without waiting. Times in
// between are as exact as the readings, however short the interval is.

#ifndef FILO_BASE_TSC_H
#define FILO_BASE_TSC_H

#include <filo/time.h>

static inline uint64_t base_tsc_now(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)filo_time_ns();
#endif
}

// The same moment on both clocks.
typedef struct BaseTscPair {
    uint64_t ticks;
    int64_t ns;
} BaseTscPair;

// Takes the closest of a few readings, because the thread may be interrupted between the two clocks.
static inline BaseTscPair base_tsc_pair(void) {
    BaseTscPair best = { 0, 0 };
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = base_tsc_now();
        int64_t ns = filo_time_ns();
        uint64_t width = base_tsc_now() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        best = (BaseTscPair){ before + width / 2, ns };
    }
    return best;
}

// Nanoseconds in one tick, from two pairs. 1 if no time passed between them.
static inline double base_tsc_rate(BaseTscPair first, BaseTscPair last) {
    if (last.ticks <= first.ticks || last.ns <= first.ns) return 1;
    return (double)(last.ns - first.ns) / (double)(last.ticks - first.ticks);
}

#endif
