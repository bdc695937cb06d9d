// Required components are added together with the one that requires them, by every method and in every storage.

#include "ecs/required_fixture.h"

FILO_TEST(required_components_are_added_by_every_method_and_in_every_storage) {
    for (size_t a = 0; a < FILO_COUNT_OF(storages); a++)
        for (size_t b = 0; b < FILO_COUNT_OF(storages); b++)
            for (size_t c = 0; c < FILO_COUNT_OF(storages); c++) {
                Kit kit = open_kit(storages[a], storages[b], storages[c]);
                try_methods(&kit, whole_methods, FILO_COUNT_OF(whole_methods));
                try_methods(&kit, partial_methods, FILO_COUNT_OF(partial_methods));
                filo_world_destroy(kit.world);
            }
}

// Each allocation of each method fails once.
static void fail_allocations(const Method *methods, size_t count, bool whole, FiloStorage spot,
                             FiloStorage sprite) {
    for (size_t method = 0; method < count; method++) {
        bool more = true;
        size_t failed = 0;
        for (size_t fail_at = 0; more; fail_at++) {
            FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
            Kit kit = { .number = 7 };
            assert_ok(filo_world_create(&kit.world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
            assert_true(register_kit(&kit, FILO_STORAGE_TABLE, spot, sprite));
            failing.fail_at = failing.calls + fail_at;
            FiloEntity existing = { 0 }, entity = methods[method](&kit, &existing);
            more = failing.calls > failing.fail_at;
            if (entity.id != 0) {
                expect_sprite(&kit, entity, 7);
            } else {
                failed++;
                if (whole && existing.id != 0) expect_nothing(&kit, existing);
                if (whole && existing.id == 0)
                    for (uint32_t i = 0; i < filo_entity_index_end(kit.world); i++) {
                        FiloEntity other = filo_entity_at(kit.world, i);
                        assert_true(other.id == 0 || HAS(&kit, other, Spot) == HAS(&kit, other, Sprite));
                    }
                // It succeeds with memory.
                expect_sprite(&kit, methods[method](&kit, &existing), 7);
            }
            filo_world_destroy(kit.world);
            assert_int_equal(failing.blocks, 0);
        }
        assert_in_range(failed, 1, 100);
    }
}

FILO_TEST(without_memory_all_required_components_are_added_or_none) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    for (size_t b = 0; b < FILO_COUNT_OF(storages); b++)
        for (size_t c = 0; c < FILO_COUNT_OF(storages); c++) {
            fail_allocations(whole_methods, FILO_COUNT_OF(whole_methods), true, storages[b], storages[c]);
            fail_allocations(partial_methods, FILO_COUNT_OF(partial_methods), false, storages[b],
                             storages[c]);
        }
    filo_fault_set_handler(before);
}

FILO_TEST(a_registration_that_failed_without_memory_can_be_repeated) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t failed = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
        Kit kit = { 0 };
        assert_ok(filo_world_create(&kit.world, &(FiloWorldDesc){ .allocator = &failing.allocator }));
        failing.fail_at = failing.calls + fail_at;
        bool ok = register_kit(&kit, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE);
        more = failing.calls > failing.fail_at;
        failing.fail_at = SIZE_MAX;
        failed += !ok;
        if (!ok) // registering again succeeds, also for components that were registered before
            assert_true(register_kit(&kit, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE));
        kit.number = 3;
        FiloEntity existing;
        expect_sprite(&kit, by_set(&kit, &existing), 3);
        filo_world_destroy(kit.world);
        assert_int_equal(failing.blocks, 0);
    }
    assert_in_range(failed, 5, 100);
    filo_fault_set_handler(before);
}

// ---- Values -------------------------------------------------------------------------------------------

