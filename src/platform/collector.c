// Between two ticks: changes come in one by one, and go out as one FiloInput.
//
// `now` of the collector is the state as of the last change. What is down, where the mouse is and so on simply
// is so. What happened since the last take is gathered beside it: edges, movement, wheel, text, the wish to
// quit; taking hands these out and clears them, so that exactly one tick sees each. An edge is a change of
// "down", so a key that repeats, or is released when it was up, makes none.

#include <filo/input.h>

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

// A button of "any gamepad" is down while that of at least one is.
static void change_any_pad(FiloInput *now, unsigned button) {
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
    change_any_pad(now, button);
}

static void release_pad(FiloInput *now, FiloGamepad *pad) {
    for (unsigned button = 0; pad->down != 0; button++) change_pad_key(now, pad, button, false);
    memset(pad->axes, 0, sizeof pad->axes);
}

// What is left of the way after the dead zone is stretched, so that the whole range can be reached.
static float without_dead_zone(float value, FiloPadAxis axis) {
    float size = value < 0 ? -value : value;
    if (!(size > DEAD_ZONE)) return 0; // also what is not a number
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

// As many whole characters as there is room for, after those that are there.
static void add_text(FiloInput *now, const char *text, size_t room) {
    size_t used = strnlen(now->text, sizeof now->text - 1);
    FiloString whole =
        filo_utf8_cut(filo_string_from(text, strnlen(text, room)), sizeof now->text - 1 - used);
    memcpy(now->text + used, whole.data, whole.length);
    now->text[used + whole.length] = '\0';
}

static bool good_pad(const FiloInputChange *change) {
    return FILO_CHECK(change->pad >= 0 && change->pad < FILO_INPUT_PADS,
                      "pass the number of a gamepad, 0 to %d, to filo_input_collect; it was %d",
                      FILO_INPUT_PADS - 1, (int)change->pad);
}

static void collect_key(FiloInput *now, const FiloInputChange *change) {
    if (!FILO_CHECK(change->key > FILO_KEY_NONE && change->key < FILO_KEY_COUNT,
                    "pass a FiloKey to filo_input_collect; %d is none", (int)change->key))
        return;
    change_key(now, (FiloKey)change->key, change->down);
}

static void collect_pad(FiloInput *now, const FiloInputChange *change) {
    if (!good_pad(change)) return;
    FiloGamepad *pad = &now->pads[change->pad];
    if (!change->down) release_pad(now, pad);
    pad->connected = change->down;
}

static void collect_pad_key(FiloInput *now, const FiloInputChange *change) {
    if (!good_pad(change) ||
        !FILO_CHECK(
            change->key >= FILO_PAD_A && change->key <= FILO_PAD_RIGHT,
            "pass a button of a gamepad, FILO_PAD_A to FILO_PAD_RIGHT, to filo_input_collect; it was %d",
            (int)change->key))
        return;
    change_pad_key(now, &now->pads[change->pad], (unsigned)(change->key - FILO_PAD_A), change->down);
}

static void collect_pad_axis(FiloInput *now, const FiloInputChange *change) {
    if (!good_pad(change) ||
        !FILO_CHECK(change->axis >= 0 && change->axis < FILO_AXIS_COUNT,
                    "pass a FiloPadAxis to filo_input_collect; %d is none", (int)change->axis))
        return;
    now->pads[change->pad].axes[change->axis] = without_dead_zone(change->value, (FiloPadAxis)change->axis);
}

void filo_input_collect(FiloInputCollector *collector, const FiloInputChange *change) {
    if (!FILO_CHECK(collector != NULL && change != NULL, "pass a collector and a change")) return;
    FiloInput *now = &collector->now;
    switch (change->kind) {
    case FILO_INPUT_KEY: collect_key(now, change); return;
    case FILO_INPUT_MOUSE:
        now->mouse = change->position;
        now->mouse_move = filo_vec2_add(now->mouse_move, change->move);
        return;
    case FILO_INPUT_WHEEL: now->wheel = filo_vec2_add(now->wheel, change->move); return;
    case FILO_INPUT_TYPED: add_text(now, change->text, sizeof change->text); return;
    case FILO_INPUT_PAD: collect_pad(now, change); return;
    case FILO_INPUT_PAD_KEY: collect_pad_key(now, change); return;
    case FILO_INPUT_PAD_AXIS: collect_pad_axis(now, change); return;
    case FILO_INPUT_FOCUS:
        if (!change->down) release_all(now);
        now->focused = change->down;
        return;
    case FILO_INPUT_VIEW: now->view = change->position; return;
    case FILO_INPUT_CAPTURE: now->mouse_captured = change->down; return;
    case FILO_INPUT_QUIT: now->quit = true; return;
    }
    (void)FILO_CHECK(false, "pass a FiloInputChangeKind to filo_input_collect; %d is none",
                     (int)change->kind);
}

static void forget_what_happened(FiloInput *now) {
    memset(&now->pressed, 0, sizeof now->pressed);
    memset(&now->released, 0, sizeof now->released);
    memset(now->text, 0, sizeof now->text);
    now->mouse_move = now->wheel = filo_vec2(0, 0);
    now->quit = false;
    for (int i = 0; i < FILO_INPUT_PADS; i++) now->pads[i].pressed = now->pads[i].released = 0;
}

void filo_input_take(FiloInputCollector *collector, const FiloActions *actions, FiloInput *input) {
    if (!FILO_CHECK(collector != NULL && input != NULL, "pass a collector, and an input to fill")) return;
    *input = collector->now;
    if (actions != NULL) filo_actions_evaluate(actions, input, &collector->last);
    collector->last = *input;
    forget_what_happened(&collector->now);
}
