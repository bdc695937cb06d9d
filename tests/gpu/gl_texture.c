// Textures, render targets and their orientation, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

static FiloRenderTarget make_target(FiloGpu *gpu, FiloTexture color, int layer) {
    FiloRenderTarget target;
    assert_ok(filo_gpu_target_create(
        &target, gpu, &(FiloRenderTargetDesc){ .label = "target", .color = color, .layer = layer }));
    return target;
}

// Red and green above, blue and white below.
static const FiloColor corners[4] = {
    { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 255, 255 }
};

static void assert_corners(FiloGpu *gpu, FiloRenderTarget target, int width, int height) {
    assert_pixel(gpu, target, 1, 1, corners[0]);
    assert_pixel(gpu, target, width - 2, 1, corners[1]);
    assert_pixel(gpu, target, 1, height - 2, corners[2]);
    assert_pixel(gpu, target, width - 2, height - 2, corners[3]);
}

static void upright(FiloGpu *gpu) {
    FiloPipeline pipeline = picture_pipeline(gpu);
    FiloTexture picture = make_texture(gpu, &(FiloTextureDesc){ .width = 2, .height = 2, .data = corners });
    FiloTexture first = make_texture(gpu, &(FiloTextureDesc){ .width = 40, .height = 30, .target = true });
    FiloTexture second = make_texture(gpu, &(FiloTextureDesc){ .width = 20, .height = 26, .target = true });
    FiloRenderTarget to_first = make_target(gpu, first, 0), to_second = make_target(gpu, second, 0);
    // The same shader, into the window, and through two targets.
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = to_first, .clear = true });
    draw_picture(gpu, pipeline, picture);
    filo_gpu_end_pass(gpu);
    assert_corners(gpu, to_first, 40, 30);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = to_second, .clear = true });
    draw_picture(gpu, pipeline, first);
    filo_gpu_end_pass(gpu);
    assert_corners(gpu, to_second, 20, 26);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    draw_picture(gpu, pipeline, second);
    filo_gpu_end_pass(gpu);
    assert_corners(gpu, WINDOW, WINDOW_WIDTH, WINDOW_HEIGHT);
    begin_window(gpu, filo_vec4(0, 0, 0, 1));
    draw_picture(gpu, pipeline, picture);
    filo_gpu_end_pass(gpu);
    assert_corners(gpu, WINDOW, WINDOW_WIDTH, WINDOW_HEIGHT);
}
FILO_TEST(what_was_drawn_to_a_target_is_upright_when_it_is_shown) { on_both(upright); }

static void viewport_in_target(FiloGpu *gpu) {
    FiloPipeline pipeline = picture_pipeline(gpu);
    FiloTexture picture = make_texture(gpu, &(FiloTextureDesc){ .width = 2, .height = 2, .data = corners });
    FiloTexture texture = make_texture(gpu, &(FiloTextureDesc){ .width = 32, .height = 32, .target = true });
    FiloRenderTarget target = make_target(gpu, texture, 0);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true, .color = { 0, 0, 0, 1 } });
    filo_gpu_set_viewport(gpu, 4, 2, 10, 8);
    draw_picture(gpu, pipeline, picture);
    filo_gpu_set_viewport(gpu, 0, 0, 32, 32);
    filo_gpu_set_scissor(gpu, 0, 30, 3, 2); // the lower left corner, which is blue
    draw_picture(gpu, pipeline, picture);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 4, 2, corners[0]);
    assert_pixel(gpu, target, 13, 2, corners[1]);
    assert_pixel(gpu, target, 4, 9, corners[2]);
    assert_pixel(gpu, target, 4, 10, BLACK_PIXEL);
    assert_pixel(gpu, target, 4, 1, BLACK_PIXEL);
    assert_pixel(gpu, target, 2, 31, corners[2]);
    assert_pixel(gpu, target, 2, 29, BLACK_PIXEL);
    assert_pixel(gpu, target, 3, 31, BLACK_PIXEL);
}
FILO_TEST(viewport_and_scissor_count_from_the_top_in_targets_too) { on_both(viewport_in_target); }

