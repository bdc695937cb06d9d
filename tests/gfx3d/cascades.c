// Cascades: what they enclose, and how they move.

#include "gfx3d/lights/cascades.h"
#include "support/test.h"

#include "gfx3d/light_support.h"

typedef struct Cascades {
    Gfx3dCascadesDesc desc;
    Gfx3dCascade list[GFX3D_CASCADES];
    Gfx3dSunAxes axes;
} Cascades;

static Gfx3dCascadesDesc random_camera(FiloRandom *random, int i) {
    Gfx3dCascadesDesc desc = { .orthographic = i % 5 == 0, .count = 1 + i % 4, .size = 256 << (i % 3) };
    desc.forward = random_direction(random);
    desc.near = filo_random_float_range(random, 0.05f, 1);
    desc.distance = filo_random_float_range(random, 20, 500);
    desc.to_sun = random_direction(random);
    desc.eye.x = filo_random_float_range(random, -900, 900);
    desc.eye.y = filo_random_float_range(random, -90, 90);
    desc.eye.z = filo_random_float_range(random, -900, 900);
    desc.half_height = desc.orthographic ? filo_random_float_range(random, 2, 40)
                                         : filo_random_float_range(random, 0.2f, 1.2f);
    desc.half_width = desc.half_height * filo_random_float_range(random, 0.6f, 2.2f);
    return desc;
}

static Cascades random_cascades(FiloRandom *random, int i) {
    Cascades c = { .desc = random_camera(random, i) };
    gfx3d_cascades(c.list, &c.axes, &c.desc);
    return c;
}

// A point of the view at a distance along its axis; u and v from −1 to 1.
static FiloVec3 point_of_view(const Gfx3dCascadesDesc *desc, float distance, float u, float v) {
    FiloVec3 x = filo_vec3_perpendicular(desc->forward), y = filo_vec3_cross(x, desc->forward);
    float spread = desc->orthographic ? 1.0f : distance;
    FiloVec3 p = filo_vec3_add_scaled(desc->eye, desc->forward, distance);
    p = filo_vec3_add_scaled(p, x, u * desc->half_width * spread);
    return filo_vec3_add_scaled(p, y, v * desc->half_height * spread);
}

static bool is_inside(FiloVec3 at, float border) {
    return at.x >= border && at.x <= 1 - border && at.y >= border && at.y <= 1 - border && at.z >= 0 &&
           at.z <= 1;
}

FILO_TEST(every_point_of_a_slice_is_inside_of_its_cascade_with_room_for_filtering) {
    FiloRandom random = filo_random_sequence(7);
    for (int i = 0; i < 200; i++) {
        Cascades set = random_cascades(&random, i);
        const Gfx3dCascadesDesc desc = set.desc;
        const Gfx3dCascade *cascades = set.list;
        for (int c = 0; c < desc.count; c++)
            for (int k = 0; k < 60; k++) {
                float corner = k < 8 ? 1.0f : filo_random_float_range(&random, 0, 1);
                float u = (k % 2 == 0 ? 1.0f : -1.0f) * corner, v = (k / 2 % 2 == 0 ? 1.0f : -1.0f) * corner;
                float part = k < 8 ? (float)(k / 4) : filo_random_float_range(&random, 0, 1);
                FiloVec3 p = point_of_view(&desc, filo_lerp(cascades[c].begin, cascades[c].end, part), u, v);
                // One and a half texels beside it are read.
                FiloVec3 at = filo_mat4_point(cascades[c].to_map, p);
                if (!is_inside(at, 1.5f / (float)desc.size))
                    fail_msg("camera %d, cascade %d: %g %g %g", i, c, (double)at.x, (double)at.y,
                             (double)at.z);
            }
    }
}

FILO_TEST(slices_follow_each_other_from_near_to_the_distance_and_overlap_where_they_blend) {
    FiloRandom random = filo_random_sequence(3);
    for (int i = 0; i < 100; i++) {
        Cascades set = random_cascades(&random, i);
        const Gfx3dCascadesDesc desc = set.desc;
        const Gfx3dCascade *cascades = set.list;
        assert_true(cascades[0].begin == desc.near);
        assert_true(cascades[desc.count - 1].end == desc.distance);
        for (int c = 1; c < desc.count; c++) {
            assert_true(cascades[c].end > cascades[c - 1].end);
            assert_true(cascades[c].begin * (1 + GFX3D_CASCADE_BLEND) <= cascades[c - 1].end * 1.00001f);
            assert_true(cascades[c].texel > cascades[c - 1].texel); // the nearest is the sharpest
        }
    }
}

