// Declaring, emitting and subscribing.

#include "events/fixture.h"

FILO_REFLECT(Hit, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, damage))

typedef struct Heal {
    uint32_t target;
    int32_t health;
} Heal;
FILO_REFLECT(Heal, FILO_FIELD(uint32_t, target), FILO_FIELD(int32_t, health))

typedef struct Wide {
    _Alignas(128) int32_t x;
} Wide;
FILO_REFLECT(Wide, FILO_FIELD(int32_t, x))

typedef struct Line {
    _Alignas(64) int32_t x;
} Line;
FILO_REFLECT(Line, FILO_FIELD(int32_t, x))

// An equal description of Hit at another address, as another library would have it.
static const FiloType *equal_hit_type(void) {
    static FiloField fields[2];
    static FiloType type;
    memcpy(fields, FILO_TYPE(Hit)->fields, sizeof fields);
    type = *FILO_TYPE(Hit);
    type.fields = fields;
    return &type;
}

// ---- Declaring ----

FILO_TEST(an_event_may_be_declared_again_with_the_same_type) {
    Fixture f = fixture_open(1);
    const FiloType *type = NULL;
    assert_false(filo_events_declared(f.events, f.hit, &type));
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    assert_true(filo_events_declared(f.events, f.hit, &type));
    assert_ptr_equal(type, FILO_TYPE(Hit));
    fixture_close(&f);
}

FILO_TEST(declaring_another_type_is_an_error_that_names_event_and_types) {
    Fixture f = fixture_open(1);
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    assert_error(filo_events_declare(f.events, f.hit, FILO_TYPE(Heal)), FILO_ERROR_KIND,
                 "event \"hit\" carries Hit, not Heal");
    assert_error(filo_events_declare(f.events, f.hit, NULL), FILO_ERROR_KIND,
                 "event \"hit\" carries Hit, not nothing");
    FiloName bell = filo_name("bell");
    assert_ok(filo_events_declare(f.events, bell, NULL));
    assert_error(filo_events_declare(f.events, bell, FILO_TYPE(Hit)), FILO_ERROR_KIND,
                 "event \"bell\" carries nothing, not Hit");
    fixture_close(&f);
}

FILO_TEST(an_equal_description_at_another_address_is_the_same_type) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    const FiloType *type;
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    assert_ok(filo_events_declare(f.events, f.hit, equal_hit_type()));
    assert_true(filo_events_declared(f.events, f.hit, &type));
    assert_ptr_equal(type, equal_hit_type()); // the latest one
    subscribe(&f, "hit", log_event, &log);
    assert_true(filo_events_emit(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }));
    assert_true(filo_events_emit(f.events, f.hit, equal_hit_type(), &(Hit){ 2, 1 }));
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\nhit 2\n");
    fixture_close(&f);
}

FILO_TEST(a_description_that_changed_in_place_is_another_type) {
    Fixture f = fixture_open(1);
    static FiloType type;
    type = *FILO_TYPE(Hit);
    assert_ok(filo_events_declare(f.events, f.hit, &type));
    type.size += 8;
    assert_error(filo_events_declare(f.events, f.hit, &type), FILO_ERROR_KIND, "event \"hit\" carries Hit");
    fixture_close(&f);
}

FILO_TEST(a_type_with_too_large_an_alignment_is_rejected) {
    Fixture f = fixture_open(1);
    assert_error(filo_events_declare(f.events, f.hit, FILO_TYPE(Wide)), FILO_ERROR_LIMIT,
                 "event \"hit\": Wide is aligned to 128");
    expect_fault("Wide is aligned to 128",
                 assert_false(filo_events_emit(f.events, f.hit, FILO_TYPE(Wide), &(Wide){ 0 })));
    fixture_close(&f);
}

static void check_alignment(const FiloEvent *event, void *user) {
    assert_int_equal((uintptr_t)event->payload % 64, 0);
    *(int *)user += ((const Line *)event->payload)->x;
}

