// Functions that read a FiloInput.

#include "platform/input_state.h"

#include "base/suggest.h"

#include <filo/check.h>
#include <filo/log.h>

static bool check_pad(int pad) {
    return FILO_CHECK(pad >= 0 && pad < FILO_INPUT_PADS, "pass the number of a gamepad, 0 to %d; it was %d",
                      FILO_INPUT_PADS - 1, pad);
}

static bool check_button(FiloKey button) {
    return FILO_CHECK(button >= FILO_PAD_A && button <= FILO_PAD_RIGHT,
                      "pass a button of a gamepad, FILO_PAD_A to FILO_PAD_RIGHT; it was %d", (int)button);
}

bool filo_gamepad_down(const FiloInput *input, int pad, FiloKey button) {
    if (!FILO_CHECK(input != NULL, "pass the input") || !check_pad(pad) || !check_button(button))
        return false;
    return (input->pads[pad].down >> (unsigned)(button - FILO_PAD_A) & 1) != 0;
}

bool filo_gamepad_pressed(const FiloInput *input, int pad, FiloKey button) {
    if (!FILO_CHECK(input != NULL, "pass the input") || !check_pad(pad) || !check_button(button))
        return false;
    return (input->pads[pad].pressed >> (unsigned)(button - FILO_PAD_A) & 1) != 0;
}

float filo_gamepad_axis(const FiloInput *input, int pad, FiloPadAxis axis) {
    if (!FILO_CHECK(input != NULL, "pass the input")) return 0;
    if (!check_pad(pad) ||
        !FILO_CHECK((unsigned)axis < FILO_AXIS_COUNT, "pass a FiloPadAxis; %d is none", (int)axis))
        return 0;
    return input->pads[pad].axes[axis];
}

FiloVec2 filo_input_move(const FiloInput *input) {
    if (!FILO_CHECK(input != NULL, "pass the input")) return (FiloVec2){ 0 };
    float x = filo_input_axis(input, FILO_KEY_A, FILO_KEY_D) +
              filo_input_axis(input, FILO_KEY_LEFT, FILO_KEY_RIGHT) +
              filo_input_axis(input, FILO_PAD_LEFT, FILO_PAD_RIGHT);
    float y = filo_input_axis(input, FILO_KEY_S, FILO_KEY_W) +
              filo_input_axis(input, FILO_KEY_DOWN, FILO_KEY_UP) +
              filo_input_axis(input, FILO_PAD_DOWN, FILO_PAD_UP);
    for (int i = 0; i < FILO_INPUT_PADS; i++) {
        x += input->pads[i].axes[FILO_AXIS_LEFT_X];
        y += input->pads[i].axes[FILO_AXIS_LEFT_Y];
    }
    // Each axis is clamped first, so that two devices for one direction do not change the angle of a diagonal.
    return filo_vec2_clamp_length(filo_vec2(FILO_CLAMP(x, -1.0f, 1.0f), FILO_CLAMP(y, -1.0f, 1.0f)), 1);
}

const FiloActionState *platform_input_find_action(const FiloInput *input, FiloName name) {
    uint32_t count = FILO_MIN(input->action_count, (uint32_t)FILO_INPUT_ACTIONS);
    for (uint32_t i = 0; name.id != 0 && i < count; i++)
        if (input->actions[i].name.id == name.id) return &input->actions[i];
    return NULL;
}

#ifndef NDEBUG
// Without a warning, a misspelt name would be an action that is never pressed.
static void warn_unknown_action(const FiloInput *input, FiloName name) {
    FiloString wanted = filo_name_string(name);
    if (name.id == 0 || !base_first_time("action", wanted)) return;
    uint32_t count = FILO_MIN(input->action_count, (uint32_t)FILO_INPUT_ACTIONS);
    BaseSuggestion suggestion = base_suggest(wanted);
    for (uint32_t i = 0; i < count; i++)
        (void)base_suggest_offer(&suggestion, filo_name_string(input->actions[i].name));
    char meant[BASE_SUGGEST_SIZE];
    if (count == 0)
        filo_log_warn("input",
                      "there is no action \"%s\", because this input has none: an app gets them by .actions "
                      "and .action_count of its FiloAppDesc",
                      wanted.data);
    else
        filo_log_warn("input", "there is no action \"%s\"%s", wanted.data,
                      base_suggest_print(&suggestion, meant));
}
#endif

FiloActionState filo_action(const FiloInput *input, FiloName name) {
    if (!FILO_CHECK(input != NULL, "pass the input")) return (FiloActionState){ 0 };
    const FiloActionState *found = platform_input_find_action(input, name);
    if (found != NULL) return *found;
#ifndef NDEBUG
    warn_unknown_action(input, name);
#endif
    return (FiloActionState){ 0 };
}
