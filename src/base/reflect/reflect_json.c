// Reflected values as JSON.
//
// Reading never stops at a value that does not fit the description: it reports the problem, skips the value and goes
// on, so that a file of an older or newer version of a game can still be read as far as possible.

#include <filo/check.h>
#include <filo/reflect.h>
#include <filo/strings.h>

#include "base/reflect_value.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Writing ------------------------------------------------------------------------------------------

static void write_flags(FiloJsonWriter *writer, const FiloType *names, uint64_t bits) {
    filo_json_on_one_line(writer);
    filo_json_begin_array(writer);
    for (size_t i = 0; i < names->value_count; i++) {
        uint64_t value = (uint64_t)names->values[i].value;
        if (value == 0 || (bits & value) != value) continue;
        filo_json_write_text(writer, names->values[i].name);
        bits &= ~value;
    }
    if (bits != 0) filo_json_write_uint64(writer, bits); // bits without a name are written as a number
    filo_json_end_array(writer);
}

static void write_enum(FiloJsonWriter *writer, const FiloType *names, int64_t value) {
    for (size_t i = 0; i < names->value_count; i++) {
        if (names->values[i].value != value) continue;
        filo_json_write_text(writer, names->values[i].name);
        return;
    }
    filo_json_write_int64(writer, value);
}

// Small structs of single numbers (vectors, colours, rectangles) are written on one line.
static bool is_small(const FiloType *type) {
    if (type->field_count > 4) return false;
    for (size_t i = 0; i < type->field_count; i++) {
        FiloKind kind = filo_field_type(&type->fields[i])->kind;
        if (type->fields[i].count > 0 ||
            (kind != FILO_KIND_FLOAT && kind != FILO_KIND_INT && kind != FILO_KIND_UINT))
            return false;
    }
    return true;
}

static void write_struct(FiloJsonWriter *writer, const FiloType *type, const void *data) {
    if (is_small(type)) filo_json_on_one_line(writer);
    filo_json_begin_object(writer);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        filo_json_key(writer, field->name);
        void *at = (uint8_t *)(uintptr_t)data + field->offset;
        base_reflect_write_value(writer, (FiloValue){ filo_field_type(field), field, at, field->count });
    }
    filo_json_end_object(writer);
}

static void write_single(FiloJsonWriter *writer, const FiloType *type, const FiloField *field,
                         const void *data) {
    switch (base_value_kind(type, field)) {
    case FILO_KIND_BOOL: filo_json_write_bool(writer, base_value_load(type, data) != 0); break;
    case FILO_KIND_CHAR:
        filo_json_write_string(writer, filo_string_from(data, *(const char *)data != '\0' ? 1 : 0));
        break;
    case FILO_KIND_INT: filo_json_write_int64(writer, base_value_load(type, data)); break;
    case FILO_KIND_ENTITY:
    case FILO_KIND_UINT: filo_json_write_uint64(writer, (uint64_t)base_value_load(type, data)); break;
    case FILO_KIND_FLOAT:
        if (type->size == sizeof(float))
            filo_json_write_float(writer, (float)base_value_load_float(type, data));
        else
            filo_json_write_double(writer, base_value_load_float(type, data));
        break;
    case FILO_KIND_ENUM:
        write_enum(writer, base_value_names(type, field), base_value_load(type, data));
        break;
    case FILO_KIND_FLAGS:
        write_flags(writer, base_value_names(type, field), (uint64_t)base_value_load(type, data));
        break;
    case FILO_KIND_NAME: {
        FiloName name;
        memcpy(&name, data, sizeof name);
        filo_json_write_text(writer, filo_name_text(name));
        break;
    }
    case FILO_KIND_STRUCT: write_struct(writer, type, data); break;
    }
}

void base_reflect_write_value(FiloJsonWriter *writer, FiloValue value) {
    if (base_value_is_text(value.type, value.count)) {
        filo_json_write_string(writer, filo_string_from(value.data, strnlen(value.data, value.count)));
        return;
    }
    if (value.count == 0) {
        write_single(writer, value.type, value.field, value.data);
        return;
    }
    if (value.type->kind != FILO_KIND_STRUCT) filo_json_on_one_line(writer);
    filo_json_begin_array(writer);
    for (size_t i = 0; i < value.count; i++)
        write_single(writer, value.type, value.field, (uint8_t *)value.data + i * value.type->size);
    filo_json_end_array(writer);
}

void filo_reflect_write_json(const FiloType *type, const void *data, FiloJsonWriter *writer) {
    if (!FILO_CHECK(type != NULL && data != NULL, "write JSON from a type and its data")) return;
    write_single(writer, type, NULL, data);
}

// ---- Problems -----------------------------------------------------------------------------------------

