// Textures.

#include "gpu/device.h"

size_t gpu_pixel_size(FiloTextureFormat format) {
    switch (format) {
    case FILO_TEXTURE_RGBA8: return 4;
    case FILO_TEXTURE_R8: return 1;
    case FILO_TEXTURE_RGBA16F: return 8;
    case FILO_TEXTURE_DEPTH24: return 4;
    }
    return 4;
}

static int count_levels(int width, int height) {
    int levels = 1;
    for (int side = FILO_MAX(width, height); side > 1; side /= 2) levels++;
    return levels;
}

static size_t count_bytes(const GpuTexture *texture, int layers) {
    size_t bytes = 0;
    for (int level = 0; level < texture->levels; level++) {
        size_t width = (size_t)FILO_MAX(texture->width >> level, 1);
        size_t height = (size_t)FILO_MAX(texture->height >> level, 1);
        bytes += width * height * gpu_pixel_size(texture->format);
    }
    return bytes * (size_t)FILO_MAX(layers, 1);
}

static FiloResult check_limits(const FiloGpu *gpu, const FiloTextureDesc *desc, const char *label) {
    if (desc->width > gpu->limits.texture_size || desc->height > gpu->limits.texture_size)
        return filo_error(FILO_ERROR_LIMIT, "texture \"%s\": %d x %d is more than this device can do, %d",
                          label, desc->width, desc->height, gpu->limits.texture_size);
    if (desc->layers > gpu->limits.texture_layers)
        return filo_error(FILO_ERROR_LIMIT, "texture \"%s\": %d layers are more than this device can do, %d",
                          label, desc->layers, gpu->limits.texture_layers);
    return filo_ok();
}

static FiloResult make_texture(FiloTexture *handle, FiloGpu *gpu, const FiloTextureDesc *desc,
                               const char *label) {
    FiloResult result = check_limits(gpu, desc, label);
    if (result.code != FILO_OK) return result;
    GpuTexture *texture = gpu_pool_add(&gpu->textures, &handle->id);
    if (texture == NULL) {
        handle->id = 0;
        return filo_error(FILO_ERROR_MEMORY, "texture \"%s\": no memory for its handle", label);
    }
    gpu_copy_label(texture->label, desc->label, "texture");
    texture->format = desc->format;
    texture->width = desc->width;
    texture->height = desc->height;
    texture->layers = desc->layers;
    texture->levels = desc->mipmaps ? count_levels(desc->width, desc->height) : 1;
    texture->linear = desc->linear;
    texture->repeat = desc->repeat;
    texture->target = desc->target;
    texture->bytes = count_bytes(texture, texture->layers);
    result = gpu->backend->texture_create(gpu, texture);
    if (result.code != FILO_OK) {
        gpu_pool_remove(&gpu->textures, handle->id);
        handle->id = 0;
        return result;
    }
    gpu->stats.texture_memory += texture->bytes;
    if (desc->data != NULL)
        filo_gpu_texture_write(gpu, *handle, 0, 0, 0, desc->width, desc->height, desc->data, 0);
    return result;
}

