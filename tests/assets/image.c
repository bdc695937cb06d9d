// Reading and writing image files of all formats.

#include "assets/images/image.h"
#include "assets/fixture.h"
#include "assets/pictures.h"

static FiloPixels decode(Picture picture) {
    FiloPixels pixels;
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, picture.name, NULL));
    return pixels;
}

// ---- PNG ------------------------------------------------------------------------------------------------

FILO_TEST(a_saved_picture_is_loaded_as_the_same) {
    FiloPixels pixels, loaded;
    assert_true(filo_pixels_create(&pixels, 256, 257, NULL));
    for (int a = 0; a < 256; a++) // all alphas, and all colours that they allow
        for (int c = 0; c <= 256; c++) {
            uint8_t value = (uint8_t)FILO_MIN(c, a);
            *filo_pixels_at(&pixels, a, c) = filo_color(value, (uint8_t)(a - value), value, (uint8_t)a);
        }
    const char *path = filo_test_path("all.png");
    assert_ok(filo_image_save(&pixels, path));
    assert_ok(filo_image_load(&loaded, path, NULL));
    FiloPixelsDifference difference = filo_pixels_compare(&pixels, &loaded, 0);
    assert_int_equal(difference.largest, 0);
    filo_pixels_free(&loaded, NULL);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(a_part_of_a_picture_can_be_saved) {
    FiloPixels pixels, loaded;
    assert_true(filo_pixels_create(&pixels, 8, 8, NULL));
    *filo_pixels_at(&pixels, 3, 4) = filo_color(1, 2, 3, 255);
    FiloPixels part = filo_pixels_part(&pixels, 3, 4, 2, 2);
    FiloFileData data;
    assert_ok(filo_image_encode(&part, &data, NULL));
    assert_int_equal(data.bytes[data.size], 0);
    assert_ok(filo_image_decode(&loaded, data.bytes, data.size, "part.png", NULL));
    assert_int_equal(loaded.width, 2);
    assert_color(loaded.data[0], 1, 2, 3, 255);
    assert_color(loaded.data[1], 0, 0, 0, 0);
    filo_pixels_free(&loaded, NULL);
    filo_file_free(&data);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(every_kind_of_png_is_read) {
    static const struct {
        uint8_t type, depth;
        bool interlaced;
    } kinds[] = {
        { SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, false },  { SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, true },
        { SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 16, false }, { SPNG_COLOR_TYPE_TRUECOLOR, 8, false },
        { SPNG_COLOR_TYPE_TRUECOLOR, 16, true },        { SPNG_COLOR_TYPE_INDEXED, 8, true },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(kinds); i++) {
        FiloPixels pixels = decode(make_png("a.png", kinds[i].type, kinds[i].depth, kinds[i].interlaced));
        assert_int_equal(pixels.width, 4);
        assert_int_equal(pixels.height, 3);
        for (int y = 0; y < 3; y++) {
            assert_color(*filo_pixels_at(&pixels, 0, y), 255, 0, 0, 255);
            assert_color(*filo_pixels_at(&pixels, 1, y), 0, 255, 0, 255);
            assert_color(*filo_pixels_at(&pixels, 2, y), 0, 0, 255, 255);
            if (kinds[i].type == SPNG_COLOR_TYPE_TRUECOLOR)
                assert_color(*filo_pixels_at(&pixels, 3, y), 255, 255, 255, 255);
            else
                assert_color(*filo_pixels_at(&pixels, 3, y), 128, 128, 128, 128); // premultiplied
        }
        filo_pixels_free(&pixels, NULL);
    }
    FiloPixels grey = decode(make_png("a.png", SPNG_COLOR_TYPE_GRAYSCALE, 8, false));
    assert_color(grey.data[0], 255, 255, 255, 255);
    assert_color(grey.data[1], 0, 0, 0, 255);
    filo_pixels_free(&grey, NULL);
}

FILO_TEST(straight_colours_stay_as_they_are_in_the_file) {
    Picture picture = make_png("a.png", SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, false);
    FiloPixels pixels;
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, "a.png",
                                &(FiloImageOptions){ .straight = true }));
    assert_color(pixels.data[3], 255, 255, 255, 128);
    filo_pixels_free(&pixels, NULL);
}

