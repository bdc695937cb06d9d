// Records that live longer than until the next delivery point: the store that they lie in, and the heap of
// those with a delay.
//
// The store has blocks in sizes that are powers of two, with a list of free ones for each; blocks are never
// given back before the end, so a steady game allocates none. The heap is a binary one in an array, the
// earliest due first; room in it is promised when an event is emitted, so that a delivery never needs memory.

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

EventRecord *events_store_take(FiloEvents *events, const EventsSlot *event) {
    size_t payload = FILO_ALIGN_UP(sizeof(EventRecord), event->align);
    uint8_t size_class = 0;
    while (((size_t)SMALLEST_BLOCK << size_class) < payload + event->size)
        if (++size_class == EVENTS_STORE_CLASSES) return NULL;
    void *block = events->free_blocks[size_class];
    if (block != NULL)
        memcpy(&events->free_blocks[size_class], block, sizeof(void *)); // the next free one
    else
        block = filo_alloc(events->allocator, (size_t)SMALLEST_BLOCK << size_class, FILO_EVENT_ALIGN);
    if (block == NULL) return NULL;
    EventRecord *record = block;
    *record = (EventRecord){ .event = (EventsSlot *)(uintptr_t)event,
                             .payload = (char *)block + payload,
                             .size_class = size_class,
                             .stored = true };
    return record;
}

void events_store_give(FiloEvents *events, EventRecord *record) {
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

static bool earlier(const EventRecord *a, const EventRecord *b) {
    if (a->due != b->due) return a->due < b->due;
    return events_key_compare(&a->key, &b->key) < 0;
}

static void sink(EventRecord **heap, size_t count, size_t place) {
    EventRecord *record = heap[place];
    for (size_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && earlier(heap[child + 1], heap[child])) child++;
        if (!earlier(heap[child], record)) break;
        heap[place] = heap[child];
    }
    heap[place] = record;
}

bool events_delayed_promise(FiloEvents *events) {
    size_t needed = events->delayed.count + events->delayed_promised + 1;
    if (needed > events->delayed.capacity &&
        !filo_array_reserve(&events->delayed, FILO_MAX(needed, 2 * events->delayed.capacity)))
        return false;
    events->delayed_promised++;
    return true;
}

void events_delayed_push(FiloEvents *events, EventRecord *record) {
    EventRecord **heap = events->delayed.items;
    size_t place = events->delayed.count++;
    events->delayed_promised--;
    for (size_t parent; place > 0 && earlier(record, heap[parent = (place - 1) / 2]); place = parent)
        heap[place] = heap[parent];
    heap[place] = record;
}

EventRecord *events_delayed_pop(FiloEvents *events, uint64_t tick) {
    EventRecord **heap = events->delayed.items;
    if (events->delayed.count == 0 || heap[0]->due > tick) return NULL;
    EventRecord *first = heap[0];
    heap[0] = heap[--events->delayed.count];
    if (events->delayed.count > 0) sink(heap, events->delayed.count, 0);
    return first;
}

void events_delayed_sort(FiloEvents *events) {
    EventRecord **heap = events->delayed.items;
    size_t count = events->delayed.count;
    // Taking the first again and again, and putting it where the heap has just ended, sorts it backwards.
    for (size_t end = count; end-- > 1;) {
        EventRecord *first = heap[0];
        heap[0] = heap[end];
        heap[end] = first;
        sink(heap, end, 0);
    }
    for (size_t i = 0; i < count / 2; i++) {
        EventRecord *record = heap[i];
        heap[i] = heap[count - 1 - i];
        heap[count - 1 - i] = record;
    }
}
