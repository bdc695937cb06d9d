// The symbols of the map, drawn by code. Each is seen from above, in light from the upper left, and has its shadow with
// it. They are nearly white: the colour of an object is multiplied.
//
// A crown is a heap of spheres, a conifer a stack of stars, a rock a convex body between planes. Each has a height at
// every point, and from that follow its edge, its light and its dark places.

#include "placement_map.h"

#include <stdio.h>

#define CENTRE                                                                                               \
    -0.12f // of the symbol in its image, where the edges are −1 and 1: there is room for the shadow

static const char *const kind_names[SYMBOL_KINDS] = { "leaf", "conifer", "rock",   "bush",
                                                      "fern", "reed",    "flower", "grass" };

static const SymbolStyle styles[] = {
    { "oak", SYMBOL_LEAF, 9.5f },       { "birch", SYMBOL_LEAF, 7 },   { "maple", SYMBOL_LEAF, 9 },
    { "spruce", SYMBOL_CONIFER, 9.5f }, { "boulder", SYMBOL_ROCK, 6 }, { "bush", SYMBOL_BUSH, 3.4f },
    { "fern", SYMBOL_FERN, 2.8f },      { "reed", SYMBOL_REED, 2.6f }, { "flower", SYMBOL_FLOWER, 2.2f },
    { "grass", SYMBOL_GRASS, 2.4f },
};

const SymbolStyle *symbol_style(const char *layer) {
    for (size_t i = 0; i < FILO_COUNT_OF(styles); i++)
        if (filo_string_equal(filo_string(styles[i].layer), filo_string(layer))) return &styles[i];
    return &styles[FILO_COUNT_OF(styles) - 1];
}

// ---- Shapes -------------------------------------------------------------------------------------------------

// What is seen at a point: how much of it is covered, and how light it is, 0 to 1.
typedef struct Sample {
    float cover, light;
} Sample;

static const FiloVec3 sun = { -0.54f, -0.58f, 0.61f }; // towards the sun; y goes down, as in images

static float random_at(uint32_t seed, uint32_t index) {
    return (float)(filo_random_mix((uint64_t)seed << 32 | index) >> 40) * (1.0f / (1 << 24));
}

static float speckle(float x, float y, uint32_t seed, float size) {
    float u = (x + 4) * size, v = (y + 4) * size;
    uint32_t cx = (uint32_t)u, cy = (uint32_t)v;
    float fx = filo_smoothstep(0, 1, filo_fract(u)), fy = filo_smoothstep(0, 1, filo_fract(v));
    float a = random_at(seed, cy * 4096 + cx), b = random_at(seed, cy * 4096 + cx + 1);
    float c = random_at(seed, (cy + 1) * 4096 + cx), d = random_at(seed, (cy + 1) * 4096 + cx + 1);
    return filo_lerp(filo_lerp(a, b, fx), filo_lerp(c, d, fx), fy);
}

// 1 inside of an edge at distance 0, 0 outside, smooth over `width`.
static float inside(float distance, float width) { return filo_clamp01(0.5f - distance / width); }

typedef struct Sphere {
    float x, y, z, radius;
} Sphere;

// A heap of spheres: one in the middle, the others around it in two rings.
static Sphere crown_sphere(int i, int count, uint32_t seed) {
    if (i == 0) return (Sphere){ 0, 0, 0.20f, 0.34f };
    bool inner = i > count * 2 / 3;
    float turn = FILO_TAU * ((float)i / (float)count * 1.618f * 3 + 0.12f * random_at(seed, (uint32_t)i));
    float away = inner ? 0.20f + 0.10f * random_at(seed, (uint32_t)i + 50)
                       : 0.40f + 0.10f * random_at(seed, (uint32_t)i + 50);
    float radius = 0.19f + 0.10f * random_at(seed, (uint32_t)i + 100);
    return (Sphere){ filo_cos(turn) * away, filo_sin(turn) * away, inner ? 0.20f : 0.02f, radius };
}

