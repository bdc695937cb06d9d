// Debug builds compare the accesses of a system with its declarations.

#include "ecs/schedule_access.h"
#include "ecs/system_fixture.h"

// The access that a system makes.
typedef struct Access {
    FiloEntity entity;
    void (*run)(FiloIter *it, FiloEntity entity);
} Access;

static void run_access(FiloIter *it) {
    const Access *access = it->user;
    access->run(it, access->entity);
}

static void read_position(FiloIter *it, FiloEntity entity) { (void)filo_get(it->world, entity, Position); }
static void write_position(FiloIter *it, FiloEntity entity) { (void)filo_edit(it->world, entity, Position); }
static void read_health(FiloIter *it, FiloEntity entity) { (void)filo_get(it->world, entity, Health); }
static void write_health(FiloIter *it, FiloEntity entity) { (void)filo_edit(it->world, entity, Health); }
static void read_score(FiloIter *it, FiloEntity entity) {
    (void)entity, (void)filo_get_global(it->world, Score);
}
static void write_score(FiloIter *it, FiloEntity entity) {
    (void)entity, (void)filo_edit_global(it->world, Score);
}
static void test_position(FiloIter *it, FiloEntity entity) {
    assert_true(filo_has(it->world, entity, Position));
}

// Runs a system with this access and these declarations. `message` NULL: no fault is expected.
static void tick_with_access(Fixture *fixture, const char *name, FiloSystemDesc desc, Access access,
                             const char *message) {
    desc.name = name;
    desc.run = run_access;
    desc.user = &access;
    desc.once = true;
    filo_system_add(fixture->world, &desc);
    if (message != NULL)
        expect_fault(message, tick(fixture));
    else
        tick(fixture);
}

static void expect_access(void (*run)(FiloIter *it, FiloEntity entity), FiloSystemDesc desc,
                          const char *message) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2), FILO_SET(Health, 3));
    tick_with_access(&fixture, "busy", desc, (Access){ entity, run }, message);
    fixture_close(&fixture);
}

FILO_TEST(undeclared_access_is_reported_with_the_declaration_to_add) {
    only_in_debug_builds();
    FiloSystemDesc nothing = { 0 };
    expect_access(
        read_position, nothing,
        "system \"busy\" reads Position, which it did not declare: add FILO_READ(Position) to its terms or "
        "to .extra_access");
    expect_access(write_position, nothing,
                  "system \"busy\" writes Position, which it did not declare: add FILO_WRITE(Position)");
    expect_access(read_health, nothing, "system \"busy\" reads Health");
    expect_access(write_health, nothing, "system \"busy\" writes Health");
    expect_access(read_score, nothing, "system \"busy\" reads Score");
    expect_access(write_score, nothing, "system \"busy\" writes Score");
}

FILO_TEST(read_access_does_not_permit_writing) {
    only_in_debug_builds();
    FiloSystemDesc reads = { .extra_access = { FILO_READ(Position), FILO_READ(Score), FILO_READ(Health) } };
    expect_access(read_position, reads, NULL);
    expect_access(read_health, reads, NULL);
    expect_access(read_score, reads, NULL);
    expect_access(write_position, reads, "system \"busy\" writes Position");
    expect_access(write_health, reads, "system \"busy\" writes Health");
    expect_access(write_score, reads, "system \"busy\" writes Score");
}

FILO_TEST(write_access_permits_reading) {
    FiloSystemDesc writes = { .extra_access = { FILO_WRITE(Position), FILO_WRITE(Score),
                                                FILO_WRITE(Health) } };
    expect_access(read_position, writes, NULL);
    expect_access(read_health, writes, NULL);
    expect_access(read_score, writes, NULL);
    expect_access(write_position, writes, NULL);
    expect_access(write_health, writes, NULL);
    expect_access(write_score, writes, NULL);
}

FILO_TEST(access_may_be_declared_in_every_list) {
    expect_access(write_position, (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } }, NULL);
    expect_access(write_position, (FiloSystemDesc){ .extra_queries[0].terms = { FILO_WRITE(Position) } },
                  NULL);
    expect_access(write_position, (FiloSystemDesc){ .extra_access = { FILO_WRITE(Position) } }, NULL);
}

FILO_TEST(with_and_without_terms_do_not_permit_reading) {
    only_in_debug_builds();
    FiloSystemDesc with = { .query.terms = { FILO_WITH(Position) } };
    expect_access(read_position, with, "system \"busy\" reads Position");
    expect_access(test_position, with, NULL);
}

FILO_TEST(has_needs_no_declaration) { expect_access(test_position, (FiloSystemDesc){ 0 }, NULL); }

// ---- Queries of other systems --------------------------------------------------------------------------

static FiloQuery *foreign; // writes Health, reads Position, with Target, without Frozen

static uint64_t by_nothing(const FiloIter *it, size_t row, void *user) {
    (void)it, (void)row, (void)user;
    return 0;
}

static size_t visited_rows;
static void iterate(FiloIter it) {
    visited_rows = 0;
    while (filo_iter_next(&it)) visited_rows += it.count;
}

