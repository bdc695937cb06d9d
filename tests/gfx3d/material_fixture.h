// What the tests of materials share: a renderer with assets in the folder of the test, on any device, and the log.

#ifndef FILO_TEST_GFX3D_MATERIAL_FIXTURE_H
#define FILO_TEST_GFX3D_MATERIAL_FIXTURE_H

#include "support/asset_files.h"
#include "support/gl_context.h"
#include "support/test.h"

#include <filo/gfx3d.h>
#include <filo/jobs.h>
#include <filo/log.h>
#include <filo/time.h>

#include "gfx3d/materials/materials.h"

typedef enum Device { ON_NULL, ON_GL45, ON_GL33 } Device;

typedef struct Fixture {
    FiloJobs *jobs;
    FiloWorld *world;
    FiloAssets *assets;
    FiloGpu *gpu;
    FiloGfx3d *gfx;
    FiloLogSink sink;
    char log[4096]; // warnings and errors since the last look
} Fixture;

static inline void keep_message(const FiloLogMessage *message, void *user) {
    Fixture *fixture = user;
    size_t length = strlen(fixture->log);
    (void)snprintf(fixture->log + length, sizeof fixture->log - length, "%s\n", message->text);
}

static inline FiloGpu *open_device(Device device) {
    static const FiloGpuKind kinds[] = { FILO_GPU_NULL, FILO_GPU_GL45, FILO_GPU_GL33 };
    if (device == ON_GL45) filo_test_gl_context(4, 5);
    if (device == ON_GL33) filo_test_gl_context(3, 3);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kinds[device], .debug = true }));
    return gpu;
}

static inline void fixture_begin(Fixture *fixture, Device device) {
    *fixture = (Fixture){ .gpu = open_device(device) };
    fixture->sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = keep_message, .user = fixture, .filter = "warn" });
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    assert_ok(filo_jobs_create(&fixture->jobs, &(FiloJobsDesc){ .threads = 2 }));
    assert_ok(filo_world_create(&fixture->world, &(FiloWorldDesc){ .jobs = fixture->jobs }));
    assert_ok(filo_assets_create(
        &fixture->assets,
        &(FiloAssetsDesc){ .jobs = fixture->jobs, .folder = filo_test_folder(), .watch = true }));
    assert_ok(filo_gfx3d_create(
        &fixture->gfx,
        &(FiloGfx3dDesc){ .world = fixture->world, .assets = fixture->assets, .gpu = fixture->gpu }));
}

static inline void fixture_end(Fixture *fixture) {
    filo_gfx3d_destroy(fixture->gfx);
    filo_assets_destroy(fixture->assets);
    filo_world_destroy(fixture->world);
    filo_gpu_destroy(fixture->gpu);
    filo_jobs_destroy(fixture->jobs, FILO_JOBS_FINISH);
    filo_log_remove_sink(fixture->sink);
    filo_test_gl_context_end();
}

// Updates until nothing changes any more: files are loaded, materials resolved, textures uploaded.
static inline void settle(Fixture *fixture) {
    for (int i = 0; i < 4; i++) {
        gfx3d_materials_update(fixture->gfx);
        filo_assets_wait_all(fixture->assets);
    }
    gfx3d_materials_update(fixture->gfx);
}

// Writes a file again, and waits until the assets have noticed.
static inline void rewrite(Fixture *fixture, const char *name, const char *text) {
    FiloAsset asset = filo_assets_find(fixture->assets, filo_name(name));
    uint32_t version = filo_asset_version(fixture->assets, asset);
    FiloCode before = filo_asset_error(fixture->assets, asset)->code;
    write_text(name, text);
    for (int i = 0; i < 2000; i++) {
        filo_assets_update(fixture->assets, 0);
        if (filo_asset_version(fixture->assets, asset) != version ||
            filo_asset_error(fixture->assets, asset)->code != before)
            break;
        filo_sleep_until_ns(filo_time_ns() + 1000000);
    }
    settle(fixture);
}

static inline uint32_t find(Fixture *fixture, const char *name) {
    return gfx3d_material_find(fixture->gfx, filo_name(name));
}
static inline const Gfx3dMaterial *material(const Fixture *fixture, uint32_t index) {
    return fixture->gfx->materials->list.items[index];
}

static inline void expect_log(Fixture *fixture, const char *text) {
    if (strstr(fixture->log, text) == NULL)
        fail_msg("expected in the log: %s\nbut it is: %s", text, fixture->log);
    fixture->log[0] = '\0';
}
static inline void expect_no_log(Fixture *fixture) { assert_string_equal(fixture->log, ""); }

#define assert_failure(result_, message_)                                                                    \
    do {                                                                                                     \
        FiloResult failure_ = (result_);                                                                     \
        assert_int_not_equal(failure_.code, FILO_OK);                                                        \
        assert_string_equal(failure_.message, message_);                                                     \
    } while (0)

#endif
