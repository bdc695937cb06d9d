// Images that are painted by code: bark, leaves, and kinds of ground. Pixels have straight alpha.

#include "meshes.h"

#define GROUND_PIXELS 512

// ---- Tools --------------------------------------------------------------------------------------------------------

// A picture, or a part of one. `wraps`: what leaves it on one side enters it on the other.
typedef struct Canvas {
    FiloPixels pixels;
    FiloRandom random;
    bool wraps;
} Canvas;

static float any(Canvas *canvas, float low, float high) {
    return filo_random_float_range(&canvas->random, low, high);
}

static FiloVec3 rgb(uint32_t hex) {
    return filo_vec3((float)(hex >> 16 & 255) / 255, (float)(hex >> 8 & 255) / 255, (float)(hex & 255) / 255);
}

static FiloColor color_of(FiloVec3 c, float alpha) {
    return filo_color(filo_byte_from_unit(filo_clamp01(c.x)), filo_byte_from_unit(filo_clamp01(c.y)),
                      filo_byte_from_unit(filo_clamp01(c.z)), filo_byte_from_unit(filo_clamp01(alpha)));
}

static void put(const Canvas *canvas, int x, int y, FiloVec3 color, float cover) {
    int width = canvas->pixels.width, height = canvas->pixels.height;
    if (canvas->wraps)
        x = ((x % width) + width) % width, y = ((y % height) + height) % height;
    else if (x < 0 || y < 0 || x >= width || y >= height)
        return;
    FiloColor *pixel = filo_pixels_at(&canvas->pixels, x, y);
    float alpha = (float)pixel->a / 255, all = cover + alpha * (1 - cover);
    if (all <= 0) return;
    FiloVec3 before = filo_vec3((float)pixel->r / 255, (float)pixel->g / 255, (float)pixel->b / 255);
    *pixel = color_of(filo_vec3_lerp(before, color, cover / all), all);
}

// A leaf: from (x, y) in a direction, pointed at both ends, with a vein along its middle.
typedef struct Leaf {
    float x, y, angle, length, width;
    FiloVec3 color;
    float vein; // how much brighter one half is than the other
} Leaf;

static void paint_leaf(const Canvas *canvas, const Leaf *leaf) {
    float c = filo_cos(leaf->angle), s = filo_sin(leaf->angle), reach = leaf->length + leaf->width + 2;
    int x0 = filo_floor_to_int(leaf->x - reach), x1 = filo_floor_to_int(leaf->x + reach);
    int y0 = filo_floor_to_int(leaf->y - reach), y1 = filo_floor_to_int(leaf->y + reach);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            float dx = (float)x + 0.5f - leaf->x, dy = (float)y + 0.5f - leaf->y;
            float along = (dx * c + dy * s) / leaf->length, across = dy * c - dx * s;
            if (along < -0.05f || along > 1.05f) continue;
            float bow = filo_clamp01(along),
                  half = 0.5f * leaf->width * filo_sqrt(filo_max(4 * bow * (1 - bow), 0));
            half *= 1 - 0.25f * bow;
            float cover = filo_clamp01(half - filo_abs(across) + 0.5f);
            if (cover <= 0) continue;
            float light = 1 + leaf->vein * (across > 0 ? 1.0f : -1.0f) - 0.15f * (1 - bow);
            put(canvas, x, y, filo_vec3_scale(leaf->color, light), cover);
        }
}

// A line that becomes thinner.
static void paint_line(const Canvas *canvas, FiloVec2 from, FiloVec2 to, float width, FiloVec3 color) {
    FiloVec2 along = filo_vec2_sub(to, from);
    float length = filo_max(filo_vec2_length(along), 0.01f);
    int x0 = filo_floor_to_int(filo_min(from.x, to.x) - width - 1),
        x1 = filo_floor_to_int(filo_max(from.x, to.x) + width + 1);
    int y0 = filo_floor_to_int(filo_min(from.y, to.y) - width - 1),
        y1 = filo_floor_to_int(filo_max(from.y, to.y) + width + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            FiloVec2 at = filo_vec2((float)x + 0.5f - from.x, (float)y + 0.5f - from.y);
            float part = filo_clamp01(filo_vec2_dot(at, along) / (length * length));
            float away = filo_vec2_distance(at, filo_vec2_scale(along, part));
            float cover = filo_clamp01(0.5f * width * (1.15f - part) - away + 0.5f);
            if (cover > 0) put(canvas, x, y, color, cover);
        }
}

