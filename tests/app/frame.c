// The frame, headless on the null backend: ticks, input, time, recording, ends.

#include "stage.h"
#include "support/warnings.h"

#include <filo/snapshot.h>

#include <stdio.h>
#include <unistd.h>

typedef struct Walker {
    FiloVec2 position;
    int32_t presses, releases, ticks;
} Walker;
FILO_REFLECT(Walker, FILO_FIELD(FiloVec2, position), FILO_FIELD(int32_t, presses),
             FILO_FIELD(int32_t, releases), FILO_FIELD(int32_t, ticks))

static void walk(FiloIter *it) {
    Walker *walker = filo_write(it, Walker);
    const FiloInput *input = filo_read_global(it, FiloInput);
    for (size_t i = 0; i < it->count; i++) {
        Walker *w = &walker[i];
        FiloRandom random = filo_iter_random(it, i);
        w->position = filo_vec2_add_scaled(w->position, filo_input_move(input), it->delta);
        w->position.x += filo_random_float(&random);
        w->presses += filo_input_pressed(input, FILO_KEY_SPACE);
        w->releases += filo_input_released(input, FILO_KEY_SPACE);
        w->ticks++;
    }
}

static FiloResult define(FiloApp *app) {
    filo_component(filo_app_world(app), Walker);
    filo_system_add(filo_app_world(app),
                    &(FiloSystemDesc){ .name = "walk",
                                       .run = walk,
                                       .query.terms = { FILO_WRITE(Walker), FILO_READ(FiloInput) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    for (int i = 0; i < 10; i++) filo_create(filo_app_world(app), FILO_ADD(Walker));
    return filo_ok();
}

static FiloAppDesc game(void) { return (FiloAppDesc){ .name = "test", .define = define, .create = create }; }

static const Walker *walker(FiloApp *app) {
    FiloQuery *query = filo_query(filo_app_world(app), FILO_READ(Walker));
    const Walker *w = filo_get(filo_app_world(app), filo_query_first(query), Walker);
    filo_query_release(query);
    return w;
}

// ---- Ticks ----------------------------------------------------------------------------------------------

FILO_TEST(an_app_with_nothing_runs) {
    FiloApp *app = start(NULL, &headless);
    for (int i = 0; i < 3; i++) assert_true(filo_app_frame(app));
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 3);
    filo_app_destroy(app);
}

FILO_TEST(it_ends_after_the_ticks_that_were_asked_for) {
    FiloCommonArgs args = headless;
    args.frames = 7;
    for (int drawn = 0; drawn < 2; drawn++) {
        args.stats = drawn != 0; // then frames are drawn, and ticks overlap drawing
        FiloAppDesc desc = game();
        FiloApp *app = start(&desc, &args);
        while (filo_app_frame(app)) {}
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 7);
        assert_int_equal(walker(app)->ticks, 7);
        filo_app_destroy(app);
    }
}

FILO_TEST(ticks_follow_the_time_that_is_given) {
    FiloAppDesc desc = game();
    desc.no_overlap = true;
    desc.tick_seconds = 0.01;
    FiloApp *app = start(&desc, &headless);
    assert_int_equal(filo_app_tick(app, 0.025), 2);
    assert_int_equal(filo_app_tick(app, 0.025), 3);
    assert_int_equal(filo_app_tick(app, 9), 5); // max_ticks
    assert_true(filo_app_stats(app).dropped_seconds > 8);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 10);
    filo_app_destroy(app);
}

FILO_TEST(a_paused_game_runs_the_ticks_of_filo_app_step) {
    FiloAppDesc desc = game();
    desc.no_overlap = true;
    FiloApp *app = start(&desc, &headless);
    filo_app_pause(app, true);
    assert_int_equal(filo_app_tick(app, 1), 0);
    filo_app_step(app);
    filo_app_step(app);
    assert_int_equal(filo_app_tick(app, 1), 2);
    assert_int_equal(filo_app_tick(app, 1), 0);
    filo_app_pause(app, false);
    assert_int_equal(filo_app_tick(app, 1.0 / 60), 1);
    filo_app_destroy(app);
}

