// Placement by ecotopes, with several footprints, and beside a game that has frames to draw.

#include "placement.h"

#include <filo/ecotope.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Ecotopes -----------------------------------------------------------------------------------------------

// A layer whose density has about `nodes` operations: maps, curves, noise and products of them.
static void write_ecotope(char *text, size_t size, int nodes) {
    static const char *const leaves[] = { "\"a\"",
                                          "{\"curve\":[[20,0],[60,1],[150,1],[190,0]],\"of\":\"height\"}",
                                          "\"b\"",
                                          "{\"invert\":\"c\"}",
                                          "{\"noise\":60,\"octaves\":2}",
                                          "{\"threshold\":0.3,\"soft\":0.4,\"of\":\"d\"}" };
    size_t used = (size_t)snprintf(
        text, size,
        "{\"maps\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{}},\"footprints\":{\"f\":{\"metres\":%g}},"
        "\"ecotopes\":[{\"name\":\"e\",\"layers\":[{\"name\":\"l\",\"density\":",
        (double)PLACEMENT_CELL / 9.59375);
    // Each level has an operator, and a curve with numbers of its own, so that no two are alike.
    int levels = nodes / 5;
    for (int i = 0; i < levels; i++)
        used += (size_t)snprintf(
            text + used, size - used, "{\"%s\":[{\"curve\":[[0,%g],[1,%g]],\"of\":{\"max\":[%s,%s]}},",
            i % 2 == 0 ? "add" : "multiply", 0.01 * i, 0.4 + 0.007 * i, leaves[i % 6], leaves[(i + 2) % 6]);
    used += (size_t)snprintf(text + used, size - used, "\"a\"");
    for (int i = 0; i < levels; i++) used += (size_t)snprintf(text + used, size - used, "]}");
    snprintf(text + used, size - used, "}]}]}");
}

typedef struct EcotopeSite {
    PlacementSite *site; // by maps
    FiloPlacement *placement;
    FiloPlacementResult result;
} EcotopeSite;

static double sample_ecotope(void *state) {
    EcotopeSite *e = state;
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_compute(e->placement, &e->site->request, &e->result);
    double us = (double)(filo_time_ns() - start) * 1e-3;
    bench_expect(r.code == FILO_OK && e->result.count > 0, "an ecotope places objects");
    return us;
}

static double sample_maps(void *state) {
    EcotopeSite *e = state;
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_compute(e->site->placement, &e->site->request, &e->site->result);
    bench_expect(r.code == FILO_OK, "maps place objects");
    return (double)(filo_time_ns() - start) * 1e-3;
}

static void measure_ecotopes(PlacementSite *site) {
    static const int sizes[] = { 5, 20, 80 };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        char text[16384], name[64];
        write_ecotope(text, sizeof text, sizes[i]);
        FiloEcotope *ecotope = NULL;
        FiloResult r = filo_ecotope_parse(&ecotope, text, strlen(text), "bench", NULL);
        if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
        bench_expect(r.code == FILO_OK, "an ecotope is read");
        FiloNamedMap maps[PLACEMENT_LAYERS] = {
            { .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" }
        };
        for (int l = 0; l < PLACEMENT_LAYERS; l++)
            maps[l].map = site->desc.footprints[0].layers[l].density.map;
        FiloPlacementDesc desc = { .size = site->desc.size,
                                   .height = site->desc.height,
                                   .ecotope = ecotope,
                                   .maps = maps,
                                   .map_count = PLACEMENT_LAYERS };
        EcotopeSite e = { .site = site };
        r = filo_placement_create(&e.placement, &desc);
        if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
        bench_expect(r.code == FILO_OK, "a placement is created from an ecotope");
        snprintf(name, sizeof name, "placement.ecotope.%d", sizes[i]);
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = "us",
                                      .ours = sample_ecotope,
                                      .reference = sample_maps,
                                      .reference_name = "four maps, no ecotope",
                                      .state = &e });
        filo_placement_result_free(&e.result);
        filo_placement_destroy(e.placement);
        filo_ecotope_free(ecotope);
    }
}

// ---- Several footprints -------------------------------------------------------------------------------------

typedef struct Footprints {
    FiloPlacement *together, *alone[3];
    FiloPlacementResult result;
    FiloPlacementRequest request;
} Footprints;

static double sample_together(void *state) {
    Footprints *f = state;
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_compute(f->together, &f->request, &f->result);
    bench_expect(r.code == FILO_OK, "footprints are placed together");
    return (double)(filo_time_ns() - start) * 1e-3;
}

static double sample_alone(void *state) {
    Footprints *f = state;
    int64_t start = filo_time_ns();
    for (int i = 0; i < 3; i++) {
        FiloResult r = filo_placement_compute(f->alone[i], &f->request, &f->result);
        bench_expect(r.code == FILO_OK, "a footprint is placed alone");
    }
    return (double)(filo_time_ns() - start) * 1e-3;
}

