// Saved worlds, written and loaded by the same program.

#include "ecs/log.h"
#include "ecs/state_scene.h"
#include "support/failing_allocator.h"

#include "ecs/save/save.h"
#include "ecs/storage/holder.h"

#include <filo/files.h>
#include <filo/hash.h>
#include <filo/random.h>

#include <stdlib.h>
#include <zstd.h>

static size_t order_of(FiloWorld *world, FiloEntity *entities, size_t capacity) {
    FiloQuery *query = filo_query_create(world, &(FiloQueryDesc){ .activity = FILO_ANY_ACTIVITY });
    size_t count = filo_query_entities(query, entities, capacity);
    filo_query_release(query);
    return count;
}

// ---- Saving and loading --------------------------------------------------------------------------------

FILO_TEST(a_saved_world_is_the_same_again) {
    Scene scene;
    scene_open(&scene, 2);
    scene_run(&scene, 40);
    scene_complete(&scene);
    uint64_t hash = filo_world_hash(scene.world);
    const char *path = filo_test_path("world.save");
    assert_ok(filo_world_save(scene.world, path, &(FiloSaveDesc){ .skip_sync = true }));
    FiloEntity before[1024], after[1024], next[10];
    size_t count = order_of(scene.world, before, 1024);
    assert_in_range(count, 20, 1024);
    for (int i = 0; i < 10; i++) next[i] = filo_entity_create(scene.world);
    scene_run(&scene, 10);

    Log reports = { 0 };
    FiloLoadDesc desc = { .report = log_report, .user = &reports };
    assert_ok(filo_world_load(scene.world, path, &desc));
    assert_string_equal(reports.text, "");
    assert_true(filo_world_hash(scene.world) == hash);
    assert_int_equal(filo_world_ticks(scene.world), 40);
    // The order of rows and of free ids is restored.
    assert_int_equal(order_of(scene.world, after, 1024), count);
    assert_memory_equal(before, after, count * sizeof *before);
    for (int i = 0; i < 10; i++) assert_true(filo_entity_create(scene.world).id == next[i].id);
    scene_close(&scene);
}

FILO_TEST(a_world_with_the_components_registered_can_load_a_file) {
    Scene scene, other;
    scene_open(&scene, 1);
    scene_run(&scene, 25);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
    scene_open(&other, 1);
    scene_run(&other, 3);
    Log reports = { 0 };
    FiloLoadDesc desc = { .report = log_report, .user = &reports };
    assert_ok(filo_world_load_bytes(other.world, bytes.items, bytes.count, "bytes", &desc));
    assert_string_equal(reports.text, "");
    char text[200];
    if (filo_world_difference(other.world, scene.world, text, sizeof text)) fail_msg("%s", text);
    assert_true(filo_world_hash(other.world) == filo_world_hash(scene.world));
    // Without systems that read changes, both worlds continue equally.
    for (int i = 0; i < 10; i++) {
        scene_tick(&scene);
        scene_tick(&other);
        filo_edit_global(scene.world, Score)->changed = filo_edit_global(other.world, Score)->changed = 0;
        if (filo_world_difference(other.world, scene.world, text, sizeof text))
            fail_msg("tick %d: %s", i, text);
    }
    scene_close(&other);
    scene_close(&scene);
    filo_array_deinit(&bytes);
}

FILO_TEST(saving_twice_writes_the_same_bytes) {
    Scene scene;
    scene_open(&scene, 1);
    scene_run(&scene, 20);
    FiloBytes first = { 0 }, second = { 0 };
    assert_ok(filo_world_save_bytes(scene.world, &first, NULL));
    assert_ok(filo_world_load_bytes(scene.world, first.items, first.count, "bytes", NULL));
    assert_ok(filo_world_save_bytes(scene.world, &second, NULL));
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.items, second.items, first.count);
    filo_array_deinit(&first);
    filo_array_deinit(&second);
    scene_close(&scene);
}

