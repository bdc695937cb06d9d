// Sets of instances that are not entities.

#include "gfx3d/core_fixture.h"

#include "support/warnings.h"

static double angle_between(FiloQuat a, FiloQuat b) {
    double dot = fabs((double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z + (double)a.w * b.w);
    return 2 * acos(fmin(dot, 1));
}

FILO_TEST(a_packed_rotation_is_off_by_less_than_a_quarter_of_a_degree) {
    uint64_t random = 4;
    double worst = 0;
    for (int i = 0; i < 100000; i++) {
        FiloVec3 axis = random_vec3(&random, -1, 1);
        FiloQuat q = filo_quat_normalise((FiloQuat){ axis.x, axis.y, axis.z, random_float(&random, -1, 1) });
        if (i % 3 == 0) q = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), random_float(&random, -10, 10));
        FiloQuat out = gfx3d_unpack_rotation(filo_instance_rotation(q));
        double length = sqrt((double)filo_quat_dot(out, out));
        assert_true(fabs(length - 1) < 1e-3);
        worst = fmax(worst, angle_between(q, filo_quat_normalise(out)));
    }
    assert_true(worst < 0.25 * 3.14159265 / 180);
}

FILO_TEST(special_rotations_are_packed_exactly_and_all_zero_is_none) {
    const FiloQuat exact[] = {
        { 0, 0, 0, 1 }, { 0, 0, 0, -1 }, { 1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 0 }
    };
    for (size_t i = 0; i < FILO_COUNT_OF(exact); i++)
        assert_true(angle_between(exact[i], gfx3d_unpack_rotation(filo_instance_rotation(exact[i]))) < 1e-6);
    assert_int_equal(filo_instance_rotation(filo_quat_identity()), 0);
    assert_int_equal(filo_instance_rotation((FiloQuat){ 0, 0, 0, 0 }), 0);
    assert_int_equal(filo_instance_rotation((FiloQuat){ (float)NAN, 0, 0, 1 }), 0);
    FiloQuat none = gfx3d_unpack_rotation(0);
    assert_true(none.w == 1 && none.x == 0 && none.y == 0 && none.z == 0);
    assert_int_equal(sizeof(FiloInstance), 32);
}

// ---- Sets -----------------------------------------------------------------------------------------------------

static FiloInstances make_set(Fixture *f, const FiloInstancesDesc *more) {
    static FiloName meshes[2];
    meshes[0] = filo_name("box");
    meshes[1] = filo_name("cone");
    FiloInstancesDesc desc = *more;
    desc.meshes = meshes;
    desc.mesh_count = 2;
    FiloInstances set;
    assert_ok(filo_gfx3d_instances_create(&set, f->gfx, &desc));
    return set;
}

static Fixture with_camera(void) {
    Fixture f = fixture_begin(ON_NULL, 2);
    add_camera(&f, filo_vec3(0, 0, 30), filo_vec3(0, 0, 0));
    return f;
}

FILO_TEST(instances_are_drawn_with_their_transform_colour_and_values) {
    Fixture f = with_camera();
    FiloInstances set = make_set(&f, &(FiloInstancesDesc){ 0 });
    FiloQuat turn = filo_quat_from_axis_angle(filo_vec3(0, 1, 0), 1);
    const FiloInstance list[] = { { .position = { 1, 2, 3 },
                                    .scale = 2,
                                    .rotation = filo_instance_rotation(turn),
                                    .color = FILO_COLOR_RED,
                                    .values = { 65535, 13107 } },
                                  { .position = { 4, 0, 0 }, .scale = 1, .mesh = 1 },
                                  { .position = { 5, 0, 0 }, .scale = 1, .flags = FILO_MESH_HIDDEN } };
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 3));
    frame(&f);
    assert_int_equal(stats(&f).meshes, 3);
    assert_int_equal(stats(&f).visible, 2);
    assert_string_equal(xs_of(&f, 0), "1 | 4");
    const Gfx3dInstance *first = instances_of(&f);
    FiloMat4 wanted = filo_mat4_from_parts(filo_vec3(1, 2, 3), turn, filo_vec3(2, 2, 2));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            assert_true(fabsf(first->matrix.m[4 * r + c] - wanted.m[4 * c + r]) < 0.02f);
    assert_true(filo_color_equal(first->color, FILO_COLOR_RED));
    assert_float_equal(first->values.x, 1, 1e-6);
    assert_float_equal(first->values.y, 0.2, 1e-4);
    assert_true(filo_color_equal(first[1].color, FILO_COLOR_WHITE));
    fixture_end(&f);
}

