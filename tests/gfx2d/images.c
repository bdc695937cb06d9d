// Images: requested when a sprite shows them, a placeholder until then, sheets, reloading, and freeing slots.

#include "gfx2d/fixture.h"

#include <filo/log.h>
#include <filo/time.h>

#include "gfx2d/renderer.h"
#include "support/asset_files.h"
#include "support/warnings.h"

// A fixture with assets in the folder of the test.
typedef struct Gallery {
    Fixture fixture;
    FiloAssets *assets;
} Gallery;

static Gallery gallery_begin(Backend backend) {
    Gallery gallery = { 0 };
    Fixture *fixture = &gallery.fixture;
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error,assets=off,gfx2d=off"));
    fixture->gpu = fixture_device(backend);
    assert_ok(filo_jobs_create(&fixture->jobs, &(FiloJobsDesc){ .threads = 2 }));
    assert_ok(filo_world_create(&fixture->world, &(FiloWorldDesc){ .jobs = fixture->jobs }));
    assert_ok(filo_assets_create(
        &gallery.assets,
        &(FiloAssetsDesc){ .jobs = fixture->jobs, .folder = filo_test_folder(), .watch = true }));
    assert_ok(filo_gfx2d_create(
        &fixture->gfx,
        &(FiloGfx2dDesc){ .world = fixture->world, .assets = gallery.assets, .gpu = fixture->gpu }));
    return gallery;
}

static void gallery_end(Gallery *gallery) {
    filo_gfx2d_destroy(gallery->fixture.gfx);
    gallery->fixture.gfx = NULL;
    filo_world_destroy(gallery->fixture.world);
    gallery->fixture.world = NULL;
    filo_assets_destroy(gallery->assets);
    fixture_end(&gallery->fixture);
}

static FiloEntity show(Gallery *gallery, const char *image, uint16_t frame) {
    return filo_create(gallery->fixture.world, FILO_ADD(FiloTransform2),
                       FILO_SET(FiloSprite, .image = filo_name(image), .frame = frame));
}

static FiloColor middle(Gallery *gallery) {
    return pixel(screenshot(&gallery->fixture), WIDTH / 2, HEIGHT / 2);
}

// Waits until the middle of the picture has this colour: as long as the disk takes.
static void wait_for(Gallery *gallery, FiloColor color) {
    for (int i = 0; i < 20000; i++) {
        (void)filo_assets_update(gallery->assets, 0);
        if (filo_color_equal(middle(gallery), color)) return;
        filo_sleep_ns(500000);
    }
    assert_color(middle(gallery), color);
}

static bool is_placeholder(FiloColor color) {
    return filo_color_equal(color, filo_color(255, 0, 255, 255)) ||
           filo_color_equal(color, filo_color(32, 0, 32, 255));
}

static void comes_by_itself(Backend backend) {
    Gallery gallery = gallery_begin(backend);
    write_png("ship.png", 8, 8, FILO_COLOR_GREEN);
    show(&gallery, "ship.png", 0);
    assert_true(is_placeholder(middle(&gallery)));
    filo_assets_wait_all(gallery.assets);
    assert_color(middle(&gallery), FILO_COLOR_GREEN);
    assert_color(pixel(screenshot(&gallery.fixture), WIDTH / 2 - 5, HEIGHT / 2),
                 FILO_COLOR_BLACK); // its own size
    gallery_end(&gallery);
}

FILO_TEST(an_image_is_loaded_when_it_is_first_seen_on_the_cpu) { comes_by_itself(ON_CPU); }
FILO_TEST(an_image_is_loaded_when_it_is_first_seen_on_the_gpu) { comes_by_itself(ON_GL45); }

FILO_TEST(an_image_that_is_loaded_already_is_shown_in_the_first_frame) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_png("ship.png", 8, 8, FILO_COLOR_GREEN);
    FiloAsset asset = filo_assets_load(gallery.assets, "ship.png");
    assert_ok(filo_assets_wait(gallery.assets, asset));
    show(&gallery, "ship.png", 0);
    assert_color(middle(&gallery), FILO_COLOR_GREEN);
    assert_int_equal(filo_asset_reference_count(gallery.assets, asset), 1); // the renderer does not retain it
    gallery_end(&gallery);
}

