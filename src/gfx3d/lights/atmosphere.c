// Lengths are kilometres. The eye is a little above the ground.

#include "gfx3d/lights/atmosphere.h"

#include <filo/scalar.h>

#define GROUND    6360.0f
#define AIR_END   6460.0f
#define EYE       (GROUND + 0.3f)
#define STEPS     24
#define MIE_G     0.76f
#define SKY_GAIN  1.35f  // a sky that is a little brighter than in nature looks right beside surfaces
#define MAX_ANGLE -0.25f // lowest cosine of the table of columns

static const FiloVec3 RAYLEIGH = { 5.802e-3f, 13.558e-3f, 33.1e-3f }; // scattering on the ground, 1 / km
static const FiloVec3 OZONE = { 0.650e-3f, 1.881e-3f, 0.085e-3f };    // absorption
static const float MIE = 3.996e-3f, MIE_EXTINCTION = 4.44e-3f;
static const FiloVec3 SOIL = { 0.17f, 0.16f, 0.145f }; // colour of the ground below the horizon

// ---- Densities ------------------------------------------------------------------------------------------------

typedef struct Density {
    float air, haze, ozone;
} Density;

static Density density_at(float height) {
    float h = filo_max(height, 0.0f);
    return (Density){ filo_exp(h * (-1.0f / 8.0f)), filo_exp(h * (-1.0f / 1.2f)),
                      filo_max(0.0f, 1.0f - filo_abs(h - 25.0f) * (1.0f / 15.0f)) };
}

static float haze_amount(float haze) { return 0.7f + 14.0f * haze * haze + 4.0f * haze; }

static FiloVec3 extinction(Density d, float haze) {
    float mie = MIE_EXTINCTION * haze_amount(haze) * d.haze;
    return filo_vec3(RAYLEIGH.x * d.air + mie + OZONE.x * d.ozone,
                     RAYLEIGH.y * d.air + mie + OZONE.y * d.ozone,
                     RAYLEIGH.z * d.air + mie + OZONE.z * d.ozone);
}

static FiloVec3 exp3(FiloVec3 v) { return filo_vec3(filo_exp(v.x), filo_exp(v.y), filo_exp(v.z)); }

// From a radius outwards at this cosine to where a sphere ends; the ray is inside.
static float distance_to(float radius, float cosine, float sphere) {
    float root = radius * radius * (cosine * cosine - 1.0f) + sphere * sphere;
    return root > 0.0f ? -radius * cosine + filo_sqrt(root) : 0.0f;
}

// To the ground; negative: the ray does not meet it.
static float distance_to_ground(float radius, float cosine) {
    float root = radius * radius * (cosine * cosine - 1.0f) + GROUND * GROUND;
    return cosine < 0.0f && root > 0.0f ? -radius * cosine - filo_sqrt(root) : -1.0f;
}

// ---- Columns --------------------------------------------------------------------------------------------------

static float table_height(int i) {
    float part = (float)i / (GFX3D_AIR_HEIGHTS - 1);
    return part * part * (AIR_END - GROUND);
}

// More angles near the horizon.
static float table_cosine(int k) {
    float part = (float)k / (GFX3D_AIR_ANGLES - 1) * 2.0f - 0.5f; // −0.5 to 1.5
    return part < 0.0f ? MAX_ANGLE * part * part * 4.0f : part * part * (4.0f / 9.0f);
}

void gfx3d_air_init(Gfx3dAir *air) {
    for (int i = 0; i < GFX3D_AIR_HEIGHTS; i++)
        for (int k = 0; k < GFX3D_AIR_ANGLES; k++) {
            float radius = GROUND + table_height(i), cosine = table_cosine(k);
            float length = distance_to(radius, cosine, AIR_END), before = 0.0f;
            float *sums = air->columns[i][k];
            sums[0] = sums[1] = sums[2] = 0.0f;
            for (int s = 0; s < 40; s++) {
                float part = (float)(s + 1) / 40.0f, t = length * part * part, middle = (t + before) * 0.5f;
                float r = filo_sqrt(radius * radius + middle * middle + 2.0f * radius * cosine * middle);
                Density d = density_at(r - GROUND);
                sums[0] += d.air * (t - before);
                sums[1] += d.haze * (t - before);
                sums[2] += d.ozone * (t - before);
                before = t;
            }
        }
}

