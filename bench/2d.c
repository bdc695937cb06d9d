// Benchmarks of drawing sprites, against a minimal GL program, SDL_Renderer and Allegro 5; and of the games.
//
// Each side is a separate process, and they take turns (serve.h). The scene is in sprites.h.

#include "bench.h"
#include "boids/boids.h"
#include "serve.h"
#include "survival/survival.h"

#include <stdlib.h>

// ---- Drawing --------------------------------------------------------------------------------------------

typedef struct Pair {
    BenchServer *ours, *reference;
} Pair;

static double sample_ours(void *state) { return bench_sample(((Pair *)state)->ours); }
static double sample_reference(void *state) { return bench_sample(((Pair *)state)->reference); }

static const char *const no_display[] = { "SDL_VIDEODRIVER=offscreen", NULL };
static const char *const no_driver[] = { "SDL_VIDEODRIVER=offscreen", "GALLIUM_NOOP=1", NULL };

static void compare(const char *name, const char *unit, const char *ours, const char *reference,
                    const char *reference_name, const char *const *environment) {
    if (!bench_shows(name)) return;
    Pair pair = { bench_serve(ours, environment), bench_serve(reference, environment) };
    if (pair.ours != NULL && pair.reference != NULL)
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = unit,
                                      .ours = sample_ours,
                                      .reference = sample_reference,
                                      .reference_name = reference_name,
                                      .state = &pair,
                                      .rounds = 7 });
    bench_stop(pair.ours);
    bench_stop(pair.reference);
}

static double one_call(void *state) {
    (void)state;
    return 1;
}

static void draw_calls(void) {
    if (!bench_shows("2d.draw_calls")) return;
    Pair pair = { bench_serve("filo.draws.100000.64", no_driver), NULL };
    if (pair.ours != NULL)
        bench_compare(&(BenchFigure){ .name = "2d.draw_calls",
                                      .unit = "calls",
                                      .ours = sample_ours,
                                      .reference = one_call,
                                      .reference_name = "one",
                                      .state = &pair,
                                      .rounds = 3 });
    bench_stop(pair.ours);
}

static double sixtieth(void *state) {
    (void)state;
    return 1000.0 / 60;
}

static void whole_frames(const char *name, const char *service) {
    if (!bench_shows(name)) return;
    Pair pair = { bench_serve(service, no_display), NULL };
    if (pair.ours != NULL)
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = "ms",
                                      .ours = sample_ours,
                                      .reference = sixtieth,
                                      .reference_name = "a sixtieth of a second",
                                      .state = &pair,
                                      .rounds = 7 });
    bench_stop(pair.ours);
}

// ---- Games ----------------------------------------------------------------------------------------------

static FiloJobs *jobs;
static FiloWorld *world;

static void world_begin(void) {
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }).code != FILO_OK ||
        filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }).code != FILO_OK ||
        !filo_gfx2d_register(world, NULL))
        filo_panic("no world for the benchmark");
}

