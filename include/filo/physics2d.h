// filo/physics2d.h: rigid bodies in the plane: they fall, collide, stack, slide, bounce and come to rest.
//
//     filo_physics2_register(world);                        // once; the system "physics 2D" runs in every tick
//
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 0, -1 }),
//                 FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
//                 FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 50, 1 }));
//     FiloEntity ball = filo_create(world, FILO_SET(FiloTransform2, .position = { 0, 10 }),
//                                   FILO_SET(FiloBody2, .velocity = { 3, 0 }),
//                                   FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = 0.5f));
//
//     filo_edit(world, ball, FiloBody2)->force.x = 20;      // for the next step
//     filo_physics2_impulse(world, ball, filo_vec2(0, 5), filo_vec2(0, 10));
//
// A body is an entity with FiloBody2, which requires FiloTransform2, and its shape is FiloShape2. A shape without a body is not
// in the simulation; ground is a body too, a static one. Descendants of a body may have further shapes of it. Adding, editing
// and removing these components is all it takes to make, change and end a body. A body whose entity is inactive is not in
// the simulation. Being active is a matter of each entity, for physics as for all systems: a body below an inactive entity is
// not drawn, but stays in the simulation. To switch off a level, make its bodies inactive too. To teleport a body, write its
// transform; to push it, write its velocity or force. A body that was at rest wakes up then.
//
// The transform of a body is in the coordinates of the world. A body that has an ancestor with a transform is moved as if it
// had none, and is therefore drawn elsewhere; the log says so, once. Scale does not count; shapes have the size that they say.
//
// Units are those of the game; metres, kilograms and seconds suit the default values, with moving bodies of 0.1 to 10
// metres. A world of other units sets FiloPhysics2.unit and .gravity. Angles are in radians, counter-clockwise. Coordinates
// are floats: beyond 10 km from the origin they are coarser than a millimetre, and contacts get rough. A body further away
// than 1e7 is not moved any more.
//
// A step is a tick, of whatever length that has: 1/60 s suits the default values, and a tick of 0 or of ten seconds and
// more makes no step. All results are the same to the bit on any number of threads, with every compiler and on every
// machine. What the solver remembers from step to step (contacts with their impulses, which bodies are at rest) is saved,
// restored and hashed with the world: a world that is restored continues exactly as it would have done.

#ifndef FILO_PHYSICS2D_H
#define FILO_PHYSICS2D_H

#include <filo/reflect.h>
#include <filo/transform.h>
#include <filo/vector.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Bodies -----------------------------------------------------------------------------------------------

typedef enum FiloBodyKind {
    FILO_BODY_DYNAMIC,   // moved by forces, impulses and contacts
    FILO_BODY_KINEMATIC, // moves with its velocity, whatever is in the way: platforms, doors
    FILO_BODY_STATIC,    // does not move: ground, walls
} FiloBodyKind;
FILO_REFLECT_DECLARE(FiloBodyKind);

typedef enum FiloBodyFlags {
    FILO_BODY_BULLET = 1,         // does not pass through moving bodies either, however fast both are
    FILO_BODY_FIXED_ROTATION = 2, // does not rotate
    FILO_BODY_LOCK_X = 4,         // does not move along x
    FILO_BODY_LOCK_Y = 8,         // does not move along y
    FILO_BODY_NO_SLEEP = 16,      // never comes to rest for good
    FILO_BODY_NO_GRAVITY = 32,
} FiloBodyFlags;
FILO_REFLECT_DECLARE(FiloBodyFlags);

// A body of zeroes is a dynamic one at rest, with mass from its shapes.
typedef struct FiloBody2 {
    FiloBodyKind kind;      // another number is reported, and counts as static
    uint32_t flags;         // FiloBodyFlags
    FiloVec2 velocity;      // of the centre of mass, units per second
    float angular_velocity; // radians per second
    FiloVec2 force;         // on the centre of mass, during the next step; then it is 0 again
    float torque;           // likewise
    float damping;          // the velocity decreases by this part a second; 0 or less: not at all
    float angular_damping;
    float gravity_scale; // 0 counts as 1; for none set FILO_BODY_NO_GRAVITY
    float mass;          // 0 or less, or 1e20 and more: that of its shapes, or 1 if these have none
    float inertia;       // about the centre of mass; 0: that of its shapes, in proportion to `mass`
} FiloBody2;
FILO_REFLECT_DECLARE(FiloBody2);

// A tag of bodies that are at rest: static ones, and others that have come to rest together with all that they touch.
// Steps ignore them until something touches or changes them, so they take no time. Only the module adds and removes it.
FILO_TAG_DECLARE(FiloAsleep);

