// Iteration over a query: iter.c iterates over tables, leading.c over the list of one component if that is shorter.

#ifndef FILO_ECS_QUERY_ITER_H
#define FILO_ECS_QUERY_ITER_H

#include "ecs/query/query.h"
#include "ecs/query/scratch.h"

#include <stddef.h>

// EcsIterState.flags
enum {
    ECS_ITER_SLOW = 1,    // it gathers rows, filters by changes, or covers a part of the rows
    ECS_ITER_COUNTED = 2, // it is counted in FiloWorld.busy
    ECS_ITER_ENDED = 4,
    ECS_ITER_VARIED = 8,     // some terms have a column in some matches only
    ECS_ITER_READ_ONLY = 16, // it marks nothing as changed. Always with ECS_ITER_SLOW
};

// The state of an iteration, in FiloIter.private_.
typedef struct EcsIterState {
    const EcsSystem *system;         // NULL: between ticks
    const EcsQueryTerm *terms;       // [FiloIter.term_count_]
    const uint32_t *indices;         // entity index of each row; NULL: no rows yet
    EcsMatch *match;                 // of the next rows
    const EcsMatch *match_end;       // behind the last match
    uint32_t chunk, row;             // chunk and first row of the next rows in `match`
    uint32_t flags;                  // ECS_ITER_…
    EcsGather *gather;               // pointers and indices, if they have to be gathered
    const EcsComponentData *leading; // the component whose list it iterates over; NULL: over tables
    size_t left;                     // rows to scan
    size_t scanned;                  // rows scanned for the current part
    uint64_t since;                  // a later version counts as changed
} EcsIterState;

_Static_assert(sizeof(EcsIterState) <= sizeof(((FiloIter *)NULL)->private_) &&
                   offsetof(FiloIter, private_) % _Alignof(EcsIterState) == 0,
               "FiloIter.private_ is large enough");

// A char array may hold any type, and copies of a FiloIter copy it with the rest.
static inline EcsIterState *ecs_iter(const FiloIter *it) {
    return (EcsIterState *)(void *)it->private_; // NOLINT: iterators are not const
}

// ---- iter.c ---------------------------------------------------------------------------------------------

// Starts an iteration over the rows from `begin` to `end` (ecs_query_rows), for systems: it is not counted in
// FiloWorld.busy. For terms with `changed`, `since` is the version of the world that the caller saw last.
void ecs_iter_begin(FiloIter *it, FiloQuery *query, size_t begin, size_t end, uint64_t since);
static inline FiloIter ecs_query_iter_part(FiloQuery *query, size_t begin, size_t end, uint64_t since) {
    FiloIter it;
    ecs_iter_begin(&it, query, begin, end, since);
    return it;
}
// Starts an iteration over all rows that marks nothing as changed.
void ecs_iter_begin_read_only(FiloIter *it, FiloQuery *query);
// Tests one entity against the terms outside of tables. Stores pointers to their values in `pointers`, `stride`
// pointers apart. False if the entity does not match. `any`: it has one of the table terms of kind FILO_TERM_ANY.
bool ecs_query_match_outside(const FiloQuery *query, FiloEntity entity, bool any, void **pointers,
                             size_t stride);
// Sets the columns of terms outside of tables to the gathered pointers.
void ecs_iter_set_gathered(FiloIter *it);

// FiloWorld.version when the column of a term was last written, in a chunk of a match; `never` if there is no column.
static inline uint64_t ecs_term_version(const EcsQueryTerm *term, uint32_t column, uint8_t *base,
                                        uint64_t never) {
    if (column < ECS_OUTSIDE_COLUMN)
        return __atomic_load_n(&ecs_chunk_versions(base)[column], __ATOMIC_RELAXED);
    return column == ECS_OUTSIDE_COLUMN ? __atomic_load_n(term->component->version, __ATOMIC_RELAXED) : never;
}

// ---- term.c ---------------------------------------------------------------------------------------------

// Whether the iteration has this term. Reports it if not.
bool ecs_iter_has_term(const FiloIter *it, unsigned term);

// ---- leading.c ------------------------------------------------------------------------------------------

// The component whose list is iterated over instead of tables with this many rows; NULL: the tables.
const EcsComponentData *ecs_query_leading_component(const FiloQuery *query, size_t table_rows);
// Length of its list: rows of an iteration are counted in its entries.
size_t ecs_leading_length(const FiloWorld *world, const EcsComponentData *leading);
// As filo_iter_next. The iteration has an EcsGather.
bool ecs_iter_next_leading(FiloIter *it);

#endif
