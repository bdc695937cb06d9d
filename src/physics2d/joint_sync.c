// Joints: from components to slots, the links of a step, and joints that break.

#include <filo/log.h>

#include "physics2d/physics2d.h"

#include <stddef.h>

#define SETTINGS_SIZE (offsetof(FiloJoint2, break_torque) + sizeof(float)) // without padding

static uint32_t joint_slot(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity);
    if (index >= phys->joint_of.count) return 0;
    uint32_t slot = phys->joint_of.items[index];
    return slot != 0 && phys->saved.joints.items[slot].entity == entity.id ? slot : 0;
}

static uint32_t body_slot(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity);
    if (entity.id == 0 || index >= phys->body_of.count) return 0;
    uint32_t slot = phys->body_of.items[index];
    return slot != 0 && phys->saved.bodies.items[slot].entity == entity.id ? slot : 0;
}

// ---- Slots ------------------------------------------------------------------------------------------------

static bool is_sane(FiloVec2 v) { return filo_abs(v.x) + filo_abs(v.y) <= PHYSICS2D_FAR; } // false for NaN

static bool is_usable(const FiloJoint2 *j) {
    float sum = filo_abs(j->angle) + filo_abs(j->length) + filo_abs(j->hertz) + filo_abs(j->damping) +
                filo_abs(j->motor_speed) + filo_abs(j->linear_hertz) + filo_abs(j->ratio);
    bool limits = (j->flags & FILO_JOINT_LIMIT) == 0 || (j->lower <= FLT_MAX && j->upper >= -FLT_MAX);
    // These may be infinite. The sum is no number if one of them is none.
    float forces = filo_abs(j->motor_force) + filo_abs(j->motor_torque) + filo_abs(j->break_force) +
                   filo_abs(j->break_torque);
    return forces >= 0 && is_sane(j->anchor_a) && is_sane(j->anchor_b) && is_sane(j->axis) &&
           sum <= PHYSICS2D_FAR && limits;
}

const char *physics2d_joint_problem(const FiloJoint2 *j) {
    if ((uint32_t)j->kind > FILO_JOINT_GEAR) return "its kind is one of FiloJointKind";
    if (!is_usable(j)) return "it has a number that is not valid";
    if (j->kind == FILO_JOINT_DISTANCE && j->length < 0) return "its length is negative";
    if (filo_min(filo_min(j->motor_force, j->motor_torque), filo_min(j->break_force, j->break_torque)) < 0)
        return "motor_force, motor_torque, break_force and break_torque are not negative; for the other "
               "direction, set a negative motor_speed";
    if (j->b.id == 0) return "it has no body b. To connect a body with the world, leave out a";
    return j->a.id == j->b.id ? "its bodies are the same" : NULL;
}

static void copy_settings(Physics2dJoint *joint, const FiloJoint2 *from) {
    const char *problem = physics2d_joint_problem(from);
    if (problem != NULL && !joint->bad) // not again in each step in which it is edited
        filo_log_warn("physics", "joint %u does nothing: %s",
                      filo_entity_index((FiloEntity){ joint->entity }), problem);
    bool same_limits = joint->settings.flags == from->flags && joint->settings.lower == from->lower &&
                       joint->settings.upper == from->upper;
    memcpy(&joint->settings, from, SETTINGS_SIZE);
    joint->fresh = 1;
    joint->geared = 0;
    joint->bad = problem != NULL;
    if (!same_limits && !joint->bad) physics2d_advise_joint(joint);
}

static bool add_joint(Physics2dWorld *phys, FiloEntity entity) {
    Physics2dSaved *saved = &phys->saved;
    const FiloJoint2 *component = filo_get(phys->world, entity, FiloJoint2);
    uint32_t index = filo_entity_index(entity), slot = saved->free_joint;
    if (component == NULL || joint_slot(phys, entity) != 0) return true;
    if (!physics2d_reach(&phys->joint_of, index)) return false;
    if (slot != 0) {
        saved->free_joint = (uint32_t)saved->joints.items[slot].entity;
    } else {
        slot = (uint32_t)saved->joints.count;
        if (!filo_array_push(&saved->joints, (Physics2dJoint){ 0 })) return false;
    }
    Physics2dJoint *joint = &saved->joints.items[slot];
    memset(joint, 0, sizeof *joint);
    joint->entity = entity.id;
    joint->used = 1;
    copy_settings(joint, component);
    phys->joint_of.items[index] = slot;
    saved->joint_count++;
    return true;
}

// The shapes of bodies that a joint kept from colliding look for each other again.
static void look_again(Physics2dWorld *phys, uint32_t body) {
    Physics2dSaved *saved = &phys->saved;
    if (body == 0 || body >= saved->bodies.count || saved->bodies.items[body].set == PHYSICS2D_FREE) return;
    for (uint32_t i = saved->bodies.items[body].shape; i != 0; i = saved->shapes.items[i].next)
        saved->moved.items[i] = 1;
}

