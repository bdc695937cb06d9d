// The picture behind the title: letters of dough, a cookie in the light, and eyes in the dark around it. Letters are
// polylines with a round pen; every pixel follows from its distance to them.

#include "menu.h"

#define LETTERS     8
#define LOGO_WIDTH  730
#define LOGO_HEIGHT 152
#define PEN         15.0f // radius
#define COOKIE      384   // pixels of the large cookie
#define CROWD       220   // enemies that are drawn

// ---- Letters ----------------------------------------------------------------------------------------------

typedef struct Letter {
    float left;          // in the logo
    FiloVec2 points[16]; // the pen is lifted at a point that is {0, 0}
} Letter;

static const Letter letters[LETTERS] = {
    { 14,
      { { 68, 26 },
        { 57, 15 },
        { 42, 11 },
        { 26, 15 },
        { 17, 27 },
        { 20, 41 },
        { 33, 50 },
        { 51, 58 },
        { 66, 69 },
        { 68, 84 },
        { 58, 97 },
        { 42, 101 },
        { 26, 98 },
        { 14, 87 } } },
    { 112,
      { { 16, 12 },
        { 16, 68 },
        { 20, 84 },
        { 30, 96 },
        { 42, 100 },
        { 54, 96 },
        { 64, 84 },
        { 68, 68 },
        { 68, 12 } } },
    { 212,
      { { 16, 101 },
        { 16, 13 },
        { 42, 13 },
        { 58, 18 },
        { 65, 33 },
        { 58, 49 },
        { 42, 55 },
        { 18, 55 },
        { 0, 0 },
        { 42, 57 },
        { 68, 101 } } },
    { 308, { { 10, 12 }, { 42, 100 }, { 74, 12 } } },
    { 410, { { 16, 12 }, { 16, 101 } } },
    { 456, { { 10, 12 }, { 42, 100 }, { 74, 12 } } },
    { 548, { { 10, 101 }, { 42, 12 }, { 74, 101 }, { 0, 0 }, { 23, 72 }, { 61, 72 } } },
    { 646, { { 16, 12 }, { 16, 100 }, { 62, 100 } } },
};

static float to_segment(FiloVec2 p, FiloVec2 a, FiloVec2 b) {
    FiloVec2 along = filo_vec2_sub(b, a), from = filo_vec2_sub(p, a);
    float part = filo_clamp01(filo_vec2_dot(from, along) / filo_max(filo_vec2_dot(along, along), 1e-6f));
    return filo_vec2_length(filo_vec2_sub(from, filo_vec2_scale(along, part)));
}

static bool is_lifted(FiloVec2 point) { return point.x == 0 && point.y == 0; }

static float to_letter(const Letter *letter, FiloVec2 p) {
    float nearest = 1e6f;
    for (size_t i = 0; i + 1 < FILO_COUNT_OF(letter->points); i++)
        if (!is_lifted(letter->points[i]) && !is_lifted(letter->points[i + 1]))
            nearest = filo_min(nearest, to_segment(p, letter->points[i], letter->points[i + 1]));
    return nearest;
}

// Signed distance to the edge of the letters, bites included.
static float to_logo(FiloVec2 p) {
    static const float bites[][3] = { { 716, 126, 17 }, { 699, 136, 12 }, { 17, 12, 13 }, { 352, 18, 15 } };
    float nearest = 1e6f;
    for (size_t i = 0; i < LETTERS; i++) {
        FiloVec2 in_letter = filo_vec2(p.x - letters[i].left, p.y - 14);
        if (in_letter.x > -30 && in_letter.x < 116)
            nearest = filo_min(nearest, to_letter(&letters[i], in_letter));
    }
    nearest -= PEN;
    for (size_t i = 0; i < FILO_COUNT_OF(bites); i++)
        nearest = filo_max(nearest, bites[i][2] - filo_vec2_distance(p, filo_vec2(bites[i][0], bites[i][1])));
    return nearest;
}

