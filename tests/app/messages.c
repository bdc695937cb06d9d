// Messages: events that are sent outside of ticks reach the next tick, and are recorded and replayed.

#include "stage.h"

#include <filo/files.h>

static const double tick = 1.0 / 60;

// ---- A game with a pause menu -----------------------------------------------------------------------------

typedef struct Level {
    int32_t number;
    float gravity;
    FiloName name;
    char title[16];
    int32_t cached; // transient
} Level;
FILO_REFLECT(Level, FILO_FIELD(int32_t, number), FILO_FIELD(float, gravity), FILO_FIELD(FiloName, name),
             FILO_FIELD(char, title), FILO_FIELD(int32_t, cached, .flags = FILO_FIELD_TRANSIENT))

typedef struct Score {
    int32_t points, restarts;
    Level level;
} Score;
FILO_REFLECT(Score, FILO_FIELD(int32_t, points), FILO_FIELD(int32_t, restarts), FILO_FIELD(Level, level))

static void count(FiloIter *it) { filo_write_global(it, Score)->points += (int32_t)(it->tick % 7); }

static void restart(FiloIter *it, const FiloEvent *event) {
    (void)event;
    Score *score = filo_edit_global(it->world, Score);
    score->points = 0;
    score->restarts++;
}

static void enter_level(FiloIter *it, const FiloEvent *event) {
    filo_edit_global(it->world, Score)->level = *(const Level *)event->payload;
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "count", .run = count, .query.terms = { FILO_WRITE(Score) } });
    FiloWorldHandlerDesc handler = { .event = filo_name("restart"),
                                     .run = restart,
                                     .extra_access = { FILO_WRITE(Score) } };
    filo_world_handle(world, &handler);
    handler.event = filo_name("level");
    handler.type = FILO_TYPE(Level);
    handler.run = enter_level;
    filo_world_handle(world, &handler);
    return filo_ok();
}

static const Level second = { .number = 2, .gravity = 0.1f, .title = "bad \xFF text", .cached = 77 };

// P opens the menu. In the menu, R restarts, L goes to another level, and P closes it.
static void menu(FiloApp *app) {
    size_t changes_count;
    const FiloInputChange *changes = filo_app_input_changes(app, &changes_count);
    for (size_t i = 0; i < changes_count; i++) {
        if (changes[i].kind != FILO_INPUT_KEY || !changes[i].down) continue;
        Level level = second;
        level.name = filo_name("the cave");
        if (changes[i].key == FILO_KEY_P) filo_app_pause(app, !filo_app_paused(app));
        if (!filo_app_paused(app)) continue;
        if (changes[i].key == FILO_KEY_R) assert_true(filo_app_send(app, filo_name("restart"), NULL, NULL));
        if (changes[i].key == FILO_KEY_L)
            assert_true(filo_app_send(app, filo_name("level"), FILO_TYPE(Level), &level));
    }
}

static FiloApp *start_game(const FiloCommonArgs *args) {
    return start(&(FiloAppDesc){ .name = "menu", .define = define, .frame = menu, .no_overlap = true }, args);
}

static void frames(FiloApp *app, int number) {
    for (int i = 0; i < number; i++) {
        filo_app_poll(app);
        filo_app_tick(app, tick);
    }
}

static void tap(FiloApp *app, FiloKey key) {
    press(app, key, true);
    press(app, key, false);
    frames(app, 2);
}

static Score score_of(const FiloApp *app) { return *filo_get_global(filo_app_world(app), Score); }

// ---- Reaching a tick --------------------------------------------------------------------------------------

