// Functions that block: when their results arrive, and what happens if they fail, never end, or are not wanted any more.

#include "objects/io_fixture.h"

#include "objects/requests.h"
#include "support/malloc_count.h"
#include "support/warnings.h"

// ---- The tick of a result -----------------------------------------------------------------------------------

FILO_TEST(a_result_arrives_in_exactly_the_tick_that_was_named) {
    static const uint32_t delays[] = { 0, 3000 };
    for (uint32_t wait = 1; wait <= 4; wait++)
        for (size_t d = 0; d < FILO_COUNT_OF(delays); d++) {
            Asking asking = { .function = answer, .ticks = wait, .delay_us = delays[d] };
            Fixture fixture = fixture_open(2, &asking, 4);
            ticks(&fixture, (int)wait); // tick 0 asks
            assert_int_equal(asker_of(&fixture, 1).answers, 0);
            ticks(&fixture, 1);
            for (int i = 0; i < 4; i++) {
                Asker asker = asker_of(&fixture, i);
                assert_int_equal(asker.answers, 1);
                assert_int_equal(asker.asked, 0);
                assert_int_equal(asker.arrived, wait);
                assert_int_equal(asker.sum, i * 7);
            }
            ticks(&fixture, 3); // once
            assert_int_equal(asker_of(&fixture, 1).answers, 1);
            fixture_close(&fixture);
        }
}

static uint64_t run_hash(int threads, uint32_t delay_us) {
    Asking asking = { .function = answer, .ticks = 3, .every = 2, .delay_us = delay_us };
    Fixture fixture = fixture_open(threads, &asking, 40);
    ticks(&fixture, 20);
    uint64_t hash = filo_world_hash(fixture.world);
    Asker asker = asker_of(&fixture, 39);
    assert_int_equal(asker.answers, 9); // of ticks 0 to 16
    assert_int_equal(asker.arrived, 19);
    fixture_close(&fixture);
    return hash;
}

FILO_TEST(threads_and_the_speed_of_functions_do_not_change_the_result) {
    uint64_t expected = run_hash(0, 0);
    for (int threads = 1; threads <= 16; threads *= 2) {
        assert_true(run_hash(threads, 0) == expected);
        assert_true(run_hash(threads, 400) == expected);
    }
}

FILO_TEST(a_result_without_a_tick_arrives_when_the_function_has_ended) {
    Asking asking = { .function = answer };
    Fixture fixture = fixture_open(2, &asking, 3);
    for (int i = 0; i < 5000 && asker_of(&fixture, 0).answers + asker_of(&fixture, 1).answers < 2; i++) {
        ticks(&fixture, 1);
        usleep(1000);
    }
    assert_int_equal(asker_of(&fixture, 0).answers, 1);
    assert_int_equal(asker_of(&fixture, 1).sum, 7);
    fixture_close(&fixture);
}

FILO_TEST(without_a_scheduler_functions_run_at_the_end_of_the_tick) {
    Asking asking = { .function = answer };
    Fixture fixture = fixture_open(0, &asking, 3);
    ticks(&fixture, 2);
    assert_int_equal(asker_of(&fixture, 2).answers, 1);
    assert_int_equal(asker_of(&fixture, 2).arrived, 1);
    fixture_close(&fixture);
}

// ---- Functions that do not deliver ------------------------------------------------------------------------

static FiloResult give_up(FiloAsyncCall *call, const void *data, void *result) {
    (void)call, (void)data;
    ((Answer *)result)->number = 5;
    return filo_error(FILO_ERROR_TIMEOUT, "no answer");
}

FILO_TEST(a_failure_is_logged_and_nothing_is_sent) {
    Asking asking = { .function = give_up, .ticks = 2 };
    Fixture fixture = fixture_open(2, &asking, 1);
    expect_warning("failed: no answer", ticks(&fixture, 4));
    assert_int_equal(asker_of(&fixture, 0).answers, 0);
    fixture_close(&fixture);
}

static AtomicInt forgotten;

static FiloResult count_forgotten(FiloAsyncCall *call, const void *data, void *result) {
    (void)call, (void)data;
    usleep(2000);
    if (result == NULL) base_add_acq_rel(&forgotten, 1);
    return filo_ok();
}

