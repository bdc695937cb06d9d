// The loops over pixels for processors with AVX2, eight pixels at a time.
//
// Bytes are widened to 16 bits by separating even and odd ones with a mask and a shift: one vector has red and blue,
// the other green and alpha. A product p = x · y + 128 is divided by 255 as (p · 257) >> 16, which takes one
// instruction and equals (p + (p >> 8)) >> 8 of filo_byte_mul.
//
// The last vector of a row does not read texels beyond the end of the row, but uses 0 for them. Blending 0 does not
// change a pixel.

#include "raster/raster.h"

#ifdef __x86_64__

#    include <immintrin.h>

#    define AVX2   __attribute__((target("avx2")))
#    define INLINE static inline __attribute__((target("avx2"), always_inline))

typedef struct Pair {
    __m256i even, odd; // 16 bits each
} Pair;

INLINE Pair split(__m256i bytes) {
    Pair p = { _mm256_and_si256(bytes, _mm256_set1_epi16(255)), _mm256_srli_epi16(bytes, 8) };
    return p;
}
INLINE __m256i join(Pair p) { return _mm256_or_si256(p.even, _mm256_slli_epi16(p.odd, 8)); }

// x · y / 255, to the nearest.
INLINE __m256i multiply(__m256i x, __m256i y) {
    __m256i product = _mm256_add_epi16(_mm256_mullo_epi16(x, y), _mm256_set1_epi16(128));
    return _mm256_mulhi_epu16(product, _mm256_set1_epi16(257));
}
INLINE Pair multiply_pair(Pair x, Pair y) {
    Pair p = { multiply(x.even, y.even), multiply(x.odd, y.odd) };
    return p;
}

INLINE __m256i color_vector(FiloColor c) {
    uint32_t bits = (uint32_t)c.r | (uint32_t)c.g << 8 | (uint32_t)c.b << 16 | (uint32_t)c.a << 24;
    return _mm256_set1_epi32((int)bits);
}

