// What the player can do in the Playground: drag, create and blow up bodies, drive, walk, and change parameters. All of it
// comes from input and messages, so a recording has it.

#include "playground.h"

FILO_REFLECT(Rules, FILO_FIELD(FiloVec2, gravity), FILO_FIELD(int32_t, sub_steps, .min = 1, .max = 16),
             FILO_FIELD(float, contact_hertz), FILO_FIELD(float, contact_damping),
             FILO_FIELD(float, restitution_speed), FILO_FIELD(float, belt), FILO_FIELD(float, drive),
             FILO_FIELD(float, machine), FILO_FIELD(float, wind), FILO_FIELD(float, buoyancy),
             FILO_FIELD(float, explosion), FILO_FIELD(float, drag), FILO_FIELD(int32_t, spawn),
             FILO_FIELD(bool, sleep))
FILO_REFLECT(Player, FILO_FIELD(int32_t, room), FILO_FIELD(FiloEntity, joint),
             FILO_FIELD(FiloEntity, dragged), FILO_FIELD(FiloVec2, mouse), FILO_FIELD(FiloVec2, blast),
             FILO_FIELD(float, blast_age), FILO_FIELD(int32_t, spawned), FILO_FIELD(int32_t, broken))
FILO_REFLECT(Lift, FILO_FIELD(FiloVec2, from), FILO_FIELD(FiloVec2, to), FILO_FIELD(float, seconds))
FILO_TAG(Drive)
FILO_TAG(Machine)
FILO_TAG(Belt)
FILO_TAG(Water)
FILO_TAG(Wind)
FILO_TAG(Hero)

#define BLAST 5.0f // how far an explosion reaches

Rules playground_rules(void) {
    return (Rules){ .gravity = { 0, -9.81f },
                    .sub_steps = 6,
                    .contact_hertz = 60,
                    .contact_damping = 10,
                    .restitution_speed = 1,
                    .belt = 2.5f,
                    .drive = 18,
                    .machine = 2,
                    .wind = 7,
                    .buoyancy = 1.4f,
                    .explosion = 30,
                    .drag = 90,
                    .sleep = true };
}

// ---- Parameters -------------------------------------------------------------------------------------------------

static float limited(float x, float low, float high, float otherwise) {
    return x >= low && x <= high ? x : otherwise; // NaN too
}

// A recording is a file, and may have anything in it.
static Rules checked(Rules r) {
    const Rules d = playground_rules();
    r.gravity.x = limited(r.gravity.x, -100, 100, d.gravity.x);
    r.gravity.y = limited(r.gravity.y, -100, 100, d.gravity.y);
    r.sub_steps = FILO_CLAMP(r.sub_steps, 1, 16);
    r.contact_hertz = limited(r.contact_hertz, 1, 240, d.contact_hertz);
    r.contact_damping = limited(r.contact_damping, 0.1f, 100, d.contact_damping);
    r.restitution_speed = limited(r.restitution_speed, 0.01f, 100, d.restitution_speed);
    r.belt = limited(r.belt, -20, 20, d.belt);
    r.drive = limited(r.drive, 0, 100, d.drive);
    r.machine = limited(r.machine, -20, 20, d.machine);
    r.wind = limited(r.wind, -100, 100, d.wind);
    r.buoyancy = limited(r.buoyancy, 0, 20, d.buoyancy);
    r.explosion = limited(r.explosion, 0, 200, d.explosion);
    r.drag = limited(r.drag, 1, 1000, d.drag);
    r.spawn = FILO_CLAMP(r.spawn, 0, SPAWN_COUNT - 1);
    return r;
}

static void take_rules(FiloIter *it, const FiloEvent *event) {
    const Rules rules = checked(*(const Rules *)event->payload);
    *filo_edit_global(it->world, Rules) = rules;
    FiloPhysics2 *physics = filo_edit_global(it->world, FiloPhysics2);
    physics->gravity = rules.gravity;
    physics->sub_steps = (uint32_t)rules.sub_steps;
    physics->contact_hertz = rules.contact_hertz;
    physics->contact_damping = rules.contact_damping;
    physics->restitution_speed = rules.restitution_speed;
    physics->no_sleep = !rules.sleep;
}

