// Trees that are near: trunks, branches and cards of leaves.

//! vertex
#include "wind.glsl"

void vertex(inout FiloVertex v) {
    bool wood = v.uv.y < 0.25 || (v.uv.x > 0.75 && v.uv.y < 0.5);
    if (wood) v.color = vec4(1.0); // only leaves have the colour of the tree
    float flutter = wood ? 0.0 : 0.035 * sin(3.3 * frame.time + 9.0 * v.seed + 4.0 * v.local.x + 3.0 * v.local.y);
    v.position += wind_at(v.origin, v.local.y * 0.35, 1.0, v.seed) + vec3(flutter, 0.6 * flutter, -flutter);
}

//! fragment
#include "leaves.glsl"

void surface(inout FiloSurface s) {
    bool wood = s.uv.y < 0.25 || (s.uv.x > 0.75 && s.uv.y < 0.5);
    if (!wood) light_leaves(s, 0.55);
    s.occlusion = wood ? 0.7 : 0.5 + 0.5 * light_of(s);
}
