// The writer of a terrain file.
//
// Tiles are appended to the file in the order in which they are added, a batch at a time: the workers convert and
// compress the tiles of a batch, then the calling thread writes them in order. So the bytes do not depend on threads.
// Levels of detail are made at the end, from the tiles of the level before, which are read back from the file. Then come
// the index and, at the beginning, the header, whose room was left free.

#include "placement_world/file_format.h"

#include <filo/check.h>

#include "base/file_replace.h"
#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BATCH_MAX 64

// A tile of a batch, with the memory to encode it.
typedef struct Piece {
    uint32_t tile;
    PlacementWorldEntry entry; // of the result
    bool empty;                // all values are 0, and need not be computed
    const char *problem;       // a constant text; NULL: none
    FiloCode code;             // of the problem
    uint32_t problem_tile;
    // Buffers. `stored` has the result; in levels of detail it has the four tiles of the level before, one after the
    // other, until the result replaces them.
    uint8_t *values, *part, *filtered, *stored;
    ZSTD_CCtx *compress;
    ZSTD_DCtx *decompress;
} Piece;

struct FiloTerrainFileWriter {
    const FiloAllocator *allocator;
    FiloJobs *jobs;
    bool (*progress)(float done, void *user);
    void *user;
    bool uncompressed;
    FiloFileWriteDesc write;
    char path[FILO_PATH_SIZE];
    BaseReplacement file;
    int read_back; // the same file
    uint64_t end;  // of what was written
    PlacementWorldLayout layout;
    PlacementWorldEntry *entries;
    size_t tile_bytes;
    uint32_t done; // tiles, for the progress
    // The batch.
    Piece pieces[BATCH_MAX];
    size_t piece_count, batch; // pieces that have buffers; the most that are used
    const FiloTerrainMap *map; // that is being added; NULL: levels of detail are made
};

// ---- Creating -------------------------------------------------------------------------------------------------

static size_t stored_room(const FiloTerrainFileWriter *w) {
    return 4 * placement_world_stored_bound(w->tile_bytes);
}

static void free_piece(FiloTerrainFileWriter *w, Piece *piece) {
    filo_free(w->allocator, piece->values, w->tile_bytes, 0);
    filo_free(w->allocator, piece->part, w->tile_bytes, 0);
    filo_free(w->allocator, piece->filtered, w->tile_bytes, 0);
    filo_free(w->allocator, piece->stored, stored_room(w), 0);
    ZSTD_freeCCtx(piece->compress);
    ZSTD_freeDCtx(piece->decompress);
    *piece = (Piece){ 0 };
}

// The first batch may use fewer pieces than wanted, if there is little memory; one is needed.
static bool make_pieces(FiloTerrainFileWriter *w) {
    while (w->piece_count < w->batch) {
        Piece *piece = &w->pieces[w->piece_count];
        piece->values = filo_alloc(w->allocator, w->tile_bytes, 0);
        piece->part = filo_alloc(w->allocator, w->tile_bytes, 0);
        piece->filtered = filo_alloc(w->allocator, w->tile_bytes, 0);
        piece->stored = filo_alloc(w->allocator, stored_room(w), 0);
        piece->compress = w->uncompressed ? NULL : ZSTD_createCCtx();
        piece->decompress = ZSTD_createDCtx();
        if (piece->values == NULL || piece->part == NULL || piece->filtered == NULL ||
            piece->stored == NULL || (piece->compress == NULL && !w->uncompressed) ||
            piece->decompress == NULL) {
            free_piece(w, piece);
            return false;
        }
        w->piece_count++;
    }
    return true;
}

static bool finite(double x) { return x - x == 0; }

