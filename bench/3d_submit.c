// Submission in 3D: 100,000 moving instances of 5 meshes, from the columns of the world to draw calls, with a driver that
// does nothing; beside a plain loop that computes 100,000 matrices from an array of transforms and writes them into a
// mapped buffer. One thread. Moving them is not measured; blending between two ticks is.

#include "bench.h"
#include "serve.h"

#include <stdio.h>

#define COUNT  100000
#define WIDTH  320
#define HEIGHT 200

static FiloJobs *jobs;
static FiloWorld *world;
static FiloWindow *window;
static FiloGpu *gpu;
static FiloGfx3d *gfx;
static FiloQuery *all;
static FiloGpuRing *ring;
static FiloTransform3 *plain;
static float blend = 0.5f;

static FiloTransform3 transform_at(uint32_t i, uint64_t tick) {
    FiloRandom random = filo_random_sequence(i);
    float x = filo_random_float(&random) * 200 - 100, y = filo_random_float(&random) * 100 - 50,
          z = -filo_random_float(&random) * 200 - 120;
    FiloVec3 axis = { .x = filo_random_float(&random), .z = 1 };
    axis.y = filo_random_float(&random);
    float t = (float)tick * 0.01f;
    return (FiloTransform3){ .position = { x + filo_sin(t + (float)i), y, z },
                             .rotation = filo_quat_from_axis_angle(axis, t + (float)i),
                             .scale = { 1, 1, 1 } };
}

static bool open_gpu(void) {
    FiloWindowDesc screen = { .width = WIDTH, .height = HEIGHT, .headless = true, .picture = FILO_WINDOW_GL };
    FiloResult r = filo_window_open(&window, &screen);
    if (r.code == FILO_OK) r = filo_gpu_create(&gpu, NULL);
    if (r.code != FILO_OK) fprintf(stderr, "%s\n", r.message);
    return r.code == FILO_OK;
}

// ---- Filo -------------------------------------------------------------------------------------------------

static const char *const names[5] = { "box", "sphere", "capsule", "cone", "torus" };

static void fill(FiloIter *it, void *user) {
    (void)user;
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    FiloMesh *mesh = filo_write(it, FiloMesh);
    for (size_t i = 0; i < it->count; i++) {
        transform[i] = transform_at((uint32_t)(it->first + i), 0);
        mesh[i].mesh = filo_name(names[(it->first + i) % 5]);
    }
}

static bool begin(int threads) {
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code != FILO_OK || !open_gpu()) return false;
    r = filo_gfx3d_create(&gfx, &(FiloGfx3dDesc){ .world = world, .gpu = gpu });
    if (r.code != FILO_OK) {
        fprintf(stderr, "%s\n", r.message);
        return false;
    }
    const FiloComponentValue with[] = { FILO_ADD(FiloTransform3), FILO_ADD(FiloMesh) };
    if (!filo_entity_create_block(
            world, &(FiloBlockDesc){ .count = COUNT, .values = with, .value_count = 2, .fill = fill }))
        return false;
    filo_create(world, FILO_SET(FiloCamera3, .field_of_view = 1.6f));
    all = filo_query(world, FILO_WRITE(FiloTransform3), FILO_WRITE(FiloPreviousTransform3),
                     FILO_WITH(FiloMesh));
    return all != NULL;
}

static bool begin_filo(const char *service) {
    (void)service;
    return begin(1);
}

static bool begin_unblended(const char *service) {
    (void)service;
    blend = 1;
    return begin(1);
}

static void move(void) {
    static uint64_t tick;
    tick++;
    FiloIter it = filo_query_iter(all);
    while (filo_iter_next(&it)) {
        FiloTransform3 *transform = filo_write(&it, FiloTransform3);
        FiloPreviousTransform3 *previous = filo_write(&it, FiloPreviousTransform3);
        for (size_t i = 0; i < it.count; i++) {
            FiloTransform3 *t = &transform[i];
            previous[i] = (FiloPreviousTransform3){
                .position = t->position, .rotation = t->rotation, .scale = t->scale, .valid = true
            };
            *t = transform_at((uint32_t)(it.first + i), tick);
        }
    }
}

static void submit(void) {
    filo_gfx3d_extract(gfx, &(FiloExtract3){ .width = WIDTH, .height = HEIGHT, .blend = blend });
    filo_gfx3d_render(gfx);
}

// Nanoseconds an instance.
static double sample_submit(void) {
    move();
    int64_t start = filo_time_ns();
    submit();
    double ns = (double)(filo_time_ns() - start) / COUNT;
    filo_gpu_end_frame(gpu);
    return ns;
}

