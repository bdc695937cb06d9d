// Formatting into a buffer of fixed size. A text that does not fit is cut between UTF-8 characters.

#ifndef FILO_BASE_TEXT_H
#define FILO_BASE_TEXT_H

#include <filo/types.h>

#include <stdarg.h>

// Formats as vsnprintf does; a text that does not fit ends in "…". Returns the length written. With a size of 0 nothing
// is written.
size_t base_text_format(char *buffer, size_t size, const char *format, va_list arguments) FILO_PRINTF(3, 0);

// For a text that did not fit into its buffer of `size` bytes: cuts it between two characters and appends `ending`,
// unless the buffer is too small even for that. Returns the length.
size_t base_text_cut(char *buffer, size_t size, const char *ending);

#endif
