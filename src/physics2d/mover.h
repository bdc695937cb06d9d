// Private: a mover while it moves.

#ifndef PHYSICS2D_MOVER_H
#define PHYSICS2D_MOVER_H

#include "physics2d/ask.h"

typedef struct Physics2dMover {
    Physics2dAsk ask; // `from` is the position
    const FiloWorld *world;
    FiloMover2 *component;
    Physics2dShape shape;
    Physics2dPolygon polygon;
    Physics2dBody body; // where it is, for manifolds
    Physics2dHull hull; // around the position
    FiloVec2 half;      // the size of its box
    float feet;         // how far the shape reaches down from the position
    FiloVec2 up, right, gravity;
    float maximum_speed;
    float delta;
    float gap;   // from what it touches
    float slope; // cosine of the steepest one
    float step_height, snap;
    float direction; // in which it walks: -1, 0 or 1
    bool walks;      // on the floor
    bool was_crushed, has_body, landed;
    uint64_t self, ignored; // bodies that do not count
    uint64_t floor;         // body that it stood on
    uint32_t push_count;
    Physics2dPush pushes[PHYSICS2D_MOVER_PUSHES];
} Physics2dMover;

typedef enum Physics2dSide {
    PHYSICS2D_SIDE_FLOOR,
    PHYSICS2D_SIDE_WALL,
    PHYSICS2D_SIDE_CEILING
} Physics2dSide;

typedef struct Physics2dTouch {
    float t;         // fraction of the way that it can go: then it is `gap` away
    float reach;     // at which it is a little nearer; touches are compared by this, and by slot
    uint32_t shape;  // slot; 0: none
    FiloVec2 normal; // out of it
    FiloVec2 point;  // of its surface, relative to where the way began
    float height;    // of that point above the feet
    Physics2dSide side;
    bool edge; // of something that can be walked on
} Physics2dTouch;

typedef enum Physics2dKeep { PHYSICS2D_KEEP_ALL, PHYSICS2D_KEEP_FLOORS } Physics2dKeep;

// mover_sense.c
// The first thing on a way; t is 1 if there is none.
Physics2dTouch physics2d_mover_cast(Physics2dMover *mover, FiloVec2 move, Physics2dKeep keep);
// The deepest overlap with anything, or with bodies that are not dynamic. False if there is none.
bool physics2d_mover_overlap(Physics2dMover *mover, bool hard, float *separation, FiloVec2 *normal);
FiloEntity physics2d_mover_body(const Physics2dMover *mover, uint32_t shape);

// mover.c
// False if the shape is degenerate; `problem` says why.
bool physics2d_mover_run(Physics2dMover *mover, const FiloShape2 *shape, FiloTransform2 *transform,
                         const char **problem);

// "mover 7", in `name` or in constant memory, for the log.
const char *physics2d_mover_name(uint64_t entity, char *name, size_t size);

// mover_system.c
void physics2d_move_all(FiloIter *it); // a system

#endif
