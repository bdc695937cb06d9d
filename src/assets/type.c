// Registering types of assets and their upload functions.

#include <filo/check.h>

#include "assets/assets.h"

#include <string.h>

const AssetsKind *assets_find_kind(const FiloAssets *assets, const char *type) {
    for (size_t i = 0; i < assets->kind_count; i++)
        if (assets->kinds[i].type.name != NULL && strcmp(assets->kinds[i].type.name, type) == 0)
            return &assets->kinds[i];
    return NULL;
}

static const AssetsKind *kind_of_extension(const FiloAssets *assets, const char *extension) {
    for (size_t i = 0; i < assets->kind_count; i++) {
        const FiloAssetType *type = &assets->kinds[i].type;
        for (size_t e = 0; e < FILO_COUNT_OF(type->extensions) && type->extensions[e] != NULL; e++)
            if (filo_string_equal_ignoring_case(filo_string(type->extensions[e]), filo_string(extension)))
                return &assets->kinds[i];
    }
    return NULL;
}

const AssetsKind *assets_kind_of_file(const FiloAssets *assets, const char *name) {
    return kind_of_extension(assets, filo_path_extension(name));
}

FiloResult filo_assets_register(FiloAssets *assets, const FiloAssetType *type) {
    if (type == NULL || type->name == NULL || type->decode == NULL || type->free == NULL)
        return FILO_MISTAKE("a type of assets needs a name, decode and free");
    if (assets_find_kind(assets, type->name) != NULL)
        return filo_error(FILO_ERROR_EXISTS, "assets of type \"%s\" are registered already", type->name);
    for (size_t e = 0; e < FILO_COUNT_OF(type->extensions) && type->extensions[e] != NULL; e++) {
        const AssetsKind *other = kind_of_extension(assets, type->extensions[e]);
        if (other != NULL)
            return filo_error(FILO_ERROR_EXISTS, "type \"%s\": files of .%s are of type \"%s\" already",
                              type->name, type->extensions[e], other->type.name);
    }
    size_t slot = 0; // the first free one: a type may have been unregistered
    while (slot < assets->kind_count && assets->kinds[slot].type.name != NULL) slot++;
    if (slot == ASSETS_TYPES_MAX)
        return filo_error(FILO_ERROR_LIMIT, "type \"%s\": there are %d types of assets already", type->name,
                          ASSETS_TYPES_MAX);
    assets->kinds[slot] = (AssetsKind){ *type, type->user };
    assets->kind_count = FILO_MAX(assets->kind_count, slot + 1);
    return filo_ok();
}

// ---- Uploading ------------------------------------------------------------------------------------------

// The next asset of a kind after `record`; NULL: the first. Decoders may add assets in between.
static AssetsRecord *next_of_kind(FiloAssets *assets, const AssetsKind *kind, AssetsRecord *record) {
    assets_lock(assets);
    record = record == NULL ? assets->first : record->next;
    while (record != NULL && (record->kind != kind || record->data == NULL)) record = record->next;
    assets_unlock(assets);
    return record;
}

FiloResult filo_assets_set_upload(FiloAssets *assets, const char *type,
                                  FiloResult (*upload)(FiloAssets *, FiloAsset, void *, const void *, void *),
                                  void (*release)(FiloAssets *, FiloAsset, void *, void *), void *user) {
    if (assets == NULL || type == NULL) return FILO_MISTAKE("pass assets, and the name of a type");
    AssetsKind *kind = (AssetsKind *)assets_find_kind(assets, type);
    if (kind == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "there are no assets of type \"%s\"", type);
    AssetsRecord *record = NULL;
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
