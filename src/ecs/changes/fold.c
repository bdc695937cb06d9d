// Applying change sets, steps 1 and 2: from records to plans. See refresh.c.

#include "ecs/changes/refresh.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/storage/components.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"
#include "ecs/storage/tables.h"

// ---- Transitions ----------------------------------------------------------------------------------------

// The index of a partition in `dirty`; UINT32_MAX without memory.
static uint32_t mark_dirty(EcsRefresh *refresh, EcsPartition *partition) {
    if (partition->dirty == 0) {
        EcsDirtyPartition dirty = { .partition = partition,
                                    .stay = ECS_NO_TRANSITION,
                                    .first_leaving = ECS_NO_MOVE,
                                    .last_leaving = ECS_NO_MOVE };
        if (!filo_array_push(&refresh->dirty, dirty)) return UINT32_MAX;
        partition->dirty = (uint32_t)refresh->dirty.count;
    }
    return partition->dirty - 1;
}

// Below 2^31: a world has far fewer tables. 0: no partition.
static uint64_t partition_number(const EcsPartition *partition) {
    return partition != NULL ? ((uint64_t)partition->table->id << 1 | partition->inactive) + 1 : 0;
}

// The index of a transition, which is added if it is new; ECS_NO_TRANSITION without memory.
static uint32_t transition_of(EcsRefresh *refresh, EcsPartition *from, EcsPartition *to, bool removed) {
    uint64_t key = partition_number(from) << 32 | partition_number(to) << 1 | removed;
    const uint32_t *found = filo_map_get(&refresh->transition_numbers, key);
    if (found != NULL) return *found;
    uint32_t number = (uint32_t)refresh->transitions.count;
    EcsTransition transition = { .from = from, .to = to, .removed = removed, .step = UINT32_MAX };
    if ((to == NULL || mark_dirty(refresh, to) != UINT32_MAX) &&
        filo_array_push(&refresh->transitions, transition)) {
        if (filo_map_set(&refresh->transition_numbers, key, &number)) return number;
        refresh->transitions.count--;
    }
    refresh->complete = false;
    return ECS_NO_TRANSITION;
}

// The transition from a partition to itself.
static uint32_t stay_transition(EcsRefresh *refresh, EcsPartition *partition) {
    uint32_t number = mark_dirty(refresh, partition);
    if (number == UINT32_MAX) {
        refresh->complete = false;
        return ECS_NO_TRANSITION;
    }
    EcsDirtyPartition *dirty = &refresh->dirty.items[number];
    if (dirty->stay == ECS_NO_TRANSITION) dirty->stay = transition_of(refresh, partition, partition, false);
    return dirty->stay;
}

// A step leads from one transition to another: STEP_DESTROY; or component << 1 | whether the entity has it
// afterwards; or, without a component, whether the entity is active.
#define STEP_DESTROY (UINT32_MAX - 1)
static inline uint32_t step_component(const EcsComponentData *component, bool there) {
    return component->id << 1 | there;
}

static uint32_t look_up_step(EcsRefresh *refresh, uint32_t number, uint32_t step) {
    EcsTransition transition = refresh->transitions.items[number];
    EcsTable *table = transition.to->table;
    uint32_t component = step >> 1, next = number;
    bool there = (step & 1) != 0, adds = false;
    const EcsEdge *edge = NULL;
    if (step == STEP_DESTROY) {
        next = transition_of(refresh, transition.from, NULL, false);
    } else if (component == 0) {
        next = transition_of(refresh, transition.from, &table->partitions[!there], transition.removed);
    } else if ((ecs_table_column(table, component) != ECS_NO_COLUMN) != there) {
        edge = ecs_table_edge(refresh->world, table, component, there);
        if (edge == NULL) refresh->complete = false;
        next = edge != NULL
                   ? transition_of(refresh, transition.from, &edge->to->partitions[transition.to->inactive],
                                   transition.removed || !there)
                   : ECS_NO_TRANSITION;
        adds = there;
    }
    if (next == ECS_NO_TRANSITION) return next;
    EcsTransition *from = &refresh->transitions.items[number];
    from->step = step;
    from->next = next;
    from->adds = adds;
    from->tracked = edge != NULL && (edge->special & ECS_EDGE_TRACKED) != 0 ? edge : NULL;
    return next;
}