// Smooth noise from 0 to 1 that repeats after `period` cells.
static float noise_at(float x, float y, int period, uint32_t seed) {
    int cx = filo_floor_to_int(x), cy = filo_floor_to_int(y);
    float fx = filo_smoothstep(0, 1, x - (float)cx), fy = filo_smoothstep(0, 1, y - (float)cy), corners[4];
    for (int i = 0; i < 4; i++) {
        int u = (((cx + i % 2) % period) + period) % period, v = (((cy + i / 2) % period) + period) % period;
        uint64_t key = (uint64_t)(uint32_t)v << 40 | (uint64_t)(uint32_t)u << 16 | seed;
        corners[i] = (float)(filo_random_mix(key * 0x9E3779B97F4A7C15u) >> 40) * (1.0f / (1 << 24));
    }
    return filo_lerp(filo_lerp(corners[0], corners[1], fx), filo_lerp(corners[2], corners[3], fx), fy);
}

// Octaves of it over a whole picture, from `cells` along a side on. `u`, `v` are 0 to 1.
static float clouds_at(float u, float v, int cells, int octaves, uint32_t seed) {
    float sum = 0, weight = 0.5f, all = 0;
    for (int i = 0; i < octaves; i++, cells *= 2, all += weight, weight *= 0.55f)
        sum += weight * noise_at(u * (float)cells, v * (float)cells, cells, seed + (uint32_t)i);
    return sum / all;
}

typedef FiloVec3 (*Shade)(float u, float v);
static void fill(const Canvas *canvas, Shade shade) {
    for (int y = 0; y < canvas->pixels.height; y++)
        for (int x = 0; x < canvas->pixels.width; x++) {
            float u = ((float)x + 0.5f) / (float)canvas->pixels.width,
                  v = ((float)y + 0.5f) / (float)canvas->pixels.height;
            *filo_pixels_at(&canvas->pixels, x, y) = color_of(shade(u, v), 1);
        }
}

// ---- Bark ---------------------------------------------------------------------------------------------------------

static FiloVec3 shade_bark(float u, float v) {
    float ridges = filo_abs(2 * noise_at(u * 10 + 1.5f * noise_at(u * 4, v * 4, 4, 3), v * 3, 10, 1) - 1);
    return filo_vec3_scale(filo_vec3_lerp(rgb(0x3A2C22), rgb(0x8A7260), filo_pow(ridges, 0.6f)),
                           0.75f + 0.5f * clouds_at(u, v, 8, 3, 9));
}
static FiloVec3 shade_oak_bark(float u, float v) {
    float ridges = filo_abs(2 * noise_at(u * 14 + 2 * noise_at(u * 6, v * 6, 6, 4), v * 5, 14, 2) - 1);
    return filo_vec3_scale(filo_vec3_lerp(rgb(0x352E28), rgb(0x7C7064), filo_pow(ridges, 0.5f)),
                           0.75f + 0.5f * clouds_at(u, v, 8, 3, 19));
}
static FiloVec3 shade_birch_bark(float u, float v) {
    float bands = filo_smoothstep(0.66f, 0.76f, noise_at(u * 5, v * 22, 5, 5));
    float scars = filo_smoothstep(0.70f, 0.80f, noise_at(u * 4, v * 5, 4, 6));
    FiloVec3 white = filo_vec3_scale(rgb(0xE8E4DA), 0.86f + 0.2f * clouds_at(u, v, 6, 3, 7));
    return filo_vec3_lerp(white, rgb(0x2A2622), filo_max(0.85f * bands, scars));
}
static FiloVec3 shade_wood(float u, float v) {
    float grain = noise_at(u * 18 + noise_at(u * 5, v * 5, 5, 8), v * 3, 18, 4);
    return filo_vec3_lerp(rgb(0x6A6058), rgb(0xB4A898), grain);
}
static FiloVec3 shade_rings(float u, float v) {
    float x = 2 * u - 1, y = 2 * v - 1, away = filo_sqrt(x * x + y * y);
    float ring = 0.5f + 0.5f * filo_sin(away * 60 + 3 * noise_at(u * 5, v * 5, 5, 3));
    FiloVec3 wood = filo_vec3_lerp(rgb(0xB48A58), rgb(0xDDB987), ring);
    return filo_vec3_lerp(wood, rgb(0x4A382A), filo_smoothstep(0.84f, 0.92f, away));
}

