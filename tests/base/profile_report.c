// What is made of a profile: the summary, the trace, and files of it.

#include "base/profile_fixture.h"

#include <stdlib.h>
#include <unistd.h>

// ---- The summary --------------------------------------------------------------------------------------

FILO_TEST(the_summary_is_a_table_with_the_highest_total_first) {
    filo_profile_start(NULL);
    for (int i = 0; i < 3; i++) {
        filo_profile_frame();
        FILO_ZONE("outer");
        zone("inner");
        work();
        FILO_COUNTER("entities", 12345678);
    }
    filo_profile_stop();
    char text[2048];
    size_t length = filo_profile_summary(text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_contains(text, "zone                                 calls    total ms     self ms");
    assert_contains(text, "\nouter                                    3 ");
    assert_contains(text, "\nentities                                 3 1.23457e+07");
    assert_contains(text, "\n2 frames: mean ");
    assert_contains(text, "\n12 events of 1 threads, 0 lost\n");
    assert_true(strstr(text, "\nouter") < strstr(text, "\ninner"));
}

FILO_TEST(a_summary_that_does_not_fit_is_cut_at_the_end_of_a_line) {
    filo_profile_start(NULL);
    for (int i = 0; i < 3; i++) zone("zone");
    filo_profile_stop();
    FiloProfileReport made = report();
    char whole[2048], text[2048];
    size_t length = filo_profile_report_print(&made, whole, sizeof whole);
    for (size_t size = 0; size <= length + 1; size++) {
        memset(text, '#', sizeof text);
        size_t written = filo_profile_report_print(&made, text, size);
        assert_int_equal(text[size], '#');
        if (size == 0) continue;
        assert_int_equal(written, strlen(text));
        assert_memory_equal(text, whole, written);
        assert_true(written == 0 || text[written - 1] == '\n');
    }
    assert_string_equal(text, whole);
    filo_profile_report_deinit(&made);
    assert_int_equal(filo_profile_summary(text, 0), 0);
}

FILO_TEST(many_names_find_their_rows) {
    static char names[300][24];
    filo_profile_start(NULL);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 300; i++) {
            snprintf(names[i], sizeof names[i], "zone %d", i);
            zone(names[i]);
        }
    }
    filo_profile_stop();
    FiloProfileReport made = report();
    assert_int_equal(made.zone_count, 300);
    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(made.zones[i].calls, 3);
        if (i > 0) assert_true(made.zones[i - 1].total_ms >= made.zones[i].total_ms);
    }
    filo_profile_report_deinit(&made);
}

// Serves `left` allocations, then none; counts what is not freed.
typedef struct Rationed {
    int left, outstanding;
} Rationed;

static void *rationed_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FILO_UNUSED(old_size), FILO_UNUSED(align);
    Rationed *rationed = user;
    if (new_size == 0) {
        if (memory != NULL) rationed->outstanding--;
        free(memory);
        return NULL;
    }
    if (rationed->left-- <= 0) return NULL;
    assert_null(memory);
    rationed->outstanding++;
    return malloc(new_size);
}

static FiloResult ignore_text(const char *text, size_t size, void *user) {
    FILO_UNUSED(text), FILO_UNUSED(size), FILO_UNUSED(user);
    return filo_ok();
}

FILO_TEST(reading_survives_every_allocation_that_fails) {
    filo_profile_start(NULL);
    for (int i = 0; i < 5; i++) {
        zone("zone");
        FILO_COUNTER("counter", i);
        filo_profile_frame();
    }
    filo_profile_stop();
    for (int reading = 0; reading < 2; reading++) {
        int failures = 0;
        for (int allowed = 0;; allowed++, failures++) {
            Rationed rationed = { .left = allowed };
            FiloAllocator allocator = { rationed_resize, &rationed };
            FiloProfileReport made = { 0 };
            FiloResult result = reading == 0 ? filo_profile_report_init(&made, &allocator)
                                             : filo_profile_write_trace(ignore_text, NULL, &allocator);
            if (result.code == FILO_OK) {
                filo_profile_report_deinit(&made);
                assert_int_equal(rationed.outstanding, 0);
                break;
            }
            assert_error(result, FILO_ERROR_MEMORY, "profile: no memory");
            assert_null(made.zones);
            assert_int_equal(rationed.outstanding, 0);
        }
        assert_int_equal(failures, reading == 0 ? 7 : 3); // as many as there are allocations
    }
}

// ---- The trace ----------------------------------------------------------------------------------------

typedef struct Text {
    char *bytes;
    size_t length, capacity;
} Text;

static FiloResult append(const char *text, size_t size, void *user) {
    Text *all = user;
    if (all->length + size + 1 > all->capacity) {
        all->capacity = (all->length + size + 1) * 2;
        all->bytes = realloc(all->bytes, all->capacity);
        assert_non_null(all->bytes);
    }
    memcpy(all->bytes + all->length, text, size);
    all->length += size;
    all->bytes[all->length] = '\0';
    return filo_ok();
}

