// Counts every call of malloc and related functions in the whole process, including those of the C library.
//
// Include it in the one source file of a test executable: it replaces malloc there.
//
//     uint64_t before = filo_test_malloc_calls();
//     …
//     assert_int_equal(filo_test_malloc_calls(), before);     // no allocation
//
// The sanitizers replace malloc themselves; FILO_TEST_COUNTS_MALLOC is then 0, and nothing is counted.

#ifndef FILO_TEST_MALLOC_COUNT_H
#define FILO_TEST_MALLOC_COUNT_H

#include "support/test.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#define FILO_TEST_COUNTS_MALLOC (!FILO_TEST_SANITIZED)

static uint64_t filo_test_malloc_count; // calls that allocate, resize or free; atomic by builtins
static uint64_t filo_test_malloc_failures;
static uint64_t filo_test_malloc_spared;

// Calls so far, from any thread.
static inline uint64_t filo_test_malloc_calls(void) {
    return __atomic_load_n(&filo_test_malloc_count, __ATOMIC_RELAXED);
}

// For loops on several threads: how many threads take part in a frame is a matter of chance, and each allocates some memory
// the first time.
//
//     FiloTestSteady steady = { 0 };
//     while (filo_test_unsteady(&steady, 30)) draw_frame(steady.turn);
//
// True until a round of `turns` turns has allocated nothing. Fails if no round of twenty does.
typedef struct FiloTestSteady {
    int turn; // from 0
    int turns;
    uint64_t before;
} FiloTestSteady;
static inline bool filo_test_unsteady(FiloTestSteady *steady, int turns) {
    steady->turn = steady->turns++;
    if (steady->turn % turns != 0) return true;
    uint64_t calls = filo_test_malloc_calls();
    if (steady->turn > 0 && calls == steady->before) return false;
    if (steady->turn == 20 * turns) fail_msg("no round of %d turns goes without an allocation", turns);
    steady->before = calls;
    return true;
}

// The next `count` allocations fail.
static inline void filo_test_malloc_fail(uint64_t count) {
    __atomic_store_n(&filo_test_malloc_failures, count, __ATOMIC_RELAXED);
}

// After `spared` further allocations, the next `count` fail. For one thread.
static inline void filo_test_malloc_fail_after(uint64_t spared, uint64_t count) {
    __atomic_store_n(&filo_test_malloc_spared, spared, __ATOMIC_RELAXED);
    filo_test_malloc_fail(count);
}

#if FILO_TEST_COUNTS_MALLOC

// glibc's names of its own functions.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *memory);

static bool filo_test_malloc_fails(void) {
    __atomic_fetch_add(&filo_test_malloc_count, 1, __ATOMIC_RELAXED);
    uint64_t left = __atomic_load_n(&filo_test_malloc_failures, __ATOMIC_RELAXED);
    if (left > 0 && __atomic_load_n(&filo_test_malloc_spared, __ATOMIC_RELAXED) > 0) {
        __atomic_fetch_sub(&filo_test_malloc_spared, 1, __ATOMIC_RELAXED);
        return false;
    }
    while (left > 0)
        if (__atomic_compare_exchange_n(&filo_test_malloc_failures, &left, left - 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    return false;
}

#    define FILO_TEST_REPLACES __attribute__((visibility("default")))

FILO_TEST_REPLACES void *malloc(size_t size) { return filo_test_malloc_fails() ? NULL : __libc_malloc(size); }
FILO_TEST_REPLACES void *calloc(size_t count, size_t size) {
    return filo_test_malloc_fails() ? NULL : __libc_calloc(count, size);
}
FILO_TEST_REPLACES void *realloc(void *memory, size_t size) {
    return filo_test_malloc_fails() ? NULL : __libc_realloc(memory, size);
}
FILO_TEST_REPLACES void *memalign(size_t align, size_t size) {
    return filo_test_malloc_fails() ? NULL : __libc_memalign(align, size);
}
FILO_TEST_REPLACES void *aligned_alloc(size_t align, size_t size) {
    return filo_test_malloc_fails() ? NULL : __libc_memalign(align, size);
}
FILO_TEST_REPLACES int posix_memalign(void **memory, size_t align, size_t size) {
    void *block = filo_test_malloc_fails() ? NULL : __libc_memalign(align, size);
    if (block == NULL) return ENOMEM;
    *memory = block;
    return 0;
}
FILO_TEST_REPLACES void free(void *memory) {
    __atomic_fetch_add(&filo_test_malloc_count, 1, __ATOMIC_RELAXED);
    __libc_free(memory);
}

#endif

#endif
