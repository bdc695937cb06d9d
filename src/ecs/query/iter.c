// Iteration over a query, in parts. A part is some rows with a column for each term. There are three kinds of
// iteration, from fast to slow:
//
//   columns   all terms are in tables. A part is a whole chunk, and columns are arrays in it.
//   rows      some terms are in holders or of parents. A part is up to 256 rows of a chunk. These terms have a pointer
//             per row; if some of the rows do not match, the terms in tables have, too.
//   leading   a required component is in a list that is much shorter than the tables. The iteration goes over this
//             list (leading.c).
//
// An EcsMatch caches the offsets of its columns together with the layout id of the partition. If the layout has changed
// since, the first iteration that finds it so computes the offsets again.

#include "ecs/query/iter.h"
#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

#define SMALL_TABLE 256 // rows; after a table with fewer, the next tables are prefetched

static inline EcsMatch *match_after(EcsMatch *match, size_t bytes) {
    return (EcsMatch *)(void *)((uint8_t *)match + bytes);
}

// ---- Beginning and ending -----------------------------------------------------------------------------

static size_t table_rows(const FiloQuery *query) {
    size_t rows = 0;
    for (size_t i = 0; i < query->match_count; i++)
        rows += ecs_partition_count(ecs_query_match(query, i)->partition);
    return rows;
}

size_t ecs_query_rows(const FiloQuery *query) {
    size_t rows = table_rows(query);
    const EcsComponentData *leading = ecs_query_leading_component(query, rows);
    return leading != NULL ? ecs_leading_length(query->world, leading) : rows;
}

static inline void set_globals(FiloIter *it, const FiloQuery *query, bool read_only) {
    for (uint32_t rest = query->global_terms; rest != 0; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        const EcsQueryTerm *term = &query->terms[i];
        if (term->access == FILO_ACCESS_NONE) continue;
        it->columns_[i].data = term->component->global;
        if (term->access == FILO_ACCESS_WRITE && !read_only)
            __atomic_store_n(term->component->version, query->world->version, __ATOMIC_RELAXED);
    }
}

#ifdef NDEBUG
static inline size_t cleared_columns(const FiloQuery *query) { return query->term_count; }
#else
// All of them, so that a term that does not exist has an empty column.
static inline size_t cleared_columns(const FiloQuery *query) {
    FILO_UNUSED(query);
    return FILO_TERMS;
}
#endif

static inline void begin_part(FiloIter *it, FiloQuery *query, size_t begin, size_t end, uint64_t since,
                              uint32_t flags) {
    EcsIterState *state = ecs_iter(it);
    it->count = it->first = 0;
    it->world = query->world;
    it->query = query;
    it->user = NULL;
    it->tick = query->world->tick;
    it->delta = 0;
    it->changes = NULL;
    it->events = NULL;
    it->term_count_ = query->term_count;
    it->global_terms_ = query->global_terms;
    it->types_ = query->types;
    memset(it->columns_, 0, cleared_columns(query) * sizeof it->columns_[0]);
    static EcsMatch nothing = { .partition = &ecs_no_partition }; // never written
    // Field by field: gcc clears a whole struct more slowly.
    state->system = NULL;
    state->terms = query->terms;
    state->indices = NULL;
    state->match = query->matches != NULL ? ecs_query_match(query, 0) : &nothing;
    state->match_end = match_after(state->match, query->match_count * query->match_size);
    state->chunk = state->row = 0;
    state->flags = flags | (query->varied != query->fixed ? ECS_ITER_VARIED : 0);
    state->gather = NULL;
    state->leading = NULL;
    state->left = SIZE_MAX;
    state->scanned = 0;
    state->since = since;
    set_globals(it, query, (flags & ECS_ITER_READ_ONLY) != 0);
    if (!query->gathers && !query->changed && begin == 0 && end == SIZE_MAX && flags == 0) return;
    state->flags |= ECS_ITER_SLOW;
    state->leading = ecs_query_leading_component(query, query->filters ? table_rows(query) : 0);
    state->left = end - begin;
    it->first = begin;
    if (state->leading != NULL) return;
    // Finds the table and row of `begin`.
    for (const EcsMatch *match = state->match; begin > 0 && state->match != state->match_end;
         match = state->match) {
        const EcsPartition *partition = match->partition;
        if (begin < ecs_partition_count(partition)) {
            state->chunk = (uint32_t)(begin / partition->chunk_rows);
            state->row = (uint32_t)(begin % partition->chunk_rows);
            break;
        }
        begin -= ecs_partition_count(partition);
        state->match = match_after(state->match, query->match_size);
    }
}