// ---- Leaves -------------------------------------------------------------------------------------------------------

// A twig of a conifer: its foot is in the middle of the lower edge. Twigs to both sides, needles on all of them.
static void paint_sprig(Canvas *canvas, float dense, float needle, uint32_t dark, uint32_t light) {
    float size = (float)canvas->pixels.width;
    FiloVec3 bark = rgb(0x5A4636);
    for (int layer = 0; layer < 2; layer++) // the darker ones are behind
        for (int i = 0; i < 18; i++) {
            float part = ((float)i + any(canvas, 0, 0.6f)) / 18;
            FiloVec2 from = filo_vec2(0.5f * size + any(canvas, -2, 2), size * (0.98f - 0.93f * part));
            float length = size * 0.47f * filo_sqrt(1 - part * part * 0.85f) * any(canvas, 0.75f, 1.05f);
            float angle = -FILO_HALF_PI + (i % 2 == 0 ? 1.0f : -1.0f) * (1.05f - 0.55f * part);
            FiloVec2 along = filo_vec2(filo_cos(angle), filo_sin(angle));
            FiloVec2 to = filo_vec2(from.x + along.x * length, filo_max(from.y + along.y * length, 2));
            paint_line(canvas, from, to, 2.2f, bark);
            int needles = (int)(dense * length);
            for (int j = 0; j < needles; j++) {
                float at = filo_sqrt(any(canvas, 0, 1)) * 1.02f;
                float turn = angle + any(canvas, -1.0f, 1.0f), reach = needle * any(canvas, 0.7f, 1.2f);
                FiloVec2 foot = filo_vec2(filo_lerp(from.x, to.x, at), filo_lerp(from.y, to.y, at));
                FiloVec2 tip = filo_vec2(foot.x + reach * filo_cos(turn), foot.y + reach * filo_sin(turn));
                FiloVec3 color = filo_vec3_lerp(rgb(dark), rgb(light), any(canvas, 0, 0.6f) + 0.4f * at);
                paint_line(canvas, foot, tip, 2.4f, filo_vec3_scale(color, layer == 0 ? 0.62f : 1));
            }
        }
}

// A cluster of leaves around the middle.
static void paint_cluster(Canvas *canvas, int leaves, float length, float width, uint32_t dark,
                          uint32_t light) {
    float size = (float)canvas->pixels.width;
    enum { TWIGS = 11 };
    FiloVec2 ends[TWIGS];
    for (int i = 0; i < TWIGS; i++) {
        float angle = FILO_TAU * ((float)i + any(canvas, -0.3f, 0.3f)) / TWIGS,
              reach = size * any(canvas, 0.26f, 0.44f);
        ends[i] = filo_vec2(size * 0.5f + reach * filo_cos(angle), size * 0.5f + reach * filo_sin(angle));
        paint_line(canvas, filo_vec2(0.5f * size, 0.5f * size), ends[i], 3, rgb(0x54443A));
    }
    for (int i = 0; i < leaves; i++) { // around the twigs; the darker ones are behind
        float depth = (float)i / (float)leaves, along = filo_sqrt(any(canvas, 0.02f, 1)),
              spread = 0.075f * size;
        FiloVec2 end = ends[filo_random_range(&canvas->random, 0, TWIGS - 1)];
        float x = filo_lerp(0.5f * size, end.x, along) + any(canvas, -spread, spread),
              y = filo_lerp(0.5f * size, end.y, along) + any(canvas, -spread, spread);
        float turn = filo_atan2(end.y - 0.5f * size, end.x - 0.5f * size) + any(canvas, -1.4f, 1.4f);
        FiloVec3 color = filo_vec3_lerp(rgb(dark), rgb(light), any(canvas, 0, 1));
        float longer = any(canvas, 0.75f, 1.2f), wider = any(canvas, 0.8f, 1.2f);
        paint_leaf(canvas, &(Leaf){ x, y, turn, length * longer, width * wider,
                                    filo_vec3_scale(color, 0.55f + 0.45f * depth), 0.07f });
    }
}

