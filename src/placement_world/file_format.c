// Header and index of a terrain file. All numbers are little-endian, and are written and read byte by byte, so that
// neither the machine nor the compiler matters.

#include "placement_world/file_format.h"

#include "base/file_system.h"

#include <filo/scalar.h>

#include <stdio.h>
#include <string.h>

static const char magic[8] = { 'f', 'i', 'l', 'o', 'w', 'd', 'a', 't' };

// Offsets in the header.
enum {
    AT_VERSION = 8,
    AT_CHANNELS = 12,
    AT_WIDTH = 16,
    AT_HEIGHT = 20,
    AT_TILE = 24,
    AT_FLAGS = 28,
    AT_TILE_COUNT = 32,
    AT_INDEX = 40,
    AT_CORNER = 48,
    AT_SIZE = 64,
    AT_LOWEST = 76,
    AT_INDEX_CHECKSUM = 80,
    AT_CHECKSUM = 88,
    // And in the record of a channel, after its name.
    AT_FORMAT = FILO_TERRAIN_FILE_NAME,
    AT_COARSER = 52,
    AT_LEVELS = 56,
    AT_UNUSED = 60,
};

// ---- Numbers --------------------------------------------------------------------------------------------------

static void put(uint8_t *bytes, uint64_t number, int size) {
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(number >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static void put_float(uint8_t *bytes, float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(bytes, bits, 4);
}

static float get_float(const uint8_t *bytes) {
    uint32_t bits = (uint32_t)get(bytes, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void put_double(uint8_t *bytes, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(bytes, bits, 8);
}

static double get_double(const uint8_t *bytes) {
    uint64_t bits = get(bytes, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// ---- Layout ---------------------------------------------------------------------------------------------------

static int half(int size) { return size / 2 + size % 2; }

bool placement_world_layout_complete(PlacementWorldLayout *layout) {
    int tile = layout->info.tile;
    uint64_t count = 0;
    for (int i = 0; i < layout->info.channel_count; i++) {
        PlacementWorldChannel *c = &layout->channels[i];
        int width = layout->info.width, height = layout->info.height, levels = 0;
        for (int n = 0; n < c->coarser; n++) width = half(width), height = half(height);
        for (;;) {
            if (levels == FILO_TERRAIN_FILE_LEVELS) return false;
            PlacementWorldLevel *level = &c->levels[levels++];
            *level = (PlacementWorldLevel){ width, height, (width - 1) / tile + 1, (height - 1) / tile + 1,
                                            (uint32_t)count };
            count += (uint64_t)level->across * (uint64_t)level->down;
            if (count > FILO_TERRAIN_FILE_TILES) return false;
            if (levels == c->level_count || (level->across == 1 && level->down == 1)) break;
            width = half(width), height = half(height);
        }
        if (c->level_count > levels) return false;
        c->level_count = levels;
    }
    layout->tile_count = (uint32_t)count;
    return true;
}

size_t placement_world_header_size(const PlacementWorldLayout *layout) {
    return PLACEMENT_WORLD_HEADER + (size_t)layout->info.channel_count * PLACEMENT_WORLD_RECORD;
}

size_t placement_world_tile_bytes(const PlacementWorldLayout *layout) {
    size_t side = (size_t)layout->info.tile, largest = 0;
    for (int i = 0; i < layout->info.channel_count; i++)
        largest = FILO_MAX(largest, side * side * (size_t)layout->channels[i].value_size);
    return largest;
}

uint32_t placement_world_tile(const PlacementWorldLayout *layout, int channel, int level, int column,
                              int row) {
    const PlacementWorldLevel *l = &layout->channels[channel].levels[level];
    return l->first_tile + (uint32_t)row * (uint32_t)l->across + (uint32_t)column;
}

PlacementWorldSpot placement_world_spot(const PlacementWorldLayout *layout, uint32_t tile) {
    PlacementWorldSpot spot = { 0 };
    while (spot.channel + 1 < layout->info.channel_count &&
           tile >= layout->channels[spot.channel + 1].levels[0].first_tile)
        spot.channel++;
    const PlacementWorldChannel *c = &layout->channels[spot.channel];
    while (spot.level + 1 < c->level_count && tile >= c->levels[spot.level + 1].first_tile) spot.level++;
    const PlacementWorldLevel *level = &c->levels[spot.level];
    uint32_t in_level = tile - level->first_tile;
    spot.row = (int)(in_level / (uint32_t)level->across);
    spot.column = (int)(in_level % (uint32_t)level->across);
    int side = layout->info.tile;
    spot.width = FILO_MIN(side, level->width - spot.column * side);
    spot.height = FILO_MIN(side, level->height - spot.row * side);
    spot.value_size = c->value_size;
    spot.bytes = (size_t)spot.width * (size_t)spot.height * (size_t)spot.value_size;
    return spot;
}

FiloResult placement_world_tile_error(FiloCode code, const char *path, const PlacementWorldLayout *layout,
                                      uint32_t tile, const char *cause) {
    PlacementWorldSpot spot = placement_world_spot(layout, tile);
    char text[160];
    snprintf(text, sizeof text, "%s in tile (%d, %d) of level %d of \"%s\"", cause, spot.column, spot.row,
             spot.level, layout->channels[spot.channel].name);
    return base_fs_error(code, path, text);
}

// ---- Header ---------------------------------------------------------------------------------------------------

// Of everything in the header but the checksum itself.
static uint64_t checksum(const uint8_t *bytes, size_t size) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, bytes, AT_CHECKSUM);
    filo_hasher_add(&hasher, bytes + PLACEMENT_WORLD_HEADER, size - PLACEMENT_WORLD_HEADER);
    return filo_hasher_finish(&hasher);
}

void placement_world_header_write(const PlacementWorldLayout *layout, uint8_t *bytes) {
    const FiloTerrainFileInfo *info = &layout->info;
    size_t size = placement_world_header_size(layout);
    memset(bytes, 0, size);
    memcpy(bytes, magic, sizeof magic);
    put(bytes + AT_VERSION, PLACEMENT_WORLD_VERSION, 4);
    put(bytes + AT_CHANNELS, (uint64_t)info->channel_count, 4);
    put(bytes + AT_WIDTH, (uint64_t)info->width, 4);
    put(bytes + AT_HEIGHT, (uint64_t)info->height, 4);
    put(bytes + AT_TILE, (uint64_t)info->tile, 4);
    put(bytes + AT_TILE_COUNT, layout->tile_count, 8);
    put(bytes + AT_INDEX, layout->index_offset, 8);
    put_double(bytes + AT_CORNER, info->corner_x);
    put_double(bytes + AT_CORNER + 8, info->corner_y);
    put_float(bytes + AT_SIZE, info->size.x);
    put_float(bytes + AT_SIZE + 4, info->size.y);
    put_float(bytes + AT_SIZE + 8, info->size.z);
    put_float(bytes + AT_LOWEST, info->lowest);
    put(bytes + AT_INDEX_CHECKSUM, layout->index_checksum, 8);
    for (int i = 0; i < info->channel_count; i++) {
        const PlacementWorldChannel *c = &layout->channels[i];
        uint8_t *record = bytes + PLACEMENT_WORLD_HEADER + (size_t)i * PLACEMENT_WORLD_RECORD;
        memcpy(record, c->name, strlen(c->name));
        put(record + AT_FORMAT, (uint64_t)c->value_size, 4);
        put(record + AT_COARSER, (uint64_t)c->coarser, 4);
        put(record + AT_LEVELS, (uint64_t)c->level_count, 4);
    }
    put(bytes + AT_CHECKSUM, checksum(bytes, size), 8);
}

static bool read_channel(PlacementWorldLayout *layout, int channel, const uint8_t *record) {
    PlacementWorldChannel *c = &layout->channels[channel];
    memcpy(c->name, record, FILO_TERRAIN_FILE_NAME);
    uint64_t value_size = get(record + AT_FORMAT, 4), coarser = get(record + AT_COARSER, 4);
    uint64_t levels = get(record + AT_LEVELS, 4);
    if (c->name[0] == '\0' || memchr(c->name, '\0', FILO_TERRAIN_FILE_NAME) == NULL) return false;
    for (int i = 0; i < channel; i++)
        if (strcmp(layout->channels[i].name, c->name) == 0) return false;
    if (value_size < 1 || value_size > 2 || coarser > PLACEMENT_WORLD_COARSER || levels < 1 ||
        levels > FILO_TERRAIN_FILE_LEVELS || get(record + AT_UNUSED, 4) != 0)
        return false;
    c->value_size = (int)value_size, c->coarser = (int)coarser, c->level_count = (int)levels;
    return true;
}

static bool read_sizes(FiloTerrainFileInfo *info, const uint8_t *bytes) {
    uint64_t width = get(bytes + AT_WIDTH, 4), height = get(bytes + AT_HEIGHT, 4),
             tile = get(bytes + AT_TILE, 4);
    if (width < 1 || width > FILO_TERRAIN_FILE_SIDE || height < 1 || height > FILO_TERRAIN_FILE_SIDE)
        return false;
    if (tile < PLACEMENT_WORLD_TILE_MIN || tile > PLACEMENT_WORLD_TILE_MAX || (tile & (tile - 1)) != 0)
        return false;
    info->width = (int)width, info->height = (int)height, info->tile = (int)tile;
    info->corner_x = get_double(bytes + AT_CORNER), info->corner_y = get_double(bytes + AT_CORNER + 8);
    info->size.x = get_float(bytes + AT_SIZE), info->size.y = get_float(bytes + AT_SIZE + 4);
    info->size.z = get_float(bytes + AT_SIZE + 8), info->lowest = get_float(bytes + AT_LOWEST);
    double all[] = { info->corner_x, info->corner_y, info->size.x, info->size.y, info->size.z, info->lowest };
    for (size_t i = 0; i < FILO_COUNT_OF(all); i++)
        if (!(all[i] - all[i] == 0)) return false; // infinite or not a number
    return info->size.x >= 0 && info->size.y >= 0;
}

static FiloResult untrue(const char *path) {
    return base_fs_error(FILO_ERROR_DATA, path, "its sizes cannot be true");
}

FiloResult placement_world_header_read(PlacementWorldLayout *layout, const uint8_t *bytes, size_t size,
                                       uint64_t file_size, const char *path) {
    memset(layout, 0, sizeof *layout);
    FiloTerrainFileInfo *info = &layout->info;
    if (size < PLACEMENT_WORLD_HEADER || memcmp(bytes, magic, sizeof magic) != 0)
        return base_fs_error(FILO_ERROR_DATA, path, "not a terrain file");
    uint64_t version = get(bytes + AT_VERSION, 4), channels = get(bytes + AT_CHANNELS, 4);
    if (version != PLACEMENT_WORLD_VERSION) {
        char text[96];
        snprintf(text, sizeof text, "a terrain file in format %u; this program understands %d",
                 (unsigned)version, PLACEMENT_WORLD_VERSION);
        return base_fs_error(FILO_ERROR_UNSUPPORTED, path, text);
    }
    if (channels < 1 || channels > FILO_TERRAIN_FILE_CHANNELS) return untrue(path);
    info->channel_count = (int)channels;
    size_t header_size = placement_world_header_size(layout);
    if (size < header_size) return base_fs_error(FILO_ERROR_DATA, path, "incomplete: it ends in its header");
    if (get(bytes + AT_CHECKSUM, 8) != checksum(bytes, header_size))
        return base_fs_error(FILO_ERROR_DATA, path, "damaged (the checksum of its header is wrong)");
    if (!read_sizes(info, bytes) || get(bytes + AT_FLAGS, 4) != 0) return untrue(path);
    for (int i = 0; i < info->channel_count; i++)
        if (!read_channel(layout, i, bytes + PLACEMENT_WORLD_HEADER + (size_t)i * PLACEMENT_WORLD_RECORD))
            return untrue(path);
    info->file_size = file_size;
    layout->index_offset = get(bytes + AT_INDEX, 8);
    layout->index_checksum = get(bytes + AT_INDEX_CHECKSUM, 8);
    if (!placement_world_layout_complete(layout) || get(bytes + AT_TILE_COUNT, 8) != layout->tile_count ||
        layout->index_offset < header_size)
        return untrue(path);
    uint64_t index_size = (uint64_t)layout->tile_count * PLACEMENT_WORLD_ENTRY;
    if (layout->index_offset > file_size || file_size - layout->index_offset < index_size)
        return base_fs_error(FILO_ERROR_DATA, path, "incomplete: it is shorter than its header says");
    return file_size - layout->index_offset > index_size ? untrue(path) : filo_ok();
}

// ---- Index ----------------------------------------------------------------------------------------------------

void placement_world_entry_write(const PlacementWorldEntry *entry, uint8_t bytes[PLACEMENT_WORLD_ENTRY]) {
    put(bytes, entry->offset, 8);
    put(bytes + 8, entry->checksum, 8);
    put(bytes + 16, entry->size, 4);
    put(bytes + 20, entry->encoding, 4);
}

PlacementWorldEntry placement_world_entry_read(const uint8_t bytes[PLACEMENT_WORLD_ENTRY]) {
    return (PlacementWorldEntry){ get(bytes, 8), get(bytes + 8, 8), (uint32_t)get(bytes + 16, 4),
                                  (uint32_t)get(bytes + 20, 4) };
}

bool placement_world_entry_valid(const PlacementWorldLayout *layout, const PlacementWorldEntry *entry,
                                 const PlacementWorldSpot *spot) {
    if (entry->size == 0) return entry->offset == 0 && entry->checksum == 0 && entry->encoding == 0;
    if (entry->encoding >= PLACEMENT_WORLD_ENCODINGS || entry->size > spot->bytes) return false;
    if (entry->encoding == PLACEMENT_WORLD_PLAIN && entry->size != spot->bytes) return false;
    return entry->offset >= placement_world_header_size(layout) && entry->offset <= layout->index_offset &&
           layout->index_offset - entry->offset >= entry->size;
}
