// Applying change sets.
//
// 1. Fold (fold.c, fold_lists.c), one thread, in the order of records. Each entity that changes gets one plan: its
//    old location and a transition. New entities get their ids. Components outside of tables, and families, are
//    changed at once; values of components in tables are chained to the plan. While an entity has a plan, its record in the
//    directory holds the index of the plan (ECS_LOCATION_PENDING). Tracked queries are notified.
// 2. Destroy (fold.c): descendants of entities that are destroyed get plans too.
// 3. Assign rows (moves.c), one thread: runs of plans become moves, memory is reserved, observers are notified, and
//    each move gets its new rows.
// 4. Write (moves.c), in parallel over moves: columns are copied from the old rows to the new ones, and values set. Old
//    rows stay as they are.
// 5. Close the gaps (moves.c), in parallel over the partitions that lost rows: the last rows move into the gaps.
//
// Names are set at the end, after entities that are destroyed have lost theirs. The resulting rows depend on the
// order of plans alone, not on threads. Tables whose components have hooks are written by one thread.

#include "ecs/changes/refresh.h"

// ---- Temporary ids ------------------------------------------------------------------------------------

EcsChangeSet *ecs_temporary_set_of(EcsChangesPool *pool, FiloEntity entity) {
    uint32_t number = ecs_temporary_set(entity);
    if (FILO_LIKELY(pool->last_found != NULL && pool->last_found->number == number)) return pool->last_found;
    filo_mutex_lock(&pool->lock);
    EcsChangeSet *const *found = filo_map_get(&pool->by_number, number), *set = NULL;
    if (found != NULL) pool->last_found = set = *found;
    filo_mutex_unlock(&pool->lock);
    return set;
}

// Another thread may fill a set that is not being applied.
static FiloEntity resolved(const EcsChangeSet *set, FiloEntity entity) {
    if (!set->applying) return FILO_ENTITY_NONE;
    size_t ordinal = ecs_temporary_ordinal(set, entity);
    return ordinal < set->temporaries.count ? set->temporaries.items[ordinal] : FILO_ENTITY_NONE;
}

FiloEntity ecs_temporary_resolve(EcsChangesPool *pool, FiloEntity entity) {
    if (!filo_entity_temporary(entity)) return entity;
    const EcsChangeSet *set = ecs_temporary_set_of(pool, entity);
    return set != NULL ? resolved(set, entity) : FILO_ENTITY_NONE;
}

void ecs_temporary_replace(FiloEntity *entity, void *pool) { *entity = ecs_temporary_resolve(pool, *entity); }

// Whether a temporary id gets its real id when its set, a standalone one, is applied later.
static bool is_pending(const EcsChangeSet *set, FiloEntity entity) {
    return !set->applying &&
           ecs_temporary_ordinal(set, entity) < base_load_relaxed(&set->pending_temporaries);
}

static void replace_in_global(FiloEntity *entity, void *pool) {
    if (!filo_entity_temporary(*entity)) return;
    const EcsChangeSet *set = ecs_temporary_set_of(pool, *entity);
    if (set == NULL || !is_pending(set, *entity)) ecs_temporary_replace(entity, pool);
}

// Worlds may share their events: an id of another world stays.
static void replace_in_event(FiloEntity *entity, void *pool) {
    if (!filo_entity_temporary(*entity)) return;
    const EcsChangeSet *set = ecs_temporary_set_of(pool, *entity);
    if (set != NULL && !is_pending(set, *entity)) *entity = resolved(set, *entity);
}

static void replace_in_events_and_globals(FiloWorld *world) {
    filo_array_each (&world->components, item)
        if ((*item)->global != NULL && (*item)->info.has_entities)
            filo_reflect_entities((*item)->info.type, (*item)->global, replace_in_global, world->changes);
    if (world->events == NULL) return;
    FiloPendingCursor cursor = { 0 };
    FiloPendingEvent pending;
    while (filo_events_next_pending(world->events, &cursor, &pending))
        if (pending.type != NULL && pending.payload != NULL)
            filo_reflect_entities(pending.type, pending.payload, replace_in_event, world->changes);
}

// ---- Applying -------------------------------------------------------------------------------------------

static EcsRefresh *refresh_of(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    if (pool->refresh == NULL) {
        pool->refresh = filo_alloc_zero(world->allocator, sizeof *pool->refresh, 0);
        if (pool->refresh == NULL) return NULL;
        EcsRefresh *refresh = pool->refresh;
        refresh->world = world;
        filo_array_init(&refresh->plans, world->allocator);
        filo_array_init(&refresh->values, world->allocator);
        filo_array_init(&refresh->pending_names, world->allocator);
        filo_array_init(&refresh->dirty, world->allocator);
        filo_array_init(&refresh->transitions, world->allocator);
        filo_map_init(&refresh->transition_numbers, sizeof(uint32_t), world->allocator);
        filo_array_init(&refresh->moves, world->allocator);
        filo_array_init(&refresh->prefabs, world->allocator);
    }
    return pool->refresh;
}