// ---- Shapes -----------------------------------------------------------------------------------------------

typedef enum FiloShapeKind {
    FILO_SHAPE_CIRCLE,  // `centre` and `radius`
    FILO_SHAPE_CAPSULE, // all within `radius` of the line between points[0] and points[1]
    FILO_SHAPE_BOX, // `centre`, `half_size` and `angle`; with `radius` it has round corners and is larger by that
    FILO_SHAPE_POLYGON, // convex, of points[0 … point_count - 1] in either direction; `radius` as for a box
    FILO_SHAPE_SEGMENT, // the line between points[0] and points[1]; has no mass. For ground. See "Chains"
} FiloShapeKind;
FILO_REFLECT_DECLARE(FiloShapeKind);

#define FILO_SHAPE_POINTS 8

// What `friction` is without any, because 0 is the default value. All negative numbers count as this.
#define FILO_FRICTION_NONE (-1.0f)

typedef enum FiloShapeFlags {
    FILO_SHAPE_SENSOR = 1,        // does not collide: only notices what overlaps it
    FILO_SHAPE_EVENTS = 2,        // contacts of this shape are reported: FILO_CONTACT_BEGIN, FILO_CONTACT_END
    FILO_SHAPE_HITS = 4,          // impacts on this shape are reported: FILO_CONTACT_HIT
    FILO_SHAPE_IMPULSES = 8,      // impulses on this shape are reported in each step: FILO_CONTACT_IMPULSE
    FILO_SHAPE_FILTER = 16,       // FiloPhysics2Hooks.filter is asked what this shape collides with
    FILO_SHAPE_BEFORE_SOLVE = 32, // FiloPhysics2Hooks.before_solve is called for contacts of this shape
    FILO_SHAPE_ONE_WAY = 64,      // bodies may pass through it in one direction, `one_way`
} FiloShapeFlags;
FILO_REFLECT_DECLARE(FiloShapeFlags);

// How the friction, or the restitution, of two shapes mix. Where their rules differ, the one further down counts. Another number
// is reported, and counts as the default one.
typedef enum FiloMix {
    FILO_MIX_DEFAULT,   // friction: FILO_MIX_GEOMETRIC, restitution: FILO_MIX_MAXIMUM
    FILO_MIX_AVERAGE,   // (a + b) / 2
    FILO_MIX_GEOMETRIC, // the root of a * b
    FILO_MIX_MINIMUM,
    FILO_MIX_MULTIPLY, // a * b
    FILO_MIX_MAXIMUM,
} FiloMix;
FILO_REFLECT_DECLARE(FiloMix);

// A shape. On the entity of a body, it is in the coordinates of this body. On another entity, it is a shape of the nearest
// ancestor with FiloBody2, whose shapes form one rigid body with the mass of all of them:
//
//     FiloEntity hammer = filo_create(world, FILO_SET(FiloTransform2, .position = { 0, 5 }), FILO_ADD(FiloBody2),
//                                     FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 0.1f, 1 }));
//     FiloEntity head = filo_create(world, FILO_SET(FiloTransform2, .position = { 0, 1 }),
//                                   FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 0.5f, 0.3f }));
//     filo_entity_set_parent(world, head, hammer);
//
// The transforms of this entity and of those between it and the body place it in the body: positions and rotations, without
// scale. All may be edited, given other parents, activated and deactivated; the next step sees it. A shape below an inactive
// entity, or without a body above it, is not in the simulation. A kinematic or static body turns round its position, whatever
// its shapes are.
//
// Sensors notice the shapes of dynamic and kinematic bodies, and on a body that is dynamic or kinematic also those of static
// ones; on the same body none, and no other sensors. Layers, masks and groups count for them too.
//
// Degenerate shapes (a polygon without area or that is not convex, a radius that is negative or not finite, transforms that
// are no numbers) are reported and do not collide.
typedef struct FiloShape2 {
    FiloShapeKind kind;
    FiloVec2 centre;
    FiloVec2 half_size;
    float angle; // of a box, radians
    float radius;
    uint32_t point_count;
    FiloVec2 points[FILO_SHAPE_POINTS];
    float density;  // mass per area; 0 counts as 1; negative: none
    float friction; // 0 counts as 0.6; FILO_FRICTION_NONE
    float
        restitution; // 0 or less: does not bounce, 1 or more: bounces back as fast as it came, above restitution_speed
    float rolling_resistance; // of a round shape; 0 or less: rolls on for ever. The larger of the two counts
    // Of a conveyor belt: its surface moves round it counter-clockwise. Those of both are added up.
    float surface_speed;
    // Two shapes collide if each is in a layer that the mask of the other has.
    uint32_t layers; // bits of the layers that it is in; 0 counts as 1, the first
    uint32_t mask;   // bits of the layers that it collides with; 0 counts as all
    uint32_t flags;  // FiloShapeFlags
    int32_t group;   // shapes of the same positive group always collide, of the same negative one never
    FiloMix friction_mix, restitution_mix;
    // With FILO_SHAPE_ONE_WAY: the direction in which bodies may pass, in the coordinates of the shape; {0, 0} counts as {0, 1},
    // up. A body that touches from that side lands; one that comes from elsewhere passes until it is through. A segment
    // needs none: see "Chains".
    FiloVec2 one_way;
} FiloShape2;
FILO_REFLECT_DECLARE(FiloShape2);

