// Draws to the window and to targets, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

// The upper left half of the window.
static const float upper_left[] = { -1, 1, -1, -1, 1, 1 };

static void triangle(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloBuffer buffer = vertices(gpu, upper_left, sizeof upper_left);
    begin_window(gpu, filo_vec4(0, 0, 1, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    assert_true(filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1)));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    FiloPixels picture;
    assert_true(filo_pixels_create(&picture, WINDOW_WIDTH, WINDOW_HEIGHT, NULL));
    assert_ok(filo_gpu_read(gpu, WINDOW, 0, 0, &picture));
    int wrong = 0;
    for (int y = 0; y < WINDOW_HEIGHT; y++) {
        for (int x = 0; x < WINDOW_WIDTH; x++) {
            float side = ((float)x + 0.5f) / WINDOW_WIDTH + ((float)y + 0.5f) / WINDOW_HEIGHT - 1;
            if (side > -0.02f && side < 0.02f) continue; // on the edge
            FiloColor wanted = side < 0 ? RED_PIXEL : BLUE_PIXEL, found = *filo_pixels_at(&picture, x, y);
            wrong += memcmp(&wanted, &found, sizeof wanted) != 0;
        }
    }
    filo_pixels_free(&picture, NULL);
    assert_int_equal(wrong, 0);
}
FILO_TEST(a_triangle_fills_the_upper_left_half) { on_both(triangle); }

static void read_part(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    // Green: a strip along the upper edge, 8 pixels high.
    float top = 1 - 16.0f / WINDOW_HEIGHT;
    FiloBuffer buffer =
        vertices(gpu, (float[]){ -1, 1, -1, top, 1, 1, 1, 1, -1, top, 1, top }, 12 * sizeof(float));
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(0, 1, 0, 1));
    filo_gpu_draw(gpu, 0, 6, 1);
    filo_gpu_end_pass(gpu);
    FiloPixels part;
    assert_true(filo_pixels_create(&part, 5, 4, NULL));
    FiloColor red = RED_PIXEL;
    filo_pixels_fill(&part, red);
    FiloPixels inner = filo_pixels_part(&part, 1, 0, 3, 4); // narrower than its stride
    assert_ok(filo_gpu_read(gpu, WINDOW, 10, 6, &inner));
    for (int y = 0; y < 4; y++) {
        FiloColor wanted = y < 2 ? GREEN_PIXEL : BLACK_PIXEL;
        for (int x = 1; x < 4; x++) assert_memory_equal(filo_pixels_at(&part, x, y), &wanted, 4);
        assert_memory_equal(filo_pixels_at(&part, 0, y), &red, 4);
        assert_memory_equal(filo_pixels_at(&part, 4, y), &red, 4);
    }
    filo_pixels_free(&part, NULL);
}
FILO_TEST(a_part_of_the_window_is_read_from_the_top) { on_both(read_part); }

static void viewport_and_scissor(FiloGpu *gpu) {
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, all, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
    filo_gpu_set_viewport(gpu, 4, 6, 8, 10);
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_set_viewport(gpu, 0, 0, WINDOW_WIDTH, WINDOW_HEIGHT);
    filo_gpu_set_scissor(gpu, 20, 30, 5, 7);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(0, 1, 0, 1));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 4, 6, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 11, 15, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 3, 6, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 12, 15, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 4, 5, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 4, 16, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 20, 30, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 24, 36, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 20, 29, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 24, 37, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 25, 36, BLACK_PIXEL);
    // A new pass has no scissor, also for clearing.
    begin_window(gpu, filo_vec4(0, 0, 1, 1));
    filo_gpu_set_scissor(gpu, 20, 30, 5, 7);
    filo_gpu_set_scissor(gpu, 0, 0, 0, 0);
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, all, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 1, 1, 1));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 0, 0, WHITE_PIXEL);
    begin_window(gpu, filo_vec4(0, 0, 1, 1));
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 0, 0, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, WINDOW_WIDTH - 1, WINDOW_HEIGHT - 1, BLUE_PIXEL);
}
FILO_TEST(viewport_and_scissor_count_from_the_upper_left_corner) { on_both(viewport_and_scissor); }

