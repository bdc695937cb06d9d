// Cameras: what part of the world is seen, and where in the picture.

#include "gfx2d/stage.h"

static FiloEntity box(Stage *stage, float x, float y, FiloColor color, uint8_t layer) {
    return filo_create(stage->world, FILO_SET(FiloTransform2, .position = { x, y }, .scale = { 4, 4 }),
                       FILO_SET(FiloSprite, .color = color, .layer = layer));
}

static FiloEntity camera(Stage *stage, FiloTransform2 transform, FiloCamera camera_) {
    FiloComponentValue with[] = { { .type = filo_type_FiloTransform2, .value = &transform },
                                  { .type = filo_type_FiloCamera, .value = &camera_ } };
    return filo_entity_create_with(stage->world, with, FILO_COUNT_OF(with));
}

static void assert_near(FiloVec2 found, float x, float y) {
    assert_float_equal(found.x, x, 1e-3);
    assert_float_equal(found.y, y, 1e-3);
}

FILO_TEST(without_a_camera_the_middle_of_the_world_is_in_the_middle) {
    Stage stage = stage_begin(ON_CPU, 1);
    box(&stage, 0, 0, FILO_COLOR_RED, 0);
    FiloPixels picture = shoot(&stage);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 - 2, HEIGHT / 2 - 2), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 - 3, HEIGHT / 2), FILO_COLOR_BLACK);
    assert_near(filo_gfx2d_to_world(stage.gfx, FILO_ENTITY_NONE, filo_vec2(0, 0)), -WIDTH / 2, HEIGHT / 2);
    stage_end(&stage);
}

FILO_TEST(position_zoom_and_rotation_of_a_camera) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity eye = camera(&stage, (FiloTransform2){ .position = { 100, 50 } }, (FiloCamera){ .zoom = 4 });
    box(&stage, 100, 50, FILO_COLOR_RED, 0);
    box(&stage, 106, 50, FILO_COLOR_BLUE, 0);
    FiloPixels picture = shoot(&stage);
    assert_color(pixel(picture, WIDTH / 2 - 8, HEIGHT / 2 - 8), FILO_COLOR_RED); // 4 units are 16 pixels
    assert_color(pixel(picture, WIDTH / 2 + 16, HEIGHT / 2), FILO_COLOR_BLUE);
    assert_near(filo_gfx2d_to_screen(stage.gfx, eye, filo_vec2(106, 52)), WIDTH / 2 + 24, HEIGHT / 2 - 8);
    FiloVec2 there = filo_gfx2d_to_world(stage.gfx, eye, filo_vec2(3, 77));
    assert_near(filo_gfx2d_to_screen(stage.gfx, eye, there), 3, 77);
    // Turned to the left, what is to the right of it is below.
    filo_edit(stage.world, eye, FiloTransform2)->rotation = FILO_HALF_PI;
    picture = shoot(&stage);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2 + 20), FILO_COLOR_BLUE);
    FiloRect visible = filo_gfx2d_visible(stage.gfx, eye);
    assert_near(filo_rect_size(visible), HEIGHT / 4.0f, WIDTH / 4.0f);
    stage_end(&stage);
}

FILO_TEST(the_height_of_a_camera_fits_the_viewport) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity eye = camera(&stage, (FiloTransform2){ 0 }, (FiloCamera){ .height = 10, .zoom = 2 });
    extract(&stage);
    FiloRect visible = filo_gfx2d_visible(stage.gfx, eye);
    assert_near(filo_rect_size(visible), 5.0f * WIDTH / HEIGHT, 5);
    stage_end(&stage);
}

// Two halves, drawn in their order, the second with another background; and a small one over both that does
// not clear.
static void three_views(Way way) {
    Stage stage = stage_begin(way, 2);
    camera(&stage, (FiloTransform2){ .position = { 50, 0 } },
           (FiloCamera){ .viewport = { { 0.5f, 0 }, { 1, 1 } },
                         .order = 1,
                         .clear = true,
                         .background = FILO_COLOR_BLUE });
    camera(&stage, (FiloTransform2){ .position = { -50, 0 } },
           (FiloCamera){ .viewport = { { 0, 0 }, { 0.5f, 1 } }, .background = FILO_COLOR_GREEN });
    camera(&stage, (FiloTransform2){ .position = { 0, 0 } },
           (FiloCamera){
               .viewport = { { 0.25f, 0.5f }, { 0.75f, 1 } }, .order = 2, .hidden_layers = { 1 << 3 } });
    box(&stage, -50, 0, FILO_COLOR_RED, 0);
    box(&stage, 50, 0, FILO_COLOR_YELLOW, 0);
    box(&stage, 82, 0, FILO_COLOR_WHITE, 0); // cut by the edge of the picture
    box(&stage, 18, 0, FILO_COLOR_WHITE, 0); // cut by the edge of the viewport
    box(&stage, 0, 0, FILO_COLOR_MAGENTA, 0);
    box(&stage, 0, 8, FILO_COLOR_MAGENTA, 3); // in a layer that the small one does not show
    FiloPixels picture = shoot(&stage);
    keep_picture(picture, "three_views");
    assert_int_equal(stats(&stage).visible, 1 + 3 + 2);
    assert_color(pixel(picture, 32, 48), FILO_COLOR_RED);
    assert_color(pixel(picture, 96, 48), FILO_COLOR_YELLOW);
    assert_color(pixel(picture, 0, 0), FILO_COLOR_GREEN);
    assert_color(pixel(picture, 63, 48), FILO_COLOR_GREEN);
    assert_color(pixel(picture, 64, 48), FILO_COLOR_WHITE);
    assert_color(pixel(picture, 127, 48), FILO_COLOR_WHITE);
    assert_color(pixel(picture, 120, 90), FILO_COLOR_BLUE);
    assert_color(pixel(picture, 64, 72), FILO_COLOR_MAGENTA);
    assert_color(pixel(picture, 62, 64), FILO_COLOR_GREEN); // the one in the hidden layer
    assert_color(pixel(picture, 40, 80), FILO_COLOR_GREEN); // it does not clear
    stage_end(&stage);
}

