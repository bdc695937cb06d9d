// From components to slots: new and removed bodies, edits, and the bodies that this step moves.
//
// Values are read in every step for bodies that are awake. Others have the tag FiloAsleep, which puts them into tables of
// their own: these are read only where something in their chunk has changed.

#include <filo/hash.h>
#include <filo/log.h>

#include "physics2d/physics2d.h"

#include <stdlib.h>

static bool is_sane(float x) { return filo_abs(x) <= PHYSICS2D_FAR; } // false for NaN

uint32_t physics2d_body_slot(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity);
    if (index >= phys->body_of.count) return 0;
    uint32_t slot = phys->body_of.items[index];
    return slot != 0 && phys->saved.bodies.items[slot].entity == entity.id ? slot : 0;
}

uint32_t physics2d_shape_slot(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity);
    if (index >= phys->shape_of.count) return 0;
    uint32_t slot = phys->shape_of.items[index];
    return slot != 0 && phys->saved.shapes.items[slot].entity == entity.id ? slot : 0;
}

// ---- Removing ---------------------------------------------------------------------------------------------

// Its shapes are listed in `reattach`: they may be those of another body, or of the same one again.
static void remove_body(Physics2dWorld *phys, uint32_t slot) {
    Physics2dSaved *saved = &phys->saved;
    if (saved->bodies.items[slot].island != 0) physics2d_wake(phys, slot);
    while (saved->bodies.items[slot].shape != 0) {
        uint32_t before = saved->bodies.items[slot].shape;
        (void)filo_array_push(&phys->reattach, (FiloEntity){ saved->shapes.items[before].entity });
        physics2d_shape_detach(phys, before);
        if (saved->bodies.items[slot].shape == before) break; // no memory
    }
    Physics2dBody *body = &saved->bodies.items[slot];
    phys->body_of.items[filo_entity_index((FiloEntity){ body->entity })] = 0;
    body->set = PHYSICS2D_FREE;
    saved->body_count--;
}

// Slots of removed bodies become free only when no contact refers to them.
static void free_body(Physics2dWorld *phys, uint32_t slot) {
    phys->bullets -= physics2d_is_bullet(&phys->saved.bodies.items[slot]);
    phys->saved.bodies.items[slot] = (Physics2dBody){ .entity = phys->saved.free_body };
    phys->saved.free_body = slot;
}

// After a file was loaded, what entered and left since the last step is not known: all slots and rows are compared. So that
// the result is the same in both cases, slots are removed in their order, and entities are added by index.

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int by_index(const void *a, const void *b) {
    uint32_t x = filo_entity_index(*(const FiloEntity *)a), y = filo_entity_index(*(const FiloEntity *)b);
    return (x > y) - (x < y);
}

// The slots whose entities left, in order.
bool physics2d_list_left(Physics2dWorld *phys, FiloQuery *query, Physics2dSlotFunction slot_of,
                         Physics2dEntityFunction entity_at, size_t slots, Physics2dIndices *list) {
    size_t count = 0;
    filo_array_clear(list);
    if (phys->reconcile) {
        for (uint32_t i = 1; i < slots; i++) {
            FiloEntity entity = entity_at(phys, i);
            if (entity.id != 0 && !filo_query_matches(query, entity) && !filo_array_push(list, i))
                return false;
        }
        return true;
    }
    const FiloEntity *left = filo_query_left(query, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = slot_of(phys, left[i]);
        if (slot != 0 && !filo_array_push(list, slot)) return false;
    }
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_number);
    return true;
}

// The entities that entered, in order, in `again`.
bool physics2d_list_entered(Physics2dWorld *phys, FiloIter *it, FiloQuery *query,
                            Physics2dSlotFunction slot_of) {
    size_t count = 0;
    filo_array_clear(&phys->entered);
    bool enough = true;
    if (phys->reconcile || phys->rebuild) {
        FiloIter rows = filo_iter_over(it, query);
        while (filo_iter_next(&rows))
            for (size_t i = 0; i < rows.count; i++) {
                FiloEntity entity = filo_iter_entity(&rows, i);
                if (slot_of(phys, entity) == 0) enough = enough && filo_array_push(&phys->entered, entity);
            }
    } else {
        const FiloEntity *entered = filo_query_entered(query, &count);
        for (size_t i = 0; i < count; i++) enough = enough && filo_array_push(&phys->entered, entered[i]);
    }
    if (phys->entered.count > 1)
        qsort(phys->entered.items, phys->entered.count, sizeof *phys->entered.items, by_index);
    return enough;
}

