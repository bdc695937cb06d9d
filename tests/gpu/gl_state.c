// The fixed state of pipelines and what passes clear, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#include <epoxy/gl.h>

#define SIDE 16

// Positions with depth, one colour for all.
#define DEPTH_VERTEX                                                                                         \
    "layout(location = 0) in vec3 position;\nvoid main() { gl_Position = vec4(position, 1); }\n"

static FiloPipeline make_pipeline(FiloGpu *gpu, FiloPipelineDesc desc) {
    FiloPipeline pipeline;
    desc.vertex = DEPTH_VERTEX;
    if (desc.fragment == NULL) desc.fragment = FLAT_FRAGMENT;
    desc.attributes[0] = (FiloAttribute){ FILO_ATTRIBUTE_FLOAT3, 0, 0 };
    desc.buffers[0].stride = 12;
    desc.blend = FILO_BLEND_NONE;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    return pipeline;
}

// A target with colour and depth.
static FiloRenderTarget make_target(FiloGpu *gpu, FiloTextureFormat depth_format) {
    FiloTexture color, depth;
    FiloTextureDesc desc = { .width = SIDE, .height = SIDE, .target = true };
    assert_ok(filo_gpu_texture_create(&color, gpu, &desc));
    desc.format = depth_format;
    assert_ok(filo_gpu_texture_create(&depth, gpu, &desc));
    FiloRenderTarget target;
    assert_ok(
        filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = color, .depth = depth }));
    return target;
}

// A triangle over the whole picture, at this depth; counter-clockwise.
static FiloBuffer cover(FiloGpu *gpu, float depth) {
    return vertices(gpu, (float[]){ -1, -1, depth, 3, -1, depth, -1, 3, depth }, 9 * sizeof(float));
}

static void draw(FiloGpu *gpu, FiloPipeline pipeline, FiloBuffer triangle, FiloVec4 color) {
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, triangle, 0);
    filo_gpu_set_vec4(gpu, "color", color);
    filo_gpu_draw(gpu, 0, 3, 1);
}

#define RED   filo_vec4(1, 0, 0, 1)
#define GREEN filo_vec4(0, 1, 0, 1)
#define BLUE  filo_vec4(0, 0, 1, 1)

static const float clockwise[] = { -1, -1, 0, -1, 3, 0, 3, -1, 0 };

// In the window and in a target, whose picture is drawn upside down.
static void cull_in(FiloGpu *gpu, FiloRenderTarget target) {
    FiloBuffer front = cover(gpu, 0), back = vertices(gpu, clockwise, sizeof clockwise);
    static const struct {
        bool cull_back, cull_front;
        FiloColor front, back;
    } cases[] = { { false, false, { 255, 0, 0, 255 }, { 0, 255, 0, 255 } },
                  { true, false, { 255, 0, 0, 255 }, { 0, 0, 0, 255 } },
                  { false, true, { 0, 0, 0, 255 }, { 0, 255, 0, 255 } },
                  { true, true, { 0, 0, 0, 255 }, { 0, 0, 0, 255 } } };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloPipeline pipeline = make_pipeline(
            gpu, (FiloPipelineDesc){ .cull_back = cases[i].cull_back, .cull_front = cases[i].cull_front });
        FiloGpuPass pass = {
            .target = target, .width = SIDE, .height = SIDE, .clear = true, .color = { 0, 0, 0, 1 }
        };
        filo_gpu_begin_pass(gpu, &pass);
        filo_gpu_set_scissor(gpu, 0, 0, SIDE / 2, SIDE);
        draw(gpu, pipeline, front, RED);
        filo_gpu_set_scissor(gpu, SIDE / 2, 0, SIDE / 2, SIDE);
        draw(gpu, pipeline, back, GREEN);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, target, 2, 2, cases[i].front);
        assert_pixel(gpu, target, SIDE - 2, 2, cases[i].back);
    }
}
static void cull(FiloGpu *gpu) {
    cull_in(gpu, WINDOW);
    cull_in(gpu, make_target(gpu, FILO_TEXTURE_DEPTH24));
}
FILO_TEST(front_or_back_faces_are_left_out) { on_both(cull); }

