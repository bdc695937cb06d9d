// A work-stealing deque: its owner pushes and takes at the bottom (last in, first out), anybody steals at the
// top (first in, first out).
//
// After: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; Lê, Pop, Cohen and Zappa Nardelli,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013. Where the latter uses stand-alone
// fences, here the operations themselves are sequentially consistent, which ThreadSanitizer understands and
// which is no dearer: the one that costs anything is the exchange in take.
//
// Invariants
// - `top` never decreases; it is raised only by compare and swap, and each success hands one element to one
// thread.
// - Elements top … bottom − 1 are in the deque. Only the owner writes `bottom`.
// - Indices are 64 bits and signed, so they never wrap, and an empty deque may have bottom = top − 1 for a
// moment.
// - The buffer only grows. Old buffers stay until the end, because a slow thief may still be reading one;
// what it reads
//   there is either right or refused by its compare and swap.

#ifndef FILO_JOBS_DEQUE_H
#define FILO_JOBS_DEQUE_H

#include <filo/memory.h>

#include "base/atomic.h"

typedef struct FiloDequeBuffer {
    struct FiloDequeBuffer *older;
    int64_t mask; // capacity − 1, the capacity being a power of two
    FILO_ATOMIC(void *) items[];
} FiloDequeBuffer;

typedef struct FiloDeque {
    _Alignas(FILO_CACHE_LINE) FILO_ATOMIC(int64_t) top;    // thieves write here
    _Alignas(FILO_CACHE_LINE) FILO_ATOMIC(int64_t) bottom; // only the owner writes here
    FILO_ATOMIC(FiloDequeBuffer *) buffer;
    // The owner's:
    FILO_ATOMIC(void *) * items; // of the buffer
    int64_t mask;                // of the buffer
    int64_t known_top;           // top is at least this, so a push need not look at the thieves' line
    int64_t full;                // known_top + capacity: the bottom at which there is no more room
    const FiloAllocator *allocator;
} FiloDeque;

// `capacity` is a power of two. False if there is no memory.
bool filo_deque_init(FiloDeque *deque, int64_t capacity, const FiloAllocator *allocator);
void filo_deque_deinit(FiloDeque *deque);

// Makes room for a push where there seems to be none: by looking at the real top, or by doubling the buffer. The owner
// only. False if there is no memory.
bool filo_deque_make_room(FiloDeque *deque);

// True if a push needs neither to look at the thieves' line nor to grow. The owner only.
static inline bool filo_deque_has_room(FiloDeque *deque) {
    return filo_load_relaxed(&deque->bottom) < deque->full;
}

// A push where there is room. The owner only.
static inline void filo_deque_push_into_room(FiloDeque *deque, void *item) {
    int64_t bottom = filo_load_relaxed(&deque->bottom);
    filo_store_relaxed(&deque->items[bottom & deque->mask], item);
    // Release: pairs with the load of bottom in steal; the thief must see the item, and what it points to.
    filo_store_release(&deque->bottom, bottom + 1);
}

// The owner only. False if the deque is full and there is no memory for it to grow; nothing has happened
// then.
static inline bool filo_deque_push(FiloDeque *deque, void *item) {
    if (FILO_UNLIKELY(!filo_deque_has_room(deque)) && !filo_deque_make_room(deque)) return false;
    filo_deque_push_into_room(deque, item);
    return true;
}

// True if the owner would find nothing. Never wrong for the owner; for others a moment's guess.
static inline bool filo_deque_empty(FiloDeque *deque) {
    return filo_load_relaxed(&deque->bottom) <= filo_load_relaxed(&deque->top);
}

// The newest item, or NULL. The owner only.
static inline void *filo_deque_take(FiloDeque *deque) {
    if (filo_deque_empty(deque)) return NULL; // top only rises: what looks empty is empty
    int64_t bottom = filo_load_relaxed(&deque->bottom) - 1;
    // Sequentially consistent, as are the loads in steal: either the thief sees the lower bottom, or we see
    // its higher top. Without a total order both could miss each other and take the same last item.
    (void)filo_exchange_seq_cst(&deque->bottom, bottom);
    int64_t top = filo_load_seq_cst(&deque->top);
    void *item = filo_load_relaxed(&deque->items[bottom & deque->mask]);
    if (FILO_LIKELY(top < bottom)) return item;
    if (top > bottom) { // a thief was quicker
        item = NULL;
    } else { // the last one: whoever raises top has it
        // Release: pairs with the load of top in steal; a thief that sees the higher top must not see a
        // bottom from before the exchange, or it would steal what was taken. No more than that: a thief that
        // sees the old top fails at its own compare and swap.
        if (!filo_cas_release(&deque->top, &top, top + 1)) item = NULL;
    }
    filo_store_relaxed(&deque->bottom, bottom + 1);
    return item;
}

// The same without thieves: for a scheduler with one worker.
static inline void *filo_deque_take_alone(FiloDeque *deque) {
    int64_t bottom = filo_load_relaxed(&deque->bottom) - 1;
    if (bottom < filo_load_relaxed(&deque->top)) return NULL;
    filo_store_relaxed(&deque->bottom, bottom);
    return filo_load_relaxed(&deque->items[bottom & deque->mask]);
}

// The oldest item; NULL if there is none, or, with `*contended` set, if another thread took it: it is worth
// trying again. Any thread.
static inline void *filo_deque_steal(FiloDeque *deque, bool *contended) {
    if (filo_deque_empty(deque)) return NULL; // a look, before paying for more
    int64_t top = filo_load_seq_cst(&deque->top);
    int64_t bottom =
        filo_load_seq_cst(&deque->bottom); // sequentially consistent: see take; acquire: see push
    if (top >= bottom) return NULL;
    // Acquire: pairs with the release in grow; the buffer's contents must be seen.
    FiloDequeBuffer *buffer = filo_load_acquire(&deque->buffer);
    void *item = filo_load_relaxed(&buffer->items[top & buffer->mask]);
    if (filo_cas_seq_cst(&deque->top, &top, top + 1)) return item;
    *contended = true;
    return NULL;
}

#endif
