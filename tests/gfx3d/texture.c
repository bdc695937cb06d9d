// Textures by name: formats, placeholders, reloading, colours under what is transparent.

#include "gfx3d/material_fixture.h"

#include "support/failing_allocator.h"

static FiloTexture texture(Fixture *fixture, const char *image, bool linear) {
    return gfx3d_texture_find(fixture->gfx, &(Gfx3dTextureKey){ .image = filo_name(image),
                                                                .linear = linear,
                                                                .wrap_u = FILO_WRAP_REPEAT,
                                                                .wrap_v = FILO_WRAP_REPEAT });
}

static FiloTextureInfo info(Fixture *fixture, FiloTexture handle) {
    return filo_gpu_texture_info(fixture->gpu, handle);
}

FILO_TEST(a_texture_is_a_placeholder_until_its_image_is_loaded) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_png("a.png", 8, 4, filo_color(10, 20, 30, 255));
    assert_int_equal(texture(&fixture, "a.png", false).id, fixture.gfx->materials->white.id);
    settle(&fixture);
    FiloTexture colors = texture(&fixture, "a.png", false), values = texture(&fixture, "a.png", true);
    assert_int_equal(info(&fixture, colors).width, 8);
    assert_int_equal(info(&fixture, colors).height, 4);
    assert_int_equal(info(&fixture, colors).format, FILO_TEXTURE_RGBA8_SRGB);
    assert_int_equal(info(&fixture, colors).levels, 4);
    // The same image, read in another way, is another texture, and is there at once.
    assert_int_equal(info(&fixture, values).format, FILO_TEXTURE_RGBA8);
    assert_int_equal(texture(&fixture, "a.png", true).id, values.id);
    Gfx3dTextureKey nearest = {
        .image = filo_name("a.png"), .nearest = true, .wrap_u = FILO_WRAP_REPEAT, .wrap_v = FILO_WRAP_REPEAT
    };
    assert_int_equal(info(&fixture, gfx3d_texture_find(fixture.gfx, &nearest)).levels, 1);
    const uint8_t *pixels = filo_gpu_null_texture_data(fixture.gpu, colors, 0);
    assert_int_equal(pixels[0], 10);
    assert_int_equal(pixels[2], 30);
    expect_no_log(&fixture);
    fixture_end(&fixture);
}

FILO_TEST(images_are_uploaded_within_a_budget) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    static const char *const files[] = { "a.png", "b.png", "c.png" };
    fixture.gfx->upload_limit = 1; // one is always uploaded
    for (int i = 0; i < 3; i++) write_png(files[i], 8, 8, filo_color(10, 20, 30, 255));
    for (int i = 0; i < 3; i++) (void)texture(&fixture, files[i], false);
    filo_assets_wait_all(fixture.assets);
    for (int frame = 1; frame <= 3; frame++) {
        int uploaded = 0;
        gfx3d_materials_update(fixture.gfx);
        for (int i = 0; i < 3; i++)
            uploaded += texture(&fixture, files[i], false).id != fixture.gfx->materials->white.id;
        assert_int_equal(uploaded, frame);
    }
    fixture_end(&fixture);
}

FILO_TEST(an_image_that_cannot_be_loaded_is_chequered) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_text("broken.png", "no image");
    (void)texture(&fixture, "broken.png", false);
    (void)texture(&fixture, "missing.png", false);
    settle(&fixture);
    expect_log(&fixture, "broken.png: ");
    assert_int_equal(texture(&fixture, "broken.png", false).id, fixture.gfx->materials->chequered.id);
    assert_int_equal(texture(&fixture, "missing.png", false).id, fixture.gfx->materials->chequered.id);
    fixture_end(&fixture);
}

FILO_TEST(a_name_that_is_no_file_and_was_not_added_is_reported_once) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    (void)texture(&fixture, "noise", false);
    settle(&fixture);
    expect_log(&fixture,
               "there is no texture \"noise\": add it by filo_gfx3d_add_texture, or name an image file");
    settle(&fixture);
    expect_no_log(&fixture);
    FiloLine items[8];
    FiloLines lines = { .items = items, .capacity = 8 };
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 1);
    assert_string_equal(
        items[0].text,
        "there is no texture \"noise\": add it by filo_gfx3d_add_texture, or name an image file");
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 2, 2, NULL));
    assert_ok(filo_gfx3d_add_texture(fixture.gfx, filo_name("noise"), &pixels, false));
    filo_pixels_free(&pixels, NULL);
    lines.count = 0;
    gfx3d_materials_problems(fixture.gfx, &lines);
    assert_int_equal(lines.count, 0);
    fixture_end(&fixture);
}

