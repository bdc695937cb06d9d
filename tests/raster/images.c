// Images: which texel a pixel shows.

#include "raster/pictures.h"

// Every texel has another colour: red is the column, green the row.
static FiloPixels numbered(int width, int height) {
    FiloPixels image = picture(width, height, FILO_COLOR_BLACK);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *filo_pixels_at(&image, x, y) = filo_color((uint8_t)x, (uint8_t)y, 7, 255);
    return image;
}

static FiloPixels drawn(const FiloPixels *image, const FiloQuad *quads, size_t count, int width, int height) {
    FiloPixels target = picture(width, height, FILO_COLOR_TRANSPARENT);
    FiloRaster *raster = make_raster(NULL, false);
    draw_quads(raster, target, image, 1, quads, count);
    filo_raster_destroy(raster);
    return target;
}

// The pixel shows texel (u, v), or nothing if u is negative.
static void assert_texel(const FiloPixels *target, int x, int y, int u, int v) {
    FiloColor c = *filo_pixels_at(target, x, y);
    FiloColor wanted = u < 0 ? FILO_COLOR_TRANSPARENT : filo_color((uint8_t)u, (uint8_t)v, 7, 255);
    if (!filo_color_equal(c, wanted))
        fail_msg("(%d, %d) is %d %d %d %d, and should be texel (%d, %d)", x, y, c.r, c.g, c.b, c.a, u, v);
}

