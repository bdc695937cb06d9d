// The log under load: bursts from one line, many threads at once, and no allocation.

#include "base/log_fixture.h"
#include "support/malloc_count.h"

#include <filo/threads.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static FiloTestResult outcome;

// ---- bursts -----------------------------------------------------------------------------------------------

static struct {
    int normal, reports;
    unsigned left_out;
} burst;

static void count_burst(const FiloLogMessage *message, void *user) {
    FILO_UNUSED(user);
    unsigned more = 0;
    if (sscanf(message->text, "… and %u more messages from this line, suppressed", &more) == 1)
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

FILO_TEST(a_line_that_logs_too_often_is_silenced_and_every_message_is_accounted_for) {
    enum { COUNT = 100000 }; // far more than the limit even on a machine a thousand times slower
    FiloLogSink sink = add_burst_counter();
    log_in_a_burst(COUNT);
    assert_true(burst.normal >= FILO_LOG_BURST);
    assert_true(burst.normal < COUNT / 2);
    filo_log_flush();
    assert_true(burst.reports > 0);
    assert_int_equal(burst.normal + (int)burst.left_out, COUNT);
    int reports = burst.reports;
    filo_log_flush(); // all are reported
    assert_int_equal(burst.reports, reports);
    filo_log_remove_sink(sink);
}

FILO_TEST(lines_of_code_have_separate_bursts) {
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
    int number = -1, index = -1, end = 0, number_of_line = -1;
    if (sscanf(line, " info  tests    thread %d line %d <%n", &number, &index, &end) != 2 || end == 0)
        return false;
    if (number < 0 || number >= WRITERS || index != next[number]++) return false;
    size_t length = strspn(line + end, (char[]){ (char)('a' + number), '\0' });
    if (length != (size_t)(index % 90)) return false;
    return sscanf(line + end + length, "> end (file.c:%d)", &number_of_line) == 1 && number_of_line == index;
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

FILO_TEST(a_sink_can_be_removed_while_threads_log_and_is_then_never_called_again) {
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
    log_everything(
        sink); // the first message reads the time zone, and the first line allocates the buffer of the file
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
