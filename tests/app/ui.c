// The UI in an app: what it takes does not reach the game, and a recording has what remains.

#include "stage.h"

typedef struct Score {
    int32_t clicks, keys, messages;
} Score;
FILO_REFLECT(Score, FILO_FIELD(int32_t, clicks), FILO_FIELD(int32_t, keys), FILO_FIELD(int32_t, messages))

static int ui_clicks, ui_calls;
static FiloRect button_rect, field_rect;
static char text[32];

static void count_input(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Score *score = filo_write_global(it, Score);
    score->clicks += filo_input_pressed(input, FILO_MOUSE_LEFT);
    score->keys += filo_input_pressed(input, FILO_KEY_W);
}

static void on_choice(FiloIter *it, const FiloEvent *event) {
    (void)event;
    filo_edit_global(it->world, Score)->messages++;
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "count input",
                                              .run = count_input,
                                              .query.terms = { FILO_READ(FiloInput), FILO_WRITE(Score) } });
    FiloWorldHandlerDesc handler = { .event = filo_name("chosen"),
                                     .run = on_choice,
                                     .extra_access = { FILO_WRITE(Score) } };
    filo_world_handle(world, &handler);
    return filo_ok();
}

static void show(FiloApp *app, FiloUi *ui) {
    ui_calls++;
    if (filo_ui_begin_window(ui, "Panel", &(FiloUiWindow){ .position = { 20, 20 } })) {
        if (filo_ui_button(ui, "Choose")) {
            ui_clicks++;
            filo_app_send(app, filo_name("chosen"), NULL, NULL);
        }
        button_rect = filo_ui_rect(ui);
        filo_ui_text_field(ui, "Text", text, sizeof text, NULL);
        field_rect = filo_ui_rect(ui);
    }
    filo_ui_end(ui);
}

static const FiloAppDesc game = {
    .name = "panels", .define = define, .ui = show, .window = { .width = 400, .height = 300 }
};

static void click(FiloApp *app, FiloVec2 at) {
    change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = at });
    change(app,
           (FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_LEFT, .down = true, .position = at });
    change(app, (FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_LEFT, .position = at });
}

static void frames(FiloApp *app, int count) {
    for (int i = 0; i < count; i++) filo_app_frame(app);
}

static Score score_of(FiloApp *app) { return *filo_get_global(filo_app_world(app), Score); }

static void play(FiloApp *app) {
    frames(app, 2);
    change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 390, 290 } });
    frames(app, 2); // the rectangles are known
    click(app, filo_rect_centre(button_rect));
    frames(app, 3);
    click(app, filo_vec2(390, 290));
    frames(app, 3);
    click(app, filo_rect_centre(field_rect));
    frames(app, 2);
    press(app, FILO_KEY_W, true);
    press(app, FILO_KEY_W, false);
    change(app, (FiloInputChange){ .kind = FILO_INPUT_TYPED, .text = "w" });
    frames(app, 3);
}

FILO_TEST(what_the_ui_takes_does_not_reach_the_game) {
    FiloApp *app = start(&game, &headless);
    play(app);
    Score score = score_of(app);
    assert_int_equal(ui_clicks, 1);
    assert_int_equal(score.messages, 1);
    assert_int_equal(score.clicks, 1); // that beside the panel
    assert_int_equal(score.keys, 0);
    assert_string_equal(text, "w");
    assert_true(ui_calls < 40); // headless frames without input do not call it
    filo_app_destroy(app);
}

FILO_TEST(a_recording_of_a_game_with_panels_replays_to_the_same_world) {
    FiloCommonArgs args = headless;
    args.record = filo_test_path("panels.log");
    FiloApp *app = start(&game, &args);
    play(app);
    Score score = score_of(app);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    args.replay = args.record;
    args.record = NULL;
    app = start(&game, &args);
    while (filo_app_frame(app)) {}
    assert_ok(filo_app_finish(app)); // which compares the hash, too
    Score replayed = score_of(app);
    assert_memory_equal(&score, &replayed, sizeof score);
    assert_int_equal(filo_world_hash(filo_app_world(app)), hash);
    filo_app_destroy(app);
}

FILO_TEST(an_app_has_a_ui_that_draws_in_a_picture) {
    FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_CPU, .threads = 1 };
    FiloApp *app = start(&game, &args);
    assert_non_null(filo_app_ui(app));
    frames(app, 1);
    assert_ok(filo_app_shot(app, filo_test_path("panels.png")));
    assert_true(filo_ui_stats(filo_app_ui(app)).quads > 20);
    filo_app_destroy(app);
}

static int views;
static void show_view(FiloUi *ui, void *user) {
    assert_non_null(ui);
    views += *(int *)user;
}

FILO_TEST(a_module_contributes_a_view) {
    static int one = 1;
    static const FiloUiView list[] = { { "view", show_view, &one } };
    static const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloUiView, list) };
    const FiloModuleDesc module = { .name = "viewer", .contributes = contributes, .contribute_count = 1 };
    FiloAppDesc desc = game;
    desc.modules = &module;
    desc.module_count = 1;
    FiloApp *app = start(&desc, &headless);
    frames(app, 3);
    assert_true(views > 0);
    filo_app_destroy(app);
}

static uint64_t extracted;
static int late_panels, shown_panels;
static void copy_ticks(FiloApp *app) { extracted = filo_world_ticks(filo_app_world(app)); }
static void compare_ticks(FiloApp *app, FiloUi *ui) {
    (void)ui;
    shown_panels++;
    late_panels += extracted != filo_world_ticks(filo_app_world(app));
}

FILO_TEST(panels_see_what_extract_has_just_copied) {
    const FiloCommonArgs args = {
        .headless = true, .backend = FILO_BACKEND_CPU, .threads = 2, .stats = true // frames are drawn
    };
    FiloApp *app = start(&(FiloAppDesc){ .extract = copy_ticks, .ui = compare_ticks }, &args);
    frames(app, 10);
    assert_true(extracted > 5);
    assert_true(shown_panels >= 10);
    assert_int_equal(late_panels, 0);
    filo_app_destroy(app);
}

static bool asks;
static FiloUiKeyWait last_wait;
static FiloKey chosen;
static void ask_for_key(FiloApp *app, FiloUi *ui) {
    (void)app;
    if (asks) last_wait = filo_ui_wait_key(ui, 0, &chosen);
    asks = asks && last_wait == FILO_UI_WAITING;
}

FILO_TEST(a_key_that_a_page_waits_for_reaches_neither_the_game_nor_the_recording) {
    FiloCommonArgs args = headless;
    args.record = filo_test_path("wait.log");
    FiloAppDesc desc = game;
    desc.ui = ask_for_key;
    FiloApp *app = start(&desc, &args);
    asks = true;
    frames(app, 2);
    press(app, FILO_KEY_W, true);
    press(app, FILO_KEY_W, false);
    frames(app, 2);
    assert_int_equal(last_wait, FILO_UI_CHOSEN);
    assert_int_equal(chosen, FILO_KEY_W);
    assert_int_equal(score_of(app).keys, 0);
    press(app, FILO_KEY_W, true); // the page is closed
    press(app, FILO_KEY_W, false);
    frames(app, 2);
    assert_int_equal(score_of(app).keys, 1);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    args.replay = args.record;
    args.record = NULL;
    app = start(&desc, &args);
    while (filo_app_frame(app)) {}
    assert_ok(filo_app_finish(app));
    assert_int_equal(filo_world_hash(filo_app_world(app)), hash);
    filo_app_destroy(app);
}
