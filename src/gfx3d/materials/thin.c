// Materials, first version: one shader, lit by the sun's direction.

#include "gfx3d/materials/shader_text.h"
#include "gfx3d/renderer.h"

#include <stdio.h>

struct Gfx3dMaterials {
    FiloPipeline pipelines[GFX3D_PASSES][4];
    FiloMap by_name;
};

static const char *vertex_text =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec4 normal;\n"
    "layout(location = 4) in vec4 color;\n"
    "layout(location = 8) in vec4 row0;\n"
    "layout(location = 9) in vec4 row1;\n"
    "layout(location = 10) in vec4 row2;\n"
    "layout(location = 11) in vec4 tint;\n"
    "out vec3 n; out vec4 c;\n"
    "void main() {\n"
    "  vec4 p = vec4(position, 1.0);\n"
    "  vec3 w = vec3(dot(row0, p), dot(row1, p), dot(row2, p));\n"
    "  n = vec3(dot(row0.xyz, normal.xyz), dot(row1.xyz, normal.xyz), dot(row2.xyz, normal.xyz));\n"
    "  c = color * tint;\n"
    "  gl_Position = frame.view_projection * vec4(w, 1.0);\n"
    "}\n";
static const char *fragment_text =
    "in vec3 n; in vec4 c; out vec4 o;\n"
    "void main() { float d = dot(normalize(n), frame.sun_direction) * 0.5 + 0.5;\n"
    "  o = vec4(pow(c.rgb, vec3(2.2)) * d, 1.0); }\n";

FiloResult gfx3d_materials_init(FiloGfx3d *gfx) {
    gfx->materials = filo_alloc_zero(gfx->allocator, sizeof *gfx->materials, 0);
    if (gfx->materials == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for materials");
    filo_map_init(&gfx->materials->by_name, sizeof(uint32_t), gfx->allocator);
    char vertex[16384], fragment[16384];
    snprintf(vertex, sizeof vertex, "%s%s", gfx3d_shader_text("frame.glsl"), vertex_text);
    snprintf(fragment, sizeof fragment, "%s%s", gfx3d_shader_text("frame.glsl"), fragment_text);
    FiloResult r = filo_ok();
    for (int pass = 0; pass < GFX3D_PASSES && r.code == FILO_OK; pass++)
        for (uint32_t variant = 0; variant < 4 && r.code == FILO_OK; variant++) {
            FiloPipelineDesc desc = { .label = "mesh",
                                      .vertex = vertex,
                                      .fragment = fragment,
                                      .blend = FILO_BLEND_NONE,
                                      .depth_test = true,
                                      .depth_write = true,
                                      .cull_back = true,
                                      .no_color = pass != GFX3D_PASS_COLOR,
                                      .wireframe = (variant & GFX3D_WIREFRAME) != 0,
                                      .blocks = { "Frame" } };
            gfx3d_vertex_layout(&desc, (variant & GFX3D_SKINNED) != 0);
            r = filo_gpu_pipeline_create(&gfx->materials->pipelines[pass][variant], gfx->gpu, &desc);
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