// Depth first, by a pipeline that writes no colour and has no output; then colour where the depth is the same.
static void pre_pass(FiloGpu *gpu) {
    static const FiloTextureFormat formats[] = { FILO_TEXTURE_DEPTH24, FILO_TEXTURE_DEPTH32F };
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++) {
        FiloRenderTarget target = make_target(gpu, formats[i]);
        FiloPipeline depth_only = make_pipeline(gpu, (FiloPipelineDesc){ .fragment = "void main() {}\n",
                                                                         .depth_test = true,
                                                                         .depth_write = true,
                                                                         .no_color = true });
        FiloPipeline masked = make_pipeline(gpu, (FiloPipelineDesc){ .no_color = true });
        FiloPipeline equal =
            make_pipeline(gpu, (FiloPipelineDesc){ .depth_test = true, .depth_equal = true });
        FiloGpuPass pass = { .target = target, .clear = true, .color = { 0, 0, 1, 1 } };
        filo_gpu_begin_pass(gpu, &pass);
        draw(gpu, masked, cover(gpu, 0), RED);
        filo_gpu_set_scissor(gpu, 0, 0, SIDE / 2, SIDE);
        draw(gpu, depth_only, cover(gpu, 0.25f), RED);
        filo_gpu_set_scissor(gpu, 0, 0, 0, 0);
        draw(gpu, equal, cover(gpu, 0.2f), RED); // nearer: not equal
        draw(gpu, equal, cover(gpu, 0.25f), GREEN);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, target, 2, 2, GREEN_PIXEL);
        assert_pixel(gpu, target, SIDE - 2, 2, BLUE_PIXEL);
    }
}
FILO_TEST(colour_is_drawn_where_an_earlier_draw_left_the_same_depth) { on_both(pre_pass); }

// Each pass clears one of both, and draws at depth 0.5, which is visible only if the depth is 1.
static void clear_apart(FiloGpu *gpu) {
    FiloRenderTarget target = make_target(gpu, FILO_TEXTURE_DEPTH24);
    FiloPipeline pipeline = make_pipeline(gpu, (FiloPipelineDesc){ .depth_test = true, .depth_write = true });
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    draw(gpu, pipeline, cover(gpu, 0), RED);
    filo_gpu_end_pass(gpu);
    FiloGpuPass pass = { .target = target, .clear = true, .color = { 0, 0, 1, 1 }, .keep_depth = true };
    filo_gpu_begin_pass(gpu, &pass);
    draw(gpu, pipeline, cover(gpu, 0.5f), GREEN);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 2, 2, BLUE_PIXEL);
    pass = (FiloGpuPass){ .target = target, .clear = true, .keep_color = true };
    filo_gpu_begin_pass(gpu, &pass);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 2, 2, BLUE_PIXEL);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target });
    filo_gpu_set_scissor(gpu, 0, 0, SIDE / 2, SIDE);
    draw(gpu, pipeline, cover(gpu, 0.5f), GREEN);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 2, 2, GREEN_PIXEL);
    assert_pixel(gpu, target, SIDE - 2, 2, BLUE_PIXEL);
}
FILO_TEST(colour_and_depth_are_cleared_apart) { on_both(clear_apart); }

static void bias(FiloGpu *gpu) {
    FiloRenderTarget target = make_target(gpu, FILO_TEXTURE_DEPTH24);
    FiloPipelineDesc desc = { .depth_test = true, .depth_write = true };
    FiloPipeline plain = make_pipeline(gpu, desc);
    desc.depth_bias = 1000;
    FiloPipeline further = make_pipeline(gpu, desc);
    desc.depth_bias = 0;
    desc.depth_slope_bias = 2;
    FiloPipeline by_slope = make_pipeline(gpu, desc);
    // Level: only the constant bias counts.
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    draw(gpu, plain, cover(gpu, 0.5f), RED);
    draw(gpu, further, cover(gpu, 0.5f), GREEN);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 8, 8, RED_PIXEL);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target });
    draw(gpu, by_slope, cover(gpu, 0.5f), BLUE);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 8, 8, BLUE_PIXEL);
    // Sloping: 1 / SIDE of the whole depth from a pixel to the next.
    FiloBuffer slope = vertices(gpu, (float[]){ -1, -1, -1, 3, -1, 3, -1, 3, -1 }, 9 * sizeof(float));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    draw(gpu, plain, slope, RED);
    draw(gpu, by_slope, slope, GREEN);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 8, 8, RED_PIXEL);
    // The bias ends with the pipeline.
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    draw(gpu, further, cover(gpu, 0.5f), GREEN);
    draw(gpu, plain, cover(gpu, 0.5f), BLUE);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 8, 8, BLUE_PIXEL);
}
FILO_TEST(a_bias_moves_depth_away) { on_both(bias); }

