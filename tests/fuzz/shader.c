// Any bytes as a shader file: it is refused with a message, or divided into parts with as many lines as the file. What the null device
// reads of them is within limits, or refused.

#include "assets/assets.h"

#include <filo/gpu.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_lines(const char *text, size_t size) {
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    return lines;
}

static void check_part(const char *part, size_t lines) {
    if (part != NULL && count_lines(part, strlen(part)) != lines) abort();
}

static void check_pipeline(const FiloShaderAsset *shader) {
    FiloGpu *gpu;
    if (filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }).code != FILO_OK) abort();
    FiloPipeline pipeline;
    FiloResult result = filo_gpu_pipeline_create(&pipeline, gpu,
                                                 &(FiloPipelineDesc){ .vertex = shader->vertex,
                                                                      .fragment = shader->fragment,
                                                                      .blocks = { "Camera" } });
    if (result.code != FILO_OK && result.message[0] == '\0') abort();
    for (size_t i = 0; result.code == FILO_OK && i < filo_gpu_uniform_count(gpu, pipeline); i++) {
        FiloUniformInfo info = filo_gpu_uniform_at(gpu, pipeline, i);
        if (info.name[0] == '\0' || info.count < 1 || info.count > 65536) abort();
    }
    filo_gpu_destroy(gpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FiloAssetType type = assets_shader_type();
    FiloAssetBytes bytes = { .name = "fuzz.glsl", .bytes = data, .size = size };
    void *made = NULL;
    FiloResult result = type.decode(&bytes, &made, NULL);
    if (result.code != FILO_OK) {
        if (result.message[0] == '\0' || made != NULL) abort();
        return 0;
    }
    const FiloShaderAsset *shader = made;
    if (shader->vertex == NULL && shader->fragment == NULL) abort();
    size_t lines = count_lines((const char *)data, size);
    check_part(shader->vertex, lines);
    check_part(shader->fragment, lines);
    if (shader->vertex != NULL && shader->fragment != NULL) check_pipeline(shader);
    type.free(made, NULL, NULL);
    return 0;
}
