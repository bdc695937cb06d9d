// From systems to stages.
//
// First the order: by phase, then by `before` and `after`, then by registration. Within a phase it is a topological
// sort that always takes the first registered system without unsorted predecessors. Systems that run together count as
// one, the first of them, and are next to each other in the order. Then the stages: within its
// phase, each system goes into the first stage after those of all earlier systems that it conflicts with or is
// ordered after. The result depends only on what was declared, not on which systems are on: those are selected
// afterwards (ecs_schedule_activate).
//
// State hooks come before all phases, in the same order, and have no stages.

#include "ecs/schedule/schedule.h"
#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>

// Two systems of one phase, by their index in it: `from` comes before `to`.
typedef struct Edge {
    uint32_t from, to;
} Edge;

// The state of sorting one phase.
typedef struct Sorting {
    EcsSystem **systems; // of the phase, in the order of registration; in the end, sorted
    size_t count;
    FiloArray(Edge) edges;
    FiloArray(uint32_t) predecessors; // of each system: how many are not sorted yet, or SORTED
    FiloArray(EcsSystem *) sorted;
    FiloArray(uint32_t) stages; // of the sorted systems
} Sorting;

#define NOT_FOUND UINT32_MAX
#define SORTED    UINT32_MAX // in `predecessors`: the system is in `sorted`

// ---- Names ------------------------------------------------------------------------------------------------

static uint32_t index_of(const Sorting *sorting, FiloName name) {
    for (size_t i = 0; i < sorting->count; i++)
        if (sorting->systems[i]->key.id == name.id) return (uint32_t)i;
    return NOT_FOUND;
}

// The first system that runs together with this one; itself if it runs alone.
static uint32_t leader_of(const Sorting *sorting, uint32_t index) {
    FiloName together = sorting->systems[index]->together;
    if (together.id == 0) return index;
    uint32_t leader = 0;
    while (sorting->systems[leader]->together.id != together.id) leader++;
    return leader;
}

// Systems come in the order of this number. Those with the same number are sorted by sort_phase.
static int64_t rank_of(const EcsSystem *system) {
    return system->phase + (ecs_system_is_state_hook(system) ? 0 : INT64_C(1) << 32);
}

// The system may be added later, or its name is misspelt.
static FILO_COLD void report_unknown(const FiloWorld *world, const EcsSystem *system, FiloName name,
                                     bool before) {
    FiloString wanted = filo_name_string(name);
    char all[256];
    int length = snprintf(all, sizeof all, "%s/%d/%s", system->name, before, wanted.data);
    if (!base_first_time("system", filo_string_from(all, FILO_MIN((size_t)length, sizeof all - 1)))) return;
    BaseSuggestion suggestion = base_suggest(wanted);
    filo_array_each (&world->schedule->systems, other)
        if (*other != system) (void)base_suggest_offer(&suggestion, filo_name_string((*other)->key));
    char meant[BASE_SUGGEST_SIZE];
    filo_log_warn("ecs", "system \"%s\" is to run %s \"%s\", and there is no such system%s", system->name,
                  before ? "before" : "after", wanted.data, base_suggest_print(&suggestion, meant));
}

// `name` is not in the phase of the system. If it is in another phase, the phases must agree with the order.
static FiloResult check_other_phase(const FiloWorld *world, const EcsSystem *system, FiloName name,
                                    bool before) {
    const EcsSystem *other = ecs_system_find(world, filo_system_named(world, filo_name_text(name)));
    if (other == NULL) report_unknown(world, system, name, before);
    if (other == NULL || (before ? rank_of(system) < rank_of(other) : rank_of(system) > rank_of(other)))
        return filo_ok();
    if (ecs_system_is_state_hook(system) != ecs_system_is_state_hook(other))
        return filo_error(FILO_ERROR_ARGUMENT,
                          "system \"%s\" is to run %s \"%s\", but \"%s\" runs when states change, before all "
                          "phases",
                          system->name, before ? "before" : "after", other->name,
                          before ? other->name : system->name);
    return filo_error(FILO_ERROR_ARGUMENT,
                      "system \"%s\" is to run %s \"%s\", but its phase %d comes %s phase %d", system->name,
                      before ? "before" : "after", other->name, system->phase, before ? "after" : "before",
                      other->phase);
}

