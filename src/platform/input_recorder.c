// Writing the input of every tick to a file (input_log.h).
//
// A tick is written immediately, by one system call and without a buffer: if the game crashes in that tick, the file
// has the input that made it crash. Only the differences from the state of the tick before are written.

#include "platform/input_log.h"
#include "platform/input_state.h"

#include <filo/check.h>
#include <filo/memory.h>

#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct FiloInputRecorder {
    int file;
    bool finished;
    FiloResult failure; // the first one; nothing is written after it
    uint64_t ticks;
    float delta;
    uint8_t state[PLATFORM_LOG_STATE_SIZE];
    FiloBuilder payload, record;
    FiloBuilder messages; // of the next tick, as bytes of the file
    size_t message_count;
    FiloName names[PLATFORM_LOG_MAX_NAMES]; // index: number in the file, from 1
    size_t name_count;
    uint32_t last_ids[FILO_INPUT_ACTIONS];   // ids of the names of the last tick's actions
    uint16_t last_names[FILO_INPUT_ACTIONS]; // numbers of these names
    size_t path_size;
    char path[];
};

static FiloResult write_all(FiloInputRecorder *recorder, const FiloBuilder *bytes) {
    if (bytes->failed) return filo_error(FILO_ERROR_MEMORY, "%s: no memory to record input", recorder->path);
    if (base_fs_write(recorder->file, bytes->data, bytes->length) == bytes->length) return filo_ok();
    return filo_error_from_errno(errno, recorder->path);
}

// ---- The head -------------------------------------------------------------------------------------------

static FiloResult write_head(FiloInputRecorder *recorder, const FiloInputLogHead *head) {
    FiloBuilder *out = &recorder->record;
    size_t length = strnlen(head->game, sizeof head->game - 1);
    size_t flags = strnlen(head->flags, sizeof head->flags - 1);
    platform_log_put_bytes(out, PLATFORM_LOG_MAGIC, strlen(PLATFORM_LOG_MAGIC));
    platform_log_put_u32(out, PLATFORM_LOG_VERSION);
    platform_log_put_u8(out, (uint8_t)length);
    platform_log_put_u8(out, 0);
    platform_log_put_bytes(out, head->game, length);
    platform_log_put_u64(out, head->seed);
    platform_log_put_f64(out, head->tick_seconds);
    platform_log_put_u32(out, (uint32_t)flags);
    platform_log_put_bytes(out, head->flags, flags);
    if (!out->failed) platform_log_put_u32(out, platform_log_checksum(out->data, out->length, 0));
    return write_all(recorder, out);
}

FiloResult filo_input_recorder_create(FiloInputRecorder **recorder, const char *path,
                                      const FiloInputLogHead *head) {
    if (recorder != NULL) *recorder = NULL;
    if (recorder == NULL || path == NULL || head == NULL)
        return FILO_MISTAKE("pass a pointer, a path and a head to filo_input_recorder_create");
    if (!isfinite(head->tick_seconds) || head->tick_seconds < 0)
        return FILO_MISTAKE("give the head of a recording the length of a tick, 0 if it varies");
    size_t path_size = strlen(path) + 1;
    FiloInputRecorder *made = filo_alloc_zero(NULL, sizeof *made + path_size, 0);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory to record input", path);
    memcpy(made->path, path, path_size);
    made->path_size = path_size;
    made->name_count = 1;
    made->file = base_fs_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    FiloResult result = made->file >= 0 ? write_head(made, head) : filo_error_from_errno(errno, path);
    if (result.code != FILO_OK) {
        filo_input_recorder_destroy(made);
        return result;
    }
    *recorder = made;
    return filo_ok();
}

void filo_input_recorder_destroy(FiloInputRecorder *recorder) {
    if (recorder == NULL) return;
    if (recorder->file >= 0) close(recorder->file);
    filo_builder_deinit(&recorder->payload);
    filo_builder_deinit(&recorder->record);
    filo_builder_deinit(&recorder->messages);
    filo_free(NULL, recorder, sizeof *recorder + recorder->path_size, 0);
}

// ---- A tick ---------------------------------------------------------------------------------------------

// The number of a name in the file. A name without a number is appended to `new_names`. 0 if there are too many names,
// or it is too long.
static uint16_t number_of(FiloInputRecorder *recorder, FiloName name, FiloBuilder *new_names,
                          size_t *new_count) {
    for (size_t i = 1; i < recorder->name_count; i++)
        if (recorder->names[i].id == name.id) return (uint16_t)i;
    FiloString text = filo_name_string(name);
    if (recorder->name_count == PLATFORM_LOG_MAX_NAMES || text.length > PLATFORM_LOG_MAX_NAME_LENGTH)
        return 0;
    recorder->names[recorder->name_count] = name;
    platform_log_put_u8(new_names, (uint8_t)text.length);
    platform_log_put_bytes(new_names, text.data, text.length);
    ++*new_count;
    return (uint16_t)recorder->name_count++;
}

