// Passes and draws: the state of a pass, and the checks of a draw.
//
// The state of a pass holds handles. A draw resolves them, so that it notices an object that was destroyed in
// between.

#include "gpu/device.h"

#include <string.h>

// ---- Passes -------------------------------------------------------------------------------------------

// Finds the target; false if it cannot be drawn to.
static bool find_target(const FiloGpu *gpu, FiloRenderTarget handle, const GpuTarget **target) {
    *target = gpu_target_at(gpu, handle);
    if (handle.id == 0) return true;
    if (!FILO_CHECK(*target != NULL, "filo_gpu_begin_pass: this target has been destroyed, or never was"))
        return false;
    FiloTexture color = (*target)->color, depth = (*target)->depth;
    return FILO_CHECK((color.id == 0 || gpu_texture_at(gpu, color) != NULL) &&
                          (depth.id == 0 || gpu_texture_at(gpu, depth) != NULL),
                      "render target \"%s\": a texture of it has been destroyed", (*target)->label);
}

static void begin_compute(FiloGpu *gpu, const FiloGpuPass *pass) {
    if (!FILO_CHECK(gpu->limits.compute, "this device cannot compute: look at FiloGpuLimits") ||
        !FILO_CHECK(pass->target.id == 0 && !pass->clear, "a compute pass has no target, and clears nothing"))
        return;
    gpu->pass = (GpuPassState){ .active = true, .compute = true };
    gpu->stats.passes++;
    gpu->backend->begin_compute(gpu, pass);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_begin_pass");
}

void filo_gpu_begin_pass(FiloGpu *gpu, const FiloGpuPass *pass) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(pass != NULL, "describe the pass")) return;
    if (!FILO_CHECK(!gpu->pass.active, "end the pass before you begin another")) return;
    if (pass->compute) {
        begin_compute(gpu, pass);
        return;
    }
    const GpuTarget *target;
    if (!find_target(gpu, pass->target, &target)) return;
    if (target == NULL) {
        if (pass->width != 0 || pass->height != 0) {
            gpu->window_width = pass->width;
            gpu->window_height = pass->height;
        }
        if (!FILO_CHECK(gpu->window_width > 0 && gpu->window_height > 0,
                        "say how large the window is: the pass has %d x %d", pass->width, pass->height))
            return;
    }
    gpu->pass = (GpuPassState){
        .active = true,
        .target = pass->target,
        .width = target != NULL ? target->width : gpu->window_width,
        .height = target != NULL ? target->height : gpu->window_height,
    };
    gpu->stats.passes++;
    gpu->backend->begin_pass(gpu, target, pass);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_begin_pass");
}

void filo_gpu_end_pass(FiloGpu *gpu) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(gpu->pass.active, "begin a pass before you end it")) return;
    if (gpu->pass.compute)
        gpu->backend->end_compute(gpu);
    else
        gpu->backend->end_pass(gpu);
    gpu->pass.active = false;
    GPU_REPORT_ERRORS(gpu, "filo_gpu_end_pass");
}

bool gpu_in_pass(const FiloGpu *gpu, const char *function) {
    return GPU_CHECK(gpu) && FILO_CHECK(gpu->pass.active, "%s: begin a pass first", function);
}

// Whether a pass that draws is active.
static bool in_pass(const FiloGpu *gpu, const char *function) {
    return gpu_in_pass(gpu, function) &&
           FILO_CHECK(!gpu->pass.compute, "%s: this is a compute pass, which does not draw", function);
}

void filo_gpu_set_viewport(FiloGpu *gpu, int x, int y, int width, int height) {
    if (!in_pass(gpu, __func__)) return;
    if (!FILO_CHECK(width >= 0 && height >= 0, "a viewport of %d x %d cannot be", width, height)) return;
    gpu->backend->set_viewport(gpu, (GpuArea){ x, y, width, height });
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_viewport");
}

void filo_gpu_set_scissor(FiloGpu *gpu, int x, int y, int width, int height) {
    if (!in_pass(gpu, __func__)) return;
    if (!FILO_CHECK(width >= 0 && height >= 0, "a scissor of %d x %d cannot be", width, height)) return;
    gpu->backend->set_scissor(gpu, (GpuArea){ x, y, width, height });
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_scissor");
}

// ---- Pipeline and buffers -----------------------------------------------------------------------------

void filo_gpu_use(FiloGpu *gpu, FiloPipeline handle) {
    if (!gpu_in_pass(gpu, __func__)) return;
    GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (!FILO_CHECK(pipeline != NULL, "filo_gpu_use: this pipeline has been destroyed, or never was")) return;
    if (!FILO_CHECK(pipeline->compute == gpu->pass.compute, "pipeline \"%s\": use it in a pass that %s",
                    pipeline->label, pipeline->compute ? "computes" : "draws"))
        return;
    if (gpu->pass.pipeline.id == handle.id) return;
    gpu->pass.pipeline = handle;
    gpu->stats.pipeline_changes++;
    gpu->backend->use(gpu, pipeline);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_use");
}

