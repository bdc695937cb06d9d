#include "support/malloc_count.h"
#include "support/test.h"

#include <filo/log.h>
#include <filo/threads.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static FiloTestOutcome outcome;

// ---- a sink that remembers --------------------------------------------------------------------------------

typedef struct Seen {
    int count;
    FiloLogLevel level; // of the last message
    char channel[64];
    char text[FILO_LOG_SIZE + 64];
    char file[256];
    int line;
    int64_t time_ns;
} Seen;

static void remember(const FiloLogMessage *message, void *user) {
    Seen *seen = user;
    seen->count++;
    seen->level = message->level;
    snprintf(seen->channel, sizeof seen->channel, "%s", message->channel);
    snprintf(seen->text, sizeof seen->text, "%s", message->text);
    snprintf(seen->file, sizeof seen->file, "%s", message->file);
    seen->line = message->line;
    seen->time_ns = message->time_ns;
}

static FiloLogSink add(Seen *seen, const char *filter) {
    memset(seen, 0, sizeof *seen);
    filo_log_set_filter(FILO_LOG_TERMINAL, "off"); // test output stays quiet
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ remember, seen, filter });
    assert_int_not_equal(sink.id, 0);
    return sink;
}

static bool gets(Seen *seen, FiloLogLevel level, const char *channel) {
    int before = seen->count;
    filo_log_write(level, channel, "file.c", 1, "text");
    return seen->count == before + 1;
}

// ---- sinks ------------------------------------------------------------------------------------------------

FILO_TEST(the_id_of_a_removed_sink_is_stale_even_when_its_place_is_taken_again) {
    Seen first, second;
    FiloLogSink old = add(&first, NULL);
    filo_log_remove_sink(old);
    FiloLogSink fresh = add(&second, NULL);
    expect_fault("is not there: remove each sink once", filo_log_remove_sink(old));
    expect_fault("is not there: set filters of sinks that were added", filo_log_set_filter(old, "off"));
    assert_true(gets(&second, FILO_LOG_INFO, "any"));
    filo_log_remove_sink(fresh);
}

FILO_TEST(a_sink_gets_level_channel_text_place_and_time) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    int line = __LINE__ + 1;
    filo_log_warn("assets", "loaded %s in %.1f ms", "crate.png", 3.14);
    filo_log_remove_sink(sink);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.level, FILO_LOG_WARN);
    assert_string_equal(seen.channel, "assets");
    assert_string_equal(seen.text, "loaded crate.png in 3.1 ms");
    assert_string_equal(seen.file, "tests/base/log.c");
    assert_int_equal(seen.line, line);
    assert_true(seen.time_ns > INT64_C(1600000000) * 1000000000); // since 1970, in nanoseconds
}

FILO_TEST(a_removed_sink_is_not_called) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    filo_log_remove_sink(sink);
    assert_false(gets(&seen, FILO_LOG_ERROR, "any"));
}

FILO_TEST(there_are_only_so_many_sinks_and_places_are_used_again) {
    static Seen seen[FILO_LOG_SINKS];
    FiloLogSink sinks[FILO_LOG_SINKS];
    for (int i = 1; i < FILO_LOG_SINKS; i++) sinks[i] = add(&seen[i], NULL); // the terminal is one of them
    assert_int_equal(filo_log_add_sink(&(FiloLogSinkDesc){ remember, &seen[0], NULL }).id, 0);
    filo_log_write(FILO_LOG_INFO, "any", "file.c", 1, "to all");
    for (int i = 1; i < FILO_LOG_SINKS; i++) assert_int_equal(seen[i].count, 1);
    filo_log_remove_sink(sinks[3]);
    sinks[3] = add(&seen[3], NULL);
    assert_true(gets(&seen[3], FILO_LOG_INFO, "any"));
    for (int i = 1; i < FILO_LOG_SINKS; i++) filo_log_remove_sink(sinks[i]);
}

FILO_TEST(sinks_that_are_not_there_are_reported) {
    expect_fault("log sink 0 is not there: remove each sink once", filo_log_remove_sink((FiloLogSink){ 0 }));
    expect_fault("log sink 9 is not there: remove each sink once", filo_log_remove_sink((FiloLogSink){ 9 }));
    expect_fault("is not there", filo_log_remove_sink((FiloLogSink){ UINT32_MAX }));
    FiloResult result = filo_ok();
    expect_fault("log sink 5 is not there: set filters of sinks that were added",
                 result = filo_log_set_filter((FiloLogSink){ 5 }, "info"));
    assert_error(result, FILO_ERROR_ARGUMENT, "log sink 5 is not there");
}

