// The debug view in a game: edits by mouse and keyboard are recorded, and looking changes nothing.

#include "drifter.h"

#include "inspector/inspector.h"

static const FiloCommonArgs drawn = {
    .headless = true, .backend = FILO_BACKEND_CPU, .threads = 2, .stats = true
};

static struct {
    char name[64];
    FiloRect rect;
} marks[256];
static size_t mark_count;

static void store_mark(const char *name, FiloRect rect, void *user) {
    (void)user;
    if (mark_count == FILO_COUNT_OF(marks)) return;
    filo_string_copy(filo_string(name), marks[mark_count].name, sizeof marks[0].name);
    marks[mark_count++].rect = rect;
}

static void show_frames(FiloApp *app, int count) {
    for (int i = 0; i < count; i++) {
        mark_count = 0;
        filo_app_frame(app);
    }
}

static FiloVec2 at(const char *name, float x) {
    for (size_t i = 0; i < mark_count; i++)
        if (strcmp(marks[i].name, name) == 0 && !filo_rect_is_empty(marks[i].rect))
            return filo_vec2(filo_lerp(marks[i].rect.min.x, marks[i].rect.max.x, x),
                             (marks[i].rect.min.y + marks[i].rect.max.y) / 2);
    fail_msg("there is no widget \"%s\"", name);
    return filo_vec2(0, 0);
}

static void mouse(FiloApp *app, FiloVec2 point, bool down) {
    change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = point });
    show_frames(app, 1); // closes the tooltip of the widget that it was over
    change(app, (FiloInputChange){
                    .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_LEFT, .down = down, .position = point });
    show_frames(app, 3); // a widget that appears has its place in the frame after that
}

static void click(FiloApp *app, const char *name) {
    const FiloVec2 point = at(name, 0.5f);
    mouse(app, point, true);
    mouse(app, point, false);
}

static void drag(FiloApp *app, const char *name, float from, float to) {
    const FiloVec2 end = at(name, to);
    mouse(app, at(name, from), true);
    change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = end });
    show_frames(app, 2);
    mouse(app, end, false);
}

static FiloApp *start_view(const FiloCommonArgs *args) {
    FiloApp *app =
        start(&(FiloAppDesc){ .name = "drifters", .create = create_drifters, .no_overlap = true }, args);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    assert_non_null(inspector);
    inspector->mark = store_mark;
    press(app, FILO_KEY_F3, true);
    press(app, FILO_KEY_F3, false);
    filo_inspector_show_tab(inspector, "World");
    filo_inspector_select(inspector, first_of(app));
    show_frames(app, 5);
    return app;
}

static Drifter drifter_of(const FiloApp *app) {
    return *filo_get(filo_app_world(app), first_of(app), Drifter);
}

// ---- Editing ----------------------------------------------------------------------------------------------

FILO_TEST(an_edited_component_changes_in_the_world_and_the_recording_replays_to_the_same_hash) {
    const char *path = filo_test_path("view.input");
    FiloCommonArgs args = drawn;
    args.record = path;
    FiloApp *app = start_view(&args);
    drag(app, "mass", 0.1f, 1);
    assert_true(drifter_of(app).mass == 10);
    click(app, "pause");
    assert_true(filo_app_paused(app));
    drag(app, "mass", 0.9f, 0.4f);
    const float mass = drifter_of(app).mass; // at once, although no tick has run
    assert_true(mass > 1 && mass < 10);
    click(app, "step");
    click(app, "copy");
    click(app, "pause");
    assert_false(filo_app_paused(app));
    show_frames(app, 20);
    filo_inspector_show_tab(FILO_APP_OBJECT(app, FiloInspector), "Systems");
    show_frames(app, 3);
    click(app, "bear"); // switches it off
    show_frames(app, 20);
    const uint64_t hash = hash_of(app);
    const size_t entities = filo_world_stats(filo_app_world(app)).entities;
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);

    for (int threads = 1; threads <= 4; threads *= 2) {
        args = (FiloCommonArgs){
            .headless = true, .backend = FILO_BACKEND_NULL, .threads = threads, .replay = path
        };
        app = start_drifters(&args); // no view, no screen
        while (filo_app_frame(app)) {}
        assert_int_equal(filo_world_stats(filo_app_world(app)).entities, entities);
        assert_int_equal(hash_of(app), hash);
        assert_true(drifter_of(app).mass == mass);
        assert_ok(filo_app_finish(app));
        filo_app_destroy(app);
    }
}