static FiloEntity body_entity(const Physics2dWorld *phys, uint32_t slot) {
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    return (FiloEntity){ body->set != PHYSICS2D_FREE ? body->entity : 0 };
}
static FiloEntity shape_entity(const Physics2dWorld *phys, uint32_t slot) {
    const Physics2dShape *shape = &phys->saved.shapes.items[slot];
    return (FiloEntity){ shape->used != PHYSICS2D_UNUSED ? shape->entity : 0 };
}

static bool remove_left(Physics2dWorld *phys, FiloQuery *bodies, FiloQuery *shapes) {
    if (!physics2d_list_left(phys, shapes, physics2d_shape_slot, shape_entity, phys->saved.shapes.count,
                             &phys->list))
        return false;
    filo_array_each (&phys->list, slot) {
        physics2d_wake(phys, phys->saved.shapes.items[*slot].body);
        physics2d_shape_detach(phys, *slot);
    }
    if (!physics2d_list_left(phys, bodies, physics2d_body_slot, body_entity, phys->saved.bodies.count,
                             &phys->list))
        return false;
    filo_array_clear(&phys->reattach);
    filo_array_each (&phys->list, slot) remove_body(phys, *slot);
    bool enough = true;
    filo_array_each (&phys->reattach, entity) enough = enough && filo_array_push(&phys->again, *entity);
    return enough;
}

static bool list_edited(Physics2dWorld *phys, FiloIter *it, FiloQuery *shapes) {
    FiloIter rows = filo_iter_over(it, shapes);
    bool enough = true;
    while (filo_iter_next(&rows)) {
        const FiloShape2 *shape = filo_read(&rows, FiloShape2);
        for (size_t i = 0; i < rows.count && enough; i++) {
            FiloEntity entity = filo_iter_entity(&rows, i);
            uint32_t slot = physics2d_shape_slot(phys, entity);
            if (slot != 0 && phys->saved.shapes.items[slot].hash != filo_hash(&shape[i], sizeof shape[i]))
                enough = filo_array_push(&phys->again, entity);
        }
    }
    return enough;
}

// Bodies that entered take over the shapes below them, which may have belonged to another body.
static bool list_below_entered(Physics2dWorld *phys, FiloIter *it, FiloQuery *bodies) {
    bool enough = physics2d_list_entered(phys, it, bodies, physics2d_body_slot);
    filo_array_each (&phys->entered, entity) {
        bool has_family = filo_entity_parent(phys->world, *entity).id != 0 ||
                          filo_entity_first_child(phys->world, *entity).id != 0;
        if (has_family) enough = enough && physics2d_list_below(phys, *entity);
    }
    return enough;
}

// Shapes that were edited are detached, and attached again later: `again` has them by index.
static bool detach_changed(Physics2dWorld *phys, FiloIter *it, FiloQuery *bodies, FiloQuery *edited) {
    bool enough = list_edited(phys, it, edited) && list_below_entered(phys, it, bodies);
    filo_array_each (&phys->changed, entity) enough = enough && filo_array_push(&phys->again, *entity);
    physics2d_unlist_changed(phys);
    if (phys->again.count > 1)
        qsort(phys->again.items, phys->again.count, sizeof *phys->again.items, by_index);
    size_t count = 0;
    filo_array_each (&phys->again, item) {
        FiloEntity entity = *item;
        if (count > 0 && phys->again.items[count - 1].id == entity.id) continue;
        if (!filo_entity_exists(phys->world, entity) || !physics2d_is_changed(phys, entity)) continue;
        phys->again.items[count++] = entity;
        uint32_t slot = physics2d_shape_slot(phys, entity);
        if (slot == 0) continue;
        physics2d_wake(phys, phys->saved.shapes.items[slot].body);
        physics2d_shape_detach(phys, slot);
    }
    phys->again.count = count;
    return enough;
}

