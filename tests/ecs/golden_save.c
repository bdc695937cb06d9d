// Saved worlds are the same on every machine, and can be loaded on another.

#include "ecs/state_scene.h"

#include "ecs/save/save.h"
#include "ecs/schedule_access.h"

#include <inttypes.h>

// The world has all that a file can hold: every storage, names, families, pending events, a provider. The uncompressed
// body is hashed, because versions of zstd may compress differently.
FILO_TEST(the_content_of_a_file_matches_its_golden_hash) {
    for (int threads = 1; threads <= 16; threads *= 2) {
        Scene scene;
        scene_open(&scene, threads);
        divide_eagerly(scene.world, threads > 1);
        scene_run(&scene, 40);
        scene_complete(&scene);
        FiloBytes body = { 0 };
        assert_ok(ecs_save_write(scene.world, &body));
        uint64_t hash = filo_hash(body.items, body.count), world = filo_world_hash(scene.world);
        if (hash != UINT64_C(0x17bd7df76a401032) || world != UINT64_C(0xe7425a429322478c))
            fail_msg("%d threads: %zu bytes with hash 0x%016" PRIx64 " of world 0x%016" PRIx64, threads,
                     body.count, hash, world);
        filo_array_deinit(&body);
        scene_close(&scene);
    }
}

// Format 1, written by a program for x86-64. A version of the format that can no longer be read needs another file
// here.
static const uint8_t from_elsewhere[] = {
    102, 105, 108, 111, 115, 97,  118, 101, 1,   0,   0,   0,   0,   0,   0,   0,   251, 5,   0,   0,   0,
    0,   0,   0,   151, 2,   0,   0,   0,   0,   0,   0,   183, 79,  192, 169, 172, 123, 19,  250, 40,  181,
    47,  253, 96,  251, 4,   109, 20,  0,   230, 152, 86,  60,  80,  107, 147, 14,  131, 168, 142, 205, 50,
    170, 241, 150, 201, 204, 92,  30,  87,  85,  67,  251, 173, 155, 188, 207, 110, 73,  67,  42,  141, 88,
    73,  136, 44,  133, 67,  251, 83,  244, 100, 56,  192, 197, 75,  223, 22,  86,  141, 73,  195, 112, 16,
    52,  254, 182, 77,  136, 154, 52,  178, 83,  64,  0,   69,  0,   70,  0,   81,  212, 249, 220, 53,  38,
    69,  165, 70,  97,  6,   82,  44,  89,  162, 88,  110, 84,  30,  73,  40,  150, 27,  177, 243, 214, 130,
    66,  201, 67,  57,  221, 255, 40,  194, 213, 52,  43,  76,  206, 255, 136, 95,  242, 113, 139, 229, 69,
    146, 62,  189, 205, 18,  158, 219, 203, 255, 201, 255, 4,   111, 143, 120, 8,   12,  59,  26,  189, 24,
    214, 11,  15,  94,  254, 79,  56,  165, 210, 65,  80,  55,  253, 248, 105, 180, 6,   115, 83,  77,  244,
    74,  73,  108, 222, 199, 145, 44,  222, 14,  136, 102, 49,  82,  164, 142, 234, 60,  171, 69,  80,  79,
    21,  22,  205, 219, 32,  61,  57,  104, 222, 206, 127, 9,   75,  149, 195, 241, 137, 120, 84,  233, 50,
    1,   150, 94,  156, 155, 202, 210, 172, 30,  139, 98,  89,  89,  34,  246, 30,  5,   95,  197, 209, 36,
    168, 167, 6,   23,  205, 203, 186, 145, 19,  118, 129, 200, 251, 42,  237, 168, 94,  6,   130, 122, 186,
    96,  208, 188, 31,  16,  157, 122, 180, 130, 231, 193, 8,   144, 158, 42,  44,  34,  150, 240, 218, 92,
    171, 20,  34,  157, 186, 185, 120, 3,   172, 150, 123, 151, 197, 186, 80,  19,  101, 33,  14,  101, 217,
    4,   202, 3,   138, 5,   148, 15,  10,  58,  96,  152, 100, 100, 72,  164, 67,  105, 65,  104, 24,  27,
    50,  104, 200, 178, 12,  4,   135, 143, 255, 24,  31,  13,  82,  65,  112, 64,  97,  167, 171, 205, 68,
    252, 55,  64,  0,   250, 79,  209, 254, 11,  136, 122, 49,  149, 3,   160, 180, 214, 2,   68,  165, 2,
    128, 156, 168, 225, 169, 169, 57,  218, 102, 217, 12,  96,  2,   17,  34,  44,  219, 18,  96,  151, 24,
    203, 115, 76,  154, 161, 5,   169, 95,  195, 26,  21,  40,  108, 12,  31,  205, 157, 33,  37,  124, 110,
    194, 58,  47,  175, 29,  158, 135, 253, 47,  1,   222, 27,  94,  25,  26,  156, 131, 181, 251, 36,  239,
    6,   14,  13,  157, 230, 91,  247, 64,  42,  71,  27,  88,  175, 88,  100, 202, 37,  109, 152, 168, 16,
    74,  178, 134, 219, 181, 79,  199, 5,   88,  4,   241, 35,  107, 155, 115, 102, 239, 10,  31,  181, 168,
    1,   72,  120, 191, 72,  181, 110, 23,  141, 177, 45,  174, 136, 128, 191, 32,  26,  232, 158, 89,  98,
    12,  159, 34,  252, 179, 161, 126, 114, 123, 102, 69,  11,  47,  201, 39,  197, 106, 141, 178, 182, 238,
    152, 8,   7,   250, 114, 5,   139, 22,  193, 208, 49,  189, 96,  181, 96,  127, 218, 185, 110, 208, 43,
    36,  79,  46,  219, 14,  207, 61,  253, 243, 216, 23,  91,  128, 88,  143, 92,  66,  31,  14,  197, 151,
    0,   166, 55,  189, 114, 63,  216, 120, 91,  69,  100, 106, 238, 30,  43,  171, 137, 93,  232, 146, 229,
    93,  27,  241, 147, 34,  219, 129, 125, 241, 68,  252, 176, 207, 221, 255, 247, 9,   123, 231, 3,   180,
    205, 159, 45,  187, 224, 83,  59,  75,  225, 177, 190, 4,   232, 247, 127, 184, 224, 166, 25,  203, 63,
    18,  210, 70,  96,  242, 19,  58,  250, 27,  16,  193, 161, 114, 253, 21,  75,  12,  71,  1,   34,  233,
    34,  63,  77,  227, 246, 193, 199, 14,  152, 184, 255, 13,  24,  23,  224, 140, 39,  66,  210, 79,  192,
    210, 7,   74,  166, 168, 92,  47,  125, 44,  78,
};

static FiloWorld *golden_world(void) {
    FiloWorld *world = create_scene_world();
    scene_golden_pair(world, 200);
    return world;
}

FILO_TEST(a_file_written_on_another_machine_is_loaded) {
    FiloWorld *world = golden_world(), *loaded;
    assert_ok(filo_world_create(&loaded, NULL));
    assert_true(scene_register(loaded));
    assert_ok(filo_world_load_bytes(loaded, from_elsewhere, sizeof from_elsewhere, "elsewhere", NULL));
    char text[200];
    if (filo_world_difference(loaded, world, text, sizeof text)) fail_msg("%s", text);
    assert_true(filo_world_hash(loaded) == filo_world_hash(world));
    filo_world_destroy(loaded);
    filo_world_destroy(world);
}
