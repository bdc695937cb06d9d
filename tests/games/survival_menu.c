// The menus of Survival, used by keys, mouse and gamepad: title, play, pause, settings, other keys, the end. What was
// played is recorded, and replays to the same world without menus.

#include "support/test.h"
#include "survival/menu.h"

#include <stdlib.h>

typedef struct Play {
    Survival survival;
    FiloApp *app;
} Play;

// `record` may be NULL. The user's folder is the test's own.
static void begin_with(Play *play, bool live, const char *record, const char *replay) {
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    *play = (Play){ .survival = SURVIVAL_DEFAULT };
    play->survival.enemies = 200;
    play->survival.live = play->survival.menu.settings.always = live;
    FiloAppDesc desc = survival_app(&play->survival);
    FiloCommonArgs args = { .headless = true,
                            .backend = FILO_BACKEND_CPU,
                            .threads = 2,
                            .seed = 5,
                            .record = record,
                            .replay = replay };
    assert_ok(filo_app_create(&play->app, &desc, &args));
}

static void begin(Play *play) { begin_with(play, true, NULL, NULL); }

static uint64_t end(Play *play) {
    assert_ok(filo_app_finish(play->app));
    uint64_t hash = filo_world_hash(filo_app_world(play->app));
    filo_app_destroy(play->app);
    return hash;
}

static void collect(Play *play, FiloInputChange change) { filo_app_collect(play->app, &change); }

// A frame. Panels run in a headless frame only after input: the mouse moves, beside everything.
static void frame(Play *play) {
    collect(play, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 1, 1 } });
    assert_true(filo_app_frame(play->app));
}

static void frames(Play *play, int count) {
    for (int i = 0; i < count; i++) frame(play);
}

static void hold(Play *play, FiloKey key, bool down) {
    bool pad = key >= FILO_PAD_A;
    collect(play, (FiloInputChange){
                      .kind = pad ? FILO_INPUT_PAD_KEY : FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

// Pressed and released, and until what follows from it is shown.
static void tap(Play *play, FiloKey key) {
    hold(play, key, true);
    frame(play);
    hold(play, key, false);
    frames(play, 2);
}

static Page page(const Play *play) { return play->survival.menu.page; }
static const Game *game(const Play *play) { return filo_get_global(filo_app_world(play->app), Game); }

// How far the player walks in ten frames while a key is held.
static float walk(Play *play, FiloKey key) {
    float before = game(play)->player.x;
    hold(play, key, true);
    frames(play, 10);
    hold(play, key, false);
    frame(play);
    return game(play)->player.x - before;
}

static const FiloBinding *binding(const Play *play, const char *name, size_t slot) {
    const FiloActions *actions = filo_app_actions(play->app);
    for (size_t i = 0; i < filo_actions_count(actions); i++)
        if (filo_string_equal(filo_string(filo_actions_at(actions, i)->name), filo_string(name)))
            return &filo_actions_at(actions, i)->bindings[slot];
    fail_msg("there is no action %s", name);
    return NULL;
}

// From the game to the keys, with the focus at the key of "Walk left".
static void open_keys(Play *play) {
    tap(play, FILO_KEY_ESCAPE);
    assert_int_equal(page(play), PAGE_PAUSE);
    tap(play, FILO_KEY_DOWN);
    tap(play, FILO_KEY_ENTER);
    assert_int_equal(page(play), PAGE_SETTINGS);
    tap(play, FILO_KEY_RIGHT);
    tap(play, FILO_KEY_ENTER);
    assert_int_equal(play->survival.menu.settings.tab, 1);
    tap(play, FILO_KEY_DOWN);
    tap(play, FILO_KEY_DOWN);
}

static void leave_to_game(Play *play) {
    tap(play, FILO_KEY_ESCAPE);
    assert_int_equal(page(play), PAGE_PAUSE);
    tap(play, FILO_KEY_ESCAPE);
    assert_int_equal(page(play), PAGE_NONE);
}

static bool waits(const Play *play) { return play->survival.menu.settings.waits; }

FILO_TEST(without_a_window_there_is_a_game_and_no_menu) {
    Play play;
    begin_with(&play, false, NULL, NULL);
    frames(&play, 5);
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(game(&play)->time > 0.05f);
    assert_int_equal(filo_actions_count(filo_app_actions(play.app)), 1);
    assert_true(walk(&play, FILO_KEY_D) > 10);
    filo_edit_global(filo_app_world(play.app), Game)->over = true;
    frames(&play, 2);
    assert_int_equal(page(&play), PAGE_NONE);
    end(&play);
}

FILO_TEST(the_title_waits_until_the_player_plays) {
    Play play;
    begin(&play);
    frames(&play, 10);
    assert_int_equal(page(&play), PAGE_TITLE);
    assert_true(filo_app_paused(play.app));
    assert_true(game(&play)->time == 0);
    tap(&play, FILO_KEY_ESCAPE); // does not leave it
    assert_int_equal(page(&play), PAGE_TITLE);
    tap(&play, FILO_KEY_ENTER);
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(game(&play)->time > 0);
    end(&play);
}

FILO_TEST(a_pause_stops_the_game_and_takes_its_keys) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    assert_true(walk(&play, FILO_KEY_D) > 10);
    tap(&play, FILO_KEY_ESCAPE);
    float time = game(&play)->time;
    assert_true(walk(&play, FILO_KEY_D) == 0);
    assert_true(game(&play)->time == time);
    tap(&play, FILO_KEY_ENTER); // "Continue" has the focus
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(game(&play)->time > time);
    end(&play);
}

FILO_TEST(a_key_that_the_player_chooses_walks_and_is_kept) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    open_keys(&play);
    tap(&play, FILO_KEY_ENTER);
    assert_true(waits(&play));
    tap(&play, FILO_KEY_J);
    assert_false(waits(&play));
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_J);
    tap(&play, FILO_KEY_ENTER); // the focus is where it was
    assert_true(waits(&play));
    tap(&play, FILO_KEY_ESCAPE); // stays as it is
    assert_false(waits(&play));
    assert_int_equal(page(&play), PAGE_SETTINGS);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_J);
    leave_to_game(&play);
    assert_true(walk(&play, FILO_KEY_J) < -10);
    assert_true(walk(&play, FILO_KEY_A) == 0);
    assert_true(walk(&play, FILO_KEY_LEFT) < -10); // the other key of the action
    end(&play);
    begin(&play); // the next time
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_J);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    assert_true(walk(&play, FILO_KEY_J) < -10);
    end(&play);
}