static void bias_of_lines(FiloGpu *gpu) {
    FiloRenderTarget target = make_target(gpu, FILO_TEXTURE_DEPTH24);
    FiloPipelineDesc desc = { .depth_test = true, .depth_write = true };
    FiloPipeline plain = make_pipeline(gpu, desc);
    desc.wireframe = true;
    // The left edge is in the column of pixels 4.
    float x = 4.5f / SIDE * 2 - 1;
    FiloBuffer triangle = vertices(gpu, (float[]){ x, -2, 0, 5, 0, 0, x, 2, 0 }, 9 * sizeof(float));
    for (int i = 0; i < 2; i++) {
        desc.depth_bias = i == 0 ? 0 : 1000;
        filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
        draw(gpu, plain, cover(gpu, 0), RED);
        draw(gpu, make_pipeline(gpu, desc), triangle, GREEN);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, target, 4, 8, i == 0 ? GREEN_PIXEL : RED_PIXEL);
        assert_pixel(gpu, target, 6, 8, RED_PIXEL);
    }
}
FILO_TEST(a_bias_moves_the_lines_of_a_wireframe_too) { on_both(bias_of_lines); }

static void wireframe(FiloGpu *gpu) {
    FiloPipeline lines = make_pipeline(gpu, (FiloPipelineDesc){ .wireframe = true });
    FiloPipeline filled = make_pipeline(gpu, (FiloPipelineDesc){ .label = "filled" });
    // A triangle whose left edge is in the column of pixels 20.
    float x = 20.5f / WINDOW_WIDTH * 2 - 1;
    FiloBuffer triangle = vertices(gpu, (float[]){ x, -2, 0, 5, 0, 0, x, 2, 0 }, 9 * sizeof(float));
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    draw(gpu, lines, triangle, RED);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 20, 40, RED_PIXEL);
    assert_pixel(gpu, WINDOW, 30, 40, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 10, 40, BLACK_PIXEL);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    draw(gpu, lines, triangle, RED);
    draw(gpu, filled, triangle, GREEN);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 30, 40, GREEN_PIXEL);
}
FILO_TEST(a_wireframe_is_the_edges_of_triangles) { on_both(wireframe); }

// Other libraries that use the context expect the defaults of OpenGL.
static void restore(FiloGpu *gpu) {
    FiloPipeline pipeline = make_pipeline(
        gpu, (FiloPipelineDesc){ .wireframe = true, .no_color = true, .cull_front = true, .depth_bias = 1 });
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(
        &texture, gpu,
        &(FiloTextureDesc){ .format = FILO_TEXTURE_RGBA8_SRGB, .width = 4, .height = 4, .target = true }));
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .color = texture }));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target });
    draw(gpu, pipeline, cover(gpu, 0), RED);
    filo_gpu_end_pass(gpu);
    GLint mode[2] = { 0 }, face = 0;
    GLboolean mask[4] = { 0 };
    glGetIntegerv(GL_POLYGON_MODE, mode);
    glGetIntegerv(GL_CULL_FACE_MODE, &face);
    glGetBooleanv(GL_COLOR_WRITEMASK, mask);
    assert_int_equal(mode[0], GL_FILL);
    assert_int_equal(face, GL_BACK);
    for (int i = 0; i < 4; i++) assert_true(mask[i]);
    assert_false(glIsEnabled(GL_POLYGON_OFFSET_FILL));
    assert_false(glIsEnabled(GL_POLYGON_OFFSET_LINE));
    assert_false(glIsEnabled(GL_FRAMEBUFFER_SRGB));
}
FILO_TEST(a_pass_restores_the_state_that_other_libraries_expect) { on_both(restore); }
