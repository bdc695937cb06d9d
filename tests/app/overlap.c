// Drawing beside the next tick: what reads the world there is reported in debug builds, and nothing else is.

#include "stage.h"

#include "base/atomic.h"

typedef struct Place {
    int32_t x, y;
} Place;
typedef struct Total {
    int32_t places;
} Total;
FILO_REFLECT(Place, FILO_FIELD(int32_t, x), FILO_FIELD(int32_t, y))
FILO_REFLECT(Total, FILO_FIELD(int32_t, places))

static const FiloCommonArgs drawn = { .headless = true, .backend = FILO_BACKEND_CPU, .threads = 2 };

// A game whose ticks last until `draw` has looked.
typedef struct Game {
    void (*look)(struct Game *game, FiloApp *app);
    FiloEntity entity;
    FiloQuery *query;
    BASE_ATOMIC(int) ticking, looked;
    int beside; // how often it was drawn beside a tick
    int extracts, frames;
} Game;

static void move(FiloIter *it) {
    Game *game = it->user;
    Place *place = filo_write(it, Place);
    for (size_t i = 0; i < it->count; i++) place[i].x++, place[i].y++;
    base_store_release(&game->ticking, 1); // release: pairs with the acquire in draw
    // Acquire: pairs with the release in draw, and in frame_of.
    while (base_load_acquire(&game->looked) == 0) filo_thread_yield();
}

static FiloResult define(FiloApp *app) {
    Game *game = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Place);
    filo_component(world, Total, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "move",
                                              .run = move,
                                              .user = game,
                                              .query.terms = { FILO_WRITE(Place) },
                                              .extra_access = { FILO_WRITE(Total) } });
    game->entity = filo_create(world, FILO_SET(Place, 1, 1));
    game->query = filo_query(world, FILO_READ(Place));
    return filo_ok();
}

static void frame(FiloApp *app) {
    Game *game = filo_app_user(app);
    game->frames += filo_get(filo_app_world(app), game->entity, Place) != NULL;
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
        game->look(game, app);
        game->beside++;
    }
    base_store_release(&game->looked, 1); // release: pairs with the acquire in move
}

// `no_overlap`: ticks run before drawing, and wait for nothing.
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
        base_store_release(&game->looked, no_overlap); // release: pairs with the acquire in move
        filo_app_poll(app);
        filo_app_tick(app, 1.0 / 60);
        filo_app_extract(app);
        filo_app_render(app);
        filo_app_present(app);
        app_wait_for_tick(app);
    }
    assert_int_equal(game->frames, 5);
    assert_int_equal(game->extracts, 5);
    assert_int_equal(game->beside > 0, !no_overlap);
    filo_query_release(game->query);
    filo_app_destroy(app);
}

#define COPY "copy what you draw in `extract`"

static void get(Game *game, FiloApp *app) {
    expect_fault(COPY, assert_null(filo_get(filo_app_world(app), game->entity, Place)));
}
static void edit(Game *game, FiloApp *app) {
    expect_fault(COPY, assert_null(filo_edit(filo_app_world(app), game->entity, Place)));
}
static void go_over(Game *game, FiloApp *app) {
    (void)app;
    filo_test_faults_begin();
    FiloIter it = filo_query_iter(game->query);
    assert_false(filo_iter_next(&it));
    filo_test_faults_end(COPY, __FILE__, __LINE__);
}
static void go_one_by_one(Game *game, FiloApp *app) {
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

FILO_TEST(a_draw_that_reads_the_world_beside_a_tick_is_reported) {
    only_in_debug_builds();
    void (*const looks[])(Game * game, FiloApp * app) = { get,           edit,       go_over,
                                                          go_one_by_one, get_global, create };
    for (size_t i = 0; i < FILO_COUNT_OF(looks); i++) play(&(Game){ .look = looks[i] }, false);
}

static void add_up(size_t begin, size_t end, void *sum) {
    base_add_relaxed((BASE_ATOMIC(size_t) *)sum, end - begin);
}

// Draws with the help of all threads, and main may come upon what belongs to the tick.
static void draw_by_jobs(Game *game, FiloApp *app) {
    (void)game;
    BASE_ATOMIC(size_t) sum = 0;
    filo_jobs_for(filo_app_jobs(app), 1000, add_up, &sum);
    assert_int_equal(base_load_relaxed(&sum), 1000);
}

FILO_TEST(a_draw_that_leaves_the_world_alone_is_not_reported) {
    Game beside = { .look = draw_by_jobs };
    play(&beside, false);
    Game after = { 0 };
    play(&after, true);
}
