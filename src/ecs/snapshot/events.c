// Pending events in snapshots and in the hash. The section has the clock, then each event with its payload.

#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/components.h"

#include <filo/hash.h>

typedef struct SnapshotEvent {
    FiloEventKey key;
    uint64_t due;
    const FiloType *type;
    uint32_t name, size; // id of the name; bytes of the payload, which follows
} SnapshotEvent;

static size_t payload_size(const FiloPendingEvent *event) {
    return event->type != NULL ? event->type->size : 0;
}

size_t ecs_pending_event_size(const FiloPendingEvent *event) {
    return sizeof(SnapshotEvent) + payload_size(event);
}

uint8_t *ecs_pending_write_event(const FiloPendingEvent *event, uint8_t *to) {
    SnapshotEvent saved;
    memset(&saved, 0, sizeof saved); // also the padding: a history compares bytes
    saved.key.point = event->key.point;
    saved.key.origin = event->key.origin;
    saved.key.source = event->key.source;
    saved.key.range = event->key.range;
    saved.key.sequence = event->key.sequence;
    saved.due = event->due;
    saved.type = event->type;
    saved.name = event->name.id;
    saved.size = (uint32_t)payload_size(event);
    memcpy(to, &saved, sizeof saved);
    return to + sizeof saved;
}

size_t ecs_pending_size(FiloWorld *world) {
    size_t size = sizeof(FiloEventsClock);
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent event; filo_events_next_pending(world->events, &cursor, &event);)
        size += ecs_pending_event_size(&event);
    return size;
}

void ecs_pending_save(FiloWorld *world, uint8_t *bytes) {
    FiloEventsClock clock = filo_events_clock(world->events);
    memcpy(bytes, &clock, sizeof clock);
    bytes += sizeof clock;
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent event; filo_events_next_pending(world->events, &cursor, &event);) {
        uint8_t *payload = ecs_pending_write_event(&event, bytes);
        if (payload_size(&event) > 0) memcpy(payload, event.payload, payload_size(&event));
        bytes += ecs_pending_event_size(&event);
    }
}

// The world may have declared the event with another type.
static FiloResult check(FiloWorld *world, const SnapshotEvent *saved) {
    const FiloType *type;
    FiloName name = { saved->name };
    if (!filo_events_declared(world->events, name, &type)) return filo_ok();
    if ((type == NULL) == (saved->type == NULL) &&
        (type == NULL || type == saved->type ||
         (type->size == saved->size && ecs_layout_hash(type) == ecs_layout_hash(saved->type))))
        return filo_ok();
    return filo_error(FILO_ERROR_KIND, "event \"%s\" carries something else than in the snapshot",
                      filo_name_text(name));
}

FiloResult ecs_pending_restore(FiloWorld *world, const uint8_t *bytes, size_t size) {
    const uint8_t *first = bytes + sizeof(FiloEventsClock), *last = bytes + size;
    SnapshotEvent saved;
    for (const uint8_t *at = first; at < last; at += sizeof saved + saved.size) {
        memcpy(&saved, at, sizeof saved);
        FiloResult result = check(world, &saved);
        if (result.code != FILO_OK) return result;
    }
    FiloEventsClock clock;
    memcpy(&clock, bytes, sizeof clock);
    filo_events_reset(world->events, clock);
    for (const uint8_t *at = first; at < last; at += sizeof saved + saved.size) {
        memcpy(&saved, at, sizeof saved);
        FiloPendingEvent event = {
            .name = { saved.name }, .type = saved.type, .due = saved.due, .key = saved.key
        };
        event.payload = saved.type != NULL ? (void *)(uintptr_t)(at + sizeof saved) : NULL; // it is copied
        if (!filo_events_restore(world->events, &event))
            return filo_error(FILO_ERROR_MEMORY, "no memory to restore the events that wait; some of them "
                                                 "are lost, the rest of the world is as it was");
    }
    return filo_ok();
}

uint64_t ecs_pending_hash(const FiloWorld *world) {
    uint64_t hash = 0;
    FiloPendingCursor cursor = { 0 };
    for (FiloPendingEvent event; filo_events_next_pending(world->events, &cursor, &event);) {
        hash = filo_hash_combine(hash, filo_name_hash(event.name));
        hash = filo_hash_combine(hash, event.due);
        if (event.type != NULL) hash = filo_reflect_hash(event.type, event.payload, hash);
    }
    return hash;
}
