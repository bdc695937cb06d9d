// Pending events: reading, saving and restoring them.

#include "events/fixture.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

static void record(Fixture *f, uint32_t source, uint32_t target, uint64_t delay) {
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, f->events, source, 0);
    for (uint32_t i = 0; i < 2; i++) {
        Hit hit = { target + i, 1 };
        assert_true(filo_event_record_with(&recorder, &(FiloEmission){ .event = f->hit,
                                                                       .type = FILO_TYPE(Hit),
                                                                       .payload = &hit,
                                                                       .delay = i == 0 ? delay : 0 }));
    }
    filo_event_recorder_end(&recorder);
}

static void list_pending(Fixture *f, Log *log) {
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent pending; filo_events_next_pending(f->events, &cursor, &pending);) {
        const Hit *hit = pending.payload;
        log_add(log, "%s %u due %u%s\n", filo_name_text(pending.name), hit != NULL ? hit->target : 0,
                (unsigned)pending.due, pending.has_done ? " done" : "");
    }
}

static void done(const FiloEvent *event, void *user) { (void)event, (void)user; }

static void fill(Fixture *f) {
    filo_events_deliver(f->events);
    record(f, 7, 70, 2);
    record(f, 3, 30, 5);
    record(f, 5, 50, 0);
    emit_hit(f, 1);
    filo_events_emit_later(f->events, f->hit, FILO_TYPE(Hit), &(Hit){ 2, 1 }, 1);
    filo_events_emit_later(f->events, filo_name("bell"), NULL, NULL, 2);
    filo_events_emit_with(f->events, &(FiloEmission){ .event = filo_name("bell"), .done = done });
}

FILO_TEST(pending_events_are_listed_in_the_order_of_delivery) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    list_pending(&f, &log);
    expect_log(&log, "");
    fill(&f);
    for (int i = 0; i < 2; i++) { // reading changes nothing
        list_pending(&f, &log);
        expect_log(&log, "hit 1 due 0\nbell 0 due 0 done\nhit 31 due 0\nhit 50 due 0\nhit 51 due 0\n"
                         "hit 71 due 0\nhit 2 due 2\nbell 0 due 3\nhit 70 due 3\nhit 30 due 6\n");
    }
    filo_events_deliver(f.events);
    list_pending(&f, &log);
    expect_log(&log, "hit 2 due 2\nbell 0 due 3\nhit 70 due 3\nhit 30 due 6\n");
    fixture_close(&f);
}

FILO_TEST(reading_pending_events_does_not_change_the_delivery) {
    Fixture f = fixture_open(1), g = fixture_open(1);
    Log read_log = { 0 }, unread_log = { 0 }, list = { 0 };
    subscribe(&f, "hit", log_event, &read_log), subscribe(&f, "bell", log_event, &read_log);
    subscribe(&g, "hit", log_event, &unread_log), subscribe(&g, "bell", log_event, &unread_log);
    fill(&f), fill(&g);
    for (int i = 0; i < 8; i++) {
        list_pending(&f, &list);
        record(&f, 1, 900, 1), record(&g, 1, 900, 1);
        list_pending(&f, &list);
        filo_events_deliver(f.events), filo_events_deliver(g.events);
    }
    assert_true(read_log.length > 0);
    assert_string_equal(read_log.text, unread_log.text);
    fixture_close(&f);
    fixture_close(&g);
}

FILO_TEST(a_pending_payload_can_be_changed_in_place) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    emit_hit(&f, 1);
    filo_events_emit_later(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 2, 1 }, 1);
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent pending; filo_events_next_pending(f.events, &cursor, &pending);)
        ((Hit *)pending.payload)->target += 40;
    filo_events_deliver(f.events);
    filo_events_deliver(f.events);
    expect_log(&log, "hit 41\nhit 42\n");
    fixture_close(&f);
}

#define SAVED 64

// Like a snapshot: it has no pointers into the events.
typedef struct Save {
    FiloEventsClock clock;
    FiloPendingEvent events[SAVED];
    Hit payloads[SAVED];
    size_t count;
} Save;

static void save(Fixture *f, Save *s) {
    *s = (Save){ .clock = filo_events_clock(f->events) };
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent pending; filo_events_next_pending(f->events, &cursor, &pending);) {
        s->events[s->count] = pending;
        if (pending.payload != NULL) {
            s->payloads[s->count] = *(Hit *)pending.payload;
            s->events[s->count].payload = &s->payloads[s->count];
        }
        s->count++;
    }
}

static void continue_game(Fixture *f, Log *log) {
    for (uint32_t i = 0; i < 8; i++) {
        filo_events_deliver(f->events);
        log_add(log, "tick %u\n", (unsigned)filo_events_tick(f->events));
        emit_hit(f, 600 + i);
        record(f, 4, 400 + 10 * i, 1);
    }
}

