// Apps that are drawn although they are headless, and their pictures.

#ifndef FILO_TEST_APP_PICTURE_H
#define FILO_TEST_APP_PICTURE_H

#include "stage.h"

#include <filo/image.h>

#include <stdlib.h>

#define WIDTH  320
#define HEIGHT 240

// Statistics are wanted, so frames are drawn.
static inline FiloCommonArgs drawn_by(FiloBackend backend, int threads) {
    return (FiloCommonArgs){ .headless = true, .backend = backend, .threads = threads, .stats = true };
}

static inline FiloAppDesc game_with(const FiloModuleDesc *modules, size_t count) {
    return (FiloAppDesc){ .name = "test",
                          .window = { .width = WIDTH, .height = HEIGHT },
                          .asset_folder = filo_test_folder(),
                          .modules = modules,
                          .module_count = count };
}

static inline void run_frames(FiloApp *app, int frames) {
    for (int i = 0; i < frames; i++) assert_true(filo_app_frame(app));
}

// The caller frees the pixels.
static inline FiloPixels take_shot(FiloApp *app) {
    const char *path = filo_test_path("shot.png");
    FiloPixels pixels;
    assert_ok(filo_app_shot(app, path));
    assert_ok(filo_image_load(&pixels, path, NULL));
    return pixels;
}

static inline bool similar(FiloColor a, FiloColor b, int tolerance) {
    return abs(a.r - b.r) <= tolerance && abs(a.g - b.g) <= tolerance && abs(a.b - b.b) <= tolerance;
}

static inline size_t count_color(const FiloPixels *pixels, FiloRect area, FiloColor color, int tolerance) {
    size_t count = 0;
    for (int y = (int)area.min.y; y < (int)area.max.y; y++)
        for (int x = (int)area.min.x; x < (int)area.max.x; x++)
            count += similar(*filo_pixels_at(pixels, x, y), color, tolerance);
    return count;
}

static inline size_t count_whole(const FiloPixels *pixels, FiloColor color, int tolerance) {
    FiloVec2 size = filo_vec2((float)pixels->width, (float)pixels->height);
    return count_color(pixels, filo_rect(filo_vec2(0, 0), size), color, tolerance);
}

#endif
