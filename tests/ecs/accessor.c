// Accessors find the same values as filo_get, in every storage and after any change of the world.

#include "ecs/schedule_access.h"
#include "ecs/storages.h"
#include "ecs/system_fixture.h"

#include <filo/accessor.h>
#include <filo/random.h>
#include <filo/snapshot.h>

// Entities in several tables, some of them without the component, some inactive.
static void populate(FiloWorld *world, FiloEntity *entities, int first, int end) {
    for (int i = first; i < end; i++) {
        entities[i] = filo_create(world, FILO_SET(Position, (float)i, 0));
        if (i % 2 == 0) filo_add(world, entities[i], Frozen);
        if (i % 5 == 0) filo_add(world, entities[i], Velocity);
        if (i % 3 != 0) filo_set(world, entities[i], Health, i);
        if (i % 7 == 0) filo_entity_set_active(world, entities[i], false);
    }
}

static void expect_same_as_get(const FiloWorld *world, const FiloAccessor *health, const FiloEntity *entities,
                               int count) {
    FiloRandom random = filo_random_sequence(3);
    for (int n = 0; n < 3 * count; n++) {
        FiloEntity entity = entities[filo_random_u64(&random) % (uint64_t)count];
        const void *expected = filo_get(world, entity, Health);
        assert_ptr_equal(filo_access(health, entity, Health), expected);
        assert_ptr_equal(filo_accessor_get(health, entity), expected);
    }
}

// ---- Reading --------------------------------------------------------------------------------------------

FILO_TEST(an_accessor_finds_what_get_finds_for_every_storage) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloAccessor health = filo_accessor(world, Health); // created before the entities
        static FiloEntity entities[3000];
        assert_null(filo_access(&health, FILO_ENTITY_NONE, Health));
        populate(world, entities, 0, 500);
        expect_same_as_get(world, &health, entities, 500);
        int found = 0;
        for (int i = 0; i < 500; i++) {
            const Health *own = filo_access(&health, entities[i], Health);
            assert_int_equal(own != NULL, i % 3 != 0);
            if (own != NULL) assert_int_equal(own->points, i);
            found += own != NULL;
        }
        assert_int_equal(found, 333);
        populate(world, entities, 500, 3000); // tables have grown, so cached addresses are invalid
        expect_same_as_get(world, &health, entities, 3000);
        filo_world_destroy(world);
    }
}

FILO_TEST(an_accessor_rejects_destroyed_entities) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloAccessor health = filo_accessor(world, Health);
        FiloEntity entities[100];
        populate(world, entities, 0, 100);
        for (int i = 0; i < 100; i++) (void)filo_access(&health, entities[i], Health);
        for (int i = 0; i < 100; i += 2) filo_entity_destroy(world, entities[i]);
        for (int i = 0; i < 100; i += 2) assert_null(filo_access(&health, entities[i], Health));
        FiloEntity again = filo_create(world, FILO_SET(Health, 5)); // the index is reused
        assert_int_equal(filo_entity_index(again), filo_entity_index(entities[0]));
        assert_null(filo_access(&health, entities[0], Health));
        assert_null(filo_access_edit(&health, entities[0], Health));
        assert_int_equal(filo_access(&health, again, Health)->points, 5);
        expect_same_as_get(world, &health, entities, 100);
        FiloEntity beyond = { UINT64_C(1) << 32 | 1000000 }, temporary = { UINT64_C(1) << 63 | 1 };
        assert_null(filo_access(&health, beyond, Health));
        assert_null(filo_access(&health, temporary, Health));
        assert_ok(filo_world_reset(world, 0));
        assert_null(filo_access(&health, again, Health));
        filo_world_destroy(world);
    }
}

static int copies;
static void count_copy(void *to, const void *from, void *user) {
    FILO_UNUSED(user);
    memcpy(to, from, sizeof(Health));
    copies++;
}

FILO_TEST(an_accessor_stays_valid_after_a_snapshot_is_restored) {
    for (int hooks = 0; hooks < 2; hooks++) {
        for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
            FiloWorld *world = create_world();
            filo_component(world, Position);
            filo_component(world, Velocity);
            filo_component(world, Frozen);
            // With hooks, a restore replaces the holder of the values.
            filo_component(world, Health, STORED_IN(storages[s]),
                           .hooks.copy = hooks == 1 ? count_copy : NULL);
            static FiloEntity entities[1000];
            populate(world, entities, 0, 500);
            FiloSnapshot *snapshot = take_snapshot(world);
            FiloAccessor health = filo_accessor(world, Health);
            expect_same_as_get(world, &health, entities, 500);
            populate(world, entities, 500, 1000);
            for (int i = 0; i < 1000; i += 3) filo_entity_destroy(world, entities[i]);
            expect_same_as_get(world, &health, entities, 1000);
            assert_ok(filo_snapshot_restore(snapshot, world));
            expect_same_as_get(world, &health, entities, 1000);
            assert_int_equal(filo_access(&health, entities[1], Health)->points, 1);
            destroy_with_snapshot(world, snapshot);
        }
    }
    assert_true(copies > 0);
}

