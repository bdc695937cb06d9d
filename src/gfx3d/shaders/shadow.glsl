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
// it or the next one by chance, which looks like a blend and costs one reading.
float filo_shadow(vec3 position, vec3 normal) {
    vec3 offset = position - frame.eye;
    float depth = dot(offset, frame.forward);
    float noise = filo_pixel_noise(gl_FragCoord.xy);
    float chosen = depth * (1.0 + 0.1 * noise);
    vec3 beyond = step(frame.cascade_ends.xyz, vec3(chosen));
    int layer = min(int(dot(beyond, vec3(1.0)) + 0.5), frame.cascade_count - 1);
    if (frame.cascade_count < 1) return 1.0;
    float away = 1.0 - max(dot(normal, frame.sun_direction), 0.0);
    vec3 moved = position + normal * (frame.cascade_texels[layer] * (0.4 + 1.6 * away));
    vec3 at = (frame.cascades[layer] * vec4(moved, 1.0)).xyz;
    float light = filo_shadow_read(vec3(at.xy, min(at.z, 0.9999)), float(layer));
    float fade = clamp((depth - frame.shadow_start) / max(frame.shadow_fade - frame.shadow_start, 1e-3), 0.0, 1.0);
    return mix(light, 1.0, fade);
}
#endif
