// Double-buffered components: systems write next values while all others read the present ones.

#include "ecs/double_buffer_fixture.h"
#include "support/failing_allocator.h"
#include "support/malloc_count.h"

#include "base/asan.h"

// ---- The promise ------------------------------------------------------------------------------------------

// Stores what it sees of one entity.
typedef struct Seen {
    FiloEntity entity;
    float x;
} Seen;
static void look(FiloIter *it) {
    Seen *seen = it->user;
    seen->x = x_of(it->world, seen->entity);
}

FILO_TEST(an_earlier_reader_sees_the_value_before_and_a_later_one_the_new_value) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = spheres_open(threads);
        FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 10));
        Seen before = { entity, 0 }, after = { entity, 0 };
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "before",
                                                          .run = look,
                                                          .user = &before,
                                                          .extra_access = { FILO_READ(Sphere) } });
        FiloSystemId id = add_step(fixture.world);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "after",
                                                          .run = look,
                                                          .user = &after,
                                                          .extra_access = { FILO_READ(Sphere) } });
        for (int i = 0; i < 5; i++) {
            tick(&fixture);
            assert_true(before.x == (float)(10 + i) && after.x == (float)(11 + i));
            assert_true(x_of(fixture.world, entity) == after.x);
        }
        assert_int_equal(filo_system_stats(fixture.world, id).stage, 0); // beside the first reader
        char text[256];
        filo_world_print_schedule(fixture.world, text, sizeof text);
        assert_string_equal(text,
                            "stage 0 (update): before, step\nstage 1 (update): after after step (Sphere)\n");
        fixture_close(&fixture);
    }
}

static void double_x(FiloIter *it) {
    Sphere *sphere = filo_write(it, Sphere);
    for (size_t i = 0; i < it->count; i++) sphere[i].x *= 2;
}

FILO_TEST(writers_of_the_value_and_of_its_next_one_run_in_the_order_of_registration) {
    Fixture fixture = spheres_open(2);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    const FiloTerm write = FILO_WRITE(Sphere);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "first", .run = double_x, .query.terms = { write } });
    add_step(fixture.world);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "second", .run = double_x, .query.terms = { write } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "again",
                                       .run = step,
                                       .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_READ(Sphere) } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "once more",
                                       .run = step,
                                       .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_READ(Sphere) } });
    float x = 1;
    for (int i = 0; i < 5; i++) {
        tick(&fixture);
        x = (x * 2 + 1) * 2 + 2;
        assert_true(x_of(fixture.world, entity) == x);
    }
    char text[512];
    filo_world_print_schedule(fixture.world, text, sizeof text);
    assert_string_equal(text, "stage 0 (update): first\n"
                              "stage 1 (update): step after first (Sphere)\n"
                              "stage 2 (update): second after step (Sphere)\n"
                              "stage 3 (update): again after second (Sphere)\n"
                              "stage 4 (update): once more after again (Sphere)\n");
    fixture_close(&fixture);
}

