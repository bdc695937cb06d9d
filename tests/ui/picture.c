// Pictures, drawn by the CPU in the built-in letters, compared with golden ones.

#include "stage.h"

#include <filo/image.h>
#include <filo/jobs.h>

#include <stdlib.h>

static FiloJobs *jobs;
static FiloWorld *world;
static FiloGfx2d *gfx;

static void create_stage(int threads) {
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
    assert_ok(
        filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ .world = world, .background = { 70, 84, 100, 255 } }));
    assert_ok(filo_ui_create(&ui, &(FiloUiDesc){ .gfx = gfx }));
}

static void destroy_stage(void) {
    filo_ui_destroy(ui);
    filo_gfx2d_destroy(gfx);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}

static FiloPixels draw_frame(float scale) {
    int width = (int)(640 * scale), height = (int)(480 * scale);
    FiloPixels pixels;
    for (int i = 0; i < 2; i++) { // letters of the first frame are made while it is drawn
        filo_ui_begin_frame(
            ui,
            &(FiloUiFrame){ .width = (float)width, .height = (float)height, .scale = scale, .still = true });
        show();
        filo_ui_end_frame(ui);
        filo_gfx2d_extract(gfx, &(FiloExtract){ .width = width, .height = height, .blend = 1 });
        filo_ui_draw(ui, filo_gfx2d_draw(gfx));
        filo_gfx2d_render(gfx);
    }
    assert_ok(filo_gfx2d_pixels(gfx, &pixels));
    return pixels;
}

static void assert_golden(FiloPixels pixels, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, FILO_TEST_SOURCES "/golden/%s.png", name);
    if (getenv("FILO_TEST_GOLDEN") != NULL) {
        assert_ok(filo_image_save(&pixels, path));
        return;
    }
    FiloPixels golden;
    assert_ok(filo_image_load(&golden, path, NULL));
    FiloPixelsDifference difference = filo_pixels_compare(&pixels, &golden, 0);
    filo_pixels_free(&golden, NULL);
    if (difference.pixels > 0)
        fail_msg("%s: %zu pixels differ by up to %d, the first at %d, %d", name, difference.pixels,
                 difference.largest, difference.x, difference.y);
}

// ---- Scenes ---------------------------------------------------------------------------------------------------------

static float wind = 12, rate = 0.25f;
static int mode = 1, choice = 2, tab, segment = 1;
static bool rain = true, fog, forecast = true, modal;
static char name[32] = "Tavern";
static FiloVec4 color = { 0.9f, 0.5f, 0.2f, 0.7f };
static const char *const items[] = { "Low", "Medium", "High" };

static void form(void) {
    filo_ui_begin_window(ui, "Form", &(FiloUiWindow){ .position = { 16, 40 }, .size = { 300, 0 } });
    filo_ui_label(ui, "A text that is wrapped to the width of its window.");
    filo_ui_slider(ui, "Wind", &wind, 0, 30);
    filo_ui_drag(ui, "Rate", &rate, 0.01f, 0, 1);
    filo_ui_text_field(ui, "Name", name, sizeof name, NULL);
    filo_ui_choice(ui, "Quality", &choice, items, 3);
    filo_ui_segments(ui, "##segments", &segment, items, 3);
    filo_ui_color(ui, "Colour", &color);
    filo_ui_begin_row(ui);
    filo_ui_check(ui, "Rain", &rain);
    filo_ui_check(ui, "Fog", &fog);
    filo_ui_radio(ui, "Calm", &mode, 0);
    filo_ui_radio(ui, "Storm", &mode, 1);
    filo_ui_end(ui);
    filo_ui_switch(ui, "Forecast", &forecast);
    filo_ui_progress(ui, "Loaded", 0.4f, NULL);
    filo_ui_push_disabled(ui, true);
    filo_ui_button(ui, "Disabled");
    filo_ui_pop_disabled(ui);
    filo_ui_primary_button(ui, "Apply");
    filo_ui_end(ui);
}

