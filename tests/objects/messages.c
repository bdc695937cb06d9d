// Events to objects.

#include "objects/fixture.h"
#include "support/warnings.h"

static const Ball *ball_of(const Fixture *fixture, FiloEntity ball) {
    return filo_get(fixture->world, ball, Ball);
}

static FiloEntity create_ball(Fixture *fixture, float height) {
    return filo_create(fixture->world, FILO_SET(Ball, .height = height), FILO_ADD(Shown));
}

FILO_TEST(an_event_is_seen_in_one_tick_only) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity ball = create_ball(&fixture, 0), other = create_ball(&fixture, 0);
    assert_true(filo_object_send(fixture.world, ball, Kick, 2));
    assert_true(filo_object_send(fixture.world, ball, Kick, 4));
    for (int i = 0; i < 3; i++) tick(&fixture);
    assert_int_equal(ball_of(&fixture, ball)->kicks, 2);
    assert_true(ball_of(&fixture, ball)->speed == 6);
    assert_int_equal(ball_of(&fixture, other)->kicks, 0);
    fixture_close(&fixture);
}

// ---- Order --------------------------------------------------------------------------------------------------

// Logs the events that it takes, and sends some to the logger.
#define NOTES 256
typedef struct Logger {
    int32_t count, notes[NOTES];
} Logger;
FILO_REFLECT(Logger, FILO_FIELD(int32_t, count), FILO_FIELD(int32_t, notes))
typedef struct Note {
    int32_t number;
} Note;
FILO_REFLECT(Note, FILO_FIELD(int32_t, number))
typedef struct Sender {
    FiloEntity logger;
    int32_t number;
} Sender;
FILO_REFLECT(Sender, FILO_FIELD(FiloEntity, logger), FILO_FIELD(int32_t, number))

static void step_logger(FiloIter *it) {
    const Logger *past = filo_read(it, Logger);
    Logger *next = filo_write_next(it, Logger);
    for (size_t i = 0; i < it->count; i++) {
        size_t count;
        const Note *note = filo_object_events(it, i, Note, &count);
        next[i] = past[i];
        for (size_t k = 0; k < count && next[i].count < NOTES; k++)
            next[i].notes[next[i].count++] = note[k].number;
    }
}
static void step_sender(FiloIter *it) {
    const Sender *past = filo_read(it, Sender);
    Sender *next = filo_write_next(it, Sender);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        assert_true(filo_object_send(it, past[i].logger, Note, past[i].number));
        assert_true(filo_object_send(it, past[i].logger, Note, past[i].number + 1));
    }
}
static void send_from_system(FiloIter *it) {
    const FiloEntity *logger = it->user;
    assert_true(filo_object_send(it, *logger, Note, 1000 + (int32_t)it->tick));
}

static void add_loggers(FiloWorld *world) {
    (void)add_kind(
        world, &(FiloObjectDesc){ .name = "sender", .state = FILO_STATE_OF(Sender), .step = step_sender });
    (void)add_kind(world, &(FiloObjectDesc){ .name = "logger",
                                             .state = FILO_STATE_OF(Logger),
                                             .step = step_logger,
                                             .events = { FILO_TAKES(Note, 128) } });
}

FILO_TEST(events_are_in_the_order_of_systems_rows_and_calls) {
    for (int threads = 0; threads <= 16; threads = threads == 0 ? 1 : threads * 2) {
        Fixture fixture = fixture_open(threads);
        FiloEntity logger;
        filo_system_add(fixture.world,
                        &(FiloSystemDesc){ .name = "first", .run = send_from_system, .user = &logger });
        add_loggers(fixture.world);
        filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "last",
                                                          .run = send_from_system,
                                                          .user = &logger,
                                                          .phase = FILO_PHASE_EXTRACT });
        logger = filo_create(fixture.world, FILO_ADD(Logger));
        for (int i = 0; i < 40; i++)
            filo_create(fixture.world, FILO_SET(Sender, .logger = logger, .number = 10 * i));
        tick(&fixture);
        assert_int_equal(filo_get(fixture.world, logger, Logger)->count, 0); // they see them in the next tick
        tick(&fixture);
        const Logger *log = filo_get(fixture.world, logger, Logger);
        assert_int_equal(log->count, 82);
        assert_int_equal(log->notes[0], 1000);
        for (int i = 0; i < 40; i++) {
            assert_int_equal(log->notes[1 + 2 * i], 10 * i);
            assert_int_equal(log->notes[2 + 2 * i], 10 * i + 1);
        }
        assert_int_equal(log->notes[81], 1000);
        fixture_close(&fixture);
    }
}