// Lanes below `count` are all ones.
INLINE __m256i first_lanes(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

INLINE __m256i load(const FiloColor *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
INLINE __m256i load_lanes(const FiloColor *from, __m256i lanes) {
    return _mm256_maskload_epi32((const int *)(const void *)from, lanes);
}
INLINE void store(FiloColor *to, __m256i pixels) { _mm256_storeu_si256((__m256i *)(void *)to, pixels); }

// ---- Blending ---------------------------------------------------------------------------------------------

// 255 − alpha, in both 16-bit lanes of each pixel.
INLINE __m256i inverse_alpha(__m256i green_alpha) {
    __m256i alpha = _mm256_or_si256(_mm256_srli_epi32(green_alpha, 16),
                                    _mm256_andnot_si256(_mm256_set1_epi32(0xFFFF), green_alpha));
    return _mm256_xor_si256(alpha, _mm256_set1_epi16(255));
}

// `texels` times `tint`, over or added to the pixels at `to`.
INLINE void blend(FiloColor *to, __m256i texels, Pair tint, bool tinted, bool add) {
    __m256i pixels = load(to);
    Pair light = split(texels);
    if (tinted) light = multiply_pair(light, tint);
    __m256i joined = tinted ? join(light) : texels;
    if (add) {
        joined = _mm256_and_si256(joined, _mm256_set1_epi32(0xFFFFFF));
        store(to, _mm256_adds_epu8(joined, pixels));
        return;
    }
    __m256i inverse = inverse_alpha(light.odd);
    Pair behind = split(pixels);
    behind.even = multiply(behind.even, inverse);
    behind.odd = multiply(behind.odd, inverse);
    store(to, _mm256_adds_epu8(joined, join(behind)));
}

INLINE void blit_rows(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride,
                      int width, int height, FiloColor color, bool tinted, bool add) {
    Pair tint = split(color_vector(color));
    int full = width & ~7;
    if (full == width) {
        for (int y = 0; y < height; y++, to += to_stride, from += from_stride)
            for (int x = 0; x < full; x += 8) blend(to + x, load(from + x), tint, tinted, add);
        return;
    }
    __m256i lanes = first_lanes(width - full);
    for (int y = 0; y < height; y++, to += to_stride, from += from_stride) {
        for (int x = 0; x < full; x += 8) blend(to + x, load(from + x), tint, tinted, add);
        blend(to + full, load_lanes(from + full, lanes), tint, tinted, add);
    }
}

AVX2 static void blit(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride,
                      int width, int height, FiloColor tint, bool add) {
    bool tinted = (tint.r & tint.g & tint.b & tint.a) != 255;
    if (add)
        blit_rows(to, to_stride, from, from_stride, width, height, tint, true, true);
    else if (tinted)
        blit_rows(to, to_stride, from, from_stride, width, height, tint, true, false);
    else
        blit_rows(to, to_stride, from, from_stride, width, height, tint, false, false);
}

AVX2 static void mirror(FiloColor *to, size_t to_stride, const FiloColor *from, ptrdiff_t from_stride,
                        int width, int height) {
    const __m256i backwards = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    for (int y = 0; y < height; y++, to += to_stride, from += from_stride) {
        for (int x = 0; x < width; x += 8) {
            __m256i lanes = _mm256_permutevar8x32_epi32(first_lanes(width - x), backwards);
            store(to + x, _mm256_permutevar8x32_epi32(load_lanes(from - x - 7, lanes), backwards));
        }
    }
}

AVX2 static void solid(FiloColor *to, size_t to_stride, int width, int height, FiloColor color, bool add) {
    __m256i source = color_vector(color);
    if (add) source = _mm256_and_si256(source, _mm256_set1_epi32(0xFFFFFF));
    __m256i inverse = _mm256_set1_epi16((short)(add ? 255 : 255 - color.a));
    for (int y = 0; y < height; y++, to += to_stride) {
        for (int x = 0; x < width; x += 8) {
            __m256i lanes = first_lanes(width - x), pixels = load(to + x);
            Pair behind = split(pixels);
            behind.even = multiply(behind.even, inverse);
            behind.odd = multiply(behind.odd, inverse);
            __m256i blended = _mm256_adds_epu8(source, join(behind));
            store(to + x, _mm256_blendv_epi8(pixels, blended, lanes));
        }
    }
}

// ---- Texels -----------------------------------------------------------------------------------------------

// The coordinates of eight pixels: `a` has those of 0, 1, 4, 5 and `b` those of 2, 3, 6, 7. From this order one shuffle
// takes the upper 32 bits of all.
typedef struct Coordinates {
    __m256i a, b, step;
} Coordinates;

INLINE __m256i four_times(uint64_t x) { return _mm256_set1_epi64x((long long)x); }

INLINE Coordinates coordinates(uint64_t start, uint64_t step) {
    uint64_t first[4] = { start, start + step, start + 4 * step, start + 5 * step };
    Coordinates c;
    c.a = _mm256_loadu_si256((const __m256i *)(const void *)first);
    c.b = _mm256_add_epi64(c.a, four_times(2 * step));
    c.step = four_times(8 * step);
    return c;
}
// Returns the coordinates in 1/256 of a texel, and advances to the next eight pixels.
INLINE __m256i next_coordinates(Coordinates *c) {
    __m256 upper = _mm256_shuffle_ps(_mm256_castsi256_ps(c->a), _mm256_castsi256_ps(c->b), 0xDD);
    c->a = _mm256_add_epi64(c->a, c->step);
    c->b = _mm256_add_epi64(c->b, c->step);
    return _mm256_castps_si256(upper);
}

typedef struct Limits {
    __m256i u_low, u_high, v_low, v_high, stride;
} Limits;

INLINE Limits limits_of(const RasterSampler *s) {
    Limits l = { _mm256_set1_epi32(s->u_low), _mm256_set1_epi32(s->u_high), _mm256_set1_epi32(s->v_low),
                 _mm256_set1_epi32(s->v_high), _mm256_set1_epi32(s->stride) };
    return l;
}

// Clamped coordinates are inside the image, so lanes beyond the end of a row may be read too.
INLINE __m256i column_of(const Limits *l, __m256i u) {
    return _mm256_max_epi32(_mm256_min_epi32(u, l->u_high), l->u_low);
}
INLINE __m256i row_of(const Limits *l, __m256i v) {
    return _mm256_mullo_epi32(_mm256_max_epi32(_mm256_min_epi32(v, l->v_high), l->v_low), l->stride);
}
INLINE __m256i gather(const RasterSampler *s, __m256i row, __m256i column) {
    return _mm256_i32gather_epi32((const int *)(const void *)s->texels, _mm256_add_epi32(row, column), 4);
}

AVX2 static void fetch_nearest(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count) {
    Limits l = limits_of(s);
    Coordinates us = coordinates(u, s->u_step), vs = coordinates(v, s->v_step);
    for (int i = 0; i < count; i += 8) {
        __m256i column = column_of(&l, _mm256_srai_epi32(next_coordinates(&us), 8));
        __m256i row = row_of(&l, _mm256_srai_epi32(next_coordinates(&vs), 8));
        store(to + i, gather(s, row, column));
    }
}

// From a (weight 0) to b (weight 256), to the nearest. Sums fit 16 bits.
INLINE __m256i mix(__m256i a, __m256i b, __m256i weight) {
    __m256i inverse = _mm256_sub_epi16(_mm256_set1_epi16(256), weight);
    __m256i sum = _mm256_add_epi16(_mm256_mullo_epi16(a, inverse), _mm256_mullo_epi16(b, weight));
    return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(128)), 8);
}
INLINE Pair mix_pair(Pair a, Pair b, __m256i weight) {
    Pair p = { mix(a.even, b.even, weight), mix(a.odd, b.odd, weight) };
    return p;
}
// The lowest eight bits of each 32-bit lane, in both its 16-bit lanes.
INLINE __m256i weight_of(__m256i coordinate) {
    __m256i weight = _mm256_and_si256(coordinate, _mm256_set1_epi32(255));
    return _mm256_or_si256(weight, _mm256_slli_epi32(weight, 16));
}

