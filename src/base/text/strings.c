// Slices: comparing, searching and dividing text that is a pointer and a length, and copies of it in arenas.
//
// An empty slice may have a NULL pointer, which must not be passed to the functions of <string.h> even with a length of
// 0. So each call here is behind a test of the length.

#include <filo/check.h>
#include <filo/strings.h>

#include <stdio.h>

int filo_string_compare(FiloString a, FiloString b) {
    size_t common = FILO_MIN(a.length, b.length);
    int order = common > 0 ? memcmp(a.data, b.data, common) : 0;
    if (order == 0) return (a.length > b.length) - (a.length < b.length);
    return order < 0 ? -1 : 1;
}

static unsigned char lower(char byte) {
    unsigned char c = (unsigned char)byte;
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c + ('a' - 'A')) : c;
}

bool filo_string_equal_ignoring_case(FiloString a, FiloString b) {
    if (a.length != b.length) return false;
    for (size_t i = 0; i < a.length; i++)
        if (lower(a.data[i]) != lower(b.data[i])) return false;
    return true;
}

// The table of edit distances between prefixes of both (Damerau, Communications of the ACM 7, 1964; in the restricted
// form, which edits no substring twice). Only the last three rows are stored.
size_t filo_string_distance(FiloString a, FiloString b) {
    uint8_t rows[3][FILO_STRING_DISTANCE_LENGTH + 1];
    size_t a_length = FILO_MIN(a.length, (size_t)FILO_STRING_DISTANCE_LENGTH);
    size_t b_length = FILO_MIN(b.length, (size_t)FILO_STRING_DISTANCE_LENGTH);
    for (size_t j = 0; j <= b_length; j++) rows[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        uint8_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            int change = above[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            int least = FILO_MIN(change, 1 + FILO_MIN(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                least = FILO_MIN(least, two_above[j - 2] + 1);
            row[j] = (uint8_t)least;
        }
    }
    return rows[a_length % 3][b_length];
}

bool filo_string_starts_with(FiloString string, FiloString start) {
    return start.length <= string.length &&
           filo_string_equal(filo_string_slice(string, 0, start.length), start);
}

bool filo_string_ends_with(FiloString string, FiloString end) {
    return end.length <= string.length &&
           filo_string_equal(filo_string_slice(string, string.length - end.length, end.length), end);
}

size_t filo_string_find(FiloString string, FiloString part) {
    if (part.length == 0) return 0;
    if (part.length > string.length) return FILO_STRING_NOT_FOUND;
    const char *found = memmem(string.data, string.length, part.data, part.length);
    return found != NULL ? (size_t)(found - string.data) : FILO_STRING_NOT_FOUND;
}

size_t filo_string_find_last(FiloString string, FiloString part) {
    if (part.length == 0) return string.length;
    if (part.length > string.length) return FILO_STRING_NOT_FOUND;
    for (size_t i = string.length - part.length + 1; i-- > 0;)
        if (memcmp(string.data + i, part.data, part.length) == 0) return i;
    return FILO_STRING_NOT_FOUND;
}

static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

FiloString filo_string_trim(FiloString string) {
    size_t start = 0, end = string.length;
    while (start < end && is_space(string.data[start])) start++;
    while (end > start && is_space(string.data[end - 1])) end--;
    return filo_string_slice(string, start, end - start);
}

// ---- Dividing -----------------------------------------------------------------------------------------

bool filo_string_cut(FiloString string, FiloString separator, FiloString *before, FiloString *after) {
    size_t offset = filo_string_find(string, separator);
    bool found = offset != FILO_STRING_NOT_FOUND;
    if (before != NULL) *before = found ? filo_string_slice(string, 0, offset) : string;
    if (after != NULL)
        *after = found ? filo_string_slice(string, offset + separator.length, SIZE_MAX) : (FiloString){ 0 };
    return found;
}

FiloSplit filo_string_split(FiloString string, FiloString separator) {
    (void)FILO_CHECK(separator.length > 0, "give filo_string_split a separator of at least one byte");
    return (FiloSplit){ .rest = string, .separator = separator };
}

bool filo_split_next(FiloSplit *split, FiloString *part) {
    if (!FILO_CHECK(part != NULL, "pass where the part goes") || split->finished) return false;
    if (split->separator.length == 0) {
        *part = split->rest;
        split->finished = true;
    } else {
        split->finished = !filo_string_cut(split->rest, split->separator, part, &split->rest);
    }
    return true;
}

// ---- Copies -------------------------------------------------------------------------------------------

size_t filo_string_copy(FiloString string, char *buffer, size_t size) {
    if (size == 0) return 0;
    string = filo_utf8_cut(string, size - 1);
    if (string.length > 0) memmove(buffer, string.data, string.length);
    buffer[string.length] = '\0';
    return string.length;
}

FiloString filo_string_clone(FiloArena *arena, FiloString string) {
    char *copy = string.length < SIZE_MAX ? filo_arena_alloc(arena, string.length + 1, 1) : NULL;
    if (copy == NULL) return (FiloString){ 0 };
    if (string.length > 0) memcpy(copy, string.data, string.length);
    copy[string.length] = '\0';
    return filo_string_from(copy, string.length);
}

FiloString filo_string_format_list(FiloArena *arena, const char *format, va_list arguments) {
    char small[256]; // most texts fit, and are formatted once
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    FiloString result = { 0 };
    if (FILO_CHECK(length >= 0, "printf does not accept the format \"%s\"", format)) {
        if ((size_t)length < sizeof small) {
            result = filo_string_clone(arena, filo_string_from(small, (size_t)length));
        } else {
            char *text = filo_arena_alloc(arena, (size_t)length + 1, 1);
            if (text != NULL) {
                vsnprintf(text, (size_t)length + 1, format, again);
                result = filo_string_from(text, (size_t)length);
            }
        }
    }
    va_end(again);
    return result;
}

FiloString filo_string_format(FiloArena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    FiloString result = filo_string_format_list(arena, format, arguments);
    va_end(arguments);
    return result;
}
