// Input between the window and the ticks.
//
// Input from outside enters a tick only in app_prepare_tick, on the main thread, before the tick starts: the state of
// the input as a global component, its changes as events, and messages (message.c). All of it comes from the player, or
// all of it from a recording. The recorder writes exactly this.
//
// Each stage owns its copy of the input:
//
//   since the last tick         the collector (a state) and `changes` (a list)
//   in a tick                   FiloInput in the world
//   since the last `frame`      `summary` (a state) and `summary_changes` (a list)
//
// While the game is paused, input goes from the first to the last without a tick.

#include "app/app.h"

#include <filo/check.h>

#include <string.h>

#define QUIT_WAIT_NS 250000000 // how long a wish to quit waits for a tick that sees it

// ---- Collecting -------------------------------------------------------------------------------------------

// A module may consume a change, so that the game does not see it.
static bool filter(const FiloInputChange *change, void *user) {
    const FiloApp *app = user;
    return !filo_modules_input(app->modules, change);
}

void filo_app_collect(FiloApp *app, const FiloInputChange *change) {
    if (!FILO_CHECK(app != NULL, "pass an app to filo_app_collect")) return;
    // Without memory the event is lost, but not the state of the input.
    if (filo_input_collect(&app->collector, change) && app->replay == NULL)
        (void)filo_array_push(&app->changes, *change);
}

