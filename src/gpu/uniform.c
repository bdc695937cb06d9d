// Uniforms: listing and setting those of a pipeline.
//
// The pipeline stores the values, for three reasons: setting a value that is already set costs no call of the driver,
// the values survive a replacement of the shaders, and all backends behave alike.

#include "gpu/device.h"

#include <stdlib.h>
#include <string.h>

// The GLSL name.
static const char *type_name(FiloUniformType type) {
    static const char *const names[] = {
        [FILO_UNIFORM_NONE] = "nothing",
        [FILO_UNIFORM_FLOAT] = "float",
        [FILO_UNIFORM_VEC2] = "vec2",
        [FILO_UNIFORM_VEC3] = "vec3",
        [FILO_UNIFORM_VEC4] = "vec4",
        [FILO_UNIFORM_INT] = "int",
        [FILO_UNIFORM_IVEC2] = "ivec2",
        [FILO_UNIFORM_MAT3] = "mat3",
        [FILO_UNIFORM_MAT4] = "mat4",
        [FILO_UNIFORM_TEXTURE] = "sampler2D",
        [FILO_UNIFORM_TEXTURE_ARRAY] = "sampler2DArray",
        [FILO_UNIFORM_IVEC4] = "ivec4",
        [FILO_UNIFORM_UINT] = "uint",
        [FILO_UNIFORM_UVEC2] = "uvec2",
        [FILO_UNIFORM_UVEC4] = "uvec4",
        [FILO_UNIFORM_TEXELS] = "usamplerBuffer",
        [FILO_UNIFORM_OTHER] = "type that cannot be set",
        [FILO_UNIFORM_TEXTURE_SHADOW] = "sampler2DShadow",
        [FILO_UNIFORM_TEXTURE_ARRAY_SHADOW] = "sampler2DArrayShadow",
    };
    return (size_t)type < FILO_COUNT_OF(names) ? names[type] : "nothing";
}

int gpu_uniform_floats(FiloUniformType type) {
    switch (type) {
    case FILO_UNIFORM_FLOAT: return 1;
    case FILO_UNIFORM_VEC2: return 2;
    case FILO_UNIFORM_VEC3: return 3;
    case FILO_UNIFORM_VEC4: return 4;
    case FILO_UNIFORM_INT: return 1;
    case FILO_UNIFORM_IVEC2: return 2;
    case FILO_UNIFORM_IVEC4: return 4;
    case FILO_UNIFORM_UINT: return 1;
    case FILO_UNIFORM_UVEC2: return 2;
    case FILO_UNIFORM_UVEC4: return 4;
    case FILO_UNIFORM_MAT3: return 9;
    case FILO_UNIFORM_MAT4: return 16;
    default: return 0;
    }
}

// ---- Reflection -------------------------------------------------------------------------------------------

size_t filo_gpu_uniform_count(const FiloGpu *gpu, FiloPipeline handle) {
    if (!GPU_CHECK(gpu)) return 0;
    const GpuPipeline *pipeline = gpu_pipeline_at(gpu, handle);
    if (!FILO_CHECK(pipeline != NULL,
                    "filo_gpu_uniform_count: this pipeline has been destroyed, or never was"))
        return 0;
    return pipeline->program.uniforms.count;
}

FiloUniformInfo filo_gpu_uniform_at(const FiloGpu *gpu, FiloPipeline handle, size_t index) {
    size_t count = filo_gpu_uniform_count(gpu, handle);
    if (!FILO_CHECK(index < count, "there are %zu uniforms, and no number %zu", count, index))
        return (FiloUniformInfo){ 0 };
    return gpu_pipeline_at(gpu, handle)->program.uniforms.items[index].info;
}

// ---- Setting ------------------------------------------------------------------------------------------

static GpuPipeline *pipeline_in_use(const FiloGpu *gpu, const char *name) {
    if (!GPU_CHECK(gpu) || !FILO_CHECK(name != NULL, "name the uniform")) return NULL;
    GpuPipeline *pipeline = gpu->pass.active ? gpu_pipeline_at(gpu, gpu->pass.pipeline) : NULL;
    (void)FILO_CHECK(pipeline != NULL, "uniform \"%s\": use a pipeline in this pass, then set its uniforms",
                     name);
    return pipeline;
}

