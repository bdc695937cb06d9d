// A computation: what compute.c, future.c and the shaders share.

#ifndef FILO_PLACEMENT_COMPUTE_H
#define FILO_PLACEMENT_COMPUTE_H

#include "base/atomic.h"
#include "placement/run.h"

// Checks a request, and allocates nothing.
FiloResult placement_check_request(const FiloPlacement *p, const FiloPlacementRequest *request);
// The part of it that looks for texels that are not in memory (texels.c).
FiloResult placement_check_texels(const FiloPlacement *p, const FiloPlacementRequest *request);
// `cancel` may be NULL; once it is true, the computation ends with FILO_ERROR_CANCELLED.
FiloResult placement_compute(const FiloPlacement *p, const FiloPlacementRequest *request,
                             FiloPlacementResult *result, const BASE_ATOMIC(bool) * cancel);

// ---- Parts of it, for the shaders too -----------------------------------------------------------------------

typedef struct PlacementCells {
    int64_t first, last;
} PlacementCells;

// The cells of [lower, upper), and one more on either side: rounding moves some candidates into the next cell.
PlacementCells placement_cells_between(const PlacementFootprint *f, double lower, double upper);
// Sets first_cell and count of an axis: cells that have a point between the bounds. `points` are px or py.
void placement_choose_cells(PlacementAxis *axis, const PlacementFootprint *f, const float *points,
                            double lower, double upper);
// Whether distances to other footprints matter: to those before it, or to it for those after it.
bool placement_needs_units(const FiloPlacement *p, const double *margins, int f);

// Makes a result of `count` objects possible, or of a count without objects. False without memory.
bool placement_reserve(const FiloPlacement *p, FiloPlacementResult *result, size_t count, bool count_only);
void placement_clear_result(FiloPlacementResult *result);

#endif
