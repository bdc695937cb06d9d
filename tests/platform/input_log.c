#include <filo/input.h>

#include "platform/input_log.h"
#include "support/test.h"

#include <filo/files.h>
#include <filo/log.h>
#include <filo/memory.h>
#include <filo/random.h>

#include <stdlib.h>
#include <sys/stat.h>

static const FiloInputLogHead head = { .game = "Ship",
                                       .seed = UINT64_C(0xFEDCBA9876543210),
                                       .tick_seconds = 1.0 / 60 };

static FiloInputRecorder *record_to(const char *path) {
    FiloInputRecorder *recorder;
    assert_ok(filo_input_recorder_create(&recorder, path, &head));
    return recorder;
}

// ---- A game with random but reproducible input ------------------------------------------------------------

typedef struct Tick {
    float delta;
    FiloInput input;
    FiloInputChange changes[8];
    size_t change_count;
} Tick;

static uint32_t random_state;

static uint32_t random_below(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(random_state >> 8) * limit >> 24);
}

static FiloInputChange random_change(void) {
    FiloInputChange change = { .kind = (FiloInputChangeKind)random_below(FILO_INPUT_QUIT + 1) };
    change.down = random_below(2) == 0;
    change.pad = (int32_t)random_below(FILO_INPUT_PADS);
    change.axis = (int32_t)random_below(FILO_AXIS_COUNT);
    change.value = (float)random_below(1000) / 500 - 1;
    change.key = 1 + (int32_t)random_below(FILO_KEY_COUNT - 1);
    if (change.kind == FILO_INPUT_PAD_KEY) change.key = FILO_PAD_A + (int32_t)random_below(15);
    if (random_below(2) == 0) change.position = filo_vec2((float)random_below(640), -0.0f);
    if (random_below(2) == 0) change.move = filo_vec2((float)random_below(9), -3);
    if (change.kind == FILO_INPUT_TYPED) snprintf(change.text, sizeof change.text, "é%u", random_below(99));
    return change;
}

static FiloActions *make_actions(void) {
    FiloActions *actions;
    assert_ok(filo_actions_create(&actions, NULL));
    assert_ok(filo_actions_add(actions,
                               &(FiloActionDesc){ .name = "fire", .bindings = { FILO_BIND(FILO_KEY_A) } }));
    assert_ok(filo_actions_add(
        actions, &(FiloActionDesc){ .name = "look", .bindings = { FILO_BIND_AXIS(FILO_AXIS_LEFT_Y) } }));
    return actions;
}

static Tick *play(size_t count) {
    static FiloInputCollector collector;
    collector = (FiloInputCollector){ 0 };
    random_state = 1;
    FiloActions *actions = make_actions();
    Tick *ticks = calloc(count, sizeof *ticks);
    assert_non_null(ticks);
    for (size_t i = 0; i < count; i++) {
        Tick *tick = &ticks[i];
        tick->delta = random_below(4) == 0 ? (float)random_below(100) / 1000 : 1.0f / 60;
        tick->change_count = random_below(2) == 0 ? random_below(8) : 0;
        for (size_t j = 0; j < tick->change_count; j++) {
            tick->changes[j] = random_change();
            filo_input_collect(&collector, &tick->changes[j]);
        }
        filo_input_take(&collector, i < count / 3 ? NULL : actions, &tick->input);
    }
    filo_actions_destroy(actions);
    return ticks;
}

// Every fifth tick has some messages.
static size_t message_count(size_t tick) { return tick % 5 == 3 ? tick % 3 : 0; }

static FiloInputMessage message_of(size_t tick, size_t n) {
    static char text[64];
    int length = n == 1 ? 0 : snprintf(text, sizeof text, "{\"tick\": %zu, \"n\": %zu}", tick, n);
    return (FiloInputMessage){ filo_name(n == 1 ? "restart" : "level"),
                               filo_string_from(text, (size_t)length) };
}

static void record_messages(FiloInputRecorder *recorder, size_t tick) {
    for (size_t n = 0; n < message_count(tick); n++) {
        FiloInputMessage message = message_of(tick, n);
        assert_ok(filo_input_recorder_message(recorder, &message));
    }
}

static void assert_same_messages(const FiloInputReplay *replay, size_t tick) {
    size_t count;
    const FiloInputMessage *messages = filo_input_replay_messages(replay, &count);
    assert_int_equal(count, message_count(tick));
    for (size_t n = 0; n < count; n++) {
        FiloInputMessage wanted = message_of(tick, n);
        assert_int_equal(messages[n].event.id, wanted.event.id);
        assert_true(filo_string_equal(messages[n].text, wanted.text));
    }
}

