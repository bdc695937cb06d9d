// Choices, tabs, trees, tables, menus, modals, drag and drop, colours.

#include "stage.h"

static void (*content)(void);
static void show_content(void) {
    filo_ui_begin_window(ui, "Widgets", &(FiloUiWindow){ .position = { 10, 10 }, .size = { 400, 400 } });
    content();
    filo_ui_end(ui);
}
static void use(void (*function)(void)) {
    content = function;
    begin(show_content);
}

// ---- Choices -------------------------------------------------------------------------------------------------------

static int choice = 1, mode, segment, item = -1;
static uint64_t flags;
static bool changed;
static const char *const names[] = { "one", "two", "three", "four" };

static void choices(void) {
    changed = filo_ui_choice(ui, "Choice", &choice, names, 4);
    mark(0);
    filo_ui_radio(ui, "A", &mode, 0);
    mark(1);
    filo_ui_radio(ui, "B", &mode, 1);
    mark(2);
    filo_ui_segments(ui, "##segments", &segment, names, 4);
    mark(3); // the last one
    filo_ui_list(ui, "List", &item, names, 4, 0);
    filo_ui_check_flags(ui, "Flag", &flags, 4);
    mark(4);
}

FILO_TEST(a_drop_down_opens_below_and_closes_with_a_choice) {
    use(choices);
    click(0);
    frame();
    FiloVec2 third = filo_vec2(centre(0).x, marks[0].max.y + 3 + 4 + 2 * 27 + 13);
    click_at(third);
    assert_int_equal(choice, 2);
    frame();
    assert_false(changed);
    click(0);
    frame();
    click_at(filo_vec2(700, 500)); // beside it: closes, and nothing is chosen
    frame();
    click_at(third);
    assert_int_equal(choice, 2);
    choice = 77; // shows nothing
    frame();
    end();
}

FILO_TEST(a_click_on_the_open_drop_down_closes_it) {
    use(choices);
    click(0);
    frame();
    size_t open = filo_ui_stats(ui).widgets;
    click(0);
    frame();
    assert_true(filo_ui_stats(ui).widgets < open);
    end();
}

FILO_TEST(radio_buttons_segments_lists_and_flags_choose) {
    use(choices);
    click(2);
    assert_int_equal(mode, 1);
    click(1);
    assert_int_equal(mode, 0);
    click(3);
    assert_int_equal(segment, 3);
    click(4);
    assert_int_equal(flags, 4);
    click(4);
    assert_int_equal(flags, 0);
    click_at(filo_vec2(centre(3).x - 200, marks[3].max.y + 70)); // the list
    frame();
    assert_true(item >= 0 && item < 4);
    int before = item;
    assert_true(key(FILO_KEY_DOWN)); // a list that was clicked goes on by keys
    assert_int_equal(item, before + 1);
    end();
}

// ---- Tabs and trees ------------------------------------------------------------------------------------------------

static int tab, shown, tabs_in_frame;
static bool tree_open;
static void tabs_and_trees(void) {
    tabs_in_frame = 0;
    filo_ui_begin_tabs(ui, "tabs", &tab);
    for (int i = 0; i < 3; i++) {
        if (filo_ui_begin_tab(ui, names[i])) shown = i, tabs_in_frame++;
        mark(i);
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    tree_open = filo_ui_begin_tree(ui, "Tree", NULL);
    mark(3);
    if (tree_open) filo_ui_button(ui, "inside");
    filo_ui_end(ui);
}

FILO_TEST(exactly_one_tab_is_shown) {
    use(tabs_and_trees);
    assert_int_equal(shown, 0);
    click(2);
    assert_int_equal(tabs_in_frame, 1);
    frame();
    assert_int_equal(shown, 2);
    assert_int_equal(tab, 2);
    assert_int_equal(tabs_in_frame, 1);
    tab = 1; // by the program
    frame();
    assert_int_equal(shown, 1);
    end();
}

FILO_TEST(a_tree_is_opened_by_mouse_keys_and_program) {
    use(tabs_and_trees);
    assert_false(tree_open);
    click(3);
    assert_true(tree_open);
    frame(); // its row has moved up
    click(3);
    assert_false(tree_open);
    key(FILO_KEY_TAB); // away and back: now keys move it
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_TAB);
    key(FILO_KEY_RIGHT);
    assert_true(tree_open);
    key(FILO_KEY_LEFT);
    assert_false(tree_open);
    end();
}