static void world_end(void) {
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static double tick(void *state) {
    (void)state;
    double ns;
    bench_time(ns, 4, filo_world_tick(world, 1.0f / 60));
    return ns / 1e6;
}

// The same loop over plain arrays: a lower bound for a tick of the game.
typedef struct Plain {
    FiloVec2 *position, *previous, *offset;
    float *speed;
} Plain;

static double walk(void *state) {
    const Plain *plain = state;
    const FiloVec2 player = { 3, 4 };
    int64_t start = filo_time_ns();
    size_t near = 0;
    for (size_t i = 0; i < SURVIVAL_ENEMIES; i++) {
        plain->previous[i] = plain->position[i];
        float x = player.x + plain->offset[i].x - plain->position[i].x;
        float y = player.y + plain->offset[i].y - plain->position[i].y;
        float square = x * x + y * y, step = plain->speed[i] / 60;
        float part = square > step * step ? step / filo_sqrt(square) : 1;
        plain->position[i].x += x * part;
        plain->position[i].y += y * part;
        near += square < 22 * 22;
    }
    bench_use(near);
    return (double)(filo_time_ns() - start) / 1e6;
}

static void survival(void) {
    if (!bench_shows("2d.survival.tick")) return;
    world_begin();
    if (!survival_define(world) || !survival_create(world, SURVIVAL_ENEMIES))
        filo_panic("no game for the benchmark");
    filo_edit_global(world, Game)->health = 100;
    Plain plain = { calloc(SURVIVAL_ENEMIES, sizeof(FiloVec2)), calloc(SURVIVAL_ENEMIES, sizeof(FiloVec2)),
                    calloc(SURVIVAL_ENEMIES, sizeof(FiloVec2)), calloc(SURVIVAL_ENEMIES, sizeof(float)) };
    for (size_t i = 0; i < SURVIVAL_ENEMIES; i++) {
        FiloRandom random = filo_random_keyed(1, 0, 0, i);
        plain.position[i].x = filo_random_float_range(&random, -4000, 4000);
        plain.position[i].y = filo_random_float_range(&random, -4000, 4000);
        plain.speed[i] = filo_random_float_range(&random, 26, 74);
    }
    bench_compare(&(BenchFigure){ .name = "2d.survival.tick",
                                  .unit = "ms",
                                  .ours = tick,
                                  .reference = walk,
                                  .reference_name = "a walk over plain arrays",
                                  .state = &plain });
    free(plain.position), free(plain.previous), free(plain.offset), free(plain.speed);
    world_end();
}

// All pairs of boids, by a plain loop.
static double pairs(void *state) {
    const FiloSpatialItems *items = state;
    int64_t start = filo_time_ns();
    float sum = 0;
    for (size_t i = 0; i < items->count; i++)
        for (size_t k = 0; k < items->count; k++) {
            float x = items->x[k] - items->x[i], y = items->y[k] - items->y[i];
            if (x * x + y * y < BOIDS_SIGHT * BOIDS_SIGHT)
                sum += x + y + items->values[0][k] + items->values[1][k];
        }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / 1e6;
}

// The neighbours of every boid, found by the index, by a plain loop.
static double around(void *state) {
    const Boids *boids = state;
    const FiloSpatialItems *items = filo_spatial_items(boids->index);
    int64_t start = filo_time_ns();
    float sum = 0;
    for (size_t i = 0; i < items->count; i++) {
        FiloSpatialSearch search = filo_spatial_circle(boids->index, filo_vec2(items->x[i], items->y[i]),
                                                       BOIDS_SIGHT, FILO_ENTITY_NONE);
        while (filo_spatial_next(&search))
            sum += search.hit.distance_squared + items->values[0][search.hit.item] +
                   items->values[1][search.hit.item];
    }
    bench_use(sum);
    return (double)(filo_time_ns() - start) / 1e6;
}

static void boids(const char *name, size_t count, bool all_pairs) {
    if (!bench_shows(name)) return;
    world_begin();
    Boids flock;
    FiloResult r = boids_begin(&flock, world, count, all_pairs);
    if (r.code != FILO_OK) filo_panic("%s", r.message);
    for (int i = 0; i < 60; i++) tick(NULL); // until they have formed flocks
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ms",
                                  .ours = tick,
                                  .reference = all_pairs ? pairs : around,
                                  .reference_name = all_pairs ? "a plain loop over all pairs"
                                                              : "a plain loop over those around",
                                  .state = all_pairs ? (void *)filo_spatial_items(flock.index) : &flock });
    boids_end(&flock);
    world_end();
}

// ---- All figures ------------------------------------------------------------------------------------------

FILO_BENCH(2d) {
    compare("2d.submit.atlas", "ns", "filo.submit.100000.1", "sdl.submit.100000.1", "SDL_Renderer",
            no_driver);
    compare("2d.submit.mixed", "ns", "filo.submit.100000.4", "filo.submit.100000.1", "2d.submit.atlas",
            no_driver);
    compare("2d.submit.sdl", "ns", "filo.submit.100000.4", "sdl.submit.100000.4", "SDL_Renderer, 4 images",
            no_driver);
    compare("2d.submit.allegro", "ns", "filo.submit.100000.4", "allegro.submit.100000.4",
            "Allegro 5, 4 images", no_driver);
    draw_calls();
    compare("2d.frame.gl", "ms", "filo.gl.100000.1", "gl.frame.100000.1", "plain GL loop", no_display);
    compare("2d.frame.gl.mixed", "ms", "filo.gl.100000.4", "gl.frame.100000.4", "plain GL loop", no_display);
    compare("2d.frame.cpu", "ms", "filo.cpu.100000.4", "sdl.software.100000.4", "SDL's software driver",
            no_display);
    compare("2d.frame.cpu_2", "ms", "filo.cpu2.100000.4", "filo.cpu.100000.4", "one thread", no_display);
    compare("2d.bunny.1k", "ms", "filo.cpu.1000.4", "sdl.frame.1000.4", "SDL_Renderer", no_display);
    compare("2d.bunny.10k", "ms", "filo.cpu.10000.4", "sdl.frame.10000.4", "SDL_Renderer", no_display);
    compare("2d.bunny.100k", "ms", "filo.cpu.100000.4", "sdl.frame.100000.4", "SDL_Renderer", no_display);
    compare("2d.bunny.allegro.10k", "ms", "filo.cpu.10000.4", "allegro.frame.10000.4", "Allegro 5",
            no_display);
    compare("2d.bunny.allegro.100k", "ms", "filo.cpu.100000.4", "allegro.frame.100000.4", "Allegro 5",
            no_display);
    compare("2d.bunny.gl.10k", "ms", "filo.gl.10000.4", "sdl.frame.10000.4", "SDL_Renderer", no_display);
    whole_frames("2d.sprites.10k", "filo.game.10000.4");
    whole_frames("2d.survival.frame", "survival.frame");
    whole_frames("2d.boids.frame", "boids.frame");
    survival();
    boids("2d.boids.2500", 2500, true);
    boids("2d.boids.50k", 50000, false);
}
