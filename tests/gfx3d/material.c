// Materials: keys by which draws are shared, what binding sets, materials of models, running out of memory.

#include "support/malloc_count.h"

#include "gfx3d/material_fixture.h"

#include "support/failing_allocator.h"

static uint32_t add(Fixture *fixture, const char *name, FiloMaterialDesc desc) {
    assert_ok(filo_gfx3d_add_material(fixture->gfx, filo_name(name), &desc));
    return find(fixture, name);
}

static Gfx3dMaterialInfo info(const Fixture *fixture, uint32_t index) {
    return gfx3d_material_info(fixture->gfx, index);
}

static const char *const sway = "//! vertex\nuniform float bend;\n"
                                "void vertex(inout FiloVertex v) { v.position.x += bend; }\n";

// ---- Keys ---------------------------------------------------------------------------------------------------

FILO_TEST(plain_opaque_materials_share_their_depth_draws) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    uint32_t red = add(&fixture, "red", (FiloMaterialDesc){ .values = { FILO_VEC4("color", 1, 0, 0, 1) } });
    uint32_t shiny = add(&fixture, "shiny", (FiloMaterialDesc){ .unlit = true });
    uint32_t sheet = add(&fixture, "sheet", (FiloMaterialDesc){ .double_sided = true });
    uint32_t leaf = add(&fixture, "leaf", (FiloMaterialDesc){ .mode = FILO_MATERIAL_MASK });
    uint32_t tree = add(&fixture, "tree", (FiloMaterialDesc){ .source = sway });
    uint32_t paint = add(&fixture, "paint",
                         (FiloMaterialDesc){ .source = "//! fragment\nvoid surface(inout "
                                                       "FiloSurface s) { s.color.r = 1.0; }\n" });
    for (int pass = GFX3D_PASS_SHADOW; pass <= GFX3D_PASS_DEPTH; pass++) {
        uint32_t key = info(&fixture, GFX3D_MATERIAL_DEFAULT).keys[pass];
        assert_int_equal(info(&fixture, red).keys[pass], key);
        assert_int_equal(info(&fixture, shiny).keys[pass], key);
        assert_int_equal(info(&fixture, paint).keys[pass], key); // its shader does not move vertices
        assert_int_not_equal(info(&fixture, sheet).keys[pass], key);
        assert_int_not_equal(info(&fixture, leaf).keys[pass], key);
        assert_int_not_equal(info(&fixture, tree).keys[pass], key);
    }
    // In colour each has its own, and those with one pipeline are neighbours.
    uint32_t plain = info(&fixture, GFX3D_MATERIAL_DEFAULT).keys[GFX3D_PASS_COLOR];
    assert_int_not_equal(info(&fixture, red).keys[GFX3D_PASS_COLOR], plain);
    assert_int_equal(info(&fixture, red).keys[GFX3D_PASS_COLOR] >> 16, plain >> 16);
    assert_int_not_equal(info(&fixture, shiny).keys[GFX3D_PASS_COLOR] >> 16, plain >> 16);
    fixture_end(&fixture);
}

FILO_TEST(what_is_blended_casts_no_shadow) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_true(info(&fixture, GFX3D_MATERIAL_DEFAULT).casts_shadow);
    assert_true(
        info(&fixture, add(&fixture, "a", (FiloMaterialDesc){ .mode = FILO_MATERIAL_MASK })).casts_shadow);
    assert_false(
        info(&fixture, add(&fixture, "b", (FiloMaterialDesc){ .mode = FILO_MATERIAL_BLEND })).casts_shadow);
    assert_false(
        info(&fixture, add(&fixture, "c", (FiloMaterialDesc){ .mode = FILO_MATERIAL_ADD })).casts_shadow);
    assert_false(info(&fixture, add(&fixture, "d", (FiloMaterialDesc){ .no_shadow = true })).casts_shadow);
    fixture_end(&fixture);
}

FILO_TEST(the_generation_changes_only_when_draws_are_affected) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    uint32_t red = add(&fixture, "red", (FiloMaterialDesc){ .values = { FILO_VEC4("color", 1, 0, 0, 1) } });
    FILO_UNUSED(red);
    uint32_t generation = fixture.gfx->material_generation;
    assert_ok(filo_material_set_float(fixture.gfx, filo_name("red"), "roughness", 0.1f));
    (void)find(&fixture, "new.material");
    settle(&fixture);
    assert_int_equal(fixture.gfx->material_generation, generation);
    assert_ok(filo_material_set_texture(fixture.gfx, filo_name("red"), "color_map", filo_name("a.png")));
    assert_int_not_equal(fixture.gfx->material_generation, generation);
    fixture_end(&fixture);
}

