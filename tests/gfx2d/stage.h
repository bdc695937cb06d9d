// What the tests of the renderer share: a world with a renderer, images to show, and comparing pictures.

#ifndef FILO_TEST_GFX2D_STAGE_H
#define FILO_TEST_GFX2D_STAGE_H

#include "support/gl_context.h"
#include "support/test.h"

#include <filo/gfx2d.h>
#include <filo/image.h>
#include <filo/jobs.h>
#include <filo/random.h>

#include <stdlib.h>

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT

typedef struct Stage {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloGfx2d *gfx;
} Stage;

typedef enum Way { ON_CPU, ON_GL45, ON_GL33, ON_NULL } Way;

static inline FiloGpu *stage_device(Way way) {
    FiloGpu *gpu = NULL;
    if (way == ON_GL45) filo_test_gl_context(4, 5);
    if (way == ON_GL33) filo_test_gl_context(3, 3);
    FiloGpuKind kind = way == ON_GL45 ? FILO_GPU_GL45 : way == ON_GL33 ? FILO_GPU_GL33 : FILO_GPU_NULL;
    if (way != ON_CPU) assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    return gpu;
}

static inline Stage stage_begin(Way way, int threads) {
    Stage stage = { .gpu = stage_device(way) };
    assert_ok(filo_jobs_create(&stage.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&stage.world, &(FiloWorldDesc){ .jobs = stage.jobs }));
    assert_ok(filo_gfx2d_create(&stage.gfx, &(FiloGfx2dDesc){ .world = stage.world, .gpu = stage.gpu }));
    return stage;
}

static inline void stage_end(Stage *stage) {
    filo_gfx2d_destroy(stage->gfx);
    filo_gpu_destroy(stage->gpu);
    filo_world_destroy(stage->world);
    filo_jobs_destroy(stage->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

static inline void extract_blended(Stage *stage, float blend) {
    filo_gfx2d_extract(stage->gfx, &(FiloExtract){ .width = WIDTH, .height = HEIGHT, .blend = blend });
}
static inline void extract(Stage *stage) { extract_blended(stage, 1); }

static inline void render(Stage *stage) {
    filo_gfx2d_render(stage->gfx);
    if (stage->gpu != NULL) filo_gpu_end_frame(stage->gpu);
}

// Extracts and draws; the picture is good until the next one.
static inline FiloPixels shoot(Stage *stage) {
    extract(stage);
    filo_gfx2d_render(stage->gfx);
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(stage->gfx, &pixels));
    if (stage->gpu != NULL) filo_gpu_end_frame(stage->gpu);
    return pixels;
}

static inline FiloGfx2dStats stats(const Stage *stage) { return filo_gfx2d_stats(stage->gfx); }

// ---- Memory ---------------------------------------------------------------------------------------------

// An allocator that fails after so many allocations, and knows whether everything was freed.
typedef struct Failing {
    FiloAllocator allocator;
    int left;    // allocations that will succeed
    size_t used; // bytes
} Failing;

static inline void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Failing *failing = user;
    if (new_size > old_size && __atomic_fetch_sub(&failing->left, 1, __ATOMIC_RELAXED) <= 0) return NULL;
    const FiloAllocator *heap = filo_heap();
    void *result = heap->resize(heap->user, memory, old_size, new_size, align);
    if (result != NULL || new_size == 0)
        __atomic_fetch_add(&failing->used, new_size - old_size, __ATOMIC_RELAXED);
    return result;
}

static inline void failing_init(Failing *failing, int left) {
    *failing = (Failing){ .allocator = { failing_resize, failing }, .left = left };
}

// ---- Images ---------------------------------------------------------------------------------------------

static inline FiloName name_of(const char *prefix, int number) {
    char text[64];
    (void)snprintf(text, sizeof text, "%s %d", prefix, number);
    return filo_name(text);
}

