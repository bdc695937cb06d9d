// Any bytes as a history of a world with physics, told to two worlds: one without threads, and one with three. Used by the
// fuzzer, and by a test with bytes from a random number generator.
//
// What must hold: all positions and velocities are finite; both worlds have the same hash after each tick; a snapshot and a
// file continue as if there had been no interruption; questions agree with a search through all bodies. The first byte
// chooses what else happens:
//   free        everything, also numbers that are none
//   closed      a closed room of static walls: nothing gets out of it
//   weightless  dynamic bodies without anything around them: their momentum is kept

#ifndef FILO_TESTS_PHYSICS2D_FUZZ_RUN_H
#define FILO_TESTS_PHYSICS2D_FUZZ_RUN_H

#include <filo/jobs.h>
#include <filo/physics2d.h>
#include <filo/snapshot.h>
#include <filo/system.h>

#include <math.h>

#ifndef FUZZ_FAIL
#    error "define FUZZ_FAIL(...), which ends the run with a message"
#endif

enum { FUZZ_ENTITIES = 40, FUZZ_ROOM = 10 };
#define FUZZ_DEPTH 0.01f // how far a centre of mass may be in a wall

typedef enum FuzzMode { FUZZ_FREE, FUZZ_CLOSED, FUZZ_WEIGHTLESS } FuzzMode;

typedef struct Fuzz {
    const uint8_t *data;
    size_t size, at;
    FuzzMode mode;
    FiloWorld *worlds[2];
    FiloEntity entities[FUZZ_ENTITIES];
    size_t count;
    int piles, ticks;
} Fuzz;

// ---- Bytes ------------------------------------------------------------------------------------------------

static uint8_t fuzz_byte(Fuzz *fuzz) { return fuzz->at < fuzz->size ? fuzz->data[fuzz->at++] : 0; }
static uint32_t fuzz_below(Fuzz *fuzz, uint32_t end) { return fuzz_byte(fuzz) % end; }
// In steps of 1/256.
static float fuzz_between(Fuzz *fuzz, float low, float high) {
    return low + (high - low) * (float)fuzz_byte(fuzz) / 255.0f;
}
static FiloVec2 fuzz_pair(Fuzz *fuzz, float low, float high) {
    FiloVec2 pair = { 0, 0 };
    pair.x = fuzz_between(fuzz, low, high);
    pair.y = fuzz_between(fuzz, low, high);
    return pair;
}

static float fuzz_strange(Fuzz *fuzz) {
    static const float strange[] = {
        NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e20f, 1e-30f, -0.0f, 1e7f, 1e5f
    };
    return strange[fuzz_below(fuzz, FILO_COUNT_OF(strange))];
}

static FiloEntity fuzz_entity(Fuzz *fuzz) {
    FiloEntity entity =
        fuzz->count > 0 ? fuzz->entities[fuzz_below(fuzz, (uint32_t)fuzz->count)] : FILO_ENTITY_NONE;
    return filo_entity_exists(fuzz->worlds[0], entity) ? entity : FILO_ENTITY_NONE;
}

// ---- Making things ----------------------------------------------------------------------------------------

