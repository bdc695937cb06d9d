// Pictures on both kinds of OpenGL: what is in front, where it is, what is blended, and what has changed.

#include "gfx3d/core_fixture.h"

#include <stdlib.h>

static FiloColor pixel(const FiloPixels *pixels, int x, int y) { return *filo_pixels_at(pixels, x, y); }

static bool is_red(FiloColor c) { return c.r > 100 && c.g < 90 && c.b < 90; }
static bool is_green(FiloColor c) { return c.g > 100 && c.r < 90 && c.b < 90; }
static bool is_blue(FiloColor c) { return c.b > 100 && c.r < 90 && c.g < 90; }
static bool is_dark(FiloColor c) { return c.r < 12 && c.g < 12 && c.b < 12; }

// Saves a picture for inspection in the folder FILO_TEST_PICTURES, if that is set.
static void save(const FiloPixels *pixels, const char *name) {
    const char *folder = getenv("FILO_TEST_PICTURES");
    char path[512];
    if (folder == NULL) return;
    (void)snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_ok(filo_image_save(pixels, path));
}

static FiloPixels picture(Fixture *f, const char *name) {
    FiloPixels pixels = screenshot(f);
    save(&pixels, name);
    return pixels;
}

// Materials without light, and no sky: black where nothing is.
static Fixture dark_room(Backend backend) {
    Fixture f = fixture_begin(backend, 2);
    filo_set_global(f.world, FiloEnvironment, .no_sky = true, .ambient = -1);
    const struct {
        const char *name;
        float r, g, b, a;
        FiloMaterialMode mode;
    } materials[] = {
        { "red", 1, 0, 0, 1, FILO_MATERIAL_OPAQUE },         { "green", 0, 1, 0, 1, FILO_MATERIAL_OPAQUE },
        { "blue", 0, 0, 1, 1, FILO_MATERIAL_OPAQUE },        { "white", 1, 1, 1, 1, FILO_MATERIAL_OPAQUE },
        { "red glass", 1, 0, 0, 0.5f, FILO_MATERIAL_BLEND }, { "green light", 0, 1, 0, 1, FILO_MATERIAL_ADD },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(materials); i++)
        assert_ok(filo_gfx3d_add_material(
            f.gfx, filo_name(materials[i].name),
            &(FiloMaterialDesc){ .unlit = true,
                                 .mode = materials[i].mode,
                                 .values = { FILO_VEC4("color", materials[i].r, materials[i].g,
                                                       materials[i].b, materials[i].a) } }));
    return f;
}

static FiloEntity add_colored(Fixture *f, const char *mesh, const char *material, FiloVec3 position) {
    FiloEntity entity = add_at(f, mesh, position);
    filo_edit(f->world, entity, FiloMesh)->material = filo_name(material);
    return entity;
}

// The camera at (0, 0, 5) sees 2.9 units up and down, 3.8 to the left and right.
static FiloEntity look_at_origin(Fixture *f) { return add_camera(f, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0)); }

static void draw_positions(Backend backend) {
    Fixture f = dark_room(backend);
    look_at_origin(&f);
    add_colored(&f, "box", "red", filo_vec3(2, 0, 0));      // right
    add_colored(&f, "sphere", "green", filo_vec3(0, 2, 0)); // up
    add_colored(&f, "box", "blue", filo_vec3(0, 0, 0));
    add_colored(&f, "sphere", "red", filo_vec3(0, 0, -3)); // behind the blue one
    FiloPixels pixels = picture(&f, "positions");
    assert_true(is_red(pixel(&pixels, WIDTH / 2 + 33, HEIGHT / 2)));
    assert_true(is_green(pixel(&pixels, WIDTH / 2, HEIGHT / 2 - 33)));
    assert_true(is_blue(pixel(&pixels, WIDTH / 2, HEIGHT / 2)));
    assert_true(is_dark(pixel(&pixels, WIDTH / 2 - 33, HEIGHT / 2)));
    assert_true(is_dark(pixel(&pixels, WIDTH / 2, HEIGHT / 2 + 33)));
    filo_pixels_free(&pixels, NULL);
    fixture_end(&f);
}

FILO_TEST(meshes_are_drawn_where_they_are_on_gl45) { draw_positions(ON_GL45); }
FILO_TEST(meshes_are_drawn_where_they_are_on_gl33) { draw_positions(ON_GL33); }

