// Observers: their registry, and their calls.
//
// Code that changes structure makes notes (watch.c, track.c). A round computes lists from the notes, calls the
// observers with them, clears the notes, and applies the change sets of the observers. These changes may cause new
// notes, and another round.
//
// To the rest of the module an observer is a system without rows, like a handler of events (schedule/handler.c): it has
// a declared access, and records into a change set.

#include <filo/check.h>
#include <filo/hash.h>

#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"
#include "ecs/query/query.h"

#include <stdio.h>

#define OF_COMPONENTS (FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED | FILO_OBSERVE_SET)
#define OF_QUERIES    (FILO_OBSERVE_ENTERED | FILO_OBSERVE_LEFT)

typedef FiloArray(FiloEntity) Entities;

// ---- Existing entities ----------------------------------------------------------------------------------

static bool list_partition(const FiloWorld *world, const EcsPartition *partition, Entities *list) {
    uint32_t rows = ecs_partition_count(partition);
    if (!filo_array_reserve(list, FILO_MAX(list->count + rows, list->capacity))) return false;
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *indices =
            ecs_chunk_indices(partition, partition->chunks[row / partition->chunk_rows].base);
        list->items[list->count++] = ecs_entity_of_index(world, indices[row % partition->chunk_rows]);
    }
    return true;
}

// All entities that have a component. False without memory.
static bool list_owners(const FiloWorld *world, const EcsComponentData *component, Entities *list) {
    filo_array_each (&component->tables, table)
        for (int i = 0; i < 2; i++)
            if (ecs_partition_count(&(*table)->partitions[i]) > 0 &&
                !list_partition(world, &(*table)->partitions[i], list))
                return false;
    if (component->holder == NULL) return true;
    FiloEntity entity;
    for (uint64_t cursor = 0; component->interface->next(component->holder, &cursor, &entity);) {
        entity = ecs_entity_of_index(world, (uint32_t)entity.id); // tags have no generations
        if (!filo_array_push(list, entity)) return false;
    }
    return true;
}

static bool list_matches(FiloQuery *query, Entities *list) {
    if (!filo_array_resize(list, filo_query_count(query))) return false;
    (void)filo_query_entities(query, list->items, list->count);
    return true;
}

// ---- A round --------------------------------------------------------------------------------------------

static bool has_notes(const EcsObserverData *observer) {
    if (observer->reports_existing) return true;
    const EcsNotes *notes =
        observer->watch != NULL ? &observer->watch->notes : &observer->query->tracking->notes;
    return notes->count > 0;
}

// Each call is a source of events, numbered from the last delivery point on.
static void begin_events(FiloWorld *world, FiloEventRecorder *recorder) {
    filo_event_recorder_begin(recorder, world->events, ECS_OBSERVER_SOURCE, 0);
    if (world->observer_point != recorder->key.point) world->observer_records = 0;
    world->observer_point = recorder->key.point;
    recorder->key.range = world->observer_records;
    recorder->held = world->schedule->holds_events;
}

static void end_events(FiloWorld *world, FiloEventRecorder *recorder) {
    if (recorder->first != NULL) {
        world->observer_records++;
        if (!recorder->held) base_store_relaxed(&world->schedule->recorded, true);
    }
    filo_event_recorder_end(recorder);
}

static void call(EcsObserverData *observer, FiloObserverKind kind, const FiloEntity *entities, size_t count) {
    FiloWorld *world = observer->system.world;
    const EcsWatch *watch = observer->watch;
    if (count == 0 || (observer->kinds & kind) == 0) return;
    FiloObserved observed = { .kind = kind, .entities = entities, .count = count };
    if (watch != NULL) {
        observed.component.id = watch->component->id;
        observed.type = watch->component->info.type;
        if (kind == FILO_OBSERVE_REMOVED) observed.values = watch->values;
    }
    FiloEventRecorder recorder = { 0 };
    if (world->events != NULL) begin_events(world, &recorder);
    EcsCall calling;
    ecs_call_begin(&calling, &observer->system, world->events != NULL ? &recorder : NULL);
    observer->run(&calling.it, &observed);
    ecs_call_end(&calling);
    if (world->events != NULL) end_events(world, &recorder);
}

