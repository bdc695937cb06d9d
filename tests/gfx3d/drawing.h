// What the tests that draw in space share: a world with a renderer, on a device of choice, and reading the picture.

#ifndef FILO_TEST_GFX3D_DRAWING_H
#define FILO_TEST_GFX3D_DRAWING_H

#include "gfx3d/renderer.h"
#include "support/gl_context.h"
#include "support/test.h"

#include <filo/jobs.h>
#include <filo/pixels.h>

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT

typedef struct Drawing {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloPixels picture; // of the last screenshot
} Drawing;

__attribute__((unused)) static void drawing_open(Drawing *drawing, FiloGpuKind kind, int threads,
                                                 const FiloAllocator *allocator) {
    *drawing = (Drawing){ 0 };
    if (kind == FILO_GPU_GL45) filo_test_gl_context(4, 5);
    if (kind == FILO_GPU_GL33) filo_test_gl_context(3, 3);
    assert_ok(filo_gpu_create(&drawing->gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    assert_ok(filo_jobs_create(&drawing->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&drawing->world, &(FiloWorldDesc){ .jobs = drawing->jobs, .seed = 5 }));
    assert_ok(filo_gfx3d_create(&drawing->gfx, &(FiloGfx3dDesc){ .world = drawing->world,
                                                                 .gpu = drawing->gpu,
                                                                 .no_fxaa = true,
                                                                 .allocator = allocator }));
}

__attribute__((unused)) static void drawing_close(Drawing *drawing) {
    filo_pixels_free(&drawing->picture, NULL);
    filo_gfx3d_destroy(drawing->gfx);
    filo_gpu_destroy(drawing->gpu);
    filo_world_destroy(drawing->world);
    filo_jobs_destroy(drawing->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

// A camera at z = `distance` that looks at the origin, and no sky.
__attribute__((unused)) static FiloEntity look_from(Drawing *drawing, float distance) {
    FiloEnvironment *environment =
        filo_global_edit(drawing->world, filo_component_of(drawing->world, FILO_TYPE(FiloEnvironment)));
    assert_non_null(environment);
    environment->no_sky = true;
    return filo_create(drawing->world, FILO_SET(FiloTransform3, .position = { 0, 0, distance }),
                       FILO_SET(FiloCamera3, .background = { 0, 0, 0, 255 }));
}

__attribute__((unused)) static void tick_drawing(Drawing *drawing, float delta) {
    assert_ok(filo_world_tick(drawing->world, delta));
}
__attribute__((unused)) static void extract_blended(Drawing *drawing, float blend) {
    filo_gfx3d_extract(drawing->gfx, &(FiloExtract3){ .width = WIDTH, .height = HEIGHT, .blend = blend });
}
__attribute__((unused)) static void extract(Drawing *drawing) { extract_blended(drawing, 1); }
__attribute__((unused)) static void draw(Drawing *drawing) {
    extract(drawing);
    assert_true(filo_gfx3d_render(drawing->gfx));
    filo_gpu_end_frame(drawing->gpu);
}

// Draws, and reads the picture.
__attribute__((unused)) static const FiloPixels *screenshot(Drawing *drawing) {
    if (drawing->picture.data == NULL)
        assert_true(filo_pixels_create(&drawing->picture, WIDTH, HEIGHT, NULL));
    extract(drawing);
    assert_true(filo_gfx3d_render(drawing->gfx));
    assert_ok(filo_gpu_read(drawing->gpu, (FiloRenderTarget){ 0 }, 0, 0, &drawing->picture));
    filo_gpu_end_frame(drawing->gpu);
    return &drawing->picture;
}
__attribute__((unused)) static FiloColor pixel(const Drawing *drawing, int x, int y) {
    return *filo_pixels_at(&drawing->picture, x, y);
}

#define assert_near(a, b) assert_float_equal((double)(a), (double)(b), 1e-3)

__attribute__((unused)) static void assert_vec3(FiloVec3 v, float x, float y, float z) {
    assert_near(v.x, x);
    assert_near(v.y, y);
    assert_near(v.z, z);
}

#endif
