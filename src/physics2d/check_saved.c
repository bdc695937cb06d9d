// Whether bytes of a file are a state that the solver can have saved.
//
// A file may be hostile behind a right checksum. Each index is below the count that it refers to; what has a list is in exactly one;
// lists end; two shapes do not share a polygon, and two slots do not have the same entity; numbers are finite and within what
// shapes and positions may have. What such a state does in steps may be nonsense, but it does no harm.
//
// Free slots that are in no list are allowed: a step that ran out of memory leaves some.

#include "physics2d/physics2d.h"

#define FARTHEST (100 * PHYSICS2D_FAR) // of points and boxes, with all offsets of shapes in their bodies

// What is known of each index of an entity, and of each polygon.
enum { HAS_BODY = 1, HAS_SHAPE = 2, HAS_JOINT = 4 };

typedef struct Check {
    const Physics2dSaved *saved;
    uint8_t *entities; // marks
    size_t entity_count;
    uint8_t *polygons; // in use
} Check;

static bool is_number(float x) { return filo_abs(x) <= FLT_MAX; } // false for NaN
static bool is_near(float x) { return filo_abs(x) <= FARTHEST; }
static bool is_sane(float x) { return filo_abs(x) <= PHYSICS2D_FAR; }

static bool are_numbers(const float *numbers, size_t count) {
    bool all = true;
    for (size_t i = 0; i < count; i++) all = all && is_number(numbers[i]);
    return all;
}

static bool claim_entity(const Check *check, uint64_t id, uint8_t mark) {
    uint32_t index = filo_entity_index((FiloEntity){ id });
    if (index >= check->entity_count || (check->entities[index] & mark) != 0) return false;
    check->entities[index] |= mark;
    return true;
}

// ---- Shapes -----------------------------------------------------------------------------------------------

static bool check_polygon(const Check *check, const Physics2dShape *shape) {
    if (shape->kind == PHYSICS2D_CIRCLE) return shape->polygon == 0 && shape->chain == 0;
    if (shape->polygon == 0 || check->polygons[shape->polygon]) return false;
    check->polygons[shape->polygon] = 1;
    const Physics2dPolygon *polygon = &check->saved->polygons.items[shape->polygon];
    for (uint32_t i = 0; i < FILO_SHAPE_POINTS; i++)
        if (!is_near(polygon->v[i].x) || !is_near(polygon->v[i].y) || !(filo_abs(polygon->n[i].x) <= 1.01f) ||
            !(filo_abs(polygon->n[i].y) <= 1.01f))
            return false;
    bool is_capsule = shape->kind == PHYSICS2D_CAPSULE;
    return shape->chain <= (is_capsule ? PHYSICS2D_CHAIN_BEFORE | PHYSICS2D_CHAIN_AFTER : 0) &&
           (is_capsule ? shape->count == 2 : shape->count >= 3);
}

static bool check_used(const Check *check, size_t i) {
    const Physics2dShape *shape = &check->saved->shapes.items[i];
    const Physics2dBox *box = &check->saved->boxes.items[i];
    const float numbers[] = { shape->density, shape->friction, shape->restitution, shape->rolling,
                              shape->surface, shape->ux,       shape->uy };
    return (shape->kind != PHYSICS2D_CIRCLE || shape->count == 1) && check_polygon(check, shape) &&
           shape->friction_mix <= FILO_MIX_MAXIMUM && shape->restitution_mix <= FILO_MIX_MAXIMUM &&
           is_sane(shape->radius) && shape->radius >= 0 && is_near(shape->x) && is_near(shape->y) &&
           are_numbers(numbers, FILO_COUNT_OF(numbers)) && is_near(box->x0) && is_near(box->y0) &&
           is_near(box->x1) && is_near(box->y1);
}

static bool check_shapes(const Check *check) {
    const Physics2dSaved *saved = check->saved;
    size_t used = 0;
    for (size_t i = 0; i < saved->shapes.count; i++) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (saved->moved.items[i] > 1) return false;
        if (shape->used == PHYSICS2D_UNUSED) continue;
        used++;
        if (i == 0 || (shape->used != PHYSICS2D_USED && shape->used != PHYSICS2D_DEGENERATE) ||
            shape->body == 0 || shape->body >= saved->bodies.count ||
            saved->bodies.items[shape->body].set == PHYSICS2D_FREE || shape->kind > PHYSICS2D_POLYGON ||
            shape->count > FILO_SHAPE_POINTS || shape->polygon >= saved->polygons.count ||
            !claim_entity(check, shape->entity, HAS_SHAPE))
            return false;
        if (shape->used == PHYSICS2D_USED ? !check_used(check, i)
                                          : shape->kind != PHYSICS2D_CIRCLE || shape->polygon != 0 ||
                                                shape->radius != 0 || shape->x != 0 || shape->y != 0)
            return false;
    }
    return used == saved->shape_count;
}

// ---- Bodies -----------------------------------------------------------------------------------------------

static bool check_pose(const Physics2dBody *body) {
    return is_sane(body->px) && is_sane(body->py) && is_sane(body->angle) && is_near(body->cx) &&
           is_near(body->cy) && is_near(body->lx) && is_near(body->ly) && filo_abs(body->c) <= 1.01f &&
           filo_abs(body->s) <= 1.01f;
}