static void record(const char *path, const Tick *ticks, size_t count, uint64_t hash) {
    FiloInputRecorder *recorder = record_to(path);
    for (size_t i = 0; i < count; i++) {
        record_messages(recorder, i);
        assert_ok(filo_input_recorder_add(recorder, ticks[i].delta, &ticks[i].input, ticks[i].changes,
                                          ticks[i].change_count));
    }
    if (hash != 0) assert_ok(filo_input_recorder_finish(recorder, hash));
    filo_input_recorder_destroy(recorder);
}

static void assert_same_tick(const Tick *tick, float delta, const FiloInput *input,
                             const FiloInputChange *changes, size_t change_count) {
    assert_memory_equal(&delta, &tick->delta, sizeof delta);
    char path[128];
    if (filo_reflect_difference(FILO_TYPE(FiloInput), input, &tick->input, path, sizeof path))
        fail_msg("%s differs", path);
    assert_int_equal(change_count, tick->change_count);
    for (size_t i = 0; i < change_count; i++)
        assert_true(filo_reflect_equal(FILO_TYPE(FiloInputChange), &changes[i], &tick->changes[i]));
}

FILO_TEST(a_replay_gives_exactly_what_was_recorded) {
    enum { COUNT = 2000 };
    const char *path = filo_test_path("game.input");
    Tick *ticks = play(COUNT);
    record(path, ticks, COUNT, 4711);

    FiloInputReplay *replay;
    assert_ok(filo_input_replay_open(&replay, path));
    assert_string_equal(filo_input_replay_head(replay)->game, "Ship");
    assert_true(filo_input_replay_head(replay)->seed == head.seed);
    assert_true(filo_input_replay_head(replay)->tick_seconds == head.tick_seconds);
    float delta;
    FiloInput input;
    const FiloInputChange *changes;
    size_t change_count;
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(filo_input_replay_ticks(replay), i);
        assert_int_equal(filo_input_replay_hash(replay), 0);
        memset(&input, 0xAA, sizeof input);
        assert_ok(filo_input_replay_next(replay, &delta, &input, &changes, &change_count));
        assert_same_tick(&ticks[i], delta, &input, changes, change_count);
        assert_same_messages(replay, i);
    }
    for (int i = 0; i < 2; i++) // and again
        assert_error(filo_input_replay_next(replay, &delta, &input, &changes, &change_count),
                     FILO_ERROR_NOT_FOUND, "no more ticks");
    assert_int_equal(filo_input_replay_ticks(replay), COUNT);
    assert_int_equal(filo_input_replay_hash(replay), 4711);
    filo_input_replay_close(replay);
    free(ticks);
}

static long size_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (long)info.st_size;
}

FILO_TEST(a_tick_without_a_change_takes_one_byte_and_is_written_at_once) {
    const char *path = filo_test_path("still.input");
    FiloInputRecorder *recorder = record_to(path);
    FiloInput input = { .focused = true };
    assert_ok(filo_input_recorder_add(recorder, 0.5f, &input, NULL, 0));
    long size = size_of(path);
    for (long i = 1; i <= 100; i++) {
        assert_ok(filo_input_recorder_add(recorder, 0.5f, &input, NULL, 0));
        assert_int_equal(size_of(path), size + i);
    }
    filo_input_recorder_destroy(recorder);
}

FILO_TEST(recording_a_steady_game_allocates_nothing) {
    FiloInputRecorder *recorder = record_to(filo_test_path("steady.input"));
    Tick *ticks = play(600);
    for (size_t i = 0; i < 300; i++)
        assert_ok(filo_input_recorder_add(recorder, ticks[i].delta, &ticks[i].input, ticks[i].changes,
                                          ticks[i].change_count));
    uint64_t before = filo_memory_system_calls();
    for (size_t i = 300; i < 600; i++)
        assert_ok(filo_input_recorder_add(recorder, ticks[i].delta, &ticks[i].input, ticks[i].changes,
                                          ticks[i].change_count));
    assert_int_equal(filo_memory_system_calls(), before);
    filo_input_recorder_destroy(recorder);
    free(ticks);
}

