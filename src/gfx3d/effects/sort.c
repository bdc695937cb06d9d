// Quads in the order in which a view draws them. See effects.h.
//
// Distances are divided into COARSE steps, farthest first, each with the quads of one image after the other, and those in
// up to 16 finer steps. Steps are nearly equal factors: with 64 × 16 of them from 0.1 to 1000 units, one is about 1 % of
// the distance. So quads with different images are in the wrong order only if their distances differ by less than about
// 20 %, and the number of draw calls is at most COARSE times that of images.

#include "gfx3d/effects/effects.h"

#define COARSE 64u

typedef struct Sorting {
    FiloGfx3d *gfx;
    const Gfx3dView *view;
    Gfx3dQuad *out;
    uint32_t images, fine;
    float scale, offset; // from log2 of the distance to a step
} Sorting;

// ---- Buckets --------------------------------------------------------------------------------------------------

// An approximation of log2 to 1 %, which is monotonic: the exponent, and the mantissa as a straight line.
static float rough_log2(float x) {
    return (float)(int32_t)filo_float_to_bits(x) * (1.0f / 8388608.0f) - 127.0f;
}

static uint32_t bucket_of(const Sorting *sorting, const Gfx3dQuad *quad, uint16_t image) {
    const Gfx3dView *view = sorting->view;
    float radius = quad->half.x + quad->half.y;
    if (gfx3d_view_misses(view, quad->centre, radius)) return UINT32_MAX;
    FiloVec3 offset = filo_vec3_sub(quad->centre, view->eye);
    float distance = view->orthographic ? filo_vec3_dot(offset, view->forward) : filo_vec3_length(offset);
    uint32_t steps = COARSE * sorting->fine;
    float at = (rough_log2(filo_max(distance, view->near)) * sorting->scale + sorting->offset) * (float)steps;
    uint32_t step = steps - 1 - (uint32_t)filo_clamp(at, 0, (float)(steps - 1));
    return (step / sorting->fine * sorting->images + image) * sorting->fine + step % sorting->fine;
}

static bool reserve_counts(const FiloGfx3d *gfx, Gfx3dEffectBlock *block, size_t buckets) {
    if (block->count_capacity < buckets) {
        uint32_t *counts = filo_resize(gfx->allocator, block->counts, block->count_capacity * sizeof *counts,
                                       buckets * sizeof *counts, 0);
        if (counts == NULL) return false;
        block->counts = counts;
        block->count_capacity = buckets;
    }
    return filo_array_reserve(&block->buckets, block->quads.capacity);
}

static void count_blocks(size_t begin, size_t end, void *user) {
    const Sorting *sorting = user;
    size_t buckets = (size_t)COARSE * sorting->fine * sorting->images;
    for (size_t b = begin; b < end; b++) {
        Gfx3dEffectBlock *block = &sorting->gfx->effects->blocks[b];
        filo_array_clear(&block->buckets);
        if (!reserve_counts(sorting->gfx, block, buckets)) {
            filo_array_clear(&block->quads); // not drawn
            continue;
        }
        memset(block->counts, 0, buckets * sizeof *block->counts);
        for (size_t i = 0; i < block->quads.count; i++) {
            uint32_t bucket = bucket_of(sorting, &block->quads.items[i], block->images.items[i]);
            block->buckets.items[block->buckets.count++] = bucket;
            if (bucket != UINT32_MAX) block->counts[bucket]++;
        }
    }
}

// From counts to locations. Adds the runs with one image. Returns how many quads are visible;
// 0 also without memory.
static uint32_t locate(const Sorting *sorting, Gfx3dEffectView *out) {
    Gfx3dEffects *effects = sorting->gfx->effects;
    uint32_t next = 0;
    size_t buckets = (size_t)COARSE * sorting->fine * sorting->images;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        uint32_t first = next;
        for (size_t b = 0; b < effects->block_count; b++) {
            if (effects->blocks[b].quads.count == 0) continue;
            uint32_t *count = &effects->blocks[b].counts[bucket], location = next;
            next += *count;
            *count = location;
        }
        if (next == first) continue;
        uint32_t image = (uint32_t)(bucket / sorting->fine % sorting->images);
        Gfx3dEffectRun *last = out->runs.count > 0 ? &out->runs.items[out->runs.count - 1] : NULL;
        if (last != NULL && last->image == image)
            last->count += next - first;
        else if (!filo_array_push(&out->runs, (Gfx3dEffectRun){ image, first, next - first }))
            return 0;
    }
    return next;
}

static void write_blocks(size_t begin, size_t end, void *user) {
    const Sorting *sorting = user;
    for (size_t b = begin; b < end; b++) {
        const Gfx3dEffectBlock *block = &sorting->gfx->effects->blocks[b];
        for (size_t i = 0; i < block->quads.count; i++) {
            uint32_t bucket = block->buckets.items[i];
            if (bucket != UINT32_MAX) sorting->out[block->counts[bucket]++] = block->quads.items[i];
        }
    }
}

void gfx3d_effect_view_sort(FiloGfx3d *gfx, Gfx3dEffectView *view) {
    Gfx3dEffects *effects = gfx->effects;
    filo_array_clear(&view->runs);
    view->piece = (FiloRingPiece){ 0 };
    size_t quads = 0;
    for (size_t i = 0; i < effects->block_count; i++) quads += effects->blocks[i].quads.count;
    if (quads == 0) return;
    Sorting sorting = { .gfx = gfx, .view = view->view, .images = (uint32_t)effects->images.count };
    sorting.fine = sorting.images <= 4 ? 16 : sorting.images <= 32 ? 4 : 1;
    float low = rough_log2(view->view->near), high = rough_log2(view->view->far);
    sorting.scale = 1 / filo_max(high - low, 1e-3f);
    sorting.offset = -low * sorting.scale;
    filo_jobs_for_each(gfx->jobs, effects->block_count, count_blocks, &sorting);
    uint32_t count = locate(&sorting, view);
    if (count == 0 || !filo_gpu_ring_take(gfx->gpu, effects->ring, count * sizeof(Gfx3dQuad), &view->piece)) {
        filo_array_clear(&view->runs);
        return;
    }
    sorting.out = view->piece.memory;
    filo_jobs_for_each(gfx->jobs, effects->block_count, write_blocks, &sorting);
    filo_gpu_ring_done(gfx->gpu, effects->ring, &view->piece);
}
