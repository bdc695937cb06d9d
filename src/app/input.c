// Input on its way into ticks.
//
// Everything from outside enters a tick in app_prepare_tick, on the main thread, before it starts: the
// input, from the player or from a recording, as a global component and as events; and messages (message.c). What is
// recorded is exactly that.
//
// Each state of the input has one owner: what the player did since the last tick, the collector and the list of
// changes; what a tick sees, the world; what `frame` sees, the summary of the ticks since it was called, and the list
// of the changes that it sums up. While no ticks run, changes go straight from the first list to the last.

#include "app/app.h"

#include <filo/check.h>

#include <string.h>

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

static bool wants_to_leave(const FiloApp *app, const FiloInput *input) {
    return (input->quit && !app->keep_open) ||
           (filo_input_pressed(input, FILO_KEY_ESCAPE) && !app->keep_escape);
}

bool app_asked_to_leave(FiloApp *app) {
    const FiloInput *now = &app->collector.now;
    bool asked = wants_to_leave(app, now);
    if (!asked) app->leaving_ns = 0;
    if (!asked) return false;
    // While ticks run, leaving goes through them, so that a recording has it.
    bool has_ticks = !app_stands_still(app) && app->replay == NULL && app->pacer.scale > 0;
    return !has_ticks || waited_for_tick(app);
}

// ---- For `frame` --------------------------------------------------------------------------------------------

// Without memory some changes are missing from the list; the state of the input is not.
static void add_to_summary(FiloApp *app, const FiloInput *input, const FiloInputChange *changes,
                           size_t change_count) {
    filo_input_summary_add(&app->summary, input);
    for (size_t i = 0; i < change_count; i++) (void)filo_array_push(&app->summary_changes, changes[i]);
}

void app_take_input(FiloApp *app) {
    FiloInput input;
    filo_input_take(&app->collector, app->actions, &input);
    add_to_summary(app, &input, app->changes.items, app->changes.count);
    filo_array_clear(&app->changes); // there is no tick to tell
}

void app_forget_seen_input(FiloApp *app) {
    (void)filo_input_summary_look(&app->summary);
    size_t fresh = app->summary_changes.count - app->shown_changes;
    if (fresh > 0 && app->shown_changes > 0)
        memmove(app->summary_changes.items, app->summary_changes.items + app->shown_changes,
                fresh * sizeof *app->summary_changes.items);
    app->summary_changes.count = app->shown_changes = fresh;
}

const FiloInput *filo_app_input(const FiloApp *app) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return NULL;
    return &app->summary.input;
}

const FiloInputChange *filo_app_input_changes(const FiloApp *app, size_t *count) {
    if (!FILO_CHECK(app != NULL && count != NULL, "pass an app, and where the number of changes goes"))
        return NULL;
    *count = app->shown_changes;
    return app->summary_changes.items;
}

// ---- Into a tick --------------------------------------------------------------------------------------------

// What enters a tick, from wherever it comes.
typedef struct TickInput {
    FiloInput input;
    const FiloInputChange *changes;
    size_t change_count;
    const FiloInputMessage *messages;
    size_t message_count;
} TickInput;

static bool take_recorded(FiloApp *app, float *delta, TickInput *tick) {
    FiloInput ignored; // what the player does now
    filo_input_take(&app->collector, NULL, &ignored);
    FiloResult r =
        filo_input_replay_next(app->replay, delta, &tick->input, &tick->changes, &tick->change_count);
    if (r.code == FILO_OK) {
        tick->messages = filo_input_replay_messages(app->replay, &tick->message_count);
        return true;
    }
    if (r.code == FILO_ERROR_NOT_FOUND)
        filo_app_quit(app); // that was all
    else
        app_fail(app, r);
    return false;
}

static void take_played(FiloApp *app, TickInput *tick) {
    filo_input_take(&app->collector, app->actions, &tick->input);
    tick->changes = app->changes.items;
    tick->change_count = app->changes.count;
    tick->messages = app_messages_take(&app->messages, &tick->message_count);
}

// A full disk is no reason to take the game away from the player; but it is said, now and at the end.
static void record_tick(FiloApp *app, float delta, const TickInput *tick) {
    if (app->recorder == NULL || app->record_failed) return;
    FiloResult r = filo_ok();
    for (size_t i = 0; i < tick->message_count && r.code == FILO_OK; i++)
        r = filo_input_recorder_message(app->recorder, &tick->messages[i]);
    if (r.code == FILO_OK)
        r = filo_input_recorder_add(app->recorder, delta, &tick->input, tick->changes, tick->change_count);
    app->record_failed = r.code != FILO_OK;
    if (app->record_failed) filo_log_error("app", "%s: the game goes on without being recorded", r.message);
}

// False if one of a recording does not fit the game.
static bool emit_messages(FiloApp *app, const TickInput *tick) {
    for (size_t i = 0; i < tick->message_count; i++) {
        FiloResult r = app_message_emit(app, &tick->messages[i]);
        if (r.code == FILO_OK) continue;
        app_fail(app, r);
        return false;
    }
    return true;
}

bool app_prepare_tick(FiloApp *app, float *delta) {
    TickInput tick = { 0 };
    if (app->replay == NULL)
        take_played(app, &tick);
    else if (!take_recorded(app, delta, &tick))
        return false;
    FiloInput *input = filo_global_edit(app->world, app->input_component);
    if (input != NULL) *input = tick.input;
    for (size_t i = 0; i < tick.change_count; i++)
        filo_events_emit(app->events, app->input_event, FILO_TYPE(FiloInputChange), &tick.changes[i]);
    if (!emit_messages(app, &tick)) return false;
    record_tick(app, *delta, &tick);
    app->ticks_begun++;
    add_to_summary(app, &tick.input, tick.changes, tick.change_count);
    filo_array_clear(&app->changes);
    app_messages_clear(&app->messages);
    if (wants_to_leave(app, &tick.input)) filo_app_quit(app); // after this tick
    return true;
}

FiloResult app_replay_ended(FiloApp *app, bool *ended) {
    float delta;
    FiloInput input;
    FiloResult r = filo_input_replay_next(app->replay, &delta, &input, NULL, NULL);
    *ended = r.code == FILO_ERROR_NOT_FOUND;
    return *ended ? filo_ok() : r;
}
