// Pauses, single ticks, and input during a pause.

#include "stage.h"

#include <unistd.h>

static const double tick = 1.0 / 60;

static void frame_of(FiloApp *app) {
    filo_app_poll(app);
    filo_app_tick(app, tick);
    filo_app_extract(app);
    filo_app_render(app);
    filo_app_present(app);
}

static uint64_t ticks(FiloApp *app) {
    app_wait_for_tick(app);
    return filo_world_ticks(filo_app_world(app));
}

static void toggle_pause(FiloApp *app) {
    if (filo_input_pressed(filo_app_input(app), FILO_KEY_P)) filo_app_pause(app, !filo_app_paused(app));
}

FILO_TEST(a_key_begins_and_ends_a_pause) {
    for (int frames_per_tick = 1; frames_per_tick <= 3; frames_per_tick++) {
        FiloApp *app = start(&(FiloAppDesc){ .frame = toggle_pause, .max_ticks = 10 }, &headless);
        for (int round = 0; round < 4; round++) {
            press(app, FILO_KEY_P, true);
            press(app, FILO_KEY_P, false);
            for (int i = 0; i < 4 * frames_per_tick; i++) {
                filo_app_poll(app);
                filo_app_tick(app, tick / frames_per_tick);
            }
            assert_int_equal(filo_app_paused(app), round % 2 == 0);
        }
        filo_app_destroy(app);
    }
}

static void count_presses(FiloApp *app) {
    int *presses = filo_app_user(app);
    *presses += filo_input_pressed(filo_app_input(app), FILO_KEY_SPACE);
}

FILO_TEST(a_press_is_seen_by_exactly_one_frame_however_many_ticks_it_has) {
    const double ticks_per_frame[] = { 0.25, 1, 3.5 };
    for (size_t i = 0; i < FILO_COUNT_OF(ticks_per_frame); i++) {
        for (int threads = 1; threads <= 2; threads++) {
            FiloCommonArgs args = headless;
            args.threads = threads;
            int presses = 0;
            FiloApp *app = start(&(FiloAppDesc){ .frame = count_presses, .user = &presses }, &args);
            for (int round = 0; round < 10; round++) {
                press(app, FILO_KEY_SPACE, true);
                press(app, FILO_KEY_SPACE, false);
                for (int n = 0; n < 12; n++) filo_app_tick(app, tick * ticks_per_frame[i]);
            }
            assert_int_equal(presses, 10);
            filo_app_destroy(app);
        }
    }
}

FILO_TEST(a_frame_gets_the_sum_of_the_input_of_its_ticks) {
    const FiloActionDesc action = { "jump", NULL, { FILO_BIND(FILO_KEY_J) }, 0 };
    FiloApp *app =
        start(&(FiloAppDesc){ .no_overlap = true, .actions = &action, .action_count = 1 }, &headless);
    filo_app_tick(app, tick);
    for (int i = 0; i < 2; i++) { // both before the next `frame`
        press(app, FILO_KEY_J, i == 0);
        change(app, (FiloInputChange){ .kind = FILO_INPUT_WHEEL, .move = { 0, 1 } });
        change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { 5, 5 }, .move = { 2, 3 } });
        change(app, (FiloInputChange){ .kind = FILO_INPUT_TYPED, .text = "ä" });
        app_run_tick(app, (float)tick);
    }
    const FiloInput *input = filo_app_input(app);
    FiloActionState jump = filo_action(input, filo_name("jump"));
    assert_true(jump.pressed && jump.released && !jump.down);
    assert_true(filo_input_pressed(input, FILO_KEY_J) && filo_input_released(input, FILO_KEY_J));
    assert_true(input->wheel.y == 2 && input->mouse_move.x == 4 && input->mouse_move.y == 6);
    assert_string_equal(input->text, "ää");
    filo_app_tick(app, 0); // this frame sees it, and the next does not
    assert_string_equal(filo_app_input(app)->text, "ää");
    filo_app_tick(app, 0);
    input = filo_app_input(app);
    assert_false(filo_action_pressed(input, filo_name("jump")));
    assert_true(input->text[0] == '\0' && input->wheel.y == 0 && input->mouse.x == 5);
    filo_app_destroy(app);
}

