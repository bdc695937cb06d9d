// The page "More" of the example: pictures, areas, popups, and waiting for a key.

#ifndef WIDGETS_MORE_H
#define WIDGETS_MORE_H

#include <filo/filo.h>

// Makes the pictures of the page. False without memory.
bool more_load(FiloAssets *assets);
void more_show(FiloUi *ui);

#endif
