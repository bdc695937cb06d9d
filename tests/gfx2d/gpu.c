// The GPU: draw calls, memory in flight, targets, shaders.

#include "support/malloc_count.h"

#include "gfx2d/fixture.h"

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

static void many(Fixture *fixture, size_t count) {
    static FiloName images[64];
    for (int i = 0; i < 64; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "image %d", i);
        images[i] = add_plain(fixture->gfx, name, 16, 16, filo_color_from_hsv((float)i / 64, 1, 1, 1));
    }
    FiloComponentValue with[] = { FILO_ADD(FiloTransform2), FILO_ADD(FiloSprite),
                                  FILO_ADD(FiloPreviousTransform2) };
    assert_true(filo_entity_create_block(
        fixture->world,
        &(FiloBlockDesc){ .count = count, .values = with, .value_count = 3, .fill = fill, .user = images }));
}

static FiloEntity sprite_at(Fixture *fixture, float x, float y, FiloSprite sprite) {
    FiloTransform2 transform = { .position = { x, y } };
    FiloComponentValue with[] = { { .component_type = filo_type_FiloTransform2, .value = &transform },
                                  { .component_type = filo_type_FiloSprite, .value = &sprite } };
    return filo_entity_create_with(fixture->world, with, FILO_COUNT_OF(with));
}

FILO_TEST(a_hundred_thousand_sprites_of_64_images_are_one_draw_call) {
    Fixture fixture = fixture_begin(ON_NULL, 2);
    many(&fixture, 100000);
    extract(&fixture);
    render(&fixture);
    assert_int_equal(stats(&fixture).visible, 100000);
    assert_int_equal(stats(&fixture).draws, 1);
    assert_int_equal(filo_gpu_stats(fixture.gpu).draws, 1);
    assert_int_equal(stats(&fixture).pages, 1);
    // Immediate quads between the layers, and on the screen, split the draw call.
    extract(&fixture);
    FiloDraw *draw = filo_gfx2d_draw(fixture.gfx);
    filo_draw_in_world(draw, 1);
    filo_draw_circle(draw, filo_vec2(0, 0), 5, FILO_COLOR_RED);
    filo_draw_on_screen(draw);
    filo_draw_text(draw, 0, 0, 1, FILO_COLOR_WHITE, "score");
    render(&fixture);
    assert_int_equal(stats(&fixture).draws, 4);
    fixture_end(&fixture);
}

// ---- In flight ----------------------------------------------------------------------------------------------

FILO_TEST(memory_in_flight_is_never_written_to) {
    Fixture fixture = fixture_begin(ON_NULL, 2);
    many(&fixture, 2000);
    // The null device never finishes by itself: the ring has to wait for it, and the device checks that memory in
    // flight is unchanged.
    filo_gpu_null_hold(fixture.gpu, true);
    for (int i = 0; i < 12; i++) {
        filo_edit(fixture.world, filo_entity_at(fixture.world, 5), FiloTransform2)->position.x = (float)i;
        extract(&fixture);
        render(&fixture);
    }
    size_t waits = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(fixture.gpu); i++)
        waits += strstr(filo_gpu_null_call(fixture.gpu, i), "wait for frame") != NULL;
    assert_true(waits > 0);
    fixture_end(&fixture);
}

FILO_TEST(a_write_to_memory_in_flight_would_be_noticed) {
    only_in_debug_builds();
    Fixture fixture = fixture_begin(ON_NULL, 1);
    many(&fixture, 100);
    filo_gpu_null_hold(fixture.gpu, true);
    for (int i = 0; i < 3; i++) {
        extract(&fixture);
        render(&fixture);
    }
    extract(&fixture);
    FiloQuad *quads = fixture.gfx->views.items[0].quads;
    render(&fixture);
    quads[3].x += 1; // no later tick or extraction may do this
    expect_fault("quads", filo_gpu_null_complete(fixture.gpu, 3));
    fixture_end(&fixture);
}

