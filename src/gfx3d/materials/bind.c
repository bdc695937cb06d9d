// Setting a material in a pass. Pipelines keep the values and textures that were set, so that a material whose pipeline was
// used by it last costs nothing but the change of pipeline and block.

#include "gfx3d/materials/materials.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_STRIDE 256

// ---- Blocks -------------------------------------------------------------------------------------------------

// Makes the buffer large enough for all materials. All blocks are written again then.
static bool reserve_blocks(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    size_t count = materials->list.count;
    if (count <= materials->block_count) return true;
    size_t room = FILO_MAX((size_t)64, materials->block_count * 2);
    while (room < count) room *= 2;
    FiloBuffer buffer;
    FiloResult result = filo_gpu_buffer_create(
        &buffer, gfx->gpu,
        &(FiloBufferDesc){ .label = "materials", .use = FILO_BUFFER_UNIFORMS, .size = room * BLOCK_STRIDE });
    if (result.code != FILO_OK) return false;
    filo_gpu_buffer_destroy(gfx->gpu, materials->blocks);
    materials->blocks = buffer;
    materials->block_count = room;
    filo_array_each (&materials->list, material) (*material)->block_changed = true;
    return true;
}

void gfx3d_material_write_blocks(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    if (!reserve_blocks(gfx)) return;
    for (size_t i = 0; i < materials->list.count; i++) {
        Gfx3dMaterial *material = materials->list.items[i];
        if (!material->block_changed) continue;
        material->block_changed = false;
        filo_gpu_buffer_write(gfx->gpu, materials->blocks, i * BLOCK_STRIDE, &material->block,
                              sizeof material->block);
    }
}

// ---- Values -------------------------------------------------------------------------------------------------

// Uniforms are those of the compiled program: a text that was reloaded may declare others than the material was made for.
// What the material does not give, or gives in another type, is zero, and a texture white: materials share pipelines, so
// that another one may have set it.

static void set_value(FiloGpu *gpu, const FiloUniformInfo *info, const Gfx3dMaterialData *data) {
    const Gfx3dMaterialValue *value = gfx3d_material_value(data, info->name);
    static const float none[4];
    const float *v = value != NULL && value->type == info->type ? value->value : none;
    switch (info->type) {
    case FILO_UNIFORM_FLOAT: filo_gpu_set_float(gpu, info->name, v[0]); break;
    case FILO_UNIFORM_VEC2: filo_gpu_set_vec2(gpu, info->name, filo_vec2(v[0], v[1])); break;
    case FILO_UNIFORM_VEC3: filo_gpu_set_vec3(gpu, info->name, filo_vec3(v[0], v[1], v[2])); break;
    case FILO_UNIFORM_VEC4: filo_gpu_set_vec4(gpu, info->name, filo_vec4(v[0], v[1], v[2], v[3])); break;
    case FILO_UNIFORM_INT: filo_gpu_set_int(gpu, info->name, (int)v[0]); break;
    default: break;
    }
}

static FiloTexture texture_of(const FiloGpu *gpu, const Gfx3dMaterial *material,
                              const FiloUniformInfo *info) {
    for (uint32_t i = 0; i < material->data.texture_count; i++) {
        FiloTexture shown = material->textures[i].shown;
        if (strcmp(material->data.textures[i].name, info->name) != 0 || !filo_gpu_texture_valid(gpu, shown))
            continue;
        bool array = filo_gpu_texture_info(gpu, shown).layers > 0;
        if (info->count == 1 && array == (info->type == FILO_UNIFORM_TEXTURE_ARRAY)) return shown;
    }
    return (FiloTexture){ 0 };
}

static bool is_own(const FiloUniformInfo *info) { return strncmp(info->name, "filo_", 5) != 0; }

// {0}: white.
static void set_texture(FiloGfx3d *gfx, const FiloUniformInfo *info, FiloTexture texture) {
    bool array = info->type == FILO_UNIFORM_TEXTURE_ARRAY;
    if (!array && info->type != FILO_UNIFORM_TEXTURE) return;
    if (texture.id == 0) texture = array ? gfx->materials->white_array : gfx->materials->white;
    char name[sizeof info->name + 16];
    for (int i = 0; i < info->count; i++) {
        (void)snprintf(name, sizeof name, info->count > 1 ? "%s[%d]" : "%s", info->name, i);
        filo_gpu_set_texture(gfx->gpu, name, texture);
    }
}

static void set_values(FiloGfx3d *gfx, FiloPipeline pipeline, const Gfx3dMaterial *material) {
    size_t count = filo_gpu_uniform_count(gfx->gpu, pipeline);
    for (size_t i = 0; i < count; i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gfx->gpu, pipeline, i);
        if (!is_own(&info)) continue;
        if (info.count == 1) set_value(gfx->gpu, &info, &material->data);
        set_texture(gfx, &info, texture_of(gfx->gpu, material, &info));
    }
}

void gfx3d_set_white(FiloGfx3d *gfx, FiloPipeline pipeline) {
    size_t count = filo_gpu_uniform_count(gfx->gpu, pipeline);
    for (size_t i = 0; i < count; i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gfx->gpu, pipeline, i);
        if (is_own(&info)) set_texture(gfx, &info, (FiloTexture){ 0 });
    }
}

bool gfx3d_material_bind(FiloGfx3d *gfx, uint32_t index, Gfx3dPass pass, uint32_t draw) {
    Gfx3dMaterials *materials = gfx->materials;
    if (index >= materials->list.count) index = GFX3D_MATERIAL_DEFAULT;
    if (materials->list.items[index]->broken) index = GFX3D_MATERIAL_ERROR;
    const Gfx3dMaterial *material = materials->list.items[index];
    uint32_t shader, bits = gfx3d_material_variant(gfx, material, pass, draw, &shader);
    Gfx3dVariant *variant = gfx3d_shader_variant(gfx, shader, bits);
    if ((variant == NULL || variant->pipeline.id == 0) && shader != 0) { // it does not compile
        index = GFX3D_MATERIAL_ERROR;
        material = materials->list.items[index];
        bits = gfx3d_material_variant(gfx, material, pass, draw, &shader);
        variant = gfx3d_shader_variant(gfx, shader, bits);
    }
    if (variant == NULL || variant->pipeline.id == 0 || index >= materials->block_count) return false;
    filo_gpu_use(gfx->gpu, variant->pipeline);
    filo_gpu_set_block(gfx->gpu, GFX3D_BLOCK_MATERIAL, materials->blocks, (size_t)index * BLOCK_STRIDE,
                       sizeof material->block);
    if (variant->material == index && variant->stamp == material->stamp) return true;
    variant->material = index;
    variant->stamp = material->stamp;
    set_values(gfx, variant->pipeline, material);
    return true;
}
