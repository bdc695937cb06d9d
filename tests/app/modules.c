// A module that has everything that a module can have: hooks, flags, assets, statistics, lines of the debug view.

#include "app/overlay.h"
#include "picture.h"
#include "support/screenless.h"

#include <filo/files.h>

// ---- The module: bubbles that rise ------------------------------------------------------------------------

typedef struct Bubble {
    FiloVec2 position;
    uint32_t ticks;
} Bubble;
FILO_REFLECT(Bubble, FILO_FIELD(FiloVec2, position), FILO_FIELD(uint32_t, ticks))

typedef struct Drink { // the asset: how fast they rise
    float fizz;
} Drink;
FILO_REFLECT(Drink, FILO_FIELD(float, fizz))

typedef struct Pub {
    FiloWorld *world;
    FiloAssets *assets;
    FiloAsset drink;
    FiloQuery *bubbles;
    FiloSystemId rise;
    FiloVec2 seen[64]; // positions to draw
    size_t seen_count;
    int wanted; // flag
    int calls[FILO_FRAME_PARTS];
    int inputs, waits;
    FiloColor color;
    bool long_line;
    FiloKey consumed_key;       // the game does not see this key
    FiloFrameFunction fails_in; // this hook fails
    int fails_after;            // this many calls
    char order[64];             // of the render hooks
} Pub;

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    assert_non_null(user);
    Drink *drink = filo_alloc_zero(bytes->allocator, sizeof *drink, 0);
    FiloJsonReader reader;
    filo_json_reader_init(&reader, bytes->bytes, bytes->size, bytes->name);
    FiloResult r = filo_reflect_read_json(FILO_TYPE(Drink), drink, &reader, NULL);
    if (r.code != FILO_OK) filo_free(bytes->allocator, drink, sizeof *drink, 0);
    *data = drink;
    return r;
}

static void free_drink(void *data, const FiloAllocator *allocator, void *user) {
    assert_non_null(user);
    filo_free(allocator, data, sizeof(Drink), 0);
}

static void rise(FiloIter *it) {
    const Pub *pub = it->user;
    const Drink *drink = filo_asset_data(pub->assets, pub->drink);
    Bubble *bubbles = filo_write(it, Bubble);
    for (size_t i = 0; i < it->count; i++) {
        Bubble *bubble = &bubbles[i];
        bubble->position.y += drink->fizz * it->delta;
        bubble->ticks++;
    }
}

static FiloResult load(FiloModules *modules, void *user) {
    Pub *pub = user;
    pub->world = FILO_OBJECT(modules, FiloWorld);
    pub->assets = FILO_OBJECT(modules, FiloAssets);
    assert_non_null(pub->world);
    assert_non_null(FILO_OBJECT(modules, FiloApp));
    pub->drink = filo_assets_load(pub->assets, "beer.drink");
    assert_int_not_equal(pub->drink.id, 0); // its type is registered already
    filo_component(pub->world, Bubble);
    pub->rise = filo_system_add(pub->world, &(FiloSystemDesc){ .name = "rise",
                                                               .run = rise,
                                                               .parallel = true,
                                                               .user = pub,
                                                               .query.terms = { FILO_WRITE(Bubble) } });
    pub->bubbles = filo_query(pub->world, FILO_READ(Bubble));
    for (int i = 0; i < pub->wanted; i++)
        filo_create(pub->world, FILO_SET(Bubble, .position = { (float)i * 10 - 100, 0 }));
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    Pub *pub = user;
    assert_int_equal(filo_asset_state(pub->assets, pub->drink),
                     FILO_ASSET_READY); // its type is still registered
    filo_assets_unload(pub->assets, pub->drink);
    filo_system_remove(pub->world, pub->rise);
    filo_query_release(pub->bubbles);
    return filo_ok();
}

static FiloResult hook_result(Pub *pub, FiloFrameFunction hook) {
    if (pub->fails_in != hook || pub->fails_after-- > 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "the beer is flat");
}

static FiloResult poll(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_POLL]++;
    return hook_result(pub, poll);
}

static bool filter_input(FiloFrame *frame, const FiloInputChange *change, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->inputs++;
    return change->kind == FILO_INPUT_KEY && change->key == (int32_t)pub->consumed_key;
}

