// Restoring the state of a snapshot: prepare, then events and providers, then commit. See snapshot.h.

#include "ecs/entity/entity.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"

static const EcsSnapshotName *names_of(const FiloSnapshot *snapshot, size_t *count) {
    const EcsSection *section = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_NAMES, 0));
    *count = 0;
    if (section == NULL || section->size == 0) return NULL;
    const EcsSnapshotName *names = ecs_snapshot_bytes(snapshot, section);
    *count = names->count;
    return names;
}

static bool prepare_names(EcsRestore *restore) {
    size_t count;
    const EcsSnapshotName *names = names_of(restore->snapshot, &count);
    if (count == 0) return true;
    const char *text = (const char *)(names + count);
    if (!filo_map_reserve(&restore->names, count) || !filo_array_reserve(&restore->name_ids, count))
        return false;
    for (size_t i = 0; i < count; text += names[i++].length + 1) {
        FiloName name;
        FiloResult result = filo_name_retain(&name, filo_string_from(text, names[i].length));
        if (result.code == FILO_ERROR_LIMIT) restore->result = result;
        if (result.code != FILO_OK) return false;
        (void)filo_array_push(&restore->name_ids, name); // cannot fail: memory is reserved
        if (!filo_map_set(&restore->names, names[i].hash, &names[i].entity)) return false;
    }
    return true;
}

static void commit_names(EcsRestore *restore) {
    ecs_names_clear(restore->world);
    ecs_names_flush(restore->world); // notifications of before are replaced by those of the snapshot
    FiloMap old = restore->world->names;
    restore->world->names = restore->names;
    restore->names = old;
}

// Sets the present ids of names in the restored values.
static void commit_name_ids(EcsRestore *restore) {
    size_t count;
    const EcsSnapshotName *names = names_of(restore->snapshot, &count);
    for (size_t i = 0; i < count; i++) {
        FiloEntityName *name = ecs_sparse_get(restore->world->entity_name->holder, names[i].entity);
        if (name != NULL) name->name = restore->name_ids.items[i];
    }
    filo_array_clear(&restore->name_ids); // the world owns them now
}

static void commit_globals(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    filo_array_each (&world->components, item) {
        EcsComponentData *component = *item;
        if (component->global == NULL) continue;
        const EcsSection *section =
            ecs_snapshot_find(restore->snapshot, ecs_section_key(ECS_SECTION_GLOBAL, component->id));
        const uint8_t *from = section != NULL ? ecs_snapshot_bytes(restore->snapshot, section) : NULL;
        if (from == NULL || !component->plain) {
            ecs_value_destruct(component, component->global);
            ecs_value_construct(component, component->global);
        }
        if (from != NULL) {
            ecs_value_assign(component, component->global, from);
            memcpy(component->version, from + component->size, sizeof *component->version);
        } else {
            *component->version = world->version;
        }
    }
}

static void begin(EcsRestore *restore) {
    const FiloAllocator *allocator = restore->world->allocator;
    filo_array_init(&restore->blocks, allocator);
    filo_array_init(&restore->block_sizes, allocator);
    filo_array_init(&restore->tables, allocator);
    filo_array_init(&restore->holders, allocator);
    filo_map_init(&restore->names, sizeof(FiloEntity), allocator);
    filo_array_init(&restore->name_ids, allocator);
    restore->tables_before = restore->world->tables.count;
}

static void end(EcsRestore *restore) {
    filo_array_deinit(&restore->blocks);
    filo_array_deinit(&restore->block_sizes);
    filo_array_deinit(&restore->tables);
    filo_array_deinit(&restore->holders);
    filo_map_deinit(&restore->names);
    filo_array_each (&restore->name_ids, name) filo_name_release(*name);
    filo_array_deinit(&restore->name_ids);
}

// With the restored seed, which an initial state may depend on.
static FiloResult restore_providers(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    uint64_t seed = world->seed;
    world->seed = restore->header->seed;
    FiloResult result = ecs_restore_providers(world, restore->snapshot);
    if (result.code != FILO_OK) world->seed = seed;
    return result;
}

static void commit(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    world->tick = restore->header->tick;
    world->version = restore->header->version;
    world->restored++;
    ecs_family_reset_reparented(world);
    world->schedule->span++;
    ecs_changes_drop_submitted(world);
    commit_names(restore);
    commit_globals(restore);
    // Holders before tables: when their values are destructed, hooks may test which entities exist.
    ecs_restore_commit_holders(restore);
    commit_name_ids(restore);
    ecs_restore_commit_tables(restore);
    ecs_restore_commit_cursors(restore);
    ecs_restore_commit_watches(restore);
}

FiloResult filo_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world) {
    if (world == NULL || snapshot == NULL) return FILO_MISTAKE("pass a snapshot and a world");
    FiloResult result = ecs_check_restore(world, "restore a snapshot");
    if (result.code != FILO_OK) return result;
    result = ecs_restore_check_components(world, snapshot);
    return result.code == FILO_OK ? ecs_snapshot_restore(snapshot, world) : result;
}

FiloResult ecs_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world) {
    FiloResult result;
    EcsRestore restore = { .world = world, .snapshot = snapshot, .header = ecs_snapshot_header(snapshot) };
    begin(&restore);
    if (ecs_restore_prepare_tables(&restore) && ecs_restore_prepare_holders(&restore) &&
        ecs_restore_prepare_cursors(&restore) && ecs_restore_prepare_watches(&restore) &&
        prepare_names(&restore))
        result = restore_providers(&restore);
    else if (restore.result.code != FILO_OK)
        result = filo_error(restore.result.code, "%s; the world is as it was", restore.result.message);
    else
        result = filo_error(FILO_ERROR_MEMORY, "no memory to restore a snapshot; the world is as it was");
    if (result.code == FILO_OK) {
        commit(&restore);
    } else {
        ecs_restore_drop_holders(&restore);
        ecs_restore_drop_tables(&restore);
    }
    end(&restore);
    return result;
}