FILO_TEST(an_event_from_a_system_of_an_earlier_phase_is_seen_in_the_next_tick_too) {
    Fixture fixture = fixture_open(2);
    FiloEntity logger;
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "early",
                                                      .run = send_from_system,
                                                      .user = &logger,
                                                      .phase = FILO_PHASE_INPUT });
    add_loggers(fixture.world);
    logger = filo_create(fixture.world, FILO_ADD(Logger));
    for (int i = 0; i < 3; i++) {
        tick(&fixture);
        assert_int_equal(filo_get(fixture.world, logger, Logger)->count, i);
    }
    fixture_close(&fixture);
}

// ---- Handlers -----------------------------------------------------------------------------------------------

static void note_event(FiloIter *it, const FiloEvent *event) {
    assert_true(filo_object_send(it, *(const FiloEntity *)it->user, Note, *(const int32_t *)event->payload));
}

static void record_event(FiloIter *it) {
    filo_event_record(it->events, filo_name("noted"), FILO_TYPE(Note), &(Note){ 7 });
}

FILO_TEST(handlers_send_events_and_nothing_is_pending_between_ticks) {
    Fixture fixture = fixture_open(2);
    FiloEntity logger;
    add_loggers(fixture.world);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "record", .run = record_event, .every = 100 });
    filo_world_handle(fixture.world, &(FiloWorldHandlerDesc){
                                         .event = filo_name("noted"), .run = note_event, .user = &logger });
    logger = filo_create(fixture.world, FILO_ADD(Logger));
    tick(&fixture); // the handler is called after the last stage
    uint64_t hash = filo_world_hash(fixture.world);
    tick(&fixture);
    assert_true(hash != filo_world_hash(fixture.world));
    assert_int_equal(filo_get(fixture.world, logger, Logger)->count, 1);
    assert_int_equal(filo_get(fixture.world, logger, Logger)->notes[0], 7);
    // Between ticks: in the inbox at once, so that a snapshot has it.
    filo_events_emit(fixture.events, filo_name("noted"), FILO_TYPE(Note), &(Note){ 8 });
    filo_events_deliver(fixture.events);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, logger, Logger)->notes[1], 8);
    assert_ok(filo_snapshot_restore(snapshot, fixture.world));
    assert_int_equal(filo_get(fixture.world, logger, Logger)->count, 1);
    tick(&fixture);
    assert_int_equal(filo_get(fixture.world, logger, Logger)->count, 2);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

// ---- What does not arrive -------------------------------------------------------------------------------------

static void send_five(FiloIter *it) {
    for (int i = 0; i < 5; i++) assert_true(filo_object_send(it, *(const FiloEntity *)it->user, Kick, 1));
}

FILO_TEST(more_events_than_an_object_may_get_are_dropped_and_reported) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity ball = create_ball(&fixture, 0);
    for (int i = 0; i < 4; i++) assert_true(filo_object_send(fixture.world, ball, Kick, 1));
    expect_warning("an event Kick to entity 0 was dropped: it has 4 of them already",
                   filo_object_send(fixture.world, ball, Kick, 100));
    tick(&fixture);
    assert_true(ball_of(&fixture, ball)->speed == 4);
    // In a tick, the first four count.
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "five", .run = send_five, .user = &ball });
    expect_warning("FILO_TAKES(Kick, 4) allows no more (2 so far)", tick(&fixture));
    tick(&fixture); // the third one is not logged
    assert_int_equal(ball_of(&fixture, ball)->kicks, 8);
    fixture_close(&fixture);
}

static void send_to_user(FiloIter *it) { (void)filo_object_send(it, *(const FiloEntity *)it->user, Kick, 1); }

FILO_TEST(an_object_that_has_ended_gets_nothing_and_that_is_no_mistake) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity ball = create_ball(&fixture, -200), later = create_ball(&fixture, 0);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "send", .run = send_to_user, .user = &ball });
    tick(&fixture); // it is sent to in the tick in which it ends
    assert_false(filo_entity_exists(fixture.world, ball));
    tick(&fixture); // and after that
    assert_true(filo_object_send(fixture.world, ball, Kick, 1));
    expect_fault("event Kick is sent to {0}",
                 (void)filo_object_send(fixture.world, FILO_ENTITY_NONE, Kick, 1));
    assert_int_equal(ball_of(&fixture, later)->kicks, 0);
    fixture_close(&fixture);
}

