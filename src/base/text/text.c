// Formatting into a buffer of fixed size: see text.h.

#include "base/text/text.h"

#include <stdio.h>
#include <string.h>

// The largest length up to `end` that does not cut a character. Bytes that are not UTF-8 are cut anywhere.
static size_t end_of_character(const char *text, size_t end) {
    for (size_t back = 1; back <= 4 && back <= end; back++) {
        unsigned char byte = (unsigned char)text[end - back];
        if ((byte & 0xC0) == 0x80) continue; // inside a character: its first byte determines its length
        size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return length > back ? end - back : end;
    }
    return end;
}

size_t base_text_cut(char *buffer, size_t size, const char *ending) {
    if (size == 0) return 0;
    size_t length = strlen(ending);
    if (length >= size) ending = "", length = 0;
    size_t end = end_of_character(buffer, size - 1 - length);
    memcpy(buffer + end, ending, length + 1);
    return end + length;
}

size_t base_text_format(char *buffer, size_t size, const char *format, va_list arguments) {
    if (size == 0) return 0;
    int needed = vsnprintf(buffer, size, format, arguments);
    // It fails for a wide argument that the locale cannot represent.
    if (needed < 0) needed = snprintf(buffer, size, "(a message that cannot be shown)");
    return (size_t)needed < size ? (size_t)needed : base_text_cut(buffer, size, "…");
}
