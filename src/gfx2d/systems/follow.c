// "follow with cameras": cameras that follow an entity, stay inside their bounds, and shake.
//
// There are few cameras, and one may follow another, so they are moved one after the other in the order of the world.
// Positions are computed in the world and converted to the coordinates of the camera's parent. A camera that does not
// move is not written, so that it does not count as changed.
//
// A camera with a follow_speed of 0 is teleported if its target is teleported or new. "follow teleports" does that at
// the beginning of the tick, before previous transforms are saved: then camera and target have the same previous
// position, and their movement in the tick is blended as usual. Until that tick runs, the renderer calls
// gfx2d_follow_drawn_position.
//
// Only the strength of the shake is part of the world; the renderer computes the offset.

#include "gfx2d/systems/systems.h"

#include "base/suggest.h"

#include <filo/log.h>

typedef struct Context {
    FiloWorld *world;
    FiloComponent transform, previous;
    float delta;
} Context;

// Whether there is something to follow. Says once if not, and it is not on purpose.
static bool can_follow(const Context *context, FiloEntity entity, FiloEntity target) {
    if (target.id == 0) return false;
    const char *problem = target.id == entity.id ? "itself"
                          : filo_entity_exists(context->world, target)
                              ? NULL
                              : "an entity that does not exist any more";
    if (problem == NULL) return filo_entity_get(context->world, target, context->transform) != NULL;
    if (base_first_time_id("follow with cameras", entity.id ^ target.id))
        filo_log_warn(
            "gfx2d",
            "the camera (entity %u) follows %s, so it stays: set FiloCamera.follow to another one, or to {0}",
            filo_entity_index(entity), problem);
    return false;
}

// The position in the world that a camera at `position` moves to in this tick.
static FiloVec2 target_position(const Context *context, FiloEntity entity, const FiloCamera *camera,
                                FiloVec2 position) {
    if (can_follow(context, entity, camera->follow)) {
        FiloVec2 target = filo_transform2_in_world(context->world, camera->follow).origin;
        // Exponential: after one second the same fraction of the distance is left, whatever the rate of ticks.
        float part = camera->follow_speed > 0 ? 1 - filo_exp(-camera->follow_speed * context->delta) : 1;
        position = part >= 1 ? target : filo_vec2_lerp(position, target, part);
    }
    return filo_rect_is_empty(camera->bounds) ? position : filo_rect_clamp(camera->bounds, position);
}

// Returns whether the camera moved.
static bool move_camera(const Context *context, FiloEntity entity, const FiloCamera *camera) {
    if (camera->follow.id == 0 && filo_rect_is_empty(camera->bounds)) return false;
    FiloWorld *world = context->world;
    const FiloTransform2 *transform = filo_entity_get(world, entity, context->transform);
    FiloEntity parent = filo_entity_parent(world, entity);
    FiloAffine2 parent_transform = filo_transform2_in_world(world, parent);
    FiloVec2 position =
        parent.id != 0 ? filo_affine2_point(parent_transform, transform->position) : transform->position;
    FiloVec2 target = target_position(context, entity, camera, position);
    if (filo_vec2_equal(position, target)) return false;
    if (parent.id != 0) {
        if (filo_affine2_determinant(parent_transform) == 0) return false; // there is no inverse
        target = filo_affine2_point(filo_affine2_inverse(parent_transform), target);
    }
    FiloTransform2 *moved = filo_entity_edit(world, entity, context->transform);
    if (moved == NULL) return false;
    moved->position = target;
    return true;
}

// Whether the camera is teleported to its target.
static bool is_teleported(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera) {
    return camera->follow.id != 0 && !(camera->follow_speed > 0) &&
           (filo_transform2_teleported(world, camera->follow) || filo_transform2_teleported(world, entity));
}

bool gfx2d_follow_drawn_position(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera,
                                 float blend, FiloVec2 *position) {
    if (!is_teleported(world, entity, camera) || filo_get(world, camera->follow, FiloTransform2) == NULL)
        return false;
    const FiloWorldTransform2 *world_transform = filo_get(world, camera->follow, FiloWorldTransform2);
    *position = world_transform != NULL && world_transform->valid
                    ? filo_world_transform2_blend(world_transform, blend).origin
                    : filo_transform2_in_world(world, camera->follow).origin;
    if (!filo_rect_is_empty(camera->bounds)) *position = filo_rect_clamp(camera->bounds, *position);
    return true;
}

static void teleport_camera(const Context *context, FiloEntity entity, const FiloCamera *camera) {
    if (!move_camera(context, entity, camera) ||
        filo_entity_get(context->world, entity, context->previous) == NULL)
        return;
    FiloPreviousTransform2 *previous = filo_entity_edit(context->world, entity, context->previous);
    if (previous != NULL) previous->valid = false;
}

static void decay_shake(FiloIter *it, size_t row, const FiloCamera *camera) {
    if (!(camera->shake > 0)) return;
    FiloCamera *edited = filo_edit(it->world, filo_iter_entity(it, row), FiloCamera);
    if (edited != NULL) edited->shake = filo_max(filo_min(edited->shake, 1) - it->delta, 0);
}

static Context context_of(const FiloIter *it) {
    return (Context){ it->world, filo_component_of(it->world, FILO_TYPE(FiloTransform2)),
                      filo_component_of(it->world, FILO_TYPE(FiloPreviousTransform2)), it->delta };
}

static void follow(FiloIter *it) {
    Context context = context_of(it);
    const FiloCamera *cameras = filo_read(it, FiloCamera);
    for (size_t i = 0; i < it->count; i++) {
        const FiloCamera *camera = &cameras[i];
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, camera))
            teleport_camera(&context, entity, camera);
        else
            (void)move_camera(&context, entity, camera);
        decay_shake(it, i, camera);
    }
}

static void follow_teleports(FiloIter *it) {
    Context context = context_of(it);
    FiloColumn cameras = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        const FiloCamera *camera = FILO_AT(cameras, i, const FiloCamera);
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, camera)) teleport_camera(&context, entity, camera);
    }
}

// Adds a system, unless the world has one of that name.
static bool add_once(FiloWorld *world, const FiloSystemDesc *desc) {
    return filo_system_named(world, desc->name).id != 0 || filo_system_add(world, desc).id != 0;
}

bool gfx2d_follow_register(FiloWorld *world) {
    FiloSystemDesc desc = {
        .query.terms = { FILO_READ(FiloCamera), FILO_WITH(FiloTransform2) },
        .extra_access = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloPreviousTransform2),
                          FILO_READ(FiloFamily), FILO_WRITE(FiloCamera) },
    };
    desc.name = "follow teleports";
    desc.run = follow_teleports;
    desc.phase = GFX2D_PHASE_FOLLOW_TELEPORTS;
    if (!add_once(world, &desc)) return false;
    desc.name = "follow with cameras";
    desc.run = follow;
    desc.phase = GFX2D_PHASE_FOLLOW;
    return add_once(world, &desc);
}
