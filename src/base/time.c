#include <filo/time.h>

#include <time.h>

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t filo_time_ns(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t filo_calendar_ns(void) { return read_clock(CLOCK_REALTIME); }
