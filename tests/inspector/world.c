// The browser of the world: finding entities, and changing them by commands.

#include "ships.h"

// Shows frames until the list has the result of a new scan.
static size_t count_rows(void) {
    inspector_list_restart(&inspector->list);
    frames(2);
    return inspector->list.rows.count;
}

// ---- Finding ------------------------------------------------------------------------------------------------

FILO_TEST(families_are_trees_that_open) {
    begin();
    assert_int_equal(count_rows(), 2); // the child is below its parent
    assert_true(filo_entity_equal(inspector->list.rows.items[0].entity, first));
    inspector_list_set_open(&inspector->list, first, true);
    assert_int_equal(count_rows(), 3);
    assert_true(filo_entity_equal(inspector->list.rows.items[1].entity, child));
    assert_int_equal(inspector->list.rows.items[1].depth, 1);
    inspector_list_set_open(&inspector->list, first, false);
    assert_int_equal(count_rows(), 2);
    filo_inspector_select(inspector, child); // opens its family
    assert_int_equal(count_rows(), 3);
    inspector->list.families = false;
    assert_int_equal(count_rows(), 3);
    assert_int_equal(inspector->list.rows.items[2].depth, 0);
    close_stage();
}

FILO_TEST(a_query_has_components_and_rejects_others) {
    begin();
    filo_inspector_set_query(inspector, "Body !Frozen");
    assert_int_equal(count_rows(), 2);
    filo_inspector_set_query(inspector, "frozen, body"); // upper and lower case are the same
    assert_int_equal(count_rows(), 1);
    assert_true(filo_entity_equal(inspector->list.rows.items[0].entity, second));
    filo_inspector_set_query(inspector, "-Body");
    assert_int_equal(count_rows(), 0);
    filo_inspector_set_query(inspector, "Bdoy");
    frames(2);
    assert_string_equal(inspector->list.problem, "there is no component \"Bdoy\": did you mean \"Body\"?");
    filo_inspector_set_query(inspector, "Wind");
    frames(2);
    assert_string_equal(inspector->list.problem, "Wind is global: entities do not have it");
    filo_inspector_set_query(inspector, "");
    assert_int_equal(count_rows(), 2);
    assert_string_equal(inspector->list.problem, "");
    close_stage();
}

FILO_TEST(entities_are_found_by_name_and_number) {
    begin();
    click("search");
    type("ship");
    frames(2);
    assert_int_equal(count_rows(), 1);
    assert_true(filo_entity_equal(inspector->list.rows.items[0].entity, first));
    for (int i = 0; i < 4; i++) key(FILO_KEY_BACKSPACE);
    char number[16];
    snprintf(number, sizeof number, "#%u", filo_entity_index(second));
    type(number);
    frames(2);
    assert_int_equal(count_rows(), 1);
    assert_true(filo_entity_equal(inspector->list.rows.items[0].entity, second));
    close_stage();
}

FILO_TEST(a_large_world_is_scanned_over_several_frames) {
    begin();
    inspector->list.families = false;
    filo_entity_create_block(world, &(FiloBlockDesc){ .count = 40000,
                                                      .values = &(FiloComponentValue)FILO_ADD(Frozen),
                                                      .value_count = 1 });
    inspector_list_restart(&inspector->list);
    frame();
    assert_int_equal(inspector->list.rows.count, 2); // still the former result
    assert_false(inspector->list.is_complete);
    frames(4);
    assert_int_equal(inspector->list.rows.count, 40003);
    assert_true(inspector->list.is_complete);
    close_stage();
}

// ---- Editing --------------------------------------------------------------------------------------------------

FILO_TEST(a_slider_changes_the_component_by_commands) {
    begin();
    filo_inspector_select(inspector, first);
    frames(3);
    assert_true(is_shown("mass") && is_shown("position"));
    drag(at("mass", 0.75f), at("mass", 1));
    assert_true(filo_get(world, first, Body)->mass == 10);
    assert_true(sent > 0);
    assert_true(filo_get(world, second, Body)->mass == 2);
    close_stage();
}

FILO_TEST(a_change_that_is_refused_says_why_and_shows_the_old_value) {
    begin();
    filo_inspector_select(inspector, first);
    frames(3);
    answer = filo_error(FILO_ERROR_BUSY, "a replay cannot be changed");
    drag(at("mass", 0.75f), at("mass", 1));
    assert_true(filo_get(world, first, Body)->mass == 5);
    assert_string_equal(inspector->status, "a replay cannot be changed");
    answer = filo_ok();
    drag(at("mass", 0.75f), at("mass", 1));
    assert_true(filo_get(world, first, Body)->mass == 10);
    assert_string_equal(inspector->status, "");
    close_stage();
}

FILO_TEST(entities_are_created_copied_named_and_destroyed) {
    begin();
    click("new");
    FiloEntity made = filo_inspector_selected(inspector);
    assert_true(filo_entity_exists(world, made) && filo_world_stats(world).entities == 4);
    frames(3);
    enter("name", "made");
    assert_string_equal(filo_entity_name(world, made), "made");
    enter("name", "boat"); // another one has it
    assert_string_equal(filo_entity_name(world, made), "made");
    assert_contains(inspector->status, "is called \"boat\" already");
    click("add child");
    FiloEntity below = filo_inspector_selected(inspector);
    assert_true(filo_entity_equal(filo_entity_parent(world, below), made));
    filo_inspector_select(inspector, first);
    frames(3);
    click("copy");
    FiloEntity copy = filo_inspector_selected(inspector);
    assert_true(filo_get(world, copy, Body)->mass == 5);
    assert_int_equal(filo_entity_child_count(world, copy), 1);
    frames(3);
    click("destroy");
    assert_false(filo_entity_exists(world, copy));
    frames(3); // shows that it is destroyed
    close_stage();
}