static FiloResult check_channels(const FiloTerrainFileLayout *layout, PlacementWorldLayout *out) {
    int count = 0;
    for (; count < FILO_TERRAIN_FILE_CHANNELS && layout->channels[count].name != NULL; count++) {
        const FiloTerrainChannel *from = &layout->channels[count];
        PlacementWorldChannel *to = &out->channels[count];
        size_t length = strlen(from->name);
        if (length == 0 || length >= FILO_TERRAIN_FILE_NAME)
            return FILO_MISTAKE("the name of channel %d must have 1 to %d bytes", count,
                                FILO_TERRAIN_FILE_NAME - 1);
        for (int i = 0; i < count; i++)
            if (strcmp(out->channels[i].name, from->name) == 0)
                return FILO_MISTAKE("two channels are named \"%s\": give each a name of its own", from->name);
        if (from->format != FILO_MAP_U8 && from->format != FILO_MAP_U16)
            return FILO_MISTAKE("channel \"%s\" must be FILO_MAP_U8 or FILO_MAP_U16", from->name);
        if (from->coarser < 0 || from->coarser > PLACEMENT_WORLD_COARSER || from->levels < 0)
            return FILO_MISTAKE("channel \"%s\": coarser is 0 to %d, and levels is not negative", from->name,
                                PLACEMENT_WORLD_COARSER);
        memcpy(to->name, from->name, length);
        to->value_size = from->format == FILO_MAP_U8 ? 1 : 2;
        to->coarser = from->coarser;
        to->level_count = from->levels;
    }
    if (count == 0) return FILO_MISTAKE("a terrain file needs at least one channel");
    out->info.channel_count = count;
    return filo_ok();
}

static FiloResult check_layout(const FiloTerrainFileLayout *layout, PlacementWorldLayout *out) {
    int tile = layout->tile != 0 ? layout->tile : 256;
    if (layout->width < 1 || layout->height < 1 || layout->width > FILO_TERRAIN_FILE_SIDE ||
        layout->height > FILO_TERRAIN_FILE_SIDE)
        return FILO_MISTAKE("a terrain file has 1 to %d texels a side, not %d × %d", FILO_TERRAIN_FILE_SIDE,
                            layout->width, layout->height);
    if (tile < PLACEMENT_WORLD_TILE_MIN || tile > PLACEMENT_WORLD_TILE_MAX || (tile & (tile - 1)) != 0)
        return FILO_MISTAKE("a tile of %d texels is not a power of two from %d to %d", tile,
                            PLACEMENT_WORLD_TILE_MIN, PLACEMENT_WORLD_TILE_MAX);
    if (!finite(layout->size.x) || !finite(layout->size.y) || !finite(layout->size.z) || layout->size.x < 0 ||
        layout->size.y < 0 || !finite(layout->corner_x) || !finite(layout->corner_y) ||
        !finite(layout->lowest))
        return FILO_MISTAKE("size, corner and lowest must be finite, and the size not negative");
    out->info = (FiloTerrainFileInfo){ .width = layout->width,
                                       .height = layout->height,
                                       .tile = tile,
                                       .size = layout->size,
                                       .corner_x = layout->corner_x,
                                       .corner_y = layout->corner_y,
                                       .lowest = layout->lowest };
    FiloResult result = check_channels(layout, out);
    if (result.code != FILO_OK) return result;
    // What the smallest level of a channel is, is known now: fewer levels than asked for is no mistake.
    for (int i = 0; i < out->info.channel_count; i++) {
        int needed = 1, side = FILO_MAX(layout->width, layout->height);
        for (int n = 0; n < out->channels[i].coarser; n++) side = side / 2 + side % 2;
        for (; side > tile; side = side / 2 + side % 2) needed++;
        out->channels[i].level_count = FILO_MIN(out->channels[i].level_count, needed);
    }
    if (!placement_world_layout_complete(out))
        return FILO_MISTAKE("a terrain file of more than %d tiles: make tiles larger, or divide it",
                            FILO_TERRAIN_FILE_TILES);
    return filo_ok();
}

