// The picture of the table: the field, walls, lamps and the display. All of it is drawn in the world, so that it has the
// size of the window. Balls, flippers, plunger and gate are sprites.

#include "menu.h"

#include <stdio.h>

enum {
    LAYER_FIELD = 0,
    LAYER_WALLS = 10,
    LAYER_PARTS = 15,
    LAYER_APRON = 38,
    LAYER_LIGHT = 40,
    LAYER_DISPLAY = 50
};

#define CYAN   0x35D0FFFF
#define PINK   0xFF4FA0FF
#define YELLOW 0xFFD34DFF
#define AMBER  0xFFA53AFF
// The height of a letter of 16 pixels in a window of the usual size, in which letters are sharp at multiples of it.
#define TEXT          (16 * PINBALL_VIEW / 900)
#define DISPLAY_LEFT  6.7f
#define DISPLAY_RIGHT 14.9f

void picture_extract(Picture *picture, FiloWorld *world, FiloQuery *parts) {
    picture->game = *filo_get_global(world, Game);
    picture->part_count = 0;
    FiloEach each = filo_query_each(parts);
    while (filo_each_next(&each)) {
        if (picture->part_count == PINBALL_PARTS) continue;
        picture->parts[picture->part_count].part = *filo_each_read(&each, Part);
        picture->parts[picture->part_count++].active = filo_entity_active(world, each.entity);
    }
}

static FiloColor faded(uint32_t hex, float amount) {
    return filo_color_fade(filo_color_from_hex(hex), amount);
}

static void glow(FiloDraw *draw, FiloVec2 at, float radius, uint32_t hex, float amount) {
    if (amount <= 0) return;
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("glow"),
                                              .position = at,
                                              .size = { 2 * radius, 2 * radius },
                                              .flags = FILO_SPRITE_LINEAR | FILO_SPRITE_ADD,
                                              .color = faded(hex, filo_clamp01(amount)) });
}

// A lamp under the field.
static void lamp(FiloDraw *draw, FiloVec2 at, float radius, uint32_t hex, bool on) {
    filo_draw_circle(draw, at, radius + 0.05f, filo_color_from_hex(0x0A0618FF));
    filo_draw_circle(
        draw, at, radius,
        filo_color_lerp(filo_color_from_hex(0x1B1140FF), filo_color_from_hex(hex), on ? 1 : 0.22f));
    if (on) glow(draw, at, 3 * radius, hex, 0.5f);
}

static void write_centred(FiloDraw *draw, FiloVec2 at, float height, FiloColor color, const char *text) {
    filo_draw_text_centred(draw, at.x, at.y - height / 2, height / 0.16f, color, text);
}

// ---- The table ------------------------------------------------------------------------------------------------------

static void draw_walls(FiloDraw *draw) {
    for (size_t n = 0; n < PINBALL_WALLS; n++) {
        PinballWall wall = pinball_wall(n);
        filo_draw_lines(draw, wall.points, wall.count, 2 * PINBALL_WALL + 0.06f,
                        filo_color_from_hex(0x080416FF));
    }
    for (size_t n = 0; n < PINBALL_WALLS; n++) {
        PinballWall wall = pinball_wall(n);
        filo_draw_lines(draw, wall.points, wall.count, 2 * PINBALL_WALL,
                        filo_color_from_hex(n < 2 ? 0x1F86C8FF : 0xC23277FF));
        filo_draw_lines(draw, wall.points, wall.count, PINBALL_WALL * 0.8f,
                        filo_color_from_hex(n < 2 ? 0xA8ECFFFF : 0xFFB3D6FF));
    }
}

static void draw_slingshots(FiloDraw *draw, const float lit[2]) {
    for (int i = 0; i < 2; i++) {
        FiloVec2 corner[4];
        pinball_slingshot(i == 0 ? -1 : 1, corner);
        corner[3] = corner[0];
        filo_draw_lines(draw, corner, 4, 0.26f, filo_color_from_hex(0x080416FF));
        filo_draw_polygon(draw, corner, 3, filo_color_from_hex(0x3A2270FF));
        filo_draw_lines(draw, corner, 4, 0.16f, filo_color_from_hex(0xC23277FF));
        FiloColor rubber =
            filo_color_lerp(filo_color_from_hex(0xFFF4D0FF), filo_color_from_hex(YELLOW), lit[i]);
        filo_draw_line(draw, corner[0], corner[2], 0.18f, rubber);
        FiloVec2 middle =
            filo_vec2_scale(filo_vec2_add(corner[0], filo_vec2_add(corner[1], corner[2])), 1 / 3.0f);
        lamp(draw, middle, 0.16f, YELLOW, lit[i] > 0);
    }
}

