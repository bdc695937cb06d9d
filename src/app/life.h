// The life of a game, told by events: see filo/app.h.
//
//     AppLife life;
//     app_life_init(&life);
//     filo_jobs_create(&jobs, &(FiloJobsDesc){ .thread_started = app_life_thread_started, .user = &life });
//     filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs });
//     …                                                             // modules subscribe
//     app_life_begin(&life, jobs, events);                          // thread init
//     app_life_enter(&life, APP_LIFE_GAME_INIT);
//     app_life_enter(&life, APP_LIFE_BACKEND_INIT);
//     app_life_enter(&life, APP_LIFE_GAME_START);
//     while (running) app_life_enter(&life, APP_LIFE_FRAME);
//     app_life_end(&life);                                          // game end
//     filo_events_destroy(events);
//     filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
//     app_life_deinit(&life);

#ifndef FILO_APP_LIFE_H
#define FILO_APP_LIFE_H

#include <filo/app.h>
#include <filo/threads.h>

typedef enum AppLifeStage {
    APP_LIFE_NONE,
    APP_LIFE_THREAD_INIT,
    APP_LIFE_GAME_INIT,
    APP_LIFE_BACKEND_INIT,
    APP_LIFE_GAME_START,
    APP_LIFE_FRAME,    // any number of times
    APP_LIFE_GAME_END, // may follow any stage from "game init" on, if starting fails half-way
} AppLifeStage;

typedef struct AppLife {
    FiloMutex lock;
    FiloEvents *events; // while threads are to be told
    uint64_t serial;    // different for every life
    uint64_t frames;
    AppLifeStage stage; // the last one entered
} AppLife;

// It must stay where it is until the scheduler is gone.
void app_life_init(AppLife *life);
void app_life_deinit(AppLife *life);
// For FiloJobsDesc, with the AppLife as `user`: threads that start, or come back, after app_life_begin get
// their "thread init" by this.
void app_life_thread_started(int worker, void *user);

// Emits "thread init" on every worker thread, in the order of workers, and returns when all have had it. Main
// thread, outside of jobs.
bool app_life_begin(AppLife *life, FiloJobs *jobs, FiloEvents *events);
// Emits the event of a stage. Out of order is a caller's mistake, and nothing is emitted. Main thread, outside
// of jobs and handlers.
bool app_life_enter(AppLife *life, AppLifeStage stage);
// Enters "game end" if the life came to "game init". Threads that start from now on are told nothing.
void app_life_end(AppLife *life);
// The event's name: "game init".
const char *app_life_stage_name(AppLifeStage stage);

#endif
