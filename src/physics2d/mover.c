// A mover in a tick: it is carried, pushed out of what it overlaps, moved by its velocity, and stands on what it finds.

#include <filo/log.h>

#include "physics2d/mover.h"

#include <stdio.h>

static float or_default(float value, float otherwise) {
    return value > 0 && value < 1e7f ? value : otherwise;
}

static void shift(Physics2dMover *m, FiloVec2 by) { m->ask.from = filo_vec2_add(m->ask.from, by); }

// ---- What it touches --------------------------------------------------------------------------------------

static const Physics2dBody *body_of(const Physics2dMover *m, uint32_t shape) {
    const Physics2dSaved *saved = &m->ask.phys->saved;
    return &saved->bodies.items[saved->shapes.items[shape].body];
}

// The velocity of a body at a point relative to `from`; `from` is where the mover is.
static FiloVec2 velocity_at(const Physics2dMover *m, const Physics2dBody *body, FiloVec2 point) {
    const FiloBody2 *component = filo_get(m->world, (FiloEntity){ body->entity }, FiloBody2);
    if (component == NULL || body->kind == FILO_BODY_STATIC) return filo_vec2(0, 0);
    FiloVec2 arm = { m->ask.from.x + point.x - body->cx, m->ask.from.y + point.y - body->cy };
    return filo_vec2_add_scaled(component->velocity, filo_vec2_perpendicular(arm),
                                component->angular_velocity);
}

static void add_push(Physics2dMover *m, const Physics2dBody *body, FiloVec2 impulse, FiloVec2 point) {
    FiloEntity entity = { body->entity };
    for (uint32_t i = 0; i < m->push_count; i++)
        if (filo_entity_equal(m->pushes[i].body, entity)) return;
    if (m->push_count == PHYSICS2D_MOVER_PUSHES) return;
    m->pushes[m->push_count++] = (Physics2dPush){ entity, impulse, filo_vec2_add(m->ask.from, point) };
}

// Pushes a dynamic body so that it gets the speed of the mover, as far as the force is enough for that.
static void push(Physics2dMover *m, const Physics2dTouch *touch, FiloVec2 velocity) {
    const Physics2dBody *body = body_of(m, touch->shape);
    float force = or_default(m->component->push_force, 0);
    if (body->kind != FILO_BODY_DYNAMIC || force <= 0) return;
    FiloVec2 n = touch->normal,
             arm = { m->ask.from.x + touch->point.x - body->cx, m->ask.from.y + touch->point.y - body->cy };
    float speed = filo_vec2_dot(filo_vec2_sub(velocity_at(m, body, touch->point), velocity), n);
    float turn = filo_vec2_cross(arm, n), inverse = body->inv_mass + body->inv_inertia * turn * turn;
    if (speed <= 0 || inverse <= 0) return;
    float impulse = filo_min(speed / inverse, force * m->delta);
    add_push(m, body, filo_vec2_scale(n, -impulse), touch->point);
}

static void note(Physics2dMover *m, const Physics2dTouch *touch, FiloVec2 velocity) {
    FiloMover2 *c = m->component;
    FiloEntity body = physics2d_mover_body(m, touch->shape);
    if (touch->side == PHYSICS2D_SIDE_CEILING) {
        c->state |= FILO_MOVER_ON_CEILING;
        c->ceiling = body;
        c->ceiling_normal = touch->normal;
    } else if (touch->side == PHYSICS2D_SIDE_WALL) {
        c->state |= FILO_MOVER_ON_WALL;
        c->wall = body;
        c->wall_normal = touch->normal;
    }
    if (touch->side != PHYSICS2D_SIDE_FLOOR) push(m, touch, velocity);
}

static FiloVec2 clip(FiloVec2 v, FiloVec2 normal) {
    float into = filo_vec2_dot(v, normal);
    return into < 0 ? filo_vec2_add_scaled(v, normal, -into) : v;
}

// ---- Out of what it overlaps ------------------------------------------------------------------------------