static void tools(void) {
    static float values[64];
    static const FiloUiColumn columns[] = { { .title = "Number", .width = 70, .right = true },
                                            { .title = "Name" } };
    static size_t selected = 2;
    static int sort;
    for (int i = 0; i < 64; i++) values[i] = (float)(i * i % 97);
    filo_ui_begin_window(ui, "Tools", &(FiloUiWindow){ .dock = FILO_UI_RIGHT, .size = { 290, 0 } });
    filo_ui_begin_tabs(ui, "tabs", &tab);
    if (filo_ui_begin_tab(ui, "One")) {
        FiloUiTable table = { .columns = columns,
                              .column_count = 2,
                              .row_count = 1000,
                              .selected = &selected,
                              .sort = &sort,
                              .height = 120,
                              .stripes = true };
        if (filo_ui_begin_table(ui, "table", &table))
            for (size_t row; filo_ui_table_row(ui, &row);) {
                filo_ui_format(ui, "%zu", row * 7);
                filo_ui_format(ui, "object %zu", row);
            }
        filo_ui_end(ui);
        filo_ui_plot(ui, "Line", &(FiloUiPlot){ .values = values, .count = 64, .height = 60 });
        filo_ui_plot(
            ui, "Bars",
            &(FiloUiPlot){
                .values = values, .count = 64, .kind = FILO_UI_PLOT_BARS, .height = 60, .mark = 50 });
        if (filo_ui_begin_section(ui, "Section")) {
            filo_ui_begin_tree(ui, "Closed", &(FiloUiTree){ .icon = FILO_UI_ICON_FOLDER, .detail = "3" });
            filo_ui_end(ui);
        }
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    if (filo_ui_begin_tab(ui, "Two")) filo_ui_label(ui, "x");
    filo_ui_end(ui);
    filo_ui_end(ui);
    filo_ui_end(ui);
}

static void show_all(void) {
    if (filo_ui_begin_menu_bar(ui)) {
        if (filo_ui_begin_menu(ui, "File")) filo_ui_menu_item(ui, "Open", "Ctrl O");
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    form();
    tools();
    if (filo_ui_begin_modal(ui, "Apply?", &modal)) filo_ui_label(ui, "Nothing else can be used.");
    filo_ui_end(ui);
}

// ---- Tests ------------------------------------------------------------------------------------------------------------

FILO_TEST(all_widgets_look_as_they_did) {
    create_stage(1);
    show = show_all;
    assert_golden(draw_frame(1), "dark");
    destroy_stage();
}

FILO_TEST(the_light_theme_looks_as_it_did_at_another_scale) {
    create_stage(1);
    show = show_all;
    filo_ui_set_theme(ui, filo_ui_theme_light());
    modal = true;
    assert_golden(draw_frame(1.5f), "light");
    destroy_stage();
}

FILO_TEST(the_picture_is_the_same_on_any_number_of_threads) {
    show = show_all;
    create_stage(1);
    FiloPixels one = draw_frame(1), copy;
    assert_true(filo_pixels_create(&copy, one.width, one.height, NULL));
    filo_pixels_copy(&copy, 0, 0, &one);
    destroy_stage();
    for (int threads = 2; threads <= 8; threads *= 2) {
        create_stage(threads);
        FiloPixels pixels = draw_frame(1);
        assert_int_equal(filo_pixels_compare(&copy, &pixels, 0).pixels, 0);
        destroy_stage();
    }
    filo_pixels_free(&copy, NULL);
}

FILO_TEST(a_whole_ui_is_a_handful_of_draw_calls) {
    FiloGpu *gpu;
    assert_ok(filo_gpu_create(&gpu, &(FiloGpuDesc){ .kind = FILO_GPU_NULL }));
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs }));
    assert_ok(filo_gfx2d_create(&gfx, &(FiloGfx2dDesc){ .world = world, .gpu = gpu }));
    assert_ok(filo_ui_create(&ui, &(FiloUiDesc){ .gfx = gfx }));
    for (int i = 0; i < 3; i++) {
        filo_ui_begin_frame(ui, &(FiloUiFrame){ .width = 640, .height = 480, .still = true });
        show_all();
        filo_ui_end_frame(ui);
        filo_gfx2d_extract(gfx, &(FiloExtract){ .width = 640, .height = 480, .blend = 1 });
        filo_ui_draw(ui, filo_gfx2d_draw(gfx));
        filo_gfx2d_render(gfx);
        filo_gpu_end_frame(gpu);
    }
    assert_true(filo_ui_stats(ui).quads > 200);
    assert_true(filo_gfx2d_stats(gfx).draws <= 10);
    filo_ui_destroy(ui);
    filo_gfx2d_destroy(gfx);
    filo_world_destroy(world);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    filo_gpu_destroy(gpu);
}

static void show_framed(void) {
    filo_ui_begin_panel(ui, "frames", &(FiloUiPanel){ .flags = FILO_UI_NO_BACKGROUND, .size = { 300, 0 } });
    filo_ui_begin_framed(ui, &(FiloUiImage){ .image = filo_name("tiles"), .slice = { 4, 4, 4, 4 } },
                         40); // no part: all of it
    filo_ui_label(ui, "x");
    filo_ui_end(ui);
    filo_ui_image(ui, &(FiloUiImage){ .image = filo_name("tiles") }); // in its own size
    mark(0);
    filo_ui_end(ui);
}

static bool is_color(FiloPixels *pixels, FiloVec2 at, FiloColor wanted) {
    FiloColor there = *filo_pixels_at(pixels, (int)at.x, (int)at.y);
    return there.r == wanted.r && there.g == wanted.g && there.b == wanted.b;
}