// ---- Chains and outlines ----------------------------------------------------------------------------------

// A chain is a row of segments, for ground and walls. What slides over it does not catch at its inner points, because each
// segment knows its neighbours: if point_count of a FILO_SHAPE_SEGMENT is 4, points[2] is the other end of the segment
// before points[0], and points[3] the other end of the segment after points[1]. A neighbour that is equal to its end of
// the segment is none. With FILO_SHAPE_ONE_WAY, a segment is solid on its left side, seen from points[0] to points[1], and bodies may
// pass through it from the right: ground from left to right is solid on top, and a room goes round counter-clockwise.
typedef struct FiloChain2 {
    bool loop;        // the last point is connected to the first
    FiloShape2 shape; // friction, flags, layers and the like of all segments
} FiloChain2;
// Adds a chain to a body: each segment is a new child of `body` with FiloShape2. Points are in the coordinates of the body; any
// number from 2, or from 3 in a loop, and as they are: points that are equal to the one before are left out. `chain` may be NULL. An
// error, and nothing is added, if there are fewer points, a point that is no number, or no memory. `body` need not be a
// body yet. Between ticks.
FiloResult filo_physics2_add_chain(FiloWorld *world, FiloEntity body, const FiloVec2 *points, size_t count,
                                   const FiloChain2 *chain);

// A convex piece of an outline, counter-clockwise.
typedef struct FiloPiece2 {
    uint32_t point_count; // 3 to FILO_SHAPE_POINTS
    FiloVec2 points[FILO_SHAPE_POINTS];
} FiloPiece2;
// Divides an outline, which need not be convex, into convex pieces. It goes round in either direction; all corners of the
// pieces are points of the outline, and their areas add up to its area. Points that are equal to their neighbour, or in a line with
// their neighbours, are left out. Fills up to `capacity` pieces; count - 2 are always enough. `piece_count` receives how many
// there are. An error, which names the cause: fewer than three points, points that are no numbers, no area, edges that cross
// or touch each other (the message gives their numbers), no memory. Any thread. Takes a time in proportion to the square
// of the number of points: 1,000 points take some tens of milliseconds.
FiloResult filo_physics2_decompose(const FiloVec2 *outline, size_t count, FiloPiece2 *pieces, size_t capacity,
                                   size_t *piece_count);
// Decomposes an outline in the coordinates of `body`, and adds the pieces to it: each is a new child of `body` with
// FiloShape2. `shape` has friction, flags, radius and the like of all pieces, and may be NULL. After an error, which is as above,
// nothing is added. Between ticks.
FiloResult filo_physics2_add_outline(FiloWorld *world, FiloEntity body, const FiloVec2 *outline, size_t count,
                                     const FiloShape2 *shape);

// ---- Joints -----------------------------------------------------------------------------------------------

typedef enum FiloJointKind {
    FILO_JOINT_REVOLUTE,  // two points are the same: hinges, limbs, flippers, wheels without springs
    FILO_JOINT_DISTANCE,  // two points are `length` apart: rods, springs, ropes
    FILO_JOINT_PRISMATIC, // b moves along an axis of a and does not turn: pistons, lifts, plungers
    FILO_JOINT_WELD,      // two points are the same, and b does not turn; rigid or soft
    FILO_JOINT_WHEEL,     // b moves along an axis of a, with a spring, and turns: wheels of cars
    FILO_JOINT_MOUSE,     // a point of b is pulled to a point of a or of the world: dragging
    FILO_JOINT_DRIVE, // a motor joint: drives b to a position and an angle relative to a: followers, robots
    FILO_JOINT_GEAR,  // when a turns by an angle, b turns by `ratio` times that angle: gears, racks
} FiloJointKind;
FILO_REFLECT_DECLARE(FiloJointKind);

