// The pictures of Pinball, drawn by code: every pixel is a formula of its position. Positions are in units of the table.

#include "pinball.h"

#include "shared/shape_art.h"

#define DETAIL 100 // pixels of a picture for a unit; the field has fewer, because it is blurred
#define FIELD  25

typedef FiloColor (*ColorAt)(FiloVec2 p);

static float inside(float distance) { return filo_clamp01(0.5f - distance * DETAIL); }

static FiloColor over(FiloColor under, uint32_t hex, float amount) {
    return filo_color_over(filo_color_fade(filo_color_from_hex(hex), filo_clamp01(amount)), under);
}

static FiloColor add(FiloColor a, uint32_t hex, float amount) {
    FiloColor b = filo_color_fade(filo_color_from_hex(hex), filo_clamp01(amount));
    return filo_color((uint8_t)FILO_MIN(a.r + b.r, 255), (uint8_t)FILO_MIN(a.g + b.g, 255),
                      (uint8_t)FILO_MIN(a.b + b.b, 255), a.a);
}

// ---- Parts ----------------------------------------------------------------------------------------------------

static FiloColor ball_at(FiloVec2 p) {
    float d = filo_vec2_length(p) / PINBALL_BALL;
    FiloVec2 lamp = filo_vec2(-0.07f, 0.09f);
    float shine = filo_clamp01(1 - filo_vec2_distance(p, lamp) / (PINBALL_BALL * 0.62f));
    FiloColor c = over(FILO_COLOR_TRANSPARENT, 0x1A2030FF, inside(filo_vec2_length(p) - PINBALL_BALL));
    c = over(c, 0xAEB8CCFF, inside(filo_vec2_length(p) - PINBALL_BALL + 0.015f) * (1 - 0.75f * d * d));
    c = over(c, 0x5C6C92FF,
             inside(filo_vec2_length(p) - PINBALL_BALL + 0.015f) * 0.6f * filo_smoothstep(0.0f, -0.2f, p.y));
    return over(c, 0xFFFFFFFF, shine * shine * 1.3f);
}

static FiloColor flipper_at(FiloVec2 p) {
    FiloVec2 tip = filo_vec2(PINBALL_FLIPPER, 0);
    float part = filo_clamp01(p.x / PINBALL_FLIPPER), radius = filo_lerp(0.27f, 0.14f, part);
    float d = shape_art_to_segment(p, filo_vec2(0, 0), tip) - radius;
    FiloColor c = over(FILO_COLOR_TRANSPARENT, 0xFF3D7FFF, inside(d));
    c = over(c, 0xF4F1FFFF, inside(d + 0.055f));
    c = over(c, 0xC9C2E8FF, inside(d + 0.055f) * filo_smoothstep(0.05f, -0.2f, p.y));
    c = over(c, 0x39305CFF, inside(filo_vec2_length(p) - 0.11f));
    return over(c, 0x8F86B8FF, inside(filo_vec2_length(p) - 0.06f));
}

static FiloColor plunger_at(FiloVec2 p) {
    float head = filo_max(filo_abs(p.x) - 0.34f, filo_abs(p.y - 0.6f) - 0.2f);
    float rod = filo_max(filo_abs(p.x) - 0.09f, filo_abs(p.y + 0.2f) - 0.6f);
    float coil = filo_abs(filo_fract(p.y * 7) - 0.5f) < 0.22f ? 1.0f : 0.0f;
    FiloColor c = over(FILO_COLOR_TRANSPARENT, 0x9AA3BCFF, inside(rod));
    c = over(c, 0xD6DCEEFF, coil * inside(filo_max(filo_abs(p.x) - 0.24f, filo_abs(p.y + 0.2f) - 0.6f)));
    c = over(c, 0xFFB347FF, inside(head));
    return over(c, 0xFFE0A8FF, inside(filo_max(filo_abs(p.x) - 0.3f, filo_abs(p.y - 0.72f) - 0.04f)));
}

