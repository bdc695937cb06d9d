// The log: a table of sinks behind one lock.
//
// A line of code that logs has a FiloLogSite, which caches the verdict of the filters with the version of the filters.
// Any change of sinks or filters increases the version, so that every site evaluates the filters once more. A message
// that no sink accepts therefore costs two loads and a comparison.
//
// Invariants: everything in `sinks`, and the burst counters of every site, is accessed only under `lock`. Verdicts are
// relaxed atomics, because a verdict that is late by one message is harmless.

#include <filo/check.h>
#include <filo/log.h>
#include <filo/threads.h>
#include <filo/time.h>

#include "base/atomic.h"
#include "base/text/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define RULE_NAME_SIZE 32
#define SLOT_BITS      8 // of a sink's id; above them is the generation
#define DAY_MS         86400000

typedef struct FilterRule {
    char channel[RULE_NAME_SIZE];
    FiloLogLevel level;
} FilterRule;

typedef struct Filter {
    FiloLogLevel level; // of channels without a rule
    int rule_count;
    FilterRule rules[FILO_LOG_CHANNELS];
} Filter;

typedef struct Sink {
    FiloLogWrite write; // NULL: free slot
    void *user;
    uint32_t generation; // how many sinks were removed from this slot
    Filter filter;
} Sink;

uint32_t filo_log_filter_version = 1;

static FiloMutex lock = FILO_MUTEX_INIT;
static FiloOnce started = FILO_ONCE_INIT;
static Sink sinks[FILO_LOG_SINKS]; // slot 0 is the terminal
static FiloLogSite *suppressed_sites;
static bool terminal_colours;
static int64_t local_time_offset_s;
static FILO_THREAD_LOCAL bool inside_sink;

// ---- Filters ------------------------------------------------------------------------------------------

const char *filo_log_level_name(FiloLogLevel level) {
    static const char *const names[] = { "trace", "debug", "info", "warn", "error", "off" };
    return (unsigned)level < FILO_COUNT_OF(names) ? names[level] : "?";
}

static bool parse_level(const char *text, size_t length, FiloLogLevel *level) {
    for (int i = FILO_LOG_TRACE; i <= FILO_LOG_OFF; i++) {
        const char *name = filo_log_level_name((FiloLogLevel)i);
        if (strlen(name) == length && strncasecmp(name, text, length) == 0) {
            *level = (FiloLogLevel)i;
            return true;
        }
    }
    return false;
}

// "level" or "channel=level"; a wrong level is read as info and reported in `result`.
static void parse_rule(Filter *filter, const char *text, size_t length, FiloResult *result) {
    const char *equals = memchr(text, '=', length);
    const char *level_text = equals != NULL ? equals + 1 : text;
    size_t level_length = length - (size_t)(level_text - text);
    FiloLogLevel level = FILO_LOG_INFO;
    if (!parse_level(level_text, level_length, &level))
        *result =
            filo_error(FILO_ERROR_DATA,
                       "log filter: unknown level (use trace, debug, info, warn, error or off) in \"%.*s\"",
                       (int)length, text);
    if (equals == NULL) {
        filter->level = level;
        return;
    }
    size_t name_length = (size_t)(equals - text);
    if (name_length >= RULE_NAME_SIZE || filter->rule_count == FILO_LOG_CHANNELS) {
        *result = filo_error(FILO_ERROR_LIMIT, "log filter: %s at \"%.*s\"",
                             name_length >= RULE_NAME_SIZE ? "channel name too long" : "too many rules",
                             (int)length, text);
        return;
    }
    FilterRule *rule = &filter->rules[filter->rule_count++];
    memcpy(rule->channel, text, name_length);
    rule->channel[name_length] = '\0';
    rule->level = level;
}

static FiloResult parse_filter(Filter *filter, const char *text) {
    FiloResult result = filo_ok();
    filter->level = FILO_LOG_INFO;
    filter->rule_count = 0;
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ", ");
        if (length > 0) parse_rule(filter, text, length, &result);
        text += length;
        if (*text != '\0') text++;
    }
    return result;
}

static bool filter_accepts(const Filter *filter, FiloLogLevel level, const char *channel) {
    for (int i = filter->rule_count - 1; i >= 0; i--) // the last rule for a channel counts
        if (strcmp(filter->rules[i].channel, channel) == 0) return level >= filter->rules[i].level;
    return level >= filter->level;
}

// ---- The terminal -------------------------------------------------------------------------------------

