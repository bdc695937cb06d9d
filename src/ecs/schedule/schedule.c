// From systems to stages.
//
// First the order: by phase, then by `before` and `after`, then by registration. Within a phase each system gets a
// rank: that of its registration, but with `before` directly ahead of the first system that it names. Then a
// topological sort takes, again and again, the system of the lowest rank without unsorted predecessors. So a further
// system never changes the order of two others, unless `before` and `after` lead over it. Systems that run together
// count as one, the first of them, their leader, and are next to each other in the order. Changes are applied in this
// order, at the end of the phase.
//
// Then the stages: within its phase, each system goes into the first stage after those of all earlier systems that it
// conflicts with or is ordered after. For each component the latest stages that use it, and that write it, are stored,
// so no two systems are compared, and the time grows with the number of declarations.
//
// The result depends only on what was declared, not on which systems are on: those are selected afterwards
// (ecs_schedule_activate). State hooks come before all phases, in the same order, and have no stages.

#include "ecs/schedule/schedule.h"
#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>
#include <stdlib.h>

#define NONE   UINT32_MAX // no system, no edge
#define SORTED UINT32_MAX // in `predecessors`: the system is in the order

// `from` comes before `to`. Both are indices of systems.
typedef struct Edge {
    uint32_t from, to;
    uint32_t next_from, next_to; // the next edge with the same leader of `from`, and of `to`
    bool before;                 // declared by `from`
} Edge;

// A system of the phase. Of those that run together only the leader has edges and a rank.
typedef struct Node {
    uint32_t leader, next_member, last_member;
    uint32_t first_from, first_to, last_to; // edges from it, and to it
    uint32_t predecessors;                  // that are not sorted yet, or SORTED
    uint32_t rank, cursor;                  // cursor: the next edge to it, while ranks are computed
    uint32_t stage;                         // counted from 0 in the phase
    bool ranked;
} Node;

// The latest stage that uses a component, counted from 1 in the phase, and the first system in it. 0: none.
typedef struct Latest {
    uint32_t stage, position; // in the order
} Latest;
typedef struct Uses {
    Latest used, written; // used: read or written; written: also the next value
} Uses;

// The state of sorting one phase. Systems are numbered by registration, and in the order by position.
typedef struct Sorting {
    EcsSystem **systems; // of the phase, in the order of registration
    size_t count;
    FiloMap by_name, leaders; // from names of systems, and of those that run together, to indices
    FiloArray(Node) nodes;    // as `systems`
    FiloArray(Edge) edges;
    FiloArray(uint32_t) by_rank;   // leaders
    FiloArray(uint32_t) waiting;   // a stack of leaders, then a binary heap of ranks
    FiloArray(uint32_t) order;     // all systems
    FiloArray(EcsSystem *) sorted; // the same
    FiloArray(Uses) uses;          // by component
} Sorting;

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "no memory for the schedule"); }

static Node *leader_of(const Sorting *sorting, uint32_t index) {
    return &sorting->nodes.items[sorting->nodes.items[index].leader];
}

// ---- Names ------------------------------------------------------------------------------------------------

static uint32_t found(const FiloMap *map, FiloName name) {
    const uint32_t *index = filo_map_get(map, name.id);
    return index != NULL ? *index : NONE;
}

static bool add_node(Sorting *sorting, uint32_t index) {
    const EcsSystem *system = sorting->systems[index];
    uint32_t leader = system->together.id != 0 ? found(&sorting->leaders, system->together) : index;
    if (leader == NONE) {
        leader = index;
        if (!filo_map_set(&sorting->leaders, system->together.id, &index)) return false;
    }
    sorting->nodes.items[index] = (Node){ .leader = leader,
                                          .next_member = NONE,
                                          .last_member = index,
                                          .first_from = NONE,
                                          .first_to = NONE,
                                          .last_to = NONE };
    if (leader != index) {
        Node *first = &sorting->nodes.items[leader];
        sorting->nodes.items[first->last_member].next_member = index;
        first->last_member = index;
    }
    return filo_map_set(&sorting->by_name, system->key.id, &index);
}

