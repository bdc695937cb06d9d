// Fast bodies: those that move by more than half of their width in a step could pass through others. They are moved back to
// where they first touch something: bullets anything, others what is static. Where fast bullets meet is found last, in
// meetings.c.
//
// The next step finds the contact there and stops the body.
//
// A bullet is swept against the movement of the other body too: a bat that turns past a ball between two steps hits it. From
// then on the other body takes the bullet with it, which may bring it to a third one. So slow bullets are swept as well, in
// steps in which another body is fast.
//
// A shape that touches the other one already may turn into it, as far as its contact lets it. Then its middle is swept: as long
// as that stays on its side, the contact pushes the shape back to it.

#include "physics2d/physics2d.h"

// The movement of a body in this step.
typedef struct Motion {
    FiloVec2 end, move; // of the centre of mass; `end` is relative to the start of the sweep
    float turn;
} Motion;

enum { IMPACTS = 8 }; // of a body in a step

// The path of a body: its own movement, and after an impact that of the body which takes it along.
typedef struct Sweep {
    Physics2dWorld *phys;
    const Physics2dBody *body;
    FiloVec2 start;                         // of the centre of mass; everything is relative to it
    Motion path;                            // of what moves the body
    const Physics2dBody *carriers[IMPACTS]; // the last is the body whose movement that is; none: its own
    int carrier_count;                      // others held it at the same time, and do not do so any more
    float from;                             // the time at which the path begins, as a fraction of the step
    FiloVec2 arm; // from the centre of what moves the body to its centre, at that time
    float angle;  // of the body at that time
    bool bullet, fast;
    const Physics2dBody *resting; // is at its end already; or NULL
    float t;                      // the first time of an impact
    const Physics2dBody *other;   // that is hit then, if it moves; or NULL
} Sweep;

static FiloVec2 centre_at(const Motion *motion, float t) {
    return filo_vec2_add_scaled(motion->end, motion->move, t - 1);
}

static Motion motion_of(const Sweep *sweep, const Physics2dBody *body) {
    Motion motion = { .end = { body->cx - sweep->start.x, body->cy - sweep->start.y } };
    if (!sweep->bullet || body == sweep->resting || body->set != PHYSICS2D_AWAKE ||
        body->kind == FILO_BODY_STATIC)
        return motion;
    const Physics2dState *state = &sweep->phys->states.items[body - sweep->phys->saved.bodies.items];
    motion.move = filo_vec2(state->dx, state->dy);
    motion.turn = state->da;
    return motion;
}

// The centre of mass on the path.
static FiloVec2 path_at(const Sweep *sweep, float t) {
    FiloVec2 centre = centre_at(&sweep->path, t);
    if (sweep->carrier_count == 0) return centre;
    return filo_vec2_add(centre, filo_vec2_rotate(sweep->arm, sweep->path.turn * (t - sweep->from)));
}

static float angle_at(const Sweep *sweep, float t) {
    return sweep->angle + sweep->path.turn * (t - sweep->from);
}

static bool moves(const Motion *motion) {
    return motion->move.x != 0 || motion->move.y != 0 || motion->turn != 0;
}

static void place_other(const Physics2dShape *shape, const Physics2dPolygon *polygon,
                        const Physics2dBody *body, const Motion *motion, float t, Physics2dHull *hull) {
    FiloSinCos turn = { .sin = body->s, .cos = body->c };
    if (motion->turn != 0) turn = filo_sincos(body->angle - motion->turn * (1 - t));
    FiloVec2 centre = centre_at(motion, t);
    FiloVec2 origin = { centre.x - (turn.cos * body->lx - turn.sin * body->ly),
                        centre.y - (turn.sin * body->lx + turn.cos * body->ly) };
    physics2d_hull_of(hull, shape, polygon, origin, turn.cos, turn.sin);
}

static void place(const Sweep *sweep, const Physics2dShape *shape, const Physics2dPolygon *polygon, float t,
                  Physics2dHull *hull) {
    FiloSinCos turn = filo_sincos(angle_at(sweep, t));
    const Physics2dBody *body = sweep->body;
    FiloVec2 centre = path_at(sweep, t);
    FiloVec2 origin = { centre.x - (turn.cos * body->lx - turn.sin * body->ly),
                        centre.y - (turn.sin * body->lx + turn.cos * body->ly) };
    physics2d_hull_of(hull, shape, polygon, origin, turn.cos, turn.sin);
}

