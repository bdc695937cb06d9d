// Computing on the null device: the calls that it records, readback before and after fences, and mistakes.

#include "gpu/compute.h"

#include "support/failing_allocator.h"

#define POISON 0xDB

static void assert_calls(const FiloGpu *gpu, const char *const *texts, size_t count) {
    assert_int_equal(filo_gpu_null_call_count(gpu), count);
    for (size_t i = 0; i < count; i++) assert_string_equal(filo_gpu_null_call(gpu, i), texts[i]);
}

static bool is_poisoned(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != POISON) return false;
    return true;
}

static FiloBuffer filled(FiloGpu *gpu, FiloBufferUse use, size_t size, int byte) {
    uint8_t bytes[512];
    memset(bytes, byte, sizeof bytes);
    return make_buffer(gpu, use, size, bytes);
}

static FiloGpuFence make_fence(FiloGpu *gpu, const char *label) {
    FiloGpuFence fence;
    assert_ok(filo_gpu_fence_create(&fence, gpu, label));
    return fence;
}

FILO_TEST(null_device_records_what_is_computed) {
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline = make_compute(
        gpu, "sums",
        "layout(local_size_x = 64) in;\nuniform uint count;\nuniform uvec2 u2;\nuniform uvec4 u4;\n"
        "uniform ivec4 i4;\nuniform usamplerBuffer map;\n"
        "layout(std430, binding = 2) readonly buffer N { uint numbers[]; };\n"
        "void main() { numbers[count] += u2.x + u4.x + uint(i4.x) + texelFetch(map, 0).r; }");
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, 1024, NULL);
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 1024, NULL);
    filo_gpu_null_forget(gpu);
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 2, buffer, 256, 512);
    assert_true(filo_gpu_set_uint(gpu, "count", 4000000000));
    assert_true(filo_gpu_set_uvec2(gpu, "u2", (uint32_t[]){ 1, 2 }));
    assert_true(filo_gpu_set_uvec4(gpu, "u4", (uint32_t[]){ 1, 2, 3, 4 }));
    assert_true(filo_gpu_set_ivec4(gpu, "i4", (int32_t[]){ -1, 2, -3, 4 }));
    assert_true(filo_gpu_set_texels(gpu, "map", buffer, FILO_TEXELS_R16UI));
    filo_gpu_dispatch(gpu, 4, 2, 1);
    filo_gpu_dispatch_indirect(gpu, buffer, 16);
    filo_gpu_barrier(gpu, FILO_BARRIER_STORAGE | FILO_BARRIER_VERTICES | FILO_BARRIER_INDIRECT |
                              FILO_BARRIER_COPY | FILO_BARRIER_READBACK | FILO_BARRIER_TEXELS);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_copy(gpu, readback, 8, buffer, 16, 100);
    FiloGpuFence fence = make_fence(gpu, "sums");
    assert_true(filo_gpu_fence_wait(gpu, fence, 1));
    uint8_t bytes[4];
    filo_gpu_buffer_read(gpu, buffer, 4, bytes, 4);
    filo_gpu_fence_destroy(gpu, fence);
    static const char *const calls[] = {
        "begin_pass \"compute\" compute",
        "use \"sums\"",
        "storage 2 \"numbers\" 256 512",
        "set count 4000000000",
        "set u2 1 2",
        "set u4 1 2 3 4",
        "set i4 -1 2 -3 4",
        "set map \"numbers\" R16UI",
        "dispatch 4 2 1",
        "dispatch_indirect \"numbers\" 16",
        "barrier storage vertices indirect copy readback texels",
        "end_pass",
        "buffer_copy \"numbers\" 8 \"numbers\" 16 100",
        "fence_create \"sums\"",
        "wait for fence \"sums\"",
        "buffer_read \"numbers\" 4 4",
        "fence_destroy \"sums\"",
    };
    assert_calls(gpu, calls, FILO_COUNT_OF(calls));
    assert_int_equal(filo_gpu_stats_now(gpu).dispatches, 2);
    assert_int_equal(filo_gpu_stats_now(gpu).storage_memory, 1024);
    filo_gpu_end_frame(gpu);
    assert_int_equal(filo_gpu_stats(gpu).dispatches, 2);
    assert_int_equal(filo_gpu_stats(gpu).storage_memory, 1024);
    assert_int_equal(filo_gpu_stats_now(gpu).dispatches, 0);
    assert_int_equal(filo_gpu_buffer_native(gpu, buffer), 0);
    filo_gpu_destroy(gpu);
}

