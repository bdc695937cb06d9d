// Game states: when they change, and which systems run.

#include "ecs/schedule_access.h"
#include "ecs/states_fixture.h"
#include "ecs/system_log.h"
#include "support/malloc_count.h"

STATES_FIXTURE_TYPES

// ---- When -----------------------------------------------------------------------------------------------

FILO_TEST(the_initial_state_is_entered_in_the_first_tick) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "run", .in_state = { TITLE });
    add_logging(&fixture, &log, "enter", .on_enter = { TITLE });
    add_logging(&fixture, &log, "leave", .on_leave = { TITLE });
    add_logging(&fixture, &log, "rise", .on_enter = { SUN });
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    assert_int_equal(filo_state(fixture.world, Weather), WEATHER_SUN);
    expect_log(&log, "");
    tick(&fixture);
    expect_log(&log, "enter rise run ");
    tick(&fixture);
    expect_log(&log, "run ");
    fixture_close(&fixture);
}

FILO_TEST(states_begin_with_the_given_initial_state) {
    Fixture fixture = fixture_open(0);
    Log log = { 0 };
    assert_true(filo_states(fixture.world, Screen, .initial = SCREEN_PAUSED));
    assert_true(filo_states(fixture.world, Weather, .initial = WEATHER_RAIN));
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PAUSED);
    assert_int_equal(filo_state(fixture.world, Weather), WEATHER_RAIN);
    add_logging(&fixture, &log, "wet", .on_enter = { RAIN });
    tick(&fixture);
    expect_log(&log, "wet ");
    fixture_close(&fixture);
}

FILO_TEST(leave_systems_run_before_enter_systems_and_both_before_the_others) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "game", .in_state = { PLAYING });
    add_logging(&fixture, &log, "menu", .in_state = { TITLE });
    add_logging(&fixture, &log, "into game", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "out of menu", .on_leave = { TITLE });
    add_logging(&fixture, &log, "always");
    tick(&fixture);
    expect_log(&log, "menu always ");
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "out of menu into game game always ");
    tick(&fixture);
    expect_log(&log, "game always ");
    fixture_close(&fixture);
}

static void request_playing(FiloIter *it) {
    assert_true(filo_set_state(it->changes, Screen, SCREEN_PLAYING));
    assert_int_equal(filo_state(it->world, Screen), SCREEN_TITLE);
    assert_int_equal(filo_next_state(it->world, Screen), SCREEN_TITLE); // not applied yet
}

static void log_state(FiloIter *it) {
    FiloValue value = { FILO_TYPE(Screen), NULL, &(Screen){ filo_state(it->world, Screen) }, 0 };
    char text[20];
    filo_reflect_print(value, text, sizeof text);
    log_add(it->user, "%s ", text);
}

FILO_TEST(a_state_requested_by_a_system_applies_from_the_next_tick) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "ask", .run = request_playing, .in_state = { TITLE } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "log", .run = log_state, .user = &log, .phase = 1 });
    tick(&fixture);
    expect_log(&log, "title ");
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PLAYING);
    tick(&fixture);
    expect_log(&log, "playing ");
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PLAYING);
    fixture_close(&fixture);
}

static void request(FiloIter *it) { filo_set_state(it->changes, Screen, *(const Screen *)it->user); }

// Both record in one stage: the order of systems decides, not the order of completion.
FILO_TEST(the_last_of_several_requests_wins) {
    static Screen screens[] = { SCREEN_PLAYING, SCREEN_OVER, SCREEN_PAUSED };
    for (int rotation = 0; rotation < 3; rotation++) {
        Fixture fixture = states_open(4);
        divide_eagerly(fixture.world, true);
        const char *names[] = { "a", "b", "c" };
        for (int i = 0; i < 3; i++)
            filo_system_add(
                fixture.world,
                &(FiloSystemDesc){ .name = names[i], .run = request, .user = &screens[(i + rotation) % 3] });
        for (int i = 0; i < 20; i++) {
            tick(&fixture);
            assert_int_equal(filo_next_state(fixture.world, Screen), screens[(2 + rotation) % 3]);
        }
        fixture_close(&fixture);
    }
}

