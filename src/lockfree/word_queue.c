#include "lockfree/word_queue.h"

#include <filo/check.h>

static size_t size_of(size_t capacity) {
    return sizeof(FiloWordQueue) + capacity * sizeof(LockfreeQueueCell);
}

FiloResult filo_word_queue_create(FiloWordQueue **queue, const FiloWordQueueDesc *desc) {
    if (queue == NULL || desc == NULL) return FILO_MISTAKE("describe the queue, and pass where to put it");
    *queue = NULL;
    const char *name = desc->name != NULL ? desc->name : "word queue";
    size_t capacity = desc->capacity;
    if (capacity < 2 || (capacity & (capacity - 1)) != 0)
        return FILO_MISTAKE("%s: the capacity is a power of two from 2 on, not %zu", name, capacity);
    if (capacity > SIZE_MAX / (4 * sizeof(LockfreeQueueCell)))
        return filo_error(FILO_ERROR_LIMIT, "%s: %zu words are more than memory can be", name, capacity);
    FiloWordQueue *created = filo_alloc(desc->allocator, size_of(capacity), FILO_CACHE_LINE);
    if (created == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory for %zu words", name, capacity);
    created->mask = capacity - 1;
    created->allocator = desc->allocator;
    base_store_relaxed(&created->tail, 0);
    base_store_relaxed(&created->head, 0);
    for (size_t i = 0; i < capacity; i++) base_store_relaxed(&created->cells[i].sequence, i);
    *queue = created;
    return filo_ok();
}

void filo_word_queue_destroy(FiloWordQueue *queue) {
    if (queue != NULL) filo_free(queue->allocator, queue, size_of(queue->mask + 1), FILO_CACHE_LINE);
}

bool filo_word_queue_push(FiloWordQueue *queue, uint64_t word) {
    if (!FILO_CHECK(queue != NULL, "pass a queue")) return false;
    uint64_t tail = base_load_relaxed(&queue->tail);
    LockfreeQueueCell *cell;
    for (;;) {
        cell = &queue->cells[tail & queue->mask];
        // Acquire: pairs with the release in filo_word_queue_pop; the previous word of the cell has been read.
        int64_t difference = (int64_t)(base_load_acquire(&cell->sequence) - tail);
        if (difference < 0) return false;
        if (difference > 0)
            tail = base_load_relaxed(&queue->tail);
        else if (base_cas_weak_relaxed(&queue->tail, &tail, tail + 1))
            break;
    }
    base_plain_store(&cell->word, word);
    // Release: pairs with the acquire in filo_word_queue_pop; a thread that sees the sequence number sees the word.
    base_store_release(&cell->sequence, tail + 1);
    return true;
}

bool filo_word_queue_pop(FiloWordQueue *queue, uint64_t *word) {
    if (!FILO_CHECK(queue != NULL, "pass a queue")) return false;
    uint64_t head = base_load_relaxed(&queue->head);
    LockfreeQueueCell *cell;
    for (;;) {
        cell = &queue->cells[head & queue->mask];
        // Acquire: pairs with the release in filo_word_queue_push; the word is visible.
        int64_t difference = (int64_t)(base_load_acquire(&cell->sequence) - (head + 1));
        if (difference < 0) return false;
        if (difference > 0)
            head = base_load_relaxed(&queue->head);
        else if (base_cas_weak_relaxed(&queue->head, &head, head + 1))
            break;
    }
    *word = base_plain_load(&cell->word);
    // Release: pairs with the acquire in filo_word_queue_push; the word was read before it is overwritten.
    base_store_release(&cell->sequence, head + queue->mask + 1);
    return true;
}
