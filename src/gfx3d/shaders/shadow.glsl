// Shadows of the sun, in fragment shaders.
#include "frame.glsl"
#ifndef FILO_SHADOW_GLSL
#define FILO_SHADOW_GLSL

uniform highp sampler2DArrayShadow filo_shadow_map;

// A smooth mean of 3 × 3 texels by four filtered reads: each reads two by two texels, weighted by where the point lies
// between them (Castaño, Shadow Mapping Summary).
float filo_shadow_read(vec3 at, float layer) {
    vec2 texel = at.xy / frame.shadow_texel;
    vec2 base = floor(texel + 0.5);
    vec2 s = texel + 0.5 - base;
    base = (base - 0.5) * frame.shadow_texel;
    vec2 w0 = 3.0 - 2.0 * s, w1 = 1.0 + 2.0 * s;
    vec2 o0 = ((2.0 - s) / w0 - 1.0) * frame.shadow_texel + base;
    vec2 o1 = (s / w1 + 1.0) * frame.shadow_texel + base;
    float sum = w0.x * w0.y * texture(filo_shadow_map, vec4(o0, layer, at.z)) +
                w1.x * w0.y * texture(filo_shadow_map, vec4(o1.x, o0.y, layer, at.z)) +
                w0.x * w1.y * texture(filo_shadow_map, vec4(o0.x, o1.y, layer, at.z)) +
                w1.x * w1.y * texture(filo_shadow_map, vec4(o1, layer, at.z));
    return sum * (1.0 / 16.0);
}

// A value from 0 to 1 by pixel, evenly spread among neighbours (Jimenez).
float filo_pixel_noise(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))); }

// How much of the sun reaches a position on a surface with this normal: 0 to 1. Near the end of a cascade, pixels choose
// it or the next one by chance, which looks like a blend and costs one reading. The position is moved along the normal by
// about a texel, so that a surface does not shadow itself.
float filo_shadow(vec3 position, vec3 normal) {
    vec3 offset = position - frame.eye;
    float depth = dot(offset, frame.forward);
    bvec3 beyond = greaterThan(vec3(depth * (1.0 + 0.1 * filo_pixel_noise(gl_FragCoord.xy))), frame.cascade_ends.xyz);
    vec4 cascade = beyond.z ? frame.cascades[3] : beyond.y ? frame.cascades[2] : beyond.x ? frame.cascades[1] :
                   frame.cascades[0];
    float layer = beyond.z ? 3.0 : beyond.y ? 2.0 : beyond.x ? 1.0 : 0.0;
    offset += normal * (cascade.w * (2.0 - 1.6 * max(dot(normal, frame.sun_direction), 0.0)));
    vec3 at = vec3(dot(offset, frame.sun_x), dot(offset, frame.sun_y), dot(offset, frame.sun_z));
    at = at * vec3(cascade.z, -cascade.z, 1.0) + vec3(cascade.xy, frame.sun_depth);
    float light = filo_shadow_read(vec3(at.xy, min(at.z, 0.9999)), layer);
    float fade = clamp((depth - frame.shadow_start) / (frame.shadow_fade - frame.shadow_start), 0.0, 1.0);
    return frame.cascade_count > 0 ? mix(light, 1.0, fade) : 1.0;
}
#endif
