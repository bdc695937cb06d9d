// Profiling: recording zones, frames and counters into rings, on many threads, and telling a hook of them.

#include "base/profile_fixture.h"

#include <filo/memory.h>

#include <math.h>
#include <stdlib.h>

// ---- Helpers ------------------------------------------------------------------------------------------

// The row of a name, all zero if there is none.
static FiloProfileZoneRow zone_row(const FiloProfileReport *made, const char *name) {
    for (size_t i = 0; i < made->zone_count; i++)
        if (strcmp(made->zones[i].name, name) == 0) return made->zones[i];
    return (FiloProfileZoneRow){ 0 };
}

static FiloProfileCounterRow counter_row(const char *name) {
    FiloProfileReport made = report();
    FiloProfileCounterRow row = { 0 };
    for (size_t i = 0; i < made.counter_count; i++)
        if (strcmp(made.counters[i].name, name) == 0) row = made.counters[i];
    filo_profile_report_deinit(&made);
    return row;
}

static uint64_t calls(const char *name) {
    FiloProfileReport made = report();
    uint64_t count = zone_row(&made, name).calls;
    filo_profile_report_deinit(&made);
    return count;
}

static uint64_t lost(void) {
    FiloProfileReport made = report();
    uint64_t count = made.lost_count;
    filo_profile_report_deinit(&made);
    return count;
}

// What rings take, in bytes.
static size_t ring_memory(void) {
    FiloMemoryStats stats[64];
    size_t count = filo_memory_list(stats, FILO_COUNT_OF(stats));
    for (size_t i = 0; i < count; i++)
        if (strcmp(stats[i].name, "profile") == 0) return stats[i].used;
    return 0;
}

// ---- Zones --------------------------------------------------------------------------------------------

static int measured_function(int rounds) {
    FILO_ZONE("whole");
    for (int i = 0; i < rounds; i++) {
        FILO_ZONE("part");
        work();
        if (i == 2) return i; // cleanup runs however the scope is left
    }
    return rounds;
}

FILO_TEST(nothing_is_recorded_until_the_profile_is_started) {
    assert_false(filo_profile_running());
    measured_function(2);
    filo_profile_frame();
    FILO_COUNTER("things", 1);
    FiloProfileReport made = report();
    assert_int_equal(made.event_count, 0);
    assert_int_equal(made.lost_count, 0);
    filo_profile_report_deinit(&made);
    assert_int_equal(ring_memory(), 0); // not even a ring
}

FILO_TEST(a_zone_measures_its_scope_and_nests) {
    filo_profile_start(NULL);
    assert_true(filo_profile_running());
    assert_int_equal(measured_function(2), 2);
    assert_int_equal(measured_function(100), 2);
    filo_profile_stop();
    FiloProfileReport made = report();
    FiloProfileZoneRow whole = zone_row(&made, "whole"), part = zone_row(&made, "part");
    filo_profile_report_deinit(&made);
    assert_int_equal(whole.calls, 2);
    assert_int_equal(part.calls, 5);
    assert_true(whole.total_ms >= part.total_ms);
    assert_true(fabs(whole.self_ms - (whole.total_ms - part.total_ms)) <= whole.total_ms * 1e-9);
    assert_true(fabs(part.self_ms - part.total_ms) <= part.total_ms * 1e-9);
    assert_true(fabs(whole.share + part.share - 1) < 1e-9);
    assert_true(whole.min_ms <= whole.mean_ms && whole.mean_ms <= whole.max_ms);
}

FILO_TEST(self_time_leaves_out_only_what_lies_directly_inside) {
    filo_profile_start(NULL);
    {
        FILO_ZONE("a");
        {
            FILO_ZONE("b");
            zone("c");
            work();
            zone("c");
        }
        zone("c");
    }
    FiloProfileReport made = report();
    FiloProfileZoneRow a = zone_row(&made, "a"), b = zone_row(&made, "b"), c = zone_row(&made, "c");
    filo_profile_report_deinit(&made);
    filo_profile_stop();
    assert_int_equal(c.calls, 3);
    // Whatever is counted as self time somewhere is counted once: together it is the outermost zone.
    assert_true(fabs(a.self_ms + b.self_ms + c.self_ms - a.total_ms) <= a.total_ms * 1e-9);
    assert_true(fabs(a.share + b.share + c.share - 1) < 1e-9);
}

