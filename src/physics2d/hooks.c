// Hooks of the game, and shapes that let bodies pass in one direction.
//
// Whether a body passes through a one-way shape is decided when the two first touch, and holds until it is through:
// `passing` of the contact. So a body that jumps through a platform is not caught half way.

#include "physics2d/physics2d.h"

#define SLOP 0.01f // metres: as good as through
#define DEPTH                                                                                                \
    0.05f // metres: what touches from the front may overlap so much, besides what it moved in a step

bool filo_physics2_set_hooks(FiloWorld *world, const FiloPhysics2Hooks *hooks) {
    Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL || !FILO_CHECK(!filo_jobs_marked(), "set hooks between ticks, not in a system"))
        return false;
    phys->hooks = hooks != NULL ? *hooks : (FiloPhysics2Hooks){ 0 };
    return true;
}

bool physics2d_ask_filter(const Physics2dWorld *phys, const Physics2dShape *a, const Physics2dShape *b) {
    const FiloPhysics2Hooks *hooks = &phys->hooks;
    if (((a->flags | b->flags) & FILO_SHAPE_FILTER) == 0 || hooks->filter == NULL) return true;
    return hooks->filter(phys->world, (FiloEntity){ a->entity }, (FiloEntity){ b->entity }, hooks->user);
}

// ---- One way ----------------------------------------------------------------------------------------------

static FiloVec2 turn(const Physics2dBody *body, float x, float y) {
    return filo_vec2(body->c * x - body->s * y, body->s * x + body->c * y);
}

static FiloVec2 place(const Physics2dBody *body, float x, float y) {
    return filo_vec2_add(filo_vec2(body->px, body->py), turn(body, x, y));
}

static bool is_segment(const Physics2dShape *shape) {
    return shape->kind == PHYSICS2D_CAPSULE && shape->radius == 0;
}

// Whether a point is in front of a segment.
static bool is_in_front(const Physics2dWorld *phys, const Physics2dShape *segment, FiloVec2 point) {
    const Physics2dBody *body = &phys->saved.bodies.items[segment->body];
    float dx = point.x - body->px, dy = point.y - body->py;
    FiloVec2 local = { body->c * dx + body->s * dy, body->c * dy - body->s * dx };
    return physics2d_chain_front(phys->saved.polygons.items[segment->polygon].v, segment->chain, local);
}

static float deepest(const Physics2dContact *contact, uint32_t *index) {
    *index = contact->count > 1 && contact->points[1].separation < contact->points[0].separation;
    return contact->points[*index].separation;
}

static bool passes(const Physics2dWorld *phys, const Physics2dContact *contact, const Physics2dShape *one_way,
                   const Physics2dShape *other, float sign, bool was) {
    const Physics2dSaved *saved = &phys->saved;
    uint32_t index;
    float unit = phys->settings.unit, separation = deepest(contact, &index),
          speed = physics2d_approach(phys, contact, index);
    FiloVec2 up = turn(&saved->bodies.items[one_way->body], one_way->ux, one_way->uy);
    bool front = sign * (up.x * contact->nx + up.y * contact->ny) > 0.5f;
    if (contact->passing == PHYSICS2D_DROPPED) return true;
    if (contact->passing == PHYSICS2D_PASSING)
        return !(front && separation > -SLOP * unit && speed > -0.01f * unit);
    if (is_segment(one_way)) {
        const Physics2dBody *body = &saved->bodies.items[other->body];
        return !is_in_front(phys, one_way, place(body, other->x, other->y));
    }
    if (!front) return true;
    if (was) return false;
    return speed < -0.01f * unit || separation < -(DEPTH * unit + filo_max(speed, 0) * phys->delta);
}

// ---- Before solving ---------------------------------------------------------------------------------------

static void call(const Physics2dWorld *phys, const Physics2dShape *a, const Physics2dShape *b,
                 FiloSolve2 *solve) {
    const Physics2dBody *bodies = phys->saved.bodies.items;
    solve->a = (FiloEntity){ a->entity };
    solve->b = (FiloEntity){ b->entity };
    solve->body_a = (FiloEntity){ bodies[a->body].entity };
    solve->body_b = (FiloEntity){ bodies[b->body].entity };
    phys->hooks.before_solve(phys->world, solve, phys->hooks.user);
}