// A 4 × 4 sprite at (x, y), whose first pixel should be (left, top), with these parts of it shown.
static void check_sprite(FiloQuad quad, int left, int top, bool flip_x, bool flip_y) {
    FiloPixels image = numbered(16, 16), target = drawn(&image, &quad, 1, 20, 20);
    int u = FILO_MIN(quad.u0, quad.u1), v = FILO_MIN(quad.v0, quad.v1);
    for (int y = 0; y < 20; y++) {
        for (int x = 0; x < 20; x++) {
            int column = x - left, row = y - top;
            bool inside = column >= 0 && column < 4 && row >= 0 && row < 4;
            assert_texel(&target, x, y, !inside ? -1 : u + (flip_x ? 3 - column : column),
                         v + (flip_y ? 3 - row : row));
        }
    }
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(an_image_is_shown_with_one_texel_per_pixel) {
    check_sprite(image_quad(5, 6, 4, 4, 8, 2, 12, 6), 5, 6, false, false);
}

FILO_TEST(swapped_coordinates_mirror_an_image) {
    check_sprite(image_quad(5, 6, 4, 4, 12, 2, 8, 6), 5, 6, true, false);
    check_sprite(image_quad(5, 6, 4, 4, 8, 6, 12, 2), 5, 6, false, true);
    check_sprite(image_quad(5, 6, 4, 4, 12, 6, 8, 2), 5, 6, true, true);
}

FILO_TEST(negated_axes_mirror_an_image) {
    FiloQuad quad = image_quad(5, 6, 4, 4, 8, 2, 12, 6);
    quad.ax = -quad.ax;
    check_sprite(quad, 5, 6, true, false);
    quad.by = -quad.by;
    check_sprite(quad, 5, 6, true, true);
    quad.u0 = 12, quad.u1 = 8;
    check_sprite(quad, 5, 6, false, true);
}

// The first pixel is the one whose centre is inside; a centre on the edge counts on the left and above.
FILO_TEST(an_image_between_pixels_moves_to_the_nearest_ones) {
    for (int flips = 0; flips < 4; flips++) {
        int u0 = flips & 1 ? 12 : 8, u1 = flips & 1 ? 8 : 12, v0 = flips & 2 ? 6 : 2, v1 = flips & 2 ? 2 : 6;
        bool flip_x = flips & 1, flip_y = (flips & 2) != 0;
        check_sprite(image_quad(5.25f, 6.25f, 4, 4, u0, v0, u1, v1), 5, 6, flip_x, flip_y);
        check_sprite(image_quad(5.75f, 5.75f, 4, 4, u0, v0, u1, v1), 6, 6, flip_x, flip_y);
        check_sprite(image_quad(5.5f, 6.5f, 4, 4, u0, v0, u1, v1), 5, 6, flip_x, flip_y);
        check_sprite(image_quad(5.51f, 6.51f, 4, 4, u0, v0, u1, v1), 6, 7, flip_x, flip_y);
    }
}

FILO_TEST(an_image_is_clipped_on_all_sides) {
    const int corners[][2] = { { -3, -2 }, { 17, 18 }, { -4, 0 }, { 20, 0 }, { 0, 20 } };
    for (size_t i = 0; i < FILO_COUNT_OF(corners); i++)
        check_sprite(image_quad((float)corners[i][0], (float)corners[i][1], 4, 4, 8, 2, 12, 6), corners[i][0],
                     corners[i][1], false, false);
}

FILO_TEST(a_quarter_turn_shows_all_texels) {
    FiloPixels image = numbered(4, 4);
    FiloQuad quad = {
        .x = 4, .y = 4, .ay = 2, .bx = 2, .u1 = 4, .v1 = 4, .color = FILO_COLOR_WHITE
    }; // clockwise
    FiloPixels target = drawn(&image, &quad, 1, 8, 8);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) assert_texel(&target, 2 + x, 2 + y, y, 3 - x);
    assert_texel(&target, 1, 2, -1, 0);
    assert_texel(&target, 6, 2, -1, 0);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(scaled_up_every_texel_is_a_block) {
    FiloPixels image = numbered(4, 4);
    for (int flip = 0; flip < 2; flip++) {
        FiloQuad quad = image_quad(1, 2, 12, 12, flip ? 4 : 0, 0, flip ? 0 : 4, 4);
        FiloPixels target = drawn(&image, &quad, 1, 16, 16);
        for (int y = 0; y < 12; y++)
            for (int x = 0; x < 12; x++) assert_texel(&target, 1 + x, 2 + y, flip ? 3 - x / 3 : x / 3, y / 3);
        filo_pixels_free(&target, NULL);
    }
    filo_pixels_free(&image, NULL);
}

// The image is red outside of the part, and nowhere inside it.
FILO_TEST(nothing_outside_of_the_part_is_ever_shown) {
    FiloRandom random = filo_random_keyed(1, 1, 1, 1);
    FiloPixels image = picture(64, 64, filo_color(255, 0, 0, 255)),
               target = picture(200, 150, FILO_COLOR_BLACK);
    FiloPixels part = filo_pixels_part(&image, 20, 30, 9, 5);
    filo_pixels_fill(&part, filo_color(0, 255, 0, 255));
    FiloRaster *raster = make_raster(NULL, false);
    for (int i = 0; i < 500; i++) {
        FiloQuad quad = random_quad(&random, 200, 150);
        quad.kind = FILO_QUAD_IMAGE, quad.image = 0, quad.color = FILO_COLOR_WHITE;
        quad.u0 = 20, quad.u1 = 29, quad.v0 = 30, quad.v1 = 35;
        quad.flags = i % 2 == 0 ? FILO_QUAD_LINEAR : 0;
        draw_quads(raster, target, &image, 1, &quad, 1);
    }
    int green = 0;
    for (int i = 0; i < 200 * 150; i++) {
        assert_int_equal(target.data[i].r, 0);
        green += target.data[i].g == 255;
    }
    assert_true(green > 20000);
    filo_raster_destroy(raster);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(coordinates_outside_of_the_image_show_its_last_texels) {
    FiloPixels image = numbered(4, 4);
    FiloQuad quads[] = { image_quad(0, 0, 8, 8, 0, 0, 8, 8),
                         image_quad(8, 0, 4, 4, 60000, 60000, 60004, 60004) };
    FiloPixels target = drawn(&image, quads, 2, 16, 8);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) assert_texel(&target, x, y, FILO_MIN(x, 3), FILO_MIN(y, 3));
    for (int i = 0; i < 4; i++) assert_texel(&target, 8 + i, i, 3, 3);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(equal_coordinates_show_one_texel) {
    FiloPixels image = numbered(4, 4);
    FiloQuad quad = image_quad(1, 1, 6, 6, 2, 1, 2, 1);
    FiloPixels target = drawn(&image, &quad, 1, 8, 8);
    for (int y = 1; y < 7; y++)
        for (int x = 1; x < 7; x++) assert_texel(&target, x, y, 2, 1);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

FILO_TEST(missing_images_draw_nothing) {
    FiloColor data = FILO_COLOR_RED;
    FiloPixels images[] = { { NULL, 4, 4, 4 }, { &data, 0, 1, 1 }, { &data, 1, -1, 1 }, { &data, 2, 1, 1 } };
    FiloPixels target = picture(16, 16, FILO_COLOR_TRANSPARENT), before = copy_of(&target);
    FiloRaster *raster = make_raster(NULL, false);
    for (int i = 0; i < 6; i++) {
        FiloQuad quad = image_quad(4, 4, 4, 4, 0, 0, 4, 4);
        quad.image = (uint16_t)(i < 5 ? i : 65535);
        draw_quads(raster, target, images, 4, &quad, 1);
        draw_quads(raster, target, NULL, 0, &quad, 1);
    }
    assert_same_picture(&target, &before, "nothing");
    filo_raster_destroy(raster);
    filo_pixels_free(&target, NULL);
    filo_pixels_free(&before, NULL);
}

FILO_TEST(an_image_of_another_stride_is_shown_as_well) {
    FiloPixels image = numbered(16, 16), part = filo_pixels_part(&image, 3, 5, 6, 6);
    FiloQuad quads[] = { image_quad(1, 1, 4, 4, 1, 1, 5, 5), image_quad(8, 0, 12, 12, 0, 0, 6, 6) };
    FiloPixels target = drawn(&part, quads, 2, 20, 12);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) assert_texel(&target, 1 + x, 1 + y, 4 + x, 6 + y);
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++) assert_texel(&target, 8 + x, y, 3 + x / 2, 5 + y / 2);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

// ---- Linear filter ----------------------------------------------------------------------------------------

FILO_TEST(linear_filter_changes_nothing_at_the_centres_of_texels) {
    for (int flips = 0; flips < 4; flips++) {
        FiloQuad quad = image_quad(5, 6, 4, 4, flips & 1 ? 12 : 8, flips & 2 ? 6 : 2, flips & 1 ? 8 : 12,
                                   flips & 2 ? 2 : 6);
        quad.flags = FILO_QUAD_LINEAR;
        check_sprite(quad, 5, 6, flips & 1, (flips & 2) != 0);
    }
}

FILO_TEST(halfway_between_texels_is_their_mean) {
    FiloPixels image = picture(2, 1, filo_color(10, 100, 0, 255));
    *filo_pixels_at(&image, 1, 0) = filo_color(110, 0, 50, 255);
    FiloQuad quad = image_quad(0, 0, 3, 1, 0, 0, 2, 1); // the pixel in the middle is at 1, between both
    quad.flags = FILO_QUAD_LINEAR;
    FiloPixels target = drawn(&image, &quad, 1, 4, 1);
    FiloColor c = *filo_pixels_at(&target, 1, 0);
    assert_int_equal(c.r, 60);
    assert_int_equal(c.g, 50);
    assert_int_equal(c.b, 25);
    assert_int_equal(c.a, 255);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}

// ---- Neighbours -------------------------------------------------------------------------------------------

// Quads that share edges cover every pixel once: each adds 1 to its pixels.
FILO_TEST(tiles_side_by_side_leave_no_gap_at_any_scale) {
    FiloPixels image = picture(4, 4, filo_color(1, 1, 1, 0));
    FiloRandom random = filo_random_keyed(9, 9, 9, 9);
    FiloRaster *raster = make_raster(NULL, false);
    FiloPixels target = picture(256, 192, FILO_COLOR_TRANSPARENT);
    for (int round = 0; round < 40; round++) {
        FiloQuad quads[32 * 32];
        for (int i = 0; i < 32 * 32; i++)
            quads[i] = image_quad((float)(i & 31) * 16, (float)(i >> 5) * 16, 16, 16, 0, 0, 4, 4);
        FiloVec2 scale = between2(&random, 0.6f, 3, 0.6f, 3), origin = between2(&random, -30, 0, -30, 0);
        filo_raster_draw(raster, &(FiloRasterPass){ .target = target,
                                                    .clear = true,
                                                    .view = filo_affine2(filo_vec2(scale.x, 0),
                                                                         filo_vec2(0, scale.y), origin),
                                                    .images = &image,
                                                    .image_count = 1,
                                                    .spans = &(FiloQuadSpan){ quads, FILO_COUNT_OF(quads) },
                                                    .span_count = 1 });
        for (int i = 0; i < 256 * 192; i++)
            if (target.data[i].r != 1)
                fail_msg("(%d, %d) is covered %d times", i % 256, i / 256, target.data[i].r);
    }
    filo_raster_destroy(raster);
    filo_pixels_free(&image, NULL);
    filo_pixels_free(&target, NULL);
}
