// The rooms of the Playground.

#include "playground.h"

#define GROUND 0x3B4660FF

static FiloEntity add_static(FiloChanges *changes, FiloVec2 at, FiloVec2 half, float angle, uint32_t color) {
    return filo_create(
        changes,
        FILO_SET(FiloTransform2, .position = at, .rotation = angle, .scale = { 2 * half.x, 2 * half.y }),
        FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
        FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = half, .friction = 0.8f),
        FILO_SET(FiloSprite, .layer = LAYER_GROUND, .color = filo_color_from_hex(color)));
}

// A line of bodies of one kind from a point to the right, each hinged to the one before. `ends`: the last is hinged to the
// world too. Returns the last one.
static FiloEntity add_row(FiloChanges *changes, Thing thing, FiloVec2 from, int count, float half, bool ends,
                          float break_force) {
    FiloEntity last = FILO_ENTITY_NONE;
    for (int i = 0; i <= count; i++) {
        FiloVec2 joint = filo_vec2(from.x + 2 * half * (float)i, from.y);
        FiloEntity next = FILO_ENTITY_NONE;
        if (i < count) next = thing_create(changes, thing, filo_vec2(joint.x + half, from.y), 0, 0);
        if (i == count && !ends) break;
        bool first = i == 0, at_end = i == count;
        filo_create(changes, FILO_SET(FiloJoint2, .a = first || at_end ? FILO_ENTITY_NONE : last,
                                      .b = at_end ? last : next,
                                      .anchor_a = first || at_end ? joint : filo_vec2(half, 0),
                                      .anchor_b = at_end ? filo_vec2(half, 0) : filo_vec2(-half, 0),
                                      .break_force = break_force));
        last = next;
    }
    return last;
}

// ---- Rooms ------------------------------------------------------------------------------------------------------

// A pyramid, a wall, and a heavy ball on a chain.
static void add_stacks(FiloChanges *changes) {
    float x = room_middle(ROOM_STACKS);
    for (int row = 0; row < 9; row++)
        for (int i = 0; i < 9 - row; i++)
            thing_create(changes, THING_BOX,
                         filo_vec2(x + 4 + 0.95f * (float)i + 0.475f * (float)row, 0.45f + 0.9f * (float)row),
                         0, 0);
    for (int row = 0; row < 12; row++)
        for (int i = 0; i < 3; i++)
            thing_create(
                changes, THING_BRICK,
                filo_vec2(x - 2.5f + 1.22f * (float)i + (row % 2 == 0 ? 0 : 0.6f), 0.3f + 0.6f * (float)row),
                0, 0);
    const float half = 0.3f;
    const int links = 10;
    FiloVec2 hook = filo_vec2(x - 5.6f, 12.5f);
    add_static(changes, filo_vec2(hook.x, hook.y + 0.2f), filo_vec2(0.5f, 0.2f), 0, GROUND);
    FiloEntity last = FILO_ENTITY_NONE;
    for (int i = 0; i < links; i++) { // drawn aside, so that it swings
        FiloVec2 at = filo_vec2(hook.x - half * (float)(2 * i + 1), hook.y);
        FiloEntity link = thing_create(changes, THING_LINK, at, 0, 0);
        filo_create(changes, FILO_SET(FiloJoint2, .a = last, .b = link, .anchor_b = { half, 0 },
                                      .anchor_a = i == 0 ? hook : filo_vec2(-half, 0)));
        last = link;
    }
    FiloVec2 at = filo_vec2(hook.x - 2 * half * (float)links - 1.2f, hook.y);
    FiloEntity ball = thing_create(changes, THING_HEAVY, at, 0, 0);
    filo_create(changes, FILO_SET(FiloJoint2, .a = last, .b = ball, .anchor_a = { -half, 0 },
                                  .anchor_b = { 1.2f, 0 }));
}

