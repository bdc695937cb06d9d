// Worlds that run out of memory, at every place where they ask for some.

#include "support/test.h"

#include <filo/random.h>

static unsigned long long model_seed;
static const char *model_what(void);
#define MODEL_FAIL(...)                                                                                      \
    do {                                                                                                     \
        print_error("seed %llu, %s: ", model_seed, model_what());                                            \
        fail_msg(__VA_ARGS__);                                                                               \
    } while (0)

#include "ecs/model_scarce.h"

static const char *model_what(void) { return model_doing; }

static void run_seeds(uint64_t first, uint64_t count, size_t size, bool stays) {
    uint8_t *bytes = malloc(size);
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ scarce_fault, NULL });
    for (uint64_t seed = first; seed < first + count; seed++) {
        FiloRandom random = filo_random_sequence(seed);
        for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)filo_random_u32(&random);
        model_seed = seed;
        model_run_scarce(bytes, size, stays);
    }
    filo_fault_set_handler(before);
    free(bytes);
}

FILO_TEST(a_single_refused_allocation_leaves_the_world_as_it_was) { run_seeds(1, 60, 1000, false); }

FILO_TEST(refused_allocations_leave_the_world_as_it_was) { run_seeds(501, 60, 1000, true); }
