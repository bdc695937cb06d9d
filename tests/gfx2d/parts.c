// Rendering in parts, where others draw to the same picture; and the renderer as a module.

#include "gfx2d/stage.h"

#include "gfx2d/renderer.h"

static const Way ways[] = { ON_CPU, ON_GL45, ON_GL33 };

static void sprite(Stage *stage, float x, float y, float size, FiloColor color) {
    assert_true(filo_create(stage->world,
                            FILO_SET(FiloTransform2, .position = { x, y }, .scale = { size, size }),
                            FILO_SET(FiloSprite, .color = color))
                    .id != 0);
}

static void box(Stage *stage, float x, float y, FiloColor color) {
    filo_draw_box(filo_gfx2d_draw(stage->gfx), filo_rect_from_size(filo_vec2(x, y), filo_vec2(10, 10)),
                  color);
}

static bool part(Stage *stage, FiloRender2d render) { return filo_gfx2d_render_part(stage->gfx, &render); }

static FiloPixels picture_of(Stage *stage) {
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(stage->gfx, &pixels));
    return pixels;
}

static void end_frame(Stage *stage) {
    if (stage->gpu != NULL) filo_gpu_end_frame(stage->gpu);
}

FILO_TEST(each_part_draws_what_has_not_been_drawn_since) {
    for (size_t i = 0; i < FILO_COUNT_OF(ways); i++) {
        Stage stage = stage_begin(ways[i], 2);
        sprite(&stage, 0, 0, 20, FILO_COLOR_RED);
        for (int frame = 0; frame < 4; frame++) { // more than are in flight
            extract(&stage);
            box(&stage, 0, 0, FILO_COLOR_GREEN);
            assert_true(part(&stage, (FiloRender2d){ 0 }));
            assert_false(part(&stage, (FiloRender2d){ 0 })); // there is nothing more
            box(&stage, 5, 0, FILO_COLOR_BLUE);              // over the first
            filo_draw_in_world(filo_gfx2d_draw(stage.gfx), 0);
            box(&stage, 0, 0, FILO_COLOR_WHITE); // over the sprite, which is drawn already
            assert_true(part(&stage, (FiloRender2d){ 0 }));
            FiloPixels pixels = picture_of(&stage);
            assert_color(pixel(pixels, 2, 5), FILO_COLOR_GREEN);
            assert_color(pixel(pixels, 7, 5), FILO_COLOR_BLUE);
            assert_color(pixel(pixels, WIDTH / 2 - 5, HEIGHT / 2 + 5), FILO_COLOR_RED);
            assert_color(pixel(pixels, WIDTH / 2 + 5, HEIGHT / 2 - 5), FILO_COLOR_WHITE);
            assert_color(pixel(pixels, WIDTH - 2, HEIGHT - 2), FILO_COLOR_BLACK);
            end_frame(&stage);
        }
        stage_end(&stage);
    }
}

FILO_TEST(without_sprites_the_screen_is_drawn_and_the_world_waits_for_them) {
    for (size_t i = 0; i < FILO_COUNT_OF(ways); i++) {
        Stage stage = stage_begin(ways[i], 1);
        sprite(&stage, 0, 0, 20, FILO_COLOR_RED);
        extract(&stage);
        box(&stage, WIDTH / 2 - 5, HEIGHT / 2 - 5, FILO_COLOR_GREEN); // where the sprite will be
        box(&stage, 0, 0, FILO_COLOR_GREEN);
        filo_draw_in_world(filo_gfx2d_draw(stage.gfx), 0);
        box(&stage, 20, 0, FILO_COLOR_BLUE);
        assert_true(part(&stage, (FiloRender2d){ .no_sprites = true }));
        FiloPixels pixels = picture_of(&stage);
        assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_GREEN);
        assert_color(pixel(pixels, WIDTH / 2 + 25, HEIGHT / 2 - 5), FILO_COLOR_BLACK); // it was filled
        assert_false(part(&stage, (FiloRender2d){ .no_sprites = true }));
        assert_true(part(&stage, (FiloRender2d){ 0 })); // over that: the picture is not filled again
        pixels = picture_of(&stage);
        assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
        assert_color(pixel(pixels, 5, 5), FILO_COLOR_GREEN);
        assert_color(pixel(pixels, WIDTH / 2 + 25, HEIGHT / 2 - 5), FILO_COLOR_BLUE);
        end_frame(&stage);
        stage_end(&stage);
    }
}

static void fill_gl(Stage *stage, FiloVec4 color) {
    filo_gpu_begin_pass(stage->gpu,
                        &(FiloGpuPass){ .width = WIDTH, .height = HEIGHT, .clear = true, .color = color });
    filo_gpu_end_pass(stage->gpu);
}