typedef enum FiloJointFlags {
    FILO_JOINT_LIMIT = 1,   // `lower` and `upper` hold
    FILO_JOINT_MOTOR = 2,   // `motor_speed` with at most `motor_force`
    FILO_JOINT_SPRING = 4,  // `hertz` and `damping` hold, instead of a rigid joint
    FILO_JOINT_COLLIDE = 8, // the two bodies collide
} FiloJointFlags;
FILO_REFLECT_DECLARE(FiloJointFlags);

// The component of an entity of its own, which needs no transform:
//
//     FiloVec2 pivot = { 3, 4 };                                       // in the coordinates of the world
//     FiloEntity hinge = filo_create(world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE, .a = frame, .b = door,
//                                                    .anchor_a = filo_transform2_to_local(world, frame, pivot),
//                                                    .anchor_b = filo_transform2_to_local(world, door, pivot)));
//     filo_entity_set_parent(world, hinge, door);                      // to be destroyed with the door
//
// Without a, b is connected with the world, and anchor_a is in its coordinates. Points that are apart are pulled together, so
// anchors that are given in wrong coordinates make the bodies fly. A joint with a body that does not exist any more does
// nothing, and stays. One without b, with the same body twice, of no kind, with a number that is not finite, or with a negative
// force, torque or distance does nothing either, and is reported. Limits, forces and torques may be infinite.
//
// What the flags mean for each kind:
//   revolute    limits of the angle within -pi and pi; a motor that turns; a spring that turns to `angle`
//   distance    limits of the length, beside a spring or as a rope; a spring about `length`; rigid without both
//   prismatic   limits, motor and spring along the axis; the spring is at rest at `length`
//   wheel       limits and spring along the axis, at rest at `length`; a motor that turns
//   weld        a spring of the angle, and with `linear_hertz` of the points
//   mouse       always a spring, with at most `motor_force`
//   drive       always a spring, with at most `motor_force` and `motor_torque`
//   gear        none. The angles that the bodies have when the joint is made or edited belong together. With an `axis`, in
//               the coordinates of the world, b is a rack: it moves along it by `ratio` units for each radian of a
typedef struct FiloJoint2 {
    FiloJointKind kind;
    uint32_t flags;    // FiloJointFlags
    FiloEntity a, b;   // bodies; a may be {0}: the world. At least one is dynamic
    FiloVec2 anchor_a; // in the coordinates of a, or of the world
    FiloVec2 anchor_b; // in the coordinates of b
    FiloVec2 axis;     // prismatic and wheel: in the coordinates of a; {0, 0} counts as {1, 0}
    float angle;       // of b relative to a: where angles and angular springs are 0
    float length;      // distance: rest length. Prismatic and wheel: where the spring is at rest
    // Revolute: angles. Prismatic and wheel: along the axis. Distance: from 0 to `upper` is a rope. If `lower` is above
    // `upper`, it counts as both, and this is reported.
    float lower, upper;
    // Of a spring; 0 or less counts as 5. Stiffer ones than a quarter of the sub-steps in a second count as that.
    float hertz;
    float damping;     // damping ratio of a spring; 0 counts as 0.7; negative: none
    float motor_speed; // revolute and wheel: radians a second; prismatic: units a second
    float motor_force; // the most that a motor, a mouse joint or a drive can do: torque or force. 0: no limit
    float break_force; // a joint that holds with a larger force breaks: its entity is destroyed. 0: never
    float linear_hertz; // of the points of a weld with FILO_JOINT_SPRING; 0: they are rigid
    float ratio;        // of a gear; negative: the other way round; 0 counts as 1
    float motor_torque; // the largest torque of a drive; 0: no limit
    float break_torque; // a joint that holds with a larger torque breaks. 0: never
} FiloJoint2;
FILO_REFLECT_DECLARE(FiloJoint2);

// The force on b, and the torque, with which a joint held its bodies in the last step, in newtons and newton metres if units
// are those of the default values. {0} if it is no joint, or was none in the last step. Between ticks, also right after a
// restore, or in systems after the step.
typedef struct FiloJointForce2 {
    FiloVec2 force;
    float torque;
} FiloJointForce2;
FiloJointForce2 filo_physics2_joint_force(const FiloWorld *world, FiloEntity joint);

// ---- Areas ------------------------------------------------------------------------------------------------

typedef enum FiloAreaFlags {
    FILO_AREA_REPLACE = 1, // gravity of the world, and of areas of lower priority, does not count here
} FiloAreaFlags;
FILO_REFLECT_DECLARE(FiloAreaFlags);

