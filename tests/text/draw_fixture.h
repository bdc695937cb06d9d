// What the tests of drawn text share: a world with a renderer and a typesetter, fonts of this machine, and comparing
// pictures.

#ifndef FILO_TEST_TEXT_DRAW_FIXTURE_H
#define FILO_TEST_TEXT_DRAW_FIXTURE_H

#include "support/gl_context.h"
#include "support/test.h"

#include <filo/gfx2d.h>
#include <filo/image.h>
#include <filo/jobs.h>
#include <filo/random.h>
#include <filo/text.h>

#include <stdlib.h>

typedef enum Backend { ON_CPU, ON_GL45, ON_GL33, ON_NULL } Backend;

typedef struct Fixture {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloAssets *assets;
    FiloGpu *gpu;
    FiloGfx2d *gfx;
    FiloTypesetter *setter;
    FiloDraw *draw;
    int width, height;
} Fixture;

typedef struct FixtureDesc {
    Backend backend;
    int threads, width, height;
    size_t glyph_memory, cache_size;
    bool assets;                    // from the folder of the test
    const FiloAllocator *allocator; // of the typesetter
} FixtureDesc;

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

static inline Fixture fixture_open(FixtureDesc desc) {
    Fixture f = { .gpu = fixture_device(desc.backend), .width = desc.width, .height = desc.height };
    if (desc.backend == ON_GL45 || desc.backend == ON_GL33 || desc.width == 0)
        f.width = FILO_TEST_GL_WIDTH, f.height = FILO_TEST_GL_HEIGHT;
    assert_ok(filo_jobs_create(&f.jobs, &(FiloJobsDesc){ .threads = desc.threads > 0 ? desc.threads : 1 }));
    assert_ok(filo_world_create(&f.world, &(FiloWorldDesc){ .jobs = f.jobs }));
    if (desc.assets)
        assert_ok(filo_assets_create(
            &f.assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder(), .watch = true }));
    assert_ok(
        filo_gfx2d_create(&f.gfx, &(FiloGfx2dDesc){ .world = f.world, .gpu = f.gpu, .assets = f.assets }));
    assert_ok(filo_typesetter_create(&f.setter, &(FiloTypesetterDesc){ .assets = f.assets,
                                                                       .cache_size = desc.cache_size,
                                                                       .allocator = desc.allocator }));
    assert_ok(filo_text_attach(
        f.setter, &(FiloTextDrawDesc){ .gfx = f.gfx, .world = f.world, .glyph_memory = desc.glyph_memory }));
    f.draw = filo_gfx2d_draw(f.gfx);
    return f;
}

static inline void fixture_close(Fixture *f) {
    filo_typesetter_destroy(f->setter);
    filo_gfx2d_destroy(f->gfx);
    filo_assets_destroy(f->assets);
    filo_gpu_destroy(f->gpu);
    filo_world_destroy(f->world);
    filo_jobs_destroy(f->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

// Adds a font of this machine under the name of its file.
static inline FiloName add_font(Fixture *f, const char *file) {
    char path[512];
    assert_ok(filo_font_find(path, sizeof path, file));
    assert_ok(filo_text_load_font(f->setter, file, path));
    return filo_name(file);
}

typedef void (*DrawFunction)(Fixture *fixture);

static inline void begin_frame(Fixture *f) {
    filo_typesetter_update(f->setter);
    filo_gfx2d_extract(f->gfx, &(FiloExtract){ .width = f->width, .height = f->height, .blend = 1 });
}

// Draws what is in the world, and what `function` draws, until all glyphs are there. Valid until the next picture.
static inline FiloPixels picture_of(Fixture *f, DrawFunction function) {
    FiloPixels pixels;
    bool again = true;
    for (int i = 0; again && i < 8; i++) {
        begin_frame(f);
        if (function != NULL) function(f);
        filo_gfx2d_render(f->gfx);
        assert_ok(filo_gfx2d_pixels(f->gfx, &pixels));
        if (f->gpu != NULL) filo_gpu_end_frame(f->gpu);
        again = filo_text_wait(f->setter);
    }
    assert_false(again);
    return pixels;
}

static inline void save_picture(FiloPixels pixels, const char *name) {
    const char *folder = getenv("FILO_TEST_PICTURES");
    if (folder == NULL) return;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(filo_image_save(&pixels, path));
}

static inline FiloPixels copy_picture(FiloPixels pixels) {
    FiloPixels copy;
    assert_true(filo_pixels_create(&copy, pixels.width, pixels.height, NULL));
    filo_pixels_copy(&copy, 0, 0, &pixels);
    return copy;
}

// The number of pixels that are not black.
static inline size_t lit_pixels(FiloPixels pixels) {
    size_t lit = 0;
    for (int y = 0; y < pixels.height; y++)
        for (int x = 0; x < pixels.width; x++) {
            FiloColor c = *filo_pixels_at(&pixels, x, y);
            lit += (c.r | c.g | c.b) != 0;
        }
    return lit;
}

#endif
