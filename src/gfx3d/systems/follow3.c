// "follow in 3D": entities with FiloFollow3 stay at an offset from another entity and look at it.
//
// They are moved one after the other in the order of the world, because one may follow another. Positions are computed in
// the world and converted to the coordinates of the parent. What does not move is not written.
//
// Without a speed, one whose target is new or was teleported is teleported with it. "follow teleports in 3D" does that at
// the beginning of the tick, before previous transforms are saved: then both have a previous position of the same moment,
// and their movement in the tick is blended as usual.

#include "gfx3d/systems/systems.h"

#include "base/suggest.h"

#include <filo/log.h>

typedef struct Pose {
    FiloVec3 position;
    FiloQuat rotation;
} Pose;

// Where an entity is in the world, without scale.
static Pose pose_in_world(const FiloWorld *world, FiloEntity entity) {
    const FiloTransform3 *local = filo_get(world, entity, FiloTransform3);
    if (filo_entity_parent(world, entity).id == 0)
        return local != NULL ? (Pose){ local->position, gfx3d_unit_rotation(local->rotation) }
                             : (Pose){ .rotation = filo_quat_identity() };
    FiloTransform3 all = filo_transform3_from_matrix(filo_transform3_in_world(world, entity));
    return (Pose){ all.position, gfx3d_unit_rotation(all.rotation) };
}

// Where a follower at `now` is after this tick.
static Pose follow_target(const FiloFollow3 *follow, Pose target, Pose now, float delta) {
    FiloVec3 offset = follow->offset, look = follow->look;
    if (filo_vec3_equal(offset, filo_vec3(0, 0, 0))) offset = filo_vec3(0, 2, 6);
    if (follow->turn) {
        offset = filo_quat_rotate(target.rotation, offset);
        look = filo_quat_rotate(target.rotation, look);
    }
    FiloVec3 goal = filo_vec3_add(target.position, offset);
    // Exponential: after one second the same fraction of the distance is left, whatever the rate of ticks.
    float part = follow->speed > 0 ? 1 - filo_exp(-follow->speed * delta) : 1;
    Pose next = { part >= 1 ? goal : filo_vec3_lerp(now.position, goal, part), now.rotation };
    FiloVec3 direction = filo_vec3_sub(filo_vec3_add(target.position, look), next.position);
    if (!filo_vec3_equal(direction, filo_vec3(0, 0, 0)))
        next.rotation = filo_quat_look(direction, filo_vec3(0, 1, 0));
    return next;
}

// From the world to the coordinates of the parent. False if the parent is flat.
static bool to_parent(const FiloWorld *world, FiloEntity parent, Pose *pose) {
    if (parent.id == 0) return true;
    FiloMat4 matrix = filo_transform3_in_world(world, parent);
    if (filo_mat4_determinant(matrix) == 0) return false;
    pose->position = filo_mat4_point(filo_mat4_inverse(matrix), pose->position);
    FiloQuat rotation = gfx3d_unit_rotation(filo_transform3_from_matrix(matrix).rotation);
    pose->rotation = filo_quat_mul(filo_quat_conjugate(rotation), pose->rotation);
    return true;
}

// Whether there is something to follow. Says once if not, and it is not on purpose.
static bool can_follow(const FiloWorld *world, FiloEntity entity, FiloEntity target) {
    if (target.id == 0) return false;
    const char *problem = target.id == entity.id              ? "itself"
                          : filo_entity_exists(world, target) ? NULL
                                                              : "an entity that does not exist any more";
    if (problem == NULL) return filo_get(world, target, FiloTransform3) != NULL;
    if (base_first_time_id("follow in 3D", entity.id ^ target.id))
        filo_log_warn("gfx3d",
                      "entity %u follows %s, so it stays: set FiloFollow3.target to another one, or to {0}",
                      filo_entity_index(entity), problem);
    return false;
}

// Returns whether it moved.
static bool move(FiloWorld *world, FiloEntity entity, const FiloFollow3 *follow, float delta) {
    if (!can_follow(world, entity, follow->target)) return false;
    Pose next =
        follow_target(follow, pose_in_world(world, follow->target), pose_in_world(world, entity), delta);
    if (!to_parent(world, filo_entity_parent(world, entity), &next)) return false;
    const FiloTransform3 *now = filo_get(world, entity, FiloTransform3);
    FiloQuat q = now->rotation, r = next.rotation;
    if (filo_vec3_equal(now->position, next.position) && q.x == r.x && q.y == r.y && q.z == r.z && q.w == r.w)
        return false;
    FiloTransform3 *transform = filo_edit(world, entity, FiloTransform3);
    if (transform == NULL) return false;
    transform->position = next.position;
    transform->rotation = next.rotation;
    return true;
}

static bool is_teleported(const FiloWorld *world, FiloEntity entity, const FiloFollow3 *follow) {
    return follow->target.id != 0 && !(follow->speed > 0) && filo_entity_exists(world, follow->target) &&
           (filo_transform3_teleported(world, follow->target) || filo_transform3_teleported(world, entity));
}

static void teleport(FiloWorld *world, FiloEntity entity, const FiloFollow3 *follow, float delta) {
    if (!move(world, entity, follow, delta) || filo_get(world, entity, FiloPreviousTransform3) == NULL)
        return;
    FiloPreviousTransform3 *previous = filo_edit(world, entity, FiloPreviousTransform3);
    if (previous != NULL) previous->valid = false;
}

static void follow_teleports(FiloIter *it) {
    const FiloFollow3 *follows = filo_read(it, FiloFollow3);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, &follows[i]))
            teleport(it->world, entity, &follows[i], it->delta);
    }
}

static void follow(FiloIter *it) {
    const FiloFollow3 *follows = filo_read(it, FiloFollow3);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, &follows[i]))
            teleport(it->world, entity, &follows[i], it->delta);
        else
            (void)move(it->world, entity, &follows[i], it->delta);
    }
}

bool gfx3d_follow_register(FiloWorld *world) {
    FiloSystemDesc desc = { .query.terms = { FILO_READ(FiloFollow3), FILO_WITH(FiloTransform3) },
                            .extra_access = { FILO_WRITE(FiloTransform3), FILO_WRITE(FiloPreviousTransform3),
                                              FILO_READ(FiloFamily) } };
    desc.name = "follow teleports in 3D";
    desc.run = follow_teleports;
    desc.phase = GFX3D_PHASE_FOLLOW_TELEPORTS;
    if (!gfx3d_system_add_once(world, &desc)) return false;
    desc.name = "follow in 3D";
    desc.run = follow;
    desc.phase = GFX3D_PHASE_FOLLOW;
    return gfx3d_system_add_once(world, &desc);
}
