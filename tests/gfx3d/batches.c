// Which meshes are drawn together: batches, their order, and how many there can be.

#include "gfx3d/core_fixture.h"

#include "support/warnings.h"

static void add_material(Fixture *f, const char *name, FiloMaterialMode mode, float red) {
    assert_ok(filo_gfx3d_add_material(
        f->gfx, filo_name(name),
        &(FiloMaterialDesc){ .mode = mode, .values = { FILO_VEC4("color", red, 0.5f, 0.5f, 0.5f) } }));
}

static size_t batch_count(const Fixture *f) { return f->gfx->extraction->batches.count; }

FILO_TEST(meshes_share_a_batch_if_mesh_material_and_flags_are_the_same) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    add_material(&f, "red", FILO_MATERIAL_OPAQUE, 1);
    for (int i = 0; i < 4; i++) add_at(&f, "box", filo_vec3(0, 0, 0));
    frame(&f);
    assert_int_equal(batch_count(&f), 1);
    filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->color = FILO_COLOR_RED;
    filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->range = 50;
    filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->flags = FILO_MESH_HIDDEN;
    frame(&f);
    assert_int_equal(batch_count(&f), 1);
    filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->material = filo_name("red");
    frame(&f);
    assert_int_equal(batch_count(&f), 2);
    const uint8_t flags[] = { FILO_MESH_NO_SHADOW, FILO_MESH_FULL_DETAIL, FILO_MESH_WIREFRAME };
    for (size_t i = 0; i < FILO_COUNT_OF(flags); i++) {
        filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->flags = flags[i];
        frame(&f);
        assert_int_equal(batch_count(&f), 3 + i);
    }
    add_at(&f, "", filo_vec3(0, 0, 0)); // {0} is the box, too
    frame(&f);
    assert_int_equal(stats(&f).visible, 4 + 2 + 1 + 3 + 1);
    fixture_end(&f);
}

// Draw calls of the null device since the last frame that draw instances.
static size_t draws_of_instances(const Fixture *f) {
    size_t count = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(f->gpu); i++)
        count += strncmp(filo_gpu_null_call(f->gpu, i), "draw_indexed", 12) == 0;
    return count;
}

FILO_TEST(everything_with_one_material_is_drawn_by_one_call) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 30), filo_vec3(0, 0, 0));
    add_material(&f, "red", FILO_MATERIAL_OPAQUE, 1);
    add_material(&f, "green", FILO_MATERIAL_OPAQUE, 0);
    const char *shapes[] = { "box", "sphere", "plane", "cone", "torus" };
    for (int i = 0; i < 100; i++) {
        FiloEntity entity = add_at(&f, shapes[i % 5], filo_vec3((float)(i % 10), (float)(i / 10), 0));
        if (i % 3 != 0)
            filo_edit(f.world, entity, FiloMesh)->material = filo_name(i % 3 == 1 ? "red" : "green");
    }
    frame(&f);
    filo_gpu_null_forget(f.gpu);
    frame(&f);
    assert_int_equal(stats(&f).visible, 100);
    assert_int_equal(draws_of_instances(&f), 3);
    fixture_end(&f);
}

// ---- Blended --------------------------------------------------------------------------------------------------

static const char *blended_order(const Fixture *f, size_t v) {
    static char text[4096];
    const Gfx3dView *view = f->gfx->views.items[v];
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < view->blended.count && length + 16 < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, i > 0 ? " %g" : "%g",
                                   (double)instances_of(f)[view->blended.items[i].instance].values.x);
    return text;
}

static FiloEntity add_glass(Fixture *f, const char *mesh, float number, float z) {
    FiloEntity entity = add_at(f, mesh, filo_vec3(0, 0, z));
    filo_edit(f->world, entity, FiloMesh)->material = filo_name("glass");
    filo_edit(f->world, entity, FiloMesh)->values.x = number;
    return entity;
}

FILO_TEST(blended_meshes_are_drawn_from_far_to_near_and_equal_ones_in_the_order_of_the_world) {
    Fixture f = fixture_begin(ON_NULL, 1);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 50), filo_vec3(0, 0, 0));
    add_material(&f, "glass", FILO_MATERIAL_BLEND, 1);
    add_glass(&f, "box", 1, 3);
    add_glass(&f, "sphere", 2, -8);
    add_glass(&f, "box", 3, 7);
    add_glass(&f, "cone", 4, 0);
    add_glass(&f, "box", 5, 0);
    add_glass(&f, "sphere", 6, 0);
    add_glass(&f, "box", 7, 100);          // behind the camera
    add_at(&f, "box", filo_vec3(0, 0, 0)); // not blended
    for (int i = 0; i < 4; i++) {          // moving and at rest
        frame(&f);
        assert_string_equal(blended_order(&f, 0), "2 4 5 6 1 3");
    }
    add_camera(&f, filo_vec3(0, 0, -50), filo_vec3(0, 0, 0));
    frame(&f);
    assert_string_equal(blended_order(&f, 0), "2 4 5 6 1 3");
    assert_string_equal(blended_order(&f, 1), "7 3 1 4 5 6 2");
    filo_entity_destroy(f.world, camera);
    frame(&f);
    assert_string_equal(blended_order(&f, 0), "7 3 1 4 5 6 2");
    fixture_end(&f);
}

