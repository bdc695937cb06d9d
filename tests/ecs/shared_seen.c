// Changes since a FiloSeen that several systems share, and changes of components outside of tables.

#include <filo/snapshot.h>

#include "ecs/system_fixture.h"

// Two systems of a tick that share a FiloSeen, and what each of them found.
typedef struct Watch {
    FiloSeen seen;
    size_t rows[2];
    bool families[2];
    FiloComponent family;
} Watch;

static void read_changes(FiloIter *it, int number) {
    Watch *watch = it->user;
    watch->rows[number] = 0;
    watch->families[number] = filo_component_changed(it->world, watch->family, watch->seen);
    FiloIter rows = filo_iter_over_since(it, it->query, watch->seen);
    while (filo_iter_next(&rows)) {
        watch->rows[number] += rows.count;
        assert_int_equal(filo_iter_indices(&rows)[0], filo_entity_index(filo_iter_entity(&rows, 0)));
    }
    watch->seen = filo_iter_seen(it);
}

static void read_first(FiloIter *it) { read_changes(it, 0); }
static void read_last(FiloIter *it) { read_changes(it, 1); }

static void move(FiloIter *it) {
    Position *positions = filo_write(it, Position);
    for (size_t i = 0; i < it->count; i++) positions[i].x += 1;
}

static void add_watch(Fixture *fixture, Watch *watch) {
    watch->family = filo_component_of(fixture->world, FILO_TYPE(FiloFamily));
    FiloSystemDesc desc = { .name = "first",
                            .run = read_first,
                            .once = true,
                            .phase = FILO_PHASE_BEFORE,
                            .query.terms = { FILO_READ_CHANGED(Position) },
                            .user = watch };
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
    desc.name = "last";
    desc.run = read_last;
    desc.phase = FILO_PHASE_AFTER;
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
}

FILO_TEST(systems_that_share_a_version_find_each_change_once) {
    Fixture fixture = fixture_open(0);
    Watch watch = { 0 };
    add_watch(&fixture, &watch);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2));
    filo_create(fixture.world, FILO_SET(Position, 1, 2), FILO_ADD(Velocity));
    tick(&fixture);
    assert_int_equal(watch.rows[0], 2); // everything, the first time
    assert_int_equal(watch.rows[1], 0);
    tick(&fixture);
    assert_int_equal(watch.rows[0] + watch.rows[1], 0);
    filo_edit(fixture.world, entity, Position)->x = 5; // between ticks: found by the first one
    tick(&fixture);
    assert_int_equal(watch.rows[0], 1);
    assert_int_equal(watch.rows[1], 0);
    FiloSystemDesc desc = { .name = "move",
                            .run = move,
                            .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) } };
    FiloSystemId system = filo_system_add(fixture.world, &desc);
    tick(&fixture); // between both: found by the last one
    assert_int_equal(watch.rows[0], 0);
    assert_int_equal(watch.rows[1], 1);
    filo_system_remove(fixture.world, system);
    tick(&fixture);
    assert_int_equal(watch.rows[0] + watch.rows[1], 0);
    fixture_close(&fixture);
}

FILO_TEST(components_outside_of_tables_report_changes_as_a_whole) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    Watch watch = { 0 };
    add_watch(&fixture, &watch);
    FiloEntity parent = filo_entity_create(world), child = filo_entity_create(world);
    tick(&fixture);
    assert_true(watch.families[0]); // nothing was seen before
    assert_false(watch.families[1]);
    assert_true(filo_entity_set_parent(world, child, parent));
    assert_true(filo_component_changed(world, watch.family, watch.seen));
    tick(&fixture);
    assert_true(watch.families[0]);
    filo_create(world, FILO_SET(Position, 1, 2)); // not a family
    tick(&fixture);
    assert_false(watch.families[0] || watch.families[1]);
    assert_true(filo_entity_set_parent(world, child, FILO_ENTITY_NONE)); // removes the last family
    tick(&fixture);
    assert_true(watch.families[0]);
    FiloComponent score = filo_component_of(world, FILO_TYPE(Score));
    assert_false(filo_component_changed(world, score, watch.seen));
    filo_edit_global(world, Score)->points = 3;
    assert_true(filo_component_changed(world, score, watch.seen));
    fixture_close(&fixture);
}

FILO_TEST(everything_counts_as_changed_after_a_restore) {
    Fixture fixture = fixture_open(0);
    Watch watch = { 0 };
    add_watch(&fixture, &watch);
    filo_create(fixture.world, FILO_SET(Position, 1, 2));
    for (int i = 0; i < 3; i++) tick(&fixture);
    FiloSnapshot *snapshot = take_snapshot(fixture.world);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_true(filo_component_changed(fixture.world, watch.family, watch.seen));
    tick(&fixture);
    assert_int_equal(watch.rows[0], 1);
    assert_true(watch.families[0]);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(misuse_of_versions_is_refused) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    filo_create(world, FILO_SET(Position, 1, 2));
    expect_fault("is stored in tables: iterate over a query that asks for changes",
                 assert_false(filo_component_changed(world, filo_component_of(world, FILO_TYPE(Position)),
                                                     (FiloSeen){ 0 })));
    expect_fault("not registered",
                 assert_false(filo_component_changed(world, (FiloComponent){ 0 }, (FiloSeen){ 0 })));
    FiloQuery *query = filo_query(world, FILO_READ(Position));
    FiloIter it = filo_query_iter(query);
    FiloIter none;
    expect_fault("this is for systems", none = filo_iter_over_since(&it, query, (FiloSeen){ 0 }));
    assert_false(filo_iter_next(&none));
    expect_fault("this is for systems", assert_int_equal(filo_iter_seen(&it).version, 0));
    filo_iter_end(&it);
    filo_query_release(query);
    fixture_close(&fixture);
}
