// Shaders of files that change while they are drawn: what a material gives need not fit the new text.

#include "gfx3d/core_fixture.h"
#include "gfx3d/materials/materials.h"
#include "support/asset_files.h"

#include <filo/time.h>

// A box in front of the camera, without light.
static Fixture begin(Backend backend, const char *material) {
    Fixture f = fixture_open((FixtureDesc){ .backend = backend, .assets = true });
    FiloMeshData box;
    assert_ok(filo_mesh_box(&box, &(FiloBoxDesc){ 0 }, NULL));
    assert_ok(filo_gfx3d_add_mesh(f.gfx, filo_name("box"), &box));
    filo_mesh_free(&box, NULL);
    FiloEntity camera = add_camera(&f, filo_vec3(0, 0, 4), filo_vec3(0, 0, 0));
    filo_edit(f.world, camera, FiloCamera3)->height = 0.5f;
    filo_set_global(f.world, FiloEnvironment, .no_sky = true, .ambient = -1);
    filo_edit(f.world, add_at(&f, "box", filo_vec3(0, 0, 0)), FiloMesh)->material = filo_name(material);
    return f;
}

// The colour in the middle, after everything is loaded.
static FiloColor seen(Fixture *f) {
    for (int i = 0; i < 4; i++) {
        frame(f);
        filo_assets_wait_all(f->assets);
    }
    FiloPixels picture = screenshot(f);
    FiloColor color = *filo_pixels_at(&picture, WIDTH / 2, HEIGHT / 2);
    filo_pixels_free(&picture, NULL);
    return color;
}

static FiloColor seen_with(Fixture *f, const char *file, const char *text) {
    FiloAsset asset = filo_assets_find(f->assets, filo_name(file));
    uint32_t version = filo_asset_version(f->assets, asset);
    write_text(file, text);
    for (int i = 0; i < 4000 && filo_asset_version(f->assets, asset) == version; i++) {
        filo_sleep_until_ns(filo_time_ns() + 1000000);
        filo_assets_update(f->assets, 0);
    }
    return seen(f);
}

#define SURFACE(declared, rgb)                                                                               \
    "//! fragment\n" declared "void surface(inout FiloSurface s) { s.color.rgb = " rgb "; }\n"
#define FLAG(rest) "{ \"filo\": \"material\", \"unlit\": true, \"shader\": \"flag.glsl\"" rest " }"

#define assert_shown(color_, red, green, blue)                                                               \
    do {                                                                                                     \
        FiloColor shown_ = (color_);                                                                         \
        assert_int_equal(shown_.r > 100, red);                                                               \
        assert_int_equal(shown_.g > 100, green);                                                             \
        assert_int_equal(shown_.b > 100, blue);                                                              \
    } while (0)

static void check_textures(Backend backend) {
    write_text("flag.glsl", SURFACE("", "vec3(1, 0, 0)"));
    write_text("flag.material", FLAG(""));
    Fixture f = begin(backend, "flag.material");
    assert_shown(seen(&f), true, false, false);
    const char *one = SURFACE("uniform sampler2D a;\n", "texture(a, s.uv).rgb");
    assert_shown(seen_with(&f, "flag.glsl", one), true, true, true);
    const char *two =
        SURFACE("uniform sampler2D a[2];\n", "texture(a[0], s.uv).rgb * texture(a[1], s.uv).rgb");
    assert_shown(seen_with(&f, "flag.glsl", two), true, true, true);
    const char *layers = SURFACE("uniform sampler2DArray a;\n", "texture(a, vec3(s.uv, 0)).rgb");
    assert_shown(seen_with(&f, "flag.glsl", layers), true, true, true);
    const char *hidden = SURFACE("#define PICTURE uniform sampler2D\nPICTURE a;\n", "texture(a, s.uv).rgb");
    assert_shown(seen_with(&f, "flag.glsl", hidden), true, true, true);
    fixture_end(&f);
}

FILO_TEST(a_texture_that_a_reloaded_shader_adds_is_white_by_gl45) { check_textures(ON_GL45); }
FILO_TEST(a_texture_that_a_reloaded_shader_adds_is_white_by_gl33) { check_textures(ON_GL33); }

