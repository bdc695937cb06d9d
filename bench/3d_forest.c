// The forest (examples/forest) while the camera flies through it at 60 m/s: frames at 320 × 180, drawn by whatever GL there is, and what
// placing adds to each of them on the main thread. A frame is a sample of each. The land has 7.6 km².

#include "bench.h"
#include "serve.h"

#include "forest/forest.h"

#include <stdio.h>
#include <stdlib.h>

#define FRAMES 1200

static Forest forest = { .at = { 0, 30, 0 }, .hour = 12, .side = 688, .stream = true };
static FiloApp *app;
static float angle;

static bool begin(const char *service) {
    (void)service;
    FiloAppDesc desc = forest_app(&forest);
    desc.window.width = 320, desc.window.height = 180;
    const FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_GL, .stats = true, .seed = 4 };
    FiloResult r = filo_app_create(&app, &desc, &args);
    if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
    for (int i = 0; i < 400 && r.code == FILO_OK; i++) { // until everything is there
        filo_app_frame(app);
        if (i > 10 && tiles_stats(forest.tiles).under_way == 0) break;
    }
    return r.code == FILO_OK;
}

// Around a circle of 700 m.
static double fly(void) {
    FiloWorld *world = filo_app_world(app);
    FiloTransform3 *camera = filo_edit(world, forest_camera(world), FiloTransform3);
    FiloFlight *flight = filo_edit(world, forest_camera(world), FiloFlight);
    angle += 60.0f / 60 / 700;
    camera->position = filo_vec3(700 * filo_cos(angle), camera->position.y, -700 * filo_sin(angle));
    camera->position.y = land_height(&forest.land, camera->position.x, camera->position.z) + 30;
    flight->yaw = angle;
    int64_t start = filo_time_ns();
    filo_app_frame(app);
    return (double)(filo_time_ns() - start) / 1e6;
}

// In turn: the time of a frame, and what placing took of it.
static double sample(void) {
    static bool flown;
    flown = !flown;
    return flown ? fly() : tiles_stats(forest.tiles).main_ms;
}

static void end(void) { filo_app_destroy(app); }

BENCH_SERVICE(forest_frame, "forest.frame", begin, sample, end)

// ---- Figures ------------------------------------------------------------------------------------------------------

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct Shown {
    double value, reference;
} Shown;
static double ours(void *state) { return ((Shown *)state)->value; }
static double reference(void *state) { return ((Shown *)state)->reference; }

static void show(const char *name, double value, double limit, const char *limit_name) {
    Shown shown = { value, limit };
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ms",
                                  .ours = ours,
                                  .reference = reference,
                                  .reference_name = limit_name,
                                  .state = &shown,
                                  .rounds = 1 });
}

// Both times of all frames, sorted. False if it is not possible here.
static bool collect(double frames[FRAMES], double placing[FRAMES]) {
    BenchServer *server = bench_serve("forest.frame", NULL);
    if (server == NULL) return false;
    for (int i = 0; i < FRAMES; i++) {
        frames[i] = bench_sample(server);
        placing[i] = bench_sample(server);
    }
    bench_stop(server);
    qsort(frames, FRAMES, sizeof frames[0], by_size);
    qsort(placing, FRAMES, sizeof placing[0], by_size);
    return true;
}

static double mean_of(const double samples[FRAMES]) {
    double sum = 0;
    for (int i = 0; i < FRAMES; i++) sum += samples[i];
    return sum / FRAMES;
}

static double deviation_of(const double samples[FRAMES]) {
    double mean = mean_of(samples), sum = 0;
    for (int i = 0; i < FRAMES; i++) sum += (samples[i] - mean) * (samples[i] - mean);
    return (double)filo_sqrt((float)(sum / FRAMES));
}

FILO_BENCH(3d_forest) {
    static double frames[FRAMES], placing[FRAMES];
    const char *screen = "a frame of a screen of 60 Hz";
    const double frame = 1000.0 / 60;
    bool shows_frames = bench_shows("3d.forest.frame"), shows_placing = bench_shows("3d.forest.placement");
    if ((!shows_frames && !shows_placing) || !collect(frames, placing)) return;
    if (shows_frames) {
        show("3d.forest.frame", mean_of(frames), frame, screen);
        show("3d.forest.frame.deviation", deviation_of(frames), frame, screen);
        show("3d.forest.frame.p90", frames[FRAMES * 90 / 100], frame, screen);
        show("3d.forest.frame.p99", frames[FRAMES * 99 / 100], frame, screen);
        show("3d.forest.frame.p99_9", frames[FRAMES * 999 / 1000], frame, screen);
    }
    if (shows_placing) {
        show("3d.forest.placement", placing[FRAMES * 99 / 100], 1, "1 ms; p99");
        show("3d.forest.placement.mean", mean_of(placing), 1, "1 ms");
    }
}
