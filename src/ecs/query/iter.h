// Iteration over a query: iter.c goes over tables, leading.c over the list of one component where that is shorter.

#ifndef FILO_ECS_QUERY_ITER_H
#define FILO_ECS_QUERY_ITER_H

#include "ecs/query/query.h"
#include "ecs/query/scratch.h"

#include <stddef.h>

// EcsIterState.flags
enum {
    ECS_ITER_SLOW = 1,    // it gathers, or asks for changes, or goes over a part of the rows
    ECS_ITER_COUNTED = 2, // in FiloWorld.busy
    ECS_ITER_ENDED = 4,
    ECS_ITER_VARIED = 8, // some terms have a column in some matches only
    ECS_ITER_READ_ONLY = 16, // nothing counts as written. Always with ECS_ITER_SLOW
};

// The state of an iteration, in FiloIter.private_.
typedef struct EcsIterState {
    const FiloSystem *system;        // NULL: between ticks
    const EcsQueryTerm *terms;       // [FiloIter.term_count_]
    const uint32_t *indices;         // entity index of each row; NULL: no rows yet
    EcsMatch *match;                 // the next rows are in this match,
    const EcsMatch *match_end;       // of those before this one,
    uint32_t chunk, row;             // in this chunk, from this row on
    uint32_t flags;                  // ECS_ITER_…
    EcsGather *gather;               // pointers and indices, if they have to be gathered
    const EcsComponentData *leading; // the component whose list it goes over; NULL: over tables
    size_t left;                     // rows to go
    size_t scanned;                  // rows that the current part was made from
    uint64_t since;                  // what has a later version counts as changed
} EcsIterState;

_Static_assert(sizeof(EcsIterState) <= sizeof(((FiloIter *)NULL)->private_) &&
                   offsetof(FiloIter, private_) % _Alignof(EcsIterState) == 0,
               "FiloIter.private_ is large enough");

// A char array may hold any type, and copies of a FiloIter copy it with the rest.
static inline EcsIterState *ecs_iter(const FiloIter *it) {
    return (EcsIterState *)(void *)it->private_; // NOLINT: iterators are not const
}

// Whether a term is found by its type: it has values, of the entity itself or of the world.
static inline bool ecs_term_by_type(const EcsQueryTerm *term) {
    return term->access != FILO_ACCESS_NONE && term->source != ECS_SOURCE_PARENT;
}

// ---- iter.c ---------------------------------------------------------------------------------------------

// Starts an iteration over the rows from `begin` to `end` (ecs_query_rows), for systems: it is not counted as one between
// ticks. For terms that ask for changes, `since` is the version of the world that the caller saw last. In place, because
// an iterator is large.
void ecs_iter_begin(FiloIter *it, FiloQuery *query, size_t begin, size_t end, uint64_t since);
static inline FiloIter ecs_query_iter_part(FiloQuery *query, size_t begin, size_t end, uint64_t since) {
    FiloIter it;
    ecs_iter_begin(&it, query, begin, end, since);
    return it;
}
// Starts an iteration over all rows that only reads: nothing counts as changed by it.
void ecs_iter_begin_read_only(FiloIter *it, FiloQuery *query);
// Tests one row against the terms outside of tables. Their values go to `pointers`, `stride` pointers apart. False if the
// row does not match. `any`: it has one of the terms of kind FILO_TERM_ANY.
bool ecs_query_match_outside(const FiloQuery *query, FiloEntity entity, bool any, void **pointers,
                            size_t stride);
// Makes the gathered pointers of the terms outside of tables the columns.
void ecs_iter_set_gathered(FiloIter *it);

// FiloWorld.version when the column of a term was last written, in a chunk of a match; `never` if there is no column.
static inline uint64_t ecs_term_version(const EcsQueryTerm *term, uint32_t column, uint8_t *base,
                                        uint64_t never) {
    if (column < ECS_OUTSIDE_COLUMN)
        return __atomic_load_n(&ecs_chunk_versions(base)[column], __ATOMIC_RELAXED);
    return column == ECS_OUTSIDE_COLUMN ? __atomic_load_n(term->component->version, __ATOMIC_RELAXED) : never;
}

// ---- term.c ---------------------------------------------------------------------------------------------

// Reports a term that the iteration does not have.
bool ecs_iter_has_term(const FiloIter *it, unsigned term);

// ---- leading.c ------------------------------------------------------------------------------------------

// The component to go over instead of tables with this many rows; NULL: go over the tables.
const EcsComponentData *ecs_query_leading_component(const FiloQuery *query, size_t table_rows);
// Length of its list, which parts of an iteration are counted in.
size_t ecs_leading_length(const FiloWorld *world, const EcsComponentData *leading);
// As filo_iter_next. The iteration has an EcsGather.
bool ecs_iter_next_leading(FiloIter *it);

#endif
