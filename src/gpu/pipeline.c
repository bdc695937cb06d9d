// Pipelines: shaders, the layout of vertices, and the fixed state. uniform.c sets their uniforms.

#include "gpu/shader_text.h"

#include <stdlib.h>
#include <string.h>

static size_t attribute_size(FiloAttributeFormat format) {
    switch (format) {
    case FILO_ATTRIBUTE_NONE: return 0;
    case FILO_ATTRIBUTE_FLOAT:
    case FILO_ATTRIBUTE_UBYTE4:
    case FILO_ATTRIBUTE_UBYTE4_UNIT:
    case FILO_ATTRIBUTE_USHORT2:
    case FILO_ATTRIBUTE_SHORT2_UNIT:
    case FILO_ATTRIBUTE_USHORT2_UNIT:
    case FILO_ATTRIBUTE_HALF2:
    case FILO_ATTRIBUTE_UINT: return 4;
    case FILO_ATTRIBUTE_SHORT4_UNIT:
    case FILO_ATTRIBUTE_HALF4:
    case FILO_ATTRIBUTE_FLOAT2:
    case FILO_ATTRIBUTE_USHORT4: return 8;
    case FILO_ATTRIBUTE_FLOAT3: return 12;
    case FILO_ATTRIBUTE_FLOAT4: return 16;
    }
    return 0;
}

static FiloResult check_attributes(const FiloPipelineDesc *desc, const char *label) {
    for (int i = 0; i < FILO_GPU_ATTRIBUTES; i++) {
        const FiloAttribute *attribute = &desc->attributes[i];
        if (attribute->format == FILO_ATTRIBUTE_NONE) continue;
        if (attribute->buffer < 0 || attribute->buffer >= FILO_GPU_BUFFERS)
            return FILO_MISTAKE("pipeline \"%s\": attribute %d is in buffer %d; there are 0 to %d", label, i,
                                attribute->buffer, FILO_GPU_BUFFERS - 1);
        size_t stride = desc->buffers[attribute->buffer].stride;
        if (attribute->offset + attribute_size(attribute->format) > stride)
            return FILO_MISTAKE(
                "pipeline \"%s\": attribute %d does not fit into the stride of buffer %d, %zu bytes", label,
                i, attribute->buffer, stride);
    }
    return filo_ok();
}

// Names are copied, so they must fit.
static FiloResult check_blocks(const FiloPipelineDesc *desc, const char *label) {
    for (int i = 0; i < FILO_GPU_BLOCKS; i++)
        if (desc->blocks[i] != NULL && strlen(desc->blocks[i]) >= GPU_LABEL)
            return FILO_MISTAKE("pipeline \"%s\": the name of the block %s is longer than %d letters", label,
                                desc->blocks[i], GPU_LABEL - 1);
    return filo_ok();
}

// ---- Programs -----------------------------------------------------------------------------------------

static FiloResult check_text(const char *label, const char *stage, const char *text) {
    int line = text != NULL ? gpu_shader_version_line(text) : 0;
    if (line == 0) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s (%s), line %d: leave out #version, the device writes its own",
                      label, stage, line);
}

static void free_program(FiloGpu *gpu, GpuProgram *program) {
    if (gpu->backend->program_destroy != NULL) gpu->backend->program_destroy(gpu, program);
    filo_array_deinit(&program->uniforms);
    filo_array_deinit(&program->values);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const GpuUniform *)a)->info.name, ((const GpuUniform *)b)->info.name);
}

FiloResult gpu_program_layout(FiloGpu *gpu, GpuProgram *program, const char *label) {
    GpuUniforms *uniforms = &program->uniforms;
    if (program->storage >> gpu->limits.storage_slots != 0)
        return filo_error(FILO_ERROR_LIMIT, "%s: there are %d storage slots, from 0 on", label,
                          gpu->limits.storage_slots);
    if (uniforms->count > GPU_UNIFORMS)
        return filo_error(FILO_ERROR_LIMIT, "%s: has more than %d uniforms: put them into a uniform block",
                          label, GPU_UNIFORMS);
    if (uniforms->count > 0) qsort(uniforms->items, uniforms->count, sizeof *uniforms->items, compare_names);
    size_t floats = 0;
    filo_array_each (uniforms, uniform) {
        uniform->value = floats;
        floats += (size_t)gpu_uniform_floats(uniform->info.type) * (size_t)uniform->info.count;
        if (FILO_MAX(floats, (size_t)uniform->info.count) > GPU_UNIFORM_NUMBERS)
            return filo_error(FILO_ERROR_LIMIT, "%s: has more than %d numbers in uniforms, with \"%s\"",
                              label, GPU_UNIFORM_NUMBERS, uniform->info.name);
        if (!gpu_uniform_is_texture(uniform->info.type)) continue;
        if (uniform->info.count > GPU_SAMPLERS - program->unit_count)
            return filo_error(FILO_ERROR_LIMIT, "%s: more than %d textures", label, GPU_SAMPLERS);
        uniform->unit = program->unit_count;
        for (int i = 0; i < uniform->info.count; i++)
            program->units[program->unit_count++].texels = uniform->info.type == FILO_UNIFORM_TEXELS;
    }
    if (!filo_array_resize(&program->values, floats))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for its uniforms", label);
    // A NaN that no program sets, so the first value that is set always differs.
    if (floats > 0) memset(program->values.items, 0xFF, floats * sizeof(float));
    return filo_ok();
}

