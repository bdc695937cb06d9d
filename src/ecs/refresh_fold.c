// Applying change sets, steps 1 and 2: from records to outcomes. See refresh.c.

#include "ecs/holder.h"
#include "ecs/observe.h"
#include "ecs/refresh.h"
#include "ecs/rows.h"

// ---- Ways ---------------------------------------------------------------------------------------------

// The number of a half in `touched`; UINT32_MAX without memory.
static uint32_t touch(FiloRefresh *refresh, FiloHalf *half) {
    if (half->touched == 0) {
        FiloTouched touched = {
            .half = half, .start = FILO_NO_WAY, .first_leaving = FILO_NO_MOVE, .last_leaving = FILO_NO_MOVE
        };
        if (!filo_array_push(&refresh->touched, touched)) return UINT32_MAX;
        half->touched = (uint32_t)refresh->touched.count;
    }
    return half->touched - 1;
}

// Below 2^31: a world has far fewer tables than that.
static uint64_t number_of(const FiloHalf *half) {
    return half != NULL ? ((uint64_t)half->table->id << 1 | half->inactive) + 1 : 0;
}

// The number of a way, made if need be; FILO_NO_WAY without memory.
static uint32_t way_of(FiloRefresh *refresh, FiloHalf *from, FiloHalf *to, bool removed) {
    uint64_t key = number_of(from) << 32 | number_of(to) << 1 | removed;
    const uint32_t *known = filo_map_get(&refresh->way_numbers, key);
    if (known != NULL) return *known;
    uint32_t number = (uint32_t)refresh->ways.count;
    FiloWay way = { .from = from, .to = to, .removed = removed, .step = UINT32_MAX };
    if ((to == NULL || touch(refresh, to) != UINT32_MAX) && filo_array_push(&refresh->ways, way)) {
        if (filo_map_set(&refresh->way_numbers, key, &number)) return number;
        refresh->ways.count--;
    }
    refresh->good = false;
    return FILO_NO_WAY;
}

// The way of those who stay in a half.
static uint32_t start_of(FiloRefresh *refresh, FiloHalf *half) {
    uint32_t number = touch(refresh, half);
    if (number == UINT32_MAX) {
        refresh->good = false;
        return FILO_NO_WAY;
    }
    FiloTouched *touched = &refresh->touched.items[number];
    if (touched->start == FILO_NO_WAY) touched->start = way_of(refresh, half, half, false);
    return touched->start;
}

// Steps lead from one way to another: STEP_DESTROY; component << 1 | whether it is there afterwards; and
// without a component, whether the entity is active.
#define STEP_DESTROY (UINT32_MAX - 1)
static inline uint32_t step_component(const FiloComponentData *component, bool there) {
    return component->id << 1 | there;
}

static uint32_t look_up_step(FiloRefresh *refresh, uint32_t number, uint32_t step) {
    FiloWay way = refresh->ways.items[number];
    FiloTable *table = way.to->table;
    uint32_t component = step >> 1, next = number;
    bool there = (step & 1) != 0, fresh = false;
    const FiloEdge *edge = NULL;
    if (step == STEP_DESTROY) {
        next = way_of(refresh, way.from, NULL, false);
    } else if (component == 0) {
        next = way_of(refresh, way.from, &table->halves[!there], way.removed);
    } else if ((filo_table_column(table, component) != FILO_NO_COLUMN) != there) {
        edge = filo_table_edge(refresh->world, table, component, there);
        if (edge == NULL) refresh->good = false;
        next = edge != NULL
                   ? way_of(refresh, way.from, &edge->to->halves[way.to->inactive], way.removed || !there)
                   : FILO_NO_WAY;
        fresh = there;
    }
    if (next == FILO_NO_WAY) return next;
    FiloWay *from = &refresh->ways.items[number];
    from->step = step;
    from->next = next;
    from->fresh = fresh;
    from->tracked = edge != NULL && (edge->special & FILO_EDGE_TRACKED) != 0 ? edge : NULL;
    return next;
}

// The way after a step; FILO_NO_WAY without memory. FiloWay.fresh of the way before then tells whether the
// component comes to be there. Most of the time the step is the one that was last taken from there.
static inline uint32_t step_to(FiloRefresh *refresh, uint32_t number, uint32_t step) {
    const FiloWay *way = &refresh->ways.items[number];
    return FILO_LIKELY(way->step == step) ? way->next : look_up_step(refresh, number, step);
}