static FiloShape2 fuzz_shape(Fuzz *fuzz) {
    FiloShape2 shape = { .kind = (FiloShapeKind)fuzz_below(fuzz, 5) };
    shape.radius = fuzz_between(fuzz, 0.2f, 0.6f);
    shape.half_size = fuzz_pair(fuzz, 0.2f, 0.8f);
    if (shape.kind == FILO_SHAPE_BOX || shape.kind == FILO_SHAPE_POLYGON)
        shape.radius *= (float)fuzz_below(fuzz, 2);
    shape.points[0] = filo_vec2(-0.5f, 0);
    shape.points[1] = filo_vec2(0.5f, fuzz_between(fuzz, -0.5f, 0.5f));
    if (shape.kind == FILO_SHAPE_POLYGON) {
        shape.point_count = 3 + fuzz_below(fuzz, 6);
        for (uint32_t i = 0; i < shape.point_count; i++)
            shape.points[i] =
                filo_vec2_scale(filo_vec2_from_angle(FILO_TAU * (float)i / (float)shape.point_count), 0.6f);
    }
    if (shape.kind == FILO_SHAPE_SEGMENT && fuzz->mode != FUZZ_FREE) shape.kind = FILO_SHAPE_CIRCLE;
    if (fuzz->mode == FUZZ_FREE) shape.centre = fuzz_pair(fuzz, -0.5f, 0.5f);
    uint8_t more = fuzz_byte(fuzz);
    shape.restitution = (more & 1) != 0 ? 0.7f : 0;
    shape.friction = (more & 2) != 0 ? FILO_FRICTION_NONE : 0;
    shape.rolling_resistance = (more & 4) != 0 ? 0.2f : 0;
    if (fuzz->mode != FUZZ_FREE) return shape;
    shape.surface_speed = (more & 8) != 0 ? 2 : 0;
    shape.layers = (more & 16) != 0 ? 2 : 0;
    shape.mask = (more & 32) != 0 ? 1 : 0;
    shape.group = (more & 64) != 0 ? -1 : 0;
    shape.flags = (more & 128) != 0 ? fuzz_byte(fuzz) : 0;
    return shape;
}

static void fuzz_keep(Fuzz *fuzz, FiloEntity first, FiloEntity second) {
    if (!filo_entity_equal(first, second)) FUZZ_FAIL("a new entity has another id in the other world");
    if (fuzz->count < FUZZ_ENTITIES) fuzz->entities[fuzz->count++] = first;
}

static void fuzz_make_body(Fuzz *fuzz, const FiloTransform2 *at, const FiloBody2 *body,
                           const FiloShape2 *shape) {
    FiloEntity made[2];
    for (int i = 0; i < 2; i++)
        made[i] = filo_create(fuzz->worlds[i], FILO_SET_COPY(FiloTransform2, at),
                              FILO_SET_COPY(FiloBody2, body), FILO_SET_COPY(FiloShape2, shape));
    fuzz_keep(fuzz, made[0], made[1]);
}

static void fuzz_body(Fuzz *fuzz) {
    if (fuzz->count >= FUZZ_ENTITIES) return;
    FiloBody2 body = { 0 };
    FiloTransform2 at = { .position = fuzz_pair(fuzz, -8, 8) };
    at.rotation = fuzz_between(fuzz, -3, 3);
    body.velocity = fuzz_pair(fuzz, -30, 30);
    if (fuzz->mode == FUZZ_CLOSED) body.velocity = filo_vec2_scale(body.velocity, 30);
    body.angular_velocity = fuzz_between(fuzz, -10, 10);
    FiloShape2 shape = fuzz_shape(fuzz);
    if (fuzz->mode == FUZZ_FREE) {
        body.kind = (FiloBodyKind)fuzz_below(fuzz, 3);
        body.flags = fuzz_byte(fuzz) & 63u;
        body.mass = (float)fuzz_below(fuzz, 4) * 5;
    }
    fuzz_make_body(fuzz, &at, &body, &shape);
}

static void fuzz_pile(Fuzz *fuzz) {
    if (fuzz->piles++ > 1 || fuzz->mode != FUZZ_FREE) return;
    FiloShape2 shape = fuzz_shape(fuzz);
    FiloVec2 at = fuzz_pair(fuzz, -8, 8);
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 2; k++)
            filo_create(
                fuzz->worlds[k],
                FILO_SET(FiloTransform2, .position = { at.x + (float)(i % 8), at.y + (float)(i / 8) }),
                FILO_ADD(FiloBody2), FILO_SET_COPY(FiloShape2, &shape));
}