static FiloResult before_ticks(FiloFrame *frame, void *user) {
    Pub *pub = user;
    assert_true(frame->tick_seconds > 0);
    assert_int_equal(frame->number, pub->calls[FILO_FRAME_BEFORE_TICKS]);
    pub->calls[FILO_FRAME_BEFORE_TICKS]++;
    return hook_result(pub, before_ticks);
}

static FiloResult extract(FiloFrame *frame, void *user) {
    Pub *pub = user;
    pub->calls[FILO_FRAME_EXTRACT]++;
    assert_true(frame->width == WIDTH && frame->height == HEIGHT);
    assert_true(frame->blend >= 0 && frame->blend <= 1);
    pub->seen_count = 0;
    FiloIter it = filo_query_iter(pub->bubbles);
    while (filo_iter_next(&it)) {
        const Bubble *bubbles = filo_read(&it, Bubble);
        for (size_t i = 0; i < it.count; i++) pub->seen[pub->seen_count++] = bubbles[i].position;
    }
    return hook_result(pub, extract);
}

static void append_order(Pub *pub, const char *name) {
    size_t length = strlen(pub->order);
    snprintf(pub->order + length, sizeof pub->order - length, "%s ", name);
}

static FiloResult render(FiloFrame *frame, void *user) {
    Pub *pub = user;
    pub->calls[FILO_FRAME_RENDER]++;
    append_order(pub, "bubbles");
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_in_world(draw, 50);
    for (size_t i = 0; i < pub->seen_count; i++) filo_draw_circle(draw, pub->seen[i], 4, pub->color);
    return hook_result(pub, render);
}

static FiloResult present(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_PRESENT]++;
    return hook_result(pub, present);
}

static FiloResult end(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_END]++;
    return hook_result(pub, end);
}

static FiloResult wait(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    ((Pub *)user)->waits++;
    return hook_result(user, wait);
}

static FiloResult finish(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_FINISH]++;
    return hook_result(pub, finish);
}

static void report_stats(FiloStats *stats, void *user) {
    const Pub *pub = user;
    filo_stats_count(stats, "bubbles", filo_query_count(pub->bubbles));
    filo_stats_text(stats, "drink", "beer");
}

static void describe(FiloLines *lines, void *user) {
    const Pub *pub = user;
    filo_lines_title(lines, "pub");
    filo_lines_add(lines, "%zu bubbles%s", filo_query_count(pub->bubbles),
                   pub->long_line ? " that rise and rise, to the very top of the glass and beyond" : "");
}

static void report_problems(FiloLines *lines, void *user) {
    const Pub *pub = user;
    if (pub->wanted == 0) filo_lines_add(lines, "the glass is empty");
    for (int i = pub->wanted; i < 0; i++) filo_lines_add(lines, "%d bubbles are missing", -i);
}

// The description, in memory that lives as long as the program.
static FiloModuleDesc module_of(Pub *pub) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_NEED_OBJECT(FiloAssets),
                                            FILO_NEED_OBJECT(FiloDraw) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_WORLD, false, render } };
    static FiloFlag flags[1];
    static const Drink water = { 0 };
    static FiloAssetType types[1];
    static const FiloModuleContribution contributes[] = { { "FiloAssetType", types, 1 } };
    flags[0] = (FiloFlag){ "bubbles", "how many", .integer = &pub->wanted };
    types[0] = (FiloAssetType){ .name = "drink",
                                .extensions = { "drink" },
                                .decode = decode,
                                .free = free_drink,
                                .placeholder = &water,
                                .user = pub };
    return (FiloModuleDesc){ .name = "pub",
                             .version = FILO_VERSION(1, 0, 0),
                             .needs = needs,
                             .need_count = FILO_COUNT_OF(needs),
                             .load = load,
                             .unload = unload,
                             .user = pub,
                             .backend = true,
                             .frame = { .poll = poll,
                                        .input = filter_input,
                                        .before_ticks = before_ticks,
                                        .extract = extract,
                                        .present = present,
                                        .end = end,
                                        .wait = wait,
                                        .finish = finish },
                             .renders = renders,
                             .render_count = FILO_COUNT_OF(renders),
                             .flags = flags,
                             .flag_count = FILO_COUNT_OF(flags),
                             .contributes = contributes,
                             .contribute_count = FILO_COUNT_OF(contributes),
                             .stats = report_stats,
                             .debug = describe,
                             .problems = report_problems };
}