static void draw_letters(FiloDraw *draw, const Game *game) {
    static const char *const names[PINBALL_LETTERS] = { "F", "I", "L", "O" };
    for (size_t i = 0; i < PINBALL_LETTERS; i++) {
        FiloVec2 at = pinball_letter(i);
        bool on = (game->letters >> i & 1) != 0;
        lamp(draw, at, 0.3f, CYAN, on);
        write_centred(draw, at, TEXT, filo_color_from_hex(on ? 0x06203CFF : 0x7BB6D8FF), names[i]);
    }
}

// The multiplier, the balls, the ball saver, and arrows to what is lit.
static void draw_lamps(FiloDraw *draw, const Game *game) {
    bool blink = filo_fract(game->time * 2.5f) < 0.5f;
    for (int i = 2; i <= 5; i++) {
        char text[8];
        FiloVec2 at = filo_vec2(-1.35f + 0.9f * (float)(i - 2), 9.3f - (i == 2 || i == 5 ? 0.25f : 0));
        lamp(draw, at, 0.3f, PINK, game->multiplier >= i);
        snprintf(text, sizeof text, "%dx", i);
        write_centred(draw, at, TEXT, filo_color_from_hex(game->multiplier >= i ? 0x3C0620FF : 0xC87BA4FF),
                      text);
    }
    lamp(draw, filo_vec2(0, 2.05f), 0.22f, YELLOW, game->saver > 0 && (game->saver > 3 || blink));
    write_centred(draw, filo_vec2(0, 1.5f), TEXT, faded(YELLOW, game->saver > 0 ? 1 : 0.25f), "SAVE");
    bool saucer = game->lit || game->multiball;
    for (int i = 0; i < 3; i++) {
        FiloVec2 at = filo_vec2(-3.3f + 0.4f * (float)i, 9.2f - 0.16f * (float)i);
        bool on = saucer && filo_fract(game->time * 2 + 0.33f * (float)i) < 0.5f;
        FiloColor color =
            filo_color_lerp(filo_color_from_hex(0x2A1A55FF), filo_color_from_hex(YELLOW), on ? 1 : 0.15f);
        filo_draw_triangle(draw, filo_vec2(at.x - 0.2f, at.y + 0.06f), filo_vec2(at.x + 0.14f, at.y + 0.2f),
                           filo_vec2(at.x + 0.1f, at.y - 0.18f), color);
    }
    for (size_t i = 0; i < PINBALL_TARGETS; i++) {
        FiloVec2 at = filo_vec2(3.9f, pinball_target(i).y);
        lamp(draw, at, 0.12f, AMBER, (game->down >> i & 1) != 0);
    }
}

static void draw_saucer(FiloDraw *draw, const Game *game, float lit) {
    FiloVec2 at = pinball_saucer();
    filo_draw_circle(draw, at, 0.36f, filo_color_from_hex(0x080416FF));
    filo_draw_ring(draw, at, 0.36f, 0.07f,
                   filo_color_from_hex(game->lit || game->multiball ? YELLOW : 0x6B5AA8FF));
    glow(draw, at, 1.2f, YELLOW, lit);
}

static void draw_spinner(FiloDraw *draw, const Part *part) {
    FiloVec2 at = pinball_spinner();
    float half = 0.06f + 0.2f * filo_abs(filo_cos(part->turn * FILO_PI));
    FiloRect plate = filo_rect_from_centre(at, filo_vec2(0.8f, 2 * half));
    filo_draw_box(draw, plate, filo_color_from_hex(0xFFB347FF));
    filo_draw_frame(draw, plate, 0.05f, filo_color_from_hex(0x7A3E10FF));
    filo_draw_line(draw, filo_vec2(at.x - 0.48f, at.y), filo_vec2(at.x + 0.48f, at.y), 0.05f,
                   filo_color_from_hex(0xE6ECFFFF));
}

static void draw_target(FiloDraw *draw, const Part *part, bool up) {
    FiloVec2 size = PINBALL_TARGET_SIZE, at = pinball_target((size_t)part->index);
    FiloRect face = filo_rect_from_centre(at, up ? size : filo_vec2(0.08f, size.y));
    filo_draw_box(draw, face, filo_color_from_hex(up ? 0xFF8A3CFF : 0x46265AFF));
    if (up)
        filo_draw_box(draw,
                      filo_rect_from_centre(filo_vec2(at.x - 0.08f, at.y), filo_vec2(0.08f, size.y - 0.12f)),
                      filo_color_from_hex(0xFFE0A8FF));
}

