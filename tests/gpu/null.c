// The null device: the calls that it records, the bytes that it stores, and its checks of rings.

#include "gpu/scene.h"

#include "gpu/device.h"

static void assert_call(const FiloGpu *gpu, size_t index, const char *text) {
    const char *call = filo_gpu_null_call(gpu, index);
    if (call == NULL)
        fail_msg("there is no call %zu; expected \"%s\"", index, text);
    else
        assert_string_equal(call, text);
}

static bool was_called(const FiloGpu *gpu, const char *text) {
    for (size_t i = 0; i < filo_gpu_null_call_count(gpu); i++)
        if (strcmp(filo_gpu_null_call(gpu, i), text) == 0) return true;
    return false;
}

FILO_TEST(null_device_records_calls) {
    FiloGpu *gpu = null_device();
    assert_int_equal(filo_gpu_limits(gpu)->kind, FILO_GPU_NULL);
    FiloPipeline pipeline = picture_pipeline(gpu);
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .label = "ship", .width = 4, .height = 2 }));
    FiloBuffer indices;
    assert_ok(filo_gpu_buffer_create(
        &indices, gpu, &(FiloBufferDesc){ .label = "quads", .use = FILO_BUFFER_INDICES, .size = 24 }));
    filo_gpu_null_forget(gpu);
    assert_int_equal(filo_gpu_null_call_count(gpu), 0);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .width = 640, .height = 480, .clear = true });
    filo_gpu_set_viewport(gpu, 1, 2, 3, 4);
    filo_gpu_set_scissor(gpu, 5, 6, 7, 8);
    filo_gpu_use(gpu, pipeline);
    assert_true(filo_gpu_set_vec4(gpu, "rect", filo_vec4(-1, 1, 2, 0.5f)));
    assert_true(filo_gpu_set_texture(gpu, "picture", texture));
    assert_false(filo_gpu_set_float(gpu, "nothing", 1));
    filo_gpu_draw(gpu, 0, 4, 1000);
    filo_gpu_set_indices(gpu, indices);
    filo_gpu_draw_indexed(gpu, 0, 6, 2, 3);
    filo_gpu_end_pass(gpu);
    filo_gpu_end_frame(gpu);
    static const char *const calls[] = { "begin_pass \"window\" 640 x 480 clear",
                                         "viewport 1 2 3 4",
                                         "scissor 5 6 7 8",
                                         "use \"picture\"",
                                         "set rect -1 1 2 0.5",
                                         "set picture \"ship\"",
                                         "draw 0 4 x 1000",
                                         "indices \"quads\"",
                                         "draw_indexed 0 6 + 2 x 3",
                                         "end_pass",
                                         "end_frame 0" };
    for (size_t i = 0; i < FILO_COUNT_OF(calls); i++) assert_call(gpu, i, calls[i]);
    assert_int_equal(filo_gpu_null_call_count(gpu), FILO_COUNT_OF(calls));
    assert_null(filo_gpu_null_call(gpu, FILO_COUNT_OF(calls)));
    assert_int_equal(filo_gpu_stats(gpu).draws, 2);
    assert_int_equal(filo_gpu_stats(gpu).vertices, 4 * 1000 + 6 * 3);
    filo_gpu_destroy(gpu);
}

FILO_TEST(null_device_stores_bytes) {
    FiloGpu *gpu = null_device();
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .size = 8, .data = "abcdefgh" }));
    filo_gpu_buffer_write(gpu, buffer, 2, "XY", 2);
    size_t size;
    assert_memory_equal(filo_gpu_null_buffer_data(gpu, buffer, &size), "abXYefgh", 8);
    assert_int_equal(size, 8);
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(
        &texture, gpu,
        &(FiloTextureDesc){
            .format = FILO_TEXTURE_R8, .width = 3, .height = 2, .layers = 2, .data = "abcdef" }));
    filo_gpu_texture_write(gpu, texture, 1, 1, 0, 2, 2, "12xx34", 4);
    assert_memory_equal(filo_gpu_null_texture_data(gpu, texture, 0), "abcdef", 6);
    assert_memory_equal(filo_gpu_null_texture_data(gpu, texture, 1),
                        "\0"
                        "12"
                        "\0"
                        "34",
                        6);
    assert_ok(filo_gpu_texture_grow(gpu, texture, 4));
    assert_memory_equal(filo_gpu_null_texture_data(gpu, texture, 1),
                        "\0"
                        "12"
                        "\0"
                        "34",
                        6);
    assert_memory_equal(filo_gpu_null_texture_data(gpu, texture, 3), "\0\0\0\0\0\0", 6);
    // Reading a target returns what was written to its texture.
    FiloColor colors[4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 }, { 13, 14, 15, 16 } };
    FiloTexture color;
    assert_ok(filo_gpu_texture_create(
        &color, gpu, &(FiloTextureDesc){ .width = 2, .height = 2, .target = true, .data = colors }));
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = color }));
    FiloColor found = read_pixel(gpu, target, 1, 1);
    assert_memory_equal(&found, &colors[3], sizeof found);
    filo_gpu_destroy(gpu);
}

