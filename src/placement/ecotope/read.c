// What all parts of the parser share: failures, members of objects, names and numbers.

#include "placement/ecotope/ecotope.h"

#include "base/suggest.h"

#include <stdarg.h>
#include <stdio.h>

static FiloResult located(const FiloEcotope *file, PlacementLocation location, FiloCode code,
                          const char *format, va_list arguments) {
    char text[FILO_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    return filo_error(code, "%s:%d:%d: %s", file->source, location.line, location.column, text);
}

FiloResult placement_ecotope_error(const FiloEcotope *file, PlacementLocation location, FiloCode code,
                                   const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    FiloResult result = located(file, location, code, format, arguments);
    va_end(arguments);
    return result;
}

bool placement_parse_fail(PlacementParser *parser, PlacementLocation location, FiloCode code,
                          const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    parser->result = located(parser->file, location, code, format, arguments);
    va_end(arguments);
    return false;
}

bool placement_parse_wrong_kind(PlacementParser *parser, FiloJsonToken token, const char *what,
                                const char *expected) {
    return placement_parse_fail(parser, placement_location(token), FILO_ERROR_DATA,
                                "%s: expected %s, found %s", what, expected, filo_json_kind_name(token.kind));
}

bool placement_parse_no_memory(PlacementParser *parser) {
    parser->result = filo_error(FILO_ERROR_MEMORY, "%s: no memory to read the ecotope", parser->file->source);
    return false;
}

bool placement_parse_member(PlacementParser *parser, PlacementMembers *members, unsigned *member,
                            FiloJsonToken *key, FiloJsonToken *value) {
    *key = filo_json_next(&parser->reader);
    if (key->kind != FILO_JSON_KEY) return false;
    for (*member = 0; *member < members->count; ++*member)
        if (filo_json_equal(*key, members->names[*member])) break;
    if (*member == members->count) {
        char wanted[64], meant[BASE_SUGGEST_SIZE];
        filo_json_as_text(*key, wanted, sizeof wanted);
        BaseSuggestion suggestion = base_suggest(filo_string(wanted));
        for (unsigned i = 0; i < members->count; i++)
            base_suggest_offer(&suggestion, filo_string(members->names[i]));
        return placement_parse_fail(parser, placement_location(*key), FILO_ERROR_DATA,
                                    "there is no \"%s\" here%s", wanted,
                                    base_suggest_print(&suggestion, meant));
    }
    if ((members->seen >> *member & 1) != 0)
        return placement_parse_fail(parser, placement_location(*key), FILO_ERROR_DATA,
                                    "%s: given more than once", members->names[*member]);
    members->seen |= UINT64_C(1) << *member;
    *value = filo_json_next(&parser->reader);
    return true;
}

bool placement_parse_name(PlacementParser *parser, FiloJsonToken token, const char *what,
                          PlacementName *name) {
    if (token.kind != FILO_JSON_STRING && token.kind != FILO_JSON_KEY)
        return placement_parse_wrong_kind(parser, token, what, "text in quotes");
    size_t length = filo_json_as_text(token, name->text, sizeof name->text);
    PlacementLocation location = placement_location(token);
    if (length == 0)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "%s: the text is empty", what);
    if (length >= sizeof name->text)
        return placement_parse_fail(parser, location, FILO_ERROR_LIMIT,
                                    "%s: a name of %zu bytes, there may be %d", what, length,
                                    PLACEMENT_NAME - 1);
    if (memchr(name->text, '\0', length) != NULL)
        return placement_parse_fail(parser, location, FILO_ERROR_DATA, "%s: the text has a zero byte in it",
                                    what);
    return true;
}

bool placement_parse_number(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                            double high, double *number) {
    if (token.kind != FILO_JSON_NUMBER) return placement_parse_wrong_kind(parser, token, what, "a number");
    if (filo_json_as_double(token, number) && *number >= low && *number <= high) return true;
    FiloString text = filo_utf8_cut(filo_string_from(token.text, token.length), 24);
    return placement_parse_fail(parser, placement_location(token), FILO_ERROR_DATA,
                                "%s: " FILO_STRING_FORMAT " is outside %g … %g", what,
                                FILO_STRING_PRINT(text), low, high);
}

bool placement_parse_whole(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                           double high, uint32_t *number) {
    double value = 0;
    uint64_t whole;
    if (!placement_parse_number(parser, token, what, low, high, &value)) return false;
    if (!filo_json_as_uint64(token, &whole))
        return placement_parse_fail(parser, placement_location(token), FILO_ERROR_DATA,
                                    "%s: %g is not a whole number", what, value);
    *number = (uint32_t)whole;
    return true;
}

bool placement_parse_bool(PlacementParser *parser, FiloJsonToken token, const char *what, bool *value) {
    if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE)
        return placement_parse_wrong_kind(parser, token, what, "true or false");
    *value = token.kind == FILO_JSON_TRUE;
    return true;
}

bool placement_parse_pair(PlacementParser *parser, FiloJsonToken token, const char *what, double low,
                          double high, double pair[2]) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN)
        return placement_parse_wrong_kind(parser, token, what, "a list of two numbers");
    PlacementLocation begin = placement_location(token);
    for (int i = 0; i < 2; i++) {
        token = filo_json_next(&parser->reader);
        if (token.kind == FILO_JSON_ARRAY_END)
            return placement_parse_fail(parser, begin, FILO_ERROR_DATA, "%s: expected two numbers, found %d",
                                        what, i);
        if (!placement_parse_number(parser, token, what, low, high, &pair[i])) return false;
    }
    if (filo_json_next(&parser->reader).kind != FILO_JSON_ARRAY_END)
        return placement_parse_fail(parser, begin, FILO_ERROR_DATA, "%s: expected two numbers, found more",
                                    what);
    return true;
}
