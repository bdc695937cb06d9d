// Figures: times, events, fades and mistakes.

#include "gfx3d/figure_fixture.h"
#include "support/warnings.h"

#include <math.h>

// ---- Times ------------------------------------------------------------------------------------------------------

FILO_TEST(a_clip_repeats_and_emits_its_events_in_the_order_of_time) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 0.25f);
    expect_heard(&figures, "start@0 step@0.25 ");
    assert_near(figure_of(&figures, robot)->time, 0.25);
    figures_tick(&figures, 0.25f);
    expect_heard(&figures, "");
    figures_tick(&figures, 0.3f);
    expect_heard(&figures, "step@0.75 ");
    figures_tick(&figures, 0.3f);
    expect_heard(&figures, "end@1 start@0 ");
    assert_near(figure_of(&figures, robot)->time, 0.1);
    assert_false(figure_of(&figures, robot)->finished);
    figures_close(&figures);
}

FILO_TEST(sixty_ticks_are_a_second_exactly_again_and_again) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    for (int second = 0; second < 100; second++) {
        for (int i = 0; i < 60; i++) figures_tick(&figures, 1.0f / 60);
        expect_heard(&figures, second == 0 ? "start@0 step@0.25 step@0.75 end@1 start@0 "
                                           : "step@0.25 step@0.75 end@1 start@0 ");
        assert_true(figure_of(&figures, robot)->time == 0);
    }
    figures_close(&figures);
}

FILO_TEST(a_clip_that_plays_once_ends_and_stays_at_its_end) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    filo_edit(figures.world, robot, FiloFigure)->once = true;
    for (int i = 0; i < 9; i++) figures_tick(&figures, 0.1f);
    assert_false(figure_of(&figures, robot)->finished);
    figures.heard[0] = 0;
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "end@1 finished@1 ");
    assert_true(figure_of(&figures, robot)->finished);
    assert_true(figure_of(&figures, robot)->time == 1);
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "");
    // Started again, it plays again.
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), filo_name("raise"), 0);
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "start@0 ");
    assert_near(figure_of(&figures, robot)->time, 0.1);
    figures_close(&figures);
}

FILO_TEST(a_negative_speed_plays_backwards_from_the_end) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    filo_edit(figures.world, robot, FiloFigure)->speed = -2;
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "end@1 ");
    assert_near(figure_of(&figures, robot)->time, 0.8);
    figures_tick(&figures, 0.3f);
    expect_heard(&figures, "step@0.75 step@0.25 ");
    figures_tick(&figures, 0.15f);
    expect_heard(&figures, "start@0 end@1 ");
    assert_near(figure_of(&figures, robot)->time, 0.9);
    filo_edit(figures.world, robot, FiloFigure)->once = true;
    figures_tick(&figures, 3);
    expect_heard(&figures, "step@0.75 step@0.25 start@0 finished@0 ");
    assert_true(figure_of(&figures, robot)->time == 0);
    assert_true(figure_of(&figures, robot)->finished);
    figures_close(&figures);
}

FILO_TEST(a_figure_that_is_paused_or_rests_is_not_written) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity paused = figures_add(&figures, "raise");
    filo_edit(figures.world, paused, FiloFigure)->paused = true;
    figures_add(&figures, NULL);
    FiloQuery *changed = filo_query(figures.world, FILO_READ_CHANGED(FiloFigure));
    FiloIter first = filo_query_iter(changed);
    while (filo_iter_next(&first)) {}
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "");
    FiloIter it = filo_query_iter(changed);
    assert_false(filo_iter_next(&it));
    filo_edit(figures.world, paused, FiloFigure)->paused = false;
    figures_tick(&figures, 0.1f);
    it = filo_query_iter(changed);
    assert_true(filo_iter_next(&it));
    filo_iter_end(&it);
    assert_near(figure_of(&figures, paused)->time, 0.1);
    filo_query_release(changed);
    figures_close(&figures);
}

FILO_TEST(a_tick_of_many_rounds_emits_those_of_at_most_sixteen) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 3.5f);
    expect_heard(&figures, "start@0 step@0.25 step@0.75 end@1 start@0 step@0.25 step@0.75 end@1 "
                           "start@0 step@0.25 step@0.75 end@1 start@0 step@0.25 ");
    figures_tick(&figures, 1000.25f);
    assert_near(figure_of(&figures, robot)->time, 0.75);
    int ends = 0;
    for (const char *at = figures.heard; (at = strstr(at, "end@1")) != NULL; at++) ends++;
    assert_int_equal(ends, 16);
    figures_close(&figures);
}