// ---- Tables --------------------------------------------------------------------------------------------------------

#define ROWS 100000
static size_t selected = SIZE_MAX, built, lowest, highest, show_row = SIZE_MAX;
static int sort = 0;
static void table(void) {
    static const FiloUiColumn columns[] = { { .title = "Number", .width = 100 }, { .title = "Name" } };
    FiloUiTable desc = {
        .columns = columns, .column_count = 2, .row_count = ROWS, .selected = &selected, .sort = &sort
    };
    built = highest = 0;
    lowest = SIZE_MAX;
    if (filo_ui_begin_table(ui, "table", &desc)) {
        if (show_row != SIZE_MAX) filo_ui_table_show(ui, show_row);
        show_row = SIZE_MAX;
        for (size_t row; filo_ui_table_row(ui, &row);) {
            built++;
            lowest = FILO_MIN(lowest, row);
            highest = FILO_MAX(highest, row);
            filo_ui_format(ui, "%zu", row);
            mark(0);
            filo_ui_label(ui, "name");
        }
    }
    filo_ui_end(ui);
}

static const FiloVec2 on_table = { 200, 200 };

FILO_TEST(only_the_visible_rows_of_a_table_are_built) {
    content = table;
    assert_ok(filo_ui_create(&ui, NULL));
    show = show_content;
    frame();
    assert_true(built <= HEIGHT / 24 + 2); // the height is not known yet
    frame();
    assert_true(built > 8 && built < 20);
    assert_int_equal(lowest, 0);
    wheel(on_table, -100);
    assert_true(lowest > 100 && lowest < 400);
    assert_true(built < 20);
    wheel(on_table, -1e9f);
    assert_int_equal(highest, ROWS - 1);
    end();
}

FILO_TEST(rows_are_selected_by_mouse_and_keys) {
    use(table);
    click_at(on_table);
    assert_true(selected > 0 && selected < 20);
    size_t first = selected;
    key(FILO_KEY_TAB); // away and back: now keys are for the table
    key_with(FILO_KEY_LEFT_SHIFT, FILO_KEY_TAB);
    key(FILO_KEY_DOWN);
    assert_int_equal(selected, first + 1);
    key(FILO_KEY_END);
    frame();
    assert_int_equal(selected, ROWS - 1);
    assert_int_equal(highest, ROWS - 1);
    key(FILO_KEY_PAGE_UP);
    assert_true(selected < ROWS - 5);
    key(FILO_KEY_HOME);
    frame();
    assert_int_equal(selected, 0);
    assert_int_equal(lowest, 0);
    show_row = 5000;
    frame();
    assert_true(lowest <= 5000 && highest >= 5000); // at once, if it is called before the rows
    frame();
    assert_true(lowest <= 5000 && highest >= 5000);
    end();
}

FILO_TEST(a_header_sorts_and_its_edge_resizes) {
    use(table);
    FiloVec2 header = filo_vec2(60, 70);
    click_at(header);
    assert_int_equal(sort, -1); // descending by column 0
    click_at(header);
    assert_int_equal(sort, 0);
    click_at(filo_vec2(300, 70));
    assert_int_equal(sort, 1);
    end();
}

// ---- Menus, popups, modals -------------------------------------------------------------------------------------------

