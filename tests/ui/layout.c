// Sizes and positions.

#include "stage.h"

static void (*content)(void);
static void show_content(void) {
    filo_ui_begin_window(ui, "Layout", &(FiloUiWindow){ .position = { 10, 10 }, .size = { 400, 300 } });
    content();
    filo_ui_end(ui);
}
static void lay_out(void (*function)(void)) {
    content = function;
    begin(show_content);
}

#define INNER 376.0f // width of the content: 400 points without the padding of 12

static void rows_that_grow(void) {
    filo_ui_begin_row(ui);
    filo_ui_width(ui, 50);
    filo_ui_button(ui, "a");
    mark(0);
    filo_ui_size(ui, &(FiloUiSize){ .grow = 1 });
    filo_ui_button(ui, "b");
    mark(1);
    filo_ui_size(ui, &(FiloUiSize){ .grow = 2, .max_width = 150 });
    filo_ui_button(ui, "c");
    mark(2);
    filo_ui_end(ui);
}

FILO_TEST(free_space_is_shared_by_weight_up_to_the_greatest_size) {
    lay_out(rows_that_grow);
    assert_float_equal(filo_rect_size(marks[0]).x, 50, 0);
    assert_float_equal(filo_rect_size(marks[2]).x, 150, 0);
    float sum = 0;
    for (int i = 0; i < 3; i++) sum += filo_rect_size(marks[i]).x;
    assert_float_equal(sum, INNER - 2 * 8, 0);
    assert_float_equal(marks[1].min.x, marks[0].max.x + 8, 0);
    end();
}

