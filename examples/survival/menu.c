// The pages of Survival, and what the player decides there.

#include "menu.h"

#include "shared/theme.h"

#include <stdio.h>

#define FADE 0.35f // seconds until a page is there

// ---- Look -------------------------------------------------------------------------------------------------------

// Dough, chocolate and the dark.
static void set_theme(FiloApp *app) {
    FiloUiTheme theme = *filo_ui_theme_dark();
    theme.text = filo_color_from_hex(0xF3E6D2FF);
    theme.text_muted = filo_color_from_hex(0xB3A38DFF);
    theme.text_disabled = filo_color_from_hex(0x7A6E60FF);
    theme.window = filo_color_from_hex(0x17120FFA);
    theme.panel = filo_color_from_hex(0x100C0AFF);
    theme.popup = filo_color_from_hex(0x221A15FF);
    theme.border = filo_color_from_hex(0x4A3A2CFF);
    theme.separator = filo_color_from_hex(0x35291FFF);
    theme.control = filo_color_from_hex(0x33281FFF);
    theme.control_hover = filo_color_from_hex(0x473829FF);
    theme.control_active = filo_color_from_hex(0x261D16FF);
    theme.field = filo_color_from_hex(0x0E0B09FF);
    theme.accent = filo_color_from_hex(0xD79C56FF);
    theme.accent_hover = filo_color_from_hex(0xE8B878FF);
    theme.accent_active = filo_color_from_hex(0xB87838FF);
    theme.on_accent = filo_color_from_hex(0x2A1608FF);
    theme.selection = filo_color_from_hex(0x6B4A26FF);
    theme.hover = filo_color_from_hex(0x3A2D21FF);
    theme.focus = filo_color_from_hex(0xFFE0A8FF);
    theme.radius = 7;
    theme.heading_size = 30;
    theme_set(app, &theme);
}

// ---- Opening and closing ------------------------------------------------------------------------------------

static void open_page(Menu *menu, FiloApp *app, Page page) {
    menu->page = page;
    menu->age = 0;
    if (menu->live) filo_app_pause(app, page != PAGE_NONE);
}

static void open_settings(Menu *menu, FiloApp *app) {
    menu->back = menu->page;
    open_page(menu, app, PAGE_SETTINGS);
}

static void begin_again(Menu *menu, FiloApp *app) {
    filo_app_send(app, filo_name(SURVIVAL_RESTART), NULL, NULL);
    menu->begun = false;
    menu->restarts = true;
    open_page(menu, app, PAGE_NONE);
}

FiloResult menu_begin(Menu *menu, FiloApp *app, Page page) {
    menu->back = PAGE_TITLE;
    if (menu->live || page != PAGE_NONE) {
        FiloResult r = survival_add_walking(filo_app_actions(app));
        if (r.code != FILO_OK) return r;
        set_theme(app);
        settings_begin(&menu->settings, app);
    }
    // A recording has the key that opened the menu, and goes on after it.
    filo_app_handle_escape(app, menu->live || filo_app_args(app)->replay != NULL);
    open_page(menu, app, page);
    return filo_ok();
}

void menu_frame(Menu *menu, FiloApp *app, const Game *game) {
    int64_t now = filo_time_ns();
    float seconds = menu->last != 0 ? filo_min((float)((double)(now - menu->last) / 1e9), 0.1f) : 0;
    menu->last = now;
    menu->time += seconds;
    menu->age += seconds;
    if (filo_app_args(app)->headless) menu->time = 8, menu->age = FADE; // pictures do not depend on the clock
    if (!menu->live) return;
    settings_frame(&menu->settings, app);
    const FiloInput *input = filo_app_input(app);
    bool wanted = filo_input_pressed(input, FILO_KEY_ESCAPE) || filo_input_pressed(input, FILO_PAD_START);
    if (!game->over) menu->restarts = false;
    if (menu->page == PAGE_NONE && game->over && !menu->restarts) {
        open_page(menu, app, PAGE_OVER);
    } else if (menu->page == PAGE_NONE && wanted) {
        open_page(menu, app, PAGE_PAUSE);
        settings_click(app);
    } else if (menu->page == PAGE_NONE && filo_action_pressed(input, filo_name(SURVIVAL_RESTART))) {
        begin_again(menu, app);
    }
}

// ---- Parts of pages -----------------------------------------------------------------------------------------------

// Pages glide into their place.
static float glide(const Menu *menu) {
    float rest = 1 - filo_clamp01(menu->age / FADE);
    return rest * rest * rest;
}

static bool entry(FiloUi *ui, const char *label, bool primary) {
    filo_ui_size(ui, &(FiloUiSize){ .width = 300 });
    return filo_ui_button_with(ui, label, &(FiloUiButton){ .primary = primary });
}

static void push_menu_style(FiloUi *ui) {
    filo_ui_push_style(ui, &(FiloUiStyle){ .control_height = 48, .text_size = 20, .padding = 32, .gap = 12 });
}