FiloResult filo_gpu_texture_create(FiloTexture *texture, FiloGpu *gpu, const FiloTextureDesc *desc) {
    if (texture == NULL) return FILO_MISTAKE("say where to put the new texture");
    *texture = (FiloTexture){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (desc == NULL) return FILO_MISTAKE("describe the texture");
    const char *label = desc->label != NULL ? desc->label : "texture";
    if (desc->width < 1 || desc->height < 1 || desc->layers < 0)
        return FILO_MISTAKE("texture \"%s\": give it a size, not %d x %d with %d layers", label, desc->width,
                            desc->height, desc->layers);
    if (desc->format == FILO_TEXTURE_DEPTH24 && (desc->data != NULL || desc->mipmaps))
        return FILO_MISTAKE("texture \"%s\": a depth texture has no data and no mipmaps", label);
    FiloResult result = make_texture(texture, gpu, desc, label);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_create");
    return result;
}

bool filo_gpu_texture_valid(const FiloGpu *gpu, FiloTexture texture) {
    return GPU_CHECK(gpu) && gpu_texture_at(gpu, texture) != NULL;
}

void filo_gpu_texture_write(FiloGpu *gpu, FiloTexture handle, int layer, int x, int y, int width, int height,
                            const void *data, int stride) {
    if (!GPU_CHECK(gpu)) return;
    GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL, "filo_gpu_texture_write: this texture has been destroyed, or never was"))
        return;
    if (!FILO_CHECK(texture->format != FILO_TEXTURE_DEPTH24, "texture \"%s\": depth is drawn, not written",
                    texture->label))
        return;
    if (!FILO_CHECK(layer >= 0 && layer < FILO_MAX(texture->layers, 1), "texture \"%s\": no layer %d of %d",
                    texture->label, layer, texture->layers))
        return;
    if (!FILO_CHECK(x >= 0 && y >= 0 && width >= 0 && height >= 0 && width <= texture->width - x &&
                        height <= texture->height - y,
                    "texture \"%s\": %d x %d at (%d, %d) is not inside of its %d x %d", texture->label, width,
                    height, x, y, texture->width, texture->height))
        return;
    if (width == 0 || height == 0) return;
    if (!FILO_CHECK(data != NULL && (stride == 0 || stride >= width),
                    "texture \"%s\": give the pixels, in rows that are at least as long as they are wide",
                    texture->label))
        return;
    gpu->backend->texture_write(gpu, texture, layer, (GpuArea){ x, y, width, height }, data,
                                stride == 0 ? width : stride);
    gpu->stats.uploaded += (size_t)width * (size_t)height * gpu_pixel_size(texture->format);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_write");
}

// Attaches the new GL texture to the targets that draw to it.
static void reattach(FiloGpu *gpu, FiloTexture texture) {
    for (uint32_t i = 0; i < gpu->targets.count; i++) {
        GpuTarget *target = gpu_pool_at(&gpu->targets, i);
        if (target != NULL && (target->color.id == texture.id || target->depth.id == texture.id))
            gpu->backend->target_attach(gpu, target);
    }
}

FiloResult filo_gpu_texture_grow(FiloGpu *gpu, FiloTexture handle, int layers) {
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (texture == NULL)
        return FILO_MISTAKE("filo_gpu_texture_grow: this texture has been destroyed, or never was");
    if (texture->layers == 0 || texture->format == FILO_TEXTURE_DEPTH24)
        return FILO_MISTAKE("texture \"%s\": only an array of colours can get more layers", texture->label);
    if (gpu->pass.active) return FILO_MISTAKE("texture \"%s\": grow it outside of passes", texture->label);
    if (layers <= texture->layers) return filo_ok();
    if (layers > gpu->limits.texture_layers)
        return filo_error(FILO_ERROR_LIMIT,
                          "texture \"%s\" cannot grow: %d layers are more than this device can do, %d",
                          texture->label, layers, gpu->limits.texture_layers);
    FiloResult result = gpu->backend->texture_grow(gpu, texture, layers);
    if (result.code != FILO_OK) return result;
    gpu->stats.texture_memory -= texture->bytes;
    texture->layers = layers;
    texture->bytes = count_bytes(texture, layers);
    gpu->stats.texture_memory += texture->bytes;
    if (gpu->backend->target_attach != NULL) reattach(gpu, handle);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_grow");
    return result;
}

void filo_gpu_texture_make_mipmaps(FiloGpu *gpu, FiloTexture handle) {
    if (!GPU_CHECK(gpu)) return;
    GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL,
                    "filo_gpu_texture_make_mipmaps: this texture has been destroyed, or never was"))
        return;
    if (!FILO_CHECK(texture->levels > 1 || (texture->width == 1 && texture->height == 1),
                    "texture \"%s\": it was made without room for mipmaps", texture->label))
        return;
    gpu->backend->texture_make_mipmaps(gpu, texture);
    texture->has_mipmaps = true;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_make_mipmaps");
}

void filo_gpu_texture_destroy(FiloGpu *gpu, FiloTexture handle) {
    if (!GPU_CHECK(gpu) || handle.id == 0) return;
    GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL, "filo_gpu_texture_destroy: this texture has been destroyed already"))
        return;
    gpu->stats.texture_memory -= texture->bytes;
    gpu->backend->texture_destroy(gpu, texture);
    gpu_pool_remove(&gpu->textures, handle.id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_destroy");
}