FILO_TEST(a_component_is_removed_by_its_menu) {
    begin();
    filo_inspector_select(inspector, second);
    frames(3);
    const FiloVec2 row = at("Frozen", 0.5f);
    button(row, FILO_MOUSE_RIGHT, true);
    button(row, FILO_MOUSE_RIGHT, false);
    frames(2);
    click_at(filo_vec2_add(row, filo_vec2(30, 16)));
    assert_false(filo_has(world, second, Frozen));
    close_stage();
}

FILO_TEST(a_system_is_switched_off) {
    begin();
    filo_inspector_show_tab(inspector, "Systems");
    frames(3);
    click_at(at("drift", 0.1f));
    assert_false(filo_system_enabled(world, filo_system_named(world, "drift")));
    close_stage();
}

FILO_TEST(a_global_component_is_edited) {
    begin();
    filo_inspector_show_tab(inspector, "Globals");
    frames(3);
    drag(at("speed", 0.45f), at("speed", 1));
    assert_true(filo_get_global(world, Wind)->speed == 10);
    close_stage();
}

static void show_wind(void) {
    if (filo_ui_begin_window(ui, "Wind", NULL))
        filo_inspector_edit_component(inspector, ui, FILO_ENTITY_NONE,
                                      filo_component_of(world, FILO_TYPE(Wind)));
    filo_ui_end(ui);
}

FILO_TEST(a_game_shows_a_component_in_a_panel_of_its_own) {
    begin();
    show = show_wind;
    frames(3);
    drag(at("speed", 0.45f), at("speed", 1));
    assert_true(filo_get_global(world, Wind)->speed == 10 && sent > 0);
    show = NULL;
    close_stage();
}

FILO_TEST(every_tab_is_shown_without_a_host_and_without_modules) {
    open_stage(NULL);
    filo_component(world, Body);
    filo_inspector_select(inspector, filo_create(world, FILO_ADD(Body)));
    const char *const tabs[] = { "Frame", "World", "Globals", "Systems", "Memory", "Modules" };
    for (size_t i = 0; i < FILO_COUNT_OF(tabs); i++) {
        assert_true(filo_inspector_show_tab(inspector, tabs[i]));
        frames(3);
        assert_true(filo_ui_stats(ui).widgets > 5);
    }
    assert_false(filo_inspector_show_tab(inspector, "Nothing"));
    frames(2);
    drag(at("mass", 0.45f), at("mass", 1)); // without a host the world itself is changed
    assert_true(filo_get(world, filo_inspector_selected(inspector), Body)->mass == 10);
    close_stage();
}

FILO_TEST(a_steady_frame_does_not_allocate) {
    begin();
    filo_inspector_select(inspector, first);
    const char *const tabs[] = { "Frame", "World", "Globals", "Systems", "Memory" };
    for (size_t i = 0; i < FILO_COUNT_OF(tabs); i++) {
        filo_inspector_show_tab(inspector, tabs[i]);
        frames(40);
        const uint64_t calls = filo_memory_system_calls();
        frames(40);
        assert_int_equal(filo_memory_system_calls(), calls);
    }
    close_stage();
}

FILO_TEST(keeping_states_stops_where_it_would_slow_the_game_down) {
    begin();
    present = (FiloInspectorHistory){ .states = 10, .push_ms = 1 };
    for (int i = 0; i < 20; i++) inspector_limit_history(inspector);
    assert_true(kept == -1);
    present.push_ms = 9;
    for (int i = 0; i < 4; i++) inspector_limit_history(inspector); // a few slow ticks may be chance
    assert_true(kept == -1);
    inspector->keeps_anyway = true; // the switch in the tab
    for (int i = 0; i < 20; i++) inspector_limit_history(inspector);
    assert_true(kept == -1);
    inspector->keeps_anyway = false;
    for (int i = 0; i < 20; i++) inspector_limit_history(inspector);
    assert_true(kept == 0);
    assert_contains(inspector->status, "takes 9 ms a tick");
    close_stage();
}

FILO_TEST(misuse_of_an_inspector_is_reported) {
    FiloInspector *made = (FiloInspector *)&sent;
    expect_mistake("pass where to put the inspector", filo_inspector_create(&made, NULL));
    assert_null(made);
    expect_mistake("a description with a world", filo_inspector_create(&made, &(FiloInspectorDesc){ 0 }));
    expect_fault("pass an inspector and a UI", filo_inspector_show(NULL, NULL));
    expect_fault("pass an inspector", filo_inspector_select(NULL, FILO_ENTITY_NONE));
    expect_fault("pass an inspector", assert_int_equal(filo_inspector_selected(NULL).id, 0));
    filo_inspector_destroy(NULL);
}

FILO_TEST(the_inspector_does_not_take_the_theme_of_the_game) {
    open_stage(NULL);
    FiloEntity entity = filo_entity_create(world);
    filo_inspector_select(inspector, entity);
    frames(4);
    size_t count = mark_count;
    FiloRect before[STAGE_MARKS];
    for (size_t i = 0; i < count; i++) before[i] = marks[i].rect;
    assert_true(count > 0);
    FiloUiTheme theme = *filo_ui_theme_light();
    theme.text_size = 40;
    theme.control_height = 80;
    theme.padding = 50;
    filo_ui_set_theme(ui, &theme);
    frames(4);
    assert_int_equal(mark_count, count);
    for (size_t i = 0; i < count; i++) assert_memory_equal(&before[i], &marks[i].rect, sizeof before[i]);
    close_stage();
}