FILO_TEST(between_ticks_the_last_request_wins_and_can_cancel_others) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "leave", .on_leave = { TITLE });
    tick(&fixture);
    filo_set_state(fixture.world, Screen, SCREEN_OVER);
    filo_set_state(fixture.world, Screen, SCREEN_PLAYING);
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PLAYING);
    filo_restart_state(fixture.world, Screen, SCREEN_TITLE);
    filo_set_state(fixture.world, Screen, SCREEN_TITLE); // the current state: cancels the request
    tick(&fixture);
    expect_log(&log, "");
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 2);
    fixture_close(&fixture);
}

static void on_hit(FiloIter *it, const FiloEvent *event) {
    (void)event;
    filo_set_state(it->changes, Screen, SCREEN_OVER);
}

static void record_hit(FiloIter *it) { filo_event_record(it->events, filo_name("hit"), NULL, NULL); }

FILO_TEST(a_handler_requests_like_a_system_in_ticks_and_between_them) {
    Fixture fixture = states_open(1);
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .event = filo_name("hit"), .run = on_hit });
    FiloSystemId hit = filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "hit", .run = record_hit });
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    filo_system_remove(fixture.world, hit);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_OVER);
    change_screen(&fixture, SCREEN_TITLE);
    filo_events_emit(fixture.events, filo_name("hit"), NULL, NULL); // delivered before states change
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_OVER);
    change_screen(&fixture, SCREEN_TITLE);
    filo_events_emit_now(fixture.events, filo_name("hit"), NULL, NULL);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_OVER);
    fixture_close(&fixture);
}

FILO_TEST(a_user_change_set_requests_a_state_when_it_is_applied) {
    Fixture fixture = states_open(0);
    FiloChanges *changes = filo_changes_create(fixture.world);
    tick(&fixture);
    assert_true(filo_set_state(changes, Screen, SCREEN_PLAYING));
    assert_true(filo_set_state(changes, Weather, WEATHER_RAIN));
    tick(&fixture);
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_TITLE);
    assert_true(filo_changes_apply(changes));
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PLAYING);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PLAYING);
    assert_int_equal(filo_state(fixture.world, Weather), WEATHER_RAIN);
    filo_changes_destroy(changes);
    fixture_close(&fixture);
}

FILO_TEST(a_state_has_its_duration_and_previous_state) {
    Fixture fixture = states_open(0);
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 0);
    assert_int_equal(filo_previous_state(fixture.world, Screen), SCREEN_TITLE);
    for (unsigned i = 1; i <= 5; i++) {
        tick(&fixture);
        assert_int_equal(filo_state_ticks(fixture.world, Screen), i);
    }
    change_screen(&fixture, SCREEN_PLAYING);
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 1);
    assert_int_equal(filo_state_ticks(fixture.world, Weather), 6);
    assert_int_equal(filo_previous_state(fixture.world, Screen), SCREEN_TITLE);
    change_screen(&fixture, SCREEN_PAUSED);
    assert_int_equal(filo_previous_state(fixture.world, Screen), SCREEN_PLAYING);
    fixture_close(&fixture);
}

static void log_transition(FiloIter *it) {
    log_add(it->user, "%d>%d:%d,%d ", (int)filo_previous_state(it->world, Screen),
            (int)filo_next_state(it->world, Screen), (int)filo_state(it->world, Screen),
            (int)filo_state_ticks(it->world, Screen));
}

FILO_TEST(systems_see_the_previous_and_next_state_of_a_change) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "leave", .run = log_transition, .user = &log, .on_leave = { PLAYING } });
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "enter", .run = log_transition, .user = &log, .on_enter = { OVER } });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    tick(&fixture);
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "0>3:1,2 1>3:3,0 "); // the old state is current in leave systems
    fixture_close(&fixture);
}

// ---- Lists ----------------------------------------------------------------------------------------------

