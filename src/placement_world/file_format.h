// A terrain file: its layout, and how tiles are encoded. docs/terrain-files.md describes every byte.
//
//   data_format.c     header and index: writing, reading, checking
//   data_codec.c      tiles: conversion, compression, the next level of detail
//   data_write.c      the writer
//   data_read.c       opening, closing, and reading tiles in the background
//   data_cache.c      tiles in memory, and the queue of those to be read
//   data_window.c     windows, which are assembled from tiles
//   data_placement.c  the windows that a placement needs
//
// Tiles are numbered through the whole file: channel by channel, in each level by level, in each row by row.

#ifndef FILO_PLACEMENT_WORLD_DATA_FORMAT_H
#define FILO_PLACEMENT_WORLD_DATA_FORMAT_H

#include <filo/hash.h>
#include <filo/terrain_file.h>

#include <zstd.h>

#define PLACEMENT_WORLD_VERSION  1
#define PLACEMENT_WORLD_HEADER   96 // bytes
#define PLACEMENT_WORLD_RECORD   64 // bytes that describe a channel
#define PLACEMENT_WORLD_ENTRY    24 // bytes of a tile in the index
#define PLACEMENT_WORLD_TILE_MIN 16
#define PLACEMENT_WORLD_TILE_MAX 1024
#define PLACEMENT_WORLD_COARSER  12
#define PLACEMENT_WORLD_HEADER_LARGE                                                                         \
    (PLACEMENT_WORLD_HEADER + FILO_TERRAIN_FILE_CHANNELS * PLACEMENT_WORLD_RECORD)

// How the bytes of a tile are stored.
typedef enum PlacementWorldEncoding {
    PLACEMENT_WORLD_PLAIN,    // the values, little-endian, row by row
    PLACEMENT_WORLD_FILTERED, // differences from neighbours, compressed by zstd
    PLACEMENT_WORLD_ENCODINGS
} PlacementWorldEncoding;

typedef struct PlacementWorldLevel {
    int width, height;   // texels
    int across, down;    // tiles
    uint32_t first_tile; // its number
} PlacementWorldLevel;

typedef struct PlacementWorldChannel {
    char name[FILO_TERRAIN_FILE_NAME];
    int value_size; // bytes: 1 or 2
    int coarser, level_count;
    PlacementWorldLevel levels[FILO_TERRAIN_FILE_LEVELS];
} PlacementWorldChannel;

typedef struct PlacementWorldLayout {
    FiloTerrainFileInfo info;
    PlacementWorldChannel channels[FILO_TERRAIN_FILE_CHANNELS];
    uint32_t tile_count;
    uint64_t index_offset;
    uint64_t index_checksum;
} PlacementWorldLayout;

// Where the bytes of a tile are in the file. A size of 0: all values are 0.
typedef struct PlacementWorldEntry {
    uint64_t offset, checksum;
    uint32_t size, encoding;
} PlacementWorldEntry;

// A tile by its position.
typedef struct PlacementWorldSpot {
    int channel, level;
    int column, row;
    int width, height; // texels: less than a whole tile at the right and upper border
    int value_size;
    size_t bytes; // of its values
} PlacementWorldSpot;

// ---- data_format.c --------------------------------------------------------------------------------------------

// Computes sizes, levels and numbers of tiles from `info`, the channels' `coarser` and `level_count` (0: all). False if
// there are too many tiles or levels.
bool placement_world_layout_complete(PlacementWorldLayout *layout);
size_t placement_world_header_size(const PlacementWorldLayout *layout);
// Writes placement_world_header_size bytes.
void placement_world_header_write(const PlacementWorldLayout *layout, uint8_t *bytes);
// Reads and checks everything but the index. `bytes` are the first `size` of the file, PLACEMENT_WORLD_HEADER_LARGE or the
// whole file if it is shorter.
FiloResult placement_world_header_read(PlacementWorldLayout *layout, const uint8_t *bytes, size_t size,
                                       uint64_t file_size, const char *path);
void placement_world_entry_write(const PlacementWorldEntry *entry, uint8_t bytes[PLACEMENT_WORLD_ENTRY]);
PlacementWorldEntry placement_world_entry_read(const uint8_t bytes[PLACEMENT_WORLD_ENTRY]);
// Whether the bytes of this tile can be where the entry says.
bool placement_world_entry_valid(const PlacementWorldLayout *layout, const PlacementWorldEntry *entry,
                                 const PlacementWorldSpot *spot);

PlacementWorldSpot placement_world_spot(const PlacementWorldLayout *layout, uint32_t tile);
uint32_t placement_world_tile(const PlacementWorldLayout *layout, int channel, int level, int column,
                              int row);
// Bytes of the values of the largest tile.
size_t placement_world_tile_bytes(const PlacementWorldLayout *layout);

// "<path>: <cause> in tile (3, 4) of level 0 of "height"".
FiloResult placement_world_tile_error(FiloCode code, const char *path, const PlacementWorldLayout *layout,
                                      uint32_t tile, const char *cause);

// ---- data_codec.c ---------------------------------------------------------------------------------------------

// Values are bytes or uint16_t, row by row without gaps.

// Copies and converts the values of a tile from a map that contains it. False if there is a NaN.
bool placement_world_convert(void *values, const PlacementWorldSpot *spot, const FiloTerrainMap *map,
                             int tile);

// Bytes that encoding may need: for `filtered`, and for `stored`.
size_t placement_world_stored_bound(size_t bytes);
// Encodes values; `filtered` is memory of as many bytes. The result is `entry`, without offset, and entry->size bytes in
// `stored`. `compress` NULL: without compression. False without memory.
bool placement_world_encode(PlacementWorldEntry *entry, uint8_t *stored, const void *values,
                            const PlacementWorldSpot *spot, uint8_t *filtered, ZSTD_CCtx *compress);
// Decodes and checks; NULL, or what is wrong with the bytes.
const char *placement_world_decode(void *values, const PlacementWorldEntry *entry, const uint8_t *stored,
                                   const PlacementWorldSpot *spot, uint8_t *filtered, ZSTD_DCtx *decompress);

// Writes the means of 2 × 2 values of a tile into a tile of the next level, from (x, y) of it on.
void placement_world_halve(void *half, int half_width, int x, int y, const void *values, int width,
                           int height, int value_size);

#endif
