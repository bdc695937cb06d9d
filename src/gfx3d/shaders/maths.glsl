// Small functions that several shaders share.

const float PI = 3.14159265358979;

float filo_square(float x) { return x * x; }

// sRGB to linear values and back, exact enough for a byte.
vec3 filo_linear(vec3 srgb) { return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878); }

// A number from 0 to 1 that looks random, the same for the same seed.
float filo_random(vec2 seed) { return fract(sin(dot(seed, vec2(12.9898, 78.233))) * 43758.5453); }

