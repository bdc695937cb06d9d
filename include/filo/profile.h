// filo/profile.h: a profiler for zones of code, frames and counters.
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
// Zones can stay in the code. While profiling is off, as at the start of a program, a zone costs a load and a branch.
// While it is on, a zone costs two reads of the processor's time-stamp counter and a few stores, without a lock and
// without allocating.
//
// Each thread writes into its own ring buffer, created at its first event while profiling is on. A full ring overwrites
// its oldest events; the lost events are counted and reported. The events of threads that ended stay until
// filo_profile_clear; after that new threads reuse their rings. Rings are reserved address space: only what was written
// takes memory, 32 bytes an event.
//
// A zone is recorded when it is left, so a zone that is still open when the profile is read is not in it. Nor is a zone
// that was entered before the profile was started or cleared, or left while profiling was off.
//
// Names, of zones and counters alike, are not copied: pass string literals, or strings that live until the
// profile is cleared. A library that is unloaded takes its literals with it: clear before unloading it.

#ifndef FILO_PROFILE_H
#define FILO_PROFILE_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Switching ----------------------------------------------------------------------------------------

#define FILO_PROFILE_EVENTS (1u << 17)  // default size of a ring: 4 MiB
#define FILO_PROFILE_BUDGET FILO_GIB(1) // default for all rings together

// A field of 0 leaves the setting unchanged.
typedef struct FiloProfileDesc {
    // Events in each ring created from now on, rounded up to a power of two from 16 to 2^26. One less can be read.
    uint32_t events_per_thread;
    // Bytes of address space for all rings together. Events of a thread without a ring count as lost.
    size_t budget;
} FiloProfileDesc;

// Switches profiling on. Starts are counted: profiling is on until each start has had its stop, so two modules of one
// program can profile independently. Events are added to what was recorded before. `desc` may be NULL. Any thread.
void filo_profile_start(const FiloProfileDesc *desc);
// Ends one start. The events stay, to be read. Any thread.
void filo_profile_stop(void);
// Discards all events recorded so far, whether profiling is on or off. Any thread.
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

