// filo/strings.h: slices of text, numbers in text, UTF-8, a string builder, and names.
//
//     FiloString line = filo_string("  speed = 12.5 # metres a second"), key, value;
//     filo_string_cut(line, FILO_STRING("#"), &line, NULL);
//     if (filo_string_cut(line, FILO_STRING("="), &key, &value)) {
//         double speed;
//         FiloResult r = filo_parse_double(filo_string_trim(value), &speed);
//         key = filo_string_trim(key);
//         if (r.code == FILO_OK) printf(FILO_STRING_FORMAT " is %g\n", FILO_STRING_PRINT(key), speed);
//     }
//
// A FiloString is a pointer and a length: it owns nothing, need not end in a zero and may contain zeros. It is valid as
// long as the bytes that it points to. Its text should be UTF-8, but every function here is safe for any bytes.
// "Characters" below are Unicode code points.
//
// Names, at the end of this header, are strings represented by small numbers.
//
// Any thread may call everything here; a builder is used by one thread at a time.

#ifndef FILO_STRINGS_H
#define FILO_STRINGS_H

#include <filo/hash.h>
#include <filo/memory.h>
#include <filo/types.h>

#include <stdarg.h>
#include <string.h>

// ---- Slices -------------------------------------------------------------------------------------------

// All zero is the empty string; `data` may be NULL only then.
typedef struct FiloString {
    const char *data;
    size_t length; // bytes
} FiloString;

// A literal, with its length known to the compiler: FILO_STRING("position").
#ifdef __cplusplus
#    define FILO_STRING(literal) (FiloString{ "" literal, sizeof(literal) - 1 })
#else
#    define FILO_STRING(literal) ((FiloString){ "" literal, sizeof(literal) - 1 })
#endif

// For printf: printf("hello " FILO_STRING_FORMAT "\n", FILO_STRING_PRINT(name)). Prints up to a zero in the
// text; `string` is evaluated twice.
#define FILO_STRING_FORMAT        "%.*s"
#define FILO_STRING_PRINT(string) filo_string_print_length(string), filo_string_print_data(string)

// The result of a search that found nothing.
#define FILO_STRING_NOT_FOUND SIZE_MAX

FILO_BEGIN_DECLS

// The text up to its zero; NULL is taken as "".
static inline FiloString filo_string(const char *text) {
    FiloString string = { text, text != NULL ? strlen(text) : 0 };
    return string;
}

static inline FiloString filo_string_from(const char *data, size_t length) {
    FiloString string = { data, length };
    return string;
}

// The `count` bytes from `start`, or as many of them as there are.
static inline FiloString filo_string_slice(FiloString string, size_t start, size_t count) {
    if (start >= string.length) return filo_string_from(NULL, 0);
    size_t rest = string.length - start;
    return filo_string_from(string.data + start, count < rest ? count : rest);
}

