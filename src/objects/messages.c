// Events to objects.
//
// An inbox is a component with a FiloSfList at its beginning, whose values are the events. What is sent in a tick is recorded
// (records.c), one list of records for each type of events. After the tick the records are delivered in their order, by a
// look-up of their targets, which prefetches the inboxes.

#include "objects/objects.h"

#include <filo/log.h>
#include <filo/lookup.h>

#include <stdio.h>

bool objects_same_type(const FiloType *a, const FiloType *b) {
    return a == b || (a != NULL && b != NULL && a->size == b->size && strcmp(a->name, b->name) == 0);
}

// ---- Inboxes ----------------------------------------------------------------------------------------------

ObjectsInbox *objects_inbox_search(const ObjectsWorld *objects, const FiloType *event) {
    filo_array_each (&objects->inboxes, inbox)
        if (objects_same_type((*inbox)->event, event)) return *inbox;
    return NULL;
}

static bool has_entities(const FiloType *type) {
    if (type->kind == FILO_KIND_ENTITY) return true;
    for (size_t i = 0; i < type->field_count; i++)
        if (has_entities(filo_field_type(&type->fields[i]))) return true;
    return false;
}

static void release_type(const FiloType *type) { filo_type_destroy(type, NULL); }

// Registers the component of an inbox.
static FiloResult register_inbox(ObjectsInbox *inbox, ObjectsWorld *objects) {
    char name[160];
    (void)snprintf(name, sizeof name, "%s.inbox", inbox->event->name);
    // The same in all inboxes, so not saved: a program may change the capacity.
    const FiloField fields[] = {
        { .name = "count", .type = FILO_TYPE(uint32_t) },
        { .name = "capacity", .type = FILO_TYPE(uint16_t), .flags = FILO_FIELD_TRANSIENT },
        { .name = "keyed", .type = FILO_TYPE(uint16_t), .flags = FILO_FIELD_TRANSIENT },
        { .name = "values", .type = inbox->event, .count = inbox->capacity },
    };
    const FiloType *type;
    FiloResult result = filo_type_create(&type, name, fields, FILO_COUNT_OF(fields), NULL);
    if (result.code != FILO_OK) return result;
    inbox->size = (uint32_t)type->size;
    inbox->values = (uint32_t)type->fields[3].offset;
    FiloSfList *empty = filo_alloc_zero(objects->allocator, type->size, type->align);
    if (empty != NULL) {
        empty->capacity = (uint16_t)inbox->capacity;
        inbox->component = filo_component_register(
            objects->world,
            &(FiloComponentDesc){ .type = type, .default_value = empty, .release = release_type });
        filo_free(objects->allocator, empty, type->size, type->align);
    }
    if (inbox->component.id != 0) return filo_ok();
    filo_type_destroy(type, NULL);
    return filo_error(FILO_ERROR_MEMORY, "%s could not be registered", name);
}

static FiloResult prepare(ObjectsInbox *inbox, ObjectsWorld *objects) {
    FiloResult result = register_inbox(inbox, objects);
    if (result.code != FILO_OK) return result;
    FiloTerm write = { .component = inbox->component, .access = FILO_ACCESS_WRITE };
    inbox->query = filo_query_create(objects->world,
                                     &(FiloQueryDesc){ .terms = { write }, .activity = FILO_ANY_ACTIVITY });
    if (inbox->query != NULL &&
        objects_records_init(&inbox->messages, objects, sizeof(ObjectsMessage) + inbox->event->size) &&
        filo_array_push(&objects->inboxes, inbox))
        return filo_ok();
    return filo_error(FILO_ERROR_MEMORY, "no memory for events %s", inbox->event->name);
}

