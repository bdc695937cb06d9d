// The graphics card: draw calls, what is in flight, targets, shaders.

#include "support/malloc_count.h"

#include "gfx2d/stage.h"

#include "gfx2d/renderer.h"

static void fill(FiloIter *it, void *user) {
    const FiloName *images = user;
    FiloTransform2 *transforms = filo_write(it, FiloTransform2);
    FiloSprite *sprites = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        size_t n = it->first + i;
        transforms[i].position = filo_vec2((float)(n % 120) - 60, (float)(n / 120 % 90) - 45);
        sprites[i] = (FiloSprite){ .image = images[n % 64], .layer = (uint8_t)(n % 3) };
    }
}

static void many(Stage *stage, size_t count) {
    static FiloName images[64];
    for (int i = 0; i < 64; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "image %d", i);
        images[i] = add_plain(stage->gfx, name, 16, 16, filo_color_from_hsv((float)i / 64, 1, 1, 1));
    }
    FiloComponentValue with[] = { FILO_ADD(FiloTransform2), FILO_ADD(FiloSprite),
                                  FILO_ADD(FiloPreviousTransform2) };
    assert_true(filo_entity_create_block(
        stage->world,
        &(FiloBlockDesc){ .count = count, .values = with, .value_count = 3, .fill = fill, .user = images }));
}

static FiloEntity sprite_at(Stage *stage, float x, float y, FiloSprite sprite) {
    FiloTransform2 transform = { .position = { x, y } };
    FiloComponentValue with[] = { { .type = filo_type_FiloTransform2, .value = &transform },
                                  { .type = filo_type_FiloSprite, .value = &sprite } };
    return filo_entity_create_with(stage->world, with, FILO_COUNT_OF(with));
}

FILO_TEST(a_hundred_thousand_sprites_of_64_images_are_one_draw_call) {
    Stage stage = stage_begin(ON_NULL, 2);
    many(&stage, 100000);
    extract(&stage);
    render(&stage);
    assert_int_equal(stats(&stage).visible, 100000);
    assert_int_equal(stats(&stage).draws, 1);
    assert_int_equal(filo_gpu_stats(stage.gpu).draws, 1);
    assert_int_equal(stats(&stage).pages, 1);
    // What is drawn at once between the layers, and on the screen, adds as many as it must.
    extract(&stage);
    FiloDraw *draw = filo_gfx2d_draw(stage.gfx);
    filo_draw_in_world(draw, 1);
    filo_draw_circle(draw, filo_vec2(0, 0), 5, FILO_COLOR_RED);
    filo_draw_on_screen(draw);
    filo_draw_text(draw, 0, 0, 1, FILO_COLOR_WHITE, "score");
    render(&stage);
    assert_int_equal(stats(&stage).draws, 4);
    stage_end(&stage);
}

// ---- In flight ----------------------------------------------------------------------------------------------

FILO_TEST(what_is_in_flight_is_never_written_to) {
    Stage stage = stage_begin(ON_NULL, 2);
    many(&stage, 2000);
    // The card never gets ready by itself: the ring has to wait for it, and the device compares what the card
    // has not read yet with what it was.
    filo_gpu_null_hold(stage.gpu, true);
    for (int i = 0; i < 12; i++) {
        filo_edit(stage.world, filo_entity_at(stage.world, 5), FiloTransform2)->position.x = (float)i;
        extract(&stage);
        render(&stage);
    }
    size_t waits = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(stage.gpu); i++)
        waits += strstr(filo_gpu_null_call(stage.gpu, i), "wait for frame") != NULL;
    assert_true(waits > 0);
    stage_end(&stage);
}

FILO_TEST(a_write_to_what_is_in_flight_would_be_noticed) {
    only_in_debug_builds();
    Stage stage = stage_begin(ON_NULL, 1);
    many(&stage, 100);
    filo_gpu_null_hold(stage.gpu, true);
    for (int i = 0; i < 3; i++) {
        extract(&stage);
        render(&stage);
    }
    extract(&stage);
    FiloQuad *quads = stage.gfx->views.items[0].quads;
    render(&stage);
    quads[3].x += 1; // what no later tick or extraction may do
    expect_fault("quads", filo_gpu_null_complete(stage.gpu, 3));
    stage_end(&stage);
}

