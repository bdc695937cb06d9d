// What plan.c and tables.c share.

#ifndef FILO_PLACEMENT_SHADER_PLAN_H
#define FILO_PLACEMENT_SHADER_PLAN_H

#include "placement/shader/shader.h"

// Whether a clearing affects cells of a footprint, and which: first and last column, first and last row.
bool placement_plan_clearing(const FiloPlacementPlan *plan, int index, const FiloClearing *clearing,
                             int32_t range[4]);
// Whether a pin is in a cell of a footprint, and which candidate it is.
bool placement_plan_pin(const FiloPlacementPlan *plan, int index, const FiloPin *pin, uint32_t *candidate);
// Blocks of some cells.
int placement_plan_blocks(int32_t first, int32_t count);

#endif
