// Components outside of tables: get, add and remove for any kind of holder.
//
// An entity that has, or had, such a component is marked in the directory (FiloWorld.outside). Destroying an entity
// that is not marked does not search the holders.

#include "ecs/storage/holder.h"
#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"

// What a function of a holder returned. An allocator reports that there is no memory; if none did, it is a mistake of the
// holder of a user.
static inline void *check_memory(void *memory, const EcsComponentData *component, const char *function) {
    (void)FILO_CHECK_MADE(
        memory != NULL, "component %s: `%s` of its holder \"%s\" returned NULL, but no memory was missing",
        component->info.name, function, component->interface->name != NULL ? component->interface->name : "");
    return memory;
}

void *ecs_holder_create(FiloWorld *world, const EcsComponentData *component) {
    void *holder = component->interface->create(component->size, component->align, world->allocator);
    (void)check_memory(holder, component, "create");
    if (holder != NULL && component->info.storage == FILO_STORAGE_ARRAY && component->info.hooks.move != NULL)
        ((EcsArrayHolder *)holder)->component = component;
    return holder;
}

void *ecs_holder_get(const FiloWorld *world, const EcsComponentData *component, FiloEntity entity) {
    switch (component->info.storage) {
    case FILO_STORAGE_SPARSE: return ecs_sparse_get(component->holder, entity);
    case FILO_STORAGE_ARRAY: return ecs_array_holder_get(component->holder, entity);
    case FILO_STORAGE_MAP: return component->interface->get(component->holder, entity);
    case FILO_STORAGE_TAG:
    case FILO_STORAGE_USER: // these do not store generations
        return ecs_record_find(world, entity) != NULL ? component->interface->get(component->holder, entity)
                                                      : NULL;
    case FILO_STORAGE_TABLE:
    case FILO_STORAGE_GLOBAL: break;
    }
    return NULL;
}

void *ecs_holder_add(FiloWorld *world, EcsComponentData *component, FiloEntity entity) {
    if (!ecs_entity_mark_outside(world, entity)) return NULL;
    if (FILO_UNLIKELY(component->watched)) ecs_track_component(world, entity, component);
    void *value = FILO_LIKELY(component->info.storage == FILO_STORAGE_SPARSE)
                      ? ecs_sparse_add(component->holder, entity)
                      : component->interface->add(component->holder, entity);
    if (check_memory(value, component, "add") == NULL) return NULL;
    if (component->size > 0) ecs_value_construct(component, value);
    *component->version = world->version;
    if (FILO_UNLIKELY(component->watch != NULL)) ecs_watch_added(world, component->watch, entity);
    return value;
}

bool ecs_holder_remove(FiloWorld *world, EcsComponentData *component, FiloEntity entity) {
    void *value = ecs_holder_get(world, component, entity);
    if (value == NULL) return false;
    if (FILO_UNLIKELY(component->watched)) ecs_track_component(world, entity, component);
    if (FILO_UNLIKELY(component->watch != NULL)) ecs_watch_removed(world, component->watch, entity, value);
    if (component->size > 0) ecs_value_destruct(component, value);
    if (FILO_LIKELY(component->info.storage == FILO_STORAGE_SPARSE))
        ecs_sparse_remove(component->holder, entity);
    else
        component->interface->remove(component->holder, entity);
    *component->version = world->version;
    return true;
}

void ecs_holders_remove_entity(FiloWorld *world, FiloEntity entity) {
    for (size_t i = 0; i < world->components.count; i++) {
        EcsComponentData *component = world->components.items[i];
        if (component->holder == NULL) continue;
        void *value = ecs_holder_get(world, component, entity);
        if (value == NULL) continue;
        if (FILO_UNLIKELY(component->watch != NULL))
            ecs_watch_removed(world, component->watch, entity, value);
        if (component->size > 0) ecs_value_destruct(component, value);
        component->interface->remove(component->holder, entity);
        *component->version = world->version;
    }
}
