// Light on leaves and grass, in fragment shaders.

// Cards have the normals of the whole crown, on both sides. Light shines through leaves: looked at against the sun they glow.
void light_leaves(inout FiloSurface s, float through) {
    if (!gl_FrontFacing) s.normal = -s.normal;
    float towards = max(dot(normalize(s.position - frame.eye), frame.sun_direction), 0.0);
    float shaded = dot(s.vertex_color.rgb, vec3(0.4));
    s.emissive += s.color.rgb * frame.sun_color * (through * shaded * towards * towards * towards);
}
