// Shaders: the GPU draws quads as filo/raster.h does.
//
// A quad is an instance of four corners. (On a software device, reading quads from a storage buffer by the number of
// the corner was measured to be slower.) The text below is compiled for what quads need (features): images without
// linear filtering are the most common, and their pipeline has no other code. The other pipelines fetch texels by
// index, so nothing is read from outside of the frame.
//
// Distance fields are in one pipeline only, which has everything else as well: their texel positions are relative to the
// frame, so that floats have enough bits for large scales, and the values are blended as by the rasteriser.
//
// Shapes are drawn one pixel larger than they are. How much of a pixel they cover follows from the distance to their
// edges, by the formulas of raster/shape.c. Images and triangles have hard edges, for which the GPU and the rasteriser
// have the same rules.

#include "gfx2d/renderer.h"

#include <filo/log.h>

// clang-format off
static const char *const vertex_begin =
"layout(location = 0) in vec2 centre;\n"
"layout(location = 1) in vec4 axes;       // to the right edge, to the upper edge\n"
"layout(location = 2) in uvec4 texels;    // u0 v0 u1 v1\n"
"layout(location = 3) in vec4 tint;\n"
"layout(location = 4) in uvec2 image;     // image; kind, flags\n"
"uniform vec4 view;                       // the axes of the world, in pixels\n"
"uniform vec2 origin;                     // the origin of the world, in pixels\n"
"uniform vec2 size;                       // of the picture\n"
"uniform float per_texel;                 // 1 / the size of pages\n"
"out vec2 texel_position;\n"
"flat out vec4 color;\n"
"#if FEATURES == 0\n"
"flat out float page;\n"
"#else\n"
"flat out int page;\n"
"flat out ivec4 limits;                   // texels of the frame, the last included\n"
"flat out ivec4 kind;                     // kind, linear, hollow part in 1/65535, add\n"
"out vec2 shape;                          // from -1 to 1 inside of the quad\n"
"#endif\n"
"#if (FEATURES & 4) != 0\n"
"out vec2 field;                          // texels from the upper left one of the frame\n"
"flat out vec2 ramp;                      // coverage of a distance field: slope and offset\n"
"#endif\n"
"\n";

