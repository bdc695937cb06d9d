// Kinds of bodies: their shapes, colours and names, and figures that consist of several of them.

#include "playground.h"

#include "shared/shape_art.h"

typedef struct Kind {
    const char *name;
    uint32_t color;
    uint8_t layer;
    FiloShape2 shape;
} Kind;

#define BOX(w, h)     .kind = FILO_SHAPE_BOX, .half_size = { w, h }
#define CAPSULE(l, r) .kind = FILO_SHAPE_CAPSULE, .points = { { -(l), 0 }, { l, 0 } }, .radius = r
#define UPRIGHT(l, r) .kind = FILO_SHAPE_CAPSULE, .points = { { 0, -(l) }, { 0, l } }, .radius = r

static const Kind kinds[THING_COUNT] = {
    [THING_BOX] = { "box", 0xE8A33DFF, LAYER_THINGS, { BOX(0.45f, 0.45f) } },
    [THING_BALL] = { "ball", 0x4FB0C6FF, LAYER_THINGS, { .radius = 0.45f, .restitution = 0.4f } },
    [THING_PILL] = { "pill", 0xB48EADFF, LAYER_THINGS, { CAPSULE(0.4f, 0.3f) } },
    [THING_WEDGE] = { "wedge",
                      0x8FB339FF,
                      LAYER_THINGS,
                      { .kind = FILO_SHAPE_POLYGON,
                        .point_count = 3,
                        .points = { { -0.5f, -0.35f }, { 0.5f, -0.35f }, { 0, 0.5f } },
                        .radius = 0.08f } },
    [THING_PLANK] = { "plank",
                      0xA9744AFF,
                      LAYER_THINGS,
                      { BOX(0.5f, 0.12f), .density = 2, .friction = 0.8f } },
    [THING_LINK] = { "link", 0x8A93AAFF, LAYER_THINGS, { CAPSULE(0.3f, 0.1f), .density = 3 } },
    [THING_HEAVY] = { "heavy", 0x59627AFF, LAYER_THINGS, { .radius = 1.2f, .density = 12 } },
    [THING_BRICK] = { "brick", 0xC8664AFF, LAYER_THINGS, { BOX(0.6f, 0.3f), .friction = 0.7f } },
    [THING_HEAD] = { "head", 0xF2C9A0FF, LAYER_THINGS, { .radius = 0.26f } },
    [THING_TORSO] = { "torso", 0xD8576BFF, LAYER_THINGS, { UPRIGHT(0.3f, 0.24f) } },
    [THING_ARM] = { "arm", 0xF2C9A0FF, LAYER_THINGS, { UPRIGHT(0.2f, 0.1f) } },
    [THING_LEG] = { "leg", 0x3F5E8CFF, LAYER_THINGS, { UPRIGHT(0.24f, 0.13f) } },
    [THING_CHASSIS] = { "chassis",
                        0xD8576BFF,
                        LAYER_FRONT,
                        { .kind = FILO_SHAPE_POLYGON,
                          .point_count = 6,
                          .points = { { -1.5f, -0.3f },
                                      { 1.4f, -0.3f },
                                      { 1.55f, 0.05f },
                                      { 0.9f, 0.3f },
                                      { -1.3f, 0.35f },
                                      { -1.55f, 0.1f } },
                          .density = 2 } },
    [THING_CABIN] = { "cabin",
                      0x7FC8E8FF,
                      LAYER_FRONT,
                      { .kind = FILO_SHAPE_POLYGON,
                        .point_count = 4,
                        .points = { { -1.0f, 0.3f }, { 0.75f, 0.28f }, { 0.35f, 0.85f }, { -0.75f, 0.85f } },
                        .density = 0.3f } },
    [THING_WHEEL] = { "wheel",
                      0x3A4152FF,
                      LAYER_FRONT,
                      { .radius = 0.45f, .friction = 1.6f, .density = 1.2f } },
    [THING_RAFT] = { "raft", 0xA9744AFF, LAYER_THINGS, { BOX(1.6f, 0.2f), .density = 0.4f } },
    [THING_GEAR] = { "gear", 0xE8C35AFF, LAYER_THINGS, { .radius = 1, .density = 0.5f } },
    [THING_ROTOR] = { "rotor",
                      0x59A38CFF,
                      LAYER_THINGS,
                      { BOX(2.2f, 0.16f), .radius = 0.04f, .density = 2 } },
    [THING_LIFT] = { "lift", 0x7C8CB8FF, LAYER_GROUND, { BOX(1.5f, 0.2f), .friction = 1 } },
    [THING_HERO] = { "hero", 0xFFD34DFF, LAYER_FRONT, { UPRIGHT(0.35f, 0.35f) } },
};

FiloShape2 thing_shape(Thing thing) { return kinds[thing].shape; }

bool things_art(FiloAssets *assets) {
    bool ok = true;
    for (size_t i = 0; i < THING_COUNT; i++)
        ok = ok && shape_art_add(assets, kinds[i].name, &kinds[i].shape, filo_color_from_hex(kinds[i].color),
                                 DETAIL);
    return ok;
}

