// Culling, levels of detail and ranges, against brute force.

#include "gfx3d/extract_check.h"

static const char *shapes[] = { "box", "sphere", "plane", "capsule", "cylinder", "cone", "torus" };

static void add_random(Fixture *f, uint64_t *random, int count, float size) {
    for (int i = 0; i < count; i++) {
        const char *shape = shapes[test_random(random) % FILO_COUNT_OF(shapes)];
        FiloEntity entity = add_numbered(f, shape, random_transform(random, size));
        FiloMesh *mesh = filo_edit(f->world, entity, FiloMesh);
        if (i % 5 == 0) mesh->range = random_float(random, 1, size);
        if (i % 7 == 0) mesh->flags = FILO_MESH_HIDDEN;
        if (i % 3 == 0) mesh->color = filo_color_from_bytes((uint8_t)i, 7, 9, 255);
        if (i % 4 == 0) mesh->values.y = (float)i;
    }
}

static void turn_camera(Fixture *f, FiloEntity camera, uint64_t *random) {
    FiloTransform3 t = random_transform(random, 20);
    t.scale = filo_vec3(random_float(random, 0.5f, 2), 1, 1); // which changes nothing
    *filo_edit(f->world, camera, FiloTransform3) = t;
    FiloCamera3 *c = filo_edit(f->world, camera, FiloCamera3);
    c->field_of_view = random_float(random, 0.2f, 2.5f);
    c->height = test_random(random) % 3 == 0 ? random_float(random, 2, 50) : 0;
    c->far = random_float(random, 10, 100);
}

static void compare_with_brute_force(bool kernels_plain) {
    Fixture f = fixture_begin(ON_NULL, 2);
    if (kernels_plain) f.gfx->extraction->kernels = &gfx3d_kernels_plain;
    uint64_t random = 11;
    add_random(&f, &random, 3000, 30);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, 0, -1));
    for (int i = 0; i < 30; i++) { // the chunks rest from the second time on
        turn_camera(&f, camera, &random);
        frame(&f);
        check_extracted(&f, 1);
    }
    assert_int_equal(stats(&f).rebuilt, 0);
    assert_true(stats(&f).visible > 10 && stats(&f).visible < 3000);
    fixture_end(&f);
}

FILO_TEST(resting_meshes_are_drawn_if_their_sphere_touches_the_view) { compare_with_brute_force(false); }
FILO_TEST(the_same_without_wide_vectors) { compare_with_brute_force(true); }

static void move_all(Fixture *f, uint64_t *random, float by) {
    FiloQuery *query = filo_query(f->world, FILO_WRITE(FiloTransform3), FILO_READ(FiloMesh));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        FiloTransform3 *t = filo_write(&it, FiloTransform3);
        for (size_t i = 0; i < it.count; i++) {
            t[i].position.x += random_float(random, -by, by);
            t[i].position.y += random_float(random, -by, by);
            FiloVec3 axis = { .x = random_float(random, -1, 1), .y = 1 };
            axis.z = random_float(random, -1, 1);
            FiloQuat turn = filo_quat_from_axis_angle(axis, random_float(random, -0.1f, 0.1f));
            FiloQuat q = filo_quat_mul(turn, filo_quat_normalise(t[i].rotation));
            t[i].rotation = test_random(random) % 8 != 0 ? q : filo_quat(-q.x, -q.y, -q.z, -q.w); // the same
            t[i].scale = filo_vec3(random_float(random, 0.5f, 2), 1, 1);
        }
    }
    filo_query_release(query);
}

static void compare_moving(bool plain, size_t cameras) {
    Fixture f = fixture_begin(ON_NULL, 2);
    if (plain) f.gfx->extraction->kernels = &gfx3d_kernels_plain;
    uint64_t random = 17;
    add_random(&f, &random, 1501, 30);
    FiloEntity list[3];
    for (size_t i = 0; i < cameras; i++) list[i] = add_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, 0, -1));
    const float blends[] = { 0, 0.25f, 0.5f, 1 };
    for (int i = 0; i < 20; i++) {
        tick(&f);
        move_all(&f, &random, 3);
        for (size_t c = 0; c < cameras; c++) turn_camera(&f, list[c], &random);
        extract_blended(&f, blends[i % 4]);
        check_extracted(&f, blends[i % 4]);
        render(&f);
        if (i % 5 == 4) extract_blended(&f, 0.5f), check_extracted(&f, 0.5f), render(&f); // between ticks
    }
    fixture_end(&f);
}

FILO_TEST(moving_meshes_are_blended_between_ticks) { compare_moving(false, 1); }
FILO_TEST(moving_meshes_are_blended_between_ticks_without_wide_vectors) { compare_moving(true, 1); }
FILO_TEST(several_cameras_see_moving_meshes_each_from_its_place) { compare_moving(false, 3); }

FILO_TEST(children_are_drawn_where_their_parents_are) {
    Fixture f = fixture_begin(ON_NULL, 2);
    uint64_t random = 23;
    FiloEntity parents[20];
    for (int i = 0; i < 20; i++) parents[i] = add_numbered(&f, "box", random_transform(&random, 15));
    for (int i = 0; i < 300; i++) {
        FiloEntity child = add_numbered(&f, shapes[i % 7], random_transform(&random, 3));
        filo_entity_set_parent(f.world, child, parents[i % 20]);
    }
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, 0, -1));
    tick(&f);
    for (int i = 0; i < 12; i++) {
        if (i % 3 == 0) {
            tick(&f);
            for (int p = 0; p < 20; p++)
                filo_edit(f.world, parents[p], FiloTransform3)->position.x += random_float(&random, -2, 2);
            tick(&f); // computes world transforms
        }
        turn_camera(&f, camera, &random);
        extract_blended(&f, 0.3f);
        check_extracted(&f, 0.3f);
        render(&f);
    }
    fixture_end(&f);
}