static const char *const vertex_main =
"void set_position(vec2 pixel) {\n"
"    gl_Position = vec4(pixel.x / size.x * 2.0 - 1.0, 1.0 - pixel.y / size.y * 2.0, 0.0, 1.0);\n"
"}\n"
"\n"
"void main() {\n"
"    vec2 corner = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1);\n"
"    int flags = int(image.y >> 8u), type = int(image.y & 255u);\n"
"    vec2 a = view.xy * axes.x + view.zw * axes.y, b = view.xy * axes.z + view.zw * axes.w;\n"
"    vec2 m = view.xy * centre.x + view.zw * centre.y + origin;\n"
"    vec4 t = vec4(texels);\n"
"    color = tint;\n"
"    if ((flags & 2) != 0) color.a = 0.0;\n"
"#if FEATURES == 0\n"
"    page = float(image.x);\n"
"#else\n"
"    page = int(image.x < 32768u ? image.x : 0u); // a target is a texture of its own\n"
"    limits = ivec4(min(t.xy, t.zw), max(t.xy, t.zw) - 1.0);\n"
"    kind = ivec4(type, flags & 1, int(texels.x), flags & 2);\n"
"    texel_position = vec2(0);\n"
"#if (FEATURES & 4) != 0\n"
"    field = ramp = vec2(0);\n"
"#endif\n"
"    if (type == 1 || type == 2) {\n"
"        float area = abs(a.x * b.y - a.y * b.x);\n"
"        vec2 half_thickness = vec2(area / max(length(b), 1e-6), area / max(length(a), 1e-6));\n"
"        if (area < 1e-6) corner = vec2(0);\n"
"        corner *= 1.0 + 1.0 / max(half_thickness, vec2(1e-6));\n"
"        shape = corner;\n"
"        set_position(m + a * corner.x + b * corner.y);\n"
"        return;\n"
"    }\n"
"    if (type == 3 && gl_VertexID == 3) corner.y = -1.0; // half the quad\n"
"    shape = corner;\n"
"#endif\n"
"    // Corners are rounded to 1/256 of a pixel, and the lower right one follows from the others, as on the CPU: in an image\n"
"    // that is made much smaller, 1/256 of a pixel is many texels.\n"
"    vec2 o = roundEven((m - a + b) * 256.0), e = roundEven((m + a + b) * 256.0) - o;\n"
"    vec2 f = roundEven((m - a - b) * 256.0) - o, at = corner * 0.5 + 0.5, rounded = o + e * at.x + f * (1.0 - at.y);\n"
"    bool upright = (e.y == 0.0 && f.x == 0.0) || (e.x == 0.0 && f.y == 0.0);\n"
"    if (upright) {\n"
"        // Centres of pixels on a left or upper edge are inside, on the others outside. GPUs may differ in that, so\n"
"        // such an edge is moved by the smallest step that they resolve; the texels stay where they are.\n"
"        vec2 moved = -vec2(equal(fract(rounded / 256.0), vec2(0.5)));\n"
"        float area = e.x * f.y - e.y * f.x;\n"
"        rounded += moved;\n"
"        if (area != 0.0)\n"
"            at += vec2(moved.x * f.y - moved.y * f.x, e.y * moved.x - e.x * moved.y) / area;\n"
"    }\n"
"    texel_position = mix(t.xw, t.zy, at);\n"
"#if (FEATURES & 4) != 0\n"
"    if (type >= 4) {\n"
"        vec2 low = min(t.xy, t.zw), texel_count = abs(t.zw - t.xy);\n"
"        field = mix(t.xw - low, t.zy - low, at);\n"
"        float scale = sqrt(abs(e.x * f.y - e.y * f.x) / 65536.0 / max(texel_count.x * texel_count.y, 1.0));\n"
"        float reach = float(flags >> 2) * (8.0 / 63.0) * scale, slope = scale / 16.0;\n"
"        float soft = max(reach, 1.0);\n"
"        ramp = type == 4 ? vec2(slope, 0.5 - 128.0 * slope + reach) : vec2(slope, soft - 128.0 * slope) / soft;\n"
"    }\n"
"#endif\n"
"    // If the centre of a pixel is on the border of two texels, the right (or lower) one is read.\n"
"#if (FEATURES & 1) != 0\n"
"    if (upright && (flags & 1) == 0)\n"
"#else\n"
"    if (upright)\n"
"#endif\n"
"        texel_position += sign(vec2(t.z - t.x, t.y - t.w) * vec2(a.x + a.y, b.x + b.y)) * (1.0 / 512.0);\n"
"#if FEATURES == 0\n"
"    texel_position *= per_texel;\n"
"#endif\n"
"    set_position(rounded / 256.0);\n"
"}\n";