FILO_TEST(input_in_a_pause_does_not_accumulate_for_the_next_tick) {
    FiloApp *app = start(NULL, &headless);
    frame_of(app);
    filo_app_pause(app, true);
    for (int i = 0; i < 200; i++) {
        for (int n = 0; n < 10; n++)
            change(app, (FiloInputChange){ .kind = FILO_INPUT_MOUSE, .position = { (float)n, 0 } });
        press(app, FILO_KEY_A, i % 2 == 0);
        frame_of(app);
    }
    assert_int_equal(app->changes.count, 0);
    assert_in_range(app->changes.capacity, 1, 64);
    press(app, FILO_KEY_B, true);
    frame_of(app);
    assert_true(filo_input_pressed(filo_app_input(app), FILO_KEY_B));
    filo_app_pause(app, false);
    frame_of(app);
    app_wait_for_tick(app);
    const FiloInput *input = filo_get_global(filo_app_world(app), FiloInput);
    assert_false(filo_input_pressed(input, FILO_KEY_A) || filo_input_pressed(input, FILO_KEY_B));
    assert_true(filo_input_down(input, FILO_KEY_B));
    filo_app_destroy(app);
}

// All keys that were pressed, in order, and the number of frames with presses.
typedef struct Keys {
    char text[64];
    size_t length;
    int frames;
} Keys;

static void append_keys(FiloApp *app) {
    Keys *keys = filo_app_user(app);
    size_t count, before = keys->length;
    const FiloInputChange *changes = filo_app_input_changes(app, &count);
    for (size_t i = 0; i < count; i++)
        if (changes[i].kind == FILO_INPUT_KEY && changes[i].down)
            keys->text[keys->length++] = filo_key_name((FiloKey)changes[i].key)[0];
    keys->frames += keys->length > before;
}

static void type(FiloApp *app, const FiloKey *wanted, size_t count) {
    for (size_t i = 0; i < count; i++) {
        press(app, wanted[i], true);
        press(app, wanted[i], false);
    }
}

FILO_TEST(frame_gets_every_change_of_the_input_once_and_in_order_also_in_a_pause) {
    const FiloKey first[] = { FILO_KEY_C, FILO_KEY_A, FILO_KEY_B }, second[] = { FILO_KEY_B, FILO_KEY_A };
    for (int threads = 1; threads <= 2; threads++) {
        FiloCommonArgs args = headless;
        args.threads = threads;
        Keys keys = { .frames = 0 };
        FiloApp *app = start(&(FiloAppDesc){ .frame = append_keys, .user = &keys }, &args);
        for (int i = 0; i < 3; i++) frame_of(app);
        type(app, first, 3);
        for (int i = 0; i < 4; i++) frame_of(app);
        assert_string_equal(keys.text, "CAB");
        assert_int_equal(keys.frames, 1);
        filo_app_pause(app, true);
        type(app, second, 2);
        frame_of(app);
        assert_string_equal(keys.text, "CABBA"); // in the very next frame
        type(app, first, 3);
        for (int i = 0; i < 3; i++) frame_of(app);
        assert_string_equal(keys.text, "CABBACAB");
        filo_app_pause(app, false);
        for (int i = 0; i < 3; i++) frame_of(app);
        assert_string_equal(keys.text, "CABBACAB");
        assert_int_equal(keys.frames, 3);
        assert_in_range(app->summary_changes.count, 0, 0);
        filo_app_destroy(app);
    }
}

FILO_TEST(a_pause_also_stops_the_deferred_tick) {
    FiloApp *app = start(NULL, &headless);
    frame_of(app);
    assert_int_equal(ticks(app), 1);
    filo_app_tick(app, tick);
    assert_true(app->tick_deferred);
    filo_app_pause(app, true);
    for (int i = 0; i < 5; i++) frame_of(app);
    assert_int_equal(ticks(app), 1);
    filo_app_step(app); // that one
    frame_of(app);
    assert_int_equal(ticks(app), 2);
    filo_app_step(app);
    filo_app_step(app);
    frame_of(app);
    assert_int_equal(ticks(app), 4);
    filo_app_step(app);
    filo_app_pause(app, true); // cancels steps that have not run
    frame_of(app);
    assert_int_equal(ticks(app), 4);
    filo_app_pause(app, false);
    frame_of(app);
    assert_int_equal(ticks(app), 5);
    filo_app_destroy(app);
}

// ---- Leaving ----------------------------------------------------------------------------------------------

static bool ends_within(FiloApp *app, int frames) {
    for (int i = 0; i < frames; i++)
        if (!filo_app_frame(app)) return true;
    return false;
}