FILO_TEST(explicit_values_win_over_required_defaults_in_any_order) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        for (int again = 0; again < 3; again++) {
            FiloEntity before = filo_create(kit.world, FILO_SET(Spot, 7, 8, { 0 }), FILO_SET(Sprite, 3));
            FiloEntity after = filo_create(kit.world, FILO_SET(Sprite, 3), FILO_SET(Spot, 7, 8, { 0 }));
            FiloEntity changed = filo_create(kit.world, FILO_SET(Weight, 1));
            const FiloComponentValue with[] = { FILO_SET(Sprite, 3), FILO_SET(Spot, 7, 8, { 0 }) };
            assert_true(filo_entity_change(kit.world, changed, with, 2, NULL, 0));
            FiloChanges *changes = filo_changes_create(kit.world);
            FiloEntity first = filo_changes_create_entity(changes),
                       second = filo_changes_create_entity(changes);
            filo_set(changes, first, Spot, 7, 8, { 0 });
            filo_set(changes, first, Sprite, 3);
            filo_set(changes, second, Sprite, 3);
            filo_set(changes, second, Spot, 7, 8, { 0 });
            assert_true(filo_changes_apply(changes));
            FiloEntity all[] = { before, after, changed, filo_changes_resolved(changes, first),
                                 filo_changes_resolved(changes, second) };
            for (size_t k = 0; k < FILO_COUNT_OF(all); k++) {
                const Spot *spot = filo_get(kit.world, all[k], Spot);
                assert_true(spot->x == 7 && spot->y == 8);
                assert_int_equal(filo_get(kit.world, all[k], Sprite)->image, 3);
                assert_true(HAS(&kit, all[k], Mesh));
            }
            filo_changes_destroy(changes);
        }
        filo_world_destroy(kit.world);
    }
}

// Twice, because the second entity is created through the cache.
FILO_TEST(a_component_that_is_listed_twice_or_required_too_keeps_its_value) {
    Kit kit = open_tables();
    for (int again = 0; again < 2; again++)
        expect_sprite(&kit, filo_create(kit.world, FILO_SET(Sprite, 3), FILO_ADD(Sprite)), 3);
    for (int again = 0; again < 2; again++)
        expect_sprite(&kit, filo_create(kit.world, FILO_SET(Sprite, 3), FILO_ADD(Spot)), 3);
    filo_world_destroy(kit.world);
}

FILO_TEST(existing_required_components_stay_unchanged) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        for (int method = 0; method < 6; method++) {
            FiloEntity entity = filo_create(kit.world, FILO_SET(Spot, 7, 8, { 0 }));
            filo_set(kit.world, entity, Mesh, 55);
            FiloChanges *changes = filo_changes_create(kit.world);
            const FiloComponentValue with[] = { FILO_SET(Sprite, 1) };
            if (method == 0) filo_add(kit.world, entity, Sprite);
            if (method == 1) filo_set(kit.world, entity, Sprite, 1);
            if (method == 2) filo_entity_change(kit.world, entity, with, 1, NULL, 0);
            if (method == 3) filo_entity_add_many(kit.world, &entity, 1, kit.sprite);
            if (method == 4) filo_set(changes, entity, Sprite, 1);
            if (method == 5) filo_changes_add(changes, entity, kit.sprite);
            assert_true(filo_changes_apply(changes));
            filo_changes_destroy(changes);
            assert_true(HAS(&kit, entity, Sprite));
            assert_true(filo_get(kit.world, entity, Spot)->x == 7);
            assert_int_equal(filo_get(kit.world, entity, Mesh)->number, 55);
        }
        filo_world_destroy(kit.world);
    }
}

// The value is in the world, and may move while the others are added.
FILO_TEST(a_value_may_be_copied_from_another_entity) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        for (size_t k = 0; k < FILO_COUNT_OF(storages); k++) {
            Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], storages[k]);
            FiloEntity last = filo_create(kit.world, FILO_SET(Sprite, 77));
            for (int n = 0; n < 300; n++) {
                FiloEntity entity = filo_entity_create(kit.world);
                assert_true(filo_entity_set(kit.world, entity, kit.sprite,
                                            filo_entity_get(kit.world, last, kit.sprite)));
                expect_sprite(&kit, entity, 77);
                last = entity;
            }
            filo_world_destroy(kit.world);
        }
}

FILO_TEST(four_levels_of_requirements_are_added_in_one_move) {
    Kit kit = open_kit(FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
    FiloEntity entity = filo_entity_create(kit.world);
    Lamp *lamp = filo_add(kit.world, entity, Lamp);
    assert_non_null(lamp);
    lamp->light = 0.5;
    assert_true(filo_get(kit.world, entity, Lamp)->light == 0.5);
    assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Spot) && HAS(&kit, entity, Mesh));
    assert_int_equal(filo_world_stats(kit.world).tables, 2); // the empty one, and the one with all components
    const FiloComponentInfo *info = filo_component_info(kit.world, kit.lamp);
    assert_int_equal(info->required_count, 3);
    assert_int_equal(info->required[0].id, kit.mesh.id);
    assert_int_equal(info->required[1].id, kit.spot.id);
    assert_int_equal(info->required[2].id, kit.sprite.id);
    assert_int_equal(filo_component_info(kit.world, kit.mesh)->required_count, 0);
    filo_world_destroy(kit.world);
}

