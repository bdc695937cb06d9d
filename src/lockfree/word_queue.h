// A bounded queue of words for many producers and many consumers: a ring of cells, each of which says whose
// turn it is.
//
// After: Vyukov, "Bounded MPMC queue", 1024cores.net, 2011.
//
// `tail` counts the pushes that have begun, `head` the pops; both only grow. Push number n uses cell n modulo
// the capacity, and so does pop number n. A cell's `turn` says what may happen to it next:
//
//   turn = n                push n may write it (cells start like this, with n = their index)
//   turn = n + 1            pop n may read it
//   turn = n + capacity     pop n has read it: the turn of push n + capacity
//
// Invariants
// - Whoever raises `tail` or `head` from n to n + 1 alone owns the cell until it passes the turn on. So the
// word
//   itself is plain memory.
// - A cell whose turn is behind says "full" or "empty"; one whose turn is ahead says that our n is out of
// date.
// - Turns never decrease, and 64 bits do not wrap. The capacity is at least 2: with 1, "pop n" and "push n +
// 1"
//   would be the same turn.

#ifndef FILO_LOCKFREE_WORD_QUEUE_H
#define FILO_LOCKFREE_WORD_QUEUE_H

#include <filo/lockfree.h>

#include "base/atomic.h"

typedef struct LockfreeWordCell {
    BASE_ATOMIC(uint64_t) turn;
    uint64_t word;
} LockfreeWordCell;

struct FiloWordQueue {
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) tail;
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(uint64_t) head;
    _Alignas(FILO_CACHE_LINE) uint64_t mask; // capacity − 1
    const FiloAllocator *allocator;
    _Alignas(FILO_CACHE_LINE) LockfreeWordCell cells[];
};

#endif