// The transition after a step; ECS_NO_TRANSITION without memory. EcsTransition.adds of the transition before then says
// whether the step adds the component. Mostly the step is the last one that was taken from there, which is cached.
static inline uint32_t step_to(EcsRefresh *refresh, uint32_t number, uint32_t step) {
    const EcsTransition *transition = &refresh->transitions.items[number];
    return FILO_LIKELY(transition->step == step) ? transition->next : look_up_step(refresh, number, step);
}

// ---- Plans ----------------------------------------------------------------------------------------------

// Adds a plan; NULL without memory. Capacity for as many plans as there are records was reserved, so this seldom
// allocates.
static inline EcsPlan *add_plan(EcsRefresh *refresh, uint32_t index, EcsRecord *record, uint32_t from,
                                uint32_t transition) {
    if (FILO_UNLIKELY(refresh->plans.count == refresh->plans.capacity) &&
        !filo_array_reserve(&refresh->plans, refresh->plans.capacity * 2 + 64)) {
        refresh->complete = false;
        return NULL;
    }
    ecs_record_set_location(record, ECS_LOCATION_PENDING | (uint32_t)refresh->plans.count);
    EcsPlan *plan = &refresh->plans.items[refresh->plans.count++];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): with a capacity there are items
    *plan = (EcsPlan){ index, from, transition, ECS_NO_VALUE };
    return plan;
}

// Cache of the last chunk: its entities start with the same transition.
typedef struct StartCache {
    uint32_t chunk; // UINT32_MAX: none yet
    uint32_t transition;
} StartCache;

// The plan of an entity that exists, which is added if it is new; NULL without memory.
static inline EcsPlan *plan_of(EcsRefresh *refresh, FiloEntity entity, EcsRecord *record, StartCache *start) {
    FiloWorld *world = refresh->world;
    uint32_t location = ecs_record_location(record), chunk = location >> ECS_ROW_BITS;
    if ((location & ECS_LOCATION_PENDING) != 0) return &refresh->plans.items[location & ECS_LOCATION_MASK];
    if (FILO_UNLIKELY(chunk != start->chunk)) {
        start->transition = stay_transition(refresh, world->chunks[chunk].partition);
        start->chunk = start->transition != ECS_NO_TRANSITION ? chunk : UINT32_MAX;
        if (start->transition == ECS_NO_TRANSITION) return NULL;
    }
    return add_plan(refresh, (uint32_t)entity.id, record, location, start->transition);
}

static FiloEntity create(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (refresh->discard_transition == ECS_NO_TRANSITION) {
        refresh->create_transition = transition_of(refresh, NULL, &world->empty->partitions[0], false);
        refresh->discard_transition = transition_of(refresh, NULL, NULL, false);
    }
    if (refresh->create_transition == ECS_NO_TRANSITION || refresh->discard_transition == ECS_NO_TRANSITION ||
        !ecs_directory_reserve(world, 1) ||
        (refresh->plans.count == refresh->plans.capacity &&
         !filo_array_reserve(&refresh->plans, refresh->plans.capacity * 2 + 64))) {
        refresh->complete = false;
        return FILO_ENTITY_NONE;
    }
    uint32_t index = ecs_directory_take(world);
    (void)add_plan(refresh, index, ecs_record(world, index), ECS_NO_LOCATION, refresh->create_transition);
    FiloEntity entity = ecs_entity_of_index(world, index);
    if (ecs_tracking(world)) ecs_track_created(world, entity);
    return entity;
}

static void take_step(EcsRefresh *refresh, EcsPlan *plan, uint32_t step) {
    uint32_t next = step_to(refresh, plan->transition, step);
    if (next != ECS_NO_TRANSITION) plan->transition = next;
}

// ---- Components in tables -------------------------------------------------------------------------------

// Adds a value to those that a plan sets.
static inline bool chain_value(EcsRefresh *refresh, EcsPlan *plan, const EcsComponentData *component,
                               const void *payload) {
    if (!filo_array_push(&refresh->values, (EcsSetValue){ payload, component->id, plan->value }))
        return refresh->complete = false;
    plan->value = (uint32_t)refresh->values.count - 1;
    return true;
}