// ---- Adding -----------------------------------------------------------------------------------------------

static uint32_t take_body(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t slot = saved->free_body;
    if (slot != 0) {
        saved->free_body = (uint32_t)saved->bodies.items[slot].entity;
        return slot;
    }
    slot = (uint32_t)saved->bodies.count;
    return filo_array_push(&saved->bodies, (Physics2dBody){ 0 }) ? slot : 0;
}

static bool attach_shape(Physics2dWorld *phys, FiloEntity entity) {
    const FiloShape2 *shape = filo_get(phys->world, entity, FiloShape2);
    if (shape == NULL || physics2d_shape_slot(phys, entity) != 0) return true;
    Physics2dPlace place;
    uint32_t body = physics2d_body_slot(phys, physics2d_body_of_shape(phys, entity, &place));
    if (body == 0) physics2d_advise_shape(phys, entity);
    return body == 0 || physics2d_shape_attach(phys, entity, shape, &place, body);
}

// What is no kind counts as static.
static uint8_t kind_of(const FiloBody2 *component) {
    return component->kind == FILO_BODY_DYNAMIC || component->kind == FILO_BODY_KINEMATIC
               ? (uint8_t)component->kind
               : (uint8_t)FILO_BODY_STATIC;
}

static void copy_settings(Physics2dWorld *phys, Physics2dBody *body, const FiloBody2 *component) {
    physics2d_advise_body((FiloEntity){ body->entity }, component);
    phys->bullets -= physics2d_is_bullet(body);
    body->kind = kind_of(component);
    body->flags = component->flags;
    phys->bullets += physics2d_is_bullet(body);
    body->given_mass = component->mass;
    body->given_inertia = component->inertia;
}

static bool add_body(Physics2dWorld *phys, FiloEntity entity) {
    const FiloTransform2 *transform = filo_get(phys->world, entity, FiloTransform2);
    const FiloBody2 *component = filo_get(phys->world, entity, FiloBody2);
    if (transform == NULL || component == NULL || physics2d_body_slot(phys, entity) != 0) return true;
    uint32_t index = filo_entity_index(entity);
    if (!physics2d_reach(&phys->body_of, index)) return false;
    uint32_t slot = take_body(phys);
    if (slot == 0) return false;
    Physics2dBody *body = &phys->saved.bodies.items[slot];
    *body = (Physics2dBody){ .entity = entity.id };
    if (slot < phys->states.count) phys->states.items[slot] = (Physics2dState){ 0 }; // of the body before
    copy_settings(phys, body, component);
    FiloVec2 at = transform->position;
    float angle = transform->rotation;
    if (!is_sane(at.x) || !is_sane(at.y) || !is_sane(angle)) {
        filo_log_warn("physics", "body %u is at no valid position, and counts as being at the origin", index);
        at = filo_vec2(0, 0);
        angle = 0;
        FiloTransform2 *repaired = filo_edit(phys->world, entity, FiloTransform2);
        repaired->position = at;
        repaired->rotation = angle;
    }
    physics2d_body_set_pose(body, at.x, at.y, angle);
    bool is_static = body->kind == FILO_BODY_STATIC;
    body->set = is_static ? PHYSICS2D_REST : PHYSICS2D_AWAKE;
    bool asleep = filo_has(phys->world, entity, FiloAsleep);
    if (is_static && !asleep) filo_add(phys->changes, entity, FiloAsleep);
    if (!is_static && asleep) {
        filo_remove(phys->changes, entity, FiloAsleep);
        if (!filo_array_push(&phys->woken, slot)) return false;
    }
    phys->body_of.items[index] = slot;
    phys->saved.body_count++;
    physics2d_check_parents(phys, entity);
    return physics2d_body_mark_stale(phys, slot) && attach_shape(phys, entity);
}

