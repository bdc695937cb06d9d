// Shapes on descendants of a body: which body they belong to, and their transform in it.
//
// What a shape belongs to depends on all entities from it up to its body. A step must not look at all of them again. So the
// system "physics 2D shapes" collects the shapes that may have changed: below entities that were moved, activated,
// deactivated, or got another parent. `marks` says, by index of the entity, which entities have a shape below them, so that other
// families cost a look at one byte. The step compares these shapes with their slots: what is equal stays as it is.
//
// A mark that is not true any more costs a search without result, and nothing else. So marks are not removed.

#include <filo/hash.h>
#include <filo/log.h>

#include "physics2d/physics2d.h"

enum { ABOVE_SHAPE = 1, LISTED = 2 };

static bool mark(Physics2dWorld *phys, FiloEntity entity, uint8_t bit) {
    uint32_t index = filo_entity_index(entity);
    if (!physics2d_reach(&phys->marks, index)) return false;
    phys->marks.items[index] |= bit;
    return true;
}

static bool has_mark(const Physics2dWorld *phys, FiloEntity entity, uint8_t bit) {
    uint32_t index = filo_entity_index(entity);
    return index < phys->marks.count && (phys->marks.items[index] & bit) != 0;
}

// ---- Where a shape belongs --------------------------------------------------------------------------------

static void place_in_parent(Physics2dPlace *place, const FiloTransform2 *transform) {
    if (transform == NULL) return;
    place->position = filo_vec2_add(
        transform->position,
        transform->rotation != 0 ? filo_vec2_rotate(place->position, transform->rotation) : place->position);
    place->angle += transform->rotation;
}

FiloEntity physics2d_body_of_shape(Physics2dWorld *phys, FiloEntity entity, Physics2dPlace *place) {
    const FiloWorld *world = phys->world;
    bool active = true;
    *place = (Physics2dPlace){ 0 };
    for (FiloEntity at = entity; at.id != 0; at = filo_entity_parent(world, at)) {
        active = active && filo_entity_active(world, at);
        if (filo_has(world, at, FiloBody2)) {
            float sum = place->position.x + place->position.y + place->angle;
            if (!(filo_abs(sum) <= FLT_MAX)) place->angle = FLT_MAX; // one of many: refused later
            return active ? at : (FiloEntity){ 0 };
        }
        place_in_parent(place, filo_get(world, at, FiloTransform2));
        (void)mark(phys, at, ABOVE_SHAPE); // without memory, which is reported, edits are missed
    }
    return (FiloEntity){ 0 };
}

uint64_t physics2d_shape_hash(const FiloShape2 *component, const Physics2dPlace *place) {
    uint64_t hash = filo_hash(component, sizeof *component);
    bool placed = place->position.x != 0 || place->position.y != 0 || place->angle != 0;
    return placed ? hash * 31 + filo_hash(place, sizeof *place) : hash;
}

// ---- The mass of a new body ----------------------------------------------------------------------------------

// The shapes of a body that has no slot, in the order of the family.
typedef struct NewBody {
    const FiloWorld *world;
    FiloEntity entity;
    FiloVec2 centre;
    float mass, inertia; // sums; inertia about `centre`
    FiloVec2 moment;
} NewBody;

static void sum_shape(NewBody *body, FiloEntity entity) {
    const FiloShape2 *component = filo_get(body->world, entity, FiloShape2);
    Physics2dPlace place = { 0 };
    for (FiloEntity at = entity; at.id != body->entity.id; at = filo_entity_parent(body->world, at))
        place_in_parent(&place, filo_get(body->world, at, FiloTransform2));
    Physics2dShape shape = { 0 };
    Physics2dPolygon polygon;
    const char *problem;
    float sum = place.position.x + place.position.y + place.angle;
    if (component == NULL || !(filo_abs(sum) <= FLT_MAX) ||
        !physics2d_shape_build(component, &shape, &polygon, &problem) ||
        !physics2d_shape_place(&shape, &polygon, &place, &problem))
        return;
    FiloMass2 m = physics2d_shape_mass(&shape, &polygon);
    body->mass += m.mass;
    body->moment = filo_vec2_add_scaled(body->moment, m.centre, m.mass);
    body->inertia += m.inertia + m.mass * filo_vec2_distance_squared(m.centre, body->centre);
}

