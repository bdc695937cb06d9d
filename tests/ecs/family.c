// Families, names, copies and prefabs.

#include "ecs/world_types.h"

static void assert_children(const FiloWorld *world, FiloEntity parent, const FiloEntity *children,
                            size_t count) {
    size_t n = 0;
    filo_entity_each_child (world, parent, child) {
        assert_true(n < count);
        assert_same_entity(child, children[n++]);
        assert_same_entity(filo_entity_parent(world, child), parent);
    }
    assert_int_equal(n, count);
    assert_int_equal(filo_entity_child_count(world, parent), count);
}

FILO_TEST(children_keep_their_order) {
    FiloWorld *world = new_world();
    FiloEntity parent = filo_entity_create(world), c[5];
    for (int i = 0; i < 5; i++) {
        c[i] = filo_entity_create(world);
        assert_true(filo_entity_set_parent(world, c[i], parent));
    }
    assert_children(world, parent, c, 5);
    filo_entity_move_before(world, c[4], c[0]);
    assert_children(world, parent, (FiloEntity[]){ c[4], c[0], c[1], c[2], c[3] }, 5);
    filo_entity_move_before(world, c[0], FILO_ENTITY_NONE);
    assert_children(world, parent, (FiloEntity[]){ c[4], c[1], c[2], c[3], c[0] }, 5);
    filo_entity_destroy(world, c[2]);
    assert_children(world, parent, (FiloEntity[]){ c[4], c[1], c[3], c[0] }, 4);
    assert_true(filo_entity_set_parent(world, c[4], parent)); // to the end
    assert_children(world, parent, (FiloEntity[]){ c[1], c[3], c[0], c[4] }, 4);
    assert_true(filo_entity_set_parent(world, c[3], FILO_ENTITY_NONE));
    assert_children(world, parent, (FiloEntity[]){ c[1], c[0], c[4] }, 3);
    assert_true(filo_entity_set_parent(world, c[0], c[1]));
    assert_children(world, parent, (FiloEntity[]){ c[1], c[4] }, 2);
    assert_children(world, c[1], &c[0], 1);
    assert_false(filo_has(world, c[3], FiloFamily)); // removed with the last relation
    filo_world_destroy(world);
}

FILO_TEST(destroying_a_root_destroys_descendants_of_any_depth_and_width) {
    FiloWorld *world = new_world();
    FiloEntity root = filo_entity_create(world), at = root;
    for (int i = 0; i < 50000; i++) {
        FiloEntity child = filo_create(world, FILO_SET(Health, i));
        assert_true(filo_entity_set_parent(world, child, root)); // wide
    }
    for (int i = 0; i < 2000; i++) {
        FiloEntity child = filo_create(world, FILO_SET(Health, i));
        assert_true(filo_entity_set_parent(world, child, at)); // and deep
        at = child;
    }
    FiloEntity other = filo_entity_create(world);
    FiloEntity deep = filo_entity_copy(world, filo_entity_parent(world, at));
    assert_int_equal(filo_entity_child_count(world, deep), 1);
    filo_entity_destroy(world, deep);
    filo_entity_destroy(world, root);
    assert_int_equal(filo_world_stats(world).entities, 1);
    assert_true(filo_entity_exists(world, other));
    filo_world_destroy(world);
}

#define LINKS 100000

// Each entity is a child of the one before. Returns the last.
static FiloEntity build_chain(FiloWorld *world, FiloEntity root) {
    FiloEntity at = root;
    for (int i = 1; i < LINKS; i++) {
        FiloEntity child = filo_entity_create(world);
        assert_true(filo_entity_set_parent(world, child, at));
        at = child;
    }
    return at;
}