FILO_TEST(any_time_and_speed_that_a_game_sets_is_harmless) {
    Figures figures;
    figures_open(&figures, 1);
    static const float numbers[] = { NAN, INFINITY, -INFINITY, -5, 1e30f, -1e30f, 1e9f, 1.0f };
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++) {
        FiloEntity robot = figures_add(&figures, "raise");
        FiloFigure *figure = filo_edit(figures.world, robot, FiloFigure);
        figure->time = numbers[i];
        figure->blend_time = numbers[i];
        figure->blend = numbers[i];
        figure->blend_clip = filo_name("turn");
        figure->speed = numbers[FILO_COUNT_OF(numbers) - 1 - i];
        for (int k = 0; k < 3; k++) figures_tick(&figures, 0.1f);
        float time = figure_of(&figures, robot)->time;
        assert_true(time >= 0 && time <= 1);
        figures.heard[0] = 0;
        FiloMat4 matrix;
        assert_true(filo_figure_joint(figures.world, robot, filo_name("Arm"), &matrix));
        assert_true(isfinite(matrix.m[13]));
    }
    figures_close(&figures);
}

FILO_TEST(a_clip_of_one_pose_finishes_at_once) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "high");
    figures_tick(&figures, 0.1f);
    assert_false(figure_of(&figures, robot)->finished);
    assert_true(figure_of(&figures, robot)->time == 0);
    filo_edit(figures.world, robot, FiloFigure)->once = true;
    figures_tick(&figures, 0.1f);
    assert_true(figure_of(&figures, robot)->finished);
    expect_heard(&figures, "finished@0 ");
    figures_close(&figures);
}

FILO_TEST(a_clip_that_starts_in_its_middle_emits_only_what_follows) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    filo_edit(figures.world, robot, FiloFigure)->time = 0.75f;
    figures_tick(&figures, 0.1f);
    expect_heard(&figures, "step@0.75 ");
    figures_close(&figures);
}

FILO_TEST(events_of_the_program_are_added_to_those_of_the_file) {
    Figures figures;
    figures_open(&figures, 1);
    FiloName model = filo_name("robot.glb"), turn = filo_name("turn"), raise = filo_name("raise");
    assert_true(filo_figure_add_event(figures.world, model, turn, 0.5f, filo_name("half"))); // not read yet
    assert_near(filo_figure_seconds(figures.world, model, raise), 1);
    assert_true(filo_figure_add_event(figures.world, model, raise, 0.25f, filo_name("dust")));
    assert_true(filo_figure_add_event(figures.world, model, raise, 7, filo_name("late"))); // at the end
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 0.3f);
    expect_heard(&figures, "start@0 step@0.25 dust@0.25 ");
    figures_tick(&figures, 0.75f);
    expect_heard(&figures, "step@0.75 end@1 late@1 start@0 ");
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), turn, 0);
    figures_tick(&figures, 0.6f);
    expect_heard(&figures, "half@0.5 ");
    assert_true(filo_figure_seconds(figures.world, model, filo_name("dance")) == 0);
    figures_close(&figures);
}

// ---- Fades ------------------------------------------------------------------------------------------------------

FILO_TEST(playing_another_clip_fades_from_the_one_before) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 0.5f);
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), filo_name("turn"), 0.4f);
    const FiloFigure *figure = figure_of(&figures, robot);
    assert_string_equal(filo_name_text(figure->blend_clip), "raise");
    assert_near(figure->blend, 1);
    figures.heard[0] = 0;
    figures_tick(&figures, 0.3f);
    expect_heard(&figures, ""); // the clip that fades out emits none
    figure = figure_of(&figures, robot);
    assert_near(figure->time, 0.3);
    assert_near(figure->blend_time, 0.8);
    assert_near(figure->blend, 0.25);
    figures_tick(&figures, 0.1f);
    figure = figure_of(&figures, robot);
    assert_true(figure->blend == 0);
    assert_int_equal(figure->blend_clip.id, 0);
    assert_near(figure->time, 0.4);
    figures_close(&figures);
}

FILO_TEST(playing_the_same_clip_again_changes_nothing) {
    FiloFigure figure = { .clip = filo_name("walk"), .time = 0.3f, .started = true };
    FiloFigure before = figure;
    filo_figure_play(&figure, filo_name("walk"), 0.2f);
    assert_memory_equal(&figure, &before, sizeof figure);
    figure.finished = true;
    filo_figure_play(&figure, filo_name("walk"), 0.2f);
    assert_true(figure.time == 0 && !figure.finished && !figure.started && figure.blend == 1);
    assert_near(figure.blend_time, 0.3f);
}

