// Games of pure objects: one description with resources, kinds, a camera and the first objects; functions whose results are
// recorded and replayed; and what objects do to the window.

#include "stage.h"

#include <filo/files.h>
#include <filo/time.h>

#include "base/atomic.h"

#include <unistd.h>

// ---- A game ---------------------------------------------------------------------------------------------------

typedef struct Star {
    FiloVec2 position, velocity;
    int32_t lucky; // the sum of what functions returned
    uint64_t when; // the sum of the ticks in which they did
} Star;
FILO_REFLECT(Star, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, velocity), FILO_FIELD(int32_t, lucky),
             FILO_FIELD(uint64_t, when))

typedef struct View { // the state of the camera
    FiloVec2 position;
} View;
FILO_REFLECT(View, FILO_FIELD(FiloVec2, position))

typedef struct Luck { // the result of a function
    int32_t number;
    float more;
    char text[8];
} Luck;
FILO_REFLECT(Luck, FILO_FIELD(int32_t, number), FILO_FIELD(float, more), FILO_FIELD(char, text))

typedef struct Plan {
    bool asks;
    FiloWindowAction action; // in tick 3, if it acts
    bool acts;
} Plan;

static BASE_ATOMIC(int) calls;

static FiloResult try_luck(FiloAsyncCall *call, const void *data, void *result) {
    (void)call;
    int32_t number;
    memcpy(&number, data, sizeof number);
    base_add_acq_rel(&calls, 1);
    usleep(300);
    *(Luck *)result = (Luck){ .number = number, .more = 0.1f * (float)number, .text = "ab" };
    return filo_ok();
}

static void step_star(FiloIter *it) {
    const Plan *plan = it->user;
    const Star *past = filo_read(it, Star);
    Star *next = filo_write_next(it, Star);
    FiloTransform2 *shown = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        next[i].position = filo_vec2_add(past[i].position, filo_vec2_scale(past[i].velocity, it->delta));
        shown[i].position = next[i].position;
        size_t count;
        const Luck *luck = filo_object_events(it, i, Luck, &count);
        for (size_t k = 0; k < count; k++) {
            next[i].lucky += luck[k].number;
            next[i].velocity.y += luck[k].more;
            next[i].when += it->tick;
        }
        int32_t number = (int32_t)it->tick;
        if (plan->asks && it->tick % 4 == 0)
            filo_object_run(it, i,
                            &(FiloObjectRun){ .name = "luck",
                                              .function = try_luck,
                                              .data = &number,
                                              .data_size = sizeof number,
                                              .result = FILO_RESULT_OF(Luck) });
        if (plan->acts && it->tick == 3) filo_object_window(it, &plan->action);
    }
}

static void step_view(FiloIter *it) {
    const View *past = filo_read(it, View);
    View *next = filo_write_next(it, View);
    FiloTransform2 *shown = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        next[i].position = filo_vec2_add(past[i].position, filo_vec2(1, 0));
        shown[i].position = next[i].position;
    }
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    for (int i = 0; i < 3; i++)
        filo_create(world, FILO_SET(Star, .velocity = { (float)i, 1 }), FILO_ADD(FiloTransform2));
    return filo_ok();
}

static const FiloObjectDesc camera = {
    .name = "camera", .state = FILO_STATE_OF(View), .step = step_view, .shows = { FILO_WRITE(FiloTransform2) }
};

typedef struct Game {
    Plan plan;
    FiloObjectDesc kinds[1];
    FiloAppDesc desc;
} Game;

static void describe(Game *game) {
    game->kinds[0] = (FiloObjectDesc){ .name = "star",
                                       .state = FILO_STATE_OF(Star),
                                       .step = step_star,
                                       .shows = { FILO_WRITE(FiloTransform2) },
                                       .events = { FILO_TAKES(Luck, 4) },
                                       .user = &game->plan };
    game->desc = (FiloAppDesc){
        .name = "stars", .kinds = game->kinds, .kind_count = 1, .camera = &camera, .create = create
    };
}

static Star first_star(const FiloApp *app) {
    FiloQuery *query = filo_query(filo_app_world(app), FILO_READ(Star));
    Star star = *filo_get(filo_app_world(app), filo_query_first(query), Star);
    filo_query_release(query);
    return star;
}

static void frames(FiloApp *app, int count) {
    for (int i = 0; i < count; i++) filo_app_frame(app);
}

