// The loops over pixels in plain C: the reference for vector kernels, and the kernels for processors without AVX2.
// Products of bytes are rounded as in filo_byte_mul.

#include "raster/raster.h"

// Adds with saturation; the alpha of `light` counts as 0.
static inline FiloColor add_light(FiloColor light, FiloColor to) {
    light.a = 0;
    return filo_color_over(light, to);
}

static void blit(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                 int height, FiloColor tint, bool add) {
    for (int y = 0; y < height; y++, to += to_stride, from += from_stride) {
        if (add)
            for (int x = 0; x < width; x++) to[x] = add_light(filo_color_mul(from[x], tint), to[x]);
        else
            for (int x = 0; x < width; x++) to[x] = filo_color_over(filo_color_mul(from[x], tint), to[x]);
    }
}

static void mirror(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride, int width,
                   int height) {
    for (int y = 0; y < height; y++, to += to_stride, from += from_stride)
        for (int x = 0; x < width; x++) to[x] = from[-x];
}

static void solid(FiloColor *to, size_t to_stride, int width, int height, FiloColor color, bool add) {
    for (int y = 0; y < height; y++, to += to_stride) {
        if (add)
            for (int x = 0; x < width; x++) to[x] = add_light(color, to[x]);
        else if (color.a == 255)
            for (int x = 0; x < width; x++) to[x] = color;
        else
            for (int x = 0; x < width; x++) to[x] = filo_color_over(color, to[x]);
    }
}

// The upper half of a texel coordinate: in 1/256 of a texel, or in 1/65536 of one that was shifted by 8.
static inline int32_t texel_256(uint64_t coordinate) { return (int32_t)(uint32_t)(coordinate >> 32); }

static inline FiloColor texel_at(const RasterSampler *s, int32_t u, int32_t v) {
    u = FILO_CLAMP(u, s->u_low, s->u_high);
    v = FILO_CLAMP(v, s->v_low, s->v_high);
    return s->texels[(ptrdiff_t)v * s->stride + u];
}

static void fetch_nearest(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count) {
    for (int i = 0; i < count; i++, u += s->u_step, v += s->v_step)
        to[i] = texel_at(s, texel_256(u) >> 8, texel_256(v) >> 8);
}

// From a (weight 0) to b (weight 256), to the nearest.
static inline uint8_t mix_byte(uint8_t a, uint8_t b, uint32_t weight) {
    return (uint8_t)((a * (256 - weight) + b * weight + 128) >> 8);
}
static inline FiloColor mix(FiloColor a, FiloColor b, uint32_t weight) {
    return filo_color(mix_byte(a.r, b.r, weight), mix_byte(a.g, b.g, weight), mix_byte(a.b, b.b, weight),
                      mix_byte(a.a, b.a, weight));
}

static void fetch_linear(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count) {
    for (int i = 0; i < count; i++, u += s->u_step, v += s->v_step) {
        int32_t x = texel_256(u) - 128, y = texel_256(v) - 128; // from the centre of the texel
        uint32_t right = (uint32_t)x & 255, down = (uint32_t)y & 255;
        FiloColor above = mix(texel_at(s, x >> 8, y >> 8), texel_at(s, (x >> 8) + 1, y >> 8), right);
        FiloColor below =
            mix(texel_at(s, x >> 8, (y >> 8) + 1), texel_at(s, (x >> 8) + 1, (y >> 8) + 1), right);
        to[i] = mix(above, below, down);
    }
}

static inline uint8_t coverage_of(float value, const RasterRamp *ramp) {
    if (!(value > 0)) return 0;
    float t = value * ramp->slope + ramp->offset;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    if (ramp->soft) t = t * t * (3.0f - 2.0f * t);
    return (uint8_t)(t * 255.0f + 0.5f);
}

// IEEE 754 defines each of these operations on floats to the last bit.
static void fetch_distance(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count,
                           const RasterRamp *ramp) {
    for (int i = 0; i < count; i++, u += s->u_step, v += s->v_step) {
        int32_t x = texel_256(u << 8) - 32768, y = texel_256(v << 8) - 32768; // in 1/65536 of a texel
        float right = (float)(x & 0xFFFF) * 0x1p-16f, down = (float)(y & 0xFFFF) * 0x1p-16f;
        int32_t column = x >> 16, row = y >> 16;
        float a = texel_at(s, column, row).a, b = texel_at(s, column + 1, row).a;
        float c = texel_at(s, column, row + 1).a, d = texel_at(s, column + 1, row + 1).a;
        float above = a + (b - a) * right, below = c + (d - c) * right;
        uint8_t coverage = coverage_of(above + (below - above) * down, ramp);
        to[i] = filo_color(coverage, coverage, coverage, coverage);
    }
}

const RasterKernels raster_kernels_plain = {
    blit, mirror, solid, fetch_nearest, fetch_linear, fetch_distance
};
