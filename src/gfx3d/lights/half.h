// Half floats, for textures.

#ifndef FILO_GFX3D_HALF_H
#define FILO_GFX3D_HALF_H

#include <filo/scalar.h>

// The nearest half float of a number that is not negative; the largest one for larger numbers, 0 for NaN.
static inline uint16_t gfx3d_half(float x) {
    if (!(x > 0.0f)) return 0;
    if (x >= 65504.0f) return 0x7BFF;
    // Scaled so that the smallest normal half is the smallest normal float; the multiplication rounds smaller ones.
    uint32_t bits = filo_float_to_bits(x * 1.92592994e-34f); // 2^−112
    return (uint16_t)((bits + 0xFFFu + ((bits >> 13) & 1u)) >> 13);
}

#endif