FiloResult app_input_init(FiloApp *app) {
    app->collector.filter = filter;
    app->collector.user = app;
    app->input_component = filo_component(app->world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    if (app->input_component.id == 0)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the input", app->name);
    // `create` and `frame` find all actions by name before the first tick; none is down.
    filo_actions_evaluate(app->actions, filo_global_edit(app->world, app->input_component), NULL);
    filo_actions_evaluate(app->actions, &app->summary.input, NULL);
    app->input_event = filo_name(FILO_EVENT_INPUT);
    return filo_events_declare(app->events, app->input_event, FILO_TYPE(FiloInputChange));
}

// ---- Into a tick ------------------------------------------------------------------------------------------

// All that enters a tick, from the player or from a recording.
typedef struct TickInput {
    float delta;
    FiloInput input;
    const FiloInputChange *changes;
    size_t change_count;
    const FiloInputMessage *messages;
    size_t message_count;
} TickInput;

static void take_collected(FiloApp *app, TickInput *tick) {
    filo_objects_poll(app->world); // results that have come since the last tick become messages
    filo_input_take(&app->collector, app->actions, &tick->input);
    tick->changes = app->changes.items;
    tick->change_count = app->changes.count;
    tick->messages = app_messages_list(&app->messages, &tick->message_count);
}

static bool read_recorded(FiloApp *app, TickInput *tick) {
    FiloInput ignored; // what the player does during the replay
    filo_input_take(&app->collector, NULL, &ignored);
    FiloResult r =
        filo_input_replay_next(app->replay, &tick->delta, &tick->input, &tick->changes, &tick->change_count);
    if (r.code == FILO_OK) {
        tick->messages = filo_input_replay_messages(app->replay, &tick->message_count);
        return true;
    }
    if (r.code == FILO_ERROR_NOT_FOUND)
        filo_app_quit(app); // the end of the recording
    else
        app_fail(app, r);
    return false;
}

static bool wants_to_quit(const FiloApp *app, const FiloInput *input) {
    return (input->quit && !app->handles_close) ||
           (filo_input_pressed(input, FILO_KEY_ESCAPE) && !app->handles_escape);
}

// Without memory some changes are missing from the list, but not from the state.
static void add_to_summary(FiloApp *app, const FiloInput *input, const FiloInputChange *changes,
                           size_t change_count) {
    filo_input_summary_add(&app->summary, input);
    for (size_t i = 0; i < change_count; i++) (void)filo_array_push(&app->summary_changes, changes[i]);
}

// A failure, such as a full disk, does not end the game. It is logged, and filo_app_finish returns it.
static void record_tick(FiloApp *app, const TickInput *tick) {
    if (app->recorder == NULL || app->record_failed) return;
    FiloResult r = filo_ok();
    for (size_t i = 0; i < tick->message_count && r.code == FILO_OK; i++)
        r = filo_input_recorder_message(app->recorder, &tick->messages[i]);
    if (r.code == FILO_OK)
        r = filo_input_recorder_add(app->recorder, tick->delta, &tick->input, tick->changes,
                                    tick->change_count);
    app->record_failed = r.code != FILO_OK;
    if (app->record_failed) filo_log_error("app", "%s: the game goes on without being recorded", r.message);
}

// False if a message of a recording does not fit the game.
static bool emit_messages(FiloApp *app, const TickInput *tick) {
    for (size_t i = 0; i < tick->message_count; i++) {
        FiloResult r = app_message_emit(app, &tick->messages[i]);
        if (r.code == FILO_OK) continue;
        app_fail(app, r);
        return false;
    }
    return true;
}

// Before anything else enters the tick, as when they were recorded.
static bool apply_commands(FiloApp *app, const TickInput *tick) {
    FiloResult r = app_commands_replay(app, tick->messages, tick->message_count);
    if (r.code != FILO_OK) app_fail(app, r);
    return r.code == FILO_OK;
}

bool app_prepare_tick(FiloApp *app, float delta) {
    TickInput tick = { .delta = delta };
    if (app->replay == NULL)
        take_collected(app, &tick);
    else if (!read_recorded(app, &tick) || !apply_commands(app, &tick))
        return false;
    FiloInput *input = filo_global_edit(app->world, app->input_component);
    if (input != NULL) *input = tick.input;
    for (size_t i = 0; i < tick.change_count; i++)
        filo_events_emit(app->events, app->input_event, FILO_TYPE(FiloInputChange), &tick.changes[i]);
    if (!emit_messages(app, &tick)) return false;
    record_tick(app, &tick);
    app->has_unrecorded_commands = false;
    app->tick.delta = tick.delta;
    app->ticks_begun++;
    app->still_seconds = 0;
    add_to_summary(app, &tick.input, tick.changes, tick.change_count);
    filo_array_clear(&app->changes);
    app_messages_clear(&app->messages);
    // After this tick. A recorded key ends nothing: the recording ends where the game did, and a game that opens a menu by
    // Escape went on.
    if (app->replay == NULL && wants_to_quit(app, &tick.input)) filo_app_quit(app);
    return true;
}

// ---- For `frame` ------------------------------------------------------------------------------------------

void app_take_paused_input(FiloApp *app) {
    FiloInput input;
    filo_input_take(&app->collector, app->actions, &input);
    add_to_summary(app, &input, app->changes.items, app->changes.count);
    filo_array_clear(&app->changes); // no tick emits them as events
}

void app_advance_input_summary(FiloApp *app) {
    (void)filo_input_summary_look(&app->summary);
    size_t new_count = app->summary_changes.count - app->shown_changes;
    if (new_count > 0 && app->shown_changes > 0)
        memmove(app->summary_changes.items, app->summary_changes.items + app->shown_changes,
                new_count * sizeof *app->summary_changes.items);
    app->summary_changes.count = app->shown_changes = new_count;
}

const FiloInput *filo_app_input(const FiloApp *app) {
    return FILO_CHECK(app != NULL, "pass an app") ? &app->summary.input : NULL;
}

const FiloInputChange *filo_app_input_changes(const FiloApp *app, size_t *count) {
    if (!FILO_CHECK(app != NULL && count != NULL, "pass an app, and where the number of changes goes"))
        return NULL;
    *count = app->shown_changes;
    return app->summary_changes.items;
}

// ---- Quitting ---------------------------------------------------------------------------------------------

bool app_wants_to_quit(FiloApp *app) {
    if (!wants_to_quit(app, &app->collector.now)) {
        app->quit_wanted_ns = 0;
        return false;
    }
    // While ticks run, a tick sees the wish first, so that it is recorded. Time may be slow or ticks long: the wait is
    // limited.
    bool has_ticks = !app->paused && !app->rewind.active && app->replay == NULL && app->pacer.scale > 0;
    if (!has_ticks) return true;
    int64_t now = filo_time_ns();
    if (app->quit_wanted_ns == 0) app->quit_wanted_ns = now;
    return now - app->quit_wanted_ns >= QUIT_WAIT_NS;
}