// The centre of a shape at the beginning of the path, in the world.
static FiloVec2 start_of(const Sweep *sweep, const Physics2dShape *shape) {
    FiloVec2 arm = { shape->x - sweep->body->lx, shape->y - sweep->body->ly };
    FiloVec2 centre = filo_vec2_add(sweep->start, path_at(sweep, sweep->from));
    return filo_vec2_add(centre, filo_vec2_rotate(arm, sweep->angle));
}

// The middle of a shape: a small circle there.
static Physics2dShape middle_of(const Sweep *sweep, const Physics2dShape *shape) {
    Physics2dShape middle = *shape;
    middle.kind = PHYSICS2D_CIRCLE;
    middle.count = 1;
    middle.radius = 0.25f * filo_min(sweep->body->min_extent, sweep->body->extent);
    return middle;
}

// How far a point of a shape moves at most in a step because the body turns. A circle that turns about its centre does not move.
static float spin_of(const Sweep *sweep, const Physics2dShape *shape) {
    const Physics2dBody *body = sweep->body;
    float arm = shape->kind == PHYSICS2D_CIRCLE
                    ? filo_vec2_distance(filo_vec2(shape->x, shape->y), filo_vec2(body->lx, body->ly))
                    : body->extent;
    return filo_abs(sweep->path.turn) * (arm + filo_vec2_length(sweep->arm));
}

// `move` is relative to the other shape.
static bool stops(const Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other, FiloVec2 move,
                  const Physics2dDistance *found) {
    float speed = filo_vec2_dot(move, found->normal) / sweep->phys->delta;
    return !physics2d_sweep_disabled(sweep->phys, shape, other, filo_vec2_add(sweep->start, found->b),
                                     found->normal, speed);
}

// What moves along a segment of a chain is not held at its ends, where its neighbours go on. Then the middle of a shape can
// only get past it because the body turns.
static bool moves_along(const Sweep *sweep, const Physics2dShape *segment, FiloVec2 move) {
    if (segment->chain == 0) return false;
    const Physics2dBody *body = &sweep->phys->saved.bodies.items[segment->body];
    FiloVec2 normal = { body->c * segment->ux - body->s * segment->uy,
                        body->s * segment->ux + body->c * segment->uy };
    return filo_abs(filo_vec2_dot(move, normal)) < 0.25f * sweep->body->min_extent;
}

// Whether the middle of a shape, which touches the other body at the beginning, moves on into it. `normal` points into it.
static bool gets_deeper(const Sweep *sweep, const Physics2dShape *core, const Motion *motion,
                        FiloVec2 normal) {
    enum { TIMES = 16 };
    FiloVec2 first = { 0, 0 };
    for (int i = 0; i <= TIMES; i++) {
        float t = sweep->from + (1 - sweep->from) * (float)i / TIMES, back = motion->turn * (1 - t);
        Physics2dHull hull;
        place(sweep, core, NULL, t, &hull);
        // Where it is, seen from the other body, as that is turned at the end.
        FiloVec2 from = filo_vec2_sub(hull.v[0], centre_at(motion, t));
        if (motion->turn != 0) from = filo_vec2_rotate(from, back);
        if (i == 0) {
            first = from;
            if (motion->turn != 0) normal = filo_vec2_rotate(normal, back);
        } else if (filo_vec2_dot(filo_vec2_sub(from, first), normal) > 0) {
            return true;
        }
    }
    return false;
}

// The order in which shapes are found depends on trees, so it does not decide between impacts at the same time: those with
// bodies that do not move are first, and then the slot counts.
static void take_impact(Sweep *sweep, float t, const Physics2dBody *other) {
    bool is_first =
        t < sweep->t || (t == sweep->t && sweep->other != NULL && (other == NULL || other < sweep->other));
    if (!is_first) return;
    sweep->t = t;
    sweep->other = other;
}

