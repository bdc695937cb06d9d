// Groups of assets, and how far their loading has come.

#include <filo/check.h>

#include "assets/assets.h"

// What opening, decoding and uploading a file costs besides its bytes, in bytes.
#define FILE_COST 4096.0

static const double step_done[] = { [ASSET_ASKED] = 0.0, [ASSET_READ] = 0.3, [ASSET_DECODED] = 0.8 };

// ---- Progress -------------------------------------------------------------------------------------------

// Files whose size is not known yet are taken to be as large as the others are on average.
typedef struct Sum {
    FiloAssetProgress progress;
    double known_cost, known_done; // of files whose size is known
    size_t known;
} Sum;

static void add_to_sum(Sum *sum, const AssetRecord *record) {
    FiloAssetState state = record != NULL ? assets_asset_record_state(record) : FILO_ASSET_NONE;
    if (state == FILO_ASSET_NONE) return;
    sum->progress.total++;
    sum->progress.ready += state == FILO_ASSET_READY;
    sum->progress.failed += state == FILO_ASSET_FAILED;
    bool loading = state == FILO_ASSET_LOADING;
    size_t file_size = base_load_relaxed(&record->file_size);
    if (loading && file_size == 0) return;
    double cost = FILE_COST + (double)file_size;
    sum->known++;
    sum->known_cost += cost;
    sum->known_done += loading ? cost * step_done[base_load_relaxed(&record->step)] : cost;
}

static FiloAssetProgress close_sum(Sum *sum, float *shown) {
    FiloAssetProgress progress = sum->progress;
    if (progress.ready + progress.failed == progress.total) {
        progress.fraction = 1.0f;
    } else if (sum->known > 0) {
        double cost = sum->known_cost / (double)sum->known * (double)progress.total;
        progress.fraction = (float)FILO_MIN(sum->known_done / cost, 0.999);
    }
    progress.fraction = FILO_MAX(progress.fraction, *shown);
    *shown = progress.fraction;
    return progress;
}

FiloAssetProgress filo_assets_progress(const FiloAssets *assets) {
    if (!FILO_CHECK(assets != NULL, "pass assets")) return (FiloAssetProgress){ 0 };
    FiloAssets *changed = (FiloAssets *)assets; // its lock, and what was shown
    Sum sum = { 0 };
    filo_mutex_lock(&changed->lock);
    for (const AssetRecord *record = assets->first; record != NULL; record = record->next)
        add_to_sum(&sum, record);
    FiloAssetProgress progress = close_sum(&sum, &changed->shown);
    filo_mutex_unlock(&changed->lock);
    return progress;
}

// ---- Groups ---------------------------------------------------------------------------------------------

static AssetGroupRecord *find_group(const FiloAssets *assets, FiloAssetGroup group) {
    return FILO_CHECK_MADE(group.id > 0 && group.id <= assets->groups.count,
                           "pass a group of filo_assets_group")
               ? &assets->groups.items[group.id - 1]
               : NULL;
}

FiloAssetGroup filo_assets_group(FiloAssets *assets, const char *name) {
    if (!FILO_CHECK(assets != NULL && name != NULL && name[0] != '\0', "a group needs a name"))
        return (FiloAssetGroup){ 0 };
    FiloName known = filo_name(name);
    if (known.id == 0) return (FiloAssetGroup){ 0 };
    for (size_t i = 0; i < assets->groups.count; i++)
        if (assets->groups.items[i].name.id == known.id) return (FiloAssetGroup){ (uint32_t)i + 1 };
    AssetGroupRecord group = { .name = known };
    filo_array_init(&group.assets, assets->allocator);
    if (!filo_array_push(&assets->groups, group)) return (FiloAssetGroup){ 0 };
    return (FiloAssetGroup){ (uint32_t)assets->groups.count };
}

FiloAsset filo_assets_group_load(FiloAssets *assets, FiloAssetGroup group, const char *asset_name) {
    AssetGroupRecord *record = find_group(assets, group);
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
    record->shown = 0;
    return asset;
}

FiloAssetProgress filo_assets_group_progress(const FiloAssets *assets, FiloAssetGroup group) {
    AssetGroupRecord *record = find_group(assets, group);
    if (record == NULL) return (FiloAssetProgress){ .fraction = 1.0f };
    Sum sum = { 0 };
    filo_array_each (&record->assets, member) add_to_sum(&sum, assets_asset_record(assets, *member));
    return close_sum(&sum, &record->shown);
}

void filo_assets_group_unload(FiloAssets *assets, FiloAssetGroup group) {
    AssetGroupRecord *record = find_group(assets, group);
    if (record == NULL) return;
    assets_asset_list_release(assets, &record->assets);
    record->shown = 0;
}