// Dolls fall down stairs, and over pegs.
static void add_dolls(FiloChanges *changes) {
    float x = room_middle(ROOM_DOLLS);
    for (int i = 0; i < 8; i++)
        add_static(changes, filo_vec2(x - 13 + 1.4f * (float)i, 3.5f - 0.45f * (float)i),
                   filo_vec2(0.7f, 3.5f - 0.45f * (float)i), 0, GROUND);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 4; i++)
            filo_create(changes,
                        FILO_SET(FiloTransform2,
                                 .position = { x + 3 + 2.8f * (float)i + (row % 2 == 0 ? 0 : 1.4f),
                                               3 + 2.2f * (float)row },
                                 .scale = { 0.3f / 0.48f, 0.3f / 0.48f }),
                        FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC), FILO_SET(FiloShape2, .radius = 0.3f),
                        FILO_SET(FiloSprite, .image = filo_name("ball"), .layer = LAYER_GROUND,
                                 .flags = FILO_SPRITE_LINEAR, .color = filo_color_from_hex(0x8894B8FF)));
    for (int i = 0; i < 3; i++)
        figure_doll(changes, filo_vec2(x - 12 + 2.2f * (float)i, 9.5f + (float)i), -10 - i);
    for (int i = 0; i < 4; i++) figure_doll(changes, filo_vec2(x + 4 + 2.6f * (float)i, 13), -20 - i);
}

size_t room_hills(FiloVec2 *points) {
    float x = room_middle(ROOM_CARS) - 16;
    for (int i = 0; i <= HILL_POINTS - 1; i++) {
        float along = 14.4f * (float)i / (HILL_POINTS - 1),
              ends = filo_clamp01(filo_min(along / 4, (14.4f - along) / 3));
        float height = 0.9f * filo_sin(along * 0.9f) + 0.6f * filo_sin(along * 0.43f + 1);
        points[i] = filo_vec2(x + along, 1 + ends * filo_max(height, -0.8f));
    }
    return HILL_POINTS;
}

// A chain is smooth: wheels do not catch where its segments meet.
static bool add_hills(FiloWorld *world) {
    FiloVec2 points[HILL_POINTS];
    size_t count = room_hills(points);
    FiloEntity ground =
        filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    const FiloChain2 chain = { .shape = { .friction = 0.9f } };
    return filo_physics2_add_chain(world, ground, points, count, &chain).code == FILO_OK;
}

// Behind the hills: a gap with a bridge, and a car.

static void add_cars(FiloChanges *changes) {
    float x = room_middle(ROOM_CARS);
    add_static(changes, filo_vec2(x + 12.7f, 0.5f), filo_vec2(3.3f, 0.5f), 0, GROUND);
    add_row(changes, THING_PLANK, filo_vec2(x - 1.6f, 1), 11, 0.5f, true, 0);
    (void)figure_car(changes, filo_vec2(x - 13.5f, 2.2f), -40);
    for (int i = 0; i < 3; i++)
        thing_create(changes, THING_BOX, filo_vec2(x + 12, 1.5f + 0.91f * (float)i), 0, 0);
}

// Platforms, a lift and a conveyor belt, for the character.
// Upside down, a belt runs back.
static void add_belt(FiloChanges *changes, FiloVec2 at, float half, bool back) {
    filo_create(
        changes,
        FILO_SET(FiloTransform2, .position = at, .rotation = back ? FILO_PI : 0, .scale = { 2 * half, 0.5f }),
        FILO_ADD(Belt), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
        FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { half, 0.25f }, .friction = 1),
        FILO_SET(FiloSprite, .layer = LAYER_GROUND, .color = filo_color_from_hex(0x6A5A3CFF)));
}