// The part of sunlight that is left at a height.
static FiloVec3 light_at(const Gfx3dAir *air, float haze, float radius, float cosine) {
    float row = filo_sqrt(filo_clamp01((radius - GROUND) / (AIR_END - GROUND))) * (GFX3D_AIR_HEIGHTS - 1);
    float part = cosine < 0.0f ? -filo_sqrt(cosine / MAX_ANGLE) * 0.5f : filo_sqrt(cosine * 2.25f);
    float column = (filo_clamp(part, -0.5f, 1.5f) + 0.5f) * 0.5f * (GFX3D_AIR_ANGLES - 1);
    int i = (int)filo_min(row, GFX3D_AIR_HEIGHTS - 2), k = (int)filo_min(column, GFX3D_AIR_ANGLES - 2);
    float y = row - (float)i, x = column - (float)k, sums[3];
    for (int c = 0; c < 3; c++)
        sums[c] = filo_lerp(filo_lerp(air->columns[i][k][c], air->columns[i][k + 1][c], x),
                            filo_lerp(air->columns[i + 1][k][c], air->columns[i + 1][k + 1][c], x), y);
    FiloVec3 depth = extinction((Density){ sums[0], sums[1], sums[2] }, haze);
    // The sun sets behind the ground.
    float sine = GROUND / filo_max(radius, GROUND);
    float horizon = -filo_sqrt(filo_max(1.0f - sine * sine, 0.0f));
    float seen = filo_smoothstep(-0.007f, 0.007f, cosine - horizon);
    return filo_vec3_scale(exp3(filo_vec3_negate(depth)), seen);
}

// ---- Rays -----------------------------------------------------------------------------------------------------

static FiloVec3 scattered_at(const Gfx3dAtmosphere *sky, float height) {
    float at = filo_clamp(filo_sqrt(filo_max(height, 0.0f)) * 0.5f, 0.0f, 2.999f); // 0, 4, 16, 36 km
    int i = (int)at;
    return filo_vec3_lerp(sky->scattered[i], sky->scattered[i + 1], at - (float)i);
}

typedef struct Ray {
    float radius, cosine; // where it begins, and its angle to the vertical
    float to_sun;         // cosine between ray and sun
    float sun;            // cosine between the vertical and the sun, where it begins
    int steps;
    bool once;         // light that was scattered once, without phase functions
    FiloVec3 air;      // results
    FiloVec3 haze;     // without its phase function
    FiloVec3 passed;   // part of what comes from the end of the ray
    FiloVec3 transfer; // what would be scattered of light of 1 from everywhere
} Ray;

static void trace(Ray *ray, const Gfx3dAtmosphere *sky, const Gfx3dAir *air) {
    float ground = distance_to_ground(ray->radius, ray->cosine);
    float length = ground >= 0.0f ? ground : distance_to(ray->radius, ray->cosine, AIR_END);
    float phase = ray->once ? 0.25f : 0.1875f * (1.0f + ray->to_sun * ray->to_sun); // times 1 / π
    float mie = MIE * haze_amount(sky->haze), before = 0.0f;
    FiloVec3 passed = { 1, 1, 1 };
    for (int i = 0; i < ray->steps; i++) {
        float part = (float)(i + 1) / (float)ray->steps, t = length * part * part;
        float step = t - before, middle = before + step * 0.5f;
        before = t;
        float r = filo_sqrt(ray->radius * ray->radius + middle * middle +
                            2.0f * ray->radius * ray->cosine * middle);
        float sun = (ray->radius * ray->sun + middle * ray->to_sun) / r;
        Density d = density_at(r - GROUND);
        FiloVec3 lost = extinction(d, sky->haze), left = exp3(filo_vec3_scale(lost, -step));
        // The integral over the step, with the light at its middle.
        FiloVec3 weight =
            filo_vec3((1.0f - left.x) / lost.x, (1.0f - left.y) / lost.y, (1.0f - left.z) / lost.z);
        weight = filo_vec3_mul(weight, passed);
        FiloVec3 light = filo_vec3_mul(light_at(air, sky->haze, r, sun), weight);
        FiloVec3 by_air = filo_vec3_scale(RAYLEIGH, d.air);
        FiloVec3 all = filo_vec3_add(by_air, filo_vec3(mie * d.haze, mie * d.haze, mie * d.haze));
        ray->air = filo_vec3_add(ray->air, filo_vec3_mul(light, filo_vec3_scale(by_air, phase)));
        ray->haze = filo_vec3_add_scaled(ray->haze, light, mie * d.haze);
        if (!ray->once)
            ray->air = filo_vec3_add(
                ray->air, filo_vec3_mul(filo_vec3_mul(weight, all), scattered_at(sky, r - GROUND)));
        ray->transfer = filo_vec3_add(ray->transfer, filo_vec3_mul(weight, all));
        passed = filo_vec3_mul(passed, left);
    }
    ray->passed = passed;
    if (ground >= 0.0f) {
        float sun = (ray->radius * ray->sun + length * ray->to_sun) / GROUND;
        FiloVec3 light = filo_vec3_scale(light_at(air, sky->haze, GROUND, sun), filo_max(sun, 0.0f));
        if (!ray->once) light = filo_vec3_add_scaled(light, sky->scattered[0], 1.5f);
        ray->air = filo_vec3_add(ray->air, filo_vec3_mul(filo_vec3_mul(light, SOIL), passed));
    }
}

