// Render targets, and reading back what was drawn.

#include "gpu/device.h"

// Checks one texture of a target, and copies its size.
static FiloResult check_texture(const FiloGpu *gpu, const char *label, FiloTexture handle, bool depth,
                                GpuTarget *target) {
    if (handle.id == 0) return filo_ok();
    const GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (texture == NULL)
        return FILO_MISTAKE("render target \"%s\": its texture has been destroyed, or never was", label);
    if (!texture->target)
        return FILO_MISTAKE("render target \"%s\": make the texture \"%s\" with `target`", label,
                            texture->label);
    if (gpu_is_depth(texture->format) != depth)
        return FILO_MISTAKE("render target \"%s\": the texture \"%s\" has the wrong format for its %s", label,
                            texture->label, depth ? "depth" : "colour");
    int layers = FILO_MAX(texture->layers, 1);
    if (texture->layers > 0 && (target->layer < 0 || target->layer >= layers))
        return FILO_MISTAKE("render target \"%s\": no layer %d of %d", label, target->layer, layers);
    if (target->width != 0 && (target->width != texture->width || target->height != texture->height))
        return FILO_MISTAKE("render target \"%s\": its textures must have one size", label);
    target->width = texture->width;
    target->height = texture->height;
    return filo_ok();
}

// Checks the description, and fills in all fields of the target but the label.
static FiloResult check_desc(const FiloGpu *gpu, const FiloRenderTargetDesc *desc, const char *label,
                             GpuTarget *target) {
    *target = (GpuTarget){ .color = desc->color, .depth = desc->depth, .layer = desc->layer };
    if (desc->color.id == 0 && desc->depth.id == 0)
        return FILO_MISTAKE("render target \"%s\": give it a texture", label);
    FiloResult result = check_texture(gpu, label, desc->color, false, target);
    if (result.code == FILO_OK) result = check_texture(gpu, label, desc->depth, true, target);
    if (result.code != FILO_OK) return result;
    const GpuTexture *color = gpu_texture_at(gpu, desc->color), *depth = gpu_texture_at(gpu, desc->depth);
    bool array = (color != NULL && color->layers > 0) || (depth != NULL && depth->layers > 0);
    if (!array && desc->layer != 0)
        return FILO_MISTAKE("render target \"%s\": no layer %d of 1", label, desc->layer);
    return result;
}

FiloResult filo_gpu_target_create(FiloRenderTarget *handle, FiloGpu *gpu, const FiloRenderTargetDesc *desc) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new render target");
    *handle = (FiloRenderTarget){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (desc == NULL) return FILO_MISTAKE("describe the render target");
    const char *label = desc->label != NULL ? desc->label : "target";
    GpuTarget made;
    FiloResult result = check_desc(gpu, desc, label, &made);
    if (result.code != FILO_OK) return result;
    uint32_t id;
    GpuTarget *target = gpu_pool_add(&gpu->targets, &id);
    if (target == NULL) return filo_error(FILO_ERROR_MEMORY, "render target \"%s\": no memory", label);
    made.slot = target->slot;
    *target = made;
    gpu_copy_label(target->label, desc->label, "target");
    result = gpu->backend->target_create(gpu, target);
    if (result.code == FILO_OK)
        handle->id = id;
    else
        gpu_pool_remove(&gpu->targets, id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_target_create");
    return result;
}

void filo_gpu_target_destroy(FiloGpu *gpu, FiloRenderTarget handle) {
    if (!GPU_CHECK(gpu) || handle.id == 0) return;
    GpuTarget *target = gpu_target_at(gpu, handle);
    if (!FILO_CHECK(target != NULL, "filo_gpu_target_destroy: this target has been destroyed already"))
        return;
    if (!FILO_CHECK(!gpu->pass.active || gpu->pass.target.id != handle.id,
                    "render target \"%s\": end the pass that draws to it before you destroy it",
                    target->label))
        return;
    gpu->backend->target_destroy(gpu, target);
    gpu_pool_remove(&gpu->targets, handle.id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_target_destroy");
}

FiloResult filo_gpu_read(FiloGpu *gpu, FiloRenderTarget handle, int x, int y, const FiloPixels *into) {
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (into == NULL || into->data == NULL) return FILO_MISTAKE("give pixels to read into");
    int width = gpu->window_width, height = gpu->window_height;
    const GpuTarget *target = NULL;
    if (handle.id != 0) {
        target = gpu_target_at(gpu, handle);
        if (target == NULL)
            return FILO_MISTAKE("filo_gpu_read: this target has been destroyed, or never was");
        if (gpu_texture_at(gpu, target->color) == NULL)
            return FILO_MISTAKE("render target \"%s\": it has no colours to read", target->label);
        width = target->width;
        height = target->height;
    }
    if (x < 0 || y < 0 || into->width < 1 || into->height < 1 || into->width > width - x ||
        into->height > height - y)
        return FILO_MISTAKE("read inside of the %d x %d that were drawn, not %d x %d at (%d, %d)", width,
                            height, into->width, into->height, x, y);
    FiloResult result = gpu->backend->read(gpu, target, x, y, into);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_read");
    return result;
}
