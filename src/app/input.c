// Input on its way into ticks.
//
// Everything from outside enters a tick in filo_app_prepare_tick, on the main thread, before it starts: the
// input, from the player or from a recording, as a global component and as events. What is recorded is exactly
// that.
//
// Each state of the input has one owner: what the player did since the last tick, the collector and the list of
// changes; what a tick sees, the world; what `frame` sees, the summary of the ticks since it was called.

#include "app/app.h"

#include <filo/check.h>

#define LEAVE_WAIT_NS 250000000 // for a tick that sees that the player wants to leave

// ---- From outside -------------------------------------------------------------------------------------------

// A module may keep a change from the game.
bool app_filter_input(const FiloInputChange *change, void *user) {
    const FiloApp *app = user;
    return !filo_modules_input(app->modules, change);
}

void filo_app_collect(FiloApp *app, const FiloInputChange *change) {
    if (!FILO_CHECK(app != NULL, "pass an app to filo_app_collect")) return;
    // Without memory its event is lost; the state of the input is not.
    if (filo_input_collect(&app->collector, change) && app->replay == NULL)
        (void)filo_array_push(&app->changes, *change);
}

// ---- Leaving ------------------------------------------------------------------------------------------------

// Time is slow, or ticks are long, and somebody who wants to leave has waited long enough for the next.
static bool waited_for_tick(FiloApp *app) {
    int64_t now = filo_time_ns();
    if (app->leaving_ns == 0) app->leaving_ns = now;
    return now - app->leaving_ns >= LEAVE_WAIT_NS;
}

bool filo_app_asked_to_leave(FiloApp *app) {
    const FiloInput *now = &app->collector.now;
    bool asked = !app->keep_open && (now->quit || filo_input_pressed(now, FILO_KEY_ESCAPE));
    if (!asked) app->leaving_ns = 0;
    if (!asked) return false;
    // While ticks run, leaving goes through them, so that a recording has it.
    bool has_ticks = !filo_app_stands_still(app) && app->replay == NULL && app->pacer.scale > 0;
    return !has_ticks || waited_for_tick(app);
}

// ---- For `frame` --------------------------------------------------------------------------------------------

void filo_app_take_input(FiloApp *app) {
    FiloInput input;
    filo_input_take(&app->collector, app->actions, &input);
    filo_array_clear(&app->changes); // there is no tick to tell
    filo_input_summary_add(&app->summary, &input);
}

void filo_app_forget_seen_input(FiloApp *app) { (void)filo_input_summary_look(&app->summary); }

const FiloInput *filo_app_input(const FiloApp *app) { return &app->summary.input; }

// ---- Into a tick --------------------------------------------------------------------------------------------

// What enters a tick, from wherever it comes.
typedef struct TickInput {
    FiloInput input;
    const FiloInputChange *changes;
    size_t change_count;
} TickInput;

static bool take_recorded(FiloApp *app, float *delta, TickInput *tick) {
    FiloInput ignored; // what the player does now
    filo_input_take(&app->collector, NULL, &ignored);
    FiloResult r =
        filo_input_replay_next(app->replay, delta, &tick->input, &tick->changes, &tick->change_count);
    if (r.code == FILO_OK) return true;
    if (r.code == FILO_ERROR_NOT_FOUND)
        filo_app_quit(app); // that was all
    else
        filo_app_fail(app, r);
    return false;
}

static void take_played(FiloApp *app, TickInput *tick) {
    filo_input_take(&app->collector, app->actions, &tick->input);
    tick->changes = app->changes.items;
    tick->change_count = app->changes.count;
}

// A full disk is no reason to take the game away from the player; but it is said, now and at the end.
static void record_tick(FiloApp *app, float delta, const TickInput *tick) {
    if (app->recorder == NULL || app->record_failed) return;
    FiloResult r =
        filo_input_recorder_add(app->recorder, delta, &tick->input, tick->changes, tick->change_count);
    app->record_failed = r.code != FILO_OK;
    if (app->record_failed) filo_log_error("app", "%s: the game goes on without being recorded", r.message);
}

bool filo_app_prepare_tick(FiloApp *app, float *delta) {
    TickInput tick;
    if (app->replay == NULL)
        take_played(app, &tick);
    else if (!take_recorded(app, delta, &tick))
        return false;
    FiloInput *input = filo_global_edit(app->world, app->input_component);
    if (input != NULL) *input = tick.input;
    for (size_t i = 0; i < tick.change_count; i++)
        filo_events_emit(app->events, app->input_event, FILO_TYPE(FiloInputChange), &tick.changes[i]);
    record_tick(app, *delta, &tick);
    filo_array_clear(&app->changes);
    app->ticks_begun++;
    filo_input_summary_add(&app->summary, &tick.input);
    bool wants_to_leave = tick.input.quit || filo_input_pressed(&tick.input, FILO_KEY_ESCAPE);
    if (wants_to_leave && !app->keep_open) filo_app_quit(app); // after this tick
    return true;
}

FiloResult filo_app_replay_ended(FiloApp *app, bool *ended) {
    float delta;
    FiloInput input;
    FiloResult r = filo_input_replay_next(app->replay, &delta, &input, NULL, NULL);
    *ended = r.code == FILO_ERROR_NOT_FOUND;
    return *ended ? filo_ok() : r;
}
