// "follow with cameras": cameras that follow an entity, stay inside their bounds, and shake.
//
// Cameras are few, and one may follow another, so they are moved one after the other in the order of the
// world. What follows is computed in the world and turned back into the coordinates of the camera's parent.
// A camera that stays where it is is not written, so that it does not count as changed.
//
// A camera that follows at once has no way of its own: where it follows is teleported, it is. "follow teleports" does
// that for what was teleported, or is new, since the last tick, before previous transforms are kept: so that both have
// theirs in the same place, and what moves in the tick is blended as usual. Until that tick, the renderer asks
// gfx2d_follow_drawn_place.
//
// Of shaking, only its strength is part of the state; where the picture is moved to is the renderer's
// business.

#include "gfx2d/systems/systems.h"

typedef struct Following {
    FiloWorld *world;
    FiloComponent transform, previous;
    float delta;
} Following;

// Where the camera wants to be in the world, if it is at `place` now.
static FiloVec2 wanted_place(const Following *following, const FiloCamera *camera, FiloVec2 place) {
    if (camera->follow.id != 0 &&
        filo_entity_get(following->world, camera->follow, following->transform) != NULL) {
        FiloVec2 target = filo_transform2_in_world(following->world, camera->follow).origin;
        // The part of the way that is left after a time is the same, however many ticks that time has.
        float part = camera->follow_speed > 0 ? 1 - filo_exp(-camera->follow_speed * following->delta) : 1;
        place = part >= 1 ? target : filo_vec2_lerp(place, target, part);
    }
    return filo_rect_is_empty(camera->bounds) ? place : filo_rect_clamp(camera->bounds, place);
}

// Returns whether it moved.
static bool move_camera(const Following *following, FiloEntity entity, const FiloCamera *camera) {
    if (camera->follow.id == 0 && filo_rect_is_empty(camera->bounds)) return false;
    FiloWorld *world = following->world;
    const FiloTransform2 *transform = filo_entity_get(world, entity, following->transform);
    FiloEntity parent = filo_entity_parent(world, entity);
    FiloAffine2 above = filo_transform2_in_world(world, parent);
    FiloVec2 place = parent.id != 0 ? filo_affine2_point(above, transform->position) : transform->position;
    FiloVec2 wanted = wanted_place(following, camera, place);
    if (filo_vec2_equal(place, wanted)) return false;
    if (parent.id != 0) {
        if (filo_affine2_determinant(above) == 0) return false; // flattened: there is no way back
        wanted = filo_affine2_point(filo_affine2_inverse(above), wanted);
    }
    FiloTransform2 *moved = filo_entity_edit(world, entity, following->transform);
    if (moved == NULL) return false;
    moved->position = wanted;
    return true;
}

// Whether it is to be where it follows, without a way between.
static bool is_teleported(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera) {
    return camera->follow.id != 0 && !(camera->follow_speed > 0) &&
           (filo_transform2_teleported(world, camera->follow) || filo_transform2_teleported(world, entity));
}

bool gfx2d_follow_drawn_place(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera,
                              float blend, FiloVec2 *place) {
    if (!is_teleported(world, entity, camera) || filo_get(world, camera->follow, FiloTransform2) == NULL)
        return false;
    const FiloWorldTransform2 *in_world = filo_get(world, camera->follow, FiloWorldTransform2);
    *place = in_world != NULL && in_world->valid ? filo_world_transform2_blend(in_world, blend).origin
                                                 : filo_transform2_in_world(world, camera->follow).origin;
    if (!filo_rect_is_empty(camera->bounds)) *place = filo_rect_clamp(camera->bounds, *place);
    return true;
}

static void teleport_camera(const Following *following, FiloEntity entity, const FiloCamera *camera) {
    if (!move_camera(following, entity, camera) ||
        filo_entity_get(following->world, entity, following->previous) == NULL)
        return;
    FiloPreviousTransform2 *previous = filo_entity_edit(following->world, entity, following->previous);
    if (previous != NULL) previous->valid = false;
}

static void calm_camera(FiloIter *it, size_t row, const FiloCamera *camera) {
    if (!(camera->shake > 0)) return;
    FiloCamera *edited = filo_edit(it->world, filo_iter_entity(it, row), FiloCamera);
    if (edited != NULL) edited->shake = filo_max(filo_min(edited->shake, 1) - it->delta, 0);
}

static Following following_of(const FiloIter *it) {
    return (Following){ it->world, filo_component_of(it->world, FILO_TYPE(FiloTransform2)),
                        filo_component_of(it->world, FILO_TYPE(FiloPreviousTransform2)), it->delta };
}

static void follow(FiloIter *it) {
    Following following = following_of(it);
    const FiloCamera *cameras = filo_read(it, FiloCamera);
    for (size_t i = 0; i < it->count; i++) {
        const FiloCamera *camera = &cameras[i];
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, camera))
            teleport_camera(&following, entity, camera);
        else
            (void)move_camera(&following, entity, camera);
        calm_camera(it, i, camera);
    }
}

static void follow_teleports(FiloIter *it) {
    Following following = following_of(it);
    FiloColumn cameras = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        const FiloCamera *camera = FILO_AT(cameras, i, const FiloCamera);
        FiloEntity entity = filo_iter_entity(it, i);
        if (is_teleported(it->world, entity, camera)) teleport_camera(&following, entity, camera);
    }
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
    if (!gfx2d_system_add_once(world, &desc)) return false;
    desc.name = "follow with cameras";
    desc.run = follow;
    desc.phase = GFX2D_PHASE_FOLLOW;
    return gfx2d_system_add_once(world, &desc);
}
