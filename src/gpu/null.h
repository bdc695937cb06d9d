// What the files of the null device share.

#ifndef FILO_GPU_NULL_H
#define FILO_GPU_NULL_H

#include "gpu/device.h"

#define GPU_NULL_UNWRITTEN 0xDB // bytes that are not there yet

// A command that writes to a readback buffer, and has not been found completed.
typedef struct GpuNullWrite {
    FiloBuffer buffer;
    size_t offset, size;
    uint64_t command;
} GpuNullWrite;

struct GpuNull {
    FiloArray(char) text;    // of all calls, each with a terminating zero
    FiloArray(size_t) calls; // offsets of calls in `text`
    bool hold;
    uint64_t done;    // the simulated GPU has finished with all frames below this one
    uint64_t command; // number of the last copy, dispatch or fence
    uint64_t done_commands;
    FiloArray(GpuNullWrite) writes;
};

// Adds a call to the list.
void gpu_null_record(FiloGpu *gpu, const char *format, ...) FILO_PRINTF(2, 3);

// The program has found out that all commands up to this one are completed.
void gpu_null_complete_commands(FiloGpu *gpu, uint64_t command);

// The bytes that the simulated GPU has.
static inline uint8_t *gpu_null_bytes(const GpuBuffer *buffer) {
    return buffer->use == FILO_BUFFER_READBACK ? buffer->copy : buffer->memory;
}

// Functions of GpuBackend.
void gpu_null_buffer_copy(FiloGpu *gpu, GpuBuffer *to, size_t to_offset, const GpuBuffer *from,
                          size_t from_offset, size_t size);
void gpu_null_buffer_read(FiloGpu *gpu, const GpuBuffer *buffer, size_t offset, void *into, size_t size);
void gpu_null_begin_compute(FiloGpu *gpu, const FiloGpuPass *pass);
void gpu_null_dispatch(FiloGpu *gpu, const GpuDispatch *dispatch);
void gpu_null_barrier(FiloGpu *gpu, uint32_t barriers);
FiloResult gpu_null_fence_create(FiloGpu *gpu, GpuFence *fence);
bool gpu_null_fence_wait(FiloGpu *gpu, GpuFence *fence, int64_t timeout_ns);
void gpu_null_fence_destroy(FiloGpu *gpu, GpuFence *fence);

#endif
