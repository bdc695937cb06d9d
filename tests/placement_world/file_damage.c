// Terrain files that are not as they should be.

#include "placement_world/file_seal.h"
#include "placement_world/file_world.h"

#include "placement_world/file_format.h"

#include <fcntl.h>
#include <unistd.h>

// A file in memory that can be changed and written again.
typedef struct Bytes {
    World *world;
    const char *path;
    FiloFileData file;
} Bytes;

static Bytes begin(void) {
    Bytes b = { .world = world_new() };
    // A small world, so that every byte can be tried.
    b.world->layout.width = 40, b.world->layout.height = 20, b.world->layout.tile = 16;
    for (int c = 0; c < WORLD_CHANNELS; c++) {
        b.world->maps[c].stride = (size_t)b.world->maps[c].width * (c == WORLD_TREES ? 1 : 2);
        b.world->maps[c].width = c == WORLD_WET ? 20 : 40, b.world->maps[c].height = c == WORLD_WET ? 10 : 20;
    }
    b.path = world_write(b.world, "a.world");
    assert_ok(filo_file_read(&b.file, b.path, NULL));
    return b;
}

static void end(Bytes *b) {
    filo_file_free(&b->file);
    free(b->world);
}

static void write_bytes(const Bytes *b, size_t size) {
    assert_ok(filo_file_write(b->path, b->file.bytes, size, &(FiloFileWriteDesc){ .skip_sync = true }));
}

static FiloResult open_result(const Bytes *b) {
    FiloTerrainFile *data;
    FiloResult result = filo_terrain_file_open(&data, b->path, NULL);
    assert_true((data == NULL) == (result.code != FILO_OK));
    filo_terrain_file_close(data);
    return result;
}

static void write_sealed(Bytes *b) {
    seal(b->file.bytes, b->file.size, false);
    write_bytes(b, b->file.size);
}

FILO_TEST(a_file_that_was_cut_off_is_refused) {
    Bytes b = begin();
    for (size_t size = 0; size < b.file.size; size += size < 400 ? 1 : 7) {
        write_bytes(&b, size);
        const char *text = size < 96            ? "a.world: not a terrain file"
                           : size < 96 + 3 * 64 ? "a.world: incomplete: it ends in its header"
                                                : "a.world: incomplete: it is shorter than its header says";
        assert_error(open_result(&b), FILO_ERROR_DATA, text);
    }
    end(&b);
}

FILO_TEST(a_file_with_further_bytes_is_refused) {
    Bytes b = begin();
    assert_ok(filo_file_append(b.path, "x", 1));
    assert_error(open_result(&b), FILO_ERROR_DATA, "a.world: its sizes cannot be true");
    end(&b);
}

FILO_TEST(every_changed_byte_is_found) {
    Bytes b = begin();
    size_t opened = 0, failed = 0;
    for (size_t i = 0; i < b.file.size; i++) {
        b.file.bytes[i] ^= 0x10;
        write_bytes(&b, b.file.size);
        b.file.bytes[i] ^= 0x10;
        FiloTerrainFile *data;
        if (filo_terrain_file_open(&data, b.path, NULL).code != FILO_OK) continue;
        opened++; // the byte is in a tile
        for (int c = 0; c < WORLD_CHANNELS; c++)
            for (int level = 0; level < filo_terrain_file_channel(data, c).levels; level++) {
                FiloTerrainWindow *window;
                FiloTerrainWindowDesc desc = { .channel = c, .level = level, .width = 50, .height = 50 };
                assert_ok(filo_terrain_file_request(&window, data, &desc));
                FiloResult result = filo_terrain_window_wait(window);
                if (result.code != FILO_OK) {
                    assert_error(result, FILO_ERROR_DATA,
                                 "a.world: damaged (the checksum is wrong) in tile (");
                    failed++;
                }
                filo_terrain_window_release(window);
            }
        filo_terrain_file_close(data);
    }
    assert_int_equal(opened, failed);
    assert_true(opened > 500 && opened < b.file.size - 96 - 3 * 64);
    end(&b);
}