static void parts(FiloGpu *gpu) {
    FiloPipeline pipeline = picture_pipeline(gpu);
    FiloTexture texture = make_texture(gpu, &(FiloTextureDesc){ .width = 4, .height = 3 });
    FiloColor data[4 * 3];
    for (int i = 0; i < 12; i++) data[i] = BLACK_PIXEL;
    filo_gpu_texture_write(gpu, texture, 0, 0, 0, 4, 3, data, 0);
    // Two by two out of rows of four, to the right and down.
    for (int i = 0; i < 12; i++) data[i] = filo_color((uint8_t)(i * 10), 0, 0, 255);
    filo_gpu_texture_write(gpu, texture, 0, 2, 1, 2, 2, data + 1, 4);
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_set_viewport(gpu, 0, 0, 4, 3);
    draw_picture(gpu, pipeline, texture);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 2, 0, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 1, 1, BLACK_PIXEL);
    assert_pixel(gpu, WINDOW, 2, 1, filo_color(10, 0, 0, 255));
    assert_pixel(gpu, WINDOW, 3, 1, filo_color(20, 0, 0, 255));
    assert_pixel(gpu, WINDOW, 2, 2, filo_color(50, 0, 0, 255));
    assert_pixel(gpu, WINDOW, 3, 2, filo_color(60, 0, 0, 255));
}
FILO_TEST(a_part_of_a_texture_is_written_out_of_longer_rows) { on_both(parts); }

// ---- Arrays -------------------------------------------------------------------------------------------

#define ARRAY_FRAGMENT                                                                                       \
    "uniform highp sampler2DArray pages;\nuniform float layer;\nuniform float level;\nin vec2 uv;\nout "     \
    "vec4 result;\n"                                                                                         \
    "void main() { result = textureLod(pages, vec3(uv, layer), level); }\n"

static FiloPipeline array_pipeline(FiloGpu *gpu) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu,
                                       &(FiloPipelineDesc){ .label = "pages",
                                                            .vertex = PICTURE_VERTEX,
                                                            .fragment = ARRAY_FRAGMENT,
                                                            .topology = FILO_TRIANGLE_STRIP }));
    return pipeline;
}

static void assert_layer(FiloGpu *gpu, FiloPipeline pipeline, FiloTexture pages, int layer, int level,
                         FiloColor color) {
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vec4(gpu, "rect", filo_vec4(-1, 1, 2, 2));
    filo_gpu_set_float(gpu, "layer", (float)layer);
    filo_gpu_set_float(gpu, "level", (float)level);
    filo_gpu_set_texture(gpu, "pages", pages);
    filo_gpu_draw(gpu, 0, 4, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, WINDOW, 64, 48, color);
}

static void fill_layer(FiloGpu *gpu, FiloTexture pages, int layer, FiloColor color) {
    FiloColor data[16];
    for (int i = 0; i < 16; i++) data[i] = color;
    filo_gpu_texture_write(gpu, pages, layer, 0, 0, 4, 4, data, 0);
}

static void growing(FiloGpu *gpu) {
    FiloPipeline pipeline = array_pipeline(gpu);
    FiloTexture pages = make_texture(
        gpu, &(FiloTextureDesc){
                 .label = "pages", .width = 4, .height = 4, .layers = 2, .mipmaps = true, .target = true });
    FiloRenderTarget target = make_target(gpu, pages, 1);
    fill_layer(gpu, pages, 0, RED_PIXEL);
    fill_layer(gpu, pages, 1, GREEN_PIXEL);
    filo_gpu_texture_make_mipmaps(gpu, pages);
    assert_layer(gpu, pipeline, pages, 0, 0, RED_PIXEL);
    assert_layer(gpu, pipeline, pages, 1, 0, GREEN_PIXEL);
    size_t memory = filo_gpu_stats_now(gpu).texture_memory;
    assert_ok(filo_gpu_texture_grow(gpu, pages, 5));
    assert_true(filo_gpu_stats_now(gpu).texture_memory > 2 * memory);
    assert_true(filo_gpu_texture_valid(gpu, pages));
    fill_layer(gpu, pages, 4, BLUE_PIXEL);
    assert_layer(gpu, pipeline, pages, 0, 0, RED_PIXEL);
    assert_layer(gpu, pipeline, pages, 1, 0, GREEN_PIXEL);
    assert_layer(gpu, pipeline, pages, 4, 0, BLUE_PIXEL);
    assert_layer(gpu, pipeline, pages, 1, 2, GREEN_PIXEL); // mipmaps too
    // The target draws to the grown texture.
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true, .color = { 1, 1, 1, 1 } });
    filo_gpu_end_pass(gpu);
    assert_layer(gpu, pipeline, pages, 1, 0, WHITE_PIXEL);
    assert_layer(gpu, pipeline, pages, 0, 0, RED_PIXEL);
    assert_ok(filo_gpu_texture_grow(gpu, pages, 3)); // is that large already
    assert_layer(gpu, pipeline, pages, 4, 0, BLUE_PIXEL);
}
FILO_TEST(an_array_grows_and_keeps_its_layers_and_targets) { on_both(growing); }

