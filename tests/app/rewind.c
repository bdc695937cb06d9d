// Rewinding a running game: looking at earlier ticks, returning to the present, and going on from there.

#include "drifter.h"

#define TICKS 40

// Runs a game with a history, and stores the hash after each tick.
static FiloApp *run_game(const FiloCommonArgs *args, uint64_t hashes[TICKS]) {
    FiloApp *app = start_drifters(args);
    assert_ok(filo_app_keep_history(app, 0.5)); // 31 states
    for (int i = 0; i < TICKS; i++) {
        frames(app, 1);
        hashes[i] = hash_of(app);
    }
    return app;
}

FILO_TEST(an_earlier_state_is_shown_and_no_tick_runs) {
    uint64_t hashes[TICKS];
    FiloApp *app = run_game(&headless, hashes);
    FiloAppHistory history = filo_app_history(app);
    assert_int_equal(history.states, 31);
    assert_true(history.memory > 0 && history.problem == NULL && history.back == 0);
    const size_t backs[] = { 10, 30, 1, 17 };
    for (size_t i = 0; i < FILO_COUNT_OF(backs); i++) {
        assert_ok(filo_app_rewind(app, backs[i]));
        frames(app, 2);
        assert_int_equal(hash_of(app), hashes[TICKS - 1 - backs[i]]);
        assert_int_equal(filo_app_history(app).back, backs[i]);
        assert_true(filo_abs((float)(filo_app_time(app) - (double)(TICKS - backs[i]) * tick)) < 1e-4f);
    }
    filo_app_pause(app, true);
    filo_app_step(app);
    frames(app, 2);
    assert_int_equal(hash_of(app), hashes[TICKS - 1 - 17]);
    filo_app_pause(app, false);
    assert_ok(filo_app_rewind(app, 0));
    assert_int_equal(hash_of(app), hashes[TICKS - 1]);
    frames(app, 1);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), TICKS + 1);
    filo_app_destroy(app);
}

FILO_TEST(frames_ends_a_game_that_stands_still_for_as_long) {
    for (int rewound = 0; rewound < 2; rewound++) {
        FiloCommonArgs args = headless;
        args.frames = 20;
        FiloApp *app = start_drifters(&args);
        assert_ok(filo_app_keep_history(app, 0.5));
        frames(app, 10);
        for (int again = 0; again < 2; again++) {
            if (rewound)
                assert_ok(filo_app_rewind(app, 4));
            else
                filo_app_pause(app, true);
            frames(app, again == 0 ? 15 : 19);
            assert_true(filo_app_poll(app));
            if (again == 1) break;
            assert_ok(filo_app_rewind(app, 0));
            filo_app_pause(app, false);
            frames(app, 5); // and all is as before
        }
        frames(app, 1);
        assert_false(filo_app_poll(app));
        filo_app_destroy(app);
    }
}

FILO_TEST(the_game_goes_on_from_an_earlier_tick_as_it_did_before) {
    uint64_t hashes[TICKS];
    FiloApp *app = run_game(&headless, hashes);
    assert_ok(filo_app_rewind(app, 12));
    assert_ok(filo_app_go_on(app));
    assert_int_equal(filo_app_history(app).states, 31 - 12);
    for (int i = TICKS - 12; i < TICKS; i++) {
        frames(app, 1);
        assert_int_equal(hash_of(app), hashes[i]);
    }
    FiloCommand command = set_mass(app, "9");
    assert_ok(filo_app_rewind(app, 12));
    assert_ok(filo_app_go_on(app));
    assert_ok(filo_app_command(app, &command, NULL)); // and differently
    frames(app, 12);
    assert_int_not_equal(hash_of(app), hashes[TICKS - 1]);
    filo_app_destroy(app);
}

FILO_TEST(changes_since_the_last_tick_are_a_part_of_the_present) {
    uint64_t hashes[TICKS];
    FiloApp *app = run_game(&headless, hashes);
    filo_app_pause(app, true);
    FiloCommand command = set_mass(app, "9");
    assert_ok(filo_app_command(app, &command, NULL));
    uint64_t changed = hash_of(app);
    assert_ok(filo_app_rewind(app, 5));
    assert_error(filo_app_command(app, &command, NULL), FILO_ERROR_BUSY,
                 "the past cannot be changed: go on from this tick first");
    assert_ok(filo_app_rewind(app, 0));
    assert_int_equal(hash_of(app), changed);
    filo_app_destroy(app);
}

// Tries to restore a state in every way. Each is refused for this reason, and changes nothing.
static void expect_no_restore(FiloApp *app, const FiloSnapshot *state, const FiloBytes *saved,
                              const char *reason) {
    FiloWorld *world = filo_app_world(app);
    char sentence[256];
    uint64_t hash = hash_of(app);
    snprintf(sentence, sizeof sentence, "cannot restore a snapshot: %s", reason);
    assert_error(filo_snapshot_restore(state, world), FILO_ERROR_BUSY, sentence);
    snprintf(sentence, sizeof sentence, "cannot load a world: %s", reason);
    assert_error(filo_world_load_bytes(world, saved->items, saved->count, "saved", NULL), FILO_ERROR_BUSY,
                 sentence);
    assert_int_equal(hash_of(app), hash);
}

