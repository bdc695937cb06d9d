// Fast bodies: those that move by more than half of their width in a step could pass through others. They are moved back to
// where they first touch something: bullets anything that is not a bullet, others what is static.
//
// The next step finds the contact there and stops the body.

#include "physics2d/physics2d.h"

typedef struct Sweep {
    Physics2dWorld *phys;
    const Physics2dBody *body;
    FiloVec2 start, move; // of the centre of mass; everything is relative to `start`
    float angle, turn;    // at the beginning, and by how much
    bool bullet;
    float t; // the first time of an impact, as a fraction
} Sweep;

static void place(const Sweep *sweep, const Physics2dShape *shape, const Physics2dPolygon *polygon, float t,
                  Physics2dHull *hull) {
    FiloSinCos turn = filo_sincos(sweep->angle + sweep->turn * t);
    const Physics2dBody *body = sweep->body;
    FiloVec2 centre = filo_vec2_scale(sweep->move, t);
    FiloVec2 origin = { centre.x - (turn.cos * body->lx - turn.sin * body->ly),
                        centre.y - (turn.sin * body->lx + turn.cos * body->ly) };
    physics2d_hull_of(hull, shape, polygon, origin, turn.cos, turn.sin);
}

// Shortens sweep->t to the time at which the shape touches the other one. What touches already is the business of its
// contact; but the middle of the shape must not get past the other one.
static void sweep_shape(Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other) {
    const Physics2dSaved *saved = &sweep->phys->saved;
    const Physics2dPolygon *polygon = &saved->polygons.items[shape->polygon];
    const Physics2dBody *body = &saved->bodies.items[other->body];
    Physics2dShape core = *shape;
    bool is_core = false;
    Physics2dHull still, moving;
    physics2d_hull_of(&still, other, &saved->polygons.items[other->polygon],
                      filo_vec2(body->px - sweep->start.x, body->py - sweep->start.y), body->c, body->s);
    float touch = 0.005f * sweep->phys->settings.unit, spin = filo_abs(sweep->turn) * sweep->body->extent,
          t = 0;
    for (int i = 0; i < 32; i++) {
        place(sweep, &core, polygon, t, &moving);
        Physics2dDistance found = physics2d_distance(&moving, &still);
        if (found.distance <= touch && t > 0) break;
        if (found.distance <= touch) {
            if (is_core && filo_vec2_dot(sweep->move, found.normal) > 0)
                sweep->t = 0; // it is half inside: no further
            if (is_core) return;
            is_core = true;
            core.kind = PHYSICS2D_CIRCLE;
            core.count = 1;
            core.radius = 0.25f * filo_min(sweep->body->min_extent, sweep->body->extent);
            continue;
        }
        float approach = filo_vec2_dot(sweep->move, found.normal) + spin;
        if (approach <= 0) return;
        t += (found.distance - 0.5f * touch) / approach;
        if (!(t < sweep->t)) return;
    }
    sweep->t = t;
}

static bool concerns(const Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other) {
    if (((shape->flags | other->flags) & FILO_SHAPE_SENSOR) != 0) return false;
    if (other->body == shape->body || !physics2d_shapes_collide(shape, other)) return false;
    const Physics2dBody *body = &sweep->phys->saved.bodies.items[other->body];
    if (body->kind != FILO_BODY_DYNAMIC) return true;
    return sweep->bullet && (body->flags & FILO_BODY_BULLET) == 0;
}

static void sweep_tree(Sweep *sweep, const Physics2dTree *tree, const Physics2dShape *shape,
                       const Physics2dBox *box) {
    enum { SOME = 512 };
    uint32_t found[SOME];
    size_t count = sweep->phys->kernels->overlap(tree, box, found, SOME);
    const Physics2dShape *shapes = sweep->phys->saved.shapes.items;
    if (count <= SOME) {
        for (size_t i = 0; i < count; i++)
            if (concerns(sweep, shape, &shapes[found[i]])) sweep_shape(sweep, shape, &shapes[found[i]]);
        return;
    }
    if (tree == &sweep->phys->moving && !sweep->bullet) { // so many: those of kinematic bodies
        filo_array_each (&sweep->phys->kinematic, slot)
            for (uint32_t i = sweep->phys->saved.bodies.items[*slot].shape; i != 0; i = shapes[i].next)
                if (concerns(sweep, shape, &shapes[i])) sweep_shape(sweep, shape, &shapes[i]);
        return;
    }
    // So many that there is no room for them: all shapes of the tree.
    filo_array_each (&tree->shapes, other)
        if (concerns(sweep, shape, &shapes[*other])) sweep_shape(sweep, shape, &shapes[*other]);
}