// Light that was scattered more than once: the mean of what was scattered once, and its part that is scattered again and
// again, which is a geometric series.
static FiloVec3 scatter_again(const Gfx3dAtmosphere *sky, const Gfx3dAir *air, float height) {
    FiloVec3 light = { 0 }, again = { 0 };
    enum { RINGS = 6, SIDES = 4 };
    float sun = sky->to_sun.y, level = filo_sqrt(filo_max(1.0f - sun * sun, 0.0f));
    for (int i = 0; i < RINGS * SIDES; i++) {
        float y = ((float)(i / SIDES) + 0.5f) * (2.0f / RINGS) - 1.0f;
        float around = filo_cos(((float)(i % SIDES) + 0.5f) * (FILO_PI / SIDES));
        Ray ray = { .radius = GROUND + height, .cosine = y, .sun = sun, .steps = 10, .once = true };
        ray.to_sun = y * sun + filo_sqrt(1.0f - y * y) * level * around;
        trace(&ray, sky, air);
        light = filo_vec3_add(light, filo_vec3_add_scaled(ray.air, ray.haze, 0.25f));
        again = filo_vec3_add(again, ray.transfer);
    }
    float mean = 1.0f / (RINGS * SIDES);
    return filo_vec3(light.x * mean / filo_max(1.0f - again.x * mean, 0.1f),
                     light.y * mean / filo_max(1.0f - again.y * mean, 0.1f),
                     light.z * mean / filo_max(1.0f - again.z * mean, 0.1f));
}

// ---- The sky --------------------------------------------------------------------------------------------------

