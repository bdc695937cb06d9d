// Any bytes as commands, one JSON text a line, on a world with everything (tests/support/everything.h): one that is refused has a
// message, changes nothing and keeps no names; the world goes on.

#include "support/everything.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Everything all;
static FiloSnapshot *start;

// What commands change and snapshots do not have.
static void enable_systems(void) {
    FiloSystemId system;
    for (size_t i = 0; (system = filo_system_at(all.world, i)).id != 0; i++)
        filo_system_set_enabled(all.world, system, true);
}

static void apply(const char *text, size_t length, uint64_t *hash) {
    FiloCommand command = { 0 };
    FiloNameBatch names = { 0 };
    FiloJsonReader reader;
    uint32_t before = filo_name_in_use();
    filo_json_reader_init(&reader, text, length, "fuzz");
    FiloResult result = filo_reflect_read_json(FILO_TYPE(FiloCommand), &command, &reader,
                                               &(FiloReadOptions){ .names = &names });
    if (result.code == FILO_OK) result = filo_world_command(all.world, &command, NULL);
    filo_name_batch_end(&names, false);
    if (result.code == FILO_OK) {
        *hash = filo_world_hash(all.world);
    } else if (result.message[0] == '\0' || filo_world_hash(all.world) != *hash ||
               filo_name_in_use() != before) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (start == NULL) start = everything_begin(&all, 2);
    uint64_t hash = filo_world_hash(all.world);
    const char *text = (const char *)data, *end = text + size;
    for (int i = 0; i < 40 && text < end; i++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline != NULL ? newline : end) - text);
        apply(text, length, &hash);
        text += length + 1;
    }
    everything_run(&all, 2);
    enable_systems();
    EVERYTHING_OK(filo_snapshot_restore(start, all.world));
    return 0;
}
