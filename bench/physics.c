// Benchmarks of rigid bodies: the same scenes in Filo, Chipmunk 7 and Box2D 2.4, each with its usual accuracy, and with the
// same length of a step. Sleeping is off, except where it is measured.

#include "physics.h"
#include "bench.h"
#include "physics_world.h"

#include "physics2d/physics2d.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELTA (1.0f / 60)
#define STEPS 4 // of one sample

// ---- Filo -------------------------------------------------------------------------------------------------

typedef struct Filo {
    FiloJobs *jobs;
    FiloWorld *world;
} Filo;

static void *filo_create_scene(const BenchScene *scene, int threads) {
    Filo *filo = calloc(1, sizeof *filo);
    if (filo == NULL ||
        filo_jobs_create(&filo->jobs, &(FiloJobsDesc){ .threads = threads }).code != FILO_OK ||
        filo_world_create(&filo->world, &(FiloWorldDesc){ .jobs = filo->jobs }).code != FILO_OK ||
        !filo_physics2_register(filo->world))
        filo_panic("no world for the benchmark");
    scene_fill_world(scene, filo->world);
    return filo;
}

static float filo_drift(void *state) {
    FiloWorld *world = ((Filo *)state)->world;
    const Physics2dWorld *phys = physics2d_world(world);
    double sum = 0;
    size_t count = 0;
    filo_array_each (&phys->saved.joints, joint) {
        if (!joint->used) continue;
        sum += (double)filo_vec2_distance(
            filo_transform2_to_world(world, joint->settings.a, joint->settings.anchor_a),
            filo_transform2_to_world(world, joint->settings.b, joint->settings.anchor_b));
        count++;
    }
    return count > 0 ? (float)(sum / (double)count) : 0;
}

static bool filo_ray(void *state, float x0, float y0, float x1, float y1, float *fraction) {
    FiloHit2 hit;
    bool found = filo_physics2_ray(((Filo *)state)->world, filo_vec2(x0, y0), filo_vec2(x1, y1), NULL, &hit);
    *fraction = hit.fraction;
    return found;
}

static void filo_destroy_scene(void *state) {
    Filo *filo = state;
    filo_world_destroy(filo->world);
    filo_jobs_destroy(filo->jobs, FILO_JOBS_FINISH);
    free(filo);
}

static void filo_step(void *state, float delta) { filo_world_tick(((Filo *)state)->world, delta); }

static float filo_overlap(void *state) {
    const Physics2dWorld *phys = physics2d_world(((Filo *)state)->world);
    double sum = 0;
    size_t points = 0;
    filo_array_each (&phys->saved.contacts, contact)
        for (uint32_t i = 0; i < contact->count; i++)
            if (contact->points[i].separation < 0) {
                sum -= (double)contact->points[i].separation;
                points++;
            }
    return points > 0 ? (float)(sum / (double)points) : 0;
}

const Engine engine_filo = { "Filo",     filo_create_scene, filo_destroy_scene, filo_step, filo_overlap,
                             filo_drift, filo_ray };

// ---- Comparing --------------------------------------------------------------------------------------------

typedef struct Race {
    const Engine *engines[3]; // ours first
    void *states[3];
    size_t count;
    double overlaps[3], drifts[3];
    size_t samples[3];
} Race;

static double sample(Race *race, size_t i) {
    double ns;
    bench_time(ns, STEPS, race->engines[i]->step(race->states[i], DELTA));
    race->overlaps[i] += (double)race->engines[i]->overlap(race->states[i]);
    race->drifts[i] += (double)race->engines[i]->drift(race->states[i]);
    race->samples[i]++;
    return ns / 1e6;
}

static double ours(void *state) { return sample(state, 0); }
// The better of the others.
static double reference(void *state) {
    Race *race = state;
    double best = sample(race, 1);
    for (size_t i = 2; i < race->count; i++) best = FILO_MIN(best, sample(race, i));
    return best;
}

static double our_overlap(void *state) {
    const Race *race = state;
    return race->overlaps[0] / (double)race->samples[0] * 1000;
}
static double reference_overlap(void *state) {
    const Race *race = state;
    double best = race->overlaps[1] / (double)race->samples[1];
    for (size_t i = 2; i < race->count; i++)
        best = FILO_MIN(best, race->overlaps[i] / (double)race->samples[i]);
    return best * 1000;
}

static double our_drift(void *state) {
    const Race *race = state;
    return race->drifts[0] / (double)race->samples[0] * 1000;
}
static double reference_drift(void *state) {
    const Race *race = state;
    double best = race->drifts[1] / (double)race->samples[1];
    for (size_t i = 2; i < race->count; i++)
        best = FILO_MIN(best, race->drifts[i] / (double)race->samples[i]);
    return best * 1000;
}