static size_t format_line(char *text, size_t size, const FiloLogMessage *message, bool colours) {
    static const char *const level_colours[] = { "\033[90m", "\033[36m", "\033[32m", "\033[33m", "\033[31m" };
    if (size == 0) return 0;
    int64_t local_ms = message->time_ns / 1000000 + local_time_offset_s * 1000;
    int ms_of_day = (int)(((local_ms % DAY_MS) + DAY_MS) % DAY_MS), second_of_day = ms_of_day / 1000;
    const char *slash = strrchr(message->file, '/');
    const char *dim = colours ? "\033[90m" : "", *plain = colours ? "\033[0m" : "";
    const char *tint = colours && message->level < FILO_LOG_OFF ? level_colours[message->level] : "";
    int length =
        snprintf(text, size, "%s%02d:%02d:%02d.%03d%s %s%-5s%s %-8s %s %s(%s:%d)%s\n", dim,
                 second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60, ms_of_day % 1000, plain,
                 tint, filo_log_level_name(message->level), plain, message->channel, message->text, dim,
                 slash != NULL ? slash + 1 : message->file, message->line, plain);
    if (length < 0) length = 0; // a limit of the C library on very long texts
    if ((size_t)length < size) return (size_t)length;
    return base_text_cut(text, size, colours ? "…\033[0m\n" : "…\n");
}

static void start(void);

size_t filo_log_format(const FiloLogMessage *message, char *text, size_t size) {
    if (!FILO_CHECK(message != NULL, "pass a message")) return 0;
    if (text == NULL) size = 0;
    filo_once(&started, start); // reads the time zone
    return format_line(text, size, message, false);
}

