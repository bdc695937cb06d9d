// Slots of shapes, and what bodies have of them: mass and boxes.

#include <filo/log.h>

#include "physics2d/physics2d.h"

// ---- Slots ------------------------------------------------------------------------------------------------

static uint32_t take_polygon(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t slot = saved->free_polygon;
    if (slot != 0) {
        saved->free_polygon = (uint32_t)saved->polygons.items[slot].v[0].x;
        return slot;
    }
    slot = (uint32_t)saved->polygons.count;
    return filo_array_push(&saved->polygons, (Physics2dPolygon){ 0 }) ? slot : 0;
}

static void give_polygon(Physics2dWorld *phys, uint32_t slot) {
    Physics2dPolygon *polygon = &phys->saved.polygons.items[slot];
    memset(polygon, 0, sizeof *polygon);
    polygon->v[0].x = (float)phys->saved.free_polygon; // exact up to 2^24
    phys->saved.free_polygon = slot;
}

static uint32_t take_shape(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t slot = saved->free_shape;
    if (slot != 0) {
        saved->free_shape = (uint32_t)saved->shapes.items[slot].entity;
        return slot;
    }
    slot = (uint32_t)saved->shapes.count;
    if (!filo_array_push(&saved->shapes, (Physics2dShape){ 0 })) return 0;
    if (filo_array_push(&saved->boxes, (Physics2dBox){ 0 }) && filo_array_push(&saved->moved, 0)) return slot;
    saved->shapes.count = slot;
    if (saved->boxes.count > slot) saved->boxes.count = slot;
    return 0;
}

bool physics2d_shape_attach(Physics2dWorld *phys, FiloEntity entity, const FiloShape2 *component,
                            const Physics2dPlace *place, uint32_t body) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t index = filo_entity_index(entity);
    if (!physics2d_reach(&phys->shape_of, index)) return false;
    Physics2dShape built = { .entity = entity.id,
                             .hash = physics2d_shape_hash(component, place),
                             .body = body };
    Physics2dPolygon polygon;
    const char *problem;
    built.used = PHYSICS2D_USED;
    if (!physics2d_shape_build(component, &built, &polygon, &problem) ||
        !physics2d_shape_place(&built, &polygon, place, &problem)) {
        filo_log_warn("physics", "the shape of entity %u does not collide: %s", index, problem);
        built.used = PHYSICS2D_DEGENERATE;
        built.kind = PHYSICS2D_CIRCLE;
        built.massless = 1;
        built.radius = built.x = built.y = 0; // they may be no numbers, and the body has an extent
    }
    if ((uint32_t)component->friction_mix > FILO_MIX_MAXIMUM ||
        (uint32_t)component->restitution_mix > FILO_MIX_MAXIMUM)
        filo_log_warn("physics",
                      "the shape of entity %u has a mix that is none of FiloMix: the default one counts",
                      index);
    uint32_t slot = take_shape(phys);
    if (slot == 0) return false;
    if (built.kind != PHYSICS2D_CIRCLE) {
        built.polygon = take_polygon(phys);
        if (built.polygon == 0) {
            saved->shapes.items[slot] = (Physics2dShape){ .entity = saved->free_shape };
            saved->free_shape = slot;
            return false;
        }
        saved->polygons.items[built.polygon] = polygon;
    }
    built.next = saved->bodies.items[body].shape;
    saved->shapes.items[slot] = built;
    saved->bodies.items[body].shape = slot;
    if (built.next != 0) saved->shapes.items[built.next].before = slot;
    saved->shape_count++;
    phys->moving_shapes += saved->bodies.items[body].kind != FILO_BODY_STATIC;
    phys->shape_of.items[index] = slot;
    phys->advice.asked |= built.flags;
    return physics2d_body_mark_stale(phys, body);
}

void physics2d_shape_detach(Physics2dWorld *phys, uint32_t slot) {
    Physics2dSaved *saved = &phys->saved;
    Physics2dShape *shape = &saved->shapes.items[slot];
    Physics2dBody *body = &saved->bodies.items[shape->body];
    if (shape->used == PHYSICS2D_DEAD || !filo_array_push(&phys->dead, slot)) return;
    shape->used = PHYSICS2D_DEAD;
    phys->moving_shapes -= body->kind != FILO_BODY_STATIC;
    if (shape->before != 0)
        saved->shapes.items[shape->before].next = shape->next;
    else
        body->shape = shape->next;
    if (shape->next != 0) saved->shapes.items[shape->next].before = shape->before;
    (void)physics2d_body_mark_stale(phys, shape->body);
    uint32_t index = filo_entity_index((FiloEntity){ shape->entity });
    if (index < phys->shape_of.count) phys->shape_of.items[index] = 0;
    phys->moving_stale = phys->resting_stale = true;
}

void physics2d_purge(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    if (phys->dead.count == 0) return;
    physics2d_wake_near(phys);
    physics2d_contacts_purge(phys);
    filo_array_each (&phys->dead, slot) {
        Physics2dShape *shape = &saved->shapes.items[*slot];
        if (shape->polygon != 0) give_polygon(phys, shape->polygon);
        *shape = (Physics2dShape){ .entity = saved->free_shape };
        saved->boxes.items[*slot] = (Physics2dBox){ 0 };
        saved->moved.items[*slot] = 0;
        saved->free_shape = *slot;
        saved->shape_count--;
    }
    filo_array_clear(&phys->dead);
}