static void remove_joint(Physics2dWorld *phys, uint32_t slot) {
    Physics2dSaved *saved = &phys->saved;
    Physics2dJoint *joint = &saved->joints.items[slot];
    phys->joint_of.items[filo_entity_index((FiloEntity){ joint->entity })] = 0;
    look_again(phys, joint->body_a);
    look_again(phys, joint->body_b);
    (void)filo_array_push(&phys->freed, joint->body_a);
    (void)filo_array_push(&phys->freed, joint->body_b);
    memset(joint, 0, sizeof *joint);
    joint->entity = saved->free_joint;
    saved->free_joint = slot;
    saved->joint_count--;
    phys->joined_stale = true;
}

static bool read_edited(Physics2dWorld *phys, FiloIter *it) {
    FiloIter rows = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&rows)) {
        const FiloJoint2 *component = filo_read(&rows, FiloJoint2);
        for (size_t i = 0; i < rows.count; i++) {
            uint32_t slot = joint_slot(phys, filo_iter_entity(&rows, i));
            if (slot == 0) continue;
            Physics2dJoint *joint = &phys->saved.joints.items[slot];
            if (memcmp(&joint->settings, &component[i], SETTINGS_SIZE) == 0) continue;
            copy_settings(joint, &component[i]);
            look_again(phys, joint->body_a);
            look_again(phys, joint->body_b);
            phys->joined_stale = true;
        }
    }
    return true;
}

static FiloEntity joint_entity(const Physics2dWorld *phys, uint32_t slot) {
    const Physics2dJoint *joint = &phys->saved.joints.items[slot];
    return (FiloEntity){ joint->used ? joint->entity : 0 };
}

void physics2d_sync_joints(FiloIter *it) {
    Physics2dWorld *phys = it->user;
    if (phys->restored && !physics2d_derive(phys)) return;
    if (!physics2d_areas_read(phys, it, filo_iter_extra_query(it, 1))) return;
    // False without memory, which is reported.
    if (!physics2d_list_left(phys, it->query, joint_slot, joint_entity, phys->saved.joints.count,
                             &phys->list))
        return;
    filo_array_each (&phys->list, slot) remove_joint(phys, *slot);
    if (!physics2d_list_entered(phys, it, it->query, joint_slot)) return;
    filo_array_each (&phys->entered, entity)
        if (!add_joint(phys, *entity)) return;
    (void)read_edited(phys, it);
}

// ---- Links ------------------------------------------------------------------------------------------------

static bool moves(const Physics2dWorld *phys, uint32_t body) {
    return body != 0 && phys->saved.bodies.items[body].kind == FILO_BODY_DYNAMIC;
}

static bool is_awake(const Physics2dWorld *phys, uint32_t body) {
    return body != 0 && phys->saved.bodies.items[body].set == PHYSICS2D_AWAKE;
}

bool physics2d_find_joined(Physics2dWorld *phys) {
    physics2d_set_clear(&phys->joined_set);
    filo_array_each (&phys->saved.joints, joint)
        if (joint->used && joint->body_a != 0 && joint->body_b != 0 && joint->body_a != joint->body_b &&
            (joint->settings.flags & FILO_JOINT_COLLIDE) == 0 &&
            !physics2d_set_add(&phys->joined_set, joint->body_a, joint->body_b))
            return false;
    return true;
}

static bool rebuild_joined(Physics2dWorld *phys) {
    if (!physics2d_find_joined(phys)) return false;
    phys->joined_stale = false;
    physics2d_contacts_purge(phys);
    return true;
}

static void wake_freed(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    filo_array_each (&phys->freed, body)
        if (*body != 0 && *body < saved->bodies.count && saved->bodies.items[*body].set != PHYSICS2D_FREE)
            physics2d_wake(phys, *body);
    filo_array_clear(&phys->freed);
}

static bool is_slot_of(const Physics2dWorld *phys, uint32_t slot, FiloEntity entity) {
    if (slot == 0) return entity.id == 0;
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    return body->entity == entity.id && body->set != PHYSICS2D_FREE;
}

// Bodies that come to rest may have been held by the joint only.
static void let_go(Physics2dWorld *phys, uint32_t body) {
    if (moves(phys, body) && phys->saved.bodies.items[body].set != PHYSICS2D_FREE) physics2d_wake(phys, body);
}

