// filo/placement.h: placing many objects on terrain.

#ifndef FILO_PLACEMENT_H
#define FILO_PLACEMENT_H

#include <filo/terrain.h>

#endif
