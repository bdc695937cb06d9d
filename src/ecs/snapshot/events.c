// Events that wait, as a part of a snapshot and of the hash. First the clock, then each event with its
// payload.

#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/components.h"
#include "ecs/world.h"

#include <filo/hash.h>

typedef struct EventImage {
    FiloEventKey key;
    uint64_t due;
    const FiloType *type;
    uint32_t name, size; // id of the name; bytes of payload that follow
} EventImage;

static size_t payload_size(const FiloPendingEvent *event) {
    return event->type != NULL ? event->type->size : 0;
}

size_t ecs_pending_event_size(const FiloPendingEvent *event) {
    return sizeof(EventImage) + payload_size(event);
}

uint8_t *ecs_pending_write_event(const FiloPendingEvent *event, uint8_t *to) {
    EventImage image;
    memset(&image, 0, sizeof image); // padding too: a history compares it
    image.key.point = event->key.point;
    image.key.origin = event->key.origin;
    image.key.source = event->key.source;
    image.key.range = event->key.range;
    image.key.sequence = event->key.sequence;
    image.due = event->due;
    image.type = event->type;
    image.name = event->name.id;
    image.size = (uint32_t)payload_size(event);
    memcpy(to, &image, sizeof image);
    return to + sizeof image;
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

// The events of the world may have declared another type under this name.
static FiloResult check(FiloWorld *world, const EventImage *image) {
    const FiloType *type;
    FiloName name = { image->name };
    if (!filo_events_declared(world->events, name, &type)) return filo_ok();
    if ((type == NULL) == (image->type == NULL) &&
        (type == NULL || type == image->type ||
         (type->size == image->size && ecs_layout_hash(type) == ecs_layout_hash(image->type))))
        return filo_ok();
    return filo_error(FILO_ERROR_KIND, "event \"%s\" carries something else than in the snapshot",
                      filo_name_text(name));
}

FiloResult ecs_pending_restore(FiloWorld *world, const uint8_t *bytes, size_t size) {
    const uint8_t *first = bytes + sizeof(FiloEventsClock), *last = bytes + size;
    EventImage image;
    for (const uint8_t *at = first; at < last; at += sizeof image + image.size) {
        memcpy(&image, at, sizeof image);
        FiloResult result = check(world, &image);
        if (result.code != FILO_OK) return result;
    }
    FiloEventsClock clock;
    memcpy(&clock, bytes, sizeof clock);
    filo_events_reset(world->events, clock);
    for (const uint8_t *at = first; at < last; at += sizeof image + image.size) {
        memcpy(&image, at, sizeof image);
        FiloPendingEvent event = {
            .name = { image.name }, .type = image.type, .due = image.due, .key = image.key
        };
        event.payload = image.type != NULL ? (void *)(uintptr_t)(at + sizeof image) : NULL; // it is copied
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
