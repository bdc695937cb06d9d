// Creating and destroying FiloEvents. events.h explains the structure.

#include <filo/check.h>

#include "events/events.h"

FiloResult filo_events_create(FiloEvents **events, const FiloEventsDesc *desc) {
    if (events == NULL) return FILO_MISTAKE("pass where to put the events");
    *events = NULL;
    if (desc == NULL || desc->jobs == NULL)
        return FILO_MISTAKE("events need a scheduler: set jobs in FiloEventsDesc");
    FiloEvents *created = filo_alloc_zero(desc->allocator, sizeof *created, _Alignof(FiloEvents));
    if (created == NULL) return filo_error(FILO_ERROR_MEMORY, "events: no memory");
    const char *name = desc->name != NULL ? desc->name : "events";
    FiloResult r = filo_scratch_init(&created->scratch, name, desc->reserve);
    if (r.code != FILO_OK) {
        filo_free(desc->allocator, created, sizeof *created, _Alignof(FiloEvents));
        return r;
    }
    created->jobs = desc->jobs;
    created->allocator = desc->allocator;
    filo_mutex_init(&created->lock);
    filo_array_init(&created->handlers, desc->allocator);
    filo_array_init(&created->delayed, desc->allocator);
    filo_array_init(&created->delivered_functions, desc->allocator);
    created->outside = events_recorder_make(created, (FiloEventKey){ .origin = FILO_EVENT_FROM_OUTSIDE });
    *events = created;
    return filo_ok();
}

static void free_slots(FiloEvents *events) {
    for (EventsSlot *slot = events->slots; slot != NULL;) {
        EventsSlot *next = slot->next;
        filo_free(events->allocator, slot, sizeof *slot, _Alignof(EventsSlot));
        slot = next;
    }
    for (size_t i = 0; i < EVENTS_PAGE_COUNT; i++)
        filo_free(events->allocator, base_load_relaxed(&events->pages[i]), sizeof(EventsPage),
                  _Alignof(EventsPage));
}

void filo_events_destroy(FiloEvents *events) {
    if (events == NULL) return;
    if (!FILO_CHECK(base_load_relaxed(&events->delivering) == 0,
                    "destroy the events outside of handlers, when nothing is being delivered"))
        return;
    filo_events_reset(events, (FiloEventsClock){ 0 });
    events_store_deinit(events);
    events_handlers_deinit(events);
    free_slots(events);
    filo_array_deinit(&events->delivered_functions);
    filo_mutex_deinit(&events->lock);
    filo_scratch_deinit(&events->scratch);
    filo_free(events->allocator, events, sizeof *events, _Alignof(FiloEvents));
}

uint64_t filo_events_tick(const FiloEvents *events) {
    return FILO_CHECK(events != NULL, "pass events") ? base_load_relaxed(&events->next_tick) : 0;
}
