// filo/log.h: log messages.
//
//     filo_log_info("assets", "loaded %s in %.1f ms", path, ms);
//
//     12:03:44.127 info  assets   loaded crate.png in 3.1 ms (main.c:31)
//
// A message has a level and a channel (the part of the program that it comes from). Sinks print or store messages; each
// sink has its own filter. At the start there is one sink, the terminal (standard error). It uses colour if standard
// error is a real terminal and NO_COLOR is not set. It shows "info" and above, unless the environment variable FILO_LOG
// sets another filter:
//
//     FILO_LOG=warn                    only warnings and errors
//     FILO_LOG=info,jobs=debug,gpu=off levels for single channels
//
// Messages of any number of threads are written whole and in one order. Nothing is allocated. A message that all
// filters reject costs about a nanosecond. A line of code that logs more than FILO_LOG_BURST times in a second is
// silenced until the second is over; the number of suppressed messages is logged afterwards.

#ifndef FILO_LOG_H
#define FILO_LOG_H

#include <filo/types.h>

FILO_BEGIN_DECLS

typedef enum FiloLogLevel {
    FILO_LOG_TRACE, // every step, for following one thing closely
    FILO_LOG_DEBUG, // for developers
    FILO_LOG_INFO,  // for users
    FILO_LOG_WARN,  // something is wrong, and was handled
    FILO_LOG_ERROR, // something is wrong, and something will be missing
    FILO_LOG_OFF,   // only in filters: no message passes
} FiloLogLevel;

// The channel is a string literal; the format is printf's. A message may have FILO_LOG_SIZE bytes.
#define filo_log_trace(channel, ...) FILO_LOG_AT(FILO_LOG_TRACE, channel, __VA_ARGS__)
#define filo_log_debug(channel, ...) FILO_LOG_AT(FILO_LOG_DEBUG, channel, __VA_ARGS__)
#define filo_log_info(channel, ...)  FILO_LOG_AT(FILO_LOG_INFO, channel, __VA_ARGS__)
#define filo_log_warn(channel, ...)  FILO_LOG_AT(FILO_LOG_WARN, channel, __VA_ARGS__)
#define filo_log_error(channel, ...) FILO_LOG_AT(FILO_LOG_ERROR, channel, __VA_ARGS__)

#define FILO_LOG_SIZE     2048 // bytes of one message with its final zero; a longer one ends in "…"
#define FILO_LOG_BURST    50   // messages a second from one line of code; more are suppressed
#define FILO_LOG_SINKS    8    // sinks at a time
#define FILO_LOG_CHANNELS 32   // rules in one filter

// What a sink receives. All strings are valid only during the call.
typedef struct FiloLogMessage {
    FiloLogLevel level;
    const char *channel;
    const char *text;
    const char *file;
    int line;
    int64_t time_ns; // since 1970, UTC
} FiloLogMessage;

// Called for one message at a time, under a lock. It should be fast, and must not add or remove sinks, change filters
// or leave by longjmp. Logging from inside a sink is ignored.
typedef void (*FiloLogWrite)(const FiloLogMessage *message, void *user);

typedef struct FiloLogSinkDesc {
    FiloLogWrite write;
    void *user;
    const char *filter; // as FILO_LOG above; NULL: "info"
} FiloLogSinkDesc;

typedef struct FiloLogSink {
    uint32_t id; // 0 is none
} FiloLogSink;

// The terminal.
#ifdef __cplusplus
#    define FILO_LOG_TERMINAL (FiloLogSink{ 1 })
#else
#    define FILO_LOG_TERMINAL ((FiloLogSink){ 1 })
#endif

// Any thread. Returns {0} if there are FILO_LOG_SINKS already.
FiloLogSink filo_log_add_sink(const FiloLogSinkDesc *desc);
// After this returns, the sink is no longer called.
void filo_log_remove_sink(FiloLogSink sink);
// Changes a sink's filter. An unknown level in it is reported and read as "info". Any thread.
FiloResult filo_log_set_filter(FiloLogSink sink, const char *filter);

// A sink that appends lines to a file; `user` is the FILE *.
void filo_log_write_file(const FiloLogMessage *message, void *user);
// The line that the terminal and file sinks print, without colour, ending in a newline; one that does not fit
// ends in "…" and a newline. Returns its length. Any thread, also from inside a sink.
size_t filo_log_format(const FiloLogMessage *message, char *text, size_t size);

// Logs how many messages the burst limit has suppressed and not reported yet. Call it at the end of the program.
void filo_log_flush(void);

// For callers outside C code (scripts), which have no FiloLogSite: no burst limit.
void filo_log_write(FiloLogLevel level, const char *channel, const char *file, int line, const char *text);

// "trace" … "error", "off".
const char *filo_log_level_name(FiloLogLevel level);

// ---- Behind the macros --------------------------------------------------------------------------------

// One per line of code that logs. Caches whether any filter accepts its messages. Private.
typedef struct FiloLogSite {
    const char *channel;
    const char *file;
    int line;
    FiloLogLevel level;
    uint32_t verdict; // filter version × 2, plus 1 if a filter accepts it
    uint32_t in_window, left_out;
    int64_t window_start;
    struct FiloLogSite *next_left_out;
} FiloLogSite;

extern uint32_t filo_log_filter_version; // changes with every change of a filter or sink

void filo_log_at(FiloLogSite *site, const char *format, ...) FILO_PRINTF(2, 3);

#define FILO_LOG_AT(level_, channel_, ...)                                                                   \
    do {                                                                                                     \
        static FiloLogSite filo_log_site = { channel_, __FILE__, __LINE__, level_, 1, 0, 0, 0, NULL };       \
        if (__atomic_load_n(&filo_log_site.verdict, __ATOMIC_RELAXED) !=                                     \
            __atomic_load_n(&filo_log_filter_version, __ATOMIC_RELAXED) * 2)                                 \
            filo_log_at(&filo_log_site, __VA_ARGS__);                                                        \
    } while (0)

FILO_END_DECLS

#endif
