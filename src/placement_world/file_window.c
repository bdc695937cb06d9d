// Windows of terrain files: rectangles that are put together from tiles.

#include "placement_world/file_cache.h"

#include "base/file_system.h"

#include <string.h>

#define VALUES_ALIGN 64

// ---- Copying --------------------------------------------------------------------------------------------------

static uint8_t *values_of(FiloTerrainWindow *window) { return (uint8_t *)(uintptr_t)window->map.data; }

// Copies what a part has in common with its tile, or zeroes it. Without the lock.
static void copy_part(FiloTerrainWindow *window, const PlacementWorldPart *part, const void *values) {
    const FiloTerrainFile *data = window->data;
    const FiloTerrainMap *map = &window->map;
    PlacementWorldSpot spot =
        placement_world_spot(&data->layout, placement_world_tile(&data->layout, window->channel,
                                                                 window->level, part->column, part->row));
    size_t size = (size_t)spot.value_size;
    int left = part->column * data->layout.info.tile, below = part->row * data->layout.info.tile;
    int x0 = FILO_MAX(left, map->x), x1 = FILO_MIN(left + spot.width, map->x + map->width);
    int y0 = FILO_MAX(below, map->y), y1 = FILO_MIN(below + spot.height, map->y + map->height);
    for (int y = y0; y < y1; y++) {
        uint8_t *to = values_of(window) + (size_t)(y - map->y) * map->stride + (size_t)(x0 - map->x) * size;
        if (values == NULL)
            memset(to, 0, (size_t)(x1 - x0) * size);
        else
            memcpy(to,
                   (const uint8_t *)values +
                       ((size_t)(y - below) * (size_t)spot.width + (size_t)(x0 - left)) * size,
                   (size_t)(x1 - x0) * size);
    }
}

// ---- The end of a window --------------------------------------------------------------------------------------

static void free_if_unused(FiloTerrainWindow *window) {
    FiloTerrainFile *data = window->data;
    if (window->leases > 0 || window->holds > 0) return;
    data->stats.window_bytes -= window->size;
    placement_world_unuse(data, window->size);
    filo_free(data->allocator, window, window->size, VALUES_ALIGN);
}

static void unlink_part(PlacementWorldPart *part) {
    *(part->previous != NULL ? &part->previous->next : &part->tile->parts) = part->next;
    if (part->next != NULL) part->next->previous = part->previous;
    part->next = part->previous = NULL;
}

// The window is not wanted any more: tiles in the queue that no other window waits for are not read.
static void withdraw(FiloTerrainWindow *window) {
    for (size_t i = 0; i < window->part_count; i++) {
        PlacementWorldPart *part = &window->parts[i];
        if (part->state != PLACEMENT_WORLD_WAITS || part->tile == NULL) continue;
        PlacementWorldTile *tile = part->tile;
        unlink_part(part);
        part->state = PLACEMENT_WORLD_DONE;
        if (tile->parts == NULL && tile->state == PLACEMENT_WORLD_QUEUED)
            placement_world_drop(window->data, tile);
    }
}

static void release(FiloTerrainWindow *window) {
    if (--window->leases > 0) return;
    window->data->stats.window_count--; // a reader may still hold it
    withdraw(window);
    free_if_unused(window);
}

static void finish_part(PlacementWorldPart *part, const FiloResult *result) {
    FiloTerrainWindow *window = part->window;
    part->state = PLACEMENT_WORLD_DONE;
    if (result->code != FILO_OK && window->result.code == FILO_OK) window->result = *result;
    if (--window->pending == 0) placement_world_wake(window->data, &window->waiters);
}

void placement_world_distribute(FiloTerrainFile *data, PlacementWorldTile *tile, const FiloResult *result) {
    PlacementWorldPart *parts = tile->parts;
    tile->parts = NULL;
    for (PlacementWorldPart *part = parts; part != NULL; part = part->next) {
        part->state = PLACEMENT_WORLD_COPIES;
        part->window->holds++;
    }
    if (result->code == FILO_OK && parts != NULL) {
        filo_mutex_unlock(&data->lock);
        for (PlacementWorldPart *part = parts; part != NULL; part = part->next)
            copy_part(part->window, part, tile->values);
        filo_mutex_lock(&data->lock);
    }
    for (PlacementWorldPart *part = parts, *next; part != NULL; part = next) {
        next = part->next;
        finish_part(part, result);
        part->window->holds--;
        free_if_unused(part->window);
    }
}

// ---- Requesting -----------------------------------------------------------------------------------------------