static void draw_changes(Backend backend) {
    Fixture f = dark_room(backend);
    look_at_origin(&f);
    TriangleMesh t;
    add_colored(&f, "sail", "white", filo_vec3(0, 0, 0));
    FiloEntity red = add_colored(&f, "plane", "red", filo_vec3(-2, -2, 0));
    filo_edit(f.world, red, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(1, 0, 0), FILO_PI / 2); // looks at the camera
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sail"), triangle(&t, 2)));
    FiloPixels pixels = picture(&f, "sail");
    assert_true(pixel(&pixels, WIDTH / 2 + 5, HEIGHT / 2 - 5).r > 100);
    assert_true(is_dark(pixel(&pixels, WIDTH / 2 - 10, HEIGHT / 2 - 5)));
    assert_true(is_red(pixel(&pixels, WIDTH / 2 - 33, HEIGHT / 2 + 33)));
    filo_pixels_free(&pixels, NULL);
    // Vertices that are written again.
    for (int i = 0; i < 3; i++) t.positions[i].x -= 2;
    assert_ok(filo_gfx3d_update_mesh(f.gfx, filo_name("sail"), 0, &t.data));
    pixels = picture(&f, "sail moved");
    assert_true(is_dark(pixel(&pixels, WIDTH / 2 + 5, HEIGHT / 2 - 5)));
    assert_true(pixel(&pixels, WIDTH / 2 - 28, HEIGHT / 2 - 5).r > 100);
    filo_pixels_free(&pixels, NULL);
    // A mesh that is replaced, and buffers that grow: everything else stays.
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 300, .rings = 150 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("sail"), &ball));
    filo_mesh_free(&ball, NULL);
    pixels = picture(&f, "ball");
    assert_true(pixel(&pixels, WIDTH / 2, HEIGHT / 2).r > 100);
    assert_true(is_dark(pixel(&pixels, WIDTH / 2 - 28, HEIGHT / 2 - 5)));
    assert_true(is_red(pixel(&pixels, WIDTH / 2 - 33, HEIGHT / 2 + 33)));
    filo_pixels_free(&pixels, NULL);
    // Back faces are not drawn.
    filo_edit(f.world, red, FiloTransform3)->rotation =
        filo_quat_from_axis_angle(filo_vec3(1, 0, 0), -FILO_PI / 2);
    pixels = picture(&f, "back");
    assert_true(is_dark(pixel(&pixels, WIDTH / 2 - 33, HEIGHT / 2 + 33)));
    filo_pixels_free(&pixels, NULL);
    fixture_end(&f);
}

FILO_TEST(meshes_that_change_are_drawn_as_they_are_on_gl45) { draw_changes(ON_GL45); }
FILO_TEST(meshes_that_change_are_drawn_as_they_are_on_gl33) { draw_changes(ON_GL33); }

static void draw_blended(Backend backend) {
    Fixture f = dark_room(backend);
    look_at_origin(&f);
    // Glass in front of blue, beside glass alone, and glass behind blue.
    FiloEntity blue = add_colored(&f, "box", "blue", filo_vec3(0, 0, 0));
    filo_edit(f.world, blue, FiloTransform3)->scale = filo_vec3(2, 2, 0.1f);
    FiloEntity front = add_colored(&f, "box", "red glass", filo_vec3(1, 0, 1));
    filo_edit(f.world, front, FiloTransform3)->scale = filo_vec3(1.5f, 1, 0.1f);
    add_colored(&f, "box", "red glass", filo_vec3(0, -0.3f, -2));
    add_colored(&f, "box", "green light", filo_vec3(-0.5f, 0.7f, 0.5f));
    FiloPixels pixels = picture(&f, "blended");
    FiloColor both = pixel(&pixels, WIDTH / 2 + 12, HEIGHT / 2),
              alone = pixel(&pixels, WIDTH / 2 + 30, HEIGHT / 2);
    assert_true(both.r > 60 && both.b > 60);
    assert_true(alone.r > 60 && alone.b < 20);
    assert_true(is_blue(pixel(&pixels, WIDTH / 2 - 12, HEIGHT / 2 + 8)));
    FiloColor added = pixel(&pixels, WIDTH / 2 - 12, HEIGHT / 2 - 12);
    assert_true(added.g > 100 && added.b > 100);
    filo_pixels_free(&pixels, NULL);
    fixture_end(&f);
}

FILO_TEST(blended_meshes_are_drawn_over_opaque_ones_on_gl45) { draw_blended(ON_GL45); }
FILO_TEST(blended_meshes_are_drawn_over_opaque_ones_on_gl33) { draw_blended(ON_GL33); }

static size_t count_lit(const FiloPixels *pixels) {
    size_t count = 0;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++) count += !is_dark(pixel(pixels, x, y));
    return count;
}

FILO_TEST(several_cameras_fill_their_parts_of_the_window) {
    Fixture f = dark_room(ON_GL45);
    add_colored(&f, "box", "red", filo_vec3(0, 0, 0));
    add_colored(&f, "box", "green", filo_vec3(50, 0, 0));
    FiloEntity left = look_at_origin(&f), right = add_camera(&f, filo_vec3(50, 0, 5), filo_vec3(50, 0, 0));
    filo_edit(f.world, left, FiloCamera3)->viewport = (FiloRect){ { 0, 0 }, { 0.5f, 1 } };
    filo_edit(f.world, right, FiloCamera3)->viewport = (FiloRect){ { 0.5f, 0.5f }, { 1, 1 } };
    FiloPixels pixels = picture(&f, "viewports");
    assert_true(is_red(pixel(&pixels, WIDTH / 4, HEIGHT / 2)));
    assert_true(is_green(pixel(&pixels, WIDTH * 3 / 4, HEIGHT * 3 / 4)));
    assert_true(is_dark(pixel(&pixels, WIDTH * 3 / 4, HEIGHT / 4))); // of no camera: black
    filo_pixels_free(&pixels, NULL);
    // A camera with a higher order is drawn over the others.
    filo_edit(f.world, left, FiloCamera3)->viewport = (FiloRect){ 0 };
    filo_edit(f.world, left, FiloCamera3)->order = -1;
    pixels = picture(&f, "picture in picture");
    assert_true(is_red(pixel(&pixels, WIDTH / 2, HEIGHT / 2 - 3)));
    assert_true(is_green(pixel(&pixels, WIDTH * 3 / 4, HEIGHT * 3 / 4)));
    filo_pixels_free(&pixels, NULL);
    filo_edit(f.world, left, FiloCamera3)->order = 1;
    pixels = picture(&f, "covered");
    assert_true(!is_green(pixel(&pixels, WIDTH * 3 / 4, HEIGHT * 3 / 4)));
    filo_pixels_free(&pixels, NULL);
    fixture_end(&f);
}

