// Creating and destroying a renderer, and drawing what was extracted. See renderer.h.

#include "gfx3d/renderer.h"

#include <filo/time.h>

bool filo_gfx3d_register(FiloWorld *world, FiloAssets *assets) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to be drawn")) return false;
    if (assets != NULL && gfx3d_models_register(assets).code != FILO_OK) return false;
    return filo_transform_register(world) && gfx3d_components_register(world) &&
           gfx3d_cameras_register(world) && gfx3d_figures_register(world, assets) &&
           gfx3d_particles_register(world) && filo_component_complete(world, FILO_TYPE(FiloMesh));
}

// Extraction reads plain columns, so the components must be stored in tables.
static FiloResult check_storage(const FiloWorld *world) {
    const FiloType *types[] = { FILO_TYPE(FiloTransform3), FILO_TYPE(FiloMesh),
                                FILO_TYPE(FiloPreviousTransform3), FILO_TYPE(FiloWorldTransform3),
                                FILO_TYPE(FiloCamera3) };
    for (size_t i = 0; i < FILO_COUNT_OF(types); i++) {
        const FiloComponentInfo *info = filo_component_info(world, filo_component_of(world, types[i]));
        if (info == NULL || info->storage != FILO_STORAGE_TABLE)
            return FILO_MISTAKE(
                "component %s must be stored in tables to be drawn; leave it to filo_gfx3d_register",
                types[i]->name);
    }
    return filo_ok();
}

static void set_defaults(FiloGfx3dDesc *desc) {
    desc->shadow_size = desc->shadow_size > 0 ? FILO_CLAMP(desc->shadow_size, 64, 8192) : 1024;
    desc->shadow_cascades = desc->shadow_cascades > 0 ? FILO_MIN(desc->shadow_cascades, 4) : 3;
    desc->detail_error = desc->detail_error > 0 ? desc->detail_error : 1;
    desc->render_scale = desc->render_scale > 0 ? filo_clamp(desc->render_scale, 0.1f, 2) : 1;
}

static FiloResult init(FiloGfx3d *gfx) {
    FiloResult r = filo_gpu_ring_create(
        &gfx->uniform_ring, gfx->gpu,
        &(FiloRingDesc){ .label = "frames", .use = FILO_BUFFER_UNIFORMS, .size = 1 << 16 });
    if (r.code == FILO_OK) r = gfx3d_materials_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_meshes_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_extract_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_lights_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_figures_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_effects_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_grounds_init(gfx);
    if (r.code == FILO_OK) r = gfx3d_passes_init(gfx);
    return r;
}

FiloResult filo_gfx3d_create(FiloGfx3d **out, const FiloGfx3dDesc *desc) {
    if (out != NULL) *out = NULL;
    if (out == NULL || desc == NULL || desc->world == NULL || desc->gpu == NULL)
        return FILO_MISTAKE("pass where the renderer goes, and a description with a world and a GPU");
    if (filo_world_jobs(desc->world) == NULL)
        return FILO_MISTAKE("a world that is drawn in 3D needs a scheduler: FiloWorldDesc.jobs");
    if (!filo_gfx3d_register(desc->world, desc->assets))
        return filo_error(FILO_ERROR_MEMORY, "cannot register the components of 3D graphics");
    FiloResult r = check_storage(desc->world);
    if (r.code != FILO_OK) return r;
    FiloGfx3d *gfx = filo_alloc_zero(desc->allocator, sizeof *gfx, 0);
    if (gfx == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the renderer");
    gfx->desc = *desc;
    set_defaults(&gfx->desc);
    gfx->world = desc->world;
    gfx->jobs = filo_world_jobs(desc->world);
    gfx->assets = desc->assets;
    gfx->gpu = desc->gpu;
    gfx->allocator = desc->allocator;
    gfx->upload_limit = GFX3D_UPLOAD_LIMIT;
    r = init(gfx);
    if (r.code != FILO_OK) {
        filo_gfx3d_destroy(gfx);
        return r;
    }
    *out = gfx;
    return r;
}

void filo_gfx3d_destroy(FiloGfx3d *gfx) {
    if (gfx == NULL) return;
    gfx3d_passes_deinit(gfx);
    gfx3d_grounds_deinit(gfx);
    gfx3d_effects_deinit(gfx);
    gfx3d_figures_deinit(gfx);
    gfx3d_lights_deinit(gfx);
    gfx3d_extract_deinit(gfx);
    gfx3d_meshes_deinit(gfx);
    gfx3d_materials_deinit(gfx);
    if (gfx->uniform_ring != NULL) filo_gpu_ring_destroy(gfx->gpu, gfx->uniform_ring);
    filo_free(gfx->allocator, gfx, sizeof *gfx, 0);
}

bool filo_gfx3d_render(FiloGfx3d *gfx) {
    if (!FILO_CHECK(gfx != NULL && gfx->extracted, "extract before you render: filo_gfx3d_extract"))
        return false;
    int64_t begin = filo_time_ns();
    FiloGpuStats before = filo_gpu_stats_now(gfx->gpu);
    bool drew = gfx3d_passes_draw(gfx);
    gfx3d_effects_end(gfx);
    FiloGpuStats after = filo_gpu_stats_now(gfx->gpu);
    gfx->stats.draws = after.draws - before.draws;
    gfx->stats.triangles = after.triangles - before.triangles;
    gfx->stats.render_ms = (double)(filo_time_ns() - begin) * 1e-6;
    return drew;
}

FiloGfx3dStats filo_gfx3d_stats(const FiloGfx3d *gfx) {
    return FILO_CHECK(gfx != NULL, "pass a renderer") ? gfx->stats : (FiloGfx3dStats){ 0 };
}
