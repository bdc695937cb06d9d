// The components of a snapshot, compared with those of a world; and worlds with the components of another.

#include "ecs/storage/components.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"

#include <filo/hash.h>
#include <filo/strings.h>

#define NAME_SIZE 44 // of the name in messages; names are compared by their hash

typedef struct SnapshotComponent {
    uint64_t layout, name_hash;
    uint32_t size;
    uint8_t storage, transient, plain, double_buffered;
    char name[NAME_SIZE];
    uint32_t unused_too;
} SnapshotComponent;

static SnapshotComponent describe(const EcsComponentData *component) {
    SnapshotComponent saved = { .layout = component->layout,
                                .name_hash = filo_hash_text(component->info.name),
                                .size = (uint32_t)component->size,
                                .storage = (uint8_t)component->info.storage,
                                .transient = component->info.transient,
                                .plain = component->plain,
                                .double_buffered = component->info.double_buffered };
    filo_string_copy(filo_string(component->info.name), saved.name, sizeof saved.name);
    return saved;
}

void ecs_snapshot_write_components(EcsSnapshotWriter *writer) {
    FiloWorld *world = writer->world;
    size_t count = world->components.count;
    SnapshotComponent *to = (void *)ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_COMPONENTS, 0),
                                                         count * sizeof(SnapshotComponent));
    for (size_t i = 0; i < count && to != NULL; i++) to[i] = describe(world->components.items[i]);
}

static const char *storage_name(unsigned storage) {
    static const char *const names[] = { "in tables", "sparse", "as an array", "as a map",
                                         "as tags",   "global", "by a holder" };
    return storage < FILO_COUNT_OF(names) ? names[storage] : "in an unknown way";
}

static FiloResult report_difference(const SnapshotComponent *saved, const SnapshotComponent *here,
                                    uint32_t id) {
    if (saved->name_hash != here->name_hash)
        return filo_error(
            FILO_ERROR_KIND,
            "component %u is %s in the snapshot and %s in the world; register in the same order", id,
            saved->name, here->name);
    if (saved->storage != here->storage)
        return filo_error(FILO_ERROR_KIND, "component %s is stored %s in the snapshot and %s in the world",
                          saved->name, storage_name(saved->storage), storage_name(here->storage));
    if (saved->transient != here->transient)
        return filo_error(FILO_ERROR_KIND, "component %s is transient in the %s only", saved->name,
                          saved->transient ? "snapshot" : "world");
    if (saved->plain != here->plain)
        return filo_error(FILO_ERROR_KIND, "component %s has hooks in the %s only", saved->name,
                          saved->plain ? "world" : "snapshot");
    if (saved->double_buffered != here->double_buffered)
        return filo_error(FILO_ERROR_KIND, "component %s is double-buffered in the %s only", saved->name,
                          saved->double_buffered ? "snapshot" : "world");
    return filo_error(FILO_ERROR_KIND, "component %s has another layout in the snapshot than in the world",
                      saved->name);
}

FiloResult ecs_restore_check_components(const FiloWorld *world, const FiloSnapshot *snapshot) {
    const EcsSection *section = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_COMPONENTS, 0));
    if (section == NULL) return filo_error(FILO_ERROR_DATA, "the snapshot is empty: take one first");
    const SnapshotComponent *saved = ecs_snapshot_bytes(snapshot, section);
    size_t count = section->size / sizeof *saved;
    for (uint32_t i = 0; i < count; i++) {
        if (i >= world->components.count)
            return filo_error(FILO_ERROR_KIND, "component %s of the snapshot is not registered in the world",
                              saved[i].name);
        SnapshotComponent here = describe(world->components.items[i]);
        if (memcmp(&saved[i], &here, sizeof here) != 0) return report_difference(&saved[i], &here, i + 1);
    }
    return filo_ok();
}

// ---- Worlds with the same components --------------------------------------------------------------------

static bool register_like(FiloWorld *world, const EcsComponentData *component, bool with_required) {
    FiloComponent made = ecs_component_register_like(world, component, with_required);
    return made.id == component->id && ecs_component_share_type(ecs_component_data(world, made), component);
}

FiloResult ecs_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc,
                                 bool with_required) {
    *world = NULL;
    FiloWorldDesc copy = desc != NULL ? *desc : (FiloWorldDesc){ .jobs = like->jobs };
    copy.seed = like->seed;
    FiloWorld *created;
    FiloResult result = filo_world_create(&created, &copy);
    if (result.code != FILO_OK) return result;
    bool complete = true;
    filo_array_each (&like->components, item)
        complete = complete && register_like(created, *item, with_required);
    if (complete && ecs_states_copy(created, like)) {
        *world = created;
        return filo_ok();
    }
    filo_world_destroy(created);
    return filo_error(FILO_ERROR_MEMORY, "no memory for a world with the same components");
}

FiloResult filo_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc) {
    if (world == NULL) return FILO_MISTAKE("pass where to put the world");
    *world = NULL;
    if (like == NULL) return FILO_MISTAKE("pass the world whose components the new one is to have");
    return ecs_world_create_like(world, like, desc, true);
}