FILO_TEST(zones_begin_and_end_by_hand) {
    filo_profile_start(NULL);
    FILO_ZONE_BEGIN(loading, "loading");
    FILO_ZONE_BEGIN(parsing, "parsing");
    FILO_ZONE_END(parsing);
    FILO_ZONE_END(loading);
    FILO_ZONE_END(loading); // twice is harmless
    char built[8] = "job 7";
    zone(built);
    zone(NULL);
    filo_profile_stop();
    assert_int_equal(calls("loading"), 1);
    assert_int_equal(calls("parsing"), 1);
    assert_int_equal(calls("job 7"), 1);
    assert_int_equal(calls("(unnamed)"), 1);
}

FILO_TEST(names_are_compared_as_texts) {
    char first[] = "same", second[] = "same";
    filo_profile_start(NULL);
    zone(first);
    zone(second);
    filo_profile_stop();
    assert_int_equal(calls("same"), 2);
}

FILO_TEST(switching_inside_a_zone_is_harmless) {
    FiloZone before, during, over;
    filo_profile_enter(&before, "opened while off");
    filo_profile_start(NULL);
    filo_profile_leave(&before);
    filo_profile_enter(&during, "closed while off");
    filo_profile_enter(&over, "opened before the clear");
    filo_profile_stop();
    filo_profile_leave(&during);
    filo_profile_clear();
    filo_profile_start(NULL);
    filo_profile_leave(&over);
    zone("whole");
    filo_profile_stop();
    FiloProfileReport made = report();
    assert_int_equal(made.zone_count, 1);
    assert_string_equal(made.zones[0].name, "whole");
    assert_int_equal(made.lost_count, 0);
    filo_profile_report_deinit(&made);
}

FILO_TEST(starts_are_counted) {
    filo_profile_start(NULL);
    filo_profile_start(NULL);
    filo_profile_stop();
    assert_true(filo_profile_running());
    zone("kept");
    filo_profile_stop();
    assert_false(filo_profile_running());
    zone("not recorded");
    expect_fault("call filo_profile_stop once for each filo_profile_start", filo_profile_stop());
    assert_false(filo_profile_running());
    filo_profile_start(NULL);
    zone("kept"); // added to what was there
    filo_profile_stop();
    assert_int_equal(calls("kept"), 2);
    assert_int_equal(calls("not recorded"), 0);
}

FILO_TEST(recording_does_not_allocate_after_the_first_event) {
    filo_profile_start(NULL);
    zone("first");
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < 1000; i++) {
        FILO_ZONE("zone");
        FILO_COUNTER("i", i);
        filo_profile_frame();
    }
    assert_int_equal(filo_memory_system_calls(), before);
    filo_profile_stop();
}

// ---- Rings --------------------------------------------------------------------------------------------

FILO_TEST(a_full_ring_loses_its_oldest_events_and_counts_them) {
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 10 }); // becomes 16, of which 15 can be read
    for (int i = 0; i < 100; i++) FILO_COUNTER("i", i);
    FiloProfileCounterRow row = counter_row("i");
    assert_int_equal(row.samples, 15);
    assert_true(row.min == 85 && row.max == 99 && row.last == 99);
    assert_int_equal(lost(), 85);
    filo_profile_clear();
    assert_int_equal(lost(), 0);
    FILO_COUNTER("i", 7);
    row = counter_row("i");
    assert_int_equal(row.samples, 1);
    assert_true(row.last == 7);
    filo_profile_stop();
}

FILO_TEST(events_of_ended_threads_stay_until_the_profile_is_cleared) {
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 1024 });
    for (int i = 0; i < 5; i++) run_thread("short", zone_and_counter, NULL);
    assert_int_equal(calls("on a thread"), 5);
    FiloProfileReport made = report();
    assert_int_equal(made.thread_count, 5);
    filo_profile_report_deinit(&made);

    size_t memory = ring_memory();
    assert_true(memory > 0);
    filo_profile_clear();
    assert_int_equal(calls("on a thread"), 0);
    for (int i = 0; i < 5; i++) run_thread("short", zone_and_counter, NULL);
    assert_int_equal(calls("on a thread"), 5);
    assert_int_equal(ring_memory(), memory); // the rings were used again
    filo_profile_stop();
}