FILO_TEST(a_key_has_one_action) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    open_keys(&play);
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_D);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_D);
    assert_int_equal(binding(&play, SURVIVAL_RIGHT, 0)->key, FILO_KEY_NONE);
    assert_string_equal(play.survival.menu.settings.note, "D was \"Walk right\".");
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_DELETE);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_NONE);
    leave_to_game(&play);
    assert_true(walk(&play, FILO_KEY_D) == 0);
    end(&play);
}

FILO_TEST(a_mouse_button_and_a_button_of_a_gamepad_can_be_chosen) {
    Play play;
    begin(&play);
    collect(&play, (FiloInputChange){ .kind = FILO_INPUT_PAD, .down = true });
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    open_keys(&play);
    tap(&play, FILO_KEY_ENTER);
    collect(&play,
            (FiloInputChange){
                .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_RIGHT, .down = true, .position = { 640, 360 } });
    frames(&play, 2);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_MOUSE_RIGHT);
    tap(&play, FILO_KEY_RIGHT); // to the column of the gamepad
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_K); // is no button of it
    assert_true(waits(&play));
    tap(&play, FILO_PAD_X);
    assert_false(waits(&play));
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 2)->key, FILO_PAD_X);
    leave_to_game(&play);
    assert_true(walk(&play, FILO_PAD_X) < -10);
    end(&play);
}

FILO_TEST(a_gamepad_uses_the_menus_alone) {
    Play play;
    begin(&play);
    collect(&play, (FiloInputChange){ .kind = FILO_INPUT_PAD, .down = true });
    frames(&play, 2);
    tap(&play, FILO_PAD_A);
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(walk(&play, FILO_PAD_RIGHT) > 10);
    tap(&play, FILO_PAD_START);
    assert_int_equal(page(&play), PAGE_PAUSE);
    tap(&play, FILO_PAD_DOWN);
    tap(&play, FILO_PAD_A);
    assert_int_equal(page(&play), PAGE_SETTINGS);
    tap(&play, FILO_PAD_B);
    assert_int_equal(page(&play), PAGE_PAUSE);
    for (int i = 0; i < 2; i++) tap(&play, FILO_PAD_DOWN);
    tap(&play, FILO_PAD_A); // "Begin again"
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(game(&play)->time < 0.2f);
    end(&play);
}