static void report(BaseReadContext *context, FiloProblemKind kind, FiloJsonToken token, const char *format,
                   ...) FILO_PRINTF(4, 5);
static void report(BaseReadContext *context, FiloProblemKind kind, FiloJsonToken token, const char *format,
                   ...) {
    if (context->options == NULL || context->options->problem == NULL) return;
    char text[256], message[640];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    char position[160] = ""; // not shown for a text without a source, such as user input
    if (context->reader->source[0] != '\0')
        snprintf(position, sizeof position, "%s:%d:%d: ", context->reader->source, token.line, token.column);
    snprintf(message, sizeof message, "%s%s%s%s", position, context->path.text,
             context->path.length > 0 ? ": " : "", text);
    FiloProblem problem = { kind, context->path.text, message, token.line, token.column };
    context->options->problem(&problem, context->options->user);
}

static void wrong_kind(BaseReadContext *context, FiloJsonToken token, const char *expected) {
    report(context, FILO_PROBLEM_WRONG_KIND, token, "expected %s, found %s", expected,
           filo_json_kind_name(token.kind));
    filo_json_skip(context->reader, token);
}

// Up to 40 bytes of a token, for messages.
static int shown_length(FiloJsonToken token) {
    size_t length = 0;
    while (length < token.length && length < 40) {
        size_t size = base_utf8_valid_size(token.text + length, token.length - length);
        length += size != 0 ? size : 1;
    }
    return (int)length;
}

typedef enum Ranged { INSIDE_RANGE, CLAMPED, NOT_STORED } Ranged;

// Reports a number outside of the range of its field, and clamps it if the field says so.
static Ranged check_range(BaseReadContext *context, const FiloField *field, FiloJsonToken token,
                          double *value) {
    if (field == NULL || (field->min == 0 && field->max == 0)) return INSIDE_RANGE;
    if (*value >= field->min && *value <= field->max) return INSIDE_RANGE;
    char low[BASE_NUMBER_TEXT], high[BASE_NUMBER_TEXT];
    base_number_print_double(low, field->min);
    base_number_print_double(high, field->max);
    bool clamped = (field->flags & FILO_FIELD_CLAMPED) != 0, none = isnan(*value);
    bool below = *value < field->min;
    report(context, FILO_PROBLEM_OUT_OF_RANGE, token, "%.*s is outside %s … %s%s%s", shown_length(token),
           token.text, low, high,
           !clamped ? ""
           : none   ? ", keeps its value"
                    : ", becomes ",
           !clamped || none ? ""
           : below          ? low
                            : high);
    if (!clamped) return INSIDE_RANGE;
    *value = below ? field->min : field->max;
    return none ? NOT_STORED : CLAMPED;
}

// ---- Reading single values ----------------------------------------------------------------------------

static void read_integer(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    int64_t number = 0;
    uint64_t large = 0;
    if (token.kind != FILO_JSON_NUMBER) {
        wrong_kind(context, token, "a whole number");
        return;
    }
    bool whole = filo_json_as_int64(token, &number);
    if (!whole && filo_json_as_uint64(token, &large)) {
        number = (int64_t)large;
        whole = true;
    }
    if (!whole || !base_value_fits(value.type, number, large != 0)) {
        double fraction;
        bool too_large = filo_json_as_double(token, &fraction) ? floor(fraction) == fraction : true;
        report(context, too_large ? FILO_PROBLEM_DOES_NOT_FIT : FILO_PROBLEM_WRONG_KIND, token,
               too_large ? "%.*s does not fit into %s" : "%.*s is not whole, as %s needs",
               shown_length(token), token.text, value.type->name);
        return;
    }
    double near = large != 0 ? (double)large : (double)number;
    if (check_range(context, value.field, token, &near) == CLAMPED &&
        base_value_fits(value.type, (int64_t)near, false))
        number = (int64_t)near;
    base_value_store(value.type, value.data, number);
}

// "inf", "-inf", "nan".
static bool special_float(FiloJsonToken token, float *number) {
    if (token.kind != FILO_JSON_STRING) return false;
    if (filo_json_equal(token, "inf"))
        *number = INFINITY;
    else if (filo_json_equal(token, "-inf"))
        *number = -INFINITY;
    else if (filo_json_equal(token, "nan"))
        *number = NAN;
    else
        return false;
    return true;
}

static void read_float(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    float narrow = 0;
    double wide = 0;
    bool is_narrow = value.type->size == sizeof(float);
    if (special_float(token, &narrow)) {
        wide = (double)narrow;
    } else if (token.kind != FILO_JSON_NUMBER) {
        wrong_kind(context, token, "a number");
        return;
    } else if (is_narrow
                   ? filo_parse_float(filo_string_from(token.text, token.length), &narrow).code != FILO_OK
                   : !filo_json_as_double(token, &wide)) {
        report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "%.*s does not fit into %s", shown_length(token),
               token.text, value.type->name);
        return;
    }
    if (is_narrow) wide = (double)narrow;
    Ranged ranged = check_range(context, value.field, token, &wide);
    if (ranged == NOT_STORED) return;
    if (ranged == CLAMPED) narrow = (float)wide;
    if (is_narrow)
        memcpy(value.data, &narrow, sizeof narrow);
    else
        memcpy(value.data, &wide, sizeof wide);
}