FILO_TEST(transient_values_and_private_providers_are_not_in_files) {
    FiloWorld *world = create_scene_world();
    uint64_t hidden = 5;
    FiloProvider provider = { .name = "private",
                              .size = dice_size,
                              .save = dice_save,
                              .restore = dice_restore,
                              .not_in_files = true,
                              .user = &hidden };
    assert_true(filo_world_add_provider(world, &provider));
    FiloEntity entity = filo_create(world, FILO_SET(Picture, 6), FILO_SET(Place, 1, 2));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, &(FiloSaveDesc){ .level = 19 }));
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", NULL));
    assert_int_equal(filo_get(world, entity, Picture)->handle, 0);
    assert_true(filo_get(world, entity, Place)->y == 2);
    assert_int_equal(hidden, 0); // not in the file
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// A provider that refuses everything; what it was asked with.
typedef struct Refusal {
    size_t asked, restored;
    uint32_t entities; // of the world of the file
} Refusal;

static FiloResult refuse(const FiloWorld *loaded, const void *bytes, size_t size, void *user) {
    Refusal *refusal = user;
    refusal->asked++;
    refusal->entities = (uint32_t)filo_world_stats(loaded).entities;
    assert_non_null(bytes);
    return filo_error(FILO_ERROR_DATA, "%zu bytes are too many", size);
}

static FiloResult count_restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(bytes);
    FILO_UNUSED(size);
    ((Refusal *)user)->restored++;
    return filo_ok();
}

static size_t eight(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(user);
    return 8;
}

static void save_eight(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    FILO_UNUSED(user);
    memset(bytes, 1, 8);
}

FILO_TEST(what_a_provider_refuses_changes_nothing_not_even_pending_events) {
    Scene scene;
    scene_open(&scene, 1);
    scene_run(&scene, 20);
    Refusal refusal = { 0 };
    FiloProvider provider = { .name = "refusing",
                              .size = eight,
                              .save = save_eight,
                              .check = refuse,
                              .restore = count_restore,
                              .user = &refusal };
    assert_true(filo_world_add_provider(scene.world, &provider));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(scene.world, &bytes, NULL));
    uint32_t entities = (uint32_t)filo_world_stats(scene.world).entities;
    scene_run(&scene, 15);
    uint64_t hash = filo_world_hash(scene.world);
    assert_error(filo_world_load_bytes(scene.world, bytes.items, bytes.count, "bytes", NULL), FILO_ERROR_DATA,
                 "bytes: provider refusing: 8 bytes are too many");
    assert_true(filo_world_hash(scene.world) == hash);
    assert_int_equal(refusal.asked, 1);
    assert_int_equal(refusal.restored, 0);
    assert_int_equal(refusal.entities, entities);
    filo_array_deinit(&bytes);
    scene_close(&scene);
}

FILO_TEST(retired_indices_stay_retired_after_loading) {
    FiloWorld *world = create_world();
    FiloEntity worn = { UINT64_C(0xFFFF) << 32 | 3 };
    assert_true(filo_entity_create_as(world, worn));
    filo_entity_destroy(world, worn);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", NULL));
    for (int i = 0; i < 10; i++) assert_int_not_equal(filo_entity_index(filo_entity_create(world)), 3);
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// A body with the header of a file whose checksum is right. `bytes` is empty.
static void pack(FiloBytes *bytes, const void *body, size_t size) {
    size_t bound = ZSTD_compressBound(size);
    assert_true(filo_array_resize(bytes, sizeof(EcsSaveHeader) + bound));
    size_t compressed = ZSTD_compress(bytes->items + sizeof(EcsSaveHeader), bound, body, size, 1);
    bytes->count = sizeof(EcsSaveHeader) + compressed;
    EcsSaveHeader header = {
        .magic = "filosave", .version = ECS_SAVE_VERSION, .body_size = size, .compressed_size = compressed
    };
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, &header, offsetof(EcsSaveHeader, checksum));
    filo_hasher_add(&hasher, bytes->items + sizeof header, compressed);
    header.checksum = filo_hasher_finish(&hasher);
    memcpy(bytes->items, &header, sizeof header);
}

