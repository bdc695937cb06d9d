// The rings that threads record into, and copies of them to read.

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

// One event: four words in a ring, and as they are read back. The kind is in the two lowest bits of `place`;
// the rest of it is the zone's site, or zero.
typedef struct BaseProfileEvent {
    uint64_t time;   // ticks; of a zone its start
    uint64_t detail; // of a zone its end, of a counter the bits of its value
    uint64_t name;   // const char *
    uint64_t place;
} BaseProfileEvent;

static inline BaseProfileKind base_profile_event_kind(const BaseProfileEvent *event) {
    return (BaseProfileKind)(event->place & 3);
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
    return (const FiloZoneSite *)base_profile_pointer(event->place & ~UINT64_C(3));
}

// What a thread has of its own. It stands at the start of the region that holds its ring.
typedef struct BaseProfileLog {
    // Written by the thread alone.
    _Atomic uint64_t head;     // events recorded so far; event i is in slot i & mask
    _Atomic uint32_t in_hook;  // 1 while the thread may be inside a hook
    uint32_t named_to_version; // the hook that knows the thread's name
    // Fixed when the log is made.
    uint64_t mask;
    _Atomic uint64_t *words;
    // Under the lock.
    struct BaseProfileLog *next;
    uint64_t tail;   // the first event that was not cleared
    uint32_t thread; // counted from 1 in the order of first events
    bool in_use;     // by a living thread
    bool kept;       // it is not, but events may be there
    char name[BASE_PROFILE_NAME_SIZE];
} BaseProfileLog;

// The calling thread's log, or NULL; its own file's business and base_profile_log's.
extern __attribute__((visibility("hidden"))) FILO_THREAD_LOCAL BaseProfileLog *base_profile_my_log;
BaseProfileLog *base_profile_log_make(void);

// The calling thread's log, made if there is none yet. NULL if there is no memory or budget for it.
static inline BaseProfileLog *base_profile_log(void) {
    BaseProfileLog *log = base_profile_my_log;
    return FILO_LIKELY(log != NULL) ? log : base_profile_log_make();
}

// Counts an event of a thread that has no log.
void base_profile_log_lose(void);

// Calls `visit` for every log there is. Logs are never freed.
void base_profile_each_log(void (*visit)(BaseProfileLog *log));

// Sizes for logs made from now on; 0 leaves a size as it is.
void base_profile_log_configure(uint32_t events, size_t budget);
void base_profile_log_rename(BaseProfileLog *log, const char *name);
// Forgets all events, and makes the logs of ended threads available.
void base_profile_log_clear(void);

// ---- Reading ------------------------------------------------------------------------------------------

typedef struct BaseProfileTrack {
    uint32_t thread;
    char name[BASE_PROFILE_NAME_SIZE];
    BaseProfileEvent *events; // in the order in which they were recorded: zones by their end
    size_t event_count;
} BaseProfileTrack;

// A copy of all logs.
typedef struct BaseProfileSnapshot {
    BaseProfileTrack *tracks; // by number of thread; at least one event in each
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

// The moment that times are counted from, and the newest moment whose nanoseconds are known.
void base_profile_clock(BaseTscPair *first, BaseTscPair *newest);

// ---- The hook -----------------------------------------------------------------------------------------

void base_profile_hook_begin(FiloZone *zone);
void base_profile_hook_end(const FiloZone *zone);
void base_profile_hook_frame(void);
void base_profile_hook_counter(const char *name, double value);
void base_profile_hook_thread_name(void);

#endif
