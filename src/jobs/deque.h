// A work-stealing deque: its owner pushes and takes at the bottom (last in, first out), anybody steals at the
// top (first in, first out). The newer part of it is the owner's alone, so most pushes and takes are a few
// plain loads and stores.
//
//      top           split           bottom
//       │    public    │    private    │
//   ────┴──────────────┴───────────────┴────▶ index
//       ▶ steal        ◀▶ publish,     ◀▶ push, take
//                         claim
//
// The public part is the deque of Chase and Lev, with `split` in the place of their bottom. The owner
// publishes by a store to split: when it pushes and somebody has said that work is `wanted`, or when it knows
// of somebody. From the private part it takes without any synchronisation: it lowers bottom, looks at split,
// and finds it below.
//
// A thief that finds nothing public says that work is wanted. If the owner does not come by, because it is in
// the middle of something long, the thief claims the private part: it marks split, makes all other threads
// pass a barrier (barrier.h), reads bottom, and raises split to it, unless the owner has changed split in the
// meantime. The barrier divides the owner's takes. Those before it have lowered bottom where the thief sees
// it. Those after it find the mark, which makes split larger than any index and so sends them the slow way:
// there the owner removes the mark by compare and swap, and so answers the thief, with all that it does not
// take itself. If both try at the same time, one of the two compare and swaps succeeds. The owner never waits
// for a thief.
//
// What was published and is not stolen costs the owner an exchange for each take, as with Chase and Lev. So
// after some of those without a thief in between it takes half of the public part back, and publishes no more
// until it is asked again.
//
// Where there is no such barrier, the deque is opened: all of it is always public.
//
// Invariants
// - `top` never decreases; it is raised only by compare and swap, and each success hands one element to one
//   thread.
// - Elements top … bottom − 1 are in the deque. Only the owner writes `bottom`. Nobody but the owner gets
//   elements from split on.
// - The owner moves split as it likes; a thief only sets the mark, and exchanges it for something, by compare
//   and swap. Only the holder of `claiming` sets it, so a mark that is still there is still the same one.
// - split ≤ bottom, but for the middle of a take: there split ≤ bottom + 1.
// - Indices are 64 bits and signed, so they never wrap, there is room for the mark, and an empty deque may
//   have split = top − 1 for a moment.
// - The buffer only grows. Old buffers stay until the end, because a slow thief may still be reading one;
//   what it reads there is either right or refused by its compare and swap.
//
// After: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; Lê, Pop, Cohen and Zappa Nardelli,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013. Where the latter uses stand-alone
// fences, here the operations themselves are sequentially consistent, which ThreadSanitizer understands.
// The private part: Dinan, Larkins, Sadayappan, Krishnamoorthy and Nieplocha, "Scalable work stealing", SC
// 2009; van Dijk and van de Pol, "Lace: non-blocking split deque for work-stealing", Euro-Par 2014 workshops.
// There an owner inside a long job keeps what is private; the claim is what we add.

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
    // Thieves write here:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) top;
    BASE_ATOMIC(uint32_t) claiming; // one of them may claim at a time
    // Both write here, seldom:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) split;
    BASE_ATOMIC(uint32_t) wanted; // a thief found nothing
    BASE_ATOMIC(JobsDequeBuffer *) buffer;
    // Only the owner writes here:
    _Alignas(FILO_CACHE_LINE) BASE_ATOMIC(int64_t) bottom;
    BASE_ATOMIC(void *) * items; // of the buffer
    int64_t mask;                // of the buffer
    int64_t known_top;           // top is at least this, so a push need not look at the thieves' line
    int64_t full;                // known_top + capacity: the bottom at which there is no more room
    int64_t unmoved_top;         // where top was at the last takes from the public part, …
    uint32_t unmoved;            // … this many of them
    bool open;
    const FiloAllocator *allocator;
} JobsDeque;

// `capacity` is a power of two. False if there is no memory.
bool jobs_deque_init(JobsDeque *deque, int64_t capacity, const FiloAllocator *allocator);
void jobs_deque_deinit(JobsDeque *deque);

// Nothing in it shall be private, ever: for systems without jobs_barrier_everywhere. While it is empty and not yet shared.
void jobs_deque_open(JobsDeque *deque);

// Makes room for a push where there seems to be none: by looking at the real top, or by doubling the buffer. The owner
// only. False if there is no memory.
bool jobs_deque_make_room(JobsDeque *deque);

