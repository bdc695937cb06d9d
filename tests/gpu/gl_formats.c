// Formats of textures and vertices, mipmap levels and filters, on OpenGL 4.5 and 3.3.

#include "gpu/scene.h"

#include <epoxy/gl.h>

static FiloRenderTarget make_target(FiloGpu *gpu, FiloTexture color) {
    FiloRenderTarget target;
    assert_ok(
        filo_gpu_target_create(&target, gpu, &(FiloRenderTargetDesc){ .label = "target", .color = color }));
    return target;
}

// ---- Textures -----------------------------------------------------------------------------------------

// The colour of a texture with one texel, times `factor`.
static FiloColor texel_of(FiloGpu *gpu, FiloTextureFormat format, const void *data, float factor) {
    FiloPipeline pipeline;
    assert_ok(filo_gpu_pipeline_create(
        &pipeline, gpu,
        &(FiloPipelineDesc){ .label = "texel",
                             .vertex = PICTURE_VERTEX,
                             .fragment = "uniform sampler2D picture;\nuniform float factor;\nin vec2 uv;\n"
                                         "out vec4 result;\n"
                                         "void main() { result = texture(picture, uv) * factor; }\n",
                             .topology = FILO_TRIANGLE_STRIP,
                             .blend = FILO_BLEND_NONE }));
    FiloTexture texture =
        make_texture(gpu, &(FiloTextureDesc){ .format = format, .width = 1, .height = 1, .data = data });
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_use(gpu, pipeline);
    assert_true(filo_gpu_set_float(gpu, "factor", factor));
    draw_picture(gpu, pipeline, texture);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, 5, 5);
}

static void assert_color(FiloColor found, int r, int g, int b, int a) {
    if (near_byte(found.r, r) && near_byte(found.g, g) && near_byte(found.b, b) && near_byte(found.a, a))
        return;
    fail_msg("found %d %d %d %d, not %d %d %d %d", found.r, found.g, found.b, found.a, r, g, b, a);
}

static void formats(FiloGpu *gpu) {
    // 188 of 255 in sRGB is half as bright as 255.
    assert_color(texel_of(gpu, FILO_TEXTURE_RGBA8_SRGB, (uint8_t[]){ 188, 0, 255, 128 }, 1), 128, 0, 255,
                 128);
    assert_color(texel_of(gpu, FILO_TEXTURE_RG8, (uint8_t[]){ 30, 200 }, 1), 30, 200, 0, 255);
    // Sixteen bits are more than eight: 3 / 65535 is visible with a factor.
    assert_color(texel_of(gpu, FILO_TEXTURE_R16, (uint16_t[]){ 32768 }, 1), 128, 0, 0, 255);
    assert_color(texel_of(gpu, FILO_TEXTURE_R16, (uint16_t[]){ 3 }, 65535.0f / 6), 128, 0, 0, 255);
    assert_color(texel_of(gpu, FILO_TEXTURE_R32F, (float[]){ 5000 }, 1.0f / 10000), 128, 0, 0, 0);
    // Half floats: 2, 1, 0.25 and 4.
    assert_color(texel_of(gpu, FILO_TEXTURE_RGBA16F, (uint16_t[]){ 0x4000, 0x3C00, 0x3400, 0x4400 }, 0.25f),
                 128, 64, 16, 255);
    // Five bits of exponent, then 6, 6 and 5 of mantissa: red is 1, green 2, blue 0.5.
    uint32_t packed = 15u << 6 | 16u << 17 | 14u << 27;
    assert_color(texel_of(gpu, FILO_TEXTURE_R11G11B10F, &packed, 0.25f), 64, 128, 32, 64);
}
FILO_TEST(texels_of_all_formats_are_read) { on_both(formats); }

