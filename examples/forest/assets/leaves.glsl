// Light on leaves and grass, in fragment shaders.

// How much light there is inside of the crown. The colour of a vertex is that times the colour of the tree.
float light_of(FiloSurface s) { return max(s.vertex_color.r, max(s.vertex_color.g, s.vertex_color.b)); }

// Cards have the normals of the whole crown, on both sides. Light shines through leaves: where the sun is behind them they
// glow, most of all if one looks against it.
void light_leaves(inout FiloSurface s, float through) {
    if (!gl_FrontFacing) s.normal = -s.normal;
    float towards = max(dot(normalize(s.position - frame.eye), frame.sun_direction), 0.0);
    float behind = max(-dot(s.normal, frame.sun_direction), 0.0);
    float shaded = light_of(s);
    s.emissive += s.color.rgb * frame.sun_color * (through * shaded * (towards * towards * towards + 0.5 * behind));
}
