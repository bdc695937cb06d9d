// What surrounds everything: light from the sky, its reflection, fog. In fragment or vertex shaders.
#include "frame.glsl"
#ifndef FILO_ENVIRONMENT_GLSL
#define FILO_ENVIRONMENT_GLSL

// The sky as an octahedral map: the upper half of the sphere is a diamond in the middle, the lower half its corners.
// Texels at the border lie exactly on the border, where two of them are the same direction; so there is no seam. Layers
// are blurred more and more. There are so many that the nearest one is good enough.
#define FILO_SKY_SIDE 65.0
uniform highp sampler2DArray filo_sky_map;

vec2 filo_octahedral(vec3 direction) {
    vec3 d = direction / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 folded = (1.0 - abs(d.zx)) * vec2(d.x < 0.0 ? -1.0 : 1.0, d.z < 0.0 ? -1.0 : 1.0);
    return (d.y < 0.0 ? folded : d.xz) * 0.5 + 0.5;
}

// Radiance of the sky in a direction (of any length), as a surface of this roughness reflects it.
vec3 filo_sky(vec3 direction, float roughness) {
    vec2 uv = (filo_octahedral(direction) * (FILO_SKY_SIDE - 1.0) + 0.5) / FILO_SKY_SIDE;
    return texture(filo_sky_map, vec3(uv, roughness * frame.sky_layers)).rgb * frame.sky_light;
}

// The direction from a position towards the camera, of length 1.
vec3 filo_to_eye(vec3 position) {
    return normalize(mix(-frame.forward, frame.eye - position, frame.perspective));
}

// Light from all directions on a surface with this normal, for a white one: times its colour it is what is seen.
vec3 filo_ambient(vec3 n) {
    return max(frame.ambient[0].rgb + frame.ambient[1].rgb * n.y + frame.ambient[2].rgb * n.z +
                   frame.ambient[3].rgb * n.x + frame.ambient[4].rgb * (n.x * n.y) +
                   frame.ambient[5].rgb * (n.y * n.z) + frame.ambient[6].rgb * (n.z * n.z) +
                   frame.ambient[7].rgb * (n.x * n.z) + frame.ambient[8].rgb * (n.x * n.x - n.y * n.y),
               vec3(0.0));
}

// Part of the light that fog takes on the way from a position to the eye. The density is 1 up to fog_height and falls
// exponentially above. `end` is its integral from there to the position, fog_eye that to the eye.
float filo_fog_amount(vec3 offset, float falloff) {
    float rise = abs(offset.y) < 0.25 ? 0.25 : offset.y;
    float y = frame.eye.y + rise - frame.fog_height;
    float end = y <= 0.0 || falloff <= 0.0 ? y : (1.0 - exp2(-1.442695 * falloff * y)) / falloff;
    float depth = length(offset) * frame.fog_density * max((end - frame.fog_eye) / rise, 0.0);
    return 1.0 - exp2(-1.442695 * depth);
}

// The colour of fog in a direction of length 1 from the eye.
vec3 filo_fog_color(vec3 direction) {
    float towards = max(dot(direction, frame.sun_direction), 0.0);
    towards *= towards;
    return frame.fog_color + frame.fog_glow * (towards * towards);
}

// Part of the sky's light that fog takes, in a direction with this y: through all fog above the eye, which is `height`
// above fog_height, but not beyond the far end of the view.
float filo_sky_fog(float y, float falloff, float height) {
    float rise = max(y, 0.0) * frame.far;
    float thin = exp2(-1.442695 * falloff * height);
    float slope = falloff * rise;
    float mean = slope > 0.01 ? (1.0 - exp2(-1.442695 * slope)) / slope : 1.0 - 0.5 * slope;
    return 1.0 - exp2(-1.442695 * frame.fog_density * frame.far * thin * mean);
}

// A colour as it is seen through the fog between a position and the eye.
vec3 filo_fog(vec3 color, vec3 position) {
    vec3 offset = position - frame.eye;
    vec3 fog = filo_fog_color(offset * inversesqrt(max(dot(offset, offset), 1e-6)));
    return mix(color, fog, filo_fog_amount(offset, frame.fog_falloff));
}
#endif