FILO_TEST(a_sink_without_a_function_is_reported) {
    FiloLogSink sink = { 1 };
    expect_fault("a log sink needs a write function",
                 sink = filo_log_add_sink(&(FiloLogSinkDesc){ .filter = "info" }));
    assert_int_equal(sink.id, 0);
    expect_fault("a log sink needs a write function", sink = filo_log_add_sink(NULL));
    assert_int_equal(sink.id, 0);
}

FILO_TEST(a_text_without_level_or_channel_is_reported) {
    Seen seen;
    FiloLogSink sink = add(&seen, "trace");
    const char *sentence = "log with a level from trace to error, a channel and a text";
    expect_fault(sentence, filo_log_write(FILO_LOG_OFF, "any", "file.c", 1, "text"));
    expect_fault(sentence, filo_log_write((FiloLogLevel)-1, "any", "file.c", 1, "text"));
    expect_fault(sentence, filo_log_write(FILO_LOG_INFO, NULL, "file.c", 1, "text"));
    expect_fault(sentence, filo_log_write(FILO_LOG_INFO, "any", "file.c", 1, NULL));
    assert_int_equal(seen.count, 0);
    filo_log_write(FILO_LOG_INFO, "any", NULL, 0, "from nowhere"); // a script's place may be unknown
    assert_int_equal(seen.count, 1);
    filo_log_remove_sink(sink);
}

FILO_TEST(levels_have_names) {
    static const char *const names[] = { "trace", "debug", "info", "warn", "error", "off" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        assert_string_equal(filo_log_level_name((FiloLogLevel)i), names[i]);
    assert_string_equal(filo_log_level_name((FiloLogLevel)77), "?");
}

static int inner_calls, inner_faults;
static void misbehave(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(message);
    inner_calls++;
    filo_log_error("inner", "ignored");
    filo_log_write(FILO_LOG_ERROR, "inner", "file.c", 1, "ignored");
    filo_log_flush();
    inner_faults += filo_log_add_sink(&(FiloLogSinkDesc){ misbehave, NULL, NULL }).id == 0;
    filo_log_remove_sink(*(FiloLogSink *)user);
    inner_faults += filo_log_set_filter(*(FiloLogSink *)user, "off").code == FILO_ERROR_ARGUMENT;
}

FILO_TEST(a_sink_that_logs_or_changes_sinks_is_stopped_and_the_log_lives_on) {
    Seen seen;
    FiloLogSink quiet = add(&seen, NULL), sink;
    sink = filo_log_add_sink(&(FiloLogSinkDesc){ misbehave, &sink, NULL });
    expect_faults(3, "do not add a log sink from inside a sink", filo_log_info("outer", "once"));
    assert_int_equal(inner_calls, 1);
    assert_int_equal(inner_faults, 2);
    assert_int_equal(seen.count, 1);
    expect_faults(3, "", filo_log_info("outer", "twice"));
    assert_int_equal(inner_calls, 2); // it was not removed, and its filter not changed
    filo_log_remove_sink(sink);
    filo_log_remove_sink(quiet);
}

// ---- filters ----------------------------------------------------------------------------------------------

FILO_TEST(without_a_filter_a_sink_gets_info_and_above) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    assert_false(gets(&seen, FILO_LOG_TRACE, "any"));
    assert_false(gets(&seen, FILO_LOG_DEBUG, "any"));
    assert_true(gets(&seen, FILO_LOG_INFO, "any"));
    assert_true(gets(&seen, FILO_LOG_WARN, "any"));
    assert_true(gets(&seen, FILO_LOG_ERROR, "any"));
    filo_log_remove_sink(sink);
}

FILO_TEST(a_level_lets_itself_and_everything_above_pass) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    for (int filter = FILO_LOG_TRACE; filter <= FILO_LOG_OFF; filter++) {
        assert_ok(filo_log_set_filter(sink, filo_log_level_name((FiloLogLevel)filter)));
        for (int level = FILO_LOG_TRACE; level < FILO_LOG_OFF; level++)
            assert_int_equal(gets(&seen, (FiloLogLevel)level, "any"), level >= filter);
    }
    filo_log_remove_sink(sink);
}

FILO_TEST(single_channels_have_levels_of_their_own) {
    Seen seen;
    FiloLogSink sink = add(&seen, "warn,jobs=debug,gpu=off");
    assert_false(gets(&seen, FILO_LOG_INFO, "any"));
    assert_true(gets(&seen, FILO_LOG_WARN, "any"));
    assert_true(gets(&seen, FILO_LOG_DEBUG, "jobs"));
    assert_false(gets(&seen, FILO_LOG_TRACE, "jobs"));
    assert_false(gets(&seen, FILO_LOG_ERROR, "gpu"));
    assert_true(gets(&seen, FILO_LOG_ERROR, "gpu2")); // whole names
    assert_true(gets(&seen, FILO_LOG_ERROR, "gp"));
    filo_log_remove_sink(sink);
}

