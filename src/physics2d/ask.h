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

// A way of an ask, as trees see it: one over its length along each axis, and the margin around boxes.
//
// A tree ignores boxes that the way enters after the best hit so far. The time at which it enters a box is rounded in another
// way than the time at which it hits the shape inside: without a margin, where the way is nearly parallel to a side, or far
// from the origin, the first may be later by much more than a bit. So a hit counts no earlier than its box is entered, by the
// same operations as in the kernel. These are monotone, so a node is entered no later than what is in it, and ignoring is
// exact: the first hit is the first of all hits, in whatever order a tree is searched.
typedef struct Physics2dWay {
    FiloVec2 inverse, margin;
} Physics2dWay;
// The margin is what the caller needs, and what rounding may be off by.
Physics2dWay physics2d_ask_way(const Physics2dAsk *ask, FiloVec2 move, FiloVec2 margin);
// When a way from `from` enters the box of a shape; 0 if it begins there.
float physics2d_ask_enter(const Physics2dAsk *ask, const Physics2dWay *way, uint32_t shape);

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
