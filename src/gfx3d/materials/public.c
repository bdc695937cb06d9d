// The functions of filo/material.h that add and change materials.

#include "gfx3d/materials/materials.h"

#include "base/suggest.h"

#include <string.h>

// ---- Adding -------------------------------------------------------------------------------------------------

static FiloResult too_long(FiloName material, const char *name) {
    return filo_error(FILO_ERROR_LIMIT, "%s: the name \"%s\" is longer than %d letters",
                      filo_name_text(material), name, GFX3D_UNIFORM_NAME - 1);
}

static bool copy_name(char to[GFX3D_UNIFORM_NAME], const char *name) {
    return filo_string_copy(filo_string(name), to, GFX3D_UNIFORM_NAME) == strlen(name);
}

static FiloResult copy_values(Gfx3dMaterialData *data, FiloName material, const FiloMaterialDesc *desc) {
    for (int i = 0; i < FILO_MATERIAL_VALUES && desc->values[i].name != NULL; i++) {
        const FiloMaterialValue *from = &desc->values[i];
        Gfx3dMaterialValue *to = &data->values[data->value_count++];
        *to = (Gfx3dMaterialValue){ .type = from->type };
        memcpy(to->value, from->value, sizeof to->value);
        if (!copy_name(to->name, from->name)) return too_long(material, from->name);
    }
    return filo_ok();
}

static FiloWrap wrap_of(const FiloMaterialTexture *from) {
    return from->clamp ? FILO_WRAP_CLAMP : from->mirror ? FILO_WRAP_MIRROR : FILO_WRAP_REPEAT;
}

static FiloResult copy_textures(Gfx3dMaterialData *data, FiloName material, const FiloMaterialDesc *desc) {
    for (int i = 0; i < FILO_MATERIAL_TEXTURES && desc->textures[i].name != NULL; i++) {
        const FiloMaterialTexture *from = &desc->textures[i];
        Gfx3dMaterialTexture *to = &data->textures[data->texture_count++];
        int map = gfx3d_standard_map(from->name);
        *to =
            (Gfx3dMaterialTexture){ .image = from->image,
                                    .texture = from->texture,
                                    .wrap_u = wrap_of(from),
                                    .wrap_v = wrap_of(from),
                                    .nearest = from->nearest,
                                    .linear = from->linear || (map >= 0 && gfx3d_standard_maps[map].linear) };
        if (!copy_name(to->name, from->name)) return too_long(material, from->name);
        if (from->image.id == 0 && from->texture.id == 0)
            return FILO_MISTAKE("%s: name an image for \"%s\", or pass a texture", filo_name_text(material),
                                from->name);
    }
    return filo_ok();
}

static FiloResult copy_defines(Gfx3dMaterialData *data, FiloName material, const char *defines) {
    if (defines == NULL) return filo_ok();
    const char *name = filo_name_text(material);
    FiloSplit split = filo_string_split(filo_string(defines), FILO_STRING(" "));
    for (FiloString define; filo_split_next(&split, &define);) {
        if (define.length == 0) continue;
        const char *problem = gfx3d_define_problem(define);
        if (problem != NULL)
            return FILO_MISTAKE("%s: \"" FILO_STRING_FORMAT "\" cannot be defined: %s", name,
                                FILO_STRING_PRINT(define), problem);
        if (!gfx3d_define_add(data->defines, define))
            return filo_error(FILO_ERROR_LIMIT, "%s: a material defines at most %d letters", name,
                              GFX3D_DEFINES - 1);
    }
    if (data->defines[0] != '\0' && data->shader[0] == '\0')
        return FILO_MISTAKE("%s: `defines` are for a shader: name one, or give its text as `source`", name);
    return filo_ok();
}