// ---- Outcomes -----------------------------------------------------------------------------------------

// A new outcome; NULL without memory. There is room for as many as there are records, so this seldom asks for
// any.
static inline FiloOutcome *add_outcome(FiloRefresh *refresh, uint32_t index, FiloRecord *record,
                                       uint32_t from, uint32_t way) {
    if (FILO_UNLIKELY(refresh->outcomes.count == refresh->outcomes.capacity) &&
        !filo_array_reserve(&refresh->outcomes, refresh->outcomes.capacity * 2 + 64)) {
        refresh->good = false;
        return NULL;
    }
    filo_record_set_where(record, FILO_WHERE_PENDING | (uint32_t)refresh->outcomes.count);
    FiloOutcome *outcome = &refresh->outcomes.items[refresh->outcomes.count++];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where there is room, there are items
    *outcome = (FiloOutcome){ index, from, way, FILO_NO_VALUE };
    return outcome;
}

// Entities that were in one chunk start on the same way.
typedef struct Start {
    uint32_t chunk; // UINT32_MAX: none yet
    uint32_t way;
} Start;

// The outcome of an entity that exists, made if need be; NULL without memory.
static inline FiloOutcome *outcome_of(FiloRefresh *refresh, FiloEntity entity, FiloRecord *record,
                                      Start *start) {
    FiloWorld *world = refresh->world;
    uint32_t where = filo_record_where(record), chunk = where >> FILO_ROW_BITS;
    if ((where & FILO_WHERE_PENDING) != 0) return &refresh->outcomes.items[where & FILO_WHERE_MASK];
    if (FILO_UNLIKELY(chunk != start->chunk)) {
        start->way = start_of(refresh, world->places[chunk].half);
        start->chunk = start->way != FILO_NO_WAY ? chunk : UINT32_MAX;
        if (start->way == FILO_NO_WAY) return NULL;
    }
    return add_outcome(refresh, (uint32_t)entity.id, record, where, start->way);
}

static FiloEntity create(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (refresh->never_born == FILO_NO_WAY) {
        refresh->born = way_of(refresh, NULL, &world->empty->halves[0], false);
        refresh->never_born = way_of(refresh, NULL, NULL, false);
    }
    if (refresh->born == FILO_NO_WAY || refresh->never_born == FILO_NO_WAY ||
        !filo_directory_reserve(world, 1) ||
        (refresh->outcomes.count == refresh->outcomes.capacity &&
         !filo_array_reserve(&refresh->outcomes, refresh->outcomes.capacity * 2 + 64))) {
        refresh->good = false;
        return FILO_ENTITY_NONE;
    }
    uint32_t index = filo_directory_take(world);
    (void)add_outcome(refresh, index, filo_record(world, index), FILO_NO_WHERE, refresh->born);
    FiloEntity entity = filo_entity_of_index(world, index);
    if (filo_tracking(world)) ecs_track_created(world, entity);
    return entity;
}

static void take_step(FiloRefresh *refresh, FiloOutcome *outcome, uint32_t step) {
    uint32_t next = step_to(refresh, outcome->way, step);
    if (next != FILO_NO_WAY) outcome->way = next;
}

// ---- Components of tables -----------------------------------------------------------------------------

static inline bool chain(FiloRefresh *refresh, FiloOutcome *outcome, const FiloComponentData *component,
                         const void *payload) {
    if (!filo_array_push(&refresh->values, (FiloSetValue){ payload, component->id, outcome->value }))
        return refresh->good = false;
    outcome->value = (uint32_t)refresh->values.count - 1;
    return true;
}

// Components that come with another may be what was removed before: then they start from their default values again.
// False without memory.
static bool chain_required(FiloRefresh *refresh, FiloOutcome *outcome, const FiloTable *before,
                           const FiloComponentData *component) {
    filo_array_each (&component->required, item) {
        const FiloComponentData *required = filo_component_data(refresh->world, *item);
        if (required->in_table && filo_table_column(before, required->id) == FILO_NO_COLUMN &&
            !chain(refresh, outcome, required, NULL))
            return false;
    }
    return true;
}