// A joint between two bodies that holds them where they are, so that it does not throw them about. False if it is none.
static bool fuzz_fit(const Fuzz *fuzz, FiloJoint2 *joint) {
    const FiloWorld *world = fuzz->worlds[0];
    if (joint->a.id == 0 || joint->b.id == 0 || filo_entity_equal(joint->a, joint->b) ||
        joint->kind > FILO_JOINT_MOUSE || filo_get(world, joint->a, FiloBody2) == NULL ||
        filo_get(world, joint->b, FiloBody2) == NULL)
        return false;
    const FiloTransform2 *a = filo_get(world, joint->a, FiloTransform2),
                         *b = filo_get(world, joint->b, FiloTransform2);
    FiloVec2 middle = filo_vec2_lerp(a->position, b->position, 0.5f);
    joint->anchor_a = filo_vec2_rotate(filo_vec2_sub(middle, a->position), -a->rotation);
    joint->anchor_b = filo_vec2_rotate(filo_vec2_sub(middle, b->position), -b->rotation);
    joint->angle = b->rotation - a->rotation;
    joint->length = 0;
    return filo_vec2_length(joint->anchor_a) < 3;
}

static void fuzz_joint(Fuzz *fuzz) {
    if (fuzz->mode == FUZZ_CLOSED || fuzz->count >= FUZZ_ENTITIES) return;
    FiloJoint2 joint = { .kind = (FiloJointKind)fuzz_below(fuzz, 9) };
    joint.a = fuzz_entity(fuzz);
    joint.b = fuzz_entity(fuzz);
    joint.flags = fuzz_byte(fuzz) & 15u;
    joint.anchor_a = fuzz_pair(fuzz, -1, 1);
    joint.anchor_b = fuzz_pair(fuzz, -1, 1);
    joint.length = fuzz_between(fuzz, 0, 3);
    joint.lower = fuzz_between(fuzz, -1, 0);
    joint.upper = fuzz_between(fuzz, 0, 2);
    joint.motor_speed = fuzz_between(fuzz, -3, 3);
    joint.motor_force = fuzz_between(fuzz, 0, 50);
    if (fuzz->mode == FUZZ_FREE) joint.break_force = (float)fuzz_below(fuzz, 3) * 100;
    if (fuzz->mode == FUZZ_WEIGHTLESS && !fuzz_fit(fuzz, &joint)) return;
    FiloEntity made[2];
    for (int i = 0; i < 2; i++) made[i] = filo_create(fuzz->worlds[i], FILO_SET_COPY(FiloJoint2, &joint));
    fuzz_keep(fuzz, made[0], made[1]);
}

static void fuzz_mover(Fuzz *fuzz) {
    if (fuzz->mode != FUZZ_FREE || fuzz->count >= FUZZ_ENTITIES) return;
    FiloMover2 mover = {
        .velocity = fuzz_pair(fuzz, -10, 10), .step_height = 0.3f, .push_force = 100, .mass = 3
    };
    FiloVec2 at = fuzz_pair(fuzz, -8, 8);
    FiloShape2 shape = fuzz_shape(fuzz);
    mover.flags = fuzz_byte(fuzz) & 31u;
    FiloEntity made[2];
    for (int i = 0; i < 2; i++)
        made[i] = filo_create(fuzz->worlds[i], FILO_SET(FiloTransform2, .position = at),
                              FILO_SET_COPY(FiloShape2, &shape), FILO_SET_COPY(FiloMover2, &mover));
    fuzz_keep(fuzz, made[0], made[1]);
}

// Segments on children of an entity, which may be a body or become one.
static void fuzz_chain(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloVec2 points[6];
    size_t count = 2 + fuzz_below(fuzz, 5);
    FiloChain2 chain = { .loop = fuzz_below(fuzz, 2) == 1 };
    chain.shape.flags = fuzz_below(fuzz, 2) == 1 ? FILO_SHAPE_ONE_WAY : 0;
    for (size_t i = 0; i < count; i++) points[i] = fuzz_pair(fuzz, -4, 4);
    if (fuzz->mode != FUZZ_FREE || entity.id == 0 || fuzz->piles++ > 8) return;
    FiloCode codes[2];
    for (int i = 0; i < 2; i++)
        codes[i] = filo_physics2_add_chain(fuzz->worlds[i], entity, points, count, &chain).code;
    if (codes[0] != codes[1]) FUZZ_FAIL("a chain is possible in one world only");
}