FILO_TEST(payloads_have_the_alignment_of_their_type) {
    Fixture f = fixture_open(1);
    int sum = 0;
    FiloName line = filo_name("line"), small = filo_name("small");
    subscribe(&f, "line", check_alignment, &sum);
    for (int i = 0; i < 5; i++) {
        filo_events_emit(f.events, line, FILO_TYPE(Line), &(Line){ 1 });
        filo_events_emit(f.events, small, FILO_TYPE(uint8_t), &(uint8_t){ 1 });
        filo_events_emit_later(f.events, line, FILO_TYPE(Line), &(Line){ 10 }, 1);
    }
    filo_events_deliver(f.events);
    filo_events_deliver(f.events);
    assert_int_equal(sum, 55);
    fixture_close(&f);
}

FILO_TEST(an_event_without_a_name_is_rejected) {
    Fixture f = fixture_open(1);
    expect_fault("give the event a name",
                 assert_false(filo_events_emit(f.events, (FiloName){ 0 }, NULL, NULL)));
    expect_mistake("give the event a name", filo_events_declare(f.events, (FiloName){ 0 }, NULL));
    expect_fault("give the event a name", subscribe(&f, "", log_event, NULL));
    fixture_close(&f);
}

// ---- Emitting ----

FILO_TEST(a_payload_is_copied_so_that_it_may_be_on_the_stack) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    Hit hit = { 7, 1 };
    assert_true(filo_events_emit(f.events, f.hit, FILO_TYPE(Hit), &hit));
    hit.target = 8;
    assert_true(filo_events_emit(f.events, f.hit, FILO_TYPE(Hit), &hit));
    hit.target = 0;
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 7\nhit 8\n");
    filo_events_deliver(f.events);
    expect_log(&log, "");
    fixture_close(&f);
}

FILO_TEST(emitting_with_another_type_is_caught_by_name) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    assert_true(emit_hit(&f, 1));
    expect_fault("event \"hit\" carries Hit: emit with that type, not Heal",
                 assert_false(filo_events_emit(f.events, f.hit, FILO_TYPE(Heal), &(Heal){ 0 })));
    expect_fault("event \"hit\" carries Hit: emit with that type, not nothing",
                 assert_false(filo_events_emit(f.events, f.hit, NULL, NULL)));
    expect_fault("event \"hit\": give a payload and its type, or neither",
                 assert_false(filo_events_emit(f.events, f.hit, FILO_TYPE(Hit), NULL)));
    expect_fault("give a payload and its type",
                 assert_false(filo_events_emit(f.events, f.hit, NULL, &(Hit){ 0 })));
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\n");
    fixture_close(&f);
}

FILO_TEST(emitting_at_once_calls_the_handlers_before_it_returns) {
    Fixture f = fixture_open(2);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    emit_hit(&f, 1);
    assert_true(filo_events_emit_now(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 2, 1 }));
    expect_log(&log, "hit 2\n");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\n");
    expect_fault("emit it at once or with a delay, not both",
                 assert_false(filo_events_emit_with(
                     f.events, &(FiloEmission){ .event = filo_name("bell"), .at_once = true, .delay = 1 })));
    fixture_close(&f);
}

static void emit_in_job(FiloJob *job, void *data) {
    (void)job;
    Fixture *f = *(Fixture **)data;
    assert_false(emit_hit(f, 1));
}

FILO_TEST(emitting_from_outside_in_a_job_is_caught) {
    Fixture f = fixture_open(2);
    FiloJob job;
    filo_job_init(&job, emit_in_job, &(Fixture *){ &f }, sizeof(Fixture *));
    expect_fault("event \"hit\": inside a job, emit with a FiloEventRecorder", {
        filo_jobs_run(f.jobs, &job);
        filo_jobs_wait(f.jobs, &job);
    });
    fixture_close(&f);
}

static void emit_in_handler(const FiloEvent *event, void *user) {
    (void)event;
    assert_false(emit_hit(user, 1));
}

