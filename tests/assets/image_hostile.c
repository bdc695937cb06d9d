// Truncated, corrupted and malicious image files are refused with a message and do no harm.

#include "assets/fixture.h"
#include "assets/pictures.h"

#include <filo/random.h>

#include "support/failing_allocator.h"

static FiloResult try_all(const void *bytes, size_t size, const char *name, const FiloImageOptions *options) {
    FiloPixels pixels;
    FiloImageFrames frames;
    float *values;
    int width, height;
    FiloResult result = filo_image_decode(&pixels, bytes, size, name, options);
    if (result.code != FILO_OK) {
        assert_null(pixels.data);
        assert_contains(result.message, name);
    }
    FiloResult second = filo_image_decode_frames(&frames, bytes, size, name, options);
    if (second.code == FILO_OK) {
        assert_int_equal(frames.pixels.height, frames.height * frames.frame_count);
    } else {
        assert_null(frames.pixels.data);
        assert_null(frames.seconds);
    }
    const FiloAllocator *allocator = options != NULL ? options->allocator : NULL;
    if (filo_image_decode_float(&values, &width, &height, bytes, size, name, options).code == FILO_OK)
        filo_free(allocator, values, (size_t)width * (size_t)height * 16, 0);
    filo_pixels_free(&pixels, allocator);
    filo_image_frames_free(&frames, allocator);
    return result;
}

FILO_TEST(a_file_that_is_truncated_anywhere_is_an_error) {
    Picture pictures[PICTURES];
    make_pictures(pictures);
    for (int i = 0; i < PICTURES; i++) {
        const Picture *picture = &pictures[i];
        assert_ok(try_all(picture->bytes, picture->size, picture->name, NULL));
        for (size_t size = 0; size < picture->size; size++) {
            uint8_t *cut =
                malloc(size + 1); // a separate block, so that a sanitizer detects reads past its end
            memcpy(cut, picture->bytes, size);
            FiloResult result = try_all(cut, size, picture->name, NULL);
            if (result.code == FILO_OK) fail_msg("%s: cut to %zu bytes it is accepted", picture->name, size);
            assert_int_equal(result.code, FILO_ERROR_DATA);
            free(cut);
        }
    }
}

FILO_TEST(a_file_with_changed_bytes_does_no_harm) {
    Picture pictures[PICTURES];
    make_pictures(pictures);
    FiloRandom random = filo_random_sequence(5);
    FiloImageOptions options = { .memory_limit = FILO_MIB(1) };
    for (int i = 0; i < PICTURES; i++) {
        const Picture *picture = &pictures[i];
        uint8_t *changed = malloc(picture->size);
        for (int round = 0; round < (FILO_TEST_SANITIZED ? 300 : 1500); round++) {
            memcpy(changed, picture->bytes, picture->size);
            uint32_t changes = 1 + filo_random_below(&random, 4);
            for (uint32_t c = 0; c < changes; c++) {
                size_t offset = filo_random_below(&random, (uint32_t)picture->size);
                changed[offset] = (uint8_t)filo_random_below(&random, 256);
            }
            (void)try_all(changed, picture->size, picture->name, &options);
        }
        free(changed);
    }
}

// ---- Sizes ----------------------------------------------------------------------------------------------

// An allocator whose budget is smaller than the pixels: the file must be refused before memory is allocated.
static void expect_limit(const void *bytes, size_t size, const char *name, const char *message) {
    FiloHeap heap;
    filo_heap_init(&heap, "limit", FILO_KIB(64));
    FiloImageOptions options = { .allocator = &heap.allocator };
    assert_error(try_all(bytes, size, name, &options), FILO_ERROR_LIMIT, message);
    assert_in_range(filo_heap_stats(&heap).peak, 0, FILO_KIB(64));
    filo_heap_deinit(&heap);
}

