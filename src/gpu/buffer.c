// Buffers. Those of rings are created here too; only the ring writes and destroys them.

#include "gpu/device.h"

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
    FiloResult result = gpu->backend->buffer_create(gpu, buffer, desc->data);
    if (result.code != FILO_OK) {
        gpu_pool_remove(&gpu->buffers, id);
        return result;
    }
    handle->id = id;
    gpu->stats.buffer_memory += desc->size;
    if (desc->data != NULL) gpu->stats.uploaded += desc->size;
    return result;
}

void gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer handle) {
    GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (buffer == NULL) return;
    gpu->stats.buffer_memory -= buffer->size;
    gpu->backend->buffer_destroy(gpu, buffer);
    gpu_pool_remove(&gpu->buffers, handle.id);
}

FiloResult filo_gpu_buffer_create(FiloBuffer *buffer, FiloGpu *gpu, const FiloBufferDesc *desc) {
    if (buffer == NULL) return FILO_MISTAKE("say where to put the new buffer");
    *buffer = (FiloBuffer){ 0 };
    if (gpu == NULL) return FILO_MISTAKE(GPU_NO_DEVICE);
    if (desc == NULL || desc->size == 0) return FILO_MISTAKE("give the buffer a size");
    const char *label = desc->label != NULL ? desc->label : "buffer";
    if (desc->data == NULL && desc->constant)
        return FILO_MISTAKE("buffer \"%s\": it is constant, so give its data when it is made", label);
    if (desc->use == FILO_BUFFER_STORAGE && !gpu->limits.storage)
        return filo_error(FILO_ERROR_UNSUPPORTED, "buffer \"%s\": OpenGL 3.3 has no storage buffers", label);
    FiloResult result = gpu_buffer_create(buffer, gpu, desc, false);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_create");
    return result;
}

void filo_gpu_buffer_write(FiloGpu *gpu, FiloBuffer handle, size_t offset, const void *data, size_t size) {
    if (!GPU_CHECK(gpu)) return;
    GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_buffer_write: this buffer has been destroyed, or never was"))
        return;
    if (!FILO_CHECK(!buffer->constant, "buffer \"%s\": it is constant; make it without that to write to it",
                    buffer->label))
        return;
    if (!FILO_CHECK(!buffer->of_ring, "buffer \"%s\": it is a ring's; write into pieces of the ring",
                    buffer->label))
        return;
    if (!FILO_CHECK(offset <= buffer->size && size <= buffer->size - offset,
                    "buffer \"%s\": bytes %zu to %zu are not in its %zu", buffer->label, offset,
                    offset + size, buffer->size))
        return;
    if (size == 0) return;
    if (!FILO_CHECK(data != NULL, "buffer \"%s\": give the data to write", buffer->label)) return;
    gpu->backend->buffer_write(gpu, buffer, offset, data, size);
    gpu->stats.uploaded += size;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_buffer_write");
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
