// The picture: the same with all backends; the debug view; assets that break while the game runs.

#include "picture.h"
#include "app/overlay.h"
#include "support/gl_context.h"
#include "support/screenless.h"

#include <filo/files.h>

#include <epoxy/gl.h>

// ---- The game ---------------------------------------------------------------------------------------------

static void draw(FiloApp *app, FiloDraw *immediate) {
    FILO_UNUSED(app);
    filo_draw_on_screen(immediate);
    filo_draw_box(immediate, filo_rect(filo_vec2(200, 20), filo_vec2(280, 60)), FILO_COLOR_RED);
    filo_draw_circle(immediate, filo_vec2(240, 160), 30, FILO_COLOR_GREEN);
    filo_draw_text(immediate, 200, 200, 2, FILO_COLOR_WHITE, "Filo");
}

static void spin(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) transform[i].rotation += it->delta;
}

static FiloResult define(FiloApp *app) {
    filo_system_add(filo_app_world(app), &(FiloSystemDesc){ .name = "spin",
                                                            .run = spin,
                                                            .parallel = true,
                                                            .query.terms = { FILO_WRITE(FiloTransform2),
                                                                             FILO_WITH(FiloSprite) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 16, 16, NULL));
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            *filo_pixels_at(&pixels, x, y) = filo_color((uint8_t)(x * 16), (uint8_t)(y * 16), 128, 255);
    filo_assets_add_pixels(filo_app_assets(app), "tile", &pixels);
    filo_pixels_free(&pixels, NULL);
    for (int i = 0; i < 500; i++) {
        FiloRandom random = filo_random_keyed(1, 0, 0, (uint64_t)i);
        float x = filo_random_float(&random) * 320 - 160, y = filo_random_float(&random) * 240 - 120;
        filo_create(world, FILO_SET(FiloTransform2, .position = { x, y }),
                    FILO_SET(FiloSprite, .image = filo_name("tile")));
    }
    return filo_ok();
}

static FiloAppDesc game(void) {
    return (FiloAppDesc){ .name = "test",
                          .window = { .width = WIDTH, .height = HEIGHT },
                          .asset_folder = filo_test_folder(),
                          .define = define,
                          .create = create,
                          .draw = draw };
}

// The picture after ten ticks.
static FiloPixels picture_of(const FiloAppDesc *desc, FiloBackend backend, int threads) {
    FiloCommonArgs args = drawn_by(backend, threads);
    args.frames = 10;
    FiloApp *app = start(desc, &args);
    assert_int_equal(filo_app_backend(app), backend);
    while (filo_app_frame(app)) {}
    FiloPixels pixels = take_shot(app);
    filo_app_destroy(app);
    return pixels;
}

// ---- One picture ------------------------------------------------------------------------------------------

FILO_TEST(the_picture_is_the_same_from_any_number_of_threads) {
    FiloAppDesc desc = game();
    FiloPixels first = picture_of(&desc, FILO_BACKEND_CPU, 1);
    assert_true(count_whole(&first, FILO_COLOR_RED, 8) > 3000);
    const int threads[] = { 2, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        FiloPixels other = picture_of(&desc, FILO_BACKEND_CPU, threads[i]);
        assert_int_equal(filo_pixels_compare(&first, &other, 0).pixels, 0);
        filo_pixels_free(&other, NULL);
    }
    filo_pixels_free(&first, NULL);
}

static double mean_difference(const FiloAppDesc *desc, const FiloAppDesc *reference) {
    FiloPixels ours = picture_of(reference, FILO_BACKEND_CPU, 2);
    FiloPixels theirs = picture_of(desc, FILO_BACKEND_GL, 2);
    assert_int_equal(ours.width, theirs.width);
    double mean = filo_pixels_compare(&ours, &theirs, 0).mean;
    filo_pixels_free(&ours, NULL);
    filo_pixels_free(&theirs, NULL);
    return mean;
}

FILO_TEST(a_context_of_the_program_shows_the_same_picture) {
    filo_test_gl_context(4, 5);
    FiloAppDesc desc = game();
    desc.window.width = FILO_TEST_GL_WIDTH;
    desc.window.height = FILO_TEST_GL_HEIGHT;
    FiloAppDesc own = desc;
    own.window.own_context = true;
    assert_true(mean_difference(&own, &desc) < 2);
    // The context is still current, without an error.
    assert_int_equal(glGetError(), GL_NO_ERROR);
    filo_test_gl_context_end();
}

FILO_TEST(a_context_of_the_program_is_used_with_any_backend) {
    filo_test_gl_context(3, 3);
    FiloAppDesc desc = game();
    desc.window.own_context = true;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_ANY, 2);
    FiloApp *app = start(&desc, &args);
    assert_int_equal(filo_app_backend(app), FILO_BACKEND_GL);
    run_frames(app, 3);
    filo_window_set_size(filo_app_window(app), FILO_TEST_GL_WIDTH, FILO_TEST_GL_HEIGHT);
    run_frames(app, 3);
    FiloPixels pixels = take_shot(app);
    assert_int_equal(pixels.width, FILO_TEST_GL_WIDTH);
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
    filo_test_gl_context_end();
}

