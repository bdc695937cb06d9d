#include "jobs/deque.h"

// After so many takes from the public part without a thief in between, half of it becomes private again.
#define UNMOVED 32

static size_t buffer_size(int64_t capacity) {
    return sizeof(JobsDequeBuffer) + (size_t)capacity * sizeof(BASE_ATOMIC(void *));
}

// What the owner keeps at hand of its buffer.
static void use(JobsDeque *deque, JobsDequeBuffer *buffer) {
    deque->items = buffer->items;
    deque->mask = buffer->mask;
    deque->full = deque->known_top + buffer->mask + 1;
}

bool jobs_deque_init(JobsDeque *deque, int64_t capacity, const FiloAllocator *allocator) {
    JobsDequeBuffer *buffer = filo_alloc_zero(allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    deque->known_top = deque->unmoved_top = 0;
    deque->unmoved = 0;
    deque->open = false;
    deque->allocator = allocator;
    base_store_relaxed(&deque->top, 0);
    base_store_relaxed(&deque->claiming, 0);
    base_store_relaxed(&deque->split, 0);
    base_store_relaxed(&deque->wanted, 0);
    base_store_relaxed(&deque->bottom, 0);
    base_store_relaxed(&deque->buffer, buffer);
    use(deque, buffer);
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

void jobs_deque_open(JobsDeque *deque) {
    deque->open = true;
    base_store_relaxed(&deque->wanted, 1); // for good: nobody but the owner takes it back
}

static bool grow(JobsDeque *deque) {
    JobsDequeBuffer *old = base_load_relaxed(&deque->buffer);
    int64_t capacity = (old->mask + 1) * 2;
    JobsDequeBuffer *buffer = filo_alloc_zero(deque->allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    buffer->older = old;
    int64_t bottom = base_load_relaxed(&deque->bottom);
    for (int64_t i = deque->known_top; i < bottom; i++) {
        void *item = base_load_relaxed(&old->items[i & old->mask]);
        base_store_relaxed(&buffer->items[i & buffer->mask], item);
    }
    // Release: pairs with the acquire in steal; a thief that sees the new buffer sees what is in it.
    base_store_release(&deque->buffer, buffer);
    use(deque, buffer);
    return true;
}

bool jobs_deque_make_room(JobsDeque *deque) {
    // Acquire: pairs with the compare and swap of thieves; their reads of the slot that is about to be written again are
    // over.
    deque->known_top = base_load_acquire(&deque->top);
    deque->full = deque->known_top + deque->mask + 1;
    return jobs_deque_has_room(deque) || grow(deque);
}

// ---- Taking from the public part ----------------------------------------------------------------------

// Where split goes when the owner takes what is at `bottom`: there, or, if thieves have not come for a while, further
// down, so that the next takes are cheap.
static int64_t lower_split(JobsDeque *deque, int64_t bottom) {
    if (deque->open || deque->unmoved < UNMOVED) return bottom;
    deque->unmoved = 0;
    if (base_load_relaxed(&deque->wanted) != 0) base_store_relaxed(&deque->wanted, 0);
    return bottom - (bottom - deque->unmoved_top) / 2;
}

static void note_top(JobsDeque *deque, int64_t top) {
    deque->unmoved = top == deque->unmoved_top ? deque->unmoved + 1 : 0;
    deque->unmoved_top = top;
}

static void *take_public(JobsDeque *deque, int64_t bottom) {
    int64_t split = lower_split(deque, bottom);
    // Sequentially consistent, as are the loads in steal: either the thief sees the lower split, or we see
    // its higher top. Without a total order both could miss each other and take the same last item. It also removes a
    // thief's mark, if there is one.
    (void)base_exchange_seq_cst(&deque->split, split);
    int64_t top = base_load_seq_cst(&deque->top);
    void *item = base_load_relaxed(&deque->items[bottom & deque->mask]);
    note_top(deque, top);
    if (FILO_LIKELY(top < split)) return item;
    // Thieves that saw the old split can have no more than the item at top.
    if (top < bottom) {                            // so this is ours, and split went too far down
        base_store_release(&deque->split, bottom); // release: as in push
        return item;
    }
    if (top > bottom) { // a thief was quicker
        item = NULL;
    } else { // the last one: whoever raises top has it
        // Release: pairs with the load of top in steal; a thief that sees the higher top must not see a
        // split from before the exchange, or it would steal what was taken. No more than that: a thief that
        // sees the old top fails at its own compare and swap.
        if (!base_cas_release(&deque->top, &top, top + 1)) item = NULL;
    }
    base_store_relaxed(&deque->split, bottom + 1);
    base_store_relaxed(&deque->bottom, bottom + 1);
    return item;
}

void *jobs_deque_take_with_care(JobsDeque *deque, int64_t bottom) {
    if (bottom < base_load_relaxed(&deque->top)) { // top only rises: what looks empty is empty
        if (base_load_relaxed(&deque->bottom) != bottom + 1) base_store_relaxed(&deque->bottom, bottom + 1);
        return NULL;
    }
    base_store_release(&deque->bottom, bottom); // as in take
    jobs_barrier_compiler();
    int64_t split = base_load_relaxed(&deque->split);
    while ((split & ~JOBS_DEQUE_MARK) <=
           bottom) { // it was private, and still is unless a thief's claim succeeds
        bool marked = (split & JOBS_DEQUE_MARK) != 0;
        // The thief shall have the rest. Release: as in push.
        if (!marked || base_cas_release(&deque->split, &split, bottom))
            return base_load_relaxed(&deque->items[bottom & deque->mask]);
    }
    return take_public(deque, bottom);
}

// ---- Claiming the private part ------------------------------------------------------------------------

// True if the mark is gone: the owner has been here.
static bool answered(JobsDeque *deque, int64_t marked, int patience) {
    for (int i = 0; i < patience; i++) {
        if (base_load_relaxed(&deque->split) != marked) return true;
        base_cpu_relax();
    }
    return false;
}

bool jobs_deque_claim(JobsDeque *deque, int patience) {
    uint32_t nobody = 0;
    if (deque->open || !jobs_deque_hides(deque)) return false;
    // Acquire: pairs with the release below; the mark of whoever was here before is gone.
    if (!base_cas_acquire(&deque->claiming, &nobody, 1)) return false;
    int64_t split = base_load_relaxed(&deque->split), marked = split | JOBS_DEQUE_MARK;
    bool claimed = base_cas_relaxed(&deque->split, &split, marked);
    if (claimed && !answered(deque, marked, patience)) {
        jobs_barrier_everywhere(); // pairs with those in take and take_with_care
        // Acquire: pairs with the release in push.
        int64_t bottom = base_load_acquire(&deque->bottom);
        // Release: pairs with the load of split in steal; other thieves see the items, too.
        base_cas_release(&deque->split, &marked, FILO_MAX(bottom, split));
    }
    base_store_release(&deque->claiming, 0); // release: pairs with the acquire above
    return claimed;
}
