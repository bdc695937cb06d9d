// The theme of menus and panels, with a font of this machine. Games would rather bring their own font, as an asset; these
// have no files at all.

#ifndef SHARED_THEME_H
#define SHARED_THEME_H

#include <filo/filo.h>

// Sets a theme, with the first of some common fonts that is installed, and its bold letters. If there is none of them: with
// the built-in letters. At the start of a program.
void theme_set(FiloApp *app, const FiloUiTheme *theme);

#endif
