// A module that joins an app with all that a module can have; and apps without some of Filo's own.

#include "app/overlay.h"
#include "stage.h"
#include "support/screenless.h"

#include <filo/files.h>
#include <filo/image.h>

#include <stdlib.h>

#define WIDTH  320
#define HEIGHT 240

// ---- The module: bubbles that rise ----------------------------------------------------------------------------

typedef struct Bubble {
    FiloVec2 place;
    uint32_t ticks;
} Bubble;
FILO_REFLECT(Bubble, FILO_FIELD(FiloVec2, place), FILO_FIELD(uint32_t, ticks))

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
    FiloVec2 seen[64]; // what is drawn
    size_t seen_count;
    int wanted; // flag
    int calls[FILO_FRAME_PARTS];
    int inputs, waits;
    FiloColor color;
    bool long_line;
    FiloKey keeps;              // this key is kept from the game
    FiloFrameFunction fails_in; // that hook fails
    int fails_after;            // so many calls
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
        bubble->place.y += drink->fizz * it->delta;
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
    assert_int_not_equal(pub->drink.id, 0); // its type is known already
    filo_component(pub->world, Bubble);
    pub->rise = filo_system_add(pub->world, &(FiloSystemDesc){ .name = "rise",
                                                               .run = rise,
                                                               .parallel = true,
                                                               .user = pub,
                                                               .query.terms = { FILO_WRITE(Bubble) } });
    pub->bubbles = filo_query(pub->world, FILO_READ(Bubble));
    for (int i = 0; i < pub->wanted; i++)
        filo_create(pub->world, FILO_SET(Bubble, .place = { (float)i * 10 - 100, 0 }));
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    Pub *pub = user;
    assert_int_equal(filo_asset_state(pub->assets, pub->drink), FILO_ASSET_READY); // its type is still known
    filo_assets_unload(pub->assets, pub->drink);
    filo_system_remove(pub->world, pub->rise);
    filo_query_release(pub->bubbles);
    return filo_ok();
}

static FiloResult answer(Pub *pub, FiloFrameFunction hook) {
    if (pub->fails_in != hook || pub->fails_after-- > 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "the beer is flat");
}

static FiloResult poll(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_POLL]++;
    return answer(pub, poll);
}

static bool see_input(FiloFrame *frame, const FiloInputChange *change, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->inputs++;
    return change->kind == FILO_INPUT_KEY && change->key == (int32_t)pub->keeps;
}

static FiloResult before_ticks(FiloFrame *frame, void *user) {
    Pub *pub = user;
    assert_true(frame->tick_seconds > 0);
    assert_int_equal(frame->number, pub->calls[FILO_FRAME_BEFORE_TICKS]);
    pub->calls[FILO_FRAME_BEFORE_TICKS]++;
    return answer(pub, before_ticks);
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
        for (size_t i = 0; i < it.count; i++) pub->seen[pub->seen_count++] = bubbles[i].place;
    }
    return answer(pub, extract);
}

static void note_order(Pub *pub, const char *name) {
    size_t length = strlen(pub->order);
    snprintf(pub->order + length, sizeof pub->order - length, "%s ", name);
}

static FiloResult render(FiloFrame *frame, void *user) {
    Pub *pub = user;
    pub->calls[FILO_FRAME_RENDER]++;
    note_order(pub, "bubbles");
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_in_world(draw, 50);
    for (size_t i = 0; i < pub->seen_count; i++) filo_draw_circle(draw, pub->seen[i], 4, pub->color);
    return answer(pub, render);
}

static FiloResult present(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_PRESENT]++;
    return answer(pub, present);
}

static FiloResult end(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_END]++;
    return answer(pub, end);
}

static FiloResult wait(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    ((Pub *)user)->waits++;
    return answer(user, wait);
}

static FiloResult finish(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame);
    Pub *pub = user;
    pub->calls[FILO_FRAME_FINISH]++;
    return answer(pub, finish);
}

static void tell_stats(FiloStats *stats, void *user) {
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

static void complain(FiloLines *lines, void *user) {
    const Pub *pub = user;
    if (pub->wanted == 0) filo_lines_add(lines, "the glass is empty");
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
                                        .input = see_input,
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
                             .stats = tell_stats,
                             .debug = describe,
                             .problems = complain };
}

