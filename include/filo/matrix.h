// filo/matrix.h: transforms. 2D affine ones, 4x4 matrices and quaternions.
//
//     FiloAffine2 ship = filo_affine2_from_parts(position, angle, filo_vec2(1.0f, 1.0f));
//     FiloVec2 muzzle = filo_affine2_point(ship, filo_vec2(0.5f, 0.0f));
//
//     FiloQuat turn = filo_quat_from_axis_angle(filo_vec3(0.0f, 1.0f, 0.0f), FILO_HALF_PI);
//     FiloMat4 world = filo_mat4_from_parts(position, turn, filo_vec3(1.0f, 1.0f, 1.0f));
//     FiloMat4 clip = filo_mat4_mul(projection, filo_mat4_mul(view, world)); // first world, then view
//
// `…_mul(a, b)` is always "first b, then a". Pure functions with the same bits on every machine; any thread. The
// conventions are in filo/maths.h.

#ifndef FILO_MATRIX_H
#define FILO_MATRIX_H

#include <filo/vector.h>

// A point p is mapped to x * p.x + y * p.y + origin: x and y are the transformed axes, origin is the transformed (0,
// 0).
typedef struct FiloAffine2 {
    FiloVec2 x, y, origin;
} FiloAffine2;

// Column by column: row r of column c is m[4 * c + r], the order that OpenGL and cglm use. Vectors are
// columns.
typedef struct FiloMat4 {
    float m[16];
} FiloMat4;

// A rotation in space, of length 1: the axis times the sine of half the angle, and its cosine as w. All
// zeroes is not a rotation: start from filo_quat_identity().
typedef struct FiloQuat {
    float x, y, z, w;
} FiloQuat;

FILO_BEGIN_DECLS

// ---- 2D affine transforms ---------------------------------------------------------------------------

static inline FiloAffine2 filo_affine2(FiloVec2 x, FiloVec2 y, FiloVec2 origin) {
    FiloAffine2 t = { x, y, origin };
    return t;
}
static inline FiloAffine2 filo_affine2_identity(void) {
    return filo_affine2(filo_vec2(1.0f, 0.0f), filo_vec2(0.0f, 1.0f), filo_vec2(0.0f, 0.0f));
}
static inline FiloAffine2 filo_affine2_translate(FiloVec2 by) {
    return filo_affine2(filo_vec2(1.0f, 0.0f), filo_vec2(0.0f, 1.0f), by);
}
static inline FiloAffine2 filo_affine2_rotate(float angle) {
    FiloVec2 x = filo_vec2_from_angle(angle);
    return filo_affine2(x, filo_vec2_perpendicular(x), filo_vec2(0.0f, 0.0f));
}
static inline FiloAffine2 filo_affine2_scale(FiloVec2 by) {
    return filo_affine2(filo_vec2(by.x, 0.0f), filo_vec2(0.0f, by.y), filo_vec2(0.0f, 0.0f));
}

// First scaled, then rotated, then moved to `position`.
static inline FiloAffine2 filo_affine2_from_parts(FiloVec2 position, float angle, FiloVec2 scale) {
    FiloVec2 x = filo_vec2_from_angle(angle);
    return filo_affine2(filo_vec2_scale(x, scale.x), filo_vec2_scale(filo_vec2_perpendicular(x), scale.y),
                        position);
}

// A direction is turned and scaled, but not moved.
static inline FiloVec2 filo_affine2_direction(FiloAffine2 t, FiloVec2 v) {
    return filo_vec2(t.x.x * v.x + t.y.x * v.y, t.x.y * v.x + t.y.y * v.y);
}
static inline FiloVec2 filo_affine2_point(FiloAffine2 t, FiloVec2 p) {
    return filo_vec2_add(filo_affine2_direction(t, p), t.origin);
}

