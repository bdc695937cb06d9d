// The windows of terrain files that computing an area of a placement needs.

#include "placement_world/file_cache.h"

#include "base/file_system.h"

#include <string.h>

// Texels around what the filter reads, for the roundings of placement: a bilinear filter reads the texel before and
// after a point, and positions are floats.
#define MARGIN 2

// The texels of an axis between two positions, both in metres from the beginning of the world.
static void texels_between(double low, double high, double size, int full, int *begin, int *count) {
    double first = low / size * full - MARGIN - 1, last = high / size * full + MARGIN + 1;
    first = FILO_CLAMP(first, 0.0, (double)(full - 1));
    last = FILO_CLAMP(last, first, (double)(full - 1));
    *begin = (int)first;
    *count = (int)last - *begin + 1;
}

static FiloResult check_area(const FiloPlacementArea *a) {
    if (!(a->x0 - a->x0 == 0 && a->y0 - a->y0 == 0 && a->x1 - a->x1 == 0 && a->y1 - a->y1 == 0))
        return filo_error(FILO_ERROR_DATA, "the area %g, %g to %g, %g is not finite", a->x0, a->y0, a->x1,
                          a->y1);
    if (!(a->x0 < a->x1 && a->y0 < a->y1))
        return filo_error(FILO_ERROR_DATA, "the area %g, %g to %g, %g is empty: its lower corner comes first",
                          a->x0, a->y0, a->x1, a->y1);
    return filo_ok();
}

// Both must mean the same world: a texel would be elsewhere otherwise.
static FiloResult check_world(const FiloTerrainFile *data, const FiloPlacement *placement) {
    const FiloTerrainFileInfo *info = &data->layout.info;
    if (!(info->size.x > 0 && info->size.y > 0))
        return base_fs_error(FILO_ERROR_DATA, data->path, "the file does not say how large the world is");
    FiloVec3 size = filo_placement_size(placement);
    if (size.x != info->size.x || size.y != info->size.y)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the world of the file has %g × %g metres, and that of the placement %g × %g",
                          data->path, (double)info->size.x, (double)info->size.y, (double)size.x,
                          (double)size.y);
    FiloPlacementPosition corner = filo_placement_corner(placement);
    if (corner.x != info->corner_x || corner.y != info->corner_y)
        return filo_error(FILO_ERROR_DATA,
                          "%s: the world of the file begins at %g, %g, and that of the placement at %g, %g",
                          data->path, info->corner_x, info->corner_y, corner.x, corner.y);
    // A placement without a heightmap gets its heights from the file, unless its size says that it is flat.
    if (filo_terrain_file_channel_find(data, "height") >= 0 && size.z != 0 &&
        (size.z != info->size.z || corner.z != (double)info->lowest))
        return filo_error(
            FILO_ERROR_DATA,
            "%s: heights of the file are from %g to %g metres, and those of the placement from %g to %g",
            data->path, (double)info->lowest, (double)info->lowest + (double)info->size.z, corner.z,
            corner.z + (double)size.z);
    return filo_ok();
}

// A placement has no values of a map that is not in memory: the file must have them.
static FiloResult check_maps(const FiloTerrainFile *data, const FiloPlacement *placement) {
    for (int map = 0;; map++) {
        FiloPlacementMapInfo info = filo_placement_map_info(placement, map);
        if (info.name[0] == '\0') return filo_ok();
        if (info.whole) continue;
        bool found = false;
        for (int i = 0; i < data->layout.info.channel_count && !found; i++)
            found = filo_placement_map_find(placement, data->layout.channels[i].name) == map;
        if (!found)
            return filo_error(
                FILO_ERROR_NOT_FOUND,
                "%s: the placement needs windows of its map \"%s\", and no channel has this name", data->path,
                info.name);
    }
}