void filo_gpu_set_vertices(FiloGpu *gpu, int slot, FiloBuffer handle, size_t offset) {
    if (!in_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_set_vertices: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(slot >= 0 && slot < FILO_GPU_BUFFERS, "there are slots 0 and 1 for vertices, not %d",
                    slot))
        return;
    gpu->pass.vertices[slot] = (GpuBinding){ .buffer = handle, .offset = offset };
    gpu->backend->set_vertices(gpu, slot, buffer, offset);
}

void filo_gpu_set_indices(FiloGpu *gpu, FiloBuffer handle) {
    if (!in_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "filo_gpu_set_indices: this buffer has been destroyed, or never was"))
        return;
    gpu->pass.indices = handle;
    gpu->backend->set_indices(gpu, buffer);
}

void filo_gpu_set_storage(FiloGpu *gpu, int slot, FiloBuffer handle, size_t offset, size_t size) {
    if (!gpu_in_pass(gpu, __func__)) return;
    const GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(gpu->limits.storage, "this device has no storage: look at FiloGpuLimits") ||
        !FILO_CHECK(buffer != NULL, "filo_gpu_set_storage: this buffer has been destroyed, or never was") ||
        !FILO_CHECK(slot >= 0 && slot < gpu->limits.storage_slots,
                    "there are slots 0 to %d for storage, not %d", gpu->limits.storage_slots - 1, slot) ||
        !FILO_CHECK(offset % 256 == 0 && size > 0 && offset <= buffer->size && size <= buffer->size - offset,
                    "buffer \"%s\": give a part of it, from a multiple of 256 bytes on", buffer->label) ||
        !FILO_CHECK(size <= gpu->limits.storage_size,
                    "buffer \"%s\": a shader sees at most %zu bytes of it, not %zu", buffer->label,
                    gpu->limits.storage_size, size))
        return;
    gpu->pass.storage[slot] = (GpuBinding){ .buffer = handle, .offset = offset, .size = size };
    gpu->backend->set_storage(gpu, slot, buffer, offset, size);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_storage");
}

// ---- Draws --------------------------------------------------------------------------------------------

// Resolves a buffer of vertices, and checks that the draw does not read past its end.
static bool find_vertices(const FiloGpu *gpu, GpuDraw *draw, int slot) {
    const GpuPipeline *pipeline = draw->pipeline;
    if (pipeline->ends[slot] == 0) return true;
    const GpuBinding *binding = &gpu->pass.vertices[slot];
    if (!FILO_CHECK(binding->buffer.id != 0, "pipeline \"%s\": set the vertices of slot %d before you draw",
                    pipeline->label, slot))
        return false;
    GpuBuffer *buffer = gpu_buffer_at(gpu, binding->buffer);
    if (!FILO_CHECK(buffer != NULL, "pipeline \"%s\": the vertices of slot %d have been destroyed",
                    pipeline->label, slot))
        return false;
    const FiloVertexBuffer *layout = &pipeline->desc.buffers[slot];
    uint64_t items = 1; // an indexed draw reads at least one
    if (layout->per_instance)
        items = (uint64_t)draw->instances;
    else if (draw->indices == NULL)
        items = (uint64_t)draw->first + (uint64_t)draw->count;
    uint64_t end = binding->offset + (items - 1) * layout->stride + pipeline->ends[slot];
    if (!FILO_CHECK(end <= buffer->size, "buffer \"%s\": the draw reads %llu bytes of it, and it has %zu",
                    buffer->label, (unsigned long long)end, buffer->size))
        return false;
    draw->vertices[slot] = buffer;
    draw->offsets[slot] = binding->offset;
    return true;
}

static bool find_indices(const FiloGpu *gpu, GpuDraw *draw) {
    GpuBuffer *buffer = gpu_buffer_at(gpu, gpu->pass.indices);
    if (!FILO_CHECK(buffer != NULL, "pipeline \"%s\": set indices before you draw with them",
                    draw->pipeline->label))
        return false;
    uint64_t end = ((uint64_t)draw->first + (uint64_t)draw->count) * 4;
    if (!FILO_CHECK(end <= buffer->size, "buffer \"%s\": the draw reads %llu bytes of it, and it has %zu",
                    buffer->label, (unsigned long long)end, buffer->size))
        return false;
    draw->indices = buffer;
    return true;
}

