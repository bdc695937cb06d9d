// The uniform block `Frame` of shaders/frame.glsl, slot 0 of all pipelines that draw a view.
//
// The layout is std140: a vec3 begins at a multiple of 16 bytes, and a float after it fills the rest. The structs have no
// padding, so this holds as long as each vec3 is followed by one float. The offsets are asserted below.

#ifndef FILO_GFX3D_FRAME_H
#define FILO_GFX3D_FRAME_H

#include <filo/matrix.h>

#include <stddef.h>
#include <stdint.h>

#define GFX3D_LIGHTS   64 // of a view
#define GFX3D_CASCADES 4

typedef struct Gfx3dFrameLight {
    FiloVec3 position;
    float inverse_square_range;
    FiloVec3 color;
    float spot_scale;
    FiloVec3 direction;
    float spot_offset;
} Gfx3dFrameLight;

// A part of the picture, and which of the lights reach it. In the shader 32 bytes are two uvec4, so this is the order of
// bytes of all machines that Filo runs on: the lowest first.
#define GFX3D_TILES_X     16
#define GFX3D_TILES_Y     8
#define GFX3D_TILE_LIGHTS 31
typedef struct Gfx3dLightTile {
    uint8_t count;
    uint8_t lights[GFX3D_TILE_LIGHTS];
} Gfx3dLightTile;

typedef struct Gfx3dFrameBlock {
    FiloMat4 view_projection, view, inverse;
    FiloVec3 eye;
    float time;
    FiloVec3 forward;
    float exposure;
    FiloVec2 size;
    float near, far;
    FiloVec3 sun_direction;
    float shadow_fade;
    FiloVec3 sun_color;
    float shadow_start;
    FiloVec3 fog_color;
    float fog_density;
    FiloVec3 fog_glow;
    float fog_height;
    float fog_falloff, fog_eye;
    int32_t light_count, cascade_count;
    float sky_layers, sky_light;
    int32_t shadow_pass;
    float shadow_texel;
    FiloVec4 cascade_ends;
    FiloVec3 sun_x;
    float random;
    FiloVec3 sun_y;
    float perspective;
    FiloVec3 sun_z;
    float sun_depth;
    FiloVec4 cascades[GFX3D_CASCADES];
    FiloVec4 ambient[9];
    Gfx3dFrameLight lights[GFX3D_LIGHTS];
    Gfx3dLightTile light_tiles[GFX3D_TILES_Y][GFX3D_TILES_X];
} Gfx3dFrameBlock;

_Static_assert(sizeof(Gfx3dFrameLight) == 48, "an element of an array is a multiple of 16 bytes");
_Static_assert(offsetof(Gfx3dFrameBlock, eye) == 192, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, forward) == 208, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, size) == 224, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sun_direction) == 240, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sun_color) == 256, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, fog_color) == 272, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, fog_glow) == 288, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, fog_falloff) == 304, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sky_layers) == 320, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, cascade_ends) == 336, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sun_x) == 352, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sun_y) == 368, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, sun_z) == 384, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, cascades) == 400, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, ambient) == 464, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, lights) == 608, "std140");
_Static_assert(offsetof(Gfx3dFrameBlock, light_tiles) == 608 + 48 * GFX3D_LIGHTS, "std140");
_Static_assert(sizeof(Gfx3dFrameBlock) == 608 + 48 * GFX3D_LIGHTS + 32 * GFX3D_TILES_X * GFX3D_TILES_Y,
               "std140");

#endif