static bool add_nodes(Sorting *sorting) {
    filo_map_clear(&sorting->by_name);
    filo_map_clear(&sorting->leaders);
    if (!filo_array_resize(&sorting->nodes, sorting->count)) return false;
    for (uint32_t i = 0; i < sorting->count; i++)
        if (!add_node(sorting, i)) return false;
    return true;
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

static bool push_edge(Sorting *sorting, Edge edge) {
    uint32_t number = (uint32_t)sorting->edges.count;
    Node *from = leader_of(sorting, edge.from), *to = leader_of(sorting, edge.to);
    edge.next_from = from->first_from;
    edge.next_to = NONE;
    if (!filo_array_push(&sorting->edges, edge)) return false;
    from->first_from = number;
    *(to->last_to != NONE ? &sorting->edges.items[to->last_to].next_to : &to->first_to) = number;
    to->last_to = number;
    to->predecessors++;
    return true;
}

static FiloResult add_edge(Sorting *sorting, const FiloWorld *world, uint32_t index, FiloName name,
                           bool before) {
    if (name.id == 0) return filo_ok();
    uint32_t other = found(&sorting->by_name, name);
    if (other == NONE) return check_other_phase(world, sorting->systems[index], name, before);
    if (other != index && leader_of(sorting, other) == leader_of(sorting, index))
        return filo_error(FILO_ERROR_ARGUMENT, "system \"%s\" is to run %s \"%s\", but they run together",
                          sorting->systems[index]->name, before ? "before" : "after",
                          sorting->systems[other]->name);
    Edge edge = { .from = before ? index : other, .to = before ? other : index, .before = before };
    return push_edge(sorting, edge) ? filo_ok() : no_memory();
}

static FiloResult collect_edges(Sorting *sorting, const FiloWorld *world) {
    filo_array_clear(&sorting->edges);
    for (size_t i = 0; i < sorting->count; i++)
        for (size_t k = 0; k < FILO_SYSTEM_ORDERS; k++) {
            const EcsSystem *system = sorting->systems[i];
            FiloResult r = add_edge(sorting, world, (uint32_t)i, system->before[k], true);
            if (r.code == FILO_OK) r = add_edge(sorting, world, (uint32_t)i, system->after[k], false);
            if (r.code != FILO_OK) return r;
        }
    return filo_ok();
}

// ---- Ranks ------------------------------------------------------------------------------------------------

// The next system without a rank that is declared to be before the one at `index`; NONE if there is no other.
static uint32_t next_before(const Sorting *sorting, uint32_t index) {
    Node *node = &sorting->nodes.items[index];
    while (node->cursor != NONE) {
        const Edge *edge = &sorting->edges.items[node->cursor];
        uint32_t leader = sorting->nodes.items[edge->from].leader;
        node->cursor = edge->next_to;
        if (edge->before && !sorting->nodes.items[leader].ranked) return leader;
    }
    return NONE;
}

static void begin_rank(Sorting *sorting, uint32_t index) {
    Node *node = &sorting->nodes.items[index];
    node->ranked = true;
    node->cursor = node->first_to;
    sorting->waiting.items[sorting->waiting.count++] = index;
}

// Gives a rank to a system, and before that to those that are declared to be before it.
static void rank_from(Sorting *sorting, uint32_t index) {
    begin_rank(sorting, index);
    while (sorting->waiting.count > 0) {
        uint32_t last = sorting->waiting.items[sorting->waiting.count - 1];
        uint32_t before = next_before(sorting, last);
        if (before != NONE) {
            begin_rank(sorting, before);
            continue;
        }
        sorting->waiting.count--;
        sorting->nodes.items[last].rank = (uint32_t)sorting->by_rank.count;
        sorting->by_rank.items[sorting->by_rank.count++] = last;
    }
}

// ---- Order -------------------------------------------------------------------------------------------

static uint32_t unsorted_predecessor(const Sorting *sorting, uint32_t index) {
    for (uint32_t i = sorting->nodes.items[index].first_to; i != NONE; i = sorting->edges.items[i].next_to)
        if (leader_of(sorting, sorting->edges.items[i].from)->predecessors != SORTED)
            return sorting->nodes.items[sorting->edges.items[i].from].leader;
    return NONE;
}

// All systems that are not sorted wait for each other: going back from any of them leads into a cycle.
static FiloResult describe_cycle(const Sorting *sorting) {
    uint32_t index = 0;
    while (leader_of(sorting, index)->predecessors == SORTED) index++;
    index = sorting->nodes.items[index].leader;
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

// A binary heap, the lowest rank first. There is memory for all.
static void push_ready(Sorting *sorting, uint32_t rank) {
    uint32_t *heap = sorting->waiting.items;
    size_t at = sorting->waiting.count++;
    for (; at > 0 && heap[(at - 1) / 2] > rank; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = rank;
}

static uint32_t pop_ready(Sorting *sorting) {
    uint32_t *heap = sorting->waiting.items, first = heap[0];
    size_t count = --sorting->waiting.count, at = 0;
    uint32_t rank = heap[count];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= rank) break;
        heap[at] = heap[child];
    }
    heap[at] = rank;
    return first;
}

// `index` is a leader: those that run together with it are added too.
static void add_to_order(Sorting *sorting, uint32_t index) {
    Node *nodes = sorting->nodes.items;
    for (uint32_t i = index; i != NONE; i = nodes[i].next_member) {
        sorting->order.items[sorting->order.count++] = i;
        sorting->sorted.items[sorting->sorted.count++] = sorting->systems[i];
    }
    nodes[index].predecessors = SORTED;
    for (uint32_t i = nodes[index].first_from; i != NONE; i = sorting->edges.items[i].next_from) {
        Node *to = leader_of(sorting, sorting->edges.items[i].to);
        if (to->predecessors != SORTED && --to->predecessors == 0) push_ready(sorting, to->rank);
    }
}

static FiloResult sort_phase(Sorting *sorting, const FiloWorld *world) {
    if (!add_nodes(sorting)) return no_memory();
    FiloResult r = collect_edges(sorting, world);
    if (r.code != FILO_OK) return r;
    filo_array_clear(&sorting->by_rank);
    filo_array_clear(&sorting->waiting);
    filo_array_clear(&sorting->order);
    filo_array_clear(&sorting->sorted);
    if (!filo_array_reserve(&sorting->by_rank, sorting->count) ||
        !filo_array_reserve(&sorting->waiting, sorting->count) ||
        !filo_array_reserve(&sorting->order, sorting->count) ||
        !filo_array_reserve(&sorting->sorted, sorting->count))
        return no_memory();
    for (uint32_t i = 0; i < sorting->count; i++)
        if (sorting->nodes.items[i].leader == i && !sorting->nodes.items[i].ranked) rank_from(sorting, i);
    for (uint32_t rank = 0; rank < sorting->by_rank.count; rank++)
        if (sorting->nodes.items[sorting->by_rank.items[rank]].predecessors == 0) push_ready(sorting, rank);
    while (sorting->waiting.count > 0) add_to_order(sorting, sorting->by_rank.items[pop_ready(sorting)]);
    return sorting->order.count < sorting->count ? describe_cycle(sorting) : filo_ok();
}

// ---- Stages ------------------------------------------------------------------------------------------

// Why a system is not in an earlier stage: the first of the latest that it must follow.
typedef struct Reason {
    Latest latest;
    uint32_t component; // 0: the order was declared
} Reason;

static void must_follow(Reason *reason, Latest latest, uint32_t component) {
    if (latest.stage < reason->latest.stage ||
        (latest.stage == reason->latest.stage && latest.position >= reason->latest.position))
        return;
    *reason = (Reason){ latest, component };
}

// Those that write a component follow all that use it, those that read it all that write it, and those that write its
// next value all that write it or its next value: see ecs_access_conflict.
static void follow_access(const Sorting *sorting, const EcsAccessSet *access, Reason *reason) {
    for (uint32_t word = 0; word < access->word_count; word++) {
        uint64_t used = access->words[word], written = access->words[word + access->word_count];
        uint64_t next = access->words[word + (size_t)2 * access->word_count];
        for (uint64_t bits = used | next; bits != 0; bits &= bits - 1) {
            uint32_t component = word * 64 + (uint32_t)__builtin_ctzll(bits);
            const Uses *uses = &sorting->uses.items[component];
            must_follow(reason, uses->written, component);
            if ((written & bits & -bits) != 0) must_follow(reason, uses->used, component);
        }
    }
}

static void note(Latest *latest, uint32_t stage, uint32_t position) {
    if (stage > latest->stage) *latest = (Latest){ stage, position };
}

static void note_access(const Sorting *sorting, const EcsAccessSet *access, uint32_t stage,
                        uint32_t position) {
    for (uint32_t word = 0; word < access->word_count; word++) {
        uint64_t used = access->words[word], written = access->words[word + access->word_count];
        uint64_t next = access->words[word + (size_t)2 * access->word_count];
        for (uint64_t bits = used | next; bits != 0; bits &= bits - 1) {
            uint64_t bit = bits & -bits;
            Uses *uses = &sorting->uses.items[word * 64 + (uint32_t)__builtin_ctzll(bits)];
            if ((used & bit) != 0) note(&uses->used, stage + 1, position);
            if (((written | next) & bit) != 0) note(&uses->written, stage + 1, position);
        }
    }
}

// The first stage in which the system at a position may be, of all that it runs together with.
static uint32_t earliest_stage(const Sorting *sorting, uint32_t position) {
    uint32_t index = sorting->order.items[position];
    EcsSystem *system = sorting->systems[index];
    Reason reason = { 0 };
    follow_access(sorting, &system->access, &reason);
    for (uint32_t i = leader_of(sorting, index)->first_to; i != NONE; i = sorting->edges.items[i].next_to) {
        const Edge *edge = &sorting->edges.items[i];
        const Node *from = &sorting->nodes.items[edge->from];
        if (edge->to == index) must_follow(&reason, (Latest){ from->stage + 1, from->rank }, 0);
    }
    system->after_system = reason.latest.stage > 0 ? sorting->sorted.items[reason.latest.position] : NULL;
    system->after_component = reason.component;
    return reason.latest.stage;
}

// Finds the stage of each system of a phase. Returns how many there are; 0 without memory.
static uint32_t find_stages(Sorting *sorting, const FiloWorld *world) {
    filo_array_clear(&sorting->uses);
    if (!filo_array_resize(&sorting->uses, world->components.count + 1)) return 0;
    Node *nodes = sorting->nodes.items;
    uint32_t stage_count = 0;
    for (uint32_t first = 0, end; first < sorting->count; first = end) {
        uint32_t leader = nodes[sorting->order.items[first]].leader, stage = 0;
        for (end = first; end < sorting->count && nodes[sorting->order.items[end]].leader == leader; end++)
            stage = FILO_MAX(stage, earliest_stage(sorting, end));
        for (uint32_t i = first; i < end; i++) {
            Node *node = &nodes[sorting->order.items[i]];
            node->stage = stage;
            node->rank = i; // from here on its position
            note_access(sorting, &sorting->sorted.items[i]->access, stage, i);
        }
        stage_count = FILO_MAX(stage_count, stage + 1);
    }
    return stage_count;
}

// Appends the stages of a phase to the schedule. Systems of one stage keep their order.
static bool add_stages(EcsSchedule *schedule, Sorting *sorting, const FiloWorld *world) {
    uint32_t stage_count = find_stages(sorting, world);
    uint32_t first = (uint32_t)schedule->order.count, first_stage = (uint32_t)schedule->stages.count;
    if (stage_count == 0 || !filo_array_resize(&schedule->order, first + sorting->count) ||
        !filo_array_resize(&schedule->stages, first_stage + stage_count))
        return false;
    EcsStage *stages = schedule->stages.items + first_stage;
    for (uint32_t i = 0; i < stage_count; i++) stages[i] = (EcsStage){ .phase = sorting->systems[0]->phase };
    for (size_t i = 0; i < sorting->count; i++) stages[sorting->nodes.items[i].stage].end++;
    for (uint32_t i = 0, end = first; i < stage_count; i++) {
        stages[i].first = end;
        end += stages[i].end;
        stages[i].end = stages[i].first;
    }
    for (size_t i = 0; i < sorting->count; i++) {
        uint32_t stage = sorting->nodes.items[sorting->order.items[i]].stage;
        schedule->order.items[stages[stage].end++] = sorting->sorted.items[i];
        sorting->sorted.items[i]->stats.stage = first_stage + stage;
    }
    stages[stage_count - 1].ends_phase = true;
    return true;
}

static bool add_state_hooks(EcsSchedule *schedule, const Sorting *sorting) {
    for (size_t i = 0; i < sorting->count; i++) {
        EcsSystem *system = sorting->sorted.items[i];
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

// A system, to be sorted by phase and registration.
typedef struct Ranked {
    EcsSystem *system;
    size_t registered;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *one = a, *other = b;
    int64_t ranks[] = { rank_of(one->system), rank_of(other->system) };
    if (ranks[0] != ranks[1]) return ranks[0] < ranks[1] ? -1 : 1;
    return one->registered < other->registered ? -1 : 1;
}

// All systems by phase, those of a phase in the order of registration. False without memory.
static bool sort_by_phase(const FiloWorld *world, EcsSystem **systems) {
    const EcsSchedule *schedule = world->schedule;
    size_t count = schedule->systems.count, size = count * sizeof(Ranked);
    Ranked *ranked = filo_alloc(world->allocator, size, 0);
    if (ranked == NULL) return count == 0;
    for (size_t i = 0; i < count; i++) ranked[i] = (Ranked){ schedule->systems.items[i], i };
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++) systems[i] = ranked[i].system;
    filo_free(world->allocator, ranked, size, 0);
    return true;
}

static FiloResult build(FiloWorld *world, Sorting *sorting, EcsSystem **systems, size_t count) {
    EcsSchedule *schedule = world->schedule;
    filo_array_clear(&schedule->order);
    filo_array_clear(&schedule->stages);
    schedule->state_hook_count = 0;
    if (!sort_by_phase(world, systems)) return no_memory();
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rank_of(systems[end]) == rank_of(systems[first]);) end++;
        sorting->systems = systems + first;
        sorting->count = end - first;
        FiloResult r = sort_phase(sorting, world);
        if (r.code != FILO_OK) return r;
        for (size_t i = first; i < end; i++) sorting->sorted.items[i - first]->source = (uint32_t)i;
        bool added = ecs_system_is_state_hook(systems[first]) ? add_state_hooks(schedule, sorting)
                                                              : add_stages(schedule, sorting, world);
        if (!added) return no_memory();
    }
    size_t largest = schedule->state_hook_count > 0; // these run one by one
    for (size_t i = 0; i < schedule->stages.count; i++)
        largest = FILO_MAX(largest, schedule->stages.items[i].end - schedule->stages.items[i].first);
    if (!filo_array_resize(&schedule->work, largest) || !filo_array_resize(&schedule->claims, largest) ||
        !filo_array_reserve(&schedule->active, schedule->order.count))
        return no_memory();
    schedule->active_stale = true;
    return filo_ok();
}