FILO_TEST(the_last_rule_wins_wherever_it_stands) {
    Seen seen;
    FiloLogSink sink = add(&seen, "jobs=off,error,jobs=trace,debug");
    assert_true(gets(&seen, FILO_LOG_TRACE, "jobs"));
    assert_true(gets(&seen, FILO_LOG_DEBUG, "any"));
    assert_false(gets(&seen, FILO_LOG_TRACE, "any"));
    filo_log_remove_sink(sink);
}

FILO_TEST(levels_may_be_in_any_case_and_rules_apart_by_commas_or_spaces) {
    Seen seen;
    FiloLogSink sink = add(&seen, " ,, Error, jobs=DEBUG  gpu=oFF,");
    assert_ok(filo_log_set_filter(sink, " ,, Error, jobs=DEBUG  gpu=oFF,"));
    assert_false(gets(&seen, FILO_LOG_WARN, "any"));
    assert_true(gets(&seen, FILO_LOG_DEBUG, "jobs"));
    assert_false(gets(&seen, FILO_LOG_DEBUG, "Jobs")); // channels are as they are written
    assert_false(gets(&seen, FILO_LOG_ERROR, "gpu"));
    assert_ok(filo_log_set_filter(sink, "")); // an empty filter is the default
    assert_true(gets(&seen, FILO_LOG_INFO, "gpu"));
    assert_ok(filo_log_set_filter(sink, NULL));
    filo_log_remove_sink(sink);
}

FILO_TEST(an_unknown_level_is_reported_and_read_as_info) {
    Seen seen;
    FiloLogSink sink = add(&seen, "off");
    static const char *const unknown[] = { "loud", "infos", "inf", "jobs=", "jobs=loud", "=" };
    for (size_t i = 0; i < FILO_COUNT_OF(unknown); i++) {
        FiloResult result = filo_log_set_filter(sink, unknown[i]);
        assert_error(result, FILO_ERROR_DATA, "unknown level (use trace, debug, info, warn, error or off)");
        assert_contains(result.message, unknown[i]);
    }
    assert_error(filo_log_set_filter(sink, "error,jobs=loud"), FILO_ERROR_DATA, "\"jobs=loud\"");
    assert_true(gets(&seen, FILO_LOG_INFO, "jobs"));
    assert_false(gets(&seen, FILO_LOG_DEBUG, "jobs"));
    assert_false(gets(&seen, FILO_LOG_WARN, "any"));
    filo_log_remove_sink(sink);
}

FILO_TEST(too_many_rules_are_reported_and_the_first_ones_hold) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    char filter[2048] = "";
    for (int i = 0; i < FILO_LOG_CHANNELS; i++) sprintf(filter + strlen(filter), "channel%d=off,", i);
    assert_ok(filo_log_set_filter(sink, filter));
    strcat(filter, "last=off,error");
    assert_error(filo_log_set_filter(sink, filter), FILO_ERROR_LIMIT, "too many rules at \"last=off\"");
    assert_false(gets(&seen, FILO_LOG_ERROR, "channel0"));
    assert_false(gets(&seen, FILO_LOG_ERROR, "channel31"));
    assert_true(gets(&seen, FILO_LOG_ERROR, "last"));
    assert_false(gets(&seen, FILO_LOG_WARN, "last")); // a plain level takes no room
    filo_log_remove_sink(sink);
}

FILO_TEST(a_channel_name_that_is_too_long_is_reported_with_its_cause) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    char filter[700], name[64];
    memset(name, 'n', 31);
    name[31] = '\0';
    snprintf(filter, sizeof filter, "%s=off", name);
    assert_ok(filo_log_set_filter(sink, filter));
    assert_false(gets(&seen, FILO_LOG_ERROR, name));
    snprintf(filter, sizeof filter, "%sn=off", name);
    assert_error(filo_log_set_filter(sink, filter), FILO_ERROR_LIMIT, "channel name too long at \"nnn");
    memset(filter, 'n', sizeof filter);
    strcpy(filter + 600, "=off");
    assert_error(filo_log_set_filter(sink, filter), FILO_ERROR_LIMIT, "channel name too long");
    assert_true(gets(&seen, FILO_LOG_ERROR, name));
    filo_log_remove_sink(sink);
}

static int evaluated;
static int evaluate(void) { return ++evaluated; }
static void log_from_one_place(void) { filo_log_debug("test", "%d", evaluate()); }

