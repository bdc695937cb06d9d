// What materials look like, by GL: modes, maps, shaders of the program. Compared by which pixel is brighter, because tone
// mapping is between a value and its pixel.

#include "gfx3d/core_fixture.h"

// Boxes of side 1 in a row along x, seen from the front.
static Fixture begin(Backend backend) {
    Fixture f = fixture_begin(backend, 1);
    FiloMeshData box;
    assert_ok(filo_mesh_box(&box, &(FiloBoxDesc){ 0 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("box"), &box));
    filo_mesh_free(&box, NULL);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 4), filo_vec3(0, 0, 0));
    filo_edit(f.world, camera, FiloCamera3)->height = 3; // orthographic: 3 × 4 units
    filo_edit(f.world, camera, FiloCamera3)->background = FILO_COLOR_BLACK;
    filo_set_global(f.world, FiloEnvironment, .no_sky = true, .ambient = -1);
    return f;
}

static void add_sun(Fixture *f, FiloVec3 direction) {
    FiloEntity sun = filo_create(f->world, FILO_SET(FiloLight, .intensity = 1));
    filo_edit(f->world, sun, FiloTransform3)->rotation = filo_quat_look(direction, filo_vec3(0, 0, 1));
}

static FiloEntity add_box(Fixture *f, const char *material, float x, float z) {
    FiloEntity entity = add_at(f, "box", filo_vec3(x, 0, z));
    filo_edit(f->world, entity, FiloMesh)->material = filo_name(material);
    return entity;
}

static void add_material(Fixture *f, const char *name, FiloMaterialDesc desc) {
    assert_ok(filo_gfx3d_add_material(f->gfx, filo_name(name), &desc));
}

static void add_texture(Fixture *f, const char *name, FiloColor left, FiloColor right, bool linear) {
    FiloColor colors[8];
    for (int i = 0; i < 8; i++) colors[i] = i < 4 ? left : right;
    assert_ok(filo_gfx3d_add_texture(f->gfx, filo_name(name), &(FiloPixels){ colors, 8, 1, 8 }, linear));
}

// The pixel at a position of the plane z = 0.
static FiloColor pixel(const FiloPixels *picture, float x, float y) {
    float scale = (float)HEIGHT / 3;
    return *filo_pixels_at(picture, (int)((float)WIDTH / 2 + x * scale),
                           (int)((float)HEIGHT / 2 - y * scale));
}

static int brightness(FiloColor color) { return color.r + color.g + color.b; }

#define UNLIT(r, g, b, a) .unlit = true, .values = { FILO_VEC4("color", r, g, b, a) }

// ---- Errors -------------------------------------------------------------------------------------------------

static bool is_magenta(FiloColor color) { return color.r > 150 && color.b > 150 && color.g < 40; }

FILO_TEST(errors_are_seen_on_meshes_without_texture_coordinates_too) {
    Fixture f = begin(ON_GL45);
    FiloVec3 corners[] = { { -1, -1, 0 }, { 0, -1, 0 }, { -1, 1, 0 } };
    FiloMeshData plain = { .vertex_count = 3, .positions = corners };
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("plain"), &plain));
    filo_edit(f.world, add_at(&f, "plain", filo_vec3(0, 0, 0)), FiloMesh)->material = filo_name("none");
    add_material(&f, "no image",
                 (FiloMaterialDesc){ UNLIT(1, 1, 1, 1),
                                     .textures = { { .name = "color_map", .image = filo_name("none") } } });
    add_box(&f, "no image", 1, 0);
    hush();
    frame(&f);
    frame(&f); // in the second one it is known that there is no such image
    FiloPixels picture = screenshot(&f);
    assert_true(is_magenta(pixel(&picture, -0.7f, -0.5f)));
    for (int i = 0; i < 16; i++) { // four by four squares
        float x = 0.625f + 0.25f * (float)(i % 4), y = 0.375f - 0.25f * (float)(i / 4);
        bool even = (i % 4 + i / 4) % 2 == 0;
        FiloColor color = pixel(&picture, x, y);
        assert_true(even ? is_magenta(color) : brightness(color) < 40);
    }
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// ---- Modes --------------------------------------------------------------------------------------------------

