// Grass and what grows in it: blades. uv.y is their height at this vertex, which the wind bends.

//! vertex
#include "wind.glsl"

void vertex(inout FiloVertex v) {
    float gust = sin(0.35 * v.origin.x + 0.22 * v.origin.z - 2.2 * frame.time) + 0.5 * sin(3.1 * frame.time + 17.0 * v.seed);
    v.position += vec3(0.10, -0.02, 0.06) * (v.uv.y * (0.6 + gust));
    v.normal = vec3(0.25 * v.normal.x, abs(v.normal.y) + 0.4, 0.25 * v.normal.z);
}

//! fragment
#include "leaves.glsl"

void surface(inout FiloSurface s) {
    light_leaves(s, 0.35);
    s.occlusion = 0.55 + 0.45 * light_of(s);
}