// `given_mass` and `given_inertia` are copies of the component, and may be anything.
static bool check_body(const Physics2dBody *body) {
    const float numbers[] = { body->inv_mass, body->inv_inertia, body->mass,      body->inertia,
                              body->extent,   body->min_extent,  body->sleep_time };
    bool in_island = body->kind == FILO_BODY_DYNAMIC && body->set == PHYSICS2D_REST;
    return body->kind <= FILO_BODY_STATIC && body->stale == 0 && (body->island != 0) == in_island &&
           (body->kind != FILO_BODY_STATIC || body->set == PHYSICS2D_REST) && check_pose(body) &&
           are_numbers(numbers, FILO_COUNT_OF(numbers));
}

// The shapes of a body, in both directions.
static bool check_list(const Physics2dSaved *saved, uint32_t body, size_t *listed) {
    uint32_t before = 0;
    for (uint32_t i = saved->bodies.items[body].shape; i != 0; i = saved->shapes.items[i].next) {
        if (i >= saved->shapes.count || (*listed)++ >= saved->shape_count) return false;
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used == PHYSICS2D_UNUSED || shape->body != body || shape->before != before) return false;
        before = i;
    }
    return true;
}

static bool check_bodies(const Check *check) {
    const Physics2dSaved *saved = check->saved;
    size_t listed = 0, used = 0;
    for (uint32_t i = 0; i < saved->bodies.count; i++) {
        const Physics2dBody *body = &saved->bodies.items[i];
        if (body->set > PHYSICS2D_REST) return false;
        if (body->set == PHYSICS2D_FREE) continue;
        used++;
        if (i == 0 || !check_body(body) || !claim_entity(check, body->entity, HAS_BODY) ||
            !check_list(saved, i, &listed))
            return false;
    }
    return used == saved->body_count && listed == saved->shape_count;
}

// ---- Islands and contacts ---------------------------------------------------------------------------------

static bool check_island(const Physics2dSaved *saved, uint32_t number, size_t *bodies, size_t *stored) {
    const Physics2dIsland *island = &saved->islands.items[number];
    for (uint32_t i = island->body; i != 0; i = saved->bodies.items[i].next) {
        if (i >= saved->bodies.count || (*bodies)++ >= saved->body_count) return false;
        const Physics2dBody *body = &saved->bodies.items[i];
        if (body->set == PHYSICS2D_FREE || body->island != number) return false;
    }
    for (uint32_t i = island->stored; i != 0; i = saved->stored.items[i].next)
        if (i >= saved->stored.count || saved->stored.items[i].island != number ||
            (*stored)++ >= saved->stored.count)
            return false;
    return true;
}

// What says that it is in an island is in the list of that island.
static bool check_islands(const Physics2dSaved *saved) {
    size_t bodies = 0, stored = 0, islands = 0;
    for (uint32_t i = 1; i < saved->islands.count; i++) {
        if (saved->islands.items[i].body == 0) continue; // a free one
        islands++;
        if (!check_island(saved, i, &bodies, &stored)) return false;
    }
    filo_array_each (&saved->bodies, body) bodies -= body->set != PHYSICS2D_FREE && body->island != 0;
    filo_array_each (&saved->stored, item) stored -= item->island != 0;
    return bodies == 0 && stored == 0 && islands == saved->island_count;
}

static bool check_numbers(const Physics2dContact *contact) {
    const float numbers[] = { contact->friction, contact->restitution,     contact->rolling, contact->surface,
                              contact->nx,       contact->rolling_impulse, contact->ny };
    bool all = are_numbers(numbers, FILO_COUNT_OF(numbers));
    for (int i = 0; i < 2; i++) {
        const Physics2dPoint *p = &contact->points[i];
        const float of_point[] = {
            p->ax, p->ay, p->bx, p->by, p->separation, p->impulse, p->friction_impulse
        };
        all = all && are_numbers(of_point, FILO_COUNT_OF(of_point));
    }
    return all;
}

// `island` 0: one that is awake. Dynamic bodies that touch wake up and come to rest together.
static bool check_contact(const Physics2dSaved *saved, const Physics2dContact *contact, uint32_t island) {
    if (contact->a >= saved->shapes.count || contact->b >= saved->shapes.count || contact->count > 2)
        return false;
    const Physics2dShape *a = &saved->shapes.items[contact->a], *b = &saved->shapes.items[contact->b];
    if (a->used != PHYSICS2D_USED || b->used != PHYSICS2D_USED || a->body != contact->body_a ||
        b->body != contact->body_b || a->body == b->body || a->kind < b->kind ||
        contact->asks != (uint8_t)(a->flags | b->flags) || contact->passing > 3 ||
        contact->flags > PHYSICS2D_SENSING || (contact->flags & (contact->flags - 1)) != 0 ||
        ((contact->flags & PHYSICS2D_TOUCHING) != 0) != (contact->count > 0) || !check_numbers(contact))
        return false;
    const Physics2dBody *first = &saved->bodies.items[a->body], *second = &saved->bodies.items[b->body];
    if (contact->count == 0) return true;
    bool both = first->kind == FILO_BODY_DYNAMIC && second->kind == FILO_BODY_DYNAMIC;
    return !both || (first->island == island && second->island == island);
}

