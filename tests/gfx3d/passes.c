// Passes of a frame: their order on the null device, targets, viewports and sizes.

#include "gfx3d/lit.h"
#include "gfx3d/render/render.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

// The passes of a frame: "cascade, scene, window". Passes of one name that follow each other are counted.
static const char *passes_of(Lit *lit) {
    static char text[2048];
    (void)draw(lit); // what is made at first
    filo_gpu_null_forget(lit->gpu);
    (void)draw(lit);
    size_t length = 0, repeated = 1;
    char before[64] = "";
    text[0] = 0;
    for (size_t i = 0;; i++) {
        const char *call = filo_gpu_null_call(lit->gpu, i);
        char name[64] = "";
        if (call != NULL && sscanf(call, "begin_pass \"%63[^\"]\"", name) != 1) continue;
        if (strcmp(name, before) == 0) {
            repeated++;
        } else if (before[0] != 0) {
            const char *comma = length > 0 ? ", " : "";
            length +=
                (size_t)(repeated > 1 ? snprintf(text + length, sizeof text - length, "%s%zu %s", comma,
                                                 repeated, before)
                                      : snprintf(text + length, sizeof text - length, "%s%s", comma, before));
            repeated = 1;
        }
        if (call == NULL) return text;
        memcpy(before, name, sizeof before);
    }
}

static size_t calls_with(const Lit *lit, const char *part) {
    size_t count = 0;
    for (size_t i = 0; i < filo_gpu_null_call_count(lit->gpu); i++)
        count += strstr(filo_gpu_null_call(lit->gpu, i), part) != NULL ? 1 : 0;
    return count;
}

// A box in the middle, seen by a camera.
static FiloEntity open_scene(Lit *lit, FiloGfx3dDesc desc) {
    lit_open(lit, (LitDesc){ .kind = FILO_GPU_NULL, .gfx = desc });
    add_mesh(lit, "box", filo_vec3(0, 0, 0), filo_vec3(1, 1, 1), FILO_COLOR_WHITE);
    return add_camera(lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
}

// ---- Order ----------------------------------------------------------------------------------------------------

FILO_TEST(shadows_come_before_the_scene_and_the_picture_after_it) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ .shadow_cascades = 2 });
    assert_string_equal(passes_of(&lit), "scene, mapped, window");
    assert_int_equal(calls_with(&lit, "use \"sky.glsl\""), 1);
    add_sun(&lit, filo_vec3(1, 1, 0), true);
    assert_string_equal(passes_of(&lit), "2 cascade, scene, mapped, window");
    environment(&lit)->bloom = 0.5f;
    assert_string_equal(passes_of(&lit), "2 cascade, scene, 7 bloom, mapped, window");
    environment(&lit)->no_sky = true;
    environment(&lit)->bloom = 0;
    assert_string_equal(passes_of(&lit), "2 cascade, scene, mapped, window");
    assert_int_equal(calls_with(&lit, "use \"sky.glsl\""), 0);
    lit_close(&lit);
}

FILO_TEST(without_fxaa_colours_are_mapped_straight_to_the_window) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ .no_fxaa = true });
    assert_string_equal(passes_of(&lit), "scene, window");
    assert_int_equal(calls_with(&lit, "fxaa"), 0);
    lit_close(&lit);
}

FILO_TEST(a_sun_below_the_horizon_casts_no_shadows) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ 0 });
    add_sun(&lit, filo_vec3(1, -0.3f, 0), true);
    assert_string_equal(passes_of(&lit), "scene, mapped, window");
    lit_close(&lit);
}

FILO_TEST(a_depth_pass_draws_opaque_meshes_before_their_colours) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ .depth_prepass = true });
    assert_string_equal(passes_of(&lit), "scene, mapped, window");
    assert_int_equal(calls_with(&lit, "use \"mesh.glsl\""), 2);
    lit_close(&lit);
}

FILO_TEST(without_a_camera_nothing_is_drawn) {
    Lit lit;
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_NULL });
    assert_false(draw(&lit));
    assert_string_equal(passes_of(&lit), "");
    lit_close(&lit);
}

// ---- Sizes ----------------------------------------------------------------------------------------------------

