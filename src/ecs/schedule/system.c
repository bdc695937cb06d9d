// The registry of systems: adding, removing, finding, and what each declared.
//
// A system lies in memory of its own, since iterators point to it. Its id is a slot and a generation: low 16
// bits slot + 1, high 16 bits generation, so an id is recognised as old after its slot was used again.

#include <filo/check.h>
#include <filo/hash.h>

#include "ecs/changes/changes.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/component.h"
#include "ecs/storage/components.h"
#include "ecs/world.h"

#include <stdio.h>

#define SLOT_BITS 16
#define SLOT_MASK ((1u << SLOT_BITS) - 1)

// ---- What a system declares -------------------------------------------------------------------------------

static bool term_ends(const FiloTerm *term) { return term->type == NULL && term->component.id == 0; }

// The component of a term; NULL after the last term, and with a report for one that is not registered. `who`
// declares it.
static EcsComponentData *term_component(const FiloWorld *world, const FiloTerm *term, const char *who) {
    if (term_ends(term)) return NULL;
    FiloComponent component = term->component;
    if (component.id == 0) component = filo_component_of(world, term->type());
    EcsComponentData *data = ecs_component_data(world, component);
    if (data == NULL && term->type != NULL)
        (void)FILO_CHECK_MADE(data != NULL, "%s: register the component %s before, with filo_component", who,
                              term->type()->name);
    else
        (void)FILO_CHECK_MADE(data != NULL, "%s: there is no component %u in this world", who, component.id);
    return data;
}

static bool grow(EcsAccessSet *set, const FiloWorld *world) {
    uint32_t count = (uint32_t)FILO_BITS_WORDS(world->components.count + 1);
    if (count == set->word_count) return true;
    FILO_ASSERT(set->words == NULL, "all of a system is declared at once");
    set->words = filo_alloc_zero(world->allocator, (size_t)2 * count * sizeof *set->words, 0);
    if (set->words == NULL) return false;
    set->word_count = count;
    return true;
}

void ecs_access_free(EcsAccessSet *set, const FiloWorld *world) {
    filo_free(world->allocator, set->words, (size_t)2 * set->word_count * sizeof *set->words, 0);
    *set = (EcsAccessSet){ 0 };
}

// What a term does to its component. To see whether it changed is to read.
static FiloAccess term_access(const FiloTerm *term) {
    return term->changed && term->access == FILO_ACCESS_NONE ? FILO_ACCESS_READ : term->access;
}

bool ecs_access_declare(EcsAccessSet *set, const FiloWorld *world, const FiloTerm *terms, const char *who) {
    if (!grow(set, world)) return false;
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&terms[i]); i++) {
        EcsComponentData *component = term_component(world, &terms[i], who);
        if (component == NULL) return false;
        uint64_t bit = UINT64_C(1) << component->id % 64;
        if (term_access(&terms[i]) >= FILO_ACCESS_READ) set->words[component->id / 64] |= bit;
        if (term_access(&terms[i]) == FILO_ACCESS_WRITE)
            set->words[component->id / 64 + set->word_count] |= bit;
    }
    return true;
}

uint32_t ecs_access_conflict(const EcsAccessSet *a, const EcsAccessSet *b) {
    uint32_t count = FILO_MIN(a->word_count, b->word_count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t both =
            (a->words[i] & b->words[i + b->word_count]) | (a->words[i + a->word_count] & b->words[i]);
        if (both != 0) return i * 64 + (uint32_t)__builtin_ctzll(both);
    }
    return 0;
}

// ---- What a description must not say -----------------------------------------------------------------

static bool is_global(const EcsComponentData *component) {
    return component->info.storage == FILO_STORAGE_GLOBAL;
}

static bool has_entity_terms(const FiloWorld *world, const FiloQueryDesc *query) {
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&query->terms[i]); i++)
        if (!is_global(term_component(world, &query->terms[i], ""))) return true;
    return false;
}

// Whether no entity can match both: one rejects what the other requires.
static bool rejects_other(const FiloWorld *world, const FiloQueryDesc *a, const FiloQueryDesc *b) {
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&a->terms[i]); i++) {
        if (a->terms[i].kind != FILO_TERM_REJECTED || a->terms[i].from_parent) continue;
        const EcsComponentData *component = term_component(world, &a->terms[i], "");
        for (size_t k = 0; k < FILO_TERMS && !term_ends(&b->terms[k]); k++)
            if (b->terms[k].kind == FILO_TERM_REQUIRED && !b->terms[k].from_parent &&
                term_component(world, &b->terms[k], "") == component)
                return true;
    }
    return false;
}

