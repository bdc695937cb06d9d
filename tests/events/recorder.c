// Recorders: events of jobs have the same order on any number of threads.

#include "events/fixture.h"

#include <filo/time.h>

#include <stdlib.h>

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

// ---- One recorder ----

FILO_TEST(recorders_are_delivered_by_source_then_range_then_sequence) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    static const struct {
        uint32_t source;
        uint64_t range;
    } keys[] = { { 2, 0 }, { 1, 500 }, { 0, 9 }, { 1, 0 }, { 1, UINT64_C(1) << 40 }, { UINT32_MAX, 0 } };
    for (size_t i = 0; i < FILO_COUNT_OF(keys); i++) {
        FiloEventRecorder recorder;
        filo_event_recorder_begin(&recorder, f.events, keys[i].source, keys[i].range);
        for (uint32_t k = 0; k < 2; k++)
            assert_true(
                filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 10 * (uint32_t)i + k, 1 }));
        filo_event_recorder_end(&recorder);
    }
    emit_hit(&f, 99); // from outside: before all recorders
    filo_events_deliver(f.events);
    expect_log(&log, "hit 99\nhit 20\nhit 21\nhit 30\nhit 31\nhit 10\nhit 11\nhit 40\nhit 41\nhit 0\nhit 1\n"
                     "hit 50\nhit 51\n");
    fixture_close(&f);
}

static void record_from_handler(const FiloEvent *event, void *user) {
    Fixture *f = user;
    filo_event_record(event->recorder, f->hit, FILO_TYPE(Hit), &(Hit){ 1, 1 });
}

FILO_TEST(events_of_handlers_come_before_events_emitted_after_the_delivery) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    subscribe(&f, "bell", record_from_handler, &f);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    filo_events_deliver(f.events);
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, f.events, 0, 0);
    filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 3, 1 });
    filo_event_recorder_end(&recorder);
    emit_hit(&f, 2);
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\nhit 2\nhit 3\n");
    fixture_close(&f);
}

FILO_TEST(an_empty_recorder_has_no_effect) {
    Fixture f = fixture_open(1);
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, f.events, 1, 0);
    filo_events_deliver(f.events); // an empty recorder may be open
    filo_event_recorder_end(&recorder);
    filo_event_recorder_begin(&recorder, f.events, 1, 0);
    filo_event_recorder_end(&recorder);
    filo_events_deliver(f.events);
    FiloPendingEvent pending;
    assert_false(filo_events_next_pending(f.events, &(FiloPendingCursor){ 0 }, &pending));
    fixture_close(&f);
}

FILO_TEST(two_recorders_with_the_same_key_are_caught_at_delivery) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    for (int i = 0; i < 2; i++) {
        FiloEventRecorder recorder;
        filo_event_recorder_begin(&recorder, f.events, 3, 64);
        filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 });
        filo_event_recorder_end(&recorder);
    }
    expect_fault("two recorders were submitted as source 3, range 64", filo_events_deliver(f.events));
    expect_log(&log, "hit 1\nhit 1\n");
    fixture_close(&f);
}

FILO_TEST(a_recorder_that_was_not_handed_in_is_caught_at_delivery) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, f.events, 3, 64);
    filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 });
    expect_fault("end every recorder before events are delivered: 1 still", filo_events_deliver(f.events));
    expect_fault("the recorder of source 3, range 64 was begun before the last delivery point",
                 assert_false(filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 2, 1 })));
    expect_fault("source 3, range 64 was begun before the last delivery point",
                 filo_event_recorder_end(&recorder));
    filo_events_deliver(f.events);
    expect_log(&log, "");
    fixture_close(&f);
}

