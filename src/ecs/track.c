// Tracked queries: who came in and who left.
//
// Before anything about an entity changes, it is noted for each tracked query that may care, together with
// whether it matched then; once between two refreshes. A refresh looks at all that were noted: those that
// match now and did not, came in; the other way round, they left.

#include "ecs/world.h"

bool filo_track_begin(FiloQuery *query) {
    FiloWorld *world = query->world;
    FiloTracking *tracking = filo_alloc_zero(world->allocator, sizeof *tracking, 0);
    if (tracking == NULL) return false;
    filo_map_init(&tracking->noted, sizeof(bool), world->allocator);
    filo_array_init(&tracking->entered, world->allocator);
    filo_array_init(&tracking->left, world->allocator);
    query->tracking = tracking;
    if (filo_array_push(&world->tracked, query)) {
        filo_or_relaxed(&world->busy, FILO_BUSY_TRACKING);
        return true;
    }
    filo_track_end(query);
    return false;
}

void filo_track_end(FiloQuery *query) {
    FiloTracking *tracking = query->tracking;
    if (tracking == NULL) return;
    FiloWorld *world = query->world;
    for (size_t i = 0; i < world->tracked.count; i++)
        if (world->tracked.items[i] == query) {
            filo_array_remove(&world->tracked, i);
            break;
        }
    if (world->tracked.count == 0) filo_and_relaxed(&world->busy, ~FILO_BUSY_TRACKING);
    filo_map_deinit(&tracking->noted);
    filo_array_deinit(&tracking->entered);
    filo_array_deinit(&tracking->left);
    filo_free(world->allocator, tracking, sizeof *tracking, 0);
    query->tracking = NULL;
}

static bool cares(const FiloQuery *query, const FiloComponentData *component) {
    if (component == NULL) return true;
    for (size_t i = 0; i < query->term_count; i++)
        if (query->terms[i].component == component) return true;
    return false;
}

void filo_track_change(FiloWorld *world, FiloEntity entity, const FiloComponentData *component) {
    const FiloRecord *record = filo_record_find(world, entity);
    // An entity that a refresh works on was noted before, if there was memory, and cannot be looked at.
    if ((filo_record_where(record) & FILO_WHERE_PENDING) != 0) return;
    filo_array_each (&world->tracked, item) {
        FiloMap *noted = &(*item)->tracking->noted;
        if (!cares(*item, component) || filo_map_has(noted, entity.id)) continue;
        bool matched = filo_query_has(*item, entity, record);
        (void)filo_map_set(noted, entity.id, &matched);
    }
}

void filo_track_new(FiloWorld *world, FiloEntity entity) {
    bool matched = false;
    filo_array_each (&world->tracked, item) {
        // It may be noted already: destroyed since the last refresh, and made again under its old id.
        FiloMap *noted = &(*item)->tracking->noted;
        if (!filo_map_has(noted, entity.id)) (void)filo_map_set(noted, entity.id, &matched);
    }
}

void filo_track_refresh_query(FiloQuery *query) {
    FiloTracking *tracking = query->tracking;
    filo_array_clear(&tracking->entered);
    filo_array_clear(&tracking->left);
    filo_map_each (&tracking->noted, i) {
        FiloEntity entity = { filo_map_key_at(&tracking->noted, i) };
        bool before = *(const bool *)filo_map_value_at(&tracking->noted, i);
        bool now = filo_query_matches(query, entity);
        if (now && !before) (void)filo_array_push(&tracking->entered, entity);
        if (before && !now) (void)filo_array_push(&tracking->left, entity);
    }
    filo_map_clear(&tracking->noted);
}

void filo_track_refresh(FiloWorld *world) {
    filo_array_each (&world->tracked, query)
        if ((*query)->owner == 0) filo_track_refresh_query(*query);
}

static const FiloEntity *list(const FiloQuery *query, size_t *count, bool entered) {
    *count = 0;
    if (!FILO_CHECK(query->tracking != NULL,
                    "this query does not keep who came and who left; make it with .tracked = true"))
        return NULL;
    *count = entered ? query->tracking->entered.count : query->tracking->left.count;
    return entered ? query->tracking->entered.items : query->tracking->left.items;
}

const FiloEntity *filo_query_entered(const FiloQuery *query, size_t *count) {
    return list(query, count, true);
}
const FiloEntity *filo_query_left(const FiloQuery *query, size_t *count) { return list(query, count, false); }
