// Buffers. Those of rings are created here too; only the ring writes and destroys them.

#include "gpu/device.h"

#include <string.h>

// Adds the bytes of a buffer to the statistics; its last act subtracts them.
static void count_memory(FiloGpu *gpu, const GpuBuffer *buffer, bool added) {
    if (buffer->borrowed) return;
    size_t change = added ? buffer->size : 0 - buffer->size;
    gpu->stats.buffer_memory += change;
    if (buffer->use == FILO_BUFFER_STORAGE) gpu->stats.storage_memory += change;
}

FiloResult gpu_buffer_create(FiloBuffer *handle, FiloGpu *gpu, const FiloBufferDesc *desc, bool of_ring) {
    *handle = (FiloBuffer){ 0 };
    uint32_t id;
    GpuBuffer *buffer = gpu_pool_add(&gpu->buffers, &id);
    if (buffer == NULL)
        return filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": no memory for its handle",
                          desc->label != NULL ? desc->label : "buffer");
    gpu_copy_label(buffer->label, desc->label, "buffer");
    buffer->use = desc->use;
    buffer->size = desc->size;
    buffer->constant = desc->constant;
    buffer->of_ring = of_ring;
    buffer->borrowed = desc->native != 0;
    FiloResult result = buffer->borrowed ? gpu->backend->buffer_borrow(gpu, buffer, desc->native)
                                         : gpu->backend->buffer_create(gpu, buffer, desc->data);
    if (result.code != FILO_OK) {
        gpu_pool_remove(&gpu->buffers, id);
        return result;
    }
    handle->id = id;
    count_memory(gpu, buffer, true);
    if (desc->data != NULL) gpu->stats.uploaded += desc->size;
    return result;
}

void gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer handle) {
    GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (buffer == NULL) return;
    count_memory(gpu, buffer, false);
    gpu->backend->buffer_destroy(gpu, buffer);
    gpu_pool_remove(&gpu->buffers, handle.id);
}

static FiloResult check_native(const FiloGpu *gpu, const FiloBufferDesc *desc, const char *label) {
    if (desc->native == 0) return filo_ok();
    if (desc->data != NULL || desc->use == FILO_BUFFER_READBACK)
        return FILO_MISTAKE(
            "buffer \"%s\": a buffer of another library has no data to start with, and is not for readback",
            label);
    if (gpu->backend->buffer_borrow == NULL)
        return filo_error(FILO_ERROR_UNSUPPORTED, "buffer \"%s\": the null device has no buffers of others",
                          label);
    return filo_ok();
}

static FiloResult check_use(const FiloGpu *gpu, const FiloBufferDesc *desc, const char *label) {
    if (desc->use == FILO_BUFFER_STORAGE && !gpu->limits.storage)
        return filo_error(FILO_ERROR_UNSUPPORTED, "buffer \"%s\": OpenGL 3.3 has no storage buffers", label);
    if (desc->use != FILO_BUFFER_READBACK) return filo_ok();
    if (desc->data != NULL || desc->constant)
        return FILO_MISTAKE("buffer \"%s\": a readback buffer has no data to start with", label);
    if (!gpu->limits.persistent_maps)
        return filo_error(FILO_ERROR_UNSUPPORTED,
                          "buffer \"%s\": OpenGL 3.3 has no readback buffers; use filo_gpu_buffer_read",
                          label);
    return filo_ok();
}

