// The systems of the module.

#ifndef FILO_TRANSFORM_SYSTEMS_H
#define FILO_TRANSFORM_SYSTEMS_H

#include <filo/system.h>
#include <filo/transform.h>

// At the beginning of a tick, world transforms are computed before previous transforms are copied, because copying sets
// `valid`, which world transforms need to detect teleports. At the end, world transforms are computed again.
#define TRANSFORM_PHASE_BEGIN    (FILO_PHASE_INPUT - 1001)
#define TRANSFORM_PHASE_PREVIOUS (FILO_PHASE_INPUT - 1000)
#define TRANSFORM_PHASE_END      (FILO_PHASE_EXTRACT - 1)

// State of the transient components. It is a transient global itself, so after a snapshot was restored it has its
// default value, by which the systems detect that.
typedef struct TransformState {
    bool valid;    // previous transforms are valid
    FiloSeen seen; // changes up to the last "propagate transforms"; not described
} TransformState;
FILO_REFLECT_DECLARE(TransformState);

// Represents a scale of zero, because {0, 0} counts as {1, 1}: the smallest normal number.
#define TRANSFORM_ZERO_SCALE 0x1p-126f

// A component of filo_transform_register; {0} with a fault if that was not called.
FiloComponent transform_component(const FiloWorld *world, const FiloType *type);

// Add systems, unless they were added already. False without memory.
bool transform_register_previous(FiloWorld *world);
bool transform_register_propagation(FiloWorld *world);

#endif
