// Candidates one by one.

#ifndef FILO_PLACEMENT_SCALAR_H
#define FILO_PLACEMENT_SCALAR_H

#include "placement/claims.h"
#include "placement/placement.h"

#include <string.h>

// The value of a map at coordinates in 1/256 of a texel: 16 bits and 16 bits of fraction.
uint32_t placement_sample_at(const PlacementMap *map, int32_t x, int32_t y);

// Coordinates for noise: 1/4096 of a wavelength. The base is that of a block.
int32_t placement_noise_base(double origin, float wavelength);
int32_t placement_noise_coordinate(float position, float frequency, int32_t base);

// A candidate, and all that its density depends on.
typedef struct PlacementCandidate {
    const FiloPlacement *placement;
    const PlacementFootprint *footprint;
    const PlacementMap *maps; // of the placement, or windows of them
    PlacementPoint at;
    int32_t threshold;
    const PlacementClaims *claims; // objects of earlier footprints; NULL if the program does not need them
    int32_t unit_x, unit_y;        // the position, for distances to them
} PlacementCandidate;

// The winner: 0 for none, otherwise 1 + the layer in its footprint.
uint8_t placement_evaluate(const PlacementCandidate *candidate);

// The density of one layer of the footprint, in 1/65536.
int32_t placement_evaluate_layer(const PlacementCandidate *candidate, int layer);

// The value of PLACEMENT_OP_NEAR for a squared distance; UINT32_MAX: there is none.
int32_t placement_near_value(const PlacementNear *near, uint32_t squared);

#endif
