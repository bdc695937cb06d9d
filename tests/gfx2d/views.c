// Views: which part of the world a camera shows, and where in the picture.

#include "gfx2d/fixture.h"

static FiloEntity box(Fixture *fixture, float x, float y, FiloColor color, uint8_t layer) {
    return filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { x, y }, .scale = { 4, 4 }),
                       FILO_SET(FiloSprite, .color = color, .layer = layer));
}

static FiloEntity camera(Fixture *fixture, FiloTransform2 transform, FiloCamera camera_) {
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloCamera, .value = &camera_ } };
    return filo_entity_create_with(fixture->world, with, FILO_COUNT_OF(with));
}

static void assert_near(FiloVec2 found, float x, float y) {
    assert_float_equal(found.x, x, 1e-3);
    assert_float_equal(found.y, y, 1e-3);
}

FILO_TEST(without_a_camera_the_middle_of_the_world_is_in_the_middle) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    box(&fixture, 0, 0, FILO_COLOR_RED, 0);
    FiloPixels picture = screenshot(&fixture);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 - 2, HEIGHT / 2 - 2), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 - 3, HEIGHT / 2), FILO_COLOR_BLACK);
    assert_near(filo_gfx2d_to_world(fixture.gfx, FILO_ENTITY_NONE, filo_vec2(0, 0)), -WIDTH / 2, HEIGHT / 2);
    fixture_end(&fixture);
}

FILO_TEST(position_zoom_and_rotation_of_a_camera) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity eye = camera(&fixture, (FiloTransform2){ .position = { 100, 50 } }, (FiloCamera){ .zoom = 4 });
    box(&fixture, 100, 50, FILO_COLOR_RED, 0);
    box(&fixture, 106, 50, FILO_COLOR_BLUE, 0);
    FiloPixels picture = screenshot(&fixture);
    assert_color(pixel(picture, WIDTH / 2 - 8, HEIGHT / 2 - 8), FILO_COLOR_RED); // 4 units are 16 pixels
    assert_color(pixel(picture, WIDTH / 2 + 16, HEIGHT / 2), FILO_COLOR_BLUE);
    assert_near(filo_gfx2d_to_screen(fixture.gfx, eye, filo_vec2(106, 52)), WIDTH / 2 + 24, HEIGHT / 2 - 8);
    FiloVec2 there = filo_gfx2d_to_world(fixture.gfx, eye, filo_vec2(3, 77));
    assert_near(filo_gfx2d_to_screen(fixture.gfx, eye, there), 3, 77);
    // Rotated to the left: what is to the right of it is below.
    filo_edit(fixture.world, eye, FiloTransform2)->rotation = FILO_HALF_PI;
    picture = screenshot(&fixture);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2 + 20), FILO_COLOR_BLUE);
    FiloRect visible = filo_gfx2d_visible(fixture.gfx, eye);
    assert_near(filo_rect_size(visible), HEIGHT / 4.0f, WIDTH / 4.0f);
    fixture_end(&fixture);
}

FILO_TEST(the_height_of_a_camera_fits_the_viewport) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity eye = camera(&fixture, (FiloTransform2){ 0 }, (FiloCamera){ .height = 10, .zoom = 2 });
    extract(&fixture);
    FiloRect visible = filo_gfx2d_visible(fixture.gfx, eye);
    assert_near(filo_rect_size(visible), 5.0f * WIDTH / HEIGHT, 5);
    fixture_end(&fixture);
}

FILO_TEST(bounds_limit_what_is_seen_and_not_the_transform) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloRect bounds = { { -WIDTH, -20 }, { WIDTH, 40 } }; // twice as wide as the picture, and less high
    FiloEntity eye =
        camera(&fixture, (FiloTransform2){ .position = { WIDTH - 10, 0 } }, (FiloCamera){ .bounds = bounds });
    extract(&fixture);
    FiloRect visible = filo_gfx2d_visible(fixture.gfx, eye);
    assert_near(visible.min, 0, 10 - HEIGHT / 2.0f);
    assert_near(visible.max, WIDTH, 10 + HEIGHT / 2.0f);
    assert_near(filo_get(fixture.world, eye, FiloTransform2)->position, WIDTH - 10, 0);
    filo_edit(fixture.world, eye, FiloTransform2)->position.x = 10; // far from both edges
    filo_edit(fixture.world, eye, FiloCamera)->zoom = 4;
    filo_edit(fixture.world, eye, FiloTransform2)->rotation = FILO_HALF_PI;
    extract(&fixture);
    visible = filo_gfx2d_visible(fixture.gfx, eye);
    assert_near(visible.min, 10 - HEIGHT / 8.0f, -WIDTH / 8.0f);
    fixture_end(&fixture);
}

