// Quads that face the camera: billboards and particles. An instance is a Gfx3dQuad (effects/effects.h).
//
// Colours are premultiplied. What is added has no alpha, so both kinds are blended by the same pipeline. Light and fog are
// those of the middle of a quad.
//
// SPOT: a round, soft spot instead of an image.
#include "environment.glsl"
#include "maths.glsl"

//! vertex
layout(location = 0) in vec3 centre;
layout(location = 1) in uint flags;
layout(location = 2) in vec2 size; // half of it
layout(location = 3) in vec4 axis;
layout(location = 4) in vec4 color;
layout(location = 5) in float brightness;
layout(location = 6) in vec2 uv_min;
layout(location = 7) in vec2 uv_max;

out vec2 uv;
out vec4 light; // premultiplied, with fog taken away
out vec3 fog;   // what the fog adds

const uint UPRIGHT = 1u;
const uint LIT = 2u;
const uint ADD = 4u;
const uint STRETCHED = 8u;

// Both sides of a quad, of length 1.
void quad_sides(out vec3 right, out vec3 up) {
    right = vec3(frame.view[0][0], frame.view[1][0], frame.view[2][0]);
    up = vec3(frame.view[0][1], frame.view[1][1], frame.view[2][1]);
    if ((flags & STRETCHED) != 0u) {
        up = axis.xyz;
        vec3 side = cross(centre - frame.eye, up);
        float squared = dot(side, side);
        right = squared > 1e-12 ? side * inversesqrt(squared) : right;
        return;
    }
    if ((flags & UPRIGHT) != 0u) {
        up = vec3(0.0, 1.0, 0.0);
        right = normalize(vec3(right.x, 0.0, right.z) + vec3(1e-6, 0.0, 0.0));
    }
    vec3 r = right;
    right = r * axis.x + up * axis.y;
    up = up * axis.x - r * axis.y;
}

// Light of sky and sun on something that has no surface.
vec3 quad_light(vec3 view) {
    float towards = dot(view, frame.sun_direction);
    return 0.5 * (filo_ambient(vec3(0.0, 1.0, 0.0)) + filo_ambient(view)) +
           frame.sun_color * (0.35 + 0.15 * towards);
}

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    vec3 right, up;
    quad_sides(right, up);
    vec2 at = (corner * 2.0 - 1.0) * size;
    vec3 position = centre + right * at.x + up * at.y;
    gl_Position = frame.view_projection * vec4(position, 1.0);

    vec3 offset = centre - frame.eye;
    vec3 direction = offset * inversesqrt(max(dot(offset, offset), 1e-6));
    vec3 straight = color.a > 0.0 ? color.rgb / color.a : color.rgb;
    vec3 linear = filo_linear(min(straight, vec3(1.0))) * (color.a > 0.0 ? color.a : 1.0) * brightness;
    if ((flags & LIT) != 0u) linear *= quad_light(-direction);
    float alpha = (flags & ADD) != 0u ? 0.0 : color.a;
    float lost = filo_fog_amount(offset, frame.fog_falloff);
    light = vec4(linear * (1.0 - lost), alpha);
    fog = filo_fog_color(direction) * (lost * alpha);
#ifdef SPOT
    uv = corner * 2.0 - 1.0;
#else
    uv = mix(uv_min, uv_max, vec2(corner.x, 1.0 - corner.y));
#endif
}

//! fragment
#ifndef SPOT
uniform sampler2D image;
#endif
in vec2 uv;
in vec4 light;
in vec3 fog;
out vec4 result;

void main() {
#ifdef SPOT
    float inside = max(1.0 - dot(uv, uv), 0.0);
    vec4 texel = vec4(1.0, 1.0, 1.0, inside * inside);
#else
    vec4 texel = texture(image, uv);
#endif
    result = vec4((texel.rgb * light.rgb + fog) * texel.a, light.a * texel.a);
}