FILO_TEST(a_small_file_does_not_take_much_memory) {
    FiloWorld *world = create_scene_world();
    FailingAllocator counted = FAILING_AT(counted, SIZE_MAX);
    FiloLoadDesc desc = { .allocator = &counted.allocator };
    size_t size = FILO_MIB(64);
    uint8_t *zeroes = calloc(1, size);
    FiloBytes bytes = { 0 };
    pack(&bytes, zeroes, size);
    assert_in_range(bytes.count, 0, FILO_KIB(8));
    FiloResult refused = filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", &desc);
    assert_error(refused, FILO_ERROR_LIMIT,
                 "bytes: holds 67108864 bytes; the limit is 16777216 for a file of this size, unless "
                 "FiloLoadDesc.limit allows more");
    assert_int_equal(counted.peak, 0);
    desc.limit = size;
    refused = filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", &desc);
    assert_error(refused, FILO_ERROR_DATA, "bytes: ");
    filo_array_clear(&bytes);
    desc.limit = 0;
    pack(&bytes, zeroes, ECS_SAVE_SMALL);
    assert_error(filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", &desc), FILO_ERROR_DATA,
                 "bytes: ");
    assert_int_equal(counted.used, 0);
    free(zeroes);
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// A world of many equal entities, which compresses well, is padded; what it takes to load it is in proportion to its content.
FILO_TEST(a_large_world_loads_without_a_limit) {
    FiloWorld *world = create_scene_world();
    FiloComponentValue with[] = { FILO_ADD(Place), FILO_ADD(Life), FILO_ADD(Bond) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 600000, .values = with, .value_count = 3 }));
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    EcsSaveHeader header;
    memcpy(&header, bytes.items, sizeof header);
    assert_in_range(header.body_size, ECS_SAVE_SMALL, SIZE_MAX);
    assert_in_range(bytes.count * ECS_SAVE_RATIO, header.body_size, SIZE_MAX);
    uint64_t hash = filo_world_hash(world);
    assert_error(
        filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", &(FiloLoadDesc){ .limit = 1000000 }),
        FILO_ERROR_LIMIT, "the limit is 1000000");
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "bytes", NULL));
    assert_true(filo_world_hash(world) == hash);
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// ---- Damage --------------------------------------------------------------------------------------------

static void small_world(FiloWorld **world) {
    assert_ok(filo_world_create(world, NULL));
    assert_true(scene_register(*world));
    FiloEntity mother =
        filo_create(*world, FILO_SET(Place, 1, 2), FILO_SET(Life, 1, 2, 3), FILO_SET(Crown, 4));
    FiloEntity child = filo_create(*world, FILO_SET(Burning, 1), FILO_SET(Weight, 2),
                                   FILO_SET(Pocket, { 1, 2 }), FILO_ADD(Lit));
    filo_set(*world, child, Bond, mother, filo_name("kind"), "label");
    filo_entity_set_name(*world, mother, "mother");
    filo_entity_set_parent(*world, child, mother);
    filo_entity_set_active(*world, filo_create(*world, FILO_ADD(Frozen)), false);
    filo_entity_destroy(*world, filo_entity_create(*world));
}

FILO_TEST(a_file_with_any_damaged_byte_is_refused) {
    FiloWorld *world;
    small_world(&world);
    uint64_t hash = filo_world_hash(world);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    for (size_t i = 0; i < bytes.count; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            bytes.items[i] ^= (uint8_t)(1 << bit);
            FiloResult result = filo_world_load_bytes(world, bytes.items, bytes.count, "damaged.save", NULL);
            assert_true(result.code == FILO_ERROR_DATA || result.code == FILO_ERROR_UNSUPPORTED);
            assert_contains(result.message, "damaged.save: ");
            bytes.items[i] ^= (uint8_t)(1 << bit);
        }
        FiloResult result = filo_world_load_bytes(world, bytes.items, i, "short.save", NULL);
        assert_error(result, FILO_ERROR_DATA, "short.save: ");
        assert_true(filo_world_hash(world) == hash);
    }
    assert_ok(filo_world_load_bytes(world, bytes.items, bytes.count, "whole.save", NULL));
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

static void ignore(const char *sentence, void *user) { FILO_UNUSED(sentence), FILO_UNUSED(user); }

