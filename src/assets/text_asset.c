// Assets of type "json" and "text".

#include "assets/assets.h"

#include <string.h>

static void free_text(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    FiloJsonAsset *asset = data;
    filo_free(allocator, asset->text, asset->length + 1, 0);
    filo_free(allocator, asset, sizeof *asset, 0);
}

static size_t text_size(const void *data, void *user) {
    FILO_UNUSED(user);
    return sizeof(FiloJsonAsset) + ((const FiloJsonAsset *)data)->length + 1;
}

static FiloResult decode_text(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    FiloJsonAsset *asset = filo_alloc_zero(bytes->allocator, sizeof *asset, 0);
    char *text = filo_alloc(bytes->allocator, bytes->size + 1, 0);
    if (asset == NULL || text == NULL) {
        filo_free(bytes->allocator, asset, sizeof *asset, 0);
        filo_free(bytes->allocator, text, bytes->size + 1, 0);
        return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the text", bytes->name);
    }
    if (bytes->size > 0) memcpy(text, bytes->bytes, bytes->size);
    text[bytes->size] = '\0';
    *asset = (FiloJsonAsset){ text, bytes->size };
    *data = asset;
    return filo_ok();
}

static FiloResult decode_json(const FiloAssetBytes *bytes, void **data, void *user) {
    FiloJsonReader reader;
    filo_json_reader_init(&reader, bytes->bytes, bytes->size, bytes->name);
    FiloJsonToken token;
    while ((token = filo_json_next(&reader)).kind < FILO_JSON_END) continue;
    if (token.kind == FILO_JSON_ERROR) return reader.error;
    return decode_text(bytes, data, user);
}

FiloAssetType assets_json_type(void) {
    return (FiloAssetType){
        .name = "json", .extensions = { "json" }, .decode = decode_json, .free = free_text, .size = text_size
    };
}

FiloAssetType assets_text_type(void) {
    return (FiloAssetType){
        .name = "text", .extensions = { "txt" }, .decode = decode_text, .free = free_text, .size = text_size
    };
}
