// Light on a surface, in fragment shaders. FiloSurface (surface.glsl) is declared before.
//
// Surfaces are metallic-roughness ones: diffuse reflection (Lambert) and specular by microfacets: distribution GGX,
// visibility of Smith in Schlick's form, Fresnel of Schlick. Colours of lights are irradiances of a white surface divided
// by π, so that a white surface that faces a light of 1 is seen as 1.
#include "environment.glsl"
#include "shadow.glsl"
#ifndef FILO_LIGHT_GLSL
#define FILO_LIGHT_GLSL

struct FiloShading { // of a pixel: what all lights have in common
    vec3 normal;
    vec3 view;     // towards the eye
    vec3 diffuse;  // colour
    vec3 specular; // reflectance at normal incidence
    float alpha2;  // (roughness²)²
    float k;       // of visibility
    float nv;      // cosine between normal and view
    float visibility_v;
};

FiloShading filo_shading(vec3 normal, vec3 view, vec3 color, float metallic, float roughness) {
    FiloShading s;
    s.normal = normal;
    s.view = view;
    s.diffuse = color * (1.0 - metallic);
    s.specular = mix(vec3(0.04), color, metallic);
    float r = max(roughness, 0.06);
    s.alpha2 = r * r * r * r;
    s.k = (r + 1.0) * (r + 1.0) * 0.125;
    s.nv = max(abs(dot(normal, view)), 0.01);
    s.visibility_v = s.nv * (1.0 - s.k) + s.k;
    return s;
}

// What is seen of light that comes from a direction, for a light of 1.
vec3 filo_reflect_light(FiloShading s, vec3 direction) {
    float nl = dot(s.normal, direction);
    float lit = max(nl, 0.0);
    vec3 h = normalize(direction + s.view);
    float nh = max(dot(s.normal, h), 0.0);
    float lh = max(dot(direction, h), 0.0);
    float d = nh * nh * (s.alpha2 - 1.0) + 1.0;
    float f = 1.0 - lh;
    float f2 = f * f;
    vec3 fresnel = s.specular + (1.0 - s.specular) * (f2 * f2 * f);
    float shine = s.alpha2 / (4.0 * d * d * s.visibility_v * (lit * (1.0 - s.k) + s.k));
    return (s.diffuse * (1.0 - fresnel) + fresnel * min(shine, 64.0)) * lit;
}

// Light of the points and spots that reach this part of the picture.
vec3 filo_lamps(FiloShading s, vec3 position) {
    vec3 sum = vec3(0.0);
    ivec2 tile = ivec2(gl_FragCoord.xy * vec2(16.0, 8.0) / frame.size);
    int first = (tile.y * 16 + tile.x) * 2;
    int count = int(frame.light_tiles[first].x & 255u);
    for (int i = 1; i <= count; i++) {
        uvec4 part = frame.light_tiles[first + (i >> 4)];
        uint word = (i & 8) != 0 ? ((i & 4) != 0 ? part.w : part.z) : ((i & 4) != 0 ? part.y : part.x);
        int light = int((word >> uint((i & 3) << 3)) & 255u);
        vec3 to = frame.lights[light].position - position;
        float square = dot(to, to);
        float part_of_range = square * frame.lights[light].inverse_square_range; // 1 at the range
        to *= inversesqrt(max(square, 1e-8));
        float window = max(1.0 - part_of_range * part_of_range, 0.0);
        float cone = clamp(dot(frame.lights[light].direction, -to) * frame.lights[light].spot_scale +
                               frame.lights[light].spot_offset, 0.0, 1.0);
        float strength = window * window * cone * cone / max(square, 0.01);
        sum += filo_reflect_light(s, to) * frame.lights[light].color * strength;
    }
    return sum;
}

// Light from the sky: diffuse, and its reflection with the environment's part of the integral as fitted by Karis.
vec3 filo_sky_light(FiloShading s, float roughness, float occlusion) {
    vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * s.nv)) * r.x + r.y;
    vec2 fit = vec2(-1.04, 1.04) * a + r.zw;
    vec3 part = s.specular * fit.x + fit.y;
    vec3 mirrored = filo_sky(reflect(-s.view, s.normal), roughness);
    // What is hidden from most of the sky does not reflect it either, least of all a mirror.
    return filo_ambient(s.normal) * s.diffuse * (1.0 - part) * occlusion +
           mirrored * part * (occlusion * mix(occlusion, 1.0, roughness));
}

// What is seen of a surface: linear, without fog. `view` is the direction towards the eye, of length 1.
vec3 filo_light(FiloSurface surface, vec3 view) {
    FiloShading s = filo_shading(surface.normal, view, surface.color.rgb, surface.metallic, surface.roughness);
    vec3 color = surface.emissive + filo_sky_light(s, surface.roughness, surface.occlusion);
    float sun = filo_shadow(surface.position, surface.normal);
    color += filo_reflect_light(s, frame.sun_direction) * frame.sun_color * sun;
    return color + filo_lamps(s, surface.position);
}
#endif