static Pub new_pub(void) {
    return (Pub){ .wanted = 20, .color = FILO_COLOR_RED, .consumed_key = FILO_KEY_NONE };
}

static FiloAppDesc game_with_pub(const FiloModuleDesc *modules, size_t count) {
    static const char text[] = "{ \"fizz\": 60 }";
    assert_ok(filo_file_write(filo_test_path("beer.drink"), text, sizeof text - 1, NULL));
    return game_with(modules, count);
}

// ---- The frame --------------------------------------------------------------------------------------------

FILO_TEST(a_module_takes_part_in_each_part_of_the_frame) {
    Pub pub = new_pub();
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    assert_int_equal(pub.waits, 1); // before the game's create
    press(app, FILO_KEY_A, true);
    run_frames(app, 5);
    const FiloFramePart parts[] = { FILO_FRAME_POLL,   FILO_FRAME_BEFORE_TICKS, FILO_FRAME_EXTRACT,
                                    FILO_FRAME_RENDER, FILO_FRAME_PRESENT,      FILO_FRAME_END };
    for (size_t i = 0; i < FILO_COUNT_OF(parts); i++) assert_int_equal(pub.calls[parts[i]], 5);
    assert_true(pub.inputs >= 1);
    FiloPixels picture = take_shot(app);
    assert_int_equal(pub.waits, 2);
    assert_true(count_whole(&picture, FILO_COLOR_RED, 2) > 20 * 30);
    filo_pixels_free(&picture, NULL);
    double bubbles = 0;
    assert_true(filo_app_stat(app, "bubbles", &bubbles) && bubbles == 20);
    assert_ok(filo_app_finish(app));
    assert_int_equal(pub.calls[FILO_FRAME_FINISH], 1);
    filo_app_destroy(app);
}

FILO_TEST(its_systems_and_assets_make_the_same_world_and_picture_on_any_number_of_threads) {
    const int threads[] = { 1, 2, 4, 8, 16 };
    uint64_t first = 0;
    FiloPixels first_picture = { 0 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        Pub pub = new_pub();
        const FiloModuleDesc module = module_of(&pub);
        FiloAppDesc desc = game_with_pub(&module, 1);
        FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, threads[i]);
        args.frames = 30;
        FiloApp *app = start(&desc, &args);
        while (filo_app_frame(app)) {}
        app_wait_for_tick(app);
        assert_true(pub.seen[0].y > 20); // with the speed of the file
        uint64_t hash = filo_world_hash(filo_app_world(app));
        FiloPixels picture = take_shot(app);
        if (i == 0) {
            first = hash;
            first_picture = picture;
        } else {
            assert_true(hash == first);
            assert_int_equal(filo_pixels_compare(&picture, &first_picture, 0).pixels, 0);
            filo_pixels_free(&picture, NULL);
        }
        filo_app_destroy(app);
    }
    filo_pixels_free(&first_picture, NULL);
}

// ---- The command line -------------------------------------------------------------------------------------

FILO_TEST_PROGRAM(bubbling) {
    static Pub pub;
    pub = new_pub();
    if (getenv("FILO_TEST_FLAT") != NULL) pub.fails_in = extract, pub.fails_after = 3;
    if (getenv("FILO_TEST_SHUT") != NULL) pub.fails_in = finish;
    char line[512];
    filo_string_copy(filo_string(getenv("FILO_TEST_ARGUMENTS")), line, sizeof line);
    char *arguments[32] = { (char[]){ "bubbling" } };
    int number = 1;
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) arguments[number++] = word;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    desc.name = "bubbling";
    int other = 0;
    const FiloFlag own[] = { { "bubbles", NULL, .integer = &other } };
    if (getenv("FILO_TEST_SAME_FLAG") != NULL) desc.flags = own, desc.flag_count = 1;
    int code = filo_run(number, arguments, &desc);
    printf("%d\n", pub.wanted);
    exit(code);
}

