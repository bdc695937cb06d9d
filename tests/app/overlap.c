// Drawing, beside which the next tick may run: in debug builds, every access to the world there is reported, whether a tick
// runs or not, and nothing else is.

#include "stage.h"

#include "base/atomic.h"

typedef struct Position {
    int32_t x, y;
} Position;
typedef struct Total {
    int32_t count;
} Total;
FILO_REFLECT(Position, FILO_FIELD(int32_t, x), FILO_FIELD(int32_t, y))
FILO_REFLECT(Total, FILO_FIELD(int32_t, count))

static const FiloCommonArgs drawn = { .headless = true, .backend = FILO_BACKEND_CPU, .threads = 2 };

// A game whose ticks last until `draw` has called `access`.
typedef struct Game {
    void (*access)(struct Game *game, FiloApp *app);
    FiloEntity entity;
    FiloQuery *query;
    BASE_ATOMIC(int) ticking, accessed;
    int overlaps; // how often `draw` overlapped a tick
    int extracts, frames;
} Game;

static void move(FiloIter *it) {
    Game *game = it->user;
    Position *position = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) position[i].x++, position[i].y++;
    base_store_release(&game->ticking, 1); // release: pairs with the acquire in draw
    // Acquire: pairs with the release in draw, and in play.
    while (base_load_acquire(&game->accessed) == 0) filo_thread_yield();
}

static FiloResult define(FiloApp *app) {
    Game *game = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Position);
    filo_component(world, Total, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "move",
                                              .run = move,
                                              .user = game,
                                              .query.terms = { FILO_WRITE(Position) },
                                              .extra_access = { FILO_WRITE(Total) } });
    game->entity = filo_create(world, FILO_SET(Position, 1, 1));
    game->query = filo_query(world, FILO_READ(Position));
    return filo_ok();
}

static void frame(FiloApp *app) {
    Game *game = filo_app_user(app);
    game->frames += filo_get(filo_app_world(app), game->entity, Position) != NULL;
}

static void extract(FiloApp *app) {
    Game *game = filo_app_user(app);
    game->extracts +=
        filo_query_count(game->query) == 1 && filo_get_global(filo_app_world(app), Total) != NULL;
}

static void draw(FiloApp *app, FiloDraw *on) {
    (void)on;
    Game *game = filo_app_user(app);
    if (app->tick.running) {
        while (base_load_acquire(&game->ticking) == 0)
            filo_thread_yield(); // acquire: pairs with the release in move
        game->access(game, app);
        game->overlaps++;
    }
    base_store_release(&game->accessed, 1); // release: pairs with the acquire in move
}

// With `no_overlap`, ticks run before drawing and do not wait for it.
static void play(Game *game, bool no_overlap) {
    FiloApp *app = start(&(FiloAppDesc){ .define = define,
                                         .frame = frame,
                                         .extract = extract,
                                         .draw = draw,
                                         .user = game,
                                         .no_overlap = no_overlap },
                         &drawn);
    for (int i = 0; i < 5; i++) {
        base_store_relaxed(&game->ticking, 0);
        base_store_release(&game->accessed, no_overlap); // release: pairs with the acquire in move
        filo_app_poll(app);
        filo_app_tick(app, 1.0 / 60);
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
        app_wait_for_tick(app);
    }
    assert_int_equal(game->frames, 5);
    assert_int_equal(game->extracts, 5);
    assert_int_equal(game->overlaps > 0, !no_overlap);
    filo_query_release(game->query);
    filo_app_destroy(app);
}

#define COPY "copy what you draw in `extract`"