// A file may say of a body that is awake that its entity is asleep: the step would not find its row.
static bool wake_tagged(Physics2dWorld *phys) {
    bool enough = true;
    for (uint32_t i = 1; i < phys->saved.bodies.count && enough; i++) {
        FiloEntity entity = { phys->saved.bodies.items[i].entity };
        if (phys->saved.bodies.items[i].set != PHYSICS2D_AWAKE || !filo_entity_exists(phys->world, entity) ||
            !filo_has(phys->world, entity, FiloAsleep))
            continue;
        filo_remove(phys->changes, entity, FiloAsleep);
        enough = filo_array_push(&phys->woken, i);
    }
    return enough;
}

static bool add_entered(Physics2dWorld *phys, FiloIter *it, FiloQuery *bodies, FiloQuery *shapes) {
    bool enough = physics2d_list_entered(phys, it, bodies, physics2d_body_slot);
    filo_array_each (&phys->entered, entity) enough = enough && add_body(phys, *entity);
    enough = enough && physics2d_list_entered(phys, it, shapes, physics2d_shape_slot);
    filo_array_each (&phys->again, entity) enough = enough && filo_array_push(&phys->entered, *entity);
    if (phys->again.count > 0)
        qsort(phys->entered.items, phys->entered.count, sizeof *phys->entered.items, by_index);
    filo_array_each (&phys->entered, entity) enough = enough && attach_shape(phys, *entity);
    filo_array_clear(&phys->again);
    physics2d_unlist_changed(phys);
    if (enough) phys->rebuild = phys->reconcile = false;
    return enough;
}

// ---- Edits ------------------------------------------------------------------------------------------------

static bool same_bits(float a, float b) { return filo_float_to_bits(a) == filo_float_to_bits(b); }

static bool same_settings(const Physics2dBody *body, const FiloBody2 *component) {
    return body->kind == kind_of(component) && body->flags == component->flags &&
           same_bits(body->given_mass, component->mass) && same_bits(body->given_inertia, component->inertia);
}

// Other flags or another mass: the body stays what it is, with its contacts.
static bool change_settings(Physics2dWorld *phys, uint32_t slot, const FiloBody2 *component) {
    Physics2dBody *body = &phys->saved.bodies.items[slot];
    if (body->kind != kind_of(component)) return false;
    copy_settings(phys, body, component);
    physics2d_body_update_mass(phys, slot);
    return true;
}

static bool is_moved(const Physics2dBody *body, const FiloTransform2 *transform) {
    return body->px != transform->position.x || body->py != transform->position.y ||
           body->angle != transform->rotation;
}

static bool is_pushed(const FiloBody2 *c) {
    return c->velocity.x != 0 || c->velocity.y != 0 || c->angular_velocity != 0 || c->force.x != 0 ||
           c->force.y != 0 || c->torque != 0;
}

// False if the transform is not valid; it is then written back by the step.
static bool teleport(Physics2dWorld *phys, uint32_t slot, const FiloTransform2 *to) {
    Physics2dBody *body = &phys->saved.bodies.items[slot];
    if (!is_sane(to->position.x) || !is_sane(to->position.y) || !is_sane(to->rotation)) {
        filo_log_warn("physics", "body %u was moved to no valid position, and stays where it was",
                      filo_entity_index((FiloEntity){ body->entity }));
        return false;
    }
    physics2d_body_set_pose(body, to->position.x, to->position.y, to->rotation);
    return true;
}

// A body of another kind is removed and added again: its contacts may be of another kind too.
static bool replace_body(Physics2dWorld *phys, uint32_t slot) {
    FiloEntity entity = { phys->saved.bodies.items[slot].entity };
    filo_array_clear(&phys->reattach);
    remove_body(phys, slot);
    physics2d_purge(phys);
    free_body(phys, slot);
    bool enough = add_body(phys, entity);
    filo_array_each (&phys->reattach, shape) enough = enough && attach_shape(phys, *shape);
    return enough;
}