static Pub new_pub(void) { return (Pub){ .wanted = 20, .color = FILO_COLOR_RED, .keeps = FILO_KEY_NONE }; }

static FiloAppDesc game_with(const FiloModuleDesc *modules, size_t count) {
    static const char text[] = "{ \"fizz\": 60 }";
    assert_ok(filo_file_write(filo_test_path("beer.drink"), text, sizeof text - 1, NULL));
    return (FiloAppDesc){ .name = "test",
                          .window = { .width = WIDTH, .height = HEIGHT },
                          .asset_folder = filo_test_folder(),
                          .modules = modules,
                          .module_count = count };
}

static FiloCommonArgs with(FiloBackend backend, int threads) {
    return (FiloCommonArgs){ .headless = true, .backend = backend, .threads = threads, .stats = true };
}

static void run_frames(FiloApp *app, int frames) {
    for (int i = 0; i < frames; i++) assert_true(filo_app_frame(app));
}

static FiloPixels shot(FiloApp *app) {
    FiloPixels pixels;
    assert_ok(filo_app_shot(app, filo_test_path("shot.png")));
    assert_ok(filo_image_load(&pixels, filo_test_path("shot.png"), NULL));
    return pixels;
}

static size_t count_color(const FiloPixels *pixels, FiloColor color) {
    size_t count = 0;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++) {
            FiloColor c = *filo_pixels_at(pixels, x, y);
            count += abs(c.r - color.r) <= 2 && abs(c.g - color.g) <= 2 && abs(c.b - color.b) <= 2;
        }
    return count;
}

// ---- All of it ------------------------------------------------------------------------------------------------

FILO_TEST(a_module_takes_part_in_each_part_of_the_frame) {
    Pub pub = new_pub();
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with(&module, 1);
    FiloCommonArgs args = with(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    assert_int_equal(pub.waits, 1); // before the game's create
    press(app, FILO_KEY_A, true);
    run_frames(app, 5);
    const FiloFramePart parts[] = { FILO_FRAME_POLL,   FILO_FRAME_BEFORE_TICKS, FILO_FRAME_EXTRACT,
                                    FILO_FRAME_RENDER, FILO_FRAME_PRESENT,      FILO_FRAME_END };
    for (size_t i = 0; i < FILO_COUNT_OF(parts); i++) assert_int_equal(pub.calls[parts[i]], 5);
    assert_true(pub.inputs >= 1);
    FiloPixels picture = shot(app);
    assert_int_equal(pub.waits, 2);
    assert_true(count_color(&picture, FILO_COLOR_RED) > 20 * 30);
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
        FiloAppDesc desc = game_with(&module, 1);
        FiloCommonArgs args = with(FILO_BACKEND_CPU, threads[i]);
        args.frames = 30;
        FiloApp *app = start(&desc, &args);
        while (filo_app_frame(app)) {}
        app_wait_for_tick(app);
        assert_true(pub.seen[0].y > 20); // the file's number had its effect
        uint64_t hash = filo_world_hash(filo_app_world(app));
        FiloPixels picture = shot(app);
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

// ---- The command line -------------------------------------------------------------------------------------------

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
    FiloAppDesc desc = game_with(&module, 1);
    desc.name = "bubbling";
    int other = 0;
    const FiloFlag own[] = { { "bubbles", NULL, .integer = &other } };
    if (getenv("FILO_TEST_SAME_FLAG") != NULL) desc.flags = own, desc.flag_count = 1;
    int code = filo_run(number, arguments, &desc);
    printf("%d\n", pub.wanted);
    exit(code);
}

static FiloTestOutcome outcome;

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
    assert_contains(outcome.output,
                    "\"frames\":4,"); // it ended after that frame, and what was asked for is there
    play(1, "--headless --frames 4", "FILO_TEST_SHUT=1");
    assert_contains(outcome.errors, "module \"pub\" failed in finish: the beer is flat");
}

FILO_TEST(flags_that_are_not_to_be_recorded_are_not) {
    int wanted = 1;
    const char *file = NULL;
    const FiloFlag flags[] = { { "wanted", NULL, .integer = &wanted },
                               { "sound", NULL, .string = &file, .unrecorded = true } };
    AppFlags gathered;
    char text[FILO_INPUT_FLAGS];
    assert_ok(app_flags_collect(&gathered, &(FiloAppDesc){ .flags = flags, .flag_count = 2 }, NULL));
    wanted = 2, file = "x.wav";
    assert_ok(app_flags_print(&gathered, text));
    assert_string_equal(text, "--wanted=2\n");
}