FILO_TEST(instances_are_culled_as_brute_force_says_whatever_the_cells_are) {
    const float cells[] = { 0, 0.5f, 4, 1000 };
    uint64_t random = 8;
    enum { COUNT = 4000 };
    static FiloInstance list[COUNT];
    for (size_t n = 0; n < FILO_COUNT_OF(cells); n++) {
        Fixture f = with_camera();
        FiloInstances set = make_set(&f, &(FiloInstancesDesc){ .cell = cells[n], .range = 40 });
        for (int i = 0; i < COUNT; i++) {
            list[i] = (FiloInstance){ .position = random_vec3(&random, -60, 60), .mesh = (uint16_t)(i % 2) };
            list[i].position.y /= 12;
            list[i].scale = random_float(&random, -2, 2);
        }
        assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, COUNT));
        for (int turn = 0; turn < 8; turn++) {
            float z = random_float(&random, -30, 30), x = random_float(&random, -30, 30);
            add_camera(&f, filo_vec3(x, 2, z), filo_vec3(0, 0, 0));
            frame(&f);
            for (size_t v = 0; v < f.gfx->views.count; v++) {
                const Gfx3dView *view = f.gfx->views.items[v];
                size_t least = 0, most = 0;
                for (int i = 0; i < COUNT; i++) {
                    float reach = mesh_named(&f, i % 2 == 0 ? "box" : "cone")->reach * fabsf(list[i].scale);
                    float distance = filo_vec3_distance(view->eye, list[i].position);
                    least += !gfx3d_view_misses(view, list[i].position, reach - 1e-3f) && distance < 39.999f;
                    most += !gfx3d_view_misses(view, list[i].position, reach + 1e-3f) && distance < 40.001f;
                }
                assert_in_range(view->visible, least, most);
                assert_true(least > 20);
            }
        }
        fixture_end(&f);
    }
}

FILO_TEST(instances_shrink_to_nothing_towards_the_end_of_their_range) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 0), filo_vec3(0, 0, -1));
    FiloInstances set = make_set(&f, &(FiloInstancesDesc){ .range = 100, .fade = 0.25f });
    const FiloInstance list[] = { { .position = { 0, 0, -50 }, .scale = 2 },
                                  { .position = { 0, 0, -75 }, .scale = 2 },
                                  { .position = { 0, 0, -87.5f }, .scale = 2 },
                                  { .position = { 0, 0, -99 }, .scale = 2 },
                                  { .position = { 0, 0, -101 }, .scale = 2 } };
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, FILO_COUNT_OF(list)));
    frame(&f);
    assert_int_equal(stats(&f).visible, 4);
    for (int i = 0; i < 4; i++) {
        const Gfx3dInstance *one = &instances_of(&f)[i]; // sorted by cell, so by z
        float scale = one->matrix.m[0], z = one->matrix.m[11];
        float wanted = z == -50 || z == -75 ? 2 : z == -87.5f ? 1 : 0.08f;
        assert_true(fabsf(scale - wanted) < 1e-3f);
    }
    fixture_end(&f);
}

FILO_TEST(a_list_that_is_replaced_is_drawn_from_the_next_frame_on) {
    Fixture f = with_camera();
    FiloInstances set = make_set(&f, &(FiloInstancesDesc){ .cell = 1 });
    uint64_t random = 5;
    static FiloInstance list[3000];
    for (int round = 0; round < 20; round++) {
        size_t count = test_random(&random) % FILO_COUNT_OF(list);
        for (size_t i = 0; i < count; i++) {
            list[i] = (FiloInstance){ .position = random_vec3(&random, -8, 8), .scale = 1 };
            list[i].position.y = 0;
        }
        assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, count));
        frame(&f);
        assert_int_equal(stats(&f).visible, count);
        assert_int_equal(stats(&f).rebuilt, count);
        frame(&f);
        assert_int_equal(stats(&f).rebuilt, 0);
    }
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, NULL, 0));
    frame(&f);
    assert_int_equal(stats(&f).visible, 0);
    fixture_end(&f);
}