// What is drawn to a target of each format, read as a texture with a factor.
static void targets(FiloGpu *gpu) {
    static const struct {
        FiloTextureFormat format;
        FiloVec4 drawn;
        FiloColor found; // halved
    } cases[] = {
        { FILO_TEXTURE_RGBA8, { 2, 0.5f, 0, 1 }, { 128, 64, 0, 128 } },
        { FILO_TEXTURE_RGBA8_SRGB, { 1, 0.5f, 0, 0.5f }, { 128, 64, 0, 64 } },
        { FILO_TEXTURE_RG8, { 1, 0.5f, 1, 1 }, { 128, 64, 0, 128 } },
        { FILO_TEXTURE_R16, { 0.5f, 1, 1, 1 }, { 64, 0, 0, 128 } },
        { FILO_TEXTURE_R32F, { 2, 1, 1, 1 }, { 255, 0, 0, 128 } },
        { FILO_TEXTURE_RGBA16F, { 2, 0.5f, 1.5f, 1 }, { 255, 64, 191, 128 } },
        { FILO_TEXTURE_R11G11B10F, { 2, 0.5f, 1.5f, 0 }, { 255, 64, 191, 128 } },
    };
    FiloPipeline flat = flat_pipeline(gpu, FILO_BLEND_NONE);
    FiloPipeline half;
    assert_ok(filo_gpu_pipeline_create(
        &half, gpu,
        &(FiloPipelineDesc){ .vertex = PICTURE_VERTEX,
                             .fragment = "uniform sampler2D picture;\nin vec2 uv;\nout vec4 result;\n"
                                         "void main() { result = texture(picture, uv) * 0.5; }\n",
                             .topology = FILO_TRIANGLE_STRIP,
                             .blend = FILO_BLEND_NONE }));
    FiloBuffer all = vertices(gpu, (float[]){ -1, -1, 3, -1, -1, 3 }, 6 * sizeof(float));
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloTexture texture = make_texture(
            gpu, &(FiloTextureDesc){ .format = cases[i].format, .width = 8, .height = 8, .target = true });
        FiloRenderTarget target = make_target(gpu, texture);
        // The left half is drawn, the right half is the colour that it was cleared to.
        filo_gpu_begin_pass(gpu, &(FiloGpuPass){ .target = target, .clear = true, .color = cases[i].drawn });
        filo_gpu_set_scissor(gpu, 0, 0, 4, 8);
        filo_gpu_use(gpu, flat);
        filo_gpu_set_vertices(gpu, 0, all, 0);
        filo_gpu_set_vec4(gpu, "color", cases[i].drawn);
        filo_gpu_draw(gpu, 0, 3, 1);
        filo_gpu_end_pass(gpu);
        begin_window(gpu, filo_vec4(0, 0, 0, 0));
        draw_picture(gpu, half, texture);
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, WINDOW, 5, 5, cases[i].found);
        assert_pixel(gpu, WINDOW, WINDOW_WIDTH - 5, 5, cases[i].found);
    }
}
FILO_TEST(targets_of_all_formats_are_drawn_to) { on_both(targets); }

static void reading(FiloGpu *gpu) {
    static const FiloTextureFormat formats[] = { FILO_TEXTURE_RGBA16F, FILO_TEXTURE_R11G11B10F };
    for (size_t i = 0; i < FILO_COUNT_OF(formats); i++) {
        FiloRenderTarget target = make_target(
            gpu, make_texture(gpu, &(FiloTextureDesc){
                                       .format = formats[i], .width = 8, .height = 8, .target = true }));
        filo_gpu_begin_pass(gpu,
                            &(FiloGpuPass){ .target = target, .clear = true, .color = { 3, 0.5f, 0, 1 } });
        filo_gpu_end_pass(gpu);
        assert_pixel(gpu, target, 3, 3, filo_color(255, 128, 0, 255));
    }
}
FILO_TEST(wide_colours_are_read_as_bytes) { on_both(reading); }

static void info(FiloGpu *gpu) {
    FiloTexture texture = make_texture(
        gpu, &(FiloTextureDesc){
                 .format = FILO_TEXTURE_RG8, .width = 20, .height = 9, .layers = 3, .mipmaps = true });
    FiloTextureInfo found = filo_gpu_texture_info(gpu, texture);
    assert_int_equal(found.format, FILO_TEXTURE_RG8);
    assert_int_equal(found.width, 20);
    assert_int_equal(found.height, 9);
    assert_int_equal(found.layers, 3);
    assert_int_equal(found.levels, 5);
    uint64_t name = filo_gpu_texture_native(gpu, texture);
    assert_true(glIsTexture((GLuint)name));
    // 20 x 9, 10 x 4, 5 x 2, 2 x 1 and 1 x 1.
    assert_int_equal(filo_gpu_stats_now(gpu).texture_memory, (180 + 40 + 10 + 2 + 1) * 2 * 3);
    filo_gpu_texture_destroy(gpu, texture);
    assert_false(glIsTexture((GLuint)name));
}
FILO_TEST(a_texture_tells_its_size_format_and_name) { on_both(info); }

// ---- Mipmap levels ------------------------------------------------------------------------------------

static const FiloColor level_colors[3] = { { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 } };