static FiloColor bumper_at(FiloVec2 p) {
    float d = filo_vec2_length(p);
    float spokes = filo_cos(filo_atan2(p.y, p.x) * 8);
    FiloColor c = over(FILO_COLOR_TRANSPARENT, 0xF4F1FFFF, inside(d - PINBALL_BUMPER));
    c = over(c, 0x2B1B52FF, inside(d - PINBALL_BUMPER + 0.07f));
    c = over(c, 0x7C4DFFFF, inside(d - PINBALL_BUMPER + 0.13f) * (spokes > 0 ? 1.0f : 0.55f));
    c = over(c, 0xF4F1FFFF, inside(d - 0.36f));
    c = over(c, 0xFF3D7FFF, inside(d - 0.31f));
    return over(c, 0xFFFFFFFF,
                0.7f * filo_clamp01(1 - filo_vec2_distance(p, filo_vec2(-0.1f, 0.12f)) / 0.16f));
}

static FiloColor glow_at(FiloVec2 p) {
    float light = filo_clamp01(1 - filo_vec2_length(p));
    return filo_color_fade(FILO_COLOR_WHITE, light * light * (3 - 2 * light));
}

// ---- The field ----------------------------------------------------------------------------------------------------

typedef struct Lines {
    size_t count;
    struct {
        FiloVec2 a, b;
        bool lane;
    } line[160];
} Lines;

static void collect(Lines *lines) {
    lines->count = 0;
    for (size_t n = 0; n < PINBALL_WALLS; n++) {
        PinballWall wall = pinball_wall(n);
        for (size_t i = 0; i + 1 < wall.count && lines->count < FILO_COUNT_OF(lines->line); i++) {
            lines->line[lines->count].a = wall.points[i];
            lines->line[lines->count].b = wall.points[i + 1];
            lines->line[lines->count++].lane = n >= 2;
        }
    }
}

// Light of the walls that falls on the field.
static FiloColor add_light(FiloColor c, const Lines *lines, FiloVec2 p) {
    const float reach = 1.1f;
    float far = reach, near = reach;
    for (size_t i = 0; i < lines->count; i++) {
        FiloVec2 a = lines->line[i].a, b = lines->line[i].b;
        if (p.x < filo_min(a.x, b.x) - reach || p.x > filo_max(a.x, b.x) + reach ||
            p.y < filo_min(a.y, b.y) - reach || p.y > filo_max(a.y, b.y) + reach)
            continue;
        float d = shape_art_to_segment(p, a, b);
        if (lines->line[i].lane)
            near = filo_min(near, d);
        else
            far = filo_min(far, d);
    }
    float wall = 1 - far / reach, lane = 1 - near / reach;
    return add(add(c, 0x20B8FFFF, 0.4f * wall * wall), 0xFF4FA0FF, 0.34f * lane * lane);
}

static bool is_on_table(FiloVec2 p) {
    if (p.x < PINBALL_LEFT || p.x > PINBALL_EDGE || p.y < PINBALL_BOTTOM) return false;
    return p.y < 14.5f || filo_vec2_distance(p, filo_vec2(0.45f, 14.5f)) < 5.45f;
}

static float star_at(FiloVec2 p) {
    float cell = 0.55f;
    int32_t x = filo_floor_to_int(p.x / cell), y = filo_floor_to_int(p.y / cell);
    float a = filo_random_float_at(3, (uint32_t)(y + 90), (uint32_t)(x + 90), 1, 0);
    float b = filo_random_float_at(3, (uint32_t)(y + 90), (uint32_t)(x + 90), 2, 0);
    FiloVec2 at = filo_vec2(((float)x + 0.15f + 0.7f * a) * cell, ((float)y + 0.15f + 0.7f * b) * cell);
    float size = a * b > 0.42f ? 0.05f : 0.022f;
    return filo_clamp01((size - filo_vec2_distance(p, at)) * 30) * (0.25f + 0.75f * b);
}

