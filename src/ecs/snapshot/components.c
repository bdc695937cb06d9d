// Which components a snapshot is of; and worlds with the components of another.

#include "ecs/storage/components.h"
#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/component.h"
#include "ecs/world.h"

#include <filo/hash.h>
#include <filo/strings.h>

#define NAME_SIZE 44 // of the name in messages; the whole is compared by its hash

typedef struct ComponentImage {
    uint64_t layout, name_hash;
    uint32_t size;
    uint8_t storage, transient, plain, unused;
    char name[NAME_SIZE];
    uint32_t unused_too;
} ComponentImage;

static ComponentImage describe(const EcsComponentData *component) {
    ComponentImage image = { .layout = component->layout,
                             .name_hash = filo_hash_text(component->info.name),
                             .size = (uint32_t)component->size,
                             .storage = (uint8_t)component->info.storage,
                             .transient = component->info.transient,
                             .plain = component->plain };
    filo_string_copy(filo_string(component->info.name), image.name, sizeof image.name);
    return image;
}

void ecs_snapshot_write_components(EcsSnapshotWriter *writer) {
    FiloWorld *world = writer->world;
    size_t count = world->components.count;
    ComponentImage *to = (void *)ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_COMPONENTS, 0),
                                                      count * sizeof(ComponentImage));
    for (size_t i = 0; i < count && to != NULL; i++) to[i] = describe(world->components.items[i]);
}

static const char *storage_name(unsigned storage) {
    static const char *const names[] = { "in tables", "sparse", "as an array", "as a map",
                                         "as tags",   "global", "by a holder" };
    return storage < FILO_COUNT_OF(names) ? names[storage] : "in an unknown way";
}

static FiloResult compare(const ComponentImage *kept, const ComponentImage *here, uint32_t id) {
    if (kept->name_hash != here->name_hash)
        return filo_error(
            FILO_ERROR_KIND,
            "component %u is %s in the snapshot and %s in the world; register in the same order", id,
            kept->name, here->name);
    if (kept->storage != here->storage)
        return filo_error(FILO_ERROR_KIND, "component %s is stored %s in the snapshot and %s in the world",
                          kept->name, storage_name(kept->storage), storage_name(here->storage));
    if (kept->transient != here->transient)
        return filo_error(FILO_ERROR_KIND, "component %s is transient in the %s only", kept->name,
                          kept->transient ? "snapshot" : "world");
    if (kept->plain != here->plain)
        return filo_error(FILO_ERROR_KIND, "component %s has hooks in the %s only", kept->name,
                          kept->plain ? "world" : "snapshot");
    return filo_error(FILO_ERROR_KIND, "component %s has another layout in the snapshot than in the world",
                      kept->name);
}

FiloResult ecs_restore_check_components(const FiloWorld *world, const FiloSnapshot *snapshot) {
    const EcsSection *section = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_COMPONENTS, 0));
    if (section == NULL) return filo_error(FILO_ERROR_DATA, "the snapshot is empty: take one first");
    const ComponentImage *kept = ecs_snapshot_at(snapshot, section);
    size_t count = section->size / sizeof *kept;
    for (uint32_t i = 0; i < count; i++) {
        if (i >= world->components.count)
            return filo_error(FILO_ERROR_KIND, "component %s of the snapshot is not registered in the world",
                              kept[i].name);
        ComponentImage here = describe(world->components.items[i]);
        if (memcmp(&kept[i], &here, sizeof here) != 0) return compare(&kept[i], &here, i + 1);
    }
    return filo_ok();
}

// ---- The same components --------------------------------------------------------------------------------

static bool register_like(FiloWorld *world, const EcsComponentData *component, bool with_required) {
    FiloComponent made = ecs_component_register_like(world, component, with_required);
    return made.id == component->id && ecs_component_share_type(ecs_component_data(world, made), component);
}

FiloResult ecs_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc,
                                 bool with_required) {
    *world = NULL;
    FiloWorldDesc own = desc != NULL ? *desc : (FiloWorldDesc){ .jobs = like->jobs };
    own.seed = like->seed;
    FiloWorld *made;
    FiloResult result = filo_world_create(&made, &own);
    if (result.code != FILO_OK) return result;
    filo_array_each (&like->components, item)
        if (!register_like(made, *item, with_required)) {
            filo_world_destroy(made);
            return filo_error(FILO_ERROR_MEMORY, "no memory for a world with the same components");
        }
    if (!ecs_states_copy(made, like)) {
        filo_world_destroy(made);
        return filo_error(FILO_ERROR_MEMORY, "no memory for a world with the same components");
    }
    *world = made;
    return filo_ok();
}

FiloResult filo_world_create_like(FiloWorld **world, const FiloWorld *like, const FiloWorldDesc *desc) {
    if (world == NULL) return FILO_MISTAKE("pass where to put the world");
    *world = NULL;
    if (like == NULL) return FILO_MISTAKE("pass the world whose components the new one is to have");
    return ecs_world_create_like(world, like, desc, true);
}
