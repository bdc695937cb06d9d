// "follow with cameras": cameras that follow an entity, stay inside their bounds, and shake.
//
// Cameras are few, and one may follow another, so they are moved one after the other in the order of the
// world. What follows is computed in the world and turned back into the coordinates of the camera's parent.
// A camera that stays where it is is not written, so that it does not count as changed.
//
// Of shaking, only its strength is part of the state; where the picture is moved to is the renderer's
// business.

#include "gfx2d/systems.h"

typedef struct Following {
    FiloWorld *world;
    FiloComponent transform;
    float delta;
} Following;

// Where the camera wants to be in the world, if it is at `place` now.
static FiloVec2 wanted_place(const Following *following, const FiloCamera *camera, FiloVec2 place) {
    if (camera->follow.id != 0 &&
        filo_entity_get(following->world, camera->follow, following->transform) != NULL) {
        FiloVec2 target = filo_transform_in_world(following->world, camera->follow).origin;
        // The part of the way that is left after a time is the same, however many ticks that time has.
        float part = camera->follow_speed > 0 ? 1 - filo_exp(-camera->follow_speed * following->delta) : 1;
        place = part >= 1 ? target : filo_vec2_lerp(place, target, part);
    }
    return filo_rect_is_empty(camera->bounds) ? place : filo_rect_clamp(camera->bounds, place);
}

static void move_camera(const Following *following, FiloEntity entity, const FiloCamera *camera) {
    if (camera->follow.id == 0 && filo_rect_is_empty(camera->bounds)) return;
    FiloWorld *world = following->world;
    const FiloTransform *transform = filo_entity_get(world, entity, following->transform);
    FiloEntity parent = filo_entity_parent(world, entity);
    FiloAffine2 above = filo_transform_in_world(world, parent);
    FiloVec2 place = parent.id != 0 ? filo_affine2_point(above, transform->position) : transform->position;
    FiloVec2 wanted = wanted_place(following, camera, place);
    if (filo_vec2_equal(place, wanted)) return;
    if (parent.id != 0) {
        if (filo_affine2_determinant(above) == 0) return; // flattened: there is no way back
        wanted = filo_affine2_point(filo_affine2_inverse(above), wanted);
    }
    FiloTransform *moved = filo_entity_edit(world, entity, following->transform);
    if (moved != NULL) moved->position = wanted;
}

static void calm_camera(FiloIter *it, size_t row, const FiloCamera *camera) {
    if (!(camera->shake > 0)) return;
    FiloCamera *edited = filo_edit(it->world, filo_iter_entity(it, row), FiloCamera);
    if (edited != NULL) edited->shake = filo_max(filo_min(edited->shake, 1) - it->delta, 0);
}

static void follow(FiloIter *it) {
    Following following = { it->world, filo_component_of(it->world, FILO_TYPE(FiloTransform)), it->delta };
    FiloColumn cameras = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) {
        const FiloCamera *camera = FILO_AT(const FiloCamera, cameras, i);
        move_camera(&following, filo_iter_entity(it, i), camera);
        calm_camera(it, i, camera);
    }
}

bool filo_follow_register(FiloWorld *world) {
    return filo_system_add_once(
        world, &(FiloSystemDesc){
                   .name = "follow with cameras",
                   .run = follow,
                   .phase = FILO_PHASE_FOLLOW,
                   .query.terms = { FILO_READ(FiloCamera), FILO_HAVING(FiloTransform) },
                   .touches = { FILO_WRITE(FiloCamera), FILO_WRITE(FiloTransform), FILO_READ(FiloFamily) } });
}
