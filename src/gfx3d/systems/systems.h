// The systems of components in space: camera controls, following, traces of emitters.

#ifndef FILO_GFX3D_SYSTEMS_H
#define FILO_GFX3D_SYSTEMS_H

#include <filo/components3d.h>
#include <filo/input.h>
#include <filo/system.h>

#include "gfx3d/renderer.h"

#define GFX3D_PHASE_FOLLOW_TELEPORTS (FILO_PHASE_INPUT - 1002) // before previous transforms are saved
#define GFX3D_PHASE_FOLLOW           (FILO_PHASE_AFTER + 1)    // after the systems of the game
#define GFX3D_PHASE_TRACE            (FILO_PHASE_AFTER + 2)    // after everything that moves

// The rotation of a transform: zeroes count as the identity.
static inline FiloQuat gfx3d_unit_rotation(FiloQuat q) {
    return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0 ? filo_quat_identity() : q;
}

// Adds a system, unless the world has one of that name.
bool gfx3d_system_add_once(FiloWorld *world, const FiloSystemDesc *desc);

bool gfx3d_follow_register(FiloWorld *world);

#endif
