// Random operations on a world and on a naive model of it: afterwards both are the same, whatever the
// storage.

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

static void run_seed(uint64_t seed, size_t size) {
    uint8_t *bytes = malloc(size);
    FiloRandom random = filo_random_sequence(seed);
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)filo_random_u32(&random);
    model_seed = seed;
    model_run(bytes, size);
    free(bytes);
}

FILO_TEST(short_random_histories_agree_with_the_model) {
    for (uint64_t seed = 1; seed <= 300; seed++) run_seed(seed, 600);
}

FILO_TEST(long_random_histories_agree_with_the_model) {
    for (uint64_t seed = 1001; seed <= 1012; seed++) run_seed(seed, 12000);
}
