// Mistakes that would only be a wrong or empty picture: each is said once.

#include "gfx3d/core_fixture.h"

#include "support/asset_files.h"
#include "support/warnings.h"

#include <filo/threads.h>

// Several frames, of which the first says what is wrong.
static void frames(Fixture *f) {
    for (int i = 0; i < 3; i++) frame(f);
}

static Fixture begin_with_camera(void) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    return f;
}

// ---- Entities -----------------------------------------------------------------------------------------------

FILO_TEST(meshes_without_a_camera_are_reported_at_once_in_a_picture_for_a_file) {
    Fixture f = fixture_begin(ON_NULL, 1);
    add_at(&f, "box", filo_vec3(0, 0, -5));
    f.gfx->for_file = true;
    expect_warning("nothing is drawn in 3D: create an entity with FiloCamera3", frames(&f));
    fixture_end(&f);
}

FILO_TEST(a_mesh_whose_transform_is_not_finite_is_reported) {
    only_in_debug_builds();
    Fixture f = begin_with_camera();
    expect_no_warning(frames(&f));
    FiloEntity box = add_at(&f, "box", filo_vec3(0, (float)NAN, 0));
    char text[128];
    snprintf(text, sizeof text, "entity %u is not drawn: its FiloTransform3 has numbers that are not finite",
             filo_entity_index(box));
    expect_warning(text, frames(&f));
    FiloEntity other = add_at(&f, "box", filo_vec3(0, 0, 0));
    filo_edit(f.world, other, FiloTransform3)->scale.z = (float)INFINITY;
    expect_warning("numbers that are not finite", frames(&f));
    fixture_end(&f);
}

FILO_TEST(a_mesh_that_is_moved_in_the_plane_is_reported) {
    only_in_debug_builds();
    Fixture f = begin_with_camera();
    FiloEntity box = filo_create(f.world, FILO_ADD(FiloMesh), FILO_SET(FiloTransform2, .position = { 0, 0 }));
    expect_no_warning(frames(&f)); // it may be for something else
    filo_edit(f.world, box, FiloTransform2)->position = filo_vec2(3, 4);
    expect_warning("has FiloTransform2, which its FiloMesh does not use", frames(&f));
    FiloEntity both = filo_create(f.world, FILO_ADD(FiloMesh), FILO_SET(FiloTransform2, .position = { 3, 4 }),
                                  FILO_SET(FiloTransform3, .position = { 3, 0, 4 }));
    assert_true(both.id != 0);
    expect_no_warning(frames(&f)); // a system of the game copies one to the other
    fixture_end(&f);
}

// ---- Lights -------------------------------------------------------------------------------------------------

static FiloEntity add_lamp(Fixture *f, FiloLight light) {
    light.kind = FILO_LIGHT_POINT;
    return filo_create(f->world, FILO_SET_COPY(FiloLight, &light));
}

FILO_TEST(numbers_of_lights_that_cannot_be_are_reported) {
    Fixture f = begin_with_camera();
    add_lamp(&f, (FiloLight){ .intensity = 3, .range = 5 });
    add_lamp(&f, (FiloLight){ 0 });
    expect_no_warning(frames(&f));
    add_lamp(&f, (FiloLight){ .intensity = -3 });
    expect_warning("has the intensity -3, which counts as 0, so as the default: it must be positive",
                   frames(&f));
    add_lamp(&f, (FiloLight){ .range = -5 });
    expect_warning("has the range -5", frames(&f));
    add_lamp(&f, (FiloLight){ .intensity = (float)NAN });
    expect_warning("has the intensity", frames(&f));
    fixture_end(&f);
}

FILO_TEST(more_lights_than_a_view_shows_are_reported) {
    Fixture f = begin_with_camera();
    for (int i = 0; i < 64; i++) add_lamp(&f, (FiloLight){ 0 });
    expect_no_warning(frames(&f));
    FiloEntity far = add_lamp(&f, (FiloLight){ .range = 1 }); // that the view does not see
    filo_edit(f.world, far, FiloTransform3)->position = filo_vec3(0, 0, 500);
    expect_no_warning(frames(&f));
    add_lamp(&f, (FiloLight){ 0 });
    expect_warning("65 lights reach into the view of the camera (entity ", frames(&f));
    fixture_end(&f);
}

// ---- Meshes and materials -----------------------------------------------------------------------------------

