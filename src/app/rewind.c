// Rewinding: the states of the last ticks, shown while the game stands still.
//
// A state is pushed after each tick. To look at an earlier one, the world is put into it, and the present state is kept
// in a snapshot: it may have changes that were made since the last tick. While an earlier state is shown, no tick runs.

#include "app/app.h"

#include <filo/check.h>

#define MEMORY_BUDGET FILO_MIB(512)

// ---- Keeping states -------------------------------------------------------------------------------------

static void free_states(AppRewind *rewind) {
    filo_history_destroy(rewind->history);
    filo_snapshot_destroy(rewind->present);
    filo_snapshot_destroy(rewind->shown);
    filo_free(&rewind->heap.allocator, rewind->seconds, rewind->length * sizeof *rewind->seconds, 0);
    if (rewind->length > 0) filo_heap_deinit(&rewind->heap);
    *rewind = (AppRewind){ 0 };
}

static FiloResult make_states(AppRewind *rewind, size_t length) {
    const FiloAllocator *allocator = &rewind->heap.allocator;
    filo_heap_init(&rewind->heap, "history", 0);
    rewind->length = length;
    rewind->present = filo_snapshot_create(allocator);
    rewind->shown = filo_snapshot_create(allocator);
    rewind->seconds = filo_alloc_zero(allocator, length * sizeof *rewind->seconds, 0);
    FiloHistoryDesc desc = { .length = length, .memory_budget = MEMORY_BUDGET, .allocator = allocator };
    FiloResult r = filo_history_create(&rewind->history, &desc);
    if (rewind->present == NULL || rewind->shown == NULL || rewind->seconds == NULL)
        r = filo_error(FILO_ERROR_MEMORY, "no memory for a history");
    return r;
}

FiloResult filo_app_keep_history(FiloApp *app, double seconds) {
    if (app == NULL) return FILO_MISTAKE("pass an app");
    if (!(seconds >= 0 && seconds <= 3600)) return FILO_MISTAKE("keep 0 to 3600 seconds, not %g", seconds);
    app_wait_for_tick(app);
    const double ticks = seconds / app->pacer.tick_seconds;
    const size_t length = seconds > 0 ? (size_t)filo_min((float)ticks, 1e6f) + 1 : 0;
    if (length == app->rewind.length) return filo_ok();
    FiloResult r = filo_app_rewind(app, 0);
    if (r.code != FILO_OK) return r;
    free_states(&app->rewind);
    if (length == 0) return filo_ok();
    r = make_states(&app->rewind, length);
    if (r.code != FILO_OK) {
        free_states(&app->rewind);
        return r;
    }
    app_rewind_after_tick(app); // the state to return to
    return app->rewind.problem;
}

void app_rewind_after_tick(FiloApp *app) {
    AppRewind *rewind = &app->rewind;
    if (rewind->history == NULL || rewind->problem.code != FILO_OK) return;
    int64_t start = filo_time_ns();
    rewind->problem = filo_history_push(rewind->history, app->world);
    rewind->push_ms = (double)(filo_time_ns() - start) / 1e6;
    rewind->seconds[filo_world_ticks(app->world) % rewind->length] = app->metrics.game_seconds;
    if (rewind->problem.code == FILO_OK) return;
    filo_log_warn("app", "%s: the game cannot be rewound", rewind->problem.message);
    filo_history_clear(rewind->history);
}

void app_rewind_deinit(FiloApp *app) { free_states(&app->rewind); }

// ---- Looking at them ------------------------------------------------------------------------------------

void app_refuse_restore(FiloApp *app) {
    if (app->args.record != NULL)
        filo_world_refuse_restore(app->world, "the game is being recorded, and a recording holds no states");
    else if (app->replay != NULL)
        filo_world_refuse_restore(app->world, "a recording is being replayed, and it holds no states");
}

// Puts the world into a state that is shown, and not played on from.
static FiloResult show(FiloApp *app, const FiloSnapshot *state) {
    filo_world_refuse_restore(app->world, NULL);
    FiloResult r = filo_snapshot_restore(state, app->world);
    app_refuse_restore(app);
    return r;
}

static FiloResult return_to_present(FiloApp *app) {
    AppRewind *rewind = &app->rewind;
    if (!rewind->active) return filo_ok();
    FiloResult r = show(app, rewind->present);
    if (r.code != FILO_OK) return r;
    rewind->active = false;
    rewind->back = 0;
    app->metrics.game_seconds = rewind->present_seconds;
    return r;
}

FiloResult app_rewind_end(FiloApp *app) { return return_to_present(app); }

static FiloResult check_back(const FiloApp *app, size_t back) {
    if (app->tick.running || app->drawing)
        return FILO_MISTAKE("rewind between ticks: in `frame`, `extract` or `ui`, not in `draw`");
    if (back == 0) return filo_ok();
    const AppRewind *rewind = &app->rewind;
    if (rewind->problem.code != FILO_OK) return rewind->problem;
    const size_t count = rewind->history != NULL ? filo_history_count(rewind->history) : 0;
    if (count > 1 && back < count) return filo_ok();
    return filo_error(FILO_ERROR_NOT_FOUND, "there are states of the last %zu ticks, not of %zu",
                      count > 0 ? count - 1 : 0, back);
}

FiloResult filo_app_rewind(FiloApp *app, size_t back) {
    if (app == NULL) return FILO_MISTAKE("pass an app");
    AppRewind *rewind = &app->rewind;
    FiloResult r = check_back(app, back);
    if (r.code != FILO_OK || back == rewind->back) return r;
    if (back == 0) return return_to_present(app);
    r = filo_history_get(rewind->history, back, rewind->shown);
    if (r.code == FILO_OK && !rewind->active) r = filo_snapshot_take(rewind->present, app->world);
    if (r.code == FILO_OK) r = show(app, rewind->shown);
    if (r.code != FILO_OK) return r;
    if (!rewind->active) rewind->present_seconds = app->metrics.game_seconds;
    rewind->active = true;
    rewind->back = back;
    app->metrics.game_seconds = rewind->seconds[filo_world_ticks(app->world) % rewind->length];
    return r;
}

FiloResult filo_app_go_on(FiloApp *app) {
    if (app == NULL) return FILO_MISTAKE("pass an app");
    AppRewind *rewind = &app->rewind;
    if (!rewind->active) return filo_ok();
    if (app->tick.running || app->drawing) return FILO_MISTAKE("go on between ticks, not in `draw`");
    if (app->recorder != NULL)
        return filo_error(
            FILO_ERROR_BUSY,
            "the game is being recorded: it cannot go on from an earlier tick. Return to the present");
    if (app->replay != NULL)
        return filo_error(FILO_ERROR_BUSY,
                          "a replay cannot go on from an earlier tick. Return to the present");
    FiloResult r = filo_history_rewind(rewind->history, app->world, rewind->back);
    if (r.code != FILO_OK) return r;
    rewind->active = false;
    rewind->back = 0;
    return r;
}

FiloAppHistory filo_app_history(const FiloApp *app) {
    FiloAppHistory result = { 0 };
    if (!FILO_CHECK(app != NULL, "pass an app")) return result;
    const AppRewind *rewind = &app->rewind;
    if (rewind->history == NULL) return result;
    result.states = filo_history_count(rewind->history);
    result.back = rewind->back;
    result.memory = filo_history_memory(rewind->history);
    result.push_ms = rewind->push_ms;
    result.problem = rewind->problem.code != FILO_OK ? rewind->problem.message : NULL;
    return result;
}