FILO_TEST(an_extraction_that_is_never_drawn_gives_its_memory_back) {
    Stage stage = stage_begin(ON_NULL, 1);
    many(&stage, 100);
    extract(&stage);
    extract(&stage);
    render(&stage);
    extract(&stage);
    filo_gfx2d_destroy(stage.gfx);
    stage.gfx = NULL;
    filo_gpu_end_frame(stage.gpu); // which would report pieces that were not handed in
    stage_end(&stage);
}

FILO_TEST(a_steady_frame_on_the_card_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Stage stage = stage_begin(ON_NULL, 2);
    many(&stage, 5000);
    uint64_t before = 0;
    for (int i = 0; i < 30; i++) {
        if (i == 20) before = filo_test_malloc_calls();
        filo_edit(stage.world, filo_entity_at(stage.world, 5), FiloTransform2)->position.x = (float)i;
        extract(&stage);
        filo_draw_text(filo_gfx2d_draw(stage.gfx), 0, 0, 1, FILO_COLOR_WHITE, "score");
        filo_gfx2d_render(stage.gfx);
        filo_gpu_null_forget(stage.gpu);
        filo_gpu_end_frame(stage.gpu);
    }
    assert_int_equal(filo_test_malloc_calls(), before);
    stage_end(&stage);
}

// ---- Targets ------------------------------------------------------------------------------------------------

// A target that shows the world in red and blue, seen twice on the screen: as a sprite and drawn at once.
static FiloPixels mirror(Stage *stage) {
    uint32_t target;
    assert_ok(filo_gfx2d_target_create(&target, stage->gfx, filo_name("mirror"), 40, 20));
    assert_int_equal(target, 1);
    // Seen by the target's camera only: the upper half red, the right half of the lower half blue.
    filo_create(stage->world, FILO_SET(FiloTransform2, .position = { 500, 5 }, .scale = { 40, 10 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_RED));
    filo_create(stage->world, FILO_SET(FiloTransform2, .position = { 510, -5 }, .scale = { 20, 10 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_BLUE));
    filo_create(stage->world, FILO_SET(FiloTransform2, .position = { 500, 0 }),
                FILO_SET(FiloCamera, .target = 1, .background = FILO_COLOR_GREEN));
    filo_create(stage->world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .background = { 9, 9, 9, 255 }));
    sprite_at(stage, 0, 0, (FiloSprite){ .image = filo_name("mirror") });
    extract(stage);
    filo_draw_image(filo_gfx2d_draw(stage->gfx), filo_name("mirror"), 0,
                    filo_rect(filo_vec2(0, 0), filo_vec2(40, 20)), FILO_COLOR_WHITE);
    filo_gfx2d_render(stage->gfx);
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(stage->gfx, &pixels));
    if (stage->gpu != NULL) filo_gpu_end_frame(stage->gpu);
    return pixels;
}

static void check_mirror(Way way) {
    Stage stage = stage_begin(way, 1);
    FiloPixels picture = mirror(&stage);
    keep_picture(picture, "mirror");
    int left = WIDTH / 2 - 20, top = HEIGHT / 2 - 10;
    for (int i = 0; i < 2; i++) {
        int x = i == 0 ? left : 0, y = i == 0 ? top : 0;
        assert_color(pixel(picture, x, y), FILO_COLOR_RED);
        assert_color(pixel(picture, x + 39, y + 9), FILO_COLOR_RED);
        assert_color(pixel(picture, x, y + 10), FILO_COLOR_GREEN);
        assert_color(pixel(picture, x + 19, y + 19), FILO_COLOR_GREEN);
        assert_color(pixel(picture, x + 20, y + 10), FILO_COLOR_BLUE);
        assert_color(pixel(picture, x + 39, y + 19), FILO_COLOR_BLUE);
    }
    assert_color(pixel(picture, left - 1, top), filo_color(9, 9, 9, 255));
    assert_color(pixel(picture, left, top - 1), filo_color(9, 9, 9, 255));
    stage_end(&stage);
}

