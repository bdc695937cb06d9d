// The store of records that outlive the next delivery point, and the heap of records with a delay.
//
// The store has blocks whose sizes are powers of two, with a list of free blocks for each size. Blocks are not returned
// to the allocator before the end, so a steady game allocates none. The heap is a binary heap in an array, with the
// earliest due record first. Its capacity is reserved when an event is emitted, so a delivery allocates nothing.

#include "events/events.h"

#include <string.h>

#define SMALLEST_BLOCK 128

// ---- Keys ---------------------------------------------------------------------------------------------

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int events_key_compare(const FiloEventKey *a, const FiloEventKey *b) {
    int order = compare(a->point, b->point);
    if (order == 0) order = compare(a->origin, b->origin);
    if (order == 0) order = compare(a->source, b->source);
    if (order == 0) order = compare(a->range, b->range);
    return order != 0 ? order : compare(a->sequence, b->sequence);
}

// ---- Store --------------------------------------------------------------------------------------------

EventsRecord *events_store_alloc(FiloEvents *events, const EventsSlot *event) {
    size_t payload = FILO_ALIGN_UP(sizeof(EventsRecord), event->align);
    uint8_t size_class = 0;
    while (((size_t)SMALLEST_BLOCK << size_class) < payload + event->size)
        if (++size_class == EVENTS_STORE_CLASSES) return NULL;
    void *block = events->free_blocks[size_class];
    if (block != NULL)
        memcpy(&events->free_blocks[size_class], block, sizeof(void *)); // the next free one
    else
        block = filo_alloc(events->allocator, (size_t)SMALLEST_BLOCK << size_class, FILO_EVENT_ALIGN);
    if (block == NULL) return NULL;
    EventsRecord *record = block;
    *record = (EventsRecord){ .event = (EventsSlot *)(uintptr_t)event,
                              .payload = (char *)block + payload,
                              .size_class = size_class,
                              .stored = true };
    return record;
}

void events_store_free(FiloEvents *events, EventsRecord *record) {
    uint8_t size_class = record->size_class;
    memcpy(record, &events->free_blocks[size_class], sizeof(void *));
    events->free_blocks[size_class] = record;
}

void events_store_deinit(FiloEvents *events) {
    for (unsigned i = 0; i < EVENTS_STORE_CLASSES; i++)
        for (void *block = events->free_blocks[i], *next; block != NULL; block = next) {
            memcpy(&next, block, sizeof next);
            filo_free(events->allocator, block, (size_t)SMALLEST_BLOCK << i, FILO_EVENT_ALIGN);
        }
    filo_array_deinit(&events->delayed);
}

// ---- Heap ---------------------------------------------------------------------------------------------

static bool earlier(const EventsRecord *a, const EventsRecord *b) {
    if (a->due != b->due) return a->due < b->due;
    return events_key_compare(&a->key, &b->key) < 0;
}

static void sift_down(EventsRecord **heap, size_t count, size_t index) {
    EventsRecord *record = heap[index];
    for (size_t child; (child = 2 * index + 1) < count; index = child) {
        if (child + 1 < count && earlier(heap[child + 1], heap[child])) child++;
        if (!earlier(heap[child], record)) break;
        heap[index] = heap[child];
    }
    heap[index] = record;
}

bool events_delayed_reserve(FiloEvents *events) {
    size_t needed = events->delayed.count + events->delayed_reserved + 1;
    if (needed > events->delayed.capacity &&
        !filo_array_reserve(&events->delayed, FILO_MAX(needed, 2 * events->delayed.capacity)))
        return false;
    events->delayed_reserved++;
    return true;
}

void events_delayed_push(FiloEvents *events, EventsRecord *record) {
    EventsRecord **heap = events->delayed.items;
    size_t index = events->delayed.count++;
    events->delayed_reserved--;
    for (size_t parent; index > 0 && earlier(record, heap[parent = (index - 1) / 2]); index = parent)
        heap[index] = heap[parent];
    heap[index] = record;
}

EventsRecord *events_delayed_pop(FiloEvents *events, uint64_t tick) {
    EventsRecord **heap = events->delayed.items;
    if (events->delayed.count == 0 || heap[0]->due > tick) return NULL;
    EventsRecord *first = heap[0];
    heap[0] = heap[--events->delayed.count];
    if (events->delayed.count > 0) sift_down(heap, events->delayed.count, 0);
    return first;
}

void events_delayed_sort(FiloEvents *events) {
    EventsRecord **heap = events->delayed.items;
    size_t count = events->delayed.count;
    // Heapsort gives descending order, which is then reversed.
    for (size_t end = count; end-- > 1;) {
        EventsRecord *first = heap[0];
        heap[0] = heap[end];
        heap[end] = first;
        sift_down(heap, end, 0);
    }
    for (size_t i = 0; i < count / 2; i++) {
        EventsRecord *record = heap[i];
        heap[i] = heap[count - 1 - i];
        heap[count - 1 - i] = record;
    }
}
