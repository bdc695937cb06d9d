// Settings that most games have, as a page of their menu: the window, the size of menus, the volume, and the keys. They
// are kept in the user's folder of the game (filo_app_user_path), in settings.json and keys.json.
//
//     settings_begin(&settings, app);                       // in `create`
//     settings_frame(&settings, app);                       // in `frame`
//     if (!settings_show(&settings, app, ui)) page = MENU;  // in `ui`, instead of the menu that led here
//
// None of this is part of the world. Keys act through actions (filo/input.h), and a recording has the actions, so it
// does not depend on the keys of the player.

#ifndef SHARED_SETTINGS_H
#define SHARED_SETTINGS_H

#include <filo/filo.h>

typedef struct Settings {
    bool always; // also without a window
    bool full_screen, vsync;
    bool numbers;          // the debug view, as by F3
    int32_t width, height; // of the window, in points
    float zoom;            // of menus and panels
    float volume;          // 0 to 1, of everything
    float music, effects;  // 0 to 1, of the bus "music", and of "sounds" and "ui"
    int tab;               // that is shown: SETTINGS_SCREEN, …
    // Private: the size of the window at first, the volume that was given by --volume, and the binding that waits for a
    // key.
    FiloIVec2 first;
    float given;
    bool waits, returns;
    size_t action;
    int32_t column;
    char note[96];
} Settings;
FILO_REFLECT_DECLARE(Settings);

enum { SETTINGS_SCREEN, SETTINGS_SOUND, SETTINGS_KEYS };

// Sets the defaults. With a window, reads the files, and applies what is in them; files that are missing or broken change
// nothing. Without a window nothing is read or written, so that a picture or a test does not depend on the user, unless
// `always` is set before.
void settings_begin(Settings *settings, FiloApp *app);
// Whether files of the user are read and written: by that rule.
bool settings_have_files(const Settings *settings, const FiloApp *app);
// The keys minus and plus (=) change the volume, unless an action has them.
void settings_frame(Settings *settings, FiloApp *app);
// Shows the page. False when the player leaves it. A change is applied and written at once.
bool settings_show(Settings *settings, FiloApp *app, FiloUi *ui);
// The quiet click of a button, for the other pages of the menu. After settings_begin. Without audio nothing is heard.
void settings_click(FiloApp *app);

#endif
