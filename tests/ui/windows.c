// Windows: moved, resized, collapsed, closed, docked, remembered.

#include "stage.h"

#include <filo/files.h>

static bool open = true, content, second;
static FiloUiWindow desc = { .position = { 100, 100 }, .size = { 240, 160 } };

static void show_window(void) {
    desc.open = &open;
    content = filo_ui_begin_window(ui, "Window", &desc);
    if (content) {
        filo_ui_size(ui, &(FiloUiSize){ .grow = 1 });
        filo_ui_button(ui, "Fill");
        mark(0);
    }
    filo_ui_end(ui);
    if (second) {
        filo_ui_begin_window(ui, "Second", &(FiloUiWindow){ .position = { 500, 300 }, .size = { 150, 100 } });
        filo_ui_button(ui, "Other");
        mark(1);
        filo_ui_end(ui);
    }
}

// A point of the title, and where its buttons are.
static const FiloVec2 title = { 220, 112 }, arrow = { 116, 115 }, cross = { 326, 115 };

FILO_TEST(a_window_is_moved_by_its_title) {
    begin(show_window);
    FiloRect before = marks[0];
    drag(title, filo_vec2(320, 192));
    assert_float_equal(marks[0].min.x, before.min.x + 100, 0.5f);
    assert_float_equal(marks[0].min.y, before.min.y + 80, 0.5f);
    drag(filo_vec2(320, 192), filo_vec2(-2000, 4000)); // a part of the title stays on the screen
    assert_true(marks[0].min.y < HEIGHT + 10);
    assert_true(marks[0].max.x > 0);
    end();
}

FILO_TEST(a_window_is_resized_by_its_edges_and_not_below_its_least_size) {
    begin(show_window);
    FiloVec2 size = filo_rect_size(marks[0]);
    drag(filo_vec2(339, 259), filo_vec2(439, 309)); // the lower right corner
    assert_float_equal(filo_rect_size(marks[0]).x, size.x + 100, 1.5f);
    assert_float_equal(filo_rect_size(marks[0]).y, size.y + 50, 1.5f);
    FiloRect before = marks[0];
    drag(filo_vec2(100, 200), filo_vec2(60, 200)); // the left edge
    assert_float_equal(marks[0].min.x, before.min.x - 40, 1.5f);
    assert_float_equal(marks[0].max.x, before.max.x, 1.5f);
    drag(filo_vec2(440, 200), filo_vec2(0, 200));
    assert_true(filo_rect_size(marks[0]).x > 50);
    end();
}

FILO_TEST(a_window_is_collapsed_and_opened_again) {
    begin(show_window);
    assert_true(content);
    click_at(arrow);
    frame();
    assert_false(content);
    assert_false(move(filo_vec2(220, 200))); // where its content was
    for (int i = 0; i < 2; i++) {            // a double click on the title
        button(title, FILO_MOUSE_LEFT, true);
        button(title, FILO_MOUSE_LEFT, false);
    }
    frame();
    frame();
    assert_true(content);
    assert_true(filo_ui_collapse_window(ui, "Window", true));
    frame();
    assert_false(content);
    assert_false(filo_ui_collapse_window(ui, "None", true));
    end();
}

FILO_TEST(a_window_is_closed_by_its_button) {
    begin(show_window);
    click_at(cross);
    assert_false(open);
    frame();
    assert_false(content);
    assert_false(move(filo_vec2(220, 200)));
    open = true;
    frame();
    assert_true(content);
    end();
}

FILO_TEST(a_window_docks_at_an_edge_and_comes_off_again) {
    begin(show_window);
    drag(title, filo_vec2(3, 300));
    FiloRect area = filo_ui_free_area(ui);
    assert_float_equal(area.min.x, 240, 1);
    assert_float_equal(area.max.x, WIDTH, 0);
    assert_true(marks[0].max.y > HEIGHT - 20); // it fills the height
    assert_true(move(filo_vec2(100, 590)));
    drag(filo_vec2(120, 12), filo_vec2(400, 300));
    assert_float_equal(filo_ui_free_area(ui).min.x, 0, 0);
    assert_true(marks[0].min.x > 150);
    drag(filo_vec2(400, 300), filo_vec2(798, 300));
    assert_true(filo_ui_free_area(ui).max.x < WIDTH);
    end();
}

