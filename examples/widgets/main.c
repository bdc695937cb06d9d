// widgets: all widgets of filo/ui.h.
//
// Shows windows that are docked and floating, forms that size themselves, a table of a hundred thousand rows, plots, a
// colour picker, drag and drop, menus, and the menu of a game, which keys and a gamepad use. The page "More" is in more.c.
//
// Try: drag a window by its title to an edge of the screen; drag it away again; press Tab; open "View" and choose the
// light theme; type into the fields; sort the table; drop a colour on another; open the menu of the game and leave it
// by Escape.

#include "more.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- State ----------------------------------------------------------------------------------------------------

#define SAMPLES 1000000
#define ROWS    100000

typedef struct Page {
    float wind, rate;
    int clouds, mode, quality, season, tab, sort, segment;
    bool rain, fog, forecast, light, show_table, show_plots, show_game, ask;
    double mass, seeds;
    int64_t id;
    FiloVec3 position;
    FiloVec4 colors[6];
    char name[64], notes[512], search[64], password[32];
    size_t selected;
    int order[ROWS]; // of the table
    int fruit;
    float volume;
    int zoom;
} Page;

static Page page = {
    .wind = 12.5f,
    .rate = 0.42f,
    .clouds = 5,
    .mode = 1,
    .quality = 2,
    .season = 2,
    .rain = true,
    .forecast = true,
    .show_table = true,
    .show_plots = true,
    .mass = 72.5,
    .seeds = 4000,
    .id = 9007199254740993,
    .position = { 1.5f, 0, -3.25f },
    .colors = { { 0.91f, 0.33f, 0.31f, 1 },
                { 0.95f, 0.62f, 0.22f, 1 },
                { 0.96f, 0.85f, 0.35f, 1 },
                { 0.36f, 0.74f, 0.46f, 1 },
                { 0.27f, 0.55f, 0.91f, 1 },
                { 0.58f, 0.41f, 0.83f, 0.6f } },
    .name = "Tavern",
    .notes = "Several lines of text, which wrap where they are too long for the area.\nCtrl moves by words, "
             "Shift selects,\nCtrl Z and Y undo and redo.",
    .selected = 3,
    .zoom = 1,
    .volume = 0.8f,
};
static float samples[SAMPLES], frames[120];

static void make_samples(void) {
    for (size_t i = 0; i < SAMPLES; i++) {
        float t = (float)i / SAMPLES;
        uint64_t noise = filo_hash_u64(i);
        samples[i] = filo_sin(t * 40) * (0.3f + t) + ((float)(noise >> 40) / 16777216.0f - 0.5f) * 0.4f;
    }
    for (size_t i = 0; i < FILO_COUNT_OF(frames); i++)
        frames[i] = 12 + 3 * filo_sin((float)i * 0.2f) + (float)(filo_hash_u64(i) % 100) * 0.03f +
                    (i % 37 == 0 ? 9.0f : 0);
    for (int i = 0; i < ROWS; i++) page.order[i] = i;
}

// ---- Windows ----------------------------------------------------------------------------------------------------

static const char *const qualities[] = { "Low", "Medium", "High", "Ultra" };
static const char *const seasons[] = { "Spring", "Summer", "Autumn", "Winter" };

static void show_menu_bar(FiloApp *app, FiloUi *ui) {
    if (filo_ui_begin_menu_bar(ui)) {
        if (filo_ui_begin_menu(ui, "File")) {
            filo_ui_menu_item(ui, "New", "Ctrl N");
            filo_ui_menu_item(ui, "Open…", "Ctrl O");
            if (filo_ui_begin_menu(ui, "Recent")) {
                filo_ui_menu_item(ui, "forest.json", NULL);
                filo_ui_menu_item(ui, "harbour.json", NULL);
            }
            filo_ui_end(ui);
            filo_ui_separator(ui);
            if (filo_ui_menu_item(ui, "Quit", "Esc")) filo_app_quit(app);
        }
        filo_ui_end(ui);
        if (filo_ui_begin_menu(ui, "View")) {
            filo_ui_menu_check(ui, "Light theme", &page.light);
            filo_ui_menu_check(ui, "Table", &page.show_table);
            filo_ui_menu_check(ui, "Plots", &page.show_plots);
            filo_ui_menu_check(ui, "Menu of a game", &page.show_game);
            filo_ui_separator(ui);
            for (int i = 1; i <= 3; i++) {
                char label[16];
                bool chosen = page.zoom == i;
                snprintf(label, sizeof label, "%d00 %%", i);
                if (filo_ui_menu_check(ui, label, &chosen)) page.zoom = i;
            }
        }
        filo_ui_end(ui);
        filo_ui_spacer(ui, 0);
        filo_ui_text(ui, FILO_UI_TEXT_SMALL, "Tab, arrows and Enter work everywhere");
    }
    filo_ui_end(ui);
}