static FiloTestResult outcome;

static void play(int code, const char *arguments, const char *variable) {
    static char text[600];
    snprintf(text, sizeof text, "FILO_TEST_ARGUMENTS=%s", arguments);
    filo_test_run(&outcome, &(FiloTestRun){ .program = "bubbling", .environment = { text, variable } });
    if (outcome.exit_code != code)
        fail_msg("%s: ended with %d (signal %d)\n%s%s", arguments, outcome.exit_code, outcome.signal,
                 outcome.output, outcome.errors);
}

FILO_TEST(its_flag_is_in_the_help_and_its_numbers_are_in_the_stats) {
    play(0, "--help", NULL);
    assert_contains(outcome.output, "--bubbles");
    assert_contains(outcome.output, "how many (default: 20)");
    play(0, "--headless --frames 3 --stats --bubbles 7", NULL);
    assert_contains(outcome.output, "\"bubbles\":7,\"drink\":\"beer\"");
    assert_contains(outcome.output, "\"draw_calls\":");
    assert_contains(outcome.output, "\"backend\":\"cpu\"");
    play(2, "--bubble 7", NULL);
    assert_contains(outcome.errors, "did you mean --bubbles?");
}

FILO_TEST(its_flag_is_recorded_and_replayed) {
    char line[300];
    const char *path = filo_test_path("input");
    snprintf(line, sizeof line, "--headless --frames 20 --bubbles 9 --record %s", path);
    play(0, line, NULL);
    snprintf(line, sizeof line, "--headless --replay %s", path);
    play(0, line, NULL);
    assert_contains(outcome.output, "9\n");
}

FILO_TEST(a_flag_that_game_and_module_have_is_refused_by_name) {
    play(1, "--headless --frames 3", "FILO_TEST_SAME_FLAG=1");
    assert_contains(outcome.errors, "--bubbles: the game and one of its modules both have this flag");
}

FILO_TEST(a_hook_that_fails_ends_the_program_with_its_message) {
    play(1, "--headless --frames 100 --stats", "FILO_TEST_FLAT=1");
    assert_contains(outcome.errors, "module \"pub\" failed in extract: the beer is flat");
    assert_contains(outcome.output, "\"frames\":4,"); // it ended after that frame, with its statistics
    play(1, "--headless --frames 4", "FILO_TEST_SHUT=1");
    assert_contains(outcome.errors, "module \"pub\" failed in finish: the beer is flat");
}

// ---- Failures ---------------------------------------------------------------------------------------------

FILO_TEST(each_hook_may_fail_and_the_game_ends_with_that) {
    static const struct {
        FiloFrameFunction hook;
        const char *message;
    } cases[] = { { poll, "module \"pub\" failed in poll: the beer is flat" },
                  { before_ticks, "module \"pub\" failed in before_ticks: the beer is flat" },
                  { extract, "module \"pub\" failed in extract: the beer is flat" },
                  { render, "module \"pub\" failed in render: the beer is flat" },
                  { present, "module \"pub\" failed in present: the beer is flat" },
                  { end, "module \"pub\" failed in end: the beer is flat" },
                  { finish, "module \"pub\" failed in finish: the beer is flat" } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        Pub pub = new_pub();
        pub.fails_in = cases[i].hook;
        pub.fails_after = cases[i].hook == finish ? 0 : 2;
        const FiloModuleDesc module = module_of(&pub);
        FiloAppDesc desc = game_with_pub(&module, 1);
        FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, 2);
        args.frames = 10;
        args.stats = false;
        args.trace = NULL;
        FiloApp *app = start(&desc, &args);
        int frames = 0;
        for (bool more = true; more; frames++) { // drawn, although it is headless
            more = filo_app_poll(app);
            if (!more) break;
            filo_app_tick(app, 1.0 / 60);
            filo_app_extract(app);
            filo_app_render(app);
            filo_app_present(app);
            app_call_hooks(app, FILO_FRAME_END);
        }
        assert_in_range(frames, 2, cases[i].hook == finish ? 11 : 4); // one tick may have been running
        assert_error(filo_app_finish(app), FILO_ERROR_DATA, cases[i].message);
        filo_app_destroy(app);
    }
}