// A required component that is added may have been removed before: then it gets its default value again. False without
// memory.
static bool chain_required(EcsRefresh *refresh, EcsPlan *plan, const EcsTable *before,
                           const EcsComponentData *component) {
    filo_array_each (&component->required, item) {
        const EcsComponentData *required = ecs_component_data(refresh->world, *item);
        if (required->in_table && ecs_table_column(before, required->id) == ECS_NO_COLUMN &&
            !chain_value(refresh, plan, required, NULL))
            return false;
    }
    return true;
}

// Plans a change of a component in tables. Returns whether it adds the component.
static inline bool change_table(EcsRefresh *refresh, FiloEntity entity, EcsPlan *plan,
                                const EcsComponentData *component, EcsChangeKind kind, const void *payload) {
    uint32_t next = step_to(refresh, plan->transition, step_component(component, kind != ECS_CHANGE_REMOVE));
    if (FILO_UNLIKELY(next == ECS_NO_TRANSITION)) return false;
    const EcsTransition *transition = &refresh->transitions.items[plan->transition];
    bool adds = transition->adds;
    if (FILO_UNLIKELY(transition->tracked != NULL))
        ecs_track_edge(refresh->world, entity, transition->tracked, transition->to->table);
    // It may have been removed before: then it gets its default value again.
    if (transition->removed && adds &&
        (!chain_value(refresh, plan, component, NULL) ||
         (component->required.count > 0 && !chain_required(refresh, plan, transition->to->table, component))))
        return false;
    // A component that is added is constructed when its row is written.
    if (kind == ECS_CHANGE_SET && component->size > 0 && !chain_value(refresh, plan, component, payload))
        return false;
    plan->transition = next;
    return adds;
}

// ---- Components outside of tables -----------------------------------------------------------------------

// Changes the component at once. Returns whether it was added.
static inline bool change_holder(EcsRefresh *refresh, FiloEntity entity, EcsComponentData *component,
                                 EcsChangeKind kind, const void *payload) {
    FiloWorld *world = refresh->world;
    if (kind == ECS_CHANGE_REMOVE) {
        ecs_holder_remove(world, component, entity);
        return false;
    }
    void *value = ecs_holder_get(world, component, entity);
    bool added = value == NULL;
    if (!added && kind == ECS_CHANGE_ADD) return false;
    if (!added && component->watches_set) ecs_watch_set(world, component->watch, entity);
    if (added) value = ecs_holder_add(world, component, entity);
    if (value == NULL) return refresh->complete = false;
    if (component->size > 0 && kind == ECS_CHANGE_SET) ecs_value_assign(component, value, payload);
    *component->version = world->version;
    return added;
}

// Adds what a component requires that was just added to an entity, except what its table edge added already.
static FILO_COLD void add_required(EcsRefresh *refresh, FiloEntity entity,
                                   const EcsComponentData *component) {
    FiloWorld *world = refresh->world;
    filo_array_each (&component->required, item) {
        EcsComponentData *required = ecs_component_data(world, *item);
        if (!required->in_table) {
            (void)change_holder(refresh, entity, required, ECS_CHANGE_ADD, NULL);
            continue;
        }
        if (component->in_table) continue;
        EcsPlan *plan =
            plan_of(refresh, entity, ecs_record_find(world, entity), &(StartCache){ UINT32_MAX, 0 });
        if (plan != NULL) (void)change_table(refresh, entity, plan, required, ECS_CHANGE_ADD, NULL);
    }
}

// ---- Records about tables -------------------------------------------------------------------------------

// Adding or removing mostly happens to all rows of a chunk. Folds the following records as long as their entities are
// in the chunk and have no plan yet: all get the same transition. Returns how many.
static __attribute__((noinline)) uint32_t fold_alike(EcsRefresh *refresh, const EcsChangeGroup *group,
                                                     const uint8_t *record, uint32_t left, uint32_t chunk,
                                                     uint32_t transition) {
    FiloWorld *world = refresh->world;
    uint32_t first = (uint32_t)refresh->plans.count, count = 0;
    EcsPlan *plans = refresh->plans.items + first;
    left = (uint32_t)FILO_MIN(left, refresh->plans.capacity - first);
    for (; count < left; count++, record += group->stride) {
        FiloEntity entity = ecs_change_entity(record);
        EcsRecord *entry = ecs_record_find(world, entity);
        if (entry == NULL || ecs_record_location(entry) >> ECS_ROW_BITS != chunk) break;
        plans[count] = (EcsPlan){ (uint32_t)entity.id, ecs_record_location(entry), transition, ECS_NO_VALUE };
        ecs_record_set_location(entry, ECS_LOCATION_PENDING | (first + count));
    }
    refresh->plans.count += count;
    return count;
}