static FiloResult add_edge(Sorting *sorting, const FiloWorld *world, uint32_t index, FiloName name,
                           bool before) {
    if (name.id == 0) return filo_ok();
    uint32_t other = index_of(sorting, name);
    if (other == NOT_FOUND) return check_other_phase(world, sorting->systems[index], name, before);
    if (other != index && leader_of(sorting, other) == leader_of(sorting, index))
        return filo_error(FILO_ERROR_ARGUMENT, "system \"%s\" is to run %s \"%s\", but they run together",
                          sorting->systems[index]->name, before ? "before" : "after",
                          sorting->systems[other]->name);
    index = leader_of(sorting, index);
    other = leader_of(sorting, other);
    Edge edge = before ? (Edge){ index, other } : (Edge){ other, index };
    if (!filo_array_push(&sorting->edges, edge))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    sorting->predecessors.items[edge.to]++;
    return filo_ok();
}

static FiloResult collect_edges(Sorting *sorting, const FiloWorld *world) {
    filo_array_clear(&sorting->edges);
    filo_array_clear(&sorting->predecessors);
    if (!filo_array_resize(&sorting->predecessors, sorting->count))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    for (size_t i = 0; i < sorting->count; i++)
        for (size_t k = 0; k < FILO_SYSTEM_ORDERS; k++) {
            const EcsSystem *system = sorting->systems[i];
            FiloResult r = add_edge(sorting, world, (uint32_t)i, system->before[k], true);
            if (r.code == FILO_OK) r = add_edge(sorting, world, (uint32_t)i, system->after[k], false);
            if (r.code != FILO_OK) return r;
        }
    return filo_ok();
}

// ---- Order -------------------------------------------------------------------------------------------

static uint32_t unsorted_predecessor(const Sorting *sorting, uint32_t index) {
    for (size_t i = 0; i < sorting->edges.count; i++)
        if (sorting->edges.items[i].to == index &&
            sorting->predecessors.items[sorting->edges.items[i].from] != SORTED)
            return sorting->edges.items[i].from;
    return NOT_FOUND;
}

// All systems that are not sorted wait for each other: going back from any of them leads into a cycle.
static FiloResult describe_cycle(const Sorting *sorting) {
    uint32_t index = 0;
    while (sorting->predecessors.items[index] == SORTED) index++;
    for (size_t i = 0; i < sorting->count; i++)
        index = unsorted_predecessor(sorting, index); // now in the cycle
    uint32_t first = index;
    for (uint32_t i = unsorted_predecessor(sorting, index); i != index; i = unsorted_predecessor(sorting, i))
        first = FILO_MIN(first, i);
    // Going back gives the names from last to first, so each is put before the text.
    char text[FILO_MESSAGE_SIZE * 2] = "", longer[sizeof text];
    index = first;
    do {
        index = unsorted_predecessor(sorting, index);
        snprintf(longer, sizeof longer, "\"%.100s\" before %.300s", sorting->systems[index]->name, text);
        memcpy(text, longer, sizeof text);
    } while (index != first);
    return filo_error(FILO_ERROR_ARGUMENT, "the order of systems has a cycle: %s\"%s\"", text,
                      sorting->systems[first]->name);
}

// `index` is a leader: those that run together with it are added too.
static void add_to_order(Sorting *sorting, uint32_t index) {
    FiloName together = sorting->systems[index]->together;
    for (uint32_t i = index; i < (together.id != 0 ? sorting->count : index + 1); i++)
        if (i == index || sorting->systems[i]->together.id == together.id) {
            sorting->sorted.items[sorting->sorted.count++] = sorting->systems[i];
            sorting->predecessors.items[i] = SORTED;
        }
    for (size_t i = 0; i < sorting->edges.count; i++)
        if (sorting->edges.items[i].from == index) sorting->predecessors.items[sorting->edges.items[i].to]--;
}