// Which bodies a joint has now; 0: none.
static void find_bodies(Physics2dWorld *phys, Physics2dJoint *joint) {
    if (joint->body_b != 0 && is_slot_of(phys, joint->body_b, joint->settings.b) &&
        is_slot_of(phys, joint->body_a, joint->settings.a) && !joint->bad)
        return;
    uint32_t a = body_slot(phys, joint->settings.a), b = body_slot(phys, joint->settings.b);
    if (joint->bad || (joint->settings.a.id != 0 && a == 0)) b = 0;
    if (b == 0) a = 0;
    if (a == joint->body_a && b == joint->body_b) {
        if (b == 0 && !joint->bad) physics2d_advise_joint_bodies(phys, joint);
        return;
    }
    let_go(phys, joint->body_a);
    let_go(phys, joint->body_b);
    phys->joined_stale = true;
    joint->geared = 0;
    joint->fresh = b != 0;
    joint->body_a = a;
    joint->body_b = b;
    physics2d_advise_joint_bodies(phys, joint);
}

static bool add_link(Physics2dWorld *phys, uint32_t slot, size_t *count) {
    const Physics2dJoint *joint = &phys->saved.joints.items[slot];
    uint32_t a = joint->body_a, b = joint->body_b;
    const uint32_t more = FILO_JOINT_LIMIT | FILO_JOINT_MOTOR | FILO_JOINT_SPRING;
    Physics2dLink link = { .joint = slot,
                           .a = a,
                           .b = b,
                           .hinge = joint->settings.kind == FILO_JOINT_REVOLUTE &&
                                    (joint->settings.flags & more) == 0,
                           .moves_a = phys->masks.items[a] != UINT64_MAX,
                           .moves_b = phys->masks.items[b] != UINT64_MAX };
    if (*count >= phys->links.count) {
        if (!filo_array_push(&phys->links, link)) return false;
        phys->links_changed = true;
    } else if (memcmp(&phys->links.items[*count], &link, sizeof link) != 0) {
        phys->links.items[*count] = link;
        phys->links_changed = true;
    }
    ++*count;
    return true;
}

// The joints of this step: those with a body that is awake and can be moved.
static bool collect_links(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    size_t count = 0;
    for (uint32_t i = 1; i < saved->joints.count; i++) {
        Physics2dJoint *joint = &saved->joints.items[i];
        if (!joint->used) continue;
        find_bodies(phys, joint);
        uint32_t a = joint->body_a, b = joint->body_b;
        if (b == 0 || a == b || (!moves(phys, a) && !moves(phys, b))) continue;
        bool awake_a = is_awake(phys, a), awake_b = is_awake(phys, b);
        if (joint->fresh || awake_a != awake_b) {
            if (moves(phys, b)) physics2d_wake(phys, b);
            if (moves(phys, a)) physics2d_wake(phys, a);
            joint->fresh = 0;
        } else if (!awake_b) {
            continue;
        }
        if (!add_link(phys, i, &count)) return false;
    }
    if (count < phys->links.count) {
        phys->links.count = count;
        phys->links_changed = true;
    }
    return true;
}

bool physics2d_find_links(Physics2dWorld *phys) {
    wake_freed(phys);
    return physics2d_find_woken_links(phys) && (!phys->joined_stale || rebuild_joined(phys));
}

// Joints of what wakes up on the way may have been passed already: once more, then.
bool physics2d_find_woken_links(Physics2dWorld *phys) {
    size_t awake;
    do {
        awake = phys->awake.count;
        if (!collect_links(phys)) return false;
    } while (phys->awake.count != awake);
    phys->linked = awake;
    return true;
}

static FiloJointForce2 force_of(const Physics2dJoint *joint) {
    return (FiloJointForce2){ { joint->fx, joint->fy }, joint->torque };
}

void physics2d_break_joints(Physics2dWorld *phys) {
    filo_array_each (&phys->links, link) {
        const Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
        float force = joint->settings.break_force, torque = joint->settings.break_torque;
        if (!(force > 0) && !(torque > 0)) continue;
        FiloJointForce2 held = force_of(joint);
        if (!(force > 0 && filo_vec2_length(held.force) > force) &&
            !(torque > 0 && filo_abs(held.torque) > torque))
            continue;
        FiloEntity entity = { joint->entity };
        filo_destroy(phys->changes, entity);
        physics2d_event_joint(phys, &(FiloJointEvent2){ entity, joint->settings.a, joint->settings.b,
                                                        held.force, held.torque });
    }
}

// Slots of entities are found again in the step after a restore.
static uint32_t restored_slot(const Physics2dWorld *phys, FiloEntity entity) {
    for (uint32_t i = 1; i < phys->saved.joints.count; i++)
        if (phys->saved.joints.items[i].used && phys->saved.joints.items[i].entity == entity.id) return i;
    return 0;
}

FiloJointForce2 filo_physics2_joint_force(const FiloWorld *world, FiloEntity entity) {
    const Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL) return (FiloJointForce2){ 0 };
    uint32_t slot = phys->restored ? restored_slot(phys, entity) : joint_slot(phys, entity);
    return slot != 0 ? force_of(&phys->saved.joints.items[slot]) : (FiloJointForce2){ 0 };
}