FILO_TEST(null_device_records_a_limited_number_of_calls) {
    FiloGpu *gpu = null_device();
    for (int i = 0; i < FILO_GPU_NULL_CALLS + 100; i++) filo_gpu_end_frame(gpu);
    assert_int_equal(filo_gpu_null_call_count(gpu), FILO_GPU_NULL_CALLS);
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < 100; i++) filo_gpu_end_frame(gpu);
    assert_int_equal(filo_memory_system_calls(), before);
    filo_gpu_null_forget(gpu);
    filo_gpu_end_frame(gpu);
    assert_int_equal(filo_gpu_null_call_count(gpu), 1);
    filo_gpu_destroy(gpu);
}

// ---- Rings --------------------------------------------------------------------------------------------

static FiloGpuRing *make_ring(FiloGpu *gpu, size_t size) {
    FiloGpuRing *ring;
    assert_ok(filo_gpu_ring_create(&ring, gpu, &(FiloRingDesc){ .label = "sprites", .size = size }));
    return ring;
}

// Takes a piece, fills it and ends it; returns its memory.
static uint8_t *use_ring(FiloGpu *gpu, FiloGpuRing *ring, size_t size, uint8_t value) {
    FiloRingPiece piece;
    assert_true(filo_gpu_ring_take(gpu, ring, size, &piece));
    assert_int_equal(piece.size, size);
    uint8_t *memory = piece.memory;
    memset(memory, value, size);
    filo_gpu_ring_done(gpu, ring, &piece);
    assert_null(piece.memory);
    const uint8_t *bytes = filo_gpu_null_buffer_data(gpu, piece.buffer, NULL);
    assert_int_equal(bytes[piece.offset], value);
    assert_int_equal(bytes[piece.offset + size - 1], value);
    return memory;
}

static void draw_frames(FiloGpu *gpu, FiloGpuRing *ring, int frames) {
    for (int i = 0; i < frames; i++) {
        use_ring(gpu, ring, 100, 1);
        filo_gpu_end_frame(gpu);
    }
}

FILO_TEST(parts_of_a_ring_are_used_in_turn) {
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    uint8_t *parts[9];
    for (int i = 0; i < 9; i++) {
        parts[i] = use_ring(gpu, ring, 100, (uint8_t)i);
        filo_gpu_end_frame(gpu);
    }
    for (int i = 0; i < 6; i++) {
        assert_ptr_equal(parts[i], parts[i + 3]);
        assert_ptr_not_equal(parts[i], parts[i + 1]);
        assert_ptr_not_equal(parts[i], parts[i + 2]);
    }
    // With a GPU that is two frames behind, nothing waits.
    for (size_t i = 0; i < filo_gpu_null_call_count(gpu); i++)
        assert_null(strstr(filo_gpu_null_call(gpu, i), "wait"));
    filo_gpu_destroy(gpu);
}

FILO_TEST(a_part_in_flight_is_waited_for) {
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    filo_gpu_null_hold(gpu, true);
    draw_frames(gpu, ring, 3);
    assert_false(was_called(gpu, "wait for frame 0"));
    use_ring(gpu, ring, 100, 1);
    assert_true(was_called(gpu, "wait for frame 0"));
    assert_false(was_called(gpu, "wait for frame 1"));
    filo_gpu_end_frame(gpu);
    filo_gpu_null_complete(gpu, 1);
    draw_frames(gpu, ring, 1);
    assert_false(was_called(gpu, "wait for frame 1"));
    filo_gpu_destroy(gpu);
}

FILO_TEST(a_ring_that_does_not_wait_is_noticed) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    filo_gpu_null_hold(gpu, true);
    draw_frames(gpu, ring, 3);
    ring->parts[0].in_flight = false; // a defect of the ring
    expect_fault("ring \"sprites\": a part is used again while the GPU still reads it for frame 0",
                 use_ring(gpu, ring, 100, 2));
    filo_gpu_destroy(gpu);
}

