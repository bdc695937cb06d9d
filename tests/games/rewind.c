// Physics that runs backwards and branches: the past is what it was, and one of two futures repeats the first.

#include "rewind/rewind.h"
#include "support/test.h"

typedef struct Play {
    Rewind rewind;
    FiloApp *app;
} Play;

static void begin(Play *play, int threads) {
    *play = (Play){ 0 };
    FiloAppDesc desc = rewind_app(&play->rewind);
    const FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_CPU, .threads = threads };
    assert_ok(filo_app_create(&play->app, &desc, &args));
}

static uint64_t end(Play *play) {
    assert_ok(filo_app_finish(play->app));
    uint64_t hash = filo_world_hash(filo_app_world(play->app));
    filo_app_destroy(play->app);
    return hash;
}

static void frames(Play *play, int count) {
    for (int i = 0; i < count; i++) assert_true(filo_app_frame(play->app));
}

static FiloWorld *world(const Play *play) { return filo_app_world(play->app); }

FILO_TEST(the_tower_falls_stands_again_and_falls_in_the_same_way) {
    Play play;
    begin(&play, 2);
    frames(&play, 20);
    uint64_t early = filo_world_hash(world(&play));
    float standing = rewind_height(world(&play));
    frames(&play, 180);
    uint64_t late = filo_world_hash(world(&play));
    assert_true(rewind_height(world(&play)) < standing - 3);
    // Backwards, step by step.
    for (size_t back = 0; back <= 180; back += 20) rewind_by(&play.rewind, play.app, back);
    assert_int_equal(filo_world_hash(world(&play)), early);
    assert_ok(filo_app_go_on(play.app));
    frames(&play, 180);
    assert_int_equal(filo_world_hash(world(&play)), late);
    end(&play);
}

FILO_TEST(a_branch_with_a_lighter_ball_differs_and_the_other_does_not) {
    const int threads[] = { 1, 2, 8 };
    uint64_t first = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Play play;
        begin(&play, threads[i]);
        frames(&play, 200);
        uint64_t late = filo_world_hash(world(&play));
        float fallen = rewind_height(world(&play));
        rewind_by(&play.rewind, play.app, 180);
        assert_ok(rewind_branch(&play.rewind, play.app));
        frames(&play, 181); // the other world follows in the frame after
        assert_int_equal(filo_world_ticks(play.rewind.other), 200);
        assert_int_equal(filo_world_hash(play.rewind.other), late);
        assert_true(rewind_height(world(&play)) > fallen + 1);
        uint64_t hash = end(&play);
        if (i == 0) first = hash;
        assert_int_equal(hash, first);
    }
}

FILO_TEST(going_back_too_far_shows_the_first_state_that_is_kept) {
    Play play;
    begin(&play, 1);
    frames(&play, 10);
    rewind_by(&play.rewind, play.app, 1000000);
    assert_true(play.rewind.back > 0 && play.rewind.back < 11);
    assert_int_equal(play.rewind.problem[0], '\0');
    end(&play);
}

FILO_TEST(frames_ends_the_game_while_the_key_for_back_is_held) {
    Play play = { 0 };
    FiloAppDesc desc = rewind_app(&play.rewind);
    const FiloCommonArgs args = {
        .headless = true, .backend = FILO_BACKEND_NULL, .threads = 2, .frames = 60
    };
    assert_ok(filo_app_create(&play.app, &desc, &args));
    frames(&play, 20);
    filo_app_collect(play.app,
                     &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_KEY_LEFT, .down = true });
    int more = 1;
    while (more < 1000 && filo_app_frame(play.app)) more++;
    assert_in_range(more, 60, 62);
    assert_int_equal(filo_world_ticks(world(&play)), 0); // the first state
    end(&play);
}

// Recorded games cannot branch.
FILO_TEST(a_demonstration_that_is_recorded_goes_on_and_is_replayed) {
    const char *path = filo_test_path("rewind.input");
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        Play play = { .rewind.demo = true };
        FiloAppDesc desc = rewind_app(&play.rewind);
        const FiloCommonArgs args = { .headless = true,
                                      .backend = FILO_BACKEND_CPU,
                                      .threads = i + 1,
                                      .record = i == 0 ? path : NULL,
                                      .replay = i == 1 ? path : NULL };
        assert_ok(filo_app_create(&play.app, &desc, &args));
        for (int k = 0; k < 1000 && filo_world_ticks(world(&play)) < 250; k++)
            if (!filo_app_frame(play.app)) break;
        assert_int_equal(filo_world_ticks(world(&play)), 250);
        assert_contains(play.rewind.problem, i == 0 ? "being recorded" : "a replay");
        hashes[i] = end(&play);
    }
    assert_int_equal(hashes[0], hashes[1]);
}