void ecs_iter_begin(FiloIter *it, FiloQuery *query, size_t begin, size_t end, uint64_t since) {
    begin_part(it, query, begin, end, since, 0);
}

void ecs_iter_begin_read_only(FiloIter *it, FiloQuery *query) {
    begin_part(it, query, 0, SIZE_MAX, query->last_version, ECS_ITER_READ_ONLY);
}

// An iteration without rows.
static FiloIter no_iter(FiloQuery *query) {
    FiloIter it = { .world = query != NULL ? query->world : NULL, .query = query };
    ecs_iter(&it)->flags = ECS_ITER_ENDED;
    return it;
}

static bool may_iterate(const FiloQuery *query) {
    return FILO_CHECK_MADE(query != NULL,
                           "pass the query that filo_query or filo_iter_extra_query returned") &&
           ecs_query_may_access(query, FILO_ACCESS_WRITE);
}

FiloIter filo_iter_over(const FiloIter *outer, FiloQuery *query) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return no_iter(query);
    if (ecs_iter(outer)->system == NULL) return filo_query_iter(query);
    if (!may_iterate(query)) return no_iter(query);
    FiloIter it = ecs_query_iter_part(query, 0, SIZE_MAX, ecs_iter(outer)->since);
    it.user = outer->user;
    it.tick = outer->tick;
    it.delta = outer->delta;
    it.changes = outer->changes;
    it.events = outer->events;
    ecs_iter(&it)->system = ecs_iter(outer)->system;
    return it;
}

FiloIter filo_iter_over_since(const FiloIter *outer, FiloQuery *query, FiloSeen seen) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return no_iter(query);
    if (!FILO_CHECK(ecs_iter(outer)->system != NULL,
                    "this is for systems; between ticks, use filo_query_iter_since"))
        return no_iter(query);
    FiloIter it = filo_iter_over(outer, query);
    ecs_iter(&it)->since = seen.restored == outer->world->restored ? seen.version : 0;
    return it;
}

FiloSeen filo_iter_seen(const FiloIter *it) {
    if (!FILO_CHECK(ecs_iter(it)->system != NULL,
                    "this is for systems; between ticks, use filo_query_iter_since"))
        return (FiloSeen){ 0 };
    return (FiloSeen){ it->world->version, it->world->restored };
}

FiloIter filo_query_iter(FiloQuery *query) {
    if (!may_iterate(query)) return no_iter(query);
    FiloWorld *world = query->world;
    FiloIter it = ecs_query_iter_part(query, 0, SIZE_MAX, query->last_version);
    if (ecs_is_running(world)) {
        (void)FILO_CHECK(!query->changed, "inside a system, iterate over a query that asks for changes with "
                                          "filo_iter_over(it, query), which knows when the system last ran");
        return it;
    }
    ecs_iter(&it)->flags |= ECS_ITER_COUNTED;
    base_add_relaxed(&world->busy, 1);
    if (query->changed) query->last_version = world->version++;
    return it;
}

size_t filo_query_rows(const FiloQuery *query) {
    if (!FILO_CHECK_MADE(query != NULL, "pass the query that filo_query returned")) return 0;
    return ecs_may_read(query->world) ? ecs_query_rows(query) : 0;
}

FiloIter filo_query_iter_part(FiloQuery *query, size_t begin, size_t end) {
    if (!may_iterate(query) || !FILO_CHECK(begin <= end && !query->changed,
                                           "pass a range of rows, and a query that does not ask for changes"))
        return no_iter(query);
    FiloWorld *world = query->world;
    FiloIter it = ecs_query_iter_part(query, begin, end, 0);
    if (ecs_is_running(world)) return it;
    ecs_iter(&it)->flags |= ECS_ITER_COUNTED;
    base_add_relaxed(&world->busy, 1);
    return it;
}