FILO_TEST(an_image_that_changes_replaces_its_textures) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_png("a.png", 8, 4, filo_color(10, 20, 30, 255));
    write_text("a.material", "{ \"filo\": \"material\", \"color_map\": \"a.png\" }");
    uint32_t index = find(&fixture, "a.material");
    settle(&fixture);
    uint32_t stamp = material(&fixture, index)->stamp, version = 1;
    FiloTexture before = texture(&fixture, "a.png", false);
    assert_int_equal(material(&fixture, index)->textures[0].shown.id, before.id);
    write_png("a.png", 16, 16, filo_color(40, 50, 60, 255));
    FiloAsset asset = filo_assets_find(fixture.assets, filo_name("a.png"));
    for (int i = 0; i < 2000 && filo_asset_version(fixture.assets, asset) == version; i++) {
        filo_assets_update(fixture.assets, 0);
        filo_sleep_until_ns(filo_time_ns() + 1000000);
    }
    settle(&fixture);
    FiloTexture after = texture(&fixture, "a.png", false);
    assert_int_equal(info(&fixture, after).width, 16);
    assert_false(filo_gpu_texture_valid(fixture.gpu, before));
    assert_int_equal(material(&fixture, index)->textures[0].shown.id, after.id);
    assert_int_not_equal(material(&fixture, index)->stamp, stamp);
    fixture_end(&fixture);
}

FILO_TEST(textures_of_the_program_are_used_by_their_name) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    FiloColor colors[2] = { { 200, 100, 50, 128 }, { 1, 2, 3, 255 } };
    FiloPixels pixels = { colors, 2, 1, 2 };
    FiloTexture placeholder = texture(&fixture, "mine", false);
    assert_ok(filo_gfx3d_add_texture(fixture.gfx, filo_name("mine"), &pixels, false));
    FiloTexture first = texture(&fixture, "mine", false);
    assert_int_not_equal(first.id, placeholder.id);
    const uint8_t *bytes = filo_gpu_null_texture_data(fixture.gpu, first, 0);
    assert_int_equal(bytes[0], 200); // straight
    assert_int_equal(info(&fixture, first).format, FILO_TEXTURE_RGBA8_SRGB);
    assert_ok(filo_gfx3d_add_texture(fixture.gfx, filo_name("mine"), &pixels, true));
    assert_int_equal(info(&fixture, texture(&fixture, "mine", false)).format, FILO_TEXTURE_RGBA8);
    settle(&fixture);
    expect_no_log(&fixture);
    FiloPixels wide = { colors, 1 << 20, 1, 1 << 20 };
    assert_int_equal(filo_gfx3d_add_texture(fixture.gfx, filo_name("wide"), &wide, true).code,
                     FILO_ERROR_LIMIT);
    expect_mistake("pass a renderer, a name and pixels",
                   filo_gfx3d_add_texture(fixture.gfx, filo_name("mine"), NULL, false));
    fixture_end(&fixture);
}

FILO_TEST(an_image_of_sprites_is_shared) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    write_png("a.png", 2, 2, filo_color(64, 32, 0, 128));
    FiloAsset asset = filo_assets_load(fixture.assets, "a.png");
    filo_assets_wait_all(fixture.assets);
    (void)texture(&fixture, "a.png", false);
    settle(&fixture);
    const uint8_t *bytes = filo_gpu_null_texture_data(fixture.gpu, texture(&fixture, "a.png", false), 0);
    assert_int_equal(bytes[0], 128);
    assert_int_equal(bytes[1], 64);
    assert_int_equal(bytes[3], 128);
    expect_no_log(&fixture);
    filo_assets_unload(fixture.assets, asset);
    fixture_end(&fixture);
}

FILO_TEST(a_given_texture_has_a_name) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    FiloTexture target;
    assert_ok(filo_gpu_texture_create(&target, fixture.gpu,
                                      &(FiloTextureDesc){ .width = 4, .height = 4, .target = true }));
    gfx3d_texture_give(fixture.gfx, filo_name("mirror"), target);
    assert_int_equal(texture(&fixture, "mirror", false).id, target.id);
    filo_gpu_texture_destroy(fixture.gpu, target);
    assert_int_equal(texture(&fixture, "mirror", false).id, fixture.gfx->materials->white.id);
    fixture_end(&fixture);
}