FILO_TEST(the_time_scale_makes_it_slower) {
    FiloAppDesc desc = game();
    desc.no_overlap = true;
    desc.tick_seconds = 0.01;
    FiloApp *app = start(&desc, &headless);
    filo_app_set_time_scale(app, 0.5f);
    assert_int_equal(filo_app_tick(app, 0.04), 2);
    assert_true(filo_app_time(app) > 0.0199 && filo_app_time(app) < 0.0201);
    filo_app_destroy(app);
}

FILO_TEST(overlapping_ticks_and_drawing_gives_the_same_world) {
    FiloCommonArgs args = headless;
    args.frames = 50;
    args.stats = true;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        FiloAppDesc desc = game();
        desc.no_overlap = i == 0;
        args.threads = i == 2 ? 8 : 2;
        FiloApp *app = start(&desc, &args);
        int frames = 0;
        do press(app, FILO_KEY_D, frames % 10 < 5); // seen by the same ticks in every run
        while (frames++ < 5 && filo_app_frame(app));
        while (filo_app_frame(app)) {}
        app_wait_for_tick(app);
        hashes[i] = filo_world_hash(filo_app_world(app));
        filo_app_destroy(app);
    }
    assert_true(hashes[1] == hashes[2]);
    assert_true(hashes[0] == hashes[1]);
}

// ---- Input ----------------------------------------------------------------------------------------------

FILO_TEST(a_press_is_seen_by_exactly_one_tick) {
    FiloAppDesc desc = game();
    desc.no_overlap = true;
    desc.tick_seconds = 0.01;
    FiloApp *app = start(&desc, &headless);
    press(app, FILO_KEY_SPACE, true);
    filo_app_tick(app, 0.001); // no tick yet
    filo_app_tick(app, 0.03);  // three at once
    assert_int_equal(walker(app)->presses, 1);
    assert_int_equal(walker(app)->releases, 0);
    press(app, FILO_KEY_SPACE, false);
    press(app, FILO_KEY_SPACE, true);
    press(app, FILO_KEY_SPACE, false);
    filo_app_tick(app, 0.03);
    assert_int_equal(walker(app)->presses, 2);
    assert_int_equal(walker(app)->releases, 1);
    filo_app_destroy(app);
}

static void count_event(const FiloEvent *event, void *user) {
    const FiloInputChange *change = event->payload;
    if (change->kind == FILO_INPUT_KEY && change->key == FILO_KEY_A) ++*(int *)user;
}

FILO_TEST(input_is_emitted_as_events_too) {
    FiloAppDesc desc = game();
    desc.no_overlap = true;
    FiloApp *app = start(&desc, &headless);
    int count = 0;
    filo_events_subscribe(filo_app_events(app), &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_INPUT),
                                                                    .type = FILO_TYPE(FiloInputChange),
                                                                    .function = count_event,
                                                                    .user = &count });
    press(app, FILO_KEY_A, true);
    press(app, FILO_KEY_A, false);
    filo_app_tick(app, 1.0 / 60);
    assert_int_equal(count, 2);
    filo_app_tick(app, 1.0 / 60);
    assert_int_equal(count, 2);
    filo_app_destroy(app);
}

FILO_TEST(escape_ends_the_game_unless_the_game_handles_it) {
    FiloApp *app = start(NULL, &headless);
    filo_app_handle_escape(app, true);
    press(app, FILO_KEY_ESCAPE, true);
    assert_true(filo_app_frame(app));
    press(app, FILO_KEY_ESCAPE, false);
    assert_true(filo_app_frame(app));
    filo_app_handle_escape(app, false);
    press(app, FILO_KEY_ESCAPE, true);
    assert_false(filo_app_frame(app));
    filo_app_destroy(app);
}

static void quit_in_tick_4(FiloIter *it) {
    if (it->tick == 4) filo_event_record(it->events, filo_name(FILO_EVENT_QUIT), NULL, NULL);
}

static FiloResult define_quitting(FiloApp *app) {
    filo_system_add(filo_app_world(app),
                    &(FiloSystemDesc){ .name = "quit", .run = quit_in_tick_4, .once = true });
    return filo_ok();
}

