// Hashes of worlds.
//
// The hash of a world is a sum: of a number for each entity (index, generation, active or not) and of a number for each
// value of a component, which depends on component, entity index and the described fields of the value. A sum does not
// depend on order, so neither on rows, storage and threads. The hash of one entity or one component is a part of the
// sum.
//
// A value is hashed as a list of 64-bit words. Its runs (runs.h) are listed once for each component. For a type with
// more than MAX_RUNS they are listed for each value instead, with the same result.

#include "ecs/entity/entity.h"
#include "ecs/snapshot/runs.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/tables.h"

#include <filo/hash.h>
#include <filo/strings.h>

// ---- Words ----------------------------------------------------------------------------------------------

__extension__ typedef unsigned __int128 Wide;

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    Wide product = (Wide)(hash ^ word ^ UINT64_C(0xA0761D6478BD642F)) * UINT64_C(0xE7037ED1A0B428DB);
    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ hash << 1;
}

// −0 becomes 0, and all NaNs one NaN.
static inline uint32_t float_word(const uint8_t *at) {
    uint32_t bits, size;
    memcpy(&bits, at, sizeof bits);
    size = bits & 0x7FFFFFFFu;
    bits = size == 0 ? 0 : bits;
    return size > 0x7F800000u ? 0x7FC00000u : bits;
}

static inline uint64_t double_word(const uint8_t *at) {
    uint64_t bits, size;
    memcpy(&bits, at, sizeof bits);
    size = bits & UINT64_C(0x7FFFFFFFFFFFFFFF);
    bits = size == 0 ? 0 : bits;
    return size > UINT64_C(0x7FF0000000000000) ? UINT64_C(0x7FF8000000000000) : bits;
}

// ---- Runs -----------------------------------------------------------------------------------------------

static uint64_t hash_run(const EcsRun *run, const uint8_t *value, uint64_t hash) {
    const uint8_t *at = value + run->offset;
    uint32_t i = 0;
    switch (run->kind) {
    case ECS_RUN_BYTES:
        for (uint64_t word; i + 8 <= run->size; i += 8) {
            memcpy(&word, at + i, 8);
            hash = mix(hash, word);
        }
        if (i < run->size) {
            uint64_t rest = 0;
            memcpy(&rest, at + i, run->size - i);
            hash = mix(hash, rest);
        }
        break;
    case ECS_RUN_FLOATS:
        for (; i + 8 <= run->size; i += 8)
            hash = mix(hash, (uint64_t)float_word(at + i + 4) << 32 | float_word(at + i));
        if (i < run->size) hash = mix(hash, float_word(at + i));
        break;
    case ECS_RUN_DOUBLES:
        for (; i < run->size; i += 8) hash = mix(hash, double_word(at + i));
        break;
    case ECS_RUN_NAMES:
        for (; i < run->size; i += sizeof(FiloName)) {
            FiloName name;
            memcpy(&name, at + i, sizeof name);
            hash = mix(hash, filo_name_hash(name)); // of the text: ids differ between processes
        }
        break;
    case ECS_RUN_TEXT: hash = mix(hash, filo_hash(at, strnlen((const char *)at, run->size))); break;
    }
    return hash;
}

#define MAX_RUNS 32

typedef struct ValueRuns {
    EcsRunWalk walk;
    const FiloType *type;
    EcsRun runs[MAX_RUNS];
    uint32_t count; // more than MAX_RUNS: did not fit
} ValueRuns;

static void add_value_run(EcsRunWalk *walk, const EcsRun *run) {
    ValueRuns *runs = (ValueRuns *)(void *)walk;
    if (runs->count++ < MAX_RUNS) runs->runs[runs->count - 1] = *run;
}

static void list_value_runs(ValueRuns *runs, const FiloType *type) {
    runs->walk.emit = add_value_run;
    runs->type = type;
    runs->count = 0;
    ecs_runs_walk(&runs->walk, type);
}

