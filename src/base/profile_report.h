// What the trace and the report both take from a snapshot.

#ifndef FILO_BASE_PROFILE_REPORT_H
#define FILO_BASE_PROFILE_REPORT_H

#include "base/profile_log.h"

#include <string.h>

// Nanoseconds from one moment to another.
static inline int64_t filo_profile_ns(const FiloProfileSnapshot *snapshot, uint64_t from, uint64_t to) {
    return (int64_t)((double)(int64_t)(to - from) * snapshot->ns_per_tick);
}

static inline double filo_profile_event_value(const FiloProfileEvent *event) {
    double value;
    memcpy(&value, &event->detail, sizeof value);
    return value;
}

// The frame marks of all threads, in order of time.
typedef struct FiloProfileMarks {
    uint64_t *ticks;
    size_t count;
    const FiloAllocator *allocator;
} FiloProfileMarks;

FiloResult filo_profile_marks_init(FiloProfileMarks *marks, const FiloProfileSnapshot *snapshot);
void filo_profile_marks_deinit(FiloProfileMarks *marks);

#endif
