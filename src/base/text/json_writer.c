// The JSON writer: appends to a growing text.
//
// Every value is preceded by a call of before_value, which writes the comma, the line break and the indentation. The
// other functions write only the value itself.

#include <filo/check.h>
#include <filo/json.h>

#include "base/text/number.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void filo_json_writer_init(FiloJsonWriter *writer, const FiloJsonWriterDesc *desc) {
    *writer = (FiloJsonWriter){ 0 };
    if (desc == NULL) return;
    writer->indent = FILO_CLAMP(desc->indent, 0, 16);
    filo_builder_init(&writer->builder, desc->allocator);
}

void filo_json_writer_deinit(FiloJsonWriter *writer) {
    filo_builder_deinit(&writer->builder);
    *writer = (FiloJsonWriter){ 0 };
}

const char *filo_json_writer_text(const FiloJsonWriter *writer) {
    return filo_builder_text(&writer->builder);
}
size_t filo_json_writer_length(const FiloJsonWriter *writer) { return writer->builder.length; }

bool filo_json_writer_ok(const FiloJsonWriter *writer) {
    return !writer->failed && !writer->builder.failed && writer->depth == 0 && writer->builder.length > 0;
}

// ---- Appending ----------------------------------------------------------------------------------------

static void append(FiloJsonWriter *writer, const char *bytes, size_t length) {
    if (!writer->failed) filo_builder_add(&writer->builder, filo_string_from(bytes, length));
}

static void append_string(FiloJsonWriter *writer, const char *text) { append(writer, text, strlen(text)); }

static void new_line(FiloJsonWriter *writer) {
    static const char spaces[] = "                ";
    append(writer, "\n", 1);
    for (int i = 0; i < writer->depth; i++) append(writer, spaces, (size_t)writer->indent);
}

static bool on_one_line(const FiloJsonWriter *writer) {
    return writer->indent == 0 || (writer->one_line_depth > 0 && writer->depth >= writer->one_line_depth);
}

// Writes what separates two members, or precedes the first.
static void separate(FiloJsonWriter *writer) {
    if (writer->depth == 0) return;
    if (writer->after_value) append(writer, ",", 1);
    if (!on_one_line(writer))
        new_line(writer);
    else if (writer->after_value && writer->indent > 0)
        append(writer, " ", 1);
}

static bool inside_object(const FiloJsonWriter *writer) {
    int level = writer->depth - 1;
    return level >= 0 && (writer->is_object[level / 8] >> (level % 8) & 1) != 0;
}

static bool before_value(FiloJsonWriter *writer) {
    if (writer->failed) return false;
    writer->failed = true; // until the checks have passed
    if (!FILO_CHECK(writer->depth > 0 || writer->builder.length == 0,
                    "a JSON text is one value: begin an array or object"))
        return false;
    if (!FILO_CHECK(!inside_object(writer) || writer->after_key,
                    "inside an object, write a key before each value"))
        return false;
    writer->failed = false;
    if (!writer->after_key) separate(writer);
    writer->after_key = false;
    writer->after_value = true;
    return true;
}

static void write_raw(FiloJsonWriter *writer, const char *text, size_t length) {
    if (before_value(writer)) append(writer, text, length);
}

// ---- Objects and arrays -------------------------------------------------------------------------------

static void begin(FiloJsonWriter *writer, bool object) {
    if (!before_value(writer)) return;
    if (!FILO_CHECK(writer->depth < FILO_JSON_DEPTH, "JSON is nested deeper than %d levels",
                    FILO_JSON_DEPTH)) {
        writer->failed = true;
        return;
    }
    int level = writer->depth++;
    uint8_t bit = (uint8_t)(1u << (level % 8));
    writer->is_object[level / 8] = (uint8_t)((writer->is_object[level / 8] & ~bit) | (object ? bit : 0));
    writer->after_value = false;
    if (writer->one_line_depth < 0) writer->one_line_depth = writer->depth;
    append(writer, object ? "{" : "[", 1);
}