// The first widget from above that opens or closes a page when it is clicked.
FILO_TEST(the_mouse_uses_the_title) {
    Play play;
    begin(&play);
    frames(&play, 2);
    for (float y = 230; y < 600 && page(&play) == PAGE_TITLE; y += 8) {
        FiloInputChange change = { .kind = FILO_INPUT_MOUSE, .position = { 200, y } };
        collect(&play, change);
        change.kind = FILO_INPUT_KEY;
        change.key = FILO_MOUSE_LEFT;
        change.down = true;
        collect(&play, change);
        assert_true(filo_app_frame(play.app));
        change.down = false;
        collect(&play, change);
        assert_true(filo_app_frame(play.app));
        assert_true(filo_app_frame(play.app));
    }
    assert_int_equal(page(&play), PAGE_NONE); // "Play"
    end(&play);
}

FILO_TEST(the_end_has_a_page_that_begins_again) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    *filo_edit_global(filo_app_world(play.app), Game) =
        (Game){ .over = true, .score = 30, .best = 30, .time = 9 };
    frames(&play, 2);
    assert_int_equal(page(&play), PAGE_OVER);
    assert_true(filo_app_paused(play.app));
    tap(&play, FILO_KEY_ENTER);
    assert_int_equal(page(&play), PAGE_NONE);
    assert_false(game(&play)->over);
    assert_true(game(&play)->health == 100 && game(&play)->score == 0 && game(&play)->best == 30);
    end(&play);
}

FILO_TEST(a_game_after_the_title_begins_anew) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    frames(&play, 60);
    tap(&play, FILO_KEY_ESCAPE);
    tap(&play, FILO_KEY_UP); // from the first to the last: "Leave to title"
    tap(&play, FILO_KEY_ENTER);
    assert_int_equal(page(&play), PAGE_TITLE);
    assert_true(game(&play)->time > 0.9f);
    tap(&play, FILO_KEY_ENTER);
    assert_true(game(&play)->time < 0.2f);
    end(&play);
}

FILO_TEST(a_key_begins_again_at_any_time_but_not_in_a_menu) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    frames(&play, 60);
    tap(&play, FILO_KEY_ESCAPE);
    tap(&play, FILO_KEY_R);
    tap(&play, FILO_KEY_ESCAPE);
    assert_true(game(&play)->time > 0.9f);
    tap(&play, FILO_KEY_R);
    assert_true(game(&play)->time < 0.2f);
    end(&play);
}

FILO_TEST(what_was_played_with_menus_replays_without_them) {
    Play play;
    const char *record = filo_test_path("game.input");
    begin_with(&play, true, record, NULL);
    frames(&play, 5);
    tap(&play, FILO_KEY_ENTER);
    (void)walk(&play, FILO_KEY_D);
    open_keys(&play);
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_J);
    leave_to_game(&play);
    assert_true(walk(&play, FILO_KEY_J) < -10);
    tap(&play, FILO_KEY_ESCAPE);
    for (int i = 0; i < 2; i++) tap(&play, FILO_KEY_DOWN);
    tap(&play, FILO_KEY_ENTER); // "Begin again"
    frames(&play, 100);
    (void)walk(&play, FILO_KEY_J);
    FiloVec2 at = game(&play)->player;
    uint64_t hash = end(&play);
    begin_with(&play, false, NULL, record);
    while (filo_app_frame(play.app)) assert_int_equal(page(&play), PAGE_NONE);
    assert_true(game(&play)->player.x == at.x && game(&play)->player.y == at.y);
    assert_true(end(&play) == hash);
}

FILO_TEST(broken_files_of_settings_are_reported_and_change_nothing) {
    Play play;
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    char path[FILO_PATH_SIZE];
    assert_ok(filo_path_standard_file(path, sizeof path, FILO_FOLDER_USER_DATA, "survival", "settings.json"));
    assert_ok(filo_file_write(path, "{\"zoom\": 1.5, ", 14, NULL));
    assert_ok(filo_path_standard_file(path, sizeof path, FILO_FOLDER_USER_DATA, "survival", "keys.json"));
    assert_ok(filo_file_write(path, "no", 2, NULL));
    begin(&play);
    assert_true(play.survival.menu.settings.zoom == 1);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_A);
    end(&play);
}
