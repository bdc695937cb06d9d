// Recording: the functions that the inline functions of profile.h call while profiling is on or a hook is set.
//
// A zone is on the stack of its thread until it is left, and only then becomes an event, so switching profiling on or
// off in between leaves no incomplete event. filo_profile_state has a bit for recording, set while the count of starts
// is above zero, and a bit for the hook.

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "base/profile/profile_log.h"
#include "base/tsc.h"
#include "base/zone.h"

#include <math.h>
#include <string.h>

#define ZONE_OPEN       4u      // in a zone's state, besides the bits of profile.h
#define MIN_INTERVAL_NS 1000000 // a rate measured over a shorter interval is inexact

uint32_t filo_profile_state;
static FILO_THREAD_LOCAL const char *zone_name; // of the innermost open zone

static FiloMutex switch_lock = FILO_MUTEX_INIT;
static uint32_t start_count;
static BaseTscPair origin; // of the times in the profile; ticks 0: not started since it was cleared
static BaseTscPair last_stop;

// ---- Switching ----------------------------------------------------------------------------------------

void filo_profile_start(const FiloProfileDesc *desc) {
    if (desc != NULL) base_profile_log_configure(desc->events_per_thread, desc->budget);
    filo_mutex_lock(&switch_lock);
    if (start_count++ == 0) {
        if (origin.ticks == 0) origin = base_tsc_pair();
        __atomic_fetch_or(&filo_profile_state, FILO_PROFILE_RECORDING, __ATOMIC_RELAXED);
    }
    filo_mutex_unlock(&switch_lock);
}

void filo_profile_stop(void) {
    filo_mutex_lock(&switch_lock);
    bool started = start_count > 0;
    if (started && --start_count == 0) {
        __atomic_fetch_and(&filo_profile_state, ~FILO_PROFILE_RECORDING, __ATOMIC_RELAXED);
        last_stop = base_tsc_pair();
    }
    filo_mutex_unlock(&switch_lock);
    (void)FILO_CHECK(started, "profiling is off: call filo_profile_stop once for each filo_profile_start");
}

void filo_profile_clear(void) {
    filo_mutex_lock(&switch_lock);
    base_profile_log_clear();
    origin = start_count > 0 ? base_tsc_pair() : (BaseTscPair){ 0 };
    filo_mutex_unlock(&switch_lock);
}

void base_profile_clock(BaseTscPair *first, BaseTscPair *newest) {
    filo_mutex_lock(&switch_lock);
    *first = origin;
    // The time after the last stop must not distort the rate (the machine may have been suspended).
    bool use_last_stop = start_count == 0 && last_stop.ns - origin.ns >= MIN_INTERVAL_NS;
    *newest = use_last_stop ? last_stop : base_tsc_pair();
    filo_mutex_unlock(&switch_lock);
}

// ---- Events -------------------------------------------------------------------------------------------

static inline void record(uint64_t time, uint64_t detail, const char *name, uint64_t site_and_kind) {
    BaseProfileLog *log = base_profile_log();
    if (FILO_UNLIKELY(log == NULL)) {
        base_profile_log_count_lost();
        return;
    }
    uint64_t head = base_load_relaxed(&log->head);
    _Atomic uint64_t *slot = log->words + (head & log->mask) * BASE_PROFILE_EVENT_WORDS;
    // Release: pairs with the acquires in read_event. The top of profile_log.c explains why each store is a release.
    base_store_release(&slot[0], time);
    base_store_release(&slot[1], detail);
    base_store_release(&slot[2], (uint64_t)(uintptr_t)name);
    base_store_release(&slot[3], site_and_kind);
    // Release: pairs with the acquire in copy_log; a reader that sees the head sees the words.
    base_store_release(&log->head, head + 1);
}

const char *base_zone_name(void) { return filo_profile_state_now() != 0 ? zone_name : NULL; }

void filo_profile_open(FiloZone *zone, const char *name, const FiloZoneSite *site) {
    uint32_t state = filo_profile_state_now();
    zone->name = name != NULL ? name : "(unnamed)";
    zone->outer = zone_name;
    zone_name = zone->name;
    zone->site = site;
    zone->hook_version = 0;
    if (FILO_UNLIKELY((state & FILO_PROFILE_HOOKED) != 0)) base_profile_hook_begin(zone);
    zone->state = ZONE_OPEN | (state & FILO_PROFILE_RECORDING);
    zone->start = base_tsc_now(); // last, so that the hook's time does not count
}

void filo_profile_close(FiloZone *zone) {
    uint64_t end = base_tsc_now();
    if ((zone->state & filo_profile_state_now() & FILO_PROFILE_RECORDING) != 0)
        record(zone->start, end, zone->name, (uintptr_t)zone->site | BASE_PROFILE_ZONE);
    if (FILO_UNLIKELY(zone->hook_version != 0)) base_profile_hook_end(zone);
    zone_name = zone->outer;
    zone->state = 0;
}

void filo_profile_mark_frame(void) {
    uint32_t state = filo_profile_state_now();
    if ((state & FILO_PROFILE_RECORDING) != 0) record(base_tsc_now(), 0, NULL, BASE_PROFILE_FRAME);
    if ((state & FILO_PROFILE_HOOKED) != 0) base_profile_hook_frame();
}

void filo_profile_count(const char *name, double value) {
    if (!isfinite(value)) return;
    if (name == NULL) name = "(unnamed)";
    uint32_t state = filo_profile_state_now();
    if ((state & FILO_PROFILE_RECORDING) != 0) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        record(base_tsc_now(), bits, name, BASE_PROFILE_COUNTER);
    }
    if ((state & FILO_PROFILE_HOOKED) != 0) base_profile_hook_counter(name, value);
}

void filo_profile_name_thread(const char *name) {
    filo_thread_set_name(name);
    BaseProfileLog *log = base_profile_thread_log;
    if (log != NULL) base_profile_log_rename(log, filo_thread_name());
    if ((filo_profile_state_now() & FILO_PROFILE_HOOKED) != 0) base_profile_hook_thread_name();
}