FILO_TEST(a_place_that_nobody_wants_does_not_even_evaluate_its_arguments_until_a_filter_changes) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    log_from_one_place(); // asks the filters
    evaluated = 0;
    for (int i = 0; i < 10; i++) log_from_one_place();
    assert_int_equal(evaluated, 0);
    filo_log_set_filter(sink, "test=debug");
    log_from_one_place();
    assert_int_equal(seen.count, 1);
    filo_log_set_filter(sink, "test=info");
    log_from_one_place();
    assert_int_equal(seen.count, 1);
    FiloLogSink other = filo_log_add_sink(&(FiloLogSinkDesc){ remember, &seen, "debug" });
    log_from_one_place();
    assert_int_equal(seen.count, 2);
    filo_log_remove_sink(other);
    log_from_one_place();
    assert_int_equal(seen.count, 2);
    filo_log_remove_sink(sink);
}

// ---- lines ------------------------------------------------------------------------------------------------

// Whether `text` is whole UTF-8.
static bool whole(const char *text) {
    for (const unsigned char *byte = (const unsigned char *)text; *byte != '\0';) {
        int more = *byte < 0x80 ? 0 : *byte >= 0xF0 ? 3 : *byte >= 0xE0 ? 2 : *byte >= 0xC0 ? 1 : -1;
        if (more < 0) return false;
        for (byte++; more > 0; more--, byte++)
            if ((*byte & 0xC0) != 0x80) return false;
    }
    return true;
}

FILO_TEST_PROGRAM(formats_lines) {
    static const FiloLogMessage messages[] = {
        { FILO_LOG_INFO, "assets", "loaded", "src/main.c", 31, 0 },
        { FILO_LOG_ERROR, "a-long-channel", "lost", "main.c", 1, INT64_C(86399999999999) },
        { FILO_LOG_TRACE, "c", "", "", 0, INT64_C(1700000000123000000) },
        { FILO_LOG_WARN, "past", "before 1970", "x.c", 2, -1000000 },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(messages); i++) {
        char line[256];
        size_t length = filo_log_format(line, sizeof line, &messages[i]);
        if (length != strlen(line)) printf("wrong length\n");
        fputs(line, stdout);
    }
}

FILO_TEST(lines_have_local_time_level_channel_text_and_place) {
    filo_test_run(&outcome, &(FiloTestRun){ "formats_lines", { "TZ=UTC0" }, FILO_TEST_ERRORS_PIPE });
    assert_string_equal(outcome.output, "00:00:00.000 info  assets   loaded (main.c:31)\n"
                                        "23:59:59.999 error a-long-channel lost (main.c:1)\n"
                                        "22:13:20.123 trace c         (:0)\n"
                                        "23:59:59.999 warn  past     before 1970 (x.c:2)\n");
    filo_test_run(&outcome, &(FiloTestRun){ "formats_lines", { "TZ=XYZ-5:30" }, FILO_TEST_ERRORS_PIPE });
    assert_memory_equal(outcome.output, "05:30:00.000", 12);
    filo_test_run(&outcome, &(FiloTestRun){ "formats_lines", { "TZ=XYZ8" }, FILO_TEST_ERRORS_PIPE });
    assert_memory_equal(outcome.output, "16:00:00.000", 12);
}

FILO_TEST(a_line_that_does_not_fit_ends_in_an_ellipsis_and_a_newline_at_every_size) {
    FiloLogMessage message = { FILO_LOG_INFO, "assets", "日本語🚀é and more", "main.c", 31, 0 };
    char expected[256], line[256];
    size_t full = filo_log_format(expected, sizeof expected, &message);
    memset(line, 'Z', sizeof line);
    assert_int_equal(filo_log_format(line, 0, &message), 0);
    assert_int_equal(line[0], 'Z');
    for (size_t size = 1; size <= full + 1; size++) {
        memset(line, 'Z', sizeof line);
        size_t length = filo_log_format(line, size, &message);
        assert_int_equal(length, strlen(line));
        assert_true(length < size);
        assert_int_equal(line[size], 'Z');
        assert_true(whole(line));
        if (size == full + 1)
            assert_string_equal(line, expected);
        else if (size > strlen("…\n"))
            assert_string_equal(line + length - strlen("…\n"), "…\n");
    }
}

