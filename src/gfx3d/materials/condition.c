// Definitions and conditions: a parser by recursive descent, with values that may be unknown.

#include "gfx3d/materials/condition.h"

#include <ctype.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

FiloString gfx3d_word(FiloString text, FiloString *rest) {
    text = filo_string_trim(text);
    size_t length = 0;
    while (length < text.length && is_word(text.data[length])) length++;
    *rest = filo_string_trim(filo_string_slice(text, length, text.length));
    return filo_string_slice(text, 0, length);
}

// ---- Definitions ------------------------------------------------------------------------------------------

static Gfx3dDefine *find(const Gfx3dDefines *defines, FiloString name) {
    filo_array_each (defines, define)
        if (filo_string_equal(define->name, name)) return define;
    return NULL;
}

bool gfx3d_defines_add(Gfx3dDefines *defines, FiloString text, bool maybe) {
    FiloString value;
    Gfx3dDefine define = { .name = gfx3d_word(text, &value), .maybe = maybe };
    define.number = filo_parse_int64(value, &define.value).code == FILO_OK;
    Gfx3dDefine *old = find(defines, define.name);
    if (old == NULL) return filo_array_push(defines, define);
    *old = define;
    return true;
}

void gfx3d_defines_remove(Gfx3dDefines *defines, FiloString name, bool maybe) {
    Gfx3dDefine *define = find(defines, name);
    if (define == NULL) return;
    if (maybe)
        define->maybe = true;
    else
        filo_array_remove_swap(defines, (size_t)(define - defines->items));
}

Gfx3dTruth gfx3d_defined(const Gfx3dDefines *defines, FiloString name) {
    const Gfx3dDefine *define = find(defines, name);
    if (define != NULL) return define->maybe ? GFX3D_UNKNOWN : GFX3D_TRUE;
    bool of_driver = filo_string_starts_with(name, FILO_STRING("GL_")) ||
                     filo_string_starts_with(name, FILO_STRING("__")) ||
                     filo_string_equal(name, FILO_STRING("FILO_GL45"));
    return of_driver ? GFX3D_UNKNOWN : GFX3D_FALSE;
}

// ---- Expressions ------------------------------------------------------------------------------------------

typedef struct Value {
    int64_t number;
    bool known;
} Value;

typedef struct Parser {
    const Gfx3dDefines *defines;
    FiloString rest;
    int depth;
    bool failed; // it is not understood
} Parser;

static const Value UNKNOWN = { 0, false };
static Value known(int64_t number) { return (Value){ number, true }; }

static Value parse_or(Parser *parser);

static bool take(Parser *parser, const char *symbol) {
    parser->rest = filo_string_trim(parser->rest);
    FiloString wanted = filo_string(symbol);
    if (!filo_string_starts_with(parser->rest, wanted)) return false;
    parser->rest = filo_string_slice(parser->rest, wanted.length, parser->rest.length);
    return true;
}

static Value parse_defined(Parser *parser) {
    bool parenthesis = take(parser, "(");
    FiloString name = gfx3d_word(parser->rest, &parser->rest);
    if (parenthesis && !take(parser, ")")) parser->failed = true;
    if (name.length == 0) parser->failed = true;
    Gfx3dTruth truth = gfx3d_defined(parser->defines, name);
    return truth == GFX3D_UNKNOWN ? UNKNOWN : known(truth == GFX3D_TRUE);
}

static Value parse_word(Parser *parser) {
    FiloString word = gfx3d_word(parser->rest, &parser->rest);
    int64_t number;
    if (filo_string_equal(word, FILO_STRING("defined"))) return parse_defined(parser);
    if (filo_parse_int64(word, &number).code == FILO_OK) return known(number);
    const Gfx3dDefine *define = find(parser->defines, word);
    if (word.length == 0) parser->failed = true;
    return define != NULL && define->number && !define->maybe ? known(define->value) : UNKNOWN;
}

static Value parse_single(Parser *parser) {
    if (parser->depth++ > 32) parser->failed = true;
    Value value = UNKNOWN;
    if (parser->failed) {
        // Nothing is read, so that the depth is limited.
    } else if (take(parser, "!")) {
        value = parse_single(parser);
        value.number = !value.number;
    } else if (take(parser, "(")) {
        value = parse_or(parser);
        if (!take(parser, ")")) parser->failed = true;
    } else {
        value = parse_word(parser);
    }
    parser->depth--;
    return value;
}

static Value parse_sum(Parser *parser) {
    Value left = parse_single(parser);
    while (!parser->failed) {
        bool plus = take(parser, "+");
        if (!plus && !take(parser, "-")) break;
        Value right = parse_single(parser);
        uint64_t a = (uint64_t)left.number, b = (uint64_t)right.number;
        left = (Value){ (int64_t)(plus ? a + b : a - b), left.known && right.known };
    }
    return left;
}

static Value parse_comparison(Parser *parser) {
    static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">" };
    Value left = parse_sum(parser);
    for (int i = 0; i < 6; i++) {
        if (!take(parser, operators[i])) continue;
        Value right = parse_sum(parser);
        int64_t a = left.number, b = right.number;
        const bool results[] = { a == b, a != b, a <= b, a >= b, a<b, a> b };
        return left.known && right.known ? known(results[i]) : UNKNOWN;
    }
    return left;
}

static Value parse_and(Parser *parser) {
    Value left = parse_comparison(parser);
    while (!parser->failed && take(parser, "&&")) {
        Value right = parse_comparison(parser);
        bool no = (left.known && !left.number) || (right.known && !right.number);
        left = no ? known(0) : left.known && right.known ? known(1) : UNKNOWN;
    }
    return left;
}

static Value parse_or(Parser *parser) {
    Value left = parse_and(parser);
    while (!parser->failed && take(parser, "||")) {
        Value right = parse_and(parser);
        bool yes = (left.known && left.number) || (right.known && right.number);
        left = yes ? known(1) : left.known && right.known ? known(0) : UNKNOWN;
    }
    return left;
}

Gfx3dTruth gfx3d_condition(const Gfx3dDefines *defines, FiloString expression) {
    size_t comment = filo_string_find(expression, FILO_STRING("//"));
    if (comment != FILO_STRING_NOT_FOUND) expression = filo_string_slice(expression, 0, comment);
    Parser parser = { .defines = defines, .rest = expression };
    Value value = parse_or(&parser);
    if (parser.failed || filo_string_trim(parser.rest).length > 0 || !value.known) return GFX3D_UNKNOWN;
    return value.number ? GFX3D_TRUE : GFX3D_FALSE;
}
