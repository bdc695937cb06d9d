// Any bytes as damage to the body of a saved world with everything (tests/support/everything.h), behind the checksum: it is refused
// and changes nothing, or the world goes on, and is saved and loaded as the same. The first byte chooses what is damaged: 0
// any part, otherwise the bytes of a provider.

#include "support/damage_word.h"
#include "support/everything.h"

#include "ecs/save/save.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PROVIDERS = 8 };

typedef struct Part {
    size_t at, size;
} Part;

static Everything all;
static FiloSnapshot *start;
static uint64_t start_hash;
static FiloBytes body;
static Part parts[PROVIDERS];
static uint32_t part_count;

static uint32_t read_u32(size_t at) {
    uint32_t number;
    memcpy(&number, body.items + at, sizeof number);
    return number;
}

// The bytes of providers, which come last but for the names.
static void find_parts(void) {
    parts[part_count++] = (Part){ 0, body.count };
    const EcsProviders *providers = all.world->providers;
    for (size_t i = 0; i < providers->items.count; i++) {
        const FiloProvider *provider = &providers->items.items[i].provider;
        size_t length = strlen(provider->name);
        if (provider->not_in_files) continue;
        for (size_t at = 0; at + length + 12 < body.count; at++) {
            if (read_u32(at) != length || memcmp(body.items + at + 4, provider->name, length) != 0) continue;
            Part part = { at + length + 12, read_u32(at + 4 + length) };
            if (part.size >= 4 && part.size < body.count - part.at) parts[part_count++] = part;
            break;
        }
    }
    if (part_count < 3) abort();
}

static void begin(void) {
    start = everything_begin(&all, 6);
    start_hash = filo_world_hash(all.world);
    EVERYTHING_OK(ecs_save_write(all.world, &body));
    find_parts();
}

static void ignore(const char *sentence, void *user) { *(size_t *)user += strlen(sentence); }

static void use(const FiloLoadDesc *desc) {
    FiloBytes again = { 0 };
    uint64_t hash = filo_world_hash(all.world);
    EVERYTHING_OK(ecs_save_write(all.world, &again));
    EVERYTHING_OK(ecs_save_read(all.world, again.items, again.count, ECS_SAVE_VERSION, "again", desc));
    if (filo_world_hash(all.world) != hash) abort();
    filo_array_deinit(&again);
    everything_run(&all, 3);
    EVERYTHING_OK(filo_snapshot_restore(start, all.world));
}

// Five bytes for each word: its place, and what it becomes.
static void damage(uint8_t *bytes, Part part, const uint8_t *data, size_t size) {
    for (; size >= 5; data += 5, size -= 5) {
        size_t at = part.at + (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) * 4 % (part.size - 3);
        uint32_t word;
        memcpy(&word, bytes + at, sizeof word);
        word = damage_word(data[3] | (uint32_t)data[4] << 8, word);
        memcpy(bytes + at, &word, sizeof word);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (start == NULL) begin();
    if (size == 0) return 0;
    uint8_t *bytes = malloc(body.count);
    if (bytes == NULL) abort();
    memcpy(bytes, body.items, body.count);
    damage(bytes, parts[data[0] % part_count], data + 1, size - 1);
    size_t seen = 0;
    FiloLoadDesc desc = { .report = ignore, .user = &seen, .limit = FILO_MIB(64) };
    FiloResult result = ecs_save_read(all.world, bytes, body.count, ECS_SAVE_VERSION, "fuzz", &desc);
    free(bytes);
    if (result.code == FILO_OK)
        use(&desc);
    else if (filo_world_hash(all.world) != start_hash || result.message[0] == '\0')
        abort();
    return 0;
}