static bool has_gl(void) {
    FiloApp *app;
    FiloAppDesc desc = game();
    FiloCommonArgs args = drawn_by(FILO_BACKEND_GL, 1);
    FiloResult r = filo_app_create(&app, &desc, &args);
    if (r.code == FILO_OK) filo_app_destroy(app);
    return r.code == FILO_OK;
}

FILO_TEST_PROGRAM(compares_gl_with_the_cpu) {
    if (!has_gl()) {
        printf("no GL\n");
        return;
    }
    FiloAppDesc desc = game();
    FiloCommonArgs args = drawn_by(FILO_BACKEND_GL, 1);
    FiloApp *app = start(&desc, &args);
    const FiloGpuLimits *limits = filo_gpu_limits(filo_app_gpu(app));
    printf("GL %s\n", limits->kind == FILO_GPU_GL45 ? "4.5" : "3.3");
    filo_app_destroy(app);
    printf("%s\n", mean_difference(&desc, &desc) < 2 ? "the same" : "another picture");
}

FILO_TEST(old_and_new_gl_draw_as_the_cpu_does) {
    const char *const overrides[] = { "MESA_GL_VERSION_OVERRIDE=4.5", "MESA_GL_VERSION_OVERRIDE=3.3" };
    for (size_t i = 0; i < FILO_COUNT_OF(overrides); i++) {
        FiloTestResult outcome;
        filo_test_run(&outcome, &(FiloTestRun){ .program = "compares_gl_with_the_cpu",
                                                .environment = { overrides[i] } });
        if (strstr(outcome.output, "no GL") != NULL) skip();
        assert_int_equal(outcome.exit_code, 0);
        assert_contains(outcome.output, i == 0 ? "GL 4.5" : "GL 3.3");
        assert_contains(outcome.output, "the same");
    }
}

FILO_TEST(a_shader_that_does_not_compile_is_reported_and_the_game_goes_on) {
    if (!has_gl()) skip();
    hush();
    for (int i = 0; i < 2; i++) {
        FiloAppDesc desc = game();
        FiloCommonArgs args = drawn_by(i == 0 ? FILO_BACKEND_GL : FILO_BACKEND_CPU, 2);
        FiloApp *app = start(&desc, &args);
        run_frames(app, 2);
        uint16_t shader;
        FiloResult r = filo_gfx2d_shader_create(&shader, filo_app_gfx2d(app), "broken", "vec4 sprite(");
        assert_int_equal(shader, 0);
        assert_int_equal(r.code, i == 0 ? FILO_ERROR_DATA : FILO_ERROR_UNSUPPORTED);
        assert_contains(r.message, "broken");
        run_frames(app, 2);
        FiloPixels pixels = take_shot(app);
        assert_true(count_whole(&pixels, FILO_COLOR_RED, 8) > 3000);
        filo_pixels_free(&pixels, NULL);
        filo_app_destroy(app);
    }
}

FILO_TEST(a_picture_can_be_taken_between_frames_again_and_again) {
    FiloAppDesc desc = game();
    const FiloBackend backends[] = { FILO_BACKEND_CPU, FILO_BACKEND_GL };
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        if (backends[i] == FILO_BACKEND_GL && !has_gl()) continue;
        FiloCommonArgs args = drawn_by(backends[i], 2);
        FiloApp *app = start(&desc, &args);
        filo_app_pause(app, true);
        run_frames(app, 1);
        FiloPixels first = take_shot(app);
        for (int n = 0; n < 12; n++) { // more often than frames are in flight
            FiloPixels again = take_shot(app);
            assert_int_equal(filo_pixels_compare(&first, &again, 0).pixels, 0);
            filo_pixels_free(&again, NULL);
            if (n % 3 == 0) run_frames(app, 1);
        }
        filo_pixels_free(&first, NULL);
        filo_app_destroy(app);
    }
}