// What the shader computes of the axes, from the eye on, is what the matrix of the cascade does.
FILO_TEST(axes_scale_and_offset_say_the_same_as_the_matrix) {
    FiloRandom random = filo_random_sequence(11);
    for (int i = 0; i < 100; i++) {
        Cascades set = random_cascades(&random, i);
        const Gfx3dCascadesDesc desc = set.desc;
        const Gfx3dCascade *cascades = set.list;
        for (int c = 0; c < desc.count; c++) {
            float across = filo_random_float_range(&random, -1, 1),
                  up = filo_random_float_range(&random, -1, 1);
            FiloVec3 p = point_of_view(&desc, cascades[c].end, across, up);
            FiloVec3 o = filo_vec3_sub(p, desc.eye), at = filo_mat4_point(cascades[c].to_map, p);
            float x = filo_vec3_dot(o, set.axes.axes[0]) * cascades[c].scale.x + cascades[c].offset.x;
            float y = filo_vec3_dot(o, set.axes.axes[1]) * cascades[c].scale.y + cascades[c].offset.y;
            float z = filo_vec3_dot(o, set.axes.axes[2]) * set.axes.depth_scale + set.axes.depth_offset;
            assert_float_equal((double)x, (double)at.x, 1e-3);
            assert_float_equal((double)y, (double)at.y, 1e-3);
            assert_float_equal((double)z, (double)at.z, 1e-4);
            assert_true(cascades[c].scale.x == -cascades[c].scale.y);
        }
    }
}

// A camera that moves or turns a little moves the map by whole texels: a point of the world stays at the same place within
// its texel.
FILO_TEST(a_camera_that_moves_and_turns_moves_the_map_by_whole_texels) {
    FiloRandom random = filo_random_sequence(5);
    for (int i = 0; i < 100; i++) {
        Gfx3dCascadesDesc desc = random_camera(&random, i);
        desc.eye = filo_vec3_scale(desc.eye, 0.1f); // matrices of floats have the digits for this
        Gfx3dCascade before[GFX3D_CASCADES], after[GFX3D_CASCADES];
        Gfx3dSunAxes axes;
        gfx3d_cascades(before, &axes, &desc);
        FiloVec3 along = random_direction(&random);
        desc.eye = filo_vec3_add_scaled(desc.eye, along, filo_random_float_range(&random, 0, 0.5f));
        desc.forward =
            filo_vec3_normalise(filo_vec3_add_scaled(desc.forward, random_direction(&random), 0.02f));
        gfx3d_cascades(after, &axes, &desc);
        for (int c = 0; c < desc.count; c++) {
            assert_true(before[c].texel == after[c].texel);
            FiloVec3 a = filo_mat4_point(before[c].to_map, filo_vec3(1, 2, 3));
            FiloVec3 b = filo_mat4_point(after[c].to_map, filo_vec3(1, 2, 3));
            float dx = (b.x - a.x) * (float)desc.size, dy = (b.y - a.y) * (float)desc.size;
            assert_float_equal((double)dx, (double)filo_round(dx), 0.03);
            assert_float_equal((double)dy, (double)filo_round(dy), 0.03);
        }
    }
}

// Casters before the view, towards the sun, are in the map; what is behind the view is not needed.
FILO_TEST(casters_towards_the_sun_are_inside) {
    FiloRandom random = filo_random_sequence(13);
    for (int i = 0; i < 100; i++) {
        Cascades set = random_cascades(&random, i);
        const Gfx3dCascadesDesc desc = set.desc;
        const Gfx3dCascade *cascades = set.list;
        for (int c = 0; c < desc.count; c++) {
            FiloVec3 p = point_of_view(&desc, cascades[c].end, 0, 0);
            FiloVec3 at =
                filo_mat4_point(cascades[c].to_map, filo_vec3_add_scaled(p, desc.to_sun, 2 * desc.distance));
            assert_true(is_inside(at, 0));
        }
    }
}

FILO_TEST(a_sun_straight_above_has_axes) {
    Gfx3dCascadesDesc desc = { .forward = { 0, 0, -1 },
                               .half_width = 1,
                               .half_height = 0.6f,
                               .near = 0.1f,
                               .distance = 100,
                               .to_sun = { 0, 1, 0 },
                               .count = 2,
                               .size = 512 };
    Gfx3dCascade cascades[GFX3D_CASCADES];
    Gfx3dSunAxes axes;
    gfx3d_cascades(cascades, &axes, &desc);
    for (int i = 0; i < 3; i++) {
        assert_float_equal((double)filo_vec3_length(axes.axes[i]), 1, 1e-5);
        assert_float_equal((double)filo_vec3_dot(axes.axes[i], axes.axes[(i + 1) % 3]), 0, 1e-5);
    }
    assert_float_equal((double)axes.axes[2].y, 1, 1e-5);
    assert_true(is_inside(filo_mat4_point(cascades[1].to_map, filo_vec3(0, 0, -50)), 0));
}
