// Drawing that overlaps the next tick: in debug builds, access to the world there is reported, and nothing else is.

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
    expect_fault(COPY, assert_null(filo_edit(filo_app_world(app), game->entity, Position)));
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
    expect_fault(COPY, assert_null(filo_get_global(filo_app_world(app), Total)));
}
static void create(Game *game, FiloApp *app) {
    (void)game;
    expect_fault("cannot create an entity while a tick is running on other threads",
                 filo_entity_create(filo_app_world(app)));
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