static bool edit_resting(Physics2dWorld *phys, uint32_t slot, FiloTransform2 *transform,
                         const FiloBody2 *component) {
    Physics2dBody *body = &phys->saved.bodies.items[slot];
    if (!same_settings(body, component)) {
        if (!change_settings(phys, slot, component)) return replace_body(phys, slot);
        if (body->kind != FILO_BODY_STATIC) physics2d_wake(phys, slot);
    }
    if (is_moved(body, transform)) {
        physics2d_wake(phys, slot);
        if (teleport(phys, slot, transform)) {
            physics2d_body_update_boxes(phys, slot);
            physics2d_wake_near(phys);
        } else {
            transform->position = filo_vec2(body->px, body->py);
            transform->rotation = body->angle;
        }
    }
    if (body->kind != FILO_BODY_STATIC && is_pushed(component)) physics2d_wake(phys, slot);
    return true;
}

static bool read_resting(Physics2dWorld *phys, FiloIter *it, FiloQuery *resting) {
    // Collected first: the iteration is over when they are changed.
    filo_array_clear(&phys->again);
    FiloIter rows = filo_iter_over(it, resting);
    bool enough = true;
    while (filo_iter_next(&rows)) {
        const FiloTransform2 *transform = filo_read(&rows, FiloTransform2);
        const FiloBody2 *component = filo_read(&rows, FiloBody2);
        for (size_t i = 0; i < rows.count && enough; i++) {
            FiloEntity entity = filo_iter_entity(&rows, i);
            uint32_t slot = physics2d_body_slot(phys, entity);
            if (slot == 0) continue;
            const Physics2dBody *body = &phys->saved.bodies.items[slot];
            if (body->set != PHYSICS2D_REST ||
                (same_settings(body, &component[i]) && !is_moved(body, &transform[i]) &&
                 (body->kind == FILO_BODY_STATIC || !is_pushed(&component[i]))))
                continue;
            enough = filo_array_push(&phys->again, entity);
        }
    }
    filo_array_each (&phys->again, entity) {
        uint32_t slot = physics2d_body_slot(phys, *entity);
        FiloTransform2 *transform = filo_edit(phys->world, *entity, FiloTransform2);
        const FiloBody2 *component = filo_get(phys->world, *entity, FiloBody2);
        if (slot != 0 && transform != NULL && component != NULL)
            enough = enough && edit_resting(phys, slot, transform, component);
    }
    filo_array_clear(&phys->again);
    return enough;
}

// ---- Bodies of the step -----------------------------------------------------------------------------------

static float clean(float x, bool *bad) {
    if (is_sane(x)) return x;
    *bad = true;
    return 0;
}

static void repair(FiloBody2 *c, uint32_t index) {
    bool bad = false;
    c->velocity = filo_vec2(clean(c->velocity.x, &bad), clean(c->velocity.y, &bad));
    c->angular_velocity = clean(c->angular_velocity, &bad);
    if (!(filo_abs(c->force.x) <= 1e20f) || !(filo_abs(c->force.y) <= 1e20f) ||
        !(filo_abs(c->torque) <= 1e20f)) {
        bad = true;
        c->force = filo_vec2(0, 0);
        c->torque = 0;
    }
    c->damping = clean(c->damping, &bad);
    c->angular_damping = clean(c->angular_damping, &bad);
    c->gravity_scale = clean(c->gravity_scale, &bad);
    if (bad)
        filo_log_warn("physics", "body %u has a velocity, force or damping that is not valid, now 0", index);
}

static bool has_sane_motion(const FiloBody2 *c) {
    return is_sane(c->velocity.x + c->velocity.y + c->angular_velocity + c->force.x + c->force.y + c->torque +
                   c->damping + c->angular_damping + c->gravity_scale);
}

// Repairs and teleports a body.
static void read_awake(Physics2dWorld *phys, const Physics2dAwake *item) {
    Physics2dBody *body = &phys->saved.bodies.items[item->body];
    FiloTransform2 *transform = item->transform;
    if (!has_sane_motion(item->component))
        repair(item->component, filo_entity_index((FiloEntity){ body->entity }));
    if (!is_moved(body, transform)) return;
    if (!teleport(phys, item->body, transform)) {
        transform->position = filo_vec2(body->px, body->py);
        transform->rotation = body->angle;
    }
    body->sleep_time = 0;
    physics2d_body_update_boxes(phys, item->body);
}

