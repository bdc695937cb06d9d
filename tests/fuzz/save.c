// Any bytes as a saved world, or as the body of one, in a world with all modules: they are refused, or load as a usable world,
// which can be saved and loaded again as the same.

#include "support/creature.h"
#include "support/everything.h"

#include "ecs/save/save.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Tie {
    FiloEntity other;
    FiloName kind;
    char label[8];
} Tie;
FILO_REFLECT(Tie, FILO_FIELD(FiloEntity, other), FILO_FIELD(FiloName, kind), FILO_FIELD(char, label))
FILO_TAG(Flat)
FILO_TAG(Lit)

static Everything all;
static FiloWorld *world;
static FiloSnapshot *empty;

static void ignore(const char *sentence, void *user) { *(size_t *)user += strlen(sentence); }

static void begin(void) {
    if (world != NULL) return;
    empty = filo_snapshot_create(NULL);
    all = everything_open();
    world = all.world;
    filo_component(world, Creature);
    filo_component(world, Point);
    filo_component(world, Tie, .storage = FILO_STORAGE_SPARSE, .required = { FILO_REQUIRED(Point) });
    filo_component(world, Limb, .storage = FILO_STORAGE_ARRAY);
    filo_component(world, Flat, .required = { FILO_REQUIRED(Limb), FILO_REQUIRED(Tie) });
    filo_component(world, Lit, .storage = FILO_STORAGE_TAG);
    if (filo_snapshot_take(empty, world).code != FILO_OK) abort();
}

static void use(const FiloLoadDesc *desc) {
    uint64_t hash = filo_world_hash(world);
    FiloBytes body = { 0 };
    if (ecs_save_write(world, &body).code != FILO_OK) abort();
    if (ecs_save_read(world, body.items, body.count, ECS_SAVE_VERSION, "again", desc).code != FILO_OK)
        abort();
    if (filo_world_hash(world) != hash) abort();
    filo_array_deinit(&body);
    everything_run(&all, 2);
    for (uint32_t i = 0; i < filo_entity_index_end(world); i++) {
        FiloEntity entity = filo_entity_at(world, i);
        if (entity.id != 0) filo_entity_destroy(world, entity);
    }
    if (filo_world_stats(world).entities != 0) abort();
    if (filo_snapshot_restore(empty, world).code != FILO_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    begin();
    size_t seen = 0;
    FiloLoadDesc desc = { .report = ignore, .user = &seen, .limit = FILO_MIB(64) };
    bool whole = size >= 8 && memcmp(data, "filosave", 8) == 0;
    FiloResult result = whole ? filo_world_load_bytes(world, data, size, "fuzz", &desc)
                              : ecs_save_read(world, data, size, ECS_SAVE_VERSION, "fuzz", &desc);
    if (result.code == FILO_OK)
        use(&desc);
    else if (filo_world_stats(world).entities != 0 || result.message[0] == '\0')
        abort();
    return 0;
}
