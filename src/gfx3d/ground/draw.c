// Terrain in the frame: squares of all views are chosen at extraction, and drawn with one call for each view and pass.

#include "gfx3d/ground/ground.h"

#include <filo/log.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define INDICES (GFX3D_GROUND_QUADS * GFX3D_GROUND_QUADS * 6) // of the grid, in one order

// ---- The grid ---------------------------------------------------------------------------------------------------

static void add_quad(uint32_t *indices, uint32_t x, uint32_t z, bool falls) {
    uint32_t row = GFX3D_GROUND_QUADS + 1, i00 = z * row + x, i10 = i00 + 1, i01 = i00 + row, i11 = i01 + 1;
    const uint32_t rising[6] = { i00, i01, i11, i00, i11, i10 };
    const uint32_t falling[6] = { i00, i11, i01, i00, i10, i11 };
    for (int i = 0; i < 6; i++) indices[i] = falls ? falling[i] : rising[i];
}

static FiloResult make_grid(FiloGfx3d *gfx) {
    Gfx3dGridVertex vertices[(GFX3D_GROUND_QUADS + 1) * (GFX3D_GROUND_QUADS + 1)];
    uint32_t indices[2 * INDICES];
    for (uint32_t z = 0; z <= GFX3D_GROUND_QUADS; z++)
        for (uint32_t x = 0; x <= GFX3D_GROUND_QUADS; x++)
            vertices[z * (GFX3D_GROUND_QUADS + 1) + x] =
                (Gfx3dGridVertex){ .x = (uint8_t)x, .z = (uint8_t)z };
    for (uint32_t i = 0; i < GFX3D_GROUND_QUADS * GFX3D_GROUND_QUADS; i++)
        for (uint32_t order = 0; order < 2; order++)
            add_quad(indices + order * INDICES + 6 * i, i % GFX3D_GROUND_QUADS, i / GFX3D_GROUND_QUADS,
                     order == 1);
    FiloResult r = filo_gpu_buffer_create(
        &gfx->grounds->vertices, gfx->gpu,
        &(FiloBufferDesc){
            .label = "grid of the ground", .size = sizeof vertices, .data = vertices, .constant = true });
    if (r.code == FILO_OK)
        r = filo_gpu_buffer_create(&gfx->grounds->indices, gfx->gpu,
                                   &(FiloBufferDesc){ .label = "grid of the ground",
                                                      .use = FILO_BUFFER_INDICES,
                                                      .size = sizeof indices,
                                                      .data = indices,
                                                      .constant = true });
    return r;
}