FILO_TEST(a_long_message_is_cut_on_a_character_whoever_sends_it) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    char text[FILO_LOG_SIZE * 2];
    for (size_t phase = 0; phase < 4; phase++) {
        text[0] = '\0';
        for (size_t i = 0; i < phase; i++) strcat(text, "x");
        while (strlen(text) < FILO_LOG_SIZE + 200) strcat(text, "🚀🚀🚀🚀");
        filo_log_info("test", "%s", text);
        assert_true(strlen(seen.text) < FILO_LOG_SIZE && strlen(seen.text) >= FILO_LOG_SIZE - 4);
        assert_string_equal(seen.text + strlen(seen.text) - strlen("…"), "…");
        assert_true(whole(seen.text));
        char before[FILO_LOG_SIZE];
        strcpy(before, seen.text);
        filo_log_write(FILO_LOG_INFO, "test", "script.lua", 1, text);
        assert_string_equal(seen.text, before);
    }
    text[FILO_LOG_SIZE - 1] = '\0'; // just fits
    memset(text, 'y', FILO_LOG_SIZE - 1);
    filo_log_write(FILO_LOG_INFO, "test", "script.lua", 1, text);
    assert_string_equal(seen.text, text);
    filo_log_remove_sink(sink);
}

FILO_TEST(the_file_sink_writes_whole_lines_even_of_very_long_names) {
    FILE *file = fopen(filo_test_path("log.txt"), "w+");
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ filo_log_write_file, file, "trace" });
    char name[2000], line[8192];
    memset(name, 'c', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    filo_log_write(FILO_LOG_INFO, name, name, 1, name);
    filo_log_write(FILO_LOG_DEBUG, "next", "file.c", 2, "line");
    rewind(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line + strlen(line) - strlen("ccc…\n"), "ccc…\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_contains(line, " debug next     line (file.c:2)\n");
    assert_null(fgets(line, sizeof line, file));
    filo_log_remove_sink(sink);
    fclose(file);
}

// ---- the terminal -----------------------------------------------------------------------------------------

FILO_TEST_PROGRAM(logs_all_levels) {
    filo_log_trace("tests", "a trace");
    filo_log_debug("tests", "a debug");
    filo_log_info("tests", "an info");
    filo_log_warn("jobs", "a warning");
    filo_log_error("gpu", "an error");
    printf("done\n");
}

static void log_all_levels(const char *filter, FiloTestErrors errors) {
    char variable[2048];
    snprintf(variable, sizeof variable, "FILO_LOG=%s", filter != NULL ? filter : "");
    filo_test_run(&outcome,
                  &(FiloTestRun){ "logs_all_levels",
                                  { filter != NULL ? variable : "FILO_LOG", "NO_COLOR", "TERM=xterm" },
                                  errors });
    assert_int_equal(outcome.exit_code, 0);
    assert_string_equal(outcome.output, "done\n");
}

FILO_TEST(the_terminal_shows_info_and_above_unless_told_otherwise) {
    log_all_levels(NULL, FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 3);
    assert_contains(outcome.errors, " info  tests    an info (log.c:");
    assert_contains(outcome.errors, " warn  jobs     a warning (log.c:");
    assert_contains(outcome.errors, " error gpu      an error (log.c:");
}

FILO_TEST(the_environment_sets_the_filter_of_the_terminal) {
    log_all_levels("warn", FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 2);
    log_all_levels("TRACE,jobs=error,gpu=off", FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 3);
    assert_contains(outcome.errors, "a trace");
    assert_contains(outcome.errors, "an info");
    log_all_levels("off", FILO_TEST_ERRORS_PIPE);
    assert_string_equal(outcome.errors, "");
    log_all_levels("", FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 3);
}

FILO_TEST(a_wrong_environment_is_said_once_and_read_as_info) {
    log_all_levels("louder", FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "FILO_LOG: log filter: unknown level"), 1);
    assert_contains(outcome.errors, "\"louder\"");
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 4);
}