// This would take hours if each step visited all ancestors.
FILO_TEST(a_chain_of_a_hundred_thousand_is_built_and_destroyed) {
    FiloWorld *world = new_world();
    FiloEntity root = filo_entity_create(world), last = build_chain(world, root);
    assert_int_equal(filo_world_stats(world).entities, LINKS);
    size_t depth = 0;
    for (FiloEntity at = last; at.id != 0; at = filo_entity_parent(world, at)) depth++;
    assert_int_equal(depth, LINKS);
    expect_fault("would be its own ancestor", assert_false(filo_entity_set_parent(world, root, last)));
    expect_fault("would be its own ancestor", assert_false(filo_entity_set_parent(world, last, last)));
    FiloEntity copy = filo_entity_copy(world, root);
    assert_int_equal(filo_world_stats(world).entities, 2 * LINKS);
    filo_entity_destroy(world, copy);
    filo_entity_destroy(world, root);
    assert_int_equal(filo_world_stats(world).entities, 0);
    filo_world_destroy(world);
}

FILO_TEST(a_chain_of_a_hundred_thousand_is_built_by_a_change_set_and_destroyed) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity root = filo_changes_create_entity(changes), at = root;
    for (int i = 1; i < LINKS; i++) {
        FiloEntity child = filo_changes_create_entity(changes);
        assert_true(filo_changes_set_parent(changes, child, at));
        at = child;
    }
    assert_true(filo_changes_apply(changes));
    root = filo_changes_resolved(changes, root);
    at = filo_changes_resolved(changes, at);
    assert_int_equal(filo_world_stats(world).entities, LINKS);
    filo_changes_set_parent(changes, root, at); // a cycle: dropped
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_entity_parent(world, root).id, 0);
    filo_changes_destroy_entity(changes, root);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, 0);
    destroy_with_changes(world, changes);
}

FILO_TEST(a_chain_of_a_hundred_thousand_can_be_a_prefab) {
    FiloWorld *world = new_world();
    FiloEntity root = filo_entity_create(world), last = build_chain(world, root);
    assert_true(filo_prefab_make(world, root));
    assert_false(filo_entity_active(world, last));
    FiloEntity copy = filo_instance(world, root);
    assert_int_equal(filo_world_stats(world).entities, 2 * LINKS);
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity other = filo_instance(changes, root);
    assert_true(filo_changes_apply(changes));
    other = filo_changes_resolved(changes, other);
    assert_int_equal(filo_world_stats(world).entities, 3 * LINKS);
    filo_entity_destroy(world, copy);
    filo_changes_destroy_entity(changes, other);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_world_stats(world).entities, LINKS);
    destroy_with_changes(world, changes);
}

// Each parent is read back before the next is recorded.
FILO_TEST(a_chain_of_a_hundred_thousand_in_a_change_set_can_be_read_back) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    FiloEntity root = filo_changes_create_entity(changes), at = root, top = root;
    for (int i = 1; i < LINKS; i++) { // alternately at the lower and the upper end
        FiloEntity link = filo_changes_create_entity(changes);
        if (i % 2 == 0) {
            assert_true(filo_changes_set_parent(changes, link, at));
            assert_same_entity(filo_changes_parent(changes, link), at);
            at = link;
        } else {
            assert_true(filo_changes_set_parent(changes, top, link));
            assert_same_entity(filo_changes_parent(changes, top), link);
            top = link;
        }
    }
    assert_true(filo_changes_set_parent(changes, top, at)); // a cycle, which is dropped
    assert_int_equal(filo_changes_parent(changes, top).id, 0);
    assert_true(filo_changes_set_parent(changes, at, at));
    assert_true(filo_changes_parent(changes, at).id != at.id);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_entity_parent(world, filo_changes_resolved(changes, top)).id, 0);
    assert_int_equal(filo_world_stats(world).entities, LINKS);
    destroy_with_changes(world, changes);
}

