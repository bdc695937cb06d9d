// Placement at scale: a world of 1,074 km² on disk, of which 1, 10, 100 and 1,000 km² are placed, streamed through a fixed
// amount of memory. The cost of a km² must not depend on how many there are. The reference is one km² whose maps are in
// memory as a whole.

#include "bench.h"

#include <filo/terrain_file.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE   8192 // texels, of 4 m
#define PART   1024 // texels a side that are generated at once
#define KM     1000.0
#define AHEAD  6             // areas whose windows are being read
#define MEMORY FILO_MIB(256) // of the whole process
#define BUDGET FILO_MIB(32)  // of the world data

typedef struct Scale {
    FiloJobs *jobs;
    char path[FILO_PATH_SIZE];
    int across, count; // areas of 1 km² in a row, and in all
    uint64_t placed;
    FiloPlacementResult result;
    double peak; // MB of the process
} Scale;

// ---- The world ------------------------------------------------------------------------------------------------

static float lattice(int x, int y) {
    uint64_t hash = filo_hash_u64((uint64_t)(uint32_t)x << 32 ^ (uint64_t)(uint32_t)y);
    return (float)(hash >> 40) / 16777216.0f;
}

static float noise(float x, float y) {
    int i = (int)x, j = (int)y;
    float u = x - (float)i, v = y - (float)j;
    u = u * u * (3 - 2 * u), v = v * v * (3 - 2 * v);
    float a = lattice(i, j), b = lattice(i + 1, j), c = lattice(i, j + 1), d = lattice(i + 1, j + 1);
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

typedef struct Part {
    int x, y;
    uint16_t *heights;
    uint8_t *trees;
} Part;

// Hills of kilometres down to hollows of a few texels. Woods and clearings of 100 m, so that all km² are alike.
static void make_rows(size_t begin, size_t end, void *user) {
    const Part *part = user;
    for (size_t row = begin; row < end; row++) {
        for (size_t i = 0; i < PART; i++) {
            float x = (float)part->x + (float)i, y = (float)part->y + (float)row, height = 0, share = 0.5f;
            for (float wave = 900; wave > 10; wave *= 0.4f, share *= 0.45f)
                height += share * noise(x / wave + 7, y / wave + 7);
            float trees = filo_clamp01(noise(x / 20, y / 20) * 2 - 0.5f);
            part->heights[row * PART + i] = (uint16_t)(height * 65535.0f);
            part->trees[row * PART + i] = (uint8_t)(trees * 255.0f);
        }
    }
}

static FiloResult write_world(Scale *scale) {
    Part part = { 0 };
    part.heights = filo_alloc(NULL, PART * PART * sizeof(uint16_t), 0);
    part.trees = filo_alloc(NULL, PART * PART, 0);
    if (part.heights == NULL || part.trees == NULL) filo_panic("no memory for the benchmark");
    FiloTerrainFileLayout layout = {
        .width = SIDE,
        .height = SIDE,
        .size = { 32.768e3f, 32.768e3f, 1200 },
        .channels = { { "height", FILO_MAP_U16, 0, 0 }, { "pine", FILO_MAP_U8, 0, 0 } },
        .jobs = scale->jobs,
        .skip_sync = true,
    };
    FiloTerrainFileWriter *writer;
    FiloResult result = filo_terrain_file_create(&writer, scale->path, &layout);
    if (result.code != FILO_OK) return result;
    for (part.y = 0; part.y < SIDE && result.code == FILO_OK; part.y += PART) {
        for (part.x = 0; part.x < SIDE && result.code == FILO_OK; part.x += PART) {
            filo_jobs_for(scale->jobs, PART, make_rows, &part);
            FiloTerrainMap map = {
                .data = part.heights, .format = FILO_MAP_U16, PART, PART, .x = part.x, .y = part.y
            };
            result = filo_terrain_file_add(writer, 0, &map);
            map.data = part.trees, map.format = FILO_MAP_U8;
            if (result.code == FILO_OK) result = filo_terrain_file_add(writer, 1, &map);
        }
    }
    filo_free(NULL, part.heights, PART * PART * sizeof(uint16_t), 0);
    filo_free(NULL, part.trees, PART * PART, 0);
    if (result.code == FILO_OK) return filo_terrain_file_finish(writer);
    filo_terrain_file_abandon(writer);
    return result;
}

static FiloPlacement *place_by(FiloTerrainMap height, FiloTerrainMap trees) {
    FiloPlacementDesc *desc = calloc(1, sizeof *desc); // too large for a stack
    FiloPlacement *placement = NULL;
    if (desc == NULL) filo_panic("no memory for the benchmark");
    desc->size = (FiloVec3){ 32.768e3f, 32.768e3f, 1200 };
    desc->height = height;
    desc->footprints[0].footprint = 1.75f;
    desc->footprints[0].layers[0].name = "pine";
    desc->footprints[0].layers[0].density.map = trees;
    FiloResult result = filo_placement_create(&placement, desc);
    if (result.code != FILO_OK) filo_panic("%s", result.message);
    free(desc);
    return placement;
}

// ---- Streaming ------------------------------------------------------------------------------------------------

static FiloPlacementArea area_of(const Scale *scale, int i) {
    double x = i % scale->across * KM, y = i / scale->across * KM;
    return (FiloPlacementArea){ x, y, x + KM, y + KM };
}

static void expect_ok(FiloResult result) {
    if (result.code != FILO_OK) filo_panic("%s", result.message);
}

static uint64_t stream(Scale *scale, FiloTerrainFile *data, const FiloPlacement *placement) {
    static FiloTerrainWindows windows[AHEAD];
    uint64_t placed = 0;
    for (int i = -AHEAD; i < scale->count; i++) {
        if (i >= 0) {
            FiloTerrainWindows *now = &windows[i % AHEAD];
            expect_ok(filo_terrain_windows_wait(now));
            FiloPlacementRequest request = { .area = area_of(scale, i),
                                             .jobs = scale->jobs,
                                             .windows = now->windows,
                                             .window_count = now->count };
            expect_ok(filo_placement_compute(placement, &request, &scale->result));
            placed += scale->result.count;
            filo_terrain_windows_release(now);
        }
        int next = i + AHEAD;
        if (next >= scale->count) continue;
        FiloTerrainWindowsDesc desc = { .area = area_of(scale, next), .priority = (float)-next };
        expect_ok(filo_terrain_windows_request(&windows[next % AHEAD], data, placement, &desc));
    }
    return placed;
}

// A line of /proc/self/status, in MB.
static double memory_of_process(const char *line) {
    FiloFileData status;
    if (filo_file_read(&status, "/proc/self/status", NULL).code != FILO_OK) return 0;
    const char *found = strstr(status.text, line);
    double megabytes = found != NULL ? strtod(found + strlen(line), NULL) / 1024 : 0;
    filo_file_free(&status);
    return megabytes;
}

// Memory that other benchmarks have freed does not count.
static void forget_peak(void) {
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL) return;
    fputs("5", file);
    fclose(file);
}

