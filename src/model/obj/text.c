// The text of an OBJ or MTL file: see text.h.

#include "model/obj/text.h"

#include <filo/log.h>

#include <stdio.h>
#include <string.h>

bool model_read_float_slow(const char *start, const char *end, float *number) {
    return filo_parse_float(filo_string_from(start, (size_t)(end - start)), number).code == FILO_OK;
}

// ---- Messages -------------------------------------------------------------------------------------------

static size_t count_lines(const char *from, const char *to) {
    size_t lines = 0;
    while (from < to && (from = memchr(from, '\n', (size_t)(to - from))) != NULL) {
        lines++;
        from++;
    }
    return lines;
}

static size_t line_of(const ModelText *text) {
    return text->lines_before + count_lines(text->begin, text->p) + 1;
}

FiloResult model_text_error(const ModelText *text, FiloCode code, const char *format, ...) {
    char message[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return filo_error(code, "%s:%zu: %s", text->name, line_of(text), message);
}

void model_text_warn(const ModelText *text, const char *format, ...) {
    if (!model_may_warn(text->reader)) return; // finding the line takes time
    char message[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    model_warn(text->reader, "%s:%zu: %s", text->name, line_of(text), message);
}

FiloResult model_text_no_number(const ModelText *text) {
    ModelText copy = *text;
    FiloString word = model_text_word(&copy);
    bool number =
        word.length > 0 && (model_is_digit(word.data[word.length - 1]) || word.data[word.length - 1] == '.');
    int length = (int)FILO_MIN(word.length, (size_t)40);
    return model_text_error(text, FILO_ERROR_DATA,
                            number ? "\"%.*s\" is too large, or not a number" : "\"%.*s\" is not a number",
                            length, word.data);
}

// ---- Words ----------------------------------------------------------------------------------------------

// Where the next line begins if `p` is a "\" at the end of a line; otherwise NULL.
static const char *continued(const char *p) {
    const char *next = p + 1;
    while (*next == '\r' || *next == ' ' || *next == '\t') next++;
    return *next == '\n' ? next + 1 : NULL;
}

const char *model_text_continue(const char *p) {
    for (const char *next; *p == '\\' && (next = continued(p)) != NULL;) {
        p = next;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    }
    return p;
}

void model_text_skip_line(ModelText *text) {
    const char *p = text->p;
    for (;;) {
        const char *end = memchr(p, '\n', (size_t)(text->end - p)), *last = end;
        while (last > p && (last[-1] == '\r' || last[-1] == ' ' || last[-1] == '\t')) last--;
        bool goes_on = last > p && last[-1] == '\\' && end + 1 < text->end;
        p = end + 1;
        if (!goes_on) break;
    }
    text->p = p;
}

FiloString model_text_word(ModelText *text) {
    if (!model_text_spaces(text)) return (FiloString){ text->p, 0 };
    const char *start = text->p, *p = start;
    while ((unsigned char)*p > ' ' && !(*p == '\\' && continued(p) != NULL)) p++;
    // A control character is a word of its own, so that every call moves on.
    if (p == start && *p != '\n' && *p != '\\') p++;
    text->p = p;
    return filo_string_from(start, (size_t)(p - start));
}

FiloString model_text_rest(ModelText *text) {
    const char *p = text->p;
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    const char *end = memchr(p, '\n', (size_t)(text->end - p));
    text->p = end;
    while (end > p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
    return filo_string_from(p, (size_t)(end - p));
}

FiloResult model_text_floats(ModelText *text, float *numbers, int count, const char *what) {
    for (int i = 0; i < count; i++) {
        if (!model_text_spaces(text))
            return model_text_error(text, FILO_ERROR_DATA, "%s %d numbers, not %d", what, count, i);
        if (!model_read_float(&text->p, &numbers[i])) return model_text_no_number(text);
    }
    return filo_ok();
}

// ---- The whole file -------------------------------------------------------------------------------------

// The length of the text up to its last newline that does not continue a line.
static size_t length_of_lines(const char *bytes, size_t size) {
    while (size > 0) {
        const char *newline = memrchr(bytes, '\n', size);
        if (newline == NULL) return 0;
        size_t end = (size_t)(newline - bytes);
        size_t last = end;
        while (last > 0 && (bytes[last - 1] == '\r' || bytes[last - 1] == ' ' || bytes[last - 1] == '\t'))
            last--;
        if (last == 0 || bytes[last - 1] != '\\') return end + 1;
        size = last;
    }
    return 0;
}

FiloResult model_text_parse(ModelReader *reader, const char *name, const uint8_t *bytes, size_t size,
                            ModelTextParse parse, void *user) {
    const char *start = (const char *)bytes;
    if (size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark
        start += 3;
        size -= 3;
    }
    size_t whole = length_of_lines(start, size);
    ModelText text = { .reader = reader, .name = name, .begin = start, .p = start, .end = start + whole };
    FiloResult r = filo_ok();
    if (whole > 0) r = parse(&text, user);
    if (r.code != FILO_OK || whole == size) return r;
    size_t rest = size - whole;
    // Two newlines: the first one may be continued.
    char *tail = model_temporary(reader, NULL, 0, rest + 2);
    if (tail == NULL) return reader->result;
    memcpy(tail, start + whole, rest);
    memset(tail + rest, '\n', 2);
    text = (ModelText){ .reader = reader, .name = name, .begin = tail, .p = tail, .end = tail + rest + 2 };
    text.lines_before = count_lines(start, start + whole);
    r = parse(&text, user);
    model_temporary_free(reader, tail, rest + 2);
    return r;
}
