// Shared by the tests of the log: a sink that stores messages.

#ifndef FILO_TEST_BASE_LOG_FIXTURE_H
#define FILO_TEST_BASE_LOG_FIXTURE_H

#include "support/test.h"

#include <filo/log.h>

typedef struct Seen {
    int count;
    FiloLogLevel level; // of the last message
    char channel[64];
    char text[FILO_LOG_SIZE + 64];
    char file[256];
    int line;
    int64_t time_ns;
} Seen;

static inline void store_message(const FiloLogMessage *message, void *user) {
    Seen *seen = user;
    seen->count++;
    seen->level = message->level;
    snprintf(seen->channel, sizeof seen->channel, "%s", message->channel);
    snprintf(seen->text, sizeof seen->text, "%s", message->text);
    snprintf(seen->file, sizeof seen->file, "%s", message->file);
    seen->line = message->line;
    seen->time_ns = message->time_ns;
}

static inline FiloLogSink add(Seen *seen, const char *filter) {
    memset(seen, 0, sizeof *seen);
    filo_log_set_filter(FILO_LOG_TERMINAL, "off"); // test output stays quiet
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ store_message, seen, filter });
    assert_int_not_equal(sink.id, 0);
    return sink;
}

static inline bool gets(Seen *seen, FiloLogLevel level, const char *channel) {
    int before = seen->count;
    filo_log_write(level, channel, "file.c", 1, "text");
    return seen->count == before + 1;
}

#endif