static void sorting_init(Sorting *sorting, const FiloAllocator *allocator) {
    *sorting = (Sorting){ 0 };
    filo_map_init(&sorting->by_name, sizeof(uint32_t), allocator);
    filo_map_init(&sorting->leaders, sizeof(uint32_t), allocator);
    filo_array_init(&sorting->nodes, allocator);
    filo_array_init(&sorting->edges, allocator);
    filo_array_init(&sorting->by_rank, allocator);
    filo_array_init(&sorting->waiting, allocator);
    filo_array_init(&sorting->order, allocator);
    filo_array_init(&sorting->sorted, allocator);
    filo_array_init(&sorting->uses, allocator);
}

static void sorting_deinit(Sorting *sorting) {
    filo_map_deinit(&sorting->by_name);
    filo_map_deinit(&sorting->leaders);
    filo_array_deinit(&sorting->nodes);
    filo_array_deinit(&sorting->edges);
    filo_array_deinit(&sorting->by_rank);
    filo_array_deinit(&sorting->waiting);
    filo_array_deinit(&sorting->order);
    filo_array_deinit(&sorting->sorted);
    filo_array_deinit(&sorting->uses);
}

FiloResult ecs_schedule_resolve(FiloWorld *world) {
    EcsSchedule *schedule = world->schedule;
    if (!schedule->stale) return schedule->problem;
    Sorting sorting;
    FiloArray(EcsSystem *) systems;
    sorting_init(&sorting, world->allocator);
    filo_array_init(&systems, world->allocator);
    FiloResult r = no_memory();
    if (filo_array_resize(&systems, schedule->systems.count))
        r = build(world, &sorting, systems.items, systems.count);
    filo_array_deinit(&systems);
    sorting_deinit(&sorting);
    if (r.code != FILO_OK) {
        filo_array_clear(&schedule->order);
        filo_array_clear(&schedule->stages);
        schedule->state_hook_count = 0;
    }
    schedule->stale = r.code == FILO_ERROR_MEMORY; // try again the next time
    schedule->problem = r;
    return r;
}
