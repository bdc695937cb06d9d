// Depth textures that shaders read and compare with, and arrays of them, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#define SIDE 8

static FiloTexture make_depth(FiloGpu *gpu, FiloTextureFormat format, int layers, bool compare, bool linear) {
    FiloTexture texture;
    assert_ok(filo_gpu_texture_create(&texture, gpu,
                                      &(FiloTextureDesc){ .label = "depth",
                                                          .format = format,
                                                          .width = SIDE,
                                                          .height = SIDE,
                                                          .layers = layers,
                                                          .target = true,
                                                          .compare = compare,
                                                          .linear = linear }));
    return texture;
}

// Draws the left half of a layer at this depth of clip space; the rest is 1.
static void draw_depth(FiloGpu *gpu, FiloTexture depth, int layer, float z) {
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(
        &target, gpu, &(FiloRenderTargetDesc){ .label = "layer", .depth = depth, .layer = layer }));
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .vertex = "uniform float z;\n"
                                       "void main() {\n"
                                       "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                       "    gl_Position = vec4(corner.x - 1.0, corner.y * 2.0 - 1.0, z, 1);\n"
                                       "}\n",
                             .fragment = "void main() {}\n",
                             .topology = FILO_TRIANGLE_STRIP,
                             .depth_test = true,
                             .depth_write = true,
                             .no_color = true }));
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_float(gpu, "z", z);
    filo_gpu_draw(gpu, 0, 4, 1);
    filo_gpu_end_pass(gpu);
    filo_gpu_target_destroy(gpu, target);
    filo_gpu_pipeline_destroy(gpu, pipeline);
}

// The red part of a picture that a fragment shader makes of the texture, in the column `x` of SIDE * 8.
static FiloPipeline show_pipeline(FiloGpu *gpu, const char *fragment) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "show",
                                                            .vertex = PICTURE_VERTEX,
                                                            .fragment = fragment,
                                                            .topology = FILO_TRIANGLE_STRIP,
                                                            .blend = FILO_BLEND_NONE }));
    return pipeline;
}

static int shown(FiloGpu *gpu, FiloPipeline pipeline, FiloTexture texture, float layer, float reference,
                 int x) {
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_set_viewport(gpu, 0, 0, SIDE * 8, SIDE * 8);
    filo_gpu_use(gpu, pipeline);
    (void)filo_gpu_set_float(gpu, "layer", layer);
    (void)filo_gpu_set_float(gpu, "reference", reference);
    draw_picture(gpu, pipeline, texture);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, x, SIDE * 4).r;
}

static void layers(FiloGpu *gpu) {
    static const FiloTextureFormat formats[] = { FILO_TEXTURE_DEPTH24, FILO_TEXTURE_DEPTH32F };
    FiloPipeline pipeline = show_pipeline(
        gpu, "uniform highp sampler2DArray picture;\nuniform float layer;\nin vec2 uv;\nout vec4 result;\n"
             "void main() { result = vec4(texture(picture, vec3(uv, layer)).r, 0, 0, 1); }\n");
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++) {
        FiloTexture depth = make_depth(gpu, formats[i], 4, false, false);
        for (int layer = 0; layer < 4; layer++) draw_depth(gpu, depth, layer, (float)layer * 0.4f - 1);
        for (int layer = 0; layer < 4; layer++) {
            assert_true(near_byte(shown(gpu, pipeline, depth, (float)layer, 0, 8), layer * 51));
            assert_int_equal(shown(gpu, pipeline, depth, (float)layer, 0, SIDE * 6), 255);
        }
    }
}
FILO_TEST(each_layer_of_a_depth_array_is_drawn_and_read_alone) { on_both(layers); }

#define COMPARE(type, at)                                                                                    \
    "uniform highp " type " picture;\nuniform float layer;\nuniform float reference;\nin vec2 uv;\n"         \
    "out vec4 result;\nvoid main() { result = vec4(texture(picture, " at "), 0, layer, 1); }\n"

