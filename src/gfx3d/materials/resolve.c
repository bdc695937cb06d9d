// What draws need of a material: its uniform block, textures, variants and keys.

#include "gfx3d/materials/materials.h"

#include "base/suggest.h"

#include <filo/log.h>

#include <string.h>

#define BYTES 30.0f // a component that is as large is none of 0 to 1, not even of what glows

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

const Gfx3dMaterialValue *gfx3d_material_value(const Gfx3dMaterialData *data, const char *name) {
    for (uint32_t i = 0; i < data->value_count; i++)
        if (strcmp(data->values[i].name, name) == 0) return &data->values[i];
    return NULL;
}

// A colour is linear light, of which 1 is white. Says once of a material that it has bytes instead.
static void check_color(const Gfx3dMaterial *material, const char *name, const float *value) {
    float most = filo_max(filo_max(value[0], value[1]), value[2]);
    if (most < BYTES || strcmp(name, "color") != 0) return;
    if (base_first_time_id("colour of a material", material->name.id))
        filo_log_warn(
            "gfx3d",
            "%s: \"color\" is { %g, %g, %g }: colours are 0 to 1, not 0 to 255; a file may have \"#RRGGBB\"",
            filo_name_text(material->name), (double)value[0], (double)value[1], (double)value[2]);
}

static void fill_block(Gfx3dMaterial *material) {
    Gfx3dMaterialBlock block = { .cutoff = material->data.cutoff };
    for (int i = 0; i < GFX3D_STANDARD_VALUES; i++) {
        const Gfx3dStandardValue *standard = &gfx3d_standard_values[i];
        const Gfx3dMaterialValue *value = gfx3d_material_value(&material->data, standard->name);
        if (value != NULL) check_color(material, standard->name, value->value);
        memcpy((uint8_t *)&block + standard->offset, value != NULL ? value->value : standard->standard,
               floats_of(standard->type) * sizeof(float));
    }
    material->block = block;
    material->block_changed = true;
}

// ---- Textures -----------------------------------------------------------------------------------------------

static void fill_textures(FiloGfx3d *gfx, Gfx3dMaterial *material) {
    for (uint32_t i = 0; i < material->data.texture_count; i++) {
        const Gfx3dMaterialTexture *from = &material->data.textures[i];
        Gfx3dSetTexture *set = &material->textures[i];
        *set = (Gfx3dSetTexture){ .texture = GFX3D_NONE,
                                  .own = from->texture,
                                  .normal = strcmp(from->name, "normal_map") == 0 };
        if (from->texture.id == 0)
            set->texture = gfx3d_texture_index(gfx, &(Gfx3dTextureKey){ .image = from->image,
                                                                        .linear = from->linear,
                                                                        .wrap_u = from->wrap_u,
                                                                        .wrap_v = from->wrap_v,
                                                                        .nearest = from->nearest });
    }
}

void gfx3d_material_show_textures(const FiloGfx3d *gfx, Gfx3dMaterial *material) {
    for (uint32_t i = 0; i < material->data.texture_count; i++) {
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
    if (data->own_light) bits |= GFX3D_VARIANT_OWN_LIGHT;
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
    bool glass =
        pass == GFX3D_PASS_COLOR && material->data.unlit && material->data.mode == FILO_MATERIAL_BLEND;
    if (!glass) draw &= ~(uint32_t)GFX3D_MARK_UNLIT;
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
    material->bits = gfx3d_material_bits(&material->data);
    fill_block(material);
    fill_textures(gfx, material);
    gfx3d_material_show_textures(gfx, material);
    material->stamp++;
    Gfx3dMaterialInfo info = make_info(gfx, material, index);
    if (is_same_info(&info, &material->info)) return;
    material->info = info;
    gfx->material_generation++;
}
