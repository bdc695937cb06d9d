// Private to lights/: what is known of light in a frame, and what it is made of.
//
//   lights.c       suns, points and spots of the world; which of them a view shows; the Frame block
//   environment.c  sky and fog: the sky map, its harmonics and the colours of fog, when sun or sky change
//   sky_image.c    images as skies: an asset type
//   atmosphere.c   the computed sky
//   sky_map.c      the sky in all directions, and blurred
//   cascades.c     shadows of the sun
//   tiles.c        which points and spots reach which part of a picture

#ifndef FILO_GFX3D_LIGHTS_H
#define FILO_GFX3D_LIGHTS_H

#include "gfx3d/lights/atmosphere.h"
#include "gfx3d/lights/cascades.h"
#include "gfx3d/lights/frame.h"
#include "gfx3d/lights/sky_map.h"
#include "gfx3d/lights/tiles.h"
#include "gfx3d/renderer.h"

typedef struct Gfx3dLamp { // a point or a spot in this frame
    Gfx3dFrameLight light;
    float range;
    FiloEntity entity;
} Gfx3dLamp;

typedef struct Gfx3dSun {
    bool found;         // there is one
    FiloVec3 direction; // towards it
    FiloVec3 color;     // without the colour that the sky gives it
    bool shadows;
    float shadow_distance;
} Gfx3dSun;

typedef enum Gfx3dSkyKind {
    GFX3D_SKY_COMPUTED,
    GFX3D_SKY_IMAGE,
    GFX3D_SKY_NONE, // the background of the camera; surfaces reflect a grey studio
} Gfx3dSkyKind;

// Everything that the sky map depends on.
typedef struct Gfx3dSkyKey {
    Gfx3dSkyKind kind;
    FiloVec3 to_sun; // of a computed sky
    float sunlight; // on a white surface that faces the sun, without air: its brightness, whatever its colour
    float haze;
    float brightness, rotation; // rotation: of an image
    float limit;                // of the radiance of an image, where the sun is a light of its own
    uint32_t image, version;    // the asset of an image
} Gfx3dSkyKey;

typedef struct Gfx3dSky {
    Gfx3dAir air;
    Gfx3dAtmosphere atmosphere;
    Gfx3dSkyMap map;
    uint16_t texels[GFX3D_SKY_SIDE * GFX3D_SKY_SIDE * 4]; // a layer as it is written to the texture
    Gfx3dSkyKey key;                                      // what the map shows
    int next_layer;                                       // that is to be blurred; GFX3D_SKY_LAYERS: complete
    bool valid;                                           // there was a sky
    FiloTexture table_texture, map_texture;
    FiloVec4 ambient[9];
    FiloVec3 horizon, glow;    // colour of fog, and what is added towards the sun
    FiloPipeline pipelines[3]; // that draw it: computed, image, computed with stars
    // An image as sky.
    FiloName image;
    FiloAsset asset;
    uint32_t image_version; // that image_texture shows
    FiloTexture image_texture;
} Gfx3dSky;

struct Gfx3dLights {
    FiloQuery *query;
    FiloArray(Gfx3dLamp) lamps;
    Gfx3dSun sun;
    FiloEnvironment environment;
    float exposure; // of the environment, in stops
    Gfx3dSky *sky;
    FiloTexture shadow_map;
    FiloTexture no_shadow_map; // one texel, for shaders that read shadows in the passes that draw them
    FiloRenderTarget shadow_targets[GFX3D_CASCADES];
    int shadow_layers;
    uint32_t frame; // counted
};

// An image as sky: data of assets of the type "sky".
#define GFX3D_SKY_IMAGE_WIDTH 128 // of the small copy
typedef struct Gfx3dSkyImage {
    int width, height;
    uint16_t *texels;                                                 // half floats, 4 a pixel; linear
    FiloVec3 small[GFX3D_SKY_IMAGE_WIDTH / 2][GFX3D_SKY_IMAGE_WIDTH]; // means
} Gfx3dSkyImage;
FiloResult gfx3d_sky_image_decode(Gfx3dSkyImage **image, const FiloAssetBytes *bytes);
void gfx3d_sky_image_free(Gfx3dSkyImage *image, const FiloAllocator *allocator); // NULL is allowed
// Registers the asset type "sky", unless it is.
FiloResult gfx3d_sky_images_register(FiloAssets *assets);
// The radiance of an image, turned about y, in a direction of length 1.
FiloVec3 gfx3d_sky_image_radiance(const Gfx3dSkyImage *image, FiloVec3 direction, float rotation);

FiloResult gfx3d_sky_init(FiloGfx3d *gfx);
void gfx3d_sky_deinit(FiloGfx3d *gfx);
// Computes what has changed: at first everything, later a part in each frame. Main.
void gfx3d_sky_update(FiloGfx3d *gfx);
// The colour of sunlight on the ground, in this frame.
FiloVec3 gfx3d_sky_sun_color(const Gfx3dLights *lights);

// A colour as components have it, linear; white if all zero.
FiloVec3 gfx3d_linear_color(FiloColor color, FiloVec3 if_zero);

#endif
