// An allocator for worlds that serves so many calls and then no more, and counts what was not given back.

#ifndef FILO_TEST_ECS_SCARCE_H
#define FILO_TEST_ECS_SCARCE_H

#include <filo/memory.h>

typedef struct Scarce {
    FiloAllocator allocator; // what to pass on
    long allowed;            // calls that are served; below 0: all
    long blocks;             // not given back
} Scarce;

static inline void *scarce_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Scarce *scarce = user;
    if (new_size > old_size && scarce->allowed >= 0 && scarce->allowed-- == 0) {
        scarce->allowed = 0;
        return NULL;
    }
    void *block = filo_resize(NULL, memory, old_size, new_size, align);
    scarce->blocks += (block != NULL) - (memory != NULL);
    return block;
}

// The address of `scarce` must not change once the allocator is in use.
static inline void scarce_init(Scarce *scarce) {
    *scarce = (Scarce){ .allocator = { scarce_resize, scarce }, .allowed = -1 };
}

#endif
