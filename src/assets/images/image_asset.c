// Assets of type "image": pixels with a sheet of at least one frame. A still image has one frame; a GIF or WebP has its frames
// as a column, and a clip "all"; an image that the program adds may have a grid.

#include <filo/check.h>
#include <filo/image.h>
#include <filo/log.h>
#include <filo/sheet.h>

#include "assets/assets.h"
#include "assets/sheets/sheet.h"

#include <string.h>

// ---- The placeholder ------------------------------------------------------------------------------------

// clang-format off
#define M { 255, 0, 255, 255 }
#define B { 0, 0, 0, 255 }
#define ODD  M, M, M, M, B, B, B, B, M, M, M, M, B, B, B, B
#define EVEN B, B, B, B, M, M, M, M, B, B, B, B, M, M, M, M
static FiloColor squares[16 * 16] = {
    ODD, ODD, ODD, ODD, EVEN, EVEN, EVEN, EVEN, ODD, ODD, ODD, ODD, EVEN, EVEN, EVEN, EVEN,
};
// clang-format on

static const FiloSheetFrame placeholder_frame = {
    .width = 16, .height = 16, .full_width = 16, .full_height = 16
};

const FiloImageAsset assets_image_placeholder = {
    .pixels = { squares, 16, 16, 16 },
    .sheet = { .frames = &placeholder_frame, .frame_count = 1 },
};

// ---- Creating and decoding ------------------------------------------------------------------------------

static void free_image(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    FiloImageAsset *image = data;
    filo_pixels_free(&image->pixels, allocator);
    filo_sheet_free(&image->sheet, allocator);
    filo_free(allocator, image, sizeof *image, 0);
}

static size_t image_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const FiloImageAsset *image = data;
    return sizeof *image + (size_t)image->pixels.stride * (size_t)image->pixels.height * sizeof(FiloColor) +
           image->sheet.frame_count * sizeof(FiloSheetFrame) +
           image->sheet.clip_count * sizeof(FiloSheetClip);
}

// Creates an image with frames of this size, row by row from the top left. Frames that do not fit are left out; at
// least one fits. Takes ownership of the pixels, also on failure. NULL without memory.
static FiloImageAsset *make_image(FiloPixels *pixels, int width, int height, size_t clip_count,
                                  const FiloAllocator *allocator) {
    FiloImageAsset *image = filo_alloc_zero(allocator, sizeof *image, 0);
    if (image == NULL) {
        filo_pixels_free(pixels, allocator);
        return NULL;
    }
    image->pixels = *pixels;
    *pixels = (FiloPixels){ 0 };
    AssetsSheetGrid grid = { .width = width, .height = height };
    size_t frames = assets_sheet_count_grid_frames(&grid, image->pixels.width, image->pixels.height);
    if (!assets_sheet_allocate(&image->sheet, frames, clip_count, allocator)) {
        free_image(image, allocator, NULL);
        return NULL;
    }
    assets_sheet_fill_grid(&image->sheet, &grid, image->pixels.width);
    return image;
}

static FiloResult decode_image(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    FiloImageFrames frames;
    FiloImageOptions options = { .allocator = bytes->allocator };
    FiloResult result = filo_image_decode_frames(&frames, bytes->bytes, bytes->size, bytes->name, &options);
    if (result.code != FILO_OK) return result;
    bool animated = frames.frame_count > 1;
    FiloImageAsset *image =
        make_image(&frames.pixels, frames.width, frames.height, animated ? 1 : 0, bytes->allocator);
    if (image != NULL && animated) {
        FiloSheetFrame *all = (FiloSheetFrame *)image->sheet.frames;
        for (int i = 0; i < frames.frame_count; i++) all[i].seconds = frames.seconds[i];
        ((FiloSheetClip *)image->sheet.clips)[0] =
            (FiloSheetClip){ .name = filo_name("all"), .to = (uint16_t)(frames.frame_count - 1) };
    }
    filo_image_frames_free(&frames, bytes->allocator);
    if (image == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the picture", bytes->name);
    *data = image;
    return filo_ok();
}

FiloAssetType assets_image_type(void) {
    return (FiloAssetType){ .name = "image",
                            .extensions = { "png", "jpg", "jpeg", "gif", "webp", "bmp", "tga", "hdr", "tif",
                                            "tiff" },
                            .decode = decode_image,
                            .free = free_image,
                            .size = image_size,
                            .placeholder = &assets_image_placeholder };
}

// ---- Images of the program ------------------------------------------------------------------------------

static bool copy_pixels(FiloPixels *copy, const FiloPixels *pixels, const FiloAllocator *allocator) {
    if (!filo_pixels_create(copy, pixels->width, pixels->height, allocator)) return false;
    filo_pixels_copy(copy, 0, 0, pixels);
    return true;
}

FiloAsset filo_assets_add_grid(FiloAssets *assets, const char *name, const FiloPixels *pixels,
                               const FiloGridDesc *grid) {
    FiloPixels copy;
    if (!FILO_CHECK(pixels != NULL && pixels->data != NULL && grid != NULL, "pass the pixels of the image") ||
        !FILO_CHECK(grid->width > 0 && grid->height > 0 && grid->width <= pixels->width &&
                        grid->height <= pixels->height,
                    "a frame of %d x %d pixels does not fit into %d x %d", grid->width, grid->height,
                    pixels->width, pixels->height) ||
        !copy_pixels(&copy, pixels, assets->allocator))
        return (FiloAsset){ 0 };
    FiloImageAsset *image = make_image(&copy, grid->width, grid->height, grid->clip_count, assets->allocator);
    if (image == NULL) return (FiloAsset){ 0 };
    for (size_t i = 0; i < grid->clip_count; i++) {
        FiloSheetClip clip = grid->clips[i];
        if (!FILO_CHECK(clip.from < image->sheet.frame_count && clip.to < image->sheet.frame_count,
                        "clip \"%s\" goes beyond the %zu frames", filo_name_text(clip.name),
                        image->sheet.frame_count))
            clip.from = clip.to = 0;
        ((FiloSheetClip *)image->sheet.clips)[i] = clip;
    }
    if (name != NULL)
        assets_sheet_check_grid(&(AssetsSheetGrid){ .width = grid->width, .height = grid->height },
                                pixels->width, pixels->height, name);
    return filo_assets_add(assets, "image", name, image);
}

FiloAsset filo_assets_add_pixels(FiloAssets *assets, const char *name, const FiloPixels *pixels) {
    FiloPixels copy;
    if (!FILO_CHECK(pixels != NULL && pixels->data != NULL, "pass the pixels of the image") ||
        !copy_pixels(&copy, pixels, assets->allocator))
        return (FiloAsset){ 0 };
    FiloImageAsset *image = make_image(&copy, copy.width, copy.height, 0, assets->allocator);
    return image != NULL ? filo_assets_add(assets, "image", name, image) : (FiloAsset){ 0 };
}