// Clips [begin, begin + size) to [0, full), so that at least one remains.
static void clip(int *begin, int *size, int full) {
    int64_t end = (int64_t)*begin + *size;
    *begin = FILO_CLAMP(*begin, 0, full - 1);
    *size = (int)FILO_CLAMP(end, (int64_t)*begin + 1, (int64_t)full) - *begin;
}

// Adds a part to what its tile brings, or to what is copied at once. False without memory.
static bool begin_part(FiloTerrainFile *data, PlacementWorldPart *part, uint32_t number, float priority) {
    PlacementWorldSlot *slot = &data->slots[number];
    if (slot->entry.size == 0) {
        part->state = PLACEMENT_WORLD_COPIES;
        return true;
    }
    PlacementWorldTile *tile = slot->tile;
    if (tile == NULL) tile = placement_world_enqueue(data, number, priority);
    if (tile == NULL) return false;
    part->tile = tile;
    if (tile->state == PLACEMENT_WORLD_READY) {
        part->state = PLACEMENT_WORLD_COPIES;
        tile->pins++;
        placement_world_touch(data, tile);
        data->stats.hits++;
        return true;
    }
    placement_world_raise_priority(data, tile, priority);
    part->next = tile->parts;
    if (tile->parts != NULL) tile->parts->previous = part;
    tile->parts = part;
    return true;
}

// Copies what is in the cache, without the lock meanwhile.
static void copy_cached(FiloTerrainFile *data, FiloTerrainWindow *window) {
    window->holds++; // readers finish other parts meanwhile
    filo_mutex_unlock(&data->lock);
    for (size_t i = 0; i < window->part_count; i++) {
        PlacementWorldPart *part = &window->parts[i];
        if (part->by_caller) copy_part(window, part, part->tile != NULL ? part->tile->values : NULL);
    }
    filo_mutex_lock(&data->lock);
    const FiloResult ok = filo_ok();
    for (size_t i = 0; i < window->part_count; i++) {
        PlacementWorldPart *part = &window->parts[i];
        if (!part->by_caller) continue;
        if (part->tile != NULL) part->tile->pins--;
        finish_part(part, &ok);
    }
    window->holds--;
    placement_world_use(data, 0); // what could not be dropped while it was pinned
}

static FiloTerrainWindow *make_window(FiloTerrainFile *data, const FiloTerrainWindowDesc *desc,
                                      FiloTerrainMap map, FiloResult *result) {
    int tile = data->layout.info.tile;
    int across = (map.x + map.width - 1) / tile - map.x / tile + 1;
    int down = (map.y + map.height - 1) / tile - map.y / tile + 1;
    size_t parts = (size_t)across * (size_t)down;
    size_t head =
        FILO_ALIGN_UP(sizeof(FiloTerrainWindow) + parts * sizeof(PlacementWorldPart), (size_t)VALUES_ALIGN);
    size_t size = head + map.stride * (size_t)map.height;
    size_t available = data->stats.budget - data->reserved;
    filo_mutex_lock(&data->lock);
    bool fits = size <= available && data->stats.window_bytes <= available - size;
    if (fits) data->stats.window_bytes += size, data->stats.window_count++, placement_world_use(data, size);
    size_t in_use = data->stats.window_bytes;
    filo_mutex_unlock(&data->lock);
    FiloTerrainWindow *window = fits ? filo_alloc(data->allocator, size, VALUES_ALIGN) : NULL;
    if (window == NULL) {
        if (!fits) {
            *result =
                filo_error(FILO_ERROR_MEMORY, "%s: no room for a window of %zu bytes: %zu of %zu are in use",
                           data->path, size, in_use, available);
            return NULL;
        }
        *result = base_fs_error(FILO_ERROR_MEMORY, data->path, "no memory for a window");
        filo_mutex_lock(&data->lock);
        data->stats.window_bytes -= size, data->stats.window_count--, placement_world_unuse(data, size);
        filo_mutex_unlock(&data->lock);
        return NULL;
    }
    memset(window, 0, head);
    map.data = (uint8_t *)window + head;
    window->data = data, window->map = map, window->size = size, window->leases = 1;
    window->channel = desc->channel, window->level = desc->level;
    window->pending = window->part_count = parts;
    for (size_t i = 0; i < window->part_count; i++) {
        window->parts[i].window = window;
        window->parts[i].column = map.x / tile + (int)(i % (size_t)across);
        window->parts[i].row = map.y / tile + (int)(i / (size_t)across);
    }
    return window;
}