// Two viewports side by side, the second with another background; and a small one over both that does not clear.
static void three_views(Backend backend) {
    Fixture fixture = fixture_begin(backend, 2);
    camera(&fixture, (FiloTransform2){ .position = { 50, 0 } },
           (FiloCamera){ .viewport = { { 0.5f, 0 }, { 1, 1 } },
                         .order = 1,
                         .clear = true,
                         .background = FILO_COLOR_BLUE });
    camera(&fixture, (FiloTransform2){ .position = { -50, 0 } },
           (FiloCamera){ .viewport = { { 0, 0 }, { 0.5f, 1 } }, .background = FILO_COLOR_GREEN });
    camera(&fixture, (FiloTransform2){ .position = { 0, 0 } },
           (FiloCamera){
               .viewport = { { 0.25f, 0.5f }, { 0.75f, 1 } }, .order = 2, .hidden_layers = { 1 << 3 } });
    box(&fixture, -50, 0, FILO_COLOR_RED, 0);
    box(&fixture, 50, 0, FILO_COLOR_YELLOW, 0);
    box(&fixture, 82, 0, FILO_COLOR_WHITE, 0); // cut by the edge of the picture
    box(&fixture, 18, 0, FILO_COLOR_WHITE, 0); // cut by the edge of the viewport
    box(&fixture, 0, 0, FILO_COLOR_MAGENTA, 0);
    box(&fixture, 0, 8, FILO_COLOR_MAGENTA, 3); // in a layer that the small one does not show
    FiloPixels picture = screenshot(&fixture);
    save_picture(picture, "three_views");
    assert_int_equal(stats(&fixture).visible, 1 + 3 + 2);
    assert_color(pixel(picture, 32, 48), FILO_COLOR_RED);
    assert_color(pixel(picture, 96, 48), FILO_COLOR_YELLOW);
    assert_color(pixel(picture, 0, 0), FILO_COLOR_GREEN);
    assert_color(pixel(picture, 63, 48), FILO_COLOR_GREEN);
    assert_color(pixel(picture, 64, 48), FILO_COLOR_WHITE);
    assert_color(pixel(picture, 127, 48), FILO_COLOR_WHITE);
    assert_color(pixel(picture, 120, 90), FILO_COLOR_BLUE);
    assert_color(pixel(picture, 64, 72), FILO_COLOR_MAGENTA);
    assert_color(pixel(picture, 62, 64), FILO_COLOR_GREEN); // the box in the hidden layer
    assert_color(pixel(picture, 40, 80), FILO_COLOR_GREEN); // it does not clear
    fixture_end(&fixture);
}

FILO_TEST(several_cameras_share_the_picture_on_the_cpu) { three_views(ON_CPU); }
FILO_TEST(several_cameras_share_the_picture_on_gl_45) { three_views(ON_GL45); }
FILO_TEST(several_cameras_share_the_picture_on_gl_33) { three_views(ON_GL33); }

FILO_TEST(the_rest_of_the_picture_has_the_background_of_the_renderer) {
    for (Backend backend = ON_CPU; backend <= ON_GL45; backend++) {
        Fixture fixture = fixture_begin(backend, 1);
        filo_gfx2d_destroy(fixture.gfx);
        assert_ok(filo_gfx2d_create(
            &fixture.gfx,
            &(FiloGfx2dDesc){ .world = fixture.world, .gpu = fixture.gpu, .background = FILO_COLOR_YELLOW }));
        camera(&fixture, (FiloTransform2){ 0 },
               (FiloCamera){ .viewport = { { 0.5f, 0.5f }, { 1, 1 } }, .background = FILO_COLOR_RED });
        FiloPixels picture = screenshot(&fixture);
        assert_color(pixel(picture, 5, 5), FILO_COLOR_YELLOW);
        assert_color(pixel(picture, 64, 48), FILO_COLOR_RED);
        assert_color(pixel(picture, 63, 48), FILO_COLOR_YELLOW);
        fixture_end(&fixture);
    }
}