static float luminance(FiloVec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

FiloVec3 gfx3d_sunlight(const Gfx3dAir *air, float sun_height, float haze, float *gain) {
    haze = filo_clamp01(haze);
    FiloVec3 high = light_at(air, 0.0f, EYE, 0.8f), now = light_at(air, haze, EYE, sun_height);
    // Light on the ground, of sun and sky, by that of a high sun. Eyes adapt to half of the difference, in stops.
    float up = filo_max(sun_height, 0.0f);
    float day = luminance(light_at(air, haze, EYE, filo_max(sun_height, 0.02f))) / luminance(high) * up;
    float evening =
        filo_clamp(filo_inverse_length(day + 0.08f + 0.12f * filo_min(up * 4.0f, 1.0f)), 1.0f, 3.5f);
    *gain = evening * filo_exp2(filo_clamp(-sun_height * 36.0f, 0.0f, 4.0f));
    // The sun keeps more of its colour if it is not as bright as the sky would have it.
    return filo_vec3_scale(filo_vec3(now.x / high.x, now.y / high.y, now.z / high.z), filo_sqrt(evening));
}

void gfx3d_atmosphere_begin(Gfx3dAtmosphere *sky, const Gfx3dAir *air, FiloVec3 to_sun, float haze) {
    sky->to_sun = to_sun;
    sky->haze = filo_clamp01(haze);
    static const float heights[4] = { 0.3f, 4.0f, 16.0f, 36.0f };
    for (int i = 0; i < 4; i++) sky->scattered[i] = scatter_again(sky, air, heights[i]);
    // A little above the ground, so that light of the set sun has the colour of the evening.
    FiloVec3 evening = light_at(air, sky->haze, EYE + 0.5f, filo_max(to_sun.y, 0.015f));
    sky->haze_color = filo_vec3_scale(evening, 1.0f / filo_max(luminance(evening), 1e-4f));
    sky->sunlight = gfx3d_sunlight(air, to_sun.y, haze, &sky->gain);
}

// Starlight: what is left of a sky by night.
static FiloVec3 night(float y, float sun) {
    float strength = filo_smoothstep(0.05f, -0.2f, sun) * (1.0f - 0.5f * filo_clamp01(y));
    return filo_vec3_scale(filo_vec3(0.006f, 0.0095f, 0.019f), strength);
}

// What a ray from the eye shows, for a sun whose light on a white surface is 1.
static FiloVec4 look(const Gfx3dAtmosphere *sky, const Gfx3dAir *air, float y, float around) {
    float level = filo_sqrt(1.0f - y * y), sun = sky->to_sun.y;
    float sun_level = filo_sqrt(filo_max(1.0f - sun * sun, 0.0f));
    Ray ray = { .radius = EYE, .cosine = y, .sun = sun, .steps = y < 0.0f ? STEPS / 3 : STEPS };
    ray.to_sun = y * sun + level * sun_level * around;
    trace(&ray, sky, air);
    float scale = SKY_GAIN * sky->gain / luminance(light_at(air, 0.0f, EYE, 0.8f));
    FiloVec3 color = filo_vec3_add(filo_vec3_scale(ray.air, scale), night(y, sun));
    // Three colours instead of a spectrum are too green where light has come a long way.
    color.y *= 1.0f - 0.1f * filo_smoothstep(0.45f, 0.12f, sun);
    // After sunset all light has passed through much more air than is traced here: the blue hour.
    color = filo_vec3_mul(color, filo_vec3_lerp(filo_vec3(1, 1, 1), filo_vec3(0.5f, 0.85f, 1.25f),
                                                filo_smoothstep(0.02f, -0.08f, sun)));
    return filo_vec4_from_vec3(color, luminance(ray.haze) * scale);
}

void gfx3d_atmosphere_row(Gfx3dAtmosphere *sky, const Gfx3dAir *air, int row) {
    float v = ((float)row + 0.5f) * (2.0f / GFX3D_SKY_ROWS) - 1.0f, y = v * filo_abs(v);
    for (int i = 0; i < GFX3D_SKY_COLUMNS; i++) {
        float around = ((float)i + 0.5f) * (2.0f / GFX3D_SKY_COLUMNS) - 1.0f;
        sky->table[row][i] = look(sky, air, y, around);
    }
}

void gfx3d_atmosphere_end(Gfx3dAtmosphere *sky) {
    const FiloVec4 *horizon = sky->table[GFX3D_SKY_ROWS / 2];
    for (int row = 0; row < GFX3D_SKY_ROWS / 2; row++) {
        float v = ((float)row + 0.5f) * (2.0f / GFX3D_SKY_ROWS) - 1.0f,
              part = filo_smoothstep(0.0f, 0.2f, v * v);
        for (int i = 0; i < GFX3D_SKY_COLUMNS; i++)
            sky->table[row][i] = filo_vec4_lerp(horizon[i], sky->table[row][i], part);
    }
}

// Henyey and Greenstein, times π.
static float haze_phase(float cosine) {
    float g2 = MIE_G * MIE_G, base = 1.0f + g2 - 2.0f * MIE_G * cosine;
    return 0.25f * (1.0f - g2) / (base * filo_sqrt(base));
}

FiloVec3 gfx3d_atmosphere_radiance(const Gfx3dAtmosphere *sky, FiloVec3 d) {
    float level = filo_sqrt(d.x * d.x + d.z * d.z);
    float sun_level = filo_sqrt(sky->to_sun.x * sky->to_sun.x + sky->to_sun.z * sky->to_sun.z);
    float around = (d.x * sky->to_sun.x + d.z * sky->to_sun.z) / filo_max(level * sun_level, 1e-5f);
    float u = filo_clamp((around * 0.5f + 0.5f) * GFX3D_SKY_COLUMNS - 0.5f, 0.0f, GFX3D_SKY_COLUMNS - 1.001f);
    float v = (filo_copy_sign(filo_sqrt(filo_abs(d.y)), d.y) * 0.5f + 0.5f) * GFX3D_SKY_ROWS - 0.5f;
    v = filo_clamp(v, 0.0f, GFX3D_SKY_ROWS - 1.001f);
    int x = (int)u, y = (int)v;
    u -= (float)x;
    v -= (float)y;
    FiloVec4 top = filo_vec4_lerp(sky->table[y][x], sky->table[y][x + 1], u);
    FiloVec4 bottom = filo_vec4_lerp(sky->table[y + 1][x], sky->table[y + 1][x + 1], u);
    FiloVec4 at = filo_vec4_lerp(top, bottom, v);
    return filo_vec3_add_scaled(filo_vec4_xyz(at), sky->haze_color,
                                at.w * haze_phase(filo_vec3_dot(d, sky->to_sun)));
}
