// Functions of values for random networks. Both the compiled network and the interpreter call them.

#ifndef FILO_TEST_SIGNAL_FUNCTIONS_H
#define FILO_TEST_SIGNAL_FUNCTIONS_H

#include "value.h"

FILO_SF_FUNCTION(sf_shrink, float, float, x) { return 0.5f * x + 1; }
FILO_SF_FUNCTION(sf_mirror, float, float, x) { return 1 - x; }
FILO_SF_FUNCTION(sf_floor_of, int32_t, float, x) { return x > -1000 && x < 1000 ? (int32_t)x : 7; }
FILO_SF_FUNCTION(sf_from_int, float, int32_t, i) { return (float)(i % 1024); }
FILO_SF_FUNCTION(sf_from_bool, float, bool, b) { return b ? 2.0f : -1.0f; }
FILO_SF_FUNCTION(sf_to_vector, FiloVec2, float, x) { return (FiloVec2){ x, 2 - x }; }
FILO_SF_FUNCTION(sf_turn, FiloVec2, FiloVec2, v) { return (FiloVec2){ -v.y, 0.5f * v.x }; }
FILO_SF_PREDICATE(sf_is_positive, float, x) { return x > 0; }
FILO_SF_PREDICATE(sf_is_even, int32_t, i) { return (i & 1) == 0; }
FILO_SF_FUNCTION(sf_next_int, int32_t, int32_t, i) { return (int32_t)((uint32_t)i * 5u + 3u) & 0xFFF; }
FILO_SF_FUNCTION2(sf_mix, float, float, a, float, b) { return 0.5f * a + b; }
FILO_SF_FUNCTION2(sf_mix_int, int32_t, int32_t, a, int32_t, b) {
    return (int32_t)(((uint32_t)a * 3u + (uint32_t)b) & 0xFFFFu);
}
FILO_SF_FUNCTION2(sf_count_high, int32_t, int32_t, count, float, x) { return x > 0 ? count + 1 : count; }
FILO_SF_FUNCTION2(sf_mix_vector, FiloVec2, FiloVec2, a, FiloVec2, b) {
    return (FiloVec2){ 0.5f * a.x + b.y, 0.5f * a.y - b.x };
}
FILO_SF_FUNCTION2(sf_toggle, bool, bool, a, float, b) { return a != (b > 0); }
FILO_SF_FUNCTION3(sf_blend, float, float, a, float, b, bool, which) {
    return which ? a - b : 0.25f * (a + b);
}
FILO_SF_FUNCTION4(sf_advance, float, float, before, float, now, float, delta, float, result) {
    return 0.5f * result + delta * (now - 0.5f * before);
}
FILO_SF_FUNCTION4(sf_weigh, float, float, a, float, b, int32_t, n, bool, c) {
    return (c ? a : b) + (float)(n & 7);
}
FILO_SF_MAYBE(sf_high_half, float, float, x, half) {
    *half = 0.5f * x;
    return x > 1;
}
FILO_SF_MAYBE2(sf_rise, float, float, before, float, now, rise) {
    *rise = now - before;
    return now > before;
}

#endif