// ---- The description ------------------------------------------------------------------------------------------

FILO_TEST(a_description_is_a_game_and_runs_on_one_thread_or_many) {
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads *= 2)
        for (int sequential = 0; sequential < 2; sequential++) {
            Game game = { 0 };
            describe(&game);
            game.desc.sequential = sequential != 0;
            FiloCommonArgs args = headless;
            args.threads = threads;
            FiloApp *app = start(&game.desc, &args);
            FiloWorld *world = filo_app_world(app);
            frames(app, 10);
            FiloEntity view = filo_world_find(world, "camera");
            assert_true(filo_has(world, view, FiloCamera));
            assert_true(filo_get(world, view, FiloTransform2)->position.x == 10);
            assert_true(first_star(app).position.y > 0.16f);
            if (hash == 0) hash = filo_world_hash(world);
            assert_true(filo_world_hash(world) == hash);
            filo_app_destroy(app);
        }
}

FILO_SF_FUNCTION(place_at, FiloTransform2, float, x) {
    return (FiloTransform2){ .position = { x, 0 }, .scale = { 1, 1 } };
}

// A camera that travels by 6 units a second.
static FiloNetwork *travelling_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "travel", .inputs = { { .name = "state", .type = FILO_TYPE(View) } } });
    FiloSf x = filo_sf_integral(filo_sf_constant(b, FILO_SF(float, 6)));
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_arr(x, &place_at), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(the_camera_is_a_signal_function) {
    FiloNetwork *network = travelling_network();
    FiloObjectDesc travelling = { .name = "camera",
                                  .state = FILO_STATE_OF(View),
                                  .network = network,
                                  .shows = { FILO_WRITE(FiloTransform2) },
                                  .outputs = { FILO_OUT_SHOW(FiloTransform2) } };
    Game game = { 0 };
    describe(&game);
    game.desc.camera = &travelling;
    FiloApp *app = start(&game.desc, &headless);
    frames(app, 61);
    FiloEntity view = filo_world_find(filo_app_world(app), "camera");
    float x = filo_get(filo_app_world(app), view, FiloTransform2)->position.x;
    assert_true(x > 5.99f && x < 6.01f);
    filo_app_destroy(app);
    filo_network_destroy(network);
}

// ---- A camera in space ----------------------------------------------------------------------------------------

FILO_SF_FUNCTION(circle_at, FiloTransform3, float, angle) {
    FiloTransform3 t = { .position = { 5 * filo_sin(angle), 1, 5 * filo_cos(angle) }, .scale = { 1, 1, 1 } };
    filo_transform3_look_at(&t, filo_vec3(0, 1, 0), filo_vec3(0, 1, 0));
    return t;
}
FILO_SF_FUNCTION(lens_at, FiloCamera3, float, angle) {
    return (FiloCamera3){ .field_of_view = 1 + 0.1f * angle };
}

// A camera that circles by a radian a second, and zooms out.
static FiloNetwork *circling_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(
        &(FiloSfBuilderDesc){ .name = "circle", .inputs = { { .name = "state", .type = FILO_TYPE(View) } } });
    FiloSf angle = filo_sf_integral(filo_sf_constant(b, FILO_SF(float, 1)));
    const FiloSf outputs[] = { filo_sf_arr(angle, &circle_at), filo_sf_arr(angle, &lens_at) };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_tuple(b, outputs, 2), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

FILO_TEST(a_camera_in_space_is_a_signal_function) {
    FiloNetwork *network = circling_network();
    FiloObjectDesc circling = { .name = "camera",
                                .state = FILO_STATE_OF(View),
                                .network = network,
                                .shows = { FILO_WRITE(FiloTransform3), FILO_WRITE(FiloCamera3) },
                                .outputs = { FILO_OUT_SHOW(FiloTransform3), FILO_OUT_SHOW(FiloCamera3) } };
    Game game = { 0 };
    describe(&game);
    game.desc.camera = &circling;
    game.desc.gfx3d = true;
    FiloCommonArgs args = headless;
    args.backend = FILO_BACKEND_NULL;
    FiloApp *app = start(&game.desc, &args);
    frames(app, 61);
    FiloWorld *world = filo_app_world(app);
    FiloEntity view = filo_world_find(world, "camera");
    assert_false(filo_has(world, view, FiloCamera));
    FiloVec3 at = filo_get(world, view, FiloTransform3)->position;
    assert_float_equal((double)at.x, (double)(5 * filo_sin(1)), 1e-3);
    assert_float_equal((double)at.z, (double)(5 * filo_cos(1)), 1e-3);
    assert_float_equal((double)filo_get(world, view, FiloCamera3)->field_of_view, 1.1, 1e-3);
    // The renderer sees what it sees: the point that it circles around is in the middle of the picture.
    filo_app_extract(app);
    FiloVec3 middle = filo_gfx3d_to_screen(filo_app_gfx3d(app), view, filo_vec3(0, 1, 0));
    assert_float_equal((double)middle.z, 5, 1e-3);
    filo_app_destroy(app);
    filo_network_destroy(network);
}