FILO_TEST(an_unknown_material_looks_like_an_error_and_is_reported_once) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    add(&fixture, "brick", (FiloMaterialDesc){ 0 });
    uint32_t index = find(&fixture, "brik");
    assert_int_equal(index, find(&fixture, "brik"));
    settle(&fixture);
    expect_log(&fixture,
               "there is no material \"brik\": did you mean \"brick\"? (add it by filo_gfx3d_add_material, "
               "or name a file that ends in .material)");
    settle(&fixture);
    expect_no_log(&fixture);
    assert_int_equal(info(&fixture, index).mode, FILO_MATERIAL_OPAQUE);
    assert_true(material(&fixture, index)->broken);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 1);
    assert_contains(items[0].text, "there is no material \"brik\"");
    // It may be added later.
    assert_int_equal(add(&fixture, "brik", (FiloMaterialDesc){ .mode = FILO_MATERIAL_MASK }), index);
    assert_int_equal(info(&fixture, index).mode, FILO_MATERIAL_MASK);
    assert_false(material(&fixture, index)->broken);
    lines.count = 0;
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 0);
    assert_int_equal(find(&fixture, ""), GFX3D_MATERIAL_DEFAULT);
    fixture_end(&fixture);
}

FILO_TEST(an_unknown_material_without_an_extension_may_be_a_file) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    assert_ok(filo_file_write(filo_test_path("gold.material"), "", 0, NULL));
    (void)find(&fixture, "gold");
    settle(&fixture);
    expect_log(&fixture, "there is no material \"gold\": did you mean \"gold.material\"? (add it by");
    fixture_end(&fixture);
}

// ---- Binding ------------------------------------------------------------------------------------------------

// The calls of binding, without those of the pass.
static size_t calls_of_bind(Fixture *fixture, uint32_t index, const char *wanted) {
    filo_gpu_begin_pass(fixture->gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    filo_gpu_null_forget(fixture->gpu);
    assert_true(gfx3d_material_bind(fixture->gfx, index, GFX3D_PASS_COLOR, 0));
    size_t count = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(fixture->gpu); i++)
        count += strstr(filo_gpu_null_call(fixture->gpu, i), wanted) != NULL;
    filo_gpu_end_pass(fixture->gpu);
    return count;
}

FILO_TEST(values_are_set_only_when_another_material_used_the_pipeline) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    uint32_t a =
        add(&fixture, "a",
            (FiloMaterialDesc){ .shader = "s", .source = sway, .values = { FILO_FLOAT("bend", 2) } });
    uint32_t b = add(&fixture, "b", (FiloMaterialDesc){ .shader = "s", .source = sway });
    assert_int_equal(calls_of_bind(&fixture, a, "bend"), 1);
    assert_int_equal(calls_of_bind(&fixture, a, "bend"), 0);
    assert_int_equal(calls_of_bind(&fixture, b, "bend"), 1); // to zero, because it does not give it
    assert_int_equal(calls_of_bind(&fixture, a, "bend"), 1);
    assert_ok(filo_material_set_float(fixture.gfx, filo_name("a"), "bend", 3));
    settle(&fixture);
    assert_int_equal(calls_of_bind(&fixture, a, "bend"), 1);
    assert_int_equal(calls_of_bind(&fixture, a, "bend"), 0);
    fixture_end(&fixture);
}

FILO_TEST(the_block_of_a_material_has_its_values) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    uint32_t index =
        add(&fixture, "a",
            (FiloMaterialDesc){ .cutoff = 0.25f,
                                .values = { FILO_VEC4("color", 1, 2, 3, 4), FILO_VEC3("emissive", 5, 6, 7),
                                            FILO_FLOAT("metallic", 8), FILO_FLOAT("roughness", 9),
                                            FILO_VEC2("uv_scale", 10, 11), FILO_VEC2("uv_offset", 12, 13),
                                            FILO_FLOAT("uv_rotation", 14) } });
    settle(&fixture);
    const uint8_t *bytes = filo_gpu_null_buffer_data(fixture.gpu, fixture.gfx->materials->blocks, NULL);
    const float expected[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 0.25f, 10, 11, 12, 13, 14, 0, 0, 0 };
    assert_int_equal(sizeof expected, sizeof(Gfx3dMaterialBlock));
    assert_memory_equal(bytes + (size_t)index * 256, expected, sizeof expected);
    // Many materials: the buffer grows.
    for (int i = 0; i < 200; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "m%d", i);
        add(&fixture, name, (FiloMaterialDesc){ .values = { FILO_FLOAT("metallic", (float)i) } });
    }
    settle(&fixture);
    bytes = filo_gpu_null_buffer_data(fixture.gpu, fixture.gfx->materials->blocks, NULL);
    assert_memory_equal(bytes + (size_t)index * 256, expected, sizeof expected);
    assert_float_equal(
        ((const Gfx3dMaterialBlock *)(const void *)(bytes + 256 * (size_t)find(&fixture, "m150")))->metallic,
        150, 0);
    fixture_end(&fixture);
}

