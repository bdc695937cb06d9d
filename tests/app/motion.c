// Motion is even at all refresh rates, with and without overlapping ticks.

#include "stage.h"

#include "gfx2d/renderer.h"

// ---- Evenly -----------------------------------------------------------------------------------------------

// Returns the time of the picture in ticks: 3.5 is half-way between the third and the fourth.
static double frame_of(FiloApp *app, double seconds) {
    assert_true(filo_app_poll(app));
    filo_app_tick(app, seconds);
    filo_app_extract(app);
    double seen = (double)filo_world_ticks(filo_app_world(app)) - 1 + (double)filo_app_blend(app);
    filo_app_render(app);
    filo_app_present(app);
    return seen;
}

static void assert_even(double frames_per_tick, float scale, int threads) {
    FiloCommonArgs args = headless;
    args.threads = threads;
    FiloApp *app = start(NULL, &args);
    filo_app_set_time_scale(app, scale);
    double seconds = 1.0 / 60 / frames_per_tick, step = (double)scale / frames_per_tick;
    double before = 0;
    for (int i = 0; i < 20; i++) before = frame_of(app, seconds);
    for (int i = 0; i < 200; i++) {
        double seen = frame_of(app, seconds), moved = seen - before;
        before = seen;
        if (moved < step - 0.01 || moved > step + 0.01)
            fail_msg("%g frames a tick, %d threads, frame %d: it moved by %g ticks instead of %g",
                     frames_per_tick, threads, i, moved, step);
    }
    filo_app_destroy(app);
}

FILO_TEST(motion_is_even_on_screens_of_any_rate) {
    const double frames_per_tick[] = { 0.5, 50.0 / 60, 1, 75.0 / 60, 2, 144.0 / 60, 4 };
    for (size_t i = 0; i < FILO_COUNT_OF(frames_per_tick); i++)
        for (int threads = 1; threads <= 2; threads++) assert_even(frames_per_tick[i], 1, threads);
}

FILO_TEST(motion_is_even_when_time_is_slow_or_fast) {
    for (int threads = 1; threads <= 2; threads++) {
        assert_even(1, 0.25f, threads);
        assert_even(2, 0.3f, threads);
        assert_even(1, 2, threads);
    }
}

FILO_TEST(shaders_see_the_seconds_of_the_game_whatever_the_length_of_a_tick) {
    const double tick_seconds[] = { 1.0 / 30, 1.0 / 60, 1.0 / 200 };
    for (size_t i = 0; i < FILO_COUNT_OF(tick_seconds); i++) {
        FiloApp *app = start(&(FiloAppDesc){ .tick_seconds = tick_seconds[i], .max_ticks = 10 }, &headless);
        for (int frame = 0; frame < 100; frame++) {
            double seen = frame_of(app, 1.0 / 75);
            assert_float_equal(filo_app_gfx2d(app)->time, (float)(FILO_MAX(seen, 0.0) * tick_seconds[i]),
                               1e-4f);
        }
        assert_true(filo_app_gfx2d(app)->time > 1);
        filo_app_destroy(app);
    }
}

FILO_TEST(frames_of_uneven_length_never_go_back) {
    FiloApp *app = start(NULL, &headless);
    FiloRandom random = filo_random_keyed(7, 0, 0, 0);
    double before = 0, total = 0;
    for (int i = 0; i < 2000; i++) {
        double seconds = (double)filo_random_float(&random) / 40;
        double seen = frame_of(app, seconds);
        total += seconds * 60;
        assert_true(i < 3 || seen >= before - 1e-3);
        // The picture is never more than two ticks behind the clock.
        assert_true(i < 3 || (seen <= total && seen >= total - 2.001));
        before = seen;
    }
    filo_app_destroy(app);
}

FILO_TEST(ticks_overlap_drawing_and_none_is_lost) {
    const double frames_per_tick[] = { 0.4, 1, 3 };
    for (size_t i = 0; i < FILO_COUNT_OF(frames_per_tick); i++) {
        FiloApp *app = start(NULL, &headless);
        int overlaps = 0;
        for (int n = 0; n < 60; n++) {
            frame_of(app, 1.0 / 60 / frames_per_tick[i]);
            overlaps += app->tick.running;
        }
        app_wait_for_tick(app);
        double wanted = 60 / frames_per_tick[i];
        assert_in_range(filo_world_ticks(filo_app_world(app)) + app->tick_deferred, (int)wanted - 1,
                        (int)wanted + 1);
        assert_in_range(overlaps, (int)FILO_MIN(wanted, 60) - 2, (int)FILO_MIN(wanted, 60) + 1);
        filo_app_destroy(app);
    }
}