FILO_TEST(a_render_scale_changes_the_picture_and_not_the_window) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ .render_scale = 0.5f, .no_fxaa = true });
    assert_string_equal(passes_of(&lit), "scene, mapped, window");
    assert_int_equal(calls_with(&lit, "begin_pass \"scene\" 64 x 48"), 1);
    assert_int_equal(calls_with(&lit, "begin_pass \"window\" 128 x 96"), 1);
    assert_float_equal(block(&lit)->size.x, 64, 0);
    lit_close(&lit);
}

// Two cameras side by side and one above them: each has a picture of the size of its viewport.
FILO_TEST(cameras_draw_to_their_viewports_in_their_order) {
    Lit lit;
    FiloEntity left = open_scene(&lit, (FiloGfx3dDesc){ .no_fxaa = true });
    FiloEntity right = add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    FiloEntity map = add_camera(&lit, filo_vec3(0, 9, 1), filo_vec3(0, 0, 0));
    filo_edit(lit.world, left, FiloCamera3)->viewport = filo_rect(filo_vec2(0, 0), filo_vec2(0.5f, 1));
    filo_edit(lit.world, right, FiloCamera3)->viewport = filo_rect(filo_vec2(0.5f, 0), filo_vec2(1, 1));
    filo_edit(lit.world, map, FiloCamera3)->viewport = filo_rect(filo_vec2(0.75f, 0), filo_vec2(1, 0.25f));
    filo_edit(lit.world, map, FiloCamera3)->order = 5;
    assert_string_equal(passes_of(&lit), "scene, window, scene, window, scene, window");
    assert_int_equal(calls_with(&lit, "begin_pass \"scene\" 64 x 96 clear"), 2);
    assert_int_equal(calls_with(&lit, "begin_pass \"scene\" 32 x 24 clear"), 1);
    // The window is cleared once, by the first.
    assert_int_equal(calls_with(&lit, "begin_pass \"window\" 128 x 96 clear"), 1);
    assert_int_equal(calls_with(&lit, "viewport 0 0 64 96"), 1);
    assert_int_equal(calls_with(&lit, "viewport 64 0 64 96"), 1);
    assert_int_equal(calls_with(&lit, "viewport 96 0 32 24"), 1);
    assert_int_equal(lit.gfx->passes->pictures.count, 2);
    lit_close(&lit);
}

FILO_TEST(pictures_of_sizes_that_are_not_used_any_more_are_freed) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ 0 });
    for (int i = 0; i < 20; i++) {
        filo_gfx3d_extract(lit.gfx, &(FiloExtract3){ .width = 100 + i, .height = 80 });
        assert_true(filo_gfx3d_render(lit.gfx));
        filo_gpu_end_frame(lit.gpu);
    }
    assert_int_equal(lit.gfx->passes->pictures.count, 20);
    for (int i = 0; i < 60; i++) (void)draw(&lit);
    assert_int_equal(lit.gfx->passes->pictures.count, 1);
    lit_close(&lit);
}

// ---- Targets --------------------------------------------------------------------------------------------------

FILO_TEST(a_camera_draws_to_a_target_and_not_to_the_window) {
    Lit lit;
    FiloEntity camera = open_scene(&lit, (FiloGfx3dDesc){ .no_fxaa = true });
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("mirror"), 40, 30));
    assert_int_equal(target, 1);
    filo_edit(lit.world, camera, FiloCamera3)->target = target;
    assert_false(draw(&lit));
    assert_string_equal(passes_of(&lit), "scene, mirror");
    assert_int_equal(calls_with(&lit, "begin_pass \"scene\" 40 x 30"), 1);
    // A camera of the window comes after those of targets, which it may show.
    (void)add_camera(&lit, filo_vec3(0, 0, 9), filo_vec3(0, 0, 0));
    assert_string_equal(passes_of(&lit), "scene, mirror, scene, window");
    FiloTextureInfo info = filo_gpu_texture_info(lit.gpu, filo_gfx3d_target_texture(lit.gfx, target));
    assert_int_equal(info.width, 40);
    assert_int_equal(info.height, 30);
    assert_int_equal(info.layers, 1);
    assert_int_equal(info.format, FILO_TEXTURE_RGBA8);
    lit_close(&lit);
}

