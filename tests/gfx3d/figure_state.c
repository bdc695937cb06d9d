// Figures are a part of the world's state, the same on any number of threads.

#include "gfx3d/figure_fixture.h"
#include "support/malloc_count.h"

// A crowd of figures that start at different times, some of which fade.
static void crowd_add(Figures *figures, int count) {
    FiloEntity prefab = prefab_of(figures);
    for (int i = 0; i < count; i++) {
        FiloEntity robot =
            filo_instance(figures->world, prefab, FILO_SET(FiloTransform3, .position = { (float)i, 0, 0 }));
        FiloFigure *figure = filo_edit(figures->world, robot, FiloFigure);
        filo_figure_play(figure, filo_name(i % 3 == 0 ? "turn" : "raise"), 0);
        figure->time = (float)(i % 7) * 0.1f;
        figure->speed = i % 5 == 0 ? -1.5f : 0.5f + (float)(i % 4);
        figure->once = i % 11 == 0;
        if (i % 2 == 0) filo_figure_play(figure, filo_name("high"), 0.3f);
    }
}

static uint64_t crowd_hash(int threads, char *heard, size_t size) {
    Figures figures;
    figures_open(&figures, threads);
    crowd_add(&figures, 300);
    uint64_t hash = 0;
    FiloHasher text;
    filo_hasher_init(&text, 0);
    for (int i = 0; i < 20; i++) {
        figures_tick(&figures, 1.0f / 60);
        hash = hash * 31 + filo_world_hash(figures.world);
        filo_hasher_add(&text, figures.heard, strlen(figures.heard));
        figures.heard[0] = 0;
    }
    (void)snprintf(heard, size, "%llx", (unsigned long long)filo_hasher_finish(&text));
    figures_close(&figures);
    return hash;
}

FILO_TEST(worlds_are_equal_on_any_number_of_threads) {
    char expected[32], heard[32];
    uint64_t one = crowd_hash(1, expected, sizeof expected);
    static const int threads[] = { 2, 3, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        assert_true(crowd_hash(threads[i], heard, sizeof heard) == one);
        assert_string_equal(heard, expected); // events, in their order
    }
}

FILO_TEST(a_world_does_not_depend_on_whether_its_models_are_loaded) {
    uint64_t hashes[2];
    for (int loaded = 0; loaded < 2; loaded++) {
        Figures figures;
        figures_open(&figures, 2);
        if (loaded == 1)
            assert_ok(filo_assets_wait(figures.assets, filo_assets_load(figures.assets, "robot.glb")));
        crowd_add(&figures, 40);
        for (int i = 0; i < 20; i++) figures_tick(&figures, 1.0f / 60);
        hashes[loaded] = filo_world_hash(figures.world);
        figures_close(&figures);
    }
    assert_true(hashes[0] == hashes[1]);
}

FILO_TEST(a_world_that_is_rewound_continues_as_it_did) {
    Figures figures;
    figures_open(&figures, 2);
    crowd_add(&figures, 50);
    for (int i = 0; i < 10; i++) figures_tick(&figures, 1.0f / 60);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, figures.world));
    figures.heard[0] = 0;
    for (int i = 0; i < 10; i++) figures_tick(&figures, 1.0f / 60);
    uint64_t hash = filo_world_hash(figures.world);
    static char heard[sizeof figures.heard];
    memcpy(heard, figures.heard, sizeof heard);
    assert_ok(filo_snapshot_restore(snapshot, figures.world));
    figures.heard[0] = 0;
    for (int i = 0; i < 10; i++) figures_tick(&figures, 1.0f / 60);
    assert_true(filo_world_hash(figures.world) == hash);
    assert_string_equal(figures.heard, heard);
    filo_snapshot_destroy(snapshot);
    figures_close(&figures);
}

FILO_TEST(steady_ticks_of_figures_allocate_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Figures figures;
    figures_open(&figures, 1);
    filo_figure_add_event(figures.world, filo_name("robot.glb"), filo_name("turn"), 0.5f, filo_name("half"));
    crowd_add(&figures, 50);
    uint64_t before = 0;
    for (int i = 0; i < 200; i++) {
        if (i == 150) before = filo_test_malloc_calls();
        figures_tick(&figures, 1.0f / 60);
        figures.heard[0] = 0;
    }
    assert_int_equal(filo_test_malloc_calls() - before, 0);
    figures_close(&figures);
}
