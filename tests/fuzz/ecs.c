// Any bytes as operations on a world, which must agree with a naive model (tests/ecs/model.h).

#include <stdio.h>
#include <stdlib.h>

#define MODEL_FAIL(...)                                                                                      \
    do {                                                                                                     \
        fprintf(stderr, "%s: ", fuzz_doing());                                                               \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
        abort();                                                                                             \
    } while (0)
static const char *fuzz_doing(void);

#include "ecs/model_run.h"

static const char *fuzz_doing(void) { return model_doing; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    model_run(data, size);
    return 0;
}
