// Input on its way into ticks.
//
// Everything from outside enters a tick in filo_app_prepare_tick, on the main thread, before it starts: the
// input, from the player or from a recording, as a global component and as events. What is recorded is exactly
// that.
//
// `frame` runs once a frame, and a frame may have several ticks or none. So that it sees a press exactly once,
// what happened in ticks is added up until it has seen it.

#include "app/app.h"

#include <filo/check.h>

#include <string.h>

#define LEAVE_WAIT_NS 250000000 // for a tick that sees that the player wants to leave

// ---- From the window ----------------------------------------------------------------------------------------

// Keys that belong to the app rather than to the game.
static void note_key(FiloApp *app, const FiloInputChange *change) {
    if (!change->down) return;
    if (change->key == FILO_KEY_F3) app->overlay.switched = !app->overlay.switched;
    if (change->key == FILO_KEY_F11)
        filo_window_set_full_screen(app->window, !filo_window_is_full_screen(app->window));
}

void filo_app_note_change(const FiloInputChange *change, void *user) {
    FiloApp *app = user;
    if (change->kind == FILO_INPUT_KEY) note_key(app, change);
    if (app->replay != NULL) return;
    FiloInputChanges *changes = &app->changes;
    if (changes->count == changes->capacity) {
        size_t capacity = FILO_MAX(changes->capacity * 2, 64);
        FiloInputChange *items =
            filo_resize(NULL, changes->items, changes->capacity * sizeof *items, capacity * sizeof *items, 0);
        if (items == NULL) return; // its event is lost; the state of the input is not
        changes->items = items;
        changes->capacity = capacity;
    }
    changes->items[changes->count++] = *change;
}

// ---- From elsewhere -----------------------------------------------------------------------------------------

static bool has_good_key(const FiloInputChange *change) {
    if (change->kind == FILO_INPUT_KEY && change->key == FILO_KEY_NONE) return false;
    if (change->kind == FILO_INPUT_PAD_KEY) return change->key >= FILO_PAD_A && change->key <= FILO_PAD_RIGHT;
    return change->key >= FILO_KEY_NONE && change->key < FILO_KEY_COUNT;
}

