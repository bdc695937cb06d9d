// The debug view in full: what it adds to a frame of a paused game, on one core, with the list of the world and the window of
// an entity open: panels, layout, and submitting what is drawn to a device that draws nothing. The reference is the limit.

#include "bench.h"

#include "boids/boids.h"

#define BOIDS_COUNT 2500
#define FRAMES      60

static FiloApp *app;
static Boids boids;

static FiloResult create(FiloApp *game) {
    if (!boids_art(filo_app_assets(game)))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the benchmark");
    FiloResult r = boids_begin(&boids, filo_app_world(game), BOIDS_COUNT, false);
    if (r.code != FILO_OK) return r;
    float height = 2 * filo_get_global(filo_app_world(game), Sky)->half.y;
    filo_create(filo_app_world(game), FILO_SET(FiloCamera, .height = height));
    return r;
}

static void end(FiloApp *game) {
    (void)game;
    boids_end(&boids);
}

// Milliseconds of a frame, on average.
static double frame_ms(bool shown) {
    double ns;
    filo_app_show_overlay(app, shown);
    for (int i = 0; i < 5; i++) filo_app_frame(app);
    bench_time(ns, FRAMES, bench_use(filo_app_frame(app)));
    return ns / 1e6;
}

static double view(void *state) {
    (void)state;
    const double with = frame_ms(true);
    bench_expect(filo_ui_stats(filo_app_ui(app)).widgets > 80, "the panels are shown");
    return with - frame_ms(false);
}

static double limit(void *state) {
    (void)state;
    return 0.5;
}

FILO_BENCH(toolkit) {
    if (!bench_shows("toolkit.debug_view")) return;
    const FiloCommonArgs args = {
        .headless = true, .backend = FILO_BACKEND_NULL, .threads = 1, .stats = true
    };
    FiloResult r = filo_app_create(&app, &(FiloAppDesc){ .create = create, .end = end }, &args);
    bench_expect(r.code == FILO_OK, r.message);
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    filo_inspector_show_tab(inspector, "World");
    filo_inspector_select(inspector, filo_entity_at(filo_app_world(app), 100));
    for (int i = 0; i < 30; i++) filo_app_frame(app);
    filo_app_pause(app, true);
    bench_compare(&(BenchFigure){ "toolkit.debug_view", "ms", view, limit, "limit", NULL, 0, false });
    filo_app_destroy(app);
}