static void stop_at(Physics2dWorld *phys, const Physics2dAwake *item, const Sweep *sweep) {
    Physics2dBody *body = &phys->saved.bodies.items[item->body];
    float angle = sweep->angle + sweep->turn * sweep->t;
    if (filo_abs(angle) > FILO_PI) angle = filo_angle_wrap(angle);
    FiloSinCos turn = filo_sincos(angle);
    body->cx = sweep->start.x + sweep->move.x * sweep->t;
    body->cy = sweep->start.y + sweep->move.y * sweep->t;
    body->px = body->cx - (turn.cos * body->lx - turn.sin * body->ly);
    body->py = body->cy - (turn.sin * body->lx + turn.cos * body->ly);
    body->angle = angle;
    body->c = turn.cos;
    body->s = turn.sin;
    item->transform->position = filo_vec2(body->px, body->py);
    item->transform->rotation = angle;
}

static void sweep_body(Physics2dWorld *phys, const Physics2dAwake *item) {
    Physics2dSaved *saved = &phys->saved;
    const Physics2dBody *body = &saved->bodies.items[item->body];
    const Physics2dState *state = &phys->states.items[item->body];
    Sweep sweep = { .phys = phys, .body = body, .move = { state->dx, state->dy }, .turn = state->da, .t = 1 };
    sweep.start = filo_vec2(body->cx - state->dx, body->cy - state->dy);
    sweep.angle = body->angle - state->da;
    sweep.bullet = (body->flags & FILO_BODY_BULLET) != 0;
    float reach = body->extent + 0.01f * phys->settings.unit;
    Physics2dBox box = { filo_min(sweep.start.x, body->cx) - reach, filo_min(sweep.start.y, body->cy) - reach,
                         filo_max(sweep.start.x, body->cx) + reach,
                         filo_max(sweep.start.y, body->cy) + reach };
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used != PHYSICS2D_USED) continue;
        sweep_tree(&sweep, &phys->resting, shape, &box);
        if (sweep.bullet || phys->kinematic.count > 0) sweep_tree(&sweep, &phys->moving, shape, &box);
    }
    if (sweep.t < 1) stop_at(phys, item, &sweep);
    physics2d_body_grow_boxes(phys, body);
}

static void sweep_range(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t i = begin; i < end; i++)
        if (phys->fast.items[i] == PHYSICS2D_FAST) sweep_body(phys, &phys->awake.items[i]);
}

static bool find_kinematic(Physics2dWorld *phys) {
    filo_array_clear(&phys->kinematic);
    filo_array_each (&phys->awake, item)
        if (phys->saved.bodies.items[item->body].kind == FILO_BODY_KINEMATIC &&
            !filo_array_push(&phys->kinematic, item->body))
            return false;
    return true;
}

bool physics2d_continuous(Physics2dWorld *phys) {
    if (!find_kinematic(phys)) return false;
    physics2d_for(phys, phys->awake.count, 256, sweep_range, phys);
    bool bullets = false;
    for (size_t i = 0; i < phys->awake.count; i++)
        bullets = bullets || phys->fast.items[i] == PHYSICS2D_FAST_BULLET;
    if (!bullets) return true;
    // Bullets look for bodies where they are now.
    if (base_load_relaxed(&phys->box_changed)) phys->moving_moved = true;
    if (!physics2d_trees_update(phys)) return false;
    for (size_t i = 0; i < phys->awake.count; i++)
        if (phys->fast.items[i] == PHYSICS2D_FAST_BULLET) sweep_body(phys, &phys->awake.items[i]);
    return true;
}
