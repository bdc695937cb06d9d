// Running ticks, also beside drawing.

#include "app/app.h"

#include <filo/check.h>

void app_fail(FiloApp *app, FiloResult result) {
    if (app->failure.code == FILO_OK) app->failure = result;
    filo_app_quit(app);
}

bool app_is_over(const FiloApp *app) {
    // Acquire: pairs with the release in filo_app_quit.
    if (__atomic_load_n(&app->quit, __ATOMIC_ACQUIRE)) return true;
    return app->args.frames > 0 && app->ticks_begun >= app->args.frames;
}

bool app_may_overlap(const FiloApp *app) {
    return !app->desc.no_overlap && !app->unwatched && !app->paused && filo_jobs_threads(app->jobs) > 1 &&
           !filo_world_needs_main_thread(app->world);
}

bool app_stands_still(const FiloApp *app) {
    // A recording has only ticks that were run: whoever paused in it also went on.
    return app->paused && app->replay == NULL;
}

// The only part that may run on another thread than main.
static void tick_world(FiloApp *app, AppRunningTick *tick) {
    FILO_ZONE("tick");
    uint64_t calls = filo_memory_system_calls();
    int64_t start = filo_time_ns();
    tick->result = filo_world_tick(app->world, tick->delta);
    tick->duration_ns = filo_time_ns() - start;
    tick->allocations = filo_memory_system_calls() - calls;
}

static void settle(FiloApp *app) {
    app_count_tick(app, &app->tick);
    if (app->tick.result.code != FILO_OK) app_fail(app, app->tick.result);
}

void app_run_tick(FiloApp *app, float delta) {
    if (!app_prepare_tick(app, &delta)) return;
    app->tick.delta = delta;
    tick_world(app, &app->tick);
    settle(app);
}

static void run_beside(FiloJob *job, void *data) {
    FILO_UNUSED(job);
    FiloApp *app = *(FiloApp **)data;
    tick_world(app, &app->tick);
}

void app_start_tick(FiloApp *app, float delta) {
    if (!app_prepare_tick(app, &delta)) return;
    app->tick.delta = delta;
    app->tick.running = true;
    filo_job_init(&app->tick.job, run_beside, &app, sizeof app);
    filo_job_set_name(&app->tick.job, "tick beside drawing");
    filo_jobs_run(app->jobs, &app->tick.job);
}

void app_finish_tick(FiloApp *app) {
    if (!app->tick.running) return;
    filo_jobs_wait(app->jobs, &app->tick.job);
    app->tick.running = false;
    settle(app);
}
