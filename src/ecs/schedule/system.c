// The registry of systems.
//
// Each system is an allocation of its own, because iterators point to it. Its id is a slot and a generation: low 16
// bits slot + 1, high 16 bits generation. So an old id is recognised after its slot was used again.

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"

#include <filo/hash.h>

#include <stdio.h>

#define SLOT_BITS 16
#define SLOT_MASK ((1u << SLOT_BITS) - 1)

// ---- Descriptions ----------------------------------------------------------------------------------------

static bool names_state(const FiloStateTerm *term) {
    return term->type != NULL || term->type_function != NULL;
}

static bool desc_is_valid(FiloWorld *world, const FiloSystemDesc *desc) {
    const char *name = desc->name;
    if (!FILO_CHECK(name != NULL && name[0] != 0, "a system needs a name")) return false;
    return FILO_CHECK(desc->run != NULL, "system \"%s\" needs a function to run", name) &&
           FILO_CHECK(filo_system_named(world, name).id == 0,
                      "there is a system \"%s\" already: names are unique", name) &&
           FILO_CHECK(!desc->parallel || !desc->once,
                      "system \"%s\": one that is called once has no parts; choose .once or .parallel",
                      name) &&
           FILO_CHECK(
               !desc->parallel || !desc->main_thread,
               "system \"%s\": on one thread parts cannot run at once; choose .main_thread or .parallel",
               name) &&
           FILO_CHECK(desc->offset < FILO_MAX(desc->every, 1u),
                      "system \"%s\" would never run: .offset must be less than .every", name) &&
           FILO_CHECK(
               desc->every <= 1 || (!names_state(&desc->on_enter[0]) && !names_state(&desc->on_leave[0])),
               "system \"%s\": it runs when a state is entered or left, not in every n-th tick; choose "
               ".every or .on_enter and .on_leave",
               name);
}

// ---- Making and freeing ------------------------------------------------------------------------------

static bool is_declared(const FiloQueryDesc *query) {
    return query->terms[0].type != NULL || query->terms[0].component.id != 0 ||
           query->activity != FILO_ACTIVE || query->tracked;
}

static bool declare_all(EcsSystem *system, const FiloSystemDesc *desc) {
    char subject[128];
    snprintf(subject, sizeof subject, "system \"%s\"", desc->name);
    FiloWorld *world = system->world;
    if (!ecs_access_declare_rows(&system->access, world, desc->query.terms, subject) ||
        !ecs_access_declare(&system->access, world, desc->extra_access, subject))
        return false;
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++)
        if (!ecs_access_declare(&system->access, world, desc->extra_queries[i].terms, subject)) return false;
    system->writes_next = system->access.next;
    if (desc->together != NULL &&
        !ecs_access_declare_parted(&system->rows, &system->others, world, desc, subject))
        return false;
    if (system->writes_next && !ecs_access_next_is_valid(&system->access, world, desc->query.terms, subject))
        return false;
    bool rows = ecs_access_has_rows(world, &desc->query);
    system->whole = desc->once || !rows;
    if (!desc->parallel) return true;
    return FILO_CHECK(rows, "%s: without terms for entities it has no rows; do not make it parallel",
                      subject) &&
           ecs_access_parts_are_independent(world, desc, subject);
}

// The n-th query. A tracked query is not shared, because what entered and left it counts from the system's last run.
static FiloQuery *make_query(EcsSystem *system, const FiloQueryDesc *desc, uint64_t n) {
    if (!desc->tracked) return ecs_query_create_for(system->world, desc, 0);
    system->tracked = true;
    return ecs_query_create_for(system->world, desc, filo_hash_combine(system->number, n));
}

static bool make_queries(EcsSystem *system, const FiloSystemDesc *desc) {
    system->query = make_query(system, &desc->query, 0);
    if (system->query == NULL) return false;
    system->on_change = system->whole && !desc->once && system->query->changed;
    system->skip_if_empty = !system->whole;
    for (uint32_t i = 0; i < system->query->term_count; i++) {
        const EcsQueryTerm *term = &system->query->terms[i];
        if (term->source == ECS_SOURCE_GLOBAL && term->access == FILO_ACCESS_WRITE)
            system->skip_if_empty = false;
    }
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++) {
        if (!is_declared(&desc->extra_queries[i])) continue;
        system->extra_queries[i] = make_query(system, &desc->extra_queries[i], i + 1);
        if (system->extra_queries[i] == NULL) return false;
    }
    return true;
}