FILO_TEST(functions_without_a_result_are_run_to_their_end) {
    base_store_release(&forgotten, 0);
    Asking asking = { .function = count_forgotten, .forget = true };
    Fixture fixture = fixture_open(2, &asking, 30);
    ticks(&fixture, 1);
    fixture_close(&fixture); // most of them have not begun
    assert_int_equal(base_load_acquire(&forgotten), 30);
}

static AtomicInt may_return;

static FiloResult block(FiloAsyncCall *call, const void *data, void *result) {
    (void)call, (void)data, (void)result;
    while (base_load_acquire(&may_return) == 0) usleep(200);
    return filo_ok();
}

FILO_TEST(the_game_goes_on_without_a_function_that_does_not_return_in_time) {
    base_store_release(&may_return, 0);
    Asking asking = { .function = block, .ticks = 1, .timeout = 0.02 };
    Fixture fixture = fixture_open(2, &asking, 1);
    ticks(&fixture, 1);
    int64_t start = filo_time_ns();
    expect_warning("has not ended after 1 ticks and another 0.02 s", ticks(&fixture, 1));
    assert_true(filo_time_ns() - start >= 20000000);
    ticks(&fixture, 3);
    base_store_release(&may_return, 1);
    ticks(&fixture, 1);
    assert_int_equal(asker_of(&fixture, 0).answers, 0); // too late
    fixture_close(&fixture);
}

static FiloResult wait_for_cancel(FiloAsyncCall *call, const void *data, void *result) {
    (void)data, (void)result;
    while (!filo_async_cancelled(call)) usleep(200);
    return filo_error(FILO_ERROR_CANCELLED, "not wanted");
}

FILO_TEST(the_end_of_the_world_cancels_functions) {
    Asking asking = { .function = wait_for_cancel, .ticks = 100 };
    Fixture fixture = fixture_open(2, &asking, 20);
    ticks(&fixture, 3);
    expect_no_warning(fixture_close(&fixture));
}

static void release_when_warned(const FiloLogMessage *message, void *user) {
    (void)user;
    if (message->level == FILO_LOG_WARN) base_store_release(&may_return, 1);
}

FILO_TEST(the_end_of_the_world_names_a_function_that_does_not_return) {
    base_store_release(&may_return, 0);
    Asking asking = { .function = block, .ticks = 100 };
    Fixture fixture = fixture_open(2, &asking, 1);
    ticks(&fixture, 1);
    for (int i = 0; i < 1000; i++) { // a request that has not begun is simply dropped
        FiloRequest request = objects_world(fixture.world)->requests->pending.items[0]->request;
        if (filo_async_state(fixture.jobs, request) == FILO_REQUEST_RUNNING) break;
        usleep(1000);
    }
    FiloLogSink sink =
        filo_log_add_sink(&(FiloLogSinkDesc){ .write = release_when_warned, .filter = "warn" });
    expect_warning("ask has not returned for 2 s", fixture_close(&fixture));
    filo_log_remove_sink(sink);
}

FILO_TEST(a_result_for_an_object_that_has_ended_is_dropped) {
    Asking asking = { .function = answer, .ticks = 2 };
    Fixture fixture = fixture_open(2, &asking, 3);
    ticks(&fixture, 1);
    FiloQuery *query = filo_query(fixture.world, FILO_READ(Asker));
    filo_entity_destroy(fixture.world, filo_query_first(query));
    filo_query_release(query);
    ticks(&fixture, 3);
    assert_int_equal(asker_of(&fixture, 2).answers, 1);
    fixture_close(&fixture);
}

// ---- Snapshots ----------------------------------------------------------------------------------------------