FILO_TEST(an_extraction_that_is_never_drawn_releases_its_memory) {
    Fixture fixture = fixture_begin(ON_NULL, 1);
    many(&fixture, 100);
    extract(&fixture);
    extract(&fixture);
    render(&fixture);
    extract(&fixture);
    filo_gfx2d_destroy(fixture.gfx);
    fixture.gfx = NULL;
    filo_gpu_end_frame(fixture.gpu); // it would report pieces that were not released
    fixture_end(&fixture);
}

FILO_TEST(a_steady_frame_on_the_gpu_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture = fixture_begin(ON_NULL, 2);
    many(&fixture, 5000);
    FiloTestSteady steady = { 0 };
    while (filo_test_unsteady(&steady, 20)) {
        filo_edit(fixture.world, filo_entity_at(fixture.world, 5), FiloTransform2)->position.x =
            (float)steady.turn;
        extract(&fixture);
        filo_draw_text(filo_gfx2d_draw(fixture.gfx), 0, 0, 1, FILO_COLOR_WHITE, "score");
        filo_gfx2d_render(fixture.gfx);
        filo_gpu_null_forget(fixture.gpu);
        filo_gpu_end_frame(fixture.gpu);
    }
    fixture_end(&fixture);
}

// ---- Targets ------------------------------------------------------------------------------------------------

// A target that shows the world in red and blue, twice on the screen: as a sprite and as an immediate image.
static FiloPixels mirror(Fixture *fixture) {
    uint32_t target;
    assert_ok(filo_gfx2d_target_create(&target, fixture->gfx, filo_name("mirror"), 40, 20));
    assert_int_equal(target, 1);
    // Seen by the target's camera only: the upper half red, the right half of the lower half blue.
    filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { 500, 5 }, .scale = { 40, 10 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_RED));
    filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { 510, -5 }, .scale = { 20, 10 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_BLUE));
    filo_create(fixture->world, FILO_SET(FiloTransform2, .position = { 500, 0 }),
                FILO_SET(FiloCamera, .target = 1, .background = FILO_COLOR_GREEN));
    filo_create(fixture->world, FILO_ADD(FiloTransform2),
                FILO_SET(FiloCamera, .background = { 9, 9, 9, 255 }));
    sprite_at(fixture, 0, 0, (FiloSprite){ .image = filo_name("mirror") });
    extract(fixture);
    filo_draw_image(filo_gfx2d_draw(fixture->gfx), filo_name("mirror"), 0,
                    filo_rect(filo_vec2(0, 0), filo_vec2(40, 20)), FILO_COLOR_WHITE);
    filo_gfx2d_render(fixture->gfx);
    FiloPixels pixels = drawn_picture(fixture);
    if (fixture->gpu != NULL) filo_gpu_end_frame(fixture->gpu);
    return pixels;
}

static void check_mirror(Backend backend) {
    Fixture fixture = fixture_begin(backend, 1);
    FiloPixels picture = mirror(&fixture);
    save_picture(picture, "mirror");
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
    fixture_end(&fixture);
}

FILO_TEST(a_target_is_shown_as_an_image_on_the_cpu) { check_mirror(ON_CPU); }
FILO_TEST(a_target_is_shown_as_an_image_on_gl_45) { check_mirror(ON_GL45); }
FILO_TEST(a_target_is_shown_as_an_image_on_gl_33) { check_mirror(ON_GL33); }

// A camera that draws to a target and sees a sprite that shows that target.
static void in_itself(Backend backend) {
    Fixture fixture = fixture_begin(backend, 1);
    uint32_t target;
    assert_ok(filo_gfx2d_target_create(&target, fixture.gfx, filo_name("loop"), 16, 16));
    filo_create(fixture.world, FILO_ADD(FiloTransform2),
                FILO_SET(FiloCamera, .target = target, .background = FILO_COLOR_RED));
    sprite_at(&fixture, 0, 0, (FiloSprite){ .image = filo_name("loop") });
    for (int i = 0; i < 3; i++) {
        FiloPixels picture = screenshot(&fixture);
        assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    }
    fixture_end(&fixture);
}