FILO_TEST(wireframes_are_lines_of_meshes_or_of_a_whole_view) {
    Fixture f = dark_room(ON_GL45);
    FiloEntity camera = look_at_origin(&f), box = add_colored(&f, "box", "white", filo_vec3(0, 0, 0));
    filo_edit(f.world, box, FiloTransform3)->scale = filo_vec3(3, 3, 0.1f);
    FiloPixels filled = picture(&f, "filled");
    filo_edit(f.world, box, FiloMesh)->flags = FILO_MESH_WIREFRAME;
    FiloPixels mesh = picture(&f, "wireframe");
    filo_edit(f.world, box, FiloMesh)->flags = 0;
    filo_edit(f.world, camera, FiloCamera3)->wireframe = true;
    FiloPixels view = picture(&f, "wireframe view");
    assert_true(count_lit(&filled) > 1500);
    assert_true(count_lit(&mesh) > 50 && count_lit(&mesh) < count_lit(&filled) / 2);
    assert_true(count_lit(&view) > 50 && count_lit(&view) < count_lit(&filled) / 2);
    filo_pixels_free(&filled, NULL);
    filo_pixels_free(&mesh, NULL);
    filo_pixels_free(&view, NULL);
    fixture_end(&f);
}

FILO_TEST(instances_and_levels_of_detail_are_drawn) {
    Fixture f = dark_room(ON_GL33);
    look_at_origin(&f);
    FiloMeshData ball;
    assert_ok(filo_mesh_sphere(&ball, &(FiloSphereDesc){ .sectors = 64, .rings = 32 }, NULL));
    assert_ok(filo_mesh_optimise(&ball, &(FiloMeshOptimise){ .levels = 4, .max_error = 1 }, NULL));
    FiloMeshData box;
    assert_ok(filo_mesh_box(&box, &(FiloBoxDesc){ 0 }, NULL));
    const FiloName red = filo_name("red"), blue = filo_name("blue");
    const FiloMeshLevel levels[] = {
        { .data = &ball, .materials = &red, .material_count = 1 },
        { .data = &box, .distance = 6, .materials = &blue, .material_count = 1 }
    };
    assert_ok(filo_gfx3d_add_mesh_levels(f.gfx, filo_name("tree"), levels, 2));
    filo_mesh_free(&ball, NULL);
    filo_mesh_free(&box, NULL);
    const FiloName mesh = filo_name("tree");
    FiloInstances set;
    assert_ok(
        filo_gfx3d_instances_create(&set, f.gfx, &(FiloInstancesDesc){ .meshes = &mesh, .mesh_count = 1 }));
    const FiloInstance list[] = { { .position = { -1.5f, 0, 0 }, .scale = 1 },
                                  { .position = { 2, 0, -2 }, .scale = 1 } };
    assert_ok(filo_gfx3d_instances_set(f.gfx, set, list, 2));
    FiloPixels pixels = picture(&f, "instances");
    assert_true(is_red(pixel(&pixels, WIDTH / 2 - 25, HEIGHT / 2)));
    assert_true(is_blue(pixel(&pixels, WIDTH / 2 + 24, HEIGHT / 2)));
    filo_pixels_free(&pixels, NULL);
    fixture_end(&f);
}

FILO_TEST(a_moving_mesh_leaves_nothing_behind) {
    Fixture f = dark_room(ON_GL45);
    look_at_origin(&f);
    FiloEntity box = add_colored(&f, "box", "red", filo_vec3(-2, 0, 0));
    for (int i = 0; i < 8; i++) {
        float x = -2 + 0.5f * (float)i;
        filo_edit(f.world, box, FiloTransform3)->position.x = x;
        FiloPixels pixels = picture(&f, "moving");
        int at = WIDTH / 2 + (int)(x * 16.5f);
        assert_true(is_red(pixel(&pixels, at, HEIGHT / 2)));
        for (int other = 4; other < WIDTH; other += 8)
            if (abs(other - at) > 14) assert_true(is_dark(pixel(&pixels, other, HEIGHT / 2)));
        filo_pixels_free(&pixels, NULL);
    }
    fixture_end(&f);
}
