// Compute pipelines and buffers for the tests of computing.

#ifndef FILO_TEST_GPU_COMPUTE_H
#define FILO_TEST_GPU_COMPUTE_H

#include "gpu/scene.h"

static inline FiloBuffer make_buffer(FiloGpu *gpu, FiloBufferUse use, size_t size, const void *data) {
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(
        &buffer, gpu, &(FiloBufferDesc){ .label = "numbers", .use = use, .size = size, .data = data }));
    return buffer;
}

static inline FiloPipeline make_compute(FiloGpu *gpu, const char *label, const char *text) {
    FiloPipeline pipeline;
    assert_ok(
        filo_gpu_pipeline_create(&pipeline, gpu, &(FiloPipelineDesc){ .label = label, .compute = text }));
    return pipeline;
}

static inline void begin_compute(FiloGpu *gpu) {
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "compute", .compute = true });
}

// Runs the body on OpenGL 4.5; skips the test without it.
static inline void on_45(void (*body)(FiloGpu *gpu)) { on_device(FILO_GPU_GL45, body); }

// Multiplies numbers by a factor.
#define TIMES                                                                                                \
    "layout(local_size_x = 64) in;\n"                                                                        \
    "layout(std430, binding = 3) buffer Numbers { uint numbers[]; };\n"                                      \
    "uniform uint count, factor;\n"                                                                          \
    "void main() {\n"                                                                                        \
    "    uint i = gl_GlobalInvocationID.x;\n"                                                                \
    "    if (i < count) numbers[i] *= factor;\n"                                                             \
    "}\n"
#define NUMBERS 1000

static inline void times(FiloGpu *gpu, FiloPipeline pipeline, FiloBuffer numbers, size_t offset,
                         uint32_t factor) {
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 3, numbers, offset, NUMBERS * sizeof(uint32_t));
    assert_true(filo_gpu_set_uint(gpu, "count", NUMBERS));
    assert_true(filo_gpu_set_uint(gpu, "factor", factor));
    filo_gpu_dispatch(gpu, (NUMBERS + 63) / 64, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_STORAGE | FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
}

#endif
