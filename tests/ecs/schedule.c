// The order of systems, their stages, and the text and graph of a schedule.

#include "ecs/system_log.h"
#include "support/warnings.h"

static void expect_schedule(Fixture *fixture, const char *expected) {
    char text[2048];
    size_t length = filo_world_print_schedule(fixture->world, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

// ---- Order ------------------------------------------------------------------------------------------------

FILO_TEST(systems_run_in_the_order_of_registration) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "c");
    add_logging(&fixture, &log, "a");
    add_logging(&fixture, &log, "b");
    tick(&fixture);
    expect_log(&log, "c a b ");
    fixture_close(&fixture);
}

FILO_TEST(phases_run_from_low_to_high_whatever_the_order_of_registration) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "extract", .phase = FILO_PHASE_EXTRACT);
    add_logging(&fixture, &log, "update");
    add_logging(&fixture, &log, "late", .phase = 7);
    add_logging(&fixture, &log, "input", .phase = FILO_PHASE_INPUT);
    add_logging(&fixture, &log, "update too");
    add_logging(&fixture, &log, "after", .phase = FILO_PHASE_AFTER);
    add_logging(&fixture, &log, "before", .phase = FILO_PHASE_BEFORE);
    tick(&fixture);
    expect_log(&log, "input before update update too late after extract ");
    expect_schedule(&fixture, "stage 0 (input): input\n"
                              "stage 1 (before): before\n"
                              "stage 2 (update): update, update too\n"
                              "stage 3 (7): late\n"
                              "stage 4 (after): after\n"
                              "stage 5 (extract): extract\n");
    fixture_close(&fixture);
}

FILO_TEST(before_and_after_override_the_order_of_registration) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .after = { "d" });
    add_logging(&fixture, &log, "b");
    add_logging(&fixture, &log, "c", .before = { "b" });
    add_logging(&fixture, &log, "d");
    tick(&fixture);
    expect_log(&log, "c d b a ");
    expect_schedule(&fixture, "stage 0 (update): c, d\n"
                              "stage 1 (update): b after c (as declared), a after d (as declared)\n");
    fixture_close(&fixture);
}

FILO_TEST(an_order_by_name_applies_to_a_system_that_is_added_later) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .after = { "later" });
    add_logging(&fixture, &log, "b");
    tick(&fixture);
    expect_log(&log, "a b ");
    FiloSystemId later = add_logging(&fixture, &log, "later");
    tick(&fixture);
    expect_log(&log, "b later a ");
    filo_system_remove(fixture.world, later);
    tick(&fixture);
    expect_log(&log, "a b ");
    fixture_close(&fixture);
}

FILO_TEST(the_same_order_may_be_declared_twice) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .after = { "b", "b" });
    add_logging(&fixture, &log, "b", .before = { "a" });
    tick(&fixture);
    expect_log(&log, "b a ");
    fixture_close(&fixture);
}

FILO_TEST(a_cycle_is_reported_by_name_and_nothing_runs) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "free");
    add_logging(&fixture, &log, "hanging", .after = { "c" }); // after the cycle, but not in it
    add_logging(&fixture, &log, "a", .before = { "b" });
    add_logging(&fixture, &log, "c", .before = { "a" });
    FiloSystemId b = add_logging(&fixture, &log, "b", .before = { "c" });
    const char *message = "the order of systems has a cycle: \"a\" before \"b\" before \"c\" before \"a\"";
    expect_mistake(message, filo_world_tick(fixture.world, 1));
    expect_mistake(message, filo_world_tick(fixture.world, 1));
    expect_log(&log, "");
    assert_int_equal(filo_world_ticks(fixture.world), 0);
    char text[256];
    filo_world_print_schedule(fixture.world, text, sizeof text);
    assert_contains(text, message);
    filo_world_draw_schedule(fixture.world, text, sizeof text);
    assert_contains(text, "label=\"the order of systems has a cycle: \\\"a\\\" before");

    filo_system_remove(fixture.world, b);
    tick(&fixture);
    expect_log(&log, "free c hanging a ");
    fixture_close(&fixture);
}

FILO_TEST(a_system_cannot_run_before_itself) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .before = { "a" });
    expect_mistake("cycle: \"a\" before \"a\"", filo_world_tick(fixture.world, 1));
    fixture_close(&fixture);
}

FILO_TEST(an_order_that_contradicts_the_phases_is_an_error) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "early", .phase = -3, .before = { "late" }); // consistent with the phases
    add_logging(&fixture, &log, "late", .phase = 5, .before = { "early" });
    expect_mistake("system \"late\" is to run before \"early\", but its phase 5 comes after phase -3",
                   filo_world_tick(fixture.world, 1));
    filo_system_remove(fixture.world, filo_system_named(fixture.world, "late"));
    add_logging(&fixture, &log, "late", .phase = 5, .after = { "early" });
    tick(&fixture);
    expect_log(&log, "early late ");
    filo_system_remove(fixture.world, filo_system_named(fixture.world, "early"));
    add_logging(&fixture, &log, "early", .phase = -3, .after = { "late" });
    expect_mistake("system \"early\" is to run after \"late\", but its phase -3 comes before phase 5",
                   filo_world_tick(fixture.world, 1));
    fixture_close(&fixture);
}

