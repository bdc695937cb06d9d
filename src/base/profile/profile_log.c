// Logs: one ring buffer of events for each thread, written without locks and read by other threads.
//
// The thread writes an event's four words into the slot after the newest, and then increments `head`. It never waits
// for a reader: a full ring overwrites its oldest events, also those that are being copied. The reader therefore
// copies, loads `head` again, and discards the events that may have been overwritten meanwhile: all events up to head
// - capacity, of which the last is the one that the thread may be writing.
//
// This is correct because words are stored with release and loaded with acquire. A reader of a word of event N sees
// everything that was written before it, including the increment of `head` to N. (On x86-64 this costs nothing. With
// relaxed stores of the words, other processors could make a word visible before the increment that precedes it.)
//
// Logs are in one list and are never freed. A log is in use by a living thread; or its thread has ended and left
// events (has_events); or it is idle, and the next thread that needs a log takes it. Clearing sets `tail` to `head`,
// and so needs no action by the thread. Everything but what the thread writes is under one lock, which is never held
// while memory for a reader is allocated, because a fault hook may leave the allocation by longjmp.

#include "base/profile/profile_log.h"

#include <filo/check.h>

#include "base/account.h"
#include "base/memory/virtual_memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEADER_SIZE     FILO_ALIGN_UP(sizeof(BaseProfileLog), (size_t)FILO_CACHE_LINE)
#define FEWEST_EVENTS   16u
#define MOST_EVENTS     (1u << 26)
#define COPY_ATTEMPTS   8
#define EVENT_SIZE      sizeof(BaseProfileEvent)
#define EVENT_ALIGNMENT 16

FILO_THREAD_LOCAL BaseProfileLog *base_profile_thread_log;
// The version of the configuration in which this thread could not get a log: it tries again in the next version.
static FILO_THREAD_LOCAL uint32_t failed_version;

static FiloOnce prepared = FILO_ONCE_INIT;
static pthread_key_t thread_end_key;
static FiloMemoryAccount account;
static _Atomic uint32_t configuration_version = 1;
static _Atomic uint64_t lost_without_log;

static FiloMutex lock = FILO_MUTEX_INIT;
static BaseProfileLog *first_log, **last_link = &first_log;
static uint32_t last_thread;
static uint32_t events_per_log = FILO_PROFILE_EVENTS;
static size_t budget = FILO_PROFILE_BUDGET, reserved;

// ---- Logs of threads ----------------------------------------------------------------------------------

static void thread_ended(void *value) {
    BaseProfileLog *log = value;
    base_profile_thread_log = NULL;
    filo_mutex_lock(&lock);
    log->in_use = false;
    log->has_events = base_load_relaxed(&log->head) != log->tail;
    filo_mutex_unlock(&lock);
}

static void prepare(void) {
    pthread_key_create(&thread_end_key, thread_ended);
    base_account_open(&account, "profile", 0, NULL);
}

static BaseProfileLog *find_idle(void) {
    for (BaseProfileLog *log = first_log; log != NULL; log = log->next)
        if (!log->in_use && !log->has_events && log->mask + 1 == events_per_log) return log;
    return NULL;
}

static size_t region_size(void) {
    return FILO_ALIGN_UP(HEADER_SIZE + events_per_log * EVENT_SIZE, BASE_COMMIT_STEP);
}

// Under the lock. NULL, with the reason, on failure.
static BaseProfileLog *make_log(const char **reason) {
    size_t size = region_size();
    *reason = "the budget of the profile is used up, so this thread is not recorded";
    if (size > budget || reserved > budget - size) return NULL;
    *reason = "the system has no memory left, so this thread is not recorded";
    void *region = base_virtual_reserve(size);
    if (region == NULL) return NULL;
    if (!base_virtual_commit(region, 0, size)) {
        base_virtual_release(region, size);
        return NULL;
    }
    reserved += size;
    base_account_take(&account, size);
    BaseProfileLog *log = region; // zeroed by the system
    log->mask = events_per_log - 1;
    log->words = (_Atomic uint64_t *)(void *)((uint8_t *)region + HEADER_SIZE);
    *last_link = log;
    last_link = &log->next;
    return log;
}

