// The table of Pinball: walls, and what moves or answers. Everything is made of bodies, shapes and joints.
//
//     walls      a chain around everything, and capsules inside
//     slingshots static bodies of two shapes: a triangle, and a rubber that answers
//     flippers   dynamic, on hinges with limits; a motor lifts and lowers them
//     plunger    dynamic, on a slider with a spring; a motor pulls it
//     gate       dynamic, on a hinge with a spring and limits: opens in one direction only
//     bumpers    static circles; what hits them is pushed away by the rules
//     targets    static boxes, which are inactive while they are down
//     lanes      sensors

#include "pinball.h"

#define ARCH_X      0.45f
#define ARCH_Y      14.5f
#define ARCH        5.45f // radius of the outer arch
#define LANE        4.55f // radius of the wall inside of it, where the lane of the plunger ends
#define ORBIT       4.4f
#define GATE_ANGLE  0.60f
#define GATE_LENGTH 0.84f

#define LAYER_BALLS 2u // all else is in the first layer; the gate touches nothing but balls

// ---- Shapes ---------------------------------------------------------------------------------------------

static void add_point(PinballWall *wall, float x, float y) { wall->points[wall->count++] = filo_vec2(x, y); }

// From an angle to another, about the centre of the arch.
static void add_arc(PinballWall *wall, float radius, float from, float to, int parts) {
    for (int i = 0; i <= parts; i++) {
        FiloVec2 way = filo_vec2_from_angle(filo_lerp(from, to, (float)i / (float)parts));
        add_point(wall, ARCH_X + radius * way.x, ARCH_Y + radius * way.y);
    }
}

// Beside a flipper: the guide between the lane to the flipper and the one to the drain.
static void add_guide(PinballWall *wall, float side) {
    add_point(wall, side * 4.2f, 6.5f);
    add_point(wall, side * 4.2f, 4.62f);
    add_point(wall, side * 2.3f, 3.46f);
}

// Around everything. `inset`: so far inside.
static void add_outer_points(PinballWall *wall, float inset) {
    add_point(wall, PINBALL_LEFT + inset, PINBALL_BOTTOM);
    add_arc(wall, ARCH - inset, FILO_PI, 0, 48);
    add_point(wall, PINBALL_EDGE - inset, inset);
    add_point(wall, PINBALL_RIGHT, inset);
}

PinballWall pinball_wall(size_t n) {
    PinballWall wall = { 0 };
    switch (n) {
    case 0: // around everything
        add_outer_points(&wall, 0);
        break;
    case 1: // the lane of the plunger
        add_point(&wall, PINBALL_RIGHT, PINBALL_BOTTOM);
        add_arc(&wall, LANE, 0, GATE_ANGLE - 0.04f, 8);
        break;
    case 2: add_guide(&wall, -1); break;
    case 3: add_guide(&wall, 1); break;
    case 4: // the orbit at the left
        add_point(&wall, ARCH_X - ORBIT, 12.2f);
        add_arc(&wall, ORBIT, FILO_PI, FILO_PI * 0.84f, 5);
        break;
    case 5: // above the saucer
        add_point(&wall, PINBALL_LEFT, 10.5f);
        add_point(&wall, -3.7f, 10.05f);
        break;
    case 6: // and below it
        add_point(&wall, PINBALL_LEFT, 8.95f);
        add_point(&wall, -4.0f, 8.75f);
        add_point(&wall, PINBALL_LEFT, 7.7f);
        break;
    case 7: // a roof and a floor for the targets
        add_point(&wall, PINBALL_RIGHT, 11.9f);
        add_point(&wall, 4.45f, 11.35f);
        add_point(&wall, 4.45f, 11.12f);
        break;
    case 8:
        add_point(&wall, PINBALL_RIGHT, 8.5f); // so that a ball behind fallen targets rolls out
        add_point(&wall, 4.45f, 8.2f);
        add_point(&wall, 4.45f, 8.05f);
        add_point(&wall, PINBALL_RIGHT, 7.5f);
        break;
    default:
        if (n < 9 || n >= 9 + PINBALL_LETTERS + 1) break;
        add_point(&wall, -1.75f + 1.1f * (float)(n - 9), 15.5f); // between the lanes at the top
        add_point(&wall, -1.75f + 1.1f * (float)(n - 9), 16.4f);
        break;
    }
    return wall;
}

