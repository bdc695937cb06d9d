// Any bytes as a material file: it is refused with a message, or what it says is within limits and ends in zeroes.

#include "gfx3d/materials/materials.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(const char *name, size_t size) {
    if (name[0] == '\0' || memchr(name, 0, size) == NULL) abort();
}

static void check(const Gfx3dMaterialData *material) {
    if ((unsigned)material->mode > FILO_MATERIAL_ADD || !(material->cutoff >= 0 && material->cutoff <= 1))
        abort();
    if (material->value_count > FILO_MATERIAL_VALUES || material->texture_count > FILO_MATERIAL_TEXTURES)
        abort();
    if (memchr(material->shader, 0, sizeof material->shader) == NULL) abort();
    if (memchr(material->defines, 0, sizeof material->defines) == NULL) abort();
    if (material->defines[strcspn(material->defines, "\r\n#\\\"(){};")] != '\0') abort();
    for (uint32_t i = 0; i < material->value_count; i++) {
        const Gfx3dMaterialValue *value = &material->values[i];
        const Gfx3dStandardValue *standard = gfx3d_standard_value(value->name);
        check_name(value->name, sizeof value->name);
        if (standard != NULL ? value->type != standard->type : material->shader[0] == '\0') abort();
        for (int k = 0; k < 4; k++)
            if (!(value->value[k] >= -1e30f && value->value[k] <= 1e30f)) abort();
    }
    for (uint32_t i = 0; i < material->texture_count; i++) {
        const Gfx3dMaterialTexture *texture = &material->textures[i];
        check_name(texture->name, sizeof texture->name);
        if (texture->image.id == 0 || (material->shader[0] == '\0' && gfx3d_standard_map(texture->name) < 0))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Gfx3dMaterialData material;
    FiloResult result = gfx3d_material_decode(&material, (const char *)data, size, "fuzz.material");
    if (result.code == FILO_OK)
        check(&material);
    else if (result.message[0] == '\0')
        abort();
    return 0;
}
