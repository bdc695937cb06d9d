// Grey values of 16 bits: PNG, raw files, assets.

#include "assets/fixture.h"
#include "assets/pictures.h"

#include "support/failing_allocator.h"

// A value for each position that tells rows, columns and bytes apart.
static uint16_t value_at(int x, int y) { return (uint16_t)(x * 40503 + y * 257 + 3); }

static FiloGrey16 make_grey(int width, int height) {
    FiloGrey16 grey;
    assert_true(filo_grey16_create(&grey, width, height, NULL));
    assert_int_equal(*filo_grey16_at(&grey, width - 1, height - 1), 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) *filo_grey16_at(&grey, x, y) = value_at(x, y);
    return grey;
}

// A PNG of one row, whose samples are given as PNG has them: 16 bits in big-endian order.
static Picture make_row(uint8_t color_type, uint8_t bit_depth, uint32_t width, const void *row, size_t size) {
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    struct spng_ihdr header = { width, 1, bit_depth, color_type, 0, 0, 0 };
    spng_set_ihdr(png, &header);
    struct spng_plte palette = { .n_entries = 2, .entries = { { 9, 9, 9, 0 }, { 255, 0, 0, 0 } } };
    if (color_type == SPNG_COLOR_TYPE_INDEXED) spng_set_plte(png, &palette);
    if (spng_encode_image(png, row, size, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE) != 0) abort();
    int error;
    void *bytes = spng_get_png_buffer(png, &size, &error);
    Picture picture = take_bytes("row.png", bytes, size);
    spng_ctx_free(png);
    return picture;
}

static void expect_values(Picture picture, const uint16_t *expected, int count) {
    FiloGrey16 grey;
    assert_ok(filo_grey16_decode(&grey, picture.bytes, picture.size, picture.name, NULL));
    assert_int_equal(grey.width, count);
    for (int i = 0; i < count; i++) assert_int_equal(grey.data[i], expected[i]);
    filo_grey16_free(&grey, NULL);
}

// ---- PNG ------------------------------------------------------------------------------------------------

FILO_TEST(saved_values_are_loaded_as_the_same) {
    FiloGrey16 grey = make_grey(256, 259), loaded;
    const char *path = filo_test_path("grey.png");
    assert_ok(filo_grey16_save(&grey, path));
    assert_ok(filo_grey16_load(&loaded, path, NULL));
    assert_int_equal(loaded.width, 256);
    assert_int_equal(loaded.height, 259);
    assert_memory_equal(loaded.data, grey.data, 2 * 256 * 259);
    filo_grey16_free(&loaded, NULL);
    // A part of it, whose rows are not contiguous.
    FiloGrey16 part = { filo_grey16_at(&grey, 5, 7), 3, 2, grey.stride };
    assert_ok(filo_grey16_save(&part, path));
    assert_ok(filo_grey16_load(&loaded, path, NULL));
    assert_int_equal(*filo_grey16_at(&loaded, 2, 1), value_at(7, 8));
    filo_grey16_free(&loaded, NULL);
    filo_grey16_free(&grey, NULL);
}

FILO_TEST(values_of_fewer_bits_are_widened_to_the_whole_range) {
    static const uint8_t sixteen[] = { 0x12, 0x34, 0xFF, 0xFE }, eight[] = { 0, 1, 255 };
    static const uint8_t four[] = { 0x0F, 0x70 }, one[] = { 0x40 };
    expect_values(make_row(SPNG_COLOR_TYPE_GRAYSCALE, 16, 2, sixteen, 4), (uint16_t[]){ 0x1234, 0xFFFE }, 2);
    expect_values(make_row(SPNG_COLOR_TYPE_GRAYSCALE, 8, 3, eight, 3), (uint16_t[]){ 0, 257, 65535 }, 3);
    expect_values(make_row(SPNG_COLOR_TYPE_GRAYSCALE, 4, 3, four, 2), (uint16_t[]){ 0, 65535, 0x7777 }, 3);
    expect_values(make_row(SPNG_COLOR_TYPE_GRAYSCALE, 1, 2, one, 1), (uint16_t[]){ 0, 65535 }, 2);
}

FILO_TEST(colours_become_grey_by_weights_that_keep_grey_exact) {
    static const uint8_t rgb[] = { 200, 200, 200, 255, 0, 0, 0, 255, 0, 0, 0, 255 };
    expect_values(make_row(SPNG_COLOR_TYPE_TRUECOLOR, 8, 4, rgb, sizeof rgb),
                  (uint16_t[]){ 200 * 257, 13933, 46870, 4732 }, 4);
    static const uint8_t deep[] = { 0x12, 0x34, 0x12, 0x34, 0x12, 0x34, 0, 0 }; // alpha 0
    expect_values(make_row(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 16, 1, deep, sizeof deep), (uint16_t[]){ 0x1234 },
                  1);
    static const uint8_t grey_alpha[] = { 77, 3 }, indices[] = { 0x40 };
    expect_values(make_row(SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, 8, 1, grey_alpha, 2), (uint16_t[]){ 77 * 257 },
                  1);
    expect_values(make_row(SPNG_COLOR_TYPE_INDEXED, 1, 2, indices, 1), (uint16_t[]){ 9 * 257, 13933 }, 2);
}

