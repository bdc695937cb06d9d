// What draws need of a material: its uniform block, values, textures, variants and keys.

#include "gfx3d/materials/materials.h"

#include <string.h>

// ---- Values -------------------------------------------------------------------------------------------------

static size_t floats_of(FiloUniformType type) {
    switch (type) {
    case FILO_UNIFORM_FLOAT:
    case FILO_UNIFORM_INT: return 1;
    case FILO_UNIFORM_VEC2: return 2;
    case FILO_UNIFORM_VEC3: return 3;
    case FILO_UNIFORM_VEC4: return 4;
    default: return 0; // a material cannot set it
    }
}

static const Gfx3dMaterialValue *find_value(const Gfx3dMaterialData *data, const char *name) {
    for (uint32_t i = 0; i < data->value_count; i++)
        if (strcmp(data->values[i].name, name) == 0) return &data->values[i];
    return NULL;
}
static const Gfx3dMaterialTexture *find_texture(const Gfx3dMaterialData *data, const char *name) {
    for (uint32_t i = 0; i < data->texture_count; i++)
        if (strcmp(data->textures[i].name, name) == 0) return &data->textures[i];
    return NULL;
}

static void fill_block(Gfx3dMaterial *material) {
    Gfx3dMaterialBlock block = { .cutoff = material->data.cutoff };
    for (int i = 0; i < GFX3D_STANDARD_VALUES; i++) {
        const Gfx3dStandardValue *standard = &gfx3d_standard_values[i];
        const Gfx3dMaterialValue *value = find_value(&material->data, standard->name);
        memcpy((uint8_t *)&block + standard->offset, value != NULL ? value->value : standard->standard,
               floats_of(standard->type) * sizeof(float));
    }
    material->block = block;
    material->block_changed = true;
}

// All uniforms of the shader are set, because materials share its pipelines: what this one does not give is zero.
static void fill_values(Gfx3dMaterial *material, const Gfx3dShader *shader) {
    material->value_count = 0;
    filo_array_each (&shader->uniforms, uniform) {
        if (floats_of(uniform->type) == 0 || uniform->count != 1 || strncmp(uniform->name, "filo_", 5) == 0)
            continue;
        if (material->value_count == GFX3D_SET_VALUES) break;
        Gfx3dSetValue *set = &material->values[material->value_count++];
        *set = (Gfx3dSetValue){ .type = uniform->type };
        memcpy(set->name, uniform->name, sizeof set->name);
        const Gfx3dMaterialValue *value = find_value(&material->data, uniform->name);
        if (value == NULL) continue;
        memcpy(set->value, value->value, sizeof set->value);
        set->type = value->type;
    }
}

// ---- Textures -----------------------------------------------------------------------------------------------

static void add_texture(FiloGfx3d *gfx, Gfx3dMaterial *material, const char *name,
                        const Gfx3dMaterialTexture *texture) {
    if (material->texture_count == GFX3D_SET_TEXTURES) return;
    Gfx3dSetTexture *set = &material->textures[material->texture_count++];
    *set = (Gfx3dSetTexture){ .texture = GFX3D_NONE, .normal = strcmp(name, "normal_map") == 0 };
    (void)filo_string_copy(filo_string(name), set->name, sizeof set->name);
    if (texture == NULL) return;
    set->own = texture->texture;
    if (texture->texture.id == 0)
        set->texture = gfx3d_texture_index(gfx, &(Gfx3dTextureKey){ .image = texture->image,
                                                                    .linear = texture->linear,
                                                                    .clamp = texture->clamp,
                                                                    .nearest = texture->nearest });
}

static void fill_textures(FiloGfx3d *gfx, Gfx3dMaterial *material, const Gfx3dShader *shader) {
    material->texture_count = 0;
    for (int i = 0; i < GFX3D_STANDARD_MAPS; i++) {
        const char *name = gfx3d_standard_maps[i].name;
        const Gfx3dMaterialTexture *texture = find_texture(&material->data, name);
        if (texture != NULL) add_texture(gfx, material, name, texture);
    }
    for (size_t i = 0; i < shader->uniforms.count; i++) {
        const FiloUniformInfo *uniform = &shader->uniforms.items[i];
        bool plain = uniform->type == FILO_UNIFORM_TEXTURE || uniform->type == FILO_UNIFORM_TEXTURE_ARRAY;
        if (!plain || strncmp(uniform->name, "filo_", 5) == 0 || gfx3d_standard_map(uniform->name) >= 0)
            continue;
        const Gfx3dMaterialTexture *texture = find_texture(&material->data, uniform->name);
        if (texture != NULL || uniform->type == FILO_UNIFORM_TEXTURE)
            add_texture(gfx, material, uniform->name, texture);
    }
}