// The hash of the world after some ticks.
static uint64_t bounce_hash(int threads, size_t *entities) {
    Fixture fixture = spheres_open(threads);
    Watcher watcher;
    add_bounce(&fixture, &watcher);
    create_spheres(fixture.world);
    for (int i = 0; i < 25; i++) tick(&fixture);
    assert_int_equal(watcher.differences, 0);
    uint64_t hash = filo_world_hash(fixture.world);
    *entities = filo_world_stats(fixture.world).entities;
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(a_parallel_system_that_reads_the_others_has_the_same_result_on_any_number_of_threads) {
    size_t entities, same;
    uint64_t hash = bounce_hash(0, &entities);
    assert_true(entities > 100);
    for (int threads = 1; threads <= 16; threads *= 2) {
        assert_true(bounce_hash(threads, &same) == hash);
        assert_int_equal(same, entities);
    }
}

// ---- Rows ---------------------------------------------------------------------------------------------------

#define MANY 12000 // several chunks

FILO_TEST(rows_that_are_created_destroyed_moved_and_copied_in_between_keep_their_values) {
    Fixture fixture = spheres_open(2);
    FiloWorld *world = fixture.world;
    add_step(world);
    static FiloEntity entities[MANY];
    static float expected[MANY];
    FiloRandom random = filo_random_sequence(3);
    memset(entities, 0, sizeof entities);
    size_t copied = 0;
    for (int round = 0; round < 30; round++) {
        for (size_t i = 0; i < MANY; i++) {
            FiloEntity entity = entities[i];
            int roll = filo_random_range(&random, 0, 11);
            if (entity.id == 0) {
                if (round > 0 && roll > 4) continue;
                size_t from = (size_t)filo_random_range(&random, 0, MANY - 1);
                expected[i] = (float)i;
                if (roll == 0 && entities[from].id != 0) {
                    entities[i] = filo_entity_copy(world, entities[from]);
                    expected[i] = expected[from];
                    copied++;
                } else {
                    entities[i] = filo_create(world, FILO_SET(Sphere, .x = (float)i));
                }
                continue;
            }
            if (roll == 0) filo_destroy(world, entity), entities[i].id = 0;
            if (roll == 1) filo_set(world, entity, Mass, 1);
            if (roll == 2) filo_remove(world, entity, Mass);
            if (roll == 3) filo_set(world, entity, Heat, 1);
            if (roll == 4) filo_entity_set_active(world, entity, false);
            if (roll == 5) filo_entity_set_active(world, entity, true);
            if (roll == 6) filo_set(world, entity, Sphere, .x = expected[i] = -5);
            if (roll == 7) filo_edit(world, entity, Sphere)->x = expected[i] = 3;
        }
        tick(&fixture);
        for (size_t i = 0; i < MANY; i++) {
            if (entities[i].id == 0) continue;
            expected[i] += filo_entity_active(world, entities[i]);
            assert_true(x_of(world, entities[i]) == expected[i]);
        }
    }
    assert_true(copied > 100);
    fixture_close(&fixture);
}

FILO_TEST(only_the_rows_of_the_query_change) {
    const FiloActivity activities[] = { FILO_ACTIVE, FILO_INACTIVE, FILO_ANY_ACTIVITY };
    for (size_t n = 0; n < FILO_COUNT_OF(activities); n++) {
        Fixture fixture = spheres_open(0);
        FiloWorld *world = fixture.world;
        filo_system_add(world, &(FiloSystemDesc){ .name = "step",
                                                  .run = step,
                                                  .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere),
                                                                   FILO_WITHOUT(Mass) },
                                                  .query.activity = activities[n] });
        FiloEntity active = filo_create(world, FILO_SET(Sphere, .x = 1)),
                   inactive = filo_create(world, FILO_SET(Sphere, .x = 1)),
                   other = filo_create(world, FILO_SET(Sphere, .x = 1), FILO_SET(Mass, 1));
        filo_entity_set_active(world, inactive, false);
        for (int i = 1; i <= 5; i++) {
            tick(&fixture);
            assert_true(x_of(world, active) == (activities[n] != FILO_INACTIVE ? (float)(1 + i) : 1));
            assert_true(x_of(world, inactive) == (activities[n] != FILO_ACTIVE ? (float)(1 + i) : 1));
            assert_true(x_of(world, other) == 1);
        }
        fixture_close(&fixture);
    }
}

static bool is_even(const FiloWorld *world, void *user) {
    (void)user;
    return filo_world_ticks(world) % 2 == 0;
}

FILO_TEST(a_system_that_does_not_run_changes_nothing) {
    Fixture fixture = spheres_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    FiloSystemId id = add_step(fixture.world);
    filo_system_set_enabled(fixture.world, id, false);
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_true(x_of(fixture.world, entity) == 1);
    filo_system_set_enabled(fixture.world, id, true);
    tick(&fixture);
    assert_true(x_of(fixture.world, entity) == 2);
    filo_system_remove(fixture.world, id);
    tick(&fixture);
    FiloSystemDesc desc = { .name = "sometimes",
                            .run = step,
                            .condition = is_even,
                            .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } };
    filo_system_add(fixture.world, &desc);
    for (int i = 0; i < 5; i++) {
        bool runs = is_even(fixture.world, NULL);
        float x = x_of(fixture.world, entity);
        tick(&fixture);
        assert_true(x_of(fixture.world, entity) == x + (runs ? 1 : 0));
    }
    fixture_close(&fixture);
}