// Leaves room for the header, and opens the file a second time, to read.
static FiloResult begin_file(FiloTerrainFileWriter *w) {
    FiloResult result = base_replacement_begin(&w->file, w->path, 0666, &w->write);
    if (result.code != FILO_OK) return result;
    uint8_t zeroes[PLACEMENT_WORLD_HEADER_LARGE] = { 0 };
    w->end = placement_world_header_size(&w->layout);
    w->read_back = base_fs_open(w->file.target.folder, w->file.temporary, O_RDONLY | O_NOFOLLOW, 0);
    if (w->read_back >= 0 && base_fs_write(w->file.file, zeroes, (size_t)w->end) == w->end) return filo_ok();
    result = filo_error_from_errno(errno, w->path);
    if (w->read_back >= 0) close(w->read_back);
    base_replacement_abort(&w->file);
    return result;
}

static void free_writer(FiloTerrainFileWriter *w) {
    for (size_t i = 0; i < w->piece_count; i++) free_piece(w, &w->pieces[i]);
    filo_free(w->allocator, w->entries, w->layout.tile_count * sizeof *w->entries, 0);
    filo_free(w->allocator, w, sizeof *w, 0);
}

FiloResult filo_terrain_file_create(FiloTerrainFileWriter **writer, const char *path,
                                    const FiloTerrainFileLayout *layout) {
    if (writer != NULL) *writer = NULL;
    if (writer == NULL || path == NULL || layout == NULL)
        return FILO_MISTAKE("pass a path, a layout, and a pointer for the writer");
    FiloTerrainFileWriter *w = filo_alloc_zero(layout->allocator, sizeof *w, 0);
    FiloResult no_memory = filo_error(FILO_ERROR_MEMORY, "no memory to write a terrain file");
    if (w == NULL) return no_memory;
    w->allocator = layout->allocator;
    w->jobs = layout->jobs, w->progress = layout->progress, w->user = layout->user;
    w->uncompressed = layout->uncompressed;
    w->write = (FiloFileWriteDesc){ .skip_sync = layout->skip_sync, .allocator = layout->allocator };
    FiloResult result = check_layout(layout, &w->layout);
    if (result.code == FILO_OK && !filo_path_join(w->path, sizeof w->path, "", path))
        result = filo_error_from_errno(ENAMETOOLONG, path);
    if (result.code == FILO_OK) {
        w->tile_bytes = placement_world_tile_bytes(&w->layout);
        w->batch = w->jobs != NULL ? FILO_MIN((size_t)filo_jobs_threads(w->jobs) * 4, (size_t)BATCH_MAX) : 1;
        w->entries = filo_alloc_zero(w->allocator, w->layout.tile_count * sizeof *w->entries, 0);
        if (w->entries == NULL || !make_pieces(w)) result = no_memory;
    }
    if (result.code == FILO_OK) result = begin_file(w);
    if (result.code != FILO_OK) {
        free_writer(w);
        return result;
    }
    *writer = w;
    return result;
}

// ---- A batch --------------------------------------------------------------------------------------------------

static void fail_piece(Piece *piece, FiloCode code, const char *problem, uint32_t tile) {
    piece->code = code, piece->problem = problem, piece->problem_tile = tile;
}

// The tiles of the level before from which a tile is made: their numbers, and how many there are.
static int sources_of(const FiloTerrainFileWriter *w, const PlacementWorldSpot *spot, uint32_t tiles[4]) {
    const PlacementWorldLevel *finer = &w->layout.channels[spot->channel].levels[spot->level - 1];
    int count = 0;
    for (int row = 2 * spot->row; row < FILO_MIN(2 * spot->row + 2, finer->down); row++)
        for (int column = 2 * spot->column; column < FILO_MIN(2 * spot->column + 2, finer->across); column++)
            tiles[count++] = placement_world_tile(&w->layout, spot->channel, spot->level - 1, column, row);
    return count;
}

