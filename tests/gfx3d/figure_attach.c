// What is attached to joints and nodes of figures.

#include "gfx3d/figure_fixture.h"
#include "support/warnings.h"

// ---- Attaching --------------------------------------------------------------------------------------------------

FILO_TEST(attached_entities_move_with_joints) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    filo_edit(figures.world, robot, FiloTransform3)->position = filo_vec3(10, 0, 0);
    FiloEntity hat = filo_create(
        figures.world, FILO_SET(FiloAttach, .joint = filo_name("Arm"), .offset.position = { 0, 0.25f, 1 }));
    assert_true(filo_entity_set_parent(figures.world, hat, robot));
    figures_tick(&figures, 0.5f); // Hip is at y 2
    assert_at(position_of(&figures, hat), 10, 3.25f, 1);
    assert_at(position_of(&figures, node_of(&figures, robot, "Sword")), 10, 3.5f, 0);
    assert_at(position_of(&figures, node_of(&figures, robot, "Flag")), 13, 1, 0);
    // The world transforms of the tick have them, too.
    const FiloWorldTransform3 *world_transform = filo_get(figures.world, hat, FiloWorldTransform3);
    assert_near(world_transform->now.m[13], 3.25);
    figures_close(&figures);
}

FILO_TEST(attached_entities_turn_with_joints) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "turn");
    filo_edit(figures.world, robot, FiloFigure)->once = true;
    FiloEntity hat = filo_create(
        figures.world, FILO_SET(FiloAttach, .joint = filo_name("Arm"), .offset.position = { 0, 1, 0 }));
    assert_true(filo_entity_set_parent(figures.world, hat, robot));
    figures_tick(&figures, 1);
    assert_at(position_of(&figures, hat), -1, 2, 0);
    assert_at(filo_transform3_to_world(figures.world, hat, filo_vec3(1, 0, 0)), -1, 3, 0);
    figures_close(&figures);
}

FILO_TEST(an_entity_further_below_is_attached_in_the_coordinates_of_its_parent) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    FiloEntity base = node_of(&figures, robot, "Base");
    filo_edit(figures.world, base, FiloTransform3)->scale = filo_vec3(2, 2, 2);
    FiloEntity lamp = filo_create(figures.world, FILO_SET(FiloAttach, .joint = filo_name("Hip")));
    assert_true(filo_entity_set_parent(figures.world, lamp, base));
    figures_tick(&figures, 0.5f);
    assert_at(position_of(&figures, lamp), 0, 2, 0);
    assert_at(filo_get(figures.world, lamp, FiloTransform3)->position, -1, 1, 0);
    // A parent that is flattened has no inverse: what is attached stays.
    filo_edit(figures.world, base, FiloTransform3)->scale = filo_vec3(1, 0, 1);
    figures_tick(&figures, 0.25f);
    assert_at(filo_get(figures.world, lamp, FiloTransform3)->position, -1, 1, 0);
    figures_close(&figures);
}

FILO_TEST(nodes_that_clips_move_follow_a_parent_that_the_game_moves) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    FiloEntity base = node_of(&figures, robot, "Base"), flag = node_of(&figures, robot, "Flag");
    filo_edit(figures.world, base, FiloTransform3)->position = filo_vec3(2, 0, 5);
    figures_tick(&figures, 0.5f);
    assert_at(position_of(&figures, flag), 3, 1, 5);
    filo_edit(figures.world, flag, FiloAttach)->offset.position = filo_vec3(0, 0, 1);
    figures_tick(&figures, 0.25f);
    assert_at(position_of(&figures, flag), 3.5f, 1, 6);
    figures_close(&figures);
}

FILO_TEST(a_figure_below_a_figure_moves_what_is_attached_to_it) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity horse = robot_with(&figures, "raise"), rider = robot_with(&figures, "high");
    filo_set(figures.world, rider, FiloAttach, .joint = filo_name("Hip"));
    assert_true(filo_entity_set_parent(figures.world, rider, horse));
    FiloEntity hat = filo_create(figures.world, FILO_SET(FiloAttach, .joint = filo_name("Hip")));
    assert_true(filo_entity_set_parent(figures.world, hat, rider));
    figures_tick(&figures, 0.5f);
    assert_at(position_of(&figures, rider), 0, 2, 0);
    assert_at(position_of(&figures, hat), 0, 7, 0);
    figures_close(&figures);
}

FILO_TEST(fades_blend_the_poses_of_both_clips) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "high");
    figures_tick(&figures, 0.1f);
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), filo_name("raise"), 1);
    figures_tick(&figures, 0.5f); // half of y 5, half of y 2
    FiloMat4 matrix;
    assert_true(filo_figure_joint(figures.world, robot, filo_name("Hip"), &matrix));
    assert_near(matrix.m[13], 3.5);
    FiloEntity sword = node_of(&figures, robot, "Sword");
    assert_at(position_of(&figures, sword), 0, 5, 0);
    // To rest: half of y 2.5 (raise at 0.75), half of y 1.
    filo_edit(figures.world, robot, FiloFigure)->blend = 0;
    filo_figure_play(filo_edit(figures.world, robot, FiloFigure), (FiloName){ 0 }, 0.5f);
    figures_tick(&figures, 0.25f);
    assert_at(position_of(&figures, sword), 0, 0.5f * 2.5f + 0.5f + 1.5f, 0);
    figures_tick(&figures, 0.25f);
    assert_at(position_of(&figures, sword), 0, 2.5f, 0);
    figures_close(&figures);
}

FILO_TEST(what_is_attached_is_written_only_when_it_moves) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    figures_tick(&figures, 0.5f);
    filo_edit(figures.world, robot, FiloFigure)->paused = true;
    figures_tick(&figures, 0.5f);
    FiloQuery *changed = filo_query(figures.world, FILO_READ_CHANGED(FiloTransform3), FILO_WITH(FiloAttach));
    FiloIter it = filo_query_iter(changed);
    while (filo_iter_next(&it)) {}
    figures_tick(&figures, 0.5f);
    it = filo_query_iter(changed);
    assert_false(filo_iter_next(&it));
    filo_query_release(changed);
    figures_close(&figures);
}

FILO_TEST(joints_in_the_world_are_known_to_systems) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    filo_edit(figures.world, robot, FiloTransform3)->position = filo_vec3(0, 0, 3);
    figures_tick(&figures, 0.5f);
    FiloMat4 matrix;
    assert_true(filo_figure_joint(figures.world, robot, filo_name("Sword"), &matrix));
    assert_at(filo_mat4_point(matrix, filo_vec3(0, 1, 0)), 0, 4.5f, 3);
    FiloEntity flag = node_of(&figures, robot, "Flag");
    assert_false(filo_figure_joint(figures.world, flag, filo_name("Hip"), &matrix)); // not a figure
    assert_near(matrix.m[0], 1);
    assert_false(filo_figure_joint(figures.world, robot, (FiloName){ 0 }, &matrix));
    figures_close(&figures);
}

FILO_TEST(an_unknown_joint_is_logged_once_with_the_one_that_was_meant) {
    Figures figures;
    figures_open(&figures, 1);
    FiloEntity robot = robot_with(&figures, "raise");
    FiloEntity hat = filo_create(figures.world, FILO_SET(FiloAttach, .joint = filo_name("Arn")));
    assert_true(filo_entity_set_parent(figures.world, hat, robot));
    expect_warning("the model \"robot.glb\" has no joint \"Arn\": did you mean \"Arm\"?",
                   figures_tick(&figures, 0.1f));
    expect_no_warning(figures_tick(&figures, 0.1f));
    figures_close(&figures);
}
