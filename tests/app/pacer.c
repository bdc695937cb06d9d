// Converting the time that has passed into ticks.

#include "app/pacer.h"
#include "support/test.h"

#include <math.h>

static AppPacer make(FiloTimeStep step) {
    AppPacer pacer;
    app_pacer_init(&pacer, &(FiloAppDesc){ .step = step, .tick_seconds = 0.01, .max_ticks = 4 });
    return pacer;
}

FILO_TEST(defaults_are_sixty_ticks_a_second_and_five_a_frame) {
    AppPacer pacer;
    app_pacer_init(&pacer, &(FiloAppDesc){ 0 });
    assert_float_equal((float)pacer.tick_seconds, 1.0f / 60, 1e-6f);
    assert_int_equal(pacer.max_ticks, 5);
}

FILO_TEST(a_tick_of_no_length_is_a_mistake) {
    only_in_debug_builds();
    AppPacer pacer;
    const double odd[] = { -1, 1e-9, 1e9, INFINITY, NAN };
    for (size_t i = 0; i < FILO_COUNT_OF(odd); i++) {
        expect_fault("a tick lasts", app_pacer_init(&pacer, &(FiloAppDesc){ .tick_seconds = odd[i] }));
        assert_true(pacer.tick_seconds == 1.0 / 60);
    }
}

FILO_TEST(fixed_ticks_are_all_of_one_length_and_lose_no_time) {
    AppPacer pacer = make(FILO_STEP_FIXED);
    int ticks = 0;
    for (int i = 0; i < 1000; i++) {
        AppPace pace = app_pacer_advance(&pacer, 0.0037);
        if (pace.ticks > 0) assert_true(pace.delta == 0.01f);
        ticks += pace.ticks;
    }
    assert_int_equal(ticks, 370);
    assert_true(pacer.dropped == 0);
}

FILO_TEST(a_frame_of_one_tick_gives_one_tick_every_time) {
    AppPacer pacer;
    app_pacer_init(&pacer, &(FiloAppDesc){ 0 });
    for (int i = 0; i < 100000; i++) assert_int_equal(app_pacer_advance(&pacer, pacer.tick_seconds).ticks, 1);
}

FILO_TEST(too_much_time_is_dropped_and_counted) {
    AppPacer pacer = make(FILO_STEP_FIXED);
    AppPace pace = app_pacer_advance(&pacer, 1.0);
    assert_int_equal(pace.ticks, 4);
    assert_true(fabs(pacer.dropped - 0.96) < 1e-9);
    assert_int_equal(app_pacer_advance(&pacer, 0.01).ticks, 1); // the rest was dropped
}

FILO_TEST(the_blend_says_how_far_the_clock_is) {
    AppPacer pacer = make(FILO_STEP_FIXED);
    app_pacer_advance(&pacer, 0.0125);
    assert_float_equal(app_pacer_blend(&pacer), 0.25f, 1e-4f);
}

FILO_TEST(semi_fixed_ticks_fill_the_frame_in_equal_parts) {
    AppPacer pacer = make(FILO_STEP_SEMI_FIXED);
    AppPace pace = app_pacer_advance(&pacer, 0.025);
    assert_int_equal(pace.ticks, 3);
    assert_float_equal(pace.delta, 0.025f / 3, 1e-6f);
    pace = app_pacer_advance(&pacer, 0.004);
    assert_int_equal(pace.ticks, 1);
    assert_float_equal(pace.delta, 0.004f, 1e-6f);
    pace = app_pacer_advance(&pacer, 0.5);
    assert_int_equal(pace.ticks, 4);
    assert_true(fabs(pacer.dropped - 0.46) < 1e-9);
    assert_true(app_pacer_blend(&pacer) == 1.0f);
}

FILO_TEST(a_variable_tick_is_as_long_as_the_frame_up_to_a_limit) {
    AppPacer pacer = make(FILO_STEP_VARIABLE);
    assert_float_equal(app_pacer_advance(&pacer, 0.017).delta, 0.017f, 1e-6f);
    AppPace pace = app_pacer_advance(&pacer, 3);
    assert_int_equal(pace.ticks, 1);
    assert_float_equal(pace.delta, 0.04f, 1e-6f);
    assert_true(fabs(pacer.dropped - 2.96) < 1e-9);
}

FILO_TEST(time_can_be_scaled_and_stopped) {
    AppPacer pacer = make(FILO_STEP_FIXED);
    pacer.scale = 0.5f;
    assert_int_equal(app_pacer_advance(&pacer, 0.04).ticks, 2);
    pacer.scale = 0;
    assert_int_equal(app_pacer_advance(&pacer, 10).ticks, 0);
    assert_true(pacer.dropped == 0);
}

FILO_TEST(time_that_is_no_time_gives_no_ticks) {
    const double odd[] = { -1, 0, NAN, INFINITY, -INFINITY };
    for (int step = FILO_STEP_FIXED; step <= FILO_STEP_VARIABLE; step++) {
        AppPacer pacer = make((FiloTimeStep)step);
        for (size_t i = 0; i < FILO_COUNT_OF(odd); i++)
            assert_int_equal(app_pacer_advance(&pacer, odd[i]).ticks, 0);
    }
}
