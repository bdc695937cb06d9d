// What the tests of the renderer share: a world with a renderer, images to show, and comparing pictures.

#ifndef FILO_TEST_GFX2D_FIXTURE_H
#define FILO_TEST_GFX2D_FIXTURE_H

#include "support/gl_context.h"
#include "support/test.h"

#include <filo/gfx2d.h>
#include <filo/image.h>
#include <filo/jobs.h>
#include <filo/random.h>

#include <stdlib.h>

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT

typedef struct Fixture {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloGfx2d *gfx;
} Fixture;

typedef enum Backend { ON_CPU, ON_GL45, ON_GL33, ON_NULL } Backend;

static inline FiloGpu *fixture_device(Backend backend) {
    FiloGpu *gpu = NULL;
    if (backend == ON_GL45) filo_test_gl_context(4, 5);
    if (backend == ON_GL33) filo_test_gl_context(3, 3);
    FiloGpuKind kind = backend == ON_GL45   ? FILO_GPU_GL45
                       : backend == ON_GL33 ? FILO_GPU_GL33
                                            : FILO_GPU_NULL;
    if (backend != ON_CPU) assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    return gpu;
}

static inline Fixture fixture_begin(Backend backend, int threads) {
    Fixture fixture = { .gpu = fixture_device(backend) };
    assert_ok(filo_jobs_create(&fixture.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&fixture.world, &(FiloWorldDesc){ .jobs = fixture.jobs }));
    assert_ok(
        filo_gfx2d_create(&fixture.gfx, &(FiloGfx2dDesc){ .world = fixture.world, .gpu = fixture.gpu }));
    return fixture;
}

static inline void fixture_end(Fixture *fixture) {
    filo_gfx2d_destroy(fixture->gfx);
    filo_gpu_destroy(fixture->gpu);
    filo_world_destroy(fixture->world);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

static inline void extract_blended(Fixture *fixture, float blend) {
    filo_gfx2d_extract(fixture->gfx, &(FiloExtract){ .width = WIDTH, .height = HEIGHT, .blend = blend });
}
static inline void extract(Fixture *fixture) { extract_blended(fixture, 1); }

static inline void render(Fixture *fixture) {
    filo_gfx2d_render(fixture->gfx);
    if (fixture->gpu != NULL) filo_gpu_end_frame(fixture->gpu);
}

// What was drawn. The picture is valid until the next one.
static inline FiloPixels drawn_picture(const Fixture *fixture) {
    FiloPixels pixels;
    assert_ok(filo_gfx2d_pixels(fixture->gfx, &pixels));
    return pixels;
}

// Extracts and draws.
static inline FiloPixels screenshot(Fixture *fixture) {
    extract(fixture);
    filo_gfx2d_render(fixture->gfx);
    FiloPixels pixels = drawn_picture(fixture);
    if (fixture->gpu != NULL) filo_gpu_end_frame(fixture->gpu);
    return pixels;
}

static inline FiloGfx2dStats stats(const Fixture *fixture) { return filo_gfx2d_stats(fixture->gfx); }

// ---- Memory ---------------------------------------------------------------------------------------------

// An allocator that fails after `left` allocations, and counts the bytes that are not freed. Any thread.
typedef struct LimitedAllocator {
    FiloAllocator allocator;
    int left;    // allocations that will succeed
    size_t used; // bytes
} LimitedAllocator;

static inline void *limited_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    LimitedAllocator *limited = user;
    if (new_size > old_size && __atomic_fetch_sub(&limited->left, 1, __ATOMIC_RELAXED) <= 0) return NULL;
    const FiloAllocator *heap = filo_heap();
    void *result = heap->resize(heap->user, memory, old_size, new_size, align);
    if (result != NULL || new_size == 0)
        __atomic_fetch_add(&limited->used, new_size - old_size, __ATOMIC_RELAXED);
    return result;
}

static inline void limited_init(LimitedAllocator *limited, int left) {
    *limited = (LimitedAllocator){ .allocator = { limited_resize, limited }, .left = left };
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

// An image without symmetry: red in the upper left corner, green right, blue below, with a translucent edge.
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

#define assert_color(found, expected) check_color((found), (expected), __FILE__, __LINE__)
static inline void check_color(FiloColor a, FiloColor b, const char *file, int line) {
    if (filo_color_equal(a, b)) return;
    print_error("%d %d %d %d is not %d %d %d %d\n", a.r, a.g, a.b, a.a, b.r, b.g, b.b, b.a);
    _fail(file, line);
}

// Saves a picture for inspection in the folder FILO_TEST_PICTURES, if that is set.
static inline void save_picture(FiloPixels pixels, const char *name) {
    const char *folder = getenv("FILO_TEST_PICTURES");
    if (folder == NULL) return;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(filo_image_save(&pixels, path));
}

// Compares with tests/gfx2d/golden/<name>.png: no byte may differ by more than `largest`, and on average by no more
// than `mean`. If FILO_TEST_GOLDEN is set, writes the file instead; inspect it then.
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
    save_picture(pixels, name);
    fail_msg("%s: %zu pixels differ by up to %d, the first at %d, %d; on average %.4f", name,
             difference.pixels, difference.largest, difference.x, difference.y, difference.mean);
}

// Draws, compares with assert_golden, and ends the fixture.
static inline void end_with_golden(Fixture *fixture, const char *name, int largest, double mean,
                                   const char *saved_as) {
    render(fixture);
    FiloPixels pixels = drawn_picture(fixture);
    save_picture(pixels, saved_as);
    assert_golden(pixels, name, largest, mean);
    fixture_end(fixture);
}

// A copy, to be freed by filo_pixels_free.
static inline FiloPixels copy_picture(FiloPixels pixels) {
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
