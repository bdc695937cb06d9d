// filo/ecotope.h: files that say where things grow, for filo/placement.h.
//
//     FiloEcotope *forest;
//     FiloResult r = filo_ecotope_load(&forest, "forest.ecotope.json", NULL);
//     if (r.code != FILO_OK) return r;                         // "forest.ecotope.json:12:5: there is no map …"
//     FiloPlacement *placement;
//     r = filo_placement_create(&placement, &(FiloPlacementDesc){
//         .size = { 2000, 2000, 600 }, .height = filo_terrain_map(heights, FILO_MAP_U16, 1024, 1024),
//         .ecotope = forest,
//         .maps = (FiloNamedMap[]){ { "woods", filo_terrain_map(woods, FILO_MAP_U8, 512, 512) } }, .map_count = 1 });
//     filo_ecotope_free(forest);                               // the placement has what it needs
//
// An ecotope is a kind of land: a pine wood, a scree. It has layers, which are kinds of objects, and ecotopes inside it,
// which refine it. Each has a density: a number, a map, or an expression of both:
//
//     { "maps": { "woods": {} },
//       "footprints": { "trees": { "metres": 3.5 }, "undergrowth": { "metres": 1 } },
//       "ecotopes": [
//         { "name": "wood", "density": { "multiply": ["woods", { "curve": [[25, 1], [40, 0]], "of": "slope" }] },
//           "layers": [
//             { "name": "pine", "footprint": "trees", "density": 0.8, "scale": [0.7, 1.3] },
//             { "name": "fern", "footprint": "undergrowth", "density": { "near": "pine", "within": 6 } } ] } ] }
//
// docs/ecotopes.md describes the format. Everything is checked when the file is read: names, kinds, numbers, cycles. A
// message begins with file, line and column, and unknown names come with the name that was probably meant. What is
// compiled from it is integer arithmetic, and has the same result on every machine.
//
// A FiloEcotope does not change once it is read; any number of threads may use it at once.

#ifndef FILO_ECOTOPE_H
#define FILO_ECOTOPE_H

#include <filo/memory.h>
#include <filo/placement.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

#define FILO_ECOTOPE_NODES 4096 // expressions in one file, numbers and names included
#define FILO_ECOTOPE_DEPTH 128  // of expressions and ecotopes inside each other, through names too

// Reads a file in memory. `source` is named in messages (NULL: "ecotope"), and copied. The text need not end in a zero
// byte, and is not used afterwards. `allocator` NULL: filo_heap(); it must outlive the ecotope.
//
// On failure *ecotope is NULL. FILO_ERROR_DATA: not JSON, or not an ecotope; FILO_ERROR_NOT_FOUND: a name that does not
// exist; FILO_ERROR_LIMIT: too large; FILO_ERROR_MEMORY. All but the last begin with file, line and column.
FiloResult filo_ecotope_parse(FiloEcotope **ecotope, const char *text, size_t length, const char *source,
                              const FiloAllocator *allocator);
// As filo_ecotope_parse, for a file. Reads the disk. The path is the name in messages.
FiloResult filo_ecotope_load(FiloEcotope **ecotope, const char *path, const FiloAllocator *allocator);
// Placements that were created with it keep working. NULL is allowed.
void filo_ecotope_free(FiloEcotope *ecotope);

// The maps that FiloPlacementDesc.maps must have, without those that the placement computes from its heightmap if they
// are missing (slope, aspect, curvature). Names are valid as long as the ecotope; "" if there is no such map.
size_t filo_ecotope_map_count(const FiloEcotope *ecotope);
const char *filo_ecotope_map_name(const FiloEcotope *ecotope, size_t map);

// Footprints, and layers in the order that they have in a placement: footprint by footprint, and in each as in the file.
// "" if there is none.
size_t filo_ecotope_footprint_count(const FiloEcotope *ecotope);
const char *filo_ecotope_footprint_name(const FiloEcotope *ecotope, size_t footprint);
size_t filo_ecotope_layer_count(const FiloEcotope *ecotope);
const char *filo_ecotope_layer_name(const FiloEcotope *ecotope, size_t layer);

FILO_END_DECLS

#endif
