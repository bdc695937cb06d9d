// A terrain file that is being read: tiles in memory, windows made of them, and readers. One lock guards everything that
// changes. It is never held while a file is read, a tile is decoded or values are copied.
//
// A tile is queued (some window waits for it), being read, or ready (in the cache). A window consists of parts, one for
// each tile that it overlaps. A part of a ready tile is copied by the thread that requests the window. Other parts are in
// the list of their tile, and are copied by the reader that has read it. So a window needs no tile once a part is copied,
// and a cache of a few tiles is enough for windows of any size.
//
// A reader is a place for a thread that takes the most urgent tile from the queue, reads it, decodes it and copies it,
// until the queue is empty. The thread is one of the async threads, or a thread that waits for a window and is no worker,
// or, without jobs, any thread that requests one.

#ifndef FILO_PLACEMENT_WORLD_DATA_CACHE_H
#define FILO_PLACEMENT_WORLD_DATA_CACHE_H

#include "placement_world/file_format.h"

#include <filo/async.h>
#include <filo/check.h>
#include <filo/threads.h>

#define PLACEMENT_WORLD_READERS 16

typedef struct PlacementWorldTile PlacementWorldTile;
typedef struct PlacementWorldPart PlacementWorldPart;

typedef enum PlacementWorldTileState {
    PLACEMENT_WORLD_QUEUED,
    PLACEMENT_WORLD_READING,
    PLACEMENT_WORLD_READY,
} PlacementWorldTileState;

struct PlacementWorldTile {
    uint32_t number;
    PlacementWorldTileState state;
    int pins;                  // threads that copy from it: it stays
    PlacementWorldPart *parts; // of windows that wait for it
    void *values;              // while it is read and when it is ready
    size_t bytes;              // of them
    float priority;
    uint64_t sequence;                 // smaller: requested earlier
    size_t queue_at;                   // its index in the queue
    PlacementWorldTile *newer, *older; // in the cache, by the last use
};

typedef enum PlacementWorldPartState {
    PLACEMENT_WORLD_WAITS,  // in the list of its tile
    PLACEMENT_WORLD_COPIES, // a thread copies it
    PLACEMENT_WORLD_DONE,
} PlacementWorldPartState;

struct PlacementWorldPart {
    FiloTerrainWindow *window;
    PlacementWorldTile *tile; // NULL: its values are 0
    PlacementWorldPartState state;
    bool by_caller;                      // copied by the thread that requested the window
    PlacementWorldPart *next, *previous; // of the same tile
    int column, row;                     // of the tile
};

// A worker that waits, in its own memory.
typedef struct PlacementWorldWaiter {
    FiloJob job; // run when the wait is over
    struct PlacementWorldWaiter *next;
} PlacementWorldWaiter;

struct FiloTerrainWindow {
    FiloTerrainFile *data;
    FiloTerrainMap map;
    int channel, level;
    size_t size;       // of the allocation: this struct, the parts and the values
    int leases;        // releases that are due
    int holds;         // readers that copy into it
    size_t pending;    // parts that are not done
    FiloResult result; // the first failure
    PlacementWorldWaiter *waiters;
    size_t part_count;
    PlacementWorldPart parts[];
};

typedef enum PlacementWorldReaderState {
    PLACEMENT_WORLD_IDLE,
    PLACEMENT_WORLD_REQUESTED, // an async thread will come, unless another thread is faster
    PLACEMENT_WORLD_RUNNING,
} PlacementWorldReaderState;

typedef struct PlacementWorldReader {
    FiloTerrainFile *data;
    PlacementWorldReaderState state;
    // Of the thread that runs it. Allocated when they are first needed.
    uint8_t *stored, *filtered;
    ZSTD_DCtx *decompress;
} PlacementWorldReader;

// A tile in the index, and in memory.
typedef struct PlacementWorldSlot {
    PlacementWorldEntry entry;
    PlacementWorldTile *tile; // NULL: not in memory
} PlacementWorldSlot;

struct FiloTerrainFile {
    const FiloAllocator *allocator;
    FiloJobs *jobs;
    char path[FILO_PATH_SIZE];
    int file;
    PlacementWorldLayout layout;
    PlacementWorldSlot *slots; // by number
    size_t tile_bytes;         // of the largest
    size_t reserved;           // bytes of the budget that windows cannot have: what readers need
    int reader_count;
    uint16_t zeroes
        [FILO_TERRAIN_FILE_CHANNELS]; // of filo_terrain_file_map: maps at one address would be taken for one map

    FiloMutex lock;        // of everything below
    FiloCondition changed; // a window is ready, or a request has ended; for threads that are no workers
    PlacementWorldReader readers[PLACEMENT_WORLD_READERS];
    int requests; // async requests that have not ended
    bool closing;
    PlacementWorldWaiter *waiters; // for the end of all requests
    PlacementWorldTile **queue;    // a heap: the most urgent tile first
    size_t queue_count, queue_capacity;
    uint64_t sequence;
    PlacementWorldTile *newest, *oldest; // the cache
    FiloTerrainFileStats stats;
};

// All functions below are called with the lock held, and return with it held, if they do not say otherwise.

// ---- data_cache.c ---------------------------------------------------------------------------------------------

// Counts memory as used. Drops tiles from the cache, the least recently used first, until the budget is kept or none can
// be dropped.
void placement_world_use(FiloTerrainFile *data, size_t bytes);
void placement_world_unuse(FiloTerrainFile *data, size_t bytes);

// A new tile in the queue; NULL without memory.
PlacementWorldTile *placement_world_enqueue(FiloTerrainFile *data, uint32_t number, float priority);
void placement_world_raise_priority(FiloTerrainFile *data, PlacementWorldTile *tile, float priority);
// The most urgent tile, which is being read now; NULL if the queue is empty.
PlacementWorldTile *placement_world_dequeue(FiloTerrainFile *data);
// The tile is ready: adds it to the cache.
void placement_world_cache(FiloTerrainFile *data, PlacementWorldTile *tile);
// The tile of the cache was used just now.
void placement_world_touch(FiloTerrainFile *data, PlacementWorldTile *tile);
// Frees a tile that is in the queue or failed.
void placement_world_drop(FiloTerrainFile *data, PlacementWorldTile *tile);
void placement_world_drop_all(FiloTerrainFile *data);

// ---- data_read.c ----------------------------------------------------------------------------------------------

// Makes sure that the queue will be read. False if no thread can be had for that.
bool placement_world_start_readers(FiloTerrainFile *data);
// Lets the calling thread, which is no worker, read tiles until the window is ready or there are none (`until` NULL: until
// there are none). Returns at once if all readers are at work.
void placement_world_help(FiloTerrainFile *data, const FiloTerrainWindow *until);
// Waits: a worker until `waiters` are woken, another thread until anything changes.
void placement_world_sleep(FiloTerrainFile *data, PlacementWorldWaiter **waiters);
void placement_world_wake(FiloTerrainFile *data, PlacementWorldWaiter **waiters);

// ---- data_window.c --------------------------------------------------------------------------------------------

// A reader has read a tile, or failed: copies it to the windows that wait for it, without the lock meanwhile. The tile
// must not be dropped meanwhile.
void placement_world_distribute(FiloTerrainFile *data, PlacementWorldTile *tile, const FiloResult *result);

#endif
