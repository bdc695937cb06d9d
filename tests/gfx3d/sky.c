// The computed sky: what it looks like by day, in the evening and by night.

#include "gfx3d/lights/atmosphere.h"
#include "support/test.h"

#include <filo/scalar.h>

typedef struct Sky {
    Gfx3dAir air;
    Gfx3dAtmosphere sky;
} Sky;

// A sun at this height in degrees, towards +x.
static const Gfx3dAtmosphere *sky_at(Sky *sky, float degrees, float haze) {
    gfx3d_air_init(&sky->air);
    float angle = filo_radians(degrees);
    gfx3d_atmosphere_begin(&sky->sky, &sky->air, filo_vec3(filo_cos(angle), filo_sin(angle), 0), haze);
    for (int row = 0; row < GFX3D_SKY_ROWS; row++) gfx3d_atmosphere_row(&sky->sky, &sky->air, row);
    gfx3d_atmosphere_end(&sky->sky);
    return &sky->sky;
}

static float luminance(FiloVec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

static FiloVec3 towards(const Gfx3dAtmosphere *sky, float x, float y, float z) {
    return gfx3d_atmosphere_radiance(sky, filo_vec3_normalise(filo_vec3(x, y, z)));
}

FILO_TEST(by_day_the_sky_is_blue_and_brighter_at_the_horizon) {
    Sky memory;
    const Gfx3dAtmosphere *sky = sky_at(&memory, 45, 0);
    FiloVec3 zenith = towards(sky, 0, 1, 0), horizon = towards(sky, 0, 0.03f, 1);
    assert_true(zenith.z > zenith.y && zenith.y > zenith.x);
    assert_true(zenith.z > 2 * zenith.x);
    assert_true(luminance(horizon) > 2 * luminance(zenith));
    // Less blue at the horizon.
    assert_true(horizon.z / horizon.x < 0.7f * zenith.z / zenith.x);
}

FILO_TEST(in_the_evening_sun_and_horizon_are_golden) {
    Sky memory;
    const Gfx3dAtmosphere *sky = sky_at(&memory, 3, 0);
    assert_true(sky->sunlight.x > 1.5f * sky->sunlight.y && sky->sunlight.y > 2 * sky->sunlight.z);
    FiloVec3 west = towards(sky, 1, 0.03f, 0), east = towards(sky, -1, 0.03f, 0);
    assert_true(west.x > west.z);
    assert_true(luminance(west) > 1.5f * luminance(east)); // the sun is there
}

FILO_TEST(light_fades_after_sunset_and_does_not_end) {
    Sky memory;
    float before = 1e9f;
    for (int degrees = 0; degrees >= -18; degrees -= 3) {
        const Gfx3dAtmosphere *sky = sky_at(&memory, (float)degrees, 0);
        float light = luminance(towards(sky, 0, 1, 0.3f));
        assert_true(light > 0.001f);
        assert_true(degrees < -9 || light <= before * 1.05f);
        before = light;
        if (degrees < -3) assert_true(luminance(sky->sunlight) < 1e-4f);
    }
    // Starlight is blue.
    FiloVec3 night = towards(sky_at(&memory, -30, 0), 0, 1, 0);
    assert_true(night.z > 1.5f * night.x);
}

FILO_TEST(haze_brightens_the_sky_around_the_sun) {
    Sky memory;
    float clear = luminance(towards(sky_at(&memory, 30, 0), 1, 0.8f, 0));
    float hazy = luminance(towards(sky_at(&memory, 30, 0.8f), 1, 0.8f, 0));
    assert_true(hazy > 2 * clear);
}

FILO_TEST(the_light_of_a_high_sun_in_clear_air_is_its_own_colour) {
    Sky memory;
    const Gfx3dAtmosphere *sky = sky_at(&memory, 60, 0);
    assert_float_equal((double)sky->sunlight.x, 1, 0.08);
    assert_float_equal((double)sky->sunlight.y, 1, 0.08);
    assert_float_equal((double)sky->sunlight.z, 1, 0.1);
    float gain;
    FiloVec3 again = gfx3d_sunlight(&memory.air, filo_sin(filo_radians(60)), 0, &gain);
    assert_float_equal((double)again.x, (double)sky->sunlight.x, 1e-5);
    assert_float_equal((double)gain, (double)sky->gain, 1e-5);
}

// The table has no holes, for any height of the sun.
FILO_TEST(every_value_is_finite_and_not_negative) {
    Sky memory;
    for (int degrees = -90; degrees <= 90; degrees += 15) {
        const Gfx3dAtmosphere *sky = sky_at(&memory, (float)degrees, degrees % 2 == 0 ? 0 : 1);
        for (int row = 0; row < GFX3D_SKY_ROWS; row++)
            for (int i = 0; i < GFX3D_SKY_COLUMNS; i++) {
                FiloVec4 v = sky->table[row][i];
                assert_true(v.x >= 0 && v.y >= 0 && v.z >= 0 && v.w >= 0);
                assert_true(v.x < 100 && v.y < 100 && v.z < 100 && v.w < 100);
            }
        assert_true(luminance(towards(sky, 0.3f, -1, 0.2f)) >= 0); // straight down too
    }
}

// From just above to just below the horizon there is no step.
FILO_TEST(the_ground_begins_softly) {
    Sky memory;
    const Gfx3dAtmosphere *sky = sky_at(&memory, 20, 0);
    for (int i = 0; i < 12; i++) {
        FiloSinCos angle = filo_sincos((float)i * 0.5f);
        float above = luminance(towards(sky, angle.cos, 0.001f, angle.sin));
        float below = luminance(towards(sky, angle.cos, -0.001f, angle.sin));
        assert_true(filo_abs(above - below) < 0.02f * above);
    }
}
