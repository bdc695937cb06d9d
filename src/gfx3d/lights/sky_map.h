// The sky as an octahedral map, which environment.glsl reads for reflections, in layers that are more and more blurred.
//
// Nodes lie on the border of the square: node (0, 0) is (−1, −1), the last one (1, 1). On the border two nodes are the
// same direction.

#ifndef FILO_GFX3D_SKY_MAP_H
#define FILO_GFX3D_SKY_MAP_H

#include <filo/jobs.h>
#include <filo/vector.h>

#include "gfx3d/lights/harmonics.h"

#define GFX3D_SKY_SIDE   65 // nodes: a power of 2, and 1
#define GFX3D_SKY_LAYERS 8

typedef struct Gfx3dSkyMap {
    FiloVec3 layers[GFX3D_SKY_LAYERS][GFX3D_SKY_SIDE][GFX3D_SKY_SIDE];
} Gfx3dSkyMap;

// Radiance in a direction of length 1. Called on workers.
typedef FiloVec3 (*Gfx3dRadiance)(FiloVec3 direction, void *user);

// The roughness of a layer: as in filo_sky.
float gfx3d_sky_roughness(int layer);
FiloVec3 gfx3d_sky_direction(int x, int y);
// The solid angle of a node; all together are 4π.
float gfx3d_sky_solid_angle(int x, int y);
// Between nodes.
FiloVec3 gfx3d_sky_sample(const Gfx3dSkyMap *map, int layer, FiloVec3 direction);

// Fills layer 0.
void gfx3d_sky_map_fill(Gfx3dSkyMap *map, FiloJobs *jobs, Gfx3dRadiance radiance, void *user);
// Fills a further layer by blurring the one before.
void gfx3d_sky_map_blur(Gfx3dSkyMap *map, FiloJobs *jobs, int layer);
void gfx3d_sky_map_harmonics(const Gfx3dSkyMap *map, Gfx3dHarmonics *harmonics);

#endif
