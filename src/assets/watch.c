// Reloading files that change while the program runs.
//
// An asset whose file is removed keeps its data, because some editors save by removing and creating the file. A file
// that is created again is loaded.

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

static AssetsRecord *record_of_path(const FiloAssets *assets, const char *path) {
    size_t length = assets->folder_length;
    if (strncmp(path, assets->folder, length) != 0 || path[length] != '/') return NULL;
    FiloName name = filo_name_find(filo_string(path + length + 1));
    return name.id != 0 ? assets_record(assets, filo_assets_find(assets, name)) : NULL;
}

static void reload_path(const FiloAssets *assets, const char *path) {
    AssetsRecord *record = record_of_path(assets, path);
    if (record != NULL) assets_reload(record);
}

static void report_removed(const FiloAssets *assets, const char *path) {
    const AssetsRecord *record = record_of_path(assets, path);
    if (record != NULL && !record->added && record->data != NULL)
        filo_log_info("assets", "%s: the file has gone; its last good version stays",
                      filo_name_text(record->name));
}

static void reload_all(FiloAssets *assets) {
    assets_lock(assets);
    AssetsRecord *record = assets->first;
    while (record != NULL) {
        assets_unlock(assets);
        assets_reload(record);
        assets_lock(assets);
        record = record->next;
    }
    assets_unlock(assets);
}

void assets_watch_poll(FiloAssets *assets) {
    FiloFileChange change;
    while (filo_file_watch_poll(assets->watch, &change)) {
        if (change.is_folder) continue;
        switch (change.kind) {
        case FILO_FILE_CREATED:
        case FILO_FILE_CHANGED: reload_path(assets, change.path); break;
        case FILO_FILE_REMOVED: report_removed(assets, change.path); break;
        case FILO_FILE_MOVED:
            report_removed(assets, change.old_path);
            reload_path(assets, change.path);
            break;
        case FILO_FILE_RESCAN: reload_all(assets); break;
        }
    }
}