static const char *const fragment_begin =
"uniform sampler2DArray pages;\n"
"uniform float time;\n"
"in vec2 texel_position;\n"
"flat in vec4 color;\n"
"#if FEATURES == 0\n"
"flat in float page;\n"
"#else\n"
"flat in int page;\n"
"flat in ivec4 limits;\n"
"flat in ivec4 kind;\n"
"in vec2 shape;\n"
"#endif\n"
"#if (FEATURES & 4) != 0\n"
"in vec2 field;\n"
"flat in vec2 ramp;\n"
"#endif\n"
"out vec4 result;\n"
"\n"
"#if (FEATURES & 1) != 0\n"
"// In steps of 1/256 of a texel, and rounded to bytes each time, as on the CPU. Sums are integers that a float holds, up\n"
"// to the last bits of what was fetched: hence 128.25 instead of 128.\n"
"vec4 filo_mix(vec4 a, vec4 b, float part) {\n"
"    return floor((a * (256.0 - part) + b * part + 128.25) / 256.0);\n"
"}\n"
"vec4 filo_byte(int x, int y) { return texelFetch(pages, ivec3(x, y, page), 0) * 255.0; }\n"
"vec4 filo_linear() {\n"
"    vec2 at = floor((texel_position - 0.5) * 256.0), low = floor(at / 256.0), part = at - low * 256.0;\n"
"    ivec2 p = clamp(ivec2(low), limits.xy, limits.zw), q = clamp(ivec2(low) + 1, limits.xy, limits.zw);\n"
"    vec4 upper = filo_mix(filo_byte(p.x, p.y), filo_byte(q.x, p.y), part.x);\n"
"    vec4 lower = filo_mix(filo_byte(p.x, q.y), filo_byte(q.x, q.y), part.x);\n"
"    return filo_mix(upper, lower, part.y) / 255.0;\n"
"}\n"
"#endif\n"
"#if (FEATURES & 2) != 0\n"
"float filo_disc(float radius, float r, float pixels) {\n"
"    float covered = clamp(0.5 + (radius - r) * pixels, 0.0, 1.0) + clamp(0.5 + (radius + r) * pixels, 0.0, 1.0);\n"
"    return max(covered - 1.0, 0.0);\n"
"}\n"
"float filo_coverage(vec2 along_p, vec2 along_q) {\n"
"    if (kind.x == 1) {\n"
"        vec2 thickness = 2.0 / vec2(length(along_p), length(along_q));\n"
"        vec2 d = (shape * 0.5 + 0.5) * thickness;\n"
"        vec2 covered = clamp(d + 0.5, 0.0, 1.0) + clamp(thickness - d + 0.5, 0.0, 1.0) - 1.0;\n"
"        return max(covered.x, 0.0) * max(covered.y, 0.0);\n"
"    }\n"
"    if (kind.x == 3) return 1.0;\n"
"    float r = length(shape);\n"
"    vec2 slope = shape.x * along_p + shape.y * along_q;\n"
"    float gradient = r > 1e-6 ? length(slope) / r\n"
"                              : sqrt(0.5 * (dot(along_p, along_p) + dot(along_q, along_q)));\n"
"    float covered = filo_disc(1.0, r, 1.0 / gradient);\n"
"    if (kind.z > 0) covered -= filo_disc(float(kind.z) / 65535.0, r, 1.0 / gradient);\n"
"    return clamp(covered, 0.0, 1.0);\n"
"}\n"
"#endif\n"
"\n";

static const char *const fragment_texel =
"#if (FEATURES & 4) != 0\n"
"float filo_alpha(int x, int y) {\n"
"    ivec2 at = limits.xy + clamp(ivec2(x, y), ivec2(0), limits.zw - limits.xy);\n"
"    return texelFetch(pages, ivec3(at, page), 0).a * 255.0;\n"
"}\n"
"float filo_distance() {\n"
"    vec2 at = field - 0.5, low = floor(at), part = at - low;\n"
"    ivec2 p = ivec2(low);\n"
"    float upper = mix(filo_alpha(p.x, p.y), filo_alpha(p.x + 1, p.y), part.x);\n"
"    float lower = mix(filo_alpha(p.x, p.y + 1), filo_alpha(p.x + 1, p.y + 1), part.x);\n"
"    float value = mix(upper, lower, part.y), covered = clamp(value * ramp.x + ramp.y, 0.0, 1.0);\n"
"    if (kind.x == 5) covered *= covered * (3.0 - 2.0 * covered);\n"
"    return value > 0.0 ? covered : 0.0;\n"
"}\n"
"#endif\n"
"\n"
"vec4 filo_texel() {\n"
"#if (FEATURES & 4) != 0\n"
"    if (kind.x >= 4) return vec4(filo_distance());\n"
"#endif\n"
"#if (FEATURES & 2) != 0\n"
"    vec2 along_p = vec2(dFdx(shape.x), dFdy(shape.x)), along_q = vec2(dFdx(shape.y), dFdy(shape.y));\n"
"    if (kind.x != 0) return vec4(filo_coverage(along_p, along_q));\n"
"#endif\n"
"#if (FEATURES & 1) != 0\n"
"    if (kind.y != 0) return filo_linear();\n"
"#endif\n"
"#if FEATURES != 0\n"
"    return texelFetch(pages, ivec3(clamp(ivec2(texel_position), limits.xy, limits.zw), page), 0);\n"
"#else\n"
"    return texture(pages, vec3(texel_position, page)); // the nearest\n"
"#endif\n"
"}\n";

static const char *const fragment_usual =
"void main() {\n"
"    result = filo_texel() * color;\n"
"}\n";

