// Since when components count as changed, for each query and system, and what entered and left tracked queries. One
// section of 64-bit words:
//
//   counts     of queries, systems and observers
//   events     the point up to which those of observers were counted, and how many
//   queries    hash, last version, whether it is tracked; if so: three counts, noted entities (with their flags),
//              entered, left
//   systems    hash of the name, the two versions
//   observers  number, whether it is to be notified of all that exist
//
// Restoring creates no queries and systems. For one that the snapshot does not have, everything counts as changed, and
// nothing entered or left.

#include "ecs/observe/observe.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"

// ---- Taking ---------------------------------------------------------------------------------------------

static size_t query_words(const FiloQuery *query) {
    if (query->tracking == NULL) return 3;
    return 3 + 3 + (size_t)query->tracking->notes.count * 2 + query->tracking->entered.count +
           query->tracking->left.count;
}

static uint64_t *write_entities(uint64_t *to, const FiloEntity *entities, size_t count) {
    for (size_t i = 0; i < count; i++) *to++ = entities[i].id;
    return to;
}

static uint64_t *write_query(uint64_t *to, const FiloQuery *query) {
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
    to = write_entities(to, tracking->entered.items, tracking->entered.count);
    return write_entities(to, tracking->left.items, tracking->left.count);
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
        to = write_query(to, query);
    filo_array_each (&schedule->systems, item) {
        *to++ = filo_name_hash((*item)->key);
        *to++ = (*item)->since;
        *to++ = (*item)->last_version;
    }
    filo_array_each (&world->observers, item) {
        *to++ = (*item)->system.number;
        *to++ = (*item)->reports_existing;
    }
}

// ---- Restoring ------------------------------------------------------------------------------------------

typedef struct SavedQuery {
    uint64_t hash;
    uint64_t last_version;
    bool tracked;
    size_t noted_count, entered_count, left_count;
    const uint64_t *noted, *entered, *left;
} SavedQuery;

static const uint64_t *read_query(const uint64_t *from, SavedQuery *saved) {
    *saved = (SavedQuery){ .hash = from[0], .last_version = from[1], .tracked = from[2] != 0 };
    from += 3;
    if (!saved->tracked) return from;
    saved->noted_count = (size_t)from[0];
    saved->entered_count = (size_t)from[1];
    saved->left_count = (size_t)from[2];
    saved->noted = from + 3;
    saved->entered = saved->noted + saved->noted_count * 2;
    saved->left = saved->entered + saved->entered_count;
    return saved->left + saved->left_count;
}

static FiloQuery *find_query(const FiloWorld *world, const SavedQuery *saved) {
    for (FiloQuery *query = ecs_query_with_hash(world, saved->hash); query != NULL;
         query = query->next_with_hash)
        if ((query->tracking != NULL) == saved->tracked) return query;
    return NULL;
}

static const uint64_t *cursors_of(const EcsRestore *restore) {
    static const uint64_t none[5] = { 0 };
    const EcsSection *section = ecs_snapshot_find(restore->snapshot, ecs_section_key(ECS_SECTION_CURSORS, 0));
    return section != NULL ? ecs_snapshot_bytes(restore->snapshot, section) : none;
}

bool ecs_restore_prepare_cursors(EcsRestore *restore) {
    const uint64_t *from = cursors_of(restore), count = from[0];
    from += 5;
    for (uint64_t i = 0; i < count; i++) {
        SavedQuery saved;
        from = read_query(from, &saved);
        FiloQuery *query = find_query(restore->world, &saved);
        if (query == NULL || !saved.tracked) continue;
        EcsTracking *tracking = query->tracking;
        size_t end = 0;
        for (size_t k = 0; k < saved.noted_count; k++)
            end = FILO_MAX(end, (size_t)(uint32_t)saved.noted[k * 2] + 1);
        if (!ecs_notes_reserve(&tracking->notes, restore->world, saved.noted_count, end) ||
            !filo_array_reserve(&tracking->entered,
                                FILO_MAX(saved.entered_count, tracking->entered.capacity)) ||
            !filo_array_reserve(&tracking->left, FILO_MAX(saved.left_count, tracking->left.capacity)))
            return false;
    }
    return true;
}

// Memory is reserved.
static void restore_query(FiloQuery *query, const SavedQuery *saved) {
    query->last_version = saved->last_version;
    EcsTracking *tracking = query->tracking;
    if (tracking == NULL) return;
    for (size_t i = 0; i < saved->noted_count; i++) {
        uint32_t entry = ecs_notes_put(&tracking->notes, query->world, (FiloEntity){ saved->noted[i * 2] });
        ecs_note_set_flags(&tracking->notes, entry, (uint32_t)saved->noted[i * 2 + 1]);
    }
    for (size_t i = 0; i < saved->entered_count; i++)
        (void)filo_array_push(&tracking->entered, (FiloEntity){ saved->entered[i] });
    for (size_t i = 0; i < saved->left_count; i++)
        (void)filo_array_push(&tracking->left, (FiloEntity){ saved->left[i] });
}

static void restore_systems(EcsSchedule *schedule, const uint64_t *from, uint64_t count) {
    filo_array_each (&schedule->systems, item) {
        EcsSystem *system = *item;
        uint64_t key = filo_name_hash(system->key);
        system->since = system->last_version = 0;
        for (uint64_t i = 0; i < count; i++)
            if (from[i * 3] == key) {
                system->since = from[i * 3 + 1];
                system->last_version = from[i * 3 + 2];
            }
    }
}

// An observer that the snapshot does not have stays as it is.
static void restore_observers(FiloWorld *world, const uint64_t *from, uint64_t count) {
    filo_array_each (&world->observers, item)
        for (uint64_t i = 0; i < count; i++)
            if (from[i * 2] == (*item)->system.number) (*item)->reports_existing = from[i * 2 + 1] != 0;
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
    const uint64_t *from = cursors_of(restore), query_count = from[0], system_count = from[1];
    uint64_t observer_count = from[2];
    world->observer_point = from[3];
    world->observer_records = from[4];
    from += 5;
    for (uint64_t i = 0; i < query_count; i++) {
        SavedQuery saved;
        from = read_query(from, &saved);
        FiloQuery *query = find_query(world, &saved);
        if (query != NULL) restore_query(query, &saved);
    }
    restore_systems(world->schedule, from, system_count);
    restore_observers(world, from + system_count * 3, observer_count);
}
