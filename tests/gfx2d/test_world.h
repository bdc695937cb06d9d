// What the tests of sprites without a renderer share: a world with sprites, and sheets without files.

#ifndef FILO_TEST_GFX2D_TEST_WORLD_H
#define FILO_TEST_GFX2D_TEST_WORLD_H

#include <filo/gfx2d.h>

#include "support/test.h"

// ---- Sheets -----------------------------------------------------------------------------------------------
//
// Replaces the functions of the asset system that animations call: sheets are in a list by name.

typedef struct TestSheet {
    FiloName name;
    FiloSheet sheet;
} TestSheet;

struct FiloAssets {
    TestSheet sheets[8];
    uint32_t count;
};

__attribute__((unused)) static void add_sheet(FiloAssets *assets, const char *name, FiloSheet sheet) {
    assert_true(assets->count < FILO_COUNT_OF(assets->sheets));
    assets->sheets[assets->count++] = (TestSheet){ filo_name(name), sheet };
}

const FiloSheet *filo_assets_sheet_now(FiloAssets *assets, FiloName name) {
    static const FiloSheet none;
    for (uint32_t i = 0; i < assets->count; i++)
        if (assets->sheets[i].name.id == name.id) return &assets->sheets[i].sheet;
    return &none;
}

int filo_sheet_clip(const FiloSheet *sheet, FiloName name) {
    for (size_t i = 0; i < sheet->clip_count; i++)
        if (sheet->clips[i].name.id == name.id) return (int)i;
    return -1;
}

// ---- A world ----------------------------------------------------------------------------------------------

typedef struct TestWorld {
    FiloJobs *jobs; // NULL without threads
    FiloEvents *events;
    FiloWorld *world;
    FiloAssets assets;
} TestWorld;

// `threads` 0: without a scheduler, and so without events. It must not be moved.
__attribute__((unused)) static void test_world_open(TestWorld *test, int threads) {
    *test = (TestWorld){ 0 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(&test->jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&test->events, &(FiloEventsDesc){ .jobs = test->jobs }));
    }
    assert_ok(filo_world_create(&test->world,
                                &(FiloWorldDesc){ .jobs = test->jobs, .events = test->events, .seed = 5 }));
    assert_true(filo_gfx2d_register(test->world, &test->assets));
}

__attribute__((unused)) static void test_world_close(TestWorld *test) {
    filo_world_destroy(test->world);
    if (test->jobs == NULL) return;
    filo_events_destroy(test->events);
    filo_jobs_destroy(test->jobs, FILO_JOBS_FINISH);
}

__attribute__((unused)) static void tick(TestWorld *test, float delta) {
    assert_ok(filo_world_tick(test->world, delta));
}

#define assert_near(a, b) assert_float_equal((double)(a), (double)(b), 1e-4)

__attribute__((unused)) static void assert_position(FiloVec2 position, float x, float y) {
    assert_near(position.x, x);
    assert_near(position.y, y);
}

// Rows in which a component counts as changed since the last iteration of `query`, which has one term, with `changed`.
__attribute__((unused)) static size_t rows_changed(FiloQuery *query) {
    size_t rows = 0;
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) rows += it.count;
    return rows;
}

#endif
