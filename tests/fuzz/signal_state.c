// Any bytes as damage to the states of a random network between its steps: it goes on with something. See
// tests/signal/support/damage.h.

#include "signal/support/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

// UINT32_MAX, which is no damage, at the end.
static uint32_t next(void *user) {
    Bytes *bytes = user;
    uint32_t number = UINT32_MAX;
    if (bytes->end - bytes->at < (ptrdiff_t)sizeof number) return number;
    memcpy(&number, bytes->at, sizeof number);
    bytes->at += sizeof number;
    return number;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes bytes = { data, data + size };
    uint32_t seed = next(&bytes) % 100000;
    damage_run(seed, 12, next, &bytes);
    value_free();
    return 0;
}
