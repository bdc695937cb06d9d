// Meshes of model files: loading, parts of files, reloading, and files that are broken or missing.

#include "gfx3d/core_fixture.h"

#include "support/asset_files.h"
#include "support/warnings.h"

#include <filo/time.h>

static const char *one_triangle = "o Tip\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char *two_objects = "o Left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
                                 "o Right\nv 5 0 0\nv 9 0 0\nv 5 4 0\nv 9 4 0\nf 4 5 6\nf 5 7 6\n";

static Fixture open_with_assets(void) {
    return fixture_open((FixtureDesc){ .backend = ON_NULL, .threads = 2, .assets = true });
}

static uint64_t triangles_without(Fixture *f) {
    add_camera(f, filo_vec3(0, 0, 20), filo_vec3(0, 0, 0));
    frame(f);
    return stats(f).triangles;
}

static void load_all(Fixture *f) {
    frame(f); // requests
    filo_assets_wait_all(f->assets);
    frame(f);
}

// Frames until the version of an asset is no longer `version`, or the last load has an error.
static void await_reload(Fixture *f, const char *name, uint32_t version, bool error) {
    FiloAsset asset = filo_assets_find(f->assets, filo_name(name));
    for (int i = 0; i < 4000; i++) {
        filo_assets_update(f->assets, 0);
        bool failed = filo_asset_error(f->assets, asset)->code != FILO_OK;
        if (error ? failed : filo_asset_version(f->assets, asset) != version && !failed) {
            frame(f);
            return;
        }
        filo_sleep_ns(1000000);
    }
    fail_msg("%s was not loaded again", name);
}

static uint32_t version_of(const Fixture *f, const char *name) {
    return filo_asset_version(f->assets, filo_assets_find(f->assets, filo_name(name)));
}

FILO_TEST(a_mesh_is_a_box_until_its_file_is_loaded) {
    write_text("tip.obj", one_triangle);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    FiloAabb3 bounds;
    assert_false(filo_gfx3d_mesh_bounds(f.gfx, filo_name("tip.obj"), &bounds));
    frame(&f);
    if (!mesh_named(&f, "tip.obj")->loaded) assert_int_equal(stats(&f).triangles - none, 12);
    load_all(&f);
    assert_int_equal(stats(&f).triangles - none, 1);
    assert_true(filo_gfx3d_mesh_bounds(f.gfx, filo_name("tip.obj"), &bounds));
    assert_float_equal(bounds.max.x, 1, 0);
    fixture_end(&f);
}

FILO_TEST(meshes_of_files_are_uploaded_within_a_budget) {
    static const char *const files[] = { "a.obj", "b.obj", "c.obj" };
    Fixture f = open_with_assets();
    add_camera(&f, filo_vec3(0, 0, 20), filo_vec3(0, 0, 0));
    for (int i = 0; i < 3; i++) write_text(files[i], one_triangle);
    for (int i = 0; i < 3; i++) add_at(&f, files[i], filo_vec3(0, 0, 0));
    f.gfx->upload_limit = 2 * (3 * sizeof(Gfx3dVertex) + 3 * 4); // two meshes
    frame(&f);
    bool early = mesh_named(&f, "a.obj")->loaded || mesh_named(&f, "b.obj")->loaded ||
                 mesh_named(&f, "c.obj")->loaded; // the disk was faster than the frame
    filo_assets_wait_all(f.assets);
    frame(&f);
    if (!early) assert_true(mesh_named(&f, "b.obj")->loaded && !mesh_named(&f, "c.obj")->loaded);
    frame(&f);
    assert_true(mesh_named(&f, "a.obj")->loaded && mesh_named(&f, "c.obj")->loaded);
    f.gfx->upload_limit = 1; // one is always uploaded
    uint32_t versions[3];
    for (int i = 0; i < 3; i++) versions[i] = version_of(&f, files[i]);
    for (int i = 0; i < 3; i++) write_text(files[i], two_objects);
    for (int i = 0; i < 3; i++) await_reload(&f, files[i], versions[i], false);
    frame(&f);
    frame(&f);
    for (int i = 0; i < 3; i++) assert_float_equal(mesh_named(&f, files[i])->bounds.max.x, 9, 0);
    fixture_end(&f);
}