// The entities are in the world, and some have children there.
FILO_TEST(reading_back_finds_cycles_through_the_world_and_the_change_set) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world), c = filo_entity_create(world);
    assert_true(filo_entity_set_parent(world, b, a));
    FiloChanges *changes = filo_changes_create(world);
    filo_changes_set_parent(changes, c, b);
    filo_changes_set_parent(changes, a, c); // a → c → b → a
    assert_int_equal(filo_changes_parent(changes, a).id, 0);
    assert_same_entity(filo_changes_parent(changes, c), b);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_entity_parent(world, a).id, 0);
    assert_same_entity(filo_entity_parent(world, c), b);
    destroy_with_changes(world, changes);
}

FILO_TEST(a_name_is_unique_and_free_again_after_its_entity_is_destroyed) {
    FiloWorld *world = new_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    assert_true(filo_entity_set_name(world, a, "door"));
    assert_true(filo_entity_set_name(world, a, "door"));
    assert_false(filo_entity_set_name(world, b, "door"));
    assert_null(filo_entity_name(world, b));
    assert_same_entity(filo_world_find(world, "door"), a);
    assert_true(filo_entity_set_name(world, a, "gate"));
    assert_int_equal(filo_world_find(world, "door").id, 0);
    assert_true(filo_entity_set_name(world, b, "door"));
    assert_string_equal(filo_entity_name(world, b), "door");
    filo_entity_destroy(world, a);
    assert_int_equal(filo_world_find(world, "gate").id, 0);
    assert_true(filo_entity_set_name(world, b, ""));
    assert_int_equal(filo_world_find(world, "door").id, 0);
    assert_int_equal(filo_world_find(world, NULL).id, 0);
    assert_int_equal(filo_world_find(world, "never heard of").id, 0);
    filo_world_destroy(world);
}

FILO_TEST(a_change_set_gives_a_name_after_its_previous_entity_is_destroyed) {
    FiloWorld *world = new_world();
    FiloChanges *changes = filo_changes_create(world);
    for (int destroyed_first = 0; destroyed_first < 2; destroyed_first++) {
        FiloEntity old = filo_entity_create(world), heir = filo_entity_create(world);
        assert_true(filo_entity_set_name(world, old, "boss"));
        if (destroyed_first) filo_changes_destroy_entity(changes, old);
        filo_changes_set_name(changes, heir, "boss");
        if (!destroyed_first) filo_changes_destroy_entity(changes, old);
        assert_true(filo_changes_apply(changes));
        assert_same_entity(filo_world_find(world, "boss"), heir);
        assert_true(filo_entity_set_name(world, heir, NULL));
    }
    // Among living entities names change in the order of records: only the first is free in time.
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    assert_true(filo_entity_set_name(world, a, "boss"));
    filo_changes_set_name(changes, a, "old");
    filo_changes_set_name(changes, b, "boss");
    assert_true(filo_changes_apply(changes));
    assert_same_entity(filo_world_find(world, "boss"), b);
    filo_changes_set_name(changes, a, "boss");
    filo_changes_set_name(changes, b, "new");
    assert_true(filo_changes_apply(changes));
    assert_string_equal(filo_entity_name(world, a), "old");
    assert_string_equal(filo_entity_name(world, b), "new");
    destroy_with_changes(world, changes);
}

FILO_TEST(a_copy_has_all_components_except_name_and_parent) {
    FiloWorld *world = new_world();
    FiloEntity outside = filo_entity_create(world), parent = filo_entity_create(world);
    FiloEntity root = filo_create(world, FILO_SET(Health, 5), FILO_ADD(Chosen), FILO_ADD(Target));
    FiloEntity part = filo_create(world, FILO_SET(Target, root)),
               other = filo_create(world, FILO_SET(Target, outside));
    filo_entity_set_parent(world, root, parent);
    filo_entity_set_parent(world, part, root);
    filo_entity_set_parent(world, other, root);
    assert_true(filo_set(world, root, Target, other));
    assert_true(filo_entity_set_name(world, root, "original"));
    filo_entity_set_active(world, other, false);
    FiloEntity copy = filo_entity_copy(world, root);
    assert_null(filo_entity_name(world, copy));
    assert_int_equal(filo_entity_parent(world, copy).id, 0);
    assert_int_equal(filo_get(world, copy, Health)->points, 5);
    assert_true(filo_has(world, copy, Chosen));
    FiloEntity its_part = filo_entity_first_child(world, copy),
               its_other = filo_entity_next_sibling(world, its_part);
    assert_same_entity(filo_get(world, its_part, Target)->entity, copy);
    assert_same_entity(filo_get(world, its_other, Target)->entity, outside);
    assert_same_entity(filo_get(world, copy, Target)->entity, its_other);
    assert_false(filo_entity_active(world, its_other));
    assert_same_entity(filo_get(world, root, Target)->entity, other); // the original is unchanged
    filo_world_destroy(world);
}