typedef struct Lie {
    size_t at;
    int size;
    uint64_t number;
    FiloCode code;
    const char *text;
} Lie;

FILO_TEST(numbers_that_cannot_be_true_are_refused) {
    static const char untrue[] = "a.world: its sizes cannot be true";
    static const Lie lies[] = {
        { 0, 1, 'F', FILO_ERROR_DATA, "a.world: not a terrain file" },
        { 8, 4, 2, FILO_ERROR_UNSUPPORTED,
          "a.world: a terrain file in format 2; this program understands 1" },
        { 8, 4, 0, FILO_ERROR_UNSUPPORTED, "format 0" },
        { 12, 4, 0, FILO_ERROR_DATA, untrue }, // channels
        { 12, 4, 65, FILO_ERROR_DATA, untrue },
        { 12, 4, 0x80000000, FILO_ERROR_DATA, untrue },
        { 12, 4, 2, FILO_ERROR_DATA, untrue },
        { 16, 4, 0, FILO_ERROR_DATA, untrue }, // width
        { 16, 4, 0xFFFFFFFF, FILO_ERROR_DATA, untrue },
        { 16, 4, FILO_TERRAIN_FILE_SIDE, FILO_ERROR_DATA, untrue },
        { 20, 4, FILO_TERRAIN_FILE_SIDE + 1, FILO_ERROR_DATA, untrue }, // height
        { 24, 4, 17, FILO_ERROR_DATA, untrue },                         // tile
        { 24, 4, 0, FILO_ERROR_DATA, untrue },
        { 24, 4, 2048, FILO_ERROR_DATA, untrue },
        { 28, 4, 1, FILO_ERROR_DATA, untrue },                // flags
        { 32, 8, UINT64_MAX, FILO_ERROR_DATA, untrue },       // tiles
        { 40, 8, UINT64_MAX, FILO_ERROR_DATA, "incomplete" }, // index
        { 40, 8, UINT64_MAX - 100, FILO_ERROR_DATA, "incomplete" },
        { 40, 8, 100, FILO_ERROR_DATA, untrue },
        { 48, 8, 0x7FF0000000000000, FILO_ERROR_DATA, untrue }, // an infinite corner
        { 64, 4, 0x7FC00000, FILO_ERROR_DATA, untrue },         // a size that is not a number
        { 68, 4, 0xBF800000, FILO_ERROR_DATA, untrue },         // −1
        { 96, 1, 0, FILO_ERROR_DATA, untrue },                  // a channel without a name
        { 96 + 48, 4, 3, FILO_ERROR_DATA, untrue },             // values of three bytes
        { 96 + 52, 4, 13, FILO_ERROR_DATA, untrue },            // coarser
        { 96 + 52, 4, 0xFFFFFFFF, FILO_ERROR_DATA, untrue },
        { 96 + 56, 4, 0, FILO_ERROR_DATA, untrue }, // levels
        { 96 + 56, 4, 1000000, FILO_ERROR_DATA, untrue },
        { 96 + 60, 4, 1, FILO_ERROR_DATA, untrue },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(lies); i++) {
        Bytes b = begin();
        seal_put(b.file.bytes + lies[i].at, lies[i].number, lies[i].size);
        write_sealed(&b);
        assert_error(open_result(&b), lies[i].code, lies[i].text);
        end(&b);
    }
}

FILO_TEST(two_channels_of_one_name_are_refused) {
    Bytes b = begin();
    memcpy(b.file.bytes + 96 + 64, b.file.bytes + 96, 48);
    write_sealed(&b);
    assert_error(open_result(&b), FILO_ERROR_DATA, "its sizes cannot be true");
    memset(b.file.bytes + 96 + 64, 'x', 48); // a name without an end
    write_sealed(&b);
    assert_error(open_result(&b), FILO_ERROR_DATA, "its sizes cannot be true");
    end(&b);
}

