// Where the slices of a camera end, and how the sun sees them.

#include "gfx3d/lights/cascades.h"

#include <filo/scalar.h>

// Texels at each border of the map that shadows do not use: half a texel by which the map is moved, and one and a half
// that filtering reads.
#define BORDER 2.5f

// Casters are drawn from this far before the slice on, towards the sun, in distances of shadows.
#define PULL 3.0f

// The practical scheme (Zhang and others, Parallel-Split Shadow Maps): between equal slices and equal ratios.
static float split(const Gfx3dCascadesDesc *desc, int i) {
    float part = (float)(i + 1) / (float)desc->count;
    // A camera that sees very near things would spend the first slice on them.
    float near = filo_max(desc->near, desc->distance * 0.01f);
    float ratio = near * filo_pow(desc->distance / near, part);
    float equal = near + (desc->distance - near) * part;
    return filo_lerp(equal, ratio, 0.75f);
}

// The smallest sphere around a slice of a cone with the tangent `k`, or of a cylinder: its centre is on the axis.
static void enclose(Gfx3dCascade *cascade, const Gfx3dCascadesDesc *desc) {
    float n = cascade->begin, f = cascade->end;
    float k2 = desc->half_width * desc->half_width + desc->half_height * desc->half_height;
    float at = (n + f) * 0.5f, radius;
    if (desc->orthographic) {
        radius = filo_sqrt((f - n) * (f - n) * 0.25f + k2);
    } else if (k2 * (f + n) >= f - n) {
        at = f;
        radius = f * filo_sqrt(k2);
    } else {
        at = (f + n) * 0.5f * (1.0f + k2);
        radius =
            0.5f * filo_sqrt((f - n) * (f - n) + 2.0f * (f * f + n * n) * k2 + (f + n) * (f + n) * k2 * k2);
    }
    cascade->radius = radius * 1.0001f; // rounding
    cascade->centre = filo_vec3_add_scaled(desc->eye, desc->forward, at);
}

// The coordinate along an axis of the sun, rounded to whole texels. In double precision, so that it is stable far away
// from the origin.
static float snapped(FiloVec3 axis, FiloVec3 point, float texel) {
    double along = (double)axis.x * (double)point.x + (double)axis.y * (double)point.y +
                   (double)axis.z * (double)point.z;
    double texels = along / (double)texel;
    double whole = (double)(int64_t)(texels + (texels < 0.0 ? -0.5 : 0.5));
    return (float)(whole * (double)texel);
}

static void see_from_sun(Gfx3dCascade *cascade, const Gfx3dCascadesDesc *desc) {
    float size = (float)desc->size;
    float half = cascade->radius * size / (size - 2.0f * BORDER);
    cascade->texel = 2.0f * half / size;
    // Axes depend on the sun alone.
    FiloMat4 axes = filo_quat_to_mat4(filo_quat_look(filo_vec3_negate(desc->to_sun), filo_vec3(0, 1, 0)));
    FiloVec3 x = filo_vec3(axes.m[0], axes.m[1], axes.m[2]), y = filo_vec3(axes.m[4], axes.m[5], axes.m[6]);
    FiloVec3 z = filo_vec3(axes.m[8], axes.m[9], axes.m[10]);
    FiloVec3 at = filo_vec3(snapped(x, cascade->centre, cascade->texel),
                            snapped(y, cascade->centre, cascade->texel), filo_vec3_dot(z, cascade->centre));
    float before = half + PULL * desc->distance;
    FiloMat4 view = { { x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, -at.x, -at.y, -at.z - before,
                        1 } };
    cascade->view = view;
    cascade->projection = filo_mat4_orthographic(-half, half, -half, half, 0.0f, before + half);
    FiloMat4 to_texture = { { 0.5f, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1 } };
    cascade->to_map = filo_mat4_mul(to_texture, filo_mat4_mul(cascade->projection, view));
}

void gfx3d_cascades(Gfx3dCascade *cascades, const Gfx3dCascadesDesc *desc) {
    for (int i = 0; i < desc->count; i++) {
        Gfx3dCascade *cascade = &cascades[i];
        *cascade = (Gfx3dCascade){ 0 };
        cascade->begin = i == 0 ? desc->near : cascades[i - 1].end / (1.0f + GFX3D_CASCADE_BLEND);
        cascade->end = i == desc->count - 1 ? desc->distance : split(desc, i);
        enclose(cascade, desc);
        see_from_sun(cascade, desc);
    }
}
