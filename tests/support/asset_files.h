// Files of assets in the folder of the test.

#ifndef FILO_TEST_ASSET_FILES_H
#define FILO_TEST_ASSET_FILES_H

#include <filo/image.h>

#include "support/test.h"

static inline void write_text(const char *name, const char *text) {
    assert_ok(filo_file_write(filo_test_path(name), text, strlen(text), NULL));
}

// A picture of one colour.
static inline void write_png(const char *name, int width, int height, FiloColor color) {
    FiloPixels pixels;
    assert_true(filo_pixels_create(&pixels, width, height, NULL));
    filo_pixels_fill(&pixels, color);
    assert_ok(filo_image_save(&pixels, filo_test_path(name)));
    filo_pixels_free(&pixels, NULL);
}

#endif
