// Small functions that several shaders share.

const float FILO_PI = 3.14159265358979;

// From sRGB to linear values; off by at most 0.0025 (Chilliant's polynomial).
vec3 filo_linear(vec3 srgb) { return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878); }

// The same without an error.
vec3 filo_linear_exact(vec3 srgb) {
    return mix(srgb * (1.0 / 12.92), pow((srgb + 0.055) * (1.0 / 1.055), vec3(2.4)), step(0.04045, srgb));
}

vec2 filo_rotate(vec2 v, float angle) {
    float c = cos(angle), s = sin(angle);
    return vec2(c * v.x + s * v.y, c * v.y - s * v.x);
}

// A number from 0 to 1 for a position, which looks random.
float filo_random(vec3 position) {
    vec3 p = fract(position * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yxz + 33.33);
    return fract((p.x + p.y) * p.z);
}
