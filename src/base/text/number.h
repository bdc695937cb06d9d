// Numbers as text, independent of the locale. (printf and strtod use the decimal point of the user's language.)

#ifndef FILO_BASE_NUMBER_H
#define FILO_BASE_NUMBER_H

#include <filo/types.h>

#define BASE_NUMBER_TEXT 32 // bytes; enough for every printed number

// The shortest decimal text that reads back as the same bits; "inf", "-inf", "nan". Returns its length.
size_t base_number_print_float(char *text, float value);
size_t base_number_print_double(char *text, double value);

#endif
