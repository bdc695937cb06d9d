// Snapshots: restoring is exact, and the run repeats itself.

#include "ecs/state_scene.h"

#define TICKS 50

static void run_and_compare(int threads) {
    Scene scene;
    scene_open(&scene, threads);
    scene_run(&scene, 30);
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    uint64_t start = filo_world_hash(scene.world), hashes[TICKS];
    for (int i = 0; i < TICKS; i++) {
        scene_tick(&scene);
        hashes[i] = filo_world_hash(scene.world);
    }
    for (int round = 0; round < 3; round++) {
        assert_ok(filo_snapshot_restore(snapshot, scene.world));
        assert_true(filo_world_hash(scene.world) == start);
        for (int i = 0; i < (round == 1 ? 7 : TICKS); i++) {
            scene_tick(&scene);
            if (filo_world_hash(scene.world) != hashes[i]) fail_msg("round %d differs in tick %d", round, i);
        }
    }
    assert_true(filo_get_global(scene.world, Score)->changed > 0 &&
                filo_get_global(scene.world, Score)->came > 0);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

FILO_TEST(a_restored_world_repeats_the_same_run) { run_and_compare(0); }
FILO_TEST(a_restored_world_repeats_the_same_run_with_events_on_one_thread) { run_and_compare(1); }
FILO_TEST(a_restored_world_repeats_the_same_run_with_events_on_four_threads) { run_and_compare(4); }

// ---- Exact restores ------------------------------------------------------------------------------------

static size_t order_of(FiloWorld *world, FiloEntity *entities, size_t capacity) {
    FiloQuery *query = filo_query(world, FILO_WITH(Place));
    size_t count = filo_query_entities(query, entities, capacity);
    filo_query_release(query);
    return count;
}

FILO_TEST(the_order_of_rows_and_free_ids_is_restored) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 40);
    FiloEntity before[512], after[512];
    size_t count = order_of(scene.world, before, 512);
    assert_in_range(count, 10, 512);
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    assert_int_equal(filo_snapshot_ticks(snapshot), 40);
    FiloEntity next[20];
    for (int i = 0; i < 20; i++) next[i] = filo_entity_create(scene.world);
    scene_run(&scene, 25);
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    assert_int_equal(order_of(scene.world, after, 512), count);
    assert_memory_equal(before, after, count * sizeof *before);
    for (int i = 0; i < 20; i++) assert_true(filo_entity_create(scene.world).id == next[i].id);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

// The order of tables is the order of iteration.
FILO_TEST(tables_that_appeared_after_the_snapshot_leave_no_trace) {
    FiloWorld *worlds[2];
    FiloEntity seen[2][4];
    for (int w = 0; w < 2; w++) {
        assert_ok(filo_world_create(&worlds[w], NULL));
        assert_true(scene_register(worlds[w]));
        FiloQuery *query = filo_query(worlds[w], FILO_WITH(Place));
        filo_create(worlds[w], FILO_ADD(Place));
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        assert_ok(filo_snapshot_take(snapshot, worlds[w]));
        if (w == 0) { // other tables, which the restore removes
            filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Life));
            filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Frozen));
            filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Speed));
            assert_ok(filo_snapshot_restore(snapshot, worlds[w]));
            assert_int_equal(filo_query_count(query), 1);
        }
        filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Speed));
        filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Life));
        filo_create(worlds[w], FILO_ADD(Place), FILO_ADD(Frozen));
        assert_int_equal(filo_query_entities(query, seen[w], 4), 4);
        filo_snapshot_destroy(snapshot);
        filo_query_release(query);
    }
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    filo_world_destroy(worlds[0]);
    filo_world_destroy(worlds[1]);
}