static Sample crown_at(float x, float y, uint32_t seed, int count) {
    float wobble = 0.045f;
    float px = x + wobble * (speckle(x, y, seed + 1, 9) - 0.5f),
          py = y + wobble * (speckle(x, y, seed + 2, 9) - 0.5f);
    float top = -1, edge = 1;
    FiloVec3 normal = { 0, 0, 1 };
    for (int i = 0; i < count; i++) {
        Sphere s = crown_sphere(i, count, seed);
        float dx = px - s.x, dy = py - s.y, squared = dx * dx + dy * dy;
        edge = filo_min(edge, filo_sqrt(squared) - s.radius);
        float room = s.radius * s.radius - squared;
        if (room <= 0 || s.z + filo_sqrt(room) <= top) continue;
        top = s.z + filo_sqrt(room);
        normal = filo_vec3(dx / s.radius, dy / s.radius, filo_sqrt(room) / s.radius);
    }
    // The light of each sphere, and that of the whole crown.
    FiloVec3 dome = filo_vec3_normalise(filo_vec3(px * 1.3f, py * 1.3f, 0.75f));
    float light = 0.62f * filo_vec3_dot(normal, sun) + 0.46f * filo_vec3_dot(dome, sun);
    light *= 0.60f + 0.40f * filo_smoothstep(-0.05f, 0.42f, top); // dark between the spheres
    light += 0.14f * (speckle(x, y, seed + 3, 22) - 0.5f);
    return (Sample){ inside(edge, 0.035f), filo_clamp01(light + 0.10f) };
}

static Sample conifer_at(float x, float y, uint32_t seed) {
    enum { TIERS = 6 };
    float radius = filo_sqrt(x * x + y * y), angle = filo_atan2(y, x);
    Sample seen = { 0, 0 };
    for (int tier = 0; tier < TIERS; tier++) { // from the lowest to the top
        float outer = 0.66f * (1 - (float)tier / (TIERS + 0.35f));
        float spikes = 12 - (float)tier, turn = angle * spikes / FILO_TAU + random_at(seed, (uint32_t)tier);
        float tooth = filo_abs(filo_fract(turn) * 2 - 1); // 1 at the tip of a branch
        uint32_t branch = (uint32_t)(tier * 64) + (uint32_t)(filo_floor_to_int(turn) + 32);
        float length = outer * (0.60f + (0.26f + 0.18f * random_at(seed + 9, branch)) * tooth);
        float cover = inside(radius - length, 0.03f);
        if (cover <= 0) continue;
        float along = filo_clamp01(radius / filo_max(length, 0.01f));
        float facing = radius < 1e-4f ? 0 : (x * sun.x + y * sun.y) / radius;
        float light = 0.40f + 0.34f * facing + 0.16f * tooth - 0.12f * along + 0.055f * (float)tier;
        light += 0.10f * (speckle(x, y, seed + 4, 26) - 0.5f);
        // The edge of a tier is dark against the one below.
        light -= 0.16f * filo_smoothstep(0.80f, 1, along) * (facing < 0 ? 1.0f : 0.4f);
        seen = (Sample){ filo_max(seen.cover, cover), filo_lerp(seen.light, filo_clamp01(light), cover) };
    }
    return seen;
}

static Sample rock_at(float x, float y, uint32_t seed) {
    enum { PLANES = 11 };
    float height = 0.34f - 0.10f * x * sun.x;
    FiloVec3 normal = filo_vec3_normalise(filo_vec3(0.10f, 0.06f, 1));
    for (uint32_t i = 0; i < PLANES; i++) {
        float turn = FILO_TAU * ((float)i + 0.7f * random_at(seed, i)) / PLANES;
        float steep = i % 2 == 0 ? 1.9f : 0.75f,
              away = (i % 2 == 0 ? 0.62f : 0.44f) - 0.13f * random_at(seed, i + 40);
        FiloVec3 n = filo_vec3(filo_cos(turn) * steep, filo_sin(turn) * steep, 1);
        float plane = (away - (x * filo_cos(turn) + y * filo_sin(turn))) * steep;
        if (plane >= height) continue;
        height = plane;
        normal = filo_vec3_normalise(n);
    }
    float light = 0.26f + 0.90f * filo_max(filo_vec3_dot(normal, sun), 0);
    light += 0.10f * (speckle(x, y, seed + 5, 16) - 0.5f) + 0.06f * (speckle(x, y, seed + 6, 40) - 0.5f);
    return (Sample){ inside(-height, 0.08f), filo_clamp01(light) };
}

