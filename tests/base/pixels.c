// Pictures in memory.

#include <filo/pixels.h>

#include "support/test.h"

FILO_TEST(a_new_picture_is_transparent) {
    FiloPixels p;
    assert_true(filo_pixels_create(&p, 3, 2, NULL));
    assert_int_equal(p.width, 3);
    assert_int_equal(p.height, 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++) assert_int_equal(filo_pixels_at(&p, x, y)->a, 0);
    filo_pixels_free(&p, NULL);
    assert_null(p.data);
    filo_pixels_free(&p, NULL);
}

FILO_TEST(sizes_that_make_no_sense_are_refused) {
    FiloPixels p;
    assert_false(filo_pixels_create(&p, 0, 2, NULL));
    assert_false(filo_pixels_create(&p, 2, -1, NULL));
    assert_false(filo_pixels_create(&p, FILO_PIXELS_MAX + 1, 1, NULL));
    assert_null(p.data);
}

FILO_TEST(a_copy_is_cut_at_the_edges) {
    FiloPixels big, small;
    assert_true(filo_pixels_create(&big, 4, 4, NULL));
    assert_true(filo_pixels_create(&small, 3, 3, NULL));
    filo_pixels_fill(&small, FILO_COLOR_RED);
    filo_pixels_copy(&big, -2, 2, &small);
    filo_pixels_copy(&big, INT32_MAX, INT32_MIN, &small);
    size_t red = 0;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) red += filo_color_equal(*filo_pixels_at(&big, x, y), FILO_COLOR_RED);
    assert_int_equal(red, 2);
    assert_int_equal(filo_pixels_at(&big, 0, 2)->a, 255);
    filo_pixels_free(&big, NULL);
    filo_pixels_free(&small, NULL);
}

FILO_TEST(a_part_shares_its_pixels) {
    FiloPixels p;
    assert_true(filo_pixels_create(&p, 8, 8, NULL));
    FiloPixels part = filo_pixels_part(&p, 2, 3, 4, 4);
    filo_pixels_fill(&part, FILO_COLOR_WHITE);
    assert_int_equal(filo_pixels_at(&p, 2, 3)->r, 255);
    assert_int_equal(filo_pixels_at(&p, 1, 3)->r, 0);
    assert_int_equal(filo_pixels_at(&p, 5, 6)->r, 255);
    assert_int_equal(filo_pixels_at(&p, 6, 6)->r, 0);
    filo_pixels_free(&p, NULL);
}

FILO_TEST(a_comparison_finds_the_first_difference) {
    FiloPixels a, b;
    assert_true(filo_pixels_create(&a, 5, 5, NULL));
    assert_true(filo_pixels_create(&b, 5, 5, NULL));
    filo_pixels_at(&b, 3, 1)->g = 10;
    filo_pixels_at(&b, 1, 4)->g = 4;
    FiloPixelsDifference d = filo_pixels_compare(&a, &b, 0);
    assert_int_equal(d.largest, 10);
    assert_int_equal(d.pixels, 2);
    assert_int_equal(d.x, 3);
    assert_int_equal(d.y, 1);
    assert_int_equal(filo_pixels_compare(&a, &b, 4).pixels, 1);
    FiloPixels part = filo_pixels_part(&b, 0, 0, 4, 5);
    assert_int_equal(filo_pixels_compare(&a, &part, 0).largest, 255);
    filo_pixels_free(&a, NULL);
    filo_pixels_free(&b, NULL);
}