static void zone_then_clear(void *user) {
    FILO_UNUSED(user);
    zone("on a thread");
    filo_profile_clear();
}

FILO_TEST(a_thread_that_ends_without_events_frees_its_ring) {
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 1024 });
    run_thread("short", zone_then_clear, NULL);
    size_t memory = ring_memory();
    assert_true(memory > 0);
    for (int i = 0; i < 20; i++) run_thread("short", zone_then_clear, NULL);
    assert_int_equal(ring_memory(), memory);
    filo_profile_stop();
}

FILO_TEST(a_thread_without_a_ring_counts_its_events_as_lost) {
    filo_profile_start(&(FiloProfileDesc){ .budget = 1000 });
    expect_fault("the budget of the profile is used up", {
        zone("lost"); // reported once for the thread, not for every event
        zone("lost");
        FILO_COUNTER("lost", 1);
        filo_profile_frame();
    });
    assert_int_equal(calls("lost"), 0);
    assert_int_equal(lost(), 4);
    filo_profile_start(&(FiloProfileDesc){ .budget = FILO_MIB(64) }); // now the budget is enough
    zone("found");
    assert_int_equal(calls("found"), 1);
    filo_profile_stop();
    filo_profile_stop();
}

// ---- Frames and counters ------------------------------------------------------------------------------

FILO_TEST(frames_lie_between_marks) {
    filo_profile_start(NULL);
    filo_profile_frame();
    FiloProfileReport made = report();
    assert_int_equal(made.frames.count, 0); // one mark is no frame yet
    filo_profile_report_deinit(&made);
    for (int i = 0; i < 250; i++) filo_profile_frame();
    made = report();
    assert_int_equal(made.frames.count, 250);
    assert_true(made.frames.p50_ms <= made.frames.p99_ms && made.frames.p99_ms <= made.frames.max_ms);
    assert_true(made.frames.mean_ms <= made.frames.max_ms && made.frames.mean_ms > 0);
    filo_profile_report_deinit(&made);
    filo_profile_stop();
}

FILO_TEST(counters_are_summed_up_without_infinities) {
    filo_profile_start(NULL);
    FILO_COUNTER("z", 5);
    FILO_COUNTER("entities", 10);
    FILO_COUNTER("entities", -2.5);
    FILO_COUNTER("entities", (double)NAN);
    FILO_COUNTER("entities", (double)INFINITY);
    FILO_COUNTER("entities", 4u);
    filo_profile_counter(NULL, 1);
    filo_profile_stop();
    FiloProfileCounterRow row = counter_row("entities");
    assert_int_equal(row.samples, 3);
    assert_true(row.min == -2.5 && row.max == 10 && row.last == 4);
    assert_true(fabs(row.mean - 11.5 / 3) < 1e-12);
    FiloProfileReport made = report();
    assert_int_equal(made.counter_count, 3);
    assert_string_equal(made.counters[0].name, "(unnamed)");
    assert_string_equal(made.counters[1].name, "entities");
    assert_string_equal(made.counters[2].name, "z");
    filo_profile_report_deinit(&made);
}

// ---- Many threads -------------------------------------------------------------------------------------

static uint32_t stop_threads; // atomic by builtins

// Every name goes with one value, so a torn event would show.
static void record_matching(void *user) {
    static const char *const names[] = { "zero", "one", "two", "three" };
    FILO_UNUSED(user);
    for (unsigned i = 0; !__atomic_load_n(&stop_threads, __ATOMIC_RELAXED); i++) {
        FILO_COUNTER(names[i % 4], i % 4);
        FILO_ZONE("zone");
    }
}