// ---- The camera and the mouse -------------------------------------------------------------------------------------

static void show_room(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Player *player = filo_write_global(it, Player);
    const FiloCamera *camera = filo_read(it, FiloCamera);
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    for (int i = 0; i < ROOM_COUNT; i++)
        if (filo_input_pressed(input, (FiloKey)(FILO_KEY_1 + i))) player->room = i;
    player->blast_age += it->delta;
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *at = &transform[i].position;
        at->x = filo_damp(at->x, room_middle(player->room), 0.1f, it->delta);
        float unit = camera[i].height / filo_max(input->view.y, 1);
        player->mouse = filo_vec2(at->x + (input->mouse.x - 0.5f * input->view.x) * unit,
                                  at->y - (input->mouse.y - 0.5f * input->view.y) * unit);
    }
}

// A spring from the mouse to the point of the body that was grasped.
static void grasp(FiloIter *it, Player *player, const Rules *rules) {
    const FiloShape2 finger = { .radius = 0.05f };
    const FiloTransform2 at = { .position = player->mouse };
    FiloEntity found[8];
    size_t count = FILO_MIN(filo_physics2_overlap(it->world, &finger, &at, NULL, found, 8), (size_t)8);
    for (size_t i = 0; i < count; i++) {
        const FiloBody2 *body = filo_get(it->world, found[i], FiloBody2);
        if (body == NULL || body->kind != FILO_BODY_DYNAMIC) continue;
        float mass = filo_physics2_mass(it->world, found[i]).mass;
        player->dragged = found[i];
        player->joint = filo_create(
            it->changes,
            FILO_SET(FiloJoint2, .kind = FILO_JOINT_MOUSE, .b = found[i], .anchor_a = player->mouse,
                     .anchor_b = filo_transform2_to_local(it->world, found[i], player->mouse), .hertz = 5,
                     .damping = 0.9f, .motor_force = rules->drag * filo_max(mass, 0.2f)));
        return;
    }
}

static void drag(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Player *player = filo_write_global(it, Player);
    bool there = player->joint.id != 0 && filo_entity_exists(it->world, player->joint);
    if (player->joint.id != 0 && (!there || !filo_input_down(input, FILO_MOUSE_LEFT))) {
        if (there) filo_destroy(it->changes, player->joint);
        player->joint = player->dragged = FILO_ENTITY_NONE;
    } else if (there) {
        filo_edit(it->world, player->joint, FiloJoint2)->anchor_a = player->mouse;
    } else if (filo_input_pressed(input, FILO_MOUSE_LEFT)) {
        grasp(it, player, filo_read_global(it, Rules));
    }
}

// ---- Keys ---------------------------------------------------------------------------------------------------------

static void create_things(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Player *player = filo_write_global(it, Player);
    if (!filo_input_pressed(input, FILO_MOUSE_RIGHT) && !filo_input_pressed(input, FILO_KEY_E)) return;
    player->spawned++;
    spawn(it->changes, filo_read_global(it, Rules)->spawn, player->mouse, -100 - player->spawned);
}

static void explode(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Player *player = filo_write_global(it, Player);
    if (!filo_input_pressed(input, FILO_KEY_X)) return;
    filo_physics2_explode(it->world, &(FiloExplosion2){ .centre = player->mouse,
                                                        .radius = 0.2f * BLAST,
                                                        .falloff = 0.8f * BLAST,
                                                        .impulse = filo_read_global(it, Rules)->explosion });
    player->blast = player->mouse;
    player->blast_age = 0;
}