static bool find_value(const FiloType *names, FiloJsonToken token, int64_t *value) {
    for (size_t i = 0; i < names->value_count; i++) {
        if (!filo_json_equal(token, names->values[i].name)) continue;
        *value = names->values[i].value;
        return true;
    }
    return false;
}

static void unknown_value(BaseReadContext *context, const FiloType *names, FiloJsonToken token) {
    char list[160] = "";
    size_t length = 0;
    for (size_t i = 0; i < names->value_count && length < sizeof list; i++) {
        int written =
            snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "", names->values[i].name);
        length += written > 0 ? (size_t)written : 0;
    }
    report(context, FILO_PROBLEM_UNKNOWN_VALUE, token, "\"%.*s\" is none of: %s", shown_length(token),
           token.text, list);
}

static void read_enum(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    const FiloType *names = base_value_names(value.type, value.field);
    int64_t number;
    if (token.kind == FILO_JSON_NUMBER) {
        read_integer(context, value, token);
    } else if (token.kind != FILO_JSON_STRING) {
        wrong_kind(context, token, "a name in quotes");
    } else if (!find_value(names, token, &number)) {
        unknown_value(context, names, token);
    } else if (!base_value_fits(value.type, number, false)) {
        report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "\"%.*s\" does not fit into %s",
               shown_length(token), token.text, value.type->name);
    } else {
        base_value_store(value.type, value.data, number);
    }
}

static void read_flags(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    const FiloType *names = base_value_names(value.type, value.field);
    if (token.kind == FILO_JSON_NUMBER) {
        read_integer(context, value, token);
        return;
    }
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        wrong_kind(context, token, "a list of names");
        return;
    }
    uint64_t bits = 0;
    while ((token = filo_json_next(context->reader)).kind != FILO_JSON_ARRAY_END) {
        int64_t flag = 0;
        uint64_t number = 0;
        if (token.kind == FILO_JSON_STRING) {
            if (!find_value(names, token, &flag)) unknown_value(context, names, token);
        } else if (!filo_json_as_uint64(token, &number)) {
            wrong_kind(context, token, "a name in quotes");
        }
        uint64_t more = (uint64_t)flag | number;
        if (base_value_fits(value.type, (int64_t)more, true))
            bits |= more;
        else
            report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "%.*s does not fit into %s",
                   shown_length(token), token.text, value.type->name);
    }
    base_value_store(value.type, value.data, (int64_t)bits);
}

static void read_text(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    if (token.kind != FILO_JSON_STRING) {
        wrong_kind(context, token, "text in quotes");
        return;
    }
    // A single char holds one byte; an array needs one byte for the final zero.
    size_t capacity = value.count == 0 ? 1 : value.count - 1;
    char first[8];
    size_t length = filo_json_as_text(token, first, sizeof first);
    if (length > capacity) {
        report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "%zu bytes of text, there is room for %zu", length,
               capacity);
        return;
    }
    if (value.count == 0) {
        *(char *)value.data = first[0];
        return;
    }
    memset(value.data, 0, value.count);
    filo_json_as_text(token, value.data, value.count);
    if (strlen(value.data) < length)
        report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "the text has a zero byte in it, and ends there");
}

static void read_name(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    char text[1024];
    if (token.kind != FILO_JSON_STRING) {
        wrong_kind(context, token, "text in quotes");
        return;
    }
    if (filo_json_as_text(token, text, sizeof text) >= sizeof text) {
        report(context, FILO_PROBLEM_DOES_NOT_FIT, token, "a name has at most %zu bytes", sizeof text - 1);
        return;
    }
    FiloNameBatch *batch = context->options != NULL ? context->options->names : NULL;
    FiloName name = batch != NULL ? filo_name_batch_add(batch, filo_string(text)) : filo_name(text);
    memcpy(value.data, &name, sizeof name);
}

// ---- Reading structs and arrays -----------------------------------------------------------------------

static const FiloField *field_of_key(const FiloType *type, FiloJsonToken key) {
    char name[256];
    return filo_json_as_text(key, name, sizeof name) < sizeof name ? filo_type_field(type, name) : NULL;
}

