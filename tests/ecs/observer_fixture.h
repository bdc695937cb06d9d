// What the tests of observers share: an observer that writes down what it is told.

#ifndef FILO_TESTS_ECS_OBSERVER_FIXTURE_H
#define FILO_TESTS_ECS_OBSERVER_FIXTURE_H

#include "ecs/world_types.h"

// Words, one after the other.
typedef struct Heard {
    char text[2048];
    size_t length;
    const char *name; // before each word; NULL: none
} Heard;

__attribute__((format(printf, 2, 3), unused)) static void hear(Heard *heard, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    heard->length +=
        (size_t)vsnprintf(heard->text + heard->length, sizeof heard->text - heard->length, format, arguments);
    va_end(arguments);
    assert_true(heard->length < sizeof heard->text);
}

__attribute__((unused)) static void expect_heard(Heard *heard, const char *text) {
    assert_string_equal(heard->text, text);
    heard->length = 0;
    heard->text[0] = 0;
}

__attribute__((unused)) static const char *kind_name(FiloObserverKind kind) {
    switch (kind) {
    case FILO_OBSERVE_ADDED: return "added";
    case FILO_OBSERVE_REMOVED: return "removed";
    case FILO_OBSERVE_SET: return "set";
    case FILO_OBSERVE_ENTERED: return "entered";
    case FILO_OBSERVE_LEFT: return "left";
    }
    return "?";
}

// "added 1 2; removed 3=7; ": entities by their index; of Health, also the value, or the last one. In it->user, a Heard.
__attribute__((unused)) static void write_down(FiloIter *it, const FiloObserved *observed) {
    Heard *heard = it->user;
    bool health = observed->type == FILO_TYPE(Health);
    const Health *last = health ? filo_observed_values(observed, Health) : NULL;
    assert_int_equal(last != NULL, health && observed->kind == FILO_OBSERVE_REMOVED);
    if (heard->name != NULL) hear(heard, "%s ", heard->name);
    hear(heard, "%s", kind_name(observed->kind));
    for (size_t i = 0; i < observed->count; i++) {
        hear(heard, " %u", filo_entity_index(observed->entities[i]));
        if (health)
            hear(heard, "=%d",
                 last != NULL ? last[i].points : filo_get(it->world, observed->entities[i], Health)->points);
    }
    hear(heard, "; ");
}

#define OF_COMPONENT (FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED | FILO_OBSERVE_SET)
#define OF_QUERY     (FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT)

// Observes all of Health.
__attribute__((unused)) static FiloObserver observe_health(FiloWorld *world, Heard *heard) {
    FiloObserver observer = filo_observer_add(
        world, &(FiloObserverDesc){
                   .run = write_down, .type = FILO_TYPE(Health), .kinds = OF_COMPONENT, .user = heard });
    assert_int_not_equal(observer.id, 0);
    return observer;
}

#endif
