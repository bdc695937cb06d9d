// Forces and impulses of the game.

#include "physics2d/physics2d.h"

// The slot of a body; 0: it has none yet, or is none.
static uint32_t slot_of(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity);
    if (phys->restored || index >= phys->body_of.count) return 0;
    uint32_t slot = phys->body_of.items[index];
    return slot != 0 && phys->saved.bodies.items[slot].entity == entity.id ? slot : 0;
}

static FiloBody2 *edit_dynamic(FiloWorld *world, FiloEntity entity) {
    if (physics2d_world(world) == NULL) return NULL;
    FiloBody2 *component = filo_try_edit(world, entity, FiloBody2);
    return component != NULL && component->kind == FILO_BODY_DYNAMIC ? component : NULL;
}

static FiloVec2 centre_of(const Physics2dBody *body, const FiloTransform2 *transform) {
    FiloSinCos turn = filo_sincos(transform->rotation);
    return filo_vec2(transform->position.x + (turn.cos * body->lx - turn.sin * body->ly),
                     transform->position.y + (turn.sin * body->lx + turn.cos * body->ly));
}

// An impulse on an entity without a slot.
static bool no_effect(FiloWorld *world, FiloEntity entity, const FiloBody2 *component) {
    if (component != NULL) physics2d_advise_impulse(physics2d_world(world), entity);
    return false;
}

bool filo_physics2_impulse(FiloWorld *world, FiloEntity entity, FiloVec2 impulse, FiloVec2 point) {
    FiloBody2 *component = edit_dynamic(world, entity);
    const FiloTransform2 *transform = component != NULL ? filo_get(world, entity, FiloTransform2) : NULL;
    uint32_t slot = transform != NULL ? slot_of(physics2d_world(world), entity) : 0;
    if (slot == 0) return no_effect(world, entity, component);
    const Physics2dBody *body = &physics2d_world(world)->saved.bodies.items[slot];
    component->velocity = filo_vec2_add_scaled(component->velocity, impulse, body->inv_mass);
    FiloVec2 arm = filo_vec2_sub(point, centre_of(body, transform));
    component->angular_velocity += body->inv_inertia * filo_vec2_cross(arm, impulse);
    return true;
}

bool filo_physics2_angular_impulse(FiloWorld *world, FiloEntity entity, float impulse) {
    FiloBody2 *component = edit_dynamic(world, entity);
    uint32_t slot = component != NULL ? slot_of(physics2d_world(world), entity) : 0;
    if (slot == 0) return no_effect(world, entity, component);
    component->angular_velocity += physics2d_world(world)->saved.bodies.items[slot].inv_inertia * impulse;
    return true;
}

bool filo_physics2_force(FiloWorld *world, FiloEntity entity, FiloVec2 force, FiloVec2 point) {
    FiloBody2 *component = edit_dynamic(world, entity);
    const FiloTransform2 *transform = component != NULL ? filo_get(world, entity, FiloTransform2) : NULL;
    if (transform == NULL) return false;
    uint32_t slot = slot_of(physics2d_world(world), entity);
    FiloVec2 centre = slot != 0 ? centre_of(&physics2d_world(world)->saved.bodies.items[slot], transform)
                                : transform->position;
    component->force = filo_vec2_add(component->force, force);
    component->torque += filo_vec2_cross(filo_vec2_sub(point, centre), force);
    return true;
}

FiloMass2 filo_physics2_mass(const FiloWorld *world, FiloEntity entity) {
    const Physics2dWorld *phys = physics2d_world(world);
    uint32_t slot = phys != NULL ? slot_of(phys, entity) : 0;
    if (slot == 0) return (FiloMass2){ 0 };
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    return (FiloMass2){ body->mass, body->inertia, { body->lx, body->ly } };
}