static FiloResult request_channel(FiloTerrainWindows *windows, FiloTerrainFile *data, int channel,
                                  const FiloPlacement *placement, const FiloTerrainWindowsDesc *desc) {
    const FiloTerrainFileInfo *info = &data->layout.info;
    const PlacementWorldChannel *c = &data->layout.channels[channel];
    if (desc->level < 0 || desc->level >= c->level_count)
        return FILO_MISTAKE("there is no level %d: \"%s\" of %s has %d", desc->level, c->name, data->path,
                            c->level_count);
    const PlacementWorldLevel *level = &c->levels[desc->level];
    int map = filo_placement_map_find(placement, c->name);
    double reach = filo_placement_reach(placement);
    FiloPlacementMapInfo of = filo_placement_map_info(placement, map);
    if (of.width > 0 && (of.width != level->width || of.height != level->height))
        return filo_error(FILO_ERROR_DATA,
                          "%s: level %d of \"%s\" has %d × %d texels, and this map of the placement %d × %d",
                          data->path, desc->level, c->name, level->width, level->height, of.width, of.height);
    FiloTerrainWindowDesc window = { .channel = channel, .level = desc->level, .priority = desc->priority };
    texels_between(desc->area.x0 - reach - info->corner_x, desc->area.x1 + reach - info->corner_x,
                   (double)info->size.x, level->width, &window.x, &window.width);
    texels_between(desc->area.y0 - reach - info->corner_y, desc->area.y1 + reach - info->corner_y,
                   (double)info->size.y, level->height, &window.y, &window.height);
    FiloResult result = filo_terrain_file_request(&windows->leases[windows->count], data, &window);
    if (result.code == FILO_OK) windows->windows[windows->count++].map = map;
    return result;
}

FiloResult filo_terrain_windows_request(FiloTerrainWindows *windows, FiloTerrainFile *data,
                                        const FiloPlacement *placement, const FiloTerrainWindowsDesc *desc) {
    if (windows != NULL) memset(windows, 0, sizeof *windows);
    if (windows == NULL || data == NULL || placement == NULL || desc == NULL)
        return FILO_MISTAKE("pass a terrain file, a placement, a description, and a place for the windows");
    FiloResult result = check_area(&desc->area);
    if (result.code == FILO_OK) result = check_world(data, placement);
    for (int i = 0; i < data->layout.info.channel_count && result.code == FILO_OK; i++) {
        int map = filo_placement_map_find(placement, data->layout.channels[i].name);
        if (map >= 0) result = request_channel(windows, data, i, placement, desc);
    }
    if (result.code == FILO_OK && windows->count == 0)
        result = base_fs_error(FILO_ERROR_NOT_FOUND, data->path,
                               "no channel has the name of a map of the placement");
    if (result.code == FILO_OK) result = check_maps(data, placement);
    if (result.code != FILO_OK) filo_terrain_windows_release(windows);
    return result;
}

bool filo_terrain_windows_ready(const FiloTerrainWindows *windows) {
    if (!FILO_CHECK(windows != NULL, "pass the windows that were requested")) return true;
    for (size_t i = 0; i < windows->count; i++)
        if (!filo_terrain_window_ready(windows->leases[i])) return false;
    return true;
}

FiloResult filo_terrain_windows_wait(FiloTerrainWindows *windows) {
    if (windows == NULL) return FILO_MISTAKE("pass the windows that were requested");
    FiloResult result = filo_ok();
    for (size_t i = 0; i < windows->count; i++) {
        FiloResult one = filo_terrain_window_wait(windows->leases[i]);
        if (one.code == FILO_OK)
            one = filo_terrain_window_map(windows->leases[i], &windows->windows[i].window);
        if (result.code == FILO_OK) result = one;
    }
    return result;
}

void filo_terrain_windows_release(FiloTerrainWindows *windows) {
    if (!FILO_CHECK(windows != NULL, "pass the windows that were requested")) return;
    for (size_t i = 0; i < windows->count; i++) filo_terrain_window_release(windows->leases[i]);
    memset(windows, 0, sizeof *windows);
}
