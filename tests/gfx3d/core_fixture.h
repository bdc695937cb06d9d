// What the tests of the core of the renderer share: a world with a renderer, and looking at what was extracted.

#ifndef FILO_TEST_GFX3D_CORE_FIXTURE_H
#define FILO_TEST_GFX3D_CORE_FIXTURE_H

#include "gfx3d/extract/extract.h"
#include "gfx3d/meshes/meshes.h"

#include "support/failing_allocator.h"
#include "support/gl_context.h"
#include "support/test.h"

#include <filo/image.h>
#include <filo/jobs.h>
#include <filo/log.h>

#include <math.h>

#define WIDTH  FILO_TEST_GL_WIDTH
#define HEIGHT FILO_TEST_GL_HEIGHT

typedef struct Fixture {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloGpu *gpu;
    FiloAssets *assets; // NULL unless the test's folder is used
    FiloGfx3d *gfx;
} Fixture;

typedef enum Backend { ON_GL45, ON_GL33, ON_NULL } Backend;

typedef struct FixtureDesc {
    Backend backend;
    int threads; // 0: 1
    bool assets; // from the folder of the test
    const FiloAllocator *allocator;
} FixtureDesc;

static inline FiloGpu *fixture_device(Backend backend) {
    FiloGpu *gpu = NULL;
    if (backend == ON_GL45) filo_test_gl_context(4, 5);
    if (backend == ON_GL33) filo_test_gl_context(3, 3);
    FiloGpuKind kind = backend == ON_GL45   ? FILO_GPU_GL45
                       : backend == ON_GL33 ? FILO_GPU_GL33
                                            : FILO_GPU_NULL;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind, .debug = true }));
    return gpu;
}

static inline Fixture fixture_open(FixtureDesc desc) {
    Fixture f = { .gpu = fixture_device(desc.backend) };
    assert_ok(filo_jobs_create(&f.jobs, &(FiloJobsDesc){ .threads = desc.threads > 0 ? desc.threads : 1 }));
    assert_ok(filo_world_create(&f.world, &(FiloWorldDesc){ .jobs = f.jobs, .seed = 3 }));
    if (desc.assets)
        assert_ok(filo_assets_create(
            &f.assets, &(FiloAssetsDesc){ .jobs = f.jobs, .folder = filo_test_folder(), .watch = true }));
    assert_ok(filo_gfx3d_create(
        &f.gfx,
        &(FiloGfx3dDesc){ .world = f.world, .assets = f.assets, .gpu = f.gpu, .allocator = desc.allocator }));
    return f;
}

static inline Fixture fixture_begin(Backend backend, int threads) {
    return fixture_open((FixtureDesc){ .backend = backend, .threads = threads });
}

static inline void fixture_end(Fixture *f) {
    filo_gfx3d_destroy(f->gfx);
    filo_assets_destroy(f->assets);
    filo_gpu_destroy(f->gpu);
    filo_world_destroy(f->world);
    filo_jobs_destroy(f->jobs, FILO_JOBS_FINISH);
    filo_test_gl_context_end();
}

// ---- Frames -----------------------------------------------------------------------------------------------

static inline void extract_blended(Fixture *f, float blend) {
    filo_gfx3d_extract(f->gfx, &(FiloExtract3){ .width = WIDTH, .height = HEIGHT, .blend = blend });
}
static inline void extract(Fixture *f) { extract_blended(f, 1); }

static inline void render(Fixture *f) {
    filo_gfx3d_render(f->gfx);
    filo_gpu_end_frame(f->gpu);
}

// Extracts and draws.
static inline void frame(Fixture *f) {
    extract(f);
    render(f);
}

static inline void tick(Fixture *f) { assert_ok(filo_world_tick(f->world, 1.0f / 60)); }

static inline FiloGfx3dStats stats(const Fixture *f) { return filo_gfx3d_stats(f->gfx); }

// Extracts, draws and reads the window. The caller frees the pixels.
static inline FiloPixels screenshot(Fixture *f) {
    FiloPixels pixels;
    extract(f);
    assert_true(filo_gfx3d_render(f->gfx));
    assert_true(filo_pixels_create(&pixels, WIDTH, HEIGHT, NULL));
    assert_ok(filo_gpu_read(f->gpu, (FiloRenderTarget){ 0 }, 0, 0, &pixels));
    filo_gpu_end_frame(f->gpu);
    return pixels;
}