// Beside a sensor shape (FILO_SHAPE_SENSOR): other rules for dynamic bodies while they overlap the shape. Wind, water,
// planets, zones without gravity.
//
//     filo_create(world, FILO_SET(FiloTransform2, .position = { 20, 5 }), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
//                 FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 5, 5 }, .flags = FILO_SHAPE_SENSOR),
//                 FILO_SET(FiloArea2, .wind = { 12, 0 }, .drag = 0.5f));
//
// Layers and masks of the shape decide which bodies it concerns. A body is in an area once, however many of its shapes are.
// Areas of a body count in the order of their priority, then of the index of their entity. Adding, editing, moving and
// removing an area wakes up the bodies in it. An area without a sensor shape is reported, and does nothing.
typedef struct FiloArea2 {
    int32_t priority; // the highest one counts last
    uint32_t flags;   // FiloAreaFlags
    FiloVec2 gravity; // units per second², times the gravity scale of the body
    float pull;       // the same, towards the position of the area's body; negative: away from it
    float damping;    // is added to that of the body
    float angular_damping;
    FiloVec2 wind; // how fast air or water flows, units per second; needs drag
    // The force for each unit of the speed relative to the flow, and of the width of the body; 0: none, and no wind.
    float drag;
} FiloArea2;
FILO_REFLECT_DECLARE(FiloArea2);

// ---- The world --------------------------------------------------------------------------------------------

// Settings, a global component. Numbers other than gravity count as their default value if they are 0, and also, which is
// reported, if they are negative or not finite; those with metres are times `unit`. Bodies at rest wake up if gravity changes.
//
//     filo_edit_global(world, FiloPhysics2)->gravity = filo_vec2(0, 0);                    // seen from above
//     filo_set_global(world, FiloPhysics2, .gravity = { 0, -981 }, .unit = 100);           // a metre is 100 pixels
//
// filo_set_global sets all of it: without .gravity there is none.
typedef struct FiloPhysics2 {
    FiloVec2 gravity;   // default: 0, -9.81
    uint32_t sub_steps; // of a step, 1 to 16; default 6. More make stacks and joints stiffer
    float unit;         // the length that is a metre in units of the game; default 1
    // Stiffness of contacts; default 60, and at most 1/8 of the sub-steps in a second: 45 with 6 sub-steps of ticks of 1/60 s.
    // Softer contacts overlap more at rest, and less in heavy impacts; docs/physics.md has figures.
    float contact_hertz;
    float contact_damping; // damping ratio of contacts; default 10
    float push_speed; // the speed at which bodies that overlap are pushed apart; default 3 metres a second
    float
        restitution_speed; // slower impacts do not bounce; default 1 metre a second. 1e-4 keeps the energy of a gas
    float hit_speed;       // slower impacts are not reported as FILO_CONTACT_HIT; default 1 metre a second
    float maximum_speed; // default 400 metres a second; 0.25 turns a sub-step is the limit for rotation
    float sleep_speed;   // a body that is slower may come to rest; default 0.05 metres a second
    float sleep_time;    // after so many seconds; default 0.5; a tick counts as 1/30 s at most
    bool no_sleep;       // no body comes to rest for good
    bool no_continuous;  // fast bodies may pass through static ones
    bool paused;         // ticks make no steps
} FiloPhysics2;
FILO_REFLECT_DECLARE(FiloPhysics2);

#define FILO_PHASE_PHYSICS 50 // of the system "physics 2D": after FILO_PHASE_UPDATE, before FILO_PHASE_AFTER

// Registers these components and those of filo/transform.h in a world, and adds the systems "physics 2D" and "movers 2D".
// Call it first: registering the components one by one makes a world in which nothing moves. Between ticks.
// Calling it again does nothing. False without memory, or after a mistake.
bool filo_physics2_register(FiloWorld *world);
// Whether a world has been registered.
bool filo_physics2_registered(const FiloWorld *world);

// ---- Events -----------------------------------------------------------------------------------------------

// Recorded by the step in worlds with events, and delivered after it. They come in the order of contacts, bodies and joints,
// which is the same on any number of threads. Handlers may create and destroy anything.
//
//     static void hit(FiloIter *it, const FiloEvent *event) {
//         const FiloContactEvent2 *contact = event->payload;
//         if (filo_has(it->changes, contact->body_a, Egg)) filo_destroy(it->changes, contact->body_a);
//     }
//
//     filo_world_handle(world, &(FiloWorldHandlerDesc){
//         .event = filo_name(FILO_CONTACT_BEGIN), .type = FILO_TYPE(FiloContactEvent2), .run = hit });
//
// Contacts are reported only for shapes that ask for it by their flags; sensors report without. Either of the two shapes may be
// a. A handler that writes components, or pushes bodies, declares FILO_WRITE(FiloBody2) in .extra_access.
#define FILO_CONTACT_BEGIN                                                                                   \
    "contact begin" // FiloContactEvent2: two shapes touch, one of which has FILO_SHAPE_EVENTS
