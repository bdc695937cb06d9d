// Apps that draw in space: backends, sprites and the debug view over meshes, statistics.

#include "picture.h"
#include "support/screenless.h"

#include <stdlib.h>

// ---- The game ---------------------------------------------------------------------------------------------

static bool with_sprite, without_camera;

static void turn(FiloIter *it) {
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++)
        transform[i].rotation = filo_quat_mul(filo_quat_from_axis_angle(filo_vec3(0, 1, 0), it->delta),
                                              filo_quat_normalise(transform[i].rotation));
}

static FiloResult define(FiloApp *app) {
    filo_system_add(filo_app_world(app),
                    &(FiloSystemDesc){ .name = "turn",
                                       .run = turn,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(FiloTransform3), FILO_WITH(FiloMesh) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_set_global(world, FiloEnvironment, .no_sky = true, .ambient = -1);
    FiloResult r = filo_gfx3d_add_material(
        filo_app_gfx3d(app), filo_name("blue"),
        &(FiloMaterialDesc){ .unlit = true, .values = { FILO_VEC4("color", 0, 0, 1, 1) } });
    if (r.code != FILO_OK) return r;
    filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("sphere"), .material = filo_name("blue")),
                FILO_SET(FiloTransform3, .scale = { 4, 4, 4 }));
    for (int i = 0; i < 20; i++)
        filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("box")),
                    FILO_SET(FiloTransform3, .position = { (float)(10 * i), 50, 0 }));
    if (!without_camera)
        filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0, 5 }), FILO_ADD(FiloCamera3));
    if (with_sprite)
        filo_create(world, FILO_SET(FiloTransform2, .scale = { 40, 40 }),
                    FILO_SET(FiloSprite, .color = FILO_COLOR_RED));
    return r;
}

static FiloAppDesc game(bool sprite, bool camera) {
    with_sprite = sprite;
    without_camera = !camera;
    return (FiloAppDesc){ .name = "space",
                          .window = { .width = WIDTH, .height = HEIGHT },
                          .asset_folder = filo_test_folder(),
                          .gfx3d = true,
                          .define = define,
                          .create = create };
}

// NULL if there is no GL, which skips the test.
static FiloApp *start_on_gl(const FiloAppDesc *desc) {
    FiloApp *app;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_GL, 2);
    FiloResult r = filo_app_create(&app, desc, &args);
    if (r.code == FILO_ERROR_UNSUPPORTED) skip_because(r.message);
    assert_ok(r);
    return app;
}

static FiloColor at(const FiloPixels *pixels, int x, int y) { return *filo_pixels_at(pixels, x, y); }
static bool is_blue(FiloColor c) { return c.b > 100 && c.r < 90 && c.g < 90; }
static bool is_red(FiloColor c) { return similar(c, FILO_COLOR_RED, 8); }
static bool is_black(FiloColor c) { return c.r < 12 && c.g < 12 && c.b < 12; }

// Saves a picture for inspection in the folder FILO_TEST_PICTURES, if that is set.
static void save(const FiloPixels *pixels, const char *name) {
    const char *folder = getenv("FILO_TEST_PICTURES");
    char path[512];
    if (folder == NULL) return;
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(filo_image_save(pixels, path));
}

// ---- Pictures -----------------------------------------------------------------------------------------------

static FiloResult create_with_mistakes(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_set_global(world, FiloEnvironment, .no_sky = true, .ambient = -1);
    FiloResult r = filo_gfx3d_add_material(
        filo_app_gfx3d(app), filo_name("no image"),
        &(FiloMaterialDesc){ .unlit = true,
                             .textures = { { .name = "color_map", .image = filo_name("nothing") } } });
    static const char *const materials[] = { "nowhere", "no image" };
    for (int i = 0; i < 2; i++)
        filo_create(world, FILO_SET(FiloTransform3, .position = { (float)i * 2 - 1, 0, 0 }),
                    FILO_SET(FiloMesh, .mesh = filo_name("box"), .material = filo_name(materials[i])));
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0, 5 }), FILO_ADD(FiloCamera3));
    return r;
}

