// The device: creation, frames, statistics.
//
// Frames are counted from 0. When one ends, the backend creates a fence for it. `completed` advances as fences are
// signalled, always in the order of the frames. Rings know about the GPU only by this number.

#include "gpu/device.h"

#include <filo/threads.h>

#include <string.h>

void gpu_copy_label(char *label, const char *text, const char *default_text) {
    if (text == NULL || text[0] == '\0') text = default_text;
    size_t length = strnlen(text, GPU_LABEL - 1);
    memcpy(label, text, length);
    label[length] = '\0';
}

// ---- Lifetime ---------------------------------------------------------------------------------------------

FiloResult filo_gpu_create(FiloGpu **gpu, const FiloGpuDesc *desc) {
    if (gpu == NULL) return FILO_MISTAKE("say where to put the new device");
    *gpu = NULL;
    FiloGpuDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_heap();
    FiloGpu *made = filo_alloc_zero(allocator, sizeof *made, 0);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a graphics device");
    made->allocator = allocator;
    made->debug = desc->debug;
    made->thread = filo_thread_id();
    gpu_pool_init(&made->buffers, sizeof(GpuBuffer), allocator);
    gpu_pool_init(&made->textures, sizeof(GpuTexture), allocator);
    gpu_pool_init(&made->targets, sizeof(GpuTarget), allocator);
    gpu_pool_init(&made->pipelines, sizeof(GpuPipeline), allocator);
    gpu_pool_init(&made->fences, sizeof(GpuFence), allocator);
    gpu_pool_init(&made->timers, sizeof(GpuTimer), allocator);
    FiloResult result = desc->kind == FILO_GPU_NULL ? gpu_open_null(made) : gpu_open_gl(made, desc->kind);
    if (result.code != FILO_OK) {
        filo_free(allocator, made, sizeof *made, 0);
        return result;
    }
    GPU_REPORT_ERRORS(made, "filo_gpu_create");
    *gpu = made;
    return filo_ok();
}

// Calls `destroy` for every object in the pool, and frees the pool.
static void empty_pool(FiloGpu *gpu, GpuPool *pool, void (*destroy)(FiloGpu *gpu, void *object)) {
    for (uint32_t i = 0; i < pool->count; i++) {
        void *object = gpu_pool_at(pool, i);
        if (object != NULL) destroy(gpu, object);
    }
    gpu_pool_deinit(pool);
}

static void destroy_target(FiloGpu *gpu, void *object) { gpu->backend->target_destroy(gpu, object); }
static void destroy_texture(FiloGpu *gpu, void *object) { gpu->backend->texture_destroy(gpu, object); }
static void destroy_buffer(FiloGpu *gpu, void *object) { gpu->backend->buffer_destroy(gpu, object); }
static void destroy_pipeline(FiloGpu *gpu, void *object) { gpu_pipeline_free(gpu, object); }
static void destroy_fence(FiloGpu *gpu, void *object) { gpu->backend->fence_destroy(gpu, object); }
static void destroy_timer(FiloGpu *gpu, void *object) { gpu->backend->timer_destroy(gpu, object); }

void filo_gpu_destroy(FiloGpu *gpu) {
    if (gpu == NULL || !GPU_CHECK(gpu)) return;
    if (!FILO_CHECK(!gpu->pass.active, "end the pass before you destroy the device")) filo_gpu_end_pass(gpu);
    gpu->backend->finish(gpu);
    while (gpu->rings != NULL) filo_gpu_ring_destroy(gpu, gpu->rings);
    empty_pool(gpu, &gpu->targets, destroy_target);
    empty_pool(gpu, &gpu->pipelines, destroy_pipeline);
    empty_pool(gpu, &gpu->textures, destroy_texture);
    empty_pool(gpu, &gpu->buffers, destroy_buffer);
    empty_pool(gpu, &gpu->fences, destroy_fence);
    empty_pool(gpu, &gpu->timers, destroy_timer);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_destroy");
    gpu->backend->close(gpu);
    filo_free(gpu->allocator, gpu, sizeof *gpu, 0);
}

const FiloGpuLimits *filo_gpu_limits(const FiloGpu *gpu) {
    static const FiloGpuLimits none;
    return FILO_CHECK(gpu != NULL, GPU_NO_DEVICE) ? &gpu->limits : &none;
}

// ---- Threads and passes -----------------------------------------------------------------------------------

bool filo_gpu_on_thread(const FiloGpu *gpu) {
    return FILO_CHECK(gpu != NULL, GPU_NO_DEVICE) && gpu->thread == filo_thread_id();
}

bool filo_gpu_in_pass(const FiloGpu *gpu) { return GPU_CHECK(gpu) && gpu->pass.active; }

const char *gpu_mistake(const FiloGpu *gpu) {
    if (gpu == NULL) return GPU_NO_DEVICE;
    if (gpu->thread != filo_thread_id())
        return "a device belongs to the thread that created it: call its functions there";
    return NULL;
}

// ---- Statistics ------------------------------------------------------------------------------------------

FiloGpuStats filo_gpu_stats(const FiloGpu *gpu) {
    if (!GPU_CHECK(gpu)) return (FiloGpuStats){ 0 };
    FiloGpuStats stats = gpu->last_stats;
    stats.buffer_memory = gpu->stats.buffer_memory;
    stats.texture_memory = gpu->stats.texture_memory;
    stats.storage_memory = gpu->stats.storage_memory;
    return stats;
}

FiloGpuStats filo_gpu_stats_now(const FiloGpu *gpu) {
    return GPU_CHECK(gpu) ? gpu->stats : (FiloGpuStats){ 0 };
}

// ---- Frames -------------------------------------------------------------------------------------------

void gpu_set_completed(FiloGpu *gpu, uint64_t count) {
    if (count <= gpu->completed) return;
    gpu->completed = count;
    gpu_rings_complete(gpu);
}

void gpu_wait_frame(FiloGpu *gpu, uint64_t frame) {
    while (gpu->completed <= frame) {
        (void)gpu->backend->frame_done(gpu, gpu->completed, true);
        gpu_set_completed(gpu, gpu->completed + 1);
    }
}

void filo_gpu_end_frame(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu)) return;
    if (!FILO_CHECK(!gpu->pass.active, "end the pass before the frame: filo_gpu_end_pass"))
        filo_gpu_end_pass(gpu);
    gpu_rings_end_frame(gpu);
    // The slot of the new fence must be free.
    if (gpu->frame >= GPU_FENCES) gpu_wait_frame(gpu, gpu->frame - GPU_FENCES);
    gpu->backend->end_frame(gpu, gpu->frame);
    gpu->frame++;
    while (gpu->completed < gpu->frame && gpu->backend->frame_done(gpu, gpu->completed, false))
        gpu_set_completed(gpu, gpu->completed + 1);
    gpu_timers_read(gpu);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_end_frame");
    gpu->last_stats = gpu->stats;
    gpu->stats = (FiloGpuStats){ .buffer_memory = gpu->last_stats.buffer_memory,
                                 .texture_memory = gpu->last_stats.texture_memory,
                                 .storage_memory = gpu->last_stats.storage_memory };
}

void filo_gpu_finish(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu)) return;
    gpu->backend->finish(gpu);
    if (gpu->frame > 0) gpu_wait_frame(gpu, gpu->frame - 1);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_finish");
}