static void sum_shapes(NewBody *body) {
    const FiloWorld *world = body->world;
    body->mass = body->inertia = 0;
    body->moment = filo_vec2(0, 0);
    for (FiloEntity at = body->entity;;) {
        bool is_top = at.id == body->entity.id;
        // Of others only if they are active; bodies have shapes of their own.
        bool counts = is_top || (filo_entity_active(world, at) && !filo_has(world, at, FiloBody2));
        if (counts) sum_shape(body, at);
        FiloEntity next = counts ? filo_entity_first_child(world, at) : FILO_ENTITY_NONE;
        while (next.id == 0 && at.id != body->entity.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        if (next.id == 0) return;
        at = next;
    }
}

Physics2dInverse physics2d_inverse_of_new(const Physics2dWorld *phys, FiloEntity entity,
                                          const FiloBody2 *component) {
    NewBody body = { .world = phys->world, .entity = entity };
    sum_shapes(&body);
    if (body.mass > PHYSICS2D_LIGHTEST && body.mass < PHYSICS2D_HEAVIEST) {
        body.centre = filo_vec2_scale(body.moment, 1.0f / body.mass);
        sum_shapes(&body); // about the centre
    }
    physics2d_finish_mass(component->mass, component->inertia, &body.mass, &body.inertia);
    bool turns = body.inertia > 0 && (component->flags & FILO_BODY_FIXED_ROTATION) == 0;
    return (Physics2dInverse){ 1.0f / body.mass, turns ? 1.0f / body.inertia : 0, body.centre };
}

// ---- Shapes that may have changed -------------------------------------------------------------------------

static bool list_shape(Physics2dWorld *phys, FiloEntity entity) {
    if (has_mark(phys, entity, LISTED)) return true;
    return mark(phys, entity, LISTED) && filo_array_push(&phys->changed, entity);
}

bool physics2d_list_below(Physics2dWorld *phys, FiloEntity top) {
    const FiloWorld *world = phys->world;
    bool enough = true;
    for (FiloEntity at = top; enough;) {
        if (filo_has(world, at, FiloShape2)) enough = list_shape(phys, at);
        bool other = at.id != top.id && filo_has(world, at, FiloBody2); // its shapes are its own
        FiloEntity next = other ? (FiloEntity){ 0 } : filo_entity_first_child(world, at);
        while (next.id == 0 && at.id != top.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        if (next.id == 0) break;
        at = next;
    }
    return enough;
}

static bool list_marked(Physics2dWorld *phys, const FiloEntity *entities, size_t count) {
    bool enough = true;
    for (size_t i = 0; i < count && enough; i++)
        if (has_mark(phys, entities[i], ABOVE_SHAPE) && filo_entity_exists(phys->world, entities[i]))
            enough = physics2d_list_below(phys, entities[i]);
    return enough;
}

static bool list_tracked(Physics2dWorld *phys, const FiloQuery *query) {
    size_t entered, left;
    const FiloEntity *in = filo_query_entered(query, &entered), *out = filo_query_left(query, &left);
    return list_marked(phys, in, entered) && list_marked(phys, out, left);
}

static bool list_rows(Physics2dWorld *phys, FiloIter *it, FiloQuery *query, bool marked) {
    FiloIter rows = filo_iter_over(it, query);
    bool enough = true;
    while (filo_iter_next(&rows))
        for (size_t i = 0; i < rows.count && enough; i++) {
            FiloEntity entity = filo_iter_entity(&rows, i);
            enough = marked ? list_marked(phys, &entity, 1) : list_shape(phys, entity);
        }
    return enough;
}

static bool list_reparented(Physics2dWorld *phys, FiloIter *it, FiloQuery *shapes) {
    FiloReparented reparented = filo_world_reparented(phys->world, &phys->reparented_seen);
    if (reparented.lost) return list_rows(phys, it, shapes, false);
    bool enough = true;
    for (size_t i = 0; i < reparented.count && enough; i++) {
        FiloEntity entity = reparented.entities[i];
        if (!filo_entity_exists(phys->world, entity)) continue;
        if (filo_has(phys->world, entity, FiloBody2))
            physics2d_check_parents(phys, entity);
        else
            enough = physics2d_list_below(phys, entity);
    }
    return enough;
}

// A system, before the step.
void physics2d_find_changed_shapes(FiloIter *it) {
    Physics2dWorld *phys = it->user;
    FiloQuery *members = filo_iter_extra_query(it, 0), *placed = filo_iter_extra_query(it, 1),
              *shapes = filo_iter_extra_query(it, 2);
    (void)(list_reparented(phys, it, shapes) && list_tracked(phys, members) && list_tracked(phys, placed) &&
           list_rows(phys, it, it->query, true)); // false without memory, which has been reported
}

void physics2d_unlist_changed(Physics2dWorld *phys) {
    filo_array_each (&phys->changed, entity)
        phys->marks.items[filo_entity_index(*entity)] &= (uint8_t)~LISTED;
    filo_array_clear(&phys->changed);
}

bool physics2d_is_changed(Physics2dWorld *phys, FiloEntity entity) {
    const FiloShape2 *component = filo_get(phys->world, entity, FiloShape2);
    uint32_t slot = physics2d_shape_slot(phys, entity);
    Physics2dPlace place;
    FiloEntity body = component != NULL && filo_entity_active(phys->world, entity)
                          ? physics2d_body_of_shape(phys, entity, &place)
                          : (FiloEntity){ 0 };
    if (slot == 0) return body.id != 0;
    const Physics2dShape *shape = &phys->saved.shapes.items[slot];
    return body.id == 0 || phys->saved.bodies.items[shape->body].entity != body.id ||
           shape->hash != physics2d_shape_hash(component, &place);
}

// ---- Bodies below others ----------------------------------------------------------------------------------

void physics2d_check_parents(Physics2dWorld *phys, FiloEntity body) {
    for (FiloEntity at = filo_entity_parent(phys->world, body); at.id != 0 && !phys->has_warned_of_parent;
         at = filo_entity_parent(phys->world, at))
        if (filo_has(phys->world, at, FiloTransform2)) {
            phys->has_warned_of_parent = true;
            filo_log_warn("physics",
                          "body %u has a parent with a transform, which does not count: bodies are in the "
                          "coordinates of the world. Give it no parent, or connect it by a joint",
                          filo_entity_index(body));
        }
}
