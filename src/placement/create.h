// What create.c and the compiler of ecotopes share.

#ifndef FILO_PLACEMENT_CREATE_H
#define FILO_PLACEMENT_CREATE_H

#include "placement/placement.h"

#define PLACEMENT_SMALLEST 0.01f // metres
#define PLACEMENT_LARGEST  10000.0f
#define PLACEMENT_WORLD    1e7f
#define PLACEMENT_TEXELS   (1 << 20) // of a side of a whole map

// These check, and allocate nothing. `what` begins the message.
FiloResult placement_check_map(const FiloTerrainMap *map, const char *what);
FiloResult placement_check_variation(const FiloVariation *variation, const char *what);
// `previous` is the footprint before, 0 if there is none. `pattern` may be NULL.
FiloResult placement_check_footprint(float footprint, const FiloPattern *pattern, float previous,
                                     const char *what);

size_t placement_texel_size(FiloMapFormat format);
// The map must have been checked.
PlacementReader placement_reader(const FiloTerrainMap *map, FiloMapFilter filter);
// Adds a map that was checked, or finds it among those that are there. Converts floats.
FiloResult placement_add_map(FiloPlacement *p, const FiloTerrainMap *map, FiloMapFilter filter,
                             const char *name, int *index);
// Sets the pattern and all that follows from it; `pattern` NULL or without points: picked by the seed. False without memory.
bool placement_setup_footprint(FiloPlacement *p, PlacementFootprint *f, float footprint,
                               const FiloPattern *pattern, int index);
// Resolves the defaults, and adds the map `towards`.
FiloResult placement_set_variation(FiloPlacement *p, PlacementLayer *layer, const FiloVariation *variation);

// Fills footprints, layers, maps and programs from desc->ecotope and desc->maps. Checks them first. (ecotope)
FiloResult placement_ecotope_apply(FiloPlacement *p, const FiloPlacementDesc *desc);

#endif
