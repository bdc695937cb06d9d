// Materials by name, and the life of one: requested, loaded, resolved, changed, reloaded.

#include "gfx3d/materials/materials.h"

#include <filo/files.h>
#include <filo/log.h>
#include <filo/modules.h>

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

// ---- The asset type -----------------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    Gfx3dMaterialData *material = filo_alloc_zero(bytes->allocator, sizeof *material, 0);
    if (material == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the material", bytes->name);
    FiloResult result = gfx3d_material_decode(material, bytes->bytes, bytes->size, bytes->name);
    if (result.code == FILO_OK)
        *data = material;
    else
        filo_free(bytes->allocator, material, sizeof *material, 0);
    return result;
}
static void free_data(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    filo_free(allocator, data, sizeof(Gfx3dMaterialData), 0);
}
static size_t data_size(const void *data, void *user) {
    FILO_UNUSED(data);
    FILO_UNUSED(user);
    return sizeof(Gfx3dMaterialData);
}

static FiloResult register_type(FiloAssets *assets) {
    FiloResult result = filo_assets_register(assets, &(FiloAssetType){ .name = "material",
                                                                       .extensions = { "material" },
                                                                       .decode = decode,
                                                                       .free = free_data,
                                                                       .size = data_size });
    return result.code == FILO_ERROR_EXISTS ? filo_ok() : result;
}

// ---- The list -----------------------------------------------------------------------------------------------

// Adds a material that looks like the default one. GFX3D_NONE without memory.
static uint32_t add(FiloGfx3d *gfx, FiloName name) {
    Gfx3dMaterials *materials = gfx->materials;
    Gfx3dMaterial *material = filo_alloc_zero(gfx->allocator, sizeof *material, 0);
    if (material == NULL) return GFX3D_NONE;
    *material = (Gfx3dMaterial){ .name = name, .data = { .cutoff = 0.5f } };
    uint32_t index = (uint32_t)materials->list.count;
    bool ok = index < UINT16_MAX && filo_array_push(&materials->list, material);
    if (ok && name.id != 0 && !filo_map_set(&materials->by_name, name.id, &index)) {
        materials->list.count--;
        ok = false;
    }
    if (ok) {
        uint32_t generation = gfx->material_generation;
        gfx3d_material_apply(gfx, index);
        gfx->material_generation = generation; // no draw has it yet
        gfx3d_material_write_blocks(gfx);
        return index;
    }
    filo_free(gfx->allocator, material, sizeof *material, 0);
    return GFX3D_NONE;
}

uint32_t gfx3d_material_lookup(const FiloGfx3d *gfx, FiloName name) {
    const uint32_t *found = filo_map_get(&gfx->materials->by_name, name.id);
    return found != NULL ? *found : GFX3D_NONE;
}

uint32_t gfx3d_material_find(FiloGfx3d *gfx, FiloName name) {
    if (name.id == 0) return GFX3D_MATERIAL_DEFAULT;
    uint32_t index = gfx3d_material_lookup(gfx, name);
    if (index != GFX3D_NONE) return index;
    index = add(gfx, name);
    if (index == GFX3D_NONE) return GFX3D_MATERIAL_DEFAULT;
    Gfx3dMaterial *material = gfx->materials->list.items[index];
    const char *text = filo_name_text(name);
    if (gfx->assets != NULL && filo_path_has_extension(text, "material")) {
        material->asset = filo_assets_load(gfx->assets, text);
        if (material->asset.id != 0) material->source = GFX3D_MATERIAL_FILE;
    }
    return index;
}

Gfx3dMaterialInfo gfx3d_material_info(const FiloGfx3d *gfx, uint32_t index) {
    const Gfx3dMaterials *materials = gfx->materials;
    return materials->list.items[index < materials->list.count ? index : GFX3D_MATERIAL_DEFAULT]->info;
}

static FiloResult add_standard(FiloGfx3d *gfx) {
    uint32_t shader = gfx3d_shader_retain(gfx, "", NULL, "");
    if (shader != 0 || add(gfx, (FiloName){ 0 }) != GFX3D_MATERIAL_DEFAULT ||
        add(gfx, (FiloName){ 0 }) != GFX3D_MATERIAL_ERROR)
        return filo_error(FILO_ERROR_MEMORY, "no memory for materials");
    gfx->materials->shaders.items[0]->ready = true;
    Gfx3dMaterialData *data = &gfx->materials->list.items[GFX3D_MATERIAL_ERROR]->data;
    data->unlit = true;
    data->texture_count = 1;
    data->textures[0] = (Gfx3dMaterialTexture){ .name = "color_map", .texture = gfx->materials->chequered };
    gfx3d_material_apply(gfx, GFX3D_MATERIAL_ERROR);
    return filo_ok();
}

