// Several real threads that start at the same time, for stress tests.

#ifndef FILO_TEST_TOGETHER_H
#define FILO_TEST_TOGETHER_H

#include <filo/threads.h>

#include "base/atomic.h"
#include "support/test.h"

#define TOGETHER_MAX 16

typedef void (*TogetherFunction)(int thread, void *user); // `thread` from 0 on

typedef struct Together {
    TogetherFunction function;
    void *user;
    int thread;
    BASE_ATOMIC(int) * waiting;
} Together;

static inline void together_main(void *user) {
    Together *self = user;
    // Acquire and release: only so that all threads start together.
    base_sub_acq_rel(self->waiting, 1);
    while (base_load_acquire(self->waiting) > 0) filo_thread_yield();
    self->function(self->thread, self->user);
}

// Runs `function` on `count` threads at once, and returns when all have ended.
static inline void together(int count, TogetherFunction function, void *user) {
    FiloThread threads[TOGETHER_MAX];
    Together selves[TOGETHER_MAX];
    BASE_ATOMIC(int) waiting = count;
    assert_true(count <= TOGETHER_MAX);
    for (int i = 0; i < count; i++) {
        selves[i] = (Together){ function, user, i, &waiting };
        assert_ok(filo_thread_start(&threads[i],
                                    &(FiloThreadDesc){ .function = together_main, .user = &selves[i] }));
    }
    for (int i = 0; i < count; i++) filo_thread_join(&threads[i]);
}

// A small random number generator (xorshift).
static inline uint32_t together_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

// An allocator that always fails.
static inline void *together_refuse(void *user, void *memory, size_t old_size, size_t new_size,
                                    size_t align) {
    FILO_UNUSED(user), FILO_UNUSED(memory), FILO_UNUSED(old_size), FILO_UNUSED(new_size), FILO_UNUSED(align);
    return NULL;
}

static const FiloAllocator no_memory = { together_refuse, NULL };

#endif
