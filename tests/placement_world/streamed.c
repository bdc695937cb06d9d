// A world whose maps are on disk: tiles and entities are those of the same maps in memory.

#include "placement_world/scenario.h"

#include <filo/terrain_file.h>

typedef struct Disk {
    FiloTerrainFile *data;
    const FiloPlacement *placement;
} Disk;

static FiloResult give_windows(FiloPlacementWindows *windows, const FiloPlacementArea *area, void *user) {
    const Disk *disk = user;
    FiloTerrainWindows *maps = calloc(1, sizeof *maps);
    if (maps == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for windows");
    FiloResult r = filo_terrain_windows_request(maps, disk->data, disk->placement,
                                                &(FiloTerrainWindowsDesc){ .area = *area });
    if (r.code == FILO_OK) r = filo_terrain_windows_wait(maps);
    *windows = (FiloPlacementWindows){ .windows = maps->windows, .count = maps->count, .held = maps };
    if (r.code == FILO_OK) return r;
    filo_terrain_windows_release(maps);
    free(maps);
    return r;
}

static void release_windows(FiloPlacementWindows *windows, void *user) {
    FILO_UNUSED(user);
    filo_terrain_windows_release(windows->held);
    free(windows->held);
}

static void write_maps(const Fixture *fixture, const char *path) {
    const FiloTerrainMap maps[] = { fixture_map(fixture->trees), fixture_map(fixture->bushes) };
    FiloTerrainFileLayout layout = { .width = FIXTURE_SIDE,
                                     .height = FIXTURE_SIDE,
                                     .tile = 16,
                                     .size = { FIXTURE_SIZE, FIXTURE_SIZE, 50 },
                                     .channels = { { "tree", FILO_MAP_U8, 0, 0 },
                                                   { "bush", FILO_MAP_U8, 0, 0 } } };
    assert_ok(filo_terrain_file_write(path, &layout, maps, FILO_COUNT_OF(maps)));
}

// Moving viewers, felling, clearings and painting, with maps from disk.
FILO_TEST(a_world_streamed_from_disk_is_the_same_on_any_number_of_threads) {
    const char *path = filo_test_path("maps.world");
    Fixture *expected = scenario_open(2);
    uint64_t hash = scenario_run(expected, 50);
    write_maps(expected, path);
    for (int threads = 1; threads <= 4; threads *= 2) {
        Disk disk;
        Fixture *fixture = fixture_new();
        memset(fixture->trees, 0, sizeof fixture->trees); // nothing is in memory
        memset(fixture->bushes, 0, sizeof fixture->bushes);
        fixture->desc.windows = give_windows;
        fixture->desc.release_windows = release_windows;
        fixture->desc.windows_user = &disk;
        scenario_start(fixture, threads);
        disk.placement = fixture->placement;
        assert_ok(filo_terrain_file_open(&disk.data, path, &(FiloTerrainFileDesc){ .jobs = fixture->jobs }));
        assert_true(scenario_run(fixture, 50) == hash);
        filo_placement_world_wait(fixture->forest);
        filo_placement_world_wait(expected->forest);
        FiloPlacementWorldStats s = stats(fixture);
        assert_true(s.objects > 500 && s.tiles_missing == 0);
        FiloPlacementTile tile;
        size_t here = 0, there = 0;
        for (size_t i = 0; filo_placement_world_tile(fixture->forest, i, &tile); i++)
            here += tile.result->count;
        for (size_t i = 0; filo_placement_world_tile(expected->forest, i, &tile); i++)
            there += tile.result->count;
        assert_int_equal(here, there);
        filo_placement_world_destroy(fixture->forest); // before what it reads
        fixture->forest = NULL;
        filo_terrain_file_close(disk.data);
        fixture_close(fixture);
    }
    fixture_close(expected);
}
