// Instances to GPU memory. See extract.h.

#include "gfx3d/extract/extract.h"

// ---- Matrices -----------------------------------------------------------------------------------------------------

static FiloMat34 matrix_of(FiloVec3 p, FiloQuat q, FiloVec3 s) {
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (FiloMat34){ { (1 - 2 * (yy + zz)) * s.x, 2 * (xy - wz) * s.y, 2 * (xz + wy) * s.z, p.x, //
                          2 * (xy + wz) * s.x, (1 - 2 * (xx + zz)) * s.y, 2 * (yz - wx) * s.z, p.y, //
                          2 * (xz - wy) * s.x, 2 * (yz + wx) * s.y, (1 - 2 * (xx + yy)) * s.z, p.z } };
}

static FiloVec3 scale_of(FiloVec3 s) { return s.x == 0 && s.y == 0 && s.z == 0 ? filo_vec3(1, 1, 1) : s; }
static FiloQuat rotation_of(FiloQuat q) {
    return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0 ? filo_quat_identity() : q;
}

// Between two rotations that are near to each other, of any sign.
static FiloQuat blend_rotation(FiloQuat a, FiloQuat b, float t) {
    a = rotation_of(a);
    b = rotation_of(b);
    float u = filo_quat_dot(a, b) < 0 ? -(1 - t) : 1 - t;
    FiloQuat q = { a.x * u + b.x * t, a.y * u + b.y * t, a.z * u + b.z * t, a.w * u + b.w * t };
    float n = 1.0f / filo_sqrt(filo_max(filo_quat_dot(q, q), 1e-12f));
    return (FiloQuat){ q.x * n, q.y * n, q.z * n, q.w * n };
}

// From the transforms of the row and its parents, as they are now.
static FILO_COLD FiloMat34 matrix_from_parents(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t i) {
    FiloEntity entity = filo_entity_at(gfx->world, rows->entity_indices[i]);
    return filo_mat34_from_mat4(filo_transform3_in_world(gfx->world, entity));
}

FiloMat34 gfx3d_row_matrix(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t i) {
    if (rows->unresolved &&
        filo_entity_parent(gfx->world, filo_entity_at(gfx->world, rows->entity_indices[i])).id != 0)
        return matrix_from_parents(gfx, rows, i);
    if (rows->worlds != NULL) {
        if (!rows->worlds[i].valid) return matrix_from_parents(gfx, rows, i);
        FiloMat34 out;
        const float *now = rows->worlds[i].now.m, *before = rows->worlds[i].previous.m;
        float t = rows->moving ? gfx->blend : 1, u = 1 - t;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) out.m[4 * r + c] = before[4 * c + r] * u + now[4 * c + r] * t;
        return out;
    }
    const FiloTransform3 *now = &rows->transforms[i];
    if (!rows->moving || rows->previous == NULL || !rows->previous[i].valid)
        return matrix_of(now->position, rotation_of(now->rotation), scale_of(now->scale));
    const FiloPreviousTransform3 *before = &rows->previous[i];
    float t = gfx->blend;
    return matrix_of(filo_vec3_lerp(before->position, now->position, t),
                     blend_rotation(before->rotation, now->rotation, t),
                     filo_vec3_lerp(scale_of(before->scale), scale_of(now->scale), t));
}

// ---- Writing --------------------------------------------------------------------------------------------------------

static uint32_t joints_of(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t row) {
    return rows->skinned ? gfx3d_figures_joints(gfx, filo_entity_at(gfx->world, rows->entity_indices[row]))
                         : 0;
}

static FiloColor color_of(const FiloMesh *mesh) {
    uint32_t bits;
    memcpy(&bits, &mesh->color, sizeof bits);
    return bits == 0 ? FILO_COLOR_WHITE : mesh->color;
}

static void write_instance(const FiloGfx3d *gfx, const Gfx3dView *view, const Gfx3dRows *rows, uint32_t row,
                           Gfx3dInstance *out) {
    if (rows->instances != NULL) {
        const FiloInstance *instance = &rows->instances[row];
        float scale = instance->scale, range = rows->set->range, fade = rows->set->fade;
        if (fade > 0 && range > 0)
            scale *=
                filo_clamp01((range - filo_vec3_distance(view->eye, instance->position)) / (range * fade));
        *out =
            (Gfx3dInstance){ .matrix = gfx3d_instance_matrix(instance, scale),
                             .color = filo_color_equal(instance->color, (FiloColor){ 0 }) ? FILO_COLOR_WHITE
                                                                                          : instance->color,
                             .values = { (float)instance->values[0] * (1 / 65535.0f),
                                         (float)instance->values[1] * (1 / 65535.0f) } };
        return;
    }
    if ((rows->cached || rows->filled) && rows->cache != NULL) {
        *out = rows->cache[row];
        if (rows->skinned) out->joints = joints_of(gfx, rows, row);
        return;
    }
    const FiloMesh *mesh = &rows->meshes[row];
    *out = (Gfx3dInstance){ .matrix = gfx3d_row_matrix(gfx, rows, row),
                            .color = filo_color_equal(mesh->color, (FiloColor){ 0 }) ? FILO_COLOR_WHITE
                                                                                     : mesh->color,
                            .joints = joints_of(gfx, rows, row),
                            .values = mesh->values };
}

