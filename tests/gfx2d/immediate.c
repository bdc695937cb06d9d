// Pictures of immediate drawing: rotated, flipped and partial images, transforms, clips and polygons; on the CPU to the
// last bit, and on the GPU within the tolerance of sprites (render.c).

#include "gfx2d/fixture.h"

// One of everything, in pixels of the screen.
static void draw_on_screen(FiloDraw *draw, FiloName arrow) {
    FiloDrawSprite sprite = { .image = arrow, .position = { 12, 10 } };
    filo_draw_sprite(draw, &sprite); // as it is
    sprite.position.x = 30, sprite.flags = FILO_SPRITE_FLIP_X;
    filo_draw_sprite(draw, &sprite);
    sprite.position.x = 46, sprite.flags = FILO_SPRITE_FLIP_Y;
    filo_draw_sprite(draw, &sprite);
    sprite.position.x = 64, sprite.flags = 0, sprite.rotation = 0.6f;
    filo_draw_sprite(draw, &sprite);
    sprite.position.x = 80, sprite.size = filo_vec2(18, 12), sprite.flags = FILO_SPRITE_LINEAR;
    filo_draw_sprite(draw, &sprite);
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = arrow, // the upper left part of it, larger
                                              .position = { 96, 4 },
                                              .part = { { 0, 0 }, { 6, 4 } },
                                              .size = { 24, 16 },
                                              .pivot = { -0.5f, 0.5f },
                                              .color = { 255, 255, 160, 255 } });
    // A transform inside of a transform.
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(24, 38));
    filo_draw_rotate(draw, 0.3f);
    filo_draw_box(draw, filo_rect_from_centre(filo_vec2(0, 0), filo_vec2(36, 20)), FILO_COLOR_PURPLE);
    filo_draw_text(draw, -16, -8, 1, FILO_COLOR_WHITE, "Filo");
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(16, 0));
    filo_draw_scale(draw, filo_vec2(0.5f, -1));
    filo_draw_circle(draw, filo_vec2(0, 0), 8, filo_color_fade(FILO_COLOR_ORANGE, 0.7f));
    filo_draw_pop(draw);
    filo_draw_pop(draw);
    // Clips inside of clips.
    filo_draw_push(draw);
    filo_draw_clip(draw, filo_rect(filo_vec2(50, 24), filo_vec2(80, 50)));
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(200, 200)), FILO_COLOR_DARK_GREY);
    filo_draw_circle(draw, filo_vec2(50, 24), 14, FILO_COLOR_CYAN);
    filo_draw_push(draw);
    filo_draw_clip(draw, filo_rect(filo_vec2(66, 36), filo_vec2(200, 200)));
    filo_draw_circle(draw, filo_vec2(70, 40), 14, FILO_COLOR_YELLOW);
    filo_draw_clip(draw, filo_rect(filo_vec2(0, 0), filo_vec2(10, 10))); // nothing is left
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(200, 200)), FILO_COLOR_RED);
    filo_draw_pop(draw);
    filo_draw_line(draw, filo_vec2(40, 50), filo_vec2(90, 22), 2, FILO_COLOR_WHITE);
    filo_draw_pop(draw);
}

static void draw_polygons(FiloDraw *draw) {
    // Concave, in both orientations; a translucent colour is blended once for each pixel.
    FiloVec2 arrow[] = { { 0, -14 }, { 12, 12 }, { 0, 5 }, { -12, 12 } };
    FiloColor glass = filo_color_fade(FILO_COLOR_GREEN, 0.6f);
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(98, 36));
    filo_draw_polygon(draw, arrow, 4, glass);
    filo_draw_translate(draw, filo_vec2(18, 4));
    filo_draw_rotate(draw, 2.5f);
    FiloVec2 reversed[] = { arrow[3], arrow[2], arrow[1], arrow[0] };
    filo_draw_polygon(draw, reversed, 4, glass);
    filo_draw_pop(draw);
    // Edges that cross: the middle is empty.
    FiloVec2 star[5];
    for (int i = 0; i < 5; i++) {
        float angle = FILO_TAU * (float)(2 * i) / 5 - FILO_HALF_PI;
        star[i] = filo_vec2(22 + filo_cos(angle) * 17, 76 + filo_sin(angle) * 17);
    }
    filo_draw_polygon(draw, star, 5, FILO_COLOR_YELLOW);
    FiloVec2 comb[] = { { 44, 92 }, { 44, 62 }, { 52, 62 }, { 52, 84 }, { 58, 84 }, { 58, 62 },
                        { 66, 62 }, { 66, 84 }, { 72, 84 }, { 72, 62 }, { 80, 62 }, { 80, 92 } };
    filo_draw_polygon(draw, comb, FILO_COUNT_OF(comb), FILO_COLOR_PINK);
}

// In the world, with a camera away from the origin: with a clip, and without.
static void draw_in_world(FiloDraw *draw, FiloName arrow) {
    filo_draw_in_world(draw, 1);
    filo_draw_push(draw);
    filo_draw_clip(draw, filo_rect(filo_vec2(1020, -40), filo_vec2(1040, -20)));
    filo_draw_circle(draw, filo_vec2(1024, -24), 14, FILO_COLOR_BLUE);
    filo_draw_pop(draw);
    filo_draw_push(draw);
    filo_draw_translate(draw, filo_vec2(1050, -30));
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = arrow, .rotation = 0.5f, .pivot = { -0.5f, -0.5f } });
    filo_draw_pop(draw);
}

