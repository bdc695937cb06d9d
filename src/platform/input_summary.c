// The input of several ticks as one FiloInput.
//
// Fields of state (keys that are down, the position of the mouse, axes) come from the last tick. Deltas (edges,
// movement, wheel, text, quit) are the sum over the ticks since the last filo_input_summary_look.

#include "platform/input_state.h"

#include <filo/check.h>

#include <string.h>

static void add_text(FiloInput *input, const FiloInput *before) {
    char typed[2 * FILO_INPUT_TEXT];
    size_t first = strnlen(before->text, sizeof before->text - 1);
    memcpy(typed, before->text, first);
    filo_string_copy(filo_string(input->text), typed + first, sizeof typed - first);
    filo_string_copy(filo_string(typed), input->text, sizeof input->text);
}

static void add_actions(FiloInput *input, const FiloInput *before) {
    uint32_t count = FILO_MIN(input->action_count, before->action_count);
    for (uint32_t i = 0; i < count; i++) {
        if (input->actions[i].name.id != before->actions[i].name.id) continue;
        input->actions[i].pressed |= before->actions[i].pressed;
        input->actions[i].released |= before->actions[i].released;
    }
}

// Adds the deltas of `before` to those of `input`.
static void add_deltas(FiloInput *input, const FiloInput *before) {
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
    add_actions(input, before);
    add_text(input, before);
}

void filo_input_summary_add(FiloInputSummary *summary, const FiloInput *input) {
    if (!FILO_CHECK(summary != NULL && input != NULL, "pass a summary and the input of a tick")) return;
    FiloInput sum = *input;
    if (!summary->seen) add_deltas(&sum, &summary->input);
    summary->input = sum;
    summary->seen = false;
}

const FiloInput *filo_input_summary_look(FiloInputSummary *summary) {
    static const FiloInput nothing;
    if (!FILO_CHECK(summary != NULL, "pass a summary to look at")) return &nothing;
    if (summary->seen) platform_input_clear_deltas(&summary->input);
    summary->seen = true;
    return &summary->input;
}