// The first call of an observer with `existing`: all entities that have the component or match.
static void call_with_existing(EcsObserverData *observer) {
    FiloWorld *world = observer->system.world;
    Entities list;
    filo_array_init(&list, world->allocator);
    bool ok = observer->watch != NULL ? list_owners(world, observer->watch->component, &list)
                                      : list_matches(observer->query, &list);
    if (ok)
        call(observer, observer->watch != NULL ? FILO_OBSERVE_ADDED : FILO_OBSERVE_ENTERED, list.items,
             list.count);
    filo_array_deinit(&list);
}

static void call_with_removed(EcsObserverData *observer) {
    const EcsWatch *watch = observer->watch;
    if (observer->reports_existing) return; // it was never called with them
    if (watch != NULL)
        call(observer, FILO_OBSERVE_REMOVED, watch->removed, watch->removed_count);
    else
        call(observer, FILO_OBSERVE_LEFT, observer->query->tracking->left.items,
             observer->query->tracking->left.count);
}

static void call_with_added(EcsObserverData *observer) {
    const EcsWatch *watch = observer->watch;
    if (observer->reports_existing)
        call_with_existing(observer);
    else if (watch != NULL)
        call(observer, FILO_OBSERVE_ADDED, watch->added, watch->added_count);
    else
        call(observer, FILO_OBSERVE_ENTERED, observer->query->tracking->entered.items,
             observer->query->tracking->entered.count);
}

static void call_with_set(EcsObserverData *observer) {
    const EcsWatch *watch = observer->watch;
    if (!observer->reports_existing && watch != NULL)
        call(observer, FILO_OBSERVE_SET, watch->set, watch->set_count);
}

static void run_round(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    filo_array_each (&world->watches, watch) ecs_watch_list(*watch);
    filo_array_each (&world->observers, observer)
        if ((*observer)->query != NULL) ecs_track_refresh_query((*observer)->query);
    schedule->state = ECS_TICK_OBSERVE;
    ecs_set_running(world, true);
    filo_array_each (&world->observers, observer) call_with_removed(*observer);
    filo_array_each (&world->observers, observer) call_with_added(*observer);
    filo_array_each (&world->observers, observer) call_with_set(*observer);
    ecs_set_running(world, false);
    filo_array_each (&world->watches, watch) ecs_watch_clear(*watch);
    filo_array_each (&world->observers, observer) (*observer)->reports_existing = false;
}

static bool have_notes(const FiloWorld *world) {
    filo_array_each (&world->observers, observer)
        if (has_notes(*observer)) return true;
    return false;
}

// Reports too many rounds, with the names of the observers that would be called again.
static void report_rounds(const FiloWorld *world) {
    char names[256];
    int length = 0;
    filo_array_each (&world->observers, observer) {
        if (!has_notes(*observer) || length >= (int)sizeof names) continue;
        length += snprintf(names + length, sizeof names - (size_t)length, "%s\"%s\"", length > 0 ? ", " : "",
                           (*observer)->system.name);
    }
    (void)FILO_CHECK(false,
                     "observers %s keep causing what they observe: %d rounds of one refresh were not enough; "
                     "the rest waits for the next one",
                     names, FILO_OBSERVER_ROUNDS);
}

void ecs_observers_deliver(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    EcsTickState state = schedule->state;
    for (int round = 0; have_notes(world); round++) {
        if (round == FILO_OBSERVER_ROUNDS) {
            report_rounds(world);
            break;
        }
        run_round(world);
        if (schedule->handled > 0) ecs_apply_changes(world);
    }
    schedule->state = state;
    if (world->released_names.count > 0 && !have_notes(world)) ecs_names_flush(world);
}

// ---- The registry ---------------------------------------------------------------------------------------

