// Which rows a view sees. See extract.h.
//
// The spheres of rows are in arrays of their own, so that the compiler vectorises the comparison with the planes. A sphere
// is around the position of its row and reaches to the farthest vertex, so it does not depend on the rotation.

#include "gfx3d/extract/extract.h"

#include <float.h>

// ---- Spheres ----------------------------------------------------------------------------------------------------

static void sphere_of_world(const FiloGfx3d *gfx, Gfx3dRows *rows, uint32_t i, float reach) {
    FiloMat34 m = gfx3d_row_matrix(gfx, rows, i);
    float scale = 0; // of the longest column
    for (int c = 0; c < 3; c++)
        scale = filo_max(scale, m.m[c] * m.m[c] + m.m[4 + c] * m.m[4 + c] + m.m[8 + c] * m.m[8 + c]);
    rows->x[i] = m.m[3];
    rows->y[i] = m.m[7];
    rows->z[i] = m.m[11];
    rows->radius[i] = reach * filo_sqrt(scale);
}

// How far a row reaches from its origin, before it is scaled. The row has a batch.
static float reach_of(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t i) {
    float reach = gfx->extraction->batches.items[rows->batches[i]].reach;
    return rows->skinned ? filo_max(reach, gfx3d_figures_reach(gfx, rows->entity_indices[i])) : reach;
}

static void update_spheres(const FiloGfx3d *gfx, Gfx3dRows *rows) {
    if (gfx3d_rows_are_plain(rows)) {
        for (uint32_t i = 0; i < rows->count; i++)
            rows->radius[i] = rows->batches[i] != GFX3D_NO_BATCH ? reach_of(gfx, rows, i) : -1;
        gfx->extraction->kernels->spheres(rows, gfx->blend);
        return;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->x[i] = rows->y[i] = rows->z[i] = 0;
        rows->radius[i] = -1;
        if (rows->batches[i] != GFX3D_NO_BATCH) sphere_of_world(gfx, rows, i, reach_of(gfx, rows, i));
    }
}

// A sphere around all rows; around everything if a row is not finite.
void gfx3d_rows_bound(Gfx3dRows *rows) {
    FiloAabb3 box = { filo_vec3(0, 0, 0), filo_vec3(0, 0, 0) };
    bool any = false;
    float finite = 0; // 0 × infinity and 0 × NaN are NaN
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->radius[i] < 0) continue;
        float r = rows->radius[i];
        finite += 0 * (rows->x[i] + rows->y[i] + rows->z[i] + r);
        FiloVec3 low = filo_vec3(rows->x[i] - r, rows->y[i] - r, rows->z[i] - r);
        FiloVec3 high = filo_vec3(rows->x[i] + r, rows->y[i] + r, rows->z[i] + r);
        box.min = any ? filo_vec3_min(box.min, low) : low;
        box.max = any ? filo_vec3_max(box.max, high) : high;
        any = true;
    }
    rows->centre = filo_aabb3_centre(box);
    rows->reach = any ? 0.5f * filo_vec3_length(filo_aabb3_size(box)) : -1;
    finite += 0 * (rows->centre.x + rows->centre.y + rows->centre.z + rows->reach);
    if (finite == 0) return;
    rows->centre = filo_vec3(0, 0, 0);
    rows->reach = FLT_MAX;
}

static bool update_cache(const FiloGfx3d *gfx, Gfx3dRows *rows) {
    if (rows->cache_capacity < rows->count) {
        filo_free(gfx->allocator, rows->cache, rows->cache_capacity * sizeof *rows->cache, FILO_CACHE_LINE);
        rows->cache_capacity = 0;
        rows->cache = filo_alloc(gfx->allocator, rows->capacity * sizeof *rows->cache, FILO_CACHE_LINE);
        if (rows->cache == NULL) return false;
        rows->cache_capacity = rows->capacity;
    }
    gfx3d_fill_cache(gfx, rows);
    return true;
}

// Whether rows are written without culling: by one view, which saw nearly all of them when they were culled last. They are
// culled in one of 16 frames, to notice when fewer are visible. This saves a pass over their transforms.
static bool is_direct(const FiloGfx3d *gfx, const Gfx3dRows *rows) {
    bool is_due = (gfx->extraction->number + rows->chunk.index) % 16 == 0;
    return gfx->views.count == 1 && gfx->concealed_bits == NULL && rows->instances == NULL && rows->moving &&
           gfx3d_rows_are_plain(rows) && rows->simple && !rows->blended && !is_due &&
           rows->visible_rows >= rows->drawn_rows - rows->drawn_rows / 32;
}

// Spheres, and the instances of rows that rest or that several views may see.
static void prepare_rows(const FiloGfx3d *gfx, Gfx3dBlock *block, Gfx3dRows *rows) {
    rows->filled = false;
    rows->direct = is_direct(gfx, rows);
    if (rows->cached || rows->instances != NULL) return;
    block->rebuilt += rows->count;
    if (rows->direct) return;
    update_spheres(gfx, rows);
    if (rows->moving) {
        rows->filled = gfx->views.count > 1 && update_cache(gfx, rows);
        return;
    }
    gfx3d_rows_bound(rows);
    rows->cached = update_cache(gfx, rows);
}

static void count_direct(const FiloGfx3d *gfx, Gfx3dBlockView *found, const Gfx3dRows *rows) {
    const uint32_t *first_lists = gfx->extraction->first_lists.items;
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->batches[i] != GFX3D_NO_BATCH) found->counts[first_lists[rows->batches[i]]]++;
}

// ---- Culling ----------------------------------------------------------------------------------------------------