// Far ones first: the key of a larger depth is smaller.
static uint32_t depth_key(const Gfx3dView *view, const Gfx3dRows *rows, uint32_t row) {
    FiloVec3 to = filo_vec3_sub(filo_vec3(rows->x[row], rows->y[row], rows->z[row]), view->eye);
    float depth = filo_max(filo_vec3_dot(to, view->forward), 0);
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return ~bits;
}

static bool is_built_by_kernels(const Gfx3dRows *rows) {
    return rows->instances == NULL && gfx3d_rows_are_plain(rows) && (!rows->cached || rows->skinned) &&
           !rows->filled;
}

Gfx3dTail gfx3d_row_tail(const FiloGfx3d *gfx, const Gfx3dRows *rows, uint32_t row) {
    const FiloMesh *mesh = &rows->meshes[row];
    return (Gfx3dTail){ .fields = { color_of(mesh), joints_of(gfx, rows, row), mesh->values } };
}

static void add_blended(const Gfx3dView *view, Gfx3dBlockView *found, const Gfx3dRows *rows,
                        Gfx3dVisible seen, uint32_t at) {
    // Without memory, which is reported, it is missing among the blended ones.
    (void)filo_array_push(&found->blended,
                          (Gfx3dSortItem){ depth_key(view, rows, seen.row), { seen.list, at } });
}

// The same one by one: cached rows, rows with parents, cells of instance sets, and what is blended.
static void write_singly(const FiloGfx3d *gfx, const Gfx3dView *view, Gfx3dBlockView *found,
                         const Gfx3dRows *rows, const Gfx3dVisible *seen, size_t count,
                         Gfx3dInstance *instances) {
    const Gfx3dBatch *batches = gfx->extraction->batches.items;
    for (size_t n = 0; n < count; n++) {
        uint32_t at = found->counts[seen[n].list]++;
        write_instance(gfx, view, rows, seen[n].row, &instances[at]);
        if (!view->shadow && batches[rows->batches[seen[n].row]].blended)
            add_blended(view, found, rows, seen[n], at);
    }
}

// Chunks are small, so the processor often meets the begin of a column, which it cannot foresee.
static void prefetch_begin(const Gfx3dRows *rows) {
    for (size_t byte = 0; byte < 2048; byte += FILO_CACHE_LINE) {
        __builtin_prefetch((const char *)rows->transforms + byte);
        __builtin_prefetch((const char *)rows->previous + byte);
    }
}

void gfx3d_write_block(FiloGfx3d *gfx, Gfx3dBlock *block, Gfx3dInstance *out) {
    const Gfx3dExtraction *e = gfx->extraction;
    if (block->failed) return;
    for (size_t v = 0; v < gfx->views.count; v++) {
        const Gfx3dView *view = gfx->views.items[v];
        Gfx3dBlockView *found = &block->views[v];
        for (size_t i = 0; i < block->count; i++) {
            Gfx3dRows *rows = e->rows.items[block->first + i];
            if (!rows->direct) continue;
            if (i + 1 < block->count) prefetch_begin(e->rows.items[block->first + i + 1]);
            e->kernels->write_all(gfx, rows, e->first_lists.items, found->counts, out);
        }
        const Gfx3dVisible *seen = found->visible.items, *end = seen + found->visible.count;
        while (seen != end) {
            const Gfx3dVisible *first = seen;
            while (seen != end && seen->rows == first->rows) seen++;
            const Gfx3dRows *rows = e->rows.items[block->first + first->rows];
            if (is_built_by_kernels(rows) && !rows->blended)
                e->kernels->write_seen(gfx, rows, first, (size_t)(seen - first), found->counts, out);
            else
                write_singly(gfx, view, found, rows, first, (size_t)(seen - first), out);
        }
    }
}

void gfx3d_fill_cache(const FiloGfx3d *gfx, Gfx3dRows *rows) {
    if (!gfx3d_rows_are_plain(rows)) {
        for (uint32_t i = 0; i < rows->count; i++) {
            Gfx3dTail tail = gfx3d_row_tail(gfx, rows, i);
            rows->cache[i] = (Gfx3dInstance){ gfx3d_row_matrix(gfx, rows, i), tail.fields.color,
                                              tail.fields.joints, tail.fields.values };
        }
        return;
    }
    gfx->extraction->kernels->write_all(gfx, rows, NULL, NULL, rows->cache);
}