static FiloColor blended(FiloGpu *gpu, FiloBlend blend) {
    FiloPipeline pipeline = flat_pipeline(gpu, blend);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    begin_window(gpu, filo_vec4(0.2f, 0.4f, 0.6f, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, all, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(0.5f, 0, 0, 0.5f));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, 5, 5);
}
static void blending(FiloGpu *gpu) {
    FiloColor over = blended(gpu, FILO_BLEND_OVER), none = blended(gpu, FILO_BLEND_NONE);
    FiloColor add = blended(gpu, FILO_BLEND_ADD);
    assert_in_range(over.r, 151, 155); // 0.5 + 0.2 / 2
    assert_in_range(over.g, 49, 53);
    assert_in_range(over.b, 75, 79);
    assert_int_equal(over.a, 255);
    assert_in_range(none.r, 126, 130);
    assert_int_equal(none.g, 0);
    assert_in_range(none.a, 126, 130);
    assert_in_range(add.r, 176, 181);
    assert_in_range(add.g, 100, 104);
}
FILO_TEST(colours_are_blended_premultiplied) { on_both(blending); }

// Squares of 8 x 8 pixels at positions in pixels, coloured per instance.
#define SQUARE_VERTEX                                                                                        \
    "layout(location = 0) in vec2 corner;\nlayout(location = 1) in vec2 position;\n"                         \
    "layout(location = 2) in vec4 tint;\nlayout(location = 3) in uvec2 more;\nout vec4 color;\n"             \
    "void main() { color = tint; vec2 at = position + vec2(more) + corner * 8.0;\n"                          \
    "gl_Position = vec4(at.x / 64.0 - 1.0, 1.0 - at.y / 48.0, 0, 1); }\n"
#define SQUARE_FRAGMENT "in vec4 color;\nout vec4 result;\nvoid main() { result = color; }\n"
typedef struct Square {
    float x, y;
    FiloColor tint;
    uint16_t more[2];
} Square;

static void instances(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "squares",
                             .vertex = SQUARE_VERTEX,
                             .fragment = SQUARE_FRAGMENT,
                             .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, 0 },
                                             { FILO_ATTRIBUTE_FLOAT2, 1, offsetof(Square, x) },
                                             { FILO_ATTRIBUTE_UBYTE4_UNIT, 1, offsetof(Square, tint) },
                                             { FILO_ATTRIBUTE_USHORT2, 1, offsetof(Square, more) } },
                             .buffers = { { 8, false }, { sizeof(Square), true } } }));
    FiloBuffer corners = vertices(gpu, (float[]){ 9, 9, 0, 0, 1, 0, 0, 1, 1, 1 }, 10 * sizeof(float));
    Square squares[4] = { { 99, 99, WHITE_PIXEL, { 0 } },
                          { 10, 10, RED_PIXEL, { 0 } },
                          { 20, 10, GREEN_PIXEL, { 3, 5 } },
                          { 40, 50, BLUE_PIXEL, { 0 } } };
    FiloBuffer list;
    assert_ok(
        filo_gpu_buffer_create(&list, gpu, &(FiloBufferDesc){ .label = "list", .size = sizeof squares }));
    filo_gpu_buffer_write(gpu, list, 0, squares, sizeof squares);
    FiloBuffer indices;
    assert_ok(filo_gpu_buffer_create(&indices, gpu,
                                     &(FiloBufferDesc){ .use = FILO_BUFFER_INDICES,
                                                        .size = 8 * sizeof(uint32_t),
                                                        .data = (uint32_t[]){ 9, 9, 0, 1, 2, 2, 1, 3 },
                                                        .constant = true }));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, corners, 0);
    filo_gpu_set_vertices(gpu, 1, list, sizeof(Square)); // without the first
    filo_gpu_set_indices(gpu, indices);
    filo_gpu_draw_indexed(gpu, 2, 6, 1, 3); // corners from the second on
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 10, 10, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 17, 17, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 18, 17, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 23, 15, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 23, 14, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 30, 22, GREEN_PIXEL);
    assert_pixel(gpu, WINDOW, 47, 57, BLUE_PIXEL);
    assert_pixel(gpu, WINDOW, 99 + 4, 99 - 8, BLACK_PIXEL);
    assert_int_equal(filo_gpu_stats_now(gpu).vertices, 18);
}
FILO_TEST(instances_and_indices_draw_squares_of_their_own) { on_both(instances); }

// Points of 4 pixels whose colour depends on a uniform of every type.
#define UNIFORM_VERTEX                                                                                       \
    "uniform mat3 move;\nuniform mat4 turn;\nuniform float size;\nuniform ivec2 steps;\nuniform int "        \
    "count;\n"                                                                                               \
    "uniform vec2 offset[3];\nuniform vec3 tint;\nuniform float unused;\nuniform bool on;\nout vec3 "        \
    "color;\n"                                                                                               \
    "void main() {\n"                                                                                        \
    "    vec3 at = move * vec3(offset[2] + vec2(steps), 1.0);\n"                                             \
    "    color = tint * float(count) / 4.0 * (on ? 1.0 : 0.0);\n"                                            \
    "    gl_PointSize = size;\n"                                                                             \
    "    gl_Position = turn * vec4(at.xy + offset[0] + offset[1], 0.0, 1.0);\n"                              \
    "}\n"
