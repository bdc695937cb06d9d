// Shared by the tests of observers: an observer that logs its calls, and a component with hooks.

#ifndef FILO_TESTS_ECS_OBSERVER_FIXTURE_H
#define FILO_TESTS_ECS_OBSERVER_FIXTURE_H

#include "ecs/log.h"
#include "ecs/world_types.h"

static inline const char *kind_name(FiloObserverKind kind) {
    switch (kind) {
    case FILO_OBSERVE_ADDED: return "added";
    case FILO_OBSERVE_REMOVED: return "removed";
    case FILO_OBSERVE_SET: return "set";
    case FILO_OBSERVE_ENTERED: return "entered";
    case FILO_OBSERVE_LEFT: return "left";
    }
    return "?";
}

// Logs to it->user: "added 1 2; removed 3=7; ". Entities by index; of Health, with its value or last value.
static inline void log_observed(FiloIter *it, const FiloObserved *observed) {
    Log *log = it->user;
    bool health = observed->type == FILO_TYPE(Health);
    const Health *last = health ? filo_observed_values(observed, Health) : NULL;
    assert_int_equal(last != NULL, health && observed->kind == FILO_OBSERVE_REMOVED);
    if (log->name != NULL) log_add(log, "%s ", log->name);
    log_add(log, "%s", kind_name(observed->kind));
    for (size_t i = 0; i < observed->count; i++) {
        log_add(log, " %u", filo_entity_index(observed->entities[i]));
        if (health)
            log_add(log, "=%d",
                    last != NULL ? last[i].points
                                 : filo_get(it->world, observed->entities[i], Health)->points);
    }
    log_add(log, "; ");
}

#define OF_COMPONENT (FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED | FILO_OBSERVE_SET)
#define OF_QUERY     (FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT)

// Logs all kinds of changes of Health.
static inline FiloObserver observe_health(FiloWorld *world, Log *log) {
    FiloObserver observer = filo_observer_add(
        world, &(FiloObserverDesc){
                   .run = log_observed, .type = FILO_TYPE(Health), .kinds = OF_COMPONENT, .user = log });
    assert_int_not_equal(observer.id, 0);
    return observer;
}

// ---- A component with hooks -----------------------------------------------------------------------------------

typedef struct Body { // owns a number on the heap
    int32_t shown;
    int *number;
    struct Body *self; // its address, if values are moved by a hook
} Body;
FILO_REFLECT(Body, FILO_FIELD(int32_t, shown))

static int bodies; // constructed and not destructed

static inline void body_construct(void *value, void *user) {
    FILO_UNUSED(user);
    Body *body = value;
    *body = (Body){ 0, calloc(1, sizeof(int)), body };
    bodies++;
}
static inline void body_destruct(void *value, void *user) {
    FILO_UNUSED(user);
    Body *body = value;
    if (body->self != NULL) assert_ptr_equal(body->self, body);
    free(body->number);
    body->number = NULL;
    bodies--;
}
static inline void body_copy(void *to, const void *from, void *user) {
    FILO_UNUSED(user);
    *((Body *)to)->number = *((const Body *)from)->number;
}
static inline void body_move(void *to, void *from, void *user) {
    FILO_UNUSED(user);
    assert_ptr_equal(((Body *)from)->self, from);
    memcpy(to, from, sizeof(Body));
    ((Body *)to)->self = to;
    memset(from, 0xEE, sizeof(Body));
}

// An observer: appends the last values to the decimal digits of the int in it->user.
static inline void sum_bodies(FiloIter *it, const FiloObserved *observed) {
    int *sum = it->user;
    const Body *last = filo_observed_values(observed, Body);
    for (size_t i = 0; i < observed->count; i++) *sum = *sum * 10 + *last[i].number;
}

#endif