// ---- JPEG -----------------------------------------------------------------------------------------------

static void assert_near(FiloColor color, int r, int g, int b) {
    assert_in_range(color.r + 3, r, r + 6);
    assert_in_range(color.g + 3, g, g + 6);
    assert_in_range(color.b + 3, b, b + 6);
    assert_int_equal(color.a, 255);
}

FILO_TEST(every_kind_of_jpeg_is_read) {
    static const uint8_t orange[] = { 250, 130, 20 }, grey[] = { 77 }, inks[] = { 255, 128, 0, 200 };
    for (int progressive = 0; progressive < 2; progressive++) {
        FiloPixels pixels = decode(make_jpeg("a.jpg", orange, 3, progressive != 0));
        assert_int_equal(pixels.width, 8);
        assert_near(*filo_pixels_at(&pixels, 7, 7), 250, 130, 20);
        filo_pixels_free(&pixels, NULL);
        pixels = decode(make_jpeg("a.jpg", grey, 1, progressive != 0));
        assert_near(*filo_pixels_at(&pixels, 7, 7), 77, 77, 77);
        filo_pixels_free(&pixels, NULL);
        pixels = decode(make_jpeg("a.jpg", inks, 4, progressive != 0));
        assert_near(*filo_pixels_at(&pixels, 0, 7), 200, 100, 0);
        filo_pixels_free(&pixels, NULL);
    }
}