static bool kinds_are_valid(const FiloObserverDesc *desc, const char *title) {
    uint32_t kinds = desc->kinds;
    return FILO_CHECK(kinds != 0 && (kinds & ~(uint32_t)(OF_COMPONENTS | OF_QUERIES)) == 0,
                      "%s: say what it observes: .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED",
                      title) &&
           FILO_CHECK((kinds & OF_COMPONENTS) == 0 || (kinds & OF_QUERIES) == 0,
                      "%s: components are added, removed and set, queries are entered and left; "
                      "add two observers",
                      title) &&
           FILO_CHECK(!desc->existing || (kinds & (FILO_OBSERVE_ADDED | FILO_OBSERVE_ENTERED)) != 0,
                      "%s: what exists is told as added or entered; ask for that too, or leave .existing out",
                      title);
}

static bool is_empty(const FiloTerm *term) { return term->type == NULL && term->component.id == 0; }

static bool query_is_valid(const FiloObserverDesc *desc, const char *title) {
    if (!FILO_CHECK(desc->type == NULL && desc->component.id == 0,
                    "%s: entities enter and leave a query; leave .type and .component out", title))
        return false;
    for (size_t i = 0; i < FILO_TERMS && !is_empty(&desc->query.terms[i]); i++)
        if (!FILO_CHECK(!desc->query.terms[i].changed,
                        "%s: changed values do not make entities enter or leave; leave .changed out", title))
            return false;
    return true;
}

// NULL after a mistake.
static EcsComponentData *component_of(const FiloWorld *world, const FiloObserverDesc *desc,
                                      const char *title) {
    FiloComponent id = desc->type != NULL ? filo_component_of(world, desc->type) : desc->component;
    EcsComponentData *component = ecs_component_data(world, id);
    if (!FILO_CHECK(is_empty(&desc->query.terms[0]),
                    "%s: components are added, removed and set; leave .query out", title) ||
        !FILO_CHECK(desc->type != NULL || desc->component.id != 0,
                    "%s: say of which component: .type = FILO_TYPE(Position)", title))
        return NULL;
    if (desc->type != NULL) {
        if (!FILO_CHECK_MADE(component != NULL,
                             "%s: component %s is not registered in this world: call %s first", title,
                             desc->type->name, ecs_registering_call(desc->type).text))
            return NULL;
    } else if (!FILO_CHECK_MADE(component != NULL, "%s: component %u is not registered in this world", title,
                                id.id)) {
        return NULL;
    }
    const char *name = component->info.name;
    bool set = (desc->kinds & FILO_OBSERVE_SET) != 0;
    if (!FILO_CHECK(component->global == NULL, "%s: component %s is global: no entity gets or loses it",
                    title, name) ||
        !FILO_CHECK(!set || component->size > 0,
                    "%s: component %s has no data, so nothing is set; ask for added and removed", title,
                    name) ||
        !FILO_CHECK(!set || component->settable,
                    "%s: the world manages component %s, so it is never set; ask for added and removed",
                    title, name))
        return NULL;
    return component;
}

// The number of an observer for its random numbers: a hash of its name and of what it observes, different from that of
// a system with the same name. If another observer has the number already, the hash is combined again.
static uint32_t number_of(const FiloWorld *world, FiloName name, const EcsComponentData *component) {
    uint64_t subject = component != NULL ? filo_hash_text(component->info.name) : 1;
    uint64_t hash =
        filo_hash_combine(filo_hash_combine(filo_name_hash(name), filo_hash_text("observer")), subject);
    for (;; hash = filo_hash_combine(hash, 1)) {
        bool taken = (uint32_t)hash == 0;
        filo_array_each (&world->observers, observer)
            taken = taken || (*observer)->system.number == (uint32_t)hash;
        if (!taken) return (uint32_t)hash;
    }
}

static bool observe_query(EcsObserverData *observer, const FiloObserverDesc *desc) {
    FiloQueryDesc query = desc->query;
    query.tracked = true;
    observer->query =
        ecs_query_create_for(observer->system.world, &query, filo_hash_combine(observer->system.number, 0));
    return observer->query != NULL;
}

static bool observe_component(EcsObserverData *observer, const FiloObserverDesc *desc,
                              EcsComponentData *component) {
    FiloWorld *world = observer->system.world;
    // Notes from before this observer was added are delivered to the others first.
    if (component->watch != NULL && component->watch->notes.count > 0 && !desc->existing)
        filo_world_refresh(world);
    if (!ecs_watch_begin(world, component, desc->kinds)) return false;
    observer->watch = component->watch;
    return true;
}

