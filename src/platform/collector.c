// Collects the changes between two ticks into one FiloInput.
//
// A FiloInput has two kinds of fields. Fields of state (keys that are down, the position of the mouse, axes) have the
// value as of the last change. Deltas (edges, movement, wheel, text, quit) add up what happened since the last
// filo_input_take, which clears them, so that exactly one tick sees each. An edge is a change of "down": a key that
// repeats, or is released while it is up, has none.

#include "platform/input_state.h"

#include <filo/check.h>

#include <string.h>

#define DEAD_ZONE 0.15f

static void set_bit(FiloKeySet *set, FiloKey key, bool on) {
    uint64_t bit = UINT64_C(1) << ((unsigned)key % 64);
    if (on)
        set->bits[(unsigned)key / 64] |= bit;
    else
        set->bits[(unsigned)key / 64] &= ~bit;
}

static void change_key(FiloInput *now, FiloKey key, bool down) {
    if (filo_key_set_has(&now->down, key) == down) return;
    set_bit(&now->down, key, down);
    set_bit(down ? &now->pressed : &now->released, key, true);
}

// ---- Gamepads -------------------------------------------------------------------------------------------

// The key of a button is down while that button of at least one gamepad is.
static void update_any_pad(FiloInput *now, unsigned button) {
    bool down = false;
    for (int i = 0; i < FILO_INPUT_PADS; i++) down = down || (now->pads[i].down >> button & 1) != 0;
    change_key(now, (FiloKey)(FILO_PAD_A + (int)button), down);
}

static void change_pad_key(FiloInput *now, FiloGamepad *pad, unsigned button, bool down) {
    uint32_t bit = UINT32_C(1) << button;
    if (((pad->down & bit) != 0) == down) return;
    pad->down ^= bit;
    if (down)
        pad->pressed |= bit;
    else
        pad->released |= bit;
    update_any_pad(now, button);
}

static void release_pad(FiloInput *now, FiloGamepad *pad) {
    for (unsigned button = 0; pad->down != 0; button++) change_pad_key(now, pad, button, false);
    memset(pad->axes, 0, sizeof pad->axes);
}

// The range outside of the dead zone is stretched to the whole range.
static float without_dead_zone(float value, FiloPadAxis axis) {
    float size = value < 0 ? -value : value;
    if (!(size > DEAD_ZONE)) return 0; // NaN too
    size = FILO_MIN((size - DEAD_ZONE) / (1 - DEAD_ZONE), 1.0f);
    if (axis >= FILO_AXIS_LEFT_TRIGGER) return value < 0 ? 0 : size;
    return value < 0 ? -size : size;
}

// ---- Changes --------------------------------------------------------------------------------------------

static void release_all(FiloInput *now) {
    for (int i = 0; i < FILO_INPUT_PADS; i++) release_pad(now, &now->pads[i]);
    for (size_t i = 0; i < FILO_COUNT_OF(now->down.bits); i++) {
        now->released.bits[i] |= now->down.bits[i];
        now->down.bits[i] = 0;
    }
}

// Appends as many whole characters as fit.
static void add_text(FiloInput *now, const char *text, size_t capacity) {
    size_t used = strnlen(now->text, sizeof now->text - 1);
    FiloString whole =
        filo_utf8_cut(filo_string_from(text, strnlen(text, capacity)), sizeof now->text - 1 - used);
    memcpy(now->text + used, whole.data, whole.length);
    now->text[used + whole.length] = '\0';
}

static void change_pad(FiloInput *now, FiloGamepad *pad, bool connected) {
    if (!connected) release_pad(now, pad);
    pad->connected = connected;
}

static bool key_valid(const FiloInputChange *change) {
    if (change->kind == FILO_INPUT_PAD_KEY) return change->key >= FILO_PAD_A && change->key <= FILO_PAD_RIGHT;
    return change->key >= (change->kind == FILO_INPUT_KEY ? 1 : 0) && change->key < FILO_KEY_COUNT;
}

