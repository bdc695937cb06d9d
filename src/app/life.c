// The life of a game as events.
//
// "thread init" has to reach each worker thread once, wherever it comes from: threads that run when the life
// begins get it by a job that is pinned to them, later ones when they start. Each thread remembers the serial
// number of the last life that it was told of, so that it is not told twice.

#include "app/life.h"

#include <filo/check.h>
#include <filo/log.h>

#include "base/atomic.h"

FILO_REFLECT(FiloThreadEvent, FILO_FIELD(int32_t, worker))
FILO_REFLECT(FiloFrameEvent, FILO_FIELD(uint64_t, number))

static BASE_ATOMIC(uint64_t) lives;
static FILO_THREAD_LOCAL uint64_t told; // the serial number of a life

const char *app_life_stage_name(AppLifeStage stage) {
    static const char *const names[] = { "nothing",
                                         FILO_EVENT_THREAD_INIT,
                                         FILO_EVENT_GAME_INIT,
                                         FILO_EVENT_BACKEND_INIT,
                                         FILO_EVENT_GAME_START,
                                         FILO_EVENT_FRAME,
                                         FILO_EVENT_GAME_END };
    return (unsigned)stage < FILO_COUNT_OF(names) ? names[stage] : "unknown stage";
}

void app_life_init(AppLife *life) {
    *life = (AppLife){ .serial = base_add_relaxed(&lives, 1) + 1 };
    filo_mutex_init(&life->lock);
}

void app_life_deinit(AppLife *life) { filo_mutex_deinit(&life->lock); }

// ---- Threads ------------------------------------------------------------------------------------------

void app_life_thread_started(int worker, void *user) {
    AppLife *life = user;
    filo_mutex_lock(&life->lock);
    if (life->events != NULL && told != life->serial) {
        told = life->serial;
        FiloThreadEvent payload = { worker };
        filo_events_emit_here(life->events, filo_name(FILO_EVENT_THREAD_INIT), FILO_TYPE(FiloThreadEvent),
                              &payload);
    }
    filo_mutex_unlock(&life->lock);
}

typedef struct Telling { // the data of a job
    AppLife *life;
    int worker;
} Telling;

static void tell(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    const Telling *telling = data;
    app_life_thread_started(telling->worker, telling->life);
}

// So that it is no surprise where a game does not handle them.
static bool declare_stages(FiloEvents *events) {
    for (AppLifeStage stage = APP_LIFE_THREAD_INIT; stage <= APP_LIFE_GAME_END; stage++) {
        const FiloType *type = stage == APP_LIFE_THREAD_INIT ? FILO_TYPE(FiloThreadEvent)
                               : stage == APP_LIFE_FRAME     ? FILO_TYPE(FiloFrameEvent)
                                                             : NULL;
        FiloResult r = filo_events_declare(events, filo_name(app_life_stage_name(stage)), type);
        if (r.code != FILO_OK) filo_log_error("app", "%s", r.message);
        if (r.code != FILO_OK) return false;
    }
    return true;
}

bool app_life_begin(AppLife *life, FiloJobs *jobs, FiloEvents *events) {
    if (!FILO_CHECK(life->stage == APP_LIFE_NONE,
                    "\"" FILO_EVENT_THREAD_INIT "\" comes first, and once: the last was \"%s\"",
                    app_life_stage_name(life->stage)))
        return false;
    if (!declare_stages(events)) return false;
    filo_mutex_lock(&life->lock);
    life->events = events;
    life->stage = APP_LIFE_THREAD_INIT;
    filo_mutex_unlock(&life->lock);
    for (int worker = 0; worker < filo_jobs_threads(jobs); worker++) {
        FiloJob job;
        Telling telling = { life, worker };
        filo_job_init(&job, tell, &telling, sizeof telling);
        filo_job_set_worker(&job, worker);
        filo_jobs_run(jobs, &job);
        filo_jobs_wait(jobs, &job); // in the order of workers
    }
    filo_events_end_here(events);
    return true;
}

// ---- Stages -------------------------------------------------------------------------------------------

static bool may_follow(AppLifeStage stage, AppLifeStage last) {
    if (stage == APP_LIFE_FRAME && last == APP_LIFE_FRAME) return true;
    if (stage == APP_LIFE_GAME_END) return last >= APP_LIFE_GAME_INIT && last < APP_LIFE_GAME_END;
    return stage > APP_LIFE_THREAD_INIT && stage == last + 1;
}

// What has to come before a stage, for a message.
static const char *predecessor(AppLifeStage stage) {
    return app_life_stage_name(stage == APP_LIFE_GAME_END ? APP_LIFE_GAME_INIT : stage - 1);
}

bool app_life_enter(AppLife *life, AppLifeStage stage) {
    if (!FILO_CHECK(may_follow(stage, life->stage), "\"%s\" comes after \"%s\", and the last was \"%s\"",
                    app_life_stage_name(stage), predecessor(stage), app_life_stage_name(life->stage)) ||
        !FILO_CHECK(!filo_events_inside_handler(), "\"%s\": not inside of a handler of another event",
                    app_life_stage_name(stage)))
        return false;
    life->stage = stage;
    FiloName name = filo_name(app_life_stage_name(stage));
    if (stage != APP_LIFE_FRAME) return filo_events_emit_now(life->events, name, NULL, NULL);
    FiloFrameEvent frame = { life->frames++ };
    return filo_events_emit_now(life->events, name, FILO_TYPE(FiloFrameEvent), &frame);
}

void app_life_end(AppLife *life) {
    if (life->stage >= APP_LIFE_GAME_INIT && life->stage < APP_LIFE_GAME_END)
        app_life_enter(life, APP_LIFE_GAME_END);
    filo_mutex_lock(&life->lock);
    life->events = NULL;
    filo_mutex_unlock(&life->lock);
}
