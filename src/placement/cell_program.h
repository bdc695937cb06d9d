// Operations of programs on whole cells.

#ifndef FILO_PLACEMENT_CELL_PROGRAM_H
#define FILO_PLACEMENT_CELL_PROGRAM_H

#include "placement/run.h"

// Executes an operation that neither samples nor is a layer, for all points of a cell.
void placement_cell_operate(const PlacementRun *run, const ProgramOp *op, int column, int row,
                            int32_t (*registers)[PLACEMENT_POINTS]);

#endif
