// Passes: their state, which holds handles. draw.c resolves them.

#include "gpu/device.h"

// ---- Passes -------------------------------------------------------------------------------------------

// Finds the target; false if it cannot be drawn to.
static bool find_target(const FiloGpu *gpu, FiloRenderTarget handle, const GpuTarget **target) {
    *target = gpu_target_at(gpu, handle);
    if (handle.id == 0) return true;
    if (!FILO_CHECK(*target != NULL, "filo_gpu_begin_pass: this target has been destroyed, or never was"))
        return false;
    FiloTexture color = (*target)->color, depth = (*target)->depth;
    return FILO_CHECK((color.id == 0 || gpu_texture_at(gpu, color) != NULL) &&
                          (depth.id == 0 || gpu_texture_at(gpu, depth) != NULL),
                      "render target \"%s\": a texture of it has been destroyed", (*target)->label);
}

static void begin_compute(FiloGpu *gpu, const FiloGpuPass *pass) {
    if (!FILO_CHECK(gpu->limits.compute, "this device cannot compute: look at FiloGpuLimits") ||
        !FILO_CHECK(pass->target.id == 0 && !pass->clear, "a compute pass has no target, and clears nothing"))
        return;
    gpu->pass = (GpuPassState){ .active = true, .compute = true };
    gpu->stats.passes++;
    gpu->backend->begin_compute(gpu, pass);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_begin_pass");
}

void filo_gpu_begin_pass(FiloGpu *gpu, const FiloGpuPass *pass) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(pass != NULL, "describe the pass")) return;
    if (!FILO_CHECK(!gpu->pass.active, "end the pass before you begin another")) return;
    if (pass->compute) {
        begin_compute(gpu, pass);
        return;
    }
    const GpuTarget *target;
    if (!find_target(gpu, pass->target, &target)) return;
    if (target == NULL) {
        if (pass->width != 0 || pass->height != 0) {
            gpu->window_width = pass->width;
            gpu->window_height = pass->height;
        }
        if (!FILO_CHECK(gpu->window_width > 0 && gpu->window_height > 0,
                        "say how large the window is: the pass has %d x %d", pass->width, pass->height))
            return;
    }
    gpu->pass = (GpuPassState){
        .active = true,
        .target = pass->target,
        .width = target != NULL ? target->width : gpu->window_width,
        .height = target != NULL ? target->height : gpu->window_height,
    };
    gpu->stats.passes++;
    gpu->backend->begin_pass(gpu, target, pass);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_begin_pass");
}

void filo_gpu_end_pass(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(gpu->pass.active, "begin a pass before you end it")) return;
    if (gpu->pass.compute)
        gpu->backend->end_compute(gpu);
    else
        gpu->backend->end_pass(gpu);
    gpu->pass.active = false;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_end_pass");
}

bool gpu_in_pass(const FiloGpu *gpu, const char *function) {
    return GPU_CHECK(gpu) && FILO_CHECK(gpu->pass.active, "%s: begin a pass first", function);
}

bool gpu_in_draw_pass(const FiloGpu *gpu, const char *function) {
    return gpu_in_pass(gpu, function) &&
           FILO_CHECK(!gpu->pass.compute, "%s: this is a compute pass, which does not draw", function);
}

void filo_gpu_set_viewport(FiloGpu *gpu, int x, int y, int width, int height) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    if (!FILO_CHECK(width >= 0 && height >= 0, "a viewport of %d x %d cannot be", width, height)) return;
    gpu->backend->set_viewport(gpu, (GpuArea){ x, y, width, height });
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_viewport");
}

void filo_gpu_set_scissor(FiloGpu *gpu, int x, int y, int width, int height) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    if (!FILO_CHECK(width >= 0 && height >= 0, "a scissor of %d x %d cannot be", width, height)) return;
    gpu->backend->set_scissor(gpu, (GpuArea){ x, y, width, height });
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_scissor");
}

// ---- Pipeline and buffers -----------------------------------------------------------------------------

void filo_gpu_use(FiloGpu *gpu, FiloPipeline handle) {
    if (!gpu_in_pass(gpu, __func__)) return;
    GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (!FILO_CHECK(pipeline != NULL, "filo_gpu_use: this pipeline has been destroyed, or never was")) return;
    if (!FILO_CHECK(pipeline->compute == gpu->pass.compute, "pipeline \"%s\": use it in a pass that %s",
                    pipeline->label, pipeline->compute ? "computes" : "draws"))
        return;
    if (gpu->pass.pipeline.id == handle.id) return;
    gpu->pass.pipeline = handle;
    gpu->stats.pipeline_changes++;
    gpu->backend->use(gpu, pipeline);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_use");
}

void filo_gpu_set_vertices(FiloGpu *gpu, int slot, FiloBuffer handle, size_t offset) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_set_vertices: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(slot >= 0 && slot < FILO_GPU_BUFFERS, "there are slots 0 to %d for vertices, not %d",
                    FILO_GPU_BUFFERS - 1, slot))
        return;
    gpu->pass.vertices[slot] = (GpuBinding){ .buffer = handle, .offset = offset };
    gpu->backend->set_vertices(gpu, slot, buffer, offset);
}

void filo_gpu_set_indices(FiloGpu *gpu, FiloBuffer handle) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_set_indices: this buffer has been destroyed, or never was"))
        return;
    gpu->pass.indices = handle;
    gpu->backend->set_indices(gpu, buffer);
}

void filo_gpu_set_storage(FiloGpu *gpu, int slot, FiloBuffer handle, size_t offset, size_t size) {
    if (!gpu_in_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(gpu->limits.storage, "this device has no storage: look at FiloGpuLimits") ||
        !FILO_CHECK(buffer != NULL, "filo_gpu_set_storage: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(slot >= 0 && slot < gpu->limits.storage_slots,
                    "there are slots 0 to %d for storage, not %d", gpu->limits.storage_slots - 1, slot) ||
        !FILO_CHECK(offset % 256 == 0 && size > 0 && offset <= buffer->size && size <= buffer->size - offset,
                    "buffer \"%s\": give a part of it, from a multiple of 256 bytes on", buffer->label) ||
        !FILO_CHECK(size <= gpu->limits.storage_size,
                    "buffer \"%s\": a shader sees at most %zu bytes of it, not %zu", buffer->label,
                    gpu->limits.storage_size, size))
        return;
    gpu->pass.storage[slot] = (GpuBinding){ .buffer = handle, .offset = offset, .size = size };
    gpu->backend->set_storage(gpu, slot, buffer, offset, size);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_storage");
}

void filo_gpu_set_block(FiloGpu *gpu, int slot, FiloBuffer handle, size_t offset, size_t size) {
    if (!gpu_in_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_set_block: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(slot >= 0 && slot < FILO_GPU_BLOCKS, "there are slots 0 to %d for blocks, not %d",
                    FILO_GPU_BLOCKS - 1, slot) ||
        !FILO_CHECK(offset % 256 == 0 && size > 0 && offset <= buffer->size && size <= buffer->size - offset,
                    "buffer \"%s\": give a part of it, from a multiple of 256 bytes on", buffer->label))
        return;
    gpu->pass.blocks[slot] = (GpuBinding){ .buffer = handle, .offset = offset, .size = size };
    gpu->backend->set_block(gpu, slot, buffer, offset, size);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_block");
}
