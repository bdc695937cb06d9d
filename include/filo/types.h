// filo/types.h: included by every other header of Filo: fixed-width types, a few macros, and FiloResult, which every
// function that depends on the outside world returns.

#ifndef FILO_TYPES_H
#define FILO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Declarations stand between these two, so that C++ can call them and a shared library exports them.
#ifdef __cplusplus
#    define FILO_BEGIN_DECLS_ extern "C" {
#    define FILO_END_DECLS_   }
#else
#    define FILO_BEGIN_DECLS_
#    define FILO_END_DECLS_
#endif
#define FILO_BEGIN_DECLS _Pragma("GCC visibility push(default)") FILO_BEGIN_DECLS_
#define FILO_END_DECLS   FILO_END_DECLS_ _Pragma("GCC visibility pop")

// Number of elements of an array (not of a pointer).
#define FILO_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define FILO_MIN(a, b)           ((a) < (b) ? (a) : (b))
#define FILO_MAX(a, b)           ((a) > (b) ? (a) : (b))
#define FILO_CLAMP(x, low, high) FILO_MAX(low, FILO_MIN(x, high))
#define FILO_UNUSED(x)           ((void)(x))

// `size` rounded up to a multiple of `align`, a power of two of any integer type. (It sets the low bits and subtracts
// them again. A mask would be only as wide as the type of `align`.)
#define FILO_ALIGN_UP(size, align) ((((size) + ((align)-1)) | ((align)-1)) - ((align)-1))

#define FILO_LIKELY(x)   __builtin_expect(!!(x), 1)
#define FILO_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FILO_COLD        __attribute__((cold, noinline))
#define FILO_NORETURN    __attribute__((noreturn))
#ifdef __cplusplus
#    define FILO_ALIGN_OF(Type) alignof(Type)
#else
#    define FILO_ALIGN_OF(Type) _Alignof(Type)
#endif
#define FILO_PRINTF(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

#define FILO_KIB(n) ((size_t)(n) << 10)
#define FILO_MIB(n) ((size_t)(n) << 20)
#define FILO_GIB(n) ((size_t)(n) << 30)

// Two threads that write within the same line of this many bytes slow each other down.
#define FILO_CACHE_LINE 64

// An entity of a world; {0} is none. It is declared here because reflection, a layer below the ECS, must recognise
// references to entities. Only the ECS interprets the number.
typedef struct FiloEntity {
    uint64_t id;
} FiloEntity;

// ---- Results ----------------------------------------------------------------------------------------
//
// What can fail through no fault of the caller (files, parsers, devices, memory) returns a FiloResult.
// Its message names the thing and the cause, ready to be shown: "crate.png: not a PNG (bad signature)".
//
//     FiloResult r = filo_file_read(&text, "level.json", NULL);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);

// What is read beyond the edges of a texture.
typedef enum FiloWrap { FILO_WRAP_CLAMP, FILO_WRAP_REPEAT, FILO_WRAP_MIRROR } FiloWrap;

typedef enum FiloCode {
    FILO_OK = 0,
    FILO_ERROR_NOT_FOUND,   // no such file, name or id
    FILO_ERROR_DENIED,      // it exists, but access is not permitted
    FILO_ERROR_EXISTS,      // it exists already
    FILO_ERROR_KIND,        // it is of another kind (a folder instead of a file)
    FILO_ERROR_DATA,        // content that cannot be understood
    FILO_ERROR_LIMIT,       // larger, longer or deeper than is allowed
    FILO_ERROR_SPACE,       // full: disk, quota, queue
    FILO_ERROR_MEMORY,      // no memory, or a budget used up
    FILO_ERROR_IO,          // the device or the system reported a fault
    FILO_ERROR_BUSY,        // in use by another thread, process or object: try again
    FILO_ERROR_TIMEOUT,     // did not happen in time
    FILO_ERROR_CANCELLED,   // cancelled by the caller
    FILO_ERROR_UNSUPPORTED, // this build or system cannot do it
    FILO_ERROR_ARGUMENT,    // a caller's mistake, after which a release build goes on
    FILO_CODE_COUNT
} FiloCode;

#define FILO_MESSAGE_SIZE 252

typedef struct FiloResult {
    FiloCode code;
    char message[FILO_MESSAGE_SIZE]; // empty when code is FILO_OK; longer messages end in "…"
} FiloResult;

FILO_BEGIN_DECLS

// Success.
FiloResult filo_ok(void);

// A failure with a message formatted as by printf. Any thread.
FiloResult filo_error(FiloCode code, const char *format, ...) FILO_PRINTF(2, 3);

// A failure of the system, from errno's value: "<what>: No space left on device".
FiloResult filo_error_from_errno(int errno_value, const char *what);

// "not found", "no memory", …; "unknown code" for anything else. A constant string.
const char *filo_code_name(FiloCode code);

FILO_END_DECLS

#endif