FILO_TEST(cells_that_are_much_too_small_share_their_rows) {
    Fixture f = fixture_begin(ON_NULL, 2);
    add_camera(&f, filo_vec3(0, 500, 0), filo_vec3(0, 0, 0));
    FiloInstances set = make_set(&f, &(FiloInstancesDesc){ .cell = 0.01f });
    enum { SIDE = 400 }; // 160,000 cells
    FiloInstance *list = filo_alloc_zero(NULL, SIDE * SIDE * sizeof *list, 0);
    for (int i = 0; i < SIDE * SIDE; i++)
        list[i] = (FiloInstance){ .position = { (float)(i % SIDE - SIDE / 2) * 0.5f, 0,
                                                (float)(i / SIDE - SIDE / 2) * 0.5f },
                                  .scale = 0.1f };
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, SIDE * SIDE));
    filo_free(NULL, list, SIDE * SIDE * sizeof *list, 0);
    const Gfx3dInstanceSet *cells = &f.gfx->extraction->sets.items[0];
    assert_in_range(cells->cells.count, 1000, 65536);
    size_t rows = 0;
    filo_array_each (&cells->cells, cell) rows += cell->count;
    assert_int_equal(rows, SIDE * SIDE);
    frame(&f);
    assert_int_equal(stats(&f).visible, SIDE * SIDE);
    fixture_end(&f);
}

FILO_TEST(sets_are_shown_hidden_and_destroyed) {
    Fixture f = with_camera();
    FiloInstances a = make_set(&f, &(FiloInstancesDesc){ .label = "a" }),
                  b = make_set(&f, &(FiloInstancesDesc){ 0 });
    const FiloInstance one = { .position = { 1, 0, 0 }, .scale = 1 },
                       two = { .position = { 2, 0, 0 }, .scale = 1 };
    assert_ok(filo_gfx3d_instances_set(f.gfx, a, &one, 1));
    assert_ok(filo_gfx3d_instances_set(f.gfx, b, &two, 1));
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "1 2");
    filo_gfx3d_instances_show(f.gfx, a, false);
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "2");
    assert_int_equal(stats(&f).meshes, 1);
    filo_gfx3d_instances_show(f.gfx, a, true);
    filo_gfx3d_instances_destroy(f.gfx, b);
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "1");
    filo_gfx3d_instances_destroy(f.gfx, (FiloInstances){ 0 });
    // A new set gets another handle, also in the same slot.
    FiloInstances c = make_set(&f, &(FiloInstancesDesc){ 0 });
    assert_true(c.id != b.id);
    const char *stale = "the set of instances does not exist: it was destroyed, or never created";
    expect_fault(stale, filo_gfx3d_instances_show(f.gfx, b, true));
    expect_fault(stale, filo_gfx3d_instances_destroy(f.gfx, b));
    expect_fault(stale, filo_gfx3d_instances_show(f.gfx, (FiloInstances){ 0 }, true));
    expect_mistake(stale, filo_gfx3d_instances_set(f.gfx, b, &one, 1));
    expect_mistake(stale, filo_gfx3d_instances_set(f.gfx, (FiloInstances){ 77 }, &one, 1));
    assert_ok(filo_gfx3d_instances_set(f.gfx, c, &two, 1));
    frame(&f);
    assert_string_equal(xs_of(&f, 0), "1 2");
    fixture_end(&f);
}

FILO_TEST(handles_stay_different_when_a_slot_is_used_again_and_again) {
    Fixture f = with_camera();
    FiloInstances last = { 0 };
    for (int i = 0; i < 200; i++) {
        FiloInstances set = make_set(&f, &(FiloInstancesDesc){ 0 });
        assert_true(set.id != 0 && set.id != last.id);
        filo_gfx3d_instances_destroy(f.gfx, set);
        last = set;
    }
    assert_int_equal(f.gfx->extraction->sets.count, 1);
    fixture_end(&f);
}