FILO_TEST(a_steady_frame_allocates_nothing) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_png("a.png", 4, 4, FILO_COLOR_RED);
    write_text("s.glsl", sway);
    write_text("a.material",
               "{ \"filo\": \"material\", \"shader\": \"s.glsl\", \"bend\": 1, \"color_map\": \"a.png\" }");
    uint32_t index = find(&fixture, "a.material");
    settle(&fixture);
    (void)calls_of_bind(&fixture, index, "");
    (void)calls_of_bind(&fixture, GFX3D_MATERIAL_DEFAULT, "");
    filo_gpu_null_forget(fixture.gpu);
    uint64_t before = filo_test_malloc_calls();
    gfx3d_materials_update(fixture.gfx);
    filo_gpu_begin_pass(fixture.gpu, &(FiloGpuPass){ .width = 8, .height = 8 });
    assert_true(gfx3d_material_bind(fixture.gfx, index, GFX3D_PASS_COLOR, 0));
    assert_true(gfx3d_material_bind(fixture.gfx, GFX3D_MATERIAL_DEFAULT, GFX3D_PASS_COLOR, 0));
    filo_gpu_end_pass(fixture.gpu);
    assert_int_equal(filo_test_malloc_calls(), before);
    fixture_end(&fixture);
}

// ---- Models -------------------------------------------------------------------------------------------------

typedef struct TestModel {
    FiloModelMaterial materials[2];
    FiloModelImage images[2];
    FiloModel model;
    FiloFileData png;
} TestModel;

static void make_model(TestModel *test) {
    FiloColor colors[4] = { { 255, 0, 0, 255 } };
    assert_ok(filo_image_encode(&(FiloPixels){ colors, 2, 2, 2 }, &test->png, NULL));
    const FiloModelTexture none = { .image = FILO_MODEL_NONE, .scale = 1, .uv_scale = { 1, 1 } };
    FiloModelTexture first = none, second = none;
    first.image = 0;
    first.wrap_u = FILO_WRAP_MIRROR;
    first.uv_rotation = 2;
    first.uv_scale = filo_vec2(2, 3);
    second.image = 1;
    second.scale = 0.5f;
    test->images[0] = (FiloModelImage){ .name = "red", .bytes = test->png.bytes, .size = test->png.size };
    test->images[1] = (FiloModelImage){ .name = "bumps", .path = "maps/bumps.png" };
    test->materials[0] = (FiloModelMaterial){ .name = "Steel",
                                              .color = { 1, 1, 1, 1 },
                                              .metallic = 1,
                                              .roughness = 0.25f,
                                              .color_map = first,
                                              .metallic_roughness_map = none,
                                              .normal_map = second,
                                              .occlusion_map = none,
                                              .emissive_map = none,
                                              .mode = FILO_SURFACE_MASK,
                                              .cutoff = 0.75f,
                                              .double_sided = true };
    test->materials[1] = (FiloModelMaterial){ .name = "Glass",
                                              .color = { 1, 1, 1, 0.5f },
                                              .color_map = none,
                                              .metallic_roughness_map = none,
                                              .normal_map = none,
                                              .occlusion_map = none,
                                              .emissive_map = none,
                                              .mode = FILO_SURFACE_BLEND,
                                              .unlit = true };
    test->model = (FiloModel){ .name = "robots/robot.glb",
                               .materials = test->materials,
                               .material_count = 2,
                               .images = test->images,
                               .image_count = 2 };
}