FILO_TEST(an_accessor_of_a_tag_finds_the_entities_that_have_it) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity entities[100];
    populate(world, entities, 0, 100);
    for (int i = 0; i < 100; i += 4) filo_add(world, entities[i], Chosen);
    FiloAccessor frozen = filo_accessor(world, Frozen), chosen = filo_accessor(world, Chosen);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(filo_access(&frozen, entities[i], Frozen) != NULL, i % 2 == 0);
        assert_int_equal(filo_access(&chosen, entities[i], Chosen) != NULL, i % 4 == 0);
    }
    filo_world_destroy(world);
}

FILO_TEST(an_accessor_reads_components_that_only_the_world_writes) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity parent = filo_entity_create(world), child = filo_entity_create(world);
    filo_entity_set_parent(world, child, parent);
    FiloAccessor family = filo_accessor(world, FiloFamily);
    assert_int_equal(filo_access(&family, child, FiloFamily)->parent.id, parent.id);
    expect_fault("cannot edit a component: the world manages component FiloFamily",
                 assert_null(filo_access_edit(&family, child, FiloFamily)));
    filo_world_destroy(world);
}

// ---- Editing --------------------------------------------------------------------------------------------

FILO_TEST(editing_by_an_accessor_marks_the_component_as_changed) {
    for (size_t s = 0; s < FILO_COUNT_OF(storages); s++) {
        FiloWorld *world = world_with_health_in(storages[s]);
        FiloEntity entities[100];
        populate(world, entities, 0, 100);
        FiloAccessor health = filo_accessor(world, Health);
        FiloQuery *query = filo_query(world, FILO_READ(Position), FILO_READ(Health));
        FiloSeen seen = { 0 };
        for (int step = 0; step < 4; step++) {
            if (step == 2) assert_int_equal(filo_access(&health, entities[1], Health)->points, 1);
            if (step == 3) filo_access_edit(&health, entities[1], Health)->points = 77;
            bool changed = false, others = false;
            FiloIter it = filo_query_iter_since(query, &seen);
            while (filo_iter_next(&it)) {
                changed = changed || filo_changed(&it, Health);
                others = others || filo_changed(&it, Position);
            }
            assert_int_equal(changed, step == 0 || step == 3);
            assert_int_equal(others, step == 0);
        }
        assert_int_equal(filo_get(world, entities[1], Health)->points, 77);
        assert_null(filo_access_edit(&health, entities[0], Health)); // has no Health
        assert_null(filo_accessor_edit(&health, FILO_ENTITY_NONE));
        assert_ptr_equal(filo_accessor_edit(&health, entities[1]), filo_get(world, entities[1], Health));
        destroy_with_query(world, query);
    }
}

// ---- In systems -----------------------------------------------------------------------------------------

typedef struct Chase {
    FiloAccessor position, health, owner;
} Chase;

// Follows references over two steps, from all threads with the same accessors.
static void chase(FiloIter *it) {
    const Chase *chase = it->user;
    const Target *owner = filo_read(it, Target);
    Velocity *velocity = filo_write(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        const Position *aim = filo_accessor_get(&chase->position, owner[i].entity); // inline in every build
        const Health *health = filo_access(&chase->health, owner[i].entity, Health);
        const Target *next = filo_access(&chase->owner, owner[i].entity, Target);
        const Position *behind = next != NULL ? filo_access(&chase->position, next->entity, Position) : NULL;
        if (aim != NULL) velocity[i].x += aim->x;
        if (behind != NULL) velocity[i].y += behind->x;
        if (health != NULL) velocity[i].y += (float)health->points;
    }
}

static uint64_t hash_after_ticks(int threads) {
    Fixture fixture = fixture_open(threads);
    divide_eagerly(fixture.world, threads > 0);
    static FiloEntity entities[4000];
    for (int i = 0; i < 4000; i++) {
        entities[i] =
            filo_create(fixture.world, FILO_SET(Position, (float)i, 0), FILO_ADD(Velocity), FILO_ADD(Target));
        if (i % 2 == 0) filo_add(fixture.world, entities[i], Frozen); // two tables
        if (i % 3 == 0) filo_set(fixture.world, entities[i], Health, i);
    }
    for (int i = 0; i < 4000; i++)
        filo_edit(fixture.world, entities[i], Target)->entity = entities[i * 1237 % 4000];
    for (int i = 0; i < 4000; i += 11) filo_entity_destroy(fixture.world, entities[i]);
    Chase own = { filo_accessor(fixture.world, Position), filo_accessor(fixture.world, Health),
                  filo_accessor(fixture.world, Target) };
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "chase",
                                       .run = chase,
                                       .user = &own,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(Target), FILO_WRITE(Velocity) },
                                       .extra_access = { FILO_READ(Position), FILO_READ(Health) } });
    for (int i = 0; i < 4; i++) tick(&fixture);
    uint64_t hash = filo_world_hash(fixture.world);
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(threads_that_share_an_accessor_find_the_same) {
    uint64_t alone = hash_after_ticks(0);
    for (int threads = 1; threads <= 16; threads *= 2) assert_int_equal(hash_after_ticks(threads), alone);
}