static void mipmaps(FiloGpu *gpu) {
    FiloPipeline pipeline = array_pipeline(gpu);
    FiloTexture pages = make_texture(
        gpu, &(FiloTextureDesc){ .width = 4, .height = 4, .layers = 1, .mipmaps = true, .linear = true });
    FiloColor data[16];
    for (int i = 0; i < 16; i++) data[i] = (i & 1) != 0 ? WHITE_PIXEL : BLACK_PIXEL;
    filo_gpu_texture_write(gpu, pages, 0, 0, 0, 4, 4, data, 0);
    // Without mipmaps level 0 is used; a mipmap is an average.
    fill_layer(gpu, pages, 0, RED_PIXEL);
    assert_layer(gpu, pipeline, pages, 0, 2, RED_PIXEL);
    filo_gpu_texture_write(gpu, pages, 0, 0, 0, 4, 4, data, 0);
    filo_gpu_texture_make_mipmaps(gpu, pages);
    assert_layer(gpu, pipeline, pages, 0, 2, filo_color(128, 128, 128, 255));
}
FILO_TEST(mipmaps_are_used_once_they_are_generated) { on_both(mipmaps); }

// ---- Formats, filters, edges --------------------------------------------------------------------------

static void formats(FiloGpu *gpu) {
    FiloPipeline pipeline = picture_pipeline(gpu);
    const uint8_t grey[3 * 2] = { 0, 51, 102, 153, 204, 255 };
    FiloTexture mask = make_texture(
        gpu, &(FiloTextureDesc){ .format = FILO_TEXTURE_R8, .width = 3, .height = 2, .data = grey });
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_set_viewport(gpu, 0, 0, 3, 2);
    draw_picture(gpu, pipeline, mask);
    filo_gpu_end_pass(gpu);
    for (int i = 0; i < 6; i++) assert_pixel(gpu, WINDOW, i % 3, i / 3, filo_color(grey[i], 0, 0, 255));
    // Half floats: 1, 0.5, 0 and 1, drawn to a target of the same format, which stores values above 1.
    const uint16_t half[4] = { 0x4000, 0x3800, 0x0000, 0x3C00 };
    FiloTexture source = make_texture(
        gpu, &(FiloTextureDesc){ .format = FILO_TEXTURE_RGBA16F, .width = 1, .height = 1, .data = half });
    FiloTexture wide = make_texture(
        gpu, &(FiloTextureDesc){ .format = FILO_TEXTURE_RGBA16F, .width = 8, .height = 8, .target = true });
    FiloRenderTarget target = make_target(gpu, wide, 0);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true });
    draw_picture(gpu, pipeline, source);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, target, 4, 4, filo_color(255, 128, 0, 255));
}
FILO_TEST(masks_and_wide_colours_can_be_drawn) { on_both(formats); }

typedef struct Edges {
    bool linear, upright; // one texel above the other, instead of side by side
    FiloWrap u, v;
} Edges;

// The colour at a place of a texture of a black and a white texel; both coordinates are `at`.
static FiloColor sampled(FiloGpu *gpu, Edges edges, float at) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){
            .label = "edges",
            .vertex = PICTURE_VERTEX,
            .fragment =
                "uniform sampler2D picture;\nuniform vec2 part;\nin vec2 uv;\nout vec4 result;\n"
                "void main() { result = texture(picture, part.x + uv * part.y); }\n", // all at one place
            .topology = FILO_TRIANGLE_STRIP }));
    const FiloColor data[2] = { BLACK_PIXEL, WHITE_PIXEL };
    FiloTexture texture = make_texture(gpu, &(FiloTextureDesc){ .width = edges.upright ? 1 : 2,
                                                                .height = edges.upright ? 2 : 1,
                                                                .linear = edges.linear,
                                                                .wrap_u = edges.u,
                                                                .wrap_v = edges.v,
                                                                .data = data });
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vec2(gpu, "part", filo_vec2(at, 0));
    draw_picture(gpu, pipeline, texture);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, WINDOW_WIDTH / 2, 0);
}
static void filters(FiloGpu *gpu) {
    assert_int_equal(sampled(gpu, (Edges){ 0 }, 0.45f).r, 0);
    assert_in_range(sampled(gpu, (Edges){ .linear = true }, 0.5f).r, 120, 135);
    assert_int_equal(sampled(gpu, (Edges){ 0 }, 1.2f).r, 255);
    assert_int_equal(sampled(gpu, (Edges){ .u = FILO_WRAP_REPEAT }, 1.2f).r, 0);
    assert_int_equal(sampled(gpu, (Edges){ .u = FILO_WRAP_MIRROR }, 1.2f).r, 255);
    assert_int_equal(sampled(gpu, (Edges){ .u = FILO_WRAP_MIRROR }, 1.8f).r, 0);
    assert_int_equal(sampled(gpu, (Edges){ .v = FILO_WRAP_MIRROR }, 1.8f).r, 255); // the other axis
    assert_int_equal(sampled(gpu, (Edges){ .v = FILO_WRAP_MIRROR, .upright = true }, 1.8f).r, 0);
    assert_int_equal(sampled(gpu, (Edges){ .u = FILO_WRAP_MIRROR, .upright = true }, 1.8f).r, 255);
}
FILO_TEST(filter_and_edges_are_as_described) { on_both(filters); }