FILO_TEST(a_system_may_run_in_several_states_of_several_sets) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "game", .in_state = { PLAYING, OVER });
    add_logging(&fixture, &log, "umbrella", .in_state = { PLAYING, RAIN, PAUSED });
    tick(&fixture);
    expect_log(&log, "");
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "game ");
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    tick(&fixture);
    expect_log(&log, "game umbrella ");
    change_screen(&fixture, SCREEN_PAUSED);
    expect_log(&log, "umbrella ");
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "game ");
    fixture_close(&fixture);
}

// For instance a level, which stays while the game is paused.
FILO_TEST(a_list_of_states_is_entered_and_left_as_one) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "build", .on_enter = { PLAYING, PAUSED });
    add_logging(&fixture, &log, "tear down", .on_leave = { PLAYING, PAUSED });
    add_logging(&fixture, &log, "resume", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "both", .on_enter = { PAUSED }, .on_leave = { PAUSED });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "build resume ");
    change_screen(&fixture, SCREEN_PAUSED);
    expect_log(&log, "both ");
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "both resume ");
    change_screen(&fixture, SCREEN_PAUSED);
    expect_log(&log, "both ");
    change_screen(&fixture, SCREEN_TITLE);
    expect_log(&log, "tear down both ");
    change_screen(&fixture, SCREEN_PAUSED);
    expect_log(&log, "build both ");
    fixture_close(&fixture);
}

FILO_TEST(states_of_several_sets_are_entered_when_the_last_set_matches) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "in", .on_enter = { PLAYING, RAIN });
    add_logging(&fixture, &log, "out", .on_leave = { PLAYING, RAIN });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "");
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    tick(&fixture);
    expect_log(&log, "in ");
    change_screen(&fixture, SCREEN_OVER);
    expect_log(&log, "out ");
    filo_set_state(fixture.world, Weather, WEATHER_SUN);
    tick(&fixture);
    expect_log(&log, "");
    // Both change in one tick: first the screen, then the weather completes the list.
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "in ");
    filo_set_state(fixture.world, Weather, WEATHER_SUN);
    change_screen(&fixture, SCREEN_TITLE);
    expect_log(&log, "out ");
    fixture_close(&fixture);
}

FILO_TEST(sets_change_in_the_order_of_registration) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "rain", .on_enter = { RAIN });
    add_logging(&fixture, &log, "dry", .on_leave = { SUN });
    add_logging(&fixture, &log, "play", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "title", .on_leave = { TITLE });
    tick(&fixture);
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "title play dry rain ");
    fixture_close(&fixture);
}

FILO_TEST(a_restart_leaves_and_enters_everything) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "build", .on_enter = { PLAYING, PAUSED });
    add_logging(&fixture, &log, "tear down", .on_leave = { PLAYING, PAUSED });
    add_logging(&fixture, &log, "resume", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "menu", .on_leave = { PAUSED });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "build resume ");
    filo_restart_state(fixture.world, Screen, SCREEN_PLAYING);
    tick(&fixture);
    expect_log(&log, "tear down build resume ");
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 1);
    assert_int_equal(filo_previous_state(fixture.world, Screen), SCREEN_PLAYING);
    change_screen(&fixture, SCREEN_PAUSED);
    log = (Log){ 0 };
    filo_restart_state(fixture.world, Screen, SCREEN_PLAYING); // as from a pause menu
    tick(&fixture);
    expect_log(&log, "tear down menu build resume ");
    tick(&fixture);
    expect_log(&log, ""); // only once
    fixture_close(&fixture);
}

static void always_ask(FiloIter *it) { filo_set_state(it->changes, Screen, SCREEN_OVER); }

FILO_TEST(a_request_for_the_current_state_changes_nothing) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "enter", .on_enter = { OVER });
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "ask", .run = always_ask });
    for (int i = 0; i < 10; i++) tick(&fixture);
    expect_log(&log, "enter ");
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 9);
    fixture_close(&fixture);
}

static void ask_for_next(FiloIter *it) {
    Screen now = filo_state(it->world, Screen);
    log_add(it->user, "%d ", (int)now);
    filo_set_state(it->changes, Screen, (Screen)((now + 1) % 4));
}