static Race race_begin(const BenchScene *scene, const Engine *first, const Engine *second) {
    Race race = { .engines = { &engine_filo, first, second }, .count = second != NULL ? 3 : 2 };
    for (size_t i = 0; i < race.count; i++) {
        race.states[i] = race.engines[i]->create(scene, 1);
        for (int k = 0; k < scene->warm_up; k++) race.engines[i]->step(race.states[i], DELTA);
    }
    return race;
}

static void race_end(Race *race) {
    for (size_t i = 0; i < race->count; i++) race->engines[i]->destroy(race->states[i]);
}

static void compare(const char *name, BenchScene scene, const Engine *first, const Engine *second) {
    char overlap[64];
    snprintf(overlap, sizeof overlap, "%s.overlap", name);
    if (bench_shows(name)) {
        Race race = race_begin(&scene, first, second);
        const char *others = second != NULL ? "the better of Chipmunk and Box2D 2.4" : first->name;
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = "ms",
                                      .ours = ours,
                                      .reference = reference,
                                      .reference_name = others,
                                      .state = &race });
        bench_compare(&(BenchFigure){ .name = overlap,
                                      .unit = "mm",
                                      .ours = our_overlap,
                                      .reference = reference_overlap,
                                      .reference_name = "mean depth where shapes overlap",
                                      .state = &race });
        snprintf(overlap, sizeof overlap, "%s.drift", name);
        if (scene.joint_count > 0)
            bench_compare(
                &(BenchFigure){ .name = overlap,
                                .unit = "mm",
                                .ours = our_drift,
                                .reference = reference_drift,
                                .reference_name = "mean distance of points that joints hold together",
                                .state = &race });
        race_end(&race);
    }
    scene_free(&scene);
}

// ---- Rays -------------------------------------------------------------------------------------------------

static bool one_ray(const Race *race, size_t i, uint32_t *number) {
    uint32_t k = (*number)++;
    float fraction;
    return race->engines[i]->ray(race->states[i], (float)(k * 37 % 150), 90, (float)(k * 61 % 150), 0,
                                 &fraction);
}

static double rays_of(const Race *race, size_t i) {
    double ns;
    int hits = 0;
    uint32_t k = 0;
    bench_time(ns, 1000, hits += one_ray(race, i, &k));
    bench_expect(hits > 900, "rays hit the heap");
    return ns;
}
static double our_rays(void *state) { return rays_of(state, 0); }
static double reference_rays(void *state) { return rays_of(state, 1); }

static void bench_rays(void) {
    if (!bench_shows("physics.rays")) return;
    BenchScene scene = scene_circles(10000);
    Race race = race_begin(&scene, &engine_box2d, NULL);
    bench_compare(&(BenchFigure){ .name = "physics.rays",
                                  .unit = "ns",
                                  .ours = our_rays,
                                  .reference = reference_rays,
                                  .reference_name = "Box2D 2.4",
                                  .state = &race });
    race_end(&race);
    scene_free(&scene);
}

// ---- Threads ----------------------------------------------------------------------------------------------

static double speed_up(void *state) {
    void **states = state;
    double alone, together;
    bench_time(alone, STEPS, filo_step(states[0], DELTA));
    bench_time(together, STEPS, filo_step(states[1], DELTA));
    return alone / together;
}
static double hardware(void *state) {
    (void)state;
    return bench_hardware_speed_up();
}

static void bench_threads(void) {
    if (!bench_shows("physics.efficiency_2")) return;
    BenchScene scene = scene_circles(10000);
    void *states[2] = { filo_create_scene(&scene, 1), filo_create_scene(&scene, 2) };
    for (int i = 0; i < scene.warm_up; i++)
        for (int k = 0; k < 2; k++) filo_step(states[k], DELTA);
    bench_compare(&(BenchFigure){ .name = "physics.efficiency_2",
                                  .unit = "times",
                                  .ours = speed_up,
                                  .reference = hardware,
                                  .reference_name = "speed-up of two threads of arithmetic",
                                  .state = states,
                                  .higher_is_better = true });
    for (int k = 0; k < 2; k++) filo_destroy_scene(states[k]);
    scene_free(&scene);
}

// ---- At rest ----------------------------------------------------------------------------------------------

static double resting(void *state) {
    double ns;
    bench_time(ns, 20, filo_step(state, DELTA));
    return ns / 1e6;
}
static double limit(void *state) {
    (void)state;
    return 0.05;
}