// ---- Readback -----------------------------------------------------------------------------------------

FILO_TEST(a_readback_buffer_is_poisoned_until_its_fence_is_found_signalled) {
    FiloGpu *gpu = null_device();
    filo_gpu_null_hold(gpu, true);
    FiloBuffer numbers = filled(gpu, FILO_BUFFER_STORAGE, 64, 7);
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 64, NULL);
    const uint8_t *memory = filo_gpu_buffer_memory(gpu, readback);
    assert_true(is_poisoned(memory, 64));
    filo_gpu_buffer_copy(gpu, readback, 0, numbers, 0, 32);
    assert_true(is_poisoned(memory, 64));
    FiloGpuFence fence = make_fence(gpu, "first");
    for (int i = 0; i < 10; i++) assert_false(filo_gpu_fence_signalled(gpu, fence));
    assert_false(filo_gpu_fence_wait(gpu, fence, 0));
    filo_gpu_end_frame(gpu);
    filo_gpu_end_frame(gpu);
    assert_false(filo_gpu_fence_signalled(gpu, fence));
    filo_gpu_null_complete(gpu, 0);
    assert_true(is_poisoned(memory, 64)); // signalled, but the program does not know yet
    assert_true(filo_gpu_fence_signalled(gpu, fence));
    assert_int_equal(memory[0], 7);
    assert_int_equal(memory[31], 7);
    assert_true(is_poisoned(memory + 32, 32));
    // A second copy hides what it will overwrite.
    filo_gpu_buffer_write(gpu, numbers, 0, "12345678", 8);
    filo_gpu_buffer_copy(gpu, readback, 8, numbers, 0, 8);
    assert_true(filo_gpu_fence_signalled(gpu, fence));
    assert_true(is_poisoned(memory + 8, 8));
    assert_int_equal(memory[7], 7);
    filo_gpu_finish(gpu);
    assert_memory_equal(memory + 8, "12345678", 8);
    filo_gpu_destroy(gpu);
}

FILO_TEST(of_several_in_flight_only_those_before_the_fence_are_readable) {
    FiloGpu *gpu = null_device();
    filo_gpu_null_hold(gpu, true);
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 64, NULL);
    const uint8_t *memory = filo_gpu_buffer_memory(gpu, readback);
    FiloGpuFence fences[4];
    for (int i = 0; i < 4; i++) {
        FiloBuffer numbers = filled(gpu, FILO_BUFFER_STORAGE, 16, i + 1);
        filo_gpu_buffer_copy(gpu, readback, (size_t)i * 16, numbers, 0, 16);
        fences[i] = make_fence(gpu, "flight");
    }
    assert_true(filo_gpu_fence_wait(gpu, fences[1], -1));
    assert_int_equal(memory[0], 1);
    assert_int_equal(memory[31], 2);
    assert_true(is_poisoned(memory + 32, 32));
    assert_true(filo_gpu_fence_signalled(gpu, fences[0])); // an earlier one
    assert_false(filo_gpu_fence_signalled(gpu, fences[2]));
    // A later command writes to the bytes of an earlier one, whose fence is signalled first.
    FiloBuffer numbers = filled(gpu, FILO_BUFFER_STORAGE, 16, 9);
    filo_gpu_buffer_copy(gpu, readback, 40, numbers, 0, 16);
    assert_true(filo_gpu_fence_wait(gpu, fences[3], -1));
    assert_int_equal(memory[39], 3);
    assert_true(is_poisoned(memory + 40, 16));
    assert_int_equal(memory[56], 4);
    filo_gpu_buffer_destroy(gpu, readback);
    filo_gpu_finish(gpu); // with a write to a buffer that does not exist any more
    filo_gpu_destroy(gpu);
}

