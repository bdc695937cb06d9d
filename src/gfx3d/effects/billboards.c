// FiloBillboard → quad. See effects.h.

#include "gfx3d/effects/effects.h"

static FiloColor or_white(FiloColor c) {
    return (c.r | c.g | c.b | c.a) == 0 ? (FiloColor){ 255, 255, 255, 255 } : c;
}

// Where a row is drawn. Its rotation does not matter.
static void find_place(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, uint32_t row, FiloVec3 *position,
                       FiloVec3 *scale) {
    if (rows->worlds != NULL && rows->worlds[row].valid) {
        Gfx3dEffectPose pose = gfx3d_effect_pose(gfx, rows, row);
        *position = pose.position;
        *scale = pose.scale;
        return;
    }
    const FiloTransform3 *now = &rows->transforms[row];
    *position = now->position;
    *scale = now->scale;
    const FiloPreviousTransform3 *previous = rows->previous != NULL ? &rows->previous[row] : NULL;
    if (previous != NULL && previous->valid && gfx->blend < 1)
        *position = filo_vec3_lerp(previous->position, now->position, gfx->blend);
    if (scale->x == 0 && scale->y == 0 && scale->z == 0) *scale = filo_vec3(1, 1, 1);
}

static void build_row(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, uint32_t row,
                      Gfx3dEffectBlock *block) {
    const FiloBillboard *b = &rows->billboards[row];
    FiloVec3 position, scale;
    find_place(gfx, rows, row, &position, &scale);
    FiloVec2 size = b->size.x == 0 && b->size.y == 0 ? filo_vec2(1, 1) : b->size;
    FiloVec2 half = filo_vec2(filo_abs(size.x * scale.x) * 0.5f, filo_abs(size.y * scale.y) * 0.5f);
    if (gfx3d_effect_unseen(gfx, position, filo_vec2_length(half), b->range)) return;
    uint16_t image = gfx3d_effect_block_image(gfx, block, b->image);
    if (image == UINT16_MAX) return;
    Gfx3dQuad *quad = gfx3d_effect_quad_add(block, image);
    if (quad == NULL) return;
    FiloSinCos turn = b->angle != 0 ? filo_sincos(b->angle) : (FiloSinCos){ .sin = 0, .cos = 1 };
    *quad = (Gfx3dQuad){ .centre = position,
                         .flags = (b->upright ? GFX3D_QUAD_UPRIGHT : 0u) | (b->lit ? GFX3D_QUAD_LIT : 0u) |
                                  (b->add ? GFX3D_QUAD_ADD : 0u),
                         .half = half,
                         .axis = { (int16_t)filo_round_to_int(turn.cos * 32767),
                                   (int16_t)filo_round_to_int(turn.sin * 32767) },
                         .color = or_white(b->color),
                         .brightness = b->brightness > 0 ? b->brightness : 1 };
    gfx3d_effect_frame_uv(b->frame, quad->uv);
}

void gfx3d_billboards_build(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, Gfx3dEffectBlock *block) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (!gfx3d_is_concealed(gfx, rows->entity_indices[i])) build_row(gfx, rows, i, block);
}