// Headless, nothing is drawn before the picture.
FILO_TEST(the_first_picture_shows_materials_and_textures_that_do_not_exist) {
    hush();
    FiloAppDesc desc = game(false, true);
    desc.create = create_with_mistakes;
    FiloApp *app = start_on_gl(&desc);
    run_frames(app, 1);
    FiloPixels pixels = take_shot(app);
    save(&pixels, "mistakes");
    int magenta[2] = { 0 };
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        FiloColor c = at(&pixels, i % WIDTH, i / WIDTH);
        magenta[i % WIDTH < WIDTH / 2 ? 0 : 1] += c.r > 150 && c.b > 150 && c.g < 60;
    }
    assert_true(magenta[0] > 100 && magenta[1] > 100);
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
}

FILO_TEST(sprites_are_drawn_over_meshes) {
    FiloAppDesc desc = game(true, true);
    FiloApp *app = start_on_gl(&desc);
    run_frames(app, 3);
    FiloPixels pixels = take_shot(app);
    save(&pixels, "sprite over mesh");
    assert_true(is_red(at(&pixels, WIDTH / 2, HEIGHT / 2)));
    assert_true(is_blue(at(&pixels, WIDTH / 2 + 35, HEIGHT / 2)));
    assert_true(is_black(at(&pixels, 5, 5)));
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
}

FILO_TEST(the_debug_view_is_drawn_over_meshes) {
    FiloAppDesc desc = game(false, true);
    FiloApp *app = start_on_gl(&desc);
    run_frames(app, 3);
    FiloPixels plain = take_shot(app);
    filo_app_show_overlay(app, true);
    run_frames(app, 3);
    FiloPixels debug = take_shot(app);
    save(&debug, "debug view");
    assert_true(is_blue(at(&plain, WIDTH / 2, HEIGHT / 2)));
    // Text over black, which was there before.
    assert_true(count_whole(&debug, FILO_COLOR_WHITE, 60) > count_whole(&plain, FILO_COLOR_WHITE, 60) + 100);
    filo_pixels_free(&plain, NULL);
    filo_pixels_free(&debug, NULL);
    filo_app_destroy(app);
}

FILO_TEST(without_a_camera_in_space_only_sprites_are_drawn) {
    FiloAppDesc desc = game(true, false);
    desc.background = FILO_COLOR_GREEN;
    FiloApp *app = start_on_gl(&desc);
    run_frames(app, 3);
    FiloPixels pixels = take_shot(app);
    save(&pixels, "sprites alone");
    assert_true(is_red(at(&pixels, WIDTH / 2, HEIGHT / 2)));
    assert_true(similar(at(&pixels, 5, 5), FILO_COLOR_GREEN, 8));
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
}

// A sphere in space, on a sprite that is a part of the picture.
FILO_TEST(a_sprite_shows_what_a_camera_in_space_sees) {
    FiloAppDesc desc = game(false, false);
    desc.background = FILO_COLOR_GREEN;
    FiloApp *app = start_on_gl(&desc);
    FiloWorld *world = filo_app_world(app);
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, filo_app_gfx3d(app), filo_name("view"), 64, 64));
    assert_ok(filo_gfx2d_show_texture(filo_app_gfx2d(app), filo_name("view"),
                                      filo_gfx3d_target_texture(filo_app_gfx3d(app), target)));
    filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 0, 5 }),
                FILO_SET(FiloCamera3, .target = target, .background = FILO_COLOR_RED));
    filo_create(world, FILO_SET(FiloTransform2, .position = { -80, 0 }),
                FILO_SET(FiloSprite, .image = filo_name("view")));
    run_frames(app, 3);
    FiloPixels pixels = take_shot(app);
    save(&pixels, "space on a sprite");
    int x = WIDTH / 2 - 80, y = HEIGHT / 2;
    assert_true(is_blue(at(&pixels, x, y)));
    assert_true(is_red(at(&pixels, x - 30, y - 30)) && is_red(at(&pixels, x + 29, y + 29)));
    const FiloIVec2 outside[] = { { x - 34, y }, { x + 34, y }, { x, y - 34 }, { x, y + 34 }, { 5, 5 } };
    for (size_t i = 0; i < FILO_COUNT_OF(outside); i++)
        assert_true(similar(at(&pixels, outside[i].x, outside[i].y), FILO_COLOR_GREEN, 8));
    filo_pixels_free(&pixels, NULL);
    filo_app_destroy(app);
}

