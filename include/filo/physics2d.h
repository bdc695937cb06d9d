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
// A body is an entity with FiloTransform2 and FiloBody2, and its shape is FiloShape2. Adding, editing and removing these
// components is all it takes to make, change and end a body. A body whose entity is inactive is not in the simulation. To
// teleport a body, write its transform; to push it, write its velocity or force. A body that was at rest wakes up then.
//
// The transform of a body is in the coordinates of the world: a body has no parent with a transform. Its scale does not
// count; shapes have the size that they say.
//
// Units are those of the game; metres, kilograms and seconds suit the default values, with moving bodies of 0.1 to 10
// metres. A world of other units sets FiloPhysics2.unit. Coordinates are floats: beyond 10 km from the origin they are
// coarser than a millimetre, and contacts get rough. A body further away than 1e7 is not moved any more.
//
// A step is a tick. All results are the same to the bit on any number of threads, with every compiler and on every
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
    FILO_BODY_BULLET = 1,         // never passes through other moving bodies either, however fast it is
    FILO_BODY_FIXED_ROTATION = 2, // does not rotate
    FILO_BODY_LOCK_X = 4,         // does not move along x
    FILO_BODY_LOCK_Y = 8,         // does not move along y
    FILO_BODY_NO_SLEEP = 16,      // never comes to rest for good
    FILO_BODY_NO_GRAVITY = 32,
} FiloBodyFlags;
FILO_REFLECT_DECLARE(FiloBodyFlags);

// A body of zeroes is a dynamic one at rest, with mass from its shapes.
typedef struct FiloBody2 {
    FiloBodyKind kind;
    uint32_t flags;         // FiloBodyFlags
    FiloVec2 velocity;      // of the centre of mass, units per second
    float angular_velocity; // radians per second
    FiloVec2 force;         // on the centre of mass, during the next step; then it is 0 again
    float torque;           // likewise
    float damping;          // the velocity decreases by this part a second; 0: not at all
    float angular_damping;
    float gravity_scale; // 0 counts as 1; for none set FILO_BODY_NO_GRAVITY
    float mass;          // 0: that of its shapes, or 1 if these have none
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
    FILO_SHAPE_SEGMENT, // the line between points[0] and points[1]; has no mass. For ground
} FiloShapeKind;
FILO_REFLECT_DECLARE(FiloShapeKind);

#define FILO_SHAPE_POINTS 8

// What `friction` is without any, because 0 is the default value.
#define FILO_FRICTION_NONE (-1.0f)

typedef enum FiloShapeFlags {
    FILO_SHAPE_SENSOR = 1, // does not collide: only notices what overlaps it
    FILO_SHAPE_EVENTS = 2, // contacts of this shape are reported: FILO_CONTACT_BEGIN, FILO_CONTACT_END
} FiloShapeFlags;
FILO_REFLECT_DECLARE(FiloShapeFlags);

// A shape, in the coordinates of its body. Degenerate shapes (a polygon without area or that is not convex, a radius that
// is negative or not finite) are reported and do not collide.
typedef struct FiloShape2 {
    FiloShapeKind kind;
    FiloVec2 centre;
    FiloVec2 half_size;
    float angle; // of a box, radians
    float radius;
    uint32_t point_count;
    FiloVec2 points[FILO_SHAPE_POINTS];
    float density;  // mass per area; 0 counts as 1; negative: none
    float friction; // 0 counts as 0.6; FILO_FRICTION_NONE. Two shapes mix as the root of the product
    float
        restitution; // 0: does not bounce, 1: bounces back with the same speed. The larger of the two counts
    float rolling_resistance; // of a round shape; 0: rolls on for ever. The larger of the two counts
    float surface_speed;      // of a conveyor belt, along the surface; that of both is added up
    uint32_t layers;          // bits of the layers that it is in; 0 counts as 1, the first
    uint32_t mask;            // bits of the layers that it collides with; 0 counts as all
    uint32_t flags;           // FiloShapeFlags
    int32_t group; // shapes of the same positive group always collide, of the same negative one never
} FiloShape2;
FILO_REFLECT_DECLARE(FiloShape2);

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

// The component of an entity of its own. A joint with a body that does not exist any more does nothing, nor does one with a
// number that is not finite, which is reported.
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
    // Revolute: angles. Prismatic and wheel: along the axis. Distance: from 0 to `upper` is a rope.
    float lower, upper;
    float
        hertz; // of a spring; 0 counts as 5. Stiffer ones than a quarter of the sub-steps in a second count as that
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
// are those of the default values. {0} if it is no joint, or was none in the last step. Between ticks, or in systems after
// the step.
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
    FiloVec2 wind; // how fast air or water flows, units per second
    float
        drag; // the force for each unit of the speed relative to the flow, and of the width of the body; 0: none
} FiloArea2;
FILO_REFLECT_DECLARE(FiloArea2);

// ---- The world --------------------------------------------------------------------------------------------

