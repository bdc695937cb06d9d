// Converts the messages of GLSL compilers to a common form.
//
// There is no standard form. These are in use; the number before the line is that of the source string:
//     0:12(5): error: `colour' undeclared          Mesa; also "preprocessor error"
//     0(12) : error C1008: undefined variable      NVIDIA
//     ERROR: 0:12: 'colour' : undeclared           AMD, Intel, Apple, ANGLE
// A message in another form is shown unchanged. Lines are those of the caller's text, because the text that the device
// puts before it ends in "#line 1".

#include "gpu/shader_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

// Skips the word if the text starts with it; ignores case.
static bool skip_word(const char **at, const char *word) {
    size_t length = strlen(word);
    if (strncasecmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

static bool skip_number(const char **at, int *number) {
    if (!isdigit((unsigned char)**at)) return false;
    char *end;
    *number = (int)strtol(*at, &end, 10);
    *at = end;
    return true;
}

// Skips "(5)" if it is there.
static void skip_column(const char **at) {
    const char *after = *at;
    int column;
    if (*after++ == '(' && skip_number(&after, &column) && *after == ')') *at = after + 1;
}

// Parses one line of a log. True if it is an error with a line number; `*text` is then the message.
static bool read_line(const char *line, int *number, const char **text) {
    int source;
    const char *at = skip_blanks(line);
    bool error = skip_word(&at, "error:");
    at = skip_blanks(at);
    if (!skip_number(&at, &source)) return false;
    if (*at == ':') {
        at++;
        if (!skip_number(&at, number)) return false;
        skip_column(&at);
    } else if (*at == '(') {
        at++;
        if (!skip_number(&at, number) || *at++ != ')') return false;
    } else {
        return false;
    }
    at = skip_blanks(at);
    if (*at == ':') at = skip_blanks(at + 1);
    (void)skip_word(&at, "preprocessor "); // Mesa's
    if (skip_word(&at, "warning")) return false;
    if (skip_word(&at, "error")) {
        error = true;
        // Skip an error code, " C1008", up to the colon.
        const char *colon = at + strcspn(at, ":\n");
        if (*colon == ':') at = skip_blanks(colon + 1);
    }
    *text = at;
    return error;
}

FiloResult gpu_shader_error(const char *label, const char *stage, const char *log) {
    const char *text = NULL;
    int number = 0, errors = 0;
    for (const char *line = log; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        int this_number = 0;
        const char *this_text;
        if (!read_line(line, &this_number, &this_text)) continue;
        if (errors++ == 0) {
            number = this_number;
            text = this_text;
        }
    }
    if (text == NULL) {
        const char *start = log + strspn(log, " \t\r\n");
        if (*start == '\0') start = "the driver does not say why";
        return filo_error(FILO_ERROR_DATA, "%s (%s): %.*s", label, stage, (int)strcspn(start, "\r\n"), start);
    }
    int length = (int)strcspn(text, "\r\n");
    if (errors == 1)
        return filo_error(FILO_ERROR_DATA, "%s (%s), line %d: %.*s", label, stage, number, length, text);
    return filo_error(FILO_ERROR_DATA, "%s (%s), line %d: %.*s (and %d more)", label, stage, number, length,
                      text, errors - 1);
}
