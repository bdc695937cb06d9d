#include "jobs/deque.h"

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
    deque->known_top = 0;
    deque->allocator = allocator;
    filo_store_relaxed(&deque->top, 0);
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