static bool make_names(EcsSystem *system, const FiloSystemDesc *desc) {
    system->key = filo_name(desc->name);
    if (system->key.id == 0) return false;
    system->name = filo_name_text(system->key); // profiles use the pointer after the system is gone
    uint32_t number = (uint32_t)filo_name_hash(system->key);
    system->number = number != 0 ? number : 1;
    if (desc->together != NULL && (system->together = filo_name(desc->together)).id == 0) return false;
    for (size_t i = 0; i < FILO_SYSTEM_ORDERS; i++) {
        if (desc->before[i] != NULL && (system->before[i] = filo_name(desc->before[i])).id == 0) return false;
        if (desc->after[i] != NULL && (system->after[i] = filo_name(desc->after[i])).id == 0) return false;
    }
    return true;
}

static bool make_switches(EcsSystem *system, const FiloSystemDesc *desc) {
    char subject[128];
    snprintf(subject, sizeof subject, "system \"%s\"", desc->name);
    FiloWorld *world = system->world;
    if (!ecs_state_list_make(&system->in_state, world, desc->in_state, subject) ||
        !ecs_state_list_make(&system->on_enter, world, desc->on_enter, subject) ||
        !ecs_state_list_make(&system->on_leave, world, desc->on_leave, subject))
        return false;
    for (size_t i = 0; i < FILO_SYSTEM_GROUPS && desc->groups[i] != NULL; i++) {
        if (!FILO_CHECK(desc->groups[i][0] != 0, "%s: a group needs a name", subject)) return false;
        uint32_t group = ecs_group_number(world, desc->groups[i]);
        if (group == ECS_NO_GROUP) return false;
        system->groups[system->group_count++] = group;
    }
    return true;
}

static void free_system(EcsSystem *system) {
    FiloWorld *world = system->world;
    filo_query_release(system->query);
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++) filo_query_release(system->extra_queries[i]);
    ecs_access_free(&system->access, world);
    ecs_access_free(&system->rows, world);
    ecs_access_free(&system->others, world);
    filo_free(world->allocator, system, sizeof *system, 0);
}

static EcsSystem *make_system(FiloWorld *world, const FiloSystemDesc *desc) {
    EcsSystem *system = filo_alloc_zero(world->allocator, sizeof *system, 0);
    if (system == NULL) return NULL;
    system->world = world;
    system->run = desc->run;
    system->user = desc->user;
    system->condition = desc->condition;
    system->every = desc->every;
    system->offset = desc->offset;
    system->phase = desc->phase;
    system->enabled = !desc->disabled;
    system->parallel = system->may_be_parallel = desc->parallel;
    system->main_thread = desc->main_thread;
    system->end = desc->end;
    system->row_cost_ns = 1; // until it is measured
    if (declare_all(system, desc) && make_names(system, desc) && make_queries(system, desc) &&
        make_switches(system, desc) && (desc->together == NULL || ecs_together_is_valid(world, system)))
        return system;
    free_system(system);
    return NULL;
}

// ---- The registry ------------------------------------------------------------------------------------

// Adds a system to the registry. False without memory.
static bool take_slot(EcsSchedule *schedule, EcsSystem *system) {
    size_t slot = schedule->used_slots;
    while (slot < schedule->slots.count && schedule->slots.items[slot].system != NULL) slot++;
    schedule->used_slots = slot;
    if (!FILO_CHECK(slot < SLOT_MASK, "a world has at most %u systems", SLOT_MASK)) return false;
    if (slot == schedule->slots.count && !filo_array_push(&schedule->slots, (EcsSystemSlot){ 0 }))
        return false;
    system->id = schedule->slots.items[slot].generation << SLOT_BITS | (uint32_t)(slot + 1);
    if (!filo_map_set(&schedule->by_name, filo_name_hash(system->key), &system->id)) return false;
    if (!filo_array_push(&schedule->systems, system)) {
        filo_map_remove(&schedule->by_name, filo_name_hash(system->key));
        return false;
    }
    schedule->next_systems += system->writes_next;
    schedule->together_systems += system->together.id != 0;
    schedule->slots.items[slot].system = system;
    return true;
}