static void fuzz_area(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloArea2 area = { .gravity = fuzz_pair(fuzz, -20, 20), .flags = fuzz_below(fuzz, 2) };
    area.pull = fuzz_between(fuzz, -10, 10);
    area.drag = fuzz_between(fuzz, 0, 2);
    area.wind = fuzz_pair(fuzz, -20, 20);
    bool strange = fuzz_below(fuzz, 8) == 0;
    if (strange) area.damping = fuzz_strange(fuzz);
    for (int i = 0; i < 2 && fuzz->mode == FUZZ_FREE && entity.id != 0; i++) {
        FiloShape2 *shape = filo_try_edit(fuzz->worlds[i], entity, FiloShape2);
        if (shape == NULL) return;
        shape->flags |= FILO_SHAPE_SENSOR;
        filo_set(fuzz->worlds[i], entity, FiloArea2, .gravity = area.gravity, .flags = area.flags,
                 .pull = area.pull, .drag = area.drag, .wind = area.wind, .damping = area.damping);
    }
}

static void fuzz_explode(Fuzz *fuzz) {
    FiloExplosion2 bomb = { .centre = fuzz_pair(fuzz, -8, 8), .radius = 2, .falloff = 3 };
    bomb.impulse = fuzz_between(fuzz, -20, 20);
    bomb.line_of_sight = fuzz_below(fuzz, 2) == 1;
    if (fuzz->mode != FUZZ_FREE) return;
    if (filo_physics2_explode(fuzz->worlds[0], &bomb) != filo_physics2_explode(fuzz->worlds[1], &bomb))
        FUZZ_FAIL("an explosion pushes more bodies in one world");
}

// ---- Changing things --------------------------------------------------------------------------------------

static void fuzz_destroy(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    if (entity.id == 0) return;
    for (int i = 0; i < 2; i++) filo_entity_destroy(fuzz->worlds[i], entity);
}

static void fuzz_push(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloVec2 velocity = fuzz_pair(fuzz, -20, 20);
    for (int i = 0; i < 2 && entity.id != 0; i++) {
        FiloBody2 *body = filo_try_edit(fuzz->worlds[i], entity, FiloBody2);
        FiloMover2 *mover = filo_try_edit(fuzz->worlds[i], entity, FiloMover2);
        if (body != NULL) body->velocity = velocity;
        if (mover != NULL) mover->velocity = velocity;
    }
}

static void fuzz_force(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloVec2 impulse = fuzz_pair(fuzz, -5, 5), point = fuzz_pair(fuzz, -8, 8);
    if (fuzz->mode == FUZZ_CLOSED || entity.id == 0) return;
    bool done[2];
    for (int i = 0; i < 2; i++) {
        done[i] = filo_physics2_impulse(fuzz->worlds[i], entity, impulse, point);
        if (fuzz->mode == FUZZ_FREE) (void)filo_physics2_force(fuzz->worlds[i], entity, impulse, point);
    }
    if (done[0] != done[1]) FUZZ_FAIL("an impulse is possible in one world only");
}

static void fuzz_reshape(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloShape2 shape = fuzz_shape(fuzz);
    for (int i = 0; i < 2 && entity.id != 0 && fuzz->mode == FUZZ_FREE; i++) {
        FiloShape2 *old = filo_try_edit(fuzz->worlds[i], entity, FiloShape2);
        if (old != NULL) *old = shape;
    }
}

static void fuzz_teleport(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    FiloVec2 to = fuzz_pair(fuzz, -8, 8);
    float angle = fuzz_between(fuzz, -7, 7);
    for (int i = 0; i < 2 && entity.id != 0 && fuzz->mode != FUZZ_WEIGHTLESS; i++) {
        FiloTransform2 *transform = filo_try_edit(fuzz->worlds[i], entity, FiloTransform2);
        if (transform == NULL) continue;
        transform->position = to;
        transform->rotation = angle;
    }
}

