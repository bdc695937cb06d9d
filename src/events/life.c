// The life of a game as events.
//
// "thread init" has to reach each worker thread once, wherever it comes from: threads that run when the life
// begins get it by a job that is pinned to them, later ones when they start. Each thread remembers the serial
// number of the last life that it was told of, so that it is not told twice.

#include <filo/check.h>

#include "events/events.h"

FILO_REFLECT(FiloThreadEvent, FILO_FIELD(int32_t, worker))
FILO_REFLECT(FiloFrameEvent, FILO_FIELD(uint64_t, number))

static FILO_ATOMIC(uint64_t) lives;
static FILO_THREAD_LOCAL uint64_t told; // the serial number of a life

const char *filo_life_stage_name(FiloLifeStage stage) {
    static const char *const names[] = { "nothing",
                                         FILO_EVENT_THREAD_INIT,
                                         FILO_EVENT_GAME_INIT,
                                         FILO_EVENT_BACKEND_INIT,
                                         FILO_EVENT_GAME_START,
                                         FILO_EVENT_FRAME,
                                         FILO_EVENT_GAME_END };
    return (unsigned)stage < FILO_COUNT_OF(names) ? names[stage] : "unknown stage";
}

void filo_life_init(FiloLife *life) {
    *life = (FiloLife){ .serial = filo_add_relaxed(&lives, 1) + 1 };
    filo_mutex_init(&life->lock);
}

void filo_life_deinit(FiloLife *life) { filo_mutex_deinit(&life->lock); }

// ---- Threads ------------------------------------------------------------------------------------------

void filo_life_thread_started(int worker, void *user) {
    FiloLife *life = user;
    filo_mutex_lock(&life->lock);
    if (life->events != NULL && told != life->serial) {
        told = life->serial;
        FiloThreadEvent payload = { worker };
        filo_event_call_here(life->events, filo_name(FILO_EVENT_THREAD_INIT), FILO_TYPE(FiloThreadEvent),
                             &payload);
    }
    filo_mutex_unlock(&life->lock);
}

typedef struct Telling { // the data of a job
    FiloLife *life;
    int worker;
} Telling;

static void tell(FiloJob *job, void *data) {
    (void)job;
    const Telling *telling = data;
    filo_life_thread_started(telling->worker, telling->life);
}

static bool on_main(const FiloEvents *events) {
    return FILO_CHECK(filo_jobs_worker(events->jobs) == 0 && filo_jobs_current() != events->jobs &&
                          !filo_events_inside_handler(),
                      "the main thread tells the life of the game, outside of jobs and handlers");
}

bool filo_life_begin(FiloLife *life, FiloEvents *events) {
    if (!FILO_CHECK(life->stage == FILO_LIFE_NONE,
                    "\"" FILO_EVENT_THREAD_INIT "\" comes first, and once: the last was \"%s\"",
                    filo_life_stage_name(life->stage)) ||
        !on_main(events))
        return false;
    filo_mutex_lock(&life->lock);
    life->events = events;
    life->stage = FILO_LIFE_THREAD_INIT;
    filo_mutex_unlock(&life->lock);
    for (int worker = 0; worker < filo_jobs_threads(events->jobs); worker++) {
        FiloJob job;
        Telling telling = { life, worker };
        filo_job_init(&job, tell, &telling, sizeof telling);
        filo_job_set_worker(&job, worker);
        filo_jobs_run(events->jobs, &job);
        filo_jobs_wait(events->jobs, &job); // in the order of workers
    }
    filo_event_tell_delivered(events);
    return true;
}

// ---- Stages -------------------------------------------------------------------------------------------

static bool may_follow(FiloLifeStage stage, FiloLifeStage last) {
    if (stage == FILO_LIFE_FRAME && last == FILO_LIFE_FRAME) return true;
    if (stage == FILO_LIFE_GAME_END) return last >= FILO_LIFE_GAME_INIT && last < FILO_LIFE_GAME_END;
    return stage > FILO_LIFE_THREAD_INIT && stage == last + 1;
}

// What has to come before a stage, for a message.
static const char *predecessor(FiloLifeStage stage) {
    return filo_life_stage_name(stage == FILO_LIFE_GAME_END ? FILO_LIFE_GAME_INIT : stage - 1);
}

bool filo_life_enter(FiloLife *life, FiloLifeStage stage) {
    if (!FILO_CHECK(stage > FILO_LIFE_THREAD_INIT && stage <= FILO_LIFE_GAME_END,
                    "enter a stage from \"" FILO_EVENT_GAME_INIT "\" to \"" FILO_EVENT_GAME_END
                    "\"; filo_life_begin tells of \"" FILO_EVENT_THREAD_INIT "\""))
        return false;
    if (!FILO_CHECK(may_follow(stage, life->stage), "\"%s\" comes after \"%s\", and the last was \"%s\"",
                    filo_life_stage_name(stage), predecessor(stage), filo_life_stage_name(life->stage)) ||
        !on_main(life->events))
        return false;
    life->stage = stage;
    FiloEvents *events = life->events;
    FiloName name = filo_name(filo_life_stage_name(stage));
    if (stage == FILO_LIFE_FRAME) {
        FiloFrameEvent frame = { life->frames++ };
        return filo_events_emit_now(events, name, FILO_TYPE(FiloFrameEvent), &frame);
    }
    bool emitted = filo_events_emit_now(events, name, NULL, NULL);
    if (stage == FILO_LIFE_GAME_END) { // threads that start from now on are told nothing
        filo_mutex_lock(&life->lock);
        life->events = NULL;
        filo_mutex_unlock(&life->lock);
    }
    return emitted;
}
