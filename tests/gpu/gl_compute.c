// Compute pipelines, copies, barriers, fences and readback buffers on OpenGL 4.5, and what is refused on 3.3.

#include "gpu/scene.h"

#include <filo/threads.h>

#include <epoxy/gl.h>

// ---- Helpers ------------------------------------------------------------------------------------------

static FiloBuffer make_buffer(FiloGpu *gpu, FiloBufferUse use, size_t size, const void *data) {
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(
        &buffer, gpu, &(FiloBufferDesc){ .label = "numbers", .use = use, .size = size, .data = data }));
    return buffer;
}

static FiloPipeline make_compute(FiloGpu *gpu, const char *label, const char *text) {
    FiloPipeline pipeline;
    assert_ok(
        filo_gpu_pipeline_create(&pipeline, gpu, &(FiloPipelineDesc){ .label = label, .compute = text }));
    return pipeline;
}

static void begin_compute(FiloGpu *gpu) {
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .label = "compute", .compute = true });
}

// Runs the body on OpenGL 4.5; skips the test without it.
static void on_45(void (*body)(FiloGpu *gpu)) {
    filo_test_gl_context(4, 5);
    LogCount log;
    log_count_begin(&log);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_GL45, .debug = true }));
    body(gpu);
    filo_gpu_destroy(gpu);
    log_count_end(&log);
    if (log.count > 0) fail_msg("%d messages in the log, the last: %s", log.count, log.last);
    filo_test_gl_context_end();
}

// ---- Dispatches ---------------------------------------------------------------------------------------

#define TIMES                                                                                                \
    "layout(local_size_x = 64) in;\n"                                                                        \
    "layout(std430, binding = 3) buffer Numbers { uint numbers[]; };\n"                                      \
    "uniform uint count, factor;\n"                                                                          \
    "void main() {\n"                                                                                        \
    "    uint i = gl_GlobalInvocationID.x;\n"                                                                \
    "    if (i < count) numbers[i] *= factor;\n"                                                             \
    "}\n"
#define COUNT 1000

static void times(FiloGpu *gpu, FiloPipeline pipeline, FiloBuffer numbers, size_t offset, uint32_t factor) {
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 3, numbers, offset, COUNT * sizeof(uint32_t));
    assert_true(filo_gpu_set_uint(gpu, "count", COUNT));
    assert_true(filo_gpu_set_uint(gpu, "factor", factor));
    filo_gpu_dispatch(gpu, (COUNT + 63) / 64, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_STORAGE | FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
}

static void doubling(FiloGpu *gpu) {
    uint32_t numbers[64 + COUNT + 1];
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++) numbers[i] = i;
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloPipeline pipeline = make_compute(gpu, "times", TIMES);
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 2);
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 0).type, FILO_UNIFORM_UINT);
    times(gpu, pipeline, buffer, 256, 2);
    uint32_t found[FILO_COUNT_OF(numbers)];
    filo_gpu_buffer_read(gpu, buffer, 0, found, sizeof found);
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++)
        assert_int_equal(found[i], i >= 64 && i < 64 + COUNT ? 2 * i : i);
    assert_int_equal(filo_gpu_stats_now(gpu).dispatches, 1);
    assert_int_equal(filo_gpu_stats_now(gpu).storage_memory, sizeof numbers);
    // A part of it.
    filo_gpu_buffer_read(gpu, buffer, 65 * sizeof(uint32_t), found, 2 * sizeof(uint32_t));
    assert_int_equal(found[0], 130);
    assert_int_equal(found[1], 132);
    filo_gpu_buffer_destroy(gpu, buffer);
    assert_int_equal(filo_gpu_stats_now(gpu).storage_memory, 0);
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, 0);
}
FILO_TEST(a_compute_shader_doubles_numbers) { on_45(doubling); }

