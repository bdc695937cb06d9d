// Apps without some of Filo's own modules, and with others instead.

#include "picture.h"
#include "support/screenless.h"

static FiloResult leave_out(FiloApp *app) {
    assert_null(filo_app_world(app)); // nothing has been created yet
    for (const char *const *name = filo_app_user(app); *name != NULL; name++) {
        FiloResult r = filo_modules_unregister(filo_app_modules(app), *name);
        if (r.code != FILO_OK) return r;
    }
    return filo_ok();
}

static int drawn;

static void count_draw(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(app), FILO_UNUSED(draw);
    drawn++;
}

static FiloApp *start_without(const char *const *names, FiloBackend backend) {
    FiloAppDesc desc = game_with(NULL, 0);
    desc.setup = leave_out;
    desc.draw = count_draw;
    desc.user = (void *)(uintptr_t)names;
    drawn = 0;
    FiloCommonArgs args = drawn_by(backend, 2);
    return start(&desc, &args);
}

FILO_TEST(a_game_without_gfx2d_runs_and_its_picture_is_black) {
    const char *const names[] = { "gfx2d", NULL };
    const FiloBackend backends[] = { FILO_BACKEND_CPU, FILO_BACKEND_NULL };
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        FiloApp *app = start_without(names, backends[i]);
        assert_null(filo_app_gfx2d(app));
        assert_non_null(filo_app_assets(app));
        assert_int_equal(filo_app_backend(app), backends[i]);
        filo_app_show_overlay(app, true); // it cannot be drawn
        run_frames(app, 5);
        assert_int_equal(drawn, 0);
        if (backends[i] == FILO_BACKEND_CPU) {
            FiloPixels picture = take_shot(app);
            assert_int_equal(count_whole(&picture, FILO_COLOR_BLACK, 2), WIDTH * HEIGHT);
            filo_pixels_free(&picture, NULL);
        }
        double value;
        app_wait_for_tick(app);
        assert_false(filo_app_stat(app, "draw_calls", &value));
        filo_app_destroy(app);
    }
}

FILO_TEST(the_command_line_chooses_the_size_of_the_picture) {
    FiloAppDesc game = game_with(NULL, 0);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 1);
    args.size[0] = 96, args.size[1] = 64;
    FiloApp *app = start(&game, &args);
    FiloPixels picture = take_shot(app);
    assert_true(picture.width == 96 && picture.height == 64);
    filo_pixels_free(&picture, NULL);
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_a_screen_runs_without_drawing) {
    const char *const names[] = { "screen", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_ANY);
    assert_null(filo_app_window(app));
    assert_null(filo_app_gpu(app));
    assert_int_equal(filo_app_backend(app), FILO_BACKEND_NULL);
    run_frames(app, 5);
    filo_app_extract(app); // without a picture they do nothing
    filo_app_render(app);
    filo_app_present(app);
    assert_int_equal(drawn, 0);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 5);
    assert_error(filo_app_shot(app, filo_test_path("none.png")), FILO_ERROR_UNSUPPORTED,
                 "no module that is loaded takes pictures");
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_assets_still_draws) {
    const char *const names[] = { "assets", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_CPU);
    assert_null(filo_app_assets(app));
    assert_null(filo_app_audio(app));
    run_frames(app, 5);
    assert_int_equal(drawn, 5);
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_any_builtin_module_runs) {
    const char *const names[] = { "assets", "screen", "gfx2d", "debug view", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_ANY);
    run_frames(app, 5);
    filo_app_destroy(app);
}

FILO_TEST(leaving_out_an_unknown_module_ends_the_start) {
    const char *const names[] = { "orchestra", NULL };
    FiloAppDesc desc = game_with(NULL, 0);
    desc.setup = leave_out;
    desc.user = (void *)(uintptr_t)names;
    FiloApp *app;
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_NOT_FOUND, "orchestra");
    assert_null(app);
}

// A module instead of Filo's "assets": the same, with another folder.
FILO_TEST(a_module_with_the_name_of_a_builtin_one_replaces_it) {
    FiloAssetsModule settings = { .desc.folder = "/" };
    const FiloModuleDesc own = filo_assets_module(&settings);
    FiloAppDesc desc = game_with(&own, 1);
    FiloApp *app = start(&desc, &headless);
    assert_string_equal(filo_assets_folder(filo_app_assets(app)), "/");
    run_frames(app, 2);
    filo_app_destroy(app);
    // But names are unique, and the app cannot be replaced.
    const FiloModuleDesc twice[] = { own, own };
    desc = game_with(twice, 2);
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_EXISTS,
                 "\"assets\" is registered already");
    const FiloModuleDesc other_app = { .name = "app" };
    desc = game_with(&other_app, 1);
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_EXISTS, "\"app\" is registered already");
}

static FiloResult choose_other(FiloApp *app) {
    return filo_modules_choose(filo_app_modules(app), "FiloAssets", "other assets");
}

FILO_TEST(a_game_chooses_between_two_modules_for_one_object) {
    FiloAssetsModule settings = { .desc.folder = "/" };
    FiloModuleDesc own = filo_assets_module(&settings);
    own.name = "other assets";
    FiloAppDesc desc = game_with(&own, 1);
    desc.setup = choose_other;
    FiloApp *app = start(&desc, &headless);
    assert_string_equal(filo_assets_folder(filo_app_assets(app)), "/");
    assert_false(filo_modules_loaded(filo_app_modules(app), "assets"));
    run_frames(app, 2);
    filo_app_destroy(app);
}