// Reads as far as it goes, and returns why it ended. What was read must be what was recorded.
static FiloResult replay_bytes(const uint8_t *bytes, size_t size, const Tick *ticks, uint64_t *count) {
    FiloInputReplay *replay;
    *count = 0;
    FiloResult result = filo_input_replay_from_memory(&replay, bytes, size, "bytes");
    if (result.code != FILO_OK) {
        assert_null(replay);
        return result;
    }
    for (;;) {
        float delta;
        FiloInput input;
        const FiloInputChange *changes;
        size_t change_count;
        result = filo_input_replay_next(replay, &delta, &input, &changes, &change_count);
        if (result.code != FILO_OK) break;
        if (ticks != NULL) assert_same_tick(&ticks[*count], delta, &input, changes, change_count);
        ++*count;
    }
    assert_int_equal(filo_input_replay_ticks(replay), *count);
    filo_input_replay_close(replay);
    return result;
}

FILO_TEST(a_file_cut_anywhere_gives_the_ticks_before_and_says_so) {
    enum { COUNT = 20 };
    const char *path = filo_test_path("cut.input");
    Tick *ticks = play(COUNT);
    record(path, ticks, COUNT, 1);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t last = 0;
    for (size_t size = 0; size < file.size; size++) {
        uint8_t *copy = malloc(size + 1); // so that sanitizers detect reads past its end
        assert_non_null(copy);
        memcpy(copy, file.bytes, size);
        uint64_t count;
        FiloResult result = replay_bytes(copy, size, ticks, &count);
        assert_int_equal(result.code, FILO_ERROR_DATA);
        assert_contains(result.message, "bytes: ");
        assert_true(count >= last); // a longer file never has fewer ticks
        last = count;
        free(copy);
    }
    assert_int_equal(last, COUNT);
    filo_file_free(&file);
    free(ticks);
}

FILO_TEST(a_game_that_did_not_finish_can_be_replayed_up_to_there) {
    const char *path = filo_test_path("crashed.input");
    Tick *ticks = play(10);
    record(path, ticks, 10, 0);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t count;
    assert_error(replay_bytes(file.bytes, file.size, ticks, &count), FILO_ERROR_DATA,
                 "ends after 10 ticks without its end: the game did not finish, or the file was cut");
    assert_int_equal(count, 10);
    filo_file_free(&file);
    free(ticks);
}

FILO_TEST(a_wrong_bit_anywhere_is_an_error) {
    enum { COUNT = 10 };
    const char *path = filo_test_path("wrong.input");
    Tick *ticks = play(COUNT);
    record(path, ticks, COUNT, 77);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    for (size_t i = 0; i < file.size; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            file.bytes[i] ^= (uint8_t)(1u << bit);
            uint64_t count;
            FiloResult result = replay_bytes(file.bytes, file.size, ticks, &count);
            assert_int_equal(result.code, FILO_ERROR_DATA);
            file.bytes[i] ^= (uint8_t)(1u << bit);
        }
    }
    filo_file_free(&file);
    free(ticks);
}

FILO_TEST(an_unchanged_tick_that_is_lost_or_doubled_is_detected) {
    const char *path = filo_test_path("lost.input");
    FiloInputRecorder *recorder = record_to(path);
    FiloInput input = { 0 };
    assert_ok(filo_input_recorder_add(recorder, 0, &input, NULL, 0));
    assert_ok(filo_input_recorder_add(recorder, 0, &input, NULL, 0));
    input.quit = true;
    assert_ok(filo_input_recorder_add(recorder, 0, &input, NULL, 0));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    size_t start = 8 + 4 + 2 + strlen(head.game) + 8 + 8 + 4 + 4;
    assert_int_equal(file.bytes[start], 0);
    uint64_t count;
    memmove(file.bytes + start, file.bytes + start + 1, file.size - start - 1);
    assert_error(replay_bytes(file.bytes, file.size - 1, NULL, &count), FILO_ERROR_DATA,
                 "broken at tick 1: the checksum is wrong");
    filo_file_free(&file);
}

FILO_TEST(bytes_after_the_end_are_an_error) {
    const char *path = filo_test_path("after.input");
    record(path, NULL, 0, 5);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t count; // filo_file_read appends a zero
    assert_error(replay_bytes(file.bytes, file.size + 1, NULL, &count), FILO_ERROR_DATA,
                 "bytes after the end");
    assert_error(replay_bytes(file.bytes, file.size, NULL, &count), FILO_ERROR_NOT_FOUND, "no more ticks");
    filo_file_free(&file);
}