#define UNIFORM_FRAGMENT "in vec3 color;\nout vec4 result;\nvoid main() { result = vec4(color, 1.0); }\n"

static void uniforms(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "uniforms",
                                                            .vertex = UNIFORM_VERTEX,
                                                            .fragment = UNIFORM_FRAGMENT,
                                                            .topology = FILO_POINTS }));
    static const FiloUniformInfo expected[] = {
        { "count", FILO_UNIFORM_INT, 1 },   { "move", FILO_UNIFORM_MAT3, 1 },
        { "offset", FILO_UNIFORM_VEC2, 3 }, { "on", FILO_UNIFORM_INT, 1 },
        { "size", FILO_UNIFORM_FLOAT, 1 },  { "steps", FILO_UNIFORM_IVEC2, 1 },
        { "tint", FILO_UNIFORM_VEC3, 1 },   { "turn", FILO_UNIFORM_MAT4, 1 }
    };
    assert_int_equal(filo_gpu_uniform_count(gpu, pipeline), FILO_COUNT_OF(expected));
    for (size_t i = 0; i < FILO_COUNT_OF(expected); i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gpu, pipeline, i);
        assert_string_equal(info.name, expected[i].name);
        assert_int_equal(info.type, expected[i].type);
        assert_int_equal(info.count, expected[i].count);
    }
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    // From pixels to clip space.
    FiloAffine2 move = filo_affine2(filo_vec2(2.0f / WINDOW_WIDTH, 0), filo_vec2(0, -2.0f / WINDOW_HEIGHT),
                                    filo_vec2(-1, 1));
    FiloMat4 turn = filo_mat4_identity();
    assert_true(filo_gpu_set_affine2(gpu, "move", move));
    assert_true(filo_gpu_set_mat4(gpu, "turn", &turn));
    assert_true(filo_gpu_set_float(gpu, "size", 4));
    assert_true(filo_gpu_set_ivec2(gpu, "steps", (FiloIVec2){ 30, 20 }));
    assert_true(filo_gpu_set_int(gpu, "count", 4));
    assert_true(filo_gpu_set_int(gpu, "on", 1));
    assert_true(filo_gpu_set_vec2(gpu, "offset", filo_vec2(0, 0)));
    assert_true(filo_gpu_set_vec2(gpu, "offset[1]", filo_vec2(0, 0)));
    assert_true(filo_gpu_set_vec2(gpu, "offset[2]", filo_vec2(2, 4)));
    assert_true(filo_gpu_set_vec3(gpu, "tint", filo_vec3(1, 0.5f, 0)));
    assert_false(filo_gpu_set_float(gpu, "unused", 1));
    assert_false(filo_gpu_set_float(gpu, "nothing", 1));
    filo_gpu_draw(gpu, 0, 1, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 31, 23, filo_color(255, 128, 0, 255));
    assert_pixel(gpu, WINDOW, 33, 25, filo_color(255, 128, 0, 255));
    assert_pixel(gpu, WINDOW, 29, 23, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 31, 21, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 34, 26, BLACK_PIXEL);
}
FILO_TEST(uniforms_of_every_type_reach_the_shader) { on_both(uniforms); }

static FiloPipeline depth_pipeline(FiloGpu *gpu, bool test, bool write, bool cull) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "depth",
                             .vertex = "layout(location = 0) in vec2 position;\n"
                                       "uniform float depth;\n"
                                       "void main() { gl_Position = vec4(position, depth, 1); }",
                             .fragment = FLAT_FRAGMENT,
                             .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, 0 } },
                             .buffers = { { 8, false } },
                             .depth_test = test,
                             .depth_write = write,
                             .cull_back = cull }));
    return pipeline;
}

static void draw_at_depth(FiloGpu *gpu, FiloPipeline pipeline, FiloBuffer buffer, float depth,
                          FiloVec4 color) {
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_set_float(gpu, "depth", depth);
    filo_gpu_set_vec4(gpu, "color", color);
    filo_gpu_draw(gpu, 0, 3, 1);
}