// Moves out of the deepest overlap, again and again. False if something is still deep inside then. What was crushed in the last
// tick does not get out on the other side.
static bool get_out(Physics2dMover *m, bool hard) {
    float separation = 0, most = m->was_crushed ? 0.5f * filo_min(m->half.x, m->half.y) : FLT_MAX;
    FiloVec2 normal, start = m->ask.from;
    for (int i = 0; i < 24; i++) {
        if (!physics2d_mover_overlap(m, hard, &separation, &normal)) break;
        shift(m, filo_vec2_scale(normal, m->gap - separation));
    }
    return filo_vec2_distance(start, m->ask.from) <= most &&
           (!physics2d_mover_overlap(m, hard, &separation, &normal) || separation > -m->gap);
}

// The solver keeps dynamic bodies out of a mover with a body; and those that leave no other way are ignored.
static void leave_overlaps(Physics2dMover *m) {
    FiloVec2 start = m->ask.from;
    if (!m->has_body && get_out(m, false)) return;
    m->ask.from = start;
    if (get_out(m, true)) return;
    m->ask.from = start;
    m->component->state |= FILO_MOVER_CRUSHED;
}

// ---- Moving -----------------------------------------------------------------------------------------------

// Moves by a distance, or until something is in the way. False then, and its point is relative to where the mover is now.
static bool advance(Physics2dMover *m, FiloVec2 way, Physics2dTouch *touch) {
    *touch = physics2d_mover_cast(m, way, PHYSICS2D_KEEP_ALL);
    if (touch->shape == 0) {
        shift(m, way);
        return true;
    }
    touch->point = filo_vec2_add_scaled(touch->point, way, -touch->t);
    shift(m, filo_vec2_scale(way, touch->t));
    return false;
}

// ---- In the air -------------------------------------------------------------------------------------------

// Slides along what is in the way. Two things that leave no direction end the way.
static void slide(Physics2dMover *m, FiloVec2 left) {
    FiloVec2 normals[5];
    FiloMover2 *c = m->component;
    for (int i = 0; i < 5 && filo_vec2_length_squared(left) > 1e-14f; i++) {
        Physics2dTouch touch;
        if (advance(m, left, &touch)) return;
        note(m, &touch, c->velocity);
        left = filo_vec2_scale(left, 1 - touch.t);
        if (touch.side == PHYSICS2D_SIDE_FLOOR) { // a fall does not become a slide
            FiloVec2 along = { touch.normal.y, -touch.normal.x };
            left = filo_vec2_scale(along, filo_vec2_dot(left, m->right));
            c->velocity = filo_vec2_scale(m->right, filo_vec2_dot(c->velocity, m->right));
            m->landed = true;
        } else {
            left = clip(left, touch.normal);
            c->velocity = clip(c->velocity, touch.normal);
        }
        normals[i] = touch.normal;
        for (int k = 0; k < i; k++) {
            if (filo_vec2_dot(normals[k], touch.normal) > 0.999f) continue; // the same surface
            if (filo_vec2_dot(left, normals[k]) < -1e-6f) left = filo_vec2(0, 0);
            if (!m->landed && filo_vec2_dot(c->velocity, normals[k]) < -1e-6f) c->velocity = filo_vec2(0, 0);
        }
    }
}

// ---- On the floor -----------------------------------------------------------------------------------------

// Up, forward and down again, onto something that can be walked on. False, and nothing moved, if there is none.
static bool step_up(Physics2dMover *m, float distance, FiloVec2 *normal) {
    FiloVec2 start = m->ask.from;
    float rise = m->step_height + 0.5f * m->gap;
    if (m->step_height <= 0) return false;
    rise *= physics2d_mover_cast(m, filo_vec2_scale(m->up, rise), PHYSICS2D_KEEP_ALL).t;
    if (rise <= m->gap) return false;
    shift(m, filo_vec2_scale(m->up, rise));
    // A little at least, so that something of it is above the step.
    float least = 2 * m->gap, forward = filo_abs(distance) < least ? least * m->direction : distance;
    Physics2dTouch on = physics2d_mover_cast(m, filo_vec2_scale(m->right, forward), PHYSICS2D_KEEP_ALL);
    shift(m, filo_vec2_scale(m->right, forward * on.t));
    Physics2dTouch down = physics2d_mover_cast(m, filo_vec2_scale(m->up, -rise), PHYSICS2D_KEEP_ALL);
    float height = rise * (1 - down.t) + down.height; // of what it stands on then
    if (filo_abs(forward) * on.t < m->gap || down.shape == 0 || down.side != PHYSICS2D_SIDE_FLOOR ||
        height > m->step_height) {
        m->ask.from = start;
        return false;
    }
    shift(m, filo_vec2_scale(m->up, -rise * down.t));
    *normal = down.normal;
    return true;
}