FILO_TEST(a_target_is_shown_as_an_image_on_the_cpu) { check_mirror(ON_CPU); }
FILO_TEST(a_target_is_shown_as_an_image_on_gl_45) { check_mirror(ON_GL45); }
FILO_TEST(a_target_is_shown_as_an_image_on_gl_33) { check_mirror(ON_GL33); }

// A camera that draws to a target on which the target itself is seen.
static void in_itself(Way way) {
    Stage stage = stage_begin(way, 1);
    uint32_t target;
    assert_ok(filo_gfx2d_target_create(&target, stage.gfx, filo_name("loop"), 16, 16));
    filo_create(stage.world, FILO_ADD(FiloTransform2),
                FILO_SET(FiloCamera, .target = target, .background = FILO_COLOR_RED));
    sprite_at(&stage, 0, 0, (FiloSprite){ .image = filo_name("loop") });
    for (int i = 0; i < 3; i++) {
        FiloPixels picture = shoot(&stage);
        assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    }
    stage_end(&stage);
}

FILO_TEST(a_target_does_not_show_itself_on_the_cpu) { in_itself(ON_CPU); }
FILO_TEST(a_target_does_not_show_itself_on_the_card) { in_itself(ON_GL45); }

FILO_TEST(a_target_without_a_name_or_a_size_is_a_mistake) {
    only_in_debug_builds();
    Stage stage = stage_begin(ON_CPU, 1);
    const char *needs = "a target needs a renderer, a name, and a size of 1 to 16384";
    FiloName name = filo_name("flat");
    uint32_t target = 7;
    expect_mistake(needs, filo_gfx2d_target_create(&target, stage.gfx, (FiloName){ 0 }, 4, 4));
    assert_int_equal(target, 0);
    expect_mistake(needs, filo_gfx2d_target_create(&target, stage.gfx, name, 4, 0));
    expect_mistake(needs, filo_gfx2d_target_create(&target, stage.gfx, name, 16385, 4));
    expect_mistake(needs, filo_gfx2d_target_create(&target, NULL, name, 4, 4));
    expect_mistake("say where to put the new target", filo_gfx2d_target_create(NULL, stage.gfx, name, 4, 4));
    stage_end(&stage);
}

// ---- Shaders ------------------------------------------------------------------------------------------------

static const char *const swap_red_and_blue =
    "vec4 sprite(vec4 texel, vec2 texel_place, vec4 color) {\n    return texel.bgra * color;\n}\n";

static void own_shader(Way way) {
    Stage stage = stage_begin(way, 1);
    uint16_t shader;
    assert_ok(filo_gfx2d_shader_create(&shader, stage.gfx, "swap", swap_red_and_blue));
    assert_int_equal(shader, 1);
    FiloName red = add_plain(stage.gfx, "red", 8, 8, FILO_COLOR_RED);
    sprite_at(&stage, -20, 0, (FiloSprite){ .image = red });
    sprite_at(&stage, 0, 0, (FiloSprite){ .image = red, .shader = shader });
    sprite_at(&stage, 20, 0, (FiloSprite){ .image = red });
    sprite_at(&stage, 40, 0, (FiloSprite){ .image = red, .shader = 77 }); // there is none: as usual
    FiloPixels picture = shoot(&stage);
    FiloColor r = FILO_COLOR_RED, swapped = { r.b, r.g, r.r, r.a };
    assert_color(pixel(picture, WIDTH / 2 - 20, HEIGHT / 2), r);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), swapped);
    assert_color(pixel(picture, WIDTH / 2 + 20, HEIGHT / 2), r);
    assert_color(pixel(picture, WIDTH / 2 + 40, HEIGHT / 2), r);
    assert_true(stats(&stage).draws <= 3); // ordered by shader
    stage_end(&stage);
}

