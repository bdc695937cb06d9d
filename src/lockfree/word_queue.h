// A bounded queue of words for many producers and many consumers: a ring of cells with sequence numbers.
//
// After: Vyukov, "Bounded MPMC queue", 1024cores.net, 2011.
//
// `tail` counts the pushes that have begun, `head` the pops; both only grow. Push number n and pop number n use cell n
// modulo the capacity. A cell's `sequence` says which operation may use it next:
//
//   sequence = n             push n may write it (initially n is the cell's index)
//   sequence = n + 1         pop n may read it
//   sequence = n + capacity  pop n has read it: push n + capacity may write it
//
// Invariants
// - The thread that raises `tail` or `head` from n to n + 1 owns the cell until it stores the next sequence number. So
//   the word itself is plain memory.
// - A sequence number that is too low means "full" or "empty"; one that is too high means that this thread's n is
//   outdated.
// - Sequence numbers never decrease, and 64 bits do not wrap. The capacity is at least 2: with 1, "pop n" and "push
//   n + 1" would have the same number.

#ifndef FILO_LOCKFREE_WORD_QUEUE_H
#define FILO_LOCKFREE_WORD_QUEUE_H

#include <filo/lockfree.h>

#include "base/atomic.h"

typedef struct LockfreeQueueCell {
    BASE_ATOMIC(uint64_t) sequence;
    uint64_t word;
} LockfreeQueueCell;

struct FiloWordQueue {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) tail;
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) head;
    _Alignas(FILO_CACHE_LINE) uint64_t mask; // capacity − 1
    const FiloAllocator *allocator;
    _Alignas(FILO_CACHE_LINE) LockfreeQueueCell cells[];
};

#endif