static inline bool filo_string_equal(FiloString a, FiloString b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

static inline uint64_t filo_string_hash(FiloString string) { return filo_hash(string.data, string.length); }

// -1, 0 or 1. Compares bytes as numbers from 0 to 255; a prefix comes before a longer string. For UTF-8 this is the
// order of the code points. The same on every machine and in every locale.
int filo_string_compare(FiloString a, FiloString b);

// A to Z equal a to z; all other bytes equal only themselves.
bool filo_string_equal_ignoring_case(FiloString a, FiloString b);

// The edit distance: how many bytes must be inserted, deleted, changed or swapped with their neighbour to turn one
// string into the other. It is small for a word and the same word with a typing error, as for "did you mean …?". Only
// the first FILO_STRING_DISTANCE_LENGTH bytes of each are compared.
#define FILO_STRING_DISTANCE_LENGTH 64
size_t filo_string_distance(FiloString a, FiloString b);

bool filo_string_starts_with(FiloString string, FiloString start);
bool filo_string_ends_with(FiloString string, FiloString end);

// The offset in bytes of the first (last) occurrence of `part`, or FILO_STRING_NOT_FOUND. An empty part is found at the
// start (end).
size_t filo_string_find(FiloString string, FiloString part);
size_t filo_string_find_last(FiloString string, FiloString part);

// Without the spaces, tabs, line ends (and \v, \f) at both ends.
FiloString filo_string_trim(FiloString string);

// Divides a string at the first `separator`. If there is none, returns false; `before` is then the whole string and
// `after` is empty. `before` and `after` may be NULL, and may point to the variable that was passed as `string`.
bool filo_string_cut(FiloString string, FiloString separator, FiloString *before, FiloString *after);

// Copies into `buffer` of `size` bytes with a final zero, and returns the length without the zero. A text that does not
// fit is cut between characters: it was cut if the result is less than string.length. With a size of 0 nothing is
// written.
size_t filo_string_copy(FiloString string, char *buffer, size_t size);

// Iterates over the parts between separators; "a,,b" has the parts "a", "" and "b", and "" has one, "".
//
//     FiloSplit split = filo_string_split(line, FILO_STRING(","));
//     for (FiloString part; filo_split_next(&split, &part);) …
typedef struct FiloSplit {
    FiloString rest, separator;
    bool finished;
} FiloSplit;

// An empty separator is a caller's mistake; the whole string is then the only part.
FiloSplit filo_string_split(FiloString string, FiloString separator);
// The next part; false after the last.
bool filo_split_next(FiloSplit *split, FiloString *part);

// ---- Numbers ------------------------------------------------------------------------------------------

// These read a number that is the whole string: no spaces, nothing after it. They do not depend on the locale. On
// failure the number is unchanged and the message quotes the text: FILO_ERROR_DATA if it is not such a number,
// FILO_ERROR_LIMIT if it does not fit.

// [+-] digits, or [+-] 0x hexadecimal digits. The unsigned ones do not accept '-'.
FiloResult filo_parse_int64(FiloString string, int64_t *number);
FiloResult filo_parse_uint64(FiloString string, uint64_t *number);
FiloResult filo_parse_int32(FiloString string, int32_t *number);
FiloResult filo_parse_uint32(FiloString string, uint32_t *number);

// [+-] digits [. digits] [e [+-] digits], with a digit before or after the point. The result is the nearest
// number that a double (float) can hold, however many digits there are. Infinity, NaN and hexadecimal are not
// accepted; too small a number is 0 or denormal, too large a one is FILO_ERROR_LIMIT.
FiloResult filo_parse_double(FiloString string, double *number);
FiloResult filo_parse_float(FiloString string, float *number);

// ---- UTF-8 --------------------------------------------------------------------------------------------

#define FILO_UTF8_REPLACEMENT 0xFFFDu // decoded from bytes that are not UTF-8

// Decodes the first character; returns how many bytes it takes, 0 only for the empty string. Invalid bytes (truncated,
// overlong, a surrogate, above U+10FFFF, stray) give FILO_UTF8_REPLACEMENT, one for each longest beginning of a
// character, as the Unicode standard recommends.
size_t filo_utf8_decode(FiloString string, uint32_t *code_point);

// Takes the first character off `rest`; false when it is empty.
//
//     for (uint32_t c; filo_utf8_next(&rest, &c);) …
bool filo_utf8_next(FiloString *rest, uint32_t *code_point);

// Writes a character of 1 to 4 bytes, without a zero, and returns how many. 0, with nothing written, for
// surrogates and numbers above 0x10FFFF.
size_t filo_utf8_encode(uint32_t code_point, char bytes[4]);

// How many bytes from the start are valid UTF-8: string.length if the whole string is.
size_t filo_utf8_valid_length(FiloString string);
static inline bool filo_utf8_valid(FiloString string) {
    return filo_utf8_valid_length(string) == string.length;
}

// The number of characters that filo_utf8_next returns.
size_t filo_utf8_count(FiloString string);

// The longest beginning of at most `max_length` bytes that does not cut a character in two.
FiloString filo_utf8_cut(FiloString string, size_t max_length);

// ---- Strings in arenas --------------------------------------------------------------------------------

// These live as long as their arena's memory and end in a zero (not counted in the length). If the arena is full,
// `data` is NULL.

// A copy.
FiloString filo_string_clone(FiloArena *arena, FiloString string);

// Formats as printf does. (The decimal separator depends on the process's locale; in a program that never calls
// setlocale it is a point.)
FiloString filo_string_format(FiloArena *arena, const char *format, ...) FILO_PRINTF(2, 3);
FiloString filo_string_format_list(FiloArena *arena, const char *format, va_list arguments) FILO_PRINTF(2, 0);

// ---- Builder ------------------------------------------------------------------------------------------

// A string that grows, always ending in a zero. All zero is empty, on the process's heap.
//
//     FiloBuilder builder = { 0 };
//     filo_builder_add(&builder, FILO_STRING("entity "));
//     filo_builder_printf(&builder, "%u", id);
//     if (!builder.failed) puts(filo_builder_text(&builder));
//     filo_builder_deinit(&builder);
//
// Adding returns false when memory has run out. The text then stays as it is, `failed` is set, and further additions do
// nothing, so that the text never has a gap. It is enough to check `failed` at the end.
typedef struct FiloBuilder {
    char *data; // NULL before the first addition
    size_t length, capacity;
    const FiloAllocator *allocator; // NULL: filo_heap()
    bool failed;
} FiloBuilder;

void filo_builder_init(FiloBuilder *builder, const FiloAllocator *allocator);
// Frees the text and leaves an empty builder with the same allocator.
void filo_builder_deinit(FiloBuilder *builder);
// Empties it and resets `failed`; the memory stays allocated.
void filo_builder_clear(FiloBuilder *builder);

// Allocates memory for `length` bytes of text in all. (Without this it doubles, from 64 bytes.) Does not set `failed`.
bool filo_builder_reserve(FiloBuilder *builder, size_t length);

// `string` may be a part of the builder's own text.
bool filo_builder_add(FiloBuilder *builder, FiloString string);
bool filo_builder_add_text(FiloBuilder *builder, const char *text);
bool filo_builder_add_byte(FiloBuilder *builder, char byte);
// Adds a character in UTF-8; an invalid code point is added as U+FFFD.
bool filo_builder_add_character(FiloBuilder *builder, uint32_t code_point);
// The arguments must not point into the builder's own text.
bool filo_builder_printf(FiloBuilder *builder, const char *format, ...) FILO_PRINTF(2, 3);
bool filo_builder_printf_list(FiloBuilder *builder, const char *format, va_list arguments) FILO_PRINTF(2, 0);

// The text so far, valid until the next change.
static inline FiloString filo_builder_string(const FiloBuilder *builder) {
    return filo_string_from(builder->data, builder->length);
}
// The text so far as a C string; "" when empty.
static inline const char *filo_builder_text(const FiloBuilder *builder) {
    return builder->data != NULL ? builder->data : "";
}

// ---- Names --------------------------------------------------------------------------------------------

// A name is an interned string: it is stored once for the whole process and represented by a number, so comparing two
// names is comparing two numbers. {0} is the empty string.
//
//     FiloName a = filo_name("position");
//     FILO_NAME(position, "position");             // caches the id: about a nanosecond from then on
//     if (a.id == position.id) puts(filo_name_text(a));
//
// The table of names is shared by the whole process: the same text has the same id for the life of the process, in
// every module and on every thread. Looking up a name that exists takes no lock and never waits, on any number of
// threads; a new one takes a lock for a moment. These names are never freed, so use them only for names in the program
// itself, not for names from files, players or the network. For those there are counted names, below.
//
// Ids count from 1 in the order in which names were first requested. This order depends on timing: NEVER sort by id or
// hash an id in a simulation, and never write one to a file. Use filo_name_hash or the text for that.
typedef struct FiloName {
    uint32_t id;
} FiloName;

#define FILO_NAME_LIMIT      (1u << 20)    // ids are less than this
#define FILO_NAME_RESERVE    (1u << 16)    // ids that only filo_name may use, not counted names
#define FILO_NAME_TEXT_LIMIT FILO_MIB(128) // bytes of all names together, with up to 48 more for each

// The name of a text, created if it is new. When the table is full (see above) or memory has run out,
// filo_out_of_memory is called, and {0} is returned.
FiloName filo_name_from(FiloString string);
static inline FiloName filo_name(const char *text) { return filo_name_from(filo_string(text)); }

// The name of a text that has a name already; {0} otherwise. Never creates one.
FiloName filo_name_find(FiloString string);

// The text, ending in a zero. The pointer is valid for the life of the process, or as long as a counted name is
// retained. An id that no name has is a caller's mistake, and gives the empty string.
FiloString filo_name_string(FiloName name);
const char *filo_name_text(FiloName name);

// filo_string_hash of the text, stored with it: the same in every run and on every machine.
uint64_t filo_name_hash(FiloName name);

// The number of ids that were ever assigned: all ids are less. The number of names that exist now. Both count {0}.
uint32_t filo_name_count(void);
uint32_t filo_name_in_use(void);

// Declares `FiloName variable` inside a function, and looks the name up only the first time.
#define FILO_NAME(variable, literal)                                                                         \
    static uint32_t variable##_cache;                                                                        \
    const FiloName variable = filo_name_cached(&variable##_cache, FILO_STRING(literal))

// ---- Counted names --------------------------------------------------------------------------------------

// Names that come from files, players and peers, or are made at run time, have a reference count:
//
//     FiloName name;
//     FiloResult r = filo_name_retain(&name, filo_string(player->nick));     // "there are too many names …"
//     …
//     filo_name_release(name);                                               // the last release frees it
//
// The id is an ordinary one: the same text has the same id, whether it was named by filo_name or by filo_name_retain.
// It is valid while the name is retained; later it may belong to another text, so do not store it in components. A
// counted name becomes permanent when filo_name or filo_name_find is called for its text. Retaining and releasing a
// permanent name is allowed and does nothing. Any thread. Takes a lock for a moment.
//
// On failure `name` is {0}: FILO_ERROR_LIMIT if there are too many names or too much text, FILO_ERROR_MEMORY without
// memory. Of both limits a part is reserved for filo_name: FILO_NAME_RESERVE ids, and a sixteenth of the text.
FiloResult filo_name_retain(FiloName *name, FiloString string);
void filo_name_release(FiloName name);
// The name then stays for the life of the process.
void filo_name_make_permanent(FiloName name);

// The names of one source, such as a file: made permanent together, or released together if the source is refused.
//
//     FiloNameBatch names = { 0 };
//     frame->name = filo_name_batch_add(&names, text);                       // for each
//     bool valid = names.result.code == FILO_OK && …;
//     filo_name_batch_end(&names, valid);                                    // permanent, or released
typedef struct FiloNameBatch {
    FiloName *names; // those that were not permanent already
    size_t count, capacity;
    FiloResult result; // the first failure
} FiloNameBatch;

// {0} on failure, which is stored in `result`, and for the empty string.
FiloName filo_name_batch_add(FiloNameBatch *batch, FiloString string);
void filo_name_batch_end(FiloNameBatch *batch, bool keep);

// ---- Behind the macros --------------------------------------------------------------------------------

static inline FiloName filo_name_cached(uint32_t *cache, FiloString string) {
    // Acquire: pairs with the release below, so that a thread that reads the id can also read the text.
    FiloName name = { __atomic_load_n(cache, __ATOMIC_ACQUIRE) };
    if (FILO_UNLIKELY(name.id == 0)) {
        name = filo_name_from(string);
        __atomic_store_n(cache, name.id, __ATOMIC_RELEASE);
    }
    return name;
}

static inline int filo_string_print_length(FiloString string) {
    return string.length < INT32_MAX ? (int)string.length : INT32_MAX;
}
static inline const char *filo_string_print_data(FiloString string) {
    return string.data != NULL ? string.data : "";
}

FILO_END_DECLS

#endif
