// The picture behind the title: letters of dough, a cookie in the light, and eyes in the dark around it. Letters are
// polylines with a round pen; every pixel follows from its distance to them.

#include "menu.h"

#include "shared/shape_art.h"

#define LETTERS     8
#define LOGO_WIDTH  730
#define LOGO_HEIGHT 152
#define PEN         15.0f // radius
#define COOKIE      384   // pixels of the large cookie
#define CROWD       300   // enemies that are drawn

// ---- Letters ----------------------------------------------------------------------------------------------

typedef struct Letter {
    float left;          // in the logo
    bool round;          // corners are
    FiloVec2 points[20]; // the pen is lifted at a point that is {0, 0}
} Letter;

static const Letter letters[LETTERS] = {
    { 14,
      true,
      { { 70, 30 },
        { 62, 12 },
        { 42, 9 },
        { 20, 12 },
        { 13, 32 },
        { 22, 50 },
        { 42, 54 },
        { 64, 60 },
        { 72, 78 },
        { 64, 99 },
        { 42, 103 },
        { 20, 101 },
        { 12, 82 } } },
    { 112,
      true,
      { { 16, 12 },
        { 16, 66 },
        { 16, 84 },
        { 26, 101 },
        { 42, 101 },
        { 58, 101 },
        { 68, 84 },
        { 68, 66 },
        { 68, 12 } } },
    { 212,
      true,
      { { 16, 12 },
        { 16, 56 },
        { 16, 101 },
        { 0, 0 },
        { 18, 13 },
        { 42, 13 },
        { 54, 13 },
        { 67, 20 },
        { 67, 34 },
        { 67, 48 },
        { 54, 55 },
        { 42, 55 },
        { 18, 55 },
        { 0, 0 },
        { 44, 57 },
        { 56, 79 },
        { 68, 101 } } },
    { 308, false, { { 10, 12 }, { 42, 100 }, { 74, 12 } } },
    { 410, false, { { 16, 12 }, { 16, 101 } } },
    { 456, false, { { 10, 12 }, { 42, 100 }, { 74, 12 } } },
    { 548, false, { { 10, 101 }, { 42, 12 }, { 74, 101 }, { 0, 0 }, { 23, 72 }, { 61, 72 } } },
    { 646, false, { { 16, 12 }, { 16, 100 }, { 62, 100 } } },
};

static bool is_lifted(FiloVec2 point) { return point.x == 0 && point.y == 0; }

// Distance to a curve that touches the middles of the lines a b and b c, with its bend at b.
static float to_bend(FiloVec2 p, FiloVec2 a, FiloVec2 b, FiloVec2 c) {
    FiloVec2 from = filo_vec2_lerp(a, b, 0.5f), to = filo_vec2_lerp(b, c, 0.5f), last = from;
    float nearest = 1e6f;
    for (int i = 1; i <= 6; i++) {
        float part = (float)i / 6;
        FiloVec2 next = filo_vec2_lerp(filo_vec2_lerp(from, b, part), filo_vec2_lerp(b, to, part), part);
        nearest = filo_min(nearest, shape_art_to_segment(p, last, next));
        last = next;
    }
    return nearest;
}

static float to_letter(const Letter *letter, FiloVec2 p) {
    const FiloVec2 *at = letter->points;
    const int count = FILO_COUNT_OF(letter->points);
    float nearest = 1e6f;
    for (int i = 0; i + 1 < count; i++) {
        if (is_lifted(at[i]) || is_lifted(at[i + 1])) continue;
        bool first = i == 0 || is_lifted(at[i - 1]), last = i + 2 >= count || is_lifted(at[i + 2]);
        FiloVec2 from = at[i], to = at[i + 1], middle = filo_vec2_lerp(from, to, 0.5f);
        if (!letter->round) {
            nearest = filo_min(nearest, shape_art_to_segment(p, from, to));
            continue;
        }
        if (first) nearest = filo_min(nearest, shape_art_to_segment(p, from, middle));
        if (last) nearest = filo_min(nearest, shape_art_to_segment(p, middle, to));
        if (!last) nearest = filo_min(nearest, to_bend(p, from, to, at[i + 2]));
    }
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
    int columns = filo_to_int(filo_ceil((stage->size.x + shift) / side));
    int rows = filo_to_int(filo_ceil((stage->size.y + shift) / side));
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            FiloVec2 corner = { (float)column * side - shift, (float)row * side - shift };
            filo_draw_image(draw, ground, 0, filo_rect_from_size(corner, filo_vec2(side, side)), dark);
        }
    }
}

// They come nearer and shrink back, each at its own pace. The nearer to the cookie, the brighter.
static void draw_crowd(FiloDraw *draw, const Stage *stage) {
    const FiloName images[SURVIVAL_KINDS] = { filo_name("enemy 0"), filo_name("enemy 1"),
                                              filo_name("enemy 2"), filo_name("enemy 3") };
    for (uint32_t i = 0; i < CROWD; i++) {
        float b = ((float)i + 0.5f) / CROWD, pace = 0.4f + filo_random_float_at(11, i, 0, 3, 0);
        float angle = filo_fract((float)i * 0.618034f) * FILO_TAU + 0.03f * stage->time * (pace - 0.9f);
        float away = 236 + 560 * b + 12 * filo_sin(stage->time * pace + (float)i) + 40 * pace;
        FiloVec2 at = filo_vec2_add_scaled(stage->cookie, filo_vec2_from_angle(angle), away * stage->unit);
        float bright = filo_clamp(1.3f - away / 600, 0.08f, 0.85f) * stage->light;
        // None behind the menu.
        bright *=
            filo_smoothstep(0.40f, 0.56f, at.x / stage->size.x + (at.y > 0.75f * stage->size.y ? 0.1f : 0));
        if (bright < 0.06f) continue;
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
