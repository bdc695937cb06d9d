// filo/terrain_file.h: maps of a world that is too large for memory: heights, densities, slopes, on disk in tiles, with
// levels of detail.
//
//     // Once, in a tool:
//     FiloTerrainFileWriter *writer;
//     FiloResult r = filo_terrain_file_create(&writer, "alps.world", &(FiloTerrainFileLayout){
//         .width = 8000, .height = 8000, .size = { 32000, 32000, 2400 }, .jobs = jobs,
//         .channels = { { "height", FILO_MAP_U16 }, { "pine", FILO_MAP_U8 } } });
//     for (…) r = filo_terrain_file_add(writer, 0, &part);          // any part that fits into memory
//     r = filo_terrain_file_finish(writer);                         // adds the levels of detail; replaces the file
//
//     // In the game:
//     FiloTerrainFile *file;
//     r = filo_terrain_file_open(&file, "alps.world", &(FiloTerrainFileDesc){ .jobs = jobs, .budget = FILO_MIB(64) });
//     FiloTerrainWindows maps;                                      // of everything that the placement samples
//     r = filo_terrain_windows_request(&maps, file, placement, &(FiloTerrainWindowsDesc){ .area = area });
//     …                                                           // frames continue; filo_terrain_windows_ready(&maps)
//     r = filo_terrain_windows_wait(&maps);
//     r = filo_placement_compute(placement, &(FiloPlacementRequest){ .area = area, .windows = maps.windows,
//                                                                    .window_count = maps.count }, &forest);
//     filo_terrain_windows_release(&maps);
//     filo_terrain_file_close(file);
//
// A file has up to FILO_TERRAIN_FILE_CHANNELS channels. Each is a map of bytes or of 16 bits with a name. Level 0 of a channel is
// the map itself; every further level has half as many texels a side, rounded up, and each texel is the rounded mean of
// four. docs/terrain-files.md describes the format.
//
// A window is a rectangle of a channel at a level, as one FiloTerrainMap. Tiles that it needs are read in the background
// and cached. The file that was opened is the one that is read: if another file takes its path, the windows still come
// from the old one.
//
// Threads: every function of FiloTerrainFile, FiloTerrainWindow and FiloTerrainWindows may be called on any thread, also by many
// at once; only opening and closing are for one. Opening and writing block: in a game, call them on an async thread
// (filo/async.h). Nothing else waits for the disk, except what is called …_wait, and there a worker runs other jobs
// meanwhile. The contents of windows do not depend on threads. When they are ready does.
//
// Failure: the message names the file and the cause. What is created is NULL then, and the file is as it was.

#ifndef FILO_TERRAIN_FILE_H
#define FILO_TERRAIN_FILE_H

#include <filo/jobs.h>
#include <filo/memory.h>
#include <filo/placement.h>
#include <filo/terrain.h>
#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

#define FILO_TERRAIN_FILE_CHANNELS 64
#define FILO_TERRAIN_FILE_NAME     48        // bytes of the name of a channel, with the final zero
#define FILO_TERRAIN_FILE_SIDE     (1 << 20) // texels on a side of a map, at most
#define FILO_TERRAIN_FILE_LEVELS   20        // of a channel, at most
#define FILO_TERRAIN_FILE_TILES    (1 << 24) // of a file, at most, all channels and levels together

// ---- Writing --------------------------------------------------------------------------------------------------

typedef struct FiloTerrainChannel {
    const char *name;     // copied; up to FILO_TERRAIN_FILE_NAME − 1 bytes, unlike all others
    FiloMapFormat format; // FILO_MAP_U8 or FILO_MAP_U16
    int coarser;          // its level 0 has 1 / 2^coarser as many texels a side, rounded up; 0 to 12
    int levels;           // 1: no level of detail; 0: down to a level that is a single tile
} FiloTerrainChannel;

typedef struct FiloTerrainFileLayout {
    int width, height;                                       // texels, of a channel that is not coarser
    FiloTerrainChannel channels[FILO_TERRAIN_FILE_CHANNELS]; // up to the first without a name
    int tile; // texels a side of a tile: a power of two from 16 to 1024; 0: 256
    // Where the world lies and how large it is, in metres, as in FiloPlacementDesc: for filo_terrain_windows_request. x and
    // y of size 0: not known.
    FiloVec3 size;
    double corner_x, corner_y;
    float lowest;
    bool uncompressed;              // faster to write, several times as large
    bool skip_sync;                 // do not wait for the disk at the end: see FiloFileWriteDesc
    FiloJobs *jobs;                 // NULL: all work is done on the calling thread
    const FiloAllocator *allocator; // NULL: filo_heap(). Must be thread-safe if there are jobs
    // Called on the calling thread now and then, with 0 to 1: the part of all tiles, of all levels, that are in the file.
    // False cancels: the function that is running fails with FILO_ERROR_CANCELLED. NULL: none.
    bool (*progress)(float done, void *user);
    void *user;
} FiloTerrainFileLayout;

