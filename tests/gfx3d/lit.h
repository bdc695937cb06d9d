// What the tests of lights and passes share: a world with a renderer of choice, a sun, and what a view was given.

#ifndef FILO_TEST_GFX3D_LIT_H
#define FILO_TEST_GFX3D_LIT_H

#include "gfx3d/lights/lights.h"
#include "support/gl_context.h"
#include "support/test.h"

#include <filo/image.h>
#include <filo/jobs.h>

#include <stdlib.h>

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT

typedef struct Lit {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloAssets *assets;
    FiloGfx3d *gfx;
    FiloPixels picture; // of the last screenshot
} Lit;

typedef struct LitDesc {
    FiloGpuKind kind;
    int threads;       // 0: 1
    bool assets;       // from the folder of the test
    FiloGfx3dDesc gfx; // everything but world, assets and gpu
} LitDesc;

static inline void lit_open(Lit *lit, LitDesc desc) {
    *lit = (Lit){ 0 };
    if (desc.kind == FILO_GPU_GL45) filo_test_gl_context(4, 5);
    if (desc.kind == FILO_GPU_GL33) filo_test_gl_context(3, 3);
    assert_ok(filo_gpu_create(&lit->gpu, &(FiloGpuDesc){ .kind = desc.kind, .debug = true }));
    assert_ok(
        filo_jobs_create(&lit->jobs, &(FiloJobsDesc){ .threads = desc.threads > 0 ? desc.threads : 1 }));
    assert_ok(filo_world_create(&lit->world, &(FiloWorldDesc){ .jobs = lit->jobs, .seed = 5 }));
    if (desc.assets)
        assert_ok(filo_assets_create(&lit->assets,
                                     &(FiloAssetsDesc){ .jobs = lit->jobs, .folder = filo_test_folder() }));
    desc.gfx.world = lit->world;
    desc.gfx.gpu = lit->gpu;
    desc.gfx.assets = lit->assets;
    assert_ok(filo_gfx3d_create(&lit->gfx, &desc.gfx));
}

static inline void lit_close(Lit *lit) {
    filo_pixels_free(&lit->picture, NULL);
    filo_gfx3d_destroy(lit->gfx);
    filo_assets_destroy(lit->assets);
    filo_gpu_destroy(lit->gpu);
    filo_world_destroy(lit->world);
    filo_jobs_destroy(lit->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

// ---- The world ------------------------------------------------------------------------------------------------

static inline FiloEnvironment *environment(Lit *lit) { return filo_edit_global(lit->world, FiloEnvironment); }

static inline FiloEntity add_camera(Lit *lit, FiloVec3 position, FiloVec3 target) {
    FiloQuat look = filo_quat_look(filo_vec3_sub(target, position), filo_vec3(0, 1, 0));
    return filo_create(lit->world, FILO_SET(FiloTransform3, .position = position, .rotation = look),
                       FILO_ADD(FiloCamera3));
}

// A sun whose light comes from this direction.
static inline FiloEntity add_sun(Lit *lit, FiloVec3 from, bool shadows) {
    FiloQuat look = filo_quat_look(filo_vec3_negate(from), filo_vec3(0, 1, 0));
    return filo_create(lit->world, FILO_SET(FiloTransform3, .rotation = look),
                       FILO_SET(FiloLight, .kind = FILO_LIGHT_SUN, .shadows = shadows));
}

static inline FiloEntity add_point(Lit *lit, FiloVec3 position, float intensity, float range) {
    return filo_create(lit->world, FILO_SET(FiloTransform3, .position = position),
                       FILO_SET(FiloLight, .kind = FILO_LIGHT_POINT, .intensity = intensity, .range = range));
}

static inline FiloEntity add_mesh(Lit *lit, const char *mesh, FiloVec3 position, FiloVec3 scale,
                                  FiloColor color) {
    return filo_create(lit->world, FILO_SET(FiloTransform3, .position = position, .scale = scale),
                       FILO_SET(FiloMesh, .mesh = filo_name(mesh), .color = color));
}

// ---- Frames ---------------------------------------------------------------------------------------------------

static inline void extract(Lit *lit) {
    filo_gfx3d_extract(lit->gfx, &(FiloExtract3){ .width = WIDTH, .height = HEIGHT, .blend = 1 });
}

static inline bool draw(Lit *lit) {
    extract(lit);
    bool window = filo_gfx3d_render(lit->gfx);
    filo_gpu_end_frame(lit->gpu);
    return window;
}

// Draws, and reads the picture.
static inline FiloPixels screenshot(Lit *lit) {
    if (lit->picture.data == NULL) assert_true(filo_pixels_create(&lit->picture, WIDTH, HEIGHT, NULL));
    extract(lit);
    assert_true(filo_gfx3d_render(lit->gfx));
    assert_ok(filo_gpu_read(lit->gpu, (FiloRenderTarget){ 0 }, 0, 0, &lit->picture));
    filo_gpu_end_frame(lit->gpu);
    return lit->picture;
}

static inline FiloColor pixel(const Lit *lit, int x, int y) { return *filo_pixels_at(&lit->picture, x, y); }
static inline int brightness(FiloColor c) { return (c.r * 3 + c.g * 6 + c.b) / 10; }

// The first view that is a cascade, or is none.
static inline const Gfx3dView *view_of(const Lit *lit, bool shadow) {
    filo_array_each (&lit->gfx->views, view)
        if ((*view)->shadow == shadow) return *view;
    fail_msg("there is no such view");
    return NULL;
}

// The block of a view, as the null device has it.
static inline const Gfx3dFrameBlock *block_of(const Lit *lit, const Gfx3dView *view) {
    const uint8_t *bytes = filo_gpu_null_buffer_data(lit->gpu, view->frame_block.buffer, NULL);
    assert_non_null(bytes);
    return (const void *)(bytes + view->frame_block.offset);
}

// Extracts, and returns the block of the camera.
static inline const Gfx3dFrameBlock *block(Lit *lit) {
    filo_gpu_end_frame(lit->gpu);
    extract(lit);
    return block_of(lit, view_of(lit, false));
}

#endif
