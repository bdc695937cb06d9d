// The handlers of events.
//
// The memory of a handler is reused, but not freed before the end, so that a delivery may read its generation at any
// time. Each event has a list of its handlers, sorted by `order` and then by subscription.
//
// A delivery works on copies (EventsCall), in an array that is large enough for the event with the most handlers. If
// a subscription needs a larger array, it allocates `spare_calls`, and the next delivery uses that. So a delivery
// allocates nothing, and subscribing during a delivery does not affect it.

#include <filo/check.h>

#include "events/events.h"

// ---- Memory, under the lock ---------------------------------------------------------------------------

static EventsHandler *alloc_handler(FiloEvents *events) {
    EventsHandler *handler = events->free_handlers;
    if (handler != NULL) {
        events->free_handlers = handler->next;
        return handler;
    }
    handler = filo_alloc_zero(events->allocator, sizeof *handler, _Alignof(EventsHandler));
    if (handler == NULL) return NULL;
    if (!filo_array_push(&events->handlers, handler)) {
        filo_free(events->allocator, handler, sizeof *handler, _Alignof(EventsHandler));
        return NULL;
    }
    handler->index = (uint32_t)(events->handlers.count - 1);
    base_store_relaxed(&handler->generation, 1);
    return handler;
}

static void free_calls(FiloEvents *events, EventsCallList *list) {
    filo_free(events->allocator, list->calls, list->capacity * sizeof(EventsCall), _Alignof(EventsCall));
    *list = (EventsCallList){ 0 };
}

// Makes sure that the next delivery has memory for `count` calls.
static bool reserve_calls(FiloEvents *events, size_t count) {
    if (count <= events->calls.capacity || count <= events->spare_calls.capacity) return true;
    EventsCallList list = { NULL, 16 };
    while (list.capacity < count) list.capacity *= 2;
    list.calls = filo_alloc(events->allocator, list.capacity * sizeof(EventsCall), _Alignof(EventsCall));
    if (list.calls == NULL) return false;
    free_calls(events, &events->spare_calls);
    events->spare_calls = list;
    return true;
}

// ---- Subscribing --------------------------------------------------------------------------------------

// Searches from the end of the list, where most handlers belong.
static void link_handler(EventsSlot *event, EventsHandler *handler) {
    EventsHandler *before = event->last;
    while (before != NULL && before->desc.order > handler->desc.order) before = before->previous;
    handler->previous = before;
    handler->next = before != NULL ? before->next : event->first;
    *(before != NULL ? &before->next : &event->first) = handler;
    *(handler->next != NULL ? &handler->next->previous : &event->last) = handler;
    event->handler_count++;
}

static void unlink_handler(EventsHandler *handler) {
    EventsSlot *event = handler->event;
    *(handler->previous != NULL ? &handler->previous->next : &event->first) = handler->next;
    *(handler->next != NULL ? &handler->next->previous : &event->last) = handler->previous;
    event->handler_count--;
}

FiloSubscription filo_events_subscribe(FiloEvents *events, const FiloHandlerDesc *desc) {
    if (!FILO_CHECK(events != NULL && desc != NULL, "pass events, and describe the handler"))
        return (FiloSubscription){ 0 };
    FiloSubscription none = { 0, 0 }, result = none;
    if (!FILO_CHECK(desc->function != NULL, "a handler of \"%s\" needs a function",
                    filo_name_text(desc->event)))
        return none;
    if (!FILO_CHECK((unsigned)desc->mode <= FILO_HANDLER_MAIN,
                    "a handler of \"%s\" runs serial, parallel or on main, not in mode %d",
                    filo_name_text(desc->event), (int)desc->mode))
        return none;
    EventsSlot *event = desc->type != NULL ? events_find_typed(events, desc->event, desc->type, "subscribe")
                                           : events_find_or_add(events, desc->event);
    if (event == NULL) return none;
    filo_mutex_lock(&events->lock);
    EventsHandler *handler = reserve_calls(events, event->handler_count + 1) ? alloc_handler(events) : NULL;
    if (handler != NULL) {
        handler->desc = *desc;
        handler->event = event;
        handler->number = ++events->subscriptions;
        handler->subscribed = true;
        link_handler(event, handler);
        event->may_be_unhandled = true;
        result = (FiloSubscription){ handler->index, base_load_relaxed(&handler->generation) };
    }
    filo_mutex_unlock(&events->lock);
    return result;
}