FILO_TEST(several_cameras_share_the_picture_on_the_cpu) { three_views(ON_CPU); }
FILO_TEST(several_cameras_share_the_picture_on_gl_45) { three_views(ON_GL45); }
FILO_TEST(several_cameras_share_the_picture_on_gl_33) { three_views(ON_GL33); }

FILO_TEST(the_rest_of_the_picture_has_the_background_of_the_renderer) {
    for (Way way = ON_CPU; way <= ON_GL45; way++) {
        Stage stage = stage_begin(way, 1);
        filo_gfx2d_destroy(stage.gfx);
        assert_ok(filo_gfx2d_create(
            &stage.gfx,
            &(FiloGfx2dDesc){ .world = stage.world, .gpu = stage.gpu, .background = FILO_COLOR_YELLOW }));
        camera(&stage, (FiloTransform2){ 0 },
               (FiloCamera){ .viewport = { { 0.5f, 0.5f }, { 1, 1 } }, .background = FILO_COLOR_RED });
        FiloPixels picture = shoot(&stage);
        assert_color(pixel(picture, 5, 5), FILO_COLOR_YELLOW);
        assert_color(pixel(picture, 64, 48), FILO_COLOR_RED);
        assert_color(pixel(picture, 63, 48), FILO_COLOR_YELLOW);
        stage_end(&stage);
    }
}

// A translucent red over the yellow of the renderer; a translucent blue over that, in a part of it; and the renderer's
// yellow itself is half of yellow over black.
static FiloPixels veils(Stage *stage, bool whole) {
    filo_gfx2d_destroy(stage->gfx);
    FiloColor half_yellow = filo_color_fade(FILO_COLOR_YELLOW, 0.5f);
    assert_ok(filo_gfx2d_create(
        &stage->gfx,
        &(FiloGfx2dDesc){ .world = stage->world, .gpu = stage->gpu, .background = half_yellow }));
    FiloRect part = { { 0, 0 }, { whole ? 1 : 0.5f, 1 } };
    camera(stage, (FiloTransform2){ 0 },
           (FiloCamera){ .viewport = part, .background = filo_color_fade(FILO_COLOR_RED, 0.25f) });
    camera(stage, (FiloTransform2){ 0 },
           (FiloCamera){ .viewport = { { 0.25f, 0.25f }, { 0.75f, 0.75f } },
                         .order = 1,
                         .clear = true,
                         .background = filo_color_fade(FILO_COLOR_BLUE, 0.5f) });
    box(stage, 0, 0, filo_color_fade(FILO_COLOR_WHITE, 0.5f), 0);
    return shoot(stage);
}

FILO_TEST(a_translucent_background_is_laid_over_what_is_there_and_the_picture_is_opaque) {
    for (int whole = 0; whole <= 1; whole++) {
        Stage cpu = stage_begin(ON_CPU, 1);
        FiloPixels wanted = keep(veils(&cpu, whole != 0));
        stage_end(&cpu);
        FiloColor yellow = filo_color_over(filo_color_fade(FILO_COLOR_YELLOW, 0.5f), FILO_COLOR_BLACK);
        FiloColor red = filo_color_over(filo_color_fade(FILO_COLOR_RED, 0.25f), yellow);
        FiloColor veil = filo_color_fade(FILO_COLOR_BLUE, 0.5f);
        assert_color(pixel(wanted, 4, 4), red);
        assert_color(pixel(wanted, WIDTH - 4, 4), whole ? red : yellow);
        assert_color(pixel(wanted, WIDTH / 4 + 4, HEIGHT / 2), filo_color_over(veil, red));
        assert_color(pixel(wanted, WIDTH * 3 / 4 - 4, HEIGHT / 2),
                     filo_color_over(veil, whole ? red : yellow));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) assert_int_equal(pixel(wanted, x, y).a, 255);
        for (Way way = ON_GL45; way <= ON_GL33; way++) {
            Stage card = stage_begin(way, 1);
            FiloPixels found = veils(&card, whole != 0);
            FiloPixelsDifference difference = filo_pixels_compare(&found, &wanted, 2);
            if (difference.pixels > 0)
                fail_msg("%zu pixels differ by up to %d", difference.pixels, difference.largest);
            stage_end(&card);
        }
        filo_pixels_free(&wanted, NULL);
    }
}

