// A font of this machine for menus. Games would rather bring their own, as an asset; these have no files at all.

#ifndef SHARED_FONT_H
#define SHARED_FONT_H

#include <filo/filo.h>

// The name of the first of some common fonts that is installed, with its bold letters. {0} if there is none of them: the
// built-in letters. At the start of a program.
FiloName shared_font(FiloApp *app);

#endif