FiloVec2 pinball_bumper(size_t n) {
    static const FiloVec2 bumpers[PINBALL_BUMPERS] = { { -1.25f, 13.1f },
                                                       { 2.15f, 13.1f },
                                                       { 0.45f, 10.9f } };
    return bumpers[n % PINBALL_BUMPERS];
}

FiloVec2 pinball_letter(size_t n) { return filo_vec2(-1.2f + 1.1f * (float)n, 15.95f); }
FiloVec2 pinball_target(size_t n) { return filo_vec2(4.6f, 8.68f + 0.68f * (float)n); }
FiloVec2 pinball_saucer(void) { return filo_vec2(-4.45f, 9.42f); }
FiloVec2 pinball_spinner(void) { return filo_vec2(-4.48f, 13.2f); }

void pinball_slingshot(float side, FiloVec2 corners[3]) {
    corners[0] = filo_vec2(side * 3.35f, 6.7f);
    corners[1] = filo_vec2(side * 3.35f, 5.12f);
    corners[2] = filo_vec2(side * 2.35f, 4.5f);
}

float pinball_flipper_angle(float side, bool up) {
    float angle = up ? 0.52f : -0.5f; // of the left one
    return side < 0 ? angle : FILO_PI - angle;
}

// ---- Static parts -----------------------------------------------------------------------------------------

// The wall around everything is a chain, so that balls roll smoothly along the arch; it is as far inside of its line as
// other walls are thick. The others are capsules.
static FiloResult add_outer_wall(FiloWorld *world) {
    PinballWall wall = { 0 };
    add_outer_points(&wall, PINBALL_WALL);
    FiloEntity body =
        filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    return filo_physics2_add_chain(world, body, wall.points, wall.count,
                                   &(FiloChain2){ .shape = { .friction = 0.1f, .restitution = 0.35f } });
}

static void add_walls(FiloWorld *world) {
    for (size_t n = 1; n < PINBALL_WALLS; n++) {
        PinballWall wall = pinball_wall(n);
        for (size_t i = 0; i + 1 < wall.count; i++)
            filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                        FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .radius = PINBALL_WALL,
                                 .points = { wall.points[i], wall.points[i + 1] }, .friction = 0.1f,
                                 .restitution = 0.35f));
    }
}

static FiloEntity add_part(FiloWorld *world, PartKind kind, size_t index, FiloVec2 at,
                           const FiloShape2 *shape) {
    return filo_create(world, FILO_SET(FiloTransform2, .position = at),
                       FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC), FILO_SET_COPY(FiloShape2, shape),
                       FILO_SET(Part, .kind = (int32_t)kind, .index = (int32_t)index));
}

// One body of two shapes: a triangle, and in front of its longest side the rubber, which answers. The rubber is a child.
static void add_slingshot(FiloWorld *world, float side, size_t index) {
    FiloVec2 corner[3];
    pinball_slingshot(side, corner);
    FiloEntity body =
        filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                    FILO_SET(FiloShape2, .kind = FILO_SHAPE_POLYGON, .point_count = 3,
                             .points = { corner[0], corner[1], corner[2] }, .radius = 0.08f, .friction = 0.1f,
                             .restitution = 0.3f));
    FiloVec2 along = filo_vec2_sub(corner[2], corner[0]);
    FiloVec2 out = filo_vec2_scale(filo_vec2_normalise(filo_vec2_perpendicular(along)), -0.06f * side);
    FiloVec2 from = filo_vec2_add(filo_vec2_add_scaled(corner[0], along, 0.12f), out);
    FiloVec2 to = filo_vec2_add(filo_vec2_add_scaled(corner[0], along, 0.88f), out);
    FiloEntity rubber = filo_create(world, FILO_ADD(FiloTransform2),
                                    FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .points = { from, to },
                                             .radius = 0.08f, .friction = 0.1f, .restitution = 0.5f),
                                    FILO_SET(Part, .kind = PART_SLINGSHOT, .index = (int32_t)index));
    filo_entity_set_parent(world, rubber, body);
}