FILO_TEST(meshes_and_materials_of_a_set_are_those_of_its_description) {
    Fixture f = with_camera();
    assert_ok(filo_gfx3d_add_material(f.gfx, filo_name("glass"),
                                      &(FiloMaterialDesc){ .mode = FILO_MATERIAL_BLEND }));
    const FiloName meshes[] = { filo_name("box"), filo_name("leaf") };
    const FiloName materials[] = { { 0 }, filo_name("glass") };
    FiloInstances set;
    assert_ok(filo_gfx3d_instances_create(
        &set, f.gfx, &(FiloInstancesDesc){ .meshes = meshes, .materials = materials, .mesh_count = 2 }));
    const FiloInstance list[] = { { .scale = 1 }, { .position = { 1, 0, 0 }, .scale = 1, .mesh = 1 } };
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 2));
    expect_warning("there is no mesh \"leaf\"", frame(&f));
    assert_int_equal(f.gfx->views.items[0]->blended.count, 0); // it looks like an error, which is opaque
    // A mesh that comes later replaces the box, with its material; bounds follow.
    TriangleMesh t;
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("leaf"), triangle(&t, 500)));
    frame(&f);
    assert_int_equal(f.gfx->views.items[0]->blended.count, 1);
    assert_int_equal(stats(&f).visible, 2);
    assert_true(f.gfx->extraction->sets.items[0].cells.items[0].reach > 400);
    fixture_end(&f);
}

FILO_TEST(mistakes_with_sets_are_reported) {
    Fixture f = with_camera();
    FiloName many[257];
    for (int i = 0; i < 257; i++) many[i] = filo_name("box");
    FiloInstances set = { 5 };
    const char *needs = "pass where the set goes, a renderer, and a description with at least one mesh";
    expect_mistake(needs, filo_gfx3d_instances_create(NULL, f.gfx, &(FiloInstancesDesc){ 0 }));
    expect_mistake(needs, filo_gfx3d_instances_create(&set, f.gfx, &(FiloInstancesDesc){ 0 }));
    assert_int_equal(set.id, 0);
    expect_mistake(needs, filo_gfx3d_instances_create(
                              &set, NULL, &(FiloInstancesDesc){ .meshes = many, .mesh_count = 1 }));
    expect_mistake(
        "a set has at most 256 meshes, not 257",
        filo_gfx3d_instances_create(&set, f.gfx, &(FiloInstancesDesc){ .meshes = many, .mesh_count = 257 }));
    assert_ok(filo_gfx3d_instances_create(
        &set, f.gfx, &(FiloInstancesDesc){ .label = "trees", .meshes = many, .mesh_count = 256 }));
    const FiloInstance list[] = { { .scale = 1, .mesh = 255 }, { .scale = 1, .mesh = 256 } };
    expect_mistake("instance 1 of \"trees\" has mesh 256, but the set has 256",
                   filo_gfx3d_instances_set(f.gfx, set, list, 2));
    expect_mistake("pass a renderer, and a list of instances", filo_gfx3d_instances_set(f.gfx, set, NULL, 3));
    expect_mistake("pass a renderer, and a list of instances", filo_gfx3d_instances_set(NULL, set, list, 1));
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 1));
    frame(&f);
    assert_int_equal(stats(&f).visible, 1);
    fixture_end(&f);
}

FILO_TEST(a_set_without_memory_keeps_the_list_that_it_had) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    hush();
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .allocator = &failing.allocator });
    add_camera(&f, filo_vec3(0, 0, 30), filo_vec3(0, 0, 0));
    FiloInstances set = make_set(&f, &(FiloInstancesDesc){ .cell = 1 });
    FiloInstance few[3], list[50];
    for (int i = 0; i < 50; i++)
        list[i] = (FiloInstance){ .position = { 0.2f * (float)i, 0, 0 }, .scale = 1 };
    memcpy(few, list, sizeof few);
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, few, 3));
    frame(&f);
    for (size_t allowed = 0;; allowed++) {
        failing_allow(&failing, allowed);
        FiloResult r = filo_gfx3d_instances_set(f.gfx, set, list, 50);
        failing_end(&failing);
        frame(&f);
        if (r.code == FILO_OK) break;
        assert_error(r, FILO_ERROR_MEMORY, "no memory for 50 instances of \"instances\"");
        assert_int_equal(stats(&f).visible, 3);
        assert_true(allowed < 10);
    }
    assert_int_equal(stats(&f).visible, 50);
    fixture_end(&f);
    assert_int_equal(failing.blocks, 0);
    filo_fault_set_handler((FiloFaultHandler){ 0 });
}