static Text trace(void) {
    Text text = { 0 };
    assert_ok(filo_profile_write_trace(append, &text, NULL));
    assert_int_equal(strlen(text.bytes), text.length);
    return text;
}

// A strict parser of JSON that stores nothing: the position after the value at `text`, or NULL.
static const char *skip_value(const char *text);

static const char *skip_space(const char *text) { return text + strspn(text, " \t\r\n"); }

static const char *skip_string(const char *text) {
    if (*text++ != '"') return NULL;
    while (*text != '"') {
        if ((unsigned char)*text < 0x20) return NULL;
        if (*text != '\\') {
            text++;
        } else if (text[1] == 'u') {
            if (strspn(text + 2, "0123456789abcdefABCDEF") < 4) return NULL;
            text += 6;
        } else {
            if (text[1] == '\0' || strchr("\"\\/bfnrt", text[1]) == NULL) return NULL;
            text += 2;
        }
    }
    return text + 1;
}

static const char *skip_list(const char *text, char end, bool named) {
    text = skip_space(text + 1);
    if (*text == end) return text + 1;
    for (;;) {
        if (named) {
            text = skip_string(skip_space(text));
            if (text == NULL) return NULL;
            text = skip_space(text);
            if (*text++ != ':') return NULL;
        }
        text = skip_value(text);
        if (text == NULL) return NULL;
        text = skip_space(text);
        if (*text == end) return text + 1;
        if (*text++ != ',') return NULL;
    }
}

static const char *skip_value(const char *text) {
    text = skip_space(text);
    if (*text == '{') return skip_list(text, '}', true);
    if (*text == '[') return skip_list(text, ']', false);
    if (*text == '"') return skip_string(text);
    char *end;
    if (*text != '-' && (*text < '0' || *text > '9')) return NULL;
    strtod(text, &end);
    return end;
}

static void assert_json(const char *text) {
    const char *end = skip_value(text);
    assert_non_null(end);
    assert_int_equal(*skip_space(end), '\0');
}

FILO_TEST(an_empty_trace_is_json) {
    Text text = trace();
    assert_json(text.bytes);
    assert_contains(text.bytes, "\"traceEvents\":[\n]");
    free(text.bytes);
}

FILO_TEST(a_trace_holds_zones_frames_counters_and_threads) {
    filo_profile_start(NULL);
    for (int i = 0; i < 4; i++) {
        filo_profile_frame();
        FILO_ZONE("step");
        zone("by hand");
        FILO_COUNTER("entities", i + 0.5);
    }
    run_thread("helper", zone_and_counter, NULL);
    filo_profile_stop();
    Text text = trace();
    assert_json(text.bytes);
    assert_int_equal(filo_test_count(text.bytes, "\"ph\":\"X\""), 3 + 4 + 4 + 1);
    assert_int_equal(filo_test_count(text.bytes, "\"ph\":\"C\""), 4 + 1);
    assert_int_equal(filo_test_count(text.bytes, "\"name\":\"frame "), 3);
    assert_int_equal(
        filo_test_count(text.bytes,
                        "\"name\":\"step\",\"args\":{\"file\":\"tests/base/profile_report.c\",\"line\":"),
        4);
    assert_int_equal(filo_test_count(text.bytes, "\"name\":\"by hand\"}"), 4);
    assert_contains(text.bytes, "\"name\":\"entities\",\"args\":{\"value\":3.5}}");
    assert_contains(text.bytes, "\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"frames\"}}");
    assert_contains(text.bytes, "\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}}");
    assert_contains(text.bytes, "\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"helper\"}}");
    assert_contains(text.bytes, "\"otherData\":{\"lost_events\":0}}");
    free(text.bytes);
}

FILO_TEST(the_trace_has_the_number_of_lost_events) {
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 16 });
    for (int i = 0; i < 20; i++) zone("zone");
    filo_profile_stop();
    Text text = trace();
    assert_json(text.bytes);
    assert_contains(text.bytes, "\"lost_events\":5}");
    free(text.bytes);
}

FILO_TEST(names_are_escaped_in_the_trace) {
    filo_profile_start(NULL);
    zone("quote \" backslash \\ slash /");
    zone("line\nbreak \x01\x7F");
    zone("umlaut ü, snowman ☃, clef 𝄞");
    zone("broken \xFF, cut \xE2\x98");
    zone("overlong \xC0\xAF, surrogate \xED\xA0\x80, beyond \xF4\x90\x80\x80");
    zone("");
    FILO_COUNTER("\"", 1);
    filo_profile_name_thread("\"a\"\\\n");
    filo_profile_stop();
    Text text = trace();
    assert_json(text.bytes);
    assert_contains(text.bytes, "\"quote \\\" backslash \\\\ slash /\"");
    assert_contains(text.bytes, "\"line\\u000abreak \\u0001\\u007f\"");
    assert_contains(text.bytes, "\"umlaut ü, snowman ☃, clef 𝄞\"");
    assert_contains(text.bytes, "\"broken \\ufffd, cut \\ufffd\\ufffd\"");
    assert_contains(text.bytes, "\"overlong \\ufffd\\ufffd, surrogate \\ufffd\\ufffd\\ufffd, beyond \\ufffd");
    assert_contains(text.bytes, "{\"name\":\"\\\"a\\\"\\\\\\u000a\"}");
    free(text.bytes);
}