static FiloResult sort_phase(Sorting *sorting, const FiloWorld *world) {
    FiloResult r = collect_edges(sorting, world);
    if (r.code != FILO_OK) return r;
    filo_array_clear(&sorting->sorted);
    if (!filo_array_reserve(&sorting->sorted, sorting->count))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    uint32_t first = 0; // all before it are sorted
    while (sorting->sorted.count < sorting->count) {
        while (sorting->predecessors.items[first] == SORTED) first++;
        uint32_t next = first;
        while (next < sorting->count &&
               (sorting->predecessors.items[next] != 0 || leader_of(sorting, next) != next))
            next++;
        if (next == sorting->count) return describe_cycle(sorting);
        add_to_order(sorting, next);
    }
    memcpy(sorting->systems, sorting->sorted.items, sorting->count * sizeof *sorting->systems);
    return filo_ok();
}

// ---- Stages ------------------------------------------------------------------------------------------

static bool contains(const FiloName *list, FiloName name) {
    for (size_t i = 0; i < FILO_SYSTEM_ORDERS; i++)
        if (list[i].id == name.id) return true;
    return false;
}

// Whether `later` must be in a later stage. `component`: the one for which they conflict, 0 if the order was declared.
static bool must_follow(const EcsSystem *later, const EcsSystem *earlier, uint32_t *component) {
    *component = ecs_access_conflict(&later->access, &earlier->access);
    return *component != 0 || contains(later->after, earlier->key) || contains(earlier->before, later->key);
}

// The first stage in which a system may be, after the systems before `end`.
static uint32_t earliest_stage(const Sorting *sorting, size_t index, size_t end) {
    EcsSystem *system = sorting->systems[index];
    uint32_t stage = 0, component;
    system->after_system = NULL;
    system->after_component = 0;
    for (size_t k = 0; k < end; k++) {
        if (sorting->stages.items[k] < stage || !must_follow(system, sorting->systems[k], &component))
            continue;
        stage = sorting->stages.items[k] + 1;
        system->after_system = sorting->systems[k];
        system->after_component = component;
    }
    return stage;
}

// Finds the stage of each system of a phase, counted from 0 in the phase. Returns how many there are; 0 without memory.
static uint32_t find_stages(Sorting *sorting) {
    filo_array_clear(&sorting->stages);
    if (!filo_array_resize(&sorting->stages, sorting->count)) return 0;
    uint32_t stage_count = 0;
    for (size_t first = 0, end; first < sorting->count; first = end) {
        FiloName together = sorting->systems[first]->together;
        uint32_t stage = 0;
        for (end = first; end == first || (end < sorting->count && together.id != 0 &&
                                           sorting->systems[end]->together.id == together.id);
             end++)
            stage = FILO_MAX(stage, earliest_stage(sorting, end, first));
        for (size_t i = first; i < end; i++) sorting->stages.items[i] = stage;
        stage_count = FILO_MAX(stage_count, stage + 1);
    }
    return stage_count;
}

// Appends the stages of a phase to the schedule. Systems of one stage keep their order.
static bool add_stages(EcsSchedule *schedule, Sorting *sorting) {
    uint32_t stage_count = find_stages(sorting);
    if (stage_count == 0) return false;
    for (uint32_t stage = 0; stage < stage_count; stage++) {
        uint32_t number = (uint32_t)schedule->stages.count;
        EcsStage added = { .first = (uint32_t)schedule->order.count, .phase = sorting->systems[0]->phase };
        for (size_t i = 0; i < sorting->count; i++) {
            if (sorting->stages.items[i] != stage) continue;
            EcsSystem *system = sorting->systems[i];
            system->stats.stage = number;
            if (!filo_array_push(&schedule->order, system)) return false;
        }
        added.end = (uint32_t)schedule->order.count;
        if (!filo_array_push(&schedule->stages, added)) return false;
    }
    return true;
}

