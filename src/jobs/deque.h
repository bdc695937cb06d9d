// A work-stealing deque. Its owner pushes and takes at the bottom (last in, first out); any other thread steals at the
// top (first in, first out). The newer part is private to the owner, so most pushes and takes are a few plain loads and
// stores.
//
//      top           split           bottom
//       │    public    │    private    │
//   ────┴──────────────┴───────────────┴────▶ index
//       ▶ steal        ◀▶ publish,     ◀▶ push, take
//                         claim
//
// The public part is the deque of Chase and Lev, with `split` instead of their bottom. The owner publishes by a store
// to split: in a push, when a thief has set `wanted`, or by jobs_deque_publish. It takes from the private part without
// any synchronisation: it lowers bottom and then finds split at or below it.
//
// A thief that finds nothing public sets `wanted`. If the owner does not push for a while, because it runs a long job,
// the thief claims the private part: it sets a mark in split, makes all other threads pass a barrier (barrier.h),
// reads bottom, and raises split to it, unless the owner has changed split meanwhile. The barrier divides the owner's
// takes. Takes before it have lowered bottom, and the thief sees that. Takes after it find the mark, which makes split
// larger than any index and so leads to the slow path: there the owner removes the mark by compare and swap, and
// publishes all that it does not take itself. If both try at the same time, one of the two compare and swaps succeeds.
// The owner never waits for a thief.
//
// Each take from the public part costs the owner an exchange, as with Chase and Lev. So after TAKES_WITHOUT_THIEF such
// takes without a steal in between, it makes half of the public part private again, and publishes no more until
// `wanted` is set again.
//
// Without such a barrier, all of the deque is always public (`all_public`).
//
// Invariants
// - `top` never decreases. It is raised only by compare and swap, and each success hands one element to one thread.
// - Elements top … bottom − 1 are in the deque. Only the owner writes `bottom`. Only the owner gets elements from split
//   on.
// - The owner may store any split. A thief only sets the mark, and replaces it, by compare and swap. Only the holder of
//   `claiming` sets it, so a mark that is still set is still the same one.
// - split ≤ bottom, except inside a take: there split ≤ bottom + 1.
// - Indices are signed and have 64 bits. So they never wrap, one bit is free for the mark, and an empty deque may have
//   split = top − 1 for a moment.
// - The buffer only grows. Old buffers are freed at the end, because a slow thief may still be reading one. What it
//   reads there is correct, or its compare and swap fails.
//
// After: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; Lê, Pop, Cohen and Zappa Nardelli,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013. Where the latter uses stand-alone
// fences, here the operations themselves are sequentially consistent, which ThreadSanitizer understands.
// The private part: Dinan, Larkins, Sadayappan, Krishnamoorthy and Nieplocha, "Scalable work stealing", SC
// 2009; van Dijk and van de Pol, "Lace: non-blocking split deque for work-stealing", Euro-Par 2014 workshops.
// In both, thieves cannot reach the private part while its owner runs a long job. The claim is our addition.

#ifndef FILO_JOBS_DEQUE_H
#define FILO_JOBS_DEQUE_H

#include <filo/memory.h>

#include "base/atomic.h"
#include "jobs/barrier.h"

typedef struct JobsDequeBuffer {
    struct JobsDequeBuffer *older;
    int64_t mask; // capacity − 1, the capacity being a power of two
    BASE_ATOMIC(void *) items[];
} JobsDequeBuffer;

#define JOBS_DEQUE_MARK ((int64_t)1 << 62) // in split: a thief is claiming the private part

typedef struct JobsDeque {
    // Written by thieves:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) top;
    BASE_ATOMIC(uint32_t) claiming; // 1 while a thief claims; one may at a time
    // Written by both, rarely:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) split;
    BASE_ATOMIC(uint32_t) wanted; // a thief found nothing public
    BASE_ATOMIC(JobsDequeBuffer *) buffer;
    // Written by the owner only:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) bottom;
    BASE_ATOMIC(void *) * items; // of the buffer
    int64_t mask;                // of the buffer
    int64_t min_top;             // a lower bound of top, so that a push need not read the thieves' cache line
    int64_t bottom_limit;        // min_top + capacity: a push at this bottom has to reserve first
    int64_t last_top;            // top at the last take from the public part
    uint32_t takes_at_last_top;  // takes from the public part in a row that saw the same top
    bool all_public;
    const FiloAllocator *allocator;
} JobsDeque;

// `capacity` is a power of two. False if there is no memory.
bool jobs_deque_init(JobsDeque *deque, int64_t capacity, const FiloAllocator *allocator);
void jobs_deque_deinit(JobsDeque *deque);

// Makes all of the deque public for good: for systems without jobs_barrier_everywhere. Call it while the deque is empty
// and no other thread uses it.
void jobs_deque_make_all_public(JobsDeque *deque);