static void get(Game *game, FiloApp *app) {
    expect_fault(COPY, assert_null(filo_get(filo_app_world(app), game->entity, Position)));
}
static void edit(Game *game, FiloApp *app) {
    expect_fault(COPY, assert_non_null(filo_edit(filo_app_world(app), game->entity, Position)));
}
static void iterate(Game *game, FiloApp *app) {
    (void)app;
    filo_test_faults_begin();
    FiloIter it = filo_query_iter(game->query);
    assert_false(filo_iter_next(&it));
    filo_test_faults_end(COPY, __FILE__, __LINE__);
}
static void iterate_each(Game *game, FiloApp *app) {
    (void)app;
    filo_test_faults_begin();
    FiloEach each = filo_query_each(game->query);
    assert_false(filo_each_next(&each));
    filo_test_faults_end(COPY, __FILE__, __LINE__);
}
static void get_global(Game *game, FiloApp *app) {
    (void)game;
    expect_fault(COPY, assert_non_null(filo_get_global(filo_app_world(app), Total)));
}
static void create(Game *game, FiloApp *app) {
    (void)game;
    expect_fault("cannot create an entity while the frame is drawn", filo_entity_create(filo_app_world(app)));
}

FILO_TEST(a_draw_that_reads_the_world_during_a_tick_is_reported) {
    only_in_debug_builds();
    void (*const accesses[])(Game * game, FiloApp * app) = { get,          edit,       iterate,
                                                             iterate_each, get_global, create };
    for (size_t i = 0; i < FILO_COUNT_OF(accesses); i++) play(&(Game){ .access = accesses[i] }, false);
}

static void add_up(size_t begin, size_t end, void *sum) {
    base_add_relaxed((BASE_ATOMIC(size_t) *)sum, end - begin);
}

// Draws with all threads. While it waits, main may run jobs of the tick.
static void draw_by_jobs(Game *game, FiloApp *app) {
    (void)game;
    BASE_ATOMIC(size_t) sum = 0;
    filo_jobs_for(filo_app_jobs(app), 1000, add_up, &sum);
    assert_int_equal(base_load_relaxed(&sum), 1000);
}

FILO_TEST(a_draw_that_leaves_the_world_alone_is_not_reported) {
    Game overlapping = { .access = draw_by_jobs };
    play(&overlapping, false);
    Game after = { 0 };
    play(&after, true);
}

// ---- Without a tick -----------------------------------------------------------------------------------------

typedef struct Looker {
    FiloEntity entity;
    int looks; // that were reported
} Looker;

static void look(FiloWorld *world, Looker *looker) {
    expect_fault("while the frame is drawn, when a tick may be running: " COPY,
                 assert_null(filo_get(world, looker->entity, Position)));
    looker->looks++;
}

static FiloResult place_looker(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Position);
    ((Looker *)filo_app_user(app))->entity = filo_create(world, FILO_SET(Position, 1, 1));
    return filo_ok();
}

static void look_in_frame(FiloApp *app) {
    assert_non_null(filo_get(filo_app_world(app), ((Looker *)filo_app_user(app))->entity, Position));
}

static void look_in_draw(FiloApp *app, FiloDraw *on) {
    (void)on;
    look(filo_app_world(app), filo_app_user(app));
}

FILO_TEST(a_draw_that_reads_the_world_is_reported_in_every_frame_on_any_number_of_threads) {
    only_in_debug_builds();
    for (int threads = 1; threads <= 8; threads *= 2)
        for (int no_overlap = 0; no_overlap < 2; no_overlap++) {
            Looker looker = { 0 };
            FiloCommonArgs args = drawn;
            args.threads = threads;
            args.stats = true; // so that every frame is drawn
            FiloApp *app = start(&(FiloAppDesc){ .define = place_looker,
                                                 .frame = look_in_frame,
                                                 .extract = look_in_frame,
                                                 .draw = look_in_draw,
                                                 .user = &looker,
                                                 .no_overlap = no_overlap },
                                 &args);
            for (int i = 0; i < 20; i++) assert_true(filo_app_frame(app));
            assert_int_equal(looker.looks, 20);
            filo_app_destroy(app);
        }
}