FILO_TEST(writing_to_a_part_in_flight_is_noticed) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    uint8_t *old = use_ring(gpu, ring, 100, 1);
    filo_gpu_end_frame(gpu);
    old[42] = 99;
    filo_gpu_end_frame(gpu); // the first frame is still in flight
    expect_fault("ring \"sprites\": byte 42 of frame 0's part was written after its piece had been handed in",
                 filo_gpu_end_frame(gpu));
    // Reported once.
    draw_frames(gpu, ring, 5);
    filo_gpu_destroy(gpu);
}

FILO_TEST(writing_after_ring_done_is_noticed_when_the_frame_completes) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    filo_gpu_null_hold(gpu, true);
    uint8_t *old = use_ring(gpu, ring, 100, 1);
    old[0] = 2; // between ring_done and the end of the frame
    for (int i = 0; i < 4; i++) filo_gpu_end_frame(gpu);
    expect_fault("ring \"sprites\": byte 0 of frame 0's part", filo_gpu_null_complete(gpu, 0));
    filo_gpu_destroy(gpu);
}

FILO_TEST(writing_to_an_old_piece_after_its_frame_completed_is_noticed) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    uint8_t *old = use_ring(gpu, ring, 100, 1);
    for (int i = 0; i < 5; i++) filo_gpu_end_frame(gpu);
    old[7] = 2;
    // The next two frames use the other parts.
    draw_frames(gpu, ring, 2);
    expect_fault("ring \"sprites\": byte 7 of frame 0's part", use_ring(gpu, ring, 100, 1));
    filo_gpu_end_frame(gpu);
    old[9] = 2;
    expect_fault("ring \"sprites\": byte 9", filo_gpu_destroy(gpu));
}

FILO_TEST(writing_past_the_end_of_a_piece_is_noticed) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 1024);
    FiloRingPiece piece;
    assert_true(filo_gpu_ring_take(gpu, ring, 100, &piece));
    memset(piece.memory, 1, 101);
    filo_gpu_ring_done(gpu, ring, &piece);
    filo_gpu_end_frame(gpu);
    expect_fault("byte 100 of frame 0's part", filo_gpu_finish(gpu));
    filo_gpu_destroy(gpu);
}

FILO_TEST(a_ring_that_is_full_stages_and_grows) {
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 512);
    size_t memory = filo_gpu_stats_now(gpu).buffer_memory;
    FiloRingPiece pieces[4];
    for (int i = 0; i < 4; i++) {
        assert_true(filo_gpu_ring_take(gpu, ring, 200, &pieces[i]));
        memset(pieces[i].memory, i, 200);
        assert_int_equal(pieces[i].staged, i >= 2);
    }
    for (int i = 3; i >= 0; i--) { // in any order
        filo_gpu_ring_done(gpu, ring, &pieces[i]);
        const uint8_t *bytes = filo_gpu_null_buffer_data(gpu, pieces[i].buffer, NULL);
        assert_int_equal(bytes[pieces[i].offset], i);
        assert_int_equal(bytes[pieces[i].offset + 199], i);
    }
    filo_gpu_end_frame(gpu);
    assert_null(filo_gpu_null_call(gpu, 1000));
    // The staging buffers are destroyed, and the next part is large enough.
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, memory);
    for (int i = 0; i < 4; i++) {
        assert_true(filo_gpu_ring_take(gpu, ring, 200, &pieces[i]));
        assert_false(pieces[i].staged);
        filo_gpu_ring_done(gpu, ring, &pieces[i]);
    }
    filo_gpu_end_frame(gpu);
    // Once all parts have grown, nothing is allocated.
    for (int i = 0; i < 20; i++) {
        use_ring(gpu, ring, 900, 3);
        filo_gpu_end_frame(gpu);
    }
    filo_gpu_null_forget(gpu); // the list keeps its capacity
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < 20; i++) {
        use_ring(gpu, ring, 900, 3);
        filo_gpu_end_frame(gpu);
    }
    assert_int_equal(filo_memory_system_calls(), before);
    filo_gpu_destroy(gpu);
}