FILO_TEST(a_tile_that_cannot_be_where_the_index_says_is_refused) {
    static const Lie lies[] = {
        { 0, 8, UINT64_MAX, 0, NULL }, // offset
        { 0, 8, UINT64_MAX - 1000, 0, NULL },
        { 0, 8, 96, 0, NULL },
        { 16, 4, UINT32_MAX, 0, NULL }, // size
        { 16, 4, 100000, 0, NULL },
        { 16, 4, 0, 0, NULL }, // and the rest is not 0
        { 20, 4, 2, 0, NULL }, // encoding
        { 20, 4, 0, 0, NULL }, // plain, with fewer bytes
    };
    for (size_t i = 0; i < FILO_COUNT_OF(lies); i++) {
        Bytes b = begin();
        seal_put(b.file.bytes + seal_get(b.file.bytes + 40, 8) + lies[i].at, lies[i].number, lies[i].size);
        write_sealed(&b);
        assert_error(open_result(&b), FILO_ERROR_DATA, "a.world: its sizes cannot be true");
        end(&b);
    }
}

FILO_TEST(bytes_that_cannot_be_decompressed_are_reported) {
    Bytes b = begin();
    uint8_t *entry = b.file.bytes + seal_get(b.file.bytes + 40, 8);
    assert_int_equal(seal_get(entry + 20, 4), PLACEMENT_WORLD_FILTERED);
    uint8_t *tile = b.file.bytes + seal_get(entry, 8);
    size_t size = (size_t)seal_get(entry + 16, 4);
    memset(tile, 0x55, size);
    seal_put(entry + 8, filo_hash(tile, size), 8);
    write_sealed(&b);
    FiloTerrainFile *data;
    assert_ok(filo_terrain_file_open(&data, b.path, NULL));
    FiloTerrainWindow *window;
    assert_ok(filo_terrain_file_request(&window, data, &(FiloTerrainWindowDesc){ .width = 20, .height = 5 }));
    assert_error(filo_terrain_window_wait(window), FILO_ERROR_DATA,
                 "a.world: damaged (it cannot be decompressed) in tile (0, 0) of level 0 of \"height\"");
    filo_terrain_window_release(window);
    filo_terrain_file_close(data);
    end(&b);
}

FILO_TEST(a_file_that_is_shortened_while_it_is_open_is_reported) {
    Bytes b = begin();
    FiloTerrainFile *data;
    assert_ok(filo_terrain_file_open(&data, b.path, NULL));
    assert_int_equal(truncate(b.path, 300), 0);
    FiloTerrainWindow *window;
    FiloTerrainWindowDesc desc = { .width = 20, .height = 5 };
    assert_ok(filo_terrain_file_request(&window, data, &desc));
    assert_error(filo_terrain_window_wait(window), FILO_ERROR_DATA,
                 "a.world: it has been shortened, and ends in tile (");
    filo_terrain_window_release(window);
    // When the bytes are back, so are the windows.
    int file = open(b.path, O_WRONLY);
    assert_int_equal(write(file, b.file.bytes, b.file.size), b.file.size);
    close(file);
    assert_ok(filo_terrain_file_request(&window, data, &desc));
    assert_ok(filo_terrain_window_wait(window));
    filo_terrain_window_release(window);
    filo_terrain_file_close(data);
    end(&b);
}

FILO_TEST(what_is_no_file_is_refused) {
    FiloTerrainFile *data;
    assert_error(filo_terrain_file_open(&data, filo_test_path("none.world"), NULL), FILO_ERROR_NOT_FOUND,
                 "none.world");
    assert_error(filo_terrain_file_open(&data, filo_test_folder(), NULL), FILO_ERROR_KIND, "is a folder");
    assert_error(filo_terrain_file_open(&data, "", NULL), FILO_ERROR_NOT_FOUND, "the path is empty");
    assert_null(data);
}