FILO_TEST(a_part_of_a_file_is_named_after_a_hash_and_the_file_is_loaded_once) {
    write_text("pair.obj", two_objects);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "pair.obj#Right", filo_vec3(0, 0, 0));
    load_all(&f);
    assert_int_equal(stats(&f).triangles - none, 2);
    assert_float_equal(mesh_named(&f, "pair.obj#Right")->bounds.min.x, 5, 0);
    add_at(&f, "pair.obj#Left", filo_vec3(0, 0, 0));
    add_at(&f, "pair.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    assert_int_equal(stats(&f).triangles - none, 2 + 1 + 3);
    assert_int_equal(filo_assets_stats(f.assets).loaded, 1);
    assert_int_equal(filo_asset_reference_count(f.assets, filo_assets_find(f.assets, filo_name("pair.obj"))),
                     3);
    fixture_end(&f);
}

FILO_TEST(a_part_that_the_file_does_not_have_is_reported_and_stays_a_box) {
    write_text("pair.obj", two_objects);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "pair.obj#Lift", filo_vec3(0, 0, 0));
    const char *problem = "pair.obj: the file has no mesh \"Lift\": did you mean \"Left\"?";
    expect_warning(problem, {
        load_all(&f);
        frame(&f);
    });
    assert_int_equal(stats(&f).triangles - none, 12);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    gfx3d_meshes_problems(f.gfx, &lines);
    assert_int_equal(lines.count, 1);
    assert_string_equal(items[0].text, problem);
    // With the next version of the file it is there.
    uint32_t version = version_of(&f, "pair.obj");
    write_text("pair.obj", "o Lift\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    await_reload(&f, "pair.obj", version, false);
    assert_int_equal(stats(&f).triangles - none, 1);
    lines.count = 0;
    gfx3d_meshes_problems(f.gfx, &lines);
    assert_int_equal(lines.count, 0);
    fixture_end(&f);
}

FILO_TEST(a_file_that_changes_is_drawn_anew_and_a_broken_one_keeps_the_last_good_mesh) {
    hush();
    write_text("tip.obj", one_triangle);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    assert_int_equal(stats(&f).triangles - none, 1);
    uint32_t version = version_of(&f, "tip.obj");
    write_text("tip.obj", two_objects);
    await_reload(&f, "tip.obj", version, false);
    assert_int_equal(stats(&f).triangles - none, 3);
    version = version_of(&f, "tip.obj");
    write_text("tip.obj", "v 0 0 0\nf 1 2 oh\n");
    await_reload(&f, "tip.obj", version, true);
    assert_int_equal(stats(&f).triangles - none, 3);
    FiloAsset asset = filo_assets_find(f.assets, filo_name("tip.obj"));
    assert_contains(filo_asset_error(f.assets, asset)->message, "tip.obj:2");
    write_text("tip.obj", one_triangle);
    await_reload(&f, "tip.obj", version, false);
    assert_int_equal(stats(&f).triangles - none, 1);
    fixture_end(&f);
}

FILO_TEST(a_model_is_loaded_again_when_a_file_beside_it_changes) {
    write_text("tip.obj", "mtllib tip.mtl\no Tip\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl paint\nf 1 2 3\n");
    write_text("tip.mtl", "newmtl paint\nKd 1 0 0\n");
    Fixture f = open_with_assets();
    triangles_without(&f);
    add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    FiloAsset asset = filo_assets_find(f.assets, filo_name("tip.obj"));
    const FiloModelAsset *model = filo_asset_data(f.assets, asset);
    assert_true(model->model->materials[0].color.x == 1);
    uint32_t version = version_of(&f, "tip.obj");
    write_text("tip.mtl", "newmtl paint\nKd 0 1 0\n");
    await_reload(&f, "tip.obj", version, false);
    model = filo_asset_data(f.assets, asset);
    assert_true(model->model->materials[0].color.x == 0);
    assert_true(model->model->materials[0].color.y == 1);
    fixture_end(&f);
}

FILO_TEST(a_file_that_is_removed_keeps_its_mesh) {
    hush();
    write_text("tip.obj", one_triangle);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    assert_int_equal(remove(filo_test_path("tip.obj")), 0);
    for (int i = 0; i < 50; i++) {
        filo_assets_update(f.assets, 0);
        frame(&f);
        filo_sleep_ns(2000000);
    }
    assert_int_equal(stats(&f).triangles - none, 1);
    fixture_end(&f);
}