static void add_parts(FiloWorld *world) {
    const FiloShape2 bumper = { .radius = PINBALL_BUMPER, .restitution = 0.6f, .friction = 0.1f };
    const FiloShape2 target = { .kind = FILO_SHAPE_BOX,
                                .half_size = { PINBALL_TARGET_SIZE.x / 2, PINBALL_TARGET_SIZE.y / 2 },
                                .restitution = 0.3f };
    const FiloShape2 lane = { .kind = FILO_SHAPE_BOX,
                              .half_size = { 0.3f, 0.12f },
                              .flags = FILO_SHAPE_SENSOR };
    const FiloShape2 spinner = { .kind = FILO_SHAPE_BOX,
                                 .half_size = { 0.45f, 0.06f },
                                 .flags = FILO_SHAPE_SENSOR };
    const FiloShape2 saucer = { .radius = 0.12f, .flags = FILO_SHAPE_SENSOR };
    for (size_t i = 0; i < PINBALL_BUMPERS; i++) add_part(world, PART_BUMPER, i, pinball_bumper(i), &bumper);
    for (size_t i = 0; i < PINBALL_TARGETS; i++) add_part(world, PART_TARGET, i, pinball_target(i), &target);
    for (size_t i = 0; i < PINBALL_LETTERS; i++) add_part(world, PART_LETTER, i, pinball_letter(i), &lane);
    add_part(world, PART_SPINNER, 0, pinball_spinner(), &spinner);
    add_part(world, PART_SAUCER, 0, pinball_saucer(), &saucer);
    add_slingshot(world, -1, 0);
    add_slingshot(world, 1, 1);
}

// ---- What moves ---------------------------------------------------------------------------------------------

// Thick at the pivot and thin at the tip: points around two circles. At rest no edge at the pivot is level, so that a ball
// rolls on.
static FiloShape2 flipper_shape(void) {
    static const float base[] = { 90, 126, 180, 225, 270 }, tip[] = { -90, 0, 90 };
    FiloShape2 shape = { .kind = FILO_SHAPE_POLYGON, .density = 3, .friction = 0.1f, .restitution = 0.25f };
    for (size_t i = 0; i < FILO_COUNT_OF(base); i++)
        shape.points[shape.point_count++] =
            filo_vec2_scale(filo_vec2_from_angle(filo_radians(base[i])), 0.27f);
    for (size_t i = 0; i < FILO_COUNT_OF(tip); i++) {
        FiloVec2 p = filo_vec2_scale(filo_vec2_from_angle(filo_radians(tip[i])), 0.14f);
        shape.points[shape.point_count++] = filo_vec2(PINBALL_FLIPPER + p.x, p.y);
    }
    return shape;
}

static void add_flipper(FiloWorld *world, float side) {
    float rest = pinball_flipper_angle(side, false), up = pinball_flipper_angle(side, true);
    FiloVec2 pivot = filo_vec2(side * PINBALL_PIVOT_X, PINBALL_PIVOT_Y);
    FiloShape2 shape = flipper_shape();
    FiloEntity body = filo_create(world, FILO_SET(FiloTransform2, .position = pivot, .rotation = rest),
                                  FILO_SET(FiloBody2, .flags = FILO_BODY_NO_SLEEP | FILO_BODY_NO_GRAVITY),
                                  FILO_SET_COPY(FiloShape2, &shape),
                                  FILO_SET(FiloSprite, .image = filo_name("flipper"), .layer = 30,
                                           .flags = FILO_SPRITE_LINEAR, .pivot = { -0.33f, 0 }));
    filo_create(world, FILO_SET(Flipper, .side = side),
                FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE,
                         .flags = FILO_JOINT_LIMIT | FILO_JOINT_MOTOR, .b = body, .anchor_a = pivot,
                         .angle = rest, .lower = filo_min(0, up - rest), .upper = filo_max(0, up - rest),
                         .motor_force = 900));
}