static const char *const fragment_custom =
"\nvoid main() {\n"
"    result = sprite(filo_texel(), texel_position, color);\n"
"    if (kind.w != 0) result.a = 0.0;\n"
"}\n";
// clang-format on

// ---- Pipelines ----------------------------------------------------------------------------------------------

// False without memory.
static bool join(FiloBuilder *builder, const char *const *texts, size_t count) {
    filo_builder_clear(builder);
    bool ok = true;
    for (size_t i = 0; i < count; i++) ok = filo_builder_add(builder, filo_string(texts[i])) && ok;
    return ok;
}

typedef struct Texts {
    FiloBuilder vertex, fragment;
} Texts;

static bool make_texts(FiloGfx2d *gfx, Texts *texts, unsigned features, const char *custom) {
    static const char *const defines[] = { "#define FEATURES 0\n", "#define FEATURES 1\n",
                                           "#define FEATURES 2\n", "#define FEATURES 3\n",
                                           "#define FEATURES 7\n" };
    features = gfx2d_shaders_pipeline(features);
    filo_builder_init(&texts->vertex, gfx->allocator);
    filo_builder_init(&texts->fragment, gfx->allocator);
    const char *vertex[] = { defines[features], vertex_begin, vertex_main };
    const char *usual[] = { defines[features], fragment_begin, fragment_texel, fragment_usual };
    // Compiler messages count the lines of the game's text.
    const char *custom_texts[] = { defines[features], fragment_begin, fragment_texel,
                                   "#line 1\n",       custom,         fragment_custom };
    bool ok = join(&texts->vertex, vertex, FILO_COUNT_OF(vertex));
    return (custom != NULL ? join(&texts->fragment, custom_texts, FILO_COUNT_OF(custom_texts))
                           : join(&texts->fragment, usual, FILO_COUNT_OF(usual))) &&
           ok;
}

static void free_texts(Texts *texts) {
    filo_builder_deinit(&texts->vertex);
    filo_builder_deinit(&texts->fragment);
}

FiloResult gfx2d_shaders_make(FiloPipeline *pipeline, FiloGfx2d *gfx, const char *label, unsigned features,
                              const char *custom, FiloBlend blend) {
    *pipeline = (FiloPipeline){ 0 };
    Texts texts;
    FiloPipelineDesc desc = {
        .label = label,
        .attributes = { { FILO_ATTRIBUTE_FLOAT2, 0, offsetof(FiloQuad, x) },
                        { FILO_ATTRIBUTE_FLOAT4, 0, offsetof(FiloQuad, ax) },
                        { FILO_ATTRIBUTE_USHORT4, 0, offsetof(FiloQuad, u0) },
                        { FILO_ATTRIBUTE_UBYTE4_UNIT, 0, offsetof(FiloQuad, color) },
                        { FILO_ATTRIBUTE_USHORT2, 0, offsetof(FiloQuad, image) } },
        .buffers = { { sizeof(FiloQuad), true } },
        .topology = FILO_TRIANGLE_STRIP,
        .blend = blend,
    };
    FiloResult result;
    if (make_texts(gfx, &texts, features, custom)) {
        desc.vertex = filo_builder_text(&texts.vertex);
        desc.fragment = filo_builder_text(&texts.fragment);
        result = filo_gpu_pipeline_create(pipeline, gfx->gpu, &desc);
    } else {
        result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for the text of a shader", label);
    }
    free_texts(&texts);
    return result;
}

static FiloResult replace(FiloGfx2d *gfx, FiloPipeline pipeline, const char *custom) {
    Texts texts;
    FiloResult result = filo_error(FILO_ERROR_MEMORY, "no memory for the text of a shader");
    if (make_texts(gfx, &texts, GFX2D_FEATURE_LINEAR | GFX2D_FEATURE_SHAPES, custom))
        result = filo_gpu_pipeline_replace(gfx->gpu, pipeline, filo_builder_text(&texts.vertex),
                                           filo_builder_text(&texts.fragment));
    free_texts(&texts);
    return result;
}

// ---- Shaders of the game --------------------------------------------------------------------------------------

