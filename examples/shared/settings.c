// The page of settings. While it waits for a key, the page is replaced by a prompt.

#include "shared/settings.h"

#include "shared/pages.h"
#include "shared/user_file.h"

#include <stdio.h>

// The file may have been edited: what is out of range is clamped.
#define NUMBER(type, name, low, high)                                                                        \
    FILO_FIELD(type, name, .min = (low), .max = (high), .flags = FILO_FIELD_CLAMPED)
FILO_REFLECT(Settings, FILO_FIELD(bool, full_screen), FILO_FIELD(bool, vsync), FILO_FIELD(bool, numbers),
             NUMBER(int32_t, width, 320, 16384), NUMBER(int32_t, height, 200, 16384),
             NUMBER(float, zoom, 0.5, 4), NUMBER(float, volume, 0, 1), NUMBER(float, music, 0, 1),
             NUMBER(float, effects, 0, 1))

enum { COLUMN_KEY, COLUMN_PAD, COLUMNS };

static const float sizes[] = { 0.75f, 1, 1.25f, 1.5f, 2 }; // of the window, times that at first
static const float zooms[] = { 0.75f, 1, 1.25f, 1.5f };

// ---- Files ------------------------------------------------------------------------------------------------

bool settings_have_files(const Settings *settings, const FiloApp *app) {
    return settings->always || !filo_app_args(app)->headless;
}

static void save(const Settings *settings, FiloApp *app) {
    char path[FILO_PATH_SIZE];
    if (!settings_have_files(settings, app)) return;
    user_file_write(app, "settings.json", FILO_TYPE(Settings), settings);
    FiloResult r = filo_app_user_path(app, path, sizeof path, "keys.json");
    if (r.code == FILO_OK) r = filo_actions_save(filo_app_actions(app), path);
    if (r.code != FILO_OK) filo_log_warn("settings", "%s", r.message);
}

// ---- Sound ----------------------------------------------------------------------------------------------------

// The same in all games, so it is not one of their files.
#define CLICK "settings/click.synth"
static const char click_sound[] =
    "{ \"gain\": -24, \"layers\": ["
    "{ \"wave\": \"sine\", \"frequency\": 1500, \"slide\": [[0, 0], [0.03, -7]],"
    "  \"attack\": 0.001, \"decay\": 0.04, \"sustain\": 0, \"seconds\": 0.04, \"release\": 0.01 },"
    "{ \"wave\": \"noise\", \"gain\": -12, \"high_pass\": 2500,"
    "  \"decay\": 0.012, \"sustain\": 0, \"seconds\": 0.012, \"release\": 0.004 } ] }";

static void load_click(FiloApp *app) {
    if (filo_app_audio(app) == NULL) return;
    (void)filo_assets_add_bytes(filo_app_assets(app), "synth", CLICK, click_sound, sizeof click_sound - 1);
}

void settings_click(FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    if (audio == NULL) return;
    (void)filo_audio_play(
        audio, &(FiloCue){ .sound = filo_name(CLICK), .bus = filo_name("ui"), .priority = 1, .limit = 2 });
}

// What --volume said is on top of what the player chose, and is not kept.
static void apply_volume(const Settings *settings, const FiloApp *app) {
    FiloAudio *audio = filo_app_audio(app);
    if (audio == NULL) return;
    filo_audio_set_volume(audio, "master", settings->volume * settings->given);
    filo_audio_set_volume(audio, "music", settings->music);
    filo_audio_set_volume(audio, "sounds", settings->effects);
    filo_audio_set_volume(audio, "ui", settings->effects);
}

// A slider in percent. A change is heard at once, and written when the slider is released.
static bool slide_volume(Settings *settings, FiloApp *app, FiloUi *ui, const char *label, float *volume) {
    double percent = filo_round_to_int(*volume * 100);
    if (filo_ui_slider_number(ui, label, &percent,
                              &(FiloUiNumber){ .max = 100, .step = 5, .decimals = -1, .unit = "%" })) {
        *volume = (float)percent / 100;
        apply_volume(settings, app);
    }
    return filo_ui_committed(ui);
}

