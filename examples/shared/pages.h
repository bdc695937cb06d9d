// What the menus of games have in common: which pages there are, which is the first, and whether there is a player to see
// them. What is on a page is up to the game.
//
//     int chosen = -1, tab;                                                             // by a flag with page_names
//     Page page = page_at_start(chosen, pages_have_player(app), &tab);                 // in `create`
//     settings_begin(&settings, app);
//     settings.tab = tab;

#ifndef SHARED_PAGES_H
#define SHARED_PAGES_H

#include <filo/filo.h>

typedef enum Page { PAGE_NONE, PAGE_TITLE, PAGE_PAUSE, PAGE_SETTINGS, PAGE_OVER } Page;

// What a flag can choose to begin with, for pictures; ends with NULL. The last ones are the other tabs of the settings.
extern const char *const page_names[];

// Without a window there is no player, and neither in a replay, nor where the length is given.
bool pages_have_player(const FiloApp *app);
// The page to begin with. `chosen` is an index into page_names; if it is -1, a player has the title. `tab` is that of the
// settings (shared/settings.h).
Page page_at_start(int chosen, bool has_player, int *tab);
// A text in the middle of the page.
void page_text(FiloUi *ui, FiloUiTextKind kind, const char *text);

#endif