// One number of a component becomes one that is none, or is far too large.
static void fuzz_break(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    uint32_t which = fuzz_below(fuzz, 4), field = fuzz_byte(fuzz);
    float value = fuzz_strange(fuzz);
    if (fuzz->mode != FUZZ_FREE || entity.id == 0) return;
    for (int i = 0; i < 2; i++) {
        FiloWorld *world = fuzz->worlds[i];
        FiloBody2 *body = which == 0 ? filo_try_edit(world, entity, FiloBody2) : NULL;
        FiloTransform2 *transform = which == 1 ? filo_try_edit(world, entity, FiloTransform2) : NULL;
        FiloShape2 *shape = which == 2 ? filo_try_edit(world, entity, FiloShape2) : NULL;
        FiloJoint2 *joint = which == 3 ? filo_try_edit(world, entity, FiloJoint2) : NULL;
        FiloMover2 *mover = which == 0 ? filo_try_edit(world, entity, FiloMover2) : NULL;
        if (body != NULL)
            *(float *[]){
                &body->velocity.x, &body->angular_velocity, &body->force.y, &body->torque,
                &body->damping,    &body->gravity_scale,    &body->mass,    &body->inertia
            }[field % 8] = value;
        if (transform != NULL)
            *(float *[]){ &transform->position.x, &transform->position.y, &transform->rotation }[field % 3] =
                value;
        if (shape != NULL)
            *(float *[]){ &shape->radius,        &shape->centre.x, &shape->half_size.y, &shape->angle,
                          &shape->points[0].x,   &shape->density,  &shape->friction,    &shape->restitution,
                          &shape->surface_speed, &shape->one_way.x }[field % 10] = value;
        if (joint != NULL)
            *(float *[]){
                &joint->anchor_a.x, &joint->anchor_b.y,  &joint->axis.x,      &joint->angle,
                &joint->length,     &joint->lower,       &joint->upper,       &joint->hertz,
                &joint->damping,    &joint->motor_speed, &joint->motor_force, &joint->break_force
            }[field % 12] = value;
        if (mover != NULL)
            *(float *[]){ &mover->velocity.x,    &mover->gravity_scale, &mover->maximum_slope,
                          &mover->step_height,   &mover->snap_distance, &mover->push_force,
                          &mover->mass,          &mover->up.x,          &mover->floor_point.x,
                          &mover->floor_normal.y }[field % 10] = value;
    }
}

static void fuzz_activate(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    bool active = fuzz_below(fuzz, 2) == 1;
    for (int i = 0; i < 2 && entity.id != 0; i++) filo_entity_set_active(fuzz->worlds[i], entity, active);
}

// Parents come before their children in the list, so that there are no circles.
static void fuzz_parent(Fuzz *fuzz) {
    if (fuzz->mode != FUZZ_FREE || fuzz->count < 2) return;
    uint32_t child = fuzz_below(fuzz, (uint32_t)fuzz->count),
             parent = fuzz_below(fuzz, (uint32_t)fuzz->count);
    FiloEntity a = fuzz->entities[child], b = fuzz->entities[parent];
    if (!filo_entity_exists(fuzz->worlds[0], a) ||
        (parent < child && !filo_entity_exists(fuzz->worlds[0], b)))
        return;
    for (int i = 0; i < 2; i++)
        (void)filo_entity_set_parent(fuzz->worlds[i], a, parent < child ? b : FILO_ENTITY_NONE);
}

static void fuzz_component(Fuzz *fuzz) {
    FiloEntity entity = fuzz_entity(fuzz);
    uint32_t what = fuzz_below(fuzz, 6);
    if (fuzz->mode != FUZZ_FREE || entity.id == 0) return;
    for (int i = 0; i < 2; i++) {
        FiloWorld *world = fuzz->worlds[i];
        switch (what) {
        case 0: filo_remove(world, entity, FiloBody2); break;
        case 1: filo_remove(world, entity, FiloShape2); break;
        case 2: filo_add(world, entity, FiloBody2); break;
        case 3: filo_add(world, entity, FiloShape2); break;
        case 4: filo_remove(world, entity, FiloMover2); break;
        default: filo_remove(world, entity, FiloJoint2); break;
        }
    }
}

