// Compute pipelines, dispatches, uniforms and texels on OpenGL 4.5.

#include "gpu/compute.h"

// ---- Dispatches ---------------------------------------------------------------------------------------

static void doubling(FiloGpu *gpu) {
    uint32_t numbers[64 + NUMBERS + 1];
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++) numbers[i] = i;
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloPipeline pipeline = make_compute(gpu, "times", TIMES);
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), 2);
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 0).type, FILO_UNIFORM_UINT);
    times(gpu, pipeline, buffer, 256, 2);
    uint32_t found[FILO_COUNT_OF(numbers)];
    filo_gpu_buffer_read(gpu, buffer, 0, found, sizeof found);
    for (uint32_t i = 0; i < FILO_COUNT_OF(numbers); i++)
        assert_int_equal(found[i], i >= 64 && i < 64 + NUMBERS ? 2 * i : i);
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

#define TRIANGLE                                                                                             \
    "layout(local_size_x = 3) in;\n"                                                                         \
    "layout(std430, binding = 0) writeonly buffer Corners { vec2 corners[]; };\n"                            \
    "void main() {\n"                                                                                        \
    "    uint i = gl_LocalInvocationIndex;\n"                                                                \
    "    corners[i] = vec2(i == 1u ? 3.0 : -1.0, i == 2u ? 3.0 : -1.0);\n"                                   \
    "}\n"

static void drawing_what_was_computed(FiloGpu *gpu) {
    FiloPipeline compute = make_compute(gpu, "triangle", TRIANGLE),
                 flat = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloBuffer corners = make_buffer(gpu, FILO_BUFFER_STORAGE, 3 * sizeof(FiloVec2), NULL);
    begin_compute(gpu);
    filo_gpu_use(gpu, compute);
    filo_gpu_set_storage(gpu, 0, corners, 0, 3 * sizeof(FiloVec2));
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_end_pass(gpu);
    filo_gpu_barrier(gpu, FILO_BARRIER_VERTICES); // outside of passes too
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, flat);
    filo_gpu_set_vertices(gpu, 0, corners, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(0, 1, 0, 1));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 0, 0, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, WINDOW_WIDTH - 1, WINDOW_HEIGHT - 1, GREEN_PIXEL);
}
FILO_TEST(vertices_that_a_dispatch_wrote_are_drawn) { on_45(drawing_what_was_computed); }

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

// ---- Texels -------------------------------------------------------------------------------------------

#define TEXELS                                                                                               \
    "layout(local_size_x = 1) in;\n"                                                                         \
    "layout(std430, binding = 0) buffer Found { uvec4 found[4]; };\n"                                        \
    "uniform usamplerBuffer bytes, halves[2], words;\n"                                                      \
    "void main() {\n"                                                                                        \
    "    found[0] = texelFetch(bytes, 5);\n"                                                                 \
    "    found[1] = texelFetch(halves[0], 3);\n"                                                             \
    "    found[2] = texelFetch(halves[1], 2);\n"                                                             \
    "    found[3] = texelFetch(words, 1);\n"                                                                 \
    "}\n"

static void texels(FiloGpu *gpu) {
    uint32_t data[9], found[16];
    for (uint32_t i = 0; i < FILO_COUNT_OF(data); i++) data[i] = 0xF0E0D0C0 + i * 0x01010101;
    FiloPipeline pipeline = make_compute(gpu, "texels", TEXELS);
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 1).type, FILO_UNIFORM_TEXELS);
    assert_int_equal(filo_gpu_uniform_at(gpu, pipeline, 1).count, 2);
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof data, data);
    FiloBuffer results = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof found, NULL);
    for (int round = 0; round < 2; round++) {
        begin_compute(gpu);
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_storage(gpu, 0, results, 0, sizeof found);
        assert_true(filo_gpu_set_texels(gpu, "bytes", buffer, FILO_TEXELS_R8UI));
        assert_true(filo_gpu_set_texels(gpu, "halves", buffer, FILO_TEXELS_R16UI));
        assert_true(filo_gpu_set_texels(gpu, "halves[1]", buffer, FILO_TEXELS_R32UI));
        assert_true(filo_gpu_set_texels(gpu, "words", buffer, FILO_TEXELS_RGBA32UI));
        assert_false(filo_gpu_set_texels(gpu, "missing", buffer, FILO_TEXELS_R8UI));
        filo_gpu_dispatch(gpu, 1, 1, 1);
        filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
        filo_gpu_end_pass(gpu);
        filo_gpu_buffer_read(gpu, results, 0, found, sizeof found);
        uint32_t expected[16] = { data[1] >> 8 & 0xFF,
                                  0,
                                  0,
                                  1,
                                  data[1] >> 16,
                                  0,
                                  0,
                                  1,
                                  data[2],
                                  0,
                                  0,
                                  1,
                                  data[4],
                                  data[5],
                                  data[6],
                                  data[7] };
        assert_memory_equal(found, expected, sizeof found);
        // What is written to the buffer is seen in the next round.
        for (uint32_t i = 0; i < FILO_COUNT_OF(data); i++) data[i] ^= 0x12345678;
        filo_gpu_buffer_write(gpu, buffer, 0, data, sizeof data);
    }
}
FILO_TEST(a_shader_reads_a_buffer_as_texels_of_each_format) { on_45(texels); }

