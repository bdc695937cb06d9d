// A world to measure placement in, and two other ways to fill it.

#ifndef FILO_BENCH_PLACEMENT_H
#define FILO_BENCH_PLACEMENT_H

#include "bench.h"

#include <filo/placement_gpu.h>

#define PLACEMENT_MAP_SIDE 512
#define PLACEMENT_LAYERS   4
#define PLACEMENT_CELL     25.0f // metres

// A square of `side` metres that is the whole world, with four density maps of 512² bytes and a heightmap of 512² 16-bit
// values. At 1000 m: 40 × 40 cells, about 102,000 candidates, of which half are claimed.
typedef struct PlacementSite {
    double side;
    uint8_t densities[PLACEMENT_LAYERS][PLACEMENT_MAP_SIDE * PLACEMENT_MAP_SIDE];
    uint16_t heights[PLACEMENT_MAP_SIDE * PLACEMENT_MAP_SIDE];
    FiloPlacementDesc desc;
    FiloPlacement *placement;
    FiloPlacementResult result;
    FiloPlacementRequest request;
    FiloPlacementGpu *pgpu; // NULL without GL
    size_t placed, candidates;
    double reference_us; // that placement_reference takes, about
} PlacementSite;

PlacementSite *placement_site_create(double side);
void placement_site_destroy(PlacementSite *site);

// The sequential form of the thesis: an array of structs with one element for each candidate, and a sort by layer.
// Returns how many objects were placed.
size_t placement_reference(const PlacementSite *site);
// Throws darts until the ground is nearly as full as the pattern's, then asks the density maps. Returns how many objects
// were placed.
size_t placement_darts(const PlacementSite *site);

// By compute shaders (placement_gpu.c). NULL without GL.
FiloPlacementGpu *placement_gl_create(const PlacementSite *site);
double placement_gl_sample(void *state); // microseconds

#endif