static void fuzz_settings(Fuzz *fuzz) {
    uint32_t what = fuzz_below(fuzz, 6);
    float value = fuzz_between(fuzz, 0, 20);
    for (int i = 0; i < 2 && fuzz->mode == FUZZ_FREE; i++) {
        FiloPhysics2 *settings = filo_edit_global(fuzz->worlds[i], FiloPhysics2);
        switch (what) {
        case 0: settings->gravity = filo_vec2(0, value - 10); break;
        case 1: settings->sub_steps = (uint32_t)value; break;
        case 2: settings->no_sleep = !settings->no_sleep; break;
        case 3: settings->no_continuous = !settings->no_continuous; break;
        case 4: settings->paused = !settings->paused; break;
        default: settings->sleep_time = 0.02f * value; break;
        }
    }
}

// ---- What must hold ---------------------------------------------------------------------------------------

static void fuzz_check_body(const Fuzz *fuzz, FiloEntity entity, const FiloTransform2 *transform,
                            const FiloBody2 *body) {
    unsigned number = filo_entity_index(entity);
    float sum = transform->position.x + transform->position.y + transform->rotation;
    if (body->kind != FILO_BODY_STATIC) sum += body->velocity.x + body->velocity.y + body->angular_velocity;
    if (!isfinite(sum))
        FUZZ_FAIL("body %u is at %f %f with %f %f", number, (double)transform->position.x,
                  (double)transform->position.y, (double)body->velocity.x, (double)body->velocity.y);
    if (fuzz->mode != FUZZ_CLOSED || body->kind != FILO_BODY_DYNAMIC) return;
    FiloVec2 arm = filo_physics2_mass(fuzz->worlds[0], entity).centre;
    FiloVec2 centre = filo_vec2_add(transform->position, filo_vec2_rotate(arm, transform->rotation));
    // The surface of a wall holds the centre of mass.
    if (filo_max(filo_abs(centre.x), filo_abs(centre.y)) > FUZZ_ROOM + FUZZ_DEPTH)
        FUZZ_FAIL("body %u got out, to %f %f", number, (double)centre.x, (double)centre.y);
}

static void fuzz_check(const Fuzz *fuzz) {
    if (filo_world_hash(fuzz->worlds[0]) != filo_world_hash(fuzz->worlds[1]))
        FUZZ_FAIL("three threads give other bits after %d ticks", fuzz->ticks);
    FiloWorld *world = fuzz->worlds[0];
    const FiloPhysics2 *settings = filo_get_global(world, FiloPhysics2);
    if (settings->paused) return;
    FiloQuery *query = filo_query(world, FILO_READ(FiloTransform2), FILO_READ(FiloBody2));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each))
        fuzz_check_body(fuzz, each.entity, filo_each_read(&each, FiloTransform2),
                        filo_each_read(&each, FiloBody2));
    filo_query_release(query);
}

typedef struct FuzzMomentum {
    double x, y, all;
} FuzzMomentum;

static FuzzMomentum fuzz_momentum(const Fuzz *fuzz) {
    FuzzMomentum sum = { 0, 0, 0 };
    for (size_t i = 0; i < fuzz->count; i++) {
        if (!filo_entity_exists(fuzz->worlds[0], fuzz->entities[i])) continue;
        const FiloBody2 *body = filo_get(fuzz->worlds[0], fuzz->entities[i], FiloBody2);
        float mass = filo_physics2_mass(fuzz->worlds[0], fuzz->entities[i]).mass;
        if (body == NULL) continue;
        sum.x += (double)(mass * body->velocity.x);
        sum.y += (double)(mass * body->velocity.y);
        sum.all += (double)(mass * filo_vec2_length(body->velocity));
    }
    return sum;
}

static void fuzz_tick(Fuzz *fuzz) {
    for (int i = 0; i < 2; i++)
        if (filo_world_tick(fuzz->worlds[i], 1.0f / 60).code != FILO_OK) FUZZ_FAIL("a tick failed");
    fuzz->ticks++;
    fuzz_check(fuzz);
}

// The first tick gives new bodies their mass; the second one must keep the momentum.
static void fuzz_run_ticks(Fuzz *fuzz) {
    for (uint32_t i = fuzz_below(fuzz, 4) + 1; i > 0; i--) {
        fuzz_tick(fuzz);
        if (fuzz->mode != FUZZ_WEIGHTLESS) continue;
        FuzzMomentum before = fuzz_momentum(fuzz);
        fuzz_tick(fuzz);
        FuzzMomentum after = fuzz_momentum(fuzz);
        double off = fabs(before.x - after.x) + fabs(before.y - after.y);
        if (off > 1e-3 * (before.all + after.all) + 1e-3)
            FUZZ_FAIL("momentum %f %f became %f %f", before.x, before.y, after.x, after.y);
    }
}