static void texels_of_a_dispatch(FiloGpu *gpu) {
    uint32_t numbers[NUMBERS], found[16];
    for (uint32_t i = 0; i < NUMBERS; i++) numbers[i] = i;
    FiloBuffer buffer = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof numbers, numbers);
    FiloBuffer results = make_buffer(gpu, FILO_BUFFER_STORAGE, sizeof found, NULL);
    FiloPipeline first = make_compute(gpu, "times", TIMES), second = make_compute(gpu, "texels", TEXELS);
    times(gpu, first, buffer, 0, 3);
    filo_gpu_barrier(gpu, FILO_BARRIER_TEXELS);
    begin_compute(gpu);
    filo_gpu_use(gpu, second);
    filo_gpu_set_storage(gpu, 0, results, 0, sizeof found);
    filo_gpu_set_texels(gpu, "bytes", buffer, FILO_TEXELS_R8UI);
    filo_gpu_set_texels(gpu, "halves[0]", buffer, FILO_TEXELS_R16UI);
    filo_gpu_set_texels(gpu, "halves[1]", buffer, FILO_TEXELS_R32UI);
    filo_gpu_set_texels(gpu, "words", buffer, FILO_TEXELS_RGBA32UI);
    filo_gpu_dispatch(gpu, 1, 1, 1);
    filo_gpu_barrier(gpu, FILO_BARRIER_COPY);
    filo_gpu_end_pass(gpu);
    filo_gpu_buffer_read(gpu, results, 0, found, sizeof found);
    assert_int_equal(found[8], 6);
    assert_int_equal(found[12], 12);
    assert_int_equal(found[15], 21);
}
FILO_TEST(texels_have_what_a_dispatch_wrote) { on_45(texels_of_a_dispatch); }

static void drawn_texels(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .vertex = PICTURE_VERTEX,
                             .fragment =
                                 "uniform usamplerBuffer colors;\nin vec2 uv;\nout vec4 result;\n"
                                 "void main() { int at = uv.x < 0.5 ? 0 : 3;\n"
                                 "result = vec4(texelFetch(colors, at).r, texelFetch(colors, at + 1).r, "
                                 "texelFetch(colors, at + 2).r, 255) / 255.0; }\n",
                             .topology = FILO_TRIANGLE_STRIP }));
    FiloBuffer colors = make_buffer(gpu, FILO_BUFFER_VERTICES, 6, (uint8_t[]){ 255, 0, 0, 0, 0, 255 });
    assert_true(filo_gpu_limits(gpu)->texels >= 65536);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vec4(gpu, "rect", filo_vec4(-1, 1, 2, 2));
    assert_true(filo_gpu_set_texels(gpu, "colors", colors, FILO_TEXELS_R8UI));
    filo_gpu_draw(gpu, 0, 4, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 10, 10, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 100, 10, BLUE_PIXEL);
    filo_gpu_buffer_destroy(gpu, colors);
}
FILO_TEST(draws_read_texels_on_all_devices) { on_both(drawn_texels); }

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
    uint32_t numbers[NUMBERS] = { 1, 2, 3 };
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