static void make_coarser(FiloTerrainFileWriter *w, Piece *piece, const PlacementWorldSpot *spot) {
    uint32_t tiles[4];
    int count = sources_of(w, spot, tiles);
    piece->empty = true;
    for (int i = 0; i < count; i++) piece->empty &= w->entries[tiles[i]].size == 0;
    if (piece->empty) return;
    const uint8_t *stored = piece->stored;
    int side = w->layout.info.tile;
    for (int i = 0; i < count; i++) {
        const PlacementWorldEntry *entry = &w->entries[tiles[i]];
        PlacementWorldSpot source = placement_world_spot(&w->layout, tiles[i]);
        const char *problem =
            placement_world_decode(piece->part, entry, stored, &source, piece->filtered, piece->decompress);
        if (problem != NULL) {
            fail_piece(piece, FILO_ERROR_IO, problem, tiles[i]);
            return;
        }
        placement_world_halve(piece->values, spot->width, (source.column & 1) * side / 2,
                              (source.row & 1) * side / 2, piece->part, source.width, source.height,
                              source.value_size);
        stored += entry->size;
    }
}

static void encode_pieces(size_t begin, size_t end, void *user) {
    FiloTerrainFileWriter *w = user;
    for (size_t i = begin; i < end; i++) {
        Piece *piece = &w->pieces[i];
        PlacementWorldSpot spot = placement_world_spot(&w->layout, piece->tile);
        piece->empty = false;
        if (w->map == NULL)
            make_coarser(w, piece, &spot);
        else if (!placement_world_convert(piece->values, &spot, w->map, w->layout.info.tile))
            fail_piece(piece, FILO_ERROR_DATA, "a value is not a number", piece->tile);
        if (piece->empty)
            piece->entry = (PlacementWorldEntry){ 0 };
        else if (piece->problem == NULL &&
                 !placement_world_encode(&piece->entry, piece->stored, piece->values, &spot, piece->filtered,
                                         piece->compress))
            fail_piece(piece, FILO_ERROR_MEMORY, "no memory to compress", piece->tile);
    }
}

// Reads what a tile is made from into `stored`, one after the other.
static FiloResult read_sources(FiloTerrainFileWriter *w, Piece *piece) {
    PlacementWorldSpot spot = placement_world_spot(&w->layout, piece->tile);
    uint32_t tiles[4];
    int count = sources_of(w, &spot, tiles);
    uint8_t *stored = piece->stored;
    for (int i = 0; i < count; i++) {
        const PlacementWorldEntry *entry = &w->entries[tiles[i]];
        for (size_t got = 0; got < entry->size;) {
            ssize_t n = pread(w->read_back, stored + got, entry->size - got, (off_t)(entry->offset + got));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0)
                return n < 0 ? filo_error_from_errno(errno, w->path)
                             : base_fs_error(FILO_ERROR_IO, w->path, "another program has shortened it");
            got += (size_t)n;
        }
        stored += entry->size;
    }
    return filo_ok();
}

static FiloResult append(FiloTerrainFileWriter *w, const void *bytes, size_t size) {
    if (base_fs_write(w->file.file, bytes, size) == size) {
        w->end += size;
        return filo_ok();
    }
    FiloResult result = filo_error_from_errno(errno, w->path);
    // What was written of it is overwritten by the next attempt.
    if (lseek(w->file.file, (off_t)w->end, SEEK_SET) < 0) return filo_error_from_errno(errno, w->path);
    return result;
}

static FiloResult report_progress(FiloTerrainFileWriter *w, size_t count) {
    w->done = FILO_MIN(w->done + (uint32_t)count, w->layout.tile_count);
    if (w->progress == NULL || w->progress((float)w->done / (float)w->layout.tile_count, w->user))
        return filo_ok();
    return base_fs_error(FILO_ERROR_CANCELLED, w->path, "writing was cancelled");
}