static void shoot_in_draw(FiloApp *app, FiloDraw *immediate) {
    FILO_UNUSED(immediate);
    (void)filo_app_shot(app, filo_test_path("inside.png"));
}

static void read_stats_in_draw(FiloApp *app, FiloDraw *immediate) {
    FILO_UNUSED(immediate);
    (void)filo_app_stats(app);
}

FILO_TEST(misuse_in_draw_is_reported) {
    only_in_debug_builds();
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&(FiloAppDesc){ .draw = shoot_in_draw }, &args);
    expect_fault("take pictures outside of `draw`", filo_app_frame(app));
    filo_app_destroy(app);
    app = start(&(FiloAppDesc){ .draw = read_stats_in_draw }, &args);
    expect_fault("ask for statistics between ticks", filo_app_frame(app));
    filo_app_destroy(app);
}

// ---- The debug view ---------------------------------------------------------------------------------------

static bool overlay_names(const AppOverlay *overlay, const char *system) {
    for (size_t i = 0; i < overlay->systems.count; i++)
        if (strcmp(overlay->systems.entries[i].name, system) == 0) return true;
    return false;
}

FILO_TEST(the_plain_debug_view_is_drawn_and_has_its_numbers) {
    FiloAppDesc desc = game();
    desc.setup = leave_out_inspector;
    desc.window.width = 640;
    desc.window.height = 480;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 3);
    const FiloRect corner = filo_rect(filo_vec2(8, 8), filo_vec2(384, 400));
    const FiloColor text_color = filo_color(220, 226, 236, 255);
    FiloPixels without = take_shot(app);
    assert_int_equal(count_color(&without, corner, text_color, 0), 0);
    filo_pixels_free(&without, NULL);
    press(app, FILO_KEY_F3, true);
    press(app, FILO_KEY_F3, false);
    run_frames(app, 10);
    FiloPixels view = take_shot(app);
    assert_true(count_color(&view, corner, text_color, 0) > 1000); // of text
    filo_pixels_free(&view, NULL);
    app_wait_for_tick(app);
    const AppOverlay *overlay = FILO_APP_OBJECT(app, AppOverlay);
    assert_true(overlay_names(overlay, "spin") && overlay_names(overlay, "save previous transforms"));
    assert_true(overlay->systems.entries[0].value > 0);
    for (size_t i = 1; i < overlay->systems.count; i++)
        assert_true(overlay->systems.entries[i - 1].value >= overlay->systems.entries[i].value);
    assert_true(overlay->accounts.count > 0 && overlay->accounts.entries[0].value > 0);
    assert_true(overlay->accounts.entries[0].name[0] != '\0');
    assert_int_equal(overlay->entities, 500);
    assert_true(overlay->tick > 10 && overlay->draw_ms > 0 && overlay->tick_ms > 0);
    press(app, FILO_KEY_F3, true);
    run_frames(app, 2);
    without = take_shot(app);
    assert_int_equal(count_color(&without, corner, text_color, 0), 0);
    filo_pixels_free(&without, NULL);
    filo_app_destroy(app);
}

FILO_TEST(the_plain_debug_view_shows_a_limited_number_of_systems) {
    FiloAppDesc desc = game();
    desc.setup = leave_out_inspector;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, 2);
    FiloApp *app = start(&desc, &args);
    char names[40][64];
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "a system with quite a long name that is cut, number %d", i);
        filo_system_add(filo_app_world(app),
                        &(FiloSystemDesc){
                            .name = names[i], .run = spin, .query.terms = { FILO_WRITE(FiloTransform2) } });
    }
    filo_app_show_overlay(app, true);
    run_frames(app, 5);
    app_wait_for_tick(app);
    assert_int_equal(FILO_APP_OBJECT(app, AppOverlay)->systems.count, APP_OVERLAY_TOP);
    filo_app_destroy(app);
}

// ---- Assets that break ------------------------------------------------------------------------------------