static void copy_name(BaseProfileLog *log, const char *name) {
    if (name[0] != '\0')
        snprintf(log->name, sizeof log->name, "%s", name);
    else if (getpid() == gettid())
        snprintf(log->name, sizeof log->name, "main");
    else
        snprintf(log->name, sizeof log->name, "thread %u", log->thread);
}

FILO_COLD BaseProfileLog *base_profile_log_create(void) {
    uint32_t version = base_load_relaxed(&configuration_version);
    if (failed_version == version) return NULL;
    filo_once(&prepared, prepare);
    const char *reason = "";
    filo_mutex_lock(&lock);
    size_t size = region_size();
    BaseProfileLog *log = find_idle();
    if (log == NULL) log = make_log(&reason);
    if (log != NULL) {
        log->in_use = true;
        log->thread = ++last_thread;
        log->named_hook_version = 0;
        copy_name(log, filo_thread_name());
    }
    filo_mutex_unlock(&lock);
    if (log == NULL) {
        failed_version = version;
        filo_out_of_memory("profile", size, reason);
        return NULL;
    }
    pthread_setspecific(thread_end_key, log);
    base_profile_thread_log = log;
    return log;
}

FILO_COLD void base_profile_log_count_lost(void) { base_add_relaxed(&lost_without_log, 1); }

void base_profile_each_log(void (*visit)(BaseProfileLog *log)) {
    filo_mutex_lock(&lock);
    BaseProfileLog *log = first_log;
    filo_mutex_unlock(&lock);
    while (log != NULL) {
        visit(log); // not under the lock: it may wait for the log's thread, which may wait for the lock
        filo_mutex_lock(&lock);
        log = log->next;
        filo_mutex_unlock(&lock);
    }
}

void base_profile_log_configure(uint32_t events, size_t new_budget) {
    filo_mutex_lock(&lock);
    if (events != 0) {
        events = FILO_CLAMP(events, FEWEST_EVENTS, MOST_EVENTS);
        events_per_log = FEWEST_EVENTS;
        while (events_per_log < events) events_per_log *= 2;
    }
    if (new_budget != 0) budget = new_budget;
    filo_mutex_unlock(&lock);
    base_add_relaxed(&configuration_version, 1);
}

void base_profile_log_rename(BaseProfileLog *log, const char *name) {
    filo_mutex_lock(&lock);
    copy_name(log, name);
    filo_mutex_unlock(&lock);
}

void base_profile_log_clear(void) {
    filo_mutex_lock(&lock);
    for (BaseProfileLog *log = first_log; log != NULL; log = log->next) {
        log->tail = base_load_relaxed(&log->head);
        log->has_events = false;
    }
    base_store_relaxed(&lost_without_log, 0);
    filo_mutex_unlock(&lock);
    base_add_relaxed(&configuration_version, 1);
}

// ---- Reading ------------------------------------------------------------------------------------------

// The first event that can still be read when `head` events were recorded.
static uint64_t first_readable(const BaseProfileLog *log, uint64_t head) {
    return FILO_MAX(log->tail, head > log->mask ? head - log->mask : 0);
}

static BaseProfileEvent read_event(const BaseProfileLog *log, uint64_t index) {
    // Acquire: pairs with the releases in record (profile.c); see the top of this file.
    _Atomic uint64_t *slot = log->words + (index & log->mask) * BASE_PROFILE_EVENT_WORDS;
    return (BaseProfileEvent){ base_load_acquire(&slot[0]), base_load_acquire(&slot[1]),
                               base_load_acquire(&slot[2]), base_load_acquire(&slot[3]) };
}