// Follows the floor by a distance, to the right if that is positive.
static void walk(Physics2dMover *m, float distance) {
    FiloMover2 *c = m->component;
    FiloVec2 normal = c->floor_normal,
             velocity = filo_vec2_scale(m->right, filo_vec2_dot(c->velocity, m->right));
    for (int i = 0; i < 5 && filo_abs(distance) > 1e-7f; i++) {
        Physics2dTouch touch;
        if (advance(m, filo_vec2_scale(filo_vec2(normal.y, -normal.x), distance), &touch)) return;
        distance *= 1 - touch.t;
        if (touch.side == PHYSICS2D_SIDE_FLOOR) {
            normal = touch.normal;
            continue;
        }
        if (touch.side == PHYSICS2D_SIDE_WALL && step_up(m, distance, &normal)) return;
        note(m, &touch, velocity);
        c->velocity = filo_vec2(0, 0);
        return;
    }
}

// ---- Floors -----------------------------------------------------------------------------------------------

// Stands on a floor that is at most `reach` below. `lands`: it was in the air.
static bool find_floor(Physics2dMover *m, float reach, bool lands) {
    FiloMover2 *c = m->component;
    FiloVec2 down = filo_vec2_scale(m->up, -reach);
    Physics2dTouch floor = physics2d_mover_cast(m, down, PHYSICS2D_KEEP_FLOORS);
    if (floor.shape == 0) return false;
    Physics2dTouch any = physics2d_mover_cast(m, down, PHYSICS2D_KEEP_ALL);
    if ((floor.reach - any.reach) * reach > 2 * m->gap) { // something is in between
        if (!m->walks || !any.edge) return false;
        floor = any; // down a step, round its edge
    }
    FiloVec2 velocity = velocity_at(m, body_of(m, floor.shape), floor.point);
    // What it moves away from is no floor.
    if (lands && !m->landed && filo_vec2_dot(filo_vec2_sub(c->velocity, velocity), floor.normal) > m->gap)
        return false;
    float fall = floor.t * reach;
    if (fall > 0.5f * m->gap) shift(m, filo_vec2_scale(down, floor.t));
    c->state |= FILO_MOVER_ON_FLOOR;
    c->floor = physics2d_mover_body(m, floor.shape);
    // At the edge of a step, the normal of what touches there is too steep to say anything about the floor.
    c->floor_normal = filo_vec2_dot(floor.normal, m->up) < m->slope ? m->up : floor.normal;
    if (lands) {
        c->velocity = filo_vec2_sub(c->velocity, velocity);
        c->floor_velocity = velocity;
    }
    c->velocity = filo_vec2_scale(m->right, filo_vec2_dot(c->velocity, m->right));
    const Physics2dBody *body = body_of(m, floor.shape);
    float mass = or_default(c->mass, 0);
    if (body->kind == FILO_BODY_DYNAMIC && mass > 0)
        add_push(m, body, filo_vec2_scale(m->gravity, mass * m->delta), floor.point);
    return true;
}

// The speed of a conveyor belt that it stands on, along the belt.
static float belt_speed(Physics2dMover *m) {
    Physics2dTouch floor =
        physics2d_mover_cast(m, filo_vec2_scale(m->up, -2 * m->gap), PHYSICS2D_KEEP_FLOORS);
    return floor.shape != 0 ? m->ask.phys->saved.shapes.items[floor.shape].surface : 0;
}