static void remove_handler(FiloEvents *events, EventsHandler *handler) {
    unlink_handler(handler);
    handler->subscribed = false;
    uint32_t generation = base_load_relaxed(&handler->generation) + 1;
    // Release: pairs with the acquire in call_handler, which does not call the handler any more.
    base_store_release(&handler->generation, generation != 0 ? generation : 1);
    handler->next = events->free_handlers;
    events->free_handlers = handler;
}

// Under the lock. NULL if the subscription has ended.
static EventsHandler *find_handler(FiloEvents *events, FiloSubscription subscription) {
    if (subscription.generation == 0 || subscription.index >= events->handlers.count) return NULL;
    EventsHandler *handler = events->handlers.items[subscription.index];
    bool same = base_load_relaxed(&handler->generation) == subscription.generation;
    return same && handler->subscribed ? handler : NULL;
}

void filo_events_unsubscribe(FiloEvents *events, FiloSubscription subscription) {
    if (subscription.generation == 0 || !FILO_CHECK(events != NULL, "pass events")) return;
    filo_mutex_lock(&events->lock);
    EventsHandler *handler = find_handler(events, subscription);
    if (handler != NULL) remove_handler(events, handler);
    filo_mutex_unlock(&events->lock);
    (void)FILO_CHECK(handler != NULL, "this subscription (%u, generation %u) has ended: unsubscribe once",
                     subscription.index, subscription.generation);
}

size_t filo_events_unsubscribe_owner(FiloEvents *events, const void *owner) {
    if (!FILO_CHECK(events != NULL && owner != NULL, "pass events, and the owner whose handlers are to end"))
        return 0;
    size_t count = 0;
    filo_mutex_lock(&events->lock);
    for (size_t i = 0; i < events->handlers.count; i++) {
        EventsHandler *handler = events->handlers.items[i];
        if (!handler->subscribed || handler->desc.owner != owner) continue;
        remove_handler(events, handler);
        count++;
    }
    filo_mutex_unlock(&events->lock);
    return count;
}

bool filo_events_subscribed(FiloEvents *events, FiloSubscription subscription) {
    if (!FILO_CHECK(events != NULL, "pass events")) return false;
    filo_mutex_lock(&events->lock);
    bool found = find_handler(events, subscription) != NULL;
    filo_mutex_unlock(&events->lock);
    return found;
}

size_t filo_events_handlers(FiloEvents *events, FiloName event) {
    if (!FILO_CHECK(events != NULL, "pass events")) return 0;
    EventsSlot *slot = events_find(events, event);
    if (slot == NULL) return 0;
    filo_mutex_lock(&events->lock);
    size_t count = slot->handler_count;
    filo_mutex_unlock(&events->lock);
    return count;
}

// ---- Calls --------------------------------------------------------------------------------------------

static EventsCall call_of(EventsHandler *handler) {
    return (EventsCall){ handler, base_load_relaxed(&handler->generation), handler->desc.mode,
                         handler->desc.function, handler->desc.user };
}

size_t events_collect_calls(FiloEvents *events, EventsSlot *event) {
    size_t count = 0;
    filo_mutex_lock(&events->lock);
    if (events->spare_calls.calls != NULL) {
        free_calls(events, &events->calls);
        events->calls = events->spare_calls;
        events->spare_calls = (EventsCallList){ 0 };
    }
    for (EventsHandler *handler = event->first; handler != NULL; handler = handler->next)
        events->calls.calls[count++] = call_of(handler);
    filo_mutex_unlock(&events->lock);
    return count;
}

bool events_next_call(FiloEvents *events, EventsSlot *event, int *order, uint64_t *number, EventsCall *call) {
    filo_mutex_lock(&events->lock);
    EventsHandler *handler = event->first;
    while (handler != NULL &&
           (handler->desc.order < *order || (handler->desc.order == *order && handler->number <= *number)))
        handler = handler->next;
    if (handler != NULL) {
        *call = call_of(handler);
        *order = handler->desc.order;
        *number = handler->number;
    }
    filo_mutex_unlock(&events->lock);
    return handler != NULL;
}

void events_handlers_deinit(FiloEvents *events) {
    for (size_t i = 0; i < events->handlers.count; i++)
        filo_free(events->allocator, events->handlers.items[i], sizeof(EventsHandler),
                  _Alignof(EventsHandler));
    filo_array_deinit(&events->handlers);
    free_calls(events, &events->calls);
    free_calls(events, &events->spare_calls);
}
