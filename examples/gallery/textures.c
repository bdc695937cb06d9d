// Pictures made by code: tiles with their normals, and stone.

#include "gallery.h"

#define SIDE 256

// Noise of 0 to 1 that repeats with the picture.
static float noise(uint32_t seed, float x, float y, int period) {
    int x0 = (int)filo_floor(x), y0 = (int)filo_floor(y);
    float fx = filo_smoothstep(0, 1, x - (float)x0), fy = filo_smoothstep(0, 1, y - (float)y0);
    float corner[4];
    for (int i = 0; i < 4; i++) {
        int cx = (x0 + (i & 1) + period) % period, cy = (y0 + i / 2 + period) % period;
        corner[i] = filo_random_float_at(seed, 0, 1, (uint64_t)(cy * period + cx), 0);
    }
    return filo_lerp(filo_lerp(corner[0], corner[1], fx), filo_lerp(corner[2], corner[3], fx), fy);
}

static float cloud(uint32_t seed, int x, int y) {
    float sum = 0, weight = 0.5f;
    for (int octave = 0, period = 4; octave < 5; octave++, period *= 2, weight *= 0.5f)
        sum += weight *
               noise(seed + (uint32_t)octave, (float)(x * period) / SIDE, (float)(y * period) / SIDE, period);
    return sum;
}

// The height of the floor: four tiles in a picture, with grooves between them.
static float tile_height(int x, int y) {
    int half = SIDE / 2, u = (x + SIDE) % half, v = (y + SIDE) % half;
    float edge = (float)FILO_MIN(FILO_MIN(u, half - 1 - u), FILO_MIN(v, half - 1 - v));
    return filo_min(edge / 5.0f, 1) + 0.1f * cloud(3, (x + SIDE) % SIDE, (y + SIDE) % SIDE);
}

static FiloColor grey(float r, float g, float b) {
    return filo_color_from_bytes((uint8_t)(filo_clamp01(r) * 255), (uint8_t)(filo_clamp01(g) * 255),
                                 (uint8_t)(filo_clamp01(b) * 255), 255);
}

static FiloColor tile_color(int x, int y) {
    int half = SIDE / 2;
    bool is_dark = (x / half + y / half) % 2 == 1;
    float shade = 0.75f + 0.4f * cloud(is_dark ? 7 : 9, x, y);
    float groove = 0.35f + 0.65f * filo_clamp01(tile_height(x, y));
    float vein = filo_abs(cloud(13, x, y) - 0.48f) < 0.012f ? 0.85f : 1.0f;
    shade *= groove * vein;
    return is_dark ? grey(0.42f * shade, 0.24f * shade, 0.19f * shade)
                   : grey(0.78f * shade, 0.72f * shade, 0.62f * shade);
}

static FiloColor tile_normal(int x, int y) {
    float dx = tile_height(x + 1, y) - tile_height(x - 1, y),
          dy = tile_height(x, y + 1) - tile_height(x, y - 1);
    FiloVec3 n = filo_vec3_normalise(filo_vec3(-dx, -dy, 0.7f));
    return grey(n.x * 0.5f + 0.5f, 0.5f - n.y * 0.5f, n.z * 0.5f + 0.5f);
}

static FiloColor stone_color(int x, int y) {
    float shade = 0.55f + 0.6f * cloud(21, x, y);
    float speck = filo_random_float_at(5, 0, 2, (uint64_t)(y * SIDE + x), 0) * 0.05f;
    return grey(0.8f * shade + speck, 0.75f * shade + speck, 0.66f * shade + speck);
}

static FiloResult add(FiloGfx3d *gfx, const char *name, FiloColor (*color)(int x, int y), bool linear) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, SIDE, SIDE, NULL))
        return filo_error(FILO_ERROR_MEMORY, "no memory for %s", name);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) pixels.data[y * pixels.stride + x] = color(x, y);
    FiloResult r = filo_gfx3d_add_texture(gfx, filo_name(name), &pixels, linear);
    filo_pixels_free(&pixels, NULL);
    return r;
}

FiloResult gallery_add_textures(FiloGfx3d *gfx) {
    FiloResult r = add(gfx, "tiles", tile_color, false);
    if (r.code == FILO_OK) r = add(gfx, "tiles normal", tile_normal, true);
    if (r.code == FILO_OK) r = add(gfx, "stone", stone_color, false);
    return r;
}
