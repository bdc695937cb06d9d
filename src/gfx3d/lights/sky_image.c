// Images as skies: the asset type "sky". The picture is twice as wide as high, and shows all directions: the horizon in
// the middle, −z in the middle of the picture, +x to the right of it.

#include "gfx3d/lights/half.h"
#include "gfx3d/lights/lights.h"

#include <filo/image.h>

#include <string.h>

#define SMALL_WIDTH  GFX3D_SKY_IMAGE_WIDTH
#define SMALL_HEIGHT (GFX3D_SKY_IMAGE_WIDTH / 2)

// ---- Decoding -------------------------------------------------------------------------------------------------

void gfx3d_sky_image_free(Gfx3dSkyImage *image, const FiloAllocator *allocator) {
    if (image == NULL) return;
    filo_free(allocator, image->texels, (size_t)image->width * (size_t)image->height * 8, 0);
    filo_free(allocator, image, sizeof *image, 0);
}

static FiloVec3 color_at(const float *values, int width, int x, int y) {
    const float *from = values + ((size_t)y * (size_t)width + (size_t)x) * 4;
    return filo_vec3(filo_clamp(from[0], 0, 65504), filo_clamp(from[1], 0, 65504),
                     filo_clamp(from[2], 0, 65504));
}

// The mean of the pixels that a pixel of the small copy covers, at least one.
static FiloVec3 mean_of(const float *values, int width, int height, int column, int row) {
    int left = column * width / SMALL_WIDTH, right = FILO_MAX((column + 1) * width / SMALL_WIDTH, left + 1);
    int top = row * height / SMALL_HEIGHT, bottom = FILO_MAX((row + 1) * height / SMALL_HEIGHT, top + 1);
    FiloVec3 sum = { 0 };
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) sum = filo_vec3_add(sum, color_at(values, width, x, y));
    return filo_vec3_scale(sum, 1.0f / (float)((right - left) * (bottom - top)));
}

// Makes the image of rows of colours, linear, 4 numbers a pixel.
static FiloResult make_image(Gfx3dSkyImage **result, const FiloAssetBytes *bytes, const float *values,
                             int width, int height) {
    Gfx3dSkyImage *image = filo_alloc_zero(bytes->allocator, sizeof *image, 0);
    size_t count = (size_t)width * (size_t)height;
    if (image != NULL) image->texels = filo_alloc(bytes->allocator, count * 8, 0);
    if (image == NULL || image->texels == NULL) {
        filo_free(bytes->allocator, image, sizeof *image, 0);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for a sky of %d × %d", bytes->name, width,
                          height);
    }
    image->width = width;
    image->height = height;
    for (size_t i = 0; i < count * 4; i++) image->texels[i] = gfx3d_half(i % 4 == 3 ? 1.0f : values[i]);
    for (int y = 0; y < SMALL_HEIGHT; y++)
        for (int x = 0; x < SMALL_WIDTH; x++) image->small[y][x] = mean_of(values, width, height, x, y);
    *result = image;
    return filo_ok();
}

// Other images have bytes in sRGB.
static FiloResult decode_bytes(float **values, int *width, int *height, const FiloAssetBytes *bytes) {
    FiloPixels pixels;
    FiloImageOptions options = { .straight = true, .allocator = bytes->allocator };
    FiloResult r = filo_image_decode(&pixels, bytes->bytes, bytes->size, bytes->name, &options);
    if (r.code != FILO_OK) return r;
    *width = pixels.width;
    *height = pixels.height;
    *values = filo_alloc(bytes->allocator, (size_t)pixels.width * (size_t)pixels.height * 16, 0);
    for (int y = 0; y < pixels.height && *values != NULL; y++)
        for (int x = 0; x < pixels.width; x++) {
            FiloColor c = pixels.data[(size_t)y * (size_t)pixels.stride + (size_t)x];
            c.a = 255;
            FiloVec3 linear = gfx3d_linear_color(c, (FiloVec3){ 0 });
            float *to = *values + ((size_t)y * (size_t)pixels.width + (size_t)x) * 4;
            to[0] = linear.x;
            to[1] = linear.y;
            to[2] = linear.z;
            to[3] = 1.0f;
        }
    filo_pixels_free(&pixels, bytes->allocator);
    return *values != NULL ? filo_ok()
                           : filo_error(FILO_ERROR_MEMORY, "%s: no memory for a sky", bytes->name);
}

FiloResult gfx3d_sky_image_decode(Gfx3dSkyImage **image, const FiloAssetBytes *bytes) {
    float *values = NULL;
    int width = 0, height = 0;
    bool is_hdr = bytes->size > 2 && memcmp(bytes->bytes, "#?", 2) == 0;
    FiloImageOptions options = { .allocator = bytes->allocator };
    FiloResult r = is_hdr ? filo_image_decode_float(&values, &width, &height, bytes->bytes, bytes->size,
                                                    bytes->name, &options)
                          : decode_bytes(&values, &width, &height, bytes);
    if (r.code != FILO_OK) return r;
    r = make_image(image, bytes, values, width, height);
    filo_free(bytes->allocator, values, (size_t)width * (size_t)height * 16, 0);
    return r;
}

// ---- The asset type -------------------------------------------------------------------------------------------

static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    Gfx3dSkyImage *image = NULL;
    FiloResult r = gfx3d_sky_image_decode(&image, bytes);
    *data = image;
    return r;
}

static void free_image(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    gfx3d_sky_image_free(data, allocator);
}

static size_t image_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const Gfx3dSkyImage *image = data;
    return sizeof *image + (size_t)image->width * (size_t)image->height * 8;
}

FiloResult gfx3d_sky_images_register(FiloAssets *assets) {
    FiloAssetType type = { .name = "sky", .decode = decode, .free = free_image, .size = image_size };
    FiloResult r = filo_assets_register(assets, &type);
    return r.code == FILO_ERROR_EXISTS ? filo_ok() : r;
}

// ---- Reading --------------------------------------------------------------------------------------------------

FiloVec3 gfx3d_sky_image_radiance(const Gfx3dSkyImage *image, FiloVec3 d, float rotation) {
    if (image == NULL) return (FiloVec3){ 0 };
    const int width = SMALL_WIDTH, height = SMALL_HEIGHT;
    float turn = (filo_atan2(d.x, -d.z) + rotation) * (1.0f / FILO_TAU) + 0.5f;
    float u = filo_fract(turn) * (float)width - 0.5f;
    float v = filo_clamp(filo_acos(filo_clamp(d.y, -1, 1)) * (1.0f / FILO_PI) * (float)height - 0.5f, 0.0f,
                         (float)height - 1.001f);
    int x = filo_floor_to_int(u), y = (int)v;
    u -= (float)x;
    v -= (float)y;
    int left = (x + width) % width, right = (x + 1) % width;
    return filo_vec3_lerp(filo_vec3_lerp(image->small[y][left], image->small[y][right], u),
                          filo_vec3_lerp(image->small[y + 1][left], image->small[y + 1][right], u), v);
}
