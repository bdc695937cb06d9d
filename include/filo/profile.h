// filo/profile.h: where the time goes.
//
//     void physics_step(void) {
//         FILO_ZONE("physics");              // until the end of this scope
//         …
//         FILO_COUNTER("bodies", body_count);
//     }
//
//     filo_profile_start(NULL);
//     for (int i = 0; i < 600; i++) {
//         filo_profile_frame();
//         physics_step();
//     }
//     filo_profile_stop();
//     FiloResult r = filo_profile_save_trace("game.json", NULL);   // chrome://tracing, ui.perfetto.dev
//
//     char text[4096];
//     filo_profile_summary(text, sizeof text);                     // a table, the most expensive first
//     puts(text);
//
// Zones are meant to stay in the code. Off, which is how a program starts, a zone costs a load and a branch;
// on, two reads of the processor's time-stamp counter and a few stores, without a lock and without
// allocating.
//
// Each thread writes into a ring of its own, made at its first event while profiling is on. A ring that is
// full loses its oldest events, and the loss is counted and reported. The events of threads that ended stay
// until filo_profile_clear; after that their rings serve new threads. Rings are address space of which only
// what was written takes memory, 32 bytes an event.
//
// A zone is recorded when it is left, so one that is still open when the profile is read is not in it. Nor is
// one that was entered before the profile was started or cleared, or left while profiling was off.
//
// Names, of zones and counters alike, are not copied: pass string literals, or strings that live until the
// profile is cleared. A library that is unloaded takes its literals with it: clear before unloading it.

#ifndef FILO_PROFILE_H
#define FILO_PROFILE_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Switching ----------------------------------------------------------------------------------------

#define FILO_PROFILE_EVENTS (1u << 17)  // in a ring by default: 4 MiB
#define FILO_PROFILE_BUDGET FILO_GIB(1) // for all rings by default

// A size of 0 leaves it as it is.
typedef struct FiloProfileDesc {
    // Of rings made from now on, rounded up to a power of two from 16 to 2^26. All but one can be read.
    uint32_t events_per_thread;
    // Bytes of address space for all rings together. Events of a thread that got no ring count as lost.
    size_t budget;
} FiloProfileDesc;

// Switches profiling on. Starts are counted, so that two users in one program do not switch each other off:
// each start needs its stop. Events are added to what was recorded before. `desc` may be NULL. Any thread.
void filo_profile_start(const FiloProfileDesc *desc);
// Ends one start. The events stay, to be read. Any thread.
void filo_profile_stop(void);
// Forgets all events recorded so far, whether profiling is on or off. Any thread.
void filo_profile_clear(void);
// True between the first start and the last stop. Any thread.
static inline bool filo_profile_running(void);

// ---- Zones --------------------------------------------------------------------------------------------

// Measures from here to the end of the enclosing scope, however it is left. Zones nest. At most one
// on a line of code.
#define FILO_ZONE(name_)                                                                                     \
    static const FiloZoneSite FILO_ZONE_JOIN_(filo_zone_site_, __LINE__) = { name_, __FILE__, __LINE__ };    \
    __attribute__((cleanup(filo_profile_leave))) FiloZone FILO_ZONE_JOIN_(filo_zone_, __LINE__);             \
    filo_profile_enter_site(&FILO_ZONE_JOIN_(filo_zone_, __LINE__),                                          \
                            &FILO_ZONE_JOIN_(filo_zone_site_, __LINE__))