// What is empty gets the mean colour of the rest, so that no edge is dark when the image is reduced.
static void fill_gaps(const Canvas *canvas) {
    uint64_t r = 0, g = 0, b = 0, n = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < canvas->pixels.width * canvas->pixels.height; i++) {
            FiloColor *pixel =
                filo_pixels_at(&canvas->pixels, i % canvas->pixels.width, i / canvas->pixels.width);
            if (pass == 0 && pixel->a > 128) r += pixel->r, g += pixel->g, b += pixel->b, n++;
            if (pass == 1 && pixel->a == 0)
                *pixel = filo_color((uint8_t)(r / n), (uint8_t)(g / n), (uint8_t)(b / n), 0);
        }
}

FiloRect tree_image(TreeImage image) {
    const float inset = 3.0f / TREE_PIXELS;
    float x = (float)(image % 4) / 4, y = (float)(image / 4) / 4;
    return filo_rect(filo_vec2(x + inset, y + inset), filo_vec2(x + 0.25f - inset, y + 0.25f - inset));
}

static void paint_tree_image(Canvas *canvas, TreeImage image) {
    switch (image) {
    case IMAGE_BARK: fill(canvas, shade_bark); break;
    case IMAGE_OAK_BARK: fill(canvas, shade_oak_bark); break;
    case IMAGE_BIRCH_BARK: fill(canvas, shade_birch_bark); break;
    case IMAGE_WOOD: fill(canvas, shade_wood); break;
    case IMAGE_RINGS: fill(canvas, shade_rings); break;
    case IMAGE_SPRUCE: paint_sprig(canvas, 1.1f, 9.5f, 0x70866A, 0xD8E8BC); break;
    case IMAGE_PINE: paint_cluster(canvas, 1100, 26, 3.0f, 0x7A8C66, 0xE0ECB8); break;
    case IMAGE_LARCH: paint_sprig(canvas, 0.7f, 9, 0xB8A870, 0xFFF4C0); break;
    case IMAGE_OAK: paint_cluster(canvas, 460, 21, 12, 0xB0B08C, 0xFFFFDC); break;
    case IMAGE_MAPLE: paint_cluster(canvas, 420, 22, 15, 0xB8A898, 0xFFF8EC); break;
    case IMAGE_BIRCH: paint_cluster(canvas, 480, 15, 10, 0xB8B890, 0xFFFCDC); break;
    case IMAGE_BUSH: paint_cluster(canvas, 440, 18, 8, 0xA0A880, 0xF8FCD0); break;
    }
}

// ---- Kinds of ground ----------------------------------------------------------------------------------------------

static FiloVec3 shade_meadow(float u, float v) {
    float n = clouds_at(u, v, 6, 5, 30);
    return filo_vec3_lerp(rgb(0x4C5228), rgb(0x94884C), filo_smoothstep(0.3f, 0.7f, n));
}
static FiloVec3 shade_floor(float u, float v) {
    float n = clouds_at(u, v, 5, 5, 40);
    return filo_vec3_lerp(rgb(0x2E2A1A), rgb(0x5C5230), filo_smoothstep(0.3f, 0.7f, n));
}
static FiloVec3 shade_rock(float u, float v) {
    float n = clouds_at(u, v, 4, 6, 50), cracks = filo_abs(2 * clouds_at(u, v, 5, 4, 60) - 1);
    FiloVec3 stone = filo_vec3_lerp(rgb(0x5A554E), rgb(0xB0A89C), filo_smoothstep(0.25f, 0.75f, n));
    return filo_vec3_scale(stone, 0.55f + 0.45f * filo_smoothstep(0, 0.14f, cracks));
}
static FiloVec3 shade_gravel(float u, float v) {
    return filo_vec3_lerp(rgb(0x5C564E), rgb(0x857C70), clouds_at(u, v, 8, 5, 70));
}
static FiloVec3 shade_sand(float u, float v) {
    float n = clouds_at(u, v, 8, 6, 80), grains = noise_at(u * 256, v * 256, 256, 81);
    return filo_vec3_scale(filo_vec3_lerp(rgb(0x6E6450), rgb(0xA4977A), n), 0.86f + 0.28f * grains);
}
static FiloVec3 shade_snow(float u, float v) {
    return filo_vec3_lerp(rgb(0xC6D2E2), rgb(0xF8FAFF),
                          filo_smoothstep(0.25f, 0.6f, clouds_at(u, v, 5, 5, 90)));
}