// Also emits between saving and delivery, so that old and new events of one point mix.
static void emit_more(Fixture *f) {
    emit_hit(f, 800);
    record(f, 4, 440, 1);
    record(f, 9, 490, 0);
}

FILO_TEST(restored_events_are_delivered_like_the_saved_ones) {
    Fixture f = fixture_open(1), g = fixture_open(2);
    Log original = { 0 }, restored = { 0 };
    subscribe(&f, "hit", log_event, &original), subscribe(&f, "bell", log_event, &original);
    subscribe(&g, "hit", log_event, &restored), subscribe(&g, "bell", log_event, &restored);
    fill(&f);
    Save s;
    save(&f, &s);
    assert_int_equal(s.count, 10);
    emit_more(&f);
    continue_game(&f, &original);

    emit_hit(&g, 12345); // dropped by the reset, as is the next one
    filo_events_emit_later(g.events, g.hit, FILO_TYPE(Hit), &(Hit){ 12345, 1 }, 1);
    filo_events_reset(g.events, s.clock);
    for (size_t i = s.count; i-- > 0;) assert_true(filo_events_restore(g.events, &s.events[i]));
    Save again;
    save(&g, &again);
    assert_int_equal(again.count, s.count);
    for (size_t i = 0; i < s.count; i++) {
        assert_int_equal(again.events[i].name.id, s.events[i].name.id);
        assert_int_equal(again.events[i].due, s.events[i].due);
        assert_memory_equal(&again.payloads[i], &s.payloads[i], sizeof(Hit));
    }
    emit_more(&g);
    continue_game(&g, &restored);
    assert_string_equal(restored.text, original.text);
    fixture_close(&f);
    fixture_close(&g);
}

static void read_in_handler(const FiloEvent *event, void *user) {
    (void)user;
    FiloPendingEvent pending;
    assert_false(filo_events_next_pending(event->events, &(FiloPendingCursor){ 0 }, &pending));
}

FILO_TEST(misuse_of_pending_events_is_caught) {
    Fixture f = fixture_open(1);
    subscribe(&f, "bell", read_in_handler, NULL);
    expect_fault("read pending events between delivery points",
                 filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL));
    expect_fault("event \"hit\": give a payload and its type, or neither",
                 filo_events_restore(f.events, &(FiloPendingEvent){ .name = f.hit, .type = FILO_TYPE(Hit) }));
    expect_fault("event \"bell\" carries nothing: restore with that type, not Hit",
                 filo_events_restore(f.events, &(FiloPendingEvent){ .name = filo_name("bell"),
                                                                    .type = FILO_TYPE(Hit),
                                                                    .payload = &(Hit){ 0 } }));
    fixture_close(&f);
}

static bool emit_transient(Fixture *f, uint32_t target) {
    Hit hit = { target, 1 };
    return filo_events_emit_with(
        f->events,
        &(FiloEmission){ .event = f->hit, .type = FILO_TYPE(Hit), .payload = &hit, .transient = true });
}

FILO_TEST(transient_events_are_delivered_in_their_order_and_are_not_pending) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    assert_true(emit_transient(&f, 1));
    assert_true(emit_hit(&f, 2));
    assert_true(emit_transient(&f, 3));
    Log pending = { 0 };
    list_pending(&f, &pending);
    expect_log(&pending, "hit 2 due 0\n");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\nhit 2\nhit 3\n");
    fixture_close(&f);
}

FILO_TEST(transient_events_survive_a_reset_and_come_after_the_restored_ones) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    filo_events_deliver(f.events);
    FiloEventsClock clock = filo_events_clock(f.events);
    for (int round = 0; round < 2; round++) { // the second reset finds what the first has kept
        assert_true(emit_transient(&f, 10u + (uint32_t)round));
        assert_true(emit_hit(&f, 1));
        filo_events_reset(f.events, clock);
        FiloPendingEvent restored = { .name = f.hit,
                                      .type = FILO_TYPE(Hit),
                                      .payload = &(Hit){ 5, 1 },
                                      .key = { .point = clock.point, .origin = FILO_EVENT_FROM_HANDLER } };
        assert_true(filo_events_restore(f.events, &restored));
    }
    filo_events_deliver(f.events);
    expect_log(&log, "hit 5\nhit 10\nhit 11\n");
    fixture_close(&f);
}

FILO_TEST(transient_events_come_from_outside_and_without_delay) {
    Fixture f = fixture_open(1);
    const FiloEmission delayed = { .event = f.hit, .delay = 2, .transient = true };
    const FiloEmission plain = { .event = f.hit, .transient = true };
    expect_fault("event \"hit\": emit it as transient or with a delay, not both",
                 assert_false(filo_events_emit_with(f.events, &delayed)));
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, f.events, 1, 0);
    expect_fault(
        "event \"hit\": a recorder cannot emit a transient event: what ticks emit is part of the state",
        assert_false(filo_event_record_with(&recorder, &plain)));
    filo_event_recorder_end(&recorder);
    fixture_close(&f);
}
