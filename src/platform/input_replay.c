// Reading a recording of input (input_log.h). The file is not trusted: all numbers are checked, and an error names the
// tick. After an error, all further calls return it.

#include "platform/input_log.h"

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/files.h>
#include <filo/memory.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct FiloInputReplay {
    FiloFileData file; // empty for a replay from memory
    PlatformLogReader in;
    FiloInputLogHead head;
    FiloResult end; // why there are no more ticks; FILO_OK while there are
    uint64_t ticks, hash;
    float delta;
    uint8_t state[PLATFORM_LOG_STATE_SIZE];
    FiloName names[PLATFORM_LOG_MAX_NAMES];
    size_t name_count;
    FiloArray(FiloInputChange) changes;
    FiloArray(FiloInputMessage) messages; // their texts point into the file
    uint32_t version;
    char name[256];
};

static FiloResult broken(const FiloInputReplay *replay, const char *why) {
    return filo_error(FILO_ERROR_DATA, "%s: broken at tick %llu: %s", replay->name,
                      (unsigned long long)replay->ticks, why);
}

// ---- Opening and closing --------------------------------------------------------------------------------

static void read_flags(FiloInputReplay *replay) {
    uint32_t length = platform_log_get_u32(&replay->in);
    const uint8_t *flags = platform_log_get_bytes(&replay->in, length);
    bool valid = flags != NULL && length < sizeof replay->head.flags && memchr(flags, '\0', length) == NULL;
    if (valid)
        memcpy(replay->head.flags, flags, length);
    else
        replay->in.failed = true;
}

static FiloResult read_head(FiloInputReplay *replay) {
    PlatformLogReader *in = &replay->in;
    const uint8_t *start = in->at;
    const uint8_t *magic = platform_log_get_bytes(in, strlen(PLATFORM_LOG_MAGIC));
    if (magic == NULL || memcmp(magic, PLATFORM_LOG_MAGIC, strlen(PLATFORM_LOG_MAGIC)) != 0)
        return filo_error(FILO_ERROR_DATA, "%s: not a recording of input", replay->name);
    uint32_t version = platform_log_get_u32(in);
    if (!in->failed && (version == 0 || version > PLATFORM_LOG_VERSION))
        return filo_error(FILO_ERROR_DATA, "%s: version %u of a recording; this program reads 1 to %d",
                          replay->name, version, PLATFORM_LOG_VERSION);
    replay->version = version;
    uint16_t length = platform_log_get_u16(in);
    const uint8_t *game = platform_log_get_bytes(in, length);
    if (game != NULL && length < sizeof replay->head.game) memcpy(replay->head.game, game, length);
    replay->head.seed = platform_log_get_u64(in);
    replay->head.tick_seconds = platform_log_get_f64(in);
    if (version >= PLATFORM_LOG_VERSION_FLAGS) read_flags(replay);
    size_t size = (size_t)(in->at - start);
    uint32_t checksum = platform_log_get_u32(in);
    if (in->failed || checksum != platform_log_checksum(start, size, 0) ||
        length >= sizeof replay->head.game || !isfinite(replay->head.tick_seconds) ||
        replay->head.tick_seconds < 0)
        return filo_error(FILO_ERROR_DATA, "%s: the head of the recording is broken", replay->name);
    return filo_ok();
}

// Takes ownership of `file`, also when it fails.
static FiloResult open_bytes(FiloInputReplay **replay, const void *bytes, size_t size, const char *name,
                             FiloFileData file) {
    FiloInputReplay *made = filo_alloc_zero(NULL, sizeof *made, 0);
    if (made == NULL) {
        filo_file_free(&file);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory to replay it", name);
    }
    made->file = file;
    made->in = (PlatformLogReader){ bytes, (const uint8_t *)bytes + size, false };
    made->name_count = 1;
    filo_string_copy(filo_string(name), made->name, sizeof made->name);
    FiloResult result = read_head(made);
    if (result.code == FILO_OK)
        *replay = made;
    else
        filo_input_replay_close(made);
    return result;
}

FiloResult filo_input_replay_open(FiloInputReplay **replay, const char *path) {
    if (replay != NULL) *replay = NULL;
    if (replay == NULL || path == NULL)
        return FILO_MISTAKE("pass a pointer and a path to filo_input_replay_open");
    FiloFileData file;
    FiloResult result = filo_file_read(&file, path, NULL);
    if (result.code != FILO_OK) return result;
    return open_bytes(replay, file.bytes, file.size, path, file);
}

FiloResult filo_input_replay_from_memory(FiloInputReplay **replay, const void *bytes, size_t size,
                                         const char *name) {
    if (replay != NULL) *replay = NULL;
    if (replay == NULL || (bytes == NULL && size != 0))
        return FILO_MISTAKE("pass a pointer and bytes to filo_input_replay_from_memory");
    return open_bytes(replay, bytes != NULL ? bytes : "", size, name != NULL ? name : "recording",
                      (FiloFileData){ 0 });
}

