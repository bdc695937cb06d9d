// Materials, first version: one shader, lit.

#include "gfx3d/materials/shader_text.h"
#include "gfx3d/renderer.h"

#include <stdio.h>
#include <string.h>

struct Gfx3dMaterials {
    FiloPipeline pipelines[GFX3D_PASSES][4];
    FiloMap by_name;
};

// ---- Texts ----------------------------------------------------------------------------------------------------

#define TEXT 65536

typedef struct Compose {
    char *to;
    size_t length;
    const char *stage;
    char names[48][48]; // defined
    size_t name_count;
    char files[32][48];
    size_t file_count;
    bool off[16]; // lines inside this condition are left out
    int depth;
} Compose;

static bool is_defined(const Compose *c, const char *name, size_t length) {
    for (size_t i = 0; i < c->name_count; i++)
        if (strlen(c->names[i]) == length && memcmp(c->names[i], name, length) == 0) return true;
    return false;
}

static void define(Compose *c, const char *name, size_t length) {
    if (c->name_count < 48 && length < 48) memcpy(c->names[c->name_count++], name, length);
}

static size_t word(const char *text) {
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789");
}

static void add_text(Compose *c, const char *text);

static void add_line(Compose *c, const char *line, size_t length) {
    bool off = false;
    for (int i = 0; i < c->depth; i++) off = off || c->off[i];
    if (strncmp(line, "#ifdef ", 7) == 0) {
        c->off[c->depth++] = !is_defined(c, line + 7, word(line + 7));
    } else if (strncmp(line, "#ifndef ", 8) == 0) {
        c->off[c->depth++] = is_defined(c, line + 8, word(line + 8));
    } else if (strncmp(line, "#else", 5) == 0) {
        c->off[c->depth - 1] = !c->off[c->depth - 1];
    } else if (strncmp(line, "#endif", 6) == 0) {
        c->depth--;
    } else if (off) {
        return;
    } else if (strncmp(line, "#include \"", 10) == 0) {
        char name[48] = { 0 };
        memcpy(name, line + 10, strcspn(line + 10, "\""));
        for (size_t i = 0; i < c->file_count; i++)
            if (strcmp(c->files[i], name) == 0) return;
        memcpy(c->files[c->file_count++], name, sizeof name);
        const char *before = c->stage, *text = gfx3d_shader_text(name);
        if (text != NULL) add_text(c, text);
        c->stage = before;
    } else {
        if (strncmp(line, "#define ", 8) == 0) define(c, line + 8, word(line + 8));
        if (c->length + length + 2 < TEXT) {
            memcpy(c->to + c->length, line, length);
            c->length += length;
            c->to[c->length++] = '\n';
            c->to[c->length] = 0;
        }
    }
}

// Lines of the stage; those before the first mark are of both.
static void add_text(Compose *c, const char *text) {
    char part[16] = { 0 };
    for (const char *line = text; *line != 0;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "//! ", 4) == 0)
            (void)snprintf(part, sizeof part, "%.*s", (int)word(line + 4), line + 4);
        else if (part[0] == 0 || strcmp(part, c->stage) == 0)
            add_line(c, line, length);
        line += length + (line[length] == '\n');
    }
}

static void compose(char *to, const char *text, const char *stage, const char *defines) {
    Compose c = { .to = to, .stage = stage };
    to[0] = 0;
    for (const char *at = defines != NULL ? defines : ""; *at != 0;) {
        size_t length = strcspn(at, " ");
        char line[80];
        size_t name = word(at);
        (void)snprintf(line, sizeof line, "#define %.*s %.*s", (int)name, at,
                       length > name ? (int)(length - name - 1) : 1, length > name ? at + name + 1 : "1");
        add_line(&c, line, strlen(line));
        at += length + (at[length] == ' ');
    }
    add_text(&c, text);
}

