// What the ground of the forest has besides its layers: beyond the trees that are drawn, woods are a colour.

void surface(inout FiloSurface s) {
    vec4 painted = texture(ground_weights, s.uv / vec2(ground_last));
    float away = distance(frame.eye.xz, s.position.xz);
    float canopy = painted.r * smoothstep(330.0, 560.0, away);
    float crowns = texture(ground_images, vec3(s.position.xz * 0.021, 1.0)).g * 1.6 +
                   texture(ground_images, vec3(s.position.zx * 0.0047, 1.0)).r;
    vec3 leaves = mix(vec3(0.030, 0.042, 0.016), vec3(0.125, 0.085, 0.022), smoothstep(0.10, 0.34, crowns));
    s.color.rgb = mix(s.color.rgb, leaves, 0.92 * canopy);
    s.roughness = mix(s.roughness, 1.0, canopy);
    // Wet at the shore.
    float wet = 1.0 - smoothstep(0.05, 0.5, s.position.y);
    s.color.rgb *= 1.0 - 0.5 * wet;
    s.roughness *= 1.0 - 0.5 * wet;
}
