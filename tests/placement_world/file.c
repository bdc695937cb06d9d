// World data: what is written is what is read.

#include "placement_world/file_world.h"

#include "support/failing_allocator.h"

#include <math.h>
#include <unistd.h>

static FiloTerrainFile *open_world(const char *path) {
    FiloTerrainFile *data;
    assert_ok(filo_terrain_file_open(&data, path, NULL));
    return data;
}

static void assert_all_right(const World *world, const char *path) {
    FiloTerrainFile *data = open_world(path);
    for (int c = 0; c < WORLD_CHANNELS; c++)
        for (int level = 0; level < filo_terrain_file_channel(data, c).levels; level++)
            assert_true(world_window_is_right(
                world, data,
                (FiloTerrainWindowDesc){ .channel = c, .level = level, .width = 1000, .height = 1000 }));
    filo_terrain_file_close(data);
}

static uint64_t hash_of_file(const char *path) {
    FiloFileData file;
    assert_ok(filo_file_read(&file, path, NULL));
    uint64_t hash = filo_hash(file.bytes, file.size);
    filo_file_free(&file);
    return hash;
}

// ---- Values ---------------------------------------------------------------------------------------------------

FILO_TEST(every_level_is_the_rounded_mean_of_the_one_before) {
    World *world = world_new();
    assert_all_right(world, world_write(world, "a.world"));
    world->layout.uncompressed = true;
    assert_all_right(world, world_write(world, "b.world"));
    free(world);
}

FILO_TEST(a_file_says_what_is_in_it) {
    World *world = world_new();
    world->layout.corner_x = -300, world->layout.corner_y = 12.5, world->layout.lowest = -8;
    FiloTerrainFile *data = open_world(world_write(world, "a.world"));
    FiloTerrainFileInfo info = filo_terrain_file_info(data);
    assert_int_equal(info.width, WORLD_WIDTH);
    assert_int_equal(info.height, WORLD_HEIGHT);
    assert_int_equal(info.tile, WORLD_TILE);
    assert_int_equal(info.channel_count, WORLD_CHANNELS);
    assert_true(info.size.x == 602 && info.size.y == 350 && info.size.z == 100);
    assert_true(info.corner_x == -300 && info.corner_y == 12.5 && info.lowest == -8);
    FiloTerrainChannelInfo wet = filo_terrain_file_channel(data, 2);
    assert_string_equal(wet.name, "wet");
    assert_int_equal(wet.format, FILO_MAP_U16);
    assert_int_equal(wet.width, 151);
    assert_int_equal(wet.height, 88);
    assert_int_equal(wet.levels, 4); // 151, 76, 38, 19
    assert_int_equal(filo_terrain_file_channel_find(data, "trees"), 1);
    assert_int_equal(filo_terrain_file_channel_find(data, "tree"), -1);
    assert_string_equal(filo_terrain_file_channel(data, 3).name, "");
    FiloTerrainMap trees = filo_terrain_file_map(data, 1, 2), height = filo_terrain_file_map(data, 0, 2);
    assert_int_equal(trees.full_width, 76);
    assert_int_equal(trees.full_height, 44);
    assert_int_equal(trees.format, FILO_MAP_U8);
    assert_true(trees.width == 1 && trees.height == 1 && *(const uint8_t *)trees.data == 0);
    assert_ptr_not_equal(trees.data, height.data);
    assert_null(filo_terrain_file_map(data, 1, 5).data);
    filo_terrain_file_close(data);
    free(world);
}

FILO_TEST(a_channel_may_have_fewer_levels) {
    World *world = world_new();
    world->layout.channels[0].levels = 1;
    world->layout.channels[1].levels = 3;
    world->layout.channels[2].levels = 100;
    const char *path = world_write(world, "a.world");
    assert_all_right(world, path);
    FiloTerrainFile *data = open_world(path);
    assert_int_equal(filo_terrain_file_channel(data, 0).levels, 1);
    assert_int_equal(filo_terrain_file_channel(data, 1).levels, 3);
    assert_int_equal(filo_terrain_file_channel(data, 2).levels, 4);
    filo_terrain_file_close(data);
    free(world);
}

// A part of a map, as a window of it in the memory of the whole.
static FiloTerrainMap part_of(const FiloTerrainMap *map, int x, int y, int width, int height) {
    size_t size = map->format == FILO_MAP_U8 ? 1 : 2, stride = (size_t)map->width * size;
    return (FiloTerrainMap){ .data = (const uint8_t *)map->data + (size_t)y * stride + (size_t)x * size,
                             .format = map->format,
                             .width = width,
                             .height = height,
                             .stride = stride,
                             .x = x,
                             .y = y,
                             .full_width = map->width,
                             .full_height = map->height };
}

