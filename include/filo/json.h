// filo/json.h: reading and writing JSON (RFC 8259) as a stream of tokens.
//
// The reader parses a text in memory and returns one token at a time. It allocates nothing, reports line and column,
// keeps 64-bit integers exact, and refuses everything that is not JSON: invalid UTF-8, missing commas, unlimited depth.
//
//     FiloJsonReader reader;
//     filo_json_reader_init(&reader, text, length, "level.json");
//     FiloJsonToken token;
//     while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) …
//     if (token.kind == FILO_JSON_ERROR) filo_log_warn("game", "%s", reader.error.message);
//                                                  // "level.json:12:5: expected a comma or ]"
//
// The writer produces stable text: the same calls give the same bytes in every locale. Numbers are the shortest that
// read back as the same bits.
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
    FILO_JSON_END,   // the text has ended and was well-formed
    FILO_JSON_ERROR, // the text is not JSON: see reader.error. All further tokens are errors too
} FiloJsonKind;

typedef struct FiloJsonToken {
    FiloJsonKind kind;
    const char *text; // a pointer into the input, without quotes
    size_t length;
    int line, column; // of its first byte, counted from 1; columns are bytes
    bool escaped;     // a string with escapes: read it with filo_json_as_text
} FiloJsonToken;

typedef struct FiloJsonReader {
    FiloResult error;   // the first error
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

// A reader is a plain value: to peek, copy it and read on with the copy.
FiloJsonToken filo_json_next(FiloJsonReader *reader);

// Skips the rest of the value that `token` begins, or of the member that `token` names. False on an error.
bool filo_json_skip(FiloJsonReader *reader, FiloJsonToken token);

// Copies a string or key into `buffer` with its escapes resolved and a final zero byte. Returns the length of the whole
// string. A string that does not fit is cut between characters.
size_t filo_json_as_text(FiloJsonToken token, char *buffer, size_t size);
// Compares a string or key with a C string, escapes resolved.
bool filo_json_equal(FiloJsonToken token, const char *text);

// The value of a number token. False if it is not a number, not whole (1.5), or outside the type; 1e3 and 2.0
// are whole.
bool filo_json_as_int64(FiloJsonToken token, int64_t *value);
bool filo_json_as_uint64(FiloJsonToken token, uint64_t *value);
// False if it is not a number or too large for a double.
bool filo_json_as_double(FiloJsonToken token, double *value);

// A failure whose message begins with the position of `token`: "level.json:12:5: …".
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
    int one_line_depth; // depth of the object or array that is written on one line; 0: none; -1: the next one
    uint8_t is_object[FILO_JSON_DEPTH / 8];
} FiloJsonWriter;

// `desc` may be NULL.
void filo_json_writer_init(FiloJsonWriter *writer, const FiloJsonWriterDesc *desc);
// Frees the text.
void filo_json_writer_deinit(FiloJsonWriter *writer);
// The text so far, ending in a zero byte ("" at first), and its length; valid until the next write.
const char *filo_json_writer_text(const FiloJsonWriter *writer);
size_t filo_json_writer_length(const FiloJsonWriter *writer);
// True if all was written and every object and array is closed; false after misuse or when memory ran out.
bool filo_json_writer_ok(const FiloJsonWriter *writer);

void filo_json_begin_object(FiloJsonWriter *writer);
void filo_json_end_object(FiloJsonWriter *writer);
void filo_json_begin_array(FiloJsonWriter *writer);
void filo_json_end_array(FiloJsonWriter *writer);
// The next object or array is written on one line with everything in it: for vectors, colours and so on.
void filo_json_on_one_line(FiloJsonWriter *writer);
void filo_json_key(FiloJsonWriter *writer, const char *name);

void filo_json_write_null(FiloJsonWriter *writer);
void filo_json_write_bool(FiloJsonWriter *writer, bool value);
void filo_json_write_int64(FiloJsonWriter *writer, int64_t value);
void filo_json_write_uint64(FiloJsonWriter *writer, uint64_t value);
// JSON has no infinities and no NaN: they are written as the strings "inf", "-inf" and "nan".
void filo_json_write_float(FiloJsonWriter *writer, float value);
void filo_json_write_double(FiloJsonWriter *writer, double value);
// Invalid UTF-8 becomes U+FFFD.
void filo_json_write_string(FiloJsonWriter *writer, FiloString string);
// As filo_json_write_string, for a C string.
void filo_json_write_text(FiloJsonWriter *writer, const char *text);

FILO_END_DECLS

#endif
