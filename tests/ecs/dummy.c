// What a program uses without a test can be used after a mistake: it is memory that nothing reads.

#include "ecs/world_types.h"

#include <filo/accessor.h>
#include <filo/query.h>

typedef struct Album { // larger than most components
    int32_t pictures[1000];
} Album;
FILO_REFLECT(Album, FILO_FIELD(int32_t, pictures))

typedef struct Setup {
    FiloWorld *world;
    FiloEntity valid, stale;
    uint64_t hash;
} Setup;

static Setup set_up(void) {
    Setup setup = { .world = new_world() };
    filo_component(setup.world, Album, .default_value = &(Album){ .pictures = { 7 } });
    setup.stale = filo_create(setup.world, FILO_SET(Health, 1));
    filo_entity_destroy(setup.world, setup.stale);
    setup.valid = filo_create(setup.world, FILO_SET(Health, 5));
    setup.hash = filo_world_hash(setup.world);
    return setup;
}

// The world is as it was.
static void tear_down(Setup *setup) {
    assert_true(filo_world_hash(setup->world) == setup->hash);
    filo_world_destroy(setup->world);
}

FILO_TEST(edits_of_what_does_not_exist_reach_nothing) {
    Setup s = set_up();
    FiloEntity bad[] = { s.stale, FILO_ENTITY_NONE, { UINT64_C(1) << 32 | 1000 } };
    for (size_t i = 0; i < FILO_COUNT_OF(bad); i++) {
        expect_fault("cannot edit a component", filo_edit(s.world, bad[i], Health)->points += 10);
        expect_fault("cannot edit a component", {
            Health *health = filo_edit(s.world, bad[i], Health);
            assert_int_equal(health->points, 0); // not what was written before
        });
        expect_fault("cannot add a component", {
            Velocity *velocity = filo_add(s.world, bad[i], Velocity);
            velocity->x = 3;
        });
    }
    expect_fault("has no Velocity", filo_edit(s.world, s.valid, Velocity)->x = 3);
    tear_down(&s);
}

FILO_TEST(the_memory_has_the_default_value_and_the_size_of_the_type) {
    Setup s = set_up();
    for (int i = 0; i < 2; i++)
        expect_fault("cannot edit a component", {
            Album *album = filo_edit(s.world, s.stale, Album);
            assert_int_equal(album->pictures[0], 7);
            for (int k = 0; k < 1000; k++) album->pictures[k] = k + 1;
        });
    tear_down(&s);
}

FILO_TEST(types_that_are_not_registered_can_be_written_too) {
    Setup s = set_up();
    expect_faults(2, "component Stranger is not registered", filo_edit(s.world, s.valid, Stranger)->number++);
    expect_fault("component Stranger is not registered", {
        Stranger *stranger = filo_add(s.world, s.valid, Stranger);
        stranger->number++;
    });
    expect_fault("component Stranger is not registered", filo_edit_global(s.world, Stranger)->number++);
    expect_fault("component Stranger is not registered",
                 assert_int_equal(filo_get_global(s.world, Stranger)->number, 0));
    expect_fault("component Health is not global", filo_edit_global(s.world, Health)->points++);
    expect_faults(2, "pass a world", {
        filo_edit((FiloWorld *)NULL, s.valid, Health)->points++;
        filo_edit_global((FiloWorld *)NULL, Score)->points++;
    });
    tear_down(&s);
}

FILO_TEST(values_without_a_term_can_be_used) {
    Setup s = set_up();
    FiloQuery *query = filo_query(s.world, FILO_READ(Health));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_fault("no term for Score", filo_write_global(&it, Score)->points++);
    expect_fault("no term for Score", assert_int_equal(filo_read_global(&it, Score)->points, 0));
    expect_fault("no term for Score", assert_int_equal(filo_read(&it, Score)->points, 0));
    expect_fault("no term for Position", assert_null(filo_read(&it, Position))); // and there are no rows
    assert_int_equal(it.count, 0);
    filo_iter_end(&it);
    FiloEach each = filo_query_each(query);
    assert_true(filo_each_next(&each));
    expect_fault("no term for Position", filo_each_write(&each, Position)->x++);
    expect_fault("no term for Position", assert_true(filo_each_read_parent(&each, Position)->x == 0));
    filo_each_end(&each);
    filo_query_release(query);
    tear_down(&s);
}

FILO_TEST(functions_that_may_return_null_still_do) {
    Setup s = set_up();
    FiloAccessor health = filo_accessor(s.world, Health);
    assert_null(filo_try_edit(s.world, s.valid, Velocity));
    assert_null(filo_get(s.world, s.stale, Health));
    assert_null(filo_access_edit(&health, s.stale, Health));
    assert_null(filo_add(s.world, s.valid, Frozen)); // a tag
    assert_true(filo_remove(s.world, s.valid, Frozen));
    tear_down(&s);
}
