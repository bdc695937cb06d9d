// Going over a query by the list of a required component, where that is much shorter than the tables: sparse and map
// holders, and the bits of tags. Some hundred entities are listed at a time and found in their tables; those that
// follow each other in one table, as most do, share what must be looked up there. The rows are given as pointers.

#include "ecs/query/iter.h"
#include "ecs/storage/holder.h"

#define RECORDS_AHEAD 16

// ---- Which list ---------------------------------------------------------------------------------------------

// What going over the list costs, in entities. Which list is taken decides on the order, so it may depend on nothing
// but the state of the world: not on how many bits there is room for, which depends on what was before.
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
        // These can be gone over from any chunk.
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

// The next entities, by index, and how many. Each takes one place of the list; with bits, others lie between.
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

// ---- In tables ------------------------------------------------------------------------------------------

// What a half of a table has of the terms of a query.
typedef struct Found {
    const EcsPartition *partition;
    bool good; // entities there match, as far as tables go
    bool any;  // they have one of the terms of which any will do
    uint32_t columns[FILO_TERMS];
} Found;

static void find_columns(const FiloQuery *query, const EcsPartition *partition, Found *found) {
    found->partition = partition;
    found->good = !(partition->inactive ? query->activity == FILO_ACTIVE : query->activity == FILO_INACTIVE);
    found->any = false;
    for (size_t i = 0; i < query->term_count && found->good; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_TABLE) continue;
        found->columns[i] = ecs_table_column(partition->table, term->component->id);
        bool has = found->columns[i] != ECS_NO_COLUMN;
        if (has ? term->kind == FILO_TERM_REJECTED : term->kind == FILO_TERM_REQUIRED) found->good = false;
        found->any = found->any || (has && term->kind == FILO_TERM_ANY);
    }
    if (query->any && !query->any_row && !found->any) found->good = false;
}

bool ecs_query_matches_in(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition) {
    void *pointers[FILO_TERMS];
    Found found;
    find_columns(query, partition, &found);
    return found.good && ecs_query_match_outside(query, entity, found.any, pointers, 1);
}

bool ecs_query_matches(const FiloQuery *query, FiloEntity entity, const EcsRecord *record) {
    return ecs_query_matches_in(query, entity,
                            ecs_chunk_of(query->world, ecs_record_location(record))->partition);
}

// Points at the columns of rows of one half, the gathered ones from `first` to `end`.
static void point_at_rows(FiloIter *it, const Found *found, size_t first, size_t end) {
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
        for (size_t n = first; n < end; n++) {
            pointers[n] =
                chunks[location[n] >> ECS_ROW_BITS].base + offset + (size_t)ecs_row_of(location[n]) * size;
            __builtin_prefetch(pointers[n]);
        }
    }
}

// Of the entities that were listed, those whose tables match, and how many. `listed` is which of the listed ones each
// of them is, `any` whether its table has one of the terms of which any will do.
static size_t keep_in_tables(FiloIter *it, size_t count, uint16_t *listed, bool *any) {
    EcsIterState *state = ecs_iter(it);
    const EcsRecord *records = it->world->records;
    const EcsChunkInfo *chunks = it->world->chunks;
    uint32_t *indices = state->gather->indices, *location = state->gather->rows;
    Found found = { .partition = NULL, .good = false };
    size_t kept = 0, first = 0; // of the half
    for (size_t n = 0; n < count; n++) {
        uint32_t index = indices[n];
        // Behind the last one are others that were listed before: fetching those does no harm.
        __builtin_prefetch(&records[indices[(n + RECORDS_AHEAD) % ECS_GATHER_ROWS]]);
        uint32_t at = ecs_record_location(&records[index]);
        const EcsPartition *partition = chunks[at >> ECS_ROW_BITS].partition;
        if (FILO_UNLIKELY(partition != found.partition)) {
            if (kept > first) point_at_rows(it, &found, first, kept);
            first = kept;
            find_columns(it->query, partition, &found);
        }
        indices[kept] = index;
        location[kept] = at;
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
                                  ? leading->holder // any address
                                  : ecs_holder_get(it->world, leading,
                                                   ecs_entity_of_index(it->world, state->gather->indices[n]));
    }
}

// Of the rows that were kept, those that all other terms outside of tables let through, and how many.
static size_t keep_outside(FiloIter *it, size_t count, const bool *any) {
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

// ---- All --------------------------------------------------------------------------------------------------

// The chunks of the rows count as written, in the columns that are.
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
        it->count = keep_in_tables(it, count, listed, any);
        if (it->query->outside == 1) // the list itself
            point_into_list(it, it->count, listed);
        else
            it->count = keep_outside(it, it->count, any);
    } while (it->count == 0);
    if ((state->flags & ECS_ITER_READ_ONLY) == 0) mark_chunks_changed(it);
    set_columns(it);
    return true;
}
