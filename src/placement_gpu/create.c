// Uploads a placement, and compiles its shaders.

#include "placement_gpu/placement_gpu.h"

#include <stdio.h>

void *placement_gpu_staging(FiloPlacementGpu *pgpu, size_t size) {
    if (size <= pgpu->staging_size) return pgpu->staging;
    filo_free(pgpu->allocator, pgpu->staging, pgpu->staging_size, 64);
    pgpu->staging_size = 0;
    size_t grown = FILO_MAX(size + size / 4, (size_t)4096);
    pgpu->staging = filo_alloc(pgpu->allocator, grown, 64);
    if (pgpu->staging != NULL) pgpu->staging_size = grown;
    return pgpu->staging;
}

const char *placement_gpu_mistake(const FiloPlacementGpu *pgpu) {
    if (pgpu == NULL) return "pass what filo_placement_gpu_create made";
    return filo_gpu_on_thread(pgpu->gpu) ? NULL : PLACEMENT_GPU_THREAD;
}

static FiloResult no_memory(void) {
    return filo_error(FILO_ERROR_MEMORY, "no memory to place objects on the GPU");
}

static FiloResult upload(FiloPlacementGpu *pgpu) {
    const FiloGpuLimits *limits = filo_gpu_limits(pgpu->gpu);
    size_t size = filo_placement_shader_data_size(pgpu->placement);
    if (size > limits->storage_size || size > INT32_MAX)
        return filo_error(
            FILO_ERROR_LIMIT,
            "the maps of a placement have %zu bytes, and the GPU takes %zu in one buffer: divide the "
            "world, or use filo_placement_compute",
            size, FILO_MIN(limits->storage_size, (size_t)INT32_MAX));
    pgpu->data_size = size;
    pgpu->texels = size <= (size_t)limits->texels;
    void *memory = filo_alloc(pgpu->allocator, size, 64);
    if (memory == NULL) return no_memory();
    filo_placement_shader_data(pgpu->placement, memory);
    FiloResult r = filo_gpu_buffer_create(
        &pgpu->data, pgpu->gpu,
        &(FiloBufferDesc){ .label = "placement", .use = FILO_BUFFER_STORAGE, .size = size, .data = memory });
    filo_free(pgpu->allocator, memory, size, 64);
    return r;
}

static FiloResult compile(FiloPlacementGpu *pgpu, FiloPipeline *pipeline, FiloPlacementShader shader,
                          size_t footprint) {
    static const char *const names[] = { "evaluate", "number", "write" };
    uint32_t options = pgpu->texels ? FILO_SHADER_TEXELS : 0;
    size_t length = filo_placement_shader_text(pgpu->placement, shader, footprint, options, NULL, 0);
    char label[96], *text = filo_alloc(pgpu->allocator, length + 1, 0);
    if (text == NULL) return no_memory();
    filo_placement_shader_text(pgpu->placement, shader, footprint, options, text, length + 1);
    snprintf(label, sizeof label, "placement of %s: %s",
             filo_placement_footprint_name(pgpu->placement, footprint), names[shader]);
    FiloResult r =
        filo_gpu_pipeline_create(pipeline, pgpu->gpu, &(FiloPipelineDesc){ .label = label, .compute = text });
    filo_free(pgpu->allocator, text, length + 1, 0);
    return r;
}

static FiloResult setup(FiloPlacementGpu *pgpu) {
    FiloResult r = upload(pgpu);
    if (r.code == FILO_OK) r = compile(pgpu, &pgpu->number, FILO_SHADER_NUMBER, 0);
    size_t footprints = filo_placement_footprint_count(pgpu->placement);
    for (size_t i = 0; i < footprints && r.code == FILO_OK; i++) {
        r = compile(pgpu, &pgpu->evaluate[i], FILO_SHADER_EVALUATE, i);
        if (r.code == FILO_OK) r = compile(pgpu, &pgpu->write[i], FILO_SHADER_WRITE, i);
    }
    return r;
}

