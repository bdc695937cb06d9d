// Reading pending events, and restoring them.

#include <filo/check.h>

#include "events/events.h"

#include <string.h>

static bool between_points(const FiloEvents *events) {
    return FILO_CHECK(base_load_relaxed(&events->delivering) == 0,
                      "read pending events between delivery points, not inside a handler");
}

static void describe(const EventsRecord *record, FiloPendingEvent *pending) {
    const FiloType *type = base_load_relaxed(&record->event->type);
    *pending = (FiloPendingEvent){ .name = record->event->name,
                                   .type = type,
                                   .payload = type != NULL ? record->payload : NULL,
                                   .due = record->due,
                                   .key = record->key,
                                   .has_done = record->done != NULL || record->done_job != NULL };
}

// The next record at or after the cursor that has no delay and is part of the state; NULL if there is none.
static const EventsRecord *next_queued(FiloPendingCursor *cursor) {
    while (cursor->chunk != NULL) {
        const EventsRecord *chunk = cursor->chunk, *record = cursor->record;
        if (record == NULL) {
            cursor->chunk = chunk->next_chunk;
            cursor->record = cursor->chunk;
            continue;
        }
        cursor->record = record->next;
        if (!record->delayed && !record->transient) return record;
    }
    return NULL;
}

// Moves records with a delay from the chunks to the heap.
static void move_delayed(FiloEvents *events) {
    EventsRecord **link = &events->chunks;
    while (*link != NULL) {
        EventsRecord *chunk = *link, *next_chunk = chunk->next_chunk;
        EventsRecord *first = NULL, *last = NULL;
        for (EventsRecord *record = chunk, *next; record != NULL; record = next) {
            next = record->next;
            record->next = NULL;
            if (record->delayed) {
                events_delayed_push(events, record);
                continue;
            }
            *(last != NULL ? &last->next : &first) = record;
            last = record;
        }
        if (first != NULL) { // the chunk may have another first record now
            first->last = last;
            first->next_chunk = next_chunk;
            *link = first;
            link = &first->next_chunk;
        } else {
            *link = next_chunk;
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
    const EventsRecord *record = next_queued(cursor);
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

// Frees the queued records. Those that are transient become one chunk, emitted after all that the clock knows of.
static void drop_queued(FiloEvents *events) {
    EventsRecord *kept = NULL, *last = NULL;
    for (EventsRecord *chunk = events->chunks, *next_chunk; chunk != NULL; chunk = next_chunk) {
        next_chunk = chunk->next_chunk;
        for (EventsRecord *record = chunk, *next; record != NULL; record = next) {
            next = record->next;
            if (record->transient) {
                record->key = events->outside.key;
                events->outside.key.sequence++;
                record->next = record->next_chunk = NULL;
                *(last != NULL ? &last->next : &kept) = record;
                last = record;
            } else if (record->stored) {
                events_store_free(events, record);
            }
        }
    }
    if (kept != NULL) kept->last = last;
    events->chunks = kept;
}

void filo_events_reset(FiloEvents *events, FiloEventsClock clock) {
    if (!FILO_CHECK(events != NULL, "pass events")) return;
    if (!between_points(events)) return;
    filo_mutex_lock(&events->lock);
    events_gather(events);
    move_delayed(events);
    for (size_t i = 0; i < events->delayed.count; i++) events_store_free(events, events->delayed.items[i]);
    filo_array_clear(&events->delayed);
    base_store_relaxed(&events->next_tick, clock.tick);
    base_store_relaxed(&events->point, clock.point);
    base_store_relaxed(&events->delivered, clock.delivered);
    events->outside.key.point = clock.point;
    events->outside.key.sequence = clock.sequence;
    drop_queued(events);
    filo_mutex_unlock(&events->lock);
}

bool filo_events_restore(FiloEvents *events, const FiloPendingEvent *pending) {
    if (!FILO_CHECK(events != NULL && pending != NULL, "pass events, and the event")) return false;
    if (!between_points(events)) return false;
    if (!FILO_CHECK((pending->payload != NULL) == (pending->type != NULL),
                    "event \"%s\": give a payload and its type, or neither", filo_name_text(pending->name)))
        return false;
    EventsSlot *event = events_find_typed(events, pending->name, pending->type, "restore");
    if (event == NULL) return false;
    filo_mutex_lock(&events->lock);
    bool reserved = events_delayed_reserve(events);
    EventsRecord *record = reserved ? events_store_alloc(events, event) : NULL;
    if (record != NULL) {
        record->key = pending->key;
        record->due = pending->due;
        record->delayed = record->due != 0;
        if (event->size > 0) memcpy(record->payload, pending->payload, event->size);
    }
    if (record != NULL && record->delayed) {
        events_delayed_push(events, record);
    } else {
        if (reserved) events->delayed_reserved--;
        FiloEventRecorder chunk = { .events = events, .first = record, .last = record };
        events_recorder_submit(&chunk); // a chunk of one record, or none
    }
    filo_mutex_unlock(&events->lock);
    return record != NULL;
}
