// The scene drawn by Filo, from a world: GL with a driver that does nothing (submission alone), GL, CPU.
//
// As with the other libraries, moving the sprites is not measured. The measurement begins with the columns of the
// world: culling, sorting, blending between two ticks, and everything after that.

#include "serve.h"
#include "sprites.h"

#include <filo/filo.h>

#include <stdio.h>
#include <string.h>

static Scene scene;
static FiloJobs *jobs;
static FiloWorld *world;
static FiloAssets *assets;
static FiloWindow *window;
static FiloGpu *gpu;
static FiloGfx2d *gfx;
static FiloQuery *all;

static void fill(FiloIter *it, void *user) {
    (void)user;
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        const SceneSprite *s = &scene.sprites[it->first + i];
        transform[i].position = filo_vec2(s->x, -s->y);
        char name[32];
        snprintf(name, sizeof name, "image %d", (int)((it->first + i) % (size_t)scene.images));
        FiloSprite *out = &sprite[i];
        out->image = filo_name(name);
        out->color = filo_color_from_bytes(s->r, s->g, s->b, s->a);
    }
}

static bool add_images(void) {
    for (int i = 0; i < scene.images; i++) {
        uint8_t rgba[SCENE_SIZE * SCENE_SIZE * 4];
        scene_image(rgba, i);
        FiloPixels pixels;
        if (!filo_pixels_create(&pixels, SCENE_SIZE, SCENE_SIZE, NULL)) return false;
        for (int p = 0; p < SCENE_SIZE * SCENE_SIZE; p++)
            pixels.data[p] =
                filo_color_from_bytes(rgba[4 * p], rgba[4 * p + 1], rgba[4 * p + 2], rgba[4 * p + 3]);
        char name[32];
        snprintf(name, sizeof name, "image %d", i);
        bool added = filo_assets_add_pixels(assets, name, &pixels).id != 0;
        filo_pixels_free(&pixels, NULL);
        if (!added) return false;
    }
    return true;
}

static bool begin_with(const char *service, bool with_gpu, int threads) {
    scene_begin(&scene, service);
    FiloWindowDesc screen = { .width = SCENE_WIDTH,
                              .height = SCENE_HEIGHT,
                              .headless = true,
                              .picture = with_gpu ? FILO_WINDOW_GL : FILO_WINDOW_CPU };
    FiloResult r = filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads });
    if (r.code == FILO_OK) r = filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs });
    if (r.code == FILO_OK)
        r = filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = "/tmp" });
    if (r.code == FILO_OK) r = filo_window_open(&window, &screen);
    if (r.code == FILO_OK && with_gpu) r = filo_gpu_create(&gpu, NULL);
    if (r.code == FILO_OK)
        r = filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ .world = world, .assets = assets, .gpu = gpu });
    if (r.code != FILO_OK) {
        fprintf(stderr, "%s\n", r.message);
        return false;
    }
    if (!add_images()) return false;
    filo_assets_wait_all(assets);
    const FiloComponentValue with[] = { FILO_ADD(FiloTransform2),
                                        FILO_SET(FiloSprite, .pivot = { -0.5f, 0.5f }) };
    FiloBlockDesc block = {
        .count = scene.count, .values = with, .value_count = FILO_COUNT_OF(with), .fill = fill
    };
    if (!filo_entity_create_block(world, &block)) return false;
    filo_create(world, FILO_SET(FiloTransform2, .position = { SCENE_WIDTH / 2, -SCENE_HEIGHT / 2 }),
                FILO_SET(FiloCamera, .height = SCENE_HEIGHT, .background = { 20, 24, 32, 255 }));
    all = filo_query(world, FILO_WRITE(FiloTransform2), FILO_WRITE(FiloPreviousTransform2),
                     FILO_WITH(FiloSprite));
    return all != NULL;
}

