// filo/json.h: reading and writing JSON (RFC 8259) as a stream of tokens.
//
// The reader walks over a text in memory and hands out one token at a time. It allocates nothing, knows line
// and column of everything, keeps 64-bit integers exact, and refuses whatever is not JSON: bad UTF-8, missing
// commas, depth without end.
//
//     FiloJsonReader reader;
//     filo_json_reader_init(&reader, text, length, "level.json");
//     FiloJsonToken token;
//     while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) …
//     if (token.kind == FILO_JSON_ERROR) filo_log_warn("game", "%s", reader.error.message);
//                                                  // "level.json:12:5: expected a comma or ]"
//
// The writer makes text that is stable: the same calls give the same bytes, numbers are the shortest that
// read back as the same bits, whatever the locale.
//
//     FiloJsonWriter writer;
//     filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 4 });
//     filo_json_begin_object(&writer);
//     filo_json_key(&writer, "score"), filo_json_write_int64(&writer, 1200);
//     filo_json_end_object(&writer);
//     if (filo_json_writer_ok(&writer)) puts(filo_json_writer_text(&writer));
//     filo_json_writer_deinit(&writer);
//
// To fill C structs from JSON, see filo/reflect.h. Readers and writers belong to one thread at a time.

#ifndef FILO_JSON_H
#define FILO_JSON_H

#include <filo/memory.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

#define FILO_JSON_DEPTH 256 // objects and arrays inside each other

// ---- Reading ------------------------------------------------------------------------------------------

typedef enum FiloJsonKind {
    FILO_JSON_NULL,
    FILO_JSON_FALSE,
    FILO_JSON_TRUE,
    FILO_JSON_NUMBER,
    FILO_JSON_STRING,
    FILO_JSON_KEY, // the name of the member whose value comes next
    FILO_JSON_OBJECT_BEGIN,
    FILO_JSON_OBJECT_END,
    FILO_JSON_ARRAY_BEGIN,
    FILO_JSON_ARRAY_END,
    FILO_JSON_END,   // the text is over and was well-formed
    FILO_JSON_ERROR, // it was not: see reader.error; it stays at that
} FiloJsonKind;

typedef struct FiloJsonToken {
    FiloJsonKind kind;
    const char *text; // as it stands in the input, without quotes; borrowed from there
    size_t length;
    int line, column; // of its first byte, counted from 1; columns are bytes
    bool escaped;     // a string with escapes: read it with filo_json_as_text
} FiloJsonToken;

typedef struct FiloJsonReader {
    FiloResult error;   // of the first mistake found
    const char *source; // named in messages
    const char *text;
    size_t length, position, line_start;
    int line, depth;
    uint8_t state; // what may come next
    uint8_t is_object[FILO_JSON_DEPTH / 8];
} FiloJsonReader;

// `source` is named in messages (NULL: "JSON"; "" leaves it out). It and `text` must outlive the reader; the
// text need not end in a zero byte. A byte order mark is skipped.
void filo_json_reader_init(FiloJsonReader *reader, const char *text, size_t length, const char *source);

// A reader is a plain value: to look ahead, copy it and read on with the copy.
FiloJsonToken filo_json_next(FiloJsonReader *reader);

// Passes over the rest of the value that `token` begins, or of the member that `token` names, however large
// it is. False on an error.
bool filo_json_skip(FiloJsonReader *reader, FiloJsonToken token);

// Copies a string or key into `buffer` with its escapes resolved, ending in a zero byte. Returns the length
// of the whole string, which may be more than fits: what is in the buffer is then cut, never inside a
// character.
size_t filo_json_as_text(FiloJsonToken token, char *buffer, size_t size);
// Compares a string or key with a C string, escapes resolved.
bool filo_json_equal(FiloJsonToken token, const char *text);

// The value of a number token. False if it is not a number, not whole (1.5), or outside the type; 1e3 and 2.0
// are whole.
bool filo_json_as_int64(FiloJsonToken token, int64_t *value);
bool filo_json_as_uint64(FiloJsonToken token, uint64_t *value);
// False if it is not a number or too large for a double.
bool filo_json_as_double(FiloJsonToken token, double *value);

// A failure that begins with the place of `token`: "level.json:12:5: …".
FiloResult filo_json_error_at(const FiloJsonReader *reader, FiloJsonToken token, const char *format, ...)
    FILO_PRINTF(3, 4);

// "a number", "a string", "the end of the text": for messages.
const char *filo_json_kind_name(FiloJsonKind kind);

// ---- Writing ------------------------------------------------------------------------------------------

typedef struct FiloJsonWriterDesc {
    int indent;                     // spaces per level; 0: everything on one line
    const FiloAllocator *allocator; // of the text; NULL: filo_heap(). An arena's grows in place.
} FiloJsonWriterDesc;

typedef struct FiloJsonWriter {
    FiloBuilder builder; // holds the text
    int indent, depth;
    bool failed; // misuse: the text is not complete
    bool after_key, after_value;
    int one_line_depth; // inside an object or array that is kept on one line
    uint8_t is_object[FILO_JSON_DEPTH / 8];
} FiloJsonWriter;

// `desc` may be NULL.
void filo_json_writer_init(FiloJsonWriter *writer, const FiloJsonWriterDesc *desc);
// Frees the text.
void filo_json_writer_deinit(FiloJsonWriter *writer);
// What was written so far, ending in a zero byte ("" at first), and its length; valid until the next write.
const char *filo_json_writer_text(const FiloJsonWriter *writer);
size_t filo_json_writer_length(const FiloJsonWriter *writer);
// True if all was written and every object and array is closed; false after misuse or when memory ran out.
bool filo_json_writer_ok(const FiloJsonWriter *writer);

void filo_json_begin_object(FiloJsonWriter *writer);
void filo_json_end_object(FiloJsonWriter *writer);
void filo_json_begin_array(FiloJsonWriter *writer);
void filo_json_end_array(FiloJsonWriter *writer);
// The next object or array, with all that is in it, stays on one line: for vectors, colours and the like.
void filo_json_on_one_line(FiloJsonWriter *writer);
void filo_json_key(FiloJsonWriter *writer, const char *name);

void filo_json_write_null(FiloJsonWriter *writer);
void filo_json_write_bool(FiloJsonWriter *writer, bool value);
void filo_json_write_int64(FiloJsonWriter *writer, int64_t value);
void filo_json_write_uint64(FiloJsonWriter *writer, uint64_t value);
// JSON has no infinities and no NaN: they are written as the strings "inf", "-inf" and "nan".
void filo_json_write_float(FiloJsonWriter *writer, float value);
void filo_json_write_double(FiloJsonWriter *writer, double value);
// UTF-8; bytes that are not become U+FFFD.
void filo_json_write_string(FiloJsonWriter *writer, FiloString string);
// The same for a C string.
void filo_json_write_text(FiloJsonWriter *writer, const char *text);

FILO_END_DECLS

#endif
