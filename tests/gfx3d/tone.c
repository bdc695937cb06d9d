// How colours reach the screen: tone mapping, and what goes around it.

#include "gfx3d/lit.h"

#include <filo/material.h>

// A camera that looks at the origin, and a box of this material that fills its picture.
static FiloEntity open_box(Lit *lit, FiloGpuKind kind, FiloMaterialDesc desc) {
    lit_open(lit, (LitDesc){ .kind = kind });
    environment(lit)->no_sky = true;
    assert_ok(filo_gfx3d_add_material(lit->gfx, filo_name("paint"), &desc));
    FiloEntity box = add_mesh(lit, "box", filo_vec3(0, 0, 0), filo_vec3(9, 9, 1), FILO_COLOR_WHITE);
    filo_edit(lit->world, box, FiloMesh)->material = filo_name("paint");
    return add_camera(lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
}

static FiloColor middle(Lit *lit) {
    (void)screenshot(lit);
    return pixel(lit, WIDTH / 2, HEIGHT / 2);
}

static void assert_exact(FiloColor found, FiloColor wanted) {
    if (found.r == wanted.r && found.g == wanted.g && found.b == wanted.b) return;
    fail_msg("#%02X%02X%02X instead of #%02X%02X%02X", found.r, found.g, found.b, wanted.r, wanted.g,
             wanted.b);
}

static const FiloColor colors[] = { { 255, 255, 255, 255 }, { 128, 128, 128, 255 }, { 255, 128, 0, 255 },
                                    { 1, 2, 3, 255 },       { 10, 20, 250, 255 },   { 77, 191, 64, 255 } };

static void check_unlit(FiloGpuKind kind) {
    for (size_t i = 0; i < FILO_COUNT_OF(colors); i++) {
        Lit lit;
        FiloVec4 c = filo_color_to_linear(colors[i]);
        FiloEntity camera =
            open_box(&lit, kind,
                     (FiloMaterialDesc){ .unlit = true, .values = { FILO_VEC4("color", c.x, c.y, c.z, 1) } });
        for (int tone = FILO_TONE_FILM; tone <= FILO_TONE_NONE; tone++) {
            filo_edit(lit.world, camera, FiloCamera3)->tone = (uint8_t)tone;
            environment(&lit)->exposure = (float)tone;
            environment(&lit)->bloom = 1;
            assert_exact(middle(&lit), colors[i]);
        }
        lit_close(&lit);
    }
}

FILO_TEST(unlit_colours_are_shown_as_they_are_by_gl45) { check_unlit(FILO_GPU_GL45); }
FILO_TEST(unlit_colours_are_shown_as_they_are_by_gl33) { check_unlit(FILO_GPU_GL33); }

FILO_TEST(the_colour_of_an_entity_and_an_image_are_shown_as_they_are) {
    for (size_t i = 0; i < FILO_COUNT_OF(colors); i++) {
        Lit lit;
        (void)open_box(&lit, FILO_GPU_GL45, (FiloMaterialDesc){ .unlit = true });
        FiloEntity box = add_mesh(&lit, "box", filo_vec3(0, 0, 1), filo_vec3(9, 9, 1), colors[i]);
        filo_edit(lit.world, box, FiloMesh)->material = filo_name("paint");
        assert_exact(middle(&lit), colors[i]);
        FiloColor one = colors[i];
        assert_ok(filo_gfx3d_add_texture(lit.gfx, filo_name("image"), &(FiloPixels){ &one, 1, 1, 1 }, false));
        FiloMaterialDesc shown = { .unlit = true,
                                   .textures = { { .name = "color_map", .image = filo_name("image") } } };
        assert_ok(filo_gfx3d_add_material(lit.gfx, filo_name("paint"), &shown));
        filo_edit(lit.world, box, FiloMesh)->color = FILO_COLOR_WHITE;
        assert_exact(middle(&lit), colors[i]);
        lit_close(&lit);
    }
}

static void check_glass(FiloGpuKind kind) {
    Lit lit;
    (void)open_box(&lit, kind,
                   (FiloMaterialDesc){ .unlit = true,
                                       .mode = FILO_MATERIAL_BLEND,
                                       .values = { FILO_VEC4("color", 1, 0.5f, 1, 1) } });
    environment(&lit)->no_sky = false;
    assert_exact(middle(&lit), filo_color_from_linear((FiloVec4){ 1, 0.5f, 1, 1 }));
    // Half of it over something that is as it is: between both.
    assert_ok(filo_material_set_vec4(lit.gfx, filo_name("paint"), "color", (FiloVec4){ 0, 1, 0, 0.5f }));
    assert_ok(filo_gfx3d_add_material(
        lit.gfx, filo_name("wall"),
        &(FiloMaterialDesc){ .unlit = true, .values = { FILO_VEC4("color", 0.5f, 0.1f, 0.25f, 1) } }));
    FiloEntity wall = add_mesh(&lit, "box", filo_vec3(0, 0, -2), filo_vec3(19, 19, 1), FILO_COLOR_WHITE);
    filo_edit(lit.world, wall, FiloMesh)->material = filo_name("wall");
    FiloColor mixed = middle(&lit), expected = filo_color_from_linear((FiloVec4){ 0.25f, 0.55f, 0.125f, 1 });
    assert_in_range(mixed.r, expected.r - 1, expected.r + 1);
    assert_in_range(mixed.g, expected.g - 1, expected.g + 1);
    assert_in_range(mixed.b, expected.b - 1, expected.b + 1);
    // And over a lit surface.
    environment(&lit)->ambient_color = FILO_COLOR_WHITE;
    filo_edit(lit.world, wall, FiloMesh)->material = (FiloName){ 0 };
    FiloColor over = middle(&lit);
    assert_true(over.g > 200 && over.r > 100 && over.r < 190);
    lit_close(&lit);
}

FILO_TEST(blended_unlit_surfaces_are_shown_as_they_are_by_gl45) { check_glass(FILO_GPU_GL45); }
FILO_TEST(blended_unlit_surfaces_are_shown_as_they_are_by_gl33) { check_glass(FILO_GPU_GL33); }

FILO_TEST(blended_unlit_surfaces_on_a_transparent_target_keep_their_alpha) {
    Lit lit;
    FiloEntity camera = open_box(&lit, FILO_GPU_GL45,
                                 (FiloMaterialDesc){ .unlit = true,
                                                     .mode = FILO_MATERIAL_BLEND,
                                                     .values = { FILO_VEC4("color", 0, 1, 0, 0.5f) } });
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("label"), 16, 16));
    filo_edit(lit.world, camera, FiloCamera3)->target = target;
    filo_edit(lit.world, camera, FiloCamera3)->background = (FiloColor){ 0, 0, 0, 0 };
    (void)draw(&lit);
    FiloRenderTarget read;
    FiloColor color;
    assert_ok(filo_gpu_target_create(
        &read, lit.gpu, &(FiloRenderTargetDesc){ .color = filo_gfx3d_target_texture(lit.gfx, target) }));
    assert_ok(filo_gpu_read(lit.gpu, read, 8, 8, &(FiloPixels){ &color, 1, 1, 1 }));
    filo_gpu_target_destroy(lit.gpu, read);
    assert_in_range(color.a, 127, 128);
    assert_true(color.g > 100 && color.r < 60);
    lit_close(&lit);
}

