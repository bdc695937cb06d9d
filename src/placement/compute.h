// A computation: what compute.c and future.c share.

#ifndef FILO_PLACEMENT_COMPUTE_H
#define FILO_PLACEMENT_COMPUTE_H

#include "base/atomic.h"
#include "placement/run.h"

// Checks a request, and allocates nothing.
FiloResult placement_check_request(const FiloPlacement *p, const FiloPlacementRequest *request);
// `cancel` may be NULL; once it is true, the computation ends with FILO_ERROR_CANCELLED.
FiloResult placement_compute(const FiloPlacement *p, const FiloPlacementRequest *request,
                             FiloPlacementResult *result, const BASE_ATOMIC(bool) * cancel);

#endif