FILO_TEST(a_mesh_without_normals_is_reported) {
    Fixture f = begin_with_camera();
    FiloVec3 corners[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    FiloVec3 normals[] = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } };
    FiloMeshData data = { .vertex_count = 3, .positions = corners };
    expect_warning("the mesh \"sail\" has no normals, so it is lit as if all of it looked up",
                   assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sail"), &data)));
    expect_no_warning(assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sail"), &data)));
    data.normals = normals;
    expect_no_warning(assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("flag"), &data)));
    fixture_end(&f);
}

static void add_color(Fixture *f, const char *name, FiloVec4 color) {
    const FiloMaterialDesc desc = { .values = { FILO_VEC4("color", color.x, color.y, color.z, color.w) } };
    assert_ok(filo_gfx3d_add_material(f->gfx, filo_name(name), &desc));
}

FILO_TEST(colours_of_materials_from_0_to_255_are_reported) {
    Fixture f = begin_with_camera();
    expect_no_warning(add_color(&f, "gold", filo_vec4(1, 0.8f, 0, 1)));
    expect_no_warning(add_color(&f, "neon", filo_vec4(8, 4, 0, 1))); // it glows
    expect_warning("brass: \"color\" is { 255, 128, 0 }: colours are 0 to 1, not 0 to 255",
                   add_color(&f, "brass", filo_vec4(255, 128, 0, 255)));
    expect_warning("gold: \"color\" is", (void)filo_material_set_vec4(f.gfx, filo_name("gold"), "color",
                                                                      filo_vec4(200, 150, 0, 1)));
    fixture_end(&f);
}

// ---- Files --------------------------------------------------------------------------------------------------

FILO_TEST(a_file_that_does_not_exist_is_reported_with_one_that_does) {
    Fixture f = fixture_open((FixtureDesc){ .backend = ON_NULL, .assets = true });
    add_camera(&f, filo_vec3(0, 0, 10), filo_vec3(0, 0, 0));
    write_text("gold.material", "{\"filo\": \"material\"}");
    FiloEntity box = add_at(&f, "box", filo_vec3(0, 0, 0));
    filo_edit(f.world, box, FiloMesh)->material = filo_name("golld");
    expect_warning("there is no material \"golld\": did you mean \"gold.material\"?", frames(&f));
    filo_edit(f.world, box, FiloMesh)->material = filo_name("steel");
    FiloTestWarnings warnings = { 0 };
    FiloLogSink sink = filo_log_add_sink(
        &(FiloLogSinkDesc){ .write = filo_test_store_warning, .user = &warnings, .filter = "warn" });
    frames(&f);
    filo_log_remove_sink(sink);
    assert_contains(warnings.text,
                    "there is no material \"steel\" (add it"); // none is near, so none is named
    fixture_end(&f);
}

// ---- Threads ------------------------------------------------------------------------------------------------

static void use_elsewhere(void *user) {
    Fixture *f = user;
    FiloName gold = filo_name("gold"), box = filo_name("box");
    FiloInstances instances;
    const FiloInstancesDesc desc = { .label = "stones", .meshes = &box, .mesh_count = 1 };
    expect_mistake("call filo_material_set_… on the main thread",
                   filo_material_set_float(f->gfx, gold, "metallic", 1));
    expect_mistake("call filo_material_set_… on the main thread",
                   filo_material_set_texture(f->gfx, gold, "color_map", box));
    expect_mistake("call filo_gfx3d_add_material on the main thread",
                   filo_gfx3d_add_material(f->gfx, gold, &(FiloMaterialDesc){ 0 }));
    expect_fault("call filo_gfx3d_to_screen on the main thread",
                 filo_gfx3d_to_screen(f->gfx, (FiloEntity){ 0 }, filo_vec3(0, 0, 0)));
    expect_mistake("call filo_gfx3d_instances_… on the main thread",
                   filo_gfx3d_instances_create(&instances, f->gfx, &desc));
    expect_mistake("call filo_gfx3d_instances_… on the main thread",
                   filo_gfx3d_instances_set(f->gfx, (FiloInstances){ 1 }, NULL, 0));
    expect_fault("call filo_gfx3d_instances_… on the main thread",
                 filo_gfx3d_instances_show(f->gfx, (FiloInstances){ 1 }, true));
}

FILO_TEST(a_renderer_is_used_on_the_main_thread_only) {
    Fixture f = begin_with_camera();
    add_color(&f, "gold", filo_vec4(1, 1, 0, 1));
    frames(&f);
    FiloThread thread;
    assert_ok(filo_thread_start(&thread, &(FiloThreadDesc){ .function = use_elsewhere, .user = &f }));
    filo_thread_join(&thread);
    assert_ok(filo_material_set_float(f.gfx, filo_name("gold"), "metallic", 1));
    fixture_end(&f);
}