AVX2 static void fetch_linear(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count) {
    Limits l = limits_of(s);
    Coordinates us = coordinates(u, s->u_step), vs = coordinates(v, s->v_step);
    const __m256i half = _mm256_set1_epi32(128), one = _mm256_set1_epi32(1);
    for (int i = 0; i < count; i += 8) {
        __m256i x = _mm256_sub_epi32(next_coordinates(&us), half);
        __m256i y = _mm256_sub_epi32(next_coordinates(&vs), half);
        __m256i right = weight_of(x), down = weight_of(y);
        __m256i column = _mm256_srai_epi32(x, 8), row = _mm256_srai_epi32(y, 8);
        __m256i columns[2] = { column_of(&l, column), column_of(&l, _mm256_add_epi32(column, one)) };
        __m256i rows[2] = { row_of(&l, row), row_of(&l, _mm256_add_epi32(row, one)) };
        Pair above =
            mix_pair(split(gather(s, rows[0], columns[0])), split(gather(s, rows[0], columns[1])), right);
        Pair below =
            mix_pair(split(gather(s, rows[1], columns[0])), split(gather(s, rows[1], columns[1])), right);
        store(to + i, join(mix_pair(above, below, down)));
    }
}

INLINE __m256 alpha_at(const RasterSampler *s, __m256i row, __m256i column) {
    return _mm256_cvtepi32_ps(_mm256_srli_epi32(gather(s, row, column), 24));
}
INLINE __m256 mix_floats(__m256 a, __m256 b, __m256 part) {
    return _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), part));
}
// The lowest 16 bits, from 0 to 1.
INLINE __m256 fraction_of(__m256i coordinate) {
    __m256i bits = _mm256_and_si256(coordinate, _mm256_set1_epi32(0xFFFF));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(bits), _mm256_set1_ps(0x1p-16f));
}

// Coverages of eight values, as grey colours.
INLINE __m256i coverages_of(__m256 value, const RasterRamp *ramp) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f);
    __m256 t = _mm256_add_ps(_mm256_mul_ps(value, _mm256_set1_ps(ramp->slope)), _mm256_set1_ps(ramp->offset));
    t = _mm256_min_ps(_mm256_max_ps(t, zero), one);
    if (ramp->soft)
        t = _mm256_mul_ps(_mm256_mul_ps(t, t),
                          _mm256_sub_ps(_mm256_set1_ps(3.0f), _mm256_mul_ps(_mm256_set1_ps(2.0f), t)));
    t = _mm256_and_ps(t, _mm256_cmp_ps(value, zero, _CMP_GT_OQ));
    __m256i byte =
        _mm256_cvttps_epi32(_mm256_add_ps(_mm256_mul_ps(t, _mm256_set1_ps(255.0f)), _mm256_set1_ps(0.5f)));
    return _mm256_mullo_epi32(byte, _mm256_set1_epi32(0x01010101));
}

AVX2 static void fetch_distance(FiloColor *to, const RasterSampler *s, uint64_t u, uint64_t v, int count,
                                const RasterRamp *ramp) {
    Limits l = limits_of(s);
    Coordinates us = coordinates(u << 8, s->u_step << 8), vs = coordinates(v << 8, s->v_step << 8);
    const __m256i half = _mm256_set1_epi32(32768), one = _mm256_set1_epi32(1);
    for (int i = 0; i < count; i += 8) {
        __m256i x = _mm256_sub_epi32(next_coordinates(&us), half);
        __m256i y = _mm256_sub_epi32(next_coordinates(&vs), half);
        __m256 right = fraction_of(x), down = fraction_of(y);
        __m256i column = _mm256_srai_epi32(x, 16), row = _mm256_srai_epi32(y, 16);
        __m256i columns[2] = { column_of(&l, column), column_of(&l, _mm256_add_epi32(column, one)) };
        __m256i rows[2] = { row_of(&l, row), row_of(&l, _mm256_add_epi32(row, one)) };
        __m256 above = mix_floats(alpha_at(s, rows[0], columns[0]), alpha_at(s, rows[0], columns[1]), right);
        __m256 below = mix_floats(alpha_at(s, rows[1], columns[0]), alpha_at(s, rows[1], columns[1]), right);
        store(to + i, coverages_of(mix_floats(above, below, down), ramp));
    }
}

static const RasterKernels kernels_avx2 = {
    blit, mirror, solid, fetch_nearest, fetch_linear, fetch_distance
};

const RasterKernels *raster_kernels_best(void) {
    return __builtin_cpu_supports("avx2") ? &kernels_avx2 : &raster_kernels_plain;
}

#else

const RasterKernels *raster_kernels_best(void) { return &raster_kernels_plain; }

#endif