// For types with more than MAX_RUNS.
typedef struct LongValue {
    EcsRunWalk walk;
    const uint8_t *value;
    uint64_t hash;
} LongValue;

static void add_to_hash(EcsRunWalk *walk, const EcsRun *run) {
    LongValue *value = (LongValue *)(void *)walk;
    value->hash = hash_run(run, value->value, value->hash);
}

static uint64_t hash_long_value(const FiloType *type, const uint8_t *value, uint64_t hash) {
    LongValue long_value = { .walk.emit = add_to_hash, .value = value, .hash = hash };
    ecs_runs_walk(&long_value.walk, type);
    return long_value.hash;
}

// ---- Values ---------------------------------------------------------------------------------------------

static inline uint64_t seed_of(uint32_t component, uint32_t index) {
    return filo_hash_u64((uint64_t)component << 32 | index);
}

static uint64_t hash_value(const ValueRuns *runs, const uint8_t *value, uint64_t hash) {
    if (FILO_UNLIKELY(runs->count > MAX_RUNS)) return hash_long_value(runs->type, value, hash);
    for (uint32_t i = 0; i < runs->count; i++) hash = hash_run(&runs->runs[i], value, hash);
    return hash;
}

// The sum over a column.
static uint64_t hash_column(const ValueRuns *runs, uint32_t component, const uint8_t *values, size_t size,
                            const uint32_t *indices, uint32_t count) {
    uint64_t sum = 0;
    // The most common kind of component, two floats, without branches in the loop.
    if (runs->count == 1 && runs->runs[0].kind == ECS_RUN_FLOATS && runs->runs[0].size == 8) {
        values += runs->runs[0].offset;
        for (uint32_t i = 0; i < count; i++, values += size)
            sum += filo_hash_u64(mix(seed_of(component, indices[i]),
                                     (uint64_t)float_word(values + 4) << 32 | float_word(values)));
        return sum;
    }
    for (uint32_t i = 0; i < count; i++)
        sum += filo_hash_u64(hash_value(runs, values + i * size, seed_of(component, indices[i])));
    return sum;
}

// An entity, without its components.
static inline uint64_t hash_existence(uint32_t index, uint32_t generation, bool inactive) {
    return filo_hash_u64(seed_of(0, index) ^ ((uint64_t)generation << 1 | inactive));
}

// ---- Chunks of tables -----------------------------------------------------------------------------------

typedef struct Work {
    const FiloWorld *world;
    const EcsTableArray *tables;
    const EcsComponentData *component; // NULL: the entities themselves
    const ValueRuns *runs;
} Work;

static uint64_t hash_chunk(const Work *work, const EcsPartition *partition, uint32_t ordinal) {
    uint8_t *base = partition->chunks[ordinal].base;
    const uint32_t *indices = ecs_chunk_indices(partition, base);
    uint32_t rows = ecs_partition_rows_in(partition, ordinal);
    if (work->component != NULL) {
        uint32_t column = ecs_table_column(partition->table, work->component->id);
        return hash_column(work->runs, work->component->id, ecs_chunk_column(partition, base, column),
                           work->component->size, indices, rows);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rows; i++)
        sum += hash_existence(indices[i], ecs_record_generation(ecs_record(work->world, indices[i])),
                              partition->inactive);
    return sum;
}

// Chunks are numbered across all tables.
static void hash_part(size_t begin, size_t end, void *result, void *user) {
    const Work *work = user;
    size_t number = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < work->tables->count && number < end; i++)
        for (int h = 0; h < 2; h++) {
            const EcsPartition *partition = &work->tables->items[i]->partitions[h];
            uint32_t count = ecs_partition_used_chunks(partition);
            for (size_t k = number < begin ? begin - number : 0; k < count && number + k < end; k++)
                sum += hash_chunk(work, partition, (uint32_t)k);
            number += count;
        }
    *(uint64_t *)result += sum;
}

static void add_up(void *left, const void *right, void *user) {
    FILO_UNUSED(user);
    *(uint64_t *)left += *(const uint64_t *)right;
}

