// Rendering in parts, if the game draws to the same picture in between; and the renderer as a module.

#include "gfx2d/fixture.h"

#include "gfx2d/renderer.h"

static const Backend backends[] = { ON_CPU, ON_GL45, ON_GL33 };

static void sprite(Fixture *fixture, float x, float y, float size, FiloColor color) {
    assert_true(filo_create(fixture->world,
                            FILO_SET(FiloTransform2, .position = { x, y }, .scale = { size, size }),
                            FILO_SET(FiloSprite, .color = color))
                    .id != 0);
}

static void box(Fixture *fixture, float x, float y, FiloColor color) {
    filo_draw_box(filo_gfx2d_draw(fixture->gfx), filo_rect_from_size(filo_vec2(x, y), filo_vec2(10, 10)),
                  color);
}

static bool part(Fixture *fixture, FiloRender2d render) {
    return filo_gfx2d_render_part(fixture->gfx, &render);
}

static void end_frame(Fixture *fixture) {
    if (fixture->gpu != NULL) filo_gpu_end_frame(fixture->gpu);
}

FILO_TEST(each_part_draws_what_has_not_been_drawn_yet) {
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        Fixture fixture = fixture_begin(backends[i], 2);
        sprite(&fixture, 0, 0, 20, FILO_COLOR_RED);
        for (int frame = 0; frame < 4; frame++) { // more than are in flight
            extract(&fixture);
            box(&fixture, 0, 0, FILO_COLOR_GREEN);
            assert_true(part(&fixture, (FiloRender2d){ 0 }));
            assert_false(part(&fixture, (FiloRender2d){ 0 })); // there is nothing left to draw
            box(&fixture, 5, 0, FILO_COLOR_BLUE);              // over the first
            filo_draw_in_world(filo_gfx2d_draw(fixture.gfx), 0);
            box(&fixture, 0, 0, FILO_COLOR_WHITE); // over the sprite, which is drawn already
            assert_true(part(&fixture, (FiloRender2d){ 0 }));
            FiloPixels pixels = drawn_picture(&fixture);
            assert_color(pixel(pixels, 2, 5), FILO_COLOR_GREEN);
            assert_color(pixel(pixels, 7, 5), FILO_COLOR_BLUE);
            assert_color(pixel(pixels, WIDTH / 2 - 5, HEIGHT / 2 + 5), FILO_COLOR_RED);
            assert_color(pixel(pixels, WIDTH / 2 + 5, HEIGHT / 2 - 5), FILO_COLOR_WHITE);
            assert_color(pixel(pixels, WIDTH - 2, HEIGHT - 2), FILO_COLOR_BLACK);
            end_frame(&fixture);
        }
        fixture_end(&fixture);
    }
}

FILO_TEST(without_sprites_the_screen_is_drawn_and_the_world_waits_for_them) {
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        Fixture fixture = fixture_begin(backends[i], 1);
        sprite(&fixture, 0, 0, 20, FILO_COLOR_RED);
        extract(&fixture);
        box(&fixture, WIDTH / 2 - 5, HEIGHT / 2 - 5, FILO_COLOR_GREEN); // where the sprite will be
        box(&fixture, 0, 0, FILO_COLOR_GREEN);
        filo_draw_in_world(filo_gfx2d_draw(fixture.gfx), 0);
        box(&fixture, 20, 0, FILO_COLOR_BLUE);
        assert_true(part(&fixture, (FiloRender2d){ .no_sprites = true }));
        FiloPixels pixels = drawn_picture(&fixture);
        assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_GREEN);
        assert_color(pixel(pixels, WIDTH / 2 + 25, HEIGHT / 2 - 5), FILO_COLOR_BLACK); // it was filled
        assert_false(part(&fixture, (FiloRender2d){ .no_sprites = true }));
        assert_true(part(&fixture, (FiloRender2d){ 0 })); // over that: the picture is not filled again
        pixels = drawn_picture(&fixture);
        assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
        assert_color(pixel(pixels, 5, 5), FILO_COLOR_GREEN);
        assert_color(pixel(pixels, WIDTH / 2 + 25, HEIGHT / 2 - 5), FILO_COLOR_BLUE);
        end_frame(&fixture);
        fixture_end(&fixture);
    }
}

static void fill_gl(Fixture *fixture, FiloVec4 color) {
    filo_gpu_begin_pass(fixture->gpu,
                        &(FiloGpuPass){ .width = WIDTH, .height = HEIGHT, .clear = true, .color = color });
    filo_gpu_end_pass(fixture->gpu);
}

FILO_TEST(sprites_are_drawn_over_what_is_there_unless_a_camera_fills_its_viewport) {
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        for (int filling = 0; filling < 2; filling++) {
            Fixture fixture = fixture_begin(backends[i], 2);
            sprite(&fixture, 0, 0, 20, FILO_COLOR_RED);
            filo_create(fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloCamera));
            filo_create(fixture.world, FILO_SET(FiloTransform2, .position = { 1000, 0 }),
                        FILO_SET(FiloCamera, .order = 1, .clear = filling != 0,
                                 .background = FILO_COLOR_GREEN, .viewport = { { 0.5f, 0 }, { 1, 0.25f } }));
            FiloPixels own;
            assert_true(filo_pixels_create(&own, WIDTH, HEIGHT, NULL));
            filo_pixels_fill(&own, FILO_COLOR_BLUE);
            extract(&fixture);
            if (fixture.gpu != NULL)
                fill_gl(&fixture, filo_vec4(40 / 255.0f, 100 / 255.0f, 230 / 255.0f, 1)); // FILO_COLOR_BLUE
            assert_true(part(&fixture, (FiloRender2d){ .picture = &own, .over = true }));
            FiloPixels pixels = drawn_picture(&fixture);
            if (fixture.gpu == NULL) assert_ptr_equal(pixels.data, own.data); // drawn in place
            assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
            assert_color(pixel(pixels, 2, HEIGHT - 2), FILO_COLOR_BLUE);
            assert_color(pixel(pixels, WIDTH - 2, 2), filling != 0 ? FILO_COLOR_GREEN : FILO_COLOR_BLUE);
            end_frame(&fixture);
            filo_pixels_free(&own, NULL);
            fixture_end(&fixture);
        }
    }
}