static FiloResult make_custom(FiloPipeline *pipeline, FiloGfx2d *gfx, const char *label, const char *source) {
    return gfx2d_shaders_make(pipeline, gfx, label, GFX2D_FEATURE_LINEAR | GFX2D_FEATURE_SHAPES, source,
                              FILO_BLEND_OVER);
}

static FiloResult add_shader(uint16_t *number, FiloGfx2d *gfx, Gfx2dShader shader) {
    if (gfx->shaders.count >= GFX2D_STATE_GLYPHS - 1 || !filo_array_push(&gfx->shaders, shader))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a shader");
    *number = (uint16_t)gfx->shaders.count;
    return filo_ok();
}

static FiloResult check_gpu(const FiloGfx2d *gfx, const char *label) {
    if (gfx->gpu != NULL) return filo_ok();
    return filo_error(FILO_ERROR_UNSUPPORTED,
                      "%s: the CPU draws, and it cannot run shaders; sprites are drawn as usual", label);
}

FiloResult filo_gfx2d_shader_create(uint16_t *number, FiloGfx2d *gfx, const char *label, const char *source) {
    if (number == NULL) return FILO_MISTAKE("say where to put the new shader");
    *number = 0;
    if (gfx == NULL || label == NULL || source == NULL)
        return FILO_MISTAKE("pass a renderer, a label and the text of a shader");
    Gfx2dShader shader = { 0 };
    FiloResult result = check_gpu(gfx, label);
    if (result.code == FILO_OK) result = make_custom(&shader.pipeline, gfx, label, source);
    if (result.code == FILO_OK) result = add_shader(number, gfx, shader);
    if (result.code != FILO_OK && shader.pipeline.id != 0)
        filo_gpu_pipeline_destroy(gfx->gpu, shader.pipeline);
    return result;
}

FiloResult filo_gfx2d_shader_load(uint16_t *number, FiloGfx2d *gfx, const char *asset) {
    if (number == NULL) return FILO_MISTAKE("say where to put the new shader");
    *number = 0;
    if (gfx == NULL || asset == NULL || gfx->assets == NULL)
        return FILO_MISTAKE("pass a renderer with assets, and the name of a shader");
    FiloResult result = check_gpu(gfx, asset);
    if (result.code != FILO_OK) return result;
    Gfx2dShader shader = { .asset = filo_assets_load_as(gfx->assets, "shader", asset) };
    if (shader.asset.id == 0)
        return filo_error(FILO_ERROR_NOT_FOUND, "%s: cannot be loaded as a shader", asset);
    result = add_shader(number, gfx, shader);
    if (result.code != FILO_OK) filo_assets_unload(gfx->assets, shader.asset);
    return result;
}

// Takes over what was loaded or reloaded. If it does not compile, the last one that did is used.
static void update_shader(FiloGfx2d *gfx, Gfx2dShader *shader) {
    uint32_t version = filo_asset_version(gfx->assets, shader->asset);
    if (version == shader->version) return;
    shader->version = version;
    const FiloShaderAsset *text = filo_asset_data(gfx->assets, shader->asset);
    const char *name = filo_asset_name(gfx->assets, shader->asset);
    FiloResult result;
    if (text == NULL || text->fragment == NULL)
        result = filo_error(FILO_ERROR_DATA, "%s: a shader for sprites needs a part \"//! fragment\"", name);
    else if (shader->pipeline.id != 0)
        result = replace(gfx, shader->pipeline, text->fragment);
    else
        result = make_custom(&shader->pipeline, gfx, name, text->fragment);
    if (result.code != FILO_OK) filo_log_error("gfx2d", "%s", result.message);
}

void gfx2d_shaders_update(FiloGfx2d *gfx) {
    filo_array_each (&gfx->shaders, shader)
        if (shader->asset.id != 0) update_shader(gfx, shader);
}

void gfx2d_shaders_deinit(FiloGfx2d *gfx) {
    filo_array_each (&gfx->shaders, shader) {
        if (shader->pipeline.id != 0) filo_gpu_pipeline_destroy(gfx->gpu, shader->pipeline);
        if (shader->asset.id != 0) filo_assets_unload(gfx->assets, shader->asset);
    }
    filo_array_deinit(&gfx->shaders);
}
