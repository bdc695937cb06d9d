// Going over a query by the list of a required component, where that is much shorter than the tables: sparse and map
// holders, and the bits of tags. Some hundred entities are listed at a time and found in their tables; those that
// follow each other in one table, as most do, share what must be looked up there. The rows are given as pointers.

#include "ecs/holder.h"
#include "ecs/iter.h"

#define RECORDS_AHEAD 16

// ---- Which list ---------------------------------------------------------------------------------------------

// What going over the list costs, in entities. Which list is taken decides on the order, so it may depend on nothing
// but the state of the world: not on how many bits there is room for, which depends on what was before.
static size_t driver_cost(const FiloWorld *world, const FiloComponentData *component) {
    size_t count = component->interface->count(component->holder);
    return component->tag != NULL ? count + world->index_end / 16 : count;
}

const FiloComponentData *filo_query_driver(const FiloQuery *query, size_t table_rows) {
    if (!query->filters || query->changed) return NULL;
    const FiloComponentData *best = NULL;
    size_t fewest = table_rows / 4;
    for (size_t i = 0; i < query->term_count; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        const FiloComponentData *component = term->component;
        // These can be gone over from any place.
        bool list = component->info.storage == FILO_STORAGE_SPARSE ||
                    component->info.storage == FILO_STORAGE_MAP || component->tag != NULL;
        if (term->place != FILO_PLACE_HOLDER || term->kind != FILO_TERM_REQUIRED || !list) continue;
        size_t cost = driver_cost(query->world, component);
        if (cost < fewest) best = component, fewest = cost;
    }
    return best;
}

size_t filo_driver_places(const FiloWorld *world, const FiloComponentData *driver) {
    return driver->tag != NULL ? world->index_end : driver->interface->count(driver->holder);
}

// ---- Listing --------------------------------------------------------------------------------------------

// The next entities, by index, and how many. Each takes one place of the list; with bits, others lie between.
static size_t list_sparse(FiloIter *it, const FiloSparse *sparse, uint32_t *indices) {
    FiloIterState *state = ecs_iter(it);
    size_t rest = sparse->count > it->first ? sparse->count - it->first : 0;
    size_t count = FILO_MIN(FILO_MIN(rest, state->left), (size_t)FILO_GATHER_ROWS);
    for (size_t i = 0; i < count; i++) indices[i] = (uint32_t)sparse->entities[it->first + i].id;
    state->looked = count;
    return count;
}

static size_t list_bits(FiloIter *it, const FiloBits *bits, uint32_t *indices) {
    FiloIterState *state = ecs_iter(it);
    size_t at = FILO_MIN(it->first, bits->count), count = 0;
    size_t end = state->left < bits->count - at ? at + state->left : bits->count;
    for (size_t next; at < end && count + 64 <= FILO_GATHER_ROWS; at = next) { // a word at a time
        size_t first = at & ~(size_t)63;
        next = FILO_MIN(first + 64, end);
        uint64_t rest = bits->words[at / 64] >> (at - first) << (at - first);
        if (next < first + 64) rest &= (UINT64_C(1) << (next - first)) - 1;
        for (; rest != 0; rest &= rest - 1)
            indices[count++] = (uint32_t)(first + (size_t)__builtin_ctzll(rest));
    }
    state->looked = at - FILO_MIN(it->first, end);
    return count;
}

static size_t list_any(FiloIter *it, uint32_t *indices) {
    FiloIterState *state = ecs_iter(it);
    uint64_t cursor = it->first;
    FiloEntity entity;
    size_t count = 0;
    while (count < FILO_MIN(state->left, (size_t)FILO_GATHER_ROWS) &&
           state->driver->interface->next(state->driver->holder, &cursor, &entity))
        indices[count++] = (uint32_t)entity.id;
    state->looked = count;
    return count;
}

static size_t list(FiloIter *it) {
    FiloIterState *state = ecs_iter(it);
    const FiloComponentData *driver = state->driver;
    uint32_t *indices = state->gather->indices;
    size_t count = driver->tag != NULL                           ? list_bits(it, &driver->tag->bits, indices)
                   : driver->info.storage == FILO_STORAGE_SPARSE ? list_sparse(it, driver->holder, indices)
                                                                 : list_any(it, indices);
    state->left -= state->looked;
    return count;
}