// The first world is interrupted by a snapshot and continues from it; the second one is not.
static void fuzz_snapshot(Fuzz *fuzz) {
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    FiloWorld *world = fuzz->worlds[0];
    uint64_t hash = filo_world_hash(world);
    if (filo_snapshot_take(snapshot, world).code != FILO_OK) FUZZ_FAIL("a snapshot failed");
    for (int i = 0; i < 3; i++) (void)filo_world_tick(world, 1.0f / 60);
    if (filo_snapshot_restore(snapshot, world).code != FILO_OK) FUZZ_FAIL("a snapshot cannot be restored");
    filo_snapshot_destroy(snapshot);
    if (filo_world_hash(world) != hash) FUZZ_FAIL("a restored snapshot has another hash");
    fuzz_tick(fuzz);
    fuzz_tick(fuzz);
}

static void fuzz_file(Fuzz *fuzz) {
    FiloBytes bytes = { 0 };
    FiloWorld *world = fuzz->worlds[0];
    if (filo_world_save_bytes(world, &bytes, NULL).code != FILO_OK) FUZZ_FAIL("saving failed");
    FiloResult r = filo_world_load_bytes(world, bytes.items, bytes.count, "fuzz", NULL);
    if (r.code != FILO_OK) FUZZ_FAIL("loading failed: %s", r.message);
    filo_array_deinit(&bytes);
    fuzz_tick(fuzz);
}

// ---- Questions --------------------------------------------------------------------------------------------

// The distance of the nearest body, one by one, instead of by a tree.
static float fuzz_search(const Fuzz *fuzz, FiloVec2 point) {
    const FiloWorld *world = fuzz->worlds[0];
    float nearest = INFINITY;
    FiloQuery *query = filo_query(fuzz->worlds[0], FILO_READ(FiloShape2));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) {
        FiloNear2 near;
        if (!filo_physics2_closest(world, each.entity, point, &near)) continue;
        const FiloShape2 *shape = filo_get(world, near.shape, FiloShape2);
        if (shape != NULL && (shape->flags & FILO_SHAPE_SENSOR) == 0)
            nearest = filo_min(nearest, near.distance);
    }
    filo_query_release(query);
    return nearest;
}

static void fuzz_ask(Fuzz *fuzz) {
    FiloVec2 from = fuzz_pair(fuzz, -9, 9), to = fuzz_pair(fuzz, -9, 9);
    FiloShape2 shape = fuzz_shape(fuzz);
    if (fuzz->mode == FUZZ_FREE && fuzz_below(fuzz, 16) == 0) from.x = fuzz_strange(fuzz);
    FiloHit2 hits[2][64];
    FiloNear2 near[2];
    FiloEntity found[64];
    size_t count[2], casts[2], points[2];
    bool first[2];
    fuzz_tick(fuzz); // so that edits are known
    for (int i = 0; i < 2; i++) {
        FiloWorld *world = fuzz->worlds[i];
        FiloHit2 hit;
        FiloTransform2 at = { .position = from };
        count[i] = filo_physics2_ray_all(world, from, to, NULL, hits[i], 64);
        if (filo_physics2_ray(world, from, to, NULL, &hit) != (count[i] > 0))
            FUZZ_FAIL("a ray and all hits differ");
        if (count[i] > 0 &&
            (!filo_entity_equal(hit.shape, hits[i][0].shape) || hit.fraction != hits[i][0].fraction))
            FUZZ_FAIL("the first hit differs");
        for (size_t k = 1; k < FILO_MIN(count[i], 64u); k++)
            if (hits[i][k].fraction < hits[i][k - 1].fraction) FUZZ_FAIL("hits are not in order");
        casts[i] = filo_physics2_cast_all(world, &shape, &at, filo_vec2_sub(to, from), NULL, hits[i], 64);
        first[i] = filo_physics2_nearest(world, from, INFINITY, NULL, &near[i]);
        points[i] = filo_physics2_overlap_point(world, from, NULL, found, 64);
        size_t in_shape = filo_physics2_overlap(world, &shape, &at, NULL, found, 64);
        if (in_shape > casts[i]) FUZZ_FAIL("a cast does not hit what it begins in");
    }
    if (count[0] != count[1] || casts[0] != casts[1] || first[0] != first[1] || points[0] != points[1] ||
        near[0].distance != near[1].distance)
        FUZZ_FAIL("the two worlds answer differently");
    if (!(filo_abs(from.x) < 100) || filo_get_global(fuzz->worlds[0], FiloPhysics2)->paused) return;
    float nearest = fuzz_search(fuzz, from);
    if (first[0] ? near[0].distance > nearest + 1e-3f : isfinite(nearest))
        FUZZ_FAIL("the nearest shape is %f away, not %f", (double)nearest, (double)near[0].distance);
}

