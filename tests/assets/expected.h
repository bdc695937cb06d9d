// What tests of picture formats expect of a file.

#ifndef FILO_TEST_ASSETS_EXPECTED_H
#define FILO_TEST_ASSETS_EXPECTED_H

#include "assets/pictures.h"
#include "support/test.h"

// The pixels row by row from the top, each as eight hexadecimal digits of red, green, blue and alpha.
static inline void expect_picture(Picture picture, const char *wanted) {
    FiloPixels pixels;
    FiloImageOptions straight = { .straight = true };
    assert_ok(filo_image_decode(&pixels, picture.bytes, picture.size, picture.name, &straight));
    char text[1024] = "";
    for (int y = 0; y < pixels.height; y++)
        for (int x = 0; x < pixels.width; x++) {
            FiloColor c = *filo_pixels_at(&pixels, x, y);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%02x%02x%02x%02x",
                     x + y > 0 ? " " : "", c.r, c.g, c.b, c.a);
        }
    assert_string_equal(text, wanted);
    filo_pixels_free(&pixels, NULL);
}

static inline void expect_refused_picture(Picture picture, const char *message) {
    FiloPixels pixels;
    assert_error(filo_image_decode(&pixels, picture.bytes, picture.size, picture.name, NULL), FILO_ERROR_DATA,
                 message);
    assert_null(pixels.data);
}

#endif
