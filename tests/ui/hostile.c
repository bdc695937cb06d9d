// Mistakes and hostile input: a clear message, or a defined result.

#include "stage.h"

#include <filo/log.h>

#include <pthread.h>

static int depth = 1000;
static void show_nested(void) {
    filo_ui_begin_window(ui, "Nested", NULL);
    for (int i = 0; i < depth; i++) filo_ui_begin_column(ui);
    filo_ui_label(ui, "at the bottom");
    for (int i = 0; i < depth; i++) filo_ui_end(ui);
    filo_ui_button(ui, "after");
    mark(0);
    filo_ui_end(ui);
}

FILO_TEST(a_thousand_nested_panels_are_laid_out) {
    begin(show_nested);
    assert_false(filo_rect_is_empty(marks[0]));
    end();
}

FILO_TEST(more_nested_containers_than_allowed_are_reported_and_harmless) {
    begin(show_nested);
    depth = 5000;
    expect_fault("more than 1024 containers inside of each other: is a filo_ui_end missing?", frame());
    depth = 10;
    frame();
    frame();
    assert_false(filo_rect_is_empty(marks[0]));
    end();
}

static void show_missing_end(void) {
    filo_ui_begin_window(ui, "Open", NULL);
    filo_ui_begin_group(ui, "Inner");
}
static void show_extra_end(void) {
    filo_ui_begin_window(ui, "Open", NULL);
    filo_ui_end(ui);
    filo_ui_end(ui);
}
static void show_missing_pops(void) {
    filo_ui_push_style(ui, &(FiloUiStyle){ .gap = 2 });
    filo_ui_push_disabled(ui, true);
    filo_ui_push_id(ui, 7);
}
static void show_extra_pops(void) {
    filo_ui_pop_style(ui);
    filo_ui_pop_disabled(ui);
    filo_ui_pop_id(ui);
}

FILO_TEST(a_missing_or_extra_end_is_reported_with_its_name) {
    assert_ok(filo_ui_create(&ui, NULL));
    show = show_missing_end;
    expect_faults(2, "filo_ui_begin_group \"Inner\" has no filo_ui_end", frame());
    show = show_extra_end;
    expect_fault("filo_ui_end without a container", frame());
    show = show_missing_pops;
    expect_faults(3, "filo_ui_pop_style is missing", frame());
    show = show_extra_pops;
    expect_faults(3, "filo_ui_pop_style without a filo_ui_push_style", frame());
    end();
}

FILO_TEST(widgets_outside_of_a_frame_are_reported) {
    assert_ok(filo_ui_create(&ui, NULL));
    expect_fault("between filo_ui_begin_frame and filo_ui_end_frame", filo_ui_button(ui, "x"));
    expect_fault("no frame has begun", filo_ui_end_frame(ui));
    filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 10, .height = 10 });
    expect_fault("a frame has begun already",
                 filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 10, .height = 10 }));
    filo_ui_end_frame(ui);
    end();
}

static int clicked[3];
static void show_clash(void) {
    filo_ui_begin_window(ui, "Clash", &(FiloUiWindow){ .position = { 50, 50 } });
    for (int i = 0; i < 3; i++) {
        clicked[i] += filo_ui_button(ui, "Delete");
        mark(i);
    }
    filo_ui_end(ui);
}

static int warnings;
static void count_warnings(const FiloLogMessage *message, void *user) {
    (void)user;
    warnings += strstr(message->text, "have the same id") != NULL;
}

FILO_TEST(widgets_with_one_id_are_reported_once_and_work) {
    hush();
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_warnings });
    begin(show_clash);
    assert_int_equal(warnings, 1);
    click(1);
    assert_int_equal(clicked[0], 0);
    assert_int_equal(clicked[1], 1);
    click(2);
    assert_int_equal(clicked[2], 1);
    frame();
    assert_int_equal(warnings, 1);
    filo_log_remove_sink(sink);
    end();
}

