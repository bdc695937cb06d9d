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

// The coordinate along an axis of the sun. In double precision, so that it is stable far away from the origin.
static double along(FiloVec3 axis, FiloVec3 point) {
    return (double)axis.x * (double)point.x + (double)axis.y * (double)point.y +
           (double)axis.z * (double)point.z;
}

// Rounded to whole texels.
static double snapped(FiloVec3 axis, FiloVec3 point, double texel) {
    double texels = along(axis, point) / texel;
    return (double)(int64_t)(texels + (texels < 0.0 ? -0.5 : 0.5)) * texel;
}

// Axes depend on the sun alone. Depths go from casters before the view to its end, whatever its direction.
static void find_axes(Gfx3dSunAxes *axes, const Gfx3dCascadesDesc *desc, const Gfx3dCascade *last,
                      float *before, float *after) {
    FiloMat4 m = filo_quat_to_mat4(filo_quat_look(filo_vec3_negate(desc->to_sun), filo_vec3(0, 1, 0)));
    for (int i = 0; i < 3; i++) axes->axes[i] = filo_vec3(m.m[4 * i], m.m[4 * i + 1], m.m[4 * i + 2]);
    // Cascades lie within this distance of the eye.
    float reach = filo_vec3_distance(last->centre, desc->eye) + last->radius * 1.1f;
    *before = reach + PULL * desc->distance;
    *after = reach;
    axes->depth_scale = -1.0f / (*before + *after);
    axes->depth_offset = *before / (*before + *after);
}

static void see_from_sun(Gfx3dCascade *cascade, const Gfx3dSunAxes *axes, const Gfx3dCascadesDesc *desc,
                         float before, float after) {
    float size = (float)desc->size;
    float half = cascade->radius * size / (size - 2.0f * BORDER);
    cascade->texel = 2.0f * half / size;
    FiloVec3 x = axes->axes[0], y = axes->axes[1], z = axes->axes[2];
    double at_x = snapped(x, cascade->centre, (double)cascade->texel);
    double at_y = snapped(y, cascade->centre, (double)cascade->texel),
           at_z = along(z, desc->eye) + (double)before;
    FiloMat4 view = { { x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, (float)-at_x, (float)-at_y,
                        (float)-at_z, 1 } };
    cascade->view = view;
    cascade->projection = filo_mat4_orthographic(-half, half, -half, half, 0.0f, before + after);
    FiloMat4 to_texture = { { 0.5f, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1 } };
    cascade->to_map = filo_mat4_mul(to_texture, filo_mat4_mul(cascade->projection, view));
    cascade->scale = filo_vec2(0.5f / half, -0.5f / half);
    cascade->offset = filo_vec2(0.5f + (float)(along(x, desc->eye) - at_x) * cascade->scale.x,
                                0.5f + (float)(along(y, desc->eye) - at_y) * cascade->scale.y);
}

void gfx3d_cascades(Gfx3dCascade *cascades, Gfx3dSunAxes *axes, const Gfx3dCascadesDesc *desc) {
    for (int i = 0; i < desc->count; i++) {
        Gfx3dCascade *cascade = &cascades[i];
        *cascade = (Gfx3dCascade){ 0 };
        cascade->begin = i == 0 ? desc->near : cascades[i - 1].end / (1.0f + GFX3D_CASCADE_BLEND);
        cascade->end = i == desc->count - 1 ? desc->distance : split(desc, i);
        enclose(cascade, desc);
    }
    float before, after;
    find_axes(axes, desc, &cascades[desc->count - 1], &before, &after);
    for (int i = 0; i < desc->count; i++) see_from_sun(&cascades[i], axes, desc, before, after);
}