FiloResult objects_inbox_get(ObjectsInbox **out, ObjectsWorld *objects, const FiloType *event,
                             uint32_t capacity) {
    *out = objects_inbox_find(objects, event);
    if (*out != NULL && (*out)->capacity != capacity)
        return filo_error(
            FILO_ERROR_KIND,
            "FILO_TAKES(%s, %u), but elsewhere in this world it is %u: the capacity of an event is "
            "the same for all kinds",
            event->name, capacity, (*out)->capacity);
    if (*out != NULL) {
        (*out)->event = event; // the newer one, if a module was loaded again
        return filo_ok();
    }
    ObjectsInbox *inbox = filo_alloc_zero(objects->allocator, sizeof *inbox, 0);
    if (inbox == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for events %s", event->name);
    inbox->messages.objects = objects;
    inbox->event = event;
    inbox->capacity = capacity;
    inbox->has_entities = has_entities(event);
    FiloResult result = prepare(inbox, objects);
    if (result.code == FILO_OK)
        *out = inbox;
    else
        objects_inbox_destroy(inbox);
    return result;
}

void objects_inbox_destroy(ObjectsInbox *inbox) {
    const FiloAllocator *allocator = inbox->messages.objects->allocator;
    filo_query_release(inbox->query);
    objects_records_deinit(&inbox->messages);
    filo_free(allocator, inbox, sizeof *inbox, 0);
}

// ---- Delivering -------------------------------------------------------------------------------------------

// Logs that events were dropped: the first time, and whenever there are twice as many.
static FILO_COLD void report_dropped(ObjectsInbox *inbox, FiloEntity to) {
    inbox->dropped++;
    if ((inbox->dropped & (inbox->dropped - 1)) != 0) return;
    filo_log_warn("objects",
                  "an event %s to entity %u was dropped: it has %u of them already, and FILO_TAKES(%s, %u) "
                  "allows no more (%llu so far)",
                  inbox->event->name, filo_entity_index(to), inbox->capacity, inbox->event->name,
                  inbox->capacity, (unsigned long long)inbox->dropped);
}

// Reports a target without an inbox, unless it does not exist any more. True in that case.
static FILO_COLD bool report_target(const FiloWorld *world, FiloEntity to, const FiloType *event) {
    return !filo_entity_exists(world, to) ||
           FILO_CHECK(false,
                      "an event %s was sent to entity %u, which does not take such events: only objects of a "
                      "kind with FILO_TAKES(%s, …) do",
                      event->name, filo_entity_index(to), event->name);
}

// Events are small, and calling memcpy takes longer than copying one.
static inline void copy(void *to, const void *from, size_t size) {
    switch (size) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    case 12: memcpy(to, from, 12); break;
    case 16: memcpy(to, from, 16); break;
    default: memcpy(to, from, size);
    }
}

static inline void append(ObjectsInbox *inbox, FiloSfList *list, FiloEntity to, const void *value) {
    if (FILO_UNLIKELY(list->count >= inbox->capacity)) {
        report_dropped(inbox, to);
        return;
    }
    size_t size = inbox->event->size;
    copy((uint8_t *)list + inbox->values + list->count++ * size, value, size);
}

static void deliver_segment(const ObjectsWorld *objects, ObjectsInbox *inbox, const ObjectsSegment *segment) {
    size_t stride = inbox->messages.stride;
    const uint8_t *at = objects_records_first(&inbox->messages, segment);
    FiloLookup lists = filo_entity_lookup(objects->world, (const FiloEntity *)(const void *)at, stride,
                                          segment->count, inbox->component);
    for (size_t i = 0; i < segment->count; i++, at += stride) {
        const ObjectsMessage *message = (const ObjectsMessage *)(const void *)at;
        // The inboxes were marked as changed before.
        FiloSfList *list = (FiloSfList *)(uintptr_t)filo_lookup_next(&lists);
        if (FILO_LIKELY(list != NULL))
            append(inbox, list, message->to, message + 1);
        else
            (void)report_target(objects->world, message->to, inbox->event);
    }
}

// Marks all inboxes as changed.
static void mark(const ObjectsInbox *inbox) {
    FiloIter it = filo_query_iter(inbox->query);
    while (filo_iter_next(&it)) {}
}

void objects_deliver(ObjectsWorld *objects) {
    filo_array_each (&objects->inboxes, item) {
        ObjectsInbox *inbox = *item;
        ObjectsRecords *messages = &inbox->messages;
        if (!objects_records_any(messages)) continue;
        mark(inbox);
        if (objects_records_sort(messages))
            filo_array_each (&messages->sorted, segment) deliver_segment(objects, inbox, segment);
        objects_records_clear(messages);
    }
}

bool objects_deliver_one(ObjectsWorld *objects, FiloEntity to, const FiloType *event, const void *value) {
    ObjectsInbox *inbox = objects_inbox_find(objects, event);
    FiloSfList *list = inbox != NULL && filo_entity_exists(objects->world, to)
                           ? filo_entity_try_edit(objects->world, to, inbox->component)
                           : NULL;
    if (list == NULL) return report_target(objects->world, to, event);
    append(inbox, list, to, value);
    return true;
}

// ---- Sending ----------------------------------------------------------------------------------------------

static void find_temporary(FiloEntity *entity, void *user) {
    if (filo_entity_temporary(*entity)) *(bool *)user = true;
}

// Temporary ids are replaced in change sets only.
static bool has_temporary(const ObjectsInbox *inbox, const void *value) {
    bool found = false;
    if (FILO_UNLIKELY(inbox->has_entities))
        filo_reflect_entities(inbox->event, (void *)(uintptr_t)value, find_temporary, &found);
    return found;
}

