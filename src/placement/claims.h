// Objects of earlier footprints, found by position, so that later ones can keep away from them, or near them.
//
// Positions are integers: floor(position in the block · units) plus the origin of the block in units, relative to a
// reference that all positions of one computation share. Differences are exact, and do not depend on the reference.

#ifndef FILO_PLACEMENT_CLAIMS_H
#define FILO_PLACEMENT_CLAIMS_H

#include "placement/placement.h"

typedef struct PlacementClaim {
    int32_t x, y;   // units
    int32_t radius; // units; −1: claims no ground
    int32_t layer;  // through all footprints
} PlacementClaim;

// The objects of one footprint, in square bins of 2^shift units.
typedef struct PlacementClaimBins {
    int32_t x, y; // of the first bin
    int shift;
    int32_t columns, rows; // 0: there are no objects
    int32_t most;          // the largest radius; −1: none claims ground
    uint32_t *first;       // columns · rows + 1
    PlacementClaim *items; // by bin
    size_t count;
} PlacementClaimBins;

// Those that one footprint has to respect: of all footprints before it.
typedef struct PlacementClaims {
    PlacementClaimBins bins[FILO_PLACEMENT_FOOTPRINTS];
    int count;
} PlacementClaims;

// Whether an object of this radius overlaps the ground of another. Radius −1: it does not.
bool placement_blocked(const PlacementClaims *claims, int32_t x, int32_t y, int32_t radius);
// The squared distance in units to the nearest object that `near` names, within its reach; UINT32_MAX: there is none.
uint32_t placement_nearest(const PlacementClaims *claims, int32_t x, int32_t y, const PlacementNear *near);

// Puts `count` items into bins that are searched up to `reach` units. Memory for it: placement_bins_size bytes.
size_t placement_bins_size(size_t count, int32_t width, int32_t height, int32_t reach);
void placement_bins_build(PlacementClaimBins *bins, const PlacementClaim *items, size_t count, int32_t x,
                          int32_t y, int32_t width, int32_t height, int32_t reach, void *memory);

// Metres beyond the area in which each footprint is computed, so that the ones of the mask `wanted` come out right inside
// of it. Negative: that footprint is not needed.
void placement_margins(const FiloPlacement *p, uint32_t wanted, double margins[FILO_PLACEMENT_FOOTPRINTS]);

#endif
