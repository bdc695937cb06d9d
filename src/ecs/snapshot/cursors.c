// Since when things count as changed, for each query and system, and who came into and left tracked queries:
// one section of 64-bit words.
//
//   queries    hash, last version; with tracking: three counts, entities that were noted (with their flags),
//              entered, left
//   systems    hash of the name, the two versions
//   observers  number, whether it is to be told of all that exist
//   events     the point up to which those of observers were counted, and how many
//
// What observers of components are to be told is in snapshot_watches.c.
//
// Queries and systems are not made by restoring. One that the snapshot does not know sees everything as
// changed, and nobody as come or gone.

#include "ecs/observe/observe.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/world.h"

// ---- Taking ---------------------------------------------------------------------------------------------

static size_t query_words(const FiloQuery *query) {
    if (query->tracking == NULL) return 3;
    return 3 + 3 + (size_t)query->tracking->notes.count * 2 + query->tracking->entered.count +
           query->tracking->left.count;
}

static uint64_t *put_entities(uint64_t *to, const FiloEntity *entities, size_t count) {
    for (size_t i = 0; i < count; i++) *to++ = entities[i].id;
    return to;
}

static uint64_t *put_query(uint64_t *to, const FiloQuery *query) {
    const EcsTracking *tracking = query->tracking;
    *to++ = query->hash;
    *to++ = query->last_version;
    *to++ = tracking != NULL;
    if (tracking == NULL) return to;
    *to++ = tracking->notes.count;
    *to++ = tracking->entered.count;
    *to++ = tracking->left.count;
    for (uint32_t i = 0; i < tracking->notes.count; i++) {
        *to++ = tracking->notes.entities[i].id;
        *to++ = ecs_note_flags(&tracking->notes, i);
    }
    to = put_entities(to, tracking->entered.items, tracking->entered.count);
    return put_entities(to, tracking->left.items, tracking->left.count);
}

void ecs_snapshot_write_cursors(EcsSnapshotWriter *writer) {
    const FiloWorld *world = writer->world;
    const EcsSchedule *schedule = world->schedule;
    size_t words = 5 + 3 * schedule->systems.count + 2 * world->observers.count, queries = 0;
    for (const FiloQuery *query = world->queries; query != NULL; query = query->next, queries++)
        words += query_words(query);
    uint64_t *to = (void *)ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_CURSORS, 0),
                                                words * sizeof(uint64_t));
    if (to == NULL) return;
    *to++ = queries;
    *to++ = schedule->systems.count;
    *to++ = world->observers.count;
    *to++ = world->observer_point;
    *to++ = world->observer_records;
    for (const FiloQuery *query = world->queries; query != NULL; query = query->next)
        to = put_query(to, query);
    filo_array_each (&schedule->systems, item) {
        *to++ = filo_name_hash((*item)->key);
        *to++ = (*item)->since;
        *to++ = (*item)->last_version;
    }
    filo_array_each (&world->observers, item) {
        *to++ = (*item)->system.number;
        *to++ = (*item)->fresh;
    }
}

// ---- Restoring ------------------------------------------------------------------------------------------

typedef struct KeptQuery {
    uint64_t hash;
    uint64_t last_version;
    bool tracked;
    size_t noted_count, entered_count, left_count;
    const uint64_t *noted, *entered, *left;
} KeptQuery;

static const uint64_t *read_query(const uint64_t *from, KeptQuery *kept) {
    *kept = (KeptQuery){ .hash = from[0], .last_version = from[1], .tracked = from[2] != 0 };
    from += 3;
    if (!kept->tracked) return from;
    kept->noted_count = (size_t)from[0];
    kept->entered_count = (size_t)from[1];
    kept->left_count = (size_t)from[2];
    kept->noted = from + 3;
    kept->entered = kept->noted + kept->noted_count * 2;
    kept->left = kept->entered + kept->entered_count;
    return kept->left + kept->left_count;
}