// Finds the uniform of "name" or "name[3]"; 3 is the element. NULL if there is none.
static const GpuUniform *find(const GpuPipeline *pipeline, const char *name, int *element) {
    size_t length = strcspn(name, "[");
    *element = name[length] == '[' ? atoi(name + length + 1) : 0;
    filo_array_each (&pipeline->program.uniforms, uniform) {
        if (strlen(uniform->info.name) != length || memcmp(uniform->info.name, name, length) != 0) continue;
        if (!FILO_CHECK(*element >= 0 && *element < uniform->info.count,
                        "pipeline \"%s\": the uniform \"%s\" has %d elements, so there is no %s",
                        pipeline->label, uniform->info.name, uniform->info.count, name))
            return NULL;
        return uniform;
    }
    return NULL;
}

static bool set_floats(FiloGpu *gpu, const char *name, FiloUniformType type, const float *value) {
    GpuPipeline *pipeline = pipeline_in_use(gpu, name);
    if (pipeline == NULL) return false;
    int element;
    const GpuUniform *uniform = find(pipeline, name, &element);
    if (uniform == NULL) return false;
    if (!FILO_CHECK(uniform->info.type == type, "pipeline \"%s\": the uniform \"%s\" is a %s, not a %s",
                    pipeline->label, name, type_name(uniform->info.type), type_name(type)))
        return false;
    size_t floats = (size_t)gpu_uniform_floats(type);
    float *stored = pipeline->program.values.items + uniform->value + floats * (size_t)element;
    // The null device records every call.
    if (gpu->null == NULL && memcmp(stored, value, floats * sizeof *value) == 0) return true;
    memcpy(stored, value, floats * sizeof *value);
    gpu->backend->uniform_set(gpu, pipeline, uniform, element, value);
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set (a uniform)");
    return true;
}

bool filo_gpu_set_float(FiloGpu *gpu, const char *name, float value) {
    return set_floats(gpu, name, FILO_UNIFORM_FLOAT, &value);
}
bool filo_gpu_set_vec2(FiloGpu *gpu, const char *name, FiloVec2 value) {
    return set_floats(gpu, name, FILO_UNIFORM_VEC2, (float[]){ value.x, value.y });
}
bool filo_gpu_set_vec3(FiloGpu *gpu, const char *name, FiloVec3 value) {
    return set_floats(gpu, name, FILO_UNIFORM_VEC3, (float[]){ value.x, value.y, value.z });
}
bool filo_gpu_set_vec4(FiloGpu *gpu, const char *name, FiloVec4 value) {
    return set_floats(gpu, name, FILO_UNIFORM_VEC4, (float[]){ value.x, value.y, value.z, value.w });
}

// `value` has as many integers of 32 bits as the type has; their bits are stored in floats.
static bool set_integers(FiloGpu *gpu, const char *name, FiloUniformType type, const void *value) {
    float bits[4];
    if (!FILO_CHECK(value != NULL, "give the numbers of the uniform")) return false;
    memcpy(bits, value, (size_t)gpu_uniform_floats(type) * sizeof *bits);
    return set_floats(gpu, name, type, bits);
}

bool filo_gpu_set_int(FiloGpu *gpu, const char *name, int value) {
    return set_integers(gpu, name, FILO_UNIFORM_INT, &value);
}
bool filo_gpu_set_ivec2(FiloGpu *gpu, const char *name, FiloIVec2 value) {
    return set_integers(gpu, name, FILO_UNIFORM_IVEC2, (int32_t[]){ value.x, value.y });
}
bool filo_gpu_set_ivec4(FiloGpu *gpu, const char *name, const int32_t value[4]) {
    return set_integers(gpu, name, FILO_UNIFORM_IVEC4, value);
}
bool filo_gpu_set_uint(FiloGpu *gpu, const char *name, uint32_t value) {
    return set_integers(gpu, name, FILO_UNIFORM_UINT, &value);
}
bool filo_gpu_set_uvec2(FiloGpu *gpu, const char *name, const uint32_t value[2]) {
    return set_integers(gpu, name, FILO_UNIFORM_UVEC2, value);
}
bool filo_gpu_set_uvec4(FiloGpu *gpu, const char *name, const uint32_t value[4]) {
    return set_integers(gpu, name, FILO_UNIFORM_UVEC4, value);
}