// Moves with the body that it stood on, and finds out how fast that was.
static void carry(Physics2dMover *m) {
    FiloMover2 *c = m->component;
    const Physics2dWorld *phys = m->ask.phys;
    uint32_t slot = physics2d_body_slot(phys, c->floor);
    if (slot == 0 || (c->flags & FILO_MOVER_NOT_CARRIED) != 0) return;
    if (m->ask.from.x != c->position.x || m->ask.from.y != c->position.y) return; // the mover was teleported
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    FiloVec2 p = c->floor_point;
    FiloVec2 to = { body->px + (body->c * p.x - body->s * p.y), body->py + (body->s * p.x + body->c * p.y) };
    FiloVec2 move = filo_vec2_sub(to, m->ask.from);
    if (!(filo_vec2_length(move) <= m->maximum_speed * m->delta)) return; // the floor was teleported
    m->ignored = body->entity;
    Physics2dTouch touch = physics2d_mover_cast(m, move, PHYSICS2D_KEEP_ALL);
    m->ignored = 0;
    m->ask.from = touch.shape == 0 ? to : filo_vec2_add_scaled(m->ask.from, move, touch.t);
    c->floor_velocity = filo_vec2_scale(move, 1.0f / m->delta);
    float belt = belt_speed(m);
    if (belt == 0) return;
    FiloVec2 along = filo_vec2_scale(filo_vec2_perpendicular(c->floor_normal), belt);
    c->floor_velocity = filo_vec2_add(c->floor_velocity, along);
    along = filo_vec2_scale(along, m->delta);
    shift(m, filo_vec2_scale(along, physics2d_mover_cast(m, along, PHYSICS2D_KEEP_ALL).t));
}

static void remember_place(Physics2dMover *m) {
    FiloMover2 *c = m->component;
    uint32_t slot = physics2d_body_slot(m->ask.phys, c->floor);
    if (slot == 0) {
        c->floor_point = filo_vec2(0, 0);
        return;
    }
    const Physics2dBody *body = &m->ask.phys->saved.bodies.items[slot];
    float x = m->ask.from.x - body->px, y = m->ask.from.y - body->py;
    c->floor_point = filo_vec2(body->c * x + body->s * y, body->c * y - body->s * x);
}

// ---- A tick -----------------------------------------------------------------------------------------------

const char *physics2d_mover_name(uint64_t entity, char *name, size_t size) {
    if (entity == 0) return "a mover without an entity";
    snprintf(name, size, "mover %u", filo_entity_index((FiloEntity){ entity }));
    return name;
}

static float clean(float x, bool *bad) {
    if (filo_abs(x) <= PHYSICS2D_FAR) return x;
    *bad = true;
    return 0;
}

static void repair(Physics2dMover *m, FiloTransform2 *transform) {
    FiloMover2 *c = m->component;
    bool bad = false;
    c->velocity = filo_vec2(clean(c->velocity.x, &bad), clean(c->velocity.y, &bad));
    c->floor_point = filo_vec2(clean(c->floor_point.x, &bad), clean(c->floor_point.y, &bad));
    c->floor_normal = filo_vec2(clean(c->floor_normal.x, &bad), clean(c->floor_normal.y, &bad));
    c->up = filo_vec2(clean(c->up.x, &bad), clean(c->up.y, &bad));
    transform->position = filo_vec2(clean(transform->position.x, &bad), clean(transform->position.y, &bad));
    transform->rotation = clean(transform->rotation, &bad);
    c->gravity_scale = clean(c->gravity_scale, &bad);
    c->maximum_slope = clean(c->maximum_slope, &bad);
    c->step_height = clean(c->step_height, &bad);
    c->snap_distance = clean(c->snap_distance, &bad);
    c->push_force = clean(c->push_force, &bad);
    c->mass = clean(c->mass, &bad);
    char name[24];
    if (bad)
        filo_log_warn("physics", "%s has a position, a velocity or a setting that is not valid, now 0",
                      physics2d_mover_name(m->self, name, sizeof name));
}