FiloResult filo_gpu_buffer_create(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc) {
    if (buffer == NULL) return FILO_MISTAKE("say where to put the new buffer");
    *buffer = (FiloBuffer){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (desc == NULL || (desc->size == 0 && desc->native == 0)) return FILO_MISTAKE("give the buffer a size");
    const char *label = desc->label != NULL ? desc->label : "buffer";
    if (desc->data == NULL && desc->constant && desc->native == 0)
        return FILO_MISTAKE("buffer \"%s\": it is constant, so give its data when it is made", label);
    FiloResult result = check_use(gpu, desc, label);
    if (result.code == FILO_OK) result = check_native(gpu, desc, label);
    if (result.code != FILO_OK) return result;
    result = gpu_buffer_create(buffer, gpu, desc, false);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_create");
    return result;
}

// ---- Writing, copying, reading ------------------------------------------------------------------------

static GpuBuffer *find(const FiloGpu *gpu, FiloBuffer handle, const char *function) {
    if (!GPU_CHECK(gpu)) return NULL;
    GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    (void)FILO_CHECK(buffer != NULL, "%s: this buffer has been destroyed, or never was", function);
    return buffer;
}

static bool is_inside(const GpuBuffer *buffer, size_t offset, size_t size) {
    return FILO_CHECK(offset <= buffer->size && size <= buffer->size - offset,
                      "buffer \"%s\": bytes %zu to %zu are not in its %zu", buffer->label, offset,
                      offset + size, buffer->size);
}

static bool may_be_written(const GpuBuffer *buffer) {
    return FILO_CHECK(!buffer->constant, "buffer \"%s\": it is constant; make it without that to write to it",
                      buffer->label) &&
           FILO_CHECK(!buffer->of_ring, "buffer \"%s\": it is a ring's; write into pieces of the ring",
                      buffer->label);
}

void filo_gpu_buffer_write(FiloGpu *gpu, FiloBuffer handle, size_t offset, const void *data, size_t size) {
    GpuBuffer *buffer = find(gpu, handle, __func__);
    if (buffer == NULL || !may_be_written(buffer) || !is_inside(buffer, offset, size)) return;
    if (!FILO_CHECK(buffer->use != FILO_BUFFER_READBACK,
                    "buffer \"%s\": the program only reads it; copy to it from another buffer",
                    buffer->label))
        return;
    if (size == 0) return;
    if (!FILO_CHECK(data != NULL, "buffer \"%s\": give the data to write", buffer->label)) return;
    gpu->backend->buffer_write(gpu, buffer, offset, data, size);
    gpu->stats.uploaded += size;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_write");
}

static bool outside_of_passes(const FiloGpu *gpu, const char *function) {
    return FILO_CHECK(!gpu->pass.active, "%s: end the pass first", function);
}

void filo_gpu_buffer_copy(FiloGpu *gpu, FiloBuffer to_handle, size_t to_offset, FiloBuffer from_handle,
                          size_t from_offset, size_t size) {
    GpuBuffer *to = find(gpu, to_handle, __func__);
    const GpuBuffer *from = to != NULL ? find(gpu, from_handle, __func__) : NULL;
    if (from == NULL || !outside_of_passes(gpu, __func__) || !may_be_written(to)) return;
    if (!is_inside(to, to_offset, size) || !is_inside(from, from_offset, size) || size == 0) return;
    if (!FILO_CHECK(to != from || to_offset >= from_offset + size || from_offset >= to_offset + size,
                    "buffer \"%s\": the parts to copy from and to overlap", to->label))
        return;
    gpu->backend->buffer_copy(gpu, to, to_offset, from, from_offset, size);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_copy");
}

void filo_gpu_buffer_read(FiloGpu *gpu, FiloBuffer handle, size_t offset, void *into, size_t size) {
    if (size == 0 || !FILO_CHECK(into != NULL, "say where to put the bytes")) return;
    const GpuBuffer *buffer = find(gpu, handle, __func__);
    if (buffer != NULL && outside_of_passes(gpu, __func__) && is_inside(buffer, offset, size)) {
        gpu->backend->buffer_read(gpu, buffer, offset, into, size);
        GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_read");
    } else {
        memset(into, 0, size);
    }
}

const void *filo_gpu_buffer_memory(const FiloGpu *gpu, FiloBuffer handle) {
    const GpuBuffer *buffer = find(gpu, handle, __func__);
    if (buffer == NULL ||
        !FILO_CHECK(buffer->use == FILO_BUFFER_READBACK,
                    "buffer \"%s\": only a readback buffer has memory to read", buffer->label))
        return NULL;
    return buffer->memory;
}

uint64_t filo_gpu_buffer_native(const FiloGpu *gpu, FiloBuffer handle) {
    const GpuBuffer *buffer = find(gpu, handle, __func__);
    return buffer != NULL ? buffer->name : 0;
}

void filo_gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer handle) {
    if (!GPU_CHECK(gpu) || handle.id == 0) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_buffer_destroy: this buffer has been destroyed already"))
        return;
    if (!FILO_CHECK(!buffer->of_ring, "buffer \"%s\": it is a ring's; destroy the ring", buffer->label))
        return;
    gpu_buffer_destroy(gpu, handle);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_destroy");
}