FILO_TEST(reading_while_threads_record_never_shows_an_incomplete_event) {
    stop_threads = 0;
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 64 });
    FiloThread threads[3];
    for (int i = 0; i < 3; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = record_matching }));
    static const char *const names[] = { "one", "three", "two", "zero" }; // as reports sort them
    static const double values[] = { 1, 3, 2, 0 };
    uint64_t seen = 0;
    for (int round = 0; round < 300 || seen == 0; round++) {
        FiloProfileReport made = report();
        for (size_t i = 0; i < made.counter_count; i++) {
            for (size_t k = 0; k < 4; k++) {
                if (strcmp(made.counters[i].name, names[k]) != 0) continue;
                assert_true(made.counters[i].min == values[k] && made.counters[i].max == values[k]);
                seen++;
            }
        }
        for (size_t i = 0; i < made.zone_count; i++) assert_string_equal(made.zones[i].name, "zone");
        filo_profile_report_deinit(&made);
        if (round % 50 == 49) filo_profile_clear();
        if (round % 60 == 59) {
            filo_profile_stop();
            filo_profile_start(NULL);
        }
        filo_thread_yield();
    }
    __atomic_store_n(&stop_threads, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) filo_thread_join(&threads[i]);
    filo_profile_stop();
}

// In bursts: a thread that only records fills the ring faster than it can be copied.
static void record_counting(void *user) {
    FILO_UNUSED(user);
    for (uint64_t i = 0; !__atomic_load_n(&stop_threads, __ATOMIC_RELAXED); i++) {
        FILO_COUNTER("i", i);
        for (int pause = 0; i % 64 == 0 && pause < 20; pause++) work();
    }
}

FILO_TEST(reading_while_threads_record_shows_their_newest_events_without_a_gap) {
    stop_threads = 0;
    filo_profile_start(&(FiloProfileDesc){ .events_per_thread = 1024 });
    FiloThread threads[2];
    for (int i = 0; i < 2; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = record_counting }));
    size_t seen = 0;
    for (int round = 0; round < 800 || seen == 0; round++) {
        BaseProfileSnapshot snapshot; // what traces and reports are made from
        assert_ok(base_profile_snapshot_init(&snapshot, NULL));
        for (size_t i = 0; i < snapshot.track_count; i++) {
            const BaseProfileTrack *track = &snapshot.tracks[i];
            double value = base_profile_event_value(&track->events[0]);
            // An event that was overwritten while it was copied would be newer than the one after it.
            for (size_t k = 1; k < track->event_count; k++)
                assert_true(base_profile_event_value(&track->events[k]) == value + (double)k);
            seen += track->event_count;
        }
        base_profile_snapshot_deinit(&snapshot);
        if (round % 100 == 99) filo_profile_clear();
    }
    __atomic_store_n(&stop_threads, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++) filo_thread_join(&threads[i]);
    filo_profile_stop();
}

// ---- The hook -----------------------------------------------------------------------------------------

typedef struct Diary {
    char text[1024];
    uint64_t next_token;
} Diary;