static void step_space_view(FiloIter *it) {
    const View *past = filo_read(it, View);
    View *next = filo_write_next(it, View);
    FiloTransform3 *shown = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        next[i].position = filo_vec2_add(past[i].position, filo_vec2(1, 0));
        shown[i].position = filo_vec3(next[i].position.x, 2, 3);
    }
}

FILO_TEST(a_camera_in_space_is_an_object_with_a_step_and_needs_the_module) {
    static const FiloObjectDesc stepping = { .name = "camera",
                                             .state = FILO_STATE_OF(View),
                                             .step = step_space_view,
                                             .shows = { FILO_WRITE(FiloTransform3) } };
    Game game = { 0 };
    describe(&game);
    game.desc.camera = &stepping;
    FiloCommonArgs args = headless;
    args.backend = FILO_BACKEND_NULL;
    FiloApp *app = NULL;
    expect_mistake("stars has a camera in space, but no module that draws with it: set .gfx3d = true",
                   filo_app_create(&app, &game.desc, &args));
    game.desc.gfx3d = true;
    app = start(&game.desc, &args);
    frames(app, 10);
    FiloEntity view = filo_world_find(filo_app_world(app), "camera");
    assert_true(filo_get(filo_app_world(app), view, FiloTransform3)->position.x == 10);
    assert_true(filo_has(filo_app_world(app), view, FiloCamera3));
    filo_app_destroy(app);
}

FILO_TEST(resources_are_loaded_before_the_first_objects) {
    Game game = { 0 };
    describe(&game);
    char folder[FILO_PATH_SIZE];
    snprintf(folder, sizeof folder, "%s", filo_test_path("assets"));
    assert_ok(filo_folder_make(folder));
    char file[FILO_PATH_SIZE + 16];
    snprintf(file, sizeof file, "%s/names.txt", folder);
    assert_ok(filo_file_write(file, "Vega", 4, NULL));
    const char *const resources[] = { "names.txt", "missing.txt" };
    game.desc.asset_folder = folder;
    game.desc.resources = resources;
    game.desc.resource_count = 1;
    FiloApp *app = start(&game.desc, &headless);
    FiloAsset asset = filo_assets_find(filo_app_assets(app), filo_name("names.txt"));
    assert_int_equal(filo_asset_state(filo_app_assets(app), asset), FILO_ASSET_READY);
    filo_app_destroy(app);
    hush();
    game.desc.resource_count = 2;
    FiloResult r = filo_app_create(&app, &game.desc, &headless);
    assert_int_not_equal(r.code, FILO_OK);
    assert_contains(r.message, "missing.txt");
    assert_null(app);
}

// ---- Results ----------------------------------------------------------------------------------------------------

FILO_TEST(results_that_come_at_any_time_are_recorded_and_replayed) {
    const char *path = filo_test_path("luck.input");
    Game game = { .plan.asks = true };
    describe(&game);
    FiloCommonArgs args = headless;
    args.record = path;
    FiloApp *app = start(&game.desc, &args);
    for (int i = 0; i < 60; i++) {
        frames(app, 1);
        usleep(200);
    }
    Star star = first_star(app);
    assert_true(star.lucky > 0);
    uint64_t hash = filo_world_hash(filo_app_world(app));
    assert_ok(filo_app_finish(app));
    filo_app_destroy(app);

    base_store_release(&calls, 0);
    for (int threads = 1; threads <= 8; threads *= 2) {
        args = (FiloCommonArgs){
            .headless = true, .backend = FILO_BACKEND_NULL, .threads = threads, .replay = path
        };
        app = start(&game.desc, &args);
        while (filo_app_frame(app)) {}
        Star replayed = first_star(app);
        assert_true(filo_reflect_equal(FILO_TYPE(Star), &star, &replayed));
        assert_true(filo_world_hash(filo_app_world(app)) == hash);
        assert_ok(filo_app_finish(app)); // which compares the hash of the recording
        filo_app_destroy(app);
    }
    assert_int_equal(base_load_acquire(&calls), 0); // no function ran
}

