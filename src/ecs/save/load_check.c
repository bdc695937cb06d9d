// Checks of the entities of a world that is loaded. Without these, functions that follow references might never end.
//
// Names are unique, and in the world's map. An entity with a parent is in the list of its parent's children, which
// ends, and no entity is its own ancestor.

#include "ecs/save/load.h"
#include "ecs/storage/holder.h"

// Adds the names to the world's map.
static FiloResult check_names(FiloWorld *world) {
    const EcsComponentData *component = world->entity_name;
    FiloEntity entity;
    for (uint64_t cursor = 0; component->interface->next(component->holder, &cursor, &entity);) {
        const FiloEntityName *name = component->interface->get(component->holder, entity);
        FiloString text = filo_name_string(name->name);
        if (text.length == 0 || memchr(text.data, '\0', text.length) != NULL)
            return ecs_load_damaged("an entity has an empty name");
        uint64_t hash = filo_name_hash(name->name);
        if (filo_map_has(&world->names, hash)) return ecs_load_damaged("two entities have the same name");
        FiloName counted; // released with the entry of the map
        FiloResult result = filo_name_retain(&counted, text);
        if (result.code != FILO_OK) return result;
        if (!filo_map_set(&world->names, hash, &entity)) {
            filo_name_release(counted);
            return ecs_load_no_memory();
        }
    }
    return filo_ok();
}

// ---- Families -------------------------------------------------------------------------------------------

static const FiloFamily *family_of(const FiloWorld *world, FiloEntity entity) {
    return entity.id != 0 ? ecs_holder_get(world, world->family, entity) : NULL;
}

// Checks the list of children in both directions, and counts them.
static bool children_are_valid(const FiloWorld *world, FiloEntity parent, const FiloFamily *family,
                               size_t limit, size_t *count) {
    FiloEntity before = FILO_ENTITY_NONE;
    for (FiloEntity child = family->first; child.id != 0;) {
        const FiloFamily *its = family_of(world, child);
        if (its == NULL || its->parent.id != parent.id || its->previous.id != before.id || ++*count > limit)
            return false;
        before = child;
        child = its->next;
    }
    return family->last.id == before.id;
}

// Walks from each entity to its ancestors, up to the first that was visited before. `marks`, by index: 1 for those
// whose ancestors have no cycle, 2 for those of the present walk.
static bool has_cycle(const FiloWorld *world, uint8_t *marks) {
    FiloEntity entity;
    for (uint64_t cursor = 0; world->family->interface->next(world->family->holder, &cursor, &entity);) {
        FiloEntity at = entity;
        while (at.id != 0 && marks[filo_entity_index(at)] == 0) {
            marks[filo_entity_index(at)] = 2;
            at = family_of(world, at)->parent;
        }
        if (at.id != 0 && marks[filo_entity_index(at)] == 2) return true;
        for (at = entity; at.id != 0 && marks[filo_entity_index(at)] == 2; at = family_of(world, at)->parent)
            marks[filo_entity_index(at)] = 1;
    }
    return false;
}

static FiloResult check_families(FiloWorld *world, const FiloAllocator *allocator) {
    const EcsComponentData *component = world->family;
    size_t limit = component->interface->count(component->holder), children = 0, with_parent = 0;
    FiloEntity entity;
    for (uint64_t cursor = 0; component->interface->next(component->holder, &cursor, &entity);) {
        const FiloFamily *family = component->interface->get(component->holder, entity);
        if (family->parent.id != 0) {
            if (family_of(world, family->parent) == NULL)
                return ecs_load_damaged("an entity has a parent that does not exist");
            with_parent++;
        } else if (family->next.id != 0 || family->previous.id != 0) {
            return ecs_load_damaged("an entity has brothers or sisters but no parent");
        }
        if (!children_are_valid(world, entity, family, limit, &children))
            return ecs_load_damaged("the children of an entity are in disorder");
    }
    // Each child in a list was counted once. If more entities have a parent, some are in no list.
    if (children != with_parent) return ecs_load_damaged("an entity is not among the children of its parent");
    if (limit == 0) return filo_ok();
    uint8_t *marks = filo_alloc_zero(allocator, world->index_end, 0);
    if (marks == NULL) return ecs_load_no_memory();
    bool cycle = has_cycle(world, marks);
    filo_free(allocator, marks, world->index_end, 0);
    return cycle ? ecs_load_damaged("an entity is its own ancestor") : filo_ok();
}

FiloResult ecs_load_check(FiloWorld *world, const FiloAllocator *allocator) {
    FiloResult result = check_names(world);
    return result.code == FILO_OK ? check_families(world, allocator) : result;
}
