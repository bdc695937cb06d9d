// Images as skies.

#include "gfx3d/lit.h"
#include "support/failing_allocator.h"

#include <filo/log.h>

enum { W = 64, H = 32 };

// Writes an HDR file whose pixels a function chooses, in steps of 1 / 128.
static void write_hdr(const char *name, void (*choose)(int x, int y, uint8_t rgb[3])) {
    static uint8_t file[128 + W * H * 4];
    size_t length =
        (size_t)snprintf((char *)file, 128, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", H, W);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            uint8_t *p = file + length + ((size_t)y * W + (size_t)x) * 4;
            choose(x, y, p);
            p[3] = 129;
        }
    assert_ok(filo_file_write(filo_test_path(name), file, length + W * H * 4, NULL));
}

// Red ahead (−z, the middle of the picture), green to the right (+x), blue above; otherwise black.
static void three_colors(int x, int y, uint8_t rgb[3]) {
    rgb[0] = x >= 24 && x < 40 && y >= 12 && y < 20 ? 128 : 0;
    rgb[1] = x >= 40 && x < 56 && y >= 12 && y < 20 ? 128 : 0;
    rgb[2] = y < 6 ? 128 : 0;
}

static void grey(int x, int y, uint8_t rgb[3]) {
    FILO_UNUSED(x);
    FILO_UNUSED(y);
    rgb[0] = rgb[1] = rgb[2] = 64;
}

static void open_with(Lit *lit, const char *sky) {
    lit_open(lit, (LitDesc){ .kind = FILO_GPU_NULL, .assets = true });
    add_camera(lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    environment(lit)->sky = filo_name(sky);
    extract(lit);
    filo_assets_wait_all(lit->assets);
    (void)block(lit);
}

static FiloVec3 reflected(const Lit *lit, float x, float y, float z) {
    return gfx3d_sky_sample(&lit->gfx->lights->sky->map, 0, filo_vec3_normalise(filo_vec3(x, y, z)));
}

#define assert_near(a, b) assert_float_equal((a), (b), 0.02f)

FILO_TEST(an_image_shows_its_middle_ahead_and_its_right_half_to_the_right) {
    Lit lit;
    write_hdr("rooms.hdr", three_colors);
    open_with(&lit, "rooms.hdr");
    assert_int_equal(lit.gfx->lights->sky->key.kind, GFX3D_SKY_IMAGE);
    assert_near(reflected(&lit, 0, 0, -1).x, 1);
    assert_near(reflected(&lit, 1, 0, 0).y, 1);
    assert_near(reflected(&lit, 0, 1, 0).z, 1);
    assert_near(reflected(&lit, 0, 0, 1).x, 0);
    assert_near(reflected(&lit, -1, 0, 0).y, 0);
    // Light on a surface that faces up comes from above.
    FiloVec3 up = gfx3d_ambient(block(&lit)->ambient, filo_vec3(0, 1, 0));
    assert_true(up.z > 2 * up.x && up.z > 0.05f);
    lit_close(&lit);
}

FILO_TEST(rotation_and_brightness_change_an_image) {
    Lit lit;
    write_hdr("rooms.hdr", three_colors);
    open_with(&lit, "rooms.hdr");
    environment(&lit)->sky_rotation = FILO_HALF_PI;
    environment(&lit)->sky_brightness = 2;
    (void)block(&lit);
    // By a quarter of a turn: what was to the right is ahead.
    assert_near(reflected(&lit, 0, 0, -1).y, 2);
    lit_close(&lit);
}

FILO_TEST(a_sun_keeps_its_colour_below_an_image) {
    Lit lit;
    write_hdr("grey.hdr", grey);
    open_with(&lit, "grey.hdr");
    add_sun(&lit, filo_vec3(1, 0.02f, 0), false);
    assert_near(block(&lit)->sun_color.z, 3);
    FiloVec3 ambient = gfx3d_ambient(block(&lit)->ambient, filo_vec3(0, 0, 1));
    assert_near(ambient.x, 0.5f);
    assert_near(block(&lit)->fog_color.y, 0.5f); // fog has the colour of its horizon
    lit_close(&lit);
}

FILO_TEST(an_image_of_bytes_is_a_sky_too) {
    Lit lit;
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 8, 4, NULL));
    filo_pixels_fill(&pixels, filo_color(188, 188, 188, 255)); // half of white, in linear values
    assert_ok(filo_image_save(&pixels, filo_test_path("grey.png")));
    filo_pixels_free(&pixels, NULL);
    open_with(&lit, "grey.png");
    assert_near(reflected(&lit, 0.3f, -0.5f, 0.1f).x, 0.5f);
    lit_close(&lit);
}

FILO_TEST(until_an_image_is_there_and_if_it_is_broken_the_sky_is_computed) {
    Lit lit;
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    assert_ok(filo_file_write(filo_test_path("broken.hdr"), "#?RADIANCE\nnonsense", 19, NULL));
    lit_open(&lit, (LitDesc){ .kind = FILO_GPU_NULL, .assets = true });
    add_camera(&lit, filo_vec3(0, 0, 5), filo_vec3(0, 0, 0));
    environment(&lit)->sky = filo_name("broken.hdr");
    extract(&lit);
    assert_int_equal(lit.gfx->lights->sky->key.kind, GFX3D_SKY_COMPUTED);
    filo_assets_wait_all(lit.assets);
    (void)block(&lit);
    assert_int_equal(lit.gfx->lights->sky->key.kind, GFX3D_SKY_COMPUTED);
    FiloAsset failed = filo_assets_failed_at(lit.assets, 0);
    assert_string_equal(filo_asset_name(lit.assets, failed), "broken.hdr");
    assert_non_null(strstr(filo_asset_error(lit.assets, failed)->message, "broken.hdr"));
    // Another name later.
    write_hdr("grey.hdr", grey);
    environment(&lit)->sky = filo_name("grey.hdr");
    (void)block(&lit);
    filo_assets_wait_all(lit.assets);
    (void)block(&lit);
    assert_int_equal(lit.gfx->lights->sky->key.kind, GFX3D_SKY_IMAGE);
    environment(&lit)->sky = (FiloName){ 0 };
    (void)block(&lit);
    assert_int_equal(lit.gfx->lights->sky->key.kind, GFX3D_SKY_COMPUTED);
    lit_close(&lit);
}

// Decoding without memory fails with a message, and frees everything.
FILO_TEST(a_sky_without_memory_is_refused) {
    write_hdr("grey.hdr", grey);
    FiloFileData file;
    assert_ok(filo_file_read(&file, filo_test_path("grey.hdr"), NULL));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloAssetBytes bytes = {
            .name = "grey.hdr", .bytes = file.bytes, .size = file.size, .allocator = &failing.allocator
        };
        Gfx3dSkyImage *image = NULL;
        FiloResult r = gfx3d_sky_image_decode(&image, &bytes);
        more = failing.calls > fail_at;
        assert_int_equal(r.code, more ? FILO_ERROR_MEMORY : FILO_OK);
        if (more) assert_non_null(strstr(r.message, "grey.hdr"));
        gfx3d_sky_image_free(image, &failing.allocator);
        assert_int_equal(failing.blocks, 0);
    }
    filo_file_free(&file);
}