FILO_TEST(escape_and_the_close_button_end_the_game_also_where_no_tick_runs) {
    for (int i = 0; i < 6; i++) {
        FiloApp *app = start(NULL, &headless);
        filo_app_frame(app);
        if (i / 2 == 1) filo_app_pause(app, true);
        if (i / 2 == 2) filo_app_set_time_scale(app, 0);
        assert_false(ends_within(app, 3));
        if (i % 2 == 0)
            press(app, FILO_KEY_ESCAPE, true);
        else
            change(app, (FiloInputChange){ .kind = FILO_INPUT_QUIT });
        assert_true(ends_within(app, 3));
        filo_app_destroy(app);
    }
}

FILO_TEST(escape_and_the_close_button_are_handled_separately) {
    for (int i = 0; i < 16; i++) {
        bool escape = i % 2 != 0, handles_escape = i / 2 % 2 != 0, handles_close = i / 4 % 2 != 0;
        FiloApp *app = start(NULL, &headless);
        filo_app_handle_escape(app, handles_escape);
        filo_app_handle_close(app, handles_close);
        filo_app_pause(app, i / 8 != 0);
        assert_false(ends_within(app, 3));
        if (escape)
            press(app, FILO_KEY_ESCAPE, true);
        else
            change(app, (FiloInputChange){ .kind = FILO_INPUT_QUIT });
        assert_int_equal(ends_within(app, 3), escape ? !handles_escape : !handles_close);
        filo_app_destroy(app);
    }
}

// In a few hundred frames there is no tick; but time passes.
static bool ends_without_a_tick(FiloApp *app) {
    uint64_t before = ticks(app);
    int frames = 0;
    while (frames < 300 && filo_app_frame(app)) {
        filo_sleep_ns(5000000);
        frames++;
    }
    assert_true(ticks(app) == before);
    return frames < 300;
}

FILO_TEST(a_game_whose_ticks_come_rarely_can_be_closed_all_the_same) {
    for (int i = 0; i < 3; i++) {
        FiloApp *app = start(NULL, &headless);
        filo_app_frame(app);
        filo_app_set_time_scale(app, 1e-6f);
        filo_app_handle_close(app, i == 2);
        if (i == 0)
            press(app, FILO_KEY_ESCAPE, true);
        else
            change(app, (FiloInputChange){ .kind = FILO_INPUT_QUIT });
        assert_int_equal(ends_without_a_tick(app), i != 2);
        filo_app_destroy(app);
    }
}

static void quit_from_draw(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(draw);
    filo_app_quit(app);
}

FILO_TEST(a_game_that_quits_while_a_tick_runs_ends_with_whole_ticks) {
    FiloCommonArgs args = headless;
    args.stats = true; // so that it is drawn
    FiloApp *app = start(&(FiloAppDesc){ .draw = quit_from_draw }, &args);
    while (filo_app_frame(app)) {}
    assert_false(app->tick.running);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), app->ticks_begun);
    filo_app_destroy(app);
}

// ---- Replays ----------------------------------------------------------------------------------------------

static void record(const char *path, void (*frame)(FiloApp *), int frames) {
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start(&(FiloAppDesc){ .name = "test", .frame = frame }, &args);
    for (int i = 0; i < frames; i++) {
        press(app, FILO_KEY_P, i % 4 == 0);
        filo_app_frame(app);
    }
    app_wait_for_tick(app);
    assert_ok(filo_input_recorder_finish(app->recorder, filo_world_hash(filo_app_world(app))));
    filo_app_destroy(app);
}

static int next_of_replay(FiloApp *app) {
    float delta;
    FiloInput input;
    return (int)filo_input_replay_next(app->replay, &delta, &input, NULL, NULL).code;
}

FILO_TEST(a_headless_replay_ignores_pauses_of_the_game) {
    const char *path = filo_test_path("pauses");
    record(path, toggle_pause, 60);
    FiloCommonArgs args = headless;
    args.replay = path;
    FiloApp *app = start(&(FiloAppDesc){ .name = "test", .frame = toggle_pause }, &args);
    assert_true(ends_within(app, 100));
    assert_int_equal(next_of_replay(app), FILO_ERROR_NOT_FOUND);
    assert_true(filo_input_replay_hash(app->replay) == filo_world_hash(filo_app_world(app)));
    filo_app_destroy(app);
}

FILO_TEST(a_replay_can_be_ended_before_its_recording_ends) {
    const char *path = filo_test_path("early");
    record(path, NULL, 30);
    FiloCommonArgs args = headless;
    args.replay = path;
    FiloApp *app = start(&(FiloAppDesc){ .name = "test" }, &args);
    assert_false(ends_within(app, 5));
    press(app, FILO_KEY_ESCAPE, true); // the player's, not the recording's
    assert_true(ends_within(app, 2));
    assert_int_equal(next_of_replay(app), FILO_OK);
    filo_app_destroy(app);
}
