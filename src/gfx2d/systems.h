// The systems behind sprites: what each of them is given, and what they know together.

#ifndef FILO_GFX2D_SYSTEMS_H
#define FILO_GFX2D_SYSTEMS_H

#include <filo/gfx2d.h>

// Before everything; and after everything, for those who look at the result.
#define FILO_PHASE_REMEMBER    (FILO_PHASE_INPUT - 1000)
#define FILO_PHASE_FOLLOW      (FILO_PHASE_AFTER + 1)
#define FILO_PHASE_GIVE_PLACES (FILO_PHASE_EXTRACT - 2)
#define FILO_PHASE_PLACE       (FILO_PHASE_EXTRACT - 1)

// What the systems know of the transient components. It is global and transient itself: after a snapshot was
// restored it has its first value, as they have, and that is how the systems notice.
typedef struct FiloSpriteMemory {
    bool known;    // FiloPreviousTransform and FiloPlacement are good
    uint8_t ticks; // in which placements are still to be computed
} FiloSpriteMemory;
FILO_REFLECT_DECLARE(FiloSpriteMemory);

// Each adds its systems. False without memory.
bool filo_remember_register(FiloWorld *world);
bool filo_animate_register(FiloWorld *world, FiloAssets *assets);
bool filo_follow_register(FiloWorld *world);
bool filo_place_register(FiloWorld *world);

// Adds a system, unless there is one of that name.
bool filo_system_add_once(FiloWorld *world, const FiloSystemDesc *desc);

#endif