FILO_TEST(more_flags_than_fit_are_refused) {
    bool on = false;
    FiloFlag flags[FILO_ARGS_MAX_FLAGS];
    char names[FILO_ARGS_MAX_FLAGS][16];
    for (int i = 0; i < FILO_ARGS_MAX_FLAGS; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        flags[i] = (FiloFlag){ names[i], NULL, .on = &on };
    }
    FiloModules *modules;
    assert_ok(filo_modules_create(&modules, NULL));
    const FiloFlag more[] = { { "more", NULL, .on = &on } };
    assert_ok(
        filo_modules_register(modules, &(FiloModuleDesc){ .name = "m", .flags = more, .flag_count = 1 }));
    AppFlags gathered;
    const FiloAppDesc desc = { .flags = flags, .flag_count = FILO_ARGS_MAX_FLAGS };
    assert_ok(app_flags_collect(&gathered, &desc, NULL));
    assert_error(app_flags_collect(&gathered, &desc, modules), FILO_ERROR_LIMIT,
                 "the game and its modules have 129 flags; 128 are possible");
    filo_modules_destroy(modules);
}

// ---- Failures -----------------------------------------------------------------------------------------------------

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
        FiloAppDesc desc = game_with(&module, 1);
        FiloCommonArgs args = with(FILO_BACKEND_NULL, 2);
        args.frames = 10;
        args.stats = false;
        args.trace = NULL;
        FiloApp *app = start(&desc, &args);
        int frames = 0;
        for (bool more = true; more; frames++) { // drawn, though nobody watches
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

FILO_TEST(what_fails_while_a_picture_is_drawn_is_told_instead_of_it) {
    Pub pub = new_pub();
    pub.fails_in = render;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with(&module, 1);
    FiloCommonArgs args = with(FILO_BACKEND_CPU, 1);
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
    FiloAppDesc desc = game_with(&module, 1);
    FiloApp *app;
    hush();
    assert_ok(filo_file_write(filo_test_path("beer.drink"), "{}", 2, NULL));
    // Before what it asked for is there; so its unload cannot expect that.
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
    FiloAppDesc desc = game_with(&module, 1);
    FiloApp *app = start(&desc, &headless);
    run_frames(app, 3);
    assert_int_equal(pub.calls[FILO_FRAME_END], 3);
    filo_app_destroy(app);
}

// ---- Order --------------------------------------------------------------------------------------------------------

static Pub *ordered;

static FiloResult draw_a(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(user);
    note_order(ordered, "a");
    return filo_ok();
}
static FiloResult draw_b(FiloFrame *frame, void *user) {
    FILO_UNUSED(frame), FILO_UNUSED(user);
    note_order(ordered, "b");
    return filo_ok();
}
static void draw_game(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(app), FILO_UNUSED(draw);
    note_order(ordered, "game");
}

FILO_TEST(render_hooks_with_the_same_order_go_by_registration_and_around_the_game) {
    Pub pub = new_pub();
    ordered = &pub;
    const FiloRenderHook first[] = { { FILO_RENDER_UI, false, draw_a } };
    const FiloRenderHook second[] = { { FILO_RENDER_UI, false, draw_b } };
    const FiloModuleDesc modules[] = { { .name = "first", .renders = first, .render_count = 1 },
                                       { .name = "second", .renders = second, .render_count = 1 },
                                       module_of(&pub) };
    FiloAppDesc desc = game_with(modules, 3);
    desc.draw = draw_game;
    FiloCommonArgs args = with(FILO_BACKEND_NULL, 1);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 1);
    assert_string_equal(pub.order, "bubbles game a b ");
    filo_app_destroy(app);
}

// Passes that draw by themselves: one under the sprites, one over all that was drawn at once before it.
typedef struct Passes {
    FiloPipeline pipeline;
    bool cleared_before_under, cleared_before_over;
} Passes;

