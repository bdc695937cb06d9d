// Providers: state outside of components.

#include "ecs/schedule/schedule.h"
#include "ecs/snapshot/snapshot.h"

#include <filo/hash.h>

// Created with the first provider; NULL without memory.
static EcsProviders *providers_of(FiloWorld *world) {
    if (world->providers != NULL) return world->providers;
    EcsProviders *providers = filo_alloc_zero(world->allocator, sizeof *providers, 0);
    if (providers == NULL) return NULL;
    filo_array_init(&providers->items, world->allocator);
    return world->providers = providers;
}

static void free_name(FiloWorld *world, const EcsProviderData *data) {
    char *name = (char *)(uintptr_t)data->provider.name; // a copy
    filo_free(world->allocator, name, strlen(name) + 1, 0);
}

void ecs_providers_deinit(FiloWorld *world) {
    EcsProviders *providers = world->providers;
    if (providers == NULL) return;
    filo_array_each (&providers->items, item) free_name(world, item);
    filo_array_deinit(&providers->items);
    filo_free(world->allocator, providers, sizeof *providers, 0);
    world->providers = NULL;
}

static size_t find(const EcsProviders *providers, uint64_t name_hash) {
    for (size_t i = 0; providers != NULL && i < providers->items.count; i++)
        if (providers->items.items[i].name_hash == name_hash) return i;
    return SIZE_MAX;
}

// 56 bits, as many as fit into the key of a section.
static uint64_t hash_name(const char *name) { return filo_hash_text(name) >> 8; }

bool filo_world_add_provider(FiloWorld *world, const FiloProvider *provider) {
    if (!FILO_CHECK(world != NULL && provider != NULL && provider->name != NULL &&
                        provider->name[0] != '\0' && provider->size != NULL && provider->save != NULL &&
                        provider->restore != NULL,
                    "a provider needs a name, size, save and restore"))
        return false;
    if (!FILO_CHECK(!ecs_is_running(world), "add provider %s between ticks", provider->name)) return false;
    EcsProviders *providers = providers_of(world);
    if (providers == NULL) return false;
    uint64_t hash = hash_name(provider->name);
    if (!FILO_CHECK(find(providers, hash) == SIZE_MAX, "the world has a provider %s already", provider->name))
        return false;
    size_t size = strlen(provider->name) + 1;
    char *name = filo_alloc(world->allocator, size, 0);
    if (name == NULL) return false;
    memcpy(name, provider->name, size);
    EcsProviderData data = { *provider, hash };
    data.provider.name = name;
    if (filo_array_push(&providers->items, data)) return true;
    filo_free(world->allocator, name, size, 0);
    return false;
}

bool filo_world_remove_provider(FiloWorld *world, const char *name) {
    if (!FILO_CHECK(world != NULL && name != NULL, "pass a world and the name of a provider")) return false;
    if (!FILO_CHECK(!ecs_is_running(world), "remove provider %s between ticks", name)) return false;
    size_t index = find(world->providers, hash_name(name));
    if (index == SIZE_MAX) return false;
    free_name(world, &world->providers->items.items[index]);
    filo_array_remove(&world->providers->items, index);
    return true;
}

// ---- Saving and restoring -------------------------------------------------------------------------------

// Copies the sections that were read from a file.
static void copy_sections(EcsSnapshotWriter *writer) {
    filo_array_each (&writer->providers->sections, section) {
        uint8_t *to = ecs_snapshot_section(writer, section->key, section->size);
        if (to != NULL) memcpy(to, ecs_snapshot_bytes(writer->providers, section), section->size);
    }
}

void ecs_snapshot_write_providers(EcsSnapshotWriter *writer) {
    FiloWorld *world = writer->world;
    if (writer->providers != NULL) {
        copy_sections(writer);
        return;
    }
    if (world->events != NULL) {
        uint8_t *to =
            ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_EVENTS, 0), ecs_pending_size(world));
        if (to != NULL) ecs_pending_save(world, to);
    }
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++) {
        const EcsProviderData *data = &world->providers->items.items[i];
        uint8_t *to = ecs_snapshot_section(writer, ecs_section_key(ECS_SECTION_PROVIDER, data->name_hash),
                                           data->provider.size(world, data->provider.user));
        if (to != NULL) data->provider.save(world, to, data->provider.user);
    }
}

static FiloResult restore_one(FiloWorld *world, const FiloSnapshot *snapshot, const EcsProviderData *data) {
    const EcsSection *section =
        ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_PROVIDER, data->name_hash));
    const void *bytes = section != NULL ? ecs_snapshot_bytes(snapshot, section) : NULL;
    FiloResult result =
        data->provider.restore(world, bytes, section != NULL ? section->size : 0, data->provider.user);
    if (result.code == FILO_OK) return result;
    return filo_error(result.code,
                      "provider %s: %s; what was restored before it (events, other providers) stays so",
                      data->provider.name, result.message);
}

FiloResult ecs_restore_providers(FiloWorld *world, const FiloSnapshot *snapshot) {
    const EcsSection *events = ecs_snapshot_find(snapshot, ecs_section_key(ECS_SECTION_EVENTS, 0));
    if (events != NULL && world->events != NULL) {
        FiloResult result = ecs_pending_restore(world, ecs_snapshot_bytes(snapshot, events), events->size);
        if (result.code != FILO_OK) return result;
    }
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++) {
        FiloResult result = restore_one(world, snapshot, &world->providers->items.items[i]);
        if (result.code != FILO_OK) return result;
    }
    return filo_ok();
}

uint64_t ecs_providers_hash(const FiloWorld *world) {
    // Hash functions take a world that is not const, but must not change it.
    FiloWorld *seen = (FiloWorld *)(uintptr_t)world;
    uint64_t sum = ecs_groups_hash(world) + (world->events != NULL ? ecs_pending_hash(world) : 0);
    for (size_t i = 0; world->providers != NULL && i < world->providers->items.count; i++) {
        const EcsProviderData *data = &world->providers->items.items[i];
        if (data->provider.hash == NULL) continue;
        sum += filo_hash_combine(data->name_hash, data->provider.hash(seen, data->provider.user));
    }
    return sum;
}