// A sun between the flippers and the bumpers, with rings around the bumpers.
static FiloColor field_at(FiloVec2 p, const Lines *lines) {
    FiloColor c = filo_color_lerp(filo_color_from_hex(0x120A2CFF), filo_color_from_hex(0x251352FF),
                                  filo_clamp01(p.y / 20));
    c = add(c, 0xBFD8FFFF, 0.55f * star_at(p));
    FiloVec2 sun = filo_vec2_sub(p, filo_vec2(0, 7.3f));
    float d = filo_vec2_length(sun), ray = filo_cos(filo_atan2(sun.y, sun.x) * 12);
    float rays = filo_clamp01(ray * 6) * filo_clamp01((2.6f - d) * 2) * filo_clamp01((d - 1.35f) * 8);
    c = add(c, 0xFF8A3CFF, 0.30f * rays);
    c = add(c, 0xFFC24BFF,
            0.55f * filo_clamp01((1.2f - d) * 14) * (0.55f + 0.25f * filo_clamp01(sun.y + 0.6f)));
    bool stripe = sun.y < 0.1f && filo_fract(sun.y * 3.4f) < 0.34f && d < 1.25f;
    if (stripe) c = over(c, 0x1B0E3CFF, 0.9f);
    for (size_t i = 0; i < PINBALL_BUMPERS; i++) {
        float ring = filo_vec2_distance(p, pinball_bumper(i));
        c = add(c, 0x7C4DFFFF, 0.5f * filo_clamp01((0.05f - filo_abs(ring - 1.0f)) * 24));
        c = add(c, 0x7C4DFFFF, 0.22f * filo_clamp01(1 - ring / 1.6f));
    }
    if (p.x > PINBALL_RIGHT) c = over(c, 0x0C0720FF, 0.75f);
    return add_light(c, lines, p);
}

static bool add_field(FiloAssets *assets) {
    FiloPixels pixels;
    Lines lines;
    collect(&lines);
    const int width = (int)((PINBALL_EDGE - PINBALL_LEFT) * FIELD),
              height = (int)((PINBALL_TOP - PINBALL_BOTTOM) * FIELD);
    if (!filo_pixels_create(&pixels, width, height, NULL)) return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            FiloVec2 p =
                filo_vec2(PINBALL_LEFT + ((float)x + 0.5f) / FIELD, PINBALL_TOP - ((float)y + 0.5f) / FIELD);
            *filo_pixels_at(&pixels, x, y) = is_on_table(p) ? field_at(p, &lines) : FILO_COLOR_TRANSPARENT;
        }
    bool added = filo_assets_add_pixels(assets, "field", &pixels).id != 0;
    filo_pixels_free(&pixels, NULL);
    return added;
}

// ---- All pictures -----------------------------------------------------------------------------------------------------

// `centre` is the point of the picture that is {0, 0} for `color_at`, in units from its lower left corner.
static bool add_picture(FiloAssets *assets, const char *name, FiloVec2 size, FiloVec2 centre,
                        ColorAt color_at) {
    FiloPixels p;
    int width = filo_round_to_int(size.x * DETAIL), height = filo_round_to_int(size.y * DETAIL);
    if (!filo_pixels_create(&p, width, height, NULL)) return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *filo_pixels_at(&p, x, y) = color_at(filo_vec2(((float)x + 0.5f) / DETAIL - centre.x,
                                                           size.y - ((float)y + 0.5f) / DETAIL - centre.y));
    bool added = filo_assets_add_pixels(assets, name, &p).id != 0;
    filo_pixels_free(&p, NULL);
    return added;
}

bool pinball_art(FiloAssets *assets) {
    return add_field(assets) &&
           add_picture(assets, "ball", filo_vec2(0.5f, 0.5f), filo_vec2(0.25f, 0.25f), ball_at) &&
           add_picture(assets, "flipper", filo_vec2(2.1f, 0.6f), filo_vec2(0.3f, 0.3f), flipper_at) &&
           add_picture(assets, "plunger", filo_vec2(0.7f, 1.6f), filo_vec2(0.35f, 0.8f), plunger_at) &&
           add_picture(assets, "bumper", filo_vec2(1.5f, 1.5f), filo_vec2(0.75f, 0.75f), bumper_at) &&
           add_picture(assets, "glow", filo_vec2(2, 2), filo_vec2(1, 1), glow_at);
}
