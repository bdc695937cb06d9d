// Transforms: functions that are too long to be inline.
//
// Inverses are computed in double, because in float the sub-determinants of a matrix with very different scales suffer
// from cancellation. The order of all sums is explicit.

#include <filo/check.h>
#include <filo/matrix.h>

// ---- 2D affine transforms ---------------------------------------------------------------------------

FiloAffine2 filo_affine2_inverse(FiloAffine2 t) {
    double xx = (double)t.x.x, xy = (double)t.x.y, yx = (double)t.y.x, yy = (double)t.y.y;
    double determinant = xx * yy - xy * yx;
    FiloVec2 zero = filo_vec2(0.0f, 0.0f);
    if (determinant == 0.0) return filo_affine2(zero, zero, zero);
    double s = 1.0 / determinant, ox = (double)t.origin.x, oy = (double)t.origin.y;
    return filo_affine2(filo_vec2((float)(yy * s), (float)(-xy * s)),
                        filo_vec2((float)(-yx * s), (float)(xx * s)),
                        filo_vec2((float)((yx * oy - yy * ox) * s), (float)((xy * ox - xx * oy) * s)));
}

FiloRect filo_affine2_rect(FiloAffine2 t, FiloRect r) {
    if (filo_rect_is_empty(r)) return filo_rect(t.origin, t.origin);
    FiloVec2 a = filo_affine2_point(t, r.min), b = filo_affine2_point(t, r.max);
    FiloVec2 c = filo_affine2_point(t, filo_vec2(r.min.x, r.max.y));
    FiloVec2 d = filo_affine2_point(t, filo_vec2(r.max.x, r.min.y));
    return filo_rect(filo_vec2_min(filo_vec2_min(a, b), filo_vec2_min(c, d)),
                     filo_vec2_max(filo_vec2_max(a, b), filo_vec2_max(c, d)));
}

// ---- Quaternions ------------------------------------------------------------------------------------

// a * s + b * t, normalised.
static FiloQuat blend(FiloQuat a, float s, FiloQuat b, float t) {
    return filo_quat_normalise(
        filo_quat(a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t, a.w * s + b.w * t));
}

FiloQuat filo_quat_nlerp(FiloQuat a, FiloQuat b, float t) {
    // q and -q are the same rotation; the one nearer to a gives the shorter arc.
    return blend(a, 1.0f - t, b, filo_quat_dot(a, b) < 0.0f ? -t : t);
}

FiloQuat filo_quat_slerp(FiloQuat a, FiloQuat b, float t) {
    float cosine = filo_quat_dot(a, b), sign = cosine < 0.0f ? -1.0f : 1.0f;
    cosine *= sign;
    // So near that the sine below would be lost in rounding; nlerp and slerp are then equal to the last bits.
    if (cosine > 0.9995f) return filo_quat_nlerp(a, b, t);
    float angle = filo_acos(cosine), s = 1.0f / filo_sin(angle);
    return blend(a, filo_sin((1.0f - t) * angle) * s, b, filo_sin(t * angle) * s * sign);
}

// The columns of a rotation matrix that looks along `direction`: right, up and backwards.
typedef struct Axes {
    FiloVec3 right, up, back;
} Axes;

static Axes look_axes(FiloVec3 direction, FiloVec3 up) {
    Axes axes = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    FiloVec3 forward = filo_vec3_normalise(direction), zero = { 0.0f, 0.0f, 0.0f };
    if (filo_vec3_equal(forward, zero)) return axes;
    FiloVec3 side = filo_vec3_cross(forward, filo_vec3_normalise(up));
    // Nearly parallel (less than a thousandth of a degree): the direction of up would be a rounding error.
    bool is_parallel = filo_vec3_length_squared(side) < 1e-10f;
    axes.right = is_parallel ? filo_vec3_perpendicular(forward) : filo_vec3_normalise(side);
    axes.up = filo_vec3_cross(axes.right, forward);
    axes.back = filo_vec3_negate(forward);
    return axes;
}

static FiloMat4 from_axes(Axes a) {
    FiloMat4 r = { { a.right.x, a.right.y, a.right.z, 0.0f, a.up.x, a.up.y, a.up.z, 0.0f, a.back.x, a.back.y,
                     a.back.z, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f } };
    return r;
}

FiloQuat filo_quat_look(FiloVec3 direction, FiloVec3 up) {
    return filo_quat_from_mat4(from_axes(look_axes(direction, up)));
}

FiloMat4 filo_quat_to_mat4(FiloQuat q) {
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    Axes axes = { { 1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy) },
                  { 2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx) },
                  { 2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy) } };
    return from_axes(axes);
}

FiloQuat filo_quat_from_mat4(FiloMat4 matrix) {
    const float *m = matrix.m;
    // The diagonal gives the size of each of the four; the others follow from the largest without cancellation.
    float w = 1.0f + m[0] + m[5] + m[10], x = 1.0f + m[0] - m[5] - m[10];
    float y = 1.0f - m[0] + m[5] - m[10], z = 1.0f - m[0] - m[5] + m[10];
    FiloQuat q;
    if (w >= x && w >= y && w >= z)
        q = filo_quat(m[6] - m[9], m[8] - m[2], m[1] - m[4], w);
    else if (x >= y && x >= z)
        q = filo_quat(x, m[1] + m[4], m[8] + m[2], m[6] - m[9]);
    else if (y >= z)
        q = filo_quat(m[1] + m[4], y, m[6] + m[9], m[8] - m[2]);
    else
        q = filo_quat(m[8] + m[2], m[6] + m[9], z, m[1] - m[4]);
    return filo_quat_normalise(q);
}