static inline FiloAffine2 filo_affine2_mul(FiloAffine2 a, FiloAffine2 b) {
    return filo_affine2(filo_affine2_direction(a, b.x), filo_affine2_direction(a, b.y),
                        filo_affine2_point(a, b.origin));
}

// The determinant: the factor by which areas grow; negative if it mirrors, 0 if it flattens.
static inline float filo_affine2_determinant(FiloAffine2 t) { return filo_vec2_cross(t.x, t.y); }

// The inverse. All zeroes if the determinant is 0.
FiloAffine2 filo_affine2_inverse(FiloAffine2 t);

// The smallest rectangle around the transformed one. An empty one stays empty.
FiloRect filo_affine2_rect(FiloAffine2 t, FiloRect r);

// ---- Quaternions ------------------------------------------------------------------------------------

static inline FiloQuat filo_quat(float x, float y, float z, float w) {
    FiloQuat q = { x, y, z, w };
    return q;
}
static inline FiloQuat filo_quat_identity(void) { return filo_quat(0.0f, 0.0f, 0.0f, 1.0f); }

// Rotates about `axis` (of any length) by the right-hand rule: if the thumb points along the axis, the fingers curl in
// the direction of the rotation. The zero axis gives the identity.
static inline FiloQuat filo_quat_from_axis_angle(FiloVec3 axis, float angle) {
    FiloVec3 unit = filo_vec3_normalise(axis);
    if (filo_vec3_equal(unit, filo_vec3(0.0f, 0.0f, 0.0f))) return filo_quat_identity();
    FiloVec3 v = filo_vec3_scale(unit, filo_sin(angle * 0.5f));
    return filo_quat(v.x, v.y, v.z, filo_cos(angle * 0.5f));
}

// First b, then a.
static inline FiloQuat filo_quat_mul(FiloQuat a, FiloQuat b) {
    return filo_quat(
        (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
        (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z));
}

// The inverse rotation.
static inline FiloQuat filo_quat_conjugate(FiloQuat q) { return filo_quat(-q.x, -q.y, -q.z, q.w); }

// The cosine of half the angle between two rotations.
static inline float filo_quat_dot(FiloQuat a, FiloQuat b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

// Normalised to length 1, from which long chains of products drift; the identity for zero.
static inline FiloQuat filo_quat_normalise(FiloQuat q) {
    float s = filo_inverse_length(filo_quat_dot(q, q));
    return s > 0.0f ? filo_quat(q.x * s, q.y * s, q.z * s, q.w * s) : filo_quat_identity();
}

static inline FiloVec3 filo_quat_rotate(FiloQuat q, FiloVec3 v) {
    FiloVec3 u = filo_vec3(q.x, q.y, q.z);
    FiloVec3 t = filo_vec3_scale(filo_vec3_cross(u, v), 2.0f);
    return filo_vec3_add(filo_vec3_add_scaled(v, t, q.w), filo_vec3_cross(u, t));
}

// From a (t = 0) to b (t = 1), along the shorter arc. nlerp costs less, and rotates slightly faster in the middle;
// slerp rotates at a constant speed.
FiloQuat filo_quat_nlerp(FiloQuat a, FiloQuat b, float t);
FiloQuat filo_quat_slerp(FiloQuat a, FiloQuat b, float t);

// The rotation from -z to `direction`, with +y as near to `up` as possible. Neither needs to have length 1. If they are
// parallel, or `up` is zero, an arbitrary up is chosen, always the same; a zero direction gives the identity.
FiloQuat filo_quat_look(FiloVec3 direction, FiloVec3 up);

// To a matrix and back. The matrix may contain a translation, which is ignored, but no scale and no mirroring.
FiloMat4 filo_quat_to_mat4(FiloQuat q);
FiloQuat filo_quat_from_mat4(FiloMat4 m);

// ---- 4x4 matrices -----------------------------------------------------------------------------------

static inline FiloMat4 filo_mat4_identity(void) {
    FiloMat4 r = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };
    return r;
}

static inline FiloMat4 filo_mat4_translate(FiloVec3 by) {
    FiloMat4 r = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, by.x, by.y, by.z, 1 } };
    return r;
}

