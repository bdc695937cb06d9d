// Render targets, and reading back what was drawn.

#include "gpu/device.h"

// Looks at one texture of a target, and takes its size over. False: a mistake, reported.
static bool check_texture(const FiloGpu *gpu, const char *label, FiloTexture handle, bool depth,
                          FiloGpuTarget *target) {
    if (handle.id == 0) return true;
    const FiloGpuTexture *texture = filo_gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL, "render target \"%s\": its texture has been destroyed, or never was",
                    label))
        return false;
    if (!FILO_CHECK(texture->target, "render target \"%s\": make the texture \"%s\" with `target`", label,
                    texture->label))
        return false;
    if (!FILO_CHECK((texture->format == FILO_TEXTURE_DEPTH24) == depth,
                    "render target \"%s\": the texture \"%s\" has the wrong format for its %s", label,
                    texture->label, depth ? "depth" : "colour"))
        return false;
    if (!FILO_CHECK(!depth || texture->layers == 0,
                    "render target \"%s\": its depth cannot be an array, as \"%s\" is", label,
                    texture->label))
        return false;
    if (!FILO_CHECK(target->width == 0 ||
                        (target->width == texture->width && target->height == texture->height),
                    "render target \"%s\": its textures must have one size", label))
        return false;
    target->width = texture->width;
    target->height = texture->height;
    return true;
}

FiloRenderTarget filo_gpu_target_create(FiloGpu *gpu, const FiloRenderTargetDesc *desc, FiloResult *result) {
    FiloRenderTarget handle = { 0 };
    filo_gpu_answer(result, filo_error(FILO_ERROR_ARGUMENT, "filo_gpu_target_create: a wrong description"));
    if (!FILO_GPU_CHECK(gpu) || !FILO_CHECK(desc != NULL, "describe the render target")) return handle;
    const char *label = desc->label != NULL ? desc->label : "target";
    FiloGpuTarget made = { .color = desc->color, .depth = desc->depth, .layer = desc->layer };
    if (!FILO_CHECK(desc->color.id != 0 || desc->depth.id != 0, "render target \"%s\": give it a texture",
                    label) ||
        !check_texture(gpu, label, desc->color, false, &made) ||
        !check_texture(gpu, label, desc->depth, true, &made))
        return handle;
    const FiloGpuTexture *color = filo_gpu_texture_at(gpu, desc->color);
    int layers = color != NULL ? FILO_MAX(color->layers, 1) : 1;
    if (!FILO_CHECK(desc->layer >= 0 && desc->layer < layers, "render target \"%s\": no layer %d of %d",
                    label, desc->layer, layers))
        return handle;
    FiloGpuTarget *target = filo_gpu_pool_add(&gpu->targets, &handle.id);
    if (target == NULL) {
        filo_gpu_answer(result, filo_error(FILO_ERROR_MEMORY, "render target \"%s\": no memory", label));
        return (FiloRenderTarget){ 0 };
    }
    made.slot = target->slot;
    *target = made;
    filo_gpu_copy_label(target->label, desc->label, "target");
    FiloResult outcome = gpu->backend->target_create(gpu, target);
    if (outcome.code != FILO_OK) {
        filo_gpu_pool_remove(&gpu->targets, handle.id);
        handle.id = 0;
    }
    filo_gpu_answer(result, outcome);
    FILO_GPU_AFTER(gpu, "filo_gpu_target_create");
    return handle;
}

void filo_gpu_target_destroy(FiloGpu *gpu, FiloRenderTarget handle) {
    if (!FILO_GPU_CHECK(gpu) || handle.id == 0) return;
    FiloGpuTarget *target = filo_gpu_target_at(gpu, handle);
    if (!FILO_CHECK(target != NULL, "filo_gpu_target_destroy: this target has been destroyed already"))
        return;
    if (!FILO_CHECK(!gpu->pass.active || gpu->pass.target.id != handle.id,
                    "render target \"%s\": end the pass that draws to it before you destroy it",
                    target->label))
        return;
    gpu->backend->target_destroy(gpu, target);
    filo_gpu_pool_remove(&gpu->targets, handle.id);
    FILO_GPU_AFTER(gpu, "filo_gpu_target_destroy");
}

bool filo_gpu_read(FiloGpu *gpu, FiloRenderTarget handle, int x, int y, const FiloPixels *into) {
    if (!FILO_GPU_CHECK(gpu) || !FILO_CHECK(into != NULL && into->data != NULL, "give pixels to read into"))
        return false;
    int width = gpu->window_width, height = gpu->window_height;
    const FiloGpuTarget *target = NULL;
    if (handle.id != 0) {
        target = filo_gpu_target_at(gpu, handle);
        if (!FILO_CHECK(target != NULL, "filo_gpu_read: this target has been destroyed, or never was"))
            return false;
        const FiloGpuTexture *texture = filo_gpu_texture_at(gpu, target->color);
        if (!FILO_CHECK(texture != NULL, "render target \"%s\": it has no colours to read", target->label))
            return false;
        width = target->width;
        height = target->height;
    }
    if (!FILO_CHECK(x >= 0 && y >= 0 && into->width >= 1 && into->height >= 1 && into->width <= width - x &&
                        into->height <= height - y,
                    "read inside of the %d x %d that were drawn, not %d x %d at (%d, %d)", width, height,
                    into->width, into->height, x, y))
        return false;
    bool read = gpu->backend->read(gpu, target, x, y, into);
    FILO_GPU_AFTER(gpu, "filo_gpu_read");
    return read;
}
