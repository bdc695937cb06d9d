// Warnings about what is most likely a mistake, and otherwise only looks as if physics did not work.
//
// Each is logged once in a world. Those about what may also be intended are logged by debug builds only. None of this is
// a part of the state.

#include <filo/log.h>

#include "physics2d/physics2d.h"

#define PATIENCE 300 // steps with contacts that touch, after which a handler without events is reported

// True for the first call.
static bool is_first(BASE_ATOMIC(bool) * given) {
    if (base_load_relaxed(given)) return false;
    base_store_relaxed(given, true);
    return true;
}

static void advise_parent(Physics2dWorld *phys, FiloEntity mover) {
#ifndef NDEBUG // looks at each mover
    if (base_load_relaxed(&phys->advice.mover_parent)) return;
    for (FiloEntity at = filo_entity_parent(phys->world, mover); at.id != 0;
         at = filo_entity_parent(phys->world, at))
        if (filo_has(phys->world, at, FiloTransform2) && is_first(&phys->advice.mover_parent))
            filo_log_warn("physics",
                          "mover %u has a parent with a transform, which does not count: movers are in the "
                          "coordinates of the world. Give it no parent",
                          filo_entity_index(mover));
#else
    FILO_UNUSED(phys);
    FILO_UNUSED(mover);
#endif
}

void physics2d_advise_mover(Physics2dWorld *phys, FiloEntity entity, const FiloMover2 *mover) {
    uint32_t slot = physics2d_body_slot(phys, entity), index = filo_entity_index(entity);
    if (slot != 0 && phys->saved.bodies.items[slot].kind != FILO_BODY_KINEMATIC &&
        is_first(&phys->advice.mover_body))
        filo_log_warn("physics",
                      "mover %u has a body that is not kinematic, and both move it: set "
                      "FILO_BODY_KINEMATIC, or remove FiloBody2",
                      index);
    advise_parent(phys, entity);
    if (mover->maximum_slope > FILO_PI && is_first(&phys->advice.slope))
        filo_log_warn("physics", "mover %u has a maximum_slope of %g: angles are in radians", index,
                      (double)mover->maximum_slope);
}

void physics2d_advise_joint(const Physics2dJoint *joint) {
    const FiloJoint2 *settings = &joint->settings;
    // Limits that are meant to be none are larger.
    float largest = filo_max(-settings->lower, settings->upper);
    if ((settings->flags & FILO_JOINT_LIMIT) != 0 && settings->lower > settings->upper)
        filo_log_warn("physics", "joint %u has limits of %g to %g: the lower one counts as both",
                      filo_entity_index((FiloEntity){ joint->entity }), (double)settings->lower,
                      (double)settings->upper);
    if (settings->kind == FILO_JOINT_REVOLUTE && (settings->flags & FILO_JOINT_LIMIT) != 0 &&
        largest > FILO_PI + 0.01f && largest <= 720)
        filo_log_warn("physics",
                      "joint %u has limits beyond half a turn, which do not hold: angles are in radians",
                      filo_entity_index((FiloEntity){ joint->entity }));
}

// The body that is missing, although its entity exists. One that is inactive is so on purpose.
static FiloEntity without_body(const FiloWorld *world, FiloEntity entity) {
    bool lacks = entity.id != 0 && filo_entity_exists(world, entity) && !filo_has(world, entity, FiloBody2);
    return lacks ? entity : FILO_ENTITY_NONE;
}

void physics2d_advise_joint_bodies(Physics2dWorld *phys, const Physics2dJoint *joint) {
    const Physics2dBody *bodies = phys->saved.bodies.items;
    uint32_t index = filo_entity_index((FiloEntity){ joint->entity });
    if (joint->bad) return;
    if (joint->body_b == 0) {
        if (base_load_relaxed(&phys->advice.joint_body)) return;
        FiloEntity a = without_body(phys->world, joint->settings.a),
                   b = without_body(phys->world, joint->settings.b), lacking = b.id != 0 ? b : a;
        if (lacking.id != 0 && is_first(&phys->advice.joint_body))
            filo_log_warn("physics",
                          "joint %u does nothing: entity %u, which it is to hold, has no FiloBody2", index,
                          filo_entity_index(lacking));
        return;
    }
    bool moves = bodies[joint->body_b].kind == FILO_BODY_DYNAMIC ||
                 (joint->body_a != 0 && bodies[joint->body_a].kind == FILO_BODY_DYNAMIC);
    if (!moves && is_first(&phys->advice.joint_fixed))
        filo_log_warn("physics", "joint %u does nothing: neither of its bodies is dynamic", index);
}

// ---- Bodies and settings ----------------------------------------------------------------------------------

