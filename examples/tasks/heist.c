// Draws the scene: a hall of a museum at night.

#include "heist.h"

#include <stdio.h>
#include <string.h>

#define FLOOR 292.0f // y of the feet

static FiloColor hex(uint32_t color) { return filo_color_from_hex(color); }

static void box(FiloDraw *draw, float left, float top, float right, float bottom, FiloColor color) {
    filo_draw_box(draw, filo_rect(filo_vec2(left, top), filo_vec2(right, bottom)), color);
}

// A box with round corners.
static void round_box(FiloDraw *draw, FiloRect r, float radius, FiloColor color) {
    box(draw, r.min.x + radius, r.min.y, r.max.x - radius, r.max.y, color);
    box(draw, r.min.x, r.min.y + radius, r.max.x, r.max.y - radius, color);
    for (int i = 0; i < 4; i++)
        filo_draw_circle(draw,
                         filo_vec2(i % 2 == 0 ? r.min.x + radius : r.max.x - radius,
                                   i < 2 ? r.min.y + radius : r.max.y - radius),
                         radius, color);
}

// ---- The hall ---------------------------------------------------------------------------------------------

static void draw_window(FiloDraw *draw) {
    filo_draw_circle(draw, filo_vec2(120, 96), 54, hex(0x0B1230FF));
    box(draw, 66, 96, 174, 190, hex(0x0B1230FF));
    for (int i = 0; i < 14; i++)
        filo_draw_circle(draw, filo_vec2(76 + (float)(i * 53 % 88), 62 + (float)(i * 37 % 120)), 0.8f,
                         hex(0xC9D6FFFF));
    filo_draw_circle(draw, filo_vec2(136, 88), 20, hex(0xF3EFD9FF));
    filo_draw_circle(draw, filo_vec2(144, 82), 17, hex(0x0B1230FF));
    filo_draw_line(draw, filo_vec2(120, 42), filo_vec2(120, 190), 4, hex(0x2E3A66FF));
    filo_draw_line(draw, filo_vec2(66, 126), filo_vec2(174, 126), 4, hex(0x2E3A66FF));
    box(draw, 58, 188, 182, 196, hex(0x3A4878FF));
    // Its light on the floor.
    FiloVec2 light[] = { { 80, FLOOR - 6 }, { 176, FLOOR - 6 }, { 240, 336 }, { 110, 336 } };
    filo_draw_polygon(draw, light, 4, hex(0x8FA8FF18));
}

static void draw_picture(FiloDraw *draw, float x, FiloColor low, FiloColor high) {
    box(draw, x - 3, 87, x + 63, 153, hex(0xB58A3CFF));
    box(draw, x, 90, x + 60, 150, high);
    FiloVec2 hills[] = { { x, 150 },      { x, 128 },      { x + 18, 112 }, { x + 34, 130 },
                         { x + 48, 118 }, { x + 60, 134 }, { x + 60, 150 } };
    filo_draw_polygon(draw, hills, FILO_COUNT_OF(hills), low);
}

static void draw_hall(FiloDraw *draw) {
    for (int i = 0; i < 12; i++) // the wall is darker at the top
        box(draw, 0, (float)i * 25, STAGE_WIDTH, (float)(i + 1) * 25,
            filo_color_lerp(hex(0x141A33FF), hex(0x26305AFF), (float)i / 11));
    draw_window(draw);
    draw_picture(draw, 230, hex(0x2F5D50FF), hex(0xE0A35CFF));
    draw_picture(draw, 330, hex(0x6B3F63FF), hex(0x7FB3C8FF));
    for (int i = 0; i < 3; i++) { // columns
        float x = 200 + 210 * (float)i - (i == 0 ? 4 : 0);
        box(draw, x - 11, 40, x + 11, FLOOR - 8, hex(0x313C6BFF));
        box(draw, x - 11, 40, x - 5, FLOOR - 8, hex(0x424F86FF));
        box(draw, x - 17, 34, x + 17, 46, hex(0x3B477AFF));
        box(draw, x - 17, FLOOR - 16, x + 17, FLOOR - 8, hex(0x3B477AFF));
    }
    box(draw, 0, FLOOR - 8, STAGE_WIDTH, STAGE_HEIGHT, hex(0x1A1E33FF));
    for (int row = 0; row < 3; row++) // tiles, wider towards the front
        for (int i = -8; i < 8; i++) {
            if ((i + row) % 2 == 0) continue;
            float y = FLOOR - 8 + (float)(row * (row + 3)) * 7,
                  next = FLOOR - 8 + (float)((row + 1) * (row + 4)) * 7;
            float a = 60 + 8 * (float)row * 2.2f, b = 60 + 8 * (float)(row + 1) * 2.2f;
            FiloVec2 tile[] = { { 320 + (float)i * a, y },
                                { 320 + (float)(i + 1) * a, y },
                                { 320 + (float)(i + 1) * b, next },
                                { 320 + (float)i * b, next } };
            filo_draw_polygon(draw, tile, 4, hex(0x22284480));
        }
}

