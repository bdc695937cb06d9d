// Handlers of events that touch the world; and what their calls have in common with those of observers (observer.c).
//
// To the events it is a handler like others, called one after the other. Around it, it looks like a system:
// it has declared what it touches, and what it records is applied when all handlers of the delivery point have
// returned. All calls until then record in one change set, in the order of the calls, and each sees in it what those
// before it have done. If that is a point of the world's own tick, the tick applies it (run.c); otherwise the events
// say when they have delivered, so that nothing waits between ticks that snapshots, files and hashes would have to
// know of.
//
// Random numbers are salted by the number of the call among those of the handler in this tick, or since the tick
// before. Other numbers of an event would not do: how many events a point delivers besides, which the handler is
// not called for, may depend on what is no part of the world, such as when an asset was loaded.

#include <filo/check.h>
#include <filo/hash.h>
#include <filo/profile.h>

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world.h"

#include <stdio.h>

struct EcsWorldHandler {
    FiloSystem system; // as far as an iterator needs one
    FiloWorldHandlerFunction run;
    FiloSubscription subscription;
    uint64_t span;  // EcsSchedule.span of its last call
    uint64_t calls; // in that span
};

// ---- Calls between stages -------------------------------------------------------------------------------

void ecs_call_begin(EcsCall *call, FiloSystem *system, FiloEventRecorder *events) {
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

// Somebody delivers outside of the world's ticks. What the handler records waits for the end of the delivery:
// events that it records meanwhile may speak of entities that it creates, and cannot be looked at before they
// are handed in.
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

// Something was delivered, and nobody runs any more.
static void apply_between_ticks(FiloEvents *events, void *user) {
    FILO_UNUSED(events);
    FiloWorld *world = user;
    EcsSchedule *schedule = world->schedule;
    if (schedule->state != ECS_TICK_NONE || schedule->handled == 0 ||
        !ecs_may_change(world, "apply what handlers recorded"))
        return;
    ecs_world_apply(world);
    schedule->state = ECS_TICK_NONE;
}

// From the first handler on.
static bool hear_of_deliveries(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (!schedule->hears)
        schedule->hears = filo_events_add_delivered(world->events, apply_between_ticks, world);
    return schedule->hears;
}

static void free_handler(FiloWorld *world, EcsWorldHandler *handler) {
    ecs_access_free(&handler->system.access, world);
    filo_free(world->allocator, handler, sizeof *handler, 0);
}

// Forgets handlers that were unsubscribed by way of the events.
static void forget_unsubscribed(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    for (size_t i = schedule->handlers.count; i-- > 0;) {
        EcsWorldHandler *handler = schedule->handlers.items[i];
        if (filo_events_subscribed(world->events, handler->subscription)) continue;
        filo_array_remove_swap(&schedule->handlers, i);
        free_handler(world, handler);
    }
}

// Of its random numbers: a hash of the name and the event, so that a system of the same name has others. Handlers need
// no name of their own, so of those that are alike each has the first number that none of the others has.
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
    char who[128];
    snprintf(who, sizeof who, "handler \"%s\"", filo_name_text(name));
    handler->system.world = world;
    handler->system.user = desc->user;
    handler->system.key = name;
    handler->system.name = filo_name_text(name);
    handler->system.number = number_of(world, name, desc->event);
    handler->run = desc->run;
    return ecs_access_declare(&handler->system.access, world, desc->extra_access, who);
}

FiloSubscription filo_world_handle(FiloWorld *world, const FiloWorldHandlerDesc *desc) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloSubscription){ 0 };
    FiloSubscription none = { 0 };
    if (!FILO_CHECK(world->events != NULL, "a world without events has no handlers: give it .events") ||
        !FILO_CHECK(desc->run != NULL && desc->event.id != 0,
                    "a handler needs an event and a function to run") ||
        !ecs_may_change(world, "add a handler"))
        return none;
    FiloName name = desc->name != NULL ? filo_name(desc->name) : desc->event;
    if (name.id == 0 || !hear_of_deliveries(world)) return none;
    forget_unsubscribed(world);
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
    if (!filo_events_subscribed(world->events, subscription)) forget_unsubscribed(world);
    return subscription;
}

void ecs_world_handlers_deinit(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (schedule->hears) filo_events_remove_delivered(world->events, apply_between_ticks, world);
    schedule->hears = false;
    for (size_t i = 0; i < schedule->handlers.count; i++) {
        filo_events_unsubscribe(world->events, schedule->handlers.items[i]->subscription);
        free_handler(world, schedule->handlers.items[i]);
    }
    filo_array_clear(&schedule->handlers);
}
