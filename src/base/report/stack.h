// The stack of the calling thread, for messages of a program that is about to stop.

#ifndef FILO_BASE_REPORT_STACK_H
#define FILO_BASE_REPORT_STACK_H

// Prints to standard error the first line of code outside of Filo that led here, and the stack. Without libdw, or where
// the program has no debug information, only addresses; nothing where the system cannot tell.
void base_stack_print(void);

#endif