FILO_TEST(parts_may_come_in_any_order) {
    World *world = world_new();
    FiloTerrainFileWriter *writer;
    assert_ok(filo_terrain_file_create(&writer, filo_test_path("a.world"), &world->layout));
    for (int c = 0; c < WORLD_CHANNELS; c++) {
        const FiloTerrainMap *map = &world->maps[c];
        for (int y = (map->height - 1) / 64 * 64; y >= 0; y -= 64)
            for (int x = 0; x < map->width; x += 96) {
                FiloTerrainMap part =
                    part_of(map, x, y, FILO_MIN(96, map->width - x), FILO_MIN(64, map->height - y));
                assert_ok(filo_terrain_file_add(writer, c, &part));
            }
    }
    assert_ok(filo_terrain_file_finish(writer));
    assert_all_right(world, filo_test_path("a.world"));
    free(world);
}

FILO_TEST(a_part_that_is_added_again_is_replaced) {
    World *world = world_new();
    FiloTerrainFileWriter *writer;
    assert_ok(filo_terrain_file_create(&writer, filo_test_path("a.world"), &world->layout));
    uint16_t others[32 * 32];
    memset(others, 7, sizeof others);
    assert_ok(filo_terrain_file_add(
        writer, 0, &(FiloTerrainMap){ .data = others, .format = FILO_MAP_U16, 32, 32, .x = 64, .y = 32 }));
    for (int c = 0; c < WORLD_CHANNELS; c++) assert_ok(filo_terrain_file_add(writer, c, &world->maps[c]));
    assert_ok(filo_terrain_file_finish(writer));
    assert_all_right(world, filo_test_path("a.world"));
    free(world);
}

FILO_TEST(what_was_not_added_is_zero_and_takes_no_room) {
    FiloTerrainFileLayout layout = { .width = 200000,
                                     .height = 100000,
                                     .tile = 1024,
                                     .channels = { { "sea", FILO_MAP_U8, 0, 0 } },
                                     .skip_sync = true };
    assert_ok(filo_terrain_file_write(filo_test_path("a.world"), &layout, &(FiloTerrainMap){ 0 }, 1));
    FiloTerrainFile *data = open_world(filo_test_path("a.world"));
    assert_true(filo_terrain_file_info(data).file_size < 26000 * 24);
    FiloTerrainWindow *window;
    assert_ok(filo_terrain_file_request(
        &window, data, &(FiloTerrainWindowDesc){ .x = 150000, .y = 5000, .width = 300, .height = 2 }));
    assert_true(filo_terrain_window_ready(window)); // nothing has to be read
    FiloTerrainMap map;
    assert_ok(filo_terrain_window_map(window, &map));
    for (int i = 0; i < 600; i++) assert_int_equal(((const uint8_t *)map.data)[i], 0);
    filo_terrain_window_release(window);
    assert_int_equal(filo_terrain_file_stats(data).tiles_read, 0);
    filo_terrain_file_close(data);
}

FILO_TEST(values_are_converted_to_the_format_of_the_channel) {
    static const float floats[4] = { -1, 0.5f, 1.0f, 7 };
    static const uint16_t wide[4][3] = { { 0 }, { 128 }, { 129 }, { 65535 } }; // with a step of three values
    static const uint8_t narrow[4] = { 0, 1, 128, 255 };
    FiloTerrainFileLayout layout = { .width = 4, .height = 1, .tile = 16, .skip_sync = true };
    FiloTerrainMap maps[] = { { .data = floats, .format = FILO_MAP_FLOAT, 4, 1 },
                              { .data = wide, .format = FILO_MAP_U16, 4, 1, .step = sizeof wide[0] },
                              { .data = narrow, .format = FILO_MAP_U8, 4, 1 } };
    layout.channels[0] = (FiloTerrainChannel){ "floats", FILO_MAP_U16, 0, 0 };
    layout.channels[1] = (FiloTerrainChannel){ "wide", FILO_MAP_U8, 0, 0 };
    layout.channels[2] = (FiloTerrainChannel){ "narrow", FILO_MAP_U16, 0, 0 };
    static const unsigned expected[3][4] = { { 0, 32768, 65535, 65535 },
                                             { 0, 0, 1, 255 },
                                             { 0, 257, 32896, 65535 } };
    assert_ok(filo_terrain_file_write(filo_test_path("a.world"), &layout, maps, 3));
    FiloTerrainFile *data = open_world(filo_test_path("a.world"));
    for (int c = 0; c < 3; c++) {
        FiloTerrainWindow *window;
        FiloTerrainMap map;
        FiloTerrainWindowDesc desc = { .channel = c, .width = 4, .height = 1 };
        assert_ok(filo_terrain_file_request(&window, data, &desc));
        assert_ok(filo_terrain_window_map(window, &map));
        for (int i = 0; i < 4; i++) assert_int_equal(world_texel(&map, i, 0), expected[c][i]);
        filo_terrain_window_release(window);
    }
    filo_terrain_file_close(data);
}