FILO_TEST(a_failure_while_a_picture_is_drawn_is_returned) {
    Pub pub = new_pub();
    pub.fails_in = render;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 1);
    args.stats = false;
    FiloApp *app = start(&desc, &args);
    run_frames(app, 2);
    assert_error(filo_app_shot(app, filo_test_path("flat.png")), FILO_ERROR_DATA,
                 "module \"pub\" failed in render");
    filo_app_destroy(app);
}

FILO_TEST(a_wait_that_fails_ends_the_start) {
    Pub pub = new_pub();
    pub.fails_in = wait;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    FiloApp *app;
    hush();
    assert_ok(filo_file_write(filo_test_path("beer.drink"), "{}", 2, NULL));
    // The asset is not loaded yet, and `unload` would expect it.
    FiloModuleDesc brief = module;
    brief.unload = NULL;
    desc.modules = &brief;
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_DATA,
                 "module \"pub\" failed in wait: the beer is flat");
    assert_null(app);
}

FILO_TEST(two_modules_with_the_same_flag_are_refused) {
    int a = 0;
    const FiloFlag flag[] = { { "ale", NULL, .integer = &a } };
    const FiloModuleDesc modules[] = { { .name = "inn", .flags = flag, .flag_count = 1 },
                                       { .name = "bar", .flags = flag, .flag_count = 1 } };
    FiloApp *app;
    FiloAppDesc desc = game_with(modules, 2);
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_EXISTS,
                 "module \"bar\": the flag --ale, or its letter, belongs to module \"inn\" already");
    assert_null(app);
}

FILO_TEST(a_module_without_load_takes_part_all_the_same) {
    Pub pub = { 0 };
    const FiloModuleDesc module = { .name = "plain", .user = &pub, .frame = { .end = end } };
    FiloAppDesc desc = game_with_pub(&module, 1);
    FiloApp *app = start(&desc, &headless);
    run_frames(app, 3);
    assert_int_equal(pub.calls[FILO_FRAME_END], 3);
    filo_app_destroy(app);
}

// ---- Order ------------------------------------------------------------------------------------------------

static Pub *ordered;

static FiloResult draw_a(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(user);
    append_order(ordered, "a");
    return filo_ok();
}
static FiloResult draw_b(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(user);
    append_order(ordered, "b");
    return filo_ok();
}
static void draw_game(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(app), FILO_UNUSED(draw);
    append_order(ordered, "game");
}

FILO_TEST(render_hooks_with_the_same_order_go_by_registration_and_around_the_game) {
    Pub pub = new_pub();
    ordered = &pub;
    const FiloRenderHook first[] = { { FILO_RENDER_UI, false, draw_a } };
    const FiloRenderHook second[] = { { FILO_RENDER_UI, false, draw_b } };
    const FiloModuleDesc modules[] = { { .name = "first", .renders = first, .render_count = 1 },
                                       { .name = "second", .renders = second, .render_count = 1 },
                                       module_of(&pub) };
    FiloAppDesc desc = game_with_pub(modules, 3);
    desc.draw = draw_game;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_NULL, 1);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 1);
    assert_string_equal(pub.order, "bubbles game a b ");
    filo_app_destroy(app);
}

// ---- Input ------------------------------------------------------------------------------------------------

FILO_TEST(a_module_can_consume_input) {
    Pub pub = new_pub();
    pub.consumed_key = FILO_KEY_B;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    desc.no_overlap = true;
    FiloApp *app = start(&desc, &headless);
    press(app, FILO_KEY_A, true);
    press(app, FILO_KEY_B, true);
    assert_true(pub.inputs >= 2);
    filo_app_tick(app, 1.0 / 60);
    const FiloInput *input = filo_get_global(filo_app_world(app), FiloInput);
    assert_true(filo_input_down(input, FILO_KEY_A));
    assert_false(filo_input_down(input, FILO_KEY_B));
    filo_app_destroy(app);
}

// ---- The debug view ---------------------------------------------------------------------------------------

static bool has_line(const AppOverlay *overlay, const char *text) {
    for (size_t i = 0; i < overlay->page.count; i++)
        if (strcmp(overlay->lines[i].text, text) == 0) return true;
    return false;
}