FiloIter filo_query_iter_since(FiloQuery *query, FiloSeen *seen) {
    if (!FILO_CHECK(query != NULL && seen != NULL, "pass a query, and what was seen")) return no_iter(query);
    if (!ecs_may_read(query->world)) return no_iter(query);
    FiloWorld *world = query->world;
    bool restored = seen->restored != world->restored;
    FiloIter it = ecs_query_iter_part(query, 0, SIZE_MAX, restored ? 0 : seen->version);
    if (!FILO_CHECK(!ecs_is_running(world),
                    "look for changes since a time between ticks; systems have their own"))
        return it;
    ecs_iter(&it)->flags |= ECS_ITER_COUNTED;
    base_add_relaxed(&world->busy, 1);
    *seen = (FiloSeen){ world->version++, world->restored };
    return it;
}

void filo_iter_end(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    if ((state->flags & ECS_ITER_ENDED) != 0) return;
    if (state->gather != NULL) ecs_gather_release(it->world, state->gather);
    state->gather = NULL;
    if ((state->flags & ECS_ITER_COUNTED) != 0) base_sub_relaxed(&it->world->busy, 1);
    state->flags |= ECS_ITER_ENDED;
    it->count = 0;
}

// ---- Columns ----------------------------------------------------------------------------------------------

// Computes the offsets of the columns again. Several threads may do so at once, with the same result.
static FILO_COLD void resolve_match(const FiloQuery *query, EcsMatch *match) {
    const EcsPartition *partition = match->partition;
    for (size_t i = 0; i < query->term_count; i++) {
        uint32_t column = match->terms[i].column;
        bool next = query->terms[i].access == FILO_ACCESS_WRITE_NEXT;
        const uint32_t *offsets = next ? partition->next_offsets : partition->offsets;
        if (column < ECS_OUTSIDE_COLUMN)
            __atomic_store_n(&match->terms[i].offset, offsets[column], __ATOMIC_RELAXED);
    }
    // Release: pairs with the acquire in check_match and next_single. A thread that reads this layout id must read the
    // offsets.
    __atomic_store_n(&match->layout_id, partition->layout_id, __ATOMIC_RELEASE);
}

static inline void check_match(const FiloQuery *query, EcsMatch *match, const EcsPartition *partition) {
    // Acquire: pairs with the release in resolve_match.
    if (FILO_UNLIKELY(__atomic_load_n(&match->layout_id, __ATOMIC_ACQUIRE) != partition->layout_id))
        resolve_match(query, match);
}

// Atomic, because another thread may be in resolve_match.
static inline uint32_t column_offset(const struct EcsMatchColumn *term) {
    return __atomic_load_n(&term->offset, __ATOMIC_RELAXED);
}

// Sets the columns of table terms, from the term `first` on, to the rows from `row` on, and marks written columns as
// changed.
static void set_columns(FiloIter *it, EcsMatch *match, uint8_t *base, uint32_t row, size_t first) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    for (size_t i = first; i < query->varied; i++) {
        uint32_t column = match->terms[i].column;
        if (column == ECS_OUTSIDE_COLUMN) continue;
        it->columns_[i].rows = NULL;
        if (FILO_UNLIKELY(column == ECS_NO_COLUMN)) {
            it->columns_[i].data = NULL;
            continue;
        }
        it->columns_[i].data = base + column_offset(&match->terms[i]) + row * query->terms[i].component->size;
        if (query->terms[i].access == FILO_ACCESS_WRITE && (state->flags & ECS_ITER_READ_ONLY) == 0)
            ecs_column_mark_changed(it->world, base, column);
    }
}

// The same for a whole chunk, if no terms are outside of tables.
static inline void set_whole_columns(FiloIter *it, const FiloQuery *query, EcsMatch *match, uint8_t *base) {
    const uint32_t fixed = query->fixed;
    FiloIterColumn_ *column = it->columns_;
    for (const struct EcsMatchColumn *term = match->terms, *end = term + fixed; term != end; term++, column++)
        column->data = base + column_offset(term);
    for (uint32_t rest = query->written; rest != 0; rest &= rest - 1)
        ecs_column_mark_changed(it->world, base, match->terms[(unsigned)__builtin_ctz(rest)].column);
    if (FILO_UNLIKELY(query->varied != fixed)) set_columns(it, match, base, 0, fixed);
}