FiloSystemId filo_system_add(FiloWorld *world, const FiloSystemDesc *desc) {
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world, and describe the system"))
        return (FiloSystemId){ 0 };
    if (!ecs_may_change(world, "add a system") || !desc_is_valid(world, desc)) return (FiloSystemId){ 0 };
    EcsSystem *system = make_system(world, desc);
    if (system == NULL) return (FiloSystemId){ 0 };
    if (!take_slot(world->schedule, system)) {
        free_system(system);
        return (FiloSystemId){ 0 };
    }
    world->schedule->stale = true;
    FiloSystemId id = { system->id };
    if (desc->start != NULL) desc->start(world, desc->user);
    return id;
}

static void remove_system(FiloWorld *world, EcsSystem *system) {
    EcsSchedule *schedule = world->schedule;
    void (*end)(FiloWorld *, void *) = system->end;
    system->end = NULL; // `end` may remove the system
    if (end != NULL) {
        FiloSystemId id = { system->id };
        end(world, system->user);
        if (ecs_system_find(world, id) == NULL) return;
    }
    EcsSystemSlot *slot = &schedule->slots.items[(system->id & SLOT_MASK) - 1];
    slot->system = NULL;
    slot->generation = (slot->generation + 1) & SLOT_MASK;
    schedule->used_slots = FILO_MIN(schedule->used_slots, (size_t)(slot - schedule->slots.items));
    filo_map_remove(&schedule->by_name, filo_name_hash(system->key));
    size_t last = schedule->systems.count - 1; // a world removes the last one first
    while (schedule->systems.items[last] != system) last--;
    filo_array_remove(&schedule->systems, last);
    schedule->next_systems -= system->writes_next;
    schedule->together_systems -= system->together.id != 0;
    schedule->stale = true;
    filo_array_clear(&schedule->order); // points to the system
    filo_array_clear(&schedule->active);
    filo_array_clear(&schedule->stages);
    schedule->state_hook_count = 0;
    free_system(system);
}

void filo_system_remove(FiloWorld *world, FiloSystemId id) {
    if (id.id == 0 || !FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, "remove a system"))
        return;
    EcsSystem *system = ecs_system_find(world, id);
    if (!FILO_CHECK(system != NULL, "this system was removed already")) return;
    remove_system(world, system);
}

EcsSystem *ecs_system_find(const FiloWorld *world, FiloSystemId id) {
    const EcsSchedule *schedule = world->schedule;
    size_t slot = (size_t)(id.id & SLOT_MASK) - 1;
    if (slot >= schedule->slots.count) return NULL;
    EcsSystem *system = schedule->slots.items[slot].system;
    return system != NULL && system->id == id.id ? system : NULL;
}

FiloSystemId filo_system_named(const FiloWorld *world, const char *name) {
    if (!FILO_CHECK(world != NULL && name != NULL, "pass a world and the name of a system"))
        return (FiloSystemId){ 0 };
    FiloString wanted = filo_string(name); // filo_name_find would keep what is asked for
    const uint32_t *id = filo_map_get(&world->schedule->by_name, filo_hash(wanted.data, wanted.length));
    return (FiloSystemId){ id != NULL ? *id : 0 };
}

FiloSystemId filo_system_at(const FiloWorld *world, size_t n) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloSystemId){ 0 };
    const EcsSchedule *schedule = world->schedule;
    return (FiloSystemId){ n < schedule->systems.count ? schedule->systems.items[n]->id : 0 };
}

// Whether a system and its groups are switched on.
static bool is_enabled(const FiloWorld *world, const EcsSystem *system) {
    for (uint32_t i = 0; i < system->group_count; i++)
        if (world->schedule->groups.items[system->groups[i]].off) return false;
    return system->enabled;
}

bool filo_world_needs_main_thread(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    const EcsSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->systems.count; i++)
        if (schedule->systems.items[i]->main_thread && is_enabled(world, schedule->systems.items[i]))
            return true;
    return false;
}

bool ecs_system_is_on(const FiloWorld *world, const EcsSystem *system) {
    return is_enabled(world, system) && ecs_state_list_holds(world, &system->in_state);
}

const char *filo_system_name(const FiloWorld *world, FiloSystemId id) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    const EcsSystem *system = ecs_system_find(world, id);
    return system != NULL ? system->name : NULL;
}