// ---- A run ------------------------------------------------------------------------------------------------

static void (*const fuzz_operations[])(Fuzz *) = {
    fuzz_run_ticks, fuzz_body, fuzz_run_ticks, fuzz_body,     fuzz_joint,   fuzz_run_ticks, fuzz_push,
    fuzz_break,     fuzz_ask,  fuzz_teleport,  fuzz_activate, fuzz_parent,  fuzz_component, fuzz_snapshot,
    fuzz_mover,     fuzz_pile, fuzz_settings,  fuzz_reshape,  fuzz_destroy, fuzz_force,     fuzz_run_ticks,
    fuzz_chain,     fuzz_area, fuzz_explode,   fuzz_file,     fuzz_body,    fuzz_joint,     fuzz_run_ticks,
};

static void fuzz_add_walls(Fuzz *fuzz) {
    const float r = FUZZ_ROOM;
    const FiloVec2 walls[] = { { r + 2, 0 }, { -r - 2, 0 }, { 0, r + 2 }, { 0, -r - 2 } };
    for (int i = 0; i < 4; i++) {
        FiloShape2 wall = { .kind = FILO_SHAPE_BOX, .half_size = { i < 2 ? 2 : r + 4, i < 2 ? r + 4 : 2 } };
        fuzz_make_body(fuzz, &(FiloTransform2){ .position = walls[i] },
                       &(FiloBody2){ .kind = FILO_BODY_STATIC }, &wall);
    }
    fuzz->count = 0; // the walls stay
}

static void fuzz_run(const uint8_t *data, size_t size, FiloJobs *jobs) {
    static Fuzz fuzz;
    fuzz = (Fuzz){ .data = data, .size = size };
    static const FuzzMode modes[] = { FUZZ_FREE, FUZZ_FREE, FUZZ_CLOSED, FUZZ_WEIGHTLESS };
    fuzz.mode = modes[fuzz_below(&fuzz, 4)];
    for (int i = 0; i < 2; i++) {
        if (filo_world_create(&fuzz.worlds[i], &(FiloWorldDesc){ .jobs = i == 0 ? NULL : jobs, .seed = 3 })
                    .code != FILO_OK ||
            !filo_physics2_register(fuzz.worlds[i]))
            FUZZ_FAIL("no world");
        FiloPhysics2 *settings = filo_edit_global(fuzz.worlds[i], FiloPhysics2);
        if (fuzz.mode == FUZZ_WEIGHTLESS) {
            settings->gravity = filo_vec2(0, 0);
            settings->no_sleep = true;
            settings->maximum_speed = 1e6f; // what is faster loses momentum
        }
    }
    if (fuzz.mode == FUZZ_CLOSED) fuzz_add_walls(&fuzz);
    for (int i = 0; i < 200 && fuzz.at < fuzz.size; i++)
        fuzz_operations[fuzz_below(&fuzz, FILO_COUNT_OF(fuzz_operations))](&fuzz);
    for (int i = 0; i < 5; i++) fuzz_tick(&fuzz);
    for (int i = 0; i < 2; i++) filo_world_destroy(fuzz.worlds[i]);
}

#endif