FILO_TEST(a_message_that_is_sent_in_a_pause_reaches_the_tick_after_it) {
    FiloApp *app = start_game(&headless);
    frames(app, 10);
    tap(app, FILO_KEY_P);
    assert_true(filo_app_paused(app));
    uint64_t ticks = filo_world_ticks(filo_app_world(app));
    tap(app, FILO_KEY_R);
    tap(app, FILO_KEY_L);
    assert_int_equal(score_of(app).restarts, 0);
    frames(app, 20);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), ticks);
    filo_app_pause(app, false);
    frames(app, 1);
    Score score = score_of(app);
    assert_int_equal(score.restarts, 1);
    assert_int_equal(score.level.number, 2);
    assert_true(score.level.gravity == 0.1f && score.level.name.id == filo_name("the cave").id);
    frames(app, 5); // once
    assert_int_equal(score_of(app).restarts, 1);
    filo_app_destroy(app);
}

FILO_TEST(a_single_tick_in_a_pause_takes_messages_too) {
    FiloApp *app = start_game(&headless);
    tap(app, FILO_KEY_P);
    tap(app, FILO_KEY_R);
    filo_app_step(app);
    frames(app, 1);
    assert_int_equal(score_of(app).restarts, 1);
    filo_app_destroy(app);
}

static void append_name(const FiloEvent *event, void *text) {
    strcat(text,
           event->payload != NULL ? ((const Level *)event->payload)->title : filo_name_text(event->name));
}

FILO_TEST(messages_come_after_the_input_and_in_their_order) {
    FiloApp *app = start(&(FiloAppDesc){ .no_overlap = true }, &headless);
    char text[64] = "";
    const char *const names[] = { FILO_EVENT_INPUT, "a", "b" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        filo_events_subscribe(
            filo_app_events(app),
            &(FiloHandlerDesc){ .event = filo_name(names[i]), .function = append_name, .user = text });
    frames(app, 1);
    assert_true(filo_app_send(app, filo_name("b"), NULL, NULL));
    assert_true(filo_app_send(app, filo_name("a"), NULL, NULL));
    assert_true(filo_app_send(app, filo_name("b"), NULL, NULL));
    text[0] = '\0';
    frames(app, 3);
    assert_string_equal(text, "bab");
    filo_app_destroy(app);
}

// ---- Recording and replaying ------------------------------------------------------------------------------

static void play_to_the_end(FiloApp *app) {
    while (filo_app_frame(app)) {}
}

FILO_TEST(a_restart_from_a_pause_menu_is_replayed) {
    const char *path = filo_test_path("menu.input");
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start_game(&args);
    frames(app, 10);
    tap(app, FILO_KEY_P);
    tap(app, FILO_KEY_R);
    tap(app, FILO_KEY_P);
    frames(app, 10);
    tap(app, FILO_KEY_P);
    tap(app, FILO_KEY_L);
    tap(app, FILO_KEY_R);
    tap(app, FILO_KEY_R);
    tap(app, FILO_KEY_P);
    frames(app, 10);
    Score played = score_of(app);
    assert_int_equal(played.restarts, 3);
    assert_int_equal(played.level.number, 2);
    assert_int_equal(played.level.cached, 0); // transient fields are not in the recording, nor here
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);

    for (int threads = 1; threads <= 8; threads *= 2) {
        args = (FiloCommonArgs){
            .headless = true, .backend = FILO_BACKEND_NULL, .threads = threads, .replay = path
        };
        app = start_game(&args);
        play_to_the_end(app);
        Score replayed = score_of(app);
        assert_true(filo_reflect_equal(FILO_TYPE(Score), &played, &replayed));
        assert_int_equal(filo_world_hash(filo_app_world(app)), hash);
        assert_ok(filo_app_finish(app)); // which compares the hash of the recording
        filo_app_destroy(app);
    }
}

FILO_TEST(what_is_sent_in_a_replay_is_ignored) {
    const char *path = filo_test_path("nothing.input");
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start_game(&args);
    frames(app, 5);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
    args.record = NULL;
    args.replay = path;
    app = start_game(&args);
    assert_true(filo_app_send(app, filo_name("restart"), NULL, NULL));
    play_to_the_end(app);
    assert_int_equal(score_of(app).restarts, 0);
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);
}