FILO_TEST(the_plain_debug_view_shows_its_lines_and_cuts_long_ones) {
    Pub pub = new_pub();
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    desc.setup = leave_out_inspector;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    press(app, FILO_KEY_F3, true);
    run_frames(app, 3);
    const AppOverlay *overlay = FILO_APP_OBJECT(app, AppOverlay);
    assert_true(overlay->on);
    assert_true(has_line(overlay, "pub") && has_line(overlay, "20 bubbles"));
    assert_contains(overlay->lines[0].text, "CPU: "); // of gfx2d, which is loaded before
    pub.long_line = true;
    run_frames(app, 1);
    assert_true(has_line(overlay, "20 bubbles that rise and rise, to the very..."));
    assert_int_equal(overlay->problem_page.count, 0);
    pub.wanted = 0;
    run_frames(app, 1);
#ifdef NDEBUG
    assert_true(overlay->on);
#endif
    assert_int_equal(overlay->problem_page.count, 1);
    assert_string_equal(overlay->problems[0].text, "the glass is empty");
    pub.wanted = -APP_OVERLAY_PROBLEMS;
    run_frames(app, 1);
    assert_int_equal(overlay->problem_page.count, APP_OVERLAY_PROBLEMS);
    assert_string_equal(overlay->problems[APP_OVERLAY_PROBLEMS - 1].text, "1 bubbles are missing");
    pub.wanted = -20;
    run_frames(app, 1);
    assert_int_equal(overlay->problem_page.count, APP_OVERLAY_PROBLEMS);
    assert_string_equal(overlay->problems[0].text, "20 bubbles are missing");
    assert_string_equal(overlay->problems[APP_OVERLAY_PROBLEMS - 1].text,
                        "and 15 more problems: the log has all of them");
    filo_app_show_overlay(app, false);
    run_frames(app, 1);
    assert_false(overlay->on);
    filo_app_destroy(app);
}

static void talk(FiloLines *lines, void *user) {
    for (int i = 0; i < *(int *)user; i++) filo_lines_add(lines, "line %d", i);
}

FILO_TEST(more_lines_than_fit_are_counted) {
    int lines = 200;
    const FiloModuleDesc module = { .name = "talker", .user = &lines, .debug = talk };
    FiloAppDesc desc = game_with_pub(&module, 1);
    desc.setup = leave_out_inspector;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 1);
    FiloApp *app = start(&desc, &args);
    filo_app_show_overlay(app, true);
    run_frames(app, 3);
    const AppOverlay *overlay = FILO_APP_OBJECT(app, AppOverlay);
    assert_int_equal(overlay->page.count, APP_OVERLAY_LINES);
    size_t others = 2; // of gfx2d
    if (filo_app_typesetter(app) != NULL) others += 2;
    if (filo_app_audio(app) != NULL) others++;
    assert_int_equal(overlay->page.count + overlay->page.left_out, 200 + others);
    filo_app_destroy(app);
}

// ---- Reloading while the game runs ------------------------------------------------------------------------

static void reload_pub(FiloApp *app) {
    if (filo_world_ticks(filo_app_world(app)) % 5 == 3)
        assert_ok(filo_modules_reload(filo_app_modules(app), "pub"));
}

FILO_TEST(a_module_can_be_unloaded_and_reloaded_between_frames) {
    Pub pub = new_pub();
    pub.wanted = 1;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with_pub(&module, 1);
    desc.frame = reload_pub;
    desc.no_overlap = true;
    FiloCommonArgs args = drawn_by(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 13);
    assert_int_equal(pub.seen_count, 3); // one more each time: entities stay when the module is unloaded
    assert_ok(filo_modules_unload(filo_app_modules(app), "pub"));
    assert_error(filo_assets_unregister(filo_app_assets(app), "drink"), FILO_ERROR_NOT_FOUND, "drink");
    int calls = pub.calls[FILO_FRAME_POLL];
    desc.frame = NULL;
    app->desc.frame = NULL;
    run_frames(app, 3);
    assert_int_equal(pub.calls[FILO_FRAME_POLL], calls);
    filo_app_destroy(app);
}
