// When changes and events of systems take effect: at the end of their phase, whatever other systems there are.

#include "ecs/system_log.h"

FILO_TAG(Ill)

enum { PEOPLE = 10 };

typedef struct Town {
    Fixture fixture;
    size_t seen; // how many were ill when they were counted
} Town;

static Town town_open(int threads) {
    Town town = { .fixture = fixture_open(threads) };
    filo_component(town.fixture.world, Ill);
    for (int i = 0; i < PEOPLE; i++) filo_create(town.fixture.world, FILO_ADD(Position), FILO_ADD(Ill));
    return town;
}

static void remove_ill(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) filo_remove(it->changes, filo_iter_entity(it, i), Ill);
}

static void count_ill(FiloIter *it) { *(size_t *)it->user = filo_query_count(filo_iter_extra_query(it, 0)); }

static void add_remover(Town *town, const char *name) {
    filo_system_add(town->fixture.world,
                    &(FiloSystemDesc){ .name = name, .run = remove_ill, .query.terms = { FILO_WITH(Ill) } });
}

// Further fields of the description follow.
#define add_counter(town, ...)                                                                               \
    filo_system_add((town)->fixture.world, &(FiloSystemDesc){ .run = count_ill,                              \
                                                              .user = &(town)->seen,                         \
                                                              .extra_queries[0].terms = { FILO_WITH(Ill) },  \
                                                              __VA_ARGS__ })

static void add_mover(Town *town) {
    filo_system_add(
        town->fixture.world,
        &(FiloSystemDesc){ .name = "move", .run = do_nothing, .query.terms = { FILO_WRITE(Position) } });
}

FILO_TEST(a_system_does_not_see_what_one_registered_after_it_removed) {
    Town town = town_open(0);
    add_mover(&town);
    add_counter(&town, .name = "infect", .query.terms = { FILO_READ(Position) }); // a stage after "recover"
    add_remover(&town, "recover");
    tick(&town.fixture);
    assert_int_equal(town.seen, PEOPLE);
    tick(&town.fixture);
    assert_int_equal(town.seen, 0);
    assert_int_equal(
        filo_system_stats(town.fixture.world, filo_system_named(town.fixture.world, "infect")).stage, 1);
    fixture_close(&town.fixture);
}

FILO_TEST(no_third_system_decides_what_is_seen) {
    for (int third = 0; third < 2; third++) {
        Town town = town_open(0);
        add_remover(&town, "heal");
        if (third) add_mover(&town);
        add_counter(&town, .name = "count", .query.terms = { FILO_READ(Position) });
        tick(&town.fixture);
        assert_int_equal(town.seen, PEOPLE);
        fixture_close(&town.fixture);
    }
}

FILO_TEST(an_order_within_a_phase_does_not_decide_what_structure_is_seen) {
    Town town = town_open(0);
    add_remover(&town, "heal");
    add_counter(&town, .name = "count", .once = true, .after = { "heal" });
    tick(&town.fixture);
    assert_int_equal(town.seen, PEOPLE);
    tick(&town.fixture);
    assert_int_equal(town.seen, 0);
    fixture_close(&town.fixture);
}

FILO_TEST(a_later_phase_sees_the_changes_of_the_same_tick) {
    Town town = town_open(0);
    add_counter(&town, .name = "count", .once = true, .phase = 1);
    add_remover(&town, "heal");
    town.seen = PEOPLE;
    tick(&town.fixture);
    assert_int_equal(town.seen, 0);
    fixture_close(&town.fixture);
}

// ---- The order in which changes are applied ---------------------------------------------------------------

static void name_score(FiloIter *it) {
    filo_set_global(it->changes, Score, .points = *(const int *)it->user);
}

FILO_TEST(changes_of_a_phase_are_applied_in_the_order_of_systems_not_of_stages) {
    Town town = town_open(4);
    static const int first = 1, second = 2;
    add_mover(&town);
    filo_system_add(town.fixture.world, &(FiloSystemDesc){ .name = "late stage",
                                                           .run = name_score,
                                                           .user = (void *)(uintptr_t)&first,
                                                           .query.terms = { FILO_READ(Position) } });
    filo_system_add(town.fixture.world, &(FiloSystemDesc){ .name = "early stage",
                                                           .run = name_score,
                                                           .user = (void *)(uintptr_t)&second,
                                                           .query.terms = { FILO_READ(Velocity) } });
    filo_create(town.fixture.world, FILO_ADD(Velocity));
    tick(&town.fixture);
    assert_int_equal(filo_get_global(town.fixture.world, Score)->points, 2);
    fixture_close(&town.fixture);
}

FILO_TEST(before_counts_as_registered_directly_before_the_first_that_it_names) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    const FiloTerm write = FILO_WRITE(Score);
    add_logging(&fixture, &log, "a", .query.terms = { write });
    add_logging(&fixture, &log, "b", .query.terms = { write });
    add_logging(&fixture, &log, "c", .query.terms = { write });
    add_logging(&fixture, &log, "d", .query.terms = { write }, .before = { "c", "b" });
    add_logging(&fixture, &log, "e", .query.terms = { write }, .before = { "d" }, .after = { "a" });
    add_logging(&fixture, &log, "f", .query.terms = { write }, .before = { "b" });
    tick(&fixture);
    expect_log(&log, "a e d f b c ");
    fixture_close(&fixture);
}

// ---- Text -------------------------------------------------------------------------------------------------

static void report(FiloIter *it) { filo_event_record(it->events, filo_name("report"), NULL, NULL); }

FILO_TEST(the_schedule_says_what_takes_effect_at_the_end_of_a_phase) {
    Town town = town_open(1);
    Log log = { 0 };
    add_remover(&town, "heal");
    add_remover(&town, "heal too");
    filo_system_add(town.fixture.world, &(FiloSystemDesc){ .name = "report", .run = report });
    filo_system_add(town.fixture.world,
                    &(FiloSystemDesc){ .name = "late report", .run = report, .phase = FILO_PHASE_AFTER });
    add_logging(&town.fixture, &log, "quiet", .phase = FILO_PHASE_EXTRACT);
    tick(&town.fixture);
    char text[512];
    filo_world_print_schedule(town.fixture.world, text, sizeof text);
    assert_string_equal(text, "stage 0 (update): heal, heal too, report\n"
                              "end of update: apply changes (of heal, heal too), deliver events (of report)\n"
                              "stage 1 (after): late report\n"
                              "end of after: deliver events (of late report)\n"
                              "stage 2 (extract): quiet\n");
    fixture_close(&town.fixture);
}