static int chosen, context;
static bool checked, modal, modal_visible;
static void menus(void) {
    if (filo_ui_begin_menu_bar(ui)) {
        if (filo_ui_begin_menu(ui, "File")) {
            if (filo_ui_menu_item(ui, "Open", "Ctrl O")) chosen = 1;
            mark(1);
            if (filo_ui_begin_menu(ui, "More")) {
                if (filo_ui_menu_item(ui, "Deep", NULL)) chosen = 2;
                mark(3);
            } else {
                mark(2);
            }
            filo_ui_end(ui);
            filo_ui_menu_check(ui, "Check", &checked);
        } else {
            mark(0);
        }
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    filo_ui_button(ui, "Behind");
    mark(4);
    if (filo_ui_begin_context_menu(ui, "context")) {
        if (filo_ui_menu_item(ui, "Copy", NULL)) context = 1;
        mark(5);
    }
    filo_ui_end(ui);
    if (filo_ui_button(ui, "Ask")) modal = true;
    mark(6);
    modal_visible = filo_ui_begin_modal(ui, "Really?", &modal);
    if (modal_visible) {
        if (filo_ui_button(ui, "Yes")) chosen = 7, modal = false;
        mark(7);
    }
    filo_ui_end(ui);
}

FILO_TEST(menus_open_into_each_other_and_close_with_a_choice) {
    use(menus);
    click(0);
    frame();
    move(centre(2)); // hovering opens the submenu
    frame();
    frame();
    click(3);
    assert_int_equal(chosen, 2);
    frame();
    click(0);
    frame();
    click(1);
    assert_int_equal(chosen, 1);
    end();
}

FILO_TEST(a_context_menu_opens_by_the_right_button) {
    use(menus);
    button(centre(4), FILO_MOUSE_RIGHT, true);
    button(centre(4), FILO_MOUSE_RIGHT, false);
    frame();
    frame();
    click(5);
    assert_int_equal(context, 1);
    end();
}

FILO_TEST(a_modal_keeps_everything_else_from_being_used) {
    use(menus);
    click(6);
    frame();
    assert_true(modal_visible);
    assert_true(move(filo_vec2(700, 590))); // also what is beside all panels
    assert_true(button(filo_vec2(700, 590), FILO_MOUSE_LEFT, true));
    assert_true(button(filo_vec2(700, 590), FILO_MOUSE_LEFT, false));
    assert_true(key(FILO_KEY_W));
    click(0);
    frame();
    assert_int_equal(chosen, 0);
    click(7);
    assert_int_equal(chosen, 7);
    frame();
    assert_false(modal_visible);
    click(6);
    frame();
    assert_true(key(FILO_KEY_ESCAPE));
    frame();
    assert_false(modal_visible);
    assert_false(move(filo_vec2(700, 590)));
    end();
}

// ---- Drag and drop ---------------------------------------------------------------------------------------------------

static int dropped = -1, wrong;
static void dragging(void) {
    for (int i = 0; i < 2; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        filo_ui_button(ui, "Source");
        mark(i);
        int payload = 40 + i;
        if (filo_ui_begin_drag(ui, i == 0 ? "number" : "other", &payload, sizeof payload))
            filo_ui_label(ui, "dragged");
        filo_ui_end(ui);
        filo_ui_pop_id(ui);
    }
    filo_ui_button(ui, "Target");
    mark(2);
    if (filo_ui_drop(ui, "number", &dropped, sizeof dropped)) wrong += dropped != 40;
}

FILO_TEST(what_is_dropped_arrives_where_its_type_is_taken) {
    use(dragging);
    button(centre(0), FILO_MOUSE_LEFT, true);
    frame();
    move(centre(1));
    frame();
    assert_true(filo_ui_dragging(ui, "number"));
    assert_true(filo_ui_dragging(ui, NULL));
    assert_false(filo_ui_dragging(ui, "other"));
    move(centre(2));
    frame();
    assert_int_equal(dropped, -1);
    button(centre(2), FILO_MOUSE_LEFT, false);
    frame();
    assert_int_equal(dropped, 40);
    assert_int_equal(wrong, 0);
    assert_false(filo_ui_dragging(ui, NULL));
    dropped = -1;
    drag(centre(1), centre(2)); // of another type
    assert_int_equal(dropped, -1);
    drag(centre(0), filo_vec2(700, 500)); // beside it
    assert_int_equal(dropped, -1);
    assert_false(filo_ui_dragging(ui, NULL));
    end();
}

// ---- Colours, images, canvases ------------------------------------------------------------------------------------------

static FiloVec4 color = { 0.5f, 0.5f, 0.5f, 1 };
static bool canvas_clicked;
static void colors(void) {
    filo_ui_color(ui, "Colour", &color);
    mark(0);
    filo_ui_canvas(ui, "canvas", filo_vec2(100, 50));
    canvas_clicked = canvas_clicked || filo_ui_clicked(ui);
    mark(1);
    filo_ui_image(ui, &(FiloUiImage){ .image = filo_name("x.png"), .size = { 30, 20 } });
    mark(2);
    filo_ui_tooltip(ui, "an image");
}

FILO_TEST(a_colour_is_picked_and_typed) {
    use(colors);
    click(0);
    frame();
    FiloVec2 square = filo_vec2(marks[0].min.x + 12 + 219, marks[0].max.y + 3 + 12 + 1); // pure colour
    click_at(square);
    float high = filo_max(color.x, filo_max(color.y, color.z)),
          low = filo_min(color.x, filo_min(color.y, color.z));
    assert_true(high > 0.97f && low < 0.2f);
    end();
}

FILO_TEST(a_canvas_and_an_image_have_a_place) {
    use(colors);
    assert_float_equal(filo_rect_size(marks[1]).x, 100, 0);
    assert_float_equal(filo_rect_size(marks[2]).y, 20, 0);
    click(1);
    assert_true(canvas_clicked);
    move(centre(2)); // its tooltip is shown
    size_t before = filo_ui_stats(ui).containers;
    frame();
    assert_true(filo_ui_stats(ui).containers > before);
    end();
}

static float million[1000000];
static void plots(void) {
    filo_ui_plot(ui, "Plot", &(FiloUiPlot){ .values = million, .count = 1000000, .offset = 999999 });
}

FILO_TEST(a_million_points_are_a_few_hundred_quads) {
    for (size_t i = 0; i < 1000000; i++) million[i] = (float)(i % 1000);
    use(plots);
    assert_true(filo_ui_stats(ui).quads > 100);
    assert_true(filo_ui_stats(ui).quads < 1000);
    end();
}

// ---- Themes ------------------------------------------------------------------------------------------------------------

FILO_TEST(a_theme_is_read_from_json) {
    hush();
    FiloUiTheme theme;
    const char *json = "{ \"base\": \"light\", \"gap\": 4, \"radius\": 1e9, \"unknown\": 1 }";
    assert_ok(filo_ui_theme_read(&theme, json, strlen(json), "mine.json"));
    assert_float_equal(theme.gap, 4, 0);
    assert_true(theme.radius <= 64);
    assert_true(filo_color_equal(theme.text, filo_ui_theme_light()->text));
    FiloUiTheme before = theme;
    json = "{ \"base\": \"pink\" }";
    assert_error(filo_ui_theme_read(&theme, json, strlen(json), "mine.json"), FILO_ERROR_DATA,
                 "\"dark\" or \"light\"");
    assert_error(filo_ui_theme_read(&theme, "{", 1, "mine.json"), FILO_ERROR_DATA, "mine.json:1");
    assert_memory_equal(&before, &theme, sizeof theme);
}

// ---- Sliders with units ------------------------------------------------------------------------------------------------

static double wide_value = 40, narrow_value = 0.5;
static void show_sliders(void) {
    filo_ui_begin_window(ui, "Sliders", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 330, 0 } });
    filo_ui_slider_number(
        ui, "Wide", &wide_value,
        &(FiloUiNumber){ .min = 0, .max = 120000, .step = 10, .unit = "kilometres an hour" });
    mark(0);
    filo_ui_slider_number(ui, "Narrow", &narrow_value, &(FiloUiNumber){ .min = 0, .max = 1 });
    mark(1);
    filo_ui_end(ui);
}