static void compare(Backend backend, int threads, int largest, double mean, const char *saved_as) {
    Fixture fixture = fixture_begin(backend, threads);
    FiloName arrow = add_arrow(fixture.gfx);
    filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 1000, 0 }),
                FILO_SET(FiloCamera, .background = { 24, 30, 44, 255 }));
    filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 1044, -24 }, .scale = { 8, 8 }),
                FILO_SET(FiloSprite, .layer = 2, .color = FILO_COLOR_BROWN));
    extract(&fixture);
    FiloDraw *draw = filo_gfx2d_draw(fixture.gfx);
    draw_in_world(draw, arrow);
    filo_draw_on_screen(draw);
    draw_on_screen(draw, arrow);
    draw_polygons(draw);
    end_with_golden(&fixture, "immediate", largest, mean, saved_as);
}

FILO_TEST(the_cpu_draws_immediately_to_the_last_bit) { compare(ON_CPU, 1, 0, 0, "immediate_cpu"); }
FILO_TEST(eight_threads_draw_the_same_immediately) { compare(ON_CPU, 8, 0, 0, "immediate_cpu8"); }
FILO_TEST(gl_45_draws_immediately_nearly_the_same) { compare(ON_GL45, 1, 2, 0.02, "immediate_gl45"); }
FILO_TEST(gl_33_draws_immediately_nearly_the_same) { compare(ON_GL33, 1, 2, 0.02, "immediate_gl33"); }

// ---- Clips -----------------------------------------------------------------------------------------------------

// A clip stays set between two calls of filo_gfx2d_render_part.
FILO_TEST(a_clip_holds_across_parts_and_ends_with_the_frame) {
    for (Backend backend = ON_CPU; backend <= ON_GL33; backend++) {
        Fixture fixture = fixture_begin(backend, 1);
        extract(&fixture);
        FiloDraw *draw = filo_gfx2d_draw(fixture.gfx);
        FiloRect all = filo_rect(filo_vec2(0, 0), filo_vec2(WIDTH, HEIGHT));
        filo_draw_clip(draw, filo_rect(filo_vec2(10, 10), filo_vec2(20, 20)));
        filo_draw_box(draw, all, FILO_COLOR_RED);
        assert_true(filo_gfx2d_render_part(fixture.gfx, &(FiloRender2d){ 0 }));
        filo_draw_clip(draw, filo_rect(filo_vec2(15, 0), filo_vec2(30, 30)));
        filo_draw_box(draw, all, FILO_COLOR_GREEN);
        assert_true(filo_gfx2d_render_part(fixture.gfx, &(FiloRender2d){ 0 }));
        FiloPixels picture = drawn_picture(&fixture);
        assert_color(pixel(picture, 10, 10), FILO_COLOR_RED);
        assert_color(pixel(picture, 14, 19), FILO_COLOR_RED);
        assert_color(pixel(picture, 15, 10), FILO_COLOR_GREEN);
        assert_color(pixel(picture, 19, 19), FILO_COLOR_GREEN);
        assert_color(pixel(picture, 9, 10), FILO_COLOR_BLACK);
        assert_color(pixel(picture, 20, 19), FILO_COLOR_BLACK);
        assert_color(pixel(picture, 15, 20), FILO_COLOR_BLACK);
        if (fixture.gpu != NULL) filo_gpu_end_frame(fixture.gpu);
        extract(&fixture);
        filo_draw_box(draw, all, FILO_COLOR_BLUE);
        filo_gfx2d_render(fixture.gfx);
        picture = drawn_picture(&fixture);
        assert_color(pixel(picture, 0, 0), FILO_COLOR_BLUE);
        if (fixture.gpu != NULL) filo_gpu_end_frame(fixture.gpu);
        fixture_end(&fixture);
    }
}

// A clip in the world is transformed for each camera, and ends at its viewport.
FILO_TEST(each_camera_transforms_the_clip) {
    for (Backend backend = ON_CPU; backend <= ON_GL33; backend++) {
        Fixture fixture = fixture_begin(backend, 1);
        for (int i = 0; i < 2; i++)
            filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { i == 0 ? 0.0f : 20.0f, 0 }),
                        FILO_SET(FiloCamera, .order = (int16_t)i, .clear = true,
                                 .viewport = { { i == 0 ? 0 : 0.5f, 0 }, { i == 0 ? 0.5f : 1, 1 } },
                                 .background = i == 0 ? FILO_COLOR_BLUE : FILO_COLOR_GREEN));
        extract(&fixture);
        FiloDraw *draw = filo_gfx2d_draw(fixture.gfx);
        filo_draw_in_world(draw, 0);
        filo_draw_clip(draw, filo_rect(filo_vec2(0, 0), filo_vec2(60, 10)));
        filo_draw_box(draw, filo_rect(filo_vec2(-500, -500), filo_vec2(500, 500)), FILO_COLOR_RED);
        render(&fixture);
        FiloPixels picture = drawn_picture(&fixture);
        int middle = HEIGHT / 2;
        assert_color(pixel(picture, 31, middle - 1), FILO_COLOR_BLUE);
        assert_color(pixel(picture, 32, middle - 1), FILO_COLOR_RED);
        assert_color(pixel(picture, 63, middle - 10), FILO_COLOR_RED);
        assert_color(pixel(picture, 63, middle - 11), FILO_COLOR_BLUE);
        assert_color(pixel(picture, 40, middle), FILO_COLOR_BLUE);
        assert_color(pixel(picture, 75, middle - 1), FILO_COLOR_GREEN);
        assert_color(pixel(picture, 76, middle - 1), FILO_COLOR_RED);
        assert_color(pixel(picture, 127, middle - 10), FILO_COLOR_RED);
        assert_color(pixel(picture, 100, middle), FILO_COLOR_GREEN);
        fixture_end(&fixture);
    }
}
