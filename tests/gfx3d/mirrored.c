// A scale that mirrors turns triangles over: their front must stay the front.

#include "gfx3d/core_fixture.h"

// A square of side 1 that is seen only from the front, which looks along z.
static Fixture begin(Backend backend, bool double_sided) {
    Fixture f = fixture_begin(backend, 1);
    FiloVec3 corners[] = { { -0.5f, -0.5f, 0 }, { 0.5f, -0.5f, 0 }, { 0.5f, 0.5f, 0 }, { -0.5f, 0.5f, 0 } };
    FiloVec3 normals[] = { { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1 } };
    uint32_t indices[] = { 0, 1, 2, 0, 2, 3 };
    FiloMeshData square = {
        .vertex_count = 4, .positions = corners, .normals = normals, .index_count = 6, .indices = indices
    };
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("square"), &square));
    assert_ok(filo_gfx3d_add_material(f.gfx, filo_name("plain"),
                                      &(FiloMaterialDesc){ .double_sided = double_sided }));
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 4), filo_vec3(0, 0, 0));
    filo_edit(f.world, camera, FiloCamera3)->height = 3; // orthographic
    filo_edit(f.world, camera, FiloCamera3)->background = FILO_COLOR_BLACK;
    filo_set_global(f.world, FiloEnvironment, .no_sky = true, .ambient = -1);
    FiloEntity sun = filo_create(f.world, FILO_SET(FiloLight, .intensity = 1));
    filo_edit(f.world, sun, FiloTransform3)->rotation =
        filo_quat_look(filo_vec3(0, 0, -1), filo_vec3(0, 1, 0));
    return f;
}

static FiloEntity add_square(Fixture *f, float x, FiloVec3 scale) {
    FiloEntity entity = add_at(f, "square", filo_vec3(x, 0, 0));
    filo_edit(f->world, entity, FiloMesh)->material = filo_name("plain");
    filo_edit(f->world, entity, FiloTransform3)->scale = scale;
    return entity;
}

// Whether something lit is at x, in each of the next pictures.
static void assert_lit(Fixture *f, float x, bool lit) {
    FiloPixels picture = screenshot(f);
    FiloColor color = *filo_pixels_at(&picture, (int)((float)WIDTH / 2 + x * (float)HEIGHT / 3), HEIGHT / 2);
    filo_pixels_free(&picture, NULL);
    assert_int_equal(color.r + color.g + color.b > 100, lit);
}

static void draw_signs(Backend backend) {
    Fixture f = begin(backend, false);
    add_square(&f, -1.2f, filo_vec3(-1, 1, 1));
    add_square(&f, 0, filo_vec3(-1, -1, 1));
    add_square(&f, 1.2f, filo_vec3(1, 1, -1)); // its back is towards the camera
    assert_lit(&f, -1.2f, true);
    assert_lit(&f, 0, true);
    assert_lit(&f, 1.2f, false);
    fixture_end(&f);
}
FILO_TEST(the_front_of_a_mirrored_mesh_is_seen_on_gl45) { draw_signs(ON_GL45); }
FILO_TEST(the_front_of_a_mirrored_mesh_is_seen_on_gl33) { draw_signs(ON_GL33); }

FILO_TEST(both_sides_of_a_mirrored_mesh_are_lit_from_the_front) {
    Fixture f = begin(ON_GL45, true);
    add_square(&f, -1.2f, filo_vec3(-1, 1, 1));
    add_square(&f, 0, filo_vec3(1, 1, -1));
    assert_lit(&f, -1.2f, true);
    assert_lit(&f, 0, true);
    fixture_end(&f);
}

FILO_TEST(a_scale_that_changes_its_sign_is_noticed_after_a_frame) {
    Fixture f = begin(ON_GL45, false);
    FiloEntity square = add_square(&f, 0, filo_vec3(1, 1, 1));
    for (int i = 0; i < 20; i++) { // more frames than those in which a chunk is not culled
        assert_lit(&f, 0, true);
        filo_edit(f.world, square, FiloTransform3)->scale.x *= -1;
        frame(&f);
    }
    fixture_end(&f);
}

FILO_TEST(the_child_of_a_mirrored_entity_is_mirrored) {
    Fixture f = begin(ON_GL45, false);
    FiloEntity parent = filo_create(f.world, FILO_SET(FiloTransform3, .scale = { -1, 1, 1 }));
    FiloEntity child = add_square(&f, 0, filo_vec3(1, 1, 1));
    filo_entity_set_parent(f.world, child, parent);
    assert_lit(&f, 0, true); // before a tick has computed its place
    tick(&f);
    assert_lit(&f, 0, true);
    filo_edit(f.world, parent, FiloTransform3)->scale.x = 1;
    tick(&f);
    assert_lit(&f, 0, true);
    fixture_end(&f);
}