FILO_TEST(requests_made_during_a_state_change_apply_in_the_next_tick) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "on",
                                                      .run = ask_for_next,
                                                      .user = &log,
                                                      .on_enter = { PLAYING },
                                                      .on_leave = { TITLE } });
    filo_system_add(fixture.world,
                    &(FiloSystemDesc){ .name = "rain", .run = always_ask, .on_enter = { RAIN } });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "0 1 "); // on leaving the title, then on entering playing
    assert_int_equal(filo_next_state(fixture.world, Screen), SCREEN_PAUSED);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PAUSED);
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_PAUSED);
    tick(&fixture);
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_OVER);
    fixture_close(&fixture);
}

// ---- Systems that run when states change ----------------------------------------------------------------

static void create_some(FiloIter *it) {
    for (int i = 0; i < 3; i++)
        filo_set(it->changes, filo_changes_create_entity(it->changes), Position, (float)i, 0);
    if (it->events != NULL)
        filo_event_record(it->events, filo_name("hit"), FILO_TYPE(Hit), &(Hit){ .damage = 4 });
}

static void take_damage(FiloIter *it, const FiloEvent *event) {
    filo_edit_global(it->world, Score)->points += ((const Hit *)event->payload)->damage;
}

static void log_score(FiloIter *it) {
    log_add(it->user, "score %d ", (int)filo_read_global(it, Score)->points);
}

FILO_TEST(changes_of_an_enter_or_leave_system_are_applied_before_the_next_one) {
    Fixture fixture = states_open(2);
    Log log = { 0 };
    const FiloSystemDesc systems[] = {
        { "count", count_positions, .user = &log, .query.terms = { FILO_READ(Position) },
          .on_enter = { PLAYING } },
        { "log", log_score, .user = &log, .query.terms = { FILO_READ(Score) }, .on_enter = { PLAYING },
          .after = { "create" } },
        { "create", create_some, .on_enter = { PLAYING }, .before = { "count" } },
        { "ordinary", count_positions, .user = &log, .query.terms = { FILO_READ(Position) },
          .in_state = { PLAYING } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(fixture.world, &systems[i]);
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){ .event = filo_name("hit"),
                                                              .run = take_damage,
                                                              .extra_access = { FILO_WRITE(Score) } });
    tick(&fixture);
    expect_log(&log, "");
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "3 score 4 3 "); // events are delivered in between
    fixture_close(&fixture);
}

FILO_TEST(enter_and_leave_systems_run_by_phase_and_then_by_declared_order) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "late", .on_enter = { PLAYING }, .phase = 5);
    add_logging(&fixture, &log, "c", .on_enter = { PLAYING }, .after = { "a" });
    add_logging(&fixture, &log, "b", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "a", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "input", .phase = FILO_PHASE_INPUT, .after = { "late" });
    tick(&fixture);
    log = (Log){ 0 };
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "b a c late input ");
    assert_int_equal(filo_system_stats(fixture.world, filo_system_named(fixture.world, "a")).stage,
                     UINT32_MAX);
    assert_int_equal(filo_system_stats(fixture.world, filo_system_named(fixture.world, "input")).stage, 0);
    fixture_close(&fixture);
}

FILO_TEST(enter_and_leave_systems_cannot_run_after_tick_systems) {
    static const char message[] =
        "system \"b\" is to run after \"a\", but \"b\" runs when states change, before all phases";
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .phase = FILO_PHASE_INPUT);
    FiloSystemId b = add_logging(&fixture, &log, "b", .phase = FILO_PHASE_AFTER, .on_enter = { PLAYING },
                                 .after = { "a" });
    expect_mistake(message, filo_world_tick(fixture.world, 1));
    filo_system_remove(fixture.world, b);
    add_logging(&fixture, &log, "b", .on_enter = { PLAYING });
    FiloSystemId c = add_logging(&fixture, &log, "c", .before = { "b" });
    expect_mistake(
        "system \"c\" is to run before \"b\", but \"b\" runs when states change, before all phases",
        filo_world_tick(fixture.world, 1));
    filo_system_remove(fixture.world, c);
    add_logging(&fixture, &log, "d", .on_leave = { PLAYING }, .phase = 3, .before = { "b" });
    expect_mistake("system \"d\" is to run before \"b\", but its phase 3 comes after phase 0",
                   filo_world_tick(fixture.world, 1));
    expect_log(&log, "");
    fixture_close(&fixture);
}