static void warm(FiloIter *it) {
    const Heat *now = filo_read(it, Heat);
    Heat *next = filo_write_next(it, Heat);
    for (size_t i = 0; i < it->count; i++) next[i].degrees = now[i].degrees + 2;
}

typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING } Screen;
FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"))

FILO_TEST(a_system_that_runs_when_a_state_is_entered_writes_next_values) {
    Fixture fixture = spheres_open(0);
    filo_states(fixture.world, Screen);
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "hook",
                                       .run = step,
                                       .on_enter = { FILO_STATE(Screen, SCREEN_PLAYING) },
                                       .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } });
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_true(x_of(fixture.world, entity) == 1);
    filo_set_state(fixture.world, Screen, SCREEN_PLAYING);
    for (int i = 0; i < 2; i++) tick(&fixture);
    assert_true(x_of(fixture.world, entity) == 2);
    fixture_close(&fixture);
}

FILO_TEST(two_components_of_one_table_are_written_in_one_stage) {
    for (int threads = 0; threads <= 2; threads += 2) {
        Fixture fixture = spheres_open(threads);
        FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1), FILO_SET(Heat, 5));
        add_step(fixture.world);
        FiloSystemId id = filo_system_add(
            fixture.world, &(FiloSystemDesc){ .name = "warm",
                                              .run = warm,
                                              .query.terms = { FILO_READ(Heat), FILO_WRITE_NEXT(Heat) } });
        for (int i = 1; i <= 5; i++) {
            tick(&fixture);
            assert_true(x_of(fixture.world, entity) == (float)(1 + i));
            assert_true(filo_get(fixture.world, entity, Heat)->degrees == (float)(5 + 2 * i));
        }
        assert_int_equal(filo_system_stats(fixture.world, id).stage, 0);
        fixture_close(&fixture);
    }
}

// Both at once, and by the number of a term.
static void step_both(FiloIter *it) {
    FiloColumn sphere = filo_iter_column(it, 2), heat = filo_iter_column(it, 3);
    for (size_t i = 0; i < it->count; i++) {
        *FILO_AT(sphere, i, Sphere) = filo_read(it, Sphere)[i];
        FILO_AT(sphere, i, Sphere)->x += filo_read(it, Heat)[i].degrees;
        FILO_AT(heat, i, Heat)->degrees = filo_read(it, Sphere)[i].x;
    }
}

FILO_TEST(one_system_writes_two_components_and_finds_them_by_number) {
    Fixture fixture = spheres_open(0);
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1), FILO_SET(Heat, 1));
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "both",
                                       .run = step_both,
                                       .query.terms = { FILO_READ(Sphere), FILO_READ(Heat),
                                                        FILO_WRITE_NEXT(Sphere), FILO_WRITE_NEXT(Heat) } });
    const float fibonacci[] = { 1, 2, 3, 5, 8, 13 };
    for (size_t i = 1; i < FILO_COUNT_OF(fibonacci); i++) {
        tick(&fixture);
        assert_true(x_of(fixture.world, entity) == fibonacci[i]);
        assert_true(filo_get(fixture.world, entity, Heat)->degrees == fibonacci[i - 1]);
    }
    fixture_close(&fixture);
}

static void step_part(size_t begin, size_t end, void *user) {
    FiloIter it = filo_query_iter_part(user, begin, end);
    while (filo_iter_next(&it)) step(&it);
}
static void step_in_jobs(FiloIter *it) {
    filo_jobs_for(filo_world_jobs(it->world), filo_query_rows(it->query), step_part, it->query);
}
static void step_over(FiloIter *it) {
    FiloIter all = filo_iter_over(it, it->query);
    while (filo_iter_next(&all)) step(&all);
}

FILO_TEST(a_system_that_is_called_once_iterates_over_its_rows) {
    Fixture fixture = spheres_open(4);
    FiloRunFunction functions[] = { step_over, step_in_jobs };
    for (size_t i = 0; i < FILO_COUNT_OF(functions); i++)
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = i == 0 ? "over" : "jobs",
                                           .run = functions[i],
                                           .once = true,
                                           .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } });
    create_spheres(fixture.world);
    for (int i = 1; i <= 5; i++) {
        tick(&fixture);
        assert_true(x_of(fixture.world, filo_entity_at(fixture.world, 1)) == (float)(1 + 2 * i));
    }
    fixture_close(&fixture);
}