// The depth is 0.25 in the left half and 1 in the right half.
static void assert_compared(FiloGpu *gpu, FiloPipeline pipeline, FiloTexture texture, float layer) {
    assert_int_equal(shown(gpu, pipeline, texture, layer, 0.2f, 8), 255);  // nearer: lit
    assert_int_equal(shown(gpu, pipeline, texture, layer, 0.25f, 8), 255); // equal: lit
    assert_int_equal(shown(gpu, pipeline, texture, layer, 0.3f, 8), 0);
    assert_int_equal(shown(gpu, pipeline, texture, layer, 0.3f, SIDE * 6), 255);
}

static void compare(FiloGpu *gpu) {
    FiloPipeline plain = show_pipeline(gpu, COMPARE("sampler2DShadow", "vec3(uv, reference)"));
    FiloPipeline array = show_pipeline(gpu, COMPARE("sampler2DArrayShadow", "vec4(uv, layer, reference)"));
    FiloUniformInfo info = { 0 };
    for (size_t i = 0; i < filo_gpu_uniform_count(gpu, array); i++) {
        info = filo_gpu_uniform_at(gpu, array, i);
        if (strcmp(info.name, "picture") == 0) break;
    }
    assert_int_equal(info.type, FILO_UNIFORM_TEXTURE_ARRAY_SHADOW);
    for (int linear = 0; linear < 2; linear++) {
        FiloTexture one = make_depth(gpu, FILO_TEXTURE_DEPTH32F, 0, true, linear != 0);
        draw_depth(gpu, one, 0, -0.5f);
        assert_compared(gpu, plain, one, 0);
        FiloTexture many = make_depth(gpu, FILO_TEXTURE_DEPTH24, 3, true, linear != 0);
        draw_depth(gpu, many, 1, 0.9f);
        draw_depth(gpu, many, 2, -0.5f);
        assert_compared(gpu, array, many, 2);
        // Between two texels a linear filter takes a mean of the comparisons, not of the depths.
        int between = shown(gpu, plain, one, 0, 0.3f, SIDE * 4 - 2);
        if (linear != 0)
            assert_in_range(between, 50, 128);
        else
            assert_int_equal(between, 0);
    }
}
FILO_TEST(depths_are_compared_and_comparisons_filtered) { on_both(compare); }

// Colour and depth of a target may both be arrays; then the layer is that of both.
static void both_arrays(FiloGpu *gpu) {
    FiloTexture depth = make_depth(gpu, FILO_TEXTURE_DEPTH24, 2, false, false), color;
    assert_ok(filo_gpu_texture_create(
        &color, gpu, &(FiloTextureDesc){ .width = SIDE, .height = SIDE, .layers = 2, .target = true }));
    draw_depth(gpu, depth, 0, 0);
    draw_depth(gpu, depth, 1, 1);
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .vertex = "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
                                       "gl_VertexID == 2 ? 3 : -1, 0.5, 1); }\n",
                             .fragment = FLAT_FRAGMENT,
                             .depth_test = true }));
    FiloRenderTarget targets[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(filo_gpu_target_create(
            &targets[i], gpu, &(FiloRenderTargetDesc){ .color = color, .depth = depth, .layer = i }));
        filo_gpu_begin_pass(
            gpu, &(FiloGpuPass){
                     .target = targets[i], .clear = true, .keep_depth = true, .color = { 0, 0, 1, 1 } });
        filo_gpu_use(gpu, pipeline);
        filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
        filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_end_pass(gpu);
    }
    assert_pixel(gpu, targets[0], 1, 1, BLUE_PIXEL); // behind what is there
    assert_pixel(gpu, targets[0], SIDE - 2, 1, RED_PIXEL);
    assert_pixel(gpu, targets[1], 1, 1, RED_PIXEL);
}
FILO_TEST(a_target_may_have_a_layer_of_colour_and_of_depth) { on_both(both_arrays); }