static bool disjoint(const FiloWorld *world, const FiloQueryDesc *a, const FiloQueryDesc *b) {
    return rejects_other(world, a, b) || rejects_other(world, b, a) ||
           (a->activity != b->activity && a->activity != FILO_ANY_ACTIVITY &&
            b->activity != FILO_ANY_ACTIVITY);
}

// Parts of a parallel system run at once, so what one writes for its rows must not be what another looks at.
static bool parts_are_independent(const FiloWorld *world, const FiloSystemDesc *desc, const char *who) {
    EcsAccessSet rows = { 0 }; // what is written for the rows
    if (!ecs_access_declare(&rows, world, desc->query.terms, who)) return false;
    bool good = true;
    for (size_t i = 0; i < FILO_TERMS && !term_ends(&desc->query.terms[i]) && good; i++) {
        const FiloTerm *term = &desc->query.terms[i];
        const EcsComponentData *component = term_component(world, term, who);
        good = FILO_CHECK(
                   !is_global(component) || term->access != FILO_ACCESS_WRITE,
                   "%s: its parts run at once, so they cannot all write the one %s; do not make it parallel",
                   who, component->info.name) &&
               FILO_CHECK(
                   !term->from_parent || !ecs_access_has(&rows, component->id, true),
                   "%s: its parts run at once, so one would read %s of a parent while another writes it; do "
                   "not make it parallel",
                   who, component->info.name);
    }
    for (size_t q = 0; q < FILO_SYSTEM_QUERIES && good; q++) {
        bool apart = disjoint(world, &desc->query, &desc->extra_queries[q]);
        for (size_t i = 0; i < FILO_TERMS && !term_ends(&desc->extra_queries[q].terms[i]) && good; i++) {
            const FiloTerm *term = &desc->extra_queries[q].terms[i];
            const EcsComponentData *component = term_component(world, term, who);
            good =
                FILO_CHECK(
                    term->access != FILO_ACCESS_WRITE,
                    "%s: its parts run at once, so they cannot all write %s in a further query; do not "
                    "make it parallel",
                    who, component->info.name) &&
                FILO_CHECK(apart || term_access(term) == FILO_ACCESS_NONE ||
                               !ecs_access_has(&rows, component->id, true),
                           "%s: its parts run at once, so one would read %s in a further query while another "
                           "writes it; keep the entities apart with FILO_WITHOUT, or do not make it parallel",
                           who, component->info.name);
        }
    }
    ecs_access_free(&rows, world);
    return good;
}

static bool is_named(const FiloStateTerm *term) { return term->type != NULL || term->type_function != NULL; }

static bool desc_is_good(FiloWorld *world, const FiloSystemDesc *desc) {
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
               desc->every <= 1 || (!is_named(&desc->on_enter[0]) && !is_named(&desc->on_leave[0])),
               "system \"%s\": it runs when a state is entered or left, not in every n-th tick; choose "
               ".every or .on_enter and .on_leave",
               name);
}

// ---- Making and freeing ------------------------------------------------------------------------------

static bool is_asked_for(const FiloQueryDesc *query) {
    return !term_ends(&query->terms[0]) || query->activity != FILO_ACTIVE || query->tracked;
}

static bool declare_all(FiloSystem *system, const FiloSystemDesc *desc) {
    char who[128];
    snprintf(who, sizeof who, "system \"%s\"", desc->name);
    FiloWorld *world = system->world;
    if (!ecs_access_declare(&system->access, world, desc->query.terms, who) ||
        !ecs_access_declare(&system->access, world, desc->extra_access, who))
        return false;
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++)
        if (!ecs_access_declare(&system->access, world, desc->extra_queries[i].terms, who)) return false;
    bool rows = has_entity_terms(world, &desc->query);
    system->whole = desc->once || !rows;
    if (!desc->parallel) return true;
    return FILO_CHECK(rows, "%s: without terms for entities it has no rows; do not make it parallel", who) &&
           parts_are_independent(world, desc, who);
}

// The n-th query. Who came and went is counted from when the system last ran, so a tracked query is its own.
static FiloQuery *make_query(FiloSystem *system, const FiloQueryDesc *desc, uint64_t n) {
    if (!desc->tracked) return filo_query_create(system->world, desc);
    system->tracked = true;
    return ecs_query_create_for(system->world, desc, filo_hash_combine(system->number, n));
}

static bool make_queries(FiloSystem *system, const FiloSystemDesc *desc) {
    system->query = make_query(system, &desc->query, 0);
    if (system->query == NULL) return false;
    system->on_change = system->whole && !desc->once && system->query->changed;
    system->may_idle = !system->whole;
    for (uint32_t i = 0; i < system->query->term_count; i++) {
        const EcsQueryTerm *term = &system->query->terms[i];
        if (term->source == ECS_SOURCE_GLOBAL && term->access == FILO_ACCESS_WRITE) system->may_idle = false;
    }
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++) {
        if (!is_asked_for(&desc->extra_queries[i])) continue;
        system->extra_queries[i] = make_query(system, &desc->extra_queries[i], i + 1);
        if (system->extra_queries[i] == NULL) return false;
    }
    return true;
}