FILO_TEST(a_fade_that_is_interrupted_continues_from_what_is_seen_more) {
    FiloFigure figure = { .clip = filo_name("walk"), .time = 0.3f, .once = true };
    filo_figure_play(&figure, filo_name("run"), 0.2f);
    assert_true(figure.blend_once);
    figure.once = false;
    figure.blend = 0.8f; // mostly walking
    filo_figure_play(&figure, filo_name("jump"), 0.2f);
    assert_string_equal(filo_name_text(figure.blend_clip), "walk");
    assert_true(figure.blend_once);
    figure.blend = 0.2f; // mostly jumping
    figure.time = 0.1f;
    filo_figure_play(&figure, filo_name("run"), 0.2f);
    assert_string_equal(filo_name_text(figure.blend_clip), "jump");
    assert_false(figure.blend_once);
    filo_figure_play(&figure, (FiloName){ 0 }, 0);
    assert_true(figure.blend == 0 && figure.blend_clip.id == 0 && figure.clip.id == 0);
}

FILO_TEST(a_finished_clip_fades_out_and_a_blend_without_seconds_stays) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    filo_edit(figures.world, robot, FiloFigure)->once = true;
    figures_tick(&figures, 2);
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), filo_name("turn"), 1);
    figures_tick(&figures, 0.5f);
    assert_true(figure_of(&figures, robot)->blend_time == 1); // it had ended
    FiloEntity mixed = figures_add(&figures, "turn");
    FiloFigure *figure = filo_edit(figures.world, mixed, FiloFigure);
    figure->blend_clip = filo_name("raise");
    figure->blend = 0.5f;
    for (int i = 0; i < 3; i++) figures_tick(&figures, 0.5f);
    assert_near(figure_of(&figures, mixed)->blend, 0.5);
    assert_near(figure_of(&figures, mixed)->blend_time, 0.5);
    figures_close(&figures);
}

// ---- Files ------------------------------------------------------------------------------------------------------

FILO_TEST(a_model_is_read_in_the_tick_that_needs_it_and_replaced_by_the_asset) {
    Figures figures;
    figures_open(&figures, 2);
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 0.25f);
    assert_near(figure_of(&figures, robot)->time, 0.25);
    FiloAsset asset = filo_assets_load(figures.assets, "robot.glb");
    assert_ok(filo_assets_wait(figures.assets, asset));
    figures_tick(&figures, 0.25f);
    assert_near(figure_of(&figures, robot)->time, 0.5);
    filo_assets_unload(figures.assets, asset);
    filo_assets_update(figures.assets, 0); // frees it
    figures_tick(&figures, 0.25f);
    assert_near(figure_of(&figures, robot)->time, 0.75);
    figures_close(&figures);
}

FILO_TEST(a_model_that_cannot_be_read_is_logged_once_and_its_figures_rest) {
    Figures figures;
    figures_open(&figures, 1);
    filo_create(figures.world, FILO_SET(FiloFigure, .model = filo_name("ghost.glb"), .clip = filo_name("a")));
    expect_warning("nothing to animate: ", figures_tick(&figures, 0.1f));
    expect_no_warning(figures_tick(&figures, 0.1f));
    filo_create(figures.world,
                FILO_SET(FiloFigure, .model = filo_name("../robot.glb"), .clip = filo_name("a")));
    expect_warning("../robot.glb: not a path inside", figures_tick(&figures, 0.1f));
    figures_close(&figures);
}

FILO_TEST(an_unknown_clip_is_logged_once_with_the_one_that_was_meant) {
    Figures figures;
    figures_open(&figures, 1);
    figures_add(&figures, "raize");
    expect_warning("the model \"robot.glb\" has no clip \"raize\": did you mean \"raise\"?",
                   figures_tick(&figures, 0.1f));
    expect_no_warning(figures_tick(&figures, 0.1f));
    figures_close(&figures);
}

FILO_TEST(a_speed_that_is_no_number_is_logged_once_and_the_figure_stands_still) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = figures_add(&figures, "raise");
    figures_tick(&figures, 0.1f);
    filo_edit(figures.world, robot, FiloFigure)->speed = (float)NAN;
    expect_warning("stands still: its speed is not a number", figures_tick(&figures, 0.1f));
    expect_no_warning(figures_tick(&figures, 0.1f));
    assert_near(figure_of(&figures, robot)->time, 0.1f);
    figures_close(&figures);
}

FILO_TEST(mistakes_are_reported) {
    Figures figures;
    figures_open(&figures, 1);
    FiloName name = filo_name("robot.glb");
    expect_fault("pass the figure that is to play the clip", filo_figure_play(NULL, name, 0));
    expect_fault("pass the time of the event, in seconds from the clip's start",
                 assert_false(filo_figure_add_event(figures.world, name, name, -1, name)));
    expect_fault("name the model, the clip and the event",
                 assert_false(filo_figure_add_event(figures.world, name, (FiloName){ 0 }, 1, name)));
    FiloWorld *bare;
    assert_ok(filo_world_create(&bare, NULL));
    expect_fault("call filo_gfx3d_register for this world first",
                 assert_true(filo_figure_seconds(bare, name, name) == 0));
    filo_world_destroy(bare);
    figures_close(&figures);
}
