// Timers and cooldowns: when they fire, that they do not drift, and values that make no sense.

#include <filo/timer.h>

#include "support/test.h"

#include <math.h>

// Advances a timer by `ticks` ticks and returns how often it fired.
static uint32_t advance(FiloTimer *timer, int ticks, double delta) {
    uint32_t fired = 0;
    for (int i = 0; i < ticks; i++) fired += filo_timer_advance(timer, delta);
    return fired;
}

// ---- Timers -------------------------------------------------------------------------------------------

FILO_TEST(a_timer_fires_once_and_is_then_finished) {
    FiloTimer timer = { .duration = 3 };
    assert_int_equal(filo_timer_advance(&timer, 1), 0);
    assert_int_equal(filo_timer_advance(&timer, 1), 0);
    assert_false(timer.finished);
    assert_int_equal(filo_timer_advance(&timer, 1), 1);
    assert_true(timer.finished);
    assert_int_equal(advance(&timer, 100, 1), 0);
}

FILO_TEST(a_timer_that_repeats_fires_every_so_many_ticks) {
    FiloTimer timer = { .duration = 4, .repeating = true };
    for (int tick = 1; tick <= 40; tick++) assert_int_equal(filo_timer_advance(&timer, 1), tick % 4 == 0);
    assert_false(timer.finished);
}

FILO_TEST(a_long_tick_makes_up_for_what_it_missed) {
    FiloTimer timer = { .duration = 0.25f, .repeating = true };
    assert_int_equal(filo_timer_advance(&timer, 1.125), 4);
    assert_true(timer.elapsed == 0.125);
    assert_int_equal(filo_timer_advance(&timer, 0.125), 1);
    FiloTimer once = { .duration = 0.25f };
    assert_int_equal(filo_timer_advance(&once, 1.125), 1);
}

// No tick ends when the timer is due: what is over counts for the next time.
FILO_TEST(a_timer_between_ticks_does_not_drift) {
    FiloTimer timer = { .duration = 0.15f, .repeating = true };
    assert_int_equal(advance(&timer, 3 * 60, (double)(1.0f / 60)), 20);
    assert_int_equal(advance(&timer, 3 * 60 * 999, (double)(1.0f / 60)), 20 * 999);
}

// 50 × 0.02f is less than 1, and 60 × (1.0f / 60) is more.
FILO_TEST(a_second_is_as_many_ticks_as_a_second_has) {
    for (int rate = 1; rate <= 240; rate++) {
        FiloTimer timer = { .duration = 1 };
        double delta = (double)(1.0f / (float)rate);
        assert_int_equal(advance(&timer, rate - 1, delta), 0);
        assert_int_equal(filo_timer_advance(&timer, delta), 1);
    }
}

FILO_TEST(hours_of_ticks_fire_as_often_as_they_should) {
    for (int rate = 30; rate <= 144; rate += 19) {
        FiloTimer timer = { .duration = 1, .repeating = true };
        uint32_t fired = advance(&timer, rate * 3600 * 3, (double)(1.0f / (float)rate));
        if (fired < 3 * 3600 - 1 || fired > 3 * 3600)
            fail_msg("%u times at %d ticks a second", (unsigned)fired, rate);
    }
}

FILO_TEST(a_timer_that_is_paused_does_not_advance) {
    FiloTimer timer = { .duration = 2 };
    filo_timer_advance(&timer, 1);
    timer.paused = true;
    assert_int_equal(advance(&timer, 100, 1), 0);
    timer.paused = false;
    assert_int_equal(filo_timer_advance(&timer, 1), 1);
}

FILO_TEST(a_timer_that_is_restarted_starts_again) {
    FiloTimer timer = { .duration = 2 };
    assert_int_equal(advance(&timer, 5, 1), 1);
    filo_timer_restart(&timer);
    assert_false(timer.finished);
    assert_int_equal(filo_timer_advance(&timer, 1), 0);
    assert_int_equal(filo_timer_advance(&timer, 1), 1);
    timer.paused = true;
    filo_timer_restart(&timer);
    assert_int_equal(advance(&timer, 5, 1), 0);
}

FILO_TEST(a_timer_has_a_fraction_and_a_time_left) {
    FiloTimer timer = { .duration = 4 };
    assert_true(filo_timer_fraction(&timer) == 0);
    assert_true(filo_timer_left(&timer) == 4);
    filo_timer_advance(&timer, 1);
    assert_true(filo_timer_fraction(&timer) == 0.25f);
    assert_true(filo_timer_left(&timer) == 3);
    filo_timer_advance(&timer, 10);
    assert_true(filo_timer_fraction(&timer) == 1);
    assert_true(filo_timer_left(&timer) == 0);
    timer.elapsed = -1; // after rounding made it fire a little early
    timer.finished = false;
    assert_true(filo_timer_fraction(&timer) == 0);
}

FILO_TEST(a_timer_of_zeroes_is_harmless) {
    FiloTimer timer = { 0 };
    assert_int_equal(advance(&timer, 100, 1), 0);
    assert_false(timer.finished);
    assert_true(filo_timer_fraction(&timer) == 0);
    assert_true(filo_timer_left(&timer) == 0);
    filo_timer_restart(&timer);
    timer.repeating = true;
    assert_int_equal(advance(&timer, 100, 1), 0);
    assert_true(timer.elapsed == 0);
}