static bool make_names(FiloSystem *system, const FiloSystemDesc *desc) {
    system->key = filo_name(desc->name);
    if (system->key.id == 0) return false;
    system->name = filo_name_text(system->key); // profiles keep the pointer, longer than the system lives
    uint32_t number = (uint32_t)filo_name_hash(system->key);
    system->number = number != 0 ? number : 1;
    for (size_t i = 0; i < FILO_SYSTEM_ORDERS; i++) {
        if (desc->before[i] != NULL && (system->before[i] = filo_name(desc->before[i])).id == 0) return false;
        if (desc->after[i] != NULL && (system->after[i] = filo_name(desc->after[i])).id == 0) return false;
    }
    return true;
}

static bool make_switches(FiloSystem *system, const FiloSystemDesc *desc) {
    char who[128];
    snprintf(who, sizeof who, "system \"%s\"", desc->name);
    FiloWorld *world = system->world;
    if (!ecs_state_list_make(&system->in_state, world, desc->in_state, who) ||
        !ecs_state_list_make(&system->on_enter, world, desc->on_enter, who) ||
        !ecs_state_list_make(&system->on_leave, world, desc->on_leave, who))
        return false;
    for (size_t i = 0; i < FILO_SYSTEM_GROUPS && desc->groups[i] != NULL; i++) {
        if (!FILO_CHECK(desc->groups[i][0] != 0, "%s: a group needs a name", who)) return false;
        uint32_t group = ecs_group_number(world, desc->groups[i]);
        if (group == ECS_NO_GROUP) return false;
        system->groups[system->group_count++] = group;
    }
    return true;
}

static void free_system(FiloSystem *system) {
    FiloWorld *world = system->world;
    filo_query_release(system->query);
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++) filo_query_release(system->extra_queries[i]);
    ecs_access_free(&system->access, world);
    filo_free(world->allocator, system, sizeof *system, 0);
}

static FiloSystem *make_system(FiloWorld *world, const FiloSystemDesc *desc) {
    FiloSystem *system = filo_alloc_zero(world->allocator, sizeof *system, 0);
    if (system == NULL) return NULL;
    system->world = world;
    system->run = desc->run;
    system->user = desc->user;
    system->condition = desc->condition;
    system->every = desc->every;
    system->offset = desc->offset;
    system->phase = desc->phase;
    system->enabled = !desc->disabled;
    system->parallel = desc->parallel;
    system->main_thread = desc->main_thread;
    system->end = desc->end;
    system->row_cost_ns = 1; // a guess, until it was measured
    if (declare_all(system, desc) && make_names(system, desc) && make_queries(system, desc) &&
        make_switches(system, desc))
        return system;
    free_system(system);
    return NULL;
}

// ---- The registry ------------------------------------------------------------------------------------

// A slot for a system, and room in the list; false without memory.
static bool take_slot(EcsSchedule *schedule, FiloSystem *system) {
    size_t slot = 0;
    while (slot < schedule->slots.count && schedule->slots.items[slot].system != NULL) slot++;
    if (!FILO_CHECK(slot < SLOT_MASK, "a world has at most %u systems", SLOT_MASK)) return false;
    if (slot == schedule->slots.count && !filo_array_push(&schedule->slots, (EcsSystemSlot){ 0 }))
        return false;
    if (!filo_array_push(&schedule->systems, system)) return false;
    schedule->slots.items[slot].system = system;
    system->id = schedule->slots.items[slot].generation << SLOT_BITS | (uint32_t)(slot + 1);
    return true;
}