// Measures from here to FILO_ZONE_END(zone) in the same scope; `zone` is a variable name of your choice.
// A zone that is never ended is not recorded.
#define FILO_ZONE_BEGIN(zone, name_)                                                                         \
    static const FiloZoneSite zone##_site = { name_, __FILE__, __LINE__ };                                   \
    FiloZone zone;                                                                                           \
    filo_profile_enter_site(&zone, &zone##_site)
#define FILO_ZONE_END(zone) filo_profile_leave(&zone)

// A place in the code that is measured.
typedef struct FiloZoneSite {
    const char *name;
    const char *file;
    int line;
} FiloZoneSite;

// A zone that is being measured, on the stack of the one who measures. Its fields are private, and undefined
// before it is entered.
typedef struct FiloZone {
    uint32_t state; // 0: nobody is interested
    uint32_t hook_version;
    uint64_t hook_token;
    uint64_t start;
    const char *name;
    const FiloZoneSite *site;
} FiloZone;

// The same by hand, with a name known only when running, as the job system needs it. `name` NULL is shown as
// "(unnamed)". A zone is left on the thread that entered it, inner zones before outer ones. Leaving twice is
// harmless. Any thread.
static inline void filo_profile_enter(FiloZone *zone, const char *name);
static inline void filo_profile_enter_site(FiloZone *zone, const FiloZoneSite *site);
static inline void filo_profile_leave(FiloZone *zone);

// ---- Frames, counters, threads ------------------------------------------------------------------------

// Marks where one frame ends and the next begins; what lies between two marks is a frame. Any thread, though
// one is usual. Frames are a track of their own in the trace, and percentiles in the summary.
static inline void filo_profile_frame(void);

// Records a value that changes over time: entities, bytes, draw calls. Shown as a curve. Infinities and NaN
// are left out.
#define FILO_COUNTER(name, value) filo_profile_counter((name), (double)(value))
static inline void filo_profile_counter(const char *name, double value);

// Names the calling thread, as filo_thread_set_name does, and its track. Without it the track carries the
// name that the thread had at its first event; the main thread's is then "main".
void filo_profile_name_thread(const char *name);

// ---- Reading ------------------------------------------------------------------------------------------
//
// Any thread, at any time, also while others record: what they add meanwhile may or may not be included. What
// was recorded is copied first, into memory from `allocator` (NULL: filo_heap()), which is given back.

// Receives a piece of a text; a failure ends the writing and is passed on.
typedef FiloResult (*FiloProfileWrite)(const char *text, size_t size, void *user);

// Writes all events as Chrome trace JSON, which chrome://tracing, Perfetto and Speedscope open: zones,
// frames, counters and thread names; times in microseconds since the start. The number of lost events stands
// in "otherData". Fails if memory runs out or `write` fails.
FiloResult filo_profile_write_trace(FiloProfileWrite write, void *user, const FiloAllocator *allocator);
// The same into a file. The file appears under its name only when it is complete; on failure nothing is
// left behind, and a file that was there before stays. Devices, pipes and links are written to directly.
FiloResult filo_profile_save_trace(const char *path, const FiloAllocator *allocator);

// What was spent in all zones of one name, on all threads together. Times in milliseconds.
typedef struct FiloProfileZoneRow {
    const char *name;
    uint64_t calls;
    double total_ms;                // with the zones inside; a zone inside another of its name counts in both
    double self_ms;                 // without them
    double mean_ms, min_ms, max_ms; // of one call
    double share;                   // of the self time of all zones, 0 to 1
} FiloProfileZoneRow;

typedef struct FiloProfileCounterRow {
    const char *name;
    uint64_t samples;
    double last, mean, min, max;
} FiloProfileCounterRow;

typedef struct FiloProfileFrames {
    uint64_t count; // whole frames: one less than marks
    double mean_ms, p50_ms, p99_ms, max_ms;
} FiloProfileFrames;

typedef struct FiloProfileReport {
    FiloProfileZoneRow *zones; // the highest total first
    size_t zone_count;
    FiloProfileCounterRow *counters; // by name
    size_t counter_count;
    FiloProfileFrames frames;
    size_t thread_count;  // that recorded anything
    uint64_t event_count; // that are in this report
    uint64_t lost_count;  // recorded, but overwritten since, or never had room
    const FiloAllocator *allocator;
} FiloProfileReport;

// Sums up what was recorded. On failure (no memory) the report is empty. The names in it are those that were
// passed to the zones.
FiloResult filo_profile_report_init(FiloProfileReport *report, const FiloAllocator *allocator);
void filo_profile_report_deinit(FiloProfileReport *report);
// Writes the report as a table, cut at the end of a line if `size` bytes do not suffice. Returns the length.
size_t filo_profile_report_print(const FiloProfileReport *report, char *text, size_t size);

// All three in one, with memory from filo_heap(). Returns the length; if memory runs out, the text says so.
size_t filo_profile_summary(char *text, size_t size);

// ---- An outside profiler ------------------------------------------------------------------------------

// Callbacks that are told everything as it happens, whether or not profiling is on, so that Tracy or another
// profiler can be attached. Each may be NULL. They run on the thread in question, on many at once; what they
// do inside (zones too) is not reported to them.
typedef struct FiloProfileHook {
    // What it returns is handed to zone_end. `file` is NULL and `line` 0 where there is no place in C code.
    uint64_t (*zone_begin)(const char *name, const char *file, int line, void *user);
    void (*zone_end)(const char *name, uint64_t token, void *user);
    void (*frame)(void *user);
    void (*counter)(const char *name, double value, void *user);
    // Before anything else is told of a thread, and when it is renamed.
    void (*thread_name)(const char *name, void *user);
    void *user;
} FiloProfileHook;

// Sets the process's hook, in place of the one before; NULL: none. It is copied. When this returns, the old
// hook is not running on any thread and is never called again, so what it uses may be freed. An end is told
// only to the hook that was told the beginning. Any thread, but not from inside a hook.
void filo_profile_set_hook(const FiloProfileHook *hook);

// ---- Behind the inline functions ----------------------------------------------------------------------

#define FILO_ZONE_JOIN_(a, b)  FILO_ZONE_JOIN2_(a, b)
#define FILO_ZONE_JOIN2_(a, b) a##b

#define FILO_PROFILE_RECORDING 1u
#define FILO_PROFILE_HOOKED    2u

extern uint32_t filo_profile_state; // the two bits above; written only by profile.c

void filo_profile_open(FiloZone *zone, const char *name, const FiloZoneSite *site);
void filo_profile_close(FiloZone *zone);
void filo_profile_mark_frame(void);
void filo_profile_count(const char *name, double value);

static inline uint32_t filo_profile_state_now(void) {
    return __atomic_load_n(&filo_profile_state, __ATOMIC_RELAXED);
}

static inline bool filo_profile_running(void) {
    return (filo_profile_state_now() & FILO_PROFILE_RECORDING) != 0;
}

static inline void filo_profile_enter(FiloZone *zone, const char *name) {
    zone->state = 0;
    if (FILO_UNLIKELY(filo_profile_state_now() != 0)) filo_profile_open(zone, name, NULL);
}

static inline void filo_profile_enter_site(FiloZone *zone, const FiloZoneSite *site) {
    zone->state = 0;
    if (FILO_UNLIKELY(filo_profile_state_now() != 0)) filo_profile_open(zone, site->name, site);
}

static inline void filo_profile_leave(FiloZone *zone) {
    if (FILO_UNLIKELY(zone->state != 0)) filo_profile_close(zone);
}

static inline void filo_profile_frame(void) {
    if (FILO_UNLIKELY(filo_profile_state_now() != 0)) filo_profile_mark_frame();
}

static inline void filo_profile_counter(const char *name, double value) {
    if (FILO_UNLIKELY(filo_profile_state_now() != 0)) filo_profile_count(name, value);
}

FILO_END_DECLS

#endif