FILO_TEST(undo_and_redo_are_recorded_and_a_replay_agrees) {
    const char *path = filo_test_path("undo.input");
    FiloCommonArgs args = drawn;
    args.record = path;
    FiloApp *app = start_view(&args);
    drag(app, "mass", 0.1f, 1);
    show_frames(app, 5);
    click(app, "undo");
    assert_true(drifter_of(app).mass == 1);
    click(app, "redo");
    assert_true(drifter_of(app).mass == 10);
    click(app, "pause");
    click(app, "copy");
    click(app, "destroy"); // the copy
    const size_t entities = filo_world_stats(filo_app_world(app)).entities;
    click(app, "undo");
    assert_int_equal(filo_world_stats(filo_app_world(app)).entities, entities + 1);
    click(app, "back"); // the past cannot be changed
    click(app, "undo");
    const FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    assert_contains(inspector->status, "the past cannot be changed");
    click(app, "return");
    click(app, "undo"); // of the copy
    assert_int_equal(filo_world_stats(filo_app_world(app)).entities, entities);
    click(app, "step");
    click(app, "pause");
    show_frames(app, 20);
    const uint64_t hash = hash_of(app);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    args = (FiloCommonArgs){ .headless = true, .backend = FILO_BACKEND_NULL, .threads = 4, .replay = path };
    app = start_drifters(&args);
    while (filo_app_frame(app)) {}
    assert_int_equal(hash_of(app), hash);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

FILO_TEST(looking_changes_nothing) {
    FiloApp *plain = start_drifters(&drawn), *app = NULL;
    show_frames(plain, 60);
    const uint64_t ticks = filo_world_ticks(filo_app_world(plain)), hash = hash_of(plain);
    filo_app_destroy(plain);
    app = start_drifters(&drawn);
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    const char *const tabs[] = { "Frame", "World", "Globals", "Systems", "Memory", "Modules" };
    for (size_t i = 0; i < FILO_COUNT_OF(tabs); i++) {
        filo_inspector_show_tab(inspector, tabs[i]);
        filo_inspector_select(inspector, i % 2 == 0 ? first_of(app) : FILO_ENTITY_NONE);
        show_frames(app, 10);
    }
    assert_int_equal(filo_world_ticks(filo_app_world(app)), ticks);
    assert_int_equal(hash_of(app), hash);
    filo_app_destroy(app);
}

// ---- Time -------------------------------------------------------------------------------------------------

FILO_TEST(the_last_seconds_are_looked_at_and_the_game_goes_on_from_there) {
    FiloApp *app = start_view(&drawn);
    show_frames(app, 60);
    click(app, "pause");
    const uint64_t ticks = filo_world_ticks(filo_app_world(app)), hash = hash_of(app);
    click(app, "back");
    click(app, "back");
    assert_int_equal(filo_world_ticks(filo_app_world(app)), ticks - 2);
    click(app, "step"); // forward through what was
    assert_int_equal(filo_world_ticks(filo_app_world(app)), ticks - 1);
    click(app, "return");
    assert_int_equal(hash_of(app), hash);
    drag(app, "history", 0.8f, 0.4f);
    const uint64_t earlier = filo_world_ticks(filo_app_world(app));
    assert_true(earlier < ticks - 10);
    show_frames(app, 10);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), earlier);
    click(app, "go on");
    assert_int_equal(filo_app_history(app).back, 0);
    show_frames(app, 10);
    assert_true(filo_world_ticks(filo_app_world(app)) > earlier + 5);
    filo_app_destroy(app);
}

FILO_TEST(closing_the_view_returns_to_the_present) {
    FiloApp *app = start_view(&drawn);
    show_frames(app, 30);
    click(app, "pause");
    const uint64_t hash = hash_of(app);
    click(app, "back");
    assert_true(hash_of(app) != hash);
    press(app, FILO_KEY_F3, true);
    press(app, FILO_KEY_F3, false);
    show_frames(app, 3);
    assert_int_equal(hash_of(app), hash);
    assert_int_equal(filo_app_history(app).states, 0);
    filo_app_destroy(app);
}

FILO_TEST(a_recorded_game_refuses_to_go_on_with_a_sentence) {
    FiloCommonArgs args = drawn;
    args.record = filo_test_path("refused.input");
    FiloApp *app = start_view(&args);
    show_frames(app, 30);
    click(app, "back");
    click(app, "go on");
    const FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    assert_contains(inspector->status, "the game is being recorded");
    assert_int_equal(filo_app_history(app).back, 1);
    click(app, "return");
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

// ---- Modules ----------------------------------------------------------------------------------------------

static int panels;
static void show_panel(FiloUi *ui, void *user) {
    (void)user;
    filo_ui_label(ui, "panel of the choir");
    panels++;
}
static void describe(FiloLines *lines, void *user) {
    (void)user;
    filo_lines_add(lines, "three voices");
}

FILO_TEST(a_module_shows_a_tab_of_its_own) {
    const FiloModuleDesc choir = { .name = "choir", .panel = show_panel, .debug = describe };
    FiloApp *app = start(&(FiloAppDesc){ .modules = &choir, .module_count = 1 }, &drawn);
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    filo_inspector_show_tab(inspector, "Modules");
    panels = 0;
    for (int tab = 0; tab < 12; tab++) {
        inspector->module_tab = tab;
        show_frames(app, 2);
    }
    assert_int_equal(panels, 2); // in the frames in which its tab was visible
    filo_app_destroy(app);
}

static FiloResult leave_out_ui(FiloApp *app) { return filo_modules_unregister(filo_app_modules(app), "ui"); }

FILO_TEST(without_the_ui_a_plain_view_is_drawn) {
    FiloApp *app =
        start(&(FiloAppDesc){ .setup = leave_out_ui, .create = create_drifters, .no_overlap = true }, &drawn);
    assert_null(FILO_APP_OBJECT(app, FiloInspector));
    filo_app_show_overlay(app, true);
    show_frames(app, 5);
    double calls;
    assert_true(filo_app_stat(app, "draw_calls", &calls) && calls > 0);
    filo_app_destroy(app);
}