FILO_TEST(there_is_colour_on_a_terminal_and_only_there) {
    log_all_levels("trace", FILO_TEST_ERRORS_TERMINAL);
    static const char *const colours[] = { "\033[90mtrace", "\033[36mdebug", "\033[32minfo ", "\033[33mwarn ",
                                           "\033[31merror" };
    for (size_t i = 0; i < FILO_COUNT_OF(colours); i++) assert_contains(outcome.errors, colours[i]);
    assert_int_equal(filo_test_count(outcome.errors, "\033[0m\n"), 5); // no colour leaks out of its line
    log_all_levels("trace", FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\033"), 0);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 5);
}

FILO_TEST(colours_can_be_switched_off) {
    static const struct {
        const char *first, *second;
        bool colours;
    } cases[] = { { "NO_COLOR=1", "TERM=xterm", false },
                  { "NO_COLOR=", "TERM=xterm", true },
                  { "NO_COLOR", "TERM=dumb", false },
                  { "NO_COLOR", "TERM", true } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        filo_test_run(&outcome, &(FiloTestRun){ "logs_all_levels",
                                                { "FILO_LOG", cases[i].first, cases[i].second },
                                                FILO_TEST_ERRORS_TERMINAL });
        assert_int_equal(filo_test_count(outcome.errors, "\033") > 0, cases[i].colours);
        assert_int_equal(filo_test_count(outcome.errors, "\n"), 3);
    }
}

FILO_TEST_PROGRAM(logs_a_very_long_channel) {
    char name[3000];
    memset(name, 'c', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    filo_log_write(FILO_LOG_WARN, name, "file.c", 1, "text");
}

FILO_TEST(a_line_that_is_cut_ends_its_colour) {
    filo_test_run(&outcome, &(FiloTestRun){ "logs_a_very_long_channel",
                                            { "FILO_LOG", "NO_COLOR", "TERM=xterm" },
                                            FILO_TEST_ERRORS_TERMINAL });
    assert_contains(outcome.errors, "ccc…\033[0m\n");
}

FILO_TEST(a_closed_standard_error_is_no_reason_to_stop) { log_all_levels("trace", FILO_TEST_ERRORS_CLOSED); }

FILO_TEST(a_broken_pipe_is_no_reason_to_stop) { log_all_levels("trace", FILO_TEST_ERRORS_BROKEN_PIPE); }

FILO_TEST_PROGRAM(logs_into_a_broken_pipe_and_then_writes_to_it_itself) {
    filo_log_info("test", "nobody reads this");
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE)) printf("left a signal behind\n");
    printf("goes on\n");
    fflush(stdout);
    if (write(STDERR_FILENO, "x", 1) < 0) printf("survived\n"); // the signal is as it was
}

FILO_TEST(the_signal_of_a_broken_pipe_is_only_held_back_while_logging) {
    filo_test_run(&outcome, &(FiloTestRun){ "logs_into_a_broken_pipe_and_then_writes_to_it_itself",
                                            { "FILO_LOG" },
                                            FILO_TEST_ERRORS_BROKEN_PIPE });
    assert_string_equal(outcome.output, "goes on\n");
    assert_int_equal(outcome.signal, SIGPIPE);
}

// A full pipe makes a write wait, signals interrupt it again and again, and only then does somebody read.
static uint32_t signals;
static void count_signal(int signal_number) {
    FILO_UNUSED(signal_number);
    __atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
}

typedef struct PipeReader {
    int file;
    size_t length;
} PipeReader;

static void read_everything(void *user) {
    PipeReader *reader = user;
    char buffer[4096];
    while (__atomic_load_n(&signals, __ATOMIC_RELAXED) < 20) filo_thread_yield();
    for (ssize_t n; (n = read(reader->file, buffer, sizeof buffer)) > 0;) reader->length += (size_t)n;
}

FILO_TEST_PROGRAM(logs_into_a_full_pipe_while_signals_arrive) {
    int ends[2];
    if (pipe(ends) != 0) return;
    PipeReader reader = { ends[0], 0 };
    dup2(ends[1], STDERR_FILENO);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    size_t filled = 0;
    while (write(ends[1], "x", 1) == 1) filled++;
    fcntl(ends[1], F_SETFL, 0);
    close(ends[1]);
    sigset_t alarm; // for the writer alone: threads inherit what is blocked
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    FiloThread thread;
    (void)filo_thread_start(&thread, &(FiloThreadDesc){ .function = read_everything, .user = &reader });
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);

    struct sigaction action = { .sa_handler = count_signal }; // without SA_RESTART
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 1000 }, { 0, 1000 } }, NULL);
    char text[1001];
    memset(text, 't', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 100; i++) filo_log_write(FILO_LOG_INFO, "tests", "f.c", 1, text);
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
    close(STDERR_FILENO);
    filo_thread_join(&thread);
    size_t line = strlen("12:03:44.127 info  tests     (f.c:1)\n") + 1000;
    printf("%s\n", reader.length - filled == 100 * line ? "all there" : "some lost");
}

FILO_TEST(signals_do_not_lose_messages) {
    filo_test_run(&outcome, &(FiloTestRun){ "logs_into_a_full_pipe_while_signals_arrive",
                                            { "FILO_LOG" },
                                            FILO_TEST_ERRORS_PIPE });
    assert_string_equal(outcome.output, "all there\n");
}

FILO_TEST_PROGRAM(removes_the_terminal) {
    filo_log_remove_sink(FILO_LOG_TERMINAL);
    filo_log_error("test", "nobody hears this");
    Seen seen = { 0 };
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ remember, &seen, NULL });
    if (sink.id == 0 || sink.id == FILO_LOG_TERMINAL.id) printf("a new sink is not the terminal\n");
    if (!gets(&seen, FILO_LOG_INFO, "any")) printf("a new sink hears\n");
    printf("done\n");
}