FILO_TEST(a_monitor_shows_a_target_as_it_is) {
    Lit lit;
    (void)open_box(
        &lit, FILO_GPU_GL45,
        (FiloMaterialDesc){ .unlit = true,
                            .textures = { { .name = "color_map", .image = filo_name("screen") } } });
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("screen"), 16, 16));
    FiloEntity watcher = add_camera(&lit, filo_vec3(500, 0, 5), filo_vec3(500, 0, 0));
    filo_edit(lit.world, watcher, FiloCamera3)->target = target;
    filo_edit(lit.world, watcher, FiloCamera3)->background = filo_color(255, 128, 0, 255);
    FiloColor shown = middle(&lit);
    shown = middle(&lit);
    assert_in_range(shown.r, 254, 255);
    assert_in_range(shown.g, 126, 130);
    assert_in_range(shown.b, 0, 1);
    // What is lit is mapped once.
    add_mesh(&lit, "box", filo_vec3(500, 0, 0), filo_vec3(9, 9, 1), filo_color(200, 120, 60, 255));
    environment(&lit)->ambient_color = FILO_COLOR_WHITE;
    shown = middle(&lit);
    filo_edit(lit.world, watcher, FiloCamera3)->target = 0;
    filo_edit(lit.world, watcher, FiloCamera3)->order = 1;
    FiloColor once = middle(&lit);
    assert_in_range(shown.r, once.r - 3, once.r + 3);
    assert_in_range(shown.g, once.g - 3, once.g + 3);
    assert_in_range(shown.b, once.b - 3, once.b + 3);
    lit_close(&lit);
}

