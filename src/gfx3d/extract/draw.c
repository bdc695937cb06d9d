// Lists → draw commands. See extract.h.

#include "gfx3d/extract/extract.h"

typedef struct Run { // draws with one pipeline and the same textures
    uint32_t material, variant;
} Run;

static void draw_commands(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass, Run run) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->commands.count == 0) return;
    if (view->settings.wireframe && pass == GFX3D_PASS_COLOR) run.variant |= GFX3D_WIREFRAME;
    if (gfx3d_sky_is_drawn(gfx, view)) run.variant |= GFX3D_MARK_UNLIT;
    if (gfx3d_material_bind(gfx, run.material, pass, run.variant)) {
        gfx3d_lights_bind(gfx, view, pass);
        gfx3d_meshes_bind(gfx, (run.variant & GFX3D_SKINNED) != 0);
        if ((run.variant & GFX3D_SKINNED) != 0) gfx3d_figures_bind(gfx);
        filo_gpu_set_vertices(gfx->gpu, 1, e->piece.buffer, e->piece.offset);
        filo_gpu_draw_indexed_list(gfx->gpu, e->commands.items, e->commands.count);
    }
    filo_array_clear(&e->commands);
}

static void add_command(FiloGfx3d *gfx, const Gfx3dDrawItem *item, uint32_t first_instance,
                        uint32_t instances) {
    if (item->count == 0) return;
    (void)filo_array_push(&gfx->extraction->commands, (FiloDrawCommand){ .count = item->count,
                                                                         .instances = instances,
                                                                         .first = item->first,
                                                                         .base_vertex = item->base_vertex,
                                                                         .first_instance = first_instance });
}

void gfx3d_draw_opaque(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->piece.buffer.id == 0 || view->lists == NULL) return;
    filo_array_clear(&e->commands);
    Run run = { 0 };
    uint32_t key = 0;
    filo_array_each (&e->items[pass], item) {
        Gfx3dList list = view->lists[item->list];
        if (list.count == 0) continue;
        uint32_t item_key = gfx3d_material_info(gfx, item->material).keys[pass];
        if (e->commands.count > 0 && (item_key != key || item->variant != run.variant))
            draw_commands(gfx, view, pass, run);
        run = (Run){ item->material, item->variant };
        key = item_key;
        add_command(gfx, item, list.first, list.count);
    }
    draw_commands(gfx, view, pass, run);
}

void gfx3d_draw_blended(FiloGfx3d *gfx, const Gfx3dView *view) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->piece.buffer.id == 0 || !e->items_valid) return;
    filo_array_clear(&e->commands);
    Run run = { 0 };
    for (size_t n = 0; n < view->blended.count; n++) {
        Gfx3dBlended one = view->blended.items[n];
        for (uint32_t i = e->first_blended.items[one.list]; i < e->first_blended.items[one.list + 1]; i++) {
            const Gfx3dDrawItem *item = &e->blended_items.items[i];
            if (e->commands.count > 0 && (item->material != run.material || item->variant != run.variant))
                draw_commands(gfx, view, GFX3D_PASS_COLOR, run);
            run = (Run){ item->material, item->variant };
            add_command(gfx, item, one.instance, 1);
        }
    }
    draw_commands(gfx, view, GFX3D_PASS_COLOR, run);
}
