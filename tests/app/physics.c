// The module "physics": debug drawing in a game, and its tab in the debug view.

#include "picture.h"

#include <filo/physics2d.h>

#include "inspector/inspector.h"

static FiloEntity add_body(FiloWorld *world, FiloBodyKind kind, float x, float y, FiloShape2 shape) {
    return filo_create(world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(FiloBody2, .kind = kind), FILO_SET_COPY(FiloShape2, &shape));
}

static void join(FiloWorld *world, FiloJointKind kind, FiloEntity a, FiloEntity b, FiloVec2 in_a,
                 FiloVec2 in_b) {
    filo_create(world,
                FILO_SET(FiloJoint2, .kind = kind, .a = a, .b = b, .anchor_a = in_a, .anchor_b = in_b));
}

// A bridge, a stack, a pendulum, a heap of all shapes, and a mover. There are no sprites.
static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    if (!filo_physics2_register(world)) return filo_error(FILO_ERROR_MEMORY, "no memory");
    const FiloShape2 plank = { .kind = FILO_SHAPE_BOX, .half_size = { 0.45f, 0.1f } };
    const FiloShape2 crate = { .kind = FILO_SHAPE_BOX, .half_size = { 0.4f, 0.4f } };
    const FiloShape2 ball = { .kind = FILO_SHAPE_CIRCLE, .radius = 0.4f };
    const FiloShape2 pill = { .kind = FILO_SHAPE_CAPSULE,
                              .radius = 0.25f,
                              .points = { { -0.4f, 0 }, { 0.4f, 0 } } };
    const FiloShape2 soft = {
        .kind = FILO_SHAPE_POLYGON,
        .radius = 0.1f,
        .point_count = 5,
        .points = { { 0.5f, 0 }, { 0.15f, 0.47f }, { -0.4f, 0.29f }, { -0.4f, -0.29f }, { 0.15f, -0.47f } }
    };
    filo_create(world, FILO_SET(FiloCamera, .height = 12), FILO_SET(FiloTransform2, .position = { 0, 5 }));
    FiloEntity ground = add_body(world, FILO_BODY_STATIC, 0, -1,
                                 (FiloShape2){ .kind = FILO_SHAPE_BOX, .half_size = { 20, 1 } });
    FiloEntity before = ground;
    for (int i = 0; i < 7; i++) {
        FiloEntity next = add_body(world, FILO_BODY_DYNAMIC, -6.5f + (float)i, 6, plank);
        join(world, FILO_JOINT_REVOLUTE, before, next, i == 0 ? filo_vec2(-7, 7) : filo_vec2(0.5f, 0),
             filo_vec2(-0.5f, 0));
        before = next;
    }
    join(world, FILO_JOINT_REVOLUTE, ground, before, filo_vec2(0, 7), filo_vec2(0.5f, 0));
    FiloEntity bob = add_body(world, FILO_BODY_DYNAMIC, 6, 8, ball);
    join(world, FILO_JOINT_REVOLUTE, ground, bob, filo_vec2(4, 10), filo_vec2(-2, 1));
    for (int i = 0; i < 4; i++) add_body(world, FILO_BODY_DYNAMIC, 2.5f, 0.4f + 0.8f * (float)i, crate);
    const FiloShape2 heap[] = { ball, pill, soft, crate };
    for (int i = 0; i < 12; i++)
        add_body(world, FILO_BODY_DYNAMIC, -6 + 0.9f * (float)(i % 5), 7 + (float)(i / 5), heap[i % 4]);
    FiloEntity lift = add_body(world, FILO_BODY_KINEMATIC, 6, 1,
                               (FiloShape2){ .kind = FILO_SHAPE_BOX, .half_size = { 1.5f, 0.2f } });
    filo_edit(world, lift, FiloBody2)->velocity.y = 0.4f;
    filo_create(world, FILO_SET(FiloTransform2, .position = { 6, 2.1f }),
                FILO_SET(FiloMover2, .step_height = 0.3f),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_CAPSULE, .radius = 0.4f,
                         .points = { { 0, -0.4f }, { 0, 0.4f } }));
    return filo_ok();
}

static FiloApp *start_scene(FiloBackend backend, const char *record, int width) {
    FiloAppDesc desc = game_with(NULL, 0);
    desc.create = create;
    desc.no_overlap = true;
    desc.window.width = width;
    desc.window.height = width * 3 / 4;
    FiloCommonArgs args = drawn_by(backend, 2);
    args.record = record;
    return start(&desc, &args);
}

static const FiloColor moving = { 240, 150, 60, 255 }, fixed = { 96, 190, 110, 255 },
                       joint = { 80, 220, 220, 255 };

