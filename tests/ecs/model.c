// Random operations on a world and on a naive model of it: both must agree, in every storage.

#include "ecs/model_test.h"

static void run_seed(uint64_t seed, size_t size) {
    uint8_t *bytes = malloc(size);
    draw_bytes(seed, bytes, size);
    model_run(bytes, size);
    free(bytes);
}

FILO_TEST(short_random_histories_agree_with_the_model) {
    for (uint64_t seed = 1; seed <= 300; seed++) run_seed(seed, 600);
}

FILO_TEST(long_random_histories_agree_with_the_model) {
    for (uint64_t seed = 1001; seed <= 1012; seed++) run_seed(seed, 12000);
}