static bool check_contacts(const Physics2dSaved *saved) {
    filo_array_each (&saved->contacts, contact)
        if (!check_contact(saved, contact, 0)) return false;
    filo_array_each (&saved->stored, stored)
        if (stored->island >= saved->islands.count ||
            (stored->island != 0 && !check_contact(saved, &stored->contact, stored->island)))
            return false;
    filo_array_each (&saved->bodies, body)
        if (body->set != PHYSICS2D_FREE && body->island >= saved->islands.count) return false;
    return true;
}

// ---- Joints and areas -------------------------------------------------------------------------------------

static bool check_joint(const Check *check, const Physics2dJoint *joint) {
    const Physics2dSaved *saved = check->saved;
    const float numbers[] = { joint->px,     joint->py,    joint->fx,     joint->fy,
                              joint->torque, joint->ahead, joint->gear_a, joint->gear_b };
    return joint->used == 1 && joint->bad <= 1 && joint->body_a < saved->bodies.count &&
           joint->body_b < saved->bodies.count && claim_entity(check, joint->entity, HAS_JOINT) &&
           are_numbers(numbers, FILO_COUNT_OF(numbers)) && are_numbers(joint->impulses, PHYSICS2D_ROWS) &&
           (joint->bad || physics2d_joint_problem(&joint->settings) == NULL);
}

static bool check_joints(const Check *check) {
    const Physics2dSaved *saved = check->saved;
    size_t used = 0;
    for (size_t i = 0; i < saved->joints.count; i++) {
        const Physics2dJoint *joint = &saved->joints.items[i];
        if (joint->used == 0) continue;
        used++;
        if (i == 0 || !check_joint(check, joint)) return false;
    }
    filo_array_each (&saved->areas, area)
        if (area->shape >= saved->shapes.count || !is_near(area->box.x0) || !is_near(area->box.y0) ||
            !is_near(area->box.x1) || !is_near(area->box.y1))
            return false;
    return used == saved->joint_count;
}

// ---- Free slots -------------------------------------------------------------------------------------------

// `in_use` and `next_of` are expressions of `i`.
#define CHECK_FREE(array, first, in_use, next_of)                                                            \
    do {                                                                                                     \
        size_t steps = 0;                                                                                    \
        for (uint32_t i = (first); i != 0; i = (next_of))                                                    \
            if (i >= (array).count || (in_use) || steps++ >= (array).count) return false;                    \
    } while (0)

static bool check_free(const Check *check) {
    const Physics2dSaved *saved = check->saved;
    CHECK_FREE(saved->bodies, saved->free_body, saved->bodies.items[i].set != PHYSICS2D_FREE,
               (uint32_t)saved->bodies.items[i].entity);
    CHECK_FREE(saved->shapes, saved->free_shape, saved->shapes.items[i].used != PHYSICS2D_UNUSED,
               (uint32_t)saved->shapes.items[i].entity);
    CHECK_FREE(saved->islands, saved->free_island, saved->islands.items[i].body != 0,
               saved->islands.items[i].stored);
    CHECK_FREE(saved->stored, saved->free_stored, saved->stored.items[i].island != 0,
               saved->stored.items[i].next);
    CHECK_FREE(saved->joints, saved->free_joint, saved->joints.items[i].used != 0,
               (uint32_t)saved->joints.items[i].entity);
    // The number of a polygon is in a float.
    size_t steps = 0, count = saved->polygons.count;
    for (uint32_t i = saved->free_polygon; i != 0;) {
        if (i >= count || check->polygons[i] || steps++ >= count) return false;
        float next = saved->polygons.items[i].v[0].x;
        if (!(next >= 0 && next < (float)count)) return false;
        i = (uint32_t)next;
    }
    return true;
}

// ---- All of it --------------------------------------------------------------------------------------------

static const char *find_problem(const Check *check) {
    const Physics2dSaved *saved = check->saved;
    if (!check_shapes(check)) return "a shape";
    if (!check_bodies(check)) return "a body";
    if (!check_contacts(saved)) return "a contact";
    if (!check_islands(saved)) return "an island of bodies at rest";
    if (!check_joints(check)) return "a joint or an area";
    return check_free(check) ? NULL : "a list of free slots";
}

FiloResult physics2d_check_saved(const Physics2dSaved *saved, uint32_t entities,
                                 const FiloAllocator *allocator) {
    size_t size = (size_t)entities + saved->polygons.count;
    uint8_t *marks = filo_alloc_zero(allocator, size, 0);
    if (marks == NULL) return filo_error(FILO_ERROR_MEMORY, "physics: no memory for %zu bytes", size);
    Check check = { saved, marks, entities, marks + entities };
    const char *problem = find_problem(&check);
    filo_free(allocator, marks, size, 0);
    return problem == NULL ? filo_ok() : filo_error(FILO_ERROR_DATA, "physics: %s makes no sense", problem);
}