// Sums of 256 numbers per work group, then sums of these sums are added.
#define SUMS_FIRST                                                                                           \
    "layout(local_size_x = 256) in;\n"                                                                       \
    "layout(std430, binding = 0) readonly buffer Numbers { uint numbers[]; };\n"                             \
    "layout(std430, binding = 1) writeonly buffer Sums { uint sums[]; };\n"                                  \
    "layout(std430, binding = 11) writeonly buffer Totals { uint totals[]; };\n"                             \
    "shared uint group[256];\n"                                                                              \
    "void main() {\n"                                                                                        \
    "    uint i = gl_GlobalInvocationID.x, local = gl_LocalInvocationID.x;\n"                                \
    "    group[local] = numbers[i];\n"                                                                       \
    "    barrier();\n"                                                                                       \
    "    for (uint step = 1u; step < 256u; step *= 2u) {\n"                                                  \
    "        uint before = local >= step ? group[local - step] : 0u;\n"                                      \
    "        barrier();\n"                                                                                   \
    "        group[local] += before;\n"                                                                      \
    "        barrier();\n"                                                                                   \
    "    }\n"                                                                                                \
    "    sums[i] = group[local];\n"                                                                          \
    "    if (local == 255u) totals[gl_WorkGroupID.x] = group[local];\n"                                      \
    "}\n"
#define SUMS_SECOND                                                                                          \
    "layout(local_size_x = 256) in;\n"                                                                       \
    "layout(std430, binding = 1) buffer Sums { uint sums[]; };\n"                                            \
    "layout(std430, binding = 11) readonly buffer Totals { uint totals[]; };\n"                              \
    "void main() {\n"                                                                                        \
    "    uint before = 0u;\n"                                                                                \
    "    for (uint i = 0u; i < gl_WorkGroupID.x; i++) before += totals[i];\n"                                \
    "    sums[gl_GlobalInvocationID.x] += before;\n"                                                         \
    "}\n"
#define GROUPS 40

static void prefix_sums(FiloGpu *gpu) {
    uint32_t numbers[GROUPS * 256], found[GROUPS * 256];
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++) numbers[i] = i * 2654435761u >> 20;
    FiloPipeline first = make_compute(gpu, "sums of groups", SUMS_FIRST);
    FiloPipeline second = make_compute(gpu, "sums", SUMS_SECOND);
    FiloBuffer input = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloBuffer sums = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, NULL);
    FiloBuffer totals = make_buffer(gpu, FILO_BUFFER_STORAGE, GROUPS * sizeof(uint32_t), NULL);
    begin_compute(gpu);
    filo_gpu_use(gpu, first);
    filo_gpu_set_storage(gpu, 0, input, 0, sizeof numbers);
    filo_gpu_set_storage(gpu, 1, sums, 0, sizeof numbers);
    filo_gpu_set_storage(gpu, 11, totals, 0, GROUPS * sizeof(uint32_t));
    filo_gpu_dispatch(gpu, GROUPS, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_STORAGE);
    filo_gpu_use(gpu, second); // buffers stay set
    filo_gpu_dispatch(gpu, GROUPS, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_read(gpu, sums, 0, found, sizeof found);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++) {
        sum += numbers[i];
        assert_int_equal(found[i], sum);
    }
}
FILO_TEST(a_second_dispatch_reads_after_a_barrier_what_the_first_wrote) { on_45(prefix_sums); }

#define INDIRECT                                                                                             \
    "layout(local_size_x = 1) in;\n"                                                                         \
    "layout(std430, binding = 0) buffer Groups { uint groups[]; };\n"                                        \
    "layout(std430, binding = 1) buffer Count { uint count; };\n"                                            \
    "uniform bool prepare;\n"                                                                                \
    "void main() {\n"                                                                                        \
    "    if (prepare) { groups[64] = 5u; groups[65] = 3u; groups[66] = 2u; }\n"                              \
    "    else atomicAdd(count, 1u);\n"                                                                       \
    "}\n"

static void indirect(FiloGpu *gpu) {
    FiloPipeline pipeline = make_compute(gpu, "indirect", INDIRECT);
    FiloBuffer groups = make_buffer(gpu, FILO_BUFFER_STORAGE, 512, NULL);
    uint32_t count = 0;
    FiloBuffer counter = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof count, &count);
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, groups, 0, 512);
    filo_gpu_set_storage(gpu, 1, counter, 0, sizeof count);
    filo_gpu_set_int(gpu, "prepare", true);
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_dispatch(gpu, 0, 1, 1); // runs nothing
    filo_gpu_barrier(gpu, FILO_BARRIER_INDIRECT);
    filo_gpu_set_int(gpu, "prepare", false);
    filo_gpu_dispatch_indirect(gpu, groups, 256);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_read(gpu, counter, 0, &count, sizeof count);
    assert_int_equal(count, 5 * 3 * 2);
    assert_int_equal(filo_gpu_stats_now(gpu).dispatches, 2);
}
FILO_TEST(a_dispatch_takes_its_work_groups_from_a_buffer) { on_45(indirect); }

