#include "base/text.h"

#include <stdio.h>
#include <string.h>

size_t filo_text_format(char *buffer, size_t size, const char *format, va_list arguments) {
    static const char ellipsis[] = "…";
    int wanted = vsnprintf(buffer, size, format, arguments);
    if (wanted < 0) { // a broken multibyte argument; say so rather than show half a sentence
        buffer[0] = '\0';
        return 0;
    }
    if ((size_t)wanted < size) return (size_t)wanted;
    if (size < sizeof ellipsis) return strlen(buffer);
    size_t end = size - sizeof ellipsis;
    while (end > 0 && ((unsigned char)buffer[end] & 0xC0) == 0x80) end--; // back to the character's start
    memcpy(buffer + end, ellipsis, sizeof ellipsis);
    return end + sizeof ellipsis - 1;
}
