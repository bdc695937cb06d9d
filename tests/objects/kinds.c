// Kinds of objects with a step function.

#include "objects/fixture.h"

// ---- The promise --------------------------------------------------------------------------------------------

FILO_TEST(a_step_computes_the_next_state_and_what_is_shown) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = fixture_open(threads);
        add_balls(fixture.world);
        FiloEntity ball =
            filo_create(fixture.world, FILO_SET(Ball, .height = 10, .speed = -2), FILO_ADD(Shown));
        tick(&fixture);
        assert_true(filo_get(fixture.world, ball, Ball)->height == 9);
        assert_true(filo_get(fixture.world, ball, Shown)->height == 9);
        tick(&fixture);
        assert_true(filo_get(fixture.world, ball, Ball)->height == 8);
        assert_int_not_equal(filo_system_named(fixture.world, "objects.ball").id, 0);
        fixture_close(&fixture);
    }
}

FILO_TEST(an_object_that_is_killed_is_destroyed_at_the_end_of_the_stage) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity low = filo_create(fixture.world, FILO_SET(Ball, .height = -99, .speed = -4), FILO_ADD(Shown));
    FiloEntity high = filo_create(fixture.world, FILO_SET(Ball, .height = 10, .speed = -4), FILO_ADD(Shown));
    tick(&fixture);
    assert_false(filo_entity_exists(fixture.world, low));
    assert_true(filo_entity_exists(fixture.world, high));
    fixture_close(&fixture);
}

typedef struct Cell { // has the value of another cell in the next tick
    int32_t value;
    FiloEntity other;
} Cell;
FILO_REFLECT(Cell, FILO_FIELD(int32_t, value), FILO_FIELD(FiloEntity, other))
typedef struct Echo { // has the value of a cell
    int32_t value;
    FiloEntity other;
} Echo;
FILO_REFLECT(Echo, FILO_FIELD(int32_t, value), FILO_FIELD(FiloEntity, other))

static void step_cell(FiloIter *it) {
    const Cell *past = filo_read(it, Cell);
    Cell *next = filo_write_next(it, Cell);
    for (size_t i = 0; i < it->count; i++) {
        const Cell *cell = filo_get(it->world, past[i].other, Cell);
        const Echo *echo = filo_get(it->world, past[i].other, Echo);
        next[i] = past[i];
        next[i].value = cell != NULL ? cell->value : echo->value;
    }
}
static void step_echo(FiloIter *it) {
    const Echo *past = filo_read(it, Echo);
    Echo *next = filo_write_next(it, Echo);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        next[i].value = filo_get(it->world, past[i].other, Cell)->value;
    }
}

static void add_cells(FiloWorld *world) {
    const FiloObjectDesc kinds[] = {
        { .name = "cell",
          .state = FILO_STATE_OF(Cell),
          .step = step_cell,
          .extra_access = { FILO_READ(Cell), FILO_READ(Echo) } },
        { .name = "echo",
          .state = FILO_STATE_OF(Echo),
          .step = step_echo,
          .extra_access = { FILO_READ(Cell) } },
    };
    FiloObjectKind added[2];
    assert_ok(filo_object_kinds_add(added, world, kinds, 2));
    assert_true(added[0].id != 0 && added[1].id != 0 && added[0].id != added[1].id);
}

// In place, the second of a pair would see the new value of the first, and both would be equal.
FILO_TEST(two_objects_exchange_their_values_because_each_sees_the_past) {
    for (int threads = 0; threads <= 4; threads++) {
        Fixture fixture = fixture_open(threads);
        add_cells(fixture.world);
        FiloEntity cells[64];
        for (int i = 0; i < 64; i++) cells[i] = filo_create(fixture.world, FILO_SET(Cell, .value = i));
        for (int i = 0; i < 64; i++) filo_edit(fixture.world, cells[i], Cell)->other = cells[63 - i];
        for (int round = 1; round <= 5; round++) {
            tick(&fixture);
            for (int i = 0; i < 64; i++)
                assert_int_equal(filo_get(fixture.world, cells[i], Cell)->value, round % 2 == 0 ? i : 63 - i);
        }
        fixture_close(&fixture);
    }
}

