// FiloResult: a code and a message by value, so that the message has no owner and need not be freed.

#include <filo/check.h>
#include <filo/types.h>

#include "base/text/text.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

FiloResult filo_ok(void) {
    FiloResult result;
    result.code = FILO_OK;
    result.message[0] = '\0';
    return result;
}

FiloResult filo_error(FiloCode code, const char *format, ...) {
    FiloResult result;
    result.code = code;
    va_list arguments;
    va_start(arguments, format);
    base_text_format(result.message, sizeof result.message, format, arguments);
    va_end(arguments);
    return result;
}

static FiloCode code_of_errno(int errno_value) {
    switch (errno_value) {
    case ENOENT: return FILO_ERROR_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS: return FILO_ERROR_DENIED;
    case EEXIST:
    case ENOTEMPTY: return FILO_ERROR_EXISTS;
    case EISDIR:
    case ENOTDIR: return FILO_ERROR_KIND;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return FILO_ERROR_SPACE;
    case ENOMEM: return FILO_ERROR_MEMORY;
    case ENAMETOOLONG:
    case ELOOP:
    case EMFILE:
    case ENFILE: return FILO_ERROR_LIMIT;
    case EBUSY:
    case EAGAIN:
    case ETXTBSY: return FILO_ERROR_BUSY;
    case ETIMEDOUT: return FILO_ERROR_TIMEOUT;
    case ECANCELED: return FILO_ERROR_CANCELLED;
    case ENOSYS:
    case ENOTSUP: return FILO_ERROR_UNSUPPORTED;
    case EINVAL: return FILO_ERROR_ARGUMENT;
    default: return FILO_ERROR_IO;
    }
}

FiloResult filo_error_from_errno(int errno_value, const char *what) {
    if (!FILO_CHECK(what != NULL, "say what failed")) what = "";
    // GNU's strerror_r: thread-safe; may return a pointer that is not `buffer`. The text is in the user's language.
    char buffer[128];
    const char *cause = strerror_r(errno_value, buffer, sizeof buffer);
    FiloCode code = code_of_errno(errno_value);
    size_t length = strlen(what), rest = strlen(": ") + strlen(cause) + 1;
    if (length + rest <= FILO_MESSAGE_SIZE) return filo_error(code, "%s: %s", what, cause);
    // With a long path the cause would not fit: the message has only the end of the path.
    const char *tail = what + (length + rest + strlen("…") - FILO_MESSAGE_SIZE);
    while (((unsigned char)*tail & 0xC0) == 0x80) tail++; // not in the middle of a character
    return filo_error(code, "…%s: %s", tail, cause);
}

const char *filo_code_name(FiloCode code) {
    static const char *const names[FILO_CODE_COUNT] = {
        [FILO_OK] = "ok",
        [FILO_ERROR_NOT_FOUND] = "not found",
        [FILO_ERROR_DENIED] = "denied",
        [FILO_ERROR_EXISTS] = "exists",
        [FILO_ERROR_KIND] = "wrong kind",
        [FILO_ERROR_DATA] = "bad data",
        [FILO_ERROR_LIMIT] = "over a limit",
        [FILO_ERROR_SPACE] = "no space",
        [FILO_ERROR_MEMORY] = "no memory",
        [FILO_ERROR_IO] = "device fault",
        [FILO_ERROR_BUSY] = "busy",
        [FILO_ERROR_TIMEOUT] = "timed out",
        [FILO_ERROR_CANCELLED] = "cancelled",
        [FILO_ERROR_UNSUPPORTED] = "unsupported",
        [FILO_ERROR_ARGUMENT] = "bad argument",
    };
    return (unsigned)code < FILO_CODE_COUNT ? names[code] : "unknown code";
}