// ---- Levels of detail -------------------------------------------------------------------------------------

static FiloMeshData detailed_ball(void) {
    FiloMeshData data;
    assert_ok(filo_mesh_sphere(&data, &(FiloSphereDesc){ .sectors = 64, .rings = 32 }, NULL));
    assert_ok(filo_mesh_optimise(&data, &(FiloMeshOptimise){ .levels = 5, .max_error = 1 }, NULL));
    assert_int_equal(data.level_count, 5);
    for (int i = 1; i < 5; i++) data.level_error[i] = 0.01f * (float)(1 << (i - 1)); // larger than they are
    return data;
}

// The level at which the only mesh of a view is drawn; -1: it is not.
static int level_drawn(const Fixture *f, size_t view) {
    const Gfx3dView *v = f->gfx->views.items[view];
    int level = -1;
    for (uint32_t list = 0; list < f->gfx->extraction->list_count; list++)
        if (v->lists[list].count > 0) {
            assert_int_equal(level, -1);
            assert_int_equal(v->lists[list].count, 1);
            level = (int)list;
        }
    return level;
}

FILO_TEST(the_coarsest_level_is_drawn_whose_error_is_below_the_limit_in_pixels) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData data = detailed_ball();
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("ball"), &data));
    FiloEntity ball = add_at(&f, "ball", filo_vec3(0, 0, 0));
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    int seen = 0;
    for (float distance = 1; distance < 900; distance *= 1.07f) {
        for (int orthographic = 0; orthographic < 2; orthographic++) {
            float scale = distance > 100 ? 3 : 1;
            filo_edit(f.world, ball, FiloTransform3)->scale = filo_vec3(scale, scale / 2, scale / 3);
            filo_edit(f.world, camera, FiloTransform3)->position.z = distance;
            filo_edit(f.world, camera, FiloCamera3)->height = orthographic != 0 ? distance : 0;
            frame(&f);
            double pixels = orthographic != 0 ? HEIGHT / (double)distance
                                              : HEIGHT * 0.5 / tan(3.14159265 / 6) /
                                                    fmax((double)(distance - 0.5f * scale), 0.1);
            int wanted = 0;
            bool close = false; // to a limit
            for (int level = 1; level < 5; level++) {
                double error = (double)data.level_error[level] * (double)scale * pixels;
                if (error <= 1) wanted = level;
                close = close || fabs(error - 1) < 1e-3;
            }
            if (!close) assert_int_equal(level_drawn(&f, 0), wanted);
            seen |= 1 << level_drawn(&f, 0);
        }
    }
    assert_int_equal(seen, 31); // all five
    filo_edit(f.world, ball, FiloMesh)->flags = FILO_MESH_FULL_DETAIL;
    frame(&f);
    assert_int_equal(stats(&f).visible, 1);
    assert_int_equal(f.gfx->extraction->list_count > 0, true);
    const Gfx3dBatch *last = &f.gfx->extraction->batches.items[f.gfx->extraction->batches.count - 1];
    assert_int_equal(last->level_count, 1);
    assert_int_equal(f.gfx->views.items[0]->lists[last->first_list].count, 1);
    filo_mesh_free(&data, NULL);
    fixture_end(&f);
}

FILO_TEST(levels_by_distance_are_drawn_from_their_distance_on_whatever_the_errors_before_are) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData data = detailed_ball();
    TriangleMesh billboard;
    const FiloMeshLevel levels[] = { { .data = &data }, { .data = triangle(&billboard, 1), .distance = 30 } };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("tree"), levels, 2));
    FiloEntity tree = add_at(&f, "tree", filo_vec3(0, 0, 0));
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    const float scales[] = { 1, 20 }; // the large one is too large for any level but the first
    for (int i = 0; i < 2; i++) {
        filo_edit(f.world, tree, FiloTransform3)->scale = filo_vec3(scales[i], scales[i], scales[i]);
        filo_edit(f.world, camera, FiloTransform3)->position.z = 29.99f;
        frame(&f);
        assert_true(level_drawn(&f, 0) >= 0 && level_drawn(&f, 0) < 5);
        filo_edit(f.world, camera, FiloTransform3)->position.z = 30.01f;
        frame(&f);
        assert_int_equal(level_drawn(&f, 0), 5);
    }
    filo_mesh_free(&data, NULL);
    fixture_end(&f);
}

FILO_TEST(each_view_chooses_levels_and_ranges_by_its_own_eye) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloMeshData data = detailed_ball();
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("ball"), &data));
    FiloEntity ball = add_at(&f, "ball", filo_vec3(0, 0, 0));
    add_camera(&f, filo_vec3(0, 0, 1.2f), filo_vec3(0, 0, 0));
    add_camera(&f, filo_vec3(0, 0, 500), filo_vec3(0, 0, 0));
    frame(&f);
    assert_int_equal(level_drawn(&f, 0), 0);
    assert_int_equal(level_drawn(&f, 1), 4);
    filo_edit(f.world, ball, FiloMesh)->range = 100;
    frame(&f);
    assert_int_equal(level_drawn(&f, 0), 0);
    assert_int_equal(level_drawn(&f, 1), -1);
    filo_mesh_free(&data, NULL);
    fixture_end(&f);
}
