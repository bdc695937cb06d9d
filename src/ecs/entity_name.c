// Names of entities. An entity that has one has a FiloEntityName, and the world a map from names to entities;
// both always say the same.

#include "ecs/holder.h"
#include "ecs/world.h"

bool filo_entity_set_name(FiloWorld *world, FiloEntity entity, const char *text) {
    static const char what[] = "set a name";
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, what) ||
        !filo_entity_is_good(filo_record_find(world, entity), entity, what))
        return false;
    FiloEntityName *old = filo_sparse_get(world->entity_name->holder, entity);
    if (text == NULL || text[0] == 0) {
        if (old == NULL) return true;
        filo_map_remove(&world->names, old->name.id);
        return filo_holder_remove(world, world->entity_name, entity);
    }
    FiloName name = filo_name(text);
    if (name.id == 0) return false;
    const FiloEntity *holder = filo_map_get(&world->names, name.id);
    if (holder != NULL) return holder->id == entity.id;
    if (!filo_map_set(&world->names, name.id, &entity)) return false;
    if (old == NULL) old = filo_holder_add(world, world->entity_name, entity);
    if (old == NULL) {
        filo_map_remove(&world->names, name.id);
        return false;
    }
    if (old->name.id != 0) filo_map_remove(&world->names, old->name.id);
    old->name = name;
    *world->entity_name->version = world->version;
    return true;
}

const char *filo_entity_name(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_look(world)) return NULL;
    const FiloEntityName *name = filo_sparse_get(world->entity_name->holder, entity);
    return name != NULL ? filo_name_text(name->name) : NULL;
}

FiloEntity filo_world_find(const FiloWorld *world, const char *text) {
    if (text == NULL || text[0] == 0 || !ecs_may_look(world)) return FILO_ENTITY_NONE;
    FiloName name = filo_name_find(filo_string(text));
    const FiloEntity *entity = name.id != 0 ? filo_map_get(&world->names, name.id) : NULL;
    return entity != NULL ? *entity : FILO_ENTITY_NONE;
}
