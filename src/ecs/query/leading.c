// Iteration over the list of a leading component: a required component in a sparse list, map or tag that is much
// shorter than the tables that match. Up to ECS_GATHER_ROWS entities are listed at a time, and found in their tables.
// Consecutive entities in the same partition share the search for its columns. All columns are pointers per row.

#include "ecs/query/iter.h"
#include "ecs/storage/holder.h"

// ---- Choosing the component -------------------------------------------------------------------------------

// The cost of iterating over the list, in entities. It decides which list is taken, and so the order of iteration. So
// it may depend only on the state of the world: not on the capacity of a bit set, which depends on its history.
static size_t leading_cost(const FiloWorld *world, const EcsComponentData *component) {
    size_t count = component->interface->count(component->holder);
    return component->tag != NULL ? count + world->index_end / 16 : count;
}

const EcsComponentData *ecs_query_leading_component(const FiloQuery *query, size_t table_rows) {
    if (!query->filters || query->changed) return NULL;
    const EcsComponentData *best = NULL;
    size_t fewest = table_rows / 4;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        const EcsComponentData *component = term->component;
        // An iteration over one of these can begin at any position.
        bool list = component->info.storage == FILO_STORAGE_SPARSE ||
                    component->info.storage == FILO_STORAGE_MAP || component->tag != NULL;
        if (term->source != ECS_SOURCE_HOLDER || term->kind != FILO_TERM_REQUIRED || !list) continue;
        size_t cost = leading_cost(query->world, component);
        if (cost < fewest) best = component, fewest = cost;
    }
    return best;
}

size_t ecs_leading_length(const FiloWorld *world, const EcsComponentData *leading) {
    return leading->tag != NULL ? world->index_end : leading->interface->count(leading->holder);
}

// ---- Listing --------------------------------------------------------------------------------------------

// These list the indices of the next entities, and return their number. EcsIterState.scanned is set to the number of
// entries of the list, which for bits includes those that are 0.
static size_t list_sparse(FiloIter *it, const EcsSparse *sparse, uint32_t *indices) {
    EcsIterState *state = ecs_iter(it);
    size_t rest = sparse->count > it->first ? sparse->count - it->first : 0;
    size_t count = FILO_MIN(FILO_MIN(rest, state->left), (size_t)ECS_GATHER_ROWS);
    for (size_t i = 0; i < count; i++) indices[i] = (uint32_t)sparse->entities[it->first + i].id;
    state->scanned = count;
    return count;
}

static size_t list_bits(FiloIter *it, const FiloBits *bits, uint32_t *indices) {
    EcsIterState *state = ecs_iter(it);
    size_t at = FILO_MIN(it->first, bits->count), count = 0;
    size_t end = state->left < bits->count - at ? at + state->left : bits->count;
    for (size_t next; at < end && count + 64 <= ECS_GATHER_ROWS; at = next) { // a word at a time
        size_t first = at & ~(size_t)63;
        next = FILO_MIN(first + 64, end);
        uint64_t rest = bits->words[at / 64] >> (at - first) << (at - first);
        if (next < first + 64) rest &= (UINT64_C(1) << (next - first)) - 1;
        for (; rest != 0; rest &= rest - 1)
            indices[count++] = (uint32_t)(first + (size_t)__builtin_ctzll(rest));
    }
    state->scanned = at - FILO_MIN(it->first, end);
    return count;
}

static size_t list_any(FiloIter *it, uint32_t *indices) {
    EcsIterState *state = ecs_iter(it);
    uint64_t cursor = it->first;
    FiloEntity entity;
    size_t count = 0;
    while (count < FILO_MIN(state->left, (size_t)ECS_GATHER_ROWS) &&
           state->leading->interface->next(state->leading->holder, &cursor, &entity))
        indices[count++] = (uint32_t)entity.id;
    state->scanned = count;
    return count;
}

