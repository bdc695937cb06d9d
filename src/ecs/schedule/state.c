// Game states.
//
// A set of states is a global component with the name of the enum. Its type is created here: the current state, the
// previous one, the requested one, and since when. So hashes, snapshots, files and differences include states as they
// do all global components, and files hold states by name. EcsStates follows from the enum and is not a part of the
// world's state.
//
// The schedule reads the component at the beginning of each tick. So a state that was restored or loaded is current,
// but state hooks do not run for it.

#include "base/reflect_value.h"
#include "ecs/entity/value_list.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/tables.h"

#include <inttypes.h>

FILO_REFLECT_MODULE(FiloStateBound, "filo_states(world, …)", FILO_FIELD(FiloName, states),
                    FILO_FIELD(FiloName, state))

// ---- The component ------------------------------------------------------------------------------------------

// The fields of a set's component, in this order.
enum { CURRENT, PREVIOUS, NEXT, SINCE, ENTERED, REQUESTED, RESTART, FIELD_COUNT };

#define VALUE_SIZE 64 // more than four numbers of 8 bytes and three bools

static FiloResult make_type(const FiloType **type, const FiloType *states) {
    FiloField fields[FIELD_COUNT] = {
        [CURRENT] = { .name = "current", .type = states },
        [PREVIOUS] = { .name = "previous", .type = states },
        [NEXT] = { .name = "next", .type = states, .help = "if one is requested" },
        [SINCE] = { .name = "since", .type_function = filo_type_uint64_t, .unit = "ticks" },
        [ENTERED] = { .name = "entered", .type_function = filo_type__Bool },
        [REQUESTED] = { .name = "requested", .type_function = filo_type__Bool },
        [RESTART] = { .name = "restart", .type_function = filo_type__Bool },
    };
    // A command that sets the current state requests it (filo/command.h).
    for (int i = PREVIOUS; i < FIELD_COUNT; i++) fields[i].flags = FILO_FIELD_READ_ONLY;
    return filo_type_create(type, states->name, fields, FIELD_COUNT, NULL);
}

static void release_type(const FiloType *type) { filo_type_destroy(type, NULL); }

static int64_t load(const EcsStates *states, int field) {
    const FiloField *described = &states->component->info.type->fields[field];
    return base_value_load(filo_field_type(described),
                           (const uint8_t *)states->component->global + described->offset);
}

static void store(const EcsStates *states, int field, int64_t value) {
    const FiloField *described = &states->component->info.type->fields[field];
    base_value_store(filo_field_type(described), (uint8_t *)states->component->global + described->offset,
                     value);
}

static void mark_changed(FiloWorld *world, const EcsStates *states) {
    *states->component->version = world->version;
}

// ---- Registering --------------------------------------------------------------------------------------------

// The index of a value in the enum; SIZE_MAX: it has no such value.
static size_t value_index(const FiloType *type, int64_t value) {
    for (size_t i = 0; i < type->value_count; i++)
        if (type->values[i].value == value) return i;
    return SIZE_MAX;
}

const char *ecs_states_value_name(const EcsStates *states, int64_t value) {
    size_t index = value_index(states->type, value);
    return index != SIZE_MAX ? states->type->values[index].name : "?";
}

// The index of the set of an enum; ECS_NO_STATES if it is not registered. By address, then by name: a module that was
// loaded again has its enum at another address.
static uint32_t find(const FiloWorld *world, const FiloType *type) {
    const EcsSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->states.count; i++)
        if (FILO_LIKELY(schedule->states.items[i].type == type)) return (uint32_t)i;
    for (size_t i = 0; type != NULL && i < schedule->states.count; i++)
        if (strcmp(schedule->states.items[i].name_text, type->name) == 0) return (uint32_t)i;
    return ECS_NO_STATES;
}

// The same, with a report if it is not registered.
static uint32_t find_checked(const FiloWorld *world, const FiloType *type) {
    if (!FILO_CHECK(world != NULL && type != NULL, "pass a world and the type of its states") ||
        !ecs_may_read(world))
        return ECS_NO_STATES;
    uint32_t which = find(world, type);
    (void)FILO_CHECK_MADE(which != ECS_NO_STATES,
                          "states %s are not registered in this world: filo_states(world, %s)", type->name,
                          type->name);
    return which;
}

