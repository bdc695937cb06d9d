// Cascades of the sun's shadows: maths only.
//
// A camera's view up to the distance of shadows is cut into slices. Each is drawn from the sun into a square of the same
// number of texels. The square encloses the bounding sphere of its slice, so its size does not change when the camera
// turns, and it moves by whole texels, so edges of shadows do not crawl.

#ifndef FILO_GFX3D_CASCADES_H
#define FILO_GFX3D_CASCADES_H

#include <filo/matrix.h>

#include "gfx3d/lights/frame.h"

// The part of a slice, at its far end, where pixels choose between it and the next one.
#define GFX3D_CASCADE_BLEND 0.1f

typedef struct Gfx3dCascadesDesc {
    FiloVec3 eye, forward;
    bool orthographic;
    float half_width, half_height; // of the view at distance 1; orthographic: everywhere
    float near, distance;          // shadows from and up to, along `forward`
    FiloVec3 to_sun;               // of length 1
    int count, size;               // size: texels of a side
} Gfx3dCascadesDesc;

typedef struct Gfx3dCascade {
    float begin, end;          // along `forward`
    FiloVec3 centre;           // of the sphere around the slice, before it is moved to whole texels
    float radius;              // of that sphere
    float texel;               // units
    FiloMat4 view, projection; // of the sun
    FiloMat4 to_map;           // from the world to 0 to 1 in the shadow map (y down), and its depth
    FiloVec2 scale,
        offset; // the same for x and y along the axes of the sun, of a position relative to the eye
} Gfx3dCascade;

// What all cascades have in common: the axes of the sun, of which the last points towards it, and the depth of a position
// relative to the eye: dot(axes[2], position) × depth_scale + depth_offset.
typedef struct Gfx3dSunAxes {
    FiloVec3 axes[3];
    float depth_scale, depth_offset;
} Gfx3dSunAxes;

// Fills desc->count cascades.
void gfx3d_cascades(Gfx3dCascade *cascades, Gfx3dSunAxes *axes, const Gfx3dCascadesDesc *desc);

#endif