// ---- 4x4 matrices -----------------------------------------------------------------------------------

FiloMat4 filo_mat4_from_parts(FiloVec3 position, FiloQuat rotation, FiloVec3 scale) {
    FiloMat4 r = filo_quat_to_mat4(rotation);
    for (int i = 0; i < 3; i++) {
        r.m[i] *= scale.x;
        r.m[4 + i] *= scale.y;
        r.m[8 + i] *= scale.z;
    }
    r.m[12] = position.x;
    r.m[13] = position.y;
    r.m[14] = position.z;
    return r;
}

FiloMat4 filo_mat4_transpose(FiloMat4 m) {
    FiloMat4 r;
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 4; i++) r.m[4 * c + i] = m.m[4 * i + c];
    return r;
}

// The determinants of the 2x2 blocks that the upper two and the lower two rows have in each pair of
// columns (Laplace's expansion by complementary minors).
typedef struct Minors {
    double upper[6], lower[6];
} Minors;

static double minor2(const double *m, int row, int a, int b) {
    return m[4 * a + row] * m[4 * b + row + 1] - m[4 * b + row] * m[4 * a + row + 1];
}

static Minors minors_of(const double *m) {
    static const int pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
    Minors r;
    for (int i = 0; i < 6; i++) {
        r.upper[i] = minor2(m, 0, pairs[i][0], pairs[i][1]);
        r.lower[i] = minor2(m, 2, pairs[i][0], pairs[i][1]);
    }
    return r;
}

static double determinant_of(const Minors *s) {
    const double *u = s->upper, *l = s->lower;
    return ((u[0] * l[5] - u[1] * l[4]) + (u[2] * l[3] + u[3] * l[2])) + (u[5] * l[0] - u[4] * l[1]);
}

float filo_mat4_determinant(FiloMat4 matrix) {
    double m[16];
    for (int i = 0; i < 16; i++) m[i] = (double)matrix.m[i];
    Minors minors = minors_of(m);
    return (float)determinant_of(&minors);
}

FiloMat4 filo_mat4_inverse(FiloMat4 matrix) {
    double m[16];
    for (int i = 0; i < 16; i++) m[i] = (double)matrix.m[i];
    Minors minors = minors_of(m);
    const double *u = minors.upper, *l = minors.lower;
    double determinant = determinant_of(&minors);
    FiloMat4 r = { { 0 } };
    if (determinant == 0.0) return r;
    double s = 1.0 / determinant;
    // Row i of the adjugate, from the columns of m other than i: two entries from each half of the rows.
    static const int columns[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
    static const int pairs[4][3] = { { 5, 4, 3 }, { 5, 2, 1 }, { 4, 2, 0 }, { 3, 1, 0 } };
    for (int i = 0; i < 4; i++) {
        double sign = (i & 1) != 0 ? -s : s;
        for (int j = 0; j < 4; j++) {
            // Without row j its half has only row j ^ 1, which is multiplied by the minors of the other half.
            const double *minor = j < 2 ? l : u;
            const int *c = columns[i], *p = pairs[i];
            int row = j ^ 1;
            double cofactor = (m[4 * c[0] + row] * minor[p[0]] - m[4 * c[1] + row] * minor[p[1]]) +
                              m[4 * c[2] + row] * minor[p[2]];
            r.m[4 * j + i] = (float)((j & 1) != 0 ? -sign * cofactor : sign * cofactor);
        }
    }
    return r;
}

FiloMat4 filo_mat4_perspective(float field_of_view, float aspect, float near, float far) {
    if (!FILO_CHECK(field_of_view > 0.0f && field_of_view < FILO_PI && aspect > 0.0f && near > 0.0f &&
                        far > near,
                    "perspective needs an angle between 0 and pi, an aspect above 0 and 0 < near < far, not "
                    "%g, %g, %g and %g",
                    (double)field_of_view, (double)aspect, (double)near, (double)far))
        return filo_mat4_identity();
    float f = 1.0f / filo_tan(field_of_view * 0.5f), depth = near - far;
    FiloMat4 r = { { f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0,
                     2.0f * far * near / depth, 0 } };
    return r;
}

FiloMat4 filo_mat4_orthographic(float left, float right, float bottom, float top, float near, float far) {
    if (!FILO_CHECK(
            left != right && bottom != top && near != far,
            "an orthographic box needs a width, a height and a depth, not %g to %g, %g to %g, %g to %g",
            (double)left, (double)right, (double)bottom, (double)top, (double)near, (double)far))
        return filo_mat4_identity();
    float w = right - left, h = top - bottom, d = far - near;
    FiloMat4 r = { { 2.0f / w, 0, 0, 0, 0, 2.0f / h, 0, 0, 0, 0, -2.0f / d, 0, -(right + left) / w,
                     -(top + bottom) / h, -(far + near) / d, 1 } };
    return r;
}

FiloMat4 filo_mat4_look_at(FiloVec3 eye, FiloVec3 target, FiloVec3 up) {
    Axes axes = look_axes(filo_vec3_sub(target, eye), up);
    // The inverse of the camera's transform; the inverse of a rotation is its transpose.
    FiloMat4 r = filo_mat4_transpose(from_axes(axes));
    r.m[12] = -filo_vec3_dot(axes.right, eye);
    r.m[13] = -filo_vec3_dot(axes.up, eye);
    r.m[14] = -filo_vec3_dot(axes.back, eye);
    return r;
}