// Prefetches the beginning of columns. If the offsets are out of date, the prefetch is useless but harmless.
static inline void prefetch_columns(const FiloQuery *query, const EcsMatch *match, const uint8_t *base,
                                    size_t bytes) {
    for (const struct EcsMatchColumn *term = match->terms, *end = term + query->fixed; term != end; term++) {
        uintptr_t column = (uintptr_t)base + column_offset(term);
        for (size_t at = 0; at < bytes; at += FILO_CACHE_LINE)
            __builtin_prefetch((const void *)(column + at));
    }
}

// Prefetches for the next tables: with many small tables, most of the time is spent waiting for memory. Behind the last
// match there are ECS_MATCHES_AHEAD empty ones, so no test is needed.
static inline void prefetch_matches(const FiloQuery *query, EcsMatch *match) {
    const EcsMatch *far = match_after(match, ECS_MATCHES_AHEAD * query->match_size),
                   *near = match_after(match, 2 * query->match_size);
    __builtin_prefetch(far->partition);
    const uint8_t *base = near->partition->first_base;
    __builtin_prefetch(base);
    prefetch_columns(query, near, base, (size_t)3 * FILO_CACHE_LINE);
}

// The next chunk, if all terms are in tables.
static __attribute__((noinline)) bool next_columns(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    EcsMatch *match = state->match;
    const EcsPartition *partition = NULL;
    for (;; match = match_after(match, query->match_size)) {
        if (match == state->match_end) {
            state->match = match;
            filo_iter_end(it);
            return false;
        }
        partition = match->partition;
        if (FILO_LIKELY(partition->tail_rows != 0)) break;
    }
    const uint32_t chunk = state->chunk;
    const bool last = chunk == partition->tail;
    uint8_t *base = chunk == 0 ? partition->first_base : partition->chunks[chunk].base;
    const size_t count = last ? partition->tail_rows : partition->chunk_rows;
    it->first += it->count;
    it->count = count;
    state->indices = ecs_chunk_indices(partition, base);
    check_match(query, match, partition);
    set_whole_columns(it, query, match, base);
    if (last) {
        state->chunk = 0;
        state->match = match_after(match, query->match_size);
        if (count < SMALL_TABLE && state->match != state->match_end) prefetch_matches(query, match);
    } else {
        // The hardware prefetcher follows a column, but not from one chunk to the next.
        state->chunk = chunk + 1;
        state->match = match;
        prefetch_columns(query, match, partition->chunks[chunk + 1].base, (size_t)4 * FILO_CACHE_LINE);
    }
    return true;
}

// Sets the column of a term, and prefetches the column of a later match.
static inline void set_column(FiloIter *it, const EcsMatch *match, uint8_t *base, const EcsMatch *near,
                              const uint8_t *near_base, uint32_t term) {
    it->columns_[term].data = base + column_offset(&match->terms[term]);
    uintptr_t column = (uintptr_t)near_base + column_offset(&near->terms[term]);
    __builtin_prefetch((const void *)column);
    __builtin_prefetch((const void *)(column + FILO_CACHE_LINE));
    __builtin_prefetch((const void *)(column + (size_t)2 * FILO_CACHE_LINE));
}

// As next_columns, for a table with a single chunk and terms that have a column in every match; specialised for worlds
// with thousands of small tables. False if the next table is not like that, or at the end.
static inline bool next_single(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    EcsMatch *match = state->match;
    const EcsPartition *partition = match->partition;
    const uint32_t count = partition->tail_rows;
    // The last match is followed by one of an empty partition. Acquire: pairs with the release in resolve_match.
    if (FILO_UNLIKELY(partition->tail != 0 || count == 0 ||
                      __atomic_load_n(&match->layout_id, __ATOMIC_ACQUIRE) != partition->layout_id))
        return false;
    uint8_t *base = partition->first_base;
    const size_t size = query->match_size;
    it->first += it->count;
    it->count = count;
    state->indices = ecs_chunk_indices(partition, base);
    state->match = match_after(match, size);
    // As prefetch_matches.
    const EcsMatch *far = match_after(match, ECS_MATCHES_AHEAD * size), *near = match_after(match, 2 * size);
    __builtin_prefetch(far->partition);
    const uint8_t *near_base = near->partition->first_base;
    __builtin_prefetch(near_base);
    // The first two terms, mostly all, without a loop, which saves branches.
    const uint32_t fixed = query->fixed;
    if (FILO_LIKELY(fixed > 0)) set_column(it, match, base, near, near_base, 0);
    if (FILO_LIKELY(fixed > 1)) set_column(it, match, base, near, near_base, 1);
    for (uint32_t i = 2; FILO_UNLIKELY(i < fixed); i++) set_column(it, match, base, near, near_base, i);
    for (uint32_t rest = query->written; rest != 0; rest &= rest - 1)
        ecs_column_mark_changed(it->world, base, match->terms[(unsigned)__builtin_ctz(rest)].column);
    return true;
}

