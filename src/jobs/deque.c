#include "jobs/deque.h"

// After so many takes from the public part without a steal in between, half of it becomes private again.
#define TAKES_WITHOUT_THIEF 32

static size_t buffer_size(int64_t capacity) {
    return sizeof(JobsDequeBuffer) + (size_t)capacity * sizeof(BASE_ATOMIC(void *));
}

// Copies of the buffer's fields, for the owner.
static void cache_buffer(JobsDeque *deque, JobsDequeBuffer *buffer) {
    deque->items = buffer->items;
    deque->mask = buffer->mask;
    deque->bottom_limit = deque->min_top + buffer->mask + 1;
}

bool jobs_deque_init(JobsDeque *deque, int64_t capacity, const FiloAllocator *allocator) {
    JobsDequeBuffer *buffer = filo_alloc_zero(allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    deque->min_top = deque->last_top = 0;
    deque->takes_at_last_top = 0;
    deque->all_public = false;
    deque->allocator = allocator;
    base_store_relaxed(&deque->top, 0);
    base_store_relaxed(&deque->claiming, 0);
    base_store_relaxed(&deque->split, 0);
    base_store_relaxed(&deque->wanted, 0);
    base_store_relaxed(&deque->bottom, 0);
    base_store_relaxed(&deque->buffer, buffer);
    cache_buffer(deque, buffer);
    return true;
}

void jobs_deque_deinit(JobsDeque *deque) {
    JobsDequeBuffer *buffer = base_load_relaxed(&deque->buffer);
    while (buffer != NULL) {
        JobsDequeBuffer *older = buffer->older;
        filo_free(deque->allocator, buffer, buffer_size(buffer->mask + 1), 0);
        buffer = older;
    }
    base_store_relaxed(&deque->buffer, NULL);
}

void jobs_deque_make_all_public(JobsDeque *deque) {
    deque->all_public = true;
    base_store_relaxed(&deque->wanted, 1); // lower_split never clears it
}

static bool grow(JobsDeque *deque) {
    JobsDequeBuffer *old = base_load_relaxed(&deque->buffer);
    int64_t capacity = (old->mask + 1) * 2;
    JobsDequeBuffer *buffer = filo_alloc_zero(deque->allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    buffer->older = old;
    int64_t bottom = base_load_relaxed(&deque->bottom);
    for (int64_t i = deque->min_top; i < bottom; i++) {
        void *item = base_load_relaxed(&old->items[i & old->mask]);
        base_store_relaxed(&buffer->items[i & buffer->mask], item);
    }
    // Release: pairs with the acquire in jobs_deque_steal; a thief that sees the new buffer sees its contents.
    base_store_release(&deque->buffer, buffer);
    cache_buffer(deque, buffer);
    return true;
}

bool jobs_deque_reserve(JobsDeque *deque) {
    // Acquire: pairs with the compare and swap in jobs_deque_steal; thieves no longer read the slot that is reused.
    deque->min_top = base_load_acquire(&deque->top);
    deque->bottom_limit = deque->min_top + deque->mask + 1;
    return jobs_deque_has_capacity(deque) || grow(deque);
}

// ---- Taking from the public part ----------------------------------------------------------------------

// The new split when the owner takes the item at `bottom`: there, or, if there was no steal for a while, further down,
// so that the next takes are cheap.
static int64_t lower_split(JobsDeque *deque, int64_t bottom) {
    if (deque->all_public || deque->takes_at_last_top < TAKES_WITHOUT_THIEF) return bottom;
    deque->takes_at_last_top = 0;
    if (base_load_relaxed(&deque->wanted) != 0) base_store_relaxed(&deque->wanted, 0);
    return bottom - (bottom - deque->last_top) / 2;
}

static void count_take(JobsDeque *deque, int64_t top) {
    deque->takes_at_last_top = top == deque->last_top ? deque->takes_at_last_top + 1 : 0;
    deque->last_top = top;
}

static void *take_public(JobsDeque *deque, int64_t bottom) {
    int64_t split = lower_split(deque, bottom);
    // Sequentially consistent, both: pair with the loads in jobs_deque_steal. Either the thief sees the lower split,
    // or the owner sees its higher top. Without a total order both could take the same last item. The exchange also
    // removes a thief's mark.
    (void)base_exchange_seq_cst(&deque->split, split);
    int64_t top = base_load_seq_cst(&deque->top);
    void *item = base_load_relaxed(&deque->items[bottom & deque->mask]);
    count_take(deque, top);
    if (FILO_LIKELY(top < split)) return item;
    // Thieves that saw the old split can take only the item at top.
    if (top < bottom) {                            // the item is the owner's, and split is too low
        base_store_release(&deque->split, bottom); // release: as in push_fast
        return item;
    }
    if (top > bottom) { // a thief took it
        item = NULL;
    } else { // the last item belongs to the thread that raises top
        // Release: pairs with the load of top in jobs_deque_steal; a thief that sees the higher top must not see a
        // split from before the exchange, or it would steal the item again. Acquire is not needed: a thief that sees
        // the old top fails at its own compare and swap.
        if (!base_cas_release(&deque->top, &top, top + 1)) item = NULL;
    }
    base_store_relaxed(&deque->split, bottom + 1);
    base_store_relaxed(&deque->bottom, bottom + 1);
    return item;
}

void *jobs_deque_take_slow(JobsDeque *deque, int64_t bottom) {
    if (bottom < base_load_relaxed(&deque->top)) { // top only rises, so the deque is empty
        if (base_load_relaxed(&deque->bottom) != bottom + 1) base_store_relaxed(&deque->bottom, bottom + 1);
        return NULL;
    }
    base_store_release(&deque->bottom, bottom); // release and barrier: as in jobs_deque_take
    jobs_barrier_compiler();
    int64_t split = base_load_relaxed(&deque->split);
    while ((split & ~JOBS_DEQUE_MARK) <= bottom) { // private, unless a claim succeeds now
        bool marked = (split & JOBS_DEQUE_MARK) != 0;
        // The swap answers the claim with all other items. Release: as in push_fast.
        if (!marked || base_cas_release(&deque->split, &split, bottom))
            return base_load_relaxed(&deque->items[bottom & deque->mask]);
    }
    return take_public(deque, bottom);
}

// ---- Claiming the private part ------------------------------------------------------------------------

// True if the mark is gone: the owner has changed split.
static bool owner_answered(JobsDeque *deque, int64_t marked, int spins) {
    for (int i = 0; i < spins; i++) {
        if (base_load_relaxed(&deque->split) != marked) return true;
        base_cpu_relax();
    }
    return false;
}

bool jobs_deque_claim(JobsDeque *deque, int spins) {
    uint32_t unclaimed = 0;
    if (deque->all_public || !jobs_deque_has_private(deque)) return false;
    // Acquire: pairs with the release below; the mark of the thief before is gone.
    if (!base_cas_acquire(&deque->claiming, &unclaimed, 1)) return false;
    int64_t split = base_load_relaxed(&deque->split), marked = split | JOBS_DEQUE_MARK;
    bool claimed = base_cas_relaxed(&deque->split, &split, marked);
    if (claimed && !owner_answered(deque, marked, spins)) {
        jobs_barrier_everywhere(); // pairs with jobs_barrier_compiler in jobs_deque_take and jobs_deque_take_slow
        // Acquire: pairs with the release of bottom in push_fast and take.
        int64_t bottom = base_load_acquire(&deque->bottom);
        // Release: pairs with the load of split in jobs_deque_steal; other thieves see the items, too.
        base_cas_release(&deque->split, &marked, FILO_MAX(bottom, split));
    }
    base_store_release(&deque->claiming, 0); // release: pairs with the acquire above
    return claimed;
}