static bool show_sound(Settings *settings, FiloApp *app, FiloUi *ui) {
    const FiloAudio *audio = filo_app_audio(app);
    filo_ui_push_disabled(ui, audio == NULL);
    bool changed = slide_volume(settings, app, ui, "Volume", &settings->volume);
    changed |= slide_volume(settings, app, ui, "Music", &settings->music);
    changed |= slide_volume(settings, app, ui, "Effects", &settings->effects);
    filo_ui_pop_disabled(ui);
    filo_ui_spacer(ui, 4);
    char text[128] = "This game has no sound.";
    if (audio != NULL) snprintf(text, sizeof text, "Device: %s", filo_audio_device(audio));
    filo_ui_text(ui, FILO_UI_TEXT_MUTED, text);
    return changed;
}

// ---- The window ---------------------------------------------------------------------------------------------

static void apply_size(const Settings *settings, FiloWindow *window) {
    FiloIVec2 now = filo_window_size(window);
    bool other = now.x != settings->width || now.y != settings->height;
    if (other && !settings->full_screen) filo_window_set_size(window, settings->width, settings->height);
}

static void apply(const Settings *settings, FiloApp *app) {
    FiloWindow *window = filo_app_window(app);
    if (window != NULL) {
        if (filo_window_is_full_screen(window) != settings->full_screen)
            filo_window_set_full_screen(window, settings->full_screen);
        apply_size(settings, window);
        (void)filo_window_set_vsync(window, settings->vsync);
    }
    filo_ui_set_scale(filo_app_ui(app), settings->zoom);
    apply_volume(settings, app);
    filo_app_show_overlay(app, settings->numbers);
}

static void read_files(Settings *settings, FiloApp *app) {
    char path[FILO_PATH_SIZE];
    user_file_read(app, "settings.json", FILO_TYPE(Settings), settings);
    settings->width = FILO_CLAMP(settings->width, 320, 16384);
    settings->height = FILO_CLAMP(settings->height, 200, 16384);
    settings->volume = filo_clamp01(settings->volume);
    settings->music = filo_clamp01(settings->music);
    settings->effects = filo_clamp01(settings->effects);
    FiloResult r = filo_app_user_path(app, path, sizeof path, "keys.json");
    if (r.code == FILO_OK) r = filo_actions_load(filo_app_actions(app), path);
    if (r.code != FILO_OK && r.code != FILO_ERROR_NOT_FOUND) filo_log_warn("settings", "%s", r.message);
}

void settings_begin(Settings *settings, FiloApp *app) {
    const FiloWindow *window = filo_app_window(app);
    const FiloAudio *audio = filo_app_audio(app);
    FiloIVec2 size = window != NULL ? filo_window_size(window) : (FiloIVec2){ 1280, 720 };
    *settings = (Settings){ .always = settings->always,
                            .vsync = true,
                            .width = size.x,
                            .height = size.y,
                            .zoom = 1,
                            .volume = 1,
                            .music = 1,
                            .effects = 1,
                            .first = size,
                            .given = audio != NULL ? filo_audio_volume(audio, "master") : 1 };
    load_click(app);
    if (!settings_have_files(settings, app)) return;
    read_files(settings, app);
    apply(settings, app);
}

// The window may also have another size, by its frame: then that is in the list too.
static bool choose_size(Settings *settings, FiloUi *ui) {
    char texts[FILO_COUNT_OF(sizes) + 1][24];
    const char *items[FILO_COUNT_OF(sizes) + 1];
    FiloIVec2 offered[FILO_COUNT_OF(sizes) + 1];
    int count = FILO_COUNT_OF(sizes), chosen = -1;
    for (int i = 0; i < count; i++) {
        offered[i].x = filo_round_to_int((float)settings->first.x * sizes[i]);
        offered[i].y = filo_round_to_int((float)settings->first.y * sizes[i]);
        if (settings->width == offered[i].x && settings->height == offered[i].y) chosen = i;
    }
    if (chosen < 0) {
        chosen = count++;
        offered[chosen] = (FiloIVec2){ settings->width, settings->height };
    }
    for (int i = 0; i < count; i++) {
        snprintf(texts[i], sizeof texts[i], "%d × %d", offered[i].x, offered[i].y);
        items[i] = texts[i];
    }
    if (!filo_ui_choice(ui, "Size", &chosen, items, count)) return false;
    settings->width = offered[chosen].x;
    settings->height = offered[chosen].y;
    return true;
}

