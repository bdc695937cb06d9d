// A banner that hangs from its upper edge and moves in the wind: the lower a vertex, the farther it swings.

//! vertex
uniform float wave;

void vertex(inout FiloVertex v) {
    float down = v.uv.y;
    float phase = frame.time * 2.0 + v.seed * 6.283 + down * 3.0;
    v.position.z += wave * down * down * (sin(phase) + 0.4 * sin(phase * 2.3 + v.uv.x * 3.0));
    v.position.x += 0.2 * wave * down * sin(phase * 0.7);
}

//! fragment
uniform vec3 stripe;

void surface(inout FiloSurface s) {
    float edge = abs(s.uv.x - 0.5);
    float band = step(0.36, edge) * step(edge, 0.42);
    vec2 centre = (s.uv - vec2(0.5, 0.32)) * vec2(1.0, 2.6);
    float sun = 1.0 - smoothstep(0.2, 0.21, length(centre));
    float rays = step(0.24, length(centre)) * step(length(centre), 0.31) * step(0.0, sin(atan(centre.y, centre.x) * 12.0));
    s.color.rgb = mix(s.color.rgb, stripe, max(band, max(sun, rays)));
    s.roughness = 0.85;
}
