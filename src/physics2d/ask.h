// Private: what questions have in common.

#ifndef PHYSICS2D_ASK_H
#define PHYSICS2D_ASK_H

#include "physics2d/physics2d.h"

typedef struct Physics2dAsk {
    const Physics2dWorld *phys;
    FiloFilter2 filter;
    FiloVec2 from; // hulls are relative to this, so that accuracy does not depend on where it is
} Physics2dAsk;

// False, with nothing in `ask`, if the world has no physics, or the last step had no memory for its trees.
bool physics2d_ask_begin(Physics2dAsk *ask, const FiloWorld *world, const FiloFilter2 *filter, FiloVec2 from);
// Whether a shape passes the filter, except for its function.
bool physics2d_ask_counts(const Physics2dAsk *ask, uint32_t shape);
void physics2d_ask_hull(const Physics2dAsk *ask, uint32_t shape, Physics2dHull *hull);
FiloEntity physics2d_ask_shape(const Physics2dAsk *ask, uint32_t shape);
FiloEntity physics2d_ask_body(const Physics2dAsk *ask, uint32_t shape);
// Calls `test` for the shapes whose boxes, larger by `margin`, the way crosses before `fraction`, which it may shorten.
void physics2d_ask_trees(const Physics2dWorld *phys, FiloVec2 from, FiloVec2 move, FiloVec2 margin,
                         float *fraction, void (*test)(uint32_t shape, void *user), void *user);

bool physics2d_is_sane(FiloVec2 p); // finite, and within the world
// The hull of a shape of the caller, around the position of its transform; half the size of its box in `half`. False, with
// a report, if the shape is degenerate.
bool physics2d_ask_build(const FiloShape2 *shape, const FiloTransform2 *at, Physics2dHull *hull,
                         FiloVec2 *half);

// The first items of a list that is longer than its memory: a heap with the last of them on top.
typedef struct Physics2dFirst {
    void *items;
    size_t size; // of an item
    size_t capacity, count;
    size_t all; // that were added
    bool (*before)(const void *a, const void *b);
} Physics2dFirst;
void physics2d_first_add(Physics2dFirst *first, const void *item);
void physics2d_first_sort(Physics2dFirst *first);

#endif
