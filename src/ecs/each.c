// What an iteration tells of a row, and going over one entity at a time. The iteration itself is in iter.c.

#include "ecs/schedule.h"
#include "ecs/world.h"

FiloEntity filo_iter_entity(const FiloIter *it, size_t row) {
    if (!FILO_CHECK(row < it->count, "row %zu is not in this part of the iteration, which has %zu", row,
                    it->count))
        return FILO_ENTITY_NONE;
    return filo_entity_of_index(it->world, it->indices[row]);
}

FiloRandom filo_iter_random(const FiloIter *it, size_t row) {
    uint32_t number = it->system != NULL ? filo_system_number(it->system) : 0;
    uint64_t entity = 0; // a system without rows has numbers of its own, as if it were an entity
    if (it->indices != NULL)
        entity = filo_iter_entity(it, row).id;
    else
        (void)FILO_CHECK(it->system != NULL && row == 0,
                         "row %zu is not in this part of the iteration, which has 0", row);
    return filo_random_keyed(it->world->seed, it->tick, number, entity);
}

bool filo_iter_has_term(const FiloIter *it, unsigned term) {
    // Without a query it is that of a block or a handler: what it does not have is NULL.
    unsigned count = it->query != NULL ? it->query->term_count : FILO_TERMS;
    bool named = it->system != NULL;
    return FILO_CHECK(term < count, "there is no term %u: the query%s%s%s has %u, counted from 0", term,
                      named ? " of system \"" : "", named ? it->system->name : "", named ? "\"" : "", count);
}

// ---- One by one -------------------------------------------------------------------------------------------

static uint32_t global_terms(const FiloQuery *query) {
    uint32_t terms = 0;
    for (uint32_t i = 0; query != NULL && i < query->term_count; i++)
        if (query->terms[i].place == FILO_PLACE_GLOBAL) terms |= 1u << i;
    return terms;
}

static FiloEach each_of(FiloIter it) {
    return (FiloEach){ .it = it, .row = SIZE_MAX, .global_terms = global_terms(it.query) };
}

FiloEach filo_query_each(FiloQuery *query) { return each_of(filo_query_iter(query)); }
FiloEach filo_iter_each_over(const FiloIter *it, FiloQuery *query) {
    return each_of(filo_iter_over(it, query));
}

FiloEach filo_iter_each(const FiloIter *it) {
    FiloEach each = each_of(*it);
    each.it.flags |= FILO_ITER_ENDED; // these rows and no more; and nothing of it is given back twice
    return each;
}