// What is in a target comes through where it is shown.
FILO_TEST(a_target_keeps_a_translucent_background) {
    for (Way way = ON_CPU; way <= ON_GL33; way++) {
        Stage stage = stage_begin(way, 1);
        uint32_t target;
        assert_ok(filo_gfx2d_target_create(&target, stage.gfx, filo_name("glass"), 16, 16));
        camera(&stage, (FiloTransform2){ .position = { 500, 0 } },
               (FiloCamera){ .target = target, .background = filo_color_fade(FILO_COLOR_RED, 0.5f) });
        camera(&stage, (FiloTransform2){ 0 }, (FiloCamera){ .background = FILO_COLOR_GREEN });
        filo_create(stage.world, FILO_ADD(FiloTransform2), FILO_SET(FiloSprite, .image = filo_name("glass")));
        FiloColor found = pixel(shoot(&stage), WIDTH / 2, HEIGHT / 2);
        FiloColor wanted = filo_color_over(filo_color_fade(FILO_COLOR_RED, 0.5f), FILO_COLOR_GREEN);
        assert_in_range(found.r + 2 - wanted.r, 0, 4);
        assert_in_range(found.g + 2 - wanted.g, 0, 4);
        assert_in_range(found.b + 2 - wanted.b, 0, 4);
        stage_end(&stage);
    }
}

FILO_TEST(pixel_perfect_cameras_put_sprites_on_whole_pixels) {
    for (Way way = ON_CPU; way <= ON_GL45; way++) {
        Stage stage = stage_begin(way, 1);
        FiloName plain = add_plain(stage.gfx, "plain", 4, 4, FILO_COLOR_RED);
        camera(&stage, (FiloTransform2){ .position = { 0.3f, 0.2f } },
               (FiloCamera){ .zoom = 2.3f, .pixel_perfect = true });
        for (int i = 0; i < 6; i++)
            filo_create(stage.world,
                        FILO_SET(FiloTransform2, .position = { -20 + (float)i * 6.37f, (float)i * 0.61f }),
                        FILO_SET(FiloSprite, .image = plain, .flags = FILO_SPRITE_LINEAR));
        filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 3.3f, -10.6f }, .scale = { 5, 5 }),
                    FILO_SET(FiloSprite, .color = FILO_COLOR_RED));
        FiloPixels picture = shoot(&stage);
        size_t red = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                FiloColor found = pixel(picture, x, y);
                bool is_red = filo_color_equal(found, FILO_COLOR_RED);
                assert_true(is_red || filo_color_equal(found, FILO_COLOR_BLACK)); // nothing in between
                red += is_red;
            }
        assert_int_equal(red, 6 * 8 * 8 + 10 * 10); // the zoom is 2
        stage_end(&stage);
    }
}

FILO_TEST(a_camera_is_blended_like_what_it_looks_at) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity eye = camera(&stage, (FiloTransform2){ 0 }, (FiloCamera){ 0 });
    assert_ok(filo_world_tick(stage.world, 0.1f));
    assert_ok(filo_world_tick(stage.world, 0.1f));
    filo_edit(stage.world, eye, FiloTransform2)->position.x = 8;
    extract_blended(&stage, 0.25f);
    assert_near(filo_gfx2d_to_world(stage.gfx, eye, filo_vec2(WIDTH / 2, HEIGHT / 2)), 2, 0);
    stage_end(&stage);
}

static FiloVec2 looked_at(Stage *stage, FiloEntity eye) {
    extract(stage);
    return filo_gfx2d_to_world(stage->gfx, eye, filo_vec2(WIDTH / 2, HEIGHT / 2));
}

FILO_TEST(shaking_moves_the_picture_by_its_distance_and_the_square_of_its_strength) {
    Stage stage = stage_begin(ON_CPU, 1);
    FiloEntity eye = camera(&stage, (FiloTransform2){ 0 }, (FiloCamera){ .shake = 1, .shake_distance = 8 });
    FiloVec2 full = looked_at(&stage, eye);
    assert_true(filo_abs(full.x) <= 8 && filo_abs(full.y) <= 8 && filo_vec2_length(full) > 0.1f);
    filo_edit(stage.world, eye, FiloCamera)->shake = 0.5f;
    FiloVec2 less = looked_at(&stage, eye);
    assert_near(less, full.x / 4, full.y / 4);
    filo_edit(stage.world, eye, FiloCamera)->shake_distance = 0; // 16 pixels
    assert_near(looked_at(&stage, eye), full.x / 2, full.y / 2);
    filo_edit(stage.world, eye, FiloCamera)->shake = 1;
    assert_ok(filo_world_tick(stage.world, 0.0f)); // another tick, another place
    assert_false(filo_vec2_equal(looked_at(&stage, eye), filo_vec2_scale(full, 2)));
    filo_edit(stage.world, eye, FiloCamera)->shake = 0;
    assert_near(looked_at(&stage, eye), 0, 0);
    stage_end(&stage);
}
