// Descriptions of the components.

#include "physics2d/physics2d.h"

#define REGISTER "filo_physics2_register(world)"

FILO_REFLECT_ENUM(FiloBodyKind, FILO_VALUE(FILO_BODY_DYNAMIC, "dynamic"),
                  FILO_VALUE(FILO_BODY_KINEMATIC, "kinematic"), FILO_VALUE(FILO_BODY_STATIC, "static"))

FILO_REFLECT_FLAGS(FiloBodyFlags, FILO_VALUE(FILO_BODY_BULLET, "bullet"),
                   FILO_VALUE(FILO_BODY_FIXED_ROTATION, "fixed rotation"),
                   FILO_VALUE(FILO_BODY_LOCK_X, "lock x"), FILO_VALUE(FILO_BODY_LOCK_Y, "lock y"),
                   FILO_VALUE(FILO_BODY_NO_SLEEP, "no sleep"), FILO_VALUE(FILO_BODY_NO_GRAVITY, "no gravity"))

FILO_REFLECT_MODULE(FiloBody2, REGISTER, FILO_FIELD(FiloBodyKind, kind),
                    FILO_FIELD(uint32_t, flags, .choices = filo_type_FiloBodyFlags),
                    FILO_FIELD(FiloVec2, velocity, .unit = "m/s"),
                    FILO_FIELD(float, angular_velocity, .unit = "rad/s"),
                    FILO_FIELD(FiloVec2, force, .unit = "N"), FILO_FIELD(float, torque, .unit = "N m"),
                    FILO_FIELD(float, damping, .unit = "1/s"),
                    FILO_FIELD(float, angular_damping, .unit = "1/s"),
                    FILO_FIELD(float, gravity_scale, .help = "0 counts as 1"),
                    FILO_FIELD(float, mass, .unit = "kg", .help = "0: that of the shapes"),
                    FILO_FIELD(float, inertia, .unit = "kg m²", .help = "0: that of the shapes"))

FILO_TAG_MODULE(FiloAsleep, REGISTER)

FILO_REFLECT_ENUM(FiloShapeKind, FILO_VALUE(FILO_SHAPE_CIRCLE, "circle"),
                  FILO_VALUE(FILO_SHAPE_CAPSULE, "capsule"), FILO_VALUE(FILO_SHAPE_BOX, "box"),
                  FILO_VALUE(FILO_SHAPE_POLYGON, "polygon"), FILO_VALUE(FILO_SHAPE_SEGMENT, "segment"))

FILO_REFLECT_FLAGS(FiloShapeFlags, FILO_VALUE(FILO_SHAPE_SENSOR, "sensor"),
                   FILO_VALUE(FILO_SHAPE_EVENTS, "events"), FILO_VALUE(FILO_SHAPE_HITS, "hits"),
                   FILO_VALUE(FILO_SHAPE_IMPULSES, "impulses"), FILO_VALUE(FILO_SHAPE_FILTER, "filter"),
                   FILO_VALUE(FILO_SHAPE_BEFORE_SOLVE, "before solve"),
                   FILO_VALUE(FILO_SHAPE_ONE_WAY, "one way"))

FILO_REFLECT_ENUM(FiloMix, FILO_VALUE(FILO_MIX_DEFAULT, "default"), FILO_VALUE(FILO_MIX_AVERAGE, "average"),
                  FILO_VALUE(FILO_MIX_GEOMETRIC, "geometric"), FILO_VALUE(FILO_MIX_MINIMUM, "minimum"),
                  FILO_VALUE(FILO_MIX_MULTIPLY, "multiply"), FILO_VALUE(FILO_MIX_MAXIMUM, "maximum"))

FILO_REFLECT(FiloContactEvent2, FILO_FIELD(FiloEntity, a), FILO_FIELD(FiloEntity, b),
             FILO_FIELD(FiloEntity, body_a), FILO_FIELD(FiloEntity, body_b), FILO_FIELD(FiloVec2, point),
             FILO_FIELD(FiloVec2, normal), FILO_FIELD(float, speed))

FILO_REFLECT(FiloContactImpulse2, FILO_FIELD(FiloEntity, a), FILO_FIELD(FiloEntity, b),
             FILO_FIELD(FiloEntity, body_a), FILO_FIELD(FiloEntity, body_b), FILO_FIELD(FiloVec2, point),
             FILO_FIELD(FiloVec2, normal), FILO_FIELD(float, impulse), FILO_FIELD(float, friction_impulse))

