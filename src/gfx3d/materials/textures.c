// Textures by name.
//
//   image     where the pixels of a name come from: an asset, the program, a render target
//   texture   on the GPU: an image with a way of reading it (sRGB or linear, wrapped, filtered or nearest)
//
// The textures of an image are a list, because most images have one.

#include "gfx3d/materials/materials.h"

#include <filo/hash.h>
#include <filo/log.h>
#include <filo/sheet.h>

#include <string.h>

#define ANISOTROPY 4 // with a card: llvmpipe took forty times as long for a picture of a forest

// ---- The asset type -----------------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    Gfx3dTextureData *texture;
    FiloResult result =
        gfx3d_texture_decode(&texture, bytes->bytes, bytes->size, bytes->name, bytes->allocator);
    *data = texture;
    return result;
}
static void free_data(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    gfx3d_texture_data_free(data, allocator);
}
static size_t data_size(const void *data, void *user) {
    FILO_UNUSED(user);
    return gfx3d_texture_data_size(data);
}

FiloResult gfx3d_textures_register(FiloAssets *assets) {
    FiloResult result = filo_assets_register(
        assets,
        &(FiloAssetType){ .name = "texture", .decode = decode, .free = free_data, .size = data_size });
    return result.code == FILO_ERROR_EXISTS ? filo_ok() : result;
}

// ---- On the GPU ---------------------------------------------------------------------------------------------

static FiloResult make_texture(FiloTexture *texture, FiloGfx3d *gfx, const Gfx3dTexture *key,
                               const Gfx3dTextureData *data, const char *label) {
    bool linear = key->linear || data->is_data;
    FiloResult result = filo_gpu_texture_create(
        texture, gfx->gpu,
        &(FiloTextureDesc){ .label = label,
                            .format = data->half ? FILO_TEXTURE_RGBA16F
                                      : linear   ? FILO_TEXTURE_RGBA8
                                                 : FILO_TEXTURE_RGBA8_SRGB,
                            .width = data->width,
                            .height = data->height,
                            .mipmaps = !key->nearest,
                            .linear = !key->nearest,
                            .wrap_u = key->wrap_u,
                            .wrap_v = key->wrap_v,
                            .data = data->pixels,
                            .anisotropy =
                                key->nearest || filo_gpu_limits(gfx->gpu)->software ? 0 : ANISOTROPY });
    if (result.code == FILO_OK && !key->nearest) filo_gpu_texture_make_mipmaps(gfx->gpu, *texture);
    return result;
}

// The pixels of an image; NULL: there are none, yet. `made` must be freed.
static const Gfx3dTextureData *pixels_of(FiloGfx3d *gfx, const Gfx3dImage *image, Gfx3dTextureData **made) {
    *made = NULL;
    if (image->data != NULL) return image->data;
    if (image->asset.id == 0 || filo_asset_state(gfx->assets, image->asset) != FILO_ASSET_READY) return NULL;
    const void *data = filo_asset_data(gfx->assets, image->asset);
    if (!image->of_sprites) return data;
    *made = gfx3d_texture_copy(&((const FiloImageAsset *)data)->pixels, true, gfx->allocator);
    return *made;
}

// Replaces the texture by one of the current pixels. On failure the last one stays.
static void upload(FiloGfx3d *gfx, Gfx3dTexture *texture) {
    Gfx3dImage *image = &gfx->materials->images.items[texture->image];
    Gfx3dTextureData *made;
    const Gfx3dTextureData *data = pixels_of(gfx, image, &made);
    if (data == NULL) return;
    FiloTexture created;
    FiloResult result = make_texture(&created, gfx, texture, data, filo_name_text(image->name));
    gfx3d_texture_data_free(made, gfx->allocator);
    image->failed = result.code != FILO_OK;
    gfx->materials->texture_version++;
    if (image->failed) {
        filo_log_error("gfx3d", "%s: %s", filo_name_text(image->name), result.message);
        return;
    }
    filo_gpu_texture_destroy(gfx->gpu, texture->texture);
    texture->texture = created;
}

static void upload_all(FiloGfx3d *gfx, const Gfx3dImage *image) {
    for (uint32_t i = image->textures; i != GFX3D_NONE; i = gfx->materials->textures.items[i].next)
        upload(gfx, &gfx->materials->textures.items[i]);
}

// ---- Images -------------------------------------------------------------------------------------------------