// ---- In tables ------------------------------------------------------------------------------------------

// What a half of a table has of the terms of a query.
typedef struct Found {
    const FiloHalf *half;
    bool good; // entities there match, as far as tables go
    bool any;  // they have one of the terms of which any will do
    uint32_t columns[FILO_TERMS];
} Found;

static void find_columns(const FiloQuery *query, const FiloHalf *half, Found *found) {
    found->half = half;
    found->good = !(half->inactive ? query->activity == FILO_ACTIVE : query->activity == FILO_INACTIVE);
    found->any = false;
    for (size_t i = 0; i < query->term_count && found->good; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        if (term->place != FILO_PLACE_TABLE) continue;
        found->columns[i] = filo_table_column(half->table, term->component->id);
        bool has = found->columns[i] != FILO_NO_COLUMN;
        if (has ? term->kind == FILO_TERM_REJECTED : term->kind == FILO_TERM_REQUIRED) found->good = false;
        found->any = found->any || (has && term->kind == FILO_TERM_ANY);
    }
    if (query->any && !query->any_row && !found->any) found->good = false;
}

bool filo_query_has_in(const FiloQuery *query, FiloEntity entity, const FiloHalf *half) {
    void *pointers[FILO_TERMS];
    Found found;
    find_columns(query, half, &found);
    return found.good && filo_query_look_outside(query, entity, found.any, pointers, 1);
}

bool filo_query_has(const FiloQuery *query, FiloEntity entity, const FiloRecord *record) {
    return filo_query_has_in(query, entity,
                             query->world->places[filo_record_where(record) >> FILO_ROW_BITS].half);
}

// Points at the columns of rows of one half, the gathered ones from `first` to `end`.
static void point_at_rows(FiloIter *it, const Found *found, size_t first, size_t end) {
    FiloIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    const FiloPlace *places = it->world->places;
    const uint32_t *where = state->gather->rows;
    for (size_t i = 0; i < query->term_count; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        if (term->place != FILO_PLACE_TABLE || term->access == FILO_ACCESS_NONE) continue;
        void **pointers = state->gather->pointers[i];
        uint32_t column = found->columns[i];
        if (column == FILO_NO_COLUMN) {
            memset(pointers + first, 0, (end - first) * sizeof *pointers);
            continue;
        }
        size_t offset = found->half->offsets[column], size = term->component->size;
        for (size_t n = first; n < end; n++) {
            pointers[n] = places[where[n] >> FILO_ROW_BITS].base + offset +
                          (size_t)(where[n] & (FILO_CHUNK_ROWS - 1)) * size;
            __builtin_prefetch(pointers[n]);
        }
    }
}

// Of the entities that were listed, those whose tables match, and how many. `listed` is which of the listed ones each
// of them is, `any` whether its table has one of the terms of which any will do.
static size_t keep_in_tables(FiloIter *it, size_t count, uint16_t *listed, bool *any) {
    FiloIterState *state = ecs_iter(it);
    const FiloRecord *records = it->world->records;
    const FiloPlace *places = it->world->places;
    uint32_t *indices = state->gather->indices, *where = state->gather->rows;
    Found found = { .half = NULL, .good = false };
    size_t kept = 0, first = 0; // of the half
    for (size_t n = 0; n < count; n++) {
        uint32_t index = indices[n];
        // Behind the last one are others that were listed before: fetching those does no harm.
        __builtin_prefetch(&records[indices[(n + RECORDS_AHEAD) % FILO_GATHER_ROWS]]);
        uint32_t place = filo_record_where(&records[index]);
        const FiloHalf *half = places[place >> FILO_ROW_BITS].half;
        if (FILO_UNLIKELY(half != found.half)) {
            if (kept > first) point_at_rows(it, &found, first, kept);
            first = kept;
            find_columns(it->query, half, &found);
        }
        indices[kept] = index;
        where[kept] = place;
        listed[kept] = (uint16_t)n;
        any[kept] = found.any;
        kept += found.good;
    }
    if (kept > first) point_at_rows(it, &found, first, kept);
    return kept;
}