static uint64_t hash_tables(Work *work) {
    size_t chunks = 0;
    filo_array_each (work->tables, item)
        chunks += (size_t)ecs_partition_used_chunks(&(*item)->partitions[0]) +
                  ecs_partition_used_chunks(&(*item)->partitions[1]);
    uint64_t sum = 0;
    FiloReduceDesc desc = {
        .count = chunks, .result_size = sizeof sum, .part = hash_part, .combine = add_up, .user = work
    };
    if (chunks > 1 && work->world->jobs != NULL &&
        filo_jobs_reduce(work->world->jobs, &desc, &sum).code == FILO_OK)
        return sum;
    sum = 0;
    hash_part(0, chunks, &sum, work);
    return sum;
}

// ---- Worlds ---------------------------------------------------------------------------------------------

static uint64_t hash_holder(const EcsComponentData *component, const ValueRuns *runs) {
    uint64_t sum = 0, cursor = 0;
    for (FiloEntity entity; component->interface->next(component->holder, &cursor, &entity);) {
        const uint8_t *value =
            component->size > 0 ? component->interface->get(component->holder, entity) : NULL;
        sum += filo_hash_u64(hash_value(runs, value, seed_of(component->id, filo_entity_index(entity))));
    }
    return sum;
}

static void find_temporary(FiloEntity *entity, void *found) {
    if (filo_entity_temporary(*entity)) *(bool *)found = true;
}

// A global component may refer to an entity that a standalone change set will create. Its temporary id differs between
// worlds, and counts as {0}, as in filo_reflect_hash.
static uint64_t hash_global(const EcsComponentData *component, const ValueRuns *runs) {
    bool has_temporaries = false;
    if (component->info.has_entities)
        filo_reflect_entities(component->info.type, component->global, find_temporary, &has_temporaries);
    uint64_t seed = seed_of(component->id, UINT32_MAX);
    return has_temporaries ? filo_reflect_hash(component->info.type, component->global, seed)
                           : filo_hash_u64(hash_value(runs, component->global, seed));
}

static uint64_t hash_component(const FiloWorld *world, const EcsComponentData *component) {
    if (component->info.transient) return 0;
    ValueRuns runs;
    list_value_runs(&runs, component->info.type);
    if (component->global != NULL) return hash_global(component, &runs);
    if (component->holder != NULL) return hash_holder(component, &runs);
    Work work = { world, &component->tables, component, &runs };
    return hash_tables(&work);
}

uint64_t filo_component_hash(const FiloWorld *world, FiloComponent component) {
    if (!ecs_may_read(world)) return 0;
    const EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(data != NULL, "component %u is not registered", component.id)) return 0;
    return hash_component(world, data);
}

uint64_t filo_entity_hash(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return 0;
    const EcsRecord *record = ecs_record_find(world, entity);
    if (record == NULL) return 0;
    uint32_t index = filo_entity_index(entity), location = ecs_record_location(record);
    uint64_t sum = hash_existence(index, filo_entity_generation(entity),
                                  ecs_chunk_of(world, location)->partition->inactive);
    filo_array_each (&world->components, item) {
        const EcsComponentData *component = *item;
        if (component->global != NULL || component->info.transient) continue;
        const void *value = ecs_component_find(world, entity, record, component);
        if (value == NULL) continue;
        ValueRuns runs;
        list_value_runs(&runs, component->info.type);
        sum += filo_hash_u64(hash_value(&runs, value, seed_of(component->id, index)));
    }
    return sum;
}

uint64_t filo_world_hash(const FiloWorld *world) {
    if (!ecs_may_read(world)) return 0;
    Work entities = { world, &world->tables, NULL, NULL };
    uint64_t sum = hash_tables(&entities);
    filo_array_each (&world->components, item) sum += hash_component(world, *item);
    sum = filo_hash_combine(filo_hash_combine(sum, world->seed), world->tick);
    return filo_hash_combine(sum, ecs_providers_hash(world));
}