// Returns whether the component, which was not there, comes to be.
static inline bool change_table(FiloRefresh *refresh, FiloEntity entity, FiloOutcome *outcome,
                                const FiloComponentData *component, FiloChangeKind kind,
                                const void *payload) {
    uint32_t next = step_to(refresh, outcome->way, step_component(component, kind != FILO_CHANGE_REMOVE));
    if (FILO_UNLIKELY(next == FILO_NO_WAY)) return false;
    const FiloWay *way = &refresh->ways.items[outcome->way];
    bool fresh = way->fresh;
    if (FILO_UNLIKELY(way->tracked != NULL))
        ecs_track_edge(refresh->world, entity, way->tracked, way->to->table);
    // It may be what was removed before: then it starts from its first value again.
    if (way->removed && fresh &&
        (!chain(refresh, outcome, component, NULL) ||
         (component->required.count > 0 && !chain_required(refresh, outcome, way->to->table, component))))
        return false;
    // What is added is constructed when it is written.
    if (kind == FILO_CHANGE_SET && component->size > 0 && !chain(refresh, outcome, component, payload))
        return false;
    outcome->way = next;
    return fresh;
}

// ---- Components outside of tables -----------------------------------------------------------------------

// They are changed at once. Returns whether the component, which was not there, is there now.
static inline bool change_holder(FiloRefresh *refresh, FiloEntity entity, FiloComponentData *component,
                                 FiloChangeKind kind, const void *payload) {
    FiloWorld *world = refresh->world;
    if (kind == FILO_CHANGE_REMOVE) {
        filo_holder_remove(world, component, entity);
        return false;
    }
    void *value = filo_holder_get(world, component, entity);
    bool fresh = value == NULL;
    if (!fresh && kind == FILO_CHANGE_ADD) return false;
    if (!fresh && component->watches_set) ecs_watch_set(world, component->watch, entity);
    if (fresh) value = filo_holder_add(world, component, entity);
    if (value == NULL) return refresh->good = false;
    if (component->size > 0 && kind == FILO_CHANGE_SET) filo_value_assign(component, value, payload);
    *component->version = world->version;
    return fresh;
}

// Adds what a component requires that has just come to an entity, and that did not come with it to another table.
static FILO_COLD void add_required(FiloRefresh *refresh, FiloEntity entity,
                                   const FiloComponentData *component) {
    FiloWorld *world = refresh->world;
    filo_array_each (&component->required, item) {
        FiloComponentData *required = filo_component_data(world, *item);
        if (!required->in_table) {
            (void)change_holder(refresh, entity, required, FILO_CHANGE_ADD, NULL);
            continue;
        }
        if (component->in_table) continue;
        FiloOutcome *outcome =
            outcome_of(refresh, entity, filo_record_find(world, entity), &(Start){ UINT32_MAX, 0 });
        if (outcome != NULL) (void)change_table(refresh, entity, outcome, required, FILO_CHANGE_ADD, NULL);
    }
}

// ---- Records about tables -------------------------------------------------------------------------------

// Entities need not be in order: fetches what the directory knows of one that is looked at soon.
static inline void fetch_ahead(const FiloWorld *world, const FiloChangeGroup *group, const uint8_t *record,
                               uint32_t left) {
    if (left <= ECS_REFRESH_AHEAD) return;
    uint32_t index = ecs_refresh_ahead(group, record);
    if (index < world->index_end) __builtin_prefetch(filo_record(world, index), 1);
}

// Adding or removing mostly happens to all rows of a chunk: folds the records that do the same to more entities of
// it, which have no outcome yet, as was done to the one before. Returns how many.
static __attribute__((noinline)) uint32_t fold_alike(FiloRefresh *refresh, const FiloChangeGroup *group,
                                                     const uint8_t *record, uint32_t left, uint32_t chunk,
                                                     uint32_t way) {
    FiloWorld *world = refresh->world;
    uint32_t first = (uint32_t)refresh->outcomes.count, count = 0;
    FiloOutcome *outcomes = refresh->outcomes.items + first;
    left = (uint32_t)FILO_MIN(left, refresh->outcomes.capacity - first);
    for (; count < left; count++, record += group->stride) {
        FiloEntity entity = filo_change_entity(record);
        fetch_ahead(world, group, record, left - count);
        FiloRecord *place = filo_record_find(world, entity);
        if (place == NULL || filo_record_where(place) >> FILO_ROW_BITS != chunk) break;
        outcomes[count] = (FiloOutcome){ (uint32_t)entity.id, filo_record_where(place), way, FILO_NO_VALUE };
        filo_record_set_where(place, FILO_WHERE_PENDING | (first + count));
    }
    refresh->outcomes.count += count;
    return count;
}