void ecs_refresh_fold_table(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record) {
    FiloWorld *world = refresh->world;
    const EcsComponentData *component = world->components.items[group->component - 1];
    EcsChangeKind kind = (EcsChangeKind)group->kind;
    StartCache start = { UINT32_MAX, 0 };
    bool mixed = component->mixed && kind != ECS_CHANGE_REMOVE;
    bool repeats = kind != ECS_CHANGE_SET && !mixed;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        EcsRecord *entry = ecs_record_find(world, entity);
        if (FILO_UNLIKELY(entry == NULL)) continue;
        size_t before = refresh->plans.count;
        uint32_t chunk = start.chunk;
        EcsPlan *plan = plan_of(refresh, entity, entry, &start);
        if (FILO_UNLIKELY(plan == NULL || ecs_refresh_plan_destroys(refresh, plan))) continue;
        bool added = change_table(refresh, entity, plan, component, kind, record + group->payload);
        if (FILO_UNLIKELY(mixed && added)) add_required(refresh, entity, component);
        // After two entities of one chunk, expect more of it.
        if (!repeats || start.chunk != chunk || refresh->plans.count == before ||
            refresh->transitions.items[start.transition].tracked != NULL)
            continue;
        uint32_t more = fold_alike(refresh, group, record + group->stride, group->count - i - 1, start.chunk,
                                   plan->transition);
        i += more;
        record += (size_t)more * group->stride;
    }
}

// ---- Other records --------------------------------------------------------------------------------------

static void change_family(EcsRefresh *refresh, FiloEntity child, const void *payload) {
    FiloWorld *world = refresh->world;
    FiloEntity parent;
    memcpy(&parent, payload, sizeof parent);
    bool none = parent.id == 0;
    parent = ecs_temporary_resolve(world->changes, parent);
    if (parent.id == 0 && !none) return; // the parent was not created
    const EcsRecord *record = parent.id != 0 ? ecs_record_find(world, parent) : NULL;
    if (parent.id != 0 && record == NULL) return;
    // Two systems may each have made one entity the parent of the other: the later change is dropped.
    if (ecs_family_descends(world, parent, child)) return;
    if (!filo_entity_set_parent(world, child, parent)) refresh->complete = false;
}

static void change_name(EcsRefresh *refresh, FiloEntity entity, const void *payload) {
    EcsPendingName pending = { entity, payload };
    if (!filo_array_push(&refresh->pending_names, pending)) refresh->complete = false;
}

static void change_existence(EcsRefresh *refresh, FiloEntity entity, EcsRecord *record, EcsChangeKind kind) {
    if (ecs_tracking(refresh->world)) ecs_track_entity(refresh->world, entity);
    EcsPlan *plan = plan_of(refresh, entity, record, &(StartCache){ UINT32_MAX, 0 });
    if (plan == NULL) return;
    if (kind == ECS_CHANGE_DESTROY) {
        take_step(refresh, plan, STEP_DESTROY);
        refresh->destroys = true;
    } else {
        take_step(refresh, plan, kind == ECS_CHANGE_ACTIVATE);
    }
}

// Changes of entities, except of components in tables.
static void fold_other(EcsRefresh *refresh, const EcsChangeGroup *group, uint8_t *record) {
    FiloWorld *world = refresh->world;
    EcsChangeKind kind = (EcsChangeKind)group->kind;
    EcsComponentData *component =
        group->component != 0 ? world->components.items[group->component - 1] : NULL;
    bool mixed = component != NULL && component->mixed;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        const void *payload = record + group->payload;
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        EcsRecord *entry = ecs_record_find(world, entity);
        if (FILO_UNLIKELY(entry == NULL)) continue;
        if (ecs_refresh_is_destroyed(refresh, entry)) continue;
        if (component != NULL) {
            bool added = change_holder(refresh, entity, component, kind, payload);
            if (FILO_UNLIKELY(mixed) && added) add_required(refresh, entity, component);
        } else if (kind == ECS_CHANGE_PARENT)
            change_family(refresh, entity, payload);
        else if (kind == ECS_CHANGE_NAME)
            change_name(refresh, entity, payload);
        else
            change_existence(refresh, entity, entry, kind);
    }
}