static bool add_states(FiloWorld *world, const FiloType *type, EcsComponentData *component) {
    FiloName name = filo_name(type->name);
    if (name.id == 0) return false;
    EcsStates states = {
        .type = type, .name = name, .name_text = filo_name_text(name), .component = component
    };
    states.scheduled = load(&states, CURRENT);
    world->schedule->active_stale = true;
    return filo_array_push(&world->schedule->states, states);
}

bool ecs_states_copy(FiloWorld *world, const FiloWorld *like) {
    filo_array_each (&like->schedule->states, states)
        if (!add_states(world, states->type, world->components.items[states->component->id - 1]))
            return false;
    return true;
}

static bool desc_is_valid(const FiloStatesDesc *desc) {
    const FiloType *type = desc->type;
    return FILO_CHECK(type != NULL && type->kind == FILO_KIND_ENUM && type->value_count > 0,
                      "states are a described enum: FILO_REFLECT_ENUM(Screen, …), then filo_states(world, "
                      "Screen)") &&
           FILO_CHECK(desc->initial == 0 || value_index(type, desc->initial) != SIZE_MAX,
                      "states %s cannot begin with %" PRId64 ", which is none of them", type->name,
                      desc->initial);
}

// The component of an enum, registered now or before; NULL without memory or after a mistake.
static EcsComponentData *register_component(FiloWorld *world, const FiloStatesDesc *desc) {
    const FiloType *type;
    FiloResult r = make_type(&type, desc->type);
    if (r.code != FILO_OK) return NULL;
    FILO_ASSERT(type->size <= VALUE_SIZE, "VALUE_SIZE is large enough");
    _Alignas(8) uint8_t default_value[VALUE_SIZE] = { 0 };
    bool has_zero = value_index(desc->type, 0) != SIZE_MAX;
    int64_t value = desc->initial == 0 && !has_zero ? desc->type->values[0].value : desc->initial;
    for (int field = CURRENT; field <= NEXT; field++)
        base_value_store(desc->type, default_value + type->fields[field].offset, value);
    FiloComponent component =
        filo_component_register(world, &(FiloComponentDesc){ .type = type,
                                                             .storage = FILO_STORAGE_GLOBAL,
                                                             .default_value = default_value,
                                                             .release = release_type });
    if (component.id == 0) release_type(type);
    return ecs_component_data(world, component);
}

bool filo_states_register(FiloWorld *world, const FiloStatesDesc *desc) {
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world and a description of the states") ||
        !desc_is_valid(desc) || !ecs_may_change(world, "register states"))
        return false;
    uint32_t which = find(world, desc->type);
    if (which != ECS_NO_STATES && world->schedule->states.items[which].type == desc->type) return true;
    if (filo_component(world, FiloStateBound).id == 0 ||
        !filo_component_complete(world, FILO_TYPE(FiloStateBound)))
        return false;
    EcsComponentData *component = register_component(world, desc);
    if (component == NULL) return false;
    if (which == ECS_NO_STATES) return add_states(world, desc->type, component);
    world->schedule->states.items[which].type = desc->type; // at its new address
    return true;
}

// ---- Reading ------------------------------------------------------------------------------------------------

int64_t filo_world_state_type(const FiloWorld *world, const FiloType *type) {
    uint32_t which = find_checked(world, type);
    return which != ECS_NO_STATES ? load(&world->schedule->states.items[which], CURRENT) : 0;
}

int64_t filo_world_previous_state_type(const FiloWorld *world, const FiloType *type) {
    uint32_t which = find_checked(world, type);
    return which != ECS_NO_STATES ? load(&world->schedule->states.items[which], PREVIOUS) : 0;
}

int64_t filo_world_next_state_type(const FiloWorld *world, const FiloType *type) {
    uint32_t which = find_checked(world, type);
    if (which == ECS_NO_STATES) return 0;
    const EcsStates *states = &world->schedule->states.items[which];
    if (states->changing) return states->next;
    return load(states, load(states, REQUESTED) != 0 ? NEXT : CURRENT);
}

uint64_t filo_world_state_ticks_type(const FiloWorld *world, const FiloType *type) {
    uint32_t which = find_checked(world, type);
    if (which == ECS_NO_STATES) return 0;
    const EcsStates *states = &world->schedule->states.items[which];
    uint64_t since = (uint64_t)load(states, SINCE); // may be anything, if it is from a file
    return load(states, ENTERED) != 0 && since <= world->tick ? world->tick - since : 0;
}