// A recording with one message in its first tick.
static void record_message(const char *path, const char *event, const char *text) {
    FiloInputRecorder *recorder;
    assert_ok(filo_input_recorder_create(&recorder, path,
                                         &(FiloInputLogHead){ .game = "menu", .tick_seconds = tick }));
    assert_ok(
        filo_input_recorder_message(recorder, &(FiloInputMessage){ filo_name(event), filo_string(text) }));
    assert_ok(filo_input_recorder_add(recorder, (float)tick, &(FiloInput){ 0 }, NULL, 0));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
}

#define LEVEL_3 "\"number\": 3, \"gravity\": 1, \"name\": \"x\", \"title\": \"y\""

FILO_TEST(messages_of_a_recording_that_do_not_fit_the_game_end_the_replay_with_an_error) {
    hush();
    const struct {
        const char *event, *text, *problem;
    } cases[] = { { "level", "{" LEVEL_3 "}", NULL },
                  { "restart", "", NULL },
                  { "without handler", "{\"depth\": 3}", NULL },
                  { "level", "", "message \"level\"" },
                  { "restart", "{}", "message \"restart\"" },
                  { "level", "{\"number\": 3}", "message \"level\"" },
                  { "level", "{" LEVEL_3 ", \"wings\": 2}", "message \"level\"" },
                  { "level", "{" LEVEL_3 "} {}", "message \"level\"" },
                  { "level", "{\"number\":", "message \"level\"" },
                  { "level", "\xFF", "message \"level\"" } };
    const char *path = filo_test_path("foreign.input");
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        record_message(path, cases[i].event, cases[i].text);
        FiloCommonArgs args = headless;
        args.replay = path;
        FiloApp *app = start_game(&args);
        play_to_the_end(app);
        FiloResult result = app->failure;
        if (cases[i].problem == NULL)
            assert_ok(result);
        else
            assert_contains(result.message, cases[i].problem);
        bool arrived = cases[i].problem == NULL && strcmp(cases[i].event, "level") == 0;
        assert_int_equal(score_of(app).level.number, arrived ? 3 : 0);
        filo_app_destroy(app);
    }
}

// ---- Mistakes ---------------------------------------------------------------------------------------------

typedef struct Large {
    char text[FILO_APP_MESSAGE + 1];
} Large;
FILO_REFLECT(Large, FILO_FIELD(char, text))

static void send_in_job(FiloJob *job, void *data) {
    (void)job;
    assert_false(filo_app_send(*(FiloApp **)data, filo_name("restart"), NULL, NULL));
}

FILO_TEST(mistakes_with_messages_are_reported) {
    FiloApp *app = start_game(&headless);
    static const Large large;
    Level level = second;
    expect_fault("pass an app and an event", filo_app_send(app, (FiloName){ 0 }, NULL, NULL));
    expect_fault("give a payload and its type, or neither",
                 filo_app_send(app, filo_name("level"), FILO_TYPE(Level), NULL));
    expect_fault("a message carries at most 256 bytes, and Large has 257",
                 filo_app_send(app, filo_name("large"), FILO_TYPE(Large), &large));
    expect_fault("\"level\"", filo_app_send(app, filo_name("level"), NULL, NULL));
    assert_true(filo_app_send(app, filo_name("title"), FILO_TYPE(Level), &level));
    expect_fault("\"title\"", filo_app_send(app, filo_name("title"), NULL, NULL));
    FiloJob job;
    filo_job_init(&job, send_in_job, &app, sizeof app);
    filo_job_set_worker(&job, 1);
    filo_test_faults_begin();
    filo_jobs_run(filo_app_jobs(app), &job);
    filo_jobs_wait(filo_app_jobs(app), &job);
    filo_test_faults_end("only the main thread sends messages", __FILE__, __LINE__);
    filo_app_destroy(app);
}