FILO_TEST(a_snapshot_starts_functions_again_that_were_on_their_way) {
    for (int threads = 0; threads <= 4; threads += 2) {
        Asking asking = { .function = answer, .ticks = 5, .every = 3, .delay_us = 300 };
        Fixture fixture = fixture_open(threads, &asking, 10);
        FiloSnapshot *snapshot = filo_snapshot_create(NULL);
        ticks(&fixture, 8); // those of ticks 3 and 6 are on their way
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

static FiloResult answer_when_released(FiloAsyncCall *call, const void *data, void *result) {
    while (base_load_acquire(&may_return) == 0 && !filo_async_cancelled(call)) usleep(200);
    return answer(call, data, result);
}

FILO_TEST(a_function_without_a_tick_is_started_again_and_answers_once) {
    base_store_release(&may_return, 0);
    Asking asking = { .function = answer_when_released };
    Fixture fixture = fixture_open(2, &asking, 1);
    FiloSnapshot *snapshot = filo_snapshot_create(NULL);
    ticks(&fixture, 2);
    assert_ok(filo_snapshot_take(snapshot, fixture.world));
    ticks(&fixture, 2);
    assert_ok(
        filo_snapshot_restore(snapshot, fixture.world)); // cancels the first, which answers nevertheless
    ticks(&fixture, 20);
    assert_int_equal(asker_of(&fixture, 0).answers, 0);
    base_store_release(&may_return, 1);
    for (int i = 0; i < 5000 && asker_of(&fixture, 0).answers == 0; i++) {
        ticks(&fixture, 1);
        usleep(1000);
    }
    ticks(&fixture, 20);
    assert_int_equal(asker_of(&fixture, 0).answers, 1);
    filo_snapshot_destroy(snapshot);
    fixture_close(&fixture);
}

FILO_TEST(a_history_rewinds_over_functions) {
    Asking asking = { .function = answer, .ticks = 4, .every = 1, .delay_us = 50 };
    Fixture fixture = fixture_open(4, &asking, 5);
    FiloHistory *history;
    assert_ok(filo_history_create(&history, NULL));
    uint64_t hashes[31];
    for (int i = 0; i <= 30; i++) {
        hashes[i] = filo_world_hash(fixture.world);
        assert_ok(filo_history_push(history, fixture.world));
        if (i < 30) ticks(&fixture, 1);
    }
    assert_ok(filo_history_rewind(history, fixture.world, 20));
    for (int i = 10; i <= 30; i++) {
        assert_true(filo_world_hash(fixture.world) == hashes[i]);
        if (i < 30) ticks(&fixture, 1);
    }
    filo_history_destroy(history);
    fixture_close(&fixture);
}

FILO_TEST(a_saved_file_has_no_functions) {
    Asking asking = { .function = answer, .ticks = 5 };
    Fixture fixture = fixture_open(2, &asking, 3);
    ticks(&fixture, 2);
    FiloBytes bytes = { 0 };
    assert_ok(filo_world_save_bytes(fixture.world, &bytes, NULL));
    assert_ok(filo_world_load_bytes(fixture.world, bytes.items, bytes.count, "test", NULL));
    ticks(&fixture, 8);
    assert_int_equal(asker_of(&fixture, 0).answers, 0);
    filo_array_deinit(&bytes);
    fixture_close(&fixture);
}

// ---- Steady ticks, and mistakes -------------------------------------------------------------------------------

FILO_TEST(a_steady_tick_with_functions_allocates_nothing) {
    // One async thread, because starting another allocates.
    Asking asking = { .function = answer, .ticks = 2, .every = 1, .async_threads = 1 };
    Fixture fixture = fixture_open(1, &asking, 20);
    ticks(&fixture, 20);
    uint64_t before = filo_test_malloc_calls();
    ticks(&fixture, 20);
    assert_int_equal(filo_test_malloc_calls(), before);
    fixture_close(&fixture);
}

static void run_wrongly(FiloIter *it) {
    FiloObjectRun good = { .name = "wrong", .function = answer, .result = FILO_RESULT_OF(Answer) };
    FiloObjectRun bad = good;
    assert_false(filo_object_run(it, it->count, &bad));
    bad.data_size = FILO_OBJECT_DATA + 1;
    assert_false(filo_object_run(it, 0, &bad));
    bad.data_size = 8;
    assert_false(filo_object_run(it, 0, &bad));
    bad = good;
    bad.timeout = -1;
    assert_false(filo_object_run(it, 0, &bad));
    bad = good;
    bad.result = FILO_RESULT_OF(Asker);
    assert_false(filo_object_run(it, 0, &bad));
}

FILO_TEST(mistakes_are_named) {
    Asking asking = { 0 };
    Fixture fixture = fixture_open(0, &asking, 1);
    filo_system_add(
        fixture.world,
        &(FiloSystemDesc){ .name = "wrong", .run = run_wrongly, .query.terms = { FILO_READ(Asker) } });
    expect_faults(5, "wrong: row 1 does not exist; this part has 1", ticks(&fixture, 1));
    expect_fault("pass the iteration of a step", assert_false(filo_object_run(NULL, 0, NULL)));
    fixture_close(&fixture);
}