static void depth(FiloGpu *gpu) {
    FiloPipeline both = depth_pipeline(gpu, true, true, false),
                 test = depth_pipeline(gpu, true, false, false);
    FiloPipeline write = depth_pipeline(gpu, false, true, false);
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    draw_at_depth(gpu, both, all, 0, filo_vec4(1, 0, 0, 1));
    draw_at_depth(gpu, both, all, 0.5f, filo_vec4(0, 1, 0, 1)); // behind
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 9, 9, RED_PIXEL);
    begin_window(gpu, filo_vec4(0, 0, 0, 1)); // clears the depth too
    draw_at_depth(gpu, test, all, 0.9f, filo_vec4(0, 0, 1, 1));
    draw_at_depth(gpu, both, all, 0.95f, filo_vec4(0, 1, 0, 1)); // nothing was written
    draw_at_depth(gpu, write, all, 0.99f, filo_vec4(1, 1, 1, 1));
    draw_at_depth(gpu, test, all, 0.97f, filo_vec4(0, 0, 1, 1)); // the last one wrote without a test
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 9, 9, BLUE_PIXEL);
}
FILO_TEST(what_is_behind_is_not_drawn) { on_both(depth); }

// In a target y is flipped internally, which must not swap front and back faces.
static void culling(FiloGpu *gpu) {
    FiloPipeline pipeline = depth_pipeline(gpu, false, false, true);
    FiloBuffer front = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    FiloBuffer back = vertices(gpu, (float[]){ -1, -1, -1, 3, 3, -1 }, 6 * sizeof(float));
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .width = 16, .height = 16, .target = true }));
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = texture }));
    for (int i = 0; i < 2; i++) {
        FiloRenderTarget into = i == 0 ? WINDOW : target;
        filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = into,
                                                 .width = WINDOW_WIDTH,
                                                 .height = WINDOW_HEIGHT,
                                                 .clear = true,
                                                 .color = { 0, 0, 0, 1 } });
        draw_at_depth(gpu, pipeline, front, 0, filo_vec4(1, 0, 0, 1));
        draw_at_depth(gpu, pipeline, back, 0, filo_vec4(0, 1, 0, 1));
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, into, 9, 9, RED_PIXEL);
    }
}
FILO_TEST(back_faces_are_the_same_in_window_and_target) { on_both(culling); }

static void buffers(FiloGpu *gpu) {
    // Six floats at an offset, written in two parts.
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .size = 64 }));
    static const float all[] = { -1, -1, 3, -1, -1, 3 };
    filo_gpu_buffer_write(gpu, buffer, 40, all, 8);
    filo_gpu_buffer_write(gpu, buffer, 48, all + 2, 16);
    FiloPipeline pipeline = flat_pipeline(gpu, FILO_BLEND_NONE);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, buffer, 16);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(0, 1, 0, 1));
    filo_gpu_draw(gpu, 3, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 50, 50, GREEN_PIXEL);
    filo_gpu_buffer_destroy(gpu, buffer);
}
FILO_TEST(buffers_are_written_in_parts_and_drawn_from_an_offset) { on_both(buffers); }

static void stats(FiloGpu *gpu) {
    FiloGpuStats before = filo_gpu_stats_now(gpu);
    FiloPipeline a = flat_pipeline(gpu, FILO_BLEND_NONE), b = picture_pipeline(gpu);
    FiloBuffer buffer = vertices(gpu, upper_left, sizeof upper_left);
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(
        &texture, gpu, &(FiloTextureDesc){ .width = 2, .height = 2, .data = (uint32_t[4]){ 0 } }));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    filo_gpu_use(gpu, a);
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_draw(gpu, 0, 0, 1); // nothing
    draw_picture(gpu, b, texture);
    draw_picture(gpu, b, texture);
    filo_gpu_end_pass(gpu);
    FiloGpuStats now = filo_gpu_stats_now(gpu);
    assert_int_equal(now.draws, 3);
    assert_int_equal(now.passes, 1);
    assert_int_equal(now.pipeline_changes, 2);
    assert_int_equal(now.texture_changes, 1);
    assert_int_equal(now.vertices, 3 + 4 + 4);
    assert_int_equal(now.uploaded, sizeof upper_left + 16);
    assert_int_equal(now.buffer_memory, before.buffer_memory + sizeof upper_left);
    assert_int_equal(now.texture_memory, before.texture_memory + 16);
    filo_gpu_end_frame(gpu);
    assert_int_equal(filo_gpu_stats(gpu).draws, 3);
    assert_int_equal(filo_gpu_stats_now(gpu).draws, 0);
    filo_gpu_texture_destroy(gpu, texture);
    filo_gpu_buffer_destroy(gpu, buffer);
    assert_int_equal(filo_gpu_stats(gpu).texture_memory, before.texture_memory);
    assert_int_equal(filo_gpu_stats_now(gpu).buffer_memory, before.buffer_memory);
}
FILO_TEST(statistics_count_what_was_drawn) { on_both(stats); }
