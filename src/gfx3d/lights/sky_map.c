// Filling and blurring the map of a sky. See sky_map.h.

#include "gfx3d/lights/sky_map.h"

#include <filo/scalar.h>

#define LAST    (GFX3D_SKY_SIDE - 1)
#define SAMPLES 24 // at most

float gfx3d_sky_roughness(int layer) { return (float)layer / (GFX3D_SKY_LAYERS - 1); }

// ---- Directions -----------------------------------------------------------------------------------------------

// On the octahedron, not of length 1.
static FiloVec3 on_octahedron(int x, int y) {
    float u = (float)x * (2.0f / LAST) - 1.0f, v = (float)y * (2.0f / LAST) - 1.0f;
    float height = 1.0f - filo_abs(u) - filo_abs(v);
    if (height >= 0.0f) return filo_vec3(u, height, v);
    return filo_vec3(filo_copy_sign(1.0f - filo_abs(v), u), height, filo_copy_sign(1.0f - filo_abs(u), v));
}

FiloVec3 gfx3d_sky_direction(int x, int y) { return filo_vec3_normalise(on_octahedron(x, y)); }

// The size of an area on the octahedron as it is seen from its centre.
static float density(int x, int y) {
    FiloVec3 p = on_octahedron(x, y);
    float square = filo_vec3_length_squared(p), border = (x == 0 || x == LAST ? 0.5f : 1.0f);
    return border * (y == 0 || y == LAST ? 0.5f : 1.0f) / (square * filo_sqrt(square));
}

float gfx3d_sky_solid_angle(int x, int y) {
    static const float side = 2.0f / LAST;
    return density(x, y) * side * side * 1.00083f; // so that the sum is 4π
}

FiloVec3 gfx3d_sky_sample(const Gfx3dSkyMap *map, int layer, FiloVec3 d) {
    float scale = 1.0f / (filo_abs(d.x) + filo_abs(d.y) + filo_abs(d.z));
    float u = d.x * scale, v = d.z * scale;
    if (d.y < 0.0f) {
        float folded = filo_copy_sign(1.0f - filo_abs(v), u);
        v = filo_copy_sign(1.0f - filo_abs(u), v);
        u = folded;
    }
    u = filo_clamp((u * 0.5f + 0.5f) * LAST, 0.0f, LAST - 0.001f);
    v = filo_clamp((v * 0.5f + 0.5f) * LAST, 0.0f, LAST - 0.001f);
    int x = (int)u, y = (int)v;
    u -= (float)x;
    v -= (float)y;
    const FiloVec3(*nodes)[GFX3D_SKY_SIDE] = map->layers[layer];
    return filo_vec3_lerp(filo_vec3_lerp(nodes[y][x], nodes[y][x + 1], u),
                          filo_vec3_lerp(nodes[y + 1][x], nodes[y + 1][x + 1], u), v);
}

// ---- Layers ---------------------------------------------------------------------------------------------------

typedef struct Fill {
    Gfx3dSkyMap *map;
    Gfx3dRadiance radiance;
    void *user;
} Fill;

static void fill_rows(size_t begin, size_t end, void *user) {
    Fill *fill = user;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < GFX3D_SKY_SIDE; x++)
            fill->map->layers[0][y][x] = fill->radiance(gfx3d_sky_direction(x, (int)y), fill->user);
}

void gfx3d_sky_map_fill(Gfx3dSkyMap *map, FiloJobs *jobs, Gfx3dRadiance radiance, void *user) {
    Fill fill = { map, radiance, user };
    filo_jobs_for(jobs, GFX3D_SKY_SIDE, fill_rows, &fill);
}

typedef struct Blur {
    Gfx3dSkyMap *map;
    int layer, step; // nodes between those that are computed; the others are interpolated
    int samples;
    FiloVec3 offsets[SAMPLES]; // directions about +z
    float weights[SAMPLES];
} Blur;