static void add_walk(FiloChanges *changes) {
    float x = room_middle(ROOM_WALK);
    add_belt(changes, filo_vec2(x + 9, 1.6f), 4.5f, false);
    add_belt(changes, filo_vec2(x + 4.5f, 4.4f), 3.5f, true);
    for (int i = 0; i < 4; i++) thing_create(changes, THING_BOX, filo_vec2(x + 3 + 2 * (float)i, 5.6f), 0, 0);
    for (int i = 0; i < 3; i++)
        add_static(changes, filo_vec2(x - 12 + 0.7f * (float)i, 0.15f + 0.15f * (float)i),
                   filo_vec2(0.35f, 0.15f + 0.15f * (float)i), 0, GROUND);
    add_static(changes, filo_vec2(x - 7.4f, 0.5f), filo_vec2(2.4f, 0.12f), 0.42f, GROUND);
    for (int i = 0; i < 4; i++) // from below one may pass
        filo_create(changes,
                    FILO_SET(FiloTransform2, .position = { x - 10 + 2.2f * (float)i, 2.6f + 1.5f * (float)i },
                             .scale = { 3, 0.2f }),
                    FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                    FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 1.5f, 0.1f },
                             .flags = FILO_SHAPE_ONE_WAY),
                    FILO_SET(FiloSprite, .layer = LAYER_GROUND, .color = filo_color_from_hex(0x8FB339FF)));
    FiloEntity hero = thing_create(changes, THING_HERO, filo_vec2(x - 14, 1), 0, 0);
    filo_set(changes, hero, FiloBody2, .kind = FILO_BODY_KINEMATIC);
    filo_set(changes, hero, FiloMover2, .step_height = 0.35f, .push_force = 60, .mass = 1.5f);
    filo_add(changes, hero, Hero);
    FiloEntity lift = thing_create(changes, THING_LIFT, filo_vec2(x - 0.5f, 1), 0, 0);
    filo_set(changes, lift, FiloBody2, .kind = FILO_BODY_KINEMATIC);
    filo_set(changes, lift, Lift, .from = { x - 0.5f, 0.6f }, .to = { x - 0.5f, 9 }, .seconds = 4);
}

// Water that carries what is light, a tunnel of wind, and a room with little gravity.
static FiloEntity add_area(FiloChanges *changes, FiloVec2 at, FiloVec2 half, uint32_t color) {
    return filo_create(
        changes, FILO_SET(FiloTransform2, .position = at, .scale = { 2 * half.x, 2 * half.y }),
        FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
        FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = half, .flags = FILO_SHAPE_SENSOR),
        FILO_SET(FiloSprite, .layer = LAYER_WATER, .color = filo_color_from_hex(color)));
}

static void add_areas(FiloChanges *changes) {
    float x = room_middle(ROOM_AREAS);
    add_static(changes, filo_vec2(x - 14.5f, 2.2f), filo_vec2(0.3f, 2.2f), 0, GROUND);
    add_static(changes, filo_vec2(x - 4.5f, 2.2f), filo_vec2(0.3f, 2.2f), 0, GROUND);
    FiloEntity water = add_area(changes, filo_vec2(x - 9.5f, 2), filo_vec2(4.7f, 2), 0x3C8CD060);
    filo_set(changes, water, FiloArea2, .damping = 1.5f, .angular_damping = 1.5f);
    filo_add(changes, water, Water);
    for (int i = 0; i < 2; i++)
        thing_create(changes, THING_RAFT, filo_vec2(x - 11.5f + 4 * (float)i, 5.5f), 0.2f, 0);
    for (int i = 0; i < 4; i++)
        thing_create(changes, THING_BALL, filo_vec2(x - 12.5f + 1.9f * (float)i, 8), 0, 0);
    FiloEntity tunnel = add_area(changes, filo_vec2(x, 6), filo_vec2(1.6f, 6), 0xA0E0FF20);
    filo_set(changes, tunnel, FiloArea2, .drag = 2);
    filo_add(changes, tunnel, Wind);
    for (int i = 0; i < 6; i++)
        thing_create(changes, i % 2 == 0 ? THING_PILL : THING_WEDGE,
                     filo_vec2(x - 1 + (float)(i % 3), 2 + 1.5f * (float)i), 0, 0);
    FiloEntity moon = add_area(changes, filo_vec2(x + 9.5f, 5), filo_vec2(5, 5), 0xC8A0FF1C);
    filo_set(changes, moon, FiloArea2, .flags = FILO_AREA_REPLACE, .gravity = { 0, -0.8f });
    for (int i = 0; i < 12; i++) {
        int column = i % 6, row = i / 6;
        thing_create(changes, i % 2 == 0 ? THING_BOX : THING_BALL,
                     filo_vec2(x + 6 + 1.4f * (float)column, 4 + 3 * (float)row), 0, 0);
    }
    figure_doll(changes, filo_vec2(x + 9, 8), -50);
}

