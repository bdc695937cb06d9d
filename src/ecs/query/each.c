// Rows of an iteration: entities, random numbers, and iteration entity by entity (FiloEach).

#include <filo/hash.h>
#include <filo/log.h>

#include "base/suggest.h"
#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/directory.h"

FiloEntity filo_iter_entity(const FiloIter *it, size_t row) {
    EcsIterState *state = ecs_iter(it);
    if (!FILO_CHECK(row < it->count, "row %zu is not in this part of the iteration, which has %zu", row,
                    it->count))
        return FILO_ENTITY_NONE;
    return ecs_entity_of_index(it->world, state->indices[row]);
}

const uint32_t *filo_iter_indices(const FiloIter *it) { return it->count > 0 ? ecs_iter(it)->indices : NULL; }

void filo_iter_entities(const FiloIter *it, FiloEntity *entities) {
    const uint32_t *indices = ecs_iter(it)->indices;
    for (size_t i = 0; i < it->count; i++) entities[i] = ecs_entity_of_index(it->world, indices[i]);
}

#ifndef NDEBUG
// Warns of a second generator for the same numbers. A key that was drawn from before is in this table, unless another one
// has replaced it. After a restore, the same tick has other keys.
static void report_repeated(const FiloIter *it, uint32_t number, uint64_t entity) {
    static FILO_THREAD_LOCAL uint64_t drawn[256];
    const EcsSystem *system = ecs_iter(it)->system;
    if (system == NULL || it->world->number == 0) return;
    uint64_t key = filo_hash_combine(it->world->number, it->world->restored);
    key = filo_hash_combine(filo_hash_combine(key, it->tick), filo_hash_combine(number, entity));
    uint64_t *slot = &drawn[key % FILO_COUNT_OF(drawn)];
    bool repeated = *slot == key;
    *slot = key;
    if (!repeated || !base_first_time("random numbers", filo_string(system->name))) return;
    filo_log_warn("ecs",
                  "%s \"%s\" makes a second generator for one row, which repeats the numbers of the first: "
                  "make one with filo_iter_random, and draw all numbers from it",
                  system->query != NULL ? "system" : "handler", system->name);
}
#endif

FiloRandom filo_iter_random(const FiloIter *it, size_t row) {
    EcsIterState *state = ecs_iter(it);
    if (!FILO_CHECK(it->world != NULL, "draw numbers in a system, or while an iteration goes on"))
        return (FiloRandom){ 0 };
    uint32_t number = state->system != NULL ? ecs_system_number(state->system) : 0;
    uint64_t entity = 0; // a system without rows has its own random numbers, as if {0} were its entity
    if (state->indices != NULL)
        entity = filo_iter_entity(it, row).id;
    else
        (void)FILO_CHECK(state->system != NULL && row == 0,
                         "row %zu is not in this part of the iteration, which has 0", row);
    uint64_t salt = state->system != NULL ? state->system->salt : 0;
    if (salt != 0) entity = filo_hash_combine(salt, entity);
#ifndef NDEBUG
    report_repeated(it, number, entity);
#endif
    return filo_random_keyed(it->world->seed, it->tick, number, entity);
}

// ---- Entity by entity -------------------------------------------------------------------------------------

static FiloEach each_of(FiloIter it) { return (FiloEach){ .it = it, .row = SIZE_MAX }; }

FiloEach filo_query_each(FiloQuery *query) { return each_of(filo_query_iter(query)); }
FiloEach filo_iter_each_over(const FiloIter *it, FiloQuery *query) {
    return each_of(filo_iter_over(it, query));
}

FiloEach filo_iter_each(const FiloIter *it) {
    FiloEach each = each_of(*it);
    // The copy ends after these rows, and releases nothing that belongs to `it`.
    ecs_iter(&each.it)->flags |= ECS_ITER_ENDED;
    return each;
}