// A translucent red over the background of the renderer, which is a translucent yellow over black; and a translucent
// blue over that in a part of the picture.
static FiloPixels veils(Fixture *fixture, bool whole) {
    filo_gfx2d_destroy(fixture->gfx);
    FiloColor half_yellow = filo_color_fade(FILO_COLOR_YELLOW, 0.5f);
    assert_ok(filo_gfx2d_create(
        &fixture->gfx,
        &(FiloGfx2dDesc){ .world = fixture->world, .gpu = fixture->gpu, .background = half_yellow }));
    FiloRect part = { { 0, 0 }, { whole ? 1 : 0.5f, 1 } };
    camera(fixture, (FiloTransform2){ 0 },
           (FiloCamera){ .viewport = part, .background = filo_color_fade(FILO_COLOR_RED, 0.25f) });
    camera(fixture, (FiloTransform2){ 0 },
           (FiloCamera){ .viewport = { { 0.25f, 0.25f }, { 0.75f, 0.75f } },
                         .order = 1,
                         .clear = true,
                         .background = filo_color_fade(FILO_COLOR_BLUE, 0.5f) });
    box(fixture, 0, 0, filo_color_fade(FILO_COLOR_WHITE, 0.5f), 0);
    return screenshot(fixture);
}

FILO_TEST(a_translucent_background_is_blended_and_the_picture_is_opaque) {
    for (int whole = 0; whole <= 1; whole++) {
        Fixture cpu = fixture_begin(ON_CPU, 1);
        FiloPixels expected = copy_picture(veils(&cpu, whole != 0));
        fixture_end(&cpu);
        FiloColor yellow = filo_color_over(filo_color_fade(FILO_COLOR_YELLOW, 0.5f), FILO_COLOR_BLACK);
        FiloColor red = filo_color_over(filo_color_fade(FILO_COLOR_RED, 0.25f), yellow);
        FiloColor veil = filo_color_fade(FILO_COLOR_BLUE, 0.5f);
        assert_color(pixel(expected, 4, 4), red);
        assert_color(pixel(expected, WIDTH - 4, 4), whole ? red : yellow);
        assert_color(pixel(expected, WIDTH / 4 + 4, HEIGHT / 2), filo_color_over(veil, red));
        assert_color(pixel(expected, WIDTH * 3 / 4 - 4, HEIGHT / 2),
                     filo_color_over(veil, whole ? red : yellow));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) assert_int_equal(pixel(expected, x, y).a, 255);
        for (Backend backend = ON_GL45; backend <= ON_GL33; backend++) {
            Fixture card = fixture_begin(backend, 1);
            FiloPixels found = veils(&card, whole != 0);
            FiloPixelsDifference difference = filo_pixels_compare(&found, &expected, 2);
            if (difference.pixels > 0)
                fail_msg("%zu pixels differ by up to %d", difference.pixels, difference.largest);
            fixture_end(&card);
        }
        filo_pixels_free(&expected, NULL);
    }
}

// A sprite that shows the target is translucent too.
FILO_TEST(a_target_keeps_a_translucent_background) {
    for (Backend backend = ON_CPU; backend <= ON_GL33; backend++) {
        Fixture fixture = fixture_begin(backend, 1);
        uint32_t target;
        assert_ok(filo_gfx2d_target_create(&target, fixture.gfx, filo_name("glass"), 16, 16));
        camera(&fixture, (FiloTransform2){ .position = { 500, 0 } },
               (FiloCamera){ .target = target, .background = filo_color_fade(FILO_COLOR_RED, 0.5f) });
        camera(&fixture, (FiloTransform2){ 0 }, (FiloCamera){ .background = FILO_COLOR_GREEN });
        filo_create(fixture.world, FILO_ADD(FiloTransform2),
                    FILO_SET(FiloSprite, .image = filo_name("glass")));
        FiloColor found = pixel(screenshot(&fixture), WIDTH / 2, HEIGHT / 2);
        FiloColor expected = filo_color_over(filo_color_fade(FILO_COLOR_RED, 0.5f), FILO_COLOR_GREEN);
        assert_in_range(found.r + 2 - expected.r, 0, 4);
        assert_in_range(found.g + 2 - expected.g, 0, 4);
        assert_in_range(found.b + 2 - expected.b, 0, 4);
        fixture_end(&fixture);
    }
}