FILO_TEST(objects_of_different_kinds_see_the_past_of_each_other) {
    for (int threads = 0; threads <= 4; threads++) {
        Fixture fixture = fixture_open(threads);
        add_cells(fixture.world);
        FiloEntity cell = filo_create(fixture.world, FILO_SET(Cell, .value = 1));
        FiloEntity echo = filo_create(fixture.world, FILO_SET(Echo, .value = 2, .other = cell));
        filo_edit(fixture.world, cell, Cell)->other = echo;
        for (int round = 1; round <= 5; round++) {
            tick(&fixture);
            assert_int_equal(filo_get(fixture.world, cell, Cell)->value, round % 2 == 0 ? 1 : 2);
            assert_int_equal(filo_get(fixture.world, echo, Echo)->value, round % 2 == 0 ? 2 : 1);
        }
        fixture_close(&fixture);
    }
}

static void step_sum(FiloIter *it) { // of the past of all, by a view
    int32_t sum = 0;
    FiloIter all = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&all))
        for (size_t i = 0; i < all.count; i++) sum += filo_read(&all, Cell)[i].value;
    const Cell *past = filo_read(it, Cell);
    Cell *next = filo_write_next(it, Cell);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        next[i].value = sum % 97 + (int32_t)i - (int32_t)i + past[i].value;
    }
}

FILO_TEST(a_view_has_the_past_of_all_objects) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Fixture fixture = fixture_open(threads);
        (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "cell",
                                                         .state = FILO_STATE_OF(Cell),
                                                         .step = step_sum,
                                                         .views[0].terms = { FILO_READ(Cell) } });
        FiloEntity cells[40];
        int32_t values[40], sum;
        for (int i = 0; i < 40; i++) {
            values[i] = i;
            cells[i] = filo_create(fixture.world, FILO_SET(Cell, .value = i));
        }
        for (int round = 0; round < 4; round++) {
            sum = 0;
            for (int i = 0; i < 40; i++) sum += values[i];
            for (int i = 0; i < 40; i++) values[i] += sum % 97;
            tick(&fixture);
            for (int i = 0; i < 40; i++)
                assert_int_equal(filo_get(fixture.world, cells[i], Cell)->value, values[i]);
        }
        fixture_close(&fixture);
    }
}

static void step_spawning(FiloIter *it) {
    const Ball *past = filo_read(it, Ball);
    Ball *next = filo_write_next(it, Ball);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        next[i].height -= 1;
        if (next[i].height == 0)
            filo_create(it->changes, FILO_SET(Ball, .height = 3, .kicks = past[i].kicks + 1));
        if (next[i].height < 0) filo_object_kill(it, i);
    }
}

FILO_TEST(an_object_creates_others_which_begin_with_the_next_tick) {
    Fixture fixture = fixture_open(2);
    (void)add_kind(fixture.world,
                   &(FiloObjectDesc){ .name = "ball", .state = FILO_STATE_OF(Ball), .step = step_spawning });
    FiloEntity first = filo_create(fixture.world, FILO_SET(Ball, .height = 1));
    tick(&fixture); // the second is created
    assert_int_equal(filo_objects_count(fixture.world, Ball), 2);
    tick(&fixture); // the first ends
    assert_false(filo_entity_exists(fixture.world, first));
    assert_int_equal(filo_objects_count(fixture.world, Ball), 1);
    for (int i = 0; i < 9; i++) tick(&fixture);
    int32_t generations = 0;
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Ball));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it))
        for (size_t i = 0; i < it.count; i++)
            generations = FILO_MAX(generations, filo_read(&it, Ball)[i].kicks);
    filo_query_release(query);
    assert_int_equal(generations, 4); // one in three ticks
    fixture_close(&fixture);
}