// Without the checksum: each byte of the body is changed in several ways, and the body is truncated at each byte. A
// body loads as a valid world or is refused, and then changes nothing.
FILO_TEST(a_hostile_body_is_refused_or_loads_as_a_valid_world) {
    FiloWorld *world;
    small_world(&world);
    uint64_t hash = filo_world_hash(world);
    FiloSnapshot *start = take_snapshot(world);
    FiloBytes body = { 0 };
    assert_ok(ecs_save_write(world, &body));
    FiloLoadDesc desc = { .report = ignore };
    FiloRandom random = filo_random_keyed(1, 2, 3, 4);
    int refused = 0, loaded = 0;
    for (size_t i = 0; i < body.count; i++) {
        const uint8_t was = body.items[i], values[] = {
            0, 1, 0xFF, (uint8_t)(was + 1), (uint8_t)(was ^ 0x80), (uint8_t)filo_random_u32(&random)
        };
        for (size_t k = 0; k < FILO_COUNT_OF(values); k++) {
            if (values[k] == was) continue;
            body.items[i] = values[k];
            FiloResult result =
                ecs_save_read(world, body.items, body.count, ECS_SAVE_VERSION, "hostile", &desc);
            if (result.code == FILO_OK) {
                loaded++;
                // The world is usable: all entities can be destroyed.
                for (uint32_t index = 0; index < filo_entity_index_end(world); index++) {
                    FiloEntity entity = filo_entity_at(world, index);
                    if (entity.id != 0) filo_entity_destroy(world, entity);
                }
                assert_int_equal(filo_world_stats(world).entities, 0);
                assert_ok(filo_snapshot_restore(start, world));
            } else {
                refused++;
                assert_true(result.code == FILO_ERROR_DATA || result.code == FILO_ERROR_MEMORY);
                assert_true(filo_world_hash(world) == hash);
            }
        }
        body.items[i] = was;
        uint8_t *cut = filo_alloc(NULL, i + 1, 0); // a copy, so that sanitizers find reads beyond it
        memcpy(cut, body.items, i);
        assert_error(ecs_save_read(world, cut, i, ECS_SAVE_VERSION, "cut", &desc), FILO_ERROR_DATA, "cut: ");
        filo_free(NULL, cut, i + 1, 0);
    }
    memset(body.items, 0, 8); // the names at the beginning
    assert_error(ecs_save_read(world, body.items, body.count, ECS_SAVE_VERSION, "names", &desc),
                 FILO_ERROR_DATA, "its names are not there");
    assert_in_range(refused, 500, 100000);
    assert_in_range(loaded, 100, 100000);
    assert_true(filo_world_hash(world) == hash);
    filo_snapshot_destroy(start);
    filo_array_deinit(&body);
    filo_world_destroy(world);
}

// The public interface cannot create a cyclic family.
static FiloFamily *family_inside(FiloWorld *world, FiloEntity entity) {
    return ecs_holder_get(world, world->family, entity);
}

FILO_TEST(a_cyclic_family_is_refused) {
    FiloWorld *world = create_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    filo_entity_set_parent(world, b, a);
    *family_inside(world, a) = (FiloFamily){ .parent = b, .first = b, .last = b };
    *family_inside(world, b) = (FiloFamily){ .parent = a, .first = a, .last = a };
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    FiloWorld *other = create_world();
    assert_error(filo_world_load_bytes(other, bytes.items, bytes.count, "circle", NULL), FILO_ERROR_DATA,
                 "its own ancestor");
    *family_inside(world, a) = (FiloFamily){ .first = b, .last = b };
    *family_inside(world, b) = (FiloFamily){ .parent = a, .next = b };
    filo_array_clear(&bytes);
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    assert_error(filo_world_load_bytes(other, bytes.items, bytes.count, "list", NULL), FILO_ERROR_DATA,
                 "in disorder");
    *family_inside(world, a) = (FiloFamily){ 0 };
    *family_inside(world, b) = (FiloFamily){ .parent = a };
    filo_array_clear(&bytes);
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    assert_error(filo_world_load_bytes(other, bytes.items, bytes.count, "lost", NULL), FILO_ERROR_DATA,
                 "not among the children");
    *family_inside(world, b) = (FiloFamily){ 0 }; // repaired, to be destroyed
    filo_array_deinit(&bytes);
    filo_world_destroy(other);
    filo_world_destroy(world);
}

