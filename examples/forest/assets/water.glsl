// The lake. It mirrors the sky and the mountains, which are found by walking along the mirrored ray over the heights.

//! fragment
uniform sampler2D heights; // of the land, row 0 in the south
uniform vec4 land;         // half of a side, 1 / side, height of 1, height of the water

float ground_at(vec2 at) {
    vec2 uv = vec2(at.x + land.x, land.x - at.y) * land.y;
    vec2 outside = abs(uv - 0.5) - 0.5;
    return max(outside.x, outside.y) > 0.0 ? -20.0 : textureLod(heights, uv, 0.0).r * land.z - land.w;
}

// With the trees on it.
float trees_at(vec2 at) {
    float ground = ground_at(at);
    return ground + 7.0 * smoothstep(1.0, 6.0, ground);
}

vec2 wave(vec2 at, vec2 direction, float speed, float height) {
    return direction * (height * cos(dot(at, direction) + speed * frame.time));
}

// The slope of the surface. Far away waves are smaller than a pixel: their mean is flat.
vec2 waves_at(vec2 at, float distance) {
    vec2 slope = wave(at, vec2(0.31, 0.22), 0.9, 0.030) + wave(at, vec2(-0.23, 0.42), 1.1, 0.022);
    vec2 bent = at + 9.0 * slope;
    slope += (wave(bent, vec2(1.3, 0.7), 1.9, 0.0085) + wave(bent, vec2(-0.9, 1.7), 2.2, 0.0070)) * exp2(-distance * 0.006);
    slope += (wave(bent, vec2(4.1, -2.6), 3.6, 0.0034) + wave(bent, vec2(2.2, 5.3), 4.1, 0.0026)) * exp2(-distance * 0.03);
    return slope * (0.25 + 0.75 * exp2(-distance * 0.004));
}

// What of the land is mirrored: its colour, and 1 if there is any.
vec4 mirrored_land(vec3 from, vec3 ray) {
    float near = 0.0, far = 8.0;
    bool found = false;
    for (int i = 0; i < 20 && !found; i++) {
        vec3 p = from + ray * far;
        if (trees_at(p.xz) > p.y)
            found = true;
        else
            near = far, far *= 1.32;
    }
    if (!found) return vec4(0.0);
    for (int i = 0; i < 4; i++) {
        float middle = 0.5 * (near + far);
        vec3 p = from + ray * middle;
        if (trees_at(p.xz) > p.y) far = middle;
        else near = middle;
    }
    vec3 at = from + ray * far;
    float h = ground_at(at.xz), step = 14.0;
    vec3 normal = normalize(vec3(h - ground_at(at.xz + vec2(step, 0.0)), step, h - ground_at(at.xz + vec2(0.0, step))));
    vec3 color = mix(vec3(0.055, 0.062, 0.022), vec3(0.16, 0.14, 0.11), smoothstep(200.0, 330.0, h));
    color *= filo_ambient(normal) + frame.sun_color * max(dot(normal, frame.sun_direction), 0.0);
    return vec4(filo_fog(color, at), 1.0);
}

void surface(inout FiloSurface s) {
    vec3 offset = s.position - frame.eye;
    float distance = length(offset), depth = -ground_at(s.position.xz);
    vec3 view = offset / distance;
    vec2 slope = waves_at(s.position.xz, distance);
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 ray = reflect(view, normal);
    ray.y = max(ray.y, 0.01);
    vec3 mirrored = filo_sky(ray, 0.02);
    vec4 mountains = mirrored_land(s.position, ray);
    mirrored = mix(mirrored, mountains.rgb, mountains.a);
    float glint = pow(max(dot(ray, frame.sun_direction), 0.0), 420.0);
    mirrored += frame.sun_color * (6.0 * glint * (1.0 - mountains.a));
    float facing = 1.0 - max(dot(-view, normal), 0.0);
    float fresnel = 0.02 + 0.98 * pow(facing, 5.0);
    vec3 light = filo_ambient(vec3(0.0, 1.0, 0.0)) + frame.sun_color * max(frame.sun_direction.y, 0.0);
    vec3 below = mix(vec3(0.09, 0.10, 0.06), vec3(0.008, 0.030, 0.032), 1.0 - exp2(-0.9 * max(depth, 0.0))) * light;
    float foam = smoothstep(0.16, 0.02, depth + 0.05 * sin(1.3 * frame.time + s.position.x * 0.8 + s.position.z * 0.6));
    s.color.rgb = mix(below, mirrored, fresnel) + 0.10 * foam * light;
    s.color.a = clamp(0.25 + depth * 0.55 + fresnel, 0.0, 1.0) * smoothstep(-0.05, 0.10, depth);
}