FILO_TEST(inactive_objects_keep_their_state_and_their_events) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity ball = filo_create(fixture.world, FILO_SET(Ball, .height = 10), FILO_ADD(Shown));
    filo_entity_set_active(fixture.world, ball, false);
    assert_true(filo_object_send(fixture.world, ball, Kick, 6));
    tick(&fixture);
    tick(&fixture);
    assert_true(filo_get(fixture.world, ball, Ball)->height == 10);
    filo_entity_set_active(fixture.world, ball, true);
    tick(&fixture);
    assert_true(filo_get(fixture.world, ball, Ball)->height == 13);
    assert_int_equal(filo_get(fixture.world, ball, Ball)->kicks, 1);
    fixture_close(&fixture);
}

FILO_TEST(an_object_that_is_created_without_a_state_has_the_initial_one) {
    Fixture fixture = fixture_open(0);
    filo_component(fixture.world, Shown);
    FiloObjectDesc desc = ball_desc();
    desc.initial = &(Ball){ .height = 5, .speed = 2 };
    (void)add_kind(fixture.world, &desc);
    FiloEntity ball = filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Shown));
    tick(&fixture);
    assert_true(filo_get(fixture.world, ball, Ball)->height == 6);
    fixture_close(&fixture);
}

static void step_with_user(FiloIter *it) {
    const Cell *past = filo_read(it, Cell);
    Cell *next = filo_write_next(it, Cell);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        next[i].value += *(const int32_t *)it->user;
    }
}

FILO_TEST(a_step_has_the_data_of_its_kind_and_runs_in_its_phase) {
    Fixture fixture = fixture_open(2);
    int32_t step = 5;
    (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "cell",
                                                     .state = FILO_STATE_OF(Cell),
                                                     .step = step_with_user,
                                                     .user = &step,
                                                     .phase = FILO_PHASE_AFTER,
                                                     .sequential = true });
    FiloEntity cell = filo_create(fixture.world, FILO_SET(Cell, .value = 1));
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, cell, Cell)->value, 6);
    char text[256];
    filo_world_print_schedule(fixture.world, text, sizeof text);
    assert_string_equal(text, "stage 0 (after): objects.cell\n");
    fixture_close(&fixture);
}

// ---- Mistakes -----------------------------------------------------------------------------------------------

typedef struct Hidden {
    float x;
    const char *text;
} Hidden;
FILO_REFLECT(Hidden, FILO_FIELD(float, x))
FILO_TAG(Nothing)
typedef struct Loud {
    int32_t volume;
} Loud;
FILO_REFLECT(Loud, FILO_FIELD(int32_t, volume))
typedef struct Distant {
    int32_t miles;
} Distant;
FILO_REFLECT_MODULE(Distant, "far_register(world)", FILO_FIELD(int32_t, miles))

static void do_nothing(FiloIter *it) { FILO_UNUSED(it); }

