// TIFF files of all kinds.

#include "assets/fixture.h"
#include "assets/pictures.h"

static FiloPixels decode(Picture picture, bool straight) {
    FiloPixels pixels;
    FiloImageOptions options = { .straight = straight };
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, picture.name, &options));
    assert_int_equal(pixels.width, 20);
    assert_int_equal(pixels.height, 18);
    return pixels;
}

// All pixels have the colours that make_tiff wrote.
static void assert_pattern(TiffKind kind, const FiloColor colors[4]) {
    FiloPixels pixels = decode(make_tiff("a.tif", kind), true);
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 20; x++) {
            FiloColor c = *filo_pixels_at(&pixels, x, y), e = colors[(x + y) % 4];
            if (!filo_color_equal(c, e))
                fail_msg("%d, %d: %d %d %d %d instead of %d %d %d %d", x, y, c.r, c.g, c.b, c.a, e.r, e.g,
                         e.b, e.a);
        }
    filo_pixels_free(&pixels, NULL);
    picture_memory_used = 0;
}

static const FiloColor opaque[4] = {
    { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 255, 255 }
};

FILO_TEST(colours_are_read_from_strips_and_tiles_in_one_or_several_planes) {
    static const uint16_t compressions[] = { COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                             COMPRESSION_PACKBITS };
    for (uint16_t bits = 8; bits <= 16; bits = (uint16_t)(bits + 8))
        for (int variant = 0; variant < 8; variant++)
            for (size_t c = 0; c < FILO_COUNT_OF(compressions); c++) {
                TiffKind kind = { .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = bits };
                kind.tiled = variant & 1;
                kind.planes = variant & 2;
                kind.big_endian = variant & 4;
                kind.compression = compressions[c];
                assert_pattern(kind, opaque);
            }
}