// Also the requirements of a component that is there already.
FILO_TEST(indirect_requirements_are_added_even_if_the_direct_one_exists) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(storages[i], FILO_STORAGE_TABLE, FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_ADD(Spot));
        assert_true(filo_remove(kit.world, entity, Mesh));
        filo_set(kit.world, entity, Spot, 3, 3, { 0 }); // it is there: nothing is added
        assert_false(HAS(&kit, entity, Mesh));
        filo_add(kit.world, entity, Sprite);
        assert_true(HAS(&kit, entity, Mesh));
        assert_true(filo_get(kit.world, entity, Spot)->x == 3);
        filo_world_destroy(kit.world);
    }
}

// ---- Removing -----------------------------------------------------------------------------------------

FILO_TEST(a_required_component_can_be_removed_and_stays_removed) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_SET(Sprite, 4));
        assert_true(filo_remove(kit.world, entity, Spot));
        filo_set(kit.world, entity, Sprite, 5);
        assert_non_null(filo_add(kit.world, entity, Sprite));
        assert_true(filo_entity_add_many(kit.world, &entity, 1, kit.sprite));
        const FiloComponentValue with[] = { FILO_SET(Sprite, 6) };
        assert_true(filo_entity_change(kit.world, entity, with, 1, NULL, 0));
        FiloChanges *changes = filo_changes_create(kit.world);
        filo_set(changes, entity, Sprite, 7);
        filo_changes_add(changes, entity, kit.sprite);
        assert_false(filo_changes_has(changes, entity, kit.spot));
        assert_true(filo_changes_apply(changes));
        filo_changes_destroy(changes);
        assert_false(HAS(&kit, entity, Spot));
        assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Mesh));
        // Copies and instances lack it too.
        FiloEntity copy = filo_entity_copy(kit.world, entity);
        assert_true(filo_prefab_make(kit.world, entity));
        FiloEntity instance = filo_instance(kit.world, entity, FILO_SET(Sprite, 9));
        assert_false(HAS(&kit, copy, Spot) || HAS(&kit, instance, Spot));
        assert_int_equal(filo_get(kit.world, instance, Sprite)->image, 9);
        // It is added when the requiring component is added again.
        assert_true(filo_remove(kit.world, copy, Sprite));
        assert_true(HAS(&kit, copy, Mesh));
        filo_add(kit.world, copy, Sprite);
        assert_true(filo_get(kit.world, copy, Spot)->y == 2);
        filo_world_destroy(kit.world);
    }
}

FILO_TEST(a_component_both_required_and_removed_is_removed) {
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++) {
        Kit kit = open_kit(FILO_STORAGE_TABLE, storages[i], FILO_STORAGE_TABLE);
        FiloEntity entity = filo_create(kit.world, FILO_SET(Weight, 1)), other;
        const FiloComponentValue with[] = { FILO_SET(Sprite, 6) };
        assert_true(filo_entity_change(kit.world, entity, with, 1, &kit.spot, 1));
        assert_true(HAS(&kit, entity, Sprite) && HAS(&kit, entity, Mesh) && !HAS(&kit, entity, Spot));
        other = filo_create(kit.world, FILO_SET(Spot, 7, 8, { 0 }));
        assert_true(filo_entity_change(kit.world, other, with, 1, &kit.spot, 1));
        assert_true(HAS(&kit, other, Sprite) && !HAS(&kit, other, Spot));
        filo_world_destroy(kit.world);
    }
}

// ---- Tags ---------------------------------------------------------------------------------------------