FILO_TEST(a_header_with_a_huge_size_is_refused_before_memory_is_allocated) {
    Picture png = make_png("big.png", SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, false);
    claim_png_size(&png, 40000, 40000);
    expect_limit(png.bytes, png.size, "big.png",
                 "big.png: 40000 x 40000 pixels is more than the limit of 67108864");
    claim_png_size(&png, 40000, 1);
    expect_limit(png.bytes, png.size, "long.png", "40000 x 1 pixels; a side may have at most 16384");

    static const uint8_t orange[] = { 250, 130, 20 };
    Picture jpeg = make_jpeg("big.jpg", orange, 3, false);
    for (size_t i = 0; i + 9 < jpeg.size; i++) // the frame header: height and width
        if (jpeg.bytes[i] == 0xFF && jpeg.bytes[i + 1] == 0xC0) {
            memset(jpeg.bytes + i + 5, 0xF0, 4);
            break;
        }
    expect_limit(jpeg.bytes, jpeg.size, "big.jpg", "big.jpg: 61680 x 61680 pixels");

    Picture gif = make_small_gif();
    memset(gif.bytes + 6, 0xF0, 4);
    expect_limit(gif.bytes, gif.size, "big.gif", "61680 x 61680 pixels");

    Picture tga = make_tga(false);
    tga.bytes[13] = tga.bytes[15] = 0x3F; // 16130 × 16130
    expect_limit(tga.bytes, tga.size, "big.tga", "16130 x 16130 pixels");
    const char hdr[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16000 +X 16000\n........";
    expect_limit(hdr, sizeof hdr - 1, "big.hdr", "16000 x 16000 pixels");
    const char floats[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 5000 +X 5000\n........";
    float *values;
    int width, height;
    assert_error(
        filo_image_decode_float(&values, &width, &height, floats, sizeof floats - 1, "big.hdr", NULL),
        FILO_ERROR_LIMIT, "big.hdr: 5000 x 5000 pixels is more than the limit of 16777216");
    Picture bmp = make_bmp();
    bmp.bytes[19] = bmp.bytes[23] = 0x3F;
    expect_limit(bmp.bytes, bmp.size, "big.bmp", "pixels is more than the limit");
}

FILO_TEST(an_invalid_size_is_reported) {
    Picture bmp = make_bmp();
    memcpy(bmp.bytes + 22, "\0\0\0\x80", 4); // a height of -2^31
    FiloPixels pixels;
    assert_error(filo_image_decode(&pixels, bmp.bytes, bmp.size, "low.bmp", NULL), FILO_ERROR_DATA,
                 "low.bmp: the header of this BMP has a size that no picture has");
}

FILO_TEST(an_empty_file_is_reported_as_empty) {
    FiloPixels pixels;
    FiloImageFrames frames;
    float *values;
    int width, height;
    assert_error(filo_image_decode(&pixels, "", 0, "a.png", NULL), FILO_ERROR_DATA,
                 "a.png: the file is empty");
    assert_error(filo_image_decode_frames(&frames, "", 0, "a.gif", NULL), FILO_ERROR_DATA,
                 "a.gif: the file is empty");
    assert_error(filo_image_decode_float(&values, &width, &height, NULL, 0, "a.hdr", NULL), FILO_ERROR_DATA,
                 "a.hdr: the file is empty");
}

FILO_TEST(the_limit_is_for_all_frames_of_a_gif_together) {
    GifFrame frames[40];
    for (int i = 0; i < 40; i++) frames[i] = (GifFrame){ 0, 0, 1, 1, 0, 10, -1, false, false, "1" };
    Picture gif = make_gif("many.gif", 100, 100, frames, 40);
    FiloImageFrames made;
    FiloImageOptions options = { .memory_limit = 39 * 100 * 100 * 4 };
    assert_error(filo_image_decode_frames(&made, gif.bytes, gif.size, "many.gif", &options), FILO_ERROR_LIMIT,
                 "many.gif: 40 frames of 100 x 100 pixels is more than the limit");
    options.memory_limit *= 2;
    assert_ok(filo_image_decode_frames(&made, gif.bytes, gif.size, "many.gif", &options));
    filo_image_frames_free(&made, NULL);
    Picture high = make_gif("high.gif", 1, 1000, frames, 40);
    assert_error(filo_image_decode_frames(&made, high.bytes, high.size, "high.gif", NULL), FILO_ERROR_LIMIT,
                 "one below the other");
}

// ---- Memory ---------------------------------------------------------------------------------------------

FILO_TEST(every_allocation_may_fail) {
    filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    Picture pictures[PICTURES];
    make_pictures(pictures);
    for (int i = 0; i < PICTURES; i++) {
        bool more = true;
        for (size_t fail_at = 0; more; fail_at++) {
            FailingAllocator failing = FAILING_AT(failing, fail_at);
            FiloImageOptions options = { .allocator = &failing.allocator };
            FiloImageFrames frames;
            FiloResult result = filo_image_decode_frames(&frames, pictures[i].bytes, pictures[i].size,
                                                         pictures[i].name, &options);
            more = failing.calls > fail_at;
            assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
            filo_image_frames_free(&frames, &failing.allocator);
            assert_int_equal(failing.blocks, 0);
        }
    }
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 3, 3, NULL));
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloFileData data;
        FiloResult result = filo_image_encode(&pixels, &data, &failing.allocator);
        more = failing.calls > fail_at;
        assert_int_equal(result.code, more ? FILO_ERROR_MEMORY : FILO_OK);
        filo_file_free(&data);
        assert_int_equal(failing.blocks, 0);
    }
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(a_progressive_jpeg_with_too_many_scans_is_refused) {
    static const uint8_t orange[] = { 250, 130, 20 };
    Picture jpeg = make_jpeg("scans.jpg", orange, 3, true);
    // Repeat the last scan many times.
    size_t scan = 0, end = jpeg.size - 2;
    for (size_t i = 0; i + 1 < jpeg.size; i++)
        if (jpeg.bytes[i] == 0xFF && jpeg.bytes[i + 1] == 0xDA) scan = i;
    Picture many = { .name = "scans.jpg" };
    add_bytes(&many, jpeg.bytes, scan);
    for (int i = 0; i < 1000; i++) add_bytes(&many, jpeg.bytes + scan, end - scan);
    add_bytes(&many, jpeg.bytes + end, 2);
    FiloPixels pixels;
    FiloResult result = filo_image_decode(&pixels, many.bytes, many.size, many.name, NULL);
    assert_int_not_equal(result.code, FILO_OK);
    assert_contains(result.message, "scans.jpg");
}