FILO_TEST(bytes_of_an_image_are_decoded_on_a_worker) {
    Fixture fixture;
    fixture_begin(&fixture, ON_NULL);
    FiloColor colors[4] = { { 1, 2, 3, 255 } };
    FiloPixels pixels = { colors, 2, 2, 2 };
    FiloFileData file;
    assert_ok(filo_image_encode(&pixels, &file, NULL));
    FiloName name = filo_name("robot.glb#image/0");
    gfx3d_texture_set_bytes(fixture.gfx, name, file.bytes, file.size);
    assert_int_equal(texture(&fixture, "robot.glb#image/0", false).id, fixture.gfx->materials->white.id);
    settle(&fixture);
    assert_int_equal(info(&fixture, texture(&fixture, "robot.glb#image/0", false)).width, 2);
    // Broken bytes leave the picture as it was.
    gfx3d_texture_set_bytes(fixture.gfx, name, "junk", 4);
    settle(&fixture);
    expect_log(&fixture, "robot.glb#image/0: ");
    assert_int_equal(info(&fixture, texture(&fixture, "robot.glb#image/0", false)).width, 2);
    filo_file_free(&file);
    fixture_end(&fixture);
}

// ---- Pixels -------------------------------------------------------------------------------------------------

FILO_TEST(transparent_pixels_take_the_colour_of_their_neighbours) {
    uint8_t pixels[8 * 8 * 4] = { 0 };
    for (int y = 2; y < 4; y++)
        for (int x = 2; x < 4; x++) memcpy(pixels + 4 * (y * 8 + x), (uint8_t[]){ 200, 100, 50, 255 }, 4);
    gfx3d_texture_bleed(pixels, 8, 8, NULL);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(pixels[4 * i], 200);
        assert_int_equal(pixels[4 * i + 1], 100);
        assert_int_equal(pixels[4 * i + 2], 50);
        bool inside = i % 8 >= 2 && i % 8 < 4 && i / 8 >= 2 && i / 8 < 4;
        assert_int_equal(pixels[4 * i + 3], inside ? 255 : 0);
    }
}

FILO_TEST(bleeding_works_for_every_size_and_without_memory) {
    for (int width = 1; width < 8; width++)
        for (int height = 1; height < 8; height++) {
            uint8_t pixels[7 * 7 * 4] = { 0 };
            size_t last = 4 * ((size_t)width * (size_t)height - 1);
            memcpy(pixels + last, (uint8_t[]){ 9, 8, 7, 255 }, 4);
            FailingAllocator failing = FAILING_AT(failing, 1);
            gfx3d_texture_bleed(pixels, width, height, &failing.allocator);
            assert_int_equal(failing.blocks, 0);
            gfx3d_texture_bleed(pixels, width, height, NULL);
            assert_int_equal(pixels[last], 9);
            assert_int_equal(pixels[last + 3], 255);
        }
    uint8_t empty[4] = { 0 };
    gfx3d_texture_bleed(empty, 1, 1, NULL);
    assert_int_equal(empty[0], 0);
}

static uint16_t half_in_hdr(float value) {
    // One pixel of Radiance: a shared exponent, so that powers of two and sums of few bits are exact.
    char file[256] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n";
    size_t length = strlen(file);
    int exponent = 0;
    float mantissa = value;
    while (mantissa >= 1) mantissa /= 2, exponent++;
    while (mantissa < 0.5f && mantissa > 0) mantissa *= 2, exponent--;
    const uint8_t pixel[4] = { (uint8_t)(mantissa * 256), 0, 0, (uint8_t)(value > 0 ? exponent + 128 : 0) };
    memcpy(file + length, pixel, 4);
    Gfx3dTextureData *data;
    assert_ok(gfx3d_texture_decode(&data, file, length + 4, "sky.hdr", NULL));
    assert_true(data->half);
    uint16_t half = *(const uint16_t *)data->pixels;
    gfx3d_texture_data_free(data, NULL);
    return half;
}

FILO_TEST(high_dynamic_range_becomes_half_floats) {
    assert_int_equal(half_in_hdr(1), 0x3C00);
    assert_int_equal(half_in_hdr(0.5f), 0x3800);
    assert_int_equal(half_in_hdr(1.5f), 0x3E00);
    assert_int_equal(half_in_hdr(1000), 0x63D0);
    assert_int_equal(half_in_hdr(0), 0);
    assert_int_equal(half_in_hdr(1e6f), 0x7BFF);           // the largest
    assert_int_equal(half_in_hdr(5.9604645e-08f), 0x0001); // the smallest
    assert_int_equal(half_in_hdr(6.1035156e-05f), 0x0400);
}

FILO_TEST(decoding_without_memory_is_an_error) {
    FiloColor colors[4] = { { 1, 2, 3, 255 } };
    FiloPixels pixels = { colors, 2, 2, 2 };
    FiloFileData file;
    assert_ok(filo_image_encode(&pixels, &file, NULL));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        Gfx3dTextureData *data;
        FiloResult result = gfx3d_texture_decode(&data, file.bytes, file.size, "a.png", &failing.allocator);
        more = failing.calls > fail_at;
        if (result.code != FILO_OK) assert_null(data);
        gfx3d_texture_data_free(data, &failing.allocator);
        assert_int_equal(failing.blocks, 0);
    }
    filo_file_free(&file);
}