bool filo_gpu_set_mat4(FiloGpu *gpu, const char *name, const FiloMat4 *value) {
    return FILO_CHECK(value != NULL, "give the matrix") && set_floats(gpu, name, FILO_UNIFORM_MAT4, value->m);
}
bool filo_gpu_set_affine2(FiloGpu *gpu, const char *name, FiloAffine2 v) {
    return set_floats(gpu, name, FILO_UNIFORM_MAT3,
                      (float[]){ v.x.x, v.x.y, 0, v.y.x, v.y.y, 0, v.origin.x, v.origin.y, 1 });
}

static FiloUniformType type_of_texture(const GpuTexture *texture) {
    if (texture->compare)
        return texture->layers > 0 ? FILO_UNIFORM_TEXTURE_ARRAY_SHADOW : FILO_UNIFORM_TEXTURE_SHADOW;
    return texture->layers > 0 ? FILO_UNIFORM_TEXTURE_ARRAY : FILO_UNIFORM_TEXTURE;
}

bool filo_gpu_set_texture(FiloGpu *gpu, const char *name, FiloTexture handle) {
    GpuPipeline *pipeline = pipeline_in_use(gpu, name);
    if (pipeline == NULL) return false;
    const GpuTexture *texture = gpu_texture_at(gpu, handle);
    if (!FILO_CHECK(texture != NULL,
                    "pipeline \"%s\": the texture for \"%s\" has been destroyed, or never was",
                    pipeline->label, name))
        return false;
    int element;
    const GpuUniform *uniform = find(pipeline, name, &element);
    if (uniform == NULL) return false;
    FiloUniformType type = type_of_texture(texture);
    if (!FILO_CHECK(uniform->info.type == type,
                    "pipeline \"%s\": the uniform \"%s\" is a %s, not a %s as the texture \"%s\" is",
                    pipeline->label, name, type_name(uniform->info.type), type_name(type), texture->label))
        return false;
    pipeline->program.units[uniform->unit + element].texture = handle;
    if (gpu->backend->texture_set != NULL) gpu->backend->texture_set(gpu, uniform, texture);
    return true;
}

static bool check_texels(const FiloGpu *gpu, const GpuBuffer *buffer, FiloTexelFormat format) {
    if (!FILO_CHECK((unsigned)format < FILO_GPU_TEXEL_FORMATS, "there is no format %d of texels",
                    (int)format))
        return false;
    size_t count = buffer->size / gpu_texel_size(format);
    return FILO_CHECK(count > 0 && count <= (size_t)gpu->limits.texels,
                      "buffer \"%s\": it has %zu texels; there may be 1 to %d", buffer->label, count,
                      gpu->limits.texels);
}

bool filo_gpu_set_texels(FiloGpu *gpu, const char *name, FiloBuffer handle, FiloTexelFormat format) {
    GpuPipeline *pipeline = pipeline_in_use(gpu, name);
    if (pipeline == NULL) return false;
    GpuBuffer *buffer = gpu_buffer_at(gpu, handle);
    if (!FILO_CHECK(buffer != NULL, "pipeline \"%s\": the buffer for \"%s\" has been destroyed, or never was",
                    pipeline->label, name) ||
        !check_texels(gpu, buffer, format))
        return false;
    int element;
    const GpuUniform *uniform = find(pipeline, name, &element);
    if (uniform == NULL) return false;
    if (!FILO_CHECK(uniform->info.type == FILO_UNIFORM_TEXELS,
                    "pipeline \"%s\": the uniform \"%s\" is a %s, not a usamplerBuffer", pipeline->label,
                    name, type_name(uniform->info.type)))
        return false;
    FiloResult result = gpu->backend->texels_set(gpu, uniform, buffer, format);
    if (result.code != FILO_OK) {
        filo_log_error("gpu", "%s", result.message);
        return false;
    }
    GpuUnit *unit = &pipeline->program.units[uniform->unit + element];
    *unit = (GpuUnit){ .texels = true, .buffer = handle, .format = format };
    GPU_REPORT_ERRORS(gpu, "filo_gpu_set_texels");
    return true;
}
