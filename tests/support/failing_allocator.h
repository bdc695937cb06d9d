// An allocator for tests: fails at the call that it is told to, moves every block that is resized, and
// notices wrong sizes and leaks.
//
//     for (size_t fail_at = 0; more; fail_at++) {
//         FailingAllocator failing;
//         failing_init(&failing, fail_at);
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
    size_t calls, fail_at; // calls that want memory; the one to fail, counted from 0
    bool scarce;           // so do all that follow
    size_t blocks;         // not freed yet
} FailingAllocator;

#define FAILING_HEADER 64 // before each block: its size, and room to align it

static inline void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    FailingAllocator *failing = user;
    uint8_t *raw = memory != NULL ? (uint8_t *)memory - FAILING_HEADER : NULL;
    if (raw != NULL) assert_int_equal(*(size_t *)(void *)raw, old_size);
    uint8_t *fresh = NULL;
    if (new_size > 0) {
        assert_true(align > 0 && align <= FAILING_HEADER);
        size_t call = failing->calls++;
        if (call == failing->fail_at || (failing->scarce && call > failing->fail_at)) return NULL;
        size_t size = FILO_ALIGN_UP(FAILING_HEADER + new_size, (size_t)FAILING_HEADER);
        fresh = aligned_alloc(FAILING_HEADER, size);
        assert_non_null(fresh);
        memset(fresh, 0xCD, size);
        *(size_t *)(void *)fresh = new_size;
        failing->blocks++;
        if (raw != NULL) memcpy(fresh + FAILING_HEADER, memory, FILO_MIN(old_size, new_size));
    }
    if (raw != NULL) {
        free(raw);
        failing->blocks--;
    }
    return fresh != NULL ? fresh + FAILING_HEADER : NULL;
}

// The address of `failing` must not change once `failing->allocator` is in use.
static inline void failing_init(FailingAllocator *failing, size_t fail_at) {
    *failing = (FailingAllocator){ .allocator = { failing_resize, failing }, .fail_at = fail_at };
}

// From now on serves so many calls and then no more.
static inline void failing_allow(FailingAllocator *failing, size_t calls) {
    failing->fail_at = failing->calls + calls;
    failing->scarce = true;
}

// The same numbers in every run.
static inline uint32_t test_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

#endif
