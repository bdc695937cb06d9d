// What all shaders of a view share: the block `frame`. Gfx3dFrameBlock (lights/frame.h) has the same layout.

#ifndef FILO_FRAME_GLSL
#define FILO_FRAME_GLSL
#define FILO_LIGHTS 64
#define FILO_TILES 256

struct FiloFrameLight { // a point or a spot
    vec3 position;
    float inverse_square_range; // 1 / range²
    vec3 color;
    float spot_scale; // of a point: 0
    vec3 direction;   // of the beam
    float spot_offset; // of a point: 1
};

layout(std140) uniform Frame {
    mat4 view_projection; // from the world to clip space; in a shadow pass that of the cascade
    mat4 view;            // from the world to the camera
    mat4 inverse;         // of view_projection
    vec3 eye;             // position of the camera; in shadow passes too
    float time;           // seconds
    vec3 forward;         // direction in which the camera looks
    float exposure;       // factor that what is lit is multiplied by, later
    vec2 size;            // of the picture, pixels
    float near;
    float far;
    vec3 sun_direction; // towards the sun, of length 1
    float shadow_fade;  // distance from the camera at which shadows have faded out
    vec3 sun_color;     // irradiance of a surface that faces it; zero: there is no sun
    float shadow_start; // distance from the camera at which they begin to
    vec3 fog_color;     // at the horizon, away from the sun
    float fog_density;  // 0: no fog
    vec3 fog_glow;      // added towards the sun
    float fog_height;   // above it fog thins out …
    float fog_falloff;  // … by e for each 1 / falloff units; 0: it does not
    float fog_eye;      // integral of the relative density from fog_height to the eye
    int light_count; // of the view; pixels read them by light_tiles
    int cascade_count; // 0: no shadows
    float sky_layers;  // layers of the sky map − 1
    float sky_light;   // factor of what is read from the sky map
    int shadow_pass;   // 1: this view is a cascade
    float shadow_texel; // 1 / pixels of a cascade's side
    vec4 cascade_ends;   // distance along `forward` at which each ends
    // From the eye to the shadow map: along the axes of the sun, then scaled and moved. Depth is the same in all cascades.
    vec3 sun_x;
    float random; // 0 to 1, different in each frame
    vec3 sun_y;
    float perspective; // 1: rays of the camera meet in the eye; 0: they are parallel
    vec3 sun_z;        // scaled already
    float sun_depth;   // offset of the depth
    vec4 cascades[4];  // offset of x and y, scale of both, size of a texel in units
    vec4 ambient[9];     // light from the sky: filo_ambient
    FiloFrameLight lights[FILO_LIGHTS];
    uvec4 light_tiles[FILO_TILES]; // two for each tile, 16 in a row, 8 rows: bytes, a count and indices of lights
} frame;
#endif
