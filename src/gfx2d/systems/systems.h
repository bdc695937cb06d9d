// The systems of sprites, animations and cameras.

#ifndef FILO_GFX2D_SYSTEMS_H
#define FILO_GFX2D_SYSTEMS_H

#include <filo/gfx2d.h>

#define GFX2D_PHASE_FOLLOW_TELEPORTS (FILO_PHASE_INPUT - 1002) // before previous transforms are saved
#define GFX2D_PHASE_FOLLOW           (FILO_PHASE_AFTER + 1)    // after the systems of the game

// Each adds its systems. False without memory.
bool gfx2d_animate_register(FiloWorld *world, FiloAssets *assets);
bool gfx2d_follow_register(FiloWorld *world);

// Where a camera with a follow_speed of 0 is drawn if it or its target is new or was teleported, and no tick has begun
// since: where its target is drawn, inside of the bounds of the camera. False if it is drawn where its transform is.
// Between ticks.
bool gfx2d_follow_drawn_position(const FiloWorld *world, FiloEntity entity, const FiloCamera *camera,
                                 float blend, FiloVec2 *position);

#endif