FILO_TEST(an_empty_piece_is_a_piece) {
    FiloGpu *gpu = null_device();
    FiloGpuRing *ring = make_ring(gpu, 0);
    FiloRingPiece piece;
    assert_true(filo_gpu_ring_take(gpu, ring, 0, &piece));
    assert_non_null(piece.memory);
    filo_gpu_ring_done(gpu, ring, &piece);
    assert_true(filo_gpu_ring_take(gpu, ring, 0, &piece)); // staged
    assert_non_null(piece.memory);
    filo_gpu_ring_done(gpu, ring, &piece);
    assert_non_null(filo_gpu_null_buffer_data(gpu, piece.buffer, NULL));
    filo_gpu_end_frame(gpu);
    filo_gpu_destroy(gpu);
}

// ---- Parsing shaders ----------------------------------------------------------------------------------

FILO_TEST(null_device_finds_declared_uniforms) {
    FiloGpu *gpu = null_device();
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){
            .label = "text",
            .vertex =
                "// uniform float in_comment;\n/* uniform float in_block; */\n"
                "layout(std140) uniform Block { mat4 inside; } block;\n"
                "uniform mat4 camera; uniform highp vec2 size, offset [ 3 ];\nuniform float start = 1.0;\n"
                "layout(location = 3) uniform int count;\nuniform float never;\nuniform uint odd;\n"
                "void main() { gl_Position = camera * vec4(size + offset[1], start, float(count) + "
                "float(odd)); }",
            .fragment =
                "uniform mat4 camera;\nuniform sampler2DArray pages;\nuniform sampler2D mask[2];\n"
                "uniform mat3 m; uniform vec3 v3; uniform vec4 v4; uniform ivec2 i2; uniform bool yes;\n"
                "void main() { camera; pages; mask; m; v3; v4; i2; yes; }" }));
    static const FiloUniformInfo expected[] = {
        { "camera", FILO_UNIFORM_MAT4, 1 },  { "count", FILO_UNIFORM_INT, 1 },
        { "i2", FILO_UNIFORM_IVEC2, 1 },     { "m", FILO_UNIFORM_MAT3, 1 },
        { "mask", FILO_UNIFORM_TEXTURE, 2 }, { "odd", FILO_UNIFORM_UINT, 1 },
        { "offset", FILO_UNIFORM_VEC2, 3 },  { "pages", FILO_UNIFORM_TEXTURE_ARRAY, 1 },
        { "size", FILO_UNIFORM_VEC2, 1 },    { "start", FILO_UNIFORM_FLOAT, 1 },
        { "v3", FILO_UNIFORM_VEC3, 1 },      { "v4", FILO_UNIFORM_VEC4, 1 },
        { "yes", FILO_UNIFORM_INT, 1 },
    };
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), FILO_COUNT_OF(expected));
    for (size_t i = 0; i < FILO_COUNT_OF(expected); i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gpu, pipeline, i);
        assert_string_equal(info.name, expected[i].name);
        assert_int_equal(info.type, expected[i].type);
        assert_int_equal(info.count, expected[i].count);
    }
    filo_gpu_destroy(gpu);
}

FILO_TEST(null_device_refuses_shaders_without_main_and_with_error) {
    FiloGpu *gpu = null_device();
    FiloPipeline none = { 7 };
    FiloPipelineDesc desc = { .label = "text", .vertex = FLAT_VERTEX, .fragment = "out vec4 color;" };
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "text (fragment shader): it has no main function");
    desc.fragment = "#if 0\n#error not here\n#endif\n  #error so it is\nvoid main() {}";
    assert_error(filo_gpu_pipeline_create(&none, gpu, &desc), FILO_ERROR_DATA,
                 "text (fragment shader), line 4: #error so it is");
    assert_int_equal(none.id, 0);
    // Truncated texts.
    static const char *const texts[] = { "",
                                         "uniform",
                                         "uniform vec2",
                                         "uniform vec2 a[",
                                         "uniform vec2 a[3",
                                         "/*",
                                         "#",
                                         "uniform vec2 a, ",
                                         "uniform B {",
                                         "\\",
                                         "main uniform float a = " };
    for (size_t i = 0; i < FILO_COUNT_OF(texts); i++) {
        desc.fragment = texts[i];
        FiloPipeline pipeline;
        FiloResult result = filo_gpu_pipeline_create(&pipeline, gpu, &desc);
        assert_int_equal(pipeline.id != 0, result.code == FILO_OK);
    }
    // Replacing works as on the GL devices.
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_OVER);
    assert_error(filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX, "#error broken"), FILO_ERROR_DATA,
                 "line 1");
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 1);
    assert_ok(filo_gpu_pipeline_replace(gpu, pipeline, FLAT_VERTEX, "void main() {}"));
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 0);
    filo_gpu_destroy(gpu);
}