static FiloVec3 shade_clouds(float u, float v) {
    float n = clouds_at(u, v, 4, 7, 110);
    return filo_vec3(n, n, n);
}

static void strew(Canvas *canvas, int count, float length, float width, const uint32_t colors[4]) {
    float size = (float)canvas->pixels.width;
    for (int i = 0; i < count; i++) {
        FiloVec3 color = rgb(colors[filo_random_range(&canvas->random, 0, 3)]);
        float light = any(canvas, 0.7f, 1.2f) * (0.75f + 0.25f * (float)i / (float)count);
        float x = any(canvas, 0, size), y = any(canvas, 0, size), turn = any(canvas, 0, FILO_TAU);
        float longer = any(canvas, 0.6f, 1.3f), wider = any(canvas, 0.7f, 1.3f);
        paint_leaf(canvas, &(Leaf){ x, y, turn, length * longer, width * wider, filo_vec3_scale(color, light),
                                    0.08f });
    }
}

static void paint_ground(Canvas *canvas, int image) {
    static const Shade shades[GROUND_IMAGES] = { shade_meadow, shade_floor, shade_rock,  shade_gravel,
                                                 shade_sand,   shade_snow,  shade_clouds };
    static const uint32_t grasses[4] = { 0x6E7434, 0x8C8444, 0xA89A58, 0x5A6430 };
    static const uint32_t litter[4] = { 0x7A5C34, 0x5E4A2A, 0x8E7038, 0x4E5630 };
    static const uint32_t stones[4] = { 0x8A8378, 0x757068, 0x9C9488, 0x66625C };
    canvas->wraps = true;
    fill(canvas, shades[image]);
    if (image == 0) strew(canvas, 9000, 17, 2.6f, grasses);
    if (image == 1) strew(canvas, 3200, 15, 7, litter);
    if (image == 3) strew(canvas, 2600, 17, 13, stones);
    if (image == 4) strew(canvas, 500, 7, 5, stones);
}

// ---- All of them ----------------------------------------------------------------------------------------------------

typedef struct Painting {
    FiloPixels *trees, grounds[GROUND_IMAGES];
} Painting;

static void paint_images(size_t first, size_t end, void *user) {
    Painting *painting = user;
    const int part = TREE_PIXELS / 4;
    for (size_t i = first; i < end; i++) {
        Canvas canvas = { .random = filo_random_sequence(70 + i) };
        if (i < GROUND_IMAGES) {
            canvas.pixels = painting->grounds[i];
            paint_ground(&canvas, (int)i);
        } else {
            TreeImage image = (TreeImage)(i - GROUND_IMAGES);
            canvas.pixels =
                filo_pixels_part(painting->trees, (int)image % 4 * part, (int)image / 4 * part, part, part);
            paint_tree_image(&canvas, image);
            fill_gaps(&canvas);
        }
    }
}

FiloResult paint_all(FiloGfx3d *gfx, FiloJobs *jobs, FiloPixels *trees) {
    Painting painting = { .trees = trees };
    bool ok = filo_pixels_create(trees, TREE_PIXELS, TREE_PIXELS, NULL);
    for (int i = 0; i < GROUND_IMAGES; i++)
        ok = filo_pixels_create(&painting.grounds[i], GROUND_PIXELS, GROUND_PIXELS, NULL) && ok;
    FiloResult r = ok ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for images");
    if (ok) filo_jobs_for_each(jobs, GROUND_IMAGES + IMAGE_BUSH + 1, paint_images, &painting);
    for (int i = 0; i < GROUND_IMAGES; i++) {
        static const char *const names[GROUND_IMAGES] = { "ground 0", "ground 1", "ground 2", "ground 3",
                                                          "ground 4", "ground 5", "clouds" };
        if (r.code == FILO_OK)
            r = filo_gfx3d_add_texture(gfx, filo_name(names[i]), &painting.grounds[i], i == GROUND_CLOUDS);
        filo_pixels_free(&painting.grounds[i], NULL);
    }
    return r;
}