static void fill_level(FiloGpu *gpu, FiloTexture texture, int level, int layer) {
    FiloColor data[16];
    for (int i = 0; i < 16; i++) data[i] = level_colors[level];
    filo_gpu_texture_write_level(gpu, texture, level, layer, 0, 0, 4 >> level, 4 >> level, data, 0);
}

#define LEVEL_FRAGMENT(type, at)                                                                             \
    "uniform highp " type " picture;\nuniform float level;\nin vec2 uv;\nout vec4 result;\n"                 \
    "void main() { result = textureLod(picture, " at ", level); }\n"

static FiloColor at_level(FiloGpu *gpu, FiloPipeline pipeline, FiloTexture texture, float level) {
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_float(gpu, "level", level);
    draw_picture(gpu, pipeline, texture);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, 10, 10);
}

static void levels_of(FiloGpu *gpu, int layers, const char *fragment) {
    FiloPipeline pipeline;
    FiloPipelineDesc desc = { .vertex = PICTURE_VERTEX,
                              .fragment = fragment,
                              .topology = FILO_TRIANGLE_STRIP };
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    FiloTexture texture = make_texture(
        gpu,
        &(FiloTextureDesc){ .width = 4, .height = 4, .layers = layers, .mipmaps = true, .linear = true });
    int layer = layers > 0 ? layers - 1 : 0;
    fill_level(gpu, texture, 0, layer);
    assert_color(at_level(gpu, pipeline, texture, 2), 255, 0, 0, 255); // there is no other level yet
    fill_level(gpu, texture, 1, layer);
    assert_color(at_level(gpu, pipeline, texture, 1), 0, 255, 0, 255);
    assert_color(at_level(gpu, pipeline, texture, 2), 0, 255, 0, 255);
    fill_level(gpu, texture, 2, layer);
    assert_color(at_level(gpu, pipeline, texture, 2), 0, 0, 255, 255);
    // Between levels: a mean of both.
    assert_color(at_level(gpu, pipeline, texture, 0.5f), 128, 128, 0, 255);
    assert_color(at_level(gpu, pipeline, texture, 1.5f), 0, 128, 128, 255);
    // A part of a level, out of longer rows: the lower right texel of level 1.
    FiloColor rows[6] = { WHITE_PIXEL, BLACK_PIXEL, BLACK_PIXEL };
    filo_gpu_texture_write_level(gpu, texture, 1, layer, 1, 1, 1, 1, rows, 3);
    assert_color(at_level(gpu, pipeline, texture, 1), 0, 255, 0, 255);
    FiloColor corner = read_pixel(gpu, WINDOW, WINDOW_WIDTH - 2, WINDOW_HEIGHT - 2);
    assert_color(corner, 255, 255, 255, 255);
}
static void levels(FiloGpu *gpu) {
    levels_of(gpu, 0, LEVEL_FRAGMENT("sampler2D", "uv"));
    levels_of(gpu, 3, LEVEL_FRAGMENT("sampler2DArray", "vec3(uv, 2.0)"));
}
FILO_TEST(levels_are_used_as_they_are_written) { on_both(levels); }

static void grown_levels(FiloGpu *gpu) {
    FiloPipeline pipeline;
    FiloPipelineDesc desc = { .vertex = PICTURE_VERTEX,
                              .fragment = LEVEL_FRAGMENT("sampler2DArray", "vec3(uv, 0.0)"),
                              .topology = FILO_TRIANGLE_STRIP };
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    FiloTexture texture =
        make_texture(gpu, &(FiloTextureDesc){ .width = 4, .height = 4, .layers = 1, .mipmaps = true });
    for (int level = 0; level < 2; level++) fill_level(gpu, texture, level, 0);
    assert_ok(filo_gpu_texture_grow(gpu, texture, 2));
    assert_color(at_level(gpu, pipeline, texture, 0), 255, 0, 0, 255);
    assert_color(at_level(gpu, pipeline, texture, 1), 0, 255, 0, 255);
    assert_color(at_level(gpu, pipeline, texture, 2), 0, 255, 0, 255);
}
FILO_TEST(a_grown_array_keeps_the_levels_that_were_written) { on_both(grown_levels); }

static float anisotropy_of(FiloGpu *gpu, FiloTexture texture) {
    GLfloat value = 0;
    glBindTexture(GL_TEXTURE_2D, (GLuint)filo_gpu_texture_native(gpu, texture));
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY, &value);
    return value;
}