static float nan_value;
static double nan_number;
static void show_nan(void) {
    float nan = filo_float_from_bits(0x7FC00000), infinite = filo_float_from_bits(0x7F800000);
    filo_ui_begin_window(
        ui, "NaN",
        &(FiloUiWindow){ .position = { nan, infinite }, .size = { nan, -5 }, .min_size = { infinite, nan } });
    filo_ui_size(ui, &(FiloUiSize){ .width = nan, .height = -1, .grow = nan, .max_width = infinite });
    filo_ui_button(ui, "Press");
    mark(0);
    filo_ui_slider(ui, "Value", &nan_value, nan, nan);
    mark(1);
    filo_ui_drag_number(ui, "Number", &nan_number,
                        &(FiloUiNumber){ .min = (double)nan, .max = 1, .step = (double)nan });
    filo_ui_progress(ui, "Progress", nan, NULL);
    filo_ui_spacer(ui, nan);
    float values[] = { nan, 1, infinite, -infinite, 2 };
    filo_ui_plot(ui, "Plot", &(FiloUiPlot){ .values = values, .count = 5 });
    filo_ui_plot(ui, "Bars",
                 &(FiloUiPlot){ .values = values, .count = 5, .kind = FILO_UI_PLOT_BARS, .height = nan });
    filo_ui_plot(ui, "Histogram",
                 &(FiloUiPlot){ .values = values, .count = 5, .kind = FILO_UI_PLOT_HISTOGRAM });
    FiloVec4 color = { nan, infinite, -1, 7 };
    filo_ui_color(ui, "Colour", &color);
    filo_ui_canvas(ui, "canvas", filo_vec2(nan, infinite));
    filo_ui_canvas_line(ui, filo_vec2(nan, 0), filo_vec2(5, infinite), nan, FILO_COLOR_RED);
    filo_ui_push_style(ui, &(FiloUiStyle){ .text_size = infinite, .gap = nan, .control_height = nan });
    filo_ui_button(ui, "Large");
    filo_ui_pop_style(ui);
    filo_ui_end(ui);
    filo_ui_begin_panel(
        ui, "NaN panel",
        &(FiloUiPanel){ .anchor = { nan, nan }, .offset = { infinite, nan }, .size = { nan, nan } });
    filo_ui_label(ui, "x");
    filo_ui_end(ui);
}

FILO_TEST(values_and_sizes_that_are_no_numbers_have_a_defined_result) {
    nan_value = filo_float_from_bits(0x7FC00000);
    nan_number = (double)nan_value;
    begin(show_nan);
    assert_true(filo_is_nan(nan_value)); // shown, and not changed
    FiloVec2 size = filo_rect_size(marks[0]);
    assert_true(size.x > 0 && size.x < 800 && size.y > 0 && size.y < 600);
    click(1);
    assert_true(nan_value >= 0 && nan_value <= 1);
    end();
}

FILO_TEST(a_frame_of_no_size_and_a_strange_scale_are_laid_out) {
    assert_ok(filo_ui_create(&ui, NULL));
    float nan = filo_float_from_bits(0x7FC00000);
    const FiloUiFrame frames[] = { { 0 },
                                   { .width = nan, .height = -3, .scale = nan, .seconds = nan },
                                   { .width = 1e20f, .height = 1, .scale = 1e9f } };
    show = show_nan;
    for (size_t i = 0; i < FILO_COUNT_OF(frames); i++) {
        filo_ui_begin_frame(ui, &frames[i]);
        show_nan();
        filo_ui_end_frame(ui);
    }
    assert_true(filo_ui_scale(ui) > 0 && filo_ui_scale(ui) <= 16);
    end();
}

static void show_bad_text(void) {
    filo_ui_begin_window(ui, "bad \xFF\xC0 title", NULL);
    filo_ui_label(ui, "\xFF\xFE\xF8 label \xE2\x82");
    filo_ui_button(ui, "\xC3##\xFF");
    filo_ui_check(ui, NULL, &(bool){ false });
    filo_ui_choice(ui, "\xED\xA0\x80", &(int){ 7 }, (const char *const[]){ "\xFF" }, 1);
    filo_ui_format(ui, "%s", "\x80\x80");
    filo_ui_end(ui);
}

FILO_TEST(invalid_utf8_is_shown) {
    hush();
    begin(show_bad_text);
    frame();
    end();
}

