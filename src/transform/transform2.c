// Transforms in the plane: matrices, blending, and world coordinates.

#include <filo/check.h>
#include <filo/transform.h>

#include "transform/systems.h"

static FiloVec2 effective_scale(FiloVec2 scale) {
    return scale.x == 0 && scale.y == 0 ? filo_vec2(1, 1) : scale;
}

// ---- One ----------------------------------------------------------------------------------------------------

FiloAffine2 filo_transform2_affine(const FiloTransform2 *transform) {
    FiloVec2 scale = effective_scale(transform->scale);
    // The same result without sine and cosine: most entities are not rotated.
    if (transform->rotation == 0)
        return filo_affine2(filo_vec2(scale.x, 0), filo_vec2(0, scale.y), transform->position);
    return filo_affine2_from_parts(transform->position, transform->rotation, scale);
}

FiloTransform2 filo_transform2_from_affine(FiloAffine2 affine) {
    FiloVec2 x = filo_vec2_normalise(affine.x);
    if (filo_vec2_equal(x, filo_vec2(0, 0))) // flattened: the other axis has the rotation
        x = filo_vec2_negate(filo_vec2_perpendicular(filo_vec2_normalise(affine.y)));
    FiloVec2 scale = { filo_vec2_dot(affine.x, x), filo_vec2_dot(affine.y, filo_vec2_perpendicular(x)) };
    if (scale.x == 0 && scale.y == 0) scale.x = TRANSFORM_ZERO_SCALE;
    return (FiloTransform2){ affine.origin, filo_vec2_angle(x), scale };
}

void filo_transform2_look_at(FiloTransform2 *transform, FiloVec2 target) {
    FiloVec2 direction = filo_vec2_sub(target, transform->position);
    if (!filo_vec2_equal(direction, filo_vec2(0, 0))) transform->rotation = filo_vec2_angle(direction);
}

FiloTransform2 filo_transform2_blend(const FiloPreviousTransform2 *previous, const FiloTransform2 *now,
                                     float blend) {
    FiloTransform2 blended = { now->position, now->rotation, effective_scale(now->scale) };
    if (previous == NULL || !previous->valid) return blended;
    blended.position = filo_vec2_lerp(previous->position, blended.position, blend);
    blended.scale = filo_vec2_lerp(effective_scale(previous->scale), blended.scale, blend);
    if (previous->rotation != now->rotation)
        blended.rotation = filo_angle_lerp(previous->rotation, now->rotation, blend);
    return blended;
}

FiloAffine2 filo_world_transform2_blend(const FiloWorldTransform2 *transform, float blend) {
    const FiloAffine2 *a = &transform->previous, *b = &transform->now;
    return filo_affine2(filo_vec2_lerp(a->x, b->x, blend), filo_vec2_lerp(a->y, b->y, blend),
                        filo_vec2_lerp(a->origin, b->origin, blend));
}

// ---- In the world -------------------------------------------------------------------------------------------

FiloAffine2 filo_transform2_in_world(const FiloWorld *world, FiloEntity entity) {
    FiloAffine2 affine = filo_affine2_identity();
    FiloComponent component = transform_component(world, FILO_TYPE(FiloTransform2));
    for (; component.id != 0 && entity.id != 0; entity = filo_entity_parent(world, entity)) {
        const FiloTransform2 *transform = filo_entity_get(world, entity, component);
        if (transform != NULL) affine = filo_affine2_mul(filo_transform2_affine(transform), affine);
    }
    return affine;
}

FiloVec2 filo_transform2_position(const FiloWorld *world, FiloEntity entity) {
    return filo_transform2_in_world(world, entity).origin;
}

FiloVec2 filo_transform2_to_world(const FiloWorld *world, FiloEntity entity, FiloVec2 point) {
    return filo_affine2_point(filo_transform2_in_world(world, entity), point);
}

FiloVec2 filo_transform2_to_local(const FiloWorld *world, FiloEntity entity, FiloVec2 point) {
    return filo_affine2_point(filo_affine2_inverse(filo_transform2_in_world(world, entity)), point);
}

bool filo_transform2_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent) {
    FiloAffine2 child_matrix = filo_transform2_in_world(world, child),
                parent_matrix = filo_transform2_in_world(world, parent);
    if (filo_affine2_determinant(parent_matrix) == 0) return false;
    if (!filo_entity_set_parent(world, child, parent)) return false;
    if (!filo_has(world, child, FiloTransform2)) return true;
    FiloTransform2 local =
        filo_transform2_from_affine(filo_affine2_mul(filo_affine2_inverse(parent_matrix), child_matrix));
    *filo_edit(world, child, FiloTransform2) = local;
    if (filo_has(world, child, FiloPreviousTransform2)) {
        FiloPreviousTransform2 *previous = filo_edit(world, child, FiloPreviousTransform2);
        *previous = (FiloPreviousTransform2){ local.position, local.rotation, local.scale, previous->valid };
    }
    return true;
}