static FiloResult make_program(FiloGpu *gpu, const GpuPipeline *pipeline, GpuProgram *program,
                               const GpuShaders *shaders) {
    *program = (GpuProgram){ .flip_location = -1 };
    FiloResult result = check_text(pipeline->label, "vertex shader", shaders->vertex);
    if (result.code == FILO_OK) result = check_text(pipeline->label, "fragment shader", shaders->fragment);
    if (result.code == FILO_OK) result = check_text(pipeline->label, "compute shader", shaders->compute);
    if (result.code != FILO_OK) return result;
    filo_array_init(&program->uniforms, gpu->allocator);
    filo_array_init(&program->values, gpu->allocator);
    result = gpu->backend->program_create(gpu, pipeline, program, shaders);
    if (result.code != FILO_OK) {
        filo_array_deinit(&program->uniforms);
        filo_array_deinit(&program->values);
    }
    return result;
}

// ---- Lifetime ---------------------------------------------------------------------------------------------

void gpu_pipeline_free(FiloGpu *gpu, GpuPipeline *pipeline) {
    free_program(gpu, &pipeline->program);
    gpu->backend->pipeline_destroy(gpu, pipeline);
}

static void copy_names(GpuPipeline *pipeline, const FiloPipelineDesc *desc) {
    gpu_copy_label(pipeline->label, desc->label, "pipeline");
    for (int i = 0; i < FILO_GPU_BLOCKS; i++) gpu_copy_label(pipeline->blocks[i], desc->blocks[i], "");
}

static FiloResult make_compute(FiloGpu *gpu, const FiloPipelineDesc *desc, GpuPipeline *pipeline) {
    copy_names(pipeline, desc);
    pipeline->compute = true;
    return make_program(gpu, pipeline, &pipeline->program, &(GpuShaders){ .compute = desc->compute });
}

static FiloResult make_pipeline(FiloGpu *gpu, const FiloPipelineDesc *desc, GpuPipeline *pipeline) {
    copy_names(pipeline, desc);
    pipeline->desc = *desc;
    pipeline->desc.label = pipeline->desc.vertex = pipeline->desc.fragment = NULL;
    memset(pipeline->desc.blocks, 0, sizeof pipeline->desc.blocks);
    for (int i = 0; i < FILO_GPU_ATTRIBUTES; i++) {
        const FiloAttribute *attribute = &desc->attributes[i];
        if (attribute->format == FILO_ATTRIBUTE_NONE) continue;
        size_t *end = &pipeline->ends[attribute->buffer];
        *end = FILO_MAX(*end, attribute->offset + attribute_size(attribute->format));
    }
    FiloResult result = make_program(gpu, pipeline, &pipeline->program,
                                     &(GpuShaders){ .vertex = desc->vertex, .fragment = desc->fragment });
    if (result.code != FILO_OK) return result;
    result = gpu->backend->pipeline_create(gpu, pipeline);
    if (result.code != FILO_OK) free_program(gpu, &pipeline->program);
    return result;
}

static FiloResult check_compute(const FiloGpu *gpu, const FiloPipelineDesc *desc, const char *label) {
    if (desc->vertex != NULL || desc->fragment != NULL)
        return FILO_MISTAKE("pipeline \"%s\": it either computes or draws; leave out the other shaders",
                            label);
    if (!gpu->limits.compute)
        return filo_error(FILO_ERROR_UNSUPPORTED, "pipeline \"%s\": OpenGL 3.3 has no compute shaders",
                          label);
    return filo_ok();
}

