// The hook of an external profiler.
//
// Before a thread calls the hook, it sets in_hook in its log, and then loads the current hook. A thread that replaces
// the hook first removes it, and then waits until in_hook is 0 in all logs: from then on no thread is inside the old
// hook or can still load it. Each side writes one variable and reads the other one, so both operations are
// sequentially consistent. Hooks have a version, which is stored in zones, so that the end of a zone is reported only
// to the hook that was called for its beginning.

#include <filo/check.h>
#include <filo/profile.h>
#include <filo/threads.h>

#include "base/atomic.h"
#include "base/profile/profile_log.h"

typedef struct InstalledHook {
    FiloProfileHook calls;
    uint32_t version; // never 0
} InstalledHook;

static FiloMutex change_lock = FILO_MUTEX_INIT; // one change at a time
static uint32_t last_version;
static InstalledHook storage; // written only while no thread can see it
static _Atomic(const InstalledHook *) current;

static void leave_hook(BaseProfileLog *log) {
    // Release: pairs with the load in wait_until_outside; the hook's actions happen before it is replaced.
    base_store_release(&log->in_hook, 0);
}

// The hook, if there is one and the thread is not inside it already; leave_hook must follow. Otherwise NULL.
static const InstalledHook *enter_hook(BaseProfileLog *log) {
    if (log == NULL || base_load_relaxed(&log->in_hook) != 0) return NULL;
    // Both are sequentially consistent: they pair with the store in filo_profile_set_hook and the load in
    // wait_until_outside.
    base_store_seq_cst(&log->in_hook, 1);
    const InstalledHook *hook = base_load_seq_cst(&current);
    if (hook == NULL) {
        leave_hook(log);
        return NULL;
    }
    if (log->named_hook_version != hook->version) {
        log->named_hook_version = hook->version;
        if (hook->calls.thread_name != NULL) hook->calls.thread_name(log->name, hook->calls.user);
    }
    return hook;
}

void base_profile_hook_begin(FiloZone *zone) {
    BaseProfileLog *log = base_profile_log();
    const InstalledHook *hook = enter_hook(log);
    if (hook == NULL) return;
    const char *file = zone->site != NULL ? zone->site->file : NULL;
    int line = zone->site != NULL ? zone->site->line : 0;
    zone->hook_version = hook->version;
    zone->hook_token = 0;
    if (hook->calls.zone_begin != NULL)
        zone->hook_token = hook->calls.zone_begin(zone->name, file, line, hook->calls.user);
    leave_hook(log);
}

void base_profile_hook_end(const FiloZone *zone) {
    BaseProfileLog *log = base_profile_log();
    const InstalledHook *hook = enter_hook(log);
    if (hook == NULL) return;
    if (hook->version == zone->hook_version && hook->calls.zone_end != NULL)
        hook->calls.zone_end(zone->name, zone->hook_token, hook->calls.user);
    leave_hook(log);
}

void base_profile_hook_frame(void) {
    BaseProfileLog *log = base_profile_log();
    const InstalledHook *hook = enter_hook(log);
    if (hook == NULL) return;
    if (hook->calls.frame != NULL) hook->calls.frame(hook->calls.user);
    leave_hook(log);
}

void base_profile_hook_counter(const char *name, double value) {
    BaseProfileLog *log = base_profile_log();
    const InstalledHook *hook = enter_hook(log);
    if (hook == NULL) return;
    if (hook->calls.counter != NULL) hook->calls.counter(name, value, hook->calls.user);
    leave_hook(log);
}

void base_profile_hook_thread_name(void) {
    BaseProfileLog *log = base_profile_log();
    if (log == NULL) return;
    log->named_hook_version = 0; // enter_hook then reports the name
    if (enter_hook(log) != NULL) leave_hook(log);
}

// ---- Changing -----------------------------------------------------------------------------------------

static void wait_until_outside(BaseProfileLog *log) {
    // Sequentially consistent: pairs with the store in enter_hook.
    while (base_load_seq_cst(&log->in_hook) != 0) filo_thread_yield();
}

void filo_profile_set_hook(const FiloProfileHook *hook) {
    BaseProfileLog *mine = base_profile_thread_log;
    if (!FILO_CHECK(mine == NULL || base_load_relaxed(&mine->in_hook) == 0,
                    "do not change the profiler's hook from inside a hook: it would wait for itself"))
        return;
    filo_mutex_lock(&change_lock);
    __atomic_fetch_and(&filo_profile_state, ~FILO_PROFILE_HOOKED, __ATOMIC_RELAXED);
    // Sequentially consistent: pairs with the load in enter_hook.
    base_store_seq_cst(&current, NULL);
    base_profile_each_log(wait_until_outside);
    if (hook != NULL) {
        if (++last_version == 0) last_version = 1;
        storage = (InstalledHook){ *hook, last_version };
        // Also a release: a thread that loads the pointer in enter_hook sees the hook.
        base_store_seq_cst(&current, &storage);
        __atomic_fetch_or(&filo_profile_state, FILO_PROFILE_HOOKED, __ATOMIC_RELAXED);
    }
    filo_mutex_unlock(&change_lock);
}