static void draw_parts(const Picture *picture, FiloDraw *draw) {
    float slings[2] = { 0, 0 };
    for (size_t i = 0; i < picture->part_count; i++) {
        const Part *part = &picture->parts[i].part;
        float lit = filo_clamp01(part->lit / 0.35f);
        FiloVec2 at;
        switch (part->kind) {
        case PART_BUMPER:
            at = pinball_bumper((size_t)part->index);
            filo_draw_in_world(draw, LAYER_PARTS);
            filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("bumper"),
                                                      .position = at,
                                                      .size = { 1.5f + 0.14f * lit, 1.5f + 0.14f * lit },
                                                      .flags = FILO_SPRITE_LINEAR });
            filo_draw_in_world(draw, LAYER_LIGHT);
            glow(draw, at, 1.9f, 0xFF9CF0FF, 0.9f * lit);
            break;
        case PART_SLINGSHOT: slings[part->index & 1] = lit; break;
        case PART_TARGET:
            filo_draw_in_world(draw, LAYER_PARTS);
            draw_target(draw, part, picture->parts[i].active);
            filo_draw_in_world(draw, LAYER_LIGHT);
            glow(draw, pinball_target((size_t)part->index), 1.1f, AMBER, lit);
            break;
        case PART_LETTER:
            filo_draw_in_world(draw, LAYER_LIGHT);
            glow(draw, pinball_letter((size_t)part->index), 1.3f, CYAN, lit);
            break;
        case PART_SPINNER:
            filo_draw_in_world(draw, LAYER_LIGHT); // above the ball
            draw_spinner(draw, part);
            break;
        case PART_SAUCER:
            filo_draw_in_world(draw, LAYER_WALLS);
            draw_saucer(draw, &picture->game, lit);
            break;
        default: break;
        }
    }
    filo_draw_in_world(draw, LAYER_PARTS);
    draw_slingshots(draw, slings);
}

// Over the balls that are lost, with the name of the game.
static void draw_apron(FiloDraw *draw) {
    for (int i = 0; i < 2; i++) {
        float side = i == 0 ? -1.0f : 1.0f;
        const FiloVec2 cover[] = { { side * 4.92f, PINBALL_BOTTOM },
                                   { side * 4.92f, 1.9f },
                                   { side * 4.3f, 1.75f },
                                   { side * 0.95f, 0.35f },
                                   { side * 0.6f, PINBALL_BOTTOM } };
        filo_draw_polygon(draw, cover, FILO_COUNT_OF(cover), filo_color_from_hex(0x1A0E3AFF));
        filo_draw_lines(draw, cover + 1, 4, 0.08f, filo_color_from_hex(0x5A3AA8FF));
    }
    write_centred(draw, filo_vec2(-2.9f, 0.35f), 2 * TEXT, faded(YELLOW, 0.9f), "PIN");
    write_centred(draw, filo_vec2(2.9f, 0.35f), 2 * TEXT, faded(YELLOW, 0.9f), "BALL");
}

// ---- The display ------------------------------------------------------------------------------------------------------

