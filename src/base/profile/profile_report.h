// Shared by the trace and the report: values of a snapshot.

#ifndef FILO_BASE_PROFILE_REPORT_H
#define FILO_BASE_PROFILE_REPORT_H

#include "base/profile/profile_log.h"

#include <string.h>

// Nanoseconds from one time stamp to another.
static inline int64_t base_profile_ns(const BaseProfileSnapshot *snapshot, uint64_t from, uint64_t to) {
    return (int64_t)((double)(int64_t)(to - from) * snapshot->ns_per_tick);
}

static inline double base_profile_event_value(const BaseProfileEvent *event) {
    double value;
    memcpy(&value, &event->detail, sizeof value);
    return value;
}

// The frame marks of all threads, in order of time.
typedef struct BaseProfileMarks {
    uint64_t *ticks;
    size_t count;
    const FiloAllocator *allocator;
} BaseProfileMarks;

FiloResult base_profile_marks_init(BaseProfileMarks *marks, const BaseProfileSnapshot *snapshot);
void base_profile_marks_deinit(BaseProfileMarks *marks);

#endif