static void emit_now_in_handler(const FiloEvent *event, void *user) {
    Fixture *f = user;
    assert_false(filo_events_emit_now(event->events, f->hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }));
}

FILO_TEST(emitting_from_outside_in_a_handler_is_caught) {
    Fixture f = fixture_open(1);
    FiloSubscription one = subscribe(&f, "bell", emit_in_handler, &f);
    filo_events_emit(f.events, filo_name("bell"), NULL, NULL);
    expect_fault("event \"hit\": inside a handler, emit with filo_event_record",
                 filo_events_deliver(f.events));
    filo_events_unsubscribe(f.events, one);
    subscribe(&f, "bell", emit_now_in_handler, &f);
    expect_fault("event \"hit\": inside a handler",
                 filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL));
    fixture_close(&f);
}

static void emit_on_foreign_thread(void *user) {
    Fixture *f = user;
    assert_true(emit_hit(f, 5));
    assert_false(filo_events_emit_now(f->events, f->hit, FILO_TYPE(Hit), &(Hit){ 1, 1 }));
}

FILO_TEST(a_foreign_thread_may_emit_but_not_at_once) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    FiloThread thread;
    expect_fault("event \"hit\": only the main thread emits at once", {
        assert_ok(
            filo_thread_start(&thread, &(FiloThreadDesc){ .function = emit_on_foreign_thread, .user = &f }));
        filo_thread_join(&thread);
    });
    filo_events_deliver(f.events);
    expect_log(&log, "hit 5\n");
    fixture_close(&f);
}

FILO_TEST(two_events_objects_are_independent) {
    Fixture f = fixture_open(1);
    FiloEvents *other;
    assert_ok(filo_events_create(&other, &(FiloEventsDesc){ .jobs = f.jobs, .name = "other" }));
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log);
    assert_ok(filo_events_declare(other, f.hit, FILO_TYPE(Heal)));
    emit_hit(&f, 1);
    filo_events_deliver(other);
    expect_log(&log, "");
    filo_events_deliver(f.events);
    expect_log(&log, "hit 1\n");
    assert_int_equal(filo_events_tick(other), 1);
    filo_events_destroy(other);
    filo_events_destroy(NULL);
    fixture_close(&f);
}

FILO_TEST(events_without_a_scheduler_are_rejected) {
    FiloEvents *events;
    expect_mistake("set jobs in FiloEventsDesc", filo_events_create(&events, &(FiloEventsDesc){ 0 }));
    assert_null(events);
}

// ---- Subscribing ----

static void log_first(const FiloEvent *event, void *log) { (void)event, log_add(log, "first "); }
static void log_second(const FiloEvent *event, void *log) { (void)event, log_add(log, "second "); }
static void log_third(const FiloEvent *event, void *log) { (void)event, log_add(log, "third "); }

FILO_TEST(handlers_are_called_in_the_order_of_subscription) {
    Fixture f = fixture_open(4);
    Log log = { 0 };
    subscribe(&f, "bell", log_first, &log);
    FiloSubscription second = subscribe(&f, "bell", log_second, &log);
    subscribe(&f, "bell", log_third, &log);
    assert_int_equal(filo_events_handlers(f.events, filo_name("bell")), 3);
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    expect_log(&log, "first second third ");
    filo_events_unsubscribe(f.events, second);
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    expect_log(&log, "first third ");
    subscribe(&f, "bell", log_second, &log);
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    expect_log(&log, "first third second ");
    fixture_close(&f);
}

FILO_TEST(handlers_are_sorted_by_order_and_then_by_subscription) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    FiloHandlerDesc desc = { .event = filo_name("bell"), .user = &log };
    desc.function = log_third, desc.order = 1;
    filo_events_subscribe(f.events, &desc);
    desc.function = log_first, desc.order = -1;
    filo_events_subscribe(f.events, &desc);
    desc.function = log_second, desc.order = 0;
    filo_events_subscribe(f.events, &desc);
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    expect_log(&log, "first second third ");
    fixture_close(&f);
}

