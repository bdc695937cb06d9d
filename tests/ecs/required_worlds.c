// Required components: hooks, tracked queries, snapshots, files and mistakes.

#include "ecs/required_fixture.h"

// ---- Hooks and tracked queries ------------------------------------------------------------------------

typedef struct Counts {
    int made, ended, copied;
} Counts;

static void count_made(void *value, void *user) {
    FILO_UNUSED(value);
    ((Counts *)user)->made++;
}
static void count_ended(void *value, void *user) {
    FILO_UNUSED(value);
    ((Counts *)user)->ended++;
}
static void count_copied(void *to, const void *from, void *user) {
    memcpy(to, from, sizeof(Mesh));
    ((Counts *)user)->copied++;
}

FILO_TEST(hooks_of_required_components_run) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        FiloWorld *world;
        Counts counts = { 0 };
        assert_ok(filo_world_create(&world, NULL));
        FiloComponentDesc desc = describe(FILO_TYPE(Mesh), storages[i]);
        desc.hooks = (FiloComponentHooks){ count_made, count_ended, count_copied, NULL, &counts };
        filo_component_register(world, &desc);
        filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) });
        FiloEntity entities[12];
        for (int n = 0; n < 3; n++) entities[n] = filo_create(world, FILO_SET(Sprite, 1));
        for (int n = 3; n < 12; n++) entities[n] = filo_entity_create(world);
        for (int n = 3; n < 6; n++) filo_set(world, entities[n], Sprite, 1);
        for (int n = 6; n < 9; n++) filo_add(world, entities[n], Sprite);
        FiloChanges *changes = filo_changes_create(world);
        for (int n = 9; n < 12; n++) filo_set(changes, entities[n], Sprite, 1);
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        assert_int_equal(counts.made, 12);
        assert_int_equal(counts.ended, 0);
        assert_int_equal(counts.copied, 0);
        filo_world_destroy(world);
        assert_int_equal(counts.ended, 12);
    }
}

// The query has no term for the component that is added.
FILO_TEST(tracked_queries_notice_required_components) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(storages[i], FILO_STORAGE_TABLE, storages[k]);
            FiloQuery *query = filo_query_create(
                kit.world, &(FiloQueryDesc){ .terms = { FILO_READ(Mesh) }, .tracked = true });
            for (size_t method = 0; method < FILO_COUNT_OF(whole_methods) + FILO_COUNT_OF(partial_methods);
                 method++) {
                FiloEntity existing,
                    entity = method < FILO_COUNT_OF(whole_methods)
                                 ? whole_methods[method](&kit, &existing)
                                 : partial_methods[method - FILO_COUNT_OF(whole_methods)](&kit, &existing);
                filo_world_refresh(kit.world);
                size_t count;
                const FiloEntity *entered = filo_query_entered(query, &count);
                bool found = false;
                for (size_t n = 0; n < count; n++) found = found || entered[n].id == entity.id;
                assert_true(found);
            }
            destroy_with_query(kit.world, query);
        }
}

FILO_TEST(a_tracked_query_without_terms_notices_entities_that_are_created_like_those_before_it) {
    Kit kit = open_tables();
    filo_create(kit.world, FILO_SET(Sprite, 1));
    filo_create(kit.world, FILO_SET(Sprite, 2));
    FiloQuery *all = filo_query_create(kit.world, &(FiloQueryDesc){ .tracked = true });
    FiloEntity entity = filo_create(kit.world, FILO_SET(Sprite, 3));
    filo_world_refresh(kit.world);
    size_t count;
    const FiloEntity *entered = filo_query_entered(all, &count);
    assert_int_equal(count, 1);
    assert_true(filo_entity_equal(entered[0], entity));
    destroy_with_query(kit.world, all);
}

// ---- Worlds -------------------------------------------------------------------------------------------

