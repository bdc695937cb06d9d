// Validation of single UTF-8 characters. (filo_utf8_decode does not distinguish invalid bytes from U+FFFD.)

#ifndef FILO_BASE_UTF8_H
#define FILO_BASE_UTF8_H

#include <filo/types.h>

// The size in bytes of the character at the start of `text`, which has `length` bytes; 0 if there is no valid
// character.
size_t base_utf8_valid_size(const char *text, size_t length);

#endif