static bool begin_gl(const char *service) { return begin_with(service, true, 1); }
static bool begin_cpu_1(const char *service) { return begin_with(service, false, 1); }
static bool begin_cpu_2(const char *service) { return begin_with(service, false, 2); }

static void move(void) {
    scene_move(&scene);
    FiloIter it = filo_query_iter(all);
    while (filo_iter_next(&it)) {
        FiloTransform2 *transform = filo_write(&it, FiloTransform2);
        FiloPreviousTransform2 *previous = filo_write(&it, FiloPreviousTransform2);
        for (size_t i = 0; i < it.count; i++) {
            FiloTransform2 *t = &transform[i];
            FiloPreviousTransform2 *p = &previous[i];
            *p = (FiloPreviousTransform2){ .position = t->position, .scale = t->scale, .valid = true };
            t->position = filo_vec2(scene.sprites[it.first + i].x, -scene.sprites[it.first + i].y);
        }
    }
}

static void draw(void) {
    filo_gfx2d_extract(gfx, &(FiloExtract){ .width = SCENE_WIDTH, .height = SCENE_HEIGHT, .blend = 1 });
    filo_gfx2d_render(gfx);
}

static void show(void) {
    if (gpu == NULL) return;
    filo_gpu_end_frame(gpu);
    filo_window_present(window);
}

// Nanoseconds a sprite.
static double sample_submit(void) {
    move();
    int64_t start = filo_time_ns();
    draw();
    double ns = (double)(filo_time_ns() - start) / (double)scene.count;
    show();
    return ns;
}

// Milliseconds a frame, until the picture is complete.
static double sample_frame(void) {
    move();
    int64_t start = filo_time_ns();
    draw();
    if (gpu != NULL) {
        FiloColor pixel;
        FiloPixels one = { &pixel, 1, 1, 1 };
        filo_gpu_read(gpu, (FiloRenderTarget){ 0 }, 0, 0, &one);
    }
    double ms = (double)(filo_time_ns() - start) / 1e6;
    show();
    return ms;
}

// Milliseconds a frame with moving the sprites: a whole frame of a simple game.
static double sample_game(void) {
    int64_t start = filo_time_ns();
    move();
    draw();
    return (double)(filo_time_ns() - start) / 1e6;
}

static double sample_draws(void) {
    sample_submit();
    return (double)filo_gfx2d_stats(gfx).draws;
}

static void end(void) {
    filo_query_release(all);
    filo_gfx2d_destroy(gfx);
    filo_gpu_destroy(gpu);
    filo_window_close(window);
    filo_assets_destroy(assets);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    scene_end(&scene);
}

BENCH_SERVICE(filo_submit_1, "filo.submit.100000.1", begin_gl, sample_submit, end)
BENCH_SERVICE(filo_submit_4, "filo.submit.100000.4", begin_gl, sample_submit, end)
BENCH_SERVICE(filo_draws, "filo.draws.100000.64", begin_gl, sample_draws, end)
BENCH_SERVICE(filo_gl_1, "filo.gl.100000.1", begin_gl, sample_frame, end)
BENCH_SERVICE(filo_gl_4, "filo.gl.100000.4", begin_gl, sample_frame, end)
BENCH_SERVICE(filo_gl_1k, "filo.gl.1000.4", begin_gl, sample_frame, end)
BENCH_SERVICE(filo_gl_10k, "filo.gl.10000.4", begin_gl, sample_frame, end)
BENCH_SERVICE(filo_cpu_1, "filo.cpu.100000.4", begin_cpu_1, sample_frame, end)
BENCH_SERVICE(filo_cpu_2, "filo.cpu2.100000.4", begin_cpu_2, sample_frame, end)
BENCH_SERVICE(filo_game, "filo.game.10000.4", begin_cpu_2, sample_game, end)
BENCH_SERVICE(filo_cpu_1k, "filo.cpu.1000.4", begin_cpu_1, sample_frame, end)
BENCH_SERVICE(filo_cpu_10k, "filo.cpu.10000.4", begin_cpu_1, sample_frame, end)
