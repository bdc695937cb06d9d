// Going over the events that wait, and putting them back.

#include <filo/check.h>

#include "events/events.h"

#include <string.h>

static bool between_points(const FiloEvents *events) {
    return FILO_CHECK(base_load_relaxed(&events->delivering) == 0,
                      "look at pending events between delivery points, not inside a handler");
}

static void describe(const EventRecord *record, FiloPendingEvent *pending) {
    const FiloType *type = base_load_relaxed(&record->event->type);
    *pending = (FiloPendingEvent){ .name = record->event->name,
                                   .type = type,
                                   .payload = type != NULL ? record->payload : NULL,
                                   .due = record->due,
                                   .key = record->key,
                                   .has_done = record->done != NULL || record->done_job != NULL };
}

// The next record for the next point that is at or after the cursor.
static const EventRecord *next_queued(FiloPendingCursor *cursor) {
    while (cursor->chunk != NULL) {
        const EventRecord *chunk = cursor->chunk, *record = cursor->record;
        if (record == NULL) {
            cursor->chunk = chunk->next_chunk;
            cursor->record = cursor->chunk;
            continue;
        }
        cursor->record = record->next;
        if (record->due == 0) return record;
    }
    return NULL;
}

// Records with a delay lie in the chunks until the next point; here they go to the heap, with the others.
static void move_delayed(FiloEvents *events) {
    EventRecord **chunk_end = &events->chunks;
    while (*chunk_end != NULL) {
        EventRecord *chunk = *chunk_end, *next_chunk = chunk->next_chunk;
        EventRecord *first = NULL, *last = NULL;
        for (EventRecord *record = chunk, *next; record != NULL; record = next) {
            next = record->next;
            record->next = NULL;
            if (record->due != 0) {
                events_delayed_push(events, record);
                continue;
            }
            *(last != NULL ? &last->next : &first) = record;
            last = record;
        }
        if (first != NULL) { // it may be another record than before that stands for the chunk
            first->last = last;
            first->next_chunk = next_chunk;
            *chunk_end = first;
            chunk_end = &first->next_chunk;
        } else {
            *chunk_end = next_chunk;
        }
    }
}

bool filo_events_next_pending(FiloEvents *events, FiloPendingCursor *cursor, FiloPendingEvent *pending) {
    if (!FILO_CHECK(events != NULL && cursor != NULL && pending != NULL,
                    "pass events, a cursor, and where the event goes"))
        return false;
    if (!between_points(events)) return false;
    if (!cursor->started) {
        filo_mutex_lock(&events->lock);
        events_gather(events);
        move_delayed(events);
        events_delayed_sort(events);
        filo_mutex_unlock(&events->lock);
        *cursor = (FiloPendingCursor){ events->chunks, events->chunks, 0, true };
    }
    const EventRecord *record = next_queued(cursor);
    if (record == NULL && cursor->index < events->delayed.count)
        record = events->delayed.items[cursor->index++];
    if (record != NULL) describe(record, pending);
    return record != NULL;
}

FiloEventsClock filo_events_clock(const FiloEvents *events) {
    if (!FILO_CHECK(events != NULL, "pass events")) return (FiloEventsClock){ 0 };
    return (FiloEventsClock){ .tick = base_load_relaxed(&events->next_tick),
                              .point = base_load_relaxed(&events->point),
                              .sequence = events->outside.key.sequence,
                              .delivered = base_load_relaxed(&events->delivered) };
}

void filo_events_reset(FiloEvents *events, FiloEventsClock clock) {
    if (!FILO_CHECK(events != NULL, "pass events")) return;
    if (!between_points(events)) return;
    filo_mutex_lock(&events->lock);
    events_gather(events);
    move_delayed(events);
    for (EventRecord *chunk = events->chunks, *next_chunk; chunk != NULL; chunk = next_chunk) {
        next_chunk = chunk->next_chunk;
        for (EventRecord *record = chunk, *next; record != NULL; record = next) {
            next = record->next;
            if (record->stored) events_store_give(events, record);
        }
    }
    events->chunks = NULL;
    for (size_t i = 0; i < events->delayed.count; i++) events_store_give(events, events->delayed.items[i]);
    filo_array_clear(&events->delayed);
    base_store_relaxed(&events->next_tick, clock.tick);
    base_store_relaxed(&events->point, clock.point);
    base_store_relaxed(&events->delivered, clock.delivered);
    events->outside.key.point = clock.point;
    events->outside.key.sequence = clock.sequence;
    filo_mutex_unlock(&events->lock);
}

bool filo_events_restore(FiloEvents *events, const FiloPendingEvent *pending) {
    if (!FILO_CHECK(events != NULL && pending != NULL, "pass events, and the event")) return false;
    if (!between_points(events)) return false;
    if (!FILO_CHECK((pending->payload != NULL) == (pending->type != NULL),
                    "event \"%s\": give a payload and its type, or neither", filo_name_text(pending->name)))
        return false;
    EventsSlot *event = events_expect(events, pending->name, pending->type, "restore");
    if (event == NULL) return false;
    filo_mutex_lock(&events->lock);
    bool promised = events_delayed_promise(events);
    EventRecord *record = promised ? events_store_take(events, event) : NULL;
    if (record != NULL) {
        record->key = pending->key;
        record->due = pending->due;
        if (event->size > 0) memcpy(record->payload, pending->payload, event->size);
    }
    if (record != NULL && record->due != 0) {
        events_delayed_push(events, record);
    } else {
        if (promised) events->delayed_promised--;
        FiloEventRecorder chunk = { .events = events, .first = record, .last = record };
        events_recorder_hand_in(&chunk); // of one record, or none
    }
    filo_mutex_unlock(&events->lock);
    return record != NULL;
}