FILO_TEST(a_whole_rendering_draws_all_again_and_counts_its_draws_alone) {
    Fixture fixture = fixture_begin(ON_NULL, 1);
    sprite(&fixture, 0, 0, 20, FILO_COLOR_RED);
    extract(&fixture);
    box(&fixture, 0, 0, FILO_COLOR_GREEN);
    filo_gfx2d_render(fixture.gfx);
    size_t whole = stats(&fixture).draws;
    filo_gfx2d_render(fixture.gfx);
    assert_int_equal(stats(&fixture).draws, whole);
    end_frame(&fixture);
    extract(&fixture);
    part(&fixture, (FiloRender2d){ 0 });
    box(&fixture, 0, 0, FILO_COLOR_GREEN);
    part(&fixture, (FiloRender2d){ 0 }); // both belong to one frame
    assert_int_equal(stats(&fixture).draws, whole);
    end_frame(&fixture);
    fixture_end(&fixture);
}

FILO_TEST(mistakes_in_parts_are_reported) {
    Fixture fixture = fixture_begin(ON_CPU, 1);
    expect_fault("extract before you render", assert_false(part(&fixture, (FiloRender2d){ 0 })));
    extract(&fixture);
    FiloPixels small;
    assert_true(filo_pixels_create(&small, 8, 8, NULL));
    expect_fault("pass a picture of", assert_false(part(&fixture, (FiloRender2d){ .picture = &small })));
    filo_pixels_free(&small, NULL);
    fixture_end(&fixture);
}

// ---- As a module --------------------------------------------------------------------------------------------

// A program without an app: its world and device are objects of a module of its own.
static FiloResult load_fixture(FiloModules *modules, void *user) {
    Fixture *fixture = user;
    FILO_SET_OBJECT(modules, FiloWorld, fixture->world);
    FILO_SET_OBJECT(modules, FiloGpu, fixture->gpu);
    return filo_ok();
}

static FiloResult draw_corner(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_on_screen(draw);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(10, 10)), FILO_COLOR_GREEN);
    return filo_ok();
}

FILO_TEST(as_a_module_it_draws_in_frames_without_an_app) {
    for (int device = 0; device < 2; device++) {
        Fixture fixture = { .gpu = fixture_device(device != 0 ? ON_NULL : ON_CPU) };
        assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = 2 }));
        assert_ok(filo_world_create(&fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs }));
        FiloModules *modules;
        assert_ok(filo_modules_create(&modules, NULL));
        const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloWorld), FILO_PROVIDE_OBJECT(FiloGpu) };
        const FiloRenderHook renders[] = { { FILO_RENDER_UI, false, draw_corner } };
        FiloGfx2dModule gfx2d = { .desc.background = FILO_COLOR_BLUE };
        const FiloModuleDesc desc = filo_gfx2d_module(&gfx2d);
        assert_ok(filo_modules_register(modules, &desc));
        assert_ok(filo_modules_register(modules, &(FiloModuleDesc){ .name = "program",
                                                                    .user = &fixture,
                                                                    .load = load_fixture,
                                                                    .provides = provides,
                                                                    .provide_count = 2,
                                                                    .renders = renders,
                                                                    .render_count = 1 }));
        assert_ok(filo_modules_load_all(modules));
        sprite(&fixture, 0, 0, 20, FILO_COLOR_RED);
        FiloFrame *frame = filo_modules_frame(modules);
        FiloPixels pixels = { 0 };
        if (device == 0) assert_true(filo_pixels_create(&pixels, WIDTH, HEIGHT, NULL));
        frame->width = WIDTH, frame->height = HEIGHT, frame->blend = 1;
        frame->picture = pixels;
        for (int i = 0; i < 3; i++) {
            frame->cleared = false;
            assert_ok(filo_modules_call(modules, FILO_FRAME_EXTRACT));
            assert_ok(filo_modules_call(modules, FILO_FRAME_RENDER));
            assert_true(frame->cleared);
            if (device != 0) filo_gpu_end_frame(fixture.gpu);
        }
        if (device == 0) {
            assert_color(pixel(pixels, 5, 5), FILO_COLOR_GREEN);
            assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
            assert_color(pixel(pixels, WIDTH - 5, 5), FILO_COLOR_BLUE);
        }
        double value = 0;
        assert_true(filo_modules_stat(modules, "sprites", &value) && value == 1);
        assert_true(filo_modules_stat(modules, "draw_calls", &value) && value > 0);
        FiloLine lines[4];
        FiloLines page = { .items = lines, .capacity = 4 };
        filo_modules_debug(modules, &page);
        assert_int_equal(page.count, 2);
        assert_contains(lines[0].text, device != 0 ? "null: " : "CPU: ");
        assert_ok(filo_modules_reload(modules, "gfx2d"));
        filo_modules_destroy(modules);
        filo_pixels_free(&pixels, NULL);
        filo_gpu_destroy(fixture.gpu);
        filo_world_destroy(fixture.world);
        filo_jobs_destroy(fixture.jobs, FILO_JOBS_FINISH);
    }
}
