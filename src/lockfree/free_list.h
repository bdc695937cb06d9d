// A free list of numbers: a stack, linked through an array of its own.
//
// After: Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986, with the tag of the IBM
// System/370 manual against the ABA problem: between a thread's look at the head and its compare and swap,
// the first number may have been taken, others too, and the first given back; the head looks the same, but
// what comes second does not, and the swap would put a taken number back. So the head is 64 bits: the first
// number plus 1 (0: empty) in the lower half, and in the upper half a tag that grows with each take. The swap
// would have to be fooled by exactly a multiple of 2^32 takes, with the same number on top, while one thread
// stands between two instructions: at a hundred million takes a second, it must sleep there for 43 seconds
// and wake up in the right nanosecond.
//
// Reference counts, the other remedy (Valois, PODC 1995; Michael and Scott, 1995), would cost two more
// contended operations per take. They are needed where nodes return to the system; here they never do.
//
// Invariants
// - A number is in the list, or taken: then its link is TAKEN, as long as nobody gives it back.
// - No value of the head comes twice (until the tag wraps): within one tag there are only gives, each of
//   another number. So a swap that succeeds read the very message that the load before it read.
// - Links are not in the blocks: a thread that was overtaken may read a link that is out of date, but never
//   memory that somebody else uses as something else.

#ifndef FILO_LOCKFREE_FREE_LIST_H
#define FILO_LOCKFREE_FREE_LIST_H

#include <filo/lockfree.h>

#include "base/atomic.h"

// By how much the tag grows. A test makes it 0 to see what would happen.
#ifndef LOCKFREE_FREE_LIST_TAG_STEP
#    define LOCKFREE_FREE_LIST_TAG_STEP 1u
#endif

struct FiloFreeList {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) head;
    _Alignas(FILO_CACHE_LINE) uint32_t count; // read only from here on
    size_t stride;                            // from block to block; 0: no blocks
    unsigned char *blocks;
    BASE_ATOMIC(uint32_t) * links; // of each number: what comes next, plus 1
    size_t size;                   // of all this memory, which is one allocation
    size_t align;
    const FiloAllocator *allocator;
};

#endif
