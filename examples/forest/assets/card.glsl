// Trees that are far away: a picture that turns to the camera, or to the sun where it casts a shadow.

//! vertex
#include "wind.glsl"

void vertex(inout FiloVertex v) {
    vec3 to = frame.shadow_pass == 1 ? frame.sun_direction : frame.eye - v.origin;
    vec3 facing = normalize(vec3(to.x, 0.0, to.z) + vec3(1e-4, 0.0, 0.0));
    vec3 right = vec3(facing.z, 0.0, -facing.x);
    float scale = length(v.position - v.origin) / max(length(v.local), 1e-3);
    float mirrored = v.seed < 0.5 ? -1.0 : 1.0;
    v.position = v.origin + scale * (right * (v.local.x * mirrored) + vec3(0.0, v.local.y, 0.0));
    v.position += wind_at(v.origin, v.local.y * 0.35, 1.0, v.seed);
    // As round as a crown.
    float side = v.local.x > 0.0 ? mirrored : -mirrored;
    v.normal = right * (0.85 * side) + facing * 0.55 + vec3(0.0, v.local.y > 0.5 ? 0.9 : 0.25, 0.0);
}

//! fragment
#include "leaves.glsl"

void surface(inout FiloSurface s) {
    light_leaves(s, 0.40);
    s.occlusion = 0.8;
}