FILO_TEST(missing_and_broken_images_show_the_placeholder_and_are_requested_once) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_text("broken.png", "this is no picture");
    show(&gallery, "broken.png", 0);
    show(&gallery, "missing.png", 3);
    show(&gallery, "no extension", 0);
    show(&gallery, "notes.txt", 0);
    write_text("notes.txt", "neither is this");
    for (int i = 0; i < 4; i++) {
        assert_true(is_placeholder(middle(&gallery)));
        filo_assets_wait_all(gallery.assets);
    }
    assert_int_equal(filo_assets_stats(gallery.assets).failed, 2);
    assert_int_equal(stats(&gallery.fixture).images, 1); // the font
    gallery_end(&gallery);
}

static void reloads(Backend backend) {
    Gallery gallery = gallery_begin(backend);
    write_png("ship.png", 8, 8, FILO_COLOR_GREEN);
    show(&gallery, "ship.png", 0);
    wait_for(&gallery, FILO_COLOR_GREEN);
    for (int i = 0; i < 3; i++) (void)middle(&gallery); // so that the part is cached
    assert_int_equal(stats(&gallery.fixture).rebuilt, 0);
    write_png("ship.png", 20, 30, FILO_COLOR_BLUE);
    wait_for(&gallery, FILO_COLOR_BLUE);
    assert_color(pixel(screenshot(&gallery.fixture), WIDTH / 2 - 10, HEIGHT / 2 - 15), FILO_COLOR_BLUE);
    assert_int_equal(stats(&gallery.fixture).images, 2);
    gallery_end(&gallery);
}

FILO_TEST(a_file_that_changes_changes_the_picture_on_the_cpu) { reloads(ON_CPU); }
FILO_TEST(a_file_that_changes_changes_the_picture_on_the_gpu) { reloads(ON_GL33); }

FILO_TEST(an_image_that_the_game_unloads_is_loaded_again_when_it_is_seen) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_png("ship.png", 100, 100, FILO_COLOR_GREEN);
    FiloAsset asset = filo_assets_load(gallery.assets, "ship.png");
    FiloEntity ship = show(&gallery, "ship.png", 0);
    wait_for(&gallery, FILO_COLOR_GREEN);
    Gfx2dFrameRegion region = *gfx2d_frame(gallery.fixture.gfx, filo_name("ship.png"), 0);
    filo_entity_destroy(gallery.fixture.world, ship);
    filo_assets_unload(gallery.assets, asset);
    (void)filo_assets_update(gallery.assets, 0);
    extract(&gallery.fixture); // notices it
    extract(&gallery.fixture);
    assert_int_equal(stats(&gallery.fixture).images, 1);
    FiloName other = add_plain(gallery.fixture.gfx, "other", 100, 100, FILO_COLOR_RED); // in the same slot
    const Gfx2dFrameRegion *now = gfx2d_frame(gallery.fixture.gfx, other, 0);
    assert_true(now->page == region.page && now->u0 == region.u0 && now->v0 == region.v0);
    show(&gallery, "ship.png", 0);
    assert_true(is_placeholder(middle(&gallery)));
    wait_for(&gallery, FILO_COLOR_GREEN);
    gallery_end(&gallery);
}

// A sheet of three frames of 4 × 4, red, green and blue, beside each other.
static void write_sheet(void) {
    FiloPixels pixels;
    const FiloColor colors[] = { FILO_COLOR_RED, FILO_COLOR_GREEN, FILO_COLOR_BLUE };
    assert_true(filo_pixels_create(&pixels, 12, 4, NULL));
    for (int i = 0; i < 3; i++) {
        FiloPixels part = filo_pixels_part(&pixels, i * 4, 0, 4, 4);
        filo_pixels_fill(&part, colors[i]);
    }
    assert_ok(filo_image_save(&pixels, filo_test_path("bat.png")));
    filo_pixels_free(&pixels, NULL);
    write_text("bat.json", "{\"image\": \"bat.png\", \"grid\": {\"width\": 4, \"height\": 4}}");
}

FILO_TEST(frames_of_a_sheet_are_regions_of_its_image) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_sheet();
    FiloEntity bat = show(&gallery, "bat.json", 1);
    wait_for(&gallery, FILO_COLOR_GREEN);
    FiloPixels picture = screenshot(&gallery.fixture);
    assert_color(pixel(picture, WIDTH / 2 - 2, HEIGHT / 2 - 2), FILO_COLOR_GREEN);
    assert_color(pixel(picture, WIDTH / 2 + 1, HEIGHT / 2 + 1), FILO_COLOR_GREEN);
    assert_color(pixel(picture, WIDTH / 2 + 2, HEIGHT / 2 + 1), FILO_COLOR_BLACK);
    filo_edit(gallery.fixture.world, bat, FiloSprite)->frame = 2;
    assert_color(middle(&gallery), FILO_COLOR_BLUE);
    filo_edit(gallery.fixture.world, bat, FiloSprite)->frame = 99; // beyond the last is the last
    assert_color(middle(&gallery), FILO_COLOR_BLUE);
    const Gfx2dFrameRegion *region = gfx2d_frame(gallery.fixture.gfx, filo_name("bat.json"), 0);
    assert_int_equal(region->u1 - region->u0, 4);
    gallery_end(&gallery);
}

