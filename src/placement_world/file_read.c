// Opening and closing terrain files, and the readers that read tiles in the background.
//
// The descriptor stays open, and tiles are read through it: a file that replaces this one under the same path does not mix
// with it. Reading and decoding a tile happen on the same async thread, one after the other. Decoding takes about as long
// as reading from a fast disk, and the number of readers limits how many threads do it.

#include "placement_world/file_cache.h"

#include "base/file_system.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_BUDGET  FILO_MIB(64)
#define DEFAULT_READERS 4

// ---- Bytes ----------------------------------------------------------------------------------------------------

// Fewer bytes than wanted: the file ends. Negative: errno.
static ssize_t read_at(int file, void *bytes, size_t size, uint64_t offset) {
    size_t got = 0;
    while (got < size) {
        ssize_t n = pread(file, (uint8_t *)bytes + got, size - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

static bool prepare_reader(PlacementWorldReader *reader) {
    const FiloTerrainFile *data = reader->data;
    if (reader->stored == NULL) reader->stored = filo_alloc(data->allocator, data->tile_bytes, 0);
    if (reader->filtered == NULL) reader->filtered = filo_alloc(data->allocator, data->tile_bytes, 0);
    if (reader->decompress == NULL) reader->decompress = ZSTD_createDCtx();
    return reader->stored != NULL && reader->filtered != NULL && reader->decompress != NULL;
}

// Without the lock.
static FiloResult read_tile(PlacementWorldReader *reader, PlacementWorldTile *tile) {
    FiloTerrainFile *data = reader->data;
    PlacementWorldSpot spot = placement_world_spot(&data->layout, tile->number);
    const PlacementWorldEntry *entry = &data->slots[tile->number].entry;
    if (tile->values == NULL || !prepare_reader(reader))
        return placement_world_tile_error(FILO_ERROR_MEMORY, data->path, &data->layout, tile->number,
                                          "no memory");
    ssize_t got = read_at(data->file, reader->stored, entry->size, entry->offset);
    if (got < 0) return filo_error_from_errno(errno, data->path);
    if ((size_t)got < entry->size)
        return placement_world_tile_error(FILO_ERROR_DATA, data->path, &data->layout, tile->number,
                                          "it has been shortened, and ends");
    const char *problem = placement_world_decode(tile->values, entry, reader->stored, &spot, reader->filtered,
                                                 reader->decompress);
    if (problem == NULL) return filo_ok();
    return placement_world_tile_error(FILO_ERROR_DATA, data->path, &data->layout, tile->number, problem);
}

// ---- Readers --------------------------------------------------------------------------------------------------

static void run_reader(PlacementWorldReader *reader, const FiloTerrainWindow *until) {
    FiloTerrainFile *data = reader->data;
    reader->state = PLACEMENT_WORLD_RUNNING;
    while (!data->closing && (until == NULL || until->pending > 0)) {
        PlacementWorldTile *tile = placement_world_dequeue(data);
        if (tile == NULL) break;
        tile->bytes = placement_world_spot(&data->layout, tile->number).bytes;
        tile->values = filo_alloc(data->allocator, tile->bytes, 0);
        if (tile->values != NULL) placement_world_use(data, tile->bytes);
        filo_mutex_unlock(&data->lock);
        FiloResult result = read_tile(reader, tile);
        filo_mutex_lock(&data->lock);
        data->stats.tiles_read++;
        data->stats.bytes_read += data->slots[tile->number].entry.size;
        if (result.code == FILO_OK) placement_world_cache(data, tile);
        tile->pins++;
        placement_world_distribute(data, tile, &result);
        tile->pins--;
        if (result.code != FILO_OK) placement_world_drop(data, tile);
        placement_world_use(data, 0); // what could not be dropped while it was pinned
    }
    reader->state = PLACEMENT_WORLD_IDLE;
}

// On an async thread.
static FiloResult read_in_background(FiloAsyncCall *call, void *user) {
    PlacementWorldReader *reader = user;
    FiloTerrainFile *data = reader->data;
    FILO_UNUSED(call);
    filo_mutex_lock(&data->lock);
    // A thread that waits for a window may have taken its place.
    if (reader->state == PLACEMENT_WORLD_REQUESTED) run_reader(reader, NULL);
    data->requests--;
    placement_world_wake(data, &data->waiters);
    filo_mutex_unlock(&data->lock);
    return filo_ok();
}

bool placement_world_start_readers(FiloTerrainFile *data) {
    if (data->jobs == NULL) {
        placement_world_help(data, NULL);
        return true;
    }
    size_t coming = 0;
    bool any = false;
    for (int i = 0; i < data->reader_count; i++) {
        PlacementWorldReader *reader = &data->readers[i];
        if (reader->state == PLACEMENT_WORLD_IDLE && coming < data->queue_count) {
            FiloRequest request = filo_async_run(data->jobs, read_in_background, reader,
                                                 &(FiloAsyncOptions){ .name = "terrain file" });
            if (request.id != 0) {
                reader->state = PLACEMENT_WORLD_REQUESTED;
                data->requests++;
                filo_async_release(data->jobs, request);
            }
        }
        if (reader->state == PLACEMENT_WORLD_REQUESTED) coming++;
        any |= reader->state != PLACEMENT_WORLD_IDLE;
    }
    return any || data->queue_count == 0;
}

void placement_world_help(FiloTerrainFile *data, const FiloTerrainWindow *until) {
    for (int i = 0; i < data->reader_count && data->queue_count > 0; i++) {
        if (data->readers[i].state == PLACEMENT_WORLD_RUNNING) continue;
        run_reader(&data->readers[i], until);
        // For what is left. Without memory for that, this thread continues.
        if (data->jobs != NULL && !placement_world_start_readers(data)) run_reader(&data->readers[i], NULL);
        return;
    }
}

// ---- Waiting --------------------------------------------------------------------------------------------------

void placement_world_sleep(FiloTerrainFile *data, PlacementWorldWaiter **waiters) {
    if (data->jobs == NULL || filo_jobs_worker(data->jobs) < 0) {
        filo_condition_wait(&data->changed, &data->lock);
        return;
    }
    PlacementWorldWaiter waiter = { .next = *waiters };
    filo_job_init(&waiter.job, filo_job_do_nothing, NULL, 0);
    *waiters = &waiter;
    filo_mutex_unlock(&data->lock);
    filo_jobs_wait(data->jobs, &waiter.job);
    filo_mutex_lock(&data->lock);
}

void placement_world_wake(FiloTerrainFile *data, PlacementWorldWaiter **waiters) {
    PlacementWorldWaiter *waiter = *waiters;
    *waiters = NULL;
    while (waiter != NULL) {
        PlacementWorldWaiter *next = waiter->next; // when the job has finished, the memory is gone
        filo_jobs_run(data->jobs, &waiter->job);
        waiter = next;
    }
    filo_condition_broadcast(&data->changed);
}

// ---- Opening --------------------------------------------------------------------------------------------------

static FiloResult read_index(FiloTerrainFile *data) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    uint8_t bytes[256 * PLACEMENT_WORLD_ENTRY];
    uint64_t offset = data->layout.index_offset;
    bool valid = true;
    for (uint32_t i = 0; i < data->layout.tile_count;) {
        size_t count = FILO_MIN((size_t)256, (size_t)(data->layout.tile_count - i));
        ssize_t got = read_at(data->file, bytes, count * PLACEMENT_WORLD_ENTRY, offset);
        if (got < 0) return filo_error_from_errno(errno, data->path);
        if ((size_t)got < count * PLACEMENT_WORLD_ENTRY)
            return base_fs_error(FILO_ERROR_DATA, data->path, "it was shortened while it was opened");
        filo_hasher_add(&hasher, bytes, (size_t)got);
        offset += (uint64_t)got;
        for (size_t n = 0; n < count; n++, i++) {
            PlacementWorldEntry entry = placement_world_entry_read(bytes + n * PLACEMENT_WORLD_ENTRY);
            PlacementWorldSpot spot = placement_world_spot(&data->layout, i);
            valid &= placement_world_entry_valid(&data->layout, &entry, &spot);
            data->slots[i].entry = entry;
        }
    }
    if (filo_hasher_finish(&hasher) != data->layout.index_checksum)
        return base_fs_error(FILO_ERROR_DATA, data->path, "damaged (the checksum of its index is wrong)");
    return valid ? filo_ok() : base_fs_error(FILO_ERROR_DATA, data->path, "its sizes cannot be true");
}

static FiloResult read_header(FiloTerrainFile *data) {
    struct stat status;
    FiloResult result = base_fs_open_regular(&data->file, &status, data->path);
    if (result.code != FILO_OK) {
        data->file = -1;
        return result;
    }
    uint8_t bytes[PLACEMENT_WORLD_HEADER_LARGE];
    ssize_t got = read_at(data->file, bytes, sizeof bytes, 0);
    if (got < 0) return filo_error_from_errno(errno, data->path);
    return placement_world_header_read(&data->layout, bytes, (size_t)got, (uint64_t)status.st_size,
                                       data->path);
}

// How many readers the budget allows. Each needs two buffers and the tile that it reads; windows need something, too.
static FiloResult plan_budget(FiloTerrainFile *data, int readers) {
    size_t tile = data->tile_bytes = placement_world_tile_bytes(&data->layout), each = 3 * tile;
    size_t budget = data->stats.budget;
    if (budget / 4 < tile)
        return filo_error(FILO_ERROR_LIMIT,
                          "%s: a budget of %zu bytes is too small: it must be %zu, four tiles, or more",
                          data->path, budget, 4 * tile);
    data->reader_count = (int)FILO_CLAMP(budget / 2 / each, (size_t)1, (size_t)readers);
    data->reserved = each * (size_t)data->reader_count;
    data->stats.used = data->stats.peak = 2 * tile * (size_t)data->reader_count;
    return filo_ok();
}

static void free_data(FiloTerrainFile *data) {
    placement_world_drop_all(data);
    for (int i = 0; i < data->reader_count; i++) {
        filo_free(data->allocator, data->readers[i].stored, data->tile_bytes, 0);
        filo_free(data->allocator, data->readers[i].filtered, data->tile_bytes, 0);
        ZSTD_freeDCtx(data->readers[i].decompress);
    }
    if (data->slots != NULL)
        filo_free(data->allocator, data->slots, data->layout.tile_count * sizeof *data->slots, 0);
    if (data->file >= 0) close(data->file);
    filo_condition_deinit(&data->changed);
    filo_mutex_deinit(&data->lock);
    filo_free(data->allocator, data, sizeof *data, 0);
}

FiloResult filo_terrain_file_open(FiloTerrainFile **data, const char *path, const FiloTerrainFileDesc *desc) {
    static const FiloTerrainFileDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    if (data != NULL) *data = NULL;
    if (data == NULL || path == NULL) return FILO_MISTAKE("pass a path, and a pointer for the terrain file");
    if (desc->readers < 0 || desc->readers > PLACEMENT_WORLD_READERS)
        return FILO_MISTAKE("a terrain file has up to %d readers, not %d", PLACEMENT_WORLD_READERS,
                            desc->readers);
    FiloTerrainFile *d = filo_alloc_zero(desc->allocator, sizeof *d, 0);
    if (d == NULL) return base_fs_error(FILO_ERROR_MEMORY, path, "no memory to open it");
    d->allocator = desc->allocator;
    d->jobs = desc->jobs;
    d->file = -1;
    d->stats.budget = desc->budget > 0 ? desc->budget : DEFAULT_BUDGET;
    filo_mutex_init(&d->lock);
    filo_condition_init(&d->changed);
    for (int i = 0; i < PLACEMENT_WORLD_READERS; i++) d->readers[i].data = d;
    FiloResult result = filo_ok();
    if (!filo_path_join(d->path, sizeof d->path, "", path))
        result = filo_error_from_errno(ENAMETOOLONG, path);
    if (result.code == FILO_OK) result = read_header(d);
    if (result.code == FILO_OK) result = plan_budget(d, desc->readers > 0 ? desc->readers : DEFAULT_READERS);
    if (result.code == FILO_OK) {
        d->slots = filo_alloc_zero(d->allocator, d->layout.tile_count * sizeof *d->slots, 0);
        if (d->slots == NULL) result = base_fs_error(FILO_ERROR_MEMORY, path, "no memory for its index");
    }
    if (result.code == FILO_OK) result = read_index(d);
    if (result.code != FILO_OK)
        free_data(d);
    else
        *data = d;
    return result;
}

void filo_terrain_file_close(FiloTerrainFile *data) {
    if (data == NULL) return;
    filo_mutex_lock(&data->lock);
    size_t windows = data->stats.window_count;
    if (!FILO_CHECK(windows == 0, "release all windows of %s before it is closed: %zu are in use", data->path,
                    windows)) {
        filo_mutex_unlock(&data->lock);
        return;
    }
    data->closing = true;
    while (data->requests > 0) placement_world_sleep(data, &data->waiters);
    filo_mutex_unlock(&data->lock);
    free_data(data);
}

// ---- Questions ------------------------------------------------------------------------------------------------

FiloTerrainFileInfo filo_terrain_file_info(const FiloTerrainFile *data) {
    return FILO_CHECK(data != NULL, "pass a terrain file") ? data->layout.info : (FiloTerrainFileInfo){ 0 };
}

FiloTerrainChannelInfo filo_terrain_file_channel(const FiloTerrainFile *data, int channel) {
    if (!FILO_CHECK(data != NULL, "pass a terrain file") || channel < 0 ||
        channel >= data->layout.info.channel_count)
        return (FiloTerrainChannelInfo){ .name = "" };
    const PlacementWorldChannel *c = &data->layout.channels[channel];
    return (FiloTerrainChannelInfo){ c->name, c->value_size == 1 ? FILO_MAP_U8 : FILO_MAP_U16,
                                     c->levels[0].width, c->levels[0].height, c->level_count };
}

int filo_terrain_file_channel_find(const FiloTerrainFile *data, const char *name) {
    if (!FILO_CHECK(data != NULL && name != NULL, "pass a terrain file and the name of a channel")) return -1;
    for (int i = 0; i < data->layout.info.channel_count; i++)
        if (strcmp(data->layout.channels[i].name, name) == 0) return i;
    return -1;
}

FiloTerrainMap filo_terrain_file_map(const FiloTerrainFile *data, int channel, int level) {
    if (!FILO_CHECK(data != NULL, "pass a terrain file") || channel < 0 ||
        channel >= data->layout.info.channel_count || level < 0 ||
        level >= data->layout.channels[channel].level_count)
        return (FiloTerrainMap){ 0 };
    const PlacementWorldChannel *c = &data->layout.channels[channel];
    return (FiloTerrainMap){ .data = &data->zeroes[channel],
                             .format = c->value_size == 1 ? FILO_MAP_U8 : FILO_MAP_U16,
                             .width = 1,
                             .height = 1,
                             .full_width = c->levels[level].width,
                             .full_height = c->levels[level].height };
}

FiloTerrainFileStats filo_terrain_file_stats(const FiloTerrainFile *data) {
    if (!FILO_CHECK(data != NULL, "pass a terrain file")) return (FiloTerrainFileStats){ 0 };
    FiloMutex *lock = (FiloMutex *)(uintptr_t)&data->lock;
    filo_mutex_lock(lock);
    FiloTerrainFileStats stats = data->stats;
    filo_mutex_unlock(lock);
    return stats;
}