void filo_input_replay_close(FiloInputReplay *replay) {
    if (replay == NULL) return;
    filo_file_free(&replay->file);
    filo_array_deinit(&replay->changes);
    filo_array_deinit(&replay->messages);
    filo_free(NULL, replay, sizeof *replay, 0);
}

// ---- A tick ---------------------------------------------------------------------------------------------

static FiloResult read_name(const FiloInputReplay *replay, PlatformLogReader *in, FiloString *name) {
    uint8_t length = platform_log_get_u8(in);
    const uint8_t *text = platform_log_get_bytes(in, length);
    if (text == NULL || length == 0 || memchr(text, '\0', length) != NULL)
        return broken(replay, "a bad name");
    *name = filo_string_from((const char *)text, length);
    return filo_ok();
}

static FiloResult read_names(FiloInputReplay *replay, PlatformLogReader *in) {
    uint64_t count = platform_log_get_count(in);
    if (count > PLATFORM_LOG_MAX_NAMES - replay->name_count) return broken(replay, "too many names");
    for (uint64_t i = 0; i < count; i++) {
        FiloString text = { 0 };
        FiloResult result = read_name(replay, in, &text);
        if (result.code != FILO_OK) return result;
        FiloName name = filo_name_from(text);
        if (name.id == 0) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for names", replay->name);
        replay->names[replay->name_count++] = name;
    }
    return filo_ok();
}

static FiloResult read_state(FiloInputReplay *replay, PlatformLogReader *in) {
    uint64_t runs = platform_log_get_count(in), at = 0;
    for (uint64_t i = 0; i < runs; i++) {
        at += platform_log_get_count(in);
        uint64_t count = platform_log_get_count(in);
        const uint8_t *bytes = platform_log_get_bytes(in, count);
        if (bytes == NULL || count == 0 || at + count > PLATFORM_LOG_STATE_SIZE)
            return broken(replay, "bad differences");
        memcpy(replay->state + at, bytes, count);
        at += count;
    }
    return filo_ok();
}

static FiloResult read_changes(FiloInputReplay *replay, PlatformLogReader *in) {
    uint64_t count = platform_log_get_count(in);
    // A change has at least two bytes, so a short file cannot make the replay allocate much memory.
    if (count > PLATFORM_LOG_MAX_CHANGES || count > (uint64_t)(in->end - in->at) / 2)
        return broken(replay, "too many changes");
    if (!filo_array_reserve(&replay->changes, count))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for changes", replay->name);
    for (uint64_t i = 0; i < count; i++)
        if (!platform_log_get_change(in, &replay->changes.items[i])) return broken(replay, "a bad change");
    replay->changes.count = count;
    return filo_ok();
}

static FiloResult read_message(const FiloInputReplay *replay, PlatformLogReader *in,
                               FiloInputMessage *message) {
    FiloString name = { 0 };
    FiloResult result = read_name(replay, in, &name);
    if (result.code != FILO_OK) return result;
    message->event = filo_name_find(name);
    uint64_t length = platform_log_get_count(in);
    const uint8_t *text = platform_log_get_bytes(in, length);
    if (text == NULL || length > FILO_INPUT_MESSAGE) return broken(replay, "a bad message");
    message->text = filo_string_from((const char *)text, length);
    return filo_ok();
}

static FiloResult read_messages(FiloInputReplay *replay, PlatformLogReader *in) {
    uint64_t count = platform_log_get_count(in);
    // A message has at least three bytes.
    if (count > PLATFORM_LOG_MAX_MESSAGES || count > (uint64_t)(in->end - in->at) / 3)
        return broken(replay, "too many messages");
    if (!filo_array_reserve(&replay->messages, count))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for messages", replay->name);
    for (uint64_t i = 0; i < count; i++) {
        FiloInputMessage *message = &replay->messages.items[replay->messages.count];
        FiloResult result = read_message(replay, in, message);
        if (result.code != FILO_OK) return result;
        replay->messages.count += message->event.id != 0; // an event that nothing has named means nothing
    }
    return filo_ok();
}

