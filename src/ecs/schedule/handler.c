// Handlers of events that use the world; and what their calls have in common with those of observers (observer.c).
//
// For the events, such a handler is one like others. For the world, it is like a system: it has declared what it
// reads and writes, and what it records is applied when all handlers of the delivery point have returned. All calls
// until then record in one change set, in the order of the calls, and each sees in it the changes of the calls
// before. In a tick of the world, the tick applies the set (run.c). Otherwise the events call apply_between_ticks
// after the delivery, so snapshots, files and hashes never meet changes that are not applied.
//
// Random numbers are salted by the number of the call among those of the handler in this tick, or since the last tick.
// Numbers of the event itself would not be deterministic: how many other events a point delivers may depend on things
// outside of the world, such as when an asset was loaded.

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"

#include <filo/hash.h>

#include <stdio.h>

struct EcsWorldHandler {
    EcsSystem system; // only the fields that an iterator needs
    FiloWorldHandlerFunction run;
    FiloSubscription subscription;
    uint64_t span;  // EcsSchedule.span of its last call
    uint64_t calls; // in that span
};

// ---- Calls between stages -------------------------------------------------------------------------------

void ecs_call_begin(EcsCall *call, EcsSystem *system, FiloEventRecorder *events) {
    FiloWorld *world = system->world;
    EcsSchedule *schedule = world->schedule;
    schedule->handled++;
    call->it = (FiloIter){ .world = world,
                           .user = system->user,
                           .tick = world->tick,
                           .delta = schedule->delta,
                           .changes = &schedule->call_changes,
                           .events = events };
    ecs_iter(&call->it)->system = system;
    filo_profile_enter(&call->zone, system->name);
    call->outer = ecs_system_enter(system);
}

void ecs_call_end(EcsCall *call) {
    (void)ecs_system_enter(call->outer);
    filo_profile_leave(&call->zone);
}

// ---- Handlers -------------------------------------------------------------------------------------------

#define BETWEEN_TICKS (UINT64_C(1) << 63) // of a salt

static uint64_t next_salt(EcsWorldHandler *handler, bool between_ticks) {
    const EcsSchedule *schedule = handler->system.world->schedule;
    if (handler->span != schedule->span) handler->calls = 0;
    handler->span = schedule->span;
    return handler->calls++ | (between_ticks ? BETWEEN_TICKS : 0);
}

static void call(EcsWorldHandler *handler, const FiloEvent *event, bool between_ticks) {
    EcsCall calling;
    handler->system.salt = next_salt(handler, between_ticks);
    ecs_call_begin(&calling, &handler->system, event->recorder);
    handler->run(&calling.it, event);
    ecs_call_end(&calling);
}

// A delivery outside of the world's ticks. What the handler records is applied at the end of the delivery: events
// that it records may hold temporary ids, and cannot be changed before they are submitted.
static void call_between_ticks(EcsWorldHandler *handler, const FiloEvent *event) {
    FiloWorld *world = handler->system.world;
    EcsSchedule *schedule = world->schedule;
    if (!ecs_may_change(world, "handle an event")) return;
    schedule->state = ECS_TICK_DELIVERY;
    schedule->delta = 0;
    ecs_set_running(world, true);
    call(handler, event, true);
    ecs_set_running(world, false);
    schedule->state = ECS_TICK_NONE;
}

static void handle(const FiloEvent *event, void *user) {
    EcsWorldHandler *handler = user;
    const EcsSchedule *schedule = handler->system.world->schedule;
    if (schedule->state == ECS_TICK_NONE) {
        call_between_ticks(handler, event);
        return;
    }
    if (FILO_CHECK(schedule->state == ECS_TICK_DELIVERY,
                   "event \"%s\": inside a system, record events in it->events", filo_name_text(event->name)))
        call(handler, event, false);
}

// The events have delivered, and no handler runs any more.
static void apply_between_ticks(FiloEvents *events, void *user) {
    FILO_UNUSED(events);
    FiloWorld *world = user;
    EcsSchedule *schedule = world->schedule;
    if (schedule->state != ECS_TICK_NONE || schedule->handled == 0 ||
        !ecs_may_change(world, "apply what handlers recorded"))
        return;
    ecs_apply_and_observe(world);
    schedule->state = ECS_TICK_NONE;
    ecs_data_after_tick(world);
}