FILO_TEST(accessors_and_edges_that_are_kept_are_right_after_each_tick) {
    Fixture fixture = spheres_open(0);
    FiloWorld *world = fixture.world;
    add_step(world);
    FiloEntity entities[64];
    for (size_t i = 0; i < FILO_COUNT_OF(entities); i++)
        entities[i] = filo_create(world, FILO_SET(Sphere, .x = (float)i), FILO_SET(Mass, (float)i));
    FiloAccessor sphere = filo_accessor(world, Sphere), mass = filo_accessor(world, Mass);
    FiloQuery *query = filo_query(world, FILO_READ(Sphere), FILO_READ(Mass));
    for (int round = 1; round <= 6; round++) {
        tick(&fixture);
        FiloLookup found = filo_lookup(world, entities, sizeof *entities, FILO_COUNT_OF(entities), Sphere);
        for (size_t i = 0; i < FILO_COUNT_OF(entities); i++) {
            float x = (float)i + (float)round;
            assert_true(filo_access(&sphere, entities[i], Sphere)->x == x && x_of(world, entities[i]) == x);
            assert_true(((const Sphere *)filo_lookup_next(&found))->x == x);
            if (filo_has(world, entities[i], Mass))
                assert_true(filo_access(&mass, entities[i], Mass)->kilograms == (float)i);
        }
        FiloIter it = filo_query_iter(query);
        while (filo_iter_next(&it))
            for (size_t i = 0; i < it.count; i++)
                assert_true(filo_read(&it, Sphere)[i].x == filo_read(&it, Mass)[i].kilograms + (float)round);
        // Along the same edge in each round, with the columns at other offsets.
        filo_remove(world, entities[round], Mass);
        filo_create(world, FILO_SET(Sphere, .x = 1), FILO_SET(Mass, 1 - (float)round));
    }
    destroy_with_query(world, query);
}

// ---- Changes ------------------------------------------------------------------------------------------------

static void count_changed(FiloIter *it) { *(size_t *)it->user += it->count; }

FILO_TEST(next_values_count_as_changed_once_they_are_present) {
    Fixture fixture = spheres_open(0);
    FiloWorld *world = fixture.world;
    size_t before = 0, after = 0, others = 0;
    FiloSystemDesc reader = {
        .name = "before", .run = count_changed, .user = &before, .query.terms = { FILO_READ_CHANGED(Sphere) }
    };
    filo_system_add(world, &reader);
    FiloSystemId id = add_step(world);
    reader.name = "after", reader.user = &after;
    filo_system_add(world, &reader);
    filo_system_add(world, &(FiloSystemDesc){ .name = "others",
                                              .run = count_changed,
                                              .user = &others,
                                              .query.terms = { FILO_READ_CHANGED(Mass) } });
    for (int i = 0; i < 3; i++) filo_create(world, FILO_SET(Sphere, .x = 1), FILO_SET(Mass, 1));
    FiloQuery *query = filo_query(world, FILO_READ_CHANGED(Sphere));
    FiloSeen seen = { 0 };
    for (int i = 0; i < 4; i++) {
        before = after = others = 0;
        tick(&fixture);
        assert_true(before == 3 && after == 3 && others == (i == 0 ? 3 : 0));
        size_t outside = 0;
        for (FiloIter it = filo_query_iter_since(query, &seen); filo_iter_next(&it);) outside += it.count;
        assert_int_equal(outside, 3);
    }
    filo_system_set_enabled(world, id, false);
    before = after = 0;
    tick(&fixture);
    assert_true(before == 3 && after == 0); // the first has not seen the last values yet
    tick(&fixture);
    assert_true(before == 3 && after == 0);
    FiloIter it = filo_query_iter_since(query, &seen);
    assert_false(filo_iter_next(&it));
    filo_query_release(query);
    fixture_close(&fixture);
}

// ---- Mistakes -------------------------------------------------------------------------------------------------