FiloResult gfx3d_program_create(FiloPipeline *pipeline, FiloGfx3d *gfx, const Gfx3dProgramDesc *desc) {
    const char *source = desc->source != NULL ? desc->source : gfx3d_shader_text(desc->label);
    if (source == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "%s: no such shader", desc->label);
    char *texts = filo_alloc(gfx->allocator, 2 * TEXT, 0);
    if (texts == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", desc->label);
    compose(texts, source, "vertex", desc->defines);
    compose(texts + TEXT, source, "fragment", desc->defines);
    FiloPipelineDesc full = desc->pipeline;
    full.label = desc->label;
    full.vertex = texts;
    full.fragment = texts + TEXT;
    full.blocks[0] = "Frame";
    FiloResult r = filo_gpu_pipeline_create(pipeline, gfx->gpu, &full);
    filo_free(gfx->allocator, texts, 2 * TEXT, 0);
    return r;
}

// ---- Materials ------------------------------------------------------------------------------------------------

static const char *source_text =
    "//! vertex\n"
    "#include \"frame.glsl\"\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec4 normal;\n"
    "layout(location = 4) in vec4 color;\n"
    "layout(location = 8) in vec4 row0;\n"
    "layout(location = 9) in vec4 row1;\n"
    "layout(location = 10) in vec4 row2;\n"
    "layout(location = 11) in vec4 tint;\n"
    "layout(location = 13) in vec2 values;\n"
    "#ifndef DEPTH\n"
    "out vec3 n; out vec4 c; out vec3 world; out vec2 v;\n"
    "#endif\n"
    "invariant gl_Position;\n"
    "void main() {\n"
    "  vec4 p = vec4(position, 1.0);\n"
    "  vec3 w = vec3(dot(row0, p), dot(row1, p), dot(row2, p));\n"
    "#ifndef DEPTH\n"
    "  n = vec3(dot(row0.xyz, normal.xyz), dot(row1.xyz, normal.xyz), dot(row2.xyz, normal.xyz));\n"
    "  c = color * tint; world = w; v = values;\n"
    "#endif\n"
    "  gl_Position = frame.view_projection * vec4(w, 1.0);\n"
    "}\n"
    "//! fragment\n"
    "#ifdef DEPTH\n"
    "void main() {}\n"
    "#else\n"
    "struct FiloSurface { vec4 color; vec3 normal; float metallic; float roughness; float occlusion; vec3 "
    "emissive; vec3 position; };\n"
    "#include \"light.glsl\"\n"
    "in vec3 n; in vec4 c; in vec3 world; in vec2 v; out vec4 o;\n"
    "void main() {\n"
    "  FiloSurface s = FiloSurface(vec4(pow(c.rgb, vec3(2.2)), 1.0), normalize(n), v.y, v.x > 0.0 ? v.x : "
    "0.8, 1.0, vec3(0.0), world);\n"
    "  o = vec4(filo_fog(filo_light(s, filo_to_eye(world)), world), 1.0); }\n"
    "#endif\n";

FiloResult gfx3d_materials_init(FiloGfx3d *gfx) {
    gfx->materials = filo_alloc_zero(gfx->allocator, sizeof *gfx->materials, 0);
    if (gfx->materials == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for materials");
    filo_map_init(&gfx->materials->by_name, sizeof(uint32_t), gfx->allocator);
    FiloResult r = filo_ok();
    for (int pass = 0; pass < GFX3D_PASSES && r.code == FILO_OK; pass++)
        for (uint32_t variant = 0; variant < 4 && r.code == FILO_OK; variant++) {
            Gfx3dProgramDesc desc = { .label = "mesh",
                                      .source = source_text,
                                      .defines = pass != GFX3D_PASS_COLOR ? "DEPTH" : NULL,
                                      .pipeline = { .blend = FILO_BLEND_NONE,
                                                    .depth_test = true,
                                                    .depth_write = true,
                                                    .cull_back = pass != GFX3D_PASS_SHADOW,
                                                    .no_color = pass != GFX3D_PASS_COLOR,
                                                    .depth_bias = pass == GFX3D_PASS_SHADOW ? 2.0f : 0.0f,
                                                    .depth_slope_bias =
                                                        pass == GFX3D_PASS_SHADOW ? 1.5f : 0.0f,
                                                    .wireframe = (variant & GFX3D_WIREFRAME) != 0 } };
            gfx3d_vertex_layout(&desc.pipeline, (variant & GFX3D_SKINNED) != 0);
            r = gfx3d_program_create(&gfx->materials->pipelines[pass][variant], gfx, &desc);
        }
    return r;
}

void gfx3d_materials_deinit(FiloGfx3d *gfx) {
    if (gfx->materials == NULL) return;
    filo_map_deinit(&gfx->materials->by_name);
    filo_free(gfx->allocator, gfx->materials, sizeof *gfx->materials, 0);
}

void gfx3d_materials_update(FiloGfx3d *gfx) { FILO_UNUSED(gfx); }
uint32_t gfx3d_material_find(FiloGfx3d *gfx, FiloName name) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(name);
    return 0;
}
Gfx3dMaterialInfo gfx3d_material_info(const FiloGfx3d *gfx, uint32_t material) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(material);
    return (Gfx3dMaterialInfo){ .casts_shadow = true };
}
uint32_t gfx3d_material_add_from_model(FiloGfx3d *gfx, const FiloModel *model, uint32_t material) {
    FILO_UNUSED(gfx);
    FILO_UNUSED(model);
    FILO_UNUSED(material);
    return 0;
}
bool gfx3d_material_bind(FiloGfx3d *gfx, uint32_t material, Gfx3dPass pass, uint32_t variant) {
    FILO_UNUSED(material);
    filo_gpu_use(gfx->gpu, gfx->materials->pipelines[pass][variant]);
    return true;
}