// Encodes and writes the tiles of the first `count` pieces.
static FiloResult run_batch(FiloTerrainFileWriter *w, size_t count) {
    FiloResult result = filo_ok();
    for (size_t i = 0; i < count; i++) {
        w->pieces[i].problem = NULL;
        if (w->map == NULL && result.code == FILO_OK) result = read_sources(w, &w->pieces[i]);
    }
    if (result.code != FILO_OK) return result;
    if (w->jobs != NULL)
        filo_jobs_for_each(w->jobs, count, encode_pieces, w);
    else
        encode_pieces(0, count, w);
    for (size_t i = 0; i < count && result.code == FILO_OK; i++) {
        Piece *piece = &w->pieces[i];
        if (piece->problem != NULL)
            return placement_world_tile_error(piece->code, w->path, &w->layout, piece->problem_tile,
                                              piece->problem);
        if (piece->entry.size > 0) {
            piece->entry.offset = w->end;
            result = append(w, piece->stored, piece->entry.size);
        }
        if (result.code == FILO_OK) w->entries[piece->tile] = piece->entry;
    }
    return result.code == FILO_OK ? report_progress(w, count) : result;
}

// Runs batches over a rectangle of tiles of a level.
static FiloResult run_tiles(FiloTerrainFileWriter *w, int channel, int level, int column, int row, int across,
                            int down) {
    size_t total = (size_t)across * (size_t)down, filled = 0;
    FiloResult result = filo_ok();
    for (size_t i = 0; i < total && result.code == FILO_OK; i++) {
        w->pieces[filled++].tile = placement_world_tile(
            &w->layout, channel, level, column + (int)(i % (size_t)across), row + (int)(i / (size_t)across));
        if (filled < w->piece_count && i + 1 < total) continue;
        result = run_batch(w, filled);
        filled = 0;
    }
    return result;
}

// ---- Adding ---------------------------------------------------------------------------------------------------

static bool whole_tiles(int begin, int size, int full, int tile) {
    if (begin < 0 || size < 1 || begin % tile != 0 || begin >= full || size > full - begin) return false;
    return size % tile == 0 || begin + size == full;
}

static FiloResult check_part(const FiloTerrainFileWriter *w, int channel, const FiloTerrainMap *part) {
    if (channel < 0 || channel >= w->layout.info.channel_count)
        return FILO_MISTAKE("there is no channel %d: the file has %d", channel, w->layout.info.channel_count);
    const PlacementWorldChannel *c = &w->layout.channels[channel];
    const PlacementWorldLevel *level = &c->levels[0];
    if (part->data == NULL || (unsigned)part->format > FILO_MAP_FLOAT)
        return FILO_MISTAKE("channel \"%s\": pass a map with data, of bytes, 16 bits or floats", c->name);
    if (!whole_tiles(part->x, part->width, level->width, w->layout.info.tile) ||
        !whole_tiles(part->y, part->height, level->height, w->layout.info.tile))
        return FILO_MISTAKE(
            "channel \"%s\" has %d × %d texels: pass whole tiles of %d texels of it, not %d × %d at "
            "(%d, %d)",
            c->name, level->width, level->height, w->layout.info.tile, part->width, part->height, part->x,
            part->y);
    if ((part->full_width != 0 && part->full_width != level->width) ||
        (part->full_height != 0 && part->full_height != level->height))
        return FILO_MISTAKE("channel \"%s\" has %d × %d texels, and the part is of a map of %d × %d", c->name,
                            level->width, level->height, part->full_width, part->full_height);
    return filo_ok();
}

FiloResult filo_terrain_file_add(FiloTerrainFileWriter *writer, int channel, const FiloTerrainMap *part) {
    if (writer == NULL || part == NULL) return FILO_MISTAKE("pass a writer of a terrain file and a map");
    FiloResult result = check_part(writer, channel, part);
    if (result.code != FILO_OK) return result;
    int tile = writer->layout.info.tile;
    writer->map = part;
    result = run_tiles(writer, channel, 0, part->x / tile, part->y / tile, (part->width - 1) / tile + 1,
                       (part->height - 1) / tile + 1);
    writer->map = NULL;
    return result;
}