void gfx3d_material_show_textures(const FiloGfx3d *gfx, Gfx3dMaterial *material) {
    for (uint32_t i = 0; i < material->texture_count; i++) {
        Gfx3dSetTexture *set = &material->textures[i];
        FiloTexture texture = set->own.id != 0 ? set->own : gfx3d_texture_at(gfx, set->texture, set->normal);
        if (texture.id == set->shown.id) continue;
        set->shown = texture;
        material->stamp++;
    }
}

// ---- Variants and keys --------------------------------------------------------------------------------------

uint32_t gfx3d_material_bits(const Gfx3dMaterialData *data) {
    uint32_t bits = GFX3D_PASS_COLOR | (uint32_t)data->mode << GFX3D_VARIANT_MODE;
    if (data->unlit) bits |= GFX3D_VARIANT_UNLIT;
    if (data->double_sided) bits |= GFX3D_VARIANT_DOUBLE_SIDED;
    for (uint32_t i = 0; i < data->texture_count; i++) {
        int map = gfx3d_standard_map(data->textures[i].name);
        if (map >= 0) bits |= 1u << (GFX3D_VARIANT_MAPS + map);
    }
    return bits;
}

uint32_t gfx3d_material_variant(const FiloGfx3d *gfx, const Gfx3dMaterial *material, Gfx3dPass pass,
                                uint32_t draw, uint32_t *shader) {
    *shader = material->shader;
    uint32_t bits = material->bits;
    if (pass != GFX3D_PASS_COLOR) {
        const Gfx3dShader *used = gfx->materials->shaders.items[*shader];
        uint32_t mask = (uint32_t)FILO_MATERIAL_MASK << GFX3D_VARIANT_MODE;
        bool masked = material->data.mode == FILO_MATERIAL_MASK;
        uint32_t needed = GFX3D_VARIANT_DOUBLE_SIDED;
        if (masked) needed |= mask | (used->has_surface ? 31u : 1u) << GFX3D_VARIANT_MAPS;
        bits &= needed;
        if (!masked && !used->has_vertex) *shader = 0;
    }
    return (bits & ~(uint32_t)GFX3D_VARIANT_PASS) | (uint32_t)pass | draw << GFX3D_VARIANT_DRAW;
}

// The number of a kind of variants, so that those sort together; 0 without memory.
static uint32_t kind_of(FiloGfx3d *gfx, uint32_t shader, uint32_t bits) {
    Gfx3dMaterials *materials = gfx->materials;
    uint32_t kind = shader << 16 | bits;
    for (size_t i = 0; i < materials->kinds.count; i++)
        if (materials->kinds.items[i] == kind) return (uint32_t)i + 1;
    return filo_array_push(&materials->kinds, kind) ? (uint32_t)materials->kinds.count : 0;
}

static Gfx3dMaterialInfo make_info(FiloGfx3d *gfx, const Gfx3dMaterial *material, uint32_t index) {
    FiloMaterialMode mode = material->data.mode;
    bool solid = mode == FILO_MATERIAL_OPAQUE || mode == FILO_MATERIAL_MASK;
    Gfx3dMaterialInfo info = { .mode = mode, .casts_shadow = solid && !material->data.no_shadow };
    for (int pass = 0; pass < GFX3D_PASSES; pass++) {
        uint32_t shader, bits = gfx3d_material_variant(gfx, material, (Gfx3dPass)pass, 0, &shader);
        bool plain = pass != GFX3D_PASS_COLOR && shader == 0 && mode == FILO_MATERIAL_OPAQUE;
        info.keys[pass] = kind_of(gfx, shader, bits) << 16 | (plain ? 0 : index & 0xFFFF);
    }
    return info;
}

static bool is_same_info(const Gfx3dMaterialInfo *a, const Gfx3dMaterialInfo *b) {
    return a->mode == b->mode && a->casts_shadow == b->casts_shadow &&
           memcmp(a->keys, b->keys, sizeof a->keys) == 0;
}

void gfx3d_material_apply(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dMaterial *material = gfx->materials->list.items[index];
    const Gfx3dShader *shader = gfx->materials->shaders.items[material->shader];
    material->bits = gfx3d_material_bits(&material->data);
    fill_block(material);
    fill_values(material, shader);
    fill_textures(gfx, material, shader);
    gfx3d_material_show_textures(gfx, material);
    material->stamp++;
    Gfx3dMaterialInfo info = make_info(gfx, material, index);
    if (is_same_info(&info, &material->info)) return;
    material->info = info;
    gfx->material_generation++;
}
