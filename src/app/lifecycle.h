// The life cycle of a game as events: see filo/app.h.
//
//     AppLifecycle lifecycle;
//     app_lifecycle_init(&lifecycle);
//     filo_jobs_create(&jobs, &(FiloJobsDesc){ .thread_started = app_lifecycle_thread_started, .user = &lifecycle });
//     filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs });
//     …                                                 // modules subscribe
//     app_lifecycle_begin(&lifecycle, jobs, events);    // thread init
//     app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_INIT);
//     app_lifecycle_enter(&lifecycle, APP_STAGE_BACKEND_INIT);
//     app_lifecycle_enter(&lifecycle, APP_STAGE_GAME_START);
//     while (running) app_lifecycle_enter(&lifecycle, APP_STAGE_FRAME);
//     app_lifecycle_end(&lifecycle);                    // game end
//     filo_events_destroy(events);
//     filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
//     app_lifecycle_deinit(&lifecycle);

#ifndef FILO_APP_LIFECYCLE_H
#define FILO_APP_LIFECYCLE_H

#include <filo/app.h>
#include <filo/threads.h>

typedef enum AppLifecycleStage {
    APP_STAGE_NONE,
    APP_STAGE_THREAD_INIT,
    APP_STAGE_GAME_INIT,
    APP_STAGE_BACKEND_INIT,
    APP_STAGE_GAME_START,
    APP_STAGE_FRAME,    // any number of times
    APP_STAGE_GAME_END, // may follow any stage from "game init" on, because starting may fail
} AppLifecycleStage;

typedef struct AppLifecycle {
    FiloMutex lock;
    FiloEvents *events; // NULL: threads that start emit nothing
    uint64_t serial;    // unique in the process
    uint64_t frames;
    AppLifecycleStage stage; // the last one entered
} AppLifecycle;

// The AppLifecycle must not move before the job system is destroyed.
void app_lifecycle_init(AppLifecycle *lifecycle);
void app_lifecycle_deinit(AppLifecycle *lifecycle);
// For FiloJobsDesc.thread_started, with the AppLifecycle as `user`. Emits "thread init" on a thread that starts, or
// starts again, after app_lifecycle_begin.
void app_lifecycle_thread_started(int worker, void *user);

// Emits "thread init" on every worker thread, one after the other, and waits for each. Main thread, outside of jobs.
bool app_lifecycle_begin(AppLifecycle *lifecycle, FiloJobs *jobs, FiloEvents *events);
// Emits the event of a stage. A stage out of order is a caller's mistake, and emits nothing. Main thread, outside of
// jobs and handlers.
bool app_lifecycle_enter(AppLifecycle *lifecycle, AppLifecycleStage stage);
// Enters "game end" if "game init" was entered. Threads that start from now on emit nothing.
void app_lifecycle_end(AppLifecycle *lifecycle);
// The event's name: "game init".
const char *app_lifecycle_stage_name(AppLifecycleStage stage);

#endif
