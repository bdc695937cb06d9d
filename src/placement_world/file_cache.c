// Tiles of terrain files in memory: the cache, a list by the last use, and the queue, a binary heap.

#include "placement_world/file_cache.h"

#include <string.h>

// ---- Memory ---------------------------------------------------------------------------------------------------

static void unlink_tile(FiloTerrainFile *data, PlacementWorldTile *tile) {
    *(tile->newer != NULL ? &tile->newer->older : &data->newest) = tile->older;
    *(tile->older != NULL ? &tile->older->newer : &data->oldest) = tile->newer;
    tile->newer = tile->older = NULL;
}

static void link_newest(FiloTerrainFile *data, PlacementWorldTile *tile) {
    tile->newer = NULL, tile->older = data->newest;
    *(data->newest != NULL ? &data->newest->newer : &data->oldest) = tile;
    data->newest = tile;
}

static void free_tile(FiloTerrainFile *data, PlacementWorldTile *tile) {
    data->slots[tile->number].tile = NULL;
    if (tile->values != NULL) placement_world_unuse(data, tile->bytes);
    placement_world_unuse(data, sizeof *tile);
    filo_free(data->allocator, tile->values, tile->bytes, 0);
    filo_free(data->allocator, tile, sizeof *tile, 0);
}

static void evict(FiloTerrainFile *data, PlacementWorldTile *tile) {
    unlink_tile(data, tile);
    data->stats.tiles--;
    free_tile(data, tile);
}

void placement_world_use(FiloTerrainFile *data, size_t bytes) {
    data->stats.used += bytes;
    for (PlacementWorldTile *tile = data->oldest, *newer;
         tile != NULL && data->stats.used > data->stats.budget; tile = newer) {
        newer = tile->newer;
        if (tile->pins > 0) continue;
        evict(data, tile);
        data->stats.dropped++;
    }
    data->stats.peak = FILO_MAX(data->stats.peak, data->stats.used);
}

void placement_world_unuse(FiloTerrainFile *data, size_t bytes) { data->stats.used -= bytes; }

// ---- The queue ------------------------------------------------------------------------------------------------

static bool more_urgent(const PlacementWorldTile *a, const PlacementWorldTile *b) {
    return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

static void put(FiloTerrainFile *data, size_t at, PlacementWorldTile *tile) {
    data->queue[at] = tile;
    tile->queue_at = at;
}

static void move_up(FiloTerrainFile *data, PlacementWorldTile *tile) {
    size_t at = tile->queue_at;
    for (; at > 0 && more_urgent(tile, data->queue[(at - 1) / 2]); at = (at - 1) / 2)
        put(data, at, data->queue[(at - 1) / 2]);
    put(data, at, tile);
}

static void move_down(FiloTerrainFile *data, PlacementWorldTile *tile) {
    size_t at = tile->queue_at;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= data->queue_count) break;
        if (child + 1 < data->queue_count && more_urgent(data->queue[child + 1], data->queue[child])) child++;
        if (!more_urgent(data->queue[child], tile)) break;
        put(data, at, data->queue[child]);
        at = child;
    }
    put(data, at, tile);
}

static void remove_queued(FiloTerrainFile *data, PlacementWorldTile *tile) {
    size_t at = tile->queue_at;
    PlacementWorldTile *last = data->queue[--data->queue_count];
    data->stats.tiles_queued = data->queue_count;
    if (last == tile) return;
    put(data, at, last);
    move_up(data, last);
    move_down(data, last);
}

PlacementWorldTile *placement_world_enqueue(FiloTerrainFile *data, uint32_t number, float priority) {
    if (data->queue_count == data->queue_capacity) {
        size_t size = sizeof(PlacementWorldTile *), wanted = FILO_MAX(data->queue_capacity * 2, (size_t)64);
        PlacementWorldTile **grown =
            filo_resize(data->allocator, data->queue, data->queue_capacity * size, wanted * size, 0);
        if (grown == NULL) return NULL;
        data->queue = grown, data->queue_capacity = wanted;
    }
    PlacementWorldTile *tile = filo_alloc_zero(data->allocator, sizeof *tile, 0);
    if (tile == NULL) return NULL;
    tile->number = number;
    tile->priority = priority;
    tile->sequence = data->sequence++;
    data->slots[number].tile = tile;
    placement_world_use(data, sizeof *tile);
    put(data, data->queue_count++, tile);
    data->stats.tiles_queued = data->queue_count;
    move_up(data, tile);
    return tile;
}

void placement_world_raise_priority(FiloTerrainFile *data, PlacementWorldTile *tile, float priority) {
    if (tile->state != PLACEMENT_WORLD_QUEUED || !(priority > tile->priority)) return;
    tile->priority = priority;
    move_up(data, tile);
}

PlacementWorldTile *placement_world_dequeue(FiloTerrainFile *data) {
    if (data->queue_count == 0) return NULL;
    PlacementWorldTile *tile = data->queue[0];
    remove_queued(data, tile);
    tile->state = PLACEMENT_WORLD_READING;
    return tile;
}

// ---- The cache ------------------------------------------------------------------------------------------------

void placement_world_cache(FiloTerrainFile *data, PlacementWorldTile *tile) {
    tile->state = PLACEMENT_WORLD_READY;
    link_newest(data, tile);
    data->stats.tiles++;
}

void placement_world_touch(FiloTerrainFile *data, PlacementWorldTile *tile) {
    unlink_tile(data, tile);
    link_newest(data, tile);
}

void placement_world_drop(FiloTerrainFile *data, PlacementWorldTile *tile) {
    if (tile->state == PLACEMENT_WORLD_QUEUED) remove_queued(data, tile);
    free_tile(data, tile);
}

void placement_world_drop_all(FiloTerrainFile *data) {
    while (data->queue_count > 0) placement_world_drop(data, data->queue[0]);
    while (data->oldest != NULL) evict(data, data->oldest);
    filo_free(data->allocator, data->queue, data->queue_capacity * sizeof(PlacementWorldTile *), 0);
    data->queue = NULL, data->queue_capacity = 0;
}
