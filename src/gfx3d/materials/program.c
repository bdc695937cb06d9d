// Pipelines of shader files: composed, compiled, and reported with the place of an error.

#include "gfx3d/materials/materials.h"

#include "base/suggest.h"

#include <string.h>

// ---- Included files -----------------------------------------------------------------------------------------

static FiloResult no_such_file(const char *name) {
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (const Gfx3dShaderFile *file = gfx3d_shader_files; file->name != NULL; file++)
        base_suggest_offer(&suggestion, filo_string(file->name));
    char meant[BASE_SUGGEST_SIZE];
    return filo_error(FILO_ERROR_NOT_FOUND, "there is no shader file \"%s\"%s", name,
                      base_suggest_print(&suggestion, meant));
}

FiloResult gfx3d_open_include(Gfx3dSource *source, const char *name, void *user) {
    Gfx3dIncludes *includes = user;
    *source = (Gfx3dSource){ 0 };
    if (strcmp(name, "custom") == 0) {
        *source = includes->custom;
        return filo_ok();
    }
    source->label = name;
    source->text = gfx3d_shader_text(name);
    if (source->text != NULL) return filo_ok();
    if (includes->gfx->assets == NULL) return no_such_file(name);
    return gfx3d_shader_file_open(source, name, includes);
}

// ---- Pipelines ----------------------------------------------------------------------------------------------

static FiloResult make_pipeline(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramTexts *texts,
                                const FiloPipelineDesc *desc) {
    Gfx3dIncludes includes = { .gfx = gfx, .custom = texts->custom, .files = texts->files };
    Gfx3dComposeDesc compose = { .source = texts->source,
                                 .stage = GFX3D_STAGE_VERTEX,
                                 .defines = texts->defines,
                                 .open = gfx3d_open_include,
                                 .user = &includes,
                                 .allocator = gfx->allocator };
    Gfx3dText vertex, fragment;
    FiloResult result = gfx3d_compose(&vertex, &compose);
    if (texts->loading != NULL) *texts->loading = includes.loading;
    if (result.code != FILO_OK) return result;
    compose.stage = GFX3D_STAGE_FRAGMENT;
    result = gfx3d_compose(&fragment, &compose);
    if (result.code == FILO_OK) {
        const char *vertex_text = filo_builder_text(&vertex.text);
        const char *fragment_text = filo_builder_text(&fragment.text);
        if (pipeline->id != 0) {
            result = filo_gpu_pipeline_replace(gfx->gpu, *pipeline, vertex_text, fragment_text);
        } else {
            FiloPipelineDesc full = *desc;
            full.vertex = vertex_text;
            full.fragment = fragment_text;
            result = filo_gpu_pipeline_create(pipeline, gfx->gpu, &full);
        }
        if (result.code != FILO_OK) result = gfx3d_text_error(&result, &vertex, &fragment);
        gfx3d_text_free(&fragment);
    }
    gfx3d_text_free(&vertex);
    if (texts->loading != NULL) *texts->loading = includes.loading;
    return result;
}

FiloResult gfx3d_program_make(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramTexts *texts,
                              const FiloPipelineDesc *desc) {
    FiloPipelineDesc full = *desc;
    full.blocks[GFX3D_BLOCK_FRAME] = "Frame";
    full.blocks[GFX3D_BLOCK_MATERIAL] = "Material";
    return make_pipeline(pipeline, gfx, texts, &full);
}

FiloResult gfx3d_program_create(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramDesc *desc) {
    *pipeline = (FiloPipeline){ 0 };
    Gfx3dProgramTexts texts = { .source = { desc->label, desc->source }, .defines = desc->defines };
    if (texts.source.text == NULL) texts.source.text = gfx3d_shader_text(desc->label);
    if (texts.source.text == NULL) return no_such_file(desc->label);
    FiloPipelineDesc full = desc->pipeline;
    full.label = desc->label;
    return gfx3d_program_make(pipeline, gfx, &texts, &full);
}
