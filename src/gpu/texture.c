// Textures.

#include "gpu/device.h"

size_t gpu_pixel_size(FiloTextureFormat format) {
    switch (format) {
    case FILO_TEXTURE_RGBA8: return 4;
    case FILO_TEXTURE_R8: return 1;
    case FILO_TEXTURE_RGBA16F: return 8;
    case FILO_TEXTURE_RG8:
    case FILO_TEXTURE_R16: return 2;
    case FILO_TEXTURE_DEPTH24:
    case FILO_TEXTURE_RGBA8_SRGB:
    case FILO_TEXTURE_R32F:
    case FILO_TEXTURE_R11G11B10F:
    case FILO_TEXTURE_DEPTH32F: return 4;
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
    texture->wrap_u = desc->wrap_u;
    texture->wrap_v = desc->wrap_v;
    texture->target = desc->target;
    texture->compare = desc->compare;
    texture->anisotropy = desc->anisotropy > 1 ? FILO_MIN(desc->anisotropy, gpu->limits.anisotropy) : 1;
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
    if (gpu_is_depth(desc->format) && (desc->data != NULL || desc->mipmaps))
        return FILO_MISTAKE("texture \"%s\": a depth texture has no data and no mipmaps", label);
    if (!gpu_is_depth(desc->format) && desc->compare)
        return FILO_MISTAKE("texture \"%s\": only a depth texture can be compared with", label);
    FiloResult result = make_texture(texture, gpu, desc, label);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_create");
    return result;
}

static GpuTexture *find(const FiloGpu *gpu, FiloTexture handle, const char *function) {
    if (!GPU_CHECK(gpu)) return NULL;
    GpuTexture *texture = gpu_texture_at(gpu, handle);
    (void)FILO_CHECK(texture != NULL, "%s: this texture has been destroyed, or never was", function);
    return texture;
}

FiloTextureInfo filo_gpu_texture_info(const FiloGpu *gpu, FiloTexture handle) {
    const GpuTexture *texture = find(gpu, handle, __func__);
    if (texture == NULL) return (FiloTextureInfo){ 0 };
    return (FiloTextureInfo){ .format = texture->format,
                              .width = texture->width,
                              .height = texture->height,
                              .layers = texture->layers,
                              .levels = texture->levels };
}

uint64_t filo_gpu_texture_native(const FiloGpu *gpu, FiloTexture handle) {
    const GpuTexture *texture = find(gpu, handle, __func__);
    return texture != NULL ? texture->name : 0;
}

bool filo_gpu_texture_valid(const FiloGpu *gpu, FiloTexture texture) {
    return GPU_CHECK(gpu) && gpu_texture_at(gpu, texture) != NULL;
}

static bool check_area(const GpuTexture *texture, int level, int layer, GpuArea area) {
    int width = FILO_MAX(texture->width >> level, 1), height = FILO_MAX(texture->height >> level, 1);
    return FILO_CHECK(layer >= 0 && layer < FILO_MAX(texture->layers, 1), "texture \"%s\": no layer %d of %d",
                      texture->label, layer, texture->layers) &&
           FILO_CHECK(area.x >= 0 && area.y >= 0 && area.width >= 0 && area.height >= 0 &&
                          area.width <= width - area.x && area.height <= height - area.y,
                      "texture \"%s\": %d x %d at (%d, %d) is not inside of its %d x %d", texture->label,
                      area.width, area.height, area.x, area.y, width, height);
}

static void write_level(FiloGpu *gpu, GpuTexture *texture, int level, int layer, GpuArea area,
                        const void *data, int stride) {
    if (!FILO_CHECK(!gpu_is_depth(texture->format), "texture \"%s\": depth is drawn, not written",
                    texture->label) ||
        !FILO_CHECK(level >= 0 && level < texture->levels, "texture \"%s\": no level %d of %d",
                    texture->label, level, texture->levels) ||
        !check_area(texture, level, layer, area))
        return;
    if (area.width == 0 || area.height == 0) return;
    if (!FILO_CHECK(data != NULL && (stride == 0 || stride >= area.width),
                    "texture \"%s\": give the pixels, in rows that are at least as long as they are wide",
                    texture->label))
        return;
    gpu->backend->texture_write(gpu, texture, level, layer, area, data, stride == 0 ? area.width : stride);
    texture->top_level = FILO_MAX(texture->top_level, level);
    gpu->stats.uploaded += (size_t)area.width * (size_t)area.height * gpu_pixel_size(texture->format);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_texture_write");
}

void filo_gpu_texture_write(FiloGpu *gpu, FiloTexture handle, int layer, int x, int y, int width, int height,
                            const void *data, int stride) {
    GpuTexture *texture = find(gpu, handle, __func__);
    if (texture != NULL) write_level(gpu, texture, 0, layer, (GpuArea){ x, y, width, height }, data, stride);
}

void filo_gpu_texture_write_level(FiloGpu *gpu, FiloTexture handle, int level, int layer, int x, int y,
                                  int width, int height, const void *data, int stride) {
    GpuTexture *texture = find(gpu, handle, __func__);
    if (texture != NULL)
        write_level(gpu, texture, level, layer, (GpuArea){ x, y, width, height }, data, stride);
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
    if (texture->layers == 0 || gpu_is_depth(texture->format))
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
    GpuTexture *texture = find(gpu, handle, __func__);
    if (texture == NULL) return;
    if (!FILO_CHECK(texture->levels > 1 || (texture->width == 1 && texture->height == 1),
                    "texture \"%s\": it was made without room for mipmaps", texture->label))
        return;
    gpu->backend->texture_make_mipmaps(gpu, texture);
    texture->top_level = texture->levels - 1;
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
