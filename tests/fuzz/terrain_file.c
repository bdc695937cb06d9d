// Any bytes as a terrain file: it is refused with a message that names it, or every window of it can be requested,
// and has values or a message.

#include "placement_world/file_seal.h"

#include <filo/terrain_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WINDOWS 24

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned random);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); // of libFuzzer

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned random) {
    size = LLVMFuzzerMutate(data, size, max_size);
    if (random % 8 != 0) seal(data, size, true); // sometimes leaves a wrong checksum
    return size;
}

// ---- The test -------------------------------------------------------------------------------------------------

static void check_window(FiloTerrainWindow *window, const FiloTerrainWindowDesc *desc,
                         const FiloTerrainChannelInfo *channel) {
    FiloTerrainMap map;
    FiloResult result = filo_terrain_window_wait(window);
    if (!filo_terrain_window_ready(window) || filo_terrain_window_map(window, &map).code != result.code)
        abort();
    if (result.code != FILO_OK) {
        if (result.message[0] == '\0' || map.data != NULL) abort();
        return;
    }
    if (map.format != channel->format || map.width < 1 || map.height < 1 || map.width > desc->width ||
        map.height > desc->height || map.x < 0 || map.y < 0 || map.x + map.width > map.full_width ||
        map.y + map.height > map.full_height)
        abort();
    // All of it can be read.
    volatile uint64_t hash = filo_hash(map.data, map.stride * (size_t)map.height);
    (void)hash;
}

static void use(FiloTerrainFile *world) {
    FiloTerrainFileInfo info = filo_terrain_file_info(world);
    for (int i = 0; i < WINDOWS; i++) {
        uint64_t n = filo_hash_u64((uint64_t)i);
        FiloTerrainWindowDesc desc = { .channel = (int)(n % (unsigned)info.channel_count),
                                       .width = 40,
                                       .height = 33 };
        FiloTerrainChannelInfo channel = filo_terrain_file_channel(world, desc.channel);
        if (channel.name[0] == '\0' || channel.levels < 1) abort();
        desc.level = (int)((n >> 8) % (unsigned)channel.levels);
        desc.x = (int)((n >> 16) % (unsigned)(channel.width + 40)) - 20;
        desc.y = (int)((n >> 40) % (unsigned)(channel.height + 40)) - 20;
        FiloTerrainWindow *window;
        if (filo_terrain_file_request(&window, world, &desc).code != FILO_OK) abort();
        check_window(window, &desc, &channel);
        filo_terrain_window_release(window);
    }
    FiloTerrainFileStats stats = filo_terrain_file_stats(world);
    if (stats.window_count != 0 || stats.tiles_queued != 0 || stats.peak > stats.budget) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    char path[64];
    if (file < 0) file = memfd_create("fuzz.world", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    FiloTerrainFile *world;
    // A tile has up to 2 MiB.
    FiloResult result =
        filo_terrain_file_open(&world, path, &(FiloTerrainFileDesc){ .budget = FILO_MIB(10), .readers = 1 });
    if (result.code == FILO_OK)
        use(world);
    else if (world != NULL || strstr(result.message, path) == NULL)
        abort();
    filo_terrain_file_close(world);
    return 0;
}