FILO_TEST(names_and_families_are_restored) {
    FiloWorld *world = create_world();
    FiloEntity house = filo_entity_create(world), door = filo_entity_create(world),
               lamp = filo_entity_create(world);
    filo_entity_set_name(world, house, "house");
    filo_entity_set_parent(world, door, house);
    filo_entity_set_parent(world, lamp, house);
    FiloSnapshot *snapshot = take_snapshot(world);
    filo_entity_destroy(world, house);
    FiloEntity other = filo_entity_create(world);
    filo_entity_set_name(world, other, "other");
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_true(filo_world_find(world, "house").id == house.id);
    assert_true(filo_world_find(world, "other").id == 0);
    assert_true(filo_entity_parent(world, lamp).id == house.id);
    assert_true(filo_entity_first_child(world, house).id == door.id);
    assert_true(filo_entity_next_sibling(world, door).id == lamp.id);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(a_world_emptied_by_a_restore_returns_the_first_ids_again) {
    FiloWorld *world = create_scene_world();
    FiloSnapshot *snapshot = take_snapshot(world);
    FiloComponentValue with[] = { FILO_ADD(Place), FILO_ADD(Burning), FILO_ADD(Weight), FILO_ADD(Lit) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 20000, .values = with, .value_count = 4 }));
    FiloQuery *all = filo_query(world, FILO_WITH(Place));
    filo_query_destroy_all(all);
    filo_query_release(all);
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 20000, .values = with, .value_count = 4 }));
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_int_equal(filo_world_stats(world).entities, 0);
    for (uint32_t i = 0; i < 10000; i++) {
        FiloEntity entity = filo_create(world, FILO_ADD(Place));
        assert_int_equal(filo_entity_index(entity), i);
        assert_int_equal(filo_entity_generation(entity), 1);
        assert_false(filo_has(world, entity, Burning) || filo_has(world, entity, Weight) ||
                     filo_has(world, entity, Lit));
    }
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(large_and_many_chunks_are_restored) {
    FiloWorld *world = create_scene_world();
    FiloComponentValue with[] = { FILO_SET(Place, 1, 2), FILO_SET(Life, 3, 4, 5), FILO_SET(Weight, 6),
                                  FILO_SET(Burning, 7) };
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 50000, .values = with, .value_count = 4 }));
    assert_true(filo_entity_create_block(
        world, &(FiloBlockDesc){ .count = 300, .values = with, .value_count = 1, .inactive = true }));
    uint64_t hash = filo_world_hash(world);
    FiloSnapshot *snapshot = take_snapshot(world);
    assert_in_range(filo_snapshot_size(snapshot), 50000 * 44, 50000 * 80);
    for (uint32_t i = 0; i < 50000; i += 3) filo_entity_destroy(world, filo_entity_at(world, i));
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_true(filo_world_hash(world) == hash);
    assert_int_equal(filo_world_stats(world).inactive, 300);
    assert_ok(filo_world_reset(world, 0));
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_true(filo_world_hash(world) == hash);
    // The locations of all entities are right.
    for (uint32_t i = 0; i < 50300; i++)
        assert_true(filo_get(world, filo_entity_at(world, i), Place)->y == 2);
    destroy_with_snapshot(world, snapshot);
}

// ---- Branches ------------------------------------------------------------------------------------------

FILO_TEST(a_snapshot_can_be_restored_into_another_world) {
    Scene scene;
    scene_open(&scene, 0);
    scene_run(&scene, 20);
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    Scene branch = { .world = NULL };
    assert_ok(filo_world_create_like(&branch.world, scene.world, NULL));
    assert_int_equal(filo_component_count(branch.world), filo_component_count(scene.world));
    scene_add_systems(&branch);
    FiloProvider dice = scene_dice(&branch);
    assert_true(filo_world_add_provider(branch.world, &dice));
    filo_create(branch.world, FILO_ADD(Speed), FILO_ADD(Crown)); // content that the restore removes
    filo_create(branch.world, FILO_ADD(Life), FILO_ADD(Pocket));
    assert_ok(filo_snapshot_restore(snapshot, branch.world));
    for (int i = 0; i < 30; i++) {
        char text[200];
        if (filo_world_difference(branch.world, scene.world, text, sizeof text))
            fail_msg("tick %d: %s", i, text);
        assert_true(filo_world_hash(branch.world) == filo_world_hash(scene.world));
        scene_tick(&scene);
        scene_tick(&branch);
    }
    destroy_with_snapshot(branch.world, snapshot);
    scene_close(&scene);
}

