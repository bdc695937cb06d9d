// Sketch: a picture without entities, by immediate drawing: a function draws everything in each frame. It shows
//   - the transform stack: an arm of several parts, and two wheels that rotate;
//   - images that are rotated, flipped, and cut to a part;
//   - nested clips: a list that scrolls, and a landscape in a window;
//   - polygons that are not convex.
//
// Try: take filo_draw_clip out of draw_list; let the arm have another part; ./dev run sketch --shot out/sketch.png

#include <filo/filo.h>

#define FACE 32 // pixels of the image, which is made below

// ---- Pictures ---------------------------------------------------------------------------------------------

// A face that looks to the right, so that a flip is visible.
static FiloResult create(FiloApp *app) {
    FiloPixels face;
    if (!filo_pixels_create(&face, FACE, FACE, NULL))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a face");
    for (int y = 0; y < FACE; y++)
        for (int x = 0; x < FACE; x++) {
            float dx = (float)x - 15.5f, dy = (float)y - 15.5f;
            if (dx * dx + dy * dy > 240) continue;
            FiloColor color = filo_color_from_hsv(0.09f, 0.55f, 1 - 0.012f * filo_max(dy, 0), 1);
            bool eye = (x == 17 || x == 18 || x == 25 || x == 26) && y >= 9 && y <= 13;
            bool mouth = y >= 20 && y <= 21 + (x - 14) / 4 && x >= 14 && x <= 26;
            *filo_pixels_at(&face, x, y) = eye || mouth ? filo_color_from_hex(0x40241AFF) : color;
        }
    FiloResult r = filo_ok();
    // There is no renderer with --backend null.
    FiloGfx2d *gfx = filo_app_gfx2d(app);
    if (gfx != NULL) r = filo_gfx2d_add_image(gfx, filo_name("face"), &face);
    filo_pixels_free(&face, NULL);
    return r;
}

// ---- Parts of the picture ---------------------------------------------------------------------------------

// Each part begins at the end of the one before, and is rotated relative to it.
static void draw_arm(FiloDraw *draw, float time) {
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(150, 300));
    filo_draw_box(draw, filo_rect(filo_vec2(-50, 0), filo_vec2(50, 16)), FILO_COLOR_DARK_GREY);
    for (int i = 0; i < 3; i++) {
        float length = 90 - 20 * (float)i;
        filo_draw_rotate(draw,
                         (i == 0 ? -FILO_HALF_PI : 0) + 0.6f * filo_sin(time * (0.7f + 0.4f * (float)i)));
        filo_draw_line(draw, filo_vec2(0, 0), filo_vec2(length, 0), 14 - 3 * (float)i,
                       filo_color_from_hsv(0.58f, 0.5f, 0.9f - 0.15f * (float)i, 1));
        filo_draw_circle(draw, filo_vec2(0, 0), 10 - 2 * (float)i, FILO_COLOR_ORANGE);
        filo_draw_translate(draw, filo_vec2(length, 0));
    }
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("face"), .rotation = FILO_HALF_PI });
    filo_draw_pop(draw);
}

#define TEETH 12

static void draw_wheel(FiloDraw *draw, FiloVec2 centre, float angle, FiloColor color) {
    FiloVec2 points[4 * TEETH];
    for (int i = 0; i < 4 * TEETH; i++) {
        float turn = FILO_TAU * ((float)i + 0.5f) / (4 * TEETH), radius = i % 4 < 2 ? 52.0f : 40.0f;
        points[i] = filo_vec2(filo_cos(turn) * radius, filo_sin(turn) * radius);
    }
    filo_draw_push(draw);
    filo_draw_translate(draw, centre);
    filo_draw_rotate(draw, angle);
    filo_draw_polygon(draw, points, FILO_COUNT_OF(points), color);
    filo_draw_ring(draw, filo_vec2(0, 0), 26, 5, FILO_COLOR_WHITE);
    filo_draw_line(draw, filo_vec2(-21, 0), filo_vec2(21, 0), 5, FILO_COLOR_WHITE);
    filo_draw_pop(draw);
}

