// Pending notifications of observers in snapshots: the notes of each observed component, if there are any, in one
// section, and the last values of removed components in another.
//
// Restoring creates no observers. Notes of a component that is not observed now are dropped. An observed component of
// which the snapshot has no notes has none afterwards.

#include "ecs/observe/observe.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/rows.h"

typedef struct WatchHeader {
    uint64_t count, removed_count; // entities of notes, removed entities and flags of notes follow
} WatchHeader;

#define PART_NOTES  0
#define PART_VALUES 1

static uint64_t part_key(const EcsComponentData *component, uint64_t part) {
    return ecs_section_key(ECS_SECTION_WATCH, (uint64_t)component->id << 1 | part);
}

// ---- Taking ---------------------------------------------------------------------------------------------

static uint8_t *write_bytes(uint8_t *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return to + size;
}

static void write_notes(EcsSnapshotWriter *writer, const EcsWatch *watch) {
    WatchHeader header = { watch->notes.count, watch->removed_count };
    uint8_t *to =
        ecs_snapshot_section(writer, part_key(watch->component, PART_NOTES),
                             sizeof header + header.count * (sizeof(FiloEntity) + sizeof(uint32_t)) +
                                 header.removed_count * sizeof(FiloEntity));
    if (to == NULL) return;
    to = write_bytes(to, &header, sizeof header);
    to = write_bytes(to, watch->notes.entities, header.count * sizeof(FiloEntity));
    to = write_bytes(to, watch->removed, header.removed_count * sizeof(FiloEntity));
    for (uint32_t i = 0; i < header.count; i++) {
        uint32_t flags = ecs_note_flags(&watch->notes, i);
        to = write_bytes(to, &flags, sizeof flags);
    }
}

static void write_values(EcsSnapshotWriter *writer, const EcsWatch *watch) {
    const EcsComponentData *component = watch->component;
    size_t size = watch->removed_count * component->size;
    if (size == 0 || component->info.transient) return;
    uint8_t *to = ecs_snapshot_section(writer, part_key(component, PART_VALUES), size);
    if (!component->plain) ecs_snapshot_count_hooks(writer, component);
    if (to == NULL) return;
    if (component->plain)
        memcpy(to, watch->values, size);
    else
        ecs_snapshot_copy_values(writer, component, to, watch->values, watch->removed_count);
}

void ecs_snapshot_write_watches(EcsSnapshotWriter *writer) {
    filo_array_each (&writer->world->watches, watch) {
        if ((*watch)->notes.count == 0) continue;
        write_notes(writer, *watch);
        write_values(writer, *watch);
    }
}

// ---- Restoring ------------------------------------------------------------------------------------------

typedef struct SavedWatch {
    WatchHeader header;
    const uint8_t *entities, *removed, *flags; // perhaps not aligned
    const uint8_t *values;                     // NULL: none
} SavedWatch;

// All zero if the snapshot has nothing of the component.
static SavedWatch saved_watch(const FiloSnapshot *snapshot, const EcsComponentData *component) {
    SavedWatch saved = { 0 };
    const EcsSection *notes = ecs_snapshot_find(snapshot, part_key(component, PART_NOTES));
    const EcsSection *values = ecs_snapshot_find(snapshot, part_key(component, PART_VALUES));
    if (notes == NULL) return saved;
    const uint8_t *from = ecs_snapshot_bytes(snapshot, notes);
    memcpy(&saved.header, from, sizeof saved.header);
    saved.entities = from + sizeof saved.header;
    saved.removed = saved.entities + saved.header.count * sizeof(FiloEntity);
    saved.flags = saved.removed + saved.header.removed_count * sizeof(FiloEntity);
    if (values != NULL) saved.values = ecs_snapshot_bytes(snapshot, values);
    return saved;
}

static FiloEntity entity_at(const uint8_t *entities, size_t n) {
    FiloEntity entity;
    memcpy(&entity, entities + n * sizeof entity, sizeof entity);
    return entity;
}

bool ecs_restore_prepare_watches(EcsRestore *restore) {
    const FiloWorld *world = restore->world;
    filo_array_each (&world->watches, watch) {
        SavedWatch saved = saved_watch(restore->snapshot, (*watch)->component);
        size_t end = 0;
        for (size_t i = 0; i < saved.header.count; i++)
            end = FILO_MAX(end, (size_t)(uint32_t)entity_at(saved.entities, i).id + 1);
        if (!ecs_notes_reserve(&(*watch)->notes, world, saved.header.count, end) ||
            !ecs_watch_reserve_removed(world, *watch, saved.header.removed_count))
            return false;
    }
    return true;
}

// Memory is reserved.
static void restore_watch(const FiloWorld *world, EcsWatch *watch, const SavedWatch *saved) {
    const EcsComponentData *component = watch->component;
    for (size_t i = 0; i < saved->header.count; i++) {
        uint32_t flags, entry = ecs_notes_put(&watch->notes, world, entity_at(saved->entities, i));
        memcpy(&flags, saved->flags + i * sizeof flags, sizeof flags);
        ecs_note_set_flags(&watch->notes, entry, flags);
        watch->others += flags != (ECS_NOTE_VALID | ECS_NOTE_HAS);
    }
    watch->removed_count = saved->header.removed_count;
    for (size_t i = 0; i < watch->removed_count; i++) {
        watch->removed[i] = entity_at(saved->removed, i);
        if (component->size == 0) continue;
        uint8_t *value = watch->values + i * component->size;
        ecs_value_construct(component, value);
        if (saved->values != NULL) ecs_value_assign(component, value, saved->values + i * component->size);
    }
}

void ecs_restore_commit_watches(EcsRestore *restore) {
    filo_array_each (&restore->world->watches, watch) {
        SavedWatch saved = saved_watch(restore->snapshot, (*watch)->component);
        ecs_watch_clear(*watch);
        restore_watch(restore->world, *watch, &saved);
    }
}