static void fill_part(FiloFrame *frame, Passes *passes, FiloRect part, FiloColor color) {
    FiloGpu *gpu = FILO_OBJECT(frame->modules, FiloGpu);
    FiloVec2 size = filo_rect_size(part);
    if (gpu == NULL) {
        FiloPixels pixels =
            filo_pixels_part(&frame->picture, (int)part.min.x, (int)part.min.y, (int)size.x, (int)size.y);
        filo_pixels_fill(&pixels, color);
        return;
    }
    static const char vertex[] = "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;"
                                 " gl_Position = vec4(p, 0.0, 1.0); }";
    static const char fragment[] = "uniform vec4 color; out vec4 result; void main() { result = color; }";
    FiloResult r = filo_ok();
    if (passes->pipeline.id == 0)
        r = filo_gpu_pipeline_create(
            &passes->pipeline, gpu,
            &(FiloPipelineDesc){ .label = "fill", .vertex = vertex, .fragment = fragment });
    assert_ok(r);
    filo_gpu_begin_pass(
        gpu, &(FiloGpuPass){ .width = frame->width, .height = frame->height, .clear = !frame->cleared });
    filo_gpu_set_scissor(gpu, (int)part.min.x, (int)part.min.y, (int)size.x, (int)size.y);
    filo_gpu_use(gpu, passes->pipeline);
    filo_gpu_set_vec4(
        gpu, "color",
        filo_vec4((float)color.r / 255, (float)color.g / 255, (float)color.b / 255, (float)color.a / 255));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
}

static FiloResult draw_under(FiloFrame *frame, void *user) {
    Passes *passes = user;
    passes->cleared_before_under = frame->cleared;
    FiloVec2 size = filo_vec2((float)frame->width, (float)frame->height);
    fill_part(frame, passes, filo_rect(filo_vec2(0, 0), size), FILO_COLOR_BLUE);
    frame->cleared = true;
    return filo_ok();
}

static FiloResult draw_over(FiloFrame *frame, void *user) {
    Passes *passes = user;
    passes->cleared_before_over = frame->cleared;
    fill_part(frame, passes, filo_rect(filo_vec2(0, 0), filo_vec2(160, 100)), FILO_COLOR_GREEN);
    return filo_ok();
}

static FiloResult end_passes(FiloModules *modules, void *user) {
    Passes *passes = user;
    FiloGpu *gpu = FILO_OBJECT(modules, FiloGpu);
    if (gpu != NULL) filo_gpu_pipeline_destroy(gpu, passes->pipeline);
    return filo_ok();
}

static void draw_boxes(FiloApp *app, FiloDraw *draw) { // before the pass that is over it
    FILO_UNUSED(app);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(200, 100)), FILO_COLOR_RED);
}

static FiloResult draw_panel(FiloFrame *frame, void *user) { // after it
    FILO_UNUSED(user);
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    filo_draw_on_screen(draw);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(80, 100)), FILO_COLOR_WHITE);
    filo_draw_in_world(draw, 0); // what is drawn in the world after the sprites is over them
    filo_draw_box(draw, filo_rect(filo_vec2(120, -120), filo_vec2(160, -80)), FILO_COLOR_YELLOW);
    return filo_ok();
}

static FiloResult create_sprite(FiloApp *app) {
    filo_create(filo_app_world(app), FILO_SET(FiloTransform2, .position = { 0, -60 }, .scale = { 100, 50 }),
                FILO_SET(FiloSprite, .color = FILO_COLOR_MAGENTA));
    return filo_ok();
}

static FiloColor pixel(const FiloPixels *pixels, int x, int y) { return *filo_pixels_at(pixels, x, y); }

static void expect_color(FiloColor is, FiloColor wanted) {
    if (abs(is.r - wanted.r) > 2 || abs(is.g - wanted.g) > 2 || abs(is.b - wanted.b) > 2)
        fail_msg("%d %d %d instead of %d %d %d", is.r, is.g, is.b, wanted.r, wanted.g, wanted.b);
}