bool physics2d_add_awake(Physics2dWorld *phys, uint32_t slot, FiloTransform2 *transform, FiloBody2 *c) {
    Physics2dAwake item = { slot, phys->saved.bodies.items[slot].flags, transform, c };
    uint32_t number = (uint32_t)phys->awake.count;
    if (!filo_array_push(&phys->awake, item) || !filo_array_push(&phys->motions, (Physics2dMotion){ 0 }))
        return false;
    phys->awake_of.items[slot] = number;
    read_awake(phys, &item);
    return true;
}

// One row after the other.
static bool gather_rows(Physics2dWorld *phys, FiloIter *it) {
    FiloIter rows = filo_iter_over(it, it->query);
    bool enough = true;
    while (filo_iter_next(&rows)) {
        FiloTransform2 *transform = filo_write(&rows, FiloTransform2);
        FiloBody2 *component = filo_write(&rows, FiloBody2);
        for (size_t i = 0; i < rows.count && enough; i++) {
            FiloEntity entity = filo_iter_entity(&rows, i);
            uint32_t slot = physics2d_body_slot(phys, entity);
            if (slot == 0) continue;
            const Physics2dBody *body = &phys->saved.bodies.items[slot];
            if (!same_settings(body, &component[i]) && !change_settings(phys, slot, &component[i]))
                enough = filo_array_push(&phys->again, entity);
            else if (body->set == PHYSICS2D_AWAKE)
                enough = physics2d_add_awake(phys, slot, &transform[i], &component[i]);
        }
    }
    return enough;
}

// ---- Bodies of the step, on all workers -------------------------------------------------------------------

// In nearly all steps each row is a body that is awake and of the same kind as before. Then the number of each is known
// beforehand. Bodies that were edited are read afterwards, one after the other. In other steps the rows are gathered again.

static bool list_rows(Physics2dWorld *phys, FiloIter *it) {
    FiloIter rows = filo_iter_over(it, it->query);
    bool enough = true;
    filo_array_clear(&phys->rows);
    filo_array_clear(&phys->row_entities);
    while (filo_iter_next(&rows)) {
        Physics2dRows part = { .transforms = filo_write(&rows, FiloTransform2),
                               .components = filo_write(&rows, FiloBody2),
                               .first = phys->row_entities.count,
                               .count = rows.count };
        enough = enough && physics2d_at_least(&phys->row_entities, part.first + part.count) &&
                 filo_array_push(&phys->rows, part);
        if (!enough) continue;
        filo_iter_entities(&rows, phys->row_entities.items + part.first);
        phys->row_entities.count += part.count;
    }
    return enough;
}

static bool is_edited(const Physics2dBody *body, const FiloTransform2 *transform, const FiloBody2 *c) {
    return !same_settings(body, c) || is_moved(body, transform) || !has_sane_motion(c);
}

static void gather_parts(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t k = begin; k < end; k++) {
        Physics2dRows *rows = &phys->rows.items[k];
        for (size_t i = 0; i < rows->count; i++) {
            uint32_t slot = physics2d_body_slot(phys, phys->row_entities.items[rows->first + i]);
            const Physics2dBody *body = &phys->saved.bodies.items[slot];
            if (slot == 0 || body->set != PHYSICS2D_AWAKE || body->kind != kind_of(&rows->components[i])) {
                rows->irregular = true;
                return;
            }
            phys->awake.items[rows->first + i] =
                (Physics2dAwake){ slot, body->flags, &rows->transforms[i], &rows->components[i] };
            phys->awake_of.items[slot] = (uint32_t)(rows->first + i);
            rows->edited = rows->edited || is_edited(body, &rows->transforms[i], &rows->components[i]);
        }
    }
}

static void read_edited(Physics2dWorld *phys, const Physics2dRows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        Physics2dAwake *item = &phys->awake.items[rows->first + i];
        const Physics2dBody *body = &phys->saved.bodies.items[item->body];
        if (!is_edited(body, item->transform, item->component)) continue;
        if (!same_settings(body, item->component)) (void)change_settings(phys, item->body, item->component);
        item->locks = body->flags;
        read_awake(phys, item);
    }
}

