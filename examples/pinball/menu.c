// The pages of Pinball, what the player decides there, and the list of scores.

#include "menu.h"

#include "shared/theme.h"
#include "shared/user_file.h"

#include <stdio.h>

#define SCORES_FILE "scores.json"

FILO_REFLECT(Scores, FILO_FIELD(uint64_t, best))

// ---- Look -------------------------------------------------------------------------------------------------------

// Neon on a dark table.
static void set_theme(FiloApp *app) {
    FiloUiTheme theme = *filo_ui_theme_dark();
    theme.text = filo_color_from_hex(0xEDE7FFFF);
    theme.text_muted = filo_color_from_hex(0xA99FD0FF);
    theme.text_disabled = filo_color_from_hex(0x6B6290FF);
    theme.window = filo_color_from_hex(0x140B30F2);
    theme.panel = filo_color_from_hex(0x0E0824FF);
    theme.popup = filo_color_from_hex(0x1E1244FF);
    theme.border = filo_color_from_hex(0x5A3AA8FF);
    theme.separator = filo_color_from_hex(0x3A2670FF);
    theme.control = filo_color_from_hex(0x2C1B5EFF);
    theme.control_hover = filo_color_from_hex(0x3D2780FF);
    theme.control_active = filo_color_from_hex(0x22144CFF);
    theme.field = filo_color_from_hex(0x0A0618FF);
    theme.accent = filo_color_from_hex(0xE03A86FF);
    theme.accent_hover = filo_color_from_hex(0xFF5AA4FF);
    theme.accent_active = filo_color_from_hex(0xB02A68FF);
    theme.on_accent = filo_color_from_hex(0xFFFFFFFF);
    theme.selection = filo_color_from_hex(0x5A2A86FF);
    theme.hover = filo_color_from_hex(0x33206CFF);
    theme.focus = filo_color_from_hex(0x5AD8FFFF);
    theme.radius = 9;
    theme.heading_size = 30;
    theme_set(app, &theme);
}

// ---- Scores -------------------------------------------------------------------------------------------------------

static void count_score(Menu *menu, const FiloApp *app, uint64_t score) {
    uint64_t *best = menu->scores.best;
    int rank = 0;
    while (rank < PINBALL_SCORES && best[rank] >= score) rank++;
    menu->rank = score > 0 ? rank : PINBALL_SCORES;
    menu->counted = true;
    if (menu->rank == PINBALL_SCORES) return;
    for (int i = PINBALL_SCORES - 1; i > rank; i--) best[i] = best[i - 1];
    best[rank] = score;
    if (settings_have_files(&menu->settings, app))
        user_file_write(app, SCORES_FILE, FILO_TYPE(Scores), &menu->scores);
}

// A file may have anything in it: the list is in order.
static void read_scores(Menu *menu, const FiloApp *app) {
    if (settings_have_files(&menu->settings, app))
        user_file_read(app, SCORES_FILE, FILO_TYPE(Scores), &menu->scores);
    for (int i = 1; i < PINBALL_SCORES; i++)
        menu->scores.best[i] = FILO_MIN(menu->scores.best[i], menu->scores.best[i - 1]);
}

// ---- Opening and closing --------------------------------------------------------------------------------------------

bool menu_has_demo(const Menu *menu) {
    return menu->page == PAGE_TITLE || (menu->page == PAGE_SETTINGS && menu->back == PAGE_TITLE);
}

// The bot plays on behind the title; other pages pause the game.
static void open_page(Menu *menu, FiloApp *app, Page page) {
    if (page == PAGE_SETTINGS) menu->back = menu->page;
    menu->page = page;
    if (menu->live) filo_app_pause(app, page != PAGE_NONE && !menu_has_demo(menu));
}

static void begin_again(Menu *menu, FiloApp *app) {
    filo_app_send(app, filo_name(PINBALL_BEGIN), NULL, NULL);
    menu->counted = true; // until the message arrives, the end that is seen is the old one
    open_page(menu, app, PAGE_NONE);
}

void menu_begin(Menu *menu, FiloApp *app, Page page) {
    menu->back = PAGE_TITLE;
    menu->rank = PINBALL_SCORES;
    if (menu->live || page != PAGE_NONE) {
        set_theme(app);
        settings_begin(&menu->settings, app);
        read_scores(menu, app);
    }
    // A recording has the key that opened the menu, and goes on after it.
    filo_app_handle_escape(app, menu->live || filo_app_args(app)->replay != NULL);
    menu->page = page == PAGE_SETTINGS ? PAGE_TITLE : page;
    open_page(menu, app, page);
}

