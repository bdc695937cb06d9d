// UTF-8, after table 3-7 of the Unicode standard: the range of the second byte depends on the first byte. This excludes
// overlong forms, surrogates and numbers above U+10FFFF, so that no further test is needed.

#include <filo/check.h>
#include <filo/strings.h>

#include "base/text/utf8.h"

// Reads one character from `size` > 0 bytes. Returns how many bytes it takes; if it is malformed, how many
// bytes are the longest beginning of some character (at least 1), and *valid is false.
static size_t decode(const unsigned char *bytes, size_t size, uint32_t *code_point, bool *valid) {
    unsigned char first = bytes[0], low = 0x80, high = 0xBF;
    size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    *valid = false;
    *code_point = FILO_UTF8_REPLACEMENT;
    if ((first >= 0x80 && first < 0xC2) || first > 0xF4) return 1;
    if (first == 0xE0) low = 0xA0;  // overlong
    if (first == 0xED) high = 0x9F; // surrogates
    if (first == 0xF0) low = 0x90;  // overlong
    if (first == 0xF4) high = 0x8F; // above U+10FFFF

    uint32_t number = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (i == size || bytes[i] < low || bytes[i] > high) return i;
        number = number << 6 | (bytes[i] & 0x3F);
        low = 0x80, high = 0xBF;
    }
    *valid = true;
    *code_point = number;
    return length;
}

size_t filo_utf8_decode(FiloString string, uint32_t *code_point) {
    if (string.length == 0) return 0;
    bool valid;
    return decode((const unsigned char *)string.data, string.length, code_point, &valid);
}

size_t base_utf8_valid_size(const char *text, size_t length) {
    uint32_t code_point;
    bool valid;
    if (length == 0) return 0;
    size_t size = decode((const unsigned char *)text, length, &code_point, &valid);
    return valid ? size : 0;
}

bool filo_utf8_next(FiloString *rest, uint32_t *code_point) {
    if (!FILO_CHECK(rest != NULL && code_point != NULL, "pass a text, and where the character goes"))
        return false;
    size_t length = filo_utf8_decode(*rest, code_point);
    *rest = filo_string_slice(*rest, length, SIZE_MAX);
    return length > 0;
}

size_t filo_utf8_encode(uint32_t code_point, char bytes[4]) {
    if (!FILO_CHECK(bytes != NULL, "pass where the bytes go")) return 0;
    if (code_point < 0x80) {
        bytes[0] = (char)code_point;
        return 1;
    }
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) return 0;
    size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code_point >>= 6) bytes[i] = (char)(0x80 | (code_point & 0x3F));
    bytes[0] = (char)((0xF00u >> length & 0xFF) | code_point);
    return length;
}

// The number of ASCII bytes from `at` on, rounded down to a multiple of 8.
static size_t skip_ascii(FiloString string, size_t at) {
    size_t start = at;
    for (uint64_t word; string.length - at >= sizeof word; at += sizeof word) {
        memcpy(&word, string.data + at, sizeof word);
        if ((word & UINT64_C(0x8080808080808080)) != 0) break;
    }
    return at - start;
}

size_t filo_utf8_valid_length(FiloString string) {
    size_t at = 0;
    while (at < string.length) {
        at += skip_ascii(string, at);
        if (at == string.length) break;
        uint32_t code_point;
        bool valid;
        size_t length =
            decode((const unsigned char *)string.data + at, string.length - at, &code_point, &valid);
        if (!valid) return at;
        at += length;
    }
    return at;
}

size_t filo_utf8_count(FiloString string) {
    size_t count = 0;
    for (uint32_t code_point; filo_utf8_next(&string, &code_point);) count++;
    return count;
}

FiloString filo_utf8_cut(FiloString string, size_t max_length) {
    if (string.length <= max_length) return string;
    // Bytes 10xxxxxx continue a character, which has at most three of them.
    size_t start = max_length;
    while (start > 0 && max_length - start < 3 && ((unsigned char)string.data[start] & 0xC0) == 0x80) start--;
    uint32_t code_point;
    bool valid;
    size_t length =
        decode((const unsigned char *)string.data + start, string.length - start, &code_point, &valid);
    bool splits = valid && start + length > max_length;
    return filo_string_slice(string, 0, splits ? start : max_length);
}
