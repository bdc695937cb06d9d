// A variant of a shader: the definitions of mesh.glsl, and the fixed state of its pipeline.

#include "gfx3d/materials/materials.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define DEFINES_SIZE (256 + GFX3D_DEFINES)

static void add(char *defines, const char *define) {
    size_t length = strlen(defines);
    (void)snprintf(defines + length, DEFINES_SIZE - length, " %s", define);
}

static FiloMaterialMode mode_of(uint32_t bits) { return (FiloMaterialMode)(bits >> GFX3D_VARIANT_MODE & 3); }

static const char *const maps[GFX3D_STANDARD_MAPS] = { "COLOR_MAP", "METALLIC_ROUGHNESS_MAP", "NORMAL_MAP",
                                                       "OCCLUSION_MAP", "EMISSIVE_MAP" };
static const char *const modes[] = { NULL, "MASK", "BLEND", "ADD" };

static void write_defines(const Gfx3dShader *shader, uint32_t bits, char defines[DEFINES_SIZE]) {
    bool depth = (bits & GFX3D_VARIANT_PASS) != GFX3D_PASS_COLOR;
    FiloMaterialMode mode = mode_of(bits);
    defines[0] = '\0';
    if (depth) add(defines, "DEPTH");
    if (depth && mode == FILO_MATERIAL_OPAQUE && !shader->has_vertex) add(defines, "PLAIN");
    if (modes[mode] != NULL) add(defines, modes[mode]);
    if ((bits & GFX3D_VARIANT_UNLIT) != 0) add(defines, "UNLIT");
    if ((bits & GFX3D_VARIANT_OWN_LIGHT) != 0) add(defines, "OWN_LIGHT");
    if ((bits & GFX3D_VARIANT_DOUBLE_SIDED) != 0) add(defines, "DOUBLE_SIDED");
    if ((bits >> GFX3D_VARIANT_DRAW & GFX3D_SKINNED) != 0) add(defines, "SKINNED");
    for (int i = 0; i < GFX3D_STANDARD_MAPS; i++)
        if ((bits >> GFX3D_VARIANT_MAPS & 1u << i) != 0) add(defines, maps[i]);
    if (shader->has_vertex) add(defines, "HAS_VERTEX");
    if (shader->has_surface) add(defines, "HAS_SURFACE");
    if (shader->defines[0] != '\0') add(defines, shader->defines);
}

// ---- Definitions of materials -------------------------------------------------------------------------------

// Names that mesh.glsl uses.
static bool is_taken(FiloString name) {
    static const char *const others[] = { "DEPTH",   "PLAIN",      "UNLIT",       "OWN_LIGHT", "DOUBLE_SIDED",
                                          "SKINNED", "HAS_VERTEX", "HAS_SURFACE", "SURFACE" };
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++)
        if (filo_string_equal(name, filo_string(others[i]))) return true;
    for (size_t i = 0; i < FILO_COUNT_OF(maps); i++)
        if (filo_string_equal(name, filo_string(maps[i]))) return true;
    for (size_t i = 1; i < FILO_COUNT_OF(modes); i++)
        if (filo_string_equal(name, filo_string(modes[i]))) return true;
    return filo_string_starts_with(name, FILO_STRING("FILO_")) ||
           filo_string_starts_with(name, FILO_STRING("GL_"));
}

static bool is_value(FiloString value) {
    for (size_t i = 0; i < value.length; i++)
        if (!isalnum((unsigned char)value.data[i]) && strchr("_.+-", value.data[i]) == NULL) return false;
    return value.length > 0;
}

const char *gfx3d_define_problem(FiloString define) {
    FiloString name = define, value = FILO_STRING("1");
    if (filo_string_cut(define, FILO_STRING("="), &name, &value) && !is_value(value))
        return "a value has letters, digits, and . + - _";
    bool valid = name.length > 0 && !isdigit((unsigned char)name.data[0]);
    for (size_t i = 0; i < name.length; i++) {
        char c = name.data[i];
        valid = valid && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
    }
    if (!valid) return "a name has capital letters, digits, and _: \"SNOW\" or \"LAYERS=3\"";
    return is_taken(name) ? "the name is one of the engine's" : NULL;
}

bool gfx3d_define_add(char defines[GFX3D_DEFINES], FiloString define) {
    size_t length = strlen(defines);
    int added = snprintf(defines + length, GFX3D_DEFINES - length, "%s" FILO_STRING_FORMAT,
                         length > 0 ? " " : "", FILO_STRING_PRINT(define));
    if (added > 0 && (size_t)added < GFX3D_DEFINES - length) return true;
    defines[length] = '\0';
    return false;
}

// ---- Variants -----------------------------------------------------------------------------------------------

static FiloPipelineDesc describe(const Gfx3dShader *shader, uint32_t bits) {
    Gfx3dPass pass = (Gfx3dPass)(bits & GFX3D_VARIANT_PASS);
    FiloMaterialMode mode = mode_of(bits);
    bool blended = mode == FILO_MATERIAL_BLEND || mode == FILO_MATERIAL_ADD;
    bool marked = (bits >> GFX3D_VARIANT_DRAW & GFX3D_MARK_UNLIT) != 0;
    FiloPipelineDesc desc = {
        .label = shader->label[0] != '\0' ? shader->label : "mesh.glsl",
        .blend = mode == FILO_MATERIAL_ADD ? FILO_BLEND_ADD
                 : !blended                ? FILO_BLEND_NONE
                 : marked                  ? FILO_BLEND_OVER_TWICE
                                           : FILO_BLEND_OVER,
        .depth_test = true,
        .depth_write = !blended,
        // A surface that the sun hits from behind casts a shadow too.
        .cull_back = (bits & GFX3D_VARIANT_DOUBLE_SIDED) == 0 && pass != GFX3D_PASS_SHADOW,
        .mirrored = (bits >> GFX3D_VARIANT_DRAW & GFX3D_MIRRORED) != 0,
        .no_color = pass != GFX3D_PASS_COLOR,
        .wireframe = (bits >> GFX3D_VARIANT_DRAW & GFX3D_WIREFRAME) != 0,
    };
    if (pass == GFX3D_PASS_SHADOW) {
        desc.depth_bias = 2;
        desc.depth_slope_bias = 2;
    }
    gfx3d_vertex_layout(&desc, (bits >> GFX3D_VARIANT_DRAW & GFX3D_SKINNED) != 0);
    return desc;
}

FiloResult gfx3d_variant_make(FiloGfx3d *gfx, const Gfx3dShader *shader, Gfx3dVariant *variant) {
    char defines[DEFINES_SIZE];
    write_defines(shader, variant->bits, defines);
    Gfx3dProgramTexts texts = { .source = { "mesh.glsl", gfx3d_shader_text("mesh.glsl") },
                                .custom = { shader->label, gfx3d_shader_source(gfx, shader) },
                                .defines = defines };
    FiloPipelineDesc desc = describe(shader, variant->bits);
    variant->version = shader->version;
    FiloResult result = gfx3d_program_make(&variant->pipeline, gfx, &texts, &desc);
    if (result.code == FILO_OK) variant->material = GFX3D_NONE;
    return result;
}