FILO_TEST(a_dispatch_poisons_the_readback_buffers_that_it_may_write_to) {
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline = make_compute(
        gpu, "direct", "layout(binding = 0) buffer N { uint n[]; };\nvoid main() { n[0] = 1u; }");
    FiloBuffer numbers = filled(gpu, FILO_BUFFER_STORAGE, 512, 5);
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 512, NULL);
    const uint8_t *memory = filo_gpu_buffer_memory(gpu, readback);
    filo_gpu_buffer_copy(gpu, readback, 0, numbers, 0, 512);
    filo_gpu_finish(gpu);
    assert_int_equal(memory[511], 5);
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, readback, 256, 256);
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_end_pass(gpu);
    assert_int_equal(memory[255], 5);
    assert_true(is_poisoned(memory + 256, 256));
    size_t size;
    assert_int_equal(((const uint8_t *)filo_gpu_null_buffer_data(gpu, readback, &size))[300], 5);
    assert_int_equal(size, 512);
    uint8_t byte;
    filo_gpu_buffer_read(gpu, readback, 300, &byte, 1); // waits
    assert_int_equal(byte, 5);
    assert_true(is_poisoned(memory + 256, 256));
    FiloGpuFence fence = make_fence(gpu, "direct");
    assert_true(filo_gpu_fence_wait(gpu, fence, 1));
    assert_int_equal(memory[511], 5);
    filo_gpu_destroy(gpu);
}

FILO_TEST(fences_are_signalled_with_their_frame_or_when_asked_again) {
    FiloGpu *gpu = null_device();
    FiloGpuFence fence = make_fence(gpu, "frame 0");
    assert_false(filo_gpu_fence_signalled(gpu, fence));
    filo_gpu_end_frame(gpu);
    filo_gpu_end_frame(gpu);
    FiloGpuFence later = make_fence(gpu, "frame 2");
    filo_gpu_end_frame(gpu); // frame 0 is done
    assert_true(filo_gpu_fence_signalled(gpu, fence));
    assert_false(filo_gpu_fence_signalled(gpu, later));
    assert_false(filo_gpu_fence_signalled(gpu, later));
    assert_true(filo_gpu_fence_signalled(gpu, later)); // a program without frames does not wait for ever
    assert_true(filo_gpu_fence_signalled(gpu, later));
    filo_gpu_destroy(gpu);
}