// Blades from the middle: curved lines that become thinner.
static Sample blades_at(float x, float y, uint32_t seed, int count, float width, float curve) {
    Sample seen = { 0, 0 };
    for (int i = 0; i < count; i++) {
        float turn = FILO_TAU * ((float)i + 0.8f * random_at(seed, (uint32_t)i)) / (float)count;
        float length = 0.42f + 0.26f * random_at(seed, (uint32_t)i + 30);
        float c = filo_cos(turn), s = filo_sin(turn), along = x * c + y * s, across = y * c - x * s;
        if (along < 0 || along > length) continue;
        float part = along / length;
        across += curve * part * part * (random_at(seed, (uint32_t)i + 60) - 0.5f);
        float cover = inside(filo_abs(across) - width * (1 - part) * (0.35f + 1.6f * part), 0.03f);
        float light = 0.66f + 0.30f * part + 0.22f * (c * sun.x + s * sun.y) + (across < 0 ? 0.06f : -0.06f);
        if (cover > 0)
            seen = (Sample){ filo_max(seen.cover, cover), filo_lerp(seen.light, filo_clamp01(light), cover) };
    }
    return seen;
}

static Sample flower_at(float x, float y, uint32_t seed) {
    Sample seen = { 0, 0 };
    for (uint32_t i = 0; i < 7; i++) {
        float turn = FILO_TAU * ((float)i + 0.7f * random_at(seed, i)) / 6,
              away = i == 0 ? 0.05f : 0.24f + 0.26f * random_at(seed, i + 20);
        float dx = x - filo_cos(turn) * away, dy = y - filo_sin(turn) * away;
        float radius = 0.085f + 0.05f * random_at(seed, i + 40);
        float cover = inside(filo_sqrt(dx * dx + dy * dy) - radius, 0.04f);
        float light = 0.86f + 0.5f * (dx * sun.x + dy * sun.y) / radius * 0.3f;
        if (cover > 0)
            seen = (Sample){ filo_max(seen.cover, cover), filo_lerp(seen.light, filo_clamp01(light), cover) };
    }
    return seen;
}

static Sample shape_at(SymbolKind kind, float x, float y, uint32_t seed) {
    switch (kind) {
    case SYMBOL_LEAF: return crown_at(x, y, seed, 17);
    case SYMBOL_CONIFER: return conifer_at(x, y, seed);
    case SYMBOL_ROCK: return rock_at(x, y, seed);
    case SYMBOL_BUSH: return crown_at(x, y, seed, 8);
    case SYMBOL_FERN: return blades_at(x, y, seed, 9, 0.11f, 0.35f);
    case SYMBOL_REED: return blades_at(x, y, seed, 13, 0.05f, 0.15f);
    case SYMBOL_FLOWER: return flower_at(x, y, seed);
    default: return blades_at(x, y, seed, 8, 0.075f, 0.5f);
    }
}

// ---- Images -------------------------------------------------------------------------------------------------

// How dark the shadow is, and how far it falls.
static const float shadow_dark[SYMBOL_KINDS] = { 0.48f, 0.50f, 0.46f, 0.36f, 0.16f, 0.12f, 0, 0 };
static const float shadow_far[SYMBOL_KINDS] = { 0.25f, 0.27f, 0.15f, 0.18f, 0.10f, 0.10f, 0.08f, 0.08f };

static FiloColor pixel_at(SymbolKind kind, float x, float y, uint32_t seed) {
    float cx = x - CENTRE, cy = y - CENTRE, far = shadow_far[kind];
    float distance = filo_sqrt((cx - far) * (cx - far) + (cy - far) * (cy - far));
    float size = kind == SYMBOL_CONIFER ? 0.52f : 0.58f;
    float shadow = shadow_dark[kind] * (1 - filo_smoothstep(size - 0.22f, size + 0.14f, distance));
    FiloColor color = filo_color_from_straight(filo_vec4(0.03f, 0.05f, 0.12f, shadow));
    Sample seen = shape_at(kind, cx, cy, seed);
    if (seen.cover <= 0) return color;
    // Shadows are blue, light is yellow.
    float l = seen.light;
    FiloVec3 dark = { 0.28f, 0.35f, 0.42f }, middle = { 0.70f, 0.75f, 0.72f }, bright = { 1, 1, 0.92f };
    FiloVec3 rgb = l < 0.5f ? filo_vec3_lerp(dark, middle, l * 2) : filo_vec3_lerp(middle, bright, l * 2 - 1);
    return filo_color_over(filo_color_from_straight(filo_vec4(rgb.x, rgb.y, rgb.z, seen.cover)), color);
}

