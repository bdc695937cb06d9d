// Rows of an iteration: entities, random numbers, and iteration entity by entity (FiloEach).

#include <filo/hash.h>

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