FILO_TEST(flags_are_recorded_and_broken_ones_refused) {
    const char *path = filo_test_path("flags.input");
    static FiloInputLogHead with_flags = { .game = "Ship", .tick_seconds = 1, .flags = "--a=1\n--no-b\n" };
    for (int i = 0; i < 2; i++) {
        FiloInputRecorder *recorder;
        assert_ok(filo_input_recorder_create(&recorder, path, &with_flags));
        assert_ok(filo_input_recorder_finish(recorder, 7));
        filo_input_recorder_destroy(recorder);
        FiloInputReplay *replay;
        assert_ok(filo_input_replay_open(&replay, path));
        assert_string_equal(filo_input_replay_head(replay)->flags, with_flags.flags);
        filo_input_replay_close(replay);
        memset(with_flags.flags, 'x', sizeof with_flags.flags - 1); // as long as it can be
    }
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t count;
    size_t flags = 8 + 4 + 2 + 4 + 8 + 8; // offset of their length
    for (size_t cut = 0; cut < flags + 40; cut++)
        assert_int_equal(replay_bytes(file.bytes, cut, NULL, &count).code, FILO_ERROR_DATA);
    file.bytes[flags + 3] = 0xFF;
    assert_error(replay_bytes(file.bytes, file.size, NULL, &count), FILO_ERROR_DATA, "the head");
    file.bytes[flags + 3] = 0, file.bytes[flags + 9] = 0;
    assert_error(replay_bytes(file.bytes, file.size, NULL, &count), FILO_ERROR_DATA, "the head");
    filo_file_free(&file);
}

FILO_TEST(a_change_that_cannot_be_collected_cannot_be_read) {
    static const FiloInputChange invalid[] = { { .kind = FILO_INPUT_KEY },
                                               { .kind = FILO_INPUT_PAD_KEY, .key = FILO_KEY_A },
                                               { .kind = FILO_INPUT_WHEEL, .key = FILO_KEY_COUNT },
                                               { .kind = FILO_INPUT_PAD, .pad = FILO_INPUT_PADS },
                                               { .kind = FILO_INPUT_PAD_AXIS, .axis = FILO_AXIS_COUNT } };
    static const FiloInputChange valid = { .kind = FILO_INPUT_PAD_KEY, .pad = 3, .key = FILO_PAD_RIGHT };
    for (size_t i = 0; i <= FILO_COUNT_OF(invalid); i++) {
        bool is_valid = i == FILO_COUNT_OF(invalid);
        FiloBuilder bytes;
        filo_builder_init(&bytes, NULL);
        platform_log_put_change(&bytes, is_valid ? &valid : &invalid[i]);
        const uint8_t *data = (const uint8_t *)bytes.data;
        PlatformLogReader reader = { .at = data, .end = data + bytes.length };
        FiloInputChange change;
        assert_int_equal(platform_log_get_change(&reader, &change), is_valid);
        filo_builder_deinit(&bytes);
    }
}

FILO_TEST(other_files_and_versions_are_refused) {
    const char *path = filo_test_path("other.input");
    record(path, NULL, 0, 5);
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t count;
    file.bytes[8] = 4;
    assert_error(replay_bytes(file.bytes, file.size, NULL, &count), FILO_ERROR_DATA,
                 "version 4 of a recording; this program reads 1 to 3");
    assert_error(replay_bytes((const uint8_t *)"PNG and more", 12, NULL, &count), FILO_ERROR_DATA,
                 "bytes: not a recording of input");
    assert_error(replay_bytes(NULL, 0, NULL, &count), FILO_ERROR_DATA, "not a recording of input");
    FiloInputReplay *replay;
    assert_error(filo_input_replay_open(&replay, filo_test_path("missing.input")), FILO_ERROR_NOT_FOUND,
                 "missing.input");
    assert_null(replay);
    filo_file_free(&file);
}