// ---- The file -------------------------------------------------------------------------------------------------

FILO_TEST(the_format_stays_as_it_is) {
    World *world = world_new();
    world->layout.uncompressed = true; // compressed bytes may differ between versions of zstd
    assert_int_equal(hash_of_file(world_write(world, "a.world")), 0x23086183d89506b8);
    free(world);
}

FILO_TEST(a_smooth_map_takes_less_room_when_compressed) {
    World *world = world_new();
    uint64_t sizes[2];
    for (int i = 0; i < 2; i++) {
        world->layout.uncompressed = i == 1;
        FiloTerrainFile *data = open_world(world_write(world, "a.world"));
        sizes[i] = filo_terrain_file_info(data).file_size;
        filo_terrain_file_close(data);
    }
    assert_true(sizes[0] * 3 < sizes[1] * 2);
    free(world);
}

FILO_TEST(the_bytes_of_the_file_do_not_depend_on_threads) {
    World *world = world_new();
    uint64_t hash = hash_of_file(world_write(world, "a.world"));
    for (int threads = 1; threads <= 4; threads *= 2) {
        assert_ok(filo_jobs_create(&world->layout.jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_int_equal(hash_of_file(world_write(world, "a.world")), hash);
        filo_jobs_destroy(world->layout.jobs, FILO_JOBS_FINISH);
    }
    free(world);
}

static int files_in_folder(void) {
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, filo_test_folder(), NULL));
    int count = (int)list.count;
    filo_folder_list_free(&list);
    return count;
}

FILO_TEST(an_abandoned_writer_leaves_the_old_file_and_nothing_else) {
    World *world = world_new();
    const char *path = world_write(world, "a.world");
    uint64_t hash = hash_of_file(path);
    FiloTerrainFileWriter *writer;
    assert_ok(filo_terrain_file_create(&writer, path, &world->layout));
    assert_ok(filo_terrain_file_add(writer, 0, &world->maps[0]));
    filo_terrain_file_abandon(writer);
    filo_terrain_file_abandon(NULL);
    assert_int_equal(hash_of_file(path), hash);
    assert_int_equal(files_in_folder(), 1);
    free(world);
}

typedef struct Progress {
    float last, stop_at;
} Progress;

static bool follow(float done, void *user) {
    Progress *progress = user;
    assert_true(done >= progress->last && done <= 1);
    progress->last = done;
    return done < progress->stop_at;
}

FILO_TEST(progress_reaches_one_and_can_cancel) {
    World *world = world_new();
    Progress progress = { 0, 2 };
    world->layout.progress = follow, world->layout.user = &progress;
    const char *path = world_write(world, "a.world");
    assert_true(progress.last == 1);
    uint64_t hash = hash_of_file(path);
    for (int i = 1; i < 10; i++) {
        progress = (Progress){ 0, (float)i / 10 };
        assert_error(filo_terrain_file_write(path, &world->layout, world->maps, WORLD_CHANNELS),
                     FILO_ERROR_CANCELLED, "a.world: writing was cancelled");
    }
    assert_int_equal(hash_of_file(path), hash);
    assert_int_equal(files_in_folder(), 1);
    free(world);
}

FILO_TEST(an_open_file_is_read_to_its_end_when_another_takes_its_path) {
    World *world = world_new();
    const char *path = world_write(world, "a.world");
    FiloTerrainFile *data = open_world(path);
    FiloTerrainFileLayout layout = { .width = 1, .height = 1, .channels = { { "dot", FILO_MAP_U8, 0, 0 } } };
    assert_ok(filo_terrain_file_write(path, &layout,
                                      &(FiloTerrainMap){ .data = "!", .format = FILO_MAP_U8, 1, 1 }, 1));
    assert_true(world_window_is_right(world, data, (FiloTerrainWindowDesc){ .width = 400, .height = 100 }));
    assert_int_equal(unlink(path), 0);
    assert_true(world_window_is_right(world, data,
                                      (FiloTerrainWindowDesc){ .channel = 1, .width = 400, .height = 100 }));
    filo_terrain_file_close(data);
    free(world);
}

