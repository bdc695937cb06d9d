// What the files about a FiloInput and its changes share.

#ifndef FILO_PLATFORM_INPUT_STATE_H
#define FILO_PLATFORM_INPUT_STATE_H

#include <filo/input.h>

// What is wrong with a change: FILO_ERROR_ARGUMENT if a number in it means nothing, whether its kind uses the number or
// not. Reports nothing. What is collected, recorded and read has passed it.
FiloResult platform_input_change_problem(const FiloInputChange *change);

// The state of an action; NULL if there is no such action, about which nothing is reported.
const FiloActionState *platform_find_action(const FiloInput *input, FiloName name);

// Forgets edges, movement, wheel, text and the wish to quit; what is so stays so.
void platform_input_forget_happenings(FiloInput *input);

#endif
