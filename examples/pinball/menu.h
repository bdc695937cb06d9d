// The game around the rules of Pinball: an app with a title, a pause menu, settings, a list of scores, and a bot.
//
//   app.c     the app: what it loads, and what happens in a frame
//   draw.c    the picture of the table
//   menu.c    the pages, what the player decides there, and the scores
//   bot.c     a program that plays: behind the title, and where there is no player
//   sounds.c  the table of sounds, and the music
//
// Pages are not part of the world. What the player decides there is sent into the next tick, so a recording has it.

#ifndef PINBALL_MENU_H
#define PINBALL_MENU_H

#include "pinball.h"
#include "shared/pages.h"
#include "shared/settings.h"

#define PINBALL_SCORES 5
typedef struct Scores {
    uint64_t best[PINBALL_SCORES]; // highest first
} Scores;
FILO_REFLECT_DECLARE(Scores);

typedef struct Menu {
    bool live; // there is a player: pages open
    Page page;
    Page back;    // the page that led to the settings
    bool counted; // the score of this game is in the list
    int rank;     // where; PINBALL_SCORES: it is not
    Scores scores;
    Settings settings;
} Menu;

// Decides by what it sees. Not part of the world.
typedef struct Bot {
    Pilot wish; // what it presses now
    int hold[2], rest[2];
    int pull;
    int still; // frames in which no ball moved
    bool nudges;
    uint32_t count;
    FiloQuery *balls;
} Bot;
void bot_think(Bot *bot, FiloWorld *world);

// What is drawn, as of the extraction.
#define PINBALL_PARTS 24
typedef struct Picture {
    Game game;
    struct {
        Part part;
        bool active;
    } parts[PINBALL_PARTS];
    size_t part_count;
    bool left, right;
} Picture;

typedef struct Pinball {
    int shown; // flag, in page_names: the page to begin with; -1: as usual
    bool demo; // flag: the bot plays where there is no player
    bool live; // has a player also without a window: for tests
    Menu menu;
    Bot bot;
    Pilot sent; // what the bot pressed last
    Picture picture;
    FiloQuery *parts;
} Pinball;
#define PINBALL_DEFAULT                                                                                      \
    { .shown = -1, .demo = true }

// `pinball` must outlive the app.
FiloAppDesc pinball_app(Pinball *pinball);

// menu.c
void menu_begin(Menu *menu, FiloApp *app, Page page);
void menu_frame(Menu *menu, FiloApp *app, const Game *game);
void menu_show(Menu *menu, FiloApp *app, FiloUi *ui, const Game *game);
// Whether the bot plays behind the page.
bool menu_has_demo(const Menu *menu);

// draw.c
void picture_extract(Picture *picture, FiloWorld *world, FiloQuery *parts);
void picture_draw(const Picture *picture, const Menu *menu, FiloDraw *draw);

// sounds.c
void pinball_sounds_load(FiloApp *app);

#endif
