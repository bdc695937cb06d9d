// Groups of assets, and their loading progress.

#include <filo/check.h>

#include "assets/assets.h"

// The cost of a file besides its size, in bytes.
#define FILE_COST 4096.0

static const double step_done[] = { [ASSETS_REQUESTED] = 0.0, [ASSETS_READ] = 0.3, [ASSETS_DECODED] = 0.8 };

// ---- Progress -------------------------------------------------------------------------------------------

// A file that has not been read yet counts with the average size of the others.
typedef struct Sum {
    FiloAssetProgress progress;
    size_t sized;      // files whose size is available
    double cost, done; // of these
} Sum;

static void add_to_sum(Sum *sum, const AssetsRecord *record) {
    FiloAssetState state = record != NULL ? assets_record_state(record) : FILO_ASSET_NONE;
    if (state == FILO_ASSET_NONE) return;
    sum->progress.total++;
    sum->progress.ready += state == FILO_ASSET_READY;
    sum->progress.failed += state == FILO_ASSET_FAILED;
    bool loading = state == FILO_ASSET_LOADING;
    size_t file_size = base_load_relaxed(&record->file_size);
    if (loading && file_size == 0) return;
    double cost = FILE_COST + (double)file_size;
    sum->sized++;
    sum->cost += cost;
    sum->done += loading ? cost * step_done[base_load_relaxed(&record->step)] : cost;
}

static FiloAssetProgress finish_sum(const Sum *sum, float *last_fraction) {
    FiloAssetProgress progress = sum->progress;
    if (progress.ready + progress.failed == progress.total) {
        progress.fraction = 1.0f;
    } else if (sum->sized > 0) {
        double cost = sum->cost / (double)sum->sized * (double)progress.total;
        progress.fraction = (float)FILO_MIN(sum->done / cost, 0.999);
    }
    progress.fraction = FILO_MAX(progress.fraction, *last_fraction);
    *last_fraction = progress.fraction;
    return progress;
}

FiloAssetProgress filo_assets_progress(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAssetProgress){ 0 };
    Sum sum = { 0 };
    assets_lock(assets);
    for (const AssetsRecord *record = assets->first; record != NULL; record = record->next)
        add_to_sum(&sum, record);
    FiloAssetProgress progress = finish_sum(&sum, &((FiloAssets *)assets)->last_fraction);
    assets_unlock(assets);
    return progress;
}

// ---- Groups ---------------------------------------------------------------------------------------------

static AssetsGroup *find_group(const FiloAssets *assets, FiloAssetGroup group) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return NULL;
    return FILO_CHECK_MADE(group.id > 0 && group.id <= assets->groups.count,
                           "pass a group of filo_assets_group")
               ? &assets->groups.items[group.id - 1]
               : NULL;
}

FiloAssetGroup filo_assets_group(FiloAssets *assets, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL && name[0] != '\0', "a group needs a name"))
        return (FiloAssetGroup){ 0 };
    AssetsGroup group = { .name = filo_name(name) };
    if (group.name.id == 0) return (FiloAssetGroup){ 0 };
    for (size_t i = 0; i < assets->groups.count; i++)
        if (assets->groups.items[i].name.id == group.name.id) return (FiloAssetGroup){ (uint32_t)i + 1 };
    filo_array_init(&group.assets, assets->allocator);
    if (!filo_array_push(&assets->groups, group)) return (FiloAssetGroup){ 0 };
    return (FiloAssetGroup){ (uint32_t)assets->groups.count };
}

FiloAsset filo_assets_group_load(FiloAssets *assets, FiloAssetGroup group, const char *asset_name) {
    AssetsGroup *record = find_group(assets, group);
    if (record == NULL) return (FiloAsset){ 0 };
    FiloAsset asset = filo_assets_load(assets, asset_name);
    if (asset.id == 0) return asset;
    filo_array_each (&record->assets, member) {
        if (member->id != asset.id) continue;
        filo_assets_unload(assets, asset);
        return asset;
    }
    if (!filo_array_push(&record->assets, asset)) {
        filo_assets_unload(assets, asset);
        return (FiloAsset){ 0 };
    }
    record->last_fraction = 0;
    return asset;
}

FiloAssetProgress filo_assets_group_progress(const FiloAssets *assets, FiloAssetGroup group) {
    AssetsGroup *record = find_group(assets, group);
    if (record == NULL) return (FiloAssetProgress){ .fraction = 1.0f };
    Sum sum = { 0 };
    filo_array_each (&record->assets, member) add_to_sum(&sum, assets_record(assets, *member));
    return finish_sum(&sum, &record->last_fraction);
}

void filo_assets_group_unload(FiloAssets *assets, FiloAssetGroup group) {
    AssetsGroup *record = find_group(assets, group);
    if (record == NULL) return;
    assets_release_list(assets, &record->assets);
    record->last_fraction = 0;
}