FILO_TEST(an_instance_needs_no_overrides) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 5), FILO_SET(Position, 1, 2));
    assert_true(filo_prefab_make(world, prefab));
    FiloEntity plain = filo_instance(world, prefab); // without overrides
    FiloEntity other = filo_instance(world, prefab, FILO_SET(Health, 7));
    FiloEntity third = filo_instance(world, prefab, FILO_SET(Position, 3, 4), FILO_ADD(Chosen));
    assert_int_equal(filo_get(world, plain, Health)->points, 5);
    assert_false(filo_has(world, plain, Chosen));
    assert_int_equal(filo_get(world, other, Health)->points, 7);
    assert_true(filo_get(world, other, Position)->y == 2.0f);
    assert_int_equal(filo_get(world, third, Health)->points, 5);
    assert_true(filo_get(world, third, Position)->x == 3.0f);
    assert_true(filo_has(world, third, Chosen));
    filo_world_destroy(world);
}

FILO_TEST(thousands_of_instances_are_created_in_one_call) {
    FiloWorld *world = new_world();
    FiloEntity prefab = filo_create(world, FILO_SET(Health, 5), FILO_SET(Position, 1, 1));
    FiloEntity part = filo_create(world, FILO_SET(Target, prefab));
    filo_entity_set_parent(world, part, prefab);
    assert_true(filo_prefab_make(world, prefab));
    assert_false(filo_entity_active(world, part));
    FiloEntity parent = filo_entity_create(world), *ids = malloc(3000 * sizeof *ids);
    const FiloComponentValue with[] = { FILO_SET(Health, 9), FILO_ADD(Chosen) };
    assert_true(filo_prefab_instantiate(
        world, prefab,
        &(FiloInstanceDesc){
            .count = 3000, .parent = parent, .values = with, .value_count = 2, .entities = ids }));
    assert_int_equal(filo_world_stats(world).entities, 3 + 6000);
    assert_children(world, parent, ids, 3000);
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(filo_get(world, ids[i], Health)->points, 9);
        assert_true(filo_get(world, ids[i], Position)->x == 1.0f);
        assert_true(filo_has(world, ids[i], Chosen));
        assert_false(filo_has(world, ids[i], FiloPrefab));
        FiloEntity child = filo_entity_first_child(world, ids[i]);
        assert_same_entity(filo_get(world, child, Target)->entity, ids[i]);
        assert_false(filo_has(world, child, Health)); // overrides apply to the root only
        assert_true(filo_entity_active(world, ids[i]) && filo_entity_active(world, child));
    }
    FiloEntity one = filo_instance(world, prefab, FILO_SET(Position, 3, 4));
    assert_true(filo_get(world, one, Position)->y == 4.0f);
    FiloEntity derived = filo_prefab_derive(world, prefab, with, 1);
    assert_same_entity(filo_get(world, derived, FiloPrefab)->base, prefab);
    assert_false(filo_entity_active(world, derived));
    assert_int_equal(filo_get(world, derived, Health)->points, 9);
    free(ids);
    filo_world_destroy(world);
}

// A tank with a turret, which has a gun; or an instance of it.
typedef struct Tank {
    FiloEntity root, turret, gun;
} Tank;

