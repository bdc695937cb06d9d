// Which lights reach which part of a picture.
//
// A picture is cut into tiles. Each has a list of the lights whose sphere may be seen in it, so that a pixel computes only
// those: a light costs as much as all other light on a surface together.

#ifndef FILO_GFX3D_TILES_H
#define FILO_GFX3D_TILES_H

#include "gfx3d/lights/frame.h"

typedef struct Gfx3dTilesDesc {
    FiloMat4 view, projection;
    bool orthographic;
    float near;
} Gfx3dTilesDesc;

// Adds a light (its index, below GFX3D_LIGHTS) to the tiles that a sphere may be seen in. A tile that is full leaves it out:
// add the lights that matter most first. Tiles are all zero at first.
void gfx3d_tiles_add(Gfx3dLightTile tiles[GFX3D_TILES_Y][GFX3D_TILES_X], const Gfx3dTilesDesc *desc,
                     int light, FiloVec3 centre, float radius);

#endif