static bool is_allowed(const FiloWorld *world, void *user) {
    (void)world;
    return strncmp(((const Log *)user)->text, "no", 2) != 0;
}

FILO_TEST(enter_and_leave_systems_need_their_groups_conditions_and_rows) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "a", .on_enter = { PLAYING }, .groups = { "g" });
    add_logging(&fixture, &log, "b", .on_enter = { PLAYING }, .in_state = { RAIN });
    add_logging(&fixture, &log, "c", .on_enter = { PLAYING }, .condition = is_allowed);
    add_logging(&fixture, &log, "d", .on_enter = { PLAYING }, .disabled = true);
    add_logging(&fixture, &log, "e", .on_enter = { PLAYING }, .query.terms = { FILO_READ(Velocity) });
    add_logging(&fixture, &log, "f", .on_enter = { PLAYING }, .in_state = { PLAYING });
    add_logging(&fixture, &log, "g", .on_leave = { PLAYING }, .in_state = { PLAYING });
    add_logging(&fixture, &log, "h", .on_leave = { PLAYING }, .in_state = { TITLE });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "a c f ");
    change_screen(&fixture, SCREEN_TITLE);
    expect_log(&log, "g "); // the state that is left is current
    filo_world_set_group_enabled(fixture.world, "g", false);
    filo_set_state(fixture.world, Weather, WEATHER_RAIN);
    filo_system_set_enabled(fixture.world, filo_system_named(fixture.world, "d"), true);
    create_movers(&fixture, 2);
    tick(&fixture);
    log_add(&log, "no");
    change_screen(&fixture, SCREEN_PLAYING);
    expect_log(&log, "nob d e f ");
    fixture_close(&fixture);
}

static void count_changed(FiloIter *it) { *(size_t *)it->user += it->count; }

FILO_TEST(systems_of_states_see_changes_since_they_last_ran) {
    Fixture fixture = states_open(0);
    size_t rows = 0, entered = 0;
    create_movers(&fixture, 3);
    const FiloSystemDesc systems[] = {
        { "run", count_changed, .user = &rows, .query.terms = { FILO_READ_CHANGED(Position) },
          .in_state = { TITLE } },
        { "enter", count_changed, .user = &entered, .query.terms = { FILO_READ_CHANGED(Position) },
          .on_enter = { TITLE } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(fixture.world, &systems[i]);
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    assert_int_equal(rows, 3);
    assert_int_equal(entered, 3);
    change_screen(&fixture, SCREEN_TITLE);
    assert_int_equal(rows, 3); // nothing changed
    assert_int_equal(entered, 3);
    change_screen(&fixture, SCREEN_PLAYING);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Position));
    filo_edit(fixture.world, filo_query_first(query), Position)->x = 7;
    filo_query_release(query);
    tick(&fixture);
    change_screen(&fixture, SCREEN_TITLE);
    assert_int_equal(rows, 6);
    assert_int_equal(entered, 6);
    fixture_close(&fixture);
}

FILO_TEST(a_main_thread_system_of_any_state_requires_the_main_thread_in_all) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "draw", .in_state = { OVER }, .main_thread = true);
    assert_true(filo_world_needs_main_thread(fixture.world)); // the next tick may enter the state
    fixture_close(&fixture);
}

// ---- Worlds and memory ----------------------------------------------------------------------------------

FILO_TEST(resetting_a_world_returns_to_the_initial_state) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "enter", .on_enter = { TITLE });
    add_logging(&fixture, &log, "leave", .on_leave = { PLAYING });
    add_logging(&fixture, &log, "title", .in_state = { TITLE });
    tick(&fixture);
    change_screen(&fixture, SCREEN_PLAYING);
    filo_set_state(fixture.world, Screen, SCREEN_OVER);
    expect_log(&log, "enter title ");
    assert_ok(filo_world_reset(fixture.world, filo_world_seed(fixture.world)));
    assert_int_equal(filo_state(fixture.world, Screen), SCREEN_TITLE);
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 0);
    tick(&fixture);
    expect_log(&log, "enter title "); // no leave system runs
    assert_int_equal(filo_state_ticks(fixture.world, Screen), 1);
    fixture_close(&fixture);
}