// ---- Requests -----------------------------------------------------------------------------------------------

static void request(FiloWorld *world, uint32_t which, int64_t value) {
    const EcsStates *states = &world->schedule->states.items[which];
    store(states, NEXT, value);
    store(states, REQUESTED, true);
    store(states, RESTART, false);
    mark_changed(world, states);
}

static void request_restart(FiloWorld *world, uint32_t which, int64_t value) {
    request(world, which, value);
    store(&world->schedule->states.items[which], RESTART, true);
}

static uint32_t find_with_value(const FiloWorld *world, const FiloType *type, int64_t value) {
    uint32_t which = find_checked(world, type);
    if (which == ECS_NO_STATES) return which;
    bool valid = FILO_CHECK(value_index(world->schedule->states.items[which].type, value) != SIZE_MAX,
                            "states %s have no value %" PRId64, type->name, value);
    return valid ? which : ECS_NO_STATES;
}

static bool request_now(FiloWorld *world, const FiloType *type, int64_t value, bool restart) {
    uint32_t which = find_with_value(world, type, value);
    if (which == ECS_NO_STATES ||
        !FILO_CHECK(!ecs_is_running(world) && world->schedule->state == ECS_TICK_NONE,
                    "inside a system, request a state of %s by its change set: it->changes", type->name))
        return false;
    (restart ? request_restart : request)(world, which, value);
    return true;
}

static bool record_request(FiloChanges *changes, const FiloType *type, int64_t value, bool restart) {
    if (!ecs_changes_are_valid(changes)) return false;
    uint32_t which = find_with_value(filo_changes_world(changes), type, value);
    return which != ECS_NO_STATES &&
           ecs_changes_record(changes, &(EcsWorldChange){ .apply = restart ? request_restart : request,
                                                          .value = value,
                                                          .which = which });
}

bool filo_world_set_state_type(FiloWorld *world, const FiloType *type, int64_t state) {
    return request_now(world, type, state, false);
}
bool filo_changes_set_state_type(FiloChanges *changes, const FiloType *type, int64_t state) {
    return record_request(changes, type, state, false);
}
bool filo_world_restart_state_type(FiloWorld *world, const FiloType *type, int64_t state) {
    return request_now(world, type, state, true);
}
bool filo_changes_restart_state_type(FiloChanges *changes, const FiloType *type, int64_t state) {
    return record_request(changes, type, state, true);
}

// ---- States of systems --------------------------------------------------------------------------------------

bool ecs_state_list_make(EcsStateList *list, const FiloWorld *world, const FiloStateTerm *terms,
                         const char *subject) {
    for (size_t i = 0; i < FILO_SYSTEM_STATES; i++) {
        const FiloStateTerm *term = &terms[i];
        if (term->type == NULL && term->type_function == NULL) break;
        const FiloType *type = term->type != NULL ? term->type : term->type_function();
        uint32_t which = find(world, type);
        if (!FILO_CHECK_MADE(which != ECS_NO_STATES, "%s: register the states %s before, with filo_states",
                             subject, type->name) ||
            !FILO_CHECK(value_index(type, term->value) != SIZE_MAX, "%s: states %s have no value %" PRId64,
                        subject, type->name, term->value))
            return false;
        list->items[list->count++] = (EcsStateItem){ .value = term->value, .states = which };
    }
    return true;
}

// A hypothetical state of one set; the others are as they are.
typedef struct Assumed {
    const EcsStates *states; // NULL: none is assumed
    bool none;               // the set has no state at all
    int64_t value;
} Assumed;

static bool is_current(const EcsSchedule *schedule, const EcsStateItem *item, const Assumed *assumed) {
    const EcsStates *states = &schedule->states.items[item->states];
    if (states == assumed->states) return !assumed->none && assumed->value == item->value;
    return load(states, CURRENT) == item->value;
}

// Each set in the list must have one of its states in the list.
static bool holds(const EcsSchedule *schedule, const EcsStateList *list, const Assumed *assumed) {
    for (uint32_t i = 0; i < list->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < list->count && !found; k++)
            found = list->items[k].states == list->items[i].states &&
                    is_current(schedule, &list->items[k], assumed);
        if (!found) return false;
    }
    return true;
}

bool ecs_state_list_holds(const FiloWorld *world, const EcsStateList *list) {
    return list->count == 0 || holds(world->schedule, list, &(Assumed){ 0 });
}

