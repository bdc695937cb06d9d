// Game states in an app: recorded and replayed, and independent of the app's pause.

#include "stage.h"

#include <filo/timer.h>

typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING, SCREEN_PAUSED, SCREEN_OVER } Screen;
FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"),
                  FILO_VALUE(SCREEN_PAUSED, "paused"), FILO_VALUE(SCREEN_OVER, "over"))

typedef struct Counts {
    int32_t menus, games, levels;
    FiloTimer limit; // of a game, in ticks
} Counts;
FILO_REFLECT(Counts, FILO_FIELD(int32_t, menus), FILO_FIELD(int32_t, games), FILO_FIELD(int32_t, levels),
             FILO_FIELD(FiloTimer, limit))

typedef struct Brick {
    int32_t number;
} Brick;
FILO_REFLECT(Brick, FILO_FIELD(int32_t, number))

// Space starts the game, pauses it and resumes it.
static void handle_keys(FiloIter *it) {
    if (!filo_input_pressed(filo_read_global(it, FiloInput), FILO_KEY_SPACE)) return;
    Screen screen = filo_state(it->world, Screen);
    filo_set_state(it->changes, Screen, screen == SCREEN_PLAYING ? SCREEN_PAUSED : SCREEN_PLAYING);
}

static void build(FiloIter *it) {
    Counts *counts = filo_write_global(it, Counts);
    counts->levels++;
    counts->limit = (FiloTimer){ .duration = 8 };
    for (int i = 0; i < 5; i++) {
        FiloEntity brick = filo_changes_create_entity(it->changes);
        filo_set(it->changes, brick, Brick, counts->levels * 10 + i);
        filo_bind_state(it->changes, brick, Screen, SCREEN_PLAYING, SCREEN_PAUSED);
    }
}

static void play(FiloIter *it) {
    Counts *counts = filo_write_global(it, Counts);
    counts->games++;
    if (filo_timer_advance(&counts->limit, 1) > 0) filo_set_state(it->changes, Screen, SCREEN_OVER);
}

static void show_menu(FiloIter *it) { filo_write_global(it, Counts)->menus++; }

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Counts, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Brick);
    filo_states(world, Screen);
    const FiloSystemDesc systems[] = {
        { .name = "keys", .run = handle_keys, .query.terms = { FILO_READ(FiloInput) } },
        { .name = "build",
          .run = build,
          .query.terms = { FILO_WRITE(Counts) },
          .on_enter = { FILO_STATE(Screen, SCREEN_PLAYING), FILO_STATE(Screen, SCREEN_PAUSED) } },
        { .name = "play",
          .run = play,
          .query.terms = { FILO_WRITE(Counts) },
          .in_state = { FILO_STATE(Screen, SCREEN_PLAYING) } },
        { .name = "menu",
          .run = show_menu,
          .query.terms = { FILO_WRITE(Counts) },
          .in_state = { FILO_STATE(Screen, SCREEN_TITLE), FILO_STATE(Screen, SCREEN_PAUSED) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(world, &systems[i]);
    return filo_ok();
}

static void press_in_frame(FiloApp *app, bool down) {
    filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_KEY_SPACE, .down = down });
}

static void play_bot(FiloApp *app) {
    static const uint64_t presses[] = { 3, 7, 12, 30, 33, 40 };
    uint64_t ticks = filo_world_ticks(filo_app_world(app));
    for (size_t i = 0; i < FILO_COUNT_OF(presses); i++)
        if (ticks == presses[i] || ticks == presses[i] + 1) press_in_frame(app, ticks == presses[i]);
}

static uint64_t run(const FiloCommonArgs *args, bool with_bot) {
    FiloApp *app = start(
        &(FiloAppDesc){ .name = "states", .define = define, .frame = with_bot ? play_bot : NULL }, args);
    while (filo_app_frame(app)) {}
    app_wait_for_tick(app);
    const Counts *counts = filo_get_global(filo_app_world(app), Counts);
    assert_int_equal(counts->levels, 2);
    assert_int_equal(counts->games, 16);
    assert_true(counts->menus > 5);
    assert_int_equal(filo_state(filo_app_world(app), Screen), SCREEN_OVER);
    assert_int_equal(filo_world_stats(filo_app_world(app)).entities, 0);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    if (app->recorder != NULL) assert_ok(filo_input_recorder_finish(app->recorder, hash));
    filo_app_destroy(app);
    return hash;
}

FILO_TEST(a_replay_goes_through_the_same_states_on_any_number_of_threads) {
    FiloCommonArgs args = headless;
    args.frames = 60;
    args.record = filo_test_path("input");
    uint64_t played = run(&args, true);
    args.replay = args.record;
    args.record = NULL;
    for (int threads = 1; threads <= 16; threads *= 2) {
        args.threads = threads;
        assert_true(run(&args, false) == played);
    }
}

// The app's pause stops everything; a state "paused" stops the game alone.
FILO_TEST(a_paused_app_is_not_a_paused_game) {
    const double tick = 1.0 / 60;
    FiloApp *app = start(&(FiloAppDesc){ .name = "states", .define = define, .no_overlap = true }, &headless);
    FiloWorld *world = filo_app_world(app);
    filo_app_tick(app, tick);
    filo_set_state(world, Screen, SCREEN_PAUSED);
    filo_app_pause(app, true);
    for (int i = 0; i < 10; i++) filo_app_tick(app, tick);
    assert_int_equal(filo_state(world, Screen), SCREEN_TITLE); // the request waits
    assert_int_equal(filo_next_state(world, Screen), SCREEN_PAUSED);
    assert_int_equal(filo_get_global(world, Counts)->menus, 1);
    filo_app_pause(app, false);
    for (int i = 0; i < 10; i++) filo_app_tick(app, tick);
    assert_int_equal(filo_state(world, Screen), SCREEN_PAUSED);
    const Counts *counts = filo_get_global(world, Counts);
    assert_in_range(counts->menus, 10, 11);
    assert_int_equal(counts->games, 0);
    filo_app_destroy(app);
}