FILO_TEST(misuse_of_a_recorder_is_caught) {
    Fixture f = fixture_open(1);
    FiloEventRecorder recorder = { 0 };
    expect_fault("event \"hit\": begin the recorder before filling it",
                 assert_false(filo_event_record(&recorder, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 })));
    expect_fault("begin the recorder before it is submitted", filo_event_recorder_end(&recorder));
    filo_event_recorder_begin(&recorder, f.events, 0, 0);
    expect_fault("event \"bell\": a recorder cannot emit at once",
                 assert_false(filo_event_record_with(
                     &recorder, &(FiloEmission){ .event = filo_name("bell"), .at_once = true })));
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    expect_fault("event \"hit\" carries Hit: record with that type, not nothing",
                 assert_false(filo_event_record(&recorder, f.hit, NULL, NULL)));
    filo_event_recorder_end(&recorder);
    expect_fault("begin the recorder before it is submitted", filo_event_recorder_end(&recorder));
    fixture_close(&f);
}

// ---- Many threads: a small game that logs every event ----

#define ITEMS   500
#define TICKS   (FILO_TEST_SANITIZED ? 5 : 25)
#define SYSTEMS 3
#define LINES   200000

typedef struct Game {
    Fixture f;
    uint64_t *lines; // hashes of tick, name and payload of the delivered events, in order
    size_t line_count;
    uint32_t parallel_calls; // atomic by builtins
    uint32_t tick, system;
} Game;

// Varies the timing of threads from call to call.
static void vary_timing(void) {
    static uint32_t state; // atomic by builtins
    uint32_t x = __atomic_add_fetch(&state, 0x9E3779B9u, __ATOMIC_RELAXED);
    x ^= (uint32_t)filo_time_ns();
    for (uint32_t i = 0; i < x % 64; i++) __asm__ volatile("");
    if (x % 97 == 0) filo_thread_yield();
}

static void log_delivery(const FiloEvent *event, void *user) {
    Game *game = user;
    const Hit *hit = event->payload;
    assert_true(game->line_count < LINES);
    game->lines[game->line_count++] =
        filo_hash_text(filo_name_text(event->name)) ^
        (event->tick << 48 | (uint64_t)hit->target << 8 | (uint32_t)hit->damage);
}

// Several of these handlers run in parallel. They answer some events, with and without a delay.
static void answer(const FiloEvent *event, void *user) {
    Game *game = user;
    const Hit *hit = event->payload;
    __atomic_fetch_add(&game->parallel_calls, 1, __ATOMIC_RELAXED);
    vary_timing();
    if (hit->damage > 3 || hit->target % 7 != 0) return;
    Hit echo = { hit->target, hit->damage + 1 };
    filo_event_record(event->recorder, filo_name("echo"), FILO_TYPE(Hit), &echo);
    vary_timing();
    echo.target++;
    filo_event_record_with(event->recorder, &(FiloEmission){ .event = filo_name("late echo"),
                                                             .type = FILO_TYPE(Hit),
                                                             .payload = &echo,
                                                             .delay = 1 + hit->target % 3 });
}

// One range of the rows of a system.
static void run_rows(size_t begin, size_t end, void *user) {
    Game *game = user;
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, game->f.events, game->system, begin);
    for (size_t i = begin; i < end; i++) {
        vary_timing();
        if ((i * 31 + game->tick * 17 + game->system) % 5 != 0) continue;
        Hit hit = { (uint32_t)i, (int32_t)game->system };
        filo_event_record(&recorder, game->f.hit, FILO_TYPE(Hit), &hit);
    }
    filo_event_recorder_end(&recorder);
}

static size_t play(int threads, uint64_t *lines) {
    Game *game = calloc(1, sizeof *game);
    game->f = fixture_open(threads);
    game->lines = lines;
    static const char *const names[] = { "hit", "echo", "late echo" };
    for (size_t i = 0; i < FILO_COUNT_OF(names); i++) {
        FiloHandlerDesc desc = { .event = filo_name(names[i]), .type = FILO_TYPE(Hit), .user = game };
        desc.function = log_delivery;
        filo_events_subscribe(game->f.events, &desc);
        desc.function = answer, desc.mode = FILO_HANDLER_PARALLEL;
        for (int k = 0; k < 3; k++) filo_events_subscribe(game->f.events, &desc);
    }
    for (game->tick = 0; game->tick < TICKS; game->tick++) {
        for (game->system = 0; game->system < SYSTEMS; game->system++)
            filo_jobs_for(game->f.jobs, ITEMS, run_rows, game);
        if (game->tick % 4 == 0) emit_hit(&game->f, 1000 + game->tick);
        if (game->tick % 3 == 0) filo_events_deliver_within_tick(game->f.events);
        filo_events_deliver(game->f.events);
    }
    size_t count = game->line_count;
    assert_int_equal(game->parallel_calls, 3 * count);
    fixture_close(&game->f);
    free(game);
    return count;
}

