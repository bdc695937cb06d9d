// Rows of billboards and emitters become quads, in blocks. See effects.h.

#include "gfx3d/effects/effects.h"
#include "gfx3d/systems/systems.h"

#define BILLBOARD_ROWS 512 // of one piece of a chunk
#define EMITTER_ROWS   8

// ---- Blocks ---------------------------------------------------------------------------------------------------

bool gfx3d_effect_quads_reserve(Gfx3dEffectBlock *block, size_t more) {
    size_t needed = block->quads.count + more;
    if (needed <= block->quads.capacity && needed <= block->images.capacity) return true;
    size_t room = FILO_MAX(needed, needed + needed / 2);
    return filo_array_reserve(&block->quads, room) && filo_array_reserve(&block->images, room);
}

Gfx3dQuad *gfx3d_effect_quad_add(Gfx3dEffectBlock *block, uint16_t image) {
    if (!gfx3d_effect_quads_reserve(block, 1)) {
        block->failed = true;
        return NULL;
    }
    block->images.items[block->images.count++] = image;
    return &block->quads.items[block->quads.count++];
}

uint16_t gfx3d_effect_block_image(const FiloGfx3d *gfx, Gfx3dEffectBlock *block, FiloName image) {
    uint16_t slot = gfx3d_effect_image_look_up(gfx->effects, image);
    if (slot != UINT16_MAX || gfx->effects->images_full) return slot;
    size_t known = block->unknown.count;
    if (known == 0 || block->unknown.items[known - 1].id != image.id)
        (void)filo_array_push(&block->unknown, image); // without memory, which is reported, it is not shown
    return UINT16_MAX;
}

// ---- Rows -----------------------------------------------------------------------------------------------------

Gfx3dEffectPose gfx3d_effect_pose(const FiloGfx3d *gfx, const Gfx3dEffectRows *rows, uint32_t row) {
    FiloTransform3 t;
    if (rows->worlds != NULL && rows->worlds[row].valid)
        t = filo_transform3_from_matrix(filo_world_transform3_blend(&rows->worlds[row], gfx->blend));
    else
        t = filo_transform3_blend(rows->previous != NULL ? &rows->previous[row] : NULL,
                                  &rows->transforms[row], gfx->blend);
    FiloVec3 one = { 1, 1, 1 };
    bool unscaled = t.scale.x == 0 && t.scale.y == 0 && t.scale.z == 0;
    return (Gfx3dEffectPose){ t.position, unscaled ? one : t.scale, gfx3d_unit_rotation(t.rotation) };
}

void gfx3d_effect_frame_uv(FiloRect frame, uint16_t uv[4]) {
    if (filo_rect_is_empty(frame)) frame = (FiloRect){ { 0, 0 }, { 1, 1 } };
    uv[0] = (uint16_t)filo_round_to_int(filo_clamp01(frame.min.x) * 65535);
    uv[1] = (uint16_t)filo_round_to_int(filo_clamp01(frame.min.y) * 65535);
    uv[2] = (uint16_t)filo_round_to_int(filo_clamp01(frame.max.x) * 65535);
    uv[3] = (uint16_t)filo_round_to_int(filo_clamp01(frame.max.y) * 65535);
}

bool gfx3d_effect_unseen(const FiloGfx3d *gfx, FiloVec3 centre, float radius, float range) {
    for (size_t i = 0; i < gfx->views.count; i++) {
        const Gfx3dView *view = gfx->views.items[i];
        if (view->shadow || gfx3d_view_misses(view, centre, radius)) continue;
        float limit = range + radius;
        if (range <= 0 || filo_vec3_distance_squared(centre, view->eye) <= limit * limit) return false;
    }
    return true;
}

// ---- Pieces ---------------------------------------------------------------------------------------------------

static void add_piece(Gfx3dEffects *effects, const Gfx3dEffectRows *all, uint32_t first, uint32_t count) {
    Gfx3dEffectRows rows = *all;
    rows.transforms += first;
    if (rows.previous != NULL) rows.previous += first;
    if (rows.worlds != NULL) rows.worlds += first;
    if (rows.billboards != NULL) rows.billboards += first;
    if (rows.particles != NULL) rows.particles += first;
    rows.entity_indices += first;
    rows.count = count;
    (void)filo_array_push(&effects->rows, rows); // without memory, which is reported, they are not drawn
}

static void find_rows(Gfx3dEffects *effects, FiloQuery *query, bool particles) {
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        Gfx3dEffectRows rows = { .transforms = filo_read(&it, FiloTransform3),
                                 .previous = filo_read(&it, FiloPreviousTransform3),
                                 .worlds = filo_read(&it, FiloWorldTransform3),
                                 .billboards = particles ? NULL : filo_read(&it, FiloBillboard),
                                 .particles = particles ? filo_read(&it, FiloParticles) : NULL,
                                 .entity_indices = filo_iter_indices(&it) };
        uint32_t step = particles ? EMITTER_ROWS : BILLBOARD_ROWS, count = (uint32_t)it.count;
        for (uint32_t first = 0; first < count; first += step)
            add_piece(effects, &rows, first, FILO_MIN(step, count - first));
    }
}

static void divide(Gfx3dEffects *effects) {
    size_t pieces = effects->rows.count, blocks = FILO_MIN(pieces, (size_t)GFX3D_EFFECT_BLOCKS);
    effects->block_count = blocks;
    for (size_t i = 0; i < blocks; i++) {
        Gfx3dEffectBlock *block = &effects->blocks[i];
        block->first = pieces * i / blocks;
        block->count = pieces * (i + 1) / blocks - block->first;
        block->failed = false;
        filo_array_clear(&block->unknown);
    }
}

static void build_blocks(size_t begin, size_t end, void *user) {
    FiloGfx3d *gfx = user;
    Gfx3dEffects *effects = gfx->effects;
    for (size_t i = begin; i < end; i++) {
        Gfx3dEffectBlock *block = &effects->blocks[i];
        filo_array_clear(&block->quads);
        filo_array_clear(&block->images);
        block->particles = 0;
        for (size_t k = block->first; k < block->first + block->count && !block->failed; k++) {
            const Gfx3dEffectRows *rows = &effects->rows.items[k];
            if (rows->particles != NULL)
                gfx3d_particles_build(gfx, rows, block);
            else
                gfx3d_billboards_build(gfx, rows, block);
        }
    }
}

void gfx3d_effect_quads_extract(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    filo_array_clear(&effects->rows);
    find_rows(effects, effects->billboards, false);
    find_rows(effects, effects->particles, true);
    divide(effects);
    filo_jobs_for_each(gfx->jobs, effects->block_count, build_blocks, gfx);
    // Images that are shown for the first time get slots, and are in this frame already.
    if (gfx3d_effect_images_add(gfx)) filo_jobs_for_each(gfx->jobs, effects->block_count, build_blocks, gfx);
    for (size_t i = 0; i < effects->block_count; i++) gfx->stats.particles += effects->blocks[i].particles;
}