static FiloResult load_missing(FiloApp *app) {
    filo_assets_load(filo_app_assets(app), "missing.png");
    return filo_ok();
}

FILO_TEST(problems_with_assets_are_shown_in_debug_builds) {
    hush();
    FiloAppDesc desc = game();
    desc.load = load_missing;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 2);
    FiloPixels pixels = take_shot(app);
    size_t letters = count_color(&pixels, filo_rect(filo_vec2(0, HEIGHT - 30), filo_vec2(WIDTH, HEIGHT)),
                                 filo_color(255, 190, 180, 255), 0);
    filo_pixels_free(&pixels, NULL);
#ifdef NDEBUG
    assert_int_equal(letters, 0);
#else
    assert_true(letters > 100);
#endif
    filo_app_destroy(app);
}

static void write_picture(const char *name, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 64, 64, NULL));
    filo_pixels_fill(&pixels, color);
    assert_ok(filo_image_save(&pixels, filo_test_path(name)));
    filo_pixels_free(&pixels, NULL);
}

static FiloResult load_wall(FiloApp *app) {
    filo_assets_load(filo_app_assets(app), "wall.png");
    filo_create(filo_app_world(app), FILO_ADD(FiloTransform2),
                FILO_SET(FiloSprite, .image = filo_name("wall.png")));
    return filo_ok();
}

// Runs frames until the condition is true.
#define frames_until(app, condition)                                                                         \
    do {                                                                                                     \
        int64_t deadline = filo_time_ns() + 60 * FILO_SECOND;                                                \
        while (assert_true(filo_app_frame(app)), !(condition)) {                                             \
            if (filo_time_ns() > deadline) fail_msg("never: %s", #condition);                                \
            filo_sleep_ns(FILO_MILLISECOND);                                                                 \
        }                                                                                                    \
    } while (0)

static bool shows(FiloApp *app, FiloColor color) {
    FiloPixels pixels = take_shot(app);
    bool all = count_whole(&pixels, color, 8) >= (size_t)64 * 64;
    filo_pixels_free(&pixels, NULL);
    return all;
}

FILO_TEST(a_picture_that_changes_breaks_and_vanishes_while_the_game_runs) {
    only_in_debug_builds(); // release builds do not watch files
    hush();
    write_picture("wall.png", FILO_COLOR_BLUE);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&(FiloAppDesc){ .window = { .width = WIDTH, .height = HEIGHT },
                                         .asset_folder = filo_test_folder(),
                                         .create = load_wall },
                         &args);
    FiloAssets *assets = filo_app_assets(app);
    run_frames(app, 2);
    assert_true(shows(app, FILO_COLOR_BLUE));
    FiloAsset wall = filo_assets_find(assets, filo_name("wall.png"));
    write_picture("wall.png", FILO_COLOR_GREEN);
    frames_until(app, filo_asset_version(assets, wall) == 2);
    assert_true(shows(app, FILO_COLOR_GREEN));
    assert_ok(filo_file_write(filo_test_path("wall.png"), "not a picture", 13, NULL));
    frames_until(app, filo_asset_error(assets, wall)->code != FILO_OK);
    assert_true(shows(app, FILO_COLOR_GREEN));
    assert_ok(filo_file_remove(filo_test_path("wall.png")));
    for (int i = 0; i < 50; i++) run_frames(app, 1), filo_sleep_ns(FILO_MILLISECOND);
    assert_true(shows(app, FILO_COLOR_GREEN));
    write_picture("wall.png", FILO_COLOR_BLUE);
    frames_until(app, filo_asset_error(assets, wall)->code == FILO_OK);
    assert_true(shows(app, FILO_COLOR_BLUE));
    filo_app_destroy(app);
}

static FiloResult load_many(FiloApp *app) {
    for (int i = 0; i < 64; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        filo_assets_load(filo_app_assets(app), name);
    }
    return filo_ok();
}

FILO_TEST(an_app_can_be_destroyed_while_assets_are_being_loaded) {
    for (int i = 0; i < 64; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.png", i);
        write_picture(name, filo_color((uint8_t)i, 0, 0, 255));
    }
    const FiloBackend backends[] = { FILO_BACKEND_NULL, FILO_BACKEND_CPU };
    for (int frames = 0; frames < 6; frames++) {
        FiloCommonArgs args = drawn_by(backends[frames % 2], frames + 1);
        FiloApp *app = start(&(FiloAppDesc){ .asset_folder = filo_test_folder(),
                                             .load = load_many,
                                             .load_in_background = true },
                             &args);
        for (int i = 0; i < frames / 2; i++) { // loading goes on meanwhile
            filo_app_extract(app);
            filo_app_render(app);
            filo_app_present(app);
            filo_assets_update(filo_app_assets(app), 1);
        }
        filo_app_destroy(app);
    }
}

