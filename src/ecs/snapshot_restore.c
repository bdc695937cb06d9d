// Putting a world into the state of a snapshot: prepare, then events and providers, then commit. See
// FiloRestore in snapshot.h.

#include "ecs/changes.h"
#include "ecs/rows.h"
#include "ecs/schedule.h"
#include "ecs/snapshot.h"

static const FiloImageHeader *header_of(const FiloSnapshot *snapshot) {
    return filo_snapshot_at(snapshot, filo_snapshot_find(snapshot, filo_section_key(FILO_SECTION_HEADER, 0)));
}

static bool prepare_names(FiloRestore *restore) {
    const FiloSection *section =
        filo_snapshot_find(restore->snapshot, filo_section_key(FILO_SECTION_NAMES, 0));
    const uint64_t *pairs = filo_snapshot_at(restore->snapshot, section);
    size_t count = section->size / (2 * sizeof *pairs);
    if (!filo_map_reserve(&restore->names, count)) return false;
    for (size_t i = 0; i < count; i++) {
        FiloEntity entity = { pairs[i * 2 + 1] };
        if (!filo_map_set(&restore->names, pairs[i * 2], &entity)) return false;
    }
    return true;
}

static void commit_names(FiloRestore *restore) {
    FiloMap old = restore->world->names;
    restore->world->names = restore->names;
    restore->names = old;
}

static void commit_globals(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    filo_array_each (&world->components, item) {
        FiloComponentData *component = *item;
        if (component->global == NULL) continue;
        const FiloSection *section =
            filo_snapshot_find(restore->snapshot, filo_section_key(FILO_SECTION_GLOBAL, component->id));
        const uint8_t *from = section != NULL ? filo_snapshot_at(restore->snapshot, section) : NULL;
        if (from == NULL || !component->plain) {
            filo_value_destruct(component, component->global);
            filo_value_construct(component, component->global);
        }
        if (from != NULL) {
            filo_value_assign(component, component->global, from);
            memcpy(component->version, from + component->size, sizeof *component->version);
        } else {
            *component->version = world->version;
        }
    }
}

static void begin(FiloRestore *restore) {
    const FiloAllocator *allocator = restore->world->allocator;
    filo_array_init(&restore->blocks, allocator);
    filo_array_init(&restore->block_sizes, allocator);
    filo_array_init(&restore->tables, allocator);
    filo_array_init(&restore->holders, allocator);
    filo_map_init(&restore->names, sizeof(FiloEntity), allocator);
    restore->tables_before = restore->world->tables.count;
}

static void end(FiloRestore *restore) {
    filo_array_deinit(&restore->blocks);
    filo_array_deinit(&restore->block_sizes);
    filo_array_deinit(&restore->tables);
    filo_array_deinit(&restore->holders);
    filo_map_deinit(&restore->names);
}

static void commit(FiloRestore *restore) {
    FiloWorld *world = restore->world;
    world->seed = restore->header->seed;
    world->tick = restore->header->tick;
    world->version = restore->header->version;
    world->restored++;
    ecs_family_forget(world);
    world->schedule->span++;
    filo_changes_drop_waiting(world);
    commit_names(restore);
    commit_globals(restore);
    // Holders first: to destruct what they hold, they may ask who exists.
    filo_restore_commit_holders(restore);
    filo_restore_commit_tables(restore);
    filo_restore_commit_cursors(restore);
    filo_restore_commit_watches(restore);
}

FiloResult filo_snapshot_restore(const FiloSnapshot *snapshot, FiloWorld *world) {
    if (world == NULL || snapshot == NULL) return FILO_MISTAKE("pass a snapshot and a world");
    FiloResult result = filo_world_check_change(world, "restore a snapshot");
    if (result.code != FILO_OK) return result;
    result = filo_restore_check_components(world, snapshot);
    if (result.code != FILO_OK) return result;
    FiloRestore restore = { .world = world, .snapshot = snapshot, .header = header_of(snapshot) };
    begin(&restore);
    if (filo_restore_prepare_tables(&restore) && filo_restore_prepare_holders(&restore) &&
        filo_restore_prepare_cursors(&restore) && filo_restore_prepare_watches(&restore) &&
        prepare_names(&restore))
        result = filo_restore_providers(world, snapshot);
    else
        result = filo_error(FILO_ERROR_MEMORY, "no memory to restore a snapshot; the world is as it was");
    if (result.code == FILO_OK) {
        commit(&restore);
    } else {
        filo_restore_drop_holders(&restore);
        filo_restore_drop_tables(&restore);
    }
    end(&restore);
    return result;
}