FILO_TEST(components_registered_after_the_snapshot_are_emptied_and_globals_get_default_values) {
    FiloWorld *world = create_world();
    filo_component(world, Place);
    FiloEntity entity = filo_create(world, FILO_SET(Place, 4, 5));
    FiloSnapshot *snapshot = take_snapshot(world);
    filo_component(world, Burning, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Weight, .storage = FILO_STORAGE_ARRAY);
    filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL, .default_value = &(Score){ .booms = 9 });
    filo_set(world, entity, Burning, 1);
    filo_set(world, entity, Weight, 1);
    filo_edit_global(world, Score)->booms = 1;
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_false(filo_has(world, entity, Burning) || filo_has(world, entity, Weight));
    assert_int_equal(filo_get_global(world, Score)->booms, 9);
    assert_true(filo_get(world, entity, Place)->y == 5);
    destroy_with_snapshot(world, snapshot);
}

typedef struct LargerPlace {
    float x;
    int32_t y;
} LargerPlace;

static const FiloType *larger_place(void) {
    static const FiloField fields[] = { { .name = "x", .type_function = filo_type_float, .offset = 0 },
                                        { .name = "y", .type_function = filo_type_int32_t, .offset = 4 } };
    static const FiloType type = {
        .name = "Place", .kind = FILO_KIND_STRUCT, .size = 8, .align = 4, .fields = fields, .field_count = 2
    };
    return &type;
}

FILO_TEST(a_world_with_other_components_is_refused_and_unchanged) {
    FiloWorld *world, *other;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Place);
    filo_component(world, Speed, .storage = FILO_STORAGE_SPARSE);
    filo_create(world, FILO_ADD(Place));
    FiloSnapshot *snapshot = take_snapshot(world);

    assert_ok(filo_world_create(&other, NULL));
    filo_create(other, { .component_type = NULL, .component = filo_component(other, Place) });
    uint64_t hash = filo_world_hash(other);
    assert_error(filo_snapshot_restore(snapshot, other), FILO_ERROR_KIND,
                 "component Speed of the snapshot is not registered");
    filo_component(other, Speed, .storage = FILO_STORAGE_MAP);
    assert_error(filo_snapshot_restore(snapshot, other), FILO_ERROR_KIND,
                 "component Speed is stored sparse in the snapshot and as a map in the world");
    assert_true(filo_world_hash(other) == hash);
    filo_world_destroy(other);

    assert_ok(filo_world_create(&other, NULL));
    filo_component(other, Speed, .storage = FILO_STORAGE_SPARSE);
    assert_error(filo_snapshot_restore(snapshot, other), FILO_ERROR_KIND,
                 "is Place in the snapshot and Speed in the world");
    filo_world_destroy(other);

    assert_ok(filo_world_create(&other, NULL));
    filo_component_register(other, &(FiloComponentDesc){ .type = larger_place() });
    assert_error(filo_snapshot_restore(snapshot, other), FILO_ERROR_KIND,
                 "component Place has another layout");
    filo_world_destroy(other);

    assert_ok(filo_world_create(&other, NULL));
    filo_component(other, Place, .transient = true);
    assert_error(filo_snapshot_restore(snapshot, other), FILO_ERROR_KIND,
                 "component Place is transient in the world only");
    filo_world_destroy(other);
    destroy_with_snapshot(world, snapshot);
}

// ---- Changes and tracked queries -----------------------------------------------------------------------

