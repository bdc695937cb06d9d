// Clouds: a plane high above, thin at its edges, brighter towards the sun.

//! fragment
uniform sampler2D noise;

float cloud_at(vec2 at) {
    return 0.58 * texture(noise, at).r + 0.27 * texture(noise, at * 3.3 + 0.17).r + 0.15 * texture(noise, at * 9.1 + 0.53).r;
}

void surface(inout FiloSurface s) {
    vec2 at = s.position.xz * vec2(0.000085, 0.00013) + frame.time * 0.0004;
    float here = cloud_at(at), sunward = cloud_at(at + frame.sun_direction.xz * 0.018);
    float cover = smoothstep(0.47, 0.68, here);
    float bright = clamp(0.75 + 3.0 * (here - sunward), 0.25, 1.35);
    vec3 light = filo_ambient(vec3(0.0, 1.0, 0.0));
    float towards = max(dot(normalize(s.position - frame.eye), frame.sun_direction), 0.0);
    s.color.rgb = light * 0.55 + frame.sun_color * bright * (0.16 + 0.35 * towards * towards * (1.0 - 0.5 * cover));
    float away = distance(s.position.xz, frame.eye.xz);
    s.color.a = cover * 0.85 * smoothstep(8800.0, 4200.0, away);
}