FILO_TEST(what_does_not_fit_is_refused_with_the_reason) {
    Fixture fixture = fixture_open(0);
    FiloWorld *world = fixture.world;
    FiloObjectDesc desc = { .step = do_nothing, .state = FILO_STATE_OF(Cell) };
    refuse_kind(world, &desc, "a kind of objects needs a name");
    desc.name = "cell";
    desc.step = NULL;
    refuse_kind(world, &desc, "kind \"cell\" has no .step and no .network");
    desc.step = do_nothing;
    desc.network = (const FiloNetwork *)(const void *)&fixture;
    refuse_kind(world, &desc, "kind \"cell\" has a .step and a .network: choose one");
    desc.network = NULL;
    desc.state = NULL;
    refuse_kind(world, &desc, "kind \"cell\" needs a state: .state = FILO_STATE_OF(Type)");
    desc.state = FILO_STATE_OF(Nothing);
    refuse_kind(world, &desc, "a state is a struct with fields, and Nothing is not");
    desc.state = FILO_STATE_OF(Hidden);
    refuse_kind(world, &desc, "the description of its state Hidden leaves out 12 bytes at offset 4");
    desc.state = FILO_STATE_OF(Loud);
    filo_component(world, Loud);
    refuse_kind(world, &desc, "Loud is registered already, and not double-buffered");
    desc.state = FILO_STATE_OF(Cell);
    desc.events[0] = (FiloObjectEvent)FILO_TAKES(Kick, 0);
    refuse_kind(world, &desc, "FILO_TAKES(Kick, 0): an object may get 1 to 65535");
    desc.events[0].capacity = 70000;
    refuse_kind(world, &desc, "FILO_TAKES(Kick, 70000): an object may get 1 to 65535");
    desc.events[0] = desc.events[1] = (FiloObjectEvent)FILO_TAKES(Kick, 3);
    refuse_kind(world, &desc, "kind \"cell\" takes events Kick twice");
    desc.events[0] = (FiloObjectEvent)FILO_TAKES(Hidden, 3);
    refuse_kind(world, &desc, "the description of the event Hidden leaves out 12 bytes");
    desc.events[0] = desc.events[1] = (FiloObjectEvent){ 0 };
    desc.reads[0] = (FiloTerm)FILO_READ(Shown);
    refuse_kind(world, &desc,
                "kind \"cell\": register the component Shown before, with filo_component; kinds");
    desc.reads[0] = (FiloTerm)FILO_READ(Distant);
    refuse_kind(world, &desc,
                "kind \"cell\": register the component Distant before, with far_register(world); kinds");
    desc.reads[0] = (FiloTerm)FILO_WRITE(Loud);
    refuse_kind(world, &desc, "kind \"cell\": Loud can only be read here");
    desc.reads[0] = (FiloTerm)FILO_READ(Loud);
    desc.shows[0] = (FiloTerm)FILO_READ(Loud);
    refuse_kind(world, &desc, "kind \"cell\": what it shows it writes: FILO_WRITE(Loud)");
    desc.shows[0] = (FiloTerm)FILO_WRITE(Loud);
    refuse_kind(world, &desc, "kind \"cell\" has Loud in .reads and in .shows");
    desc.shows[0] = (FiloTerm)FILO_WRITE(Cell);
    refuse_kind(world, &desc, "Cell is a state, which only its objects write");
    desc.shows[0] = (FiloTerm){ 0 };
    desc.views[0].terms[0] = (FiloTerm)FILO_WRITE(Loud);
    refuse_kind(world, &desc, "kind \"cell\": Loud can only be read here");
    desc.views[0].terms[0] = (FiloTerm)FILO_READ(Loud);
    (void)add_kind(world, &desc);
    refuse_kind(world, &desc, "there is a kind \"cell\" already");
    desc.name = "other";
    refuse_kind(world, &desc, "Cell is the state of kind \"cell\" already");
    assert_int_equal(filo_component_of(world, FILO_TYPE(Ball)).id, 0);
    fixture_close(&fixture);
}

FILO_TEST(the_capacity_of_an_event_is_the_same_for_all_kinds) {
    Fixture fixture = fixture_open(0);
    add_balls(fixture.world);
    FiloObjectDesc desc = {
        .name = "cell", .state = FILO_STATE_OF(Cell), .step = step_cell, .events = { FILO_TAKES(Kick, 5) }
    };
    refuse_kind(fixture.world, &desc,
                "kind \"cell\": FILO_TAKES(Kick, 5), but elsewhere in this world it is 4");
    desc.events[0].capacity = 4;
    (void)add_kind(fixture.world, &desc);
    fixture_close(&fixture);
}

FILO_TEST(a_state_that_was_registered_before_must_have_what_its_kind_needs) {
    Fixture fixture = fixture_open(0);
    filo_component(fixture.world, Shown);
    filo_component(fixture.world, Ball, .double_buffered = true);
    filo_component(fixture.world, Cell, .double_buffered = true);
    FiloObjectDesc desc = ball_desc();
    refuse_kind(fixture.world, &desc, "Ball is registered already, without the components that objects");
    assert_int_equal(filo_system_named(fixture.world, "objects.ball").id, 0);
    desc = (FiloObjectDesc){ .name = "cell", .state = FILO_STATE_OF(Cell), .step = step_cell };
    (void)add_kind(fixture.world, &desc); // it needs nothing
    fixture_close(&fixture);
}

