// Functions on a FiloInput and its changes, shared by the sources of input.

#ifndef FILO_PLATFORM_INPUT_STATE_H
#define FILO_PLATFORM_INPUT_STATE_H

#include <filo/input.h>

// FILO_ERROR_ARGUMENT if a number of a change is out of range, also one that its kind does not use. Does not report it
// as a mistake. Every change that is collected, recorded or replayed has passed this check.
FiloResult platform_input_change_check(const FiloInputChange *change);

// NULL, without a warning, if there is no such action.
const FiloActionState *platform_input_find_action(const FiloInput *input, FiloName name);

// Clears edges, movement, wheel, text and quit. Fields of state stay.
void platform_input_clear_deltas(FiloInput *input);

#endif