FILO_TEST(a_draw_that_reads_the_world_is_reported_in_a_single_picture) {
    only_in_debug_builds();
    Looker looker = { 0 };
    FiloApp *app =
        start(&(FiloAppDesc){ .define = place_looker, .draw = look_in_draw, .user = &looker }, &drawn);
    for (int i = 0; i < 3; i++) assert_true(filo_app_frame(app));
    assert_int_equal(looker.looks, 0);
    assert_ok(filo_app_shot(app, filo_test_path("looker.png")));
    assert_true(looker.looks > 0);
    assert_non_null(filo_get(filo_app_world(app), looker.entity, Position)); // allowed again
    filo_app_destroy(app);
}

static FiloResult look_in_hook(FiloFrame *hook, void *user) {
    look(FILO_OBJECT(hook->modules, FiloWorld), user);
    return filo_ok();
}

FILO_TEST(hooks_beside_a_tick_that_read_the_world_are_reported) {
    only_in_debug_builds();
    Looker looker = { 0 };
    const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld) };
    const FiloRenderHook renders[] = { { .order = FILO_RENDER_DRAW, .render = look_in_hook },
                                       { .order = FILO_RENDER_UI, .direct = true, .render = look_in_hook } };
    const FiloModuleDesc module = {
        .name = "looker",
        .needs = needs,
        .need_count = FILO_COUNT_OF(needs),
        .frame = { .poll = look_in_hook, .present = look_in_hook, .end = look_in_hook },
        .renders = renders,
        .render_count = FILO_COUNT_OF(renders),
        .user = &looker
    };
    FiloCommonArgs args = drawn;
    args.stats = true;
    FiloApp *app = start(
        &(FiloAppDesc){ .define = place_looker, .modules = &module, .module_count = 1, .user = &looker },
        &args);
    for (int i = 1; i <= 3; i++) {
        assert_true(filo_app_frame(app));
        assert_int_equal(looker.looks, 5 * i);
    }
    filo_app_destroy(app);
}

// ---- Immediate drawing --------------------------------------------------------------------------------------

static void draw_line(FiloDraw *on) {
    filo_draw_line(on, filo_vec2(0, 0), filo_vec2(9, 9), 1, FILO_COLOR_WHITE);
}

static void draw_in_system(FiloIter *it) {
    expect_fault("draw on the main thread, and not in a system",
                 draw_line(FILO_OBJECT((FiloModules *)it->user, FiloDraw)));
}

static FiloResult define_drawing(FiloApp *app) {
    filo_system_add(
        filo_app_world(app),
        &(FiloSystemDesc){ .name = "draw", .run = draw_in_system, .user = filo_app_modules(app) });
    expect_fault("what is drawn here is not shown", draw_line(FILO_OBJECT(filo_app_modules(app), FiloDraw)));
    return filo_ok();
}

static void draw_in_frame(FiloApp *app) {
    FiloDraw *on = FILO_OBJECT(filo_app_modules(app), FiloDraw);
    expect_fault("what is drawn here is not shown", draw_line(on));
    expect_fault("what is drawn here is not shown", filo_draw_push(on));
    assert_true(filo_draw_text_size(on, "text").x > 0); // may be asked for at any time
    ++*(int *)filo_app_user(app);
}

static void draw_in_extract(FiloApp *app) { draw_line(FILO_OBJECT(filo_app_modules(app), FiloDraw)); }

static void draw_in_draw(FiloApp *app, FiloDraw *on) {
    (void)app;
    draw_line(on);
}

FILO_TEST(drawing_that_would_not_be_seen_is_reported) {
    only_in_debug_builds(); // a release build reports each once
    for (int threads = 1; threads <= 2; threads++) {
        FiloCommonArgs args = drawn;
        int frames = 0;
        args.threads = threads;
        args.stats = true;
        FiloApp *app = start(&(FiloAppDesc){ .define = define_drawing,
                                             .frame = draw_in_frame,
                                             .extract = draw_in_extract,
                                             .draw = draw_in_draw,
                                             .user = &frames },
                             &args);
        for (int i = 0; i < 5; i++) assert_true(filo_app_frame(app));
        assert_int_equal(frames, 5);
        filo_app_destroy(app);
    }
}