static void show_basics(FiloUi *ui) {
    filo_ui_label(ui,
                  "A form sizes itself. Text wraps to the width that it gets, and labels share a column.");
    filo_ui_slider(ui, "Wind", &page.wind, 0, 30);
    filo_ui_slider_int(ui, "Clouds", &page.clouds, 0, 8);
    filo_ui_slider_number(ui, "Seeds", &page.seeds,
                          &(FiloUiNumber){ .min = 10, .max = 1e6, .logarithmic = true, .decimals = -1 });
    filo_ui_drag(ui, "Rate", &page.rate, 0.005f, 0, 1);
    filo_ui_number(ui, "Mass", &page.mass,
                   &(FiloUiNumber){ .min = 0, .max = 500, .step = 0.5, .unit = "kg" });
    filo_ui_integer(ui, "Id", &page.id, 0, 0);
    filo_ui_vec3(ui, "Position", &page.position, &(FiloUiNumber){ .speed = 0.05, .decimals = 2 });
    filo_ui_choice(ui, "Quality", &page.quality, qualities, 4);
    filo_ui_segments(ui, "##season", &page.season, seasons, 4);
    filo_ui_begin_row(ui);
    filo_ui_check(ui, "Rain", &page.rain);
    filo_ui_check(ui, "Fog", &page.fog);
    filo_ui_spacer(ui, 0);
    filo_ui_radio(ui, "Calm", &page.mode, 0);
    filo_ui_radio(ui, "Storm", &page.mode, 1);
    filo_ui_end(ui);
    filo_ui_switch(ui, "Forecast", &page.forecast);
    filo_ui_push_disabled(ui, !page.forecast);
    filo_ui_progress(ui, "Loaded", 0.64f, NULL);
    filo_ui_pop_disabled(ui);
    filo_ui_separator(ui);
    filo_ui_begin_row(ui);
    if (filo_ui_icon_button(ui, FILO_UI_ICON_INFO, "About")) page.ask = true;
    filo_ui_icon_button(ui, FILO_UI_ICON_GEAR, "Settings");
    filo_ui_spacer(ui, 0);
    filo_ui_button(ui, "Cancel");
    if (filo_ui_primary_button(ui, "Apply")) page.ask = true;
    filo_ui_end(ui);
}

static void show_text(FiloUi *ui) {
    filo_ui_text_field(ui, "Name", page.name, sizeof page.name,
                       &(FiloUiTextOptions){ .placeholder = "of the place" });
    filo_ui_text_field(ui, "Search", page.search, sizeof page.search,
                       &(FiloUiTextOptions){ .placeholder = "anything", .icon = FILO_UI_ICON_SEARCH });
    filo_ui_text_field(ui, "Password", page.password, sizeof page.password,
                       &(FiloUiTextOptions){ .password = true });
    filo_ui_text(ui, FILO_UI_TEXT_MUTED, "Notes");
    filo_ui_text_area(ui, "##notes", page.notes, sizeof page.notes, 110, NULL);
    filo_ui_begin_group(ui, "Kinds of text");
    filo_ui_text(ui, FILO_UI_TEXT_HEADING, "Heading");
    filo_ui_text(ui, FILO_UI_TEXT_GOOD, "Everything is saved.");
    filo_ui_text(ui, FILO_UI_TEXT_WARNING, "The wind is strong today.");
    filo_ui_text(ui, FILO_UI_TEXT_ERROR, "The bridge is closed.");
    if (filo_ui_link(ui, "Read more")) page.ask = true;
    filo_ui_end(ui);
}

