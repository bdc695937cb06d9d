// What the tests of light share.

#ifndef FILO_TEST_GFX3D_LIGHT_SUPPORT_H
#define FILO_TEST_GFX3D_LIGHT_SUPPORT_H

#include <filo/random.h>
#include <filo/vector.h>

// A direction, each equally likely.
static inline FiloVec3 random_direction(FiloRandom *random) {
    float d[3];
    filo_random_unit_3d(random, d);
    return filo_vec3(d[0], d[1], d[2]);
}

#endif
