// UTF-8 for those who must tell a bad character from U+FFFD, which filo_utf8_decode does not.

#ifndef FILO_BASE_UTF8_H
#define FILO_BASE_UTF8_H

#include <filo/types.h>

// Bytes of the character at the start of `text`, which has `length` bytes; 0 if there is none, or not a good
// one.
size_t base_utf8_good(const char *text, size_t length);

#endif