static size_t list(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const EcsComponentData *leading = state->leading;
    uint32_t *indices = state->gather->indices;
    size_t count = leading->tag != NULL ? list_bits(it, &leading->tag->bits, indices)
                   : leading->info.storage == FILO_STORAGE_SPARSE ? list_sparse(it, leading->holder, indices)
                                                                  : list_any(it, indices);
    state->left -= state->scanned;
    return count;
}

// ---- Terms in tables --------------------------------------------------------------------------------------

// The columns of the terms of a query in a partition.
typedef struct Found {
    const EcsPartition *partition;
    bool matches; // the terms in tables match
    bool any;     // it has one of the terms of kind FILO_TERM_ANY
    uint32_t columns[FILO_TERMS];
} Found;

static void find_columns(const FiloQuery *query, const EcsPartition *partition, Found *found) {
    found->partition = partition;
    found->matches =
        !(partition->inactive ? query->activity == FILO_ACTIVE : query->activity == FILO_INACTIVE);
    found->any = false;
    for (size_t i = 0; i < query->term_count && found->matches; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_TABLE) continue;
        found->columns[i] = ecs_table_column(partition->table, term->component->id);
        bool has = found->columns[i] != ECS_NO_COLUMN;
        if (has ? term->kind == FILO_TERM_REJECTED : term->kind == FILO_TERM_REQUIRED) found->matches = false;
        found->any = found->any || (has && term->kind == FILO_TERM_ANY);
    }
    if (query->any && !query->any_row && !found->any) found->matches = false;
}

bool ecs_query_matches_in(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition) {
    void *pointers[FILO_TERMS];
    Found found;
    find_columns(query, partition, &found);
    return found.matches && ecs_query_match_outside(query, entity, found.any, pointers, 1);
}

bool ecs_query_matches(const FiloQuery *query, FiloEntity entity, const EcsRecord *record) {
    return ecs_query_matches_in(query, entity,
                                ecs_chunk_of(query->world, ecs_record_location(record))->partition);
}

// Sets the pointers of table terms for the gathered rows from `first` to `end`, which are in one partition.
static void gather_columns(FiloIter *it, const Found *found, size_t first, size_t end) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    const EcsChunkInfo *chunks = it->world->chunks;
    const uint32_t *location = state->gather->rows;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_TABLE || term->access == FILO_ACCESS_NONE) continue;
        void **pointers = state->gather->pointers[i];
        uint32_t column = found->columns[i];
        if (column == ECS_NO_COLUMN) {
            memset(pointers + first, 0, (end - first) * sizeof *pointers);
            continue;
        }
        size_t offset = found->partition->offsets[column], size = term->component->size;
        for (size_t n = first; n < end; n++)
            pointers[n] =
                chunks[location[n] >> ECS_ROW_BITS].base + offset + (size_t)ecs_row_of(location[n]) * size;
    }
}

// Filters the listed entities by their tables, and gathers the pointers of table terms. Returns the number of entities
// that are left. `listed` is the position of each in the list, `any` whether its table has a term of kind
// FILO_TERM_ANY.
static size_t filter_by_tables(FiloIter *it, size_t count, uint16_t *listed, bool *any) {
    EcsIterState *state = ecs_iter(it);
    const EcsRecord *records = it->world->records;
    const EcsChunkInfo *chunks = it->world->chunks;
    uint32_t *indices = state->gather->indices, *location = state->gather->rows;
    Found found = { .partition = NULL, .matches = false };
    size_t kept = 0, first = 0; // `first`: of this partition
    for (size_t n = 0; n < count; n++) {
        uint32_t index = indices[n];
        uint32_t at = ecs_record_location(&records[index]);
        const EcsPartition *partition = chunks[at >> ECS_ROW_BITS].partition;
        if (FILO_UNLIKELY(partition != found.partition)) {
            if (kept > first) gather_columns(it, &found, first, kept);
            first = kept;
            find_columns(it->query, partition, &found);
        }
        indices[kept] = index;
        location[kept] = at;
        listed[kept] = (uint16_t)n;
        any[kept] = found.any;
        kept += found.matches;
    }
    if (kept > first) gather_columns(it, &found, first, kept);
    return kept;
}

