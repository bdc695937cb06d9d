// The block Frame: the layout of the struct is that of the shader.

#include "gfx3d/lit.h"

#include <ctype.h>

typedef struct Member {
    const char *name;
    size_t offset;
} Member;

#define MEMBER(name_)                                                                                        \
    { #name_, offsetof(Gfx3dFrameBlock, name_) }
static const Member members[] = { MEMBER(view_projection),
                                  MEMBER(view),
                                  MEMBER(inverse),
                                  MEMBER(eye),
                                  MEMBER(time),
                                  MEMBER(forward),
                                  MEMBER(exposure),
                                  MEMBER(size),
                                  MEMBER(near),
                                  MEMBER(far),
                                  MEMBER(sun_direction),
                                  MEMBER(shadow_fade),
                                  MEMBER(sun_color),
                                  MEMBER(shadow_start),
                                  MEMBER(fog_color),
                                  MEMBER(fog_density),
                                  MEMBER(fog_glow),
                                  MEMBER(fog_height),
                                  MEMBER(fog_falloff),
                                  MEMBER(fog_eye),
                                  MEMBER(light_count),
                                  MEMBER(cascade_count),
                                  MEMBER(sky_layers),
                                  MEMBER(sky_light),
                                  MEMBER(shadow_pass),
                                  MEMBER(shadow_texel),
                                  MEMBER(cascade_ends),
                                  MEMBER(sun_x),
                                  MEMBER(random),
                                  MEMBER(sun_y),
                                  MEMBER(perspective),
                                  MEMBER(sun_z),
                                  MEMBER(sun_depth),
                                  MEMBER(cascades),
                                  MEMBER(ambient),
                                  MEMBER(lights),
                                  MEMBER(light_tiles) };
static const Member light_members[] = { { "position", offsetof(Gfx3dFrameLight, position) },
                                        { "inverse_square_range",
                                          offsetof(Gfx3dFrameLight, inverse_square_range) },
                                        { "color", offsetof(Gfx3dFrameLight, color) },
                                        { "spot_scale", offsetof(Gfx3dFrameLight, spot_scale) },
                                        { "direction", offsetof(Gfx3dFrameLight, direction) },
                                        { "spot_offset", offsetof(Gfx3dFrameLight, spot_offset) } };

typedef struct Rule { // of std140
    const char *type;
    size_t align, size;
} Rule;
static const Rule rules[] = { { "float", 4, 4 },   { "int", 4, 4 },
                              { "vec2", 8, 8 },    { "vec3", 16, 12 },
                              { "vec4", 16, 16 },  { "mat4", 16, 64 },
                              { "uvec4", 16, 16 }, { "FiloFrameLight", 16, 48 } };

static size_t round_up(size_t x, size_t to) { return (x + to - 1) / to * to; }

// Reads the declarations from `text` up to the closing brace, and compares their offsets by the rules of std140 with those
// of the list. Returns the size.
static size_t compare_layout(const char *text, const Member *list, size_t count) {
    size_t at = 0, number = 0;
    char type[32], name[32];
    for (const char *line = strchr(text, '\n') + 1; *line != '}'; line = strchr(line, '\n') + 1) {
        while (isspace((unsigned char)*line)) line++;
        if (strncmp(line, "//", 2) == 0) continue;
        assert_int_equal(sscanf(line, "%31s %31[a-z_]", type, name), 2);
        const char *bracket = strchr(line, '['), *end = strchr(line, ';');
        bool array = bracket != NULL && bracket < end;
        size_t elements = !array                                       ? 1
                          : strncmp(bracket, "[FILO_LIGHTS]", 13) == 0 ? 64
                          : strncmp(bracket, "[FILO_TILES]", 12) == 0  ? 256
                                                                       : (size_t)atoi(bracket + 1);
        const Rule *rule = NULL;
        for (size_t i = 0; i < FILO_COUNT_OF(rules); i++)
            if (strcmp(rules[i].type, type) == 0) rule = &rules[i];
        assert_non_null(rule);
        at = round_up(at, array ? 16 : rule->align);
        assert_true(number < count);
        assert_string_equal(list[number].name, name);
        if (list[number].offset != at)
            fail_msg("%s is at %zu, in the struct at %zu", name, at, list[number].offset);
        number++;
        at += array ? round_up(rule->size, 16) * elements : rule->size;
    }
    assert_int_equal(number, count);
    return round_up(at, 16);
}

FILO_TEST(the_struct_has_the_members_and_offsets_of_the_block_in_std140) {
    const char *text = gfx3d_shader_text("frame.glsl");
    assert_non_null(text);
    const char *block = strstr(text, "uniform Frame {"), *light = strstr(text, "struct FiloFrameLight {");
    assert_non_null(block);
    assert_non_null(light);
    assert_int_equal(compare_layout(block, members, FILO_COUNT_OF(members)), sizeof(Gfx3dFrameBlock));
    assert_int_equal(compare_layout(light, light_members, FILO_COUNT_OF(light_members)),
                     sizeof(Gfx3dFrameLight));
}

// What a driver reads: the picture shows members from the beginning to the end of the block.
static const char show[] =
    "//! vertex\n"
    "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }\n"
    "//! fragment\n"
    "#include \"frame.glsl\"\n"
    "uniform int number;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    vec4 a = vec4(frame.eye.z, frame.time, frame.forward.x, frame.size.y);\n"
    "    vec4 b = vec4(frame.far, frame.sun_color.g, frame.fog_falloff, float(frame.cascade_count));\n"
    "    vec4 c = vec4(frame.cascades[3].w, frame.ambient[8].g, frame.sun_depth, frame.sky_light);\n"
    "    vec4 d = vec4(frame.lights[0].position.x, frame.lights[63].spot_offset,\n"
    "                  frame.lights[63].color.b, frame.lights[62].direction.y);\n"
    "    result = number == 0 ? a : number == 1 ? b : number == 2 ? c : d;\n"
    "}\n";

static void read_block(FiloGpuKind kind) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = kind });
    FiloPipeline pipeline;
    assert_ok(gfx3d_program_create(
        &pipeline, lit.gfx,
        &(Gfx3dProgramDesc){ .label = "show", .source = show, .pipeline = { .blend = FILO_BLEND_NONE } }));
    Gfx3dFrameBlock block = { 0 };
    float *values[] = { &block.eye.z,
                        &block.time,
                        &block.forward.x,
                        &block.size.y,
                        &block.far,
                        &block.sun_color.y,
                        &block.fog_falloff,
                        NULL,
                        &block.cascades[3].w,
                        &block.ambient[8].y,
                        &block.sun_depth,
                        &block.sky_light,
                        &block.lights[0].position.x,
                        &block.lights[63].spot_offset,
                        &block.lights[63].color.z,
                        &block.lights[62].direction.y };
    for (size_t i = 0; i < FILO_COUNT_OF(values); i++)
        if (values[i] != NULL) *values[i] = (float)(i + 1) / 16.0f;
    block.cascade_count = 1;
    FiloBuffer buffer;
    assert_ok(filo_gpu_buffer_create(
        &buffer, lit.gpu,
        &(FiloBufferDesc){ .use = FILO_BUFFER_UNIFORMS, .size = sizeof block, .data = &block }));
    for (int number = 0; number < 4; number++) {
        filo_gpu_begin_pass(lit.gpu, &(FiloGpuPass){ .width = WIDTH, .height = HEIGHT });
        filo_gpu_use(lit.gpu, pipeline);
        filo_gpu_set_block(lit.gpu, 0, buffer, 0, sizeof block);
        filo_gpu_set_int(lit.gpu, "number", number);
        filo_gpu_draw(lit.gpu, 0, 3, 1);
        filo_gpu_end_pass(lit.gpu);
        FiloColor found;
        assert_ok(filo_gpu_read(lit.gpu, (FiloRenderTarget){ 0 }, 3, 3, &(FiloPixels){ &found, 1, 1, 1 }));
        uint8_t bytes[4] = { found.r, found.g, found.b, found.a };
        for (int i = 0; i < 4; i++) {
            int expected = number == 1 && i == 3 ? 255 : (number * 4 + i + 1) * 255 / 16;
            assert_in_range(bytes[i], expected - 1, expected + 1);
        }
    }
    filo_gpu_pipeline_destroy(lit.gpu, pipeline);
    filo_gpu_buffer_destroy(lit.gpu, buffer);
    lit_close(&lit);
}

FILO_TEST(a_shader_reads_the_members_of_the_struct_on_gl_45) { read_block(FILO_GPU_GL45); }
FILO_TEST(a_shader_reads_the_members_of_the_struct_on_gl_33) { read_block(FILO_GPU_GL33); }