bool filo_object_send_in(FiloIter *it, FiloEntity to, const FiloType *type, const void *value) {
    if (!FILO_CHECK(it != NULL && it->changes != NULL && type != NULL && value != NULL,
                    "send events in a system with its iterator, or between ticks with the world"))
        return false;
    const ObjectsKind *kind = objects_running()->kind;
    const ObjectsWorld *objects =
        kind != NULL && kind->objects->world == it->world ? kind->objects : objects_world(it->world);
    ObjectsInbox *inbox = objects != NULL ? objects_inbox_find(objects, type) : NULL;
    if (!FILO_CHECK_MADE(inbox != NULL,
                         "no kind of objects in this world takes events %s: add FILO_TAKES(%s, …)",
                         type->name, type->name))
        return false;
    if (!FILO_CHECK_MADE(to.id != 0, "event %s is sent to {0}, which is no entity", type->name)) return false;
    if (!FILO_CHECK(!filo_entity_temporary(to) && !has_temporary(inbox, value),
                    "an event %s cannot be sent to an entity that was created in this phase, or name one: it "
                    "has no id yet",
                    type->name))
        return false;
#ifndef NDEBUG
    if (!filo_entity_has(it->world, to, inbox->component)) return report_target(it->world, to, type);
#endif
    ObjectsMessage *message = objects_records_add(&inbox->messages, it);
    if (message == NULL) return false;
    message->to = to;
    copy(message + 1, value, inbox->event->size);
    return true;
}

bool filo_object_send_between(FiloWorld *world, FiloEntity to, const FiloType *type, const void *value) {
    if (!FILO_CHECK(world != NULL && type != NULL && value != NULL, "pass a world, a type and an event"))
        return false;
    ObjectsWorld *objects = objects_world(world);
    if (!FILO_CHECK_MADE(objects != NULL && objects_inbox_find(objects, type) != NULL,
                         "no kind of objects in this world takes events %s: add FILO_TAKES(%s, …)",
                         type->name, type->name))
        return false;
    if (!FILO_CHECK(!base_load_relaxed(&objects->ticking),
                    "event %s: while systems run, pass `it` to filo_object_send, not a world", type->name) ||
        !FILO_CHECK_MADE(to.id != 0, "event %s is sent to {0}, which is no entity", type->name))
        return false;
    return objects_deliver_one(objects, to, type, value);
}

// The event that the running kind takes, when its type is at another address; NULL, with a report, after a mistake.
static FILO_COLD const ObjectsTaken *find_taken(const ObjectsKind *kind, const FiloType *type) {
    if (!FILO_CHECK(kind != NULL, "events of an object are read in the step of its kind") ||
        !FILO_CHECK(type != NULL, "pass the type of the events"))
        return NULL;
    for (uint32_t i = 0; i < kind->event_count; i++)
        if (objects_same_type(kind->events[i].inbox->event, type)) return &kind->events[i];
    (void)FILO_CHECK(false, "kind \"%s\" takes no events %s: add FILO_TAKES(%s, …) to its .events",
                     kind->name, type->name, type->name);
    return NULL;
}

static FILO_COLD const void *report_row(const ObjectsKind *kind) {
    (void)FILO_CHECK(false, "pass a row of the iterator that the step of kind \"%s\" was called with",
                     kind->name);
    return NULL;
}

const void *filo_object_events_of(const FiloIter *it, size_t row, const FiloType *type, size_t *count) {
    if (!FILO_CHECK(count != NULL, "say where to put the number of events")) return NULL;
    *count = 0;
    const ObjectsRunning *running = objects_running();
    const ObjectsKind *kind = running->kind;
    const ObjectsTaken *taken = NULL;
    for (uint32_t i = 0; kind != NULL && i < kind->event_count; i++)
        if (kind->events[i].inbox->event == type) taken = &kind->events[i];
    if (FILO_UNLIKELY(taken == NULL) && (taken = find_taken(kind, type)) == NULL) return NULL;
    if (FILO_UNLIKELY(it == NULL || it->query != running->query || row >= it->count)) return report_row(kind);
    const ObjectsInbox *inbox = taken->inbox;
    const uint8_t *at = (const uint8_t *)filo_iter_column(it, taken->term).data + row * inbox->size;
    const FiloSfList *list = (const FiloSfList *)(const void *)at;
    *count = FILO_MIN(list->count, inbox->capacity); // a file may say anything
    return *count > 0 ? at + inbox->values : NULL;
}

void filo_object_kill(FiloIter *it, size_t row) {
    if (!FILO_CHECK(it != NULL && it->changes != NULL,
                    "end an object in the step of its kind, or a system") ||
        !FILO_CHECK(row < it->count, "there is no row %zu here: pass one below it->count", row) ||
        !FILO_CHECK(objects_running()->kind == NULL || objects_running()->query == it->query,
                    "kind \"%s\": an object ends itself, not those that it views: send them an event",
                    objects_running()->kind->name))
        return;
    (void)filo_changes_destroy_entity(it->changes, filo_iter_entity(it, row));
}