FILO_TEST(sprites_are_drawn_over_what_is_there_unless_a_camera_fills_its_part) {
    for (size_t i = 0; i < FILO_COUNT_OF(ways); i++) {
        for (int filling = 0; filling < 2; filling++) {
            Stage stage = stage_begin(ways[i], 2);
            sprite(&stage, 0, 0, 20, FILO_COLOR_RED);
            filo_create(stage.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloCamera));
            filo_create(stage.world, FILO_SET(FiloTransform2, .position = { 1000, 0 }),
                        FILO_SET(FiloCamera, .order = 1, .clear = filling != 0,
                                 .background = FILO_COLOR_GREEN, .viewport = { { 0.5f, 0 }, { 1, 0.25f } }));
            FiloPixels own;
            assert_true(filo_pixels_create(&own, WIDTH, HEIGHT, NULL));
            filo_pixels_fill(&own, FILO_COLOR_BLUE);
            extract(&stage);
            if (stage.gpu != NULL)
                fill_gl(&stage, filo_vec4(40 / 255.0f, 100 / 255.0f, 230 / 255.0f, 1)); // FILO_COLOR_BLUE
            assert_true(part(&stage, (FiloRender2d){ .picture = &own, .over = true }));
            FiloPixels pixels = picture_of(&stage);
            if (stage.gpu == NULL) assert_ptr_equal(pixels.data, own.data); // drawn in place
            assert_color(pixel(pixels, WIDTH / 2, HEIGHT / 2), FILO_COLOR_RED);
            assert_color(pixel(pixels, 2, HEIGHT - 2), FILO_COLOR_BLUE);
            assert_color(pixel(pixels, WIDTH - 2, 2), filling != 0 ? FILO_COLOR_GREEN : FILO_COLOR_BLUE);
            end_frame(&stage);
            filo_pixels_free(&own, NULL);
            stage_end(&stage);
        }
    }
}

FILO_TEST(a_whole_rendering_draws_all_again_and_counts_its_draws_alone) {
    Stage stage = stage_begin(ON_NULL, 1);
    sprite(&stage, 0, 0, 20, FILO_COLOR_RED);
    extract(&stage);
    box(&stage, 0, 0, FILO_COLOR_GREEN);
    filo_gfx2d_render(stage.gfx);
    size_t whole = stats(&stage).draws;
    filo_gfx2d_render(stage.gfx);
    assert_int_equal(stats(&stage).draws, whole);
    end_frame(&stage);
    extract(&stage);
    part(&stage, (FiloRender2d){ 0 });
    box(&stage, 0, 0, FILO_COLOR_GREEN);
    part(&stage, (FiloRender2d){ 0 }); // both are of one frame
    assert_int_equal(stats(&stage).draws, whole);
    end_frame(&stage);
    stage_end(&stage);
}

FILO_TEST(parts_that_cannot_be_are_caught) {
    Stage stage = stage_begin(ON_CPU, 1);
    expect_fault("extract before you render", assert_false(part(&stage, (FiloRender2d){ 0 })));
    extract(&stage);
    FiloPixels small;
    assert_true(filo_pixels_create(&small, 8, 8, NULL));
    expect_fault("pass a picture of", assert_false(part(&stage, (FiloRender2d){ .picture = &small })));
    filo_pixels_free(&small, NULL);
    stage_end(&stage);
}

// ---- As a module --------------------------------------------------------------------------------------------

// A program without an app: its world and device are objects of a module of its own.
static FiloResult load_stage(FiloModules *modules, void *user) {
    Stage *stage = user;
    FILO_SET_OBJECT(modules, FiloWorld, stage->world);
    FILO_SET_OBJECT(modules, FiloGpu, stage->gpu);
    return filo_ok();
}

static FiloResult draw_corner(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_on_screen(draw);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(10, 10)), FILO_COLOR_GREEN);
    return filo_ok();
}

FILO_TEST(as_a_module_it_draws_for_whoever_runs_frames) {
    for (int device = 0; device < 2; device++) {
        Stage stage = { .gpu = stage_device(device != 0 ? ON_NULL : ON_CPU) };
        assert_ok(filo_jobs_create(&stage.jobs, &(FiloJobsDesc){ .threads = 2 }));
        assert_ok(filo_world_create(&stage.world, &(FiloWorldDesc){ .jobs = stage.jobs }));
        FiloModules *modules;
        assert_ok(filo_modules_create(&modules, NULL));
        const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(FiloWorld), FILO_PROVIDE_OBJECT(FiloGpu) };
        const FiloRenderHook renders[] = { { FILO_RENDER_UI, false, draw_corner } };
        FiloGfx2dModule gfx2d = { .desc.background = FILO_COLOR_BLUE };
        const FiloModuleDesc desc = filo_gfx2d_module(&gfx2d);
        assert_ok(filo_modules_register(modules, &desc));
        assert_ok(filo_modules_register(modules, &(FiloModuleDesc){ .name = "program",
                                                                    .user = &stage,
                                                                    .load = load_stage,
                                                                    .provides = provides,
                                                                    .provide_count = 2,
                                                                    .renders = renders,
                                                                    .render_count = 1 }));
        assert_ok(filo_modules_load_all(modules));
        sprite(&stage, 0, 0, 20, FILO_COLOR_RED);
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
            if (device != 0) filo_gpu_end_frame(stage.gpu);
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
        filo_gpu_destroy(stage.gpu);
        filo_world_destroy(stage.world);
        filo_jobs_destroy(stage.jobs, FILO_JOBS_FINISH);
    }
}