// ---- Rows -------------------------------------------------------------------------------------------------

static void *parent_value(const FiloWorld *world, FiloEntity entity, const EcsComponentData *component) {
    const FiloFamily *family = ecs_sparse_get(world->family->holder, entity);
    if (family == NULL || family->parent.id == 0) return NULL;
    const EcsRecord *record = ecs_record_find(world, family->parent);
    return ecs_component_find(world, family->parent, record, component);
}

bool ecs_query_match_outside(const FiloQuery *query, FiloEntity entity, bool any, void **pointers,
                             size_t stride) {
    const FiloWorld *world = query->world;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        void *value;
        if (term->source == ECS_SOURCE_HOLDER &&
            term->component->tag != NULL) // the entity exists, so its bit is sufficient
            value = filo_bits_test(&term->component->tag->bits, (uint32_t)entity.id) ? term->component->tag
                                                                                     : NULL;
        else if (term->source == ECS_SOURCE_HOLDER)
            value = ecs_holder_get(world, term->component, entity);
        else if (term->source == ECS_SOURCE_PARENT)
            value = parent_value(world, entity, term->component);
        else
            continue;
        if (value != NULL ? term->kind == FILO_TERM_REJECTED : term->kind == FILO_TERM_REQUIRED) return false;
        any = any || (value != NULL && term->kind == FILO_TERM_ANY);
        pointers[i * stride] = value;
    }
    return !query->any || any;
}

void ecs_iter_set_gathered(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_HOLDER && term->source != ECS_SOURCE_PARENT) continue;
        it->columns_[i].data = NULL;
        it->columns_[i].rows = term->access != FILO_ACCESS_NONE ? state->gather->pointers[i] : NULL;
        if (term->access == FILO_ACCESS_WRITE && (state->flags & ECS_ITER_READ_ONLY) == 0)
            __atomic_store_n(term->component->version, it->world->version, __ATOMIC_RELAXED);
    }
}

// The rows that match are not adjacent: replaces the columns of table terms by pointers per row.
static void scatter_columns(FiloIter *it, size_t count) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    EcsGather *gather = state->gather;
    for (size_t i = 0; i < query->term_count; i++) {
        uint8_t *data = it->columns_[i].data;
        if (query->terms[i].source != ECS_SOURCE_TABLE || data == NULL) continue;
        size_t size = query->terms[i].component->size;
        for (size_t n = 0; n < count; n++) gather->pointers[i][n] = data + gather->rows[n] * size;
        it->columns_[i] = (FiloIterColumn_){ NULL, gather->pointers[i] };
    }
}

// Filters `count` rows by a tag; lists those that are left, and returns their number. Mostly few are left for the other
// terms to test. Not inline, so that all of its variables are in registers.
static __attribute__((noinline)) size_t filter_by_tag(const EcsQueryTerm *term, const uint32_t *indices,
                                                      size_t count, uint32_t *rows) {
    const uint64_t *words = term->component->tag->bits.words, rejects = term->kind == FILO_TERM_REJECTED;
    const size_t bits = term->component->tag->bits.count;
    size_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = indices[i];
        uint64_t bit = index < bits ? words[index / 64] >> index % 64 & 1 : 0;
        rows[left] = i;
        left += bit ^ rejects; // no branch, because it would be mispredicted
    }
    return left;
}