// Shortens sweep->t to the time at which the shape touches the other one. What touches already is the business of its
// contact; but the middle of the shape must not get past the other one.
static void sweep_shape(Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other) {
    const Physics2dSaved *saved = &sweep->phys->saved;
    const Physics2dPolygon *polygon = &saved->polygons.items[shape->polygon];
    const Physics2dBody *body = &saved->bodies.items[other->body];
    Physics2dShape core = *shape;
    bool is_core = false; // only the middle of the shape
    Physics2dHull hull, moving;
    const Motion motion = motion_of(sweep, body);
    const Physics2dPolygon *other_polygon = &saved->polygons.items[other->polygon];
    const FiloVec2 move = filo_vec2_sub(sweep->path.move, motion.move);
    if (moves(&motion))
        place_other(other, other_polygon, body, &motion, sweep->from, &hull);
    else
        physics2d_hull_of(&hull, other, other_polygon,
                          filo_vec2(body->px - sweep->start.x, body->py - sweep->start.y), body->c, body->s);
    place(sweep, &core, polygon, sweep->from, &moving);
    if (physics2d_sweep_passes(sweep->phys, other, move, start_of(sweep, shape), &moving, &hull)) return;
    if (moves_along(sweep, other, move)) {
        core = middle_of(sweep, shape);
        is_core = true;
        if (spin_of(sweep, &core) < core.radius) return;
    }
    Physics2dDistance found;
    FiloVec2 normal = { 0, 0 };
    float touch = 0.005f * sweep->phys->settings.unit, t = sweep->from;
    float spin = spin_of(sweep, shape) + filo_abs(motion.turn) * body->extent;
    for (int i = 0; i < 32; i++) {
        place(sweep, &core, polygon, t, &moving);
        if (moves(&motion)) place_other(other, other_polygon, body, &motion, t, &hull);
        found = physics2d_distance(&moving, &hull);
        if (found.distance <= touch && t > sweep->from) break;
        if (found.distance <= touch) {
            if (is_core && gets_deeper(sweep, &core, &motion, found.normal) &&
                stops(sweep, shape, other, move, &found))
                take_impact(sweep, sweep->from, moves(&motion) ? body : NULL); // half inside: no further
            if (is_core) return;
            is_core = true;
            core = middle_of(sweep, shape);
            continue;
        }
        float approach = filo_vec2_dot(move, found.normal) + spin;
        if (approach <= 0) return;
        normal = found.normal;
        t += (found.distance - 0.5f * touch) / approach;
        if (!(t < 1) || t > sweep->t) return;
    }
    found.normal = normal; // rounding may have put it a little inside, where the nearest side is another one
    // What only grazes the other one is left to its contact: otherwise it would be held at every inner corner of a floor.
    float depth = (1 - t) * (filo_vec2_dot(move, found.normal) + spin);
    if (!is_core && depth < 0.25f * sweep->body->min_extent) return;
    if (!stops(sweep, shape, other, move, &found)) return;
    take_impact(sweep, t, moves(&motion) ? body : NULL);
}

static bool is_carrier(const Sweep *sweep, const Physics2dBody *body) {
    for (int i = 0; i < sweep->carrier_count; i++)
        if (sweep->carriers[i] == body) return true;
    return false;
}

static bool collides(const Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other) {
    return ((shape->flags | other->flags) & FILO_SHAPE_SENSOR) == 0 &&
           physics2d_shapes_collide(shape, other) && physics2d_ask_filter(sweep->phys, shape, other);
}

static bool is_fast_bullet(const Physics2dWorld *phys, const Physics2dBody *body) {
    size_t slot = (size_t)(body - phys->saved.bodies.items);
    return body->set == PHYSICS2D_AWAKE &&
           phys->fast.items[phys->awake_of.items[slot]] == PHYSICS2D_FAST_BULLET;
}