FILO_TEST(a_system_can_end_the_game) {
    FiloApp *app = start(&(FiloAppDesc){ .define = define_quitting }, &headless);
    int frames = 1;
    while (filo_app_frame(app)) frames++;
    assert_in_range(frames, 5, 7);
    filo_app_destroy(app);
}

// ---- Recording ------------------------------------------------------------------------------------------

static uint64_t play(const FiloCommonArgs *args, bool with_input) {
    FiloAppDesc desc = game();
    FiloApp *app = start(&desc, args);
    for (int frame = 0; frame < 60 && filo_app_frame(app); frame++) {
        if (!with_input) continue;
        if (frame % 7 == 0) press(app, FILO_KEY_SPACE, frame % 2 == 0);
        if (frame % 11 == 3) press(app, FILO_KEY_W, frame % 3 == 0);
    }
    app_wait_for_tick(app);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    if (app->recorder != NULL) assert_ok(filo_input_recorder_finish(app->recorder, hash));
    filo_app_destroy(app);
    return hash;
}

FILO_TEST(a_replay_ends_in_the_same_state_on_any_number_of_threads) {
    const char *path = filo_test_path("record");
    FiloCommonArgs args = headless;
    args.record = path;
    args.seed = 42;
    args.stats = true;
    uint64_t recorded = play(&args, true);
    args.record = NULL;
    args.seed = 0; // the recording has it
    args.replay = path;
    const int threads[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        args.threads = threads[i];
        args.stats = i % 2 == 0;
        assert_true(play(&args, false) == recorded);
    }
}

// A game whose Escape opens a menu, if it has a player. The replay has none.
FILO_TEST(a_recorded_escape_does_not_end_a_replay) {
    const char *path = filo_test_path("escape");
    FiloCommonArgs args = headless;
    args.record = path;
    FiloAppDesc desc = game();
    for (int i = 0; i < 2; i++) {
        FiloApp *app = start(&desc, &args);
        filo_app_handle_escape(app, i == 0);
        for (int frame = 0; frame < 20 && filo_app_frame(app); frame++)
            if (i == 0 && frame == 4) press(app, FILO_KEY_ESCAPE, true);
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 20);
        if (i == 0) assert_ok(filo_input_recorder_finish(app->recorder, 0));
        filo_app_destroy(app);
        args.record = NULL;
        args.replay = path;
    }
}

FILO_TEST(a_recording_of_another_game_is_refused) {
    const char *path = filo_test_path("other");
    FiloCommonArgs args = headless;
    args.record = path;
    play(&args, false);
    args.record = NULL;
    args.replay = path;
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &(FiloAppDesc){ .name = "chess" }, &args);
    assert_int_equal(r.code, FILO_ERROR_KIND);
    assert_contains(r.message, "recording of \"test\", not of \"chess\"");
    unlink(path);
    r = filo_app_create(&app, &(FiloAppDesc){ .name = "test" }, &args);
    assert_int_equal(r.code, FILO_ERROR_NOT_FOUND);
}

FILO_TEST(a_recording_with_ticks_of_no_length_is_refused) {
    const char *path = filo_test_path("odd.input");
    const double odd[] = { 0, 1e-300, 1e9, 1e300 };
    for (size_t i = 0; i < FILO_COUNT_OF(odd); i++) {
        FiloInputRecorder *recorder;
        assert_ok(filo_input_recorder_create(&recorder, path,
                                             &(FiloInputLogHead){ .game = "test", .tick_seconds = odd[i] }));
        assert_ok(filo_input_recorder_add(recorder, 0.016f, &(FiloInput){ 0 }, NULL, 0));
        assert_ok(filo_input_recorder_finish(recorder, 0));
        filo_input_recorder_destroy(recorder);
        FiloCommonArgs args = headless;
        args.replay = path;
        FiloApp *app;
        assert_error(filo_app_create(&app, &(FiloAppDesc){ .name = "test" }, &args), FILO_ERROR_DATA,
                     "1e-06 to 3600 are possible");
    }
}

// ---- A custom loop --------------------------------------------------------------------------------------

