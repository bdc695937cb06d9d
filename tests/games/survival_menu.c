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

// From the game to a tab of the settings.
static void open_tab(Play *play, int tab) {
    tap(play, FILO_KEY_ESCAPE);
    assert_int_equal(page(play), PAGE_PAUSE);
    tap(play, FILO_KEY_DOWN);
    tap(play, FILO_KEY_ENTER);
    assert_int_equal(page(play), PAGE_SETTINGS);
    for (int i = 0; i < tab; i++) tap(play, FILO_KEY_RIGHT);
    tap(play, FILO_KEY_ENTER);
    assert_int_equal(play->survival.menu.settings.tab, tab);
}

// The focus is at the key of "Walk left".
static void open_keys(Play *play) {
    open_tab(play, SETTINGS_KEYS);
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

// ---- Volume -----------------------------------------------------------------------------------------------------

static float volume(const Play *play, const char *bus) {
    return filo_audio_volume(filo_app_audio(play->app), bus);
}

static void assert_volume(const Play *play, const char *bus, float expected) {
    if (filo_abs(volume(play, bus) - expected) > 0.001f)
        fail_msg("the volume of %s is %g, not %g", bus, (double)volume(play, bus), (double)expected);
}

static uint64_t played(const Play *play) { return filo_audio_stats(filo_app_audio(play->app)).played; }

FILO_TEST(sliders_change_the_volume_of_buses_and_are_kept) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    open_tab(&play, SETTINGS_SOUND);
    tap(&play, FILO_KEY_DOWN);
    for (int i = 0; i < 4; i++) tap(&play, FILO_KEY_LEFT);
    assert_volume(&play, "master", 0.8f);
    tap(&play, FILO_KEY_DOWN);
    for (int i = 0; i < 10; i++) tap(&play, FILO_KEY_LEFT);
    assert_volume(&play, "music", 0.5f);
    tap(&play, FILO_KEY_DOWN);
    for (int i = 0; i < 15; i++) tap(&play, FILO_KEY_LEFT);
    assert_volume(&play, "sounds", 0.25f);
    assert_volume(&play, "ui", 0.25f);
    assert_volume(&play, "master", 0.8f);
    end(&play);
    begin(&play); // the next time
    assert_volume(&play, "master", 0.8f);
    assert_volume(&play, "music", 0.5f);
    assert_volume(&play, "sounds", 0.25f);
    assert_volume(&play, "ui", 0.25f);
    end(&play);
}

FILO_TEST(minus_and_plus_change_the_volume_in_the_game_unless_an_action_has_them) {
    Play play;
    begin(&play);
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    for (int i = 0; i < 3; i++) tap(&play, FILO_KEY_MINUS);
    tap(&play, FILO_KEY_EQUALS);
    assert_volume(&play, "master", 0.8f);
    open_keys(&play);
    tap(&play, FILO_KEY_MINUS); // belongs to the page
    assert_volume(&play, "master", 0.8f);
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_MINUS);
    assert_int_equal(binding(&play, SURVIVAL_LEFT, 0)->key, FILO_KEY_MINUS);
    leave_to_game(&play);
    assert_true(walk(&play, FILO_KEY_MINUS) < -10);
    assert_volume(&play, "master", 0.8f);
    for (int i = 0; i < 4; i++) tap(&play, FILO_KEY_EQUALS);
    assert_volume(&play, "master", 1);
    for (int i = 0; i < 2; i++) tap(&play, FILO_KEY_EQUALS);
    assert_volume(&play, "master", 1);
    end(&play);
}

// What --volume says is on top of the player's own volume, which is kept without it.
FILO_TEST(a_volume_that_is_given_scales_that_of_the_player) {
    Play play;
    begin(&play);
    frames(&play, 2);
    Settings *settings = &play.survival.menu.settings;
    filo_audio_set_volume(filo_app_audio(play.app), "master", 0.5f);
    settings_begin(settings, play.app);
    tap(&play, FILO_KEY_ENTER);
    for (int i = 0; i < 2; i++) tap(&play, FILO_KEY_MINUS);
    assert_volume(&play, "master", 0.4f);
    end(&play);
    begin(&play);
    assert_volume(&play, "master", 0.8f);
    end(&play);
}

FILO_TEST(buttons_of_menus_click) {
    Play play;
    begin(&play);
    frames(&play, 5);
    uint64_t before = played(&play);
    tap(&play, FILO_KEY_ENTER); // "Play"
    assert_int_equal(page(&play), PAGE_NONE);
    assert_true(played(&play) > before);
    tap(&play, FILO_KEY_ESCAPE);
    frames(&play, 2); // no tick runs: no sounds of the game
    before = played(&play);
    tap(&play, FILO_KEY_DOWN);
    assert_int_equal(played(&play), before);
    tap(&play, FILO_KEY_ENTER); // "Settings"
    assert_int_equal(played(&play), before + 1);
    tap(&play, FILO_KEY_RIGHT);
    tap(&play, FILO_KEY_ENTER); // "Sound"
    assert_int_equal(played(&play), before + 2);
    tap(&play, FILO_KEY_ESCAPE);
    assert_int_equal(played(&play), before + 3);
    end(&play);
}

static FiloResult leave_out_audio(FiloApp *app) {
    return filo_modules_unregister(filo_app_modules(app), "audio");
}

FILO_TEST(without_audio_menus_and_settings_work) {
    Play play;
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    play = (Play){ .survival = SURVIVAL_DEFAULT };
    play.survival.live = play.survival.menu.settings.always = true;
    FiloAppDesc desc = survival_app(&play.survival);
    desc.setup = leave_out_audio;
    assert_ok(filo_app_create(&play.app, &desc, &(FiloCommonArgs){ .headless = true }));
    assert_null(filo_app_audio(play.app));
    frames(&play, 2);
    tap(&play, FILO_KEY_ENTER);
    tap(&play, FILO_KEY_MINUS);
    open_tab(&play, SETTINGS_SOUND);
    frames(&play, 2);
    leave_to_game(&play);
    end(&play);
    begin(&play);
    assert_volume(&play, "master", 0.9f); // is kept nevertheless
    end(&play);
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

// Files are read while the game runs, in another frame each time.
FILO_TEST(every_tick_has_the_same_hash_in_two_runs) {
    enum { TICKS = 120 };
    uint64_t hashes[2][TICKS];
    for (int run = 0; run < 2; run++) {
        Play play;
        begin_with(&play, false, NULL, NULL);
        for (int i = 0; i < TICKS; i++) {
            frame(&play);
            hashes[run][i] = filo_world_hash(filo_app_world(play.app));
        }
        end(&play);
    }
    for (int i = 0; i < TICKS; i++)
        if (hashes[0][i] != hashes[1][i]) fail_msg("tick %d differs", i + 1);
}