// The file is opened anew each time: nothing is in the cache of world data.
static double streamed(void *state) {
    Scale *scale = state;
    FiloTerrainFile *data;
    expect_ok(filo_terrain_file_open(&data, scale->path,
                                     &(FiloTerrainFileDesc){ .jobs = scale->jobs, .budget = BUDGET }));
    FiloPlacement *placement = place_by(filo_terrain_file_map(data, 0, 0), filo_terrain_file_map(data, 1, 0));
    int64_t start = filo_time_ns();
    scale->placed = stream(scale, data, placement);
    double us = (double)(filo_time_ns() - start) / 1e3;
    bench_expect(filo_terrain_file_stats(data).peak <= BUDGET, "placement.scale: the budget of world data");
    filo_placement_destroy(placement);
    filo_terrain_file_close(data);
    scale->peak = FILO_MAX(scale->peak, memory_of_process("VmHWM:"));
    return us / scale->count;
}

// ---- The reference --------------------------------------------------------------------------------------------

static double in_memory(void *state) {
    Scale *scale = state;
    FiloTerrainFile *data;
    FiloTerrainWindows windows;
    FiloPlacementArea area = area_of(scale, scale->count / 2);
    expect_ok(filo_terrain_file_open(&data, scale->path,
                                     &(FiloTerrainFileDesc){ .jobs = scale->jobs, .budget = BUDGET }));
    FiloPlacement *placement = place_by(filo_terrain_file_map(data, 0, 0), filo_terrain_file_map(data, 1, 0));
    expect_ok(
        filo_terrain_windows_request(&windows, data, placement, &(FiloTerrainWindowsDesc){ .area = area }));
    expect_ok(filo_terrain_windows_wait(&windows));
    FiloPlacement *whole = place_by(windows.windows[0].window, windows.windows[1].window);
    double ns;
    FiloPlacementRequest request = { .area = area, .jobs = scale->jobs };
    expect_ok(filo_placement_compute(whole, &request, &scale->result));
    bench_time(ns, 3, expect_ok(filo_placement_compute(whole, &request, &scale->result)));
    filo_terrain_windows_release(&windows);
    filo_placement_destroy(whole);
    filo_placement_destroy(placement);
    filo_terrain_file_close(data);
    return ns / 1e3;
}

static double peak_memory(void *state) { return ((Scale *)state)->peak; }
static double allowed_memory(void *state) {
    FILO_UNUSED(state);
    return (double)(MEMORY >> 20);
}

FILO_BENCH(placement_scale) {
    if (!bench_wanted("placement.scale")) return;
    static const struct {
        const char *name;
        int across, count, rounds;
    } sizes[] = { { "placement.scale.1", 1, 1, 0 },
                  { "placement.scale.10", 5, 10, 0 },
                  { "placement.scale.100", 10, 100, 5 },
                  { "placement.scale.1000", 32, 1000, 2 } };
    static Scale scale;
    char folder[] = "/tmp/filo-bench-XXXXXX";
    forget_peak();
    expect_ok(filo_jobs_create(&scale.jobs, NULL));
    if (mkdtemp(folder) == NULL) filo_panic("no folder for the benchmark");
    snprintf(scale.path, sizeof scale.path, "%s/scale.world", folder);
    expect_ok(write_world(&scale));
    for (size_t i = 0; i < FILO_COUNT_OF(sizes); i++) {
        scale.across = sizes[i].across, scale.count = sizes[i].count;
        bench_compare(&(BenchFigure){ sizes[i].name, "us/km2", streamed, in_memory, "1 km2, maps in memory",
                                      &scale, sizes[i].rounds, false });
    }
    bench_compare(&(BenchFigure){ "placement.scale.memory", "MiB", peak_memory, allowed_memory,
                                  "what is allowed", &scale, 1, false });
    bench_expect(scale.peak <= (double)(MEMORY >> 20), "placement.scale: the memory of the process");
    filo_placement_result_free(&scale.result);
    expect_ok(filo_file_remove(scale.path));
    expect_ok(filo_folder_remove(folder));
    filo_jobs_destroy(scale.jobs, FILO_JOBS_FINISH);
}