static FiloResult read_payload(FiloInputReplay *replay, PlatformLogReader in) {
    uint8_t parts = platform_log_get_u8(&in);
    FiloResult result = filo_ok();
    if (parts > (replay->version >= PLATFORM_LOG_VERSION_MESSAGES ? 31 : 15))
        return broken(replay, "unknown parts");
    if ((parts & PLATFORM_LOG_HAS_DELTA) != 0) replay->delta = platform_log_get_f32(&in);
    if (!isfinite(replay->delta) || replay->delta < 0) return broken(replay, "a length that no tick has");
    if ((parts & PLATFORM_LOG_HAS_NAMES) != 0) result = read_names(replay, &in);
    if (result.code == FILO_OK && (parts & PLATFORM_LOG_HAS_STATE) != 0) result = read_state(replay, &in);
    if (result.code == FILO_OK && (parts & PLATFORM_LOG_HAS_CHANGES) != 0) result = read_changes(replay, &in);
    if (result.code == FILO_OK && (parts & PLATFORM_LOG_HAS_MESSAGES) != 0)
        result = read_messages(replay, &in);
    if (result.code != FILO_OK) return result;
    return in.failed || in.at != in.end ? broken(replay, "a record of the wrong size") : filo_ok();
}

static FiloResult read_tick(FiloInputReplay *replay) {
    uint64_t size = platform_log_get_count(&replay->in);
    const uint8_t *payload = platform_log_get_bytes(&replay->in, size);
    uint32_t checksum = platform_log_get_u32(&replay->in);
    if (replay->in.failed) return filo_ok(); // the caller checks `failed`
    if (checksum != platform_log_checksum(payload, size, replay->ticks))
        return broken(replay, "the checksum is wrong");
    return read_payload(replay, (PlatformLogReader){ payload, payload + size, false });
}

static FiloResult read_end(FiloInputReplay *replay) {
    const uint8_t *start = replay->in.at;
    uint64_t ticks = platform_log_get_u64(&replay->in), hash = platform_log_get_u64(&replay->in);
    uint32_t checksum = platform_log_get_u32(&replay->in);
    if (replay->in.failed) return filo_ok();
    if (checksum != platform_log_checksum(start, 16, replay->ticks) || ticks != replay->ticks)
        return broken(replay, "the checksum of the end is wrong");
    if (replay->in.at != replay->in.end) return broken(replay, "there are bytes after the end");
    replay->hash = hash;
    return filo_error(FILO_ERROR_NOT_FOUND, "%s: no more ticks", replay->name);
}

// Reads the next record. Any result but FILO_OK ends the replay.
static FiloResult read_record(FiloInputReplay *replay) {
    filo_array_clear(&replay->changes);
    filo_array_clear(&replay->messages);
    uint8_t tag = platform_log_get_u8(&replay->in);
    FiloResult result = filo_ok();
    if (tag == PLATFORM_LOG_TICK)
        result = read_tick(replay);
    else if (tag == PLATFORM_LOG_END)
        result = read_end(replay);
    else if (tag != PLATFORM_LOG_SAME)
        return broken(replay, "an unknown record");
    if (replay->in.failed)
        return filo_error(
            FILO_ERROR_DATA,
            "%s: ends after %llu ticks without its end: the game did not finish, or the file was cut",
            replay->name, (unsigned long long)replay->ticks);
    return result;
}

FiloResult filo_input_replay_next(FiloInputReplay *replay, float *delta, FiloInput *input,
                                  const FiloInputChange **changes, size_t *change_count) {
    if (replay == NULL || delta == NULL || input == NULL)
        return FILO_MISTAKE("pass a replay, and where to put the tick, to filo_input_replay_next");
    if (changes != NULL) *changes = NULL;
    if (change_count != NULL) *change_count = 0;
    if (replay->end.code != FILO_OK) return replay->end;
    FiloInput read;
    replay->end = read_record(replay);
    if (replay->end.code == FILO_OK &&
        !platform_log_unpack(&read, replay->state, replay->names, replay->name_count))
        replay->end = broken(replay, "it is not an input");
    if (replay->end.code != FILO_OK) return replay->end;
    replay->ticks++;
    *delta = replay->delta;
    *input = read;
    if (changes != NULL) *changes = replay->changes.items;
    if (change_count != NULL) *change_count = replay->changes.count;
    return filo_ok();
}

// ---- Getters --------------------------------------------------------------------------------------------

const FiloInputMessage *filo_input_replay_messages(const FiloInputReplay *replay, size_t *count) {
    bool valid = FILO_CHECK(replay != NULL && count != NULL,
                            "pass a replay, and where to put the number, to filo_input_replay_messages");
    if (count != NULL) *count = valid && replay->end.code == FILO_OK ? replay->messages.count : 0;
    return valid ? replay->messages.items : NULL;
}

const FiloInputLogHead *filo_input_replay_head(const FiloInputReplay *replay) {
    return FILO_CHECK(replay != NULL, "pass a replay to filo_input_replay_head") ? &replay->head : NULL;
}

uint64_t filo_input_replay_ticks(const FiloInputReplay *replay) {
    return FILO_CHECK(replay != NULL, "pass a replay to filo_input_replay_ticks") ? replay->ticks : 0;
}

uint64_t filo_input_replay_hash(const FiloInputReplay *replay) {
    return FILO_CHECK(replay != NULL, "pass a replay to filo_input_replay_hash") ? replay->hash : 0;
}