// ---- Pages --------------------------------------------------------------------------------------------------------

static void show_title(Menu *menu, FiloApp *app, FiloUi *ui) {
    float unit = filo_ui_screen(ui).y / 720; // as in title_draw
    const FiloUiPanel panel = { .offset = { 74 * unit - 40 * glide(menu), 232 * unit },
                                .size = { 400, 0 },
                                .flags = FILO_UI_NO_BACKGROUND | FILO_UI_MENU };
    if (filo_ui_begin_panel(ui, "title", &panel)) {
        // Room for the ring around the focused button.
        filo_ui_begin_box(ui, &(FiloUiBox){ .padding = 6 });
        filo_ui_label(ui, "A cookie in the dark, and a hundred thousand enemies that want it.");
        filo_ui_spacer(ui, 20);
        if (entry(ui, "Play", true) && menu->begun)
            begin_again(menu, app);
        else if (filo_ui_clicked(ui))
            open_page(menu, app, PAGE_NONE);
        if (entry(ui, "Settings", false)) open_settings(menu, app);
        if (entry(ui, "Quit", false)) filo_app_quit(app);
        filo_ui_spacer(ui, 12);
        filo_ui_text(ui, FILO_UI_TEXT_SMALL, "Walk with WASD or a stick. Attacks fire by themselves.");
        filo_ui_end(ui);
    }
    filo_ui_end(ui);
}

static void show_pause(Menu *menu, FiloApp *app, FiloUi *ui) {
    const FiloUiPanel panel = { .anchor = { 0.5f, 0.5f },
                                .offset = { 0, 30 * glide(menu) },
                                .flags = FILO_UI_MENU };
    if (filo_ui_begin_panel(ui, "pause", &panel)) {
        page_text(ui, FILO_UI_TEXT_HEADING, "Paused");
        filo_ui_spacer(ui, 8);
        if (entry(ui, "Continue", true) || filo_ui_cancelled(ui)) open_page(menu, app, PAGE_NONE);
        if (entry(ui, "Settings", false)) open_settings(menu, app);
        if (entry(ui, "Begin again", false)) begin_again(menu, app);
        if (entry(ui, "Leave to title", false)) {
            menu->begun = true;
            open_page(menu, app, PAGE_TITLE);
        }
    }
    filo_ui_end(ui);
}

static void show_over(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game) {
    const FiloUiPanel panel = { .anchor = { 0.5f, 0.5f },
                                .offset = { 0, 30 * glide(menu) },
                                .flags = FILO_UI_MENU };
    if (filo_ui_begin_panel(ui, "over", &panel)) {
        page_text(ui, FILO_UI_TEXT_HEADING, "Eaten!");
        char text[64];
        snprintf(text, sizeof text, "%llu hit in %d:%02d", (unsigned long long)game->score,
                 (int)game->time / 60, (int)game->time % 60);
        page_text(ui, FILO_UI_TEXT_NORMAL, text);
        snprintf(text, sizeof text, "best %llu", (unsigned long long)game->best);
        page_text(ui, FILO_UI_TEXT_MUTED, game->score >= game->best ? "the best so far" : text);
        filo_ui_spacer(ui, 8);
        if (entry(ui, "Again", true)) begin_again(menu, app);
        if (entry(ui, "Leave to title", false)) {
            menu->begun = true;
            open_page(menu, app, PAGE_TITLE);
        }
    }
    filo_ui_end(ui);
}

void menu_show(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game) {
    const Page page = menu->page;
    if (page == PAGE_NONE) return;
    if (page == PAGE_SETTINGS) {
        if (!settings_show(&menu->settings, app, ui)) open_page(menu, app, menu->back);
    } else {
        push_menu_style(ui);
        if (page == PAGE_TITLE) show_title(menu, app, ui);
        if (page == PAGE_PAUSE) show_pause(menu, app, ui);
        if (page == PAGE_OVER) show_over(menu, app, ui, game);
        filo_ui_pop_style(ui);
    }
    if (menu->page != page) settings_click(app);
}

// ---- Behind the page ------------------------------------------------------------------------------------------------

bool menu_hides_game(const Menu *menu) {
    return menu->page == PAGE_TITLE || (menu->page == PAGE_SETTINGS && menu->back == PAGE_TITLE);
}

void menu_draw(const Menu *menu, FiloDraw *draw) {
    if (menu->page == PAGE_NONE) return;
    float there = filo_clamp01(menu->age / FADE);
    if (menu_hides_game(menu)) title_draw(draw, menu->time, menu->page == PAGE_TITLE ? there : 1);
    if (menu->page == PAGE_TITLE) return;
    FiloRect all = filo_rect(filo_vec2(0, 0), filo_draw_size(draw));
    filo_draw_on_screen(draw);
    filo_draw_box(draw, all, filo_color_fade(filo_color_from_hex(0x0A0705FF), 0.66f * there));
}
