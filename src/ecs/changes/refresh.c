// Applying change sets.
//
// 1. Fold (refresh_fold.c, refresh_lists.c), one thread, in the order of records. For every entity that is dirty there is one
//    outcome: where it was, and by which way it goes. New entities get their ids here. Components outside of
//    tables, families and names are changed here and now; values for tables are chained to the outcome. While
//    it has one, an entity's record in the directory leads to it (ECS_LOCATION_PENDING). Tracked queries are told here.
// 2. Destroy (refresh_fold.c): children of what is destroyed are too.
// 3. Place (refresh_rows.c), one thread: neighbours among the outcomes that go the same way become one move,
//    memory is reserved, what happens to observed components is noted, and each move gets its rows.
// 4. Write (refresh_rows.c), in parallel over moves: columns are copied from the old rows to the new ones,
//    values set. Old rows are not dirty yet.
// 5. Close the gaps (refresh_rows.c), in parallel over the halves that lost rows: the last rows move into the
//    gaps.
//
// The rows that result depend on the order of outcomes alone, never on who did what. Tables whose components
// have hooks are written by one thread.

#include "ecs/changes/refresh.h"
#include "ecs/changes/changes.h"
#include "ecs/storage/component.h"
#include "ecs/world.h"

// ---- Temporary ids ------------------------------------------------------------------------------------

EcsChangeSet *ecs_temporary_set_of(EcsChangesPool *pool, FiloEntity entity) {
    uint32_t number = ecs_temporary_set(entity);
    if (FILO_LIKELY(pool->recent != NULL && pool->recent->number == number)) return pool->recent;
    filo_mutex_lock(&pool->lock);
    EcsChangeSet *const *found = filo_map_get(&pool->by_number, number), *set = NULL;
    if (found != NULL) pool->recent = set = *found;
    filo_mutex_unlock(&pool->lock);
    return set;
}

// A set that is not being applied may be filled by another thread.
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

// Whether a temporary id belongs to a set that is kept, and will be known when that is applied.
static bool comes_later(const EcsChangeSet *set, FiloEntity entity) {
    return !set->applying && ecs_temporary_ordinal(set, entity) < base_load_relaxed(&set->promised);
}

static void replace_in_global(FiloEntity *entity, void *pool) {
    if (!filo_entity_temporary(*entity)) return;
    const EcsChangeSet *set = ecs_temporary_set_of(pool, *entity);
    if (set == NULL || !comes_later(set, *entity)) ecs_temporary_replace(entity, pool);
}

// Worlds may share their events: an id that is none of this world is left to the other.
static void replace_in_event(FiloEntity *entity, void *pool) {
    if (!filo_entity_temporary(*entity)) return;
    const EcsChangeSet *set = ecs_temporary_set_of(pool, *entity);
    if (set != NULL && !comes_later(set, *entity)) *entity = resolved(set, *entity);
}

// Events that wait, and globals, may have temporary ids in them.
static void replace_elsewhere(FiloWorld *world) {
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

// ---- All together -------------------------------------------------------------------------------------

static EcsRefresh *refresh_of(FiloWorld *world) {
    EcsChangesPool *pool = world->changes;
    if (pool->refresh == NULL) {
        pool->refresh = filo_alloc_zero(world->allocator, sizeof *pool->refresh, 0);
        if (pool->refresh == NULL) return NULL;
        EcsRefresh *refresh = pool->refresh;
        refresh->world = world;
        filo_array_init(&refresh->plans, world->allocator);
        filo_array_init(&refresh->values, world->allocator);
        filo_array_init(&refresh->namings, world->allocator);
        filo_array_init(&refresh->dirty, world->allocator);
        filo_array_init(&refresh->transitions, world->allocator);
        filo_map_init(&refresh->transition_numbers, sizeof(uint32_t), world->allocator);
        filo_array_init(&refresh->moves, world->allocator);
        filo_array_init(&refresh->prefabs, world->allocator);
    }
    return pool->refresh;
}

void ecs_refresh_deinit(FiloWorld *world) {
    EcsRefresh *refresh = world->changes->refresh;
    if (refresh == NULL) return;
    filo_array_deinit(&refresh->plans);
    filo_array_deinit(&refresh->values);
    filo_array_deinit(&refresh->namings);
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
    refresh->good = true;
    refresh->recorded = recorded;
    refresh->temporaries = refresh->destroys = false;
    refresh->born = refresh->never_born = ECS_NO_TRANSITION;
    // If there is no memory for all at once, there may be for what is needed. Twice as much as before at least, so
    // that a game whose ticks change a little more each time does not allocate in each.
    if (records > refresh->plans.capacity)
        (void)filo_array_reserve(&refresh->plans, FILO_MAX(records, refresh->plans.capacity * 2));
    return refresh;
}

static void set_name(EcsRefresh *refresh, const EcsNaming *naming) {
    FiloWorld *world = refresh->world;
    if (!filo_entity_exists(world, naming->entity)) return;
    // A name that somebody has is dropped; if nobody has it, there was no memory for it.
    if (!filo_entity_set_name(world, naming->entity, naming->name) &&
        filo_world_find(world, naming->name).id == 0)
        refresh->good = false;
}

// After all was folded.
static bool finish(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (refresh->plans.count > 0) {
        if (refresh->destroys) ecs_refresh_destroy_families(refresh);
        ecs_refresh_rows(refresh);
    }
    filo_array_each (&refresh->namings, naming) set_name(refresh, naming);
    if (refresh->temporaries) replace_elsewhere(world);
    filo_array_each (&refresh->dirty, dirty) dirty->partition->dirty = 0;
    filo_array_clear(&refresh->plans);
    filo_array_clear(&refresh->values);
    filo_array_clear(&refresh->namings);
    filo_array_clear(&refresh->dirty);
    filo_array_clear(&refresh->transitions);
    filo_map_clear(&refresh->transition_numbers);
    filo_array_clear(&refresh->moves);
    return refresh->good;
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
        replace_elsewhere(world); // nobody comes to be
    bool good = refresh != NULL && finish(refresh);
    for (EcsChangeSet *set = sets; set != NULL; set = set->next) set->applying = false;
    return good;
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