// Distance to the nearest chip of chocolate, one in each cell of a grid.
static float to_chip(FiloVec2 p) {
    const float cell = 23;
    float nearest = 1e6f;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            int cx = filo_floor_to_int(p.x / cell) + x, cy = filo_floor_to_int(p.y / cell) + y;
            float a = filo_random_float_at(5, (uint32_t)(cy + 9), (uint32_t)(cx + 9), 1, 0);
            float b = filo_random_float_at(5, (uint32_t)(cy + 9), (uint32_t)(cx + 9), 2, 0);
            FiloVec2 at =
                filo_vec2(((float)cx + 0.2f + 0.6f * a) * cell, ((float)cy + 0.2f + 0.6f * b) * cell);
            nearest = filo_min(nearest, filo_vec2_distance(p, at) - 2.6f - 2 * b);
        }
    return nearest;
}

static float inside(float distance) { return filo_clamp01(0.5f - distance); }

static FiloColor over(FiloColor under, uint32_t hex, float amount) {
    return filo_color_over(filo_color_fade(filo_color_from_hex(hex), filo_clamp01(amount)), under);
}

static FiloColor logo_at(FiloVec2 p) {
    float d = to_logo(p), lit = to_logo(filo_vec2(p.x + 3, p.y + 4)),
          shade = to_logo(filo_vec2(p.x, p.y - 7));
    FiloColor c = over(FILO_COLOR_TRANSPARENT, 0x000000FF, 0.55f * filo_clamp01(-(shade - 6) / 12));
    c = over(c, 0x3A1E0AFF, inside(d - 4));
    c = over(c, 0xB87838FF, inside(d));
    c = over(c, 0xD79C56FF, inside(lit + 5));
    c = over(c, 0xEDC07CFF, 0.9f * inside(filo_max(d + 4, -lit - 9.5f)));
    float chip = filo_max(to_chip(p), d + 4);
    c = over(c, 0x4A2810FF, inside(chip));
    return over(c, 0x8A5A2EFF,
                0.8f * inside(filo_max(to_chip(filo_vec2(p.x + 1.4f, p.y + 1.4f)) + 2.6f, d + 5)));
}

// ---- Pictures -----------------------------------------------------------------------------------------------

// Light that falls from the middle to the edge.
static FiloColor glow_at(FiloVec2 p) {
    float d = filo_vec2_distance(p, filo_vec2(64, 64)) / 64, light = filo_clamp01(1 - d);
    return filo_color_fade(FILO_COLOR_WHITE, light * light * (3 - 2 * light));
}

static FiloColor large_cookie_at(FiloVec2 p) {
    return survival_cookie_at(p.x * 48 / COOKIE, p.y * 48 / COOKIE, COOKIE / 48.0f);
}

static bool add(FiloAssets *assets, const char *name, int width, int height,
                FiloColor (*color_at)(FiloVec2)) {
    FiloPixels p;
    if (!filo_pixels_create(&p, width, height, NULL)) return false;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *filo_pixels_at(&p, x, y) = color_at(filo_vec2((float)x + 0.5f, (float)y + 0.5f));
    bool added = filo_assets_add_pixels(assets, name, &p).id != 0;
    filo_pixels_free(&p, NULL);
    return added;
}

bool title_art(FiloAssets *assets) {
    return add(assets, "logo", LOGO_WIDTH, LOGO_HEIGHT, logo_at) && add(assets, "glow", 128, 128, glow_at) &&
           add(assets, "large cookie", COOKIE, COOKIE, large_cookie_at);
}

// ---- Drawing --------------------------------------------------------------------------------------------------

typedef struct Stage {
    FiloVec2 size, cookie;
    float unit; // pixels: 1 in a window that is 720 high
    float time, light;
} Stage;

static void draw_glow(FiloDraw *draw, FiloVec2 at, float radius, FiloColor color, bool adds) {
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("glow"),
                                              .position = at,
                                              .size = { 2 * radius, 2 * radius },
                                              .flags = FILO_SPRITE_LINEAR | (adds ? FILO_SPRITE_ADD : 0),
                                              .color = color });
}