// Makes capacity for a push: updates min_top, or doubles the buffer. Owner only. False if there is no memory.
bool jobs_deque_reserve(JobsDeque *deque);

// True if a push needs no jobs_deque_reserve. Owner only.
static inline bool jobs_deque_has_capacity(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) < deque->bottom_limit;
}

// A push where jobs_deque_has_capacity is true. Owner only.
static inline void jobs_deque_push_fast(JobsDeque *deque, void *item) {
    int64_t bottom = base_load_relaxed(&deque->bottom);
    base_store_relaxed(&deque->items[bottom & deque->mask], item);
    // Release: pairs with the load of bottom in jobs_deque_claim; a thief must see the item and what it points to.
    base_store_release(&deque->bottom, bottom + 1);
    // Release: pairs with the load of split in jobs_deque_steal. This also removes a mark, and so defeats a claim.
    if (FILO_UNLIKELY(base_load_relaxed(&deque->wanted) != 0)) base_store_release(&deque->split, bottom + 1);
}

// Owner only. False if the deque is full and there is no memory to grow; it is unchanged then.
static inline bool jobs_deque_push(JobsDeque *deque, void *item) {
    if (FILO_UNLIKELY(!jobs_deque_has_capacity(deque)) && !jobs_deque_reserve(deque)) return false;
    jobs_deque_push_fast(deque, item);
    return true;
}

// Makes everything that is in the deque now public. Owner only.
static inline void jobs_deque_publish(JobsDeque *deque) {
    int64_t bottom = base_load_relaxed(&deque->bottom);
    if (base_load_relaxed(&deque->split) != bottom)
        base_store_release(&deque->split, bottom); // release: as in push_fast
}

// True if the deque has no items, public or private. Exact for the owner; may be outdated for other threads.
static inline bool jobs_deque_empty(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) <= base_load_relaxed(&deque->top);
}

// True if the deque has private items. May be outdated.
static inline bool jobs_deque_has_private(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) > (base_load_relaxed(&deque->split) & ~JOBS_DEQUE_MARK);
}

// The slow path of jobs_deque_take: takes the item at index `bottom`, the last one, which may be public.
void *jobs_deque_take_slow(JobsDeque *deque, int64_t bottom);

// Takes the newest item; NULL if there is none. Owner only.
static inline void *jobs_deque_take(JobsDeque *deque) {
    int64_t bottom = base_load_relaxed(&deque->bottom) - 1;
    // The first test avoids a write to bottom's cache line where the deque is empty or public. The second one decides.
    if (FILO_LIKELY(bottom >= base_load_relaxed(&deque->split))) {
        base_store_release(&deque->bottom, bottom); // release: as in push_fast, for the items below
        jobs_barrier_compiler();                    // pairs with jobs_barrier_everywhere in jobs_deque_claim
        if (FILO_LIKELY(bottom >= base_load_relaxed(&deque->split)))
            return base_load_relaxed(&deque->items[bottom & deque->mask]);
    }
    return jobs_deque_take_slow(deque, bottom);
}

// Steals the oldest item. NULL if no item is public, or if another thread took it; then `*contended` is set, and it is
// worth trying again. Any thread.
static inline void *jobs_deque_steal(JobsDeque *deque, bool *contended) {
    // Cheap loads first.
    if ((base_load_relaxed(&deque->split) & ~JOBS_DEQUE_MARK) <= base_load_relaxed(&deque->top)) {
        if (base_load_relaxed(&deque->wanted) == 0) base_store_relaxed(&deque->wanted, 1);
        return NULL;
    }
    // Sequentially consistent, both: pair with take_public. Acquire: pairs with the releases of split in push_fast,
    // jobs_deque_publish and jobs_deque_claim.
    int64_t top = base_load_seq_cst(&deque->top);
    int64_t split = base_load_seq_cst(&deque->split) & ~JOBS_DEQUE_MARK;
    if (top >= split) return NULL;
    // Acquire: pairs with the release in grow; the contents of the buffer must be visible.
    JobsDequeBuffer *buffer = base_load_acquire(&deque->buffer);
    void *item = base_load_relaxed(&buffer->items[top & buffer->mask]);
    // Sequentially consistent: pairs with the accesses to top in take_public and jobs_deque_reserve.
    if (base_cas_seq_cst(&deque->top, &top, top + 1)) return item;
    *contended = true;
    return NULL;
}

// Makes the private part public, even if the owner runs a long job. That takes a system call of some microseconds,
// unless the owner publishes by itself while this function spins `spins` times. False if nothing was private, or
// another thread is claiming. Any thread but the owner; needs jobs_barrier_prepare.
bool jobs_deque_claim(JobsDeque *deque, int spins);

#endif