#define UNIFORMS                                                                                             \
    "layout(local_size_x = 1) in;\n"                                                                         \
    "layout(std430, binding = 0) buffer Found { uvec4 found[4]; };\n"                                        \
    "uniform uvec4 a;\nuniform uvec2 b[2];\nuniform ivec4 c;\nuniform uint d;\nuniform sampler2D picture;\n" \
    "void main() {\n"                                                                                        \
    "    found[0] = a;\n"                                                                                    \
    "    found[1] = uvec4(b[0], b[1]);\n"                                                                    \
    "    found[2] = uvec4(c);\n"                                                                             \
    "    found[3] = uvec4(d, uvec3(texelFetch(picture, ivec2(1, 0), 0).rgb * 255.0 + 0.5));\n"               \
    "}\n"

static void uniforms_and_textures(FiloGpu *gpu) {
    FiloPipeline pipeline = make_compute(gpu, "uniforms", UNIFORMS);
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, 64, NULL);
    FiloColor pixels[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .width = 2, .height = 1, .data = pixels }));
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, buffer, 0, 64);
    assert_true(filo_gpu_set_uvec4(gpu, "a", (uint32_t[]){ 1, UINT32_MAX, 0x7FC00001, 0x80000000 }));
    assert_true(filo_gpu_set_uvec2(gpu, "b", (uint32_t[]){ 10, 11 }));
    assert_true(filo_gpu_set_uvec2(gpu, "b[1]", (uint32_t[]){ 12, 13 }));
    assert_true(filo_gpu_set_ivec4(gpu, "c", (int32_t[]){ -1, INT32_MIN, 3, 0 }));
    assert_true(filo_gpu_set_uint(gpu, "d", 0xFFC00000));
    assert_true(filo_gpu_set_texture(gpu, "picture", texture));
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    static const uint32_t expected[16] = { 1,          UINT32_MAX, 0x7FC00001, 0x80000000, 10, 11,
                                           12,         13,         UINT32_MAX, 0x80000000, 3,  0,
                                           0xFFC00000, 5,          6,          7 };
    uint32_t found[16];
    filo_gpu_buffer_read(gpu, buffer, 0, found, sizeof found);
    assert_memory_equal(found, expected, sizeof found);
}
FILO_TEST(integer_uniforms_and_textures_reach_a_compute_shader) { on_45(uniforms_and_textures); }

// ---- Replacing and errors -----------------------------------------------------------------------------

static void replacing(FiloGpu *gpu) {
    FiloPipeline none = { 7 };
    FiloPipelineDesc desc = { .label = "sums",
                              .compute = "layout(local_size_x = 1) in;\n\nvoid main() { x; }" };
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sums (compute shader), line 3: ");
    assert_int_equal(none.id, 0);
    desc.compute = "layout(local_size_x = 1) in;\nlayout(std430, binding = 16) buffer B { uint b; };\n"
                   "void main() { b = 1u; }";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_LIMIT,
                 "sums: there are 16 storage slots, from 0 on");
    desc.compute = "#version 430\nvoid main() {}";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "sums (compute shader), line 1: leave out #version");
    // Replaced, with the value of a uniform that stays.
    uint32_t numbers[COUNT] = { 1, 2, 3 };
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloPipeline pipeline = make_compute(gpu, "times", TIMES);
    times(gpu, pipeline, buffer, 0, 10);
    assert_error(filo_gpu_pipeline_replace_compute(gpu, pipeline, "void main() { x; }"), FILO_ERROR_DATA,
                 "times (compute shader), line 1: ");
    assert_ok(
        filo_gpu_pipeline_replace_compute(gpu, pipeline,
                                          "layout(local_size_x = 1) in;\nuniform uint factor;\n"
                                          "layout(std430, binding = 0) buffer N { uint numbers[]; };\n"
                                          "void main() { numbers[gl_GlobalInvocationID.x] += factor; }"));
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, buffer, 0, sizeof numbers);
    filo_gpu_dispatch(gpu, 2, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_read(gpu, buffer, 0, numbers, sizeof numbers);
    assert_int_equal(numbers[0], 20);
    assert_int_equal(numbers[1], 30);
    assert_int_equal(numbers[2], 30);
    filo_gpu_pipeline_destroy(gpu, pipeline);
}
FILO_TEST(compute_shaders_are_replaced_and_broken_ones_are_reported) { on_45(replacing); }