// Under the lock. Adds the log to the snapshot; false if its capacity is too small.
static bool copy_log(BaseProfileSnapshot *snapshot, BaseProfileLog *log) {
    // Acquire: pairs with the release in record; the words up to here are complete.
    uint64_t head = base_load_acquire(&log->head), first = first_readable(log, head);
    BaseProfileEvent *events = snapshot->events + snapshot->event_count;
    size_t count = (size_t)(head - first);
    if (count > snapshot->event_capacity - snapshot->event_count) return false;
    for (size_t i = 0; i < count; i++) events[i] = read_event(log, first + i);

    // Relaxed is enough: the acquires above order it behind them.
    uint64_t readable = first_readable(log, base_load_relaxed(&log->head));
    size_t overwritten = (size_t)FILO_MIN(readable - first, (uint64_t)count);
    snapshot->lost_count += first + overwritten - log->tail;
    size_t copied = 0;
    for (size_t i = overwritten; i < count; i++)
        if (events[i].time >= snapshot->origin.ticks) events[copied++] = events[i];
    if (copied == 0) return true;
    if (snapshot->track_count == snapshot->track_capacity) return false;

    BaseProfileTrack *track = &snapshot->tracks[snapshot->track_count++];
    *track = (BaseProfileTrack){ .thread = log->thread, .events = events, .event_count = copied };
    memcpy(track->name, log->name, sizeof track->name);
    snapshot->event_count += copied;
    return true;
}

static bool copy_all(BaseProfileSnapshot *snapshot) {
    bool complete = true;
    snapshot->track_count = snapshot->event_count = 0;
    snapshot->lost_count = base_load_relaxed(&lost_without_log);
    filo_mutex_lock(&lock);
    for (BaseProfileLog *log = first_log; log != NULL && complete; log = log->next)
        complete = copy_log(snapshot, log);
    filo_mutex_unlock(&lock);
    return complete;
}

// Sets the capacity to what the logs need now, plus a reserve for events until they are copied.
static void measure(BaseProfileSnapshot *snapshot) {
    snapshot->track_capacity = 4;
    snapshot->event_capacity = 1024;
    filo_mutex_lock(&lock);
    for (BaseProfileLog *log = first_log; log != NULL; log = log->next) {
        uint64_t head = base_load_relaxed(&log->head);
        size_t count = (size_t)(head - first_readable(log, head));
        snapshot->track_capacity++;
        snapshot->event_capacity += count + count / 4;
    }
    filo_mutex_unlock(&lock);
}

static void sort_tracks(BaseProfileSnapshot *snapshot) {
    BaseProfileTrack *tracks = snapshot->tracks;
    for (size_t i = 1; i < snapshot->track_count; i++) { // nearly in order already
        BaseProfileTrack track = tracks[i];
        size_t index = i;
        for (; index > 0 && tracks[index - 1].thread > track.thread; index--)
            tracks[index] = tracks[index - 1];
        tracks[index] = track;
    }
}

FiloResult base_profile_snapshot_init(BaseProfileSnapshot *snapshot, const FiloAllocator *allocator) {
    for (int attempt = 0; attempt < COPY_ATTEMPTS; attempt++) {
        *snapshot = (BaseProfileSnapshot){ .allocator = allocator };
        BaseTscPair newest;
        base_profile_clock(&snapshot->origin, &newest);
        snapshot->ns_per_tick = base_tsc_rate(snapshot->origin, newest);
        measure(snapshot);
        snapshot->tracks = filo_alloc(allocator, snapshot->track_capacity * sizeof(BaseProfileTrack), 0);
        snapshot->events = filo_alloc(allocator, snapshot->event_capacity * EVENT_SIZE, EVENT_ALIGNMENT);
        if (snapshot->tracks == NULL || snapshot->events == NULL) {
            size_t count = snapshot->event_capacity;
            base_profile_snapshot_deinit(snapshot);
            return filo_error(FILO_ERROR_MEMORY, "profile: no memory to read %zu events", count);
        }
        if (copy_all(snapshot)) {
            sort_tracks(snapshot);
            return filo_ok();
        }
        base_profile_snapshot_deinit(snapshot);
    }
    return filo_error(FILO_ERROR_BUSY, "profile: events come faster than they can be read");
}

void base_profile_snapshot_deinit(BaseProfileSnapshot *snapshot) {
    filo_free(snapshot->allocator, snapshot->tracks, snapshot->track_capacity * sizeof(BaseProfileTrack), 0);
    filo_free(snapshot->allocator, snapshot->events, snapshot->event_capacity * EVENT_SIZE, EVENT_ALIGNMENT);
    *snapshot = (BaseProfileSnapshot){ 0 };
}
