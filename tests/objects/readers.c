// Readers: threads that read past states and answer later.

#include "objects/io_fixture.h"

#include "objects/requests.h"
#include "support/malloc_count.h"
#include "support/warnings.h"

typedef struct Reader {
    uint32_t delay_us;
    AtomicInt readings;
    int too_many; // answers beyond the limit
    bool answers_all;
} Reader;

// Answers the object with the highest sum, and the first one, with the sum of all numbers.
static void read_askers(const FiloReading *reading) {
    Reader *reader = reading->user;
    const Asker *askers = reading->states;
    base_add_acq_rel(&reader->readings, 1);
    int32_t total = 0;
    for (size_t i = 0; i < reading->count; i++) total += askers[i].number + askers[i].answers;
    if (reader->delay_us > 0) usleep(reader->delay_us);
    for (size_t i = 0; i < reading->count; i++)
        if ((i == 0 || reader->answers_all) &&
            !filo_reading_answer(reading, reading->objects[i], FILO_TYPE(Answer),
                                 &(Answer){ .asked = reading->tick, .number = total }))
            reader->too_many++;
}

static void add_reader(const Fixture *fixture, Reader *reader, uint32_t every, uint32_t wait,
                       uint32_t limit) {
    assert_ok(filo_objects_reader_add(fixture->world, &(FiloReaderDesc){ .name = "planner",
                                                                         .state = FILO_STATE_OF(Asker),
                                                                         .read = read_askers,
                                                                         .every = every,
                                                                         .ticks = wait,
                                                                         .answers = limit,
                                                                         .user = reader }));
}

FILO_TEST(answers_arrive_in_exactly_the_tick_that_was_named) {
    static const uint32_t delays[] = { 0, 3000 };
    for (uint32_t wait = 1; wait <= 4; wait++)
        for (size_t d = 0; d < FILO_COUNT_OF(delays); d++) {
            Asking asking = { 0 };
            Reader reader = { .delay_us = delays[d] };
            Fixture fixture = fixture_open(2, &asking, 4);
            add_reader(&fixture, &reader, 100, wait, 0);
            ticks(&fixture, (int)wait); // tick 0 is read
            assert_int_equal(asker_of(&fixture, 0).answers, 0);
            ticks(&fixture, 1);
            Asker asker = asker_of(&fixture, 0);
            assert_int_equal(asker.answers, 1);
            assert_int_equal(asker.arrived, wait);
            assert_int_equal(asker.asked, 0);
            assert_int_equal(asker.sum, 0 + 1 + 2 + 3);
            fixture_close(&fixture);
            assert_int_equal(base_load_acquire(&reader.readings), 1);
        }
}

FILO_TEST(a_reading_begins_when_the_last_one_was_answered) {
    Asking asking = { 0 };
    Reader reader = { 0 };
    Fixture fixture = fixture_open(2, &asking, 1);
    add_reader(&fixture, &reader, 2, 3, 0); // begins after ticks 0, 4, 8 and 12
    ticks(&fixture, 12);
    filo_world_refresh(fixture.world); // is not a tick
    assert_int_equal(asker_of(&fixture, 0).answers, 3);
    assert_int_equal(asker_of(&fixture, 0).arrived, 11);
    assert_int_equal(asker_of(&fixture, 0).asked, 8);
    fixture_close(&fixture);
}

static uint64_t run_hash(int threads, uint32_t delay_us) {
    Asking asking = { .function = answer, .ticks = 2, .every = 3 };
    Reader reader = { .delay_us = delay_us, .answers_all = true };
    Fixture fixture = fixture_open(threads, &asking, 50);
    add_reader(&fixture, &reader, 1, 3, 0);
    ticks(&fixture, 20);
    uint64_t hash = filo_world_hash(fixture.world);
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(threads_and_the_speed_of_readers_do_not_change_the_result) {
    uint64_t expected = run_hash(0, 0);
    for (int threads = 1; threads <= 16; threads *= 2) {
        assert_true(run_hash(threads, 0) == expected);
        assert_true(run_hash(threads, 1000) == expected);
    }
}

FILO_TEST(there_are_at_most_as_many_answers_as_allowed) {
    Asking asking = { 0 };
    Reader reader = { .answers_all = true };
    Fixture fixture = fixture_open(2, &asking, 10);
    add_reader(&fixture, &reader, 100, 1, 4);
    ticks(&fixture, 2);
    assert_int_equal(reader.too_many, 6);
    int answers = 0;
    for (int i = 0; i < 10; i++) answers += asker_of(&fixture, i).answers;
    assert_int_equal(answers, 4);
    fixture_close(&fixture);
}

FILO_TEST(answers_to_objects_that_have_ended_are_dropped) {
    Asking asking = { 0 };
    Reader reader = { .answers_all = true };
    Fixture fixture = fixture_open(2, &asking, 4);
    add_reader(&fixture, &reader, 100, 3, 0);
    ticks(&fixture, 1);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Asker));
    filo_entity_destroy(fixture.world, filo_query_first(query));
    ticks(&fixture, 4);
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) assert_int_equal(filo_each_read(&each, Asker)->answers, 1);
    filo_query_release(query);
    fixture_close(&fixture);
}

