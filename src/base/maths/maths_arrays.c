// Sines and cosines of whole arrays.
//
// The loops are ordinary C over the inline functions, compiled twice: for the baseline, and on x86-64 for
// AVX2, whose vectors are twice as wide. The width does not change the results, because every element goes through the
// same IEEE operations; AVX2 has no fused multiply-add, and -ffp-contract=off would forbid one. Each call tests which
// instructions the processor has, rather than the loader (target_clones), which sanitizers and some C libraries do not
// support.

#include <filo/check.h>
#include <filo/scalar.h>

#define DEFINE_LOOPS(width, attribute)                                                                       \
    attribute static void sin_##width(float *out, const float *in, size_t count) {                           \
        for (size_t i = 0; i < count; i++) out[i] = filo_sin(in[i]);                                         \
    }                                                                                                        \
    attribute static void cos_##width(float *out, const float *in, size_t count) {                           \
        for (size_t i = 0; i < count; i++) out[i] = filo_cos(in[i]);                                         \
    }                                                                                                        \
    attribute static void sincos_##width(float *sines, float *cosines, const float *in, size_t count) {      \
        for (size_t i = 0; i < count; i++) {                                                                 \
            FiloSinCos both = filo_sincos(in[i]);                                                            \
            sines[i] = both.sin;                                                                             \
            cosines[i] = both.cos;                                                                           \
        }                                                                                                    \
    }

#define NO_ATTRIBUTE
DEFINE_LOOPS(baseline, NO_ATTRIBUTE)

#ifdef __x86_64__
#    define AVX2 __attribute__((target("avx2")))
DEFINE_LOOPS(wide, AVX2)
#    define CHOOSE(name) (__builtin_cpu_supports("avx2") ? name##_wide : name##_baseline)
#else
#    define CHOOSE(name) name##_baseline
#endif

static const char no_array[] = "pass an array to read and one to write, or a count of 0";

void filo_sin_array(float *out, const float *in, size_t count) {
    if (!FILO_CHECK(count == 0 || (out != NULL && in != NULL), "%s", no_array)) return;
    CHOOSE(sin)(out, in, count);
}

void filo_cos_array(float *out, const float *in, size_t count) {
    if (!FILO_CHECK(count == 0 || (out != NULL && in != NULL), "%s", no_array)) return;
    CHOOSE(cos)(out, in, count);
}

void filo_sincos_array(float *sines, float *cosines, const float *in, size_t count) {
    if (!FILO_CHECK(count == 0 || (sines != NULL && cosines != NULL && in != NULL), "%s", no_array)) return;
    CHOOSE(sincos)(sines, cosines, in, count);
}