FiloResult platform_input_change_check(const FiloInputChange *change) {
    if ((unsigned)change->kind > FILO_INPUT_QUIT)
        return filo_error(FILO_ERROR_ARGUMENT, "pass a FiloInputChangeKind; %d is none", (int)change->kind);
    if (!key_valid(change) && change->kind == FILO_INPUT_PAD_KEY)
        return filo_error(FILO_ERROR_ARGUMENT,
                          "pass a button of a gamepad, FILO_PAD_A to FILO_PAD_RIGHT; it was %d", change->key);
    if (!key_valid(change)) return filo_error(FILO_ERROR_ARGUMENT, "pass a FiloKey; %d is none", change->key);
    if (change->pad < 0 || change->pad >= FILO_INPUT_PADS)
        return filo_error(FILO_ERROR_ARGUMENT, "pass the number of a gamepad, 0 to %d; it was %d",
                          FILO_INPUT_PADS - 1, change->pad);
    if (change->axis < 0 || change->axis >= FILO_AXIS_COUNT)
        return filo_error(FILO_ERROR_ARGUMENT, "pass a FiloPadAxis; %d is none", change->axis);
    return filo_ok();
}

// `change` is valid.
static void apply(FiloInput *now, const FiloInputChange *change) {
    FiloGamepad *pad = &now->pads[change->pad];
    switch (change->kind) {
    case FILO_INPUT_KEY: change_key(now, (FiloKey)change->key, change->down); break;
    case FILO_INPUT_MOUSE:
        now->mouse = change->position;
        now->mouse_move = filo_vec2_add(now->mouse_move, change->move);
        break;
    case FILO_INPUT_WHEEL: now->wheel = filo_vec2_add(now->wheel, change->move); break;
    case FILO_INPUT_TYPED: add_text(now, change->text, sizeof change->text); break;
    case FILO_INPUT_PAD: change_pad(now, pad, change->down); break;
    case FILO_INPUT_PAD_KEY:
        change_pad_key(now, pad, (unsigned)(change->key - FILO_PAD_A), change->down);
        break;
    case FILO_INPUT_PAD_AXIS:
        pad->axes[change->axis] = without_dead_zone(change->value, (FiloPadAxis)change->axis);
        break;
    case FILO_INPUT_FOCUS:
        if (!change->down) release_all(now);
        now->focused = change->down;
        break;
    case FILO_INPUT_VIEW: now->view = change->position; break;
    case FILO_INPUT_CAPTURE: now->mouse_captured = change->down; break;
    case FILO_INPUT_QUIT: now->quit = true; break;
    }
}

bool filo_input_collect(FiloInputCollector *collector, const FiloInputChange *change) {
    if (!FILO_CHECK(collector != NULL && change != NULL, "pass a collector and a change")) return false;
    FiloResult problem = platform_input_change_check(change);
    if (!FILO_CHECK(problem.code == FILO_OK, "a change of input: %s", problem.message)) return false;
    if (collector->filter != NULL && !collector->filter(change, collector->user)) return false;
    apply(&collector->now, change);
    return true;
}

void platform_input_clear_deltas(FiloInput *input) {
    memset(&input->pressed, 0, sizeof input->pressed);
    memset(&input->released, 0, sizeof input->released);
    memset(input->text, 0, sizeof input->text);
    input->mouse_move = input->wheel = filo_vec2(0, 0);
    input->quit = false;
    for (int i = 0; i < FILO_INPUT_PADS; i++) input->pads[i].pressed = input->pads[i].released = 0;
    for (uint32_t i = 0; i < input->action_count; i++)
        input->actions[i].pressed = input->actions[i].released = false;
}

void filo_input_take(FiloInputCollector *collector, const FiloActions *actions, FiloInput *input) {
    if (!FILO_CHECK(collector != NULL && input != NULL, "pass a collector, and an input to fill")) return;
    *input = collector->now;
    if (actions != NULL) filo_actions_evaluate(actions, input, &collector->last);
    collector->last = *input;
    platform_input_clear_deltas(&collector->now);
}