static void report_missing(BaseReadContext *context, const FiloType *type, const uint64_t *seen,
                           FiloJsonToken token) {
    if (context->options == NULL || context->options->partial) return;
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((seen[i / 64] >> (i % 64) & 1) != 0 || (field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        size_t before = base_field_path_add_field(&context->path, field->name);
        report(context, FILO_PROBLEM_MISSING_FIELD, token, "missing, keeps its value");
        base_field_path_cut(&context->path, before);
    }
}

static void read_struct(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    uint64_t seen[FILO_TYPE_FIELDS / 64] = { 0 };
    if (token.kind != FILO_JSON_OBJECT_BEGIN) {
        wrong_kind(context, token, "an object");
        return;
    }
    FiloJsonToken begin = token, key;
    while ((key = filo_json_next(context->reader)).kind == FILO_JSON_KEY) {
        const FiloField *field = field_of_key(value.type, key);
        if (field == NULL) {
            report(context, FILO_PROBLEM_UNKNOWN_FIELD, key, "%s has no field \"%.*s\"", value.type->name,
                   shown_length(key), key.text);
            filo_json_skip(context->reader, key);
            continue;
        }
        size_t index = (size_t)(field - value.type->fields);
        size_t before = base_field_path_add_field(&context->path, field->name);
        if ((seen[index / 64] >> (index % 64) & 1) != 0)
            report(context, FILO_PROBLEM_REPEATED_FIELD, key, "given more than once, the last one holds");
        seen[index / 64] |= UINT64_C(1) << (index % 64);
        void *at = (uint8_t *)value.data + field->offset;
        FiloValue member = { filo_field_type(field), field, at, field->count };
        base_reflect_read_value(context, member, filo_json_next(context->reader));
        base_field_path_cut(&context->path, before);
    }
    report_missing(context, value.type, seen, begin);
}

static void read_array(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) {
        wrong_kind(context, token, "a list");
        return;
    }
    FiloJsonToken begin = token;
    size_t count = 0;
    for (; (token = filo_json_next(context->reader)).kind != FILO_JSON_ARRAY_END; count++) {
        if (count >= value.count) {
            filo_json_skip(context->reader, token);
            continue;
        }
        size_t before = base_field_path_add_index(&context->path, count);
        void *at = (uint8_t *)value.data + count * value.type->size;
        base_reflect_read_value(context, (FiloValue){ value.type, value.field, at, 0 }, token);
        base_field_path_cut(&context->path, before);
    }
    if (count > value.count)
        report(context, FILO_PROBLEM_DOES_NOT_FIT, begin, "%zu elements, there is room for %zu", count,
               value.count);
    else if (count < value.count && context->options != NULL && !context->options->partial)
        report(context, FILO_PROBLEM_MISSING_FIELD, begin,
               "%zu of %zu elements, the others keep their values", count, value.count);
}

void base_reflect_read_value(BaseReadContext *context, FiloValue value, FiloJsonToken token) {
    if (value.type->kind == FILO_KIND_CHAR) {
        read_text(context, value, token);
        return;
    }
    if (value.count > 0) {
        read_array(context, value, token);
        return;
    }
    switch (base_value_kind(value.type, value.field)) {
    case FILO_KIND_BOOL:
        if (token.kind == FILO_JSON_TRUE || token.kind == FILO_JSON_FALSE)
            base_value_store(value.type, value.data, token.kind == FILO_JSON_TRUE ? 1 : 0);
        else
            wrong_kind(context, token, "true or false");
        break;
    case FILO_KIND_INT:
    case FILO_KIND_ENTITY:
    case FILO_KIND_UINT: read_integer(context, value, token); break;
    case FILO_KIND_FLOAT: read_float(context, value, token); break;
    case FILO_KIND_ENUM: read_enum(context, value, token); break;
    case FILO_KIND_FLAGS: read_flags(context, value, token); break;
    case FILO_KIND_NAME: read_name(context, value, token); break;
    case FILO_KIND_STRUCT: read_struct(context, value, token); break;
    case FILO_KIND_CHAR: break; // above
    }
}

FiloResult filo_reflect_read_json(const FiloType *type, void *data, FiloJsonReader *reader,
                                  const FiloReadOptions *options) {
    if (reader == NULL || type == NULL || data == NULL)
        return FILO_MISTAKE("read JSON with a reader, a type and its data");
    // The whole value is checked first, so that invalid text changes nothing.
    FiloJsonReader ahead = *reader;
    FiloJsonToken first = filo_json_next(&ahead);
    if (!filo_json_skip(&ahead, first)) {
        if (ahead.error.code == FILO_OK)
            ahead.error = filo_json_error_at(&ahead, first, "expected a value, found %s",
                                             filo_json_kind_name(first.kind));
        *reader = ahead;
        return reader->error;
    }
    BaseReadContext context = { reader, options, { .length = 0 } };
    base_reflect_read_value(&context, (FiloValue){ type, NULL, data, 0 }, filo_json_next(reader));
    return filo_ok();
}