FILO_TEST(the_order_of_delivery_is_the_same_on_any_number_of_threads) {
    uint64_t *expected = malloc(LINES * sizeof *expected), *lines = malloc(LINES * sizeof *lines);
    size_t count = play(1, expected);
    assert_true(count > 3 * TICKS * ITEMS / 5);
    static const int threads[] = { 1, 2, 4, 8, 16 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        assert_int_equal(play(threads[i], lines), count);
        for (size_t k = 0; k < count; k++)
            if (lines[k] != expected[k]) fail_msg("%d threads: line %zu differs", threads[i], k);
    }
    free(expected);
    free(lines);
}

// ---- Many threads at once ----

typedef struct Storm {
    Fixture f;
    int called; // atomic by builtins
    int counted[64];
} Storm;

static void count_call(const FiloEvent *event, void *user) {
    (void)event;
    __atomic_fetch_add(&((Storm *)user)->called, 1, __ATOMIC_RELAXED);
}

// A parallel handler that adds and removes handlers while others do the same.
static void churn(const FiloEvent *event, void *user) {
    FiloSubscription mine[4];
    FiloHandlerDesc desc = {
        .event = event->name, .function = count_call, .user = user, .mode = FILO_HANDLER_PARALLEL
    };
    for (int i = 0; i < 4; i++) {
        mine[i] = filo_events_subscribe(event->events, &desc);
        vary_timing();
    }
    char name[32];
    snprintf(name, sizeof name, "storm %d", (int)(mine[0].index % 16));
    filo_event_record(event->recorder, filo_name(name), NULL, NULL); // new events, from many threads
    for (int i = 0; i < 4; i++) {
        assert_true(filo_events_subscribed(event->events, mine[i]));
        filo_events_unsubscribe(event->events, mine[i]);
    }
}

FILO_TEST(handlers_may_be_added_and_removed_on_many_threads) {
    Storm storm = { .f = fixture_open(8) };
    for (int i = 0; i < 16; i++)
        filo_events_subscribe(storm.f.events, &(FiloHandlerDesc){ .event = filo_name("bell"),
                                                                  .function = churn,
                                                                  .user = &storm,
                                                                  .mode = FILO_HANDLER_PARALLEL });
    for (int i = 0; i < 50; i++) {
        filo_events_emit(storm.f.events, filo_name("bell"), NULL, NULL);
        filo_events_deliver(storm.f.events);
    }
    // All were removed before the next event.
    assert_int_equal(storm.called, 0);
    assert_int_equal(filo_events_handlers(storm.f.events, filo_name("bell")), 16);
    fixture_close(&storm.f);
}

static void emit_many(void *user) {
    Storm *storm = user;
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(filo_events_emit_later(storm->f.events, storm->f.hit, FILO_TYPE(Hit), &(Hit){ i % 64, 1 },
                                           i % 3));
}

static void count_target(const FiloEvent *event, void *user) {
    ((Storm *)user)->counted[((const Hit *)event->payload)->target]++;
}

FILO_TEST(foreign_threads_may_emit_while_events_are_delivered) {
    Storm storm = { .f = fixture_open(2) };
    subscribe(&storm.f, "hit", count_target, &storm);
    FiloThread threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = emit_many, .user = &storm }));
    for (int i = 0; i < 100; i++) filo_events_deliver(storm.f.events);
    for (size_t i = 0; i < 4; i++) filo_thread_join(&threads[i]);
    for (int i = 0; i < 4; i++) filo_events_deliver(storm.f.events);
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += storm.counted[i];
    assert_int_equal(sum, 4000); // each exactly once
    assert_int_equal(storm.counted[0], 4 * 16);
    fixture_close(&storm.f);
}