static void expect_picture(FiloBackend backend) {
    FiloApp *app = start_scene(backend, NULL, 640);
    run_frames(app, 60);
    const uint64_t hash = filo_world_hash(filo_app_world(app));
    FiloPixels nothing = take_shot(app);
    assert_int_equal(count_whole(&nothing, FILO_COLOR_BLACK, 2), 640 * 480);
    filo_app_physics_debug(app, FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_JOINTS);
    FiloPixels picture = take_shot(app);
    assert_true(count_whole(&picture, moving, 40) > 300);
    assert_true(count_whole(&picture, fixed, 40) > 300);
    assert_true(count_whole(&picture, joint, 40) > 100);
    filo_app_physics_debug(app, UINT32_MAX);
    FiloPixels all = take_shot(app);
    assert_true(count_whole(&all, FILO_COLOR_BLACK, 2) < count_whole(&picture, FILO_COLOR_BLACK, 2));
    assert_true(filo_world_hash(filo_app_world(app)) == hash);
    filo_pixels_free(&nothing, NULL);
    filo_pixels_free(&picture, NULL);
    filo_pixels_free(&all, NULL);
    filo_app_destroy(app);
}

FILO_TEST(shapes_and_joints_are_drawn_by_the_cpu) { expect_picture(FILO_BACKEND_CPU); }
FILO_TEST(shapes_and_joints_are_drawn_by_gl) { expect_picture(FILO_BACKEND_GL); }

// ---- The tab ----------------------------------------------------------------------------------------------

#define TAB_TOP   194 // where the tab begins, in pixels
#define TAB_RIGHT 349 // where its switches are

static bool is_paused(const FiloApp *app) {
    return filo_get_global(filo_app_world(app), FiloPhysics2)->paused;
}

static void click(FiloApp *app, FiloVec2 point) {
    for (int down = 1; down >= 0; down--) {
        change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = point });
        change(app,
               (FiloInputChange){
                   .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_LEFT, .down = down == 1, .position = point });
        run_frames(app, 2);
    }
}

// The tab of the module, among those that have one.
static int tab_of(FiloApp *app, const char *module) {
    FiloModules *modules = filo_app_modules(app);
    int tab = 0;
    const char *name;
    for (size_t i = 0; (name = filo_modules_loaded_at(modules, i)) != NULL; i++) {
        if (strcmp(name, module) == 0) return tab;
        tab += filo_modules_panel_of(modules, name, NULL) || filo_modules_debug_of(modules, name, NULL);
    }
    fail_msg("there is no module %s", module);
    return 0;
}

static void open_tab(FiloApp *app) {
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    assert_non_null(inspector);
    filo_app_show_overlay(app, true);
    filo_inspector_show_tab(inspector, "Modules");
    inspector->module_tab = tab_of(app, "physics");
    run_frames(app, 4);
}

// Clicks below the two rows of tabs, on the right, until the switch is on. Returns where it is.
static FiloVec2 pause_by_tab(FiloApp *app) {
    for (float y = TAB_TOP; y < TAB_TOP + 60; y += 6) {
        FiloVec2 point = { TAB_RIGHT, y };
        click(app, point);
        if (is_paused(app)) return point;
    }
    fail_msg("no switch was found");
    return filo_vec2(0, 0);
}

FILO_TEST(physics_is_paused_in_the_tab_and_a_recording_has_it) {
    const char *path = filo_test_path("paused.input");
    FiloApp *app = start_scene(FILO_BACKEND_CPU, path, 640);
    run_frames(app, 20);
    open_tab(app);
    FiloVec2 where = pause_by_tab(app);
    const uint64_t steps = filo_world_ticks(filo_app_world(app));
    FiloPhysics2Stats before = filo_physics2_stats(filo_app_world(app));
    run_frames(app, 20);
    assert_true(filo_world_ticks(filo_app_world(app)) > steps); // only physics is paused
    assert_int_equal(filo_physics2_stats(filo_app_world(app)).touching, before.touching);
    click(app, where);
    assert_false(is_paused(app));
    run_frames(app, 20);
    const uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);

    FiloAppDesc desc = game_with(NULL, 0);
    desc.create = create;
    FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 1, .replay = path };
    app = start(&desc, &args);
    while (filo_app_frame(app)) {}
    assert_true(filo_world_hash(filo_app_world(app)) == hash);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_physics_has_an_empty_tab) {
    FiloAppDesc desc = game_with(NULL, 0);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 1);
    FiloApp *app = start(&desc, &args);
    filo_app_physics_debug(app, UINT32_MAX);
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    filo_inspector_show_tab(inspector, "Modules");
    for (int tab = 0; tab < 12; tab++) {
        inspector->module_tab = tab;
        run_frames(app, 2);
    }
    filo_app_destroy(app);
    expect_fault("pass an app", filo_app_physics_debug(NULL, 0));
}
