// Dispatches, barriers and fences. pass.c has what compute passes share with those that draw.

#include "gpu/device.h"

// ---- Dispatches ---------------------------------------------------------------------------------------

static void dispatch_checked(FiloGpu *gpu, GpuDispatch *dispatch) {
    dispatch->pipeline = gpu_pipeline_at(gpu, gpu->pass.pipeline);
    if (!FILO_CHECK(dispatch->pipeline != NULL, "use a pipeline before you dispatch") ||
        !gpu_find_samplers(gpu, dispatch->pipeline, dispatch->samplers, "dispatch") ||
        !gpu_check_storage(gpu, dispatch->pipeline, "dispatch") ||
        !gpu_check_blocks(gpu, dispatch->pipeline, "dispatch"))
        return;
    gpu->stats.dispatches++;
    gpu->backend->dispatch(gpu, dispatch);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_dispatch");
}

static bool in_compute_pass(const FiloGpu *gpu, const char *function) {
    return gpu_in_pass(gpu, function) &&
           FILO_CHECK(gpu->pass.compute, "%s: this pass draws; begin one with `compute`", function);
}

void filo_gpu_dispatch(FiloGpu *gpu, int x, int y, int z) {
    if (!in_compute_pass(gpu, __func__)) return;
    GpuDispatch dispatch = { .groups = { x, y, z } };
    bool any = true;
    for (int i = 0; i < 3; i++) {
        if (!FILO_CHECK(dispatch.groups[i] >= 0 && dispatch.groups[i] <= gpu->limits.work_groups[i],
                        "%d work groups in %c; there are 0 to %d", dispatch.groups[i], "xyz"[i],
                        gpu -> limits.work_groups[i]))
            return;
        any = any && dispatch.groups[i] > 0;
    }
    if (any) dispatch_checked(gpu, &dispatch);
}

void filo_gpu_dispatch_indirect(FiloGpu *gpu, FiloBuffer handle, size_t offset) {
    if (!in_compute_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL,
                    "filo_gpu_dispatch_indirect: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(offset % 4 == 0 && buffer->size >= 12 && offset <= buffer->size - 12,
                    "buffer \"%s\": there are no three numbers at byte %zu of its %zu", buffer->label, offset,
                    buffer->size))
        return;
    dispatch_checked(gpu, &(GpuDispatch){ .indirect = buffer, .offset = offset });
}

void filo_gpu_barrier(FiloGpu *gpu, uint32_t barriers) {
    const uint32_t all = FILO_BARRIER_STORAGE | FILO_BARRIER_VERTICES | FILO_BARRIER_INDIRECT |
                         FILO_BARRIER_COPY | FILO_BARRIER_READBACK | FILO_BARRIER_TEXELS;
    if (!GPU_CHECK(gpu) || !FILO_CHECK((barriers & ~all) == 0, "there is no barrier 0x%x", barriers & ~all))
        return;
    // Without storage buffers shaders write nothing that a barrier would be for.
    if (barriers == 0 || gpu->backend->barrier == NULL) return;
    gpu->backend->barrier(gpu, barriers);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_barrier");
}

// ---- Fences -------------------------------------------------------------------------------------------

FiloResult filo_gpu_fence_create(FiloGpuFence *handle, FiloGpu *gpu, const char *label) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new fence");
    *handle = (FiloGpuFence){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (gpu->pass.active) return FILO_MISTAKE("end the pass before you create a fence");
    uint32_t id;
    GpuFence *fence = gpu_pool_add(&gpu->fences, &id);
    if (fence == NULL)
        return filo_error(FILO_ERROR_MEMORY, "fence \"%s\": no memory", label != NULL ? label : "fence");
    gpu_copy_label(fence->label, label, "fence");
    FiloResult result = gpu->backend->fence_create(gpu, fence);
    if (result.code == FILO_OK)
        handle->id = id;
    else
        gpu_pool_remove(&gpu->fences, id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_fence_create");
    return result;
}

static bool wait_checked(FiloGpu *gpu, FiloGpuFence handle, int64_t timeout_ns, const char *function) {
    if (!GPU_CHECK(gpu)) return true;
    GpuFence *fence = gpu_pool_get(&gpu->fences, handle.id);
    if (!FILO_CHECK(fence != NULL, "%s: this fence has been destroyed, or never was", function)) return true;
    if (!fence->signalled) {
        fence->signalled = gpu->backend->fence_wait(gpu, fence, timeout_ns);
        GPU_REPORT_ERRORS(gpu, function);
    }
    return fence->signalled;
}

bool filo_gpu_fence_signalled(FiloGpu *gpu, FiloGpuFence fence) {
    return wait_checked(gpu, fence, 0, __func__);
}

bool filo_gpu_fence_wait(FiloGpu *gpu, FiloGpuFence fence, int64_t timeout_ns) {
    return wait_checked(gpu, fence, timeout_ns, __func__);
}

void filo_gpu_fence_destroy(FiloGpu *gpu, FiloGpuFence handle) {
    if (!GPU_CHECK(gpu) || handle.id == 0) return;
    GpuFence *fence = gpu_pool_get(&gpu->fences, handle.id);
    if (!FILO_CHECK(fence != NULL, "filo_gpu_fence_destroy: this fence has been destroyed already")) return;
    gpu->backend->fence_destroy(gpu, fence);
    gpu_pool_remove(&gpu->fences, handle.id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_fence_destroy");
}
