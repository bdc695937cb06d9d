// A frame of extraction. See extract.h.

#include "gfx3d/extract/extract.h"

#include <filo/time.h>

// ---- Creating ---------------------------------------------------------------------------------------------------------

FiloResult gfx3d_extract_init(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction = filo_alloc_zero(gfx->allocator, sizeof *e, 0);
    if (e == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the renderer");
    const FiloAllocator *a = gfx->allocator;
    e->kernels = gfx3d_kernels_choose();
    e->rows.allocator = e->rows_by_chunk.allocator = e->batches.allocator = e->blended_items.allocator =
        e->first_lists.allocator = a;
    e->first_blended.allocator = e->spare_views.allocator = e->lists.allocator = e->sorting.allocator = a;
    e->sorted.allocator = e->commands.allocator = e->sets.allocator = gfx->views.allocator = a;
    for (int i = 0; i < GFX3D_PASSES; i++) e->items[i].allocator = a;
    for (int i = 0; i < GFX3D_BLOCKS; i++) e->blocks[i].distances.allocator = a;
    filo_map_init(&e->batch_by_key, sizeof(uint16_t), a);
    e->meshes = filo_query(gfx->world, FILO_READ(FiloTransform3), FILO_READ(FiloMesh),
                           FILO_OPTIONAL_READ(FiloPreviousTransform3),
                           FILO_OPTIONAL_READ(FiloWorldTransform3), FILO_OPTIONAL_READ(FiloSkinned));
    e->cameras =
        filo_query(gfx->world, FILO_READ(FiloTransform3), FILO_READ(FiloCamera3),
                   FILO_OPTIONAL_READ(FiloPreviousTransform3), FILO_OPTIONAL_READ(FiloWorldTransform3));
    e->unresolved = filo_query(gfx->world, FILO_WITH(FiloTransform3), FILO_WITH(FiloMesh),
                               FILO_WITH(FiloFamily), FILO_WITHOUT(FiloWorldTransform3));
    e->flat =
        filo_query(gfx->world, FILO_READ(FiloTransform2), FILO_READ(FiloTransform3), FILO_WITH(FiloMesh));
    gfx->concealed = filo_concealed_create(gfx->world, a);
    if (e->meshes == NULL || e->cameras == NULL || e->unresolved == NULL || e->flat == NULL ||
        gfx->concealed == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the queries of the renderer");
    return filo_gpu_ring_create(
        &e->ring, gfx->gpu,
        &(FiloRingDesc){ .label = "instances", .use = FILO_BUFFER_VERTICES, .size = 1 << 20 });
}

static void free_block(FiloGfx3d *gfx, Gfx3dBlock *block) {
    for (size_t v = 0; v < block->view_count; v++) {
        filo_array_deinit(&block->views[v].visible);
        filo_array_deinit(&block->views[v].blended);
        filo_free(gfx->allocator, block->views[v].counts, block->views[v].capacity * sizeof(uint32_t), 0);
    }
    filo_free(gfx->allocator, block->views, block->view_count * sizeof *block->views, 0);
    filo_array_deinit(&block->distances);
}

static void free_view(FiloGfx3d *gfx, Gfx3dView *view) {
    filo_array_deinit(&view->blended);
    filo_free(gfx->allocator, view, sizeof *view, 0);
}

static void end_writes(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e->piece.memory != NULL) filo_gpu_ring_done(gfx->gpu, e->ring, &e->piece);
}

void gfx3d_extract_deinit(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    if (e == NULL) return;
    end_writes(gfx);
    filo_query_release(e->meshes);
    filo_query_release(e->cameras);
    filo_query_release(e->unresolved);
    filo_query_release(e->flat);
    filo_concealed_destroy(gfx->concealed);
    gfx3d_instance_sets_deinit(gfx);
    filo_array_each (&e->rows_by_chunk, slot) {
        if (*slot == NULL) continue;
        gfx3d_rows_free(gfx, *slot);
        filo_free(gfx->allocator, *slot, sizeof **slot, 0);
    }
    filo_array_each (&gfx->views, view) free_view(gfx, *view);
    filo_array_each (&e->spare_views, view) free_view(gfx, *view);
    for (int i = 0; i < GFX3D_BLOCKS; i++) free_block(gfx, &e->blocks[i]);
    for (int i = 0; i < GFX3D_PASSES; i++) filo_array_deinit(&e->items[i]);
    filo_array_deinit(&gfx->views);
    filo_array_deinit(&e->rows);
    filo_array_deinit(&e->rows_by_chunk);
    filo_array_deinit(&e->batches);
    filo_array_deinit(&e->first_lists);
    filo_array_deinit(&e->blended_items);
    filo_array_deinit(&e->first_blended);
    filo_array_deinit(&e->spare_views);
    filo_array_deinit(&e->lists);
    filo_array_deinit(&e->sorting);
    filo_array_deinit(&e->sorted);
    filo_array_deinit(&e->commands);
    filo_map_deinit(&e->batch_by_key);
    if (e->ring != NULL) filo_gpu_ring_destroy(gfx->gpu, e->ring);
    filo_free(gfx->allocator, e, sizeof *e, 0);
    gfx->extraction = NULL;
}

// ---- Blocks -----------------------------------------------------------------------------------------------------------

// What a block finds for each view. False without memory.
static bool reserve_views(FiloGfx3d *gfx, Gfx3dBlock *block, size_t count) {
    if (block->view_count >= count) return true;
    Gfx3dBlockView *views = filo_resize(gfx->allocator, block->views, block->view_count * sizeof *views,
                                        count * sizeof *views, 0);
    if (views == NULL) return false;
    block->views = views;
    for (size_t v = block->view_count; v < count; v++) {
        views[v] = (Gfx3dBlockView){ 0 };
        views[v].visible.allocator = views[v].blended.allocator = gfx->allocator;
    }
    block->view_count = count;
    return true;
}

// Divides the rows into blocks.
static void make_blocks(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    size_t all = 0, in_block = 0;
    filo_array_each (&e->rows, rows) all += (*rows)->count;
    size_t size = FILO_MAX((size_t)GFX3D_BLOCK_ROWS, all / (GFX3D_BLOCKS - 1) + 1);
    e->block_count = 0;
    for (size_t i = 0; i < e->rows.count; i++) {
        Gfx3dBlock *block = &e->blocks[e->block_count > 0 ? e->block_count - 1 : 0];
        bool is_full = in_block >= size || (e->block_count > 0 && block->count >= UINT16_MAX);
        if (e->block_count == 0 || (is_full && e->block_count < GFX3D_BLOCKS)) {
            block = &e->blocks[e->block_count];
            if (!reserve_views(gfx, block, gfx->views.count)) return; // the rest is not drawn
            block->first = i;
            block->count = in_block = 0;
            e->block_count++;
        }
        if (block->count >= UINT16_MAX) return; // Gfx3dVisible.rows has 16 bits
        block->count++;
        in_block += e->rows.items[i]->count;
    }
}

static void cull_blocks(size_t begin, size_t end, void *user) {
    FiloGfx3d *gfx = user;
    for (size_t i = begin; i < end; i++) gfx3d_cull_block(gfx, &gfx->extraction->blocks[i]);
}

static void write_blocks(size_t begin, size_t end, void *user) {
    FiloGfx3d *gfx = user;
    for (size_t i = begin; i < end; i++)
        gfx3d_write_block(gfx, &gfx->extraction->blocks[i], gfx->extraction->piece.memory);
}

// ---- Lists --------------------------------------------------------------------------------------------------------------

// From counts to locations: list after list, in each list block after block. Returns how many instances there are.
static size_t locate(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    size_t next = 0;
    for (size_t v = 0; v < gfx->views.count; v++) {
        Gfx3dView *view = gfx->views.items[v];
        size_t before = next;
        view->lists = e->lists.items + v * e->list_count;
        for (uint32_t list = 0; list < e->list_count; list++) {
            size_t first = next;
            for (size_t b = 0; b < e->block_count; b++) {
                if (e->blocks[b].failed) continue;
                uint32_t *count = &e->blocks[b].views[v].counts[list];
                size_t location = next;
                next += *count;
                *count = (uint32_t)location;
            }
            view->lists[list] = (Gfx3dList){ (uint32_t)first, (uint32_t)(next - first) };
        }
        view->visible = next - before;
        if (!view->shadow) gfx->stats.visible += view->visible;
    }
    return next;
}

// Sorts by key, with a radix sort of four rounds: equal keys stay in the order of the world.
static void sort_blended(Gfx3dExtraction *e) {
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t counts[257] = { 0 };
        for (size_t i = 0; i < e->sorting.count; i++) counts[(e->sorting.items[i].key >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) counts[i + 1] += counts[i];
        for (size_t i = 0; i < e->sorting.count; i++)
            e->sorted.items[counts[e->sorting.items[i].key >> shift & 255]++] = e->sorting.items[i];
        for (size_t i = 0; i < e->sorting.count; i++) e->sorting.items[i] = e->sorted.items[i];
    }
}

static void collect_blended(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    for (size_t v = 0; v < gfx->views.count; v++) {
        Gfx3dView *view = gfx->views.items[v];
        filo_array_clear(&view->blended);
        filo_array_clear(&e->sorting);
        bool ok = true;
        for (size_t b = 0; b < e->block_count; b++) {
            const Gfx3dBlockView *found = &e->blocks[b].views[v];
            if (!e->blocks[b].failed && found->blended.count > 0)
                ok = ok && filo_array_push_many(&e->sorting, found->blended.items, found->blended.count);
        }
        if (!ok || e->sorting.count == 0 || !filo_array_resize(&e->sorted, e->sorting.count)) continue;
        sort_blended(e);
        for (size_t i = 0; i < e->sorting.count; i++)
            (void)filo_array_push(&view->blended, e->sorting.items[i].blended);
    }
}

static void extract_meshes(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    int64_t begin = filo_time_ns();
    gfx3d_batches_update(gfx);
    gfx3d_rows_find(gfx);
    gfx3d_batches_resolve(gfx);
    gfx3d_instance_sets_find(gfx);
    gfx3d_batches_sort_items(gfx);
    make_blocks(gfx);
    filo_jobs_for_each(gfx->jobs, e->block_count, cull_blocks, gfx);
    e->piece = (FiloRingPiece){ 0 };
    if (!filo_array_resize(&e->lists, gfx->views.count * e->list_count)) {
        filo_array_each (&gfx->views, view) (*view)->lists = NULL;
        return;
    }
    size_t instances = locate(gfx);
    for (size_t b = 0; b < e->block_count; b++) gfx->stats.rebuilt += e->blocks[b].rebuilt;
    gfx->stats.instances = instances;
    int64_t culled = filo_time_ns();
    gfx->stats.cull_ms = (double)(culled - begin) * 1e-6;
    if (instances == 0 ||
        !filo_gpu_ring_take(gfx->gpu, e->ring, instances * sizeof(Gfx3dInstance), &e->piece))
        return;
    filo_jobs_for_each(gfx->jobs, e->block_count, write_blocks, gfx);
    collect_blended(gfx);
    end_writes(gfx);
    gfx->stats.write_ms = (double)(filo_time_ns() - culled) * 1e-6;
}

// ---- A frame ------------------------------------------------------------------------------------------------------------

void filo_gfx3d_extract(FiloGfx3d *gfx, const FiloExtract3 *extract) {
    if (!FILO_CHECK(gfx != NULL && extract != NULL, "pass a renderer and what to extract") ||
        !FILO_CHECK(extract->width >= 1 && extract->height >= 1, "cannot extract for a picture of %d × %d",
                    extract->width, extract->height))
        return;
    int64_t begin = filo_time_ns();
    int max = filo_gpu_limits(gfx->gpu)->picture_size;
    gfx->width = FILO_MIN(extract->width, max);
    gfx->height = FILO_MIN(extract->height, max);
    gfx->blend = filo_clamp01(extract->blend);
    gfx->time = extract->time;
    end_writes(gfx);
    gfx->stats = (FiloGfx3dStats){ .draws = gfx->stats.draws,
                                   .triangles = gfx->stats.triangles,
                                   .render_ms = gfx->stats.render_ms };
    (void)filo_concealed_update(gfx->concealed);
    gfx->concealed_bits = filo_concealed_bits(gfx->concealed);
    gfx3d_meshes_update(gfx);
    gfx3d_materials_update(gfx);
    gfx3d_lights_extract(gfx);
    gfx3d_views_find(gfx);
    gfx3d_figures_extract(gfx);
    extract_meshes(gfx);
    gfx3d_grounds_extract(gfx);
    gfx3d_effects_extract(gfx);
    gfx3d_lights_write_blocks(gfx);
    gfx->extracted = true;
    gfx->stats.extract_ms = (double)(filo_time_ns() - begin) * 1e-6;
}
