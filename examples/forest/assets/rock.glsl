// Rocks: stone from three sides, moss where they look up. uv.y is how mossy they are.

//! fragment
uniform sampler2D stone;

void surface(inout FiloSurface s) {
    vec3 n = abs(s.normal);
    vec2 at = n.y > max(n.x, n.z) ? s.position.xz : n.x > n.z ? s.position.zy : s.position.xy;
    vec3 image = texture(stone, at * 0.31).rgb;
    s.color.rgb *= image * 2.7;
    float up = s.normal.y + 1.1 * (image.g - 0.35);
    float moss = smoothstep(0.35, 0.75, up) * s.uv.y;
    s.color.rgb = mix(s.color.rgb, vec3(0.075, 0.085, 0.022) * (0.6 + 2.0 * image.g), moss);
    s.occlusion = 0.4 + 0.6 * s.vertex_color.g;
}
