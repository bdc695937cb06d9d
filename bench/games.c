// Whole frames of the games: tick, extraction and drawing on the CPU, 1280 × 720, on all threads. The reference is the
// refresh rate of a screen.

#include "serve.h"

#include "boids/boids.h"
#include "survival/survival.h"

#include <stdio.h>

static FiloApp *app;
static Boids boids;

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "no memory for the benchmark"); }

static FiloResult load_survival(FiloApp *game) {
    return survival_art(filo_app_assets(game)) ? filo_ok() : no_memory();
}

static FiloResult create_survival(FiloApp *game) {
    FiloWorld *world = filo_app_world(game);
    return survival_define(world) && survival_create(world, SURVIVAL_ENEMIES) ? filo_ok() : no_memory();
}

static FiloResult create_boids(FiloApp *game) {
    if (!boids_art(filo_app_assets(game))) return no_memory();
    FiloResult r = boids_begin(&boids, filo_app_world(game), 50000, false);
    if (r.code != FILO_OK) return r;
    float height = 2 * filo_get_global(filo_app_world(game), Sky)->half.y;
    filo_create(filo_app_world(game), FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .height = height));
    return r;
}

static void end_boids(FiloApp *game) {
    (void)game;
    boids_end(&boids);
}

// Runs `ticks` first, until the world has all its entities.
static bool begin(const FiloAppDesc *desc, int ticks) {
    // Headless frames are drawn only with statistics.
    const FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_CPU, .stats = true };
    FiloResult r = filo_app_create(&app, desc, &args);
    if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
    for (int i = 0; r.code == FILO_OK && i < ticks; i++) filo_app_tick(app, 1.0 / 60);
    return r.code == FILO_OK;
}

static bool begin_survival(const char *name) {
    (void)name;
    return begin(&(FiloAppDesc){ .load = load_survival, .create = create_survival }, 1200);
}

static bool begin_boids(const char *name) {
    (void)name;
    return begin(&(FiloAppDesc){ .create = create_boids, .end = end_boids }, 60);
}

// Milliseconds per frame.
static double sample(void) {
    const int frames = 8;
    int64_t start = filo_time_ns();
    for (int i = 0; i < frames; i++) filo_app_frame(app);
    return (double)(filo_time_ns() - start) / 1e6 / frames;
}

static void end(void) { filo_app_destroy(app); }

BENCH_SERVICE(survival_frame, "survival.frame", begin_survival, sample, end)
BENCH_SERVICE(boids_frame, "boids.frame", begin_boids, sample, end)
