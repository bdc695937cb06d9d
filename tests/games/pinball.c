// The rules of Pinball: plunger, gate, flippers, bumpers, targets, letters, saucer, tilt, lost balls. And the game around
// them: the bot, menus, scores, and recordings.

#include "pinball/menu.h"
#include "support/test.h"

#include <stdlib.h>

#define GOLDEN 0x6bb7a7822758acfd // of a game of 25 seconds by the bot

typedef struct Play {
    Pinball pinball;
    FiloApp *app;
    FiloWorld *world;
    FiloQuery *balls;
} Play;

// The user's folder is the test's own.
static void begin_with(Play *play, bool live, bool demo, const FiloCommonArgs *args) {
    setenv("XDG_DATA_HOME", filo_test_path("data"), 1);
    *play = (Play){ .pinball = PINBALL_DEFAULT };
    play->pinball.demo = demo;
    play->pinball.live = play->pinball.menu.settings.always = live;
    FiloAppDesc desc = pinball_app(&play->pinball);
    FiloCommonArgs all = *args;
    all.headless = true;
    all.backend = FILO_BACKEND_CPU;
    assert_ok(filo_app_create(&play->app, &desc, &all));
    play->world = filo_app_world(play->app);
    play->balls = filo_query(play->world, FILO_READ(FiloTransform2), FILO_READ(FiloBody2), FILO_WITH(Ball));
}

static void begin(Play *play) { begin_with(play, false, false, &(FiloCommonArgs){ .threads = 2 }); }

static uint64_t end(Play *play) {
    filo_query_release(play->balls);
    assert_ok(filo_app_finish(play->app));
    uint64_t hash = filo_world_hash(play->world);
    filo_app_destroy(play->app);
    return hash;
}

static void frames(Play *play, int count) {
    for (int i = 0; i < count; i++) assert_true(filo_app_frame(play->app));
}

static Game *game(const Play *play) { return filo_edit_global(play->world, Game); }