FILO_TEST(pixel_perfect_cameras_put_sprites_on_whole_pixels) {
    for (Backend backend = ON_CPU; backend <= ON_GL45; backend++) {
        Fixture fixture = fixture_begin(backend, 1);
        FiloName plain = add_plain(fixture.gfx, "plain", 4, 4, FILO_COLOR_RED);
        camera(&fixture, (FiloTransform2){ .position = { 0.3f, 0.2f } },
               (FiloCamera){ .zoom = 2.3f, .pixel_perfect = true });
        for (int i = 0; i < 6; i++)
            filo_create(fixture.world,
                        FILO_SET(FiloTransform2, .position = { -20 + (float)i * 6.37f, (float)i * 0.61f }),
                        FILO_SET(FiloSprite, .image = plain, .flags = FILO_SPRITE_LINEAR));
        filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 3.3f, -10.6f }, .scale = { 5, 5 }),
                    FILO_SET(FiloSprite, .color = FILO_COLOR_RED));
        FiloPixels picture = screenshot(&fixture);
        size_t red = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                FiloColor found = pixel(picture, x, y);
                bool is_red = filo_color_equal(found, FILO_COLOR_RED);
                assert_true(is_red || filo_color_equal(found, FILO_COLOR_BLACK)); // no blended colours
                red += is_red;
            }
        assert_int_equal(red, 6 * 8 * 8 + 10 * 10); // the zoom is 2
        fixture_end(&fixture);
    }
}

FILO_TEST(a_camera_is_blended_like_what_it_looks_at) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity eye = camera(&fixture, (FiloTransform2){ 0 }, (FiloCamera){ 0 });
    assert_ok(filo_world_tick(fixture.world, 0.1f));
    assert_ok(filo_world_tick(fixture.world, 0.1f));
    filo_edit(fixture.world, eye, FiloTransform2)->position.x = 8;
    extract_blended(&fixture, 0.25f);
    assert_near(filo_gfx2d_to_world(fixture.gfx, eye, filo_vec2(WIDTH / 2, HEIGHT / 2)), 2, 0);
    fixture_end(&fixture);
}

static FiloVec2 looked_at(Fixture *fixture, FiloEntity eye) {
    extract(fixture);
    return filo_gfx2d_to_world(fixture->gfx, eye, filo_vec2(WIDTH / 2, HEIGHT / 2));
}

FILO_TEST(shaking_moves_the_picture_by_its_distance_and_the_square_of_its_strength) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloEntity eye = camera(&fixture, (FiloTransform2){ 0 }, (FiloCamera){ .shake = 1, .shake_distance = 8 });
    FiloVec2 full = looked_at(&fixture, eye);
    assert_true(filo_abs(full.x) <= 8 && filo_abs(full.y) <= 8 && filo_vec2_length(full) > 0.1f);
    filo_edit(fixture.world, eye, FiloCamera)->shake = 0.5f;
    FiloVec2 less = looked_at(&fixture, eye);
    assert_near(less, full.x / 4, full.y / 4);
    filo_edit(fixture.world, eye, FiloCamera)->shake_distance = 0; // 16 pixels
    assert_near(looked_at(&fixture, eye), full.x / 2, full.y / 2);
    filo_edit(fixture.world, eye, FiloCamera)->shake = 1;
    assert_ok(filo_world_tick(fixture.world, 0.0f)); // another tick, another offset
    assert_false(filo_vec2_equal(looked_at(&fixture, eye), filo_vec2_scale(full, 2)));
    filo_edit(fixture.world, eye, FiloCamera)->shake = 0;
    assert_near(looked_at(&fixture, eye), 0, 0);
    fixture_end(&fixture);
}
