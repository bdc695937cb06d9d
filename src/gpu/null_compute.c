// Computing on the null device: copies, dispatches, barriers and fences. It runs no shader.
//
// Copies, dispatches and fences are numbered. Of a readback buffer the
// device has two sets of bytes: those of the simulated GPU, which copies change at once, and those that the program
// reads. A command that writes to a part of it makes this part unreadable for the program (GPU_NULL_UNWRITTEN). It
// becomes readable when the program finds a later fence signalled, or calls filo_gpu_finish. A program that reads too
// early therefore sees wrong bytes in every run, and not only on a slow GPU.

#include "gpu/null.h"

#include <stdio.h>
#include <string.h>

// ---- Readback buffers -------------------------------------------------------------------------------------

// Without memory for the list, the part is readable at once.
static void add_write(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, size_t size) {
    GpuNullWrite write = { { gpu_pool_id(&gpu->buffers, buffer) }, offset, size, gpu->null->command };
    if (filo_array_push(&gpu->null->writes, write))
        memset((uint8_t *)buffer->memory + offset, GPU_NULL_UNWRITTEN, size);
    else
        memcpy((uint8_t *)buffer->memory + offset, (uint8_t *)buffer->copy + offset, size);
}

void gpu_null_complete_commands(FiloGpu *gpu, uint64_t command) {
    GpuNull *null = gpu->null;
    null->done_commands = FILO_MAX(null->done_commands, command);
    size_t left = 0;
    for (size_t i = 0; i < null->writes.count; i++) {
        GpuNullWrite write = null->writes.items[i];
        const GpuBuffer *buffer = gpu_buffer_at(gpu, write.buffer);
        if (buffer == NULL) continue; // destroyed
        if (write.command > command)
            null->writes.items[left++] = write;
        else
            memcpy((uint8_t *)buffer->memory + write.offset, (uint8_t *)buffer->copy + write.offset,
                   write.size);
    }
    null->writes.count = left;
    // A later command may write to the same bytes.
    filo_array_each (&null->writes, write)
        memset((uint8_t *)gpu_buffer_at(gpu, write->buffer)->memory + write->offset, GPU_NULL_UNWRITTEN,
               write->size);
}

void gpu_null_buffer_copy(FiloGpu *gpu, GpuBuffer *to, size_t to_offset, const GpuBuffer *from,
                          size_t from_offset, size_t size) {
    gpu->null->command++;
    memcpy(gpu_null_bytes(to) + to_offset, gpu_null_bytes(from) + from_offset, size);
    if (to->use == FILO_BUFFER_READBACK) add_write(gpu, to, to_offset, size);
    gpu_null_record(gpu, "buffer_copy \"%s\" %zu \"%s\" %zu %zu", to->label, to_offset, from->label,
                    from_offset, size);
}

// Waits for all commands, as GL does.
void gpu_null_buffer_read(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, void *into, size_t size) {
    gpu->null->done_commands = gpu->null->command;
    memcpy(into, gpu_null_bytes(buffer) + offset, size);
    gpu_null_record(gpu, "buffer_read \"%s\" %zu %zu", buffer->label, offset, size);
}

// ---- Dispatches and barriers --------------------------------------------------------------------------

void gpu_null_begin_compute(FiloGpu *gpu, const FiloGpuPass *pass) {
    gpu_null_record(gpu, "begin_pass \"%s\" compute", pass->label != NULL ? pass->label : "compute");
}

void gpu_null_dispatch(FiloGpu *gpu, const GpuDispatch *dispatch) {
    gpu->null->command++;
    // The shader may write to all storage that is set.
    for (int i = 0; i < FILO_GPU_STORAGE_SLOTS; i++) {
        const GpuBinding *storage = &gpu->pass.storage[i];
        const GpuBuffer *buffer = gpu_buffer_at(gpu, storage->buffer);
        if (buffer != NULL && buffer->use == FILO_BUFFER_READBACK)
            add_write(gpu, buffer, storage->offset, storage->size);
    }
    if (dispatch->indirect != NULL)
        gpu_null_record(gpu, "dispatch_indirect \"%s\" %zu", dispatch->indirect->label, dispatch->offset);
    else
        gpu_null_record(gpu, "dispatch %d %d %d", dispatch->groups[0], dispatch->groups[1],
                        dispatch->groups[2]);
}

void gpu_null_barrier(FiloGpu *gpu, uint32_t barriers) {
    static const char *const names[] = { "storage", "vertices", "indirect", "copy", "readback", "texels" };
    char text[64] = "";
    size_t length = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++)
        if (barriers >> i & 1)
            length += (size_t)snprintf(text + length, sizeof text - length, " %s", names[i]);
    gpu_null_record(gpu, "barrier%s", text);
}

// ---- Fences -------------------------------------------------------------------------------------------

// A program without frames asks until the answer is yes.
#define QUESTIONS 3

FiloResult gpu_null_fence_create(FiloGpu *gpu, GpuFence *fence) {
    fence->frame = gpu->frame;
    fence->command = ++gpu->null->command;
    gpu_null_record(gpu, "fence_create \"%s\"", fence->label);
    return filo_ok();
}

bool gpu_null_fence_wait(FiloGpu *gpu, GpuFence *fence, int64_t timeout_ns) {
    GpuNull *null = gpu->null;
    bool done = fence->frame < null->done || fence->command <= null->done_commands;
    if (!done && timeout_ns != 0) {
        gpu_null_record(gpu, "wait for fence \"%s\"", fence->label);
        done = true;
    }
    if (!done && !null->hold && ++fence->asked >= QUESTIONS) done = true;
    if (!done) return false;
    null->done = FILO_MAX(null->done, fence->frame);
    gpu_null_complete_commands(gpu, fence->command);
    return true;
}

void gpu_null_fence_destroy(FiloGpu *gpu, GpuFence *fence) {
    gpu_null_record(gpu, "fence_destroy \"%s\"", fence->label);
}
