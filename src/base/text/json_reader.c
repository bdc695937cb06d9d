// The JSON reader: a state machine over the text, one token per call.
//
// `state` determines what may come next. `is_object` has a bit per open object or array: FILO_JSON_DEPTH bits are the
// whole stack. Tokens point into the text. The first error is stored in `error`, and from then on every token is
// FILO_JSON_ERROR.

#include <filo/check.h>
#include <filo/json.h>
#include <filo/strings.h>

#include "base/text/text.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    STATE_VALUE,         // a value, and nothing else
    STATE_FIRST_ELEMENT, // a value or ]
    STATE_FIRST_KEY,     // a key or }
    STATE_AFTER_VALUE,   // a comma or the end of what is open
    STATE_DONE,          // only white space
};

void filo_json_reader_init(FiloJsonReader *reader, const char *text, size_t length, const char *source) {
    *reader = (FiloJsonReader){ .source = source != NULL ? source : "JSON", .line = 1 };
    reader->text = text != NULL ? text : "";
    reader->length = text != NULL ? length : 0;
    if (reader->length >= 3 && memcmp(reader->text, "\xEF\xBB\xBF", 3) == 0)
        reader->position = reader->line_start = 3;
}

// ---- Errors -------------------------------------------------------------------------------------------

FiloResult filo_json_error_at(const FiloJsonReader *reader, FiloJsonToken token, const char *format, ...) {
    char message[FILO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *source = reader->source != NULL ? reader->source : "", *colon = source[0] != '\0' ? ":" : "";
    return filo_error(FILO_ERROR_DATA, "%s%s%d:%d: %s", source, colon, token.line, token.column, message);
}

static FiloJsonToken token_at(const FiloJsonReader *reader, FiloJsonKind kind, size_t start, size_t length) {
    return (FiloJsonToken){ .kind = kind,
                            .text = reader->text + start,
                            .length = length,
                            .line = reader->line,
                            .column = (int)(start - reader->line_start) + 1 };
}

// Fails at `position`. The message must say what was expected or what is wrong.
static FiloJsonToken fail_at(FiloJsonReader *reader, size_t position, const char *message) {
    FiloJsonToken token = token_at(reader, FILO_JSON_ERROR, position, 0);
    reader->error = position >= reader->length
                        ? filo_json_error_at(reader, token, "%s, but the text ends here", message)
                        : filo_json_error_at(reader, token, "%s", message);
    return token;
}

// ---- Tokens -------------------------------------------------------------------------------------------

static void skip_space(FiloJsonReader *reader) {
    for (; reader->position < reader->length; reader->position++) {
        char c = reader->text[reader->position];
        if (c == '\n') {
            reader->line++;
            reader->line_start = reader->position + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The four digits of \uXXXX; −1 if they are missing.
static int32_t hex_unit(const char *text, size_t length) {
    if (length < 4) return -1;
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

// Reads the escape at the backslash; returns its length in the text, or 0 if it is invalid.
static size_t read_escape(const char *text, size_t length, uint32_t *code_point) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (length < 2) return 0;
    const char *letter = text[1] != '\0' ? strchr(letters, text[1]) : NULL;
    if (letter != NULL) {
        *code_point = (uint32_t)meanings[letter - letters];
        return 2;
    }
    if (text[1] != 'u') return 0;
    int32_t high = hex_unit(text + 2, length - 2);
    if (high < 0 || (high >= 0xDC00 && high <= 0xDFFF)) return 0;
    *code_point = (uint32_t)high;
    if (high < 0xD800 || high > 0xDBFF) return 6;
    if (length < 12 || text[6] != '\\' || text[7] != 'u') return 0;
    int32_t low = hex_unit(text + 8, length - 8);
    if (low < 0xDC00 || low > 0xDFFF) return 0;
    *code_point = 0x10000 + (((uint32_t)high - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return 12;
}

static FiloJsonToken read_string(FiloJsonReader *reader, FiloJsonKind kind) {
    size_t start = reader->position + 1;
    bool escaped = false;
    for (size_t i = start; i < reader->length;) {
        const char *here = reader->text + i;
        if (*here == '"') {
            FiloJsonToken token = token_at(reader, kind, start, i - start);
            token.column--; // the quote
            token.escaped = escaped;
            reader->position = i + 1;
            return token;
        }
        size_t size;
        if (*here == '\\') {
            uint32_t code_point;
            escaped = true;
            size = read_escape(here, reader->length - i, &code_point);
            if (size == 0) return fail_at(reader, i, "not a valid escape");
        } else {
            if ((unsigned char)*here < 0x20)
                return fail_at(reader, i, "write this control character as an escape, or close the string");
            size = base_utf8_valid_size(here, reader->length - i);
            if (size == 0) return fail_at(reader, i, "not UTF-8");
        }
        i += size;
    }
    return fail_at(reader, reader->length, "expected a closing quote");
}

static size_t digits_at(const FiloJsonReader *reader, size_t position) {
    size_t count = 0;
    while (position + count < reader->length && reader->text[position + count] >= '0' &&
           reader->text[position + count] <= '9')
        count++;
    return count;
}

static bool character_at(const FiloJsonReader *reader, size_t position, char a, char b) {
    return position < reader->length && (reader->text[position] == a || reader->text[position] == b);
}

static FiloJsonToken read_number(FiloJsonReader *reader) {
    size_t start = reader->position, i = start;
    if (character_at(reader, i, '-', '-')) i++;
    size_t whole = digits_at(reader, i);
    if (whole == 0) return fail_at(reader, i, "expected a digit");
    if (whole > 1 && reader->text[i] == '0') return fail_at(reader, i, "a number does not begin with 0");
    i += whole;
    if (character_at(reader, i, '.', '.')) {
        size_t fraction = digits_at(reader, i + 1);
        if (fraction == 0) return fail_at(reader, i + 1, "expected a digit");
        i += 1 + fraction;
    }
    if (character_at(reader, i, 'e', 'E')) {
        i++;
        if (character_at(reader, i, '+', '-')) i++;
        size_t exponent = digits_at(reader, i);
        if (exponent == 0) return fail_at(reader, i, "expected a digit");
        i += exponent;
    }
    reader->position = i;
    return token_at(reader, FILO_JSON_NUMBER, start, i - start);
}

static FiloJsonToken read_word(FiloJsonReader *reader, const char *word, FiloJsonKind kind) {
    size_t length = strlen(word);
    if (reader->length - reader->position < length ||
        memcmp(reader->text + reader->position, word, length) != 0)
        return fail_at(reader, reader->position, "expected a value");
    reader->position += length;
    return token_at(reader, kind, reader->position - length, length);
}

// ---- Nesting ------------------------------------------------------------------------------------------

static bool inside_object(const FiloJsonReader *reader) {
    int level = reader->depth - 1;
    return (reader->is_object[level / 8] >> (level % 8) & 1) != 0;
}

static FiloJsonToken begin(FiloJsonReader *reader, bool object) {
    if (reader->depth == FILO_JSON_DEPTH) return fail_at(reader, reader->position, "nested too deep");
    int level = reader->depth++;
    uint8_t bit = (uint8_t)(1u << (level % 8));
    reader->is_object[level / 8] = (uint8_t)((reader->is_object[level / 8] & ~bit) | (object ? bit : 0));
    reader->state = object ? STATE_FIRST_KEY : STATE_FIRST_ELEMENT;
    return token_at(reader, object ? FILO_JSON_OBJECT_BEGIN : FILO_JSON_ARRAY_BEGIN, reader->position++, 1);
}

static void value_done(FiloJsonReader *reader) {
    reader->state = reader->depth == 0 ? STATE_DONE : STATE_AFTER_VALUE;
}

static FiloJsonToken end(FiloJsonReader *reader) {
    FiloJsonKind kind = inside_object(reader) ? FILO_JSON_OBJECT_END : FILO_JSON_ARRAY_END;
    reader->depth--;
    value_done(reader);
    return token_at(reader, kind, reader->position++, 1);
}

static FiloJsonToken read_value(FiloJsonReader *reader) {
    char c = (char)(reader->position < reader->length ? reader->text[reader->position] : '\0');
    if (c == '{' || c == '[') return begin(reader, c == '{');
    FiloJsonToken token;
    if (c == '"')
        token = read_string(reader, FILO_JSON_STRING);
    else if (c == '-' || (c >= '0' && c <= '9'))
        token = read_number(reader);
    else if (c == 't')
        token = read_word(reader, "true", FILO_JSON_TRUE);
    else if (c == 'f')
        token = read_word(reader, "false", FILO_JSON_FALSE);
    else if (c == 'n')
        token = read_word(reader, "null", FILO_JSON_NULL);
    else
        token = fail_at(reader, reader->position, "expected a value");
    if (token.kind != FILO_JSON_ERROR) value_done(reader);
    return token;
}

static FiloJsonToken read_key(FiloJsonReader *reader, const char *expected) {
    if (!character_at(reader, reader->position, '"', '"')) return fail_at(reader, reader->position, expected);
    FiloJsonToken key = read_string(reader, FILO_JSON_KEY);
    if (key.kind == FILO_JSON_ERROR) return key;
    skip_space(reader);
    if (!character_at(reader, reader->position, ':', ':'))
        return fail_at(reader, reader->position, "expected a colon after the name");
    reader->position++;
    reader->state = STATE_VALUE;
    return key;
}

static FiloJsonToken read_after_value(FiloJsonReader *reader) {
    bool object = inside_object(reader);
    if (character_at(reader, reader->position, object ? '}' : ']', object ? '}' : ']')) return end(reader);
    if (!character_at(reader, reader->position, ',', ','))
        return fail_at(reader, reader->position, object ? "expected a comma or }" : "expected a comma or ]");
    reader->position++;
    skip_space(reader);
    if (object) return read_key(reader, "expected a name in quotes after the comma");
    return read_value(reader);
}

FiloJsonToken filo_json_next(FiloJsonReader *reader) {
    if (reader->error.code != FILO_OK)
        return (FiloJsonToken){ .kind = FILO_JSON_ERROR, .text = "", .line = reader->line };
    skip_space(reader);
    switch (reader->state) {
    case STATE_FIRST_ELEMENT:
        if (character_at(reader, reader->position, ']', ']')) return end(reader);
        return read_value(reader);
    case STATE_FIRST_KEY:
        if (character_at(reader, reader->position, '}', '}')) return end(reader);
        return read_key(reader, "expected a name in quotes or }");
    case STATE_AFTER_VALUE: return read_after_value(reader);
    case STATE_DONE:
        if (reader->position < reader->length)
            return fail_at(reader, reader->position, "expected nothing more after the value");
        return token_at(reader, FILO_JSON_END, reader->position, 0);
    default: return read_value(reader);
    }
}

bool filo_json_skip(FiloJsonReader *reader, FiloJsonToken token) {
    if (token.kind == FILO_JSON_KEY) token = filo_json_next(reader);
    int depth = 0;
    for (;; token = filo_json_next(reader)) {
        if (token.kind == FILO_JSON_ERROR || token.kind == FILO_JSON_END) return false;
        if (token.kind == FILO_JSON_OBJECT_BEGIN || token.kind == FILO_JSON_ARRAY_BEGIN) depth++;
        if (token.kind == FILO_JSON_OBJECT_END || token.kind == FILO_JSON_ARRAY_END) depth--;
        if (depth <= 0) return true;
    }
}

// ---- Values -------------------------------------------------------------------------------------------

// Decodes the next character of a string token into `out` (4 bytes); returns its size there.
static size_t next_character(FiloJsonToken token, size_t *position, char *out) {
    const char *here = token.text + *position;
    if (*here == '\\') {
        uint32_t code_point = 0xFFFD;
        size_t size = read_escape(here, token.length - *position, &code_point);
        *position += size != 0 ? size : 1;
        return filo_utf8_encode(code_point, out);
    }
    size_t size = base_utf8_valid_size(here, token.length - *position);
    if (size == 0) size = 1;
    memcpy(out, here, size);
    *position += size;
    return size;
}

size_t filo_json_as_text(FiloJsonToken token, char *buffer, size_t size) {
    size_t length = 0, written = 0;
    bool full = size == 0;
    for (size_t i = 0; i < token.length;) {
        char character[4];
        size_t bytes = next_character(token, &i, character);
        length += bytes;
        if (full || written + bytes >= size) {
            full = true;
            continue;
        }
        memcpy(buffer + written, character, bytes);
        written += bytes;
    }
    if (size > 0) buffer[written] = '\0';
    return length;
}

bool filo_json_equal(FiloJsonToken token, const char *text) {
    if (!FILO_CHECK(text != NULL, "pass a text to compare with")) return false;
    if (!token.escaped) return strlen(text) == token.length && memcmp(text, token.text, token.length) == 0;
    size_t at = 0, length = strlen(text);
    for (size_t i = 0; i < token.length;) {
        char character[4];
        size_t bytes = next_character(token, &i, character);
        if (length - at < bytes || memcmp(text + at, character, bytes) != 0) return false;
        at += bytes;
    }
    return at == length;
}

// The digits of a whole number without fraction or exponent; false if it has one, or does not fit.
static bool plain_digits(FiloJsonToken token, bool *negative, uint64_t *magnitude) {
    *negative = token.length > 0 && token.text[0] == '-';
    *magnitude = 0;
    for (size_t i = *negative ? 1 : 0; i < token.length; i++) {
        if (token.text[i] < '0' || token.text[i] > '9') return false;
        uint64_t digit = (uint64_t)(token.text[i] - '0');
        if (__builtin_mul_overflow(*magnitude, 10u, magnitude) ||
            __builtin_add_overflow(*magnitude, digit, magnitude))
            return false;
    }
    return true;
}

// A whole number with a point or an exponent, such as 1e3 or 2.0. False if a double cannot represent it exactly.
static bool whole_double(FiloJsonToken token, double *value) {
    bool plain = memchr(token.text, '.', token.length) == NULL &&
                 memchr(token.text, 'e', token.length) == NULL &&
                 memchr(token.text, 'E', token.length) == NULL;
    return !plain && filo_json_as_double(token, value) && floor(*value) == *value && fabs(*value) <= 0x1p53;
}

bool filo_json_as_int64(FiloJsonToken token, int64_t *value) {
    bool negative;
    uint64_t magnitude;
    double number;
    if (token.kind != FILO_JSON_NUMBER) return false;
    if (plain_digits(token, &negative, &magnitude)) {
        if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0)) return false;
        *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
        return true;
    }
    if (!whole_double(token, &number)) return false;
    *value = (int64_t)number;
    return true;
}

bool filo_json_as_uint64(FiloJsonToken token, uint64_t *value) {
    bool negative;
    uint64_t magnitude;
    double number;
    if (token.kind != FILO_JSON_NUMBER) return false;
    if (plain_digits(token, &negative, &magnitude)) {
        if (negative && magnitude != 0) return false;
        *value = magnitude;
        return true;
    }
    if (!whole_double(token, &number) || number < 0) return false;
    *value = (uint64_t)number;
    return true;
}

bool filo_json_as_double(FiloJsonToken token, double *value) {
    return token.kind == FILO_JSON_NUMBER &&
           filo_parse_double(filo_string_from(token.text, token.length), value).code == FILO_OK;
}

const char *filo_json_kind_name(FiloJsonKind kind) {
    switch (kind) {
    case FILO_JSON_NULL: return "null";
    case FILO_JSON_FALSE:
    case FILO_JSON_TRUE: return "true or false";
    case FILO_JSON_NUMBER: return "a number";
    case FILO_JSON_STRING: return "a string";
    case FILO_JSON_KEY: return "a name";
    case FILO_JSON_OBJECT_BEGIN: return "an object";
    case FILO_JSON_OBJECT_END: return "the end of an object";
    case FILO_JSON_ARRAY_BEGIN: return "a list";
    case FILO_JSON_ARRAY_END: return "the end of a list";
    case FILO_JSON_END: return "the end of the text";
    case FILO_JSON_ERROR: break;
    }
    return "an error";
}