static void draw_ground(FiloDraw *draw, const Stage *stage) {
    FILO_NAME(ground, "ground");
    float side = 256 * stage->unit, shift = filo_mod(stage->time * 6 * stage->unit, side);
    FiloColor dark = filo_color_fade(FILO_COLOR_WHITE, 1);
    dark = filo_color_lerp(FILO_COLOR_BLACK, dark, 0.42f * stage->light);
    for (float y = -shift; y < stage->size.y; y += side)
        for (float x = -shift; x < stage->size.x; x += side)
            filo_draw_image(draw, ground, 0, filo_rect_from_size(filo_vec2(x, y), filo_vec2(side, side)),
                            dark);
}

// They come nearer and shrink back, each at its own pace. The nearer to the cookie, the brighter.
static void draw_crowd(FiloDraw *draw, const Stage *stage) {
    const FiloName images[SURVIVAL_KINDS] = { filo_name("enemy 0"), filo_name("enemy 1"),
                                              filo_name("enemy 2"), filo_name("enemy 3") };
    for (uint32_t i = 0; i < CROWD; i++) {
        float a = filo_random_float_at(11, i, 0, 1, 0), b = filo_random_float_at(11, i, 0, 2, 0);
        float pace = 0.4f + filo_random_float_at(11, i, 0, 3, 0);
        float angle = a * FILO_TAU + 0.05f * stage->time * (b - 0.5f);
        float away = 262 + 520 * b * b + 10 * filo_sin(stage->time * pace + (float)i);
        FiloVec2 at = filo_vec2_add_scaled(stage->cookie, filo_vec2_from_angle(angle), away * stage->unit);
        float bright = filo_clamp(1.25f - away / 620, 0.10f, 0.85f) * stage->light;
        float hop = filo_abs(filo_sin(stage->time * (2 + 2 * pace) + (float)i)) * 3 * stage->unit;
        float side = (30 - 8 * b) * stage->unit;
        filo_draw_sprite(
            draw, &(FiloDrawSprite){ .image = images[i % SURVIVAL_KINDS],
                                     .position = { at.x, at.y - hop },
                                     .size = { side, side },
                                     .color = filo_color_lerp(FILO_COLOR_BLACK, FILO_COLOR_WHITE, bright) });
    }
}

static void draw_cookie(FiloDraw *draw, const Stage *stage) {
    float breath = 1 + 0.012f * filo_sin(stage->time * 1.7f), side = 290 * stage->unit * breath;
    draw_glow(draw, stage->cookie, 430 * stage->unit,
              filo_color_fade(filo_color_from_hex(0xFFC070FF), 0.34f * stage->light), true);
    draw_glow(draw, filo_vec2(stage->cookie.x, stage->cookie.y + 24 * stage->unit), 185 * stage->unit,
              filo_color_fade(FILO_COLOR_BLACK, 0.75f * stage->light), false);
    filo_draw_sprite(draw, &(FiloDrawSprite){
                               .image = filo_name("large cookie"),
                               .position = stage->cookie,
                               .size = { side, side },
                               .rotation = 0.05f * filo_sin(stage->time * 0.6f),
                               .flags = FILO_SPRITE_LINEAR,
                               .color = filo_color_lerp(FILO_COLOR_BLACK, FILO_COLOR_WHITE, stage->light) });
}

static void draw_logo(FiloDraw *draw, const Stage *stage) {
    float width = filo_min(LOGO_WIDTH * 0.86f * stage->unit, stage->size.x * 0.9f);
    float height = width * LOGO_HEIGHT / LOGO_WIDTH;
    FiloVec2 corner = filo_vec2(72 * stage->unit, 92 * stage->unit - 24 * stage->unit * (1 - stage->light));
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("logo"),
                                              .position = { corner.x + width / 2, corner.y + height / 2 },
                                              .size = { width, height },
                                              .flags = FILO_SPRITE_LINEAR,
                                              .color = filo_color_fade(FILO_COLOR_WHITE, stage->light) });
}

void title_draw(FiloDraw *draw, float time, float light) {
    FiloVec2 size = filo_draw_size(draw);
    Stage stage = { size, { size.x * 0.71f, size.y * 0.57f }, size.y / 720, time, light };
    filo_draw_on_screen(draw);
    draw_ground(draw, &stage);
    draw_crowd(draw, &stage);
    draw_cookie(draw, &stage);
    draw_logo(draw, &stage);
}