void filo_app_collect(FiloApp *app, const FiloInputChange *change) {
    // All of it, before anything is done: handlers of events and recordings get the whole change.
    if (!FILO_CHECK(app != NULL && change != NULL, "pass an app and a change to filo_app_collect") ||
        !FILO_CHECK((unsigned)change->kind <= FILO_INPUT_QUIT,
                    "pass a FiloInputChangeKind to filo_app_collect; %d is none", (int)change->kind) ||
        !FILO_CHECK(has_good_key(change), "pass a key that fits the change to filo_app_collect; %d does not",
                    (int)change->key) ||
        !FILO_CHECK(change->pad >= 0 && change->pad < FILO_INPUT_PADS,
                    "pass the number of a gamepad, 0 to %d, to filo_app_collect; it was %d",
                    FILO_INPUT_PADS - 1, (int)change->pad) ||
        !FILO_CHECK(change->axis >= 0 && change->axis < FILO_AXIS_COUNT,
                    "pass a FiloPadAxis to filo_app_collect; %d is none", (int)change->axis))
        return;
    filo_input_collect(&app->collector, change);
    filo_app_note_change(change, app);
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

static void forget_what_happened(FiloInput *input) {
    memset(&input->pressed, 0, sizeof input->pressed);
    memset(&input->released, 0, sizeof input->released);
    memset(input->text, 0, sizeof input->text);
    input->mouse_move = input->wheel = filo_vec2(0, 0);
    input->quit = false;
    for (int i = 0; i < FILO_INPUT_PADS; i++) input->pads[i].pressed = input->pads[i].released = 0;
    for (uint32_t i = 0; i < input->action_count; i++)
        input->actions[i].pressed = input->actions[i].released = false;
}

// What happened `before` has happened in `input` too.
static void add_what_happened(FiloInput *input, const FiloInput *before) {
    for (size_t i = 0; i < FILO_COUNT_OF(input->pressed.bits); i++) {
        input->pressed.bits[i] |= before->pressed.bits[i];
        input->released.bits[i] |= before->released.bits[i];
    }
    input->mouse_move = filo_vec2_add(input->mouse_move, before->mouse_move);
    input->wheel = filo_vec2_add(input->wheel, before->wheel);
    input->quit = input->quit || before->quit;
    for (int i = 0; i < FILO_INPUT_PADS; i++) {
        input->pads[i].pressed |= before->pads[i].pressed;
        input->pads[i].released |= before->pads[i].released;
    }
    uint32_t actions = FILO_MIN(input->action_count, before->action_count);
    for (uint32_t i = 0; i < actions; i++) {
        if (input->actions[i].name.id != before->actions[i].name.id) continue;
        input->actions[i].pressed |= before->actions[i].pressed;
        input->actions[i].released |= before->actions[i].released;
    }
    char typed[2 * FILO_INPUT_TEXT];
    size_t first = strnlen(before->text, sizeof before->text - 1);
    memcpy(typed, before->text, first);
    filo_string_copy(typed + first, sizeof typed - first, filo_string(input->text));
    filo_string_copy(input->text, sizeof input->text, filo_string(typed));
}

static void show_to_frame(FiloApp *app) {
    FiloInput fresh = app->input;
    if (!app->input_was_seen) add_what_happened(&fresh, &app->seen_input);
    app->seen_input = fresh;
    app->input_was_seen = false;
}

void filo_app_forget_seen_input(FiloApp *app) {
    if (app->input_was_seen) forget_what_happened(&app->seen_input);
    app->input_was_seen = true;
}

void filo_app_take_input(FiloApp *app) {
    filo_input_take(&app->collector, app->actions, &app->input);
    app->changes.count = 0; // there is no tick to tell
    show_to_frame(app);
}

const FiloInput *filo_app_input(const FiloApp *app) { return &app->seen_input; }

// ---- Into a tick --------------------------------------------------------------------------------------------

static bool take_recorded(FiloApp *app, float *delta, const FiloInputChange **changes, size_t *count) {
    FiloResult r = filo_input_replay_next(app->replay, delta, &app->input, changes, count);
    if (r.code == FILO_OK) return true;
    if (r.code == FILO_ERROR_NOT_FOUND)
        filo_app_quit(app); // that was all
    else
        filo_app_fail(app, r);
    return false;
}

// A full disk is no reason to take the game away from the player; but it is said, now and at the end.
static void record_tick(FiloApp *app, float delta, const FiloInputChange *changes, size_t count) {
    if (app->recorder == NULL || app->record_failed) return;
    FiloResult r = filo_input_recorder_add(app->recorder, delta, &app->input, changes, count);
    app->record_failed = r.code != FILO_OK;
    if (app->record_failed) filo_log_error("app", "%s: the game goes on without being recorded", r.message);
}

bool filo_app_prepare_tick(FiloApp *app, float *delta) {
    const FiloInputChange *changes = app->changes.items;
    size_t count = app->changes.count;
    if (app->replay != NULL) {
        FiloInput ignored; // what the player does now
        filo_input_take(&app->collector, NULL, &ignored);
        if (!take_recorded(app, delta, &changes, &count)) return false;
    } else {
        filo_input_take(&app->collector, app->actions, &app->input);
    }
    FiloInput *input = filo_global_edit(app->world, app->input_component);
    if (input != NULL) *input = app->input;
    for (size_t i = 0; i < count; i++)
        filo_events_emit(app->events, app->input_event, FILO_TYPE(FiloInputChange), &changes[i]);
    record_tick(app, *delta, changes, count);
    app->changes.count = 0;
    app->ticks_begun++;
    show_to_frame(app);
    bool wants_to_leave = app->input.quit || filo_input_pressed(&app->input, FILO_KEY_ESCAPE);
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
