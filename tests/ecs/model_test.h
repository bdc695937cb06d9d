// The model of a world in tests: a failed comparison fails the test.

#ifndef FILO_TESTS_ECS_MODEL_TEST_H
#define FILO_TESTS_ECS_MODEL_TEST_H

#include "support/test.h"

#include <filo/random.h>

static unsigned long long model_seed;
static const char *model_what(void);
#define MODEL_FAIL(...)                                                                                      \
    do {                                                                                                     \
        print_error("seed %llu, %s: ", model_seed, model_what());                                            \
        fail_msg(__VA_ARGS__);                                                                               \
    } while (0)

#include "ecs/model_run.h"

static const char *model_what(void) { return model_doing; }

// Random bytes to draw operations from. Messages name the seed.
static void draw_bytes(uint64_t seed, uint8_t *bytes, size_t size) {
    FiloRandom random = filo_random_sequence(seed);
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)filo_random_u32(&random);
    model_seed = seed;
}

#endif