static void note(Diary *diary, const char *format, ...) {
    size_t length = strlen(diary->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(diary->text + length, sizeof diary->text - length, format, arguments);
    va_end(arguments);
}

static uint64_t note_begin(const char *name, const char *file, int line, void *user) {
    Diary *diary = user;
    FILO_ZONE("inside the hook"); // must not come back here
    note(diary, "begin %s %s %s; ", name, file != NULL ? file : "-", line > 0 ? "line" : "-");
    return ++diary->next_token;
}
static void note_end(const char *name, uint64_t token, void *user) {
    note(user, "end %s %d; ", name, (int)token);
}
static void note_frame(void *user) { note(user, "frame; "); }
static void note_counter(const char *name, double value, void *user) { note(user, "%s=%g; ", name, value); }
static void note_thread(const char *name, void *user) { note(user, "thread %s; ", name); }

static FiloProfileHook diary_hook(Diary *diary) {
    return (FiloProfileHook){ note_begin, note_end, note_frame, note_counter, note_thread, diary };
}

FILO_TEST(a_hook_receives_every_event_even_while_profiling_is_off) {
    Diary diary = { 0 };
    FiloProfileHook hook = diary_hook(&diary);
    filo_profile_set_hook(&hook);
    assert_false(filo_profile_running());
    {
        FILO_ZONE("outer");
        zone("inner");
        FILO_COUNTER("entities", 3);
        filo_profile_frame();
    }
    filo_profile_name_thread("renamed");
    filo_profile_set_hook(NULL);
    zone("after");
    assert_string_equal(diary.text, "thread main; begin outer tests/base/profile.c line; begin inner - -; "
                                    "end inner 2; entities=3; frame; end outer 1; thread renamed; ");
    FiloProfileReport made = report();
    assert_int_equal(made.event_count, 0);
    filo_profile_report_deinit(&made);
}

FILO_TEST(a_hook_and_a_recording_get_the_same_events) {
    Diary diary = { 0 };
    FiloProfileHook hook = diary_hook(&diary);
    filo_profile_set_hook(&hook);
    filo_profile_start(NULL);
    zone("a");
    filo_profile_set_hook(NULL);
    zone("b");
    filo_profile_stop();
    assert_string_equal(diary.text, "thread main; begin a - -; end a 1; ");
    assert_int_equal(calls("a"), 1);
    assert_int_equal(calls("b"), 1);
}

FILO_TEST(callbacks_may_be_left_out) {
    filo_profile_set_hook(&(FiloProfileHook){ 0 });
    zone("a");
    FILO_COUNTER("b", 1);
    filo_profile_frame();
    filo_profile_name_thread("c");
    filo_profile_set_hook(NULL);
    assert_string_equal(filo_thread_name(), "c");
}

FILO_TEST(an_end_is_reported_only_to_the_hook_of_its_beginning) {
    Diary first = { 0 }, second = { 0 };
    FiloProfileHook hooks[2] = { diary_hook(&first), diary_hook(&second) };
    FiloZone outer, middle, inner;
    filo_profile_enter(&outer, "outer");
    filo_profile_set_hook(&hooks[0]);
    filo_profile_enter(&middle, "middle");
    filo_profile_set_hook(&hooks[1]);
    filo_profile_enter(&inner, "inner");
    filo_profile_leave(&inner);
    filo_profile_leave(&middle);
    filo_profile_leave(&outer);
    filo_profile_set_hook(NULL);
    assert_string_equal(first.text, "thread main; begin middle - -; ");
    assert_string_equal(second.text, "thread main; begin inner - -; end inner 1; ");
}

static void change_hook(void *user) {
    FILO_UNUSED(user);
    filo_profile_set_hook(NULL);
}

FILO_TEST(a_hook_must_not_be_changed_from_inside_a_hook) {
    filo_profile_set_hook(&(FiloProfileHook){ .frame = change_hook });
    expect_fault("do not change the profiler's hook from inside a hook", filo_profile_frame());
    filo_profile_set_hook(NULL);
}

// What a hook uses; after the hook was replaced it is overwritten, so a late call would show, and the
// thread sanitizer sees it too.
typedef struct HookState {
    int alive;
    uint32_t calls; // atomic by builtins
} HookState;

static uint64_t count_begin(const char *name, const char *file, int line, void *user) {
    FILO_UNUSED(name), FILO_UNUSED(file), FILO_UNUSED(line);
    HookState *state = user;
    filo_thread_yield(); // so that the hook is likely to be replaced now
    if (state->alive != 1) abort();
    __atomic_fetch_add(&state->calls, 1, __ATOMIC_RELAXED);
    return 42;
}

static void count_end(const char *name, uint64_t token, void *user) {
    FILO_UNUSED(name);
    HookState *state = user;
    filo_thread_yield();
    if (state->alive != 1 || token != 42) abort();
}

FILO_TEST(a_replaced_hook_is_never_called_again) {
    static HookState states[200];
    stop_threads = 0;
    FiloThread threads[3];
    for (int i = 0; i < 3; i++)
        assert_ok(filo_thread_start(&threads[i], &(FiloThreadDesc){ .function = record_matching }));
    uint32_t called = 0;
    for (int i = 0; i < 200; i++) {
        states[i].alive = 1;
        filo_profile_set_hook(
            &(FiloProfileHook){ .zone_begin = count_begin, .zone_end = count_end, .user = &states[i] });
        if (i % 10 == 0) // let it be called for certain
            while (__atomic_load_n(&states[i].calls, __ATOMIC_RELAXED) == 0) filo_thread_yield();
        if (i % 2 == 0) filo_profile_set_hook(NULL);
        if (i % 2 == 0) states[i].alive = 0;
        if (i % 2 == 0 && i > 0) states[i - 1].alive = 0; // was replaced by this one
        called += __atomic_load_n(&states[i].calls, __ATOMIC_RELAXED);
    }
    filo_profile_set_hook(NULL);
    assert_true(called >= 20);
    __atomic_store_n(&stop_threads, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) filo_thread_join(&threads[i]);
}
