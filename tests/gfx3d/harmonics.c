// Spherical harmonics against numeric integration, and the map of the sky that they are made of.

#include "gfx3d/lights/half.h"
#include "gfx3d/lights/sky_map.h"
#include "support/test.h"

#include "gfx3d/light_support.h"

#include <math.h>

// A sky without symmetry: smooth, and brighter towards a side.
static FiloVec3 uneven(FiloVec3 d, void *user) {
    FILO_UNUSED(user);
    float side = filo_max(0.6f * d.x + 0.8f * d.y, 0);
    return filo_vec3(0.7f + 0.5f * d.y + 0.1f * d.x * d.z, 0.4f + side,
                     0.2f + 0.1f * d.z * d.z + 2 * side * side);
}

static FiloVec3 white(FiloVec3 d, void *user) {
    FILO_UNUSED(d);
    FILO_UNUSED(user);
    return filo_vec3(1, 1, 1);
}

typedef struct Sky {
    FiloJobs *jobs;
    Gfx3dSkyMap *map;
} Sky;

static Sky sky_open(int threads) {
    Sky sky = { 0 };
    assert_ok(filo_jobs_create(&sky.jobs, &(FiloJobsDesc){ .threads = threads }));
    sky.map = filo_alloc_zero(NULL, sizeof *sky.map, 0);
    assert_non_null(sky.map);
    return sky;
}

static void sky_close(Sky *sky) {
    filo_free(NULL, sky->map, sizeof *sky->map, 0);
    filo_jobs_destroy(sky->jobs, FILO_JOBS_FINISH);
}

// The mean of radiance, weighted by the cosine to the normal: by many directions on a grid.
static FiloVec3 integrate(Gfx3dRadiance radiance, FiloVec3 normal) {
    double sum[3] = { 0 };
    for (int i = 0; i < 128; i++)
        for (int k = 0; k < 256; k++) {
            double y = (i + 0.5) / 64 - 1, angle = (k + 0.5) * 2 * M_PI / 256, level = sqrt(1 - y * y);
            FiloVec3 d = filo_vec3((float)(level * cos(angle)), (float)y, (float)(level * sin(angle)));
            double cosine = (double)filo_vec3_dot(d, normal);
            if (cosine <= 0) continue;
            FiloVec3 c = radiance(d, NULL);
            double area = 4 * M_PI / (128 * 256) * cosine / M_PI;
            sum[0] += (double)c.x * area;
            sum[1] += (double)c.y * area;
            sum[2] += (double)c.z * area;
        }
    return filo_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}

FILO_TEST(ambient_light_is_the_integral_over_the_sky) {
    Sky sky = sky_open(1);
    gfx3d_sky_map_fill(sky.map, sky.jobs, uneven, NULL);
    Gfx3dHarmonics harmonics;
    FiloVec4 ambient[9];
    gfx3d_sky_map_harmonics(sky.map, &harmonics);
    gfx3d_harmonics_ambient(&harmonics, ambient);
    FiloRandom random = filo_random_sequence(5);
    for (int i = 0; i < 40; i++) {
        FiloVec3 normal = random_direction(&random), exact = integrate(uneven, normal),
                 found = gfx3d_ambient(ambient, normal);
        // Nine harmonics have no more than the second order of the light: a few parts in a hundred are missing.
        assert_float_equal((double)found.x, (double)exact.x, 0.01);
        assert_float_equal((double)found.y, (double)exact.y, 0.02);
        assert_float_equal((double)found.z, (double)exact.z, 0.04);
    }
    sky_close(&sky);
}

FILO_TEST(a_white_sky_lights_a_white_surface_white) {
    Sky sky = sky_open(1);
    gfx3d_sky_map_fill(sky.map, sky.jobs, white, NULL);
    Gfx3dHarmonics harmonics;
    FiloVec4 ambient[9];
    gfx3d_sky_map_harmonics(sky.map, &harmonics);
    gfx3d_harmonics_ambient(&harmonics, ambient);
    FiloRandom random = filo_random_sequence(2);
    for (int i = 0; i < 20; i++)
        assert_float_equal((double)gfx3d_ambient(ambient, random_direction(&random)).y, 1, 1e-3);
    for (int layer = 1; layer < GFX3D_SKY_LAYERS; layer++) {
        gfx3d_sky_map_blur(sky.map, sky.jobs, layer);
        for (int i = 0; i < 20; i++)
            assert_float_equal((double)gfx3d_sky_sample(sky.map, layer, random_direction(&random)).x, 1,
                               1e-4);
    }
    sky_close(&sky);
}

