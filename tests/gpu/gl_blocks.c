// Uniform blocks, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#include <epoxy/gl.h>

// A triangle over the whole picture.
#define COVER_VERTEX                                                                                         \
    "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }\n"

typedef struct Tint {
    float matrix[16];
    FiloVec4 tint;
} Tint;
#define TINT "layout(std140) uniform Tint { mat4 matrix; vec4 tint; };\n"

static FiloPipeline make_pipeline(FiloGpu *gpu, const FiloPipelineDesc *values, const char *fragment) {
    FiloPipelineDesc desc = *values;
    desc.vertex = COVER_VERTEX;
    desc.fragment = fragment;
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    return pipeline;
}

static FiloRingPiece put(FiloGpu *gpu, FiloGpuRing *ring, const void *data, size_t size) {
    FiloRingPiece piece;
    assert_true(filo_gpu_ring_take(gpu, ring, size, &piece));
    memcpy(piece.memory, data, size);
    filo_gpu_ring_done(gpu, ring, &piece);
    return piece;
}

static void draw_area(FiloGpu *gpu, int x) {
    filo_gpu_set_scissor(gpu, x, 0, 8, 8);
    filo_gpu_draw(gpu, 0, 3, 1);
}

static void blocks(FiloGpu *gpu) {
    // The slots of the two pipelines differ, and the second has a block that it does not list first.
    FiloPipeline tinted = make_pipeline(gpu, &(FiloPipelineDesc){ .label = "tinted", .blocks = { "Tint" } },
                                        TINT "out vec4 result;\nvoid main() { result = tint; }\n");
    FiloPipeline lit = make_pipeline(
        gpu, &(FiloPipelineDesc){ .label = "lit", .blocks = { "Tint", "Never", NULL, "Light" } },
        TINT "layout(std140) uniform Light { float dark; vec3 light; };\nout vec4 result;\n"
             "void main() { result = vec4(matrix[3].xyz * light, tint.a); }\n");
    FiloGpuRing *ring;
    assert_ok(filo_gpu_ring_create(
        &ring, gpu, &(FiloRingDesc){ .label = "blocks", .use = FILO_BUFFER_UNIFORMS, .size = 1024 }));
    for (int frame = 0; frame < 4; frame++) {
        Tint red = { .matrix = { [12] = 1, 1, 1 }, .tint = { 1, 0, 0, 1 } };
        Tint white = { .tint = { 1, 1, 1, 1 } };
        FiloRingPiece first = put(gpu, ring, &red, sizeof red), second = put(gpu, ring, &white, sizeof white);
        FiloRingPiece light = put(gpu, ring, (float[]){ 9, 9, 9, 9, 0, 1, 0, 9 }, 32);
        begin_window(gpu, filo_vec4(0, 0, 0, 1));
        filo_gpu_use(gpu, tinted);
        filo_gpu_set_block(gpu, 0, first.buffer, first.offset, first.size);
        draw_area(gpu, 0);
        filo_gpu_set_block(gpu, 0, second.buffer, second.offset, second.size);
        draw_area(gpu, 8);
        filo_gpu_set_block(gpu, 0, first.buffer, first.offset, first.size);
        filo_gpu_set_block(gpu, 3, light.buffer, light.offset, light.size);
        filo_gpu_use(gpu, lit); // blocks stay set
        draw_area(gpu, 16);
        filo_gpu_use(gpu, tinted);
        draw_area(gpu, 24);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, WINDOW, 4, 4, RED_PIXEL);
        assert_pixel(gpu, WINDOW, 12, 4, WHITE_PIXEL);
        assert_pixel(gpu, WINDOW, 20, 4, GREEN_PIXEL);
        assert_pixel(gpu, WINDOW, 28, 4, RED_PIXEL);
        filo_gpu_end_frame(gpu);
    }
}
FILO_TEST(blocks_are_read_from_their_slots) { on_both(blocks); }

static void replaced(FiloGpu *gpu) {
    FiloPipeline pipeline = make_pipeline(gpu, &(FiloPipelineDesc){ .blocks = { NULL, "Tint", "Extra" } },
                                          TINT "out vec4 result;\nvoid main() { result = tint; }\n");
    FiloBuffer buffer;
    FiloVec4 data[17] = { [4] = { 0, 0, 1, 1 }, [16] = { 0, 1, 0, 1 } };
    assert_ok(filo_gpu_buffer_create(
        &buffer, gpu, &(FiloBufferDesc){ .use = FILO_BUFFER_UNIFORMS, .size = sizeof data, .data = data }));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_block(gpu, 1, buffer, 0, sizeof(Tint));
    draw_area(gpu, 0);
    // The new shaders have another block, in another slot.
    assert_ok(filo_gpu_pipeline_replace(gpu, pipeline, COVER_VERTEX,
                                        "layout(std140) uniform Extra { vec4 extra; };\nout vec4 result;\n"
                                        "void main() { result = extra; }\n"));
    filo_gpu_set_block(gpu, 2, buffer, 256, 16);
    draw_area(gpu, 8);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 4, 4, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 12, 4, GREEN_PIXEL);
}
FILO_TEST(replaced_shaders_find_their_blocks) { on_both(replaced); }

