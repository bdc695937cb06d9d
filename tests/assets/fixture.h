// A scheduler and an asset system whose folder is that of the test.

#ifndef FILO_TEST_ASSETS_FIXTURE_H
#define FILO_TEST_ASSETS_FIXTURE_H

#include <filo/assets.h>
#include <filo/log.h>
#include <filo/sheet.h>

#include "support/asset_files.h"

typedef struct Fixture {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloAssets *assets;
} Fixture;

static inline Fixture open_fixture(int threads, bool watch) {
    Fixture f = { 0 };
    // Tests cause warnings on purpose.
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off"));
    assert_ok(filo_jobs_create(&f.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&f.events, &(FiloEventsDesc){ .jobs = f.jobs }));
    assert_ok(filo_assets_create(
        &f.assets, &(FiloAssetsDesc){
                       .jobs = f.jobs, .events = f.events, .folder = filo_test_folder(), .watch = watch }));
    return f;
}

static inline void close_fixture(Fixture *f) {
    filo_assets_destroy(f->assets);
    filo_events_destroy(f->events);
    filo_jobs_destroy(f->jobs, FILO_JOBS_FINISH);
}

static inline FiloColor first_pixel(const FiloAssets *assets, FiloAsset asset) {
    return *((const FiloImageAsset *)filo_asset_data(assets, asset))->pixels.data;
}

#define assert_color(actual, r_, g_, b_, a_)                                                                 \
    do {                                                                                                     \
        FiloColor color_ = (actual);                                                                         \
        assert_int_equal(color_.r, (r_));                                                                    \
        assert_int_equal(color_.g, (g_));                                                                    \
        assert_int_equal(color_.b, (b_));                                                                    \
        assert_int_equal(color_.a, (a_));                                                                    \
    } while (0)

#endif
