// Shaders of materials: their text, and the variants that were compiled.
//
// [0] is the standard shader, mesh.glsl alone. The others insert the functions of a file, or of a text of the program,
// into it. When a text changes, all variants are compiled again; if the first of them fails, the pipelines stay as they
// are.

#include "gfx3d/materials/materials.h"

#include <filo/log.h>

#include <string.h>

// ---- Files --------------------------------------------------------------------------------------------------

// GFX3D_NONE if it cannot be loaded: `result` says why.
static uint32_t find_file(FiloGfx3d *gfx, const char *name, FiloResult *result) {
    Gfx3dMaterials *materials = gfx->materials;
    FiloName id = filo_name(name);
    for (size_t i = 0; i < materials->files.count; i++)
        if (materials->files.items[i].name.id == id.id) return (uint32_t)i;
    FiloAsset other = filo_assets_find(gfx->assets, id);
    const char *type = other.id != 0 ? filo_asset_type(gfx->assets, other) : "text";
    if (strcmp(type, "text") != 0) {
        *result = filo_error(
            FILO_ERROR_EXISTS,
            "%s is loaded as an asset of type \"%s\" already, so it cannot be a shader of materials", name,
            type);
        return GFX3D_NONE;
    }
    FiloAsset asset = filo_assets_load_as(gfx->assets, "text", name);
    *result = filo_error(FILO_ERROR_NOT_FOUND, "%s is not the name of an asset", name);
    if (asset.id == 0) return GFX3D_NONE;
    if (filo_array_push(&materials->files, (Gfx3dShaderAsset){ id, asset }))
        return (uint32_t)materials->files.count - 1;
    filo_assets_unload(gfx->assets, asset);
    *result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for a shader", name);
    return GFX3D_NONE;
}

static bool add_once(Gfx3dFileList *files, uint32_t file) {
    filo_array_each (files, other)
        if (*other == file) return true;
    return filo_array_push(files, file);
}

FiloResult gfx3d_shader_file_open(Gfx3dSource *source, const char *name, Gfx3dIncludes *includes) {
    FiloGfx3d *gfx = includes->gfx;
    FiloResult result;
    uint32_t file = find_file(gfx, name, &result);
    if (file == GFX3D_NONE) return result;
    FiloAsset asset = gfx->materials->files.items[file].asset;
    if (includes->files != NULL && !add_once(includes->files, file))
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a shader", name);
    FiloAssetState state = filo_asset_state(gfx->assets, asset);
    if (state == FILO_ASSET_LOADING) {
        includes->loading = true;
        return filo_error(FILO_ERROR_NOT_FOUND, "%s is not loaded yet", name);
    }
    const FiloJsonAsset *text = filo_asset_data(gfx->assets, asset);
    if (state != FILO_ASSET_READY || text == NULL) return *filo_asset_error(gfx->assets, asset);
    *source = (Gfx3dSource){ name, text->text };
    return filo_ok();
}

uint64_t gfx3d_shader_files_version(const FiloGfx3d *gfx, const Gfx3dFileList *files) {
    uint64_t version = 0;
    filo_array_each (files, file) {
        FiloAsset asset = gfx->materials->files.items[*file].asset;
        version += 4 * (uint64_t)filo_asset_version(gfx->assets, asset) +
                   (uint64_t)filo_asset_state(gfx->assets, asset);
    }
    return version;
}

static uint64_t version_of_files(const FiloGfx3d *gfx, const Gfx3dShader *shader) {
    return gfx3d_shader_files_version(gfx, &shader->files) + (shader->text != NULL ? 1 : 0);
}

const char *gfx3d_shader_source(const FiloGfx3d *gfx, const Gfx3dShader *shader) {
    if (shader->text != NULL || shader->file == GFX3D_NONE) return shader->text;
    FiloAsset asset = gfx->materials->files.items[shader->file].asset;
    if (filo_asset_state(gfx->assets, asset) != FILO_ASSET_READY) return NULL;
    const FiloJsonAsset *text = filo_asset_data(gfx->assets, asset);
    return text != NULL ? text->text : NULL;
}

// ---- Life ---------------------------------------------------------------------------------------------------

static void free_shader(FiloGfx3d *gfx, Gfx3dShader *shader) {
    filo_array_each (&shader->variants, variant)
        if (variant->pipeline.id != 0) filo_gpu_pipeline_destroy(gfx->gpu, variant->pipeline);
    filo_array_deinit(&shader->variants);
    filo_array_deinit(&shader->uniforms);
    filo_array_deinit(&shader->files);
    filo_free(gfx->allocator, shader->text, shader->text_size, 0);
    *shader = (Gfx3dShader){ 0 };
}

void gfx3d_shaders_deinit(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    filo_array_each (&materials->shaders, shader) {
        free_shader(gfx, *shader);
        filo_free(gfx->allocator, *shader, sizeof **shader, 0);
    }
    filo_array_deinit(&materials->shaders);
    filo_array_each (&materials->files, file) filo_assets_unload(gfx->assets, file->asset);
    filo_array_deinit(&materials->files);
}