// ---- Other steps ------------------------------------------------------------------------------------------

FILO_TEST(semi_fixed_ticks_together_last_as_long_as_the_frame) {
    for (int overlap = 0; overlap < 2; overlap++) {
        FiloApp *app = start(
            &(FiloAppDesc){ .step = FILO_STEP_SEMI_FIXED, .tick_seconds = 0.01, .no_overlap = overlap == 0 },
            &headless);
        frame_of(app, 0.025);
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 3);
        assert_true(filo_app_time(app) > 0.02499 && filo_app_time(app) < 0.02501);
        assert_true(app->frame->blend == 1);
        frame_of(app, 0.004);
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 4);
        frame_of(app, 9); // at most five ticks
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 9);
        assert_true(filo_app_stats(app).dropped_seconds > 8);
        filo_app_destroy(app);
    }
}

FILO_TEST(a_variable_tick_is_as_long_as_the_frame) {
    for (int overlap = 0; overlap < 2; overlap++) {
        FiloApp *app =
            start(&(FiloAppDesc){ .step = FILO_STEP_VARIABLE, .no_overlap = overlap == 0 }, &headless);
        double total = 0;
        for (int i = 1; i <= 20; i++) {
            frame_of(app, 0.001 * i);
            total += 0.001 * i;
            assert_true(app->frame->blend == 1);
        }
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 20);
        assert_true(filo_app_time(app) > total - 1e-4 && filo_app_time(app) < total + 1e-4);
        frame_of(app, 0);
        app_wait_for_tick(app);
        assert_int_equal(filo_world_ticks(filo_app_world(app)), 20);
        filo_app_destroy(app);
    }
}

// A label that is placed by the blend factor, in `extract`.
typedef struct Label {
    FiloQuery *sprites;
    float x, in_draw;
} Label;

static FiloResult create_glider(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    Label *label = filo_app_user(app);
    label->sprites = filo_query(world, FILO_READ(FiloTransform2), FILO_READ(FiloPreviousTransform2));
    filo_create(world, FILO_ADD(FiloTransform2), FILO_ADD(FiloPreviousTransform2));
    return filo_ok();
}

static void glide(FiloIter *it) {
    FiloTransform2 *transforms = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) transforms[i].position.x += 10;
}

static FiloResult define_glider(FiloApp *app) {
    filo_system_add(
        filo_app_world(app),
        &(FiloSystemDesc){ .name = "glide", .run = glide, .query.terms = { FILO_WRITE(FiloTransform2) } });
    return filo_ok();
}

static void place_label(FiloApp *app) {
    Label *label = filo_app_user(app);
    FiloIter it = filo_query_iter(label->sprites);
    while (filo_iter_next(&it)) {
        const FiloTransform2 *now = filo_read(&it, FiloTransform2);
        const FiloPreviousTransform2 *previous = filo_read(&it, FiloPreviousTransform2);
        label->x = filo_transform2_blend(previous, now, filo_app_blend(app)).position.x;
    }
}

static void draw_label(FiloApp *app, FiloDraw *draw) {
    FILO_UNUSED(draw);
    ((Label *)filo_app_user(app))->in_draw = filo_app_blend(app);
}

FILO_TEST(a_label_glides_with_its_sprite) {
    Label label = { 0 };
    FiloApp *app = start(&(FiloAppDesc){ .define = define_glider,
                                         .create = create_glider,
                                         .extract = place_label,
                                         .draw = draw_label,
                                         .user = &label },
                         &headless);
    for (int i = 0; i < 20; i++) frame_of(app, 1.0 / 60 / 4);
    for (int i = 0; i < 40; i++) {
        float before = label.x;
        frame_of(app, 1.0 / 60 / 4);
        assert_float_equal(label.x - before, 2.5f, 0.01f);
        assert_true(label.in_draw == filo_app_blend(app));
    }
    app_wait_for_tick(app);
    filo_query_release(label.sprites);
    filo_app_destroy(app);
}

FILO_TEST(without_blending_the_last_tick_is_shown_as_it_is) {
    FiloApp *app = start(&(FiloAppDesc){ .no_blending = true }, &headless);
    frame_of(app, 0.02);
    assert_true(app->frame->blend == 1);
    filo_app_destroy(app);
}