static void draw_passes(FiloBackend backend) {
    Passes passes = { { 0 }, true, false };
    const FiloModuleNeed needs[] = { FILO_WISH_OBJECT(FiloGpu), FILO_NEED_OBJECT(FiloDraw) };
    const FiloRenderHook renders[] = { { FILO_RENDER_WORLD, true, draw_under },
                                       { FILO_RENDER_DRAW + 50, true, draw_over },
                                       { FILO_RENDER_UI, false, draw_panel } };
    const FiloModuleDesc module = { .name = "passes",
                                    .user = &passes,
                                    .needs = needs,
                                    .need_count = 2,
                                    .unload = end_passes,
                                    .backend = true,
                                    .renders = renders,
                                    .render_count = 3 };
    FiloAppDesc desc = game_with(&module, 1);
    desc.create = create_sprite;
    desc.draw = draw_boxes;
    FiloCommonArgs args = with(backend, 2);
    FiloApp *app;
    FiloResult r = filo_app_create(&app, &desc, &args);
    if (r.code != FILO_OK && backend == FILO_BACKEND_GL) skip(); // there is none here
    assert_ok(r);
    run_frames(app, 4);
    FiloPixels picture = shot(app);
    assert_false(passes.cleared_before_under); // it is the first
    assert_true(passes.cleared_before_over);
    expect_color(pixel(&picture, 40, 50), FILO_COLOR_WHITE);     // the panel is over all
    expect_color(pixel(&picture, 120, 50), FILO_COLOR_GREEN);    // the pass, over what the game drew
    expect_color(pixel(&picture, 180, 50), FILO_COLOR_RED);      // what the game drew
    expect_color(pixel(&picture, 160, 180), FILO_COLOR_MAGENTA); // the sprite, over the first pass
    expect_color(pixel(&picture, 300, 220), FILO_COLOR_YELLOW);  // drawn in the world, late
    expect_color(pixel(&picture, 20, 220), FILO_COLOR_BLUE);     // the first pass, which nothing cleared
    filo_pixels_free(&picture, NULL);
    filo_app_destroy(app);
}

FILO_TEST(passes_of_ones_own_lie_where_their_order_says_on_the_cpu) { draw_passes(FILO_BACKEND_CPU); }
FILO_TEST(passes_of_ones_own_lie_where_their_order_says_on_gl) { draw_passes(FILO_BACKEND_GL); }

// ---- Input ----------------------------------------------------------------------------------------------------------

