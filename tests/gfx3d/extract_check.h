// Compares what was extracted with what the world says, entity by entity, without any of the renderer's shortcuts.
//
// Entities that are compared have a number of their own in FiloMesh.values.x: next_number. It identifies their instances.

#ifndef FILO_TEST_GFX3D_EXTRACT_CHECK_H
#define FILO_TEST_GFX3D_EXTRACT_CHECK_H

#include "gfx3d/core_fixture.h"

#include <stdlib.h>

#define CHECK_NUMBERS 65536

static int next_number = 1;

static inline FiloEntity add_numbered(Fixture *f, const char *mesh, FiloTransform3 transform) {
    FiloEntity entity = add_at(f, mesh, transform.position);
    *filo_edit(f->world, entity, FiloTransform3) = transform;
    filo_edit(f->world, entity, FiloMesh)->values.x = (float)next_number++;
    assert_true(next_number < CHECK_NUMBERS);
    return entity;
}

// How often each number was drawn by a view, and the last instance of it.
typedef struct CheckFound {
    uint8_t count;
    const Gfx3dInstance *instance;
} CheckFound;

static inline void check_collect(const Fixture *f, const Gfx3dView *view, CheckFound *found) {
    const Gfx3dInstance *all = instances_of(f);
    memset(found, 0, CHECK_NUMBERS * sizeof *found);
    for (uint32_t list = 0; view->lists != NULL && list < f->gfx->extraction->list_count; list++)
        for (uint32_t i = 0; i < view->lists[list].count; i++) {
            const Gfx3dInstance *instance = &all[view->lists[list].first + i];
            int number = (int)instance->values.x;
            assert_in_range(number, 0, CHECK_NUMBERS - 1);
            found[number].count++;
            found[number].instance = instance;
        }
}

// How far a sphere is inside of a view; negative: outside.
static inline double check_inside(const Gfx3dView *view, const double centre[3], double radius) {
    double least = 1e300;
    for (int i = 0; i < 6; i++) {
        double d = (double)view->planes[i].x * centre[0] + (double)view->planes[i].y * centre[1] +
                   (double)view->planes[i].z * centre[2] + (double)view->planes[i].w + radius;
        if (d < least) least = d;
    }
    return least;
}

static inline FiloMat4 check_matrix(Fixture *f, FiloEntity entity, float blend) {
    const FiloWorldTransform3 *world = filo_get(f->world, entity, FiloWorldTransform3);
    if (world != NULL && world->valid) return filo_world_transform3_blend(world, blend);
    FiloTransform3 t = filo_transform3_blend(filo_get(f->world, entity, FiloPreviousTransform3),
                                             filo_get(f->world, entity, FiloTransform3), blend);
    return filo_transform3_matrix(&t);
}

static inline double check_scale(const FiloMat4 *m) {
    double largest = 0;
    for (int c = 0; c < 3; c++) {
        double length = sqrt((double)m->m[4 * c] * m->m[4 * c] + (double)m->m[4 * c + 1] * m->m[4 * c + 1] +
                             (double)m->m[4 * c + 2] * m->m[4 * c + 2]);
        if (length > largest) largest = length;
    }
    return largest;
}

// One entity in one view. `loose`: it may be drawn although it is outside of the view.
static inline void check_entity(Fixture *f, const Gfx3dView *view, FiloEntity entity, float blend, bool loose,
                                const CheckFound *found) {
    const FiloMesh *mesh = filo_get(f->world, entity, FiloMesh);
    FiloMat4 m = check_matrix(f, entity, blend);
    uint32_t index = gfx3d_mesh_find(f->gfx, mesh->mesh);
    double reach = (double)gfx3d_mesh_at(f->gfx, gfx3d_mesh_at(f->gfx, index)->loaded ? index : 0)->reach;
    double centre[3] = { (double)m.m[12], (double)m.m[13], (double)m.m[14] };
    double inside = check_inside(view, centre, reach * check_scale(&m)), tolerance = 1e-3;
    double dx = centre[0] - (double)view->eye.x, dy = centre[1] - (double)view->eye.y;
    double dz = centre[2] - (double)view->eye.z, distance = sqrt(dx * dx + dy * dy + dz * dz);
    bool hidden = (mesh->flags & FILO_MESH_HIDDEN) != 0;
    bool in_range = mesh->range <= 0 || distance <= (double)mesh->range;
    bool near_range = mesh->range > 0 && fabs(distance - (double)mesh->range) < tolerance;
    const CheckFound *one = &found[(int)mesh->values.x];
    assert_in_range(one->count, 0, 1);
    if (hidden) assert_int_equal(one->count, 0);
    if (!hidden && inside > tolerance && in_range && !near_range) assert_int_equal(one->count, 1);
    if (!near_range && !in_range) assert_int_equal(one->count, 0);
    if (inside < -tolerance && !loose) assert_int_equal(one->count, 0);
    if (one->count == 0) return;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            float is = one->instance->matrix.m[4 * r + c], wanted = m.m[4 * c + r];
            if (!(fabsf(is - wanted) <= 1e-4f * (1 + fabsf(wanted))))
                fail_msg("entity %d: element %d, %d of its matrix is %g, not %g", (int)mesh->values.x, r, c,
                         (double)is, (double)wanted);
        }
    bool white = filo_color_equal(mesh->color, (FiloColor){ 0 });
    assert_true(filo_color_equal(one->instance->color, white ? FILO_COLOR_WHITE : mesh->color));
    assert_true(one->instance->values.y == mesh->values.y);
}

// All views against all entities. Extract before.
static inline void check_extracted(Fixture *f, float blend) {
    CheckFound *found = calloc(CHECK_NUMBERS, sizeof *found);
    assert_non_null(found);
    FiloQuery *query = filo_query(f->world, FILO_READ(FiloMesh), FILO_READ(FiloTransform3));
    for (size_t v = 0; v < f->gfx->views.count; v++) {
        const Gfx3dView *view = f->gfx->views.items[v];
        if (view->shadow) continue;
        check_collect(f, view, found);
        size_t drawn = 0, all = 0;
        FiloIter it = filo_query_iter(query);
        while (filo_iter_next(&it))
            for (size_t i = 0; i < it.count; i++) {
                FiloEntity entity = filo_iter_entity(&it, i);
                // Moving chunks that are nearly all visible are drawn without culling.
                const Gfx3dRows *rows = f->gfx->extraction->rows_by_chunk.items[filo_iter_chunk(&it).index];
                check_entity(f, view, entity, blend, rows->direct, found);
                drawn += found[(int)filo_get(f->world, entity, FiloMesh)->values.x].count;
            }
        for (size_t n = 0; n < CHECK_NUMBERS; n++) all += found[n].count;
        assert_int_equal(all, drawn); // nothing that does not exist, or is inactive
        assert_int_equal(all, view->visible);
    }
    filo_query_release(query);
    free(found);
}

static inline FiloTransform3 random_transform(uint64_t *random, float size) {
    FiloTransform3 t = { .position = random_vec3(random, -size, size) };
    FiloVec3 axis = random_vec3(random, -1, 1);
    t.rotation = filo_quat_normalise((FiloQuat){ axis.x, axis.y, axis.z, random_float(random, 0.1f, 1) });
    t.scale = random_vec3(random, 0.2f, 3);
    t.scale.z = -t.scale.z;
    if (test_random(random) % 4 == 0) t.scale = filo_vec3(0, 0, 0);
    if (test_random(random) % 4 == 0) t.rotation = (FiloQuat){ 0, 0, 0, 0 };
    return t;
}

#endif