// A free slot; GFX3D_NONE without memory.
static uint32_t free_slot(FiloGfx3d *gfx) {
    Gfx3dMaterials *materials = gfx->materials;
    for (size_t i = 0; i < materials->shaders.count; i++)
        if (!materials->shaders.items[i]->used) return (uint32_t)i;
    Gfx3dShader *shader = filo_alloc_zero(gfx->allocator, sizeof *shader, 0);
    if (shader == NULL) return GFX3D_NONE;
    if (filo_array_push(&materials->shaders, shader)) return (uint32_t)materials->shaders.count - 1;
    filo_free(gfx->allocator, shader, sizeof *shader, 0);
    return GFX3D_NONE;
}

static bool is_same(const Gfx3dShader *shader, const char *label, const char *text, const char *defines) {
    if (!shader->used || strcmp(shader->label, label) != 0 || (shader->text == NULL) != (text == NULL) ||
        strcmp(shader->defines, defines) != 0)
        return false;
    return text == NULL || strcmp(shader->text, text) == 0;
}

static bool set_source(FiloGfx3d *gfx, Gfx3dShader *shader, const char *text) {
    if (text == NULL && gfx->assets != NULL && shader->label[0] != '\0') {
        FiloResult result = filo_ok();
        shader->file = find_file(gfx, shader->label, &result);
        if (shader->file == GFX3D_NONE) shader->error = result;
        return shader->file == GFX3D_NONE || add_once(&shader->files, shader->file);
    }
    if (text == NULL) return true;
    shader->text_size = strlen(text) + 1;
    shader->text = filo_alloc(gfx->allocator, shader->text_size, 0);
    if (shader->text == NULL) return false;
    memcpy(shader->text, text, shader->text_size);
    return true;
}

uint32_t gfx3d_shader_retain(FiloGfx3d *gfx, const char *label, const char *text, const char *defines) {
    Gfx3dMaterials *materials = gfx->materials;
    for (size_t i = 0; i < materials->shaders.count; i++)
        if (is_same(materials->shaders.items[i], label, text, defines)) {
            materials->shaders.items[i]->references++;
            return (uint32_t)i;
        }
    uint32_t index = free_slot(gfx);
    if (index == GFX3D_NONE) return GFX3D_NONE;
    Gfx3dShader *shader = materials->shaders.items[index];
    *shader = (Gfx3dShader){ .file = GFX3D_NONE, .references = 1, .used = true };
    (void)filo_string_copy(filo_string(label), shader->label, sizeof shader->label);
    (void)filo_string_copy(filo_string(defines), shader->defines, sizeof shader->defines);
    filo_array_init(&shader->files, gfx->allocator);
    filo_array_init(&shader->uniforms, gfx->allocator);
    filo_array_init(&shader->variants, gfx->allocator);
    if (set_source(gfx, shader, text)) return index;
    free_shader(gfx, shader);
    return GFX3D_NONE;
}

void gfx3d_shader_release(FiloGfx3d *gfx, uint32_t index) {
    if (index == GFX3D_NONE || index == 0) return;
    Gfx3dShader *shader = gfx->materials->shaders.items[index];
    if (--shader->references == 0) free_shader(gfx, shader);
}

// ---- Texts --------------------------------------------------------------------------------------------------

// Textures of these kinds have nothing that could stand in for them.
static FiloResult check_uniforms(const Gfx3dShader *shader, const Gfx3dUniforms *uniforms) {
    filo_array_each (uniforms, info) {
        const char *type = info->type == FILO_UNIFORM_TEXTURE_SHADOW         ? "a sampler2DShadow"
                           : info->type == FILO_UNIFORM_TEXTURE_ARRAY_SHADOW ? "a sampler2DArrayShadow"
                           : info->type == FILO_UNIFORM_TEXELS               ? "a usamplerBuffer"
                                                                             : NULL;
        if (type != NULL && strncmp(info->name, "filo_", 5) != 0)
            return filo_error(FILO_ERROR_DATA, "%s: \"%s\" is %s, which a material cannot set", shader->label,
                              info->name, type);
    }
    return filo_ok();
}