// False without memory.
static bool gather_awake(Physics2dWorld *phys, FiloIter *it) {
    if (!list_rows(phys, it)) return false;
    size_t count = phys->row_entities.count;
    if (!physics2d_at_least(&phys->awake, count) || !physics2d_at_least(&phys->motions, count)) return false;
    physics2d_for(phys, phys->rows.count, 4, gather_parts, phys);
    filo_array_each (&phys->rows, rows)
        if (rows->irregular) return gather_rows(phys, it);
    phys->awake.count = phys->motions.count = count;
    filo_array_each (&phys->rows, rows)
        if (rows->edited) read_edited(phys, rows);
    return true;
}

static bool gather(Physics2dWorld *phys, FiloIter *it) {
    size_t bodies = phys->saved.bodies.count;
    filo_array_clear(&phys->awake);
    filo_array_clear(&phys->motions);
    if (!physics2d_resize(&phys->awake_of, bodies) || !physics2d_resize(&phys->states, bodies) ||
        !gather_awake(phys, it))
        return false;
    bool enough = true;
    filo_array_each (&phys->again, entity) {
        uint32_t slot = physics2d_body_slot(phys, *entity);
        if (slot == 0) continue;
        enough = enough && replace_body(phys, slot);
        slot = physics2d_body_slot(phys, *entity);
        if (slot != 0 && phys->saved.bodies.items[slot].set == PHYSICS2D_AWAKE)
            enough = enough && filo_array_push(&phys->woken, slot);
    }
    filo_array_clear(&phys->again);
    bodies = phys->saved.bodies.count;
    enough = enough && physics2d_resize(&phys->awake_of, bodies) && physics2d_resize(&phys->states, bodies);
    return enough;
}

static bool add_woken(Physics2dWorld *phys) {
    bool enough = true;
    for (size_t i = 0; i < phys->woken.count && enough; i++) {
        uint32_t slot = phys->woken.items[i], number = phys->awake_of.items[slot];
        const Physics2dBody *body = &phys->saved.bodies.items[slot];
        if (body->set != PHYSICS2D_AWAKE) continue;
        if (number < phys->awake.count && phys->awake.items[number].body == slot) continue;
        FiloEntity entity = { body->entity };
        enough = physics2d_add_awake(phys, slot, filo_edit(phys->world, entity, FiloTransform2),
                                     filo_edit(phys->world, entity, FiloBody2));
    }
    filo_array_clear(&phys->woken);
    return enough;
}

static void update_stale(Physics2dWorld *phys) {
    filo_array_each (&phys->stale, slot) {
        Physics2dBody *body = &phys->saved.bodies.items[*slot];
        if (body->set == PHYSICS2D_FREE) continue;
        physics2d_body_update_mass(phys, *slot);
        physics2d_body_update_boxes(phys, *slot);
    }
    filo_array_clear(&phys->stale);
}

bool physics2d_sync(Physics2dWorld *phys, FiloIter *it) {
    FiloQuery *bodies = filo_iter_extra_query(it, 0), *shapes = filo_iter_extra_query(it, 1),
              *edited = filo_iter_extra_query(it, 2), *resting = filo_iter_extra_query(it, 3);
    filo_array_clear(&phys->again);
    if (!phys->rebuild) {
        if (!remove_left(phys, bodies, shapes)) return false;
        Physics2dIndices removed = phys->list; // not used by what follows
        if (!detach_changed(phys, it, bodies, edited)) return false;
        physics2d_purge(phys);
        filo_array_each (&removed, slot) free_body(phys, *slot);
    }
    if (phys->reconcile && !wake_tagged(phys)) return false;
    if (!add_entered(phys, it, bodies, shapes)) return false;
    update_stale(phys);
    if (!read_resting(phys, it, resting)) return false;
    if (!gather(phys, it)) return false;
    update_stale(phys);
    return add_woken(phys);
}