static bool choose_zoom(Settings *settings, FiloUi *ui) {
    static const char *const items[] = { "75 %", "100 %", "125 %", "150 %" };
    int chosen = -1;
    for (int i = 0; i < (int)FILO_COUNT_OF(zooms); i++)
        if (settings->zoom == zooms[i]) chosen = i;
    if (!filo_ui_segments(ui, "Menu size", &chosen, items, FILO_COUNT_OF(items))) return false;
    settings->zoom = zooms[chosen];
    return true;
}

static bool show_window(Settings *settings, const FiloApp *app, FiloUi *ui) {
    FiloWindow *window = filo_app_window(app);
    if (window != NULL) {
        settings->full_screen = filo_window_is_full_screen(window);
        FiloIVec2 size = filo_window_size(window);
        if (!settings->full_screen) settings->width = size.x, settings->height = size.y;
    }
    bool changed = filo_ui_switch(ui, "Full screen", &settings->full_screen);
    filo_ui_push_disabled(ui, settings->full_screen);
    changed |= choose_size(settings, ui);
    filo_ui_pop_disabled(ui);
    changed |= filo_ui_switch(ui, "Wait for the screen (vsync)", &settings->vsync);
    changed |= choose_zoom(settings, ui);
    changed |= filo_ui_switch(ui, "Numbers (F3)", &settings->numbers);
    return changed;
}

// ---- Keys -----------------------------------------------------------------------------------------------------

static bool is_pad(FiloKey key) { return key >= FILO_PAD_A && key < FILO_KEY_COUNT; }
static bool is_empty(const FiloBinding *binding) {
    return binding->key == FILO_KEY_NONE && !binding->is_axis;
}

// The binding of an action that is shown in a column: the first of its kind, or else the first empty one. An action whose
// bindings are all of the other kind has none: FILO_ACTION_BINDINGS.
static size_t slot_of(const FiloActionDesc *action, int column) {
    size_t empty = FILO_ACTION_BINDINGS;
    for (size_t i = FILO_ACTION_BINDINGS; i-- > 0;)
        if (is_empty(&action->bindings[i])) empty = i;
    for (size_t i = 0; i < FILO_ACTION_BINDINGS; i++) {
        FiloKey key = action->bindings[i].key;
        if (key != FILO_KEY_NONE && is_pad(key) == (column == COLUMN_PAD)) return i;
    }
    return empty;
}

static const char *title_of(const FiloActionDesc *action) {
    return action->help != NULL && action->help[0] != '\0' ? action->help : action->name;
}

// No key has two actions: another one that has it loses it.
static void take_away(Settings *settings, FiloActions *actions, FiloKey key) {
    for (size_t i = 0; i < filo_actions_count(actions); i++) {
        const FiloActionDesc *action = filo_actions_at(actions, i);
        for (size_t slot = 0; slot < FILO_ACTION_BINDINGS; slot++) {
            if (i == settings->action || action->bindings[slot].key != key) continue;
            snprintf(settings->note, sizeof settings->note, "%s was \"%s\".", filo_key_name(key),
                     title_of(action));
            (void)filo_actions_bind(actions, action->name, slot, (FiloBinding){ 0 });
        }
    }
}