static void check_renamed(Backend backend) {
    FiloColor green[1] = { { 0, 255, 0, 255 } };
    write_text("flag.glsl",
               SURFACE("uniform sampler2D a;\nuniform float x, y;\n", "texture(a, s.uv).rgb * x * y"));
    write_text("flag.material", FLAG(", \"a\": \"green\", \"x\": 1, \"y\": 1"));
    Fixture f = begin(backend, "flag.material");
    assert_ok(filo_gfx3d_add_texture(f.gfx, filo_name("green"), &(FiloPixels){ green, 1, 1, 1 }, false));
    assert_shown(seen(&f), false, true, false);
    hush();
    // The texture has another name: white. What still fits stays.
    const char *text = SURFACE("uniform sampler2D b;\nuniform float x, y;\n", "texture(b, s.uv).rgb * x * y");
    assert_shown(seen_with(&f, "flag.glsl", text), true, true, true);
    // So has a value: zero.
    text = SURFACE("uniform sampler2D a;\nuniform float x, z;\n", "texture(a, s.uv).rgb * x + vec3(z, 0, 1)");
    assert_shown(seen_with(&f, "flag.glsl", text), false, true, true);
    // Another type.
    text = SURFACE("uniform sampler2DArray a;\nuniform vec2 x;\nuniform float y;\n",
                   "texture(a, vec3(s.uv, 0)).rgb * vec3(x, y)");
    assert_shown(seen_with(&f, "flag.glsl", text), false, false, true);
    // As it was.
    text = SURFACE("uniform sampler2D a;\nuniform float x, y;\n", "texture(a, s.uv).rgb * x * y");
    assert_shown(seen_with(&f, "flag.glsl", text), false, true, false);
    fixture_end(&f);
}

FILO_TEST(a_material_gives_a_reloaded_shader_what_still_fits_by_gl45) { check_renamed(ON_GL45); }
FILO_TEST(a_material_gives_a_reloaded_shader_what_still_fits_by_gl33) { check_renamed(ON_GL33); }

FILO_TEST(a_broken_text_with_other_uniforms_changes_no_values) {
    write_text("flag.glsl", SURFACE("uniform float x;\n", "vec3(x, 0, 0)"));
    write_text("flag.material", FLAG(", \"x\": 1"));
    Fixture f = begin(ON_GL45, "flag.material");
    assert_shown(seen(&f), true, false, false);
    hush();
    assert_shown(seen_with(&f, "flag.glsl", SURFACE("uniform vec2 x;\n", "no")), true, false, false);
    assert_ok(filo_material_set_float(f.gfx, filo_name("flag.material"), "x", 0));
    assert_shown(seen(&f), false, false, false);
    fixture_end(&f);
}

FILO_TEST(a_texture_that_no_material_can_give_is_refused) {
    Fixture f = fixture_begin(ON_NULL, 1);
    hush();
    FiloMaterialDesc desc = { .shader = "flag.glsl",
                              .source =
                                  SURFACE("uniform sampler2DShadow a;\n", "vec3(texture(a, vec3(0)))") };
    FiloResult result = filo_gfx3d_add_material(f.gfx, filo_name("flag"), &desc);
    assert_int_equal(result.code, FILO_ERROR_DATA);
    assert_string_equal(result.message, "flag.glsl: \"a\" is a sampler2DShadow, which a material cannot set");
    fixture_end(&f);
}

FILO_TEST(a_texture_of_the_shader_of_a_ground_is_white) {
    Fixture f = begin(ON_GL45, "");
    static const uint16_t heights[65 * 65];
    FiloGround ground;
    assert_ok(filo_gfx3d_ground_create(
        &ground, f.gfx,
        &(FiloGroundDesc){ .heights = heights,
                           .columns = 65,
                           .rows = 65,
                           .position = { -32, 1, -32 },
                           .shader =
                               "//! fragment\nuniform sampler2D a;\nvoid surface(inout FiloSurface s) {\n"
                               "    s.emissive = texture(a, s.uv).rgb;\n}\n" }));
    add_camera(&f, filo_vec3(0, 9, 0), filo_vec3(0, 0, 0));
    assert_shown(seen(&f), true, true, true);
    fixture_end(&f);
}