FILO_TEST(a_world_created_like_another_has_the_same_requirements) {
    Kit kit = open_kit(FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    FiloWorld *like;
    assert_ok(filo_world_create_like(&like, kit.world, NULL));
    for (uint32_t id = 1; id <= filo_component_count(like); id++) {
        const FiloComponentInfo *a = filo_component_info(kit.world, (FiloComponent){ id });
        const FiloComponentInfo *b = filo_component_info(like, (FiloComponent){ id });
        assert_int_equal(a->required_count, b->required_count);
        for (size_t i = 0; i < a->required_count; i++) assert_int_equal(a->required[i].id, b->required[i].id);
    }
    filo_world_destroy(kit.world);
    kit.world = like;
    try_methods(&kit, whole_methods, FILO_COUNT_OF(whole_methods));
    filo_world_destroy(like);
}

// Removed components stay removed, and requirements are not part of the state.
FILO_TEST(restoring_a_snapshot_adds_no_required_components) {
    Kit kit = open_tables();
    FiloWorld *other = create_world();
    filo_component(other, Weight);
    filo_component(other, Mesh);
    filo_component(other, Spot, .default_value = &default_spot);
    filo_component(other, Sprite);
    filo_component(other, Lamp);
    FiloEntity entity = filo_create(kit.world, FILO_SET(Sprite, 4));
    assert_true(filo_remove(kit.world, entity, Spot));
    uint64_t hash = filo_world_hash(kit.world);
    FiloSnapshot *snapshot = take_snapshot(kit.world);
    filo_add(kit.world, entity, Spot);
    assert_ok(filo_snapshot_restore(snapshot, kit.world));
    assert_false(HAS(&kit, entity, Spot));
    assert_true(filo_world_hash(kit.world) == hash);
    assert_ok(filo_snapshot_restore(snapshot, other));
    assert_true(filo_world_hash(other) == hash);
    destroy_with_snapshot(other, snapshot);
    filo_world_destroy(kit.world);
}

// Caches of the last created entities are cleared together with their tables.
FILO_TEST(create_caches_are_dropped_with_their_tables) {
    Kit kit = open_tables();
    FiloSnapshot *snapshot = take_snapshot(kit.world);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            kit.number = i + 1;
            FiloEntity existing;
            expect_sprite(&kit, by_create_alone(&kit, &existing), i + 1);
            expect_sprite(&kit, by_set_type(&kit, &existing), i + 1);
            expect_sprite(&kit, by_add_type(&kit, &existing), i + 1);
        }
        FiloQuery *query = filo_query(kit.world, FILO_READ(Sprite), FILO_READ(Spot));
        assert_int_equal(filo_query_count(query), 9);
        filo_query_release(query);
        if (round == 1) filo_create(kit.world, FILO_SET(Sprite, 1));
        if (round == 2) filo_create(kit.world, FILO_SET(Weight, 1));
        assert_ok(filo_snapshot_restore(snapshot, kit.world));
    }
    destroy_with_snapshot(kit.world, snapshot);
}

// ---- Files --------------------------------------------------------------------------------------------

// Saves a world of an older program, which has no requirements.
static void save_old(FiloBytes *bytes, FiloEntity *entities) {
    FiloWorld *world = create_world();
    filo_component(world, Sprite, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Lamp);
    filo_component(world, Spot);
    entities[0] = filo_create(world, FILO_SET(Sprite, 3));
    entities[1] = filo_create(world, FILO_SET(Lamp, 0.5));
    entities[2] = filo_create(world, FILO_SET(Sprite, 4), FILO_SET(Spot, 7, 8, { 0 }));
    entities[3] = filo_create(world, FILO_SET(Spot, 9, 9, { 0 }));
    entities[4] = filo_create(world, FILO_SET(Sprite, 5));
    entities[5] = filo_entity_create(world);
    filo_entity_set_active(world, entities[4], false);
    assert_ok(filo_world_save_bytes(world, bytes, NULL));
    filo_world_destroy(world);
}

FILO_TEST(loading_an_old_file_adds_newly_required_components) {
    FiloBytes bytes = { 0 };
    FiloEntity entities[6];
    save_old(&bytes, entities);
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(storages[i], storages[k], FILO_STORAGE_TABLE);
            assert_ok(filo_world_load_bytes(kit.world, bytes.items, bytes.count, "yesterday", NULL));
            expect_sprite(&kit, entities[0], 3);
            expect_sprite(&kit, entities[4], 5);
            assert_false(filo_entity_active(kit.world, entities[4]));
            assert_true(filo_get(kit.world, entities[1], Lamp)->light == 0.5);
            assert_int_equal(filo_get(kit.world, entities[1], Sprite)->image, 0);
            assert_true(filo_get(kit.world, entities[1], Spot)->x == 1 && HAS(&kit, entities[1], Mesh));
            assert_true(filo_get(kit.world, entities[2], Spot)->x == 7 && HAS(&kit, entities[2], Mesh));
            assert_true(filo_get(kit.world, entities[3], Spot)->x == 9 && HAS(&kit, entities[3], Mesh));
            assert_false(HAS(&kit, entities[3], Sprite));
            expect_nothing(&kit, entities[5]);
            // Requirements still work after loading.
            try_methods(&kit, whole_methods, FILO_COUNT_OF(whole_methods));
            filo_world_destroy(kit.world);
        }
    filo_array_deinit(&bytes);
}

FILO_TEST(loading_does_not_add_removed_required_components_again) {
    Kit kit = open_kit(FILO_STORAGE_TABLE, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE);
    FiloEntity whole = filo_create(kit.world, FILO_SET(Sprite, 4));
    FiloEntity part = filo_create(kit.world, FILO_SET(Lamp, 4));
    assert_true(filo_remove(kit.world, part, Spot));
    uint64_t hash = filo_world_hash(kit.world);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(kit.world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(kit.world, bytes.items, bytes.count, "today", NULL));
    assert_true(filo_world_hash(kit.world) == hash);
    expect_sprite(&kit, whole, 4);
    assert_true(HAS(&kit, part, Lamp) && HAS(&kit, part, Mesh) && !HAS(&kit, part, Spot));
    // In a later program a Sprite requires one more component. Only that is added.
    FiloWorld *later = create_world();
    filo_component(later, Seen, .storage = FILO_STORAGE_TAG);
    filo_component(later, Mesh);
    filo_component(later, Spot, .required = { FILO_REQUIRED(Mesh) });
    filo_component(later, Sprite, .required = { FILO_REQUIRED(Spot), FILO_REQUIRED(Seen) });
    filo_component(later, Lamp, .required = { FILO_REQUIRED(Sprite) });
    filo_component(later, Weight);
    assert_ok(filo_world_load_bytes(later, bytes.items, bytes.count, "today", NULL));
    assert_true(filo_has(later, part, Seen) && filo_has(later, whole, Seen));
    assert_false(filo_has(later, part, Spot));
    assert_true(filo_has(later, whole, Spot));
    filo_world_destroy(later);
    filo_array_deinit(&bytes);
    filo_world_destroy(kit.world);
}