static void bind(Settings *settings, FiloApp *app, FiloKey key) {
    FiloActions *actions = filo_app_actions(app);
    const FiloActionDesc *action = filo_actions_at(actions, settings->action);
    settings->waits = false;
    size_t slot = action != NULL ? slot_of(action, settings->column) : FILO_ACTION_BINDINGS;
    if (slot == FILO_ACTION_BINDINGS) return;
    FiloBinding binding = { .key = key, .scale = action->bindings[slot].scale };
    settings->note[0] = '\0';
    if (key != FILO_KEY_NONE) take_away(settings, actions, key);
    FiloResult r = filo_actions_bind(actions, action->name, slot, binding);
    if (r.code != FILO_OK) filo_log_warn("settings", "%s", r.message);
    save(settings, app);
}

static bool is_bound(const FiloActions *actions, FiloKey key) {
    for (size_t i = 0; i < filo_actions_count(actions); i++)
        for (size_t slot = 0; slot < FILO_ACTION_BINDINGS; slot++)
            if (filo_actions_at(actions, i)->bindings[slot].key == key) return true;
    return false;
}

// Not in a replay: its keys are those of another time, and would be written.
static void change_volume(Settings *settings, FiloApp *app, FiloKey key, float change) {
    if (filo_app_args(app)->replay != NULL) return;
    if (!filo_input_pressed(filo_app_input(app), key) || is_bound(filo_app_actions(app), key)) return;
    settings->volume = filo_clamp01(settings->volume + change);
    apply_volume(settings, app);
    save(settings, app);
}

void settings_frame(Settings *settings, FiloApp *app) {
    change_volume(settings, app, FILO_KEY_MINUS, -0.1f);
    change_volume(settings, app, FILO_KEY_EQUALS, 0.1f);
}

static void show_binding(Settings *settings, const FiloActions *actions, FiloUi *ui, size_t index,
                         int column) {
    const FiloActionDesc *action = filo_actions_at(actions, index);
    size_t slot = slot_of(action, column);
    FiloKey key = slot < FILO_ACTION_BINDINGS ? action->bindings[slot].key : FILO_KEY_NONE;
    char label[64];
    snprintf(label, sizeof label, "%s###%d", key != FILO_KEY_NONE ? filo_key_name(key) : "–", column);
    bool was_here = settings->returns && settings->action == index && settings->column == column;
    if (was_here) filo_ui_focus_next(ui);
    if (was_here) settings->returns = false;
    filo_ui_push_disabled(ui, slot == FILO_ACTION_BINDINGS);
    if (filo_ui_button(ui, label)) {
        settings->waits = settings->returns = true;
        settings->action = index;
        settings->column = column;
        settings->note[0] = '\0';
    }
    filo_ui_pop_disabled(ui);
}

static void show_keys(Settings *settings, FiloApp *app, FiloUi *ui) {
    FiloActions *actions = filo_app_actions(app);
    filo_ui_begin_grid(ui, 1 + COLUMNS, (const float[]){ 1.2f, 1, 1 });
    filo_ui_text(ui, FILO_UI_TEXT_SMALL, "");
    filo_ui_text(ui, FILO_UI_TEXT_SMALL, "Keyboard, mouse");
    filo_ui_text(ui, FILO_UI_TEXT_SMALL, "Gamepad");
    for (size_t i = 0; i < filo_actions_count(actions); i++) {
        filo_ui_push_id(ui, i);
        filo_ui_label(ui, title_of(filo_actions_at(actions, i)));
        for (int column = 0; column < COLUMNS; column++) show_binding(settings, actions, ui, i, column);
        filo_ui_pop_id(ui);
    }
    filo_ui_end(ui);
}

// Waits for the key, or the button of a gamepad. Delete and Backspace are for both.
static void wait_for_key(Settings *settings, FiloApp *app, FiloUi *ui) {
    bool pad = settings->column == COLUMN_PAD;
    FiloKey key;
    switch (filo_ui_wait_key(ui, FILO_UI_KEYBOARD | (pad ? FILO_UI_GAMEPAD : FILO_UI_MOUSE), &key)) {
    case FILO_UI_CHOSEN:
        if (key == FILO_KEY_BACKSPACE || key == FILO_KEY_DELETE)
            bind(settings, app, FILO_KEY_NONE);
        else if (is_pad(key) == pad)
            bind(settings, app, key);
        break;
    case FILO_UI_CANCELLED: settings->waits = false; break;
    case FILO_UI_WAITING: break;
    }
}