FILO_TEST(files_of_other_formats_and_versions_are_refused_by_message) {
    FiloWorld *world;
    small_world(&world);
    const char *path = filo_test_path("other.save");
    assert_error(filo_world_load(world, filo_test_path("none.save"), NULL), FILO_ERROR_NOT_FOUND,
                 "none.save");
    assert_ok(filo_file_write(path, "hello", 5, NULL));
    assert_error(filo_world_load(world, path, NULL), FILO_ERROR_DATA, "other.save: not a saved world");
    char long_text[200] = "this is a text, and quite a long one, which begins with no magic word";
    assert_ok(filo_file_write(path, long_text, sizeof long_text, NULL));
    assert_error(filo_world_load(world, path, NULL), FILO_ERROR_DATA, "other.save: not a saved world");
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(world, &bytes, NULL));
    bytes.items[8] = 9;
    assert_error(filo_world_load_bytes(world, bytes.items, bytes.count, "newer", NULL),
                 FILO_ERROR_UNSUPPORTED, "newer: saved in format 9; this program understands 1 to 2");
    assert_error(filo_world_save(world, filo_test_path("no/such/folder/x"), NULL), FILO_ERROR_NOT_FOUND,
                 "no/such/folder");
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}

// ---- Memory and misuse ---------------------------------------------------------------------------------

FILO_TEST(without_memory_saving_and_loading_fail_and_nothing_leaks) {
    FiloWorld *world;
    small_world(&world);
    uint64_t hash = filo_world_hash(world);
    FiloBytes valid = { 0 };
    assert_ok(filo_world_save_bytes(world, &valid, NULL));
    int failures = 0;
    for (size_t allowed = 0;; allowed++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        failing_allow(&failing, allowed);
        FiloBytes bytes = { 0 };
        FiloResult saved =
            filo_world_save_bytes(world, &bytes, &(FiloSaveDesc){ .allocator = &failing.allocator });
        filo_array_deinit(&bytes);
        if (saved.code != FILO_OK) assert_error(saved, FILO_ERROR_MEMORY, "no memory");
        assert_int_equal(failing.blocks, 0);
        failing_allow(&failing, allowed);
        FiloResult loaded = filo_world_load_bytes(world, valid.items, valid.count, "valid",
                                                  &(FiloLoadDesc){ .allocator = &failing.allocator });
        if (loaded.code != FILO_OK) assert_error(loaded, FILO_ERROR_MEMORY, "no memory");
        assert_int_equal(failing.blocks, 0);
        assert_true(filo_world_hash(world) == hash);
        if (saved.code == FILO_OK && loaded.code == FILO_OK) break;
        failures++;
    }
    assert_in_range(failures, 30, 10000);
    filo_array_deinit(&valid);
    filo_world_destroy(world);
}

FILO_TEST(misuse_is_reported) {
    only_in_debug_builds();
    FiloWorld *world;
    small_world(&world);
    FiloBytes bytes = { 0 };
    expect_mistake("pass the path of a file", filo_world_save(world, NULL, NULL));
    expect_mistake("pass the path of a file", filo_world_load(world, NULL, NULL));
    expect_mistake("where to save it", filo_world_save_bytes(world, NULL, NULL));
    expect_mistake("level of compression is 1 to 19",
                   filo_world_save_bytes(world, &bytes, &(FiloSaveDesc){ .level = 20 }));
    expect_mistake("pass a world, bytes, and their name", filo_world_load_bytes(NULL, "", 0, "x", NULL));
    FiloQuery *query = filo_query(world, FILO_WITH(Place));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_mistake("load a world", filo_world_load_bytes(world, "", 0, "x", NULL));
    filo_iter_end(&it);
    filo_query_release(query);
    filo_array_deinit(&bytes);
    filo_world_destroy(world);
}