// Where the knob of a slider is at its greatest value: the end of its track.
static float track_end(int number, double *value, double greatest) {
    const FiloRect r = marks[number];
    *value = 0;
    frame();
    float x = r.min.x;
    const float y = (r.min.y + r.max.y) / 2;
    button(filo_vec2(x, y), FILO_MOUSE_LEFT, true);
    frame();
    for (; *value < greatest && x < r.max.x; x++) {
        move(filo_vec2(x, y));
        frame();
    }
    button(filo_vec2(x, y), FILO_MOUSE_LEFT, false);
    frame();
    assert_true(*value == greatest);
    return x;
}

FILO_TEST(a_slider_has_room_for_its_value_with_the_unit) {
    begin(show_sliders);
    const FiloRect wide = marks[0], narrow = marks[1];
    assert_true(wide.min.x == narrow.min.x && wide.max.x == narrow.max.x);
    const float wide_end = track_end(0, &wide_value, 120000), narrow_end = track_end(1, &narrow_value, 1);
    // "120000 kilometres an hour" has 25 letters of 8 pixels, and does not fit: the track keeps its least length.
    assert_true(wide_end < wide.min.x + 60);
    assert_true(narrow.max.x - narrow_end >= 56 && narrow.max.x - narrow_end < 80);
    end();
}