static void show_colors(FiloUi *ui) {
    filo_ui_label(ui, "Drop a colour on another one.");
    for (int i = 0; i < 6; i++) {
        char label[16];
        snprintf(label, sizeof label, "Colour %d", i + 1);
        filo_ui_color(ui, label, &page.colors[i]);
        if (filo_ui_begin_drag(ui, "colour", &page.colors[i], sizeof page.colors[i]))
            filo_ui_label(ui, label);
        filo_ui_end(ui);
        FiloVec4 dropped;
        if (filo_ui_drop(ui, "colour", &dropped, sizeof dropped)) page.colors[i] = dropped;
    }
    static const char *const fruits[] = { "Apple",  "Pear", "Plum", "Quince", "Cherry",
                                          "Medlar", "Sloe", "Fig",  "Date" };
    filo_ui_list(ui, "A list", &page.fruit, fruits, FILO_COUNT_OF(fruits), 130);
    if (filo_ui_begin_section(ui, "Trees")) {
        if (filo_ui_begin_tree(ui, "Forest",
                               &(FiloUiTree){ .open = true, .icon = FILO_UI_ICON_FOLDER, .detail = "3" })) {
            filo_ui_begin_tree(ui, "Oak",
                               &(FiloUiTree){ .leaf = true, .icon = FILO_UI_ICON_FILE, .selected = true });
            filo_ui_end(ui);
            filo_ui_begin_tree(ui, "Birch", &(FiloUiTree){ .leaf = true, .icon = FILO_UI_ICON_FILE });
            filo_ui_end(ui);
            filo_ui_begin_tree(ui, "Pines", &(FiloUiTree){ .icon = FILO_UI_ICON_FOLDER, .detail = "12" });
            filo_ui_end(ui);
        }
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_size(const void *a, const void *b) {
    uint64_t x = filo_hash_u64((uint64_t) * (const int *)a) % 100000,
             y = filo_hash_u64((uint64_t) * (const int *)b) % 100000;
    return x < y ? -1 : x > y ? 1 : by_number(a, b);
}

static void sort_rows(void) {
    static int sorted;
    if (sorted == page.sort) return;
    sorted = page.sort;
    int column = page.sort < 0 ? -1 - page.sort : page.sort;
    qsort(page.order, ROWS, sizeof page.order[0], column == 2 ? by_size : by_number);
    for (int i = 0; page.sort < 0 && i < ROWS / 2; i++) {
        int other = page.order[i];
        page.order[i] = page.order[ROWS - 1 - i];
        page.order[ROWS - 1 - i] = other;
    }
}

static void show_table(FiloUi *ui) {
    static const char *const names[] = { "oak", "birch", "pine", "maple", "willow", "ash", "elm" };
    static const FiloUiColumn columns[] = { { .title = "Number", .width = 84, .right = true },
                                            { .title = "Name" },
                                            { .title = "Size", .width = 90, .right = true },
                                            { .title = "State", .width = 110 } };
    FiloUiTable table = { .columns = columns,
                          .column_count = 4,
                          .row_count = ROWS,
                          .sort = &page.sort,
                          .selected = &page.selected,
                          .stripes = true };
    sort_rows();
    if (filo_ui_begin_table(ui, "objects", &table))
        for (size_t row; filo_ui_table_row(ui, &row);) {
            int object = page.order[row];
            uint64_t hash = filo_hash_u64((uint64_t)object);
            filo_ui_format(ui, "%d", object);
            filo_ui_format(ui, "%s %llu", names[hash % 7], (unsigned long long)(hash >> 8) % 900 + 100);
            filo_ui_format(ui, "%llu", (unsigned long long)hash % 100000);
            filo_ui_text(ui, hash % 5 == 0 ? FILO_UI_TEXT_WARNING : FILO_UI_TEXT_MUTED,
                         hash % 5 == 0 ? "growing" : "ready");
        }
    filo_ui_end(ui);
}

static void show_plots(FiloUi *ui) {
    filo_ui_plot(ui, "Frames, in milliseconds",
                 &(FiloUiPlot){ .kind = FILO_UI_PLOT_BARS,
                                .values = frames,
                                .count = FILO_COUNT_OF(frames),
                                .max = 30,
                                .min = 0,
                                .mark = 16.7f,
                                .unit = "ms",
                                .height = 70 });
    filo_ui_plot(ui, "A million values", &(FiloUiPlot){ .values = samples, .count = SAMPLES, .height = 90 });
    filo_ui_plot(ui, "Their histogram",
                 &(FiloUiPlot){ .kind = FILO_UI_PLOT_HISTOGRAM,
                                .values = samples,
                                .count = SAMPLES,
                                .height = 70,
                                .bins = 48,
                                .color = { 120, 190, 130, 255 } });
}

static void show_question(FiloUi *ui) {
    if (filo_ui_begin_modal(ui, "Apply the changes?", &page.ask)) {
        filo_ui_label(ui, "Nothing behind this can be used until you choose. Escape closes it.");
        filo_ui_begin_row(ui);
        filo_ui_spacer(ui, 0);
        if (filo_ui_button(ui, "Cancel")) page.ask = false;
        if (filo_ui_primary_button(ui, "Apply")) page.ask = false;
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
}

// The same widgets with another style are the menu of a game.
static void show_game_menu(FiloUi *ui) {
    filo_ui_push_style(ui, &(FiloUiStyle){ .text_size = 20,
                                           .control_height = 44,
                                           .radius = 10,
                                           .gap = 12,
                                           .padding = 28,
                                           .accent = { 226, 130, 52, 255 } });
    if (filo_ui_begin_panel(
            ui, "game menu",
            &(FiloUiPanel){ .anchor = { 0.5f, 0.5f }, .size = { 340, 0 }, .flags = FILO_UI_MENU })) {
        filo_ui_size(ui, &(FiloUiSize){ .align = FILO_UI_ALIGN_CENTRE });
        filo_ui_text(ui, FILO_UI_TEXT_HEADING, "The Long Night");
        if (filo_ui_primary_button(ui, "Continue")) page.show_game = false;
        filo_ui_button(ui, "New game");
        filo_ui_slider(ui, "Volume", &page.volume, 0, 1);
        if (filo_ui_button(ui, "Leave")) page.show_game = false;
        if (filo_ui_cancelled(ui)) page.show_game = false;
    }
    filo_ui_end(ui);
    filo_ui_pop_style(ui);
}

// ---- The app ------------------------------------------------------------------------------------------------------

static void ui(FiloApp *app, FiloUi *ui) {
    filo_ui_set_scale(ui, (float)page.zoom);
    filo_ui_set_theme(ui, page.light ? filo_ui_theme_light() : filo_ui_theme_dark());
    show_menu_bar(app, ui);
    if (filo_ui_begin_window(ui, "Properties", &(FiloUiWindow){ .dock = FILO_UI_LEFT, .size = { 400, 0 } })) {
        filo_ui_begin_tabs(ui, "pages", &page.tab);
        if (filo_ui_begin_tab(ui, "Basics")) show_basics(ui);
        filo_ui_end(ui);
        if (filo_ui_begin_tab(ui, "Text")) show_text(ui);
        filo_ui_end(ui);
        if (filo_ui_begin_tab(ui, "Lists")) show_colors(ui);
        filo_ui_end(ui);
        if (filo_ui_begin_tab(ui, "More")) more_show(ui);
        filo_ui_end(ui);
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
    if (filo_ui_begin_window(
            ui, "Objects",
            &(FiloUiWindow){ .position = { 420, 60 }, .size = { 460, 340 }, .open = &page.show_table }))
        show_table(ui);
    filo_ui_end(ui);
    if (filo_ui_begin_window(
            ui, "Plots",
            &(FiloUiWindow){ .position = { 900, 90 }, .size = { 350, 0 }, .open = &page.show_plots }))
        show_plots(ui);
    filo_ui_end(ui);
    show_question(ui);
    if (page.show_game) show_game_menu(ui);
}

// Letters of a font of this machine, if there is one that we know; otherwise the built-in ones.
static FiloResult use_installed_font(FiloTypesetter *setter) {
    static const char *const files[][2] = { { "NotoSans-Regular.ttf", "NotoSans-Bold.ttf" },
                                            { "DejaVuSans.ttf", "DejaVuSans-Bold.ttf" } };
    for (size_t i = 0; i < FILO_COUNT_OF(files); i++) {
        char regular[FILO_PATH_SIZE], bold[FILO_PATH_SIZE];
        FiloResult r = filo_font_find(regular, sizeof regular, files[i][0]);
        if (r.code == FILO_OK) r = filo_font_find(bold, sizeof bold, files[i][1]);
        if (r.code == FILO_ERROR_NOT_FOUND) continue;
        if (r.code == FILO_OK) r = filo_text_load_font(setter, "regular", regular);
        if (r.code == FILO_OK) r = filo_text_load_font(setter, "bold", bold);
        FiloFontFamily family = { .name = "sans", .regular = "regular", .bold = "bold" };
        if (r.code == FILO_OK) r = filo_text_add_family(setter, &family);
        if (r.code == FILO_OK) filo_text_set_default_font(setter, filo_name("sans"));
        return r;
    }
    return filo_ok();
}

static FiloResult load(FiloApp *app) {
    return more_load(filo_app_assets(app)) ? filo_ok()
                                           : filo_error(FILO_ERROR_MEMORY, "no memory for pictures");
}

static FiloResult create(FiloApp *app) {
    make_samples();
    return use_installed_font(filo_app_typesetter(app));
}

int main(int argc, char **argv) {
    FiloFlag flags[] = { { "page", "which page of the properties is shown first, 0 to 3",
                           .integer = &page.tab },
                         { "scale", "how large everything is, 1 to 3", .integer = &page.zoom },
                         { "light", "the light theme", .on = &page.light },
                         { "menu", "shows the menu of a game", .on = &page.show_game } };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "widgets",
                                    .summary = "all widgets of the UI",
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .load = load,
                                    .create = create,
                                    .ui = ui,
                                    .background = { 70, 84, 100, 255 } });
}