FILO_TEST(thousands_of_blended_meshes_are_sorted_as_by_comparison) {
    Fixture f = fixture_begin(ON_NULL, 2);
    add_camera(&f, filo_vec3(0, 0, 500), filo_vec3(0, 0, 0));
    add_material(&f, "glass", FILO_MATERIAL_ADD, 1);
    uint64_t random = 2;
    for (int i = 0; i < 5000; i++) {
        float z = random_float(&random, -300, 300);
        add_glass(&f, i % 2 == 0 ? "box" : "cone", (float)i, i % 3 == 0 ? floorf(z) : z); // some are equal
    }
    for (int round = 0; round < 3; round++) {
        frame(&f);
        const Gfx3dView *view = f.gfx->views.items[0];
        assert_int_equal(view->blended.count, 5000);
        const Gfx3dInstance *all = instances_of(&f);
        for (size_t i = 1; i < view->blended.count; i++) {
            const Gfx3dInstance *a = &all[view->blended.items[i - 1].instance];
            const Gfx3dInstance *b = &all[view->blended.items[i].instance];
            assert_true(a->matrix.m[11] <= b->matrix.m[11]);
            if (a->matrix.m[11] == b->matrix.m[11]) assert_true(a->values.x < b->values.x);
        }
    }
    fixture_end(&f);
}

FILO_TEST(a_material_that_becomes_blended_is_sorted_from_the_next_frame_on) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 50), filo_vec3(0, 0, 0));
    add_material(&f, "glass", FILO_MATERIAL_OPAQUE, 1);
    add_glass(&f, "box", 1, 3);
    add_glass(&f, "box", 2, 1);
    for (int i = 0; i < 3; i++) frame(&f);
    assert_string_equal(blended_order(&f, 0), "");
    add_material(&f, "glass", FILO_MATERIAL_BLEND, 1);
    frame(&f);
    assert_string_equal(blended_order(&f, 0), "2 1");
    add_material(&f, "glass", FILO_MATERIAL_OPAQUE, 1);
    frame(&f);
    assert_string_equal(blended_order(&f, 0), "");
    fixture_end(&f);
}

FILO_TEST(a_mesh_with_opaque_and_blended_parts_is_drawn_in_both_ways) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    add_material(&f, "glass", FILO_MATERIAL_BLEND, 1);
    add_material(&f, "wood", FILO_MATERIAL_OPAQUE, 1);
    FiloMeshData window;
    assert_ok(filo_mesh_create(
        &window, &(FiloMeshDesc){ .vertices = 6, .indices = 6, .parts = 2, .arrays = FILO_MESH_NORMALS },
        NULL));
    for (uint32_t i = 0; i < 6; i++) {
        window.positions[i] = filo_vec3((float)(i % 3 == 1), (float)(i % 3 == 2), (float)(i / 3));
        window.indices[i] = i;
    }
    window.parts[0] = (FiloMeshPart){ 0, 3, 0 };
    window.parts[1] = (FiloMeshPart){ 3, 3, 1 };
    const FiloName materials[] = { filo_name("wood"), filo_name("glass") };
    const FiloMeshLevel level = { .data = &window, .materials = materials, .material_count = 2 };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("window"), &level, 1));
    frame(&f);
    uint64_t before = stats(&f).triangles;
    add_at(&f, "window", filo_vec3(0, 0, 0));
    filo_gpu_null_forget(f.gpu);
    frame(&f);
    assert_int_equal(stats(&f).triangles - before, 2); // each part once
    assert_int_equal(draws_of_instances(&f), 2);
    // A material of the entity is that of all parts.
    filo_gpu_null_forget(f.gpu);
    FiloEntity plain = add_at(&f, "window", filo_vec3(0, 0, 0));
    filo_edit(f.world, plain, FiloMesh)->material = filo_name("wood");
    frame(&f);
    assert_int_equal(stats(&f).triangles - before, 4);
    assert_int_equal(draws_of_instances(&f), 2);
    filo_mesh_free(&window, NULL);
    fixture_end(&f);
}

// ---- Limits -----------------------------------------------------------------------------------------------------

FILO_TEST(more_meshes_than_there_can_be_are_reported_once_and_the_others_are_drawn) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    enum { COUNT = 8200 }; // with eight levels each: more than 65,535 lists
    TriangleMesh t;
    FiloMeshLevel levels[8];
    for (int i = 0; i < 8; i++)
        levels[i] = (FiloMeshLevel){ .data = triangle(&t, 1), .distance = 100 * (float)i };
    char name[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "mesh %d", i);
        assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name(name), levels, 8));
        filo_edit(f.world, add_at(&f, name, filo_vec3(0, 0, 0)), FiloMesh)->values.x = (float)i;
    }
    expect_warning(
        "too many different meshes and materials are drawn: with their levels of detail, more than 65535",
        for (int i = 0; i < 3; i++) frame(&f));
    const size_t drawn = 65535 / 8;
    assert_int_equal(stats(&f).visible, drawn);
    const Gfx3dView *view = f.gfx->views.items[0];
    for (uint32_t i = 0; i < drawn; i++) { // each in the list of its nearest level
        assert_int_equal(view->lists[8 * i].count, 1);
        assert_true(instances_of(&f)[view->lists[8 * i].first].values.x == (float)i);
    }
    fixture_end(&f);
}
