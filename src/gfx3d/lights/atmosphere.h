// A computed sky: light of the sun that air and haze scatter towards the eye.
//
// Single scattering is integrated along rays through layers of air (Rayleigh), haze (Mie) and ozone around a sphere; light
// that was scattered more than once is added as a part that comes from everywhere (Hillaire, A Scalable and Production
// Ready Sky and Atmosphere Rendering Technique). Directions are stored by their height and by the angle to the sun about
// y, so a small table is enough, which sky.glsl reads.

#ifndef FILO_GFX3D_ATMOSPHERE_H
#define FILO_GFX3D_ATMOSPHERE_H

#include <filo/vector.h>

// The table of a sky. Column: the first is away from the sun, the last towards it, evenly in the cosine of the angle. Row:
// the first is below, the last above; the middle is the horizon, and the distance from it is the square root of |y|.
#define GFX3D_SKY_COLUMNS 32
#define GFX3D_SKY_ROWS    48

// Sums of densities on the way from a height to the end of the air, the same for all skies.
#define GFX3D_AIR_HEIGHTS 32
#define GFX3D_AIR_ANGLES  64
typedef struct Gfx3dAir {
    float columns[GFX3D_AIR_HEIGHTS][GFX3D_AIR_ANGLES][3]; // air, haze, ozone, in km
} Gfx3dAir;
void gfx3d_air_init(Gfx3dAir *air);

typedef struct Gfx3dAtmosphere {
    FiloVec3 to_sun;
    float haze;        // 0 to 1
    FiloVec3 sunlight; // that reaches the ground, by that of a high sun in clear air
    float gain;        // factor of all brightnesses: a picture adapts to low light, as eyes do
    // Scattered by air, and w by haze, which is strongest near the sun: times haze_color and the phase function it is the
    // radiance that haze adds.
    FiloVec4 table[GFX3D_SKY_ROWS][GFX3D_SKY_COLUMNS];
    FiloVec3 haze_color;
    // private:
    FiloVec3 scattered[4]; // light that was scattered more than once, by height
} Gfx3dAtmosphere;

// Sets everything but the table. Cheap.
void gfx3d_atmosphere_begin(Gfx3dAtmosphere *sky, const Gfx3dAir *air, FiloVec3 to_sun, float haze);
// Fills a row of the table. Rows may be filled on several threads.
void gfx3d_atmosphere_row(Gfx3dAtmosphere *sky, const Gfx3dAir *air, int row);
// After all rows: lets the ground begin softly below the horizon, because what is drawn seldom reaches that far.
void gfx3d_atmosphere_end(Gfx3dAtmosphere *sky);

// The colour of sunlight on the ground, by that of a high sun in clear air, for a sun at this height (the y of its
// direction); and the factor of all brightnesses. Both are what gfx3d_atmosphere_begin sets.
FiloVec3 gfx3d_sunlight(const Gfx3dAir *air, float sun_height, float haze, float *gain);
// The radiance of the sky in a direction of length 1, for a sun whose light on a white surface is 1. What sky.glsl draws,
// without the sun itself.
FiloVec3 gfx3d_atmosphere_radiance(const Gfx3dAtmosphere *sky, FiloVec3 direction);

#endif