static void draw_modes(Backend backend) {
    Fixture f = begin(backend);
    add_texture(&f, "half", filo_color(255, 255, 255, 255), filo_color(255, 255, 255, 0), false);
    add_material(&f, "red", (FiloMaterialDesc){ UNLIT(1, 0, 0, 1) });
    add_material(&f, "mask",
                 (FiloMaterialDesc){
                     UNLIT(0, 1, 0, 1), .mode = FILO_MATERIAL_MASK,
                     .textures = { { .name = "color_map", .image = filo_name("half"), .nearest = true } } });
    add_material(&f, "glass", (FiloMaterialDesc){ UNLIT(0, 0, 1, 0.5f), .mode = FILO_MATERIAL_BLEND });
    add_material(&f, "glow", (FiloMaterialDesc){ UNLIT(0, 0, 1, 1), .mode = FILO_MATERIAL_ADD });
    add_box(&f, "red", -1, -1);
    add_box(&f, "glass", -1, 0.5f);
    add_box(&f, "mask", 0.2f, 0);
    add_box(&f, "red", 1.4f, -1);
    add_box(&f, "glow", 1.4f, 0.5f);
    FiloPixels picture = screenshot(&f);
    // Half of the masked box is not there. The texture goes from left to right on the front.
    assert_true(pixel(&picture, 0, 0).g > pixel(&picture, 0, 0).r + 80);
    assert_int_equal(brightness(pixel(&picture, 0.45f, 0)), 0);
    FiloColor glass = pixel(&picture, -1, 0), glow = pixel(&picture, 1.4f, 0);
    assert_true(glass.r > 60 && glass.b > 60 && glass.g < 60);
    assert_true(glow.r > glass.r && glow.b > glass.b);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

FILO_TEST(masks_blending_and_adding_are_drawn_by_gl45) { draw_modes(ON_GL45); }
FILO_TEST(masks_blending_and_adding_are_drawn_by_gl33) { draw_modes(ON_GL33); }

FILO_TEST(only_double_sided_materials_are_seen_from_behind) {
    Fixture f = begin(ON_GL45);
    FiloMeshData plane;
    assert_ok(filo_mesh_plane(&plane, &(FiloPlaneDesc){ 0 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("plane"), &plane));
    filo_mesh_free(&plane, NULL);
    add_sun(&f, filo_vec3(0, 0, -1)); // from the camera
    add_material(&f, "one", (FiloMaterialDesc){ 0 });
    add_material(&f, "two", (FiloMaterialDesc){ .double_sided = true });
    static const char *const materials[] = { "one", "two", "two" };
    for (int i = 0; i < 3; i++) {
        FiloEntity entity = add_at(&f, "plane", filo_vec3((float)i * 1.2f - 1.2f, 0, 0));
        filo_edit(f.world, entity, FiloMesh)->material = filo_name(materials[i]);
        // Planes look up: the first two are turned away from the camera, the last towards it.
        filo_edit(f.world, entity, FiloTransform3)->rotation =
            filo_quat_from_axis_angle(filo_vec3(1, 0, 0), (i < 2 ? -0.5f : 0.5f) * FILO_PI);
    }
    FiloPixels picture = screenshot(&f);
    assert_int_equal(brightness(pixel(&picture, -1.2f, 0)), 0);
    int front = brightness(pixel(&picture, 1.2f, 0)), back = brightness(pixel(&picture, 0, 0));
    assert_true(front > 200);
    assert_in_range(back, front - 12, front + 12); // its normal is turned towards the viewer
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// ---- Maps ---------------------------------------------------------------------------------------------------

static void draw_normals(Backend backend) {
    Fixture f = begin(backend);
    add_sun(&f, filo_vec3(-1, -1, -1)); // from the right, above, and the viewer
    static const FiloColor normals[] = {
        { 220, 128, 220, 255 }, { 36, 128, 220, 255 }, { 128, 220, 220, 255 }, { 128, 36, 220, 255 }
    };
    int brightnesses[4];
    for (int i = 0; i < 4; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "n%d", i);
        add_texture(&f, name, normals[i], normals[i], true);
        add_material(
            &f, name,
            (FiloMaterialDesc){ .textures = { { .name = "normal_map", .image = filo_name(name) } } });
    }
    for (int i = 0; i < 4; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "n%d", i);
        FiloEntity box = add_box(&f, name, 0, 0);
        FiloPixels picture = screenshot(&f);
        brightnesses[i] = brightness(pixel(&picture, 0, 0));
        filo_pixels_free(&picture, NULL);
        filo_entity_destroy(f.world, box);
    }
    assert_true(brightnesses[0] > brightnesses[1] + 50); // red: towards +u, to the right
    assert_true(brightnesses[2] > brightnesses[3] + 50); // green: up in the image
    assert_in_range(brightnesses[0], brightnesses[2] - 10, brightnesses[2] + 10);
    fixture_end(&f);
}

FILO_TEST(normal_maps_turn_to_the_right_with_red_and_up_with_green_on_gl45) { draw_normals(ON_GL45); }
FILO_TEST(normal_maps_turn_to_the_right_with_red_and_up_with_green_on_gl33) { draw_normals(ON_GL33); }

FILO_TEST(maps_are_multiplied_with_the_values_of_the_material) {
    Fixture f = begin(ON_GL45);
    add_texture(&f, "halves", filo_color(255, 255, 255, 255), filo_color(0, 0, 0, 255), false);
    FiloMaterialTexture map = { .image = filo_name("halves"), .nearest = true };
    FiloMaterialDesc glow = { .values = { FILO_VEC4("color", 0, 0, 0, 1), FILO_VEC3("emissive", 0, 1, 0) } };
    glow.textures[0] = map;
    glow.textures[0].name = "emissive_map";
    add_material(&f, "glow", glow);
    FiloMaterialDesc shift = { UNLIT(1, 0, 0, 1) };
    shift.values[1] = (FiloMaterialValue)FILO_VEC2("uv_offset", 0.5f, 0);
    shift.textures[0] = map;
    shift.textures[0].name = "color_map";
    add_material(&f, "shift", shift);
    add_box(&f, "glow", -1, 0);
    add_box(&f, "shift", 1, 0);
    FiloPixels picture = screenshot(&f);
    assert_true(pixel(&picture, -1.25f, 0).g > 150);
    assert_int_equal(brightness(pixel(&picture, -0.75f, 0)), 0);
    assert_int_equal(brightness(pixel(&picture, 0.75f, 0)), 0);
    assert_true(pixel(&picture, 1.25f, 0).r > 150);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// The left half of the texture is white; turned by a quarter, the upper.
FILO_TEST(texture_coordinates_are_rotated) {
    Fixture f = begin(ON_GL45);
    add_texture(&f, "halves", filo_color(255, 255, 255, 255), filo_color(0, 0, 0, 255), false);
    FiloMaterialDesc turned = { UNLIT(1, 0, 0, 1) };
    turned.values[1] = (FiloMaterialValue)FILO_FLOAT("uv_rotation", FILO_HALF_PI);
    turned.textures[0] =
        (FiloMaterialTexture){ .name = "color_map", .image = filo_name("halves"), .nearest = true };
    add_material(&f, "turned", turned);
    add_box(&f, "turned", 0, 0);
    FiloPixels picture = screenshot(&f);
    for (float x = -0.25f; x < 0.3f; x += 0.5f) {
        assert_true(pixel(&picture, x, 0.25f).r > 150);
        assert_int_equal(brightness(pixel(&picture, x, -0.25f)), 0);
    }
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// A texture whose alpha is 128 everywhere is below a cutoff of 0.6 at every distance, and above one of 0.4.
FILO_TEST(the_cutoff_of_a_flat_alpha_is_exact_in_small_mipmaps) {
    Fixture f = begin(ON_GL45);
    enum { SIZE = 1024 };
    FiloColor *flat = malloc(sizeof *flat * SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) flat[i] = filo_color(255, 255, 255, 128);
    assert_ok(
        filo_gfx3d_add_texture(f.gfx, filo_name("flat"), &(FiloPixels){ flat, SIZE, SIZE, SIZE }, false));
    free(flat);
    FiloMaterialDesc mask = { UNLIT(0, 1, 0, 1), .mode = FILO_MATERIAL_MASK, .cutoff = 0.6f };
    mask.textures[0] = (FiloMaterialTexture){ .name = "color_map", .image = filo_name("flat") };
    add_material(&f, "gone", mask);
    mask.cutoff = 0.4f;
    add_material(&f, "there", mask);
    add_box(&f, "gone", -1, 0);
    add_box(&f, "there", 1, 0);
    FiloPixels picture = screenshot(&f);
    assert_int_equal(brightness(pixel(&picture, -1, 0)), 0);
    assert_true(pixel(&picture, 1, 0).g > 150);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// Alpha that is raised where small mipmaps blur it never becomes more than 1.
FILO_TEST(nothing_is_seen_of_a_mask_whose_cutoff_is_above_one) {
    Fixture f = begin(ON_GL45);
    enum { SIZE = 1024 };
    FiloColor *stripes = malloc(sizeof *stripes * SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++) stripes[i] = filo_color(255, 255, 255, i / 8 % 4 == 0 ? 0 : 255);
    assert_ok(filo_gfx3d_add_texture(f.gfx, filo_name("stripes"), &(FiloPixels){ stripes, SIZE, SIZE, SIZE },
                                     false));
    free(stripes);
    FiloMaterialDesc mask = { UNLIT(0, 1, 0, 1), .mode = FILO_MATERIAL_MASK, .cutoff = 1.1f };
    mask.textures[0] = (FiloMaterialTexture){ .name = "color_map", .image = filo_name("stripes") };
    add_material(&f, "never", mask);
    add_box(&f, "never", 0, 0);
    FiloPixels picture = screenshot(&f);
    int seen = 0;
    for (int x = 0; x < WIDTH; x++)
        for (int y = 0; y < HEIGHT; y++) seen += brightness(*filo_pixels_at(&picture, x, y)) > 0;
    assert_int_equal(seen, 0);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

// ---- Shaders of the program -----------------------------------------------------------------------------------

static void draw_custom(Backend backend) {
    Fixture f = begin(backend);
    const char *source = "//! vertex\n"
                         "uniform float lift;\n"
                         "out float height;\n"
                         "void vertex(inout FiloVertex v) {\n"
                         "    v.position.y += lift * v.values.x;\n"
                         "    height = v.local.y;\n"
                         "}\n"
                         "//! fragment\n"
                         "in float height;\n"
                         "void surface(inout FiloSurface s) {\n"
                         "    s.color.rgb = height > 0.0 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);\n"
                         "    if (abs(height) < 0.1) s.color.a = 0.0;\n"
                         "    s.color.rgb *= s.values.x * s.vertex_color.a;\n"
                         "}\n";
    add_material(&f, "lifted",
                 (FiloMaterialDesc){ .shader = "lifted.glsl",
                                     .source = source,
                                     .mode = FILO_MATERIAL_MASK,
                                     .unlit = true,
                                     .values = { FILO_FLOAT("lift", 0.5f) } });
    filo_edit(f.world, add_box(&f, "lifted", 0, 0), FiloMesh)->values = filo_vec2(1, 0);
    FiloPixels picture = screenshot(&f);
    assert_true(pixel(&picture, 0, 0.8f).r > 150 && pixel(&picture, 0, 0.8f).g < 60);
    assert_true(pixel(&picture, 0, 0.2f).g > 150 && pixel(&picture, 0, 0.2f).r < 60);
    assert_int_equal(brightness(pixel(&picture, 0, 0.5f)), 0); // masked by the shader
    assert_int_equal(brightness(pixel(&picture, 0, -0.3f)), 0);
    filo_pixels_free(&picture, NULL);
    // A value that is changed is seen in the next picture.
    assert_ok(filo_material_set_float(f.gfx, filo_name("lifted"), "lift", 0));
    picture = screenshot(&f);
    assert_true(pixel(&picture, 0, -0.3f).g > 150);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

FILO_TEST(vertices_and_surfaces_of_the_program_are_drawn_by_gl45) { draw_custom(ON_GL45); }
FILO_TEST(vertices_and_surfaces_of_the_program_are_drawn_by_gl33) { draw_custom(ON_GL33); }

FILO_TEST(the_colour_of_an_entity_tints_its_material) {
    Fixture f = begin(ON_GL45);
    add_material(&f, "white", (FiloMaterialDesc){ UNLIT(1, 1, 1, 1) });
    filo_edit(f.world, add_box(&f, "white", 0, 0), FiloMesh)->color = filo_color(255, 0, 0, 255);
    add_box(&f, "white", 1.2f, 0);
    FiloPixels picture = screenshot(&f);
    assert_true(pixel(&picture, 0, 0).r > 150 && pixel(&picture, 0, 0).g < 30);
    assert_true(pixel(&picture, 1.2f, 0).g > 150);
    filo_pixels_free(&picture, NULL);
    fixture_end(&f);
}

FILO_TEST(both_devices_draw_the_same_picture) {
    FiloPixels pictures[2];
    for (int i = 0; i < 2; i++) {
        Fixture f = begin(i == 0 ? ON_GL45 : ON_GL33);
        add_sun(&f, filo_vec3(-1, -1, -1));
        add_material(
            &f, "gold",
            (FiloMaterialDesc){ .values = { FILO_VEC4("color", 1, 0.8f, 0.3f, 1), FILO_FLOAT("metallic", 1),
                                            FILO_FLOAT("roughness", 0.4f) } });
        add_material(&f, "red", (FiloMaterialDesc){ .values = { FILO_VEC4("color", 1, 0.1f, 0.1f, 1) } });
        filo_edit(f.world, add_box(&f, "gold", -0.6f, 0), FiloTransform3)->rotation =
            filo_quat_from_axis_angle(filo_vec3(0.6f, 0.8f, 0), 0.7f);
        filo_edit(f.world, add_box(&f, "red", 0.8f, 0), FiloTransform3)->rotation =
            filo_quat_from_axis_angle(filo_vec3(0, 0.6f, 0.8f), 0.7f);
        pictures[i] = screenshot(&f);
        fixture_end(&f);
    }
    FiloPixelsDifference difference = filo_pixels_compare(&pictures[0], &pictures[1], 3);
    assert_int_equal(difference.pixels, 0);
    for (int i = 0; i < 2; i++) filo_pixels_free(&pictures[i], NULL);
}