typedef struct FiloTerrainFileWriter FiloTerrainFileWriter;

// Begins a file. It is written under a temporary name in the same folder, and replaces what is at `path` only when
// filo_terrain_file_finish has succeeded. Memory does not grow with the world, except for 24 bytes a tile. One thread at a
// time may use a writer. The bytes of the file depend on the order of calls, and not on threads.
FiloResult filo_terrain_file_create(FiloTerrainFileWriter **writer, const char *path,
                                    const FiloTerrainFileLayout *layout);

// Adds a part of a channel, or all of it. `part` says by its x and y where it begins, and both must be multiples of the
// tile; so must its width and height, unless it ends where the channel ends. Its full size may be 0. Parts may come in
// any order. Where there is none, the channel is 0, and takes no room on disk. A part that was added before is replaced;
// the room that it takes on disk is lost.
//
// Values are converted to the format of the channel, 255 and 65535 and a float of 1 being the same, and rounded to the
// nearest. Floats are clamped to 0 to 1. NaN is FILO_ERROR_DATA. Blocks while it writes. After a failure of the disk or
// without memory, the same call may be tried again.
FiloResult filo_terrain_file_add(FiloTerrainFileWriter *writer, int channel, const FiloTerrainMap *part);

// Computes the levels of detail, completes the file, moves it to its path, and frees the writer, in every case. Blocks.
FiloResult filo_terrain_file_finish(FiloTerrainFileWriter *writer);
// Frees the writer and removes what it has written. NULL is allowed.
void filo_terrain_file_abandon(FiloTerrainFileWriter *writer);

// Writes whole maps at once: creates the file, adds `maps`, one for each channel, and finishes. A map whose data is NULL
// is 0 everywhere.
FiloResult filo_terrain_file_write(const char *path, const FiloTerrainFileLayout *layout,
                                   const FiloTerrainMap *maps, size_t map_count);

// ---- Reading --------------------------------------------------------------------------------------------------

typedef struct FiloTerrainFile FiloTerrainFile;

typedef struct FiloTerrainFileDesc {
    FiloJobs *jobs; // NULL: tiles are read on the thread that requests a window
    // Bytes for windows, cached tiles and buffers; 0: 64 MiB. It is kept, except that a thread that copies from a tile
    // keeps this tile. The index comes on top: 32 bytes a tile; and so do 160 KB a reader, for decompression.
    size_t budget;
    int readers;                    // tiles that are read at once; 0: 4; at most 16
    const FiloAllocator *allocator; // thread-safe; NULL: filo_heap()
} FiloTerrainFileDesc;

// Opens a file and reads its index, which is checked as a whole; the tiles are checked when they are read. Blocks. `desc`
// may be NULL. FILO_ERROR_DATA if it is damaged or no such file, FILO_ERROR_UNSUPPORTED if it is of a later version,
// FILO_ERROR_LIMIT if the budget is less than four tiles.
FiloResult filo_terrain_file_open(FiloTerrainFile **data, const char *path, const FiloTerrainFileDesc *desc);
// All windows must have been released, and `jobs` must still exist. Waits for what is being read; what is queued is left
// out. NULL is allowed.
void filo_terrain_file_close(FiloTerrainFile *data);

typedef struct FiloTerrainFileInfo {
    int width, height, tile, channel_count;
    FiloVec3 size; // metres; see FiloTerrainFileLayout
    double corner_x, corner_y;
    float lowest;
    uint64_t file_size; // bytes
} FiloTerrainFileInfo;
FiloTerrainFileInfo filo_terrain_file_info(const FiloTerrainFile *data); // all zero for NULL

typedef struct FiloTerrainChannelInfo {
    const char *name; // until the file is closed; "" if there is no such channel
    FiloMapFormat format;
    int width, height; // of level 0
    int levels;
} FiloTerrainChannelInfo;
FiloTerrainChannelInfo filo_terrain_file_channel(const FiloTerrainFile *data, int channel);
int filo_terrain_file_channel_find(const FiloTerrainFile *data, const char *name); // −1 if there is none

// A map of the size of a channel at a level of which no more than one texel, with the value 0, is in memory. Create a
// placement with it whose maps always come as windows. Its memory is valid until the file is closed. All zero if there is no
// such channel or level.
FiloTerrainMap filo_terrain_file_map(const FiloTerrainFile *data, int channel, int level);

// ---- Windows --------------------------------------------------------------------------------------------------

// A rectangle of a map, in memory from when it is ready until it is released as often as it was requested and retained.
typedef struct FiloTerrainWindow FiloTerrainWindow;