// Settings, a global component. Numbers other than gravity count as their default value if they are 0.
typedef struct FiloPhysics2 {
    FiloVec2 gravity;      // default: 0, -9.81
    uint32_t sub_steps;    // of a step, 1 to 16; default 6. More make stacks and joints stiffer
    float unit;            // the length that is a metre in units of the game; default 1
    float contact_hertz;   // stiffness of contacts; default 60, and at most 1/8 of the sub-steps in a second
    float contact_damping; // damping ratio of contacts; default 10
    float push_speed;      // the speed at which bodies that overlap are pushed apart; default 3
    float restitution_speed; // slower impacts do not bounce; default 1
    float maximum_speed;     // default 400; 0.25 turns a sub-step is the limit for rotation
    float sleep_speed;       // a body that is slower may come to rest; default 0.05
    float sleep_time;        // after so many seconds; default 0.5
    bool no_sleep;           // no body comes to rest for good
    bool no_continuous;      // fast bodies may pass through static ones
    bool paused;             // ticks make no steps
} FiloPhysics2;
FILO_REFLECT_DECLARE(FiloPhysics2);

#define FILO_PHASE_PHYSICS 50 // of the system "physics 2D": after FILO_PHASE_UPDATE, before FILO_PHASE_AFTER

// Registers these components and those of filo/transform.h in a world, and adds the system "physics 2D". Between ticks.
// Calling it again does nothing. False without memory, or after a mistake.
bool filo_physics2_register(FiloWorld *world);

// ---- Events -----------------------------------------------------------------------------------------------

// Recorded by the step in worlds with events, and delivered after it. They come in the order of contacts, bodies and joints,
// which is the same on any number of threads. Handlers may create and destroy anything.
//
//     filo_world_handle(world, &(FiloWorldHandlerDesc){
//         .event = filo_name(FILO_CONTACT_BEGIN), .type = FILO_TYPE(FiloContactEvent2), .run = hit });
#define FILO_CONTACT_BEGIN                                                                                   \
    "contact begin" // FiloContactEvent2: two shapes touch, one of which has FILO_SHAPE_EVENTS
#define FILO_CONTACT_END                                                                                     \
    "contact end" // FiloContactEvent2: they do not touch any more, or one of them is gone
#define FILO_SENSOR_BEGIN     "sensor begin" // FiloContactEvent2: b overlaps the sensor a
#define FILO_SENSOR_END       "sensor end"   // FiloContactEvent2
#define FILO_BODY_FELL_ASLEEP "body asleep"  // FiloBodyEvent2: it came to rest
#define FILO_BODY_WOKE        "body awake"   // FiloBodyEvent2
#define FILO_JOINT_BROKE      "joint broken" // FiloJointEvent2: its entity is destroyed now

typedef struct FiloContactEvent2 {
    FiloEntity a, b;        // entities of the shapes; at the end of a contact they may not exist any more
    FiloVec2 point, normal; // at the beginning of a contact; from a to b
    float speed;            // with which they came together there
} FiloContactEvent2;
FILO_REFLECT_DECLARE(FiloContactEvent2);

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

// ---- Asking -----------------------------------------------------------------------------------------------

// What the last step left. Between ticks, or in systems of later phases that read FiloTransform2 and FiloBody2; any number
// of threads at once. After a snapshot or a file was restored, the first question must be asked by one thread.

// Which shapes count. All zero: all of them except sensors.
typedef struct FiloFilter2 {
    uint32_t layers;   // bits of the layers that count; 0 counts as all
    FiloEntity except; // a body that does not count
    bool sensors;      // sensors count
} FiloFilter2;

typedef struct FiloHit2 {
    FiloEntity shape, body; // entities
    FiloVec2 point,
        normal; // where it was hit; the normal points out of the shape. Where a cast begins inside: {0, 0}
    float fraction; // of the way, 0 to 1
} FiloHit2;

// The first shape on the way from one point to another. False if there is none. `filter` may be NULL.
bool filo_physics2_ray(const FiloWorld *world, FiloVec2 from, FiloVec2 to, const FiloFilter2 *filter,
                       FiloHit2 *hit);
// The first shape that `shape` touches when it moves by `move` from a transform, without turning.
bool filo_physics2_cast(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *from,
                        FiloVec2 move, const FiloFilter2 *filter, FiloHit2 *hit);
// The shapes that overlap `shape`, in the order of their slots. Fills up to `capacity` entities and returns how many there
// are. For a point, use a small circle.
size_t filo_physics2_overlap(const FiloWorld *world, const FiloShape2 *shape, const FiloTransform2 *at,
                             const FiloFilter2 *filter, FiloEntity *shapes, size_t capacity);

// ---- Pushing ----------------------------------------------------------------------------------------------

// All of these are for dynamic bodies, and wake them up. Points are in the coordinates of the world. Between ticks, or in
// systems that write FiloBody2 and read FiloTransform2. False if the entity is no dynamic body.

// A change of momentum at once: the velocity changes by impulse / mass. Before the first step of a body its mass is not known:
// false.
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
// FiloTransform2. An explosion with a number that is not finite does nothing, and is reported.
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
// {0} if the world has no physics. Between ticks.
FiloPhysics2Stats filo_physics2_stats(const FiloWorld *world);

FILO_END_DECLS

#endif