FILO_TEST(a_frame_that_a_sheet_does_not_have_is_reported_once) {
    only_in_debug_builds();
    Gallery gallery = gallery_begin(ON_CPU);
    write_sheet();
    FiloEntity bat = show(&gallery, "bat.json", 2);
    wait_for(&gallery, FILO_COLOR_BLUE);
    expect_no_warning(extract(&gallery.fixture));
    filo_edit(gallery.fixture.world, bat, FiloSprite)->frame = 3;
    expect_warning("shows frame 3 of \"bat.json\", which has 3, counted from 0: it shows the last",
                   extract(&gallery.fixture));
    expect_no_warning(extract(&gallery.fixture));
    gallery_end(&gallery);
}

FILO_TEST(an_animation_without_a_sprite_is_reported_once) {
    Gallery gallery = gallery_begin(ON_CPU);
    filo_create(gallery.fixture.world, FILO_ADD(FiloTransform2), FILO_ADD(FiloAnimation));
    expect_warning("has FiloAnimation, but no FiloSprite for it to change", extract(&gallery.fixture));
    expect_no_warning(extract(&gallery.fixture));
    gallery_end(&gallery);
}

// The offset of a trimmed frame inside of the whole frame counts, also if it is flipped.
FILO_TEST(trimmed_frames_are_shown_where_the_whole_frame_would_be) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_png("cut.png", 4, 4, FILO_COLOR_RED);
    write_text("cut.json",
               "{\"frames\": [{\"filename\": \"a\", \"frame\": {\"x\": 0, \"y\": 0, \"w\": 4, \"h\": 4},"
               "\"rotated\": false, \"trimmed\": true,"
               "\"spriteSourceSize\": {\"x\": 10, \"y\": 2, \"w\": 4, \"h\": 4},"
               "\"sourceSize\": {\"w\": 20, \"h\": 20}}], \"meta\": {\"image\": \"cut.png\"}}");
    FiloEntity cut = show(&gallery, "cut.json", 0);
    filo_assets_wait_all(gallery.assets);
    extract(&gallery.fixture); // requests it
    filo_assets_wait_all(gallery.assets);
    FiloPixels picture = screenshot(&gallery.fixture);
    int x = WIDTH / 2 - 10 + 10, y = HEIGHT / 2 - 10 + 2;
    assert_color(pixel(picture, x, y), FILO_COLOR_RED);
    assert_color(pixel(picture, x + 3, y + 3), FILO_COLOR_RED);
    assert_color(pixel(picture, x - 1, y), FILO_COLOR_BLACK);
    assert_color(pixel(picture, x, y + 4), FILO_COLOR_BLACK);
    filo_edit(gallery.fixture.world, cut, FiloSprite)->flags = FILO_SPRITE_FLIP_X;
    picture = screenshot(&gallery.fixture);
    assert_color(pixel(picture, WIDTH / 2 + 9 - 10, y), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 + 9 - 13, y), FILO_COLOR_RED);
    assert_color(pixel(picture, WIDTH / 2 + 9 - 14, y), FILO_COLOR_BLACK);
    gallery_end(&gallery);
}

FILO_TEST(an_image_added_by_the_game_replaces_the_one_of_that_name) {
    Gallery gallery = gallery_begin(ON_CPU);
    write_png("ship.png", 8, 8, FILO_COLOR_GREEN);
    show(&gallery, "ship.png", 0);
    wait_for(&gallery, FILO_COLOR_GREEN);
    add_plain(gallery.fixture.gfx, "ship.png", 6, 6, FILO_COLOR_RED);
    assert_color(middle(&gallery), FILO_COLOR_RED);
    for (int i = 0; i < 200; i++) { // and does not take more memory each time
        add_plain(gallery.fixture.gfx, "ship.png", 60, 60, i % 2 == 0 ? FILO_COLOR_BLUE : FILO_COLOR_RED);
        assert_color(middle(&gallery), i % 2 == 0 ? FILO_COLOR_BLUE : FILO_COLOR_RED);
    }
    assert_int_equal(gallery.fixture.gfx->pages.pages.items[0].pixels.width, GFX2D_PAGE_SIZE_FIRST);
    gallery_end(&gallery);
}

