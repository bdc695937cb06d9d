// Settings that most games have, as a page of their menu: the window, the size of menus, and the keys. They are kept in
// the user's folder of the game (filo_app_user_path), in settings.json and keys.json.
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
    // Private: the size of the window at first, the tab that is shown, and the binding that waits for a key.
    FiloIVec2 first;
    bool waits, returns;
    size_t action;
    int tab;
    int32_t column;
    char note[96];
} Settings;
FILO_REFLECT_DECLARE(Settings);

// Sets the defaults. With a window, reads the files, and applies what is in them; files that are missing or broken change
// nothing. Without a window nothing is read or written, so that a picture or a test does not depend on the user, unless
// `always` is set before.
void settings_begin(Settings *settings, FiloApp *app);
// Takes the key that the page waits for.
void settings_frame(Settings *settings, FiloApp *app);
// Shows the page. False when the player leaves it. A change is applied and written at once.
bool settings_show(Settings *settings, FiloApp *app, FiloUi *ui);

#endif
