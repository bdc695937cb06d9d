// What check.c, create.c and the compiler of ecotopes share.

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

// All of a description, except for an ecotope.
FiloResult placement_check_desc(const FiloPlacementDesc *desc);
size_t placement_footprints_of(const FiloPlacementDesc *desc);
size_t placement_layers_of(const FiloFootprint *footprint);
FiloResult placement_too_many_maps(const char *name);
bool placement_has_pattern(const FiloPattern *pattern);

// ---- Footprints together ------------------------------------------------------------------------------------

// What other footprints have to know of one.
typedef struct PlacementGround {
    const char *name;
    float radius; // the largest of its layers; negative: none
    double block; // metres
} PlacementGround;

// Units to a metre, for distances beside the smallest footprint.
int32_t placement_units_for(float smallest);
// Metres that a layer claims, after its default.
float placement_radius(const FiloPlacementLayer *layer, float footprint);
// Metres within which two footprints push each other away; 0: they do not.
float placement_reach_of(const PlacementGround *earlier, const PlacementGround *later);
FiloResult placement_check_radius(const char *layer, float radius, float smallest);
FiloResult placement_check_block(const PlacementGround *ground, float smallest);
FiloResult placement_check_together(const PlacementGround *earlier, const PlacementGround *later,
                                    float smallest);

// ---- Preparing ----------------------------------------------------------------------------------------------

// Copies `name`, or makes one: "layer 3".
void placement_set_name(char to[PLACEMENT_NAME], const char *name, const char *kind, size_t number);
size_t placement_texel_size(FiloMapFormat format);
// The map must have been checked.
PlacementReader placement_reader(const FiloTerrainMap *map, FiloMapFilter filter);
bool placement_same_reader(const PlacementReader *a, const PlacementReader *b);
// Adds a map that was checked, or finds it among those that are there. Converts floats.
FiloResult placement_add_map(FiloPlacement *p, const FiloTerrainMap *map, FiloMapFilter filter,
                             const char *name, int *index);
// Sets the pattern and all that follows from it; `pattern` NULL or without points: picked by the seed. False without memory.
bool placement_setup_footprint(FiloPlacement *p, PlacementFootprint *f, float footprint,
                               const FiloPattern *pattern, int index);
// Resolves the defaults, and adds the map `towards`.
FiloResult placement_set_variation(FiloPlacement *p, PlacementLayer *layer, const FiloVariation *variation);

// The maps that desc->ecotope names. (ecotope)
FiloResult placement_ecotope_check(const FiloPlacementDesc *desc);
// Fills footprints, layers, maps and programs from desc->ecotope and desc->maps, which were checked. (ecotope)
FiloResult placement_ecotope_apply(FiloPlacement *p, const FiloPlacementDesc *desc);

#endif
