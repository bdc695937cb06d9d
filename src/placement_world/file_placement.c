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

static FiloResult check(const FiloTerrainFile *data, const FiloTerrainWindowsDesc *desc) {
    const FiloPlacementArea *a = &desc->area;
    if (!(a->x0 - a->x0 == 0 && a->y0 - a->y0 == 0 && a->x1 - a->x1 == 0 && a->y1 - a->y1 == 0) ||
        !(a->x0 < a->x1 && a->y0 < a->y1))
        return FILO_MISTAKE("the area %g, %g to %g, %g must be finite, with the lower corner first", a->x0,
                            a->y0, a->x1, a->y1);
    const FiloTerrainFileInfo *info = &data->layout.info;
    if (!(info->size.x > 0 && info->size.y > 0))
        return base_fs_error(FILO_ERROR_DATA, data->path, "the file does not say how large the world is");
    return filo_ok();
}

static FiloResult request_channel(FiloTerrainWindows *windows, FiloTerrainFile *data, int channel, int map,
                                  double reach, const FiloTerrainWindowsDesc *desc) {
    const FiloTerrainFileInfo *info = &data->layout.info;
    const PlacementWorldChannel *c = &data->layout.channels[channel];
    if (desc->level < 0 || desc->level >= c->level_count)
        return FILO_MISTAKE("there is no level %d: \"%s\" of %s has %d", desc->level, c->name, data->path,
                            c->level_count);
    const PlacementWorldLevel *level = &c->levels[desc->level];
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
    FiloResult result = check(data, desc);
    double reach = filo_placement_reach(placement);
    for (int i = 0; i < data->layout.info.channel_count && result.code == FILO_OK; i++) {
        int map = filo_placement_map_find(placement, data->layout.channels[i].name);
        if (map >= 0) result = request_channel(windows, data, i, map, reach, desc);
    }
    if (result.code == FILO_OK && windows->count == 0)
        result = base_fs_error(FILO_ERROR_NOT_FOUND, data->path,
                               "no channel has the name of a map of the placement");
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