typedef struct FiloTerrainWindowDesc {
    int channel, level;
    // Texels of the level. Texels outside of the map are left out; of a rectangle that is all outside, the nearest texels
    // of the map remain, so that a window is never empty. `width` and `height` are at least 1.
    int x, y, width, height;
    float
        priority; // windows with a higher one are read first; of equal ones, the one that was requested first
} FiloTerrainWindowDesc;

// Requests a window; never waits for the disk if there are `jobs`. What is in the cache is copied at once, so a window may
// be ready when the call returns. FILO_ERROR_MEMORY if windows take all of the budget: release some, or try again later.
// A file that cannot be read is reported by filo_terrain_window_map.
FiloResult filo_terrain_file_request(FiloTerrainWindow **window, FiloTerrainFile *data,
                                     const FiloTerrainWindowDesc *desc);
// Whether the window has its values, or failed. True for NULL.
bool filo_terrain_window_ready(const FiloTerrainWindow *window);
// Returns when it is ready, with what filo_terrain_window_map says. A worker runs other jobs meanwhile. Any other thread may
// read tiles itself meanwhile, so that windows can be waited for inside async requests, too.
FiloResult filo_terrain_window_wait(FiloTerrainWindow *window);
// Fills `map`: a window of the level, tightly packed, whose memory is valid until the window is released, and must not be
// written to. FILO_ERROR_BUSY while it is not ready. FILO_ERROR_IO or _DATA if a tile could not be read; another request
// tries again.
FiloResult filo_terrain_window_map(const FiloTerrainWindow *window, FiloTerrainMap *map);
// One more release is needed from now on.
void filo_terrain_window_retain(FiloTerrainWindow *window);
// Frees the window with the last release. Tiles that only this window needed and that are not being read yet are not
// read. NULL is allowed.
void filo_terrain_window_release(FiloTerrainWindow *window);

// ---- All maps of a placement ----------------------------------------------------------------------------------

typedef struct FiloTerrainWindowsDesc {
    FiloPlacementArea area; // that will be computed
    int level; // of all channels. Its size must be that of the maps of the placement: filo_terrain_file_map
    float priority;
} FiloTerrainWindowsDesc;

// The windows that computing an area needs. One thread at a time may use it.
typedef struct FiloTerrainWindows {
    FiloMapWindow windows
        [FILO_TERRAIN_FILE_CHANNELS]; // for FiloPlacementRequest, from when filo_terrain_windows_wait succeeded
    size_t count;
    FiloTerrainWindow *leases[FILO_TERRAIN_FILE_CHANNELS]; // private
} FiloTerrainWindows;

// Requests a window for every channel whose name is that of a map of the placement (filo_placement_map_find), with the
// reach of the placement around the area, and what filters need. A placement that was created without a heightmap gets the
// heights of the file. `windows` is all zero on failure.
//
// File and placement must agree, or objects would be elsewhere: FILO_ERROR_DATA if the file does not say how large the world
// is (FiloTerrainFileLayout.size), if its size, corner or heights are not those of the placement, or if the level of a
// channel does not have as many texels as the map of the placement. FILO_ERROR_NOT_FOUND if no channel is a map of the
// placement, or if there is none for a map of which the placement has no values in memory (filo_terrain_file_map).
// FILO_ERROR_DATA for an area that is empty or not finite. FILO_ERROR_MEMORY as for filo_terrain_file_request.
FiloResult filo_terrain_windows_request(FiloTerrainWindows *windows, FiloTerrainFile *data,
                                        const FiloPlacement *placement, const FiloTerrainWindowsDesc *desc);
bool filo_terrain_windows_ready(const FiloTerrainWindows *windows);
// Returns when all are ready, and fills `windows->windows`; the first failure, if there is one. A worker runs other jobs
// meanwhile. Does not wait if filo_terrain_windows_ready is true.
FiloResult filo_terrain_windows_wait(FiloTerrainWindows *windows);
// Releases all windows, ready or not, and zeroes `windows`, so that a second call is harmless.
void filo_terrain_windows_release(FiloTerrainWindows *windows);

// ---- Counters -------------------------------------------------------------------------------------------------

typedef struct FiloTerrainFileStats {
    size_t budget;                     // bytes
    size_t used, peak;                 // bytes of windows, tiles and buffers; the most that was
    size_t window_bytes, window_count; // of them, those of windows
    size_t tiles, tiles_queued;        // in the cache; waiting to be read
    uint64_t tiles_read, bytes_read;   // from disk, so far
    uint64_t hits;                     // tiles that a window found in the cache
    uint64_t dropped;                  // tiles that left the cache
} FiloTerrainFileStats;
FiloTerrainFileStats filo_terrain_file_stats(const FiloTerrainFile *data); // all zero for NULL

FILO_END_DECLS

#endif