static bool list_names(const EcsSchedule *schedule, const EcsStateList *list, const EcsStates *states) {
    for (uint32_t i = 0; i < list->count; i++)
        if (&schedule->states.items[list->items[i].states] == states) return true;
    return false;
}

// ---- Bound entities -----------------------------------------------------------------------------------------

FiloStateBound filo_state_bound(const FiloType *type, const int64_t *states, size_t count) {
    FiloStateBound bound = { 0 };
    if (!FILO_CHECK(type != NULL && type->kind == FILO_KIND_ENUM && states != NULL && count > 0,
                    "bind an entity to the states of a described enum") ||
        !FILO_CHECK(count <= FILO_BOUND_STATES, "an entity is bound to %d states at most, not to %zu",
                    FILO_BOUND_STATES, count))
        return bound;
    for (size_t i = 0; i < count; i++) {
        size_t index = value_index(type, states[i]);
        if (!FILO_CHECK(index != SIZE_MAX, "states %s have no value %" PRId64, type->name, states[i]))
            return (FiloStateBound){ 0 };
        bound.state[i] = filo_name(type->values[index].name);
    }
    bound.states = filo_name(type->name);
    return bound;
}

// An entity that is bound to states that the world does not have would stay for ever. Zeroes are the result of a mistake
// that was reported.
static bool has_states(const FiloWorld *world, FiloName name) {
    const EcsSchedule *schedule = world->schedule;
    for (size_t i = 0; i < schedule->states.count; i++)
        if (schedule->states.items[i].name.id == name.id) return true;
    return FILO_CHECK_MADE(
        name.id == 0,
        "cannot bind an entity to states %s, which are not registered in this world: filo_states(world, %s)",
        filo_name_text(name), filo_name_text(name));
}

bool ecs_bound_is_valid(const FiloWorld *world, const FiloComponentValue *listed) {
    if (FILO_LIKELY(listed->component_type != filo_type_FiloStateBound) || listed->value == NULL) return true;
    return has_states(world, ((const FiloStateBound *)listed->value)->states);
}

// {0}, with a report, if no states are registered.
static FiloComponent bound_component(const FiloWorld *world, const FiloStateBound *bound) {
    FiloComponent component = filo_component_of(world, FILO_TYPE(FiloStateBound));
    if (component.id != 0 && !has_states(world, bound->states)) return (FiloComponent){ 0 };
    (void)FILO_CHECK_MADE(component.id != 0,
                          "register states before an entity is bound to one: filo_states(world, "
                          "Screen)");
    return component;
}

bool filo_entity_bind_state(FiloWorld *world, FiloEntity entity, FiloStateBound bound) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    FiloComponent component = bound_component(world, &bound);
    return component.id != 0 && filo_entity_set(world, entity, component, &bound);
}

bool filo_changes_bind_state(FiloChanges *changes, FiloEntity entity, FiloStateBound bound) {
    if (!ecs_changes_are_valid(changes)) return false;
    FiloComponent component = bound_component(filo_changes_world(changes), &bound);
    return component.id != 0 && filo_changes_set(changes, entity, component, &bound);
}

static bool has_name(const FiloStateBound *bound, FiloName name) {
    for (size_t i = 0; i < FILO_BOUND_STATES; i++)
        if (bound->state[i].id == name.id) return true;
    return false;
}

// Whether an entity is a prefab, or a part of one.
static bool is_of_prefab(const FiloWorld *world, FiloEntity entity) {
    for (; entity.id != 0; entity = filo_entity_parent(world, entity))
        if (ecs_holder_get(world, world->prefab, entity) != NULL) return true;
    return false;
}

// The bound entities that a change of a set destroys: those that are bound to `from` and not to `to`; if `to` is {0},
// all that are bound to `from`.
typedef struct Leaving {
    FiloWorld *world;
    FiloChanges changes;
    FiloName states, from, to;
} Leaving;

