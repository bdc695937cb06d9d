// Questions to a FiloInput that need more than a look at one bit.

#include <filo/input.h>

#include <filo/check.h>

static bool good_pad(int pad) {
    return FILO_CHECK(pad >= 0 && pad < FILO_INPUT_PADS, "pass the number of a gamepad, 0 to %d; it was %d",
                      FILO_INPUT_PADS - 1, pad);
}

static bool good_button(FiloKey button) {
    return FILO_CHECK(button >= FILO_PAD_A && button <= FILO_PAD_RIGHT,
                      "pass a button of a gamepad, FILO_PAD_A to FILO_PAD_RIGHT; it was %d", (int)button);
}

bool filo_gamepad_down(const FiloInput *input, int pad, FiloKey button) {
    if (!good_pad(pad) || !good_button(button)) return false;
    return (input->pads[pad].down >> (unsigned)(button - FILO_PAD_A) & 1) != 0;
}

bool filo_gamepad_pressed(const FiloInput *input, int pad, FiloKey button) {
    if (!good_pad(pad) || !good_button(button)) return false;
    return (input->pads[pad].pressed >> (unsigned)(button - FILO_PAD_A) & 1) != 0;
}

float filo_gamepad_axis(const FiloInput *input, int pad, FiloPadAxis axis) {
    if (!FILO_CHECK(input != NULL, "pass the input")) return 0;
    if (!good_pad(pad) ||
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
    // First each by itself, so that two sources for one direction do not turn a diagonal.
    return filo_vec2_clamp_length(filo_vec2(FILO_CLAMP(x, -1.0f, 1.0f), FILO_CLAMP(y, -1.0f, 1.0f)), 1);
}

FiloActionState filo_action(const FiloInput *input, FiloName name) {
    if (!FILO_CHECK(input != NULL, "pass the input")) return (FiloActionState){ 0 };
    uint32_t count = FILO_MIN(input->action_count, (uint32_t)FILO_INPUT_ACTIONS);
    for (uint32_t i = 0; name.id != 0 && i < count; i++)
        if (input->actions[i].name.id == name.id) return input->actions[i];
    return (FiloActionState){ 0 };
}