// ---- Entities ---------------------------------------------------------------------------------------------

static inline FiloEntity add_camera(Fixture *f, FiloVec3 position, FiloVec3 target) {
    FiloTransform3 transform = { .position = position };
    FiloVec3 forward = filo_vec3_sub(target, position);
    bool vertical = forward.x == 0 && forward.z == 0;
    transform.rotation = filo_quat_look(forward, vertical ? filo_vec3(0, 0, -1) : filo_vec3(0, 1, 0));
    FiloEntity camera = filo_create(f->world, FILO_SET(FiloCamera3, .near = 0.1f, .far = 1000));
    *filo_edit(f->world, camera, FiloTransform3) = transform;
    return camera;
}

static inline FiloEntity add_at(Fixture *f, const char *mesh, FiloVec3 position) {
    FiloEntity entity = filo_create(f->world, FILO_SET(FiloMesh, .mesh = filo_name(mesh)));
    assert_true(entity.id != 0);
    filo_edit(f->world, entity, FiloTransform3)->position = position;
    return entity;
}

// ---- What was extracted -------------------------------------------------------------------------------------

// The instances of all views, as the null device has them.
static inline const Gfx3dInstance *instances_of(const Fixture *f) {
    FiloRingPiece piece = f->gfx->extraction->piece;
    if (piece.buffer.id == 0) return NULL;
    const uint8_t *bytes = filo_gpu_null_buffer_data(f->gpu, piece.buffer, NULL);
    return (const void *)(bytes + piece.offset);
}

// The x of the instances of a view, list by list: "1 2 | 5". Empty lists are left out.
static inline const char *xs_of(const Fixture *f, size_t view) {
    static char text[8192];
    const Gfx3dView *v = f->gfx->views.items[view];
    const Gfx3dInstance *all = instances_of(f);
    size_t length = 0;
    bool first = true;
    text[0] = 0;
    for (uint32_t list = 0; v->lists != NULL && list < f->gfx->extraction->list_count; list++) {
        if (v->lists[list].count == 0) continue;
        if (!first) length += (size_t)snprintf(text + length, sizeof text - length, " |");
        for (uint32_t i = 0; i < v->lists[list].count && length + 32 < sizeof text; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, length > 0 ? " %g" : "%g",
                                       (double)all[v->lists[list].first + i].matrix.m[3]);
        first = false;
    }
    return text;
}

static inline bool rows_are_equal(const float *a, const float *b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

// ---- Meshes ---------------------------------------------------------------------------------------------------

// A triangle in the plane z = 0: at the origin, with sides of this length.
typedef struct TriangleMesh {
    FiloVec3 positions[3];
    FiloMeshData data;
} TriangleMesh;

static inline FiloMeshData *triangle(TriangleMesh *t, float side) {
    t->positions[0] = filo_vec3(0, 0, 0);
    t->positions[1] = filo_vec3(side, 0, 0);
    t->positions[2] = filo_vec3(0, side, 0);
    t->data = (FiloMeshData){ .vertex_count = 3, .positions = t->positions };
    return &t->data;
}

static inline Gfx3dMesh *mesh_named(const Fixture *f, const char *name) {
    const uint32_t *index = filo_map_get(&f->gfx->meshes->by_name, filo_name(name).id);
    return index != NULL ? &f->gfx->meshes->list.items[*index] : NULL;
}

static inline float random_float(uint64_t *state, float low, float high) {
    return low + (high - low) * (float)(test_random(state) & 0xFFFFFF) / (float)0xFFFFFF;
}

// Components are drawn from the first to the last.
static inline FiloVec3 random_vec3(uint64_t *state, float low, float high) {
    float x = random_float(state, low, high), y = random_float(state, low, high);
    return filo_vec3(x, y, random_float(state, low, high));
}

// ---- Messages ---------------------------------------------------------------------------------------------------

// For warnings that a test causes on purpose.
static inline void hush(void) { assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off")); }

#endif
