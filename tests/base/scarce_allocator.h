// An allocator for tests: serves `allowed` requests and then no more, and counts blocks that were not given back.

#ifndef FILO_TEST_SCARCE_ALLOCATOR_H
#define FILO_TEST_SCARCE_ALLOCATOR_H

#include <filo/memory.h>

#include <stdlib.h>

typedef struct Failing {
    int allowed, blocks;
} Failing;

static inline void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FILO_UNUSED(old_size), FILO_UNUSED(align);
    Failing *failing = user;
    if (new_size == 0) {
        free(memory);
        failing->blocks--;
        return NULL;
    }
    if (failing->allowed-- <= 0) return NULL;
    failing->blocks += memory == NULL;
    return realloc(memory, new_size);
}

#endif
