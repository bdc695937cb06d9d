// The log as text: the format of lines, and what the terminal shows.

#include "base/log_fixture.h"

#include <filo/threads.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static FiloTestResult outcome;

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
        size_t length = filo_log_format(&messages[i], line, sizeof line);
        if (length != strlen(line)) printf("wrong length\n");
        fputs(line, stdout);
    }
}

FILO_TEST(lines_have_local_time_level_channel_text_and_source_line) {
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
    size_t full = filo_log_format(&message, expected, sizeof expected);
    memset(line, 'Z', sizeof line);
    assert_int_equal(filo_log_format(&message, line, 0), 0);
    assert_int_equal(line[0], 'Z');
    for (size_t size = 1; size <= full + 1; size++) {
        memset(line, 'Z', sizeof line);
        size_t length = filo_log_format(&message, line, size);
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

FILO_TEST(a_long_message_from_any_source_is_cut_between_characters) {
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

FILO_TEST(the_terminal_shows_info_and_above_by_default) {
    log_all_levels(NULL, FILO_TEST_ERRORS_PIPE);
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 3);
    assert_contains(outcome.errors, " info  tests    an info (log_terminal.c:");
    assert_contains(outcome.errors, " warn  jobs     a warning (log_terminal.c:");
    assert_contains(outcome.errors, " error gpu      an error (log_terminal.c:");
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

FILO_TEST(a_wrong_environment_is_reported_once_and_read_as_info) {
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

// Writing to a full pipe waits, signals interrupt it repeatedly, and only then is the pipe read.
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
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ store_message, &seen, NULL });
    if (sink.id == 0 || sink.id == FILO_LOG_TERMINAL.id) printf("a new sink is not the terminal\n");
    if (!gets(&seen, FILO_LOG_INFO, "any")) printf("a new sink hears\n");
    printf("done\n");
}

FILO_TEST(the_terminal_can_be_removed) {
    filo_test_run(&outcome, &(FiloTestRun){ .program = "removes_the_terminal" });
    assert_string_equal(outcome.output, "done\n");
    assert_string_equal(outcome.errors, "");
}