FiloResult filo_gfx3d_add_material(FiloGfx3d *gfx, FiloName name, const FiloMaterialDesc *desc) {
    if (gfx == NULL || name.id == 0 || desc == NULL)
        return FILO_MISTAKE("pass a renderer, a name and the description of a material");
    if (!filo_gpu_on_thread(gfx->gpu)) return FILO_MISTAKE("call filo_gfx3d_add_material on the main thread");
    if ((unsigned)desc->mode > FILO_MATERIAL_ADD)
        return FILO_MISTAKE("%s: there is no mode %d", filo_name_text(name), (int)desc->mode);
    if (desc->unlit && desc->own_light)
        return FILO_MISTAKE("%s: a material is either `unlit`, or has `own_light`", filo_name_text(name));
    if (desc->shader != NULL && desc->source == NULL && gfx->assets == NULL)
        return FILO_MISTAKE("%s: the renderer has no assets, so give the text of the shader as `source`",
                            filo_name_text(name));
    Gfx3dMaterialData data = { .mode = desc->mode,
                               .cutoff = desc->cutoff > 0 ? desc->cutoff : 0.5f,
                               .double_sided = desc->double_sided,
                               .unlit = desc->unlit,
                               .own_light = desc->own_light,
                               .no_shadow = desc->no_shadow };
    const char *shader = desc->shader != NULL   ? desc->shader
                         : desc->source != NULL ? filo_name_text(name)
                                                : "";
    if (filo_string_copy(filo_string(shader), data.shader, sizeof data.shader) != strlen(shader))
        return filo_error(FILO_ERROR_LIMIT, "%s: the name of the shader is longer than %d letters",
                          filo_name_text(name), GFX3D_LABEL - 1);
    FiloResult result = copy_defines(&data, name, desc->defines);
    if (result.code == FILO_OK) result = copy_values(&data, name, desc);
    if (result.code == FILO_OK) result = copy_textures(&data, name, desc);
    uint32_t index;
    return result.code == FILO_OK ? gfx3d_material_put(gfx, name, &data, desc->source, &index) : result;
}

// ---- Changing -----------------------------------------------------------------------------------------------

// The material of a name, if it can be changed; otherwise NULL, and `result` says why.
static Gfx3dMaterial *find(FiloGfx3d *gfx, FiloName name, uint32_t *index, FiloResult *result) {
    *index = gfx3d_material_lookup(gfx, name);
    Gfx3dMaterial *material = *index != GFX3D_NONE ? gfx->materials->list.items[*index] : NULL;
    bool loaded =
        material != NULL && (material->source == GFX3D_MATERIAL_MADE || material->asset_version != 0);
    if (loaded) return material;
    if (material != NULL && material->source == GFX3D_MATERIAL_FILE) {
        *result = filo_error(FILO_ERROR_NOT_FOUND, "%s is not loaded yet", filo_name_text(name));
        return NULL;
    }
    BaseSuggestion suggestion = base_suggest(filo_name_string(name));
    filo_array_each (&gfx->materials->list, other)
        if ((*other)->source != GFX3D_MATERIAL_MISSING)
            base_suggest_offer(&suggestion, filo_name_string((*other)->name));
    char meant[BASE_SUGGEST_SIZE];
    *result = filo_error(FILO_ERROR_NOT_FOUND, "there is no material \"%s\"%s", filo_name_text(name),
                         base_suggest_print(&suggestion, meant));
    return NULL;
}

static bool put_value(Gfx3dMaterialData *data, const Gfx3dMaterialValue *value) {
    for (uint32_t i = 0; i < data->value_count; i++)
        if (strcmp(data->values[i].name, value->name) == 0) {
            data->values[i] = *value;
            return true;
        }
    if (data->value_count == FILO_MATERIAL_VALUES) return false;
    data->values[data->value_count++] = *value;
    return true;
}

static bool put_texture(Gfx3dMaterialData *data, const Gfx3dMaterialTexture *texture) {
    for (uint32_t i = 0; i < data->texture_count; i++)
        if (strcmp(data->textures[i].name, texture->name) == 0) {
            data->textures[i].image = texture->image;
            data->textures[i].texture = (FiloTexture){ 0 };
            return true;
        }
    if (data->texture_count == FILO_MATERIAL_TEXTURES) return false;
    data->textures[data->texture_count++] = *texture;
    return true;
}