FILO_TEST(a_query_created_after_the_snapshot_sees_everything_as_changed) {
    FiloWorld *world = create_scene_world();
    FiloQuery *old = filo_query(world, FILO_READ_CHANGED(Place));
    filo_create(world, FILO_ADD(Place));
    FiloIter it = filo_query_iter(old);
    while (filo_iter_next(&it)) {}
    FiloSnapshot *snapshot = take_snapshot(world);
    FiloQuery *new_query = filo_query(world, FILO_READ_CHANGED(Place), FILO_WITHOUT(Frozen));
    it = filo_query_iter(new_query);
    while (filo_iter_next(&it)) {}
    filo_edit(world, filo_entity_at(world, 0), Place);
    assert_ok(filo_snapshot_restore(snapshot, world));
    size_t rows = 0;
    it = filo_query_iter(old);
    while (filo_iter_next(&it)) rows += it.count;
    assert_int_equal(rows, 0);
    it = filo_query_iter(new_query);
    while (filo_iter_next(&it)) rows += it.count;
    assert_int_equal(rows, 1);
    filo_query_release(old);
    filo_query_release(new_query);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(a_user_version_sees_everything_as_changed_after_a_restore) {
    FiloWorld *world = create_scene_world();
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Place));
    FiloEntity entity = filo_create(world, FILO_ADD(Place));
    FiloSnapshot *snapshot = take_snapshot(world);
    FiloSeen seen = { 0 };
    FiloIter it = filo_query_iter_since(query, &seen);
    while (filo_iter_next(&it)) {}
    filo_edit(world, entity, Place)->x = 5;
    it = filo_query_iter_since(query, &seen);
    while (filo_iter_next(&it)) {}
    assert_ok(filo_snapshot_restore(snapshot, world));
    // The restore resets the version of the world, which reaches its old value again before the next read.
    for (int i = 0; i < 10; i++) assert_ok(filo_world_tick(world, 0.1f));
    size_t rows = 0;
    it = filo_query_iter_since(query, &seen);
    while (filo_iter_next(&it)) rows += it.count;
    assert_int_equal(rows, 1);
    filo_query_release(query);
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(entered_and_left_lists_are_restored) {
    FiloWorld *world = create_scene_world();
    FiloQuery *query =
        filo_query_create(world, &(FiloQueryDesc){ .terms = { FILO_WITH(Burning) }, .tracked = true });
    FiloEntity a = filo_create(world, FILO_ADD(Burning));
    filo_world_refresh(world);
    FiloEntity b = filo_create(world, FILO_ADD(Burning)); // pending
    filo_remove(world, a, Burning);
    FiloSnapshot *snapshot = take_snapshot(world);
    for (int i = 0; i < 3; i++) filo_world_refresh(world);
    assert_ok(filo_snapshot_restore(snapshot, world));
    size_t count;
    assert_true(filo_query_entered(query, &count)[0].id == a.id && count == 1);
    filo_query_left(query, &count);
    assert_int_equal(count, 0);
    filo_world_refresh(world);
    assert_true(filo_query_entered(query, &count)[0].id == b.id && count == 1);
    assert_true(filo_query_left(query, &count)[0].id == a.id && count == 1);
    filo_query_release(query);
    destroy_with_snapshot(world, snapshot);
}

// ---- Events and providers ------------------------------------------------------------------------------