static void unlisted(FiloGpu *gpu) {
    FiloPipeline pipeline = { 7 };
    FiloPipelineDesc desc = { .label = "tinted",
                              .vertex = COVER_VERTEX,
                              .fragment = TINT "out vec4 result;\nvoid main() { result = tint; }\n",
                              .blocks = { "Camera" } };
    assert_error(filo_gpu_pipeline_create(&pipeline, gpu, &desc), FILO_ERROR_DATA,
                 "tinted: the uniform block Tint is not in the list of its blocks");
    assert_int_equal(pipeline.id, 0);
}
FILO_TEST(a_block_that_the_pipeline_does_not_list_is_an_error) { on_both(unlisted); }

// ---- Sizes --------------------------------------------------------------------------------------------

// Every device knows how large a block is: the driver, and the null device by the rules of std140.
static const struct {
    const char *members;
    int size;
} sizes[] = {
    { "vec4 a; mat4 b;", 80 },
    { "float a; vec3 b; float c;", 32 },
    { "float a, b; vec2 c; uint d;", 32 },
    { "vec3 a; float b; bool c; ivec3 d;", 48 },
    { "float a[3]; float b;", 64 },
    { "mat3 a; vec2 b; mat4 c[2];", 192 },
    { "vec4 a[COUNT]; highp ivec2 b; uvec4 c;", 160 },
    { "mat3x2 a; mat2 b; vec2 c[2];", 112 },
};

// All members of such a block count, used or not.
static void assert_sizes(FiloGpu *gpu) {
    FiloBuffer buffer;
    assert_ok(
        filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .use = FILO_BUFFER_UNIFORMS, .size = 1024 }));
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        char text[256], message[128];
        (void)snprintf(text, sizeof text,
                       "#define COUNT 8\nlayout(std140) uniform Items { %s };\nvoid main() {}\n",
                       sizes[i].members);
        FiloPipeline pipeline =
            make_pipeline(gpu, &(FiloPipelineDesc){ .label = "sized", .blocks = { "Items" } }, text);
        (void)snprintf(message, sizeof message,
                       "pipeline \"sized\": the block \"Items\" has %d bytes, and only %d are set",
                       sizes[i].size, sizes[i].size - 1);
        begin_window(gpu, filo_vec4(0, 0, 0, 1));
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_block(gpu, 0, buffer, 0, (size_t)sizes[i].size - 1);
        expect_fault(message, filo_gpu_draw(gpu, 0, 3, 1));
        filo_gpu_set_block(gpu, 0, buffer, 0, (size_t)sizes[i].size);
        filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_end_pass(gpu);
        assert_int_equal(filo_gpu_stats_now(gpu).draws, i + 1);
    }
}
FILO_TEST(a_block_must_be_as_large_as_in_the_shader) {
    only_in_debug_builds();
    on_both(assert_sizes);
}
FILO_TEST(the_null_device_knows_the_sizes_of_blocks) {
    only_in_debug_builds();
    FiloGpu *gpu = null_device();
    assert_sizes(gpu);
    filo_gpu_destroy(gpu);
}

// ---- Computing ----------------------------------------------------------------------------------------

static void compute(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "sum",
                             .compute =
                                 "layout(local_size_x = 1) in;\n"
                                 "layout(std140) uniform Numbers { uvec4 numbers; };\n"
                                 "layout(std430, binding = 0) buffer Sum { uint sum; };\n"
                                 "void main() { sum = numbers.x + numbers.y + numbers.z + numbers.w; }",
                             .blocks = { NULL, NULL, "Numbers" } }));
    FiloBuffer numbers, sum;
    assert_ok(filo_gpu_buffer_create(&numbers, gpu,
                                     &(FiloBufferDesc){ .use = FILO_BUFFER_UNIFORMS,
                                                        .size = 16,
                                                        .data = (uint32_t[]){ 1, 20, 300, 4000 } }));
    assert_ok(filo_gpu_buffer_create(&sum, gpu, &(FiloBufferDesc){ .use = FILO_BUFFER_STORAGE, .size = 4 }));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .compute = true });
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_storage(gpu, 0, sum, 0, 4);
    filo_gpu_set_block(gpu, 2, numbers, 0, 16);
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    uint32_t result = 0;
    filo_gpu_buffer_read(gpu, sum, 0, &result, sizeof result);
    assert_int_equal(result, 4321);
    GLint bound = -1;
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 2, &bound);
    assert_int_equal(bound, 0);
    glGetIntegerv(GL_UNIFORM_BUFFER_BINDING, &bound);
    assert_int_equal(bound, 0);
}
FILO_TEST(compute_shaders_read_blocks_and_unbind_them) { on_device(FILO_GPU_GL45, compute); }