static bool begin(Physics2dMover *m, const FiloShape2 *shape, FiloTransform2 *transform,
                  const char **problem) {
    FiloMover2 *c = m->component;
    const FiloPhysics2 *settings = filo_get_global(m->world, FiloPhysics2);
    float unit = physics2d_unit(m->ask.phys);
    if (settings != NULL && physics2d_is_sane(settings->gravity)) m->gravity = settings->gravity;
    m->maximum_speed = or_default(settings != NULL ? settings->maximum_speed : 0, 400 * unit);
    repair(m, transform);
    if (!physics2d_shape_build(shape, &m->shape, &m->polygon, problem)) return false;
    m->shape.used = PHYSICS2D_USED;
    m->ask.from = transform->position;
    FiloSinCos turn = filo_sincos(transform->rotation);
    m->body = (Physics2dBody){ .c = turn.cos, .s = turn.sin };
    physics2d_hull_of(&m->hull, &m->shape, &m->polygon, filo_vec2(0, 0), turn.cos, turn.sin);
    m->up = filo_vec2_normalise(c->up);
    if (m->up.x == 0 && m->up.y == 0) m->up = filo_vec2_normalise(filo_vec2_negate(m->gravity));
    if (m->up.x == 0 && m->up.y == 0) m->up = filo_vec2(0, 1);
    m->right = filo_vec2(m->up.y, -m->up.x);
    for (uint32_t i = 0; i < m->hull.count; i++) {
        m->half.x = filo_max(m->half.x, filo_abs(m->hull.v[i].x) + m->hull.radius);
        m->half.y = filo_max(m->half.y, filo_abs(m->hull.v[i].y) + m->hull.radius);
        float low = m->hull.radius - filo_vec2_dot(m->hull.v[i], m->up);
        m->feet = i == 0 ? low : filo_max(m->feet, low);
    }
    m->gap = 0.01f * unit;
    m->slope = filo_sincos(filo_min(or_default(c->maximum_slope, 0.25f * FILO_PI), 1.5f)).cos - 1e-3f;
    m->step_height = or_default(c->step_height, 0);
    m->snap = filo_max(or_default(c->snap_distance, 0.1f * unit), m->step_height);
    return true;
}

static void limit_speed(Physics2dMover *m) {
    float square = filo_vec2_length_squared(m->component->velocity), fastest = m->maximum_speed;
    if (square > fastest * fastest)
        m->component->velocity = filo_vec2_scale(m->component->velocity, fastest / filo_sqrt(square));
}

static void fall(Physics2dMover *m) {
    FiloMover2 *c = m->component;
    float scale = filo_abs(c->gravity_scale) < 1e7f && c->gravity_scale != 0 ? c->gravity_scale : 1;
    if ((c->flags & FILO_MOVER_NO_GRAVITY) == 0)
        c->velocity = filo_vec2_add_scaled(c->velocity, m->gravity, scale * m->delta);
    limit_speed(m);
    slide(m, filo_vec2_scale(c->velocity, m->delta));
    (void)find_floor(m, 2 * m->gap, true);
}

static void forget(FiloMover2 *c) {
    c->state = 0;
    c->wall = c->ceiling = FILO_ENTITY_NONE;
    c->wall_normal = c->ceiling_normal = filo_vec2(0, 0);
}

static void move(Physics2dMover *m) {
    FiloMover2 *c = m->component;
    bool stood = (c->state & FILO_MOVER_ON_FLOOR) != 0 && (c->flags & FILO_MOVER_FLOATING) == 0;
    m->was_crushed = (c->state & FILO_MOVER_CRUSHED) != 0;
    m->has_body = physics2d_body_slot(m->ask.phys, (FiloEntity){ m->self }) != 0;
    forget(c);
    c->floor_velocity = filo_vec2(0, 0);
    if (stood) {
        m->floor = c->floor.id;
        carry(m);
    }
    leave_overlaps(m);
    limit_speed(m);
    float along = filo_vec2_dot(c->velocity, m->right);
    m->walks = stood && filo_vec2_dot(c->velocity, m->up) <= 0.1f * m->gap;
    m->direction = along > 0 ? 1 : along < 0 ? -1.0f : 0;
    if ((c->flags & FILO_MOVER_FLOATING) != 0) {
        slide(m, filo_vec2_scale(c->velocity, m->delta));
    } else if (m->walks) {
        walk(m, along * m->delta);
        (void)find_floor(m, m->snap + 2 * m->gap, false);
    } else {
        fall(m);
    }
    bool stands = (c->state & FILO_MOVER_ON_FLOOR) != 0;
    if (stood && !stands && (c->flags & FILO_MOVER_NO_INHERIT) == 0)
        c->velocity = filo_vec2_add(c->velocity, c->floor_velocity);
    if (!stands) {
        c->floor = FILO_ENTITY_NONE;
        c->floor_normal = c->floor_velocity = filo_vec2(0, 0);
    }
    remember_place(m);
}

bool physics2d_mover_run(Physics2dMover *m, const FiloShape2 *shape, FiloTransform2 *transform,
                         const char **problem) {
    if (!begin(m, shape, transform, problem)) return false;
    move(m);
    if (physics2d_is_sane(m->ask.from)) transform->position = m->ask.from;
    m->component->position = transform->position;
    return true;
}