FILO_TEST(a_module_can_keep_input_from_the_game) {
    Pub pub = new_pub();
    pub.keeps = FILO_KEY_B;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with(&module, 1);
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

// ---- The debug view ---------------------------------------------------------------------------------------------------

static bool has_line(const AppOverlay *overlay, const char *text) {
    for (size_t i = 0; i < overlay->page.count; i++)
        if (strcmp(overlay->lines[i].text, text) == 0) return true;
    return false;
}

FILO_TEST(the_debug_view_has_its_lines_and_one_that_is_too_long_is_cut) {
    Pub pub = new_pub();
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with(&module, 1);
    FiloCommonArgs args = with(FILO_BACKEND_CPU, 2);
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
    FiloAppDesc desc = game_with(&module, 1);
    FiloCommonArgs args = with(FILO_BACKEND_CPU, 1);
    FiloApp *app = start(&desc, &args);
    filo_app_show_overlay(app, true);
    run_frames(app, 3);
    const AppOverlay *overlay = FILO_APP_OBJECT(app, AppOverlay);
    assert_int_equal(overlay->page.count, APP_OVERLAY_LINES);
    assert_int_equal(overlay->page.count + overlay->page.left_out, 200 + 2); // two of gfx2d
    filo_app_destroy(app);
}

// ---- Coming and going while the game runs --------------------------------------------------------------------------------

static void reload_pub(FiloApp *app) {
    if (filo_world_ticks(filo_app_world(app)) % 5 == 3)
        assert_ok(filo_modules_reload(filo_app_modules(app), "pub"));
}

FILO_TEST(a_module_can_be_taken_out_and_loaded_again_between_frames) {
    Pub pub = new_pub();
    pub.wanted = 1;
    const FiloModuleDesc module = module_of(&pub);
    FiloAppDesc desc = game_with(&module, 1);
    desc.frame = reload_pub;
    desc.no_overlap = true;
    FiloCommonArgs args = with(FILO_BACKEND_CPU, 2);
    FiloApp *app = start(&desc, &args);
    run_frames(app, 13);
    assert_int_equal(pub.seen_count, 3); // one more each time: what it made in the world stays
    assert_ok(filo_modules_unload(filo_app_modules(app), "pub"));
    assert_error(filo_assets_unregister(filo_app_assets(app), "drink"), FILO_ERROR_NOT_FOUND, "drink");
    int calls = pub.calls[FILO_FRAME_POLL];
    desc.frame = NULL;
    app->desc.frame = NULL;
    run_frames(app, 3);
    assert_int_equal(pub.calls[FILO_FRAME_POLL], calls);
    filo_app_destroy(app);
}

// ---- Without some of Filo's own -------------------------------------------------------------------------------------------

static FiloResult leave_out(FiloApp *app) {
    assert_null(filo_app_world(app)); // nothing is there yet
    for (const char *const *name = filo_app_user(app); *name != NULL; name++) {
        FiloResult r = filo_modules_unregister(filo_app_modules(app), *name);
        if (r.code != FILO_OK) return r;
    }
    return filo_ok();
}

static int drawn;

static void count_draw(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(app), FILO_UNUSED(draw);
    drawn++;
}

static FiloApp *start_without(const char *const *names, FiloBackend backend) {
    FiloAppDesc desc = game_with(NULL, 0);
    desc.setup = leave_out;
    desc.draw = count_draw;
    desc.user = (void *)(uintptr_t)names;
    drawn = 0;
    FiloCommonArgs args = with(backend, 2);
    return start(&desc, &args);
}

FILO_TEST(a_game_without_gfx2d_runs_and_its_picture_is_black) {
    const char *const names[] = { "gfx2d", NULL };
    const FiloBackend backends[] = { FILO_BACKEND_CPU, FILO_BACKEND_NULL };
    for (size_t i = 0; i < FILO_COUNT_OF(backends); i++) {
        FiloApp *app = start_without(names, backends[i]);
        assert_null(filo_app_gfx2d(app));
        assert_non_null(filo_app_assets(app));
        assert_int_equal(filo_app_backend(app), backends[i]);
        filo_app_show_overlay(app, true); // there is nothing to draw it with
        run_frames(app, 5);
        assert_int_equal(drawn, 0);
        if (backends[i] == FILO_BACKEND_CPU) {
            FiloPixels picture = shot(app);
            assert_int_equal(count_color(&picture, FILO_COLOR_BLACK), WIDTH * HEIGHT);
            filo_pixels_free(&picture, NULL);
        }
        double value;
        app_wait_for_tick(app);
        assert_false(filo_app_stat(app, "draw_calls", &value));
        filo_app_destroy(app);
    }
}

FILO_TEST(a_game_without_a_screen_runs_without_drawing) {
    const char *const names[] = { "screen", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_ANY);
    assert_null(filo_app_window(app));
    assert_null(filo_app_gpu(app));
    assert_int_equal(filo_app_backend(app), FILO_BACKEND_NULL);
    run_frames(app, 5);
    filo_app_extract(app); // in a loop of one's own: they do nothing
    filo_app_render(app);
    filo_app_present(app);
    assert_int_equal(drawn, 0);
    assert_int_equal(filo_world_ticks(filo_app_world(app)), 5);
    assert_error(filo_app_shot(app, filo_test_path("none.png")), FILO_ERROR_UNSUPPORTED,
                 "no module that is loaded takes pictures");
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_assets_still_draws) {
    const char *const names[] = { "assets", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_CPU);
    assert_null(filo_app_assets(app));
    run_frames(app, 5);
    assert_int_equal(drawn, 5);
    filo_app_destroy(app);
}

FILO_TEST(a_game_without_anything_of_the_above_runs) {
    const char *const names[] = { "assets", "screen", "gfx2d", "debug view", NULL };
    FiloApp *app = start_without(names, FILO_BACKEND_ANY);
    run_frames(app, 5);
    filo_app_destroy(app);
}

FILO_TEST(leaving_out_what_is_not_there_ends_the_start) {
    const char *const names[] = { "orchestra", NULL };
    FiloAppDesc desc = game_with(NULL, 0);
    desc.setup = leave_out;
    desc.user = (void *)(uintptr_t)names;
    FiloApp *app;
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_NOT_FOUND, "orchestra");
    assert_null(app);
}

// A module in the place of Filo's "assets": the same, from another folder.
FILO_TEST(a_module_with_the_name_of_one_of_filos_takes_its_place) {
    FiloAssetsModule settings = { .desc.folder = "/" };
    const FiloModuleDesc own = filo_assets_module(&settings);
    FiloAppDesc desc = game_with(&own, 1);
    FiloApp *app = start(&desc, &headless);
    assert_string_equal(filo_assets_folder(filo_app_assets(app)), "/");
    run_frames(app, 2);
    filo_app_destroy(app);
    // But there is one of each name, and the app stays.
    const FiloModuleDesc twice[] = { own, own };
    desc = game_with(twice, 2);
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_EXISTS,
                 "\"assets\" is registered already");
    const FiloModuleDesc other_app = { .name = "app" };
    desc = game_with(&other_app, 1);
    assert_error(filo_app_create(&app, &desc, &headless), FILO_ERROR_EXISTS, "\"app\" is registered already");
}