FILO_TEST(only_plain_data_in_tables_is_double_buffered) {
    FiloWorld *world = create_world();
    const FiloStorage storages[] = { FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY, FILO_STORAGE_MAP,
                                     FILO_STORAGE_GLOBAL };
    for (size_t i = 0; i < FILO_COUNT_OF(storages); i++)
        expect_fault("component Sphere is double-buffered, so it must have data and be stored in tables",
                     filo_component(world, Sphere, .storage = storages[i], .double_buffered = true));
    expect_fault("component Frozen is double-buffered, so it must have data and be stored in tables",
                 filo_component(world, Frozen, .double_buffered = true));
    expect_fault("component Frozen is double-buffered, so it must have data and be stored in tables",
                 filo_component(world, Frozen, .storage = FILO_STORAGE_TAG, .double_buffered = true));
    FiloComponentHooks hooks = { .construct = (void (*)(void *, void *))(uintptr_t)1 };
    expect_fault("component Sphere is double-buffered, so it must be plain data: take its hooks away",
                 filo_component(world, Sphere, .double_buffered = true, .hooks = hooks));
    FiloComponent sphere = filo_component(world, Sphere, .double_buffered = true);
    assert_true(filo_component_info(world, sphere)->double_buffered);
    assert_int_equal(filo_component(world, Sphere, .double_buffered = true).id, sphere.id);
    expect_fault("component Sphere is registered already, and is double-buffered there",
                 filo_component(world, Sphere));
    filo_component(world, Mass);
    expect_fault("component Mass is registered already, and is not double-buffered there",
                 filo_component(world, Mass, .double_buffered = true));
    filo_world_destroy(world);
}

#define expect_refused(message, ...)                                                                         \
    expect_fault(message,                                                                                    \
                 assert_int_equal(                                                                           \
                     filo_system_add(fixture.world,                                                          \
                                     &(FiloSystemDesc){ .name = "wrong", .run = do_nothing, __VA_ARGS__ })   \
                         .id,                                                                                \
                     0))

FILO_TEST(terms_that_could_leave_rows_out_are_refused) {
    Fixture fixture = spheres_open(0);
    filo_component(fixture.world, Chosen, .storage = FILO_STORAGE_TAG);
    size_t queries = filo_world_stats(fixture.world).queries;
    expect_refused("system \"wrong\": Mass has no next value: register it with .double_buffered = true",
                   .query.terms = { FILO_WRITE_NEXT(Mass) });
    expect_refused("system \"wrong\" writes next values, so it must have every row: Health is not stored in "
                   "tables, and could leave rows out; look it up in an extra query, or by .extra_access",
                   .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_READ(Health) });
    expect_refused("must have every row: Chosen is not stored in tables",
                   .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_WITHOUT(Chosen) });
    expect_refused("must have every row: Sphere of the parent is not stored in tables",
                   .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_PARENT_READ(Sphere) });
    expect_refused("must have every row, and not only those where Sphere changed",
                   .query.terms = { FILO_READ_CHANGED(Sphere), FILO_WRITE_NEXT(Sphere) });
    expect_refused(
        "system \"wrong\": FILO_WRITE_NEXT(Sphere) cannot be optional",
        .query.terms = {
            { .type = filo_type_Sphere, .kind = FILO_TERM_OPTIONAL, .access = FILO_ACCESS_WRITE_NEXT } });
    expect_refused("system \"wrong\" has FILO_WRITE_NEXT(Sphere) twice",
                   .query.terms = { FILO_WRITE_NEXT(Sphere), FILO_WRITE_NEXT(Sphere) });
    expect_refused("system \"wrong\" writes Sphere and its next value: choose FILO_WRITE or FILO_WRITE_NEXT",
                   .query.terms = { FILO_WRITE_NEXT(Sphere) }, .extra_access = { FILO_WRITE(Sphere) });
    assert_int_equal(filo_world_stats(fixture.world).queries, queries);
    fixture_close(&fixture);
}