// Sets a value or a texture, the other being NULL.
static FiloResult set(FiloGfx3d *gfx, FiloName name, const Gfx3dMaterialValue *value,
                      const Gfx3dMaterialTexture *texture) {
    if (!filo_gpu_on_thread(gfx->gpu)) return FILO_MISTAKE("call filo_material_set_… on the main thread");
    uint32_t index;
    FiloResult result;
    Gfx3dMaterial *material = find(gfx, name, &index, &result);
    if (material == NULL) return result;
    if (material->good) { // the shader is known: only this one is compared with it
        Gfx3dMaterialData one = { .mode = material->data.mode,
                                  .unlit = material->data.unlit,
                                  .own_light = material->data.own_light,
                                  .double_sided = material->data.double_sided };
        memcpy(one.textures, material->data.textures, sizeof one.textures);
        one.texture_count = material->data.texture_count;
        bool fits = value != NULL ? put_value(&one, value) : put_texture(&one, texture);
        result = fits ? gfx3d_material_check(gfx, &one, material->shader, NULL) : filo_ok();
        if (result.code != FILO_OK) return result;
    }
    Gfx3dMaterialData wanted = material->wanted, data = material->data;
    bool ok = value != NULL ? put_value(&wanted, value) && put_value(&data, value)
                            : put_texture(&wanted, texture) && put_texture(&data, texture);
    if (!ok)
        return filo_error(FILO_ERROR_LIMIT, "%s: a material has at most %d values and %d textures",
                          filo_name_text(name), FILO_MATERIAL_VALUES, FILO_MATERIAL_TEXTURES);
    material->wanted = wanted;
    material->data = data;
    gfx3d_material_apply(gfx, index);
    return filo_ok();
}

static FiloResult set_value(FiloGfx3d *gfx, FiloName material, const char *name, FiloUniformType type,
                            FiloVec4 v) {
    if (gfx == NULL || material.id == 0 || name == NULL)
        return FILO_MISTAKE("pass a renderer, and the names of a material and a value");
    Gfx3dMaterialValue value = { .type = type, .value = { v.x, v.y, v.z, v.w } };
    if (!copy_name(value.name, name)) return too_long(material, name);
    return set(gfx, material, &value, NULL);
}

FiloResult filo_material_set_float(FiloGfx3d *gfx, FiloName material, const char *name, float value) {
    return set_value(gfx, material, name, FILO_UNIFORM_FLOAT, filo_vec4(value, 0, 0, 0));
}
FiloResult filo_material_set_int(FiloGfx3d *gfx, FiloName material, const char *name, int value) {
    return set_value(gfx, material, name, FILO_UNIFORM_INT, filo_vec4((float)value, 0, 0, 0));
}
FiloResult filo_material_set_vec2(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec2 value) {
    return set_value(gfx, material, name, FILO_UNIFORM_VEC2, filo_vec4(value.x, value.y, 0, 0));
}
FiloResult filo_material_set_vec3(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec3 value) {
    return set_value(gfx, material, name, FILO_UNIFORM_VEC3, filo_vec4(value.x, value.y, value.z, 0));
}
FiloResult filo_material_set_vec4(FiloGfx3d *gfx, FiloName material, const char *name, FiloVec4 value) {
    return set_value(gfx, material, name, FILO_UNIFORM_VEC4, value);
}

FiloResult filo_material_set_texture(FiloGfx3d *gfx, FiloName material, const char *name, FiloName image) {
    if (gfx == NULL || material.id == 0 || name == NULL || image.id == 0)
        return FILO_MISTAKE("pass a renderer, and the names of a material, a texture and an image");
    int map = gfx3d_standard_map(name);
    Gfx3dMaterialTexture texture = { .image = image, .linear = map >= 0 && gfx3d_standard_maps[map].linear };
    if (!copy_name(texture.name, name)) return too_long(material, name);
    return set(gfx, material, NULL, &texture);
}
