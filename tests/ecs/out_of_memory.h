// Shared by the tests of worlds that run out of memory.

#ifndef FILO_TEST_ECS_OUT_OF_MEMORY_H
#define FILO_TEST_ECS_OUT_OF_MEMORY_H

#include "support/failing_allocator.h"

// Lets all calls succeed again. Returns whether one has failed since failing_allow.
static inline bool failing_end(FailingAllocator *failing) {
    bool failed = failing->calls > failing->fail_at;
    failing->fail_at = SIZE_MAX;
    return failed;
}

// A fault handler: continues after a lack of memory, and counts it in the int `user` unless that is NULL.
static inline FiloFaultAnswer continue_without_memory(const FiloFault *fault, void *user) {
    if (fault->kind != FILO_FAULT_OUT_OF_MEMORY) return FILO_FAULT_DEFAULT;
    if (user != NULL) ++*(int *)user;
    return FILO_FAULT_CONTINUE;
}

#endif
