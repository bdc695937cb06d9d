// Private parts of poses that several files share: blending of rotations, and products of matrices with three rows.

#ifndef FILO_MODEL_POSE_H
#define FILO_MODEL_POSE_H

#include <filo/pose.h>

#include "model/pose/float4.h"

// ---- Rotations ------------------------------------------------------------------------------------------

// The dot products of four pairs of quaternions, each summed as by filo_quat_dot.
static inline ModelFloat4 model_dots(const ModelFloat4 a[4], const ModelFloat4 b[4]) {
    ModelFloat4 p[4] = { a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3] };
    model_transpose4(p);
    return (p[0] + p[1]) + (p[2] + p[3]);
}

// As filo_quat_normalise: what has no direction becomes the identity.
static inline void model_normalise4(ModelFloat4 q[4]) {
    ModelFloat4 square = model_dots(q, q), one = model_all4(1.0f);
    ModelBits4 good =
        (ModelBits4)(square >= model_all4(FLT_MIN)) & (ModelBits4)(square <= model_all4(FLT_MAX));
    ModelFloat4 inverse = one / model_sqrt4(model_select4(good, square, one));
    q[0] *= MODEL_SPREAD4(inverse, 0), q[1] *= MODEL_SPREAD4(inverse, 1);
    q[2] *= MODEL_SPREAD4(inverse, 2), q[3] *= MODEL_SPREAD4(inverse, 3);
    if (FILO_UNLIKELY(!model_all_set4(good))) {
        for (int i = 0; i < 4; i++)
            if (good[i] == 0) q[i] = (ModelFloat4){ 0.0f, 0.0f, 0.0f, 1.0f };
    }
}

// Blends four pairs of rotations: the same bits as filo_quat_nlerp of each. The result is in `a`.
static inline void model_nlerp4(ModelFloat4 a[4], const ModelFloat4 b[4], float t) {
    const ModelBits4 sign_bits = { 0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u };
    ModelBits4 flip = (ModelBits4)(model_dots(a, b) < model_all4(0.0f)) & sign_bits;
    ModelFloat4 s = model_all4(1.0f - t), u = (ModelFloat4)((ModelBits4)model_all4(t) ^ flip);
    a[0] = a[0] * s + b[0] * MODEL_SPREAD4(u, 0), a[1] = a[1] * s + b[1] * MODEL_SPREAD4(u, 1);
    a[2] = a[2] * s + b[2] * MODEL_SPREAD4(u, 2), a[3] = a[3] * s + b[3] * MODEL_SPREAD4(u, 3);
    model_normalise4(a);
}

// ---- Matrices -------------------------------------------------------------------------------------------

// First b, then a. Sums are in the order of filo_mat4_mul; the last row is 0 0 0 1. `out` may be one of them.
typedef void (*ModelProduct)(FiloMat34 *out, const FiloMat34 *a, const FiloMat34 *b);

static inline void model_product_plain(FiloMat34 *out, const FiloMat34 *a, const FiloMat34 *b) {
    const ModelBits4 last = { 0, 0, 0, UINT32_MAX };
    ModelFloat4 b0 = model_load4(b->m), b1 = model_load4(b->m + 4), b2 = model_load4(b->m + 8), rows[3];
    for (size_t i = 0; i < 3; i++) {
        ModelFloat4 row = model_load4(&a->m[4 * i]);
        rows[i] = (MODEL_SPREAD4(row, 0) * b0 + MODEL_SPREAD4(row, 1) * b1) +
                  (MODEL_SPREAD4(row, 2) * b2 + (ModelFloat4)((ModelBits4)row & last));
    }
    model_store4(out->m, rows[0]), model_store4(out->m + 4, rows[1]), model_store4(out->m + 8, rows[2]);
}

#ifdef MODEL_WIDE
// The first two rows at once.
MODEL_WIDE static inline void model_product_wide(FiloMat34 *out, const FiloMat34 *a, const FiloMat34 *b) {
    const ModelBits4 last = { 0, 0, 0, UINT32_MAX };
    const __m256 last2 = _mm256_castsi256_ps(_mm256_setr_epi32(0, 0, 0, -1, 0, 0, 0, -1));
    ModelFloat4 b0 = model_load4(b->m), b1 = model_load4(b->m + 4), b2 = model_load4(b->m + 8);
    __m256 c0 = _mm256_set_m128((__m128)b0, (__m128)b0), c1 = _mm256_set_m128((__m128)b1, (__m128)b1);
    __m256 c2 = _mm256_set_m128((__m128)b2, (__m128)b2), two = _mm256_loadu_ps(a->m);
    ModelFloat4 row = model_load4(a->m + 8);
    two = _mm256_add_ps(
        _mm256_add_ps(_mm256_mul_ps(_mm256_shuffle_ps(two, two, 0x00), c0),
                      _mm256_mul_ps(_mm256_shuffle_ps(two, two, 0x55), c1)),
        _mm256_add_ps(_mm256_mul_ps(_mm256_shuffle_ps(two, two, 0xAA), c2), _mm256_and_ps(two, last2)));
    row = (MODEL_SPREAD4(row, 0) * b0 + MODEL_SPREAD4(row, 1) * b1) +
          (MODEL_SPREAD4(row, 2) * b2 + (ModelFloat4)((ModelBits4)row & last));
    _mm256_storeu_ps(out->m, two);
    model_store4(out->m + 8, row);
}
#endif

#endif