FILO_TEST(the_corners_of_a_nine_slice_image_keep_their_size) {
    create_stage(1);
    FiloPixels tiles;
    assert_true(filo_pixels_create(&tiles, 12, 12, NULL));
    for (int i = 0; i < 144; i++) {
        bool x = i % 12 < 4 || i % 12 >= 8, y = i / 12 < 4 || i / 12 >= 8;
        *filo_pixels_at(&tiles, i % 12, i / 12) = x && y   ? FILO_COLOR_RED
                                                  : x || y ? FILO_COLOR_GREEN
                                                           : FILO_COLOR_BLUE;
    }
    assert_ok(filo_gfx2d_add_image(gfx, filo_name("tiles"), &tiles));
    filo_pixels_free(&tiles, NULL);
    show = show_framed;
    FiloPixels pixels = draw_frame(1);
    FiloRect image = marks[0];
    assert_float_equal(filo_rect_size(image).x, 12, 0);
    assert_float_equal(filo_rect_size(image).y, 12, 0);
    // The frame is above the image, in the upper left corner of the panel, whose padding is the same on all sides.
    const FiloVec2 low = filo_vec2(image.min.x, image.min.x);
    assert_true(is_color(&pixels, filo_vec2(low.x + 2, low.y + 2), FILO_COLOR_RED));
    assert_true(is_color(&pixels, filo_vec2(low.x + 5, low.y + 2), FILO_COLOR_GREEN));
    assert_true(is_color(&pixels, filo_vec2(low.x + 2, low.y + 5), FILO_COLOR_GREEN));
    assert_true(is_color(&pixels, filo_vec2(low.x + 5, low.y + 5), FILO_COLOR_BLUE));
    assert_true(is_color(&pixels, filo_vec2(low.x + 200, low.y + 5), FILO_COLOR_BLUE));
    destroy_stage();
}

// ---- Details --------------------------------------------------------------------------------------------------------

static void window_alone(void) {
    filo_ui_begin_window(ui, "Alone", &(FiloUiWindow){ .position = { 100, 100 }, .size = { 300, 200 } });
    filo_ui_end(ui);
}

FILO_TEST(a_translucent_window_does_not_show_its_shadow) {
    create_stage(1);
    show = window_alone;
    FiloPixels pictures[2];
    for (int i = 0; i < 2; i++) {
        FiloUiTheme theme = *filo_ui_theme_dark();
        theme.window.a = 90;
        if (i == 1) theme.shadow_size = 0;
        filo_ui_set_theme(ui, &theme);
        FiloPixels drawn = draw_frame(1);
        assert_true(filo_pixels_create(&pictures[i], drawn.width, drawn.height, NULL));
        for (int y = 0; y < drawn.height; y++)
            memcpy(filo_pixels_at(&pictures[i], 0, y), filo_pixels_at(&drawn, 0, y),
                   (size_t)drawn.width * sizeof(FiloColor));
    }
    for (int y = 100; y < 300; y++)
        for (int x = 100; x < 400; x++)
            assert_memory_equal(filo_pixels_at(&pictures[0], x, y), filo_pixels_at(&pictures[1], x, y),
                                sizeof(FiloColor));
    assert_memory_not_equal(filo_pixels_at(&pictures[0], 250, 304), filo_pixels_at(&pictures[1], 250, 304),
                            sizeof(FiloColor)); // there is one
    for (int i = 0; i < 2; i++) filo_pixels_free(&pictures[i], NULL);
    destroy_stage();
}

static void centred_lines(void) {
    filo_ui_begin_window(
        ui, "##lines",
        &(FiloUiWindow){ .position = { 0, 0 }, .size = { 300, 200 }, .flags = FILO_UI_NO_TITLE });
    filo_ui_size(ui, &(FiloUiSize){ .align = FILO_UI_ALIGN_CENTRE });
    filo_ui_text(ui, FILO_UI_TEXT_NORMAL, "nnnnnnnnnn nnnnnnnnnn nnnnnnnnnn nn");
    filo_ui_end(ui);
}

// The middle of the letters in rows of 16 pixels from `top` on; 0: there are none.
static int middle_of(const FiloPixels *pixels, int top) {
    int first = pixels->width, last = 0;
    for (int y = top; y < top + 16; y++)
        for (int x = 0; x < pixels->width; x++)
            if (filo_pixels_at(pixels, x, y)->g > 150) first = FILO_MIN(first, x), last = FILO_MAX(last, x);
    return last > 0 ? (first + last) / 2 : 0;
}

FILO_TEST(several_lines_of_a_text_are_centred_one_by_one) {
    create_stage(1);
    show = centred_lines;
    FiloPixels pixels = draw_frame(1);
    int top = 0;
    while (middle_of(&pixels, top) == 0 && top < 400) top++;
    top += 15; // the first row of letters
    int upper = middle_of(&pixels, top), lower = middle_of(&pixels, top + 16);
    assert_true(upper > 0 && lower >= upper - 2 && lower <= upper + 2);
    destroy_stage();
}