FILO_TEST(hundreds_of_systems_are_sorted) {
    enum { COUNT = 500 };
    Fixture fixture = fixture_open(0);
    static Log log;
    char names[COUNT][16], expected[sizeof log.text] = "";
    // Each runs before the one registered before it: the order is reversed.
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        add_logging(&fixture, &log, names[i], .before = { i > 0 ? names[i - 1] : NULL });
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%d ", i);
    }
    tick(&fixture);
    expect_log(&log, expected);
    assert_int_equal(filo_system_stats(fixture.world, filo_system_named(fixture.world, "0")).stage,
                     COUNT - 1);
    fixture_close(&fixture);
}

// ---- Stages ------------------------------------------------------------------------------------------

static void add(Fixture *fixture, const char *name, FiloSystemDesc desc) {
    desc.name = name;
    desc.run = do_nothing;
    assert_int_not_equal(filo_system_add(fixture->world, &desc).id, 0);
}

FILO_TEST(systems_that_only_read_share_a_stage) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "a", (FiloSystemDesc){ .query.terms = { FILO_READ(Position), FILO_READ(Velocity) } });
    add(&fixture, "b", (FiloSystemDesc){ .query.terms = { FILO_READ(Position) } });
    add(&fixture, "c", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Health) } });
    expect_schedule(&fixture, "stage 0 (update): a, b, c\n");
    fixture_close(&fixture);
}

FILO_TEST(systems_with_conflicting_access_are_in_different_stages) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "read", (FiloSystemDesc){ .query.terms = { FILO_READ(Position) } });
    add(&fixture, "write", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    add(&fixture, "write again", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    add(&fixture, "other", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Velocity) } });
    expect_schedule(&fixture, "stage 0 (update): read, other\n"
                              "stage 1 (update): write after read (Position)\n"
                              "stage 2 (update): write again after write (Position)\n");
    fixture_close(&fixture);
}

FILO_TEST(every_kind_of_declaration_counts) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "write",
        (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position), FILO_WRITE(Velocity), FILO_WRITE(Health),
                                           FILO_WRITE(Score), FILO_WRITE(Target) } });
    add(&fixture, "optional", (FiloSystemDesc){ .query.terms = { FILO_OPTIONAL_READ(Position) } });
    add(&fixture, "any",
        (FiloSystemDesc){ .query.terms = { FILO_ANY_READ(Position), FILO_ANY_READ(Target) } });
    add(&fixture, "parent", (FiloSystemDesc){ .query.terms = { FILO_PARENT_READ(Velocity) } });
    add(&fixture, "changed", (FiloSystemDesc){ .query.terms = { FILO_READ_CHANGED(Velocity) } });
    add(&fixture, "global", (FiloSystemDesc){ .query.terms = { FILO_READ(Score) } });
    add(&fixture, "extra", (FiloSystemDesc){ .extra_queries[2].terms = { FILO_READ(Health) } });
    add(&fixture, "access", (FiloSystemDesc){ .extra_access = { FILO_READ(Target) } });
    add(&fixture, "by number",
        (FiloSystemDesc){
            .extra_access = { { .component = filo_component_of(fixture.world, FILO_TYPE(Health)),
                                .access = FILO_ACCESS_READ } } });
    // FILO_WITH and FILO_WITHOUT do not conflict with writes.
    add(&fixture, "with", (FiloSystemDesc){ .query.terms = { FILO_WITH(Position), FILO_WITHOUT(Health) } });
    expect_schedule(&fixture,
                    "stage 0 (update): write, with\n"
                    "stage 1 (update): optional after write (Position), any after write (Position), "
                    "parent after write (Velocity), changed after write (Velocity), global after write "
                    "(Score), extra after write (Health), access after write (Target), by number after "
                    "write (Health)\n");
    fixture_close(&fixture);
}

FILO_TEST(a_changed_term_counts_as_reading) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "write", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    add(&fixture, "look",
        (FiloSystemDesc){ .query.terms = { { .type = filo_type_Position, .changed = true } } });
    expect_schedule(&fixture, "stage 0 (update): write\n"
                              "stage 1 (update): look after write (Position)\n");
    fixture_close(&fixture);
}

FILO_TEST(a_conflict_follows_the_order_that_names_declare) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "a", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) }, .after = { "b" } });
    add(&fixture, "b", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    expect_schedule(&fixture, "stage 0 (update): b\n"
                              "stage 1 (update): a after b (Position)\n");
    fixture_close(&fixture);
}

