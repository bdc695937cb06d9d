// Sheets for the simulation. Their frames must not depend on whether a file has been loaded, which depends on the disk
// and on what is drawn. If the asset is not ready, the calling thread reads the file, and caches the frames, without
// pixels, until the asset system is destroyed. So the result depends only on the files.
//
// An asset that is ready has priority over the cache, so that a reload changes animations too.

#include <filo/check.h>
#include <filo/log.h>

#include "assets/assets.h"
#include "assets/sheets/sheet.h"
#include "base/file_system.h"

static FiloResult read_bytes(const FiloAssets *assets, const char *name, FiloFileData *file) {
    char normalised[FILO_PATH_SIZE], path[FILO_PATH_SIZE];
    if (!assets_path(assets, name, normalised, path))
        return filo_error(FILO_ERROR_ARGUMENT, "%s: not a path inside %s", name, assets->folder);
    FiloResult result = base_fs_check_inside(path, assets->folder);
    return result.code == FILO_OK
               ? filo_file_read(file, path, &(FiloFileReadDesc){ .allocator = assets->allocator })
               : result;
}

// Decodes an image file as the type "image" does.
static FiloResult read_image(FiloAssets *assets, const char *name, FiloImageAsset **image) {
    const AssetsKind *kind = &assets->kinds[ASSETS_KIND_IMAGE];
    if (assets_kind_of_file(assets, name) != kind)
        return filo_error(FILO_ERROR_DATA, "%s: not an image", name);
    FiloFileData file = { 0 };
    FiloResult result = read_bytes(assets, name, &file);
    if (result.code != FILO_OK) return result;
    FiloAssetBytes bytes = {
        .name = name, .bytes = file.bytes, .size = file.size, .allocator = assets->allocator, .assets = assets
    };
    void *data = NULL;
    result = kind->type.decode(&bytes, &data, kind->type.user);
    filo_file_free(&file);
    *image = data;
    return result;
}

static void free_image(FiloAssets *assets, FiloImageAsset *image) {
    assets_free_data(assets, &assets->kinds[ASSETS_KIND_IMAGE], image);
}

static FiloResult read_sheet_of_image(FiloAssets *assets, const char *name, FiloSheet *sheet) {
    FiloImageAsset *image = NULL;
    FiloResult result = read_image(assets, name, &image);
    if (result.code != FILO_OK || image == NULL) return result;
    *sheet = image->sheet;
    image->sheet = (FiloSheet){ 0 };
    free_image(assets, image);
    return result;
}

// Reads the image, because completing the sheet needs its size.
static FiloResult complete(FiloAssets *assets, const char *name, AssetsSheetDraft *draft) {
    char path[FILO_PATH_SIZE];
    if (!filo_path_folder(path, sizeof path, name) || !filo_path_join(path, sizeof path, path, draft->image))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path of its image is too long", name);
    FiloImageAsset *image = NULL;
    FiloResult result = read_image(assets, path, &image);
    if (result.code != FILO_OK || image == NULL) return result;
    result = assets_sheet_complete(draft, image->pixels.width, image->pixels.height, name, assets->allocator);
    free_image(assets, image);
    return result;
}

static FiloResult read_sheet_file(FiloAssets *assets, const char *name, FiloSheet *sheet) {
    FiloFileData file = { 0 };
    FiloResult result = read_bytes(assets, name, &file);
    if (result.code != FILO_OK) return result;
    AssetsSheetDraft draft = { 0 };
    // Other JSON is not an error: its sheet is empty.
    if (assets_is_sheet(file.text, file.size)) {
        result = assets_sheet_read(&draft, file.text, file.size, name, assets->allocator);
        if (result.code == FILO_OK) result = complete(assets, name, &draft);
        *sheet = draft.sheet;
        assets_sheet_draft_clear(&draft);
    }
    filo_file_free(&file);
    return result;
}

static FiloResult read_sheet(FiloAssets *assets, const char *name, FiloSheet *sheet) {
    const AssetsKind *kind = assets_kind_of_file(assets, name);
    if (kind == &assets->kinds[ASSETS_KIND_IMAGE]) return read_sheet_of_image(assets, name, sheet);
    if (kind != NULL && kind == assets_find_kind(assets, "json")) return read_sheet_file(assets, name, sheet);
    return filo_ok(); // no file, or a type without frames: empty
}

// A file that cannot be read gets an empty sheet, so that it is read only once. Lock of the cache.
static const FiloSheet *read_and_cache(FiloAssets *assets, FiloName name) {
    FiloSheet *sheet = filo_alloc_zero(assets->allocator, sizeof *sheet, 0);
    if (sheet == NULL || !filo_map_set(&assets->sheet_cache, name.id, &sheet)) {
        filo_free(assets->allocator, sheet, sizeof *sheet, 0);
        return NULL;
    }
    FiloResult result = read_sheet(assets, filo_name_text(name), sheet);
    if (result.code != FILO_OK) {
        *sheet = (FiloSheet){ 0 };
        filo_log_warn("assets", "nothing to animate: %s", result.message);
    }
    return sheet;
}

const FiloSheet *filo_assets_sheet_now(FiloAssets *assets, FiloName name) {
    static const FiloSheet none;
    if (name.id == 0 || !FILO_CHECK(assets != NULL, "pass assets")) return &none;
    const FiloSheet *loaded = filo_asset_sheet(assets, filo_assets_find(assets, name));
    if (loaded != &assets_image_placeholder.sheet) return loaded;
    filo_mutex_lock(&assets->sheet_cache_lock);
    FiloSheet *const *cached = filo_map_get(&assets->sheet_cache, name.id);
    const FiloSheet *sheet = cached != NULL ? *cached : read_and_cache(assets, name);
    filo_mutex_unlock(&assets->sheet_cache_lock);
    return sheet != NULL ? sheet : &none;
}

void assets_free_sheet_cache(FiloAssets *assets) {
    filo_map_each (&assets->sheet_cache, i) {
        FiloSheet *sheet = *(FiloSheet **)filo_map_value_at(&assets->sheet_cache, i);
        filo_sheet_free(sheet, assets->allocator);
        filo_free(assets->allocator, sheet, sizeof *sheet, 0);
    }
    filo_map_deinit(&assets->sheet_cache);
}