void filo_refresh_fold_table(FiloRefresh *refresh, const FiloChangeGroup *group, const uint8_t *record) {
    FiloWorld *world = refresh->world;
    const FiloComponentData *component = world->components.items[group->component - 1];
    FiloChangeKind kind = (FiloChangeKind)group->kind;
    Start start = { UINT32_MAX, 0 };
    bool mixed = component->mixed && kind != FILO_CHANGE_REMOVE;
    bool repeats = kind != FILO_CHANGE_SET && !mixed;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        fetch_ahead(world, group, record, group->count - i);
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        FiloRecord *place = filo_record_find(world, entity);
        if (FILO_UNLIKELY(place == NULL)) continue;
        size_t before = refresh->outcomes.count;
        uint32_t chunk = start.chunk;
        FiloOutcome *outcome = outcome_of(refresh, entity, place, &start);
        if (FILO_UNLIKELY(outcome == NULL || ecs_refresh_destroys(refresh, outcome))) continue;
        bool fresh = change_table(refresh, entity, outcome, component, kind, record + group->payload);
        if (FILO_UNLIKELY(mixed && fresh)) add_required(refresh, entity, component);
        // Two of one chunk after each other are a sign that more will come.
        if (!repeats || start.chunk != chunk || refresh->outcomes.count == before ||
            refresh->ways.items[start.way].tracked != NULL)
            continue;
        uint32_t more = fold_alike(refresh, group, record + group->stride, group->count - i - 1, start.chunk,
                                   outcome->way);
        i += more;
        record += (size_t)more * group->stride;
    }
}

// ---- All else -----------------------------------------------------------------------------------------

static void change_family(FiloRefresh *refresh, FiloEntity child, const void *payload) {
    FiloWorld *world = refresh->world;
    FiloEntity parent;
    memcpy(&parent, payload, sizeof parent);
    bool nobody = parent.id == 0;
    parent = filo_temporary_resolve(world->changes, parent);
    if (parent.id == 0 && !nobody) return; // it never came to be
    const FiloRecord *record = parent.id != 0 ? filo_record_find(world, parent) : NULL;
    if (parent.id != 0 && record == NULL) return;
    // Two systems may each have made one the parent of the other: the later one is dropped.
    if (filo_family_descends(world, parent, child)) return;
    if (!filo_entity_set_parent(world, child, parent)) refresh->good = false;
}

static void change_name(FiloRefresh *refresh, FiloEntity entity, const void *payload) {
    FiloNaming naming = { entity, payload };
    if (!filo_array_push(&refresh->namings, naming)) refresh->good = false;
}

static void change_existence(FiloRefresh *refresh, FiloEntity entity, FiloRecord *record,
                             FiloChangeKind kind) {
    if (filo_tracking(refresh->world)) ecs_track_entity(refresh->world, entity);
    FiloOutcome *outcome = outcome_of(refresh, entity, record, &(Start){ UINT32_MAX, 0 });
    if (outcome == NULL) return;
    if (kind == FILO_CHANGE_DESTROY) {
        take_step(refresh, outcome, STEP_DESTROY);
        refresh->destroys = true;
    } else {
        take_step(refresh, outcome, kind == FILO_CHANGE_ACTIVATE);
    }
}