#define FILO_CONTACT_END                                                                                     \
    "contact end" // FiloContactEvent2: they do not touch any more, or one of them is gone
#define FILO_CONTACT_HIT                                                                                     \
    "contact hit" // FiloContactEvent2: an impact faster than FiloPhysics2.hit_speed, on a shape with FILO_SHAPE_HITS
#define FILO_CONTACT_IMPULSE                                                                                 \
    "contact impulse" // FiloContactImpulse2: in each step, for each contact that pushes a shape with FILO_SHAPE_IMPULSES
#define FILO_SENSOR_BEGIN     "sensor begin" // FiloContactEvent2: b overlaps the sensor a
#define FILO_SENSOR_END       "sensor end"   // FiloContactEvent2
#define FILO_BODY_FELL_ASLEEP "body asleep"  // FiloBodyEvent2: it came to rest
#define FILO_BODY_WOKE        "body awake"   // FiloBodyEvent2
#define FILO_JOINT_BROKE      "joint broken" // FiloJointEvent2: its entity is destroyed now

// A contact begins and ends at most once in a step. A step reports first what ended because a shape is gone, then beginnings and
// ends, then hits, then impulses, each in the order of contacts.
typedef struct FiloContactEvent2 {
    FiloEntity a, b;           // entities of the shapes; at the end of a contact they may not exist any more
    FiloEntity body_a, body_b; // entities of their bodies
    FiloVec2 point, normal;    // at the beginning of a contact and of hits; from a to b
    float speed;               // with which they came together there
} FiloContactEvent2;
FILO_REFLECT_DECLARE(FiloContactEvent2);

// The sum over a step and over the points of a contact.
typedef struct FiloContactImpulse2 {
    FiloEntity a, b, body_a, body_b;
    FiloVec2 point, normal;
    float impulse;          // along the normal: it pushes b with it and a against it
    float friction_impulse; // along the surface, to the right of the normal for b
} FiloContactImpulse2;
FILO_REFLECT_DECLARE(FiloContactImpulse2);

typedef struct FiloBodyEvent2 {
    FiloEntity entity;
} FiloBodyEvent2;
FILO_REFLECT_DECLARE(FiloBodyEvent2);

typedef struct FiloJointEvent2 {
    FiloEntity joint; // does not exist any more when handlers run
    FiloEntity a, b;  // its bodies; a may be {0}: the world
    FiloVec2 force;   // that it held b with, and was too much
    float torque;
} FiloJointEvent2;
FILO_REFLECT_DECLARE(FiloJointEvent2);

// ---- Contacts of a body -----------------------------------------------------------------------------------

typedef struct FiloContactPoint2 {
    FiloVec2 point;
    float separation; // negative: overlap
    // Of the last step, if the contact was steady: that of the last sub-step for all of them. For impacts, see
    // FILO_CONTACT_IMPULSE.
    float impulse, friction_impulse;
} FiloContactPoint2;

typedef struct FiloContact2 {
    FiloEntity a, b;           // entities of the shapes; a is one of the body that was asked for
    FiloEntity body_a, body_b; // entities of their bodies
    FiloVec2 normal;           // from a to b
    uint32_t point_count;      // 1 or 2; 0 of a sensor
    FiloContactPoint2 points[2];
    bool touching; // they touch, or push each other; otherwise they are only less than 0.02 metres apart
    bool sensor;   // one of the two is a sensor, which overlaps the other
} FiloContact2;
// What touches a body, at rest or not, as the last step left it: in the order of contacts, first those that are awake. Fills up to
// `capacity` contacts and returns how many there are; 0 if the entity is no body. Thread as for "Asking".
size_t filo_physics2_contacts(const FiloWorld *world, FiloEntity body, FiloContact2 *contacts,
                              size_t capacity);

// ---- Hooks ------------------------------------------------------------------------------------------------

// A contact before it is solved. The hook may write what follows `normal`.
typedef struct FiloSolve2 {
    FiloEntity a, b, body_a, body_b;
    FiloVec2 point, normal;                     // where they overlap most; from a to b
    float separation;                           // negative: overlap
    float speed;                                // with which they come together there; negative: they part
    float friction, restitution, surface_speed; // as the shapes mixed them
    // In this step they pass through each other, and do not count as touching. At first it is true if a shape is one-way and
    // lets the other one pass. If a hook sets it for a one-way shape, it stays so until the two have parted.
    bool disabled;
} FiloSolve2;