// ---- Terms outside of tables ------------------------------------------------------------------------------

// Sets the pointers of the leading component.
static void gather_leading(FiloIter *it, size_t count, const uint16_t *listed) {
    EcsIterState *state = ecs_iter(it);
    const EcsComponentData *leading = state->leading;
    const EcsSparse *sparse = leading->info.storage == FILO_STORAGE_SPARSE ? leading->holder : NULL;
    for (size_t i = 0; i < it->query->term_count; i++) {
        const EcsQueryTerm *term = &it->query->terms[i];
        if (term->component != leading || term->access == FILO_ACCESS_NONE) continue;
        void **pointers = state->gather->pointers[i];
        if (sparse != NULL && sparse->size > 0)
            for (size_t n = 0; n < count; n++)
                pointers[n] = sparse->values + (it->first + listed[n]) * sparse->size;
        else
            for (size_t n = 0; n < count; n++)
                pointers[n] = leading->size == 0
                                  ? leading->holder // any address but NULL
                                  : ecs_holder_get(it->world, leading,
                                                   ecs_entity_of_index(it->world, state->gather->indices[n]));
    }
}

// Filters the rows by all terms outside of tables, and gathers their pointers. Returns the number of rows that are
// left.
static size_t filter_outside(FiloIter *it, size_t count, const bool *any) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    EcsGather *gather = state->gather;
    size_t kept = 0;
    for (size_t n = 0; n < count; n++) {
        FiloEntity entity = ecs_entity_of_index(it->world, gather->indices[n]);
        if (!ecs_query_match_outside(query, entity, any[n], &gather->pointers[0][kept], ECS_GATHER_ROWS))
            continue;
        gather->indices[kept] = gather->indices[n];
        gather->rows[kept] = gather->rows[n];
        for (size_t i = 0; i < query->term_count; i++)
            if (query->terms[i].source == ECS_SOURCE_TABLE)
                gather->pointers[i][kept] = gather->pointers[i][n];
        kept++;
    }
    return kept;
}

// ---- Iterating --------------------------------------------------------------------------------------------

// Marks the written columns in the chunks of the rows as changed.
static void mark_chunks_changed(const FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_TABLE || term->access != FILO_ACCESS_WRITE) continue;
        uint32_t last = UINT32_MAX;
        for (size_t n = 0; n < it->count; n++) {
            uint32_t chunk = state->gather->rows[n] >> ECS_ROW_BITS;
            if (chunk == last) continue;
            last = chunk;
            const EcsChunkInfo *info = &it->world->chunks[chunk];
            uint32_t column = ecs_table_column(info->partition->table, term->component->id);
            if (column != ECS_NO_COLUMN) ecs_column_mark_changed(it->world, info->base, column);
        }
    }
}

static void set_columns(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    ecs_iter_set_gathered(it);
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source == ECS_SOURCE_TABLE)
            it->columns_[i] =
                (FiloIterColumn_){ NULL,
                                   term->access != FILO_ACCESS_NONE ? state->gather->pointers[i] : NULL };
    }
    state->indices = state->gather->indices;
}

bool ecs_iter_next_leading(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    uint16_t listed[ECS_GATHER_ROWS];
    bool any[ECS_GATHER_ROWS];
    do {
        it->first += state->scanned;
        size_t count = list(it);
        if (count == 0) {
            state->scanned = 0;
            filo_iter_end(it);
            return false;
        }
        it->count = filter_by_tables(it, count, listed, any);
        if (it->query->outside == 1) // the leading component alone
            gather_leading(it, it->count, listed);
        else
            it->count = filter_outside(it, it->count, any);
    } while (it->count == 0);
    if ((state->flags & ECS_ITER_READ_ONLY) == 0) mark_chunks_changed(it);
    set_columns(it);
    return true;
}