FILO_TEST(the_terminal_can_be_removed) {
    filo_test_run(&outcome, &(FiloTestRun){ .program = "removes_the_terminal" });
    assert_string_equal(outcome.output, "done\n");
    assert_string_equal(outcome.errors, "");
}

// ---- bursts -----------------------------------------------------------------------------------------------

static struct {
    int normal, reports;
    unsigned left_out;
} burst;

static void count_burst(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    unsigned more = 0;
    if (sscanf(message->text, "… and %u more messages from this place, left out", &more) == 1)
        burst.reports++, burst.left_out += more;
    else
        burst.normal++;
}

static FiloLogSink add_burst_counter(void) {
    memset(&burst, 0, sizeof burst);
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    return filo_log_add_sink(&(FiloLogSinkDesc){ count_burst, NULL, NULL });
}

static void log_in_a_burst(int count) {
    for (int i = 0; i < count; i++) filo_log_info("burst", "message %d", i);
}

FILO_TEST(a_place_that_logs_too_often_is_cut_short_and_every_message_is_accounted_for) {
    enum { COUNT = 100000 }; // far more than the limit even on a machine a thousand times slower
    FiloLogSink sink = add_burst_counter();
    log_in_a_burst(COUNT);
    assert_true(burst.normal >= FILO_LOG_BURST);
    assert_true(burst.normal < COUNT / 2);
    filo_log_flush();
    assert_true(burst.reports > 0);
    assert_int_equal(burst.normal + (int)burst.left_out, COUNT);
    int reports = burst.reports;
    filo_log_flush(); // all said
    assert_int_equal(burst.reports, reports);
    filo_log_remove_sink(sink);
}

FILO_TEST(places_have_bursts_of_their_own) {
    FiloLogSink sink = add_burst_counter();
    log_in_a_burst(10000);
    int before = burst.normal;
    filo_log_info("burst", "from another place");
    assert_int_equal(burst.normal, before + 1);
    filo_log_flush();
    filo_log_remove_sink(sink);
}

FILO_TEST(texts_from_scripts_have_no_burst_limit) {
    FiloLogSink sink = add_burst_counter();
    for (int i = 0; i < 10000; i++) filo_log_write(FILO_LOG_INFO, "script", "a.lua", i, "text");
    assert_int_equal(burst.normal, 10000);
    filo_log_remove_sink(sink);
}

static void log_many(void *user) {
    FILO_UNUSED(user);
    log_in_a_burst(20000);
}

FILO_TEST(bursts_from_many_threads_are_accounted_for) {
    FiloLogSink sink = add_burst_counter();
    FiloThread threads[4];
    for (int i = 0; i < 4; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = log_many }));
    for (int i = 0; i < 100; i++) filo_log_flush();
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    filo_log_flush();
    filo_log_remove_sink(sink);
    assert_int_equal(burst.normal + (int)burst.left_out, 80000);
}

// ---- threads ----------------------------------------------------------------------------------------------

enum { WRITERS = 16, LINES_EACH = 400 };

// "thread 3 line 17 <17 % 90 times 'x'> end"
static void write_lines(void *user) {
    int number = (int)(intptr_t)user;
    for (int i = 0; i < LINES_EACH; i++) {
        char text[256], filler[128];
        memset(filler, 'a' + number, sizeof filler);
        filler[i % 90] = '\0';
        snprintf(text, sizeof text, "thread %d line %d <%s> end", number, i, filler);
        filo_log_write(FILO_LOG_INFO, "tests", "file.c", i, text);
    }
}

static void write_lines_from_all(void) {
    FiloThread threads[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        (void)filo_thread_start(&threads[i],
                                &(FiloThreadDesc){ .function = write_lines, .user = (void *)(intptr_t)i });
    for (int i = 0; i < WRITERS; i++) filo_thread_join(&threads[i]);
}

// One line after the time; true if it is whole, and the next one of its thread.
static bool right_line(const char *line, int next[WRITERS]) {
    int number = -1, index = -1, end = 0, place = -1;
    if (sscanf(line, " info  tests    thread %d line %d <%n", &number, &index, &end) != 2 || end == 0)
        return false;
    if (number < 0 || number >= WRITERS || index != next[number]++) return false;
    size_t length = strspn(line + end, (char[]){ (char)('a' + number), '\0' });
    if (length != (size_t)(index % 90)) return false;
    return sscanf(line + end + length, "> end (file.c:%d)", &place) == 1 && place == index;
}

static void assert_all_lines_whole(FILE *file) {
    int next[WRITERS] = { 0 }, count = 0;
    char line[1024];
    while (fgets(line, sizeof line, file) != NULL) {
        count++;
        if (strlen(line) < 12 || line[strlen(line) - 1] != '\n' || !right_line(line + 12, next))
            fail_msg("torn or out of order: %s", line);
    }
    assert_int_equal(count, WRITERS * LINES_EACH);
}

FILO_TEST(lines_of_many_threads_in_a_file_are_whole_and_in_order) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FILE *file = fopen(filo_test_path("threads.txt"), "w+");
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ filo_log_write_file, file, NULL });
    write_lines_from_all();
    filo_log_remove_sink(sink);
    rewind(file);
    assert_all_lines_whole(file);
    fclose(file);
}