static bool concerns(const Sweep *sweep, const Physics2dShape *shape, const Physics2dShape *other) {
    const Physics2dBody *body = &sweep->phys->saved.bodies.items[other->body];
    if (other->body == shape->body || is_carrier(sweep, body) || !collides(sweep, shape, other)) return false;
    if (body->kind != FILO_BODY_DYNAMIC) return true;
    if (!sweep->bullet || !physics2d_is_bullet(body)) return sweep->bullet;
    return sweep->fast && !is_fast_bullet(sweep->phys, body); // two slow ones have a contact
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

// After an impact: the body that was hit has it from now on.
static void give_to_other(Sweep *sweep) {
    FiloVec2 centre = path_at(sweep, sweep->t);
    sweep->angle = angle_at(sweep, sweep->t);
    if (sweep->t > sweep->from || sweep->other == NULL) sweep->carrier_count = 0;
    sweep->from = sweep->t;
    sweep->path = (Motion){ .end = centre };
    sweep->arm = filo_vec2(0, 0);
    if (sweep->other == NULL) return;
    sweep->carriers[sweep->carrier_count++] = sweep->other;
    sweep->path = motion_of(sweep, sweep->other);
    sweep->arm = filo_vec2_sub(centre, centre_at(&sweep->path, sweep->t));
}

// Ends the movement of the body in this step at a time on its path.
static void put_at(Physics2dWorld *phys, const Physics2dAwake *item, const Sweep *sweep, float t) {
    Physics2dBody *body = &phys->saved.bodies.items[item->body];
    Physics2dState *state = &phys->states.items[item->body];
    FiloVec2 centre = path_at(sweep, t);
    float angle = angle_at(sweep, t);
    state->dx = centre.x; // bullets are swept against this movement
    state->dy = centre.y;
    state->da = angle - (body->angle - state->da);
    if (filo_abs(angle) > FILO_PI) angle = filo_angle_wrap(angle);
    FiloSinCos turn = filo_sincos(angle);
    body->cx = sweep->start.x + centre.x;
    body->cy = sweep->start.y + centre.y;
    body->px = body->cx - (turn.cos * body->lx - turn.sin * body->ly);
    body->py = body->cy - (turn.sin * body->lx + turn.cos * body->ly);
    body->angle = angle;
    body->c = turn.cos;
    body->s = turn.sin;
    item->transform->position = filo_vec2(body->px, body->py);
    item->transform->rotation = angle;
}

// The first impact on a path. `margin`: how far another body moves at most, so that what was near in the step is found.
static void sweep_path(Sweep *sweep, float margin) {
    Physics2dWorld *phys = sweep->phys;
    const Physics2dShape *shapes = phys->saved.shapes.items;
    FiloVec2 p = filo_vec2_add(sweep->start, path_at(sweep, sweep->from)),
             q = filo_vec2_add(sweep->start, path_at(sweep, 1));
    float bend = filo_min(filo_abs(sweep->path.turn), 2) * filo_vec2_length(sweep->arm);
    float reach = sweep->body->extent + 0.01f * phys->settings.unit + margin + bend;
    Physics2dBox box = { filo_min(p.x, q.x) - reach, filo_min(p.y, q.y) - reach, filo_max(p.x, q.x) + reach,
                         filo_max(p.y, q.y) + reach };
    sweep->t = 1;
    sweep->other = NULL;
    for (uint32_t i = sweep->body->shape; i != 0; i = shapes[i].next) {
        if (shapes[i].used != PHYSICS2D_USED) continue;
        sweep_tree(sweep, &phys->resting, &shapes[i], &box);
        if (sweep->bullet || phys->kinematic.count > 0) sweep_tree(sweep, &phys->moving, &shapes[i], &box);
    }
}

// Its movement in this step, from the start.
static Sweep sweep_of(Physics2dWorld *phys, const Physics2dAwake *item) {
    const Physics2dBody *body = &phys->saved.bodies.items[item->body];
    const Physics2dState *state = &phys->states.items[item->body];
    FiloVec2 move = { state->dx, state->dy };
    return (Sweep){ .phys = phys,
                    .body = body,
                    .start = { body->cx - state->dx, body->cy - state->dy },
                    .path = { .end = move, .move = move, .turn = state->da },
                    .angle = body->angle - state->da,
                    .bullet = physics2d_is_bullet(body),
                    .fast = is_fast_bullet(phys, body),
                    .t = 1 };
}

static void sweep_body(Physics2dWorld *phys, const Physics2dAwake *item, float margin) {
    Sweep sweep = sweep_of(phys, item);
    bool has_hit = false;
    for (int i = 0; i < IMPACTS; i++) {
        sweep_path(&sweep, margin);
        if (!(sweep.t < 1)) break;
        has_hit = true;
        give_to_other(&sweep);
        if (sweep.other == NULL) break;
    }
    if (has_hit) put_at(phys, item, &sweep, 1);
    physics2d_body_grow_boxes(phys, sweep.body);
}

float physics2d_meeting_time(Physics2dWorld *phys, uint32_t a, uint32_t b, float from, bool rests) {
    const Physics2dSaved *saved = &phys->saved;
    const Physics2dShape *shapes = saved->shapes.items;
    Sweep sweep = sweep_of(phys, &phys->awake.items[phys->awake_of.items[a]]);
    sweep.angle = angle_at(&sweep, from);
    sweep.from = from;
    if (rests) sweep.resting = &saved->bodies.items[b];
    for (uint32_t i = saved->bodies.items[a].shape; i != 0; i = shapes[i].next)
        for (uint32_t k = saved->bodies.items[b].shape; k != 0; k = shapes[k].next)
            if (collides(&sweep, &shapes[i], &shapes[k])) sweep_shape(&sweep, &shapes[i], &shapes[k]);
    return sweep.t;
}

void physics2d_stop_at(Physics2dWorld *phys, uint32_t slot, float t) {
    const Physics2dAwake *item = &phys->awake.items[phys->awake_of.items[slot]];
    Sweep sweep = sweep_of(phys, item);
    put_at(phys, item, &sweep, t);
    physics2d_body_grow_boxes(phys, sweep.body);
}

static void sweep_range(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t i = begin; i < end; i++)
        if (phys->fast.items[i] == PHYSICS2D_FAST) sweep_body(phys, &phys->awake.items[i], 0);
}