// A picture that shrinks in one direction only: without anisotropy it is blurred in the other direction too.
static void anisotropy(FiloGpu *gpu) {
    float most = filo_gpu_limits(gpu)->anisotropy;
    assert_true(most >= 1);
    FiloTextureDesc desc = { .width = 64, .height = 64, .mipmaps = true, .linear = true };
    static FiloColor data[64 * 64]; // columns, black and white in turn
    for (int i = 0; i < 64 * 64; i++) data[i] = (i & 1) != 0 ? WHITE_PIXEL : BLACK_PIXEL;
    desc.data = data;
    FiloPipeline pipeline = picture_pipeline(gpu);
    int contrast[2];
    for (int i = 0; i < 2; i++) {
        desc.anisotropy = i == 0 ? 0 : 1000; // as much as there is
        FiloTexture texture = make_texture(gpu, &desc);
        filo_gpu_texture_make_mipmaps(gpu, texture);
        if (most > 1) assert_true(anisotropy_of(gpu, texture) == (i == 0 ? 1 : most));
        begin_window(gpu, filo_vec4(0, 0, 0, 0));
        filo_gpu_set_viewport(gpu, 0, 0, 64, 8);
        draw_picture(gpu, pipeline, texture);
        filo_gpu_end_pass(gpu);
        contrast[i] = read_pixel(gpu, WINDOW, 31, 4).r - read_pixel(gpu, WINDOW, 30, 4).r;
    }
    assert_in_range(contrast[0] + 5, 0, 10);
    if (most >= 8) assert_true(contrast[1] > 40);
}
FILO_TEST(anisotropy_keeps_detail_in_the_longer_direction) { on_both(anisotropy); }

// ---- Attributes ---------------------------------------------------------------------------------------

// Draws a point for each of the vec4 that a vertex shader reads, mapped from -1 … 1 to colours, and compares.
static FiloColor attribute_of(FiloGpu *gpu, FiloAttributeFormat format, size_t size, const void *data) {
    FiloPipeline pipeline;
    FiloPipelineDesc desc = { .label = "attribute",
                              .vertex =
                                  "layout(location = 15) in vec4 value;\nflat out vec4 color;\n"
                                  "void main() { color = value * 0.5 + 0.5; gl_Position = vec4(0, 0, 0, 1); "
                                  "gl_PointSize = 9.0; }\n",
                              .fragment =
                                  "flat in vec4 color;\nout vec4 result;\nvoid main() { result = color; }\n",
                              .topology = FILO_POINTS,
                              .blend = FILO_BLEND_NONE,
                              // The shader does not read location 3.
                              .attributes = { [3] = { FILO_ATTRIBUTE_UINT, 2, 0 }, [15] = { format, 2, 4 } },
                              .buffers = { [2] = { size + 4, false } } };
    assert_ok(filo_gpu_pipeline_create(&pipeline, gpu, &desc));
    uint8_t vertex[24] = { 0 };
    memcpy(vertex + 4, data, size);
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(&buffer, gpu, &(FiloBufferDesc){ .size = size + 4, .data = vertex }));
    begin_window(gpu, filo_vec4(0, 0, 0, 0));
    filo_gpu_use(gpu, pipeline);
    filo_gpu_set_vertices(gpu, 2, buffer, 0);
    filo_gpu_draw(gpu, 0, 1, 1);
    filo_gpu_end_pass(gpu);
    return read_pixel(gpu, WINDOW, WINDOW_WIDTH / 2, WINDOW_HEIGHT / 2);
}

static void attributes(FiloGpu *gpu) {
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_SHORT4_UNIT, 8, (int16_t[]){ 32767, -32768, 0, -16384 }),
                 255, 0, 128, 64);
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_SHORT2_UNIT, 4, (int16_t[]){ -32767, 16384 }), 0, 191, 128,
                 255);
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_USHORT2_UNIT, 4, (uint16_t[]){ 65535, 32768 }), 255, 191,
                 128, 255);
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_HALF2, 4, (uint16_t[]){ 0x3C00, 0xB800 }), 255, 64, 128,
                 255);
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_HALF4, 8, (uint16_t[]){ 0x3800, 0xBC00, 0x0000, 0xB800 }),
                 191, 0, 128, 64);
    assert_color(attribute_of(gpu, FILO_ATTRIBUTE_FLOAT4, 16, (float[]){ -1, 0.5f, 0, 1 }), 0, 191, 128, 255);
}
FILO_TEST(attributes_of_packed_formats_are_read) { on_both(attributes); }