static void measure_footprints(PlacementSite *site) {
    static const float sizes[] = { 5, 2.5f, 1.25f };
    Footprints f = { .request = { .area = { 0, 0, 500, 500 } } };
    FiloPlacementDesc *desc = malloc(sizeof *desc);
    bench_expect(desc != NULL, "there is memory");
    if (desc == NULL) return;
    *desc = site->desc;
    for (int i = 0; i < 3; i++) {
        desc->footprints[i] = site->desc.footprints[0];
        desc->footprints[i].footprint = sizes[i];
    }
    bench_expect(filo_placement_create(&f.together, desc).code == FILO_OK, "footprints together are created");
    for (int i = 0; i < 3; i++) {
        *desc = site->desc;
        desc->footprints[0].footprint = sizes[i];
        bench_expect(filo_placement_create(&f.alone[i], desc).code == FILO_OK,
                     "a footprint alone is created");
    }
    bench_compare(&(BenchFigure){ .name = "placement.footprints",
                                  .unit = "us",
                                  .ours = sample_together,
                                  .reference = sample_alone,
                                  .reference_name = "each footprint alone",
                                  .state = &f });
    filo_placement_destroy(f.together);
    for (int i = 0; i < 3; i++) filo_placement_destroy(f.alone[i]);
    filo_placement_result_free(&f.result);
    free(desc);
}

// ---- Frames -------------------------------------------------------------------------------------------------

#define FRAMES 1200
#define EVERY  6 // frames from one computation to the next

typedef struct Frames {
    FiloJobs *jobs;
    PlacementSite *site;
    double ms[2][FRAMES]; // without and with placing
    double value[2];
} Frames;

// What a frame does besides: some work on all workers.
static void frame_work(size_t begin, size_t end, void *user) {
    float *sink = user, sum = 0;
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < 40; k++) sum += filo_sin((float)i * 0.001f + (float)k);
    if (sum == 12345.0f) *sink = sum;
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

// Frames of about a millisecond. With `places`, a viewer moves, and the square kilometre around it is computed again every
// few frames, in the background.
static void run_frames(Frames *f, bool places) {
    FiloPlacementFuture future = { 0 };
    FiloPlacementResult result = { 0 };
    float sink = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        int64_t start = filo_time_ns();
        if (future.id != 0 && filo_placement_ready(f->site->placement, future)) {
            bench_expect(filo_placement_take(f->site->placement, future, &result).code == FILO_OK,
                         "a result is taken");
            future = (FiloPlacementFuture){ 0 };
        }
        if (places && future.id == 0 && frame % EVERY == 0) {
            FiloPlacementRequest request = f->site->request;
            request.area.x0 += frame, request.area.x1 += frame;
            request.jobs = f->jobs;
            bench_expect(filo_placement_start(&future, f->site->placement, &request).code == FILO_OK,
                         "placing starts");
        }
        filo_jobs_for(f->jobs, 4000, frame_work, &sink);
        f->ms[places][frame] = (double)(filo_time_ns() - start) * 1e-6;
    }
    filo_placement_cancel(f->site->placement, future);
    filo_placement_result_free(&result);
    qsort(f->ms[places], FRAMES, sizeof(double), by_value);
}

static double mean_of(const double *ms) {
    double sum = 0;
    for (int i = 0; i < FRAMES; i++) sum += ms[i];
    return sum / FRAMES;
}

static double deviation_of(const double *ms) {
    double mean = mean_of(ms), sum = 0;
    for (int i = 0; i < FRAMES; i++) sum += (ms[i] - mean) * (ms[i] - mean);
    return (double)filo_sqrt((float)(sum / FRAMES));
}

static double with_placing(void *state) { return ((Frames *)state)->value[1]; }
static double without_placing(void *state) { return ((Frames *)state)->value[0]; }

static void show_frames(Frames *f, const char *what, double without, double with) {
    char name[64];
    snprintf(name, sizeof name, "placement.frame.%s", what);
    f->value[0] = without, f->value[1] = with;
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "ms",
                                  .ours = with_placing,
                                  .reference = without_placing,
                                  .reference_name = "frames without placing",
                                  .state = f,
                                  .rounds = 1 });
}

static void measure_frames(PlacementSite *site) {
    if (!bench_wanted("placement.frame")) return;
    Frames *f = calloc(1, sizeof *f);
    bench_expect(f != NULL, "there is memory");
    if (f == NULL) return;
    f->site = site;
    bench_expect(filo_jobs_create(&f->jobs, &(FiloJobsDesc){ .threads = 2 }).code == FILO_OK,
                 "jobs are created");
    run_frames(f, false), run_frames(f, true); // the first of each warms up
    run_frames(f, false), run_frames(f, true);
    const double *without = f->ms[0], *with = f->ms[1];
    show_frames(f, "mean", mean_of(without), mean_of(with));
    show_frames(f, "deviation", deviation_of(without), deviation_of(with));
    static const struct {
        const char *name;
        int permille;
    } ranks[] = { { "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p99.9", 999 } };
    for (size_t i = 0; i < FILO_COUNT_OF(ranks); i++) {
        size_t at = (size_t)FRAMES * (size_t)ranks[i].permille / 1000;
        show_frames(f, ranks[i].name, without[at], with[at]);
    }
    filo_jobs_destroy(f->jobs, FILO_JOBS_FINISH);
    free(f);
}

FILO_BENCH(placement_more) {
    if (!bench_wanted("placement")) return;
    PlacementSite *site = placement_site_create(1000);
    measure_ecotopes(site);
    measure_footprints(site);
    measure_frames(site);
    placement_site_destroy(site);
}