FiloEntity thing_create(FiloChanges *changes, Thing thing, FiloVec2 at, float angle, int32_t group) {
    const Kind *kind = &kinds[thing];
    FiloShape2 shape = kind->shape;
    shape.group = group;
    return filo_create(changes, FILO_SET(FiloTransform2, .position = at, .rotation = angle),
                       FILO_ADD(FiloBody2), FILO_SET_COPY(FiloShape2, &shape),
                       FILO_SET(FiloSprite, .image = filo_name(kind->name), .layer = kind->layer,
                                .flags = FILO_SPRITE_LINEAR, .pivot = shape_art_pivot(&kind->shape)));
}

// ---- Figures --------------------------------------------------------------------------------------------------

// A hinge at a point that is given in the coordinates of both bodies, with limits.
static void hinge(FiloChanges *changes, FiloEntity a, FiloVec2 in_a, FiloEntity b, FiloVec2 in_b, float lower,
                  float upper) {
    filo_create(changes,
                FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE, .flags = FILO_JOINT_LIMIT, .a = a, .b = b,
                         .anchor_a = in_a, .anchor_b = in_b, .lower = lower, .upper = upper));
}

// Two bodies one below the other, which hang on a third.
static void limb(FiloChanges *changes, FiloEntity torso, FiloVec2 in_torso, Thing part, FiloVec2 at,
                 float bend, int32_t group) {
    float length = thing_shape(part).points[1].y;
    FiloEntity upper = thing_create(changes, part, filo_vec2(at.x, at.y - length), 0, group);
    FiloEntity lower = thing_create(changes, part, filo_vec2(at.x, at.y - 3 * length), 0, group);
    hinge(changes, torso, in_torso, upper, filo_vec2(0, length), -1.6f, 1.6f);
    hinge(changes, upper, filo_vec2(0, -length), lower, filo_vec2(0, length), filo_min(bend, 0),
          filo_max(bend, 0));
}

void figure_doll(FiloChanges *changes, FiloVec2 at, int32_t group) {
    FiloEntity torso = thing_create(changes, THING_TORSO, at, 0, group);
    FiloEntity head = thing_create(changes, THING_HEAD, filo_vec2(at.x, at.y + 0.82f), 0, group);
    hinge(changes, torso, filo_vec2(0, 0.54f), head, filo_vec2(0, -0.28f), -0.6f, 0.6f);
    for (int i = 0; i < 2; i++) {
        float side = i == 0 ? -1.0f : 1.0f;
        limb(changes, torso, filo_vec2(0.2f * side, 0.36f), THING_ARM,
             filo_vec2(at.x + 0.2f * side, at.y + 0.36f), 1.9f, group);
        limb(changes, torso, filo_vec2(0.1f * side, -0.4f), THING_LEG,
             filo_vec2(at.x + 0.1f * side, at.y - 0.4f), -1.9f, group);
    }
}

// Two shapes are one body, and the wheels hang on springs.
FiloEntity figure_car(FiloChanges *changes, FiloVec2 at, int32_t group) {
    FiloEntity chassis = thing_create(changes, THING_CHASSIS, at, 0, group);
    FiloEntity cabin = thing_create(changes, THING_CABIN, filo_vec2(0, 0), 0, group);
    filo_remove(changes, cabin, FiloBody2); // a shape of its parent
    filo_changes_set_parent(changes, cabin, chassis);
    for (int i = 0; i < 2; i++) {
        float side = i == 0 ? -1.0f : 1.0f;
        FiloVec2 axle = filo_vec2(0.95f * side, -0.4f);
        FiloEntity wheel = thing_create(changes, THING_WHEEL, filo_vec2_add(at, axle), 0, group);
        filo_create(changes, FILO_ADD(Drive),
                    FILO_SET(FiloJoint2, .kind = FILO_JOINT_WHEEL,
                             .flags = FILO_JOINT_MOTOR | FILO_JOINT_SPRING | FILO_JOINT_LIMIT, .a = chassis,
                             .b = wheel, .anchor_a = axle, .axis = { 0, 1 }, .lower = -0.3f, .upper = 0.3f,
                             .hertz = 4, .damping = 0.7f, .motor_force = 14));
    }
    return chassis;
}

void spawn(FiloChanges *changes, int what, FiloVec2 at, int32_t group) {
    switch (what) {
    case SPAWN_DOLL: figure_doll(changes, at, group); break;
    case SPAWN_CAR: (void)figure_car(changes, at, group); break;
    case SPAWN_BALL: (void)thing_create(changes, THING_BALL, at, 0, 0); break;
    case SPAWN_PILL: (void)thing_create(changes, THING_PILL, at, 0, 0); break;
    case SPAWN_WEDGE: (void)thing_create(changes, THING_WEDGE, at, 0, 0); break;
    default: (void)thing_create(changes, THING_BOX, at, 0, 0); break;
    }
}
