// Golden hashes of maths results: the same constant has to come out of every compiler, level and machine.

#ifndef FILO_TEST_MATHS_GOLDEN_H
#define FILO_TEST_MATHS_GOLDEN_H

#include "support/test.h"

#include <filo/scalar.h>

#include <inttypes.h>

typedef struct Golden {
    uint64_t hash;   // FNV-1a over the bits of the results
    uint64_t random; // an LCG, for inputs
} Golden;

static inline Golden golden_begin(void) { return (Golden){ 0xcbf29ce484222325u, 1 }; }

static inline void golden_add_bits(Golden *g, uint32_t bits) {
    for (int i = 0; i < 4; i++) g->hash = (g->hash ^ (bits >> (8 * i) & 0xFF)) * 0x100000001b3u;
}

// -0 and 0 differ, all NaNs are one.
static inline void golden_add(Golden *g, float x) {
    golden_add_bits(g, filo_is_nan(x) ? 0x7FC00000u : filo_float_to_bits(x));
}

static inline void golden_add_all(Golden *g, const void *floats, size_t size) {
    for (size_t i = 0; i < size; i += sizeof(float)) {
        float x;
        memcpy(&x, (const char *)floats + i, sizeof x);
        golden_add(g, x);
    }
}

static inline uint32_t golden_bits(Golden *g) {
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->random >> 32);
}

// Between -1 and 1.
static inline float golden_unit(Golden *g) { return (float)(int32_t)golden_bits(g) * 0x1p-31f; }

// Any float at all: infinities, NaNs and denormals among them.
static inline float golden_any(Golden *g) { return filo_float_from_bits(golden_bits(g)); }

#define golden_expect(g, name, expected)                                                                     \
    do {                                                                                                     \
        if ((g).hash != (expected))                                                                          \
            fail_msg("%s: hash 0x%016" PRIx64 ", expected 0x%016" PRIx64, (name), (g).hash,                  \
                     (uint64_t)(expected));                                                                  \
    } while (0)

#endif