FILO_REFLECT(FiloBodyEvent2, FILO_FIELD(FiloEntity, entity))

FILO_REFLECT(FiloJointEvent2, FILO_FIELD(FiloEntity, joint), FILO_FIELD(FiloEntity, a),
             FILO_FIELD(FiloEntity, b), FILO_FIELD(FiloVec2, force, .unit = "N"),
             FILO_FIELD(float, torque, .unit = "N m"))

FILO_REFLECT_MODULE(FiloShape2, REGISTER, FILO_FIELD(FiloShapeKind, kind),
                    FILO_FIELD(FiloVec2, centre, .unit = "m"), FILO_FIELD(FiloVec2, half_size, .unit = "m"),
                    FILO_FIELD(float, angle, .unit = "rad"), FILO_FIELD(float, radius, .unit = "m"),
                    FILO_FIELD(uint32_t, point_count), FILO_FIELD(FiloVec2, points, .unit = "m"),
                    FILO_FIELD(float, density, .unit = "kg/m²", .help = "0 counts as 1, negative is none"),
                    FILO_FIELD(float, friction, .help = "0 counts as 0.6, negative is none"),
                    FILO_FIELD(float, restitution), FILO_FIELD(float, rolling_resistance),
                    FILO_FIELD(float, surface_speed, .unit = "m/s"),
                    FILO_FIELD(uint32_t, layers, .help = "0 counts as 1"),
                    FILO_FIELD(uint32_t, mask, .help = "0 counts as all"),
                    FILO_FIELD(uint32_t, flags, .choices = filo_type_FiloShapeFlags),
                    FILO_FIELD(int32_t, group), FILO_FIELD(FiloMix, friction_mix),
                    FILO_FIELD(FiloMix, restitution_mix), FILO_FIELD(FiloVec2, one_way))

FILO_REFLECT_ENUM(FiloJointKind, FILO_VALUE(FILO_JOINT_REVOLUTE, "revolute"),
                  FILO_VALUE(FILO_JOINT_DISTANCE, "distance"), FILO_VALUE(FILO_JOINT_PRISMATIC, "prismatic"),
                  FILO_VALUE(FILO_JOINT_WELD, "weld"), FILO_VALUE(FILO_JOINT_WHEEL, "wheel"),
                  FILO_VALUE(FILO_JOINT_MOUSE, "mouse"), FILO_VALUE(FILO_JOINT_DRIVE, "drive"),
                  FILO_VALUE(FILO_JOINT_GEAR, "gear"))

FILO_REFLECT_FLAGS(FiloJointFlags, FILO_VALUE(FILO_JOINT_LIMIT, "limit"),
                   FILO_VALUE(FILO_JOINT_MOTOR, "motor"), FILO_VALUE(FILO_JOINT_SPRING, "spring"),
                   FILO_VALUE(FILO_JOINT_COLLIDE, "collide"))

FILO_REFLECT_MODULE(FiloJoint2, REGISTER, FILO_FIELD(FiloJointKind, kind),
                    FILO_FIELD(uint32_t, flags, .choices = filo_type_FiloJointFlags),
                    FILO_FIELD(FiloEntity, a), FILO_FIELD(FiloEntity, b),
                    FILO_FIELD(FiloVec2, anchor_a, .unit = "m"), FILO_FIELD(FiloVec2, anchor_b, .unit = "m"),
                    FILO_FIELD(FiloVec2, axis), FILO_FIELD(float, angle, .unit = "rad"),
                    FILO_FIELD(float, length, .unit = "m"), FILO_FIELD(float, lower),
                    FILO_FIELD(float, upper), FILO_FIELD(float, hertz, .unit = "Hz"),
                    FILO_FIELD(float, damping), FILO_FIELD(float, motor_speed),
                    FILO_FIELD(float, motor_force), FILO_FIELD(float, break_force, .unit = "N"),
                    FILO_FIELD(float, linear_hertz, .unit = "Hz"),
                    FILO_FIELD(float, ratio, .help = "0 counts as 1"),
                    FILO_FIELD(float, motor_torque, .unit = "N m"),
                    FILO_FIELD(float, break_torque, .unit = "N m"))

