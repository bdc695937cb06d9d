// Gradient noise in the plane, after Perlin ("Improving noise", 2002), from integers and IEEE operations alone.

#ifndef FILO_PLACEMENT_TERRAIN_NOISE_H
#define FILO_PLACEMENT_TERRAIN_NOISE_H

#include <filo/scalar.h>

// 32 well mixed bits for a lattice point.
static inline uint32_t placement_noise_hash(int32_t x, int32_t y, uint32_t seed) {
    uint32_t h = (uint32_t)x * 0x8DA6B343u ^ (uint32_t)y * 0xD8163841u ^ seed * 0xCB1AB31Fu;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return h ^ (h >> 15);
}

// The gradient of a lattice point times the distance from it. Gradients fill a square, so some places are rougher.
static inline float placement_noise_corner(int32_t x, int32_t y, uint32_t seed, float fx, float fy) {
    uint32_t h = placement_noise_hash(x, y, seed);
    float gx = (float)(int16_t)(h & 0xFFFF), gy = (float)(int16_t)(h >> 16);
    return (gx * fx + gy * fy) * (1.0f / 32768.0f);
}

static inline float placement_noise_fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

// About -1 to 1, mostly within ±0.6. Coordinates below 2^20.
static inline float placement_noise(float x, float y, uint32_t seed) {
    int32_t ix = (int32_t)x, iy = (int32_t)y;
    ix -= (float)ix > x;
    iy -= (float)iy > y;
    float fx = x - (float)ix, fy = y - (float)iy;
    float a = placement_noise_corner(ix, iy, seed, fx, fy);
    float b = placement_noise_corner(ix + 1, iy, seed, fx - 1.0f, fy);
    float c = placement_noise_corner(ix, iy + 1, seed, fx, fy - 1.0f);
    float d = placement_noise_corner(ix + 1, iy + 1, seed, fx - 1.0f, fy - 1.0f);
    float u = placement_noise_fade(fx), v = placement_noise_fade(fy);
    float top = a + (b - a) * u, bottom = c + (d - c) * u;
    return (top + (bottom - top) * v) * 1.6f;
}

// A sum of octaves: each has twice the frequency of the one before, and `gain` times its height.
static inline float placement_noise_sum(float x, float y, uint32_t seed, int octaves, float gain) {
    float sum = 0.0f, height = 1.0f;
    for (int i = 0; i < octaves; i++) {
        sum += height * placement_noise(x, y, seed + (uint32_t)i);
        // A rotation by about 37° between octaves hides the lattice.
        float rotated = 1.6f * x + 1.2f * y;
        y = 1.6f * y - 1.2f * x;
        x = rotated;
        height *= gain;
    }
    return sum;
}

#endif