// Functions of the game. They are called by any worker, in any order, many at once and as often as the solver likes; they
// must depend on nothing but their arguments, `user` and components of `world`, which they only read and nothing writes
// during a step. Then the result is the same on any number of threads.
typedef struct FiloPhysics2Hooks {
    // Whether two shapes, one of which has FILO_SHAPE_FILTER, collide, or notice each other; after layers, masks and
    // groups have allowed it. Asked when they come near each other; not again until they have parted. To ask again, edit a shape.
    bool (*filter)(const FiloWorld *world, FiloEntity a, FiloEntity b, void *user);
    // Called in each step for contacts of shapes one of which has FILO_SHAPE_BEFORE_SOLVE, and for a fast body that would be
    // stopped by one (then only `disabled` counts). Not for sensors, and not for bodies at rest.
    void (*before_solve)(const FiloWorld *world, FiloSolve2 *contact, void *user);
    void *user;
} FiloPhysics2Hooks;
// NULL: none. Functions are not saved: they are set in each world. Between ticks. False after
// a mistake.
bool filo_physics2_set_hooks(FiloWorld *world, const FiloPhysics2Hooks *hooks);

// ---- Asking -----------------------------------------------------------------------------------------------

// What the last step left: bodies that were created since are not found, those that were moved are where they were, and
// those that were destroyed are still found (filo_entity_exists). Between ticks, or in systems and handlers that read
// FiloTransform2, FiloBody2 and FiloPhysics2: those of phases before FILO_PHASE_PHYSICS see the step of the tick before.
// Any number of threads at once, also right after a snapshot or a file was restored. Nothing allocates. Points and transforms that
// are not finite, or further away than 1e7, find nothing; a way without length is a point; a degenerate shape or radius is a
// mistake. Slots are given to shapes in the order in which they come into the simulation, and used again: an order that is the
// same on any number of threads and after a restore.

struct FiloHit2;

typedef enum FiloFilterAnswer2 {
    FILO_FILTER_TAKE,   // the shape counts
    FILO_FILTER_IGNORE, // it does not
    FILO_FILTER_STOP,   // it counts, and is the last one of the list: what is behind it does not count
} FiloFilterAnswer2;

// Which shapes count. All zero: all of them except sensors.
typedef struct FiloFilter2 {
    uint32_t layers;   // bits of the layers that count; 0 counts as all
    FiloEntity except; // a body that does not count
    bool sensors;      // sensors count
    // Of the game; may be NULL. Called by the thread that asks, in any order and more than once for a shape, so the answer
    // depends on nothing but the hit. An overlap has no normal and no fraction, and its point is where it was asked for.
    FiloFilterAnswer2 (*choose)(const struct FiloHit2 *hit, void *user);
    void *user;
} FiloFilter2;

typedef struct FiloHit2 {
    FiloEntity shape, body; // entities
    FiloVec2 point;         // where it was hit
    FiloVec2 normal;        // points out of the shape. Where a cast begins inside: {0, 0}
    float fraction;         // of the way, 0 to 1
} FiloHit2;

// The first shape on the way from one point to another. False if there is none. `filter` may be NULL.
bool filo_physics2_ray(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                       FiloHit2 *hit);
// All of them, by fraction and then by slot. Fills up to `capacity` hits, the first ones, and returns how many there are.
size_t filo_physics2_ray_all(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                             FiloHit2 *hits, size_t capacity);
// The first shape that `shape` touches when it moves by `move` from a transform, without turning. It stops a thousandth of
// a metre away.
bool filo_physics2_cast(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                        FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hit);
// All of them, like filo_physics2_ray_all.
size_t filo_physics2_cast_all(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                              FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hits, size_t capacity);

// The shapes that overlap `shape`, by slot. Fills up to `capacity` entities and returns how many there are.
size_t filo_physics2_overlap(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *at,
                             const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity);
// The same for a point: what is under the mouse; for a circle; and for a box between two corners.
size_t filo_physics2_overlap_point(const FiloWorld *world, FiloVec2 point, const FiloFilter2 *filter,
                                   FiloEntity *shapes, size_t capacity);
size_t filo_physics2_overlap_circle(const FiloWorld *world, FiloVec2 centre, float radius,
                                    const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity);
size_t filo_physics2_overlap_box(const FiloWorld *world, FiloVec2 a, FiloVec2 b, const FiloFilter2 *filter,
                                 FiloEntity *shapes, size_t capacity);