FILO_TEST(pending_events_are_restored_in_their_order) {
    Scene scene;
    scene_open(&scene, 1);
    FiloName boom = filo_name("boom");
    assert_true(filo_events_emit(scene.events, boom, FILO_TYPE(Boom), &(Boom){ .size = 10 }));
    assert_true(filo_events_emit_later(scene.events, boom, FILO_TYPE(Boom), &(Boom){ .size = 100 }, 2));
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    for (int round = 0; round < 2; round++) {
        filo_events_deliver(scene.events);
        assert_int_equal(filo_get_global(scene.world, Score)->booms, 11);
        filo_events_deliver(scene.events);
        assert_int_equal(filo_get_global(scene.world, Score)->booms, 11);
        filo_events_deliver(scene.events);
        assert_int_equal(filo_get_global(scene.world, Score)->booms, 112);
        assert_ok(filo_snapshot_restore(snapshot, scene.world));
        assert_int_equal(filo_get_global(scene.world, Score)->booms, 0);
        assert_int_equal(filo_events_tick(scene.events), 0);
    }
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

static void spawn(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(event);
    FiloEntity entity = filo_changes_create_entity(it->changes);
    filo_set(it->changes, entity, Life, .points = 42);
}

FILO_TEST(changes_of_handlers_between_ticks_are_part_of_the_state) {
    Scene scene;
    scene_open(&scene, 1);
    FiloName name = filo_name("spawn");
    filo_world_handle(scene.world, &(FiloWorldHandlerDesc){ .event = name, .run = spawn });
    FiloSnapshot *before = filo_snapshot_create(NULL), *after = filo_snapshot_create(NULL);
    FiloBytes file;
    filo_array_init(&file, NULL);
    assert_ok(filo_snapshot_take(before, scene.world));
    size_t count = filo_world_stats(scene.world).entities;
    uint64_t hash = filo_world_hash(scene.world);
    filo_events_emit(scene.events, name, NULL, NULL);
    filo_events_deliver(scene.events);
    assert_true(filo_world_hash(scene.world) != hash);
    assert_ok(filo_snapshot_take(after, scene.world));
    assert_ok(filo_world_save_bytes(scene.world, &file, NULL));
    uint64_t delivered = filo_world_hash(scene.world);
    scene_tick(&scene);
    uint64_t expected = filo_world_hash(scene.world);
    assert_ok(filo_snapshot_restore(after, scene.world));
    assert_true(filo_world_hash(scene.world) == delivered);
    scene_tick(&scene);
    assert_true(filo_world_hash(scene.world) == expected);
    assert_ok(filo_world_load_bytes(scene.world, file.items, file.count, "file", NULL));
    assert_true(filo_world_hash(scene.world) == delivered);
    assert_int_equal(filo_world_stats(scene.world).entities, count + 1);
    filo_events_emit_now(scene.events, name, NULL, NULL);
    assert_ok(filo_snapshot_restore(before, scene.world));
    assert_true(filo_world_hash(scene.world) == hash);
    filo_world_refresh(scene.world);
    assert_true(filo_world_hash(scene.world) == hash);
    filo_array_deinit(&file);
    filo_snapshot_destroy(before);
    filo_snapshot_destroy(after);
    scene_close(&scene);
}

static FiloResult refuse(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(world), FILO_UNUSED(bytes), FILO_UNUSED(size), FILO_UNUSED(user);
    return filo_error(FILO_ERROR_SPACE, "the box is full");
}

FILO_TEST(a_failing_provider_is_named_and_entities_are_unchanged) {
    Scene scene;
    scene_open(&scene, 0);
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    FiloEntity entity = filo_create(scene.world, FILO_ADD(Place));
    uint64_t unused = 0;
    FiloProvider box = {
        .name = "box", .size = dice_size, .save = dice_save, .restore = refuse, .user = &unused
    };
    assert_true(filo_world_add_provider(scene.world, &box));
    assert_error(filo_snapshot_restore(snapshot, scene.world), FILO_ERROR_SPACE,
                 "provider box: the box is full");
    assert_true(filo_entity_exists(scene.world, entity));
    assert_true(filo_world_remove_provider(scene.world, "box"));
    assert_false(filo_world_remove_provider(scene.world, "box"));
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    assert_false(filo_entity_exists(scene.world, entity));
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

FILO_TEST(a_provider_added_after_the_snapshot_is_reset) {
    Scene scene;
    scene_open(&scene, 0);
    FiloSnapshot *snapshot = take_snapshot(scene.world);
    uint64_t later = 5;
    FiloProvider provider = {
        .name = "later", .size = dice_size, .save = dice_save, .restore = dice_restore, .user = &later
    };
    assert_true(filo_world_add_provider(scene.world, &provider));
    scene.dice = 99;
    assert_ok(filo_snapshot_restore(snapshot, scene.world));
    assert_int_equal(later, 0);
    assert_int_equal(scene.dice, 1);
    filo_snapshot_destroy(snapshot);
    scene_close(&scene);
}

static size_t changing_size(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    return ++*(size_t *)user % 2 == 1 ? 64 : FILO_MIB(1);
}

FILO_TEST(a_provider_that_writes_more_than_its_size_is_reported) {
    FiloWorld *world = create_world();
    size_t calls = 0;
    FiloProvider provider = {
        .name = "growing", .size = changing_size, .save = dice_save, .restore = dice_restore, .user = &calls
    };
    assert_true(filo_world_add_provider(world, &provider));
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_error(filo_snapshot_take(snapshot, world), FILO_ERROR_LIMIT, "more than it had said");
    assert_true(filo_snapshot_is_empty(snapshot));
    destroy_with_snapshot(world, snapshot);
}

FILO_TEST(providers_are_checked) {
    only_in_debug_builds();
    Scene scene;
    scene_open(&scene, 0);
    FiloProvider dice = scene_dice(&scene);
    expect_fault("has a provider dice already", assert_false(filo_world_add_provider(scene.world, &dice)));
    dice.name = "other";
    dice.save = NULL;
    expect_fault("needs a name, size, save and restore",
                 assert_false(filo_world_add_provider(scene.world, &dice)));
    expect_fault("name of a provider", assert_false(filo_world_remove_provider(scene.world, NULL)));
    scene_close(&scene);
}

// ---- Hooks ---------------------------------------------------------------------------------------------

typedef struct Owner {
    int32_t *number; // owned
    int32_t tag;
} Owner;
FILO_REFLECT(Owner, FILO_FIELD(int32_t, tag))

static int numbers; // allocated and not freed

static void owner_construct(void *value, void *user) {
    FILO_UNUSED(user);
    ((Owner *)value)->number = filo_alloc_zero(NULL, sizeof(int32_t), 0);
    numbers++;
}
static void owner_destruct(void *value, void *user) {
    FILO_UNUSED(user);
    filo_free(NULL, ((Owner *)value)->number, sizeof(int32_t), 0);
    numbers--;
}
static void owner_copy(void *to, const void *from, void *user) {
    FILO_UNUSED(user);
    *((Owner *)to)->number = *((const Owner *)from)->number;
    ((Owner *)to)->tag = ((const Owner *)from)->tag;
}

static const FiloComponentHooks owner_hooks = { .construct = owner_construct,
                                                .destruct = owner_destruct,
                                                .copy = owner_copy };

static void snapshot_owners(FiloStorage storage) {
    FiloWorld *world = create_world();
    filo_component(world, Place);
    filo_component(world, Owner, .storage = storage, .hooks = owner_hooks,
                   .holder = storage == FILO_STORAGE_USER ? &list_holder : NULL);
    FiloEntity entities[5];
    for (int i = 0; i < 5; i++) {
        entities[i] = filo_create(world, FILO_ADD(Place));
        Owner *owner = filo_add(world, entities[i], Owner);
        *owner->number = i;
    }
    FiloSnapshot *snapshot = take_snapshot(world);
    assert_int_equal(numbers, 10);
    assert_ok(filo_snapshot_take(snapshot, world)); // the first copies were destructed
    assert_int_equal(numbers, 10);
    for (int i = 0; i < 5; i++) *filo_edit(world, entities[i], Owner)->number = 100 + i;
    filo_entity_destroy(world, entities[2]);
    for (int round = 0; round < 2; round++) {
        assert_ok(filo_snapshot_restore(snapshot, world));
        assert_int_equal(numbers, 10);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(*filo_get(world, entities[i], Owner)->number, i);
            *filo_edit(world, entities[i], Owner)->number = -1; // not the number of the snapshot
        }
        assert_ok(filo_world_reset(world, 0));
        assert_int_equal(numbers, 5);
    }
    filo_world_destroy(world);
    assert_int_equal(numbers, 5);
    filo_snapshot_destroy(snapshot);
    assert_int_equal(numbers, 0);
}

FILO_TEST(values_are_copied_by_their_hooks_in_tables) { snapshot_owners(FILO_STORAGE_TABLE); }
FILO_TEST(values_are_copied_by_their_hooks_in_sparse_lists) { snapshot_owners(FILO_STORAGE_SPARSE); }
FILO_TEST(values_are_copied_by_their_hooks_in_arrays) { snapshot_owners(FILO_STORAGE_ARRAY); }
FILO_TEST(values_are_copied_by_their_hooks_in_maps) { snapshot_owners(FILO_STORAGE_MAP); }
FILO_TEST(values_are_copied_by_their_hooks_in_user_defined_holders) { snapshot_owners(FILO_STORAGE_USER); }

FILO_TEST(globals_are_copied_by_their_hooks) {
    FiloWorld *world = create_world();
    filo_component(world, Owner, .storage = FILO_STORAGE_GLOBAL, .hooks = owner_hooks);
    *filo_edit_global(world, Owner)->number = 3;
    FiloSnapshot *snapshot = take_snapshot(world);
    *filo_edit_global(world, Owner)->number = 4;
    assert_ok(filo_snapshot_restore(snapshot, world));
    assert_int_equal(*filo_get_global(world, Owner)->number, 3);
    destroy_with_snapshot(world, snapshot);
    assert_int_equal(numbers, 0);
}

FILO_TEST(values_that_cannot_be_copied_are_refused) {
    FiloWorld *world = create_world();
    filo_component(world, Owner, .hooks = { .construct = owner_construct, .destruct = owner_destruct });
    FiloSnapshot *snapshot = take_snapshot(world); // no entity has it
    filo_create(world, FILO_ADD(Owner));
    assert_error(filo_snapshot_take(snapshot, world), FILO_ERROR_UNSUPPORTED,
                 "component Owner has a destruct hook and no copy hook");
    assert_true(filo_snapshot_is_empty(snapshot));
    destroy_with_snapshot(world, snapshot);
    assert_int_equal(numbers, 0);
}

FILO_TEST(transient_components_are_restored_with_their_default_value) {
    FiloStorage storages[] = { FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY,
                               FILO_STORAGE_MAP };
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = create_world();
        filo_component(world, Picture, .storage = storages[s], .transient = true,
                       .default_value = &(Picture){ 11 });
        filo_component(world, Place);
        filo_component(world, Owner, .transient = true, .storage = storages[s],
                       .hooks = { .construct = owner_construct, .destruct = owner_destruct });
        FiloEntity entity =
            filo_create(world, FILO_SET(Picture, 500), FILO_SET(Place, 1, 2), FILO_ADD(Owner));
        FiloEntity without = filo_create(world, FILO_SET(Place, 1, 2));
        FiloSnapshot *snapshot = take_snapshot(world);
        filo_remove(world, entity, Picture);
        filo_add(world, without, Picture);
        *filo_edit(world, entity, Owner)->number = 6;
        assert_ok(filo_snapshot_restore(snapshot, world));
        assert_int_equal(filo_get(world, entity, Picture)->handle, 11);
        assert_int_equal(*filo_get(world, entity, Owner)->number, 0);
        assert_true(filo_get(world, entity, Place)->y == 2);
        assert_false(filo_has(world, without, Picture));
        assert_int_equal(numbers, 1);
        destroy_with_snapshot(world, snapshot);
        assert_int_equal(numbers, 0);
    }
}
