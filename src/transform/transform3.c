// Transforms in space: matrices, blending, and world coordinates.

#include <filo/check.h>
#include <filo/transform.h>

#include "transform/systems.h"

static FiloVec3 effective_scale(FiloVec3 scale) {
    return scale.x == 0 && scale.y == 0 && scale.z == 0 ? filo_vec3(1, 1, 1) : scale;
}

static FiloQuat effective_rotation(FiloQuat q) {
    return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0 ? filo_quat_identity() : q;
}

static bool is_zero(FiloVec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

// ---- One ----------------------------------------------------------------------------------------------------

FiloMat4 filo_transform3_matrix(const FiloTransform3 *transform) {
    // A rotation of zeroes gives the identity.
    return filo_mat4_from_parts(transform->position, transform->rotation, effective_scale(transform->scale));
}

static FiloVec3 column(const FiloMat4 *matrix, size_t number) {
    const float *m = &matrix->m[4 * number];
    return filo_vec3(m[0], m[1], m[2]);
}

// Orthonormal axes that are near the axes of the matrix.
static void find_axes(FiloVec3 x, FiloVec3 y, FiloVec3 z, FiloVec3 axes[3]) {
    FiloVec3 a = filo_vec3_normalise(x);
    if (is_zero(a)) a = filo_vec3_normalise(filo_vec3_cross(y, z));
    if (is_zero(a)) a = filo_vec3_perpendicular(is_zero(y) ? z : y);
    if (is_zero(a)) a = filo_vec3(1, 0, 0);
    FiloVec3 b = filo_vec3_normalise(filo_vec3_add_scaled(y, a, -filo_vec3_dot(y, a)));
    if (is_zero(b)) b = filo_vec3_normalise(filo_vec3_cross(z, a));
    if (is_zero(b)) b = filo_vec3_perpendicular(a);
    axes[0] = a;
    axes[1] = b;
    axes[2] = filo_vec3_cross(a, b);
}

FiloTransform3 filo_transform3_from_matrix(FiloMat4 matrix) {
    FiloVec3 x = column(&matrix, 0), y = column(&matrix, 1), z = column(&matrix, 2), axes[3];
    find_axes(x, y, z, axes);
    FiloMat4 rotation = filo_mat4_identity();
    for (size_t i = 0; i < 3; i++) memcpy(&rotation.m[4 * i], &axes[i], sizeof axes[i]);
    FiloVec3 scale = { filo_vec3_dot(x, axes[0]), filo_vec3_dot(y, axes[1]), filo_vec3_dot(z, axes[2]) };
    if (is_zero(scale)) scale.x = TRANSFORM_ZERO_SCALE;
    return (FiloTransform3){ column(&matrix, 3), filo_quat_from_mat4(rotation), scale };
}

void filo_transform3_look_at(FiloTransform3 *transform, FiloVec3 target, FiloVec3 up) {
    FiloVec3 direction = filo_vec3_sub(target, transform->position);
    if (!is_zero(direction)) transform->rotation = filo_quat_look(direction, up);
}

FiloTransform3 filo_transform3_blend(const FiloPreviousTransform3 *previous, const FiloTransform3 *now,
                                     float blend) {
    FiloTransform3 blended = { now->position, effective_rotation(now->rotation),
                               effective_scale(now->scale) };
    if (previous == NULL || !previous->valid) return blended;
    blended.position = filo_vec3_lerp(previous->position, blended.position, blend);
    blended.rotation = filo_quat_slerp(effective_rotation(previous->rotation), blended.rotation, blend);
    blended.scale = filo_vec3_lerp(effective_scale(previous->scale), blended.scale, blend);
    return blended;
}

FiloMat4 filo_world_transform3_blend(const FiloWorldTransform3 *transform, float blend) {
    FiloMat4 blended;
    for (int i = 0; i < 16; i++)
        blended.m[i] = filo_lerp(transform->previous.m[i], transform->now.m[i], blend);
    return blended;
}

// ---- In the world -------------------------------------------------------------------------------------------

FiloMat4 filo_transform3_in_world(const FiloWorld *world, FiloEntity entity) {
    FiloMat4 matrix = filo_mat4_identity();
    FiloComponent component = transform_component(world, FILO_TYPE(FiloTransform3));
    for (; component.id != 0 && entity.id != 0; entity = filo_entity_parent(world, entity)) {
        const FiloTransform3 *transform = filo_entity_get(world, entity, component);
        if (transform != NULL) matrix = filo_mat4_mul(filo_transform3_matrix(transform), matrix);
    }
    return matrix;
}

FiloVec3 filo_transform3_position(const FiloWorld *world, FiloEntity entity) {
    FiloMat4 matrix = filo_transform3_in_world(world, entity);
    return column(&matrix, 3);
}

FiloVec3 filo_transform3_to_world(const FiloWorld *world, FiloEntity entity, FiloVec3 point) {
    return filo_mat4_point(filo_transform3_in_world(world, entity), point);
}

FiloVec3 filo_transform3_to_local(const FiloWorld *world, FiloEntity entity, FiloVec3 point) {
    return filo_mat4_point(filo_mat4_inverse(filo_transform3_in_world(world, entity)), point);
}

bool filo_transform3_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent) {
    FiloMat4 child_matrix = filo_transform3_in_world(world, child),
             parent_matrix = filo_transform3_in_world(world, parent);
    if (filo_mat4_determinant(parent_matrix) == 0) return false;
    if (!filo_entity_set_parent(world, child, parent)) return false;
    if (!filo_has(world, child, FiloTransform3)) return true;
    FiloTransform3 local =
        filo_transform3_from_matrix(filo_mat4_mul(filo_mat4_inverse(parent_matrix), child_matrix));
    *filo_edit(world, child, FiloTransform3) = local;
    if (filo_has(world, child, FiloPreviousTransform3)) {
        FiloPreviousTransform3 *previous = filo_edit(world, child, FiloPreviousTransform3);
        *previous = (FiloPreviousTransform3){ local.position, local.rotation, local.scale, previous->valid };
    }
    return true;
}
