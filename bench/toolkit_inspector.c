// The debug view in full: what its panels cost in a frame of a game, on one core, with the list of the world and the window
// of an entity open. Built, laid out and drawn by the CPU; the reference is the limit.

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

// Milliseconds of the inspector in a frame of a paused game: its panels and their layout.
static double view(void *state) {
    (void)state;
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    FiloUi *ui = filo_app_ui(app);
    double ns;
    bench_time(ns, FRAMES, {
        filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 1280, .height = 720, .seconds = 1.0f / 60 });
        filo_inspector_show(inspector, ui);
        filo_ui_end_frame(ui);
    });
    return ns / 1e6;
}

static double limit(void *state) {
    (void)state;
    return 0.5;
}

FILO_BENCH(toolkit) {
    if (!bench_shows("toolkit.debug_view")) return;
    const FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_CPU, .threads = 1 };
    FiloResult r = filo_app_create(&app, &(FiloAppDesc){ .create = create, .end = end }, &args);
    bench_expect(r.code == FILO_OK, r.message);
    filo_app_show_overlay(app, true);
    FiloInspector *inspector = FILO_APP_OBJECT(app, FiloInspector);
    filo_inspector_show_tab(inspector, "World");
    filo_inspector_select(inspector, filo_entity_at(filo_app_world(app), 100));
    for (int i = 0; i < 30; i++) filo_app_frame(app);
    bench_compare(&(BenchFigure){ "toolkit.debug_view", "ms", view, limit, "limit", NULL, 0, false });
    filo_app_destroy(app);
}