void filo_system_set_enabled(FiloWorld *world, FiloSystemId id, bool enabled) {
    if (!ecs_may_read(world)) return;
    EcsSystem *system = ecs_system_find(world, id);
    if (!FILO_CHECK(system != NULL, "there is no such system: it was removed, or never added")) return;
    if (!FILO_CHECK(world->schedule->state == ECS_TICK_NONE,
                    "system \"%s\": switch it on and off between ticks; inside one, use a condition",
                    system->name))
        return;
    system->enabled = enabled;
    world->schedule->active_stale = true;
}

bool filo_system_enabled(const FiloWorld *world, FiloSystemId id) {
    if (!ecs_may_read(world)) return false;
    const EcsSystem *system = ecs_system_find(world, id);
    return system != NULL && system->enabled;
}

void filo_system_set_parallel(FiloWorld *world, FiloSystemId id, bool parallel) {
    if (!ecs_may_read(world)) return;
    EcsSystem *system = ecs_system_find(world, id);
    if (!FILO_CHECK(system != NULL, "there is no such system: it was removed, or never added") ||
        !FILO_CHECK(world->schedule->state == ECS_TICK_NONE,
                    "system \"%s\": choose between ticks whether its parts run at once", system->name) ||
        !FILO_CHECK(!parallel || system->may_be_parallel,
                    "system \"%s\" was not added with .parallel, so its parts may depend on each other",
                    system->name))
        return;
    system->parallel = parallel;
}

FiloSystemStats filo_system_stats(const FiloWorld *world, FiloSystemId id) {
    if (!ecs_may_read(world)) return (FiloSystemStats){ 0 };
    const EcsSystem *system = ecs_system_find(world, id);
    if (system == NULL) return (FiloSystemStats){ 0 };
    (void)ecs_schedule_resolve(system->world); // sets the stage
    return system->stats;
}

void filo_world_measure(FiloWorld *world, bool on) {
    if (!ecs_may_read(world)) return;
    world->measuring = on;
    for (size_t i = 0; i < world->schedule->systems.count && !on; i++)
        world->schedule->systems.items[i]->stats.last_ns = 0;
}

FiloQuery *filo_iter_extra_query(const FiloIter *it, unsigned n) {
    const EcsSystem *system = ecs_iter(it)->system;
    if (!FILO_CHECK(system != NULL, "extra queries are those of a system: use this inside its function"))
        return NULL;
    if (!FILO_CHECK(n < FILO_SYSTEM_QUERIES && system->extra_queries[n] != NULL,
                    "system \"%s\" has no extra query %u: declare it in .extra_queries", system->name, n))
        return NULL;
    return system->extra_queries[n];
}

// ---- With the world ----------------------------------------------------------------------------------

bool ecs_schedule_init(FiloWorld *world) {
    EcsSchedule *schedule = filo_alloc_zero(world->allocator, sizeof *schedule, _Alignof(EcsSchedule));
    if (schedule == NULL) return false;
    filo_array_init(&schedule->slots, world->allocator);
    filo_array_init(&schedule->systems, world->allocator);
    filo_map_init(&schedule->by_name, sizeof(uint32_t), world->allocator);
    filo_array_init(&schedule->handlers, world->allocator);
    filo_array_init(&schedule->order, world->allocator);
    filo_array_init(&schedule->stages, world->allocator);
    filo_array_init(&schedule->work, world->allocator);
    filo_array_init(&schedule->claims, world->allocator);
    filo_array_init(&schedule->active, world->allocator);
    filo_array_init(&schedule->groups, world->allocator);
    filo_array_init(&schedule->states, world->allocator);
    ecs_changes_open(&schedule->call_changes, world, 0, 0);
    world->schedule = schedule;
    return true;
}

void ecs_schedule_deinit(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (schedule == NULL) return;
    ecs_world_handlers_deinit(world);
    while (schedule->systems.count > 0)
        remove_system(world, schedule->systems.items[schedule->systems.count - 1]);
    filo_array_deinit(&schedule->slots);
    filo_array_deinit(&schedule->systems);
    filo_map_deinit(&schedule->by_name);
    filo_array_deinit(&schedule->handlers);
    filo_array_deinit(&schedule->order);
    filo_array_deinit(&schedule->stages);
    filo_array_deinit(&schedule->work);
    filo_array_deinit(&schedule->claims);
    filo_array_deinit(&schedule->active);
    filo_array_deinit(&schedule->groups);
    filo_array_deinit(&schedule->states);
    filo_free(world->allocator, schedule, sizeof *schedule, _Alignof(EcsSchedule));
    world->schedule = NULL;
}