static void hold(Play *play, FiloKey key, bool down) {
    filo_app_collect(play->app,
                     &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

static size_t ball_count(const Play *play) {
    size_t count = 0;
    FiloEach each = filo_query_each(play->balls);
    while (filo_each_next(&each)) count++;
    return count;
}

// The first ball.
static FiloEntity ball(const Play *play, FiloVec2 *at, FiloVec2 *velocity) {
    FiloEach each = filo_query_each(play->balls);
    FiloEntity found = FILO_ENTITY_NONE;
    while (filo_each_next(&each)) {
        if (found.id != 0) continue;
        found = each.entity;
        *at = filo_each_read(&each, FiloTransform2)->position;
        *velocity = filo_each_read(&each, FiloBody2)->velocity;
    }
    return found;
}

static FiloVec2 ball_at(const Play *play) {
    FiloVec2 at = { 0, 0 }, velocity;
    assert_true(ball(play, &at, &velocity).id != 0);
    return at;
}

// The ball that was served is put elsewhere, and is in play.
static void put_ball(Play *play, FiloVec2 to, FiloVec2 velocity) {
    FiloVec2 at, before;
    for (int i = 0; i < 120 && ball_count(play) == 0; i++) frames(play, 1);
    FiloEntity entity = ball(play, &at, &before);
    assert_true(entity.id != 0);
    filo_teleport(play->world, entity, to);
    filo_edit(play->world, entity, FiloBody2)->velocity = velocity;
    game(play)->launched = true;
}

// ---- The table --------------------------------------------------------------------------------------------------

FILO_TEST(the_plunger_shoots_a_ball_and_the_gate_keeps_it_in_the_field) {
    Play play;
    begin(&play);
    frames(&play, 60);
    assert_int_equal(ball_count(&play), 1);
    assert_true(ball_at(&play).x > PINBALL_RIGHT);
    hold(&play, FILO_KEY_SPACE, true);
    frames(&play, 45);
    assert_true(ball_at(&play).y < 1); // the plunger is pulled, and the ball is on it
    hold(&play, FILO_KEY_SPACE, false);
    bool entered = false;
    for (int i = 0; i < 300; i++) {
        frames(&play, 1);
        if (ball_count(&play) == 0) break; // lost
        FiloVec2 at = ball_at(&play);
        entered = entered || (at.y > 15 && at.x < 4);
        if (entered) assert_true(at.x < PINBALL_RIGHT || at.y > 14);
    }
    assert_true(entered);
    assert_true(game(&play)->launched);
    end(&play);
}

FILO_TEST(a_weak_shot_comes_back_to_the_plunger) {
    Play play;
    begin(&play);
    frames(&play, 60);
    hold(&play, FILO_KEY_SPACE, true);
    frames(&play, 25);
    hold(&play, FILO_KEY_SPACE, false);
    float highest = 0;
    for (int i = 0; i < 240; i++) {
        frames(&play, 1);
        highest = filo_max(highest, ball_at(&play).y);
    }
    assert_true(highest > 3 && highest < 15);
    assert_true(ball_at(&play).x > PINBALL_RIGHT && ball_at(&play).y < 2.2f);
    assert_false(game(&play)->launched);
    end(&play);
}

// Whatever the moment at which it is pressed, as long as the ball is on the flipper.
FILO_TEST(a_flipper_shoots_a_ball_up_from_any_point) {
    for (int i = 0; i < 12; i++) {
        Play play;
        begin(&play);
        float x = -1.5f + 0.07f * (float)i;
        put_ball(&play, filo_vec2(x, 3.6f), filo_vec2(0, i % 2 == 0 ? 0 : -18.0f));
        hold(&play, FILO_KEY_A, true);
        float highest = 0;
        for (int k = 0; k < 60; k++) {
            frames(&play, 1);
            if (ball_count(&play) > 0) highest = filo_max(highest, ball_at(&play).y);
        }
        if (!(highest > 7)) fail_msg("a ball at %g rose to %g", (double)x, (double)highest);
        end(&play);
    }
}

FILO_TEST(a_bumper_kicks_and_counts) {
    Play play;
    begin(&play);
    FiloVec2 bumper = pinball_bumper(2), at, velocity;
    put_ball(&play, filo_vec2(bumper.x, bumper.y - 2), filo_vec2(0, 8));
    frames(&play, 12);
    assert_true(ball(&play, &at, &velocity).id != 0 && velocity.y < -9);
    assert_int_equal(game(&play)->score, 100);
    end(&play);
}

FILO_TEST(targets_drop_light_the_saucer_and_come_up_again) {
    Play play;
    begin(&play);
    for (size_t i = 0; i < PINBALL_TARGETS; i++) {
        FiloVec2 target = pinball_target(i);
        game(&play)->saver = 5;
        put_ball(&play, filo_vec2(target.x - 1.2f, target.y), filo_vec2(20, 0));
        frames(&play, 8);
        assert_int_equal(game(&play)->down, (1u << (i + 1)) - 1);
    }
    assert_true(game(&play)->lit);
    assert_int_equal(game(&play)->score, 4 * 500 + 5000);
    put_ball(&play, filo_vec2(0, 6), filo_vec2(0, 10));
    frames(&play, 90);
    assert_int_equal(game(&play)->down, 0);
    FiloHit2 hit;
    FiloVec2 target = pinball_target(1); // there again
    assert_true(filo_physics2_ray(play.world, filo_vec2(target.x - 1, target.y), target, NULL, &hit));
    end(&play);
}

FILO_TEST(all_letters_raise_the_multiplier_and_flippers_move_them) {
    Play play;
    begin(&play);
    for (size_t i = 0; i + 1 < PINBALL_LETTERS; i++) {
        put_ball(&play, filo_vec2_add(pinball_letter(i), filo_vec2(0, 0.7f)), filo_vec2(0, -6));
        frames(&play, 12);
    }
    assert_int_equal(game(&play)->letters, 7);
    hold(&play, FILO_KEY_D, true);
    frames(&play, 2);
    assert_int_equal(game(&play)->letters, 14);
    put_ball(&play, filo_vec2_add(pinball_letter(0), filo_vec2(0, 0.7f)), filo_vec2(0, -6));
    frames(&play, 12);
    assert_int_equal(game(&play)->letters, 0);
    assert_int_equal(game(&play)->multiplier, 2);
    end(&play);
}

FILO_TEST(the_lit_saucer_holds_the_ball_and_serves_two_more) {
    Play play;
    begin(&play);
    FiloVec2 saucer = pinball_saucer();
    put_ball(&play, filo_vec2(saucer.x + 0.8f, saucer.y), filo_vec2(-6, 1));
    game(&play)->lit = true;
    frames(&play, 20);
    assert_true(game(&play)->multiball && !game(&play)->lit);
    assert_true(filo_vec2_distance(ball_at(&play), saucer) < 0.5f);
    frames(&play, 70);
    assert_true(ball_at(&play).x > saucer.x + 0.5f); // kicked out
    frames(&play, 70);
    assert_true(ball_count(&play) >= 2);
    end(&play);
}

FILO_TEST(three_pushes_tilt_and_stop_the_flippers) {
    Play play;
    begin(&play);
    put_ball(&play, filo_vec2(0, 12), filo_vec2(0, 0));
    for (int i = 0; i < 3; i++) {
        hold(&play, FILO_KEY_W, true);
        frames(&play, 2);
        hold(&play, FILO_KEY_W, false);
        frames(&play, 2);
    }
    assert_true(game(&play)->tilted);
    uint64_t score = game(&play)->score;
    hold(&play, FILO_KEY_A, true);
    put_ball(&play, filo_vec2(-1.2f, 3.6f), filo_vec2(0, 0));
    frames(&play, 30);
    assert_true(ball_count(&play) == 0 || ball_at(&play).y < 4);
    assert_int_equal(game(&play)->score, score);
    end(&play);
}

// ---- The game ------------------------------------------------------------------------------------------------------

static void lose_ball(Play *play) {
    put_ball(play, filo_vec2(0, 0.5f), filo_vec2(0, -10));
    for (int i = 0; i < 60 && ball_count(play) > 0; i++) frames(play, 1);
    assert_int_equal(ball_count(play), 0);
}

FILO_TEST(a_ball_is_saved_and_three_lost_ones_end_the_game) {
    Play play;
    begin(&play);
    frames(&play, 60);
    game(&play)->saver = 3;
    lose_ball(&play);
    assert_int_equal(game(&play)->ball, 1);
    assert_int_equal(game(&play)->note, NOTE_SAVED);
    for (int i = 1; i <= PINBALL_BALLS; i++) {
        assert_int_equal(game(&play)->ball, i);
        assert_false(game(&play)->over);
        game(&play)->saver = 0;
        game(&play)->bonus = 100;
        lose_ball(&play);
    }
    assert_true(game(&play)->over);
    assert_int_equal(game(&play)->score, 300); // the bonus of each ball
    hold(&play, FILO_KEY_R, true);
    frames(&play, 60);
    assert_false(game(&play)->over);
    assert_int_equal(game(&play)->score, 0);
    assert_int_equal(ball_count(&play), 1);
    end(&play);
}

FILO_TEST(the_bot_plays_whole_games_and_all_threads_agree) {
    const int threads[] = { 1, 2, 8 };
    uint64_t first = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Play play;
        begin_with(&play, false, true, &(FiloCommonArgs){ .threads = threads[i], .seed = 4 });
        frames(&play, 1500);
        assert_true(game(&play)->score > 500);
        uint64_t hash = end(&play);
        if (i == 0) first = hash;
        assert_int_equal(hash, first);
    }
    assert_int_equal(first, GOLDEN);
}

FILO_TEST(a_recording_replays_on_any_number_of_threads) {
    const char *path = filo_test_path("pinball.input");
    const int threads[] = { 1, 2, 8 };
    Play play;
    begin_with(&play, false, true, &(FiloCommonArgs){ .threads = 2, .seed = 9, .record = path });
    frames(&play, 900);
    uint64_t score = game(&play)->score, hash = end(&play);
    assert_true(score > 0);
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        begin_with(&play, false, true, &(FiloCommonArgs){ .threads = threads[i], .seed = 9, .replay = path });
        while (filo_app_frame(play.app)) {}
        assert_int_equal(game(&play)->score, score);
        assert_int_equal(end(&play), hash);
    }
}

