// The components of a world: found by id, by type and by name. Registration is in component.c.
//
// A component has an id, counted from 1. `component_by_type` leads from the address of a type to the id; after a
// module was loaded again, several addresses lead to one id. `component_by_name` leads from the hash of the name to it.
// A small direct-mapped cache by address (FiloWorld.type_slots) saves the hash map for most look-ups by type.

#include "ecs/storage/components.h"

#include <filo/hash.h>

FILO_REFLECT(FiloEntityName, FILO_FIELD(FiloName, name))
FILO_REFLECT(FiloFamily, FILO_FIELD(FiloEntity, parent), FILO_FIELD(FiloEntity, first),
             FILO_FIELD(FiloEntity, last), FILO_FIELD(FiloEntity, next), FILO_FIELD(FiloEntity, previous))
FILO_REFLECT(FiloPrefab, FILO_FIELD(FiloEntity, base))

// ---- Finding --------------------------------------------------------------------------------------------

bool ecs_component_had_name(const EcsComponentData *component, FiloString name) {
    for (size_t i = 0; i < FILO_FORMER_NAMES && component->former[i].id != 0; i++)
        if (filo_string_equal(filo_name_string(component->former[i]), name)) return true;
    return false;
}

FiloComponent filo_component_of(const FiloWorld *world, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloComponent){ 0 };
    FiloComponent component = ecs_component_cached(world, type);
    if (FILO_LIKELY(component.id != 0)) return component;
    const uint32_t *id = filo_map_get(&world->component_by_type, (uint64_t)(uintptr_t)type);
    return (FiloComponent){ id != NULL ? *id : 0 };
}

FiloComponent filo_component_named(const FiloWorld *world, const char *name) {
    if (!FILO_CHECK(world != NULL && name != NULL, "pass the name of a component"))
        return (FiloComponent){ 0 };
    const uint32_t *id = filo_map_get(&world->component_by_name, filo_hash_text(name));
    return (FiloComponent){ id != NULL ? *id : 0 };
}

FiloComponent filo_component_resolve(const FiloWorld *world, const char *name) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return (FiloComponent){ 0 };
    FiloComponent component = filo_component_named(world, name);
    const EcsComponentData *data = ecs_component_data(world, component);
    if (name == NULL || (data != NULL && strcmp(data->info.name, name) == 0)) return component;
    filo_array_each (&world->components, item)
        if (ecs_component_had_name(*item, filo_string(name))) return (FiloComponent){ (*item)->id };
    return (FiloComponent){ 0 };
}

const FiloComponentInfo *filo_component_info(const FiloWorld *world, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    const EcsComponentData *data = ecs_component_data(world, component);
    return data != NULL ? &data->info : NULL;
}

uint32_t filo_component_count(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") ? (uint32_t)world->components.count : 0;
}

bool filo_component_changed(const FiloWorld *world, FiloComponent component, FiloSeen seen) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    const EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(data != NULL, "this component is not registered") ||
        !FILO_CHECK(!data->in_table,
                    "component %s is stored in tables: iterate over a query that asks for changes",
                    data->info.name))
        return false;
    if (seen.version == 0 || seen.restored != world->restored) return true;
    return __atomic_load_n(data->version, __ATOMIC_RELAXED) > seen.version;
}

// ---- After a mistake --------------------------------------------------------------------------------------

// Of each thread, so that what a program reads back does not depend on other threads.
static FILO_THREAD_LOCAL _Alignas(FILO_CACHE_LINE) uint8_t small_dummy[1024];
static _Alignas(FILO_CACHE_LINE) uint8_t large_dummy[FILO_MIB(1)];

void *ecs_dummy_value(const EcsComponentData *data, size_t size) {
    uint8_t *dummy = size <= sizeof small_dummy ? small_dummy : large_dummy;
    if (size == 0 || size > sizeof large_dummy) return NULL;
    if (data != NULL && data->default_value != NULL && data->size == size)
        memcpy(dummy, data->default_value, size);
    else
        memset(dummy, 0, size);
    return dummy;
}

void *ecs_dummy_of_type(const FiloWorld *world, const FiloType *type) {
    if (type == NULL) return NULL;
    FiloComponent component = { 0 };
    if (world != NULL) component = filo_component_of(world, type);
    return ecs_dummy_value(component.id != 0 ? ecs_component_data(world, component) : NULL, type->size);
}

// ---- With the world -------------------------------------------------------------------------------------

FiloResult ecs_components_init(FiloWorld *world) {
    ecs_fast_paths_init(world);
    filo_array_init(&world->components, world->allocator);
    filo_map_init(&world->component_by_type, sizeof(uint32_t), world->allocator);
    filo_map_init(&world->component_by_name, sizeof(uint32_t), world->allocator);
    world->family =
        ecs_component_data(world, filo_component(world, FiloFamily, .storage = FILO_STORAGE_SPARSE));
    world->entity_name =
        ecs_component_data(world, filo_component(world, FiloEntityName, .storage = FILO_STORAGE_SPARSE));
    world->prefab =
        ecs_component_data(world, filo_component(world, FiloPrefab, .storage = FILO_STORAGE_SPARSE));
    if (world->family == NULL || world->entity_name == NULL || world->prefab == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for a world");
    world->family->settable = world->entity_name->settable = false;
    ecs_fast_path_update(world, world->family);
    ecs_fast_path_update(world, world->entity_name);
    return filo_ok();
}

void ecs_components_deinit(FiloWorld *world) {
    filo_array_each (&world->components, item) { ecs_component_destroy(world, *item); }
    filo_array_deinit(&world->components);
    filo_map_deinit(&world->component_by_type);
    filo_map_deinit(&world->component_by_name);
}
