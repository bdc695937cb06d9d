// Compares the data of a material with its shader: every value and texture must be one of the shader's, of its type.
//
// Types are those of the compiled program. A uniform that the compiler has removed, because it is not used, is looked up
// in the text.

#include "gfx3d/materials/materials.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

static const char *type_name(FiloUniformType type) {
    switch (type) {
    case FILO_UNIFORM_FLOAT: return "a float";
    case FILO_UNIFORM_VEC2: return "a vec2";
    case FILO_UNIFORM_VEC3: return "a vec3";
    case FILO_UNIFORM_VEC4: return "a vec4";
    case FILO_UNIFORM_INT: return "an int";
    case FILO_UNIFORM_IVEC2: return "an ivec2";
    case FILO_UNIFORM_UINT: return "a uint";
    case FILO_UNIFORM_MAT3: return "a mat3";
    case FILO_UNIFORM_MAT4: return "a mat4";
    case FILO_UNIFORM_TEXTURE: return "a sampler2D";
    case FILO_UNIFORM_TEXTURE_ARRAY: return "a sampler2DArray";
    default: return "of another type";
    }
}

static FiloUniformInfo find_uniform(FiloGfx3d *gfx, const Gfx3dShader *shader, FiloPipeline pipeline,
                                    const char *name) {
    size_t count = pipeline.id != 0 ? filo_gpu_uniform_count(gfx->gpu, pipeline) : 0;
    for (size_t i = 0; i < count; i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gfx->gpu, pipeline, i);
        if (strcmp(info.name, name) == 0) return info;
    }
    filo_array_each (&shader->uniforms, info)
        if (strcmp(info->name, name) == 0) return *info;
    return (FiloUniformInfo){ 0 };
}

// "flag.material:3:5: flag.glsl", or the shader alone. Errors begin with it.
static const char *place(char text[2 * GFX3D_IMAGE_NAME], const char *file, int line, int column,
                         const char *shader) {
    if (file != NULL && line > 0)
        (void)snprintf(text, 2 * GFX3D_IMAGE_NAME, "%s:%d:%d: %s", file, line, column, shader);
    else
        (void)snprintf(text, 2 * GFX3D_IMAGE_NAME, "%s", shader);
    return text;
}

static FiloResult no_such(const Gfx3dShader *shader, const char *where, const char *name) {
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    filo_array_each (&shader->uniforms, info) base_suggest_offer(&suggestion, filo_string(info->name));
    for (int i = 0; i < GFX3D_STANDARD_VALUES; i++)
        base_suggest_offer(&suggestion, filo_string(gfx3d_standard_values[i].name));
    for (int i = 0; i < GFX3D_STANDARD_MAPS; i++)
        base_suggest_offer(&suggestion, filo_string(gfx3d_standard_maps[i].name));
    char meant[BASE_SUGGEST_SIZE];
    return filo_error(FILO_ERROR_DATA, "%s: there is no uniform \"%s\"%s", where, name,
                      base_suggest_print(&suggestion, meant));
}

static bool is_whole(float value) {
    return value == (float)(int32_t)FILO_CLAMP(value, -16777216.0f, 16777216.0f);
}

// Whether a value fits a type; it is converted to it.
static bool fits(Gfx3dMaterialValue *value, FiloUniformType type) {
    bool same = value->type == type;
    bool number = value->given == GFX3D_GIVEN_NUMBER && type == FILO_UNIFORM_INT && is_whole(value->value[0]);
    bool color = value->given == GFX3D_GIVEN_COLOR && type == FILO_UNIFORM_VEC3;
    if (!same && !number && !color) return false;
    value->type = type;
    return true;
}

static FiloResult check_value(const Gfx3dShader *shader, FiloUniformInfo info, Gfx3dMaterialValue *value,
                              const char *where) {
    if (info.type == FILO_UNIFORM_NONE) return no_such(shader, where, value->name);
    if (info.count != 1)
        return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is an array, which a material cannot set", where,
                          value->name);
    if (fits(value, info.type)) return filo_ok();
    if (value->given == GFX3D_GIVEN_NUMBER && info.type == FILO_UNIFORM_INT)
        return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is an int, but %g was set", where, value->name,
                          (double)value->value[0]);
    return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is %s, but %s was set", where, value->name,
                      type_name(info.type),
                      value->given == GFX3D_GIVEN_BOOL ? "a bool" : type_name(value->type));
}

static FiloResult check_texture(FiloGfx3d *gfx, const Gfx3dShader *shader, FiloUniformInfo info,
                                const Gfx3dMaterialTexture *texture, const char *where) {
    if (info.type == FILO_UNIFORM_NONE) return no_such(shader, where, texture->name);
    bool array = texture->texture.id != 0 && filo_gpu_texture_info(gfx->gpu, texture->texture).layers > 0;
    FiloUniformType type = array ? FILO_UNIFORM_TEXTURE_ARRAY : FILO_UNIFORM_TEXTURE;
    if (info.type == type && info.count == 1) return filo_ok();
    if (info.type == type)
        return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is an array, which a material cannot set", where,
                          texture->name);
    return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is %s, but a texture (%s) was set", where, texture->name,
                      type_name(info.type), type_name(type) + 2);
}

static const char *label_of(const Gfx3dShader *shader) {
    return shader->label[0] != '\0' ? shader->label : "the standard shader";
}

// A texture of the standard maps is a plain texture.
static FiloUniformInfo standard_uniform(const char *name) {
    const Gfx3dStandardValue *value = gfx3d_standard_value(name);
    if (value != NULL) return (FiloUniformInfo){ .type = value->type, .count = 1 };
    if (gfx3d_standard_map(name) >= 0) return (FiloUniformInfo){ .type = FILO_UNIFORM_TEXTURE, .count = 1 };
    return (FiloUniformInfo){ 0 };
}

FiloResult gfx3d_material_check(FiloGfx3d *gfx, Gfx3dMaterialData *data, uint32_t index, const char *name) {
    FiloPipeline pipeline = { 0 };
    if (index != 0) {
        const Gfx3dVariant *variant = gfx3d_shader_variant(gfx, index, gfx3d_material_bits(data));
        if (variant == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a shader", data->shader);
        pipeline = variant->pipeline;
        if (pipeline.id == 0) return gfx->materials->shaders.items[index]->error;
    }
    const Gfx3dShader *shader = gfx->materials->shaders.items[index];
    char where[2 * GFX3D_IMAGE_NAME];
    FiloResult result = filo_ok();
    for (uint32_t i = 0; i < data->value_count && result.code == FILO_OK; i++) {
        Gfx3dMaterialValue *value = &data->values[i];
        FiloUniformInfo info = standard_uniform(value->name);
        if (info.type == FILO_UNIFORM_NONE) info = find_uniform(gfx, shader, pipeline, value->name);
        result = check_value(shader, info, value,
                             place(where, name, value->line, value->column, label_of(shader)));
    }
    for (uint32_t i = 0; i < data->texture_count && result.code == FILO_OK; i++) {
        const Gfx3dMaterialTexture *texture = &data->textures[i];
        FiloUniformInfo info = standard_uniform(texture->name);
        if (info.type == FILO_UNIFORM_NONE) info = find_uniform(gfx, shader, pipeline, texture->name);
        result = check_texture(gfx, shader, info, texture,
                               place(where, name, texture->line, texture->column, label_of(shader)));
    }
    return result;
}
