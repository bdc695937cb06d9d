// Terrain: what a frame costs the processor, with a driver that does nothing, and how many triangles it has. A ground of 2049 × 2049
// heights, seen from above its middle, with three cascades of shadows, at 1280 × 720; the camera turns. The reference of
// the time is a screen of 60 Hz, that of the triangles is the whole ground at full detail.

#include "bench.h"
#include "serve.h"

#include <stdio.h>

#define SIDE 2049

static FiloJobs *jobs;
static FiloWorld *world;
static FiloWindow *window;
static FiloGpu *gpu;
static FiloGfx3d *gfx;
static FiloGround ground;
static FiloEntity camera;

static FiloResult make_ground(void) {
    size_t size = (size_t)SIDE * SIDE * sizeof(uint16_t);
    uint16_t *heights = bench_new_pages(size);
    if (heights == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for heights");
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float hills = filo_sin(0.013f * (float)x) * filo_cos(0.017f * (float)y) +
                          0.2f * filo_sin(0.11f * (float)x + 0.07f * (float)y);
            heights[(size_t)y * SIDE + (size_t)x] = (uint16_t)(32000 + 24000 * hills);
        }
    FiloResult r = filo_gfx3d_ground_create(&ground, gfx,
                                            &(FiloGroundDesc){ .heights = heights,
                                                               .columns = SIDE,
                                                               .rows = SIDE,
                                                               .spacing = 2,
                                                               .height = 300,
                                                               .position = { -SIDE, 0, -SIDE } });
    bench_free_pages(heights, size);
    return r;
}

static bool begin(const char *service) {
    (void)service;
    FiloWindowDesc screen = { .width = 1280, .height = 720, .headless = true, .picture = FILO_WINDOW_GL };
    FiloResult r = filo_jobs_create(&jobs, NULL);
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK) r = filo_window_open(&window, &screen);
    if (r.code == FILO_OK) r = filo_gpu_create(&gpu, NULL);
    if (r.code == FILO_OK) r = filo_gfx3d_create(&gfx, &(FiloGfx3dDesc){ .world = world, .gpu = gpu });
    if (r.code == FILO_OK) r = make_ground();
    if (r.code != FILO_OK) {
        fprintf(stderr, "%s\n", r.message);
        return false;
    }
    camera = filo_create(world, FILO_SET(FiloTransform3, .position = { 0, 260, 0 }),
                         FILO_SET(FiloCamera3, .far = 6000));
    filo_create(
        world,
        FILO_SET(FiloTransform3, .rotation = filo_quat_look(filo_vec3(1, -1, 0.5f), filo_vec3(0, 1, 0))),
        FILO_SET(FiloLight, .shadows = true, .shadow_distance = 200));
    return true;
}

static double sample(void) {
    static float angle;
    filo_edit(world, camera, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(0, 1, 0), angle += 0.1f);
    int64_t start = filo_time_ns();
    filo_gfx3d_extract(gfx, &(FiloExtract3){ .width = 1280, .height = 720, .blend = 1 });
    filo_gfx3d_render(gfx);
    double ms = (double)(filo_time_ns() - start) / 1e6;
    filo_gpu_end_frame(gpu);
    return ms;
}

static double sample_triangles(void) {
    (void)sample();
    return (double)filo_gfx3d_ground_stats(gfx, ground).triangles / 1000;
}

static void end(void) {
    filo_gfx3d_destroy(gfx);
    filo_gpu_destroy(gpu);
    filo_window_close(window);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

BENCH_SERVICE(filo3d_terrain, "filo3d.terrain", begin, sample, end)
BENCH_SERVICE(filo3d_terrain_triangles, "filo3d.terrain_triangles", begin, sample_triangles, end)

// ---- Figures ------------------------------------------------------------------------------------------------------

static double sample_ours(void *state) { return bench_sample(state); }
static double screen_60(void *state) {
    FILO_UNUSED(state);
    return 1000.0 / 60;
}
static double whole_ground(void *state) {
    FILO_UNUSED(state);
    return 2.0 * (SIDE - 1) * (SIDE - 1) / 1000;
}

static void measure(const char *name, const char *unit, const char *service, BenchSample reference,
                    const char *reference_name) {
    static const char *const no_driver[] = { "SDL_VIDEODRIVER=offscreen", "GALLIUM_NOOP=1", NULL };
    BenchServer *server = bench_shows(name) ? bench_serve(service, no_driver) : NULL;
    if (server == NULL) return;
    bench_compare(&(BenchFigure){ .name = name,
                                  .unit = unit,
                                  .ours = sample_ours,
                                  .reference = reference,
                                  .reference_name = reference_name,
                                  .state = server });
    bench_stop(server);
}

FILO_BENCH(3d_terrain) {
    measure("3d.terrain", "ms", "filo3d.terrain", screen_60, "a frame of a screen of 60 Hz");
    measure("3d.terrain.triangles", "1000", "filo3d.terrain_triangles", whole_ground, "the whole ground");
}