FILO_TEST(a_kind_has_at_most_as_many_components_as_a_query) {
    Fixture fixture = fixture_open(0);
    filo_component(fixture.world, Loud);
    FiloObjectDesc desc = { .name = "cell", .state = FILO_STATE_OF(Cell), .step = step_cell };
    for (size_t i = 0; i < FILO_OBJECT_TERMS; i++) desc.reads[i] = (FiloTerm)FILO_READ(Loud);
    filo_component(fixture.world, Shown);
    desc.shows[0] = desc.shows[1] = desc.shows[2] = (FiloTerm)FILO_WRITE(Shown);
    refuse_kind(fixture.world, &desc, "kind \"cell\" has too many components");
    fixture_close(&fixture);
}

FILO_TEST(the_convenient_function_reports_an_error_as_a_mistake) {
    Fixture fixture = fixture_open(0);
    expect_fault(
        "kind \"cell\" has no .step and no .network",
        assert_int_equal(
            filo_object_kind(fixture.world, &(FiloObjectDesc){ .name = "cell", .state = FILO_STATE_OF(Cell) })
                .id,
            0));
    expect_fault("pass a world", assert_int_equal(filo_object_kind(NULL, NULL).id, 0));
    fixture_close(&fixture);
}

static void step_first_only(FiloIter *it) {
    if (it->count > 0) filo_write_next(it, Cell)[0] = filo_read(it, Cell)[0];
}
static void step_past(FiloIter *it) {
    Cell *past = (Cell *)(uintptr_t)filo_read(it, Cell);
    Cell *next = filo_write_next(it, Cell);
    for (size_t i = 0; i < it->count; i++) next[i] = past[i], past[i].value++;
}

FILO_TEST(debug_builds_report_a_state_that_is_not_written_and_a_past_that_is) {
    only_in_debug_builds();
    for (int wrong = 0; wrong < 2; wrong++) {
        Fixture fixture = fixture_open(0);
        (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "cell",
                                                         .state = FILO_STATE_OF(Cell),
                                                         .step = wrong == 0 ? step_first_only : step_past });
        for (int i = 0; i < 3; i++) filo_create(fixture.world, FILO_SET(Cell, .value = i));
        expect_fault(wrong == 0
                         ? "system \"objects.cell\" did not write the next Cell of entity 1"
                         : "system \"objects.cell\", or another one of its stage, changed the present Cell",
                     tick(&fixture));
        fixture_close(&fixture);
    }
}

FILO_TEST(kinds_that_show_the_same_component_have_different_objects) {
    only_in_debug_builds();
    Fixture fixture = fixture_open(0);
    add_balls(fixture.world);
    (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "cell",
                                                     .state = FILO_STATE_OF(Cell),
                                                     .step = step_with_user,
                                                     .user = &(int32_t){ 1 },
                                                     .shows = { FILO_WRITE(Shown) } });
    filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Shown));
    filo_create(fixture.world, FILO_ADD(Cell), FILO_ADD(Shown));
    tick(&fixture);
    filo_create(fixture.world, FILO_ADD(Ball), FILO_ADD(Cell), FILO_ADD(Shown));
    expect_fault("systems \"objects.ball\" and \"objects.cell\" run together, and both use Shown of entity 2",
                 tick(&fixture));
    fixture_close(&fixture);
}

FILO_TEST(what_one_kind_shows_another_one_cannot_look_at) {
    Fixture fixture = fixture_open(0);
    add_balls(fixture.world);
    FiloObjectKind kind;
    FiloObjectDesc desc = { .name = "cell",
                            .state = FILO_STATE_OF(Cell),
                            .step = step_cell,
                            .views[0].terms = { FILO_READ(Shown) } };
    expect_fault(
        "system \"objects.cell\" cannot run together with \"objects.ball\": one of them writes Shown",
        (void)filo_object_kind_add(&kind, fixture.world, &desc));
    assert_int_equal(kind.id, 0);
    desc.views[0].terms[0] = (FiloTerm)FILO_READ(Ball);
    (void)add_kind(fixture.world, &desc);
    fixture_close(&fixture);
}