static void long_text(void) {
    filo_ui_label(
        ui,
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen");
    mark(0);
    filo_ui_button(ui, "below");
    mark(1);
}

FILO_TEST(text_wraps_and_what_is_below_moves_down) {
    lay_out(long_text);
    FiloVec2 size = filo_rect_size(marks[0]);
    assert_float_equal(size.x, INNER, 0);
    assert_float_equal(size.y, 3 * 16, 0); // letters of 8 × 16: 47 in a line
    assert_float_equal(marks[1].min.y, marks[0].max.y + 8, 0);
    end();
}

static void a_grid(void) {
    filo_ui_begin_grid(ui, 2, NULL);
    for (int i = 0; i < 3; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        filo_ui_button(ui, i == 1 ? "the widest of all" : "x");
        mark(2 * i);
        filo_ui_button(ui, "y");
        mark(2 * i + 1);
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
}

FILO_TEST(the_columns_of_a_grid_are_aligned) {
    lay_out(a_grid);
    assert_float_equal(marks[1].min.x, marks[3].min.x, 0);
    assert_float_equal(marks[3].min.x, marks[5].min.x, 0);
    assert_float_equal(filo_rect_size(marks[0]).x, filo_rect_size(marks[2]).x, 0);
    assert_float_equal(marks[1].max.x - marks[0].min.x, INNER, 0);
    assert_true(marks[2].min.y > marks[0].max.y);
    end();
}

static void a_column_that_grows(void) {
    filo_ui_button(ui, "first");
    mark(0);
    filo_ui_spacer(ui, 0);
    filo_ui_button(ui, "last");
    mark(1);
}

FILO_TEST(a_spacer_pushes_to_the_end) {
    lay_out(a_column_that_grows);
    assert_float_equal(marks[1].max.y, 310 - 12, 1); // the window ends at 310
    end();
}

static void labelled(void) {
    static float a, b;
    filo_ui_slider(ui, "A", &a, 0, 1);
    mark(0);
    filo_ui_slider(ui, "A much longer label", &b, 0, 1);
    mark(1);
    filo_ui_slider(ui, "##none", &b, 0, 1);
    mark(2);
}

FILO_TEST(controls_with_labels_are_aligned) {
    lay_out(labelled);
    assert_float_equal(marks[0].min.x, marks[1].min.x, 1);
    assert_float_equal(filo_rect_size(marks[2]).x, INNER, 0);
    end();
}

static FiloRect first_frame[4];
static int frames;
static void everything(void) {
    static int tab, choice;
    filo_ui_begin_tabs(ui, "tabs", &tab);
    if (filo_ui_begin_tab(ui, "One")) {
        filo_ui_label(ui, "a long text that is wrapped in the very first frame of the window, too");
        filo_ui_begin_row(ui);
        filo_ui_grow(ui);
        filo_ui_button(ui, "x");
        mark(0);
        filo_ui_button(ui, "y");
        mark(1);
        filo_ui_end(ui);
        filo_ui_choice(ui, "z", &choice, (const char *const[]){ "a" }, 1);
        mark(2);
    }
    filo_ui_end(ui);
    filo_ui_end(ui);
    frames++;
    if (frames == 2) memcpy(first_frame, marks, sizeof first_frame);
}

FILO_TEST(the_first_frame_has_the_same_layout_as_all_others) {
    lay_out(everything);
    for (int i = 0; i < 3; i++) frame();
    assert_false(filo_rect_is_empty(marks[2]));
    assert_memory_equal(first_frame, marks, sizeof first_frame);
    end();
}

static void nothing_fits(void) {
    filo_ui_begin_row(ui);
    for (int i = 0; i < 12; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        filo_ui_button(ui, "too long for this row");
        mark(i);
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
}

FILO_TEST(a_row_that_does_not_fit_shrinks) {
    lay_out(nothing_fits);
    assert_true(marks[11].max.x <= 410);
    for (int i = 1; i < 12; i++) assert_true(marks[i].min.x >= marks[i - 1].max.x);
    end();
}

static void scrolled(void) {
    if (filo_ui_begin_scroll(ui, "area", &(FiloUiScroll){ .height = 100 }))
        for (int i = 0; i < 30; i++) {
            filo_ui_push_id(ui, (uint64_t)i);
            filo_ui_button(ui, "row");
            if (i % 29 == 0) mark(i / 29);
            filo_ui_pop_id(ui);
        }
    filo_ui_end(ui);
    filo_ui_button(ui, "below");
    mark(2);
}

FILO_TEST(an_area_scrolls_by_wheel_bar_and_keys) {
    lay_out(scrolled);
    float top = marks[0].min.y;
    FiloVec2 inside = filo_vec2(centre(0).x, top + 20);
    assert_true(wheel(inside, -3));
    assert_true(marks[0].min.y < top);
    wheel(inside, 1000);
    assert_float_equal(marks[0].min.y, top, 0);
    wheel(inside, -1000);
    assert_true(marks[1].max.y < marks[2].min.y); // the last row is above what follows
    wheel(inside, 1000);
    FiloRect first = marks[0];
    FiloVec2 bar = filo_vec2(first.max.x + 10, top + 2);
    drag(bar, filo_vec2(bar.x, bar.y + 300));
    assert_true(marks[1].max.y < marks[2].min.y);
    end();
}

FILO_TEST(points_are_scaled_to_whole_pixels) {
    content = rows_that_grow;
    assert_ok(filo_ui_create(&ui, NULL));
    show = show_content;
    for (int i = 0; i < 2; i++) {
        filo_ui_begin_frame(ui,
                            &(FiloUiFrame){ .width = 1600, .height = 1200, .scale = 1.5f, .still = true });
        show();
        filo_ui_end_frame(ui);
    }
    assert_float_equal(filo_rect_size(marks[0]).x, 75, 0);
    assert_float_equal(filo_ui_scale(ui), 1.5f, 0);
    filo_ui_set_scale(ui, 2);
    for (int i = 0; i < 2; i++) {
        filo_ui_begin_frame(ui,
                            &(FiloUiFrame){ .width = 1600, .height = 1200, .scale = 1.5f, .still = true });
        show();
        filo_ui_end_frame(ui);
    }
    assert_float_equal(filo_rect_size(marks[0]).x, 150, 0);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(marks[i].min.x, filo_round(marks[i].min.x), 0);
        assert_float_equal(marks[i].max.y, filo_round(marks[i].max.y), 0);
    }
    end();
}

FILO_TEST(a_steady_frame_does_not_allocate) {
    lay_out(everything);
    for (int i = 0; i < 70; i++) frame();
    uint64_t before = filo_memory_system_calls();
    for (int i = 0; i < 200; i++) frame();
    assert_int_equal(filo_memory_system_calls() - before, 0);
    end();
}