// Without memory the arrays grow when they are filled.
void ecs_refresh_reserve(FiloWorld *world) {
    enum { RECORDS = 1024, KINDS = 64 }; // of changes; of their transitions, and of the partitions concerned
    EcsRefresh *refresh = refresh_of(world);
    if (refresh == NULL) return;
    (void)(filo_array_reserve(&refresh->plans, RECORDS) &&
           filo_array_reserve(&refresh->values, 2 * RECORDS) && filo_array_reserve(&refresh->dirty, KINDS) &&
           filo_array_reserve(&refresh->transitions, KINDS) &&
           filo_map_reserve(&refresh->transition_numbers, KINDS) &&
           filo_array_reserve(&refresh->moves, KINDS));
}

void ecs_refresh_deinit(FiloWorld *world) {
    EcsRefresh *refresh = world->changes->refresh;
    if (refresh == NULL) return;
    filo_array_deinit(&refresh->plans);
    filo_array_deinit(&refresh->values);
    filo_array_deinit(&refresh->pending_names);
    filo_array_deinit(&refresh->dirty);
    filo_array_deinit(&refresh->transitions);
    filo_map_deinit(&refresh->transition_numbers);
    filo_array_deinit(&refresh->moves);
    filo_array_deinit(&refresh->prefabs);
    filo_free(world->allocator, refresh, sizeof *refresh, 0);
}

// NULL without memory.
static EcsRefresh *start(FiloWorld *world, size_t records, bool recorded) {
    EcsRefresh *refresh = refresh_of(world);
    if (refresh == NULL) return NULL;
    refresh->complete = true;
    refresh->from_sets = recorded;
    refresh->temporaries = refresh->destroys = false;
    refresh->create_transition = refresh->discard_transition = ECS_NO_TRANSITION;
    // If this fails, there may still be memory for as many plans as are needed. At least twice the old capacity, so
    // that a game whose ticks change a little more each time does not allocate in each.
    if (records > refresh->plans.capacity)
        (void)filo_array_reserve(&refresh->plans, FILO_MAX(records, refresh->plans.capacity * 2));
    return refresh;
}

static void set_name(EcsRefresh *refresh, const EcsPendingName *pending) {
    FiloWorld *world = refresh->world;
    if (!filo_entity_exists(world, pending->entity)) return;
    // A name that another entity has is dropped. If no entity has it, there was no memory for it.
    if (!filo_entity_set_name(world, pending->entity, pending->name) &&
        filo_world_find(world, pending->name).id == 0)
        refresh->complete = false;
}

// Steps 2 to 5.
static bool finish(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (refresh->plans.count > 0) {
        if (refresh->destroys) ecs_refresh_destroy_families(refresh);
        ecs_refresh_move_rows(refresh);
    }
    filo_array_each (&refresh->pending_names, pending) set_name(refresh, pending);
    if (refresh->temporaries) replace_in_events_and_globals(world);
    filo_array_each (&refresh->dirty, dirty) dirty->partition->dirty = 0;
    filo_array_clear(&refresh->plans);
    filo_array_clear(&refresh->values);
    filo_array_clear(&refresh->pending_names);
    filo_array_clear(&refresh->dirty);
    filo_array_clear(&refresh->transitions);
    filo_map_clear(&refresh->transition_numbers);
    filo_array_clear(&refresh->moves);
    return refresh->complete;
}

static void fold_all(EcsRefresh *refresh, EcsChangeSet *sets) {
    for (EcsChangeSet *set = sets; set != NULL; set = set->next)
        refresh->temporaries |= set->temporaries.count > 0;
    for (EcsChangeSet *set = sets; set != NULL; set = set->next)
        if (set->instantiations > 0) ecs_refresh_instantiate(refresh, set);
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) ecs_refresh_fold(refresh, set);
}

bool ecs_refresh_apply(FiloWorld *world, EcsChangeSet *sets) {
    size_t records = 0;
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) {
        records += set->count;
        set->applying = true;
    }
    EcsRefresh *refresh = start(world, records, true);
    if (refresh != NULL)
        fold_all(refresh, sets);
    else
        replace_in_events_and_globals(world); // no entity is created
    bool complete = refresh != NULL && finish(refresh);
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) set->applying = false;
    return complete;
}

bool ecs_refresh_component(FiloWorld *world, const EcsComponentData *component, EcsChangeKind kind,
                           const FiloEntity *entities, size_t count) {
    EcsRefresh *refresh = start(world, count, false);
    if (refresh == NULL) return false;
    EcsChangeGroup group = { .component = component->id & 0xFFFFFF,
                             .kind = (uint32_t)kind & 0xFF,
                             .count = (uint32_t)count,
                             .payload = sizeof *entities,
                             .stride = sizeof *entities };
    ecs_refresh_fold_table(refresh, &group, (const uint8_t *)entities);
    return finish(refresh);
}
