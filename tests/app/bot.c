// Input that does not come from the window.

#include "stage.h"

typedef struct Presses {
    int32_t keys, steers, events;
} Presses;
FILO_REFLECT(Presses, FILO_FIELD(int32_t, keys), FILO_FIELD(int32_t, steers), FILO_FIELD(int32_t, events))

static void count_presses(FiloIter *it) {
    Presses *presses = filo_write_global(it, Presses);
    const FiloInput *input = filo_read_global(it, FiloInput);
    presses->keys += filo_input_pressed(input, FILO_KEY_SPACE);
    presses->steers += filo_gamepad_axis(input, 2, FILO_AXIS_LEFT_X) == 1;
}

static int event_count;

static void count_event(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    const FiloInputChange *change = event->payload;
    event_count += change->kind == FILO_INPUT_KEY && change->key == FILO_KEY_SPACE;
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Presses, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "count_presses",
                                              .run = count_presses,
                                              .query.terms = { FILO_WRITE(Presses), FILO_READ(FiloInput) } });
    event_count = 0;
    filo_events_subscribe(filo_app_events(app), &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_INPUT),
                                                                    .function = count_event });
    return filo_ok();
}

// Presses and releases Space in turn. From the tenth frame on, the third gamepad's stick points to the right.
static void play(FiloApp *app) {
    uint64_t tick = filo_world_ticks(filo_app_world(app));
    filo_app_collect(
        app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = FILO_KEY_SPACE, .down = tick % 2 == 0 });
    if (tick != 10) return;
    filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = 2, .down = true });
    filo_app_collect(app, &(FiloInputChange){
                              .kind = FILO_INPUT_PAD_AXIS, .pad = 2, .axis = FILO_AXIS_LEFT_X, .value = 1 });
}

static uint64_t run(const FiloCommonArgs *args, bool with_bot) {
    FiloApp *app =
        start(&(FiloAppDesc){ .name = "bot", .define = define, .frame = with_bot ? play : NULL }, args);
    while (filo_app_frame(app)) {}
    app_wait_for_tick(app);
    const Presses *presses = filo_get_global(filo_app_world(app), Presses);
    assert_int_equal(presses->keys, 15);
    assert_int_equal(presses->steers, 20);
    assert_int_equal(event_count, 30);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    if (app->recorder != NULL) assert_ok(filo_input_recorder_finish(app->recorder, hash));
    filo_app_destroy(app);
    return hash;
}

FILO_TEST(a_bot_plays_a_game_and_its_recording_repeats_that_without_it) {
    FiloCommonArgs args = headless;
    args.frames = 30;
    args.record = filo_test_path("input");
    uint64_t played = run(&args, true);
    args.replay = args.record;
    args.record = NULL;
    assert_true(run(&args, false) == played);
    args.threads = 1;
    args.stats = true;                       // so that frames are drawn
    assert_true(run(&args, true) == played); // a bot has no effect on a replay
}

FILO_TEST(a_bot_can_quit) {
    FiloApp *app = start(&(FiloAppDesc){ .name = "bot" }, &headless);
    assert_true(filo_app_frame(app));
    filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_QUIT });
    assert_false(filo_app_frame(app));
    filo_app_destroy(app);
}

FILO_TEST(a_change_that_means_nothing_does_not_reach_the_game) {
    FiloApp *app = start(&(FiloAppDesc){ .name = "bot" }, &headless);
    expect_fault("a change", filo_app_collect(app, NULL));
    expect_fault("99 is none", filo_app_collect(app, &(FiloInputChange){ .kind = (FiloInputChangeKind)99 }));
    expect_fault("0 is none", filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_KEY }));
    expect_fault("1000 is none",
                 filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = 1000 }));
    expect_fault(
        "pass a button of a gamepad",
        filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_PAD_KEY, .key = FILO_KEY_SPACE }));
    expect_fault("it was 7", filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_PAD, .pad = 7 }));
    expect_fault("77 is none",
                 filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_PAD_AXIS, .axis = 77 }));
    assert_int_equal(app->changes.count, 0);
    filo_app_destroy(app);
}