FILO_TEST(subscribing_before_the_event_is_declared_is_allowed) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    subscribe(&f, "hit", log_event, &log); // accepts any payload
    assert_false(filo_events_declared(f.events, f.hit, NULL));
    assert_true(emit_hit(&f, 3));
    filo_events_deliver(f.events);
    expect_log(&log, "hit 3\n");
    fixture_close(&f);
}

FILO_TEST(subscribing_with_another_type_is_caught_by_name) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    FiloHandlerDesc desc = { .event = f.hit, .type = FILO_TYPE(Heal), .function = log_event, .user = &log };
    assert_ok(filo_events_declare(f.events, f.hit, FILO_TYPE(Hit)));
    FiloSubscription none;
    expect_fault("event \"hit\" carries Hit: subscribe with that type, not Heal",
                 none = filo_events_subscribe(f.events, &desc));
    assert_int_equal(none.generation, 0);
    assert_int_equal(filo_events_handlers(f.events, f.hit), 0);
    // Subscribing with a type declares it.
    desc.event = filo_name("blessing");
    assert_int_not_equal(filo_events_subscribe(f.events, &desc).generation, 0);
    expect_fault("event \"blessing\" carries Heal: emit with that type, not Hit",
                 filo_events_emit(f.events, filo_name("blessing"), FILO_TYPE(Hit), &(Hit){ 0 }));
    fixture_close(&f);
}

FILO_TEST(a_handler_without_a_function_or_mode_is_rejected) {
    Fixture f = fixture_open(1);
    expect_fault("a handler of \"hit\" needs a function",
                 filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = f.hit }));
    expect_fault("not in mode 9",
                 filo_events_subscribe(f.events, &(FiloHandlerDesc){ .event = f.hit,
                                                                     .function = log_event,
                                                                     .mode = (FiloHandlerMode)9 }));
    fixture_close(&f);
}

FILO_TEST(a_stale_subscription_is_rejected_after_its_index_is_reused) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    FiloSubscription old = subscribe(&f, "bell", log_first, &log);
    assert_true(filo_events_subscribed(f.events, old));
    filo_events_unsubscribe(f.events, old);
    assert_false(filo_events_subscribed(f.events, old));
    FiloSubscription current = subscribe(&f, "bell", log_second, &log);
    assert_int_equal(current.index, old.index);
    expect_fault("has ended: unsubscribe once", filo_events_unsubscribe(f.events, old));
    expect_fault("has ended", filo_events_unsubscribe(f.events, (FiloSubscription){ 77, 1 }));
    filo_events_unsubscribe(f.events, (FiloSubscription){ 0 });
    assert_true(filo_events_subscribed(f.events, current));
    assert_false(filo_events_subscribed(f.events, (FiloSubscription){ 0 }));
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    expect_log(&log, "second ");
    fixture_close(&f);
}

FILO_TEST(all_handlers_of_an_owner_can_end_together) {
    Fixture f = fixture_open(1);
    Log log = { 0 };
    int owner, other;
    FiloHandlerDesc desc = {
        .event = filo_name("bell"), .function = log_first, .user = &log, .owner = &owner
    };
    filo_events_subscribe(f.events, &desc);
    desc.event = f.hit;
    filo_events_subscribe(f.events, &desc);
    desc.owner = &other, desc.function = log_second;
    filo_events_subscribe(f.events, &desc);
    assert_int_equal(filo_events_unsubscribe_owner(f.events, &owner), 2);
    assert_int_equal(filo_events_unsubscribe_owner(f.events, &owner), 0);
    filo_events_emit_now(f.events, filo_name("bell"), NULL, NULL);
    filo_events_emit_now(f.events, f.hit, FILO_TYPE(Hit), &(Hit){ 0 });
    expect_log(&log, "second ");
    expect_fault("pass events, and the owner", filo_events_unsubscribe_owner(f.events, NULL));
    fixture_close(&f);
}
