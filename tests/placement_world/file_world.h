// Small worlds for tests of terrain files: maps of values that vary smoothly here and wildly there, their levels of detail
// computed in the simplest way, and files of them.

#ifndef FILO_TESTS_PLACEMENT_WORLD_DATA_WORLD_H
#define FILO_TESTS_PLACEMENT_WORLD_DATA_WORLD_H

#include <filo/files.h>
#include <filo/hash.h>
#include <filo/terrain_file.h>

#include "support/test.h"

#include <stdlib.h>

#define WORLD_WIDTH  301
#define WORLD_HEIGHT 175
#define WORLD_TILE   32

// "height" has 16 bits, "trees" bytes, and "wet" 16 bits with half as many texels a side.
enum { WORLD_HEIGHTS, WORLD_TREES, WORLD_WET, WORLD_CHANNELS };

// A level of detail: `size` bytes a value.
typedef struct WorldMap {
    int width, height;
    size_t size;
    uint16_t values[WORLD_WIDTH * WORLD_HEIGHT];
} WorldMap;

typedef struct World {
    WorldMap levels[WORLD_CHANNELS][6];
    uint8_t bytes[WORLD_WIDTH * WORLD_HEIGHT]; // of level 0 of "trees"
    FiloTerrainMap maps[WORLD_CHANNELS];       // level 0, to be written
    FiloTerrainFileLayout layout;
} World;

static inline uint16_t world_value(int channel, int x, int y) {
    uint64_t noise = filo_hash_u64((uint64_t)channel << 40 ^ (uint64_t)y << 20 ^ (uint64_t)x);
    int smooth = 20000 + 90 * x - 60 * y + x * y % 37;
    if (channel == WORLD_TREES)
        return (uint8_t)(x < 64 && y < 64 ? 0 : x < 150 ? smooth / 256 : (int)(noise & 255));
    return (uint16_t)(x < 200 ? smooth : (int)(noise & 0xFFFF));
}

static inline void world_halve(WorldMap *half, const WorldMap *map) {
    half->width = (map->width + 1) / 2, half->height = (map->height + 1) / 2, half->size = map->size;
    for (int y = 0; y < half->height; y++)
        for (int x = 0; x < half->width; x++) {
            int x1 = 2 * x + 1 < map->width ? 2 * x + 1 : 2 * x,
                y1 = 2 * y + 1 < map->height ? 2 * y + 1 : 2 * y;
            unsigned sum = 2u + map->values[2 * y * map->width + 2 * x] +
                           map->values[2 * y * map->width + x1] + map->values[y1 * map->width + 2 * x] +
                           map->values[y1 * map->width + x1];
            half->values[y * half->width + x] = (uint16_t)(sum / 4);
        }
}

static inline World *world_new(void) {
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    for (int c = 0; c < WORLD_CHANNELS; c++) {
        WorldMap *map = &world->levels[c][0];
        map->width = c == WORLD_WET ? (WORLD_WIDTH + 1) / 2 : WORLD_WIDTH;
        map->height = c == WORLD_WET ? (WORLD_HEIGHT + 1) / 2 : WORLD_HEIGHT;
        map->size = c == WORLD_TREES ? 1 : 2;
        for (int y = 0; y < map->height; y++)
            for (int x = 0; x < map->width; x++) map->values[y * map->width + x] = world_value(c, x, y);
        for (int n = 1; n < 6; n++) world_halve(&world->levels[c][n], &world->levels[c][n - 1]);
        world->maps[c] =
            (FiloTerrainMap){ .data = map->values, .format = FILO_MAP_U16, map->width, map->height };
    }
    for (size_t i = 0; i < FILO_COUNT_OF(world->bytes); i++)
        world->bytes[i] = (uint8_t)world->levels[WORLD_TREES][0].values[i];
    world->maps[WORLD_TREES].data = world->bytes, world->maps[WORLD_TREES].format = FILO_MAP_U8;
    world->layout = (FiloTerrainFileLayout){
        .width = WORLD_WIDTH,
        .height = WORLD_HEIGHT,
        .tile = WORLD_TILE,
        .size = { 602, 350, 100 },
        .channels = { { "height", FILO_MAP_U16, 0, 0 },
                      { "trees", FILO_MAP_U8, 0, 0 },
                      { "wet", FILO_MAP_U16, 1, 0 } },
        .skip_sync = true,
    };
    return world;
}

// Writes the world to a file in the folder of the test, and returns its path.
static inline const char *world_write(const World *world, const char *name) {
    const char *path = filo_test_path(name);
    assert_ok(filo_terrain_file_write(path, &world->layout, world->maps, WORLD_CHANNELS));
    return path;
}

static inline unsigned world_texel(const FiloTerrainMap *map, int x, int y) {
    const uint8_t *texel = (const uint8_t *)map->data + (size_t)y * map->stride + (size_t)x * map->step;
    return map->format == FILO_MAP_U8 ? *texel : *(const uint16_t *)(const void *)texel;
}

// Whether a window has the values of the world.
static inline bool world_has(const World *world, int channel, int level, const FiloTerrainMap *map) {
    const WorldMap *truth = &world->levels[channel][level];
    if (map->full_width != truth->width || map->full_height != truth->height || map->step != truth->size)
        return false;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            if (world_texel(map, x, y) != truth->values[(map->y + y) * truth->width + map->x + x])
                return false;
    return true;
}

// Requests a window, waits for it and compares it.
static inline bool world_window_is_right(const World *world, FiloTerrainFile *data,
                                         FiloTerrainWindowDesc desc) {
    FiloTerrainWindow *window;
    FiloTerrainMap map;
    if (filo_terrain_file_request(&window, data, &desc).code != FILO_OK) return false;
    bool right = filo_terrain_window_wait(window).code == FILO_OK && filo_terrain_window_ready(window) &&
                 filo_terrain_window_map(window, &map).code == FILO_OK &&
                 world_has(world, desc.channel, desc.level, &map);
    filo_terrain_window_release(window);
    return right;
}

// A random window, also over the border and outside of the map.
static inline FiloTerrainWindowDesc world_random_window(uint64_t *random) {
    uint64_t n = filo_hash_u64((*random)++);
    FiloTerrainWindowDesc desc = { .channel = (int)(n % WORLD_CHANNELS), .level = (int)(n >> 8 & 3) };
    desc.x = (int)((n >> 16) % 400) - 50, desc.y = (int)((n >> 32) % 300) - 50;
    desc.width = 1 + (int)((n >> 42) % 90), desc.height = 1 + (int)((n >> 52) % 90);
    desc.priority = (float)(n >> 10 & 7);
    return desc;
}

#endif