// ---- Images that were not loaded --------------------------------------------------------------------------

static FiloResult create_unloaded(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_create(world, FILO_SET(FiloTransform2, .position = { -80, 0 }),
                FILO_SET(FiloSprite, .image = filo_name("red.png")));
    filo_create(world, FILO_SET(FiloTransform2, .position = { 80, 0 }),
                FILO_SET(FiloSprite, .image = filo_name("walk.json")),
                FILO_SET(FiloAnimation, .clip = filo_name("walk")));
    return filo_ok();
}

static void draw_unloaded(FiloApp *app, FiloDraw *immediate) {
    FILO_UNUSED(app);
    filo_draw_on_screen(immediate);
    filo_draw_image(immediate, filo_name("blue.png"), 0, filo_rect(filo_vec2(140, 10), filo_vec2(180, 50)),
                    FILO_COLOR_WHITE);
}

static FiloAppDesc unloaded_game(void) {
    write_picture("red.png", FILO_COLOR_RED);
    write_picture("green.png", FILO_COLOR_GREEN);
    write_picture("blue.png", FILO_COLOR_BLUE);
    static const char sheet[] = "{\"image\": \"green.png\", \"grid\": {\"width\": 4, \"height\": 16},"
                                " \"clips\": {\"walk\": {\"from\": 0, \"to\": 3, \"fps\": 7}}}";
    assert_ok(filo_file_write(filo_test_path("walk.json"), sheet, sizeof sheet - 1, NULL));
    return (FiloAppDesc){ .name = "test",
                          .window = { .width = WIDTH, .height = HEIGHT },
                          .asset_folder = filo_test_folder(),
                          .no_overlap = true,
                          .create = create_unloaded,
                          .draw = draw_unloaded };
}

FILO_TEST(an_image_that_is_drawn_for_the_first_time_is_in_the_picture) {
    FiloAppDesc desc = unloaded_game();
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    args.stats = false; // so nothing is drawn before
    FiloApp *app = start(&desc, &args);
    run_frames(app, 3);
    FiloPixels pixels = take_shot(app);
    assert_true(count_whole(&pixels, FILO_COLOR_RED, 8) > 100);
    assert_true(count_whole(&pixels, FILO_COLOR_GREEN, 8) > 50);
    assert_true(count_whole(&pixels, FILO_COLOR_BLUE, 8) > 100);
    assert_int_equal(count_whole(&pixels, filo_color(255, 0, 255, 255), 8), 0);
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
}

// `late`: files are not loaded while it runs.
static uint64_t hash_of_unloaded(const FiloAppDesc *desc, FiloBackend backend, bool drawn, bool late) {
    FiloCommonArgs args = drawn_by(backend, 2);
    args.stats = drawn;
    FiloApp *app = start(desc, &args);
    for (int i = 0; i < 40; i++) {
        if (!late) {
            assert_true(filo_app_frame(app));
        } else { // as in a window whose files are still being read
            assert_true(filo_app_poll(app));
            app_run_tick(app, 1.0f / 60);
        }
    }
    uint64_t hash = filo_world_hash(filo_app_world(app));
    filo_app_destroy(app);
    return hash;
}

FILO_TEST(the_world_does_not_depend_on_what_was_drawn_or_loaded) {
    FiloAppDesc desc = unloaded_game();
    uint64_t first = hash_of_unloaded(&desc, FILO_BACKEND_CPU, true, false);
    assert_true(hash_of_unloaded(&desc, FILO_BACKEND_CPU, false, false) == first);
    assert_true(hash_of_unloaded(&desc, FILO_BACKEND_NULL, true, false) == first);
    assert_true(hash_of_unloaded(&desc, FILO_BACKEND_CPU, false, true) == first);
    assert_ok(filo_file_remove(filo_test_path("walk.json")));
    hush();
    assert_true(hash_of_unloaded(&desc, FILO_BACKEND_CPU, false, true) != first); // it has moved
}