static FiloResult choose_other(FiloApp *app) {
    return filo_modules_choose(filo_app_modules(app), "FiloAssets", "other assets");
}

FILO_TEST(a_game_chooses_between_two_modules_for_one_object) {
    FiloAssetsModule settings = { .desc.folder = "/" };
    FiloModuleDesc own = filo_assets_module(&settings);
    own.name = "other assets";
    FiloAppDesc desc = game_with(&own, 1);
    desc.setup = choose_other;
    FiloApp *app = start(&desc, &headless);
    assert_string_equal(filo_assets_folder(filo_app_assets(app)), "/");
    assert_false(filo_modules_loaded(filo_app_modules(app), "assets"));
    run_frames(app, 2);
    filo_app_destroy(app);
}

// ---- Threads --------------------------------------------------------------------------------------------------------------

typedef struct Threads {
    FiloApp *app;
    int told[32]; // by worker
} Threads;

static void note_thread(const FiloEvent *event, void *user) {
    Threads *threads = user;
    const FiloThreadEvent *thread = event->payload;
    assert_int_equal(filo_jobs_worker(filo_app_jobs(threads->app)), thread->worker);
    threads->told[thread->worker]++;
}

static FiloResult watch_threads(FiloModules *modules, void *user) {
    Threads *threads = user;
    threads->app = FILO_OBJECT(modules, FiloApp);
    filo_events_subscribe(filo_modules_events(modules),
                          &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_THREAD_INIT),
                                              .type = FILO_TYPE(FiloThreadEvent),
                                              .function = note_thread,
                                              .user = threads });
    return filo_ok();
}

FILO_TEST(a_module_hears_of_every_worker_thread_once_on_that_thread) {
    const int counts[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(counts); i++) {
        Threads threads = { 0 };
        const FiloModuleDesc module = { .name = "threads", .user = &threads, .load = watch_threads };
        FiloAppDesc desc = game_with(&module, 1);
        FiloCommonArgs args = with(FILO_BACKEND_NULL, counts[i]);
        FiloApp *app = start(&desc, &args);
        for (int w = 0; w < counts[i]; w++) assert_int_equal(threads.told[w], 1);
        run_frames(app, 3);
        for (int w = counts[i]; w < 32; w++) assert_int_equal(threads.told[w], 0);
        filo_app_destroy(app);
    }
}

// ---- The life of the game -------------------------------------------------------------------------------------------------

static char history[256];

static void tell(const FiloEvent *event, void *user) {
    FILO_UNUSED(user);
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "%s, ", filo_name_text(event->name));
}

static FiloResult listen(FiloModules *modules, void *user) {
    const char *names[] = { FILO_EVENT_GAME_INIT, FILO_EVENT_BACKEND_INIT, FILO_EVENT_GAME_START,
                            FILO_EVENT_GAME_END };
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "load %s, ", (const char *)user);
    for (size_t i = 0; strcmp(user, "core") == 0 && i < FILO_COUNT_OF(names); i++)
        filo_events_subscribe(filo_modules_events(modules),
                              &(FiloHandlerDesc){ .event = filo_name(names[i]), .function = tell });
    return filo_ok();
}

static FiloResult forget(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    size_t length = strlen(history);
    snprintf(history + length, sizeof history - length, "unload %s, ", (const char *)user);
    return filo_ok();
}

FILO_TEST(what_is_backend_is_loaded_between_game_init_and_backend_init) {
    const FiloModuleDesc modules[] = {
        { .name = "late", .user = "late", .load = listen, .unload = forget, .backend = true },
        { .name = "core", .user = "core", .load = listen, .unload = forget },
    };
    history[0] = '\0';
    FiloAppDesc desc = game_with(modules, 2);
    FiloApp *app = start(&desc, &headless);
    run_frames(app, 1);
    filo_app_destroy(app);
    assert_string_equal(history, "load core, game init, load late, backend init, game start, game end, "
                                 "unload late, unload core, ");
}