// ---- Finishing ------------------------------------------------------------------------------------------------

static FiloResult add_levels(FiloTerrainFileWriter *w) {
    FiloResult result = filo_ok();
    w->done = 0;
    for (int i = 0; i < w->layout.info.channel_count; i++) {
        const PlacementWorldLevel *level = &w->layout.channels[i].levels[0];
        w->done += (uint32_t)level->across * (uint32_t)level->down; // also those that were not added
    }
    for (int i = 0; i < w->layout.info.channel_count; i++) {
        const PlacementWorldChannel *c = &w->layout.channels[i];
        for (int n = 1; n < c->level_count && result.code == FILO_OK; n++)
            result = run_tiles(w, i, n, 0, 0, c->levels[n].across, c->levels[n].down);
    }
    return result;
}

static FiloResult add_index(FiloTerrainFileWriter *w) {
    w->layout.index_offset = w->end;
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    FiloResult result = filo_ok();
    uint8_t bytes[256 * PLACEMENT_WORLD_ENTRY];
    for (uint32_t i = 0; i < w->layout.tile_count && result.code == FILO_OK;) {
        size_t size = 0;
        for (; size < sizeof bytes && i < w->layout.tile_count; i++, size += PLACEMENT_WORLD_ENTRY)
            placement_world_entry_write(&w->entries[i], bytes + size);
        filo_hasher_add(&hasher, bytes, size);
        result = append(w, bytes, size);
    }
    w->layout.index_checksum = filo_hasher_finish(&hasher);
    return result;
}

static FiloResult add_header(FiloTerrainFileWriter *w) {
    uint8_t bytes[PLACEMENT_WORLD_HEADER_LARGE];
    size_t size = placement_world_header_size(&w->layout);
    placement_world_header_write(&w->layout, bytes);
    if (lseek(w->file.file, 0, SEEK_SET) == 0 && base_fs_write(w->file.file, bytes, size) == size)
        return filo_ok();
    return filo_error_from_errno(errno, w->path);
}

void filo_terrain_file_abandon(FiloTerrainFileWriter *writer) {
    if (writer == NULL) return;
    close(writer->read_back);
    base_replacement_abort(&writer->file);
    free_writer(writer);
}

FiloResult filo_terrain_file_finish(FiloTerrainFileWriter *writer) {
    if (writer == NULL) return FILO_MISTAKE("pass a writer of a terrain file");
    FiloResult result = add_levels(writer);
    if (result.code == FILO_OK) result = add_index(writer);
    if (result.code == FILO_OK) result = add_header(writer);
    if (result.code != FILO_OK) {
        filo_terrain_file_abandon(writer);
        return result;
    }
    close(writer->read_back);
    result = base_replacement_commit(&writer->file, writer->path, &writer->write);
    free_writer(writer);
    return result;
}

FiloResult filo_terrain_file_write(const char *path, const FiloTerrainFileLayout *layout,
                                   const FiloTerrainMap *maps, size_t map_count) {
    if (maps == NULL && map_count > 0) return FILO_MISTAKE("pass the maps to write");
    FiloTerrainFileWriter *writer;
    FiloResult result = filo_terrain_file_create(&writer, path, layout);
    if (writer == NULL) return result;
    if (map_count != (size_t)writer->layout.info.channel_count)
        result = FILO_MISTAKE("pass one map for each of the %d channels, not %zu",
                              writer->layout.info.channel_count, map_count);
    for (size_t i = 0; i < map_count && result.code == FILO_OK; i++)
        if (maps[i].data != NULL) result = filo_terrain_file_add(writer, (int)i, &maps[i]);
    if (result.code == FILO_OK) return filo_terrain_file_finish(writer);
    filo_terrain_file_abandon(writer);
    return result;
}