FILO_TEST(tags_require_and_are_required) {
    static const FiloStorage tags[] = { FILO_STORAGE_TAG, FILO_STORAGE_TABLE, FILO_STORAGE_SPARSE };
    for (size_t a = 0; a < FILO_COUNT_OF(tags); a++)
        for (size_t b = 0; b < FILO_COUNT_OF(tags); b++) {
            FiloWorld *world = create_world();
            filo_component(world, Weight);
            FiloComponent seen = filo_component(world, Seen, .storage = tags[a]);
            filo_component(world, Mesh, .required = { FILO_REQUIRED(Seen) });
            FiloComponent drawn = filo_component(world, Drawn, .storage = tags[b],
                                                 .required = { FILO_REQUIRED(Mesh), FILO_REQUIRED(Seen) });
            for (int method = 0; method < 5; method++) {
                FiloEntity entity = filo_create(world, FILO_SET(Weight, 1));
                const FiloComponentValue with[] = { FILO_ADD(Drawn) };
                FiloChanges *changes = filo_changes_create(world);
                if (method == 0) assert_null(filo_entity_add(world, entity, drawn));
                if (method == 1) assert_true(filo_entity_set(world, entity, drawn, NULL));
                if (method == 2) assert_true(filo_entity_add_many(world, &entity, 1, drawn));
                if (method == 3) assert_true(filo_changes_add(changes, entity, drawn));
                if (method == 4) assert_true(filo_entity_change(world, entity, with, 1, NULL, 0));
                assert_true(filo_changes_apply(changes));
                filo_changes_destroy(changes);
                assert_true(filo_has(world, entity, Drawn) && filo_has(world, entity, Seen) &&
                            filo_has(world, entity, Mesh));
                assert_true(filo_entity_remove(world, entity, seen));
                assert_true(filo_entity_set(world, entity, drawn, NULL));
                assert_false(filo_has(world, entity, Seen));
            }
            filo_world_destroy(world);
        }
}

// ---- Blocks -------------------------------------------------------------------------------------------

static void fill_sprites(FiloIter *it, void *user) {
    FILO_UNUSED(user);
    FiloColumn sprite = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++) FILO_AT(sprite, i, Sprite)->image = (int32_t)(it->first + i);
}

// Only listed components are filled, so required ones may have any storage.
FILO_TEST(a_block_is_filled_although_required_components_lie_outside_of_tables) {
    Kit kit = open_kit(FILO_STORAGE_MAP, FILO_STORAGE_SPARSE, FILO_STORAGE_TABLE);
    static FiloEntity entities[3000];
    const FiloComponentValue with[] = { FILO_SET(Sprite, 5) };
    assert_true(filo_entity_create_block(
        kit.world,
        &(FiloBlockDesc){
            .count = 3000, .values = with, .value_count = 1, .entities = entities, .fill = fill_sprites }));
    for (int i = 0; i < 3000; i++) expect_sprite(&kit, entities[i], i);
    filo_world_destroy(kit.world);
}

// More than fit into a list on the stack.
#define MANY_TYPES 40
FILO_TEST(lists_and_requirements_may_be_long) {
    static FiloType types[MANY_TYPES];
    static char names[MANY_TYPES][16];
    FiloComponent components[MANY_TYPES];
    FiloComponentValue with[MANY_TYPES];
    Mesh values[MANY_TYPES];
    FiloWorld *world = create_world();
    for (int i = 0; i < MANY_TYPES; i++) {
        snprintf(names[i], sizeof names[i], "Kind%d", i);
        types[i] = *FILO_TYPE(Mesh);
        types[i].name = names[i];
        FiloComponentDesc desc = { .type = &types[i],
                                   .storage = i % 5 == 4 ? FILO_STORAGE_SPARSE : FILO_STORAGE_TABLE };
        if (i > 0) desc.required[0].component = components[i - 1];
        components[i] = filo_component_register(world, &desc);
        assert_int_not_equal(components[i].id, 0);
    }
    assert_int_equal(filo_component_info(world, components[MANY_TYPES - 1])->required_count, MANY_TYPES - 1);
    FiloEntity made[4];
    for (int i = 0; i < MANY_TYPES; i++) {
        values[i].number = i;
        with[i] = (FiloComponentValue){ .component = components[MANY_TYPES - 1 - i], .value = &values[i] };
    }
    made[0] = filo_entity_create_with(world, with, 1);
    made[1] = filo_entity_create_with(world, with, MANY_TYPES);
    made[2] = filo_entity_create(world);
    assert_true(filo_entity_set(world, made[2], components[MANY_TYPES - 1], &(Mesh){ 9 }));
    made[3] = filo_entity_create(world);
    assert_true(filo_entity_change(world, made[3], with, 20, NULL, 0));
    for (size_t k = 0; k < FILO_COUNT_OF(made); k++)
        assert_int_equal(filo_entity_components(world, made[k], NULL, 0), MANY_TYPES);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[1], components[0]))->number, MANY_TYPES - 1);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[3], components[20]))->number, 19);
    assert_int_equal(((const Mesh *)filo_entity_get(world, made[3], components[19]))->number, 0);
    filo_world_destroy(world);
}
