// Joints: from components to slots, the links of a step, and joints that break.

#include "physics2d/physics2d.h"

#include <stddef.h>

#define SETTINGS_SIZE (offsetof(FiloJoint2, break_force) + sizeof(float)) // without padding

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

static void copy_settings(Physics2dJoint *joint, const FiloJoint2 *from) {
    memcpy(&joint->settings, from, SETTINGS_SIZE);
    joint->fresh = 1;
}

static bool add_joint(Physics2dWorld *phys, FiloEntity entity) {
    Physics2dSaved *saved = &phys->saved;
    const FiloJoint2 *component = filo_get(phys->world, entity, FiloJoint2);
    uint32_t index = filo_entity_index(entity), slot = saved->free_joint;
    if (component == NULL || joint_slot(phys, entity) != 0) return true;
    if (index >= phys->joint_of.count && !physics2d_resize(&phys->joint_of, index + index / 2 + 64))
        return false;
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

static bool rebuild_joined(Physics2dWorld *phys) {
    physics2d_set_clear(&phys->joined_set);
    filo_array_each (&phys->saved.joints, joint)
        if (joint->used && joint->body_a != 0 && joint->body_b != 0 && joint->body_a != joint->body_b &&
            (joint->settings.flags & FILO_JOINT_COLLIDE) == 0 &&
            !physics2d_set_add(&phys->joined_set, joint->body_a, joint->body_b))
            return false;
    phys->joined_stale = false;
    physics2d_contacts_purge(phys);
    return true;
}

// The joints of this step: those with a body that is awake and can be moved.
bool physics2d_find_links(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    filo_array_each (&phys->freed, body)
        if (*body != 0 && *body < saved->bodies.count && saved->bodies.items[*body].set != PHYSICS2D_FREE)
            physics2d_wake(phys, *body);
    filo_array_clear(&phys->freed);
    filo_array_clear(&phys->links);
    for (uint32_t i = 1; i < saved->joints.count; i++) {
        Physics2dJoint *joint = &saved->joints.items[i];
        if (!joint->used) continue;
        uint32_t a = body_slot(phys, joint->settings.a), b = body_slot(phys, joint->settings.b);
        if (joint->settings.a.id != 0 && a == 0) b = 0;
        if (b == 0) a = 0;
        if (a != joint->body_a || b != joint->body_b) phys->joined_stale = true;
        joint->body_a = a;
        joint->body_b = b;
        if (b == 0 || a == b || (!moves(phys, a) && !moves(phys, b))) continue;
        if (joint->fresh || is_awake(phys, a)) physics2d_wake(phys, b);
        if ((joint->fresh || is_awake(phys, b)) && a != 0) physics2d_wake(phys, a);
        joint->fresh = 0;
        if (!is_awake(phys, a) && !is_awake(phys, b)) continue;
        if (!filo_array_push(&phys->links, (Physics2dLink){ .joint = i, .a = a, .b = b })) return false;
    }
    return !phys->joined_stale || rebuild_joined(phys);
}

void physics2d_break_joints(Physics2dWorld *phys) {
    filo_array_each (&phys->links, link) {
        const Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
        float limit = joint->settings.break_force;
        if (!(limit > 0)) continue;
        FiloEntity entity = { joint->entity };
        FiloJointForce2 held = filo_physics2_joint_force(phys->world, entity);
        if (filo_vec2_length(held.force) <= limit && filo_abs(held.torque) <= limit) continue;
        filo_destroy(phys->changes, entity);
        physics2d_event_body(phys, FILO_JOINT_BROKE, entity.id);
    }
}

FiloJointForce2 filo_physics2_joint_force(const FiloWorld *world, FiloEntity entity) {
    const Physics2dWorld *phys = physics2d_world(world);
    uint32_t slot = phys != NULL && !phys->restored ? joint_slot(phys, entity) : 0;
    if (slot == 0) return (FiloJointForce2){ 0 };
    const Physics2dJoint *joint = &phys->saved.joints.items[slot];
    float rate = phys->constants.inv_h;
    return (FiloJointForce2){ { joint->px * rate, joint->py * rate }, joint->torque * rate };
}