// Updates last_names to the actions of `input`. False if a name gets no number.
static bool update_names(FiloInputRecorder *recorder, const FiloInput *input, FiloBuilder *new_names,
                         size_t *new_count) {
    for (uint32_t i = 0; i < input->action_count; i++) {
        FiloName name = input->actions[i].name;
        if (recorder->last_ids[i] == name.id) continue;
        recorder->last_ids[i] = name.id;
        recorder->last_names[i] = name.id != 0 ? number_of(recorder, name, new_names, new_count) : 0;
        if (name.id != 0 && recorder->last_names[i] == 0) return false;
    }
    return true;
}

typedef struct Run {
    size_t start, end;
} Run;

// Finds the next run of bytes that differ, from `from` on. Runs that are closer than the bytes that a new run costs are
// joined.
static bool next_run(const uint8_t *old, const uint8_t *now, size_t from, Run *run) {
    while (from < PLATFORM_LOG_STATE_SIZE && old[from] == now[from]) from++;
    if (from == PLATFORM_LOG_STATE_SIZE) return false;
    *run = (Run){ from, from + 1 };
    for (size_t i = from + 1; i < PLATFORM_LOG_STATE_SIZE && i < run->end + 3; i++)
        if (old[i] != now[i]) run->end = i + 1;
    return true;
}

static void put_state(FiloBuilder *out, const uint8_t *old, const uint8_t *now) {
    size_t count = 0;
    Run run = { 0 };
    while (next_run(old, now, run.end, &run)) count++;
    platform_log_put_count(out, count);
    run = (Run){ 0 };
    for (size_t before = 0; next_run(old, now, before, &run); before = run.end) {
        platform_log_put_count(out, run.start - before);
        platform_log_put_count(out, run.end - run.start);
        platform_log_put_bytes(out, now + run.start, run.end - run.start);
    }
}

static void put_messages(FiloInputRecorder *recorder, FiloBuilder *out) {
    if (recorder->message_count == 0) return;
    platform_log_put_count(out, recorder->message_count);
    platform_log_put_bytes(out, recorder->messages.data, recorder->messages.length);
    filo_builder_clear(&recorder->messages);
    recorder->message_count = 0;
}

static FiloResult make_record(FiloInputRecorder *recorder, float delta, const FiloInput *input,
                              const FiloInputChange *changes, size_t change_count) {
    FiloBuilder *payload = &recorder->payload, *record = &recorder->record;
    filo_builder_clear(payload), filo_builder_clear(record);
    // `record` first serves as a buffer for the new names.
    size_t new_names = 0;
    if (!update_names(recorder, input, record, &new_names))
        return filo_error(FILO_ERROR_LIMIT,
                          "%s: more than %d actions, or one with a name of more than %d bytes",
                          recorder->path, PLATFORM_LOG_MAX_NAMES - 1, PLATFORM_LOG_MAX_NAME_LENGTH);
    uint8_t state[PLATFORM_LOG_STATE_SIZE];
    platform_log_pack(state, input, recorder->last_names);
    bool new_delta = delta != recorder->delta;
    bool new_state = memcmp(state, recorder->state, sizeof state) != 0;
    platform_log_put_u8(
        payload,
        (uint8_t)(new_delta * PLATFORM_LOG_HAS_DELTA | (new_names > 0) * PLATFORM_LOG_HAS_NAMES |
                  new_state * PLATFORM_LOG_HAS_STATE | (change_count > 0) * PLATFORM_LOG_HAS_CHANGES |
                  (recorder->message_count > 0) * PLATFORM_LOG_HAS_MESSAGES));
    if (new_delta) platform_log_put_f32(payload, delta);
    if (new_names > 0)
        platform_log_put_count(payload, new_names),
            platform_log_put_bytes(payload, record->data, record->length);
    if (new_state) put_state(payload, recorder->state, state);
    if (change_count > 0) platform_log_put_count(payload, change_count);
    for (size_t i = 0; i < change_count; i++) platform_log_put_change(payload, &changes[i]);
    put_messages(recorder, payload);
    memcpy(recorder->state, state, sizeof state);
    recorder->delta = delta;

    bool names_failed = record->failed;
    filo_builder_clear(record);
    if (payload->failed || names_failed)
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to record input", recorder->path);
    if (payload->length == 1 && payload->data[0] == 0) {
        platform_log_put_u8(record, PLATFORM_LOG_SAME);
        return filo_ok();
    }
    platform_log_put_u8(record, PLATFORM_LOG_TICK);
    platform_log_put_count(record, payload->length);
    platform_log_put_bytes(record, payload->data, payload->length);
    platform_log_put_u32(record, platform_log_checksum(payload->data, payload->length, recorder->ticks));
    return filo_ok();
}

