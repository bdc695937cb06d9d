// Hashes of worlds.
//
// The hash of a world is a sum: of a number for each entity (index, generation, active or not) and of a
// number for each value of a component, which depends on component, entity index and what the description
// says of the value. A sum does not care for order, so neither rows nor storage nor threads show, and the
// part of one entity or one component is a part of the sum.
//
// A value is hashed as a list of 64-bit words. What the words are is worked out from the description once for
// each component: a plan of runs (runs.h). A type with more runs than a plan has room for is gone over anew
// for each value, with the same result.

#include "ecs/entity/entity.h"
#include "ecs/snapshot/runs.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/component.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/record.h"
#include "ecs/storage/table.h"
#include "ecs/storage/tables.h"
#include "ecs/world.h"

#include <filo/hash.h>
#include <filo/strings.h>

// ---- Words ----------------------------------------------------------------------------------------------

__extension__ typedef unsigned __int128 Wide;

static inline uint64_t mix(uint64_t hash, uint64_t word) {
    Wide product = (Wide)(hash ^ word ^ UINT64_C(0xA0761D6478BD642F)) * UINT64_C(0xE7037ED1A0B428DB);
    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ hash << 1;
}

// −0 is 0, and there is one NaN.
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

// ---- Plans ----------------------------------------------------------------------------------------------

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
            hash = mix(hash, filo_name_hash(name)); // ids differ from run to run, texts do not
        }
        break;
    case ECS_RUN_TEXT: hash = mix(hash, filo_hash(at, strnlen((const char *)at, run->size))); break;
    }
    return hash;
}

#define PLAN_RUNS 32

typedef struct Plan {
    EcsRunWalk walk;
    const FiloType *type;
    EcsRun runs[PLAN_RUNS];
    uint32_t count; // more than PLAN_RUNS: did not fit
} Plan;

static void add_to_plan(EcsRunWalk *walk, const EcsRun *run) {
    Plan *plan = (Plan *)(void *)walk;
    if (plan->count++ < PLAN_RUNS) plan->runs[plan->count - 1] = *run;
}

static void make_plan(Plan *plan, const FiloType *type) {
    plan->walk.emit = add_to_plan;
    plan->type = type;
    plan->count = 0;
    ecs_runs_walk(&plan->walk, type);
}

// For types that do not fit into a plan.
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

static inline uint64_t finish(uint64_t hash) { return filo_hash_u64(hash); }

static uint64_t hash_with(const Plan *plan, const uint8_t *value, uint64_t hash) {
    if (FILO_UNLIKELY(plan->count > PLAN_RUNS)) return hash_long_value(plan->type, value, hash);
    for (uint32_t i = 0; i < plan->count; i++) hash = hash_run(&plan->runs[i], value, hash);
    return hash;
}

// The sum over a column of so many rows.
static uint64_t hash_column(const Plan *plan, uint32_t component, const uint8_t *values, size_t size,
                            const uint32_t *indices, uint32_t count) {
    uint64_t sum = 0;
    // What most components are, so that the loop has nothing to decide.
    if (plan->count == 1 && plan->runs[0].kind == ECS_RUN_FLOATS && plan->runs[0].size == 8) {
        values += plan->runs[0].offset;
        for (uint32_t i = 0; i < count; i++, values += size)
            sum += finish(mix(seed_of(component, indices[i]),
                              (uint64_t)float_word(values + 4) << 32 | float_word(values)));
        return sum;
    }
    for (uint32_t i = 0; i < count; i++)
        sum += finish(hash_with(plan, values + i * size, seed_of(component, indices[i])));
    return sum;
}

// An entity, without its components.
static inline uint64_t hash_existence(uint32_t index, uint32_t generation, bool inactive) {
    return finish(seed_of(0, index) ^ ((uint64_t)generation << 1 | inactive));
}

// ---- Chunks of tables -----------------------------------------------------------------------------------

