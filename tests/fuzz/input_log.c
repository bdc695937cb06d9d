// Any bytes as an input log: a replay ends, with a message, and returns only valid input. Half of the inputs are read
// as a whole file. Parts of the others become records with valid checksums, so that the code behind the checksums is
// reached.

#include <filo/input.h>
#include <filo/log.h>

#include "platform/input_log.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tick(const FiloInput *input, const FiloInputChange *changes, size_t change_count) {
    if (input->action_count > FILO_INPUT_ACTIONS || memchr(input->text, '\0', sizeof input->text) == NULL)
        abort();
    for (uint32_t i = 0; i < input->action_count; i++) filo_name_text(input->actions[i].name);
    static FiloInputCollector collector;
    for (size_t i = 0; i < change_count; i++)
        if (!filo_input_collect(&collector, &changes[i])) abort();
    FiloInput taken;
    filo_input_take(&collector, NULL, &taken);
}

// The texts are arbitrary JSON; those that match the type of the event are accepted.
static void check_messages(const FiloInputReplay *replay) {
    size_t count;
    const FiloInputMessage *messages = filo_input_replay_messages(replay, &count);
    for (size_t i = 0; i < count; i++) {
        if (messages[i].event.id == 0 || messages[i].text.length > FILO_INPUT_MESSAGE) abort();
        FiloInputChange change = { 0 };
        FiloJsonReader reader;
        filo_json_reader_init(&reader, messages[i].text.data, messages[i].text.length, "message");
        (void)filo_reflect_read_json(FILO_TYPE(FiloInputChange), &change, &reader, NULL);
    }
}

static void replay_all(const void *bytes, size_t size) {
    FiloInputReplay *replay;
    FiloResult result = filo_input_replay_from_memory(&replay, bytes, size, "fuzz");
    while (result.code == FILO_OK) {
        float delta;
        FiloInput input;
        const FiloInputChange *changes;
        size_t change_count;
        result = filo_input_replay_next(replay, &delta, &input, &changes, &change_count);
        if (result.code == FILO_OK) check_tick(&input, changes, change_count);
        if (result.code == FILO_OK) check_messages(replay);
    }
    if (result.message[0] == '\0') abort();
    filo_input_replay_close(replay);
}

// A file whose payloads are parts of `data`, each after a byte with its length.
static void replay_payloads(const uint8_t *data, size_t size) {
    FiloBuilder file = { 0 };
    platform_log_put_bytes(&file, PLATFORM_LOG_MAGIC, strlen(PLATFORM_LOG_MAGIC));
    platform_log_put_u32(&file, PLATFORM_LOG_VERSION);
    platform_log_put_bytes(&file, "\0\0", 2);
    platform_log_put_u64(&file, 0);
    platform_log_put_f64(&file, 0);
    platform_log_put_u32(&file, 0); // no flags
    platform_log_put_u32(&file, platform_log_checksum(file.data, file.length, 0));
    for (uint64_t tick = 0; size > 0; tick++) {
        size_t length = FILO_MIN((size_t)data[0], size - 1);
        platform_log_put_u8(&file, PLATFORM_LOG_TICK);
        platform_log_put_count(&file, length);
        platform_log_put_bytes(&file, data + 1, length);
        platform_log_put_u32(&file, platform_log_checksum(data + 1, length, tick));
        data += length + 1, size -= length + 1;
    }
    replay_all(file.data, file.length);
    filo_builder_deinit(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    filo_log_set_filter(FILO_LOG_TERMINAL, "off");
    if (size > 0 && data[0] == 'F')
        replay_all(data, size);
    else
        replay_payloads(data, size);
    return 0;
}