FILO_TEST(components_with_high_ids_conflict_only_with_themselves) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "a", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    static char names[100][16];
    static FiloType types[100];
    FiloComponent last = { 0 };
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "T%d", i);
        types[i] = (FiloType){ .name = names[i], .kind = FILO_KIND_STRUCT, .align = 1 };
        last = filo_component_register(fixture.world, &(FiloComponentDesc){ .type = &types[i] });
    }
    FiloTerm term = { .component = last, .access = FILO_ACCESS_WRITE };
    add(&fixture, "b", (FiloSystemDesc){ .query.terms = { term } });
    add(&fixture, "c", (FiloSystemDesc){ .query.terms = { term } });
    add(&fixture, "d", (FiloSystemDesc){ .query.terms = { FILO_READ(Position) } });
    expect_schedule(&fixture, "stage 0 (update): a, b\n"
                              "stage 1 (update): c after b (T99), d after a (Position)\n");
    fixture_close(&fixture);
}

// ---- Text and graph ----------------------------------------------------------------------------------

FILO_TEST(a_schedule_without_systems_is_empty) {
    Fixture fixture = fixture_open(0);
    expect_schedule(&fixture, "");
    tick(&fixture);
    char text[256];
    filo_world_draw_schedule(fixture.world, text, sizeof text);
    assert_string_equal(
        text, "digraph schedule {\n    rankdir=LR;\n    compound=true;\n    node [shape=box];\n}\n");
    fixture_close(&fixture);
}

FILO_TEST(text_that_does_not_fit_is_truncated_and_its_length_returned) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "a", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    add(&fixture, "b", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    const char *whole = "stage 0 (update): a\nstage 1 (update): b after a (Position)\n";
    char text[128];
    for (size_t size = 1; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(filo_world_print_schedule(fixture.world, text, size), strlen(whole));
        size_t fits = FILO_MIN(size - 1, strlen(whole));
        assert_memory_equal(text, whole, fits);
        assert_int_equal(text[fits], 0);
        assert_int_equal(text[size], '#');
    }
    assert_int_equal(filo_world_print_schedule(fixture.world, NULL, 0), strlen(whole));
    fixture_close(&fixture);
}

FILO_TEST(the_graph_shows_stages_and_dependencies) {
    Fixture fixture = fixture_open(0);
    add(&fixture, "read \"all\"", (FiloSystemDesc){ .query.terms = { FILO_READ(Position) }, .phase = -100 });
    add(&fixture, "move",
        (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity) }, .parallel = true });
    add(&fixture, "think", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Target) }, .disabled = true });
    add(&fixture, "collide", (FiloSystemDesc){ .query.terms = { FILO_WRITE(Position) } });
    add(&fixture, "count", (FiloSystemDesc){ .after = { "think" } });
    char text[2048];
    size_t length = filo_world_draw_schedule(fixture.world, text, sizeof text);
    assert_string_equal(
        text, "digraph schedule {\n"
              "    rankdir=LR;\n"
              "    compound=true;\n"
              "    node [shape=box];\n"
              "    subgraph cluster_0 {\n"
              "        label=\"stage 0 (before)\";\n"
              "        \"read \\\"all\\\"\";\n"
              "    }\n"
              "    subgraph cluster_1 {\n"
              "        label=\"stage 1 (update)\";\n"
              "        \"move\" [peripheries=2];\n"
              "        \"think\" [style=dashed];\n"
              "    }\n"
              "    subgraph cluster_2 {\n"
              "        label=\"stage 2 (update)\";\n"
              "        \"collide\";\n"
              "        \"count\";\n"
              "    }\n"
              "    \"read \\\"all\\\"\" -> \"move\" [ltail=cluster_0, lhead=cluster_1, style=bold];\n"
              "    \"move\" -> \"collide\" [label=\"Position\"];\n"
              "    \"think\" -> \"count\" [style=dashed];\n"
              "}\n");
    assert_int_equal(length, strlen(text));
    fixture_close(&fixture);
}

// ---- Unknown names ------------------------------------------------------------------------------------

FILO_TEST(an_order_by_an_unknown_name_is_reported_once_with_the_closest_name) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "collide", .after = { "mvoe" });
    add_logging(&fixture, &log, "move");
    expect_warning("system \"collide\" is to run after \"mvoe\", and there is no such system: did you mean "
                   "\"move\"?",
                   tick(&fixture));
    expect_no_warning(tick(&fixture));
    expect_no_warning(add_logging(&fixture, &log, "count", .before = { "thunderstorm" }));
    expect_warning("system \"count\" is to run before \"thunderstorm\", and there is no such system",
                   tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(an_order_by_a_system_of_another_phase_is_not_reported) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "settle", .after = { "shake" }, .phase = FILO_PHASE_AFTER);
    add_logging(&fixture, &log, "shake");
    expect_no_warning(tick(&fixture));
    fixture_close(&fixture);
}
