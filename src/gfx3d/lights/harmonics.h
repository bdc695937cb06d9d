// Light from all directions as nine spherical harmonics (Ramamoorthi and Hanrahan, An Efficient Representation for
// Irradiance Environment Maps).

#ifndef FILO_GFX3D_HARMONICS_H
#define FILO_GFX3D_HARMONICS_H

#include <filo/vector.h>

// The sum of radiances times the harmonics, in three colours.
typedef struct Gfx3dHarmonics {
    FiloVec3 sums[9];
} Gfx3dHarmonics;

// Adds the radiance of a part of the sphere: `weight` is its solid angle.
void gfx3d_harmonics_add(Gfx3dHarmonics *harmonics, FiloVec3 direction, FiloVec3 radiance, float weight);
// The coefficients of filo_ambient (environment.glsl): irradiance of a surface divided by π, so that it is the radiance of
// a white one.
void gfx3d_harmonics_ambient(const Gfx3dHarmonics *harmonics, FiloVec4 ambient[9]);
// What filo_ambient computes of them.
FiloVec3 gfx3d_ambient(const FiloVec4 ambient[9], FiloVec3 normal);

#endif
