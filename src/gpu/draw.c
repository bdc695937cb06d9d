// Draws: resolving the handles of a pass, and the checks of a draw.
//
// The state of a pass holds handles. A draw resolves them, so that it notices an object that was destroyed in
// between. Then its ranges are checked: those of the one draw, or of each command of a list.

#include "gpu/device.h"

#include <stdio.h>

// ---- Textures, storage and blocks ---------------------------------------------------------------------

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

bool gpu_check_blocks(const FiloGpu *gpu, const GpuPipeline *pipeline, const char *action) {
    for (int i = 0; i < FILO_GPU_BLOCKS; i++) {
        size_t size = pipeline->program.blocks[i];
        const GpuBinding *binding = &gpu->pass.blocks[i];
        if (size == 0) continue;
        if (!FILO_CHECK(binding->buffer.id != 0, "pipeline \"%s\": set the block \"%s\" before you %s",
                        pipeline->label, pipeline->blocks[i], action) ||
            !FILO_CHECK(gpu_buffer_at(gpu, binding->buffer) != NULL,
                        "pipeline \"%s\": the buffer of the block \"%s\" has been destroyed", pipeline->label,
                        pipeline->blocks[i]) ||
            !FILO_CHECK(binding->size >= size,
                        "pipeline \"%s\": the block \"%s\" has %zu bytes, and only %zu are set",
                        pipeline->label, pipeline->blocks[i], size, binding->size))
            return false;
    }
    return true;
}

// ---- Buffers ------------------------------------------------------------------------------------------

static bool find_vertices(const FiloGpu *gpu, GpuDraw *draw, int slot) {
    const GpuPipeline *pipeline = draw->pipeline;
    if (pipeline->ends[slot] == 0) return true;
    const GpuBinding *binding = &gpu->pass.vertices[slot];
    if (!FILO_CHECK(binding->buffer.id != 0, "pipeline \"%s\": set the vertices of slot %d before you draw",
                    pipeline->label, slot))
        return false;
    draw->vertices[slot] = gpu_buffer_at(gpu, binding->buffer);
    draw->offsets[slot] = binding->offset;
    return FILO_CHECK(draw->vertices[slot] != NULL,
                      "pipeline \"%s\": the vertices of slot %d have been destroyed", pipeline->label, slot);
}

// Resolves all handles of the draw. False if something is missing.
static bool find_objects(FiloGpu *gpu, GpuDraw *draw, bool indexed) {
    if (indexed) {
        draw->indices = gpu_buffer_at(gpu, gpu->pass.indices);
        if (!FILO_CHECK(draw->indices != NULL, "pipeline \"%s\": set indices before you draw with them",
                        draw->pipeline->label))
            return false;
    }
    for (int i = 0; i < FILO_GPU_BUFFERS; i++)
        if (!find_vertices(gpu, draw, i)) return false;
    return gpu_find_samplers(gpu, draw->pipeline, draw->samplers, "draw") &&
           gpu_check_storage(gpu, draw->pipeline, "draw") && gpu_check_blocks(gpu, draw->pipeline, "draw");
}

// ---- Ranges -------------------------------------------------------------------------------------------

#define ONE_DRAW SIZE_MAX // the index of a command that is not in a list

static bool reads_inside(const GpuBuffer *buffer, uint64_t end, size_t index) {
    if (end <= buffer->size) return true;
    char what[48] = "the draw";
    if (index != ONE_DRAW) (void)snprintf(what, sizeof what, "command %zu of the draw", index);
    return FILO_CHECK(end <= buffer->size, "buffer \"%s\": %s reads %llu bytes of it, and it has %zu",
                      buffer->label, what, (unsigned long long)end, buffer->size);
}

// Whether a command of a resolved draw reads inside of its buffers. An indexed draw reads at least the vertex
// `base_vertex`, if that is not below 0.
static bool check_ranges(const GpuDraw *draw, const FiloDrawCommand *command, size_t index) {
    bool indexed = draw->indices != NULL;
    uint64_t end = (uint64_t)command->first + command->count;
    if (indexed && !reads_inside(draw->indices, end * 4, index)) return false;
    for (int i = 0; i < FILO_GPU_BUFFERS; i++) {
        if (draw->vertices[i] == NULL) continue;
        const FiloVertexBuffer *layout = &draw->pipeline->desc.buffers[i];
        uint64_t items = indexed ? (uint64_t)FILO_MAX(command->base_vertex, 0) + 1 : end;
        if (layout->per_instance) items = (uint64_t)command->first_instance + command->instances;
        uint64_t bytes = draw->offsets[i] + (items - 1) * layout->stride + draw->pipeline->ends[i];
        if (!reads_inside(draw->vertices[i], bytes, index)) return false;
    }
    return true;
}