// What the functions and uniforms of a text are, before it is compiled.
static FiloResult analyse(FiloGfx3d *gfx, Gfx3dShader *shader, bool *loading) {
    Gfx3dIncludes includes = { .gfx = gfx, .files = &shader->files };
    Gfx3dComposeDesc desc = { .source = { shader->label, gfx3d_shader_source(gfx, shader) },
                              .defines = shader->defines,
                              .open = gfx3d_open_include,
                              .user = &includes,
                              .allocator = gfx->allocator };
    Gfx3dUniforms uniforms;
    filo_array_init(&uniforms, gfx->allocator);
    bool found[3] = { false };
    int parts = 0;
    FiloResult result = filo_ok();
    for (int stage = GFX3D_STAGE_VERTEX; stage <= GFX3D_STAGE_FRAGMENT && result.code == FILO_OK; stage++) {
        Gfx3dText text;
        desc.stage = (Gfx3dStage)stage;
        result = gfx3d_compose(&text, &desc);
        if (result.code != FILO_OK) break;
        const char *composed = filo_builder_text(&text.text);
        parts |= text.parts;
        found[stage] = gfx3d_text_has_function(composed, stage == GFX3D_STAGE_VERTEX ? "vertex" : "surface");
        if (!gfx3d_text_uniforms(composed, &uniforms))
            result = filo_error(FILO_ERROR_MEMORY, "%s: no memory for a shader", shader->label);
        gfx3d_text_free(&text);
    }
    *loading = includes.loading;
    if (result.code == FILO_OK && parts == 0 && !includes.loading)
        result =
            filo_error(FILO_ERROR_DATA, "%s: there is no //! vertex or //! fragment part", shader->label);
    if (result.code == FILO_OK && !found[1] && !found[2])
        result = filo_error(FILO_ERROR_DATA,
                            "%s: has neither \"void vertex(inout FiloVertex v)\" after \"//! vertex\" nor "
                            "\"void surface(inout FiloSurface s)\" after \"//! fragment\"",
                            shader->label);
    if (result.code == FILO_OK) result = check_uniforms(shader, &uniforms);
    if (result.code == FILO_OK) {
        filo_array_deinit(&shader->uniforms);
        shader->uniforms.items = uniforms.items;
        shader->uniforms.count = uniforms.count;
        shader->uniforms.capacity = uniforms.capacity;
        shader->has_vertex = found[GFX3D_STAGE_VERTEX];
        shader->has_surface = found[GFX3D_STAGE_FRAGMENT];
    } else {
        filo_array_deinit(&uniforms);
    }
    return result;
}

static FiloResult compile_all(FiloGfx3d *gfx, Gfx3dShader *shader) {
    filo_array_each (&shader->variants, variant) {
        FiloResult result = gfx3d_variant_make(gfx, shader, variant);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

// Tries the current text of a shader.
static void try_text(FiloGfx3d *gfx, Gfx3dShader *shader) {
    bool loading = false, vertex = shader->has_vertex, surface = shader->has_surface;
    FiloResult result = analyse(gfx, shader, &loading);
    if (loading) return;
    shader->version++;
    if (result.code == FILO_OK) result = compile_all(gfx, shader);
    bool known = strcmp(shader->error.message, result.message) == 0;
    shader->error = result;
    if (result.code == FILO_OK) {
        shader->ready = true;
        return;
    }
    if (!known) filo_log_error("gfx3d", "%s", result.message);
    if (!shader->ready) return;
    shader->has_vertex = vertex; // of the pipelines that stay
    shader->has_surface = surface;
}

void gfx3d_shader_update(FiloGfx3d *gfx, uint32_t index) {
    Gfx3dShader *shader = gfx->materials->shaders.items[index];
    if (!shader->used || (shader->text == NULL && shader->file == GFX3D_NONE)) return;
    uint64_t version = version_of_files(gfx, shader);
    if (version == shader->files_version) return;
    shader->files_version = version;
    if (gfx3d_shader_source(gfx, shader) != NULL) {
        try_text(gfx, shader);
        // With files that it includes now. Without memory it is tried again in the next frame.
        shader->files_version =
            shader->error.code == FILO_ERROR_MEMORY ? UINT64_MAX : version_of_files(gfx, shader);
        return;
    }
    FiloAsset asset = gfx->materials->files.items[shader->file].asset;
    if (filo_asset_state(gfx->assets, asset) != FILO_ASSET_FAILED) return;
    shader->error = *filo_asset_error(gfx->assets, asset); // which the assets have logged
    shader->version++;
}

// ---- Variants -----------------------------------------------------------------------------------------------

static Gfx3dVariant *find_variant(Gfx3dShader *shader, uint32_t bits) {
    filo_array_each (&shader->variants, variant)
        if (variant->bits == bits) return variant;
    return NULL;
}

Gfx3dVariant *gfx3d_shader_variant(FiloGfx3d *gfx, uint32_t index, uint32_t bits) {
    Gfx3dShader *shader = gfx->materials->shaders.items[index];
    Gfx3dVariant *variant = find_variant(shader, bits);
    if (variant == NULL) {
        if (!filo_array_push(&shader->variants, (Gfx3dVariant){ .bits = bits, .material = GFX3D_NONE }))
            return NULL;
        variant = &shader->variants.items[shader->variants.count - 1];
    } else if (variant->pipeline.id != 0 || variant->version == shader->version) {
        return variant;
    }
    variant->version = shader->version;
    FiloResult result = gfx3d_variant_make(gfx, shader, variant);
    if (result.code != FILO_OK) {
        bool known = strcmp(shader->error.message, result.message) == 0; // of another variant
        shader->error = result;
        if (!known) filo_log_error("gfx3d", "%s", result.message);
        if (result.code == FILO_ERROR_MEMORY) variant->version--; // it is tried again
    }
    return variant;
}
