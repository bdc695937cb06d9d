// Pipelines of a ground, and the caller's shader in them: compiled when the ground is first drawn, and again when a file of
// the shader changes.

#include "gfx3d/ground/ground.h"

#include <filo/log.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// What a ground looks like whose shader never was right: squares of two units.
static const char *const error_shader =
    "//! fragment\n"
    "void surface(inout FiloSurface s) {\n"
    "    vec2 square = floor(s.position.xz * 0.5);\n"
    "    s.color = vec4(0.0, 0.0, 0.0, 1.0);\n"
    "    s.emissive = mod(square.x + square.y, 2.0) < 0.5 ? vec3(1.0, 0.0, 1.0) : vec3(0.0);\n"
    "}\n";

static FiloPipelineDesc pipeline_desc(const FiloGfx3d *gfx, Gfx3dPass pass) {
    FiloPipelineDesc desc = {
        .label = "ground.glsl",
        .attributes = { { FILO_ATTRIBUTE_UBYTE4, 0, 0 },
                        { FILO_ATTRIBUTE_USHORT4, 1, offsetof(Gfx3dGroundSquare, column) },
                        { FILO_ATTRIBUTE_FLOAT2, 1, offsetof(Gfx3dGroundSquare, begin) } },
        .buffers = { { sizeof(Gfx3dGridVertex), false }, { sizeof(Gfx3dGroundSquare), true } },
        .blend = FILO_BLEND_NONE,
        .depth_test = true,
        .depth_write = true,
        .cull_back = true,
        .no_color = pass != GFX3D_PASS_COLOR,
    };
    if (pass == GFX3D_PASS_SHADOW) desc.depth_slope_bias = 2, desc.depth_bias = 2;
    if (pass == GFX3D_PASS_COLOR && gfx->desc.depth_prepass) desc.depth_write = false;
    return desc;
}

// Makes the pipeline of a pass, or replaces its shaders. On failure it stays as it is.
static FiloResult make(FiloGfx3d *gfx, Gfx3dGround *ground, Gfx3dPass pass, Gfx3dSource custom,
                       bool *loading) {
    char defines[96];
    (void)snprintf(defines, sizeof defines, "GROUND_QUADS=%d LAYERS=%u%s%s", GFX3D_GROUND_QUADS,
                   ground->layer_count, pass == GFX3D_PASS_COLOR ? "" : " DEPTH_ONLY",
                   custom.text != NULL ? " HAS_SURFACE" : "");
    Gfx3dProgramTexts texts = { .source = { "ground.glsl", gfx3d_shader_text("ground.glsl") },
                                .custom = custom,
                                .defines = defines,
                                .files = &ground->files,
                                .loading = loading };
    FiloPipelineDesc desc = pipeline_desc(gfx, pass);
    FiloResult r = gfx3d_program_make(&ground->pipelines[pass], gfx, &texts, &desc);
    if (r.code == FILO_OK) ground->values_set[pass] = false;
    return r;
}

// The caller's shader: its text, or the asset of that name.
static Gfx3dSource custom_source(const Gfx3dGround *ground, char *include, size_t size) {
    if (ground->shader == NULL) return (Gfx3dSource){ 0 };
    if (strchr(ground->shader, '\n') != NULL) return (Gfx3dSource){ "shader of the ground", ground->shader };
    (void)snprintf(include, size, "#include \"%s\"\n", ground->shader);
    return (Gfx3dSource){ ground->shader, include };
}

static void give_up(Gfx3dGround *ground, const FiloResult *result) {
    ground->broken = true;
    ground->error = *result;
    filo_log_error("gfx3d", "%s", result->message);
}

// Makes the pipeline for a ground without the caller's shader.
static void make_other(FiloGfx3d *gfx, Gfx3dGround *ground, const char *text) {
    FiloResult r = make(gfx, ground, GFX3D_PASS_COLOR, (Gfx3dSource){ "other shader", text }, NULL);
    if (r.code != FILO_OK && r.code != FILO_ERROR_MEMORY) give_up(ground, &r);
}

// Tries the current text of the shader. A broken one keeps the last good version. Until its files are loaded, the ground is
// drawn without it.
static void make_color(FiloGfx3d *gfx, Gfx3dGround *ground) {
    char include[GFX3D_LABEL + 16];
    bool loading = false;
    FiloResult r =
        make(gfx, ground, GFX3D_PASS_COLOR, custom_source(ground, include, sizeof include), &loading);
    // With the files that it includes now. Without memory it is tried again in the next frame.
    ground->files_version =
        r.code == FILO_ERROR_MEMORY ? UINT64_MAX : gfx3d_shader_files_version(gfx, &ground->files);
    if (loading) {
        if (ground->pipelines[GFX3D_PASS_COLOR].id == 0) make_other(gfx, ground, NULL);
        return;
    }
    if (r.code != FILO_OK && strcmp(r.message, ground->error.message) != 0)
        filo_log_error("gfx3d", "%s", r.message);
    ground->error = r;
    ground->good = ground->good || r.code == FILO_OK;
    if (!ground->good) make_other(gfx, ground, error_shader);
}

bool gfx3d_ground_programs(FiloGfx3d *gfx, Gfx3dGround *ground) {
    for (Gfx3dPass pass = 0; pass < GFX3D_PASSES && !ground->broken; pass++) {
        if (pass == GFX3D_PASS_COLOR || ground->pipelines[pass].id != 0) continue;
        FiloResult r = make(gfx, ground, pass, (Gfx3dSource){ 0 }, NULL);
        if (r.code != FILO_OK) give_up(ground, &r);
    }
    if (ground->broken) return false;
    bool exists = ground->pipelines[GFX3D_PASS_COLOR].id != 0;
    if (!exists || gfx3d_shader_files_version(gfx, &ground->files) != ground->files_version)
        make_color(gfx, ground);
    return !ground->broken && ground->pipelines[GFX3D_PASS_COLOR].id != 0;
}

void gfx3d_grounds_problems(const FiloGfx3d *gfx, FiloLines *lines) {
    filo_array_each (&gfx->grounds->list, ground)
        if ((*ground)->used && (*ground)->error.code != FILO_OK)
            filo_lines_add(lines, "%s", (*ground)->error.message);
}