FILO_TEST(a_window_of_another_size_is_filled) {
    FiloAppDesc desc = game(false, true);
    FiloApp *app = start_on_gl(&desc);
    run_frames(app, 2);
    const FiloIVec2 sizes[] = { { 200, 100 }, { 64, 300 }, { 1, 1 }, { WIDTH, HEIGHT } };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        filo_window_set_size(filo_app_window(app), sizes[i].x, sizes[i].y);
        run_frames(app, 3);
        FiloPixels pixels = take_shot(app);
        assert_int_equal(pixels.width, sizes[i].x);
        assert_int_equal(pixels.height, sizes[i].y);
        assert_true(is_blue(at(&pixels, pixels.width / 2, pixels.height / 2)));
        filo_pixels_free(&pixels, NULL);
    }
    filo_app_destroy(app);
}

// ---- Backends -------------------------------------------------------------------------------------------------

FILO_TEST(any_backend_is_gl_for_an_app_in_space_though_it_is_software) {
    FiloAppDesc desc = game(false, true);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_ANY, 2);
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &desc, &args);
    if (r.code == FILO_ERROR_UNSUPPORTED) skip_because(r.message);
    assert_ok(r);
    assert_int_equal(filo_app_backend(app), FILO_BACKEND_GL);
    filo_app_destroy(app);
}

FILO_TEST(the_cpu_does_not_draw_in_space_and_says_what_to_do) {
    hush();
    FiloAppDesc desc = game(false, true);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = (FiloApp *)8;
    assert_error(
        filo_app_create(&app, &desc, &args), FILO_ERROR_UNSUPPORTED,
        "3D needs OpenGL: the CPU draws only in the plane; take --backend gl, or null for no picture");
    assert_null(app);
}

FILO_TEST_PROGRAM(space_game) {
    char *arguments[] = { (char[]){ "space" }, (char[]){ "--headless" }, (char[]){ "--backend" },
                          (char[]){ "cpu" },   (char[]){ "--frames" },   (char[]){ "3" } };
    FiloAppDesc desc = game(false, true);
    exit(filo_run(FILO_COUNT_OF(arguments), arguments, &desc));
}

FILO_TEST(a_program_on_the_cpu_ends_with_a_sentence) {
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "space_game" });
    assert_int_equal(outcome.exit_code, 1);
    assert_contains(outcome.errors, "3D needs OpenGL: the CPU draws only in the plane");
    assert_int_equal(filo_test_count(outcome.errors, "\n"), 1);
}

FILO_TEST(the_null_backend_does_everything_but_draw) {
    FiloAppDesc desc = game(false, true);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, 2);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 20);
    app_wait_for_tick(app);
    const char *names[] = { "draw_calls_3d", "triangles", "instances", "visible_3d", "extract_3d_ms" };
    double values[FILO_COUNT_OF(names)];
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        if (!filo_app_stat(app, names[i], &values[i])) fail_msg("there is no number \"%s\"", names[i]);
    assert_true(values[0] >= 1);
    assert_true(values[1] >= 700); // of the sphere
    assert_true(values[3] >= 1 && values[3] <= 21);
    assert_int_equal(filo_gfx3d_stats(filo_app_gfx3d(app)).meshes, 21);
    filo_app_destroy(app);
}

FILO_TEST(an_app_in_the_plane_has_no_renderer_in_space) {
    FiloAppDesc desc = game(false, true);
    desc.gfx3d = false;
    desc.create = NULL;
    desc.define = NULL;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, 2);
    FiloApp *app = start(&desc, &args);
    assert_null(filo_app_gfx3d(app));
    double value;
    run_frames(app, 2);
    app_wait_for_tick(app);
    assert_false(filo_app_stat(app, "triangles", &value));
    filo_app_destroy(app);
}

FILO_TEST(headless_runs_have_the_same_world_with_and_without_drawing) {
    uint64_t hashes[3];
    const FiloCommonArgs runs[] = {
        { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 1 },
        { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 8, .stats = true },
        { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 3, .stats = true }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(runs); i++) {
        FiloAppDesc desc = game(false, true);
        FiloApp *app = start(&desc, &runs[i]);
        run_frames(app, 30);
        app_wait_for_tick(app);
        hashes[i] = filo_world_hash(filo_app_world(app));
        filo_app_destroy(app);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}