// A landscape that is wider than its window.
static void draw_landscape(FiloDraw *draw, float time) {
    FiloRect window = filo_rect(filo_vec2(330, 30), filo_vec2(610, 170));
    filo_draw_push(draw);
    filo_draw_clip(draw, window);
    filo_draw_box(draw, window, filo_color_from_hex(0x6FB7E9FF));
    filo_draw_translate(draw, filo_vec2(470 + 120 * filo_sin(time * 0.4f), 170));
    FiloVec2 hills[] = { { -400, 0 }, { -400, -40 }, { -260, -90 }, { -150, -30 }, { -40, -110 }, { 30, -50 },
                         { 90, -75 }, { 210, -20 },  { 300, -100 }, { 400, -30 },  { 400, 0 } };
    filo_draw_polygon(draw, hills, FILO_COUNT_OF(hills), FILO_COLOR_GREEN);
    filo_draw_circle(draw, filo_vec2(-60, -130), 40, FILO_COLOR_YELLOW); // cut by the window
    filo_draw_pop(draw);
    filo_draw_frame(draw, window, 3, FILO_COLOR_WHITE);
}

// An image rotated, flipped, and its upper half enlarged with linear filtering.
static void draw_faces(FiloDraw *draw, float time) {
    FiloDrawSprite face = { .image = filo_name("face"), .position = { 355, 205 } };
    filo_draw_sprite(draw, &face);
    face.position.x += 40, face.flags = FILO_SPRITE_FLIP_X;
    filo_draw_sprite(draw, &face);
    face.position.x += 40, face.flags = FILO_SPRITE_FLIP_Y;
    filo_draw_sprite(draw, &face);
    face.position.x += 48, face.flags = FILO_SPRITE_LINEAR, face.rotation = time;
    filo_draw_sprite(draw, &face);
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = face.image,
                                              .position = { 560, 205 },
                                              .part = { { 0, 0 }, { FACE, 0.5f * FACE } },
                                              .size = { 96, 48 },
                                              .flags = FILO_SPRITE_LINEAR });
}

// Lines that scroll through a box, and in each a circle that is clipped to a smaller box.
static void draw_list(FiloDraw *draw, float time) {
    FiloRect box = filo_rect(filo_vec2(330, 240), filo_vec2(610, 336));
    filo_draw_box(draw, box, filo_color_from_hex(0x00000060));
    filo_draw_push(draw);
    filo_draw_clip(draw, box);
    filo_draw_translate(draw, filo_vec2(box.min.x, box.min.y - 30 * (time / 2 - filo_floor(time / 2))));
    for (int i = 0; i < 5; i++, filo_draw_translate(draw, filo_vec2(0, 30))) {
        filo_draw_push(draw);
        filo_draw_format(draw, 10, 8, 1, FILO_COLOR_WHITE, "line %d", i + (int)(time / 2));
        filo_draw_clip(draw, filo_rect(filo_vec2(90, 6), filo_vec2(270, 26)));
        filo_draw_box(draw, filo_rect(filo_vec2(90, 6), filo_vec2(270, 26)), FILO_COLOR_DARK_GREY);
        filo_draw_circle(draw, filo_vec2(180 + 110 * filo_sin(time + (float)i), 16), 18, FILO_COLOR_CYAN);
        filo_draw_pop(draw);
    }
    filo_draw_pop(draw);
}

// ---- Main -------------------------------------------------------------------------------------------------

static void draw(FiloApp *app, FiloDraw *draw) {
    float time = (float)filo_app_time(app);
    // All coordinates are for 640 × 360, and scaled to the window.
    FiloVec2 size = filo_draw_size(draw);
    float scale = filo_min(size.x / 640, size.y / 360);
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2((size.x - 640 * scale) / 2, (size.y - 360 * scale) / 2));
    filo_draw_scale(draw, filo_vec2(scale, scale));
    draw_wheel(draw, filo_vec2(70, 84), time, FILO_COLOR_PURPLE);
    draw_wheel(draw, filo_vec2(163, 84), -time + FILO_PI / TEETH, FILO_COLOR_PINK);
    draw_arm(draw, time);
    draw_landscape(draw, time);
    draw_faces(draw, time);
    draw_list(draw, time);
    filo_draw_pop(draw);
}

int main(int argc, char **argv) {
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "sketch",
                                    .summary = "Immediate drawing: transforms, clips, images and polygons.",
                                    .window = { .title = "Sketch", .width = 640, .height = 360 },
                                    .background = filo_color_from_hex(0x232B3EFF),
                                    .create = create,
                                    .draw = draw });
}