static void fold_created(EcsRefresh *refresh, EcsChangeSet *set, const EcsChangeGroup *group,
                         const uint8_t *record) {
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        set->temporaries.items[ecs_temporary_ordinal(set, ecs_change_entity(record))] = create(refresh);
    refresh->temporaries = true;
}

static void fold_globals(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record) {
    EcsComponentData *component = refresh->world->components.items[group->component - 1];
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        ecs_value_assign(component, component->global, record + group->payload);
    *component->version = refresh->world->version;
}

static void fold_world(EcsRefresh *refresh, const EcsChangeGroup *group, const uint8_t *record) {
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        EcsWorldChange change;
        memcpy(&change, record + group->payload, sizeof change);
        change.apply(refresh->world, change.which, change.value);
    }
}

static void replace_temporaries(const EcsRefresh *refresh, const EcsChangeGroup *group, uint8_t *record) {
    const EcsComponentData *component = refresh->world->components.items[group->component - 1];
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        filo_reflect_entities(component->info.type, record + group->payload, ecs_temporary_replace,
                              refresh->world->changes);
}

void ecs_refresh_fold(EcsRefresh *refresh, EcsChangeSet *set) {
    for (size_t offset = 0; offset < set->used;) {
        const EcsChangeGroup *group = ecs_change_group(set, offset);
        uint8_t *record = set->bytes + ecs_change_first(offset, group);
        const EcsComponentData *component =
            group->component != 0 ? refresh->world->components.items[group->component - 1] : NULL;
        offset = ecs_change_next(offset, group);
        if (component != NULL && component->info.has_entities && group->stride > group->payload)
            replace_temporaries(refresh, group, record);
        if (group->kind == ECS_CHANGE_INSTANTIATE) continue; // see ecs_refresh_instantiate
        if (group->kind == ECS_CHANGE_CREATE)
            fold_created(refresh, set, group, record);
        else if (group->kind == ECS_CHANGE_GLOBAL)
            fold_globals(refresh, group, record);
        else if (group->kind == ECS_CHANGE_WORLD)
            fold_world(refresh, group, record);
        else if (component != NULL && component->in_table)
            ecs_refresh_fold_table(refresh, group, record);
        else if (component == NULL || !ecs_refresh_fold_list(refresh, group, record))
            fold_other(refresh, group, record);
    }
}

// ---- Families -----------------------------------------------------------------------------------------

// Plans the destruction of an entity. False without memory, or if it is planned already: then its descendants are, or
// will be when the loop in ecs_refresh_destroy_families reaches it.
static bool plan_destruction(EcsRefresh *refresh, FiloEntity entity) {
    EcsPlan *plan =
        plan_of(refresh, entity, ecs_record_find(refresh->world, entity), &(StartCache){ UINT32_MAX, 0 });
    if (plan == NULL || ecs_refresh_plan_destroys(refresh, plan)) return false;
    if (ecs_tracking(refresh->world)) ecs_track_entity(refresh->world, entity);
    take_step(refresh, plan, STEP_DESTROY);
    return ecs_refresh_plan_destroys(refresh, plan);
}

// Plans the destruction of all descendants, parents before children.
static void destroy_descendants(EcsRefresh *refresh, FiloEntity root) {
    const FiloWorld *world = refresh->world;
    FiloEntity at = root;
    bool down = true;
    for (;;) {
        FiloEntity next = down ? filo_entity_first_child(world, at) : FILO_ENTITY_NONE;
        while (next.id == 0 && at.id != root.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        if (next.id == 0) return;
        at = next;
        down = plan_destruction(refresh, at);
    }
}

void ecs_refresh_destroy_families(EcsRefresh *refresh) {
    const FiloWorld *world = refresh->world;
    // Plans of descendants are added behind the others during the loop.
    for (size_t i = 0; i < refresh->plans.count; i++) {
        const EcsPlan *plan = &refresh->plans.items[i];
        if (ecs_refresh_plan_destroys(refresh, plan) && ecs_entity_is_outside(world, plan->index))
            destroy_descendants(refresh, ecs_entity_of_index(world, plan->index));
    }
}
