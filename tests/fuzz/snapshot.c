// Any bytes as a history of a world with everything (tests/support/everything.h), with snapshots in between: a restored one has the
// hash that it was taken with, and goes on as the world did; a saved one is loaded as the same.

#include "support/damage_word.h"
#include "support/everything.h"

#include "base/reflect_value.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Everything all;
static FiloSnapshot *start, *taken, *after;
static uint64_t taken_hash;

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static uint8_t next(Bytes *bytes) { return bytes->at < bytes->end ? *bytes->at++ : 0; }
static uint32_t next_choice(Bytes *bytes) {
    uint32_t low = next(bytes);
    return low | (uint32_t)next(bytes) << 8;
}

static FiloEntity next_entity(Bytes *bytes) {
    return filo_entity_at(all.world, next_choice(bytes) % filo_entity_index_end(all.world));
}

static void begin(void) {
    start = everything_begin(&all, 2);
    taken = filo_snapshot_create(NULL);
    after = filo_snapshot_create(NULL);
}

static void take(void) {
    EVERYTHING_OK(filo_snapshot_take(taken, all.world));
    taken_hash = filo_world_hash(all.world);
}

static void restore(void) {
    EVERYTHING_OK(filo_snapshot_restore(taken, all.world));
    if (filo_world_hash(all.world) != taken_hash) abort();
}

// ---- Edits ------------------------------------------------------------------------------------------------

static void edit_value(Bytes *bytes, const FiloType *type, uint8_t *data) {
    if (type->kind == FILO_KIND_STRUCT) {
        if (type->field_count == 0) return;
        const FiloField *field = &type->fields[next(bytes) % type->field_count];
        const FiloType *element = filo_field_type(field);
        size_t index = field->count > 0 ? next(bytes) % field->count : 0;
        edit_value(bytes, element, data + field->offset + index * element->size);
    } else if (type->kind == FILO_KIND_ENTITY) {
        FiloEntity entity = next_entity(bytes);
        memcpy(data, &entity, sizeof entity);
    } else if (type->kind == FILO_KIND_FLOAT && type->size == 4) {
        uint32_t word;
        memcpy(&word, data, sizeof word);
        word = damage_word(next_choice(bytes), word);
        memcpy(data, &word, sizeof word);
    } else if (type->kind == FILO_KIND_INT || type->kind == FILO_KIND_UINT) {
        base_value_store(type, data, (int64_t)damage_word(next_choice(bytes), 0));
    }
}

static void edit(Bytes *bytes) {
    FiloEntity entity = next_entity(bytes);
    FiloComponent component = { 1 + next(bytes) % filo_component_count(all.world) };
    const FiloComponentInfo *info = filo_component_info(all.world, component);
    if (entity.id == 0 || everything_is_managed(info->name)) return;
    if (info->storage == FILO_STORAGE_GLOBAL || info->transient ||
        !filo_entity_has(all.world, entity, component))
        return;
    uint8_t *value = info->size > 0 ? filo_entity_edit(all.world, entity, component) : NULL;
    if (value != NULL) edit_value(bytes, info->type, value);
}

static void change(Bytes *bytes) {
    FiloEntity entity = next_entity(bytes), other = next_entity(bytes);
    uint8_t what = next(bytes);
    if (entity.id == 0 || filo_has(all.world, entity, FiloPlacedTile) ||
        filo_has(all.world, entity, FiloPlacedObject))
        return; // they belong to the forest
    switch (what % 5) {
    case 0: filo_entity_destroy(all.world, entity); break;
    case 1: (void)filo_entity_copy(all.world, entity); break;
    case 2: (void)filo_entity_set_parent(all.world, entity, other); break;
    case 3: filo_entity_set_active(all.world, entity, what % 2 == 0); break;
    default: filo_world_set_group_enabled(all.world, "calm", what % 2 == 0); break;
    }
}

// ---- A history --------------------------------------------------------------------------------------------

static void save_and_load(void) {
    FiloBytes file = { 0 };
    EVERYTHING_OK(filo_world_save_bytes(all.world, &file, NULL));
    EVERYTHING_OK(filo_world_load_bytes(all.world, file.items, file.count, "fuzz", NULL));
    filo_array_deinit(&file);
}

static void check_future(void) {
    take();
    everything_run(&all, 3);
    EVERYTHING_OK(filo_snapshot_take(after, all.world));
    uint64_t hash = filo_world_hash(all.world);
    restore();
    everything_run(&all, 3);
    if (filo_world_hash(all.world) != hash) {
        char text[200];
        EVERYTHING_OK(filo_snapshot_take(taken, all.world));
        EVERYTHING_OK(filo_snapshot_difference(taken, after, all.world, text, sizeof text));
        fprintf(stderr, "after a restore, %s\n", text);
        abort();
    }
    // Files do not have the functions of objects that are on their way, so the first one may change the hash.
    save_and_load();
    hash = filo_world_hash(all.world);
    save_and_load();
    if (filo_world_hash(all.world) != hash) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (start == NULL) begin();
    Bytes bytes = { data, data + size };
    take();
    for (int i = 0; i < 100 && bytes.at < bytes.end; i++) {
        uint8_t what = next(&bytes) % 8;
        if (what == 0) everything_run(&all, 1 + what % 3);
        if (what == 1) take();
        if (what == 2) restore();
        if (what == 3) change(&bytes);
        if (what > 3) edit(&bytes);
    }
    check_future();
    EVERYTHING_OK(filo_snapshot_restore(start, all.world));
    return 0;
}
