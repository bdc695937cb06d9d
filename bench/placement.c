// Placement: squares of 100 to 4,000 metres by every implementation, beside the sequential form of the thesis and dart
// throwing. Times of a whole computation, into a result that is used again. A sample of ours repeats it for as long as one of
// the reference takes, so that each warms the caches for itself; placement.cold.1000 is one computation right after the
// reference has used them.

#include "placement.h"

#include <stdio.h>

static double in_us(int64_t start) { return (double)(filo_time_ns() - start) * 1e-3; }

static double sample_reference(void *state) {
    int64_t start = filo_time_ns();
    size_t count = placement_reference(state);
    double us = in_us(start);
    const PlacementSite *site = state;
    // Floats decide a few candidates otherwise.
    bench_expect(count + site->placed / 500 + 5 > site->placed &&
                     count < site->placed + site->placed / 500 + 5,
                 "the reference places the same objects");
    return us;
}

static double sample_darts(void *state) {
    int64_t start = filo_time_ns();
    size_t count = placement_darts(state);
    bench_expect(count > 0, "darts hit something");
    return in_us(start);
}

static double sample_once(void *state) {
    PlacementSite *site = state;
    int64_t start = filo_time_ns();
    FiloResult r = filo_placement_compute(site->placement, &site->request, &site->result);
    double us = in_us(start);
    bench_expect(r.code == FILO_OK && site->result.count == site->placed, "all ways place the same number");
    return us;
}

static double sample_ours(void *state) {
    PlacementSite *site = state;
    double sum = 0;
    int times = 0;
    do sum += sample_once(state), times++;
    while (sum < site->reference_us);
    return sum / times;
}

static double sample_per_candidate(void *state) {
    PlacementSite *site = state;
    return sample_ours(state) * 1e3 / (double)site->candidates;
}

// As many bytes as a computation has to touch: all maps once, the objects once.
static double sample_memcpy(void *state) {
    PlacementSite *site = state;
    static char from[4 << 20], to[4 << 20];
    size_t bytes = sizeof site->densities + sizeof site->heights + site->placed * sizeof(FiloPlaced);
    int64_t start = filo_time_ns();
    for (size_t done = 0; done < bytes;) {
        size_t size = FILO_MIN(bytes - done, sizeof to);
        memcpy(to, from, size);
        bench_clobber();
        done += size;
    }
    return (double)(filo_time_ns() - start) / (double)site->candidates;
}

static double sample_bake(void *state) {
    PlacementSite *site = state;
    int64_t start = filo_time_ns();
    bench_expect(filo_placement_bake(site->placement, 0, NULL).code == FILO_OK, "maps are combined");
    return in_us(start);
}

static double sample_copy_maps(void *state) {
    PlacementSite *site = state;
    static uint8_t to[sizeof site->densities];
    int64_t start = filo_time_ns();
    memcpy(to, site->densities, sizeof to);
    bench_use(&to[0]);
    bench_clobber();
    return in_us(start);
}

static void figure(PlacementSite *site, const char *kind, BenchSample ours, BenchSample reference,
                   const char *reference_name) {
    char name[64];
    snprintf(name, sizeof name, "placement.%s.%d", kind, (int)site->side);
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = "us",
                                  .ours = ours,
                                  .reference = reference,
                                  .reference_name = reference_name,
                                  .state = site,
                                  .rounds = site->side > 2000 || ours == sample_darts ? 7
                                            : site->side > 500                        ? 50
                                                                                      : 150 });
}

static void measure_side(double side, FiloJobs *jobs) {
    PlacementSite *site = placement_site_create(side);
    const char *reference = "array of structs, sorted";
    site->reference_us = sample_reference(site);
    site->request.path = FILO_PLACEMENT_BEST;
    figure(site, "reference", sample_reference, sample_ours, "ours (simd)");
    site->request.path = FILO_PLACEMENT_SCALAR;
    figure(site, "scalar", sample_ours, sample_reference, reference);
    site->request.path = FILO_PLACEMENT_SIMD;
    figure(site, "sse2", sample_ours, sample_reference, reference);
    site->request.path = FILO_PLACEMENT_BEST;
    figure(site, "simd", sample_ours, sample_reference, reference);
    bench_expect(filo_placement_bake(site->placement, 0, NULL).code == FILO_OK, "maps are combined");
    figure(site, "baked", sample_ours, sample_reference, reference);
    figure(site, "darts", sample_darts, sample_ours, "ours (baked)");
    site->request.jobs = jobs;
    figure(site, "parallel", sample_ours, sample_reference, reference);
    filo_placement_unbake(site->placement, 0);
    figure(site, "parallel_unbaked", sample_ours, sample_reference, reference);
    site->request.jobs = NULL;
    site->pgpu = placement_gl_create(site);
    if (site->pgpu != NULL) figure(site, "gl", placement_gl_sample, sample_reference, reference);
    filo_placement_gpu_destroy(site->pgpu);
    if (side == 1000) {
        figure(site, "cold", sample_once, sample_reference, reference);
        bench_compare(&(BenchFigure){ .name = "placement.candidate.1000",
                                      .unit = "ns/candidate",
                                      .ours = sample_per_candidate,
                                      .reference = sample_memcpy,
                                      .reference_name = "memcpy of the bytes touched",
                                      .state = site });
        bench_compare(&(BenchFigure){ .name = "placement.bake",
                                      .unit = "us",
                                      .ours = sample_bake,
                                      .reference = sample_copy_maps,
                                      .reference_name = "memcpy of the maps",
                                      .state = site });
        filo_placement_unbake(site->placement, 0);
    }
    placement_site_destroy(site);
}

FILO_BENCH(placement) {
    if (!bench_wanted("placement")) return;
    FiloJobs *jobs = NULL;
    bench_expect(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2 }).code == FILO_OK,
                 "jobs are created");
    static const double sides[] = { 100, 500, 1000, 4000 };
    for (size_t i = 0; i < FILO_COUNT_OF(sides); i++) measure_side(sides[i], jobs);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