// GFX3D_NONE: there is none.
static uint32_t find_image(const FiloGfx3d *gfx, FiloName name) {
    const uint32_t *found = filo_map_get(&gfx->materials->images_by_name, name.id);
    return found != NULL ? *found : GFX3D_NONE;
}

static bool is_image_file(const char *name) {
    static const char *const extensions[] = { "png", "jpg", "jpeg", "gif", "webp",
                                              "bmp", "tga", "hdr",  "tif", "tiff" };
    for (size_t i = 0; i < FILO_COUNT_OF(extensions); i++)
        if (filo_path_has_extension(name, extensions[i])) return true;
    return false;
}

static void request(FiloGfx3d *gfx, Gfx3dImage *image) {
    const char *name = filo_name_text(image->name);
    if (gfx->assets == NULL) return;
    FiloAsset other = filo_assets_find(gfx->assets, image->name);
    const char *type = other.id != 0 ? filo_asset_type(gfx->assets, other) : "texture";
    image->of_sprites = strcmp(type, "image") == 0;
    if (image->of_sprites || strcmp(type, "texture") == 0) {
        // A part of a model, "robot.glb#image/0", is added with the model.
        if (other.id != 0)
            image->asset = filo_asset_retain(gfx->assets, other);
        else if (is_image_file(name))
            image->asset = filo_assets_load_as(gfx->assets, "texture", name);
    } else {
        filo_log_error("gfx3d", "%s is an asset of type \"%s\", so it cannot be a texture", name, type);
        image->failed = true;
    }
}

// The image of a name, added if it is new; NULL without memory. Valid until one is added.
static Gfx3dImage *add_image(FiloGfx3d *gfx, FiloName name, uint32_t *index) {
    Gfx3dMaterials *materials = gfx->materials;
    *index = find_image(gfx, name);
    if (*index != GFX3D_NONE) return &materials->images.items[*index];
    if (!filo_array_push(&materials->images, (Gfx3dImage){ .name = name, .textures = GFX3D_NONE }))
        return NULL;
    *index = (uint32_t)materials->images.count - 1;
    if (filo_map_set(&materials->images_by_name, name.id, index)) return &materials->images.items[*index];
    materials->images.count--;
    return NULL;
}

// ---- Textures -----------------------------------------------------------------------------------------------

uint32_t gfx3d_texture_index(FiloGfx3d *gfx, const Gfx3dTextureKey *key) {
    Gfx3dMaterials *materials = gfx->materials;
    uint32_t image;
    bool known = find_image(gfx, key->image) != GFX3D_NONE;
    if (add_image(gfx, key->image, &image) == NULL) return GFX3D_NONE;
    for (uint32_t i = materials->images.items[image].textures; i != GFX3D_NONE;
         i = materials->textures.items[i].next) {
        const Gfx3dTexture *texture = &materials->textures.items[i];
        if (texture->linear == key->linear && texture->nearest == key->nearest &&
            texture->wrap_u == key->wrap_u && texture->wrap_v == key->wrap_v)
            return i;
    }
    Gfx3dTexture texture = { .image = image,
                             .linear = key->linear,
                             .wrap_u = key->wrap_u,
                             .wrap_v = key->wrap_v,
                             .nearest = key->nearest,
                             .next = materials->images.items[image].textures };
    if (!filo_array_push(&materials->textures, texture)) return GFX3D_NONE;
    uint32_t index = (uint32_t)materials->textures.count - 1;
    materials->images.items[image].textures = index;
    if (!known) request(gfx, &materials->images.items[image]);
    upload(gfx, &materials->textures.items[index]); // if it is there already
    return index;
}

#define MISSING "there is no texture \"%s\": add it by filo_gfx3d_add_texture, or name an image file"

static bool is_missing(const Gfx3dImage *image) {
    return image->asset.id == 0 && image->data == NULL && image->given.id == 0 && !image->failed;
}

bool gfx3d_texture_failed(const FiloGfx3d *gfx, uint32_t index) {
    if (index >= gfx->materials->textures.count) return false;
    const Gfx3dImage *image = &gfx->materials->images.items[gfx->materials->textures.items[index].image];
    return image->failed || (is_missing(image) && image->missing == 2) ||
           (image->asset.id != 0 && filo_asset_state(gfx->assets, image->asset) == FILO_ASSET_FAILED);
}