// True if a push needs neither to look at the thieves' line nor to grow. The owner only.
static inline bool jobs_deque_has_room(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) < deque->full;
}

// A push where there is room. The owner only.
static inline void jobs_deque_push_into_room(JobsDeque *deque, void *item) {
    int64_t bottom = base_load_relaxed(&deque->bottom);
    base_store_relaxed(&deque->items[bottom & deque->mask], item);
    // Release: pairs with the load of bottom in claim; whoever steals the item must see it, and what it points to.
    base_store_release(&deque->bottom, bottom + 1);
    // Release: the same for the load of split in steal. If there is a mark, this removes it, and the claim is void.
    if (FILO_UNLIKELY(base_load_relaxed(&deque->wanted) != 0)) base_store_release(&deque->split, bottom + 1);
}

// The owner only. False if the deque is full and there is no memory for it to grow; nothing has happened
// then.
static inline bool jobs_deque_push(JobsDeque *deque, void *item) {
    if (FILO_UNLIKELY(!jobs_deque_has_room(deque)) && !jobs_deque_make_room(deque)) return false;
    jobs_deque_push_into_room(deque, item);
    return true;
}

// Lets thieves have everything that is in the deque now. The owner only.
static inline void jobs_deque_publish(JobsDeque *deque) {
    int64_t bottom = base_load_relaxed(&deque->bottom);
    if (base_load_relaxed(&deque->split) != bottom) base_store_release(&deque->split, bottom); // as in push
}

// True if there is nothing in it, public or private. Never wrong for the owner; for others a moment's guess.
static inline bool jobs_deque_empty(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) <= base_load_relaxed(&deque->top);
}

// True if there is something in it that only the owner, or a claim, can get. A moment's guess.
static inline bool jobs_deque_hides(JobsDeque *deque) {
    return base_load_relaxed(&deque->bottom) > (base_load_relaxed(&deque->split) & ~JOBS_DEQUE_MARK);
}

// A take of what is at `bottom`, one below the bottom, where that is not known to be private: behind jobs_deque_take.
void *jobs_deque_take_with_care(JobsDeque *deque, int64_t bottom);

// The newest item, or NULL. The owner only.
static inline void *jobs_deque_take(JobsDeque *deque) {
    int64_t bottom = base_load_relaxed(&deque->bottom) - 1;
    // The first look is for what is empty or public, so that bottom's line stays as it is; the second one counts.
    if (FILO_LIKELY(bottom >= base_load_relaxed(&deque->split))) {
        base_store_release(&deque->bottom, bottom); // release: as in push, for what is left
        jobs_barrier_compiler();                    // pairs with the barrier in claim
        if (FILO_LIKELY(bottom >= base_load_relaxed(&deque->split)))
            return base_load_relaxed(&deque->items[bottom & deque->mask]);
    }
    return jobs_deque_take_with_care(deque, bottom);
}

// The oldest item; NULL if there is none that is public, or, with `*contended` set, if another thread took it: it is
// worth trying again. Any thread.
static inline void *jobs_deque_steal(JobsDeque *deque, bool *contended) {
    // A look, before paying for more.
    if ((base_load_relaxed(&deque->split) & ~JOBS_DEQUE_MARK) <= base_load_relaxed(&deque->top)) {
        if (base_load_relaxed(&deque->wanted) == 0) base_store_relaxed(&deque->wanted, 1);
        return NULL;
    }
    int64_t top = base_load_seq_cst(&deque->top);
    // Sequentially consistent: see take_with_care; acquire: see push, and claim.
    int64_t split = base_load_seq_cst(&deque->split) & ~JOBS_DEQUE_MARK;
    if (top >= split) return NULL;
    // Acquire: pairs with the release in grow; the buffer's contents must be seen.
    JobsDequeBuffer *buffer = base_load_acquire(&deque->buffer);
    void *item = base_load_relaxed(&buffer->items[top & buffer->mask]);
    if (base_cas_seq_cst(&deque->top, &top, top + 1)) return item;
    *contended = true;
    return NULL;
}

// Makes public what the owner keeps to itself, whether the owner comes by or not. That costs a system call of some
// microseconds, unless the owner gives an answer of its own while we look `patience` times. False if there was nothing
// to claim, or another thread is about it. Not the owner; needs jobs_barrier_prepare.
bool jobs_deque_claim(JobsDeque *deque, int patience);

#endif