static void draw_goose(FiloDraw *draw, float x, float y) {
    FiloColor gold = hex(0xFFC93CFF), shade = hex(0xD99A1CFF);
    FiloVec2 tail[] = { { x - 10, y - 6 }, { x - 25, y - 17 }, { x - 20, y - 2 } };
    filo_draw_polygon(draw, tail, 3, shade);
    filo_draw_circle(draw, filo_vec2(x - 5, y - 10), 11, gold);
    filo_draw_circle(draw, filo_vec2(x + 4, y - 10), 10, gold);
    filo_draw_line(draw, filo_vec2(x + 9, y - 12), filo_vec2(x + 13, y - 32), 6, gold);
    filo_draw_circle(draw, filo_vec2(x + 14, y - 33), 6, gold);
    filo_draw_triangle(draw, filo_vec2(x + 19, y - 36), filo_vec2(x + 29, y - 32), filo_vec2(x + 19, y - 30),
                       hex(0xFF7A2AFF));
    filo_draw_circle(draw, filo_vec2(x + 16, y - 35), 1.4f, hex(0x3A2508FF));
    FiloVec2 wing[] = { { x - 12, y - 12 }, { x + 4, y - 14 }, { x - 8, y - 4 } };
    filo_draw_polygon(draw, wing, 3, shade);
}

static void draw_pedestal(FiloDraw *draw) {
    FiloVec2 light[] = {
        { PEDESTAL - 12, 0 }, { PEDESTAL + 12, 0 }, { PEDESTAL + 62, FLOOR }, { PEDESTAL - 62, FLOOR }
    };
    filo_draw_polygon(draw, light, 4, hex(0xFFF2C01C));
    box(draw, PEDESTAL - 30, 222, PEDESTAL + 30, 230, hex(0xCFC7B4FF));
    box(draw, PEDESTAL - 24, 230, PEDESTAL + 24, FLOOR - 6, hex(0xA79F8EFF));
    box(draw, PEDESTAL - 24, 230, PEDESTAL - 14, FLOOR - 6, hex(0xBDB5A3FF));
    box(draw, PEDESTAL - 32, FLOOR - 8, PEDESTAL + 32, FLOOR, hex(0x8C8576FF));
    box(draw, PEDESTAL - 13, 246, PEDESTAL + 13, 256, hex(0xB58A3CFF));
}

// ---- Figures ----------------------------------------------------------------------------------------------

typedef struct Figure {
    float x;
    float goal; // it walks there, and looks there
    FiloColor shirt, stripes, cap;
    float height;
    bool arms_up; // it carries something
    bool talks;
} Figure;