static void end(FiloJsonWriter *writer, bool object) {
    if (writer->failed) return;
    if (!FILO_CHECK(writer->depth > 0 && inside_object(writer) == object && !writer->after_key,
                    "end JSON objects and arrays in the order in which they began, after a whole member")) {
        writer->failed = true;
        return;
    }
    bool one_line = on_one_line(writer), empty = !writer->after_value;
    if (writer->one_line_depth == writer->depth) writer->one_line_depth = 0;
    writer->depth--;
    if (!one_line && !empty) new_line(writer);
    append(writer, object ? "}" : "]", 1);
    writer->after_value = true;
}

void filo_json_begin_object(FiloJsonWriter *writer) { begin(writer, true); }
void filo_json_end_object(FiloJsonWriter *writer) { end(writer, true); }
void filo_json_begin_array(FiloJsonWriter *writer) { begin(writer, false); }
void filo_json_end_array(FiloJsonWriter *writer) { end(writer, false); }

void filo_json_on_one_line(FiloJsonWriter *writer) {
    if (writer->one_line_depth == 0) writer->one_line_depth = -1; // from the next begin on
}

// ---- Values -------------------------------------------------------------------------------------------

static void append_quoted(FiloJsonWriter *writer, const char *text, size_t length) {
    append(writer, "\"", 1);
    size_t plain = 0; // bytes before `i` that need no escape and are not written yet
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t size = base_utf8_valid_size(text + i, length - i);
        if (size > 0 && c >= 0x20 && c != '"' && c != '\\') {
            i += size;
            plain += size;
            continue;
        }
        append(writer, text + i - plain, plain);
        plain = 0;
        char escape[8];
        if (size == 0)
            snprintf(escape, sizeof escape, "\xEF\xBF\xBD");
        else if (c == '"' || c == '\\')
            snprintf(escape, sizeof escape, "\\%c", c);
        else if (c == '\n')
            snprintf(escape, sizeof escape, "\\n");
        else if (c == '\t')
            snprintf(escape, sizeof escape, "\\t");
        else if (c == '\r')
            snprintf(escape, sizeof escape, "\\r");
        else
            snprintf(escape, sizeof escape, "\\u%04x", c);
        append_string(writer, escape);
        i += 1;
    }
    append(writer, text + length - plain, plain);
    append(writer, "\"", 1);
}

void filo_json_key(FiloJsonWriter *writer, const char *name) {
    if (writer->failed) return;
    if (!FILO_CHECK(inside_object(writer) && !writer->after_key && name != NULL,
                    "write a JSON key inside an object, once before each value")) {
        writer->failed = true;
        return;
    }
    separate(writer);
    append_quoted(writer, name, strlen(name));
    append_string(writer, writer->indent > 0 ? ": " : ":");
    writer->after_key = true;
}

void filo_json_write_null(FiloJsonWriter *writer) { write_raw(writer, "null", 4); }
void filo_json_write_bool(FiloJsonWriter *writer, bool value) {
    write_raw(writer, value ? "true" : "false", value ? 4 : 5);
}

void filo_json_write_int64(FiloJsonWriter *writer, int64_t value) {
    char text[BASE_NUMBER_TEXT];
    write_raw(writer, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
}

void filo_json_write_uint64(FiloJsonWriter *writer, uint64_t value) {
    char text[BASE_NUMBER_TEXT];
    write_raw(writer, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, value));
}

static void write_number_text(FiloJsonWriter *writer, const char *text, size_t length) {
    bool special = text[0] == 'i' || text[0] == 'n' || (text[0] == '-' && text[1] == 'i');
    if (special)
        filo_json_write_string(writer, filo_string_from(text, length));
    else
        write_raw(writer, text, length);
}

void filo_json_write_float(FiloJsonWriter *writer, float value) {
    char text[BASE_NUMBER_TEXT];
    write_number_text(writer, text, base_number_print_float(text, value));
}

void filo_json_write_double(FiloJsonWriter *writer, double value) {
    char text[BASE_NUMBER_TEXT];
    write_number_text(writer, text, base_number_print_double(text, value));
}

void filo_json_write_string(FiloJsonWriter *writer, FiloString string) {
    if (before_value(writer)) append_quoted(writer, string.data, string.length);
}

void filo_json_write_text(FiloJsonWriter *writer, const char *text) {
    if (!FILO_CHECK(text != NULL, "write filo_json_write_null where there is no text")) {
        writer->failed = true;
        return;
    }
    filo_json_write_string(writer, filo_string(text));
}
