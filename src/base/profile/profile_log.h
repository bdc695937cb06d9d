// The ring buffers of threads, and copies of them for reading.

#ifndef FILO_BASE_PROFILE_LOG_H
#define FILO_BASE_PROFILE_LOG_H

#include <filo/profile.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "base/tsc.h"

#include <string.h>

#define BASE_PROFILE_NAME_SIZE   32
#define BASE_PROFILE_EVENT_WORDS 4

typedef enum BaseProfileKind {
    BASE_PROFILE_ZONE,
    BASE_PROFILE_COUNTER,
    BASE_PROFILE_FRAME,
} BaseProfileKind;

// One event: four words in a ring.
typedef struct BaseProfileEvent {
    uint64_t time;          // ticks; of a zone its start
    uint64_t detail;        // of a zone its end, of a counter the bits of its value
    uint64_t name;          // const char *
    uint64_t site_and_kind; // the kind in the two lowest bits, the rest is a FiloZoneSite * or 0
} BaseProfileEvent;

static inline BaseProfileKind base_profile_event_kind(const BaseProfileEvent *event) {
    return (BaseProfileKind)(event->site_and_kind & 3);
}
static inline const void *base_profile_pointer(uint64_t word) {
    uintptr_t bits = (uintptr_t)word;
    const void *pointer;
    memcpy(&pointer, &bits, sizeof pointer);
    return pointer;
}
static inline const char *base_profile_event_name(const BaseProfileEvent *event) {
    return (const char *)base_profile_pointer(event->name);
}
static inline const FiloZoneSite *base_profile_event_site(const BaseProfileEvent *event) {
    return (const FiloZoneSite *)base_profile_pointer(event->site_and_kind & ~UINT64_C(3));
}

// The state of a thread, at the start of the region with its ring.
typedef struct BaseProfileLog {
    // Written only by the thread.
    _Atomic uint64_t head;       // events recorded so far; event i is in slot i & mask
    _Atomic uint32_t in_hook;    // 1 while the thread may be inside a hook
    uint32_t named_hook_version; // the hook that the thread's name was reported to
    // Constant.
    uint64_t mask;
    _Atomic uint64_t *words;
    // Under the lock.
    struct BaseProfileLog *next;
    uint64_t tail;   // the first event that was not cleared
    uint32_t thread; // counted from 1 in the order of first events
    bool in_use;     // by a living thread
    bool has_events; // its thread has ended and left events
    char name[BASE_PROFILE_NAME_SIZE];
} BaseProfileLog;

// The calling thread's log, or NULL. Use base_profile_log to create it.
extern __attribute__((visibility("hidden"))) FILO_THREAD_LOCAL BaseProfileLog *base_profile_thread_log;
BaseProfileLog *base_profile_log_create(void);

// The calling thread's log, created if there is none yet. NULL without memory or budget.
static inline BaseProfileLog *base_profile_log(void) {
    BaseProfileLog *log = base_profile_thread_log;
    return FILO_LIKELY(log != NULL) ? log : base_profile_log_create();
}

// Counts a lost event of a thread without a log.
void base_profile_log_count_lost(void);

// Calls `visit` for every log. Logs are never freed.
void base_profile_each_log(void (*visit)(BaseProfileLog *log));

// Sets the sizes of logs created from now on; 0 leaves a size unchanged.
void base_profile_log_configure(uint32_t events, size_t budget);
void base_profile_log_rename(BaseProfileLog *log, const char *name);
// Discards all events, and makes the logs of ended threads available.
void base_profile_log_clear(void);

// ---- Reading ------------------------------------------------------------------------------------------

typedef struct BaseProfileTrack {
    uint32_t thread;
    char name[BASE_PROFILE_NAME_SIZE];
    BaseProfileEvent *events; // in the order of recording: zones by their end
    size_t event_count;
} BaseProfileTrack;

// A copy of all logs.
typedef struct BaseProfileSnapshot {
    BaseProfileTrack *tracks; // sorted by thread; each has at least one event
    size_t track_count;
    BaseProfileEvent *events;
    size_t event_count;
    uint64_t lost_count;
    BaseTscPair origin;
    double ns_per_tick;
    const FiloAllocator *allocator;
    size_t track_capacity, event_capacity;
} BaseProfileSnapshot;

FiloResult base_profile_snapshot_init(BaseProfileSnapshot *snapshot, const FiloAllocator *allocator);
void base_profile_snapshot_deinit(BaseProfileSnapshot *snapshot);

// The origin of times, and the newest reading of both clocks.
void base_profile_clock(BaseTscPair *first, BaseTscPair *newest);

// ---- The hook -----------------------------------------------------------------------------------------

void base_profile_hook_begin(FiloZone *zone);
void base_profile_hook_end(const FiloZone *zone);
void base_profile_hook_frame(void);
void base_profile_hook_counter(const char *name, double value);
void base_profile_hook_thread_name(void);

#endif