static float finite_or(float value, float otherwise) { return filo_abs(value) <= 1e10f ? value : otherwise; }

static bool ask_hook(const Physics2dWorld *phys, Physics2dContact *contact, const Physics2dShape *a,
                     const Physics2dShape *b, bool disabled) {
    uint32_t index;
    float separation = deepest(contact, &index);
    physics2d_contact_mix(contact, a, b);
    FiloSolve2 solve = { .point = physics2d_contact_point(phys, contact, index),
                         .normal = { contact->nx, contact->ny },
                         .separation = separation,
                         .speed = physics2d_approach(phys, contact, index),
                         .friction = contact->friction,
                         .restitution = contact->restitution,
                         .surface_speed = contact->surface,
                         .disabled = disabled };
    call(phys, a, b, &solve);
    contact->friction = filo_max(finite_or(solve.friction, contact->friction), 0);
    contact->restitution = filo_clamp(finite_or(solve.restitution, contact->restitution), 0, 1);
    contact->surface = finite_or(solve.surface_speed, contact->surface);
    return solve.disabled;
}

bool physics2d_may_touch(const Physics2dWorld *phys, Physics2dContact *contact, bool was) {
    const Physics2dShape *a = &phys->saved.shapes.items[contact->a],
                         *b = &phys->saved.shapes.items[contact->b];
    bool disabled = false, passing;
    if ((a->flags & FILO_SHAPE_ONE_WAY) != 0) disabled = passes(phys, contact, a, b, 1, was);
    if ((b->flags & FILO_SHAPE_ONE_WAY) != 0) disabled |= passes(phys, contact, b, a, -1, was);
    passing = disabled;
    if ((contact->asks & FILO_SHAPE_BEFORE_SOLVE) != 0 && phys->hooks.before_solve != NULL)
        disabled = ask_hook(phys, contact, a, b, disabled);
    if (!disabled || (contact->asks & FILO_SHAPE_ONE_WAY) == 0)
        contact->passing = 0;
    else if (contact->passing != PHYSICS2D_DROPPED)
        contact->passing = passing ? PHYSICS2D_PASSING : PHYSICS2D_DROPPED;
    return !disabled;
}

// ---- Fast bodies ------------------------------------------------------------------------------------------

// How far a hull reaches in a direction.
static float reach(const Physics2dHull *hull, FiloVec2 direction) {
    float most = -FLT_MAX;
    for (uint32_t i = 0; i < hull->count; i++) most = filo_max(most, filo_vec2_dot(hull->v[i], direction));
    return most + hull->radius;
}

bool physics2d_sweep_passes(const Physics2dWorld *phys, const Physics2dShape *other, FiloVec2 move,
                            FiloVec2 centre, const Physics2dHull *moving, const Physics2dHull *still) {
    if ((other->flags & FILO_SHAPE_ONE_WAY) == 0) return false;
    FiloVec2 up = turn(&phys->saved.bodies.items[other->body], other->ux, other->uy),
             down = filo_vec2_negate(up);
    if (filo_vec2_dot(move, up) >= 0) return true;
    if (!is_segment(other)) return -reach(moving, down) < reach(still, up) - DEPTH * phys->settings.unit;
    return !is_in_front(phys, other, centre);
}

bool physics2d_sweep_disabled(const Physics2dWorld *phys, const Physics2dShape *shape,
                              const Physics2dShape *other, FiloVec2 point, FiloVec2 normal, float speed) {
    if (((shape->flags | other->flags) & FILO_SHAPE_BEFORE_SOLVE) == 0 || phys->hooks.before_solve == NULL)
        return false;
    Physics2dContact contact = { 0 };
    physics2d_contact_mix(&contact, shape, other);
    FiloSolve2 solve = { .point = point,
                         .normal = normal,
                         .speed = speed,
                         .friction = contact.friction,
                         .restitution = contact.restitution,
                         .surface_speed = contact.surface };
    call(phys, shape, other, &solve);
    return solve.disabled;
}
