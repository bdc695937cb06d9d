// What the ways of going over a query share: iter.c goes over tables, driven.c over a shorter list.

#ifndef FILO_ECS_ITER_H
#define FILO_ECS_ITER_H

#include "ecs/world.h"

#include <stddef.h>

// What an iteration keeps in FiloIter.private_.
typedef struct EcsIterState {
    const FiloSystem *system;  // NULL: between ticks
    const EcsQueryTerm *terms; // [FiloIter.term_count_]
    const uint32_t *indices;   // entity index of each row; NULL: no rows yet
    EcsMatch *match;           // where the next part begins: in this table,
    const EcsMatch *match_end; // of those up to here,
    uint32_t chunk, row;       // in this chunk, at this row
    uint32_t flags;            // ECS_ITER_…
    EcsGather *gather;         // pointers and indices, if they had to be gathered
    const FiloComponentData *leading;
    size_t left;    // rows to go
    size_t looked;  // rows that this part was made from
    uint64_t since; // version of the world after which something counts as changed
} EcsIterState;

_Static_assert(sizeof(EcsIterState) <= sizeof(((FiloIter *)NULL)->private_) &&
                   offsetof(FiloIter, private_) % _Alignof(EcsIterState) == 0,
               "FiloIter.private_ has room for it");

// (A char array may hold anything, and copies of a FiloIter copy it with the rest.)
static inline EcsIterState *ecs_iter(const FiloIter *it) {
    return (EcsIterState *)(void *)it->private_; // NOLINT: iterators are not const
}

// Whether a term is found by its type: it has values, of the entity itself or of the world.
static inline bool ecs_term_by_type(const EcsQueryTerm *term) {
    return term->access != FILO_ACCESS_NONE && term->place != ECS_SOURCE_PARENT;
}

// What the terms outside of tables say to one row; their values in `pointers`, `stride` pointers apart. False
// if it does not match. `any`: it has one of the terms of which any will do.
bool ecs_query_look_outside(const FiloQuery *query, FiloEntity entity, bool any, void **pointers,
                            size_t stride);
// Makes the gathered pointers of the terms outside of tables the columns.
void ecs_iter_set_gathered(FiloIter *it);

// When a column that a term leads to was last written, in a chunk of a table that matches; `never` if it is not there.
static inline uint64_t ecs_term_version(const EcsQueryTerm *term, uint32_t column, uint8_t *base,
                                        uint64_t never) {
    if (column < ECS_OUTSIDE_COLUMN)
        return __atomic_load_n(&ecs_chunk_versions(base)[column], __ATOMIC_RELAXED);
    return column == ECS_OUTSIDE_COLUMN ? __atomic_load_n(term->component->version, __ATOMIC_RELAXED) : never;
}

// ---- term.c

// Reports a term that the iteration does not have.
bool ecs_iter_has_term(const FiloIter *it, unsigned term);

// ---- driven.c

// The list to go over instead of tables with so many rows; NULL: the tables.
const FiloComponentData *ecs_query_leading_component(const FiloQuery *query, size_t table_rows);
// Places in it, which parts of an iteration are counted in.
size_t ecs_leading_length(const FiloWorld *world, const FiloComponentData *leading);
// As filo_iter_next. There is a buffer for what is gathered.
bool ecs_iter_next_leading(FiloIter *it);

#endif