// A grey JPEG of 16 × 24 pixels, whose quarters are 250 and 180, 100 and 20, with EXIF data.
static Picture make_photograph(unsigned orientation, bool big_endian) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = 16;
    jpeg.image_height = 24;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    static const uint8_t little[] = "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0";
    static const uint8_t big[] = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0";
    uint8_t exif[sizeof little - 1];
    memcpy(exif, big_endian ? big : little, sizeof exif);
    exif[big_endian ? 25 : 24] = (uint8_t)orientation;
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
    for (int y = 0; y < 24; y++) {
        uint8_t row[16];
        for (int x = 0; x < 16; x++) row[x] = y < 12 ? (x < 8 ? 250 : 180) : (x < 8 ? 100 : 20);
        JSAMPROW rows = row;
        jpeg_write_scanlines(&jpeg, &rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return take_bytes("a.jpg", bytes, size);
}

FILO_TEST(a_photograph_is_upright_however_the_camera_was_held) {
    // Top left, top right, bottom left, bottom right.
    static const uint8_t corners[10][4] = { { 250, 180, 100, 20 }, { 250, 180, 100, 20 },
                                            { 180, 250, 20, 100 }, { 20, 100, 180, 250 },
                                            { 100, 20, 250, 180 }, { 250, 100, 180, 20 },
                                            { 100, 250, 20, 180 }, { 20, 180, 100, 250 },
                                            { 180, 20, 250, 100 }, { 250, 180, 100, 20 } };
    for (unsigned orientation = 0; orientation < 10; orientation++)
        for (int big_endian = 0; big_endian < 2; big_endian++) {
            FiloPixels pixels = decode(make_photograph(orientation, big_endian != 0));
            bool swapped = orientation >= 5 && orientation <= 8;
            assert_int_equal(pixels.width, swapped ? 24 : 16);
            assert_int_equal(pixels.height, swapped ? 16 : 24);
            for (int i = 0; i < 4; i++) {
                uint8_t wanted = corners[orientation][i];
                int x = i % 2 == 0 ? 0 : pixels.width - 1, y = i < 2 ? 0 : pixels.height - 1;
                assert_near(*filo_pixels_at(&pixels, x, y), wanted, wanted, wanted);
            }
            filo_pixels_free(&pixels, NULL);
        }
}

FILO_TEST(exif_data_that_is_cut_off_turns_nothing) {
    static const uint8_t whole[] = "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    assert_int_equal(assets_exif_orientation(whole, sizeof whole - 1), 6);
    for (size_t size = 0; size < sizeof whole - 1; size++)
        assert_int_equal(assets_exif_orientation(whole, size), 1);
    static const uint8_t beyond[] = "II*\0\xFF\xFF\xFF\xFF\x01\0";
    assert_int_equal(assets_exif_orientation(beyond, sizeof beyond - 1), 1);
}

// ---- GIF ------------------------------------------------------------------------------------------------

FILO_TEST(the_frames_of_a_gif_are_composed_as_viewers_do) {
    Picture picture = make_small_gif();
    FiloImageFrames frames;
    assert_ok(filo_image_decode_frames(&frames, picture.bytes, picture.size, picture.name, NULL));
    assert_int_equal(frames.frame_count, 4);
    assert_int_equal(frames.width, 2);
    assert_int_equal(frames.height, 2);
    assert_int_equal(frames.pixels.height, 8);
    const FiloColor *p = frames.pixels.data;
    // The first stays.
    assert_color(p[0], 255, 0, 0, 255);
    assert_color(p[1], 0, 255, 0, 255);
    assert_color(p[2], 0, 0, 255, 255);
    assert_color(p[3], 255, 0, 0, 255);
    // The second has a local palette and one transparent pixel, and is cleared afterwards.
    assert_color(p[4], 255, 0, 0, 255);
    assert_color(p[5], 0, 255, 0, 255);
    assert_color(p[6], 0, 0, 255, 255);
    assert_color(p[7], 255, 255, 0, 255);
    // The third is drawn in the cleared area, which is restored afterwards.
    assert_color(p[8], 255, 0, 0, 255);
    assert_color(p[9], 0, 0, 0, 0);
    assert_color(p[10], 0, 255, 0, 255);
    assert_color(p[11], 0, 0, 0, 0);
    assert_color(p[12], 0, 0, 0, 255);
    assert_color(p[13], 0, 0, 0, 0);
    assert_color(p[14], 0, 0, 255, 255);
    assert_color(p[15], 0, 0, 0, 0);
    assert_float_equal(frames.seconds[0], 0.2f, 0);
    assert_float_equal(frames.seconds[1], 0.05f, 0);
    assert_float_equal(frames.seconds[2], 0.1f, 0); // the file has 0; viewers show 0.1
    assert_float_equal(frames.seconds[3], 1.0f, 0);
    filo_image_frames_free(&frames, NULL);
    FiloPixels first = decode(picture);
    assert_int_equal(first.height, 2);
    assert_color(first.data[3], 255, 0, 0, 255);
    filo_pixels_free(&first, NULL);
}

// ---- WebP -----------------------------------------------------------------------------------------------

FILO_TEST(a_webp_has_the_colours_and_alpha_of_the_file) {
    Picture picture = make_webp("a.webp", true);
    FiloPixels pixels;
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, picture.name,
                                &(FiloImageOptions){ .straight = true }));
    assert_color(pixels.data[0], 255, 0, 0, 255);
    assert_color(pixels.data[1], 0, 255, 0, 128);
    assert_color(pixels.data[2], 0, 0, 255, 255);
    assert_int_equal(pixels.data[3].a, 0);
    filo_pixels_free(&pixels, NULL);
    pixels = decode(picture);
    assert_color(pixels.data[1], 0, 128, 0, 128);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(the_frames_of_a_webp_are_composed) {
    Picture picture = make_webp_chunks("a.webp", 0);
    FiloImageFrames frames;
    assert_ok(filo_image_decode_frames(&frames, picture.bytes, picture.size, picture.name, NULL));
    assert_int_equal(frames.frame_count, 3);
    assert_int_equal(frames.width, 3);
    assert_int_equal(frames.height, 1);
    const FiloColor *p = frames.pixels.data;
    assert_color(p[0], 255, 0, 0, 255);
    assert_int_equal(p[2].a, 0);
    assert_color(p[3], 255, 0, 0, 255); // the first frame stays
    assert_color(p[5], 0, 255, 0, 255);
    assert_int_equal(p[6].a, 0); // the third replaces it by nothing
    assert_color(p[8], 0, 255, 0, 255);
    assert_float_equal(frames.seconds[0], 0.2f, 0);
    assert_float_equal(frames.seconds[1], 0.1f, 0); // the file has 0
    assert_float_equal(frames.seconds[2], 1.0f, 0);
    filo_image_frames_free(&frames, NULL);
    FiloPixels first = decode(picture);
    assert_int_equal(first.height, 1);
    filo_pixels_free(&first, NULL);
}