FILO_TEST(alpha_is_straight_or_multiplied) {
    FiloColor expected[4];
    memcpy(expected, opaque, sizeof expected);
    expected[3].a = 128;
    TiffKind kind = {
        .photometric = PHOTOMETRIC_RGB, .samples = 4, .bits = 8, .extra = EXTRASAMPLE_UNASSALPHA
    };
    assert_pattern(kind, expected);
    kind.extra = EXTRASAMPLE_UNSPECIFIED;
    assert_pattern(kind, expected);
    // Multiplied: white of 255 is brighter than an alpha of 128 allows.
    kind.extra = EXTRASAMPLE_ASSOCALPHA;
    assert_pattern(kind, expected);
    FiloPixels pixels = decode(make_tiff("a.tif", kind), false);
    assert_color(*filo_pixels_at(&pixels, 3, 0), 128, 128, 128, 128);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(grey_and_palettes_are_read) {
    static const FiloColor grey[4] = {
        { 255, 255, 255, 255 }, { 0, 0, 0, 255 }, { 0, 0, 0, 255 }, { 255, 255, 255, 255 }
    };
    static const FiloColor inverted[4] = {
        { 0, 0, 0, 255 }, { 255, 255, 255, 255 }, { 255, 255, 255, 255 }, { 0, 0, 0, 255 }
    };
    // With alpha, the second sample of the pattern.
    static const FiloColor faded[4] = {
        { 255, 255, 255, 0 }, { 0, 0, 0, 255 }, { 0, 0, 0, 0 }, { 255, 255, 255, 255 }
    };
    assert_pattern((TiffKind){ .photometric = PHOTOMETRIC_MINISBLACK, .samples = 1, .bits = 8 }, grey);
    assert_pattern(
        (TiffKind){ .photometric = PHOTOMETRIC_MINISBLACK, .samples = 1, .bits = 16, .tiled = true }, grey);
    assert_pattern((TiffKind){ .photometric = PHOTOMETRIC_MINISBLACK, .samples = 1, .bits = 1 }, grey);
    assert_pattern((TiffKind){ .photometric = PHOTOMETRIC_MINISWHITE, .samples = 1, .bits = 8 }, inverted);
    assert_pattern((TiffKind){ .photometric = PHOTOMETRIC_PALETTE, .samples = 1, .bits = 8 }, opaque);
    TiffKind kind = {
        .photometric = PHOTOMETRIC_MINISBLACK, .samples = 2, .bits = 8, .extra = EXTRASAMPLE_UNASSALPHA
    };
    assert_pattern(kind, faded);
}

FILO_TEST(samples_of_1_to_16_bits_are_read_in_colour_grey_inks_and_palettes) {
    static const FiloColor grey[4] = {
        { 255, 255, 255, 255 }, { 0, 0, 0, 255 }, { 0, 0, 0, 255 }, { 255, 255, 255, 255 }
    };
    // Of the inks of the pattern: all black, all black, all black, nothing left by the others.
    static const FiloColor inks[4] = {
        { 0, 0, 0, 255 }, { 0, 0, 0, 255 }, { 0, 0, 0, 255 }, { 0, 0, 0, 255 }
    };
    for (uint16_t bits = 1; bits <= 16; bits++)
        for (int variant = 0; variant < 8; variant++) {
            TiffKind kind = { .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = bits };
            kind.tiled = variant & 1;
            kind.planes = variant & 2;
            kind.big_endian = variant & 4;
            assert_pattern(kind, opaque);
            kind.photometric = PHOTOMETRIC_SEPARATED;
            kind.samples = 4;
            assert_pattern(kind, inks);
            kind.photometric = PHOTOMETRIC_MINISBLACK;
            kind.samples = 1;
            assert_pattern(kind, grey);
            kind.photometric = PHOTOMETRIC_PALETTE;
            if (bits >= 2) assert_pattern(kind, opaque);
        }
}

FILO_TEST(the_orientation_of_a_tiff_turns_it) {
    TiffKind kind = {
        .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = 8, .orientation = ORIENTATION_TOPRIGHT
    };
    FiloPixels pixels = decode(make_tiff("a.tif", kind), true);
    assert_color(*filo_pixels_at(&pixels, 19, 0), 255, 0, 0, 255);
    assert_color(*filo_pixels_at(&pixels, 18, 0), 0, 255, 0, 255);
    filo_pixels_free(&pixels, NULL);
    kind.orientation = ORIENTATION_LEFTBOT;
    Picture picture = make_tiff("a.tif", kind);
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, "a.tif", NULL));
    assert_int_equal(pixels.width, 18);
    assert_int_equal(pixels.height, 20);
    assert_color(*filo_pixels_at(&pixels, 0, 19), 255, 0, 0, 255);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(inks_and_jpeg_are_converted) {
    FiloPixels pixels = decode(
        make_tiff("inks.tif", (TiffKind){ .photometric = PHOTOMETRIC_SEPARATED, .samples = 4, .bits = 8 }),
        true);
    assert_color(*filo_pixels_at(&pixels, 0, 0), 0, 0, 0, 255); // full black ink
    FiloColor white = *filo_pixels_at(&pixels, 3, 0);           // all inks, half black
    assert_true(white.r == 0 && white.a == 255);
    filo_pixels_free(&pixels, NULL);
    TiffKind jpeg = {
        .photometric = PHOTOMETRIC_YCBCR, .samples = 3, .bits = 8, .compression = COMPRESSION_JPEG
    };
    pixels = decode(make_tiff("jpeg.tif", jpeg), true);
    assert_int_equal(pixels.data[0].a, 255);
    int sum = 0; // the pattern is too fine for JPEG; half of the pixels are red or white
    for (int i = 0; i < 20 * 18; i++) sum += pixels.data[i].r;
    assert_true(abs(sum / (20 * 18) - 127) < 40);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(samples_of_16_bits_are_rounded) {
    Picture picture =
        make_tiff("a.tif", (TiffKind){ .photometric = PHOTOMETRIC_MINISBLACK, .samples = 1, .bits = 16 });
    // The first strip follows the header of 8 bytes.
    static const uint16_t values[] = { 0, 128, 129, 256, 257, 385, 386, 32767, 32768, 65406, 65407, 65535 };
    static const uint8_t expected[] = { 0, 0, 1, 1, 1, 1, 2, 127, 128, 254, 255, 255 };
    for (size_t i = 0; i < FILO_COUNT_OF(values); i++) {
        picture.bytes[8 + 2 * i] = (uint8_t)values[i];
        picture.bytes[9 + 2 * i] = (uint8_t)(values[i] >> 8);
    }
    FiloPixels pixels = decode(picture, true);
    for (size_t i = 0; i < FILO_COUNT_OF(values); i++) assert_int_equal(pixels.data[i].r, expected[i]);
    filo_pixels_free(&pixels, NULL);
}

// ---- What is refused ------------------------------------------------------------------------------------

// Finds a tag of a little-endian file and changes its value.
static void set_tag(Picture *picture, uint16_t tag, uint32_t value) {
    uint32_t start, count = 0;
    memcpy(&start, picture->bytes + 4, 4);
    memcpy(&count, picture->bytes + start, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = picture->bytes + start + 2 + 12 * i;
        if (entry[0] != (tag & 0xFF) || entry[1] != tag >> 8) continue;
        memcpy(entry + 8, &value, entry[2] == 3 ? 2 : 4);
        return;
    }
    fail_msg("the file has no tag %d", tag);
}

static FiloResult decode_changed(TiffKind kind, uint16_t tag, uint32_t value, size_t limit) {
    Picture picture = make_tiff("a.tif", kind);
    set_tag(&picture, tag, value);
    FiloPixels pixels;
    FiloImageOptions options = { .memory_limit = limit };
    FiloResult result = filo_image_decode(&pixels, picture.bytes, picture.size, "a.tif", &options);
    if (result.code != FILO_OK) assert_null(pixels.data);
    filo_pixels_free(&pixels, NULL);
    picture_memory_used = 0;
    return result;
}

FILO_TEST(hostile_headers_are_refused) {
    TiffKind rgb = { .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = 8 };
    TiffKind grey = { .photometric = PHOTOMETRIC_MINISBLACK, .samples = 1, .bits = 8 };
    TiffKind tiled = { .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = 8, .tiled = true };
    assert_error(decode_changed(rgb, TIFFTAG_IMAGEWIDTH, 60000, 0), FILO_ERROR_LIMIT,
                 "a.tif: 60000 x 18 pixels");
    assert_error(decode_changed(rgb, TIFFTAG_IMAGELENGTH, 60000, FILO_MIB(1)), FILO_ERROR_LIMIT,
                 "a.tif: 20 x 60000");
    assert_error(decode_changed(rgb, TIFFTAG_IMAGEWIDTH, 0, 0), FILO_ERROR_DATA, "a.tif");
    assert_error(decode_changed(tiled, TIFFTAG_TILEWIDTH, 65520, FILO_MIB(1)), FILO_ERROR_LIMIT,
                 "a.tif: the TIFF needs more memory than the limit");
    assert_error(decode_changed(rgb, TIFFTAG_SAMPLESPERPIXEL, 60000, 0), FILO_ERROR_DATA, "a.tif");
    assert_error(decode_changed(grey, TIFFTAG_BITSPERSAMPLE, 64, 0), FILO_ERROR_UNSUPPORTED,
                 "a.tif: a TIFF of this kind");
    assert_error(decode_changed(rgb, TIFFTAG_COMPRESSION, 9999, 0), FILO_ERROR_DATA,
                 "a.tif: broken TIFF, or of a kind");
    assert_error(decode_changed(rgb, TIFFTAG_STRIPOFFSETS, 0x7FFFFFF0, 0), FILO_ERROR_DATA, "a.tif");
    FiloPixels pixels;
    assert_error(filo_image_decode(&pixels, "II*\0hello", 9, "a.tif", NULL), FILO_ERROR_DATA, "a.tif: ");
    assert_error(filo_image_decode(&pixels, "hello", 5, "a.tiff", NULL), FILO_ERROR_DATA,
                 "a.tiff: not a TIFF (bad signature)");
}

// Warnings and errors of the library are not printed.
FILO_TEST_PROGRAM(reads_a_broken_file) {
    TiffKind rgb = { .photometric = PHOTOMETRIC_RGB, .samples = 3, .bits = 8 };
    decode_changed(rgb, TIFFTAG_COMPRESSION, 9999, 0);
    decode_changed(rgb, TIFFTAG_STRIPOFFSETS, 0x7FFFFFF0, 0);
    decode_changed(rgb, TIFFTAG_PLANARCONFIG, 77, 0);
}

FILO_TEST(the_library_prints_nothing) {
    static FiloTestResult outcome;
    filo_test_run(&outcome, &(FiloTestRun){ .program = "reads_a_broken_file" });
    assert_int_equal(outcome.exit_code, 0);
    assert_string_equal(outcome.errors, "");
    assert_string_equal(outcome.output, "");
}
