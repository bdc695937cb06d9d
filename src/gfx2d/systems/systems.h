// The systems behind sprites.

#ifndef FILO_GFX2D_SYSTEMS_H
#define FILO_GFX2D_SYSTEMS_H

#include <filo/gfx2d.h>

// Before transforms are looked at; and after the game.
#define GFX2D_PHASE_FOLLOW_TELEPORTS (FILO_PHASE_INPUT - 1002)
#define GFX2D_PHASE_FOLLOW           (FILO_PHASE_AFTER + 1)

// Each adds its systems. False without memory.
bool gfx2d_animate_register(FiloWorld *world, FiloAssets *assets);
bool gfx2d_follow_register(FiloWorld *world);

// Where a camera that follows at once is drawn before a tick has moved it: it or what it follows is new or was teleported,
// and no tick has begun since. That is where what it follows is drawn, within the bounds of the camera. False if it is
// drawn where its transform is. Between ticks.
bool gfx2d_follow_drawn_place(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera,
                              float blend, FiloVec2 *place);

// Adds a system, unless there is one of that name.
bool gfx2d_system_add_once(FiloWorld *world, const FiloSystemDesc *desc);

#endif
