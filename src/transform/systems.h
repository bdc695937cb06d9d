// The systems behind transforms.

#ifndef FILO_TRANSFORM_SYSTEMS_H
#define FILO_TRANSFORM_SYSTEMS_H

#include <filo/system.h>
#include <filo/transform.h>

// When a tick begins, before everything else: first world transforms, which need to know what was teleported, and then
// previous transforms, which forget it. When it ends, world transforms again.
#define PHASE_BEGIN    (FILO_PHASE_INPUT - 1001)
#define PHASE_PREVIOUS (FILO_PHASE_INPUT - 1000)
#define PHASE_END      (FILO_PHASE_EXTRACT - 1)

// What the systems know of the transient components. It is global and transient itself: after a snapshot was restored
// it has its default value, as they have, and that is how the systems notice.
typedef struct TransformState {
    bool valid;    // previous transforms are
    FiloSeen seen; // what world transforms had seen when the last tick ended; not described
} TransformState;
FILO_REFLECT_DECLARE(TransformState);

// For a scale of nothing, since {0, 0} counts as {1, 1}: the smallest number with all its digits.
#define TRANSFORM_NO_SCALE 0x1p-126f

// The component of a type that filo_transform_register registers; {0}, with a report, if it was not called.
FiloComponent transform_component(const FiloWorld *world, const FiloType *type);

// Each adds its systems, unless they are there. False without memory.
bool transform_register_previous(FiloWorld *world);
bool transform_register_propagation(FiloWorld *world);

#endif