static void add_plunger(FiloWorld *world) {
    FiloVec2 at = filo_vec2(PINBALL_BALL_X, PINBALL_PLUNGER - 0.2f);
    FiloEntity head =
        filo_create(world, FILO_SET(FiloTransform2, .position = at), FILO_ADD(PlungerHead),
                    FILO_SET(FiloBody2, .flags = FILO_BODY_NO_SLEEP | FILO_BODY_NO_GRAVITY),
                    FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 0.34f, 0.2f }, .density = 5),
                    FILO_SET(FiloSprite, .image = filo_name("plunger"), .layer = 20,
                             .flags = FILO_SPRITE_LINEAR, .pivot = { 0, 0.5f - 0.2f / 1.6f }));
    filo_create(world, FILO_ADD(Plunger),
                FILO_SET(FiloJoint2, .kind = FILO_JOINT_PRISMATIC,
                         .flags = FILO_JOINT_LIMIT | FILO_JOINT_SPRING, .b = head, .anchor_a = at,
                         .axis = { 0, 1 }, .lower = -1.05f, .upper = 0.12f, .hertz = 9, .damping = 0.2f));
}

// Hangs on the arch, across the end of the plunger's lane.
static void add_gate(FiloWorld *world) {
    FiloVec2 way = filo_vec2_from_angle(GATE_ANGLE);
    FiloVec2 pivot = filo_vec2(ARCH_X + (ARCH - 0.1f) * way.x, ARCH_Y + (ARCH - 0.1f) * way.y);
    FiloEntity flap = filo_create(
        world,
        FILO_SET(FiloTransform2, .position = pivot, .rotation = GATE_ANGLE + FILO_PI,
                 .scale = { GATE_LENGTH, 0.1f }),
        FILO_SET(FiloBody2, .flags = FILO_BODY_NO_SLEEP | FILO_BODY_NO_GRAVITY, .angular_damping = 1),
        FILO_SET(FiloSprite, .layer = 20, .pivot = { -0.5f, 0 }, .color = filo_color_from_hex(0xFFB347FF)),
        FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .radius = 0.05f,
                 .points = { { 0, 0 }, { GATE_LENGTH, 0 } }, .density = 0.2f, .friction = FILO_FRICTION_NONE,
                 .mask = LAYER_BALLS),
        FILO_SET(Part, .kind = PART_GATE));
    filo_create(world, FILO_SET(FiloJoint2, .flags = FILO_JOINT_LIMIT | FILO_JOINT_SPRING, .b = flap,
                                .anchor_a = pivot, .angle = GATE_ANGLE + FILO_PI, .lower = -1.45f, .upper = 0,
                                .hertz = 1.5f, .damping = 0.6f));
}

// Its picture has a light on it, so it does not turn; on a real table it rolls about an axis that lies in the plane.
void pinball_create_ball(FiloChanges *changes, FiloVec2 at, FiloVec2 velocity) {
    filo_create(changes, FILO_SET(FiloTransform2, .position = at), FILO_ADD(Ball),
                FILO_SET(FiloBody2, .flags = FILO_BODY_BULLET | FILO_BODY_NO_SLEEP | FILO_BODY_FIXED_ROTATION,
                         .velocity = velocity),
                FILO_SET(FiloShape2, .radius = PINBALL_BALL, .density = 2, .friction = 0.06f,
                         .restitution = 0.1f, .layers = LAYER_BALLS, .flags = FILO_SHAPE_EVENTS),
                FILO_SET(FiloSprite, .image = filo_name("ball"), .layer = 35, .flags = FILO_SPRITE_LINEAR));
}

bool pinball_create_table(FiloWorld *world) {
    FiloPhysics2 *physics = filo_edit_global(world, FiloPhysics2);
    if (physics == NULL) return false;
    physics->gravity = filo_vec2(0, -19);
    physics->sub_steps = 8;
    filo_create(world, FILO_SET(FiloTransform2, .position = { 4.95f, 9.7f }),
                FILO_SET(FiloCamera, .height = PINBALL_VIEW, .shake_distance = 0.35f));
    if (add_outer_wall(world).code != FILO_OK) return false;
    add_walls(world);
    add_parts(world);
    add_flipper(world, -1);
    add_flipper(world, 1);
    add_plunger(world);
    add_gate(world);
    return filo_out_of_memory_result().code == FILO_OK;
}