static bool add_state_hooks(EcsSchedule *schedule, const Sorting *sorting) {
    for (size_t i = 0; i < sorting->count; i++) {
        EcsSystem *system = sorting->systems[i];
        system->stats.stage = UINT32_MAX;
        system->after_system = NULL;
        system->after_component = 0;
        if (!filo_array_push(&schedule->order, system)) return false;
        schedule->state_hook_count++;
    }
    return true;
}

// ---- Systems that are on ----------------------------------------------------------------------------------

void ecs_schedule_activate(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    filo_array_clear(&schedule->active);
    filo_array_each (&schedule->stages, stage) {
        stage->active_first = (uint32_t)schedule->active.count;
        for (uint32_t i = stage->first; i < stage->end; i++) {
            EcsSystem *system = schedule->order.items[i];
            if (ecs_system_is_on(world, system))
                (void)filo_array_push(&schedule->active, system); // cannot fail: `build` reserved memory
        }
        stage->active_end = (uint32_t)schedule->active.count;
    }
    schedule->active_stale = false;
}

// ---- All phases -------------------------------------------------------------------------------------------

// Sorts systems by phase. A stable insertion sort, because they are nearly sorted.
static void sort_by_phase(EcsSystem **systems, size_t count) {
    for (size_t i = 1; i < count; i++) {
        EcsSystem *system = systems[i];
        size_t k = i;
        for (; k > 0 && rank_of(systems[k - 1]) > rank_of(system); k--) systems[k] = systems[k - 1];
        systems[k] = system;
    }
}

static FiloResult build(FiloWorld *world, Sorting *sorting, EcsSystem **systems, size_t count) {
    EcsSchedule *schedule = world->schedule;
    filo_array_clear(&schedule->order);
    filo_array_clear(&schedule->stages);
    schedule->state_hook_count = 0;
    sort_by_phase(systems, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rank_of(systems[end]) == rank_of(systems[first]);) end++;
        sorting->systems = systems + first;
        sorting->count = end - first;
        FiloResult r = sort_phase(sorting, world);
        if (r.code != FILO_OK) return r;
        // Records are applied in this order, which is that of the phase, not that of its stages.
        for (size_t i = first; i < end; i++) systems[i]->source = (uint32_t)i;
        bool added = ecs_system_is_state_hook(systems[first]) ? add_state_hooks(schedule, sorting)
                                                              : add_stages(schedule, sorting);
        if (!added) return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    }
    size_t largest = schedule->state_hook_count > 0; // these run one by one
    for (size_t i = 0; i < schedule->stages.count; i++)
        largest = FILO_MAX(largest, schedule->stages.items[i].end - schedule->stages.items[i].first);
    if (!filo_array_resize(&schedule->work, largest) || !filo_array_resize(&schedule->claims, largest) ||
        !filo_array_reserve(&schedule->active, schedule->order.count))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    schedule->active_stale = true;
    return filo_ok();
}

FiloResult ecs_schedule_resolve(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (!schedule->stale) return schedule->problem;
    Sorting sorting = { 0 };
    FiloArray(EcsSystem *) systems;
    filo_array_init(&systems, world->allocator);
    filo_array_init(&sorting.edges, world->allocator);
    filo_array_init(&sorting.predecessors, world->allocator);
    filo_array_init(&sorting.sorted, world->allocator);
    filo_array_init(&sorting.stages, world->allocator);
    FiloResult r = filo_error(FILO_ERROR_MEMORY, "no memory for the schedule");
    if (filo_array_push_many(&systems, schedule->systems.items, schedule->systems.count))
        r = build(world, &sorting, systems.items, systems.count);
    filo_array_deinit(&systems);
    filo_array_deinit(&sorting.edges);
    filo_array_deinit(&sorting.predecessors);
    filo_array_deinit(&sorting.sorted);
    filo_array_deinit(&sorting.stages);
    if (r.code != FILO_OK) {
        filo_array_clear(&schedule->order);
        filo_array_clear(&schedule->stages);
        schedule->state_hook_count = 0;
    }
    schedule->stale = r.code == FILO_ERROR_MEMORY; // try again the next time
    schedule->problem = r;
    return r;
}
