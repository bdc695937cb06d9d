// Reloading files that change while the program runs.
//
// What vanishes keeps its data: an editor that saves by removing and making anew is not to be noticed, and a file
// that comes back is told of as a new one, and loaded.

#include <filo/log.h>

#include "assets/assets.h"

#include <string.h>

void assets_watch_start(FiloAssets *assets) {
    FiloFileWatchDesc desc = { .allocator = assets->allocator };
    FiloResult result = filo_file_watch_create(&assets->watch, &desc);
    if (result.code == FILO_OK) result = filo_file_watch_add(assets->watch, assets->folder);
    if (result.code == FILO_OK) return;
    filo_log_warn("assets", "changed files are not reloaded: %s", result.message);
    filo_file_watch_destroy(assets->watch);
    assets->watch = NULL;
}

static AssetRecord *record_of_path(const FiloAssets *assets, const char *path) {
    size_t length = assets->folder_length;
    if (strncmp(path, assets->folder, length) != 0 || path[length] != '/') return NULL;
    FiloName name = filo_name_find(filo_string(path + length + 1));
    return name.id != 0 ? assets_asset_record(assets, filo_assets_find(assets, name)) : NULL;
}

static void reload_path(const FiloAssets *assets, const char *path) {
    AssetRecord *record = record_of_path(assets, path);
    if (record != NULL) assets_reload(record);
}

static void note_loss(const FiloAssets *assets, const char *path) {
    const AssetRecord *record = record_of_path(assets, path);
    if (record != NULL && !record->made && record->data != NULL)
        filo_log_info("assets", "%s: the file has gone; its last good version stays",
                      filo_name_text(record->name));
}

static void reload_all(FiloAssets *assets) {
    filo_mutex_lock(&assets->lock);
    AssetRecord *record = assets->first;
    while (record != NULL) {
        filo_mutex_unlock(&assets->lock);
        assets_reload(record);
        filo_mutex_lock(&assets->lock);
        record = record->next;
    }
    filo_mutex_unlock(&assets->lock);
}

void assets_watch_poll(FiloAssets *assets) {
    FiloFileChange change;
    while (filo_file_watch_poll(assets->watch, &change)) {
        if (change.is_folder) continue;
        switch (change.kind) {
        case FILO_FILE_CREATED:
        case FILO_FILE_CHANGED: reload_path(assets, change.path); break;
        case FILO_FILE_REMOVED: note_loss(assets, change.path); break;
        case FILO_FILE_MOVED:
            note_loss(assets, change.old_path);
            reload_path(assets, change.path);
            break;
        case FILO_FILE_RESCAN: reload_all(assets); break;
        }
    }
}
