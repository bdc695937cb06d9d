// Forces and impulses of the game.

#include "physics2d/physics2d.h"

// The slot of a body; 0: it has none yet, or is none.
static uint32_t slot_of(const Physics2dWorld *phys, FiloEntity entity) {
    return phys->restored ? 0 : physics2d_body_slot(phys, entity);
}

static bool is_number(float x) { return filo_abs(x) <= FLT_MAX; }
static bool is_numbers(FiloVec2 v) { return is_number(v.x) && is_number(v.y); }

static FiloBody2 *edit_dynamic(FiloWorld *world, FiloEntity entity, bool numbers) {
    if (physics2d_world(world) == NULL || !physics2d_check_entity(world, entity, "push a body") ||
        !FILO_CHECK(numbers, "cannot push body %u: the impulse or force, or the point, is no finite number",
                    filo_entity_index(entity)))
        return NULL;
    FiloBody2 *component = filo_try_edit(world, entity, FiloBody2);
    return component != NULL && component->kind == FILO_BODY_DYNAMIC ? component : NULL;
}

// What a push needs to know of a body: that of its slot, or, before its first step as a dynamic body, that of its shapes as
// they are now. So a push takes effect at once, in the component, and nothing is left to be remembered for the step.
static Physics2dInverse inverse_of(FiloWorld *world, FiloEntity entity, const FiloBody2 *component) {
    Physics2dWorld *phys = physics2d_world(world);
    uint32_t slot = slot_of(phys, entity);
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    if (slot == 0 || body->kind != FILO_BODY_DYNAMIC)
        return physics2d_inverse_of_new(phys, entity, component);
    return (Physics2dInverse){ body->inv_mass, body->inv_inertia, { body->lx, body->ly } };
}

// The torque of a force, or the angular impulse of an impulse, about the centre of mass.
static float turning(const Physics2dInverse *body, const FiloTransform2 *transform, FiloVec2 push,
                     FiloVec2 point) {
    FiloSinCos turn = filo_sincos(transform->rotation);
    FiloVec2 c = body->centre, centre = filo_vec2(transform->position.x + (turn.cos * c.x - turn.sin * c.y),
                                                  transform->position.y + (turn.sin * c.x + turn.cos * c.y));
    return filo_vec2_cross(filo_vec2_sub(point, centre), push);
}

bool filo_physics2_impulse(FiloWorld *world, FiloEntity entity, FiloVec2 impulse, FiloVec2 point) {
    FiloBody2 *component = edit_dynamic(world, entity, is_numbers(impulse) && is_numbers(point));
    const FiloTransform2 *transform = component != NULL ? filo_get(world, entity, FiloTransform2) : NULL;
    if (transform == NULL) return false;
    Physics2dInverse body = inverse_of(world, entity, component);
    component->velocity = filo_vec2_add_scaled(component->velocity, impulse, body.mass);
    component->angular_velocity += body.inertia * turning(&body, transform, impulse, point);
    return true;
}

bool filo_physics2_angular_impulse(FiloWorld *world, FiloEntity entity, float impulse) {
    FiloBody2 *component = edit_dynamic(world, entity, is_number(impulse));
    if (component == NULL) return false;
    component->angular_velocity += inverse_of(world, entity, component).inertia * impulse;
    return true;
}

bool filo_physics2_force(FiloWorld *world, FiloEntity entity, FiloVec2 force, FiloVec2 point) {
    FiloBody2 *component = edit_dynamic(world, entity, is_numbers(force) && is_numbers(point));
    const FiloTransform2 *transform = component != NULL ? filo_get(world, entity, FiloTransform2) : NULL;
    if (transform == NULL) return false;
    Physics2dInverse body = inverse_of(world, entity, component);
    component->force = filo_vec2_add(component->force, force);
    component->torque += turning(&body, transform, force, point);
    return true;
}

FiloMass2 filo_physics2_mass(const FiloWorld *world, FiloEntity entity) {
    const Physics2dWorld *phys = physics2d_world(world);
    uint32_t slot = phys != NULL ? slot_of(phys, entity) : 0;
    if (slot == 0) return (FiloMass2){ 0 };
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    return (FiloMass2){ body->mass, body->inertia, { body->lx, body->ly } };
}