FILO_TEST(windows_at_the_same_edge_divide_it) {
    second = true;
    begin(show_window);
    assert_true(filo_ui_place_window(ui, "Window", filo_vec2(0, 0), filo_vec2(200, 0), FILO_UI_RIGHT));
    assert_true(filo_ui_place_window(ui, "Second", filo_vec2(0, 0), filo_vec2(180, 0), FILO_UI_RIGHT));
    frame();
    frame();
    assert_float_equal(filo_ui_free_area(ui).max.x, WIDTH - 200, 0);
    assert_true(marks[0].max.y < HEIGHT / 2);
    assert_true(marks[1].min.y > HEIGHT / 2);
    assert_true(filo_ui_place_window(ui, "Second", filo_vec2(0, 0), filo_vec2(0, 100), FILO_UI_BOTTOM));
    frame();
    assert_float_equal(filo_ui_free_area(ui).max.y, HEIGHT - 100, 0);
    assert_false(filo_ui_place_window(ui, "Third", filo_vec2(0, 0), filo_vec2(0, 0), FILO_UI_LEFT));
    end();
}

FILO_TEST(the_arrangement_is_saved_and_loaded) {
    begin(show_window);
    drag(title, filo_vec2(420, 312));
    FiloRect moved = marks[0];
    const char *path = filo_test_path("windows.json");
    assert_ok(filo_ui_save_windows(ui, path));
    end();
    begin(show_window);
    assert_true(marks[0].min.x != moved.min.x);
    assert_ok(filo_ui_load_windows(ui, path));
    frame();
    frame();
    assert_float_equal(marks[0].min.x, moved.min.x, 1);
    assert_float_equal(marks[0].min.y, moved.min.y, 1);
    end();
    assert_ok(filo_ui_create(&ui, NULL)); // also before the window was ever shown
    assert_ok(filo_ui_load_windows(ui, path));
    show = show_window;
    frame();
    frame();
    assert_float_equal(marks[0].min.x, moved.min.x, 1);
    end();
}

static void write_and_load(const char *text, FiloCode code, const char *message) {
    const char *path = filo_test_path("broken.json");
    assert_ok(filo_file_write(path, text, strlen(text), NULL));
    assert_error(filo_ui_load_windows(ui, path), code, message);
}

FILO_TEST(a_broken_file_of_windows_changes_nothing) {
    begin(show_window);
    FiloRect before = marks[0];
    assert_error(filo_ui_load_windows(ui, filo_test_path("none.json")), FILO_ERROR_NOT_FOUND, "none.json");
    write_and_load("", FILO_ERROR_DATA, "broken.json:1:1");
    write_and_load("[]", FILO_ERROR_DATA, "expected a list \"windows\"");
    write_and_load("{\"windows\": [7]}", FILO_ERROR_DATA, "expected a window");
    write_and_load("{\"windows\": [{\"name\": \"Window\", \"position\": {\"x\": 1, \"y\": 1}}, ",
                   FILO_ERROR_DATA, "broken.json");
    frame();
    frame();
    assert_memory_equal(&before, &marks[0], sizeof before);
    end();
}

static void show_twice(void) {
    for (int i = 0; i < 2; i++) {
        filo_ui_begin_window(ui, "Same", NULL);
        filo_ui_label(ui, "x");
        filo_ui_end(ui);
    }
}

FILO_TEST(two_windows_of_one_title_are_reported_and_the_first_is_shown) {
    hush();
    begin(show_twice);
    frame();
    assert_true(filo_ui_stats(ui).containers > 0);
    end();
}

static void show_panel(void) {
    filo_ui_begin_panel(ui, "score",
                        &(FiloUiPanel){ .anchor = { 1, 1 }, .offset = { -10, -20 }, .size = { 100, 50 } });
    filo_ui_label(ui, "x");
    mark(0);
    filo_ui_end(ui);
    filo_ui_begin_panel(ui, "bare", &(FiloUiPanel){ .flags = FILO_UI_NO_BACKGROUND, .size = { 300, 200 } });
    filo_ui_button(ui, "Press");
    mark(1);
    filo_ui_end(ui);
}

FILO_TEST(a_panel_is_anchored_to_the_screen) {
    begin(show_panel);
    assert_true(marks[0].min.x > WIDTH - 110 && marks[0].max.x < WIDTH - 10);
    assert_true(marks[0].max.y < HEIGHT - 20 && marks[0].min.y > HEIGHT - 70);
    assert_true(move(centre(0)));
    assert_true(move(centre(1)));
    assert_false(move(filo_vec2(150, 190))); // a panel without a background leaves the rest to the game
    end();
}