FILO_TEST_PROGRAM(logs_from_many_threads) {
    int file = open(getenv("FILO_TEST_FILE"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    write_lines_from_all();
}

FILO_TEST(lines_of_many_threads_on_standard_error_are_whole_and_in_order) {
    char variable[600];
    const char *path = filo_test_path("standard_error.txt");
    snprintf(variable, sizeof variable, "FILO_TEST_FILE=%s", path);
    filo_test_run(&outcome, &(FiloTestRun){
                                "logs_from_many_threads", { variable, "FILO_LOG" }, FILO_TEST_ERRORS_PIPE });
    assert_int_equal(outcome.exit_code, 0);
    FILE *file = fopen(path, "r");
    assert_all_lines_whole(file);
    fclose(file);
}

static struct {
    int64_t last;
    int count, backwards;
} times;
static void watch_time(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    times.count++;
    if (message->time_ns < times.last) times.backwards++;
    times.last = message->time_ns;
}

FILO_TEST(times_in_the_log_are_in_order) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ watch_time, NULL, NULL });
    write_lines_from_all();
    filo_log_remove_sink(sink);
    assert_int_equal(times.count, WRITERS * LINES_EACH);
    assert_int_equal(times.backwards, 0);
}

static uint32_t stop;
static void log_until_stopped(void *user) {
    FILO_UNUSED(user);
    while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0) {
        filo_log_write(FILO_LOG_INFO, "tests", "file.c", 1, "text");
        filo_log_info("tests", "from a place");
    }
}

static void count_while_alive(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(message);
    int *alive = user; // plain: the lock of the log is all that protects it
    *alive += 1;
}

FILO_TEST(a_sink_can_go_while_threads_log_and_is_then_never_called_again) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    FiloThread threads[4];
    for (int i = 0; i < 4; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = log_until_stopped }));
    int called = 0;
    for (int i = 0; i < 300; i++) {
        int *count = malloc(sizeof *count);
        *count = 0;
        FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ count_while_alive, count, NULL });
        if (i % 3 == 0) filo_log_set_filter(sink, "warn");
        if (i % 5 == 0) filo_thread_yield();
        filo_log_remove_sink(sink);
        called += *count;
        free(count); // the sanitizers would see a late call
    }
    Seen seen;
    FiloLogSink sink = add(&seen, NULL); // until one got something for certain
    int gotten = 0;
    while (gotten == 0) {
        filo_log_write(FILO_LOG_INFO, "tests", "file.c", 1, "text");
        filo_log_remove_sink(sink);
        gotten = seen.count;
        sink = add(&seen, NULL);
    }
    filo_log_remove_sink(sink);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    assert_true(called + gotten > 0);
}

// ---- memory -----------------------------------------------------------------------------------------------

static void log_everything(FiloLogSink sink) {
    for (int i = 0; i < 200; i++) { // beyond the burst limit
        filo_log_info("tests", "text %s, number %d, %.3f, %zu", "with words", i, 1.5 * i, (size_t)i);
        filo_log_debug("tests", "unwanted %d", i);
        filo_log_write(FILO_LOG_ERROR, "tests", "file.c", i, "from a script");
        filo_log_set_filter(sink, i % 2 == 0 ? "trace,jobs=off" : "info");
    }
    filo_log_flush();
}

FILO_TEST(logging_does_not_allocate) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    int error_output = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    FILE *file = fopen(filo_test_path("log.txt"), "w");
    dup2(nowhere, STDERR_FILENO);
    filo_log_set_filter(FILO_LOG_TERMINAL, "info");
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ filo_log_write_file, file, NULL });
    log_everything(sink); // the first message reads the time zone, the first line gives the file its buffer
    uint64_t before = filo_test_malloc_calls();
    log_everything(sink);
    FiloLogSink other = filo_log_add_sink(&(FiloLogSinkDesc){ watch_time, NULL, NULL });
    filo_log_info("tests", "to a new sink");
    filo_log_remove_sink(other);
    uint64_t after = filo_test_malloc_calls();
    dup2(error_output, STDERR_FILENO);
    filo_log_remove_sink(sink);
    fclose(file);
    close(nowhere), close(error_output);
    assert_int_equal(after, before);
    assert_true(before > 0); // it does count
}
