// An allocator for tests: fails at a given call, moves every block that is resized, and detects wrong sizes and leaks.
//
//     for (size_t fail_at = 0; more; fail_at++) {
//         FailingAllocator failing = FAILING_AT(failing, fail_at);
//         … use &failing.allocator …
//         assert_int_equal(failing.blocks, 0);
//         more = failing.calls > fail_at;      // until nothing fails any more
//     }
//
// After failing_allow it is scarce: all calls fail from some point on.

#ifndef FILO_TEST_FAILING_ALLOCATOR_H
#define FILO_TEST_FAILING_ALLOCATOR_H

#include <filo/memory.h>

#include "support/test.h"

#include <stdlib.h>

typedef struct FailingAllocator {
    FiloAllocator allocator;
    size_t calls, fail_at; // calls that allocate; the one that fails, counted from 0
    bool scarce;           // all calls after `fail_at` fail too
    size_t blocks;         // not freed yet
    size_t used, peak;     // bytes
} FailingAllocator;

// Before each block.
typedef struct FailingHeader {
    size_t size;
    uint8_t *start; // of the underlying allocation
} FailingHeader;

#define FAILING_ALIGN 64 // of all blocks, at least

static inline void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FailingAllocator *failing = user;
    FailingHeader *old = memory != NULL ? (FailingHeader *)memory - 1 : NULL;
    if (old != NULL) assert_int_equal(old->size, old_size);
    uint8_t *block = NULL;
    if (new_size > 0) {
        assert_true(align > 0 && (align & (align - 1)) == 0);
        size_t call = failing->calls++;
        if (call == failing->fail_at || (failing->scarce && call > failing->fail_at)) return NULL;
        size_t before = FILO_MAX(align, (size_t)FAILING_ALIGN);
        size_t size = FILO_ALIGN_UP(before + new_size, before);
        uint8_t *start = aligned_alloc(before, size);
        assert_non_null(start);
        memset(start, 0xCD, size);
        block = start + before;
        ((FailingHeader *)(void *)block)[-1] = (FailingHeader){ new_size, start };
        failing->blocks++;
        failing->used += new_size;
        failing->peak = FILO_MAX(failing->peak, failing->used);
        if (memory != NULL) memcpy(block, memory, FILO_MIN(old_size, new_size));
    }
    if (old != NULL) {
        free(old->start);
        failing->blocks--;
        failing->used -= old_size;
    }
    return block;
}

// The initial value of the variable `name`, whose address must not change once its allocator is in use.
#define FAILING_AT(name, call)                                                                               \
    { .allocator = { failing_resize, &(name) }, .fail_at = (call) }

static inline void failing_init(FailingAllocator *failing, size_t fail_at) {
    *failing = (FailingAllocator)FAILING_AT(*failing, fail_at);
}

// From now on `calls` calls succeed, and all later ones fail.
static inline void failing_allow(FailingAllocator *failing, size_t calls) {
    failing->fail_at = failing->calls + calls;
    failing->scarce = true;
}

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

// Random numbers, the same in every run.
static inline uint32_t test_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

#endif