// ---- Outside of tables ----------------------------------------------------------------------------------

// The values of the list itself.
static void point_into_list(FiloIter *it, size_t count, const uint16_t *listed) {
    FiloIterState *state = ecs_iter(it);
    const FiloComponentData *driver = state->driver;
    const FiloSparse *sparse = driver->info.storage == FILO_STORAGE_SPARSE ? driver->holder : NULL;
    for (size_t i = 0; i < it->query->term_count; i++) {
        const FiloQueryTerm *term = &it->query->terms[i];
        if (term->component != driver || term->access == FILO_ACCESS_NONE) continue;
        void **pointers = state->gather->pointers[i];
        if (sparse != NULL && sparse->size > 0)
            for (size_t n = 0; n < count; n++)
                pointers[n] = sparse->values + (it->first + listed[n]) * sparse->size;
        else
            for (size_t n = 0; n < count; n++)
                pointers[n] =
                    driver->size == 0
                        ? driver->holder // any address
                        : filo_holder_get(it->world, driver,
                                          filo_entity_of_index(it->world, state->gather->indices[n]));
    }
}

// Of the rows that were kept, those that all other terms outside of tables let through, and how many.
static size_t keep_outside(FiloIter *it, size_t count, const bool *any) {
    FiloIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    FiloGather *gather = state->gather;
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        FiloEntity entity = filo_entity_of_index(it->world, gather->indices[n]);
        if (!filo_query_look_outside(query, entity, any[n], &gather->pointers[0][kept], FILO_GATHER_ROWS))
            continue;
        gather->indices[kept] = gather->indices[n];
        gather->rows[kept] = gather->rows[n];
        for (size_t i = 0; i < query->term_count; i++)
            if (query->terms[i].place == FILO_PLACE_TABLE) gather->pointers[i][kept] = gather->pointers[i][n];
        kept++;
    }
    return kept;
}

// ---- All --------------------------------------------------------------------------------------------------

// The chunks of the rows count as written, in the columns that are.
static void touch_chunks(const FiloIter *it) {
    FiloIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    for (size_t i = 0; i < query->term_count; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        if (term->place != FILO_PLACE_TABLE || term->access != FILO_ACCESS_WRITE) continue;
        uint32_t last = UINT32_MAX;
        for (size_t n = 0; n < it->count; n++) {
            uint32_t chunk = state->gather->rows[n] >> FILO_ROW_BITS;
            if (chunk == last) continue;
            last = chunk;
            const FiloPlace *place = &it->world->places[chunk];
            uint32_t column = filo_table_column(place->half->table, term->component->id);
            if (column != FILO_NO_COLUMN) filo_column_touch(it->world, place->base, column);
        }
    }
}

static void set_columns(FiloIter *it) {
    FiloIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    filo_iter_set_gathered(it);
    for (size_t i = 0; i < query->term_count; i++) {
        const FiloQueryTerm *term = &query->terms[i];
        if (term->place == FILO_PLACE_TABLE)
            it->columns_[i] =
                (FiloIterColumn_){ NULL,
                                   term->access != FILO_ACCESS_NONE ? state->gather->pointers[i] : NULL };
    }
    state->indices = state->gather->indices;
}

bool filo_iter_next_driven(FiloIter *it) {
    FiloIterState *state = ecs_iter(it);
    uint16_t listed[FILO_GATHER_ROWS];
    bool any[FILO_GATHER_ROWS];
    do {
        it->first += state->looked;
        size_t count = list(it);
        if (count == 0) {
            state->looked = 0;
            filo_iter_end(it);
            return false;
        }
        it->count = keep_in_tables(it, count, listed, any);
        if (it->query->outside == 1) // the list itself
            point_into_list(it, it->count, listed);
        else
            it->count = keep_outside(it, it->count, any);
    } while (it->count == 0);
    if ((state->flags & FILO_ITER_LOOKS) == 0) touch_chunks(it);
    set_columns(it);
    return true;
}