FiloSystemId filo_system_add(FiloWorld *world, const FiloSystemDesc *desc) {
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world, and describe the system"))
        return (FiloSystemId){ 0 };
    if (!ecs_may_change(world, "add a system") || !desc_is_good(world, desc)) return (FiloSystemId){ 0 };
    FiloSystem *system = make_system(world, desc);
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

static void remove_system(FiloWorld *world, FiloSystem *system) {
    EcsSchedule *schedule = world->schedule;
    void (*end)(FiloWorld *, void *) = system->end;
    system->end = NULL; // not again, if it removes itself
    if (end != NULL) {
        FiloSystemId id = { system->id };
        end(world, system->user);
        if (ecs_system_find(world, id) == NULL) return;
    }
    EcsSystemSlot *slot = &schedule->slots.items[(system->id & SLOT_MASK) - 1];
    slot->system = NULL;
    slot->generation = (slot->generation + 1) & SLOT_MASK;
    for (size_t i = 0; i < schedule->systems.count; i++)
        if (schedule->systems.items[i] == system) {
            filo_array_remove(&schedule->systems, i);
            break;
        }
    schedule->stale = true;
    filo_array_clear(&schedule->order); // it points to the system
    filo_array_clear(&schedule->active);
    filo_array_clear(&schedule->stages);
    schedule->state_hook_count = 0;
    free_system(system);
}

void filo_system_remove(FiloWorld *world, FiloSystemId id) {
    if (id.id == 0 || !ecs_may_change(world, "remove a system")) return;
    FiloSystem *system = ecs_system_find(world, id);
    if (!FILO_CHECK(system != NULL, "this system was removed already")) return;
    remove_system(world, system);
}

FiloSystem *ecs_system_find(const FiloWorld *world, FiloSystemId id) {
    const EcsSchedule *schedule = world->schedule;
    size_t slot = (size_t)(id.id & SLOT_MASK) - 1;
    if (slot >= schedule->slots.count) return NULL;
    FiloSystem *system = schedule->slots.items[slot].system;
    return system != NULL && system->id == id.id ? system : NULL;
}

FiloSystemId filo_system_named(const FiloWorld *world, const char *name) {
    FiloName key = filo_name_find(filo_string(name));
    if (key.id == 0) return (FiloSystemId){ 0 };
    for (size_t i = 0; i < world->schedule->systems.count; i++)
        if (world->schedule->systems.items[i]->key.id == key.id)
            return (FiloSystemId){ world->schedule->systems.items[i]->id };
    return (FiloSystemId){ 0 };
}

FiloSystemId filo_system_at(const FiloWorld *world, size_t n) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloSystemId){ 0 };
    const EcsSchedule *schedule = world->schedule;
    return (FiloSystemId){ n < schedule->systems.count ? schedule->systems.items[n]->id : 0 };
}

bool filo_world_needs_main_thread(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    const EcsSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->systems.count; i++)
        if (schedule->systems.items[i]->main_thread &&
            ecs_system_is_enabled(world, schedule->systems.items[i]))
            return true;
    return false;
}

bool ecs_system_is_enabled(const FiloWorld *world, const FiloSystem *system) {
    for (uint32_t i = 0; i < system->group_count; i++)
        if (world->schedule->groups.items[system->groups[i]].off) return false;
    return system->enabled;
}

bool ecs_system_is_on(const FiloWorld *world, const FiloSystem *system) {
    return ecs_system_is_enabled(world, system) && ecs_state_list_holds(world, &system->in_state);
}

const char *filo_system_name(const FiloWorld *world, FiloSystemId id) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    const FiloSystem *system = ecs_system_find(world, id);
    return system != NULL ? system->name : NULL;
}

void filo_system_set_enabled(FiloWorld *world, FiloSystemId id, bool enabled) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    FiloSystem *system = ecs_system_find(world, id);
    if (!FILO_CHECK(system != NULL, "there is no such system: it was removed, or never added")) return;
    if (!FILO_CHECK(world->schedule->state == ECS_TICK_NONE,
                    "system \"%s\": switch it on and off between ticks; inside one, use a condition",
                    system->name))
        return;
    system->enabled = enabled;
    world->schedule->active_stale = true;
}

bool filo_system_enabled(const FiloWorld *world, FiloSystemId id) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    const FiloSystem *system = ecs_system_find(world, id);
    return system != NULL && system->enabled;
}

FiloSystemStats filo_system_stats(const FiloWorld *world, FiloSystemId id) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloSystemStats){ 0 };
    const FiloSystem *system = ecs_system_find(world, id);
    if (system == NULL) return (FiloSystemStats){ 0 };
    (void)ecs_schedule_resolve(system->world); // says in which stage it is
    return system->stats;
}

void filo_world_measure(FiloWorld *world, bool on) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    world->measuring = on;
    for (size_t i = 0; i < world->schedule->systems.count && !on; i++)
        world->schedule->systems.items[i]->stats.last_ns = 0;
}

// ---- With the world ----------------------------------------------------------------------------------

bool ecs_schedule_init(FiloWorld *world) {
    EcsSchedule *schedule = filo_alloc_zero(world->allocator, sizeof *schedule, _Alignof(EcsSchedule));
    if (schedule == NULL) return false;
    filo_array_init(&schedule->slots, world->allocator);
    filo_array_init(&schedule->systems, world->allocator);
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

void ecs_schedule_end(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    ecs_world_handlers_deinit(world);
    while (schedule->systems.count > 0)
        remove_system(world, schedule->systems.items[schedule->systems.count - 1]);
}

void ecs_schedule_deinit(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (schedule == NULL) return;
    ecs_schedule_end(world);
    filo_array_deinit(&schedule->slots);
    filo_array_deinit(&schedule->systems);
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
