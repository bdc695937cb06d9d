// What the ground of the forest has besides its layers: beyond the trees that are drawn, woods are a colour.

void surface(inout FiloSurface s) {
    vec4 painted = texture(ground_weights, s.uv / vec2(ground_last));
    float away = distance(frame.eye.xz, s.position.xz);
    float canopy = painted.r * smoothstep(330.0, 560.0, away);
    float crowns = texture(ground_images, vec3(s.position.xz * 0.021, 1.0)).g;
    float stands = texture(ground_images, vec3(s.position.zx * 0.0021, 1.0)).r;
    vec3 leaves = mix(vec3(0.020, 0.030, 0.012), vec3(0.050, 0.056, 0.020), smoothstep(0.03, 0.16, crowns));
    leaves = mix(leaves, vec3(0.150, 0.090, 0.020), smoothstep(0.10, 0.17, stands) * smoothstep(0.05, 0.18, crowns) * 0.7);
    s.color.rgb = mix(s.color.rgb, leaves, 0.92 * canopy);
    s.roughness = mix(s.roughness, 1.0, canopy);
    // Meadows are greener here, drier there.
    float dry = texture(ground_images, vec3(s.position.xz * 0.0013, 0.0)).g * 3.0 + 2.0 * texture(ground_images, vec3(s.position.zx * 0.0063, 0.0)).g;
    s.color.rgb *= mix(mix(vec3(0.72, 0.92, 0.62), vec3(1.12, 1.0, 0.86), smoothstep(0.75, 1.15, dry)), vec3(1.0), canopy);
    // Wet at the shore.
    float wet = 1.0 - smoothstep(0.05, 0.5, s.position.y);
    s.color.rgb *= 1.0 - 0.5 * wet;
    s.roughness *= 1.0 - 0.5 * wet;
}