FILO_TEST(an_interlaced_file_is_read) {
    Picture picture = make_png("grey.png", SPNG_COLOR_TYPE_GRAYSCALE, 16, true);
    FiloGrey16 grey;
    assert_ok(filo_grey16_decode(&grey, picture.bytes, picture.size, picture.name, NULL));
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++)
            assert_int_equal(*filo_grey16_at(&grey, x, y), x == 0 || x == 3 ? 65535 : 0);
    filo_grey16_free(&grey, NULL);
}

// ---- Raw files --------------------------------------------------------------------------------------------

FILO_TEST(raw_values_are_read_in_both_orders_of_bytes) {
    static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    FiloGrey16 grey;
    assert_ok(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", &(FiloRawDesc){ 3, 2, false }, NULL));
    assert_int_equal(*filo_grey16_at(&grey, 0, 1), 0x0807);
    filo_grey16_free(&grey, NULL);
    assert_ok(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", &(FiloRawDesc){ 2, 3, true }, NULL));
    assert_int_equal(*filo_grey16_at(&grey, 1, 0), 0x0304);
    filo_grey16_free(&grey, NULL);
    const char *path = filo_test_path("a.raw");
    assert_ok(filo_file_write(path, bytes, 8, NULL));
    assert_ok(filo_grey16_load_raw(&grey, path, NULL, NULL));
    assert_int_equal(grey.width, 2);
    assert_int_equal(grey.height, 2);
    assert_int_equal(grey.data[3], 0x0807);
    filo_grey16_free(&grey, NULL);
}

FILO_TEST(a_raw_file_of_another_length_is_an_error) {
    static const uint8_t bytes[12] = { 0 };
    FiloGrey16 grey;
    assert_error(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", &(FiloRawDesc){ 3, 3, false }, NULL),
                 FILO_ERROR_DATA, "a.raw: 3 x 3 values of 16 bits have 18 bytes, and the file has 12");
    assert_error(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", NULL, NULL), FILO_ERROR_DATA,
                 "a.raw: 12 bytes are not a square of 16-bit values; give its width and height");
    assert_error(filo_grey16_decode_raw(&grey, bytes, 1, "a.raw", NULL, NULL), FILO_ERROR_DATA,
                 "a.raw: 1 bytes are not a square");
    assert_error(filo_grey16_decode_raw(&grey, bytes, 0, "a.raw", NULL, NULL), FILO_ERROR_DATA,
                 "a.raw: the file is empty");
    FiloRawDesc huge = { INT32_MAX, INT32_MAX, false };
    assert_error(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", &huge, NULL), FILO_ERROR_DATA, "a.raw: ");
    FiloImageOptions options = { .memory_limit = 11 };
    assert_error(filo_grey16_decode_raw(&grey, bytes, 12, "a.raw", &(FiloRawDesc){ 3, 2, false }, &options),
                 FILO_ERROR_LIMIT, "a.raw: 3 x 2 pixels is more than the limit of 5");
    assert_null(grey.data);
}

// ---- Limits and mistakes ----------------------------------------------------------------------------------

FILO_TEST(a_header_with_a_huge_size_is_refused_before_memory_is_allocated) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloImageOptions options = { .allocator = &failing.allocator };
    FiloGrey16 grey;
    Picture png = make_png("big.png", SPNG_COLOR_TYPE_GRAYSCALE, 16, false);
    claim_png_size(&png, 100000, 100000);
    assert_error(filo_grey16_decode(&grey, png.bytes, png.size, png.name, &options), FILO_ERROR_LIMIT,
                 "big.png: 100000 x 100000 pixels is more than the limit of 134217728");
    png = make_png("big.png", SPNG_COLOR_TYPE_TRUECOLOR, 8, false);
    claim_png_size(&png, 100000, 1000);
    assert_error(filo_grey16_decode(&grey, png.bytes, png.size, png.name, &options), FILO_ERROR_LIMIT,
                 "big.png: 100000 x 1000 pixels is more than the limit of 26843545");
    assert_int_equal(failing.calls, 0);
    assert_null(grey.data);
}

FILO_TEST(a_side_may_be_longer_than_that_of_an_image) {
    FiloGrey16 grey = make_grey(FILO_PIXELS_MAX + 3, 2), loaded;
    FiloFileData data;
    assert_ok(filo_grey16_encode(&grey, &data, NULL));
    assert_ok(filo_grey16_decode(&loaded, data.bytes, data.size, "long.png", NULL));
    assert_memory_equal(loaded.data, grey.data, 4 * (FILO_PIXELS_MAX + 3));
    filo_grey16_free(&loaded, NULL);
    filo_grey16_free(&grey, NULL);
    filo_file_free(&data);
    assert_false(filo_grey16_create(&grey, 0, 3, NULL));
    assert_null(grey.data);
}

FILO_TEST(a_file_that_is_truncated_anywhere_is_an_error) {
    Picture pictures[] = { make_png("deep.png", SPNG_COLOR_TYPE_GRAYSCALE, 16, false),
                           make_png("grey.png", SPNG_COLOR_TYPE_GRAYSCALE, 8, false),
                           make_png("rgb.png", SPNG_COLOR_TYPE_TRUECOLOR, 8, true) };
    for (size_t i = 0; i < FILO_COUNT_OF(pictures); i++)
        for (size_t size = 0; size < pictures[i].size; size++) {
            uint8_t *cut = malloc(size + 1);
            memcpy(cut, pictures[i].bytes, size);
            FiloGrey16 grey;
            assert_error(filo_grey16_decode(&grey, cut, size, pictures[i].name, NULL), FILO_ERROR_DATA,
                         pictures[i].name);
            assert_null(grey.data);
            free(cut);
        }
    FiloGrey16 grey;
    assert_error(filo_grey16_decode(&grey, "hello you", 9, "crate.png", NULL), FILO_ERROR_DATA,
                 "crate.png: not a PNG (bad signature)");
}

FILO_TEST(every_allocation_may_fail) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    Picture pictures[] = { make_png("grey.png", SPNG_COLOR_TYPE_GRAYSCALE, 8, false),
                           make_png("rgb.png", SPNG_COLOR_TYPE_TRUECOLOR, 8, false) };
    for (size_t i = 0; i < FILO_COUNT_OF(pictures); i++) {
        bool more = true;
        for (size_t fail_at = 0; more; fail_at++) {
            FailingAllocator failing = FAILING_AT(failing, fail_at);
            FiloImageOptions options = { .allocator = &failing.allocator };
            FiloGrey16 grey;
            FiloResult result =
                filo_grey16_decode(&grey, pictures[i].bytes, pictures[i].size, pictures[i].name, &options);
            more = failing.calls > fail_at;
            assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
            filo_grey16_free(&grey, &failing.allocator);
            assert_int_equal(failing.blocks, 0);
        }
    }
    FailingAllocator failing = FAILING_AT(failing, 0);
    FiloGrey16 grey = make_grey(2, 2);
    FiloFileData data;
    assert_error(filo_grey16_encode(&grey, &data, &failing.allocator), FILO_ERROR_MEMORY,
                 "no memory for the PNG");
    assert_null(data.bytes);
    filo_grey16_free(&grey, NULL);
}

FILO_TEST(misuse_is_reported) {
    FiloGrey16 grey = { 0 };
    FiloFileData data;
    expect_mistake("pass the bytes of the file", filo_grey16_decode(&grey, NULL, 3, "a.png", NULL));
    expect_mistake("pass where the values go", filo_grey16_decode(NULL, "", 0, "a.png", NULL));
    expect_mistake("pass the path of the picture", filo_grey16_load(&grey, NULL, NULL));
    expect_mistake("pass values that filo_grey16_create made", filo_grey16_encode(&grey, &data, NULL));
    expect_mistake("pass the path to save the values to", filo_grey16_save(&grey, NULL));
    expect_mistake("pass a width and a height of at least 1, or 0 for both",
                   filo_grey16_decode_raw(&grey, "abcd", 4, "a.raw", &(FiloRawDesc){ 2, 0, false }, NULL));
}

// ---- As assets --------------------------------------------------------------------------------------------

FILO_TEST(a_heightmap_is_loaded_by_handle_in_the_background) {
    Fixture f = open_fixture(2, false);
    FiloGrey16 grey = make_grey(30, 20);
    assert_ok(filo_grey16_save(&grey, filo_test_path("height.png")));
    assert_ok(filo_file_write(filo_test_path("height.r16"), "\1\2\3\4\5\6\7\10", 8, NULL));
    assert_ok(filo_file_write(filo_test_path("odd.r16"), "\1\2\3", 3, NULL));
    FiloAsset png = filo_assets_load_as(f.assets, "grey16", "height.png");
    FiloAsset raw = filo_assets_load(f.assets, "height.r16"), odd = filo_assets_load(f.assets, "odd.r16");
    assert_null(filo_asset_data(f.assets, png));
    filo_assets_wait_all(f.assets);
    const FiloGrey16 *loaded = filo_asset_data(f.assets, png);
    assert_string_equal(filo_asset_type(f.assets, png), "grey16");
    assert_int_equal(loaded->width, 30);
    assert_memory_equal(loaded->data, grey.data, 2 * 30 * 20);
    loaded = filo_asset_data(f.assets, raw);
    assert_int_equal(loaded->data[3], 0x0807);
    assert_error(*filo_asset_error(f.assets, odd), FILO_ERROR_DATA, "odd.r16: 3 bytes are not a square");
    assert_true(filo_assets_stats(f.assets).memory >= 2 * (30 * 20 + 4));
    filo_grey16_free(&grey, NULL);
    close_fixture(&f);
}