static void drive(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    const Rules *rules = filo_read_global(it, Rules);
    FiloJoint2 *joint = filo_write(it, FiloJoint2);
    float speed = filo_input_axis(input, FILO_KEY_RIGHT, FILO_KEY_LEFT) * rules->drive;
    for (size_t i = 0; i < it->count; i++)
        if (joint[i].motor_speed != speed) joint[i].motor_speed = speed;
}

static void turn_machines(FiloIter *it) {
    float speed = filo_read_global(it, Rules)->machine;
    FiloJoint2 *joint = filo_write(it, FiloJoint2);
    for (size_t i = 0; i < it->count; i++)
        joint[i].motor_speed = filo_copy_sign(1, joint[i].motor_speed) * filo_max(speed, 0.001f);
}

static void run_belts(FiloIter *it) {
    float speed = filo_read_global(it, Rules)->belt;
    FiloShape2 *shape = filo_write(it, FiloShape2);
    for (size_t i = 0; i < it->count; i++)
        if (shape[i].surface_speed != speed) shape[i].surface_speed = speed;
}

// Only where a parameter has changed: editing an area wakes up what is in it.
static void run_wind(FiloIter *it) {
    float speed = filo_read_global(it, Rules)->wind;
    FiloEach each = filo_iter_each(it);
    while (filo_each_next(&each))
        if (filo_each_read(&each, FiloArea2)->wind.y != speed)
            filo_each_write(&each, FiloArea2)->wind.y = speed;
}

static void run_water(FiloIter *it) {
    const Rules *rules = filo_read_global(it, Rules);
    FiloVec2 lift = filo_vec2_scale(rules->gravity, -rules->buoyancy);
    FiloEach each = filo_iter_each(it);
    while (filo_each_next(&each))
        if (!filo_vec2_equal(filo_each_read(&each, FiloArea2)->gravity, lift))
            filo_each_write(&each, FiloArea2)->gravity = lift;
}

// Up and down, slowly at both ends.
static void move_lifts(FiloIter *it) {
    const Lift *lift = filo_read(it, Lift);
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    FiloBody2 *body = filo_write(it, FiloBody2);
    for (size_t i = 0; i < it->count; i++) {
        float phase = 0.5f - 0.5f * filo_cos((float)it->tick * it->delta * FILO_PI / lift[i].seconds);
        FiloVec2 goal = filo_vec2_lerp(lift[i].from, lift[i].to, phase);
        body[i].velocity = filo_vec2_scale(filo_vec2_sub(goal, transform[i].position), 1 / it->delta);
    }
}

#define RUN_SPEED  7.0f
#define JUMP_SPEED 9.0f

// Runs and jumps, also up from below a platform; S drops through it.
static void walk(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    FiloMover2 *mover = filo_write(it, FiloMover2);
    for (size_t i = 0; i < it->count; i++) {
        FiloMover2 *m = &mover[i];
        bool floor = (m->state & FILO_MOVER_ON_FLOOR) != 0;
        float wish = filo_input_axis(input, FILO_KEY_A, FILO_KEY_D) * RUN_SPEED;
        m->velocity.x = filo_approach(m->velocity.x, wish, (floor ? 60.0f : 25.0f) * it->delta);
        if (floor && filo_input_pressed(input, FILO_KEY_W)) m->velocity.y = JUMP_SPEED;
        m->flags = filo_input_down(input, FILO_KEY_S) ? FILO_MOVER_DROP : 0;
    }
}

// The camera goes to the room that the character walks into.
static void follow(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Player *player = filo_write_global(it, Player);
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    if (filo_input_axis(input, FILO_KEY_A, FILO_KEY_D) == 0) return;
    for (size_t i = 0; i < it->count; i++)
        player->room = FILO_CLAMP(filo_round_to_int(transform[i].position.x / ROOM_WIDTH), 0, ROOM_COUNT - 1);
}

static void count_broken(FiloIter *it, const FiloEvent *event) {
    (void)event;
    filo_edit_global(it->world, Player)->broken++;
}

// ---- Setup --------------------------------------------------------------------------------------------------------