static void write_number(char *text, size_t size, uint64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
    for (int i = 0; i < length && (size_t)at + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

static void note_text(const Game *game, char *text, size_t size) {
    unsigned long long value = (unsigned long long)game->note_value;
    switch (game->note) {
    case NOTE_BALL: snprintf(text, size, "BALL %llu", value); break;
    case NOTE_SAVED: snprintf(text, size, "BALL SAVED"); break;
    case NOTE_LETTERS: snprintf(text, size, "BONUS %llux", value); break;
    case NOTE_TARGETS: snprintf(text, size, "SAUCER IS LIT"); break;
    case NOTE_MULTIBALL: snprintf(text, size, "MULTIBALL!"); break;
    case NOTE_JACKPOT: snprintf(text, size, "JACKPOT!"); break;
    case NOTE_SAUCER: snprintf(text, size, "+ %llu", value); break;
    case NOTE_BONUS: snprintf(text, size, "BONUS %llu", value); break;
    case NOTE_DANGER: snprintf(text, size, "DANGER"); break;
    case NOTE_TILT: snprintf(text, size, "TILT"); break;
    case NOTE_OVER: snprintf(text, size, "GAME OVER"); break;
    default: text[0] = '\0'; break;
    }
}

// Amber letters on a dark screen with lines.
static void draw_screen(FiloDraw *draw, const Game *game) {
    FiloRect screen = filo_rect(filo_vec2(DISPLAY_LEFT, 15.4f), filo_vec2(DISPLAY_RIGHT, 19.6f));
    float middle = (DISPLAY_LEFT + DISPLAY_RIGHT) / 2;
    filo_draw_box(draw, screen, filo_color_from_hex(0x170A02FF));
    char text[48];
    write_number(text, sizeof text, game->score);
    write_centred(draw, filo_vec2(middle, 18.5f), game->score < 100000000 ? 4 * TEXT : 3 * TEXT,
                  filo_color_from_hex(AMBER), text);
    note_text(game, text, sizeof text);
    bool stays = game->note == NOTE_TILT || game->note == NOTE_OVER;
    if (game->note_age < 2.5f || stays) {
        bool shown = game->note_age > 0.6f || filo_fract(game->note_age * 8) < 0.6f;
        if (shown)
            write_centred(draw, filo_vec2(middle, 17.2f), 2 * TEXT, filo_color_from_hex(0xFFE08AFF), text);
    } else if (!game->launched) {
        write_centred(draw, filo_vec2(middle, 17.2f), 2 * TEXT, faded(AMBER, 0.8f), "HOLD SPACE");
    }
    snprintf(text, sizeof text, "BALL %d   BONUS %dx", FILO_MAX(game->ball, 1),
             FILO_MAX(game->multiplier, 1));
    write_centred(draw, filo_vec2(middle, 16.0f), TEXT, faded(AMBER, 0.75f), text);
    for (int line = 0; screen.min.y + 0.075f * (float)line < screen.max.y; line++) {
        float y = screen.min.y + 0.075f * (float)line;
        filo_draw_line(draw, filo_vec2(screen.min.x, y), filo_vec2(screen.max.x, y), 0.025f,
                       filo_color_from_hex(0x00000070));
    }
    filo_draw_frame(draw, screen, 0.09f, filo_color_from_hex(0x7A4A18FF));
}

static void draw_scores(FiloDraw *draw, const Scores *scores) {
    write_centred(draw, filo_vec2((DISPLAY_LEFT + DISPLAY_RIGHT) / 2, 14.5f), 2 * TEXT,
                  filo_color_from_hex(CYAN), "HIGH SCORES");
    for (int i = 0; i < PINBALL_SCORES; i++) {
        char number[32], text[48];
        write_number(number, sizeof number, scores->best[i]);
        snprintf(text, sizeof text, "%d  %11s", i + 1, number);
        FiloColor color = faded(i == 0 ? 0xFFE08AFF : 0xC9BEEFFF, scores->best[i] > 0 ? 1 : 0.4f);
        write_centred(draw, filo_vec2((DISPLAY_LEFT + DISPLAY_RIGHT) / 2, 13.5f - 0.66f * (float)i), 0.44f,
                      color, text);
    }
}

static void draw_help(FiloDraw *draw, const Game *game) {
    static const char *const lines[] = { "F I L O   raises the bonus", "targets   light the saucer",
                                         "saucer    starts a multiball" };
    for (size_t i = 0; i < FILO_COUNT_OF(lines); i++)
        filo_draw_text(draw, DISPLAY_LEFT + 0.1f, 9.2f - 0.6f * (float)i, TEXT / 0.16f,
                       faded(0xC9BEEFFF, 0.75f), lines[i]);
    for (int i = 0; i < PINBALL_BALLS; i++) {
        FiloVec2 at = filo_vec2(DISPLAY_LEFT + 0.4f + 0.7f * (float)i, 6.2f);
        bool left = i >= game->ball && !game->over;
        filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("ball"),
                                                  .position = at,
                                                  .size = { 0.56f, 0.56f },
                                                  .flags = FILO_SPRITE_LINEAR,
                                                  .color = faded(0xFFFFFFFF, left ? 1 : 0.18f) });
    }
}

// ---- All ----------------------------------------------------------------------------------------------------------------

void picture_draw(const Picture *picture, const Menu *menu, FiloDraw *draw) {
    const Game *game = &picture->game;
    filo_draw_in_world(draw, LAYER_FIELD);
    FiloRect field = filo_rect(filo_vec2(PINBALL_LEFT, PINBALL_BOTTOM), filo_vec2(PINBALL_EDGE, PINBALL_TOP));
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("field"),
                                              .position = filo_rect_centre(field),
                                              .size = filo_rect_size(field),
                                              .flags = FILO_SPRITE_LINEAR });
    draw_letters(draw, game);
    draw_lamps(draw, game);
    filo_draw_in_world(draw, LAYER_WALLS);
    draw_walls(draw);
    draw_parts(picture, draw);
    filo_draw_in_world(draw, LAYER_APRON);
    draw_apron(draw);
    filo_draw_in_world(draw, LAYER_DISPLAY);
    draw_screen(draw, game);
    draw_scores(draw, &menu->scores);
    if (menu->page != PAGE_TITLE) draw_help(draw, game);
    if (menu->page == PAGE_NONE) return;
    filo_draw_on_screen(draw);
    float dark = menu->page == PAGE_TITLE ? 0.12f : 0.6f;
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_draw_size(draw)), faded(0x05030FFF, dark));
}