static double sample_cull(void) {
    move();
    submit();
    filo_gpu_end_frame(gpu);
    return filo_gfx3d_stats(gfx).cull_ms * 1e6 / COUNT;
}

static double sample_draws(void) {
    sample_submit();
    return (double)filo_gfx3d_stats(gfx).draws;
}

static void end(void) {
    filo_query_release(all);
    filo_gfx3d_destroy(gfx);
    filo_gpu_destroy(gpu);
    filo_window_close(window);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

// ---- The plain loop ---------------------------------------------------------------------------------------

static bool begin_plain(const char *service) {
    (void)service;
    plain = bench_new_pages(COUNT * sizeof *plain);
    if (plain == NULL || !open_gpu()) return false;
    return filo_gpu_ring_create(
               &ring, gpu,
               &(FiloRingDesc){ .label = "matrices", .use = FILO_BUFFER_VERTICES, .size = COUNT * 64 })
               .code == FILO_OK;
}

static double sample_plain(void) {
    static uint64_t tick;
    tick++;
    for (uint32_t i = 0; i < COUNT; i++) plain[i] = transform_at(i, tick);
    int64_t start = filo_time_ns();
    FiloRingPiece piece;
    if (!filo_gpu_ring_take(gpu, ring, COUNT * sizeof(FiloMat4), &piece)) return 0;
    FiloMat4 *out = piece.memory;
    for (uint32_t i = 0; i < COUNT; i++) {
        FiloVec3 p = plain[i].position, s = plain[i].scale;
        FiloQuat q = plain[i].rotation;
        float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
        float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
        out[i] = (FiloMat4){ { (1 - 2 * (yy + zz)) * s.x, 2 * (xy + wz) * s.x, 2 * (xz - wy) * s.x, 0, //
                               2 * (xy - wz) * s.y, (1 - 2 * (xx + zz)) * s.y, 2 * (yz + wx) * s.y, 0, //
                               2 * (xz + wy) * s.z, 2 * (yz - wx) * s.z, (1 - 2 * (xx + yy)) * s.z, 0, //
                               p.x, p.y, p.z, 1 } };
    }
    filo_gpu_ring_done(gpu, ring, &piece);
    double ns = (double)(filo_time_ns() - start) / COUNT;
    filo_gpu_end_frame(gpu);
    return ns;
}

static void end_plain(void) {
    filo_gpu_ring_destroy(gpu, ring);
    filo_gpu_destroy(gpu);
    filo_window_close(window);
    bench_free_pages(plain, COUNT * sizeof *plain);
}

BENCH_SERVICE(filo3d_submit, "filo3d.submit", begin_filo, sample_submit, end)
BENCH_SERVICE(filo3d_unblended, "filo3d.unblended", begin_unblended, sample_submit, end)
BENCH_SERVICE(filo3d_cull, "filo3d.cull", begin_filo, sample_cull, end)
BENCH_SERVICE(filo3d_draws, "filo3d.draws", begin_filo, sample_draws, end)
BENCH_SERVICE(plain3d, "plain3d", begin_plain, sample_plain, end_plain)

// ---- Figures ----------------------------------------------------------------------------------------------

typedef struct Pair {
    BenchServer *ours, *reference;
} Pair;

static double sample_ours(void *state) { return bench_sample(((Pair *)state)->ours); }
static double sample_reference(void *state) {
    const Pair *pair = state;
    return pair->reference != NULL ? bench_sample(pair->reference) : 1;
}

static void compare(const char *name, const char *unit, const char *ours, const char *reference,
                    const char *reference_name) {
    static const char *const no_driver[] = { "SDL_VIDEODRIVER=offscreen", "GALLIUM_NOOP=1", NULL };
    if (!bench_shows(name)) return;
    Pair pair = { bench_serve(ours, no_driver),
                  reference != NULL ? bench_serve(reference, no_driver) : NULL };
    if (pair.ours != NULL && (reference == NULL || pair.reference != NULL))
        bench_compare(&(BenchFigure){ .name = name,
                                      .unit = unit,
                                      .ours = sample_ours,
                                      .reference = sample_reference,
                                      .reference_name = reference_name,
                                      .state = &pair,
                                      .rounds = 15 });
    bench_stop(pair.ours);
    bench_stop(pair.reference);
}

FILO_BENCH(3d) {
    compare("3d.submit", "ns", "filo3d.submit", "plain3d", "plain loop writing matrices");
    compare("3d.submit.unblended", "ns", "filo3d.unblended", "plain3d", "plain loop writing matrices");
    compare("3d.cull", "ns", "filo3d.cull", "plain3d", "plain loop writing matrices");
    compare("3d.draw_calls", "calls", "filo3d.draws", NULL, "one");
}