typedef struct FiloNear2 {
    FiloEntity shape, body; // entities
    FiloVec2 point;         // of the shape, nearest to the point that was given; inside: that point
    FiloVec2 normal;        // inside: {0, 0}
    float distance;         // 0 inside
} FiloNear2;
// The shape that is nearest to a point, and not further away than `within`; of equal ones that of the lowest slot. False if
// there is none, or if `within` is negative or no number. FILO_FILTER_STOP counts as FILO_FILTER_TAKE.
bool filo_physics2_nearest(const FiloWorld *world, FiloVec2 point, float within, const FiloFilter2 *filter,
                           FiloNear2 *near);
// The point of a body, or of the shape of an entity that is no body, that is nearest to a point. False if it has no shape.
bool filo_physics2_closest(const FiloWorld *world, FiloEntity entity, FiloVec2 point, FiloNear2 *near);

typedef struct FiloDistance2 {
    FiloEntity shape_a, shape_b; // entities of the two shapes that are nearest to each other
    FiloVec2 point_a, point_b;   // of their surfaces; where they overlap, one point near both
    FiloVec2 normal;             // from a to b; {0, 0} where they overlap
    float distance;              // 0 where they overlap
} FiloDistance2;
// The distance of two bodies, or of the shapes of entities that are no bodies. False if one of them has no shape.
bool filo_physics2_distance(const FiloWorld *world, FiloEntity a, FiloEntity b, FiloDistance2 *distance);

// ---- Pushing ----------------------------------------------------------------------------------------------

// All of these are for dynamic bodies, and wake them up. Points are in the coordinates of the world. Between ticks, or in
// systems and handlers that write FiloBody2 and read FiloTransform2. False if the entity is no dynamic body; one that does not
// exist any more, or a number that is not finite, is a mistake.
//
// A body that has not been in a step yet can be pushed as well. It is then as heavy as its shapes are when it is pushed: those
// that are added later, or get another parent, do not count. Systems and handlers that do this also read FiloShape2 and
// FiloFamily. An entity that a change set creates does not exist before the change set is applied: give it a velocity.

// A change of momentum at once: the velocity changes by impulse / mass.
bool filo_physics2_impulse(FiloWorld *world, FiloEntity body, FiloVec2 impulse, FiloVec2 point);
bool filo_physics2_angular_impulse(FiloWorld *world, FiloEntity body, float impulse);
// A force at a point, during the next step.
bool filo_physics2_force(FiloWorld *world, FiloEntity body, FiloVec2 force, FiloVec2 point);

// An explosion: pushes dynamic bodies away from a point, each once, where it is nearest to that point. Heavier bodies get
// slower, and those that are pushed off their centre turn.
typedef struct FiloExplosion2 {
    FiloVec2 centre;
    float radius;       // bodies up to here get the whole impulse
    float falloff;      // from there on it decreases evenly, and is 0 after this distance
    float impulse;      // newton seconds for a body; negative: towards the centre
    uint32_t layers;    // bits of the layers that count; 0 counts as all
    FiloEntity except;  // a body that is not pushed
    bool line_of_sight; // bodies behind others are not pushed; a ray for each
} FiloExplosion2;
// How many bodies were pushed. They are found where the last step left them, and pushed in the order of their slots. Bodies that
// were no bodies in the last step are not pushed. Between ticks, or in systems that run once, write FiloBody2 and read
// FiloTransform2, and with line_of_sight also FiloPhysics2. An explosion with a number that is not finite does nothing, and is
// reported.
size_t filo_physics2_explode(FiloWorld *world, const FiloExplosion2 *explosion);

// Mass, inertia about the centre of mass, and that centre in the coordinates of the body, as the last step computed them.
typedef struct FiloMass2 {
    float mass, inertia; // 0: infinite
    FiloVec2 centre;
} FiloMass2;
// {0} if the entity is no body, or was none in the last step. Between ticks, or in systems after the step.
FiloMass2 filo_physics2_mass(const FiloWorld *world, FiloEntity body);

// ---- Stats ------------------------------------------------------------------------------------------------

typedef struct FiloPhysics2Stats {
    size_t bodies, awake; // all, and those that steps move
    size_t shapes;        // all
    size_t contacts;      // pairs of shapes that are near each other, of bodies that are awake
    size_t touching;      // of which touch
    size_t colours;       // groups of contacts that are solved at once
    size_t joints;        // all
    size_t areas;         // with a sensor shape
    size_t islands;       // groups of bodies that are at rest
    float deepest;        // the deepest overlap of two shapes in the last step
    size_t memory;        // bytes
} FiloPhysics2Stats;
// {0} after a mistake: a world without physics. After a restore, what is awake, touches or is deepest is as it was before,
// until the next step. Between ticks.
FiloPhysics2Stats filo_physics2_stats(const FiloWorld *world);

FILO_END_DECLS

#include <filo/physics2d_debug.h>
#include <filo/physics2d_mover.h>

#endif