static FiloResult check_desc(const FiloTerrainFile *data, const FiloTerrainWindowDesc *desc) {
    if (desc->channel < 0 || desc->channel >= data->layout.info.channel_count)
        return FILO_MISTAKE("there is no channel %d: %s has %d", desc->channel, data->path,
                            data->layout.info.channel_count);
    const PlacementWorldChannel *c = &data->layout.channels[desc->channel];
    if (desc->level < 0 || desc->level >= c->level_count)
        return FILO_MISTAKE("there is no level %d: \"%s\" of %s has %d", desc->level, c->name, data->path,
                            c->level_count);
    if (desc->width < 1 || desc->height < 1)
        return FILO_MISTAKE("a window has at least one texel, not %d × %d", desc->width, desc->height);
    if (desc->priority != desc->priority) return FILO_MISTAKE("the priority of a window is not a number");
    return filo_ok();
}

FiloResult filo_terrain_file_request(FiloTerrainWindow **window, FiloTerrainFile *data,
                                     const FiloTerrainWindowDesc *desc) {
    if (window != NULL) *window = NULL;
    if (window == NULL || data == NULL || desc == NULL)
        return FILO_MISTAKE("pass a terrain file, a description, and a pointer for the window");
    FiloResult result = check_desc(data, desc);
    if (result.code != FILO_OK) return result;
    const PlacementWorldChannel *c = &data->layout.channels[desc->channel];
    const PlacementWorldLevel *level = &c->levels[desc->level];
    FiloTerrainMap map = { .format = c->value_size == 1 ? FILO_MAP_U8 : FILO_MAP_U16,
                           .width = desc->width,
                           .height = desc->height,
                           .step = (size_t)c->value_size,
                           .x = desc->x,
                           .y = desc->y,
                           .full_width = level->width,
                           .full_height = level->height };
    clip(&map.x, &map.width, level->width);
    clip(&map.y, &map.height, level->height);
    map.stride = (size_t)map.width * map.step;
    FiloTerrainWindow *w = make_window(data, desc, map, &result);
    if (w == NULL) return result;

    filo_mutex_lock(&data->lock);
    bool begun = true;
    for (size_t i = 0; i < w->part_count && begun; i++) {
        PlacementWorldPart *part = &w->parts[i];
        begun = begin_part(
            data, part,
            placement_world_tile(&data->layout, desc->channel, desc->level, part->column, part->row),
            desc->priority);
        part->by_caller = begun && part->state == PLACEMENT_WORLD_COPIES;
    }
    copy_cached(data, w);
    if (begun && placement_world_start_readers(data)) {
        *window = w;
    } else {
        release(w);
        result = base_fs_error(FILO_ERROR_MEMORY, data->path, "no memory to read it");
    }
    filo_mutex_unlock(&data->lock);
    return result;
}

// ---- Windows --------------------------------------------------------------------------------------------------

// The lock changes; what a window is does not.
static FiloTerrainFile *lock_data(const FiloTerrainWindow *window) {
    filo_mutex_lock(&window->data->lock);
    return window->data;
}

bool filo_terrain_window_ready(const FiloTerrainWindow *window) {
    if (window == NULL) return true;
    FiloTerrainFile *data = lock_data(window);
    bool ready = window->pending == 0;
    filo_mutex_unlock(&data->lock);
    return ready;
}

FiloResult filo_terrain_window_wait(FiloTerrainWindow *window) {
    if (window == NULL) return FILO_MISTAKE("pass a window of a terrain file");
    FiloTerrainFile *data = lock_data(window);
    bool worker = data->jobs != NULL && filo_jobs_worker(data->jobs) >= 0;
    while (window->pending > 0) {
        if (!worker) placement_world_help(data, window);
        if (window->pending > 0) placement_world_sleep(data, &window->waiters);
    }
    FiloResult result = window->result;
    filo_mutex_unlock(&data->lock);
    return result;
}

FiloResult filo_terrain_window_map(const FiloTerrainWindow *window, FiloTerrainMap *map) {
    if (map != NULL) *map = (FiloTerrainMap){ 0 };
    if (window == NULL || map == NULL)
        return FILO_MISTAKE("pass a window of a terrain file, and a place for its map");
    FiloTerrainFile *data = lock_data(window);
    FiloResult result = window->result;
    if (window->pending > 0)
        result = base_fs_error(FILO_ERROR_BUSY, data->path, "the window is not ready");
    else if (result.code == FILO_OK)
        *map = window->map;
    filo_mutex_unlock(&data->lock);
    return result;
}

void filo_terrain_window_retain(FiloTerrainWindow *window) {
    if (!FILO_CHECK(window != NULL, "pass a window of a terrain file")) return;
    FiloTerrainFile *data = lock_data(window);
    window->leases++;
    filo_mutex_unlock(&data->lock);
}

void filo_terrain_window_release(FiloTerrainWindow *window) {
    if (window == NULL) return;
    FiloTerrainFile *data = lock_data(window);
    release(window);
    filo_mutex_unlock(&data->lock);
}