static inline FiloMat4 filo_mat4_scale(FiloVec3 by) {
    FiloMat4 r = { { by.x, 0, 0, 0, 0, by.y, 0, 0, 0, 0, by.z, 0, 0, 0, 0, 1 } };
    return r;
}

static inline FiloMat4 filo_mat4_rotate(FiloVec3 axis, float angle) {
    return filo_quat_to_mat4(filo_quat_from_axis_angle(axis, angle));
}

// First scaled, then rotated, then moved to `position`.
FiloMat4 filo_mat4_from_parts(FiloVec3 position, FiloQuat rotation, FiloVec3 scale);

// First b, then a.
static inline FiloMat4 filo_mat4_mul(FiloMat4 a, FiloMat4 b) {
    FiloMat4 r;
    for (int c = 0; c < 16; c += 4)
        for (int i = 0; i < 4; i++)
            r.m[c + i] = (a.m[i] * b.m[c] + a.m[4 + i] * b.m[c + 1]) +
                         (a.m[8 + i] * b.m[c + 2] + a.m[12 + i] * b.m[c + 3]);
    return r;
}

static inline FiloVec4 filo_mat4_vec4(FiloMat4 m, FiloVec4 v) {
    return filo_vec4((m.m[0] * v.x + m.m[4] * v.y) + (m.m[8] * v.z + m.m[12] * v.w),
                     (m.m[1] * v.x + m.m[5] * v.y) + (m.m[9] * v.z + m.m[13] * v.w),
                     (m.m[2] * v.x + m.m[6] * v.y) + (m.m[10] * v.z + m.m[14] * v.w),
                     (m.m[3] * v.x + m.m[7] * v.y) + (m.m[11] * v.z + m.m[15] * v.w));
}

// A point is translated, a direction is not. Neither is divided by w: for projections use filo_mat4_project.
static inline FiloVec3 filo_mat4_point(FiloMat4 m, FiloVec3 p) {
    return filo_vec4_xyz(filo_mat4_vec4(m, filo_vec4_from_vec3(p, 1.0f)));
}
static inline FiloVec3 filo_mat4_direction(FiloMat4 m, FiloVec3 v) {
    return filo_vec4_xyz(filo_mat4_vec4(m, filo_vec4_from_vec3(v, 0.0f)));
}

// Transforms a point and divides by w. What is visible lies between -1 and 1; zero where w is 0.
static inline FiloVec3 filo_mat4_project(FiloMat4 m, FiloVec3 p) {
    FiloVec4 v = filo_mat4_vec4(m, filo_vec4_from_vec3(p, 1.0f));
    return filo_vec3_scale(filo_vec4_xyz(v), v.w != 0.0f ? 1.0f / v.w : 0.0f);
}

FiloMat4 filo_mat4_transpose(FiloMat4 m);

// The determinant: the factor by which volumes grow; negative if it mirrors, 0 if it flattens.
float filo_mat4_determinant(FiloMat4 m);

// The inverse. All zeroes if the determinant is 0.
FiloMat4 filo_mat4_inverse(FiloMat4 m);

// A camera at the origin that looks along -z. `field_of_view` is the angle from the bottom to the top of the
// picture, `aspect` its width by its height; 0 < near < far. Depth goes from -1 (near) to 1 (far).
FiloMat4 filo_mat4_perspective(float field_of_view, float aspect, float near, float far);

// The box between these planes; near and far are distances along -z.
FiloMat4 filo_mat4_orthographic(float left, float right, float bottom, float top, float near, float far);

// From the world to the space of a camera at `eye` that looks at `target`, with `up` upwards. Special cases
// as with filo_quat_look.
FiloMat4 filo_mat4_look_at(FiloVec3 eye, FiloVec3 target, FiloVec3 up);

FILO_END_DECLS

#endif