static FiloQuery *find_query(const FiloWorld *world, const KeptQuery *kept) {
    for (FiloQuery *query = world->queries; query != NULL; query = query->next)
        if (query->hash == kept->hash && (query->tracking != NULL) == kept->tracked) return query;
    return NULL;
}

static const uint64_t *words_of(const EcsRestore *restore) {
    return ecs_snapshot_at(restore->snapshot,
                           ecs_snapshot_find(restore->snapshot, ecs_section_key(ECS_SECTION_CURSORS, 0)));
}

bool ecs_restore_prepare_cursors(EcsRestore *restore) {
    const uint64_t *from = words_of(restore), count = from[0];
    from += 5;
    for (uint64_t i = 0; i < count; i++) {
        KeptQuery kept;
        from = read_query(from, &kept);
        FiloQuery *query = find_query(restore->world, &kept);
        if (query == NULL || !kept.tracked) continue;
        EcsTracking *tracking = query->tracking;
        size_t end = 0;
        for (size_t k = 0; k < kept.noted_count; k++)
            end = FILO_MAX(end, (size_t)(uint32_t)kept.noted[k * 2] + 1);
        if (!ecs_notes_reserve(&tracking->notes, restore->world, kept.noted_count, end) ||
            !filo_array_reserve(&tracking->entered,
                                FILO_MAX(kept.entered_count, tracking->entered.capacity)) ||
            !filo_array_reserve(&tracking->left, FILO_MAX(kept.left_count, tracking->left.capacity)))
            return false;
    }
    return true;
}

// There is room for all.
static void restore_query(FiloQuery *query, const KeptQuery *kept) {
    query->last_version = kept->last_version;
    EcsTracking *tracking = query->tracking;
    if (tracking == NULL) return;
    for (size_t i = 0; i < kept->noted_count; i++) {
        uint32_t entry = ecs_notes_put(&tracking->notes, query->world, (FiloEntity){ kept->noted[i * 2] });
        ecs_note_set_flags(&tracking->notes, entry, (uint32_t)kept->noted[i * 2 + 1]);
    }
    for (size_t i = 0; i < kept->entered_count; i++)
        (void)filo_array_push(&tracking->entered, (FiloEntity){ kept->entered[i] });
    for (size_t i = 0; i < kept->left_count; i++)
        (void)filo_array_push(&tracking->left, (FiloEntity){ kept->left[i] });
}

static void restore_systems(EcsSchedule *schedule, const uint64_t *from, uint64_t count) {
    filo_array_each (&schedule->systems, item) {
        FiloSystem *system = *item;
        uint64_t key = filo_name_hash(system->key);
        system->since = system->last_version = 0;
        for (uint64_t i = 0; i < count; i++)
            if (from[i * 3] == key) {
                system->since = from[i * 3 + 1];
                system->last_version = from[i * 3 + 2];
            }
    }
}

// One that the snapshot does not know stays as it is.
static void restore_observers(FiloWorld *world, const uint64_t *from, uint64_t count) {
    filo_array_each (&world->observers, item)
        for (uint64_t i = 0; i < count; i++)
            if (from[i * 2] == (*item)->system.number) (*item)->fresh = from[i * 2 + 1] != 0;
}

void ecs_restore_commit_cursors(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    for (FiloQuery *query = world->queries; query != NULL; query = query->next) {
        query->last_version = 0;
        if (query->tracking == NULL) continue;
        ecs_notes_clear(&query->tracking->notes);
        query->tracking->partition = NULL; // its table may be gone
        filo_array_clear(&query->tracking->entered);
        filo_array_clear(&query->tracking->left);
    }
    const uint64_t *from = words_of(restore), query_count = from[0], system_count = from[1];
    uint64_t observer_count = from[2];
    world->observer_point = from[3];
    world->observer_records = from[4];
    from += 5;
    for (uint64_t i = 0; i < query_count; i++) {
        KeptQuery kept;
        from = read_query(from, &kept);
        FiloQuery *query = find_query(world, &kept);
        if (query != NULL) restore_query(query, &kept);
    }
    restore_systems(world->schedule, from, system_count);
    restore_observers(world, from + system_count * 3, observer_count);
}