// Directions that a surface of this roughness reflects to the eye, seen along its normal: distribution GGX, evenly
// distributed points (Hammersley). The layer before is blurred already, which leaves the difference of the variances.
static void choose_samples(Blur *blur) {
    float a = gfx3d_sky_roughness(blur->layer), b = gfx3d_sky_roughness(blur->layer - 1);
    float alpha2 = a * a * a * a - b * b * b * b;
    for (int i = 0; i < blur->samples; i++) {
        uint32_t bits = (uint32_t)i;
        bits = ((bits & 0x55u) << 1) | ((bits & 0xAAu) >> 1);
        bits = ((bits & 0x33u) << 2) | ((bits & 0xCCu) >> 2);
        bits = ((bits & 0x0Fu) << 4) | ((bits & 0xF0u) >> 4);
        float u = ((float)i + 0.5f) / (float)blur->samples, angle = (float)bits * (FILO_TAU / 256.0f);
        float cosine2 = (1.0f - u) / (1.0f + (alpha2 - 1.0f) * u); // of the half vector
        float cosine = 2.0f * cosine2 - 1.0f;                      // of the reflected direction
        float sine = filo_sqrt(filo_max(1.0f - cosine * cosine, 0.0f));
        blur->offsets[i] = filo_vec3(sine * filo_cos(angle), sine * filo_sin(angle), cosine);
        blur->weights[i] = filo_max(cosine, 0.0f);
    }
}

static FiloVec3 blurred(const Blur *blur, FiloVec3 z) {
    FiloVec3 x = filo_vec3_perpendicular(z), y = filo_vec3_cross(z, x), sum = { 0 };
    float weight = 0.0f;
    for (int i = 0; i < blur->samples; i++) {
        if (!(blur->weights[i] > 0.0f)) continue;
        FiloVec3 o = blur->offsets[i];
        FiloVec3 d = filo_vec3_add_scaled(filo_vec3_add_scaled(filo_vec3_scale(x, o.x), y, o.y), z, o.z);
        sum = filo_vec3_add_scaled(sum, gfx3d_sky_sample(blur->map, blur->layer - 1, d), blur->weights[i]);
        weight += blur->weights[i];
    }
    return filo_vec3_scale(sum, 1.0f / weight);
}

static void blur_rows(size_t begin, size_t end, void *user) {
    Blur *blur = user;
    FiloVec3(*nodes)[GFX3D_SKY_SIDE] = blur->map->layers[blur->layer];
    for (size_t i = begin; i < end; i++)
        for (int x = 0; x < GFX3D_SKY_SIDE; x += blur->step) {
            int y = (int)i * blur->step;
            nodes[y][x] = blurred(blur, gfx3d_sky_direction(x, y));
        }
}

// Fills the nodes between those that were computed.
static void interpolate(Blur *blur) {
    FiloVec3(*nodes)[GFX3D_SKY_SIDE] = blur->map->layers[blur->layer];
    int step = blur->step;
    for (int y = 0; y < GFX3D_SKY_SIDE; y += step)
        for (int x = 0; x < LAST; x++)
            if (x % step != 0)
                nodes[y][x] = filo_vec3_lerp(nodes[y][x - x % step], nodes[y][x - x % step + step],
                                             (float)(x % step) / (float)step);
    for (int y = 0; y < LAST; y++)
        for (int x = 0; x < GFX3D_SKY_SIDE && y % step != 0; x++)
            nodes[y][x] = filo_vec3_lerp(nodes[y - y % step][x], nodes[y - y % step + step][x],
                                         (float)(y % step) / (float)step);
}

void gfx3d_sky_map_blur(Gfx3dSkyMap *map, FiloJobs *jobs, int layer) {
    Blur blur = { .map = map, .layer = layer, .step = layer < 2 ? 1 : layer < 4 ? 2 : 4, .samples = SAMPLES };
    if (layer < 2) blur.samples = 8; // its lobe is hardly wider than the distance of nodes
    choose_samples(&blur);
    filo_jobs_for(jobs, (size_t)(LAST / blur.step + 1), blur_rows, &blur);
    interpolate(&blur);
}

void gfx3d_sky_map_harmonics(const Gfx3dSkyMap *map, Gfx3dHarmonics *harmonics) {
    *harmonics = (Gfx3dHarmonics){ 0 };
    for (int y = 0; y < GFX3D_SKY_SIDE; y++)
        for (int x = 0; x < GFX3D_SKY_SIDE; x++)
            gfx3d_harmonics_add(harmonics, gfx3d_sky_direction(x, y), map->layers[0][y][x],
                                gfx3d_sky_solid_angle(x, y));
}
