// filo/placement.h: placing many objects on terrain. So far: the patterns of points that it begins with.
//
//     FiloPattern pattern = filo_pattern_for(8, seed, layer);

#ifndef FILO_PLACEMENT_H
#define FILO_PLACEMENT_H

#include <filo/pattern.h>

#endif