// The name of the uniform that a texture unit belongs to, for messages.
static const char *name_of_unit(const GpuProgram *program, int unit) {
    filo_array_each (&program->uniforms, uniform) {
        if (gpu_uniform_is_texture(uniform->info.type) && unit >= uniform->unit &&
            unit < uniform->unit + uniform->info.count)
            return uniform->info.name;
    }
    return "?";
}

// The result of a unit that was set; false if its object has been destroyed, or is drawn to.
static bool find_sampler(const FiloGpu *gpu, const GpuPipeline *pipeline, int number, GpuSampler *sampler) {
    const GpuUnit *unit = &pipeline->program.units[number];
    *sampler = (GpuSampler){ .format = unit->format };
    if (unit->texels)
        sampler->buffer = gpu_buffer_at(gpu, unit->buffer);
    else
        sampler->texture = gpu_texture_at(gpu, unit->texture);
    if (!FILO_CHECK(sampler->buffer != NULL || sampler->texture != NULL,
                    "pipeline \"%s\": the %s \"%s\" has been destroyed", pipeline->label,
                    unit->texels ? "buffer of the texels" : "texture",
                    name_of_unit(&pipeline->program, number)))
        return false;
    const GpuTarget *target = gpu_target_at(gpu, gpu->pass.target);
    if (target == NULL || unit->texels) return true;
    return FILO_CHECK(unit->texture.id != target->color.id && unit->texture.id != target->depth.id,
                      "pipeline \"%s\": the texture \"%s\" is what the pass draws to", pipeline->label,
                      sampler->texture->label);
}

bool gpu_find_samplers(FiloGpu *gpu, const GpuPipeline *pipeline, GpuSampler samplers[GPU_SAMPLERS],
                       const char *action) {
    const GpuProgram *program = &pipeline->program;
    for (int i = 0; i < program->unit_count; i++) {
        const GpuUnit *unit = &program->units[i];
        uint32_t id = unit->texels ? unit->buffer.id : unit->texture.id;
        if (!FILO_CHECK(id != 0, "pipeline \"%s\": set the %s \"%s\" before you %s", pipeline->label,
                        unit->texels ? "texels" : "texture", name_of_unit(program, i), action) ||
            !find_sampler(gpu, pipeline, i, &samplers[i]))
            return false;
        if (gpu->pass.textures[i] != id) gpu->stats.texture_changes++;
        gpu->pass.textures[i] = id;
    }
    return true;
}

bool gpu_check_storage(const FiloGpu *gpu, const GpuPipeline *pipeline, const char *action) {
    for (int i = 0; i < FILO_GPU_STORAGE_SLOTS; i++) {
        FiloBuffer storage = gpu->pass.storage[i].buffer;
        if (!FILO_CHECK(storage.id != 0 || (pipeline->program.storage >> i & 1) == 0,
                        "pipeline \"%s\": set the storage of slot %d before you %s", pipeline->label, i,
                        action) ||
            !FILO_CHECK(storage.id == 0 || gpu_buffer_at(gpu, storage) != NULL,
                        "pipeline \"%s\": the storage of slot %d has been destroyed", pipeline->label, i))
            return false;
    }
    return true;
}

static void draw_checked(FiloGpu *gpu, GpuDraw *draw, bool indexed) {
    draw->pipeline = gpu_pipeline_at(gpu, gpu->pass.pipeline);
    if (!FILO_CHECK(draw->pipeline != NULL, "use a pipeline before you draw")) return;
    if (!FILO_CHECK(draw->first >= 0 && draw->count >= 0 && draw->instances >= 0,
                    "draw from %d on %d vertices %d times: none of these is below 0", draw->first,
                    draw->count, draw->instances))
        return;
    if (draw->count == 0 || draw->instances == 0) return;
    if (indexed && !find_indices(gpu, draw)) return;
    for (int i = 0; i < FILO_GPU_BUFFERS; i++)
        if (!find_vertices(gpu, draw, i)) return;
    if (!gpu_find_samplers(gpu, draw->pipeline, draw->samplers, "draw")) return;
    if (!gpu_check_storage(gpu, draw->pipeline, "draw")) return;
    gpu->stats.draws++;
    gpu->stats.vertices += (uint64_t)draw->count * (uint64_t)draw->instances;
    gpu->backend->draw(gpu, draw);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_draw");
}

void filo_gpu_draw(FiloGpu *gpu, int first, int count, int instances) {
    if (!in_pass(gpu, __func__)) return;
    draw_checked(gpu, &(GpuDraw){ .first = first, .count = count, .instances = instances }, false);
}

void filo_gpu_draw_indexed(FiloGpu *gpu, int first, int count, int base_vertex, int instances) {
    if (!in_pass(gpu, __func__)) return;
    draw_checked(
        gpu, &(GpuDraw){ .first = first, .count = count, .base_vertex = base_vertex, .instances = instances },
        true);
}
