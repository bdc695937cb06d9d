#include "jobs/deque.h"

// After so many takes from the public part without a thief in between, half of it becomes private again.
#define UNMOVED 32

static size_t buffer_size(int64_t capacity) {
    return sizeof(FiloDequeBuffer) + (size_t)capacity * sizeof(FILO_ATOMIC(void *));
}

// What the owner keeps at hand of its buffer.
static void use(FiloDeque *deque, FiloDequeBuffer *buffer) {
    deque->items = buffer->items;
    deque->mask = buffer->mask;
    deque->full = deque->known_top + buffer->mask + 1;
}

bool filo_deque_init(FiloDeque *deque, int64_t capacity, const FiloAllocator *allocator) {
    FiloDequeBuffer *buffer = filo_alloc_zero(allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    deque->known_top = deque->unmoved_top = 0;
    deque->unmoved = 0;
    deque->open = false;
    deque->allocator = allocator;
    filo_store_relaxed(&deque->top, 0);
    filo_store_relaxed(&deque->claiming, 0);
    filo_store_relaxed(&deque->split, 0);
    filo_store_relaxed(&deque->wanted, 0);
    filo_store_relaxed(&deque->bottom, 0);
    filo_store_relaxed(&deque->buffer, buffer);
    use(deque, buffer);
    return true;
}

void filo_deque_deinit(FiloDeque *deque) {
    FiloDequeBuffer *buffer = filo_load_relaxed(&deque->buffer);
    while (buffer != NULL) {
        FiloDequeBuffer *older = buffer->older;
        filo_free(deque->allocator, buffer, buffer_size(buffer->mask + 1), 0);
        buffer = older;
    }
    filo_store_relaxed(&deque->buffer, NULL);
}

void filo_deque_open(FiloDeque *deque) {
    deque->open = true;
    filo_store_relaxed(&deque->wanted, 1); // for good: nobody but the owner takes it back
}

static bool grow(FiloDeque *deque) {
    FiloDequeBuffer *old = filo_load_relaxed(&deque->buffer);
    int64_t capacity = (old->mask + 1) * 2;
    FiloDequeBuffer *buffer = filo_alloc_zero(deque->allocator, buffer_size(capacity), 0);
    if (buffer == NULL) return false;
    buffer->mask = capacity - 1;
    buffer->older = old;
    int64_t bottom = filo_load_relaxed(&deque->bottom);
    for (int64_t i = deque->known_top; i < bottom; i++) {
        void *item = filo_load_relaxed(&old->items[i & old->mask]);
        filo_store_relaxed(&buffer->items[i & buffer->mask], item);
    }
    // Release: pairs with the acquire in steal; a thief that sees the new buffer sees what is in it.
    filo_store_release(&deque->buffer, buffer);
    use(deque, buffer);
    return true;
}

bool filo_deque_make_room(FiloDeque *deque) {
    // Acquire: pairs with the compare and swap of thieves; their reads of the slot that is about to be written again are
    // over.
    deque->known_top = filo_load_acquire(&deque->top);
    deque->full = deque->known_top + deque->mask + 1;
    return filo_deque_has_room(deque) || grow(deque);
}

// ---- Taking from the public part ----------------------------------------------------------------------

// Where split goes when the owner takes what is at `bottom`: there, or, if thieves have not come for a while, further
// down, so that the next takes are cheap.
static int64_t lower_split(FiloDeque *deque, int64_t bottom) {
    if (deque->open || deque->unmoved < UNMOVED) return bottom;
    deque->unmoved = 0;
    if (filo_load_relaxed(&deque->wanted) != 0) filo_store_relaxed(&deque->wanted, 0);
    return bottom - (bottom - deque->unmoved_top) / 2;
}

static void note_top(FiloDeque *deque, int64_t top) {
    deque->unmoved = top == deque->unmoved_top ? deque->unmoved + 1 : 0;
    deque->unmoved_top = top;
}

static void *take_public(FiloDeque *deque, int64_t bottom) {
    int64_t split = lower_split(deque, bottom);
    // Sequentially consistent, as are the loads in steal: either the thief sees the lower split, or we see
    // its higher top. Without a total order both could miss each other and take the same last item. It also removes a
    // thief's mark, if there is one.
    (void)filo_exchange_seq_cst(&deque->split, split);
    int64_t top = filo_load_seq_cst(&deque->top);
    void *item = filo_load_relaxed(&deque->items[bottom & deque->mask]);
    note_top(deque, top);
    if (FILO_LIKELY(top < split)) return item;
    // Thieves that saw the old split can have no more than the item at top.
    if (top < bottom) {                            // so this is ours, and split went too far down
        filo_store_release(&deque->split, bottom); // release: as in push
        return item;
    }
    if (top > bottom) { // a thief was quicker
        item = NULL;
    } else { // the last one: whoever raises top has it
        // Release: pairs with the load of top in steal; a thief that sees the higher top must not see a
        // split from before the exchange, or it would steal what was taken. No more than that: a thief that
        // sees the old top fails at its own compare and swap.
        if (!filo_cas_release(&deque->top, &top, top + 1)) item = NULL;
    }
    filo_store_relaxed(&deque->split, bottom + 1);
    filo_store_relaxed(&deque->bottom, bottom + 1);
    return item;
}

void *filo_deque_take_with_care(FiloDeque *deque, int64_t bottom) {
    if (bottom < filo_load_relaxed(&deque->top)) { // top only rises: what looks empty is empty
        if (filo_load_relaxed(&deque->bottom) != bottom + 1) filo_store_relaxed(&deque->bottom, bottom + 1);
        return NULL;
    }
    filo_store_release(&deque->bottom, bottom); // as in take
    filo_barrier_compiler();
    int64_t split = filo_load_relaxed(&deque->split);
    while ((split & ~FILO_DEQUE_MARK) <=
           bottom) { // it was private, and still is unless a thief's claim succeeds
        bool marked = (split & FILO_DEQUE_MARK) != 0;
        // The thief shall have the rest. Release: as in push.
        if (!marked || filo_cas_release(&deque->split, &split, bottom))
            return filo_load_relaxed(&deque->items[bottom & deque->mask]);
    }
    return take_public(deque, bottom);
}

// ---- Claiming the private part ------------------------------------------------------------------------

// True if the mark is gone: the owner has been here.
static bool answered(FiloDeque *deque, int64_t marked, int patience) {
    for (int i = 0; i < patience; i++) {
        if (filo_load_relaxed(&deque->split) != marked) return true;
        filo_cpu_relax();
    }
    return false;
}

bool filo_deque_claim(FiloDeque *deque, int patience) {
    uint32_t nobody = 0;
    if (deque->open || !filo_deque_hides(deque)) return false;
    // Acquire: pairs with the release below; the mark of whoever was here before is gone.
    if (!filo_cas_acquire(&deque->claiming, &nobody, 1)) return false;
    int64_t split = filo_load_relaxed(&deque->split), marked = split | FILO_DEQUE_MARK;
    bool claimed = filo_cas_relaxed(&deque->split, &split, marked);
    if (claimed && !answered(deque, marked, patience)) {
        filo_barrier_everywhere(); // pairs with those in take and take_with_care
        // Acquire: pairs with the release in push.
        int64_t bottom = filo_load_acquire(&deque->bottom);
        // Release: pairs with the load of split in steal; other thieves see the items, too.
        filo_cas_release(&deque->split, &marked, FILO_MAX(bottom, split));
    }
    filo_store_release(&deque->claiming, 0); // release: pairs with the acquire above
    return claimed;
}