// ---- Menus -----------------------------------------------------------------------------------------------------------

static Page page(const Play *play) { return play->pinball.menu.page; }

// Panels run in a headless frame only after input: the mouse moves, beside everything.
static void menu_frames(Play *play, int count) {
    for (int i = 0; i < count; i++) {
        filo_app_collect(play->app, &(FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 1, 1 } });
        frames(play, 1);
    }
}

static void tap(Play *play, FiloKey key) {
    hold(play, key, true);
    menu_frames(play, 1);
    hold(play, key, false);
    menu_frames(play, 2);
}

FILO_TEST(the_bot_plays_behind_the_title_and_the_player_after_it) {
    Play play;
    const char *path = filo_test_path("menu.input");
    begin_with(&play, true, true, &(FiloCommonArgs){ .threads = 2, .record = path });
    menu_frames(&play, 400);
    assert_int_equal(page(&play), PAGE_TITLE);
    assert_true(game(&play)->launched); // by messages: the menu has the keys
    tap(&play, FILO_KEY_ENTER);
    assert_int_equal(page(&play), PAGE_NONE);
    menu_frames(&play, 60);
    assert_int_equal(game(&play)->ball, 1);
    assert_false(game(&play)->launched);
    float before = ball_at(&play).y;
    menu_frames(&play, 60);
    assert_true(filo_abs(ball_at(&play).y - before) < 0.1f); // nothing pulls the plunger
    tap(&play, FILO_KEY_ESCAPE);
    assert_int_equal(page(&play), PAGE_PAUSE);
    assert_true(filo_app_paused(play.app));
    tap(&play, FILO_KEY_ESCAPE);
    assert_int_equal(page(&play), PAGE_NONE);
    uint64_t hash = end(&play);
    begin_with(&play, false, true, &(FiloCommonArgs){ .threads = 8, .replay = path });
    while (filo_app_frame(play.app)) {}
    assert_int_equal(end(&play), hash);
}