FILO_TEST(a_custom_loop_ends_as_filo_run_does) {
    only_in_debug_builds();
    hush();
    char record[256], shot[256], trace[256];
    filo_string_copy(filo_string(filo_test_path("own.input")), record, sizeof record);
    filo_string_copy(filo_string(filo_test_path("own.png")), shot, sizeof shot);
    filo_string_copy(filo_string(filo_test_path("own.json")), trace, sizeof trace);
    FiloCommonArgs args = { .headless = true,
                            .backend = FILO_BACKEND_CPU,
                            .frames = 7,
                            .record = record,
                            .shot = shot,
                            .trace = trace };
    for (int i = 0; i < 2; i++) {
        FiloApp *app = start(&(FiloAppDesc){ .name = "test" }, &args);
        while (filo_app_poll(app)) filo_app_tick(app, 1.0 / 60);
        assert_ok(filo_app_finish(app));
        expect_mistake("call filo_app_finish once", filo_app_finish(app));
        filo_app_destroy(app);
        assert_false(filo_profile_running());
        assert_int_equal(access(shot, R_OK), 0);
        assert_int_equal(access(trace, R_OK), 0);
        args = (FiloCommonArgs){ .headless = true, .replay = record, .shot = shot, .trace = trace };
    }
    args.shot = "/nowhere/own.png";
    FiloApp *app = start(&(FiloAppDesc){ .name = "test" }, &args);
    while (filo_app_frame(app)) {}
    assert_contains(filo_app_finish(app).message, "/nowhere/own.png");
    filo_app_destroy(app);
}

// ---- Beginning and ending -------------------------------------------------------------------------------

static FiloResult refuse(FiloApp *app) {
    FILO_UNUSED(app);
    return filo_error(FILO_ERROR_DATA, "level 1 is missing");
}

FILO_TEST(what_fails_at_the_start_ends_it_with_its_message) {
    const FiloAppDesc bad[] = { { .load = refuse }, { .define = refuse }, { .create = refuse } };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        FiloApp *app;
        FiloResult r = filo_app_create(&app, &bad[i], &headless);
        assert_int_equal(r.code, FILO_ERROR_DATA);
        assert_string_equal(r.message, "level 1 is missing");
        assert_null(app);
    }
}

typedef struct Log {
    char text[256];
} Log;

static void log_event(const FiloEvent *event, void *user) {
    Log *log = user;
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s, ", filo_name_text(event->name));
}

static FiloResult load_listener(FiloModules *modules, void *user) {
    const char *names[] = { FILO_EVENT_GAME_INIT, FILO_EVENT_BACKEND_INIT, FILO_EVENT_GAME_START,
                            FILO_EVENT_FRAME, FILO_EVENT_GAME_END };
    assert_non_null(FILO_INTERFACE(modules, FiloApp));
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        filo_events_subscribe(
            filo_modules_events(modules),
            &(FiloHandlerDesc){ .event = filo_name(names[i]), .function = log_event, .user = user });
    return filo_ok();
}

FILO_TEST(a_module_receives_the_events_of_the_life_cycle_in_order) {
    Log log = { "" };
    const FiloModuleDesc listener = { .name = "listener", .load = load_listener, .user = &log };
    FiloApp *app = start(&(FiloAppDesc){ .modules = &listener, .module_count = 1 }, &headless);
    filo_app_frame(app);
    filo_app_frame(app);
    filo_app_destroy(app);
    assert_string_equal(log.text, "game init, backend init, game start, frame, frame, game end, ");
}

FILO_TEST(the_null_backend_takes_no_picture_and_says_so) {
    FiloApp *app = start(NULL, &headless);
    filo_app_frame(app);
    assert_error(filo_app_shot(app, filo_test_path("never.png")), FILO_ERROR_UNSUPPORTED,
                 "the null backend draws nothing");
    filo_app_destroy(app);
}

FILO_TEST(a_steady_frame_allocates_nothing) {
    FiloCommonArgs args = headless;
    args.frames = 200;
    args.stats = true;
    FiloAppDesc desc = game();
    FiloApp *app = start(&desc, &args);
    while (filo_app_frame(app)) {}
    app_wait_for_tick(app);
    FiloAppStats stats = filo_app_stats(app);
    assert_true(stats.allocations_per_tick == 0);
    assert_true(stats.allocations_per_frame == 0);
    filo_app_destroy(app);
}

