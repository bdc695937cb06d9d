// Pictures of what is in the forest, seen from above, with light from the upper left.

#ifndef PICTURES_H
#define PICTURES_H

#include <filo/filo.h>

#define PICTURE       64    // pixels a side
#define PICTURE_CROWN 0.72f // of a picture is the crown of a tree, the rest is for its shadow
#define GRASS         128   // pixels a side of the grass, which repeats

// Adds the images "spruce", "oak", "bush" and "stump", which are grey and coloured by their sprites, and "woodcutter" and "grass".
FiloResult pictures_add(FiloAssets *assets);

#endif
