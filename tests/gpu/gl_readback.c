// Copies, fences, readback buffers, and buffers and state that other libraries share.

#include "gpu/compute.h"

#include <epoxy/gl.h>

// ---- Fences and readback ------------------------------------------------------------------------------

#define FLIGHTS 5

typedef struct Flight {
    FiloBuffer numbers, readback;
    FiloGpuFence fence;
    bool done;
} Flight;

static void start_flight(FiloGpu *gpu, FiloPipeline pipeline, Flight *flight, uint32_t number) {
    uint32_t numbers[NUMBERS];
    for (uint32_t i = 0; i < NUMBERS; i++) numbers[i] = i + 1;
    flight->numbers = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    flight->readback = make_buffer(gpu, FILO_BUFFER_READBACK, sizeof numbers, NULL);
    times(gpu, pipeline, flight->numbers, 0, number);
    filo_gpu_buffer_copy(gpu, flight->readback, 0, flight->numbers, 0, sizeof numbers);
    assert_ok(filo_gpu_fence_create(&flight->fence, gpu, "flight"));
}

static void check_flight(FiloGpu *gpu, Flight *flight, uint32_t number) {
    const uint32_t *found = filo_gpu_buffer_memory(gpu, flight->readback);
    for (uint32_t i = 0; i < NUMBERS; i++) assert_int_equal(found[i], (i + 1) * number);
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

// ---- Sharing a context with other libraries -----------------------------------------------------------

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

// The state that a program with GL code of its own may have set.
typedef struct GlState {
    GLint viewport[4], values[16];
} GlState;

static GlState read_state(void) {
    static const GLenum names[] = { GL_VERTEX_ARRAY_BINDING,
                                    GL_ARRAY_BUFFER_BINDING,
                                    GL_COPY_READ_BUFFER_BINDING,
                                    GL_COPY_WRITE_BUFFER_BINDING,
                                    GL_UNIFORM_BUFFER_BINDING,
                                    GL_DRAW_FRAMEBUFFER_BINDING,
                                    GL_BLEND,
                                    GL_DEPTH_TEST,
                                    GL_SCISSOR_TEST,
                                    GL_CULL_FACE,
                                    GL_CLIP_ORIGIN,
                                    GL_PROGRAM_POINT_SIZE,
                                    GL_PIXEL_UNPACK_BUFFER_BINDING };
    GlState state = { 0 };
    glGetIntegerv(GL_VIEWPORT, state.viewport);
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) glGetIntegerv(names[i], &state.values[i]);
    return state;
}

static void state_of_others(FiloGpu *gpu) {
    uint32_t numbers[NUMBERS] = { 1 };
    FiloPipeline pipeline = make_compute(gpu, "times", TIMES);
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloPipeline unused = make_compute(gpu, "unused", TIMES);
    FiloBuffer corners = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    begin_window(gpu, filo_vec4(0, 0, 0, 1)); // what a pass has set is no reason to change it again
    filo_gpu_use(gpu, flat_pipeline(gpu, FILO_BLEND_NONE));
    filo_gpu_set_vertices(gpu, 0, corners, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    GLuint array, other;
    glGenVertexArrays(1, &array);
    glGenBuffers(1, &other);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, other);
    glBindBuffer(GL_COPY_READ_BUFFER, other);
    glBindBuffer(GL_COPY_WRITE_BUFFER, other);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, other);
    glViewport(1, 2, 30, 40);
    glEnable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    GlState before = read_state();
    times(gpu, pipeline, buffer, 0, 2);
    filo_gpu_buffer_read(gpu, buffer, 0, numbers, sizeof numbers);
    FiloGpuFence fence;
    assert_ok(filo_gpu_fence_create(&fence, gpu, NULL));
    assert_true(filo_gpu_fence_wait(gpu, fence, -1));
    filo_gpu_pipeline_destroy(gpu, unused);
    GlState after = read_state();
    assert_memory_equal(&before, &after, sizeof before);
    // What the header names is 0; a slot that was not set is as it was.
    GLint bound = -1;
    glGetIntegerv(GL_CURRENT_PROGRAM, &bound);
    assert_int_equal(bound, 0);
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 3, &bound);
    assert_int_equal(bound, 0);
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 5, &bound);
    assert_int_equal(bound, other);
    glDeleteVertexArrays(1, &array);
    glDeleteBuffers(1, &other);
}
FILO_TEST(a_compute_pass_leaves_the_rest_of_the_gl_state_alone) { on_45(state_of_others); }

FILO_TEST(a_native_buffer_that_is_not_there_is_a_mistake) {
    only_in_debug_builds();
    filo_test_gl_context(4, 5);
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, NULL));
    FiloBuffer ours = make_buffer(gpu, FILO_BUFFER_VERTICES, 16, NULL), none;
    FiloBufferDesc desc = { .label = "theirs", .native = 4711 };
    expect_mistake("buffer \"theirs\": the context has no buffer 4711",
                   filo_gpu_buffer_create(&none, gpu, &desc));
    desc.native |= (uint64_t)1 << 40;
    expect_mistake("buffer \"theirs\": the context has no buffer", filo_gpu_buffer_create(&none, gpu, &desc));
    desc = (FiloBufferDesc){ .label = "theirs", .native = filo_gpu_buffer_native(gpu, ours), .size = 17 };
    expect_mistake("buffer \"theirs\": it is to have 17 bytes, and buffer",
                   filo_gpu_buffer_create(&none, gpu, &desc));
    assert_int_equal(none.id, 0);
    filo_gpu_destroy(gpu);
    filo_test_gl_context_end();
}