static bool add_handlers(FiloWorld *world) {
    const FiloWorldHandlerDesc handlers[] = {
        { .event = filo_name(PLAYGROUND_RULES),
          .type = FILO_TYPE(Rules),
          .run = take_rules,
          .extra_access = { FILO_WRITE(Rules), FILO_WRITE(FiloPhysics2) } },
        { .event = filo_name(FILO_JOINT_BROKE), .run = count_broken, .extra_access = { FILO_WRITE(Player) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(handlers); i++)
        if (filo_world_handle(world, &handlers[i]).generation == 0) return false;
    return true;
}

bool playground_define(FiloWorld *world) {
    const Rules rules = playground_rules();
    if (!filo_physics2_register(world)) return false;
    filo_component(world, Rules, .storage = FILO_STORAGE_GLOBAL, .default_value = &rules);
    filo_component(world, Player, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Lift);
    filo_component(world, Drive);
    filo_component(world, Machine);
    filo_component(world, Belt);
    filo_component(world, Water);
    filo_component(world, Wind);
    filo_component(world, Hero);
    const FiloSystemDesc systems[] = {
        { .name = "show room",
          .run = show_room,
          .query.terms = { FILO_READ(FiloCamera), FILO_WRITE(FiloTransform2), FILO_WRITE(Player),
                           FILO_READ(FiloInput) } },
        { .name = "drive",
          .run = drive,
          .query.terms = { FILO_WRITE(FiloJoint2), FILO_WITH(Drive), FILO_READ(Rules),
                           FILO_READ(FiloInput) } },
        { .name = "turn machines",
          .run = turn_machines,
          .query.terms = { FILO_WRITE(FiloJoint2), FILO_WITH(Machine), FILO_READ(Rules) } },
        { .name = "run belts",
          .run = run_belts,
          .query.terms = { FILO_WRITE(FiloShape2), FILO_WITH(Belt), FILO_READ(Rules) } },
        { .name = "run wind",
          .run = run_wind,
          .query.terms = { FILO_WRITE(FiloArea2), FILO_WITH(Wind), FILO_READ(Rules) } },
        { .name = "run water",
          .run = run_water,
          .query.terms = { FILO_WRITE(FiloArea2), FILO_WITH(Water), FILO_READ(Rules) } },
        { .name = "move lifts",
          .run = move_lifts,
          .query.terms = { FILO_READ(Lift), FILO_READ(FiloTransform2), FILO_WRITE(FiloBody2) } },
        { .name = "walk",
          .run = walk,
          .query.terms = { FILO_WRITE(FiloMover2), FILO_WITH(Hero), FILO_READ(FiloInput) } },
        { .name = "follow",
          .run = follow,
          .phase = FILO_PHASE_AFTER,
          .query.terms = { FILO_READ(FiloTransform2), FILO_WITH(Hero), FILO_WRITE(Player),
                           FILO_READ(FiloInput) } },
        { .name = "create things",
          .run = create_things,
          .query.terms = { FILO_WRITE(Player), FILO_READ(Rules), FILO_READ(FiloInput) } },
        { .name = "drag",
          .run = drag,
          .phase = FILO_PHASE_AFTER,
          .query.terms = { FILO_WRITE(Player), FILO_READ(Rules), FILO_READ(FiloInput) },
          .extra_access = { FILO_READ(FiloTransform2), FILO_READ(FiloBody2), FILO_READ(FiloPhysics2),
                            FILO_WRITE(FiloJoint2), FILO_READ(FiloFamily) } },
        { .name = "explode",
          .run = explode,
          .phase = FILO_PHASE_AFTER,
          .query.terms = { FILO_WRITE(Player), FILO_READ(Rules), FILO_READ(FiloInput) },
          .extra_access = { FILO_READ(FiloTransform2), FILO_WRITE(FiloBody2) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        if (filo_system_add(world, &systems[i]).id == 0) return false;
    return add_handlers(world);
}