// ---- Draws --------------------------------------------------------------------------------------------

static uint64_t count_triangles(FiloTopology topology, uint32_t vertices) {
    if (topology == FILO_TRIANGLES) return vertices / 3;
    return topology == FILO_TRIANGLE_STRIP && vertices > 2 ? vertices - 2 : 0;
}

static void count_draw(FiloGpuStats *stats, FiloTopology topology, const FiloDrawCommand *command) {
    stats->vertices += (uint64_t)command->count * command->instances;
    stats->triangles += count_triangles(topology, command->count) * command->instances;
    stats->instances += command->instances;
}

static bool find_pipeline(const FiloGpu *gpu, GpuDraw *draw) {
    draw->pipeline = gpu_pipeline_at(gpu, gpu->pass.pipeline);
    return FILO_CHECK(draw->pipeline != NULL, "use a pipeline before you draw");
}

static void draw_checked(FiloGpu *gpu, GpuDraw *draw, bool indexed) {
    if (!find_pipeline(gpu, draw)) return;
    if (!FILO_CHECK(draw->first >= 0 && draw->count >= 0 && draw->instances >= 0,
                    "draw from %d on %d vertices %d times: none of these is below 0", draw->first,
                    draw->count, draw->instances) ||
        !FILO_CHECK(draw->first_instance >= 0, "draw instances from %d on: this is not below 0",
                    draw->first_instance))
        return;
    if (draw->count == 0 || draw->instances == 0) return;
    FiloDrawCommand command = { .count = (uint32_t)draw->count,
                                .instances = (uint32_t)draw->instances,
                                .first = (uint32_t)draw->first,
                                .base_vertex = draw->base_vertex,
                                .first_instance = (uint32_t)draw->first_instance };
    if (!find_objects(gpu, draw, indexed) || !check_ranges(draw, &command, ONE_DRAW)) return;
    gpu->stats.draws++;
    count_draw(&gpu->stats, draw->pipeline->desc.topology, &command);
    gpu->backend->draw(gpu, draw);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_draw");
}

void filo_gpu_draw(FiloGpu *gpu, int first, int count, int instances) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    draw_checked(gpu, &(GpuDraw){ .first = first, .count = count, .instances = instances }, false);
}

void filo_gpu_draw_indexed(FiloGpu *gpu, int first, int count, int base_vertex, int instances) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    draw_checked(
        gpu, &(GpuDraw){ .first = first, .count = count, .base_vertex = base_vertex, .instances = instances },
        true);
}

void filo_gpu_draw_indexed_from(FiloGpu *gpu, int first, int count, int base_vertex, int first_instance,
                                int instances) {
    if (!gpu_in_draw_pass(gpu, __func__)) return;
    draw_checked(gpu,
                 &(GpuDraw){ .first = first,
                             .count = count,
                             .base_vertex = base_vertex,
                             .first_instance = first_instance,
                             .instances = instances },
                 true);
}

// ---- Lists --------------------------------------------------------------------------------------------

static bool check_command(const GpuDraw *draw, const FiloDrawCommand *command, size_t index) {
    if (command->count == 0 || command->instances == 0) return true;
    return FILO_CHECK(command->count <= INT32_MAX && command->instances <= INT32_MAX,
                      "command %zu of the draw has %u indices and %u instances; there may be %d of each",
                      index, command->count, command->instances, INT32_MAX) &&
           check_ranges(draw, command, index);
}

void filo_gpu_draw_indexed_list(FiloGpu *gpu, const FiloDrawCommand *commands, size_t count) {
    GpuDraw draw = { 0 };
    if (!gpu_in_draw_pass(gpu, __func__) || !find_pipeline(gpu, &draw)) return;
    if (count == 0 || !FILO_CHECK(commands != NULL, "give the commands to draw")) return;
    if (!find_objects(gpu, &draw, true)) return;
    for (size_t i = 0; i < count; i++)
        if (!check_command(&draw, &commands[i], i)) return;
    for (size_t i = 0; i < count; i++) count_draw(&gpu->stats, draw.pipeline->desc.topology, &commands[i]);
    gpu->stats.draws += gpu->backend->draw_list(gpu, &draw, commands, count);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_draw_indexed_list");
}