static float way_of(const Physics2dWorld *phys, const Physics2dAwake *item) {
    const Physics2dState *state = &phys->states.items[item->body];
    float extent = phys->saved.bodies.items[item->body].extent;
    return filo_sqrt(state->dx * state->dx + state->dy * state->dy) + filo_abs(state->da) * extent;
}

static bool find_kinematic(Physics2dWorld *phys) {
    filo_array_clear(&phys->kinematic);
    filo_array_each (&phys->awake, item)
        if (phys->saved.bodies.items[item->body].kind == FILO_BODY_KINEMATIC &&
            !filo_array_push(&phys->kinematic, item->body))
            return false;
    return true;
}

static void sweep_class(Physics2dWorld *phys, uint8_t fast, float margin) {
    for (size_t i = 0; i < phys->awake.count; i++)
        if (phys->fast.items[i] == fast) sweep_body(phys, &phys->awake.items[i], margin);
}

bool physics2d_continuous(Physics2dWorld *phys) {
    if (!find_kinematic(phys)) return false;
    physics2d_for(phys, phys->awake.count, 256, sweep_range, phys);
    bool bullets = false, slow = false, others = false;
    for (size_t i = 0; i < phys->awake.count; i++) {
        uint8_t fast = phys->fast.items[i];
        bullets = bullets || fast == PHYSICS2D_FAST_BULLET;
        slow = slow || fast == PHYSICS2D_SLOW_BULLET;
        others = others || fast == PHYSICS2D_FAST || fast == PHYSICS2D_FAST_KINEMATIC;
    }
    if (!bullets && !(slow && others)) return true;
    float farthest = 0;
    for (size_t i = 0; i < phys->awake.count && others; i++)
        if (phys->fast.items[i] == PHYSICS2D_FAST || phys->fast.items[i] == PHYSICS2D_FAST_KINEMATIC)
            farthest = filo_max(farthest, way_of(phys, &phys->awake.items[i]));
    // Bullets look for bodies where they are now.
    if (base_load_relaxed(&phys->box_changed)) phys->moving_moved = true;
    if (!physics2d_trees_update(phys)) return false;
    if (others) sweep_class(phys, PHYSICS2D_SLOW_BULLET, farthest);
    sweep_class(phys, PHYSICS2D_FAST_BULLET, farthest); // slow ones do not move any more
    return !bullets || physics2d_meetings(phys);
}