FiloResult gfx3d_grounds_init(FiloGfx3d *gfx) {
    gfx->grounds = filo_alloc(gfx->allocator, sizeof *gfx->grounds, _Alignof(Gfx3dGrounds));
    if (gfx->grounds == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for grounds");
    *gfx->grounds = (Gfx3dGrounds){ 0 };
    filo_array_init(&gfx->grounds->list, gfx->allocator);
    filo_array_init(&gfx->grounds->squares, gfx->allocator);
    return filo_ok();
}

void gfx3d_grounds_deinit(FiloGfx3d *gfx) {
    Gfx3dGrounds *grounds = gfx->grounds;
    if (grounds == NULL) return;
    filo_array_each (&grounds->list, ground) {
        gfx3d_ground_free(gfx, *ground);
        filo_free(gfx->allocator, *ground, sizeof(Gfx3dGround), _Alignof(Gfx3dGround));
    }
    filo_array_deinit(&grounds->list);
    filo_array_deinit(&grounds->squares);
    filo_gpu_pipeline_destroy(gfx->gpu, grounds->copy);
    filo_gpu_buffer_destroy(gfx->gpu, grounds->vertices);
    filo_gpu_buffer_destroy(gfx->gpu, grounds->indices);
    if (grounds->ring != NULL) filo_gpu_ring_destroy(gfx->gpu, grounds->ring);
    filo_free(gfx->allocator, grounds, sizeof *grounds, _Alignof(Gfx3dGrounds));
    gfx->grounds = NULL;
}

// ---- Extraction -------------------------------------------------------------------------------------------------

// The camera that a view belongs to: shadows have the same levels as what casts and receives them in the picture.
static const Gfx3dView *camera_of(const FiloGfx3d *gfx, const Gfx3dView *view) {
    if (!view->shadow) return view;
    filo_array_each (&gfx->views, other)
        for (int i = 0; i < 4; i++)
            if ((*other)->shadows[i] == view) return *other;
    return view;
}

static void choose_squares(FiloGfx3d *gfx, Gfx3dGround *ground) {
    GroundSquares *squares = &gfx->grounds->squares;
    ground->stats = (FiloGroundStats){ 0 };
    filo_array_clear(&ground->pieces);
    filo_array_each (&gfx->views, item) {
        const Gfx3dView *view = *item;
        Gfx3dGroundPiece piece = { .first = (uint32_t)squares->count };
        bool ok = true;
        if (!view->shadow || !ground->desc.no_shadow) {
            Gfx3dGroundRanges ranges =
                gfx3d_ground_ranges(&ground->tree, camera_of(gfx, view), ground->desc.detail);
            ok = gfx3d_ground_select(&ground->tree, &ranges, view, squares);
        }
        piece.count = (uint32_t)squares->count - piece.first;
        ok = filo_array_push(&ground->pieces, piece) && ok;
        if (!ok) filo_log_error("gfx3d", "no memory for the squares of a ground");
        ground->stats.squares += view->shadow ? 0 : piece.count;
        ground->stats.triangles += view->shadow ? 0 : (uint64_t)piece.count * (INDICES / 3);
    }
}

// Squares of all grounds, in GPU memory.
static bool upload_squares(FiloGfx3d *gfx) {
    Gfx3dGrounds *grounds = gfx->grounds;
    grounds->piece = (FiloRingPiece){ 0 };
    size_t size = grounds->squares.count * sizeof(Gfx3dGroundSquare);
    if (size == 0) return true;
    if (grounds->ring == NULL) {
        FiloResult r = filo_gpu_ring_create(
            &grounds->ring, gfx->gpu,
            &(FiloRingDesc){ .label = "squares of the ground", .size = FILO_MAX(2 * size, (size_t)65536) });
        if (r.code == FILO_OK && grounds->vertices.id == 0) r = make_grid(gfx);
        if (r.code != FILO_OK) filo_log_error("gfx3d", "%s", r.message);
        if (r.code != FILO_OK || grounds->ring == NULL) return false;
    }
    if (!filo_gpu_ring_take(gfx->gpu, grounds->ring, size, &grounds->piece)) return false;
    memcpy(grounds->piece.memory, grounds->squares.items, size);
    filo_gpu_ring_done(gfx->gpu, grounds->ring, &grounds->piece);
    return grounds->piece.buffer.id != 0;
}

void gfx3d_grounds_extract(FiloGfx3d *gfx) {
    Gfx3dGrounds *grounds = gfx->grounds;
    filo_array_clear(&grounds->squares);
    filo_array_each (&grounds->list, item) {
        Gfx3dGround *ground = *item;
        if (!ground->used) continue;
        if (ground->shape_changed) filo_gpu_texture_make_mipmaps(gfx->gpu, ground->shape_texture);
        ground->shape_changed = false;
        gfx3d_ground_update_layers(gfx, ground);
        if (!gfx3d_ground_programs(gfx, ground)) continue;
        choose_squares(gfx, ground);
    }
    if (!upload_squares(gfx)) grounds->piece = (FiloRingPiece){ 0 };
}

// ---- Drawing ----------------------------------------------------------------------------------------------------

static float inverse(float x) { return x > 0 ? 1 / x : 1e6f; }

static void set_layer(FiloGfx3d *gfx, const FiloGroundLayer *layer, uint32_t index, int channel) {
    char name[32];
    FiloVec4 color = filo_color_to_linear(layer->color);
    bool any_height = layer->height.x == 0 && layer->height.y == 0;
    bool any_slope = layer->slope.x == 0 && layer->slope.y == 0;
    snprintf(name, sizeof name, "layer_color[%u]", index);
    filo_gpu_set_vec4(gfx->gpu, name, (FiloVec4){ color.x, color.y, color.z, 1 / layer->size });
    snprintf(name, sizeof name, "layer_fit[%u]", index);
    filo_gpu_set_vec4(gfx->gpu, name,
                      (FiloVec4){ any_height ? -1e9f : layer->height.x, any_height ? 1e9f : layer->height.y,
                                  any_slope ? -1e9f : layer->slope.x, any_slope ? 1e9f : layer->slope.y });
    snprintf(name, sizeof name, "layer_more[%u]", index);
    filo_gpu_set_vec4(gfx->gpu, name,
                      (FiloVec4){ inverse(layer->blend), layer->roughness, (float)channel, layer->blend });
}

// Values that do not change: a pipeline keeps them.
static void set_values(FiloGfx3d *gfx, const Gfx3dGround *ground, Gfx3dPass pass) {
    const Gfx3dGroundTree *tree = &ground->tree;
    FiloVec3 at = tree->position;
    float highest = at.y + (float)tree->levels[tree->level_count - 1].bounds[0].high * tree->unit;
    filo_gpu_set_vec4(gfx->gpu, "ground_position", (FiloVec4){ at.x, at.y, at.z, highest });
    filo_gpu_set_vec3(gfx->gpu, "ground_step", filo_vec3(tree->spacing, 65535 * tree->unit, tree->step_z));
    filo_gpu_set_ivec2(gfx->gpu, "ground_last",
                       (FiloIVec2){ (int32_t)tree->columns - 1, (int32_t)tree->rows - 1 });
    if (pass != GFX3D_PASS_COLOR) return;
    int channel = 0;
    for (uint32_t i = 0; i < ground->layer_count; i++) {
        const FiloGroundLayer *layer = &ground->desc.layers[i];
        set_layer(gfx, layer, i, layer->painted ? channel : -1);
        if (layer->painted) channel = FILO_MIN(channel + 1, 3);
    }
}

static void draw_ground(FiloGfx3d *gfx, Gfx3dGround *ground, const Gfx3dView *view, Gfx3dPass pass,
                        Gfx3dGroundPiece piece) {
    const Gfx3dGrounds *grounds = gfx->grounds;
    FiloGpu *gpu = gfx->gpu;
    filo_gpu_use(gpu, ground->pipelines[pass]);
    if (!ground->values_set[pass]) gfx3d_set_white(gfx, ground->pipelines[pass]);
    gfx3d_lights_bind(gfx, view, pass);
    if (!ground->values_set[pass]) set_values(gfx, ground, pass);
    ground->values_set[pass] = true;
    filo_gpu_set_texture(gpu, "ground_heights", ground->height_texture);
    if (pass == GFX3D_PASS_COLOR) {
        filo_gpu_set_texture(gpu, "ground_shape", ground->shape_texture);
        filo_gpu_set_texture(gpu, "ground_weights", ground->weight_texture);
        filo_gpu_set_texture(gpu, "ground_images", ground->images);
    }
    filo_gpu_set_vertices(gpu, 0, grounds->vertices, 0);
    filo_gpu_set_vertices(gpu, 1, grounds->piece.buffer,
                          grounds->piece.offset + piece.first * sizeof(Gfx3dGroundSquare));
    filo_gpu_set_indices(gpu, grounds->indices);
    filo_gpu_draw_indexed(gpu, ground->desc.flip_z ? INDICES : 0, INDICES, 0, (int)piece.count);
}

void gfx3d_grounds_draw(FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dPass pass) {
    if (gfx->grounds->piece.buffer.id == 0) return;
    size_t index = 0;
    while (index < gfx->views.count && gfx->views.items[index] != view) index++;
    filo_array_each (&gfx->grounds->list, item) {
        Gfx3dGround *ground = *item;
        if (!ground->used || ground->broken || index >= ground->pieces.count ||
            ground->pipelines[pass].id == 0)
            continue;
        Gfx3dGroundPiece piece = ground->pieces.items[index];
        if (piece.count > 0) draw_ground(gfx, ground, view, pass, piece);
    }
}