FILO_TEST(sprites_can_have_a_shader_of_their_own_on_gl_45) { own_shader(ON_GL45); }
FILO_TEST(sprites_can_have_a_shader_of_their_own_on_gl_33) { own_shader(ON_GL33); }

FILO_TEST(a_broken_shader_is_refused_with_its_line) {
    Stage stage = stage_begin(ON_GL45, 1);
    uint16_t shader = 7;
    FiloResult result = filo_gfx2d_shader_create(&shader, stage.gfx, "glow",
                                                 "vec4 sprite(vec4 texel, vec2 texel_place, vec4 color) {\n"
                                                 "    return texel * colour;\n}\n");
    assert_int_equal(shader, 0);
    assert_error(result, FILO_ERROR_DATA, "glow (fragment shader), line 2");
    assert_contains(result.message, "colour");
    stage_end(&stage);
}

FILO_TEST(the_cpu_says_that_it_has_no_shaders_and_draws_as_usual) {
    Stage stage = stage_begin(ON_CPU, 1);
    uint16_t shader = 7;
    assert_error(filo_gfx2d_shader_create(&shader, stage.gfx, "swap", swap_red_and_blue),
                 FILO_ERROR_UNSUPPORTED, "swap: the CPU draws");
    assert_int_equal(shader, 0);
    FiloName red = add_plain(stage.gfx, "red", 8, 8, FILO_COLOR_RED);
    sprite_at(&stage, 0, 0, (FiloSprite){ .image = red, .shader = 1 });
    assert_color(pixel(shoot(&stage), WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    stage_end(&stage);
}

FILO_TEST(a_shader_without_a_label_or_a_text_is_a_mistake) {
    only_in_debug_builds();
    Stage stage = stage_begin(ON_CPU, 1);
    const char *needs = "pass a renderer, a label and the text of a shader";
    uint16_t shader = 7;
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, stage.gfx, NULL, swap_red_and_blue));
    assert_int_equal(shader, 0);
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, stage.gfx, "swap", NULL));
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, NULL, "swap", swap_red_and_blue));
    expect_mistake("say where to put the new shader",
                   filo_gfx2d_shader_create(NULL, stage.gfx, "swap", swap_red_and_blue));
    shader = 7;
    expect_mistake("pass a renderer with assets", filo_gfx2d_shader_load(&shader, stage.gfx, "swap.glsl"));
    assert_int_equal(shader, 0);
    expect_mistake("say where to put the new shader", filo_gfx2d_shader_load(NULL, stage.gfx, "swap.glsl"));
    stage_end(&stage);
}

FILO_TEST(targets_and_shaders_without_memory_are_refused_and_can_be_had_later) {
    for (int way = ON_CPU; way <= ON_NULL; way += ON_NULL) {
        Stage stage = stage_begin((Way)way, 1);
        Failing failing;
        failing_init(&failing, 10000);
        FiloGfx2d *gfx;
        assert_ok(filo_gfx2d_create(
            &gfx,
            &(FiloGfx2dDesc){ .world = stage.world, .gpu = stage.gpu, .allocator = &failing.allocator }));
        uint32_t target = 0;
        uint16_t shader = 0;
        int refused = 0;
        for (int allowed = 0; target == 0; allowed++) {
            failing.left = allowed;
            FiloResult result = filo_gfx2d_target_create(&target, gfx, filo_name("scarce"), 16, 16);
            assert_int_equal(target != 0, result.code == FILO_OK);
            if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
            refused += result.code != FILO_OK;
        }
        for (int allowed = 0; way == ON_NULL && shader == 0; allowed++) {
            failing.left = allowed;
            FiloResult result = filo_gfx2d_shader_create(&shader, gfx, "swap", swap_red_and_blue);
            assert_int_equal(shader != 0, result.code == FILO_OK);
            if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
            refused += result.code != FILO_OK;
        }
        assert_true(refused > 2);
        assert_int_equal(target, 1);
        filo_gfx2d_destroy(gfx);
        assert_int_equal(failing.used, 0);
        stage_end(&stage);
    }
}