FILO_TEST(null_device_computes_without_memory_for_some_of_it) {
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloGpu *gpu;
        FiloResult result =
            filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL, .allocator = &failing.allocator });
        if (result.code == FILO_OK) {
            FiloPipeline pipeline;
            result = filo_gpu_pipeline_create(
                &pipeline, gpu,
                &(FiloPipelineDesc){ .compute = "uniform uint count;\nvoid main() { count; }" });
            FiloBuffer from, to;
            FiloGpuFence fence = { 0 };
            FiloBufferDesc desc = { .use = FILO_BUFFER_STORAGE, .size = 64 };
            if (result.code == FILO_OK) result = filo_gpu_buffer_create(&from, gpu, &desc);
            desc.use = FILO_BUFFER_READBACK;
            if (result.code == FILO_OK) result = filo_gpu_buffer_create(&to, gpu, &desc);
            if (result.code == FILO_OK) result = filo_gpu_fence_create(&fence, gpu, "fence");
            if (result.code == FILO_OK) {
                filo_gpu_buffer_write(gpu, from, 0, "1234", 4);
                filo_gpu_buffer_copy(gpu, to, 0, from, 0, 64);
                filo_gpu_finish(gpu);
                assert_memory_equal(filo_gpu_buffer_memory(gpu, to), "1234", 4);
            } else {
                assert_int_equal(fence.id, 0);
            }
        }
        if (result.code != FILO_OK) assert_int_equal(result.code, FILO_ERROR_MEMORY);
        filo_gpu_destroy(gpu);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(mistakes_of_computing_are_named) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline = make_compute(gpu, "sums", TIMES), flat = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, 4096, NULL);
    expect_fault("filo_gpu_dispatch: begin a pass first", filo_gpu_dispatch(gpu, 1, 1, 1));
    expect_fault("a compute pass has no target, and clears nothing",
                 filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .compute = true, .clear = true }));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    expect_fault("filo_gpu_dispatch: this pass draws; begin one with `compute`",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    expect_fault("pipeline \"sums\": use it in a pass that computes", filo_gpu_use(gpu, pipeline));
    filo_gpu_end_pass(gpu);
    begin_compute(gpu);
    expect_fault("filo_gpu_draw: this is a compute pass, which does not draw", filo_gpu_draw(gpu, 0, 3, 1));
    expect_fault("filo_gpu_set_viewport: this is a compute pass", filo_gpu_set_viewport(gpu, 0, 0, 1, 1));
    expect_fault("pipeline \"flat\": use it in a pass that draws", filo_gpu_use(gpu, flat));
    expect_fault("use a pipeline before you dispatch", filo_gpu_dispatch(gpu, 1, 1, 1));
    filo_gpu_use(gpu, pipeline);
    expect_fault("pipeline \"sums\": set the storage of slot 3 before you dispatch",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    expect_fault("there are slots 0 to 15 for storage, not 16", filo_gpu_set_storage(gpu, 16, buffer, 0, 4));
    expect_fault("buffer \"numbers\": give a part of it, from a multiple of 256 bytes on",
                 filo_gpu_set_storage(gpu, 3, buffer, 128, 4));
    filo_gpu_set_storage(gpu, 3, buffer, 0, 4096);
    expect_fault("65536 work groups in y; there are 0 to 65535", filo_gpu_dispatch(gpu, 1, 65536, 1));
    expect_fault("-1 work groups in z", filo_gpu_dispatch(gpu, 1, 1, -1));
    expect_fault("buffer \"numbers\": there are no three numbers at byte 4088 of its 4096",
                 filo_gpu_dispatch_indirect(gpu, buffer, 4088));
    expect_fault("there are no three numbers at byte 2", filo_gpu_dispatch_indirect(gpu, buffer, 2));
    expect_fault("there is no barrier 0x40", filo_gpu_barrier(gpu, 1u << 6));
    expect_fault("pipeline \"sums\": the uniform \"count\" is a uint, not a int",
                 (void)filo_gpu_set_int(gpu, "count", 1));
    expect_fault("is a uint, not a uvec4", (void)filo_gpu_set_uvec4(gpu, "count", (uint32_t[4]){ 0 }));
    expect_fault("is a uint, not a usamplerBuffer",
                 (void)filo_gpu_set_texels(gpu, "count", buffer, FILO_TEXELS_R8UI));
    expect_fault("give the numbers of the uniform", (void)filo_gpu_set_uvec2(gpu, "count", NULL));
    expect_fault("end the pass before the frame", filo_gpu_end_frame(gpu));
    assert_int_equal(filo_gpu_stats(gpu).dispatches, 0);
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 3, buffer, 0, 4096);
    filo_gpu_buffer_destroy(gpu, buffer);
    expect_fault("pipeline \"sums\": the storage of slot 3 has been destroyed",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    filo_gpu_end_pass(gpu);
    filo_gpu_destroy(gpu);
}

FILO_TEST(mistakes_with_texels_are_named) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline =
        make_compute(gpu, "maps", "uniform usamplerBuffer map;\nvoid main() { texelFetch(map, 0); }");
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_VERTICES, 3, NULL);
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .label = "plain", .width = 1, .height = 1 }));
    begin_compute(gpu);
    filo_gpu_use(gpu, pipeline);
    expect_fault("pipeline \"maps\": set the texels \"map\" before you dispatch",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    expect_fault("the uniform \"map\" is a usamplerBuffer, not a sampler2D as the texture \"plain\" is",
                 (void)filo_gpu_set_texture(gpu, "map", texture));
    expect_fault("buffer \"numbers\": it has 0 texels; there may be 1 to 134217728",
                 (void)filo_gpu_set_texels(gpu, "map", buffer, FILO_TEXELS_R32UI));
    expect_fault("there is no format 4 of texels",
                 (void)filo_gpu_set_texels(gpu, "map", buffer, (FiloTexelFormat)4));
    assert_true(filo_gpu_set_texels(gpu, "map", buffer, FILO_TEXELS_R16UI));
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_buffer_destroy(gpu, buffer);
    expect_fault("pipeline \"maps\": the buffer of the texels \"map\" has been destroyed",
                 filo_gpu_dispatch(gpu, 1, 1, 1));
    expect_fault("pipeline \"maps\": the buffer for \"map\" has been destroyed, or never was",
                 (void)filo_gpu_set_texels(gpu, "map", buffer, FILO_TEXELS_R16UI));
    filo_gpu_end_pass(gpu);
    filo_gpu_destroy(gpu);
}