FILO_TEST(next_values_are_for_the_rows_of_systems_only) {
    Fixture fixture = spheres_open(1);
    const char *message =
        "FILO_WRITE_NEXT(Sphere) is for the .query of a system; here only present values can be "
        "used";
    expect_refused(message, .extra_access = { FILO_WRITE_NEXT(Sphere) });
    expect_refused(message, .extra_queries[1].terms = { FILO_WRITE_NEXT(Sphere) });
    expect_fault("cannot make a query: only a system writes next values, with FILO_WRITE_NEXT in its .query",
                 assert_null(filo_query(fixture.world, FILO_WRITE_NEXT(Sphere))));
    expect_fault(message, filo_observer_add(fixture.world, &(FiloObserverDesc){
                                                               .kinds = FILO_OBSERVE_ENTERED,
                                                               .run = (FiloObserverFunction)(uintptr_t)1,
                                                               .query.terms = { FILO_WRITE_NEXT(Sphere) } }));
    expect_fault(message,
                 filo_world_handle(fixture.world,
                                   &(FiloWorldHandlerDesc){ .event = filo_name("hit"),
                                                            .run = (FiloWorldHandlerFunction)(uintptr_t)1,
                                                            .extra_access = { FILO_WRITE_NEXT(Sphere) } }));
    // A parallel system still may not read in an extra query what it writes in place.
    expect_refused("one would read Sphere in an extra query while another writes it", .parallel = true,
                   .query.terms = { FILO_WRITE(Sphere) }, .extra_queries[0].terms = { FILO_READ(Sphere) });
    fixture_close(&fixture);
}

// ---- Mistakes inside systems, found by debug builds -----------------------------------------------------------

static void write_mass_next(FiloIter *it) { (void)filo_write_next(it, Mass); }
static void write_sphere(FiloIter *it) { (void)filo_write(it, Sphere); }
static void write_next_only(FiloIter *it) {
    memset(filo_write_next(it, Sphere), 0, it->count * sizeof(Sphere));
    (void)filo_read(it, Sphere);
}

static void expect_in_system(const char *message, FiloRunFunction run, const FiloTerm terms[3], int faults) {
    Fixture fixture = spheres_open(0);
    filo_create(fixture.world, FILO_SET(Sphere, .x = 1), FILO_SET(Mass, 1));
    FiloSystemDesc desc = { .name = "wrong", .run = run };
    memcpy(desc.query.terms, terms, 3 * sizeof *terms);
    filo_system_add(fixture.world, &desc);
    expect_faults(faults, message, tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(wrong_use_of_next_values_is_reported) {
    only_in_debug_builds();
    const FiloTerm reads[3] = { FILO_READ(Mass), FILO_READ(Sphere) };
    expect_in_system(
        "system \"wrong\" has no term for Mass: add FILO_WRITE_NEXT(Mass). Its terms are Mass (read), "
        "Sphere (read)",
        write_mass_next, reads, 1);
    const FiloTerm both[3] = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) };
    // The second fault: the row was not written.
    expect_in_system(
        "system \"wrong\" only reads Sphere and writes its next value: use filo_write_next(it, Sphere)",
        write_sphere, both, 2);
    const FiloTerm next[3] = { FILO_WRITE_NEXT(Sphere) };
    expect_in_system(
        "system \"wrong\" has no term for Sphere: add FILO_READ(Sphere). Its terms are Sphere (write "
        "next)",
        write_next_only, next, 1);
}

static void cheat(FiloIter *it) {
    step(it);
    ((Sphere *)(uintptr_t)filo_read(it, Sphere))->speed += 1;
}
static void cheat_elsewhere(FiloIter *it) {
    ((Sphere *)(uintptr_t)filo_get(it->world, *(FiloEntity *)it->user, Sphere))->speed += 1;
    step(it);
}
static void forget(FiloIter *it) {
    step(it);
    if (it->count > 3) memset(&filo_write_next(it, Sphere)[3], 0xDD, sizeof(Sphere));
}