void physics2d_advise_body(FiloEntity entity, const FiloBody2 *component) {
    uint32_t index = filo_entity_index(entity);
    if ((uint32_t)component->kind > FILO_BODY_STATIC)
        filo_log_warn("physics", "body %u counts as static: its kind is one of FiloBodyKind", index);
    if (!(component->mass < PHYSICS2D_HEAVIEST))
        filo_log_warn("physics",
                      "body %u has a mass of %g, which is not valid: that of its shapes counts. For a body "
                      "that nothing moves, set FILO_BODY_STATIC",
                      index, (double)component->mass);
    if (!(component->inertia >= 0))
        filo_log_warn("physics",
                      "body %u has an inertia of %g, which is not valid: that of its shapes counts", index,
                      (double)component->inertia);
}

static void advise_setting(const char *name, float value) {
    if (!(value >= 0 && value < 1e10f))
        filo_log_warn("physics", "FiloPhysics2.%s is %g, which is not valid: the default value counts", name,
                      (double)value);
}

void physics2d_advise_settings(Physics2dWorld *phys, const FiloPhysics2 *settings) {
    if (memcmp(&phys->advice.settings, settings, sizeof *settings) == 0) return;
    memcpy(&phys->advice.settings, settings, sizeof *settings); // with its padding
    if (!(filo_abs(settings->gravity.x) < 1e10f) || !(filo_abs(settings->gravity.y) < 1e10f))
        filo_log_warn("physics", "FiloPhysics2.gravity is %g, %g, which is not valid: there is none",
                      (double)settings->gravity.x, (double)settings->gravity.y);
    if (settings->sub_steps > 16)
        filo_log_warn("physics", "FiloPhysics2.sub_steps is %u: 16 are the most", settings->sub_steps);
    advise_setting("unit", settings->unit);
    advise_setting("contact_hertz", settings->contact_hertz);
    advise_setting("contact_damping", settings->contact_damping);
    advise_setting("push_speed", settings->push_speed);
    advise_setting("restitution_speed", settings->restitution_speed);
    advise_setting("hit_speed", settings->hit_speed);
    advise_setting("maximum_speed", settings->maximum_speed);
    advise_setting("sleep_speed", settings->sleep_speed);
    advise_setting("sleep_time", settings->sleep_time);
}

#ifndef NDEBUG

void physics2d_advise_shape(Physics2dWorld *phys, FiloEntity entity) {
    const FiloWorld *world = phys->world;
    if (base_load_relaxed(&phys->advice.shape) || filo_has(world, entity, FiloMover2)) return;
    for (FiloEntity at = entity; at.id != 0; at = filo_entity_parent(world, at))
        if (filo_has(world, at, FiloBody2) || !filo_entity_active(world, at)) return;
    base_store_relaxed(&phys->advice.shape, true);
    filo_log_warn(
        "physics",
        "the shape of entity %u is not in the simulation: neither it nor an ancestor has FiloBody2. "
        "Ground is a body too, of FILO_BODY_STATIC",
        filo_entity_index(entity));
}

typedef struct Asking {
    uint32_t flag;
    const char *flag_name, *event, *other; // other: an event that will do as well
} Asking;

static void advise_asking(Physics2dWorld *phys, const Asking *asking, FiloEvents *events) {
    bool handled = filo_events_handlers(events, filo_name(asking->event)) > 0,
         other = filo_events_handlers(events, filo_name(asking->other)) > 0;
    bool asked = (phys->advice.asked & asking->flag) != 0;
    if ((handled || other) == asked || (!asked && phys->advice.steps < PATIENCE)) return;
    if (asked && asking->flag == FILO_SHAPE_SENSOR) return; // of an area, or for questions
    phys->advice.told |= asking->flag;
    if (asked)
        filo_log_warn("physics", "a shape has %s, but the event \"%s\" has no handler", asking->flag_name,
                      asking->event);
    else
        filo_log_warn("physics", "the event \"%s\" has a handler, but no shape has %s",
                      handled ? asking->event : asking->other, asking->flag_name);
}

void physics2d_advise_events(Physics2dWorld *phys, FiloEvents *events) {
    static const Asking askings[] = {
        { FILO_SHAPE_EVENTS, "FILO_SHAPE_EVENTS", FILO_CONTACT_BEGIN, FILO_CONTACT_END },
        { FILO_SHAPE_HITS, "FILO_SHAPE_HITS", FILO_CONTACT_HIT, FILO_CONTACT_HIT },
        { FILO_SHAPE_IMPULSES, "FILO_SHAPE_IMPULSES", FILO_CONTACT_IMPULSE, FILO_CONTACT_IMPULSE },
        { FILO_SHAPE_SENSOR, "FILO_SHAPE_SENSOR", FILO_SENSOR_BEGIN, FILO_SENSOR_END },
    };
    if (phys->touching == 0) return; // nothing to report yet
    phys->advice.steps++;
    for (size_t i = 0; i < FILO_COUNT_OF(askings); i++)
        if ((phys->advice.told & askings[i].flag) == 0) advise_asking(phys, &askings[i], events);
}

#else

void physics2d_advise_shape(Physics2dWorld *phys, FiloEntity entity) {
    FILO_UNUSED(phys);
    FILO_UNUSED(entity);
}

void physics2d_advise_events(Physics2dWorld *phys, FiloEvents *events) {
    FILO_UNUSED(phys);
    FILO_UNUSED(events);
}

#endif