FILO_TEST(tone_mapping_is_chosen_by_the_camera) {
    Lit lit;
    FiloEntity camera = open_box(&lit, FILO_GPU_GL45,
                                 (FiloMaterialDesc){ .values = { FILO_VEC4("color", 0, 0, 0, 1),
                                                                 FILO_VEC3("emissive", 0.5f, 0.25f, 0.5f),
                                                                 FILO_FLOAT("roughness", 1) } });
    environment(&lit)->ambient = -1;
    environment(&lit)->exposure = 0.32192809f; // 1 / 0.8, so that the factor is 1
    FiloColor by[3];
    for (int tone = FILO_TONE_FILM; tone <= FILO_TONE_NONE; tone++) {
        filo_edit(lit.world, camera, FiloCamera3)->tone = (uint8_t)tone;
        by[tone] = middle(&lit);
    }
    FiloColor exact = filo_color_from_linear((FiloVec4){ 0.5f, 0.25f, 0.5f, 1 });
    assert_in_range(by[FILO_TONE_NONE].r, exact.r - 1, exact.r + 1);
    assert_in_range(by[FILO_TONE_NONE].g, exact.g - 1, exact.g + 1);
    assert_in_range(by[FILO_TONE_NEUTRAL].r, exact.r - 15, exact.r); // what is mirrored, 0.04, is taken away
    assert_true(by[FILO_TONE_FILM].g < by[FILO_TONE_NEUTRAL].g);
    // Bright colours.
    assert_ok(filo_material_set_vec3(lit.gfx, filo_name("paint"), "emissive", filo_vec3(4, 1, 0.1f)));
    for (int tone = FILO_TONE_FILM; tone <= FILO_TONE_NONE; tone++) {
        filo_edit(lit.world, camera, FiloCamera3)->tone = (uint8_t)tone;
        by[tone] = middle(&lit);
    }
    assert_int_equal(by[FILO_TONE_NONE].r, 255);
    assert_in_range(by[FILO_TONE_NONE].b, 88, 91); // cut off, not whitened
    assert_true(by[FILO_TONE_NEUTRAL].b > by[FILO_TONE_NONE].b && by[FILO_TONE_NEUTRAL].r > 240);
    lit_close(&lit);
}

FILO_TEST(own_light_is_mapped_as_all_light_is) {
    for (int i = 0; i < 2; i++) {
        FiloMaterialDesc desc = { .own_light = i == 1,
                                  .values = { FILO_VEC4("color", 0, 0, 0, 1),
                                              FILO_VEC3("emissive", 1, 0.5f, 0.2f),
                                              FILO_FLOAT("roughness", 1) } };
        Lit lit;
        (void)open_box(&lit, FILO_GPU_GL45, desc);
        environment(&lit)->ambient = -1;
        FiloColor by_one = middle(&lit);
        assert_in_range(by_one.r, 185, 225); // not 255
        environment(&lit)->exposure = 2;
        FiloColor brighter = middle(&lit);
        assert_true(brighter.r > by_one.r && brighter.b > by_one.b + 30);
        lit_close(&lit);
    }
}