FILO_TEST(a_game_restores_no_state_while_it_is_recorded_or_replayed) {
    const char *path = filo_test_path("states.input");
    FiloCommonArgs args = headless;
    args.record = path;
    for (int replayed = 0; replayed < 2; replayed++) {
        FiloApp *app = start_drifters(&args);
        FiloSnapshot *before = filo_snapshot_create(NULL);
        FiloBytes saved = { 0 };
        assert_ok(filo_snapshot_take(before, filo_app_world(app)));
        assert_ok(filo_world_save_bytes(filo_app_world(app), &saved, NULL));
        frames(app, 3);
        expect_no_restore(app, before, &saved,
                          replayed ? "a recording is being replayed, and it holds no states"
                                   : "the game is being recorded, and a recording holds no states");
        filo_snapshot_destroy(before);
        filo_array_deinit(&saved);
        while (replayed && filo_app_frame(app)) {}
        assert_ok(filo_app_finish(app));
        filo_app_destroy(app);
        args.record = NULL, args.replay = path;
    }
}

FILO_TEST(a_recorded_game_is_looked_at_and_returns_to_the_present) {
    uint64_t hashes[TICKS];
    const char *path = filo_test_path("looked.input");
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = run_game(&args, hashes);
    assert_ok(filo_app_rewind(app, 20));
    assert_error(filo_app_go_on(app), FILO_ERROR_BUSY,
                 "the game is being recorded: it cannot go on from an earlier tick");
    assert_int_equal(hash_of(app), hashes[TICKS - 21]);
    assert_ok(filo_app_finish(app)); // returns to the present
    assert_int_equal(hash_of(app), hashes[TICKS - 1]);
    filo_app_destroy(app);

    args.record = NULL, args.replay = path;
    app = start_drifters(&args);
    assert_ok(filo_app_keep_history(app, 1));
    frames(app, 30);
    assert_ok(filo_app_rewind(app, 8));
    frames(app, 5);
    assert_int_equal(hash_of(app), hashes[21]);
    assert_error(filo_app_go_on(app), FILO_ERROR_BUSY, "a replay cannot go on from an earlier tick");
    assert_ok(filo_app_rewind(app, 0));
    while (filo_app_frame(app)) {}
    assert_int_equal(hash_of(app), hashes[TICKS - 1]);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

FILO_TEST(states_that_were_not_kept_are_an_error) {
    FiloApp *app = start_drifters(&headless);
    frames(app, 5);
    assert_error(filo_app_rewind(app, 1), FILO_ERROR_NOT_FOUND, "there are states of the last 0 ticks");
    assert_ok(filo_app_keep_history(app, 1));
    frames(app, 5);
    assert_error(filo_app_rewind(app, 6), FILO_ERROR_NOT_FOUND,
                 "there are states of the last 5 ticks, not of 6");
    assert_ok(filo_app_rewind(app, 5));
    assert_ok(filo_app_keep_history(app, 0)); // returns to the present
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 10);
    assert_int_equal(filo_app_history(app).states, 0);
    assert_ok(filo_app_go_on(app)); // nothing to do
    filo_app_destroy(app);
}

typedef struct Owner {
    int32_t number;
} Owner;
FILO_REFLECT(Owner, FILO_FIELD(int32_t, number))
static void destruct(void *value, void *user) { (void)value, (void)user; }

FILO_TEST(a_world_that_no_history_can_hold_says_so) {
    hush();
    FiloApp *app = start_drifters(&headless);
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Owner, .hooks = { .destruct = destruct });
    filo_create(world, FILO_ADD(Owner));
    assert_error(filo_app_keep_history(app, 1), FILO_ERROR_UNSUPPORTED, "Owner");
    frames(app, 3);
    assert_contains(filo_app_history(app).problem, "Owner");
    assert_error(filo_app_rewind(app, 1), FILO_ERROR_UNSUPPORTED, "Owner");
    filo_app_destroy(app);
}

FILO_TEST(misuse_of_rewinding_is_reported) {
    FiloApp *app = start_drifters(&headless);
    expect_mistake("keep 0 to 3600 seconds", filo_app_keep_history(app, -1));
    expect_mistake("pass an app", filo_app_keep_history(NULL, 1));
    expect_mistake("pass an app", filo_app_rewind(NULL, 1));
    expect_mistake("pass an app", filo_app_go_on(NULL));
    expect_fault("pass an app", filo_app_history(NULL));
    app->drawing = true;
    expect_mistake("rewind between ticks", filo_app_rewind(app, 1));
    app->drawing = false;
    filo_app_destroy(app);
}