FILO_TEST(nodes_of_the_map_cover_the_sphere_once) {
    double sum = 0;
    for (int y = 0; y < GFX3D_SKY_SIDE; y++)
        for (int x = 0; x < GFX3D_SKY_SIDE; x++) sum += (double)gfx3d_sky_solid_angle(x, y);
    assert_true(fabs(sum - 4 * M_PI) < 0.002);
    // Opposite nodes of the border are the same direction, so there is no seam.
    int last = GFX3D_SKY_SIDE - 1;
    for (int i = 0; i <= last; i++) {
        assert_true(filo_vec3_distance(gfx3d_sky_direction(i, 0), gfx3d_sky_direction(last - i, 0)) < 1e-5f);
        assert_true(filo_vec3_distance(gfx3d_sky_direction(0, i), gfx3d_sky_direction(0, last - i)) < 1e-5f);
    }
    assert_true(gfx3d_sky_direction(last / 2, last / 2).y > 0.9999f);
    assert_true(gfx3d_sky_direction(0, 0).y < -0.9999f);
}

FILO_TEST(a_sample_of_the_map_is_what_was_filled_in_that_direction) {
    Sky sky = sky_open(1);
    gfx3d_sky_map_fill(sky.map, sky.jobs, uneven, NULL);
    FiloRandom random = filo_random_sequence(9);
    for (int i = 0; i < 200; i++) {
        FiloVec3 d = random_direction(&random), found = gfx3d_sky_sample(sky.map, 0, d),
                 exact = uneven(d, NULL);
        assert_float_equal((double)found.x, (double)exact.x, 0.01);
        assert_float_equal((double)found.z, (double)exact.z, 0.02);
    }
    sky_close(&sky);
}

// Each layer is smoother, and the mean over all directions stays about the same.
FILO_TEST(layers_blur_more_and_more_and_preserve_the_light) {
    Sky sky = sky_open(1);
    gfx3d_sky_map_fill(sky.map, sky.jobs, uneven, NULL);
    double contrast = 1e9, first_mean = 0;
    for (int layer = 0; layer < GFX3D_SKY_LAYERS; layer++) {
        if (layer > 0) gfx3d_sky_map_blur(sky.map, sky.jobs, layer);
        double mean = 0, highest = 0, lowest = 1e9;
        for (int y = 0; y < GFX3D_SKY_SIDE; y++)
            for (int x = 0; x < GFX3D_SKY_SIDE; x++) {
                double value = (double)sky.map->layers[layer][y][x].y;
                mean += value * (double)gfx3d_sky_solid_angle(x, y);
                highest = fmax(highest, value);
                lowest = fmin(lowest, value);
            }
        if (layer == 0) first_mean = mean;
        assert_true(fabs(mean - first_mean) < 0.02 * first_mean);
        assert_true(highest - lowest <= contrast + 1e-4);
        contrast = highest - lowest;
    }
    assert_true(contrast < 0.75);
    sky_close(&sky);
}

FILO_TEST(the_map_has_the_same_bits_on_any_number_of_threads) {
    Sky one = sky_open(1), many = sky_open(4);
    Sky *skies[] = { &one, &many };
    for (int i = 0; i < 2; i++) {
        gfx3d_sky_map_fill(skies[i]->map, skies[i]->jobs, uneven, NULL);
        for (int layer = 1; layer < GFX3D_SKY_LAYERS; layer++)
            gfx3d_sky_map_blur(skies[i]->map, skies[i]->jobs, layer);
    }
    assert_memory_equal(one.map, many.map, sizeof *one.map);
    sky_close(&one);
    sky_close(&many);
}

static double half_value(uint16_t half) {
    int exponent = half >> 10, mantissa = half & 1023;
    return exponent == 0 ? ldexp(mantissa, -24) : ldexp(1024 + mantissa, exponent - 25);
}

FILO_TEST(half_floats_are_the_nearest_ones) {
    assert_int_equal(gfx3d_half(0), 0);
    assert_int_equal(gfx3d_half(1), 0x3C00);
    assert_int_equal(gfx3d_half(65504), 0x7BFF);
    assert_int_equal(gfx3d_half(1e30f), 0x7BFF);
    assert_int_equal(gfx3d_half(-3), 0);
    assert_int_equal(gfx3d_half((float)NAN), 0);
    // Between two halves, and back.
    for (unsigned half = 1; half < 0x7BFF; half += 7) {
        double exact = half_value((uint16_t)half), next = half_value((uint16_t)(half + 1));
        assert_int_equal(gfx3d_half((float)exact), half);
        assert_int_equal(gfx3d_half((float)(exact + (next - exact) * 0.49)), half);
        assert_int_equal(gfx3d_half((float)(exact + (next - exact) * 0.51)), half + 1);
    }
}