FiloTexture gfx3d_texture_at(const FiloGfx3d *gfx, uint32_t index, bool normal) {
    const Gfx3dMaterials *materials = gfx->materials;
    if (index >= materials->textures.count) return normal ? materials->flat : materials->white;
    const Gfx3dTexture *texture = &materials->textures.items[index];
    const Gfx3dImage *image = &materials->images.items[texture->image];
    if (image->given.id != 0 && filo_gpu_texture_valid(gfx->gpu, image->given)) return image->given;
    if (texture->texture.id != 0) return texture->texture;
    if (normal) return materials->flat;
    return gfx3d_texture_failed(gfx, index) ? materials->chequered : materials->white;
}

FiloTexture gfx3d_texture_find(FiloGfx3d *gfx, const Gfx3dTextureKey *key) {
    return gfx3d_texture_at(gfx, gfx3d_texture_index(gfx, key), false);
}

void gfx3d_texture_give(FiloGfx3d *gfx, FiloName name, FiloTexture texture) {
    uint32_t index;
    Gfx3dImage *image = add_image(gfx, name, &index);
    if (image == NULL) return;
    image->given = texture;
    gfx->materials->texture_version++;
}

bool gfx3d_texture_used(const FiloGfx3d *gfx, FiloName name) {
    uint32_t image = find_image(gfx, name);
    return image != GFX3D_NONE && gfx->materials->images.items[image].textures != GFX3D_NONE;
}

void gfx3d_texture_set_bytes(FiloGfx3d *gfx, FiloName name, const void *bytes, size_t size) {
    uint32_t index;
    Gfx3dImage *image = add_image(gfx, name, &index);
    // The bytes of a newer version of the model may be at the same address. Their end has a checksum, or depends on the rest.
    size_t tail = FILO_MIN(size, (size_t)64);
    uint64_t mark = filo_hash((const uint8_t *)bytes + (size - tail), tail);
    if (image == NULL || (image->bytes == bytes && image->byte_count == size && image->byte_mark == mark))
        return;
    image->bytes = bytes;
    image->byte_count = size;
    image->byte_mark = mark;
    const char *text = filo_name_text(name);
    if (gfx->assets != NULL) {
        FiloAsset asset = filo_assets_add_bytes(gfx->assets, "texture", text, bytes, size);
        filo_assets_unload(gfx->assets, image->asset);
        image->asset = asset;
        return;
    }
    Gfx3dTextureData *data;
    FiloResult result = gfx3d_texture_decode(&data, bytes, size, text, gfx->allocator);
    image->failed = result.code != FILO_OK;
    if (image->failed) filo_log_error("gfx3d", "%s", result.message);
    if (image->failed) return;
    gfx3d_texture_data_free(image->data, gfx->allocator);
    image->data = data;
    upload_all(gfx, image);
}

FiloResult filo_gfx3d_add_texture(FiloGfx3d *gfx, FiloName name, const FiloPixels *pixels, bool linear) {
    if (gfx == NULL || name.id == 0 || pixels == NULL || pixels->data == NULL || pixels->width < 1 ||
        pixels->height < 1)
        return FILO_MISTAKE("pass a renderer, a name and pixels");
    int limit = filo_gpu_limits(gfx->gpu)->texture_size;
    if (pixels->width > limit || pixels->height > limit)
        return filo_error(FILO_ERROR_LIMIT, "%s: %d × %d pixels are more than the %d × %d of this device",
                          filo_name_text(name), pixels->width, pixels->height, limit, limit);
    uint32_t index;
    Gfx3dTextureData *data = gfx3d_texture_copy(pixels, false, gfx->allocator);
    Gfx3dImage *image = data != NULL ? add_image(gfx, name, &index) : NULL;
    if (image == NULL) {
        gfx3d_texture_data_free(data, gfx->allocator);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the texture", filo_name_text(name));
    }
    data->is_data = linear;
    gfx3d_texture_data_free(image->data, gfx->allocator);
    image->data = data;
    image->failed = false;
    upload_all(gfx, image);
    return image->failed
               ? filo_error(FILO_ERROR_MEMORY, "%s: no GPU memory for the texture", filo_name_text(name))
               : filo_ok();
}

// ---- Life ---------------------------------------------------------------------------------------------------

static FiloResult make_plain(FiloTexture *texture, FiloGfx3d *gfx, const char *label, int side,
                             const uint8_t *pixels) {
    return filo_gpu_texture_create(texture, gfx->gpu,
                                   &(FiloTextureDesc){ .label = label,
                                                       .format = FILO_TEXTURE_RGBA8,
                                                       .width = side,
                                                       .height = side,
                                                       .wrap_u = FILO_WRAP_REPEAT,
                                                       .wrap_v = FILO_WRAP_REPEAT,
                                                       .data = pixels });
}