static void show_many(void) {
    filo_ui_begin_window(ui, "Many", NULL);
    for (int i = 0; i < 40000; i++) {
        filo_ui_push_id(ui, (uint64_t)i);
        filo_ui_button(ui, "x");
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
}

FILO_TEST(more_widgets_than_states_still_work) {
    hush();
    begin(show_many);
    assert_true(filo_ui_stats(ui).states <= 32768);
    end();
}

FILO_TEST(wrong_arguments_are_reported) {
    assert_ok(filo_ui_create(&ui, NULL));
    filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 100, .height = 100 });
    expect_fault("a grid has 1 to 16 columns, not 99", filo_ui_begin_grid(ui, 99, NULL));
    filo_ui_end(ui);
    expect_fault("a table has 1 to 32 columns", filo_ui_begin_table(ui, "t", NULL));
    filo_ui_end(ui);
    expect_fault("directly inside of filo_ui_begin_tabs", filo_ui_begin_tab(ui, "t"));
    filo_ui_end(ui);
    size_t row;
    expect_fault("between filo_ui_begin_table and filo_ui_end", filo_ui_table_row(ui, &row));
    expect_fault("what is dragged has at most 64 bytes, not 65: drag an id",
                 filo_ui_begin_drag(ui, "t", "", 65));
    filo_ui_end(ui);
    filo_ui_end_frame(ui);
    assert_error(filo_ui_use_theme_file(ui, "dark.json"), FILO_ERROR_UNSUPPORTED, "no assets");
    end();
}

static void *call_button(void *user) { return filo_ui_button(user, "of another thread") ? user : NULL; }

FILO_TEST(a_widget_on_another_thread_is_reported) {
    assert_ok(filo_ui_create(&ui, NULL));
    filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 100, .height = 100 });
    pthread_t thread;
    expect_fault("call widgets on the main thread", {
        assert_int_equal(pthread_create(&thread, NULL, call_button, ui), 0);
        pthread_join(thread, NULL);
    });
    filo_ui_end_frame(ui);
    end();
}

static int items, chosen_item;
static float reversed = 3;
static int reversed_warnings;
static void count_reversed(const FiloLogMessage *message, void *user) {
    (void)user;
    reversed_warnings +=
        strcmp(message->text,
               "slider \"Reversed\" goes from 10 to 0: it cannot be used, because that is less") == 0;
}
static void show_ranges(void) {
    filo_ui_begin_window(ui, "Ranges", &(FiloUiWindow){ .position = { 50, 50 }, .size = { 300, 0 } });
    filo_ui_slider_int(ui, "Item", &chosen_item, 0, items - 1);
    mark(0);
    filo_ui_slider(ui, "Reversed", &reversed, 10, 0);
    mark(1);
    filo_ui_end(ui);
}

FILO_TEST(a_slider_without_a_range_cannot_be_used) {
    hush();
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_reversed });
    items = 1;
    begin(show_ranges);
    for (int i = 0; i < 2; i++) {
        click(i); // not to a second item, which does not exist
        drag(centre(i), filo_vec2_add(centre(i), filo_vec2(60, 0)));
        key(FILO_KEY_RIGHT);
    }
    assert_int_equal(chosen_item, 0);
    assert_true(reversed == 3);
    assert_int_equal(reversed_warnings, 1);
    items = 5;
    frame();
    frame();
    drag(centre(0), filo_vec2_add(centre(0), filo_vec2(200, 0)));
    assert_int_equal(chosen_item, 4);
    filo_log_remove_sink(sink);
    end();
}

static int panel_clicks[2], panel_warnings;
static void count_panels(const FiloLogMessage *message, void *user) {
    (void)user;
    panel_warnings += strcmp(message->text, "two panels \"score\": give each a name of its own") == 0;
}
static void show_two_panels(void) {
    for (int i = 0; i < 2; i++) {
        filo_ui_begin_panel(ui, "score", &(FiloUiPanel){ .anchor = { (float)i, 0 } });
        panel_clicks[i] += filo_ui_button(ui, "Press");
        mark(i);
        filo_ui_end(ui);
    }
}

FILO_TEST(two_panels_of_one_name_are_reported_once_and_work) {
    hush();
    FiloLogSink sink = filo_log_add_sink(&(FiloLogSinkDesc){ .write = count_panels });
    begin(show_two_panels);
    click(1);
    assert_int_equal(panel_clicks[0], 0);
    assert_int_equal(panel_clicks[1], 1);
    click(0);
    assert_int_equal(panel_clicks[0], 1);
    assert_int_equal(panel_warnings, 1);
    filo_log_remove_sink(sink);
    end();
}