// Usually one call of write, so that lines of two processes do not mix.
static bool write_all(int file, const char *text, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t n = write(file, text + done, length - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

static void write_terminal(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    char line[FILO_LOG_SIZE + 512];
    size_t length = format_line(line, sizeof line, message, terminal_colours);
    // Standard error may be a pipe whose reader has ended. Its SIGPIPE must not end the process.
    sigset_t broken_pipe, before;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    if (!write_all(STDERR_FILENO, line, length) && errno == EPIPE && !sigismember(&before, SIGPIPE))
        sigtimedwait(&broken_pipe, NULL, &(struct timespec){ 0, 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void filo_log_write_file(const FiloLogMessage *message, void *user) {
    char line[FILO_LOG_SIZE + 512];
    FILE *file = user != NULL ? user : stderr;
    fwrite(line, 1, filo_log_format(message, line, sizeof line), file);
    fflush(file);
}

static void start(void) {
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR"); // see no-color.org
    terminal_colours = isatty(STDERR_FILENO) && (no_colour == NULL || no_colour[0] == '\0') &&
                       (terminal == NULL || strcmp(terminal, "dumb") != 0);
    // Here libc reads the time zone's file and allocates memory for it: once, not while logging.
    time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    local_time_offset_s = local.tm_gmtoff;
    sinks[0].write = write_terminal;
    FiloResult result = parse_filter(&sinks[0].filter, getenv("FILO_LOG"));
    if (result.code != FILO_OK) dprintf(STDERR_FILENO, "FILO_LOG: %s\n", result.message);
}

// ---- Sinks --------------------------------------------------------------------------------------------

static void lock_started(void) {
    filo_once(&started, start);
    filo_mutex_lock(&lock);
}

static void filters_changed(void) {
    // Relaxed: a site that still reads the old version logs or drops one message by the old filter.
    __atomic_fetch_add(&filo_log_filter_version, 1, __ATOMIC_RELAXED);
}

// The first id of slot 0 is 1, FILO_LOG_TERMINAL. The generation makes the id of a removed sink stale.
static FiloLogSink sink_of_slot(uint32_t slot) {
    return (FiloLogSink){ sinks[slot].generation << SLOT_BITS | (slot + 1) };
}

// Under the lock; NULL if there is no such sink.
static Sink *find_sink(FiloLogSink sink) {
    uint32_t slot = (sink.id & ((1u << SLOT_BITS) - 1)) - 1;
    if (slot >= FILO_LOG_SINKS || sinks[slot].write == NULL || sink_of_slot(slot).id != sink.id) return NULL;
    return &sinks[slot];
}

FiloLogSink filo_log_add_sink(const FiloLogSinkDesc *desc) {
    FiloLogSink sink = { 0 };
    if (!FILO_CHECK(desc != NULL && desc->write != NULL, "a log sink needs a write function")) return sink;
    if (!FILO_CHECK(!inside_sink, "do not add a log sink from inside a sink")) return sink;
    lock_started();
    for (uint32_t i = 0; i < FILO_LOG_SINKS && sink.id == 0; i++) {
        if (sinks[i].write != NULL) continue;
        FiloResult result = parse_filter(&sinks[i].filter, desc->filter);
        if (result.code != FILO_OK) dprintf(STDERR_FILENO, "%s\n", result.message);
        sinks[i].user = desc->user;
        sinks[i].write = desc->write;
        sink = sink_of_slot(i);
    }
    filters_changed();
    filo_mutex_unlock(&lock);
    return sink;
}

void filo_log_remove_sink(FiloLogSink sink) {
    if (!FILO_CHECK(!inside_sink, "do not remove a log sink from inside a sink")) return;
    lock_started();
    Sink *found = find_sink(sink);
    if (found != NULL) {
        found->write = NULL;
        found->generation++;
    }
    filters_changed();
    filo_mutex_unlock(&lock);
    (void)FILO_CHECK(found != NULL, "log sink %u is not there: remove each sink once", sink.id);
}

FiloResult filo_log_set_filter(FiloLogSink sink, const char *filter) {
    if (inside_sink) return FILO_MISTAKE("do not change a filter from inside a sink");
    lock_started();
    Sink *found = find_sink(sink);
    FiloResult result = found != NULL ? parse_filter(&found->filter, filter) : filo_ok();
    filters_changed();
    filo_mutex_unlock(&lock);
    if (found == NULL)
        return FILO_MISTAKE("log sink %u is not there: set filters of sinks that were added", sink.id);
    return result;
}

// ---- Messages -----------------------------------------------------------------------------------------

// Under the lock.
static void deliver(const FiloLogMessage *message) {
    inside_sink = true;
    for (int i = 0; i < FILO_LOG_SINKS; i++)
        if (sinks[i].write != NULL && filter_accepts(&sinks[i].filter, message->level, message->channel))
            sinks[i].write(message, sinks[i].user);
    inside_sink = false;
}

static bool any_sink_accepts(FiloLogLevel level, const char *channel) {
    for (int i = 0; i < FILO_LOG_SINKS; i++)
        if (sinks[i].write != NULL && filter_accepts(&sinks[i].filter, level, channel)) return true;
    return false;
}

static void report_suppressed(FiloLogSite *site) {
    char text[96];
    snprintf(text, sizeof text, "… and %u more messages from this line, suppressed", site->left_out);
    FiloLogMessage message = { site->level, site->channel, text, site->file, site->line, filo_calendar_ns() };
    site->left_out = 0;
    for (FiloLogSite **link = &suppressed_sites; *link != NULL; link = &(*link)->next_left_out) {
        if (*link != site) continue;
        *link = site->next_left_out;
        break;
    }
    deliver(&message);
}

// Under the lock: counts one message of `site` and returns whether it is within the burst limit.
static bool within_burst(FiloLogSite *site) {
    int64_t now = filo_time_ns();
    if (site->in_window == 0 || now - site->window_start >= FILO_SECOND) {
        site->window_start = now;
        site->in_window = 0;
        if (site->left_out > 0) report_suppressed(site);
    }
    if (site->in_window < FILO_LOG_BURST) {
        site->in_window++;
        return true;
    }
    if (site->left_out++ == 0) {
        site->next_left_out = suppressed_sites;
        suppressed_sites = site;
    }
    return false;
}

void filo_log_at(FiloLogSite *site, const char *format, ...) {
    if (inside_sink) return; // a sink that logs would deadlock
    lock_started();
    uint32_t version = __atomic_load_n(&filo_log_filter_version, __ATOMIC_RELAXED);
    bool accepted = any_sink_accepts(site->level, site->channel);
    __atomic_store_n(&site->verdict, version * 2 + (accepted ? 1 : 0), __ATOMIC_RELAXED);
    bool written = accepted && within_burst(site);
    filo_mutex_unlock(&lock);
    if (!written) return;

    char text[FILO_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    base_text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    FiloLogMessage message = { site->level, site->channel, text, site->file, site->line, 0 };
    lock_started();
    message.time_ns = filo_calendar_ns(); // under the lock, so that times in the log never go back
    deliver(&message);
    filo_mutex_unlock(&lock);
}

void filo_log_write(FiloLogLevel level, const char *channel, const char *file, int line, const char *text) {
    if (inside_sink) return;
    if (!FILO_CHECK((unsigned)level < FILO_LOG_OFF && channel != NULL && text != NULL,
                    "log with a level from trace to error, a channel and a text"))
        return;
    FiloLogMessage message = { level, channel, text, file != NULL ? file : "", line, 0 };
    char shorter[FILO_LOG_SIZE];
    if (strnlen(text, FILO_LOG_SIZE) == FILO_LOG_SIZE) {
        memcpy(shorter, text, FILO_LOG_SIZE);
        base_text_cut(shorter, FILO_LOG_SIZE, "…");
        message.text = shorter;
    }
    lock_started();
    message.time_ns = filo_calendar_ns();
    deliver(&message);
    filo_mutex_unlock(&lock);
}

void filo_log_flush(void) {
    if (inside_sink) return;
    lock_started();
    while (suppressed_sites != NULL) report_suppressed(suppressed_sites);
    filo_mutex_unlock(&lock);
}