static void bench_sleeping(void) {
    if (!bench_shows("physics.sleeping")) return;
    BenchScene scene = scene_resting(100000);
    Filo *filo = filo_create_scene(&scene, 1);
    filo_edit_global(filo->world, FiloPhysics2)->no_sleep = false;
    for (int i = 0; i < scene.warm_up; i++) filo_step(filo, DELTA);
    bench_expect(filo_physics2_stats(filo->world).awake == 0, "all bodies are at rest");
    bench_compare(&(BenchFigure){ .name = "physics.sleeping",
                                  .unit = "ms",
                                  .ours = resting,
                                  .reference = limit,
                                  .reference_name = "limit",
                                  .state = filo });
    filo_destroy_scene(filo);
    scene_free(&scene);
}

// ---- Snapshots --------------------------------------------------------------------------------------------

typedef struct Keeping {
    Filo *filo;
    FiloSnapshot *snapshot;
    uint8_t *from, *to;
    size_t size;
} Keeping;

static double take(void *state) {
    const Keeping *keeping = state;
    int64_t start = filo_time_ns();
    bench_expect(filo_snapshot_take(keeping->snapshot, keeping->filo->world).code == FILO_OK,
                 "a snapshot is taken");
    return (double)(filo_time_ns() - start) / 1e6;
}
static double restore(void *state) {
    const Keeping *keeping = state;
    filo_step(keeping->filo, DELTA); // else there would be nothing to restore
    int64_t start = filo_time_ns();
    bench_expect(filo_snapshot_restore(keeping->snapshot, keeping->filo->world).code == FILO_OK,
                 "it is restored");
    return (double)(filo_time_ns() - start) / 1e6;
}
static double copy(void *state) {
    const Keeping *keeping = state;
    int64_t start = filo_time_ns();
    memcpy(keeping->to, keeping->from, keeping->size);
    bench_clobber();
    return (double)(filo_time_ns() - start) / 1e6;
}
static double bytes_of_body(void *state) {
    FiloPhysics2Stats stats = filo_physics2_stats(((const Keeping *)state)->filo->world);
    return (double)stats.memory / (double)stats.bodies;
}
static double bytes_of_snapshot(void *state) {
    const Keeping *keeping = state;
    return (double)keeping->size / (double)filo_physics2_stats(keeping->filo->world).bodies;
}

static void bench_snapshot(void) {
    if (!bench_shows("physics.snapshot.10k") && !bench_shows("physics.restore.10k") &&
        !bench_shows("physics.bytes"))
        return;
    BenchScene scene = scene_circles(10000);
    Keeping keeping = { .filo = filo_create_scene(&scene, 1), .snapshot = filo_snapshot_create(NULL) };
    for (int i = 0; i < scene.warm_up; i++) filo_step(keeping.filo, DELTA);
    take(&keeping);
    keeping.size = filo_snapshot_size(keeping.snapshot);
    keeping.from = calloc(keeping.size, 1);
    keeping.to = calloc(keeping.size, 1);
    bench_expect(keeping.from != NULL && keeping.to != NULL, "there is memory");
    static const char *const memory = "memcpy of as many bytes";
    bench_compare(&(BenchFigure){ "physics.snapshot.10k", "ms", take, copy, memory, &keeping, 0, false });
    bench_compare(&(BenchFigure){ "physics.restore.10k", "ms", restore, copy, memory, &keeping, 0, false });
    bench_compare(&(BenchFigure){ "physics.bytes", "bytes", bytes_of_body, bytes_of_snapshot,
                                  "of a snapshot, for each body", &keeping, 1, false });
    free(keeping.from);
    free(keeping.to);
    filo_snapshot_destroy(keeping.snapshot);
    filo_destroy_scene(keeping.filo);
    scene_free(&scene);
}

FILO_BENCH(physics) {
    if (!bench_wanted("physics")) return;
    compare("physics.circles.1k", scene_circles(1000), &engine_chipmunk, NULL);
    compare("physics.circles.5k", scene_circles(5000), &engine_chipmunk, NULL);
    compare("physics.circles.10k", scene_circles(10000), &engine_chipmunk, NULL);
    compare("physics.circles_box2d.10k", scene_circles(10000), &engine_box2d, NULL);
    compare("physics.pyramid", scene_pyramid(100), &engine_chipmunk, &engine_box2d);
    compare("physics.pyramids", scene_pyramids(10, 10, 10), &engine_chipmunk, &engine_box2d);
    compare("physics.tumbler", scene_tumbler(2000), &engine_chipmunk, &engine_box2d);
    compare("physics.spinner", scene_spinner(3000), &engine_chipmunk, &engine_box2d);
    compare("physics.joints", scene_joints(100), &engine_chipmunk, &engine_box2d);
    compare("physics.rain", scene_rain(20, 10), &engine_chipmunk, &engine_box2d);
    bench_rays();
    bench_threads();
    bench_sleeping();
    bench_snapshot();
}