FILO_TEST(an_asset_that_is_replaced_frees_its_slot) {
    Gallery gallery = gallery_begin(ON_CPU);
    show(&gallery, "made", 0);
    for (int i = 0; i < 100; i++) {
        FiloColor color = i % 2 == 0 ? FILO_COLOR_BLUE : FILO_COLOR_RED;
        FiloPixels pixels;
        assert_true(filo_pixels_create(&pixels, 90, 60, NULL));
        filo_pixels_fill(&pixels, color);
        assert_true(filo_assets_add_pixels(gallery.assets, "made", &pixels).id != 0);
        filo_pixels_free(&pixels, NULL);
        assert_color(middle(&gallery), color);
    }
    assert_int_equal(stats(&gallery.fixture).pages, 1);
    assert_true(gallery.fixture.gfx->pages.pages.items[0].pixels.width <= 2 * GFX2D_PAGE_SIZE_FIRST);
    gallery_end(&gallery);
}

FILO_TEST(images_that_were_ready_before_the_renderer_are_shown) {
    Gallery gallery = gallery_begin(ON_CPU);
    filo_gfx2d_destroy(gallery.fixture.gfx);
    write_png("ship.png", 8, 8, FILO_COLOR_GREEN);
    FiloAsset asset = filo_assets_load(gallery.assets, "ship.png");
    assert_ok(filo_assets_wait(gallery.assets, asset));
    assert_ok(filo_gfx2d_create(
        &gallery.fixture.gfx, &(FiloGfx2dDesc){ .world = gallery.fixture.world, .assets = gallery.assets }));
    show(&gallery, "ship.png", 0);
    assert_color(middle(&gallery), FILO_COLOR_GREEN);
    gallery_end(&gallery);
}

FILO_TEST(an_image_too_large_for_the_gpu_is_a_failed_asset_with_a_placeholder) {
    Gallery gallery = gallery_begin(ON_NULL);
    int size = filo_gpu_limits(gallery.fixture.gpu)->texture_size;
    if (size >= FILO_PIXELS_MAX) size = FILO_PIXELS_MAX;
    write_png("wide.png", size, 1, FILO_COLOR_GREEN);
    show(&gallery, "wide.png", 0);
    extract(&gallery.fixture);
    filo_assets_wait_all(gallery.assets);
    FiloAsset asset = filo_assets_find(gallery.assets, filo_name("wide.png"));
    assert_int_equal(filo_asset_state(gallery.assets, asset), FILO_ASSET_FAILED);
    assert_contains(filo_asset_error(gallery.assets, asset)->message, "wide.png");
    assert_contains(filo_asset_error(gallery.assets, asset)->message, "too large");
    gallery_end(&gallery);
}

// ---- Shaders as assets ----------------------------------------------------------------------------------------

FILO_TEST(a_shader_asset_is_used_when_it_is_loaded_and_a_broken_one_is_not) {
    Gallery gallery = gallery_begin(ON_GL45);
    write_text(
        "swap.glsl",
        "//! fragment\nvec4 sprite(vec4 texel, vec2 texel_position, vec4 color) { return texel.grba; }\n");
    uint16_t shader;
    assert_ok(filo_gfx2d_shader_load(&shader, gallery.fixture.gfx, "swap.glsl"));
    assert_int_equal(shader, 1);
    FiloName plain = add_plain(gallery.fixture.gfx, "plain", 8, 8, filo_color(255, 0, 0, 255));
    filo_create(gallery.fixture.world, FILO_ADD(FiloTransform2),
                FILO_SET(FiloSprite, .image = plain, .shader = shader));
    assert_color(middle(&gallery), filo_color(255, 0, 0, 255)); // without it, until it is loaded
    wait_for(&gallery, filo_color(0, 255, 0, 255));
    FiloAsset asset = filo_assets_find(gallery.assets, filo_name("swap.glsl"));
    uint32_t version = filo_asset_version(gallery.assets, asset);
    write_text("swap.glsl",
               "//! fragment\nvec4 sprite(vec4 texel, vec2 texel_position, vec4 color) { return wrong; }\n");
    while (filo_asset_version(gallery.assets, asset) == version) {
        (void)filo_assets_update(gallery.assets, 0);
        filo_sleep_ns(500000);
    }
    assert_color(middle(&gallery), filo_color(0, 255, 0, 255));
    write_text(
        "swap.glsl",
        "//! fragment\nvec4 sprite(vec4 texel, vec2 texel_position, vec4 color) { return texel.bgra; }\n");
    wait_for(&gallery, filo_color(0, 0, 255, 255));
    gallery_end(&gallery);
}