void menu_frame(Menu *menu, FiloApp *app, const Game *game) {
    if (!menu->live) return;
    settings_frame(&menu->settings, app);
    const FiloInput *input = filo_app_input(app);
    bool wanted = filo_input_pressed(input, FILO_KEY_ESCAPE) || filo_input_pressed(input, FILO_PAD_START);
    if (!game->over) menu->counted = false;
    if (menu->page != PAGE_NONE) return;
    // The end is on the display for a moment before its page opens.
    if (game->over && !menu->counted && game->note_age > 1.5f) {
        count_score(menu, app, game->score);
        open_page(menu, app, PAGE_OVER);
    } else if (wanted) {
        open_page(menu, app, PAGE_PAUSE);
        settings_click(app);
    } else if (!game->over && filo_action_pressed(input, filo_name(PINBALL_ACTION_AGAIN))) {
        begin_again(menu, app);
    }
}

// ---- Pages ------------------------------------------------------------------------------------------------------------

static bool entry(FiloUi *ui, const char *label, bool primary) {
    filo_ui_size(ui, &(FiloUiSize){ .width = 280, .align = FILO_UI_ALIGN_CENTRE });
    return filo_ui_button_with(ui, label, &(FiloUiButton){ .primary = primary });
}

static void show_title(Menu *menu, FiloApp *app, FiloUi *ui) {
    filo_ui_push_style(ui, &(FiloUiStyle){ .text_size = 54, .text = filo_color_from_hex(0xFFD34DFF) });
    page_text(ui, FILO_UI_TEXT_NORMAL, "PINBALL");
    filo_ui_pop_style(ui);
    filo_ui_spacer(ui, 12);
    if (entry(ui, "Play", true)) begin_again(menu, app);
    if (entry(ui, "Settings", false)) open_page(menu, app, PAGE_SETTINGS);
    if (entry(ui, "Quit", false)) filo_app_quit(app);
    filo_ui_spacer(ui, 8);
    page_text(ui, FILO_UI_TEXT_SMALL, "A and D, arrows, shoulder buttons: flippers");
    page_text(ui, FILO_UI_TEXT_SMALL, "Space: plunger     W: push the table");
}

static void show_pause(Menu *menu, FiloApp *app, FiloUi *ui) {
    page_text(ui, FILO_UI_TEXT_HEADING, "Paused");
    filo_ui_spacer(ui, 8);
    if (entry(ui, "Continue", true) || filo_ui_cancelled(ui)) open_page(menu, app, PAGE_NONE);
    if (entry(ui, "Settings", false)) open_page(menu, app, PAGE_SETTINGS);
    if (entry(ui, "Begin again", false)) begin_again(menu, app);
    if (entry(ui, "Leave to title", false)) open_page(menu, app, PAGE_TITLE);
}

static void show_over(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game) {
    char text[64];
    page_text(ui, FILO_UI_TEXT_HEADING, "Game over");
    snprintf(text, sizeof text, "%llu points", (unsigned long long)game->score);
    page_text(ui, FILO_UI_TEXT_NORMAL, text);
    snprintf(text, sizeof text, "number %d of the list", menu->rank + 1);
    if (menu->rank < PINBALL_SCORES)
        page_text(ui, FILO_UI_TEXT_GOOD, menu->rank == 0 ? "the best so far" : text);
    filo_ui_spacer(ui, 8);
    if (entry(ui, "Again", true)) begin_again(menu, app);
    if (entry(ui, "Leave to title", false)) open_page(menu, app, PAGE_TITLE);
}

void menu_show(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game) {
    const Page page = menu->page;
    if (page == PAGE_NONE) return;
    if (page == PAGE_SETTINGS) {
        if (!settings_show(&menu->settings, app, ui)) open_page(menu, app, menu->back);
    } else {
        static const char *const names[] = { "", "title", "pause", "", "over" };
        // The title leaves the table free, on which the bot plays.
        FiloUiPanel panel = { .anchor = { 0.5f, 0.5f }, .size = { 400, 0 }, .flags = FILO_UI_MENU };
        if (page == PAGE_TITLE) {
            panel.anchor = filo_vec2(1, 1);
            panel.offset = filo_vec2(-20, -20);
            panel.size.x = 344;
        }
        filo_ui_push_style(ui,
                           &(FiloUiStyle){ .control_height = 46, .text_size = 19, .padding = 30, .gap = 12 });
        if (filo_ui_begin_panel(ui, names[page], &panel)) {
            if (page == PAGE_TITLE) show_title(menu, app, ui);
            if (page == PAGE_PAUSE) show_pause(menu, app, ui);
            if (page == PAGE_OVER) show_over(menu, app, ui, game);
        }
        filo_ui_end(ui);
        filo_ui_pop_style(ui);
    }
    if (menu->page != page) settings_click(app);
}