typedef struct Work {
    const FiloWorld *world;
    const EcsTableArray *tables;
    const EcsComponentData *component; // NULL: the entities themselves
    const Plan *plan;
} Work;

static uint32_t chunks_of(const EcsPartition *partition) {
    return ecs_partition_count(partition) > 0 ? partition->tail + 1 : 0;
}

static uint64_t hash_chunk(const Work *work, const EcsPartition *partition, uint32_t ordinal) {
    uint8_t *base = partition->chunks[ordinal].base;
    const uint32_t *indices = ecs_chunk_indices(partition, base);
    uint32_t rows = ordinal == partition->tail ? partition->tail_rows : partition->chunk_rows;
    if (work->component != NULL) {
        uint32_t column = ecs_table_column(partition->table, work->component->id);
        return hash_column(work->plan, work->component->id, ecs_chunk_column(partition, base, column),
                           work->component->size, indices, rows);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rows; i++)
        sum += hash_existence(indices[i], ecs_record_generation(ecs_record(work->world, indices[i])),
                              partition->inactive);
    return sum;
}

// Chunks are numbered through all tables.
static void hash_part(size_t begin, size_t end, void *result, void *user) {
    const Work *work = user;
    size_t number = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < work->tables->count && number < end; i++)
        for (int h = 0; h < 2; h++) {
            const EcsPartition *partition = &work->tables->items[i]->partitions[h];
            uint32_t count = chunks_of(partition);
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
        chunks += (size_t)chunks_of(&(*item)->partitions[0]) + chunks_of(&(*item)->partitions[1]);
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

static uint64_t hash_holder(const EcsComponentData *component, const Plan *plan) {
    uint64_t sum = 0, cursor = 0;
    for (FiloEntity entity; component->interface->next(component->holder, &cursor, &entity);) {
        const uint8_t *value =
            component->size > 0 ? component->interface->get(component->holder, entity) : NULL;
        sum += finish(hash_with(plan, value, seed_of(component->id, filo_entity_index(entity))));
    }
    return sum;
}

static void note_temporary(FiloEntity *entity, void *found) {
    if (filo_entity_temporary(*entity)) *(bool *)found = true;
}

// A global may refer to an entity that a change set will create. Its temporary id is another one in each world, and
// counts as nobody, as filo_reflect_hash has it.
static uint64_t hash_global(const EcsComponentData *component, const Plan *plan) {
    bool waits = false;
    if (component->info.has_entities)
        filo_reflect_entities(component->info.type, component->global, note_temporary, &waits);
    uint64_t seed = seed_of(component->id, UINT32_MAX);
    return waits ? filo_reflect_hash(component->info.type, component->global, seed)
                 : finish(hash_with(plan, component->global, seed));
}

static uint64_t hash_component(const FiloWorld *world, const EcsComponentData *component) {
    if (component->info.transient) return 0;
    Plan plan;
    make_plan(&plan, component->info.type);
    if (component->global != NULL) return hash_global(component, &plan);
    if (component->holder != NULL) return hash_holder(component, &plan);
    Work work = { world, &component->tables, component, &plan };
    return hash_tables(&work);
}

uint64_t filo_component_hash(const FiloWorld *world, FiloComponent component) {
    if (!ecs_may_look(world)) return 0;
    const EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(data != NULL, "component %u is not registered", component.id)) return 0;
    return hash_component(world, data);
}

uint64_t filo_entity_hash(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_look(world)) return 0;
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
        Plan plan;
        make_plan(&plan, component->info.type);
        sum += finish(hash_with(&plan, value, seed_of(component->id, index)));
    }
    return sum;
}

uint64_t filo_world_hash(const FiloWorld *world) {
    if (!ecs_may_look(world)) return 0;
    Work entities = { world, &world->tables, NULL, NULL };
    uint64_t sum = hash_tables(&entities);
    filo_array_each (&world->components, item) sum += hash_component(world, *item);
    return filo_hash_combine(filo_hash_combine(sum, world->tick), ecs_providers_hash(world));
}