FILO_TEST(materials_of_models_have_their_values_and_images) {
    Fixture fixture;
    TestModel test = { 0 };
    fixture_begin(&fixture, ON_NULL);
    make_model(&test);
    uint32_t steel = gfx3d_material_add_from_model(fixture.gfx, &test.model, 0);
    uint32_t glass = gfx3d_material_add_from_model(fixture.gfx, &test.model, 1);
    assert_int_equal(steel, find(&fixture, "robots/robot.glb#materials/Steel"));
    assert_int_equal(gfx3d_material_add_from_model(fixture.gfx, &test.model, 2), GFX3D_MATERIAL_DEFAULT);
    const Gfx3dMaterial *made = material(&fixture, steel);
    assert_int_equal(made->info.mode, FILO_MATERIAL_MASK);
    assert_float_equal(made->block.cutoff, 0.75f, 0);
    assert_float_equal(made->block.metallic, 1, 0);
    assert_float_equal(made->block.roughness, 0.25f, 0);
    assert_float_equal(made->block.normal_scale, 0.5f, 0);
    assert_float_equal(made->block.uv_scale.y, 3, 0);
    assert_true(made->data.double_sided && made->data.textures[0].wrap_u == FILO_WRAP_MIRROR);
    assert_int_equal(made->data.textures[0].wrap_v, FILO_WRAP_CLAMP);
    assert_float_equal(made->block.uv_rotation, 2, 0);
    assert_string_equal(filo_name_text(made->data.textures[0].image), "robots/robot.glb#image/0");
    assert_string_equal(filo_name_text(made->data.textures[1].image), "robots/maps/bumps.png");
    assert_true(made->data.textures[1].linear);
    assert_int_equal(info(&fixture, glass).mode, FILO_MATERIAL_BLEND);
    assert_true(material(&fixture, glass)->data.unlit);
    settle(&fixture);
    assert_int_not_equal(made->textures[0].shown.id, fixture.gfx->materials->white.id);
    // Once more for another mesh of the model: nothing changes.
    uint32_t stamp = made->stamp, generation = fixture.gfx->material_generation;
    assert_int_equal(gfx3d_material_add_from_model(fixture.gfx, &test.model, 0), steel);
    settle(&fixture);
    assert_int_equal(made->stamp, stamp);
    assert_int_equal(fixture.gfx->material_generation, generation);
    filo_file_free(&test.png);
    fixture_end(&fixture);
}

// ---- Mistakes and memory --------------------------------------------------------------------------------------

FILO_TEST(mistakes_are_reported) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    FiloGfx3d *gfx = fixture.gfx;
    FiloName name = filo_name("m");
    expect_mistake("pass a renderer, a name and the description of a material",
                   filo_gfx3d_add_material(gfx, name, NULL));
    expect_mistake("m: there is no mode 9",
                   filo_gfx3d_add_material(gfx, name, &(FiloMaterialDesc){ .mode = (FiloMaterialMode)9 }));
    expect_mistake(
        "m: name an image for \"color_map\", or pass a texture",
        filo_gfx3d_add_material(gfx, name, &(FiloMaterialDesc){ .textures = { { .name = "color_map" } } }));
    expect_mistake("pass a renderer, and the names of a material and a value",
                   filo_material_set_float(gfx, name, NULL, 1));
    expect_mistake("pass a renderer, and the names of a material, a texture and an image",
                   filo_material_set_texture(gfx, name, "color_map", (FiloName){ 0 }));
    assert_int_equal(gfx3d_material_lookup(gfx, name), GFX3D_NONE);
    (void)find(&fixture, "a.material");
    assert_failure(filo_material_set_float(gfx, filo_name("a.material"), "roughness", 1),
                   "a.material is not loaded yet");
    add(&fixture, "full", (FiloMaterialDesc){ 0 });
    static const char *const maps[] = { "color_map", "normal_map", "emissive_map", "occlusion_map" };
    for (int i = 0; i < 4; i++)
        assert_ok(filo_material_set_texture(gfx, filo_name("full"), maps[i], filo_name("a.png")));
    assert_failure(
        filo_material_set_float(gfx, filo_name("full"),
                                "a_name_that_is_longer_than_forty_seven_letters_in_all", 1),
        "full: the name \"a_name_that_is_longer_than_forty_seven_letters_in_all\" is longer than 47 letters");
    fixture_end(&fixture);
}

FILO_TEST(without_memory_a_material_is_not_added_and_nothing_is_lost) {
    FiloGpu *gpu = open_device(ON_NULL);
    FiloJobs *jobs;
    FiloWorld *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        FiloGfx3d *gfx;
        assert_ok(filo_gfx3d_create(
            &gfx, &(FiloGfx3dDesc){ .world = world, .gpu = gpu, .allocator = &failing.allocator }));
        failing.fail_at = failing.calls + fail_at;
        FiloMaterialDesc desc = { .source = sway,
                                  .textures = { { .name = "color_map", .image = filo_name("a") } } };
        FiloResult result = filo_gfx3d_add_material(gfx, filo_name("m"), &desc);
        gfx3d_materials_update(gfx);
        more = failing.calls > failing.fail_at;
        assert_true(result.code == FILO_OK || result.code == FILO_ERROR_MEMORY);
        if (!more) assert_ok(result);
        failing.fail_at = SIZE_MAX;
        assert_ok(filo_gfx3d_add_material(gfx, filo_name("m"), &desc));
        filo_gfx3d_destroy(gfx);
        assert_int_equal(failing.blocks, 0);
    }
    filo_world_destroy(world);
    filo_gpu_destroy(gpu);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
