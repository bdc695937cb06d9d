// The types of assets, and whoever uploads them.

#include <filo/check.h>

#include "assets/assets.h"

#include <string.h>

const AssetKind *assets_asset_kind(const FiloAssets *assets, const char *type) {
    for (size_t i = 0; i < assets->kind_count; i++)
        if (assets->kinds[i].type.name != NULL && strcmp(assets->kinds[i].type.name, type) == 0)
            return &assets->kinds[i];
    return NULL;
}

static const AssetKind *kind_of_extension(const FiloAssets *assets, const char *extension) {
    for (size_t i = 0; i < assets->kind_count; i++) {
        const FiloAssetType *type = &assets->kinds[i].type;
        for (size_t e = 0; e < FILO_COUNT_OF(type->extensions) && type->extensions[e] != NULL; e++)
            if (filo_string_equal_ignoring_case(filo_string(type->extensions[e]), filo_string(extension)))
                return &assets->kinds[i];
    }
    return NULL;
}

const AssetKind *assets_asset_kind_of_file(const FiloAssets *assets, const char *name) {
    return kind_of_extension(assets, filo_path_extension(name));
}

FiloResult filo_assets_register(FiloAssets *assets, const FiloAssetType *type) {
    if (type == NULL || type->name == NULL || type->decode == NULL || type->free == NULL)
        return FILO_MISTAKE("a type of assets needs a name, decode and free");
    if (assets_asset_kind(assets, type->name) != NULL)
        return filo_error(FILO_ERROR_EXISTS, "assets of type \"%s\" are registered already", type->name);
    for (size_t e = 0; e < FILO_COUNT_OF(type->extensions) && type->extensions[e] != NULL; e++) {
        const AssetKind *other = kind_of_extension(assets, type->extensions[e]);
        if (other != NULL)
            return filo_error(FILO_ERROR_EXISTS, "type \"%s\": files of .%s are of type \"%s\" already",
                              type->name, type->extensions[e], other->type.name);
    }
    size_t place = 0; // the first that is free: a type may have been taken away
    while (place < assets->kind_count && assets->kinds[place].type.name != NULL) place++;
    if (place == ASSET_TYPES_MAX)
        return filo_error(FILO_ERROR_LIMIT, "type \"%s\": there are %d types of assets already", type->name,
                          ASSET_TYPES_MAX);
    assets->kinds[place] = (AssetKind){ *type, type->user };
    assets->kind_count = FILO_MAX(assets->kind_count, place + 1);
    return filo_ok();
}

// ---- Uploading ------------------------------------------------------------------------------------------

// The next asset of a kind after `record`, or the first. Others may be added by decoders meanwhile.
static AssetRecord *next_of_kind(FiloAssets *assets, const AssetKind *kind, AssetRecord *record) {
    filo_mutex_lock(&assets->lock);
    record = record == NULL ? assets->first : record->next;
    while (record != NULL && (record->kind != kind || record->data == NULL)) record = record->next;
    filo_mutex_unlock(&assets->lock);
    return record;
}

FiloResult filo_assets_set_upload(FiloAssets *assets, const char *type,
                                  FiloResult (*upload)(FiloAssets *, FiloAsset, void *, const void *, void *),
                                  void (*release)(FiloAssets *, FiloAsset, void *, void *), void *user) {
    if (assets == NULL || type == NULL) return FILO_MISTAKE("pass assets, and the name of a type");
    AssetKind *kind = (AssetKind *)assets_asset_kind(assets, type);
    if (kind == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "there are no assets of type \"%s\"", type);
    AssetRecord *record = NULL;
    while ((record = next_of_kind(assets, kind, record)) != NULL) {
        if (record->uploaded && kind->type.release != NULL)
            kind->type.release(assets, record->handle, record->data, kind->upload_user);
        record->uploaded = false;
    }
    kind->type.upload = upload;
    kind->type.release = release;
    kind->upload_user = user;
    while (upload != NULL && (record = next_of_kind(assets, kind, record)) != NULL) {
        FiloResult result = upload(assets, record->handle, record->data, NULL, user);
        record->uploaded = result.code == FILO_OK;
        if (!record->uploaded) assets_fail(record, &result);
    }
    return filo_ok();
}