static FiloResult check_device(const FiloGpu *gpu) {
    const FiloGpuLimits *limits = filo_gpu_limits(gpu);
    if (limits->kind == FILO_GPU_NULL)
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "the null device runs no shaders: use filo_placement_compute, which gives the same bytes");
    if (!limits->compute || !limits->storage || !limits->persistent_maps || limits->storage_slots < 5)
        return filo_error(
            FILO_ERROR_UNSUPPORTED,
            "%s has no compute shaders on this device (OpenGL 4.5 has): use filo_placement_compute, "
            "which gives the same bytes",
            limits->name);
    return filo_ok();
}

FiloResult filo_placement_gpu_create(FiloPlacementGpu **pgpu, FiloGpu *gpu,
                                     const FiloPlacementGpuDesc *desc) {
    if (pgpu == NULL) return FILO_MISTAKE("pass a pointer for what is created");
    *pgpu = NULL;
    if (gpu == NULL || desc == NULL || desc->placement == NULL)
        return FILO_MISTAKE("pass a device, and a description with a placement");
    if (!filo_gpu_on_thread(gpu)) return FILO_MISTAKE(PLACEMENT_GPU_THREAD);
    if (filo_gpu_in_pass(gpu)) return FILO_MISTAKE("filo_placement_gpu_create: end the pass first");
    FiloResult r = check_device(gpu);
    if (r.code != FILO_OK) return r;
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloPlacementGpu *made = filo_alloc_zero(allocator, sizeof *made, 0);
    if (made == NULL) return no_memory();
    made->gpu = gpu;
    made->placement = desc->placement;
    filo_placement_retain(made->placement);
    made->allocator = allocator;
    made->gpu_memory = desc->gpu_memory;
    r = setup(made);
    if (r.code != FILO_OK) {
        filo_placement_gpu_destroy(made);
        return r;
    }
    *pgpu = made;
    return r;
}

void filo_placement_gpu_destroy(FiloPlacementGpu *pgpu) {
    if (pgpu == NULL || !PLACEMENT_GPU_CHECK(pgpu)) return;
    placement_gpu_free_slots(pgpu);
    for (int i = 0; i < FILO_PLACEMENT_FOOTPRINTS; i++) {
        filo_gpu_pipeline_destroy(pgpu->gpu, pgpu->evaluate[i]);
        filo_gpu_pipeline_destroy(pgpu->gpu, pgpu->write[i]);
    }
    filo_gpu_pipeline_destroy(pgpu->gpu, pgpu->number);
    filo_gpu_buffer_destroy(pgpu->gpu, pgpu->data);
    filo_free(pgpu->allocator, pgpu->staging, pgpu->staging_size, 64);
    filo_placement_release(pgpu->placement);
    filo_free(pgpu->allocator, pgpu, sizeof *pgpu, 0);
}

FiloResult filo_placement_gpu_map_changed(FiloPlacementGpu *pgpu, int map, int x, int y, int width,
                                          int height) {
    if (placement_gpu_mistake(pgpu) != NULL) return FILO_MISTAKE("%s", placement_gpu_mistake(pgpu));
    if (width < 0 || height < 0 || x < 0 || y < 0)
        return FILO_MISTAKE("a rectangle of %d × %d texels at %d, %d is none", width, height, x, y);
    if (map < 0 || (size_t)map >= filo_placement_map_count(pgpu->placement))
        return FILO_MISTAKE("there is no map %d: pass what filo_placement_map_find returned", map);
    FiloShaderRows rows = filo_placement_shader_rows(pgpu->placement, map, y, height);
    if (rows.size == 0 || width == 0) return filo_ok();
    void *memory = placement_gpu_staging(pgpu, rows.size);
    if (memory == NULL) return no_memory();
    filo_placement_shader_rows_write(pgpu->placement, map, y, height, memory);
    filo_gpu_buffer_write(pgpu->gpu, pgpu->data, rows.offset, memory, rows.size);
    return filo_ok();
}
