// Undo and redo of what was edited.

#include "ships.h"

static float mass_of(FiloEntity entity) { return filo_get(world, entity, Body)->mass; }

static void begin_with(const FiloEntity *entity) {
    begin();
    filo_inspector_select(inspector, *entity);
    frames(3);
}

FILO_TEST(a_drag_is_one_step_and_is_undone_and_redone) {
    begin_with(&first);
    assert_false(filo_inspector_can_undo(inspector));
    click("undo"); // disabled
    const uint64_t hash = filo_world_hash(world);
    drag(at("mass", 0.3f), at("mass", 1));
    assert_true(sent > 2); // several commands
    assert_true(mass_of(first) == 10);
    const uint64_t edited = filo_world_hash(world);
    assert_true(edited != hash);
    click("undo");
    assert_true(mass_of(first) == 5);
    assert_int_equal(filo_world_hash(world), hash);
    assert_false(filo_inspector_can_undo(inspector));
    click("redo");
    assert_int_equal(filo_world_hash(world), edited);
    assert_false(filo_inspector_can_redo(inspector));
    close_stage();
}

FILO_TEST(each_drag_is_a_step_of_its_own_and_a_new_edit_forgets_what_was_undone) {
    begin_with(&first);
    drag(at("mass", 0.3f), at("mass", 1));
    drag(at("mass", 0.5f), at("mass", 0));
    assert_true(mass_of(first) == 0);
    click("undo");
    assert_true(mass_of(first) == 10);
    click("undo");
    assert_true(mass_of(first) == 5);
    click("redo");
    drag(at("mass", 0.5f), at("mass", 0));
    assert_false(filo_inspector_can_redo(inspector));
    click("undo");
    assert_true(mass_of(first) == 10);
    close_stage();
}

FILO_TEST(typed_names_numbers_and_switches_are_undone) {
    begin_with(&first);
    const uint64_t hash = filo_world_hash(world);
    enter("name", "Flag ship");
    enter("position", "12.5");
    click("active");
    assert_string_equal(filo_entity_name(world, first), "Flag ship");
    filo_inspector_show_tab(inspector, "Systems");
    frames(3);
    click("drift");
    assert_false(filo_system_enabled(world, filo_system_named(world, "drift")));
    while (filo_inspector_undo(inspector)) {}
    assert_true(filo_system_enabled(world, filo_system_named(world, "drift")));
    assert_string_equal(filo_entity_name(world, first), "First ship");
    assert_int_equal(filo_world_hash(world), hash);
    assert_string_equal(inspector->status, "");
    close_stage();
}

FILO_TEST(components_come_back_with_their_values) {
    begin_with(&second);
    const uint64_t hash = filo_world_hash(world);
    const FiloCommand removals[] = {
        { .kind = FILO_COMMAND_REMOVE, .entity = second, .component = filo_name("Body") },
        { .kind = FILO_COMMAND_REMOVE, .entity = second, .component = filo_name("Frozen") }
    };
    for (int i = 0; i < 2; i++) {
        *inspector_request(inspector, removals[i].kind, second) = removals[i];
        frame();
    }
    assert_false(filo_has(world, second, Body));
    assert_true(filo_inspector_undo(inspector) && filo_inspector_undo(inspector));
    assert_true(mass_of(second) == 2 && filo_has(world, second, Frozen));
    assert_int_equal(filo_world_hash(world), hash);
    *inspector_request(inspector, FILO_COMMAND_ADD, first) =
        (FiloCommand){ .kind = FILO_COMMAND_ADD, .entity = first, .component = filo_name("Frozen") };
    frame();
    assert_true(filo_has(world, first, Frozen));
    assert_true(filo_inspector_undo(inspector));
    assert_int_equal(filo_world_hash(world), hash);
    close_stage();
}

FILO_TEST(an_entity_that_is_created_again_has_its_later_edits) {
    begin();
    click("new");
    FiloEntity made = filo_inspector_selected(inspector);
    frames(3);
    enter("name", "made");
    *inspector_request(inspector, FILO_COMMAND_ADD, made) =
        (FiloCommand){ .kind = FILO_COMMAND_ADD, .entity = made, .component = filo_name("Body") };
    frames(3);
    drag(at("mass", 0.3f), at("mass", 1));
    while (filo_inspector_undo(inspector)) {}
    assert_int_equal(filo_world_stats(world).entities, 3);
    while (filo_inspector_redo(inspector)) {}
    assert_string_equal(inspector->status, "");
    const FiloEntity again = filo_world_find(world, "made");
    assert_true(again.id != 0 && again.id != made.id);
    assert_true(mass_of(again) == 10);
    close_stage();
}

FILO_TEST(a_destroyed_family_comes_back) {
    begin_with(&first);
    const FiloEntity below = filo_create(world, FILO_SET(Body, .mass = 0.25f));
    filo_entity_set_parent(world, below, child);
    filo_entity_set_active(world, below, false);
    click("destroy");
    assert_int_equal(filo_world_stats(world).entities, 1);
    assert_true(filo_inspector_undo(inspector));
    assert_string_equal(inspector->status, "");
    assert_int_equal(filo_world_stats(world).entities, 4);
    const FiloEntity ship = filo_world_find(world, "First ship"), boat = filo_world_find(world, "boat");
    assert_true(filo_entity_equal(filo_inspector_selected(inspector), ship));
    assert_true(filo_entity_equal(filo_entity_parent(world, boat), ship));
    const FiloEntity last = filo_entity_first_child(world, boat);
    assert_true(mass_of(ship) == 5 && mass_of(boat) == 1 && mass_of(last) == 0.25f);
    assert_false(filo_entity_active(world, last));
    assert_true(filo_inspector_redo(inspector)); // destroys the new ones
    assert_int_equal(filo_world_stats(world).entities, 1);
    close_stage();
}

FILO_TEST(what_is_refused_can_be_tried_again_and_what_does_not_fit_is_forgotten) {
    begin_with(&first);
    drag(at("mass", 0.3f), at("mass", 1));
    answer = filo_error(FILO_ERROR_BUSY, "the past cannot be changed");
    assert_false(filo_inspector_undo(inspector));
    assert_string_equal(inspector->status, "the past cannot be changed");
    answer = filo_ok();
    assert_true(filo_inspector_undo(inspector) && filo_inspector_redo(inspector));
    filo_entity_destroy(world, first); // by the game
    assert_false(filo_inspector_undo(inspector));
    assert_contains(inspector->status, "does not exist (any more)");
    assert_false(filo_inspector_can_undo(inspector));
    assert_false(filo_inspector_undo(inspector));
    close_stage();
}

FILO_TEST(only_the_last_steps_are_remembered) {
    begin_with(&first);
    for (int i = 0; i < 300; i++) { click("active"); }
    int undone = 0;
    while (filo_inspector_undo(inspector)) undone++;
    assert_int_equal(undone, 128);
    expect_fault("pass an inspector", filo_inspector_undo(NULL));
    expect_fault("pass an inspector", filo_inspector_redo(NULL));
    close_stage();
}