static void allocate(FiloApp *app) {
    FILO_UNUSED(app);
    filo_free(filo_heap(), filo_alloc(filo_heap(), 100, 0), 100, 0);
}

FILO_TEST(statistics_tell_whose_memory_grew) {
    FiloCommonArgs args = headless;
    args.frames = 20;
    args.stats = true;
    FiloAppDesc desc = game();
    desc.frame = allocate;
    FiloApp *app = start(&desc, &args);
    while (filo_app_frame(app)) {}
    assert_ok(filo_app_finish(app));
    assert_contains(app->metrics.allocations, "heap ");
    assert_null(strstr(app->metrics.allocations, "world"));
    filo_app_destroy(app);
}

FILO_TEST(misuse_is_caught) {
    only_in_debug_builds();
    FiloApp *app = start(NULL, &headless);
    expect_fault("call filo_app_pause first", filo_app_step(app));
    expect_fault("a time scale is 0 to 100", filo_app_set_time_scale(app, -1));
    expect_fault("call filo_app_extract before", filo_app_render(app));
    filo_app_destroy(app);
}

static void run_on_main(FiloIter *it) {
    *(int *)it->user += filo_jobs_worker(filo_world_jobs(it->world)) == 0;
}

FILO_TEST(a_system_for_the_main_thread_runs_there_also_while_frames_are_drawn) {
    FiloCommonArgs args = headless;
    args.frames = 20;
    args.stats = true; // frames are drawn
    FiloAppDesc desc = game();
    FiloApp *app = start(&desc, &args);
    int on_main = 0;
    filo_system_add(
        filo_app_world(app),
        &(FiloSystemDesc){
            .name = "window", .run = run_on_main, .once = true, .main_thread = true, .user = &on_main });
    while (filo_app_frame(app)) {}
    assert_int_equal(on_main, 20);
    filo_app_destroy(app);
}

FILO_TEST(an_app_returns_its_parts) {
    const FiloActionDesc jump = { .name = "jump", .bindings = { FILO_BIND(FILO_KEY_SPACE) } };
    FiloApp *app = start(&(FiloAppDesc){ .actions = &jump, .action_count = 1 }, &headless);
    assert_int_equal(filo_actions_count(filo_app_actions(app)), 1);
    assert_int_equal(filo_jobs_threads(filo_app_jobs(app)), 2);
    assert_ptr_equal(filo_world_jobs(filo_app_world(app)), filo_app_jobs(app));
    assert_true(filo_modules_loaded(filo_app_modules(app), "gfx2d"));
    assert_true(filo_app_args(app)->headless);
    assert_int_equal(filo_app_backend(app), FILO_BACKEND_NULL);
    filo_app_set_time_scale(app, 0.25f);
    assert_true(filo_app_time_scale(app) == 0.25f);
    filo_app_destroy(app);
}

// ---- Names of actions -----------------------------------------------------------------------------------

static void look_for_jump(FiloApp *app) {
    (void)filo_action_down(filo_app_input(app), filo_name("jump up"));
    (void)filo_action_down(filo_get_global(filo_app_world(app), FiloInput), filo_name("jump up"));
}

static FiloResult look_early(FiloApp *app) {
    look_for_jump(app);
    return filo_ok();
}

FILO_TEST(actions_exist_before_the_first_tick) {
    const FiloActionDesc actions[] = { { .name = "jump up", .bindings = { FILO_BIND(FILO_KEY_SPACE) } } };
    const FiloAppDesc desc = { .name = "test",
                               .actions = actions,
                               .action_count = FILO_COUNT_OF(actions),
                               .create = look_early,
                               .frame = look_for_jump };
    FiloApp *app = NULL;
    expect_no_warning(app = start(&desc, &headless); assert_true(filo_app_frame(app)));
    filo_app_destroy(app);
}

FILO_TEST(what_an_app_emits_by_itself_needs_no_handler) {
    FiloApp *app = NULL;
    FiloInputChange change = { .kind = FILO_INPUT_KEY, .key = FILO_KEY_A, .down = true };
    expect_no_warning(app = start(NULL, &headless); filo_app_collect(app, &change);
                      for (int i = 0; i < 3; i++) assert_true(filo_app_frame(app)); filo_app_destroy(app));
}
