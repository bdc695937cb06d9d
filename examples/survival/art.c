// The pictures of Survival, drawn by code: every pixel is a formula of its position.

#include "survival.h"

// Signed distance to the edge of a circle: negative inside.
static float circle(float x, float y, float cx, float cy, float radius) {
    return filo_sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy)) - radius;
}

// 1 inside of an edge, 0 outside, smooth over one pixel.
static float inside(float distance) { return filo_clamp01(0.5f - distance); }

// Blends a straight colour with alpha over what is there.
static FiloColor paint(FiloColor under, uint32_t hex, float amount) {
    return filo_color_over(filo_color_fade(filo_color_from_hex(hex), amount), under);
}

static float noise(uint32_t x, uint32_t y, uint32_t seed) { return filo_random_float_at(seed, y, x, 7, 0); }

// ---- The cookie -----------------------------------------------------------------------------------------

// `detail` is how many pixels a unit of x and y has: for sharp edges.
static float sharp(float distance, float detail) { return inside(distance * detail); }

FiloColor survival_cookie_at(float x, float y, float detail) {
    const float chips[][3] = { { 15, 14, 4 },    { 31, 13, 3.4f }, { 24, 24, 4.4f }, { 13, 29, 3.2f },
                               { 35, 28, 3.8f }, { 24, 37, 3 },    { 8, 21, 2.4f } };
    FiloColor c = paint(FILO_COLOR_TRANSPARENT, 0x5C3414FF, sharp(circle(x, y, 24, 24, 22.5f), detail));
    c = paint(c, 0xC98B4AFF, sharp(circle(x, y, 24, 24, 20.5f), detail));
    c = paint(c, 0xE0A962FF, sharp(circle(x, y, 22, 21, 16), detail) * 0.7f);
    for (size_t i = 0; i < FILO_COUNT_OF(chips); i++) {
        c = paint(c, 0x4A2810FF, sharp(circle(x, y, chips[i][0], chips[i][1], chips[i][2]), detail));
        c = paint(c, 0x7A4A22FF,
                  sharp(circle(x, y, chips[i][0] - 1, chips[i][1] - 1, chips[i][2] * 0.4f), detail));
    }
    // A bite is missing.
    float bite = filo_min(circle(x, y, 43, 9, 8), circle(x, y, 47, 18, 5));
    return filo_color_fade(c, 1 - sharp(bite, detail));
}

static FiloColor cookie_at(float x, float y) { return survival_cookie_at(x, y, 1); }

// ---- Enemies --------------------------------------------------------------------------------------------

static const uint32_t skins[SURVIVAL_KINDS] = { 0x66C45AFF, 0x4FA3E0FF, 0xB86BDBFF, 0xE8705AFF };

static FiloColor enemy_at(float x, float y, unsigned kind) {
    float body = circle(x, y, 8, 8.5f, 6.6f);
    if (kind == 1) body = filo_max(body, -circle(x, y, 8, 17.5f, 4)); // stands on two feet
    if (kind == 2)                                                    // has ears
        body = filo_min(body, filo_min(circle(x, y, 3.2f, 3.4f, 2.4f), circle(x, y, 12.8f, 3.4f, 2.4f)));
    if (kind == 3) body = filo_max(filo_abs(x - 8) - 6.2f, filo_abs(y - 8.5f) - 6.2f); // is a block
    FiloColor c = paint(FILO_COLOR_TRANSPARENT, 0x1C1430FF, inside(body));
    c = paint(c, skins[kind], inside(body + 1.2f));
    c = paint(c, 0xFFFFFF40, inside(circle(x, y, 6, 5.5f, 2.6f)));
    for (int eye = -1; eye <= 1; eye += 2) {
        float cx = 8 + (float)eye * 2.6f;
        c = paint(c, 0xFFFFFFFF, inside(circle(x, y, cx, 8, 2)));
        c = paint(c, 0x1C1430FF, inside(circle(x, y, cx + 0.4f, 8.4f, 0.9f)));
    }
    return c;
}

// ---- Ground and clouds ----------------------------------------------------------------------------------

static FiloColor puff_at(float x, float y) {
    float d = circle(x, y, 12, 12, 0) / 12;
    float light = filo_clamp01(1 - d);
    return filo_color_fade(filo_color_from_hex(0xFFD890FF), light * light);
}

#define GROUND 256

static FiloColor ground_at(uint32_t x, uint32_t y) {
    float value = 0;
    for (uint32_t size = 64, part = 2; size >= 8; size /= 2, part *= 2) { // smooth noise that repeats
        uint32_t n = GROUND / size, cx = x / size, cy = y / size;
        float fx = (float)(x % size) / (float)size, fy = (float)(y % size) / (float)size;
        float top = filo_lerp(noise(cx, cy, part), noise((cx + 1) % n, cy, part), fx);
        float bottom = filo_lerp(noise(cx, (cy + 1) % n, part), noise((cx + 1) % n, (cy + 1) % n, part), fx);
        value += filo_lerp(top, bottom, fy) / (float)part;
    }
    value = value * 0.75f + noise(x, y, 99) * 0.05f;
    return filo_color_lerp(filo_color_from_hex(0x1E2A2CFF), filo_color_from_hex(0x35483CFF), value);
}

// ---- All pictures ---------------------------------------------------------------------------------------

static bool add(FiloAssets *assets, const char *name, FiloPixels *pixels) {
    bool added = filo_assets_add_pixels(assets, name, pixels).id != 0;
    filo_pixels_free(pixels, NULL);
    return added;
}

static bool add_enemy(FiloAssets *assets, unsigned kind) {
    const char *names[SURVIVAL_KINDS] = { "enemy 0", "enemy 1", "enemy 2", "enemy 3" };
    FiloPixels p;
    if (!filo_pixels_create(&p, 16, 16, NULL)) return false;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            *filo_pixels_at(&p, x, y) = enemy_at((float)x + 0.5f, (float)y + 0.5f, kind);
    return add(assets, names[kind], &p);
}

static bool add_round(FiloAssets *assets, const char *name, int size, FiloColor (*color_at)(float, float)) {
    FiloPixels p;
    if (!filo_pixels_create(&p, size, size, NULL)) return false;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) *filo_pixels_at(&p, x, y) = color_at((float)x + 0.5f, (float)y + 0.5f);
    return add(assets, name, &p);
}

static bool add_ground(FiloAssets *assets) {
    FiloPixels p;
    if (!filo_pixels_create(&p, GROUND, GROUND, NULL)) return false;
    for (int y = 0; y < GROUND; y++)
        for (int x = 0; x < GROUND; x++) *filo_pixels_at(&p, x, y) = ground_at((uint32_t)x, (uint32_t)y);
    return add(assets, "ground", &p);
}

bool survival_art(FiloAssets *assets) {
    bool ok = add_round(assets, "cookie", 48, cookie_at) && add_round(assets, "puff", 24, puff_at) &&
              add_ground(assets);
    for (unsigned kind = 0; kind < SURVIVAL_KINDS; kind++) ok = ok && add_enemy(assets, kind);
    return ok;
}
