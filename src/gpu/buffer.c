// Buffers. Those of rings are made here too; the caller never writes or destroys these himself.

#include "gpu/device.h"

FiloBuffer filo_gpu_buffer_add(FiloGpu *gpu, const FiloBufferDesc *desc, bool of_ring, FiloResult *result) {
    FiloBuffer handle = { 0 };
    FiloGpuBuffer *buffer = filo_gpu_pool_add(&gpu->buffers, &handle.id);
    if (buffer == NULL) {
        *result = filo_error(FILO_ERROR_MEMORY, "buffer \"%s\": no memory for its handle",
                             desc->label != NULL ? desc->label : "buffer");
        return (FiloBuffer){ 0 };
    }
    filo_gpu_copy_label(buffer->label, desc->label, "buffer");
    buffer->use = desc->use;
    buffer->size = desc->size;
    buffer->constant = desc->constant;
    buffer->of_ring = of_ring;
    *result = gpu->backend->buffer_create(gpu, buffer, desc->data);
    if (result->code != FILO_OK) {
        filo_gpu_pool_remove(&gpu->buffers, handle.id);
        return (FiloBuffer){ 0 };
    }
    gpu->stats.buffer_memory += desc->size;
    if (desc->data != NULL) gpu->stats.uploaded += desc->size;
    return handle;
}

void filo_gpu_buffer_drop(FiloGpu *gpu, FiloBuffer handle) {
    FiloGpuBuffer *buffer = filo_gpu_buffer_at(gpu, handle);
    if (buffer == NULL) return;
    gpu->stats.buffer_memory -= buffer->size;
    gpu->backend->buffer_destroy(gpu, buffer);
    filo_gpu_pool_remove(&gpu->buffers, handle.id);
}

FiloBuffer filo_gpu_buffer_create(FiloGpu *gpu, const FiloBufferDesc *desc, FiloResult *result) {
    filo_gpu_answer(result, filo_error(FILO_ERROR_ARGUMENT, "filo_gpu_buffer_create: a wrong description"));
    if (!FILO_GPU_CHECK(gpu) || !FILO_CHECK(desc != NULL && desc->size > 0, "give the buffer a size"))
        return (FiloBuffer){ 0 };
    const char *label = desc->label != NULL ? desc->label : "buffer";
    if (!FILO_CHECK(desc->data != NULL || !desc->constant,
                    "buffer \"%s\": it is constant, so give its data when it is made", label))
        return (FiloBuffer){ 0 };
    FiloResult outcome;
    FiloBuffer buffer = { 0 };
    if (desc->use == FILO_BUFFER_STORAGE && !gpu->limits.storage)
        outcome =
            filo_error(FILO_ERROR_UNSUPPORTED, "buffer \"%s\": OpenGL 3.3 has no storage buffers", label);
    else
        buffer = filo_gpu_buffer_add(gpu, desc, false, &outcome);
    FILO_GPU_AFTER(gpu, "filo_gpu_buffer_create");
    filo_gpu_answer(result, outcome);
    return buffer;
}

void filo_gpu_buffer_write(FiloGpu *gpu, FiloBuffer handle, size_t offset, const void *data, size_t size) {
    if (!FILO_GPU_CHECK(gpu)) return;
    FiloGpuBuffer *buffer = filo_gpu_buffer_at(gpu, handle);
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
    FILO_GPU_AFTER(gpu, "filo_gpu_buffer_write");
}

void filo_gpu_buffer_destroy(FiloGpu *gpu, FiloBuffer handle) {
    if (!FILO_GPU_CHECK(gpu) || handle.id == 0) return;
    const FiloGpuBuffer *buffer = filo_gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_buffer_destroy: this buffer has been destroyed already"))
        return;
    if (!FILO_CHECK(!buffer->of_ring, "buffer \"%s\": it is a ring's; destroy the ring", buffer->label))
        return;
    filo_gpu_buffer_drop(gpu, handle);
    FILO_GPU_AFTER(gpu, "filo_gpu_buffer_destroy");
}
