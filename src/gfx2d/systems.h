// The systems behind sprites.

#ifndef FILO_GFX2D_SYSTEMS_H
#define FILO_GFX2D_SYSTEMS_H

#include <filo/gfx2d.h>

// Before transforms are looked at; and after the game.
#define FILO_PHASE_FOLLOW_TELEPORTS (FILO_PHASE_INPUT - 1002)
#define FILO_PHASE_FOLLOW           (FILO_PHASE_AFTER + 1)

// Each adds its systems. False without memory.
bool filo_animate_register(FiloWorld *world, FiloAssets *assets);
bool filo_follow_register(FiloWorld *world);

// Adds a system, unless there is one of that name.
bool filo_system_add_once(FiloWorld *world, const FiloSystemDesc *desc);

#endif
