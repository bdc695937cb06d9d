// Assets of type "grey16": heightmaps and other grey values of 16 bits. A file is a PNG or raw.

#include <filo/image.h>

#include "assets/assets.h"

static void free_grey(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    filo_grey16_free(data, allocator);
    filo_free(allocator, data, sizeof(FiloGrey16), 0);
}

static size_t grey_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const FiloGrey16 *grey = data;
    return sizeof *grey + (size_t)grey->stride * (size_t)grey->height * sizeof(uint16_t);
}

static FiloResult decode_grey(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    FiloGrey16 *grey = filo_alloc_zero(bytes->allocator, sizeof *grey, 0);
    if (grey == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the picture", bytes->name);
    FiloImageOptions options = { .allocator = bytes->allocator };
    bool is_raw = filo_path_has_extension(bytes->name, "r16");
    FiloResult result =
        is_raw ? filo_grey16_decode_raw(grey, bytes->bytes, bytes->size, bytes->name, NULL, &options)
               : filo_grey16_decode(grey, bytes->bytes, bytes->size, bytes->name, &options);
    if (result.code == FILO_OK)
        *data = grey;
    else
        free_grey(grey, bytes->allocator, NULL);
    return result;
}

FiloAssetType assets_grey_type(void) {
    return (FiloAssetType){
        .name = "grey16", .extensions = { "r16" }, .decode = decode_grey, .free = free_grey, .size = grey_size
    };
}