FILO_TEST(present_values_that_were_written_and_next_values_that_were_not_are_reported) {
    only_in_debug_builds();
    Fixture fixture = spheres_open(0);
    FiloEntity entity = { 0 };
    for (int i = 0; i < 5; i++) entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    FiloSystemDesc desc = { .name = "wrong",
                            .run = cheat,
                            .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) },
                            .user = &entity };
    const struct {
        FiloRunFunction run;
        const char *message;
    } wrong[] = {
        { cheat,
          "system \"wrong\", or another one of its stage, changed the present Sphere, which is only read" },
        { cheat_elsewhere, "system \"wrong\", or another one of its stage, changed the present Sphere" },
        { forget,
          "system \"wrong\" did not write the next Sphere of entity 3: write every row of filo_write_next" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(wrong); i++) {
        desc.run = wrong[i].run;
        FiloSystemId id = filo_system_add(fixture.world, &desc);
        expect_fault(wrong[i].message, tick(&fixture));
        filo_system_remove(fixture.world, id);
    }
    fixture_close(&fixture);
}

static void keep_pointers(FiloIter *it) {
    const void **kept = it->user;
    kept[0] = filo_read(it, Sphere);
    kept[1] = filo_write_next(it, Sphere);
    step(it);
}

static void assert_poisoned(const void *value, size_t size) {
#ifdef BASE_ASAN
    for (size_t i = 0; i < size; i++) assert_true(__asan_address_is_poisoned((const char *)value + i));
#else
    for (size_t i = 0; i < size; i++) assert_int_equal(((const uint8_t *)value)[i], 0xDD);
#endif
}

FILO_TEST(values_of_the_past_are_poisoned) {
    only_in_debug_builds();
    Fixture fixture = spheres_open(0);
    const void *kept[2];
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "keep",
                                       .run = keep_pointers,
                                       .user = kept,
                                       .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } });
    FiloEntity entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    for (int i = 0; i < 3; i++) {
        const Sphere *present = filo_get(fixture.world, entity, Sphere);
        tick(&fixture);
        assert_ptr_equal(kept[0], present);
        assert_poisoned(kept[0], sizeof(Sphere));
        assert_ptr_equal(kept[1], filo_get(fixture.world, entity, Sphere));
        filo_set(fixture.world, filo_create(fixture.world, FILO_SET(Sphere, .x = 1)), Mass, 1);
        assert_ok(filo_world_reset(fixture.world, filo_world_seed(fixture.world)));
        entity = filo_create(fixture.world, FILO_SET(Sphere, .x = 1));
    }
    fixture_close(&fixture);
}

// ---- Memory -----------------------------------------------------------------------------------------------------

FILO_TEST(a_steady_tick_with_next_values_allocates_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture = spheres_open(2);
    add_step(fixture.world);
    create_spheres(fixture.world);
    // How rows are divided is a matter of chance, and with it when memory of a thread grows for the last time.
    int steady = 0;
    for (int i = 0; i < 3000 && steady < 100; i++) {
        uint64_t before = filo_test_malloc_calls();
        tick(&fixture);
        steady = filo_test_malloc_calls() == before ? steady + 1 : 0;
    }
    assert_int_equal(steady, 100);
    fixture_close(&fixture);
}

FILO_TEST(without_memory_nothing_is_lost) {
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloWorld *world = NULL;
        if (filo_world_create(&world, &(FiloWorldDesc){ .allocator = &failing.allocator }).code == FILO_OK) {
            register_spheres(world);
            FiloSystemDesc desc = { .name = "step",
                                    .run = step,
                                    .query.terms = { FILO_READ(Sphere), FILO_WRITE_NEXT(Sphere) } };
            bool ticks =
                filo_component_of(world, FILO_TYPE(Sphere)).id != 0 && filo_system_add(world, &desc).id != 0;
            FiloEntity entities[40];
            float expected[40];
            for (size_t i = 0; i < FILO_COUNT_OF(entities); i++) {
                entities[i] = filo_create(world, FILO_SET(Sphere, .x = expected[i] = (float)i));
                if (i % 4 == 0) filo_set(world, entities[i], Mass, 1);
                bool ran = i % 3 == 0 && filo_world_tick(world, 1).code == FILO_OK && ticks;
                for (size_t k = 0; k <= i; k++) expected[k] += ran;
            }
            for (size_t i = 0; i < FILO_COUNT_OF(entities); i++) {
                const Sphere *sphere = filo_get(world, entities[i], Sphere);
                assert_true(sphere == NULL || sphere->x == expected[i]);
            }
            filo_world_destroy(world);
        }
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
}