FILO_TEST(a_target_does_not_show_itself_on_the_cpu) { in_itself(ON_CPU); }
FILO_TEST(a_target_does_not_show_itself_on_the_gpu) { in_itself(ON_GL45); }

FILO_TEST(a_target_without_a_name_or_a_size_is_a_mistake) {
    only_in_debug_builds();
    Fixture fixture = fixture_begin(ON_CPU, 1);
    const char *needs = "a target needs a renderer, a name, and a size of 1 to 16384";
    FiloName name = filo_name("flat");
    uint32_t target = 7;
    expect_mistake(needs, filo_gfx2d_target_create(&target, fixture.gfx, (FiloName){ 0 }, 4, 4));
    assert_int_equal(target, 0);
    expect_mistake(needs, filo_gfx2d_target_create(&target, fixture.gfx, name, 4, 0));
    expect_mistake(needs, filo_gfx2d_target_create(&target, fixture.gfx, name, 16385, 4));
    expect_mistake(needs, filo_gfx2d_target_create(&target, NULL, name, 4, 4));
    expect_mistake("say where to put the new target",
                   filo_gfx2d_target_create(NULL, fixture.gfx, name, 4, 4));
    fixture_end(&fixture);
}

// ---- Textures of others ---------------------------------------------------------------------------------------

static FiloTexture make_texture(FiloGpu *gpu, FiloColor color, int width, int height, int layers) {
    FiloColor pixels[64];
    assert_true(width * height <= 64);
    for (int i = 0; i < width * height; i++) pixels[i] = color;
    FiloTexture texture;
    FiloTextureDesc desc = { .width = width, .height = height, .layers = layers, .data = pixels };
    assert_ok(filo_gpu_texture_create(&texture, gpu, &desc));
    return texture;
}

// Shown as a sprite in the middle and as an immediate image in the corner.
static FiloPixels show_twice(Fixture *fixture) {
    extract(fixture);
    filo_draw_image(filo_gfx2d_draw(fixture->gfx), filo_name("view"), 0,
                    filo_rect(filo_vec2(0, 0), filo_vec2(8, 4)), FILO_COLOR_WHITE);
    filo_gfx2d_render(fixture->gfx);
    FiloPixels pixels = drawn_picture(fixture);
    filo_gpu_end_frame(fixture->gpu);
    return pixels;
}

static void check_texture(Backend backend) {
    Fixture fixture = fixture_begin(backend, 1);
    FiloTexture red = make_texture(fixture.gpu, FILO_COLOR_RED, 8, 4, 1);
    FiloTexture blue = make_texture(fixture.gpu, FILO_COLOR_BLUE, 4, 4, 1);
    assert_ok(filo_gfx2d_show_texture(fixture.gfx, filo_name("view"), red));
    sprite_at(&fixture, 0, 0, (FiloSprite){ .image = filo_name("view") });
    FiloPixels picture = show_twice(&fixture);
    assert_color(pixel(picture, WIDTH / 2 - 4, HEIGHT / 2 - 2), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 + 3, HEIGHT / 2 + 1), FILO_COLOR_RED);
    assert_color(pixel(picture, 7, 3), FILO_COLOR_RED);
    FiloColor background = pixel(picture, WIDTH / 2 - 5, HEIGHT / 2);
    // Another one under the same name, half as wide.
    assert_ok(filo_gfx2d_show_texture(fixture.gfx, filo_name("view"), blue));
    picture = show_twice(&fixture);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), FILO_COLOR_BLUE);
    assert_color(pixel(picture, WIDTH / 2 - 4, HEIGHT / 2), background);
    assert_color(pixel(picture, 7, 3), FILO_COLOR_BLUE);
    // They are not the renderer's: it does not destroy them.
    filo_gfx2d_destroy(fixture.gfx);
    fixture.gfx = NULL;
    assert_true(filo_gpu_texture_valid(fixture.gpu, red) && filo_gpu_texture_valid(fixture.gpu, blue));
    fixture_end(&fixture);
}

