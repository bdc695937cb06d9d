// A free list of numbers: a stack, linked through an array of its own.
//
// After: Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986, with the tag of the IBM
// System/370 manual against the ABA problem: between a thread's load of the head and its compare and swap, other
// threads may take the first number and the second, and give the first back. The head is the same again, but the
// second number is taken, and the swap would put it back into the list. So the head has 64 bits: the first number plus
// 1 (0: empty) in the lower 32, and in the upper 32 a tag that grows with each take. The swap can go wrong only after
// exactly a multiple of 2^32 takes, with the same number on top: at a hundred million takes a second, the thread would
// have to pause between two instructions for 43 seconds, to the nanosecond.
//
// Reference counts, the other remedy (Valois, PODC 1995; Michael and Scott, 1995), would cost two more contended
// operations per take. They are needed where nodes are freed; here they never are.
//
// Invariants
// - A number is in the list, or taken. The link of a taken number is TAKEN until it is given back.
// - No value of the head occurs twice (until the tag wraps): while the tag is the same there are only gives, each of
//   another number. So a swap that succeeds replaces the very store that the load before it read.
// - Links are not in the blocks. A thread that is late may read an outdated link, but never memory that another thread
//   uses for something else.

#ifndef FILO_LOCKFREE_FREE_LIST_H
#define FILO_LOCKFREE_FREE_LIST_H

#include <filo/lockfree.h>

#include "base/atomic.h"

// By how much the tag grows. A test sets it to 0, to see that the ABA problem is found.
#ifndef LOCKFREE_FREE_LIST_TAG_STEP
#    define LOCKFREE_FREE_LIST_TAG_STEP 1u
#endif

struct FiloFreeList {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) head;
    _Alignas(FILO_CACHE_LINE) uint32_t count; // this and what follows is constant
    size_t stride;                            // bytes from block to block; 0: no blocks
    unsigned char *blocks;
    BASE_ATOMIC(uint32_t) * links; // by number: the next number plus 1, 0 at the end, or TAKEN
    size_t size;                   // of the allocation, which holds everything
    size_t align;
    const FiloAllocator *allocator;
};

#endif