static void free_observer(EcsObserverData *observer) {
    FiloWorld *world = observer->system.world;
    if (observer->watch != NULL) ecs_watch_end(world, observer->watch, observer->kinds);
    filo_query_release(observer->query);
    ecs_access_free(&observer->system.access, world);
    filo_free(world->allocator, observer, sizeof *observer, 0);
}

static bool prepare(EcsObserverData *observer, FiloWorld *world, const FiloObserverDesc *desc,
                    EcsComponentData *component, const char *title) {
    const char *name = desc->name != NULL ? desc->name : component != NULL ? component->info.name : "query";
    FiloName key = filo_name(name);
    if (key.id == 0) return false;
    observer->system.user = desc->user;
    observer->system.key = key;
    observer->system.name = filo_name_text(key);
    observer->system.number = number_of(world, key, component);
    observer->run = desc->run;
    observer->kinds = desc->kinds;
    observer->existing = observer->reports_existing = desc->existing;
    FiloTerm terms[FILO_TERMS] = { { .component = { component != NULL ? component->id : 0 },
                                     .access = FILO_ACCESS_READ } };
    EcsAccessSet *access = &observer->system.access;
    return ecs_access_declare(access, world, component != NULL ? terms : desc->query.terms, title) &&
           ecs_access_declare(access, world, desc->extra_access, title) &&
           (component != NULL ? observe_component(observer, desc, component) : observe_query(observer, desc));
}

FiloObserver filo_observer_add(FiloWorld *world, const FiloObserverDesc *desc) {
    FiloObserver none = { 0 };
    char title[128];
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world and a description of the observer") ||
        !ecs_may_change(world, "add an observer"))
        return none;
    snprintf(title, sizeof title, "observer \"%s\"", desc->name != NULL ? desc->name : "");
    if (!FILO_CHECK(desc->run != NULL, "%s needs a function to run", title) || !kinds_are_valid(desc, title))
        return none;
    EcsComponentData *component = NULL;
    if ((desc->kinds & OF_QUERIES) != 0) {
        if (!query_is_valid(desc, title)) return none;
    } else {
        component = component_of(world, desc, title);
        if (component == NULL) return none;
    }
    EcsObserverData *observer = filo_alloc_zero(world->allocator, sizeof *observer, 0);
    if (observer == NULL) return none;
    observer->system.world = world;
    if (!prepare(observer, world, desc, component, title) || !filo_array_push(&world->observers, observer)) {
        free_observer(observer);
        return none;
    }
    observer->id = ++world->observer_ids;
    return (FiloObserver){ observer->id };
}

void filo_observer_remove(FiloWorld *world, FiloObserver id) {
    if (!FILO_CHECK(world != NULL, "pass a world") || id.id == 0 ||
        !ecs_may_change(world, "remove an observer"))
        return;
    size_t i = 0;
    while (i < world->observers.count && world->observers.items[i]->id != id.id) i++;
    if (!FILO_CHECK(i < world->observers.count, "this observer was removed already")) return;
    EcsObserverData *observer = world->observers.items[i];
    filo_array_remove(&world->observers, i);
    free_observer(observer);
}

const char *filo_observer_name(const FiloWorld *world, FiloObserver id) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    filo_array_each (&world->observers, observer)
        if ((*observer)->id == id.id) return (*observer)->system.name;
    return NULL;
}

void ecs_observers_deinit(FiloWorld *world) {
    while (world->observers.count > 0) free_observer(world->observers.items[--world->observers.count]);
    filo_array_deinit(&world->observers);
    filo_array_deinit(&world->watches);
}

const void *filo_observed_values_type(const FiloObserved *observed, const FiloType *type) {
    if (!FILO_CHECK(observed != NULL, "pass what the observer was given")) return NULL;
    if (observed->values == NULL) return NULL;
    // The same type may be at another address, if a module was loaded again.
    bool same = observed->type == type || ecs_layout_hash(observed->type) == ecs_layout_hash(type);
    return FILO_CHECK(same, "these are values of %s, not of %s", observed->type->name, type->name)
               ? observed->values
               : NULL;
}
