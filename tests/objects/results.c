// Results that come at any time pass through the program that records them; and what objects do to the window.

#include "objects/io_fixture.h"

#include "support/warnings.h"

// ---- Results ------------------------------------------------------------------------------------------------

typedef struct Recorded {
    uint64_t tick;
    FiloEntity object;
    Answer answer;
} Recorded;

typedef struct Recording {
    FiloWorld *world;
    Recorded results[64];
    size_t count;
} Recording;

static void record(FiloEntity object, const FiloType *type, const void *value, void *user) {
    Recording *recording = user;
    assert_ptr_equal(type, FILO_TYPE(Answer));
    recording->results[recording->count++] =
        (Recorded){ filo_world_ticks(recording->world), object, *(const Answer *)value };
    filo_objects_result(recording->world, object, type, value);
}

FILO_TEST(a_recording_of_results_replays_without_running_functions) {
    Asking asking = { .function = answer, .every = 5, .delay_us = 700 };
    Fixture fixture = fixture_open(2, &asking, 3);
    Recording recording = { .world = fixture.world };
    filo_objects_set_results(fixture.world, record, &recording, false);
    for (int i = 0; i < 40; i++) {
        filo_objects_poll(fixture.world);
        ticks(&fixture, 1);
        usleep(500);
    }
    uint64_t hash = filo_world_hash(fixture.world);
    assert_true(recording.count > 3);
    fixture_close(&fixture);

    for (int threads = 0; threads <= 4; threads += 2) {
        fixture = fixture_open(threads, &asking, 3);
        Recording none = { .world = fixture.world };
        filo_objects_set_results(fixture.world, record, &none, true);
        for (size_t i = 0, at = 0; i < 40; i++) {
            filo_objects_poll(fixture.world);
            for (; at < recording.count && recording.results[at].tick == i; at++)
                filo_objects_result(fixture.world, recording.results[at].object, FILO_TYPE(Answer),
                                    &recording.results[at].answer);
            ticks(&fixture, 1);
        }
        assert_int_equal(none.count, 0);
        assert_true(filo_world_hash(fixture.world) == hash);
        fixture_close(&fixture);
    }
}

FILO_TEST(results_with_a_tick_are_not_recorded) {
    Asking asking = { .function = answer, .ticks = 2 };
    Fixture fixture = fixture_open(2, &asking, 3);
    Recording recording = { .world = fixture.world };
    filo_objects_set_results(fixture.world, record, &recording, true);
    ticks(&fixture, 3);
    assert_int_equal(recording.count, 0);
    assert_int_equal(asker_of(&fixture, 2).answers, 1);
    fixture_close(&fixture);
}

FILO_TEST(events_are_found_by_name) {
    Asking asking = { 0 };
    Fixture fixture = fixture_open(0, &asking, 1);
    assert_ptr_equal(filo_objects_event_named(fixture.world, "Answer"), FILO_TYPE(Answer));
    assert_null(filo_objects_event_named(fixture.world, "Question"));
    expect_fault("pass a world", assert_null(filo_objects_event_named(NULL, NULL)));
    fixture_close(&fixture);
}

FILO_TEST(a_world_without_objects_has_no_results) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_objects_poll(world);
    uint64_t hash = filo_world_hash(world);
    filo_objects_set_results(world, record, NULL, false);
    filo_objects_poll(world);
    assert_true(filo_world_hash(world) == hash);
    filo_world_destroy(world);
}

// ---- The window ---------------------------------------------------------------------------------------------

static void act(FiloIter *it) {
    if (it->tick == 1)
        filo_object_window(it, &(FiloWindowAction){ .kind = FILO_WINDOW_TITLE, .text = "Hello" });
}

static void note(const FiloEvent *event, void *user) {
    *(FiloWindowAction *)user = *(const FiloWindowAction *)event->payload;
}

FILO_TEST(an_action_on_the_window_is_an_event) {
    Asking asking = { 0 };
    Fixture fixture = fixture_open(2, &asking, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "act", .run = act });
    FiloWindowAction seen = { .kind = FILO_WINDOW_QUIT };
    expect_no_warning(ticks(&fixture, 3)); // without a handler it does nothing
    fixture_close(&fixture);

    fixture = fixture_open(2, &asking, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "act", .run = act });
    filo_events_subscribe(fixture.events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_WINDOW),
                                                              .type = FILO_TYPE(FiloWindowAction),
                                                              .function = note,
                                                              .user = &seen });
    ticks(&fixture, 1);
    assert_int_equal(seen.kind, FILO_WINDOW_QUIT);
    ticks(&fixture, 1);
    assert_int_equal(seen.kind, FILO_WINDOW_TITLE);
    assert_string_equal(seen.text, "Hello");
    fixture_close(&fixture);
}

FILO_TEST(a_window_needs_events) {
    Asking asking = { 0 };
    Fixture fixture = fixture_open(0, &asking, 1);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "act", .run = act });
    ticks(&fixture, 1);
    expect_fault("a world that was created with .events", ticks(&fixture, 1));
    expect_fault("pass the iteration", filo_object_window(NULL, NULL));
    fixture_close(&fixture);
}