FILO_TEST(a_texture_is_shown_as_an_image_on_gl_45) { check_texture(ON_GL45); }
FILO_TEST(a_texture_is_shown_as_an_image_on_gl_33) { check_texture(ON_GL33); }

FILO_TEST(the_cpu_refuses_to_show_a_texture) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    FiloResult r = filo_gfx2d_show_texture(fixture.gfx, filo_name("view"), (FiloTexture){ 1 });
    assert_int_equal(r.code, FILO_ERROR_UNSUPPORTED);
    assert_string_equal(r.message, "view: the CPU draws, which cannot show a texture of a graphics device");
    fixture_end(&fixture);
}

FILO_TEST(a_texture_of_another_kind_is_a_mistake_and_so_is_a_camera_that_draws_to_a_shown_one) {
    only_in_debug_builds();
    Fixture fixture = fixture_begin(ON_NULL, 1);
    FiloName view = filo_name("view");
    FiloTexture plain = make_texture(fixture.gpu, FILO_COLOR_RED, 4, 4, 0);
    FiloTexture array = make_texture(fixture.gpu, FILO_COLOR_RED, 4, 4, 1);
    const char *needs = "showing a texture needs a renderer, a name and a texture";
    expect_mistake(needs, filo_gfx2d_show_texture(NULL, view, array));
    expect_mistake(needs, filo_gfx2d_show_texture(fixture.gfx, (FiloName){ 0 }, array));
    expect_mistake(needs, filo_gfx2d_show_texture(fixture.gfx, view, (FiloTexture){ 0 }));
    expect_mistake(
        "show a texture of format RGBA8 that is an array with one layer, of up to 16384 × 16384 pixels",
        filo_gfx2d_show_texture(fixture.gfx, view, plain));
    assert_ok(filo_gfx2d_show_texture(fixture.gfx, view, array));
    filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .target = 1));
    expect_fault("target 1, which does not exist", extract(&fixture));
    fixture_end(&fixture);
}

// ---- Shaders ------------------------------------------------------------------------------------------------

static const char *const swap_red_and_blue =
    "vec4 sprite(vec4 texel, vec2 texel_position, vec4 color) {\n    return texel.bgra * color;\n}\n";

static void own_shader(Backend backend) {
    Fixture fixture = fixture_begin(backend, 1);
    uint16_t shader;
    assert_ok(filo_gfx2d_shader_create(&shader, fixture.gfx, "swap", swap_red_and_blue));
    assert_int_equal(shader, 1);
    FiloName red = add_plain(fixture.gfx, "red", 8, 8, FILO_COLOR_RED);
    sprite_at(&fixture, -20, 0, (FiloSprite){ .image = red });
    sprite_at(&fixture, 0, 0, (FiloSprite){ .image = red, .shader = shader });
    sprite_at(&fixture, 20, 0, (FiloSprite){ .image = red });
    sprite_at(&fixture, 40, 0, (FiloSprite){ .image = red, .shader = 77 }); // there is none: drawn without
    FiloPixels picture = screenshot(&fixture);
    FiloColor r = FILO_COLOR_RED, swapped = { r.b, r.g, r.r, r.a };
    assert_color(pixel(picture, WIDTH / 2 - 20, HEIGHT / 2), r);
    assert_color(pixel(picture, WIDTH / 2, HEIGHT / 2), swapped);
    assert_color(pixel(picture, WIDTH / 2 + 20, HEIGHT / 2), r);
    assert_color(pixel(picture, WIDTH / 2 + 40, HEIGHT / 2), r);
    assert_true(stats(&fixture).draws <= 3); // ordered by shader
    fixture_end(&fixture);
}

FILO_TEST(sprites_can_have_a_shader_of_their_own_on_gl_45) { own_shader(ON_GL45); }
FILO_TEST(sprites_can_have_a_shader_of_their_own_on_gl_33) { own_shader(ON_GL33); }