// How far each sphere is inside: negative is outside of a plane.
static void measure(const Gfx3dView *view, const Gfx3dRows *rows, float *inside) {
    const float *x = rows->x, *y = rows->y, *z = rows->z, *radius = rows->radius;
    for (int p = 0; p < 6; p++) {
        FiloVec4 plane = view->planes[p];
        if (p == 0)
            for (uint32_t i = 0; i < rows->count; i++)
                inside[i] = plane.x * x[i] + plane.y * y[i] + (plane.z * z[i] + plane.w);
        else
            for (uint32_t i = 0; i < rows->count; i++) {
                float d = plane.x * x[i] + plane.y * y[i] + (plane.z * z[i] + plane.w);
                inside[i] = d < inside[i] ? d : inside[i];
            }
    }
    for (uint32_t i = 0; i < rows->count; i++) inside[i] += radius[i];
}

// The level of detail: the coarsest whose distance is reached and whose error is below the limit in pixels. The error counts
// as if it were at the nearest point of the sphere, because the surface may be much nearer than the middle.
static uint32_t choose_level(const FiloGfx3d *gfx, const Gfx3dView *view, const Gfx3dBatch *batch,
                             float distance, float radius) {
    float scale = batch->reach > 0 ? radius / batch->reach : 1;
    float pixels =
        view->pixels_per_unit * scale / (view->orthographic ? 1.0f : filo_max(distance - radius, view->near));
    uint32_t level = batch->level_count - 1;
    while (level > 0 && !(distance >= batch->level_distance[level] &&
                          batch->level_error[level] * pixels <= gfx->desc.detail_error))
        level--;
    return level;
}

static bool add_visible(const FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dBlockView *found,
                        const Gfx3dRows *rows, uint32_t index, uint32_t i) {
    const Gfx3dBatch *batch = &gfx->extraction->batches.items[rows->batches[i]];
    if (view->shadow && !batch->casts_shadow) return true;
    if (rows->instances == NULL && gfx3d_is_concealed(gfx, rows->entity_indices[i])) return true;
    uint32_t list = batch->first_list;
    float range = rows->instances != NULL ? rows->set->range : rows->meshes[i].range;
    if (batch->level_count > 1 || range > 0) {
        float distance = filo_vec3_distance(view->eye, filo_vec3(rows->x[i], rows->y[i], rows->z[i]));
        if (range > 0 && distance > range) return true;
        if (batch->level_count > 1) list += choose_level(gfx, view, batch, distance, rows->radius[i]);
    }
    if (found->visible.count == found->visible.capacity &&
        !filo_array_reserve(&found->visible, FILO_MAX(found->visible.capacity * 2, (size_t)1024)))
        return false;
    found->visible.items[found->visible.count++] = (Gfx3dVisible){ i, (uint16_t)index, (uint16_t)list };
    found->counts[list]++;
    return true;
}

static bool cull_rows(const FiloGfx3d *gfx, Gfx3dBlock *block, const Gfx3dView *view, Gfx3dBlockView *found,
                      Gfx3dRows *rows, uint32_t index) {
    bool all = false;
    if (rows->direct) {
        count_direct(gfx, found, rows);
        return true;
    }
    if (rows->cached) {
        if (rows->reach < 0 || gfx3d_view_misses(view, rows->centre, rows->reach)) return true;
        float range = rows->instances != NULL ? rows->set->range : 0;
        if (range > 0 && filo_vec3_distance(view->eye, rows->centre) > range + rows->reach) return true;
        all = !gfx3d_view_misses(view, rows->centre, -rows->reach);
    }
    float *inside = block->distances.items;
    if (!all) measure(view, rows, inside);
    size_t before = found->visible.count;
    for (uint32_t i = 0; i < rows->count; i++)
        if ((all || inside[i] >= 0) && rows->batches[i] != GFX3D_NO_BATCH)
            if (!add_visible(gfx, view, found, rows, index, i)) return false;
    if (gfx->views.count == 1) rows->visible_rows = (uint32_t)(found->visible.count - before);
    return true;
}

// Memory for what is found. False without.
static bool reserve(const FiloGfx3d *gfx, Gfx3dBlock *block) {
    const Gfx3dExtraction *e = gfx->extraction;
    size_t most = 0;
    for (size_t i = 0; i < block->count; i++)
        most = FILO_MAX(most, (size_t)e->rows.items[block->first + i]->count);
    if (block->distances.capacity < most && !filo_array_reserve(&block->distances, most + most / 2))
        return false;
    for (size_t v = 0; v < gfx->views.count; v++) {
        Gfx3dBlockView *found = &block->views[v];
        filo_array_clear(&found->visible);
        filo_array_clear(&found->blended);
        if (found->capacity < e->list_count) {
            uint32_t capacity = e->list_count + e->list_count / 2 + 16;
            filo_free(gfx->allocator, found->counts, found->capacity * sizeof *found->counts, 0);
            found->capacity = 0;
            found->counts = filo_alloc(gfx->allocator, capacity * sizeof *found->counts, 0);
            if (found->counts == NULL) return false;
            found->capacity = capacity;
        }
        if (e->list_count > 0) memset(found->counts, 0, e->list_count * sizeof *found->counts);
    }
    return true;
}

void gfx3d_cull_block(FiloGfx3d *gfx, Gfx3dBlock *block) {
    const Gfx3dExtraction *e = gfx->extraction;
    block->rebuilt = 0;
    block->failed = !reserve(gfx, block);
    for (size_t i = 0; i < block->count && !block->failed; i++) {
        Gfx3dRows *rows = e->rows.items[block->first + i];
        prepare_rows(gfx, block, rows);
        for (size_t v = 0; v < gfx->views.count && !block->failed; v++)
            block->failed = !cull_rows(gfx, block, gfx->views.items[v], &block->views[v], rows, (uint32_t)i);
    }
}