FILO_TEST(a_thread_can_be_renamed_later) {
    filo_profile_start(NULL);
    zone("zone");
    filo_profile_name_thread("loader");
    filo_profile_stop();
    assert_string_equal(filo_thread_name(), "loader");
    Text text = trace();
    assert_contains(text.bytes, "\"thread_name\",\"args\":{\"name\":\"loader\"}}");
    assert_null(strstr(text.bytes, "\"main\""));
    free(text.bytes);
}

static FiloResult fail_second(const char *text, size_t size, void *user) {
    FILO_UNUSED(text), FILO_UNUSED(size);
    int *count = user;
    return ++*count == 2 ? filo_error(FILO_ERROR_IO, "the wire is cut") : filo_ok();
}

FILO_TEST(a_failing_writer_ends_the_trace) {
    filo_profile_start(NULL);
    for (int i = 0; i < 10000; i++) zone("zone");
    filo_profile_stop();
    int count = 0;
    assert_error(filo_profile_write_trace(fail_second, &count, NULL), FILO_ERROR_IO, "the wire is cut");
    assert_int_equal(count, 2);
    expect_mistake("pass a function that receives the trace", filo_profile_write_trace(NULL, NULL, NULL));
}

// ---- Files --------------------------------------------------------------------------------------------

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

FILO_TEST(a_saved_trace_replaces_the_file) {
    filo_profile_start(NULL);
    zone("zone");
    filo_profile_stop();
    const char *path = filo_test_path("trace.json");
    write_text(path, "old");
    assert_ok(filo_profile_save_trace(path, NULL));
    char *text = read_text(path);
    assert_json(text);
    assert_contains(text, "\"name\":\"zone\"}");
    free(text);
    remove(path);
    assert_int_equal(rmdir(filo_test_folder()), 0); // nothing else was left in it
}

FILO_TEST(a_trace_that_cannot_be_saved_names_the_path_and_the_cause) {
    filo_profile_start(NULL);
    for (int i = 0; i < 1000; i++) zone("zone");
    filo_profile_stop();
    assert_error(filo_profile_save_trace(filo_test_path("missing/trace.json"), NULL), FILO_ERROR_NOT_FOUND,
                 "missing/trace.json: ");
    assert_error(filo_profile_save_trace(filo_test_folder(), NULL), FILO_ERROR_KIND, filo_test_folder());
    assert_error(filo_profile_save_trace("", NULL), FILO_ERROR_NOT_FOUND, "");
    char *path = malloc(6000);
    memset(path, 'x', 5999);
    path[5999] = '\0';
    assert_error(filo_profile_save_trace(path, NULL), FILO_ERROR_LIMIT, "x: ");
    free(path);
    expect_mistake("pass the path of the trace", filo_profile_save_trace(NULL, NULL));
}

FILO_TEST(a_full_disk_is_an_error_and_devices_stay_devices) {
    if (access("/dev/full", W_OK) != 0) skip();
    filo_profile_start(NULL);
    zone("zone"); // so little that the failure shows only when the file is closed
    assert_error(filo_profile_save_trace("/dev/full", NULL), FILO_ERROR_SPACE, "/dev/full: ");
    for (int i = 0; i < 1000; i++) zone("zone");
    assert_error(filo_profile_save_trace("/dev/full", NULL), FILO_ERROR_SPACE, "/dev/full: ");
    filo_profile_stop();
    assert_ok(filo_profile_save_trace("/dev/null", NULL));
    FILE *device = fopen("/dev/null", "r");
    assert_non_null(device);
    assert_int_equal(fgetc(device), EOF);
    fclose(device);
}

FILO_TEST(a_trace_that_fails_leaves_the_old_file) {
    filo_profile_start(NULL);
    zone("zone");
    filo_profile_stop();
    const char *path = filo_test_path("trace.json");
    write_text(path, "old");
    Rationed rationed = { 0 };
    FiloAllocator allocator = { rationed_resize, &rationed };
    assert_error(filo_profile_save_trace(path, &allocator), FILO_ERROR_MEMORY, "profile: no memory");
    char *text = read_text(path);
    assert_string_equal(text, "old");
    free(text);
    remove(path);
    assert_int_equal(rmdir(filo_test_folder()), 0);
}