static Tank tank_of(const FiloWorld *world, FiloEntity root) {
    FiloEntity turret = filo_entity_first_child(world, root);
    return (Tank){ root, turret, filo_entity_first_child(world, turret) };
}

static Tank make_tank(FiloWorld *world) {
    FiloEntity root = filo_create(world, FILO_SET(Health, 5)),
               turret = filo_create(world, FILO_SET(Health, 3));
    FiloEntity gun = filo_create(world, FILO_SET(Target, root));
    filo_entity_set_parent(world, turret, root);
    filo_entity_set_parent(world, gun, turret);
    assert_true(filo_prefab_make(world, root));
    return tank_of(world, root);
}

static FiloEntity target_of(const FiloWorld *world, FiloEntity entity) {
    return filo_get(world, entity, Target)->entity;
}

FILO_TEST(overrides_that_refer_to_the_prefab_refer_to_the_instance) {
    FiloWorld *world = new_world();
    Tank prefab = make_tank(world);
    FiloEntity outside = filo_entity_create(world), ids[50];
    Tank one = tank_of(world, filo_instance(world, prefab.root, FILO_SET(Target, prefab.gun)));
    assert_same_entity(target_of(world, one.root), one.gun);
    assert_same_entity(target_of(world, one.gun), one.root);
    one.root = filo_instance(world, prefab.root, FILO_SET(Target, outside));
    assert_same_entity(target_of(world, one.root), outside);
    for (int self = 0; self < 2; self++) {
        const FiloComponentValue with[] = { FILO_SET(Target, self ? prefab.root : prefab.turret),
                                            FILO_ADD(Chosen) };
        assert_true(filo_prefab_instantiate(
            world, prefab.root,
            &(FiloInstanceDesc){ .count = 50, .values = with, .value_count = 2, .entities = ids }));
        for (int i = 0; i < 50; i++) {
            Tank tank = tank_of(world, ids[i]);
            assert_same_entity(target_of(world, tank.root), self ? tank.root : tank.turret);
            assert_same_entity(target_of(world, tank.gun), tank.root);
            assert_true(filo_has(world, tank.root, Chosen) && filo_entity_active(world, tank.gun));
            assert_int_equal(filo_get(world, tank.turret, Health)->points, 3);
        }
    }
    assert_false(filo_has(world, prefab.root, Target)); // the prefab is unchanged
    filo_world_destroy(world);
}

FILO_TEST(references_to_parts_of_the_base_are_remapped_to_derived_prefabs_and_instances) {
    FiloWorld *world = new_world();
    Tank base = make_tank(world);
    const FiloComponentValue with[] = { FILO_SET(Target, base.turret) };
    Tank derived = tank_of(world, filo_prefab_derive(world, base.root, with, 1));
    assert_same_entity(target_of(world, derived.root), derived.turret);
    Tank instance = tank_of(world, filo_instance(world, derived.root, FILO_ADD(Chosen)));
    assert_same_entity(target_of(world, instance.root), instance.turret);
    // Also for the base of the base, and with so many ids that they are not searched linearly.
    Tank last = tank_of(world, filo_prefab_derive(world, derived.root, NULL, 0));
    for (int more = 0; more < 2; more++) {
        instance = tank_of(world, filo_instance(world, last.root, FILO_SET(Target, base.gun)));
        assert_same_entity(target_of(world, instance.root), instance.gun);
        instance = tank_of(world, filo_instance(world, last.root, FILO_SET(Target, derived.gun)));
        assert_same_entity(target_of(world, instance.root), instance.gun);
        assert_same_entity(target_of(world, instance.gun), instance.root);
        for (int i = 0; i < 30; i++) filo_entity_set_parent(world, filo_entity_create(world), last.root);
    }
    filo_entity_destroy(world, base.root);
    instance = tank_of(world, filo_instance(world, derived.root, FILO_SET(Target, base.gun)));
    assert_same_entity(target_of(world, instance.root), base.gun); // destroyed, so it is not remapped
    filo_world_destroy(world);
}