FiloResult filo_gpu_pipeline_create(FiloPipeline *handle, FiloGpu *gpu, const FiloPipelineDesc *desc) {
    if (handle == NULL) return FILO_MISTAKE("say where to put the new pipeline");
    *handle = (FiloPipeline){ 0 };
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    if (desc == NULL) return FILO_MISTAKE("describe the pipeline");
    const char *label = desc->label != NULL ? desc->label : "pipeline";
    bool compute = desc->compute != NULL;
    if (!compute && (desc->vertex == NULL || desc->fragment == NULL))
        return FILO_MISTAKE("pipeline \"%s\": give the texts of its vertex and fragment shader", label);
    FiloResult result = compute ? check_compute(gpu, desc, label) : check_attributes(desc, label);
    if (result.code == FILO_OK) result = check_blocks(desc, label);
    if (result.code != FILO_OK) return result;
    uint32_t id;
    GpuPipeline *pipeline = gpu_pool_add(&gpu->pipelines, &id);
    if (pipeline == NULL) return filo_error(FILO_ERROR_MEMORY, "pipeline \"%s\": no memory", label);
    result = compute ? make_compute(gpu, desc, pipeline) : make_pipeline(gpu, desc, pipeline);
    if (result.code == FILO_OK)
        handle->id = id;
    else
        gpu_pool_remove(&gpu->pipelines, id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_pipeline_create");
    return result;
}

// ---- Replacing ----------------------------------------------------------------------------------------

static GpuUniform *find_uniform(GpuProgram *program, const char *name) {
    filo_array_each (&program->uniforms, uniform)
        if (strcmp(uniform->info.name, name) == 0) return uniform;
    return NULL;
}

static bool was_set(const float *value, size_t floats) {
    for (size_t i = 0; i < floats * sizeof *value; i++)
        if (((const uint8_t *)value)[i] != 0xFF) return true;
    return false;
}

// Copies the value of a uniform of the old program to the one with the same name and type in the new program.
static void copy_value(FiloGpu *gpu, GpuPipeline *pipeline, const GpuProgram *old, const GpuUniform *from) {
    GpuProgram *program = &pipeline->program;
    const GpuUniform *to = find_uniform(program, from->info.name);
    if (to == NULL || to->info.type != from->info.type) return;
    size_t floats = (size_t)gpu_uniform_floats(to->info.type);
    for (int i = 0; i < FILO_MIN(to->info.count, from->info.count); i++) {
        if (floats == 0) {
            if (to->info.type != FILO_UNIFORM_OTHER)
                program->units[to->unit + i] = old->units[from->unit + i];
            continue;
        }
        const float *value = old->values.items + from->value + floats * (size_t)i;
        if (!was_set(value, floats)) continue;
        memcpy(program->values.items + to->value + floats * (size_t)i, value, floats * sizeof *value);
        gpu->backend->uniform_set(gpu, pipeline, to, i, value);
    }
}

static FiloResult replace(FiloGpu *gpu, FiloPipeline handle, const GpuShaders *shaders,
                          const char *function) {
    GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    GpuProgram made;
    FiloResult result = make_program(gpu, pipeline, &made, shaders);
    if (result.code == FILO_OK) {
        GpuProgram old = pipeline->program;
        pipeline->program = made;
        filo_array_each (&old.uniforms, uniform) copy_value(gpu, pipeline, &old, uniform);
        free_program(gpu, &old);
        if (gpu->pass.active && gpu->pass.pipeline.id == handle.id) gpu->backend->use(gpu, pipeline);
    }
    GPU_REPORT_ERRORS(gpu, function);
    return result;
}

FiloResult filo_gpu_pipeline_replace(FiloGpu *gpu, FiloPipeline handle, const char *vertex,
                                     const char *fragment) {
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    const GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (pipeline == NULL)
        return FILO_MISTAKE("filo_gpu_pipeline_replace: this pipeline has been destroyed, or never was");
    if (pipeline->compute)
        return FILO_MISTAKE("pipeline \"%s\": it computes; use filo_gpu_pipeline_replace_compute",
                            pipeline->label);
    if (vertex == NULL || fragment == NULL)
        return FILO_MISTAKE("pipeline \"%s\": give the texts of its vertex and fragment shader",
                            pipeline->label);
    return replace(gpu, handle, &(GpuShaders){ .vertex = vertex, .fragment = fragment }, __func__);
}

FiloResult filo_gpu_pipeline_replace_compute(FiloGpu *gpu, FiloPipeline handle, const char *compute) {
    if (gpu_mistake(gpu) != NULL) return FILO_MISTAKE("%s", gpu_mistake(gpu));
    const GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (pipeline == NULL)
        return FILO_MISTAKE(
            "filo_gpu_pipeline_replace_compute: this pipeline has been destroyed, or never was");
    if (!pipeline->compute)
        return FILO_MISTAKE("pipeline \"%s\": it draws; use filo_gpu_pipeline_replace", pipeline->label);
    if (compute == NULL)
        return FILO_MISTAKE("pipeline \"%s\": give the text of its compute shader", pipeline->label);
    return replace(gpu, handle, &(GpuShaders){ .compute = compute }, __func__);
}

void filo_gpu_pipeline_destroy(FiloGpu *gpu, FiloPipeline handle) {
    if (!GPU_CHECK(gpu) || handle.id == 0) return;
    GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (!FILO_CHECK(pipeline != NULL, "filo_gpu_pipeline_destroy: this pipeline has been destroyed already"))
        return;
    gpu_pipeline_free(gpu, pipeline);
    gpu_pool_remove(&gpu->pipelines, handle.id);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_pipeline_destroy");
}