FILO_TEST(loading_an_old_file_without_memory_leaves_the_world_unchanged) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    FiloBytes bytes = { 0 };
    FiloEntity entities[6];
    save_old(&bytes, entities);
    Kit kit = open_kit(FILO_STORAGE_MAP, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    filo_create(kit.world, FILO_SET(Sprite, 4));
    uint64_t hash = filo_world_hash(kit.world);
    bool more = true;
    size_t failed = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloResult result = filo_world_load_bytes(kit.world, bytes.items, bytes.count, "yesterday",
                                                  &(FiloLoadDesc){ .allocator = &failing.allocator });
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
        if (result.code == FILO_OK) { // the failed allocation was optional
            hash = filo_world_hash(kit.world);
            continue;
        }
        assert_error(result, FILO_ERROR_MEMORY, "yesterday: ");
        assert_true(filo_world_hash(kit.world) == hash);
        failed++;
    }
    assert_in_range(failed, 20, 1000);
    expect_sprite(&kit, entities[0], 3);
    filo_array_deinit(&bytes);
    filo_world_destroy(kit.world);
    filo_fault_set_handler(before);
}

// ---- Mistakes -----------------------------------------------------------------------------------------

FILO_TEST(invalid_requirements_are_mistakes) {
    FiloWorld *world = create_world();
    FiloComponent sky = filo_component(world, Sky, .storage = FILO_STORAGE_GLOBAL);
    expect_fault("component Sprite requires Mesh, which is not registered in this world; before it, call "
                 "filo_component(world, Mesh)",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) }));
    expect_fault(
        "component Sprite requires component 77, which is not registered in this world; register it before",
        filo_component(world, Sprite, .required = { { NULL, { 77 } } }));
    expect_fault("component Sprite requires itself; take it out of .required",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Sprite) }));
    expect_fault("component Sprite requires Sky, which is global: no entity has it",
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Sky) }));
    expect_fault("component Sprite requires Sky, which is global: no entity has it",
                 filo_component(world, Sprite, .required = { { NULL, sky } }));
    expect_fault(
        "component Sprite requires FiloFamily, which the world keeps; use the functions for names and "
        "families",
        filo_component(world, Sprite, .required = { FILO_REQUIRED(FiloFamily) }));
    assert_int_equal(filo_component_of(world, FILO_TYPE(Sprite)).id, 0);
    filo_component(world, Mesh);
    filo_component(world, Weight);
    expect_fault(
        "component Lamp is global: no entity has it, so it cannot require others",
        filo_component(world, Lamp, .storage = FILO_STORAGE_GLOBAL, .required = { FILO_REQUIRED(Mesh) }));
    FiloComponent sprite = filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh) });
    expect_fault("component Sprite requires itself; take it out of .required",
                 filo_component(world, Sprite, .required = { { NULL, sprite } }));
    static const char other[] =
        "component Sprite is registered already, with another storage, layout or hooks, or other required "
        "components";
    expect_fault(other, filo_component(world, Sprite));
    expect_fault(other, filo_component(world, Sprite, .required = { FILO_REQUIRED(Weight) }));
    expect_fault(other,
                 filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Weight) }));
    // The order, duplicates, and direct or indirect requirements make no difference.
    FiloComponent lamp =
        filo_component(world, Lamp, .required = { FILO_REQUIRED(Sprite), FILO_REQUIRED(Weight) });
    assert_int_equal(
        filo_component(world, Sprite, .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Mesh) }).id,
        sprite.id);
    assert_int_equal(
        filo_component(world, Lamp,
                       .required = { FILO_REQUIRED(Weight), FILO_REQUIRED(Sprite), FILO_REQUIRED(Mesh) })
            .id,
        lamp.id);
    filo_world_destroy(world);
}

FILO_TEST(a_refused_add_adds_none_of_the_required_components) {
    Kit kit = open_tables();
    FiloEntity destroyed = filo_entity_create(kit.world);
    filo_entity_destroy(kit.world, destroyed);
    expect_fault("does not exist", filo_add(kit.world, destroyed, Sprite));
    expect_fault("does not exist", filo_set(kit.world, destroyed, Sprite, 1));
    FiloEntity entity = filo_entity_create(kit.world);
    expect_fault("cannot set component Sprite: pass a value",
                 filo_entity_set(kit.world, entity, kit.sprite, NULL));
    expect_nothing(&kit, entity);
    filo_world_destroy(kit.world);
}