FiloResult gfx3d_materials_init(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials = filo_alloc_zero(gfx->allocator, sizeof *materials, 0);
    if (materials == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for materials");
    filo_array_init(&materials->list, gfx->allocator);
    filo_array_init(&materials->shaders, gfx->allocator);
    filo_array_init(&materials->files, gfx->allocator);
    filo_array_init(&materials->kinds, gfx->allocator);
    filo_map_init(&materials->by_name, sizeof(uint32_t), gfx->allocator);
    FiloResult result = gfx3d_textures_init(gfx);
    if (result.code == FILO_OK && gfx->assets != NULL) result = register_type(gfx->assets);
    if (result.code == FILO_OK) result = add_standard(gfx);
    if (result.code == FILO_OK) gfx3d_material_write_blocks(gfx);
    return result;
}

void gfx3d_materials_deinit(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    if (materials == NULL) return;
    filo_array_each (&materials->list, each) {
        if ((*each)->asset.id != 0) filo_assets_unload(gfx->assets, (*each)->asset);
        filo_free(gfx->allocator, *each, sizeof **each, 0);
    }
    gfx3d_shaders_deinit(gfx);
    gfx3d_textures_deinit(gfx);
    filo_gpu_buffer_destroy(gfx->gpu, materials->blocks);
    filo_array_deinit(&materials->list);
    filo_array_deinit(&materials->kinds);
    filo_map_deinit(&materials->by_name);
    filo_free(gfx->allocator, materials, sizeof *materials, 0);
    gfx->materials = NULL;
}

// ---- Resolving ----------------------------------------------------------------------------------------------

// Puts the wanted data in use.
static void accept(FiloGfx3d *gfx, uint32_t index, const Gfx3dMaterialData *data, uint32_t shader,
                   bool good) {
    Gfx3dMaterial *material = gfx->materials->list.items[index];
    if (material->shader != shader) {
        if (shader != 0) gfx->materials->shaders.items[shader]->references++;
        gfx3d_shader_release(gfx, material->shader);
        material->shader = shader;
    }
    material->data = *data;
    material->good = good;
    material->broken = false;
    gfx3d_material_apply(gfx, index);
}

// Compares the wanted data with its shader. If it fits, it is in use from now on. While the shader is being loaded, the
// material looks as it did, or, at first, as its standard values say.
static FiloResult resolve(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dMaterial *material = gfx->materials->list.items[index];
    const Gfx3dShader *shader = gfx->materials->shaders.items[material->wanted_shader];
    const char *file = material->source == GFX3D_MATERIAL_FILE ? filo_name_text(material->name) : NULL;
    Gfx3dMaterialData data = material->wanted;
    material->changed = false;
    material->shader_version = shader->version;
    material->error = filo_ok();
    if (shader->ready) {
        material->error = gfx3d_material_check(gfx, &data, material->wanted_shader, file);
        if (material->error.code == FILO_OK) accept(gfx, index, &data, material->wanted_shader, true);
    } else if (shader->error.code != FILO_OK) {
        material->error = shader->error;
    } else if (!material->good) {
        accept(gfx, index, &data, 0, false);
    }
    if (material->error.code == FILO_OK) return material->error;
    material->broken = !material->good;
    if (material->good) gfx3d_material_apply(gfx, index); // its shader may have changed
    return material->error;
}

// Sets what is wanted. False without memory.
static bool want(FiloGfx3d *gfx, Gfx3dMaterial *material, const Gfx3dMaterialData *data, const char *text) {
    uint32_t shader = 0;
    if (data->shader[0] != '\0' || text != NULL) {
        shader = gfx3d_shader_retain(gfx, data->shader, text, data->defines);
        if (shader == GFX3D_NONE) return false;
        gfx3d_shader_update(gfx, shader);
    }
    gfx3d_shader_release(gfx, material->wanted_shader);
    material->wanted = *data;
    material->wanted_shader = shader;
    material->changed = true;
    return true;
}

// Forgets wanted data that was refused, and wants what is in use.
static void stay(FiloGfx3d *gfx, Gfx3dMaterial *material) {
    if (material->shader != 0) gfx->materials->shaders.items[material->shader]->references++;
    gfx3d_shader_release(gfx, material->wanted_shader);
    material->wanted = material->data;
    material->wanted_shader = material->shader;
    material->shader_version = gfx->materials->shaders.items[material->shader]->version;
    material->error = filo_ok();
}

FiloResult gfx3d_material_put(FiloGfx3d *gfx, FiloName name, const Gfx3dMaterialData *data, const char *text,
                              uint32_t *index) {
    uint32_t found = gfx3d_material_lookup(gfx, name);
    if (found == GFX3D_NONE) found = add(gfx, name);
    *index = found;
    if (found == GFX3D_NONE || !want(gfx, gfx->materials->list.items[found], data, text))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the material", filo_name_text(name));
    FiloResult result = resolve(gfx, found);
    Gfx3dMaterial *material = gfx->materials->list.items[found];
    if (result.code != FILO_OK && material->good) {
        stay(gfx, material);
    } else {
        if (material->asset.id != 0) filo_assets_unload(gfx->assets, material->asset);
        material->asset = (FiloAsset){ 0 };
        material->source = GFX3D_MATERIAL_MADE;
    }
    gfx3d_material_write_blocks(gfx);
    return result;
}

// ---- Updating -----------------------------------------------------------------------------------------------

#define PROBLEM_SIZE 512

// Those of a model come with it.
static bool is_missing(const Gfx3dMaterial *material) {
    return material->source == GFX3D_MATERIAL_MISSING && material->name.id != 0 &&
           strchr(filo_name_text(material->name), '#') == NULL;
}

// The sentence about a material that does not exist. `files`: the folder of the assets is searched for what was meant.
static const char *describe_missing(const FiloGfx3d *gfx, const Gfx3dMaterial *material, bool files,
                                    char text[PROBLEM_SIZE]) {
    const char *name = filo_name_text(material->name);
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    filo_array_each (&gfx->materials->list, other)
        if ((*other)->source != GFX3D_MATERIAL_MISSING)
            base_suggest_offer(&suggestion, filo_name_string((*other)->name));
    char meant[BASE_SUGGEST_SIZE];
    base_suggest_print(&suggestion, meant);
    if (meant[0] == '\0' && files && gfx->assets != NULL)
        (void)base_suggest_file(filo_assets_folder(gfx->assets), name, ".material", meant);
    (void)snprintf(
        text, PROBLEM_SIZE,
        "there is no material \"%s\"%s (add it by filo_gfx3d_add_material, or name a file that ends "
        "in .material)",
        name, meant);
    return text;
}

static void report_missing(const FiloGfx3d *gfx, Gfx3dMaterial *material) {
    if (material->reported) return;
    material->reported = true;
    if (!is_missing(material)) return;
    material->broken = true; // until it is added
    char text[PROBLEM_SIZE];
    filo_log_warn("gfx3d", "%s", describe_missing(gfx, material, true, text));
}

static void update_file(FiloGfx3d *gfx, Gfx3dMaterial *material) {
    uint32_t version = filo_asset_version(gfx->assets, material->asset);
    if (filo_asset_state(gfx->assets, material->asset) == FILO_ASSET_FAILED)
        material->broken = !material->good; // the assets report why
    if (version == material->asset_version) return;
    material->asset_version = version;
    if (!want(gfx, material, filo_asset_data(gfx->assets, material->asset), NULL))
        material->error =
            filo_error(FILO_ERROR_MEMORY, "%s: no memory for the material", filo_name_text(material->name));
}

static void update_material(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dMaterial *material = gfx->materials->list.items[index];
    if (material->source == GFX3D_MATERIAL_FILE) update_file(gfx, material);
    if (material->source == GFX3D_MATERIAL_MISSING) report_missing(gfx, material);
    const Gfx3dShader *shader = gfx->materials->shaders.items[material->wanted_shader];
    if (!material->changed && material->shader_version == shader->version) return;
    FiloResult before = material->error, result = resolve(gfx, index);
    // The error of a shader was logged with it.
    if (result.code != FILO_OK && strcmp(result.message, before.message) != 0 &&
        strcmp(result.message, shader->error.message) != 0)
        filo_log_error("gfx3d", "%s", result.message);
}

void gfx3d_materials_update(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    for (uint32_t i = 1; i < materials->shaders.count; i++) gfx3d_shader_update(gfx, i);
    for (uint32_t i = GFX3D_MATERIAL_ERROR + 1; i < materials->list.count; i++) update_material(gfx, i);
    gfx3d_textures_update(gfx);
    if (materials->textures_seen != materials->texture_version) {
        materials->textures_seen = materials->texture_version;
        filo_array_each (&materials->list, material) gfx3d_material_show_textures(gfx, *material);
    }
    gfx3d_material_write_blocks(gfx);
}

bool gfx3d_materials_pending(const FiloGfx3d *gfx) {
    filo_array_each (&gfx->materials->list, material)
        if (is_missing(*material) && !(*material)->reported) return true;
    return gfx3d_textures_pending(gfx);
}

void gfx3d_materials_problems(const FiloGfx3d *gfx, FiloLines *lines) {
    filo_array_each (&gfx->materials->shaders, shader)
        if ((*shader)->used && (*shader)->error.code != FILO_OK)
            filo_lines_add(lines, "%s", (*shader)->error.message);
    filo_array_each (&gfx->materials->list, each) {
        const Gfx3dMaterial *material = *each;
        const Gfx3dShader *shader = gfx->materials->shaders.items[material->wanted_shader];
        if (material->error.code != FILO_OK && strcmp(material->error.message, shader->error.message) != 0)
            filo_lines_add(lines, "%s", material->error.message);
        char text[PROBLEM_SIZE];
        if (material->reported && is_missing(material))
            filo_lines_add(lines, "%s", describe_missing(gfx, material, false, text));
    }
    gfx3d_textures_problems(gfx, lines);
}