FILO_TEST(sending_to_an_entity_that_does_not_take_the_event_is_a_mistake) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    FiloEntity stone = filo_create(fixture.world, FILO_ADD(Shown));
    expect_fault("an event Kick was sent to entity 0, which does not take such events",
                 assert_false(filo_object_send(fixture.world, stone, Kick, 1)));
    expect_fault("no kind of objects in this world takes events Note",
                 assert_false(filo_object_send(fixture.world, stone, Note, 1)));
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "send", .run = send_to_user, .user = &stone });
    expect_fault("an event Kick was sent to entity 0, which does not take such events", tick(&fixture));
    fixture_close(&fixture);
}

static void send_wrongly(FiloIter *it) {
    FiloEntity made = filo_create(it->changes, FILO_ADD(Ball), FILO_ADD(Shown));
    assert_false(filo_object_send(it, made, Kick, 1));
}

FILO_TEST(an_object_that_is_being_created_cannot_be_sent_to) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    filo_system_add(fixture.world, &(FiloSystemDesc){ .name = "send", .run = send_wrongly });
    expect_fault("cannot be sent to an entity that was created in this phase", tick(&fixture));
    fixture_close(&fixture);
}

static void read_wrongly(FiloIter *it) {
    const Ball *past = filo_read(it, Ball);
    Ball *next = filo_write_next(it, Ball);
    for (size_t i = 0; i < it->count; i++) next[i] = past[i];
    size_t count = 7;
    expect_fault("kind \"ball\" takes no events Note: add FILO_TAKES(Note, …)",
                 assert_null(filo_object_events(it, 0, Note, &count)));
    assert_int_equal(count, 0);
    expect_fault("pass a row of the iterator that the step of kind \"ball\" was called with",
                 assert_null(filo_object_events(it, it->count, Kick, &count)));
    FiloIter all = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&all))
        expect_fault("pass a row of the iterator that the step of kind \"ball\" was called with",
                     assert_null(filo_object_events(&all, 0, Kick, &count)));
    expect_fault("there is no row", filo_object_kill(it, it->count));
}

FILO_TEST(events_are_read_in_the_step_of_a_kind_that_takes_them) {
    Fixture fixture = fixture_open(0);
    (void)add_kind(fixture.world, &(FiloObjectDesc){ .name = "ball",
                                                     .state = FILO_STATE_OF(Ball),
                                                     .step = read_wrongly,
                                                     .events = { FILO_TAKES(Kick, 2) },
                                                     .views[0].terms = { FILO_READ(Ball) } });
    filo_create(fixture.world, FILO_ADD(Ball));
    tick(&fixture);
    size_t count;
    expect_fault("events of an object are read in the step of its kind",
                 assert_null(filo_object_events_of(&(FiloIter){ 0 }, 0, FILO_TYPE(Kick), &count)));
    expect_fault("end an object in the step of its kind", filo_object_kill(NULL, 0));
    expect_fault("send events in a system with its iterator",
                 assert_false(filo_object_send_in(NULL, FILO_ENTITY_NONE, NULL, NULL)));
    expect_fault("pass a world", assert_false(filo_object_send_between(NULL, FILO_ENTITY_NONE, NULL, NULL)));
    fixture_close(&fixture);
}

// A kind of which some objects were destroyed, moved between tables, and restored has the right inboxes.
FILO_TEST(inboxes_follow_their_objects) {
    Fixture fixture = fixture_open(2);
    add_balls(fixture.world);
    add_loggers(fixture.world);
    FiloEntity balls[50];
    for (int i = 0; i < 50; i++) balls[i] = create_ball(&fixture, (float)i);
    for (int i = 0; i < 50; i++) assert_true(filo_object_send(fixture.world, balls[i], Kick, (float)i));
    for (int i = 0; i < 50; i += 3) filo_add(fixture.world, balls[i], Logger); // another table
    for (int i = 1; i < 50; i += 7) filo_entity_destroy(fixture.world, balls[i]);
    tick(&fixture);
    for (int i = 0; i < 50; i++)
        if (i % 7 != 1) assert_true(ball_of(&fixture, balls[i])->speed == (float)i);
    fixture_close(&fixture);
}