FiloResult gfx3d_textures_init(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    static const uint8_t white[] = { 255, 255, 255, 255 }, flat[] = { 128, 128, 255, 255 };
    uint8_t chequered[16 * 16 * 4];
    for (int i = 0; i < 16 * 16; i++) {
        // Meshes without texture coordinates show the first pixel.
        bool even = ((i >> 2) + (i >> 6)) % 2 == 0;
        const uint8_t color[] = { even ? 255 : 0, 0, even ? 255 : 0, 255 };
        memcpy(chequered + 4 * (size_t)i, color, 4);
    }
    filo_array_init(&materials->images, gfx->allocator);
    filo_array_init(&materials->textures, gfx->allocator);
    filo_map_init(&materials->images_by_name, sizeof(uint32_t), gfx->allocator);
    FiloResult result = gfx->assets != NULL ? gfx3d_textures_register(gfx->assets) : filo_ok();
    if (result.code == FILO_OK) result = make_plain(&materials->white, gfx, "white", 1, white);
    if (result.code == FILO_OK)
        result = filo_gpu_texture_create(&materials->white_array, gfx->gpu,
                                         &(FiloTextureDesc){ .label = "white array",
                                                             .format = FILO_TEXTURE_RGBA8,
                                                             .width = 1,
                                                             .height = 1,
                                                             .layers = 1,
                                                             .data = white });
    if (result.code == FILO_OK) result = make_plain(&materials->flat, gfx, "flat normal", 1, flat);
    if (result.code == FILO_OK) result = make_plain(&materials->chequered, gfx, "chequered", 16, chequered);
    return result;
}

void gfx3d_textures_deinit(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    filo_array_each (&materials->textures, texture) filo_gpu_texture_destroy(gfx->gpu, texture->texture);
    filo_array_each (&materials->images, image) {
        gfx3d_texture_data_free(image->data, gfx->allocator);
        if (image->asset.id != 0) filo_assets_unload(gfx->assets, image->asset);
    }
    filo_array_deinit(&materials->textures);
    filo_array_deinit(&materials->images);
    filo_map_deinit(&materials->images_by_name);
    filo_gpu_texture_destroy(gfx->gpu, materials->white);
    filo_gpu_texture_destroy(gfx->gpu, materials->white_array);
    filo_gpu_texture_destroy(gfx->gpu, materials->flat);
    filo_gpu_texture_destroy(gfx->gpu, materials->chequered);
}

// A program may add a texture after the material that uses it, before the next frame.
static void report_missing(FiloGfx3d *gfx, Gfx3dImage *image) {
    if (!is_missing(image) || image->missing == 2 || ++image->missing < 2) return;
    gfx->materials->texture_version++;
    filo_log_warn("gfx3d", MISSING, filo_name_text(image->name));
}

bool gfx3d_textures_pending(const FiloGfx3d *gfx) {
    filo_array_each (&gfx->materials->images, image)
        if (is_missing(image) && image->missing < 2) return true;
    return false;
}

void gfx3d_textures_problems(const FiloGfx3d *gfx, FiloLines *lines) {
    filo_array_each (&gfx->materials->images, image)
        if (is_missing(image) && image->missing == 2)
            filo_lines_add(lines, MISSING, filo_name_text(image->name));
}

void gfx3d_textures_update(FiloGfx3d *gfx) {
    filo_array_each (&gfx->materials->images, image) {
        report_missing(gfx, image);
        if (image->asset.id == 0 || gfx->uploaded >= gfx->upload_limit) continue;
        uint32_t version = filo_asset_version(gfx->assets, image->asset);
        bool failed = filo_asset_state(gfx->assets, image->asset) == FILO_ASSET_FAILED;
        if (failed != image->asset_failed) gfx->materials->texture_version++;
        image->asset_failed = failed;
        if (version == image->asset_version) continue;
        image->asset_version = version;
        if (image->of_sprites) {
            const FiloImageAsset *sprite = filo_asset_data(gfx->assets, image->asset);
            gfx->uploaded += 4 * (size_t)sprite->pixels.width * (size_t)sprite->pixels.height;
        } else {
            gfx->uploaded += gfx3d_texture_data_size(filo_asset_data(gfx->assets, image->asset));
        }
        upload_all(gfx, image);
    }
    gfx->uploaded = 0; // textures are the last ones
}