FILO_TEST(a_broken_shader_is_refused_with_its_line) {
    Fixture fixture = fixture_begin(ON_GL45, 1);
    uint16_t shader = 7;
    FiloResult result =
        filo_gfx2d_shader_create(&shader, fixture.gfx, "glow",
                                 "vec4 sprite(vec4 texel, vec2 texel_position, vec4 color) {\n"
                                 "    return texel * colour;\n}\n");
    assert_int_equal(shader, 0);
    assert_error(result, FILO_ERROR_DATA, "glow (fragment shader), line 2");
    assert_contains(result.message, "colour");
    fixture_end(&fixture);
}

FILO_TEST(the_cpu_says_that_it_has_no_shaders_and_draws_as_usual) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    uint16_t shader = 7;
    assert_error(filo_gfx2d_shader_create(&shader, fixture.gfx, "swap", swap_red_and_blue),
                 FILO_ERROR_UNSUPPORTED, "swap: the CPU draws");
    assert_int_equal(shader, 0);
    FiloName red = add_plain(fixture.gfx, "red", 8, 8, FILO_COLOR_RED);
    sprite_at(&fixture, 0, 0, (FiloSprite){ .image = red, .shader = 1 });
    assert_color(pixel(screenshot(&fixture), WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
    fixture_end(&fixture);
}

FILO_TEST(a_shader_without_a_label_or_a_text_is_a_mistake) {
    only_in_debug_builds();
    Fixture fixture = fixture_begin(ON_CPU, 1);
    const char *needs = "pass a renderer, a label and the text of a shader";
    uint16_t shader = 7;
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, fixture.gfx, NULL, swap_red_and_blue));
    assert_int_equal(shader, 0);
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, fixture.gfx, "swap", NULL));
    expect_mistake(needs, filo_gfx2d_shader_create(&shader, NULL, "swap", swap_red_and_blue));
    expect_mistake("say where to put the new shader",
                   filo_gfx2d_shader_create(NULL, fixture.gfx, "swap", swap_red_and_blue));
    shader = 7;
    expect_mistake("pass a renderer with assets", filo_gfx2d_shader_load(&shader, fixture.gfx, "swap.glsl"));
    assert_int_equal(shader, 0);
    expect_mistake("say where to put the new shader", filo_gfx2d_shader_load(NULL, fixture.gfx, "swap.glsl"));
    fixture_end(&fixture);
}

FILO_TEST(targets_and_shaders_without_memory_are_refused_and_can_be_created_later) {
    for (int backend = ON_CPU; backend <= ON_NULL; backend += ON_NULL) {
        Fixture fixture = fixture_begin((Backend)backend, 1);
        LimitedAllocator limited;
        limited_init(&limited, 10000);
        FiloGfx2d *gfx;
        assert_ok(filo_gfx2d_create(
            &gfx,
            &(FiloGfx2dDesc){ .world = fixture.world, .gpu = fixture.gpu, .allocator = &limited.allocator }));
        uint32_t target = 0;
        uint16_t shader = 0;
        int refused = 0;
        for (int allowed = 0; target == 0; allowed++) {
            limited.left = allowed;
            FiloResult result = filo_gfx2d_target_create(&target, gfx, filo_name("scarce"), 16, 16);
            assert_int_equal(target != 0, result.code == FILO_OK);
            if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
            refused += result.code != FILO_OK;
        }
        for (int allowed = 0; backend == ON_NULL && shader == 0; allowed++) {
            limited.left = allowed;
            FiloResult result = filo_gfx2d_shader_create(&shader, gfx, "swap", swap_red_and_blue);
            assert_int_equal(shader != 0, result.code == FILO_OK);
            if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
            refused += result.code != FILO_OK;
        }
        assert_true(refused > 2);
        assert_int_equal(target, 1);
        filo_gfx2d_destroy(gfx);
        assert_int_equal(limited.used, 0);
        fixture_end(&fixture);
    }
}