static void destroy_bound_rows(Leaving *leaving, const EcsPartition *partition, uint32_t column) {
    const FiloWorld *world = leaving->world;
    for (uint32_t row = 0; row < ecs_partition_count(partition); row++) {
        uint8_t *base = partition->chunks[row / partition->chunk_rows].base;
        uint32_t at = row % partition->chunk_rows;
        const FiloStateBound *bound =
            (const FiloStateBound *)(const void *)ecs_chunk_column(partition, base, column) + at;
        if (bound->states.id != leaving->states.id || !has_name(bound, leaving->from) ||
            (leaving->to.id != 0 && has_name(bound, leaving->to)))
            continue;
        FiloEntity entity = ecs_entity_of_index(world, ecs_chunk_indices(partition, base)[at]);
        if (!partition->inactive || !is_of_prefab(world, entity))
            (void)filo_changes_destroy_entity(&leaving->changes, entity);
    }
}

// Destroys the entities that are bound to the current state of a set, unless they are bound to the next one too and
// this is no restart.
static void destroy_bound(FiloWorld *world, const EcsStates *states) {
    const EcsComponentData *component =
        ecs_component_data(world, filo_component_of(world, FILO_TYPE(FiloStateBound)));
    Leaving leaving = { .world = world, .states = states->name };
    leaving.from = filo_name(ecs_states_value_name(states, load(states, CURRENT)));
    if (!states->restart) leaving.to = filo_name(ecs_states_value_name(states, states->next));
    ecs_changes_open(&leaving.changes, world, 0, 0);
    filo_array_each (&component->tables, table)
        for (int i = 0; i < 2; i++)
            destroy_bound_rows(&leaving, &(*table)->partitions[i], ecs_table_column(*table, component->id));
    bool any = leaving.changes.set != NULL;
    ecs_changes_close(&leaving.changes);
    if (any) ecs_apply_and_observe(world);
}

// ---- Changing -----------------------------------------------------------------------------------------------

// Runs the state hooks of a change of one set. Leaving: those whose list `on_leave` holds before and not after.
// Entering: those whose list `on_enter` holds after and not before.
static void run_state_hooks(FiloWorld *world, const EcsStates *states, bool leaving, Assumed before,
                            Assumed after) {
    const EcsSchedule *schedule = world->schedule;
    for (uint32_t i = 0; i < schedule->state_hook_count; i++) {
        EcsSystem *system = schedule->order.items[i];
        const EcsStateList *list = leaving ? &system->on_leave : &system->on_enter;
        if (!list_names(schedule, list, states)) continue;
        if (holds(schedule, list, leaving ? &before : &after) &&
            !holds(schedule, list, leaving ? &after : &before))
            ecs_run_alone(world, system);
    }
}

static void change(FiloWorld *world, EcsStates *states) {
    bool entered = load(states, ENTERED) != 0;
    Assumed before = { .states = states, .none = !entered, .value = load(states, CURRENT) };
    Assumed after = { .states = states, .value = states->next };
    // In a restart, the set has no state at all between the two.
    Assumed between = { .states = states, .none = true };
    if (entered) {
        run_state_hooks(world, states, true, before, states->restart ? between : after);
        destroy_bound(world, states);
    }
    store(states, PREVIOUS, before.value);
    store(states, CURRENT, states->next);
    store(states, SINCE, (int64_t)world->tick);
    store(states, ENTERED, true);
    mark_changed(world, states);
    states->changing = false;
    run_state_hooks(world, states, false, states->restart ? between : before, after);
}

// Takes the request of a set. Later requests are for the next tick. False if there is nothing to change.
static bool take_request(FiloWorld *world, EcsStates *states) {
    bool requested = load(states, REQUESTED) != 0, entered = load(states, ENTERED) != 0;
    if (FILO_LIKELY(!requested && entered)) return false;
    states->next = load(states, requested ? NEXT : CURRENT);
    states->restart = load(states, RESTART) != 0;
    states->changing = !entered || states->restart || states->next != load(states, CURRENT);
    store(states, REQUESTED, false);
    store(states, RESTART, false);
    mark_changed(world, states);
    return states->changing;
}

void ecs_states_change(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    bool any = false;
    for (size_t i = 0; i < schedule->states.count; i++)
        any = take_request(world, &schedule->states.items[i]) || any;
    for (size_t i = 0; any && i < schedule->states.count; i++)
        if (schedule->states.items[i].changing) change(world, &schedule->states.items[i]);
    for (size_t i = 0; i < schedule->states.count; i++) {
        EcsStates *states = &schedule->states.items[i];
        int64_t current = load(states, CURRENT);
        if (FILO_LIKELY(states->scheduled == current)) continue;
        states->scheduled = current;
        schedule->active_stale = true;
    }
}