static void show_prompt(Settings *settings, FiloApp *app, FiloUi *ui) {
    const FiloActionDesc *action = filo_actions_at(filo_app_actions(app), settings->action);
    const FiloUiPanel panel = { .anchor = { 0.5f, 0.5f }, .size = { 460, 0 }, .flags = FILO_UI_MENU };
    filo_ui_push_style(ui, &(FiloUiStyle){ .padding = 28, .gap = 14 });
    if (filo_ui_begin_panel(ui, "press a key", &panel) && action != NULL) {
        page_text(ui, FILO_UI_TEXT_HEADING, title_of(action));
        page_text(ui, FILO_UI_TEXT_NORMAL,
                  settings->column == COLUMN_PAD ? "Press a button of the gamepad."
                                                 : "Press a key or a mouse button.");
        page_text(ui, FILO_UI_TEXT_MUTED, "Escape: as it was   Delete: none");
    }
    filo_ui_end(ui);
    filo_ui_pop_style(ui);
    wait_for_key(settings, app, ui);
}

// ---- The page ---------------------------------------------------------------------------------------------------

static void show_tabs(Settings *settings, FiloApp *app, FiloUi *ui) {
    int tab = settings->tab;
    bool changed = false;
    filo_ui_size(ui, &(FiloUiSize){ .height = 330 });
    filo_ui_begin_tabs(ui, "tabs", &settings->tab);
    if (filo_ui_begin_tab(ui, "Screen") && show_window(settings, app, ui)) {
        apply(settings, app);
        changed = true;
    }
    filo_ui_end(ui);
    if (filo_ui_begin_tab(ui, "Sound")) changed |= show_sound(settings, app, ui);
    filo_ui_end(ui);
    if (filo_ui_begin_tab(ui, "Keys")) {
        show_keys(settings, app, ui);
        filo_ui_text(ui, FILO_UI_TEXT_WARNING, settings->note);
    }
    filo_ui_end(ui);
    filo_ui_end(ui);
    if (changed) save(settings, app);
    if (changed || settings->waits || settings->tab != tab) settings_click(app);
}

bool settings_show(Settings *settings, FiloApp *app, FiloUi *ui) {
    if (settings->waits) {
        show_prompt(settings, app, ui);
        return true;
    }
    bool stays = true;
    float width = filo_min(600, filo_ui_screen(ui).x - 24);
    filo_ui_push_style(ui, &(FiloUiStyle){ .control_height = 34, .text_size = 16, .padding = 28, .gap = 10 });
    const FiloUiPanel panel = { .anchor = { 0.5f, 0.5f }, .size = { width, 0 }, .flags = FILO_UI_MENU };
    if (filo_ui_begin_panel(ui, "settings", &panel)) {
        filo_ui_text(ui, FILO_UI_TEXT_HEADING, "Settings");
        show_tabs(settings, app, ui);
        filo_ui_begin_row(ui);
        if (settings->tab == SETTINGS_KEYS && filo_ui_button(ui, "Default keys")) {
            filo_actions_reset(filo_app_actions(app));
            settings->note[0] = '\0';
            save(settings, app);
            settings_click(app);
        }
        filo_ui_spacer(ui, 0);
        filo_ui_size(ui, &(FiloUiSize){ .min_width = 160 });
        stays = !filo_ui_primary_button(ui, "Done");
        filo_ui_end(ui);
        if (filo_ui_cancelled(ui)) stays = false;
    }
    filo_ui_end(ui);
    filo_ui_pop_style(ui);
    if (!stays) settings->tab = SETTINGS_SCREEN;
    return stays;
}