// Gathers the rows from `row` to `end` of a chunk that match; false if none does.
static bool gather_rows(FiloIter *it, EcsMatch *match, uint8_t *base, uint32_t row, uint32_t end) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    EcsGather *gather = state->gather;
    const uint32_t *indices = ecs_chunk_indices(match->partition, base) + row;
    size_t count = 0, some = end - row;
    const EcsQueryTerm *tag_filter = query->tag_filter != 0 ? &query->terms[query->tag_filter - 1] : NULL;
    if (tag_filter != NULL) some = filter_by_tag(tag_filter, indices, some, gather->rows);
    if (tag_filter != NULL && query->outside == 1 && !query->any) { // no other terms to test
        for (; count < some; count++) {
            gather->indices[count] = indices[gather->rows[count]];
            gather->pointers[query->tag_filter - 1][count] = tag_filter->component->tag;
        }
    }
    for (uint32_t n = (uint32_t)count; n < some; n++) {
        uint32_t i = tag_filter != NULL ? gather->rows[n] : n;
        FiloEntity entity = ecs_entity_of_index(it->world, indices[i]);
        if (!ecs_query_match_outside(query, entity, match->any, &gather->pointers[0][count], ECS_GATHER_ROWS))
            continue;
        gather->indices[count] = indices[i];
        gather->rows[count++] = i;
    }
    if (count == 0) return false;
    check_match(query, match, match->partition);
    set_columns(it, match, base, row, 0);
    ecs_iter_set_gathered(it);
    state->indices = indices;
    it->count = count;
    if (count == end - row) return true;
    scatter_columns(it, count);
    state->indices = gather->indices;
    return true;
}

// Whether a component of a term with `changed` has changed in this chunk.
static bool chunk_changed(const FiloIter *it, const EcsMatch *match, uint8_t *base) {
    const FiloQuery *query = it->query;
    const uint64_t since = ecs_iter(it)->since;
    bool rows_changed = *ecs_chunk_version(base) > since;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (!term->changed) continue;
        if (rows_changed || ecs_term_version(term, match->terms[i].column, base, 0) > since) return true;
    }
    return false;
}

// The next rows of a chunk, for an iteration that gathers rows, filters by changes or covers a part of the rows.
static bool next_rows(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    const FiloQuery *query = it->query;
    it->first += state->scanned;
    it->count = state->scanned = 0;
    while (state->left > 0 && state->match != state->match_end) {
        EcsMatch *match = state->match;
        const EcsPartition *partition = match->partition;
        uint32_t rows = state->chunk == partition->tail ? partition->tail_rows : partition->chunk_rows;
        if (partition->tail_rows == 0 || state->chunk > partition->tail) {
            state->match = match_after(state->match, query->match_size);
            state->chunk = state->row = 0;
            continue;
        }
        uint8_t *base = partition->chunks[state->chunk].base;
        uint32_t row = state->row, end = (uint32_t)FILO_MIN((size_t)rows - row, state->left) + row;
        if (query->gathers) end = FILO_MIN(end, row + ECS_GATHER_ROWS);
        bool ok = !query->changed || chunk_changed(it, match, base);
        if (!ok) end = (uint32_t)FILO_MIN((size_t)rows - row, state->left) + row;
        state->left -= end - row;
        state->row = end;
        if (end == rows) state->chunk++, state->row = 0;
        if (ok && query->gathers) {
            ok = gather_rows(it, match, base, row, end);
        } else if (ok) {
            check_match(query, match, partition);
            set_columns(it, match, base, row, 0);
            state->indices = ecs_chunk_indices(partition, base) + row;
            it->count = end - row;
        }
        if (ok) {
            state->scanned = end - row;
            return true;
        }
        it->first += end - row;
    }
    filo_iter_end(it);
    return false;
}

// ---- Public -------------------------------------------------------------------------------------------

// Every iteration but that over columns.
static __attribute__((noinline)) bool next_slow(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    if ((state->flags & ECS_ITER_ENDED) != 0) return false;
    if (it->query->gathers && state->gather == NULL &&
        (state->gather = ecs_gather_acquire(it->world)) == NULL) {
        filo_iter_end(it);
        return false;
    }
    return state->leading != NULL ? ecs_iter_next_leading(it) : next_rows(it);
}

bool filo_iter_next(FiloIter *it) {
    EcsIterState *state = ecs_iter(it);
    if (FILO_LIKELY((state->flags & (ECS_ITER_SLOW | ECS_ITER_ENDED | ECS_ITER_VARIED)) == 0) &&
        next_single(it))
        return true;
    return (state->flags & (ECS_ITER_SLOW | ECS_ITER_ENDED)) == 0 ? next_columns(it) : next_slow(it);
}