// Measures from here to FILO_ZONE_END(zone) in the same scope; `zone` is the name of a variable that this declares. A
// zone that is never ended is not recorded.
#define FILO_ZONE_BEGIN(zone, name_)                                                                         \
    static const FiloZoneSite zone##_site = { name_, __FILE__, __LINE__ };                                   \
    FiloZone zone;                                                                                           \
    filo_profile_enter_site(&zone, &zone##_site)
#define FILO_ZONE_END(zone) filo_profile_leave(&zone)

// The source line of a zone.
typedef struct FiloZoneSite {
    const char *name;
    const char *file;
    int line;
} FiloZoneSite;

// A zone that is being measured, on the caller's stack. Its fields are private, and undefined before it is entered.
typedef struct FiloZone {
    uint32_t state; // FILO_PROFILE_… bits at entry; 0: neither recorded nor hooked
    uint32_t hook_version;
    uint64_t hook_token;
    uint64_t start;
    const char *name, *outer;
    const FiloZoneSite *site;
} FiloZone;

// The functions behind FILO_ZONE, for names that are determined at run time, such as those of jobs. `name` NULL is
// shown as "(unnamed)". A zone is left on the thread that entered it, inner zones before outer ones. Leaving twice is
// harmless. Any thread.
static inline void filo_profile_enter(FiloZone *zone, const char *name);
static inline void filo_profile_enter_site(FiloZone *zone, const FiloZoneSite *site);
static inline void filo_profile_leave(FiloZone *zone);

// ---- Frames, counters, threads ------------------------------------------------------------------------

// Marks the end of one frame and the beginning of the next. Any thread, but usually always the same one. Frames are a
// separate track in the trace, and percentiles in the summary.
static inline void filo_profile_frame(void);

// Records a value that changes over time: entities, bytes, draw calls. Traces show it as a curve. Infinities and NaN
// are not recorded.
#define FILO_COUNTER(name, value) filo_profile_counter((name), (double)(value))
static inline void filo_profile_counter(const char *name, double value);

// Names the calling thread, as filo_thread_set_name does, and its track. Without this call the track has the name that
// the thread had at its first event; the track of the main thread is then "main".
void filo_profile_name_thread(const char *name);

// ---- Reading ------------------------------------------------------------------------------------------
//
// Any thread, at any time, also while other threads record: what they add meanwhile may or may not be included. The
// events are first copied into memory from `allocator` (NULL: filo_heap()), which is freed at the end.

// Receives a piece of the text; a failure ends the writing and is returned.
typedef FiloResult (*FiloProfileWrite)(const char *text, size_t size, void *user);

// Writes all events as Chrome trace JSON, which chrome://tracing, Perfetto and Speedscope open: zones, frames, counters
// and thread names; times in microseconds since the start. The number of lost events is in "otherData". Fails if memory
// runs out or `write` fails.
FiloResult filo_profile_write_trace(FiloProfileWrite write, void *user, const FiloAllocator *allocator);
// Writes the trace to a file. The file appears under its name only when it is complete; on failure nothing is left
// behind, and an existing file is unchanged. Devices, pipes and links are written to directly.
FiloResult filo_profile_save_trace(const char *path, const FiloAllocator *allocator);

// The time spent in all zones of one name, on all threads together. Times in milliseconds.
typedef struct FiloProfileZoneRow {
    const char *name;
    uint64_t calls;
    double total_ms;                // with inner zones; a zone inside another of the same name counts twice
    double self_ms;                 // without inner zones
    double mean_ms, min_ms, max_ms; // of one call
    double share;                   // of the self time of all zones, 0 to 1
} FiloProfileZoneRow;

typedef struct FiloProfileCounterRow {
    const char *name;
    uint64_t samples;
    double last, mean, min, max;
} FiloProfileCounterRow;

typedef struct FiloProfileFrames {
    uint64_t count; // complete frames: one less than marks
    double mean_ms, p50_ms, p99_ms, max_ms;
} FiloProfileFrames;

typedef struct FiloProfileReport {
    FiloProfileZoneRow *zones; // the highest total first
    size_t zone_count;
    FiloProfileCounterRow *counters; // by name
    size_t counter_count;
    FiloProfileFrames frames;
    size_t thread_count;  // threads that recorded anything
    uint64_t event_count; // events in this report
    uint64_t lost_count;  // events that were overwritten, or had no ring
    const FiloAllocator *allocator;
} FiloProfileReport;

// Summarises what was recorded. On failure (no memory) the report is empty. The names in it are the pointers that were
// passed to the zones.
FiloResult filo_profile_report_init(FiloProfileReport *report, const FiloAllocator *allocator);
void filo_profile_report_deinit(FiloProfileReport *report);
// Writes the report as a table, cut at the end of a line if `size` bytes do not suffice. Returns the length.
size_t filo_profile_report_print(const FiloProfileReport *report, char *text, size_t size);

// Makes a report, prints it and frees it, with memory from filo_heap(). Returns the length; if memory runs out, the
// text says so.
size_t filo_profile_summary(char *text, size_t size);

// ---- An outside profiler ------------------------------------------------------------------------------

// Callbacks for every event as it happens, whether or not profiling is on, so that Tracy or another profiler can be
// attached. Each may be NULL. A callback runs on the thread of the event, and on many threads at once. Events from
// inside a callback (zones too) are not reported to the hook.
typedef struct FiloProfileHook {
    // The result is passed to zone_end. `file` is NULL and `line` 0 if the zone has no line of C code.
    uint64_t (*zone_begin)(const char *name, const char *file, int line, void *user);
    void (*zone_end)(const char *name, uint64_t token, void *user);
    void (*frame)(void *user);
    void (*counter)(const char *name, double value, void *user);
    // Called before every other event of a thread, and when the thread is renamed.
    void (*thread_name)(const char *name, void *user);
    void *user;
} FiloProfileHook;

// Replaces the process's hook; NULL: none. It is copied. When this returns, the old hook is not running on any thread
// and is never called again, so its data may be freed. zone_end is called only on the hook whose zone_begin was called.
// Any thread, but not from inside a hook.
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