static void draw_figure(FiloDraw *draw, const Figure *figure, float time) {
    FiloColor skin = hex(0xE9B48CFF), dark = hex(0x171A26FF);
    float walking = filo_clamp(filo_abs(figure->goal - figure->x) / 12, 0, 1);
    float side = figure->goal < figure->x - 2 ? -1 : 1, swing = filo_sin(figure->x * 0.16f) * walking;
    float bob =
        filo_abs(filo_cos(figure->x * 0.16f)) * 2 * walking + 0.8f * filo_sin(time * 2.5f + figure->height);
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(figure->x, FLOOR + 10));
    filo_draw_scale(draw, filo_vec2(side, 1));
    filo_draw_push(draw); // the shadow
    filo_draw_scale(draw, filo_vec2(1, 0.22f));
    filo_draw_circle(draw, filo_vec2(0, 4), 24, hex(0x00000060));
    filo_draw_pop(draw);
    float hip = -34, shoulder = hip - figure->height;
    for (int i = 0; i < 2; i++) { // legs
        float step = i == 0 ? swing : -swing;
        filo_draw_line(draw, filo_vec2(i == 0 ? -5 : 5, hip), filo_vec2((i == 0 ? -5 : 5) + 11 * step, -2), 8,
                       dark);
        filo_draw_line(draw, filo_vec2((i == 0 ? -5 : 5) + 11 * step - 4, -2),
                       filo_vec2((i == 0 ? -5 : 5) + 11 * step + 8, -2), 6, hex(0x0B0D14FF));
    }
    filo_draw_translate(draw, filo_vec2(0, -bob));
    FiloRect body = filo_rect(filo_vec2(-15, shoulder), filo_vec2(15, hip + 4));
    filo_draw_line(draw, filo_vec2(-9, shoulder + 8),
                   figure->arms_up ? filo_vec2(12, shoulder - 2) : filo_vec2(-13 - 8 * swing, hip - 2), 7,
                   filo_color_lerp(figure->shirt, dark, 0.35f));
    round_box(draw, body, 9, figure->shirt);
    for (float y = shoulder + 11; y < hip; y += 11) box(draw, -15, y, 15, y + 5, figure->stripes);
    // The head, with a cap and a mask.
    float head = shoulder - 13;
    filo_draw_circle(draw, filo_vec2(0, head), 14, skin);
    FiloVec2 cap[13]; // the upper half of a circle
    for (int i = 0; i < 13; i++) {
        float angle = FILO_PI * (1 + (float)i / 12);
        cap[i] = filo_vec2(15 * filo_cos(angle), head - 4 + 15 * filo_sin(angle));
    }
    filo_draw_polygon(draw, cap, 13, figure->cap);
    box(draw, -13, head - 3, 14, head + 4, dark);
    filo_draw_circle(draw, filo_vec2(2, head), 2.6f, FILO_COLOR_WHITE);
    filo_draw_circle(draw, filo_vec2(10, head), 2.6f, FILO_COLOR_WHITE);
    filo_draw_circle(draw, filo_vec2(3, head), 1.2f, dark);
    filo_draw_circle(draw, filo_vec2(11, head), 1.2f, dark);
    float open = figure->talks ? 1.5f + 1.5f * filo_abs(filo_sin(time * 14)) : 1;
    box(draw, 4, head + 7, 11, head + 7 + open, hex(0x7A3B2EFF));
    filo_draw_line(draw, filo_vec2(9, shoulder + 9),
                   figure->arms_up ? filo_vec2(26, shoulder - 2) : filo_vec2(13 + 8 * swing, hip - 2), 7,
                   figure->shirt);
    filo_draw_circle(draw, figure->arms_up ? filo_vec2(26, shoulder - 3) : filo_vec2(13 + 8 * swing, hip),
                     4.5f, skin);
    filo_draw_pop(draw);
}

// What a figure says: as many letters as were said so far.
static void draw_bubble(FiloDraw *draw, const Cue *cue, float x, float top) {
    size_t letters = filo_utf8_count(filo_string(cue->line)), said = (size_t)(cue->time * 28);
    float width = 8 * (float)letters + 22;
    FiloRect bubble = filo_rect_from_size(
        filo_vec2(filo_clamp(x - width / 2, 12, STAGE_WIDTH - 12 - width), top - 42), filo_vec2(width, 30));
    FiloVec2 tail[] = { { x - 8, bubble.max.y - 2 },
                        { x + 8, bubble.max.y - 2 },
                        { x + 2, bubble.max.y + 12 } };
    round_box(draw, filo_rect_move(bubble, filo_vec2(2, 3)), 9, hex(0x00000050));
    round_box(draw, bubble, 9, hex(0xFDFBF4FF));
    filo_draw_polygon(draw, tail, 3, hex(0xFDFBF4FF));
    FiloString rest = filo_string(cue->line);
    uint32_t character;
    for (size_t i = 0; i < said && rest.length > 0; i++) filo_utf8_next(&rest, &character);
    int length = (int)(strlen(cue->line) - rest.length);
    filo_draw_format(draw, bubble.min.x + 11, bubble.min.y + 7, 1, hex(0x1D2238FF), "%.*s", length,
                     cue->line);
}

// ---- All of it --------------------------------------------------------------------------------------------