FILO_REFLECT_FLAGS(FiloAreaFlags, FILO_VALUE(FILO_AREA_REPLACE, "replace"))

FILO_REFLECT_MODULE(FiloArea2, REGISTER, FILO_FIELD(int32_t, priority),
                    FILO_FIELD(uint32_t, flags, .choices = filo_type_FiloAreaFlags),
                    FILO_FIELD(FiloVec2, gravity, .unit = "m/s²"), FILO_FIELD(float, pull, .unit = "m/s²"),
                    FILO_FIELD(float, damping, .unit = "1/s"),
                    FILO_FIELD(float, angular_damping, .unit = "1/s"),
                    FILO_FIELD(FiloVec2, wind, .unit = "m/s"), FILO_FIELD(float, drag, .unit = "kg/(s m)"))

FILO_REFLECT_MODULE(FiloPhysics2, REGISTER, FILO_FIELD(FiloVec2, gravity, .unit = "m/s²"),
                    FILO_FIELD(uint32_t, sub_steps), FILO_FIELD(float, unit),
                    FILO_FIELD(float, contact_hertz, .unit = "Hz"), FILO_FIELD(float, contact_damping),
                    FILO_FIELD(float, push_speed, .unit = "m/s"),
                    FILO_FIELD(float, restitution_speed, .unit = "m/s"),
                    FILO_FIELD(float, hit_speed, .unit = "m/s"),
                    FILO_FIELD(float, maximum_speed, .unit = "m/s"),
                    FILO_FIELD(float, sleep_speed, .unit = "m/s"), FILO_FIELD(float, sleep_time, .unit = "s"),
                    FILO_FIELD(bool, no_sleep), FILO_FIELD(bool, no_continuous), FILO_FIELD(bool, paused))

FILO_REFLECT_FLAGS(FiloMoverFlags, FILO_VALUE(FILO_MOVER_FLOATING, "floating"),
                   FILO_VALUE(FILO_MOVER_NO_GRAVITY, "no gravity"), FILO_VALUE(FILO_MOVER_DROP, "drop"),
                   FILO_VALUE(FILO_MOVER_NO_INHERIT, "no inherit"),
                   FILO_VALUE(FILO_MOVER_NOT_CARRIED, "not carried"))

FILO_REFLECT_FLAGS(FiloMoverState, FILO_VALUE(FILO_MOVER_ON_FLOOR, "on floor"),
                   FILO_VALUE(FILO_MOVER_ON_WALL, "on wall"), FILO_VALUE(FILO_MOVER_ON_CEILING, "on ceiling"),
                   FILO_VALUE(FILO_MOVER_CRUSHED, "crushed"), FILO_VALUE(FILO_MOVER_INVALID, "invalid"))

FILO_REFLECT_MODULE(FiloMover2, REGISTER, FILO_FIELD(FiloVec2, velocity, .unit = "m/s"),
                    FILO_FIELD(uint32_t, flags, .choices = filo_type_FiloMoverFlags),
                    FILO_FIELD(float, gravity_scale, .help = "0 counts as 1"),
                    FILO_FIELD(float, maximum_slope, .unit = "rad", .help = "0 counts as pi / 4"),
                    FILO_FIELD(float, step_height, .unit = "m"),
                    FILO_FIELD(float, snap_distance, .unit = "m", .help = "0 counts as 0.1 metres"),
                    FILO_FIELD(float, push_force, .unit = "N"), FILO_FIELD(float, mass, .unit = "kg"),
                    FILO_FIELD(FiloVec2, up, .help = "0, 0: against gravity"),
                    FILO_FIELD(uint32_t, state, .choices = filo_type_FiloMoverState),
                    FILO_FIELD(FiloEntity, floor), FILO_FIELD(FiloEntity, wall),
                    FILO_FIELD(FiloEntity, ceiling), FILO_FIELD(FiloVec2, floor_normal),
                    FILO_FIELD(FiloVec2, wall_normal), FILO_FIELD(FiloVec2, ceiling_normal),
                    FILO_FIELD(FiloVec2, floor_velocity, .unit = "m/s"),
                    FILO_FIELD(FiloVec2, floor_point, .unit = "m"),
                    FILO_FIELD(FiloVec2, position, .unit = "m"))