FILO_TEST(senseless_durations_and_ticks_do_nothing) {
    const float durations[] = { 0, -1, -INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(durations); i++) {
        FiloTimer timer = { .duration = durations[i], .repeating = true };
        assert_int_equal(advance(&timer, 10, 1), 0);
        assert_true(filo_timer_fraction(&timer) == 0 && filo_timer_left(&timer) == 0);
    }
    const double deltas[] = { 0, -1, -INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(deltas); i++) {
        FiloTimer timer = { .duration = 1 };
        assert_int_equal(advance(&timer, 10, deltas[i]), 0);
        assert_true(timer.elapsed == 0);
    }
    FiloTimer never = { .duration = INFINITY };
    assert_int_equal(advance(&never, 10, 1e30), 0);
}

FILO_TEST(a_tick_that_never_ends_fires_as_often_as_can_be_counted) {
    FiloTimer timer = { .duration = 1e-6f, .repeating = true };
    assert_int_equal(filo_timer_advance(&timer, 1e9), UINT32_MAX);
    assert_true(timer.elapsed == 0);
    assert_int_equal(filo_timer_advance(&timer, INFINITY), UINT32_MAX);
    assert_int_equal(filo_timer_advance(&timer, 2.5e-6), 2); // it goes on
    FiloTimer once = { .duration = 1 };
    assert_int_equal(filo_timer_advance(&once, INFINITY), 1);
    assert_true(once.elapsed == 1);
}

FILO_TEST(a_timer_is_described) {
    FiloTimer a = { .duration = 3, .repeating = true, .elapsed = 1.5 }, b = a;
    assert_int_equal(sizeof a, 16);
    char path[64];
    assert_true(filo_reflect_equal(FILO_TYPE(FiloTimer), &a, &b));
    filo_timer_advance(&b, 0.5);
    assert_true(filo_reflect_difference(FILO_TYPE(FiloTimer), &a, &b, path, sizeof path));
    assert_string_equal(path, "elapsed");
    char text[128];
    FiloValue value = { FILO_TYPE(FiloTimer), NULL, &a, 0 };
    filo_reflect_print(value, text, sizeof text);
    FiloTimer read = { 0 };
    assert_ok(filo_reflect_parse((FiloValue){ FILO_TYPE(FiloTimer), NULL, &read, 0 }, text));
    assert_true(filo_reflect_equal(FILO_TYPE(FiloTimer), &a, &read));
}

// ---- Cooldowns ----------------------------------------------------------------------------------------

FILO_TEST(a_cooldown_is_ready_at_first_and_then_after_its_duration) {
    FiloCooldown cooldown = { .duration = 3 };
    assert_true(filo_cooldown_ready(&cooldown));
    assert_true(filo_cooldown_use(&cooldown));
    assert_false(filo_cooldown_use(&cooldown));
    for (int tick = 1; tick < 3; tick++) {
        filo_cooldown_advance(&cooldown, 1);
        assert_false(filo_cooldown_ready(&cooldown));
        assert_false(filo_cooldown_use(&cooldown));
    }
    filo_cooldown_advance(&cooldown, 1);
    assert_true(filo_cooldown_ready(&cooldown));
    for (int i = 0; i < 10; i++) filo_cooldown_advance(&cooldown, 1); // it stays ready, and saves nothing up
    assert_true(filo_cooldown_use(&cooldown));
    assert_false(filo_cooldown_use(&cooldown));
    assert_true(cooldown.left == 3);
}

static int uses(FiloCooldown *cooldown, int ticks, double delta) {
    int count = 0;
    for (int i = 0; i < ticks; i++) {
        filo_cooldown_advance(cooldown, delta);
        while (filo_cooldown_use(cooldown)) count++;
    }
    return count;
}

// 7 a second is once in 8.57 ticks.
FILO_TEST(a_cooldown_that_is_always_used_keeps_its_rate) {
    FiloCooldown slow = { .duration = 1.0f / 7 }, fast = { .duration = 0.005f };
    assert_int_equal(uses(&slow, 60 * 10 + 1, (double)(1.0f / 60)), 71);
    int shots = uses(&fast, 60 * 10, (double)(1.0f / 60)); // more than once in a tick
    assert_in_range(shots, 1997, 2001);
}

FILO_TEST(a_second_of_cooldown_is_as_many_ticks_as_a_second_has) {
    for (int rate = 1; rate <= 240; rate++) {
        FiloCooldown cooldown = { .duration = 1 };
        assert_true(filo_cooldown_use(&cooldown));
        assert_int_equal(uses(&cooldown, rate - 1, (double)(1.0f / (float)rate)), 0);
        assert_int_equal(uses(&cooldown, 1, (double)(1.0f / (float)rate)), 1);
    }
}

FILO_TEST(a_cooldown_without_duration_can_be_used_once_a_tick) {
    const float durations[] = { 0, -1, -INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(durations); i++) {
        FiloCooldown cooldown = { .duration = durations[i] };
        assert_true(filo_cooldown_ready(&cooldown));
        assert_int_equal(uses(&cooldown, 10, 1.0 / 60), 10);
        assert_true(filo_cooldown_fraction(&cooldown) == 1);
    }
}

FILO_TEST(a_cooldown_has_a_fraction) {
    FiloCooldown cooldown = { .duration = 4 };
    assert_true(filo_cooldown_fraction(&cooldown) == 1);
    filo_cooldown_use(&cooldown);
    assert_true(filo_cooldown_fraction(&cooldown) == 0);
    filo_cooldown_advance(&cooldown, 1);
    assert_true(filo_cooldown_fraction(&cooldown) == 0.25f);
    filo_cooldown_advance(&cooldown, 0);
    filo_cooldown_advance(&cooldown, -1);
    filo_cooldown_advance(&cooldown, NAN);
    assert_true(cooldown.left == 3);
    filo_cooldown_advance(&cooldown, INFINITY);
    assert_true(filo_cooldown_ready(&cooldown));
}