// ---- Tooltips ----------------------------------------------------------------------------------------------------------

static int under_clicks;
static void show_tooltip(void) {
    filo_ui_begin_window(ui, "Tips", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 300, 0 } });
    filo_ui_button(ui, "First");
    mark(0);
    if (filo_ui_begin_tooltip(ui)) {
        for (int i = 0; i < 6; i++) filo_ui_format(ui, "line %d of a tooltip over the button below", i);
        filo_ui_button(ui, "cannot be used");
        mark(2);
    }
    filo_ui_end(ui);
    under_clicks += filo_ui_button(ui, "Second");
    mark(1);
    filo_ui_end(ui);
}

static void show_the_tooltip(void) {
    move(filo_vec2(centre(0).x, marks[0].max.y - 1));
    frame();
    frame();
    assert_true(marks[2].min.y > marks[1].max.y); // it reaches from the first button to below the second one
}

FILO_TEST(a_tooltip_takes_no_input) {
    begin(show_tooltip);
    show_the_tooltip();
    click(1); // before the next frame closes the tooltip over it
    assert_int_equal(under_clicks, 1);
    show_the_tooltip();
    const FiloVec2 below = centre(2); // only the tooltip is there: the game gets the click and the wheel
    assert_false(wheel(below, -1));
    show_the_tooltip();
    assert_false(button(below, FILO_MOUSE_LEFT, true));
    assert_false(button(below, FILO_MOUSE_LEFT, false));
    frame();
    click(1);
    show_the_tooltip();
    for (int i = 0; i < 4; i++) { // keys go around between the two buttons and the title
        key(FILO_KEY_TAB);
        move(filo_vec2(centre(0).x, marks[0].max.y - 1));
        frame();
        assert_false(filo_rect_overlaps(filo_ui_rect(ui), marks[2]) && filo_ui_focused(ui));
    }
    end();
}

// ---- Tables as strangers use them --------------------------------------------------------------------------------------

static size_t picked_row = SIZE_MAX;
static size_t stranger_rows = 50;
static void show_stranger_table(void) {
    static const FiloUiColumn columns[] = { { .title = "Name" },
                                            { .title = "Amount", .width = 100, .right = true } };
    filo_ui_begin_window(ui, "Table", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 400, 300 } });
    const FiloUiTable table = { .columns = columns,
                                .column_count = 2,
                                .row_count = stranger_rows,
                                .height = 200,
                                .selected = &picked_row };
    if (filo_ui_begin_table(ui, "table", &table))
        for (size_t row; filo_ui_table_row(ui, &row);) {
            filo_ui_label(ui, "name");
            if (filo_ui_begin_drag(ui, "row", &row, sizeof row)) filo_ui_label(ui, "dragged");
            filo_ui_end(ui);
            if (row == 1) mark(0);
            filo_ui_label(ui, "7");
        }
    filo_ui_end(ui);
    filo_ui_end(ui);
}

FILO_TEST(a_row_that_was_clicked_goes_on_by_arrow_keys) {
    begin(show_stranger_table);
    assert_false(key(FILO_KEY_DOWN)); // the game's
    click(0);
    assert_int_equal(picked_row, 1);
    assert_true(key(FILO_KEY_DOWN));
    assert_true(key(FILO_KEY_DOWN));
    assert_int_equal(picked_row, 3);
    assert_true(key(FILO_KEY_END));
    assert_int_equal(picked_row, 49);
    assert_false(key(FILO_KEY_W)); // all others are the game's
    assert_false(key(FILO_KEY_LEFT));
    button(filo_vec2(790, 590), FILO_MOUSE_LEFT, true);
    button(filo_vec2(790, 590), FILO_MOUSE_LEFT, false);
    frame();
    assert_false(key(FILO_KEY_UP));
    end();
}

FILO_TEST(a_negative_number_of_rows_is_reported_and_none_are_shown) {
    begin(show_stranger_table);
    stranger_rows = (size_t)-3;
    expect_fault("\"table\": a table cannot have -3 rows", frame());
    stranger_rows = 50;
    frame();
    end();
}