// ---- What can go wrong ----------------------------------------------------------------------------------------

FILO_TEST(a_value_that_is_not_a_number_is_refused_and_the_writer_goes_on) {
    World *world = world_new();
    float heights[32 * 32] = { 0 };
    heights[40] = NAN;
    FiloTerrainMap part = { .data = heights, .format = FILO_MAP_FLOAT, 32, 32, .x = 32 };
    FiloTerrainFileWriter *writer;
    assert_ok(filo_terrain_file_create(&writer, filo_test_path("a.world"), &world->layout));
    assert_error(filo_terrain_file_add(writer, 0, &part), FILO_ERROR_DATA,
                 "a.world: a value is not a number in tile (1, 0) of level 0 of \"height\"");
    for (int c = 0; c < WORLD_CHANNELS; c++) assert_ok(filo_terrain_file_add(writer, c, &world->maps[c]));
    assert_ok(filo_terrain_file_finish(writer));
    assert_all_right(world, filo_test_path("a.world"));
    free(world);
}

FILO_TEST(a_folder_that_does_not_exist_is_reported) {
    World *world = world_new();
    FiloTerrainFileWriter *writer;
    assert_error(filo_terrain_file_create(&writer, filo_test_path("no/a.world"), &world->layout),
                 FILO_ERROR_NOT_FOUND, "no/a.world");
    assert_null(writer);
    free(world);
}

FILO_TEST(mistakes_of_the_writer_are_named) {
    World *world = world_new();
    const char *path = filo_test_path("a.world");
    FiloTerrainFileWriter *writer;
    FiloTerrainFileLayout l = world->layout;
    l.width = 0;
    expect_mistake("1 to 1048576 texels a side, not 0 × 175", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.tile = 100;
    expect_mistake("a tile of 100 texels is not a power of two", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.channels[0].name = NULL;
    expect_mistake("at least one channel", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.channels[1].name = "height";
    expect_mistake("two channels are named \"height\"", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.channels[1].format = FILO_MAP_FLOAT;
    expect_mistake("\"trees\" must be FILO_MAP_U8 or FILO_MAP_U16",
                   filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.channels[1].coarser = 13;
    expect_mistake("\"trees\": coarser is 0 to 12", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.size.x = NAN;
    expect_mistake("must be finite", filo_terrain_file_create(&writer, path, &l));
    l = world->layout, l.width = l.height = FILO_TERRAIN_FILE_SIDE, l.tile = 16;
    expect_mistake("more than 16777216 tiles", filo_terrain_file_create(&writer, path, &l));
    expect_mistake("one map for each of the 3 channels",
                   filo_terrain_file_write(path, &world->layout, world->maps, 2));
    assert_ok(filo_terrain_file_create(&writer, path, &world->layout));
    FiloTerrainMap part = part_of(&world->maps[0], 16, 0, 32, 32);
    expect_mistake("pass whole tiles of 32 texels of it, not 32 × 32 at (16, 0)",
                   filo_terrain_file_add(writer, 0, &part));
    part = part_of(&world->maps[0], 288, 0, 14, 32);
    expect_mistake("not 14 × 32 at (288, 0)", filo_terrain_file_add(writer, 0, &part));
    part = part_of(&world->maps[0], 0, 0, 32, 32), part.full_width = 300;
    expect_mistake("the part is of a map of 300 × 175", filo_terrain_file_add(writer, 0, &part));
    expect_mistake("there is no channel 3", filo_terrain_file_add(writer, 3, &part));
    part.data = NULL;
    expect_mistake("pass a map with data", filo_terrain_file_add(writer, 0, &part));
    filo_terrain_file_abandon(writer);
    assert_int_equal(files_in_folder(), 0);
    free(world);
}

FILO_TEST(writing_without_memory_leaves_nothing_behind) {
    World *world = world_new();
    bool more = true;
    FiloFaultHandler handler = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        world->layout.allocator = &failing.allocator;
        FiloResult result =
            filo_terrain_file_write(filo_test_path("a.world"), &world->layout, world->maps, 3);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
        if (more) assert_error(result, FILO_ERROR_MEMORY, "no memory to write a terrain file");
        assert_int_equal(files_in_folder(), more ? 0 : 1);
    }
    filo_fault_set_handler(handler);
    free(world);
}