FILO_TEST(wrong_compute_pipelines_are_refused) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline = make_compute(gpu, "sums", TIMES), flat = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloPipeline none = { 7 };
    expect_mistake(
        "pipeline \"both\": it either computes or draws; leave out the other shaders",
        filo_gpu_pipeline_create(
            &none, gpu, &(FiloPipelineDesc){ .label = "both", .compute = TIMES, .vertex = FLAT_VERTEX }));
    assert_int_equal(none.id, 0);
    expect_mistake("pipeline \"sums\": it computes; use filo_gpu_pipeline_replace_compute",
                   filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX, FLAT_FRAGMENT));
    expect_mistake("pipeline \"flat\": it draws; use filo_gpu_pipeline_replace",
                   filo_gpu_pipeline_replace_compute(gpu, flat, TIMES));
    expect_mistake("pipeline \"sums\": give the text of its compute shader",
                   filo_gpu_pipeline_replace_compute(gpu, pipeline, NULL));
    FiloPipelineDesc desc = { .label = "high",
                              .compute = "layout(std430, binding = 99) buffer B { uint b; };\n"
                                         "void main() { b; }" };
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_LIMIT,
                 "high: there are 16 storage slots, from 0 on");
    desc.compute = "#error not yet\nvoid main() {}";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "high (compute shader), line 1: #error not yet");
    filo_gpu_pipeline_destroy(gpu, pipeline);
    expect_mistake("filo_gpu_pipeline_replace_compute: this pipeline has been destroyed",
                   filo_gpu_pipeline_replace_compute(gpu, pipeline, TIMES));
    filo_gpu_destroy(gpu);
}

