// Memory: a steady tick allocates nothing, and running out of memory is handled.

#include "events/fixture.h"
#include "support/failing_allocator.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

typedef struct Large {
    uint8_t bytes[4096];
} Large;
FILO_REFLECT(Large, FILO_FIELD(uint8_t, bytes))

// ---- A steady tick ----

typedef struct Steady {
    Fixture f;
    uint64_t count; // atomic by builtins
} Steady;

static void count(const FiloEvent *event, void *user) {
    (void)event;
    __atomic_fetch_add(&((Steady *)user)->count, 1, __ATOMIC_RELAXED);
}

static void record_once(const FiloEvent *event, void *user) {
    Steady *steady = user;
    const Hit *hit = event->payload;
    if (hit->damage > 1) return;
    filo_event_record_with(event->recorder, &(FiloEmission){ .event = steady->f.hit,
                                                             .type = FILO_TYPE(Hit),
                                                             .payload = &(Hit){ hit->target, 2 },
                                                             .delay = hit->target % 3 });
}

static void run_rows(size_t begin, size_t end, void *user) {
    Steady *steady = user;
    FiloEventRecorder recorder;
    filo_event_recorder_begin(&recorder, steady->f.events, 1, begin);
    for (size_t i = begin; i < end; i++)
        filo_event_record(&recorder, steady->f.hit, FILO_TYPE(Hit), &(Hit){ (uint32_t)i, 1 });
    filo_event_recorder_end(&recorder);
}

static void tick(Steady *steady) {
    filo_jobs_for(steady->f.jobs, 100, run_rows, steady);
    for (uint32_t i = 0; i < 20; i++)
        filo_events_emit_later(steady->f.events, steady->f.hit, FILO_TYPE(Hit), &(Hit){ i, 5 }, i % 5);
    FiloSubscription temporary = subscribe(&steady->f, "hit", count, steady);
    filo_events_emit_now(steady->f.events, steady->f.hit, FILO_TYPE(Hit), &(Hit){ 0, 5 });
    filo_events_unsubscribe(steady->f.events, temporary);
    filo_events_deliver(steady->f.events);
}

FILO_TEST(a_steady_tick_allocates_nothing) {
    Steady steady = { .f = fixture_open(4) };
    for (int i = 0; i < 4; i++)
        filo_events_subscribe(steady.f.events, &(FiloHandlerDesc){ .event = steady.f.hit,
                                                                   .function = i == 0 ? record_once : count,
                                                                   .user = &steady,
                                                                   .mode = (FiloHandlerMode)(i % 3) });
    for (int i = 0; i < 20; i++) tick(&steady);
    uint64_t before = filo_memory_system_calls(), counted = steady.count;
    for (int i = 0; i < 100; i++) tick(&steady);
    assert_int_equal(filo_memory_system_calls(), before);
    assert_true(steady.count > counted + 100 * 2 * 220);
    fixture_close(&steady.f);
}

// ---- Running out ----

static void count_call(const FiloEvent *event, void *user) { (void)event, ++*(int *)user; }

FILO_TEST(when_an_allocation_fails_nothing_leaks_and_accepted_events_are_delivered) {
    FiloJobs *jobs;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 2 }));
    bool complete = false;
    for (size_t left = 0; !complete; left++) {
        assert_true(left < 300);
        FailingAllocator failing = FAILING_AT(failing, 0);
        failing_allow(&failing, left);
        FiloEvents *events;
        FiloResult r =
            filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs, .allocator = &failing.allocator });
        if (r.code != FILO_OK) {
            assert_error(r, FILO_ERROR_MEMORY, "no memory");
            assert_null(events);
            continue;
        }
        int calls = 0, expected = 0, handlers = 0, emitted = 0, delayed = 0;
        FiloName hit = filo_name("hit");
        complete = filo_events_declare(events, hit, FILO_TYPE(Hit)).code == FILO_OK;
        for (int i = 0; i < 20; i++)
            handlers +=
                filo_events_subscribe(
                    events, &(FiloHandlerDesc){ .event = hit, .function = count_call, .user = &calls })
                    .generation != 0;
        assert_int_equal(filo_events_handlers(events, hit), handlers);
        for (int i = 0; i < 3; i++) emitted += filo_events_emit(events, hit, FILO_TYPE(Hit), &(Hit){ 1, 1 });
        for (int i = 0; i < 40; i++)
            delayed += filo_events_emit_later(events, hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }, 1);
        FiloPendingEvent pending = {
            .name = hit, .type = FILO_TYPE(Hit), .payload = &(Hit){ 1, 1 }, .due = 1
        };
        for (int i = 0; i < 40; i++) {
            pending.key.sequence = (uint32_t)i;
            delayed += filo_events_restore(events, &pending);
        }
        complete = complete && handlers == 20 && emitted == 3 && delayed == 80;
        expected = (emitted + delayed) * handlers;
        filo_events_deliver(events);
        assert_int_equal(calls, emitted * handlers);
        filo_events_deliver(events);
        assert_int_equal(calls, expected); // every accepted event is delivered
        filo_events_destroy(events);
        assert_int_equal(failing.blocks, 0);
    }
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(a_full_queue_refuses_events_until_the_next_delivery_point) {
    FiloJobs *jobs;
    FiloEvents *events;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs, .reserve = FILO_KIB(256) }));
    FiloName name = filo_name("large");
    static Large large;
    int calls = 0;
    filo_events_subscribe(events,
                          &(FiloHandlerDesc){ .event = name, .function = count_call, .user = &calls });
    for (int round = 1; round <= 3; round++) {
        int emitted = 0;
        expect_fault("", while (filo_events_emit(events, name, FILO_TYPE(Large), &large)) emitted++);
        assert_true(emitted > 10);
        calls = 0;
        filo_events_deliver(events);
        assert_int_equal(calls, emitted);
    }
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

FILO_TEST(pending_events_are_freed_with_the_events) {
    Fixture f = fixture_open(1);
    FiloHeap heap;
    filo_heap_init(&heap, "test", 0);
    FiloEvents *events;
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = f.jobs, .allocator = &heap.allocator }));
    static Large large;
    for (uint32_t i = 0; i < 10; i++) {
        filo_events_emit_later(events, f.hit, FILO_TYPE(Hit), &(Hit){ i, 1 }, i);
        filo_events_emit_later(events, filo_name("large"), FILO_TYPE(Large), &large, i);
        if (i == 5) filo_events_deliver(events);
    }
    filo_events_destroy(events);
    assert_int_equal(filo_heap_stats(&heap).used, 0);
    filo_heap_deinit(&heap);
    fixture_close(&f);
}