// Files are read while the game runs, in another frame each time.
FILO_TEST(every_tick_has_the_same_hash_in_two_runs) {
    enum { TICKS = 120 };
    uint64_t hashes[2][TICKS];
    for (int run = 0; run < 2; run++) {
        Play play;
        begin_with(&play, false, true, &(FiloCommonArgs){ .threads = 2 });
        for (int i = 0; i < TICKS; i++) {
            frames(&play, 1);
            hashes[run][i] = filo_world_hash(play.world);
        }
        end(&play);
    }
    for (int i = 0; i < TICKS; i++)
        if (hashes[0][i] != hashes[1][i]) fail_msg("tick %d differs", i + 1);
}

FILO_TEST(scores_are_kept_in_order) {
    Play play;
    const uint64_t scores[] = { 500, 900, 700 };
    begin_with(&play, true, true, &(FiloCommonArgs){ .threads = 1 });
    for (size_t i = 0; i < FILO_COUNT_OF(scores); i++) {
        menu_frames(&play, 3);
        tap(&play, FILO_KEY_ENTER); // play, or again
        assert_int_equal(page(&play), PAGE_NONE);
        menu_frames(&play, 60);
        game(&play)->score = scores[i];
        game(&play)->ball = PINBALL_BALLS;
        game(&play)->saver = 0;
        lose_ball(&play);
        assert_true(game(&play)->over);
        menu_frames(&play, 120);
        assert_int_equal(page(&play), PAGE_OVER);
    }
    end(&play);
    begin_with(&play, true, true, &(FiloCommonArgs){ .threads = 1 });
    const uint64_t *best = play.pinball.menu.scores.best;
    assert_true(best[0] == 900 && best[1] == 700 && best[2] == 500 && best[3] == 0);
    end(&play);
}
