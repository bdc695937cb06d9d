// What must hold between the entities of a loaded world.
//
// Names: unique, and found by the world's map. Families: who has a parent is among its children, in a list
// that ends, and nobody is its own ancestor. Otherwise functions that follow these references might never
// end.

#include "ecs/save/save.h"
#include "ecs/storage/component.h"
#include "ecs/storage/holder.h"
#include "ecs/world.h"

static FiloResult damaged(const char *what) { return filo_error(FILO_ERROR_DATA, "%s", what); }

static FiloResult check_names(FiloWorld *world) {
    const EcsComponentData *component = world->entity_name;
    FiloEntity entity;
    for (uint64_t cursor = 0; component->interface->next(component->holder, &cursor, &entity);) {
        const FiloEntityName *name = component->interface->get(component->holder, entity);
        FiloString text = filo_name_string(name->name);
        if (text.length == 0 || memchr(text.data, '\0', text.length) != NULL)
            return damaged("an entity has an empty name");
        uint64_t hash = filo_name_hash(name->name);
        if (filo_map_has(&world->names, hash)) return damaged("two entities have the same name");
        FiloName counted; // given back with the entry of the map
        FiloResult result = filo_name_retain(&counted, text);
        if (result.code != FILO_OK) return result;
        if (!filo_map_set(&world->names, hash, &entity)) {
            filo_name_release(counted);
            return filo_error(FILO_ERROR_MEMORY, "no memory to load it");
        }
    }
    return filo_ok();
}

// ---- Families -------------------------------------------------------------------------------------------

static const FiloFamily *family_of(const FiloWorld *world, FiloEntity entity) {
    return entity.id != 0 ? ecs_holder_get(world, world->family, entity) : NULL;
}

// The list of children, from both ends; counts them.
static bool children_are_good(const FiloWorld *world, FiloEntity parent, const FiloFamily *family,
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

// Goes up from everybody, and no further than where somebody has gone before. `steps`: by index, 1 for those
// below whom all is well, 2 for those on the way up now.
static bool has_circle(const FiloWorld *world, uint8_t *steps) {
    FiloEntity entity;
    for (uint64_t cursor = 0; world->family->interface->next(world->family->holder, &cursor, &entity);) {
        FiloEntity at = entity;
        while (at.id != 0 && steps[filo_entity_index(at)] == 0) {
            steps[filo_entity_index(at)] = 2;
            at = family_of(world, at)->parent;
        }
        if (at.id != 0 && steps[filo_entity_index(at)] == 2) return true;
        for (at = entity; at.id != 0 && steps[filo_entity_index(at)] == 2; at = family_of(world, at)->parent)
            steps[filo_entity_index(at)] = 1;
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
                return damaged("an entity has a parent that does not exist");
            with_parent++;
        } else if (family->next.id != 0 || family->previous.id != 0) {
            return damaged("an entity has brothers or sisters but no parent");
        }
        if (!children_are_good(world, entity, family, limit, &children))
            return damaged("the children of an entity are in disorder");
    }
    // Each child was found once in the list of its parent; were there more with a parent, some would be in no
    // list.
    if (children != with_parent) return damaged("an entity is not among the children of its parent");
    if (limit == 0) return filo_ok();
    uint8_t *steps = filo_alloc_zero(allocator, world->index_end, 0);
    if (steps == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory to load it");
    bool circle = has_circle(world, steps);
    filo_free(allocator, steps, world->index_end, 0);
    return circle ? damaged("an entity is its own ancestor") : filo_ok();
}

FiloResult ecs_load_check(FiloWorld *world, const FiloAllocator *allocator) {
    FiloResult result = check_names(world);
    return result.code == FILO_OK ? check_families(world, allocator) : result;
}
