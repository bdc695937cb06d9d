// Four floats at a time, for poses. Vector extensions of gcc and clang: plain additions, multiplications, divisions and
// square roots, each rounded as IEEE demands, so every processor gives the same bits.

#ifndef FILO_MODEL_FLOAT4_H
#define FILO_MODEL_FLOAT4_H

#include <filo/scalar.h>

#include <string.h>

#ifdef __x86_64__
#    include <immintrin.h>
#endif

typedef float ModelFloat4 __attribute__((vector_size(16)));
typedef uint32_t ModelBits4 __attribute__((vector_size(16)));

#define MODEL_SHUFFLE4(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
// Element i four times. As integers, because gcc then uses an instruction that does not overwrite its source.
#define MODEL_SPREAD4(v, i)                                                                                  \
    ((ModelFloat4)__builtin_shufflevector((ModelBits4)(v), (ModelBits4)(v), i, i, i, i))

// Functions whose loops are compiled a second time for AVX2, which has instructions with three operands, where the
// processor has it. The operations, and so the bits, are the same: AVX2 has no fused multiply-add. Each call tests the
// processor, rather than the loader (target_clones), which sanitizers and some C libraries do not support.
#ifdef __x86_64__
#    define MODEL_WIDE         __attribute__((target("avx2")))
#    define MODEL_CHOOSE(name) (__builtin_cpu_supports("avx2") ? name##_wide : name##_plain)
#else
#    define MODEL_CHOOSE(name) name##_plain
#endif

// Four floats at an address that is aligned as a float. A memcpy would do the same, but gcc 12 splits it into halves,
// and a load of 16 bytes right after two stores of 8 has to wait.
typedef float ModelUnaligned4 __attribute__((vector_size(16), aligned(4), may_alias));

static inline ModelFloat4 model_load4(const void *from) { return *(const ModelUnaligned4 *)from; }
static inline void model_store4(void *to, ModelFloat4 v) { *(ModelUnaligned4 *)to = v; }

static inline ModelFloat4 model_all4(float x) { return (ModelFloat4){ x, x, x, x }; }

static inline ModelFloat4 model_sqrt4(ModelFloat4 v) {
#ifdef __SSE2__
    return (ModelFloat4)_mm_sqrt_ps((__m128)v);
#else
    return (ModelFloat4){ filo_sqrt(v[0]), filo_sqrt(v[1]), filo_sqrt(v[2]), filo_sqrt(v[3]) };
#endif
}

// `yes` where the bits of `mask` are set, `no` elsewhere.
static inline ModelFloat4 model_select4(ModelBits4 mask, ModelFloat4 yes, ModelFloat4 no) {
    return (ModelFloat4)(((ModelBits4)yes & mask) | ((ModelBits4)no & ~mask));
}

// Whether all bits of all four are set. Each of the four must be all bits or none.
static inline bool model_all_set4(ModelBits4 mask) {
#ifdef __SSE2__
    return _mm_movemask_ps((__m128)mask) == 15;
#else
    return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
#endif
}

// Rows become columns.
static inline void model_transpose4(ModelFloat4 v[4]) {
    ModelFloat4 a = MODEL_SHUFFLE4(v[0], v[1], 0, 4, 1, 5), b = MODEL_SHUFFLE4(v[0], v[1], 2, 6, 3, 7);
    ModelFloat4 c = MODEL_SHUFFLE4(v[2], v[3], 0, 4, 1, 5), d = MODEL_SHUFFLE4(v[2], v[3], 2, 6, 3, 7);
    v[0] = MODEL_SHUFFLE4(a, c, 0, 1, 4, 5), v[1] = MODEL_SHUFFLE4(a, c, 2, 3, 6, 7);
    v[2] = MODEL_SHUFFLE4(b, d, 0, 1, 4, 5), v[3] = MODEL_SHUFFLE4(b, d, 2, 3, 6, 7);
}

// Four vectors of three floats, one after the other, as x, y and z of all four.
static inline void model_load_vec3x4(const void *from, ModelFloat4 v[3]) {
    const float *f = from;
    ModelFloat4 a = model_load4(f), b = model_load4(f + 4), c = model_load4(f + 8);
    // a: x0 y0 z0 x1, b: y1 z1 x2 y2, c: z2 x3 y3 z3.
    ModelFloat4 xy23 = MODEL_SHUFFLE4(b, c, 2, 3, 5, 6); // x2 y2 x3 y3
    ModelFloat4 yz01 = MODEL_SHUFFLE4(a, b, 1, 2, 4, 5); // y0 z0 y1 z1
    v[0] = MODEL_SHUFFLE4(a, xy23, 0, 3, 4, 6);
    v[1] = MODEL_SHUFFLE4(yz01, xy23, 0, 2, 5, 7);
    v[2] = MODEL_SHUFFLE4(yz01, c, 1, 3, 4, 7);
}

#endif