// A file of one tick, in which the mouse wheel was turned, with these parts of a payload besides.
static FiloBuilder file_of_version(uint32_t version, uint8_t parts, const char *rest) {
    FiloBuilder file = { 0 }, payload = { 0 };
    platform_log_put_bytes(&file, PLATFORM_LOG_MAGIC, strlen(PLATFORM_LOG_MAGIC));
    platform_log_put_u32(&file, version);
    platform_log_put_bytes(&file, "\1\0G", 3);
    platform_log_put_u64(&file, 7);
    platform_log_put_f64(&file, 0.5);
    if (version >= 2) platform_log_put_u32(&file, 9), platform_log_put_bytes(&file, "--rocks=1", 9);
    platform_log_put_u32(&file, platform_log_checksum(file.data, file.length, 0));
    platform_log_put_u8(&payload, parts | PLATFORM_LOG_HAS_DELTA | PLATFORM_LOG_HAS_CHANGES);
    platform_log_put_f32(&payload, 0.25f);
    platform_log_put_count(&payload, 1);
    platform_log_put_change(&payload, &(FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 0, 1 } });
    platform_log_put_bytes(&payload, rest, strlen(rest));
    platform_log_put_u8(&file, PLATFORM_LOG_TICK);
    platform_log_put_count(&file, payload.length);
    platform_log_put_bytes(&file, payload.data, payload.length);
    platform_log_put_u32(&file, platform_log_checksum(payload.data, payload.length, 0));
    filo_builder_deinit(&payload);
    return file;
}

FILO_TEST(recordings_of_older_versions_are_read) {
    for (uint32_t version = 1; version <= 3; version++) {
        FiloBuilder file = file_of_version(version, 0, "");
        FiloInputReplay *replay;
        assert_ok(filo_input_replay_from_memory(&replay, file.data, file.length, "old"));
        assert_string_equal(filo_input_replay_head(replay)->flags, version >= 2 ? "--rocks=1" : "");
        float delta;
        FiloInput input;
        const FiloInputChange *changes;
        size_t count;
        assert_ok(filo_input_replay_next(replay, &delta, &input, &changes, &count));
        assert_true(delta == 0.25f && count == 1 && changes[0].kind == FILO_INPUT_WHEEL);
        filo_input_replay_messages(replay, &count);
        assert_int_equal(count, 0);
        filo_input_replay_close(replay);
        filo_builder_deinit(&file);
    }
}

FILO_TEST(messages_that_are_broken_are_refused) {
    const struct {
        uint32_t version;
        const char *bytes, *message;
    } cases[] = { { 3, "\1\1a\1x", NULL },
                  { 2, "\1\1a\1x", "unknown parts" },
                  { 3, "\2\1a\1x", "too many messages" },
                  { 3, "\xFF\xFF\xFF\x07", "too many messages" },
                  { 3,
                    "\1\x0F"
                    "abc",
                    "a bad name" },
                  { 3, "\1\1a\2x", "a bad message" },
                  { 3, "\1\1a\xFF\xFF\xFF\xFF\x0F", "a bad message" },
                  { 3, "\1\1a\1xy", "a record of the wrong size" } };
    (void)filo_name("a");
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloBuilder file = file_of_version(cases[i].version, PLATFORM_LOG_HAS_MESSAGES, cases[i].bytes);
        FiloInputReplay *replay;
        float delta;
        FiloInput input;
        size_t count;
        assert_ok(filo_input_replay_from_memory(&replay, file.data, file.length, "broken"));
        FiloResult result = filo_input_replay_next(replay, &delta, &input, NULL, NULL);
        if (cases[i].message == NULL)
            assert_ok(result);
        else
            assert_error(result, FILO_ERROR_DATA, cases[i].message);
        filo_input_replay_messages(replay, &count);
        assert_int_equal(count, cases[i].message == NULL);
        filo_input_replay_close(replay);
        filo_builder_deinit(&file);
    }
}

FILO_TEST(messages_whose_event_nothing_has_named_are_left_out) {
    FiloBuilder file = file_of_version(3, PLATFORM_LOG_HAS_MESSAGES, "\2\5other\1x\5known\1y");
    (void)filo_name("known");
    FiloInputReplay *replay;
    float delta;
    FiloInput input;
    size_t count;
    assert_ok(filo_input_replay_from_memory(&replay, file.data, file.length, "log"));
    assert_ok(filo_input_replay_next(replay, &delta, &input, NULL, NULL));
    const FiloInputMessage *messages = filo_input_replay_messages(replay, &count);
    assert_int_equal(count, 1);
    assert_string_equal(filo_name_text(messages[0].event), "known");
    assert_int_equal(filo_name_find(FILO_STRING("other")).id, 0);
    filo_input_replay_close(replay);
    filo_builder_deinit(&file);
}