// An image of one colour.
static inline FiloName add_plain(FiloGfx2d *gfx, const char *name, int width, int height, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, width, height, NULL));
    filo_pixels_fill(&pixels, color);
    assert_ok(filo_gfx2d_add_image(gfx, filo_name(name), &pixels));
    filo_pixels_free(&pixels, NULL);
    return filo_name(name);
}

// An image on which one sees what is where: red in the upper left corner, green right, blue below, with a half
// transparent edge.
static inline FiloName add_arrow(FiloGfx2d *gfx) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 12, 8, NULL));
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 12; x++) {
            FiloColor color = filo_color_from_bytes(220, 220, 220, 255);
            if (x < 4 && y < 3) color = FILO_COLOR_RED;
            if (x >= 9) color = FILO_COLOR_GREEN;
            if (y >= 6) color = FILO_COLOR_BLUE;
            if (x == 0 || y == 0 || x == 11 || y == 7) color = filo_color_fade(color, 0.5f);
            if (x == 5 && y == 4) color = filo_color(0, 0, 0, 0);
            *filo_pixels_at(&pixels, x, y) = color;
        }
    }
    assert_ok(filo_gfx2d_add_image(gfx, filo_name("arrow"), &pixels));
    filo_pixels_free(&pixels, NULL);
    return filo_name("arrow");
}

// ---- Comparing --------------------------------------------------------------------------------------------

static inline FiloColor pixel(FiloPixels pixels, int x, int y) { return *filo_pixels_at(&pixels, x, y); }

#define assert_color(found, wanted) check_color((found), (wanted), __FILE__, __LINE__)
static inline void check_color(FiloColor a, FiloColor b, const char *file, int line) {
    if (filo_color_equal(a, b)) return;
    print_error("%d %d %d %d is not %d %d %d %d\n", a.r, a.g, a.b, a.a, b.r, b.g, b.b, b.a);
    _fail(file, line);
}

// Writes a picture where one can look at it: into the folder that FILO_TEST_PICTURES names, if it is set.
static inline void keep_picture(FiloPixels pixels, const char *name) {
    const char *folder = getenv("FILO_TEST_PICTURES");
    if (folder == NULL) return;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(filo_image_save(&pixels, path));
}

// Compares with tests/gfx2d/golden/<name>.png: no byte may differ by more than `largest`, and on average not
// more than `mean`. With FILO_TEST_GOLDEN set, writes it instead; then look at it.
static inline void assert_golden(FiloPixels pixels, const char *name, int largest, double mean) {
    char path[512];
    (void)snprintf(path, sizeof path, FILO_TEST_SOURCES "/golden/%s.png", name);
    if (getenv("FILO_TEST_GOLDEN") != NULL) {
        assert_ok(filo_image_save(&pixels, path));
        return;
    }
    FiloPixels golden;
    assert_ok(filo_image_load(&golden, path, NULL));
    FiloPixelsDifference difference = filo_pixels_compare(&pixels, &golden, largest);
    filo_pixels_free(&golden, NULL);
    if (difference.pixels == 0 && difference.mean <= mean) return;
    keep_picture(pixels, name);
    fail_msg("%s: %zu pixels differ by up to %d, the first at %d, %d; on average %.4f", name,
             difference.pixels, difference.largest, difference.x, difference.y, difference.mean);
}

// A copy that lives on.
static inline FiloPixels keep(FiloPixels pixels) {
    FiloPixels copy;
    assert_true(filo_pixels_create(&copy, pixels.width, pixels.height, NULL));
    filo_pixels_copy(&copy, 0, 0, &pixels);
    return copy;
}

static inline void assert_same_picture(FiloPixels a, FiloPixels b) {
    FiloPixelsDifference difference = filo_pixels_compare(&a, &b, 0);
    if (difference.pixels > 0)
        fail_msg("%zu pixels differ, the first at %d, %d", difference.pixels, difference.x, difference.y);
}

#endif
