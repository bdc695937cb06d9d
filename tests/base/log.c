// The log: sinks and their filters.

#include "base/log_fixture.h"

// ---- sinks ------------------------------------------------------------------------------------------------

FILO_TEST(the_id_of_a_removed_sink_is_stale_even_when_its_slot_is_reused) {
    Seen first, second;
    FiloLogSink old = add(&first, NULL);
    filo_log_remove_sink(old);
    FiloLogSink added = add(&second, NULL);
    expect_fault("is not there: remove each sink once", filo_log_remove_sink(old));
    expect_mistake("is not there: set filters of sinks that were added", filo_log_set_filter(old, "off"));
    assert_true(gets(&second, FILO_LOG_INFO, "any"));
    filo_log_remove_sink(added);
}

FILO_TEST(a_sink_gets_level_channel_text_line_and_time) {
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

FILO_TEST(there_are_only_so_many_sinks_and_slots_are_reused) {
    static Seen seen[FILO_LOG_SINKS];
    FiloLogSink sinks[FILO_LOG_SINKS];
    for (int i = 1; i < FILO_LOG_SINKS; i++) sinks[i] = add(&seen[i], NULL); // the terminal is one of them
    assert_int_equal(filo_log_add_sink(&(FiloLogSinkDesc){ store_message, &seen[0], NULL }).id, 0);
    filo_log_write(FILO_LOG_INFO, "any", "file.c", 1, "to all");
    for (int i = 1; i < FILO_LOG_SINKS; i++) assert_int_equal(seen[i].count, 1);
    filo_log_remove_sink(sinks[3]);
    sinks[3] = add(&seen[3], NULL);
    assert_true(gets(&seen[3], FILO_LOG_INFO, "any"));
    for (int i = 1; i < FILO_LOG_SINKS; i++) filo_log_remove_sink(sinks[i]);
}

FILO_TEST(sinks_that_do_not_exist_are_reported) {
    expect_fault("log sink 0 is not there: remove each sink once", filo_log_remove_sink((FiloLogSink){ 0 }));
    expect_fault("log sink 9 is not there: remove each sink once", filo_log_remove_sink((FiloLogSink){ 9 }));
    expect_fault("is not there", filo_log_remove_sink((FiloLogSink){ UINT32_MAX }));
    expect_mistake("log sink 5 is not there: set filters of sinks that were added",
                   filo_log_set_filter((FiloLogSink){ 5 }, "info"));
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
    filo_log_write(FILO_LOG_INFO, "any", NULL, 0, "from nowhere"); // a script may have no file and line
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

FILO_TEST(the_last_rule_wins_at_any_position) {
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
    assert_false(gets(&seen, FILO_LOG_WARN, "last")); // a level without a channel is not a rule
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
static void log_from_one_line(void) { filo_log_debug("test", "%d", evaluate()); }

FILO_TEST(a_line_that_no_sink_accepts_does_not_evaluate_its_arguments_until_a_filter_changes) {
    Seen seen;
    FiloLogSink sink = add(&seen, NULL);
    log_from_one_line(); // evaluates the filters
    evaluated = 0;
    for (int i = 0; i < 10; i++) log_from_one_line();
    assert_int_equal(evaluated, 0);
    filo_log_set_filter(sink, "test=debug");
    log_from_one_line();
    assert_int_equal(seen.count, 1);
    filo_log_set_filter(sink, "test=info");
    log_from_one_line();
    assert_int_equal(seen.count, 1);
    FiloLogSink other = filo_log_add_sink(&(FiloLogSinkDesc){ store_message, &seen, "debug" });
    log_from_one_line();
    assert_int_equal(seen.count, 2);
    filo_log_remove_sink(other);
    log_from_one_line();
    assert_int_equal(seen.count, 2);
    filo_log_remove_sink(sink);
}