// ---- Fences and readback ------------------------------------------------------------------------------

#define FLIGHTS 5

typedef struct Flight {
    FiloBuffer numbers, readback;
    FiloGpuFence fence;
    bool done;
} Flight;

static void start_flight(FiloGpu *gpu, FiloPipeline pipeline, Flight *flight, uint32_t number) {
    uint32_t numbers[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) numbers[i] = i + 1;
    flight->numbers = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    flight->readback = make_buffer(gpu, FILO_BUFFER_READBACK, sizeof numbers, NULL);
    times(gpu, pipeline, flight->numbers, 0, number);
    filo_gpu_buffer_copy(gpu, flight->readback, 0, flight->numbers, 0, sizeof numbers);
    assert_ok(filo_gpu_fence_create(&flight->fence, gpu, "flight"));
}

static void check_flight(FiloGpu *gpu, Flight *flight, uint32_t number) {
    const uint32_t *found = filo_gpu_buffer_memory(gpu, flight->readback);
    for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(found[i], (i + 1) * number);
    filo_gpu_fence_destroy(gpu, flight->fence);
    filo_gpu_buffer_destroy(gpu, flight->numbers);
    filo_gpu_buffer_destroy(gpu, flight->readback);
    flight->done = true;
}

static void in_flight(FiloGpu *gpu) {
    FiloPipeline pipeline = make_compute(gpu, "times", TIMES);
    Flight flights[FLIGHTS] = { 0 };
    for (uint32_t i = 0; i < FLIGHTS; i++) start_flight(gpu, pipeline, &flights[i], i + 2);
    // The last one first; then the others are done too.
    assert_true(filo_gpu_fence_wait(gpu, flights[FLIGHTS - 1].fence, -1));
    assert_true(filo_gpu_fence_signalled(gpu, flights[FLIGHTS - 1].fence));
    assert_true(filo_gpu_fence_signalled(gpu, flights[0].fence));
    check_flight(gpu, &flights[FLIGHTS - 1], FLIGHTS + 1);
    for (uint32_t done = 1; done < FLIGHTS;) {
        for (uint32_t i = 0; i < FLIGHTS; i++) {
            if (flights[i].done || !filo_gpu_fence_signalled(gpu, flights[i].fence)) continue;
            check_flight(gpu, &flights[i], i + 2);
            done++;
        }
    }
    // One that is destroyed while it is in flight.
    start_flight(gpu, pipeline, &flights[0], 3);
    filo_gpu_fence_destroy(gpu, flights[0].fence);
}
FILO_TEST(several_computations_are_in_flight_and_each_has_its_fence) { on_45(in_flight); }

static void direct_readback(FiloGpu *gpu) {
    // A shader writes to the memory that the program reads.
    FiloPipeline pipeline = make_compute(
        gpu, "direct",
        "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer N { uint numbers[]; };\n"
        "void main() { numbers[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u; }");
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 1024, NULL);
    assert_int_equal(filo_gpu_stats_now(gpu).storage_memory, 0);
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, readback, 256, 400);
    filo_gpu_dispatch(gpu, 100, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_READBACK);
    filo_gpu_end_pass(gpu);
    FiloGpuFence fence;
    assert_ok(filo_gpu_fence_create(&fence, gpu, NULL));
    assert_true(filo_gpu_fence_wait(gpu, fence, INT64_MAX));
    const uint32_t *found = (const uint32_t *)filo_gpu_buffer_memory(gpu, readback) + 64;
    for (uint32_t i = 0; i < 100; i++) assert_int_equal(found[i], i * 3);
}
FILO_TEST(a_shader_writes_to_a_readback_buffer) { on_45(direct_readback); }

// ---- On both devices --------------------------------------------------------------------------------------