FILO_TEST(a_target_that_a_material_shows_is_copied_to_linear_values) {
    Lit lit;
    FiloEntity camera = open_scene(&lit, (FiloGfx3dDesc){ .no_fxaa = true });
    uint32_t target;
    assert_ok(filo_gfx3d_target_create(&target, lit.gfx, filo_name("screen"), 16, 16));
    filo_edit(lit.world, camera, FiloCamera3)->target = target;
    assert_string_equal(passes_of(&lit), "scene, screen"); // no material does
    FiloTexture texture = gfx3d_texture_find(lit.gfx, &(Gfx3dTextureKey){ .image = filo_name("screen") });
    FiloTextureInfo info = filo_gpu_texture_info(lit.gpu, texture);
    assert_int_equal(info.format, FILO_TEXTURE_RGBA8_SRGB);
    assert_int_equal(info.width, 16);
    assert_int_equal(info.layers, 0);
    assert_string_equal(passes_of(&lit), "scene, 2 screen");
    assert_int_equal(calls_with(&lit, "use \"post_copy.glsl\""), 1);
    lit_close(&lit);
}

FILO_TEST(targets_without_a_name_or_a_size_are_mistakes) {
    only_in_debug_builds();
    Lit lit;
    FiloEntity camera = open_scene(&lit, (FiloGfx3dDesc){ 0 });
    uint32_t target = 7;
    const char *needs = "a target needs a renderer, a name, and a size of at least 1 × 1";
    expect_mistake(needs, filo_gfx3d_target_create(&target, lit.gfx, (FiloName){ 0 }, 4, 4));
    assert_int_equal(target, 0);
    expect_mistake(needs, filo_gfx3d_target_create(&target, lit.gfx, filo_name("t"), 0, 4));
    expect_mistake(needs, filo_gfx3d_target_create(&target, NULL, filo_name("t"), 4, 4));
    expect_mistake("say where to put the new target",
                   filo_gfx3d_target_create(NULL, lit.gfx, filo_name("t"), 4, 4));
    expect_fault("there is no target 1", filo_gfx3d_target_texture(lit.gfx, 1));
    expect_fault("there is no target 0", filo_gfx3d_target_texture(lit.gfx, 0));
    filo_edit(lit.world, camera, FiloCamera3)->target = 3;
    expect_fault("a camera draws to target 3, which does not exist", extract(&lit));
    lit_close(&lit);
}

FILO_TEST(a_target_that_is_too_large_is_refused) {
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ 0 });
    uint32_t target = 7;
    FiloResult r = filo_gfx3d_target_create(&target, lit.gfx, filo_name("wall"), 1 << 30, 4);
    assert_int_equal(r.code, FILO_ERROR_LIMIT);
    assert_non_null(strstr(r.message, "wall: a target of 1073741824 × 4; this device draws up to "));
    assert_int_equal(target, 0);
    lit_close(&lit);
}

// ---- Memory ---------------------------------------------------------------------------------------------------

FILO_TEST(steady_frames_do_not_allocate_even_if_the_sun_moves) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Lit lit;
    (void)open_scene(&lit, (FiloGfx3dDesc){ 0 });
    FiloEntity sun = add_sun(&lit, filo_vec3(1, 1, 0), true);
    for (int i = 0; i < 300; i++) add_point(&lit, filo_vec3(0, 0, -(float)i), 1, 3);
    environment(&lit)->bloom = 0.3f;
    uint64_t before = 0;
    for (int i = 0; i < 60; i++) {
        if (i == 10) before = filo_test_malloc_calls();
        float angle = 0.3f + (float)i * 0.01f;
        filo_edit(lit.world, sun, FiloTransform3)->rotation =
            filo_quat_look(filo_vec3(-filo_cos(angle), -filo_sin(angle), 0), filo_vec3(0, 1, 0));
        (void)draw(&lit);
        filo_gpu_null_forget(lit.gpu);
    }
    assert_int_equal(filo_test_malloc_calls(), before);
    lit_close(&lit);
}