FILO_TEST(mistakes_with_copies_and_fences_are_named) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloBuffer a = filled(gpu, FILO_BUFFER_STORAGE, 64, 1), b = filled(gpu, FILO_BUFFER_STORAGE, 32, 2);
    FiloBuffer readback = make_buffer(gpu, FILO_BUFFER_READBACK, 16, NULL), constant, none = { 7 };
    assert_ok(filo_gpu_buffer_create(
        &constant, gpu, &(FiloBufferDesc){ .label = "fixed", .size = 4, .data = "abc", .constant = true }));
    expect_fault("buffer \"numbers\": bytes 20 to 36 are not in its 32",
                 filo_gpu_buffer_copy(gpu, b, 20, a, 0, 16));
    expect_fault("buffer \"numbers\": bytes 20 to 36 are not in its 32",
                 filo_gpu_buffer_copy(gpu, a, 0, b, 20, 16));
    expect_fault("buffer \"numbers\": the parts to copy from and to overlap",
                 filo_gpu_buffer_copy(gpu, a, 0, a, 15, 16));
    expect_fault("buffer \"fixed\": it is constant", filo_gpu_buffer_copy(gpu, constant, 0, a, 0, 4));
    expect_fault("buffer \"numbers\": the program only reads it; copy to it from another buffer",
                 filo_gpu_buffer_write(gpu, readback, 0, "a", 1));
    expect_fault("buffer \"numbers\": only a readback buffer has memory to read",
                 assert_null(filo_gpu_buffer_memory(gpu, a)));
    expect_mistake(
        "a readback buffer has no data to start with",
        filo_gpu_buffer_create(&none, gpu,
                               &(FiloBufferDesc){ .use = FILO_BUFFER_READBACK, .size = 4, .data = "abc" }));
    assert_int_equal(none.id, 0);
    expect_mistake("a ring is written by the program; make readback buffers one by one",
                   filo_gpu_ring_create(&(FiloGpuRing *){ NULL }, gpu,
                                        &(FiloRingDesc){ .use = FILO_BUFFER_READBACK, .size = 4 }));
    assert_error(filo_gpu_buffer_create(&none, gpu, &(FiloBufferDesc){ .label = "theirs", .native = 3 }),
                 FILO_ERROR_UNSUPPORTED, "buffer \"theirs\": the null device has no buffers of others");
    expect_mistake(
        "a buffer of another library has no data to start with, and is not for readback",
        filo_gpu_buffer_create(&none, gpu, &(FiloBufferDesc){ .native = 3, .size = 4, .data = "abc" }));
    uint8_t bytes[2] = { 1, 1 };
    expect_fault("buffer \"numbers\": bytes 63 to 65 are not in its 64",
                 filo_gpu_buffer_read(gpu, a, 63, bytes, 2));
    assert_int_equal(bytes[1], 0);
    expect_fault("say where to put the bytes", filo_gpu_buffer_read(gpu, a, 0, NULL, 2));
    begin_compute(gpu);
    expect_fault("filo_gpu_buffer_copy: end the pass first", filo_gpu_buffer_copy(gpu, a, 0, b, 0, 4));
    expect_fault("filo_gpu_buffer_read: end the pass first", filo_gpu_buffer_read(gpu, a, 0, bytes, 2));
    FiloGpuFence fence = { 7 };
    expect_mistake("end the pass before you create a fence", filo_gpu_fence_create(&fence, gpu, "f"));
    assert_int_equal(fence.id, 0);
    filo_gpu_end_pass(gpu);
    expect_mistake("say where to put the new fence", filo_gpu_fence_create(NULL, gpu, "f"));
    expect_fault("filo_gpu_fence_signalled: this fence has been destroyed, or never was",
                 assert_true(filo_gpu_fence_signalled(gpu, fence)));
    fence = make_fence(gpu, "f");
    filo_gpu_fence_destroy(gpu, fence);
    expect_fault("filo_gpu_fence_wait: this fence has been destroyed, or never was",
                 assert_true(filo_gpu_fence_wait(gpu, fence, -1)));
    expect_fault("filo_gpu_fence_destroy: this fence has been destroyed already",
                 filo_gpu_fence_destroy(gpu, fence));
    filo_gpu_fence_destroy(gpu, (FiloGpuFence){ 0 });
    filo_gpu_buffer_destroy(gpu, b);
    expect_fault("filo_gpu_buffer_copy: this buffer has been destroyed",
                 filo_gpu_buffer_copy(gpu, a, 0, b, 0, 4));
    filo_gpu_destroy(gpu);
}