FILO_TEST(a_file_that_is_missing_or_empty_is_a_box_with_an_error) {
    hush();
    write_text("broken.glb", "not a model");
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    add_at(&f, "missing.obj", filo_vec3(0, 0, 0));
    add_at(&f, "broken.glb", filo_vec3(0, 0, 0));
    load_all(&f);
    frame(&f);
    assert_int_equal(stats(&f).triangles - none, 24);
    assert_int_equal(filo_assets_stats(f.assets).failed, 2);
    fixture_end(&f);
}

FILO_TEST(a_removed_mesh_of_a_file_is_loaded_again_if_an_entity_has_it) {
    write_text("tip.obj", one_triangle);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    FiloEntity tip = add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    filo_gfx3d_remove_mesh(f.gfx, filo_name("tip.obj"));
    FiloAsset asset = filo_assets_find(f.assets, filo_name("tip.obj"));
    assert_int_equal(filo_asset_reference_count(f.assets, asset), 0);
    write_text("tip.obj", two_objects);
    filo_assets_update(f.assets, 0); // the file is freed
    load_all(&f);
    assert_int_equal(stats(&f).triangles - none, 3);
    filo_entity_destroy(f.world, tip);
    filo_gfx3d_remove_mesh(f.gfx, filo_name("tip.obj"));
    load_all(&f);
    assert_int_equal(filo_assets_stats(f.assets).loaded, 0);
    fixture_end(&f);
}

FILO_TEST(a_mesh_of_the_program_with_the_name_of_a_file_is_that_of_the_program) {
    write_text("tip.obj", two_objects);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    TriangleMesh t;
    add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
    frame(&f); // it is being loaded
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("tip.obj"), triangle(&t, 1)));
    load_all(&f);
    frame(&f);
    assert_int_equal(stats(&f).triangles - none, 1);
    fixture_end(&f);
}

FILO_TEST(a_whole_file_has_levels_of_detail) {
    char *text = filo_alloc(NULL, 1 << 20, 0);
    size_t length = 0;
    enum { N = 60 };
    for (int y = 0; y <= N; y++)
        for (int x = 0; x <= N; x++)
            length += (size_t)sprintf(text + length, "v %d %d %g\n", x, y,
                                      (double)(filo_sin((float)x * 0.7f) * filo_cos((float)y * 0.9f)));
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int a = y * (N + 1) + x + 1, b = a + N + 1;
            length += (size_t)sprintf(text + length, "f %d %d %d %d\n", a, a + 1, b + 1, b);
        }
    write_text("hill.obj", text);
    filo_free(NULL, text, 1 << 20, 0);
    Fixture f = open_with_assets();
    uint64_t none = triangles_without(&f);
    FiloEntity hill = add_at(&f, "hill.obj", filo_vec3(0, 0, 0));
    load_all(&f);
    assert_true(mesh_named(&f, "hill.obj")->level_count > 2);
    assert_int_equal(stats(&f).triangles - none, 2 * N * N);
    filo_edit(f.world, hill, FiloTransform3)->scale = filo_vec3(0.01f, 0.01f, 0.01f);
    frame(&f);
    assert_true(stats(&f).triangles - none < N * N);
    fixture_end(&f);
}

FILO_TEST(models_without_memory_stay_boxes_and_are_filled_when_there_is_some) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    hush();
    write_text("tip.obj", one_triangle);
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Fixture f = fixture_open(
            (FixtureDesc){ .backend = ON_NULL, .assets = true, .allocator = &failing.allocator });
        add_at(&f, "box", filo_vec3(0, 0, 0)); // so that there is a pipeline
        uint64_t none = triangles_without(&f);
        add_at(&f, "tip.obj", filo_vec3(0, 0, 0));
        failing.fail_at = failing.calls + fail_at;
        frame(&f);
        filo_assets_wait_all(f.assets);
        frame(&f);
        more = failing.calls > failing.fail_at;
        failing_end(&failing);
        load_all(&f);
        frame(&f);
        assert_int_equal(stats(&f).triangles - none, 1);
        fixture_end(&f);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler((FiloFaultHandler){ 0 });
}