typedef struct Sheet {
    FiloPixels images[SYMBOL_KINDS * SYMBOL_VARIANTS][SYMBOL_SIZES];
} Sheet;

static void halve(const FiloPixels *to, const FiloPixels *from) {
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            int sum[4] = { 2, 2, 2, 2 };
            for (int i = 0; i < 4; i++) {
                FiloColor c = *filo_pixels_at(from, 2 * x + i % 2, 2 * y + i / 2);
                sum[0] += c.r, sum[1] += c.g, sum[2] += c.b, sum[3] += c.a;
            }
            *filo_pixels_at(to, x, y) = filo_color((uint8_t)(sum[0] / 4), (uint8_t)(sum[1] / 4),
                                                   (uint8_t)(sum[2] / 4), (uint8_t)(sum[3] / 4));
        }
}

static void draw_images(size_t first, size_t end, void *user) {
    Sheet *sheet = user;
    for (size_t i = first; i < end; i++) {
        FiloPixels *image = sheet->images[i];
        for (int y = 0; y < SYMBOL_PIXELS; y++)
            for (int x = 0; x < SYMBOL_PIXELS; x++)
                *filo_pixels_at(&image[0], x, y) =
                    pixel_at((SymbolKind)(i / SYMBOL_VARIANTS), ((float)x + 0.5f) * 2 / SYMBOL_PIXELS - 1,
                             ((float)y + 0.5f) * 2 / SYMBOL_PIXELS - 1, (uint32_t)i * 16 + 3);
        for (int size = 1; size < SYMBOL_SIZES; size++) halve(&image[size], &image[size - 1]);
    }
}

static FiloName names[SYMBOL_KINDS * SYMBOL_VARIANTS][SYMBOL_SIZES];

bool symbols_make(FiloAssets *assets, FiloJobs *jobs) {
    Sheet sheet = { 0 };
    bool ok = true;
    for (int i = 0; i < SYMBOL_KINDS * SYMBOL_VARIANTS; i++)
        for (int size = 0; size < SYMBOL_SIZES; size++)
            ok = ok && filo_pixels_create(&sheet.images[i][size], SYMBOL_PIXELS >> size,
                                          SYMBOL_PIXELS >> size, NULL);
    if (ok) filo_jobs_for_each(jobs, (size_t)SYMBOL_KINDS * SYMBOL_VARIANTS, draw_images, &sheet);
    for (int i = 0; i < SYMBOL_KINDS * SYMBOL_VARIANTS; i++)
        for (int size = 0; size < SYMBOL_SIZES; size++) {
            char name[32];
            snprintf(name, sizeof name, "%s %d %d", kind_names[i / SYMBOL_VARIANTS], i % SYMBOL_VARIANTS,
                     SYMBOL_PIXELS >> size);
            names[i][size] = filo_name(name);
            ok = ok && filo_assets_add_pixels(assets, name, &sheet.images[i][size]).id != 0;
            filo_pixels_free(&sheet.images[i][size], NULL);
        }
    return ok;
}

void symbol_draw(FiloDraw *draw, SymbolKind kind, uint32_t variant, FiloVec2 at, float pixels,
                 FiloColor color) {
    float whole = pixels / 0.66f; // of the image, which is larger than the symbol
    int size = 0;
    while (size + 1 < SYMBOL_SIZES && (float)(SYMBOL_PIXELS >> (size + 1)) >= whole * 0.75f) size++;
    filo_draw_sprite(
        draw, &(FiloDrawSprite){ .image = names[kind * SYMBOL_VARIANTS + variant % SYMBOL_VARIANTS][size],
                                 .position = at,
                                 .size = { whole, whole },
                                 .pivot = { CENTRE / 2, -CENTRE / 2 },
                                 .flags = FILO_SPRITE_LINEAR,
                                 .color = color });
}