static void record_result(const char *path, const char *text) {
    FiloInputRecorder *recorder;
    assert_ok(filo_input_recorder_create(&recorder, path,
                                         &(FiloInputLogHead){ .game = "stars", .tick_seconds = 1.0 / 60 }));
    assert_ok(filo_input_recorder_message(
        recorder, &(FiloInputMessage){ filo_name("object result"), filo_string(text) }));
    assert_ok(filo_input_recorder_add(recorder, 1.0f / 60, &(FiloInput){ 0 }, NULL, 0));
    assert_ok(filo_input_recorder_finish(recorder, 0));
    filo_input_recorder_destroy(recorder);
}

#define LUCK "{\"number\": 3, \"more\": 1, \"text\": \"x\"}"

FILO_TEST(results_of_a_recording_that_do_not_fit_the_game_end_the_replay_with_an_error) {
    hush();
    const struct {
        const char *text, *problem;
    } cases[] = { { "[99999999999, \"Luck\", " LUCK "]", NULL }, // there is no such object any more
                  { "[1, \"Fate\", " LUCK "]", "a function returned Fate" },
                  { "[1, \"Luck\", {\"number\": 3}]", "object result" },
                  { "[1, \"Luck\", " LUCK, "broken" },
                  { "[1, \"Luck\", " LUCK "] 1", "broken" },
                  { "[-1, \"Luck\", " LUCK "]", "broken" },
                  { "[\"a\"]", "broken" },
                  { "[1, 2, 3]", "broken" },
                  { "", "broken" },
                  { "\xFF", "broken" } };
    const char *path = filo_test_path("foreign.input");
    Game game = { 0 };
    describe(&game);
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        record_result(path, cases[i].text);
        FiloCommonArgs args = headless;
        args.replay = path;
        FiloApp *app = start(&game.desc, &args);
        while (filo_app_frame(app)) {}
        if (cases[i].problem == NULL)
            assert_ok(app->failure);
        else
            assert_contains(app->failure.message, cases[i].problem);
        filo_app_destroy(app);
    }
}

FILO_TEST(the_name_of_results_is_reserved) {
    FiloApp *app = start(&(FiloAppDesc){ .name = "stars" }, &headless);
    expect_fault("the name of results",
                 assert_false(filo_app_send(app, filo_name("object result"), NULL, NULL)));
    filo_app_destroy(app);
}

// ---- The window -------------------------------------------------------------------------------------------------

static FiloApp *start_and_act(Game *game, FiloWindowAction action) {
    *game = (Game){ .plan = { .acts = true, .action = action } };
    describe(game);
    FiloCommonArgs args = headless;
    args.backend = FILO_BACKEND_CPU;
    return start(&game->desc, &args);
}

FILO_TEST(objects_act_on_the_window_after_the_tick) {
    Game game;
    FiloApp *app = start_and_act(&game, (FiloWindowAction){ .kind = FILO_WINDOW_FULL_SCREEN, .on = true });
    frames(app, 3);
    assert_false(filo_window_is_full_screen(filo_app_window(app)));
    frames(app, 1);
    assert_true(filo_window_is_full_screen(filo_app_window(app)));
    filo_app_destroy(app);

    static const FiloWindowActionKind others[] = { FILO_WINDOW_TITLE, FILO_WINDOW_CAPTURE };
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++) {
        app = start_and_act(&game, (FiloWindowAction){ .kind = others[i], .on = true, .text = "Stars" });
        frames(app, 5);
        assert_int_equal(app->tick.window_actions.count, 0);
        filo_app_destroy(app);
    }
}

FILO_TEST(an_object_ends_the_game) {
    Game game;
    FiloApp *app = start_and_act(&game, (FiloWindowAction){ .kind = FILO_WINDOW_QUIT });
    int count = 0;
    while (filo_app_frame(app)) count++;
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 4);
    assert_int_equal(count, 3);
    filo_app_destroy(app);
}