// All changes of entities that exist but those of components in tables.
static void fold_other(FiloRefresh *refresh, const FiloChangeGroup *group, uint8_t *record) {
    FiloWorld *world = refresh->world;
    FiloChangeKind kind = (FiloChangeKind)group->kind;
    FiloComponentData *component =
        group->component != 0 ? world->components.items[group->component - 1] : NULL;
    bool mixed = component != NULL && component->mixed;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        const void *payload = record + group->payload;
        FiloEntity entity = ecs_refresh_entity(refresh, record);
        FiloRecord *place = filo_record_find(world, entity);
        if (FILO_UNLIKELY(place == NULL)) continue;
        if (ecs_refresh_ends(refresh, place)) continue;
        if (component != NULL) {
            bool fresh = change_holder(refresh, entity, component, kind, payload);
            if (FILO_UNLIKELY(mixed) && fresh) add_required(refresh, entity, component);
        } else if (kind == FILO_CHANGE_PARENT)
            change_family(refresh, entity, payload);
        else if (kind == FILO_CHANGE_NAME)
            change_name(refresh, entity, payload);
        else
            change_existence(refresh, entity, place, kind);
    }
}

static void fold_created(FiloRefresh *refresh, FiloChangeSet *set, const FiloChangeGroup *group,
                         const uint8_t *record) {
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        set->temporaries.items[filo_temporary_place(set, filo_change_entity(record))] = create(refresh);
    refresh->temporaries = true;
}

static void fold_globals(FiloRefresh *refresh, const FiloChangeGroup *group, const uint8_t *record) {
    FiloComponentData *component = refresh->world->components.items[group->component - 1];
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        filo_value_assign(component, component->global, record + group->payload);
    *component->version = refresh->world->version;
}

static void fold_world(FiloRefresh *refresh, const FiloChangeGroup *group, const uint8_t *record) {
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        EcsWorldChange change;
        memcpy(&change, record + group->payload, sizeof change);
        change.apply(refresh->world, change.which, change.value);
    }
}

static void replace_temporaries(const FiloRefresh *refresh, const FiloChangeGroup *group, uint8_t *record) {
    const FiloComponentData *component = refresh->world->components.items[group->component - 1];
    for (uint32_t i = 0; i < group->count; i++, record += group->stride)
        filo_reflect_entities(component->info.type, record + group->payload, filo_temporary_replace,
                              refresh->world->changes);
}

void filo_refresh_fold(FiloRefresh *refresh, FiloChangeSet *set) {
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        uint8_t *record = set->bytes + filo_change_first(offset, group);
        const FiloComponentData *component =
            group->component != 0 ? refresh->world->components.items[group->component - 1] : NULL;
        offset = filo_change_next(offset, group);
        if (component != NULL && component->info.has_entities && group->stride > group->payload)
            replace_temporaries(refresh, group, record);
        if (group->kind == FILO_CHANGE_INSTANTIATE) continue; // done before
        if (group->kind == FILO_CHANGE_CREATE)
            fold_created(refresh, set, group, record);
        else if (group->kind == FILO_CHANGE_GLOBAL)
            fold_globals(refresh, group, record);
        else if (group->kind == FILO_CHANGE_WORLD)
            fold_world(refresh, group, record);
        else if (component != NULL && component->in_table)
            filo_refresh_fold_table(refresh, group, record);
        else if (component == NULL || !ecs_refresh_fold_list(refresh, group, record))
            fold_other(refresh, group, record);
    }
}

// ---- Instances ----------------------------------------------------------------------------------------

static FiloEntity prefab_of(const FiloChangeGroup *group, const uint8_t *record) {
    FiloEntity prefab;
    memcpy(&prefab, record + group->payload, sizeof prefab);
    return prefab;
}

// Makes the instances that the records of a group ask for: as many at once as are of the same prefab and have
// temporary ids that follow each other.
static void instantiate(FiloRefresh *refresh, FiloChangeSet *set, const FiloChangeGroup *group,
                        const uint8_t *record) {
    for (uint32_t i = 0, count; i < group->count; i += count, record += (size_t)count * group->stride) {
        FiloEntity prefab = prefab_of(group, record), first = filo_change_entity(record);
        const uint8_t *next = record + group->stride;
        for (count = 1; i + count < group->count && prefab_of(group, next).id == prefab.id &&
                        filo_change_entity(next).id == first.id + count;
             count++)
            next += group->stride;
        // A set that was kept may be applied when the prefab is gone: like all changes to nobody, it is
        // dropped.
        if (filo_record_find(refresh->world, prefab) != NULL &&
            !filo_prefab_instantiate_each(refresh->world, prefab,
                                          &set->temporaries.items[filo_temporary_place(set, first)], count))
            refresh->good = false;
    }
}