static void draw_curtain(FiloDraw *draw, float closed) {
    float width = filo_lerp(14, STAGE_WIDTH / 2 + 1, closed);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 10; i++) { // folds
            float left = width * (float)i / 10, right = width * (float)(i + 1) / 10 + 0.5f;
            FiloColor color = filo_color_lerp(hex(0x5B0F1EFF), hex(0xA01F35FF), i % 2 == 0 ? 0.2f : 0.9f);
            box(draw, side == 0 ? left : STAGE_WIDTH - right, 0, side == 0 ? right : STAGE_WIDTH - left,
                STAGE_HEIGHT, color);
        }
}

static void draw_prompt(FiloDraw *draw, const Cue *cue) {
    if (!cue->waiting) return;
    float left = filo_clamp01(1 - cue->time / PATIENCE);
    filo_draw_text_centred(draw, STAGE_WIDTH / 2, 324, 1, FILO_COLOR_WHITE, "Space: give the sign");
    box(draw, 220, 344, 420, 347, hex(0x3A4878FF));
    box(draw, 220, 344, 220 + 200 * left, 347, hex(0xFFC93CFF));
}

void heist_draw(FiloDraw *draw, const Cue *cue, const Stage *stage, float time) {
    FiloVec2 size = filo_draw_size(draw);
    float scale = filo_min(size.x / STAGE_WIDTH, size.y / STAGE_HEIGHT);
    filo_draw_push(draw);
    filo_draw_translate(draw,
                        filo_vec2((size.x - STAGE_WIDTH * scale) / 2, (size.y - STAGE_HEIGHT * scale) / 2));
    filo_draw_scale(draw, filo_vec2(scale, scale));
    filo_draw_clip(draw, filo_rect(filo_vec2(0, 0), filo_vec2(STAGE_WIDTH, STAGE_HEIGHT)));
    draw_hall(draw);
    draw_pedestal(draw);
    bool there = stage->goose == PEDESTAL;
    if (there) draw_goose(draw, PEDESTAL, 222);
    // The lamp of the alarm, and its light.
    filo_draw_circle(draw, filo_vec2(PEDESTAL + 70, 70), 9, cue->ringing ? hex(0xFF4040FF) : hex(0x5A2030FF));
    box(draw, PEDESTAL + 58, 70, PEDESTAL + 82, 80, hex(0x2A2F4AFF));
    Figure ada = { stage->ada,      cue->ada, hex(0x3C8D8AFF), hex(0x2B6B69FF),
                   hex(0x22464FFF), 34,       false,           cue->who == WHO_ADA };
    Figure ben = { stage->ben,      cue->ben, hex(0xE8E4DAFF), hex(0x2A2F45FF),
                   hex(0x2A2F45FF), 44,       cue->taken,      cue->who == WHO_BEN };
    draw_figure(draw, &ada, time);
    draw_figure(draw, &ben, time);
    float side = cue->ben < stage->ben - 2 ? -1 : 1;
    if (cue->taken) draw_goose(draw, stage->ben + 30 * side, FLOOR - 56);
    if (!there && !cue->taken) draw_goose(draw, stage->goose, FLOOR + 8);
    if (cue->ringing) {
        float pulse = 0.5f + 0.5f * filo_sin(time * 12);
        box(draw, 0, 0, STAGE_WIDTH, STAGE_HEIGHT, filo_color_fade(hex(0xFF1020FF), 0.08f + 0.16f * pulse));
        for (int i = 1; i < 4; i++)
            filo_draw_ring(draw, filo_vec2(PEDESTAL + 70, 70), 14 + 12 * (float)i * (0.6f + 0.4f * pulse), 2,
                           hex(0xFF808060));
    }
    if (cue->who == WHO_ADA) draw_bubble(draw, cue, stage->ada, FLOOR - 84);
    if (cue->who == WHO_BEN) draw_bubble(draw, cue, stage->ben, FLOOR - 94);
    draw_prompt(draw, cue);
    draw_curtain(draw, stage->curtain);
    FiloColor title = filo_color_fade(hex(0xFFD76AFF), filo_clamp01(stage->curtain * 10 - 9));
    filo_draw_text_centred(draw, STAGE_WIDTH / 2, 150, 3, title, "THE GOLDEN GOOSE");
    filo_draw_pop(draw);
}