typedef struct Undeclared {
    FiloAccessor velocity;
    FiloEntity entity;
    bool edit;
} Undeclared;

static void access_undeclared(FiloIter *it) {
    Undeclared *undeclared = it->user;
    if (undeclared->edit)
        assert_null(filo_access_edit(&undeclared->velocity, undeclared->entity, Velocity));
    else
        assert_null(filo_access(&undeclared->velocity, undeclared->entity, Velocity));
}

FILO_TEST(an_accessor_in_a_system_requires_declared_access) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    Undeclared undeclared = { filo_accessor(fixture.world, Velocity),
                              filo_create(fixture.world, FILO_SET(Velocity, 1, 0)), false };
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "undeclared", .run = access_undeclared, .user = &undeclared });
    expect_fault("system \"undeclared\" reads Velocity, which it did not declare", tick(&fixture));
    undeclared.edit = true;
    expect_fault("system \"undeclared\" writes Velocity, which it did not declare", tick(&fixture));
    fixture_close(&fixture);
}

// ---- Mistakes -------------------------------------------------------------------------------------------

FILO_TEST(an_accessor_of_an_unregistered_or_global_component_finds_nothing) {
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 0));
    FiloAccessor accessor;
    expect_fault(
        "component Stranger is not registered in this world: call filo_component(world, Stranger) first",
        accessor = filo_accessor(world, Stranger));
#ifdef NDEBUG
    assert_null(filo_access(&accessor, entity, Stranger));
#else
    expect_fault("this accessor of Stranger is empty: make it with filo_accessor(world, Type)",
                 assert_null(filo_access(&accessor, entity, Stranger)));
#endif
    expect_fault("this accessor of Stranger is empty",
                 assert_null(filo_access_edit(&accessor, entity, Stranger)));
    expect_fault("cannot access a component: Score is global; use filo_set_global, filo_get_global or "
                 "filo_edit_global",
                 accessor = filo_accessor(world, Score));
    expect_fault("cannot access a component: 999 is not registered in this world",
                 accessor = filo_component_accessor(world, (FiloComponent){ 999 }));
    expect_fault("pass the world", accessor = filo_accessor(NULL, Position));
    expect_fault("pass the world", accessor = filo_component_accessor(NULL, (FiloComponent){ 1 }));
    filo_world_destroy(world);
}

FILO_TEST(an_accessor_is_refused_for_another_component_or_world) {
    only_in_debug_builds();
    FiloWorld *world = world_with_health_in(FILO_STORAGE_TABLE);
    FiloEntity entity = filo_create(world, FILO_SET(Position, 1, 0), FILO_SET(Velocity, 2, 0));
    FiloAccessor position = filo_accessor(world, Position);
    expect_fault("this accessor is for Position, not for Velocity",
                 assert_null(filo_access(&position, entity, Velocity)));
    expect_fault("this accessor is for Position, not for Velocity",
                 assert_null(filo_access_edit(&position, entity, Velocity)));
    filo_world_destroy(world);
    static const char destroyed[] = "the world of this accessor of Position is gone: make one for each world";
    expect_fault(destroyed, assert_null(filo_access(&position, entity, Position)));
    FiloWorld *other = world_with_health_in(FILO_STORAGE_TABLE); // perhaps at the same address
    expect_fault(destroyed, assert_null(filo_access(&position, entity, Position)));
    expect_fault("the world of this accessor of a component is gone",
                 assert_null(filo_accessor_get(&position, entity)));
    filo_world_destroy(other);
}

FILO_TEST(accessors_work_in_very_many_worlds) {
    static FiloWorld *worlds[300];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 300; i++) assert_ok(filo_world_create(&worlds[i], NULL));
        for (int i = 0; i < 300; i++) {
            filo_component(worlds[i], Health);
            FiloEntity entity = filo_create(worlds[i], FILO_SET(Health, i));
            FiloAccessor health = filo_accessor(worlds[i], Health);
            assert_int_equal(filo_access(&health, entity, Health)->points, i);
        }
        for (int i = 0; i < 300; i++) filo_world_destroy(worlds[i]);
    }
}
