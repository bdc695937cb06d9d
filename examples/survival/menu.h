// The game around the rules of Survival: an app with a title, a pause menu, settings, and a page for the end.
//
//   app.c     the app: what it loads, and the picture of a game
//   menu.c    the pages, and what the player decides there
//   title.c   the picture behind the title
//
// Pages are not part of the world. While one is open, the game is paused; what the player decides there is sent into the
// next tick, so a recording has it.

#ifndef SURVIVAL_MENU_H
#define SURVIVAL_MENU_H

#include "shared/pages.h"
#include "shared/settings.h"
#include "survival.h"

typedef struct Menu {
    bool live; // there is a player: pages open, and pause the game
    Page page;
    Page back;     // the page that led to the settings
    float age;     // seconds since the page was opened, for what moves
    float time;    // seconds since the start
    int64_t last;  // filo_time_ns of the last frame
    bool begun;    // the player has left a game for the title: the next one begins anew
    bool restarts; // the message is on its way: the end that is seen until then is the old one
    Settings settings;
} Menu;

typedef struct Survival {
    uint64_t enemies; // flag
    int shown;        // flag, in page_names: the page to begin with; −1: as usual
    bool live;        // has a player also without a window: for tests
    Menu menu;
    Game game; // as of the extraction
    FiloRect visible;
} Survival;
#define SURVIVAL_DEFAULT                                                                                     \
    { .enemies = SURVIVAL_ENEMIES, .shown = -1 }

// `survival` must outlive the app.
FiloAppDesc survival_app(Survival *survival);

// menu.c
FiloResult menu_begin(Menu *menu, FiloApp *app, Page page);
void menu_frame(Menu *menu, FiloApp *app, const Game *game);
void menu_show(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game);
// Behind the page, and over the game.
void menu_draw(const Menu *menu, FiloDraw *draw);
// Whether the title is what is behind the page, and not a game.
bool menu_hides_game(const Menu *menu);

// title.c
bool title_art(FiloAssets *assets); // false without memory
// `time` in seconds; `light`: 0 to 1, for fading in.
void title_draw(FiloDraw *draw, float time, float light);

#endif
