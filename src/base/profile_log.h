// The rings that threads record into, and copies of them to read.

#ifndef FILO_BASE_PROFILE_LOG_H
#define FILO_BASE_PROFILE_LOG_H

#include <filo/profile.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "base/tsc.h"

#include <string.h>

#define FILO_PROFILE_NAME_SIZE   32
#define FILO_PROFILE_EVENT_WORDS 4

typedef enum FiloProfileKind {
    FILO_PROFILE_ZONE,
    FILO_PROFILE_COUNTER,
    FILO_PROFILE_FRAME,
} FiloProfileKind;

// One event: four words in a ring, and as they are read back. The kind is in the two lowest bits of `place`;
// the rest of it is the zone's site, or zero.
typedef struct FiloProfileEvent {
    uint64_t time;   // ticks; of a zone its start
    uint64_t detail; // of a zone its end, of a counter the bits of its value
    uint64_t name;   // const char *
    uint64_t place;
} FiloProfileEvent;

static inline FiloProfileKind filo_profile_event_kind(const FiloProfileEvent *event) {
    return (FiloProfileKind)(event->place & 3);
}
static inline const void *filo_profile_pointer(uint64_t word) {
    uintptr_t bits = (uintptr_t)word;
    const void *pointer;
    memcpy(&pointer, &bits, sizeof pointer);
    return pointer;
}
static inline const char *filo_profile_event_name(const FiloProfileEvent *event) {
    return (const char *)filo_profile_pointer(event->name);
}
static inline const FiloZoneSite *filo_profile_event_site(const FiloProfileEvent *event) {
    return (const FiloZoneSite *)filo_profile_pointer(event->place & ~UINT64_C(3));
}

// What a thread has of its own. It stands at the start of the region that holds its ring.
typedef struct FiloProfileLog {
    // Written by the thread alone.
    _Atomic uint64_t head;     // events recorded so far; event i is in slot i & mask
    _Atomic uint32_t in_hook;  // 1 while the thread may be inside a hook
    uint32_t named_to_version; // the hook that knows the thread's name
    // Fixed when the log is made.
    uint64_t mask;
    _Atomic uint64_t *words;
    // Under the lock.
    struct FiloProfileLog *next;
    uint64_t tail;   // the first event that was not cleared
    uint32_t thread; // counted from 1 in the order of first events
    bool in_use;     // by a living thread
    bool kept;       // it is not, but events may be there
    char name[FILO_PROFILE_NAME_SIZE];
} FiloProfileLog;

// The calling thread's log, or NULL; its own file's business and filo_profile_log's.
extern __attribute__((visibility("hidden"))) FILO_THREAD_LOCAL FiloProfileLog *filo_profile_my_log;
FiloProfileLog *filo_profile_log_make(void);

// The calling thread's log, made if there is none yet. NULL if there is no memory or budget for it.
static inline FiloProfileLog *filo_profile_log(void) {
    FiloProfileLog *log = filo_profile_my_log;
    return FILO_LIKELY(log != NULL) ? log : filo_profile_log_make();
}

// Counts an event of a thread that has no log.
void filo_profile_log_lose(void);

// Calls `visit` for every log there is. Logs are never freed.
void filo_profile_each_log(void (*visit)(FiloProfileLog *log));

// Sizes for logs made from now on; 0 leaves a size as it is.
void filo_profile_log_configure(uint32_t events, size_t budget);
void filo_profile_log_rename(FiloProfileLog *log, const char *name);
// Forgets all events, and makes the logs of ended threads available.
void filo_profile_log_clear(void);

// ---- Reading ------------------------------------------------------------------------------------------

typedef struct FiloProfileTrack {
    uint32_t thread;
    char name[FILO_PROFILE_NAME_SIZE];
    FiloProfileEvent *events; // in the order in which they were recorded: zones by their end
    size_t event_count;
} FiloProfileTrack;

// A copy of all logs.
typedef struct FiloProfileSnapshot {
    FiloProfileTrack *tracks; // by number of thread; at least one event in each
    size_t track_count;
    FiloProfileEvent *events;
    size_t event_count;
    uint64_t lost_count;
    FiloTscPair origin;
    double ns_per_tick;
    const FiloAllocator *allocator;
    size_t track_capacity, event_capacity;
} FiloProfileSnapshot;

FiloResult filo_profile_snapshot_init(FiloProfileSnapshot *snapshot, const FiloAllocator *allocator);
void filo_profile_snapshot_deinit(FiloProfileSnapshot *snapshot);

// The moment that times are counted from, and the newest moment whose nanoseconds are known.
void filo_profile_clock(FiloTscPair *first, FiloTscPair *newest);

// ---- The hook -----------------------------------------------------------------------------------------

void filo_profile_hook_begin(FiloZone *zone);
void filo_profile_hook_end(const FiloZone *zone);
void filo_profile_hook_frame(void);
void filo_profile_hook_counter(const char *name, double value);
void filo_profile_hook_thread_name(void);

#endif