// Lets the events call apply_between_ticks. False without memory.
static bool add_delivered_hook(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (!schedule->has_delivered_hook)
        schedule->has_delivered_hook = filo_events_add_delivered(world->events, apply_between_ticks, world);
    return schedule->has_delivered_hook;
}

static void free_handler(FiloWorld *world, EcsWorldHandler *handler) {
    ecs_access_free(&handler->system.access, world);
    filo_free(world->allocator, handler, sizeof *handler, 0);
}

// Frees handlers that were unsubscribed by filo_events_unsubscribe.
static void free_unsubscribed(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    for (size_t i = schedule->handlers.count; i-- > 0;) {
        EcsWorldHandler *handler = schedule->handlers.items[i];
        if (filo_events_subscribed(world->events, handler->subscription)) continue;
        filo_array_remove_swap(&schedule->handlers, i);
        free_handler(world, handler);
    }
}

// The key of random numbers: a hash of the name and the event, so that a system of the same name has another key.
// Names of handlers need not be unique, so each gets the first number that no other handler has.
static uint32_t number_of(const FiloWorld *world, FiloName name, FiloName event) {
    uint64_t hash = filo_hash_combine(filo_name_hash(name), filo_name_hash(event));
    for (;; hash = filo_hash_combine(hash, 1)) {
        bool taken = (uint32_t)hash == 0;
        filo_array_each (&world->schedule->handlers, handler)
            taken = taken || (*handler)->system.number == (uint32_t)hash;
        if (!taken) return (uint32_t)hash;
    }
}

static bool prepare(EcsWorldHandler *handler, FiloWorld *world, const FiloWorldHandlerDesc *desc,
                    FiloName name) {
    char subject[128];
    snprintf(subject, sizeof subject, "handler \"%s\"", filo_name_text(name));
    handler->system.world = world;
    handler->system.user = desc->user;
    handler->system.key = name;
    handler->system.name = filo_name_text(name);
    handler->system.number = number_of(world, name, desc->event);
    handler->run = desc->run;
    return ecs_access_declare(&handler->system.access, world, desc->extra_access, subject);
}

FiloSubscription filo_world_handle(FiloWorld *world, const FiloWorldHandlerDesc *desc) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloSubscription){ 0 };
    FiloSubscription none = { 0 };
    if (!FILO_CHECK(world->events != NULL, "a world without events has no handlers: give it .events") ||
        !FILO_CHECK(desc != NULL && desc->run != NULL && desc->event.id != 0,
                    "a handler needs an event and a function to run") ||
        !ecs_may_change(world, "add a handler"))
        return none;
    FiloName name = desc->name != NULL ? filo_name(desc->name) : desc->event;
    if (name.id == 0 || !add_delivered_hook(world)) return none;
    free_unsubscribed(world);
    EcsWorldHandler *handler = filo_alloc_zero(world->allocator, sizeof *handler, 0);
    if (handler == NULL) return none;
    if (!prepare(handler, world, desc, name) || !filo_array_push(&world->schedule->handlers, handler)) {
        free_handler(world, handler);
        return none;
    }
    handler->subscription = filo_events_subscribe(
        world->events,
        &(FiloHandlerDesc){ .event = desc->event, .type = desc->type, .function = handle, .user = handler });
    FiloSubscription subscription = handler->subscription;
    if (!filo_events_subscribed(world->events, subscription)) free_unsubscribed(world);
    return subscription;
}

void ecs_world_handlers_deinit(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (schedule->has_delivered_hook) filo_events_remove_delivered(world->events, apply_between_ticks, world);
    schedule->has_delivered_hook = false;
    for (size_t i = 0; i < schedule->handlers.count; i++) {
        filo_events_unsubscribe(world->events, schedule->handlers.items[i]->subscription);
        free_handler(world, schedule->handlers.items[i]);
    }
    filo_array_clear(&schedule->handlers);
}
