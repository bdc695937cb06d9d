// filo/physics2d_mover.h: characters in the plane, which walk, jump, climb steps, ride platforms and push things.
// filo/physics2d.h includes this header.
//
//     FiloEntity player = filo_create(world, FILO_SET(FiloTransform2, .position = { 0, 2 }),
//                                     FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .radius = 0.4f,
//                                              .points = { { 0, -0.4f }, { 0, 0.4f } }),
//                                     FILO_SET(FiloMover2, .step_height = 0.3f, .push_force = 200));
//
//     FiloMover2 *mover = filo_edit(world, player, FiloMover2);                  // in a system of FILO_PHASE_UPDATE
//     mover->velocity.x = filo_approach(mover->velocity.x, 6 * stick, 60 * delta);
//     if (jump && (mover->state & FILO_MOVER_ON_FLOOR) != 0) mover->velocity.y = 9;
//
// A character that is a dynamic body bounces, tips over and slips. A mover is no dynamic body: it goes where its velocity
// takes it, slides along what is in the way, and says what it touches. filo_physics2_register adds the component and the
// system "movers 2D", which moves all of them after the step (phase FILO_PHASE_MOVERS), so that platforms have moved
// already. Systems of FILO_PHASE_AFTER see where movers are.
//
// A mover is an entity with FiloTransform2, FiloShape2 and FiloMover2, and has no parent with a transform. Any convex shape
// will do; a capsule is best, because it glides over edges. What it collides with follows from layers, mask and group of
// the shape, as for bodies; sensors do not stop it. Its rotation is kept. It stays a hundredth of a metre
// (FiloPhysics2.unit) away from what it touches.
//
// Other bodies do not notice a mover, unless its entity has a kinematic FiloBody2 too: then they collide with its shape,
// and questions and sensors find it, one tick behind. The velocity of that body stays 0. Other kinds are reported. Movers
// see each other in this way only, and where the other one was before it moved in this tick.
//
// Nothing depends on threads, and all state is in the component: saved, hashed and rewound with the world.

#ifndef FILO_PHYSICS2D_MOVER_H
#define FILO_PHYSICS2D_MOVER_H

#include <filo/physics2d.h>

FILO_BEGIN_DECLS

#define FILO_PHASE_MOVERS 60 // of the system "movers 2D": after FILO_PHASE_PHYSICS, before FILO_PHASE_AFTER

typedef enum FiloMoverFlags {
    FILO_MOVER_FLOATING =
        1, // seen from above, flies or swims: no gravity, no floor, all that it touches is a wall
    FILO_MOVER_NO_GRAVITY = 2, // the game adds gravity to the velocity itself
    FILO_MOVER_DROP = 4, // passes through FILO_SHAPE_ONE_WAY, also downwards: while the player holds "down"
    FILO_MOVER_NO_INHERIT = 8,  // does not take the velocity of a platform along when it leaves it
    FILO_MOVER_NOT_CARRIED = 16 // platforms move on below it
} FiloMoverFlags;
FILO_REFLECT_DECLARE(FiloMoverFlags);

typedef enum FiloMoverState {
    FILO_MOVER_ON_FLOOR = 1, // stands or walks on something that is not steeper than maximum_slope
    FILO_MOVER_ON_WALL = 2,
    FILO_MOVER_ON_CEILING = 4,
    FILO_MOVER_CRUSHED = 8, // is inside of something static or kinematic, and there is no way out
    FILO_MOVER_INVALID = 16 // its shape is degenerate: it does not move, and the log says why
} FiloMoverState;
FILO_REFLECT_DECLARE(FiloMoverState);

typedef struct FiloMover2 {
    // Set by the game. Below 0, all but velocity, gravity_scale and up count as 0:

    // Units per second, at most FiloPhysics2.maximum_speed; on the floor relative to it. What stops the mover also ends the part of the velocity that points
    // there. On the floor only the part along it counts, and moves the mover up and down slopes with the same speed; a part
    // away from the floor is a jump.
    FiloVec2 velocity;
    uint32_t flags;      // FiloMoverFlags
    float gravity_scale; // of FiloPhysics2.gravity, in the air; 0 counts as 1
    float maximum_slope; // radians, at most 1.5: what is steeper is a wall, which it slides down; 0: pi / 4
    float step_height;   // walks up steps that are not higher; 0: none
    // Walking down slopes and steps, it stays on a floor that is at most so far below; 0 counts as 0.1 metres. At least
    // step_height.
    float snap_distance;
    float push_force; // with at most which it pushes dynamic bodies that are in the way; 0: not at all
    float mass;       // presses on dynamic bodies that it stands on; 0: has no weight
    FiloVec2 up;      // {0, 0} counts as the direction against gravity

    // What the last tick found:

    uint32_t state;                                     // FiloMoverState
    FiloEntity floor, wall, ceiling;                    // bodies; {0}: none
    FiloVec2 floor_normal, wall_normal, ceiling_normal; // out of them
    FiloVec2 floor_velocity;                            // of the floor, where the mover stands
    FiloVec2 floor_point; // position in the coordinates of the floor, which takes the mover there
    FiloVec2 position;    // if the transform is elsewhere, it was teleported: the floor does not take it
} FiloMover2;
FILO_REFLECT_DECLARE(FiloMover2);

// What the mover does in a tick, in this order:
// - It moves with the body that it stood on, which may have moved and turned, unless that has moved further in this tick
//   than FiloPhysics2.maximum_speed allows.
// - It is pushed out of what it overlaps, along the shortest way, whether something moved into it or it began there. If
//   something static or kinematic is on the other side, it stays where it was, with FILO_MOVER_CRUSHED.
// - It moves by its velocity: in the air it slides along what it hits; on the floor it follows the floor, up to something
//   that is too steep and too high for a step.
// - It looks for a floor. Having left one, it takes the velocity of that along.
//
// A FILO_SHAPE_ONE_WAY is there for a mover that comes from its solid side. One that overlaps it passes.
//
// The system calls this function for each mover. Programs that run movers of their own call it between ticks, or in a
// system of the option `once` that runs after the step, reads FiloShape2 and FiloPhysics2, and writes FiloTransform2 and
// FiloBody2. `self` is the body that does not count, and may be {0}. `delta` is in seconds; if it is not above 0 nothing happens. False
// after a mistake. Numbers that are not finite are repaired, with a message in the log.
bool filo_physics2_move(FiloWorld *world, FiloEntity self, const FiloShape2 *shape, FiloTransform2 *transform,
                        FiloMover2 *mover, float delta);

FILO_END_DECLS

#endif