bool physics2d_body_mark_stale(Physics2dWorld *phys, uint32_t body) {
    if (phys->saved.bodies.items[body].stale) return true;
    if (!filo_array_push(&phys->stale, body)) return false;
    phys->saved.bodies.items[body].stale = 1;
    return true;
}

// ---- Of a body --------------------------------------------------------------------------------------------

void physics2d_body_set_pose(Physics2dBody *body, float x, float y, float angle) {
    FiloSinCos turn = filo_sincos(angle);
    body->px = x;
    body->py = y;
    body->angle = angle;
    body->c = turn.cos;
    body->s = turn.sin;
    body->cx = x + (body->c * body->lx - body->s * body->ly);
    body->cy = y + (body->s * body->lx + body->c * body->ly);
}

// The centre stays as it is if the mass does not count.
static void sum_masses(Physics2dWorld *phys, const Physics2dBody *body, float *mass, float *inertia,
                       FiloVec2 *centre) {
    const Physics2dSaved *saved = &phys->saved;
    float total = 0;
    FiloVec2 sum = { 0, 0 };
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        FiloMass2 m = physics2d_shape_mass(shape, &saved->polygons.items[shape->polygon]);
        total += m.mass;
        sum = filo_vec2_add_scaled(sum, m.centre, m.mass);
    }
    if (total > PHYSICS2D_LIGHTEST && total < PHYSICS2D_HEAVIEST)
        *centre = filo_vec2_scale(sum, 1.0f / total);
    float turning = 0;
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        FiloMass2 m = physics2d_shape_mass(shape, &saved->polygons.items[shape->polygon]);
        turning += m.inertia + m.mass * filo_vec2_distance_squared(m.centre, *centre);
    }
    *mass = total;
    *inertia = turning;
}

// From the sums over the shapes to what counts, with what the component says.
void physics2d_finish_mass(float given_mass, float given_inertia, float *mass, float *inertia) {
    if (given_mass > PHYSICS2D_LIGHTEST && given_mass < PHYSICS2D_HEAVIEST) {
        *inertia = *mass > PHYSICS2D_LIGHTEST ? *inertia * (given_mass / *mass) : 0;
        *mass = given_mass;
    }
    if (!(*mass > PHYSICS2D_LIGHTEST) || !(*mass < PHYSICS2D_HEAVIEST)) *mass = 1;
    if (given_inertia > 0) *inertia = given_inertia;
    if (!(*inertia > PHYSICS2D_LIGHTEST) || !(*inertia < PHYSICS2D_HEAVIEST)) *inertia = 0;
}

void physics2d_body_update_mass(Physics2dWorld *phys, uint32_t slot) {
    Physics2dSaved *saved = &phys->saved;
    Physics2dBody *body = &saved->bodies.items[slot];
    float mass = 0, inertia = 0;
    FiloVec2 centre = { 0, 0 };
    body->stale = 0;
    sum_masses(phys, body, &mass, &inertia, &centre);
    physics2d_finish_mass(body->given_mass, body->given_inertia, &mass, &inertia);
    bool dynamic = body->kind == FILO_BODY_DYNAMIC;
    if (!dynamic) centre = filo_vec2(0, 0); // others turn round their position
    body->lx = centre.x;
    body->ly = centre.y;
    body->mass = dynamic ? mass : 0;
    body->inertia = dynamic ? inertia : 0;
    body->inv_mass = dynamic ? 1.0f / mass : 0;
    body->inv_inertia =
        dynamic && inertia > 0 && (body->flags & FILO_BODY_FIXED_ROTATION) == 0 ? 1.0f / inertia : 0;
    body->extent = 0;
    body->min_extent = FLT_MAX;
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        physics2d_shape_extents(shape, &saved->polygons.items[shape->polygon], centre, &body->extent,
                                &body->min_extent);
    }
    if (body->shape == 0) body->min_extent = 0;
    physics2d_body_set_pose(body, body->px, body->py, body->angle);
}

// Boxes have a margin, so that most movements do not change them. Static bodies do not move.
float physics2d_margin(const Physics2dWorld *phys, const Physics2dBody *body) {
    if (body->kind == FILO_BODY_STATIC) return 0;
    return filo_min(0.1f * phys->settings.unit, 0.25f * body->extent);
}

void physics2d_body_update_boxes(Physics2dWorld *phys, uint32_t slot) {
    Physics2dSaved *saved = &phys->saved;
    const Physics2dBody *body = &saved->bodies.items[slot];
    float margin = physics2d_margin(phys, body);
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        Physics2dBox box = physics2d_shape_box(shape, &saved->polygons.items[shape->polygon], body);
        if (shape->used == PHYSICS2D_DEGENERATE) box = (Physics2dBox){ FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX };
        saved->boxes.items[i] =
            (Physics2dBox){ box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin };
        saved->moved.items[i] = 1;
    }
    if (body->set == PHYSICS2D_AWAKE)
        phys->moving_stale = true;
    else
        phys->resting_stale = true;
}