// Values that are set on instances are overrides: where they refer to the prefab or its parts, they mean the
// instance or its own.
static void remap_overrides(FiloRefresh *refresh, const FiloChangeSet *set, const FiloChangeGroup *group,
                            uint8_t *record) {
    FiloWorld *world = refresh->world;
    const FiloType *type = world->components.items[group->component - 1]->info.type;
    for (uint32_t i = 0; i < group->count; i++, record += group->stride) {
        FiloEntity entity = filo_change_entity(record);
        if (!filo_entity_temporary(entity)) continue;
        size_t place = filo_temporary_place(set, entity);
        FiloEntity instance = set->temporaries.items[place]; // {0}: it is no instance
        if (instance.id != 0 &&
            !filo_prefab_remap(world, refresh->prefabs.items[place], instance, type, record + group->payload))
            refresh->good = false;
    }
}

static bool is_override(const FiloWorld *world, const FiloChangeGroup *group) {
    return group->kind == FILO_CHANGE_SET && world->components.items[group->component - 1]->info.has_entities;
}

// The prefab of each temporary id that is an instance. False without memory.
static bool list_prefabs(FiloRefresh *refresh, const FiloChangeSet *set) {
    filo_array_clear(&refresh->prefabs);
    if (!filo_array_resize(&refresh->prefabs, set->temporaries.count)) return refresh->good = false;
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        const uint8_t *record = set->bytes + filo_change_first(offset, group);
        offset = filo_change_next(offset, group);
        if (group->kind != FILO_CHANGE_INSTANTIATE) continue;
        for (uint32_t i = 0; i < group->count; i++, record += group->stride)
            refresh->prefabs.items[filo_temporary_place(set, filo_change_entity(record))] =
                prefab_of(group, record);
    }
    return true;
}

// Instances come first, of prefabs as they were before the stage, so that all that follows finds them.
void filo_refresh_instantiate(FiloRefresh *refresh, FiloChangeSet *set) {
    FiloWorld *world = refresh->world;
    bool overrides = false;
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        const uint8_t *record = set->bytes + filo_change_first(offset, group);
        offset = filo_change_next(offset, group);
        if (group->kind == FILO_CHANGE_INSTANTIATE) instantiate(refresh, set, group, record);
        overrides = overrides || is_override(world, group);
    }
    if (!overrides || !list_prefabs(refresh, set)) return;
    filo_prefab_remap_begin(world);
    for (size_t offset = 0; offset < set->used;) {
        const FiloChangeGroup *group = filo_change_group(set, offset);
        uint8_t *record = set->bytes + filo_change_first(offset, group);
        offset = filo_change_next(offset, group);
        if (is_override(world, group)) remap_overrides(refresh, set, group, record);
    }
}

// ---- Families -----------------------------------------------------------------------------------------

// Marks an entity; false if it was marked before, and its descendants with it or in their turn, or without
// memory.
static bool mark_destroyed(FiloRefresh *refresh, FiloEntity entity) {
    FiloOutcome *outcome =
        outcome_of(refresh, entity, filo_record_find(refresh->world, entity), &(Start){ UINT32_MAX, 0 });
    if (outcome == NULL || ecs_refresh_destroys(refresh, outcome)) return false;
    if (filo_tracking(refresh->world)) ecs_track_entity(refresh->world, entity);
    take_step(refresh, outcome, STEP_DESTROY);
    return ecs_refresh_destroys(refresh, outcome);
}

// Marks all descendants, however deep, parents before children.
static void destroy_descendants(FiloRefresh *refresh, FiloEntity root) {
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
        down = mark_destroyed(refresh, at);
    }
}

void filo_refresh_destroy_families(FiloRefresh *refresh) {
    const FiloWorld *world = refresh->world;
    // The list grows while descendants are added to it.
    for (size_t i = 0; i < refresh->outcomes.count; i++) {
        const FiloOutcome *outcome = &refresh->outcomes.items[i];
        if (ecs_refresh_destroys(refresh, outcome) && filo_is_outside(world, outcome->index))
            destroy_descendants(refresh, filo_entity_of_index(world, outcome->index));
    }
}