FILO_TEST(a_snapshot_begins_readings_again_from_the_states_that_they_read) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Asking asking = { .function = answer, .ticks = 1, .every = 1 };
        Reader reader = { .delay_us = 300, .answers_all = true };
        Fixture fixture = fixture_open(threads, &asking, 10);
        add_reader(&fixture, &reader, 1, 5, 0);
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        ticks(&fixture, 8); // read after tick 5
        assert_ok(filo_snapshot_take(snapshot, fixture.world));
        uint64_t before = filo_world_hash(fixture.world);
        ticks(&fixture, 9);
        uint64_t expected = filo_world_hash(fixture.world);
        for (int again = 0; again < 3; again++) {
            assert_ok(filo_snapshot_restore(snapshot, fixture.world));
            assert_true(filo_world_hash(fixture.world) == before);
            ticks(&fixture, 9);
            assert_true(filo_world_hash(fixture.world) == expected);
        }
        filo_snapshot_destroy(snapshot);
        fixture_close(&fixture);
    }
}

static void block(const FiloReading *reading) {
    AtomicInt *readings = reading->user;
    base_add_acq_rel(readings, 1);
    while (!filo_async_cancelled(reading->call)) usleep(200);
    usleep(3000);
    filo_reading_answer(reading, reading->objects[0], FILO_TYPE(Answer), &(Answer){ .number = 1 });
}

FILO_TEST(the_game_goes_on_without_a_reader_that_does_not_return_in_time) {
    Asking asking = { 0 };
    AtomicInt readings = 0;
    Fixture fixture = fixture_open(2, &asking, 1);
    assert_ok(filo_objects_reader_add(fixture.world, &(FiloReaderDesc){ .name = "slow",
                                                                        .state = FILO_STATE_OF(Asker),
                                                                        .read = block,
                                                                        .ticks = 1,
                                                                        .timeout = 0.02,
                                                                        .user = &readings }));
    ticks(&fixture, 1);
    expect_warning("reader slow has not ended after 1 ticks and another 0.02 s", ticks(&fixture, 1));
    assert_int_equal(base_load_acquire(&readings), 1); // the next one waits for it
    assert_int_equal(asker_of(&fixture, 0).answers, 0);
    expect_no_warning(fixture_close(&fixture));
}

FILO_TEST(a_steady_tick_with_a_reader_allocates_nothing) {
    Asking asking = { .async_threads = 1 };
    Reader reader = { .answers_all = true };
    Fixture fixture = fixture_open(1, &asking, 100);
    add_reader(&fixture, &reader, 1, 2, 0);
    ticks(&fixture, 20);
    uint64_t before = filo_test_malloc_calls();
    ticks(&fixture, 20);
    assert_int_equal(filo_test_malloc_calls(), before);
    fixture_close(&fixture);
}

FILO_TEST(mistakes_are_named) {
    Asking asking = { 0 };
    Reader reader = { 0 };
    Fixture fixture = fixture_open(0, &asking, 1);
    FiloReaderDesc good = {
        .name = "r", .state = FILO_STATE_OF(Asker), .read = read_askers, .ticks = 1, .user = &reader
    };
    FiloReaderDesc desc = good;
    expect_mistake("a reader needs a world and a description", filo_objects_reader_add(fixture.world, NULL));
    desc.name = "";
    expect_mistake("a reader needs a name", filo_objects_reader_add(fixture.world, &desc));
    desc = good;
    desc.read = NULL;
    expect_mistake("reader r: give the state", filo_objects_reader_add(fixture.world, &desc));
    desc = good;
    desc.ticks = 0;
    expect_mistake("at least 1 tick later", filo_objects_reader_add(fixture.world, &desc));
    desc = good;
    desc.timeout = -1;
    expect_mistake("a number of seconds", filo_objects_reader_add(fixture.world, &desc));
    desc = good;
    desc.state = FILO_STATE_OF(Answer);
    expect_mistake("Answer is not the state of a kind", filo_objects_reader_add(fixture.world, &desc));
    assert_ok(filo_objects_reader_add(fixture.world, &good));
    expect_mistake("reader r was added before", filo_objects_reader_add(fixture.world, &good));
    expect_fault("pass the reading", assert_false(filo_reading_answer(NULL, (FiloEntity){ 0 }, NULL, NULL)));
    fixture_close(&fixture);
}
