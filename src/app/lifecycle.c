// The life cycle of a game as events.
//
// Each worker thread emits "thread init" once. A thread that runs when the life cycle begins emits it in a job that is
// pinned to the thread; a later one emits it when it starts. Each thread stores the serial number of the last life
// cycle that it has emitted the event for, so that no thread emits it twice.

#include "app/lifecycle.h"

#include <filo/check.h>
#include <filo/log.h>

#include "base/atomic.h"

FILO_REFLECT(FiloThreadEvent, FILO_FIELD(int32_t, worker))
FILO_REFLECT(FiloFrameEvent, FILO_FIELD(uint64_t, number))

static BASE_ATOMIC(uint64_t) last_serial;
static FILO_THREAD_LOCAL uint64_t thread_serial; // of the last life cycle with "thread init" on this thread

const char *app_lifecycle_stage_name(AppLifecycleStage stage) {
    static const char *const names[] = { "nothing",
                                         FILO_EVENT_THREAD_INIT,
                                         FILO_EVENT_GAME_INIT,
                                         FILO_EVENT_BACKEND_INIT,
                                         FILO_EVENT_GAME_START,
                                         FILO_EVENT_FRAME,
                                         FILO_EVENT_GAME_END };
    return (unsigned)stage < FILO_COUNT_OF(names) ? names[stage] : "unknown stage";
}

void app_lifecycle_init(AppLifecycle *lifecycle) {
    *lifecycle = (AppLifecycle){ .serial = base_add_relaxed(&last_serial, 1) + 1 };
    filo_mutex_init(&lifecycle->lock);
}

void app_lifecycle_deinit(AppLifecycle *lifecycle) { filo_mutex_deinit(&lifecycle->lock); }

// ---- Threads ------------------------------------------------------------------------------------------

void app_lifecycle_thread_started(int worker, void *user) {
    AppLifecycle *lifecycle = user;
    filo_mutex_lock(&lifecycle->lock);
    if (lifecycle->events != NULL && thread_serial != lifecycle->serial) {
        thread_serial = lifecycle->serial;
        FiloThreadEvent payload = { worker };
        filo_events_emit_here(lifecycle->events, filo_name(FILO_EVENT_THREAD_INIT),
                              FILO_TYPE(FiloThreadEvent), &payload);
    }
    filo_mutex_unlock(&lifecycle->lock);
}

typedef struct ThreadInit { // the data of a job
    AppLifecycle *lifecycle;
    int worker;
} ThreadInit;

static void init_thread(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    const ThreadInit *init = data;
    app_lifecycle_thread_started(init->worker, init->lifecycle);
}

// Declared, so that an event without handlers is not reported.
static bool declare_stages(FiloEvents *events) {
    for (AppLifecycleStage stage = APP_STAGE_THREAD_INIT; stage <= APP_STAGE_GAME_END; stage++) {
        const FiloType *type = stage == APP_STAGE_THREAD_INIT ? FILO_TYPE(FiloThreadEvent)
                               : stage == APP_STAGE_FRAME     ? FILO_TYPE(FiloFrameEvent)
                                                              : NULL;
        FiloResult r = filo_events_declare(events, filo_name(app_lifecycle_stage_name(stage)), type);
        if (r.code != FILO_OK) filo_log_error("app", "%s", r.message);
        if (r.code != FILO_OK) return false;
    }
    return true;
}

bool app_lifecycle_begin(AppLifecycle *lifecycle, FiloJobs *jobs, FiloEvents *events) {
    if (!FILO_CHECK(lifecycle->stage == APP_STAGE_NONE,
                    "\"" FILO_EVENT_THREAD_INIT "\" comes first, and once: the last was \"%s\"",
                    app_lifecycle_stage_name(lifecycle->stage)))
        return false;
    if (!declare_stages(events)) return false;
    filo_mutex_lock(&lifecycle->lock);
    lifecycle->events = events;
    lifecycle->stage = APP_STAGE_THREAD_INIT;
    filo_mutex_unlock(&lifecycle->lock);
    for (int worker = 0; worker < filo_jobs_threads(jobs); worker++) {
        FiloJob job;
        ThreadInit init = { lifecycle, worker };
        filo_job_init(&job, init_thread, &init, sizeof init);
        filo_job_set_name(&job, FILO_EVENT_THREAD_INIT);
        filo_job_set_worker(&job, worker);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job); // in the order of workers
    }
    filo_events_end_here(events);
    return true;
}

// ---- Stages -------------------------------------------------------------------------------------------

static bool may_follow(AppLifecycleStage stage, AppLifecycleStage last) {
    if (stage == APP_STAGE_FRAME && last == APP_STAGE_FRAME) return true;
    if (stage == APP_STAGE_GAME_END) return last >= APP_STAGE_GAME_INIT && last < APP_STAGE_GAME_END;
    return stage > APP_STAGE_THREAD_INIT && stage == last + 1;
}

// The stage that must come before another, for a message.
static const char *predecessor(AppLifecycleStage stage) {
    return app_lifecycle_stage_name(stage == APP_STAGE_GAME_END ? APP_STAGE_GAME_INIT : stage - 1);
}

bool app_lifecycle_enter(AppLifecycle *lifecycle, AppLifecycleStage stage) {
    if (!FILO_CHECK(may_follow(stage, lifecycle->stage), "\"%s\" comes after \"%s\", and the last was \"%s\"",
                    app_lifecycle_stage_name(stage), predecessor(stage),
                    app_lifecycle_stage_name(lifecycle->stage)) ||
        !FILO_CHECK(!filo_events_inside_handler(), "\"%s\": not inside of a handler of another event",
                    app_lifecycle_stage_name(stage)))
        return false;
    lifecycle->stage = stage;
    FiloName name = filo_name(app_lifecycle_stage_name(stage));
    if (stage != APP_STAGE_FRAME) return filo_events_emit_now(lifecycle->events, name, NULL, NULL);
    FiloFrameEvent frame = { lifecycle->frames++ };
    return filo_events_emit_now(lifecycle->events, name, FILO_TYPE(FiloFrameEvent), &frame);
}

void app_lifecycle_end(AppLifecycle *lifecycle) {
    if (lifecycle->stage >= APP_STAGE_GAME_INIT && lifecycle->stage < APP_STAGE_GAME_END)
        app_lifecycle_enter(lifecycle, APP_STAGE_GAME_END);
    filo_mutex_lock(&lifecycle->lock);
    lifecycle->events = NULL;
    filo_mutex_unlock(&lifecycle->lock);
}
