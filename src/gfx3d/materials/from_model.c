// Materials of models: "robot.glb#materials/Steel", with images "robot.glb#image/2", or files beside the model.

#include "gfx3d/materials/materials.h"

#include <filo/files.h>
#include <filo/log.h>

#include <stdio.h>
#include <string.h>

static void add_value(Gfx3dMaterialData *data, const char *name, FiloUniformType type, FiloVec4 v) {
    Gfx3dMaterialValue *value = &data->values[data->value_count++];
    *value = (Gfx3dMaterialValue){ .type = type, .value = { v.x, v.y, v.z, v.w } };
    (void)filo_string_copy(filo_string(name), value->name, sizeof value->name);
}

// The name of an image of the model; {0} if it cannot be one.
static FiloName image_name(FiloGfx3d *gfx, const FiloModel *model, uint32_t index) {
    const FiloModelImage *image = &model->images[index];
    char name[FILO_PATH_SIZE], folder[FILO_PATH_SIZE];
    if (image->path != NULL) {
        bool fits = filo_path_folder(folder, sizeof folder, model->name) &&
                    filo_path_join(name, sizeof name, folder, image->path);
        return fits ? filo_name(name) : (FiloName){ 0 };
    }
    int length = snprintf(name, sizeof name, "%s#image/%u", model->name, index);
    FiloName id = length > 0 && (size_t)length < sizeof name ? filo_name(name) : (FiloName){ 0 };
    if (id.id != 0 && image->bytes != NULL) gfx3d_texture_set_bytes(gfx, id, image->bytes, image->size);
    return id;
}

static void add_texture(FiloGfx3d *gfx, Gfx3dMaterialData *data, const FiloModel *model, const char *name,
                        const FiloModelTexture *from) {
    if (from->image >= model->image_count) return;
    FiloName image = image_name(gfx, model, from->image);
    if (image.id == 0) return;
    Gfx3dMaterialTexture *texture = &data->textures[data->texture_count++];
    *texture = (Gfx3dMaterialTexture){ .image = image,
                                       .wrap_u = from->wrap_u,
                                       .wrap_v = from->wrap_v,
                                       .nearest = from->nearest,
                                       .linear = gfx3d_standard_maps[gfx3d_standard_map(name)].linear };
    (void)filo_string_copy(filo_string(name), texture->name, sizeof texture->name);
}

// The standard shader has one transform of texture coordinates: that of the first map which has one.
static void add_uv(Gfx3dMaterialData *data, const FiloModelMaterial *from) {
    const FiloModelTexture *maps[] = { &from->color_map, &from->normal_map, &from->metallic_roughness_map,
                                       &from->emissive_map, &from->occlusion_map };
    for (size_t i = 0; i < FILO_COUNT_OF(maps); i++) {
        if (maps[i]->image == FILO_MODEL_NONE) continue;
        FiloVec2 scale = maps[i]->uv_scale, offset = maps[i]->uv_offset;
        add_value(data, "uv_scale", FILO_UNIFORM_VEC2, filo_vec4(scale.x, scale.y, 0, 0));
        add_value(data, "uv_rotation", FILO_UNIFORM_FLOAT, filo_vec4(maps[i]->uv_rotation, 0, 0, 0));
        add_value(data, "uv_offset", FILO_UNIFORM_VEC2, filo_vec4(offset.x, offset.y, 0, 0));
        return;
    }
}

static Gfx3dMaterialData convert(FiloGfx3d *gfx, const FiloModel *model, const FiloModelMaterial *from) {
    Gfx3dMaterialData data = { .mode = from->mode == FILO_SURFACE_MASK    ? FILO_MATERIAL_MASK
                                       : from->mode == FILO_SURFACE_BLEND ? FILO_MATERIAL_BLEND
                                                                          : FILO_MATERIAL_OPAQUE,
                               .cutoff = from->cutoff,
                               .double_sided = from->double_sided,
                               .unlit = from->unlit };
    add_value(&data, "color", FILO_UNIFORM_VEC4, from->color);
    add_value(&data, "metallic", FILO_UNIFORM_FLOAT, filo_vec4(from->metallic, 0, 0, 0));
    add_value(&data, "roughness", FILO_UNIFORM_FLOAT, filo_vec4(from->roughness, 0, 0, 0));
    add_value(&data, "emissive", FILO_UNIFORM_VEC3,
              filo_vec4(from->emissive.x, from->emissive.y, from->emissive.z, 0));
    add_value(&data, "normal_scale", FILO_UNIFORM_FLOAT, filo_vec4(from->normal_map.scale, 0, 0, 0));
    add_value(&data, "occlusion_strength", FILO_UNIFORM_FLOAT, filo_vec4(from->occlusion_map.scale, 0, 0, 0));
    add_uv(&data, from);
    add_texture(gfx, &data, model, "color_map", &from->color_map);
    add_texture(gfx, &data, model, "metallic_roughness_map", &from->metallic_roughness_map);
    add_texture(gfx, &data, model, "normal_map", &from->normal_map);
    add_texture(gfx, &data, model, "occlusion_map", &from->occlusion_map);
    add_texture(gfx, &data, model, "emissive_map", &from->emissive_map);
    return data;
}

uint32_t gfx3d_material_add_from_model(FiloGfx3d *gfx, const FiloModel *model, uint32_t material) {
    if (material >= model->material_count) return GFX3D_MATERIAL_DEFAULT;
    const FiloModelMaterial *from = &model->materials[material];
    char name[FILO_PATH_SIZE];
    int length = snprintf(name, sizeof name, "%s#materials/%s", model->name, from->name);
    if (length < 0 || (size_t)length >= sizeof name) return GFX3D_MATERIAL_DEFAULT;
    FiloName id = filo_name(name);
    Gfx3dMaterialData data = convert(gfx, model, from);
    // A model is asked for once for each of its meshes.
    uint32_t index = gfx3d_material_lookup(gfx, id);
    if (index != GFX3D_NONE && gfx->materials->list.items[index]->source == GFX3D_MATERIAL_MADE &&
        memcmp(&gfx->materials->list.items[index]->wanted, &data, sizeof data) == 0)
        return index;
    FiloResult result = gfx3d_material_put(gfx, id, &data, NULL, &index);
    if (result.code != FILO_OK) filo_log_error("gfx3d", "%s", result.message);
    return index != GFX3D_NONE ? index : GFX3D_MATERIAL_DEFAULT;
}