// Joints that break, and machines.
static void add_machines(FiloChanges *changes) {
    float x = room_middle(ROOM_MACHINES);
    add_static(changes, filo_vec2(x - 14, 3), filo_vec2(1, 3), 0, GROUND);
    add_static(changes, filo_vec2(x - 3, 3), filo_vec2(1, 3), 0, GROUND);
    add_row(changes, THING_PLANK, filo_vec2(x - 13, 5.8f), 9, 0.5f, true, 3000);
    for (int i = 0; i < 5; i++)
        thing_create(changes, THING_BALL, filo_vec2(x - 11 + 1.3f * (float)i, 6.6f), 0, 0);
    // Two wheels turn each other, by a ratio of two; the mouse can turn either.
    FiloEntity wheels[2];
    for (int i = 0; i < 2; i++) {
        FiloVec2 at = filo_vec2(x + 0.2f + 2.1f * (float)i, 10.5f);
        wheels[i] = thing_create(changes, THING_GEAR, at, 0, -60);
        filo_create(changes, FILO_SET(FiloJoint2, .b = wheels[i], .anchor_a = at));
    }
    filo_create(changes,
                FILO_SET(FiloJoint2, .kind = FILO_JOINT_GEAR, .a = wheels[0], .b = wheels[1], .ratio = -2));
    FiloVec2 hub = filo_vec2(x + 9, 4.6f);
    for (int i = 0; i < 2; i++) {
        FiloVec2 at = filo_vec2(hub.x - 2.6f + 5.2f * (float)i, hub.y);
        FiloEntity rotor = thing_create(changes, THING_ROTOR, at, 0.8f * (float)i, 0);
        filo_create(changes, FILO_ADD(Machine),
                    FILO_SET(FiloJoint2, .b = rotor, .anchor_a = at, .flags = FILO_JOINT_MOTOR,
                             .motor_force = 400, .motor_speed = i == 0 ? 1.0f : -1.0f));
    }
    for (int i = 0; i < 24; i++) {
        static const Thing kinds[] = { THING_BALL, THING_PILL, THING_WEDGE };
        int column = i % 6, row = i / 6;
        thing_create(changes, kinds[i % 3],
                     filo_vec2(hub.x - 3 + 1.2f * (float)column, 9 + 1.1f * (float)row), 0, 0);
    }
    add_static(changes, filo_vec2(hub.x - 6, 1.5f), filo_vec2(0.3f, 1.5f), 0, GROUND);
    add_static(changes, filo_vec2(hub.x + 6, 1.5f), filo_vec2(0.3f, 1.5f), 0, GROUND);
}

// ---- All ----------------------------------------------------------------------------------------------------------

static void add_ground(FiloChanges *changes) {
    float left = room_middle(0) - ROOM_WIDTH / 2, right = room_middle(ROOM_COUNT - 1) + ROOM_WIDTH / 2;
    float gap = room_middle(ROOM_CARS) - 1.6f, gap_end = room_middle(ROOM_CARS) + 9.4f;
    add_static(changes, filo_vec2((left + gap) / 2, -1), filo_vec2((gap - left) / 2, 1), 0, GROUND);
    add_static(changes, filo_vec2((gap_end + right) / 2, -1), filo_vec2((right - gap_end) / 2, 1), 0, GROUND);
    add_static(changes, filo_vec2((gap + gap_end) / 2, -3.5f), filo_vec2((gap_end - gap) / 2 + 1, 0.5f), 0,
               GROUND);
    add_static(changes, filo_vec2(left - 0.5f, 20), filo_vec2(0.5f, 24), 0, GROUND);
    add_static(changes, filo_vec2(right + 0.5f, 20), filo_vec2(0.5f, 24), 0, GROUND);
}

bool playground_create(FiloWorld *world, int room) {
    FiloChanges *changes = filo_changes_create(world);
    Player *player = filo_edit_global(world, Player);
    if (changes == NULL || player == NULL) {
        filo_changes_destroy(changes);
        return false;
    }
    player->room = room;
    player->blast_age = 10;
    filo_create(changes, FILO_SET(FiloTransform2, .position = { room_middle(room), ROOM_HEIGHT / 2 - 2 }),
                FILO_SET(FiloCamera, .height = ROOM_HEIGHT));
    add_ground(changes);
    add_stacks(changes);
    add_dolls(changes);
    add_cars(changes);
    add_walk(changes);
    add_areas(changes);
    add_machines(changes);
    bool applied = filo_changes_apply(changes);
    filo_changes_destroy(changes);
    return applied && add_hills(world);
}