FILO_TEST(a_webp_is_turned_upright) {
    FiloPixels pixels = decode(make_webp_chunks("a.webp", 6)); // a quarter clockwise
    assert_color(pixels.data[0], 0, 0, 255, 255);
    assert_color(pixels.data[1], 255, 0, 0, 255);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(the_lines_of_an_interlaced_gif_are_put_in_order) {
    // The order in the file: rows 0, 8, 4, 2, 6, 1, 3, 5, 7, 9.
    GifFrame frame = { 0, 0, 1, 10, 0, 10, -1, true, false, "0321021032" };
    FiloPixels pixels = decode(make_gif("a.gif", 1, 10, &frame, 1));
    static const int order[] = { 0, 8, 4, 2, 6, 1, 3, 5, 7, 9 };
    static const FiloColor colors[] = {
        { 0, 0, 0, 255 }, { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }
    };
    for (int i = 0; i < 10; i++) {
        FiloColor wanted = colors[frame.pixels[i] - '0'];
        assert_color(pixels.data[order[i]], wanted.r, wanted.g, wanted.b, 255);
    }
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(a_frame_of_a_gif_is_clipped_to_the_canvas) {
    GifFrame frames[] = { { 1, 1, 3, 3, 0, 10, -1, false, false, "123123123" },
                          { 5, 5, 1, 1, DISPOSE_BACKGROUND, 10, -1, false, false, "1" } };
    FiloPixels pixels = decode(make_gif("a.gif", 2, 2, frames, 2));
    assert_int_equal(pixels.width, 2);
    assert_color(pixels.data[0], 0, 0, 0, 0);
    assert_color(pixels.data[3], 255, 0, 0, 255);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(other_pictures_have_one_frame) {
    Picture picture = make_bmp();
    FiloImageFrames frames;
    assert_ok(filo_image_decode_frames(&frames, picture.bytes, picture.size, picture.name, NULL));
    assert_int_equal(frames.frame_count, 1);
    assert_int_equal(frames.width, 3);
    assert_int_equal(frames.height, 2);
    assert_float_equal(frames.seconds[0], 0, 0);
    filo_image_frames_free(&frames, NULL);
}

// ---- BMP, TGA, HDR --------------------------------------------------------------------------------------

FILO_TEST(a_bmp_is_read) {
    FiloPixels pixels = decode(make_bmp());
    assert_int_equal(pixels.width, 3);
    assert_int_equal(pixels.height, 2);
    assert_color(pixels.data[0], 255, 0, 0, 255);
    assert_color(pixels.data[1], 0, 255, 0, 255);
    assert_color(pixels.data[2], 128, 128, 128, 255);
    assert_color(pixels.data[3], 0, 0, 255, 255);
    assert_color(pixels.data[4], 255, 255, 255, 255);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(a_tga_is_read_plain_and_packed) {
    for (int packed = 0; packed < 2; packed++) {
        FiloPixels pixels = decode(make_tga(packed != 0));
        assert_color(pixels.data[0], 255, 0, 0, 255);
        assert_color(pixels.data[1], 0, 128, 0, 128);
        assert_color(pixels.data[2], 0, 0, 255, 255);
        assert_color(pixels.data[3], 0, 0, 255, 255);
        filo_pixels_free(&pixels, NULL);
    }
}

FILO_TEST(an_hdr_is_read_as_floats_and_clamped_as_bytes) {
    for (int packed = 0; packed < 2; packed++) {
        Picture picture = make_hdr(packed != 0);
        float *values;
        int width, height;
        assert_ok(filo_image_decode_float(&values, &width, &height, picture.bytes, picture.size, picture.name,
                                          NULL));
        assert_int_equal(width, packed ? 8 : 2);
        assert_int_equal(height, 1);
        const float *last = values + 4 * (width - 1);
        assert_float_equal(last[0], 1.0f, 0);
        assert_float_equal(last[1], 0.5f, 0);
        assert_float_equal(last[2], 4.0f, 0);
        assert_float_equal(last[3], 1.0f, 0);
        filo_free(NULL, values, (size_t)width * (size_t)height * 16, 0);
        FiloPixels pixels = decode(picture);
        assert_color(pixels.data[0], 255, 188, 255, 255); // linear 0.5 is 188 in sRGB
        filo_pixels_free(&pixels, NULL);
    }
    Picture bmp = make_bmp();
    float *values;
    int width, height;
    assert_error(filo_image_decode_float(&values, &width, &height, bmp.bytes, bmp.size, "a.hdr", NULL),
                 FILO_ERROR_DATA, "a.hdr: not an HDR");
    assert_null(values);
}

// ---- Formats --------------------------------------------------------------------------------------------

FILO_TEST(a_format_is_recognised_by_content_whatever_the_name) {
    static const FiloImageFormat formats[PICTURES] = {
        FILO_IMAGE_PNG,  FILO_IMAGE_PNG,  FILO_IMAGE_PNG,  FILO_IMAGE_PNG,  FILO_IMAGE_PNG,  FILO_IMAGE_JPEG,
        FILO_IMAGE_JPEG, FILO_IMAGE_JPEG, FILO_IMAGE_JPEG, FILO_IMAGE_GIF,  FILO_IMAGE_BMP,  FILO_IMAGE_TGA,
        FILO_IMAGE_TGA,  FILO_IMAGE_HDR,  FILO_IMAGE_HDR,  FILO_IMAGE_TIFF, FILO_IMAGE_TIFF, FILO_IMAGE_TIFF,
        FILO_IMAGE_TIFF, FILO_IMAGE_TIFF, FILO_IMAGE_TIFF, FILO_IMAGE_WEBP, FILO_IMAGE_WEBP, FILO_IMAGE_WEBP,
    };
    Picture pictures[PICTURES];
    make_pictures(pictures);
    for (int i = 0; i < PICTURES; i++) {
        assert_int_equal(filo_image_format(pictures[i].bytes, pictures[i].size, pictures[i].name),
                         formats[i]);
        if (formats[i] == FILO_IMAGE_TGA) continue;
        assert_int_equal(filo_image_format(pictures[i].bytes, pictures[i].size, NULL), formats[i]);
        FiloPixels pixels;
        assert_ok(filo_image_decode(&pixels, pictures[i].bytes, pictures[i].size, "wrong.jpg", NULL));
        filo_pixels_free(&pixels, NULL);
    }
    assert_int_equal(filo_image_format("hello", 5, "a.png"), FILO_IMAGE_UNKNOWN);
    assert_int_equal(filo_image_format(NULL, 0, "a.png"), FILO_IMAGE_UNKNOWN);
}

FILO_TEST(a_tga_with_a_footer_is_recognised_without_its_name) {
    Picture tga = make_tga(false);
    assert_int_equal(filo_image_format(tga.bytes, tga.size, "a.dat"), FILO_IMAGE_UNKNOWN);
    add_u32(&tga, 0);
    add_u32(&tga, 0);
    add_bytes(&tga, "TRUEVISION-XFILE.", 18);
    assert_int_equal(filo_image_format(tga.bytes, tga.size, "a.dat"), FILO_IMAGE_TGA);
    tga.name = "a.dat";
    FiloPixels pixels = decode(tga);
    assert_color(pixels.data[0], 255, 0, 0, 255);
    filo_pixels_free(&pixels, NULL);
}

FILO_TEST(a_file_that_is_not_an_image_is_refused_by_name_and_cause) {
    FiloPixels pixels;
    assert_error(filo_image_decode(&pixels, "hello", 5, "crate.png", NULL), FILO_ERROR_DATA,
                 "crate.png: not a PNG (bad signature)");
    assert_error(filo_image_decode(&pixels, "hello", 5, "crate.jpeg", NULL), FILO_ERROR_DATA,
                 "crate.jpeg: not a JPEG (bad signature)");
    assert_error(filo_image_decode(&pixels, "hello", 5, "crate", NULL), FILO_ERROR_DATA,
                 "crate: not a picture of a known kind");
    assert_error(filo_image_decode(&pixels, NULL, 0, NULL, NULL), FILO_ERROR_DATA,
                 "picture: the file is empty");
    assert_null(pixels.data);
    assert_error(filo_image_load(&pixels, filo_test_path("none.png"), NULL), FILO_ERROR_NOT_FOUND,
                 "none.png");
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    FiloPixels pixels = { 0 };
    FiloFileData data;
    expect_mistake("pass the bytes", filo_image_decode(&pixels, NULL, 3, "a.png", NULL));
    expect_mistake("pass the path", filo_image_load(&pixels, NULL, NULL));
    expect_mistake("pass pixels", filo_image_encode(&pixels, &data, NULL));
    expect_mistake("pass the path", filo_image_save(&pixels, NULL));
}

FILO_TEST(saving_where_it_is_not_possible_leaves_nothing_behind) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, 2, 2, NULL));
    assert_error(filo_image_save(&pixels, filo_test_path("no/such/folder/a.png")), FILO_ERROR_NOT_FOUND,
                 "no/such/folder");
    filo_pixels_free(&pixels, NULL);
}

// ---- Without a library ----------------------------------------------------------------------------------------

// The largest picture has rows longer than a block of the stream, and blocks that end inside a row.
FILO_TEST(a_picture_that_base_saves_reads_back_identically) {
    static const int sizes[][2] = { { 1, 1 },   { 3, 2 },     { 257, 63 }, { 16383, 1 },
                                    { 1, 700 }, { 16384, 5 }, { 300, 200 } };
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        FiloPixels pixels, found;
        assert_true(
            filo_pixels_create(&pixels, FILO_MIN(sizes[i][0] + 3, FILO_PIXELS_MAX), sizes[i][1] + 2, NULL));
        uint32_t seed = 1;
        for (int y = 0; y < pixels.height; y++)
            for (int x = 0; x < pixels.width; x++) {
                seed = seed * 1664525 + 1013904223;
                *filo_pixels_at(&pixels, x, y) =
                    filo_color_from_bytes((uint8_t)(seed >> 24), (uint8_t)(seed >> 16), (uint8_t)(seed >> 8),
                                          (uint8_t)(seed >> 20));
            }
        // A part of a picture, whose rows are not contiguous.
        FiloPixels part = filo_pixels_part(&pixels, 0, 0, sizes[i][0], sizes[i][1]);
        const char *path = filo_test_path("plain.png");
        assert_ok(filo_pixels_save(&part, path));
        assert_ok(filo_image_load(&found, path, NULL));
        FiloPixelsDifference difference = filo_pixels_compare(&part, &found, 0);
        assert_int_equal(difference.largest, 0);
        assert_int_equal(found.width, sizes[i][0]);
        filo_pixels_free(&found, NULL);
        filo_pixels_free(&pixels, NULL);
    }
}

FILO_TEST(base_reports_pictures_that_it_cannot_save) {
    FiloPixels pixels, none = { 0 };
    expect_mistake("pass pixels", filo_pixels_save(&none, "a.png"));
    expect_mistake("pass pixels", filo_pixels_save(NULL, "a.png"));
    assert_true(filo_pixels_create(&pixels, 2, 2, NULL));
    expect_mistake("pass the path", filo_pixels_save(&pixels, NULL));
    assert_error(filo_pixels_save(&pixels, filo_test_path("no/such/folder/a.png")), FILO_ERROR_NOT_FOUND,
                 "folder");
    filo_pixels_free(&pixels, NULL);
}