static void iterate_foreign(FiloIter *it, FiloEntity entity) {
    (void)it, (void)entity;
    iterate(filo_query_iter(foreign));
}
static void iterate_over_foreign(FiloIter *it, FiloEntity entity) {
    (void)entity;
    iterate(filo_iter_over(it, foreign));
}
static void sort_foreign(FiloIter *it, FiloEntity entity) {
    (void)it;
    visited_rows = filo_query_sorted(foreign, by_nothing, NULL, &entity, 1);
}
static void count_foreign(FiloIter *it, FiloEntity entity) {
    (void)it, (void)entity;
    visited_rows = filo_query_count(foreign);
}

static void expect_foreign(void (*run)(FiloIter *it, FiloEntity entity), FiloSystemDesc desc,
                           const char *message) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity =
        filo_create(fixture.world, FILO_SET(Position, 1, 2), FILO_SET(Health, 3), FILO_SET(Target, { 0 }));
    foreign = filo_query(fixture.world, FILO_READ(Position), FILO_WRITE(Health), FILO_WITH(Target),
                         FILO_WITHOUT(Frozen));
    tick_with_access(&fixture, "sneaky", desc, (Access){ entity, run }, message);
    assert_int_equal(visited_rows, message == NULL);
    filo_query_release(foreign);
    fixture_close(&fixture);
}

FILO_TEST(iterating_over_an_undeclared_query_is_reported) {
    only_in_debug_builds();
    FiloSystemDesc nothing = { 0 };
    FiloSystemDesc reads = { .extra_access = { FILO_READ(Position), FILO_READ(Health) } };
    FiloSystemDesc writes = { .extra_access = { FILO_READ(Position), FILO_WRITE(Health) } };
    const char *reading =
        "system \"sneaky\" reads Position, which it did not declare: add FILO_READ(Position) "
        "to its terms or to .extra_access";
    const char *writing = "system \"sneaky\" writes Health, which it did not declare: add FILO_WRITE(Health)";
    expect_foreign(iterate_foreign, nothing, reading);
    expect_foreign(iterate_foreign, reads, writing);
    expect_foreign(iterate_foreign, writes, NULL);
    expect_foreign(iterate_over_foreign, nothing, reading);
    expect_foreign(iterate_over_foreign, reads, writing);
    expect_foreign(iterate_over_foreign, writes, NULL);
    expect_foreign(sort_foreign, nothing, reading);
    expect_foreign(sort_foreign, reads, NULL);    // keys are read
    expect_foreign(count_foreign, nothing, NULL); // entities do not change within a stage
}

static void count_changed(FiloIter *it, FiloEntity entity) {
    (void)it, (void)entity;
    FiloEntity one;
    assert_int_equal(filo_query_count(foreign), 0);
    assert_int_equal(filo_query_at(foreign, 0).id, 0);
    assert_int_equal(filo_query_entities(foreign, &one, 1), 0);
}

FILO_TEST(asking_for_changes_requires_read_access) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    Access access = { filo_create(fixture.world, FILO_SET(Position, 1, 2)), count_changed };
    foreign = filo_query(fixture.world,
                         { .type = filo_type_Position, .access = FILO_ACCESS_NONE, .changed = true });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "sneaky", .run = run_access, .user = &access, .once = true });
    expect_faults(3, "system \"sneaky\" reads Position", tick(&fixture));
    filo_query_release(foreign);
    fixture_close(&fixture);
}

// ---- Access without declarations ------------------------------------------------------------------------

static FiloWorld *other_world;
static FiloEntity other_entity;

static void read_other(FiloIter *it, FiloEntity entity) {
    (void)it, (void)entity;
    assert_non_null(filo_get(other_world, other_entity, Position));
}

FILO_TEST(a_declaration_applies_only_to_the_world_of_the_system) {
    Fixture other = fixture_open(0);
    other_world = other.world;
    other_entity = filo_create(other.world, FILO_SET(Position, 1, 2));
    expect_access(read_other, (FiloSystemDesc){ 0 }, NULL);
    fixture_close(&other);
}

static bool read_score_in_condition(const FiloWorld *world, void *user) {
    (void)user;
    assert_non_null(filo_get_global(world, Score));
    return true;
}

FILO_TEST(conditions_may_read_everything) {
    Fixture fixture = fixture_open(0);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a", .run = do_nothing });
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "b", .run = do_nothing, .condition = read_score_in_condition });
    tick(&fixture);
    fixture_close(&fixture);
}

FILO_TEST(outside_of_systems_everything_is_allowed) {
    Fixture fixture = fixture_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Position, 1, 2));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "a", .run = do_nothing });
    tick(&fixture);
    assert_non_null(filo_edit(fixture.world, entity, Position));
    fixture_close(&fixture);
}

static void read_everywhere(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) (void)filo_get(it->world, filo_iter_entity(it, i), Velocity);
}

FILO_TEST(parts_on_other_threads_are_checked_too) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(4);
    divide_eagerly(fixture.world, true);
    create_movers(&fixture, 500);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "wide",
                                                      .run = read_everywhere,
                                                      .parallel = true,
                                                      .query.terms = { FILO_READ(Position) } });
    expect_faults(500, "system \"wide\" reads Velocity", tick(&fixture));
    fixture_close(&fixture);
}