FILO_TEST(the_schedule_shows_groups_and_states) {
    Fixture fixture = states_open(0);
    Log log = { 0 };
    add_logging(&fixture, &log, "move", .in_state = { PLAYING, PAUSED },
                .query.terms = { FILO_WRITE(Score) });
    add_logging(&fixture, &log, "think", .groups = { "minds", "night" });
    add_logging(&fixture, &log, "plain");
    add_logging(&fixture, &log, "read", .in_state = { TITLE, SUN }, .query.terms = { FILO_READ(Score) });
    add_logging(&fixture, &log, "build", .on_enter = { PLAYING });
    add_logging(&fixture, &log, "save", .on_leave = { PLAYING, OVER }, .groups = { "minds" });
    filo_world_set_group_enabled(fixture.world, "minds", false);
    char text[2000];
    filo_world_print_schedule(fixture.world, text, sizeof text);
    assert_string_equal(
        text, "states: build [enter Screen.playing], save [group minds, leave Screen.playing or "
              "Screen.over, off]\n"
              "stage 0 (update): move [in Screen.playing or Screen.paused, off], think [group minds, "
              "group night, off], plain\n"
              "stage 1 (update): read after move (Score) [in Screen.title or Weather.sun]\n");
    size_t length = filo_world_print_schedule(fixture.world, NULL, 0);
    assert_int_equal(length, strlen(text));
    filo_world_draw_schedule(fixture.world, text, sizeof text);
    assert_contains(text,
                    "subgraph cluster_states {\n        label=\"states\";\n"
                    "        \"build\" [label=\"build\\nenter Screen.playing\"];\n"
                    "        \"save\" [label=\"save\\ngroup minds, leave Screen.playing or Screen.over\"] "
                    "[style=dashed];\n    }\n");
    assert_contains(text,
                    "        \"think\" [label=\"think\\ngroup minds, group night\"] [style=dashed];\n        "
                    "\"plain\";\n");
    fixture_close(&fixture);
}

FILO_TEST(worlds_have_independent_states) {
    Fixture a = states_open(0), b = fixture_open(0);
    assert_true(filo_states(b.world, Weather)); // in another order
    assert_true(filo_states(b.world, Screen, .initial = SCREEN_OVER));
    tick(&a);
    tick(&b);
    change_screen(&a, SCREEN_PLAYING);
    assert_int_equal(filo_state(b.world, Screen), SCREEN_OVER);
    assert_int_equal(filo_state(b.world, Weather), WEATHER_SUN);
    fixture_close(&a);
    fixture_close(&b);
}

static void churn(FiloIter *it) {
    if (it->tick % 3 == 0) filo_set_state(it->changes, Screen, (Screen)(it->tick / 3 % 4));
    if (it->tick % 7 == 0) filo_set_group_enabled(it->changes, "g", it->tick % 14 == 0);
}

FILO_TEST(repeated_state_changes_allocate_nothing) {
    if (!FILO_TEST_COUNTS_MALLOC) skip();
    Fixture fixture = states_open(1);
    const FiloSystemDesc systems[] = {
        { .name = "churn", .run = churn },
        { "bind", create_bound, .on_enter = { PLAYING } },
        { "rows", do_nothing, .query.terms = { FILO_READ(Position) }, .in_state = { PLAYING, OVER },
          .groups = { "g" } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(fixture.world, &systems[i]);
    int steady = 0;
    for (int i = 0; i < 2000 && steady < 200; i++) {
        uint64_t before = filo_test_malloc_calls();
        tick(&fixture);
        steady = filo_test_malloc_calls() == before ? steady + 1 : 0;
    }
    assert_int_equal(steady, 200);
    fixture_close(&fixture);
}