FILO_TEST(messages_that_are_too_long_are_refused) {
    char *text = calloc(FILO_INPUT_MESSAGE + 2, 1), name[300];
    assert_non_null(text);
    memset(text, 'x', FILO_INPUT_MESSAGE + 1);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const FiloInputMessage bad[] = { { filo_name("m"), filo_string(text) }, { filo_name(name), { "", 0 } } };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        FiloInputRecorder *recorder = record_to(filo_test_path("large.input"));
        FiloInputMessage largest = { filo_name("m"), filo_string_from(text, FILO_INPUT_MESSAGE) };
        assert_ok(filo_input_recorder_message(recorder, &largest));
        assert_error(filo_input_recorder_message(recorder, &bad[i]), FILO_ERROR_LIMIT, "large.input");
        assert_error(filo_input_recorder_add(recorder, 0, &(FiloInput){ 0 }, NULL, 0), FILO_ERROR_LIMIT,
                     "large.input");
        filo_input_recorder_destroy(recorder);
    }
    FiloInputRecorder *recorder = record_to(filo_test_path("large.input"));
    expect_mistake("pass a message with an event",
                   filo_input_recorder_message(recorder, &(FiloInputMessage){ 0 }));
    filo_input_recorder_destroy(recorder);
    free(text);
}

FILO_TEST(a_file_that_cannot_be_written_is_an_error_that_stays) {
    FiloInputRecorder *recorder;
    assert_error(filo_input_recorder_create(&recorder, filo_test_path("no/folder"), &head),
                 FILO_ERROR_NOT_FOUND, "no/folder");
    assert_null(recorder);
    assert_error(filo_input_recorder_create(&recorder, "/dev/full", &head), FILO_ERROR_SPACE, "/dev/full");
    assert_null(recorder);
}

FILO_TEST(too_many_names_are_refused) {
    FiloInputRecorder *recorder = record_to(filo_test_path("names.input"));
    FiloInput input = { .action_count = 1 };
    FiloResult result = filo_ok();
    int count = 0;
    for (; result.code == FILO_OK && count < 1000; count++) {
        char name[32];
        snprintf(name, sizeof name, "action number %d", count);
        input.actions[0].name = filo_name(name);
        result = filo_input_recorder_add(recorder, 0, &input, NULL, 0);
    }
    assert_int_equal(count, 256);
    assert_error(result, FILO_ERROR_LIMIT, "more than 255 actions");
    assert_error(filo_input_recorder_add(recorder, 0, &input, NULL, 0), FILO_ERROR_LIMIT, "more than 255");
    assert_error(filo_input_recorder_finish(recorder, 0), FILO_ERROR_LIMIT, "more than 255");
    filo_input_recorder_destroy(recorder);
}

FILO_TEST(mistakes_are_named) {
    only_in_debug_builds();
    FiloInputRecorder *recorder = record_to(filo_test_path("mistakes.input"));
    FiloInputReplay *replay;
    FiloInput input = { 0 };
    float delta;
    expect_mistake("pass a pointer, a path and a head", filo_input_recorder_create(NULL, "x", &head));
    expect_mistake("pass an input and its changes", filo_input_recorder_add(recorder, 0, NULL, NULL, 0));
    expect_mistake("pass an input and its changes", filo_input_recorder_add(recorder, 0, &input, NULL, 1));
    expect_mistake("pass the length of the tick", filo_input_recorder_add(recorder, -1, &input, NULL, 0));
    expect_mistake(
        "change 0 of a tick: pass the number of a gamepad, 0 to 3; it was 9",
        filo_input_recorder_add(recorder, 0, &input, &(FiloInputChange){ .key = FILO_KEY_A, .pad = 9 }, 1));
    input.action_count = 65;
    expect_mistake("at most 64 actions, not 65", filo_input_recorder_add(recorder, 0, &input, NULL, 0));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    expect_mistake("call filo_input_recorder_finish before", filo_input_recorder_finish(recorder, 0));
    input.action_count = 0;
    expect_mistake("call filo_input_recorder_add before",
                   filo_input_recorder_add(recorder, 0, &input, NULL, 0));
    expect_mistake("pass a recorder", filo_input_recorder_add(NULL, 0, &input, NULL, 0));
    expect_mistake("pass a pointer and a path", filo_input_replay_open(&replay, NULL));
    expect_mistake("pass a pointer and bytes", filo_input_replay_from_memory(NULL, "", 0, NULL));
    expect_mistake("pass a replay", filo_input_replay_next(NULL, &delta, &input, NULL, NULL));
    expect_fault("pass a replay to filo_input_replay_head", filo_input_replay_head(NULL));
    filo_input_recorder_destroy(recorder);
    filo_input_recorder_destroy(NULL);
    filo_input_replay_close(NULL);
}
