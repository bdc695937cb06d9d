// Tracked queries: the entities that entered and left since the last refresh of the query.
//
// Before an entity changes, it is noted for each tracked query that the change may affect, once between two refreshes,
// with a flag whether it matched then. Changes that may affect a query are those of the components of its terms, and
// creation, destruction and activity of entities. A refresh tests all noted entities: one that matches and did not has
// entered; one that matched and does not has left.

#include "ecs/changes/refresh.h"
#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"
#include "ecs/query/query.h"
#include "ecs/storage/directory.h"

// ---- Beginning and ending -------------------------------------------------------------------------------

// Adds the query to EcsComponentData.tracked of the components of its terms, once to each. False without memory.
static bool begin_components(FiloQuery *query) {
    for (size_t i = 0; i < query->term_count; i++) {
        EcsComponentData *component = query->terms[i].component;
        bool listed = component->global != NULL;
        filo_array_each (&component->tracked, other) listed = listed || *other == query;
        if (listed) continue;
        if (!filo_array_push(&component->tracked, query)) return false;
        ecs_watch_update(query->world, component);
    }
    return true;
}

static void end_components(FiloQuery *query) {
    for (size_t i = 0; i < query->term_count; i++) {
        EcsComponentData *component = query->terms[i].component;
        for (size_t k = 0; k < component->tracked.count; k++)
            if (component->tracked.items[k] == query) {
                filo_array_remove(&component->tracked, k);
                ecs_watch_update(query->world, component);
                break;
            }
    }
}

bool ecs_track_begin(FiloQuery *query) {
    FiloWorld *world = query->world;
    EcsTracking *tracking = filo_alloc_zero(world->allocator, sizeof *tracking, 0);
    if (tracking == NULL) return false;
    filo_array_init(&tracking->entered, world->allocator);
    filo_array_init(&tracking->left, world->allocator);
    query->tracking = tracking;
    world->create_cache.partition = NULL; // it was computed for a world without this query
    if (filo_array_push(&world->tracked, query) && begin_components(query)) return true;
    ecs_track_end(query);
    return false;
}

void ecs_track_end(FiloQuery *query) {
    EcsTracking *tracking = query->tracking;
    if (tracking == NULL) return;
    FiloWorld *world = query->world;
    for (size_t i = 0; i < world->tracked.count; i++)
        if (world->tracked.items[i] == query) {
            filo_array_remove(&world->tracked, i);
            break;
        }
    end_components(query);
    ecs_notes_deinit(&tracking->notes, world);
    filo_array_deinit(&tracking->entered);
    filo_array_deinit(&tracking->left);
    filo_free(world->allocator, tracking, sizeof *tracking, 0);
    query->tracking = NULL;
}

// ---- Noting ---------------------------------------------------------------------------------------------

// The partition of an entity; during a refresh, that from before the refresh. NULL: it is new.
static const EcsPartition *partition_of(const FiloWorld *world, FiloEntity entity) {
    uint32_t location = ecs_record_location(ecs_record(world, (uint32_t)entity.id));
    if (FILO_UNLIKELY((location & ECS_LOCATION_PENDING) != 0)) {
        location = world->changes->refresh->plans.items[location & ECS_LOCATION_MASK].from;
        if (location == ECS_NO_LOCATION) return NULL;
    }
    return ecs_chunk_of(world, location)->partition;
}

// Whether an entity matches in a partition. If all terms are in tables, this is the same for all entities of the
// partition, and the last result is cached.
static inline bool matches_in(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition) {
    EcsTracking *tracking = query->tracking;
    if (query->outside > 0) return ecs_query_matches_in(query, entity, partition);
    if (FILO_UNLIKELY(tracking->partition != partition)) {
        tracking->matches = ecs_query_matches_in(query, entity, partition);
        tracking->partition = partition;
    }
    return tracking->matches;
}

// An entity that is not noted has not changed since the last refresh of the query, so whether it matches now is whether
// it matched then.
void ecs_track_note(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition) {
    EcsNotes *notes = &query->tracking->notes;
    bool matched = partition != NULL && matches_in(query, entity, partition);
    if (FILO_LIKELY(ecs_notes_add(notes, entity, matched ? ECS_NOTE_MATCHED : 0))) return;
    uint32_t entry = notes->count;
    if (ecs_notes_put(notes, query->world, entity) != entry) return; // noted before, or no memory
    if (matched) ecs_note_set_flags(notes, entry, ECS_NOTE_MATCHED);
}

void ecs_track_component(FiloWorld *world, FiloEntity entity, const EcsComponentData *component) {
    if (component->tracked.count == 0) return;
    const EcsPartition *partition = partition_of(world, entity);
    filo_array_each (&component->tracked, query) ecs_track_note(*query, entity, partition);
}

void ecs_track_edge(FiloWorld *world, FiloEntity entity, const EcsEdge *edge, const EcsTable *from) {
    for (uint32_t i = 0; i < edge->added_count; i++)
        ecs_track_component(world, entity, edge->to->data[edge->added[i]]);
    for (uint32_t i = 0; i < edge->dropped_count; i++)
        ecs_track_component(world, entity, from->data[edge->dropped[i]]);
}

void ecs_track_entity(FiloWorld *world, FiloEntity entity) {
    const EcsPartition *partition = partition_of(world, entity);
    filo_array_each (&world->tracked, query) ecs_track_note(*query, entity, partition);
}

void ecs_track_created(FiloWorld *world, FiloEntity entity) {
    // It may be noted already, if it was destroyed since the last refresh and is created under its old id.
    filo_array_each (&world->tracked, query) ecs_notes_put(&(*query)->tracking->notes, world, entity);
}

// ---- Refreshing -----------------------------------------------------------------------------------------

void ecs_track_refresh_query(FiloQuery *query) {
    EcsTracking *tracking = query->tracking;
    EcsNotes *notes = &tracking->notes;
    const FiloWorld *world = query->world;
    filo_array_clear(&tracking->entered);
    filo_array_clear(&tracking->left);
    for (uint32_t i = 0; i < notes->count; i++) {
        FiloEntity entity = notes->entities[i];
        const EcsRecord *record = ecs_record_find(world, entity);
        bool before = ecs_note_flags(notes, i) != 0,
             now = record != NULL &&
                   matches_in(query, entity, ecs_chunk_of(world, ecs_record_location(record))->partition);
        if (now && !before) (void)filo_array_push(&tracking->entered, entity);
        if (before && !now) (void)filo_array_push(&tracking->left, entity);
    }
    ecs_notes_clear(notes);
}

void ecs_track_refresh(FiloWorld *world) {
    filo_array_each (&world->tracked, query)
        if ((*query)->owner == 0) ecs_track_refresh_query(*query);
}

static const FiloEntity *list(const FiloQuery *query, size_t *count, bool entered) {
    if (count != NULL) *count = 0;
    if (!FILO_CHECK(query != NULL && count != NULL, "pass a query, and where the count goes") ||
        !ecs_may_read(query->world))
        return NULL;
    if (!FILO_CHECK(query->tracking != NULL, "this query is not tracked; make it with .tracked = true"))
        return NULL;
    *count = entered ? query->tracking->entered.count : query->tracking->left.count;
    return entered ? query->tracking->entered.items : query->tracking->left.items;
}

const FiloEntity *filo_query_entered(const FiloQuery *query, size_t *count) {
    return list(query, count, true);
}
const FiloEntity *filo_query_left(const FiloQuery *query, size_t *count) { return list(query, count, false); }