static void copies(FiloGpu *gpu) {
    uint8_t bytes[100], found[100];
    for (int i = 0; i < 100; i++) bytes[i] = (uint8_t)i;
    FiloBuffer from = make_buffer(gpu, FILO_BUFFER_VERTICES, 100, bytes);
    FiloBuffer to = make_buffer(gpu, FILO_BUFFER_INDICES, 100, bytes);
    filo_gpu_buffer_copy(gpu, to, 50, from, 10, 20);
    filo_gpu_buffer_copy(gpu, to, 0, to, 60, 5);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY); // has no effect without storage
    filo_gpu_buffer_read(gpu, to, 0, found, 100);
    memmove(bytes + 50, bytes + 10, 20);
    memcpy(bytes, bytes + 60, 5);
    assert_memory_equal(found, bytes, 100);
    FiloGpuFence fence;
    assert_ok(filo_gpu_fence_create(&fence, gpu, "copies"));
    assert_true(filo_gpu_fence_wait(gpu, fence, 10000000000));
    assert_true(filo_gpu_fence_signalled(gpu, fence));
    filo_gpu_fence_destroy(gpu, fence);
    assert_ok(filo_gpu_fence_create(&fence, gpu, "destroyed with the device"));
}
FILO_TEST(buffers_are_copied_and_read) { on_both(copies); }

static void refused(FiloGpu *gpu) {
    if (filo_gpu_limits(gpu)->compute) return;
    FiloPipeline pipeline;
    assert_error(
        filo_gpu_pipeline_create(&pipeline, gpu, &(FiloPipelineDesc){ .label = "sums", .compute = TIMES }),
        FILO_ERROR_UNSUPPORTED, "pipeline \"sums\": OpenGL 3.3 has no compute shaders");
    FiloBuffer buffer;
    assert_error(
        filo_gpu_buffer_create(
            &buffer, gpu, &(FiloBufferDesc){ .label = "results", .use = FILO_BUFFER_READBACK, .size = 4 }),
        FILO_ERROR_UNSUPPORTED,
        "buffer \"results\": OpenGL 3.3 has no readback buffers; use filo_gpu_buffer_read");
    assert_int_equal(filo_gpu_limits(gpu)->storage_slots, 0);
    assert_int_equal(filo_gpu_limits(gpu)->work_groups[0], 0);
}
FILO_TEST(opengl_33_refuses_to_compute) { on_both(refused); }

static void native(FiloGpu *gpu) {
    // A buffer of another library.
    static const uint32_t numbers[4] = { 1, 2, 3, 4 };
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, sizeof numbers, numbers, GL_DYNAMIC_DRAW);
    FiloBuffer theirs;
    size_t before = filo_gpu_stats_now(gpu).buffer_memory;
    assert_ok(filo_gpu_buffer_create(&theirs, gpu, &(FiloBufferDesc){ .label = "theirs", .native = name }));
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, before);
    assert_int_equal(filo_gpu_buffer_native(gpu, theirs), name);
    filo_gpu_buffer_write(gpu, theirs, 4, (uint32_t[]){ 22 }, 4);
    uint32_t found[4];
    filo_gpu_buffer_read(gpu, theirs, 0, found, sizeof found);
    assert_memory_equal(found, ((uint32_t[]){ 1, 22, 3, 4 }), sizeof found);
    filo_gpu_buffer_destroy(gpu, theirs);
    assert_true(glIsBuffer(name));
    // It is deleted with the device no more than by its handle.
    assert_ok(filo_gpu_buffer_create(&theirs, gpu, &(FiloBufferDesc){ .size = 8, .native = name }));
    // One of ours, for another library.
    FiloBuffer ours = make_buffer(gpu, FILO_BUFFER_VERTICES, sizeof numbers, numbers);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)filo_gpu_buffer_native(gpu, ours));
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof found, found);
    assert_memory_equal(found, numbers, sizeof found);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    filo_gpu_destroy(gpu);
    assert_true(glIsBuffer(name));
    glDeleteBuffers(1, &name);
}

static void native_on(int major, int minor, FiloGpuKind kind) {
    filo_test_gl_context(major, minor);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = kind }));
    native(gpu);
    filo_test_gl_context_end();
}
FILO_TEST(buffers_are_shared_with_other_libraries) {
    native_on(3, 3, FILO_GPU_GL33);
    native_on(4, 5, FILO_GPU_GL45);
}