static FiloResult check_tick(float delta, const FiloInput *input, const FiloInputChange *changes,
                             size_t change_count) {
    if (input == NULL || (changes == NULL && change_count != 0))
        return FILO_MISTAKE("pass an input and its changes to filo_input_recorder_add");
    if (!isfinite(delta) || delta < 0)
        return FILO_MISTAKE("pass the length of the tick to filo_input_recorder_add");
    if (input->action_count > FILO_INPUT_ACTIONS)
        return FILO_MISTAKE("an input has at most %d actions, not %u", FILO_INPUT_ACTIONS,
                            input->action_count);
    for (size_t i = 0; i < change_count; i++) {
        FiloResult problem = platform_input_change_check(&changes[i]);
        if (problem.code != FILO_OK) return FILO_MISTAKE("change %zu of a tick: %s", i, problem.message);
    }
    return filo_ok();
}

static FiloResult check_writable(const FiloInputRecorder *recorder, const char *function) {
    if (recorder == NULL) return FILO_MISTAKE("pass a recorder to %s", function);
    if (recorder->finished) return FILO_MISTAKE("call %s before filo_input_recorder_finish", function);
    return filo_ok();
}

FiloResult filo_input_recorder_message(FiloInputRecorder *recorder, const FiloInputMessage *message) {
    FiloResult result = check_writable(recorder, "filo_input_recorder_message");
    if (result.code != FILO_OK) return result;
    if (message == NULL || message->event.id == 0 || (message->text.data == NULL && message->text.length > 0))
        return FILO_MISTAKE("pass a message with an event to filo_input_recorder_message");
    if (recorder->failure.code != FILO_OK) return recorder->failure;
    FiloString event = filo_name_string(message->event);
    if (event.length > PLATFORM_LOG_MAX_NAME_LENGTH || message->text.length > FILO_INPUT_MESSAGE ||
        recorder->message_count == PLATFORM_LOG_MAX_MESSAGES)
        return recorder->failure = filo_error(
                   FILO_ERROR_LIMIT,
                   "%s: more than %d messages in one tick, an event with a name of more than %d bytes, or a "
                   "text of more than %d",
                   recorder->path, PLATFORM_LOG_MAX_MESSAGES, PLATFORM_LOG_MAX_NAME_LENGTH,
                   FILO_INPUT_MESSAGE);
    FiloBuilder *out = &recorder->messages;
    platform_log_put_u8(out, (uint8_t)event.length);
    platform_log_put_bytes(out, event.data, event.length);
    platform_log_put_count(out, message->text.length);
    platform_log_put_bytes(out, message->text.data, message->text.length);
    recorder->message_count++;
    if (!out->failed) return filo_ok();
    return recorder->failure = filo_error(FILO_ERROR_MEMORY, "%s: no memory to record input", recorder->path);
}

FiloResult filo_input_recorder_add(FiloInputRecorder *recorder, float delta, const FiloInput *input,
                                   const FiloInputChange *changes, size_t change_count) {
    FiloResult result = check_writable(recorder, "filo_input_recorder_add");
    if (result.code == FILO_OK) result = check_tick(delta, input, changes, change_count);
    if (result.code != FILO_OK) return result;
    if (recorder->failure.code != FILO_OK) return recorder->failure;
    result = change_count > PLATFORM_LOG_MAX_CHANGES
                 ? filo_error(FILO_ERROR_LIMIT, "%s: more than %d changes in one tick", recorder->path,
                              PLATFORM_LOG_MAX_CHANGES)
                 : make_record(recorder, delta, input, changes, change_count);
    if (result.code == FILO_OK) result = write_all(recorder, &recorder->record);
    if (result.code == FILO_OK)
        recorder->ticks++;
    else
        recorder->failure = result;
    return result;
}

FiloResult filo_input_recorder_finish(FiloInputRecorder *recorder, uint64_t hash) {
    FiloResult mistake = check_writable(recorder, "filo_input_recorder_finish");
    if (mistake.code != FILO_OK) return mistake;
    recorder->finished = true;
    if (recorder->failure.code != FILO_OK) return recorder->failure;
    FiloBuilder *record = &recorder->record;
    filo_builder_clear(record);
    platform_log_put_u8(record, PLATFORM_LOG_END);
    platform_log_put_u64(record, recorder->ticks);
    platform_log_put_u64(record, hash);
    if (!record->failed)
        platform_log_put_u32(record,
                             platform_log_checksum(record->data + 1, record->length - 1, recorder->ticks));
    return write_all(recorder, record);
}