// ---- Depth of targets ---------------------------------------------------------------------------------

static void target_depth(FiloGpu *gpu) {
    FiloTexture color = make_texture(gpu, &(FiloTextureDesc){ .width = 16, .height = 16, .target = true });
    FiloTexture depth = make_texture(
        gpu, &(FiloTextureDesc){ .format = FILO_TEXTURE_DEPTH24, .width = 16, .height = 16, .target = true });
    FiloRenderTarget both;
    assert_ok(filo_gpu_target_create(&both, gpu, &(FiloRenderTargetDesc){ .color = color, .depth = depth }));
    FiloRenderTarget only_depth;
    assert_ok(filo_gpu_target_create(&only_depth, gpu, &(FiloRenderTargetDesc){ .depth = depth }));
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .vertex = "layout(location = 0) in vec3 position;\n"
                                       "void main() { gl_Position = vec4(position, 1); }",
                             .fragment = FLAT_FRAGMENT,
                             .attributes = { { FILO_ATTRIBUTE_FLOAT3, 0, 0 } },
                             .buffers = { { 12, false } },
                             .depth_test = true,
                             .depth_write = true }));
    // The upper left half near, then all of it a bit further away.
    static const float data[] = { -1, 1, 0, -1, -1, 0, 1, 1, 0, -1, -1, 0.5f, 3, -1, 0.5f, -1, 3, 0.5f };
    FiloBuffer buffer = vertices(gpu, data, sizeof data);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = only_depth, .clear = true });
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_draw(gpu, 0, 3, 1);
    filo_gpu_end_pass(gpu);
    filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = both }); // keeps the depth
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 0, buffer, 0);
    filo_gpu_set_vec4(gpu, "color", filo_vec4(1, 0, 0, 1));
    filo_gpu_draw(gpu, 3, 3, 1);
    filo_gpu_end_pass(gpu);
    assert_pixel(gpu, both, 14, 14, RED_PIXEL);
    FiloColor hidden = read_pixel(gpu, both, 1, 1);
    assert_int_not_equal(hidden.r, 255);
    filo_gpu_target_destroy(gpu, only_depth);
    filo_gpu_target_destroy(gpu, both);
}
FILO_TEST(a_target_may_have_depth_and_be_depth_alone) { on_both(target_depth); }

static void limits(FiloGpu *gpu) {
    const FiloGpuLimits *l = filo_gpu_limits(gpu);
    assert_true(l->texture_size >= 1024 && l->texture_layers >= 256);
    assert_true(strlen(l->name) > 0);
    assert_true(l->block_size >= 16384 && l->anisotropy >= 1);
    if (strstr(l->name, "llvmpipe") != NULL) assert_true(l->software);
    assert_int_equal(l->storage, l->kind == FILO_GPU_GL45);
    assert_int_equal(l->persistent_maps, l->kind == FILO_GPU_GL45);
    FiloTexture texture = { 7 };
    FiloTextureDesc desc = { .label = "sky", .width = l->texture_size + 1, .height = 1 };
    assert_error(filo_gpu_texture_create(&texture, gpu, &desc), FILO_ERROR_LIMIT, "texture \"sky\":");
    assert_int_equal(texture.id, 0);
    desc = (FiloTextureDesc){ .width = 1, .height = 1, .layers = l->texture_layers + 1 };
    assert_error(filo_gpu_texture_create(&texture, gpu, &desc), FILO_ERROR_LIMIT,
                 "layers are more than this device can do");
    assert_int_equal(texture.id, 0);
    desc.layers = 1;
    assert_ok(filo_gpu_texture_create(&texture, gpu, &desc));
    assert_error(filo_gpu_texture_grow(gpu, texture, l->texture_layers + 1), FILO_ERROR_LIMIT,
                 "texture \"texture\" cannot grow:");
}
FILO_TEST(limits_are_reported_and_enforced) { on_both(limits); }
