// Light on leaves and grass, in fragment shaders.

// Cards have the normals of the whole crown, on both sides. Light shines through leaves: where the sun is behind them they
// glow, most of all if one looks against it.
void light_leaves(inout FiloSurface s, float through) {
    if (!gl_FrontFacing) s.normal = -s.normal;
    float towards = max(dot(normalize(s.position - frame.eye), frame.sun_direction), 0.0);
    float behind = max(-dot(s.normal, frame.sun_direction), 0.0);
    float shaded = dot(s.vertex_color.rgb, vec3(0.4));
    s.emissive += s.color.rgb * frame.sun_color * (through * shaded * (towards * towards * towards + 0.5 * behind));
}
